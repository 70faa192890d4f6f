// Verbs whose model is on a server: the same answers as for the file, few bytes, and a clear refusal where a verb needs
// the whole file.
#include "cli_runner.h"
#include "support/http_double.h"
#include "support/test_unit.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <cstdio>
#include <map>

using gufo::test::HttpAsk;
using gufo::test::HttpDouble;
using gufo::test::HttpPeer;
using gufo::test::runCli;

namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestCliAddresses : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::map<std::string, std::string> m_files; // by the path on the server
    std::unique_ptr<HttpDouble> m_server;
    std::atomic<std::uint64_t> m_sent = 0;

    void serve(const HttpAsk& ask, HttpPeer& peer) {
        const auto found = m_files.find(ask.path);
        if (found == m_files.end()) {
            peer.send("HTTP/1.1 404 No\r\nContent-Length: 38\r\n\r\n<html><title>Not here</title></html>\r\n");
            return;
        }
        const std::string& file = found->second;
        unsigned long long first = 0;
        unsigned long long last = 0;
        std::sscanf(ask.header("range").c_str(), "bytes=%llu-%llu", &first, &last);
        const std::string body = file.substr(first, last - first + 1);
        m_sent += body.size();
        peer.send("HTTP/1.1 206 Part\r\nETag: \"1\"\r\nContent-Length: " + std::to_string(body.size()) +
                  "\r\nContent-Range: bytes " + std::to_string(first) + '-' + std::to_string(first + body.size() - 1) +
                  '/' + std::to_string(file.size()) + "\r\n\r\n" + body);
    }
    [[nodiscard]] QString url(const char* path) const { return QString::fromStdString(m_server->url(path)); }
    [[nodiscard]] QString local(const QString& name) const { return m_folder.filePath(name); }

private slots:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        // The sample model, and the same in shards.
        QFile::copy(QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-F16.gguf"), local(QStringLiteral("m.gguf")));
        const auto made = runCli({QStringLiteral("split"), local(QStringLiteral("m.gguf")), local(QStringLiteral("s")),
                                  QStringLiteral("--max-tensors"), QStringLiteral("20")});
        QVERIFY2(made.code == 0, made.err.constData());
        for (const QString& name : QDir(m_folder.path()).entryList(QDir::Files)) {
            m_files["/" + name.toStdString()] = contentOf(local(name)).toStdString();
        }
        QVERIFY(m_files.size() > 2);
        m_server = std::make_unique<HttpDouble>([this](const HttpAsk& ask, HttpPeer& peer) { serve(ask, peer); });
    }

    void readingVerbsAnswerAsForTheFile_data() {
        QTest::addColumn<QStringList>("before");
        QTest::addColumn<QStringList>("behind");
        const auto row = [](const char* verb, const QStringList& behind = {}) {
            QTest::newRow(verb) << QStringList{QString::fromLatin1(verb)} << behind;
        };
        row("info");
        row("get", {QStringLiteral("general.architecture")});
        row("validate");
        row("stats", {QStringLiteral("output_norm.weight")});
        row("tokenize", {QStringLiteral("An owl sees in the dark.")});
        row("detokenize", {QStringLiteral("1,2,3")});
    }
    void readingVerbsAnswerAsForTheFile() {
        QFETCH(QStringList, before);
        QFETCH(QStringList, behind);
        const QStringList json{QStringLiteral("--json")};
        const QString file = local(QStringLiteral("m.gguf"));
        const auto expected = runCli(before + QStringList{file} + behind + json);
        const auto got = runCli(before + QStringList{url("/m.gguf")} + behind + json);
        QVERIFY2(got.code == expected.code && got.code >= 0, got.err.constData());
        QByteArray text = got.out;
        text.replace(url("/m.gguf").toUtf8(), file.toUtf8());
        QCOMPARE(text, expected.out);
    }

    void theFileEqualsItself() {
        const auto compared = runCli({QStringLiteral("compare"), local(QStringLiteral("m.gguf")), url("/m.gguf")});
        QVERIFY2(compared.code == 0, compared.err.constData());
    }

    void onlyTheHeaderIsFetched() {
        m_sent = 0;
        const std::size_t asked = m_server->asks().size();
        QCOMPARE(runCli({QStringLiteral("info"), url("/m.gguf")}).code, 0);
        QVERIFY(m_server->asks().size() - asked <= 3);
        QVERIFY2(m_sent <= (1 << 20) + (128 << 10), qPrintable(QString::number(m_sent)));
    }

    void shardsAreOneModel() {
        const QString first = QString::fromStdString(std::next(m_files.find("/m.gguf"))->first);
        const auto whole = runCli({QStringLiteral("info"), url("/m.gguf"), QStringLiteral("--json")});
        const auto shards = runCli({QStringLiteral("info"), url(first.toUtf8().constData()), QStringLiteral("--json")});
        QVERIFY2(shards.code == 0, shards.err.constData());
        QCOMPARE(shards.json()[QStringLiteral("tensors")].toArray().size(),
                 whole.json()[QStringLiteral("tensors")].toArray().size());
    }

    void serversErrorsAreToldInOneLine() {
        const auto got = runCli({QStringLiteral("info"), url("/missing.gguf?Signature=secret")});
        QCOMPARE(got.code, 2);
        QVERIFY2(got.err.contains("404") && got.err.contains("Not here"), got.err.constData());
        QVERIFY(!got.err.contains("secret"));
        QCOMPARE(got.err.count('\n'), 1);
    }

    void plainHttpIsRefused() {
        const auto got = runCli({QStringLiteral("info"), QStringLiteral("http://192.0.2.1/m.gguf")});
        QCOMPARE(got.code, 2);
        QVERIFY2(got.err.contains("192.0.2.1"), got.err.constData());
    }

    void verbsThatNeedTheFileRefuse_data() {
        QTest::addColumn<QStringList>("arguments");
        const auto row = [this](const QStringList& arguments) {
            QTest::newRow(qPrintable(arguments.front())) << arguments;
        };
        const QString model = url("/m.gguf");
        const QString out = local(QStringLiteral("out.gguf"));
        row({QStringLiteral("set"), model, QStringLiteral("general.name=x")});
        row({QStringLiteral("set"), model, QStringLiteral("general.name=x"), QStringLiteral("-o"), out});
        row({QStringLiteral("split"), model, out});
        row({QStringLiteral("merge"), model, out});
        row({QStringLiteral("convert"), model, out});
        row({QStringLiteral("quantize"), model, out, QStringLiteral("Q8_0")});
        row({QStringLiteral("recover"), model});
        row({QStringLiteral("generate"), model, QStringLiteral("-p"), QStringLiteral("x")});
        row({QStringLiteral("bench"), model});
    }
    void verbsThatNeedTheFileRefuse() {
        QFETCH(QStringList, arguments);
        const std::size_t asked = m_server->asks().size();
        const auto got = runCli(arguments);
        QCOMPARE(got.code, 2);
        QVERIFY2(got.err.contains("takes no address"), got.err.constData());
        QCOMPARE(m_server->asks().size(), asked); // nothing is sent
        QVERIFY(!QFile::exists(local(QStringLiteral("out.gguf"))));
    }

    void cleanupTestCase() { m_server.reset(); }
};

GUFO_TEST(TestCliAddresses)
#include "tst_cli_addresses.moc"
