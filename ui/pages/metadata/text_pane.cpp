#include "ui/pages/metadata/text_pane.h"

#include "ui/messages/escaped_text.h"
#include "ui/messages/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kCommitMs = 600;
constexpr std::size_t kLongestLine = 16'384; // bytes; one line is laid out as a whole

bool hasLongLine(std::string_view bytes) {
    for (std::size_t start = 0; start <= bytes.size();) {
        const std::size_t end = std::min(bytes.find('\n', start), bytes.size());
        if (end - start > kLongestLine) {
            return true;
        }
        start = end + 1;
    }
    return false;
}

} // namespace

TextPane::TextPane(QWidget* parent)
    : QWidget(parent)
    , m_title(themedLabel({}, TextStyle::Mono, Token::Text, this))
    , m_subtitle(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_note(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_view(new TextView(this)) {
    setMinimumWidth(320);
    auto* copy = new QToolButton(this);
    auto* close = new QToolButton(this);
    copy->setIcon(themeIcon(QStringLiteral("copy")));
    close->setIcon(themeIcon(QStringLiteral("close")));
    copy->setToolTip(tr("Copy the whole value as it is"));
    close->setToolTip(tr("Close the text"));
    for (QToolButton* button : {copy, close}) {
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(button->toolTip());
    }
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_subtitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_note->setWordWrap(true);
    m_note->setContentsMargins(14, 0, 14, 8);
    auto* titles = new QVBoxLayout;
    titles->setSpacing(1);
    titles->addWidget(m_title);
    titles->addWidget(m_subtitle);
    auto* heading = new QHBoxLayout;
    heading->setContentsMargins(14, 10, 10, 10);
    heading->addLayout(titles, 1);
    heading->addWidget(copy, 0, Qt::AlignTop);
    heading->addWidget(close, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(heading);
    layout->addWidget(m_note);
    layout->addWidget(m_view, 1);
    m_view->installEventFilter(this);
    m_view->setTabChangesFocus(true);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kCommitMs);
    connect(&m_soon, &QTimer::timeout, this, &TextPane::commit);
    connect(m_view, &QPlainTextEdit::textChanged, this, [this] {
        if (m_editable) {
            m_soon.start();
        }
    });
    connect(copy, &QToolButton::clicked, this, [this] {
        commit();
        emit copyRequested();
    });
    connect(close, &QToolButton::clicked, this, [this] {
        commit();
        emit closed();
    });
}

void TextPane::setText(const std::string& key, std::string_view bytes, const QString& whyNot) {
    if (key == m_key) {
        follow(bytes, whyNot);
        return;
    }
    commit();
    if (const auto left = typed(); m_editable && !left) {
        emit said(tr("%1 keeps its value. %2").arg(displayText(m_key), left.error()));
    }
    m_key = key;
    m_whyNot = whyNot;
    m_title->setText(displayText(key));
    m_title->setToolTip(plainToolTip(displayText(key)));
    m_view->setAccessibleName(displayText(key));
    showBytes(bytes);
}

void TextPane::follow(std::string_view bytes, const QString& whyNot) {
    if (whyNot == m_whyNot && m_editable && bytes == m_bytes) {
        return;
    }
    m_soon.stop();
    m_whyNot = whyNot;
    const int place = m_view->verticalScrollBar()->value();
    const int cursor = m_view->textCursor().position();
    showBytes(bytes);
    QTextCursor at = m_view->textCursor();
    at.setPosition(std::min(cursor, m_view->document()->characterCount() - 1));
    m_view->setTextCursor(at);
    m_view->verticalScrollBar()->setValue(place);
}

void TextPane::showBytes(std::string_view bytes) {
    m_editable = false; // setting the text is no typing
    const QString size = tr("str, %1 bytes").arg(formatCount(bytes.size()));
    const bool tooLong = bytes.size() > TextView::kMaxBytes || hasLongLine(bytes);
    m_escapes = !tooLong && needsEscapes(bytes, Lines::Kept);
    QString note = m_whyNot;
    if (!m_whyNot.isEmpty() || tooLong) {
        const std::size_t shown = m_view->setBytes(bytes);
        m_bytes.clear();
        m_subtitle->setText(
            shown < bytes.size()
                ? tr("%1, the first %2 shown; copying takes all").arg(size, formatBytes(shown))
                : tr("%1, %2 lines").arg(size, formatCount(static_cast<std::uint64_t>(m_view->blockCount()))));
        if (m_whyNot.isEmpty()) {
            note = tr("Too long to be edited here. Its menu in the table loads it from a file.");
        }
    } else {
        m_bytes = std::string(bytes);
        m_view->setEditable(m_escapes ? escapeText(bytes, Lines::Kept)
                                      : QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size())));
        m_subtitle->setText(
            tr("%1, %2 lines").arg(size, formatCount(static_cast<std::uint64_t>(m_view->blockCount()))));
        if (m_escapes) {
            note = tr("Shown with escapes: \\r, \\xNN for a byte, \\\\ for a backslash.");
        }
        m_editable = true;
    }
    setTextColor(m_note, Token::Muted);
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

std::expected<std::string, QString> TextPane::typed() const {
    const QString text = rawText(*m_view);
    return m_escapes ? unescapeText(text) : std::expected<std::string, QString>(text.toStdString());
}

void TextPane::commit() {
    m_soon.stop();
    if (!m_editable) {
        return;
    }
    auto bytes = typed();
    if (!bytes) {
        setTextColor(m_note, Token::ErrorText);
        m_note->setText(bytes.error());
        m_note->show();
    } else if (*bytes != m_bytes) {
        m_bytes = std::move(*bytes);
        m_subtitle->setText(
            tr("str, %1 bytes, %2 lines")
                .arg(formatCount(m_bytes.size()), formatCount(static_cast<std::uint64_t>(m_view->blockCount()))));
        emit edited(m_key, m_bytes);
    }
}

bool TextPane::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view && event->type() == QEvent::FocusOut) {
        commit();
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace gufo::ui
