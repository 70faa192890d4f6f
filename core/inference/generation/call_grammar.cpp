#include "inference/generation/call_grammar.h"

#include "base/ascii.h"
#include "base/json_value.h"
#include "inference/grammar/json_grammar.h"
#include "inference/grammar/json_schema.h"
#include "inference/grammar/value_notation.h"
#include "text/conversation/marker_text.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace gufo::inference {
namespace {

using text::CallFormat;
using text::CallHeadPart;
using text::CallStyle;

constexpr std::string_view kSpaceRules = R"(sp ::= [ \t\r\n]{0,8}
id-text ::= [a-zA-Z0-9_.:-]{1,64}
)";
constexpr std::string_view kSpace = R"([ \t\r\n]{0,8})"; // for rules that get a prefix
constexpr std::string_view kAnyArguments = "object";     // a common rule

// A tool, and the rule of its arguments.
struct ToolRule {
    std::string name;
    std::string arguments;
};

// How a format writes arguments, where not as JSON; `python`: in the other way of a format that has two.
std::optional<ArgumentNotation> notationOf(const CallFormat& format, bool python) {
    ArgumentNotation notation;
    const std::string space = std::string(kSpace) + " ";
    if (format.style == CallStyle::Tagged) {
        notation.comma = space;
        notation.beforeName = grammarLiteral(format.keyOpen) + " ";
        for (const text::ValueOpening& each : format.valueOpen) {
            notation.afterName.push_back({.text = grammarLiteral(each.marker) + " ", .isString = each.isString});
        }
        if (python) {
            notation.values = {.quote = "'", .python = true};
        }
        notation.afterValue = grammarLiteral(format.valueClose);
        notation.rawEnd = text::withoutSpace(format.valueClose);
        return notation;
    }
    if (format.style == CallStyle::Literals) {
        const bool isPlain = format.quote.size() == 1;
        const bool isMarker = format.quote.size() > 1 && !format.escapes;
        notation.values = {.quote = isPlain || isMarker ? format.quote : "\"",
                           .escapes = format.escapes || format.quote.empty(),
                           .bareNames = isMarker,
                           .python = format.assign == "="};
        notation.open = grammarLiteral(format.argumentsOpen) + " " + space;
        notation.close = space + grammarLiteral(format.argumentsClose);
        notation.comma = R"("," )" + space;
        notation.afterName.push_back({.text = grammarLiteral(format.assign) + " "});
        return notation;
    }
    return std::nullopt;
}

bool isNamePart(char c) { return isAsciiLetterOrDigit(static_cast<unsigned char>(c)) || c == '-' || c == '_'; }

// Returns rules with `prefix` before their names, so that the rules of several schemas can be joined. The rules that
// open arrays and objects whose parts must differ are known by their names: they are left as they are, without their
// definitions.
std::string withPrefix(std::string_view rules, std::string_view prefix) {
    std::string out;
    std::size_t lineBegin = 0; // in `out`
    for (std::size_t i = 0; i < rules.size();) {
        const char c = rules[i];
        if (c == '"' || c == '[') { // a literal or a class
            const char end = c == '"' ? '"' : ']';
            const std::size_t begin = i++;
            while (i < rules.size() && rules[i] != end) {
                i += rules[i] == '\\' ? 2 : 1;
            }
            i = std::min(i + 1, rules.size());
            out += rules.substr(begin, i - begin);
        } else if (c == '{') { // a number of repetitions
            const std::size_t end = std::min(rules.find('}', i), rules.size() - 1);
            out += rules.substr(i, end + 1 - i);
            i = end + 1;
        } else if (isNamePart(c)) {
            std::size_t end = i;
            while (end < rules.size() && isNamePart(rules[end])) {
                ++end;
            }
            const std::string_view name = rules.substr(i, end - i);
            const bool isShared = name == kDistinctArrayRule || name == kDistinctObjectRule;
            out += (isShared ? std::string() : std::string(prefix)) + std::string(name);
            i = end;
        } else {
            out += c;
            ++i;
            if (c == '\n') {
                const std::string_view line = std::string_view(out).substr(lineBegin);
                if (line.starts_with(kDistinctArrayRule) || line.starts_with(kDistinctObjectRule)) {
                    out.resize(lineBegin);
                }
                lineBegin = out.size();
            }
        }
    }
    return out;
}

// Adds the rules of the arguments of each tool to `rules`. `notation`: how they are written; nothing: as JSON.
std::vector<ToolRule> toolRules(std::string_view tools, std::optional<ArgumentNotation> notation, std::string& rules) {
    constexpr std::size_t kMostRules = Grammar::kMaxBytes / 4;
    std::vector<ToolRule> found;
    const text::ToolSchemas schemas(tools);
    const auto list = readJson(tools);
    if (!list || !list->is(JsonValue::Kind::Array)) {
        return found;
    }
    for (const JsonValue& each : list->elements) {
        const JsonValue* function = each.find("function");
        const JsonValue& tool = function != nullptr ? *function : each;
        const JsonValue* name = tool.find("name");
        if (name == nullptr || !name->is(JsonValue::Kind::String) || name->text.empty()) {
            continue;
        }
        ToolRule rule{.name = name->text, .arguments = std::string(kAnyArguments)};
        const JsonValue* parameters = tool.find("parameters");
        const bool isKnown =
            parameters != nullptr && parameters->is(JsonValue::Kind::Object) && !parameters->members.empty();
        if (notation) {
            notation->typesOf = [&](std::string_view parameter) { return schemas.typesOf(name->text, parameter); };
        }
        const std::string schema = isKnown ? writeJson(*parameters) : R"({"type": "object"})";
        Result<SchemaGrammar> grammar = SchemaGrammar();
        if (notation) {
            grammar = parseArgumentSchema(schema, *notation, {.relaxed = true});
            if (!grammar) { // no restriction on the arguments
                grammar = parseArgumentSchema(R"({"type": "object"})", *notation);
            }
        } else if (isKnown) {
            grammar = parseJsonSchema(schema, {.relaxed = true});
        }
        if (grammar && grammar->grammar != nullptr && rules.size() + grammar->grammar->text.size() < kMostRules) {
            const std::string prefix = "t" + std::to_string(found.size()) + "-";
            rules += withPrefix(grammar->grammar->text, prefix);
            rule.arguments = prefix + "root";
        } else if (notation) {
            continue; // nothing is known about how its arguments are written
        }
        found.push_back(std::move(rule));
    }
    return found;
}

// A marker, with any white space between its tags: the reader passes them one by one.
std::string markerText(std::string_view marker) {
    std::string out;
    for (const std::string& tag : text::tagsOf(marker)) {
        out += (out.empty() ? "" : "sp ") + grammarLiteral(tag) + " ";
    }
    return out;
}

// A marker that the reader expects as a whole, with white space only where the template writes some.
std::string wholeMarkerText(std::string_view marker) {
    std::string out;
    marker = text::withoutSpace(marker);
    while (!marker.empty()) {
        const std::string_view part = marker.substr(0, marker.find_first_of(" \t\r\n"));
        out += (out.empty() ? "" : "sp ") + grammarLiteral(part) + " ";
        marker.remove_prefix(part.size());
        marker.remove_prefix(text::spaceAt(marker, 0));
    }
    return out;
}

std::string keyText(std::string_view key) { return grammarLiteral(quotedJson(key)) + R"( ws ":" ws )"; }

// The object of a call: {"name": "f", "arguments": {…}}.
std::string objectText(const CallFormat& format, const ToolRule& tool) {
    const std::string arguments = tool.arguments + " ws ";
    if (format.nameKey.empty()) {
        return R"("{" ws )" + keyText(tool.name) + arguments + R"("}")";
    }
    const std::string comma = R"("," ws )";
    const std::string id = format.idKey.empty() ? "" : keyText(format.idKey) + "string ws ";
    const std::string before = id.empty() ? "" : "(" + id + comma + ")? ";
    const std::string after = id.empty() ? "" : "(" + comma + id + ")? ";
    const std::string name = keyText(format.nameKey) + grammarLiteral(quotedJson(tool.name)) + " ws ";
    const std::string values = keyText(format.argumentsKey) + arguments;
    std::string object = R"("{" ws )" + before + "(" + name + comma + before + values + "| " + values + comma + before +
                         name + ") " + after + R"("}")";
    if (!format.wrapperKey.empty()) {
        const std::string type = keyText("type") + grammarLiteral(quotedJson(format.wrapperKey)) + " ws ";
        object = R"("{" ws ()" + type + comma + ")? " + keyText(format.wrapperKey) + object + " ws (" + comma + type +
                 R"()? "}")";
    }
    return object;
}

// What precedes the arguments of a call.
std::string headText(const CallFormat& format, const ToolRule& tool) {
    std::string out;
    for (const CallHeadPart& part : format.head) {
        switch (part.kind) {
        case CallHeadPart::Kind::Marker:
            out += &part == &format.head.front() ? markerText(part.marker) : wholeMarkerText(part.marker);
            break;
        case CallHeadPart::Kind::Name:
            out += grammarLiteral(tool.name) + (format.numbered ? R"( (":" [0-9]{1,4})?)" : "") + " ";
            break;
        case CallHeadPart::Kind::Id:
            out += "id-text ";
            break;
        }
        out += "sp ";
    }
    return out;
}

std::string optional(const std::string& text) { return text.empty() ? "" : "(sp " + text + ")? "; }

// The root and the rule of a call. `inner`: without the outer tags of the markers, which models leave out.
std::string callRules(CallFormat format, const std::vector<ToolRule>& tools, bool inner) {
    if (inner) {
        format.head.front().marker = text::tagsOf(format.head.front().marker).back();
        format.close = text::tagsOf(format.close).front();
    }
    std::string calls;
    for (const ToolRule& tool : tools) {
        const bool isJson = format.style == CallStyle::Json;
        calls += (calls.empty() ? "" : " | ") +
                 (isJson ? objectText(format, tool) : headText(format, tool) + tool.arguments + " ");
    }
    const std::string section =
        format.sectionOpen.empty() ? "" : "(" + wholeMarkerText(format.sectionOpen) + "sp)? "; // which some leave out
    // Only what follows tags shows where their call ends.
    const std::string close =
        format.style == CallStyle::Tagged ? "sp " + markerText(format.close) : optional(markerText(format.close));
    const std::string end = optional(wholeMarkerText(format.sectionClose));
    std::string one = "call " + close;
    if (format.style == CallStyle::Json) {
        one = wholeMarkerText(format.open) + R"(sp (call | "[" ws call (ws "," ws call)* ws "]") )" + close;
    }
    std::string all = "one (sp ([,;] sp)? one)* ";
    if (format.style == CallStyle::Literals && format.open.empty()) {
        all = "(" + all + R"(| "[" sp one (sp "," sp one)* sp "]") )";
    }
    return "root ::= " + section + all + end + "sp\none ::= " + one + "\ncall ::= " + calls + "\n";
}

// gpt-oss names the tool in the header of a message, which goes on to a marker.
std::string channelRules(const std::vector<ToolRule>& tools) {
    std::string calls;
    for (const ToolRule& tool : tools) {
        calls +=
            (calls.empty() ? "" : " | ") + grammarLiteral(tool.name) + R"( rest "<|message|>" sp )" + tool.arguments;
    }
    return "root ::= " + calls + R"(
rest ::= ("<|channel|>" [a-z]{1,16})? ((" " | " "? "<|constrain|>") [a-z]{1,8})? " "?
)";
}

} // namespace

std::vector<CallGrammar> callGrammars(const text::AnswerFormat& format, std::string_view tools) {
    std::vector<CallGrammar> grammars;
    std::string jsonRules;
    const std::vector<ToolRule> jsonTools = toolRules(tools, {}, jsonRules);
    if (jsonTools.empty()) {
        return grammars;
    }
    const std::string common = std::string(kSpaceRules) + std::string(commonJsonRules());
    const auto add = [&](const std::string& start, const std::string& rules, char quote, bool isVariant, bool isKnown) {
        if (auto grammar = Grammar::parse(start + rules + common)) {
            grammars.push_back(
                {.grammar = checkingDistinct(**grammar, quote), .isVariant = isVariant, .isKnown = isKnown});
        }
    };
    if (format.channels) {
        add(channelRules(jsonTools), jsonRules, '"', false, false);
    }
    for (const CallFormat& call : format.calls) {
        struct Notation {
            std::vector<ToolRule> tools;
            std::string rules;
            char quote = '"';
        };
        std::vector<Notation> notations;
        // A template may write lists as Python does, and models JSON all the same.
        for (const bool python : call.python ? std::vector<bool>{true, false} : std::vector<bool>{false}) {
            if (const auto notation = notationOf(call, python)) {
                Notation each{.tools = {}, .rules = {}, .quote = notation->values.distinctQuote()};
                each.tools = toolRules(tools, notation, each.rules);
                notations.push_back(std::move(each));
            } else {
                notations.push_back({.tools = jsonTools, .rules = jsonRules});
            }
        }
        const bool hasOuter = call.style == CallStyle::Tagged && !call.head.empty() &&
                              text::tagsOf(call.head.front().marker).size() > 1 &&
                              text::isTag(text::tagsOf(call.head.front().marker).back()) &&
                              !text::tagsOf(call.close).empty();
        for (const bool inner : hasOuter ? std::vector<bool>{false, true} : std::vector<bool>{false}) {
            bool isVariant = false;
            for (const Notation& each : notations) {
                if (!each.tools.empty()) {
                    add(callRules(call, each.tools, inner), each.rules, each.quote, isVariant, call.isKnown);
                    isVariant = true;
                }
            }
        }
    }
    return grammars;
}

} // namespace gufo::inference
