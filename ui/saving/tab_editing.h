// Editing and saving of the model in a tab, as far as a person sees it: the bar of unsaved changes, saving and its
// questions, the review, drafts, and what the document refuses or remarks.
#pragma once

#include "ui/saving/change_bar.h"
#include "ui/saving/draft_keeper.h"
#include "ui/saving/saver.h"
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
        ModelDocument* document = nullptr; // lives longer
        QPointer<ChangeBar> bar;
        QPointer<NoticeBar> passing; // for what is said in passing
        QPointer<NoticeBar> draft;   // for what an earlier run left
    };
    TabEditing(const Parts& parts, QObject* parent);
    ~TabEditing() override;

    // `true`: saved. It may take questions, and Save as in its turn.
    using Done = std::function<void(bool)>;
    void save(Done done = {});
    void saveAs(Done done = {});
    void saveWithOptions();
    void askRevertAll();
    void review();
    [[nodiscard]] bool isSaving() const { return m_saver->isSaving(); }
    void cancelSaving();

    // Says whether a path is open in another tab: nothing is saved over that.
    void setTakenPaths(std::function<bool(const std::filesystem::path&)> isTaken) { m_isTaken = std::move(isTaken); }

    [[nodiscard]] Saver* saver() const { return m_saver; }
    [[nodiscard]] DraftKeeper* drafts() const { return m_drafts; }
    // The document was rebased.
    void follow() { m_drafts->follow(); }
    // The changes are not wanted: no draft is kept.
    void giveUp() { m_drafts->giveUp(); }
    [[nodiscard]] ReviewDialog* reviewDialog() const;

signals:
    void aboutToSave(); // whoever reads tensor data stops
    // The document is to be rebased on what was opened, or shows why that failed.
    void saved(const gufo::ui::Saver::Saved& saved);
    void notSaved(); // the files are as they were
    void fileChangedOnDisk();

private:
    void start(const Saver::Request& request, Done done);
    void finish(const Saver::Request& request, Result<Saver::Saved> saved, const Done& done);
    void explain(const Error& error, const Saver::Request& request, const Done& done);
    void offerDraft(Draft::Found found, const QDateTime& when);
    void updateBar();
    [[nodiscard]] QString name() const;
    [[nodiscard]] QString planText() const;
    [[nodiscard]] QWidget* window() const;

    Parts m_parts;
    Saver* m_saver;
    DraftKeeper* m_drafts;
    QString m_whyNotBefore; // while saving: what the document said before
    QPointer<ReviewDialog> m_review;
    std::function<bool(const std::filesystem::path&)> m_isTaken;
};

} // namespace gufo::ui
