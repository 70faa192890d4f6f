// The diagram of a model: its parts as boxes along the stream. One block is unfolded; the others are rows.
//
// Mouse: hovering shows shapes and formulas; a click selects a part, or unfolds a row; a double click opens the
// tensors; dragging and the wheel move, and Ctrl with the wheel zooms. Keys: up and down, Home and End select, Return
// opens the tensors, Space unfolds or folds, + and − zoom, 0 fits the width.
#pragma once

#include "ui/pages/diagram/diagram_colors.h"
#include "ui/report/diagram_layout.h"

#include <QAbstractScrollArea>

#include <memory>

namespace gufo::ui {

// A model with its structure, shared by what shows it.
struct Diagram {
    std::shared_ptr<const Model> model;     // its tensors
    std::shared_ptr<const Model> described; // with GGUF's keys, which the structure refers to
    inference::ModelStructure structure;
};

class DiagramView : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit DiagramView(QWidget* parent = nullptr);

    void setDiagram(std::shared_ptr<const Diagram> diagram);
    void setMeasure(DiagramMeasure measure);
    void setFigures(std::shared_ptr<const DiagramFigures> figures); // of the model of the diagram
    [[nodiscard]] const DiagramColors* colors() const { return m_colors ? &*m_colors : nullptr; }

    void unfold(std::optional<DiagramBlock> block);
    [[nodiscard]] std::optional<DiagramBlock> unfolded() const { return m_unfolded; }
    // Items of the layout that can be selected; nothing: none is.
    void select(std::optional<std::size_t> item);
    [[nodiscard]] std::optional<std::size_t> selected() const { return m_selected; }
    [[nodiscard]] const DiagramLayout& layoutOfItems() const { return m_layout; }
    [[nodiscard]] QRect rectOf(std::size_t item) const; // in the viewport
    [[nodiscard]] QString describe(std::size_t item) const;
    // The figure of an item by which it is coloured: "SQNR 31.2 dB against base.gguf"; empty if there is none.
    [[nodiscard]] QString figureText(std::size_t item) const;

    [[nodiscard]] double zoom() const { return m_zoom; }
    void setZoom(double zoom);
    void fitWidth();

    // Draws everything, for export.
    [[nodiscard]] int heightFor(int width) const;
    void drawAt(QPainter& painter, int width) const;

signals:
    void selectionChanged();
    void unfoldedChanged();
    void openRequested(TensorIndex tensor);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    bool viewportEvent(QEvent* event) override; // tooltips

private:
    void layOut();
    void updateScrollBars();
    void draw(QPainter& painter, const QRectF& exposed) const;
    [[nodiscard]] std::optional<std::size_t> itemAt(QPoint point) const;
    [[nodiscard]] QPointF origin() const; // of the layout in the viewport
    void activate(std::size_t item);
    void open(std::size_t item);
    void step(int by);
    void show(std::size_t item);

    std::shared_ptr<const Diagram> m_diagram;
    std::optional<DiagramColors> m_colors;
    DiagramLayout m_layout;
    std::optional<DiagramBlock> m_unfolded;
    std::optional<std::size_t> m_selected;
    double m_zoom = 1;
    bool m_fits = true;     // the width follows the viewport
    qreal m_laidOutFor = 0; // width
    DiagramMeasure m_measure = DiagramMeasure::Type;
    std::shared_ptr<const DiagramFigures> m_figures;
    std::optional<QPoint> m_pressed;
    QPoint m_scrolledAtPress;
    bool m_dragged = false;
};

} // namespace gufo::ui
