// The conversations with which a chat template is tried: one for each thing that templates treat differently, such as a
// system message, several turns, tools, calls with their results, thoughts, content in parts, or no content. Two
// templates that render all of them alike behave alike.
//
// Thread contract: battery() is pure; the other functions block while they render, so a page calls them in a job.
#pragma once

#include "model/metadata.h"
#include "text/template/template_renderer.h"

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::text {

struct BatteryCase {
    std::string_view name;  // stable: "parallel_calls"
    const char* title;      // for people; translated in the context "Battery"
    std::string_view said;  // the messages, a JSON list
    bool tools = false;     // with batteryTools()
    bool prompt = true;     // ends with the beginning of the model's answer
    bool noThought = false; // the template's variable for thinking is false; the same as without it if there is none
};
[[nodiscard]] std::span<const BatteryCase> battery();
// The tools of the conversations that have some, a JSON list.
[[nodiscard]] std::string_view batteryTools();

// The request that renders a conversation, with the texts of the file's special tokens and at a fixed date, so that two
// renderings can be compared.
[[nodiscard]] RenderRequest batteryRequest(const Metadata& metadata, std::string_view source, const BatteryCase& each);

struct BatteryRendering {
    const BatteryCase* conversation = nullptr; // static
    std::optional<std::string> text{};         // empty: the template refuses the conversation, or fails
    std::optional<TemplateProblem> problem{};  // why

    // Whether both are the same text, or are refused for the same reason. False where the helper could not finish.
    [[nodiscard]] bool sameAs(const BatteryRendering& other) const;
};
// In the order of battery(). Fewer after a stop request, or if the helper is missing or was ended because the template
// takes too much time or memory: the last one then says so.
[[nodiscard]] std::vector<BatteryRendering> renderBattery(const Metadata& metadata, std::string_view source,
                                                          TemplateRenderer& renderer, const std::stop_token& stop = {});

} // namespace gufo::text
