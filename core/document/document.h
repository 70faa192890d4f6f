// An open model that is being edited: the model as it is in its file (the base), the model as it is now, and how to get
// from one to the other and back.
//
// Every step makes a new immutable snapshot; whoever holds an older one keeps it. Steps are kept without limit, as
// changes and their inverses by name, so that undo works across a save.
//
// Threads: one at a time; snapshots go anywhere. A step costs time in the size of the keys and arrays that it touches,
// never of the tensors.
#pragma once

#include "document/difference.h"
#include "model/change.h"
#include "model/model.h"
#include "model/save_target.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gufo {

// What a step touched, for views that follow.
struct TouchedParts {
    std::vector<std::string> keys; // by their names before and after
    bool keyOrder = false;         // keys were added, deleted, renamed or moved
    bool tensors = false;
    bool target = false;
    [[nodiscard]] bool anyKeyWith(std::string_view prefix) const;
};

struct AppliedStep {
    TouchedParts touched;
    // What the checks of keys say of the touched ones that they did not say before: unequal arrays, a type that the
    // catalogue does not know for the key …. The step is made all the same; the person decides.
    std::vector<Finding> remarks;
};

namespace edit {
class State;
struct Step;
} // namespace edit

class Document {
public:
    explicit Document(std::shared_ptr<const Model> base);
    ~Document();
    Document(Document&&) noexcept;
    Document& operator=(Document&&) noexcept;
    Document(const Document&) = delete;
    Document& operator=(const Document&) = delete;

    [[nodiscard]] const std::shared_ptr<const Model>& base() const { return m_base; }
    [[nodiscard]] const std::shared_ptr<const Model>& current() const { return m_current; }
    [[nodiscard]] const SaveTarget& target() const { return m_target; }
    // Whether saving would write anything: false again when everything was undone or set back by hand.
    [[nodiscard]] bool isModified() const;

    // All of the changes as one step, or none of them. `label` is the person's word for it ("Set general.name"). Steps
    // that follow each other with the same non-empty `mergeKey` become one (typing). Errors, with the place: NoSuchKey,
    // NoSuchTensor, WrongValueType, NoSuchElement, InvalidArgument (args: what is wrong), NotSupported.
    [[nodiscard]] Result<AppliedStep> apply(std::vector<Change> changes, std::string label, std::string mergeKey = {});

    [[nodiscard]] bool canUndo() const;
    [[nodiscard]] bool canRedo() const;
    [[nodiscard]] const std::string& undoLabel() const; // empty where there is nothing
    [[nodiscard]] const std::string& redoLabel() const;
    TouchedParts undo(); // canUndo() must hold
    TouchedParts redo(); // canRedo() must hold

    // What differs from the base, in the order of the file: what the review shows, and what marks changed rows.
    [[nodiscard]] const std::vector<Difference>& differences() const;
    // The row of a key or tensor as it is called now (or was called, if deleted); null: unchanged.
    [[nodiscard]] const Difference* differenceOfKey(std::string_view key) const;
    [[nodiscard]] const Difference* differenceOfTensor(std::string_view name) const;
    // The changes that take this difference alone back; a step like any other when applied.
    [[nodiscard]] std::vector<Change> revert(const Difference& difference) const;
    [[nodiscard]] std::vector<Change> revertAll() const;

    // The shortest way from the base to the model as it is now; what a draft keeps.
    [[nodiscard]] std::vector<Change> changes() const;

    // After a save or a reload: `base` is what the file holds now. The steps stay, to be undone or redone on it.
    void rebase(std::shared_ptr<const Model> base);

private:
    // Takes back (or does again) a step, and makes of it the step that does the opposite.
    TouchedParts turn(std::vector<edit::Step>& from, std::vector<edit::Step>& to);
    void changed();

    std::shared_ptr<const Model> m_base;
    std::shared_ptr<const Model> m_current;
    SaveTarget m_target;
    std::unique_ptr<edit::State> m_state;
    std::vector<edit::Step> m_undo;
    std::vector<edit::Step> m_redo;
    mutable std::optional<std::vector<Difference>> m_differences; // made when asked for
};

} // namespace gufo
