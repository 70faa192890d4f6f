// Repacks the blocks of quantised types from before GGUF as GGUF's blocks. The codes stay, and scales that were f32 are
// rounded to f16; that is the only loss of such a conversion.
//
// Threads: const members are thread-safe.
#pragma once

#include "base/job_context.h"
#include "convert/tensor_values.h"

namespace gufo::convert {

// The type of GGUF that a type becomes; nothing if GGUF has none with the same codes (Q4_2 and Q4_3, whose blocks have
// half as many weights). A type that GGUF also has is kept.
[[nodiscard]] std::optional<TensorType> typeOfLegacy(std::uint32_t typeId);
// Whether repacking the type rounds its scales.
[[nodiscard]] bool roundsScales(std::uint32_t typeId);

// The stored tensor in that type; the model must outlive it. A scale that f16 cannot hold is an error of reading the
// values (WeightOutOfRange). Errors: NotSupported (Detail::QuantisationUnknown), Truncated, the errors of
// Model::bytesOf().
[[nodiscard]] Result<ValuesPtr> legacyBlocks(const Model& model, TensorIndex tensor);

// The largest difference between a weight of the tensor and what it becomes. Progress is in weights. Errors: the errors
// of legacyBlocks() and of reading; Cancelled.
[[nodiscard]] Result<double> legacyLoss(const Model& model, TensorIndex tensor, const JobContext& job);

} // namespace gufo::convert
