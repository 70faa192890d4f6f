// Splits a model into shards: PREFIX-00001-of-00003.gguf. The first shard contains the keys; every shard has split.no,
// split.count and split.tensors.count. saveAs() of a set merges it.
//
// Source of the conventions: llama.cpp's tool "gguf-split".
//
// Threads: thread-safe. split() reads and writes whole files, so it must not be called on the UI thread.
#pragma once

#include "formats/gguf/write/save.h"

namespace gufo::gguf {

struct SplitOptions {
    std::uint64_t maxTensors = 128; // per shard; 0: no limit
    std::uint64_t maxBytes = 0;     // per shard, tensor data only, unless a single tensor is larger; 0: no limit
    bool metadataFirst = false;     // the first shard contains no tensors
};

// Writes all shards or none. Errors: as for saveAs(); InvalidArgument if there would be more shards than the key
// split.count can express (65,535).
[[nodiscard]] Result<SaveReport> split(const Model& model, const std::filesystem::path& prefix,
                                       const SplitOptions& split, const SaveOptions& options = {},
                                       const JobContext& job = {});

// The files that split() would write. Errors: as for split(), before anything is written.
[[nodiscard]] Result<std::vector<std::filesystem::path>>
splitPaths(const Model& model, const std::filesystem::path& prefix, const SplitOptions& split);

} // namespace gufo::gguf
