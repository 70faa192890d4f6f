#include "ui/saving/change_bar.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/save_text.h"
#include "ui/theme/style_shapes.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/folded_buttons.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kHeight = 44;
constexpr int kSavedMs = 10'000;
constexpr int kSteps = 1'000;
constexpr int kDot = 8;
constexpr int kLeft = 30;

} // namespace

ChangeBar::ChangeBar(QWidget* parent)
    : QWidget(parent)
    , m_what(themedLabel({}, TextStyle::Body, Token::Accent, this))
    , m_text(new ElidedLabel(TextStyle::Table, Token::Muted, Qt::ElideRight, this))
    , m_progress(new QProgressBar(this))
    , m_review(new QPushButton(tr("Review…"), this))
    , m_revert(new QPushButton(tr("Revert all"), this))
    , m_save(new QPushButton(tr("Save"), this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
    , m_dismiss(new QToolButton(this)) {
    setFixedHeight(kHeight);
    setAccessibleName(tr("Unsaved changes"));
    m_text->setObjectName("changeDetail");
    m_save->setIcon(themeIcon(QStringLiteral("save"), Token::OnAccent));
    m_save->setProperty("primary", true);
    m_save->setToolTip(tr("Save the changes (Ctrl+S)"));
    m_review->setToolTip(tr("Show the differences from the file (Ctrl+Shift+R)"));
    m_revert->setToolTip(tr("Revert all changes; Undo restores them"));
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(6);
    m_progress->setMinimumWidth(160);
    m_progress->setAccessibleName(tr("Progress of saving"));
    m_dismiss->setAutoRaise(true);
    m_dismiss->setIcon(themeIcon(QStringLiteral("close"), Token::Muted));
    m_dismiss->setIconSize({12, 12});
    m_dismiss->setToolTip(tr("Dismiss"));
    m_dismiss->setAccessibleName(tr("Dismiss"));
    // A click leaves the focus in the page: the buttons hide when they have done their work, and the focus would go on
    // to whatever is next.
    for (QAbstractButton* button :
         std::initializer_list<QAbstractButton*>{m_review, m_revert, m_save, m_cancel, m_dismiss}) {
        button->setFocusPolicy(Qt::TabFocus);
    }
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(kLeft, 1, 12, 0);
    row->setSpacing(8);
    row->addWidget(m_what);
    row->addSpacing(4);
    row->addWidget(m_text, 1);
    row->addWidget(m_progress, 1);
    row->addWidget(m_review);
    row->addWidget(m_revert);
    row->addWidget(m_save);
    row->addWidget(m_cancel);
    row->addWidget(m_dismiss);
    new FoldedButtons(this, {m_revert});
    m_hideTimer.setSingleShot(true);
    m_hideTimer.setInterval(kSavedMs);
    const auto dismiss = [this] { showState(State::Changes); };
    connect(&m_hideTimer, &QTimer::timeout, this, dismiss);
    connect(m_dismiss, &QToolButton::clicked, this, dismiss);
    connect(m_review, &QPushButton::clicked, this, &ChangeBar::reviewRequested);
    connect(m_revert, &QPushButton::clicked, this, &ChangeBar::revertRequested);
    connect(m_save, &QPushButton::clicked, this, &ChangeBar::saveRequested);
    connect(m_cancel, &QPushButton::clicked, this, &ChangeBar::cancelRequested);
    hide();
}

void ChangeBar::setChanges(std::size_t count) {
    m_count = count;
    if (m_state == State::Saving || (m_state == State::Saved && count == 0)) {
        return;
    }
    m_hideTimer.stop();
    showState(State::Changes);
}

void ChangeBar::setPlan(const QString& text) {
    m_plan = text;
    if (m_state == State::Changes) {
        showState(State::Changes);
    }
}

void ChangeBar::setSaving(const QString& what) {
    m_detail = what;
    m_time = {};
    m_progress->setRange(0, 0);
    showState(State::Saving);
}

void ChangeBar::setProgress(quint64 done, quint64 total) {
    if (total == 0) {
        return;
    }
    m_progress->setRange(0, kSteps);
    m_progress->setValue(
        static_cast<int>(static_cast<double>(std::min(done, total)) / static_cast<double>(total) * kSteps));
    QString text = tr("%1 of %2").arg(formatBytes(done), formatBytes(total));
    m_time.add(done, total);
    if (const auto left = m_time.left()) {
        text = tr("%1, %2").arg(text, timeLeftText(*left));
    }
    m_text->setText(text);
}

void ChangeBar::endSaving() { showState(State::Changes); }

void ChangeBar::showSaved(const QString& text, bool keep) {
    m_detail = text;
    showState(State::Saved);
    m_hideTimer.stop();
    if (!keep) {
        m_hideTimer.start();
    }
}

QString ChangeBar::countText() const { return m_what->text(); }

void ChangeBar::showState(State state) {
    m_state = state;
    m_review->setVisible(state == State::Changes);
    m_revert->setVisible(state == State::Changes);
    m_save->setVisible(state == State::Changes);
    m_progress->setVisible(state == State::Saving);
    m_cancel->setVisible(state == State::Saving);
    m_dismiss->setVisible(state == State::Saved);
    switch (state) {
    case State::Changes:
        m_what->setText(tr("%n unsaved changes", nullptr, numerus(m_count)));
        m_text->setText(m_plan);
        break;
    case State::Saving:
        m_what->setText(m_detail);
        m_text->setText({});
        break;
    case State::Saved:
        m_what->setText(tr("Saved"));
        m_text->setText(m_detail);
        break;
    }
    setTextColor(m_what, state == State::Saved ? Token::Good : Token::Accent);
    setAccessibleDescription(m_what->text() + QStringLiteral(". ") + m_text->text());
    setVisible(state != State::Changes || m_count != 0);
    update();
}

void ChangeBar::paintEvent(QPaintEvent* event) {
    Q_UNUSED(event);
    QPainter painter(this);
    painter.fillRect(rect(), themeColor(Token::Header));
    painter.fillRect(0, 0, width(), 1, themeColor(Token::Line));
    if (m_state == State::Saved) {
        drawIcon(&painter, QRect(8, 1, 16, height() - 1), QStringLiteral("check"), Token::Good, 16);
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(themeColor(Token::Accent));
    painter.drawEllipse(QRectF(12, (height() + 1 - kDot) / 2.0, kDot, kDot));
}

} // namespace gufo::ui

#include "moc_change_bar.cpp"
