#include "compared_models.h"
#include "support/test_unit.h"
#include "support/ui_test_settings.h"
#include "ui/compare/comparison.h"
#include "ui/compare/map/quality_map.h"
#include "ui/plots/metric_legend.h"
#include "ui/plots/plot_export.h"

#include <QPainter>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace gufo;
using namespace gufo::ui;
namespace fs = std::filesystem;

class TestCompareMap : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { Job::waitForAll(); }
    void laysOutBlocksAndRoles();
    void experts();
    void colours();
    void whatCannotBeCompared();
    void whatIsLeftOut();
    void mouseAndKeyboard();
    void wrapsWhereItIsNarrow();
    void drawsAPicture();

private:
    // Shows a map of these files after comparing them.
    void show(const Places& files, const MapGridOptions& options = {}) {
        m_map = std::make_unique<QualityMap>();
        m_comparison = std::make_unique<Comparison>();
        m_comparison->start(files);
        QVERIFY(QTest::qWaitFor([&] { return m_comparison->state() == Comparison::State::Done; }, 20'000));
        auto grid = layOutMap(*m_comparison->matches(), options, {});
        QVERIFY(grid.has_value());
        m_map->setGrid(m_comparison.get(), *grid);
        m_map->resize(1200, m_map->heightForWidth(1200));
        m_map->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_map.get()));
    }
    [[nodiscard]] std::size_t rowIn(const MapGridPanel& panel, const QString& label) const {
        return static_cast<std::size_t>(std::ranges::find(panel.rows, label, &MapGridRow::label) - panel.rows.begin());
    }
    [[nodiscard]] const MapGridPanel& panel() const { return m_map->grid()->panels.front(); }

    UiTestSettings m_settings;
    QTemporaryDir m_dir;
    fs::path m_f32, m_q8, m_q4, m_odd, m_nan, m_moe32, m_moe4, m_long32, m_long8;
    std::unique_ptr<Comparison> m_comparison;
    std::unique_ptr<QualityMap> m_map;
};

void TestCompareMap::initTestCase() {
    qputenv("XDG_CACHE_HOME", m_dir.path().toUtf8());
    const fs::path root = m_dir.path().toStdString();
    const auto write = [&](const char* name, const test::CompareModel& model) {
        test::writeCompareModel(root / name, model);
        return root / name;
    };
    m_f32 = write("m-F32.gguf", {});
    m_q8 = write("m-Q8_0.gguf", {.type = TensorType::Q8_0});
    m_q4 = write("m-Q4_0.gguf", {.type = TensorType::Q4_0});
    m_odd = write("m-odd.gguf", {.type = TensorType::Q4_0,
                                 .without = "blk.1.attn_k.weight",
                                 .extra = "blk.1.attn_v.weight",
                                 .reshaped = "blk.2.attn_q.weight"});
    m_nan = write("m-NaN.gguf", {.notFinite = "blk.1.attn_q.weight"});
    m_moe32 = write("e-F32.gguf", {.experts = 4});
    m_moe4 = write("e-Q4_0.gguf", {.type = TensorType::Q4_0, .experts = 4});
    m_long32 = write("l-F32.gguf", {.blocks = 150, .width = 32});
    m_long8 = write("l-Q8_0.gguf", {.type = TensorType::Q8_0, .blocks = 150, .width = 32});
}

void TestCompareMap::laysOutBlocksAndRoles() {
    show({m_f32, m_q8, m_q4});
    QCOMPARE(m_map->grid()->panels.size(), 1U);
    QCOMPARE(panel().blocks, (std::vector<std::uint32_t>{0, 1, 2}));
    QStringList labels;
    for (const MapGridRow& row : panel().rows) {
        labels << row.label;
    }
    QCOMPARE(labels, (QStringList{"attn_q", "attn_k", "ffn_up"}));
    QVERIFY(panel().rows[2].startsGroup);
    QCOMPARE(m_map->grid()->vectorRows, 3U);
    QCOMPARE(m_map->grid()->loose.size(), 2U); // token_embd, output_norm
    show({m_f32, m_q8}, {.vectors = true});
    QCOMPARE(panel().rows.size(), 4U);
    QCOMPARE(m_map->grid()->vectorRows, 0U);
    // Every row of the matches has a cell.
    for (std::size_t row = 0; row < m_comparison->matches()->rows.size(); ++row) {
        QVERIFY(m_map->grid()->cellOf[row] != MapGrid::kNoCell);
    }
}

void TestCompareMap::experts() {
    show({m_moe32, m_moe4});
    const std::size_t role = rowIn(panel(), QStringLiteral("ffn_gate_exps"));
    QVERIFY(role < panel().rows.size());
    QVERIFY(panel().rows[role].hasExperts && !panel().rows[role].unfolded);
    QCOMPARE(m_map->grid()->cells[panel().rows[role].firstCell].size(), 4U);
    const double all = m_map->values().at(1, panel().rows[role].firstCell).value;
    QSignalSpy unfold(m_map.get(), &QualityMap::unfoldRequested);
    m_map->select(QualityMap::Cell{1, 0, role, 0});
    m_map->setFocus();
    QTest::keyClick(m_map.get(), Qt::Key_Plus);
    QCOMPARE(unfold.count(), 1);
    QCOMPARE(unfold[0][0].toString(), panel().rows[role].id);
    show({m_moe32, m_moe4}, {.unfolded = {panel().rows[role].id}});
    QVERIFY(panel().rows[role].unfolded);
    double minimum = 1000;
    double maximum = -1000;
    for (std::size_t expert = 1; expert <= 4; ++expert) {
        QVERIFY(panel().rows[role + expert].ofExpert);
        const MapCellValue& value = m_map->values().at(1, panel().rows[role + expert].firstCell);
        QVERIFY(value.kind == MapCellValue::Kind::Value);
        minimum = std::min(minimum, value.value);
        maximum = std::max(maximum, value.value);
    }
    QVERIFY(minimum < all && all < maximum); // the total lies between the extremes
}

void TestCompareMap::colours() {
    show({m_f32, m_q8, m_q4});
    const std::size_t cell = panel().rows[0].firstCell;
    const auto pixel = [&](std::size_t file) {
        return m_map->grab().toImage().pixelColor(m_map->cellRect({file, 0, 0, 0}).center());
    };
    for (const MetricFact& info : mapMetrics()) {
        m_map->setMetric(info.metric);
        const MapCellValue& q8 = m_map->values().at(1, cell);
        const MapCellValue& q4 = m_map->values().at(2, cell);
        QVERIFY2(q8.kind == MapCellValue::Kind::Value && q4.kind == MapCellValue::Kind::Value, info.id);
        QVERIFY2(info.higherIsCloser ? q8.value > q4.value : q8.value < q4.value, info.id);
        QCOMPARE(pixel(1), metricColor(m_map->values().commonScale(), q8.value, ColorMap::Viridis));
        QCOMPARE(pixel(2), metricColor(m_map->values().commonScale(), q4.value, ColorMap::Viridis));
    }
    m_map->setMetric(Metric::Sqnr);
    m_map->setColorMap(ColorMap::Cividis);
    QCOMPARE(pixel(2),
             metricColor(m_map->values().commonScale(), m_map->values().at(2, cell).value, ColorMap::Cividis));
}

void TestCompareMap::whatCannotBeCompared() {
    show({m_f32, m_odd}, {.vectors = true});
    using Kind = MapCellValue::Kind;
    const auto kind = [&](const QString& role, std::size_t block) {
        return m_map->values().at(1, panel().rows[rowIn(panel(), role)].firstCell + block).kind;
    };
    QCOMPARE(kind("attn_k", 1), Kind::Apart); // missing
    QCOMPARE(kind("attn_v", 1), Kind::Apart); // extra
    QCOMPARE(kind("attn_v", 0), Kind::Empty);
    QCOMPARE(kind("attn_q", 2), Kind::Apart); // reshaped
    QCOMPARE(kind("attn_q", 0), Kind::Value);
    QCOMPARE(kind("attn_norm", 0), Kind::Same);
    const auto tip = [&](const QString& role, std::size_t block) {
        return m_map->describe({1, 0, rowIn(panel(), role), block});
    };
    QVERIFY(tip("attn_k", 1).contains(QStringLiteral("does not have it")));
    QVERIFY(tip("attn_v", 1).contains(QStringLiteral("The reference does not have it")));
    QVERIFY(tip("attn_q", 2).contains(QStringLiteral("The shape differs")));
    QVERIFY(tip("attn_norm", 0).contains(QStringLiteral("Identical")));
    QVERIFY(tip("attn_q", 0).contains(QStringLiteral("F32 → Q4_0")));
    QVERIFY(tip("attn_q", 0).contains(QStringLiteral("SQNR")));
    QVERIFY(tip("attn_v", 0).contains(QStringLiteral("Block 0 has no attn_v")));
}

// A tensor whose only difference is a NaN is neither identical nor equal, for any metric.
void TestCompareMap::whatIsLeftOut() {
    show({m_f32, m_nan, m_q4}, {.vectors = true});
    using Kind = MapCellValue::Kind;
    const std::size_t attnQ = rowIn(panel(), "attn_q");
    const std::size_t cell = panel().rows[attnQ].firstCell + 1;
    for (const MetricFact& info : mapMetrics()) {
        if (info.ofPair()) {
            m_map->setMetric(info.metric);
            QVERIFY2(m_map->values().at(1, cell).kind == Kind::LeftOut, info.id);
            QVERIFY2(m_map->values().at(1, cell - 1).kind == Kind::Same, info.id);
        }
    }
    QVERIFY(m_map->values().leavesOut());
    const QString tip = m_map->describe({1, 0, attnQ, 1});
    QVERIFY2(!tip.contains(QStringLiteral("Identical")), qPrintable(tip));
    QVERIFY2(tip.contains(QStringLiteral("1 pair with NaN or infinity is left out")), qPrintable(tip));
    QVERIFY(m_map->describe({1, 0, attnQ, 0}).contains(QStringLiteral("Identical")));
    // Against a reference with the NaN, a quantised tensor has a figure, which is marked.
    m_comparison->setReference(m_nan);
    QVERIFY(QTest::qWaitFor([&] { return m_comparison->state() == Comparison::State::Done; }, 20'000));
    auto grid = layOutMap(*m_comparison->matches(), {.vectors = true}, {});
    m_map->setGrid(m_comparison.get(), *grid);
    m_map->setMetric(Metric::Sqnr);
    const MapCellValue& marked = m_map->values().at(2, cell);
    QVERIFY(marked.kind == Kind::Value && marked.leavesOut);
    QVERIFY(m_map->describe({2, 0, attnQ, 1}).contains(QStringLiteral("left out")));
    const QImage image = m_map->grab().toImage();
    const auto corner = [&](std::size_t block) {
        return image.pixelColor(m_map->cellRect({2, 0, attnQ, block}).topRight() + QPoint(-1, 1));
    };
    QVERIFY(corner(1) != corner(0));
    QVERIFY(!m_map->values().at(2, cell - 1).leavesOut);
}

void TestCompareMap::mouseAndKeyboard() {
    show({m_f32, m_q8, m_q4});
    QVERIFY(!m_map->accessibleName().isEmpty());
    QSignalSpy activated(m_map.get(), &QualityMap::tensorActivated);
    const QualityMap::Cell cell{2, 0, 1, 2};
    QTest::mouseClick(m_map.get(), Qt::LeftButton, {}, m_map->cellRect(cell).center());
    QCOMPARE(activated.count(), 1);
    const std::size_t row = activated[0][0].toULongLong();
    QCOMPARE(std::string(m_comparison->matches()->rows[row].name), std::string("blk.2.attn_k.weight"));
    QCOMPARE(activated[0][1].toULongLong(), 2ULL);
    QVERIFY(m_map->accessibleDescription().contains(QStringLiteral("blk.2.attn_k")));
    m_map->setFocus();
    QTest::keyClick(m_map.get(), Qt::Key_Home);
    QCOMPARE(*m_map->selected(), (QualityMap::Cell{2, 0, 1, 0}));
    QTest::keyClick(m_map.get(), Qt::Key_Left); // into the previous map
    QCOMPARE(*m_map->selected(), (QualityMap::Cell{1, 0, 1, 2}));
    QTest::keyClick(m_map.get(), Qt::Key_Down);
    QTest::keyClick(m_map.get(), Qt::Key_Down); // to the tensors outside of blocks
    QCOMPARE(m_map->selected()->panel, 1U);
    QTest::keyClick(m_map.get(), Qt::Key_Return);
    QCOMPARE(activated.count(), 2);
    QTest::keyClick(m_map.get(), Qt::Key_Up);
    QCOMPARE(m_map->selected()->row, 2U);
    m_map->selectRow(row);
    QCOMPARE(*m_map->selected(), (QualityMap::Cell{1, 0, 1, 2}));
    // Every cell is found at its position.
    for (const std::size_t file : m_comparison->others()) {
        for (std::size_t r = 0; r < panel().rows.size(); ++r) {
            for (std::size_t c = 0; c < panel().blocks.size(); ++c) {
                const QualityMap::Cell one{file, 0, r, c};
                QCOMPARE(m_map->cellAt(m_map->cellRect(one).center()), std::optional(one));
            }
        }
    }
}

void TestCompareMap::wrapsWhereItIsNarrow() {
    show({m_long32, m_long8});
    for (const int width : {1200, 700, 420}) {
        m_map->resize(width, m_map->heightForWidth(width));
        for (const std::size_t column : {0U, 75U, 149U}) {
            const QRect rect = m_map->cellRect({1, 0, 0, column});
            QVERIFY(rect.width() >= 5 && rect.right() < width && rect.bottom() < m_map->height());
        }
    }
    show({m_f32, m_q8, m_q4, m_odd});
    const int beside = m_map->heightForWidth(1200);
    QVERIFY(m_map->heightForWidth(420) > 2 * beside); // below each other
}

void TestCompareMap::drawsAPicture() {
    show({m_f32, m_q4, m_q8});
    const Picture picture{.frame = {.title = QStringLiteral("Map"), .lines = {}},
                          .shown = m_map->size(),
                          .heightFor = [this](int width) { return m_map->heightForWidth(width); },
                          .draw = [this](QPainter& painter, int width) { m_map->drawAt(painter, width); }};
    for (const PlotFormat format : {PlotFormat::Png, PlotFormat::Svg, PlotFormat::Pdf}) {
        const fs::path path = fs::path(m_dir.path().toStdString()) / "map";
        bool done = false;
        exportPicture(this, picture, {}, path, format, [&](const Result<>& result) { done = result.has_value(); });
        QTRY_VERIFY(done);
        QVERIFY(fs::file_size(path) > 500);
    }
    // In a size that is too small for the map, all of it is drawn smaller: nothing of it reaches the margins.
    const fs::path path = fs::path(m_dir.path().toStdString()) / "map.png";
    const PictureOptions options{.size = {500, 260}, .scale = 2};
    bool done = false;
    exportPicture(this, picture, options, path, PlotFormat::Png,
                  [&](const Result<>& result) { done = result.has_value(); });
    QTRY_VERIFY(done);
    const QImage image(QString::fromStdString(path.native()));
    QCOMPARE(image.size(), options.size * options.scale);
    const QRect content = FrameLayout(picture.frame, options.size, {}).content();
    const QColor ground = themeColor(Token::Base);
    int drawn = 0;
    for (int x = 0; x < image.width(); ++x) {
        for (int y = 0; y < image.height(); ++y) {
            const bool isInside = content.contains(QPoint(x / options.scale, y / options.scale));
            drawn += isInside && image.pixelColor(x, y) != ground ? 1 : 0;
            QVERIFY(isInside || y / options.scale < content.top() || image.pixelColor(x, y) == ground);
        }
    }
    QVERIFY(drawn > 2000);
}

GUFO_TEST_WIDGETS(TestCompareMap)
#include "tst_compare_map.moc"
