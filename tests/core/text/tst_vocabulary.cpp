#include "model/finding_code.h"
#include "support/test_unit.h"
#include "tokenizer_helpers.h"

#include <QTest>

#include <cmath>

using namespace gufo;
using namespace gufo::text;
using namespace gufo::test;

class TestVocabulary : public QObject {
    Q_OBJECT

private slots:
    void knowsEndTokens();
    void knowsMessagesWithinTurns();
    void refusesBadVocabularies_data();
    void refusesBadVocabularies();
    void survivesOddVocabularies();
    void survivesBadCharsmaps();
    void reportsFindings();
    void refusesUnknownIds();
};

void TestVocabulary::knowsEndTokens() {
    VocabularyMaker maker = makeGpt2();
    const auto turn = TokenId(maker.add("<|im_end|>", kControl));
    const auto text = TokenId(maker.add("<|end|>")); // a normal token does not end generation
    const auto eos = TokenId(maker.add("<stop>", kControl));
    const auto tokenizer = tokenizerOf(maker.file().key("tokenizer.ggml.eos_token_id", eos.value));
    QVERIFY(tokenizer->endsGeneration(turn));
    QVERIFY(tokenizer->endsGeneration(eos));
    QVERIFY(!tokenizer->endsGeneration(text));
    QCOMPARE(tokenizer->specials().endOfGeneration.size(), 2U);
}

// "<|end|>" ends a message of gpt-oss, but not its turn.
void TestVocabulary::knowsMessagesWithinTurns() {
    VocabularyMaker maker = makeGpt2();
    const auto end = TokenId(maker.add("<|end|>", kControl));
    const auto call = TokenId(maker.add("<|call|>", kControl));
    QVERIFY(tokenizerOf(maker.file())->endsGeneration(end));
    const auto turn = TokenId(maker.add("<|return|>", kControl));
    const auto tokenizer = tokenizerOf(maker.file().key("tokenizer.ggml.eot_token_id", end.value));
    QVERIFY(!tokenizer->endsGeneration(end));
    QVERIFY(tokenizer->endsGeneration(call));
    QVERIFY(tokenizer->endsGeneration(turn));
    QVERIFY(tokenizerOf(maker.file().key("tokenizer.ggml.eos_token_id", end.value))->endsGeneration(end));
}

void TestVocabulary::refusesBadVocabularies_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<ErrorCode>("code");
    const auto row = [](const char* name, const GgufBuilder& file, ErrorCode code) {
        const auto bytes = file.build();
        QTest::newRow(name) << QByteArray(reinterpret_cast<const char*>(bytes.data()),
                                          static_cast<qsizetype>(bytes.size()))
                            << code;
    };
    const std::vector<std::string> tokens{"a", "b"};
    const auto start = [](std::string_view model) { return GgufBuilder().key("tokenizer.ggml.model", model); };
    row("no model", GgufBuilder().key("tokenizer.ggml.tokens", tokens), ErrorCode::NoSuchKey);
    row("model a number", GgufBuilder().key("tokenizer.ggml.model", 1), ErrorCode::WrongValueType);
    row("model unknown", start("magic").key("tokenizer.ggml.tokens", tokens), ErrorCode::NotSupported);
    row("no tokens", start("llama"), ErrorCode::NoSuchKey);
    row("tokens a string", start("llama").key("tokenizer.ggml.tokens", "a"), ErrorCode::WrongValueType);
    row("tokens numbers", start("llama").key("tokenizer.ggml.tokens", std::vector{1, 2}), ErrorCode::WrongValueType);
    row("tokens nested", start("llama").key("tokenizer.ggml.tokens", std::vector<std::vector<std::string>>{tokens}),
        ErrorCode::WrongValueType);
    const auto withTokens = [&](std::string_view model) { return start(model).key("tokenizer.ggml.tokens", tokens); };
    row("scores strings", withTokens("llama").key("tokenizer.ggml.scores", tokens), ErrorCode::WrongValueType);
    row("scores integers", withTokens("llama").key("tokenizer.ggml.scores", std::vector{1, 2}),
        ErrorCode::WrongValueType);
    row("scores a number", withTokens("llama").key("tokenizer.ggml.scores", 1.0F), ErrorCode::WrongValueType);
    row("too few scores", withTokens("llama").key("tokenizer.ggml.scores", std::vector{1.0F}),
        ErrorCode::UnequalArrays);
    row("too many scores", withTokens("llama").key("tokenizer.ggml.scores", std::vector{1.0F, 2.0F, 3.0F}),
        ErrorCode::UnequalArrays);
    row("types floats", withTokens("llama").key("tokenizer.ggml.token_type", std::vector{1.0F, 2.0F}),
        ErrorCode::WrongValueType);
    row("types nested", withTokens("llama").key("tokenizer.ggml.token_type", std::vector<std::vector<int>>{{1}, {2}}),
        ErrorCode::WrongValueType);
    row("too few types", withTokens("llama").key("tokenizer.ggml.token_type", std::vector{1}),
        ErrorCode::UnequalArrays);
    row("no merges", withTokens("gpt2"), ErrorCode::NoSuchKey);
    row("merges numbers", withTokens("gpt2").key("tokenizer.ggml.merges", std::vector{1}), ErrorCode::WrongValueType);
    row("charsmap floats", withTokens("t5").key("tokenizer.ggml.precompiled_charsmap", std::vector{1.0F}),
        ErrorCode::WrongValueType);
    row("charsmap a string", withTokens("t5").key("tokenizer.ggml.precompiled_charsmap", "x"),
        ErrorCode::WrongValueType);
    row("charsmap short", withTokens("t5").key("tokenizer.ggml.precompiled_charsmap", std::vector<std::uint8_t>{1, 2}),
        ErrorCode::Truncated);
    row("charsmap cut",
        withTokens("t5").key("tokenizer.ggml.precompiled_charsmap", std::vector<std::uint8_t>{9, 0, 0, 0, 1, 2}),
        ErrorCode::Truncated);
    row("a huge token", start("llama").key("tokenizer.ggml.tokens", std::vector<std::string>{std::string(10'000, 'a')}),
        ErrorCode::LimitExceeded);
}

void TestVocabulary::refusesBadVocabularies() {
    QFETCH(QByteArray, bytes);
    QFETCH(ErrorCode, code);
    const auto* from = reinterpret_cast<const std::byte*>(bytes.constData());
    const auto model =
        gguf::read(std::make_shared<MemorySource>(std::vector<std::byte>(from, from + bytes.size()), "file"));
    QVERIFY(model);
    const auto tokenizer = makeTokenizer(**model);
    QVERIFY(!tokenizer);
    QCOMPARE(errorName(tokenizer.error().code), errorName(code));
    QCOMPARE(tokenizer.error().file, std::filesystem::path("file"));
}

void TestVocabulary::survivesOddVocabularies() {
    const std::vector<std::string> odd{"",
                                       "",
                                       " ",
                                       "a",
                                       "a",
                                       "aa",
                                       "\xFF",
                                       "\xE2\x96",
                                       std::string("\0", 1),
                                       "<0xZZ>",
                                       "<0x",
                                       "\\x",
                                       "\\",
                                       "\xE2\x96\x81",
                                       "\xE2\x96\x81\xE2\x96\x81",
                                       "##a"};
    const std::vector<std::int32_t> types{1, 3, 4, 6, 2, 1, 1, 1, 1, 6, 6, 1, 1, 1, -7, 99};
    const std::vector<std::string> merges{"", " ", "a", "a a", "a a", " a", "a ", "  ", "aa a", "a aa", "\xFF \xFF"};
    const std::vector<float> scores{0, NAN, INFINITY, -INFINITY, 1e38F, -1e38F, 0, 0, NAN, NAN, 1, 1, 1, 1, 1, 1};
    for (const char* kind : {"llama", "gpt2", "bert", "t5", "rwkv"}) {
        for (const bool withTypes : {false, true}) {
            GgufBuilder file;
            file.key("tokenizer.ggml.model", kind)
                .key("tokenizer.ggml.tokens", odd)
                .key("tokenizer.ggml.scores", scores)
                .key("tokenizer.ggml.merges", merges);
            if (withTypes) {
                file.key("tokenizer.ggml.token_type", types);
            }
            const auto tokenizer = tokenizerOf(file);
            for (const std::string& text : manyTexts()) {
                const auto encoding = tokenizer->encode(text, {.parseSpecial = true, .ranges = true});
                QVERIFY(encoding);
                QCOMPARE(encoding->ranges.size(), encoding->ids.size());
                QVERIFY(tokenizer->decode(encoding->ids));
            }
        }
        const auto empty = tokenizerOf(GgufBuilder()
                                           .key("tokenizer.ggml.model", kind)
                                           .key("tokenizer.ggml.tokens", std::vector<std::string>{})
                                           .key("tokenizer.ggml.merges", std::vector<std::string>{}));
        QCOMPARE(empty->encode("some text").value().ids.size(), 0U);
        QCOMPARE(empty->decode({}).value(), std::string());
    }
}

void TestVocabulary::survivesBadCharsmaps() {
    std::mt19937 random(11);
    for (int round = 0; round < 200; ++round) {
        std::vector<std::uint8_t> table(4 + random() % 256);
        std::ranges::generate(table, [&] { return static_cast<std::uint8_t>(random()); });
        const auto trie = static_cast<std::uint32_t>(random() % (table.size() - 3));
        table[0] = static_cast<std::uint8_t>(trie);
        table[1] = table[2] = table[3] = 0;
        const auto tokenizer =
            tokenizerOf(makeSentencePiece("t5").file().key("tokenizer.ggml.precompiled_charsmap", table));
        for (const std::string& text : manyTexts()) {
            QVERIFY(tokenizer->encode(text));
        }
    }
}

void TestVocabulary::reportsFindings() {
    const auto codes = [](const GgufBuilder& file) {
        std::vector<FindingCode> out;
        const auto tokenizer = tokenizerOf(file);
        for (const Finding& finding : tokenizer->findings()) {
            out.push_back(finding.code);
        }
        return out;
    };
    QVERIFY(codes(makeGpt2().file()).empty());
    QVERIFY(codes(makeGpt2("from-the-future").file()) == std::vector{FindingCode::UnknownPreTokenizer});
    QVERIFY(codes(makeGpt2("").file()) == std::vector{FindingCode::MissingPreTokenizer});
    QCOMPARE(tokenizerOf(makeGpt2("from-the-future").file())->preTokenizer(), std::string_view("default"));
    QVERIFY(codes(makeGpt2().file().key("tokenizer.ggml.bos_token_id", std::uint32_t{999'999})) ==
            std::vector{FindingCode::TokenIdUnusable});
    QVERIFY(codes(makeGpt2().file().key("tokenizer.ggml.eos_token_id", "text")) ==
            std::vector{FindingCode::TokenIdUnusable});
    QVERIFY(codes(makeGpt2().file().key("tokenizer.ggml.eos_token_id", std::int32_t{-1})) ==
            std::vector{FindingCode::TokenIdUnusable});
}

void TestVocabulary::refusesUnknownIds() {
    const auto tokenizer = made(QStringLiteral("gpt-2"));
    const auto decoded = tokenizer->decode(std::vector{TokenId(tokenizer->vocabulary().size())});
    QVERIFY(!decoded);
    QCOMPARE(errorName(decoded.error().code), errorName(ErrorCode::NoSuchToken));
    QCOMPARE(tokenizer->bytesOf(TokenId(tokenizer->vocabulary().size())), std::string());
}

GUFO_TEST(TestVocabulary)
#include "tst_vocabulary.moc"
