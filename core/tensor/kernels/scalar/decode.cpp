// The decoders that specify the types: they unpack a block and multiply.
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/scalar/all_blocks.h"
#include "tensor/kernels/scalar/reduce.h"

#include <cstring>
#include <type_traits>

namespace gufo::scalar {
namespace {

template<typename Block>
void decodeInRow(const std::byte* header, const std::byte* blocks, std::size_t count, float* out) {
    UnpackedBlock unpacked;
    for (std::size_t b = 0; b < count; ++b, blocks += Block::kBlockBytes, out += Block::kBlockSize) {
        unpack<Block>(header, blocks, unpacked);
        for (std::size_t i = 0; i < Block::kBlockSize; ++i) {
            const float level = Block::kLevels[unpacked.codes[i]];
            out[i] = level * unpacked.scales[i / Block::kSubBlock];
            if constexpr (Block::kHasMinima) {
                out[i] -= unpacked.minima[i / Block::kSubBlock];
            }
        }
    }
}

template<typename Block>
void decodeBlocks(const std::byte* blocks, std::size_t count, float* out) {
    decodeInRow<Block>(nullptr, blocks, count, out);
}

template<typename T>
void decodeNumbers(const std::byte* numbers, std::size_t count, float* out) {
    if constexpr (std::is_same_v<T, float> && kNativeOrder == ByteOrder::Little) {
        std::memcpy(out, numbers, count * sizeof(float)); // GCC does not turn the loop into a copy at -O2
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = static_cast<float>(load<T>(numbers + i * sizeof(T)));
    }
}

template<float (*fromBits)(std::uint16_t)>
void decodeShortFloats(const std::byte* numbers, std::size_t count, float* out) {
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = fromBits(load<std::uint16_t>(numbers + i * 2));
    }
}

template<float (*fromBits)(std::uint8_t)>
void decodeByteFloats(const std::byte* numbers, std::size_t count, float* out) {
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = fromBits(static_cast<std::uint8_t>(numbers[i]));
    }
}

constexpr float floatFromBool(std::uint8_t byte) { return byte != 0 ? 1.0F : 0.0F; }

} // namespace

const Kernels& kernels() {
    static const Kernels table = [] {
        Kernels k;
        const auto set = [&](TensorType type, Kernels::Decode decode) { k.decode[type] = decode; };
        set(TensorType::F32, decodeNumbers<float>);
        set(TensorType::F64, decodeNumbers<double>);
        set(TensorType::F16, decodeShortFloats<floatFromHalf>);
        set(TensorType::BF16, decodeShortFloats<floatFromBrain>);
        set(TensorType::I8, decodeNumbers<std::int8_t>);
        set(TensorType::I16, decodeNumbers<std::int16_t>);
        set(TensorType::I32, decodeNumbers<std::int32_t>);
        set(TensorType::I64, decodeNumbers<std::int64_t>);
        set(TensorType::Bool, decodeByteFloats<floatFromBool>);
        set(TensorType::U8, decodeNumbers<std::uint8_t>);
        set(TensorType::U16, decodeNumbers<std::uint16_t>);
        set(TensorType::U32, decodeNumbers<std::uint32_t>);
        set(TensorType::U64, decodeNumbers<std::uint64_t>);
        set(TensorType::F8_E4M3, decodeByteFloats<floatFromE4m3>);
        set(TensorType::F8_E5M2, decodeByteFloats<floatFromE5m2>);
        set(TensorType::F8_E4M3FNUZ, decodeByteFloats<floatFromE4m3Fnuz>);
        set(TensorType::F8_E5M2FNUZ, decodeByteFloats<floatFromE5m2Fnuz>);
        set(TensorType::F8_E8M0, decodeByteFloats<floatFromE8m0>);
        installReductions(k);
        installEncoders(k);
        installProducts(k.products);
        installRows(k.rows);
        installAttention(k.attention);
        installRecurrence(k.recurrence);
        forEachBlockType([&]<typename Block>() {
            if constexpr (hasRowHeader<Block>) {
                k.decodeInRow[Block::kType] = decodeInRow<Block>;
            } else {
                set(Block::kType, decodeBlocks<Block>);
            }
        });
        return k;
    }();
    return table;
}

} // namespace gufo::scalar
