// Keeps the unsaved changes of a document as a draft (document/draft.h), a moment after each edit, and offers what an
// earlier run left. All work on files is done in jobs, one at a time.
#pragma once

#include "document/draft.h"
#include "ui/document/model_document.h"
#include "ui/jobs/job.h"
#include "ui/saving/review_model.h"

#include <QDateTime>
#include <QTimer>

#include <functional>
#include <memory>

namespace gufo::ui {

// Where drafts are.
[[nodiscard]] std::filesystem::path draftFolder();

class DraftKeeper : public QObject {
    Q_OBJECT

public:
    // The document lives longer. Looks for a draft at once.
    explicit DraftKeeper(ModelDocument* document, QObject* parent = nullptr);
    ~DraftKeeper() override; // what is kept stays

    // One was found, and it has neither been restored nor discarded: until then none is kept.
    [[nodiscard]] bool isUndecided() const { return m_undecided; }
    [[nodiscard]] bool isBusy() const; // a job is under way, or an edit not kept yet

    void restore(); // as one step to undo
    void discard();
    // What the draft would change, for a look at it.
    void show(std::function<void(ReviewModel::State)> then);

    // The model was saved or read again, perhaps under another name; the document is rebased already.
    void follow();
    // Deletes what is kept, for good, also where this object goes right after.
    void giveUp();

signals:
    void found(gufo::Draft::Found found, const QDateTime& when);
    void decided();       // restored or discarded
    void heldElsewhere(); // another window or program keeps the drafts of this file; said once, at an edit
    void failed(const gufo::Error& error); // said once

private:
    struct Box; // what jobs share
    using Work = std::function<Result<ReadChanges>(Draft&, const JobContext&)>;

    void open();
    void keepSoon();
    void keep(std::shared_ptr<const Model> base);
    void run(Work work, std::function<void(const Result<ReadChanges>&)> done);
    void tellFailure(const Error& error);

    ModelDocument* m_document;
    std::shared_ptr<Box> m_box; // null until opened, or held elsewhere
    std::filesystem::path m_path;
    QTimer m_keepSoon;
    int m_running = 0;
    int m_number = 0; // of jobs
    bool m_undecided = false;
    bool m_heldElsewhere = false;
    bool m_toldHeld = false;
    bool m_toldFailure = false;
};

} // namespace gufo::ui
