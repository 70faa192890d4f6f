// Compares the prediction of `gufo-cli memory` with the memory that a run takes: the peak RssAnon of the process.
#include "cli/cli_runner.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace gufo::test;

namespace {

const QString kArchitectureFolder = QStringLiteral(GUFO_TEST_DATA "/architectures/");

qint64 anonymousOf(qint64 process) {
    QFile file(QStringLiteral("/proc/%1/status").arg(process));
    if (!file.open(QIODevice::ReadOnly)) {
        return 0;
    }
    for (const QByteArray& line : file.readAll().split('\n')) {
        if (line.startsWith("RssAnon:")) {
            return line.mid(8).trimmed().split(' ').first().toLongLong() * 1024;
        }
    }
    return 0;
}

// Returns the peak that was seen during the run.
qint64 mostAnonymous(const QStringList& arguments) {
    QProcess process;
    process.start(QStringLiteral(GUFO_CLI), arguments);
    qint64 maximum = 0;
    while (!process.waitForFinished(2)) {
        maximum = std::max(maximum, anonymousOf(process.processId()));
        if (process.state() == QProcess::NotRunning) {
            break;
        }
    }
    if (process.exitCode() != 0) {
        qWarning("%s", process.readAllStandardError().constData());
        return 0;
    }
    return maximum;
}

// `options` are passed to both commands.
void compare(const QString& model, const QStringList& options, const QStringList& ofMemory, const QStringList& run) {
    const CliResult memory = runCli(QStringList{"memory", model, "--json"} + options + ofMemory);
    QVERIFY2(memory.code == 0, memory.err.constData());
    const auto predicted = static_cast<double>(memory.json()["anonymous"].toInteger());
    double found = 0;
    for (int tries = 0; tries < 3 && found < predicted / 2; ++tries) { // the process may end before it is sampled
        found = static_cast<double>(mostAnonymous(run + options));
    }
    QVERIFY(found > 0);
    const double error = 100 * (predicted / found - 1);
    qInfo("predicted %.1f MiB, found %.1f MiB: %+.2f %%", predicted / 0x1p20, found / 0x1p20, error);
    // For stacks and the like, which matter only for tiny models. The attention kernels keep up to 64 blocks of
    // factors and other arrays on the stack of each thread, up to about 55 KB.
    constexpr double kSmall = 320 * 1024;
    QVERIFY2(std::abs(error) <= 5 || std::abs(predicted - found) <= kSmall, qPrintable(QString::number(error)));
}

} // namespace

class TestMemoryPrediction : public QObject {
    Q_OBJECT

private slots:
    void billion_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("512 tokens") << QStringList{"--context", "512"};
        QTest::newRow("512 tokens, small batch") << QStringList{"--context", "512", "--batch", "32"};
        QTest::newRow("4096 tokens, one thread") << QStringList{"--context", "4096", "--threads", "1"};
        QTest::newRow("2048 tokens, f32") << QStringList{"--context", "2048", "--kv", "f32"};
        QTest::newRow("2048 tokens, q8_0, 4 threads")
            << QStringList{"--context", "2048", "--kv", "q8_0", "--threads", "4"};
    }
    void billion() {
        QFETCH(QStringList, options);
        const QString model = m_folder.filePath("1b.gguf");
        if (!QFile::exists(model)) {
            QProcess maker;
            maker.start(QStringLiteral(GUFO_MAKE_MODEL), {model, "--shape", "llama-1b", "--type", "Q4_0", "--sparse"});
            const CliResult made = finish(maker);
            QVERIFY2(made.code == 0, made.err.constData());
        }
        compare(model, options, {}, {"generate", model, "-p", "a", "-n", "3", "--temp", "0", "--ignore-eos"});
    }

    void architectures_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"llama", "gemma2", "gemma3", "deepseek2", "deepseek2-lite", "deepseek32", "qwen3moe",
                                 "mamba", "rwkv6", "qwen35", "nemotron_h_moe"}) {
            QTest::newRow(name) << name;
        }
    }
    void architectures() {
        QFETCH(QString, name);
        const QString model = kArchitectureFolder + name + ".gguf";
        // bench reserves a context for all of its tokens and one more.
        compare(model, {}, {"--context", "8192"}, {"bench", model, "-d", "8000", "-p", "150", "-n", "41"});
    }

    void encoders_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"modern-bert", "gemma-embedding", "jina-bert-v2", "nomic-bert-moe"}) {
            QTest::newRow(name) << name;
        }
    }
    // The whole text is one batch.
    void encoders() {
        QFETCH(QString, name);
        const QString model = QStringLiteral(GUFO_TEST_DATA "/encoders/") + name + ".gguf";
        QStringList ids;
        for (int i = 0; i < 4'000; ++i) {
            ids << QString::number(i % 200);
        }
        compare(model, {"--context", "4000"}, {},
                {"embed", model, "--tokens", ids.join(','), "-o", m_folder.filePath("out.npy"), "--force"});
    }

private:
    QTemporaryDir m_folder;
};

GUFO_TEST(TestMemoryPrediction)
#include "tst_memory_prediction.moc"
