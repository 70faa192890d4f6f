#include "formats/gguf/write/conversion.h"

#include "base/detail.h"
#include "formats/gguf/read/reader.h"
#include "model/array_index.h"
#include "tensor/decode.h"

#include <algorithm>
#include <limits>

namespace gufo::gguf {
namespace {

std::unexpected<Error> impossible(Place place, Argument why) {
    return fail(ErrorCode::NotSupported, std::move(place), {std::move(why)});
}

// Whether `base` has the key with a value of the same type. The file then already violates its version and may keep the
// value.
bool hadSuch(const Model& base, const KeyValue& entry) {
    const Value* value = base.metadata.find(entry.key);
    if (value == nullptr || value->index() != entry.value.index()) {
        return false;
    }
    const ArrayView* before = asArray(*value);
    return before == nullptr || before->elementType == asArray(entry.value)->elementType;
}

constexpr std::uint64_t kMaxLengthOfVersion1 = std::numeric_limits<std::uint32_t>::max();

// The reason why a value cannot be written in a version of GGUF: a newer value type, or a length of 2^32 or more.
std::optional<Argument> obstacleOf(const Value& value, std::uint32_t version) {
    const auto tooLong = [&](std::uint64_t length) { return version == 1 && length > kMaxLengthOfVersion1; };
    const auto typeObstacle = [&](ValueType type) -> std::optional<Argument> {
        const ValueTypeInfo& info = valueTypeInfo(type);
        if (info.sinceVersion > version) {
            return Argument(Detail::TypeAfterVersion, {info.name, version});
        }
        return std::nullopt;
    };
    if (const auto text = asString(value)) {
        return tooLong(text->size()) ? std::optional<Argument>(Detail::StringTooLongForV1) : std::nullopt;
    }
    const ArrayView* array = asArray(value);
    if (array == nullptr) {
        return typeObstacle(typeOf(value));
    }
    if (tooLong(array->length)) {
        return Detail::ArrayTooLongForV1;
    }
    const bool holdsLengths = valueTypeInfo(array->elementType).bytes == 0; // strings or arrays
    std::optional<Argument> obstacle = typeObstacle(array->elementType);
    if (!obstacle && version == 1 && holdsLengths && array->layout.lengths == ValueLayout::Lengths::U64) {
        forEachElement(*array, [&](std::uint64_t, const Value& element) {
            obstacle = obstacleOf(element, version);
            return !obstacle.has_value();
        });
    }
    return obstacle;
}

} // namespace

ValueLayout layoutFor(const SaveTarget& target) {
    return {.order = target.byteOrder,
            .lengths = target.version == 1 ? ValueLayout::Lengths::U32 : ValueLayout::Lengths::U64,
            .arrayHead = ValueLayout::ArrayHead::TypeFirst};
}

Result<> checkConversion(const Model& base, const Model& edited, const SaveTarget& target) {
    if (target.version == 0 || target.version > kMaxVersion) {
        return fail(ErrorCode::UnsupportedVersion, {}, {target.version});
    }
    const bool sameVersion = target.version == base.version;
    const bool swaps = target.byteOrder != edited.byteOrder;
    if (target.byteOrder == ByteOrder::Big && target.version < 3 && (swaps || !sameVersion)) {
        return impossible({}, Detail::BigEndianVersion);
    }
    for (const KeyValue& entry : edited.metadata) {
        auto obstacle = obstacleOf(entry.value, target.version);
        if (obstacle && !(sameVersion && hadSuch(base, entry))) {
            return impossible(Place::key(std::string(entry.key)), *std::move(obstacle));
        }
    }
    for (const TensorInfo& tensor : edited.tensors) {
        const auto place = [&] { return Place::tensor(std::string(tensor.name)); };
        if (swaps && (!isDecodable(tensor.typeId) || tensor.bytesDerived)) {
            return impossible(place(), {Detail::ByteOrderUnknown, {tensor.typeName()}});
        }
        if (target.version == 1 && std::ranges::any_of(tensor.shape.dims(), [](std::uint64_t dim) {
                return dim > std::numeric_limits<std::uint32_t>::max();
            })) {
            return impossible(place(), Detail::DimensionTooLargeForV1);
        }
    }
    return {};
}

} // namespace gufo::gguf
