// The layout of maps of blocks × roles: bands, the places of cells, the order of roles, and which blocks have a column.
#include "support/test_unit.h"
#include "ui/report/block_layout.h"

#include <QTest>

#include <algorithm>
#include <array>

using namespace gufo;
using namespace gufo::ui;

namespace {

BlockLayout layoutOf(std::size_t columns, std::size_t perBand) {
    BlockLayout layout;
    layout.cell = 10;
    layout.rowHeight = 20;
    layout.panels.push_back({.columns = columns, .columnsPerBand = perBand, .gaps = {false, true}, .titled = true});
    return layout;
}

} // namespace

class TestBlockLayout : public QObject {
    Q_OBJECT

private slots:
    void blocksWrapIntoBands_data();
    void blocksWrapIntoBands();
    void placesFollowEachOther();
    void rolesHaveAnOrder();
    void columnsOfBlocks_data();
    void columnsOfBlocks();
};

void TestBlockLayout::blocksWrapIntoBands_data() {
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("perBand");
    QTest::addColumn<QList<int>>("bands"); // the blocks in each
    QTest::newRow("one band") << 10 << 10 << QList<int>{10};
    QTest::newRow("more room than blocks") << 3 << 10 << QList<int>{3};
    QTest::newRow("a last one that is shorter") << 10 << 4 << QList<int>{4, 4, 2};
    QTest::newRow("one block each") << 2 << 1 << QList<int>{1, 1};
    QTest::newRow("no block") << 0 << 4 << QList<int>{};
}

void TestBlockLayout::blocksWrapIntoBands() {
    QFETCH(int, columns);
    QFETCH(int, perBand);
    QFETCH(QList<int>, bands);
    BlockLayout layout = layoutOf(static_cast<std::size_t>(columns), static_cast<std::size_t>(perBand));
    layout.addBands(0, {});
    QCOMPARE(static_cast<qsizetype>(layout.bands.size()), bands.size());
    std::size_t first = 0;
    for (std::size_t i = 0; i < layout.bands.size(); ++i) {
        const BlockLayout::Band& band = layout.bands[i];
        QCOMPARE(static_cast<int>(band.columns), bands[static_cast<qsizetype>(i)]);
        QCOMPARE(band.firstColumn, first);
        QCOMPARE(band.titled, i == 0);
        QCOMPARE(band.last, i + 1 == layout.bands.size());
        first += band.columns;
    }
}

void TestBlockLayout::placesFollowEachOther() {
    BlockLayout layout = layoutOf(6, 4);
    const int below = layout.addBands(5, {.title = 7, .group = 3, .band = 11, .lastBand = 13, .axis = 17});
    // The title, two rows with a gap between them, and the block numbers.
    QCOMPARE(layout.bands[0].top, 5);
    QCOMPARE(layout.bands[0].rowTops, (std::vector{12, 35, 55}));
    QCOMPARE(layout.bands[1].top, 55 + 17 + 11);
    QCOMPARE(layout.bands[1].rowTops, (std::vector{83, 106, 126}));
    QCOMPARE(below, 126 + 17 + 13);
    QCOMPARE(layout.cellOf(layout.bands[1], 1, 1), QRect(10, 106, 9, 19));
}

void TestBlockLayout::rolesHaveAnOrder() {
    std::array<const char*, 6> names{"blk.0.ffn_down.weight",  "blk.0.odd.weight",    "blk.0.attn_k.weight",
                                     "blk.0.attn_norm.weight", "blk.0.ssm_in.weight", "blk.0.attn_q.weight"};
    const auto keyOf = [](const char* name) {
        const TensorName parsed = parseTensorName(name);
        return roleKey(parsed.role, parsed.fact);
    };
    std::ranges::sort(names, {}, keyOf);
    QStringList sorted;
    for (const char* name : names) {
        sorted << QString::fromLatin1(name).section(u'.', 2, 2);
    }
    QCOMPARE(sorted, (QStringList{"attn_norm", "attn_q", "attn_k", "ssm_in", "ffn_down", "odd"}));
}

void TestBlockLayout::columnsOfBlocks_data() {
    QTest::addColumn<std::uint32_t>("last");
    QTest::addColumn<std::size_t>("present");
    QTest::addColumn<std::uint32_t>("columns");
    const auto row = [](const char* name, std::uint32_t last, std::size_t present, std::uint32_t columns) {
        QTest::newRow(name) << last << present << columns;
    };
    row("all are there", 31, 32, 32);
    row("some are missing", 99, 40, 100);
    row("one with a very large number", 4'000'000'000U, 33, 0);
    row("more than a map has", 3'000, 3'001, 0);
}

void TestBlockLayout::columnsOfBlocks() {
    QFETCH(std::uint32_t, last);
    QFETCH(std::size_t, present);
    QTEST(blocksOfMap(last, present, 2048), "columns");
}

GUFO_TEST(TestBlockLayout)
#include "tst_block_layout.moc"
