#include "ui/pages/diagram/diagram_view.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/structure_text.h"
#include "ui/pages/diagram/diagram_painter.h"
#include "ui/theme/accessibility.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QAccessible>
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

using inference::StructurePart;

constexpr double kMinZoom = 0.25;
constexpr double kMaxZoom = 4;
constexpr double kFitLimit = 1.25; // boxes that are larger than texts elsewhere look coarse
constexpr double kZoomStep = 1.25;
constexpr std::size_t kTipTensors = 8;

} // namespace

DiagramView::DiagramView(QWidget* parent)
    : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    addFocusRing(this);
    setSpokenRole(this, QAccessible::Graphic);
    setAccessibleName(tr("Diagram of the architecture"));
    viewport()->setMouseTracking(true);
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setAutoFillBackground(true);
    connect(&Theme::instance(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

void DiagramView::setDiagram(std::shared_ptr<const Diagram> diagram) {
    m_colors.reset();
    m_figures.reset(); // of another model
    m_diagram = std::move(diagram);
    m_selected.reset();
    m_unfolded.reset();
    m_layout = {};
    if (m_diagram != nullptr) {
        m_colors.emplace(*m_diagram->model, m_diagram->structure);
        m_colors->setMeasure(m_measure);
        m_unfolded = mainBlock(m_diagram->structure);
    }
    setAccessibleDescription(m_diagram != nullptr ? structureText(m_diagram->structure) : QString());
    layOut();
    emit unfoldedChanged();
    emit selectionChanged();
}

void DiagramView::setMeasure(DiagramMeasure measure) {
    m_measure = measure;
    if (m_colors) {
        m_colors->setMeasure(measure);
    }
    viewport()->update();
}

void DiagramView::setFigures(std::shared_ptr<const DiagramFigures> figures) {
    m_figures = std::move(figures);
    if (m_colors) {
        m_colors->setFigures(m_figures);
    }
    viewport()->update();
    emit selectionChanged(); // whose figure is another one
}

void DiagramView::unfold(std::optional<DiagramBlock> block) {
    if (m_diagram == nullptr) {
        return;
    }
    if (block != m_unfolded) {
        m_unfolded = block;
        m_selected.reset();
        layOut();
        emit unfoldedChanged();
    }
    for (std::size_t i = 0; i < m_layout.items.size(); ++i) {
        if (m_layout.items[i].unfolded) {
            select(i);
            return;
        }
    }
    emit selectionChanged();
}

void DiagramView::layOut() {
    // A narrow view has narrow boxes, so that their texts stay legible.
    m_laidOutFor = std::clamp<qreal>(viewport()->width(), DiagramLayout::kNarrowest, DiagramLayout::kUsual);
    const QFontMetricsF metrics(themeFont(TextStyle::Table));
    const TextMeasure measure{.width = [&metrics](const QString& text) { return metrics.horizontalAdvance(text); },
                              .lineHeight = metrics.height()};
    m_layout =
        m_diagram != nullptr ? layOutDiagram(m_diagram->structure, m_unfolded, measure, m_laidOutFor) : DiagramLayout();
    if (m_fits) {
        fitWidth();
    }
    updateScrollBars();
    viewport()->update();
}

void DiagramView::fitWidth() {
    m_fits = true;
    if (m_layout.size.width() > 0) {
        m_zoom = std::clamp(viewport()->width() / m_layout.size.width(), kMinZoom, kFitLimit);
    }
    updateScrollBars();
    viewport()->update();
}

void DiagramView::setZoom(double zoom) {
    const double before = m_zoom;
    m_fits = false;
    m_zoom = std::clamp(zoom, kMinZoom, kMaxZoom);
    const double middle = viewport()->height() / 2.0;
    const double kept = (verticalScrollBar()->value() + middle) * m_zoom / before - middle;
    updateScrollBars();
    verticalScrollBar()->setValue(static_cast<int>(std::lround(kept)));
    viewport()->update();
}

void DiagramView::updateScrollBars() {
    const QSizeF size = m_layout.size * m_zoom;
    const QSize room = viewport()->size();
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(size.height())) - room.height()));
    verticalScrollBar()->setPageStep(room.height());
    verticalScrollBar()->setSingleStep(24);
    horizontalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::floor(size.width())) - room.width()));
    horizontalScrollBar()->setPageStep(room.width());
    horizontalScrollBar()->setSingleStep(24);
}

void DiagramView::resizeEvent(QResizeEvent*) {
    if (std::clamp<qreal>(viewport()->width(), DiagramLayout::kNarrowest, DiagramLayout::kUsual) != m_laidOutFor) {
        layOut(); // the items and their order stay
    } else if (m_fits) {
        fitWidth();
    }
    updateScrollBars();
}

// A diagram that is narrower than the view is in its middle.
QPointF DiagramView::origin() const {
    const double spare = std::max(0.0, viewport()->width() - m_layout.size.width() * m_zoom);
    return {spare / 2 - horizontalScrollBar()->value(), -static_cast<double>(verticalScrollBar()->value())};
}

QRect DiagramView::rectOf(std::size_t item) const {
    const QRectF rect = m_layout.items.at(item).rect;
    return QRectF(rect.topLeft() * m_zoom + origin(), rect.size() * m_zoom).toAlignedRect();
}

std::optional<std::size_t> DiagramView::itemAt(QPoint point) const {
    const QPointF at = (QPointF(point) - origin()) / m_zoom;
    for (std::size_t i = m_layout.items.size(); i-- > 0;) {
        if (m_layout.items[i].isChosen() && m_layout.items[i].rect.contains(at)) {
            return i;
        }
    }
    return std::nullopt;
}

// ---- painting

void DiagramView::paintEvent(QPaintEvent* event) {
    if (m_diagram == nullptr) {
        return;
    }
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(origin());
    painter.scale(m_zoom, m_zoom);
    const QRectF exposed((QPointF(event->rect().topLeft()) - origin()) / m_zoom, QSizeF(event->rect().size()) / m_zoom);
    draw(painter, exposed);
    if (m_selected) {
        painter.setPen(QPen(themeColor(Token::Accent), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(m_layout.items[*m_selected].rect.adjusted(-1, -1, 1, 1), 5, 5);
    }
}

int DiagramView::heightFor(int width) const {
    const double scale = width / std::max(1.0, m_layout.size.width());
    return static_cast<int>(std::ceil(m_layout.size.height() * scale));
}

void DiagramView::drawAt(QPainter& painter, int width) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double scale = width / std::max(1.0, m_layout.size.width());
    painter.scale(scale, scale);
    draw(painter, {QPointF(), m_layout.size});
    painter.restore();
}

void DiagramView::draw(QPainter& painter, const QRectF& exposed) const {
    if (m_diagram != nullptr) {
        DiagramPainter(painter, m_diagram->structure, *m_colors).draw(m_layout, exposed);
    }
}

// ---- selection

QString DiagramView::describe(std::size_t index) const {
    const DiagramItem& item = m_layout.items.at(index);
    QStringList lines{item.title};
    if (const QString figure = figureText(index); !figure.isEmpty()) {
        lines << figure;
    }
    if (item.part == nullptr) {
        if (item.block) {
            const auto& block = m_diagram->structure.stacks[item.block->stack].blocks[item.block->block];
            for (const StructurePart& part : block.parts) {
                const QString facts = partFactsText(part);
                lines << (facts.isEmpty() ? partTitle(part, true)
                                          : QStringLiteral("%1: %2").arg(partTitle(part, true), facts));
            }
        }
        return lines.join(u'\n');
    }
    if (const QString facts = partFactsText(*item.part); !facts.isEmpty()) {
        lines << facts;
    }
    if (const QString formula = partFormula(*item.part); !formula.isEmpty()) {
        lines << formula;
    }
    const std::vector<TensorIndex>& tensors = item.part->tensors;
    for (std::size_t i = 0; i < std::min(tensors.size(), kTipTensors); ++i) {
        const TensorInfo& tensor = m_diagram->model->tensor(tensors[i]);
        lines << QStringLiteral("%1: %2, %3")
                     .arg(displayText(tensor.name), formatShape(tensor.shape),
                          QString::fromStdString(tensor.typeName()));
    }
    if (tensors.size() > kTipTensors) {
        lines << tr("and %n more tensors", nullptr, numerus(tensors.size() - kTipTensors));
    }
    return lines.join(u'\n');
}

QString DiagramView::figureText(std::size_t index) const {
    const DiagramFigures* figures = m_colors ? m_colors->figures() : nullptr;
    if (figures == nullptr) {
        return {};
    }
    const DiagramItem& item = m_layout.items.at(index);
    std::vector<TensorIndex> tensors;
    if (item.part != nullptr) {
        tensors = item.part->tensors;
    } else if (item.block) {
        for (const StructurePart& part :
             m_diagram->structure.stacks[item.block->stack].blocks[item.block->block].parts) {
            tensors.insert(tensors.end(), part.tensors.begin(), part.tensors.end());
        }
    }
    return figures->text(tensors);
}

void DiagramView::select(std::optional<std::size_t> item) {
    if (item && (*item >= m_layout.items.size() || !m_layout.items[*item].isChosen())) {
        return;
    }
    m_selected = item;
    if (item) {
        show(*item);
    }
    setAccessibleDescription(item                   ? describe(*item)
                             : m_diagram != nullptr ? structureText(m_diagram->structure)
                                                    : QString());
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
    viewport()->update();
    emit selectionChanged();
}

void DiagramView::show(std::size_t item) {
    const QRect rect = rectOf(item);
    QScrollBar* bar = verticalScrollBar();
    constexpr int kMargin = 24;
    if (rect.top() < kMargin) {
        bar->setValue(bar->value() + rect.top() - kMargin);
    } else if (rect.bottom() > viewport()->height() - kMargin) {
        bar->setValue(bar->value() + std::min(rect.bottom() - viewport()->height() + kMargin, rect.top() - kMargin));
    }
}

void DiagramView::step(int by) {
    const auto count = static_cast<int>(m_layout.items.size());
    int at = m_selected ? static_cast<int>(*m_selected) : by > 0 ? -1 : count;
    do {
        at += by;
    } while (at >= 0 && at < count && !m_layout.items[static_cast<std::size_t>(at)].isChosen());
    if (at >= 0 && at < count) {
        select(static_cast<std::size_t>(at));
    }
}

void DiagramView::activate(std::size_t item) {
    const DiagramItem& chosen = m_layout.items[item];
    if (chosen.kind == DiagramItem::Kind::Row && !chosen.unfolded) {
        unfold(chosen.block);
        return;
    }
    // The tensors of an unfolded block are shown before another click folds it.
    if (chosen.kind == DiagramItem::Kind::Row && m_selected == item) {
        unfold(std::nullopt);
    }
    select(item); // folding changes only what is below the row
}

void DiagramView::open(std::size_t item) {
    const DiagramItem& chosen = m_layout.items[item];
    const auto first = [](const StructurePart& part) {
        return part.tensors.empty() ? std::nullopt : std::optional(part.tensors.front());
    };
    std::optional<TensorIndex> tensor;
    if (chosen.part != nullptr) {
        tensor = first(*chosen.part);
    } else if (chosen.block) {
        const auto& block = m_diagram->structure.stacks[chosen.block->stack].blocks[chosen.block->block];
        tensor = block.parts.empty() ? std::nullopt : first(block.parts.front());
    }
    if (tensor) {
        emit openRequested(*tensor);
    }
}

// ---- events

void DiagramView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        m_pressed = event->position().toPoint();
        m_scrolledAtPress = {horizontalScrollBar()->value(), verticalScrollBar()->value()};
        m_dragged = false;
    }
}

void DiagramView::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    if (m_pressed) {
        const QPoint moved = at - *m_pressed;
        m_dragged = m_dragged || moved.manhattanLength() >= QApplication::startDragDistance();
        if (m_dragged) {
            viewport()->setCursor(Qt::ClosedHandCursor);
            horizontalScrollBar()->setValue(m_scrolledAtPress.x() - moved.x());
            verticalScrollBar()->setValue(m_scrolledAtPress.y() - moved.y());
        }
        return;
    }
    viewport()->setCursor(itemAt(at) ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void DiagramView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_pressed) {
        return;
    }
    m_pressed.reset();
    viewport()->setCursor(Qt::ArrowCursor);
    if (m_dragged) {
        return;
    }
    if (const auto item = itemAt(event->position().toPoint())) {
        activate(*item);
    } else {
        select(std::nullopt);
    }
}

void DiagramView::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto item = itemAt(event->position().toPoint());
    if (item && m_layout.items[*item].kind == DiagramItem::Kind::Part) {
        open(*item);
    }
}

void DiagramView::wheelEvent(QWheelEvent* event) {
    if ((event->modifiers() & Qt::ControlModifier) != 0) {
        setZoom(m_zoom * std::pow(kZoomStep, event->angleDelta().y() / 120.0));
        event->accept();
        return;
    }
    QAbstractScrollArea::wheelEvent(event);
}

void DiagramView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Down:
        return step(1);
    case Qt::Key_Up:
        return step(-1);
    case Qt::Key_Home:
        m_selected.reset();
        return step(1);
    case Qt::Key_End:
        m_selected.reset();
        return step(-1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_selected) {
            open(*m_selected);
        }
        return;
    case Qt::Key_Space:
        if (m_selected) {
            activate(*m_selected);
        }
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return setZoom(m_zoom * kZoomStep);
    case Qt::Key_Minus:
        return setZoom(m_zoom / kZoomStep);
    case Qt::Key_0:
        return fitWidth();
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void DiagramView::focusInEvent(QFocusEvent* event) {
    if (!m_selected && event->reason() != Qt::MouseFocusReason) {
        step(1);
    }
    QAbstractScrollArea::focusInEvent(event);
}

bool DiagramView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto item = itemAt(help->pos())) {
            QToolTip::showText(help->globalPos(), plainToolTip(describe(*item)), viewport(), rectOf(*item));
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace gufo::ui

#include "moc_diagram_view.cpp"
