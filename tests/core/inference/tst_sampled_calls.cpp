// Calls that a model with random logits writes under the constraint of their format: each one is read as a call, and
// its arguments conform to the schema of the tool. The formats come from the templates in
// tests/data/template/formats and of published templates, where these are present.
#include "base/json_value.h"
#include "formats/gguf/read/reader.h"
#include "inference/generation/call_constraint.h"
#include "inference/grammar/json_schema.h"
#include "support/test_unit.h"
#include "support/vocabulary_maker.h"
#include "test_paths.h"
#include "text/conversation/format_derivation.h"
#include "text/conversation/marker_text.h"

#include <QDir>
#include <QTest>

#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace gufo;
using namespace gufo::inference;

namespace {

// The schemas of the arguments by the names of the tools.
const std::map<std::string, std::string>& schemasOfTools() {
    static const std::map<std::string, std::string> all{
        {"weather", // not a raw string, because moc would not find its end
         "{\"type\":\"object\",\"properties\":{\"city\":{\"enum\":[\"Rome\",\"New York\",\"it's \\\"far\\\"\"]},"
         R"("days":{"type":"integer","minimum":1,"maximum":7},"note":{"type":"string","maxLength":12},)"
         R"("exact":{"type":"boolean"},"limit":{"type":["number","null"]}},"required":["city","days"]})"},
        {"search", R"({"type":"object","properties":{"query":{"type":"string","minLength":2},)"
                   R"("code":{"type":"string","pattern":"^[A-Z]{2}-[0-9]{1,3}$"},)"
                   R"("tags":{"type":"array","items":{"type":"string","maxLength":3},"uniqueItems":true,"minItems":2,)"
                   R"("maxItems":4},"place":{"$ref":"#/$defs/place"},"page":{"type":["string","integer"],"maximum":9},)"
                   R"("day":{"type":["string","null"],"format":"date"}},"required":["query","code"],)"
                   R"("additionalProperties":false,"$defs":{"place":{"type":"object","properties":{)"
                   R"("x":{"type":"number"},"kind":{"const":"a b"},"open":{"type":"boolean"}},"required":["x"]}}})"},
        {"note", R"({"type":"object","properties":{"first":{"type":"null"},"second":{"enum":[1,"1",true,[2,"x"]]}},)"
                 R"("minProperties":1,"additionalProperties":{"type":"string","maxLength":5}})"},
        {"ping", R"({})"},
    };
    return all;
}

std::string toolList() {
    std::string list;
    for (const auto& [name, schema] : schemasOfTools()) {
        list += (list.empty() ? "[" : ",") + std::string(R"({"type":"function","function":{"name":)") +
                quotedJson(name) + R"(,"parameters":)" + schema + "}}";
    }
    return list + "]";
}

// What is written until the constraint takes over. Calls without a marker are constrained from their arguments on.
std::string beginningOf(const text::AnswerFormat& format) {
    if (format.channels) {
        return "<|channel|>commentary to=functions.";
    }
    const text::CallFormat& call = format.calls.front();
    if (!call.triggers().empty()) {
        const std::string first = call.triggers().front();
        const bool beginsThoughts = std::ranges::any_of(
            format.thoughts, [&](const text::ThoughtFormat& thought) { return thought.open.starts_with(first); });
        return beginsThoughts ? call.sectionOpen + call.open : first;
    }
    if (call.style == text::CallStyle::Literals) {
        return "[weather" + call.argumentsOpen;
    }
    return call.nameKey.empty() ? R"({"weather": {)"
                                : "{\"" + call.nameKey + R"(": "weather", ")" + call.argumentsKey + "\": {";
}

std::set<std::string> markersOf(const text::AnswerFormat& format) {
    std::set<std::string> all{"<|channel|>", "<|message|>", "<|call|>", "<|constrain|>"};
    const text::CallFormat& call = format.channels ? text::CallFormat() : format.calls.front();
    for (const std::string& marker :
         {call.sectionOpen, call.sectionClose, call.open, call.close, call.keyOpen, call.valueClose, call.quote}) {
        for (const std::string& tag : text::tagsOf(marker)) {
            if (tag.size() > 1) {
                all.insert(tag);
            }
        }
    }
    return all;
}

struct CallSampler {
    std::mt19937 random;
    std::set<std::uint32_t> structure; // tokens that come more often, so that calls end
    std::vector<std::string> markers;  // of several tokens, which go on once they have begun

    // Whether the text ends with the beginning of a marker that the token continues.
    [[nodiscard]] bool continuesMarker(std::string_view said, const std::string& token) const {
        return std::ranges::any_of(markers, [&](const std::string& marker) {
            for (std::size_t at = marker.find(token, 1); at != std::string::npos; at = marker.find(token, at + 1)) {
                if (said.ends_with(std::string_view(marker).substr(0, at))) {
                    return true;
                }
            }
            return false;
        });
    }

    std::optional<TokenId> draw(TokenMask mask, const text::Tokenizer& tokenizer, std::string_view said,
                                std::size_t written) {
        const std::size_t vocabulary = tokenizer.vocabulary().size();
        std::normal_distribution<double> logit(0, 2);
        std::optional<TokenId> best;
        double most = 0;
        for (std::uint32_t i = 0; i < vocabulary; ++i) {
            if (!contains(mask, TokenId(std::size_t{i}))) {
                continue;
            }
            const std::string text = tokenizer.bytesOf(TokenId(std::size_t{i}));
            const bool goesOn = text.size() > 2 && continuesMarker(said, text);
            const double bonus = goesOn ? 24 : structure.contains(i) ? (written > 200 ? 12 : 3) : 0;
            if (const double value = logit(random) + bonus; !best || value > most) {
                best = TokenId(std::size_t{i});
                most = value;
            }
        }
        return best;
    }
};

} // namespace

class TestSampledCalls : public QObject {
    Q_OBJECT

    std::unique_ptr<text::TemplateRenderer> m_renderer;

    static void addTemplates(const QDir& folder) {
        QTest::addColumn<QString>("path");
        for (const QString& name : folder.entryList({QStringLiteral("*.jinja")})) {
            QTest::newRow(qPrintable(name.chopped(6))) << folder.filePath(name);
        }
    }

    void sample(int rounds) {
        QFETCH(QString, path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto format = text::answerFormatOf({}, file.readAll().toStdString(), *m_renderer);
        QVERIFY(format != nullptr);
        if (!format->hasCalls()) {
            return; // the template writes no calls
        }
        auto maker = test::makeGpt2();
        for (const std::string& marker : markersOf(*format)) { // single characters are tokens already
            maker.add(marker, text::isTag(marker) && marker.ends_with('>') ? test::kControl : test::kUserDefined);
        }
        const auto tokenizer = text::makeTokenizer(*gguf::read(maker.file().source()).value()).value();
        const auto trie = std::make_shared<const TokenTrie>(*tokenizer);
        const std::string tools = toolList();
        const auto grammars = callGrammars(*format, tools);
        const auto written = text::answerMarkers(*format, *tokenizer);
        CallSampler sampler{.random = std::mt19937(20261129), .structure = {}, .markers = {}};
        if (!format->channels) {
            sampler.markers = {format->calls.front().valueClose, format->calls.front().close};
        }
        for (std::uint32_t i = 0; i < tokenizer->vocabulary().size(); ++i) {
            const std::string text = tokenizer->bytesOf(TokenId(std::size_t{i}));
            const bool isMarker =
                text.size() > 2 && text.find_first_of("<[|") != text.npos && text.find_first_not_of('<') != text.npos;
            if (isMarker ||
                (text.size() == 1 && std::string_view("\"'])}\n").find(text[0]) != std::string_view::npos)) {
                sampler.structure.insert(i);
            }
        }
        std::map<std::string, int> seen; // names of tools and parameters
        for (int round = 0; round < rounds; ++round) {
            const auto parser = std::make_shared<text::AnswerParser>(format, "", tools);
            CallConstraint constraint(nullptr, parser, grammars, trie, *tokenizer, written);
            std::string said;
            const auto take = [&](TokenId token) {
                const std::string text = tokenizer->bytesOf(token);
                (void)parser->push(text);
                constraint.accept(token);
                said += text;
            };
            const auto begun =
                tokenizer->encode(beginningOf(*format), {.addBos = false, .addEos = false, .parseSpecial = true});
            std::ranges::for_each(begun->ids, take);
            QVERIFY2(parser->isCall(), said.c_str());
            QVERIFY2(!constraint.mayEnd(), said.c_str());
            constexpr std::size_t kMost = 4000;
            std::size_t count = 0;
            while (!constraint.mayEnd() && count++ < kMost) {
                const auto token = sampler.draw(constraint.mask(), *tokenizer, said, count);
                QVERIFY2(token, said.c_str());
                QVERIFY2(constraint.allows(*token), said.c_str());
                take(*token);
            }
            QVERIFY2(count < kMost, said.c_str());
            (void)parser->finish();
            check(parser->message(), said, seen);
            if (QTest::currentTestFailed()) {
                return;
            }
        }
        QVERIFY(seen["weather city"] > 0);
        constexpr int kMany = 60; // enough for every tool and many of their parameters
        if (rounds >= kMany && (format->channels || format->calls.front().hasMarker())) {
            for (const char* const name : {"search", "note", "ping", "weather days", "search query"}) {
                QVERIFY2(seen[name] > 0, name);
            }
        }
    }

    static void check(const text::Message& message, const std::string& said, std::map<std::string, int>& seen) {
        QVERIFY2(message.content.empty(), (message.content + "\nsaid: " + said).c_str());
        const auto calls = readJson(message.toolCalls);
        QVERIFY2(calls && !calls->elements.empty(), said.c_str());
        for (const JsonValue& call : calls->elements) {
            const JsonValue* function = call.find("function");
            const std::string name = function->find("name")->text;
            const auto schema = schemasOfTools().find(name);
            QVERIFY2(schema != schemasOfTools().end(), said.c_str());
            const std::string arguments = writeJson(*function->find("arguments"));
            const auto conforms = conformsToJsonSchema(arguments, schema->second);
            QVERIFY2(conforms && *conforms, (name + " " + arguments + "\nsaid: " + said).c_str());
            seen[name] += 1;
            for (const auto& [parameter, value] : function->find("arguments")->members) {
                seen[name + " " + parameter] += 1;
            }
        }
    }

private slots:
    void initTestCase() { m_renderer = std::make_unique<text::TemplateRenderer>(); }
    void cleanupTestCase() { m_renderer.reset(); }

    void conform_data() { addTemplates(QDir(QStringLiteral(GUFO_TEST_DATA "/template/formats"))); }
    void conform() { sample(60); }

    void conformInPublishedFormats_data() {
        const QDir folder(QStringLiteral(GUFO_SHARED_DIR "/thirdparty/templates"));
        if (!folder.exists()) {
            QSKIP("the folder " GUFO_SHARED_DIR
                  "/thirdparty/templates, which has published chat templates, is missing");
        }
        addTemplates(folder);
    }
    void conformInPublishedFormats() { sample(25); }
};

GUFO_TEST(TestSampledCalls)
#include "tst_sampled_calls.moc"
