// The HTTP client against a server that breaks the rules: each fault has its own error, nothing hangs, and no byte is
// delivered that is not the server's.
#include "base/detail.h"
#include "net/http.h"
#include "support/error_names.h"
#include "support/http_double.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QFile>

using namespace gufo;
using namespace gufo::net;
using namespace std::chrono_literals;
using gufo::test::errorWithDetails;
using gufo::test::HttpDouble;
using gufo::test::HttpPeer;
using gufo::test::HttpRequest;

namespace {

std::string ok(std::string_view body, std::string_view headers = {}) {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + std::string(headers) +
           "\r\n" + std::string(body);
}

struct Got {
    Result<Reply> reply;
    std::string body;
};

Got get(const Request& request, const JobContext& job = {}) {
    std::string body;
    Client client;
    auto reply = client.send(request, {.body = [&](Bytes piece) -> Result<> {
                                 body.append(reinterpret_cast<const char*>(piece.data()), piece.size());
                                 return {};
                             }},
                             job);
    return {std::move(reply), std::move(body)};
}

} // namespace

class TestHttp : public QObject {
    Q_OBJECT
private slots:
    void faults_data() {
        QTest::addColumn<QByteArray>("reply"); // raw; the connection is closed behind it
        QTest::addColumn<QString>("fault");
        QTest::addColumn<int>("received"); // at most so many bytes of a body
        const auto row = [](const char* name, const QByteArray& reply, const char* fault, int received = 0) {
            QTest::newRow(name) << reply << QString::fromLatin1(fault) << received;
        };
        row("nothing", "", "connection_failed connection_closed");
        row("not HTTP", "220 mail.example ESMTP\r\n", "connection_failed connection_closed");
        row("short body", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc", "reply_unusable reply_cut", 3);
        row("40 GB claimed", "HTTP/1.1 200 OK\r\nContent-Length: 42949672960\r\n\r\nabc", "reply_unusable reply_cut",
            3);
        row("gzip", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
            "reply_unusable reply_encoded");
        row("longer than allowed", QByteArray::fromStdString(ok(std::string(1000, 'x'))),
            "reply_unusable reply_too_long");
        row("redirect to a file", "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
            "address_refused scheme_refused");
        row("redirect to plain http",
            "HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/m.gguf\r\nContent-Length: 0\r\n\r\n",
            "address_refused redirect_unencrypted");
        row("redirect with a password",
            "HTTP/1.1 302 Found\r\nLocation: https://a:b@192.0.2.1/m.gguf\r\nContent-Length: 0\r\n\r\n",
            "address_refused address_with_password");
    }
    void faults() {
        QFETCH(QByteArray, reply);
        QFETCH(QString, fault);
        QFETCH(int, received);
        HttpDouble server([&](const HttpRequest&, HttpPeer& peer) {
            peer.send(reply.toStdString());
            peer.close();
        });
        const Got got = get({.url = server.url("/m.gguf?secret=1"), .maxBytes = 500});
        QVERIFY(!got.reply);
        QCOMPARE(errorWithDetails(got.reply.error()), fault.toStdString());
        QVERIFY(got.body.size() <= static_cast<std::size_t>(received));
        QVERIFY(got.reply.error().file.native().find("secret") == std::string::npos);
    }

    void statusesAndTheirWords_data() {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("words");
        QTest::newRow("html") << 404 << QByteArray("<html><head><title>Not\nhere</title></head><body>x</body></html>")
                              << QStringLiteral("Not here");
        QTest::newRow("json") << 401 << QByteArray(R"({"error":"Log in first"})") << QStringLiteral("Log in first");
        QTest::newRow("nested json") << 500 << QByteArray(R"({"error":{"code":500,"message":"Full"}})")
                                     << QStringLiteral("Full");
        QTest::newRow("text") << 503 << QByteArray("Loading") << QStringLiteral("Loading");
        QTest::newRow("nothing") << 416 << QByteArray() << QString();
        QTest::newRow("megabytes") << 500 << QByteArray(3 << 20, 'x') << QString(200, QLatin1Char('x'));
    }
    void statusesAndTheirWords() {
        QFETCH(int, status);
        QFETCH(QByteArray, body);
        QFETCH(QString, words);
        HttpDouble server([&](const HttpRequest&, HttpPeer& peer) {
            peer.send("HTTP/1.1 " + std::to_string(status) + " No\r\nContent-Type: text/html\r\nContent-Length: " +
                      std::to_string(body.size()) + "\r\n\r\n" + body.toStdString());
        });
        const Got got = get({.url = server.url("/")});
        QVERIFY2(got.reply.has_value(), got.reply ? "" : errorWithDetails(got.reply.error()).c_str());
        QCOMPARE(got.reply->status, status);
        QVERIFY(got.body.empty()); // the text of an error is never taken for the file
        const auto refused = requireSuccess(*got.reply);
        QVERIFY(!refused);
        QCOMPARE(refused.error().args[1].text(), words.toStdString());
    }

    void piecesArriveAsTheyAreSent() {
        std::promise<void> firstReceived;
        auto isReceived = firstReceived.get_future().share();
        bool inTime = false;
        HttpDouble server([&](const HttpRequest&, HttpPeer& peer) {
            peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\ndata: \r\n");
            inTime = isReceived.wait_for(20s) == std::future_status::ready; // the second piece needs the first
            peer.send("3\r\none\r\n0\r\n\r\n");
        });
        std::string body;
        int pieces = 0;
        Client client;
        const auto reply = client.send({.url = server.url("/")}, {.body = [&](Bytes piece) -> Result<> {
                                           body.append(reinterpret_cast<const char*>(piece.data()), piece.size());
                                           if (++pieces == 1) {
                                               firstReceived.set_value();
                                           }
                                           return {};
                                       }});
        QVERIFY(reply.has_value());
        QVERIFY(inTime);
        QCOMPARE(body, std::string("data: one"));
        QCOMPARE(pieces, 2);
    }

    void largeBodiesArriveWhole() {
        std::string body(40 << 20, '\0'); // more than the queue and Qt's buffer hold
        for (std::size_t i = 0; i < body.size(); ++i) {
            body[i] = static_cast<char>(i * 2654435761U >> 24U);
        }
        HttpDouble server([&](const HttpRequest&, HttpPeer& peer) { peer.send(ok(body)); });
        const Got got = get({.url = server.url("/")});
        QVERIFY(got.reply.has_value());
        QVERIFY(got.body == body);
    }

    void posts() {
        HttpDouble server(
            [](const HttpRequest& request, HttpPeer& peer) { peer.send(ok(request.method + request.body)); });
        const Got got = get({.method = Method::Post,
                             .url = server.url("/"),
                             .headers = {{"Content-Type", "application/json"}},
                             .body = "{}"});
        QVERIFY(got.reply.has_value());
        QCOMPARE(got.body, std::string("POST{}"));
    }

    void postsAreNotRedirected() {
        HttpDouble server([](const HttpRequest&, HttpPeer& peer) {
            peer.send("HTTP/1.1 307 There\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n");
        });
        const Got got = get({.method = Method::Post,
                             .url = server.url("/"),
                             .headers = {{"Content-Type", "application/json"}},
                             .body = "{}"});
        QVERIFY(got.reply.has_value());
        QCOMPARE(got.reply->status, 307);
        QCOMPARE(server.requests().size(), std::size_t(1));
    }

    void headAsksOnlyForHeaders() {
        HttpDouble server([](const HttpRequest&, HttpPeer& peer) {
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nETag: \"a\"\r\n\r\n");
        });
        const Got got = get({.method = Method::Head, .url = server.url("/")});
        QVERIFY(got.reply.has_value());
        QCOMPARE(got.reply->header("etag"), std::string_view("\"a\""));
        QCOMPARE(server.requests().at(0).method, std::string("HEAD"));
    }

    void redirectLoopsEnd() {
        HttpDouble server([](const HttpRequest& request, HttpPeer& peer) {
            peer.send("HTTP/1.1 302 Found\r\nLocation: " + request.path + "x\r\nContent-Length: 0\r\n\r\n");
        });
        const Got got = get({.url = server.url("/a")});
        QVERIFY(!got.reply);
        QCOMPARE(errorWithDetails(got.reply.error()), std::string("address_refused redirect_limit"));
        QCOMPARE(server.requests().size(), std::size_t(kMaxRedirects + 1));
    }

    // "localhost" and 127.0.0.1 are different hosts, as far as tokens are concerned; so are two ports.
    void tokensStayWithTheirHost() {
        HttpDouble other([](const HttpRequest&, HttpPeer& peer) { peer.send(ok("other")); });
        HttpDouble server([&](const HttpRequest& request, HttpPeer& peer) {
            const std::string to = request.path == "/same" ? "/end" : other.url("/end");
            peer.send(request.path == "/end"
                          ? ok("same")
                          : "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + to + "\r\n\r\n");
        });
        const Secret token(std::string("word"));
        QVERIFY(get({.url = server.url("/same"), .token = token}).reply.has_value());
        QCOMPARE(server.requests().at(0).header("authorization"), std::string("Bearer word"));
        QCOMPARE(server.requests().at(1).header("authorization"), std::string("Bearer word"));
        const Got got = get({.url = server.url("/other"), .headers = {{"Range", "bytes=0-1"}}, .token = token});
        QCOMPARE(got.body, std::string("other"));
        QCOMPARE(got.reply->url, other.url("/end"));
        QCOMPARE(other.requests().at(0).header("authorization"), std::string());
        QCOMPARE(other.requests().at(0).header("range"), std::string("bytes=0-1"));
    }

    void cookiesAreNotKept() {
        HttpDouble server([](const HttpRequest&, HttpPeer& peer) { peer.send(ok("x", "Set-Cookie: id=1\r\n")); });
        Client client;
        QVERIFY(client.send({.url = server.url("/")}, {}).has_value());
        QVERIFY(client.send({.url = server.url("/")}, {}).has_value());
        QCOMPARE(server.requests().at(1).header("cookie"), std::string());
        QCOMPARE(server.requests().at(1).header("accept-encoding"), std::string("identity"));
        QCOMPARE(server.maxConnections(), 1); // the connection was kept
    }

    void silenceAndDripsEnd_data() {
        QTest::addColumn<bool>("headFirst");
        QTest::addColumn<bool>("drips");
        QTest::newRow("no reply") << false << false;
        QTest::newRow("no body") << true << false;
        QTest::newRow("drip") << true << true;
    }
    void silenceAndDripsEnd() {
        QFETCH(bool, headFirst);
        QFETCH(bool, drips);
        HttpDouble server([&](const HttpRequest&, HttpPeer& peer) {
            if (headFirst) {
                peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
            }
            while (peer.pause(10ms) && (!drips || peer.send("x"))) {
            }
        });
        const Got got =
            get({.url = server.url("/"), .timeouts = {.reply = 300ms, .silence = 300ms, .leastBytes = 1000}});
        QVERIFY(!got.reply);
        QCOMPARE(errorWithDetails(got.reply.error()),
                 headFirst || !drips ? std::string("connection_failed server_silent") : "");
    }

    void cancelReturnsAtOnce_data() {
        QTest::addColumn<bool>("headFirst");
        QTest::newRow("before the reply") << false;
        QTest::newRow("in the body") << true;
    }
    void cancelReturnsAtOnce() {
        QFETCH(bool, headFirst);
        std::stop_source stop;
        std::atomic<bool> isAsked = false;
        std::atomic<bool> hasGone = false;
        {
            HttpDouble server([&](const HttpRequest&, HttpPeer& peer) {
                if (headFirst) {
                    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nabc");
                }
                isAsked = true;
                for (int i = 0; i < 2000 && !hasGone; ++i) {
                    hasGone = !peer.pause(10ms); // the connection is really closed
                }
            });
            std::jthread canceller([&] {
                while (!isAsked) {
                    std::this_thread::yield();
                }
                stop.request_stop();
            });
            Client client;
            const auto reply = client.send({.url = server.url("/")}, {}, {.stop = stop.get_token()});
            QVERIFY(!reply);
            QCOMPARE(reply.error().code, ErrorCode::Cancelled);
            QTRY_VERIFY(hasGone);
        }
    }

    void receiversCanRefuse() {
        HttpDouble server([](const HttpRequest&, HttpPeer& peer) { peer.send(ok("abc")); });
        Client client;
        bool sawBody = false;
        const auto reply = client.send({.url = server.url("/")},
                                       {.head = [](const Reply&) -> Result<> { return fail(ErrorCode::NoSpace); },
                                        .body = [&](Bytes) -> Result<> {
                                            sawBody = true;
                                            return {};
                                        }});
        QVERIFY(!reply);
        QCOMPARE(reply.error().code, ErrorCode::NoSpace);
        QVERIFY(!sawBody);
    }

    void unknownCertificatesAreRefused() {
        const auto read = [](const char* name) {
            QFile file(QStringLiteral(GUFO_TEST_DATA "/net/") + QString::fromLatin1(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        auto tls = std::make_shared<HttpDouble::Tls>(
            HttpDouble::Tls{QSslCertificate(read("self_signed.pem")), QSslKey(read("self_signed.key"), QSsl::Rsa)});
        QVERIFY(!tls->certificate.isNull() && !tls->key.isNull());
        HttpDouble server([](const HttpRequest&, HttpPeer& peer) { peer.send(ok("abc")); }, tls);
        const Got got = get({.url = server.url("/", "localhost"), .token = Secret(std::string("word"))});
        QVERIFY(!got.reply);
        QCOMPARE(errorName(got.reply.error().code), errorName(ErrorCode::TlsFailed));
        QVERIFY(server.requests().empty());
    }

    void nobodyListens() {
        quint16 port = 0;
        {
            const HttpDouble server([](const HttpRequest&, HttpPeer&) {});
            port = server.port();
        }
        const Got got = get({.url = "http://127.0.0.1:" + std::to_string(port) + "/"});
        QVERIFY(!got.reply);
        QCOMPARE(errorWithDetails(got.reply.error()), std::string("connection_failed connection_refused"));
    }

    void manyThreadsShareAClient() {
        HttpDouble server([](const HttpRequest& request, HttpPeer& peer) { peer.send(ok(request.path)); });
        const auto client = Client::shared();
        std::atomic<int> right = 0;
        {
            std::vector<std::jthread> threads;
            for (int t = 0; t < 8; ++t) {
                threads.emplace_back([&, t] {
                    for (int i = 0; i < 20; ++i) {
                        const std::string path = "/" + std::to_string(t * 100 + i);
                        std::string body;
                        const auto reply =
                            client->send({.url = server.url(path)}, {.body = [&](Bytes piece) -> Result<> {
                                             body.append(reinterpret_cast<const char*>(piece.data()), piece.size());
                                             return {};
                                         }});
                        right += reply && body == path ? 1 : 0;
                    }
                });
            }
        }
        QCOMPARE(right.load(), 160);
        QVERIFY(server.maxConnections() <= 8);
    }
};

GUFO_TEST(TestHttp)
#include "tst_http.moc"
