// The user interface for editing and saving in a model's tab: the bar of unsaved changes, saving and its questions, the
// review, drafts, and notices about refused changes and remarks.
#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/saving/change_bar.h"
#include "ui/saving/draft_keeper.h"
#include "ui/saving/saver.h"
#include "ui/shell/file_watch.h"
#include "ui/shell/notice_bar.h"

#include <QPointer>
#include <QWidget>

#include <functional>

namespace gufo::ui {

class ReviewDialog;

class TabEditing : public QObject {
    Q_OBJECT

public:
    struct Parts {
        ModelDocument* document = nullptr; // must outlive this object
        QPointer<QWidget> pages;           // where text may have been typed that is not part of the document yet
        QPointer<ChangeBar> bar;
        QPointer<NoticeBar> passing; // for notices that hide by themselves
        QPointer<NoticeBar> draft;   // for the draft of an earlier run
    };
    TabEditing(const Parts& parts, QObject* parent);
    ~TabEditing() override;

    // Called with true if the model was saved. May be delayed by questions and by Save as.
    using Done = std::function<void(bool)>;
    void save(Done done = {});
    void saveAs(Done done = {});
    void saveWithOptions();
    void askRevertAll();
    void review();
    [[nodiscard]] bool isSaving() const { return m_saver->isSaving(); }
    void cancelSaving();

    // `isTaken` says whether a path is open in another tab; such files are never overwritten.
    void setTakenPaths(std::function<bool(const std::filesystem::path&)> isTaken) { m_isTaken = std::move(isTaken); }

    [[nodiscard]] Saver* saver() const { return m_saver; }
    [[nodiscard]] DraftKeeper* drafts() const { return m_drafts; }
    // Call after the document was rebased.
    void follow() {
        m_overwritten = false;
        m_drafts->follow();
    }
    // The user discards the changes: no draft is kept.
    void discardChanges() { m_drafts->deleteDraft(); }
    // Another program has written into a file of the model, so its weights no longer exist. Until the document is
    // rebased, saveAs() says so if they would be needed.
    void setOverwritten(bool overwritten) { m_overwritten = overwritten; }
    [[nodiscard]] bool canSaveAs() const;

signals:
    void aboutToSave(); // readers of tensor data must stop
    // The document must be rebased on what was opened, or the tab must show why that failed.
    void saved(const gufo::ui::Saver::Saved& saved);
    void notSaved(); // the files are unchanged
    // A save was refused, because another program has changed this file. The user is asked what to do.
    void conflict(const std::filesystem::path& file, gufo::ui::FileChange change);
    void keepChangesRequested(); // on the file as it is now
    void openAgainRequested();   // without the changes

private:
    // Commits what was typed. Returns false if that is impossible; the user has been told why.
    [[nodiscard]] bool takeTyped();
    // Calls `proceed` unless a chat template that was changed is broken and the user then decides not to save it.
    void checkTemplates(std::function<void()> proceed, Done done);
    void start(const Saver::Request& request, Done done);
    void finish(const Saver::Request& request, Result<Saver::Saved> saved, const Done& done);
    void explain(const Error& error, const Saver::Request& request, const Done& done);
    void findConflict(const std::filesystem::path& file, const Done& done);
    void askAboutConflict(const std::filesystem::path& file, FileChange change, const Done& done);
    void offerDraft(Draft::Found found, const QDateTime& when);
    void updateBar();
    [[nodiscard]] QString name() const;
    [[nodiscard]] QString planText() const;
    [[nodiscard]] QWidget* window() const;

    Parts m_parts;
    Saver* m_saver;
    DraftKeeper* m_drafts;
    QString m_blockedBefore; // the document's blocking text before the save
    QPointer<ReviewDialog> m_review;
    LatestJob m_templateCheck{this};
    LatestJob m_conflictCheck{this};
    bool m_overwritten = false;
    QPointer<QWidget> m_question; // about a conflict
    std::function<bool(const std::filesystem::path&)> m_isTaken;
};

} // namespace gufo::ui
