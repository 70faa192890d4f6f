// Metadata and arrays to files and back (document/metadata_json.h has the formats); for jobs.
#pragma once

#include "document/metadata_json.h"

#include <QString>

namespace gufo::ui {

// All keys of a model. The file is replaced only when all is written. Errors: those of writeMetadataJson; WriteFailed.
[[nodiscard]] Result<void> exportMetadataJson(const Model& model, const QString& path, const JobContext& job);

// One array; CSV where the file's name ends so, else JSON. Errors: those of writeArray; WriteFailed.
[[nodiscard]] Result<void> exportArray(const ArrayView& array, std::string_view name, const QString& path,
                                       const JobContext& job);
// An array of those elements. Errors: those of readArray, with the file; ReadFailed; LimitExceeded.
[[nodiscard]] Result<OwnedValue> importArray(const QString& path, ValueType elementType, std::string_view name,
                                             const JobContext& job);

} // namespace gufo::ui
