// The threads of the engine (inference/engine/compute/team.h).
#include "inference/engine/compute/team.h"
#include "support/test_unit.h"

#include <QTest>

#include <chrono>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sched.h>
#endif

using namespace gufo::inference;

namespace {

class TestTeam final : public QObject {
    Q_OBJECT

private slots:
    void doesEachPartOnce_data();
    void doesEachPartOnce();
    void sharesCoverEverythingOnce();
    void lateThreadsMayRunWhereTheyMightBefore();
};

void TestTeam::doesEachPartOnce_data() {
    QTest::addColumn<unsigned>("threads");
    for (const unsigned threads : {1U, 2U, 3U, 64U, 65U}) { // the open parts are kept in words of 64 bits
        QTest::addRow("%u", threads) << threads;
    }
}

void TestTeam::doesEachPartOnce() {
    QFETCH(unsigned, threads);
    Team team(threads);
    std::vector<unsigned> done(threads);
    constexpr unsigned kSteps = 200;
    for (unsigned step = 0; step < kSteps; ++step) {
        team.run([&](unsigned member) { ++done[member]; }); // not atomic: a part belongs to one thread
    }
    QCOMPARE(done, std::vector<unsigned>(threads, kSteps));
}

void TestTeam::sharesCoverEverythingOnce() {
    Team team(3);
    for (const std::size_t count : {0U, 1U, 2U, 7U, 64U, 1000U}) {
        std::vector<unsigned> done(count);
        team.forShares(count, 8, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
            for (std::uint64_t i = begin; i < end; ++i) {
                ++done[i];
            }
        });
        QCOMPARE(done, std::vector<unsigned>(count, 1));
    }
}

// A thread that is waited for and does not run is moved. Where it may run is limited to one core meanwhile, and must be
// as before soon after.
void TestTeam::lateThreadsMayRunWhereTheyMightBefore() {
#if defined(__linux__)
    const auto allowed = [] {
        cpu_set_t cores;
        CPU_ZERO(&cores);
        return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 0;
    };
    const int before = allowed();
    QVERIFY(before > 0);
    const auto allowedAfterMove = [&] {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
        int cores = allowed();
        while (cores != before && std::chrono::steady_clock::now() < end) {
            std::this_thread::yield();
            cores = allowed();
        }
        return cores;
    };
    constexpr unsigned kThreads = 3;
    Team team(kThreads);
    for (unsigned late = 0; late < kThreads; ++late) {
        for (int repeat = 0; repeat < 10; ++repeat) {
            team.run([&](unsigned member) {
                if (member == late) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                }
            });
            std::vector<int> after(kThreads);
            team.run([&](unsigned member) { after[member] = allowedAfterMove(); });
            QCOMPARE(after, std::vector<int>(kThreads, before));
        }
    }
    QCOMPARE(allowedAfterMove(), before);
#else
    QSKIP("Threads are moved on Linux only.");
#endif
}

} // namespace

GUFO_TEST(TestTeam)
#include "tst_team.moc"
