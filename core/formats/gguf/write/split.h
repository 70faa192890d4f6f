// Divides a model into shards: PREFIX-00001-of-00003.gguf. The keys stand in the first one; each has split.no,
// split.count and split.tensors.count. Merging is saveAs() of a set.
//
// Conventions: llama.cpp's tool "gguf-split".
#pragma once

#include "formats/gguf/save/save.h"

namespace gufo::gguf {

struct SplitOptions {
    std::uint64_t maxTensors = 128; // in a shard; 0: any number
    std::uint64_t maxBytes = 0;     // of a shard's tensor data, a single tensor aside; 0: any number
    bool metadataFirst = false;     // the first shard holds no tensor
};

// Writes all shards or none. Errors: as saveAs(); InvalidArgument where there would be more shards than the key
// split.count can tell (65,535).
[[nodiscard]] Result<SaveReport> split(const Model& model, const std::filesystem::path& prefix,
                                       const SplitOptions& split, const SaveOptions& options = {},
                                       const JobContext& job = {});

} // namespace gufo::gguf
