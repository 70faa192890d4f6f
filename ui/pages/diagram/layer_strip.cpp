#include "ui/pages/diagram/layer_strip.h"

#include "model/hyper_parameters.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/structure_text.h"
#include "ui/theme/accessibility.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace gufo::ui {
namespace {

using inference::GraphPart;
using inference::StructureBlock;
using inference::StructureFact;
using inference::StructureStack;

constexpr int kLabels = 64; // width of the names of lanes
constexpr int kLane = 14;
constexpr int kLaneGap = 2;
constexpr int kAxis = 16;
constexpr double kWidestCell = 26;
constexpr double kGapFrom = 5;     // narrower cells touch each other
constexpr std::size_t kSeries = 6; // colours that can be told apart
constexpr int kOtherKinds = -1;
constexpr int kTickGap = 12; // between the numbers of blocks

bool attends(const StructureBlock& block) { return block.find(GraphPart::Attention) != nullptr; }

bool hasWindow(const StructureBlock& block) {
    const inference::StructurePart* attention = block.find(GraphPart::Attention);
    return attention != nullptr && std::ranges::any_of(attention->facts, [](const inference::PartFact& fact) {
               return fact.fact == StructureFact::Window || fact.fact == StructureFact::Chunk;
           });
}

// The smallest of 1, 2, 5, 10 … so that numbers this far apart do not touch.
std::uint32_t tickStep(double cell, double widest) {
    std::uint32_t step = 1;
    for (std::size_t i = 0; step * cell < widest + kTickGap && step < kMaxBlocks; ++i) {
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    }
    return step;
}

} // namespace

LayerStrip::LayerStrip(QWidget* parent)
    : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSpokenRole(this, QAccessible::Chart);
    setMouseTracking(true);
    setAccessibleName(tr("All blocks"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void LayerStrip::setDiagram(std::shared_ptr<const Diagram> diagram, const DiagramColors* colors) {
    m_diagram = std::move(diagram);
    m_colors = colors;
    m_current.reset();
    findKinds();
    updateGeometry();
    update();
}

// Kinds of several stacks have colours of their own, in the order in which they appear; if there are too many, the most
// frequent ones do.
void LayerStrip::findKinds() {
    struct Kind {
        DiagramBlock first;
        std::size_t blocks = 0;
    };
    m_series.clear();
    m_firstOf.clear();
    m_otherKinds = 0;
    if (m_diagram == nullptr) {
        return;
    }
    std::vector<Kind> kinds;
    const auto& stacks = m_diagram->structure.stacks;
    for (std::size_t stack = 0; stack < stacks.size(); ++stack) {
        std::vector<std::size_t> kindAt; // by kind of the stack
        for (std::size_t block = 0; block < stacks[stack].blocks.size(); ++block) {
            const StructureBlock& each = stacks[stack].blocks[block];
            if (each.kind >= kindAt.size()) { // kinds are numbered as they appear
                kindAt.push_back(kinds.size());
                kinds.push_back({.first = {stack, block}});
            }
            kinds[kindAt[each.kind]].blocks += each.parts.empty() ? 0 : 1;
        }
        m_series.emplace_back(kindAt.size(), kOtherKinds);
    }
    std::erase_if(kinds, [](const Kind& kind) { return kind.blocks == 0; }); // missing blocks are drawn empty
    if (kinds.size() > kSeries) {
        const auto isMore = [](const Kind& a, const Kind& b) {
            return std::tuple(b.blocks, a.first.stack, a.first.block) <
                   std::tuple(a.blocks, b.first.stack, b.first.block);
        };
        std::ranges::sort(kinds, isMore);
        m_otherKinds = kinds.size() - (kSeries - 1);
        kinds.resize(kSeries - 1);
    }
    for (const Kind& kind : kinds) {
        const StructureBlock& block = stacks[kind.first.stack].blocks[kind.first.block];
        m_series[kind.first.stack][block.kind] = static_cast<int>(m_firstOf.size());
        m_firstOf.push_back(kind.first);
    }
}

QColor LayerStrip::kindColor(std::size_t stack, std::size_t kind) const {
    const int series = m_series[stack][kind];
    return series == kOtherKinds ? themeColor(Token::Faint) : seriesColor(series);
}

std::vector<DiagramKeyGroup> LayerStrip::keys() const {
    if (m_diagram == nullptr || count() == 0) {
        return {};
    }
    const auto& stacks = m_diagram->structure.stacks;
    DiagramKeyGroup kinds{.label = tr("kind"), .keys = {}};
    for (std::size_t i = 0; i < m_firstOf.size(); ++i) {
        const StructureStack& stack = stacks[m_firstOf[i].stack];
        const QString title = blockTitle(stack, stack.blocks[m_firstOf[i].block]);
        kinds.keys.push_back({seriesColor(static_cast<int>(i)),
                              stacks.size() > 1 ? QStringLiteral("%1: %2").arg(stackTitle(stack), title) : title});
    }
    if (m_otherKinds != 0) {
        kinds.keys.push_back({themeColor(Token::Faint), tr("%n other kinds", nullptr, numerus(m_otherKinds))});
    }
    bool windows = false;
    bool whole = false;
    for (const StructureStack& stack : stacks) {
        for (const StructureBlock& block : stack.blocks) {
            windows = windows || hasWindow(block);
            whole = whole || (attends(block) && !hasWindow(block));
        }
    }
    DiagramKeyGroup attention{.label = tr("window"), .keys = {}};
    if (windows) {
        attention.keys.push_back({themeColor(Token::StrongLine), tr("attends within a window"), true});
    }
    if (whole) {
        attention.keys.push_back({themeColor(Token::Line), tr("attends to all positions")});
    }
    return attention.keys.empty() ? std::vector{kinds} : std::vector{kinds, attention};
}

void LayerStrip::setCurrent(std::optional<DiagramBlock> block) {
    m_current = m_diagram != nullptr ? block : std::nullopt;
    setAccessibleDescription(m_current ? describe(*m_current) : QString());
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
    update();
}

QSize LayerStrip::sizeHint() const { return {640, 3 * (kLane + kLaneGap) + kAxis + 8}; }

std::size_t LayerStrip::count() const {
    std::size_t blocks = 0;
    if (m_diagram != nullptr) {
        for (const StructureStack& stack : m_diagram->structure.stacks) {
            blocks += stack.blocks.size();
        }
    }
    return blocks;
}

DiagramBlock LayerStrip::blockOf(std::size_t position) const {
    DiagramBlock block;
    for (const StructureStack& stack : m_diagram->structure.stacks) {
        if (position < stack.blocks.size()) {
            block.block = position;
            return block;
        }
        position -= stack.blocks.size();
        ++block.stack;
    }
    return {};
}

std::size_t LayerStrip::positionOf(DiagramBlock block) const {
    std::size_t position = block.block;
    for (std::size_t i = 0; i < block.stack; ++i) {
        position += m_diagram->structure.stacks[i].blocks.size();
    }
    return position;
}

double LayerStrip::cellWidth(int width) const {
    return std::min(kWidestCell, (width - kLabels - 8.0) / static_cast<double>(std::max<std::size_t>(count(), 1)));
}

std::optional<DiagramBlock> LayerStrip::blockAt(int x) const {
    if (x < kLabels || count() == 0) {
        return std::nullopt;
    }
    const auto position = static_cast<std::size_t>((x - kLabels) / cellWidth(width()));
    return position < count() ? std::optional(blockOf(position)) : std::nullopt;
}

QRect LayerStrip::rectOf(DiagramBlock block) const {
    const double cell = cellWidth(width());
    const double x = kLabels + static_cast<double>(positionOf(block)) * cell;
    return QRectF(x, 4, std::max(cell, 1.0), 3 * (kLane + kLaneGap) - kLaneGap).toAlignedRect();
}

QString LayerStrip::describe(DiagramBlock where) const {
    const StructureStack& stack = m_diagram->structure.stacks[where.stack];
    const StructureBlock& block = stack.blocks[where.block];
    const QString text = tr("Block %1: %2").arg(block.number).arg(blockTitle(stack, block));
    return m_diagram->structure.stacks.size() > 1 ? QStringLiteral("%1, %2").arg(stackTitle(stack), text) : text;
}

void LayerStrip::drawAt(QPainter& painter, int width) const { draw(painter, width); }

void LayerStrip::draw(QPainter& painter, int width) const {
    if (count() == 0) {
        return;
    }
    painter.setFont(themeFont(TextStyle::Axis));
    painter.setPen(themeColor(Token::Muted));
    const QStringList lanes{tr("kind"), tr("window"), tr("tensors")};
    for (int lane = 0; lane < lanes.size(); ++lane) {
        painter.drawText(QRect(0, 4 + lane * (kLane + kLaneGap), kLabels - 8, kLane), Qt::AlignRight | Qt::AlignVCenter,
                         lanes[lane]);
    }
    const double cell = cellWidth(width);
    const double gap = cell >= kGapFrom ? 1 : 0;
    std::uint32_t highest = 0;
    for (const StructureStack& stack : m_diagram->structure.stacks) {
        highest = std::max(highest, stack.blocks.empty() ? 0 : stack.blocks.back().number);
    }
    const QFontMetricsF metrics(painter.font());
    const std::uint32_t step = tickStep(cell, metrics.horizontalAdvance(QString::number(highest)));
    double labelEnd = 0;
    std::size_t stackIndex = 0;
    std::size_t position = 0;
    int drawnTo = -1; // of cells narrower than a pixel, one is drawn for each
    for (const StructureStack& stack : m_diagram->structure.stacks) {
        for (const StructureBlock& block : stack.blocks) {
            const double x = kLabels + static_cast<double>(position) * cell;
            ++position;
            const double center = x + cell / 2;
            const double half = metrics.horizontalAdvance(QString::number(block.number)) / 2;
            // Where another stack begins, a number could touch the one before.
            if (block.number % step == 0 && center - half > labelEnd + kTickGap / 2.0) {
                drawTick(painter, block.number, center);
                labelEnd = center + half;
            }
            if (cell < 1 && static_cast<int>(x) == drawnTo) {
                continue;
            }
            drawnTo = static_cast<int>(x);
            const QRectF first(x, 4, std::max(cell - gap, 1.0), kLane);
            if (block.parts.empty()) { // declared, but not there
                painter.setPen(QPen(themeColor(Token::WarningMark), 1));
                painter.drawRect(first.adjusted(0.5, 0.5, -0.5, 2 * (kLane + kLaneGap) - 0.5));
                continue;
            }
            painter.fillRect(first, kindColor(stackIndex, block.kind));
            const QRectF second = first.translated(0, kLane + kLaneGap);
            if (attends(block)) {
                painter.fillRect(second, hasWindow(block) ? themeColor(Token::StrongLine) : themeColor(Token::Line));
            }
            if (hasWindow(block) && cell >= kGapFrom) { // a mark besides the shade
                painter.setPen(QPen(themeColor(Token::Text), 1));
                const double middle = second.center().y();
                painter.drawLine(QPointF(second.left() + 2, middle), QPointF(second.right() - 2, middle));
            }
            const QRectF third = second.translated(0, kLane + kLaneGap);
            double left = third.left();
            for (const ColorShare& share : m_colors->of(block)) {
                painter.fillRect(QRectF(left, third.top(), third.width() * share.share, third.height()), share.color);
                left += third.width() * share.share;
            }
        }
        ++stackIndex;
    }
}

// A number, and a short line that leads to its cell.
void LayerStrip::drawTick(QPainter& painter, std::uint32_t number, double center) const {
    constexpr double kTick = 3;
    constexpr double kRoom = 40;
    const double top = 4 + 3 * (kLane + kLaneGap) - kLaneGap + 1;
    painter.setPen(QPen(themeColor(Token::Muted), 1));
    painter.drawLine(QPointF(center, top), QPointF(center, top + kTick));
    painter.drawText(QRectF(center - kRoom, top + kTick, 2 * kRoom, kAxis), Qt::AlignHCenter | Qt::AlignTop,
                     QString::number(number));
}

void LayerStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (m_diagram == nullptr || m_colors == nullptr) {
        return;
    }
    draw(painter, width());
    if (m_current && count() != 0) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(themeColor(hasFocus() ? Token::Accent : Token::Text), 1.6));
        painter.drawRoundedRect(QRectF(rectOf(*m_current)).adjusted(-1, -2, 0, 2), 2, 2);
    }
}

void LayerStrip::choose(std::size_t position) { emit chosen(blockOf(position)); }

void LayerStrip::mousePressEvent(QMouseEvent* event) {
    if (const auto block = blockAt(event->position().toPoint().x()); block && event->button() == Qt::LeftButton) {
        emit chosen(*block);
    }
}

void LayerStrip::keyPressEvent(QKeyEvent* event) {
    const std::size_t blocks = count();
    if (blocks == 0) {
        return QWidget::keyPressEvent(event);
    }
    const std::size_t at = m_current ? positionOf(*m_current) : 0;
    switch (event->key()) {
    case Qt::Key_Left:
        return choose(at != 0 ? at - 1 : 0);
    case Qt::Key_Right:
        return choose(m_current ? std::min(at + 1, blocks - 1) : 0);
    case Qt::Key_Home:
        return choose(0);
    case Qt::Key_End:
        return choose(blocks - 1);
    default:
        QWidget::keyPressEvent(event);
    }
}

bool LayerStrip::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto block = m_diagram != nullptr ? blockAt(help->pos().x()) : std::nullopt) {
            QToolTip::showText(help->globalPos(), plainToolTip(describe(*block)), this, rectOf(*block));
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QWidget::event(event);
}

} // namespace gufo::ui

#include "moc_layer_strip.cpp"
