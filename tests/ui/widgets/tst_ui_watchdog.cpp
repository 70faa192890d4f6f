// Tests the watchdog of the UI tests: it detects an event loop blocked by work or by sleep, on an idle and on a busy
// machine, and reports no false alarms.
#include "support/idle.h"
#include "support/test_unit.h"
#include "support/ui_watchdog.h"

#include <QTest>

#include <atomic>
#include <thread>

namespace {

// Busy threads that run until they are destroyed: more than the machine has processors.
class Load {
public:
    explicit Load(bool on) {
        const unsigned count = on ? 2 * std::max(1U, std::thread::hardware_concurrency()) : 0;
        for (unsigned i = 0; i < count; ++i) {
            m_threads.emplace_back([](const std::stop_token& stop) {
                while (!stop.stop_requested()) {
                    (void)oneYardstickMs();
                }
            });
        }
    }

private:
    std::vector<std::jthread> m_threads;
};

} // namespace

class TestUiWatchdog : public QObject {
    Q_OBJECT

private slots:
    void findsWhatHoldsUp_data() {
        QTest::addColumn<bool>("busy");
        QTest::newRow("an idle machine") << false;
        QTest::newRow("a busy machine") << true;
    }
    void findsWhatHoldsUp();
    void judgesWork();
    void triesAgain();
};

void TestUiWatchdog::findsWhatHoldsUp() {
    QFETCH(bool, busy);
    const Load load(busy);
    {
        UiWatchdog watchdog;
        watchdog.step("a little in each turn");
        for (int i = 0; i < 20; ++i) {
            for (int j = 0; j < 5; ++j) {
                (void)oneYardstickMs();
            }
            gufo::test::spinEventLoop();
        }
        watchdog.finish();
        QVERIFY2(watchdog.isQuick(), watchdog.verdict());
    }
    {
        UiWatchdog watchdog;
        watchdog.step("much in one turn");
        gufo::test::spinEventLoop();
        for (double done = 0; done < 2 * watchdog.allowedMs();) {
            done += oneYardstickMs();
        }
        watchdog.finish();
        QVERIFY2(!watchdog.isQuick(), watchdog.verdict());
    }
    {
        UiWatchdog watchdog;
        watchdog.step("sleep");
        gufo::test::spinEventLoop();
        QTest::qSleep(static_cast<int>(2 * watchdog.allowedMs()));
        watchdog.finish();
        QVERIFY2(!watchdog.isQuick(), watchdog.verdict());
    }
}

void TestUiWatchdog::judgesWork() {
    const auto work = [](int count) {
        return [count] {
            for (int i = 0; i < count; ++i) {
                (void)oneYardstickMs();
            }
        };
    };
    QVERIFY(isQuickWork(work(5)));
    QVERIFY(!isQuickWork(work(static_cast<int>(4 * allowedMs({oneYardstickMs()}) / oneYardstickMs()))));
}

void TestUiWatchdog::triesAgain() {
    int rounds = 0;
    QVERIFY(isQuickOnce([&] { return ++rounds == 3; }));
    QCOMPARE(rounds, 3);
    QVERIFY(!isQuickOnce([&] { return ++rounds == 0; }));
    QCOMPARE(rounds, 7);
}

GUFO_TEST(TestUiWatchdog)
#include "tst_ui_watchdog.moc"
