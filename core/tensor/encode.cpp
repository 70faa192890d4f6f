#include "tensor/encode.h"

#include "base/byte_order.h"
#include "base/detail.h"
#include "tensor/kernels/kernels.h"
#include "tensor/row_layout.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace gufo {
namespace {

// The largest magnitude that the type can approximate. For block types this is the largest scale (a half) times the
// largest level.
struct EncodableRow {
    TensorType type;
    float largest;
    bool needsImportance = false;
};
constexpr float kHalf = 65504;
constexpr float kFloat = std::numeric_limits<float>::max();
// The limit of types whose scale is a float: the search adds up squares, which would overflow beyond it.
constexpr float kFloatScale = 0x1p50F;
constexpr auto kEncodable = std::to_array<EncodableRow>({
    {TensorType::F32, kFloat},
    {TensorType::F16, 65519.996F},
    {TensorType::BF16, 0x1.FEFFFEp127F},
    {TensorType::Q8_0, kHalf * 127},
    {TensorType::IQ6_K, kHalf * 127 * 127},
    {TensorType::Q6_K, kHalf * 127 * 31},
    {TensorType::Q5_1, kHalf},
    {TensorType::Q5_K, kHalf * 63},
    {TensorType::IQ5_K, kHalf * 32 * 126},
    {TensorType::Q5_0, kHalf * 15},
    {TensorType::IQ5_KS, kFloatScale},
    {TensorType::Q4_1, kHalf},
    {TensorType::Q4_K, kHalf * 63},
    {TensorType::IQ4_K, kHalf * 32 * 127},
    {TensorType::Q4_0, kHalf * 7},
    {TensorType::IQ4_NL, kHalf * 113},
    {TensorType::IQ4_XS, kHalf * 31 * 113},
    {TensorType::IQ4_KS, kFloatScale},
    {TensorType::MXFP4, kFloat},
    {TensorType::IQ4_KSS, kFloatScale},
    {TensorType::Q3_K, kHalf * 31 * 3},
    {TensorType::IQ3_S, kHalf * 31 * 15},
    {TensorType::IQ3_K, kHalf * 31 * 63},
    {TensorType::IQ3_KS, kHalf * 16 * 63},
    {TensorType::IQ3_XXS, kHalf * 15.5F * 0.5F * 62, true},
    {TensorType::IQ2_KL, kHalf * 32 * 63, true},
    {TensorType::Q2_K, kHalf * 15},
    {TensorType::IQ2_S, kHalf * 15.5F * 0.25F * 43, true},
    {TensorType::IQ2_K, kHalf * 8 * 31, true},
    {TensorType::IQ2_XS, kHalf * 15.5F * 0.25F * 43, true},
    {TensorType::IQ2_KS, kHalf * 16 * 31, true},
    {TensorType::IQ2_XXS, kHalf * 15.5F * 0.25F * 43, true},
    {TensorType::TQ2_0, kHalf},
    {TensorType::IQ1_M, kHalf * 15 * 1.125F, true},
    {TensorType::TQ1_0, kHalf},
    {TensorType::IQ1_S, kHalf * 15 * 1.125F, true},
});

constexpr auto kEncodableTypes = [] {
    std::array<TensorType, kEncodable.size()> types{};
    std::ranges::transform(kEncodable, types.begin(), &EncodableRow::type);
    return types;
}();

const EncodableRow* findEncodable(std::uint32_t typeId) {
    const auto* row =
        std::ranges::find(kEncodable, typeId, [](const EncodableRow& t) { return static_cast<std::uint32_t>(t.type); });
    return row != kEncodable.end() ? row : nullptr;
}

std::string text(float value) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

std::unexpected<Error> invalid(Argument why) { return fail(ErrorCode::InvalidArgument, {}, {std::move(why)}); }

// Whether no magnitude exceeds `largest`, and none is NaN.
bool allWithin(std::span<const float> weights, float largest) {
    constexpr std::size_t kTogether = 64; // a constant number, so that GCC 12 vectorises the loop at -O2
    std::size_t at = 0;
    for (; weights.size() - at >= kTogether; at += kTogether) {
        const float* piece = weights.data() + at;
        int outside = 0;
        for (std::size_t i = 0; i < kTogether; ++i) {
            outside |= std::abs(piece[i]) <= largest ? 0 : 1; // not so for NaN
        }
        if (outside != 0) {
            return false;
        }
    }
    return std::ranges::all_of(weights.subspan(at), [&](float w) { return std::abs(w) <= largest; });
}

// Returns the first weight that cannot be encoded as an error.
Result<> checkWeights(const EncodableRow& row, const TensorTypeFact& type, std::span<const float> weights) {
    const bool blocks = type.kind == TensorTypeKind::Quantised;
    if (allWithin(weights, row.largest)) {
        return {};
    }
    const auto outside = [&](float w) { return !(std::abs(w) <= row.largest) && (blocks || std::isfinite(w)); };
    const auto bad = std::ranges::find_if(weights, outside);
    if (bad == weights.end()) { // NaN or infinite, which a float type may be
        return {};
    }
    return fail(ErrorCode::WeightOutOfRange, Place::tensor({}, static_cast<std::uint64_t>(bad - weights.begin())),
                {std::string(type.name), text(*bad)});
}

// Divides the importance by its mean. A column that was never used still has a small importance, so that its weights
// stay close to the original.
Result<std::vector<float>> normalised(std::span<const float> importance) {
    constexpr double kFloor = 1e-3;
    double sum = 0;
    for (const float value : importance) {
        if (!std::isfinite(value) || value < 0) {
            return invalid(Detail::ImportanceInvalid);
        }
        sum += value;
    }
    std::vector<float> result(importance.size(), 1.0F);
    if (sum > 0) {
        const double mean = sum / static_cast<double>(importance.size());
        std::ranges::transform(importance, result.begin(),
                               [&](float value) { return static_cast<float>(value / mean + kFloor); });
    }
    return result;
}

double weightedError(std::span<const float> weights, const float* decoded, std::span<const float> importance) {
    double error = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double rest = static_cast<double>(weights[i]) - static_cast<double>(decoded[i]);
        error += static_cast<double>(importance[i]) * rest * rest;
    }
    return error;
}

// Encodes rows that have a header. With importance, each is also encoded without, and the encoding with the smaller
// weighted error is kept. All blocks of a row depend on its header, so they are kept together.
Result<> encodeWithHeaders(const TensorTypeFact& type, const EncodeRequest& request, std::span<const float> rows,
                           std::span<std::byte> out) {
    const Kernels::Encode encode = activeKernels().encode[type.id];
    const Kernels::DecodeInRow decode = activeKernels().decodeInRow[type.id];
    const std::size_t blocks = request.columns / type.blockSize;
    const std::uint64_t rowBytes = encodedBytes(type.id, request.columns, request.columns);
    const auto importance = GUFO_TRY(normalised(request.importance));
    std::vector<std::byte> plain(importance.empty() ? 0 : rowBytes);
    std::vector<float> values(importance.empty() ? 0 : request.columns);
    for (std::size_t at = 0; at < rows.size(); at += request.columns) {
        const auto weights = rows.subspan(at, request.columns);
        const auto to = out.subspan(at / request.columns * rowBytes, rowBytes);
        const auto errorOf = [&](std::span<const std::byte> bytes) {
            decode(bytes.data(), bytes.data() + type.rowHeaderBytes, blocks, values.data());
            return weightedError(weights, values.data(), request.importance);
        };
        if (importance.empty()) {
            encode(weights.data(), blocks, nullptr, 0, to.data());
            continue;
        }
        encode(weights.data(), blocks, importance.data(), importance.size(), to.data());
        encode(weights.data(), blocks, nullptr, 0, plain.data());
        if (errorOf(plain) <= errorOf(to)) {
            std::ranges::copy(plain, to.begin());
        }
    }
    return {};
}

// Keeps the encoding with the smaller weighted error for each block. `out` holds the encoding with importance.
void keepBetter(const TensorTypeFact& type, std::span<const float> rows, std::span<const float> importance,
                Kernels::Encode encode, std::span<std::byte> out) {
    constexpr std::size_t kChunk = 4096; // weights; a multiple of every block size
    const Kernels::Decode decode = activeKernels().decode[type.id];
    std::vector<std::byte> plain(blocksBytes(type, kChunk));
    std::vector<float> values(kChunk);
    std::vector<float> plainValues(kChunk);
    for (std::size_t at = 0; at < rows.size(); at += kChunk) {
        const std::size_t blocks = std::min(kChunk, rows.size() - at) / type.blockSize;
        std::byte* to = out.data() + blocksBytes(type, at);
        encode(rows.data() + at, blocks, nullptr, 0, plain.data());
        decode(to, blocks, values.data());
        decode(plain.data(), blocks, plainValues.data());
        for (std::size_t b = 0; b < blocks; ++b) {
            const std::size_t first = b * type.blockSize;
            const auto weights = rows.subspan(at + first, type.blockSize);
            const auto counts = importance.subspan((at + first) % importance.size(), type.blockSize);
            if (weightedError(weights, plainValues.data() + first, counts) <=
                weightedError(weights, values.data() + first, counts)) {
                const std::size_t place = blocksBytes(type, first);
                std::copy_n(plain.data() + place, type.blockBytes, to + place);
            }
        }
    }
}

} // namespace

bool isEncodable(std::uint32_t typeId) { return findEncodable(typeId) != nullptr; }

bool needsImportance(std::uint32_t typeId) {
    const EncodableRow* row = findEncodable(typeId);
    return row != nullptr && row->needsImportance;
}

std::span<const TensorType> encodableTypes() { return kEncodableTypes; }

std::uint64_t encodedBytes(std::uint32_t typeId, std::uint64_t columns, std::uint64_t weights) {
    const TensorTypeFact& type = *findTensorType(typeId);
    const std::uint64_t headers = type.rowHeaderBytes == 0 || columns == 0 ? 0 : weights / columns;
    return blocksBytes(type, weights) + headers * type.rowHeaderBytes;
}

Result<> encode(const EncodeRequest& request, std::span<const float> rows, std::span<std::byte> out) {
    const EncodableRow* row = findEncodable(request.typeId);
    const TensorTypeFact* type = findTensorType(request.typeId);
    if (row == nullptr) {
        return fail(ErrorCode::NotEncodable, {},
                    {type != nullptr ? Argument(type->name) : Argument(Detail::TensorTypeNumber, {request.typeId})});
    }
    if (request.columns == 0 || request.columns % type->blockSize != 0) {
        return invalid({Detail::RowNotWholeBlocks, {request.columns, type->name, type->blockSize}});
    }
    if (rows.size() % request.columns != 0 ||
        out.size() != encodedBytes(request.typeId, request.columns, rows.size()) ||
        (!request.importance.empty() && request.importance.size() != request.columns)) {
        return invalid(Detail::SizesDisagree);
    }
    GUFO_TRY(checkWeights(*row, *type, rows));
    if (row->type == TensorType::F32) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            store(out.data() + 4 * i, rows[i]);
        }
        return {};
    }
    const Kernels::Encode blocks = activeKernels().encode[request.typeId];
    if (type->rowHeaderBytes != 0) {
        return encodeWithHeaders(*type, request, rows, out);
    }
    if (request.importance.empty() || type->kind != TensorTypeKind::Quantised) {
        blocks(rows.data(), rows.size() / type->blockSize, nullptr, 0, out.data());
        return {};
    }
    const auto importance = GUFO_TRY(normalised(request.importance));
    blocks(rows.data(), rows.size() / type->blockSize, importance.data(), importance.size(), out.data());
    keepBetter(*type, rows, request.importance, blocks, out);
    return {};
}

} // namespace gufo
