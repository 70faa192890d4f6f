// The readers of tokenizer files: what they accept, what they refuse, and what becomes of files that disagree.
#include "../text/pre_tokenizer_regexes.h"
#include "base/detail.h"
#include "convert/vocabulary/pre_tokenizer_rule.h"
#include "convert/vocabulary/ranked_tokens.h"
#include "convert/vocabulary/sentencepiece_model.h"
#include "convert/vocabulary/tokenizer_json.h"
#include "convert/vocabulary/vocabulary_plan.h"
#include "expected_keys.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace gufo;
using namespace gufo::convert;
using namespace gufo::test;

namespace {

class Folder {
public:
    void write(const char* name, const QByteArray& text) const {
        QFile file(m_folder.filePath(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    [[nodiscard]] SourceFolder source() const { return *SourceFolder::of(m_folder.path().toStdString(), nullptr); }
    [[nodiscard]] Result<VocabularyPlan> plan(const VocabularyOptions& options = {.architecture = "llama"}) const {
        return planVocabulary(source(), options);
    }

private:
    QTemporaryDir m_folder;
};

QJsonValue valueOf(const VocabularyPlan& plan, const char* key) {
    const auto row = std::ranges::find(plan.keys, key, &PlannedKey::key);
    return row == plan.keys.end() ? QJsonValue(QJsonValue::Undefined) : jsonOfKey(*row)["value"];
}

QString textsOf(const VocabularyPlan& plan, const char* key) {
    return valueOf(plan, key).toVariant().toStringList().join(QLatin1Char('|'));
}

bool hasFinding(const VocabularyPlan& plan, const char* name) {
    return std::ranges::any_of(plan.findings, [&](const Finding& finding) { return finding.name() == name; });
}

const char* errorOf(const auto& result) { return result ? "" : errorName(result.error().code).data(); }

// Protobuf: a field of bytes, and a varint.
QByteArray field(int number, const QByteArray& bytes) {
    return QByteArray(1, static_cast<char>(number << 3 | 2)) + QByteArray(1, static_cast<char>(bytes.size())) + bytes;
}
QByteArray number(int field, int value) {
    return QByteArray(1, static_cast<char>(field << 3)) + QByteArray(1, static_cast<char>(value));
}
QByteArray piece(const QByteArray& text, int type) { return field(1, field(1, text) + number(3, type)); }

PreTokenizerNode nodeOf(const QStringList& patterns) {
    PreTokenizerNode node;
    for (const QString& pattern : patterns) {
        node.steps.push_back({pattern.toStdString()});
    }
    node.byteLevel = true;
    return node;
}

PreTokenizerNode nodeOf(const char* json) { return readPreTokenizer(*readJson(json)); }

QStringList wordsOf(const PreTokenizerNode& node, const char* text) {
    QStringList words;
    for (const std::string& word : splitByNode(node, text).value_or(std::vector<std::string>{"not split"})) {
        words << QString::fromStdString(word);
    }
    return words;
}

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
    void specialTokens_data();
    void specialTokens();
    void everyRuleIsRecognised();
    void unknownPreTokenizer();
    void behaviours();
    void piecesOfBothAlgorithms();
    void sentencePieceAsJson();
    void unigramJson();
    void ranks();
    void tekken();
    void vocabAndMerges();
    void wordPieceList();
    void chatTemplates();
    void sourceFolder();
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
    const Folder folder;
    folder.write("tokenizer.json", text);
    QCOMPARE(QString::fromLatin1(errorOf(folder.plan())), error);
}

void TestTokenizerFiles::malformedPieces_data() {
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* name, const QByteArray& bytes) { QTest::newRow(name) << bytes; };
    row("only the tag", QByteArray("\x0A"));
    row("length past the end", QByteArray("\x0A\x7F") + "abc");
    row("length of 64 bits", QByteArray("\x0A") + QByteArray(9, '\xFF') + "\x01");
    row("endless varint", QByteArray("\x0A") + QByteArray(20, '\xFF'));
    row("group", piece("a", 1) + "\x0B");
    row("unknown wire type", piece("a", 1) + "\x0F");
    row("field 0", piece("a", 1) + QByteArray("\x02\x01x", 3));
    row("score that is cut", field(1, field(1, "a") + QByteArray("\x15\x00\x00", 3)));
    row("piece that is damaged inside", field(1, QByteArray("\x0A\x05") + "a"));
    row("fixed number that is cut", piece("a", 1) + QByteArray("\x09\x00\x00", 3));
    row("trainer that is damaged", piece("a", 1) + field(2, QByteArray("\x18")));
}

void TestTokenizerFiles::malformedPieces() {
    QFETCH(const QByteArray, bytes);
    const Folder folder;
    folder.write("tokenizer.model", bytes);
    const auto plan = folder.plan();
    QCOMPARE(QLatin1String(errorOf(plan)), QLatin1String("malformed"));
    QVERIFY(plan.error().args.front().detail() == Detail::ProtobufDamaged);
    QCOMPARE(plan.error().file.filename().string(), std::string("tokenizer.model"));
    QVERIFY(!readSentencePieceModel({}).has_value());
}

void TestTokenizerFiles::idsBeyondTheLimit() {
    const Folder folder;
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
    const Folder folder;
    folder.write("tokenizer.json", R"({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges":
        [["a", "b"], ["a b", " "]]}})");
    const auto plan = folder.plan();
    QVERIFY(plan.has_value());
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.merges"), QString::fromUtf8("a b|a\u0120b \u0120"));
}

void TestTokenizerFiles::holesAndAddedTokens() {
    const Folder folder;
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
    const Folder folder;
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

    const Folder pieces;
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

    const auto none = Folder().plan();
    QVERIFY(none.has_value());
    QVERIFY(none->keys.empty() && hasFinding(*none, "tokenizer_missing"));
}

void TestTokenizerFiles::specialTokens_data() {
    QTest::addColumn<QByteArray>("processor");
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QString>("expected"); // bos eos eot sep, then what is added
    const auto row = [](const char* name, const QByteArray& processor, const QByteArray& config, const char* expected) {
        QTest::newRow(name) << processor << config << QString::fromLatin1(expected);
    };
    const QByteArray s = R"({"SpecialToken": {"id": "<s>"}})";
    const QByteArray e = R"({"SpecialToken": {"id": "</s>"}})";
    const QByteArray a = R"({"Sequence": {"id": "A"}})";
    const QByteArray b = R"({"Sequence": {"id": "B"}})";
    const QByteArray kind = R"({"type": "TemplateProcessing", "single": [)";
    const QByteArray texts = R"({"bos_token": "<s>", "eos_token": "</s>"})";
    row("nothing", "null", texts, "0 1 - - false false -");
    row("beginning", kind + s + "," + a + "]}", texts, "0 1 - - true false -");
    row("both", kind + s + "," + a + "," + e + "]}", texts, "0 1 - - true true -");
    row("pair", kind + s + "," + a + "," + e + R"(], "pair": [)" + s + "," + a + "," + e + "," + b + "," + e + "]}",
        texts, "0 1 - - true true false");
    row("two separators",
        kind + s + "," + a + "," + e + R"(], "pair": [)" + s + "," + a + "," + e + "," + e + "," + b + "," + e + "]}",
        texts, "0 1 - 1 true true true");
    row("roberta", R"({"type": "RobertaProcessing", "cls": ["<s>", 0], "sep": ["</s>", 1]})", texts,
        "0 1 - 1 true true true");
    row("configuration decides", kind + s + "," + a + "]}",
        R"({"bos_token": {"content": "<s>"}, "eos_token": "</s>", "add_bos_token": false})", "0 1 - - false false -");
    row("other end", kind + a + "," + e + "]}", R"({"eos_token": "<eot>"})", "- 1 2 - false true -");
    row("cls and sep", "null", R"({"cls_token": "<s>", "sep_token": "</s>"})", "0 1 - 1 false false -");
    row("no configuration", kind + s + "," + a + "," + e + "]}", "", "- - - - true true -");
    row("odd template", R"({"type": "TemplateProcessing", "single": [1, "x"], "pair": {}})", texts,
        "0 1 - - false false -");
}

void TestTokenizerFiles::specialTokens() {
    QFETCH(const QByteArray, processor);
    QFETCH(const QByteArray, config);
    QFETCH(const QString, expected);
    const Folder folder;
    folder.write("tokenizer.json", R"({"added_tokens": [{"id": 0, "content": "<s>", "special": true},
        {"id": 1, "content": "</s>", "special": true}, {"id": 2, "content": "<eot>", "special": true}],
        "post_processor": )" + processor +
                                       R"(, "model": {"type": "BPE", "vocab": {"a": 3}}})");
    folder.write("tokenizer_config.json", config);
    const auto plan = folder.plan();
    QVERIFY2(plan.has_value(), errorOf(plan));
    QStringList found;
    for (const char* key : {"bos_token_id", "eos_token_id", "eot_token_id", "seperator_token_id", "add_bos_token",
                            "add_eos_token", "add_sep_token"}) {
        const QJsonValue value = valueOf(*plan, ("tokenizer.ggml." + std::string(key)).c_str());
        found << (value.isUndefined() ? QStringLiteral("-") : value.toVariant().toString());
    }
    // Without a configuration the ends of the template name the tokens.
    const QString wanted = config.isEmpty() ? QStringLiteral("0 1 - - true true -") : expected;
    QCOMPARE(found.join(QLatin1Char(' ')), wanted);
}

// Every rule is found by the regular expressions of its reference, and splits the check text as they do.
void TestTokenizerFiles::everyRuleIsRecognised() {
    QVERIFY(ruleRegexes().size() >= 25);
    for (const RuleRegexes& rule : ruleRegexes()) {
        const text::PreTokenizer* wanted = text::findPreTokenizer(rule.pre);
        if (wanted->writing != text::Writing::ByteAlphabet) {
            continue;
        }
        QStringList patterns;
        std::ranges::transform(rule.stages, std::back_inserter(patterns), &QRegularExpression::pattern);
        const RecognisedRule found = recognisePreTokenizer(nodeOf(patterns), wanted->ignoreMerges, {});
        const text::PreTokenizer* named = text::findPreTokenizer(found.name);
        QVERIFY2(named != nullptr, found.name.c_str());
        QVERIFY2(found.check && found.check->passed(), rule.pre);
        QVERIFY2(std::ranges::equal(named->stages, wanted->stages), (found.name + " for " + rule.pre).c_str());
        QCOMPARE(named->ignoreMerges, wanted->ignoreMerges);
    }
}

void TestTokenizerFiles::unknownPreTokenizer() {
    // Like that of GPT-2, but words have three letters at most.
    const auto near = recognisePreTokenizer(
        nodeOf({QStringLiteral(R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}{1,9}| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)")}),
        false, {});
    QCOMPARE(near.name, std::string("gpt-2"));
    QVERIFY(!near.known && near.check && !near.check->passed());
    QVERIFY(near.check->same * 10 > near.check->words * 8);

    const Folder folder;
    const auto plan = [&](const QByteArray& pattern) {
        folder.write("tokenizer.json", R"({"pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": ")" +
                                           pattern + R"("}, "behavior": "Isolated", "invert": false},
            {"type": "ByteLevel", "use_regex": false}]}, "model": {"type": "BPE", "vocab": {"a": 0}}})");
        return folder.plan();
    };
    QVERIFY(hasFinding(*plan("[aeiou]"), "pre_tokenizer_nearest"));
    QVERIFY(hasFinding(*plan("(unclosed"), "pre_tokenizer_unverified"));
    // A pattern that would take exponential time is given up.
    QVERIFY(hasFinding(*plan(R"((\\w+\\s?)+\\p{Cs})"), "pre_tokenizer_unverified"));
    QCOMPARE(textsOf(*plan("[aeiou]"), "tokenizer.ggml.tokens"), QStringLiteral("a"));
}

void TestTokenizerFiles::behaviours() {
    const auto split = [](const char* behavior, const char* rest = "") {
        return nodeOf((std::string(R"({"type": "Split", "pattern": {"String": "-"}, "behavior": ")") + behavior + "\"" +
                       rest + "}")
                          .c_str());
    };
    QCOMPARE(wordsOf(split("Isolated"), "a--b"), QStringList({"a", "-", "-", "b"}));
    QCOMPARE(wordsOf(split("Removed"), "a--b"), QStringList({"a", "b"}));
    QCOMPARE(wordsOf(split("Contiguous"), "a--b"), QStringList({"a", "--", "b"}));
    QCOMPARE(wordsOf(split("MergedWithPrevious"), "a--b"), QStringList({"a-", "-", "b"}));
    QCOMPARE(wordsOf(split("MergedWithNext"), "a--b"), QStringList({"a", "-", "-b"}));
    QCOMPARE(wordsOf(split("Removed", R"(, "invert": true)"), "a--b"), QStringList({"-", "-"}));
    QCOMPARE(wordsOf(nodeOf(R"({"type": "Whitespace"})"), "a, b"), QStringList({"a", ",", "b"}));
    QCOMPARE(wordsOf(nodeOf(R"({"type": "WhitespaceSplit"})"), "a,  b"), QStringList({"a,", "b"}));
    QCOMPARE(wordsOf(nodeOf(R"({"type": "Digits", "individual_digits": false})"), "a12"), QStringList({"a", "12"}));
    QCOMPARE(wordsOf(nodeOf(R"({"type": "Metaspace"})"), "a"), QStringList({"not split"}));
    QCOMPARE(wordsOf(nodeOf({QStringLiteral(R"([\p{L}&&[^\p{Han}]]+)")}), "ab\u4e2dc"),
             QStringList({"ab", QString::fromUtf8("\u4e2d"), "c"}));
    QCOMPARE(wordsOf(nodeOf({QStringLiteral("(?=b)")}), "ab\U0001F600b"),
             QStringList({"a", QString::fromUtf8("b\U0001F600"), "b"}));
}

void TestTokenizerFiles::piecesOfBothAlgorithms() {
    const QByteArray pieces = piece("<unk>", 2) + piece("<s>", 3) + piece("<0x41>", 6) + piece("x", 4) + piece("y", 5);
    const Folder folder;
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
    const Folder folder;
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
}

void TestTokenizerFiles::unigramJson() {
    const Folder folder;
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
    const Folder folder;
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
    const Folder folder;
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

void TestTokenizerFiles::vocabAndMerges() {
    const Folder folder;
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
    const Folder folder;
    folder.write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nword\n##s\n");
    const auto plan = folder.plan({.architecture = "bert"});
    QVERIFY(plan.has_value());
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.tokens"), QString::fromUtf8("[PAD]|[UNK]|[CLS]|[SEP]|\u2581word|s"));
    QCOMPARE(textsOf(*plan, "tokenizer.ggml.token_type"), QStringLiteral("3|3|3|3|1|1"));
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.bos_token_id").toInt(), 2);
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.seperator_token_id").toInt(), 3);
    QCOMPARE(valueOf(*plan, "tokenizer.ggml.add_eos_token"), QJsonValue(true));
}

void TestTokenizerFiles::chatTemplates() {
    const Folder folder;
    folder.write("tokenizer.json", R"({"model": {"type": "BPE", "vocab": {"a": 0}}})");
    folder.write("tokenizer_config.json", R"({"chat_template": [{"name": "default", "template": "D"},
        {"name": "tool use", "template": "T"}, {"name": 1}]})");
    auto plan = folder.plan();
    QCOMPARE(valueOf(*plan, "tokenizer.chat_template").toString(), QStringLiteral("D"));
    QCOMPARE(valueOf(*plan, "tokenizer.chat_template.tool_use").toString(), QStringLiteral("T"));
    QCOMPARE(textsOf(*plan, "tokenizer.chat_templates"), QStringLiteral("tool_use"));
    folder.write("chat_template.json", R"({"chat_template": "J"})");
    QCOMPARE(valueOf(*folder.plan(), "tokenizer.chat_template").toString(), QStringLiteral("J"));
    folder.write("chat_template.jinja", "F");
    QVERIFY(QDir().mkdir(folder.path("additional_chat_templates")));
    folder.write("additional_chat_templates/rag.jinja", "R");
    folder.write("additional_chat_templates/notes.txt", "N");
    plan = folder.plan();
    QCOMPARE(valueOf(*plan, "tokenizer.chat_template").toString(), QStringLiteral("F"));
    QCOMPARE(valueOf(*plan, "tokenizer.chat_template.rag").toString(), QStringLiteral("R"));
    QCOMPARE(textsOf(*plan, "tokenizer.chat_templates"), QStringLiteral("rag"));
}

void TestTokenizerFiles::sourceFolder() {
    const Folder folder;
    folder.write("config.json", R"({"a": 1, "only": null, "deep": {"x": 2.5}, "text_config": {"a": 2, "flag": true}})");
    folder.write("large.txt", "12345");
    folder.write("empty.txt", "");
    QVERIFY(QDir().mkdir(folder.path("inner")));
    folder.write("inner/file.txt", "inside");
    QVERIFY(QFile::link(QStringLiteral("/etc/passwd"), folder.path("leads.txt")));
    QVERIFY(QFile::link(QStringLiteral("/etc"), folder.path("outer")));
    const SourceFolder source = folder.source();
    QCOMPARE(source.find("a")->natural(), std::optional<std::uint64_t>(2));
    QCOMPARE(source.find("a")->from, std::string("config.json:text_config.a"));
    QVERIFY(!source.find("only").has_value());
    QCOMPARE(source.find({"missing", "deep.x"})->real(), std::optional(2.5));
    QCOMPARE(source.find("deep.x")->from, std::string("config.json:deep.x"));
    QCOMPARE(source.find("flag")->boolean(), std::optional(true));
    QVERIFY(!source.find("deep.x.y").has_value());
    QCOMPARE((*source.file("inner/file.txt"))->text, std::string_view("inside"));
    QVERIFY(!source.file("missing.txt")->has_value());
    QVERIFY(!source.file("empty.txt")->has_value());
    QCOMPARE(QLatin1String(errorOf(source.file("large.txt", 4))), QLatin1String("limit_exceeded"));
    for (const char* name :
         {"../x", "/etc/passwd", "leads.txt", "outer/passwd", "inner/../large.txt", "", "a/b/c", "/"}) {
        QCOMPARE(QLatin1String(errorOf(source.file(name))), QLatin1String("invalid_argument"));
    }
    folder.write("config.json", "{");
    QVERIFY(!SourceFolder::of(source.folder(), nullptr).has_value());
}

GUFO_TEST_APPLESS(TestTokenizerFiles)
#include "tst_tokenizer_files.moc"
