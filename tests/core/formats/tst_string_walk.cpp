// Walking strings in lanes must give the same result as walking them one by one, whatever they contain.
#include "formats/gguf/read/string_walk.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"

#include <QTest>

#include <ctime>
#include <functional>
#include <random>

using namespace gufo;
using namespace gufo::test;

using Text = std::function<std::string(std::mt19937&)>;
namespace {

// The specification: one string after another.
gguf::StringWalk walkSlowly(Bytes bytes, std::uint64_t count, ValueLayout layout) {
    gguf::StringWalk done;
    while (done.strings < count) {
        const std::uint64_t left = bytes.size() - done.bytes;
        if (left < layout.lengthBytes() || layout.loadLength(bytes.data() + done.bytes) > left - layout.lengthBytes()) {
            break;
        }
        done.bytes += layout.lengthBytes() + layout.loadLength(bytes.data() + done.bytes);
        ++done.strings;
    }
    return done;
}

std::string letters(std::mt19937& random, std::size_t longest) {
    std::string text(random() % (longest + 1), ' ');
    std::ranges::generate(text, [&] { return static_cast<char>('a' + random() % 26); });
    return text;
}

} // namespace

class TestStringWalk : public QObject {
    Q_OBJECT

private slots:
    void equalsTheSlowWalk_data();
    void equalsTheSlowWalk();
    void isQuickOnHostileStrings_data();
    void isQuickOnHostileStrings();
};

void TestStringWalk::equalsTheSlowWalk_data() {
    QTest::addColumn<Text>("text");
    QTest::newRow("tokens") << Text([](std::mt19937& random) { return letters(random, 12); });
    QTest::newRow("empty") << Text([](std::mt19937&) { return std::string(); });
    QTest::newRow("mostly empty") << Text([](std::mt19937& random) { return letters(random, random() % 50 ? 0 : 9); });
    QTest::newRow("zeros") << Text([](std::mt19937& random) { return std::string(random() % 40, '\0'); });
    QTest::newRow("ones") << Text([](std::mt19937& random) { return std::string(random() % 40, '\1'); });
    QTest::newRow("full of lengths") << Text([](std::mt19937& random) {
        std::string text;
        for (std::uint64_t i = random() % 9; i != 0; --i) {
            text += std::string(1, static_cast<char>(random() % 20)) + std::string(7, '\0');
        }
        return text;
    });
    QTest::newRow("one byte and zeros") << Text([](std::mt19937& random) {
        std::string text(random() % 24, '\0');
        if (!text.empty()) {
            text[random() % text.size()] = static_cast<char>(random());
        }
        return text;
    });
    QTest::newRow("around the longest in a lane")
        << Text([](std::mt19937& random) { return std::string(4090 + random() % 10, 'x'); });
    QTest::newRow("now and then a long one") << Text([](std::mt19937& random) {
        return random() % 500 != 0 ? letters(random, 12) : std::string(random() % 20'000, 'y');
    });
}

void TestStringWalk::equalsTheSlowWalk() {
    QFETCH(Text, text);
    constexpr std::size_t kBytes = 2'000'000;
    for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
        for (const auto lengths : {ValueLayout::Lengths::U32, ValueLayout::Lengths::U64}) {
            std::mt19937 random(7);
            GgufBytes out({.order = order, .lengths = lengths});
            std::uint64_t strings = 0;
            while (out.bytes.size() < kBytes) {
                out.string(text(random));
                ++strings;
            }
            const std::uint64_t end = out.bytes.size();
            out.string("the bytes after the array look like strings too").zeros(1'000'000);
            const Bytes all(out.bytes);
            // Inside a larger file, at its end, cut in the middle of a string, only some of the strings, and too many.
            for (const auto& [bytes, count] :
                 {std::pair(all, strings), std::pair(all.first(end), strings), std::pair(all.first(end - 1), strings),
                  std::pair(all.first(end / 3), strings), std::pair(all, strings / 2),
                  std::pair(all.first(end), strings + 1), std::pair(all.first(3), strings),
                  std::pair(all, std::uint64_t{0})}) {
                const auto expected = walkSlowly(bytes, count, out.layout);
                const auto found = gguf::walkStrings(bytes, count, out.layout);
                QCOMPARE(found.strings, expected.strings);
                QCOMPARE(found.bytes, expected.bytes);
            }
        }
    }
}

void TestStringWalk::isQuickOnHostileStrings_data() {
    QTest::addColumn<int>("length");
    QTest::newRow("all empty") << 0; // any offset looks like a beginning, but nearly all are wrong
    QTest::newRow("too long for a lane") << 5000;
}

void TestStringWalk::isQuickOnHostileStrings() {
    QFETCH(int, length);
    constexpr std::uint64_t kBytes = 200'000'000;
    const std::string text(static_cast<std::size_t>(length), '\0');
    GgufBytes out;
    if (length == 0) {
        out.string("x").zeros(kBytes); // odd, while lanes begin at even offsets
    }
    while (out.bytes.size() < kBytes) {
        out.string(text);
    }
    const std::clock_t begin = std::clock(); // of this process, so that other programs do not count
    const auto walk = gguf::walkStrings(out.bytes, ~std::uint64_t{0}, out.layout);
    const double elapsed = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    QVERIFY(walk.bytes + 8 > kBytes);
    QVERIFY2(elapsed < 2, "lanes are tried in vain too often"); // 0.05 s in a release build
}

GUFO_TEST(TestStringWalk)
#include "tst_string_walk.moc"
