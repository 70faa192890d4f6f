// Renders a template with conversations whose parts are texts that no template writes by itself, so that what is around
// them can be looked at. For format_derivation.cpp and call_derivation.cpp.
#pragma once

#include "text/conversation/answer_format.h"
#include "text/conversation/format_derivation.h"

#include <QString>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::text::probing {

// None is part of another.
inline constexpr std::string_view kContent = "gufocontent";
inline constexpr std::string_view kThought = "gufothought";
inline constexpr std::string_view kResult = "guforesult";
inline constexpr std::string_view kNextQuestion = "gufoquestion";
inline constexpr std::array<std::string_view, 2> kProbeNames{"gufotoola", "gufotoolb"};
// Mistral's templates demand nine letters.
inline constexpr std::array<std::string_view, 2> kProbeIds{"gufocalla", "gufocallb"};
inline constexpr std::array<std::string_view, 2> kProbeKeys{"gufokeya", "gufokeyb"};
inline constexpr std::array<std::string_view, 2> kProbeValues{"gufovala", "gufovalb"};
inline constexpr std::array<std::string_view, 3> kThoughtMembers{"reasoning_content", "reasoning", "thinking"};

// How a message with calls is given to a template. Templates differ in what they accept.
struct CallVariant {
    bool argumentsAsText = false;
    bool withText = false;    // the content is "" instead of null
    bool numberedIds = false; // "functions.NAME:0"; Kimi K2 writes nothing but the id
};
inline constexpr auto kCallVariants = std::to_array<CallVariant>({{.withText = true},
                                                                  {},
                                                                  {.argumentsAsText = true, .withText = true},
                                                                  {.argumentsAsText = true},
                                                                  {.withText = true, .numberedIds = true}});

[[nodiscard]] QString qtString(std::string_view text);
[[nodiscard]] bool holds(std::string_view text, std::string_view part);
[[nodiscard]] std::size_t commonPrefix(std::string_view a, std::string_view b);
// Moves a position that is within a tag back to the tag's beginning.
[[nodiscard]] std::size_t outsideTag(std::string_view text, std::size_t at);
// The text between two positions of markers; empty if they are in the wrong order.
[[nodiscard]] std::string_view between(std::string_view text, std::size_t begin, std::size_t end);
// What an old answer without a thought may have in the place of one.
[[nodiscard]] std::vector<std::string> emptyThoughts(const AnswerFormat& format);

// Parts of conversations as JSON.
[[nodiscard]] std::string message(std::string_view content, std::string_view more = {}); // of the assistant
[[nodiscard]] std::string quoted(std::string_view text);
[[nodiscard]] std::string thoughtMembers();
[[nodiscard]] std::string callsJson(std::size_t count, std::string_view arguments, const CallVariant& variant);
[[nodiscard]] std::string_view contentOf(const CallVariant& variant);

// The part of a rendering that the model writes, and how much of the prompt's end it repeats.
struct ProbedAnswer {
    std::string text{};   // from where it differs from the prompt on
    std::string opened{}; // the end of the prompt that the answer does not have: "<think>"
};
[[nodiscard]] ProbedAnswer answerOf(const std::string& rendering, const std::string& prompt);

class TemplateProbe {
public:
    // All must outlive this object.
    TemplateProbe(const Metadata& metadata, std::string_view source, const RenderText& render);

    // The renderings of a question.
    [[nodiscard]] const std::string& before() const { return m_before; }         // without the beginning of the answer
    [[nodiscard]] const std::string& prompt() const { return m_prompt; }         // with it
    [[nodiscard]] const std::string& toolPrompt() const { return m_toolPrompt; } // with tools as well

    // Renders a question and the given messages.
    std::optional<std::string> render(std::string_view messages, bool tools, bool generationPrompt);
    // What the model writes for calls; nothing if the template cannot write them.
    std::optional<std::string> calls(std::size_t count, std::string_view arguments, const CallVariant& variant,
                                     std::string_view following = {});

private:
    const Metadata& m_metadata;
    std::string_view m_source;
    const RenderText& m_renderer;
    std::string m_before;
    std::string m_prompt;
    std::string m_toolPrompt;
};

} // namespace gufo::text::probing

namespace gufo::text {

// How a template writes tool calls: the second half of format_derivation.h.
// `one` and `two`: what the model writes for one and for two calls (TemplateProbe::calls()); `two` is nothing where the
// template cannot write several. `format` has the markers of thoughts and texts.
[[nodiscard]] std::optional<CallFormat> deriveCallFormat(probing::TemplateProbe& probe, const AnswerFormat& format,
                                                         const std::string& one, const std::optional<std::string>& two,
                                                         const probing::CallVariant& variant);

} // namespace gufo::text
