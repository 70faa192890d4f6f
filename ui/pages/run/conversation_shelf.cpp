#include "ui/pages/run/conversation_shelf.h"

#include "inference/prefixes/prefix_store.h"
#include "ui/jobs/job.h"
#include "ui/messages/error_text.h"
#include "ui/shell/settings.h"

#include <QAbstractItemView>
#include <QCoreApplication>
#include <QInputDialog>
#include <QPointer>
#include <QSignalBlocker>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kTitleWidth = 340;
constexpr int kSaveMilliseconds = 800; // after a change

} // namespace

ConversationShelf::ConversationShelf(ChatSession* session, NoticeBar* undoBar, QWidget* parent)
    : QComboBox(parent)
    , m_session(session)
    , m_undoBar(undoBar) {
    setAccessibleName(tr("Conversation"));
    setToolTip(tr("The conversations with this model"));
    view()->setMinimumWidth(kTitleWidth); // the titles are wider than the box
    view()->setTextElideMode(Qt::ElideRight);
    setMinimumWidth(146);
    setMaximumWidth(180);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_saveSoon.setSingleShot(true);
    m_saveSoon.setInterval(kSaveMilliseconds);
    connect(&m_saveSoon, &QTimer::timeout, this, &ConversationShelf::save);
    connect(this, &QComboBox::activated, this, [this](int index) { open(itemData(index).toString()); });
    connect(session, &ChatSession::pathChanged, this, &ConversationShelf::saveSoon);
    connect(session, &ChatSession::textEdited, this, &ConversationShelf::saveSoon);
    connect(session, &ChatSession::turnEnded, this, [this] {
        forgetDeletedTurns();
        saveSoon();
    });
    connect(session, &ChatSession::removed, this, [this](const ChatTree& before) { offerUndo(before, false); });
    connect(undoBar, &NoticeBar::dismissed, this, [this] { m_deletions.clear(); });
}

std::filesystem::path ConversationShelf::folder() const {
    return conversationFolder(stateFolder() / "conversations", m_model->path());
}

void ConversationShelf::list() {
    startJob<std::vector<StoredConversation>>(
        this,
        [folder = folder()](const JobContext&) -> Result<std::vector<StoredConversation>> {
            fileWriter().waitForDone(); // another page may have just saved one
            return listConversations(folder);
        },
        [this](Result<std::vector<StoredConversation>> stored) {
            m_stored = std::move(*stored);
            fill();
            emit listed();
            const bool exists = std::ranges::find(m_stored, m_wanted, &StoredConversation::id) != m_stored.end();
            if (exists && tree().isEmpty()) {
                open(m_wanted);
            }
        });
}

// The current conversation comes first if it has no file yet.
void ConversationShelf::fill() {
    const QSignalBlocker quiet(this);
    clear();
    const auto named = [](const QString& title) { return title.isEmpty() ? tr("New conversation") : title; };
    if (std::ranges::find(m_stored, m_id, &StoredConversation::id) == m_stored.end()) {
        addItem(named(tree().titleText()), m_id);
    }
    for (const StoredConversation& each : m_stored) {
        addItem(named(each.id == m_id ? tree().titleText() : each.title), each.id);
    }
    setCurrentIndex(findData(m_id));
    setToolTip(currentText());
}

void ConversationShelf::startNew() {
    saveIfChanged();
    m_id = newConversationId();
    m_session->setConversation(m_id);
    ChatTree fresh;
    fresh.mode = tree().mode;
    fresh.system = tree().system;
    fresh.tools = tree().tools;
    fresh.thinking = tree().thinking;
    m_session->setTree(std::move(fresh));
    m_saveSoon.stop();
    fill();
    emit startedNew();
}

void ConversationShelf::open(const QString& id) {
    if (id == m_id || id.isEmpty()) {
        return;
    }
    saveIfChanged();
    m_opening.start<ChatTree>(
        [folder = folder(), id](const JobContext&) {
            fileWriter().waitForDone(); // it may have just been left, and saved
            return readConversation(folder, id);
        },
        [this, id](Result<ChatTree> read) {
            if (!read) {
                emit noticed(tr("The conversation cannot be read: %1.").arg(errorReason(read.error())), true);
                fill();
                return;
            }
            show(id, std::move(*read));
            emit opened();
        });
}

void ConversationShelf::import(std::function<Result<ChatTree>()> read, std::function<QString(const Error&)> problem) {
    saveIfChanged();
    m_opening.start<ChatTree>([read = std::move(read)](const JobContext&) { return read(); },
                              [this, problem = std::move(problem)](Result<ChatTree> tree) {
                                  if (!tree) {
                                      emit noticed(problem(tree.error()), true);
                                      return;
                                  }
                                  show(newConversationId(), std::move(*tree));
                                  save();
                                  emit opened();
                              });
}

void ConversationShelf::show(const QString& id, ChatTree tree) {
    m_id = id;
    m_session->setConversation(m_id);
    m_session->setTree(std::move(tree));
    m_saveSoon.stop();
    fill();
    emit shown();
}

void ConversationShelf::saveSoon() {
    if (!tree().isEmpty() && m_model != nullptr) {
        m_saveSoon.start();
    }
}

void ConversationShelf::saveIfChanged() {
    if (m_saveSoon.isActive()) {
        save();
    }
}

// The write is completed even if the page is deleted.
void ConversationShelf::save() {
    m_saveSoon.stop();
    if (tree().isEmpty() || m_model == nullptr) {
        return;
    }
    std::erase_if(m_stored, [this](const StoredConversation& each) { return each.id == m_id; });
    m_stored.insert(m_stored.begin(),
                    {.id = m_id, .title = tree().titleText(), .changed = QDateTime::currentDateTime()});
    fill();
    write([folder = folder(), id = m_id, copy = tree()] { return writeConversation(folder, id, copy); },
          [](const Error& error) { return tr("The conversation cannot be saved: %1.").arg(errorReason(error)); });
}

void ConversationShelf::write(std::function<Result<>()> write, std::function<QString(const Error&)> problem) {
    const QPointer<ConversationShelf> self = this;
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
                        emit self->noticed(problem(written.error()), true);
                    }
                    emit self->stored();
                },
                Qt::QueuedConnection);
        }
    });
}

void ConversationShelf::rename() {
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Rename the conversation"));
    dialog->setLabelText(tr("Title:"));
    dialog->setTextValue(tree().titleText());
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& title) {
        m_session->setTitle(title.trimmed());
        fill();
        saveSoon();
    });
    dialog->open();
}

void ConversationShelf::remove() {
    const QString id = m_id;
    m_saveSoon.stop();
    std::erase_if(m_stored, [&](const StoredConversation& each) { return each.id == id; });
    write(
        [folder = folder(), id] {
            inference::PrefixStore::shared()->forget(id.toStdString());
            return deleteConversation(folder, id);
        },
        [](const Error& error) { return tr("The conversation cannot be deleted: %1.").arg(errorReason(error)); });
    forgetDeletedTurns();
    if (!tree().isEmpty()) {
        offerUndo(tree(), true);
    }
    startNew();
}

// ---- undoing a deletion

void ConversationShelf::offerUndo(const ChatTree& before, bool whole) {
    m_deletions.push_back({m_id, before, whole});
    showDeletion();
}

void ConversationShelf::showDeletion() {
    if (m_deletions.empty()) {
        m_undoBar->hide();
        return;
    }
    const Deletion& last = m_deletions.back();
    const QString title = last.before.titleText();
    m_undoBar->showNotice(last.whole ? tr("The conversation “%1” was deleted.").arg(title)
                                     : tr("A part of the conversation “%1” was deleted.").arg(title),
                          {{.text = tr("Undo"), .run = [this] { undoDeletion(); }}}, NoticeBar::Tone::Info);
}

void ConversationShelf::undoDeletion() {
    if (m_session->isBusy()) { // the conversation cannot be replaced while it grows
        emit noticed(tr("Stop the answer before you undo the deletion."), false);
    } else if (!m_deletions.empty()) {
        saveIfChanged();
        Deletion last = std::move(m_deletions.back());
        m_deletions.pop_back();
        show(last.id, std::move(last.before));
        save();
    }
    showDeletion();
}

// Turns cannot be brought back into a conversation that has gone on without them.
void ConversationShelf::forgetDeletedTurns() {
    const bool any =
        std::erase_if(m_deletions, [this](const Deletion& each) { return !each.whole && each.id == m_id; }) != 0;
    if (any) {
        showDeletion();
    }
}

} // namespace gufo::ui

#include "moc_conversation_shelf.cpp"
