// The values of tensors in the encodings of quantised checkpoints: from codes, scales and zeros that are tensors of
// their own, and as blocks of GGUF where an encoding has the same values there. Who makes them (recoded_values.cpp) has
// checked the sizes of everything that is passed, so that no value lies outside.
//
// Threads: const members are thread-safe.
#pragma once

#include "base/byte_order.h"
#include "convert/tensor_values.h"

namespace gufo::convert {

inline constexpr std::uint64_t kWordBits = 32;

// Integers of a fixed number of bits in words, the lowest bits first.
class PackedIntegers {
public:
    PackedIntegers() = default;
    PackedIntegers(Bytes words, std::uint64_t bits)
        : m_words(words)
        , m_bits(bits) {}

    // Integer number `index` of the words from `word` on.
    [[nodiscard]] std::uint32_t at(std::uint64_t word, std::uint64_t index) const {
        const std::uint64_t bit = index * m_bits;
        const std::byte* from = m_words.data() + 4 * (word + bit / kWordBits);
        const std::uint64_t shift = bit % kWordBits;
        std::uint64_t bitsHere = load<std::uint32_t>(from);
        if (shift + m_bits > kWordBits) { // it continues in the next word
            bitsHere |= static_cast<std::uint64_t>(load<std::uint32_t>(from + 4)) << kWordBits;
        }
        return static_cast<std::uint32_t>(bitsHere >> shift) & ((1U << m_bits) - 1);
    }
    [[nodiscard]] std::uint64_t perWord() const { return kWordBits / m_bits; }
    [[nodiscard]] std::uint64_t words() const { return m_words.size() / 4; }

private:
    Bytes m_words;
    std::uint64_t m_bits = 8;
};

// Codes in groups of columns, each with a scale and a zero. The encodings differ in where these lie.
struct GroupedTensors {
    PackedIntegers codes;
    PackedIntegers zeros;
    std::vector<float> scales;
    std::vector<float> biases;
    std::vector<float> groupOfColumn;
    std::uint64_t bits = 4;
    std::uint64_t groupSize = 1;
    std::uint64_t addedToZeros = 0;
};

// `kind` is one of DequantiseGptq, DequantiseAwq, DequantisePacked and DequantiseAffine.
[[nodiscard]] ValuesPtr groupedValues(const Model& model, const SourcePart& part, OperationKind kind,
                                      GroupedTensors tensors);

// Codes that are numbers themselves, multiplied by the scale of their block and divided by `factor`.
[[nodiscard]] ValuesPtr blockScaledValues(const Shape& shape, ValuesPtr codes, std::vector<float> scales,
                                          std::uint64_t blockColumns, std::uint64_t blockRows, float factor);
[[nodiscard]] std::uint64_t blockScalesNeeded(const Shape& shape, std::uint64_t blockColumns, std::uint64_t blockRows);

// Codes of 4 bits into a table of 16 levels, the upper half of a byte first, with a scale for each block of weights.
[[nodiscard]] ValuesPtr tabulatedValues(const Shape& shape, Bytes codes, std::vector<float> levels,
                                        std::vector<float> scales, std::uint64_t block);

// Blocks of MXFP4 or NVFP4 made of codes and scales that are stored apart.
[[nodiscard]] ValuesPtr repackedValues(const Model& model, const SourcePart& part, TensorType type, Bytes codes,
                                       Bytes scales);

} // namespace gufo::convert
