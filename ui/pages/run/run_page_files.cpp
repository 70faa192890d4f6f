// The part of RunPage that saves, opens, exports and copies conversations.
#include "base/output_file.h"
#include "inference/prefixes/prefix_folder.h"
#include "ui/jobs/file_writer.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/run/run_page.h"
#include "ui/run/conversation_export.h"
#include "ui/run/conversation_import.h"
#include "ui/shell/chosen_folder.h"
#include "ui/shell/native_path.h"
#include "ui/shell/state_folder.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QInputDialog>
#include <QSignalBlocker>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr qint64 kMaxImported = qint64{256} << 20; // bytes, as of stored conversations

} // namespace

std::filesystem::path RunPage::folder() const {
    return conversationFolder(stateFolder() / "conversations", m_model->path());
}

void RunPage::listConversations() {
    startJob<std::vector<StoredConversation>>(
        this,
        [folder = folder()](const JobContext&) -> Result<std::vector<StoredConversation>> {
            return gufo::ui::listConversations(folder);
        },
        [this](Result<std::vector<StoredConversation>> stored) {
            m_stored = std::move(*stored);
            fillConversations();
            emit conversationsListed();
            const bool wanted = std::ranges::any_of(
                m_stored, [this](const StoredConversation& each) { return each.id == m_wantedConversation; });
            if (wanted && tree().isEmpty()) {
                openConversation(m_wantedConversation);
            }
        });
}

// The current conversation comes first if it has no file yet.
void RunPage::fillConversations() {
    const QSignalBlocker quiet(m_conversations);
    m_conversations->clear();
    const auto named = [](const QString& title) { return title.isEmpty() ? tr("New conversation") : title; };
    const bool isKept =
        std::ranges::any_of(m_stored, [this](const StoredConversation& each) { return each.id == m_id; });
    if (!isKept) {
        m_conversations->addItem(named(tree().titleText()), m_id);
    }
    for (const StoredConversation& each : m_stored) {
        m_conversations->addItem(named(each.id == m_id ? tree().titleText() : each.title), each.id);
    }
    m_conversations->setCurrentIndex(m_conversations->findData(m_id));
    m_conversations->setToolTip(m_conversations->currentText());
}

void RunPage::newConversation() {
    if (m_keepSoon.isActive()) {
        keep();
    }
    m_id = newConversationId();
    m_session->setConversation(m_id);
    ChatTree fresh;
    fresh.mode = tree().mode;
    fresh.system = tree().system;
    fresh.tools = tree().tools;
    fresh.thinking = tree().thinking;
    m_session->setTree(std::move(fresh));
    m_keepSoon.stop();
    fillConversations();
    showState();
}

void RunPage::openConversation(const QString& id) {
    if (id == m_id || id.isEmpty()) {
        return;
    }
    if (m_keepSoon.isActive()) {
        keep();
    }
    if (m_opening) {
        m_opening->cancel();
    }
    m_opening = startJob<ChatTree>(
        this, [folder = folder(), id](const JobContext&) { return readConversation(folder, id); },
        [this, id](Result<ChatTree> read) {
            if (!read) {
                say(tr("The conversation cannot be read: %1.").arg(errorReason(read.error())), true);
                fillConversations();
                return;
            }
            showConversation(id, std::move(*read));
            emit conversationOpened();
        });
}

void RunPage::showConversation(const QString& id, ChatTree tree) {
    m_id = id;
    m_session->setConversation(m_id);
    m_filling = true;
    m_system->setPlainText(tree.system);
    m_tools->setPlainText(tree.tools);
    m_filling = false;
    m_session->setTree(std::move(tree));
    m_keepSoon.stop();
    m_reading = !m_engine->isLoaded();
    m_transcript->scrollToEnd();
    fillConversations();
    takeTemplate();
    showState();
}

void RunPage::keepSoon() {
    if (!tree().isEmpty() && m_model != nullptr) {
        m_keepSoon.start();
    }
}

// The write is completed even if the page is deleted.
void RunPage::keep() {
    m_keepSoon.stop();
    if (tree().isEmpty() || m_model == nullptr) {
        return;
    }
    const auto at = std::ranges::find(m_stored, m_id, &StoredConversation::id);
    if (at != m_stored.end()) {
        m_stored.erase(at);
    }
    m_stored.insert(m_stored.begin(),
                    {.id = m_id, .title = tree().titleText(), .changed = QDateTime::currentDateTime()});
    fillConversations();
    writeFile([folder = folder(), id = m_id, copy = tree()] { return writeConversation(folder, id, copy); },
              [](const Error& error) { return tr("The conversation cannot be saved: %1.").arg(errorReason(error)); });
}

void RunPage::writeFile(std::function<Result<>()> write, std::function<QString(const Error&)> problem) {
    const QPointer<RunPage> self = this;
    fileWriter().start([self, write = std::move(write), problem = std::move(problem)] {
        auto written = write();
        if (QCoreApplication* application = QCoreApplication::instance()) {
            QMetaObject::invokeMethod(
                application,
                [self, problem, written = std::move(written)] {
                    if (self.isNull()) {
                        return;
                    }
                    if (!written) {
                        self->say(problem(written.error()), true);
                    }
                    emit self->stored();
                },
                Qt::QueuedConnection);
        }
    });
}

void RunPage::renameConversation() {
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Rename the conversation"));
    dialog->setLabelText(tr("Title:"));
    dialog->setTextValue(tree().titleText());
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& title) {
        m_session->setTitle(title.trimmed());
        fillConversations();
        keepSoon();
    });
    dialog->open();
}

// The setting applies to all windows. Switching it off deletes the prompts that are on the disk.
void RunPage::keepPrompts(bool keeps) {
    inference::PrefixStore& store = *inference::PrefixStore::shared();
    const std::filesystem::path before = store.folder();
    store.setFolder(keeps ? inference::userPrefixFolder() : std::filesystem::path());
    if (!keeps && !before.empty()) {
        fileWriter().start([before] { inference::removeAllPrefixes(before); });
    }
}

void RunPage::deleteConversation() {
    const QString id = m_id;
    m_keepSoon.stop();
    std::erase_if(m_stored, [&](const StoredConversation& each) { return each.id == id; });
    writeFile(
        [folder = folder(), id] {
            inference::PrefixStore::shared()->forget(id.toStdString());
            return gufo::ui::deleteConversation(folder, id);
        },
        [](const Error& error) { return tr("The conversation cannot be deleted: %1.").arg(errorReason(error)); });
    forgetDeletedTurns();
    if (!tree().isEmpty()) {
        offerUndo(tree(), true);
    }
    newConversation();
}

// ---- undoing a deletion

void RunPage::offerUndo(const ChatTree& before, bool whole) {
    m_deletions.push_back({m_id, before, whole});
    showDeletion();
}

void RunPage::showDeletion() {
    if (m_deletions.empty()) {
        m_deletionBar->hide();
        return;
    }
    const Deletion& last = m_deletions.back();
    const QString title = last.before.titleText();
    m_deletionBar->showNotice(last.whole ? tr("The conversation “%1” was deleted.").arg(title)
                                         : tr("A part of the conversation “%1” was deleted.").arg(title),
                              {{.text = tr("Undo"), .run = [this] { undoDeletion(); }}}, NoticeBar::Tone::Info);
}

void RunPage::undoDeletion() {
    if (m_session->isBusy()) { // the conversation cannot be replaced while it grows
        say(tr("Stop the answer before you undo the deletion."), false);
    } else if (!m_deletions.empty()) {
        if (m_keepSoon.isActive()) {
            keep();
        }
        Deletion last = std::move(m_deletions.back());
        m_deletions.pop_back();
        showConversation(last.id, std::move(last.before));
        keep();
    }
    showDeletion();
}

// Turns cannot be brought back into a conversation that has gone on without them.
void RunPage::forgetDeletedTurns() {
    const bool any =
        std::erase_if(m_deletions, [this](const Deletion& each) { return !each.whole && each.id == m_id; }) != 0;
    if (any) {
        showDeletion();
    }
}

ExportNames RunPage::exportNames() const {
    return {.system = tr("System"), .user = tr("You"), .model = modelName(), .tool = tr("Tool")};
}

QString RunPage::copyText(CopyFormat format) const {
    if (tree().isEmpty() || format == CopyFormat::Tsv) {
        return {};
    }
    return conversationMarkdown(tree(), exportNames());
}

void RunPage::copyTurn(int id) {
    if (id < 0) {
        QGuiApplication::clipboard()->setText(copyText(CopyFormat::Markdown));
    } else if (tree().has(id)) {
        const Turn& turn = tree().turn(id);
        QGuiApplication::clipboard()->setText(
            turn.role != TurnRole::Assistant ? turn.text : turn.text.mid(findThinking(turn, tree().tools).answer));
    }
}

void RunPage::askWhereToExport(bool asJson) {
    const QString ending = asJson ? QStringLiteral("json") : QStringLiteral("md");
    auto* dialog = new QFileDialog(this, tr("Export the conversation"), QString(),
                                   asJson ? tr("JSON (*.json)") : tr("Markdown (*.md)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    rememberFolder(*dialog, FolderFor::Exports);
    dialog->setDefaultSuffix(ending);
    QString name = tree().titleText();
    for (QChar& c : name) {
        c = c.isLetterOrNumber() || c == u'-' || c == u' ' ? c : QChar(u'_');
    }
    dialog->selectFile((name.trimmed().isEmpty() ? tr("Conversation") : name.trimmed()) + u'.' + ending);
    connect(dialog, &QFileDialog::fileSelected, this, [this, asJson](const QString& path) { exportTo(path, asJson); });
    dialog->open();
}

void RunPage::askWhatToImport() {
    auto* dialog = new QFileDialog(this, tr("Import a conversation"), QString(), tr("JSON (*.json);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    rememberFolder(*dialog, FolderFor::Imports);
    connect(dialog, &QFileDialog::fileSelected, this, &RunPage::importFrom);
    dialog->open();
}

void RunPage::importFrom(const QString& path) {
    if (m_session->isBusy()) {
        say(tr("Stop the answer before you import a conversation."), false);
        return;
    }
    if (m_keepSoon.isActive()) {
        keep();
    }
    if (m_opening) {
        m_opening->cancel();
    }
    m_opening = startJob<ChatTree>(
        this,
        [path](const JobContext&) -> Result<ChatTree> {
            QFile file(path);
            if (!file.open(QIODevice::ReadOnly)) {
                return std::unexpected(
                    Error{ErrorCode::ReadFailed, fromQtPath(path), {}, {file.errorString().toStdString()}, 0});
            }
            return conversationFromJson(file.read(kMaxImported));
        },
        [this, path](Result<ChatTree> read) {
            if (!read) {
                say(tr("%1 cannot be imported: %2.").arg(path, errorReason(read.error())), true);
                return;
            }
            showConversation(newConversationId(), std::move(*read));
            keep();
            emit conversationOpened();
        });
}

void RunPage::exportTo(const QString& path, bool asJson) {
    startJob<void>(
        this,
        [path, asJson, copy = tree(), model = modelName(), names = exportNames()](const JobContext&) {
            const QByteArray text = asJson ? conversationJson(copy, model) : conversationMarkdown(copy, names).toUtf8();
            return writeWholeFile(fromQtPath(path), text.toStdString());
        },
        [this, path](const Result<>& written) {
            if (!written) {
                say(tr("%1 cannot be written: %2.").arg(path, errorReason(written.error())), true);
            }
            emit exported();
        });
}

} // namespace gufo::ui
