// The decoders that specify the types: take a block apart, multiply.
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/scalar/all_blocks.h"
#include "tensor/kernels/scalar/reduce.h"

namespace gufo::scalar {
namespace {

template<typename Block>
void decodeBlocks(const std::byte* blocks, std::size_t count, float* out) {
    UnpackedBlock unpacked;
    for (std::size_t b = 0; b < count; ++b, blocks += Block::kBlockBytes, out += Block::kBlockSize) {
        Block::unpack(blocks, unpacked);
        for (std::size_t i = 0; i < Block::kBlockSize; ++i) {
            const float level = Block::kLevels[unpacked.codes[i]];
            out[i] = level * unpacked.scales[i / Block::kSubBlock];
            if constexpr (Block::kHasMinima) {
                out[i] -= unpacked.minima[i / Block::kSubBlock];
            }
        }
    }
}

template<typename T>
void decodeNumbers(const std::byte* numbers, std::size_t count, float* out) {
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

} // namespace

const Kernels& kernels() {
    static const Kernels table = [] {
        Kernels k;
        const auto set = [&](TensorType type, Kernels::Decode decode) {
            k.decode[static_cast<std::size_t>(type)] = decode;
        };
        set(TensorType::F32, decodeNumbers<float>);
        set(TensorType::F64, decodeNumbers<double>);
        set(TensorType::F16, decodeShortFloats<floatFromHalf>);
        set(TensorType::BF16, decodeShortFloats<floatFromBrain>);
        set(TensorType::I8, decodeNumbers<std::int8_t>);
        set(TensorType::I16, decodeNumbers<std::int16_t>);
        set(TensorType::I32, decodeNumbers<std::int32_t>);
        set(TensorType::I64, decodeNumbers<std::int64_t>);
        installReductions(k);
        installEncoders(k);
        installProducts(k.products);
        installRows(k.rows);
        installAttention(k.attention);
        forEachBlockType([&]<typename Block>() { set(Block::kType, decodeBlocks<Block>); });
        return k;
    }();
    return table;
}

} // namespace gufo::scalar
