// Reads the formats from before GGUF into a Model: GGML, GGMF, GGJT and GGLA (adapters).
//
// Layout, all little-endian: magic number, version unless GGML, hyper-parameters, vocabulary, and tensor records to the
// end of the file: u32 dimensions, u32 length of the name, u32 type, the dimensions (fastest first), name, data. GGJT
// and GGLA put the data at a multiple of 32. Neither the family of the model nor the number of tensors is stored.
//
// The hyper-parameters become keys under the names that the loaders gave them ("n_embd"), and "family" names the family
// that was found. The vocabulary is the only part that is translated: it becomes the keys tokenizer.ggml.*, spelled as
// in GGUF, because no two families wrote tokens in the same way.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "base/job_context.h"
#include "formats/sets/folder_files.h"
#include "model/model.h"

namespace gufo::ggml {

inline constexpr std::string_view kFamilyKey = "family";

// Reads a single file. Errors: NotAModel (another magic number), UnsupportedVersion, Malformed (no family fits, or a
// rule of the format is broken), Truncated, StringTooLong, CountTooLarge, LimitExceeded, TooManyDimensions,
// FileChangedWhileReading, Cancelled. A record that cannot be read is a finding if others before it could be.
[[nodiscard]] Result<std::shared_ptr<const Model>> read(std::shared_ptr<const ByteSource> file,
                                                        const JobContext& job = {});

// The same, but a part of a model ("NAME", "NAME.1", "NAME.2" …) is opened with the others. Each part has a slice of
// every matrix, and the slices are listed as separate tensors.
[[nodiscard]] Result<std::shared_ptr<const Model>> open(std::shared_ptr<const ByteSource> file, const JobContext& job,
                                                        const SourceOpener& openFile = mappedFileOpener());

} // namespace gufo::ggml
