#include "ui/shell/notice_bar.h"

#include "ui/theme/style_shapes.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

#include <array>

namespace gufo::ui {
namespace {

constexpr int kPassingMs = 8'000;
constexpr int kTextPosition = 0; // position in the layout; the actions follow

struct ToneRow {
    const char* icon;
    Token mark;
    Token fill;
};
constexpr std::array<ToneRow, 3> kLooks{{
    {"warning", Token::WarningMark, Token::WarningFill},
    {"error", Token::ErrorText, Token::ErrorFill},
    {"info", Token::Accent, Token::ChangedRow},
}};

} // namespace

NoticeBar::NoticeBar(QWidget* parent)
    : QWidget(parent)
    , m_text(new QLabel(this))
    , m_layout(new QHBoxLayout(this)) {
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setMinimumWidth(80);
    m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    auto* close = new QToolButton(this);
    close->setProperty("small", true);
    close->setAutoRaise(true);
    close->setIcon(themeIcon(QStringLiteral("close"), Token::Muted));
    close->setIconSize({12, 12});
    close->setToolTip(tr("Dismiss"));
    close->setAccessibleName(tr("Dismiss"));
    connect(close, &QToolButton::clicked, this, [this] {
        hide();
        emit dismissed();
    });
    m_layout->setContentsMargins(40, 5, 12, 6);
    m_layout->setSpacing(8);
    m_layout->addWidget(m_text, 1);
    m_layout->addWidget(close, 0, Qt::AlignTop);
    hide();
}

QString NoticeBar::text() const { return m_text->text(); }

QPushButton* NoticeBar::actionButton(int index) const {
    return index < static_cast<int>(m_actions.size()) ? m_actions[static_cast<std::size_t>(index)] : nullptr;
}

void NoticeBar::showNotice(const QString& text, std::vector<NoticeAction> actions, Tone tone) {
    m_tone = tone;
    m_text->setText(text);
    setAccessibleName(text);
    for (QPushButton* button : m_actions) {
        m_layout->removeWidget(button);
        button->hide();
        button->deleteLater(); // deferred, because the button may be the one that was clicked
    }
    m_actions.clear();
    for (NoticeAction& action : actions) {
        auto* button = new QPushButton(action.text, this);
        button->setProperty("small", true);
        button->setProperty("primary", action.primary);
        connect(button, &QPushButton::clicked, this, [this, run = std::move(action.run)] {
            const auto held = run; // running the action may delete the button
            hide();
            held();
        });
        m_actions.push_back(button);
        m_layout->insertWidget(kTextPosition + static_cast<int>(m_actions.size()), button, 0, Qt::AlignTop);
    }
    ++m_shown;
    show();
    update();
}

void NoticeBar::showInPassing(const QString& text, Tone tone) {
    showNotice(text, {}, tone);
    QTimer::singleShot(kPassingMs, this, [this, shown = m_shown] {
        if (shown == m_shown) {
            hide();
        }
    });
}

void NoticeBar::paintEvent(QPaintEvent* event) {
    Q_UNUSED(event);
    const ToneRow& look = kLooks[static_cast<std::size_t>(m_tone)];
    QPainter painter(this);
    painter.fillRect(rect(), themeColor(look.fill));
    painter.fillRect(0, 0, width(), 1, themeColor(Token::Line));
    drawIcon(&painter, QRect(12, 0, 20, std::min(height() - 1, 34)), QLatin1String(look.icon), look.mark, 16);
}

} // namespace gufo::ui

#include "moc_notice_bar.cpp"
