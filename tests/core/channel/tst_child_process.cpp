// Tests starting a program with a socket, and how its end and its last words are noticed.
#include "channel/child_process.h"
#include "support/test_unit.h"

#include <QFile>
#include <QTemporaryDir>

#include <csignal>

using namespace gufo;
using channel::ChildProcess;

class TestChildProcess : public QObject {
    Q_OBJECT

private slots:
    void end_data() {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<bool>("bySignal");
        QTest::addColumn<int>("number");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("by itself") << QByteArray("echo done; exit 3") << false << 3 << QByteArray("done\n");
        QTest::newRow("standard error") << QByteArray("echo lost >&2") << false << 0 << QByteArray("lost\n");
        QTest::newRow("by a signal") << QByteArray("echo oops; kill -SEGV $$") << true << SIGSEGV
                                     << QByteArray("oops\n");
        QTest::newRow("silent") << QByteArray("exit 1") << false << 1 << QByteArray();
        QTest::newRow("its input is empty") << QByteArray("cat; echo x") << false << 0 << QByteArray("x\n");
    }
    void end() {
        QFETCH(QByteArray, script);
        QFETCH(bool, bySignal);
        QFETCH(int, number);
        QFETCH(QByteArray, words);
        auto child = ChildProcess::start(made(script));
        QVERIFY(child.has_value());
        const auto end = child->finish(20'000);
        QCOMPARE(end.bySignal, bySignal);
        QCOMPARE(end.number, number);
        QCOMPARE(QByteArray::fromStdString(child->lastOutput()), words);
    }

    void isKilledWhenItDoesNotEnd() {
        auto child = ChildProcess::start(made("echo begun; exec sleep 1000"));
        QVERIFY(child.has_value());
        const pid_t id = child->id();
        QTRY_VERIFY((child->listen(), child->lastOutput() == "begun\n"));
        const auto end = child->finish(0);
        QVERIFY(end.bySignal && end.number == SIGKILL);
        QCOMPARE(::kill(id, 0), -1); // it was collected, too
    }

    void keepsTheLastWords() {
        auto child =
            ChildProcess::start(made("i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i+1)); done; sleep 1000"));
        QVERIFY(child.has_value());
        QTRY_VERIFY((child->listen(), child->lastOutput().ends_with("line 1999\n")));
        QVERIFY(child->lastOutput().size() <= ChildProcess::kKeptBytes);
    }

    // Nobody reads its output, which is dropped, and the process goes on.
    void neverWaitsForAReader() {
        auto child = ChildProcess::start(made("dd if=/dev/zero bs=65536 count=64 2>/dev/null; exit 5"));
        QVERIFY(child.has_value());
        const auto end = child->finish(20'000);
        QVERIFY(!end.bySignal);
        QCOMPARE(end.number, 5);
    }

    void closesItsSocketAtTheEnd() {
        auto child = ChildProcess::start(made("exit 0"));
        QVERIFY(child.has_value());
        QVERIFY(child->endpoint().receive([] { return true; }) == channel::Endpoint::Got::Closed);
    }

    void errors() {
        const auto missing = ChildProcess::start("/no/such/program");
        QVERIFY(!missing && missing.error().code == ErrorCode::FileNotFound);
        const auto folder = ChildProcess::start(m_folder.path().toStdString());
        QVERIFY(!folder && folder.error().code == ErrorCode::PermissionDenied);
    }

private:
    std::filesystem::path made(const QByteArray& script) {
        QFile file(m_folder.filePath(QString::number(++m_scripts)));
        if (!file.open(QIODevice::WriteOnly) || file.write("#!/bin/sh\n" + script + "\n") < 0) {
            return {};
        }
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return file.fileName().toStdString();
    }

    QTemporaryDir m_folder;
    int m_scripts = 0;
};

GUFO_TEST(TestChildProcess)
#include "tst_child_process.moc"
