#include "ui/pages/template/conversation_panel.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/problem_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QSignalBlocker>
#include <QTextBlock>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kRoleWidth = 112;
constexpr int kLabelWidth = 70;
constexpr int kMaxImages = 99;

enum Side { Tools, Variables };
constexpr int kHeaderHeight = 32;
constexpr int kSideWidth = 400;

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

ConversationPanel::ConversationPanel(QWidget* parent)
    : QWidget(parent)
    , m_preset(new QComboBox(this))
    , m_add(new QPushButton(tr("Message"), this))
    , m_prompt(new QCheckBox(tr("Generation prompt"), this))
    , m_fold(new QToolButton(this))
    , m_body(new QSplitter(Qt::Horizontal, this))
    , m_scroll(new QScrollArea(m_body))
    , m_list(nullptr)
    , m_which(new SegmentedControl(tr("Tools or variables"), this))
    , m_validity(themedLabel({}, TextStyle::Table, Token::Good, this))
    , m_side(new QStackedWidget(this))
    , m_tools(new ToolsEdit(this))
    , m_variables(new QTableWidget(0, 2, this))
    , m_addVariable(new QToolButton(this))
    , m_removeVariable(new QToolButton(this)) {
    auto* list = new QWidget(m_scroll);
    m_list = new QVBoxLayout(list);
    m_list->setContentsMargins(20, 8, 12, 8);
    m_list->setSpacing(8);
    m_list->addStretch(1);
    list->setAutoFillBackground(true);
    list->setBackgroundRole(QPalette::Base);
    m_scroll->setFocusPolicy(Qt::NoFocus); // its fields have the focus
    m_scroll->setWidget(list);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_body->addWidget(m_scroll);
    m_body->addWidget(makeSide());
    m_body->setChildrenCollapsible(false);
    m_body->setStretchFactor(0, 1);
    m_body->setStretchFactor(1, 0);
    m_body->setSizes({900, kSideWidth});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHeader());
    setTabOrder(m_fold, m_preset);
    setTabOrder(m_preset, m_add);
    setTabOrder(m_add, m_prompt);
    layout->addWidget(m_body, 1);
    setConversation(conversationPresets().front().conversation);

    connect(m_preset, &QComboBox::activated, this, [this](int index) {
        if (index > 0) {
            setConversation(conversationPresets()[index - 1].conversation);
            m_preset->setCurrentIndex(index);
            emit changed();
        }
    });
    connect(m_add, &QAbstractButton::clicked, this, [this] {
        const QString last = m_rows.isEmpty() ? QString() : m_rows.back()->message().role;
        const bool answers = last == QStringLiteral("user") || last == QStringLiteral("tool");
        MessageRow* row =
            addRow({.role = answers ? QStringLiteral("assistant") : QStringLiteral("user")}, m_rows.size());
        row->contentEdit()->setFocus();
        onEdited();
        // The row's height is known only after it has been laid out.
        QMetaObject::invokeMethod(row, [this, row] { m_scroll->ensureWidgetVisible(row); }, Qt::QueuedConnection);
    });
    connect(m_prompt, &QCheckBox::toggled, this, &ConversationPanel::onEdited);
    connect(m_fold, &QAbstractButton::clicked, this, [this] { setFolded(!isFolded()); });
}

QWidget* ConversationPanel::makeHeader() {
    auto* header = new ToolStrip(this);
    header->setFixedHeight(kHeaderHeight + 4);
    m_preset->addItem(tr("Custom conversation"));
    for (const ConversationPreset& preset : conversationPresets()) {
        m_preset->addItem(preset.name);
    }
    m_preset->setAccessibleName(tr("Example conversation"));
    m_preset->setToolTip(tr("Start from an example"));
    m_add->setIcon(themeIcon(QStringLiteral("plus")));
    m_add->setToolTip(tr("Add a message at the end"));
    m_prompt->setToolTip(tr("add_generation_prompt: begin the assistant's answer"));
    for (QWidget* widget : std::initializer_list<QWidget*>{m_preset, m_add}) {
        widget->setProperty("small", true);
        widget->setFont(themeFont(TextStyle::Table));
    }
    m_prompt->setFont(themeFont(TextStyle::Table));
    m_fold->setAutoRaise(true);
    m_fold->setIcon(themeIcon(QStringLiteral("chevron-down"), Token::Muted));
    m_fold->setToolTip(tr("Fold or unfold the conversation"));
    m_fold->setAccessibleName(m_fold->toolTip());
    auto* layout = static_cast<QHBoxLayout*>(header->layout());
    layout->addWidget(m_fold);
    layout->addWidget(themedLabel(tr("Conversation"), TextStyle::Section, Token::Text, header));
    layout->addWidget(m_preset);
    layout->addWidget(m_add);
    layout->addStretch(1);
    layout->addWidget(m_prompt);
    return header;
}

QWidget* ConversationPanel::makeSide() {
    auto* side = new QWidget(m_body);
    side->setAutoFillBackground(true);
    side->setBackgroundRole(QPalette::Base);
    side->setMinimumWidth(240);
    m_which->addSegment(tr("Tools"));
    m_which->addSegment(tr("Variables"));
    m_tools->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_tools->setFrameShape(QFrame::NoFrame);
    m_tools->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    m_variables->setHorizontalHeaderLabels({tr("Variable"), tr("Value (JSON)")});
    m_variables->horizontalHeader()->setStretchLastSection(true);
    m_variables->horizontalHeader()->resizeSection(0, 140);
    m_variables->verticalHeader()->hide();
    m_variables->setFrameShape(QFrame::NoFrame);
    m_variables->setAccessibleName(tr("Additional template variables"));
    m_variables->setToolTip(tr("Such as enable_thinking = false, or date_string = \"1 May 2026\""));
    m_variables->setTabKeyNavigation(false);
    const auto button = [](QToolButton* tool, const QString& icon, const QString& text) {
        tool->setAutoRaise(true);
        tool->setIcon(themeIcon(icon, Token::Muted));
        tool->setToolTip(text);
        tool->setAccessibleName(text);
        tool->hide();
    };
    button(m_addVariable, QStringLiteral("plus"), tr("Add a variable"));
    button(m_removeVariable, QStringLiteral("minus"), tr("Remove the variable"));
    m_side->addWidget(m_tools);
    m_side->addWidget(m_variables);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(12, 6, 12, 6);
    bar->setSpacing(8);
    bar->addWidget(m_which);
    bar->addWidget(m_addVariable);
    bar->addWidget(m_removeVariable);
    bar->addStretch(1);
    bar->addWidget(m_validity);
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_side, 1);
    connect(m_which, &SegmentedControl::chosen, this, [this](int index) {
        m_side->setCurrentIndex(index);
        m_addVariable->setVisible(index == Variables);
        m_removeVariable->setVisible(index == Variables);
        showCounts();
    });
    connect(m_tools, &QPlainTextEdit::textChanged, this, &ConversationPanel::onEdited);
    connect(m_variables, &QTableWidget::itemChanged, this, [this] {
        checkVariables();
        onEdited();
    });
    connect(m_addVariable, &QAbstractButton::clicked, this, [this] {
        addVariable({QStringLiteral("enable_thinking"), QStringLiteral("true")});
        m_variables->setCurrentCell(m_variables->rowCount() - 1, 0);
        m_variables->editItem(m_variables->currentItem());
        onEdited();
    });
    connect(m_removeVariable, &QAbstractButton::clicked, this, [this] {
        m_variables->removeRow(m_variables->currentRow());
        checkVariables();
        onEdited();
    });
    return side;
}

void ConversationPanel::setConversation(const Conversation& conversation) {
    m_filling = true;
    for (MessageRow* row : std::as_const(m_rows)) {
        m_list->removeWidget(row);
        row->deleteLater();
        row->hide();
    }
    m_rows.clear();
    for (const ChatMessage& message : conversation.messages) {
        addRow(message, m_rows.size());
    }
    m_tools->setPlainText(conversation.tools);
    m_variables->setRowCount(0);
    for (const ChatVariable& variable : conversation.variables) {
        addVariable(variable);
    }
    m_prompt->setChecked(conversation.generationPrompt);
    int preset = 0;
    const auto presets = conversationPresets();
    for (int i = 0; i < presets.size(); ++i) {
        preset = presets[i].conversation == conversation ? i + 1 : preset;
    }
    m_preset->setCurrentIndex(preset);
    m_filling = false;
    checkVariables();
    showCounts();
}

Conversation ConversationPanel::conversation() const {
    Conversation conversation;
    for (const MessageRow* row : m_rows) {
        conversation.messages.append(row->message());
    }
    conversation.tools = m_tools->toPlainText();
    for (int i = 0; i < m_variables->rowCount(); ++i) {
        const QTableWidgetItem* name = m_variables->item(i, 0);
        const QTableWidgetItem* value = m_variables->item(i, 1);
        if (name != nullptr && value != nullptr && !name->text().trimmed().isEmpty()) {
            conversation.variables.append({name->text().trimmed(), value->text()});
        }
    }
    conversation.generationPrompt = m_prompt->isChecked();
    return conversation;
}

bool ConversationPanel::isValid() const {
    bool valid = m_tools->isValid();
    for (const MessageRow* row : m_rows) {
        valid = valid && row->isValid();
    }
    for (const ChatVariable& variable : conversation().variables) {
        valid = valid && !jsonProblem(variable.json, JsonKind::Any);
    }
    return valid;
}

void ConversationPanel::setFolded(bool folded) {
    m_body->setVisible(!folded);
    m_fold->setIcon(themeIcon(folded ? QStringLiteral("chevron-up") : QStringLiteral("chevron-down"), Token::Muted));
    setMaximumHeight(folded ? kHeaderHeight + 4 : QWIDGETSIZE_MAX);
}

MessageRow* ConversationPanel::addRow(const ChatMessage& message, qsizetype at) {
    auto* row = new MessageRow(message, m_scroll->widget());
    m_rows.insert(at, row);
    m_list->insertWidget(static_cast<int>(at), row);
    connect(row, &MessageRow::changed, this, &ConversationPanel::onEdited);
    connect(row, &MessageRow::moveRequested, this, [this, row](int by) { moveRow(row, by); });
    connect(row, &MessageRow::removeRequested, this, [this, row] {
        m_rows.removeOne(row);
        m_list->removeWidget(row);
        row->hide();
        row->deleteLater();
        numberRows();
        onEdited();
    });
    numberRows();
    return row;
}

void ConversationPanel::moveRow(MessageRow* row, int by) {
    const qsizetype from = m_rows.indexOf(row);
    const qsizetype to = from + by;
    if (to < 0 || to >= m_rows.size()) {
        return;
    }
    m_rows.move(from, to);
    m_list->removeWidget(row);
    m_list->insertWidget(static_cast<int>(to), row);
    numberRows();
    onEdited();
}

// The Tab key follows the order of the rows.
void ConversationPanel::numberRows() {
    for (int i = 0; i < m_rows.size(); ++i) {
        m_rows[i]->setPosition(i, static_cast<int>(m_rows.size()));
        if (i > 0) {
            setTabOrder(m_rows[i - 1]->contentEdit(), m_rows[i]->roleCombo());
        }
        setTabOrder(m_rows[i]->roleCombo(), m_rows[i]->contentEdit());
    }
}

void ConversationPanel::addVariable(const ChatVariable& variable) {
    const QSignalBlocker quiet(m_variables);
    const int row = m_variables->rowCount();
    m_variables->insertRow(row);
    m_variables->setItem(row, 0, new QTableWidgetItem(variable.name));
    m_variables->setItem(row, 1, new QTableWidgetItem(variable.json));
}

void ConversationPanel::checkVariables() {
    const QSignalBlocker quiet(m_variables);
    for (int i = 0; i < m_variables->rowCount(); ++i) {
        if (QTableWidgetItem* value = m_variables->item(i, 1)) {
            const auto problem = jsonProblem(value->text(), JsonKind::Any);
            value->setToolTip(problem ? plainToolTip(tr("%1. Strings need quotes.").arg(*problem)) : QString());
            value->setData(Qt::ForegroundRole, problem ? QVariant(themeColor(Token::ErrorText)) : QVariant());
        }
    }
    showCounts();
}

void ConversationPanel::showCounts() {
    m_which->segment(Variables)->setText(tr("Variables (%1)").arg(m_variables->rowCount()));
    m_which->segment(Variables)->updateGeometry();
    if (m_side->currentIndex() == Tools) {
        m_tools->showValidity(*m_validity);
    } else {
        bool valid = true;
        for (const ChatVariable& variable : conversation().variables) {
            valid = valid && !jsonProblem(variable.json, JsonKind::Any);
        }
        m_validity->setText(m_variables->rowCount() == 0 ? QString() : valid ? tr("Valid JSON") : tr("Not valid JSON"));
        m_validity->setToolTip({});
        setTextColor(m_validity, valid ? Token::Good : Token::ErrorText);
    }
    m_removeVariable->setEnabled(m_variables->rowCount() > 0);
}

void ConversationPanel::onEdited() {
    if (m_filling) {
        return;
    }
    m_preset->setCurrentIndex(0);
    showCounts();
    emit changed();
}

} // namespace gufo::ui

#include "moc_conversation_panel.cpp"
