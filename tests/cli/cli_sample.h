// The model that several tests of the console program read: it contains something of everything.
#pragma once

#include "cli_model.h"
#include "cli_runner.h"
#include "test_paths.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <limits>

namespace gufo::test {

class CliSampleTest : public QObject {
protected:
    void makeModel();
    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    [[nodiscard]] QString sparse();

    QTemporaryDir m_folder;
    QString m_model;
    std::vector<float> m_weights = waves(64 * 20);
};

inline void CliSampleTest::makeModel() {
    QVERIFY(m_folder.isValid());
    m_model = path("model.gguf");
    GgufBuilder file;
    file.key("general.architecture", "llama")
        .key("general.name", "Owl")
        .key("x.u64", std::numeric_limits<std::uint64_t>::max())
        .key("x.i64", std::numeric_limits<std::int64_t>::min())
        .key("x.u8", std::uint8_t{200})
        .key("x.f32", 0.1F)
        .key("x.f64", 0.1)
        .key("x.whole", 3.0F)
        .key("x.nan", std::numeric_limits<float>::quiet_NaN())
        .key("x.bool", true)
        .key("x.text", "first\nsecond \\ \"third\"\t\x01")
        .key("x.bytes", "a\xFF")
        .key("x.numbers", std::vector<std::int32_t>{1, -2, 3, 4, 5, 6, 7, 8, 9, 10})
        .key("x.tokens", std::vector<std::string>{"a", "\n", "\\n", "b\xFE", "ü"})
        .key("x.nested", std::vector<std::vector<std::uint16_t>>{{1, 2}, {}, {3}})
        .key("x.empty", std::vector<float>{});
    addTensors(file, m_weights).write(m_model.toStdString());
}

// A sparse file of 20 GB, created once.
inline QString CliSampleTest::sparse() {
    const QString file = path("sparse.gguf");
    if (!QFile::exists(file)) {
        QProcess maker;
        maker.start(QStringLiteral(GUFO_MAKE_MODEL),
                    {file, QStringLiteral("--shape"), QStringLiteral("header-5k"), QStringLiteral("--type"),
                     QStringLiteral("F16"), QStringLiteral("--sparse")});
        const CliResult made = finish(maker);
        if (made.code != 0) {
            qWarning("%s", made.err.constData());
        }
    }
    return file;
}

} // namespace gufo::test
