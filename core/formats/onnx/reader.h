// Reads ONNX models (onnx.proto of the ONNX project): the initialisers of the graph become tensors; the producer, the
// operator sets, metadata_props and facts about the graph become keys. The graph itself is not interpreted. Tensors may
// be in files beside the model (external data), which become further files of it. Small tensors that are lists of
// varints are decoded into a further file, which is in memory.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "base/job_context.h"
#include "formats/sets/folder_files.h"
#include "model/model.h"

namespace gufo::onnx {

inline constexpr std::string_view kContainer = "onnx"; // Model::container

// Errors: NotAModel (a file that begins otherwise), Malformed (the buffer is damaged, or has no graph), Truncated,
// LimitExceeded (tensors), TooManyDimensions, FileChangedWhileReading, Cancelled. A tensor is a finding if its data are
// missing, or if they are in a list of numbers that does not belong to its type.
[[nodiscard]] Result<std::shared_ptr<const Model>> read(std::shared_ptr<const ByteSource> file, const JobContext& job,
                                                        const SourceOpener& openFile = mappedFileOpener());

} // namespace gufo::onnx
