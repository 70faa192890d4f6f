#include "ui/pages/run/turn_view.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/growing_edit.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr QSize kIconSize{14, 14};

QString endText(TurnEnd end) {
    switch (end) {
    case TurnEnd::MaxTokens:
        return TurnView::tr("stopped at the maximum length");
    case TurnEnd::ContextFull:
        return TurnView::tr("the context is full");
    case TurnEnd::NothingAllowed:
        return TurnView::tr("the grammar allows no further token");
    case TurnEnd::Stopped:
        return TurnView::tr("stopped");
    case TurnEnd::Failed:
        return TurnView::tr("failed");
    case TurnEnd::ContentFilter:
        return TurnView::tr("ended by the server's content filter");
    case TurnEnd::Refusal:
        return TurnView::tr("refused by the server");
    case TurnEnd::StopText:
        return TurnView::tr("ended by a stop string");
    case TurnEnd::None:
    case TurnEnd::EndToken:
        return {};
    }
    return {};
}

// The blocks of a part of an answer, with positions in the whole text.
std::vector<MarkdownBlock> partBlocks(const QString& text, const AnswerPart& part) {
    std::vector<MarkdownBlock> blocks = parseMarkdown(text.mid(part.begin, part.end - part.begin));
    const auto move = [&](MarkdownRuns& runs) {
        for (MarkdownRun& run : runs) {
            run.source += part.begin;
        }
    };
    for (MarkdownBlock& block : blocks) {
        move(block.runs);
        for (std::vector<MarkdownRuns>& row : block.rows) {
            std::ranges::for_each(row, move);
        }
    }
    return blocks;
}

// A call as a block of code. The model may write it in any other way, so every line stands for all its tokens.
std::vector<MarkdownBlock> callBlocks(const AnswerPart& part) {
    std::vector<MarkdownBlock> blocks;
    for (const QString& line : part.call.split(u'\n', Qt::SkipEmptyParts)) {
        blocks.push_back({.kind = MarkdownBlock::Kind::CodeLine,
                          .runs = {{.text = line, .source = part.begin, .sourceLength = part.end - part.begin}},
                          .first = blocks.empty(),
                          .language = blocks.empty() ? QStringLiteral("json") : QString()});
    }
    return blocks;
}

} // namespace

QGridLayout* chatColumns(QWidget* widget) {
    auto* grid = new QGridLayout(widget);
    grid->setContentsMargins(12, 0, 12, 0);
    grid->setHorizontalSpacing(14);
    grid->setVerticalSpacing(0);
    grid->setColumnMinimumWidth(1, kSpeakerWidth);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(2, 1000);
    grid->setColumnStretch(3, 1);
    return grid;
}

TurnView::TurnView(QWidget* parent)
    : QWidget(parent)
    , m_speaker(themedLabel({}, TextStyle::Body, Token::Muted, this))
    , m_fold(new QToolButton(this))
    , m_thought(new AnswerView(this))
    , m_answer(new AnswerView(this))
    , m_leftOut(themedLabel({}, TextStyle::Table, Token::WarningText, this))
    , m_foot(new QWidget(this))
    , m_caption(new ElidedLabel(TextStyle::Table, Token::Muted, Qt::ElideRight, m_foot))
    , m_before(makeToolButton(QStringLiteral("chevron-left"), tr("Previous version"), m_foot, Token::Muted))
    , m_which(themedLabel({}, TextStyle::Table, Token::Muted, m_foot))
    , m_after(makeToolButton(QStringLiteral("chevron-right"), tr("Next version"), m_foot, Token::Muted))
    , m_actions(new QWidget(m_foot)) {
    m_fold->setObjectName(QStringLiteral("foldButton"));
    m_before->setIconSize(kIconSize);
    m_after->setIconSize(kIconSize);
    m_speaker->setAlignment(Qt::AlignRight | Qt::AlignTop);
    m_speaker->setFixedWidth(kSpeakerWidth);
    m_fold->setAutoRaise(true);
    m_fold->setCheckable(true);
    m_fold->setProperty(kFoldProperty, true);
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_fold->setIconSize({12, 12});
    m_thought->setMuted(true);
    m_thought->setAccessibleName(tr("Thoughts"));
    connectText(m_thought);
    connectText(m_answer);
    connect(m_answer, &AnswerView::edited, this, &TurnView::textEdited);

    auto* actions = new QHBoxLayout(m_actions);
    actions->setContentsMargins(0, 0, 0, 0);
    actions->setSpacing(2);
    addAction("copy", QStringLiteral("copy"), tr("Copy"), &TurnView::copyRequested);
    addAction("edit", QStringLiteral("edit"), tr("Edit"), &TurnView::editRequested);
    addAction("regenerate", QStringLiteral("reload"), tr("Regenerate"), &TurnView::regenerateRequested);
    addAction("continue", QStringLiteral("run"), tr("Continue the answer"), &TurnView::continueRequested);
    addAction("remove", QStringLiteral("trash"), tr("Delete, with what follows"), &TurnView::removeRequested);
    connect(m_before, &QToolButton::clicked, this, [this] { emit siblingRequested(m_id, -1); });
    connect(m_after, &QToolButton::clicked, this, [this] { emit siblingRequested(m_id, 1); });

    QSizePolicy policy = m_actions->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    m_actions->setSizePolicy(policy);

    auto* foot = new QHBoxLayout(m_foot);
    foot->setContentsMargins(0, 1, 0, 0);
    foot->setSpacing(3);
    foot->addWidget(m_caption);
    foot->addSpacing(8);
    foot->addWidget(m_before);
    foot->addWidget(m_which);
    foot->addWidget(m_after);
    foot->addStretch();
    foot->addWidget(m_actions);
    m_foot->setFixedHeight(24);

    auto* column = new QWidget(this);
    column->setMaximumWidth(kTextWidth);
    m_column = new QVBoxLayout(column);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(2);
    m_column->addWidget(m_fold);
    m_column->addWidget(m_thought);
    m_column->addWidget(m_answer);
    m_leftOut->setObjectName(QStringLiteral("leftOut"));
    m_leftOut->setWordWrap(true);
    m_leftOut->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_leftOut->hide();
    m_column->addWidget(m_leftOut);
    m_column->addWidget(m_foot);
    QGridLayout* grid = chatColumns(this);
    grid->setContentsMargins(12, 0, 12, 14);
    grid->addWidget(m_speaker, 0, 1, Qt::AlignTop);
    grid->addWidget(column, 0, 2);

    connect(m_fold, &QToolButton::toggled, this, [this](bool open) {
        m_thought->setVisible(open);
        m_fold->setIcon(
            themeIcon(open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"), Token::Muted));
    });
    m_fold->setIcon(themeIcon(QStringLiteral("chevron-right"), Token::Muted));
    m_fold->hide();
    m_thought->hide();
    for (QToolButton* button : m_foot->findChildren<QToolButton*>()) {
        button->installEventFilter(this); // the buttons are shown while one of them has the focus
    }
    m_answer->installEventFilter(this);
}

QToolButton* TurnView::addAction(const char* name, const QString& icon, const QString& text,
                                 void (TurnView::*signal)(int)) {
    QToolButton* button = makeToolButton(icon, text, m_actions, Token::Muted);
    button->setIconSize(kIconSize);
    button->setObjectName(QLatin1String(name));
    connect(button, &QToolButton::clicked, this, [this, signal] { emit(this->*signal)(m_id); });
    m_actions->layout()->addWidget(button);
    return button;
}

QToolButton* TurnView::actionButton(const char* name) const {
    return m_actions->findChild<QToolButton*>(QLatin1String(name));
}

void TurnView::connectText(AnswerView* view) {
    connect(view, &AnswerView::tokenHovered, this, [this, view](int token) { emit tokenHovered(this, view, token); });
    connect(view, &AnswerView::tokenKeyed, this, [this, view](int token) { emit tokenKeyed(this, view, token); });
}

void TurnView::showTurn(const Turn& turn, const Look& look) {
    const bool another = turn.id != m_id;
    m_id = turn.id;
    m_text = turn.text;
    m_isUser = turn.role != TurnRole::Assistant;
    m_growing = look.growing;
    m_look = look;
    m_speaker->setText(m_speaker->fontMetrics().elidedText(look.speaker, Qt::ElideMiddle, kSpeakerWidth));
    m_speaker->setToolTip(look.speaker);
    m_answer->setAccessibleName(look.isText ? tr("Text") : tr("Message of %1").arg(look.speaker));
    m_answer->setPlaceholderText(look.isText ? tr("Beginning of a text, which the model continues") : QString());
    m_answer->showAsText(look.isText, look.isText && look.canAnswer);
    if (another) {
        endEdit();
        m_fold->setChecked(false);
    }
    if (m_isUser || !look.markdown) {
        m_fold->hide();
        m_thought->hide();
        m_answer->setBlocks(plainBlocks(turn.text));
    } else {
        showParts(turn, look);
    }
    m_answer->setTokens(turn.tokens);
    m_answer->setShaded(look.shaded);
    m_thought->setTokens(turn.tokens);
    m_thought->setShaded(look.shaded);

    QStringList facts;
    if (look.growing && !look.reading.isEmpty()) {
        facts << look.reading;
    }
    const bool isGenerated = !turn.tokens.empty() || (turn.end != TurnEnd::None && !turn.text.isEmpty());
    if (!m_isUser && isGenerated) {
        if (const std::size_t count = turn.tokens.size(); count > 0) {
            facts << tr("%n tokens", nullptr, numerus(count));
        }
        if (turn.tokensPerSecond > 0) {
            facts << tr("%1 tokens/s").arg(speedText(turn.tokensPerSecond));
        }
        if (const auto mean = turn.meanProbability()) {
            facts << tr("mean probability %1").arg(formatFixed(*mean, 2));
        }
    } else if (!m_isUser && !look.isText && !look.growing && turn.end != TurnEnd::Failed &&
               turn.end != TurnEnd::Stopped) {
        facts << (turn.text.isEmpty() ? tr("no tokens: the model ended its answer immediately") : tr("written by you"));
    }
    if (!m_isUser && !look.growing && !endText(turn.end).isEmpty()) {
        facts << endText(turn.end);
    }
    m_caption->setText(facts.join(QStringLiteral(", ")));
    QStringList leftOut;
    if (turn.leftOutMessages > 0) {
        leftOut << tr("The %n oldest messages do not fit into the context and were left out.", nullptr,
                      numerus(turn.leftOutMessages));
    }
    if (turn.leftOutTokens > 0) {
        leftOut << tr("%n older tokens do not fit into the context and were left out.", nullptr,
                      numerus(turn.leftOutTokens));
    }
    if (turn.skippedEvents > 0) {
        leftOut << tr("%n events of the server could not be read and were skipped: the answer may be incomplete.",
                      nullptr, numerus(turn.skippedEvents));
    }
    m_leftOut->setText(leftOut.join(QLatin1Char(' ')));
    m_leftOut->setVisible(!leftOut.isEmpty());
    const bool several = look.siblings.count > 1;
    m_before->setVisible(several);
    m_which->setVisible(several);
    m_after->setVisible(several);
    m_which->setText(QStringLiteral("%1/%2").arg(look.siblings.index + 1).arg(look.siblings.count));
    m_which->setAccessibleName(tr("Version %1 of %2").arg(look.siblings.index + 1).arg(look.siblings.count));
    m_before->setEnabled(look.siblings.index > 0);
    m_after->setEnabled(look.siblings.index + 1 < look.siblings.count);

    const bool wasCut = turn.end == TurnEnd::MaxTokens || turn.end == TurnEnd::Stopped ||
                        turn.end == TurnEnd::ContextFull || !look.markdown;
    actionButton("edit")->setVisible(!look.isText);
    actionButton("edit")->setEnabled(!look.growing && (!m_isUser || look.canAnswer));
    actionButton("regenerate")->setVisible(!m_isUser);
    actionButton("regenerate")->setEnabled(look.canAnswer);
    actionButton("continue")->setVisible(!m_isUser && wasCut);
    const QString cannot = look.isText ? QString() : look.cannotContinue; // a text is continued as a prompt
    actionButton("continue")->setEnabled(look.canAnswer && cannot.isEmpty());
    actionButton("continue")
        ->setToolTip(!cannot.isEmpty() ? cannot
                     : look.isText     ? tr("Continue the text")
                                       : tr("Continue the answer"));
    actionButton("remove")->setEnabled(!look.growing);
    showActions();
}

void TurnView::showParts(const Turn& turn, const Look& look) {
    using Part = text::AnswerPiece::Part;
    const AnswerParts all = answerParts(turn, look.tools, look.growing);
    std::vector<MarkdownBlock> thoughts;
    std::vector<MarkdownBlock> answer;
    for (const AnswerPart& each : all.parts) {
        auto& to = each.part == Part::Thought ? thoughts : answer;
        auto blocks = each.part == Part::ToolCall ? callBlocks(each) : partBlocks(turn.text, each);
        std::ranges::move(blocks, std::back_inserter(to));
    }
    const bool thought = !thoughts.empty() || all.isThinking;
    m_fold->setVisible(thought);
    m_thought->setVisible(thought && m_fold->isChecked());
    if (thought) {
        const bool goesOn = all.isThinking && look.growing;
        m_fold->setText(goesOn ? tr("Thinking…") : tr("Thoughts"));
        m_thought->setBlocks(std::move(thoughts));
        m_thought->setGrowing(goesOn);
    }
    m_answer->setBlocks(std::move(answer));
    m_answer->setGrowing(look.growing && !all.isThinking);
    m_answer->setVisible(!isEditing() && !(all.isThinking && !turn.text.isEmpty()));
}

AnswerView* TurnView::selectText(qsizetype begin, qsizetype length) {
    if (m_answer->selectText(begin, length)) {
        return m_answer;
    }
    if (!m_thought->selectText(begin, length)) {
        return nullptr;
    }
    m_fold->setChecked(true);
    return m_thought;
}

void TurnView::showActions() {
    bool focused = false;
    for (const QToolButton* button : m_actions->findChildren<QToolButton*>()) {
        focused = focused || button->hasFocus();
    }
    m_actions->setVisible(m_id >= 0 && !m_growing && !isEditing() && (m_hovered || focused || m_answer->hasFocus()));
}

void TurnView::enterEvent(QEnterEvent*) {
    m_hovered = true;
    showActions();
}

void TurnView::leaveEvent(QEvent*) {
    m_hovered = false;
    showActions();
}

bool TurnView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
        showActions();
    }
    if (watched == m_editor && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (enter && !key->modifiers().testFlag(Qt::ShiftModifier)) {
            m_send->click();
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            endEdit();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void TurnView::beginEdit() {
    if (isEditing()) {
        return;
    }
    m_editor = new GrowingEdit(this);
    m_editor->setPlainText(m_text);
    m_editor->setAccessibleName(m_isUser ? tr("Your message") : tr("The answer"));
    m_editor->installEventFilter(this);
    m_editButtons = new QWidget(this);
    m_send = new QPushButton(m_isUser ? tr("Send") : tr("Keep"), m_editButtons);
    m_send->setObjectName(QStringLiteral("sendButton"));
    m_send->setToolTip(m_isUser ? tr("Ask this instead; the other version is kept (Enter)")
                                : tr("Use this as the answer; the other version is kept (Enter)"));
    auto* cancel = new QPushButton(tr("Cancel"), m_editButtons);
    auto* buttons = new QHBoxLayout(m_editButtons);
    buttons->setContentsMargins(0, 4, 0, 4);
    buttons->addWidget(m_send);
    buttons->addWidget(cancel);
    buttons->addStretch();
    m_column->insertWidget(m_column->indexOf(m_answer), m_editor);
    m_column->insertWidget(m_column->indexOf(m_answer), m_editButtons);
    m_answer->hide();
    showActions();
    connect(cancel, &QPushButton::clicked, this, &TurnView::endEdit);
    connect(m_send, &QPushButton::clicked, this, [this] {
        const QString text = rawText(*m_editor);
        endEdit();
        if (!text.trimmed().isEmpty()) {
            emit edited(m_id, text);
        }
    });
    m_editor->setFocus();
    m_editor->moveCursor(QTextCursor::End);
}

void TurnView::endEdit() {
    if (!isEditing()) {
        return;
    }
    m_editor->removeEventFilter(this);
    for (QWidget* part : {static_cast<QWidget*>(m_editor), m_editButtons}) {
        part->hide(); // until it is deleted
        part->deleteLater();
    }
    m_editor = nullptr;
    m_editButtons = nullptr;
    m_send = nullptr;
    m_answer->show();
    showActions();
    emit editEnded(); // what had the focus is hidden
}

} // namespace gufo::ui

#include "moc_turn_view.cpp"
