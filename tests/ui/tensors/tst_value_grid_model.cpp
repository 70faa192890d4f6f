#include "support/idle.h"
#include "support/tensor_models.h"
#include "support/test_unit.h"
#include "ui/pages/tensors/models/value_grid_model.h"
#include "ui/pages/tensors/value_grid.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <atomic>

using namespace gufo;
using namespace gufo::ui;
using namespace gufo::test;

namespace {

// Cell (r, c) has the value 1000 r + c; a third of the cells of row 3 are missing.
WeightTile tileOf(const SliceRequest& request) {
    WeightTile tile{.firstRow = request.firstRow,
                    .firstColumn = request.firstColumn,
                    .rows = request.rows,
                    .columns = request.columns};
    for (std::uint64_t row = request.firstRow; row < request.firstRow + request.rows; ++row) {
        for (std::uint64_t column = request.firstColumn; column < request.firstColumn + request.columns; ++column) {
            tile.values.push_back(1000.0 * static_cast<double>(row) + static_cast<double>(column));
            tile.stored.push_back(1000 * row + column);
            tile.present.push_back(row != 3 || column % 3 != 0);
        }
    }
    return tile;
}

ValueGridModel::Matrix matrix(std::uint64_t rows, std::uint64_t columns) {
    return {
        .rows = rows,
        .columns = columns,
        .load = [](const SliceRequest& request, const JobContext&) -> Result<WeightTile> { return tileOf(request); },
        .decimal = [](double value, std::uint64_t) { return QString::number(value, 'f', 0); },
        .hex = [](std::uint64_t stored) { return QString::number(stored, 16); },
        .rowTitle = {},
        .blockColumns = 32};
}

} // namespace

class TestValueGridModel : public QObject {
    Q_OBJECT

private slots:
    void windowOntoTheMatrix();
    void matrixOfAnySize();
    void smallerThanTheWindow();
    void hexAndMissing();
    void selectionIsLoadedBeyondTheWindow();
    void largeSelectionIsRefused();
    void failureIsTold();
    void newMatrixCancelsTheOldOne();
    void forgetsTilesOutOfSight();
    void keysMoveTheGrid_data();
    void keysMoveTheGrid();
    void shiftExtendsTheSelection();
    void mouseChoosesACell();
    void wheelMovesTheWindow();
};

void TestValueGridModel::windowOntoTheMatrix() {
    ValueGridModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy loaded(&model, &ValueGridModel::loaded);
    model.setMatrix(matrix(500, 300));
    QCOMPARE(model.rowCount(), 0);
    model.setWindow(100, 7, 60, 9);
    QCOMPARE(model.rowCount(), 7);
    QCOMPARE(model.columnCount(), 9);
    QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("…"));
    QTRY_COMPARE(model.index(6, 8).data().toString(), QStringLiteral("106068")); // in another tile than the first
    QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("100060"));
    QCOMPARE(model.headerData(0, Qt::Vertical, Qt::DisplayRole).toString(), QStringLiteral("100"));
    QCOMPARE(model.headerData(8, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("68"));
    QVERIFY(model.index(0, 4).data(ValueGridModel::kBlockStartRole).toBool()); // column 64
    QVERIFY(!model.index(0, 5).data(ValueGridModel::kBlockStartRole).toBool());
    QVERIFY(loaded.count() >= 2);
    // The window is clamped to the matrix.
    model.setWindow(499, 7, 299, 9);
    QCOMPARE(model.firstRow(), 493U);
    QCOMPARE(model.firstColumn(), 291U);
    QTRY_COMPARE(model.index(6, 8).data().toString(), QStringLiteral("499299"));
}

void TestValueGridModel::matrixOfAnySize() {
    ValueGridModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    constexpr std::uint64_t kHuge = 1ULL << 50U;
    model.setMatrix(matrix(kHuge, kHuge));
    model.setWindow(kHuge - 3, 5, kHuge - 2, 5);
    QCOMPARE(model.firstRow(), kHuge - 5);
    QCOMPARE(model.headerData(4, Qt::Vertical, Qt::DisplayRole).toString(), QStringLiteral("1,125,899,906,842,623"));
    QTRY_VERIFY(model.value(kHuge - 1, kHuge - 1).has_value());
}

void TestValueGridModel::smallerThanTheWindow() {
    ValueGridModel model;
    model.setMatrix(matrix(2, 1));
    model.setWindow(0, 7, 0, 9);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.columnCount(), 1);
    model.setMatrix(matrix(0, 5));
    model.setWindow(0, 7, 0, 9);
    QCOMPARE(model.rowCount(), 0);
}

void TestValueGridModel::hexAndMissing() {
    ValueGridModel model;
    model.setMatrix(matrix(10, 10));
    model.setWindow(0, 5, 0, 5);
    QTRY_COMPARE(model.text(2, 1), QStringLiteral("2001"));
    QCOMPARE(model.text(3, 3), QStringLiteral("—"));
    QVERIFY(!model.value(3, 3));
    QCOMPARE(model.value(3, 4), std::optional<double>(3004));
    model.setHex(true);
    QCOMPARE(model.text(2, 1), QStringLiteral("7d1"));
    QCOMPARE(model.text(3, 3), QStringLiteral("—"));
}

void TestValueGridModel::selectionIsLoadedBeyondTheWindow() {
    ValueGridModel model;
    model.setMatrix(matrix(1000, 1000));
    model.setWindow(0, 5, 0, 5);
    model.setSelection({.firstRow = 0, .lastRow = 200, .firstColumn = 0, .lastColumn = 100}, 200, 100);
    QTRY_COMPARE(model.text(200, 100), QStringLiteral("200100"));
    QTRY_COMPARE(model.text(100, 50), QStringLiteral("100050"));
    QVERIFY(model.index(1, 1).data(ValueGridModel::kSelectedRole).toBool());
    QVERIFY(!model.index(1, 1).data(ValueGridModel::kCurrentRole).toBool());
}

void TestValueGridModel::largeSelectionIsRefused() {
    ValueGridModel model;
    model.setMatrix(matrix(1 << 20, 1 << 20));
    model.setSelection({.firstRow = 1, .lastRow = 1, .firstColumn = 1, .lastColumn = 1}, 1, 1);
    model.setSelection({.firstRow = 0, .lastRow = 300, .firstColumn = 0, .lastColumn = 300}, 0, 0);
    QCOMPARE(model.selection()->lastRow, 1U);
}

void TestValueGridModel::failureIsTold() {
    ValueGridModel model;
    auto broken = matrix(10, 10);
    broken.load = [](const SliceRequest&, const JobContext&) -> Result<WeightTile> {
        return fail(ErrorCode::FileChangedWhileReading);
    };
    QSignalSpy failed(&model, &ValueGridModel::failed);
    model.setMatrix(broken);
    model.setWindow(0, 5, 0, 5);
    QVERIFY(failed.wait());
    QCOMPARE(failed.first().first().value<Error>().code, ErrorCode::FileChangedWhileReading);
    QCOMPARE(model.text(0, 0), QStringLiteral("…"));
}

void TestValueGridModel::newMatrixCancelsTheOldOne() {
    ValueGridModel model;
    auto started = std::make_shared<std::atomic<bool>>(false);
    auto cancelled = std::make_shared<std::atomic<bool>>(false);
    auto slow = matrix(10, 10);
    slow.load = [started, cancelled](const SliceRequest& request, const JobContext& context) -> Result<WeightTile> {
        *started = true;
        while (!context.stopRequested()) {
            std::this_thread::yield();
        }
        *cancelled = true;
        WeightTile tile = tileOf(request);
        std::ranges::fill(tile.values, -1);
        return tile;
    };
    model.setMatrix(slow);
    model.setWindow(0, 5, 0, 5);
    QTRY_VERIFY(*started);
    model.setMatrix(matrix(10, 10));
    model.setWindow(0, 5, 0, 5);
    QTRY_VERIFY(*cancelled);
    QTRY_COMPARE(model.text(1, 1), QStringLiteral("1001")); // not the −1 of the previous one
    QVERIFY(test::waitUntilIdle());
    QCOMPARE(model.text(1, 1), QStringLiteral("1001"));
}

void TestValueGridModel::forgetsTilesOutOfSight() {
    ValueGridModel model;
    model.setMatrix(matrix(1 << 20, 64));
    QSignalSpy loaded(&model, &ValueGridModel::loaded);
    for (std::uint64_t row = 0; row < 300; ++row) {
        model.setWindow(64 * row, 5, 0, 5);
        QVERIFY(model.value(64 * row, 1) || loaded.wait());
    }
    QVERIFY(!model.value(64 * 5, 1));
    QVERIFY(model.value(64 * 299, 1));
}

void TestValueGridModel::keysMoveTheGrid_data() {
    QTest::addColumn<int>("key");
    QTest::addColumn<bool>("control");
    QTest::addColumn<int>("row");
    QTest::addColumn<int>("column");
    QTest::newRow("left") << int(Qt::Key_Left) << false << 50 << 59;
    QTest::newRow("right") << int(Qt::Key_Right) << false << 50 << 61;
    QTest::newRow("up") << int(Qt::Key_Up) << false << 49 << 60;
    QTest::newRow("down") << int(Qt::Key_Down) << false << 51 << 60;
    QTest::newRow("home") << int(Qt::Key_Home) << false << 50 << 0;
    QTest::newRow("end") << int(Qt::Key_End) << false << 50 << 199;
    QTest::newRow("first") << int(Qt::Key_Home) << true << 0 << 0;
    QTest::newRow("last") << int(Qt::Key_End) << true << 99 << 199;
}

void TestValueGridModel::keysMoveTheGrid() {
    QFETCH(int, key);
    QFETCH(bool, control);
    QFETCH(int, row);
    QFETCH(int, column);
    ValueGrid grid;
    grid.resize(700, 200);
    grid.show();
    grid.setMatrix(matrix(100, 200), QStringLiteral("Row"));
    grid.setCurrent(50, 60);
    QVERIFY(grid.window().contains(50, 60));
    QTest::keyClick(&grid, static_cast<Qt::Key>(key), control ? Qt::ControlModifier : Qt::NoModifier);
    QCOMPARE(grid.currentRow(), static_cast<std::uint64_t>(row));
    QCOMPARE(grid.currentColumn(), static_cast<std::uint64_t>(column));
    QVERIFY(grid.window().contains(grid.currentRow(), grid.currentColumn()));
}

void TestValueGridModel::shiftExtendsTheSelection() {
    ValueGrid grid;
    grid.resize(700, 200);
    grid.show();
    grid.setMatrix(matrix(100, 200), QStringLiteral("Row"));
    grid.setCurrent(10, 10);
    QTest::keyClick(&grid, Qt::Key_Right, Qt::ShiftModifier);
    QTest::keyClick(&grid, Qt::Key_Up, Qt::ShiftModifier);
    const CellRange range = grid.gridModel().selection().value();
    QCOMPARE(range.firstRow, 9U);
    QCOMPARE(range.lastRow, 10U);
    QCOMPARE(range.firstColumn, 10U);
    QCOMPARE(range.lastColumn, 11U);
    QTest::keyClick(&grid, Qt::Key_Down);
    QCOMPARE(grid.gridModel().selection()->firstRow, grid.gridModel().selection()->lastRow);
}

void TestValueGridModel::mouseChoosesACell() {
    ValueGrid grid;
    grid.resize(700, 200);
    grid.show();
    grid.setMatrix(matrix(100, 200), QStringLiteral("Row"));
    QSignalSpy moved(&grid, &ValueGrid::currentCellChanged);
    const QPoint cell = grid.visualRect(grid.gridModel().index(2, 3)).center();
    QTest::mouseClick(grid.viewport(), Qt::LeftButton, Qt::NoModifier, cell);
    QCOMPARE(moved.count(), 1);
    QCOMPARE(grid.currentRow(), 2U);
    QCOMPARE(grid.currentColumn(), 3U);
}

void TestValueGridModel::wheelMovesTheWindow() {
    ValueGrid grid;
    grid.resize(700, 200);
    grid.show();
    grid.setMatrix(matrix(100, 200), QStringLiteral("Row"));
    grid.setCurrent(0, 0);
    grid.rowBar()->setValue(20);
    QCOMPARE(grid.window().firstRow, 20U);
    grid.columnBar()->setValue(grid.columnBar()->maximum());
    QCOMPARE(grid.window().lastColumn, 199U);
    QCOMPARE(grid.currentRow(), 0U); // the selection stays where it is
}

GUFO_TEST_WIDGETS(TestValueGridModel)
#include "tst_value_grid_model.moc"
