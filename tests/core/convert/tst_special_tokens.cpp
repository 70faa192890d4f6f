// What the files beside a vocabulary say: special tokens, chat templates, and settings in general.
#include "support/test_unit.h"
#include "tokenizer_folder.h"

using namespace gufo;
using namespace gufo::test;

class TestSpecialTokens : public QObject {
    Q_OBJECT

private slots:
    void specialTokens_data();
    void specialTokens();
    void modelsKnownByTheirSize_data();
    void modelsKnownByTheirSize();
    void infillOfGemma_data();
    void infillOfGemma();
    void chatTemplates();
    void sourceFolder();
};

void TestSpecialTokens::specialTokens_data() {
    QTest::addColumn<QByteArray>("processor");
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QString>("expected"); // bos eos eot sep, then the added tokens
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

void TestSpecialTokens::specialTokens() {
    QFETCH(const QByteArray, processor);
    QFETCH(const QByteArray, config);
    QFETCH(const QString, expected);
    const TokenizerFolder folder;
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

// Code Llama fills gaps; the first Granite models begin no text with a token.
void TestSpecialTokens::modelsKnownByTheirSize_data() {
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<int>("tokens");
    QTest::addColumn<QString>("expected"); // fim_pre, fim_suf, fim_mid, eot, whether bos is added
    QTest::newRow("Code Llama") << "llama" << 32'016 << "32007 32008 32009 32010 true";
    QTest::newRow("Granite Code") << "llama" << 49'152 << "- - - - false";
    QTest::newRow("LLaMA") << "llama" << 32'000 << "- - - - true";
    QTest::newRow("another architecture") << "qwen2" << 32'016 << "- - - - true";
}

void TestSpecialTokens::modelsKnownByTheirSize() {
    QFETCH(const QString, architecture);
    QFETCH(const int, tokens);
    QByteArray vocabulary;
    for (int i = 0; i < tokens; ++i) {
        vocabulary += (i == 0 ? "\"t" : ",\"t") + QByteArray::number(i) + "\":" + QByteArray::number(i);
    }
    const TokenizerFolder folder;
    folder.write("tokenizer.json", R"({"model": {"type": "BPE", "vocab": {)" + vocabulary + "}}}");
    folder.write("tokenizer_config.json", R"({"bos_token": "t1", "eos_token": "t2", "add_bos_token": true})");
    const auto plan = folder.plan({.architecture = architecture.toStdString()});
    QVERIFY2(plan.has_value(), errorOf(plan));
    QStringList found;
    for (const char* key :
         {"fim_pre_token_id", "fim_suf_token_id", "fim_mid_token_id", "eot_token_id", "add_bos_token"}) {
        const QJsonValue value = valueOf(*plan, ("tokenizer.ggml." + std::string(key)).c_str());
        found << (value.isUndefined() ? QStringLiteral("-") : value.toVariant().toString());
    }
    QTEST(found.join(QLatin1Char(' ')), "expected");
}

// CodeGemma fills gaps, too; other Gemmas have the same architecture.
void TestSpecialTokens::infillOfGemma_data() {
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<QByteArray>("prefix");
    QTest::addColumn<QString>("expected"); // fim_pre, fim_suf, fim_mid, fim_sep
    QTest::newRow("CodeGemma") << "gemma" << QByteArray("<|fim_prefix|>") << "2 4 3 5";
    QTest::newRow("Gemma") << "gemma" << QByteArray("<unused60>") << "- 4 3 5";
    QTest::newRow("another architecture") << "llama" << QByteArray("<|fim_prefix|>") << "- - - -";
}

void TestSpecialTokens::infillOfGemma() {
    QFETCH(const QString, architecture);
    QFETCH(const QByteArray, prefix);
    const TokenizerFolder folder;
    folder.write("tokenizer.json", R"({"model": {"type": "BPE", "vocab": {"<bos>": 0, "a": 1, ")" + prefix +
                                       R"(": 2, "<|fim_middle|>": 3, "<|fim_suffix|>": 4, "<|file_separator|>": 5}}})");
    const auto plan = folder.plan({.architecture = architecture.toStdString()});
    QVERIFY2(plan.has_value(), errorOf(plan));
    QStringList found;
    for (const char* key : {"fim_pre_token_id", "fim_suf_token_id", "fim_mid_token_id", "fim_sep_token_id"}) {
        const QJsonValue value = valueOf(*plan, ("tokenizer.ggml." + std::string(key)).c_str());
        found << (value.isUndefined() ? QStringLiteral("-") : value.toVariant().toString());
    }
    QTEST(found.join(QLatin1Char(' ')), "expected");
}

void TestSpecialTokens::chatTemplates() {
    const TokenizerFolder folder;
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
    plan = folder.plan({.architecture = "qwen3", .rankingTemplate = "{query} {document}"});
    QCOMPARE(valueOf(*plan, "tokenizer.chat_template.rerank").toString(), QStringLiteral("{query} {document}"));
    QCOMPARE(textsOf(*plan, "tokenizer.chat_templates"), QStringLiteral("rag|rerank"));
    QCOMPARE(valueOf(*plan, "tokenizer.chat_template").toString(), QStringLiteral("F"));
}

void TestSpecialTokens::sourceFolder() {
    const TokenizerFolder folder;
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

GUFO_TEST_APPLESS(TestSpecialTokens)
#include "tst_special_tokens.moc"
