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

enum Fault : int {
    None,
    NoRanges,
    NoRangesLater,
    WrongRange,
    WrongRangeLater,
    ShortRangeLater,
    LongBodyLater,
    ShortBodyLater,
    ChangedLater,
    OtherSizeLater,
    ShorterLater,
    NoSize,
    Gzip,
    GzipLater,
    HtmlLater,
    DripLater,
    HugeSize,
    Empty,
};

// The reply of a server with a fault to the first request, or to those after it.
void answer(const std::string& file, Fault fault, bool isFirst, const HttpRequest& request, HttpPeer& peer) {
    const ByteRange range = askedRange(request, file.size());
    const std::string right = part(file, range);
    const std::string head = "HTTP/1.1 206 Part\r\nETag: \"1\"\r\n";
    const std::string whole =
        "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: " + std::to_string(file.size()) + "\r\n\r\n" + file;
    const auto shifted = [&] { return part(file, {range.offset == 0 ? 1ULL : 0ULL, range.length}); };
    switch (fault) {
    case NoRanges:
        peer.send(whole);
        return;
    case WrongRange:
        peer.send(shifted());
        return;
    case NoSize:
        peer.send(head + "Content-Range: bytes 0-65535/*\r\nContent-Length: 65536\r\n\r\n" + file.substr(0, 1 << 16));
        return;
    case Gzip:
        peer.send("HTTP/1.1 206 Part\r\nContent-Encoding: gzip\r\n" + right.substr(right.find("\r\n") + 2));
        return;
    case HugeSize:
        peer.send(part(file, range, "\"1\"", std::uint64_t{1} << 60));
        return;
    case Empty:
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        return;
    default:
        break;
    }
    if (isFirst) {
        peer.send(right);
        return;
    }
    switch (fault) {
    case NoRangesLater:
        peer.send(whole);
        break;
    case WrongRangeLater:
        peer.send(shifted());
        break;
    case ShortRangeLater:
        peer.send(part(file, {range.offset, range.length / 2}));
        break;
    case LongBodyLater:
        peer.send(head + "Content-Range: bytes " + std::to_string(range.offset) + '-' +
                  std::to_string(range.offset + range.length - 1) + '/' + std::to_string(file.size()) +
                  "\r\nContent-Length: " + std::to_string(range.length + 10) + "\r\n\r\n" +
                  std::string(range.length + 10, 'x'));
        break;
    case ShortBodyLater:
        peer.send(right.substr(0, right.size() - 100));
        peer.close();
        break;
    case ChangedLater:
        peer.send(part(file, range, "\"2\""));
        break;
    case OtherSizeLater:
        peer.send(part(file, range, "\"1\"", file.size() + 1));
        break;
    case ShorterLater:
        peer.send("HTTP/1.1 416 No\r\nContent-Length: 0\r\n\r\n");
        break;
    case GzipLater:
        peer.send("HTTP/1.1 206 Part\r\nContent-Encoding: gzip\r\n" + right.substr(right.find("\r\n") + 2));
        break;
    case HtmlLater:
        peer.send("HTTP/1.1 503 Busy\r\nContent-Length: 27\r\n\r\n<html><title>Busy</title>\r\n");
        break;
    case DripLater:
        peer.send(right.substr(0, right.find("\r\n\r\n") + 4));
        while (peer.pause(20ms) && peer.send("x")) {
        }
        peer.close();
        break;
    default:
        peer.send(right);
    }
}

} // namespace

Q_DECLARE_METATYPE(Fault)

class TestRemoteSource : public QObject {
    Q_OBJECT
private slots:
    void faults_data() {
        QTest::addColumn<Fault>("fault");
        QTest::addColumn<QString>("atOpening"); // empty: the file opens
        QTest::addColumn<QString>("atView");
        const auto row = [](const char* name, Fault fault, const char* atOpening, const char* atView) {
            QTest::newRow(name) << fault << QString::fromLatin1(atOpening) << QString::fromLatin1(atView);
        };
        row("none", None, "", "");
        row("no ranges", NoRanges, "reply_unusable ranges_ignored", "");
        row("no ranges later", NoRangesLater, "", "reply_unusable ranges_ignored");
        row("another range", WrongRange, "reply_unusable range_wrong", "");
        row("another range later", WrongRangeLater, "", "reply_unusable range_wrong");
        row("half of the range", ShortRangeLater, "", "reply_unusable range_wrong");
        row("more than the range", LongBodyLater, "", "reply_unusable reply_too_long");
        row("a body that ends early", ShortBodyLater, "", "reply_unusable reply_cut");
        row("another ETag", ChangedLater, "", "remote_file_changed");
        row("another size", OtherSizeLater, "", "remote_file_changed");
        row("range not satisfiable", ShorterLater, "", "remote_file_changed");
        row("no size", NoSize, "reply_unusable length_missing", "");
        row("gzip", Gzip, "reply_unusable reply_encoded", "");
        row("gzip later", GzipLater, "", "reply_unusable reply_encoded");
        row("an error in HTML", HtmlLater, "", "http_status");
        row("a drip", DripLater, "", "connection_failed server_silent");
        row("an exabyte", HugeSize, "reply_unusable remote_file_too_large", "");
        row("empty", Empty, "empty_file", "");
    }
    void faults() {
        QFETCH(Fault, fault);
        QFETCH(QString, atOpening);
        QFETCH(QString, atView);
        const std::string file = fileOf(5 << 20);
        std::atomic<int> asked = 0;
        std::atomic<bool> isBroken = true;
        HttpDouble server([&](const HttpRequest& request, HttpPeer& peer) {
            answer(file, isBroken ? fault : None, ++asked == 1, request, peer);
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
            [&](const HttpRequest& request, HttpPeer& peer) { answer(file, None, false, request, peer); });
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
            [&](const HttpRequest& request, HttpPeer& peer) { answer(file, NoRanges, true, request, peer); });
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
                answer(file, None, false, request, peer);
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
                answer(file, None, true, request, peer);
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
            [&](const HttpRequest& request, HttpPeer& peer) { answer(file, None, false, request, peer); });
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
