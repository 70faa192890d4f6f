// Compares the UTF-8 decoder and the ASCII functions with Qt's.
#include "base/ascii.h"
#include "base/utf8.h"
#include "support/test_unit.h"

#include <QString>
#include <QTest>
#include <QUtf8StringView>

#include <array>
#include <cctype>

using namespace gufo;

class TestUtf8 : public QObject {
    Q_OBJECT

private slots:
    void everyCharacterComesBack();
    void bytesAreJudgedAsQtJudgesThem();
    void aTailMayStillBecomeACharacter_data();
    void aTailMayStillBecomeACharacter();
    void textIsCutBetweenCharacters_data();
    void textIsCutBetweenCharacters();
    void lettersAndDigitsOfAscii();
};

void TestUtf8::everyCharacterComesBack() {
    for (char32_t code = 0; code <= kMaxCodePoint; ++code) {
        if (code >= 0xD800 && code <= 0xDFFF) {
            continue;
        }
        std::string bytes;
        appendUtf8(bytes, code);
        const Char c = decodeChar(bytes);
        const std::array text{U'a', code}; // not at the front, where Qt would drop a byte order mark
        if (c.code != code || c.bytes != bytes.size() ||
            "a" + bytes != QString::fromUcs4(text.data(), 2).toStdString()) {
            QFAIL(qPrintable(QStringLiteral("U+%1").arg(static_cast<uint>(code), 4, 16)));
        }
    }
}

// All pairs of leading bytes with valid and invalid continuations, cut off at every length.
void TestUtf8::bytesAreJudgedAsQtJudgesThem() {
    int valid = 0;
    for (unsigned head = 0; head < 0x10000; ++head) {
        for (const std::string_view rest : {"", "\x80", "\xBF", "\x80\x80", "\xBF\xC0", "\x7F\x80"}) {
            std::string bytes{static_cast<char>(head >> 8U), static_cast<char>(head & 0xFFU)};
            bytes += rest;
            const bool expected = QUtf8StringView(bytes.data(), static_cast<qsizetype>(bytes.size())).isValidUtf8();
            valid += expected ? 1 : 0;
            const std::u32string codes = decodeUtf8(bytes);
            const bool whole = std::ranges::all_of(codes, [](char32_t code) { return code <= kMaxCodePoint; });
            // Eight preceding ASCII bytes select the code that reads whole words.
            if (isValidUtf8(bytes) != expected || whole != expected || isValidUtf8("ASCIIASCII" + bytes) != expected) {
                QFAIL(QByteArray::fromStdString(bytes).toHex(' ').constData());
            }
        }
    }
    QVERIFY(valid > 10'000);
}

void TestUtf8::aTailMayStillBecomeACharacter_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("tail");
    QTest::newRow("nothing") << QByteArray() << 0;
    QTest::newRow("whole") << QByteArray("a\xC3\xA9") << 0;
    QTest::newRow("lead of two") << QByteArray("a\xC3") << 1;
    QTest::newRow("two of three") << QByteArray("a\xE2\x82") << 2;
    QTest::newRow("three of four") << QByteArray("\xF0\x9F\x98") << 3;
    QTest::newRow("surrogate") << QByteArray("a\xED\xA0") << 0;
    QTest::newRow("overlong") << QByteArray("a\xE0\x80") << 0;
    QTest::newRow("beyond the last") << QByteArray("a\xF4\x90") << 0;
    QTest::newRow("continuations alone") << QByteArray("\x80\x80\x80\x80") << 0;
    QTest::newRow("no lead") << QByteArray("a\xC0") << 0;
}

void TestUtf8::aTailMayStillBecomeACharacter() {
    QFETCH(const QByteArray, bytes);
    QFETCH(const int, tail);
    QCOMPARE(incompleteTail(bytes.toStdString()), static_cast<std::size_t>(tail));
}

void TestUtf8::textIsCutBetweenCharacters_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("maximum");
    QTest::addColumn<int>("cut");
    QTest::newRow("ASCII") << QByteArray("abcd") << 2 << 2;
    QTest::newRow("at the end") << QByteArray("a\xC3\xA9") << 3 << 3;
    QTest::newRow("within two") << QByteArray("a\xC3\xA9") << 2 << 1;
    QTest::newRow("within four") << QByteArray("a\xF0\x9F\x98\x80z") << 4 << 1;
    QTest::newRow("behind four") << QByteArray("a\xF0\x9F\x98\x80z") << 5 << 5;
    QTest::newRow("not UTF-8") << QByteArray("\x80\x80\x80\x80\x80\x80\x80") << 5 << 5;
    QTest::newRow("nothing") << QByteArray() << 0 << 0;
    QTest::newRow("shorter than the limit") << QByteArray("ab") << 150 << 2;
    QTest::newRow("an empty text and a limit") << QByteArray() << 7 << 0;
}

void TestUtf8::textIsCutBetweenCharacters() {
    QFETCH(const QByteArray, bytes);
    QFETCH(const int, maximum);
    QFETCH(const int, cut);
    QCOMPARE(cutBetweenCharacters(bytes.toStdString(), static_cast<std::size_t>(maximum)),
             static_cast<std::size_t>(cut));
}

void TestUtf8::lettersAndDigitsOfAscii() {
    for (int i = 0; i < 0x80; ++i) {
        const auto c = static_cast<char>(i);
        QCOMPARE(isAsciiDigit(c), std::isdigit(i) != 0);
        QCOMPARE(isAsciiLetter(c), std::isalpha(i) != 0);
        QCOMPARE(isAsciiLetterOrDigit(c), std::isalnum(i) != 0);
        QCOMPARE(asciiLower(c), static_cast<char>(std::tolower(i)));
        QCOMPARE(asciiUpper(c), static_cast<char>(std::toupper(i)));
        bool isHex = false;
        const int value = QString(QLatin1Char(c)).toInt(&isHex, 16);
        QCOMPARE(hexDigitValue(c), isHex ? value : -1);
    }
    for (int i = 0x80; i < 0x100; ++i) {
        const auto c = static_cast<char>(i);
        QVERIFY(!isAsciiLetterOrDigit(c) && hexDigitValue(c) < 0 && asciiLower(c) == c && asciiUpper(c) == c);
    }
    QVERIFY(equalIgnoringCase("Q4_K_m", "q4_k_M") && !equalIgnoringCase("Q4_K", "Q4_K_M") && equalIgnoringCase("", ""));
}

GUFO_TEST_APPLESS(TestUtf8)
#include "tst_utf8.moc"
