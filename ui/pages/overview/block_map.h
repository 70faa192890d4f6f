// The map of blocks × roles, coloured by bits per weight, with the bytes of each role on the right and the tensors
// outside of blocks below. It wraps into bands if the blocks do not fit side by side.
#pragma once

#include "ui/pages/overview/overview_data.h"
#include "ui/widgets/block_grid.h"

#include <QWidget>

namespace gufo::ui {

// The map's colour scale from 2 to 8.5 bits per weight, with a mark at each value that occurs.
class MapLegend : public QWidget {
    Q_OBJECT

public:
    explicit MapLegend(QWidget* parent = nullptr);
    void setOverview(const Overview& overview);
    [[nodiscard]] QSize sizeHint() const override;
    // Leaves out the names of unquantised types, whose colours the bar of bytes by type shows as well.
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] static int swatchWidth(const QString& name);
    [[nodiscard]] static QString furtherTypes(std::size_t count);
    [[nodiscard]] std::size_t shownTypes() const; // how many unquantised types fit

    std::vector<double> m_marks;
    std::vector<std::pair<QString, std::uint32_t>> m_unquantised; // types outside of the scale, with their names
};

class BlockMap : public BlockGrid {
    Q_OBJECT

public:
    explicit BlockMap(QWidget* parent = nullptr);
    void setOverview(std::shared_ptr<const Overview> overview);

    [[nodiscard]] QString describe(const Cell& cell) const override;
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void tensorActivated(TensorIndex tensor); // by a click or Return

protected:
    void paintEvent(QPaintEvent* event) override;
    [[nodiscard]] Layout layOut(int width) const override;
    void activate(const Cell& cell) override;

private:
    static constexpr int kRow = 20; // height of a row in pixels, with the gap below it

    [[nodiscard]] const MapCell* find(const Cell& cell) const;
    [[nodiscard]] QColor colorOf(const MapCell& cell) const;
    void paintBand(QPainter& painter, const Band& band, const QRect& exposed) const;
    void paintLoose(QPainter& painter) const;

    std::shared_ptr<const Overview> m_overview;
    std::uint64_t m_maxBytes = 1; // maximum over the roles
};

} // namespace gufo::ui
