// Tests the bytes of the messages between Gufo and the process of another engine, also of malformed ones, and how whole
// messages come out of a socket however their bytes arrive.
#include "channel/endpoint.h"
#include "support/test_unit.h"

#include <array>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace gufo::channel;

namespace {

using ByteVector = std::vector<std::byte>;

ByteVector bodyOf(const auto& message) {
    ByteVector bytes = bytesOf(message);
    bytes.erase(bytes.begin(), bytes.begin() + kHeadBytes);
    return bytes;
}

ByteVector bytes(const QByteArray& hex) {
    const QByteArray raw = QByteArray::fromHex(hex);
    const auto all = std::as_bytes(std::span(raw.constData(), static_cast<std::size_t>(raw.size())));
    return {all.begin(), all.end()};
}

// One message of each kind, with values in all members.
std::vector<Request> requests() {
    return {Load{.files = {"/a b/1.gguf", "/ü/2.gguf"},
                 .context = 4096,
                 .batch = 512,
                 .threads = 8,
                 .outputs = 32,
                 .gpuLayers = -1,
                 .keys = 1,
                 .values = 8,
                 .rope = RopeMethod::Yarn,
                 .ropeBase = 1e6,
                 .ropeScale = 2.5,
                 .ropeContext = 2048,
                 .machines = {"10.0.0.1:50052"}},
            Evaluate{.keep = 3, .rows = Rows::All, .tokens = {1, 2, 0xFFFF'FFFF}},
            Truncate{5},
            Shift{1, 2},
            SaveState{4},
            RestoreState{7, 1'234'567'890'123},
            StatePart{{std::byte{0}, std::byte{255}}},
            Cancel(),
            Ping()};
}

std::vector<Reply> replies() {
    return {Hello{kProtocol, "0.7.0"},
            Refused{Refusal::OtherLayout, {"0.7.0", "llama_model_params", "80", "72"}},
            Loading{0.25F},
            Loaded{4096, 150'000, 8, {"Vulkan0 (Owl 9000)", "CPU (…)"}},
            Progress{17},
            Row{2, {-1.5F, 0, 3e38F}},
            StateBegins{99},
            StatePart{{std::byte{7}}},
            Done{18},
            Failed{Failure::BadRequest, 3, "no\nmemory"},
            Pong()};
}

struct Sockets {
    Endpoint near;
    Endpoint far;
    Sockets() {
        std::array<int, 2> ends{};
        if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) {
            qFatal("no sockets");
        }
        near = Endpoint(ends[0]);
        far = Endpoint(ends[1]);
    }
};

bool always() { return true; }

} // namespace

class TestMessages : public QObject {
    Q_OBJECT

private slots:
    void eachComesBack() {
        QCOMPARE(requests().size(), std::variant_size_v<Request>);
        QCOMPARE(replies().size(), std::variant_size_v<Reply>);
        for (const Request& request : requests()) {
            const auto back = readRequest(bodyOf(request));
            QVERIFY2(back && *back == request, qPrintable(QString::number(request.index())));
        }
        for (const Reply& reply : replies()) {
            const auto back = readReply(bodyOf(reply));
            QVERIFY2(back && *back == reply, qPrintable(QString::number(reply.index())));
        }
    }

    void eachPartIsRefused() {
        for (const Reply& reply : replies()) {
            ByteVector body = bodyOf(reply);
            for (std::size_t size = 1; size < body.size(); ++size) {
                const auto cut = readReply(std::span(body).first(size));
                QVERIFY2(!cut && cut.error() == Breach::Cut, qPrintable(QString::number(reply.index())));
            }
            body.push_back(std::byte{0});
            const auto longer = readReply(body);
            QVERIFY2(!longer && longer.error() == Breach::BytesLeft, qPrintable(QString::number(reply.index())));
        }
    }

    void malformed_data() {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("breach");
        const auto row = [](const char* name, const char* hex, Breach breach) {
            QTest::newRow(name) << QByteArray(hex) << static_cast<int>(breach);
        };
        row("empty", "", Breach::Cut);
        row("unknown kind", "0b", Breach::UnknownKind);
        row("last kind number", "ff", Breach::UnknownKind);
        row("text longer than the message", "00 01000000 ffffffff 30", Breach::Cut);
        row("text one byte too long", "00 01000000 02000000 30", Breach::Cut);
        row("row of 2^32 floats", "05 00000000 ffffffff 00000000", Breach::Cut);
        row("row of 2^30 floats, whose bytes overflow 32 bits", "05 00000000 00000040 00000000", Breach::Cut);
        row("list of 2^32 texts", "01 00 ffffffff 00000000", Breach::Cut);
        row("refusal of no kind", "01 04 00000000", Breach::BadValue);
        row("failure of no kind", "09 ff 00000000 00000000", Breach::BadValue);
        row("bytes after a message without members", "0a 00", Breach::BytesLeft);
        row("bytes after a text", "00 01000000 01000000 30 30", Breach::BytesLeft);
    }
    void malformed() {
        QFETCH(QByteArray, body);
        QFETCH(int, breach);
        const auto reply = readReply(bytes(body));
        QVERIFY(!reply);
        QCOMPARE(static_cast<int>(reply.error()), breach);
    }

    void manyShortTexts() {
        const auto reply = readReply(bodyOf(Reply(Refused{Refusal::NoLibrary, std::vector<std::string>(kMaxTexts)})));
        QVERIFY(reply.has_value());
        const auto more =
            readReply(bodyOf(Reply(Refused{Refusal::NoLibrary, std::vector<std::string>(kMaxTexts + 1)})));
        QVERIFY(!more && more.error() == Breach::BadValue);
    }

    void lengths() {
        QCOMPARE(bodyLength(bytes("01000000")).value(), std::size_t{1});
        QCOMPARE(bodyLength(bytes("00000004")).value(), kLongestMessage);
        QVERIFY(bodyLength(bytes("01000004")).error() == Breach::TooLong);
        QVERIFY(bodyLength(bytes("ffffffff")).error() == Breach::TooLong);
        QVERIFY(bodyLength(bytes("00000000")).error() == Breach::Cut);
    }

    void arriveInPieces_data() {
        QTest::addColumn<int>("piece");
        for (const int piece : {1, 3, 4, 5, 1000}) {
            QTest::newRow(qPrintable(QString::number(piece))) << piece;
        }
    }
    void arriveInPieces() {
        QFETCH(int, piece);
        Sockets sockets;
        ByteVector stream;
        for (const Reply& reply : replies()) {
            const ByteVector each = bytesOf(reply);
            stream.insert(stream.end(), each.begin(), each.end());
        }
        std::vector<Reply> received;
        for (std::span<const std::byte> left = stream; !left.empty();) {
            const auto part = left.first(std::min(left.size(), static_cast<std::size_t>(piece)));
            QVERIFY(sockets.far.send(part, always));
            left = left.subspan(part.size());
            while (sockets.near.receive([] { return false; }) == Endpoint::Got::Message) {
                received.push_back(readReply(sockets.near.body()).value());
            }
        }
        QVERIFY(received == replies());
        sockets.far.close();
        QVERIFY(sockets.near.receive(always) == Endpoint::Got::Closed);
    }

    // A sender waits for a slow receiver; nothing is lost, and neither keeps more than a message.
    void backPressure() {
        constexpr std::uint32_t kRows = 200;
        Sockets sockets;
        std::atomic<std::uint32_t> sent = 0;
        std::thread sender([&] {
            for (std::uint32_t i = 0; i < kRows; ++i) {
                (void)sockets.far.send(bytesOf(Reply(Row{i, std::vector<float>(100'000, 1.0F)})), always);
                ++sent;
            }
        });
        QTRY_VERIFY(sent > 0 || sockets.near.socket() >= 0);
        std::uint32_t received = 0;
        bool inOrder = true;
        while (received < kRows && sockets.near.receive(always) == Endpoint::Got::Message) {
            const auto row = readReply(sockets.near.body());
            inOrder = inOrder && row && std::get<Row>(*row).index == received;
            ++received;
            inOrder = inOrder && sent.load() < received + 5; // a row has 400 kB, more than the socket holds
        }
        sender.join();
        QCOMPARE(received, kRows);
        QVERIFY(inOrder);
    }

    void waitingCanBeEnded() {
        Sockets sockets;
        int calls = 0;
        QVERIFY(sockets.near.receive([&] { return ++calls < 3; }) == Endpoint::Got::Nothing);
        QCOMPARE(calls, 3);
        // Nobody reads: the socket is full after some messages.
        const ByteVector large = bytesOf(Reply(Row{0, std::vector<float>(1'000'000)}));
        calls = 0;
        QVERIFY(!sockets.far.send(large, [&] { return ++calls < 3; }));
        QCOMPARE(calls, 3);
        sockets.near.close();
        QVERIFY(!sockets.far.send(large, always));
    }
};

GUFO_TEST_APPLESS(TestMessages)
#include "tst_messages.moc"
