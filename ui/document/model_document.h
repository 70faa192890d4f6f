// The document of a tab, for its pages: signals what was edited. UI thread only.
//
// If a model has very many tensors, a job makes the steps that touch them in a copy of the document, which then
// replaces the original. Until then nothing else can be edited.
//
//    connect(document, &ModelDocument::edited, this, &MyPage::follow);
//    document->apply({SetKey{"general.name", OwnedValue::string(text)}}, tr("Set general.name"));
#pragma once

#include "document/difference.h"
#include "document/document.h"
#include "ui/jobs/latest_job.h"

#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>

#include <functional>
#include <vector>

class QObject;

namespace gufo::ui {

// From this number of tensors on, a job makes the steps that touch them.
inline constexpr std::size_t kTensorsForJob = 10'000;

class ModelDocument : public QObject {
    Q_OBJECT

public:
    explicit ModelDocument(std::shared_ptr<const Model> base, QObject* parent = nullptr);
    ~ModelDocument() override;

    // Valid until the next signal.
    [[nodiscard]] const Document& document() const { return *m_document; }
    [[nodiscard]] const std::shared_ptr<const Model>& current() const { return m_document->current(); }
    // Whether the model can be changed in this way now: its container supports it, and the document is not blocked.
    [[nodiscard]] bool can(Capability capability) const;
    [[nodiscard]] QString whyNot(Capability capability) const; // a sentence; empty if it can
    // The document is blocked while the model is being saved or a job makes a step, or if a shard is missing; the text
    // is a sentence that says so.
    [[nodiscard]] bool isBlocked() const { return isStepping() || !m_blockedBy.isEmpty(); }
    [[nodiscard]] QString blockedBy() const;
    // Whether a job is making a step.
    [[nodiscard]] bool isStepping() const { return m_step.isRunning(); }
    // Calls `then` now, or when the job has made its step.
    void whenSettled(QObject* context, std::function<void()> then);
    // Whether there are unsaved changes, or may be after the running step.
    [[nodiscard]] bool hasChanges() const { return isStepping() || m_document->isModified(); }

    // Applies the changes as one step, see Document::apply. Returns false if they were refused; refused() or
    // refusedForNow() gave the reason. If a job makes the step, it returns true, and refused() may follow.
    bool apply(std::vector<Change> changes, const QString& label, const QString& mergeKey = {});
    void undo();
    void redo();
    void revert(const Difference& difference);
    void revertAll();

    // Sets what the file contains after a save. The undo steps are kept.
    void rebase(std::shared_ptr<const Model> base);
    // Sets what another program has written, and reapplies the changes as one step. Changes that are no longer possible
    // are left out and reported by refused(). Calls `done` when the document has the new base.
    void rebaseWithChanges(std::shared_ptr<const Model> base, std::function<void()> done = {});
    // Applies the changes as one step or, if that is impossible, each change that is possible by itself. Calls `done`
    // with whether any was applied.
    void applyWhatCanBe(const std::vector<Change>& changes, const QString& label, std::function<void(bool)> done = {});
    // Emits rebased() although nothing has changed, so that readers of tensor data that were stopped start again.
    void refresh();
    void setBlocked(const QString& reason);                         // an empty text removes the block
    [[nodiscard]] QString blockText() const { return m_blockedBy; } // as set

signals:
    // current() has been replaced by another snapshot. Item models swap it in, and keep the selection, scroll position
    // and filter.
    void edited(const gufo::TouchedParts& touched);
    void modifiedChanged(bool modified);
    void editableChanged();
    void refused(const gufo::Error& error); // shown by the window
    void
    refusedForNow(const QString& reason); // shown by the window: the document is blocked, and `reason` is blockedBy()
    void remarked(const std::vector<gufo::Finding>& remarks); // shown by the window for a short time
    void rebased();                                           // after a save or reload; edited() follows
    void settled();                                           // a job has made its step; follows edited()

private:
    struct Made {
        bool any = false;
        TouchedParts touched;
        std::vector<Finding> remarks;
        std::vector<Error> refused;
    };
    using Step = std::function<Made(Document&)>;

    [[nodiscard]] static Made applied(Document& document, std::vector<Change> changes, const std::string& label,
                                      const std::string& mergeKey);
    [[nodiscard]] bool hasManyTensors() const { return current()->tensors.size() >= kTensorsForJob; }
    [[nodiscard]] bool refuseIfBlocked();
    // Makes a step now and returns whether anything was applied, or by a job and returns true.
    bool make(const Step& step, bool byJob, std::function<void(bool)> done = {});
    void tell(const Made& made);
    void edit(const TouchedParts& touched);

    std::shared_ptr<Document> m_document;
    LatestJob m_step{this};
    QString m_blockedBy;
    bool m_modified = false;
};

// Registers the document until it is destroyed. Every document does this when it is made, whichever pages its tab
// shows, so that one model can take data from another.
void registerDocument(ModelDocument* document);
[[nodiscard]] QList<ModelDocument*> openDocuments(); // in the order in which they were opened

// Reverts several differences between a document and its file in one step. A job of `owner` finds out what has to be
// changed, because that takes long for many tensors; nothing is reverted if the document is edited in the meantime.
// Both must live on the UI thread.
void revertDifferences(QObject* owner, ModelDocument* document, std::vector<Difference> differences);

} // namespace gufo::ui
