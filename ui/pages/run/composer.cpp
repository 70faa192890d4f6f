#include "ui/pages/run/composer.h"

#include "ui/theme/style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/growing_edit.h"

#include <QClipboard>
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

} // namespace gufo::ui

#include "moc_composer.cpp"
