// The values of tensors in the encodings of quantised checkpoints: from codes, scales and zeros that are separate
// tensors, and as blocks of GGUF where GGUF has a type with the same values. The caller (recoded_values.cpp) has
// checked the sizes of all arguments, so that every index is within them.
//
// Threads: const members are thread-safe.
#pragma once

#include "base/byte_order.h"
#include "convert/tensor_values.h"

namespace gufo::convert {

inline constexpr std::uint64_t kWordBits = 32;

// Integers of a fixed number of bits in words, the lowest bits first. Those of 3, 5, 6 and 7 bits either cross the ends
// of words, or leave the highest bits of each word unused.
class PackedIntegers {
public:
    PackedIntegers() = default;
    PackedIntegers(Bytes words, std::uint64_t bits, bool wholeInWords = false)
        : m_words(words)
        , m_bits(bits)
        , m_perWord(wholeInWords && kWordBits % bits != 0 ? kWordBits / bits : 0) {}

    // The words that hold `count` integers.
    [[nodiscard]] static std::uint64_t wordsFor(std::uint64_t count, std::uint64_t bits, bool wholeInWords) {
        const std::uint64_t perWord = kWordBits / bits;
        return wholeInWords ? (count + perWord - 1) / perWord : (count * bits + kWordBits - 1) / kWordBits;
    }
    [[nodiscard]] std::uint64_t wordsFor(std::uint64_t count) const { return wordsFor(count, m_bits, m_perWord != 0); }

    // Integer number `index` of the words `first`, first + stride, …
    [[nodiscard]] std::uint32_t at(std::uint64_t first, std::uint64_t index, std::uint64_t stride = 1) const {
        const std::uint64_t bit =
            m_perWord == 0 ? index * m_bits : index / m_perWord * kWordBits + index % m_perWord * m_bits;
        const std::byte* from = m_words.data() + 4 * (first + bit / kWordBits * stride);
        const std::uint64_t shift = bit % kWordBits;
        std::uint64_t window = load<std::uint32_t>(from);
        if (shift + m_bits > kWordBits) { // it continues in the next word
            window |= static_cast<std::uint64_t>(load<std::uint32_t>(from + 4 * stride)) << kWordBits;
        }
        return static_cast<std::uint32_t>(window >> shift) & ((1U << m_bits) - 1);
    }
    [[nodiscard]] std::uint64_t words() const { return m_words.size() / 4; }

private:
    Bytes m_words;
    std::uint64_t m_bits = 8;
    std::uint64_t m_perWord = 0; // 0: integers follow each other without gaps
};

// Codes in groups of columns; each group has a scale and a zero. The encodings differ in how these are arranged.
struct GroupedTensors {
    PackedIntegers codes;
    PackedIntegers zeros;
    std::vector<float> scales;
    std::vector<float> biases;        // instead of zeros, for DequantiseAffine
    std::vector<float> groupOfColumn; // empty: groups of neighbouring columns
    std::uint64_t bits = 4;
    std::uint64_t groupSize = 1;
    std::uint64_t addedToZeros = 0; // GPTQ may store zeros less 1
};

// `kind` is one of DequantiseGptq, DequantiseAwq, DequantisePacked and DequantiseAffine.
[[nodiscard]] ValuesPtr groupedValues(const Model& model, const SourcePart& part, OperationKind kind,
                                      GroupedTensors tensors);

// Codes that are numbers, multiplied by the scale of their block and divided by `factor`.
[[nodiscard]] ValuesPtr blockScaledValues(const Shape& shape, ValuesPtr codes, std::vector<float> scales,
                                          std::uint64_t blockColumns, std::uint64_t blockRows, float factor);
// The number of scales that blocks of this size need.
[[nodiscard]] std::uint64_t blockScalesNeeded(const Shape& shape, std::uint64_t blockColumns, std::uint64_t blockRows);

// Codes of 4 bits, the upper half of a byte first, which are indices into a table of 16 levels, and a scale for each
// block of `block` weights.
[[nodiscard]] ValuesPtr tabulatedValues(const Shape& shape, Bytes codes, std::vector<float> levels,
                                        std::vector<float> scales, std::uint64_t block);

// Codes of 2 bits minus 1, multiplied or divided by `scale`. The pairs of bits of row r of the bytes, the lowest first,
// are the codes of rows r, r + rows / 4, ….
[[nodiscard]] ValuesPtr ternaryValues(const Shape& shape, Bytes codes, float scale, bool divides);

// Blocks of 4-bit floats, MXFP4 or NVFP4, made from codes and scales that are separate tensors.
[[nodiscard]] ValuesPtr repackedValues(const Model& model, const SourcePart& part, TensorType type, Bytes codes,
                                       Bytes scales);

// The values of a tensor whose source has another layout of blocks than GGUF. Subclasses make the blocks of GGUF, from
// which the weights are decoded. Thread-safe where const.
class RepackedValues : public TensorValues {
public:
    std::optional<std::uint32_t> encodedType() const override { return m_type.id; }
    Result<> values(std::uint64_t first, std::span<float> out) const override;
    void release() const override;

protected:
    // `type` is the type of the blocks. The model and its tensor `source` must outlive the values.
    RepackedValues(const Model& model, const TensorInfo& source, const Shape& shape, const TensorTypeFact& type)
        : TensorValues(shape)
        , m_model(model)
        , m_source(source)
        , m_type(type) {}

    [[nodiscard]] const TensorTypeFact& blockType() const { return m_type; }

private:
    const Model& m_model;
    const TensorInfo& m_source;
    const TensorTypeFact& m_type;
};

// Rearranges codes of 4 bits. The low and the high nibble of byte i are the codes of weights 2i and 2i + 1 in `pairs`,
// and of weights i and i + `bytes` in `out`.
void splitPairs(const std::byte* pairs, std::size_t bytes, std::byte* out);

} // namespace gufo::convert
