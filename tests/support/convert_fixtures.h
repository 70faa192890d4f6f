// The folders of tests/data/convert and, where the repository has its neighbour, those of ../shared/fixtures/convert:
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

namespace gufo::test {

struct ConvertFixture {
    QString name;
    QString folder; // without a slash at the end
    QJsonObject expected;

    [[nodiscard]] std::filesystem::path source() const {
        return (folder + '/' + expected["folder"].toString()).toStdString();
    }
    // A file beside the source, such as the exact logits; only ../shared has them.
    [[nodiscard]] QString file(const QString& fileName) const { return folder + '/' + fileName; }
};

// Without `expected` if neither place has the folder.
inline ConvertFixture convertFixture(const QString& name) {
    for (const char* root : {GUFO_SHARED_DIR "/fixtures/convert/", GUFO_TEST_DATA "/convert/"}) {
        QFile file(QString::fromUtf8(root) + name + "/expected.json");
        if (file.open(QIODevice::ReadOnly)) {
            return {name, QString::fromUtf8(root) + name, QJsonDocument::fromJson(file.readAll()).object()};
        }
    }
    return {name, {}, {}};
}

// Adds a row with the "name" of each folder of the repository, and of those given, which only ../shared has.
inline void addConvertRows(const QStringList& shared) {
    QTest::addColumn<QString>("name");
    const QStringList committed =
        QDir(QStringLiteral(GUFO_TEST_DATA "/convert")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString& name : committed + shared) {
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
