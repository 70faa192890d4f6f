#include "ui/pages/overview/type_bar.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/model_text.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr int kBar = 20;
constexpr int kLegendTop = 28;
constexpr int kLegendLine = 20;
constexpr int kSwatch = 9;
constexpr std::size_t kMaxShares = 24;

} // namespace

TypeBar::TypeBar(QWidget* parent)
    : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Bytes by tensor type"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void TypeBar::setOverview(const Overview& overview) {
    m_shares.clear();
    m_total = overview.headerBytes;
    for (const auto& [type, bytes] : overview.presentBytes) {
        m_total += bytes;
    }
    const auto percent = [this](std::uint64_t bytes) {
        return figureLocale().toString(
            m_total != 0 ? 100.0 * static_cast<double>(bytes) / static_cast<double>(m_total) : 0.0, 'f', 1);
    };
    Share rest{.type = {}, .name = tr("Other types"), .detail = {}, .bytes = 0};
    std::size_t restTypes = 0;
    for (const Model::TypeShare& share : overview.typeShares) {
        const std::uint64_t bytes = overview.presentBytes.at(share.name);
        if (m_shares.size() == kMaxShares) {
            rest.bytes += bytes;
            ++restTypes;
            continue;
        }
        const TensorTypeFact* type = findTensorType(share.typeId);
        const QString tensors = tr("%n tensors", nullptr, numerus(share.tensors));
        const QString size = type != nullptr
                                 ? tr("%1, %2 %").arg(shareSizeText(share, overview.presentBytes), percent(bytes))
                                 : tr("size not known");
        m_shares.push_back(
            {share.typeId, QString::fromStdString(share.name), QStringLiteral("%1, %2").arg(size, tensors), bytes});
    }
    if (restTypes != 0) {
        rest.detail = tr("%1, %n types", nullptr, numerus(restTypes)).arg(formatBytes(rest.bytes));
        m_shares.push_back(rest);
    }
    m_shares.push_back({{}, tr("Metadata"), formatBytes(overview.headerBytes), overview.headerBytes});
    QStringList lines;
    for (const Share& share : m_shares) {
        lines << share.name + u' ' + share.detail;
    }
    setAccessibleDescription(lines.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

QColor TypeBar::colorOf(const Share& share) const {
    return share.type ? tensorTypeColor(*share.type) : themeColor(Token::Muted);
}

std::vector<QPoint> TypeBar::legend(int width) const {
    const QFontMetrics metrics(themeFont(TextStyle::Table));
    std::vector<QPoint> places;
    int x = 0;
    int y = kLegendTop;
    for (const Share& share : m_shares) {
        const int needed = kSwatch + 7 + metrics.horizontalAdvance(share.name + u' ' + u' ' + share.detail);
        if (x > 0 && x + needed > width) {
            x = 0;
            y += kLegendLine;
        }
        places.emplace_back(x, y);
        x += needed + 24;
    }
    return places;
}

std::vector<QRect> TypeBar::segments() const {
    std::vector<QRect> rects;
    std::uint64_t before = 0;
    const auto position = [&](std::uint64_t bytes) {
        return m_total == 0
                   ? 0
                   : static_cast<int>(std::lround(static_cast<double>(bytes) / static_cast<double>(m_total) * width()));
    };
    int x = 0;
    for (const Share& share : m_shares) {
        before += share.bytes;
        // Every share is visible: it is at least one pixel wide besides the gap.
        const int end = share.bytes == 0 ? x : std::max(x + 2, position(before));
        rects.emplace_back(x, 0, std::max(0, end - x - 1), kBar);
        x = end;
    }
    const int beyond = x - width();
    if (beyond > 0 && !rects.empty()) { // the widest share gives up the width added to others
        const auto widest = std::ranges::max_element(rects, {}, &QRect::width);
        widest->setRight(widest->right() - beyond);
        for (auto rect = std::next(widest); rect != rects.end(); ++rect) {
            rect->translate(-beyond, 0);
        }
    }
    return rects;
}

int TypeBar::heightForWidth(int width) const {
    const auto places = legend(width);
    return (places.empty() ? kLegendTop : places.back().y()) + kLegendLine;
}

QSize TypeBar::sizeHint() const { return {640, heightForWidth(std::max(width(), 400))}; }

void TypeBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto rects = segments();
    const auto places = legend(width());
    const QFont font = themeFont(TextStyle::Table);
    const QFontMetrics metrics(font);
    painter.setFont(font);
    for (std::size_t i = 0; i < m_shares.size(); ++i) {
        painter.fillRect(rects[i], colorOf(m_shares[i]));
        const QPoint place = places[i];
        painter.fillRect(place.x(), place.y() + (kLegendLine - kSwatch) / 2, kSwatch, kSwatch, colorOf(m_shares[i]));
        const int x = place.x() + kSwatch + 7;
        const int baseline = place.y() + (kLegendLine + metrics.ascent() - metrics.descent()) / 2;
        painter.setPen(themeColor(Token::Text));
        painter.drawText(x, baseline, m_shares[i].name);
        painter.setPen(themeColor(Token::Muted));
        painter.drawText(x + metrics.horizontalAdvance(m_shares[i].name + QStringLiteral("  ")), baseline,
                         m_shares[i].detail);
    }
}

bool TypeBar::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto rects = segments();
        for (std::size_t i = 0; i < rects.size(); ++i) {
            if (rects[i].adjusted(-1, 0, 1, 0).contains(help->pos())) {
                QToolTip::showText(help->globalPos(), m_shares[i].name + u'\n' + m_shares[i].detail, this, rects[i]);
                return true;
            }
        }
        QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

} // namespace gufo::ui

#include "moc_type_bar.cpp"
