#include "document/document.h"

#include "base/detail.h"
#include "document/net_changes.h"
#include "document/revert.h"
#include "formats/container/container.h"
#include "validate/validate.h"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <utility>

namespace gufo {
namespace {

const std::string kNoLabel;

// Returns the findings about `after` that `before` did not have. A finding that differs only in its figures is not new.
std::vector<Finding> newFindings(const Model& before, const Model& after) {
    const auto subject = [](const Finding& finding) {
        const Place& place = finding.place;
        return std::tie(finding.code, place.kind, place.name, place.index, place.offset, place.part);
    };
    std::vector<Finding> old = checkKeys(before);
    std::ranges::sort(old, {}, subject);
    std::vector<Finding> found = checkKeys(after);
    std::erase_if(
        found, [&](const Finding& finding) { return std::ranges::binary_search(old, subject(finding), {}, subject); });
    return found;
}

SaveTarget targetOf(const Model& model) { return {.version = model.version, .byteOrder = model.byteOrder}; }

Capability capabilityFor(const Change& change) {
    const bool tensors = std::holds_alternative<RenameTensor>(change) || std::holds_alternative<DeleteTensor>(change) ||
                         std::holds_alternative<MoveTensor>(change) || std::holds_alternative<ImportTensor>(change) ||
                         std::holds_alternative<ResizeRows>(change) ||
                         std::holds_alternative<DropTrailingBytes>(change);
    if (tensors) {
        return Capability::EditTensors;
    }
    const auto* key = std::get_if<SetKey>(&change);
    const bool versions = std::holds_alternative<SetTarget>(change);
    return versions                                                            ? Capability::EditVersion
           : key != nullptr && typeOf(key->value.value()) != ValueType::String ? Capability::TypedValues
                                                                               : Capability::EditMetadata;
}

// The key that a change concerns and that exists already; null if it concerns none.
const std::string* keyOf(const Change& change) {
    const auto* set = std::get_if<SetKey>(&change);
    const auto* deleted = std::get_if<DeleteKey>(&change);
    const auto* renamed = std::get_if<RenameKey>(&change);
    return set != nullptr       ? &set->key
           : deleted != nullptr ? &deleted->key
           : renamed != nullptr ? &renamed->key
                                : nullptr;
}

// The kind of the files beside the weights whose members are keys too, for the error.
constexpr std::string_view kOtherFiles = "json";

// Whether the key was read from a file beside the weights: then no record of the weights' headers states it.
bool isOfAnotherFile(const Model& base, const std::string& key) {
    if (base.openedAs.empty() && base.companions.empty()) {
        return false;
    }
    const auto index = base.metadata.indexOf(key);
    return index && base.metadata[*index].bytes == 0;
}

} // namespace

bool TouchedParts::anyKeyWith(std::string_view prefix) const {
    const auto key = keys.lower_bound(prefix);
    return key != keys.end() && key->starts_with(prefix);
}

Document::Document(std::shared_ptr<const Model> base)
    : m_base(std::move(base))
    , m_capabilities(capabilitiesOf(*m_base))
    , m_current(m_base)
    , m_state(std::make_unique<edit::State>(m_base)) {
    m_target = m_state->target();
}

Document::Document() = default;
Document::~Document() = default;
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;

Document Document::copy() const {
    Document document;
    document.m_base = m_base;
    document.m_capabilities = m_capabilities;
    document.m_current = m_current;
    document.m_target = m_target;
    document.m_state = m_state->copy();
    document.m_undo = m_undo;
    document.m_redo = m_redo;
    document.m_tensorDifferences = m_tensorDifferences;
    return document;
}

void Document::changed(bool tensors) {
    m_current = m_state->snapshot();
    m_target = m_state->target();
    m_differences.reset();
    if (tensors) {
        m_tensorDifferences.reset();
    }
}

bool Document::isModified() const { return !differences().empty(); }

Result<AppliedStep> Document::apply(std::vector<Change> changes, std::string label, std::string mergeKey) {
    for (const Change& change : changes) {
        const Capability needed = capabilityFor(change);
        if (needed == Capability::TypedValues && m_capabilities.has(Capability::EditMetadata) &&
            !m_capabilities.has(needed)) {
            return fail(ErrorCode::InvalidArgument, Place::key(std::get<SetKey>(change).key),
                        {Detail::MetadataNotText});
        }
        GUFO_TRY(requireCapability(*m_base, needed));
        if (const std::string* key = keyOf(change); key != nullptr && isOfAnotherFile(*m_base, *key)) {
            return fail(ErrorCode::FormatReadOnly, Place::key(*key), {kOtherFiles});
        }
    }
    auto applied = GUFO_TRY(edit::applyChanges(*m_state, changes));
    AppliedStep step{.touched = std::move(applied.touched)};
    if (applied.inverse.empty()) {
        return step;
    }
    const std::shared_ptr<const Model> before = m_current;
    changed(step.touched.tensors);
    step.remarks = newFindings(*before, *m_current);
    const bool merges = !mergeKey.empty() && m_redo.empty() && !m_undo.empty() && m_undo.back().mergeKey == mergeKey;
    m_redo.clear();
    if (merges) {
        edit::mergeInto(m_undo.back(), std::move(applied.inverse));
    } else {
        m_undo.push_back({std::move(label), std::move(mergeKey), std::move(applied.inverse)});
    }
    return step;
}

bool Document::canUndo() const { return !m_undo.empty(); }
bool Document::canRedo() const { return !m_redo.empty(); }
const std::string& Document::undoLabel() const { return m_undo.empty() ? kNoLabel : m_undo.back().label; }
const std::string& Document::redoLabel() const { return m_redo.empty() ? kNoLabel : m_redo.back().label; }

TouchedParts Document::revertLastStep(std::vector<edit::Step>& from, std::vector<edit::Step>& to) {
    assert(!from.empty());
    edit::Step step = std::move(from.back());
    from.pop_back();
    TouchedParts touched;
    edit::Step opposite{std::move(step.label), std::move(step.mergeKey), {}};
    for (const edit::Piece& piece : step.inverse) {
        // Contents that another program has removed from the file cannot be restored.
        if (auto inverse = m_state->apply(piece)) {
            edit::addTouched(touched, piece);
            opposite.inverse.push_back(*std::move(inverse));
        }
    }
    std::ranges::reverse(opposite.inverse);
    to.push_back(std::move(opposite));
    changed(touched.tensors);
    return touched;
}

bool Document::undoTouchesTensors() const { return !m_undo.empty() && edit::touchesTensors(m_undo.back()); }
bool Document::redoTouchesTensors() const { return !m_redo.empty() && edit::touchesTensors(m_redo.back()); }

bool Document::touchesTensors(const std::vector<Change>& changes) {
    return std::ranges::any_of(changes, [](const Change& change) {
        return capabilityFor(change) == Capability::EditTensors && !std::holds_alternative<DropTrailingBytes>(change);
    });
}

bool Document::readsWeights(const std::vector<Change>& changes) {
    return std::ranges::any_of(changes,
                               [](const Change& change) { return std::holds_alternative<ResizeRows>(change); });
}

TouchedParts Document::undo() { return revertLastStep(m_undo, m_redo); }

TouchedParts Document::redo() {
    TouchedParts touched = revertLastStep(m_redo, m_undo);
    m_undo.back().mergeKey.clear(); // further typing begins a new step
    return touched;
}

const std::vector<Difference>& Document::differences() const {
    if (!m_differences) {
        if (m_tensorDifferences == nullptr) {
            m_tensorDifferences = std::make_shared<const edit::TensorDifferences>(
                m_state->areTensorsTouched() ? edit::tensorDifferencesOf(m_state->lineage(m_current))
                                             : edit::TensorDifferences());
        }
        m_differences = m_current == m_base && m_target == targetOf(*m_base)
                            ? std::vector<Difference>()
                            : edit::differencesOf(m_state->lineageOfKeys(m_current), *m_tensorDifferences);
        m_keyRows.clear();
        m_tensorRows.clear();
        for (std::size_t i = 0; i < m_differences->size(); ++i) {
            const Difference& row = (*m_differences)[i];
            if (row.subject != Difference::Subject::Target) {
                (row.subject == Difference::Subject::Key ? m_keyRows : m_tensorRows).try_emplace(row.name, i);
            }
        }
    }
    return *m_differences;
}

const Difference* Document::rowIn(const std::map<std::string_view, std::size_t>& rows, std::string_view name) const {
    const auto row = rows.find(name);
    return row != rows.end() ? &(*m_differences)[row->second] : nullptr;
}

const Difference* Document::differenceOfKey(std::string_view key) const {
    return differences().empty() ? nullptr : rowIn(m_keyRows, key);
}

const Difference* Document::differenceOfTensor(std::string_view name) const {
    return differences().empty() ? nullptr : rowIn(m_tensorRows, name);
}

bool Document::areTensorsTouched() const { return m_state->areTensorsTouched(); }

std::vector<Change> Document::revert(const Difference& difference) const {
    return edit::revertOne(*m_state, difference);
}

std::vector<Change> Document::revertAll() const { return edit::changesToBase(m_state->lineage(m_current)); }

std::vector<Change> Document::changes() const { return edit::changesFromBase(m_state->lineage(m_current)); }

std::function<std::vector<Change>()> Document::deferredChanges() const {
    return [lineage = m_state->lineage(m_current)] { return edit::changesFromBase(lineage); };
}

void Document::rebase(std::shared_ptr<const Model> base) {
    m_base = std::move(base);
    m_capabilities = capabilitiesOf(*m_base);
    m_current = m_base;
    m_state->reset(m_base);
    m_target = m_state->target();
    m_tensorDifferences.reset();
    m_differences.reset();
    if (!m_undo.empty()) {
        m_undo.back().mergeKey.clear(); // typing after a save begins a new step
    }
}

} // namespace gufo
