// The template that the authors of a base model published: where it is looked for, and what else servers can send.
#include "base/detail.h"
#include "hub/repository.h"
#include "net/model_address.h"
#include "support/hub_double.h"
#include "support/test_unit.h"

using namespace gufo;
using namespace gufo::hub;
using gufo::test::HttpDouble;
using gufo::test::HttpPeer;
using gufo::test::HttpRequest;
using gufo::test::HubDouble;

class TestBaseTemplate : public QObject {
    Q_OBJECT

    net::Client m_client;

private slots:
    void init() {
        HubDouble::unsetEndpoints();
        qunsetenv("HF_TOKEN");
    }

    void isFound_data() {
        QTest::addColumn<QByteArray>("jinja");    // chat_template.jinja; empty: there is none
        QTest::addColumn<QByteArray>("config");   // tokenizer_config.json
        QTest::addColumn<QByteArray>("expected"); // empty: nothing
        const auto row = [](const char* name, const char* jinja, const char* config, const char* expected) {
            QTest::newRow(name) << QByteArray(jinja) << QByteArray(config) << QByteArray(expected);
        };
        row("a file of its own", "{{ a }}\n", "", "{{ a }}\n");
        row("the file comes first", "{{ a }}", R"({"chat_template": "{{ b }}"})", "{{ a }}");
        row("in the configuration", "", R"({"bos_token": "<s>", "chat_template": "{{ '\u00e9' }}"})",
            "{{ '\xc3\xa9' }}");
        row("the default of several", "",
            R"({"chat_template": [{"name": "rag", "template": "r"}, {"name": "default", "template": "d"}]})", "d");
        row("no default", "", R"({"chat_template": [{"name": "rag", "template": "r"}]})", "");
        row("entries without a text", "", R"({"chat_template": [{"name": "default"}, 3, null]})", "");
        row("not a text", "", R"({"chat_template": 7})", "");
        row("none in the configuration", "", R"({"bos_token": "<s>"})", "");
        row("neither file", "", "", "");
    }
    void isFound() {
        QFETCH(QByteArray, jinja);
        QFETCH(QByteArray, config);
        QFETCH(QByteArray, expected);
        HubDouble hub;
        if (!jinja.isEmpty()) {
            hub.baseFiles["chat_template.jinja"] = jinja.toStdString();
        }
        if (!config.isEmpty()) {
            hub.baseFiles["tokenizer_config.json"] = config.toStdString();
        }
        hub.setEndpoints();
        for (const net::Hub which : {net::Hub::HuggingFace, net::Hub::ModelScope}) {
            const auto found = publishedTemplate(m_client, which, "owl/night");
            QVERIFY(found.has_value());
            QCOMPARE(found->has_value(), !expected.isEmpty());
            QCOMPARE(found->value_or(""), expected.toStdString());
        }
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("status");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("code");
        QTest::newRow("gated") << QByteArray("401 Unauthorized") << QByteArray(R"({"error": "gated"})")
                               << int(ErrorCode::HttpStatus);
        QTest::newRow("busy") << QByteArray("503 Busy") << QByteArray("<h1>Later</h1>") << int(ErrorCode::HttpStatus);
        QTest::newRow("a page instead of JSON")
            << QByteArray("200 OK") << QByteArray("<html></html>") << int(ErrorCode::ReplyUnusable);
        QTest::newRow("longer than any") << QByteArray("200 OK") << QByteArray((16 << 20) + 1, ' ')
                                         << int(ErrorCode::ReplyUnusable);
    }
    void refuses() {
        QFETCH(QByteArray, status);
        QFETCH(QByteArray, body);
        QFETCH(int, code);
        const HttpDouble server([&](const HttpRequest& request, HttpPeer& peer) {
            const bool isConfig = request.path.ends_with("/tokenizer_config.json");
            const QByteArray line = isConfig ? status : QByteArray("404 Not Found");
            const QByteArray sent = isConfig ? body : QByteArray();
            peer.send(
                ("HTTP/1.1 " + line + "\r\nContent-Length: " + QByteArray::number(sent.size()) + "\r\n\r\n" + sent)
                    .toStdString());
        });
        qputenv("HF_ENDPOINT", QByteArray::fromStdString(server.url("")));
        const auto found = publishedTemplate(m_client, net::Hub::HuggingFace, "owl/night");
        QVERIFY(!found.has_value());
        QCOMPARE(int(found.error().code), code);
        QVERIFY(found.error().file.native().ends_with("/owl/night/resolve/main/tokenizer_config.json"));
    }

    void isCancelled() {
        HttpDouble server([](const HttpRequest&, HttpPeer& peer) { peer.pause(std::chrono::seconds(30)); });
        qputenv("HF_ENDPOINT", QByteArray::fromStdString(server.url("")));
        std::stop_source stop;
        const std::jthread canceller([&] {
            while (server.requests().empty()) {
                std::this_thread::yield();
            }
            stop.request_stop();
        });
        const auto found = publishedTemplate(m_client, net::Hub::HuggingFace, "owl/night", {.stop = stop.get_token()});
        QVERIFY(!found.has_value());
        QCOMPARE(found.error().code, ErrorCode::Cancelled);
    }
};

GUFO_TEST(TestBaseTemplate)
#include "tst_base_template.moc"
