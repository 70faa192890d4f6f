#include "ui/pages/metadata/text_pane.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/escaped_text.h"
#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/growing_edit.h"
#include "ui/widgets/pending_input.h"
#include "ui/widgets/text_color.h"

#include <QFocusEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kCommitMs = 600;
constexpr std::size_t kLongestLine = 16'384; // bytes; Qt lays out a line as a whole

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

class TextPane::Input : public PendingInput {
public:
    explicit Input(TextPane* pane)
        : PendingInput(pane->m_view)
        , m_pane(pane) {}
    using PendingInput::contentChanged;

    [[nodiscard]] bool isPending() const override {
        if (!m_pane->m_editable) {
            return false;
        }
        const auto typed = m_pane->typed();
        return !typed || *typed != m_pane->m_bytes;
    }
    [[nodiscard]] QString problem() const override {
        const auto typed = m_pane->typed();
        return typed ? QString() : typed.error();
    }
    bool commit() override { return m_pane->commit(); }
    void discard() override { m_pane->showBytes(std::string(m_pane->m_bytes)); }

protected:
    [[nodiscard]] QWidget* field() const override { return m_pane->m_view; }
    void showProblem() override { m_pane->commit(); }

private:
    TextPane* m_pane;
};

TextPane::TextPane(QWidget* parent)
    : QWidget(parent)
    , m_title(themedLabel({}, TextStyle::Mono, Token::Text, this))
    , m_subtitle(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_note(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_view(new TextView(this))
    , m_input(new Input(this)) {
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
            m_input->contentChanged();
        }
    });
    connect(copy, &QToolButton::clicked, this, [this] {
        if (commit()) {
            emit copyRequested();
        }
    });
    connect(close, &QToolButton::clicked, this, [this] {
        if (commit()) {
            emit closed();
        }
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
    m_editable = false; // setting the text is not typing
    const QString size = tr("str, %1 bytes", nullptr, numerus(bytes.size())).arg(formatCount(bytes.size()));
    const bool tooLong = bytes.size() > TextView::kMaxBytes || hasLongLine(bytes);
    m_escapes = !tooLong && needsEscapes(bytes, Lines::Kept);
    QString note = m_whyNot;
    if (!m_whyNot.isEmpty() || tooLong) {
        const std::size_t shown = m_view->setBytes(bytes);
        m_bytes.clear();
        m_subtitle->setText(
            shown < bytes.size()
                ? tr("%1, of which the first %2 are shown; Copy copies all").arg(size, formatBytes(shown))
                : tr("%1, %n lines", nullptr, numerus(static_cast<std::uint64_t>(m_view->blockCount()))).arg(size));
        if (m_whyNot.isEmpty()) {
            note = tr("Too long to be edited here. Use its context menu in the table to load it from a file.");
        }
    } else {
        m_bytes = std::string(bytes);
        m_view->setEditable(m_escapes ? escapeText(bytes, Lines::Kept)
                                      : QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size())));
        m_subtitle->setText(
            tr("%1, %n lines", nullptr, numerus(static_cast<std::uint64_t>(m_view->blockCount()))).arg(size));
        if (m_escapes) {
            note = tr("Shown with escapes: \\r, \\xNN for a byte, \\\\ for a backslash.");
        }
        m_editable = true;
    }
    setTextColor(m_note, Token::Muted);
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    m_input->contentChanged();
}

std::expected<std::string, QString> TextPane::typed() const {
    const QString text = rawText(*m_view);
    return m_escapes ? unescapeText(text) : std::expected<std::string, QString>(text.toStdString());
}

bool TextPane::commit() {
    m_soon.stop();
    if (!m_editable) {
        return true;
    }
    auto bytes = typed();
    if (!bytes) {
        setTextColor(m_note, Token::ErrorText);
        m_note->setText(tr("%1 Escape restores the text as it was.").arg(bytes.error()));
        m_note->show();
        return false;
    }
    if (*bytes != m_bytes) {
        m_bytes = std::move(*bytes);
        m_subtitle->setText(
            tr("%1, %n lines", nullptr, numerus(static_cast<std::uint64_t>(m_view->blockCount())))
                .arg(tr("str, %1 bytes", nullptr, numerus(m_bytes.size())).arg(formatCount(m_bytes.size()))));
        emit edited(m_key, m_bytes);
    }
    return true;
}

bool TextPane::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view && event->type() == QEvent::FocusOut) {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        if (!commit() && reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason) {
            QMetaObject::invokeMethod(m_input, &PendingInput::bringBack, Qt::QueuedConnection);
        }
    } else if (watched == m_view && event->type() == QEvent::KeyPress &&
               static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape && m_input->isStuck()) {
        m_input->discard();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace gufo::ui

#include "moc_text_pane.cpp"
