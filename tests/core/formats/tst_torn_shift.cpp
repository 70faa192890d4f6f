// Finds the hole that an interrupted shift leaves, in files with and without other holes.
#include "formats/save/undo.h"
#include "support/test_unit.h"

#include <QTest>

#include <random>

using namespace gufo;

namespace {

constexpr std::uint64_t kBlock = 4096;

// A file as a list of blocks: whether each holds data.
using Blocks = std::vector<bool>;

std::vector<ByteRange> writtenOf(const Blocks& blocks) {
    std::vector<ByteRange> written;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (blocks[i] && i != 0 && blocks[i - 1]) {
            written.back().length += kBlock;
        } else if (blocks[i]) {
            written.push_back({i * kBlock, kBlock});
        }
    }
    return written;
}

Blocks withHole(Blocks blocks, std::size_t at, std::size_t count) {
    blocks.insert(blocks.begin() + static_cast<std::ptrdiff_t>(at), count, false);
    return blocks;
}
Blocks without(Blocks blocks, std::size_t at, std::size_t count) {
    const auto first = blocks.begin() + static_cast<std::ptrdiff_t>(at);
    blocks.erase(first, first + static_cast<std::ptrdiff_t>(count));
    return blocks;
}

struct Shift {
    Blocks shorter;
    std::size_t at = 0; // in blocks
    std::size_t by = 0;
    saving::UndoEntry entry;
    std::uint64_t longerSize = 0;
};

// A shift in a file whose last block is not full.
Shift randomShift(std::mt19937& random, bool grows, unsigned holesOf64) {
    Shift shift;
    const std::size_t blocks = 8 + random() % 60;
    shift.at = random() % 4;
    shift.by = 1 + random() % 5;
    for (std::size_t i = 0; i < blocks; ++i) {
        shift.shorter.push_back(i <= shift.at || random() % 64 >= holesOf64);
    }
    const std::uint64_t shorterSize = blocks * kBlock - 100;
    shift.longerSize = shorterSize + shift.by * kBlock;
    shift.entry.shiftAt = shift.at * kBlock;
    shift.entry.shift = static_cast<std::int64_t>(shift.by * kBlock) * (grows ? 1 : -1);
    shift.entry.oldSize = grows ? shorterSize : shift.longerSize;
    shift.entry.newSize = grows ? shift.longerSize : shorterSize;
    Blocks before = shift.shorter;
    if (!grows) { // the header has no holes
        before.insert(before.begin() + static_cast<std::ptrdiff_t>(shift.at), shift.by, true);
    }
    shift.entry.written = writtenOf(before);
    return shift;
}

} // namespace

class TestTornShift : public QObject {
    Q_OBJECT

private slots:
    void findsTheHole_data();
    void findsTheHole();
    void takesNothingElseForOne_data() { findsTheHole_data(); }
    void takesNothingElseForOne();
};

void TestTornShift::findsTheHole_data() {
    QTest::addColumn<bool>("grows");
    QTest::addColumn<unsigned>("holesOf64");
    for (const unsigned holes : {0U, 4U, 40U}) {
        QTest::addRow("grows, %u of 64 blocks are holes", holes) << true << holes;
        QTest::addRow("shrinks, %u of 64 blocks are holes", holes) << false << holes;
    }
}

void TestTornShift::findsTheHole() {
    QFETCH(bool, grows);
    QFETCH(unsigned, holesOf64);
    std::mt19937 random(1);
    for (int round = 0; round < 300; ++round) {
        const Shift shift = randomShift(random, grows, holesOf64);
        for (std::size_t tear = shift.at + 1; tear <= shift.shorter.size(); ++tear) {
            const Blocks torn = withHole(shift.shorter, tear, shift.by);
            const auto found = saving::tornAt(shift.entry, shift.longerSize, writtenOf(torn));
            // If the file has another hole next to it, it does not matter which of the two is removed.
            QVERIFY(found.has_value());
            QCOMPARE(*found % kBlock, 0U);
            const std::size_t at = std::min<std::size_t>(*found / kBlock, torn.size() - shift.by);
            QCOMPARE(writtenOf(without(torn, at, shift.by)), writtenOf(shift.shorter));
        }
    }
}

void TestTornShift::takesNothingElseForOne() {
    QFETCH(bool, grows);
    QFETCH(unsigned, holesOf64);
    std::mt19937 random(2);
    for (int round = 0; round < 300; ++round) {
        const Shift shift = randomShift(random, grows, holesOf64);
        // Completed or not begun: none, some or all of the inserted blocks have been written.
        for (std::size_t written = 0; written <= shift.by; ++written) {
            Blocks whole = withHole(shift.shorter, shift.at, shift.by);
            std::fill_n(whole.begin() + static_cast<std::ptrdiff_t>(shift.at), written, true);
            QVERIFY(!saving::tornAt(shift.entry, shift.longerSize, writtenOf(whole)));
        }
        const std::uint64_t shorterSize = std::min(shift.entry.oldSize, shift.entry.newSize);
        QVERIFY(!saving::tornAt(shift.entry, shorterSize, writtenOf(shift.shorter)));
    }
}

GUFO_TEST(TestTornShift)
#include "tst_torn_shift.moc"
