#include "ui/pages/run/conversation_files.h"

#include "base/output_file.h"
#include "ui/messages/error_text.h"
#include "ui/run/conversation_exchange.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"

#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>

namespace gufo::ui {
namespace {

constexpr qint64 kMaxImported = qint64{256} << 20; // bytes, as of stored conversations

} // namespace

ConversationFiles::ConversationFiles(ChatSession* session, ConversationShelf* shelf, QWidget* page)
    : QObject(page)
    , m_session(session)
    , m_shelf(shelf)
    , m_page(page) {}

QString ConversationFiles::markdown() const {
    return m_session->tree().isEmpty() ? QString() : conversationMarkdown(m_session->tree(), m_names);
}

void ConversationFiles::copy() const { QGuiApplication::clipboard()->setText(markdown()); }

void ConversationFiles::copyTurn(int turn) const {
    const ChatTree& tree = m_session->tree();
    if (tree.has(turn)) {
        const Turn& what = tree.turn(turn);
        QGuiApplication::clipboard()->setText(
            what.role != TurnRole::Assistant ? what.text : what.text.mid(findThinking(what, tree.tools).answer));
    }
}

void ConversationFiles::askWhereToExport(Format format) {
    const bool asJson = format == Format::Json;
    const QString ending = asJson ? QStringLiteral("json") : QStringLiteral("md");
    auto* dialog = new QFileDialog(m_page, tr("Export the conversation"), QString(),
                                   asJson ? tr("JSON (*.json)") : tr("Markdown (*.md)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    rememberFolder(*dialog, FolderFor::Exports);
    dialog->setDefaultSuffix(ending);
    QString name = m_session->tree().titleText();
    for (QChar& c : name) {
        c = c.isLetterOrNumber() || c == u'-' || c == u' ' ? c : QChar(u'_');
    }
    dialog->selectFile((name.trimmed().isEmpty() ? tr("Conversation") : name.trimmed()) + u'.' + ending);
    connect(dialog, &QFileDialog::fileSelected, this, [this, format](const QString& path) { exportTo(path, format); });
    dialog->open();
}

void ConversationFiles::exportTo(const QString& path, Format format) {
    startJob<void>(
        this,
        [path, format, copy = m_session->tree(), names = m_names](const JobContext&) {
            const QByteArray text = format == Format::Json ? conversationJson(copy, names.model)
                                                           : conversationMarkdown(copy, names).toUtf8();
            return writeWholeFile(fromQtPath(path), text.toStdString());
        },
        [this, path](const Result<>& written) {
            if (!written) {
                emit noticed(tr("%1 cannot be written: %2.").arg(path, errorReason(written.error())), true);
            }
            emit exported();
        });
}

void ConversationFiles::askWhatToImport() {
    auto* dialog = new QFileDialog(m_page, tr("Import a conversation"), QString(), tr("JSON (*.json);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    rememberFolder(*dialog, FolderFor::Imports);
    connect(dialog, &QFileDialog::fileSelected, this, &ConversationFiles::importFrom);
    dialog->open();
}

void ConversationFiles::importFrom(const QString& path) {
    if (m_session->isBusy()) {
        emit noticed(tr("Stop the answer before you import a conversation."), false);
        return;
    }
    m_shelf->import(
        [path]() -> Result<ChatTree> {
            QFile file(path);
            if (!file.open(QIODevice::ReadOnly)) {
                return std::unexpected(
                    Error{ErrorCode::ReadFailed, fromQtPath(path), {}, {file.errorString().toStdString()}, 0});
            }
            return conversationFromJson(file.read(kMaxImported));
        },
        [path](const Error& error) { return tr("%1 cannot be imported: %2.").arg(path, errorReason(error)); });
}

} // namespace gufo::ui

#include "moc_conversation_files.cpp"
