// What the page shows of a tensor: statistics, histogram, blocks, map, values and slices.
#include "analysis/weight_tile.h"
#include "support/test_unit.h"
#include "tensors_page_test.h"
#include "test_paths.h"

#include <QLabel>

#include <numeric>

using namespace gufo;
using namespace gufo::ui;
using namespace gufo::test;

class TestTensorDetail : public TensorsPageTest {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::instance().apply(); }
    void init() { showPage(); }
    void cleanup() { closePage(); }
    void firstTensorIsShown();
    void statisticsAreCores();
    void histogramZoomIsRecounted();
    void blockScalesAndCodes();
    void bytesOfABlockAreWhole();
    void clickInTheMapMovesTheGrid();
    void gridMovesTheMarker();
    void higherDimensionsAreSlices();
    void oldResultsAreNeverShown();
    void uiThreadNeverReads();
    void copiesSelectionOfTheGrid();
    void realModel();
};

void TestTensorDetail::firstTensorIsShown() {
    QCOMPARE(m_page->detail().tensor(), std::optional(TensorIndex(0)));
    QCOMPARE(m_page->badge(), QStringLiteral("9"));
    waitForJobs();
    QCOMPARE(m_page->detail().histogram().plot().histogram().counts.size(), 256U);
    QTRY_VERIFY(m_page->list().summaries().find(TensorIndex(8)) != nullptr); // the rest is computed in the background
}

void TestTensorDetail::statisticsAreCores() {
    waitForJobs();
    const auto analysis = analyseTensor(*tensorsSample(), TensorIndex(0));
    QVERIFY(analysis);
    QCOMPARE(m_page->detail().histogram().plot().histogram().counts, analysis->histogram.counts);
    StatisticsModel expected;
    expected.setStatistics(analysis->statistics);
    for (int row = 0; row < expected.rowCount(); ++row) {
        QCOMPARE(m_page->detail().statistics().index(row, 1).data(), expected.index(row, 1).data());
    }
}

void TestTensorDetail::histogramZoomIsRecounted() {
    waitForJobs();
    HistogramPlot& plot = m_page->detail().histogram().plot();
    for (int i = 0; i < 6; ++i) {
        QTest::keyClick(&plot, Qt::Key_Plus);
    }
    const double lo = plot.xAxis->range().lower;
    const double hi = plot.xAxis->range().upper;
    QTRY_COMPARE(plot.histogram().lo, lo);
    const auto expected = countHistogram(*tensorsSample(), TensorIndex(0), {.bins = 256, .range = std::array{lo, hi}});
    QVERIFY(expected);
    QCOMPARE(plot.histogram().counts, expected->counts);
    QCOMPARE(m_page->detail().histogram().figures().rowCount(), 256);
}

void TestTensorDetail::blockScalesAndCodes() {
    QVERIFY(m_page->goTo(Place::tensor("blk.1.blocks.weight")));
    waitForJobs();
    HistogramSection& section = m_page->detail().histogram();
    const auto blocks = analyseBlocks(*tensorsSample(), TensorIndex(3));
    QVERIFY(blocks);
    section.setSubject(HistogramSection::kCodes);
    QTRY_COMPARE(section.plot().histogram().counts, blocks->codeCounts);
    // A code is called what the file stores, in the plot and in the table.
    const std::int32_t first = firstStored(tensorsSample()->tensor(TensorIndex(3)).typeId);
    QCOMPARE(section.plot().histogram().lo, first - 0.5);
    QCOMPARE(section.figures().index(0, 0).data().toString(), QString::number(first).replace(u'-', QChar(0x2212)));
    section.setSubject(HistogramSection::kScales);
    QTRY_COMPARE(section.plot().histogram().counts, blocks->scales.histogram.counts);
    // A type without blocks has only weights.
    QVERIFY(m_page->goTo(Place::tensor("norm.weight")));
    waitForJobs();
    QTRY_COMPARE(
        std::accumulate(section.plot().histogram().counts.begin(), section.plot().histogram().counts.end(), 0ULL),
        40ULL);
}

void TestTensorDetail::clickInTheMapMovesTheGrid() {
    waitForJobs();
    HeatMap& map = m_page->detail().map().map();
    map.replot();
    const QPoint cell(qRound(map.xAxis->coordToPixel(40.5)), qRound(map.yAxis->coordToPixel(20.5)));
    QTest::mouseClick(&map, Qt::LeftButton, Qt::NoModifier, cell);
    const ValueGrid& grid = m_page->detail().values().grid();
    QCOMPARE(grid.currentRow(), 20U);
    QCOMPARE(grid.currentColumn(), 40U);
    QVERIFY(grid.window().contains(20, 40));
    QTRY_VERIFY(m_page->detail().values().explanation().text().contains(QStringLiteral("1,320"))); // 20 · 64 + 40
    const auto tile =
        readWeightTile(*tensorsSample(), TensorIndex(0), {.firstRow = 20, .rows = 1, .firstColumn = 40, .columns = 1});
    QTRY_COMPARE(grid.gridModel().value(20, 40), std::optional(tile->values[0]));
    // Shift and an arrow move it by one.
    QTest::keyClick(&map, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(grid.currentColumn(), 39U);
}

void TestTensorDetail::gridMovesTheMarker() {
    waitForJobs();
    ValueGrid& grid = m_page->detail().values().grid();
    QTest::keyClick(&grid, Qt::Key_End, Qt::ControlModifier);
    QCOMPARE(grid.currentRow(), 31U);
    QCOMPARE(grid.currentColumn(), 63U);
    const auto marker = m_page->detail().map().map().marker();
    QVERIFY(marker);
    QCOMPARE(marker->lastRow, 31U);
    QCOMPARE(marker->lastColumn, 63U);
}

void TestTensorDetail::higherDimensionsAreSlices() {
    QVERIFY(m_page->goTo(Place::tensor("blk.1.experts.weight")));
    SliceSelector& slice = m_page->detail().map().slice();
    QVERIFY(slice.isVisible());
    auto* field = slice.findChild<IndexField*>();
    QVERIFY(field != nullptr);
    field->setFocus();
    QTest::keyClick(field, Qt::Key_Up);
    QTest::keyClick(field, Qt::Key_Up);
    QTest::keyClick(field, Qt::Key_Up); // there are only three
    QCOMPARE(slice.matrix().fixed[2], 2U);
    SliceRequest request{.rows = 4, .columns = 8};
    request.fixed[2] = 2;
    const auto tile = readWeightTile(*tensorsSample(), TensorIndex(2), request);
    QVERIFY(tile);
    const ValueGridModel& grid = m_page->detail().values().grid().gridModel();
    QTRY_COMPARE(grid.value(3, 7), std::optional(tile->values[31]));
    QVERIFY(m_page->goTo(Place::tensor("norm.weight")));
    QVERIFY(!slice.isVisible());
}

void TestTensorDetail::oldResultsAreNeverShown() {
    TensorModel builder;
    builder.zeros("slow", TensorType::F32, {256, 256})
        .numbers("quick", TensorType::F32, {4}, std::vector<float>{1, 2, 3, 4});
    const auto source = std::make_shared<SlowSource>(256 * 256 * 4 + 16);
    m_page->setModel(builder.share(source));
    QVERIFY(m_page->goTo(Place::tensor("slow")));
    QTRY_VERIFY(source->views > 0);
    QTRY_VERIFY(m_page->detail().isBusy());
    QVERIFY(m_page->goTo(Place::tensor("quick")));
    QCOMPARE(m_page->detail().statistics().index(0, 1).data().toString(), QStringLiteral("…"));
    source->open = true;
    waitForJobs();
    // All bytes are zero, so only the count distinguishes the two.
    const auto zeros = [this] { return m_page->detail().statistics().index(7, 1).data().toString(); };
    QCOMPARE(zeros(), QStringLiteral("4"));
    QVERIFY(test::waitUntilIdle());
    QCOMPARE(zeros(), QStringLiteral("4"));
    QCOMPARE(m_page->detail().values().grid().gridModel().matrix().columns, 4U);
}

void TestTensorDetail::uiThreadNeverReads() {
    TensorModel builder;
    builder.zeros("slow", TensorType::F32, {256, 256});
    const auto source = std::make_shared<SlowSource>(256 * 256 * 4);
    m_page->setModel(builder.share(source));
    QElapsedTimer timer;
    timer.start();
    // Blocked reads do not affect the rest of the page.
    QVERIFY(m_page->goTo(Place::tensor("slow", 300)));
    QTest::keyClick(&m_page->detail().values().grid(), Qt::Key_Down);
    QTest::keyClick(&m_page->detail().map().map(), Qt::Key_Plus);
    QVERIFY(!m_page->grab().isNull());
    QVERIFY(timer.elapsed() < 5000);
    QTRY_VERIFY(source->views > 0);
    source->open = true;
}

void TestTensorDetail::copiesSelectionOfTheGrid() {
    QVERIFY(m_page->goTo(Place::tensor("blk.1.blocks.weight")));
    ValueGrid& grid = m_page->detail().values().grid();
    grid.setFocus();
    QTest::keyClick(&grid, Qt::Key_Right, Qt::ShiftModifier);
    QTest::keyClick(&grid, Qt::Key_Down, Qt::ShiftModifier);
    QTRY_VERIFY(grid.gridModel().value(1, 1));
    const QStringList lines = m_page->copyText(CopyFormat::Tsv).trimmed().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 3);
    QCOMPARE(lines[0], QStringLiteral("Row\t0\t1"));
    QCOMPARE(lines[2].split(QLatin1Char('\t')).first(), QStringLiteral("1"));
    QCOMPARE(lines[2].split(QLatin1Char('\t')).last(),
             exactText(static_cast<float>(*grid.gridModel().value(1, 1)))); // more digits than are shown
    QVERIFY(m_page->copyText(CopyFormat::Markdown).contains(QLatin1Char('|')));
}

void TestTensorDetail::realModel() {
    const auto model = openModel(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q4_K.gguf");
    QVERIFY(model);
    m_page->setModel(*model);
    for (const TensorInfo& tensor : (*model)->tensors) {
        QVERIFY(m_page->goTo(Place::tensor(std::string(tensor.name), tensor.weights() - 1)));
        waitForJobs();
        QCOMPARE(m_page->detail().notice(), QString());
        const ValueGrid& grid = m_page->detail().values().grid();
        QTRY_VERIFY(grid.gridModel().value(grid.currentRow(), grid.currentColumn()));
    }
}

// Lines that wrap get their height also in a scroll area, at every width.
void TestTensorDetail::bytesOfABlockAreWhole() {
    BlockLine& line = m_page->detail().values().explanation();
    QTRY_VERIFY(line.text().contains(QStringLiteral("value")));
    for (const int width : {1600, 1100, 900}) {
        m_page->resize(width, 600);
        QVERIFY(test::waitUntilIdle());
        for (const QLabel* label : line.findChildren<QLabel*>()) {
            QVERIFY2(label->height() >= label->heightForWidth(label->width()),
                     qPrintable(QStringLiteral("%1 of %2 at %3")
                                    .arg(label->height())
                                    .arg(label->heightForWidth(label->width()))
                                    .arg(width)));
        }
    }
}

GUFO_TEST_WIDGETS(TestTensorDetail)
#include "tst_tensor_detail.moc"
