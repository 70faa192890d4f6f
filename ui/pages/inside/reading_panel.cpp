#include "ui/pages/inside/reading_panel.h"

#include "ui/theme/theme.h"
#include "ui/widgets/keep_focus.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QShortcut>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr int kLeastReading = 200;
constexpr int kFieldHeight = 92;

} // namespace

ReadingPanel::ReadingPanel(QWidget* parent)
    : QWidget(parent)
    , m_field(new QPlainTextEdit(this))
    , m_read(new QPushButton(tr("Look inside"), this))
    , m_conversation(new QPushButton(tr("Conversation"), this))
    , m_partner(new InsidePartner(this))
    , m_tokens(new TokenText(this))
    , m_bar(new JobBar(this))
    , m_message(themedLabel({}, TextStyle::Table, Token::Muted, this)) {
    setMinimumWidth(kLeastReading);
    m_field->setAccessibleName(tr("Text that the model reads"));
    m_field->setPlaceholderText(tr("A text that the model reads"));
    m_field->setTabChangesFocus(true);
    m_field->setFixedHeight(kFieldHeight);
    m_read->setProperty("primary", true);
    m_read->setToolTip(tr("Read the text and show what happens at its last token (Ctrl+Return)"));
    m_conversation->setToolTip(tr("Show the conversation of the page Run, token by token, as the model read it"));
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    m_message->hide();
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_conversation);
    buttons->addStretch();
    buttons->addWidget(m_read);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(m_field);
    layout->addLayout(buttons);
    layout->addWidget(m_partner);
    layout->addWidget(makeSeparator(Qt::Horizontal, this));
    layout->addWidget(m_tokens, 1);
    layout->addWidget(m_bar);
    layout->addWidget(m_message);
    connect(m_read, &QPushButton::clicked, this, &ReadingPanel::readWanted);
    connect(m_conversation, &QPushButton::clicked, this, &ReadingPanel::conversationWanted);
    connect(m_field, &QPlainTextEdit::textChanged, this, &ReadingPanel::textChanged);
    for (const int key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto* shortcut = new QShortcut(QKeySequence(Qt::CTRL | key), m_field);
        shortcut->setContext(Qt::WidgetShortcut);
        connect(shortcut, &QShortcut::activated, this, &ReadingPanel::readWanted);
    }
}

void ReadingPanel::say(const QString& text, bool isError) {
    setTextColor(m_message, isError ? Token::ErrorText : Token::Muted);
    m_message->setText(text);
    m_message->setVisible(!text.isEmpty());
}

void ReadingPanel::setAble(bool isAble, bool isBusy) {
    setEnabledKeepingFocus(*m_read, isAble && !m_field->document()->isEmpty() && !isBusy, *m_field);
    m_conversation->setEnabled(isAble && !isBusy);
    m_partner->setEnabled(isAble && !isBusy && !m_partner->isBusy());
}

} // namespace gufo::ui

#include "moc_reading_panel.cpp"
