// What counts as a leak in a long run, and what as the noise of a heap.
#include "soak/leftovers.h"
#include "support/sanitized.h"
#include "support/test_unit.h"

#include <QTemporaryDir>

#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <vector>

using namespace gufo::test;

namespace {

constexpr std::size_t kWarmUp = 20;
constexpr std::size_t kRounds = 300; // of two hours
constexpr double kMiB = 1024.0 * 1024.0;

// Rounds as they were measured: a heap of 7 MiB and resident memory of 90 MiB, both of which depend on what the round
// did. `change` adds what is looked for.
std::vector<Holdings> roundsOf(std::size_t count, const std::function<void(std::size_t round, Holdings&)>& change) {
    std::mt19937 random(1);
    std::normal_distribution<double> heapNoise(0, 60'000);
    std::normal_distribution<double> residentNoise(0, 2.5 * kMiB);
    std::vector<Holdings> rounds;
    for (std::size_t i = 0; i < count; ++i) {
        const double filling = 1 - std::exp(-static_cast<double>(i) / 8); // caches
        Holdings round{.heapBytes = static_cast<std::uint64_t>((5 + 2 * filling) * kMiB + heapNoise(random)),
                       .residentBytes = static_cast<std::uint64_t>((70 + 20 * filling) * kMiB + residentNoise(random)),
                       .descriptors = 16 + random() % 6,
                       .threads = 8 + random() % 6,
                       .files = 5};
        change(i, round);
        rounds.push_back(round);
    }
    return rounds;
}

} // namespace

class TestLeftovers : public QObject {
    Q_OBJECT

private slots:
    void judges_data();
    void judges();
    void findsAKilobytePerRound_data();
    void findsAKilobytePerRound();
};

void TestLeftovers::judges_data() {
    using Change = std::function<void(std::size_t, Holdings&)>;
    QTest::addColumn<std::vector<Holdings>>("rounds");
    QTest::addColumn<QString>("found"); // a part of it; empty: nothing
    const auto row = [](const char* name, const char* found, const Change& change, std::size_t count = kRounds) {
        QTest::newRow(name) << roundsOf(count, change) << QString::fromLatin1(found);
    };
    row("noise", "", [](std::size_t, Holdings&) {});
    row("noise of a short run", "", [](std::size_t, Holdings&) {}, 60);
    row("noise of eight hours", "", [](std::size_t, Holdings&) {}, 1400);
    row("a large last round", "", [](std::size_t i, Holdings& round) {
        round.heapBytes += i + 1 == kRounds ? 5'000'000 : 0;
        round.residentBytes += i + 1 == kRounds ? 50'000'000 : 0;
    });
    row("a leak of 1 KiB per round", "the heap grows by",
        [](std::size_t i, Holdings& round) { round.heapBytes += 1024 * i; });
    row(
        "a leak of 1 KiB per round in fewer rounds", "the heap",
        [](std::size_t i, Holdings& round) { round.heapBytes += 1024 * i; }, 250);
    row(
        "a leak of 1 KiB in every fourth round", "the heap",
        [](std::size_t i, Holdings& round) { round.heapBytes += 1024 * (i / 4); }, 1400);
    row(
        "a leak of 8 KiB per round in few rounds", "the heap",
        [](std::size_t i, Holdings& round) { round.heapBytes += 8192 * i; }, 80);
    row("a leak beside the heap", "resident memory",
        [](std::size_t i, Holdings& round) { round.residentBytes += 40'000 * i; });
    row("a descriptor in every hundredth round", "descriptors",
        [](std::size_t i, Holdings& round) { round.descriptors += i / 100; });
    row("a thread in every hundredth round", "threads",
        [](std::size_t i, Holdings& round) { round.threads += i / 100; });
    row("one file", "files", [](std::size_t i, Holdings& round) { round.files += i / 200; });
    row("too few rounds", "too few", [](std::size_t, Holdings&) {}, 10);
}

void TestLeftovers::judges() {
    QFETCH(const std::vector<Holdings>, rounds);
    QFETCH(const QString, found);
    const QString text = leftovers(rounds, kWarmUp).join(QLatin1Char('\n'));
    QVERIFY2(found.isEmpty() ? text.isEmpty() : text.contains(found), qPrintable(text));
}

void TestLeftovers::findsAKilobytePerRound_data() {
    QTest::addColumn<std::size_t>("leak");
    QTest::addColumn<bool>("isFound");
    QTest::newRow("none") << std::size_t{0} << false;
    QTest::newRow("1 KiB") << std::size_t{1024} << true;
}

// With the allocator itself: what a round leaves depends on a random number of pieces of random sizes.
void TestLeftovers::findsAKilobytePerRound() {
    if (kSanitized) {
        QSKIP("sanitizers have an allocator of their own");
    }
    QFETCH(const std::size_t, leak);
    QFETCH(const bool, isFound);
    const QTemporaryDir folder;
    std::mt19937 random(1);
    const auto base = std::make_unique<std::vector<char>>(7 << 20);
    std::vector<std::unique_ptr<char[]>> leaked;
    std::vector<std::unique_ptr<char[]>> cached(512);
    std::vector<Holdings> rounds;
    rounds.reserve(kRounds); // counts as heap, so it may not grow
    leaked.reserve(kRounds);
    for (std::size_t i = 0; i < kRounds; ++i) {
        for (int k = 0; k < 200; ++k) {
            cached[random() % cached.size()] = std::make_unique<char[]>(1 + random() % 1000);
        }
        if (leak > 0) {
            leaked.push_back(std::make_unique<char[]>(leak));
        }
        rounds.push_back(holdingsOf(folder.path().toStdString()));
    }
    const QString text = leftovers(rounds, kWarmUp).join(QLatin1Char('\n'));
    QVERIFY2(text.contains(QStringLiteral("the heap grows by")) == isFound, qPrintable(text));
}

GUFO_TEST(TestLeftovers)
#include "tst_leftovers.moc"
