#include "ui/document/model_document.h"

#include "formats/format.h"
#include "ui/messages/file_format_text.h"
#include "ui/messages/format.h"

#include <utility>

namespace gufo::ui {
namespace {

TouchedParts everything(const Model& model) {
    TouchedParts touched{.keys = {}, .keyOrder = true, .tensors = true, .target = true};
    for (const KeyValue& entry : model.metadata) {
        touched.keys.emplace_back(entry.key);
    }
    return touched;
}

} // namespace

ModelDocument::ModelDocument(std::shared_ptr<const Model> base, QObject* parent)
    : QObject(parent)
    , m_document(std::move(base)) {}

// Runs a step that returns the touched parts, and emits the signals. The marks of unsaved changes are up to date by
// then.
template<typename Step>
void ModelDocument::follow(Step step) {
    const TouchedParts touched = step();
    const bool modified = m_document.isModified();
    const bool turned = modified != std::exchange(m_modified, modified);
    emit edited(touched);
    if (turned) {
        emit modifiedChanged(modified);
    }
}

bool ModelDocument::apply(std::vector<Change> changes, const QString& label, const QString& mergeKey) {
    if (isBlocked()) {
        emit refused(Error{.code = ErrorCode::NotSupported,
                           .file = m_document.base()->path(),
                           .place = {},
                           .args = {m_blockedBy.toStdString()}});
        return false;
    }
    Result<AppliedStep> step = m_document.apply(std::move(changes), label.toStdString(), mergeKey.toStdString());
    if (!step) {
        emit refused(step.error());
        return false;
    }
    follow([&step] { return step->touched; });
    if (!step->remarks.empty()) {
        emit remarked(step->remarks);
    }
    return true;
}

void ModelDocument::undo() {
    if (!isBlocked() && m_document.canUndo()) {
        follow([this] { return m_document.undo(); });
    }
}

void ModelDocument::redo() {
    if (!isBlocked() && m_document.canRedo()) {
        follow([this] { return m_document.redo(); });
    }
}

void ModelDocument::revert(const Difference& difference) {
    const QString name = displayText(difference.name);
    apply(m_document.revert(difference), name.isEmpty() ? tr("Revert") : tr("Revert %1").arg(name));
}

void ModelDocument::revertAll() { apply(m_document.revertAll(), tr("Revert all changes")); }

void ModelDocument::rebase(std::shared_ptr<const Model> base) {
    follow([this, &base] {
        m_document.rebase(std::move(base));
        emit rebased();
        return everything(*m_document.current());
    });
}

void ModelDocument::rebaseWithChanges(std::shared_ptr<const Model> base) {
    const std::vector<Change> changes = m_document.changes();
    rebase(std::move(base));
    if (!changes.empty()) {
        applyWhatCanBe(changes, tr("Keep changes"));
    }
}

bool ModelDocument::applyWhatCanBe(const std::vector<Change>& changes, const QString& label) {
    if (apply(changes, label)) {
        return true;
    }
    static int count = 0; // gives the steps of separate calls different keys
    const QString together = QStringLiteral("what-can-be-%1").arg(++count);
    bool any = false;
    for (const Change& change : changes) {
        any = apply({change}, label, together) || any;
    }
    return any;
}

void ModelDocument::refresh() {
    emit rebased();
    emit edited(everything(*m_document.current()));
}

bool ModelDocument::can(Capability capability) const {
    return !isBlocked() && m_document.capabilities().has(capability);
}

QString ModelDocument::whyNot(Capability capability) const {
    if (isBlocked() || can(capability)) {
        return m_blockedBy;
    }
    return tr("This is %1, which can be looked at, but not changed or written here: convert it to GGUF first.")
        .arg(fileFormatText(m_document.base()->container));
}

void ModelDocument::setBlocked(const QString& reason) {
    if (reason != m_blockedBy) {
        m_blockedBy = reason;
        emit editableChanged();
    }
}

} // namespace gufo::ui
