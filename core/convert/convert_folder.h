// Executes a plan in one pass: tensors are computed piece by piece and written in their final type. Reading the source,
// computing, and writing overlap (base/write_queue.h); memory holds the pieces that are being computed
// and the pieces that wait to be written.
//
// Threads: any. JobContext::threads workers compute and encode; the bytes written do not depend on their number.
#pragma once

#include "convert/plan.h"

#include <filesystem>

namespace gufo::convert {

// Writes the model as one little-endian GGUF version 3 file. Progress is in bytes written. Errors: the errors of
// OutputFile; NoSpace; the errors of reading the source and of encode(), with the tensor; InvalidArgument (`out` is a
// file of the source; a name that GGUF does not allow); FileChangedWhileReading; Cancelled. After an error there is no
// new file, and an existing one is unchanged.
[[nodiscard]] Result<> writeConverted(const SourceFolder& source, const ConversionPlan& plan,
                                      const ConvertRequest& request, const std::filesystem::path& out,
                                      const JobContext& job = {});

// The size of that file. Errors: InvalidArgument, as above.
[[nodiscard]] Result<std::uint64_t> convertedBytes(const ConversionPlan& plan);

} // namespace gufo::convert
