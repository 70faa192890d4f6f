#include "document/document.h"

#include "document/apply_change.h"
#include "document/compare_state.h"
#include "document/net_changes.h"
#include "document/revert.h"
#include "validate/validate.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace gufo {
namespace {

const std::string kNoLabel;

// What the checks say of `after` and did not say of `before`. The same finding with other figures is not new.
std::vector<Finding> newFindings(const Model& before, const Model& after) {
    const std::vector<Finding> old = checkKeys(before);
    std::vector<Finding> found = checkKeys(after);
    std::erase_if(found, [&](const Finding& finding) {
        return std::ranges::any_of(
            old, [&](const Finding& o) { return o.code == finding.code && o.place == finding.place; });
    });
    return found;
}

} // namespace

bool TouchedParts::anyKeyWith(std::string_view prefix) const {
    return std::ranges::any_of(keys, [&](const std::string& key) { return key.starts_with(prefix); });
}

Document::Document(std::shared_ptr<const Model> base)
    : m_base(std::move(base))
    , m_current(m_base)
    , m_state(std::make_unique<edit::State>(m_base)) {
    m_target = m_state->target();
}

Document::~Document() = default;
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;

void Document::changed() {
    m_current = m_state->snapshot();
    m_target = m_state->target();
    m_differences.reset();
}

bool Document::isModified() const { return !differences().empty(); }

Result<AppliedStep> Document::apply(std::vector<Change> changes, std::string label, std::string mergeKey) {
    auto applied = edit::applyChanges(*m_state, changes);
    if (!applied) {
        return std::unexpected(std::move(applied).error());
    }
    AppliedStep step{.touched = std::move(applied->touched)};
    if (applied->inverse.empty()) {
        return step;
    }
    const std::shared_ptr<const Model> before = m_current;
    changed();
    step.remarks = newFindings(*before, *m_current);
    const bool merges = !mergeKey.empty() && m_redo.empty() && !m_undo.empty() && m_undo.back().mergeKey == mergeKey;
    m_redo.clear();
    if (merges) {
        edit::mergeInto(m_undo.back(), std::move(applied->inverse));
    } else {
        m_undo.push_back({std::move(label), std::move(mergeKey), std::move(applied->inverse)});
    }
    return step;
}

bool Document::canUndo() const { return !m_undo.empty(); }
bool Document::canRedo() const { return !m_redo.empty(); }
const std::string& Document::undoLabel() const { return m_undo.empty() ? kNoLabel : m_undo.back().label; }
const std::string& Document::redoLabel() const { return m_redo.empty() ? kNoLabel : m_redo.back().label; }

TouchedParts Document::turn(std::vector<edit::Step>& from, std::vector<edit::Step>& to) {
    assert(!from.empty());
    edit::Step step = std::move(from.back());
    from.pop_back();
    TouchedParts touched;
    edit::Step opposite{std::move(step.label), std::move(step.mergeKey), {}};
    for (const edit::Piece& piece : step.inverse) {
        // What another program took out of the file cannot be changed back.
        if (auto inverse = m_state->apply(piece)) {
            edit::addTouched(touched, piece);
            opposite.inverse.push_back(*std::move(inverse));
        }
    }
    std::ranges::reverse(opposite.inverse);
    to.push_back(std::move(opposite));
    changed();
    return touched;
}

TouchedParts Document::undo() { return turn(m_undo, m_redo); }

TouchedParts Document::redo() {
    TouchedParts touched = turn(m_redo, m_undo);
    m_undo.back().mergeKey.clear(); // what is typed next is a step of its own
    return touched;
}

const std::vector<Difference>& Document::differences() const {
    if (!m_differences) {
        m_differences = edit::differencesOf(*m_state, *m_current);
    }
    return *m_differences;
}

const Difference* Document::differenceOfKey(std::string_view key) const {
    const auto row = std::ranges::find_if(differences(), [&](const Difference& difference) {
        return difference.subject == Difference::Subject::Key && difference.name == key;
    });
    return row != differences().end() ? &*row : nullptr;
}

const Difference* Document::differenceOfTensor(std::string_view name) const {
    const auto row = std::ranges::find_if(differences(), [&](const Difference& difference) {
        return difference.subject == Difference::Subject::Tensor && difference.name == name;
    });
    return row != differences().end() ? &*row : nullptr;
}

std::vector<Change> Document::revert(const Difference& difference) const {
    return edit::revertOne(*m_state, difference);
}

std::vector<Change> Document::revertAll() const { return edit::changesToBase(*m_state, *m_current); }

std::vector<Change> Document::changes() const { return edit::changesFromBase(*m_state, *m_current); }

void Document::rebase(std::shared_ptr<const Model> base) {
    m_base = std::move(base);
    m_current = m_base;
    m_state->reset(m_base);
    m_target = m_state->target();
    m_differences.reset();
    if (!m_undo.empty()) {
        m_undo.back().mergeKey.clear(); // what is typed after a save is a step of its own
    }
}

} // namespace gufo
