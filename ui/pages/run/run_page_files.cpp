// Conversations in files: kept, opened, exported, copied.
#include "ui/messages/error_text.h"
#include "ui/messages/format.h"
#include "ui/pages/run/run_page.h"
#include "ui/run/conversation_export.h"
#include "ui/shell/native_path.h"
#include "ui/shell/state_folder.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QInputDialog>
#include <QSaveFile>
#include <QSignalBlocker>
#include <QThreadPool>

#include <algorithm>

namespace gufo::ui {

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

// The one at hand first, where it has no file yet.
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
            m_id = id;
            m_filling = true;
            m_system->setPlainText(read->system);
            m_tools->setPlainText(read->tools);
            m_filling = false;
            m_session->setTree(std::move(*read));
            m_keepSoon.stop();
            m_transcript->scrollToEnd();
            fillConversations();
            takeTemplate();
            showState();
            emit conversationOpened();
        });
}

void RunPage::keepSoon() {
    if (!tree().isEmpty() && m_model != nullptr) {
        m_keepSoon.start();
    }
}

// The write goes on by itself, also where the page is gone by then.
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
    const QPointer<RunPage> self = this;
    static QThreadPool writers; // one after the other, so that the latest is the last
    writers.setMaxThreadCount(1);
    writers.start([self, folder = folder(), id = m_id, copy = tree()] {
        auto written = writeConversation(folder, id, copy);
        if (QCoreApplication* application = QCoreApplication::instance()) {
            QMetaObject::invokeMethod(
                application,
                [self, written = std::move(written)] {
                    if (self.isNull()) {
                        return;
                    }
                    if (!written) {
                        self->say(tr("The conversation cannot be kept: %1.").arg(errorReason(written.error())), true);
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

void RunPage::deleteConversation() {
    const QString id = m_id;
    m_keepSoon.stop();
    std::erase_if(m_stored, [&](const StoredConversation& each) { return each.id == id; });
    startJob<bool>(
        this,
        [folder = folder(), id](const JobContext&) -> Result<bool> {
            auto deleted = gufo::ui::deleteConversation(folder, id);
            return deleted ? Result<bool>(true) : std::unexpected(std::move(deleted.error()));
        },
        [this](const Result<bool>& deleted) {
            if (!deleted) {
                say(tr("The conversation cannot be deleted: %1.").arg(errorReason(deleted.error())), true);
            }
            emit stored();
        });
    newConversation();
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
            turn.role != TurnRole::Assistant ? turn.text : turn.text.mid(findThinking(turn).answer));
    }
}

void RunPage::askWhereToExport(bool asJson) {
    const QString ending = asJson ? QStringLiteral("json") : QStringLiteral("md");
    auto* dialog = new QFileDialog(this, tr("Export the conversation"), QString(),
                                   asJson ? tr("JSON (*.json)") : tr("Markdown (*.md)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(ending);
    QString name = tree().titleText();
    for (QChar& c : name) {
        c = c.isLetterOrNumber() || c == u'-' || c == u' ' ? c : QChar(u'_');
    }
    dialog->selectFile((name.trimmed().isEmpty() ? tr("Conversation") : name.trimmed()) + u'.' + ending);
    connect(dialog, &QFileDialog::fileSelected, this, [this, asJson](const QString& path) { exportTo(path, asJson); });
    dialog->open();
}

void RunPage::exportTo(const QString& path, bool asJson) {
    startJob<bool>(
        this,
        [path, asJson, copy = tree(), model = modelName(), names = exportNames()](const JobContext&) -> Result<bool> {
            QSaveFile file(path);
            if (file.open(QIODevice::WriteOnly)) {
                file.write(asJson ? conversationJson(copy, model) : conversationMarkdown(copy, names).toUtf8());
                if (file.commit()) {
                    return true;
                }
            }
            return std::unexpected(Error{.code = ErrorCode::WriteFailed,
                                         .file = fromQtPath(path),
                                         .place = {},
                                         .args = {file.errorString().toStdString()}});
        },
        [this, path](const Result<bool>& written) {
            if (!written) {
                say(tr("%1 cannot be written: %2.").arg(path, errorReason(written.error())), true);
            }
            emit exported();
        });
}

} // namespace gufo::ui
