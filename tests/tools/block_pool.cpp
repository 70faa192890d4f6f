#include "block_pool.h"

#include "tensor/block_fields.h"
#include "tensor/float_formats.h"
#include "tensor/tensor_type.h"
#include "test_paths.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <fstream>
#include <iterator>

namespace gufo::tools {
namespace {

constexpr std::uint64_t kEncodedBlocks = 8; // the first blocks of each golden file encode floats; the others are random
constexpr double kGoldenDeviation = 0.065;  // of those floats

std::uint16_t halfFromFloat(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16U & 0x8000U);
    const float magnitude = std::abs(value);
    if (magnitude < 0x1p-14F) { // subnormal, or rounded up to the smallest normal number
        return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::lrint(magnitude * 0x1p24F)));
    }
    if (magnitude >= 65520.0F) {
        return static_cast<std::uint16_t>(sign | 0x7C00U);
    }
    const std::uint32_t rebased = (bits & 0x7FFF'FFFFU) - (112U << 23U);
    const std::uint32_t toEven = 0xFFFU + (rebased >> 13U & 1U);
    return static_cast<std::uint16_t>(sign | (rebased + toEven) >> 13U);
}

std::uint16_t brainFromFloat(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint16_t>((bits + 0x7FFFU + (bits >> 16U & 1U)) >> 16U);
}

void storeFloat(std::byte* to, TensorType type, double value) {
    switch (type) {
    case TensorType::F32:
        store(to, static_cast<float>(value));
        break;
    case TensorType::F64:
        store(to, value);
        break;
    case TensorType::F16:
        store(to, halfFromFloat(static_cast<float>(value)));
        break;
    default:
        store(to, brainFromFloat(static_cast<float>(value)));
        break;
    }
}

std::vector<std::byte> goldenBlocks(const TensorTypeFact& type) {
    std::string name(type.name);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return c == 'K' ? c : std::tolower(c); });
    std::ifstream file(std::string(GUFO_TEST_DATA "/golden/") + name + ".raw", std::ios::binary);
    std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
    bytes.resize(std::min<std::size_t>(bytes.size(), kEncodedBlocks * type.blockBytes));
    const auto view = std::as_bytes(std::span(bytes));
    return {view.begin(), view.end()};
}

// Multiplies the half-precision scales of a block. Types that store theirs differently stay unchanged.
void scaleBlock(std::uint32_t typeId, std::span<std::byte> block, double factor) {
    for (const BlockField& field : blockFields(typeId)) {
        if ((field.name == "d" || field.name == "m" || field.name == "dmin") && field.fieldSize == 2 &&
            field.bytes == 2) {
            std::byte* at = block.data() + field.offset;
            store(at, halfFromFloat(static_cast<float>(floatFromHalf(load<std::uint16_t>(at)) * factor)));
        }
    }
}

} // namespace

std::optional<std::vector<std::byte>> makeBlocks(std::uint32_t typeId, std::uint64_t weights, double mean,
                                                 double deviation, std::mt19937_64& random) {
    const TensorTypeFact* type = findTensorType(typeId);
    if (type == nullptr || weights % type->blockSize != 0) {
        return std::nullopt;
    }
    const std::uint64_t blocks = weights / type->blockSize;
    std::vector<std::byte> bytes(blocks * type->blockBytes);
    if (type->kind == TensorTypeKind::Float) {
        std::normal_distribution<double> normal(mean, deviation);
        for (std::uint64_t i = 0; i < blocks; ++i) {
            storeFloat(bytes.data() + i * type->blockBytes, static_cast<TensorType>(typeId), normal(random));
        }
        return bytes;
    }
    const std::vector<std::byte> golden = goldenBlocks(*type);
    if (golden.empty()) {
        return std::nullopt;
    }
    const std::uint64_t kinds = golden.size() / type->blockBytes;
    std::lognormal_distribution<double> spread(0, 0.3);
    for (std::uint64_t i = 0; i < blocks; ++i) {
        const auto from = golden.begin() + static_cast<std::ptrdiff_t>(random() % kinds * type->blockBytes);
        const std::span block = std::span(bytes).subspan(i * type->blockBytes, type->blockBytes);
        std::copy_n(from, type->blockBytes, block.begin());
        scaleBlock(typeId, block, deviation / kGoldenDeviation * spread(random));
    }
    return bytes;
}

} // namespace gufo::tools
