// An open model that can be edited. It holds the model in its file (the base), the current model, and the steps between
// the two.
//
// Every step makes a new immutable snapshot; older snapshots stay valid as long as they are held. Steps are kept
// without limit, as changes and inverse changes that name the keys and tensors that they touch, so that undo works
// across a save.
//
// Thread contract: one thread at a time; snapshots may be used on any thread. A step takes time proportional to the
// keys and arrays that it touches, never to tensor data, except for new rows that are means (ResizeRows). A step that
// touches tensors takes time proportional to their number, which can be a hundred thousand: the window lets a job make
// it in a copy.
#pragma once

#include "document/difference.h"
#include "formats/container/capabilities.h"
#include "model/change.h"
#include "model/model.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gufo {

// The parts of a model that a step changed, so that views can update them.
struct TouchedParts {
    std::set<std::string, std::less<>> keys; // names before and after the step
    bool keyOrder = false;                   // keys were added, deleted, renamed or moved
    bool tensors = false;
    bool target = false;
    [[nodiscard]] bool anyKeyWith(std::string_view prefix) const;
};

struct AppliedStep {
    TouchedParts touched;
    // New findings about the touched keys: arrays of unequal length, a type that the catalogue does not know for the
    // key … They do not prevent the step; the user decides.
    std::vector<Finding> remarks;
};

namespace edit {
class State;
struct Step;
struct TensorDifferences;
} // namespace edit

class Document {
public:
    explicit Document(std::shared_ptr<const Model> base);
    ~Document();
    Document(Document&&) noexcept;
    Document& operator=(Document&&) noexcept;
    Document(const Document&) = delete;
    Document& operator=(const Document&) = delete;
    // Returns a document with the same base, steps and snapshot. May be called on any thread as long as all threads
    // only read this document: its snapshots, target, labels, and the differences, if these have been computed before.
    [[nodiscard]] Document copy() const;

    [[nodiscard]] const std::shared_ptr<const Model>& base() const { return m_base; }
    [[nodiscard]] const std::shared_ptr<const Model>& current() const { return m_current; }
    [[nodiscard]] const SaveTarget& target() const { return m_target; }
    // Whether saving would change the file. False again once every change was undone or reverted by hand.
    [[nodiscard]] bool isModified() const;

    // The operations on the model that its container permits.
    [[nodiscard]] Capabilities capabilities() const { return m_capabilities; }

    // Applies all changes as one step, or none of them. `label` names the step for the user ("Set general.name").
    // Consecutive steps with the same non-empty `mergeKey` become one (typing). Errors, with their place: NoSuchKey,
    // NoSuchTensor, WrongValueType, NoSuchElement, InvalidArgument (args: what is wrong), NotSupported; FormatReadOnly
    // where the capability is missing.
    [[nodiscard]] Result<AppliedStep> apply(std::vector<Change> changes, std::string label, std::string mergeKey = {});

    [[nodiscard]] bool canUndo() const;
    [[nodiscard]] bool canRedo() const;
    [[nodiscard]] const std::string& undoLabel() const; // empty if there is nothing to undo
    [[nodiscard]] const std::string& redoLabel() const;
    TouchedParts undo(); // canUndo() must hold
    TouchedParts redo(); // canRedo() must hold
    // Whether the step touches tensors.
    [[nodiscard]] bool undoTouchesTensors() const;
    [[nodiscard]] bool redoTouchesTensors() const;
    [[nodiscard]] static bool touchesTensors(const std::vector<Change>& changes);
    // Whether applying the changes reads weights, which takes long whatever the number of tensors.
    [[nodiscard]] static bool readsWeights(const std::vector<Change>& changes);

    // The differences from the base in file order, for the review and for marks on changed rows.
    [[nodiscard]] const std::vector<Difference>& differences() const;
    // The row of a key or tensor by its current name (its old one if it was deleted); null: unchanged.
    [[nodiscard]] const Difference* differenceOfKey(std::string_view key) const;
    [[nodiscard]] const Difference* differenceOfTensor(std::string_view name) const;
    // Whether the tensors may differ from the base's tensors, so that reverting all changes touches them.
    [[nodiscard]] bool areTensorsTouched() const;
    // Returns the changes that revert only this difference. Applied, they are a step like any other.
    [[nodiscard]] std::vector<Change> revert(const Difference& difference) const;
    [[nodiscard]] std::vector<Change> revertAll() const;

    // Returns a minimal list of changes from the base to the current model, as drafts store it.
    [[nodiscard]] std::vector<Change> changes() const;
    // Returns a function that computes the changes as they are now. It may be called on any thread, because comparing
    // large models takes long.
    [[nodiscard]] std::function<std::vector<Change>()> deferredChanges() const;

    // To be called after a save or a reload: `base` is what the file holds now. The steps can still be undone or
    // redone.
    void rebase(std::shared_ptr<const Model> base);

private:
    Document();
    // Applies the inverse of the last step in `from` and appends the opposite step to `to`.
    TouchedParts revertLastStep(std::vector<edit::Step>& from, std::vector<edit::Step>& to);
    void changed(bool tensors);
    [[nodiscard]] const Difference* rowIn(const std::map<std::string_view, std::size_t>& rows,
                                          std::string_view name) const;

    std::shared_ptr<const Model> m_base;
    Capabilities m_capabilities; // of m_base
    std::shared_ptr<const Model> m_current;
    SaveTarget m_target;
    std::unique_ptr<edit::State> m_state;
    std::vector<edit::Step> m_undo;
    std::vector<edit::Step> m_redo;
    // Computed on demand.
    mutable std::shared_ptr<const edit::TensorDifferences> m_tensorDifferences; // null: the tensors were touched
    mutable std::optional<std::vector<Difference>> m_differences;
    mutable std::map<std::string_view, std::size_t> m_keyRows; // the first row of each key
    mutable std::map<std::string_view, std::size_t> m_tensorRows;
};

} // namespace gufo
