#include "ui/pages/run/token_card.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QGraphicsDropShadowEffect>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr int kCardWidth = 292;
constexpr int kPadding = 13;
constexpr int kHeadHeight = 34; // in one line
constexpr int kHeadLine = 24;   // of the token, if the facts are below it
constexpr int kFactsGap = 8;
constexpr int kCandidateHeight = 22;
constexpr int kHeadingHeight = 17;
constexpr int kFootHeight = 28;
constexpr int kButtonsHeight = 36;
constexpr int kCandidateWidth = 96;
constexpr int kPercentWidth = 62;
constexpr int kCardMargin = 8;      // to the edges of the page
constexpr int kCardGap = 7;         // to the token
constexpr std::size_t kMinRows = 3; // shown even if there is less room
constexpr int kHideMs = 250;
constexpr float kUnlikely = 100; // log-probability shown as none

QString percent(double share) {
    const double value = 100 * share;
    if (value > 0 && value < 0.001) {
        return QCoreApplication::translate("gufo::ui::TokenCard", "< 0.001 %");
    }
    const int decimals = value <= 0 ? 0 : value < 0.1 ? 3 : 1;
    return QCoreApplication::translate("gufo::ui::TokenCard", "%1 %")
        .arg(figureLocale().toString(std::max(0.0, value), 'f', decimals));
}

// The height of the rows with their headings.
int heightOf(const std::vector<TurnCandidate>& candidates) {
    int height = 0;
    int lastCut = 0;
    for (const TurnCandidate& candidate : candidates) {
        height += kCandidateHeight + (candidate.cut != lastCut ? kHeadingHeight : 0);
        lastCut = candidate.cut;
    }
    return height;
}

} // namespace

TokenCard::TokenCard(QWidget* parent)
    : QWidget(parent)
    , m_continue(new QPushButton(tr("Continue from here"), this))
    , m_another(new QPushButton(tr("Try another"), this))
    , m_inside(new QPushButton(tr("Look inside"), this)) {
    m_another->setObjectName(QStringLiteral("anotherButton"));
    m_continue->setObjectName(QStringLiteral("continueButton"));
    m_inside->setObjectName(QStringLiteral("insideButton"));
    setMouseTracking(true);
    setFixedWidth(kCardWidth);
    setAccessibleName(tr("Candidates of the token"));
    auto* shadow = new QGraphicsDropShadowEffect(this);
    shadow->setBlurRadius(18);
    shadow->setOffset(0, 3);
    shadow->setColor(QColor(0, 0, 0, 70));
    setGraphicsEffect(shadow);
    for (QPushButton* button : {m_continue, m_another, m_inside}) {
        button->setProperty("small", true);
        button->setFocusPolicy(Qt::NoFocus); // the answer keeps the keyboard focus
    }
    connect(m_continue, &QPushButton::clicked, this, &TokenCard::continueRequested);
    connect(m_another, &QPushButton::clicked, this, &TokenCard::anotherRequested);
    connect(m_inside, &QPushButton::clicked, this, &TokenCard::insideRequested);
    m_hideSoon.setSingleShot(true);
    m_hideSoon.setInterval(kHideMs);
    connect(&m_hideSoon, &QTimer::timeout, this, &TokenCard::dismiss);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    hide();
}

void TokenCard::setWords(std::shared_ptr<const text::Tokenizer> tokenizer, std::function<QString(int)> cutText) {
    m_tokenizer = std::move(tokenizer);
    m_cutText = std::move(cutText);
}

QString TokenCard::tokenText(quint32 id, const QString& text) const {
    QString shown = id == kNoToken           ? displayText(text.toStdString())
                    : m_tokenizer != nullptr ? displayText(m_tokenizer->bytesOf(TokenId(std::size_t{id})))
                                             : QString::number(id);
    return shown.replace(u' ', QChar(0x2423));
}

void TokenCard::showToken(const TurnToken& token, const QString& text, const QRect& place, const Actions& actions) {
    m_hideSoon.stop();
    m_rows.clear();
    m_current = -1;
    m_canBranch = actions.isFree && actions.cannotBranch.isEmpty();
    m_cannotBranch = actions.cannotBranch;
    std::vector<TurnCandidate> candidates = token.candidates;
    const auto isDrawn = [&](const TurnCandidate& candidate) {
        return candidate.id == token.id && (candidate.id != kNoToken || candidate.text == text);
    };
    if (std::ranges::none_of(candidates, isDrawn)) { // the drawn token is less likely than all candidates
        candidates.push_back({.id = token.id,
                              .probability = std::exp(token.logProbability.value_or(-kUnlikely)),
                              .text = token.id == kNoToken ? text : QString()});
    }
    // Lists candidates that could be drawn first, then candidates that each sampler removed.
    std::ranges::stable_sort(candidates, {}, [](const TurnCandidate& c) { return c.cut != 0; });
    const auto drawn = [&] { return std::ranges::find_if(candidates, isDrawn); };
    const auto rank = drawn() - candidates.begin() + 1;
    m_head = tokenText(token.id, text);
    const QString id = token.id != kNoToken ? tr("id %1").arg(token.id) : tr("no id reported");
    m_facts = token.kept > 0 ? tr("%1, sampled as no. %2 of %3 remaining candidates").arg(id).arg(rank).arg(token.kept)
              : token.candidates.empty() ? id
                                         : tr("%1, no. %2").arg(id).arg(rank);
    if (token.afterSamplers) {
        m_facts += QStringLiteral(", ") + tr("probabilities after the samplers");
    }
    // The card stands beside the token and must not cover it. If there is little room, the last rows are summed up.
    const int below = parentWidget()->height() - kCardMargin - place.bottom() - kCardGap;
    const int above = place.top() - kCardGap - kCardMargin;
    const int room = std::max(below, above) - headHeight() - 6 - kFootHeight - kButtonsHeight;
    while (candidates.size() > kMinRows && heightOf(candidates) > room) {
        candidates.erase(drawn() + 1 == candidates.end() ? candidates.end() - 2 : candidates.end() - 1);
    }
    double told = 0;
    int lastCut = 0;
    for (const TurnCandidate& candidate : candidates) {
        Row row{.id = candidate.id,
                .inserted = candidate.text,
                .text = tokenText(candidate.id, candidate.text),
                .probability = candidate.probability,
                .cut = candidate.cut,
                .isDrawn = isDrawn(candidate),
                .heading = {},
                .top = 0};
        if (candidate.cut != lastCut && m_cutText) {
            row.heading = tr("removed by %1").arg(m_cutText(candidate.cut));
            lastCut = candidate.cut;
        }
        told += static_cast<double>(candidate.probability);
        m_rows.push_back(std::move(row));
    }
    m_others = tr("%1 all others").arg(percent(std::max(0.0, 1 - told)));
    m_entropy = token.entropy > 0 ? tr("entropy %1 bits").arg(formatFixed(token.entropy, 2)) : QString();
    const auto allow = [](QPushButton* button, bool can, const QString& reason, const QString& tip) {
        button->setEnabled(can && reason.isEmpty());
        button->setToolTip(reason.isEmpty() ? tip : reason);
    };
    allow(m_continue, actions.isFree, actions.cannotContinue,
          tr("Keep the answer up to and including this token, and generate the rest again"));
    allow(m_another, actions.isFree && m_rows.size() > 1, actions.cannotBranch,
          tr("Sample another candidate, and generate the rest again"));
    allow(m_inside, true, actions.cannotLook,
          tr("Show to which tokens the model looked here, and what happened in its blocks"));
    arrange();
    QPoint corner(place.left() - 12, place.bottom() + kCardGap);
    if (height() > below) {
        corner.setY(place.top() - kCardGap - height());
    }
    corner.setX(
        std::clamp(corner.x(), kCardMargin, std::max(kCardMargin, parentWidget()->width() - width() - kCardMargin)));
    corner.setY(std::max(4, corner.y()));
    move(corner);
    QStringList lines;
    for (int i = 0; i < rowCount(); ++i) {
        lines << rowText(i);
    }
    setAccessibleDescription(m_head + QStringLiteral(", ") + m_facts + QStringLiteral(": ") +
                             lines.join(QStringLiteral("; ")));
    raise();
    show();
    update();
}

bool TokenCard::headIsOneLine() const {
    return QFontMetrics(themeFont(TextStyle::Mono)).horizontalAdvance(m_head) + kFactsGap +
               QFontMetrics(themeFont(TextStyle::Axis)).horizontalAdvance(m_facts) <=
           kCardWidth - 2 * kPadding;
}

QRect TokenCard::factsRect() const {
    if (headIsOneLine()) {
        return {kPadding, 0, kCardWidth - 2 * kPadding, kHeadHeight};
    }
    const QRect room(kPadding, kHeadLine, kCardWidth - 2 * kPadding, 1000);
    return QFontMetrics(themeFont(TextStyle::Axis)).boundingRect(room, Qt::TextWordWrap, m_facts);
}

int TokenCard::headHeight() const { return headIsOneLine() ? kHeadHeight : factsRect().bottom() + 7; }

void TokenCard::arrange() {
    int y = headHeight() + 6;
    for (Row& row : m_rows) {
        y += row.heading.isEmpty() ? 0 : kHeadingHeight;
        row.top = y;
        y += kCandidateHeight;
    }
    y += kFootHeight;
    int x = kPadding;
    for (QPushButton* button : {m_continue, m_another, m_inside}) {
        button->resize(button->sizeHint());
        button->move(x, y);
        x += button->width() + 7;
    }
    setFixedSize(std::max(kCardWidth, x + kPadding), y + kButtonsHeight);
}

QString TokenCard::rowText(int row) const {
    const Row& each = m_rows[static_cast<std::size_t>(row)];
    return each.text + u' ' + percent(static_cast<double>(each.probability));
}

QRect TokenCard::rowRect(int row) const {
    return {7, m_rows[static_cast<std::size_t>(row)].top, width() - 14, kCandidateHeight};
}

int TokenCard::rowAt(const QPoint& position) const {
    for (int i = 0; i < rowCount(); ++i) {
        if (rowRect(i).contains(position)) {
            return i;
        }
    }
    return -1;
}

void TokenCard::leave() { m_hideSoon.start(); }

void TokenCard::dismiss() {
    m_hideSoon.stop();
    if (isVisible()) {
        hide();
        emit dismissed();
    }
}

void TokenCard::choose(int row) {
    if (row >= 0 && m_canBranch && !m_rows[static_cast<std::size_t>(row)].isDrawn) {
        const Row chosen = m_rows[static_cast<std::size_t>(row)];
        dismiss();
        emit candidateChosen(chosen.id, chosen.inserted);
    }
}

bool TokenCard::pressKey(int key) {
    if (!isVisible()) {
        return false;
    }
    switch (key) {
    case Qt::Key_Up:
    case Qt::Key_Down:
        m_current = std::clamp(m_current + (key == Qt::Key_Down ? 1 : -1), 0, rowCount() - 1);
        update();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        choose(m_current);
        return true;
    case Qt::Key_Escape:
        dismiss();
        return true;
    default:
        return false;
    }
}

void TokenCard::mouseMoveEvent(QMouseEvent* event) {
    const int row = rowAt(event->pos());
    if (row != m_current) {
        m_current = row;
        const bool usable = row >= 0 && m_canBranch && !m_rows[static_cast<std::size_t>(row)].isDrawn;
        setCursor(usable ? Qt::PointingHandCursor : Qt::ArrowCursor);
        setToolTip(usable     ? tr("Use this token instead, and generate the rest again")
                   : row >= 0 ? m_cannotBranch
                              : QString());
        update();
    }
}

void TokenCard::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        choose(rowAt(event->pos()));
    }
}

void TokenCard::enterEvent(QEnterEvent*) { m_hideSoon.stop(); }

void TokenCard::leaveEvent(QEvent*) {
    m_current = -1;
    update();
    leave();
}

void TokenCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(themeColor(Token::StrongLine));
    painter.setBrush(themeColor(Token::Base));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);

    const QFont mono = themeFont(TextStyle::Mono);
    const QFont small = themeFont(TextStyle::Axis);
    const int right = width() - kPadding;
    const QFontMetrics smallMetrics(small);
    const bool oneLine = headIsOneLine();
    painter.setFont(mono);
    painter.setPen(themeColor(Token::Text));
    painter.drawText(QRect(kPadding, oneLine ? 0 : 4, right - kPadding, oneLine ? kHeadHeight : kHeadLine - 4),
                     Qt::AlignVCenter, QFontMetrics(mono).elidedText(m_head, Qt::ElideRight, right - kPadding));
    painter.setFont(small);
    painter.setPen(themeColor(Token::Muted));
    painter.drawText(factsRect(), oneLine ? Qt::AlignVCenter | Qt::AlignRight : Qt::TextWordWrap | Qt::AlignLeft,
                     m_facts);
    painter.fillRect(kPadding, headHeight(), right - kPadding, 1, themeColor(Token::Line));

    const float maximum = m_rows.empty() ? 1.0F : std::ranges::max(m_rows, {}, &Row::probability).probability;
    const int barLeft = kPadding + kCandidateWidth;
    const int barWidth = right - kPercentWidth - barLeft - 8;
    for (int i = 0; i < rowCount(); ++i) {
        const Row& row = m_rows[static_cast<std::size_t>(i)];
        const QRect area = rowRect(i);
        if (!row.heading.isEmpty()) {
            painter.setFont(small);
            painter.setPen(themeColor(Token::Muted));
            const QRect line(kPadding, row.top - kHeadingHeight, right - kPadding, kHeadingHeight);
            painter.drawText(line, Qt::AlignVCenter, row.heading);
            const int text = smallMetrics.horizontalAdvance(row.heading) + 8;
            painter.fillRect(kPadding + text, line.center().y(), line.width() - text, 1, themeColor(Token::Line));
        }
        if (row.isDrawn || i == m_current) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(themeColor(row.isDrawn ? Token::Selection : Token::ButtonHover));
            painter.drawRoundedRect(area, 3, 3);
        }
        const Token ink = row.cut != 0 ? Token::Muted : Token::Text;
        painter.setFont(mono);
        painter.setPen(themeColor(ink));
        painter.drawText(QRect(kPadding, area.top(), kCandidateWidth - 8, area.height()), Qt::AlignVCenter,
                         QFontMetrics(mono).elidedText(row.text, Qt::ElideRight, kCandidateWidth - 8));
        const double share = maximum > 0 ? static_cast<double>(row.probability / maximum) : 0;
        painter.setPen(Qt::NoPen);
        painter.setBrush(themeColor(row.isDrawn ? Token::Accent : row.cut != 0 ? Token::Line : Token::StrongLine));
        painter.drawRoundedRect(QRectF(barLeft, area.center().y() - 3.5, std::max(1.0, share * barWidth), 8), 1, 1);
        painter.setFont(themeFont(TextStyle::Table));
        painter.setPen(themeColor(ink));
        painter.drawText(QRect(right - kPercentWidth, area.top(), kPercentWidth, area.height()),
                         Qt::AlignVCenter | Qt::AlignRight, percent(static_cast<double>(row.probability)));
    }
    painter.setFont(small);
    painter.setPen(themeColor(Token::Muted));
    const QRect foot(kPadding, m_continue->y() - kFootHeight, right - kPadding, kFootHeight);
    painter.drawText(foot, Qt::AlignVCenter, m_others);
    painter.drawText(foot, Qt::AlignVCenter | Qt::AlignRight, m_entropy);
}

} // namespace gufo::ui

#include "moc_token_card.cpp"
