// What the system reports about a running process (Linux: /proc).
#pragma once

#include <QByteArray>
#include <QFile>
#include <QList>
#include <QTest>

#include <unistd.h>

namespace gufo::test {

// Processor time of all its threads; 0 if there is no such process.
inline double processorSeconds(qint64 process) {
    QFile file(QStringLiteral("/proc/%1/stat").arg(process));
    if (process <= 0 || !file.open(QIODevice::ReadOnly)) {
        return 0;
    }
    const QByteArray all = file.readAll();
    // The name may contain spaces and brackets, so the fields are counted from its end. The state is field 3.
    const QList<QByteArray> fields = all.mid(all.lastIndexOf(')') + 2).split(' ');
    const double ticks = fields.value(11).toDouble() + fields.value(12).toDouble(); // user and system
    return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

// Returns true once the process has worked for a while, or false after twenty seconds.
[[nodiscard]] inline bool waitUntilAtWork(qint64 process, double seconds = 0.05) {
    const double before = processorSeconds(process);
    return QTest::qWaitFor([&] { return processorSeconds(process) >= before + seconds; }, 20'000);
}

// Returns true once the process has mapped the file into memory and has worked for a while since, or false after twenty
// seconds. An instrumented program takes long to start, so its processor time alone does not say what it works on.
[[nodiscard]] inline bool waitUntilAtWorkOn(const QString& file, qint64 process) {
    const auto isMapped = [&] {
        QFile maps(QStringLiteral("/proc/%1/maps").arg(process));
        return maps.open(QIODevice::ReadOnly) && maps.readAll().contains(QFile::encodeName(file));
    };
    return QTest::qWaitFor(isMapped, 20'000) && waitUntilAtWork(process);
}

// Returns the first child of the process, or 0.
inline qint64 childOf(qint64 process) {
    QFile file(QStringLiteral("/proc/%1/task/%1/children").arg(process));
    return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').first().toLongLong() : 0;
}

} // namespace gufo::test
