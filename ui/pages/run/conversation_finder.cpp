#include "ui/pages/run/conversation_finder.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kFindWidth = 240;
constexpr int kHitsHeight = 150;

} // namespace

ConversationFinder::ConversationFinder(ChatSession* session, ConversationShelf* shelf, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_shelf(shelf)
    , m_field(new QLineEdit(this))
    , m_count(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_previous(makeToolButton(QStringLiteral("chevron-left"), tr("Previous match (Shift+Enter)"), this))
    , m_next(makeToolButton(QStringLiteral("chevron-right"), tr("Next match (Enter)"), this))
    , m_all(new QCheckBox(tr("In all conversations"), this))
    , m_hits(new QListWidget(this)) {
    m_field->setObjectName(QStringLiteral("find"));
    m_field->setPlaceholderText(tr("Find in the conversation"));
    m_field->setAccessibleName(m_field->placeholderText());
    m_field->setClearButtonEnabled(true);
    m_field->setMaximumWidth(kFindWidth);
    m_count->setObjectName(QStringLiteral("findCount"));
    m_all->setObjectName(QStringLiteral("findInAll"));
    m_all->setToolTip(tr("Also list the other conversations with this model in which the text occurs"));
    m_hits->setAccessibleName(tr("Conversations in which the text occurs"));
    m_hits->setFixedHeight(kHitsHeight);
    m_hits->setFrameShape(QFrame::NoFrame);
    m_hits->hide();
    QToolButton* close = makeToolButton(QStringLiteral("close"), tr("Close (Esc)"), this);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 5, 8, 5);
    row->setSpacing(6);
    row->addWidget(m_field, 1);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    row->addWidget(m_count);
    row->addStretch();
    row->addWidget(m_all);
    row->addWidget(close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 1);
    layout->setSpacing(0);
    layout->addLayout(row);
    layout->addWidget(m_hits);
    hide();

    connect(m_field, &QLineEdit::textChanged, this, &ConversationFinder::search);
    connect(m_previous, &QToolButton::clicked, this, [this] { step(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { step(1); });
    connect(m_all, &QCheckBox::toggled, this, &ConversationFinder::searchAll);
    connect(close, &QToolButton::clicked, this, &ConversationFinder::close);
    connect(m_hits, &QListWidget::itemActivated, this,
            [this](const QListWidgetItem* item) { m_shelf->open(item->data(Qt::UserRole).toString()); });
    for (const auto signal : {&ChatSession::pathChanged, &ChatSession::busyChanged}) {
        connect(
            session, signal, this,
            [this] {
                if (isVisible() && !m_session->isBusy()) {
                    search();
                }
            },
            Qt::QueuedConnection); // when the transcript shows the turns
    }
}

void ConversationFinder::search() {
    const TurnMatch before = m_current >= 0 ? m_matches[static_cast<std::size_t>(m_current)] : TurnMatch();
    m_matches = findInConversation(m_session->tree(), m_field->text());
    const auto same = std::ranges::find(m_matches, before);
    m_current = m_matches.empty() ? -1 : same != m_matches.end() ? static_cast<int>(same - m_matches.begin()) : 0;
    showCount();
    if (m_current >= 0) {
        emit found(m_matches[static_cast<std::size_t>(m_current)]);
    } else {
        emit lost();
    }
    searchAll();
}

void ConversationFinder::step(int by) {
    if (m_matches.empty()) {
        return;
    }
    const int count = static_cast<int>(m_matches.size());
    m_current = (m_current + by + count) % count;
    showCount();
    emit found(m_matches[static_cast<std::size_t>(m_current)]);
}

void ConversationFinder::showCount() {
    const bool any = !m_matches.empty();
    m_count->setText(
        m_field->text().isEmpty() ? QString()
        : any
            ? tr("%1 of %2").arg(formatCount(static_cast<std::uint64_t>(m_current) + 1), formatCount(m_matches.size()))
            : tr("not found"));
    m_previous->setEnabled(any);
    m_next->setEnabled(any);
}

void ConversationFinder::searchAll() {
    m_searching.cancel();
    m_hits->setVisible(m_all->isChecked() && !m_field->text().isEmpty());
    if (!m_hits->isVisible()) {
        m_hits->clear();
        return;
    }
    m_searching.start<std::vector<ConversationHit>>(
        [folder = m_shelf->folder(), text = m_field->text()](const JobContext& job) {
            fileWriter().waitForDone(); // the last ones may have just been saved
            return findInConversations(folder, text, job);
        },
        [this](const Result<std::vector<ConversationHit>>& hits) { showAll(hits); });
}

void ConversationFinder::showAll(const Result<std::vector<ConversationHit>>& hits) {
    m_hits->clear();
    if (!hits) {
        return; // it was cancelled
    }
    for (const ConversationHit& hit : *hits) {
        auto* item = new QListWidgetItem(
            tr("%1 – %n matches: %2", nullptr, numerus(hit.matches)).arg(hit.title, hit.snippet), m_hits);
        item->setData(Qt::UserRole, hit.id);
        item->setToolTip(tr("Open the conversation"));
    }
    if (hits->empty()) {
        auto* item = new QListWidgetItem(tr("No saved conversation contains this text."), m_hits);
        item->setFlags(Qt::NoItemFlags);
    }
    emit searchedAll();
}

void ConversationFinder::close() {
    m_field->clear();
    m_searching.cancel();
    m_hits->hide();
    m_matches.clear();
    m_current = -1;
    showCount();
    hide();
    emit closed();
}

void ConversationFinder::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    showCount();
    m_field->setFocus();
}

// Receives what the field leaves over.
void ConversationFinder::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape:
        close();
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        step(event->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
        break;
    case Qt::Key_Down:
        if (m_hits->isVisible()) {
            m_hits->setFocus();
            m_hits->setCurrentRow(0);
        }
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

void ConversationFinder::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(0, height() - 1, width(), 1, themeColor(Token::Line));
}

} // namespace gufo::ui

#include "moc_conversation_finder.cpp"
