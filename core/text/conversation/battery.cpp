#include "text/conversation/battery.h"

#include "text/conversation/conversation.h"
#include "text/template/chat_templates.h"
#include "text/template/json_rewrite.h"

#include <algorithm>
#include <array>

namespace gufo::text {
namespace {

// Two tools. One of them takes each kind of argument.
constexpr std::string_view kTools =
    R"([{"type": "function", "function": {"name": "find_owls", "description": "Finds owls near a place.", )"
    R"("parameters": {"type": "object", "properties": {"place": {"type": "string", "description": "Name of a town"}, )"
    R"("radius": {"type": "number", "description": "In kilometres"}, "awake": {"type": "boolean", "description": )"
    R"("Only those that are awake"}, "kinds": {"type": "array", "items": {"type": "string"}, "description": )"
    R"("Names of species"}, "options": {"type": "object", "properties": {"limit": {"type": "integer"}}, )"
    R"("description": "Further options"}}, "required": ["place"]}}}, {"type": "function", "function": )"
    R"({"name": "hour_of_sunset", "description": "The hour at which the sun sets.", "parameters": {"type": "object", )"
    R"("properties": {"day": {"type": "string", "description": "A date"}}, "required": ["day"]}}}])";

// Mistral's templates want ids of nine letters and digits.
#define GUFO_CALL                                                                                                      \
    R"({"type": "function", "id": "callowl01", "function": {"name": "find_owls", "arguments": {"place": "Köln", )"     \
    R"("radius": 2.5, "awake": true, "kinds": ["barn owl", "eagle \"owl\""], "options": {"limit": 3}}}})"
#define GUFO_ASKS_FOR_OWLS R"({"role": "user", "content": "Which owls are near Cologne?"})"
#define GUFO_RESULT R"({"role": "tool", "tool_call_id": "callowl01", "name": "find_owls", "content": "{\"owls\": 2}"})"

constexpr auto kBattery = std::to_array<BatteryCase>({
    {.name = "plain",
     .title = QT_TRANSLATE_NOOP("Battery", "A question"),
     .said = R"([{"role": "user", "content": "What is an owl?"}])"},
    {.name = "system",
     .title = QT_TRANSLATE_NOOP("Battery", "A system message"),
     .said =
         R"([{"role": "system", "content": "You are a helpful assistant."}, {"role": "user", "content": "What is an owl?"}])"},
    {.name = "turns",
     .title = QT_TRANSLATE_NOOP("Battery", "Several turns"),
     .said = R"([{"role": "user", "content": "What is an owl?"}, {"role": "assistant", "content": "A bird that hunts )"
             R"(at night."}, {"role": "user", "content": "Thank you.\nAnd what does it eat?"}, {"role": "assistant", )"
             R"("content": "Mice."}, {"role": "user", "content": "Only mice?"}])"},
    {.name = "system_turns",
     .title = QT_TRANSLATE_NOOP("Battery", "A system message and several turns"),
     .said =
         R"([{"role": "system", "content": "You are a helpful assistant."}, {"role": "user", "content": "What is )"
         R"(an owl?"}, {"role": "assistant", "content": "A bird that hunts at night."}, {"role": "user", "content": )"
         R"("Thank you. And what does it eat?"}])"},
    {.name = "answered",
     .title = QT_TRANSLATE_NOOP("Battery", "An answered question"),
     .said = R"([{"role": "user", "content": "What is an owl?"}, {"role": "assistant", "content": "A bird that hunts )"
             R"(at night."}])",
     .prompt = false},
    {.name = "thought",
     .title = QT_TRANSLATE_NOOP("Battery", "A thought before an answer"),
     .said = R"([{"role": "user", "content": "What is an owl?"}, {"role": "assistant", "content": "A bird.", )"
             R"("reasoning_content": "They ask about birds."}])",
     .prompt = false},
    {.name = "old_thought",
     .title = QT_TRANSLATE_NOOP("Battery", "A thought in an earlier turn"),
     .said = R"([{"role": "user", "content": "What is an owl?"}, {"role": "assistant", "content": "A bird.", )"
             R"("reasoning_content": "They ask about birds."}, {"role": "user", "content": "Thank you."}])"},
    {.name = "no_thinking",
     .title = QT_TRANSLATE_NOOP("Battery", "Thinking is switched off"),
     .said = R"([{"role": "user", "content": "What is an owl?"}])",
     .noThought = true},
    {.name = "tools",
     .title = QT_TRANSLATE_NOOP("Battery", "Tools"),
     .said = "[" GUFO_ASKS_FOR_OWLS "]",
     .tools = true},
    {.name = "system_tools",
     .title = QT_TRANSLATE_NOOP("Battery", "A system message and tools"),
     .said = R"([{"role": "system", "content": "You are a helpful assistant."}, )" GUFO_ASKS_FOR_OWLS "]",
     .tools = true},
    {.name = "call",
     .title = QT_TRANSLATE_NOOP("Battery", "A tool call"),
     .said = "[" GUFO_ASKS_FOR_OWLS R"(, {"role": "assistant", "content": "", "tool_calls": [)" GUFO_CALL "]}]",
     .tools = true,
     .prompt = false},
    {.name = "result",
     .title = QT_TRANSLATE_NOOP("Battery", "The result of a tool call"),
     .said = "[" GUFO_ASKS_FOR_OWLS R"(, {"role": "assistant", "content": "", "tool_calls": [)" GUFO_CALL
             "]}, " GUFO_RESULT "]",
     .tools = true},
    {.name = "parallel_calls",
     .title = QT_TRANSLATE_NOOP("Battery", "Two calls at once, their results and the answer"),
     .said = "[" GUFO_ASKS_FOR_OWLS R"(, {"role": "assistant", "content": "", "tool_calls": [)" GUFO_CALL
             R"(, {"type": "function", "id": "callsun02", "function": {"name": "hour_of_sunset", "arguments": )"
             R"({"day": "today"}}}]}, )" GUFO_RESULT
             R"(, {"role": "tool", "tool_call_id": "callsun02", "name": "hour_of_sunset", "content": "21"}, )"
             R"({"role": "assistant", "content": "Two, after nine."}, {"role": "user", "content": "Thank you."}])",
     .tools = true},
    {.name = "thought_and_call",
     .title = QT_TRANSLATE_NOOP("Battery", "A thought, a text and a tool call"),
     .said = "[" GUFO_ASKS_FOR_OWLS R"(, {"role": "assistant", "content": "Let me look.", "reasoning_content": )"
             R"("A tool knows that.", "tool_calls": [)" GUFO_CALL "]}, " GUFO_RESULT "]",
     .tools = true},
    {.name = "parts",
     .title = QT_TRANSLATE_NOOP("Battery", "Content in parts"),
     .said = R"([{"role": "user", "content": [{"type": "text", "text": "What is this?"}, {"type": "text", "text": )"
             R"("An owl?"}]}])"},
    {.name = "empty",
     .title = QT_TRANSLATE_NOOP("Battery", "Messages without content"),
     .said = R"([{"role": "system", "content": ""}, {"role": "user", "content": ""}, {"role": "assistant", )"
             R"("content": ""}, {"role": "user", "content": "Hello?"}])"},
    {.name = "spaces",
     .title = QT_TRANSLATE_NOOP("Battery", "White space around the content"),
     .said = R"([{"role": "user", "content": "\n  What is an owl?  \n"}, {"role": "assistant", "content": )"
             R"("  A bird. \n\n"}, {"role": "user", "content": " Thank you. "}])"},
});
#undef GUFO_CALL
#undef GUFO_ASKS_FOR_OWLS
#undef GUFO_RESULT

// The helper has not finished, so it is not known what it would have rendered.
bool isUnknown(const TemplateProblem& problem) {
    constexpr auto kUnfinished = std::to_array<const char*>(
        {"cancelled", "helper_missing", "helper_died", "timed_out", "out_of_memory", "internal"});
    return std::ranges::any_of(kUnfinished, [&](const char* code) { return problem.code == QLatin1String(code); });
}

QString qtText(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

} // namespace

std::span<const BatteryCase> battery() { return kBattery; }

std::string_view batteryTools() { return kTools; }

RenderRequest batteryRequest(const Metadata& metadata, std::string_view source, const BatteryCase& each) {
    RenderRequest request;
    request.source = qtText(source);
    request.now = QDateTime(QDate(2026, 3, 4), QTime(5, 6, 7));
    request.variables = standardVariables(qtText(linkToolCalls(std::string(each.said))),
                                          each.tools ? qtText(kTools) : QString(), each.prompt);
    for (const auto& [name, token] : specialTokenTexts(metadata)) {
        request.variables.emplace_back(qtText(name), qtText(jsonString(token)));
    }
    if (const std::string_view thinking = thinkingVariable(source); each.noThought && !thinking.empty()) {
        request.variables.emplace_back(qtText(thinking), QStringLiteral("false"));
    }
    return request;
}

bool BatteryRendering::sameAs(const BatteryRendering& other) const {
    if (text || other.text) {
        return text == other.text;
    }
    return problem && other.problem && problem->code == other.problem->code && problem->args == other.problem->args &&
           !isUnknown(*problem);
}

std::vector<BatteryRendering> renderBattery(const Metadata& metadata, std::string_view source,
                                            TemplateRenderer& renderer, const std::stop_token& stop) {
    std::vector<BatteryRendering> renderings;
    for (const BatteryCase& each : kBattery) {
        Rendering rendering = renderer.render(batteryRequest(metadata, source, each), stop);
        BatteryRendering& made = renderings.emplace_back();
        made.conversation = &each;
        made.problem = std::move(rendering.error);
        if (rendering.text) {
            made.text = rendering.text->toStdString();
        }
        if (made.problem && isUnknown(*made.problem)) {
            break; // each further one could take as long
        }
    }
    return renderings;
}

} // namespace gufo::text
