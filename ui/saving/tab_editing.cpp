#include "ui/saving/tab_editing.h"

#include "base/detail.h"
#include "text/audit/template_findings.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"
#include "ui/messages/save_text.h"
#include "ui/saving/review_dialog.h"
#include "ui/saving/save_dialog.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/native_path.h"
#include "ui/shell/settings.h"
#include "ui/widgets/pending_input.h"

#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>
#include <set>

namespace gufo::ui {
namespace {

constexpr std::string_view kTemplateKeys = "tokenizer.chat_template";

SaveOptions optionsFromSettings() {
    const QSettings settings;
    SaveOptions options;
    options.verify = settings.value(setting::kSaveVerify, false).toBool();
    options.reserve = settings.value(setting::kSaveReserve, true).toBool() ? Reserve::Automatic : Reserve::None;
    return options;
}

QString sentence(QString text) {
    if (!text.isEmpty()) {
        text[0] = text[0].toUpper();
    }
    return text.endsWith(u'.') ? text : text + QLatin1Char('.');
}

QString errorSentences(const Error& error) {
    const QString place = placeText(error.place);
    const QString hint = errorHint(error);
    QString text =
        sentence(place.isEmpty() ? errorReason(error) : QStringLiteral("%1: %2").arg(place, errorReason(error)));
    return hint.isEmpty() ? text : text + QLatin1Char(' ') + hint;
}

} // namespace

TabEditing::TabEditing(const Parts& parts, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_saver(new Saver(parts.document, this))
    , m_drafts(new DraftKeeper(parts.document, this)) {
    m_saver->setOptions(optionsFromSettings());
    ModelDocument* document = m_parts.document;
    connect(document, &ModelDocument::edited, this, &TabEditing::updateBar);
    connect(document, &ModelDocument::refused, this, [this](const Error& error) {
        m_parts.passing->showInPassing(errorSentences(error), NoticeBar::Tone::Error);
    });
    connect(document, &ModelDocument::refusedForNow, this,
            [this](const QString& reason) { m_parts.passing->showInPassing(reason, NoticeBar::Tone::Error); });
    connect(document, &ModelDocument::remarked, this, [this](const std::vector<Finding>& remarks) {
        QStringList texts;
        for (const Finding& remark : remarks) {
            const QString place = placeText(remark.place);
            texts << (place.isEmpty() ? findingMessage(remark)
                                      : QStringLiteral("%1: %2").arg(place, findingMessage(remark)));
        }
        m_parts.passing->showInPassing(texts.mid(0, 3).join(QLatin1Char('\n')), NoticeBar::Tone::Warning);
    });
    connect(m_saver, &Saver::planned, this, [this] {
        const QString text = planText();
        m_parts.bar->setPlan(text);
        if (m_review) {
            m_review->setPlan(text);
        }
    });
    connect(m_saver, &Saver::aboutToSave, this, &TabEditing::aboutToSave);
    connect(m_saver, &Saver::progressed, m_parts.bar, &ChangeBar::setProgress);
    connect(m_saver, &Saver::costsMore, m_parts.bar, [bar = m_parts.bar](const FilePlan& file) {
        bar->setSaving(
            tr("Saving by %1: %2").arg(strategyInSentence(file.strategy), saveReasonText(file.reason, file.args)));
    });
    connect(m_parts.bar, &ChangeBar::saveRequested, this, [this] { save(); });
    connect(m_parts.bar, &ChangeBar::reviewRequested, this, &TabEditing::review);
    connect(m_parts.bar, &ChangeBar::revertRequested, this, &TabEditing::askRevertAll);
    connect(m_parts.bar, &ChangeBar::cancelRequested, this, &TabEditing::cancelSaving);
    connect(m_drafts, &DraftKeeper::found, this, &TabEditing::offerDraft);
    connect(m_drafts, &DraftKeeper::decided, m_parts.draft, &QWidget::hide);
    connect(m_drafts, &DraftKeeper::heldElsewhere, this, [this] {
        m_parts.draft->showNotice(tr("%1 is being edited in another window or program. Changes made here are lost "
                                     "unless you save, and saving replaces the content of the file.")
                                      .arg(name()));
    });
    connect(m_drafts, &DraftKeeper::failed, this, [this](const Error& error) {
        m_parts.passing->showInPassing(tr("The draft of the unsaved changes: %1").arg(errorSentences(error)),
                                       NoticeBar::Tone::Error);
    });
    updateBar();
}

TabEditing::~TabEditing() {
    delete m_review.data();
    if (m_question) { // not deleted here, because its answer may be the reason
        m_question->deleteLater();
    }
    if (m_parts.bar) { // the tab still exists
        m_parts.bar->disconnect(this);
        m_parts.bar->setChanges(0);
        m_parts.bar->endSaving();
        m_parts.draft->hide();
    }
}

QWidget* TabEditing::window() const { return m_parts.bar->window(); }

QString TabEditing::name() const { return modelNameText(m_parts.document->document().base()->path()); }

void TabEditing::offerDraft(Draft::Found found, const QDateTime& when) {
    const QString time = when.date() == QDate::currentDate() ? QLocale().toString(when.time(), QStringLiteral("HH:mm"))
                                                             : QLocale().toString(when, QLocale::ShortFormat);
    std::vector<NoticeAction> actions;
    const NoticeAction discard{.text = tr("Discard"), .run = [this] { m_drafts->discard(); }};
    if (found == Draft::Found::Damaged) {
        m_parts.draft->showNotice(tr("There are unsaved changes from %1, but they cannot be read.").arg(time),
                                  {discard}, NoticeBar::Tone::Warning);
        return;
    }
    actions.push_back({.text = tr("Restore"), .run = [this] { m_drafts->restore(); }, .primary = true});
    actions.push_back(discard);
    actions.push_back(
        {.text = tr("Show"), .run = [this, found, when, time] {
             offerDraft(found, when); // shown until the user decides
             m_drafts->show([this, time](ReviewModel::State state) {
                 (new ReviewDialog(std::move(state), tr("Unsaved changes from %1 — %2").arg(time, name()), window()))
                     ->show();
             });
         }});
    m_parts.draft->showNotice(
        found == Draft::Found::FileChanged
            ? tr("There are unsaved changes from %1, made before the file was changed on disk.").arg(time)
            : tr("There are unsaved changes from %1.").arg(time),
        std::move(actions), NoticeBar::Tone::Info);
}

void TabEditing::updateBar() { m_parts.bar->setChanges(m_parts.document->document().differences().size()); }

QString TabEditing::planText() const {
    const auto& plan = m_saver->plan();
    if (!plan) {
        return {};
    }
    return *plan ? savePlanText(**plan, m_parts.document->current()->totals().tensorBytes)
                 : tr("It cannot be saved in this way: %1.").arg(errorReason(plan->error()));
}

// ---- saving

bool TabEditing::takeTyped() {
    if (m_parts.pages.isNull() || commitInput(*m_parts.pages)) {
        return true;
    }
    if (const PendingInput* stuck = stuckInput(*m_parts.pages); stuck != nullptr && !stuck->isShown()) {
        m_parts.passing->showInPassing(stuck->problem(), NoticeBar::Tone::Error);
    }
    return false;
}

void TabEditing::save(Done done) {
    if (isSaving()) {
        return;
    }
    if (m_parts.document->isStepping()) {
        m_parts.document->whenSettled(this, [this, done = std::move(done)] { save(done); });
        return;
    }
    if (!takeTyped()) {
        if (done) {
            done(false);
        }
        return;
    }
    if (!m_parts.document->document().isModified()) {
        m_parts.passing->showInPassing(tr("There are no changes to save."), NoticeBar::Tone::Info);
        if (done) {
            done(true);
        }
        return;
    }
    if (!m_parts.document->document().capabilities().has(Capability::SaveInPlace)) {
        saveAs(std::move(done));
        return;
    }
    checkTemplates([this, done] { start({.path = {}, .options = m_saver->options()}, done); }, done);
}

void TabEditing::checkTemplates(std::function<void()> proceed, Done done) {
    const auto& differences = m_parts.document->document().differences();
    const auto isTemplate = [](const Difference& row) {
        return row.subject == Difference::Subject::Key && !row.deleted && row.name.starts_with(kTemplateKeys);
    };
    if (std::ranges::none_of(differences, isTemplate)) {
        proceed();
        return;
    }
    std::set<std::string> changed;
    for (const Difference& row : differences) {
        if (isTemplate(row)) {
            changed.insert(row.name);
        }
    }
    m_templateCheck.start<std::vector<Finding>>(
        [model = m_parts.document->current(),
         changed = std::move(changed)](const JobContext& job) -> Result<std::vector<Finding>> {
            std::vector<Finding> broken =
                text::checkChatTemplates(model->metadata, job.stop).value_or(std::vector<Finding>());
            std::erase_if(broken, [&](const Finding& each) { return !changed.contains(each.place.name); });
            return broken;
        },
        [this, proceed = std::move(proceed), done = std::move(done)](const Result<std::vector<Finding>>& broken) {
            if (broken->empty()) {
                proceed();
                return;
            }
            auto* box = new QMessageBox(window());
            box->setAttribute(Qt::WA_DeleteOnClose);
            box->setIconPixmap(
                themeIcon(QStringLiteral("warning"), Token::WarningMark).pixmap({24, 24}, box->devicePixelRatio()));
            box->setTextFormat(Qt::PlainText);
            box->setWindowTitle(tr("Save"));
            box->setText(tr("The chat template has an error."));
            box->setInformativeText(
                sentence(placeText(broken->front().place) + QStringLiteral(": ") + findingMessage(broken->front())) +
                QLatin1Char(' ') + tr("Programs that use this template cannot chat with the model."));
            QPushButton* save = box->addButton(tr("Save anyway"), QMessageBox::AcceptRole);
            box->setDefaultButton(box->addButton(QMessageBox::Cancel));
            connect(box, &QMessageBox::finished, this, [box, save, proceed, done] {
                if (box->clickedButton() == save) {
                    proceed();
                } else if (done) {
                    done(false);
                }
            });
            box->open();
        });
}

void TabEditing::saveAs(Done done) {
    if (isSaving()) {
        return;
    }
    if (m_parts.document->isStepping()) {
        m_parts.document->whenSettled(this, [this, done = std::move(done)] { saveAs(done); });
        return;
    }
    if (!takeTyped()) {
        if (done) {
            done(false);
        }
        return;
    }
    const std::filesystem::path current = m_parts.document->document().base()->path();
    if (!canSaveAs()) {
        askAboutConflict(current, FileChange::Overwritten, done);
        return;
    }
    auto* dialog = new QFileDialog(window(), tr("Save %1 as").arg(name()), qtPath(current.parent_path()),
                                   saveModelFilter(*m_parts.document->document().base()));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(saveModelSuffix(*m_parts.document->document().base()));
    dialog->selectFile(qtPath(current.filename()));
    connect(dialog, &QFileDialog::rejected, this, [done] {
        if (done) {
            done(false);
        }
    });
    connect(dialog, &QFileDialog::fileSelected, this, [this, current, done](const QString& chosen) {
        const std::filesystem::path path = absolutePath(fromQtPath(chosen));
        if (path == current) {
            save(done);
        } else if (m_isTaken && m_isTaken(path)) {
            auto* box = new QMessageBox(
                QMessageBox::Warning, tr("Save as"),
                tr("%1 is open in another tab. Close it there, or choose another name.").arg(fileNameText(path)),
                QMessageBox::Ok, window());
            box->setAttribute(Qt::WA_DeleteOnClose);
            box->setTextFormat(Qt::PlainText);
            connect(box, &QMessageBox::finished, this, [this, done] { saveAs(done); });
            box->open();
        } else {
            SaveOptions options = m_saver->options();
            options.strategy.reset(); // the strategy is copy, or clone if the file system supports it
            checkTemplates([this, path, options, done] { start({.path = path, .options = options}, done); }, done);
        }
    });
    dialog->open();
}

void TabEditing::saveWithOptions() {
    if (isSaving() || !takeTyped()) {
        return;
    }
    if (m_parts.document->isStepping()) {
        m_parts.document->whenSettled(this, [this] { saveWithOptions(); });
        return;
    }
    auto* dialog = new SaveDialog(*m_parts.document, m_saver->options(), window());
    const auto take = [this, dialog] {
        const SaveOptions options = dialog->options();
        QSettings settings;
        settings.setValue(setting::kSaveVerify, options.verify);
        settings.setValue(setting::kSaveReserve, options.reserve == Reserve::Automatic);
        m_saver->setOptions(optionsFromSettings()); // a forced strategy applies to one save only
        dialog->accept();
        return options;
    };
    connect(dialog, &SaveDialog::saveRequested, this, [this, take] {
        const SaveOptions options = take();
        if (m_parts.document->document().isModified() || options.strategy) {
            checkTemplates([this, options] { start({.path = {}, .options = options}, {}); }, {});
        } else {
            save();
        }
    });
    connect(dialog, &SaveDialog::saveAsRequested, this, [this, take] {
        take();
        saveAs();
    });
    dialog->open();
}

void TabEditing::start(const Saver::Request& request, Done done) {
    m_blockedBefore = m_parts.document->blockText();
    m_parts.document->setBlocked(tr("The model is being saved."));
    m_parts.bar->setSaving(request.path.empty() ? tr("Saving…") : tr("Saving as %1…").arg(fileNameText(request.path)));
    m_saver->save(request, [this, request, done = std::move(done)](Result<Saver::Saved> saved) {
        finish(request, std::move(saved), done);
    });
}

void TabEditing::finish(const Saver::Request& request, Result<Saver::Saved> saved, const Done& done) {
    m_parts.document->setBlocked(m_blockedBefore);
    m_parts.bar->endSaving();
    if (!saved) {
        emit notSaved();
        explain(saved.error(), request, done);
        return;
    }
    const QString text = saveReportText(saved->report);
    emit this->saved(*saved);
    m_parts.bar->showSaved(text, saved->report.hashAfter.has_value());
    if (done) {
        done(true);
    }
}

// Explains why saving failed, and what can be done instead.
void TabEditing::explain(const Error& error, const Saver::Request& request, const Done& done) {
    const auto answer = [done](bool saved) {
        if (done) {
            done(saved);
        }
    };
    if (error.code == ErrorCode::Cancelled) {
        m_parts.passing->showInPassing(tr("Saving was cancelled. The file is unchanged."), NoticeBar::Tone::Info);
        answer(false);
        return;
    }
    const Model& base = *m_parts.document->document().base();
    const bool isOwnFile =
        std::ranges::any_of(base.files, [&](const ModelFile& file) { return file.path == error.file; });
    const bool isImport = !error.args.empty() && error.args[0].detail() == Detail::ImportSource;
    if ((error.code == ErrorCode::FileChangedOnDisk && !isImport) ||
        ((error.code == ErrorCode::FileChangedWhileReading || error.code == ErrorCode::FileNotFound) && isOwnFile)) {
        findConflict(isOwnFile ? error.file : base.path(), done);
        return;
    }
    auto* box = new QMessageBox(window());
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIconPixmap(
        themeIcon(QStringLiteral("warning"), Token::WarningMark).pixmap({24, 24}, box->devicePixelRatio()));
    box->setTextFormat(Qt::PlainText);
    box->setWindowTitle(tr("Save"));
    const bool shared = error.code == ErrorCode::SharedFile;
    box->setText(shared ? tr("%1 should be saved under another name.").arg(name())
                        : tr("%1 was not saved.").arg(name()));
    QString reason = errorSentences(error);
    if (!error.file.empty() && error.file != m_parts.document->document().base()->path()) {
        reason.prepend(displayPath(error.file) + QLatin1Char('\n'));
    }
    box->setInformativeText(reason + QLatin1Char(' ') + tr("The changes are kept, and the file is unchanged."));
    QPushButton* saveAsButton = box->addButton(tr("Save as…"), QMessageBox::AcceptRole);
    QPushButton* again = shared ? box->addButton(tr("Save here anyway"), QMessageBox::DestructiveRole)
                                : box->addButton(tr("Try again"), QMessageBox::ActionRole);
    box->addButton(QMessageBox::Cancel);
    box->setDefaultButton(saveAsButton);
    connect(box, &QMessageBox::finished, this, [this, box, saveAsButton, again, shared, request, done, answer] {
        if (box->clickedButton() == saveAsButton) {
            saveAs(done);
        } else if (box->clickedButton() == again) {
            Saver::Request repeated = request;
            repeated.options.allowSharedFile = shared || request.options.allowSharedFile;
            start(repeated, done);
        } else {
            answer(false);
        }
    });
    box->open();
}

// Whether the version that was read still exists decides what the user can do.
void TabEditing::findConflict(const std::filesystem::path& file, const Done& done) {
    m_conflictCheck.start<FileChange>(
        [base = m_parts.document->document().base(), file](const JobContext&) -> Result<FileChange> {
            const bool overwritten = std::ranges::any_of(base->files, [](const ModelFile& each) {
                return each.source != nullptr && each.source->damage().has_value();
            });
            const FileChange other = stampOf(file) ? FileChange::Replaced : FileChange::Gone;
            return overwritten ? FileChange::Overwritten : other;
        },
        [this, file, done](const Result<FileChange>& change) {
            m_overwritten = *change == FileChange::Overwritten;
            emit conflict(file, *change);
            askAboutConflict(file, *change, done);
        });
}

void TabEditing::askAboutConflict(const std::filesystem::path& file, FileChange change, const Done& done) {
    auto* box = new QMessageBox(window());
    m_question = box;
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIconPixmap(
        themeIcon(QStringLiteral("warning"), Token::WarningMark).pixmap({24, 24}, box->devicePixelRatio()));
    box->setTextFormat(Qt::PlainText);
    box->setWindowTitle(tr("Save"));
    box->setText(fileChangeText(file, change));
    const bool isModified = m_parts.document->hasChanges();
    const bool isGone = change == FileChange::Gone;
    QStringList text;
    if (isModified) {
        text << tr("It has not been saved, so that nothing is lost. Your changes are kept.");
    }
    if (!canSaveAs()) {
        text << tr("The weights that were read before no longer exist, so this version cannot be saved under another "
                   "name.");
    }
    box->setInformativeText(text.join(QLatin1Char(' ')));
    QPushButton* saveAsButton = canSaveAs() ? box->addButton(tr("Save as…"), QMessageBox::AcceptRole) : nullptr;
    QPushButton* keep = nullptr;
    QPushButton* discard = nullptr;
    if (!isGone && isModified) {
        keep = box->addButton(tr("Keep my changes"), QMessageBox::AcceptRole);
        keep->setToolTip(tr("Read the file again and make the changes there"));
        discard = box->addButton(tr("Discard them"), QMessageBox::DestructiveRole);
    } else if (!isGone) {
        discard = box->addButton(tr("Reload"), QMessageBox::AcceptRole);
    }
    box->setDefaultButton(box->addButton(QMessageBox::Cancel));
    connect(box, &QMessageBox::finished, this, [this, box, keep, saveAsButton, discard, done] {
        const QAbstractButton* clicked = box->clickedButton();
        if (clicked != nullptr && clicked == saveAsButton) {
            saveAs(done);
            return;
        }
        if (done) {
            done(false);
        }
        if (clicked != nullptr && clicked == keep) {
            emit keepChangesRequested();
        } else if (clicked != nullptr && clicked == discard) {
            emit openAgainRequested(); // deletes this object
        }
    });
    box->open();
}

bool TabEditing::canSaveAs() const { return !m_overwritten || m_parts.document->document().base()->tensors.empty(); }

void TabEditing::cancelSaving() { m_saver->cancel(); }

// ---- review and revert

void TabEditing::review() {
    if (!takeTyped()) {
        return;
    }
    if (!m_review) {
        m_review = new ReviewDialog(m_parts.document, name(), window());
        m_review->setPlan(planText());
        connect(m_review, &ReviewDialog::saveRequested, this, [this] {
            m_review->close();
            save();
        });
        connect(m_review, &ReviewDialog::revertAllRequested, this, &TabEditing::askRevertAll);
    }
    m_review->show();
    m_review->raise();
    m_review->activateWindow();
}

void TabEditing::askRevertAll() {
    if (!takeTyped()) {
        return;
    }
    const std::size_t count = m_parts.document->document().differences().size();
    if (count == 0 || m_parts.document->isBlocked()) {
        return;
    }
    auto* box = new QMessageBox(m_review ? static_cast<QWidget*>(m_review) : window());
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setWindowTitle(tr("Revert all changes"));
    box->setText(count == 1 ? tr("Revert the unsaved change of %1?").arg(name())
                            : tr("Revert all %n unsaved changes of %1?", nullptr, numerus(count)).arg(name()));
    box->setInformativeText(tr("Undo restores them."));
    QPushButton* revert = box->addButton(tr("Revert"), QMessageBox::AcceptRole);
    box->addButton(QMessageBox::Cancel);
    box->setDefaultButton(revert);
    connect(box, &QMessageBox::finished, this, [this, box, revert] {
        if (box->clickedButton() == revert) {
            m_parts.document->revertAll();
        }
    });
    box->open();
}

} // namespace gufo::ui

#include "moc_tab_editing.cpp"
