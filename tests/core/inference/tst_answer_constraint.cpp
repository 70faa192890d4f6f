// Constraints that wait for the thinking: which tokens may come at each step of an answer, whoever opens a thought.
#include "formats/gguf/read/reader.h"
#include "inference/generation/answer_constraint.h"
#include "inference/generation/call_constraint.h"
#include "inference/generation/generation.h"
#include "inference/grammar/grammar.h"
#include "support/stand_in_engine.h"
#include "support/test_unit.h"
#include "support/vocabulary_maker.h"

#include <QTest>

#include <algorithm>
#include <iterator>

using namespace gufo;
using namespace gufo::inference;

namespace {

using Format = std::shared_ptr<const text::AnswerFormat>;

// The formats are written as in tests/data/template/formats, as far as a constraint needs them. `source`: the text of a
// template, for the formats that the table knows.
Format withKnownFormats(text::AnswerFormat format, std::string_view source = {}) {
    text::addKnownFormats(format, source);
    return std::make_shared<const text::AnswerFormat>(std::move(format));
}
Format plainFormat() { return withKnownFormats({}); }
Format thinkFormat() {
    return withKnownFormats({.thoughts = {{.open = "<think>", .close = "</think>"}}, .ownThoughts = 1});
}
Format messagesFormat() {
    return withKnownFormats({.thoughts = {{.open = "<|think|>", .close = "<|end|>"}},
                             .ownThoughts = 1,
                             .header = "<|start|>assistant",
                             .contentOpen = "<|content|>"});
}
constexpr std::string_view kChannels = "<|channel|><|message|>";
Format channelsFormat() { return withKnownFormats({}, kChannels); }

constexpr auto kWeatherTools =
    "[{\"type\": \"function\", \"function\": {\"name\": \"weather\", \"parameters\": {\"type\": \"object\", "
    "\"properties\": {"
    "\"city\": {\"enum\": [\"Rome\", \"Oslo\"]}, \"days\": {\"type\": \"integer\", \"minimum\": 1, \"maximum\": 7}, "
    "\"tags\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"uniqueItems\": true}}, \"required\": "
    "[\"city\"]}}}, "
    "{\"type\": \"function\", \"function\": {\"name\": \"time\"}}]";

using text::CallFormat;
using Head = text::CallHeadPart;

Format formatOfCall(CallFormat call) {
    return std::make_shared<const text::AnswerFormat>(
        text::AnswerFormat{.calls = {std::move(call)}, .ownCalls = 1, .knowsTools = true});
}
CallFormat jsonCall() {
    return {.open = "<tool_call>", .close = "</tool_call>", .nameKey = "name", .argumentsKey = "arguments"};
}
CallFormat listCall() {
    return {.sectionOpen = "[TOOL_CALLS]", .nameKey = "name", .argumentsKey = "arguments", .idKey = "id"};
}
CallFormat wrappedCall() {
    CallFormat call = jsonCall();
    call.wrapperKey = "function";
    return call;
}
CallFormat bareCall() { return {.nameKey = "name", .argumentsKey = "parameters"}; }
CallFormat literalCall() {
    return {.style = text::CallStyle::Literals,
            .head = {{.kind = Head::Kind::Name}},
            .nameKey = "name",
            .argumentsKey = "parameters",
            .argumentsOpen = "(",
            .argumentsClose = ")",
            .assign = "=",
            .quote = "'"};
}
CallFormat namedCall() {
    CallFormat call = jsonCall();
    call.style = text::CallStyle::NamedJson;
    call.head = {
        {.kind = Head::Kind::Marker, .marker = "<tool_call>call:"}, {.kind = Head::Kind::Name}, {.marker = "<args>"}};
    return call;
}
CallFormat taggedCall() {
    return {.style = text::CallStyle::Tagged,
            .open = "<tool_call>\n<function=",
            .close = "</function>\n</tool_call>",
            .head = {{.kind = Head::Kind::Marker, .marker = "<tool_call>\n<function="},
                     {.kind = Head::Kind::Name},
                     {.marker = ">"}},
            .nameKey = "name",
            .argumentsKey = "arguments",
            .keyOpen = "<parameter=",
            .valueOpen = {{.marker = ">\n"}},
            .valueClose = "\n</parameter>"};
}
// With others that are told by markers.
Format bareAmongKnown() { return withKnownFormats({.calls = {bareCall()}, .ownCalls = 1, .knowsTools = true}); }
Format channelCalls() { return withKnownFormats({.knowsTools = true}, kChannels); }

} // namespace

class TestAnswerConstraint : public QObject {
    Q_OBJECT

private slots:
    // `steps`: texts of tokens separated by spaces; before each, "+X" says that X is allowed, "-X" that it is not, "."
    // that the answer may end and "!" that it may not. "_" stands for a line break.
    void allows_data() {
        QTest::addColumn<Format>("format");
        QTest::addColumn<bool>("tools"); // whether the model was given one
        QTest::addColumn<QString>("prompt");
        QTest::addColumn<QStringList>("inner"); // tokens that also end messages within the answer
        QTest::addColumn<QString>("steps");
        const auto rowWith = [](const char* what, const Format& format, bool tools, const char* prompt,
                                const QStringList& inner, const char* steps) {
            QTest::newRow(what) << format << tools << QString::fromLatin1(prompt) << inner
                                << QString::fromLatin1(steps);
        };
        const auto row = [&](const char* what, const Format& format, const char* prompt, const char* steps) {
            rowWith(what, format, false, prompt, {}, steps);
        };
        const auto rowWithTools = [&](const char* what, const Format& format, const char* prompt, const char* steps) {
            rowWith(what, format, true, prompt, {}, steps);
        };
        const auto rowOfMessages = [&](const char* what, const char* steps) {
            rowWith(what, messagesFormat(), false, "<|start|>assistant", {QStringLiteral("<|end|>")}, steps);
        };
        row("no thought", thinkFormat(), "", "! +5 -x +<think> 5 . +5 -x 5 .");
        row("white space first", thinkFormat(), "", "+_ _ +_ +5 -x 5 .");
        row("the model thinks", thinkFormat(), "",
            "<think> ! +x +5 +</think> x ! </think> ! +_ +5 -x -<think> _ _ 5 .");
        row("the prompt thinks", thinkFormat(), "<think>\n", "! +x x </think> -x +5 5 .");
        row("a marker of several tokens", thinkFormat(), "",
            "+< -> < +t -5 -x t h i n k > +x x < +x / t h i n k > +5 -x 5 .");
        row("a thought that the template does not write", plainFormat(), "", "+<think> <think> +x x </think> -x 5 .");
        row("no call without tools", thinkFormat(), "", "-<tool_call>");
        rowWithTools("a call instead", thinkFormat(), "", "+<tool_call> -x +5 <tool_call> ! +x +{ { ! x");
        rowOfMessages("messages", "! -5 -x +<|think|> +<|content|> <|content|> -x +5 5 . +<|end|>");
        rowOfMessages("a thought in messages",
                      "<|think|> +x x ! <|end|> -5 +<|start|> <|start|> a s s i s t a n t <|content|> +5 -x 5 .");
        rowWithTools("a call in a channel", channelsFormat(), "<|start|>assistant",
                     "<|channel|> c o m m e n t a r y _ t o = f u n c t i o n s .f f <|message|> ! { ! } .");
        rowWithTools("a call, and its end", thinkFormat(), "",
                     "<tool_call> { \" n a m e \" : \" f \" , \" a r g u m e n t s \" : { } ! } ! "
                     "</tool_call> . _ . <tool_call> !");
        row("channels", channelsFormat(), "<|start|>assistant",
            "! +<|channel|> <|channel|> a n a l y s i s <|message|> +x ! x <|end|> ! <|start|> a s s i s t a n t "
            "<|channel|> f i n a l <|message|> -x +5 5 .");
    }
    void allows() {
        QFETCH(Format, format);
        QFETCH(bool, tools);
        QFETCH(QString, prompt);
        QFETCH(QStringList, inner);
        QFETCH(QString, steps);
        auto maker = test::makeGpt2();
        for (const char* const token :
             {"<think>", "</think>", "<tool_call>", "</tool_call>", "<|think|>", "<|content|>", "<|end|>", "<|start|>",
              "<|channel|>", "<|message|>", "<|constrain|>"}) {
            maker.add(token, test::kControl);
        }
        const auto tokenizer = text::makeTokenizer(*gguf::read(maker.file().source()).value()).value();
        const auto idOf = [&](const QString& text) {
            const std::string what = text == QLatin1String("_") ? "\n" : text.toStdString();
            return tokenizer->encode(what, {.addBos = false, .addEos = false, .parseSpecial = true})->ids.front();
        };
        const auto parser = std::make_shared<text::AnswerParser>(
            format, prompt.toStdString(),
            tools ? R"([{"type": "function", "function": {"name": "f", "parameters": {}}}])" : "");
        const auto trie = std::make_shared<const TokenTrie>(*tokenizer);
        auto grammar = GrammarConstraint::make(Grammar::parse("root ::= [0-9]+").value(), trie, *tokenizer).value();
        const auto written = text::answerMarkers(*format, *tokenizer);
        std::vector<TokenId> ends = text::answerEndOf(*format, *tokenizer).inner;
        std::ranges::transform(inner, std::back_inserter(ends), idOf);
        AnswerConstraint constraint(std::move(grammar), parser, format, trie, *tokenizer, written, ends, tools);
        for (const QString& step : steps.split(u' ')) {
            const auto explain = [&] {
                return qPrintable(step + u' ' + QString::fromStdString(parser->message().content));
            };
            if (step == QLatin1String(".") || step == QLatin1String("!")) {
                QVERIFY2(constraint.mayEnd() == (step == QLatin1String(".")), explain());
            } else if (step.size() > 1 && (step.startsWith(u'+') || step.startsWith(u'-'))) {
                const TokenId token = idOf(step.mid(1));
                QVERIFY2(constraint.allows(token) == step.startsWith(u'+'), explain());
                const TokenMask mask = constraint.mask();
                QVERIFY2(contains(mask, token) == step.startsWith(u'+'), explain());
            } else {
                const TokenId token = idOf(step);
                QVERIFY2(constraint.allows(token), explain());
                (void)parser->push(tokenizer->bytesOf(token));
                constraint.accept(token);
            }
        }
        QVERIFY(!constraint.failure());
    }

    // Nothing is constrained before the marker of a call. `refused` is the first text that must not follow `text`.
    void constrainsCalls_data() {
        QTest::addColumn<Format>("format");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("refused");
        QTest::addColumn<bool>("mayEnd");
        const auto row = [](const char* what, const Format& format, const char* text, const char* refused,
                            bool mayEnd) {
            QTest::newRow(what) << format << QString::fromLatin1(text) << QString::fromLatin1(refused) << mayEnd;
        };
        const Format json = formatOfCall(jsonCall());
        const Format list = formatOfCall(listCall());
        const Format wrapped = formatOfCall(wrappedCall());
        const Format named = formatOfCall(namedCall());
        const Format tagged = formatOfCall(taggedCall());
        const Format bare = bareAmongKnown();
        const Format python = formatOfCall(literalCall());
        const Format channels = channelCalls();
        row("text", json, "Any <text> {x", "", true);
        row("after the marker", json, "<tool_call>", "x", false);
        row("white space", json, "Text\n<tool_call>\n{\"name\": \"", "x", false);
        row("name", json, "<tool_call>{\"name\": \"weather", "x", false);
        row("no tool has the name", json, "<tool_call>{\"name\": \"w", "x", false);
        row("required argument", json, "<tool_call>{\"name\": \"weather\", \"arguments\": {", "}", false);
        row("value", json, "<tool_call>{\"name\": \"weather\", \"arguments\": {\"city\": \"Rome", "x", false);
        row("bound", json, "<tool_call>{\"name\": \"weather\", \"arguments\": {\"city\": \"Oslo\", \"days\": ", "9",
            false);
        row("unknown argument", json, "<tool_call>{\"name\": \"weather\", \"arguments\": {\"city\": \"Oslo\", \"", "x",
            false);
        row("unique elements", json,
            "<tool_call>{\"name\": \"weather\", \"arguments\": {\"city\": \"Oslo\", \"tags\": [\"a\", \"a", "\"",
            false);
        row("whole", json, "<tool_call>{\"name\": \"weather\", \"arguments\": {\"city\": \"Oslo\", \"days\": 3}}", "",
            true);
        row("closed", json, "<tool_call>\n{\"name\": \"time\", \"arguments\": {}}\n</tool_call>", "", true);
        row("any arguments", json, "<tool_call>{\"name\": \"time\", \"arguments\": {\"x\": [1", "x", false);
        row("second call", json,
            "<tool_call>{\"name\": \"time\", \"arguments\": {}}</tool_call><tool_call>{\"name\": \"weather\", "
            "\"arguments\": {",
            "}", false);
        row("text after a call", json, "<tool_call>{\"name\": \"time\", \"arguments\": {}}</tool_call> Done", "", true);
        row("arguments first", json, "<tool_call>{\"arguments\": {\"city\": \"Rome\"}, \"name\": \"w", "x", false);
        row("list", list,
            "[TOOL_CALLS][{\"name\": \"time\", \"arguments\": {}, \"id\": \"a1\"}, {\"name\": \"weather\"", "x", false);
        row("end of a list", list, "[TOOL_CALLS] [{\"name\": \"time\", \"arguments\": {}}]", "", true);
        row("wrapped", wrapped,
            "<tool_call>{\"type\": \"function\", \"function\": {\"name\": \"weather\", \"arguments\": {", "}", false);
        row("named", named, "<tool_call>call:", "x", false);
        row("arguments of a named call", named, "<tool_call>call:weather<args>{\"city\": \"", "x", false);
        row("whole named call", named, "<tool_call>call:weather<args>{\"city\": \"Rome\"}</tool_call>", "", true);
        row("name of a tagged call", tagged, "<tool_call>\n<function=t", "x", false);
        row("name of a tagged argument", tagged, "<tool_call>\n<function=weather>\n<parameter=", "x", false);
        row("string of a tagged call", tagged, "<tool_call>\n<function=weather>\n<parameter=city>\n", "A", false);
        row("number of a tagged call", tagged, "<tool_call>\n<function=weather>\n<parameter=days>\n", "9", false);
        row("list of a tagged call", tagged, "<tool_call>\n<function=weather>\n<parameter=tags>\n[\"a\", \"a", "\"",
            false);
        row("required argument of a tagged call", tagged,
            "<tool_call>\n<function=weather>\n<parameter=days>\n3\n</parameter>\n<", "/", false);
        row("any argument of a tagged call", tagged,
            "<tool_call>\n<function=time>\n<parameter=zone>\nAny \"text\" < here", "", false);
        row("whole tagged call", tagged,
            "<tool_call>\n<function=weather>\n<parameter=city>\nRome\n</parameter>\n</function>\n</tool_call>", "",
            true);
        row("tagged call without the outer tags", tagged, "<function=weather>\n<parameter=city>\n", "A", false);
        row("bare call", bare, "{\"name\": \"weather\", \"parameters\": {\"city\": \"", "x", false);
        row("whole bare call", bare, "{\"name\": \"weather\", \"parameters\": {\"city\": \"Rome\"}}", "", true);
        row("text after a bare call", bare, "{\"name\": \"weather\", \"parameters\": {\"city\": \"Rome\"}}\nDone", "",
            true);
        row("an object for the user", bare, "{\"name\": \"Ann\", \"parameters\": {\"x", "", true);
        row("JSON in a usual format", bare, "<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"", "x",
            false);
        row("parameters in another one", bare, "<tool_call>\n<function=weather>\n<parameter=city>\n", "A", false);
        row("literals", python, "[weather(city='Rome', days=", "9", false);
        row("a string among literals", python, "[weather(city='", "x", false);
        row("equal elements among literals", python, "[weather(tags=['a', 'a", "'", false);
        row("whole literals", python, "[weather(city='Rome', days=3), time(zone=None, x={'a': True})]", "", true);
        row("name in a channel", channels, "<|channel|>commentary to=functions.", "x", false);
        row("end of the name in a channel", channels, "<|channel|>commentary to=functions.time", "x", false);
        row("header before the channel", channels,
            " to=functions.weather<|channel|>commentary json<|message|>{\"city\": \"", "x", false);
        row("arguments in a channel", channels,
            "<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{\"city\": \"", "x", false);
        row("whole call in a channel", channels,
            "<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{\"city\": \"Rome\"}", "", true);
    }
    void constrainsCalls() {
        QFETCH(Format, format);
        QFETCH(QString, text);
        QFETCH(QString, refused);
        QFETCH(bool, mayEnd);
        auto maker = test::makeGpt2();
        for (const char* const token : {"<tool_call>", "</tool_call>", "<|channel|>", "<|message|>", "<|constrain|>"}) {
            maker.add(token, test::kControl);
        }
        const auto tokenizer = text::makeTokenizer(*gguf::read(maker.file().source()).value()).value();
        const auto idsOf = [&](const QString& part) {
            return tokenizer->encode(part.toStdString(), {.addBos = false, .addEos = false, .parseSpecial = true})->ids;
        };
        const auto parser = std::make_shared<text::AnswerParser>(format, "", kWeatherTools);
        const auto trie = std::make_shared<const TokenTrie>(*tokenizer);
        CallConstraint constraint(nullptr, parser, callGrammars(*format, kWeatherTools), trie, *tokenizer,
                                  text::answerMarkers(*format, *tokenizer));
        QString before;
        for (const TokenId token : idsOf(text)) {
            const QString next = QString::fromStdString(tokenizer->bytesOf(token));
            QVERIFY2(constraint.allows(token), qPrintable(before + u'|' + next));
            QVERIFY2(contains(constraint.mask(), token), qPrintable(before + u'|' + next));
            (void)parser->push(tokenizer->bytesOf(token));
            constraint.accept(token);
            before += next;
        }
        QCOMPARE(constraint.mayEnd(), mayEnd);
        if (refused.isEmpty()) {
            return;
        }
        const TokenId wrong = idsOf(refused).front();
        QVERIFY(!constraint.allows(wrong));
        QVERIFY(!contains(constraint.mask(), wrong));
        QVERIFY(!constraint.failure());
    }

    // At the limit, what ends a thought is written for the model, without the space that begins a text of its own.
    void endsLongThoughts_data() {
        QTest::addColumn<bool>("tokens"); // whether the markers are tokens
        QTest::newRow("markers of letters") << false;
        QTest::newRow("markers that are tokens") << true;
    }
    void endsLongThoughts() {
        QFETCH(bool, tokens);
        auto maker = test::makeSentencePiece();
        if (tokens) {
            maker.add("<think>", test::kControl);
            maker.add("</think>", test::kControl);
        }
        const auto tokenizer = text::makeTokenizer(*gguf::read(maker.file().source()).value()).value();
        const TokenId hello = tokenizer->encode("hello", {.addBos = false})->ids.front();
        text::AnswerFormat format;
        format.thoughts = {{.open = "<think>", .close = "</think>", .closing = "\n</think>\n\n"}};
        format.ownThoughts = 1;
        const auto shared = std::make_shared<const text::AnswerFormat>(format);
        const auto parser = std::make_shared<text::AnswerParser>(shared, "<think>\n");
        test::StandInSession session({hello}, static_cast<std::uint32_t>(tokenizer->vocabulary().size()), 128);
        GenerationSettings settings;
        settings.maxTokens = 40;
        settings.written = text::answerMarkers(*shared, *tokenizer);
        settings.thoughtTokens = 3;
        settings.sampler.temperature = 0;
        Generation generation(session, tokenizer, settings);
        generation.setParser(parser);
        QVERIFY(generation.start(std::vector{hello}, {}));
        std::string said;
        while (parser->isThinking() || said.size() < 40) {
            const auto token = generation.next({});
            QVERIFY(token && *token);
            said += (*token)->bytes;
        }
        const std::string wanted = " hello hello hello\n</think>";
        QVERIFY2(said.starts_with(wanted) || said.starts_with(wanted.substr(1)), said.c_str());
    }
};

GUFO_TEST(TestAnswerConstraint)
#include "tst_answer_constraint.moc"
