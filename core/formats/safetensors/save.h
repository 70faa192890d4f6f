// Saves the metadata of a safetensors file, by the same strategies and with the same promise as a GGUF file
// (gguf/write/save.h). While a patch or shift is under way, the length of the header is 2^64 - 1, which no reader
// accepts; the journal restores it. Reserved space is spaces at the end of the header, which the format allows.
//
// The model is a single file or a set of numbered shards ("model-00001-of-00003.safetensors"), opened by a file, by its
// list or through its folder. Its tensors do not change. In a set, an added key is added to every shard, and a changed
// or deleted one is changed or deleted in the shards that have it; shards keep their own values of keys that do not
// change. All shards change together or not at all. Keys that other files of a folder state do not change.
//
// Threads: all functions are thread-safe. Of two simultaneous saves of the same file, one fails.
#pragma once

#include "formats/save/saving.h"

namespace gufo::safetensors {

// The space that is reserved when a header grows.
inline constexpr std::uint64_t kReservedBytes = 16 * 1024;

// Whether the headers of the model can be changed: all its files are here and, if there are several, they are all files
// of one numbered set, whose names lead recovery from any of them to the journal.
[[nodiscard]] bool savesHeaders(const Model& model);

// As for GGUF; also fails as headerText() does, and with InvalidArgument with Detail::HeaderTooLong, because a header
// must not be longer than kMaxHeader.
[[nodiscard]] Result<SavePlan> planSave(const Model& base, const Model& edited, const SaveTarget& target,
                                        const SaveOptions& options = {});
[[nodiscard]] Result<SaveReport> save(const Model& base, const Model& edited, const SaveTarget& target,
                                      const SaveOptions& options = {}, const JobContext& job = {});
// A set is written as a set under the names of setFiles() (save.cpp), with its list, all together under one journal;
// files beside the weights, such as a configuration, are not written. Errors: also InvalidArgument (Detail::FileExists)
// if another file of the new set than `path` exists.
[[nodiscard]] Result<SaveReport> saveAs(const Model& edited, const SaveTarget& target,
                                        const std::filesystem::path& path, const SaveOptions& options = {},
                                        const JobContext& job = {});

} // namespace gufo::safetensors
