// Runs gufo-cli as a user does, and captures its output.
#pragma once

#include "test_paths.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

namespace gufo::test {

inline const QString kArchitectures = QStringLiteral(GUFO_TEST_DATA "/architectures/");

// Empty if the file cannot be read.
inline QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

struct CliResult {
    int code = -1; // 128 + signal if a signal ended it
    QByteArray out;
    QByteArray err;

    [[nodiscard]] QJsonObject json() const {
        QJsonParseError error{};
        const auto document = QJsonDocument::fromJson(out, &error);
        return error.error == QJsonParseError::NoError ? document.object() : QJsonObject();
    }
    [[nodiscard]] QByteArrayList lines() const { return out.split('\n'); }
};

// The object of a list whose `key` equals the name, or an empty one.
inline QJsonObject byName(const QJsonArray& list, const QString& key, const QString& name) {
    for (const QJsonValue& value : list) {
        if (value.toObject()[key] == name) {
            return value.toObject();
        }
    }
    return {};
}

inline CliResult finish(QProcess& process) {
    if (process.state() != QProcess::NotRunning && !process.waitForFinished(60'000)) {
        process.kill();
        process.waitForFinished();
        return {.code = -1, .out = process.readAllStandardOutput(), .err = "it did not end"};
    }
    const bool crashed = process.exitStatus() == QProcess::CrashExit;
    return {.code = crashed ? 128 + process.exitCode() : process.exitCode(),
            .out = process.readAllStandardOutput(),
            .err = process.readAllStandardError()};
}

inline CliResult runCli(const QStringList& arguments) {
    QProcess process;
    process.start(QStringLiteral(GUFO_CLI), arguments);
    return finish(process);
}

// Runs a line of sh with $CLI for the program, for names, redirections and pipes that QProcess does not support.
inline CliResult runShell(const QString& script) {
    QProcess process;
    process.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QStringLiteral("CLI='" GUFO_CLI "'\n") + script});
    return finish(process);
}

} // namespace gufo::test
