// The byte source of a model whose weights are computed from another model when they are read, such as the model that a
// conversion would write. No bytes exist, so view() fails; PartReader reads the weights instead, so that all code that
// works on parts of tensors also works on such a model.
//
// Threads: all members are thread-safe.
#pragma once

#include "base/byte_source.h"

namespace gufo {

class ComputedWeights : public ByteSource {
public:
    // `tensor` is the TensorInfo::offset of a tensor, which identifies it. advise() expects it as the offset of the
    // range, and applies to the whole tensor, whatever the length of the range.

    // Checks whether the weights of the tensor can be computed. Errors: the errors of reading what they are computed
    // from.
    [[nodiscard]] virtual Result<> check(std::uint64_t tensor) const = 0;
    // Computes the weights [first, first + out.size()), which must exist. A failure is also reported by damage(), so
    // that a caller that cannot return it can check once at the end.
    [[nodiscard]] virtual Result<> weights(std::uint64_t tensor, std::uint64_t first, std::span<float> out) const = 0;
};

} // namespace gufo
