// The model files that tests of readers, writers and pages use.
#pragma once

#include "test_paths.h"

#include <QDir>
#include <QString>
#include <QTest>

#include <initializer_list>

namespace gufo::test {

inline QStringList modelsIn(const QString& folder) {
    QStringList paths;
    const QDir dir(folder);
    for (const QString& name : dir.entryList({QStringLiteral("*.gguf")})) {
        paths << dir.filePath(name);
    }
    return paths;
}

// The models of the repository.
inline QStringList committedModels() {
    QStringList paths;
    for (const char* folder :
         {GUFO_TEST_DATA "/architectures", GUFO_TEST_DATA "/encoders", GUFO_TEST_DATA "/tokenizer"}) {
        paths += modelsIn(QString::fromUtf8(folder));
    }
    return paths;
}

// Adds a row with the "path" of each model of the repository and of these folders with other projects' files, which may
// not be committed. A folder that is missing gets one row with an empty path: GUFO_SKIP_IF_ABSENT.
inline void addModelRows(std::initializer_list<const char*> thirdParty) {
    QTest::addColumn<QString>("path");
    const auto add = [](const QStringList& paths) {
        for (const QString& path : paths) {
            QTest::newRow(qPrintable(path.section('/', -2))) << path;
        }
    };
    add(committedModels());
    for (const char* folder : thirdParty) {
        const QStringList paths = modelsIn(QStringLiteral(GUFO_SHARED_DIR "/thirdparty/") + folder);
        add(paths);
        if (paths.isEmpty()) {
            QTest::addRow("thirdparty/%s", folder) << QString();
        }
    }
}

} // namespace gufo::test

#define GUFO_SKIP_IF_ABSENT(path)                                                                                      \
    if ((path).isEmpty()) {                                                                                            \
        QSKIP("the files of other projects (../shared/thirdparty) are not here");                                      \
    }                                                                                                                  \
    static_cast<void>(0)
