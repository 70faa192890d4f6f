#include "text/conversation/template_probe.h"

#include "text/conversation/marker_text.h"
#include "text/template/chat_templates.h"
#include "text/template/json_rewrite.h"

#include <algorithm>
#include <utility>

namespace gufo::text::probing {
namespace {

constexpr std::string_view kTools =
    R"([{"type": "function", "function": {"name": "gufotoola", "description": "d", "parameters": {"type": "object", )"
    R"("properties": {"gufokeya": {"type": "string", "description": "d"}, "gufokeyb": {"type": "string", )"
    R"("description": "d"}}, "required": []}}}, {"type": "function", "function": {"name": "gufotoolb", "description": )"
    R"("d", "parameters": {"type": "object", "properties": {"gufokeya": {"type": "string", "description": "d"}}, )"
    R"("required": []}}}])";

} // namespace

QString qtString(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::size_t commonPrefix(std::string_view a, std::string_view b) {
    return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

std::size_t outsideTag(std::string_view text, std::size_t at) {
    const std::size_t open = text.substr(0, at).find_last_of("<[");
    if (open == std::string_view::npos) {
        return at;
    }
    const char close = text[open] == '<' ? '>' : ']';
    return text.substr(open, at - open).find(close) == std::string_view::npos ? open : at;
}

std::string_view between(std::string_view text, std::size_t begin, std::size_t end) {
    return begin <= end && end <= text.size() ? text.substr(begin, end - begin) : std::string_view();
}

std::vector<std::string> emptyThoughts(const AnswerFormat& format) {
    std::vector<std::string> parts;
    for (const ThoughtFormat& each : format.thoughts) {
        parts.insert(parts.end(), {each.open, each.close});
    }
    parts.emplace_back("<think>");
    parts.emplace_back("</think>");
    return parts;
}

std::string message(std::string_view content, std::string_view more) {
    return ", {\"role\": \"assistant\", \"content\": " + std::string(content) + std::string(more) + '}';
}

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

std::string thoughtMembers() {
    std::string members;
    for (const std::string_view name : kThoughtMembers) {
        members += ", " + quoted(name) + ": " + quoted(kThought);
    }
    return members;
}

std::string callsJson(std::size_t count, std::string_view arguments, const CallVariant& variant) {
    std::string json = ", \"tool_calls\": [";
    for (std::size_t i = 0; i < count; ++i) {
        const std::string id = variant.numberedIds
                                   ? "functions." + std::string(kProbeNames[i]) + ':' + std::to_string(i)
                                   : std::string(kProbeIds[i]);
        std::string object =
            arguments.empty() ? R"({")" + std::string(kProbeKeys[0]) + R"(": ")" + std::string(kProbeValues[i]) + "\"}"
                              : std::string(arguments);
        json += (i == 0 ? "" : ", ") + (R"({"id": ")" + id) + R"(", "type": "function", "function": {"name": ")" +
                std::string(kProbeNames[i]) + R"(", "arguments": )" +
                (variant.argumentsAsText ? jsonString(object) : object) + "}}";
    }
    return json + ']';
}

std::string_view contentOf(const CallVariant& variant) { return variant.withText ? "\"\"" : "null"; }

ProbedAnswer answerOf(const std::string& rendering, const std::string& prompt) {
    const std::size_t common =
        rendering.starts_with(prompt) ? prompt.size() : outsideTag(rendering, commonPrefix(rendering, prompt));
    return {.text = rendering.substr(common), .opened = prompt.substr(std::min(common, prompt.size()))};
}

TemplateProbe::TemplateProbe(const Metadata& metadata, std::string_view source, const RenderText& render)
    : m_metadata(metadata)
    , m_source(source)
    , m_renderer(render)
    , m_before(this->render({}, false, false).value_or(std::string()))
    , m_prompt(this->render({}, false, true).value_or(std::string()))
    , m_toolPrompt(this->render({}, true, true).value_or(m_prompt)) {}

std::optional<std::string> TemplateProbe::render(std::string_view messages, bool tools, bool generationPrompt) {
    RenderRequest request;
    request.source = qtString(m_source);
    request.variables =
        standardVariables(QStringLiteral("[{\"role\": \"user\", \"content\": \"Hi\"}") + qtString(messages) + u']',
                          tools ? qtString(kTools) : QString(), generationPrompt);
    for (const auto& [name, token] : specialTokenTexts(m_metadata)) {
        request.variables.emplace_back(qtString(name), qtString(jsonString(token)));
    }
    if (const auto thinking = thinkingVariable(m_source); !thinking.empty()) {
        request.variables.emplace_back(qtString(thinking), QStringLiteral("true"));
    }
    return m_renderer(std::move(request));
}

std::optional<std::string> TemplateProbe::calls(std::size_t count, std::string_view arguments,
                                                const CallVariant& variant, std::string_view following) {
    const auto rendering =
        render(message(contentOf(variant), callsJson(count, arguments, variant)) + std::string(following), true, false);
    if (!rendering) {
        return std::nullopt;
    }
    std::string text = answerOf(*rendering, m_toolPrompt).text;
    for (std::size_t i = 0; i < count; ++i) {
        if (!holds(text, kProbeNames[i]) || (arguments.empty() && !holds(text, kProbeValues[i]))) {
            return std::nullopt;
        }
    }
    return text;
}

} // namespace gufo::text::probing
