// Models, slices and gestures for the tests of plots.
#pragma once

#include "analysis/statistics.h"
#include "support/idle.h"
#include "support/tensor_models.h"
#include "ui/plots/heat_map.h"
#include "ui/plots/histogram_plot.h"
#include "ui/plots/plot_export.h"

#include <QTemporaryDir>
#include <QTest>

#include <random>

namespace gufo::test {

using namespace gufo::ui;

inline std::shared_ptr<const Model> normalModel() {
    std::mt19937 generator(1);
    std::normal_distribution<float> normal;
    std::vector<float> values(10'000);
    for (float& value : values) {
        value = normal(generator);
    }
    return TensorModel().numbers("t", TensorType::F32, {100, 100}, values).share();
}

inline void showContent(HistogramPlot& plot, const Model& model) {
    const auto analysis = analyseTensor(model, TensorIndex(0), {.bins = 256});
    QVERIFY(analysis);
    plot.setContent({.histogram = analysis->histogram,
                     .mean = analysis->statistics.mean,
                     .std = analysis->statistics.std,
                     .things = QStringLiteral("weights")});
}

inline void turnWheel(QWidget& widget, QPointF position, int steps, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWheelEvent event(position, widget.mapToGlobal(position), {}, {0, 120 * steps}, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&widget, &event);
}

inline Slice checkerboard(std::uint64_t rows, std::uint64_t columns) {
    Slice slice{.rows = rows, .columns = columns, .values = {}};
    for (std::uint64_t i = 0; i < rows * columns; ++i) {
        slice.values.push_back((i / columns + i % columns) % 2 == 0 ? 1.0F : -1.0F);
    }
    return slice;
}

// From 0 to 8 on both axes.
class PlainPlot : public ZoomPlot {
public:
    explicit PlainPlot(Qt::Orientations zoomed)
        : ZoomPlot(zoomed, nullptr) {
        PlainPlot::showAll();
        resize(300, 200);
    }
    void showAll() override {
        xAxis->setRange(0, 8);
        yAxis->setRange(0, 8);
    }

private:
    void restyle() override { stylePlot(*this); }
};

inline std::filesystem::path pathIn(const QTemporaryDir& dir, const char* name) {
    return std::filesystem::path(dir.path().toStdString()) / name;
}

inline QByteArray fileContents(const std::filesystem::path& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
}

} // namespace gufo::test
