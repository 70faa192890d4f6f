// A file behind HTTP: the right bytes and no others, few requests, and an error of its own for each way in which a
// server can send something else.
#include "base/detail.h"
#include "base/wait_scope.h"
#include "net/content_range.h"
#include "net/remote_source.h"
#include "support/error_names.h"
#include "support/http_double.h"
#include "support/test_unit.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace gufo;
using namespace gufo::net;
using namespace std::chrono_literals;
using gufo::test::errorWithDetails;
using gufo::test::HttpDouble;
using gufo::test::HttpPeer;
using gufo::test::HttpRequest;

namespace {

std::string fileOf(std::size_t bytes, unsigned seed = 1) {
    std::string file(bytes, '\0');
    for (std::size_t i = 0; i < bytes; ++i) {
        file[i] = static_cast<char>((i / 7 + seed) * 2654435761U >> 24U);
    }
    return file;
}

ByteRange askedRange(const HttpRequest& request, std::uint64_t size) {
    unsigned long long first = 0;
    unsigned long long last = 0;
    std::sscanf(request.header("range").c_str(), "bytes=%llu-%llu", &first, &last);
    return {first, std::min<std::uint64_t>(last, size - 1) - first + 1};
}

std::string part(const std::string& file, ByteRange range, const std::string& etag = "\"1\"",
                 std::optional<std::uint64_t> claimed = {}) {
    const std::string body = file.substr(range.offset, range.length);
    return "HTTP/1.1 206 Part\r\nETag: " + etag + "\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\nContent-Range: bytes " + std::to_string(range.offset) + '-' +
           std::to_string(range.offset + range.length - 1) + '/' + std::to_string(claimed.value_or(file.size())) +
           "\r\n\r\n" + body;
}

Request requestOf(const std::string& url) {
    return {.url = url, .timeouts = {.reply = 2s, .silence = 500ms, .leastBytes = 1000}};
}

bool isPart(const Result<Bytes>& view, const std::string& file, ByteRange range) {
    return view && view->size() == range.length &&
           std::memcmp(view->data(), file.data() + range.offset, range.length) == 0;
}

constexpr std::size_t kFaultyFile = 5 << 20; // bytes

// A request for a range of a file, and where its reply goes.
struct Asking {
    const std::string& file;
    ByteRange range;
    HttpPeer& peer;

    [[nodiscard]] std::string right() const { return part(file, range); }
};
Asking askingFor(const std::string& file, const HttpRequest& request, HttpPeer& peer) {
    return {.file = file, .range = askedRange(request, file.size()), .peer = peer};
}
using Answer = std::function<void(const Asking&)>;

constexpr const char* kHead = "HTTP/1.1 206 Part\r\nETag: \"1\"\r\n";

void answerRight(const Asking& asking) { asking.peer.send(asking.right()); }

void answerWhole(const Asking& asking) {
    asking.peer.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: " + std::to_string(asking.file.size()) +
                     "\r\n\r\n" + asking.file);
}

void answerShifted(const Asking& asking) {
    asking.peer.send(part(asking.file, {asking.range.offset == 0 ? 1ULL : 0ULL, asking.range.length}));
}

void answerHalf(const Asking& asking) {
    asking.peer.send(part(asking.file, {asking.range.offset, asking.range.length / 2}));
}

void answerTooMuch(const Asking& asking) {
    const ByteRange range = asking.range;
    asking.peer.send(kHead + ("Content-Range: bytes " + std::to_string(range.offset)) + '-' +
                     std::to_string(range.offset + range.length - 1) + '/' + std::to_string(asking.file.size()) +
                     "\r\nContent-Length: " + std::to_string(range.length + 10) + "\r\n\r\n" +
                     std::string(range.length + 10, 'x'));
}

void answerCut(const Asking& asking) {
    const std::string right = asking.right();
    asking.peer.send(right.substr(0, right.size() - 100));
    asking.peer.close();
}

void answerOtherTag(const Asking& asking) { asking.peer.send(part(asking.file, asking.range, "\"2\"")); }

// States that the file has this size.
Answer answerOfSize(std::uint64_t bytes) {
    return [bytes](const Asking& asking) { asking.peer.send(part(asking.file, asking.range, "\"1\"", bytes)); };
}

void answerWithoutSize(const Asking& asking) {
    asking.peer.send(
        kHead + ("Content-Range: bytes 0-65535/*\r\nContent-Length: 65536\r\n\r\n" + asking.file.substr(0, 1 << 16)));
}

void answerGzip(const Asking& asking) {
    const std::string right = asking.right();
    asking.peer.send("HTTP/1.1 206 Part\r\nContent-Encoding: gzip\r\n" + right.substr(right.find("\r\n") + 2));
}

void answerDrip(const Asking& asking) {
    const std::string right = asking.right();
    asking.peer.send(right.substr(0, right.find("\r\n\r\n") + 4));
    while (asking.peer.pause(20ms) && asking.peer.send("x")) {
    }
    asking.peer.close();
}

Answer answerText(std::string text) {
    return [text = std::move(text)](const Asking& asking) { asking.peer.send(text); };
}

} // namespace

class TestRemoteSource : public QObject {
    Q_OBJECT
private slots:
    void faults_data() {
        QTest::addColumn<Answer>("first"); // how the server answers the first request, and all others
        QTest::addColumn<Answer>("later");
        QTest::addColumn<QString>("atOpening"); // empty: the file opens
        QTest::addColumn<QString>("atView");
        const auto atOnce = [](const char* name, const Answer& answer, const char* atOpening) {
            QTest::newRow(name) << answer << answer << QString::fromLatin1(atOpening) << QString();
        };
        const auto later = [](const char* name, const Answer& answer, const char* atView) {
            QTest::newRow(name) << Answer(answerRight) << answer << QString() << QString::fromLatin1(atView);
        };
        atOnce("none", answerRight, "");
        atOnce("no ranges", answerWhole, "reply_unusable ranges_ignored");
        later("no ranges later", answerWhole, "reply_unusable ranges_ignored");
        atOnce("another range", answerShifted, "reply_unusable range_wrong");
        later("another range later", answerShifted, "reply_unusable range_wrong");
        later("half of the range", answerHalf, "reply_unusable range_wrong");
        later("more than the range", answerTooMuch, "reply_unusable reply_too_long");
        later("a body that ends early", answerCut, "reply_unusable reply_cut");
        later("another ETag", answerOtherTag, "remote_file_changed");
        later("another size", answerOfSize(kFaultyFile + 1), "remote_file_changed");
        later("range not satisfiable", answerText("HTTP/1.1 416 No\r\nContent-Length: 0\r\n\r\n"),
              "remote_file_changed");
        atOnce("no size", answerWithoutSize, "reply_unusable length_missing");
        atOnce("gzip", answerGzip, "reply_unusable reply_encoded");
        later("gzip later", answerGzip, "reply_unusable reply_encoded");
        later("an error in HTML",
              answerText("HTTP/1.1 503 Busy\r\nContent-Length: 27\r\n\r\n<html><title>Busy</title>\r\n"),
              "http_status");
        later("a drip", answerDrip, "connection_failed server_silent");
        atOnce("an exabyte", answerOfSize(std::uint64_t{1} << 60), "reply_unusable remote_file_too_large");
        atOnce("empty", answerText("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), "empty_file");
    }
    void faults() {
        QFETCH(Answer, first);
        QFETCH(Answer, later);
        QFETCH(QString, atOpening);
        QFETCH(QString, atView);
        const std::string file = fileOf(kFaultyFile);
        std::atomic<int> asked = 0;
        std::atomic<bool> isBroken = true;
        HttpDouble server([&](const HttpRequest& request, HttpPeer& peer) {
            const bool isFirst = ++asked == 1;
            const Answer answer = !isBroken ? answerRight : isFirst ? first : later;
            answer(askingFor(file, request, peer));
        });
        const auto source = RemoteSource::open(Client::shared(), requestOf(server.url("/m.gguf")));
        QCOMPARE(source ? std::string() : errorWithDetails(source.error()), atOpening.toStdString());
        if (!source) {
            return;
        }
        const ByteRange wanted{3 << 20, 200'000};
        const auto view = (*source)->view(wanted);
        QCOMPARE(view ? std::string() : errorWithDetails(view.error()), atView.toStdString());
        // What failed does not count as fetched: when the server works again, the right bytes arrive.
        isBroken = false;
        QVERIFY(isPart((*source)->view(wanted), file, wanted));
    }

    void fortyGigabytesTakeNoMemory() {
        constexpr std::uint64_t kSize = 40ULL << 30;
        const std::string start = fileOf(1 << 20);
        HttpDouble server([&](const HttpRequest& request, HttpPeer& peer) {
            const ByteRange range = askedRange(request, kSize);
            peer.send("HTTP/1.1 206 Part\r\nContent-Length: " + std::to_string(range.length) +
                      "\r\nContent-Range: bytes " + std::to_string(range.offset) + '-' +
                      std::to_string(range.offset + range.length - 1) + '/' + std::to_string(kSize) + "\r\n\r\n" +
                      start.substr(0, range.length));
        });
        const auto source = RemoteSource::open(Client::shared(), requestOf(server.url("/m.gguf")));
        QVERIFY(source.has_value());
        QCOMPARE((*source)->size(), kSize);
        QVERIFY((*source)->view({kSize - 100, 100}).has_value());
        QCOMPARE((*source)->fetchedBytes(), RemoteSource::kFirstFetch + RemoteSource::kPage);
        QCOMPARE((*source)->view({kSize - 100, 101}).error().code, ErrorCode::RangeOutsideFile);
    }

    void pagesAreFetchedOnce() {
        const std::string file = fileOf((3 << 20) + 123);
        HttpDouble server(
            [&](const HttpRequest& request, HttpPeer& peer) { answerRight(askingFor(file, request, peer)); });
        const auto opened = RemoteSource::open(Client::shared(), requestOf(server.url("/m.gguf")));
        QVERIFY(opened.has_value());
        const RemoteSource& source = **opened;
        const ByteRange first{0, RemoteSource::kFirstFetch};
        QVERIFY(isPart(source.view(first), file, first));
        QCOMPARE(source.requests(), 1ULL); // it came with the size
        const ByteRange wanted{(2 << 20) - 5, 10};
        QCOMPARE(source.missingBytes(wanted), 2 * RemoteSource::kPage);
        QVERIFY(isPart(source.view(wanted), file, wanted));
        QCOMPARE(source.missingBytes(wanted), 0ULL);
        QVERIFY(isPart(source.view(wanted), file, wanted));
        QCOMPARE(source.requests(), 2ULL);
        const ByteRange whole{0, file.size()};
        QVERIFY(isPart(source.view(whole), file, whole));
        QCOMPARE(source.requests(), 4ULL); // the two gaps
        QCOMPARE(source.fetchedBytes(), std::uint64_t(file.size()));
        QCOMPARE(source.path().native(), server.url("/m.gguf"));
    }

    void shortFilesNeedNoRanges() {
        const std::string file = fileOf(1000);
        HttpDouble server(
            [&](const HttpRequest& request, HttpPeer& peer) { answerWhole(askingFor(file, request, peer)); });
        const auto source = RemoteSource::open(Client::shared(), requestOf(server.url("/m.gguf")));
        QVERIFY(source.has_value());
        QVERIFY(isPart((*source)->view({0, 1000}), file, {0, 1000}));
    }

    // The file is fetched from where the first request was redirected to; when that address expires, the original one
    // is asked again. The token is only sent to the original one.
    void expiredAddressesAreRenewed() {
        const std::string file = fileOf(4 << 20);
        std::atomic<int> valid = 1;
        HttpDouble store([&](const HttpRequest& request, HttpPeer& peer) {
            if (request.path == "/signed" + std::to_string(valid)) {
                answerRight(askingFor(file, request, peer));
            } else {
                peer.send("HTTP/1.1 403 Expired\r\nContent-Length: 0\r\n\r\n");
            }
        });
        HttpDouble hub([&](const HttpRequest&, HttpPeer& peer) {
            peer.send("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " +
                      store.url("/signed" + std::to_string(valid)) + "\r\n\r\n");
        });
        Request request = requestOf(hub.url("/m.gguf"));
        request.token = Secret(std::string("word"));
        const auto source = RemoteSource::open(Client::shared(), request);
        QVERIFY(source.has_value());
        QVERIFY((*source)->view({2 << 20, 10}).has_value());
        QCOMPARE(hub.requests().size(), std::size_t(1));
        valid = 2;
        QVERIFY(isPart((*source)->view({3 << 20, 10}), file, {3 << 20, 10}));
        QCOMPARE(hub.requests().size(), std::size_t(2));
        for (const HttpRequest& sent : hub.requests()) {
            QCOMPARE(sent.header("authorization"), std::string("Bearer word"));
        }
        for (const HttpRequest& sent : store.requests()) {
            QCOMPARE(sent.header("authorization"), std::string());
        }
    }

    void fetchingCanBeCancelled_data() {
        QTest::addColumn<bool>("byScope");
        QTest::newRow("by the job") << false;
        QTest::newRow("by the scope of the thread") << true;
    }
    void fetchingCanBeCancelled() {
        QFETCH(bool, byScope);
        const std::string file = fileOf(4 << 20);
        std::stop_source stop;
        std::atomic<int> asked = 0;
        HttpDouble server([&](const HttpRequest& request, HttpPeer& peer) {
            if (++asked == 1) {
                answerRight(askingFor(file, request, peer));
                return;
            }
            stop.request_stop();
            while (peer.pause(10ms)) {
            }
            peer.close();
        });
        Request request = requestOf(server.url("/m.gguf"));
        request.timeouts = {};
        const auto source = RemoteSource::open(Client::shared(), request);
        QVERIFY(source.has_value());
        const auto begin = std::chrono::steady_clock::now();
        const WaitScope scope(byScope ? stop.get_token() : std::stop_token());
        const ByteRange range{2 << 20, 10};
        const auto view = byScope ? (*source)->view(range) : (*source)->fetch(range, {.stop = stop.get_token()});
        QVERIFY(!view);
        QCOMPARE(view.error().code, ErrorCode::Cancelled);
        QVERIFY(std::chrono::steady_clock::now() - begin < 10s); // the server would be silent for longer
    }

    void threadsSeeTheSameBytes() {
        const std::string file = fileOf(6 << 20);
        HttpDouble server(
            [&](const HttpRequest& request, HttpPeer& peer) { answerRight(askingFor(file, request, peer)); });
        const auto source = RemoteSource::open(Client::shared(), requestOf(server.url("/m.gguf")));
        QVERIFY(source.has_value());
        std::atomic<int> wrong = 0;
        {
            std::vector<std::jthread> threads;
            for (unsigned t = 0; t < 4; ++t) {
                threads.emplace_back([&, t] {
                    for (std::uint64_t at = t * 1000; at + 70'000 < file.size(); at += 300'000) {
                        wrong += isPart((*source)->view({at, 70'000}), file, {at, 70'000}) ? 0 : 1;
                    }
                });
            }
        }
        QCOMPARE(wrong.load(), 0);
        QVERIFY((*source)->fetchedBytes() <= file.size()); // no page was fetched twice
    }
};

GUFO_TEST(TestRemoteSource)
#include "tst_remote_source.moc"

#include <functional>
