#include "document/save_rules.h"

#include "base/detail.h"
#include "base/utf8.h"
#include "formats/container/container.h"
#include "formats/gguf/read/reader_limits.h"
#include "model/encode_value.h"

#include <algorithm>
#include <array>
#include <bit>

namespace gufo::edit {
namespace {

constexpr std::string_view kAlignment = "general.alignment";
constexpr std::string_view kSplitCount = "split.count";
constexpr auto kSplitKeys = std::to_array<std::string_view>({"split.no", kSplitCount, "split.tensors.count"});

std::unexpected<Error> refuse(Place place, Argument why) {
    return fail(ErrorCode::InvalidArgument, std::move(place), {std::move(why)});
}

bool isSplitKey(std::string_view key) { return std::ranges::find(kSplitKeys, key) != kSplitKeys.end(); }

bool isPartOfSet(const Model& model) {
    return model.shardCount() > 1 || model.metadata.uint(kSplitCount).value_or(0) > 1;
}

Result<> checkAlignment(const Value& value) {
    const auto* alignment = std::get_if<std::uint32_t>(&value);
    if (alignment == nullptr) {
        return fail(ErrorCode::WrongValueType, Place::key(std::string(kAlignment)),
                    {valueTypeFact(ValueType::UInt32).name, valueTypeFact(typeOf(value)).name});
    }
    if (*alignment < 8 || !std::has_single_bit(*alignment)) {
        return refuse(Place::key(std::string(kAlignment)), Detail::AlignmentInvalid);
    }
    return {};
}

// Returns the version that introduced the newest type in the value.
std::uint32_t sinceVersion(const Value& value) {
    const ArrayView* array = asArray(value);
    return array != nullptr ? valueTypeFact(array->elementType).sinceVersion
                            : valueTypeFact(typeOf(value)).sinceVersion;
}

Result<> checkVersion(std::uint32_t version, std::string_view key, const Value& value) {
    if (sinceVersion(value) > version) {
        return refuse(Place::key(std::string(key)), {Detail::No64BitValues, {version}});
    }
    return {};
}

// Whether the file has the key with this value.
bool isInBase(const State& state, std::string_view key, const Value& value) {
    return std::ranges::any_of(state.baseKeys(key), [&](KvIndex at) {
        return OwnedValue::sameValue(state.base()->metadata[at].value, value);
    });
}

// Whether the value would call the file a part of a set that the other keys do not describe.
bool isPartWithoutNumber(const State& state, std::string_view key, const Value& value) {
    return key == kSplitCount && asUInt(value).value_or(0) > 1 &&
           std::ranges::any_of(kSplitKeys, [&](std::string_view other) {
               return other != kSplitCount && state.keys().find(other) == nullptr;
           });
}

Result<> checkNewKey(const State& state, const std::string& key, const Value& value) {
    const Place place = Place::key(key);
    if (key.empty()) {
        return refuse(place, Detail::KeyNameEmpty);
    }
    if (key.size() > gguf::kMaxKeyBytes) {
        return refuse(place, {Detail::KeyNameTooLong, {gguf::kMaxKeyBytes, key.size()}});
    }
    if (const ArrayView* array = asArray(value); array != nullptr && !isWellFormed(*array, gguf::kMaxArrayDepth)) {
        return refuse(place, {Detail::ArrayDamagedOrDeep, {gguf::kMaxArrayDepth}});
    }
    if (!capabilitiesOf(*state.base()).has(Capability::TypedValues)) {
        return {}; // the rules below are for GGUF
    }
    if (key == kAlignment) {
        return checkAlignment(value);
    }
    if ((isSplitKey(key) && isPartOfSet(*state.base())) || isPartWithoutNumber(state, key, value)) {
        return refuse(place, Detail::SplitKey);
    }
    return checkVersion(state.target().version, key, value);
}

} // namespace

bool mayRepeat(const State& state, const std::string& key) {
    const std::size_t there = state.countBaseKeys(key);
    return there > 0 && state.keys().find(key, there - 1) == nullptr;
}

bool mayRepeatTensor(const State& state, const std::string& name) {
    const std::size_t there = state.countBaseTensors(name);
    return there > 0 && state.tensors().find(name, there - 1) == nullptr;
}

Result<> checkKey(const State& state, const std::string& key, const Value& value) {
    auto fits = checkNewKey(state, key, value);
    return fits || isInBase(state, key, value) ? Result<>() : fits;
}

Result<> checkKeyMayGo(const State& state, const std::string& key) {
    if (isSplitKey(key) && isPartOfSet(*state.base())) {
        return refuse(Place::key(key), Detail::SplitKey);
    }
    return {};
}

Result<> checkElement(const ArrayPath& array, const Value& value) {
    const ArrayView* nested = asArray(value);
    const std::size_t above = array.indices.size() + 1;
    if (nested != nullptr && (above >= gguf::kMaxArrayDepth ||
                              !isWellFormed(*nested, gguf::kMaxArrayDepth - static_cast<unsigned>(above)))) {
        return refuse(Place::key(array.key), {Detail::ArrayDamagedOrDeep, {gguf::kMaxArrayDepth}});
    }
    return {};
}

Result<> checkElements(const ArrayPath& array, const Value& elements) {
    const ArrayView* view = asArray(elements);
    if (view == nullptr) {
        return fail(ErrorCode::WrongValueType, Place::key(array.key),
                    {valueTypeFact(ValueType::Array).name, valueTypeFact(typeOf(elements)).name});
    }
    const std::size_t above = array.indices.size();
    if (above >= gguf::kMaxArrayDepth || !isWellFormed(*view, gguf::kMaxArrayDepth - static_cast<unsigned>(above))) {
        return refuse(Place::key(array.key), {Detail::ArrayDamagedOrDeep, {gguf::kMaxArrayDepth}});
    }
    return {};
}

Result<> checkTensorName(const State& state, const std::string& name) {
    const Place place = Place::tensor(name);
    if (state.tensors().find(name) != nullptr && !mayRepeatTensor(state, name)) {
        return refuse(place, Detail::TensorExists);
    }
    if (state.base()->findTensor(name)) {
        return {};
    }
    if (name.empty()) {
        return refuse(place, Detail::TensorNameEmpty);
    }
    if (name.size() > gguf::kMaxRuntimeNameBytes) {
        return refuse(place, {Detail::TensorNameTooLong, {gguf::kMaxRuntimeNameBytes, name.size()}});
    }
    if (!isValidUtf8(name)) {
        return refuse(place, Detail::NameNotUtf8);
    }
    return {};
}

Result<> checkImport(const State& state, const Model& from, const TensorInfo& tensor) {
    const Place place = Place::tensor(std::string(tensor.name));
    if (&from == state.base().get()) {
        return {};
    }
    if (from.byteOrder != state.base()->byteOrder) {
        return fail(ErrorCode::NotSupported, place, {Detail::OtherByteOrder});
    }
    if (!tensor.complete() || from.sourceOf(tensor) == nullptr) {
        return refuse(place, Detail::TensorDataIncomplete);
    }
    const auto weights = tensor.shape.weights();
    const TensorTypeFact* type = tensor.type();
    if (type != nullptr && !type->inGguf()) {
        return fail(ErrorCode::NotSupported, place, {Argument(Detail::TypeNotInGguf, {tensor.typeName()})});
    }
    if (tensor.strides != nullptr) {
        return fail(ErrorCode::NotSupported, place, {Detail::WeightsNotInOrder});
    }
    if (!weights || type == nullptr || tensor.bytesDerived) {
        return fail(ErrorCode::NotSupported, place, {Detail::TensorSizeUnknown});
    }
    return {};
}

Result<> checkTarget(const State& state, const SaveTarget& target) {
    if (target.version < 1 || target.version > 3) {
        return fail(ErrorCode::UnsupportedVersion, {}, {target.version});
    }
    const SaveTarget asItIs{.version = state.base()->version, .byteOrder = state.base()->byteOrder};
    if (target.byteOrder == ByteOrder::Big && target.version < 3 && target != asItIs) {
        return fail(ErrorCode::NotSupported, {}, {Detail::BigEndianVersion});
    }
    for (const Key& key : state.keys()) {
        auto fits = checkVersion(target.version, key.name(), key.entry.value);
        if (!fits && (target.version != state.base()->version || !isInBase(state, key.name(), key.entry.value))) {
            return fits;
        }
    }
    if (target.byteOrder != state.base()->byteOrder) {
        for (const Tensor& tensor : state.tensors()) {
            if (tensor.info.type() == nullptr || tensor.info.bytesDerived) {
                return fail(ErrorCode::NotSupported, Place::tensor(std::string(tensor.name())),
                            {Detail::ByteOrderOfUnknownType});
            }
        }
    }
    return {};
}

} // namespace gufo::edit
