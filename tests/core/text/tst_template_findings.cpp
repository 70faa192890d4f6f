// Findings about chat templates, with the real helper: each fault with the edit that repairs it, and faults for which
// no edit is certain to help.
#include "document/document.h"
#include "model/finding_code.h"
#include "support/model_maker.h"
#include "support/test_unit.h"
#include "test_paths.h"
#include "text/audit/template_findings.h"
#include "validate/fixes.h"

#include <QDir>
#include <QTest>

using namespace gufo;
using gufo::test::ModelMaker;

class TestTemplateFindings : public QObject {
    Q_OBJECT

private slots:
    void repairs_data();
    void repairs();
    void looksAtEveryTemplate();
    void joinedMarkers_data();
    void joinedMarkers();
    void judgesCalls_data();
    void judgesCalls();
    void publishedOnesAreSound();
    void keepsAnswers();
    void stops();
};

void TestTemplateFindings::repairs_data() {
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QByteArray>("code");     // empty: no finding
    QTest::addColumn<QByteArray>("repaired"); // empty: no repair is offered
    const auto row = [](const char* name, const char* source, const char* code, const char* repaired) {
        QTest::newRow(name) << QByteArray(source) << QByteArray(code) << QByteArray(repaired);
    };
    row("sound", "{% for m in messages %}{{ m.content }}{% endfor %}", "", "");
    row("refuses at run time only", "{{ raise_exception('no') }}", "", "");
    row("unclosed if", "{% if x %}é{{ x }}", "unclosed_block", "{% if x %}é{{ x }}{% endif %}");
    row("unclosed for in if", "{% if x %}{% for y in x %}{% endfor %}", "unclosed_block",
        "{% if x %}{% for y in x %}{% endfor %}{% endif %}");
    row("two unclosed", "{% if x %}{% for y in x %}", "unclosed_block",
        "{% if x %}{% for y in x %}{% endfor %}{% endif %}");
    row("unclosed, with a misspelt filter", "{% if x %}{{ x | tojsn }}", "unclosed_block",
        "{% if x %}{{ x | tojson }}{% endif %}");
    row("misspelt filter", "é {{ messages | tojsn }}", "unknown_filter", "é {{ messages | tojson }}");
    row("unknown filter", "{{ messages | frobnicate_all }}", "unknown_filter", "");
    row("assignment for comparison", "{% if a = 1 %}x{% endif %}", "single_equals", "{% if a == 1 %}x{% endif %}");
    row("wrong end", "{% for m in x %}{{ m }}{% endif %}", "wrong_end", "{% for m in x %}{{ m }}{% endfor %}");
    row("stray end", "a{% endif %}b", "stray_end", "ab");
    row("unclosed expression", "a {{ b\nc", "unclosed_tag", "a {{ b }}\nc");
    row("unclosed comment", "a {# b", "unclosed_comment", "a {# b#}");
    row("unclosed bracket", "{{ (a }}", "unclosed_bracket", "{{ (a) }}");
    row("unclosed string", "{{ 'a }}", "unclosed_string", "");
}

void TestTemplateFindings::repairs() {
    QFETCH(const QByteArray, source);
    QFETCH(const QByteArray, code);
    QFETCH(const QByteArray, repaired);
    ModelMaker maker("llama");
    maker.text("tokenizer.chat_template",
               std::string_view(source.constData(), static_cast<std::size_t>(source.size())));
    const std::shared_ptr<const Model> model = maker.model();
    const auto findings = text::checkChatTemplates(model->metadata);
    QVERIFY(findings);
    if (code.isEmpty()) {
        QVERIFY2(findings->empty(), findings->empty() ? "" : findings->front().args[2].text().c_str());
        return;
    }
    QVERIFY(!findings->empty());
    const Finding& finding = findings->front();
    QCOMPARE(finding.code, FindingCode::TemplateBroken);
    QCOMPARE(finding.place.name, std::string("tokenizer.chat_template"));
    QCOMPARE(QByteArray::fromStdString(finding.args[2].text()), code);
    // Repeated while there is a repair, because a parser stops at the first error.
    Document document(model);
    auto left = *findings;
    while (!left.empty()) {
        const auto fix = fixFor(left.front(), *document.current());
        if (fix.empty()) {
            break;
        }
        QVERIFY(document.apply(fix, "Fix"));
        const auto again = text::checkChatTemplates(document.current()->metadata);
        QVERIFY(again);
        QVERIFY(*again != left);
        left = *again;
    }
    QCOMPARE(left.empty(), !repaired.isEmpty());
    if (!repaired.isEmpty()) {
        const auto text = document.current()->metadata.string("tokenizer.chat_template");
        QVERIFY(text);
        QCOMPARE(QByteArray::fromStdString(std::string(*text)), repaired);
    }
    while (document.canUndo()) {
        document.undo();
    }
    QVERIFY(!document.isModified());
}

void TestTemplateFindings::looksAtEveryTemplate() {
    ModelMaker maker;
    maker.text("tokenizer.chat_template", "{{ a }}");
    maker.text("tokenizer.chat_template.tool_use", "\n\n{{ a | tojsn }}{{ b | upperr }}");
    const auto model = maker.model();
    const auto findings = text::checkChatTemplates(model->metadata);
    QVERIFY(findings);
    QCOMPARE(findings->size(), std::size_t{2});
    for (const Finding& finding : *findings) {
        QCOMPARE(finding.place.name, std::string("tokenizer.chat_template.tool_use"));
        QCOMPARE(finding.args[0].text(), std::string("3"));
        QVERIFY(!finding.args[5].text().empty());
    }
}

// Markers that a template joins from parts are found by rendering the battery of conversations.
void TestTemplateFindings::joinedMarkers_data() {
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QStringList>("tokens");
    QTest::addColumn<QString>("unknown"); // each with its line
    const QByteArray messages = "{% for m in messages %}";
    const QByteArray joined = "{{ '<|' + m.role + '|>' + (m.content or '') }}{% endfor %}";
    const QStringList roles{"<|system|>", "<|user|>", "<|assistant|>"};
    QTest::newRow("all of them are tokens") << messages + joined << roles << QString();
    QTest::newRow("one is not") << "\n" + messages + joined << QStringList{"<|system|>", "<|user|>"}
                                << "<|assistant|> 2";
    QTest::newRow("none is") << messages + joined << QStringList{"a"} << "<|user|> 1, <|system|> 1, <|assistant|> 1";
    QTest::newRow("the text begins it") << messages + "\n\n<|{{ m.role }}|>{% endfor %}"
                                        << QStringList{"<|system|>", "<|user|>"} << "<|assistant|> 3";
    QTest::newRow("DeepSeek's brackets") << messages + "{{ '<\xEF\xBD\x9C' + m.role + '\xEF\xBD\x9C>' }}{% endfor %}"
                                         << QStringList{"<｜system｜>", "<｜user｜>"} << "<｜assistant｜> 1";
    QTest::newRow("a role of tools that it does not know") << messages + joined << roles << QString();
    QTest::newRow("a role of tools that it knows")
        << "{{ tools | length if tools }}" + messages + joined << roles << "<|tool|> 1";
    QTest::newRow("no brackets") << messages + "{{ '[' + m.role + ']' }}{% endfor %}" << QStringList{"a"} << QString();
    QTest::newRow("no vocabulary") << messages + joined << QStringList() << QString();
}

void TestTemplateFindings::joinedMarkers() {
    QFETCH(const QByteArray, source);
    QFETCH(const QStringList, tokens);
    QFETCH(const QString, unknown);
    ModelMaker maker("llama");
    maker.text("tokenizer.chat_template", source.toStdString());
    if (!tokens.isEmpty()) {
        std::vector<std::string> texts{"<unk>", "<s>", "</s>"};
        for (const QString& token : tokens) {
            texts.push_back(token.toStdString());
        }
        maker.text("tokenizer.ggml.model", "llama").texts("tokenizer.ggml.tokens", texts);
        maker.f32s("tokenizer.ggml.scores", std::vector<float>(texts.size()));
        maker.i32s("tokenizer.ggml.token_type", std::vector<std::int32_t>(texts.size(), 3));
    }
    const auto model = maker.model();
    const auto findings = text::checkChatTemplates(model->metadata);
    QVERIFY(findings);
    QStringList found;
    for (const Finding& each : *findings) {
        if (each.code == FindingCode::TemplateTokenUnknown) {
            found << QString::fromStdString(each.args[0].text() + ' ' + each.args[1].text());
        }
    }
    QCOMPARE(found.join(QStringLiteral(", ")), unknown);
}

// Whether the calls in answers can be told from text is found by rendering some.
void TestTemplateFindings::judgesCalls_data() {
    QTest::addColumn<QByteArray>("tools"); // how the template shows tools
    QTest::addColumn<QByteArray>("calls"); // and writes calls
    QTest::addColumn<QByteArray>("finding");
    const QByteArray tools = "{% if tools %}{{ tools | tojson }}{% endif %}";
    const QByteArray call = "{{ dict(name=c.function.name, arguments=c.function.arguments) | tojson }}";
    QTest::newRow("calls with a marker") << tools << QByteArray("<call>" + call + "</call>") << QByteArray();
    QTest::newRow("calls without a marker") << tools << call << QByteArray("template_calls_unmarked");
    QTest::newRow("calls are dropped") << tools << QByteArray() << QByteArray("template_calls_unknown");
    QTest::newRow("no tools") << QByteArray() << QByteArray() << QByteArray();
    QTest::newRow("tools are only mentioned")
        << QByteArray("{% if tools %}{% endif %}") << QByteArray() << QByteArray();
}

void TestTemplateFindings::judgesCalls() {
    QFETCH(const QByteArray, tools);
    QFETCH(const QByteArray, calls);
    QFETCH(const QByteArray, finding);
    const QByteArray source = tools + "{% for m in messages %}[{{ m.role }}]{{ m.content or '' }}" +
                              (calls.isEmpty() ? calls : "{% for c in m.tool_calls or [] %}" + calls + "{% endfor %}") +
                              "[end]{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}";
    ModelMaker maker("llama");
    maker.text("tokenizer.chat_template", source.toStdString());
    const auto findings = text::checkChatTemplates(maker.model()->metadata);
    QVERIFY(findings);
    QByteArray found;
    for (const Finding& each : *findings) {
        found += QByteArray(each.name().data(), static_cast<qsizetype>(each.name().size()));
    }
    QCOMPARE(found, finding);
}

// Published templates can be rendered, and their calls can be told from text; only some write them without a marker.
void TestTemplateFindings::publishedOnesAreSound() {
    const QDir folder(QStringLiteral(GUFO_SHARED_DIR "/thirdparty/templates"));
    const QStringList names = folder.entryList({QStringLiteral("*.jinja")});
    if (names.isEmpty()) {
        QSKIP("the folder " GUFO_SHARED_DIR "/thirdparty/templates, which has published chat templates, is missing");
    }
    for (const QString& name : names) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        ModelMaker maker("llama");
        maker.text("tokenizer.chat_template", file.readAll().toStdString());
        const auto findings = text::checkChatTemplates(maker.model()->metadata);
        QVERIFY(findings);
        for (const Finding& each : *findings) {
            QVERIFY2(each.code == FindingCode::TemplateCallsUnmarked,
                     qPrintable(name + u' ' + QString::fromUtf8(each.name().data(), qsizetype(each.name().size()))));
        }
    }
}

void TestTemplateFindings::keepsAnswers() {
    ModelMaker maker;
    maker.text("tokenizer.chat_template", "{{ kept | tojsn }}");
    const auto model = maker.model();
    const auto first = text::checkChatTemplates(model->metadata);
    QVERIFY(first);
    std::stop_source stopped;
    stopped.request_stop(); // so the helper is not asked
    QCOMPARE(text::checkChatTemplates(model->metadata, stopped.get_token()), first);
}

void TestTemplateFindings::stops() {
    ModelMaker maker;
    maker.text("tokenizer.chat_template", "{{ stopped | tojsn }}");
    const auto model = maker.model();
    std::stop_source stopped;
    stopped.request_stop();
    QVERIFY(!text::checkChatTemplates(model->metadata, stopped.get_token()));
}

GUFO_TEST(TestTemplateFindings)
#include "tst_template_findings.moc"
