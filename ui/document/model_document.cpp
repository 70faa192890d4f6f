#include "ui/document/model_document.h"

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

// Runs a step that gives the parts it touched, and says so; the marks of unsaved changes are right by then.
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
    if (!isEditable()) {
        emit refused(Error{.code = ErrorCode::NotSupported,
                           .file = m_document.base()->path(),
                           .place = {},
                           .args = {m_whyNot.toStdString()}});
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
    if (isEditable() && m_document.canUndo()) {
        follow([this] { return m_document.undo(); });
    }
}

void ModelDocument::redo() {
    if (isEditable() && m_document.canRedo()) {
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
    static int count = 0; // steps of different calls stay apart
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

void ModelDocument::setWhyNotEditable(const QString& reason) {
    if (reason != m_whyNot) {
        m_whyNot = reason;
        emit editableChanged();
    }
}

} // namespace gufo::ui
