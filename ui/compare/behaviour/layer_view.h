// The map of blocks × tokens of a compared file, with a choice of the file and of the figure, and what the map says in
// a line: where the states are farthest apart, whether they come together again, and where the routers part.
#pragma once

#include "ui/compare/behaviour/layer_map.h"
#include "ui/compare/comparison.h"
#include "ui/plots/plot_export.h"

#include <QComboBox>

namespace gufo::ui {

class ElidedLabel;

class LayerView : public QWidget {
    Q_OBJECT

public:
    explicit LayerView(const Comparison& comparison, QWidget* parent = nullptr);
    void refresh(); // after figures or files have changed
    [[nodiscard]] LayerMap& map() const { return *m_map; }
    [[nodiscard]] QComboBox* fileField() const { return m_file; }
    [[nodiscard]] QComboBox* figureField() const { return m_figure; }
    [[nodiscard]] std::optional<std::size_t> file() const; // nothing if none was measured
    [[nodiscard]] QString summary() const;
    [[nodiscard]] Picture picture() const;
    [[nodiscard]] QString csv() const;

signals:
    void blockChosen(std::size_t block, std::size_t file);
    void menuRequested(std::size_t block, QPoint globalPos);

private:
    void showChosen();

    const Comparison& m_comparison;
    QComboBox* m_file;
    QComboBox* m_figure;
    ElidedLabel* m_summary;
    LayerMap* m_map;
};

} // namespace gufo::ui
