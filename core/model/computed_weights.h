// The source of a model whose weights no file contains as they are: they are computed from another model when they are
// asked for, such as those that a conversion would write. view() fails; PartReader reads the weights, so whatever works
// on parts of tensors works on such a model.
//
// Threads: all members are thread-safe.
#pragma once

#include "base/byte_source.h"

namespace gufo {

class ComputedWeights : public ByteSource {
public:
    // `tensor` is the TensorInfo::offset of the tensor that is meant, which identifies it. advise() takes it as the
    // offset of a range, and a range of that tensor of any length means all of it.

    // Whether the weights of the tensor can be computed at all. Errors: those of reading what they are made of.
    [[nodiscard]] virtual Result<> check(std::uint64_t tensor) const = 0;
    // The weights [first, first + out.size()), which must exist. A failure is also reported by damage(), so that
    // whoever cannot return it can check once at the end.
    [[nodiscard]] virtual Result<> weights(std::uint64_t tensor, std::uint64_t first, std::span<float> out) const = 0;
};

} // namespace gufo
