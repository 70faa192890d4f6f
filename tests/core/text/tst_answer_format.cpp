// How answers are written, derived from templates: what a template writes for an answer, a thought and calls is taken
// apart again, however the text arrives. The templates of tests/data/template/formats have one way of writing each;
// published ones are read where they are present.
#include "formats/gguf/read/reader.h"
#include "support/test_unit.h"
#include "support/vocabulary_maker.h"
#include "template_data.h"
#include "text/conversation/answer_parser.h"
#include "text/conversation/format_derivation.h"

#include <QDir>
#include <QJsonArray>
#include <QTest>

#include <set>

using namespace gufo;
using namespace gufo::text;

namespace {

const QByteArray kFormatTools =
    R"([{"type":"function","function":{"name":"weather","description":"d","parameters":{"type":"object","properties":{)"
    R"("place":{"type":"string"},"days":{"type":"integer"},"exact":{"type":"boolean"},"tags":{"type":"array","items":)"
    R"({"type":"string"}},"more":{"type":"object"},"none":{"type":["null","number"]}},"required":["place"]}}},)"
    R"({"type":"function","function":{"name":"send_mail","description":"d","parameters":{"type":"object","properties":{)"
    R"("to":{"type":"string"},"text":{"type":"string"},"code":{"type":"string"}}}}}])";
const QByteArray kWeather =
    R"({"place":"Köln","days":2,"exact":true,"tags":["a b","c"],"more":{"deep":[1.5,{"x":"y"}]}})";
const QByteArray kMail = R"({"to":"x@y.example","text":"He said \"no\".\nBye\n","code":"0123"})";

struct Said {
    QByteArray content{};
    QByteArray thought{};
    QList<std::pair<QByteArray, QByteArray>> calls{}; // name, arguments

    [[nodiscard]] QByteArray message(bool numbered) const {
        const auto text = [](const QByteArray& what) {
            const QByteArray list = QJsonDocument(QJsonArray{QString::fromUtf8(what)}).toJson(QJsonDocument::Compact);
            return list.mid(1, list.size() - 2);
        };
        QByteArray json = R"({"role":"assistant","content":)" + text(content);
        if (!thought.isEmpty()) {
            for (const char* const key : {"reasoning_content", "reasoning", "thinking"}) {
                json += QByteArray(",\"") + key + "\":" + text(thought);
            }
        }
        for (qsizetype i = 0; i < calls.size(); ++i) {
            const QByteArray number = QByteArray::number(i);
            json += (i == 0 ? R"(,"tool_calls":[)" : ",") + QByteArray(R"({"type":"function","id":")") +
                    (numbered ? "functions." + calls[i].first + ":" + number : "call0000" + number) +
                    R"(","function":{"name":")" + calls[i].first + R"(","arguments":)" + calls[i].second + "}}";
        }
        return json + (calls.isEmpty() ? "}" : "]}");
    }
};

const std::map<QByteArray, Said>& situations() {
    static const std::map<QByteArray, Said> all{
        {"answer", {.content = "Yes, of course.\n\nTwo < three."}},
        {"thought", {.content = "Yes.", .thought = "Hm, why not.\nOr so."}},
        {"call", {.calls = {{"weather", kWeather}}}},
        {"call without arguments", {.calls = {{"weather", "{}"}}}},
        {"two calls", {.calls = {{"weather", kWeather}, {"send_mail", kMail}}}},
        {"thought and call", {.thought = "Hm, why not.", .calls = {{"weather", kWeather}}}},
        {"text and call", {.content = "Let me look.", .calls = {{"weather", kWeather}}}},
    };
    return all;
}

} // namespace

class TestAnswerFormat : public QObject {
    Q_OBJECT

    std::unique_ptr<TemplateRenderer> m_renderer;
    Metadata m_metadata;

    std::map<QByteArray, std::optional<std::string>> m_rendered; // several tests need the same ones

    std::optional<std::string> render(const QByteArray& source, const QByteArray& messages, bool tools, bool prompt) {
        const QByteArray key = source + messages + (tools ? "t" : "-") + (prompt ? "p" : "-");
        if (const auto known = m_rendered.find(key); known != m_rendered.end()) {
            return known->second;
        }
        RenderRequest request;
        request.source = QString::fromUtf8(source);
        request.variables =
            standardVariables(QString::fromUtf8(R"([{"role":"user","content":"What now?"})" + messages + "]"),
                              tools ? QString::fromUtf8(kFormatTools) : QString(), prompt);
        request.variables.emplace_back(QStringLiteral("bos_token"), QStringLiteral("\"\""));
        request.variables.emplace_back(QStringLiteral("eos_token"), QStringLiteral("\"\""));
        const Rendering rendering = m_renderer->render(request);
        return m_rendered[key] = rendering.text ? std::optional(rendering.text->toStdString()) : std::nullopt;
    }
    std::map<QByteArray, std::shared_ptr<const AnswerFormat>> m_formats; // more than answerFormatOf() keeps
    std::shared_ptr<const AnswerFormat> formatOf(const QByteArray& source) {
        auto& format = m_formats[source];
        format = format != nullptr ? format : answerFormatOf(m_metadata, source.toStdString(), *m_renderer);
        return format;
    }

    // What a model says: the answer as the template writes it, without what ends generation.
    struct Answer {
        std::string prompt;
        std::string text;
    };
    std::optional<Answer> answerOf(const QByteArray& source, const Said& said, const AnswerFormat& format) {
        const bool numbered = !format.calls.empty() && format.calls.front().numbered;
        const bool tools = !said.calls.isEmpty();
        if (format.channels && tools && !said.content.isEmpty()) {
            return std::nullopt; // the template writes the text before a call as a thought
        }
        auto prompt = render(source, {}, tools, true);
        const auto whole = render(source, "," + said.message(numbered), tools, false);
        if (!prompt || !whole) {
            return std::nullopt;
        }
        if (!whole->starts_with(*prompt)) { // the prompt opened a thought that this answer does not have
            for (const ThoughtFormat& thought : format.thoughts) {
                const std::size_t at = prompt->rfind(thought.open);
                if (at != std::string::npos && whole->starts_with(prompt->substr(0, at))) {
                    prompt->resize(at);
                    break;
                }
            }
        }
        if (!whole->starts_with(*prompt)) {
            return std::nullopt;
        }
        std::string text = whole->substr(prompt->size());
        for (const QByteArray& part : {said.content, said.thought}) {
            if (text.find(part.toStdString()) == std::string::npos) {
                return std::nullopt; // the template does not write it
            }
        }
        for (const auto& [name, arguments] : said.calls) {
            if (text.find(name.toStdString()) == std::string::npos) {
                return std::nullopt;
            }
        }
        std::string end = tools ? format.afterCalls : format.afterAnswer;
        end = format.channels && tools ? "<|call|>" : end;
        if (const std::size_t mark = end.find_first_of("<["); mark != std::string::npos) {
            end = end.substr(mark);
            const std::size_t at = text.rfind(end);
            text.resize(at != std::string::npos && at + end.size() == text.size() ? at : text.size());
        }
        return Answer{.prompt = *prompt, .text = std::move(text)};
    }

    static QByteArray describe(const Message& message) {
        QByteArray text = QByteArray::fromStdString(message.reasoning + "|" + message.content);
        for (const QJsonValue& call : QJsonDocument::fromJson(QByteArray::fromStdString(message.toolCalls)).array()) {
            const QJsonValue function = call[QStringLiteral("function")];
            text += "|" + function[QStringLiteral("name")].toString().toUtf8() +
                    QJsonDocument(function[QStringLiteral("arguments")].toObject()).toJson(QJsonDocument::Compact);
        }
        return text;
    }
    static QByteArray describe(const Said& said) {
        QByteArray text = said.thought + "|" + said.content;
        for (const auto& [name, arguments] : said.calls) {
            text +=
                "|" + name + QJsonDocument(QJsonDocument::fromJson(arguments).object()).toJson(QJsonDocument::Compact);
        }
        return text;
    }
    static QByteArray apart(const std::shared_ptr<const AnswerFormat>& format, const Answer& answer, std::size_t step,
                            bool tools, bool isComplete = true) {
        AnswerParser parser(format, answer.prompt, tools ? kFormatTools.toStdString() : std::string());
        for (std::size_t at = 0; at < answer.text.size(); at += step) {
            (void)parser.push(std::string_view(answer.text).substr(at, step));
        }
        parser.finish(isComplete);
        return describe(parser.message());
    }

    static QDir formatFolder() { return QDir(QStringLiteral(GUFO_TEST_DATA "/template/formats")); }
    static QByteArray read(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    // A row for each answer that a template can write.
    void addSituations(const QDir& folder) {
        for (const QString& name : folder.entryList({QStringLiteral("*.jinja")})) {
            const QByteArray source = read(folder.filePath(name));
            const auto format = formatOf(source);
            for (const auto& [situation, said] : situations()) {
                if (answerOf(source, said, *format)) {
                    QTest::newRow(qPrintable(name.chopped(6) + u' ' + QString::fromUtf8(situation)))
                        << folder.filePath(name) << situation;
                }
            }
        }
    }
    void takeApart() {
        QFETCH(QString, path);
        QFETCH(QByteArray, situation);
        const QByteArray source = read(path);
        const auto format = formatOf(source);
        QVERIFY(format != nullptr);
        const Said& said = situations().at(situation);
        const auto answer = answerOf(source, said, *format);
        QVERIFY(answer.has_value());
        const QByteArray wanted = describe(said);
        for (const std::size_t step : {answer->text.size() + 1, std::size_t{1}, std::size_t{2}, std::size_t{5}}) {
            const QByteArray found = apart(format, *answer, step, !said.calls.isEmpty());
            QVERIFY2(found == wanted, "in steps of " + QByteArray::number(step) + ": " + found + "\nwanted: " + wanted +
                                          "\nsaid: " + QByteArray::fromStdString(answer->text));
        }
    }

private slots:
    void initTestCase() { m_renderer = std::make_unique<TemplateRenderer>(); }
    void cleanupTestCase() { m_renderer.reset(); }

    void takesApartWhatTemplatesWrite_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("situation");
        addSituations(formatFolder());
    }
    void takesApartWhatTemplatesWrite() { takeApart(); }

    // The rows above are about something: most templates write most answers.
    void writesWhatItShould() {
        int written = 0;
        for (const QString& name : formatFolder().entryList({QStringLiteral("*.jinja")})) {
            const QByteArray source = read(formatFolder().filePath(name));
            const auto format = formatOf(source);
            for (const auto& [situation, said] : situations()) {
                written += answerOf(source, said, *format) ? 1 : 0;
            }
            QVERIFY2(name == QLatin1String("chatml.jinja") || format->hasCalls(), qPrintable(name));
        }
        QVERIFY2(written >= 110, QByteArray::number(written));
    }

    void takesApartWhatPublishedTemplatesWrite_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("situation");
        const QDir folder(QStringLiteral(GUFO_SHARED_DIR "/thirdparty/templates"));
        if (!folder.exists()) {
            QSKIP("the folder " GUFO_SHARED_DIR
                  "/thirdparty/templates, which has published chat templates, is missing");
        }
        addSituations(folder);
    }
    void takesApartWhatPublishedTemplatesWrite() { takeApart(); }

    // Whatever is said of an answer, each beginning of it is taken apart, and no text of a thought or of a call becomes
    // content once its end has come.
    void takesApartUnfinishedAnswers_data() {
        QTest::addColumn<QString>("name");
        for (const QString& name : formatFolder().entryList({QStringLiteral("*.jinja")})) {
            QTest::newRow(qPrintable(name.chopped(6))) << name;
        }
    }
    void takesApartUnfinishedAnswers() {
        QFETCH(QString, name);
        const QByteArray source = read(formatFolder().filePath(name));
        const auto format = formatOf(source);
        for (const auto& [situation, said] : situations()) {
            const auto answer = answerOf(source, said, *format);
            if (!answer) {
                continue;
            }
            for (std::size_t length = 0; length < answer->text.size(); length += 3) {
                const Answer cut{.prompt = answer->prompt, .text = answer->text.substr(0, length)};
                const QByteArray whole = apart(format, cut, length + 1, !said.calls.isEmpty(), false);
                const QByteArray bytes = apart(format, cut, 1, !said.calls.isEmpty(), false);
                QVERIFY2(whole == bytes, situation + ": " + whole + "\n" + bytes);
                if (!said.thought.isEmpty() && !whole.startsWith('|')) {
                    QVERIFY2(said.thought.startsWith(whole.left(whole.indexOf('|')).left(4)), whole);
                }
            }
        }
    }

    // A template that is given old thoughts under another name leaves them out.
    void knowsTheMemberOfThoughts_data() {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QByteArray>("member");
        const QByteArray begin = "{% for m in messages %}<|{{ m.role }}|>";
        const QByteArray end =
            "{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}";
        QTest::newRow("usual") << begin + "{% if m.reasoning_content %}<t>{{ m.reasoning_content }}</t>{% endif %}" +
                                      end
                               << QByteArray("reasoning_content");
        QTest::newRow("thinking") << begin + "{% if m.thinking %}<t>{{ m.thinking }}</t>{% endif %}" + end
                                  << QByteArray("thinking");
        QTest::newRow("reasoning") << begin + "{% if m.reasoning %}<t>{{ m.reasoning }}</t>{% endif %}" + end
                                   << QByteArray("reasoning");
        QTest::newRow("parts")
            << begin + "{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}{% if "
                       "p.type == 'thinking' %}<t>{{ p.thinking }}</t>{% else %}{{ p.text }}{% endif "
                       "%}{% endfor %}{% endif %}<|end|>{% endfor %}{% if add_generation_prompt "
                       "%}<|assistant|>{% endif %}"
            << QByteArray("content");
        QTest::newRow("none") << begin + end << QByteArray("reasoning_content");
        QTest::newRow("before calls only") << read(formatFolder().filePath(QStringLiteral("json_empty_thought.jinja")))
                                           << QByteArray("reasoning_content");
    }
    void knowsTheMemberOfThoughts() {
        QFETCH(QByteArray, source);
        QFETCH(QByteArray, member);
        QCOMPARE(QByteArray::fromStdString(formatOf(source)->thoughtMember), member);
    }

    void showsCallsWhileTheyAreWritten_data() {
        QTest::addColumn<QString>("name");
        for (const QString& name : formatFolder().entryList({QStringLiteral("*.jinja")})) {
            if (name != QLatin1String("chatml.jinja")) { // which writes no calls
                QTest::newRow(qPrintable(name.chopped(6))) << name.chopped(6);
            }
        }
    }
    void showsCallsWhileTheyAreWritten() {
        QFETCH(QString, name);
        const QByteArray source = read(formatFolder().filePath(name + QStringLiteral(".jinja")));
        const auto format = formatOf(source);
        const Said said{.calls = {{"send_mail", R"({"to":"me","text":"one two three four"})"}}};
        const auto answer = answerOf(source, said, *format);
        QVERIFY(answer.has_value());
        AnswerParser parser(format, answer->prompt, kFormatTools.toStdString());
        std::string shown;
        std::set<std::string> stages;
        const auto take = [&](const std::vector<AnswerPiece>& pieces) {
            for (const AnswerPiece& piece : pieces) {
                shown += piece.part == AnswerPiece::Part::ToolCall ? piece.text : std::string();
                stages.insert(shown);
            }
        };
        for (const char c : answer->text) {
            take(parser.push(std::string_view(&c, 1)));
        }
        take(parser.finish());
        const QJsonObject call = QJsonDocument::fromJson(QByteArray::fromStdString(shown)).object();
        QCOMPARE(call[QStringLiteral("name")].toString(), QStringLiteral("send_mail"));
        QCOMPARE(call[QStringLiteral("arguments")][QStringLiteral("text")].toString(),
                 QStringLiteral("one two three four"));
        QVERIFY2(stages.size() >= 3, shown.c_str());
    }

    // Values are read as the tool declares them.
    void readsValuesAsTheirTypes_data() {
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QByteArray>("written");
        QTest::addColumn<QByteArray>("value"); // JSON
        const auto row = [](const char* type, const char* written, const char* value) {
            QTest::newRow(qPrintable(QString::fromUtf8(type) + u' ' + QString::fromUtf8(written)))
                << QByteArray(type) << QByteArray(written) << QByteArray(value);
        };
        row(R"({"type":"string"})", "12", R"("12")");
        row(R"({"type":"string"})", "true", R"("true")");
        row(R"({"type":"string"})", "{\"a\": 1}", "\"{\\\"a\\\": 1}\"");
        row(R"({"type":"string"})", "  two\n lines\n", R"("  two\n lines\n")");
        row(R"({"type":"string"})", "</parameter> in a text", R"("</parameter> in a text")");
        row(R"({"type":"integer"})", "12", "12");
        row(R"({"type":"number"})", "1.50", "1.50");
        row(R"({"type":"boolean"})", "True", "true");
        row(R"({"type":"null"})", "None", "null");
        row(R"({"type":"array"})", "['a', \"b\"]", R"(["a","b"])");
        row(R"({"type":"object"})", "{'a': {'b': [1, None]}}", R"({"a":{"b":[1,null]}})");
        row(R"({"type":["string","null"]})", "null", "null");
        row(R"({"type":["string","null"]})", "12", R"("12")");
        row(R"({"anyOf":[{"type":"integer"},{"type":"string"}]})", "12", "12");
        row(R"({"enum":["1","2"]})", "1", R"("1")");
        row(R"({"enum":[1,2]})", "1", "1");
        row(R"({"$ref":"#/$defs/n"})", "7", R"("7")");
        row(R"({"type":"integer"})", "many", R"("many")");
        row("{}", "12", "12");
        row("{}", "twelve", R"("twelve")");
    }
    void readsValuesAsTheirTypes() {
        QFETCH(QByteArray, type);
        QFETCH(QByteArray, written);
        QFETCH(QByteArray, value);
        const QByteArray tools = R"([{"type":"function","function":{"name":"f","parameters":{"$defs":{"n":{"type":)"
                                 R"("string"}},"type":"object","properties":{"x":)" +
                                 type + "}}}}]";
        AnswerParser parser(usualAnswerFormat(), {}, tools.toStdString());
        (void)parser.push("<tool_call>\n<function=f>\n<parameter=x>\n" + written.toStdString() +
                          "\n</parameter>\n</function>\n</tool_call>");
        parser.finish();
        QCOMPARE(QByteArray::fromStdString(parser.message().toolCalls),
                 R"([{"type": "function", "function": {"name": "f", "arguments": {"x":)" + value + "}}}]");
    }

    // Models deviate from what their templates write.
    void toleratesDeviations_data() {
        QTest::addColumn<QString>("name"); // of the template; empty: not known
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("found");
        const QByteArray call = R"(weather{"days":2})";
        const auto row = [](const char* what, const char* name, const QByteArray& text, const QByteArray& found) {
            QTest::newRow(what) << QString::fromLatin1(name) << text << found;
        };
        row("without the outer tag", "tagged_parameters",
            "</think>\n<function=weather>\n<parameter=days>\n2\n</parameter>\n</function>", "||" + call);
        row("without white space", "tagged_parameters",
            "</think><tool_call><function=weather><parameter=days>2</parameter></function></tool_call>", "||" + call);
        row("JSON instead of tags", "tagged_parameters",
            R"(</think><tool_call>{"name": "weather", "arguments": {"days": 2}}</tool_call>)", "||" + call);
        row("a list in a tag", "json_tags",
            R"(<tool_call>[{"name": "weather", "arguments": {"days": 2}}, {"name": "weather", "arguments": {}}]</tool_call>)",
            "||" + call + "|weather{}");
        row("arguments in a string", "json_tags",
            R"(<tool_call>{"name": "weather", "arguments": "{\"days\": 2}"}</tool_call>)", "||" + call);
        row("other names of the members", "json_tags",
            R"(<tool_call>{"name": "weather", "parameters": {"days": 2}}</tool_call>)", "||" + call);
        row("line breaks in strings", "json_tags",
            "<tool_call>{\"name\": \"weather\", \"arguments\": {\"place\": \"a\nb\"}}</tool_call>",
            R"(||weather{"place":"a\nb"})");
        row("not closed", "json_tags", R"(<tool_call>{"name": "weather", "arguments": {"days": 2}})", "||" + call);
        row("text after a call", "json_tags",
            "One.\n<tool_call>{\"name\": \"weather\", \"arguments\": {\"days\": 2}}</tool_call>\nTwo.",
            "|One.\n\nTwo.|" + call);
        row("a thought after a call", "json_tags",
            R"(<think>a</think><tool_call>{"name": "weather", "arguments": {"days": 2}}</tool_call><think>b</think>c)",
            "a\n\nb|c|" + call);
        row("a thought on a line of its own", "json_tags", "One.\n<think>a</think>Two.", "a|One.\nTwo.");
        row("a thought in code", "json_tags", "```\n<think>a</think>\n```", "|```\n<think>a</think>\n```");
        row("a thought that is named", "json_tags", "Write <think> first.", "|Write <think> first.");
        row("unfinished JSON", "json_tags", R"(<tool_call>{"name": "weather", "argu)",
            R"(|<tool_call>{"name": "weather", "argu)");
        row("unfinished parameters", "tagged_parameters", "</think><function=weather>\n<parameter=days>\n2",
            "|<function=weather>\n<parameter=days>\n2");
        row("a second call unfinished", "json_tags",
            R"(<tool_call>{"name": "weather", "arguments": {"days": 2}}</tool_call><tool_call>{"name")",
            R"(|<tool_call>{"name"|)" + call);
        row("a header of gpt-oss with the recipient last", "channels",
            "<|channel|>analysis<|message|>t<|end|><|start|>assistant<|channel|>commentary to=functions.weather "
            "<|constrain|>json<|message|>{\"days\": 2}<|call|>",
            "t||" + call);
        row("commentary before a call", "channels",
            "<|channel|>commentary<|message|>One.<|end|><|start|>assistant<|channel|>commentary to=functions.weather"
            "<|message|>{\"days\": 2}",
            "|One.|" + call);
        row("no section", "named_json_numbered",
            "<|tool_call_begin|>functions.weather:0<|tool_call_argument_begin|>{\"days\": 2}<|tool_call_end|>",
            "||" + call);
        row("no prefix", "named_json_numbered",
            "<|tool_calls_section_begin|><|tool_call_begin|>weather:3<|tool_call_argument_begin|>{\"days\": 2}"
            "<|tool_call_end|><|tool_calls_section_end|>",
            "||" + call);
        row("Python without markers", "", "[weather(days=2), weather(place='a, b')]",
            "||" + call + R"(|weather{"place":"a, b"})");
        row("Python for an unknown function", "", "[rain(days=2)]", "|[rain(days=2)]");
        row("JSON for an unknown function", "", R"({"name": "rain", "parameters": {}})",
            R"(|{"name": "rain", "parameters": {}})");
        row("an answer in JSON", "json_bare", R"({"temperature": 5})", R"(|{"temperature": 5})");
        row("quotes in a string without escapes", "literal_python",
            "<|tool_call_start|>[weather(place='it's \"so\"', days=2)]<|tool_call_end|>",
            R"(||weather{"days":2,"place":"it's \"so\""})");
    }
    void toleratesDeviations() {
        QFETCH(QString, name);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, found);
        const auto format = name.isEmpty() ? usualAnswerFormat()
                                           : formatOf(read(formatFolder().filePath(name + QStringLiteral(".jinja"))));
        for (const std::size_t step : {std::size_t{1}, std::size_t{3}, std::size_t{10'000}}) {
            QCOMPARE(apart(format, {.prompt = {}, .text = text.toStdString()}, step, true), found);
        }
    }

    // Where a template writes results before their calls, nothing stands between the two.
    void resultsBeforeTheirCalls() {
        const auto format =
            formatOf("{%- for m in messages[::-1] -%}{{ m.content or '' }}{%- for c in m.tool_calls or [] -%}"
                     "<call>{\"name\": \"{{ c.function.name }}\", \"arguments\": "
                     "{{ c.function.arguments | tojson }}}</call>{%- endfor -%}{%- endfor -%}");
        QVERIFY(format->ownCalls > 0);
        QVERIFY2(format->beforeResult.empty(), format->beforeResult.c_str());
    }

    // A template that writes an answer into the thought that its prompt opens: what closes no thought is the answer,
    // once the model has ended it.
    void readsAnswersInOpenThoughts_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("isComplete");
        QTest::addColumn<QByteArray>("found");
        QTest::newRow("ended") << "json_open_thought" << QByteArray("Yes.") << true << QByteArray("|Yes.");
        QTest::newRow("cut off") << "json_open_thought" << QByteArray("Hm") << false << QByteArray("Hm|");
        QTest::newRow("closed") << "json_open_thought" << QByteArray("Hm\n</think>\nYes.") << true
                                << QByteArray("Hm|Yes.");
        QTest::newRow("a second thought")
            << "json_open_thought" << QByteArray("Hm</think>\n<think>So") << true << QByteArray("Hm\n\nSo|");
        QTest::newRow("a template that closes it")
            << "tagged_parameters" << QByteArray("Hm") << true << QByteArray("Hm|");
    }
    void readsAnswersInOpenThoughts() {
        QFETCH(QString, name);
        QFETCH(QByteArray, text);
        QFETCH(bool, isComplete);
        QFETCH(QByteArray, found);
        const QByteArray source = read(formatFolder().filePath(name + QStringLiteral(".jinja")));
        const Answer answer{.prompt = render(source, {}, false, true).value(), .text = text.toStdString()};
        for (const std::size_t step : {std::size_t{1}, std::size_t{100}}) {
            QCOMPARE(apart(formatOf(source), answer, step, false, isComplete), found);
        }
    }

    // Where nothing closes a call, it ends before text that can no longer be the marker of its next argument.
    void waitsForTheNextArgument() {
        const auto format = std::make_shared<const AnswerFormat>(
            readAnswerFormat(R"({"calls": [{"style": "tagged", "section_open": "<s>", "section_close": "</s>",
                "head": [{"part": "marker", "marker": "<call>"}, {"part": "name"}],
                "key_open": "<k>", "value_open": [{"marker": "</k>"}], "value_close": "</v>"}]})")
                .value());
        const std::string text = "<s><call>f<k>x</k>1</v><k>y</k>2</v></s>";
        for (const std::size_t step : {std::size_t{1}, std::size_t{2}, text.size()}) {
            AnswerParser parser(format, {}, kFormatTools.toStdString());
            for (std::size_t at = 0; at < text.size(); at += step) {
                (void)parser.push(std::string_view(text).substr(at, step));
            }
            parser.finish();
            QCOMPARE(QByteArray::fromStdString(parser.message().toolCalls),
                     R"([{"type": "function", "function": {"name": "f", "arguments": {"x":1,"y":2}}}])");
        }
    }

    void keepsFormatsAsJson() {
        for (const QString& name : formatFolder().entryList({QStringLiteral("*.jinja")})) {
            const auto format = formatOf(read(formatFolder().filePath(name)));
            const auto back = readAnswerFormat(answerFormatJson(*format));
            QVERIFY2(back && *back == *format, qPrintable(name));
        }
        QVERIFY(!readAnswerFormat("[]"));
        QVERIFY(!readAnswerFormat(R"({"calls": [{"style": "smoke"}]})"));
    }

    // Tokens that close a thought or a message do not end generation by themselves.
    void knowsEndsOfGeneration_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("ends");
        QTest::addColumn<QStringList>("inner");
        QTest::newRow("ChatML") << "json_tags" << QStringList{"<|im_end|>"} << QStringList{};
        QTest::newRow("no end but the next turn")
            << "tagged_pairs" << QStringList{"<|user|>", "<|observation|>"} << QStringList{};
        QTest::newRow("messages") << "messages" << QStringList{"<|calls|>"} << QStringList{"<|end|>"};
        QTest::newRow("channels") << "channels" << QStringList{"<|return|>"} << QStringList{"<|end|>"};
        QTest::newRow("a result after calls")
            << "literal_braces" << QStringList{"<turn|>", "<|tool_response>"} << QStringList{};
        QTest::newRow("a section of calls") << "named_json_numbered" << QStringList{"<|im_end|>"} << QStringList{};
        QTest::newRow("closed parts") << "tagged_sections" << QStringList{"<|end_of_msg|>"} << QStringList{};
        QTest::newRow("a closed text") << "json_response_tokens" << QStringList{"<|END_OF_TURN_TOKEN|>"}
                                       << QStringList{};
    }
    void knowsEndsOfGeneration() {
        QFETCH(QString, name);
        QFETCH(QStringList, ends);
        QFETCH(QStringList, inner);
        auto maker = test::makeGpt2();
        for (const char* const text : {"<|im_end|>",
                                       "<|im_start|>",
                                       "<|user|>",
                                       "<|observation|>",
                                       "<|assistant|>",
                                       "<|end|>",
                                       "<|begin|>",
                                       "<|content|>",
                                       "<|think|>",
                                       "<|calls|>",
                                       "<|tool_calls|>",
                                       "<|tool_call:end|>",
                                       "<|return|>",
                                       "<|call|>",
                                       "<|start|>",
                                       "<|channel|>",
                                       "<|message|>",
                                       "<turn|>",
                                       "<|turn>",
                                       "<|tool_response>",
                                       "<tool_call|>",
                                       "<|tool_call_end|>",
                                       "<|tool_calls_section_end|>",
                                       "</tool_call>",
                                       "<|open|>",
                                       "<|close|>",
                                       "<|sep|>",
                                       "<|end_of_msg|>",
                                       "<|END_RESPONSE|>",
                                       "<|END_ACTION|>",
                                       "<|END_OF_TURN_TOKEN|>",
                                       "</think>"}) {
            maker.add(text, test::kControl);
        }
        const auto model = gguf::read(maker.file().source()).value();
        const auto tokenizer = makeTokenizer(*model).value();
        const AnswerEnd end =
            answerEndOf(*formatOf(read(formatFolder().filePath(name + QStringLiteral(".jinja")))), *tokenizer);
        const auto texts = [&](const std::vector<TokenId>& ids) {
            QStringList found;
            for (const TokenId id : ids) {
                const std::string_view text = tokenizer->vocabulary().text(id);
                found << QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
            }
            found.sort();
            return found;
        };
        ends.sort();
        QCOMPARE(texts(end.inner), inner);
        QCOMPARE(texts(end.tokens), ends);
        QVERIFY(end.stops.empty());
    }

    // A hostile answer takes neither long nor an unreasonable number of pieces.
    void staysFast() {
        std::string text;
        for (int i = 0; i < 20'000; ++i) {
            text += "<tool_call>{\"a\n<function=<parameter=";
        }
        AnswerParser parser(usualAnswerFormat(), {}, kFormatTools.toStdString());
        for (std::size_t at = 0; at < text.size(); at += 64) {
            (void)parser.push(std::string_view(text).substr(at, 64));
        }
        parser.finish();
        QCOMPARE(parser.message().content, text);
    }
};

GUFO_TEST(TestAnswerFormat)
#include "tst_answer_format.moc"
