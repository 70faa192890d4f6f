// Finding bytes, texts of digits, and writing ranges.
#include "bytes/byte_search.h"
#include "support/test_unit.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cstring>

using namespace gufo;

namespace {

constexpr std::size_t kPieceOfSearch = std::size_t{4} << 20U;

std::vector<std::byte> bytesOf(std::string_view text) {
    const auto* begin = reinterpret_cast<const std::byte*>(text.data());
    return {begin, begin + text.size()};
}

} // namespace

class TestByteSearch : public QObject {
    Q_OBJECT

private slots:
    void finds_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("pattern");
        QTest::addColumn<quint64>("from");
        QTest::addColumn<bool>("wraps");
        QTest::addColumn<qint64>("expected"); // -1: nothing
        const QByteArray file("abcabc");
        QTest::newRow("first") << file << QByteArray("abc") << quint64{0} << true << qint64{0};
        QTest::newRow("next") << file << QByteArray("abc") << quint64{1} << true << qint64{3};
        QTest::newRow("wraps") << file << QByteArray("abc") << quint64{4} << true << qint64{0};
        QTest::newRow("does not wrap") << file << QByteArray("abc") << quint64{4} << false << qint64{-1};
        QTest::newRow("at the end") << file << QByteArray("c") << quint64{5} << false << qint64{5};
        QTest::newRow("absent") << file << QByteArray("x") << quint64{0} << true << qint64{-1};
        QTest::newRow("empty") << file << QByteArray() << quint64{0} << true << qint64{-1};
        QTest::newRow("longer than the file") << file << QByteArray("abcabca") << quint64{0} << true << qint64{-1};
        QTest::newRow("from beyond the end") << file << QByteArray("b") << quint64{99} << true << qint64{1};
        QTest::newRow("empty file") << QByteArray() << QByteArray("a") << quint64{0} << true << qint64{-1};
        QByteArray large(static_cast<qsizetype>(kPieceOfSearch) + 100, '\0');
        large.replace(static_cast<qsizetype>(kPieceOfSearch) - 2, 4, "GGUF");
        QTest::newRow("across pieces") << large << QByteArray("GGUF") << quint64{0} << true
                                       << static_cast<qint64>(kPieceOfSearch - 2);
        QTest::newRow("across pieces, wrapped") << large << QByteArray("GGUF") << quint64{kPieceOfSearch} << true
                                                << static_cast<qint64>(kPieceOfSearch - 2);
    }
    void finds() {
        QFETCH(const QByteArray, file);
        QFETCH(const QByteArray, pattern);
        QFETCH(const quint64, from);
        QFETCH(const bool, wraps);
        QFETCH(const qint64, expected);
        const MemorySource source(bytesOf(file.toStdString()));
        const std::vector<std::byte> sought = bytesOf(pattern.toStdString());
        const auto found = findBytes(source, sought, from, wraps);
        QVERIFY(found.has_value());
        QCOMPARE(found->has_value() ? static_cast<qint64>(**found) : qint64{-1}, expected);
    }

    void cancels() {
        const MemorySource source(std::vector<std::byte>(100));
        std::stop_source stop;
        stop.request_stop();
        const auto found = findBytes(source, bytesOf("x"), 0, true, {.stop = stop.get_token()});
        QVERIFY(!found.has_value());
        QCOMPARE(found.error().code, ErrorCode::Cancelled);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("range"));
        const auto written = writeRange(source, {0, 100}, path.toStdString(), {.stop = stop.get_token()});
        QVERIFY(!written.has_value());
        QVERIFY(!QFile::exists(path));
    }

    void hexDigits_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("bytes"); // empty: not such a text
        QTest::newRow("spaced") << QByteArray("47 47 55 46") << QByteArray("GGUF");
        QTest::newRow("together") << QByteArray("47475546") << QByteArray("GGUF");
        QTest::newRow("0x") << QByteArray("0x4747") << QByteArray("GG");
        QTest::newRow("small letters") << QByteArray("4a 4B") << QByteArray("JK");
        QTest::newRow("odd") << QByteArray("474") << QByteArray();
        QTest::newRow("divided byte") << QByteArray("4 7") << QByteArray();
        QTest::newRow("letters") << QByteArray("4g") << QByteArray();
        QTest::newRow("empty") << QByteArray() << QByteArray();
        QTest::newRow("only 0x") << QByteArray("0x") << QByteArray();
    }
    void hexDigits() {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, bytes);
        const auto found = bytesOfHex(text.toStdString());
        QCOMPARE(found.has_value(), !bytes.isEmpty());
        QVERIFY(!found || *found == bytesOf(bytes.toStdString()));
    }

    void writesARange() {
        const MemorySource source(bytesOf("0123456789"));
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("range"));
        QVERIFY(writeRange(source, {2, 5}, path.toStdString()).has_value());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("23456"));
        for (const ByteRange outside : {ByteRange{8, 3}, ByteRange{11, 0}, ByteRange{~std::uint64_t{0}, 2}}) {
            const auto written = writeRange(source, outside, path.toStdString());
            QVERIFY(!written.has_value());
            QCOMPARE(written.error().code, ErrorCode::RangeOutsideFile);
        }
    }
};

GUFO_TEST(TestByteSearch)
#include "tst_byte_search.moc"
