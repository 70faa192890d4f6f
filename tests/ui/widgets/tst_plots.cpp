#include "analysis/statistics.h"
#include "support/idle.h"
#include "support/tensor_models.h"
#include "support/test_unit.h"
#include "ui/plots/heat_map.h"
#include "ui/plots/histogram_plot.h"
#include "ui/plots/plot_export.h"

#include <QClipboard>
#include <QDir>
#include <QGuiApplication>
#include <QImage>
#include <QSet>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <random>

using namespace gufo;
using namespace gufo::ui;
using namespace gufo::test;

namespace {

std::shared_ptr<const Model> normalModel() {
    std::mt19937 generator(1);
    std::normal_distribution<float> normal;
    std::vector<float> values(10'000);
    for (float& value : values) {
        value = normal(generator);
    }
    return TensorModel().numbers("t", TensorType::F32, {100, 100}, values).share();
}

void showContent(HistogramPlot& plot, const Model& model) {
    const auto analysis = analyseTensor(model, TensorIndex(0), {.bins = 256});
    QVERIFY(analysis);
    plot.setContent({.histogram = analysis->histogram,
                     .mean = analysis->statistics.mean,
                     .std = analysis->statistics.std,
                     .things = QStringLiteral("weights")});
}

void turnWheel(QWidget& widget, QPointF position, int steps, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWheelEvent event(position, widget.mapToGlobal(position), {}, {0, 120 * steps}, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&widget, &event);
}

Slice checkerboard(std::uint64_t rows, std::uint64_t columns) {
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

std::filesystem::path in(const QTemporaryDir& dir, const char* name) {
    return std::filesystem::path(dir.path().toStdString()) / name;
}

QByteArray contents(const std::filesystem::path& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
}

} // namespace

class TestPlots : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void histogramShowsCoresFigures();
    void logAxisShowsASingleWeight();
    void wheelAsksForAnExactRecount();
    void keysZoomAndReset();
    void keysZoomAndMove_data();
    void keysZoomAndMove();
    void keysThatDoNothingGoOn();
    void zoomStaysInside();
    void codesAreNotRecounted();
    void emptyHistogramDraws();
    void mapAsksForWhatIsInSight();
    void mapZoomsToSingleWeights();
    void mapKeys();
    void mapPicksAndHovers();
    void mapNamesItsFoldAndScalesToIt();
    void mapRubberBand();
    void mapColoursAreTheColourMaps();
    void mapOfOneRowOrColumnIsDrawn_data();
    void mapOfOneRowOrColumnIsDrawn();
    void fewDecadesAreLabelledPlainly();
    void exportsPng();
    void exportsSvg();
    void exportsPdf();
    void exportFailsClearly();
    void copiesAPicture();
    void redrawsWithTheTheme();
};

void TestPlots::initTestCase() { Theme::instance().apply(); }

void TestPlots::histogramShowsCoresFigures() {
    const auto model = normalModel();
    HistogramPlot plot;
    plot.resize(400, 200);
    plot.show();
    showContent(plot, *model);
    const auto counted = countHistogram(*model, TensorIndex(0), {.bins = 256});
    QVERIFY(counted);
    QCOMPARE(plot.histogram().counts, counted->counts);
    QCOMPARE(plot.xAxis->range().lower, counted->lo);
    QCOMPARE(plot.xAxis->range().upper, counted->hi);
    // Every bin is a step of the line at its left edge, as high as its count.
    const auto points = plot.graph(0)->data();
    QCOMPARE(points->size(), 256 + 3);
    for (int i = 0; i < 256; ++i) {
        QCOMPARE(points->at(i + 1)->key, counted->edge(static_cast<std::size_t>(i)));
        QCOMPARE(points->at(i + 1)->value,
                 std::max(0.4, static_cast<double>(counted->counts[static_cast<std::size_t>(i)])));
    }
}

void TestPlots::logAxisShowsASingleWeight() {
    HistogramPlot plot;
    plot.setContent({.histogram = {.lo = 0, .hi = 2, .counts = {1, 1000}}, .things = QStringLiteral("weights")});
    QCOMPARE(plot.yAxis->scaleType(), QCPAxis::stLogarithmic);
    QCOMPARE(plot.yAxis->range().lower, 0.5);
    QVERIFY(plot.yAxis->range().upper > 1000);
    plot.setLogarithmic(false);
    QCOMPARE(plot.yAxis->scaleType(), QCPAxis::stLinear);
    QCOMPARE(plot.yAxis->range().lower, 0.0);
}

void TestPlots::wheelAsksForAnExactRecount() {
    const auto model = normalModel();
    HistogramPlot plot;
    plot.resize(400, 200);
    plot.show();
    showContent(plot, *model);
    QVERIFY(!plot.isZoomed());
    QSignalSpy wanted(&plot, &HistogramPlot::recountWanted);
    turnWheel(plot, plot.axisRect()->center(), 3);
    turnWheel(plot, plot.axisRect()->center(), 1);
    QVERIFY(plot.isZoomed());
    QVERIFY(wanted.wait());
    QCOMPARE(wanted.count(), 1); // one for both wheel events
    const std::array range{wanted[0][0].toDouble(), wanted[0][1].toDouble()};
    const auto recount = countHistogram(*model, TensorIndex(0), {.bins = 256, .range = range});
    QVERIFY(recount);
    plot.setRecount(*recount);
    QCOMPARE(plot.histogram().counts, recount->counts);
    QCOMPARE(plot.xAxis->range().lower, range[0]); // the view stays
    QTest::mouseDClick(&plot, Qt::LeftButton, Qt::NoModifier, plot.axisRect()->center());
    QVERIFY(!plot.isZoomed());
    QCOMPARE(plot.histogram().counts.size(), 256U);
    QVERIFY(plot.histogram().counts != recount->counts);
}

void TestPlots::keysZoomAndReset() {
    const auto model = normalModel();
    HistogramPlot plot;
    plot.resize(400, 200);
    plot.show();
    showContent(plot, *model);
    const double whole = plot.xAxis->range().size();
    QTest::keyClick(&plot, Qt::Key_Plus);
    QCOMPARE(plot.xAxis->range().size(), whole / 1.25);
    const double lower = plot.xAxis->range().lower;
    QTest::keyClick(&plot, Qt::Key_Right);
    QVERIFY(plot.xAxis->range().lower > lower);
    QTest::keyClick(&plot, Qt::Key_Home);
    QCOMPARE(plot.xAxis->range().size(), whole);
    QVERIFY(!plot.isZoomed());
}

void TestPlots::keysZoomAndMove_data() {
    QTest::addColumn<int>("zoomed");
    QTest::addColumn<bool>("reversed");
    QTest::addColumn<Qt::Key>("key");
    QTest::addColumn<QCPRange>("x");
    QTest::addColumn<QCPRange>("y");
    constexpr int kBoth = Qt::Horizontal | Qt::Vertical;
    const QCPRange all(0, 8);
    const QCPRange close(4 - 4 * 0.8, 4 + 4 * 0.8);
    const QCPRange far(-1, 9);
    const QCPRange less(-1, 7);
    const QCPRange more(1, 9);
    QTest::newRow("closer") << kBoth << false << Qt::Key_Plus << close << close;
    QTest::newRow("closer, without Shift") << kBoth << false << Qt::Key_Equal << close << close;
    QTest::newRow("farther") << kBoth << false << Qt::Key_Minus << far << far;
    QTest::newRow("closer, one axis") << int(Qt::Horizontal) << false << Qt::Key_Plus << close << all;
    QTest::newRow("farther, one axis") << int(Qt::Horizontal) << false << Qt::Key_Minus << far << all;
    QTest::newRow("left") << kBoth << false << Qt::Key_Left << less << all;
    QTest::newRow("right") << int(Qt::Horizontal) << false << Qt::Key_Right << more << all;
    QTest::newRow("up") << kBoth << false << Qt::Key_Up << all << more;
    QTest::newRow("down") << kBoth << false << Qt::Key_Down << all << less;
    QTest::newRow("up, rows from the top") << kBoth << true << Qt::Key_Up << all << less;
    QTest::newRow("down, rows from the top") << kBoth << true << Qt::Key_Down << all << more;
}

void TestPlots::keysZoomAndMove() {
    QFETCH(int, zoomed);
    QFETCH(bool, reversed);
    QFETCH(Qt::Key, key);
    PlainPlot plot{Qt::Orientations(zoomed)};
    plot.yAxis->setRangeReversed(reversed);
    plot.show();
    QTest::keyClick(&plot, key);
    QTEST(plot.xAxis->range(), "x");
    QTEST(plot.yAxis->range(), "y");
    QTest::keyClick(&plot, key == Qt::Key_Plus ? Qt::Key_0 : Qt::Key_Home);
    QCOMPARE(plot.xAxis->range(), QCPRange(0, 8));
    QCOMPARE(plot.yAxis->range(), QCPRange(0, 8));
}

void TestPlots::keysThatDoNothingGoOn() {
    PlainPlot plot(Qt::Horizontal);
    plot.show();
    for (const Qt::Key key : {Qt::Key_Up, Qt::Key_Down, Qt::Key_A}) {
        QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier);
        QCoreApplication::sendEvent(&plot, &event);
        QVERIFY(!event.isAccepted()); // so that a page around it scrolls
    }
    QCOMPARE(plot.xAxis->range(), QCPRange(0, 8));
    QCOMPARE(plot.yAxis->range(), QCPRange(0, 8));
}

void TestPlots::zoomStaysInside() {
    const auto model = normalModel();
    HistogramPlot plot;
    plot.resize(400, 200);
    plot.show();
    showContent(plot, *model);
    const QCPRange whole = plot.xAxis->range();
    for (int i = 0; i < 40; ++i) {
        QTest::keyClick(&plot, Qt::Key_Minus);
    }
    QCOMPARE(plot.xAxis->range(), whole);
    for (int i = 0; i < 300; ++i) {
        QTest::keyClick(&plot, Qt::Key_Plus);
    }
    QVERIFY(plot.xAxis->range().size() > 0);
    for (int i = 0; i < 40; ++i) {
        QTest::keyClick(&plot, Qt::Key_Minus);
        QTest::keyClick(&plot, Qt::Key_Left);
    }
    QVERIFY(plot.xAxis->range().lower >= whole.lower);
    QVERIFY(plot.xAxis->range().upper <= whole.upper);
}

void TestPlots::codesAreNotRecounted() {
    HistogramPlot plot;
    plot.resize(400, 200);
    plot.show();
    plot.setContent({.histogram = {.lo = -0.5, .hi = 15.5, .counts = std::vector<std::uint64_t>(16, 7)},
                     .things = QStringLiteral("weights"),
                     .codes = true});
    QSignalSpy wanted(&plot, &HistogramPlot::recountWanted);
    QTest::keyClick(&plot, Qt::Key_Plus);
    QVERIFY(test::waitUntilIdle());
    QCOMPARE(wanted.count(), 0);
}

void TestPlots::emptyHistogramDraws() {
    HistogramPlot plot;
    plot.resize(400, 200);
    plot.show();
    plot.clear();
    QVERIFY(!plot.grab().isNull());
    plot.setContent({.histogram = {.lo = 0, .hi = 1, .counts = std::vector<std::uint64_t>(8)},
                     .things = QStringLiteral("weights")});
    QVERIFY(!plot.grab().isNull());
}

void TestPlots::mapAsksForWhatIsInSight() {
    HeatMap map;
    map.resize(600, 250);
    map.show();
    QSignalSpy wanted(&map, &HeatMap::viewChanged);
    map.setMatrix(1000, 4096, 256, 32);
    QVERIFY(wanted.wait());
    const HeatMap::View all = map.view();
    QCOMPARE(all.range.lastRow, 999U);
    QCOMPARE(all.range.lastColumn, 4095U);
    QVERIFY(all.maxColumns > 300 && all.maxColumns < 600);
    map.setMatrix(0, 0, 0, 0);
    wanted.clear();
    QVERIFY(!wanted.wait(200)); // nothing to request for an empty plot
}

void TestPlots::mapZoomsToSingleWeights() {
    HeatMap map;
    map.resize(600, 250);
    map.show();
    map.setMatrix(1000, 4096, 256, 32);
    for (int i = 0; i < 60; ++i) {
        turnWheel(map, map.axisRect()->center(), 1);
    }
    const CellRange close = map.view().range;
    QVERIFY(close.lastColumn - close.firstColumn <= 5);
    QVERIFY(close.lastRow - close.firstRow <= 5);
    for (int i = 0; i < 60; ++i) {
        turnWheel(map, map.axisRect()->center(), -1);
    }
    QCOMPARE(map.view().range.lastColumn, 4095U);
    // With Shift the row range is kept.
    turnWheel(map, map.axisRect()->center(), 3, Qt::ShiftModifier);
    QCOMPARE(map.view().range.lastRow - map.view().range.firstRow, 999U);
    QVERIFY(map.view().range.lastColumn - map.view().range.firstColumn < 4000);
    map.showWeight(500, 4000, true);
    QVERIFY(map.view().range.contains(500, 4000));
    QVERIFY(map.view().range.lastColumn - map.view().range.firstColumn <= 129);
    QTest::mouseDClick(&map, Qt::LeftButton, Qt::NoModifier, map.axisRect()->center());
    QCOMPARE(map.view().range.lastColumn, 4095U);
}

void TestPlots::mapKeys() {
    HeatMap map;
    map.resize(600, 250);
    map.show();
    map.setMatrix(1000, 1000, 0, 0);
    QTest::keyClick(&map, Qt::Key_Plus);
    const double size = map.xAxis->range().size();
    QCOMPARE(size, 800.0);
    const double lower = map.xAxis->range().lower;
    QTest::keyClick(&map, Qt::Key_Right);
    QCOMPARE(map.xAxis->range().lower, lower + 100);
    QTest::keyClick(&map, Qt::Key_Down);
    QCOMPARE(map.yAxis->range().lower, lower + 100);
    QSignalSpy stepped(&map, &HeatMap::stepped);
    QTest::keyClick(&map, Qt::Key_Up, Qt::ShiftModifier);
    QCOMPARE(stepped.count(), 1);
    QCOMPARE(stepped[0][0].toInt(), -1);
    QTest::keyClick(&map, Qt::Key_Home);
    QCOMPARE(map.xAxis->range().size(), 1000.0);
}

// Of many weights a pixel shows the fold that is named, in colours that cover the range of the pixels.
void TestPlots::mapNamesItsFoldAndScalesToIt() {
    HeatMap map;
    map.resize(600, 250);
    map.show();
    map.setMatrix(1280, 1280, 0, 0);
    map.setLimit(4.5); // of single weights
    QSignalSpy wanted(&map, &HeatMap::viewChanged);
    QCOMPARE(map.view().foldFor(map.fold()), MapFold::RootMeanSquare);
    Slice cells{.rows = 64, .columns = 64, .values = std::vector<float>(std::size_t{64} * 64)};
    for (std::size_t i = 0; i < cells.values.size(); ++i) {
        cells.values[i] = 0.9F + 0.2F * static_cast<float>(i) / static_cast<float>(cells.values.size());
    }
    cells.values[7] = 40; // an outlier does not decide about the others
    const CellRange all{.lastRow = 1279, .lastColumn = 1279};
    map.setCells(all, cells, MapFold::RootMeanSquare);
    QCOMPARE(map.cellsText(), QStringLiteral("each pixel: RMS of about 400 weights"));
    QVERIFY(map.colorRange().lower > 0.89 && map.colorRange().lower < 0.91);
    QVERIFY(map.colorRange().upper > 1.09 && map.colorRange().upper < 1.11);
    map.replot();
    const QImage shown = map.grab().toImage();
    QSet<QRgb> colours;
    for (int y = map.axisRect()->top() + 2; y < map.axisRect()->bottom(); y += 2) {
        colours.insert(shown.pixel(map.axisRect()->center().x(), y));
    }
    QVERIFY2(colours.size() > 20, qPrintable(QString::number(colours.size())));

    wanted.clear();
    map.setFold(MapFold::LargestMagnitude);
    QVERIFY(wanted.wait());
    QCOMPARE(map.view().foldFor(map.fold()), MapFold::LargestMagnitude);
    std::ranges::fill(cells.values, -5.0F);
    map.setCells(all, cells, MapFold::LargestMagnitude);
    QVERIFY(map.colorRange().lower >= 0);
    map.setCells(all, cells, MapFold::Signed);
    QCOMPARE(map.colorRange().lower, -5.0);
    QCOMPARE(map.colorRange().upper, 5.0);

    map.showRange({.lastRow = 3, .lastColumn = 7}); // single weights
    QCOMPARE(map.view().foldFor(MapFold::Mean), MapFold::Signed);
    map.setCells({.lastRow = 3, .lastColumn = 7}, checkerboard(4, 8));
    QCOMPARE(map.colorRange().upper, 4.5);
    QVERIFY(map.cellsText().isEmpty());
}

void TestPlots::mapPicksAndHovers() {
    HeatMap map;
    map.resize(600, 250);
    map.show();
    map.setMatrix(4, 8, 0, 0);
    map.setLimit(1);
    Slice cells = checkerboard(4, 8);
    cells.values[2 * 8 + 5] = 0.125F;
    map.setCells({.lastRow = 3, .lastColumn = 7}, cells);
    QVERIFY(!map.grab().isNull());
    QSignalSpy picked(&map, &HeatMap::picked);
    QSignalSpy hovered(&map, &HeatMap::hovered);
    const QPoint cell(static_cast<int>(map.xAxis->coordToPixel(5.5)), static_cast<int>(map.yAxis->coordToPixel(2.5)));
    QMouseEvent move(QEvent::MouseMove, cell, map.mapToGlobal(cell), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&map, &move);
    QVERIFY(!hovered.isEmpty());
    QCOMPARE(hovered.last().first().toString(), QStringLiteral("row 2, column 5: 0.125"));
    QTest::mouseClick(&map, Qt::LeftButton, Qt::NoModifier, cell);
    QCOMPARE(picked.count(), 1);
    QCOMPARE(picked[0][0].toULongLong(), 2U);
    QCOMPARE(picked[0][1].toULongLong(), 5U);
    // A drag moves the view and picks nothing.
    QTest::keyClick(&map, Qt::Key_Plus);
    const double lower = map.xAxis->range().lower;
    QTest::mousePress(&map, Qt::LeftButton, Qt::NoModifier, cell);
    QTest::mouseMove(&map, cell + QPoint(40, 0));
    QTest::mouseRelease(&map, Qt::LeftButton, Qt::NoModifier, cell + QPoint(40, 0));
    QVERIFY(map.xAxis->range().lower < lower);
    QCOMPARE(picked.count(), 1);
}

void TestPlots::mapRubberBand() {
    HeatMap map;
    map.resize(600, 250);
    map.show();
    map.setMatrix(1000, 1000, 0, 0);
    QVERIFY(!map.grab().isNull()); // forces a layout
    const auto at = [&map](double column, double row) {
        return QPoint(qRound(map.xAxis->coordToPixel(column)), qRound(map.yAxis->coordToPixel(row)));
    };
    const QPoint from = at(200, 300);
    const QPoint to = at(400, 600);
    QTest::mousePress(&map, Qt::LeftButton, Qt::ControlModifier, from);
    QTest::mouseMove(&map, (from + to) / 2);
    QTest::mouseMove(&map, to);
    QTest::mouseRelease(&map, Qt::LeftButton, Qt::ControlModifier, to);
    QVERIFY(std::abs(map.xAxis->range().lower - 200) < 5);
    QVERIFY(std::abs(map.xAxis->range().upper - 400) < 5);
    QVERIFY(std::abs(map.yAxis->range().lower - 300) < 10);
    QVERIFY(std::abs(map.yAxis->range().upper - 600) < 10);
}

void TestPlots::mapColoursAreTheColourMaps() {
    HeatMap map;
    map.resize(600, 250);
    map.show();
    map.setMatrix(2, 2, 0, 0);
    map.setLimit(1);
    const Slice cells{.rows = 2, .columns = 2, .values = {1, -1, 0, std::numeric_limits<float>::quiet_NaN()}};
    map.setCells({.lastRow = 1, .lastColumn = 1}, cells);
    for (const ColorMap colours : {ColorMap::Viridis, ColorMap::Cividis}) {
        map.setColorMap(colours);
        map.replot();
        const QImage image = map.toPixmap(600, 250).toImage();
        const auto pixel = [&](double column, double row) {
            return image.pixelColor(qRound(map.xAxis->coordToPixel(column)), qRound(map.yAxis->coordToPixel(row)));
        };
        const auto near = [](const QColor& a, const QColor& b) {
            return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) < 12;
        };
        QVERIFY(near(pixel(0.5, 0.5), colorMapAt(colours, 1)));
        QVERIFY(near(pixel(1.5, 0.5), colorMapAt(colours, 0)));
        QVERIFY(near(pixel(0.5, 1.5), colorMapAt(colours, 0.5)));
        QVERIFY(near(pixel(1.5, 1.5), themeColor(Token::Base))); // not a number: nothing
    }
}

void TestPlots::mapOfOneRowOrColumnIsDrawn_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::newRow("row") << 1 << 8;
    QTest::newRow("column") << 8 << 1;
    QTest::newRow("weight") << 1 << 1;
}

void TestPlots::mapOfOneRowOrColumnIsDrawn() {
    QFETCH(int, rows);
    QFETCH(int, columns);
    const auto rowCount = static_cast<std::uint64_t>(rows);
    const auto columnCount = static_cast<std::uint64_t>(columns);
    HeatMap map;
    map.resize(600, 250);
    map.show();
    map.setMatrix(rowCount, columnCount, 0, 0);
    map.setLimit(1);
    map.setCells({.lastRow = rowCount - 1, .lastColumn = columnCount - 1}, checkerboard(rowCount, columnCount));
    map.replot();
    const QImage image = map.toPixmap(600, 250).toImage();
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const QColor seen = image.pixelColor(qRound(map.xAxis->coordToPixel(column + 0.5)),
                                                 qRound(map.yAxis->coordToPixel(row + 0.5)));
            const QColor wanted = colorMapAt(ColorMap::Viridis, (row + column) % 2 == 0 ? 1 : 0);
            QVERIFY(std::abs(seen.red() - wanted.red()) < 6 && std::abs(seen.green() - wanted.green()) < 6);
        }
    }
}

void TestPlots::fewDecadesAreLabelledPlainly() {
    HistogramPlot plot;
    plot.resize(400, 200);
    plot.setContent({.histogram = {.lo = 0, .hi = 2, .counts = {1, 13}}, .things = QStringLiteral("weights")});
    plot.replot();
    QVERIFY(plot.yAxis->tickVectorLabels().contains(QStringLiteral("5")));
    QCOMPARE(plot.yAxis->tickVectorLabels().count(QStringLiteral("10")), 1);
    plot.setContent({.histogram = {.lo = 0, .hi = 2, .counts = {1, 13'000'000}}, .things = QStringLiteral("weights")});
    plot.replot();
    QVERIFY(plot.yAxis->tickVectorLabels().contains(QStringLiteral("10⁶")));
    QVERIFY(!plot.yAxis->tickVectorLabels().contains(QStringLiteral("10⁵")));
}

void TestPlots::exportsPng() {
    const QTemporaryDir dir;
    HeatMap map;
    map.resize(300, 200);
    map.setMatrix(4, 4, 0, 0);
    map.setCells({.lastRow = 3, .lastColumn = 3}, checkerboard(4, 4));
    std::optional<Result<>> result;
    exportPlot(&map, map, in(dir, "map.png"), PlotFormat::Png, [&](Result<> r) { result = r; });
    QTRY_VERIFY(result.has_value());
    QVERIFY(*result);
    const QImage image(dir.filePath(QStringLiteral("map.png")));
    QCOMPARE(image.size(), QSize(600, 400));
    QVERIFY(image.pixelColor(300, 150) != image.pixelColor(2, 2));
}

void TestPlots::exportsSvg() {
    const QTemporaryDir dir;
    HistogramPlot plot;
    plot.resize(400, 200);
    showContent(plot, *normalModel());
    std::optional<Result<>> result;
    exportPlot(&plot, plot, in(dir, "plot.svg"), PlotFormat::Svg, [&](Result<> r) { result = r; });
    QTRY_VERIFY(result.has_value());
    QVERIFY(*result);
    const QByteArray svg = contents(in(dir, "plot.svg"));
    QXmlStreamReader reader(svg);
    int paths = 0;
    int texts = 0;
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement) {
            paths += reader.name() == QLatin1String("path") || reader.name() == QLatin1String("polyline") ? 1 : 0;
            texts += reader.name() == QLatin1String("text") ? 1 : 0;
        }
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QVERIFY(paths >= 2);
    QVERIFY(texts >= 4); // labels are text, not outlines
    QSvgRenderer renderer(svg);
    QVERIFY(renderer.isValid());
    QCOMPARE(renderer.viewBox(), QRect(0, 0, 400, 200));
}

void TestPlots::exportsPdf() {
    const QTemporaryDir dir;
    HistogramPlot plot;
    plot.resize(400, 200);
    showContent(plot, *normalModel());
    std::optional<Result<>> result;
    exportPlot(&plot, plot, in(dir, "plot.pdf"), PlotFormat::Pdf, [&](Result<> r) { result = r; });
    QTRY_VERIFY(result.has_value());
    QVERIFY(*result);
    const QByteArray pdf = contents(in(dir, "plot.pdf"));
    QVERIFY(pdf.startsWith("%PDF-1."));
    QVERIFY(pdf.trimmed().endsWith("%%EOF"));
    QVERIFY(pdf.contains("/MediaBox [0 0 300"));
}

void TestPlots::exportFailsClearly() {
    const QTemporaryDir dir;
    HistogramPlot plot;
    plot.resize(400, 200);
    std::optional<Result<>> result;
    exportPlot(&plot, plot, in(dir, "no/such.png"), PlotFormat::Png, [&](Result<> r) { result = r; });
    QTRY_VERIFY(result.has_value());
    QVERIFY(!*result);
    QCOMPARE(result->error().code, ErrorCode::FileNotFound);
    QVERIFY(QDir(dir.path()).isEmpty());
}

void TestPlots::copiesAPicture() {
    HistogramPlot plot;
    plot.resize(400, 200);
    showContent(plot, *normalModel());
    copyPlot(plot);
    QCOMPARE(QGuiApplication::clipboard()->pixmap().size(), QSize(800, 400));
}

void TestPlots::redrawsWithTheTheme() {
    HistogramPlot plot;
    plot.resize(400, 200);
    showContent(plot, *normalModel());
    const auto corner = [&plot] { return plot.toPixmap(400, 200).toImage().pixelColor(2, 2); };
    Theme::instance().setChoice(Theme::Choice::Light);
    const QColor light = corner();
    QCOMPARE(light, themeColor(Token::Base));
    Theme::instance().setChoice(Theme::Choice::Dark);
    QCOMPARE(corner(), themeColor(Token::Base));
    QVERIFY(corner() != light);
    Theme::instance().setChoice(Theme::Choice::Light);
}

GUFO_TEST_WIDGETS(TestPlots)
#include "tst_plots.moc"
