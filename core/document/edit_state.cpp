#include "document/edit_state.h"

#include "model/encode_value.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <numeric>
#include <utility>

namespace gufo::edit {
namespace {

// Moves `text` to shared storage and returns a view of it.
std::string_view keep(std::string text, std::shared_ptr<const void>& bytes) {
    auto owned = std::make_shared<const std::string>(std::move(text));
    const std::string_view view = *owned;
    bytes = std::move(owned);
    return view;
}

void setValue(Key& key, const OwnedValue& value) {
    key.editor.reset();
    key.entry.value = value.value();
    key.valueBytes = value.bytes();
    key.edited = true;
}

// Copies what a value needs to outlive the snapshot that it views.
OwnedValue owned(const Key& key) { return OwnedValue(key.entry.value); }

} // namespace

bool touchesTensors(const Step& step) {
    return std::ranges::any_of(step.inverse, [](const Piece& piece) {
        return std::holds_alternative<InsertTensor>(piece) || std::holds_alternative<RemoveTensor>(piece) ||
               std::holds_alternative<RenameTensor>(piece) || std::holds_alternative<MoveTensor>(piece);
    });
}

void mergeInto(Step& step, std::vector<Piece> inverse) {
    // If a value was replaced repeatedly, the first inverse is enough.
    if (inverse.size() == 1 && step.inverse.size() == 1) {
        const auto* second = std::get_if<ReplaceValue>(&inverse.front());
        const auto* first = std::get_if<ReplaceValue>(&step.inverse.front());
        if (second != nullptr && first != nullptr && second->key == first->key) {
            return;
        }
    }
    std::ranges::move(step.inverse, std::back_inserter(inverse));
    step.inverse = std::move(inverse);
}

void State::reset(std::shared_ptr<const Model> base) {
    m_base = std::move(base);
    ++m_baseNumber;
    m_repeated.reset();
    m_tensors.clear();
    std::vector<Key> keys(m_base->metadata.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        keys[i].entry = m_base->metadata[KvIndex(i)];
        keys[i].origin = i;
    }
    m_keys.assign(std::move(keys));
    m_listed = false;
    m_target = {.version = m_base->version, .byteOrder = m_base->byteOrder};
    m_tensorsTouched = false;
    m_last = {.model = m_base, .owned = {}, .changed = {}, .made = {}};
}

std::unique_ptr<State> State::copy() const {
    auto state = std::unique_ptr<State>(new State);
    state->m_base = m_base;
    state->m_baseNumber = m_baseNumber;
    state->m_keys = m_keys.copy([](const Key& key) {
        assert(key.editor == nullptr); // the snapshot has closed it
        return Key{.entry = key.entry,
                   .origin = key.origin,
                   .nameBytes = key.nameBytes,
                   .valueBytes = key.valueBytes,
                   .editor = nullptr,
                   .edited = key.edited};
    });
    state->m_tensors = m_tensors.copy([](const Tensor& tensor) { return tensor; });
    state->m_listed = m_listed;
    state->m_target = m_target;
    state->m_tensorsTouched = m_tensorsTouched;
    state->m_last = m_last;
    return state;
}

void State::touchTensors() {
    m_tensorsTouched = true;
    m_last = {};
}

NamedList<Tensor>& State::listed() const {
    if (!m_listed) {
        std::vector<Tensor> tensors(m_base->tensors.size());
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            tensors[i].info = m_base->tensors[i];
            tensors[i].origin = i;
        }
        m_tensors.assign(std::move(tensors));
        m_listed = true;
    }
    return m_tensors;
}

const State::Repeated& State::repeated() const {
    if (!m_repeated) {
        m_repeated.emplace();
        for (std::size_t i = 0; i < m_base->metadata.size(); ++i) {
            const std::string_view name = m_base->metadata[KvIndex(i)].key;
            if (const auto first = *m_base->metadata.indexOf(name); first.value != i) {
                auto& all = m_repeated->keys.try_emplace(name, std::vector{first}).first->second;
                all.push_back(KvIndex(i));
            }
        }
        for (std::size_t i = 0; i < m_base->tensors.size(); ++i) {
            const std::string_view name = m_base->tensors[i].name;
            if (m_base->findTensor(name)->value != i) {
                ++m_repeated->tensors.try_emplace(name, 1).first->second;
            }
        }
    }
    return *m_repeated;
}

std::vector<KvIndex> State::baseKeys(std::string_view name) const {
    const auto first = m_base->metadata.indexOf(name);
    if (!first) {
        return {};
    }
    const auto all = repeated().keys.find(name);
    return all != repeated().keys.end() ? all->second : std::vector{*first};
}

std::size_t State::countBaseKeys(std::string_view name) const {
    if (!m_base->metadata.indexOf(name)) {
        return 0;
    }
    const auto all = repeated().keys.find(name);
    return all != repeated().keys.end() ? all->second.size() : 1;
}

std::size_t State::countBaseTensors(std::string_view name) const {
    if (!m_base->findTensor(name)) {
        return 0;
    }
    const auto all = repeated().tensors.find(name);
    return all != repeated().tensors.end() ? all->second : 1;
}

Lineage State::lineageOfKeys(std::shared_ptr<const Model> current) const {
    Lineage lineage{.base = m_base,
                    .current = std::move(current),
                    .target = m_target,
                    .keyOrigins = {},
                    .editedKeys = {},
                    .sameTensors = !m_tensorsTouched,
                    .tensorOrigins = {},
                    .imports = {}};
    lineage.keyOrigins.reserve(m_keys.size());
    lineage.editedKeys.reserve(m_keys.size());
    for (const Key& key : m_keys) {
        lineage.keyOrigins.push_back(key.origin.value_or(kNone));
        lineage.editedKeys.push_back(key.edited);
    }
    return lineage;
}

Lineage State::lineage(std::shared_ptr<const Model> current) const {
    Lineage lineage = lineageOfKeys(std::move(current));
    if (!m_tensorsTouched) {
        lineage.tensorOrigins.resize(m_base->tensors.size());
        std::iota(lineage.tensorOrigins.begin(), lineage.tensorOrigins.end(), std::size_t{0});
        return lineage;
    }
    lineage.tensorOrigins.reserve(listed().size());
    for (const Tensor& tensor : listed()) {
        const std::size_t i = lineage.tensorOrigins.size();
        lineage.tensorOrigins.push_back(tensor.origin.value_or(kNone));
        if (tensor.from != nullptr) {
            lineage.imports.push_back({i, tensor.from, tensor.info.file, tensor.hash});
        }
    }
    return lineage;
}

void State::close(Key& key) {
    if (key.editor != nullptr) {
        const auto editor = std::exchange(key.editor, nullptr);
        setValue(key, editor->take());
    }
}

const Value& State::valueOf(Key& key) const {
    close(key);
    return key.entry.value;
}

Result<ArrayEditor*> State::editorOf(Key& key) const {
    if (key.editor == nullptr) {
        const ArrayView* array = asArray(key.entry.value);
        if (array == nullptr) {
            return nullptr;
        }
        auto opened = GUFO_TRY(ArrayEditor::open(*array));
        key.editor = std::make_unique<ArrayEditor>(std::move(opened));
    }
    return key.editor.get();
}

Result<Piece> State::apply(const Piece& piece) {
    return std::visit([&](const auto& p) { return make(p); }, piece);
}

Result<Key*> State::find(const KeyName& name) const {
    Key* key = m_keys.find(name.key, name.occurrence);
    if (key == nullptr) {
        return fail(ErrorCode::NoSuchKey, Place::key(name.key), {name.key});
    }
    return key;
}

Result<Tensor*> State::find(const TensorName& name) const {
    Tensor* tensor = listed().find(name.name, name.occurrence);
    if (tensor == nullptr) {
        return fail(ErrorCode::NoSuchTensor, Place::tensor(name.name), {name.name});
    }
    return tensor;
}

KeyName State::nameOf(const Key& key) const { return {std::string(key.name()), m_keys.occurrenceOf(key)}; }

TensorName State::nameOf(const Tensor& tensor) const {
    return {std::string(tensor.name()), listed().occurrenceOf(tensor)};
}

Result<Piece> State::make(const InsertKey& piece) {
    Key key;
    key.entry.key = keep(piece.key, key.nameBytes);
    key.entry.file = piece.file.value < m_base->shardCount() ? piece.file : FileIndex();
    setValue(key, piece.value);
    if (piece.origin && piece.origin->base == m_baseNumber) {
        key.origin = piece.origin->index;
    }
    return RemoveKey{nameOf(m_keys.insert(piece.position, std::move(key)))};
}

Result<Piece> State::make(const RemoveKey& piece) {
    const auto found = GUFO_TRY(find(piece.key));
    Key& key = *found;
    close(key);
    InsertKey inverse{.position = m_keys.positionOf(key),
                      .key = std::string(key.name()),
                      .value = owned(key),
                      .file = key.entry.file};
    if (key.origin) {
        inverse.origin = Origin{m_baseNumber, *key.origin};
    }
    static_cast<void>(m_keys.remove(key));
    return inverse;
}

Result<Piece> State::make(const ReplaceValue& piece) {
    const auto found = GUFO_TRY(find(piece.key));
    Key& key = *found;
    const auto before = asString(valueOf(key));
    const auto after = asString(piece.value.value());
    if (before && after) {
        const auto [left, right] = std::ranges::mismatch(*before, *after);
        const auto start = static_cast<std::size_t>(left - before->begin());
        const auto [leftEnd, rightEnd] =
            std::mismatch(before->rbegin(), before->rend() - static_cast<std::ptrdiff_t>(start), after->rbegin(),
                          after->rend() - static_cast<std::ptrdiff_t>(start));
        const auto same = static_cast<std::size_t>(leftEnd - before->rbegin());
        SpliceText inverse{.key = piece.key,
                           .at = start,
                           .count = after->size() - start - same,
                           .text = std::string(before->substr(start, before->size() - start - same))};
        setValue(key, piece.value);
        return inverse;
    }
    ReplaceValue inverse{.key = piece.key, .value = owned(key)};
    setValue(key, piece.value);
    return inverse;
}

Result<Piece> State::make(const SpliceText& piece) {
    const auto found = GUFO_TRY(find(piece.key));
    const auto before = asString(valueOf(*found));
    if (!before) {
        return fail(ErrorCode::WrongValueType, Place::key(piece.key.key),
                    {valueTypeFact(ValueType::String).name, valueTypeFact(typeOf(found->entry.value)).name});
    }
    if (piece.at > before->size() || piece.count > before->size() - piece.at) {
        return fail(ErrorCode::NoSuchElement, Place::key(piece.key.key), {piece.at, before->size()});
    }
    std::string text;
    text.reserve(before->size() - piece.count + piece.text.size());
    text.append(before->substr(0, piece.at)).append(piece.text).append(before->substr(piece.at + piece.count));
    SpliceText inverse{.key = piece.key,
                       .at = piece.at,
                       .count = piece.text.size(),
                       .text = std::string(before->substr(piece.at, piece.count))};
    setValue(*found, OwnedValue::string(std::move(text)));
    return inverse;
}

Result<Piece> State::make(const SpliceArray& piece) {
    const auto found = GUFO_TRY(find(piece.key));
    const Place place = Place::key(piece.key.key, piece.index);
    const auto at = [&](Error error) {
        error.place = place;
        return std::unexpected(std::move(error));
    };
    const auto editor = editorOf(*found);
    if (!editor) {
        return at(editor.error());
    }
    const ArrayView* elements = asArray(piece.elements.value());
    if (*editor == nullptr || elements == nullptr) {
        return fail(ErrorCode::WrongValueType, Place::key(piece.key.key),
                    {valueTypeFact(ValueType::Array).name, valueTypeFact(typeOf(found->entry.value)).name});
    }
    auto removed = spliceNested(**editor, piece.path, piece.index, piece.count, *elements);
    if (!removed) {
        return at(std::move(removed).error());
    }
    found->edited = true;
    return SpliceArray{.key = piece.key,
                       .path = piece.path,
                       .index = piece.index,
                       .count = elements->length,
                       .elements = *std::move(removed)};
}

Result<Piece> State::make(const RenameKey& piece) {
    const auto found = GUFO_TRY(find(piece.key));
    Key& key = *found;
    RenameKey inverse{.key = {}, .newKey = piece.key.key};
    m_keys.rename(key, [&](Key& k) {
        k.entry.key = keep(piece.newKey, k.nameBytes);
        k.edited = true;
    });
    inverse.key = nameOf(key);
    return inverse;
}

Result<Piece> State::make(const MoveKey& piece) {
    const auto found = GUFO_TRY(find(piece.key));
    MoveKey inverse{.key = {}, .position = m_keys.positionOf(*found)};
    m_keys.move(*found, piece.position);
    inverse.key = nameOf(*found);
    return inverse;
}

Result<Piece> State::make(const InsertTensor& piece) {
    touchTensors();
    Tensor tensor;
    tensor.info = piece.info;
    tensor.info.name = keep(piece.name, tensor.nameBytes);
    if (piece.from != m_base) {
        tensor.from = piece.from;
        tensor.hash = piece.hash;
    }
    if (piece.origin && piece.origin->base == m_baseNumber) {
        tensor.origin = piece.origin->index;
    }
    return RemoveTensor{nameOf(listed().insert(piece.position, std::move(tensor)))};
}

Result<Piece> State::make(const RemoveTensor& piece) {
    touchTensors();
    const auto found = GUFO_TRY(find(piece.tensor));
    const Tensor& tensor = *found;
    InsertTensor inverse{.position = listed().positionOf(tensor),
                         .name = std::string(tensor.name()),
                         .info = tensor.info,
                         .from = tensor.from != nullptr ? tensor.from : m_base,
                         .hash = tensor.hash};
    inverse.info.name = {};
    if (tensor.origin) {
        inverse.origin = Origin{m_baseNumber, *tensor.origin};
    }
    static_cast<void>(listed().remove(tensor));
    return inverse;
}

Result<Piece> State::make(const RenameTensor& piece) {
    touchTensors();
    const auto found = GUFO_TRY(find(piece.tensor));
    RenameTensor inverse{.tensor = {}, .newName = piece.tensor.name};
    listed().rename(*found, [&](Tensor& t) { t.info.name = keep(piece.newName, t.nameBytes); });
    inverse.tensor = nameOf(*found);
    return inverse;
}

Result<Piece> State::make(const MoveTensor& piece) {
    touchTensors();
    const auto found = GUFO_TRY(find(piece.tensor));
    MoveTensor inverse{.tensor = {}, .position = listed().positionOf(*found)};
    listed().move(*found, piece.position);
    inverse.tensor = nameOf(*found);
    return inverse;
}

Result<Piece> State::make(const SetSaveTarget& piece) {
    SetSaveTarget inverse{m_target};
    m_target = piece.target;
    return inverse;
}

} // namespace gufo::edit
