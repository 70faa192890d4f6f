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

using gufo::test::contentOf;
using gufo::test::HttpDouble;
using gufo::test::HttpPeer;
using gufo::test::HttpRequest;
using gufo::test::runCli;

namespace {} // namespace

class TestCliAddresses : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::map<std::string, std::string> m_files; // by the path on the server
    std::unique_ptr<HttpDouble> m_server;
    std::atomic<std::uint64_t> m_sent = 0;

    void serve(const HttpRequest& request, HttpPeer& peer) {
        const auto found = m_files.find(request.path);
        if (found == m_files.end()) {
            peer.send("HTTP/1.1 404 No\r\nContent-Length: 38\r\n\r\n<html><title>Not here</title></html>\r\n");
            return;
        }
        const std::string& file = found->second;
        unsigned long long first = 0;
        unsigned long long last = 0;
        std::sscanf(request.header("range").c_str(), "bytes=%llu-%llu", &first, &last);
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
        qputenv("XDG_CACHE_HOME", local(QStringLiteral("cache")).toUtf8());
        // The sample model, and the same in shards.
        QFile::copy(QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf"),
                    local(QStringLiteral("m.gguf")));
        const auto made = runCli({QStringLiteral("split"), local(QStringLiteral("m.gguf")), local(QStringLiteral("s")),
                                  QStringLiteral("--max-tensors"), QStringLiteral("20")});
        QVERIFY2(made.code == 0, made.err.constData());
        for (const QString& name : QDir(m_folder.path()).entryList(QDir::Files)) {
            m_files["/" + name.toStdString()] = contentOf(local(name)).toStdString();
        }
        QVERIFY(m_files.size() > 2);
        const std::string header =
            R"({"a.weight":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"__metadata__":{"format":"pt"}})";
        std::string safetensors(8, '\0');
        safetensors[0] = static_cast<char>(header.size());
        safetensors += header + std::string(24, '\1');
        m_files["/z.safetensors"] = safetensors;
        QFile file(local(QStringLiteral("z.safetensors")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(safetensors.data(), 8 + 24 + qint64(header.size())) > 0);
        m_server =
            std::make_unique<HttpDouble>([this](const HttpRequest& request, HttpPeer& peer) { serve(request, peer); });
    }

    void readingVerbsAnswerAsForTheFile_data() {
        QTest::addColumn<QStringList>("before");
        QTest::addColumn<QStringList>("behind");
        const auto row = [](const char* verb, const QStringList& behind = {}) {
            QTest::newRow(verb) << QStringList{QString::fromLatin1(verb)} << behind;
        };
        row("info");
        row("render", {QStringLiteral("--messages"), QStringLiteral(R"([{"role": "user", "content": "Hello"}])")});
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

    void valuesOfATensorAreDumped_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("tensor");
        QTest::addColumn<QString>("format");
        const QString gguf = QStringLiteral("m.gguf");
        QTest::newRow("npy") << gguf << QStringLiteral("output_norm.weight") << QStringLiteral("npy");
        QTest::newRow("csv") << gguf << QStringLiteral("output_norm.weight") << QStringLiteral("csv");
        QTest::newRow("raw") << gguf << QStringLiteral("token_embd.weight") << QStringLiteral("raw");
        QTest::newRow("safetensors") << QStringLiteral("z.safetensors") << QStringLiteral("a.weight")
                                     << QStringLiteral("f32");
    }
    void valuesOfATensorAreDumped() {
        QFETCH(QString, file);
        QFETCH(QString, tensor);
        QFETCH(QString, format);
        const auto dump = [&](const QString& model, const QString& out) {
            return runCli({QStringLiteral("dump"), model, tensor, QStringLiteral("-o"), out, QStringLiteral("--force"),
                           QStringLiteral("--format"), format});
        };
        const QString expected = local(QStringLiteral("expected"));
        const QString out = local(QStringLiteral("out"));
        QCOMPARE(dump(local(file), expected).code, 0);
        const auto got = dump(url(qPrintable(QStringLiteral("/") + file)), out);
        QVERIFY2(got.code == 0, got.err.constData());
        QVERIFY(!contentOf(out).isEmpty());
        QVERIFY(contentOf(out) == contentOf(expected));
    }

    void safetensorsAreReadByAddress() {
        for (const char* verb : {"info", "stats", "validate"}) {
            const QString name = QString::fromLatin1(verb);
            const auto expected = runCli({name, local(QStringLiteral("z.safetensors")), QStringLiteral("--json")});
            const auto got = runCli({name, url("/z.safetensors"), QStringLiteral("--json")});
            QVERIFY2(got.code == expected.code && got.code >= 0, got.err.constData());
            QByteArray text = got.out;
            text.replace(url("/z.safetensors").toUtf8(), local(QStringLiteral("z.safetensors")).toUtf8());
            QCOMPARE(text, expected.out);
        }
    }

    // Nothing is sent for a name that may be a mistyped path, but the message says how to write the address.
    void namesOfRepositoriesAreExplained() {
        for (const char* verb : {"info", "stats", "validate"}) {
            const auto got = runCli({QString::fromLatin1(verb), QStringLiteral("owl/night:Q4_K_M")});
            QCOMPARE(got.code, 2);
            QVERIFY2(got.err.contains("write hf.co/owl/night:Q4_K_M."), got.err.constData());
        }
        const auto compared =
            runCli({QStringLiteral("compare"), local(QStringLiteral("m.gguf")), QStringLiteral("owl/night")});
        QVERIFY2(compared.err.contains("write hf.co/owl/night."), compared.err.constData());
        for (const char* path : {"owl/night.gguf", "folder/owl/night", "night"}) {
            const auto got = runCli({QStringLiteral("info"), QString::fromLatin1(path)});
            QVERIFY2(got.code == 2 && !got.err.contains("hf.co"), got.err.constData());
        }
    }

    void theFileEqualsItself() {
        const auto compared = runCli({QStringLiteral("compare"), local(QStringLiteral("m.gguf")), url("/m.gguf")});
        QVERIFY2(compared.code == 0, compared.err.constData());
    }

    void onlyTheHeaderIsFetched() {
        m_sent = 0;
        const std::size_t asked = m_server->requests().size();
        QCOMPARE(runCli({QStringLiteral("info"), url("/m.gguf")}).code, 0);
        QVERIFY(m_server->requests().size() - asked <= 3);
        const auto info = runCli({QStringLiteral("info"), local(QStringLiteral("m.gguf")), QStringLiteral("--json")});
        const auto header = info.json()[QStringLiteral("files")][0][QStringLiteral("data_offset")].toInteger();
        QVERIFY(header > 0);
        QVERIFY2(m_sent <= static_cast<std::uint64_t>(header) + (64 << 10), qPrintable(QString::number(m_sent)));
        // The second time, the header comes from the cache.
        m_sent = 0;
        QCOMPARE(runCli({QStringLiteral("info"), url("/m.gguf")}).code, 0);
        QCOMPARE(m_sent.load(), 64U << 10U);
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
        QVERIFY2(got.err.contains("192.0.2.1") && got.err.contains("GUFO_PLAIN_HOSTS"), got.err.constData());
    }

    void otherSchemesAreRefused() {
        for (const char* address : {"ftp://192.0.2.1/m.gguf", "file:///etc/passwd", "smb://nas/m.gguf"}) {
            const auto got = runCli({QStringLiteral("info"), QString::fromLatin1(address)});
            QCOMPARE(got.code, 2);
            QVERIFY2(got.err.contains(address) && got.err.contains("scheme"), got.err.constData());
            QCOMPARE(got.err.count('\n'), 1);
        }
    }

    // 0.0.0.0 reaches this computer, but the rules do not know that.
    void plainHttpCanBeAllowed() {
        const QString address = QString::fromStdString(m_server->url("/m.gguf", "0.0.0.0"));
        QCOMPARE(runCli({QStringLiteral("info"), address}).code, 2);
        qputenv("GUFO_PLAIN_HOSTS", "nas.example, 0.0.0.0");
        const auto got = runCli({QStringLiteral("info"), address});
        qunsetenv("GUFO_PLAIN_HOSTS");
        QVERIFY2(got.code == 0, got.err.constData());
    }

    void verbsThatNeedTheFileRefuse_data() {
        QTest::addColumn<QStringList>("arguments");
        const auto row = [](const QStringList& arguments) {
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
        const std::size_t asked = m_server->requests().size();
        const auto got = runCli(arguments);
        QCOMPARE(got.code, 2);
        QVERIFY2(got.err.contains("takes no address"), got.err.constData());
        QCOMPARE(m_server->requests().size(), asked); // nothing is sent
        QVERIFY(!QFile::exists(local(QStringLiteral("out.gguf"))));
    }

    void cleanupTestCase() { m_server.reset(); }
};

GUFO_TEST(TestCliAddresses)
#include "tst_cli_addresses.moc"
