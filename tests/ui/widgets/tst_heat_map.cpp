// The heat map of weights: what it asks for, zooming, picking and colours.
#include "plot_samples.h"
#include "support/test_unit.h"

#include <QImage>
#include <QSet>
#include <QSignalSpy>

using namespace gufo;
using namespace gufo::ui;
using namespace gufo::test;

class TestHeatMap : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::instance().apply(); }
    void mapAsksForWhatIsInSight();
    void mapZoomsToSingleWeights();
    void mapKeys();
    void mapPicksAndHovers();
    void mapNamesItsFoldAndScalesToIt();
    void mapRubberBand();
    void mapColoursAreTheColourMaps();
    void limitsAreThoseOfTheData_data();
    void limitsAreThoseOfTheData();
    void mapOfOneRowOrColumnIsDrawn_data();
    void mapOfOneRowOrColumnIsDrawn();
};

void TestHeatMap::mapAsksForWhatIsInSight() {
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

void TestHeatMap::mapZoomsToSingleWeights() {
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

void TestHeatMap::mapKeys() {
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
void TestHeatMap::mapNamesItsFoldAndScalesToIt() {
    HeatMap map;
    map.resize(600, 250);
    map.show();
    map.setMatrix(1280, 1280, 0, 0);
    map.setLimits(QCPRange(-4.5, 4.5)); // of single weights
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
    QVERIFY(map.colorRange().contains(-5) && map.colorRange().center() == -5.0); // a single value: the middle colour

    map.showRange({.lastRow = 3, .lastColumn = 7}); // single weights
    QCOMPARE(map.view().foldFor(MapFold::Mean), MapFold::Signed);
    map.setCells({.lastRow = 3, .lastColumn = 7}, checkerboard(4, 8));
    QCOMPARE(map.colorRange().upper, 4.5);
    QVERIFY(map.cellsText().isEmpty());
}

void TestHeatMap::mapPicksAndHovers() {
    HeatMap map;
    map.resize(600, 250);
    map.show();
    map.setMatrix(4, 8, 0, 0);
    map.setLimits(QCPRange(-1, 1));
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

void TestHeatMap::mapRubberBand() {
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

void TestHeatMap::mapColoursAreTheColourMaps() {
    HeatMap map;
    map.resize(600, 250);
    map.show();
    map.setMatrix(2, 2, 0, 0);
    map.setLimits(QCPRange(-1, 1));
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

void TestHeatMap::limitsAreThoseOfTheData_data() {
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<double>("from");
    QTest::addColumn<double>("to");
    QTest::newRow("both signs: zero in the middle") << -0.1 << 0.4 << -0.4 << 0.4;
    QTest::newRow("norms") << 0.8 << 1.3 << 0.8 << 1.3;
    QTest::newRow("negative") << -3.0 << -1.0 << -3.0 << -1.0;
    QTest::newRow("from zero") << 0.0 << 2.0 << 0.0 << 2.0;
    QTest::newRow("one value") << 1.0 << 1.0 << 0.5 << 1.5;
    QTest::newRow("all zero") << 0.0 << 0.0 << -1.0 << 1.0;
}

// Norms, whose weights are all near one, were solid yellow on a scale about zero.
void TestHeatMap::limitsAreThoseOfTheData() {
    QFETCH(double, low);
    QFETCH(double, high);
    QTEST(colorLimits(low, high).lower, "from");
    QTEST(colorLimits(low, high).upper, "to");
    HeatMap map;
    map.setMatrix(1, 3, 0, 0);
    const auto middle = static_cast<float>((low + high) / 2);
    map.setCells({.lastRow = 0, .lastColumn = 2},
                 {.rows = 1, .columns = 3, .values = {static_cast<float>(low), middle, static_cast<float>(high)}});
    QFETCH(double, from);
    QFETCH(double, to);
    QVERIFY(std::abs(map.colorRange().lower - from) < 1e-6 && std::abs(map.colorRange().upper - to) < 1e-6);
}

void TestHeatMap::mapOfOneRowOrColumnIsDrawn_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::newRow("row") << 1 << 8;
    QTest::newRow("column") << 8 << 1;
    QTest::newRow("weight") << 1 << 1;
}

void TestHeatMap::mapOfOneRowOrColumnIsDrawn() {
    QFETCH(int, rows);
    QFETCH(int, columns);
    const auto rowCount = static_cast<std::uint64_t>(rows);
    const auto columnCount = static_cast<std::uint64_t>(columns);
    HeatMap map;
    map.resize(600, 250);
    map.show();
    map.setMatrix(rowCount, columnCount, 0, 0);
    map.setLimits(QCPRange(-1, 1));
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

GUFO_TEST_WIDGETS(TestHeatMap)
#include "tst_heat_map.moc"
