// Verbs that use hubs: download, verify and update, and reading verbs with a name instead of a file.
#include "cli_runner.h"
#include "support/hub_double.h"
#include "support/test_unit.h"
#include "terminal.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <csignal>

using gufo::test::contentOf;
using gufo::test::FileFault;
using gufo::test::finish;
using gufo::test::HttpRequest;
using gufo::test::HubDouble;
using gufo::test::runCli;

namespace {

void write(const QString& path, const QByteArray& content) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
}

} // namespace

class TestCliHub : public QObject {
    Q_OBJECT

    QByteArray m_sample;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<HubDouble> m_hub;
    const QString m_name = QStringLiteral("hf.co/owl/night-GGUF");

    [[nodiscard]] QString local(const QString& name) const { return m_folder->filePath(name); }

private slots:
    void initTestCase() {
        m_sample = contentOf(QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf"));
        QVERIFY(!m_sample.isEmpty());
    }

    void init() {
        qunsetenv("HF_TOKEN");
        m_folder = std::make_unique<QTemporaryDir>();
        m_hub = std::make_unique<HubDouble>();
        m_hub->files = {{"night-F16.gguf", m_sample.toStdString()}, {"README.md", "# Night"}};
        m_hub->setEndpoints();
        qputenv("HF_HOME", m_folder->path().toLocal8Bit());
        qputenv("XDG_CACHE_HOME", local(QStringLiteral("cache")).toLocal8Bit());
    }
    void cleanup() { m_hub.reset(); }

    void aNameIsDownloaded() {
        const auto got = runCli({QStringLiteral("download"), QStringLiteral("owl/night-GGUF:f16"), QStringLiteral("-o"),
                                 m_folder->path(), QStringLiteral("--json")});
        QVERIFY2(got.code == 0, got.err.constData());
        QCOMPARE(contentOf(local(QStringLiteral("night-F16.gguf"))), m_sample);
        QCOMPARE(got.json()[QStringLiteral("commit")].toString(), QLatin1String(HubDouble::kCommit));
        const QJsonObject file = got.json()[QStringLiteral("files")].toArray()[0].toObject();
        QVERIFY(file[QStringLiteral("verified")].toBool());
        QCOMPARE(file[QStringLiteral("sha256")].toString().toStdString(), m_hub->digest("night-F16.gguf"));
        QCOMPARE(file[QStringLiteral("bytes")].toInteger(), m_sample.size());
        // A second call finds it, and another file of this name is not replaced.
        const QStringList again{QStringLiteral("download"), m_name, QStringLiteral("-o"), m_folder->path()};
        const auto there = runCli(again);
        QVERIFY2(there.code == 0 && there.out.contains("was there already"), there.out.constData());
        write(local(QStringLiteral("night-F16.gguf")), "mine");
        const auto refused = runCli(again);
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("--force"), refused.err.constData());
        QCOMPARE(contentOf(local(QStringLiteral("night-F16.gguf"))), "mine");
        QCOMPARE(runCli(again + QStringList{QStringLiteral("--force")}).code, 0);
        QCOMPARE(contentOf(local(QStringLiteral("night-F16.gguf"))), m_sample);
    }

    void anInterruptedDownloadIsResumed() {
        m_hub->pauseMs = 100;
        QProcess process;
        process.start(QStringLiteral(GUFO_CLI),
                      {QStringLiteral("download"), m_name, QStringLiteral("-o"), m_folder->path(),
                       QStringLiteral("--connections"), QStringLiteral("1")});
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(m_hub->sent > (128 << 10), 20'000);
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        const auto cancelled = finish(process);
        QCOMPARE(cancelled.code, 128 + SIGINT);
        QVERIFY(QFile::exists(local(QStringLiteral("night-F16.gguf.part"))));
        QVERIFY(!QFile::exists(local(QStringLiteral("night-F16.gguf"))));
        m_hub->pauseMs = 0;
        const auto got = runCli(
            {QStringLiteral("download"), m_name, QStringLiteral("-o"), m_folder->path(), QStringLiteral("--json")});
        QVERIFY2(got.code == 0, got.err.constData());
        const QJsonObject file = got.json()[QStringLiteral("files")].toArray()[0].toObject();
        QVERIFY(file[QStringLiteral("resumed_bytes")].toInteger() > 0);
        QCOMPARE(contentOf(local(QStringLiteral("night-F16.gguf"))), m_sample);
        QCOMPARE(QDir(m_folder->path()).entryList({QStringLiteral("*.part*")}, QDir::Files), QStringList());
    }

    void theRateIsShown() {
        m_hub->files["night-F16.gguf"] += std::string(4 << 20, 'x');
        m_hub->pauseMs = 50;
        gufo::test::Terminal terminal({QStringLiteral("download"), m_name, QStringLiteral("-o"), m_folder->path(),
                                       QStringLiteral("--connections"), QStringLiteral("1")});
        QVERIFY2(terminal.waitFor("iB/s"), terminal.shown().constData());
        QVERIFY2(!terminal.shown().contains("fetched"), terminal.shown().constData()); // it is not the last line
        m_hub->pauseMs = 0;
        QCOMPARE(terminal.end(), 0);
        // At the end, the line that was replaced each time is gone, and the mean rate is printed.
        const QByteArray last = terminal.shown().mid(terminal.shown().lastIndexOf("SHA-256"));
        QVERIFY2(last.contains("MiB fetched, ") && last.trimmed().endsWith("iB/s"), last.constData());
    }

    // An interrupted command ends at once, although the server would send for a long time, and changes nothing.
    void transfersAreCancelled_data() {
        QTest::addColumn<QStringList>("command"); // in front of the name
        QTest::addColumn<QStringList>("options");
        QTest::newRow("verify --quick") << QStringList{QStringLiteral("verify"), QStringLiteral("mine.gguf")}
                                        << QStringList{QStringLiteral("--quick")};
        QTest::newRow("set --header-from")
            << QStringList{QStringLiteral("set"), QStringLiteral("mine.gguf"), QStringLiteral("--header-from")}
            << QStringList();
    }
    void transfersAreCancelled() {
        QFETCH(QStringList, command);
        QFETCH(QStringList, options);
        m_hub->files["night-F16.gguf"] += std::string(20 << 20, 'x');
        const QByteArray mine = QByteArray::fromStdString(m_hub->files["night-F16.gguf"]);
        write(local(QStringLiteral("mine.gguf")), mine);
        command[1] = local(command[1]);
        m_hub->pauseMs = 1000; // after each 64 KiB
        QProcess process;
        process.start(QStringLiteral(GUFO_CLI), command + QStringList{m_name} + options);
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(m_hub->sent > 0, 20'000);
        const std::uint64_t sent = m_hub->sent;
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        const auto got = finish(process);
        QCOMPARE(got.code, 128 + SIGINT);
        QVERIFY2(got.out.isEmpty(), got.out.constData());
        QVERIFY2(m_hub->sent < sent + (1U << 20U), qPrintable(QString::number(m_hub->sent)));
        QVERIFY(contentOf(local(QStringLiteral("mine.gguf"))) == mine);
    }

    void faultsAreToldInOneLine_data() {
        QTest::addColumn<int>("fault");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("404 with HTML") << static_cast<int>(FileFault::NotFound) << QByteArray("Not here");
        QTest::newRow("redirect loop") << static_cast<int>(FileFault::Loop) << QByteArray("redirect");
        QTest::newRow("wrong bytes") << static_cast<int>(FileFault::WrongBytes) << QByteArray("SHA-256");
        QTest::newRow("wrong range") << static_cast<int>(FileFault::WrongRange) << QByteArray("another part");
    }
    void faultsAreToldInOneLine() {
        QFETCH(int, fault);
        QFETCH(QByteArray, words);
        m_hub->fault = static_cast<FileFault>(fault);
        const auto got = runCli({QStringLiteral("download"), m_name, QStringLiteral("-o"), m_folder->path(),
                                 QStringLiteral("--connections"), QStringLiteral("1")});
        QCOMPARE(got.code, 2);
        QCOMPARE(got.err.count('\n'), 1);
        QVERIFY2(got.err.contains(words), got.err.constData());
        QVERIFY(!QFile::exists(local(QStringLiteral("night-F16.gguf"))));
    }

    void whatIsNotThereIsTold() {
        const auto got = runCli({QStringLiteral("download"), m_name + QStringLiteral(":Q2_K")});
        QCOMPARE(got.code, 2);
        QVERIFY2(got.err.contains("Q2_K"), got.err.constData());
        QCOMPARE(runCli({QStringLiteral("download"), QStringLiteral("no-name")}).code, 2);
    }

    void filesAreVerified_data() {
        QTest::addColumn<int>("change"); // offset of a byte that differs; -1: none, -2: one byte is missing
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("verdict");
        const QStringList quick{QStringLiteral("--quick")};
        QTest::newRow("same") << -1 << QStringList() << QStringLiteral("same");
        QTest::newRow("same, quick") << -1 << quick << QStringLiteral("same_parts");
        QTest::newRow("tensor byte") << -3 << QStringList() << QStringLiteral("other_bytes");
        QTest::newRow("header byte, quick") << 100 << quick << QStringLiteral("other_bytes");
        QTest::newRow("shorter") << -2 << QStringList() << QStringLiteral("other_size");
        QTest::newRow("shorter, quick") << -2 << quick << QStringLiteral("other_size");
    }
    void filesAreVerified() {
        QFETCH(int, change);
        QFETCH(QStringList, options);
        QFETCH(QString, verdict);
        QByteArray content = m_sample;
        if (change >= 0 || change == -3) {
            const qsizetype at = change >= 0 ? change : content.size() - 1;
            content[at] = static_cast<char>(~content[at]);
        } else if (change == -2) {
            content.chop(1);
        }
        const QString file = local(QStringLiteral("mine.gguf"));
        write(file, content);
        const auto got =
            runCli(QStringList{QStringLiteral("verify"), file, m_name, QStringLiteral("--json")} + options);
        QVERIFY2(got.code == (verdict.startsWith(QLatin1String("same")) ? 0 : 1), got.err.constData());
        QCOMPARE(got.json()[QStringLiteral("files")].toArray()[0].toObject()[QStringLiteral("verdict")].toString(),
                 verdict);
        QCOMPARE(got.json()[QStringLiteral("same")].toBool(), change == -1);
    }

    void verifyingQuicklyFetchesLittle() {
        m_hub->files["night-F16.gguf"] += std::string(20 << 20, 'x');
        const QString file = local(QStringLiteral("mine.gguf"));
        write(file, QByteArray::fromStdString(m_hub->files["night-F16.gguf"]));
        const auto got = runCli({QStringLiteral("verify"), file, m_name, QStringLiteral("--quick")});
        QVERIFY2(got.code == 0, got.err.constData());
        QVERIFY2(m_hub->sent < (6U << 20U), qPrintable(QString::number(m_hub->sent)));
    }

    void theHeaderAloneIsUpdated() {
        // The newer version has another name, another key, lacks a key and has another order; its weights are the same.
        const QString newer = local(QStringLiteral("newer.gguf"));
        const auto edited =
            runCli({QStringLiteral("set"), QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf"),
                    QStringLiteral("general.name=Barn owl"), QStringLiteral("x.new=5"), QStringLiteral("--delete"),
                    QStringLiteral("general.license"), QStringLiteral("--no-reserve"), QStringLiteral("-o"), newer});
        QVERIFY2(edited.code == 0, edited.err.constData());
        m_hub->files = {{"night-F16.gguf", contentOf(newer).toStdString()}};
        const QString mine = local(QStringLiteral("mine.gguf"));
        write(mine, m_sample);
        const QStringList update{QStringLiteral("set"), mine, QStringLiteral("--header-from"), m_name,
                                 QStringLiteral("--no-reserve")};
        const auto dry = runCli(update + QStringList{QStringLiteral("--dry-run")});
        QVERIFY2(dry.code == 0 && dry.out.contains("Barn owl"), dry.out.constData());
        QCOMPARE(contentOf(mine), m_sample);
        const auto got = runCli(update + QStringList{QStringLiteral("--verify")});
        QVERIFY2(got.code == 0, got.err.constData());
        QVERIFY(contentOf(mine) == contentOf(newer)); // the file is the newer one, byte for byte
        const auto again = runCli(update);
        QVERIFY2(again.code == 0, again.err.constData());
        QCOMPARE(runCli({QStringLiteral("verify"), mine, m_name}).code, 0);
    }

    void otherTensorsAreNoHeaderUpdate_data() {
        QTest::addColumn<QStringList>("edit"); // of the newer version
        QTest::addColumn<bool>("changesWeights");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("renamed tensor") << QStringList{QStringLiteral("--rename-tensor"),
                                                       QStringLiteral("^output_norm.weight$=x")}
                                        << false << QByteArray("output_norm.weight");
        QTest::newRow("deleted tensor") << QStringList{QStringLiteral("--delete-tensor"),
                                                       QStringLiteral("output_norm.weight")}
                                        << false << QByteArray("on the server");
        QTest::newRow("other weights") << QStringList{QStringLiteral("general.name=x")} << true
                                       << QByteArray("weights");
    }
    void otherTensorsAreNoHeaderUpdate() {
        QFETCH(QStringList, edit);
        QFETCH(bool, changesWeights);
        QFETCH(QByteArray, words);
        const QString newer = local(QStringLiteral("newer.gguf"));
        const auto edited = runCli(QStringList{QStringLiteral("set"),
                                               QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf"),
                                               QStringLiteral("-o"), newer} +
                                   edit);
        QVERIFY2(edited.code == 0, edited.err.constData());
        std::string content = contentOf(newer).toStdString();
        if (changesWeights) {
            const auto info = runCli({QStringLiteral("info"), newer, QStringLiteral("--json")}).json();
            const qsizetype data = info[QStringLiteral("files")][0][QStringLiteral("data_offset")].toInteger();
            for (std::size_t i = static_cast<std::size_t>(data); i < content.size(); i += 1000) {
                content[i] = static_cast<char>(~content[i]);
            }
        }
        m_hub->files = {{"night-F16.gguf", content}};
        const QString mine = local(QStringLiteral("mine.gguf"));
        write(mine, m_sample);
        const auto got = runCli({QStringLiteral("set"), mine, QStringLiteral("--header-from"), m_name});
        QCOMPARE(got.code, 2);
        QVERIFY2(got.err.contains(words), got.err.constData());
        QCOMPARE(contentOf(mine), m_sample);
    }

    void namesStandForFilesInReadingVerbs() {
        const QString file = local(QStringLiteral("night-F16.gguf"));
        write(file, m_sample);
        const auto expected = runCli({QStringLiteral("get"), file, QStringLiteral("general.name")});
        for (const char* name : {"hf.co/owl/night-GGUF:F16", "hf.co/owl/night-GGUF/night-F16.gguf",
                                 "modelscope.cn/models/owl/night-GGUF"}) {
            const auto got = runCli({QStringLiteral("get"), QString::fromLatin1(name), QStringLiteral("general.name")});
            QVERIFY2(got.code == 0, got.err.constData());
            QCOMPARE(got.out, expected.out);
        }
        const auto refused = runCli({QStringLiteral("set"), m_name, QStringLiteral("general.name=x")});
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("takes no address"), refused.err.constData());
    }

    void tokensStayWithTheirHost_data() {
        QTest::addColumn<QByteArray>("source"); // of the token
        QTest::newRow("HF_TOKEN") << QByteArray("variable");
        QTest::newRow("token file") << QByteArray("file");
    }
    void tokensStayWithTheirHost() {
        QFETCH(QByteArray, source);
        if (source == "file") {
            write(local(QStringLiteral("token")), "hf_secret\n");
        } else {
            qputenv("HF_TOKEN", "hf_secret");
        }
        HubDouble storage; // another port, so another origin
        storage.files = m_hub->files;
        m_hub->redirectsTo = storage.url();
        const QStringList arguments{QStringLiteral("info"), m_name + QStringLiteral(":F16")};
        const auto got = runCli(arguments);
        QVERIFY2(got.code == 0, got.err.constData());
        const auto other = runCli({QStringLiteral("info"), QString::fromStdString(storage.url("/night-F16.gguf"))});
        QVERIFY2(other.code == 0, other.err.constData());
        QVERIFY(!m_hub->server().requests().empty() && !storage.server().requests().empty());
        for (const HttpRequest& request : m_hub->server().requests()) {
            QCOMPARE(request.header("authorization"), "Bearer hf_secret");
        }
        for (const HttpRequest& request : storage.server().requests()) {
            QCOMPARE(request.header("authorization"), "");
        }
        QVERIFY(!got.out.contains("secret") && !got.err.contains("secret"));
    }
};

GUFO_TEST(TestCliHub)
#include "tst_cli_hub.moc"
