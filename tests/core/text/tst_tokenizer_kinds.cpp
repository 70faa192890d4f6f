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
    void mergesByIdWithoutMerges();
    void mergesUtf8();
    void mergesAcrossSpacesWhereTheVocabularyDoes();
    void beginsGemma4Always_data();
    void beginsGemma4Always();
    void dropsWhiteSpace_data();
    void dropsWhiteSpace();
    void splitsDna_data();
    void splitsDna();
    void splitsByCost();
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
        const auto word = TokenId(maker.add("owl")); // no merge produces it
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
    // A merge may produce a symbol that is not a token; its bytes are then used.
    QCOMPARE(tokenizer->encode("xy").value().ids, (std::vector{TokenId(std::size_t{'x'}), TokenId(std::size_t{'y'})}));
    const auto spaced = tokenizer->encode("ab c").value().ids;
    QVERIFY(std::ranges::find(spaced, abc) == spaced.end());
    // Short and long words merge in the same way.
    VocabularyMaker letters = makeGpt2();
    const auto same = tokenizerOf(letters.file());
    for (const std::size_t count : {1U, 2U, 3U, 31U, 47U, 48U, 49U, 50U, 63U, 64U, 65U, 1000U, 1023U}) {
        const auto ids = same->encode(std::string(count, 'a')).value().ids;
        QCOMPARE(ids.size(), count / 64 + static_cast<std::size_t>(std::popcount(count % 64)));
    }
}

// As tiktoken does with the ranks of Kimi K2: merges the neighbours that form the token with the lowest id.
void TestTokenizerKinds::mergesByIdWithoutMerges() {
    VocabularyMaker maker = makeGpt2("kimi-k2");
    maker.tokens.resize(256);
    maker.types.resize(256);
    const auto bc = TokenId(maker.add("bc"));
    const auto ab = TokenId(maker.add("ab"));
    const auto abcd = TokenId(maker.add("abcd")); // no two tokens form it, so it only occurs as a whole word
    const auto c = TokenId(std::size_t{'c'});
    const auto withoutMerges = [&](const char* pre) {
        return makeTokenizer(*gguf::read(GgufBuilder()
                                             .key("general.architecture", "deepseek2")
                                             .key("tokenizer.ggml.model", "gpt2")
                                             .key("tokenizer.ggml.pre", pre)
                                             .key("tokenizer.ggml.tokens", maker.tokens)
                                             .source())
                                  .value());
    };
    const auto tokenizer = withoutMerges("kimi-k2").value();
    QCOMPARE(tokenizer->encode("abc").value().ids, (std::vector{TokenId(std::size_t{'a'}), bc}));
    QCOMPARE(tokenizer->encode("abb").value().ids, (std::vector{ab, TokenId(std::size_t{'b'})}));
    QCOMPARE(tokenizer->encode("abcd").value().ids, std::vector{abcd});
    QCOMPARE(tokenizer->encode("cc").value().ids, (std::vector{c, c}));
    QVERIFY(!withoutMerges("qwen2"));
}

void TestTokenizerKinds::mergesUtf8() {
    const VocabularyMaker maker = makeUtf8Bpe("gemma4", "");
    const auto tokenizer = tokenizerOf(utf8BpeFile(maker));
    QVERIFY(tokenizer->findings().empty()); // the model names the rule
    QCOMPARE(tokenizer->preTokenizer(), std::string_view("gemma4"));
    const auto pieces = [&](std::string_view text) {
        QByteArrayList out;
        const auto encoding = tokenizer->encode(text, {.addBos = false}).value();
        for (const TokenId id : encoding.ids) {
            out << QByteArray(maker.tokens[id.value].c_str());
        }
        return out.join(' ');
    };
    QCOMPARE(pieces("hello hello"), QByteArray("hello \u2581hello"));
    QCOMPARE(pieces("  hello"), QByteArray("\u2581\u2581 hello"));
    QCOMPARE(pieces("a\n\na"), QByteArray("a \n\n a"));
    QCOMPARE(pieces("a\n\n\na"), QByteArray("a \n \n \n a")); // neither a token nor a merge exists for three
    QCOMPARE(pieces("h\u00E9"), QByteArray("h <0xC3> <0xA9>"));
    QCOMPARE(pieces("\xFF"), QByteArray("<0xFF>"));
    const auto encoding = tokenizer->encode("a \u00E9 hello", {.addBos = false, .ranges = true}).value();
    QVERIFY((encoding.ranges == std::vector<TextRange>{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 10}}));
    QCOMPARE(tokenizer->decode(encoding.ids).value(), std::string("a \u00E9 hello"));
}

// A vocabulary whose merges cross the beginning of a word must not be split there.
void TestTokenizerKinds::mergesAcrossSpacesWhereTheVocabularyDoes() {
    VocabularyMaker maker = makeUtf8Bpe("gemma4", "");
    maker.merges.insert(maker.merges.begin(), "o \u2581");
    const auto across = TokenId(maker.add("o\u2581"));
    const auto ids = tokenizerOf(utf8BpeFile(maker))->encode("hello hello", {.addBos = false}).value().ids;
    QVERIFY(std::ranges::find(ids, across) != ids.end());
}

void TestTokenizerKinds::beginsGemma4Always_data() {
    QTest::addColumn<QByteArray>("pre");
    QTest::addColumn<bool>("always");
    QTest::newRow("gemma4") << QByteArray("gemma4") << true;
    QTest::newRow("granite") << QByteArray("granite-embed-multi-311m") << true;
    QTest::newRow("sarvam") << QByteArray("sarvam-moe") << false;
}

void TestTokenizerKinds::beginsGemma4Always() {
    QFETCH(QByteArray, pre);
    QFETCH(bool, always);
    const auto file = utf8BpeFile(makeUtf8Bpe("gpt2", pre.toStdString())).key("tokenizer.ggml.add_bos_token", false);
    QCOMPARE(tokenizerOf(file)->addsBos(), always);
}

void TestTokenizerKinds::dropsWhiteSpace_data() {
    QTest::addColumn<bool>("lowerCase");
    QTest::addColumn<QByteArray>("tokens");
    QTest::newRow("as it is") << false << QByteArray("a <unk> a \u732B");
    QTest::newRow("lower case") << true << QByteArray("a a a \u732B");
}

void TestTokenizerKinds::dropsWhiteSpace() {
    QFETCH(bool, lowerCase);
    QFETCH(QByteArray, tokens);
    VocabularyMaker maker{.model = "whitespace", .pre = "whitespace"};
    maker.merges = {"x y"};
    const auto unknown = maker.add("<unk>", kUnknown);
    maker.add("a");
    maker.add("\u732B");
    const auto tokenizer = tokenizerOf(maker.file()
                                           .key("tokenizer.ggml.unknown_token_id", unknown)
                                           .key("tokenizer.ggml.normalizer.lowercase", lowerCase));
    const auto encoding = tokenizer->encode(" a\u3000A\r\na\t\u732B ", {.ranges = true}).value();
    QByteArrayList found;
    for (const TokenId id : encoding.ids) {
        found << QByteArray(maker.tokens[id.value].c_str());
    }
    QCOMPARE(found.join(' '), tokens);
    QVERIFY((encoding.ranges == std::vector<TextRange>{{1, 2}, {5, 6}, {8, 9}, {10, 13}}));
}

void TestTokenizerKinds::splitsDna_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("tokens");
    QTest::addColumn<QByteArray>("decoded");
    const auto row = [](const char* name, const char* text, const char* tokens, const char* decoded) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(tokens) << QByteArray(decoded);
    };
    row("sixes", "<dna>ACGTACGGGGGG</dna>", "<dna> ACGTAC. GGGGGG. </dna>", "<dna>ACGTACGGGGGG</dna>");
    row("lower case", "<dna>acgtac</dna>", "<dna> ACGTAC. </dna>", "<dna>ACGTAC</dna>");
    row("filled up", "<dna>GGGGGGtt</dna>", "<dna> GGGGGG. TTAAAA. </dna>", "<dna>GGGGGGTTAAAA</dna>");
    row("unknown six", "<dna>NNNNNN</dna>", "<dna> <oov> </dna>", "<dna><oov></dna>");
    row("without an end", "<dna>AAAAAA", "<dna> AAAAAA.", "<dna>AAAAAA");
    row("nothing inside", "<dna></dna>", "<dna> </dna>", "<dna></dna>");
    row("words around", "aa<dna>AAAAAA</dna>hello", "aa <dna> AAAAAA. </dna> hello", "aa<dna>AAAAAA</dna>hello");
    row("a word of the letters", "AAAAAA", "A A A A A A", "AAAAAA");
}

void TestTokenizerKinds::splitsDna() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, tokens);
    QFETCH(QByteArray, decoded);
    const auto tokenizer = made(QStringLiteral("hybriddna"));
    const auto encoding = tokenizer->encode(text.toStdString(), {.ranges = true}).value();
    QByteArrayList found;
    std::uint32_t at = 0;
    for (std::size_t i = 0; i < encoding.ids.size(); ++i) {
        const std::string_view token = tokenizer->vocabulary().text(encoding.ids[i]);
        found << QByteArray(token.data(), static_cast<qsizetype>(token.size())).replace("\xEE\x80\x80", ".");
        QCOMPARE(encoding.ranges[i].begin, at);
        at = encoding.ranges[i].end;
    }
    QCOMPARE(at, static_cast<std::uint32_t>(text.size()));
    QCOMPARE(found.join(' '), tokens);
    QCOMPARE(QByteArray::fromStdString(tokenizer->decode(encoding.ids).value()), decoded);
}

void TestTokenizerKinds::splitsByCost() {
    VocabularyMaker maker = makePlamo2();
    const auto add = [&](const char* text, float score) { return TokenId(maker.add(text, kNormal, score)); };
    const auto x = add("x", -3);
    const auto y = add("y", -3);
    const auto z = add("z", -3);
    const auto xy = add("xy", -4);
    const auto yz = add("yz", -3.5F);
    add("xyz", -2000); // the cost of tokens that are never used
    maker.add("xx", kControl, 0);
    const auto ids = [tokenizer = tokenizerOf(maker.file())](std::string_view text) {
        return tokenizer->encode(text).value().ids;
    };
    QCOMPARE(ids("xy"), std::vector{xy});
    QCOMPARE(ids("xyz"), (std::vector{x, yz}));
    QCOMPARE(ids("xx"), (std::vector{x, x})); // text never becomes a control token
    QCOMPARE(ids("zx"), (std::vector{z, x}));
    QCOMPARE(ids("\uFEFFy"), std::vector{y});
    const auto byte = [](unsigned value) { return TokenId(std::size_t{4 + value}); };
    QCOMPARE(ids("x\u00E9"), (std::vector{x, byte(0xC3), byte(0xA9)}));
    QCOMPARE(ids("\xE9"), std::vector{byte(0xE9)});
    // Among segmentations of equal cost, the one with the longer first token wins.
    add("q", -1);
    const auto r = add("r", -1);
    add("rq", -2);
    const auto qr = add("qr", -2);
    const auto equal = tokenizerOf(maker.file())->encode("qrr").value().ids;
    QCOMPARE(equal, (std::vector{qr, r}));
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
    for (const char* kind : {"gpt-2", "llama", "t5", "bert", "rwkv", "gemma4", "superbpe", "hybriddna", "plamo2"}) {
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
        {"no-break", "\xC2\xA0"}, {"apostrophe", "'"}, {"DNA", "<dna>AC"},
    };
    for (const char* kind : {"gpt-2", "llama", "t5", "bert", "rwkv", "gemma4", "superbpe", "hybriddna", "plamo2"}) {
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
    // For ten times the text, the time should grow about 10 times, or up to 14 times for n·log n and cache effects; 100
    // would be quadratic. Another process may disturb one measurement, but not four.
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
