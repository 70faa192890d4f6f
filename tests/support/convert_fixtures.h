// The folders of tests/data/convert and, where the repository has its neighbour, of ../shared/fixtures/convert:
// sources, and what the official converter makes of them.
#pragma once

#include "test_paths.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <filesystem>
#include <vector>

namespace gufo::test {

struct ConvertFixture {
    QString name;
    QString folder; // without a slash at the end
    QJsonObject expected;
    bool shared = false; // not from the repository

    [[nodiscard]] std::filesystem::path source() const {
        return (folder + '/' + expected["folder"].toString(QStringLiteral("source"))).toStdString();
    }
    // A file beside the source, such as the exact logits.
    [[nodiscard]] QString file(const QString& fileName) const { return folder + '/' + fileName; }
};

inline QDir convertFixtureRoot(bool shared) {
    return {shared ? QStringLiteral(GUFO_SHARED_DIR "/fixtures/convert") : QStringLiteral(GUFO_TEST_DATA "/convert")};
}

// Without `expected` if there is no such folder.
inline ConvertFixture convertFixture(const QString& name, bool shared) {
    ConvertFixture fixture{name, convertFixtureRoot(shared).filePath(name), {}, shared};
    if (QFile file(fixture.file(QStringLiteral("expected.json"))); file.open(QIODevice::ReadOnly)) {
        fixture.expected = QJsonDocument::fromJson(file.readAll()).object();
    }
    return fixture;
}

// That of ../shared if both places have the folder, because only that one is complete.
inline ConvertFixture convertFixture(const QString& name) {
    const ConvertFixture complete = convertFixture(name, true);
    return complete.expected.isEmpty() ? convertFixture(name, false) : complete;
}

// The folders of the repository, and of its neighbour where that exists.
inline std::vector<ConvertFixture> convertFixtures() {
    std::vector<ConvertFixture> fixtures;
    for (const bool shared : {false, true}) {
        for (const QString& name :
             convertFixtureRoot(shared).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
            if (ConvertFixture fixture = convertFixture(name, shared); !fixture.expected.isEmpty()) {
                fixtures.push_back(std::move(fixture));
            }
        }
    }
    return fixtures;
}

// The folders that only ../shared has (tests/tools/copy_fixtures.py): those whose results are logits, and the others.
inline const QStringList kSharedLogits = {"gemma",   "glm4",  "gpt-oss-bf16", "gpt2",        "llama-linear", "mamba",
                                          "mistral", "olmo2", "phi2",         "qwen3-embed", "starcoder"};
inline const QStringList kSharedOthers = {"bert-rank", "gemma-embedding", "modern-bert", "t5"};

enum class ConvertRows { All, Logits };

// Adds a row with the "name" of each folder of the repository, and of the folders that only ../shared has.
inline void addConvertRows(ConvertRows rows = ConvertRows::All) {
    QTest::addColumn<QString>("name");
    const bool all = rows == ConvertRows::All;
    for (const QString& name : convertFixtureRoot(false).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        if (all || convertFixture(name, false).expected["kind"] == "logits") {
            QTest::newRow(qPrintable(name)) << name;
        }
    }
    for (const QString& name : all ? kSharedLogits + kSharedOthers : kSharedLogits) {
        QTest::newRow(qPrintable(name)) << name;
    }
}

#define GUFO_SKIP_WITHOUT_FIXTURE(fixture)                                                                             \
    do {                                                                                                               \
        if ((fixture).expected.isEmpty()) {                                                                            \
            QSKIP("only ../shared has this folder");                                                                   \
        }                                                                                                              \
    } while (false)

} // namespace gufo::test
