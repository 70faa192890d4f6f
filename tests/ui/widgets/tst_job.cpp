#include "support/test_unit.h"
#include "ui/jobs/latest_job.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <atomic>
#include <thread>

using namespace gufo;
using namespace gufo::ui;

namespace {

// Runs until it is told to stop, as every job in core can.
Result<int> endless(const JobContext& context, std::atomic<bool>& ended) {
    context.start(1000);
    while (!context.stopRequested()) {
        context.advance(1);
        std::this_thread::yield();
    }
    ended = true;
    return fail(ErrorCode::Cancelled);
}

} // namespace

class TestJob : public QObject {
    Q_OBJECT

private slots:
    void deliversOnTheUiThread();
    void deliversErrors();
    void reportsProgress();
    void cancelEndsTheWorkAndDeliversNothing();
    void deletingTheOwnerCancelsWithoutWaiting();
    void ownerMayGoWhileItsResultIsDelivered();
    void onlyTheLatestDelivers();
    void cancelForgetsTheLatest();
    void tellsThatOthersHaveStoppedTheLatest();
    void theNextOneMayStartFromTheResult();
    void cleanup() { Job::waitForAll(); }
};

void TestJob::deliversOnTheUiThread() {
    QThread* worker = nullptr;
    QThread* receiver = nullptr;
    int value = 0;
    Job* job = startJob<int>(
        this,
        [&worker](const JobContext&) -> Result<int> {
            worker = QThread::currentThread();
            return 42;
        },
        [&](Result<int> result) {
            receiver = QThread::currentThread();
            value = *result;
        });
    QSignalSpy finished(job, &Job::finished);
    QVERIFY(finished.wait());
    QCOMPARE(value, 42);
    QCOMPARE(receiver, QThread::currentThread());
    QVERIFY(worker != receiver);
}

void TestJob::deliversErrors() {
    ErrorCode code{};
    Job* job = startJob<int>(
        this, [](const JobContext&) -> Result<int> { return fail(ErrorCode::NotDecodable); },
        [&](Result<int> result) { code = result.error().code; });
    QSignalSpy finished(job, &Job::finished);
    QVERIFY(finished.wait());
    QCOMPARE(code, ErrorCode::NotDecodable);
}

void TestJob::reportsProgress() {
    std::atomic<bool> ended = false;
    Job* job = startJob<int>(
        this, [&ended](const JobContext& context) { return endless(context, ended); }, [](Result<int>) {});
    QSignalSpy progressed(job, &Job::progressed);
    QVERIFY(progressed.wait());
    QCOMPARE(progressed.first().at(1).toULongLong(), 1000U);
    QVERIFY(progressed.first().at(0).toULongLong() > 0);
    job->cancel();
    QSignalSpy finished(job, &Job::finished);
    QVERIFY(finished.wait());
}

void TestJob::cancelEndsTheWorkAndDeliversNothing() {
    std::atomic<bool> ended = false;
    bool delivered = false;
    Job* job = startJob<int>(
        this, [&ended](const JobContext& context) { return endless(context, ended); },
        [&](Result<int>) { delivered = true; });
    QSignalSpy finished(job, &Job::finished);
    job->cancel();
    QVERIFY(job->isCancelled());
    QVERIFY(finished.wait());
    QVERIFY(ended);
    QVERIFY(!delivered);
}

void TestJob::deletingTheOwnerCancelsWithoutWaiting() {
    std::atomic<bool> release = false;
    std::atomic<bool> sawStop = false;
    bool delivered = false;
    auto* owner = new QObject;
    startJob<int>(
        owner,
        [&](const JobContext& context) -> Result<int> {
            while (!release) { // work that reacts slowly to the stop
                std::this_thread::yield();
            }
            sawStop = context.stopRequested();
            return 1;
        },
        [&](Result<int>) { delivered = true; });
    delete owner; // would deadlock here if it waited
    release = true;
    Job::waitForAll();
    QCoreApplication::processEvents();
    QVERIFY(sawStop);
    QVERIFY(!delivered);
}

void TestJob::ownerMayGoWhileItsResultIsDelivered() {
    auto* owner = new QObject;
    bool delivered = false;
    startJob<int>(
        owner, [](const JobContext&) -> Result<int> { return 1; },
        [&, owner](Result<int>) {
            delivered = true;
            delete owner;
        });
    QTRY_VERIFY(delivered);
}

void TestJob::onlyTheLatestDelivers() {
    LatestJob latest(this);
    std::vector<int> delivered;
    std::atomic<bool> ended = false;
    latest.start<int>([&ended](const JobContext& context) { return endless(context, ended); },
                      [&](Result<int>) { delivered.push_back(-1); });
    for (int i = 0; i < 20; ++i) {
        latest.start<int>([i](const JobContext&) -> Result<int> { return i; },
                          [&](Result<int> result) { delivered.push_back(*result); });
    }
    QVERIFY(latest.isRunning());
    QTRY_VERIFY(!delivered.empty());
    Job::waitForAll();
    QCoreApplication::processEvents();
    QVERIFY(ended);
    QCOMPARE(delivered, std::vector<int>({19}));
    QVERIFY(!latest.isRunning());
}

void TestJob::cancelForgetsTheLatest() {
    LatestJob latest(this);
    std::atomic<bool> ended = false;
    bool delivered = false;
    const Job* job = latest.start<int>([&ended](const JobContext& context) { return endless(context, ended); },
                                       [&](Result<int>) { delivered = true; });
    QCOMPARE(latest.job(), job);
    latest.cancel();
    QVERIFY(!latest.isRunning());
    QVERIFY(latest.job() == nullptr);
    latest.cancel(); // does nothing
    QTRY_VERIFY(ended);
    Job::waitForAll();
    QCoreApplication::processEvents();
    QVERIFY(!delivered);
}

void TestJob::tellsThatOthersHaveStoppedTheLatest() {
    LatestJob latest(this);
    std::atomic<bool> ended = false;
    int stopped = 0;
    const auto start = [&] {
        ended = false;
        return latest.start<int>([&ended](const JobContext& context) { return endless(context, ended); },
                                 [](Result<int>) { QFAIL("it has no result"); }, [&] { ++stopped; });
    };
    start()->cancel(); // as a bar or a save does
    QVERIFY(latest.isRunning());
    QTRY_COMPARE(stopped, 1);
    QVERIFY(!latest.isRunning());
    start();
    start(); // replaces the one before
    latest.cancel();
    Job::waitForAll();
    QCoreApplication::processEvents();
    QCOMPARE(stopped, 1);
    latest.start<int>([](const JobContext&) -> Result<int> { return 1; }, [](Result<int>) {}, [&] { ++stopped; });
    QTRY_VERIFY(!latest.isRunning());
    QCoreApplication::processEvents();
    QCOMPARE(stopped, 1);
}

void TestJob::theNextOneMayStartFromTheResult() {
    LatestJob latest(this);
    std::vector<int> delivered;
    latest.start<int>([](const JobContext&) -> Result<int> { return 1; },
                      [&](Result<int> first) {
                          QVERIFY(!latest.isRunning());
                          delivered.push_back(*first);
                          latest.start<int>([](const JobContext&) -> Result<int> { return 2; },
                                            [&](Result<int> second) { delivered.push_back(*second); });
                      });
    QTRY_COMPARE(delivered, std::vector<int>({1, 2}));
}

GUFO_TEST(TestJob)
#include "tst_job.moc"
