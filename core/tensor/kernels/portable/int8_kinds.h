// How the codes of a type stand for levels, which the products of eight bits are chosen by.
#pragma once

#include "tensor/tensor_type.h"

#include <cstddef>

namespace {

enum class Codes {
    Offset, // 0 … kMost ≤ 127, each kOffset (0 or a power of two) more than the level that it stands for
    Signed, // the levels themselves, −128 … 127
};

// What every type says of itself. Runs of 256 weights are taken apart: scales and minima are for 32 weights each, or
// for 16 each in two halves.
template<gufo::TensorType type, std::size_t runBytes, int offset, int most, bool per16 = false, bool minima_ = false>
struct Run {
    static constexpr gufo::TensorType kType = type;
    static constexpr std::size_t kRunBytes = runBytes;
    static constexpr Codes kCodes = Codes::Offset;
    static constexpr unsigned kOffset = offset;
    static constexpr int kMost = most;
    static constexpr bool kPer16 = per16;
    static constexpr bool kMinima = minima_;
    static_assert(most <= 127);

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
