#include "base/ascii.h"
#include "text/audit/searches.h"
#include "text/audit/text_difference.h"
#include "text/template/json_rewrite.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace gufo::text {
namespace {

constexpr std::size_t kMostNames = 60; // that are tried as names of tools, arguments and values

std::string toolNamed(std::string_view name, std::string_view key) {
    return R"([{"type": "function", "function": {"name": )" + jsonString(name) +
           R"(, "description": "owldescription", "parameters": {"type": "object", "properties": {)" + jsonString(key) +
           R"(: {"type": "string", "description": "owlmeaning"}}, "required": []}}}])";
}

ProbeConversation callWith(std::string_view name, std::string_view key, std::string_view value, bool asText,
                           bool nullContent) {
    const std::string arguments = "{" + jsonString(key) + ": " + jsonString(value) + "}";
    ProbeConversation conversation;
    conversation.tools = toolNamed(name, key);
    conversation.prompt = true;
    conversation.nullContent = nullContent;
    conversation.messages = {{.role = "user", .content = canary(0)},
                             {.role = "assistant",
                              .content = {},
                              .calls = R"([{"type": "function", "id": "callowl01", "function": {"name": )" +
                                       jsonString(name) + R"(, "arguments": )" +
                                       (asText ? jsonString(arguments) : arguments) + "}}]"},
                             {.role = "tool", .content = canary(2)}};
    return conversation;
}

// From the question on: what precedes it describes the tools.
std::string_view turnsOf(std::string_view text) {
    const std::size_t at = text.find(canary(0));
    return text.substr(at == std::string_view::npos ? 0 : at);
}

// How this template takes a call: with arguments as an object or as text, and with content or null.
struct CallShape {
    bool asText = false;
    bool nullContent = false;
};

std::optional<CallShape> shapeOf(AuditProbe& probe, bool ordinary) {
    std::optional<CallShape> named; // the template writes the call, but not its argument
    for (const CallShape shape : {CallShape{}, CallShape{.nullContent = true}, CallShape{.asText = true},
                                  CallShape{.asText = true, .nullContent = true}}) {
        const auto conversation = callWith("owltool", "owlkey", "owlval", shape.asText, shape.nullContent);
        const Probed probed = ordinary ? probe.renderOrdinary(conversation) : probe.render(conversation);
        if (probed.text && probed.text->find("owlval") != std::string::npos) {
            return shape;
        }
        if (!named && probed.text && turnsOf(*probed.text).find("owltool") != std::string_view::npos) {
            named = shape;
        }
    }
    return named;
}

// The words that an identifier-like constant can be.
bool isNameLike(std::string_view text) {
    return !text.empty() && text.size() <= 40 && std::ranges::all_of(text, [](char c) {
        return isAsciiLetterOrDigit(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.';
    });
}

// Words that templates write around a call.
const WordSet& callWords() {
    static const WordSet words{"owltool",    "owlkey",    "owlval",     "owldescription",
                               "owlmeaning", "call",      "calls",      "arguments",
                               "parameters", "parameter", "arg",        "args",
                               "key",        "value",     "name",       "type",
                               "id",         "json",      "string",     "object",
                               "to",         "channel",   "commentary", "analysis",
                               "message",    "final",     "return",     "of",
                               "action",     "input",     "callowl",    "result",
                               "results",    "response",  "output",     "content",
                               "think",      "invoke",    "sep",        "end",
                               "begin",      "start",     "python",     "code",
                               "true",       "null",      "argument",   "index",
                               "open",       "close",     "turn",       "tool",
                               "msg"};
    return words;
}

class CallThreats {
public:
    CallThreats(AuditProbe& probe, std::vector<AuditFinding>& threats)
        : m_probe(probe)
        , m_threats(threats) {}

    void find() {
        const auto shape = shapeOf(m_probe, true);
        if (!shape) {
            return;
        }
        m_shape = *shape;
        const ProbeConversation base = make("owltool", "owlkey", "owlval");
        const Probed before = m_probe.renderOrdinary(base);
        if (!before.text) {
            return;
        }
        if (turnsOf(*before.text).find("owlval") == std::string_view::npos) {
            const ProbeConversation other = make("owltool", "owlkey", "owlother");
            add(turnsOf(*before.text).substr(0, 400), other, m_probe.render(other).text.value_or(std::string()), base,
                *before.text);
            return;
        }
        lookAround(base, *before.text);
        lookAtResult(base, *before.text);
        std::set<std::string> names{"send_email", "transfer", "path", "url", "command"};
        for (const OutlineText& literal : m_probe.outline().texts) {
            if (names.size() < kMostNames && isNameLike(literal.text)) {
                names.insert(literal.text);
            }
        }
        for (const std::string& name : names) {
            if (!m_probe.goesOn() || m_found >= 4) {
                return;
            }
            compare(base, before, "owltool", name, make(name, "owlkey", "owlval"));
            compare(base, before, "owlkey", name, make("owltool", name, "owlval"));
            compare(base, before, "owlval", name, make("owltool", "owlkey", name));
            compare(base, before, "owlval", "owl " + name + " owl", make("owltool", "owlkey", "owl " + name + " owl"));
        }
    }

private:
    [[nodiscard]] ProbeConversation make(std::string_view name, std::string_view key, std::string_view value) const {
        return callWith(name, key, value, m_shape.asText, m_shape.nullContent);
    }

    void add(std::string_view written, const ProbeConversation& a, const std::string& renderedA,
             const ProbeConversation& b, const std::string& renderedB) {
        const int line = m_probe.lineOf(written);
        if (std::ranges::any_of(m_threats, [&](const AuditFinding& each) {
                return each.code == AuditCode::ArgumentsChanged && each.line == line;
            })) {
            return;
        }
        ++m_found;
        m_threats.push_back({.code = AuditCode::ArgumentsChanged,
                             .line = line,
                             .args = {shortened(written)},
                             .witness = AuditWitness{.a = a.side(renderedA), .b = b.side(renderedB)}});
    }

    // What stands between the question and the result, besides the call: nothing that could be another argument.
    void lookAround(const ProbeConversation& base, const std::string& text) {
        const std::size_t question = text.find(base.messages[0].content);
        const std::size_t result = text.find("Zarlocq");
        if (question == std::string::npos || result == std::string::npos) {
            return;
        }
        const std::size_t begin = text.find("owlval", question);
        if (begin == std::string::npos || result < begin) {
            return;
        }
        const std::size_t name = std::min(text.find("owltool", question), begin);
        const std::string_view call = std::string_view(text).substr(name, result - name);
        const auto words = wordsOf(call);
        const auto foreign = std::ranges::count_if(
            words, [](const std::string& word) { return word.size() > 2 && !callWords().contains(word); });
        if (foreign >= 2 || addsMember(call)) {
            const ProbeConversation empty = make("owltool", "owlkey", "");
            const Probed other = m_probe.render(empty);
            add(call, empty, other.text.value_or(std::string()), base, text);
        }
    }

    // A template that tells results of tools from other messages must not write them as if the user had said them.
    // Others do: they know only questions and answers.
    void lookAtResult(const ProbeConversation& base, const std::string& text) {
        const auto& texts = m_probe.outline().texts;
        if (std::ranges::none_of(texts,
                                 [](const OutlineText& each) { return !each.isPrinted && each.text == "tool"; })) {
            return;
        }
        ProbeConversation said = base;
        said.messages.back().role = "user";
        const Probed other = m_probe.render(said);
        if (!other.text || *other.text != text || text.find(base.messages.back().content) == std::string::npos) {
            return;
        }
        m_threats.push_back({.code = AuditCode::RoleChanged,
                             .line = m_probe.lineOf(text),
                             .args = {std::string("tool"), std::string("user")},
                             .witness = AuditWitness{.a = base.side(text), .b = said.side(*other.text)}});
    }

    // Whether the JSON object with the arguments has more than the given one.
    static bool addsMember(std::string_view call) {
        const std::size_t key = call.find("owlkey");
        const std::size_t open = key == std::string_view::npos ? key : call.rfind('{', key);
        const std::size_t close = open == std::string_view::npos ? open : call.find('}', key);
        if (close == std::string_view::npos) {
            return false;
        }
        const std::string_view object = call.substr(open, close + 1 - open);
        const auto json =
            QJsonDocument::fromJson(QByteArray(object.data(), static_cast<qsizetype>(object.size()))).object();
        return json.size() > 1;
    }

    // Replacing `what` by `by` must change nothing else in the call and the conversation.
    void compare(const ProbeConversation& base, const Probed& before, std::string_view what, std::string_view by,
                 const ProbeConversation& other) {
        if (turnsOf(*before.text).find(what) == std::string_view::npos) {
            return; // Kimi K2 writes the id of a call in the place of its name
        }
        const Probed after = m_probe.render(other);
        if (!after.text) {
            return;
        }
        const std::string expected = replacedAll(*before.text, what, by);
        const std::string_view turns = turnsOf(*after.text);
        const TextDifference difference = differenceOf(turnsOf(expected), turns);
        WordSet known = callWords();
        addWords(known, by);
        const bool isGone = what != "owlval" && after.text->find("owlval") == std::string::npos;
        const bool isMissing = turns.find(by) == std::string_view::npos;
        if (isGone || isMissing || foreignWords(difference.added, known) >= 1) {
            add(difference.added.empty() ? difference.removed : difference.added, base, *before.text, other,
                *after.text);
        }
    }

    AuditProbe& m_probe;
    std::vector<AuditFinding>& m_threats;
    CallShape m_shape;
    std::size_t m_found = 0;
};

} // namespace

std::optional<ProbeConversation> callConversation(AuditProbe& probe, bool ordinary) {
    const auto shape = shapeOf(probe, ordinary);
    return shape ? std::optional(callWith("owltool", "owlkey", "owlval", shape->asText, shape->nullContent))
                 : std::nullopt;
}

void findCallThreats(AuditProbe& probe, std::vector<AuditFinding>& threats) { CallThreats(probe, threats).find(); }

} // namespace gufo::text
