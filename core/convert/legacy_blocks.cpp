#include "convert/legacy_blocks.h"

#include "base/byte_order.h"
#include "base/detail.h"
#include "base/try.h"
#include "convert/encoded_values.h"
#include "tensor/decode.h"
#include "tensor/float_formats.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gufo::convert {
namespace {

constexpr std::uint64_t kPieceWeights = 1U << 16U; // few enough for a quick cancel

// The layout of a block: the numbers (scale, minimum), the fifth bits of types of 5 bits, and the other bits of the
// codes.
struct LegacyTypeRow {
    TensorType from;
    TensorType to;
    std::size_t floats = 0;      // numbers of 4 bytes at the start, which become f16
    std::size_t kept = 0;        // bytes after them that stay: numbers of 2 bytes and fifth bits
    std::size_t nibbleBytes = 0; // codes of 4 bits that splitPairs() rearranges
    std::size_t codeBytes = 0;   // codes that stay
};
constexpr auto kTypes = std::to_array<LegacyTypeRow>({
    {.from = TensorType::Q4_0_GGJT1, .to = TensorType::Q4_0, .floats = 1, .nibbleBytes = 16},
    {.from = TensorType::Q4_1_GGJT1, .to = TensorType::Q4_1, .floats = 2, .nibbleBytes = 16},
    {.from = TensorType::Q5_0_GGJT1, .to = TensorType::Q5_0, .kept = 6, .nibbleBytes = 16},
    {.from = TensorType::Q5_1_GGJT1, .to = TensorType::Q5_1, .kept = 8, .nibbleBytes = 16},
    {.from = TensorType::Q8_0_GGJT1, .to = TensorType::Q8_0, .floats = 1, .codeBytes = 32},
    {.from = TensorType::Q4_0_GGJT2, .to = TensorType::Q4_0, .floats = 1, .codeBytes = 16},
    {.from = TensorType::Q4_1_GGJT2, .to = TensorType::Q4_1, .floats = 2, .codeBytes = 16},
});

const LegacyTypeRow* findLegacy(std::uint32_t typeId) {
    const auto* row =
        std::ranges::find(kTypes, typeId, [](const LegacyTypeRow& t) { return static_cast<std::uint32_t>(t.from); });
    return row != kTypes.end() ? row : nullptr;
}

Result<> repackBlock(const LegacyTypeRow& type, const std::byte* in, std::byte* out) {
    for (std::size_t i = 0; i < type.floats; ++i, in += 4, out += 2) {
        const float scale = load<float>(in);
        const std::uint16_t half = halfFromFloat(scale);
        if (std::isfinite(scale) && !std::isfinite(floatFromHalf(half))) {
            return fail(ErrorCode::WeightOutOfRange, {}, {tensorTypeFact(type.to).name, std::to_string(scale)});
        }
        store(out, half);
    }
    out = std::copy_n(in, type.kept, out);
    in += type.kept;
    splitPairs(in, type.nibbleBytes, out);
    std::copy_n(in + type.nibbleBytes, type.codeBytes, out + type.nibbleBytes);
    return {};
}

class LegacyBlocks final : public RepackedValues {
public:
    LegacyBlocks(const Model& model, const TensorInfo& tensor, Bytes bytes, const LegacyTypeRow* legacy)
        : RepackedValues(model, tensor, tensor.shape,
                         legacy != nullptr ? tensorTypeFact(legacy->to) : *findTensorType(tensor.typeId))
        , m_bytes(bytes)
        , m_legacy(legacy)
        , m_from(*findTensorType(tensor.typeId)) {}

    Result<> encoded(std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const override {
        const Bytes blocks = m_bytes.subspan(blocksBytes(m_from, first), blocksBytes(m_from, count));
        if (m_legacy == nullptr) {
            std::ranges::copy(blocks, out.begin());
            return {};
        }
        for (std::uint64_t i = 0; i < count / m_from.blockSize; ++i) {
            GUFO_TRY(
                repackBlock(*m_legacy, blocks.data() + i * m_from.blockBytes, out.data() + i * blockType().blockBytes));
        }
        return {};
    }

private:
    Bytes m_bytes;
    const LegacyTypeRow* m_legacy; // null: the blocks stay
    const TensorTypeFact& m_from;
};

} // namespace

std::optional<TensorType> typeOfLegacy(std::uint32_t typeId) {
    if (const LegacyTypeRow* legacy = findLegacy(typeId)) {
        return legacy->to;
    }
    const TensorTypeFact* type = findTensorType(typeId);
    return type != nullptr && type->origin == TensorTypeOrigin::Ggml && isDecodable(typeId)
               ? std::optional(static_cast<TensorType>(typeId))
               : std::nullopt;
}

bool roundsScales(std::uint32_t typeId) {
    const LegacyTypeRow* legacy = findLegacy(typeId);
    return legacy != nullptr && legacy->floats != 0;
}

Result<ValuesPtr> legacyBlocks(const Model& model, TensorIndex index) {
    const TensorInfo& tensor = model.tensor(index);
    const Place place = Place::tensor(std::string(tensor.name));
    if (!typeOfLegacy(tensor.typeId)) {
        return fail(ErrorCode::NotSupported, place, {Argument(Detail::QuantisationUnknown, {tensor.typeName()})});
    }
    if (!tensor.complete()) {
        return fail(ErrorCode::Truncated, place, {tensor.name, tensor.bytes.value_or(0), tensor.bytesPresent});
    }
    const auto bytes = GUFO_TRY(model.bytesOf(tensor));
    return std::make_unique<LegacyBlocks>(model, tensor, bytes, findLegacy(tensor.typeId));
}

Result<double> legacyLoss(const Model& model, TensorIndex index, const JobContext& job) {
    const TensorInfo& tensor = model.tensor(index);
    const auto before = GUFO_TRY(model.rowsOf(tensor));
    const auto after = GUFO_TRY(legacyBlocks(model, index));
    const std::uint64_t weights = tensor.weights();
    std::vector<float> a(std::min(weights, kPieceWeights));
    std::vector<float> b(a.size());
    double loss = 0;
    for (std::uint64_t first = 0; first < weights; first += a.size()) {
        GUFO_TRY(job.check());
        const std::size_t count = std::min<std::uint64_t>(a.size(), weights - first);
        auto read = decode(before, first, std::span(a).first(count));
        read = read ? after->values(first, std::span(b).first(count)) : read;
        if (!read) {
            Error error = std::move(read).error();
            error.place = Place::tensor(std::string(tensor.name));
            return std::unexpected(std::move(error));
        }
        for (std::size_t i = 0; i < count; ++i) {
            loss = std::max(loss, std::abs(double{a[i]} - double{b[i]}));
        }
        job.advance(count);
    }
    return loss;
}

} // namespace gufo::convert
