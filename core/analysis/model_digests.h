// SHA-256 digests by which a model file and its weights are recognised.
//
// The digest of a tensor is computed from its bytes as GGUF stores them: little-endian, and with the weights in order
// even if the file stores them otherwise. The digest of the weights is the digest of a text with one line "name type
// shape digest" for each tensor, sorted by name, where the shape is written as "288x32000" (fastest dimension first).
// It does not depend on metadata, on the order of tensors, on padding or on shards, so that two files with equal
// weights are recognised.
#pragma once

#include "base/job_context.h"
#include "base/sha256.h"
#include "model/model.h"

#include <optional>
#include <vector>

namespace gufo {

struct ModelDigests {
    struct File {
        FileIndex file;
        Sha256Digest whole;
        std::optional<Sha256Digest>
            header; // up to the end of the last tensor record; nothing if the container has none
    };
    std::vector<File> files;                          // the files that are present
    std::vector<std::optional<Sha256Digest>> tensors; // by TensorIndex; nothing if bytes of the tensor are missing
    std::optional<Sha256Digest> weights;              // nothing if a tensor has no digest
};

// Reads the bytes of every file once; tensors that are not stored as GGUF stores them are read once more. Progress is
// in bytes. Threads: any; uses two at most for files and all for the other tensors. Errors: FileChangedWhileReading,
// Cancelled, the errors of the sources.
[[nodiscard]] Result<ModelDigests> digestModel(const Model& model, const JobContext& job);

} // namespace gufo
