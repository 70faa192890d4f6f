// The readers of tokenizer files: what they accept, what they refuse, and what becomes of files that disagree.
#include "base/detail.h"
#include "convert/vocabulary/sentencepiece_model.h"
#include "convert/vocabulary/tokenizer_json.h"
#include "support/test_unit.h"
#include "tokenizer_folder.h"

using namespace gufo;
using namespace gufo::test;

namespace {

// Protobuf: a field of bytes, and a varint.
QByteArray field(int number, const QByteArray& bytes) {
    return QByteArray(1, static_cast<char>(number << 3 | 2)) + QByteArray(1, static_cast<char>(bytes.size())) + bytes;
}
QByteArray number(int field, int value) {
    return QByteArray(1, static_cast<char>(field << 3)) + QByteArray(1, static_cast<char>(value));
}
QByteArray piece(const QByteArray& text, int type) { return field(1, field(1, text) + number(3, type)); }

} // namespace

class TestTokenizerFiles : public QObject {
    Q_OBJECT

private slots:
    void malformedJson_data();
    void malformedJson();
    void malformedPieces_data();
    void malformedPieces();
    void idsBeyondTheLimit();
    void cancelled();
    void mergesAsPairs();
    void holesAndAddedTokens();
    void filesThatDisagree();
    void piecesOfBothAlgorithms();
    void sentencePieceAsJson();
    void shownTokensOfGemma4();
    void unigramJson();
    void ranks();
    void tekken();
    void piecesOfMistralsFormat();
    void vocabAndMerges();
    void wordPieceList();
};

void TestTokenizerFiles::malformedJson_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const QByteArray& text, const char* error = "bad_syntax") {
        QTest::newRow(name) << text << QString::fromLatin1(error);
    };
    row("a list", "[]");
    row("cut", R"({"model": {"vocab": {"a": 0, )");
    row("text behind it", "{} x");
    row("model is a list", R"({"model": []})");
    row("negative id", R"({"model": {"vocab": {"a": -1}}})");
    row("id with a fraction", R"({"model": {"vocab": {"a": 0.5}}})");
    row("id is a text", R"({"model": {"vocab": {"a": "0"}}})");
    row("id of 64 bits and more", R"({"model": {"vocab": {"a": 18446744073709551616}}})");
    row("merge of one part", R"({"model": {"merges": [["a"]]}})");
    row("merge of three parts", R"({"model": {"merges": [["a", "b", "c"]]}})");
    row("merge is a number", R"({"model": {"merges": [1]}})");
    row("piece without a score", R"({"model": {"type": "Unigram", "vocab": [["a"]]}})");
    row("score is a text", R"({"model": {"type": "Unigram", "vocab": [["a", "0"]]}})");
    row("added token without an id", R"({"added_tokens": [{"content": "a"}]})");
    row("added token is a text", R"({"added_tokens": ["a"]})");
    row("half a surrogate pair", R"({"model": {"vocab": {"\ud800": 0}}})");
    row("not UTF-8", "{\"model\": {\"vocab\": {\"\xFF\": 0}}}");
    row("too deep", R"({"normalizer": )" + QByteArray(100, '[') + QByteArray(100, ']') + "}", "nesting_too_deep");
    row("id beyond the limit", R"({"model": {"vocab": {"a": 4294967295}}})", "limit_exceeded");
    row("added id beyond the limit", R"({"added_tokens": [{"id": 99999999, "content": "a"}]})", "limit_exceeded");
    row("setting that is too large", R"({"decoder": ")" + QByteArray(9 << 20, 'x') + "\"}", "limit_exceeded");
    row("kind that GGUF lacks", R"({"model": {"type": "WordLevel", "vocab": {"a": 0}}})", "not_supported");
}

void TestTokenizerFiles::malformedJson() {
    QFETCH(const QByteArray, text);
    QFETCH(const QString, error);
    const TokenizerFolder folder;
    folder.write("tokenizer.json", text);
    QCOMPARE(QString::fromLatin1(errorOf(folder.plan())), error);
}

void TestTokenizerFiles::malformedPieces_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("isCut"); // a value is longer than the rest of its message
    const auto row = [](const char* name, const QByteArray& bytes) { QTest::newRow(name) << bytes << false; };
    const auto cutRow = [](const char* name, const QByteArray& bytes) { QTest::newRow(name) << bytes << true; };
    row("only the tag", QByteArray("\x0A"));
    cutRow("length past the end", QByteArray("\x0A\x7F") + "abc");
    cutRow("length of 64 bits", QByteArray("\x0A") + QByteArray(9, '\xFF') + "\x01");
    row("endless varint", QByteArray("\x0A") + QByteArray(20, '\xFF'));
    row("group", piece("a", 1) + "\x0B");
    row("unknown wire type", piece("a", 1) + "\x0F");
    row("field 0", piece("a", 1) + QByteArray("\x02\x01x", 3));
    cutRow("score that is cut", field(1, field(1, "a") + QByteArray("\x15\x00\x00", 3)));
    cutRow("piece that is damaged inside", field(1, QByteArray("\x0A\x05") + "a"));
    cutRow("fixed number that is cut", piece("a", 1) + QByteArray("\x09\x00\x00", 3));
    row("trainer that is damaged", piece("a", 1) + field(2, QByteArray("\x18")));
}

void TestTokenizerFiles::malformedPieces() {
    QFETCH(const QByteArray, bytes);
    const TokenizerFolder folder;
    folder.write("tokenizer.model", bytes);
    const auto plan = folder.plan();
    QFETCH(const bool, isCut);
    QCOMPARE(QLatin1String(errorOf(plan)), QLatin1String(isCut ? "truncated" : "malformed"));
    QVERIFY(plan.error().args.front().detail() == (isCut ? Detail::Value : Detail::ProtobufDamaged));
    QCOMPARE(plan.error().file.filename().string(), std::string("tokenizer.model"));
    QVERIFY(!readSentencePieceModel({}).has_value());
}

void TestTokenizerFiles::idsBeyondTheLimit() {
    const TokenizerFolder folder;
    folder.write("tokenizer.json", R"({"model": {"type": "BPE", "vocab": {"a": 0}}})");
    folder.write("config.json", R"({"vocab_size": 9007199254740993})");
    QCOMPARE(QLatin1String(errorOf(folder.plan())), QLatin1String("limit_exceeded"));
    QCOMPARE(QLatin1String(errorOf(folder.plan({.architecture = "llama", .embeddingRows = kMaxTokens + 1}))),
             QLatin1String("limit_exceeded"));
}

void TestTokenizerFiles::cancelled() {
    QByteArray text = R"({"model": {"vocab": {)";
    for (int i = 0; i < 10'000; ++i) {
        text += "\"t" + QByteArray::number(i) + "\":" + QByteArray::number(i) + ",";
    }
    text += "\"x\":10000}}}";
    std::stop_source stop;
    JobContext job;
    job.stop = stop.get_token();
    QVERIFY(readTokenizerJson(text.toStdString(), job).has_value());
    stop.request_stop();
    QCOMPARE(QLatin1String(errorOf(readTokenizerJson(text.toStdString(), job))), QLatin1String("cancelled"));
}

void TestTokenizerFiles::mergesAsPairs() {
    const TokenizerFolder folder;
    folder.write("tokenizer.json", R"({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges":
        [["a", "b"], ["a b", " "]]}})");
    const auto plan = folder.plan();
    QVERIFY(plan.has_value());
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.merges"), QString::fromUtf8("a b|a\u0120b \u0120"));
}

void TestTokenizerFiles::holesAndAddedTokens() {
    const TokenizerFolder folder;
    folder.write("tokenizer.json", R"({"added_tokens": [
        {"id": 3, "content": "<s>", "special": true}, {"id": 4, "content": "<|x|>", "special": false},
        {"id": 5, "content": "a\u2581b", "special": false}],
        "model": {"type": "BPE", "vocab": {"a": 0, "b": 2}}})");
    folder.write("config.json", R"({"vocab_size": 7})");
    const auto plan = folder.plan();
    QVERIFY(plan.has_value());
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.tokens"), QStringLiteral("a|[PAD1]|b|<s>|<|x|>|a b|[PAD6]"));
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.token_type"), QStringLiteral("1|5|1|3|3|4|5"));
    QVERIFY(hasFinding(*plan, "vocabulary_padded"));
    QCOMPARE(plan->tokens, 7U);
}

void TestTokenizerFiles::filesThatDisagree() {
    const TokenizerFolder folder;
    folder.write("tokenizer.json", R"({"added_tokens": [{"id": 3, "content": "<end>", "special": true}],
        "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "c": 2}}})");
    folder.write("config.json", R"({"vocab_size": 100, "bos_token_id": 50})");
    // The rows of the embedding count, whatever the configuration says.
    const auto cut = folder.plan({.architecture = "llama", .embeddingRows = 2});
    QVERIFY(cut.has_value());
    QCOMPARE(textsOf(*cut, "tokenizer.ggml.tokens"), QStringLiteral("a|b"));
    QVERIFY(hasFinding(*cut, "vocabulary_cut"));
    QVERIFY(hasFinding(*cut, "added_token_left_out"));
    QVERIFY(hasFinding(*cut, "token_id_unusable"));
    QVERIFY(valueOf(*cut, "tokenizer.ggml.bos_token_id").isUndefined());
    const auto fits = folder.plan({.architecture = "llama", .embeddingRows = 4});
    QVERIFY(fits.has_value());
    QCOMPARE(textsOf(*fits, "tokenizer.ggml.tokens"), QStringLiteral("a|b|c|<end>"));
    QVERIFY(!hasFinding(*fits, "vocabulary_cut") && !hasFinding(*fits, "vocabulary_padded"));

    const TokenizerFolder renamed;
    renamed.write("tokenizer.json", R"({"added_tokens": [{"id": 1, "content": "<end>", "special": true}],
        "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "c": 2}}})");
    const auto replaced = renamed.plan({.architecture = "llama", .embeddingRows = 3});
    QVERIFY(replaced.has_value());
    QCOMPARE(textsOf(*replaced, "tokenizer.ggml.tokens"), QStringLiteral("a|<end>|c"));
    QVERIFY(hasFinding(*replaced, "token_replaced"));

    const TokenizerFolder pieces;
    pieces.write("tokenizer.model", piece("<unk>", 2) + piece("a", 1) + field(2, number(3, 2)));
    pieces.write("added_tokens.json", R"({"<new>": 2, "<far>": 9, "odd": "x"})");
    pieces.write("tokenizer_config.json",
                 R"({"added_tokens_decoder": {"1": {"content": "b"}, "x": {"content": "y"}}})");
    const auto plan = pieces.plan({.architecture = "llama", .embeddingRows = 4});
    QVERIFY(plan.has_value());
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.tokens"), QStringLiteral("<unk>|b|<new>|[PAD3]"));
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.token_type"), QStringLiteral("2|4|4|5"));
    QVERIFY(hasFinding(*plan, "token_replaced"));
    QVERIFY(hasFinding(*plan, "added_token_left_out"));

    const auto none = TokenizerFolder().plan();
    QVERIFY(none.has_value());
    QVERIFY(none->keys.empty() && hasFinding(*none, "tokenizer_missing"));
}

void TestTokenizerFiles::piecesOfBothAlgorithms() {
    const QByteArray pieces = piece("<unk>", 2) + piece("<s>", 3) + piece("<0x41>", 6) + piece("x", 4) + piece("y", 5);
    const TokenizerFolder folder;
    folder.write("tokenizer.model", pieces + field(2, number(3, 2)));
    const auto bpe = folder.plan();
    QVERIFY(bpe.has_value());
    QCOMPARE(valueOf(*bpe, "tokenizer.ggml.model").toString(), QStringLiteral("llama"));
    QCOMPARE(textsOf(*bpe, "tokenizer.ggml.token_type"), QStringLiteral("2|3|6|1|5"));
    folder.write("tokenizer.model", pieces + field(3, field(2, "map") + number(3, 0) + number(4, 0)));
    const auto unigram = folder.plan({.architecture = "t5"});
    QVERIFY(unigram.has_value());
    QCOMPARE(valueOf(*unigram, "tokenizer.ggml.model").toString(), QStringLiteral("t5"));
    QCOMPARE(valueOf(*unigram, "tokenizer.ggml.add_space_prefix"), QJsonValue(false));
    QCOMPARE(valueOf(*unigram, "tokenizer.ggml.remove_extra_whitespaces"), QJsonValue(false));
    QCOMPARE(valueOf(*unigram, "tokenizer.ggml.precompiled_charsmap").toArray(), QJsonArray({'m', 'a', 'p'}));
    // A byte-level tokenizer.json beside it describes the tokenizer better.
    folder.write("tokenizer.json",
                 R"({"pre_tokenizer": {"type": "ByteLevel"}, "model": {"type": "BPE", "vocab": {"a": 0}}})");
    QCOMPARE(valueOf(*folder.plan(), "tokenizer.ggml.model").toString(), QStringLiteral("gpt2"));
}

// SentencePiece's BPE is also written as tokenizer.json; scores then give the order of the merges.
void TestTokenizerFiles::sentencePieceAsJson() {
    const TokenizerFolder folder;
    folder.write("tokenizer.json", R"({"normalizer": {"type": "Sequence", "normalizers": [
        {"type": "Prepend", "prepend": "\u2581"}]}, "added_tokens": [{"id": 1, "content": "<s>", "special": true}],
        "model": {"type": "BPE", "byte_fallback": true, "unk_token": "<unk>", "vocab": {"<unk>": 0, "<s>": 1,
        "<0x41>": 2, "abc": 3, "ab": 4, "a": 5}, "merges": ["a b", "ab c"]}})");
    const auto plan = folder.plan();
    QVERIFY(plan.has_value());
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.model").toString(), QStringLiteral("llama"));
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.token_type"), QStringLiteral("2|3|6|1|1|1"));
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.scores"), QStringLiteral("0|0|0|-2|-1|0"));
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.add_space_prefix"), QJsonValue(true));
    QVERIFY(valueOf(*plan, "tokenizer.ggml.merges").isUndefined());
    const auto gemma4 = folder.plan({.architecture = "gemma4"});
    QVERIFY(gemma4.has_value());
    QCOMPARE(valueOf(*gemma4, "tokenizer.ggml.model").toString(), QStringLiteral("gemma4"));
    QVERIFY(valueOf(*gemma4, "tokenizer.ggml.pre").isUndefined());
    QCOMPARE(textsOf(*gemma4, "tokenizer.ggml.merges"), QStringLiteral("a b|ab c"));
    QCOMPARE(valueOf(*gemma4, "tokenizer.ggml.add_bos_token"), QJsonValue(true));
    QCOMPARE(valueOf(*gemma4, "tokenizer.ggml.add_space_prefix"), QJsonValue(false));
}

// Of Gemma 4's special tokens, runtimes print the ones that separate channels and calls of tools.
void TestTokenizerFiles::shownTokensOfGemma4() {
    const TokenizerFolder folder;
    folder.write("tokenizer.json", R"({"added_tokens": [{"id": 1, "content": "<|channel>", "special": true},
        {"id": 2, "content": "<|turn>", "special": true}, {"id": 3, "content": "<|\"|>", "special": true}],
        "model": {"type": "BPE", "byte_fallback": true, "vocab": {"a": 0}, "merges": []}})");
    QCOMPARE(textsOf(*folder.plan({.architecture = "gemma4"}), "tokenizer.ggml.token_type"), QStringLiteral("1|4|3|4"));
    QCOMPARE(textsOf(*folder.plan({.architecture = "gemma3"}), "tokenizer.ggml.token_type"), QStringLiteral("1|3|3|3"));
}

void TestTokenizerFiles::unigramJson() {
    const TokenizerFolder folder;
    folder.write("tokenizer.json", R"({"normalizer": {"type": "Sequence", "normalizers": [
        {"type": "Precompiled", "precompiled_charsmap": "bWFw"}, {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]},
        "pre_tokenizer": {"type": "Metaspace", "prepend_scheme": "never"},
        "added_tokens": [{"id": 0, "content": "<s>", "special": true}],
        "model": {"type": "Unigram", "unk_id": 1, "vocab": [["<s>", 0], ["<unk>", 0], ["a", -1.5]]}})");
    const auto plan = folder.plan({.architecture = "bert"});
    QVERIFY(plan.has_value());
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.model").toString(), QStringLiteral("t5"));
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.scores"), QStringLiteral("0|0|-1.5"));
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.token_type"), QStringLiteral("3|2|1"));
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.add_space_prefix"), QJsonValue(false));
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.remove_extra_whitespaces"), QJsonValue(true));
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.token_type_count").toInt(), 1);
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.precompiled_charsmap").toArray(), QJsonArray({'m', 'a', 'p'}));
}

void TestTokenizerFiles::ranks() {
    const TokenizerFolder folder;
    const auto line = [](const QByteArray& bytes, int rank) {
        return bytes.toBase64() + " " + QByteArray::number(rank) + "\n";
    };
    folder.write("qwen.tiktoken", line("a", 0) + line(" ", 1) + line("b", 2) + line("ab", 3) + line(" ab", 4) +
                                      line("aab", 5) + line("zz", 6));
    folder.write("tokenizer_config.json",
                 R"({"added_tokens_decoder": {"7": {"content": "<|end|>", "special": true}}})");
    const auto plan = folder.plan({.architecture = "qwen"});
    QVERIFY(plan.has_value());
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.tokens"), QString::fromUtf8("a|\u0120|b|ab|\u0120ab|aab|zz|<|end|>"));
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.merges"), QString::fromUtf8("a b|\u0120 ab|a ab|z z"));
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.pre").toString(), QStringLiteral("qwen2"));
    QVERIFY(hasFinding(*plan, "pre_tokenizer_unverified"));
    folder.write("qwen.tiktoken", line("a", 0) + "???? 1\n");
    QCOMPARE(QLatin1String(errorOf(folder.plan())), QLatin1String("bad_syntax"));
    folder.write("qwen.tiktoken", line("a", 2'000'000'000));
    QCOMPARE(QLatin1String(errorOf(folder.plan())), QLatin1String("limit_exceeded"));
}

void TestTokenizerFiles::tekken() {
    const TokenizerFolder folder;
    folder.write("tekken.json", R"({"config": {"default_vocab_size": 6, "default_num_special_tokens": 3}, "vocab": [
        {"rank": 0, "token_bytes": "YQ==", "token_str": "a"}, {"rank": 1, "token_bytes": "Yg==", "token_str": "b"},
        {"rank": 2, "token_bytes": "YWI=", "token_str": "ab"}, {"rank": 3, "token_bytes": "YWJi", "token_str": "abb"}],
        "special_tokens": [{"rank": 0, "token_str": "<unk>"}, {"rank": 1, "token_str": "<s>"}]})");
    const auto plan = folder.plan();
    QVERIFY2(plan.has_value(), errorOf(plan));
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.tokens"), QStringLiteral("<unk>|<s>|<SPECIAL_2>|a|b|ab"));
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.merges"), QStringLiteral("a b"));
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.pre").toString(), QStringLiteral("tekken"));
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.bos_token_id").toInt(), 1);
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.unknown_token_id").toInt(-1), 0);
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.add_bos_token"), QJsonValue(true));
    folder.write("tekken.json", R"({"special_tokens": [{"rank": 3000000000, "token_str": "x"}]})");
    QCOMPARE(QLatin1String(errorOf(folder.plan())), QLatin1String("limit_exceeded"));
    folder.write("tekken.json", R"({"vocab": [{"rank": 0, "token_bytes": "?"}]})");
    QCOMPARE(QLatin1String(errorOf(folder.plan())), QLatin1String("bad_syntax"));
}

// The name of the file ends with a version, and no file names the special tokens.
void TestTokenizerFiles::piecesOfMistralsFormat() {
    const QByteArray pieces = piece("<unk>", 2) + piece("<s>", 3) + piece("</s>", 3) + piece("x", 1);
    const TokenizerFolder folder;
    folder.write("tokenizer.model.v3", pieces + field(2, number(3, 2)));
    folder.write("params.json", R"({"vocab_size": 4})");
    const auto plan = folder.plan();
    QVERIFY2(plan.has_value(), errorOf(plan));
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.model").toString(), QStringLiteral("llama"));
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.tokens"), QStringLiteral("<unk>|<s>|</s>|x"));
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.bos_token_id").toInt(-1), 1);
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.eos_token_id").toInt(-1), 2);
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.unknown_token_id").toInt(-1), 0);
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.add_bos_token"), QJsonValue(true));
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.add_eos_token"), QJsonValue(false));
}

void TestTokenizerFiles::vocabAndMerges() {
    const TokenizerFolder folder;
    folder.write("vocab.json", R"({"a": 0, "b": 1, "ab": 2})");
    folder.write("merges.txt", "#version: 0.2\na b\r\n\nab b\nonly\na b c\n");
    folder.write("config.json", R"({"eos_token_id": 2})");
    const auto plan = folder.plan({.architecture = "gpt2"});
    QVERIFY(plan.has_value());
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.tokens"), QStringLiteral("a|b|ab"));
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.merges"), QStringLiteral("a b|ab b"));
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.pre").toString(), QStringLiteral("gpt-2"));
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.eos_token_id").toInt(), 2);
}

void TestTokenizerFiles::wordPieceList() {
    const TokenizerFolder folder;
    folder.write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nword\n##s\n");
    const auto plan = folder.plan({.architecture = "bert"});
    QVERIFY(plan.has_value());
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.tokens"), QString::fromUtf8("[PAD]|[UNK]|[CLS]|[SEP]|\u2581word|s"));
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.token_type"), QStringLiteral("3|3|3|3|1|1"));
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.bos_token_id").toInt(), 2);
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.seperator_token_id").toInt(), 3);
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.add_eos_token"), QJsonValue(true));
}

GUFO_TEST_APPLESS(TestTokenizerFiles)
#include "tst_tokenizer_files.moc"
