#include "document/open_model.h"
#include "support/idle.h"
#include "support/tensor_models.h"
#include "support/test_unit.h"
#include "test_paths.h"
#include "ui/jobs/job.h"
#include "ui/pages/tensors/block_line.h"
#include "ui/pages/tensors/histogram_section.h"
#include "ui/pages/tensors/index_field.h"
#include "ui/pages/tensors/map_section.h"
#include "ui/pages/tensors/slice_selector.h"
#include "ui/pages/tensors/tensor_detail.h"
#include "ui/pages/tensors/tensor_export.h"
#include "ui/pages/tensors/tensor_list.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/pages/tensors/values_section.h"
#include "ui/theme/theme.h"
#include "ui/widgets/exact_figure.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/job_bar.h"

#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <numeric>
#include <random>

using namespace gufo;
using namespace gufo::ui;
using namespace gufo::test;

namespace {

constexpr auto kF32 = TensorType::F32;

std::vector<float> normal(std::size_t count, unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<float> distribution(0, 0.05F);
    std::vector<float> values(count);
    for (float& value : values) {
        value = distribution(generator);
    }
    return values;
}

std::shared_ptr<const Model> sample() {
    return TensorModel()
        .numbers("blk.0.attn_q.weight", kF32, {64, 32}, normal(64 * 32, 1))
        .numbers("blk.0.ffn_down.weight", kF32, {128, 16}, normal(128 * 16, 2))
        .numbers("blk.1.experts.weight", kF32, {8, 4, 3}, normal(8 * 4 * 3, 3))
        .add("blk.1.blocks.weight", static_cast<std::uint32_t>(TensorType::Q8_0), {64, 4},
             std::vector<std::byte>(64 / 32 * 34 * 4, std::byte{0x21}))
        .add("blk.2.cut.weight", static_cast<std::uint32_t>(kF32), {8, 8}, std::vector<std::byte>(100, std::byte{0x3D}))
        .add("blk.2.unknown.weight", 9999, {16}, {})
        .add("blk.2.ik.weight", 153, {256},
             std::vector<std::byte>(200, std::byte{7})) // IQ2_KT of ik_llama.cpp: size only
        .add("blk.2.empty.weight", static_cast<std::uint32_t>(kF32), {0, 4}, {})
        .numbers("norm.weight", kF32, {40}, normal(40, 4))
        .share();
}

// A source whose reads block until they are stopped or released, like a slow drive.
class SlowSource final : public ByteSource {
public:
    explicit SlowSource(std::uint64_t size)
        : m_bytes(size) {}
    std::uint64_t size() const override { return m_bytes.size(); }
    Result<Bytes> view(ByteRange range) const override {
        ++views;
        while (!open) {
            std::this_thread::yield();
        }
        return Bytes(m_bytes).subspan(range.offset, range.length);
    }
    const std::filesystem::path& path() const override { return m_path; }
    mutable std::atomic<int> views = 0;
    std::atomic<bool> open = false;

private:
    std::vector<std::byte> m_bytes;
    std::filesystem::path m_path = "slow.gguf";
};

std::filesystem::path in(const QTemporaryDir& dir, const char* name) {
    return std::filesystem::path(dir.path().toStdString()) / name;
}

} // namespace

class TestTensorsPage : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void firstTensorIsShown();
    void keysChooseTensors();
    void statisticsAreCores();
    void histogramZoomIsRecounted();
    void blockScalesAndCodes();
    void bytesOfABlockAreWhole();
    void clickInTheMapMovesTheGrid();
    void gridMovesTheMarker();
    void goToAWeight_data();
    void goToAWeight();
    void goToUnknownPlaces();
    void higherDimensionsAreSlices();
    void filterTreeAndTable();
    void filterSaysWhatIsWrong();
    void filterThatHidesTheTargetIsCleared();
    void wrongExpressionIsTold();
    void truncatedTensorShowsWhatIsThere();
    void unknownTypeHasNoBytes();
    void undecodableTypeShowsBytes();
    void emptyTensorSaysSo();
    void oldResultsAreNeverShown();
    void uiThreadNeverReads();
    void exportsValues();
    void exportIsCancelled();
    void copiesSelectionOfTheGrid();
    void copiesRowsOfTheList();
    void statusTellsOffsets();
    void stateComesBack();
    void columnsGiveWay();
    void fullScreenAndBack();
    void everythingHasAName();
    void realModel();

private:
    void waitForJobs();
    std::unique_ptr<TensorsPage> m_page;
};

void TestTensorsPage::initTestCase() { Theme::instance().apply(); }

void TestTensorsPage::init() {
    m_page = std::make_unique<TensorsPage>();
    m_page->resize(1280, 800);
    m_page->setModel(sample());
    m_page->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    m_page->activate();
}

void TestTensorsPage::cleanup() {
    m_page.reset();
    Job::waitForAll();
}

void TestTensorsPage::waitForJobs() {
    QTRY_VERIFY(!m_page->detail().isBusy() &&
                m_page->detail().statistics().index(0, 1).data().toString() != QStringLiteral("…"));
    QTRY_VERIFY(!m_page->detail().map().isBusy() && !m_page->detail().histogram().isBusy());
}

void TestTensorsPage::firstTensorIsShown() {
    QCOMPARE(m_page->detail().tensor(), std::optional(TensorIndex(0)));
    QCOMPARE(m_page->badge(), QStringLiteral("9"));
    waitForJobs();
    QCOMPARE(m_page->detail().histogram().plot().histogram().counts.size(), 256U);
    QTRY_VERIFY(m_page->list().summaries().find(TensorIndex(8)) != nullptr); // the rest is computed in the background
}

void TestTensorsPage::keysChooseTensors() {
    QAbstractItemView* view = m_page->list().view();
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Down);
    QCOMPARE(m_page->detail().tensor(), std::optional(TensorIndex(1)));
    QTest::keyClick(view, Qt::Key_Down);
    QTest::keyClick(view, Qt::Key_Down);
    QTest::keyClick(view, Qt::Key_Up);
    QCOMPARE(m_page->detail().tensor(), std::optional(TensorIndex(2)));
    waitForJobs();
}

void TestTensorsPage::statisticsAreCores() {
    waitForJobs();
    const auto analysis = analyseTensor(*sample(), TensorIndex(0));
    QVERIFY(analysis);
    QCOMPARE(m_page->detail().histogram().plot().histogram().counts, analysis->histogram.counts);
    StatisticsModel expected;
    expected.setStatistics(analysis->statistics);
    for (int row = 0; row < expected.rowCount(); ++row) {
        QCOMPARE(m_page->detail().statistics().index(row, 1).data(), expected.index(row, 1).data());
    }
}

void TestTensorsPage::histogramZoomIsRecounted() {
    waitForJobs();
    HistogramPlot& plot = m_page->detail().histogram().plot();
    for (int i = 0; i < 6; ++i) {
        QTest::keyClick(&plot, Qt::Key_Plus);
    }
    const double lo = plot.xAxis->range().lower;
    const double hi = plot.xAxis->range().upper;
    QTRY_COMPARE(plot.histogram().lo, lo);
    const auto expected = countHistogram(*sample(), TensorIndex(0), {.bins = 256, .range = std::array{lo, hi}});
    QVERIFY(expected);
    QCOMPARE(plot.histogram().counts, expected->counts);
    QCOMPARE(m_page->detail().histogram().figures().rowCount(), 256);
}

void TestTensorsPage::blockScalesAndCodes() {
    QVERIFY(m_page->goTo(Place::tensor("blk.1.blocks.weight")));
    waitForJobs();
    HistogramSection& section = m_page->detail().histogram();
    const auto blocks = analyseBlocks(*sample(), TensorIndex(3));
    QVERIFY(blocks);
    section.setSubject(HistogramSection::kCodes);
    QTRY_COMPARE(section.plot().histogram().counts, blocks->codeCounts);
    section.setSubject(HistogramSection::kScales);
    QTRY_COMPARE(section.plot().histogram().counts, blocks->scales.histogram.counts);
    // A type without blocks has only weights.
    QVERIFY(m_page->goTo(Place::tensor("norm.weight")));
    waitForJobs();
    QTRY_COMPARE(
        std::accumulate(section.plot().histogram().counts.begin(), section.plot().histogram().counts.end(), 0ULL),
        40ULL);
}

void TestTensorsPage::clickInTheMapMovesTheGrid() {
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
        readWeightTile(*sample(), TensorIndex(0), {.firstRow = 20, .rows = 1, .firstColumn = 40, .columns = 1});
    QTRY_COMPARE(grid.gridModel().value(20, 40), std::optional(tile->values[0]));
    // Shift and an arrow move it by one.
    QTest::keyClick(&map, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(grid.currentColumn(), 39U);
}

void TestTensorsPage::gridMovesTheMarker() {
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

void TestTensorsPage::goToAWeight_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<quint64>("weight");
    QTest::addColumn<quint64>("row");
    QTest::addColumn<quint64>("column");
    QTest::newRow("matrix") << QByteArray("blk.0.ffn_down.weight") << quint64(128 * 9 + 77) << quint64(9)
                            << quint64(77);
    QTest::newRow("vector") << QByteArray("norm.weight") << quint64(39) << quint64(0) << quint64(39);
    QTest::newRow("three dimensions") << QByteArray("blk.1.experts.weight") << quint64(2 * 32 + 8 + 5) << quint64(1)
                                      << quint64(5);
}

void TestTensorsPage::goToAWeight() {
    QFETCH(QByteArray, name);
    QFETCH(quint64, weight);
    QFETCH(quint64, row);
    QFETCH(quint64, column);
    QVERIFY(m_page->goTo(Place::tensor(name.toStdString(), weight)));
    const ValueGrid& grid = m_page->detail().values().grid();
    QCOMPARE(grid.currentRow(), row);
    QCOMPARE(grid.currentColumn(), column);
    QVERIFY(m_page->detail().map().map().view().range.contains(row, column));
    const std::shared_ptr<const Model> model = sample();
    const TensorIndex tensor = *model->findTensor(name.toStdString());
    const auto all = explainTensorWeight(*model, tensor, weight);
    QVERIFY(all);
    QTRY_COMPARE(grid.gridModel().value(row, column), std::optional<double>(all->fields.value));
    waitForJobs();
}

void TestTensorsPage::goToUnknownPlaces() {
    QVERIFY(!m_page->goTo(Place::tensor("no such tensor")));
    QVERIFY(!m_page->goTo(Place::key("general.name")));
    QVERIFY(m_page->goTo(Place::tensor("norm.weight", 40))); // no such weight: selects the tensor
    QCOMPARE(m_page->detail().tensor(), std::optional(TensorIndex(8)));
}

void TestTensorsPage::higherDimensionsAreSlices() {
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
    const auto tile = readWeightTile(*sample(), TensorIndex(2), request);
    QVERIFY(tile);
    const ValueGridModel& grid = m_page->detail().values().grid().gridModel();
    QTRY_COMPARE(grid.value(3, 7), std::optional(tile->values[31]));
    QVERIFY(m_page->goTo(Place::tensor("norm.weight")));
    QVERIFY(!slice.isVisible());
}

void TestTensorsPage::filterTreeAndTable() {
    TensorList& list = m_page->list();
    QTest::keyClicks(list.filterField(), QStringLiteral("blk.2"));
    QTest::keyClick(list.filterField(), Qt::Key_Return);
    QTRY_COMPARE(list.table().rowCount(), 4);
    const QJsonObject blocks{{QStringLiteral("view"), 1}, {QStringLiteral("filter"), QStringLiteral("blk.2")}};
    list.restoreState(blocks);
    auto* tree = qobject_cast<QTreeView*>(list.view());
    QVERIFY(tree != nullptr);
    QCOMPARE(tree->model()->rowCount(), 1);
    const QModelIndex block = tree->model()->index(0, 0);
    tree->expand(block);
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, Qt::NoModifier,
                      tree->visualRect(tree->model()->index(0, 0, block)).center());
    QVERIFY(m_page->detail().tensor()->value >= 4);
    waitForJobs();
}

// What is wrong with a filter is said below the field, and the list stays as it was.
void TestTensorsPage::filterSaysWhatIsWrong() {
    TensorList& list = m_page->list();
    QVERIFY(list.filterField()->toolTip().contains(QStringLiteral("size:>10M")));
    QVERIFY(list.filterField()->placeholderText().contains(QStringLiteral("shape:")));
    const auto type = [&](const QString& text) {
        list.filterField()->clear();
        QTest::keyClicks(list.filterField(), text);
        QTest::keyClick(list.filterField(), Qt::Key_Return);
    };
    const auto said = [this] {
        for (const QLabel* label : m_page->findChildren<QLabel*>()) {
            if (label->isVisible() && label->text().contains(QStringLiteral("is not a"))) {
                return label->text();
            }
        }
        return QString();
    };
    const int all = list.table().rowCount();
    type(QStringLiteral("blk.2"));
    QTRY_COMPARE(list.table().rowCount(), 4);
    type(QStringLiteral("-blk.2"));
    QTRY_COMPARE(list.table().rowCount(), all - 4);
    type(QStringLiteral("size:big"));
    QTRY_VERIFY2(said().contains(QStringLiteral("size:big is not a size")), qPrintable(said()));
    QCOMPARE(list.table().rowCount(), all); // as after clearing
    type(QStringLiteral("blk.2 size:>=0")); // the size of one of them is not known
    QTRY_COMPARE(list.table().rowCount(), 3);
    QVERIFY(said().isEmpty());
    waitForJobs();
}

void TestTensorsPage::filterThatHidesTheTargetIsCleared() {
    TensorList& list = m_page->list();
    QTest::keyClicks(list.filterField(), QStringLiteral("ffn"));
    QTRY_COMPARE(list.table().rowCount(), 1);
    QVERIFY(m_page->goTo(Place::tensor("norm.weight")));
    QCOMPARE(list.table().rowCount(), 9);
    QCOMPARE(list.view()->currentIndex().row(), 8);
}

void TestTensorsPage::wrongExpressionIsTold() {
    TensorList& list = m_page->list();
    list.restoreState({{QStringLiteral("regularExpression"), true}, {QStringLiteral("filter"), QStringLiteral("(")}});
    bool told = false;
    for (const QLabel* label : list.findChildren<QLabel*>()) {
        told = told || (label->isVisible() && label->text().contains(QStringLiteral("regular expression")));
    }
    QVERIFY(told);
    QCOMPARE(list.table().rowCount(), 9);
}

void TestTensorsPage::truncatedTensorShowsWhatIsThere() {
    QVERIFY(m_page->goTo(Place::tensor("blk.2.cut.weight")));
    QVERIFY(m_page->detail().notice().contains(QStringLiteral("100 bytes of 256 bytes")));
    waitForJobs();
    const ValueGridModel& grid = m_page->detail().values().grid().gridModel();
    QTRY_VERIFY(grid.value(3, 0));
    QCOMPARE(grid.text(3, 1), QStringLiteral("—")); // would be weight 25 of 25
}

void TestTensorsPage::unknownTypeHasNoBytes() {
    QVERIFY(m_page->goTo(Place::tensor("blk.2.unknown.weight")));
    QVERIFY(!m_page->detail().values().isVisible());
    QVERIFY(test::waitUntilIdle());
    QVERIFY(!m_page->detail().isBusy());
}

void TestTensorsPage::undecodableTypeShowsBytes() {
    QVERIFY(m_page->goTo(Place::tensor("blk.2.ik.weight")));
    TensorDetail& detail = m_page->detail();
    QVERIFY(detail.values().isVisible());
    QVERIFY(!detail.map().isVisible());
    QVERIFY(!detail.notice().isEmpty());
    const ValueGridModel& grid = detail.values().grid().gridModel();
    QTRY_COMPARE(grid.text(0, 15), QStringLiteral("07"));
    QCOMPARE(grid.matrix().columns, 16U);

    // Its bytes can be exported, so the progress must not be in one of the hidden sections.
    auto* progress = detail.findChild<JobBar*>({}, Qt::FindDirectChildrenOnly);
    QVERIFY(progress != nullptr);
    progress->show();
    QVERIFY(progress->isVisible() && detail.rect().contains(progress->geometry()));
    progress->hide();
}

void TestTensorsPage::emptyTensorSaysSo() {
    QVERIFY(m_page->goTo(Place::tensor("blk.2.empty.weight")));
    QVERIFY(!m_page->detail().values().isVisible());
    QVERIFY(test::waitUntilIdle());
    QVERIFY(!m_page->detail().isBusy());
}

void TestTensorsPage::oldResultsAreNeverShown() {
    TensorModel builder;
    builder.zeros("slow", kF32, {256, 256}).numbers("quick", kF32, {4}, std::vector<float>{1, 2, 3, 4});
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

void TestTensorsPage::uiThreadNeverReads() {
    TensorModel builder;
    builder.zeros("slow", kF32, {256, 256});
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

void TestTensorsPage::exportsValues() {
    const QTemporaryDir dir;
    TensorExport& exporter = *m_page->detail().findChild<TensorExport*>();
    QSignalSpy written(&exporter, &TensorExport::written);
    exporter.writeValues(in(dir, "q.npy"), ExportFormat::Npy);
    QVERIFY(written.wait());
    QFile file(dir.filePath(QStringLiteral("q.npy")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readLine().contains("'shape': (32, 64)"));
    exporter.writePlot(m_page->detail().map().map(), in(dir, "map.png"), PlotFormat::Png);
    QVERIFY(written.wait());
    QVERIFY(!QImage(dir.filePath(QStringLiteral("map.png"))).isNull());
    QSignalSpy failed(&exporter, &TensorExport::failed);
    exporter.writeValues(in(dir, "no/folder.csv"), ExportFormat::Csv);
    QVERIFY(failed.wait());
    QVERIFY(!m_page->detail().notice().isEmpty());
}

void TestTensorsPage::exportIsCancelled() {
    const QTemporaryDir dir;
    TensorModel builder;
    builder.zeros("large", kF32, {1U << 20U, 24});
    m_page->setModel(builder.share());
    QVERIFY(m_page->goTo(Place::tensor("large")));
    TensorExport& exporter = *m_page->detail().findChild<TensorExport*>();
    QSignalSpy written(&exporter, &TensorExport::written);
    exporter.writeValues(in(dir, "large.csv"), ExportFormat::Csv);
    QVERIFY(exporter.isBusy());
    exporter.cancel();
    QTRY_VERIFY(!exporter.isBusy());
    QCOMPARE(written.count(), 0);
    QVERIFY(QDir(dir.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
}

void TestTensorsPage::copiesSelectionOfTheGrid() {
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

void TestTensorsPage::copiesRowsOfTheList() {
    m_page->list().view()->setFocus();
    QTest::keyClick(m_page->list().view(), Qt::Key_Down, Qt::ShiftModifier);
    const QStringList lines = m_page->copyText(CopyFormat::Tsv).trimmed().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[1].startsWith(QStringLiteral("blk.0.attn_q.weight\tF32\t64 × 32")));
}

void TestTensorsPage::statusTellsOffsets() {
    QSignalSpy status(m_page.get(), &Page::statusChanged);
    QVERIFY(m_page->goTo(Place::tensor("blk.1.blocks.weight")));
    QVERIFY(!status.isEmpty());
    const QStringList right = status.last()[1].toStringList();
    QCOMPARE(right[0], QStringLiteral("File offset 16,768"));
    QCOMPARE(right[1], QStringLiteral("Block 34 bytes, 32 weights"));
    QTRY_VERIFY(status.last()[0].toString().startsWith(QStringLiteral("Dequantised 256 weights in")));
}

void TestTensorsPage::stateComesBack() {
    TensorList& list = m_page->list();
    QTest::keyClicks(list.filterField(), QStringLiteral("blk"));
    QTest::keyClick(list.filterField(), Qt::Key_Return);
    m_page->detail().histogram().setLogarithmic(false);
    m_page->detail().map().setColorMap(ColorMap::Cividis);
    m_page->detail().values().setHex(true);
    const QJsonObject state = m_page->saveState();
    TensorsPage other;
    other.resize(1280, 800);
    other.setModel(sample());
    other.restoreState(state);
    other.show();
    QCOMPARE(other.list().table().rowCount(), 8);
    QVERIFY(!other.detail().histogram().isLogarithmic());
    QCOMPARE(other.detail().map().map().colorMap(), ColorMap::Cividis);
    QVERIFY(other.detail().values().grid().gridModel().isHex());
    QCOMPARE(other.saveState(), m_page->saveState());
    other.restoreState({}); // an empty state does no harm
    other.restoreState(
        {{QStringLiteral("splitter"), 7}, {QStringLiteral("list"), QJsonObject{{QStringLiteral("sortColumn"), 99}}}});
}

void TestTensorsPage::columnsGiveWay() {
    auto* table = qobject_cast<QTableView*>(m_page->list().view());
    QVERIFY(table != nullptr);
    const auto hidden = [table](TensorColumn column) { return table->isColumnHidden(static_cast<int>(column)); };
    TensorList& list = m_page->list();
    list.setParent(nullptr);
    list.show();
    list.resize(700, 600);
    QVERIFY(!hidden(TensorColumn::Distribution));
    list.resize(520, 600);
    QVERIFY(hidden(TensorColumn::Distribution));
    QVERIFY(!hidden(TensorColumn::Sigma));
    list.resize(400, 600);
    QVERIFY(hidden(TensorColumn::Sigma));
    QVERIFY(!hidden(TensorColumn::Type));
    list.resize(700, 600);
    QVERIFY(!hidden(TensorColumn::Sigma));
    delete &list;
    m_page.reset();
}

void TestTensorsPage::fullScreenAndBack() {
    waitForJobs();
    MapSection& section = m_page->detail().map();
    section.map().setFocus();
    QTest::keyClick(&section.map(), Qt::Key_F);
    QVERIFY(section.isWindow());
    QTest::keyClick(&section.map(), Qt::Key_Escape);
    QVERIFY(!section.isWindow());
    QVERIFY(m_page->isAncestorOf(&section));
    QVERIFY(section.isVisible());
}

void TestTensorsPage::everythingHasAName() {
    waitForJobs();
    for (const QWidget* widget : m_page->findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() || widget->inherits("QHeaderView") ||
            widget->inherits("QScrollArea") || widget->objectName().startsWith(QStringLiteral("qt_"))) {
            continue;
        }
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        const auto* label = qobject_cast<const QLabel*>(widget);
        const bool named = !widget->accessibleName().isEmpty() || (button != nullptr && !button->text().isEmpty()) ||
                           (label != nullptr && !label->text().isEmpty());
        QVERIFY2(named, widget->metaObject()->className());
    }
}

void TestTensorsPage::realModel() {
    const auto model = openModel(GUFO_SAMPLE_DIR "/gufo-sample-Q4_K.gguf");
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
void TestTensorsPage::bytesOfABlockAreWhole() {
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

GUFO_TEST_WIDGETS(TestTensorsPage)
#include "tst_tensors_page.moc"
