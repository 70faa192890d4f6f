#include "ui/pages/inside/reading_panel.h"

#include "ui/messages/figure_text.h"
#include "ui/plots/plot_style.h"
#include "ui/theme/accessibility.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/keep_focus.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QShortcut>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gufo::ui {
namespace {

constexpr int kTextMargin = 6;
constexpr int kLineGap = 3;
constexpr int kTokenPadding = 2; // on either side of a token
constexpr double kTokenRadius = 2;
constexpr double kFullShade = 0.75; // the opacity of the shade 1

// The colour of this sign in maps of differences, at half of their range.
QColor signColor(float difference) {
    constexpr double kStrong = 0.5;
    return divergingGradient().color(std::copysign(kStrong, static_cast<double>(difference)), {-1, 1});
}

constexpr int kLeastReading = 200;
constexpr int kFieldHeight = 92;

} // namespace

TokenText::TokenText(QWidget* parent)
    : QAbstractScrollArea(parent) {
    setSpokenRole(this, QAccessible::Document);
    setAccessibleName(tr("Tokens of the text"));
    setFocusPolicy(Qt::StrongFocus);
    addFocusRing(this);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setAutoFillBackground(true);
    connect(&Theme::instance(), &Theme::changed, this, [this] { arrange(); });
}

void TokenText::setTokens(QStringList texts) {
    m_texts = std::move(texts);
    m_weights.clear();
    m_current.reset();
    setAccessibleDescription({});
    verticalScrollBar()->setValue(0);
    arrange();
}

void TokenText::setCurrent(std::size_t token) {
    if (token >= count()) {
        return;
    }
    m_current = token;
    setAccessibleDescription(tr("Token %1: %2").arg(formatCount(token), displayText(textOf(token).toStdString())));
    const QRect place = placeOf(token);
    if (place.top() < 0 || place.bottom() > viewport()->height()) {
        verticalScrollBar()->setValue(verticalScrollBar()->value() + place.center().y() - viewport()->height() / 2);
    }
    viewport()->update();
}

void TokenText::setWeights(std::vector<float> weights, bool areDifferences) {
    m_weights = std::move(weights);
    m_areDifferences = areDifferences;
    m_largest = 0;
    for (const float weight : m_weights) {
        m_largest = std::max(m_largest, std::abs(weight)); // NaN is never larger
    }
    viewport()->update();
}

void TokenText::choose(std::size_t token) {
    if (token < count() && token != m_current) {
        setCurrent(token);
        emit chosen(token);
    }
}

void TokenText::arrange() {
    m_boxes.clear();
    const QFontMetrics metrics(themeFont(TextStyle::Body));
    const int right = viewport()->width() - kTextMargin;
    const int height = metrics.height() + 2;
    QPoint at(kTextMargin, kTextMargin);
    const auto endLine = [&] { at = {kTextMargin, at.y() + height + kLineGap}; };
    for (const QString& text : m_texts) {
        const int needed = metrics.horizontalAdvance(displayText(text.toStdString())) + 2 * kTokenPadding;
        const int width = std::min(needed, std::max(right - kTextMargin, 1));
        if (at.x() + width > right && at.x() > kTextMargin) {
            endLine();
        }
        m_boxes.emplace_back(at, QSize(width, height));
        at.rx() += width;
        if (text.endsWith(u'\n')) {
            endLine();
        }
    }
    const int content = m_boxes.empty() ? 0 : m_boxes.back().bottom() + kTextMargin;
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(height + kLineGap);
    verticalScrollBar()->setRange(0, std::max(0, content - viewport()->height()));
    viewport()->update();
}

QRect TokenText::placeOf(std::size_t token) const {
    return token < m_boxes.size() ? m_boxes[token].translated(0, -verticalScrollBar()->value()) : QRect();
}

std::optional<std::size_t> TokenText::tokenAt(QPoint point) const {
    const QPoint place = point + QPoint(0, verticalScrollBar()->value());
    const auto row = std::ranges::partition_point(m_boxes, [&](const QRect& box) { return box.bottom() < place.y(); });
    for (auto box = row; box != m_boxes.end() && box->top() <= place.y(); ++box) {
        if (box->contains(place)) {
            return static_cast<std::size_t>(box - m_boxes.begin());
        }
    }
    return std::nullopt;
}

std::size_t TokenText::nextLine(int by) const {
    const QRect from = m_boxes[*m_current];
    std::optional<int> line;
    std::size_t best = *m_current;
    int nearest = std::numeric_limits<int>::max();
    for (std::size_t i = *m_current; i < m_boxes.size(); by > 0 ? ++i : --i) { // −1 wraps beyond the end
        const int top = m_boxes[i].top();
        if (top == from.top()) {
            continue;
        }
        if (line.value_or(top) != top) {
            break;
        }
        line = top;
        const int distance = std::abs(m_boxes[i].center().x() - from.center().x());
        if (distance < nearest) {
            nearest = distance;
            best = i;
        }
    }
    return best;
}

void TokenText::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(themeFont(TextStyle::Body));
    const int top = event->rect().top() + verticalScrollBar()->value();
    auto box = std::ranges::partition_point(m_boxes, [&](const QRect& each) { return each.bottom() < top; });
    for (; box != m_boxes.end(); ++box) {
        const auto token = static_cast<std::size_t>(box - m_boxes.begin());
        const QRect place = placeOf(token);
        if (place.top() > event->rect().bottom()) {
            break;
        }
        // Most heads give most of their attention to the first token, so that without the root the rest looked alike.
        const float weight = token < m_weights.size() ? m_weights[token] : 0;
        const float size = m_areDifferences ? std::abs(weight) : weight;
        const float shade = size > 0 ? std::sqrt(size / m_largest) : 0;
        if (shade > 0) {
            QColor fill = m_areDifferences ? signColor(weight) : themeColor(Token::Accent);
            fill.setAlphaF(static_cast<float>(kFullShade) * shade);
            painter.setPen(Qt::NoPen);
            painter.setBrush(fill);
            painter.drawRoundedRect(place, kTokenRadius, kTokenRadius);
        }
        const bool isUnseen = m_current && token > *m_current;
        painter.setPen(themeColor(isUnseen ? Token::Faint : Token::Text));
        const QRect inside = place.adjusted(kTokenPadding, 0, -kTokenPadding, 0);
        // Only a token that is wider than the view is cut: the width of a box may be a pixel short of its text.
        const QString text = displayText(m_texts[static_cast<qsizetype>(token)].toStdString());
        const bool fits = place.width() < viewport()->width() - 2 * kTextMargin;
        painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine | (fits ? Qt::TextDontClip : 0),
                         fits ? text : painter.fontMetrics().elidedText(text, Qt::ElideRight, inside.width()));
        if (token == m_current) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(themeColor(hasFocus() ? Token::Accent : Token::Text), 1.6));
            painter.drawRoundedRect(QRectF(place).adjusted(0.8, 0.8, -0.8, -0.8), kTokenRadius, kTokenRadius);
        }
    }
}

void TokenText::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    arrange();
}

void TokenText::mouseReleaseEvent(QMouseEvent* event) {
    if (const auto token = tokenAt(event->pos()); token && event->button() == Qt::LeftButton) {
        choose(*token);
    }
}

void TokenText::keyPressEvent(QKeyEvent* event) {
    if (m_boxes.empty()) {
        return QAbstractScrollArea::keyPressEvent(event);
    }
    const std::size_t last = m_boxes.size() - 1;
    const std::size_t now = m_current.value_or(last);
    switch (event->key()) {
    case Qt::Key_Left:
        return choose(now - (now > 0 ? 1 : 0));
    case Qt::Key_Right:
        return choose(std::min(now + 1, last));
    case Qt::Key_Home:
        return choose(0);
    case Qt::Key_End:
        return choose(last);
    case Qt::Key_Up:
    case Qt::Key_Down:
        return choose(m_current ? nextLine(event->key() == Qt::Key_Down ? 1 : -1) : last);
    default:
        return QAbstractScrollArea::keyPressEvent(event);
    }
}

void TokenText::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void TokenText::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

bool TokenText::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto token = tokenAt(help->pos());
        const QString text =
            token ? tr("Token %1: %2").arg(formatCount(*token), displayText(textOf(*token).toStdString())) : QString();
        const QString weight = token && *token < m_weights.size()
                                   ? (m_areDifferences ? tr("difference %1") : tr("weight %1"))
                                         .arg(formatReal(static_cast<double>(m_weights[*token]), 3))
                                   : QString();
        QToolTip::showText(help->globalPos(),
                           plainToolTip(weight.isEmpty() ? text : text + QStringLiteral(", ") + weight), this);
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

ReadingPanel::ReadingPanel(QWidget* parent)
    : QWidget(parent)
    , m_field(new QPlainTextEdit(this))
    , m_read(new QPushButton(tr("Look inside"), this))
    , m_conversation(new QPushButton(tr("Conversation"), this))
    , m_partner(new InsidePartner(this))
    , m_tokens(new TokenText(this))
    , m_bar(new JobBar(this))
    , m_message(themedLabel({}, TextStyle::Table, Token::Muted, this)) {
    setMinimumWidth(kLeastReading);
    m_field->setAccessibleName(tr("Text that the model reads"));
    m_field->setPlaceholderText(tr("A text that the model reads"));
    m_field->setTabChangesFocus(true);
    m_field->setFixedHeight(kFieldHeight);
    m_read->setProperty("primary", true);
    m_read->setToolTip(tr("Read the text and show what happens at its last token (Ctrl+Return)"));
    m_conversation->setToolTip(tr("Show the conversation of the page Run, token by token, as the model read it"));
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    m_message->hide();
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_conversation);
    buttons->addStretch();
    buttons->addWidget(m_read);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(m_field);
    layout->addLayout(buttons);
    layout->addWidget(m_partner);
    layout->addWidget(makeSeparator(Qt::Horizontal, this));
    layout->addWidget(m_tokens, 1);
    layout->addWidget(m_bar);
    layout->addWidget(m_message);
    connect(m_read, &QPushButton::clicked, this, &ReadingPanel::readWanted);
    connect(m_conversation, &QPushButton::clicked, this, &ReadingPanel::conversationWanted);
    connect(m_field, &QPlainTextEdit::textChanged, this, &ReadingPanel::textChanged);
    for (const int key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto* shortcut = new QShortcut(QKeySequence(Qt::CTRL | key), m_field);
        shortcut->setContext(Qt::WidgetShortcut);
        connect(shortcut, &QShortcut::activated, this, &ReadingPanel::readWanted);
    }
}

void ReadingPanel::say(const QString& text, bool isError) {
    setTextColor(m_message, isError ? Token::ErrorText : Token::Muted);
    m_message->setText(text);
    m_message->setVisible(!text.isEmpty());
}

void ReadingPanel::setAble(bool isAble, bool isBusy) {
    setEnabledKeepingFocus(*m_read, isAble && !m_field->document()->isEmpty() && !isBusy, *m_field);
    m_conversation->setEnabled(isAble && !isBusy);
    m_partner->setEnabled(isAble && !isBusy && !m_partner->isBusy());
}

} // namespace gufo::ui

#include "moc_reading_panel.cpp"
