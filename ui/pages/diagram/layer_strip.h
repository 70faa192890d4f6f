// All blocks of a model side by side, one cell each, in three lanes: the kind of the block, whether attention has a
// window, and the colour of its tensors. It shows the pattern of the architecture at a glance, and navigates.
//
// Mouse: hovering names a block, a click chooses it. Keys: left and right, Home and End move.
#pragma once

#include "ui/pages/diagram/diagram_legend.h"
#include "ui/pages/diagram/diagram_view.h"

#include <QWidget>

namespace gufo::ui {

class LayerStrip : public QWidget {
    Q_OBJECT

public:
    explicit LayerStrip(QWidget* parent = nullptr);

    // `colors` must outlive the diagram; null if there is none.
    void setDiagram(std::shared_ptr<const Diagram> diagram, const DiagramColors* colors);
    void setCurrent(std::optional<DiagramBlock> block);
    [[nodiscard]] std::optional<DiagramBlock> current() const { return m_current; }
    [[nodiscard]] std::optional<DiagramBlock> blockAt(int x) const;
    [[nodiscard]] QRect rectOf(DiagramBlock block) const;
    [[nodiscard]] QString describe(DiagramBlock block) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }
    void drawAt(QPainter& painter, int width) const;         // without a selection, for export
    [[nodiscard]] std::vector<DiagramKeyGroup> keys() const; // of the first two lanes

signals:
    void chosen(DiagramBlock block); // by the user

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override; // tooltips

private:
    [[nodiscard]] std::size_t count() const; // of the blocks of all stacks
    [[nodiscard]] DiagramBlock blockOf(std::size_t position) const;
    [[nodiscard]] std::size_t positionOf(DiagramBlock block) const;
    [[nodiscard]] double cellWidth(int width) const;
    void draw(QPainter& painter, int width) const;
    void drawTick(QPainter& painter, std::uint32_t number, double center) const;
    void choose(std::size_t position);
    void findKinds();
    [[nodiscard]] QColor kindColor(std::size_t stack, std::size_t kind) const;

    std::shared_ptr<const Diagram> m_diagram;
    const DiagramColors* m_colors = nullptr;
    std::optional<DiagramBlock> m_current;
    std::vector<std::vector<int>> m_series; // by stack and kind: its colour, or kOtherKinds
    std::vector<DiagramBlock> m_firstOf;    // by colour: a block of that kind
    std::size_t m_otherKinds = 0;           // without a colour of their own
};

} // namespace gufo::ui
