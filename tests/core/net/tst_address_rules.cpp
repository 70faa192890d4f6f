// Which addresses may be contacted, and where servers may redirect to.
#include "base/detail.h"
#include "net/address_rules.h"
#include "net/content_range.h"
#include "net/http.h"
#include "support/test_unit.h"

#include <array>

using namespace gufo;
using namespace gufo::net;

class TestAddressRules : public QObject {
    Q_OBJECT
private slots:
    void addresses_data() {
        QTest::addColumn<QString>("url");
        QTest::addColumn<int>("why"); // -1: allowed
        const auto row = [](const char* url, int why) { QTest::newRow(url) << QString::fromUtf8(url) << why; };
        row("https://example.org/m.gguf", -1);
        row("https://192.168.1.2/m.gguf", -1);
        row("http://127.0.0.1:8080/m.gguf", -1);
        row("http://localhost/m.gguf", -1);
        row("http://[::1]:1/m.gguf", -1);
        row("http://friend.example/m.gguf", -1); // allowed by the test
        row("HTTP://FRIEND.example/m.gguf", -1);
        row("http://friend.example.org/m.gguf", int(Detail::PlainHttpRefused));
        row("http://example.org/m.gguf", int(Detail::PlainHttpRefused));
        row("http://192.168.1.2/m.gguf", int(Detail::PlainHttpRefused));
        row("file:///etc/passwd", int(Detail::SchemeRefused));
        row("ftp://example.org/m.gguf", int(Detail::SchemeRefused));
        row("data:text/plain,x", int(Detail::SchemeRefused));
        row("javascript:1", int(Detail::SchemeRefused));
        row("https://user:word@example.org/", int(Detail::AddressWithPassword));
        row("https:///m.gguf", int(Detail::AddressMalformed));
        row("m.gguf", int(Detail::AddressMalformed));
        row("", int(Detail::AddressMalformed));
        row("https://a b/", int(Detail::AddressMalformed));
    }
    void addresses() {
        QFETCH(QString, url);
        QFETCH(int, why);
        const std::array<std::string, 1> allowed{"friend.example"};
        const auto checked = checkedAddress(url.toStdString(), allowed);
        QCOMPARE(checked.has_value(), why < 0);
        if (!checked) {
            QCOMPARE(checked.error().code, ErrorCode::AddressRefused);
            QCOMPARE(int(*checked.error().args[0].detail()), why);
            QVERIFY(checked.error().file.native().find("word") == std::string::npos);
        }
    }

    void reach_data() {
        QTest::addColumn<QString>("address");
        QTest::addColumn<int>("reach");
        const auto row = [](const char* address, Reach reach) {
            QTest::newRow(address) << QString::fromLatin1(address) << int(reach);
        };
        row("127.0.0.1", Reach::Computer);
        row("127.200.3.4", Reach::Computer);
        row("::1", Reach::Computer);
        row("::ffff:127.0.0.1", Reach::Computer);
        row("10.1.2.3", Reach::PrivateNetwork);
        row("172.16.0.1", Reach::PrivateNetwork);
        row("172.32.0.1", Reach::Public);
        row("192.168.0.1", Reach::PrivateNetwork);
        row("169.254.169.254", Reach::PrivateNetwork);
        row("100.64.0.1", Reach::PrivateNetwork);
        row("::ffff:10.0.0.1", Reach::PrivateNetwork);
        row("0.0.0.0", Reach::PrivateNetwork);
        row("fd00::1", Reach::PrivateNetwork);
        row("fe80::1", Reach::PrivateNetwork);
        row("8.8.8.8", Reach::Public);
        row("2001:4860:4860::8888", Reach::Public);
    }
    void reach() {
        QFETCH(QString, address);
        QFETCH(int, reach);
        QCOMPARE(int(reachOf(QHostAddress(address))), reach);
    }
    void leastReachCounts() {
        const std::array<QHostAddress, 2> mixed{QHostAddress(QStringLiteral("8.8.8.8")),
                                                QHostAddress(QStringLiteral("10.0.0.1"))};
        QCOMPARE(reachOf(std::span<const QHostAddress>(mixed)), Reach::PrivateNetwork);
    }

    void redirects_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<int>("fromReach");
        QTest::addColumn<QString>("to");
        QTest::addColumn<int>("toReach");
        QTest::addColumn<int>("why"); // -1: allowed
        const QString https = QStringLiteral("https://a.example/");
        const QString there = QStringLiteral("https://b.example/");
        const QString plain = QStringLiteral("http://b.example/");
        const auto row = [](const char* name, const QString& from, Reach a, const QString& to, Reach b, int why) {
            QTest::newRow(name) << from << int(a) << to << int(b) << why;
        };
        row("public to public", https, Reach::Public, there, Reach::Public, -1);
        row("public to private", https, Reach::Public, there, Reach::PrivateNetwork, int(Detail::RedirectInside));
        row("public to computer", https, Reach::Public, there, Reach::Computer, int(Detail::RedirectInside));
        row("private to computer", https, Reach::PrivateNetwork, there, Reach::Computer, int(Detail::RedirectInside));
        row("private to public", https, Reach::PrivateNetwork, there, Reach::Public, -1);
        row("computer to computer", https, Reach::Computer, there, Reach::Computer, -1);
        row("https to http", https, Reach::Public, plain, Reach::Public, int(Detail::RedirectUnencrypted));
        row("http to https", plain, Reach::Public, https, Reach::Public, -1);
    }
    void redirects() {
        QFETCH(QString, from);
        QFETCH(int, fromReach);
        QFETCH(QString, to);
        QFETCH(int, toReach);
        QFETCH(int, why);
        const auto checked = checkRedirect(QUrl(from), Reach(fromReach), QUrl(to), Reach(toReach));
        QCOMPARE(checked.has_value(), why < 0);
        if (!checked) {
            QCOMPARE(int(*checked.error().args[0].detail()), why);
        }
    }

    void origins() {
        const QUrl url(QStringLiteral("https://a.example/x"));
        QVERIFY(isSameOrigin(url, QUrl(QStringLiteral("https://A.example:443/y"))));
        QVERIFY(!isSameOrigin(url, QUrl(QStringLiteral("https://a.example:444/x"))));
        QVERIFY(!isSameOrigin(url, QUrl(QStringLiteral("http://a.example/x"))));
        QVERIFY(!isSameOrigin(url, QUrl(QStringLiteral("https://cdn.a.example/x"))));
    }

    void shownAddresses() {
        QCOMPARE(shownAddress("https://a.example/m.gguf?Signature=x#y"), std::string("https://a.example/m.gguf"));
        QCOMPARE(shownAddress("https://me:word@a.example/m@1"), std::string("https://a.example/m@1"));
        QCOMPARE(shownAddress("https://a.example/m@1"), std::string("https://a.example/m@1"));
    }

    void contentRanges() {
        const auto whole = parseContentRange("bytes 5-9/100");
        QVERIFY(whole && whole->range == ByteRange({5, 5}) && whole->fileBytes == 100U);
        const auto unknown = parseContentRange("bytes 0-0/*");
        QVERIFY(unknown && unknown->range == ByteRange({0, 1}) && !unknown->fileBytes);
        for (const char* bad : {"", "bytes", "bytes 5-4/100", "bytes 0-100/100", "bytes */100", "lines 0-1/2",
                                "bytes 0-18446744073709551615/*", "bytes 0-1", "bytes 0-1/2x", "bytes -1-2/3"}) {
            QVERIFY2(!parseContentRange(bad), bad);
        }
        QCOMPARE(rangeHeader({10, 5}), std::string("bytes=10-14"));
    }

    void secretsForgetNothingElse() {
        std::string text = " abc\r\n";
        const Secret secret(std::move(text));
        QCOMPARE(std::string(secret.reveal()), std::string("abc"));
        QVERIFY(text.empty()); // NOLINT(bugprone-use-after-move): the constructor promises it
        QVERIFY(Secret(std::string(" \n")).empty());
    }
};

GUFO_TEST(TestAddressRules)
#include "tst_address_rules.moc"
