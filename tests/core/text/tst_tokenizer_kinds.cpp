#include "support/test_unit.h"
#include "tokenizer_helpers.h"

#include <QTest>

#include <bit>
#include <ctime>
#include <stop_token>

using namespace gufo;
using namespace gufo::text;
using namespace gufo::test;

namespace {

std::string repeated(std::string_view unit, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) {
        text += unit;
    }
    return text;
}

double threadSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

} // namespace

class TestTokenizerKinds : public QObject {
    Q_OBJECT

private slots:
    void takesWholeWordsFirst();
    void mergesByRank();
    void mergesByScoreLeftFirst();
    void joinsUnknownCharacters();
    void splitsWordPieces_data();
    void splitsWordPieces();
    void readsRwkvEscapes();
    void cancels_data();
    void cancels();
    void takesLinearTime_data();
    void takesLinearTime();
};

void TestTokenizerKinds::takesWholeWordsFirst() {
    for (const bool whole : {false, true}) {
        VocabularyMaker maker = makeGpt2(whole ? "llama-bpe" : "gpt-2");
        const auto word = TokenId(maker.add("owl")); // no merge leads to it
        const auto ids = tokenizerOf(maker.file())->encode("owl", {.addBos = false}).value().ids;
        QCOMPARE(ids == std::vector{word}, whole);
    }
}

void TestTokenizerKinds::mergesByRank() {
    VocabularyMaker maker = makeGpt2();
    maker.merges = {"b c", "a b", "\xC4\xA0 \xC4\xA0", "x y", "a b c", "nospace"}; // "a b c" = "a" and "b c"
    const auto abc = TokenId(maker.add("ab c"));
    const auto bc = TokenId(maker.add("bc"));
    const auto ab = TokenId(maker.add("ab"));
    const auto tokenizer = tokenizerOf(maker.file());
    QCOMPARE(tokenizer->encode("abc").value().ids, (std::vector{TokenId(std::size_t{'a'}), bc}));
    QCOMPARE(tokenizer->encode("abx").value().ids, (std::vector{ab, TokenId(std::size_t{'x'})}));
    // A merge may make what is no token: its bytes are then given.
    QCOMPARE(tokenizer->encode("xy").value().ids, (std::vector{TokenId(std::size_t{'x'}), TokenId(std::size_t{'y'})}));
    const auto spaced = tokenizer->encode("ab c").value().ids;
    QVERIFY(std::ranges::find(spaced, abc) == spaced.end());
    // Short and long words merge alike.
    VocabularyMaker letters = makeGpt2();
    const auto same = tokenizerOf(letters.file());
    for (const std::size_t count : {1U, 2U, 3U, 31U, 47U, 48U, 49U, 50U, 63U, 64U, 65U, 1000U, 1023U}) {
        const auto ids = same->encode(std::string(count, 'a')).value().ids;
        QCOMPARE(ids.size(), count / 64 + static_cast<std::size_t>(std::popcount(count % 64)));
    }
}

void TestTokenizerKinds::mergesByScoreLeftFirst() {
    VocabularyMaker maker{.model = "llama"};
    maker.add("<unk>", kUnknown);
    for (const char* token : {"a", "b", "c"}) {
        maker.add(token);
    }
    const auto ab = TokenId(maker.add("ab", kNormal, -2));
    const auto bc = TokenId(maker.add("bc", kNormal, -1));
    const auto ca = TokenId(maker.add("ca", kNormal, -2));
    maker.add("aa", kNormal, std::numeric_limits<float>::quiet_NaN());
    const auto tokenizer = tokenizerOf(maker.file().key("tokenizer.ggml.add_space_prefix", false));
    const auto a = TokenId(std::size_t{1});
    const auto b = TokenId(std::size_t{2});
    QCOMPARE(tokenizer->encode("abc").value().ids, (std::vector{a, bc}));
    QCOMPARE(tokenizer->encode("cab").value().ids, (std::vector{ca, b}));
    QCOMPARE(tokenizer->encode("abca").value().ids, (std::vector{a, bc, a}));
    QCOMPARE(tokenizer->encode("aab").value().ids, (std::vector{a, ab}));
}

void TestTokenizerKinds::joinsUnknownCharacters() {
    VocabularyMaker maker{.model = "llama"};
    const auto unknown = TokenId(maker.add("<unk>", kUnknown));
    const auto a = TokenId(maker.add("a"));
    const auto tokenizer = tokenizerOf(maker.file().key("tokenizer.ggml.add_space_prefix", false));
    const auto encoding = tokenizer->encode("xyza\xE7\x8C\xAB\xE7\x8C\xAB", {.ranges = true}).value();
    QCOMPARE(encoding.ids, (std::vector{unknown, a, unknown}));
    QVERIFY((encoding.ranges == std::vector<TextRange>{{0, 3}, {3, 4}, {4, 10}}));
}

void TestTokenizerKinds::splitsWordPieces_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("tokens");
    QTest::newRow("word") << QByteArray("owl") << QByteArray("_owl");
    QTest::newRow("longest") << QByteArray("owls owlss") << QByteArray("_owls _owls s");
    QTest::newRow("parts") << QByteArray("unaffable") << QByteArray("_un aff able");
    QTest::newRow("unknown part") << QByteArray("unaffablex owl") << QByteArray("[UNK] _owl");
    QTest::newRow("case") << QByteArray("OWL") << QByteArray("_owl");
    QTest::newRow("accents") << QByteArray("CAFÉ cafe\xCC\x81") << QByteArray("_caf e _caf e");
    QTest::newRow("punctuation") << QByteArray("owl,owl!!") << QByteArray("_owl _, _owl _! _!");
    QTest::newRow("ASCII symbol") << QByteArray("owl<owl") << QByteArray("_owl _< _owl");
    QTest::newRow("Chinese") << QByteArray("owl猫猫owl") << QByteArray("_owl _猫 _猫 _owl");
    QTest::newRow("controls") << QByteArray("o\x01w\xE2\x80\x8Dl\xEF\xBF\xBD") << QByteArray("_owl");
    QTest::newRow("not UTF-8") << QByteArray("o\xFFwl") << QByteArray("_owl");
    QTest::newRow("white space") << QByteArray("\t owl\xC2\xA0\n owl ") << QByteArray("_owl _owl");
    QTest::newRow("100 letters") << QByteArray(100, 'a') << QByteArray("_a") + QByteArray(" a").repeated(99);
    QTest::newRow("101 letters") << QByteArray(101, 'a') << QByteArray("[UNK]");
    QTest::newRow("nothing") << QByteArray(" \x01 ") << QByteArray("");
}

void TestTokenizerKinds::splitsWordPieces() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, tokens);
    const auto tokenizer = made(QStringLiteral("bert"));
    const auto encoding =
        tokenizer->encode(text.toStdString(), {.addBos = false, .addEos = false, .ranges = true}).value();
    QByteArrayList found;
    for (const TokenId id : encoding.ids) {
        found << QByteArray::fromStdString(std::string(tokenizer->vocabulary().text(id))).replace("\xE2\x96\x81", "_");
    }
    QCOMPARE(found.join(' '), tokens);
    const auto whole = tokenizer->encode(text.toStdString()).value();
    QCOMPARE(whole.ids.size(), encoding.ids.size() + 2);
    QCOMPARE(tokenizer->vocabulary().text(whole.ids.back()), std::string_view("[SEP]"));
    if (QTest::currentDataTag() == QByteArray("parts")) {
        QVERIFY((encoding.ranges == std::vector<TextRange>{{0, 2}, {2, 5}, {5, 9}}));
        QCOMPARE(tokenizer->decode(whole.ids).value(), std::string("unaffable"));
    }
}

void TestTokenizerKinds::readsRwkvEscapes() {
    const auto tokenizer = made(QStringLiteral("rwkv"));
    const auto texts = [&](std::string_view text) {
        QByteArrayList out;
        const auto ids = tokenizer->encode(text).value().ids;
        for (const TokenId id : ids) {
            out << QByteArray::fromStdString(tokenizer->bytesOf(id));
        }
        return out;
    };
    QCOMPARE(texts("owlsowlx"), (QByteArrayList{"owls", "owl", "x"}));
    QCOMPARE(texts("aaaaaaa"), (QByteArrayList{"aaaa", "aa", "a"}));
    QCOMPARE(texts("\n\n\n\\'\t"), (QByteArrayList{"\n\n", "\n", "\\", "'", "\t"}));
    QCOMPARE(texts("сова the"), (QByteArrayList{"сова", " the"}));
    QCOMPARE(texts("\xFF"
                   "a"),
             QByteArrayList{"a"}); // a byte without a token, in a model without an unknown token
    std::string all;
    for (int b = 0; b < 255; ++b) {
        all += static_cast<char>(b);
    }
    QCOMPARE(tokenizer->decode(tokenizer->encode(all).value().ids).value(), all);
}

void TestTokenizerKinds::cancels_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QByteArray>("unit");
    for (const char* kind : {"gpt-2", "llama", "t5", "bert", "rwkv"}) {
        for (const char* unit : {"hello, owl! ", "a"}) {
            QTest::addRow("%s %s", kind, unit) << QString::fromLatin1(kind) << QByteArray(unit);
        }
    }
}

void TestTokenizerKinds::cancels() {
    QFETCH(QString, kind);
    QFETCH(QByteArray, unit);
    std::stop_source stop;
    stop.request_stop();
    Progress progress;
    const std::string text = repeated(unit.toStdString(), 2'000'000);
    const auto encoding = made(kind)->encode(text, {}, {.stop = stop.get_token(), .progress = &progress});
    QVERIFY(!encoding);
    QCOMPARE(errorName(encoding.error().code), errorName(ErrorCode::Cancelled));
    QCOMPARE(progress.total(), text.size());
    QVERIFY(progress.done() < text.size() / 2);
    const auto tokenizer = makeTokenizer(*gguf::read(makeGpt2().file().source()).value(), {.stop = stop.get_token()});
    QVERIFY(!tokenizer);
}

void TestTokenizerKinds::takesLinearTime_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QByteArray>("unit");
    const std::pair<const char*, const char*> units[] = {
        {"letter", "a"},          {"capital", "A"},    {"space", " "},        {"spaces and a digit", "       1"},
        {"angle", "<"},           {"digit", "7"},      {"newline", "\n"},     {"unknown script", "ក"},
        {"marks", "\xCC\x81"},    {"Chinese", "猫"},   {"not UTF-8", "\xE2"}, {"mixed", "aA a< a\nកA "},
        {"no-break", "\xC2\xA0"}, {"apostrophe", "'"},
    };
    for (const char* kind : {"gpt-2", "llama", "t5", "bert", "rwkv"}) {
        for (const auto& [name, unit] : units) {
            QTest::addRow("%s: %s", kind, name) << QString::fromLatin1(kind) << QByteArray(unit);
        }
    }
}

void TestTokenizerKinds::takesLinearTime() {
    QFETCH(QString, kind);
    QFETCH(QByteArray, unit);
    const auto tokenizer = made(kind);
    const auto seconds = [&](std::size_t bytes) {
        const std::string text = repeated(unit.toStdString(), bytes);
        const double start = threadSeconds();
        [&] { QVERIFY(tokenizer->encode(text, {.parseSpecial = true})); }();
        return threadSeconds() - start;
    };
    // Ten times the text: about 10 times the time, up to 14 for n·log n and caches; 100 would be quadratic. Another
    // process may disturb one measurement, not four.
    double ratio = 0;
    for (int attempt = 0; attempt < 4; ++attempt) {
        ratio = seconds(1'000'000) / std::max(seconds(100'000), 0.0005);
        if (ratio < 30) {
            return;
        }
    }
    QFAIL(qPrintable(QStringLiteral("10 times the text took %1 times the time").arg(ratio)));
}

GUFO_TEST(TestTokenizerKinds)
#include "tst_tokenizer_kinds.moc"
