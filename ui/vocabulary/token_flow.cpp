#include "ui/vocabulary/token_flow.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kMargin = 4;
constexpr int kGap = 3;
constexpr int kPadding = 5;
constexpr int kMaxCharacters = 40; // of a box
constexpr int kRows = 3;           // of the size hint
constexpr int kRadius = 3;
constexpr int kTint = 52; // of 255

} // namespace

TokenFlow::TokenFlow(QWidget* parent)
    : QAbstractScrollArea(parent) {
    setAccessibleName(tr("Tokens with their ids"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setAutoFillBackground(true);
    connect(&Theme::instance(), &Theme::changed, this, [this] { arrange(); });
}

void TokenFlow::setTokens(std::shared_ptr<const text::Tokenizer> tokenizer,
                          std::shared_ptr<const TokenizedText> tokens) {
    m_tokenizer = std::move(tokenizer);
    m_tokens = std::move(tokens);
    arrange();
}

QString TokenFlow::textOf(std::size_t token) const {
    const QString text = displayText(m_tokenizer->vocabulary().text(m_tokens->ids[token]));
    return text.size() <= kMaxCharacters ? text : text.left(kMaxCharacters - 1) + QChar(0x2026);
}

int TokenFlow::boxHeight() const {
    return QFontMetrics(themeFont(TextStyle::Mono)).height() + QFontMetrics(themeFont(TextStyle::Axis)).height() + 2;
}

QSize TokenFlow::sizeHint() const {
    return {320, 2 * kMargin + kRows * boxHeight() + (kRows - 1) * kGap + 2 * frameWidth()};
}

void TokenFlow::arrange() {
    m_boxes.clear();
    if (m_tokenizer != nullptr && m_tokens != nullptr) {
        const QFontMetrics text(themeFont(TextStyle::Mono));
        const QFontMetrics id(themeFont(TextStyle::Axis));
        const int width = viewport()->width() - kMargin;
        QPoint at(kMargin, kMargin);
        m_boxes.reserve(m_tokens->ids.size());
        for (std::size_t i = 0; i < m_tokens->ids.size(); ++i) {
            const int needed = std::max(text.horizontalAdvance(textOf(i)),
                                        id.horizontalAdvance(QString::number(m_tokens->ids[i].value))) +
                               2 * kPadding;
            const int wide = std::min(needed, std::max(width - kMargin, 1));
            if (at.x() + wide > width && at.x() > kMargin) {
                at = {kMargin, at.y() + boxHeight() + kGap};
            }
            m_boxes.emplace_back(at, QSize(wide, boxHeight()));
            at.rx() += wide + kGap;
        }
    }
    const int height = m_boxes.empty() ? 0 : m_boxes.back().bottom() + kMargin;
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(boxHeight() + kGap);
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    viewport()->update();
}

QRect TokenFlow::placeOf(std::size_t token) const {
    return token < m_boxes.size() ? m_boxes[token].translated(0, -verticalScrollBar()->value()) : QRect();
}

std::optional<std::size_t> TokenFlow::tokenAt(QPoint point) const {
    const QPoint place = point + QPoint(0, verticalScrollBar()->value());
    const auto row = std::ranges::partition_point(m_boxes, [&](const QRect& box) { return box.bottom() < place.y(); });
    for (auto box = row; box != m_boxes.end() && box->top() <= place.y(); ++box) {
        if (box->contains(place)) {
            return static_cast<std::size_t>(box - m_boxes.begin());
        }
    }
    return std::nullopt;
}

void TokenFlow::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    const int top = event->rect().top() + verticalScrollBar()->value();
    auto box = std::ranges::partition_point(m_boxes, [&](const QRect& each) { return each.bottom() < top; });
    for (; box != m_boxes.end(); ++box) {
        const auto token = static_cast<std::size_t>(box - m_boxes.begin());
        const QRect place = placeOf(token);
        if (place.top() > event->rect().bottom()) {
            break;
        }
        QColor fill = seriesColor(token % 2 == 0 ? 0 : 1); // as the text above it is tinted
        fill.setAlpha(kTint);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(place, kRadius, kRadius);
        const QRect inside = place.adjusted(kPadding, 1, -kPadding, -1);
        painter.setFont(themeFont(TextStyle::Mono));
        painter.setPen(themeColor(Token::Text));
        painter.drawText(inside, Qt::AlignHCenter | Qt::AlignTop | Qt::TextSingleLine,
                         painter.fontMetrics().elidedText(textOf(token), Qt::ElideRight, inside.width()));
        painter.setFont(themeFont(TextStyle::Axis));
        painter.setPen(themeColor(Token::Muted));
        painter.drawText(inside, Qt::AlignHCenter | Qt::AlignBottom | Qt::TextSingleLine,
                         QString::number(m_tokens->ids[token].value));
    }
}

void TokenFlow::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    arrange();
}

void TokenFlow::mouseReleaseEvent(QMouseEvent* event) {
    if (const auto token = tokenAt(event->pos()); token && event->button() == Qt::LeftButton) {
        emit tokenClicked(m_tokens->ids[*token].value);
    }
}

bool TokenFlow::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto token = tokenAt(help->pos())) {
            const TokenId id = m_tokens->ids[*token];
            QToolTip::showText(
                help->globalPos(),
                plainToolTip(
                    tr("%1  id %2").arg(displayText(m_tokenizer->vocabulary().text(id)), formatCount(id.value))),
                this);
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace gufo::ui

#include "moc_token_flow.cpp"
