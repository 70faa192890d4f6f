#include "ui/pages/template/message_row.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/problem_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QTextBlock>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kRoleWidth = 112;
constexpr int kLabelWidth = 70;
constexpr int kMaxImages = 99;

} // namespace

MessageRow::MessageRow(const ChatMessage& message, QWidget* parent)
    : QWidget(parent)
    , m_role(new QComboBox(this))
    , m_content(new GrowingEdit(this))
    , m_calls(new GrowingEdit(this))
    , m_reasoning(new GrowingEdit(this))
    , m_callsRow(labelled(tr("Tool calls"), m_calls))
    , m_reasoningRow(labelled(tr("Thoughts"), m_reasoning))
    , m_imagesLabel(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_more(makeToolButton(QStringLiteral("more"), tr("More options for this message"), this, Token::Muted))
    , m_remove(makeToolButton(QStringLiteral("close"), tr("Remove this message"), this, Token::Muted))
    , m_images(message.images)
    , m_emptyText(message.emptyText) {
    m_role->setEditable(true);
    m_role->setInsertPolicy(QComboBox::NoInsert);
    m_role->addItems(chatRoles());
    m_role->setCurrentText(message.role);
    m_role->setAccessibleName(tr("Role"));
    m_role->setToolTip(tr("The speaker; a template may support other roles"));
    m_role->setFixedWidth(kRoleWidth);
    m_content->setPlainText(message.content);
    m_content->setAccessibleName(tr("Text of the message"));
    m_calls->setPlainText(message.toolCalls);
    m_calls->setAccessibleName(tr("Tool calls as JSON"));
    m_calls->setFont(themeFont(TextStyle::Mono));
    m_calls->setPlaceholderText(QStringLiteral(R"([{"type": "function", "function": {"name": …, "arguments": {…}}}])"));
    m_reasoning->setPlainText(message.reasoning);
    m_reasoning->setAccessibleName(tr("Thoughts, passed as reasoning_content"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMenu(new QMenu(m_more));
    auto* fields = new QVBoxLayout;
    fields->setSpacing(4);
    fields->addWidget(m_imagesLabel);
    fields->addWidget(m_reasoningRow);
    fields->addWidget(m_content);
    fields->addWidget(m_callsRow);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_role, 0, Qt::AlignTop);
    layout->addLayout(fields, 1);
    layout->addWidget(m_more, 0, Qt::AlignTop);
    layout->addWidget(m_remove, 0, Qt::AlignTop);
    m_callsRow->setVisible(!message.toolCalls.isEmpty());
    m_reasoningRow->setVisible(!message.reasoning.isEmpty());
    showParts();
    checkCalls();
    showEmptyContent();

    connect(m_role, &QComboBox::currentTextChanged, this, &MessageRow::changed);
    connect(m_content, &QPlainTextEdit::textChanged, this, &MessageRow::changed);
    connect(m_reasoning, &QPlainTextEdit::textChanged, this, &MessageRow::changed);
    connect(m_calls, &QPlainTextEdit::textChanged, this, [this] {
        checkCalls();
        showEmptyContent();
        emit changed();
    });
    connect(m_remove, &QAbstractButton::clicked, this, &MessageRow::removeRequested);
    connect(m_more->menu(), &QMenu::aboutToShow, this, &MessageRow::fillMenu);
    connect(&Theme::instance(), &Theme::changed, this, [this] { m_calls->setFont(themeFont(TextStyle::Mono)); });
}

QWidget* MessageRow::labelled(const QString& text, GrowingEdit* edit) {
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    QLabel* label = themedLabel(text, TextStyle::Table, Token::Muted, row);
    label->setFixedWidth(kLabelWidth);
    label->setBuddy(edit);
    layout->addWidget(label, 0, Qt::AlignTop);
    layout->addWidget(edit, 1);
    return row;
}

ChatMessage MessageRow::message() const {
    return {.role = m_role->currentText(),
            .content = m_content->toPlainText(),
            .toolCalls = m_calls->toPlainText(),
            .emptyText = m_emptyText,
            .reasoning = m_reasoning->toPlainText(),
            .images = m_images};
}

void MessageRow::setPosition(int index, int count) {
    m_index = index;
    m_count = count;
}

void MessageRow::fillMenu() {
    QMenu* menu = m_more->menu();
    menu->clear();
    menu->addAction(tr("Move Up"), this, [this] { emit moveRequested(-1); })->setEnabled(m_index > 0);
    menu->addAction(tr("Move Down"), this, [this] { emit moveRequested(1); })->setEnabled(m_index + 1 < m_count);
    menu->addSeparator();
    const auto toggled = [menu, this](const QString& text, QWidget* row, GrowingEdit* edit) {
        QAction* action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(!row->isHidden());
        connect(action, &QAction::toggled, this, [row, edit](bool shown) {
            row->setVisible(shown);
            if (shown) {
                edit->setFocus();
            } else {
                edit->clear();
            }
        });
    };
    toggled(tr("Tool Calls"), m_callsRow, m_calls);
    toggled(tr("Thoughts"), m_reasoningRow, m_reasoning);
    menu->setToolTipsVisible(true);
    QAction* none = menu->addAction(tr("No Text Is null"));
    none->setToolTip(tr("What the template receives as the content of a message that only calls tools: null or \"\""));
    none->setCheckable(true);
    none->setChecked(!m_emptyText);
    none->setEnabled(!m_calls->toPlainText().trimmed().isEmpty());
    connect(none, &QAction::toggled, this, [this](bool null) {
        m_emptyText = !null;
        showEmptyContent();
        emit changed();
    });
    menu->addSeparator();
    const auto count = [this](int by) {
        m_images = std::clamp(m_images + by, 0, kMaxImages);
        showParts();
        emit changed();
    };
    menu->addAction(tr("Add a Picture's Placeholder"), this, [count] { count(1); });
    menu->addAction(tr("Remove a Picture's Placeholder"), this, [count] { count(-1); })->setEnabled(m_images > 0);
}

void MessageRow::showParts() {
    m_imagesLabel->setVisible(m_images > 0);
    m_imagesLabel->setText(tr("%n pictures", nullptr, numerus(m_images)));
}

// Says what the template receives if no text is written.
void MessageRow::showEmptyContent() {
    const bool callsOnly = !m_calls->toPlainText().trimmed().isEmpty();
    m_content->setPlaceholderText(!callsOnly    ? tr("Nothing")
                                  : m_emptyText ? tr("Nothing: the content is \"\"")
                                                : tr("Nothing: the content is null"));
}

void MessageRow::checkCalls() {
    const QString json = m_calls->toPlainText().trimmed();
    m_calls->setProblem(json.isEmpty() ? QString() : jsonProblem(json, JsonKind::List).value_or(QString()));
}

} // namespace gufo::ui

#include "moc_message_row.cpp"
