#include "formats/gguf/write/conversion.h"

#include "formats/gguf/read/reader.h"
#include "model/array_index.h"
#include "tensor/decode.h"

#include <algorithm>
#include <limits>

namespace gufo::gguf {
namespace {

std::unexpected<Error> impossible(Place place, std::string what) {
    return fail(ErrorCode::NotSupported, std::move(place), {std::move(what)});
}

// Whether base has the key with a value of the same type: then the file has what its version should not, and keeps it.
bool hadSuch(const Model& base, const KeyValue& entry) {
    const Value* value = base.metadata.find(entry.key);
    if (value == nullptr || value->index() != entry.value.index()) {
        return false;
    }
    const ArrayView* before = asArray(*value);
    return before == nullptr || before->elementType == asArray(entry.value)->elementType;
}

constexpr std::uint64_t kMaxLengthOfVersion1 = std::numeric_limits<std::uint32_t>::max();

// What keeps the value from being written in a version of GGUF: "a value of type u64", "a length over 2^32"; empty if
// nothing does.
std::string obstacleOf(const Value& value, std::uint32_t version) {
    const auto tooLong = [&](std::uint64_t length) { return version == 1 && length > kMaxLengthOfVersion1; };
    const auto typeObstacle = [&](ValueType type) {
        const ValueTypeInfo& info = valueTypeInfo(type);
        return info.sinceVersion > version
                   ? "a value of type " + std::string(info.name) + " in version " + std::to_string(version)
                   : std::string();
    };
    if (const auto text = asString(value)) {
        return tooLong(text->size()) ? "a string of more than 2^32 bytes in version 1" : "";
    }
    const ArrayView* array = asArray(value);
    if (array == nullptr) {
        return typeObstacle(typeOf(value));
    }
    if (tooLong(array->length)) {
        return "an array of more than 2^32 elements in version 1";
    }
    const bool holdsLengths = valueTypeInfo(array->elementType).bytes == 0; // strings or arrays
    std::string obstacle = typeObstacle(array->elementType);
    if (obstacle.empty() && version == 1 && holdsLengths && array->layout.lengths == ValueLayout::Lengths::U64) {
        forEachElement(*array, [&](std::uint64_t, const Value& element) {
            obstacle = obstacleOf(element, version);
            return obstacle.empty();
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
        return fail(ErrorCode::UnsupportedVersion, {}, {std::to_string(target.version)});
    }
    const bool sameVersion = target.version == base.version;
    const bool swaps = target.byteOrder != edited.byteOrder;
    if (target.byteOrder == ByteOrder::Big && target.version < 3 && (swaps || !sameVersion)) {
        return impossible({}, "big-endian files have version 3 or later");
    }
    for (const KeyValue& entry : edited.metadata) {
        const std::string obstacle = obstacleOf(entry.value, target.version);
        if (!obstacle.empty() && !(sameVersion && hadSuch(base, entry))) {
            return impossible(Place::key(std::string(entry.key)), obstacle);
        }
    }
    for (const TensorInfo& tensor : edited.tensors) {
        const auto place = [&] { return Place::tensor(std::string(tensor.name)); };
        if (swaps && !isDecodable(tensor.typeId)) {
            return impossible(place(), "the byte order of " + tensor.typeName() + " data is not known");
        }
        if (target.version == 1 && std::ranges::any_of(tensor.shape.dims(), [](std::uint64_t dim) {
                return dim > std::numeric_limits<std::uint32_t>::max();
            })) {
            return impossible(place(), "a dimension over 2^32 in version 1");
        }
    }
    return {};
}

Result<> passTensor(std::uint32_t typeId, Bytes bytes, bool swap, const Sink& out, const JobContext& job) {
    constexpr std::uint64_t kPiece = 4 << 20;
    const TensorTypeInfo* type = findTensorType(typeId);
    const std::uint64_t piece = swap && type != nullptr ? kPiece / type->blockBytes * type->blockBytes : kPiece;
    std::vector<std::byte> swapped;
    while (!bytes.empty()) {
        if (job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        const Bytes part = bytes.first(std::min<std::uint64_t>(piece, bytes.size()));
        bytes = bytes.subspan(part.size());
        if (!swap) {
            if (auto passed = out(part); !passed) {
                return passed;
            }
            continue;
        }
        swapped.resize(part.size());
        if (auto done = swapByteOrder(typeId, part, swapped); !done) {
            return done;
        }
        if (auto passed = out(swapped); !passed) {
            return passed;
        }
    }
    return {};
}

} // namespace gufo::gguf
