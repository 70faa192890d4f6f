#include "formats/gguf/write/contents.h"

#include "base/detail.h"
#include "formats/gguf/read/reader.h"
#include "formats/gguf/read/shards.h"
#include "model/array_index.h"
#include "model/change.h"
#include "model/encode_value.h"
#include "model/model.h"
#include "tensor/decode.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace gufo::gguf {
namespace {

// Checks whether a model can be written in a version and byte order.
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
        const ValueTypeFact& info = valueTypeFact(type);
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
    const bool holdsLengths = valueTypeFact(array->elementType).bytes == 0; // strings or arrays
    std::optional<Argument> obstacle = typeObstacle(array->elementType);
    if (!obstacle && version == 1 && holdsLengths && array->layout.lengths == ValueLayout::Lengths::U64) {
        forEachElement(*array, [&](std::uint64_t, const Value& element) {
            obstacle = obstacleOf(element, version);
            return !obstacle.has_value();
        });
    }
    return obstacle;
}

ValueLayout layoutFor(const SaveTarget& target) {
    return {.order = target.byteOrder,
            .lengths = target.version == 1 ? ValueLayout::Lengths::U32 : ValueLayout::Lengths::U64,
            .arrayHead = ValueLayout::ArrayHead::TypeFirst};
}

// Errors, with the place: UnsupportedVersion; NotSupported for big-endian before version 3, a value whose type the
// version does not have, a length that does not fit, and, if the byte order changes, tensors of a type whose fields are
// unknown. Entries that `base` already contains in that version and byte order are accepted.
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

constexpr std::string_view kTensorCountKey = "split.tensors.count";
constexpr std::string_view kAlignmentKey = "general.alignment";
constexpr std::uint32_t kUsualAlignment = 32;

bool same(const Value& a, const Value& b) {
    std::vector<std::byte> left;
    std::vector<std::byte> right;
    return a.index() == b.index() && appendValue(left, a, {}) && appendValue(right, b, {}) && left == right;
}

// Returns the number as a value of the same type as `like`.
Value withNumber(const Value& like, std::uint64_t number) {
    return std::visit(
        [&]<typename T>(const T& old) -> Value {
            if constexpr (std::is_integral_v<T>) {
                return static_cast<T>(number);
            } else {
                return old;
            }
        },
        like);
}

// The keys of one of several shards. The joined model does not show all of them: it omits keys that a later shard
// repeats, and the keys that number the shards. A repeated key follows the key that it repeats.
std::vector<ContentKey> keysOfShard(const Model& base, const Model& edited, FileIndex file, const Model& shard) {
    std::vector<ContentKey> shown;
    for (const KeyValue& entry : edited.metadata) {
        if (entry.file == file) {
            shown.push_back({entry.key, entry.value});
        }
    }
    std::vector<ContentKey> keys;
    auto next = shown.begin();
    for (const KeyValue& shardEntry : shard.metadata) {
        const auto joined = base.metadata.indexOf(shardEntry.key);
        if (joined && base.metadata[*joined].file == file) {
            if (next != shown.end()) {
                keys.push_back(*next++);
            }
            continue;
        }
        const Value* before = joined ? &base.metadata[*joined].value : nullptr;
        const bool follows =
            before != nullptr && !shardEntry.key.starts_with(kSplitPrefix) && same(*before, shardEntry.value);
        const Value* now = follows ? edited.metadata.find(shardEntry.key) : &shardEntry.value;
        if (now != nullptr) {
            keys.push_back({shardEntry.key, *now});
        }
    }
    keys.insert(keys.end(), next, shown.end());
    return keys;
}

// Updates the total number of tensors, which every shard stores, unless an edit changed it.
void countTensors(std::vector<ContentKey>& keys, std::size_t before, std::size_t now) {
    for (ContentKey& entry : keys) {
        if (entry.key == kTensorCountKey && asUInt(entry.value) == before) {
            entry.value = withNumber(entry.value, now);
        }
    }
}

void takeReservedOut(ShardContent& shard) {
    const ArrayView* before = shard.base->metadata.array(kReservedKey);
    shard.hadReserved = before != nullptr && before->elementType == ValueType::UInt8;
    shard.unreservedOffset = shard.hadReserved ? unreservedOffsetIn(*before).value_or(0) : 0;
    auto& keys = shard.content.keys;
    const auto found = std::ranges::find(keys, kReservedKey, &ContentKey::key);
    const ArrayView* now = found != keys.end() ? asArray(found->value) : nullptr;
    shard.keepsReserved = now != nullptr && now->elementType == ValueType::UInt8;
    if (shard.keepsReserved) {
        shard.content.reservedPosition = static_cast<std::size_t>(found - keys.begin());
        keys.erase(found);
    }
}

std::unexpected<Error> incomplete(const Model& model, const TensorInfo& tensor) {
    const std::uint64_t missing = tensor.bytes.value_or(0) - tensor.bytesPresent;
    const Place place = Place::tensor(std::string(tensor.name));
    auto error = tensor.bytes ? fail(ErrorCode::TensorIncomplete, place, {missing})
                              : fail(ErrorCode::NotSupported, place, {Detail::TensorSizeUnknown});
    error.error().file = model.files[tensor.file.value].path;
    return error;
}

// Keeps the offsets of the tensors of a frozen shard. Fails if edits moved or imported tensors.
Result<> freeze(ShardContent& shard, const Model& edited) {
    const SharedVector<TensorInfo>& before = shard.base->tensors;
    auto& now = shard.content.tensors;
    for (std::size_t i = 0; i < std::max(before.size(), now.size()); ++i) {
        const bool stays = i < before.size() && i < now.size() && now[i].source == shard.file &&
                           now[i].sourceOffset == before[i].offset && now[i].typeId == before[i].typeId;
        if (!stays) {
            return incomplete(edited, *std::ranges::find_if(edited.tensors, std::not_fn(&TensorInfo::complete)));
        }
        now[i].offset = before[i].declaredOffset;
    }
    return {};
}

} // namespace

std::uint32_t alignmentOf(std::span<const ContentKey> keys) {
    const auto found = std::ranges::find(keys, kAlignmentKey, &ContentKey::key);
    const auto* stored = found != keys.end() ? std::get_if<std::uint32_t>(&found->value) : nullptr;
    return stored != nullptr && *stored != 0 ? *stored : kUsualAlignment;
}

ContentTensor contentTensor(const TensorInfo& tensor) {
    return {.name = tensor.name,
            .typeId = tensor.typeId,
            .shape = tensor.shape,
            .bytes = tensor.bytes.value_or(0),
            .offset = 0,
            .source = tensor.file,
            .sourceOffset = tensor.offset};
}

Result<std::vector<ShardContent>> contentsOf(const Model& base, const Model& edited, const SaveTarget& target) {
    GUFO_TRY(checkConversion(base, edited, target));
    const std::size_t count = base.shardCount();
    const bool allChange = target.version != base.version || target.byteOrder != base.byteOrder ||
                           edited.tensors.size() != base.tensors.size();
    std::vector<ShardContent> shards;
    std::vector<std::size_t> place(count, count); // maps the number of a file to its index in `shards`
    for (std::size_t i = 0; i < count; ++i) {
        const ModelFile& file = base.files[i];
        if (file.source == nullptr) {
            if (allChange) {
                return std::unexpected(Error{ErrorCode::FileNotFound, file.path, {}, {}, 0});
            }
            continue;
        }
        ShardContent shard;
        shard.file = FileIndex(i);
        if (count == 1) {
            shard.base = std::shared_ptr<const Model>(&base, [](const Model*) {}); // does not own; lives as long as the
                                                                                   // caller's model
            for (const KeyValue& entry : edited.metadata) {
                shard.content.keys.push_back({entry.key, entry.value});
            }
        } else {
            shard.base = GUFO_TRY(read(file.source));
            shard.content.keys = keysOfShard(base, edited, shard.file, *shard.base);
            countTensors(shard.content.keys, base.tensors.size(), edited.tensors.size());
        }
        takeReservedOut(shard);
        shard.content.version = target.version;
        shard.content.layout = layoutFor(target);
        shard.content.alignment = alignmentOf(shard.content.keys);
        place[i] = shards.size();
        shards.push_back(std::move(shard));
    }
    for (std::size_t i = 0; i < edited.tensors.size(); ++i) {
        const TensorInfo& tensor = edited.tensors[i];
        const std::size_t to = place[edited.shardOf(TensorIndex(i)).value];
        if (to == count) {
            continue; // the tensor is in a missing shard, which stays as it is
        }
        shards[to].frozen = shards[to].frozen || !tensor.complete();
        shards[to].content.tensors.push_back(contentTensor(tensor));
    }
    for (ShardContent& shard : shards) {
        shard.content.layOut();
        GUFO_TRY(shard.frozen ? freeze(shard, edited) : Result<>());
    }
    return shards;
}

Result<FileContent> joinedContent(const Model& edited, const SaveTarget& target) {
    GUFO_TRY(checkConversion(edited, edited, target));
    for (const ModelFile& file : edited.files) {
        if (file.source == nullptr) { // the result would silently lack this shard
            return std::unexpected(Error{ErrorCode::FileNotFound, file.path, {}, {}, 0});
        }
    }
    FileContent content;
    content.version = target.version;
    content.layout = layoutFor(target);
    // A model may also be "split" into one file.
    const bool joins = edited.shardCount() > 1 || edited.metadata.uint("split.count") == 1;
    for (const KeyValue& entry : edited.metadata) {
        if (entry.key != kReservedKey && !(joins && entry.key.starts_with(kSplitPrefix))) {
            content.keys.push_back({entry.key, entry.value});
        }
    }
    content.alignment = alignmentOf(content.keys);
    for (const TensorInfo& tensor : edited.tensors) {
        if (!tensor.complete()) {
            return incomplete(edited, tensor);
        }
        content.tensors.push_back(contentTensor(tensor));
    }
    content.layOut();
    return content;
}

} // namespace gufo::gguf
