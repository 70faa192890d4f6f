// State::snapshot(): makes the model that pages, checks and saving use.
#include "document/edit_state.h"
#include "formats/gguf/read/reader_limits.h"
#include "model/encode_value.h"
#include "model/finding_code.h"
#include "model/finding_list.h"

#include <algorithm>
#include <map>
#include <set>

namespace gufo::edit {
namespace {

// The reader's findings that no longer hold, because they are about keys or tensors that were changed.
class GoneFindings {
public:
    // `changedTensors` are the names of the base's tensors that the edited model no longer has.
    GoneFindings(const Model& base, const NamedList<Key>& keys, const std::set<std::string_view>& changedTensors)
        : m_keptKeys(base.metadata.size())
        , m_changedTensors(changedTensors) {
        for (const Key& key : keys) {
            if (key.origin && (!key.edited || isAsBefore(base.metadata[KvIndex(*key.origin)], key))) {
                m_keptKeys[*key.origin] = true;
            }
        }
        for (std::size_t i = 0; i < m_keptKeys.size(); ++i) {
            if (!m_keptKeys[i]) {
                m_changedKeys.insert(base.metadata[KvIndex(i)].key);
            }
        }
    }

    [[nodiscard]] bool isKeyChanged(std::string_view name) const { return m_changedKeys.contains(name); }
    [[nodiscard]] bool isKept(const Key& key) const { return key.origin && m_keptKeys[*key.origin]; }

    // Whether the finding is about something that was changed.
    [[nodiscard]] bool operator()(const Finding& finding) const {
        switch (finding.place.kind) {
        case Place::Kind::Key:
            return m_changedKeys.contains(finding.place.name);
        case Place::Kind::Tensor:
            return m_changedTensors.contains(finding.place.name);
        default:
            return false;
        }
    }

private:
    static bool isAsBefore(const KeyValue& before, const Key& now) {
        return before.key == now.name() && OwnedValue::sameValue(before.value, now.entry.value);
    }

    std::vector<bool> m_keptKeys;
    std::set<std::string_view> m_changedKeys;
    const std::set<std::string_view>& m_changedTensors;
};

void addOwner(std::vector<std::shared_ptr<const void>>& owned, const std::shared_ptr<const void>& bytes) {
    if (bytes != nullptr) {
        owned.push_back(bytes);
    }
}

void addValueFindings(const Key& key, FindingList& findings) {
    const Place place = Place::key(std::string(key.name()));
    const auto odd = [&](std::byte raw, std::optional<std::uint64_t> element) {
        findings.add(FindingCode::BoolNotZeroOrOne, Place::key(place.name, element), {std::to_integer<unsigned>(raw)});
    };
    if (const auto* flag = std::get_if<BoolValue>(&key.entry.value); flag != nullptr && flag->raw > 1) {
        odd(std::byte{flag->raw}, {});
    }
    if (const ArrayView* array = asArray(key.entry.value); array != nullptr && array->elementType == ValueType::Bool) {
        const auto found = std::ranges::find_if(array->bytes, [](std::byte raw) { return raw > std::byte{1}; });
        if (found != array->bytes.end()) {
            odd(*found, static_cast<std::uint64_t>(found - array->bytes.begin()));
        }
    }
    const auto* alignment = std::get_if<std::uint32_t>(&key.entry.value);
    if (key.name() == "general.alignment" && alignment != nullptr && *alignment > gguf::kLargestUsualAlignment) {
        findings.add(FindingCode::AlignmentHuge, place, {*alignment});
    }
}

} // namespace

std::shared_ptr<const Model> State::snapshot() {
    // Most steps leave the tensors as they are. The copy shares them and their index.
    const bool sameTensors = m_last.model != nullptr;
    auto model = sameTensors ? std::make_shared<Model>(*m_last.model) : std::make_shared<Model>();
    model->container = m_base->container;
    model->version = m_base->version;
    model->byteOrder = m_base->byteOrder;
    model->layout = m_base->layout;
    if (!sameTensors) {
        model->files = m_base->files;
        model->importedFiles = m_base->importedFiles;
    }
    model->openedFile = m_base->openedFile;
    model->openedAs = m_base->openedAs;
    model->companions = m_base->companions;
    model->owned.clear();
    model->metadata = Metadata();
    model->findings.clear();
    model->owned.push_back(m_base); // values view its strings

    model->metadata.reserve(m_keys.size());
    for (Key& key : m_keys) {
        close(key);
        if (key.edited) {
            const ValueLayout& layout = m_base->layout;
            key.entry.bytes =
                layout.lengthBytes() + key.entry.key.size() + 4 + encodedSize(key.entry.value, layout).value_or(0);
        }
        addOwner(model->owned, key.nameBytes);
        addOwner(model->owned, key.valueBytes);
        model->metadata.add(key.entry);
    }

    if (!sameTensors) {
        addTensors(*model);
    }
    model->owned.insert(model->owned.end(), m_last.owned.begin(), m_last.owned.end());
    model->findings = findings(*model);
    m_last.model = model;
    return model;
}

void State::addTensors(Model& model) {
    std::map<std::pair<const Model*, std::uint32_t>, std::size_t> imported;
    std::vector<bool> kept(m_base->tensors.size());
    model.tensors.reserve(listed().size());
    for (const Tensor& tensor : listed()) {
        TensorInfo info = tensor.info;
        addOwner(m_last.owned, tensor.nameBytes);
        if (tensor.origin && tensor.name() == m_base->tensors[*tensor.origin].name) {
            kept[*tensor.origin] = true;
        } else {
            m_last.made.push_back(tensor.name());
        }
        if (tensor.from != nullptr) {
            const auto [file, added] = imported.try_emplace({tensor.from.get(), info.file.value}, model.files.size());
            if (added) {
                model.files.push_back(tensor.from->files[info.file.value]);
                ++model.importedFiles;
                m_last.owned.push_back(tensor.from);
            }
            if (tensor.hash) {
                model.files[file->second].importHashes.emplace(info.offset, *tensor.hash);
            }
            info.file = FileIndex(file->second);
        }
        model.tensors.push_back(info);
    }
    model.indexTensors();
    for (std::size_t i = 0; i < kept.size(); ++i) {
        if (!kept[i]) {
            m_last.changed.insert(m_base->tensors[i].name);
        }
    }
}

std::vector<Finding> State::findings(const Model& now) const {
    const GoneFindings gone(*m_base, m_keys, m_last.changed);
    const auto byTarget = [&](FindingCode code) {
        switch (code) {
        case FindingCode::TrailingBytes:
            return m_target.dropTrailingBytes;
        case FindingCode::DraftVersion1:
        case FindingCode::BigEndianBeforeV3:
        case FindingCode::ValueTypeBeforeItsVersion:
            return m_target.version != m_base->version || m_target.byteOrder != m_base->byteOrder;
        default:
            return false;
        }
    };
    std::vector<Finding> all;
    std::ranges::remove_copy_if(m_base->findings, std::back_inserter(all),
                                [&](const Finding& finding) { return gone(finding) || byTarget(finding.code); });
    FindingList added;
    std::size_t i = 0;
    for (const Key& key : m_keys) {
        const auto first = now.metadata.indexOf(key.name());
        if (first != KvIndex(i++) && (!gone.isKept(key) || gone.isKeyChanged(key.name()))) {
            added.add(FindingCode::DuplicateKey, Place::key(std::string(key.name())), {std::string(key.name())});
        }
        if (!gone.isKept(key)) {
            gguf::addKeyNameFindings(key.name(), added);
            addValueFindings(key, added);
        }
    }
    for (const std::string_view name : m_last.made) {
        gguf::addTensorNameFindings(name, added);
    }
    std::ranges::move(std::move(added).take(), std::back_inserter(all));
    return all;
}

} // namespace gufo::edit
