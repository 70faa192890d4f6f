// The ways in which codes of a type represent levels, which determine the kind of 8-bit product.
#pragma once

#include "tensor/tensor_type.h"

#include <cstddef>

namespace {

enum class Codes {
    Offset, // 0 … kMaxCode ≤ 127: the level plus kOffset, which is 0 or a power of two
    Signed, // the levels themselves, −128 … 127
};

// The properties of a type. It unpacks runs of 256 weights. Scales and minima apply to 32 weights each, or with per16
// to 16 each, and are then returned for one half of the run at a time.
template<gufo::TensorType type, std::size_t runBytes, int offset, int maxCode, bool per16 = false, bool minima_ = false>
struct Run {
    static constexpr gufo::TensorType kType = type;
    static constexpr std::size_t kRunBytes = runBytes;
    static constexpr Codes kCodes = Codes::Offset;
    static constexpr unsigned kOffset = offset;
    static constexpr int kMaxCode = maxCode;
    static constexpr bool kPer16 = per16;
    static constexpr bool kMinima = minima_;
    static_assert(maxCode <= 127);

    const std::byte* at;
    explicit Run(const std::byte* run)
        : at(run) {}
};
template<gufo::TensorType type, std::size_t runBytes>
struct SignedRun : Run<type, runBytes, 0, 127> {
    static constexpr Codes kCodes = Codes::Signed;
    using Run<type, runBytes, 0, 127>::Run;
};

} // namespace
