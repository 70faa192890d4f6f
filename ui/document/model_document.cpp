#include "ui/document/model_document.h"

#include "document/revert.h"
#include "document/surgery.h"
#include "formats/container/container.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/model_text.h"

#include <QCoreApplication>
#include <QPointer>

#include <algorithm>
#include <utility>

namespace gufo::ui {

namespace {

TouchedParts everything(const Model& model) {
    TouchedParts touched{.keys = {}, .keyOrder = true, .tensors = true, .target = true};
    for (const KeyValue& entry : model.metadata) {
        touched.keys.emplace(entry.key);
    }
    return touched;
}

void add(TouchedParts& all, TouchedParts more) {
    all.keys.merge(more.keys);
    all.keyOrder = all.keyOrder || more.keyOrder;
    all.tensors = all.tensors || more.tensors;
    all.target = all.target || more.target;
}

} // namespace

ModelDocument::ModelDocument(std::shared_ptr<const Model> base, QObject* parent)
    : QObject(parent)
    , m_document(std::make_shared<Document>(std::move(base))) {
    registerDocument(this);
}

ModelDocument::~ModelDocument() {
    if (hasManyTensors()) {
        destroyElsewhere(std::move(m_document));
    }
}

ModelDocument::Made ModelDocument::applied(Document& document, std::vector<Change> changes, const std::string& label,
                                           const std::string& mergeKey) {
    Made made;
    if (auto step = document.apply(std::move(changes), label, mergeKey)) {
        made.any = true;
        made.touched = std::move(step->touched);
        made.remarks = std::move(step->remarks);
    } else {
        made.refused.push_back(std::move(step).error());
    }
    return made;
}

// The marks of unsaved changes are up to date when the signals are emitted.
void ModelDocument::edit(const TouchedParts& touched) {
    const bool modified = m_document->isModified();
    const bool changes = modified != std::exchange(m_modified, modified);
    emit edited(touched);
    if (changes) {
        emit modifiedChanged(modified);
    }
}

void ModelDocument::tell(const Made& made) {
    for (const Error& error : made.refused) {
        emit refused(error);
    }
    if (made.any) {
        edit(made.touched);
    }
    if (!made.remarks.empty()) {
        emit remarked(made.remarks);
    }
}

bool ModelDocument::make(const Step& step, bool byJob, std::function<void(bool)> done) {
    if (!byJob) {
        const Made made = step(*m_document);
        tell(made);
        if (done) {
            done(made.any);
        }
        return made.any;
    }
    struct Outcome {
        std::shared_ptr<Document> document;
        Made made;
    };
    static_cast<void>(m_document->differences()); // copy() requires it
    m_step.start<Outcome>(
        [from = std::shared_ptr<const Document>(m_document), step](const JobContext&) -> Result<Outcome> {
            Outcome outcome{.document = std::make_shared<Document>(from->copy()), .made = {}};
            outcome.made = step(*outcome.document);
            static_cast<void>(outcome.document->differences()); // which the pages ask for at once
            return outcome;
        },
        [this, done = std::move(done)](Result<Outcome> outcome) {
            if (outcome->made.any) {
                std::swap(m_document, outcome->document);
            }
            tell(outcome->made);
            destroyElsewhere(std::move(outcome->document));
            emit editableChanged();
            if (done) {
                done(outcome->made.any);
            }
            emit settled();
        });
    emit editableChanged();
    return true;
}

bool ModelDocument::refuseIfBlocked() {
    if (isBlocked()) {
        emit refusedForNow(blockedBy());
    }
    return isBlocked();
}

bool ModelDocument::apply(std::vector<Change> changes, const QString& label, const QString& mergeKey) {
    if (refuseIfBlocked()) {
        return false;
    }
    // Keys that are named after the architecture follow it.
    changes = withArchitectureKeys(*current(), std::move(changes));
    const bool byJob = Document::readsWeights(changes) || (hasManyTensors() && Document::touchesTensors(changes));
    return make([changes = std::move(changes), label = label.toStdString(), mergeKey = mergeKey.toStdString()](
                    Document& document) { return applied(document, changes, label, mergeKey); },
                byJob);
}

void ModelDocument::undo() {
    if (!isBlocked() && m_document->canUndo()) {
        make(
            [](Document& document) {
                return Made{.any = true, .touched = document.undo(), .remarks = {}, .refused = {}};
            },
            hasManyTensors() && m_document->undoTouchesTensors());
    }
}

void ModelDocument::redo() {
    if (!isBlocked() && m_document->canRedo()) {
        make(
            [](Document& document) {
                return Made{.any = true, .touched = document.redo(), .remarks = {}, .refused = {}};
            },
            hasManyTensors() && m_document->redoTouchesTensors());
    }
}

void ModelDocument::revert(const Difference& difference) {
    if (refuseIfBlocked()) {
        return;
    }
    const QString name = displayText(difference.name);
    const QString label = name.isEmpty() ? tr("Revert") : tr("Revert %1").arg(name);
    make([difference, label = label.toStdString()](
             Document& document) { return applied(document, document.revert(difference), label, {}); },
         hasManyTensors() && difference.subject == Difference::Subject::Tensor);
}

void ModelDocument::revertAll() {
    if (refuseIfBlocked()) {
        return;
    }
    make([label = tr("Revert all changes").toStdString()](
             Document& document) { return applied(document, document.revertAll(), label, {}); },
         hasManyTensors() && m_document->areTensorsTouched());
}

void ModelDocument::rebase(std::shared_ptr<const Model> base) {
    const bool stepping = isStepping();
    if (stepping) {
        m_step.cancel(); // it was made from another base
    }
    m_document->rebase(std::move(base));
    emit rebased();
    edit(everything(*m_document->current()));
    if (stepping) {
        emit editableChanged();
        emit settled();
    }
}

void ModelDocument::rebaseWithChanges(std::shared_ptr<const Model> base, std::function<void()> done) {
    if (isStepping()) {
        whenSettled(this, [this, base = std::move(base), done = std::move(done)] { rebaseWithChanges(base, done); });
        return;
    }
    const auto reapply = [this, base = std::move(base), done = std::move(done)](const std::vector<Change>& changes) {
        rebase(base);
        if (!changes.empty()) {
            applyWhatCanBe(changes, tr("Keep changes"));
        }
        if (done) {
            done();
        }
    };
    if (!hasManyTensors() || !m_document->areTensorsTouched()) {
        reapply(m_document->changes());
        return;
    }
    m_step.start<std::vector<Change>>([changes = m_document->deferredChanges()](
                                          const JobContext&) -> Result<std::vector<Change>> { return changes(); },
                                      [this, reapply](const Result<std::vector<Change>>& changes) {
                                          reapply(*changes);
                                          if (!isStepping()) {
                                              emit settled();
                                          }
                                      });
    emit editableChanged();
}

void ModelDocument::applyWhatCanBe(const std::vector<Change>& changes, const QString& label,
                                   std::function<void(bool)> done) {
    if (refuseIfBlocked()) {
        if (done) {
            done(false);
        }
        return;
    }
    static int count = 0; // gives the steps of separate calls different keys
    const std::string together = "what-can-be-" + std::to_string(++count);
    make(
        [changes, label = label.toStdString(), together](Document& document) {
            Made all = applied(document, changes, label, {});
            if (all.any) {
                return all;
            }
            for (const Change& change : changes) {
                Made one = applied(document, {change}, label, together);
                all.any = all.any || one.any;
                add(all.touched, std::move(one.touched));
                std::ranges::move(one.remarks, std::back_inserter(all.remarks));
                std::ranges::move(one.refused, std::back_inserter(all.refused));
            }
            return all;
        },
        Document::readsWeights(changes) || (hasManyTensors() && Document::touchesTensors(changes)), std::move(done));
}

void ModelDocument::whenSettled(QObject* context, std::function<void()> then) {
    if (!isStepping()) {
        then();
        return;
    }
    connect(this, &ModelDocument::settled, context, std::move(then), Qt::SingleShotConnection);
}

QString ModelDocument::blockedBy() const {
    return isStepping() ? tr("The tensors of this model are being changed.") : m_blockedBy;
}

void ModelDocument::refresh() {
    emit rebased();
    emit edited(everything(*m_document->current()));
}

bool ModelDocument::can(Capability capability) const {
    return !isBlocked() && m_document->capabilities().has(capability);
}

QString ModelDocument::whyNot(Capability capability) const {
    if (isBlocked() || can(capability)) {
        return blockedBy();
    }
    const Container* container = containerOf(*m_document->base());
    if (container != nullptr && container->capabilities.has(capability)) {
        return tr(
            "This was opened through a folder, a list or a piece of it: to change a file, open that file itself.");
    }
    if (can(Capability::EditMetadata)) {
        return tr("In %1, only the texts of the metadata can be changed here.")
            .arg(fileFormatText(m_document->base()->container));
    }
    return tr("This is %1, which can be looked at, but not changed or written here: convert it to GGUF first.")
        .arg(fileFormatText(m_document->base()->container));
}

void ModelDocument::setBlocked(const QString& reason) {
    if (reason != m_blockedBy) {
        m_blockedBy = reason;
        emit editableChanged();
    }
}

namespace {

QList<QPointer<ModelDocument>>& documents() {
    static QList<QPointer<ModelDocument>> all;
    return all;
}

} // namespace

void registerDocument(ModelDocument* document) {
    documents().removeIf([](const QPointer<ModelDocument>& known) { return known.isNull(); });
    if (!documents().contains(document)) {
        documents() << document;
    }
}

QList<ModelDocument*> openDocuments() {
    QList<ModelDocument*> alive;
    for (const QPointer<ModelDocument>& document : documents()) {
        if (!document.isNull()) {
            alive << document;
        }
    }
    return alive;
}

void revertDifferences(QObject* owner, ModelDocument* document, std::vector<Difference> differences) {
    if (differences.size() <= 1) {
        if (!differences.empty()) {
            document->revert(differences.front());
        }
        return;
    }
    // The differences view values of the current model, which the job keeps alive.
    startJob<std::vector<Change>>(
        owner,
        [current = document->current(), base = document->document().base(),
         edits = document->document().deferredChanges(),
         differences = std::move(differences)](const JobContext&) -> Result<std::vector<Change>> {
            return edit::revertSeveral(base, edits(), differences);
        },
        [document, current = document->current()](Result<std::vector<Change>> changes) {
            if (changes && !changes->empty() && document->current() == current) {
                document->apply(std::move(*changes), ModelDocument::tr("Revert"));
            }
        });
}

} // namespace gufo::ui

#include "moc_model_document.cpp"
