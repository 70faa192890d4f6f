// Stores the unsaved changes of a document as a draft (document/draft.h) shortly after each edit, and offers the drafts
// of earlier runs, one after the other. All file operations run in jobs, one at a time.
#pragma once

#include "document/draft.h"
#include "ui/document/model_document.h"
#include "ui/jobs/job.h"
#include "ui/saving/review_model.h"

#include <QDateTime>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace gufo::ui {

// The folder of the drafts.
[[nodiscard]] std::filesystem::path draftFolder();

class DraftKeeper : public QObject {
    Q_OBJECT

public:
    // The document must outlive this object. Looks for a draft at once.
    explicit DraftKeeper(ModelDocument* document, QObject* parent = nullptr);
    ~DraftKeeper() override; // keeps the stored draft

    [[nodiscard]] bool isBusy() const; // a job is running, or an edit has not been stored yet

    void restore(); // the offered draft, as one undo step
    void discard(); // the offered draft
    // Reads what the offered draft would change, for a preview.
    void show(std::function<void(ReviewModel::State)> then);

    // The model was saved or reread, perhaps under another name. The document must already be rebased.
    void follow();
    // Deletes the draft of these changes permanently, even if this object is destroyed right afterwards.
    void deleteDraft();

signals:
    void found(gufo::Draft::Found found, const QDateTime& when);
    void decided();       // restored or discarded
    void heldElsewhere(); // another window or process holds the drafts of this file; emitted once, on an edit
    void failed(const gufo::Error& error); // emitted once; that drafts cannot be stored at all, on an edit

private:
    struct Box;   // shared with the jobs
    struct Offer; // a draft of an earlier run
    using Work = std::function<Result<ReadChanges>(Draft&, const JobContext&)>;

    void open();
    void keepSoon();
    void keep(std::shared_ptr<const Model> base);
    void run(Work work, std::function<void(const Result<ReadChanges>&)> done);
    void decide(std::function<Result<>(Draft&)> decision);
    void offer(const Offer& offer);
    void tellFailure(const Error& error);

    ModelDocument* m_document;
    std::shared_ptr<Box> m_box; // null until opened, or if held elsewhere
    std::filesystem::path m_path;
    QTimer m_keepSoon;
    int m_running = 0;
    int m_number = 0;         // of the changes stored
    bool m_undecided = false; // a draft is offered
    bool m_heldElsewhere = false;
    bool m_toldHeld = false;
    bool m_toldFailure = false;
    std::optional<Error> m_openFailure; // concerns only who edits, so it is told on an edit
};

} // namespace gufo::ui
