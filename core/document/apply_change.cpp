#include "document/apply_change.h"

#include "base/detail.h"
#include "document/save_rules.h"
#include "model/encode_value.h"

#include <algorithm>
#include <utility>

namespace gufo::edit {
namespace {

class Applier {
public:
    explicit Applier(State& state)
        : m_state(state) {}

    Result<> operator()(const gufo::SetKey& change);
    Result<> operator()(const gufo::DeleteKey& change);
    Result<> operator()(const gufo::RenameKey& change);
    Result<> operator()(const gufo::MoveKey& change);
    Result<> operator()(const gufo::SetElement& change);
    Result<> operator()(const gufo::InsertElements& change);
    Result<> operator()(const gufo::RemoveElements& change);
    Result<> operator()(const gufo::RenameTensor& change);
    Result<> operator()(const gufo::DeleteTensor& change);
    Result<> operator()(const gufo::MoveTensor& change);
    Result<> operator()(const gufo::ImportTensor& change);
    Result<> operator()(const gufo::SetTarget& change);
    Result<> operator()(const gufo::DropTrailingBytes& change);

    void takeBack() {
        for (auto piece = m_inverse.rbegin(); piece != m_inverse.rend(); ++piece) {
            static_cast<void>(m_state.apply(*piece));
        }
    }
    [[nodiscard]] Applied take() {
        std::ranges::reverse(m_inverse);
        return {std::move(m_inverse), std::move(m_touched)};
    }

private:
    Result<> make(const Piece& piece) {
        auto inverse = GUFO_TRY(m_state.apply(piece));
        addTouched(m_touched, piece);
        m_inverse.push_back(std::move(inverse));
        return {};
    }
    Result<> splice(const ArrayPath& array, std::uint64_t index, std::uint64_t count, OwnedValue elements) {
        return make(SpliceArray{.key = {array.key},
                                .path = array.indices,
                                .index = index,
                                .count = count,
                                .elements = std::move(elements)});
    }

    State& m_state;
    std::vector<Piece> m_inverse;
    TouchedParts m_touched;
};

Result<> Applier::operator()(const gufo::SetKey& change) {
    GUFO_TRY(checkKey(m_state, change.key, change.value.value()));
    if (Key* key = m_state.keys().find(change.key, change.occurrence); key != nullptr) {
        const bool same = OwnedValue::sameValue(m_state.valueOf(*key), change.value.value());
        return same ? Result<>() : make(ReplaceValue{{change.key, change.occurrence}, change.value});
    }
    if (change.occurrence != 0 && !mayRepeat(m_state, change.key)) {
        return fail(ErrorCode::NoSuchKey, Place::key(change.key), {change.key});
    }
    return make(InsertKey{
        .position = change.position.value_or(m_state.keys().size()), .key = change.key, .value = change.value});
}

Result<> Applier::operator()(const gufo::DeleteKey& change) {
    GUFO_TRY(checkKeyMayGo(m_state, change.key));
    return make(RemoveKey{{change.key, change.occurrence}});
}

Result<> Applier::operator()(const gufo::RenameKey& change) {
    Key* key = m_state.keys().find(change.key, change.occurrence);
    if (key == nullptr) {
        return fail(ErrorCode::NoSuchKey, Place::key(change.key), {change.key});
    }
    if (change.key == change.newKey) {
        return {};
    }
    if (m_state.keys().find(change.newKey) != nullptr && !mayRepeat(m_state, change.newKey)) {
        return fail(ErrorCode::InvalidArgument, Place::key(change.newKey), {Detail::KeyExists});
    }
    auto fits = checkKeyMayGo(m_state, change.key);
    fits = fits ? checkKey(m_state, change.newKey, m_state.valueOf(*key)) : fits;
    return fits ? make(RenameKey{{change.key, change.occurrence}, change.newKey}) : fits;
}

Result<> Applier::operator()(const gufo::MoveKey& change) {
    return make(MoveKey{{change.key, change.occurrence}, change.position});
}

Result<> Applier::operator()(const gufo::SetElement& change) {
    const Value& value = change.value.value();
    std::vector<std::byte> bytes;
    const ValueLayout layout = asArray(value) != nullptr ? asArray(value)->layout : ValueLayout();
    GUFO_TRY(checkElement(change.array, value));
    if (!appendValue(bytes, value, layout)) {
        return fail(ErrorCode::InvalidArgument, Place::key(change.array.key, change.index), {Detail::ArrayDamaged});
    }
    return splice(change.array, change.index, 1, OwnedValue::array(typeOf(value), 1, std::move(bytes), layout));
}

Result<> Applier::operator()(const gufo::InsertElements& change) {
    GUFO_TRY(checkElements(change.array, change.elements.value()));
    return splice(change.array, change.index, 0, change.elements);
}

Result<> Applier::operator()(const gufo::RemoveElements& change) {
    return splice(change.array, change.index, change.count, OwnedValue::array(ValueType::UInt8, 0, {}));
}

Result<> Applier::operator()(const gufo::RenameTensor& change) {
    if (change.name != change.newName) {
        GUFO_TRY(checkTensorName(m_state, change.newName));
    } else if (m_state.tensors().find(change.name) != nullptr) {
        return {};
    }
    return make(RenameTensor{{change.name}, change.newName});
}

Result<> Applier::operator()(const gufo::DeleteTensor& change) { return make(RemoveTensor{{change.name}}); }

Result<> Applier::operator()(const gufo::MoveTensor& change) {
    return make(MoveTensor{{change.name}, change.position});
}

Result<> Applier::operator()(const gufo::ImportTensor& change) {
    const auto index = change.from != nullptr ? change.from->findTensor(change.name) : std::nullopt;
    if (!index) {
        return fail(ErrorCode::NoSuchTensor, Place::tensor(change.name), {change.name});
    }
    const TensorInfo& info = change.from->tensor(*index);
    GUFO_TRY(checkImport(m_state, *change.from, info));
    std::size_t position = change.position.value_or(m_state.tensors().size());
    if (change.replace) {
        const Tensor* old = m_state.tensors().find(change.newName);
        if (old == nullptr) {
            return fail(ErrorCode::NoSuchTensor, Place::tensor(change.newName), {change.newName});
        }
        position = m_state.tensors().positionOf(*old);
        GUFO_TRY(make(RemoveTensor{{change.newName}}));
    } else if (auto fits = checkTensorName(m_state, change.newName); !fits) {
        return fits;
    }
    TensorInfo imported = info;
    imported.ownType = {}; // GGUF has its own name for the type
    return make(InsertTensor{
        .position = position, .name = change.newName, .info = imported, .from = change.from, .hash = change.hash});
}

Result<> Applier::operator()(const gufo::SetTarget& change) {
    SaveTarget target = m_state.target();
    target.version = change.version.value_or(target.version);
    target.byteOrder = change.byteOrder.value_or(target.byteOrder);
    GUFO_TRY(checkTarget(m_state, target));
    return make(SetSaveTarget{target});
}

Result<> Applier::operator()(const gufo::DropTrailingBytes& change) {
    SaveTarget target = m_state.target();
    target.dropTrailingBytes = change.drop;
    return make(SetSaveTarget{target});
}

} // namespace

void addTouched(TouchedParts& touched, const Piece& piece) {
    const auto key = [&](const std::string& name, bool order) {
        touched.keys.insert(name);
        touched.keyOrder = touched.keyOrder || order;
    };
    std::visit(
        [&]<typename T>(const T& p) {
            if constexpr (std::is_same_v<T, InsertKey>) {
                key(p.key, true);
            } else if constexpr (std::is_same_v<T, RemoveKey> || std::is_same_v<T, MoveKey>) {
                key(p.key.key, true);
            } else if constexpr (std::is_same_v<T, RenameKey>) {
                key(p.key.key, true);
                key(p.newKey, true);
            } else if constexpr (std::is_same_v<T, ReplaceValue> || std::is_same_v<T, SpliceText> ||
                                 std::is_same_v<T, SpliceArray>) {
                key(p.key.key, false);
            } else if constexpr (std::is_same_v<T, SetSaveTarget>) {
                touched.target = true;
            } else {
                touched.tensors = true;
            }
        },
        piece);
}

Result<Applied> applyChanges(State& state, const std::vector<Change>& changes) {
    Applier applier(state);
    for (const Change& change : changes) {
        auto done = std::visit(applier, change);
        if (!done) {
            applier.takeBack();
            return std::unexpected(std::move(done).error());
        }
    }
    return applier.take();
}

} // namespace gufo::edit
