// The structure of a model of any container (inference/structure). A folder of safetensors or PyTorch files that can be
// converted has the structure of its conversion, by the engine's rows: its tensors are given GGUF's names and shapes
// first, and are exchanged for the source's own afterwards. Models that cannot be converted are described by the names
// of their tensors. Headers only are read, and small tensors that describe an encoding.
//
// Threads: thread-safe. A folder takes longer than a frame, because its configuration is read.
#pragma once

#include "base/job_context.h"
#include "inference/structure/model_structure.h"

#include <memory>

namespace gufo::convert {

struct SourceStructure {
    std::shared_ptr<const Model> described; // with GGUF's keys; `structure` refers to its names
    inference::ModelStructure structure;    // with tensor indices of the given model
};

// Errors: Cancelled.
[[nodiscard]] Result<SourceStructure> describeStructure(const std::shared_ptr<const Model>& model,
                                                        const JobContext& job = {});

} // namespace gufo::convert
