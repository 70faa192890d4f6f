// The part of ModelTab that saves and rereads the file, and reacts to its changes on disk.
#include "base/kept_pages.h"
#include "model/kept_description.h"
#include "ui/mainwindow/tabs/model_tab.h"
#include "ui/mainwindow/tabs/tab_states.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/save_text.h"
#include "ui/saving/tab_editing.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/places.h"
#include "ui/widgets/pending_input.h"

#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

namespace gufo::ui {

bool ModelTab::isModified() const { return m_document != nullptr && !m_discarded && m_document->hasChanges(); }

bool ModelTab::isSaving() const { return m_editing != nullptr && m_editing->isSaving(); }

void ModelTab::save(std::function<void(bool)> done) {
    if (m_editing != nullptr) {
        m_editing->save(std::move(done));
    }
}

bool ModelTab::commitTyped() { return commitInput(host()); }

bool ModelTab::hasTyped() const { return hasPendingInput(host()); }

QString ModelTab::typedProblem() const {
    const PendingInput* stuck = stuckInput(host());
    return stuck != nullptr ? stuck->problem() : QString();
}

void ModelTab::discardTyped() { commitOrDiscardInput(host()); }

void ModelTab::showTyped() {
    emit wanted();
    if (PendingInput* stuck = stuckInput(host())) {
        stuck->bringBack();
    }
}

void ModelTab::discardChanges() {
    m_discarded = true;
    if (m_editing != nullptr) {
        m_editing->discardChanges();
    }
}

void ModelTab::reload() {
    if (isSaving() || !commitTyped()) {
        return;
    }
    if (!isModified()) {
        openAgain();
        return;
    }
    auto* box = new QMessageBox(window());
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setWindowTitle(tr("Reload"));
    box->setText(tr("%1 has unsaved changes.").arg(title()));
    box->setInformativeText(tr("They can be reapplied to the current file."));
    QPushButton* keep = box->addButton(tr("Keep them"), QMessageBox::AcceptRole);
    QPushButton* discard = box->addButton(tr("Discard them"), QMessageBox::DestructiveRole);
    box->addButton(QMessageBox::Cancel);
    box->setDefaultButton(keep);
    connect(box, &QMessageBox::finished, this, [this, box, keep, discard] {
        if (m_document == nullptr) {
            return; // the model has been dropped since
        }
        if (box->clickedButton() == keep) {
            keepChangesOnFile();
        } else if (box->clickedButton() == discard) {
            discardChanges();
            openAgain();
        }
    });
    box->open();
}

void ModelTab::keepChangesOnFile() {
    if (!commitTyped()) {
        return;
    }
    m_job.cancel();
    m_notice->hide();
    m_clock.start();
    m_job.start<OpenedModel>(
        [place = m_place](const JobContext& job) { return openWithStamps(place, job); },
        [this](Result<OpenedModel> opened) {
            if (!opened) {
                m_notice->showNotice(
                    tr("%1 cannot be read: %2.").arg(fileNameText(m_place), errorReason(opened.error())),
                    {{.text = tr("Save as…"), .run = [this] { m_editing->saveAs(); }},
                     {.text = tr("Try again"), .run = [this] { keepChangesOnFile(); }}},
                    NoticeBar::Tone::Error);
                return;
            }
            m_keepsDescription = opened->keepsDescription;
            watch(std::move(opened->files));
            m_document->rebaseWithChanges(std::move(opened->model), [this] {
                m_editing->follow();
                m_openedText = tr("Read again, with the unsaved changes reapplied");
                showPageStatus();
            });
        });
}

// Pages read tensor data in jobs, but a save in place unmaps the data. They start again when the document is rebased.
void ModelTab::stopReaders() {
    m_watch.setFiles({}); // ignores our own writing
    for (Job* job : host().findChildren<Job*>()) {
        job->cancel();
    }
}

void ModelTab::watch(std::vector<WatchedFile> files) {
    m_watched = files;
    m_watch.setFiles(std::move(files));
}

// After a failed save, restored files have other stamps, but the same bytes.
void ModelTab::watchAgain() {
    startJob<std::vector<WatchedFile>>(
        this,
        [files = m_watched](const JobContext&) -> Result<std::vector<WatchedFile>> {
            std::vector<WatchedFile> now;
            for (const WatchedFile& file : files) {
                now.push_back({file.path, stampOf(file.path)});
            }
            return now;
        },
        [this](Result<std::vector<WatchedFile>> files) { watch(std::move(*files)); });
    m_document->refresh();
}

// If only the time of the file has changed, as by `touch`, or only weights, the file is read again and nothing is
// asked.
void ModelTab::fileChanged(const std::filesystem::path& file, FileChange change) {
    if (m_editing == nullptr || change != FileChange::Overwritten || !m_keepsDescription) {
        m_readingAgain.cancel();
        showChange(file, change);
        return;
    }
    m_editing->setOverwritten(true);
    m_readingAgain.start<std::optional<OpenedModel>>(
        [place = m_place,
         base = m_document->document().base()](const JobContext& job) -> Result<std::optional<OpenedModel>> {
            auto opened = openWithStamps(place, job);
            const bool same = opened && opened->keepsDescription && sameDescription(*base, *opened->model);
            return same ? std::optional(*std::move(opened)) : std::nullopt;
        },
        [this, file, change](Result<std::optional<OpenedModel>> opened) {
            if (!opened || !*opened) {
                showChange(file, change);
                return;
            }
            m_notice->hide();
            watch(std::move((*opened)->files));
            m_document->rebaseWithChanges(std::move((*opened)->model), [this] {
                m_editing->setOverwritten(false);
                m_editing->follow();
                m_openedText = tr("Read again: another program wrote into the file, but not other keys or tensors");
                showPageStatus();
            });
        });
}

void ModelTab::showChange(const std::filesystem::path& file, FileChange change) {
    if (m_editing == nullptr) {
        return; // the model has been dropped since
    }
    const bool isOverwritten = change == FileChange::Overwritten;
    const bool isGone = change == FileChange::Gone;
    if (isOverwritten && !m_keepsDescription) { // the views may already show bytes of another model
        dropModel();
        fail(overwritten(file));
        return;
    }
    m_editing->setOverwritten(isOverwritten);
    QString text = fileChangeText(file, change) + QLatin1Char(' ');
    if (isOverwritten) {
        text += tr("The keys and the list of tensors are still those read before; the weights can no longer be read.");
    } else if (!isModified()) {
        text += tr("The version read before is still shown.");
    }
    if (!isModified()) {
        m_notice->showNotice(text, {{.text = tr("Reload"), .run = [this] { reload(); }}});
        return;
    }
    std::vector<NoticeAction> actions;
    if (!isGone) {
        actions.push_back({.text = tr("Keep my changes"), .run = [this] { keepChangesOnFile(); }});
    }
    if (m_editing->canSaveAs()) {
        actions.push_back({.text = tr("Save as…"), .run = [this] { m_editing->saveAs(); }});
    }
    if (!isGone) {
        actions.push_back({.text = tr("Discard them"), .run = [this] {
                               discardChanges();
                               openAgain();
                           }});
    }
    m_notice->showNotice(text.trimmed() + QLatin1Char(' ') + tr("Your unsaved changes are kept."), std::move(actions));
}

void ModelTab::explainSaving() {
    if (m_document != nullptr) {
        m_notice->showNotice(tr("This model is on %1. Saving it here needs all of it: %2 are downloaded first.")
                                 .arg(hostOf(m_place), formatBytes(m_document->current()->totals().fileBytes)),
                             {{.text = tr("Download…"), .run = [this] { emit downloadRequested(); }, .primary = true}},
                             NoticeBar::Tone::Info);
    }
}

void ModelTab::tellRecovery(Recovery recovery) {
    switch (recovery) {
    case Recovery::NotNeeded:
        return;
    case Recovery::RolledBack:
        m_notice->showNotice(
            tr("A save of this file was interrupted. It has been undone: the file is as it was before the save."), {},
            NoticeBar::Tone::Info);
        return;
    case Recovery::Completed:
        m_notice->showNotice(
            tr("A save of this file was interrupted. It has been completed: the file contains the changes."), {},
            NoticeBar::Tone::Info);
        return;
    }
}

void ModelTab::takeSaved(const Saver::Saved& saved) {
    m_notice->hide();
    m_discarded = false;
    const bool moved = m_place != saved.path;
    m_place = saved.path;
    if (!saved.opened) {
        m_discarded = true; // the changes are in the file
        fail(saved.opened.error());
        return;
    }
    m_keepsDescription = saved.opened->keepsDescription;
    watch(saved.opened->files);
    m_openedText = tr("Saved. %1").arg(saveReportText(saved.report));
    m_document->rebase(saved.opened->model);
    m_editing->follow();
    showPageStatus();
    if (moved) {
        emit titleChanged();
    }
    emit opened();
}

} // namespace gufo::ui
