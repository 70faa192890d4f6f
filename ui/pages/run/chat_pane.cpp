#include "ui/pages/run/chat_pane.h"

#include "ui/messages/engine_text.h"
#include "ui/messages/error_text.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/text_color.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QVBoxLayout>

namespace gufo::ui {

Composer::Composer(QWidget* parent)
    : QWidget(parent)
    , m_field(new GrowingEdit(this))
    , m_button(new QPushButton(this)) {
    m_field->setFrameShape(QFrame::NoFrame);
    m_field->setAccessibleName(tr("Message"));
    m_field->installEventFilter(this);
    m_button->setProperty(kPrimaryProperty, true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(9, 8, 10, 9);
    layout->setSpacing(4);
    layout->addWidget(m_field);
    layout->addWidget(m_button, 0, Qt::AlignRight);
    connect(m_field, &QPlainTextEdit::textChanged, this, &Composer::showButton);
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_state == State::Working) {
            emit stopRequested();
        } else {
            send();
        }
    });
    showButton();
}

QString Composer::text() const { return rawText(*m_field); }

void Composer::setText(const QString& text) {
    m_field->setPlainText(text);
    m_field->moveCursor(QTextCursor::End);
}

void Composer::setState(State state) {
    m_state = state;
    showButton();
}

void Composer::setPlaceholder(const QString& text) {
    m_field->setPlaceholderText(text);
    m_field->viewport()->update(); // Qt would repaint only where the text appears or disappears
}

void Composer::setMayBeEmpty(bool may) {
    m_mayBeEmpty = may;
    showButton();
}

void Composer::setContinues(bool continues) {
    m_continues = continues;
    m_field->setVisible(!continues);
    showButton();
    update();
}

void Composer::showButton() {
    const bool working = m_state == State::Working;
    m_button->setText(working ? tr("Stop") : m_continues ? tr("Continue") : tr("Send"));
    m_button->setIcon(themeIcon(working ? QStringLiteral("stop") : QStringLiteral("send"), Token::OnAccent));
    m_button->setToolTip(working       ? tr("Stop the answer (Esc)")
                         : m_continues ? tr("Continue the text (Ctrl+Enter)")
                                       : tr("Send (Enter; Shift+Enter starts a new line)"));
    m_button->setEnabled(working ||
                         (m_state == State::Idle && (m_mayBeEmpty || (!m_continues && !text().trimmed().isEmpty()))));
    m_field->setEnabled(m_state != State::Off);
}

void Composer::send() {
    const QString written = m_continues ? QString() : text();
    if (m_state != State::Idle || (!m_mayBeEmpty && written.trimmed().isEmpty())) {
        return;
    }
    if (!m_continues) {
        m_field->clear();
    }
    emit sent(written);
}

bool Composer::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
        update();
    }
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (enter && !(key->modifiers() & (Qt::ShiftModifier | Qt::AltModifier))) {
            send();
            return true;
        }
        if (key->key() == Qt::Key_Up && text().isEmpty()) {
            emit editLastRequested();
            return true;
        }
        if (const QMimeData* pasted = QGuiApplication::clipboard()->mimeData();
            key->matches(QKeySequence::Paste) && pasted != nullptr && pasted->hasImage() && !pasted->hasText()) {
            emit picturePasted();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void Composer::paintEvent(QPaintEvent*) {
    if (m_continues) {
        return;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(themeColor(m_field->hasFocus() ? Token::Accent : Token::StrongLine), 1));
    painter.setBrush(themeColor(Token::Base));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
}

using inference::Feature;

ChatPane::ChatPane(ChatSession* session, EngineLoader* loader, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_loader(loader)
    , m_turns(new QStackedWidget(this))
    , m_empty(new EmptyState(m_turns))
    , m_transcript(new Transcript(session, m_turns)) {
    m_turns->addWidget(m_empty);
    m_turns->addWidget(m_transcript);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_turns, 1);
    layout->addWidget(makeFoot());
}

QWidget* ChatPane::makeFoot() {
    auto* foot = new QWidget(this);
    QGridLayout* columns = chatColumns(foot);
    columns->setContentsMargins(12, 4, 12 + kScrollBarExtent, 14); // aligned with the text of the turns
    m_noticeRow = new QWidget(foot);
    m_noticeRow->setMaximumWidth(kTextWidth);
    m_notice = themedLabel({}, TextStyle::Table, Token::WarningText, m_noticeRow);
    m_notice->setObjectName(QStringLiteral("notice"));
    m_notice->setWordWrap(true);
    m_notice->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* notice = new QHBoxLayout(m_noticeRow);
    notice->setContentsMargins(2, 0, 2, 6);
    notice->addWidget(m_notice);
    m_noticeRow->hide();
    m_sendAs = new SegmentedControl(tr("Send as"), foot);
    m_sendAs->setObjectName(QStringLiteral("sendAs"));
    m_sendAs->addSegment(tr("Result"), {}, tr("The result of the tool that the model has called"));
    m_sendAs->addSegment(tr("Message"), {}, tr("Say something else instead"));
    m_sendAs->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_sendAs->hide();
    connect(m_sendAs, &SegmentedControl::chosen, this, &ChatPane::showState);
    m_composer = new Composer(foot);
    m_composer->setMaximumWidth(kTextWidth);
    connect(m_composer, &Composer::picturePasted, this,
            [this] { say(tr("This engine supports text only: pictures cannot be sent."), false); });
    connect(m_composer, &Composer::stopRequested, m_session, &ChatSession::stop);
    connect(m_composer, &Composer::editLastRequested, m_transcript, &Transcript::editLast);
    auto* speaker = new QWidget(foot); // in the turns' column, because a grid has no gap beside an empty one
    speaker->setFixedSize(kSpeakerWidth, 1);
    columns->addWidget(speaker, 2, 1);
    columns->addWidget(m_noticeRow, 0, 2);
    columns->addWidget(m_sendAs, 1, 2);
    columns->addWidget(m_composer, 2, 2);
    return foot;
}

void ChatPane::say(const QString& text, bool isError) {
    m_noticeIsError = isError;
    m_notice->setText(text);
    setTextColor(m_notice, isError ? Token::ErrorText : Token::WarningText);
    m_noticeRow->setVisible(!text.isEmpty());
    m_notice->setVisible(!text.isEmpty());
}

QWidget* ChatPane::input() const {
    AnswerView* text = m_transcript->text();
    return text != nullptr && m_session->suits() ? static_cast<QWidget*>(text) : m_composer->field();
}

bool ChatPane::takeSendsResult() {
    const bool isResult = m_sendAs->current() == 0 && !pendingCalls().isEmpty();
    m_sendAs->setCurrent(0);
    return isResult;
}

QStringList ChatPane::pendingCalls() const {
    return tree().mode == ChatMode::Completion || m_session->isBusy() ? QStringList() : tree().pendingCalls();
}

void ChatPane::showState() {
    const bool canBegin = tree().mode == ChatMode::Completion && m_session->suits(); // in an empty text
    m_turns->setCurrentIndex(tree().isEmpty() && !canBegin ? 0 : 1);
    showEmptyState();
    showComposer();
    showPendingCall();
}

void ChatPane::showComposer() {
    m_composer->setState(!m_session->suits()   ? Composer::State::Off
                         : m_session->isBusy() ? Composer::State::Working
                                               : Composer::State::Idle);
    const bool completes = tree().mode == ChatMode::Completion;
    const bool unanswered = m_session->isUnanswered();
    m_composer->setContinues(completes && m_session->suits());
    m_composer->setPlaceholder(unanswered ? tr("Message; if empty, the last one is answered again") : tr("Message"));
    m_composer->setMayBeEmpty(unanswered ||
                              (completes && !tree().isEmpty() && !tree().turn(tree().leaf()).text.isEmpty()));
}

// Changes the message field while a call of a tool waits for its result.
void ChatPane::showPendingCall() {
    const QStringList calls = pendingCalls();
    if (!calls.isEmpty()) {
        constexpr qsizetype kMaxNameLength = 30;
        const QString name = calls.front().size() <= kMaxNameLength
                                 ? calls.front()
                                 : calls.front().left(kMaxNameLength - 1) + QChar(0x2026);
        m_sendAs->segment(0)->setText(tr("Result of %1").arg(name).replace(u'&', QStringLiteral("&&")));
        m_sendAs->segment(0)->updateGeometry();
        m_sendAs->updateGeometry();
        if (m_sendAs->current() == 0) {
            m_composer->setPlaceholder(tr("The result of %1, as JSON or text").arg(name));
        }
    }
    m_sendAs->setVisible(!calls.isEmpty());
}

void ChatPane::showEmptyState() {
    const RunFacts* facts = m_loader->facts();
    const bool completes = tree().mode == ChatMode::Completion;
    if (facts != nullptr && !facts->canRespond()) {
        m_empty->setTexts(tr("The tokenizer does not work"),
                          facts->tokenizerError
                              ? tr("Text cannot be tokenized: %1.").arg(errorReason(*facts->tokenizerError))
                              : QString());
    } else if (completes && !m_loader->offers(Feature::Completion)) {
        m_empty->setTexts(tr("No completion"), featureMissingTip(Feature::Completion) + u'.');
    } else if (completes) {
        m_empty->setTexts(tr("No text"), {});
    } else if (m_loader->capabilities().scores == inference::Scores::Logits) {
        m_empty->setTexts(tr("Ask something"), tr("The answer comes from this file alone."));
    } else {
        m_empty->setTexts(tr("Ask something"), {});
    }
}

} // namespace gufo::ui

#include "moc_chat_pane.cpp"
