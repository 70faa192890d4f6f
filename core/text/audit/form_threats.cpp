// Threats that depend on the form of a message: capitals, digits, no text at all, a text in parts.
#include "base/ascii.h"
#include "text/audit/searches.h"
#include "text/audit/text_difference.h"
#include "text/template/json_rewrite.h"

#include <algorithm>
#include <array>

namespace gufo::text {
namespace {

std::string inCapitals(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return text;
}

struct Form {
    bool asParts = false;
    std::string (*make)(const std::string& canary);
};
const std::array<Form, 10>& forms() {
    static const std::array<Form, 10> all{{
        {.make = [](const std::string& text) { return inCapitals(text); }},
        {.make = [](const std::string& text) { return asciiLowerText(text); }},
        {.make = [](const std::string&) { return std::string("4711 0815"); }},
        {.make = [](const std::string&) { return std::string("x"); }},
        {.make = [](const std::string&) { return std::string("?!"); }},
        {.make = [](const std::string&) { return std::string(); }},
        {.make = [](const std::string& text) { return "```\n" + text + "\n```\n\n- " + text + "?\n"; }},
        {.make =
             [](const std::string&) { return std::string("\u017barna sova \u4f60\u597d, \u0441\u043e\u0432\u0430!"); }},
        {.asParts = true, .make = [](const std::string& text) { return text; }},
        {.asParts = true, .make = [](const std::string&) { return std::string(); }},
    }};
    return all;
}

// What the text would be if only the messages were different.
std::string expected(std::string text, const ProbeConversation& base, const ProbeConversation& other) {
    for (std::size_t i = 0; i < base.messages.size(); ++i) {
        const std::string& from = base.messages[i].content;
        const std::string& to = other.messages[i].content;
        const std::string quotedFrom = jsonString(from);
        const std::string quotedTo = jsonString(to);
        const std::string_view escapedFrom = std::string_view(quotedFrom).substr(1, quotedFrom.size() - 2);
        text = replacedAll(std::move(text), from, to);
        if (escapedFrom != from) { // otherwise it would be replaced again inside what has replaced it
            text = replacedAll(std::move(text), escapedFrom, std::string_view(quotedTo).substr(1, quotedTo.size() - 2));
        }
    }
    return text;
}

} // namespace

// Scaffold may differ: templates leave out empty messages and number pictures. Sentences may not.
void findFormThreats(AuditProbe& probe, std::vector<AuditFinding>& threats) {
    for (const bool system : {true, false}) {
        const ProbeConversation base = probe.turns(2, system);
        const Probed before = probe.renderOrdinary(base);
        for (const Form& form : forms()) {
            if (!before.text || !probe.goesOn()) {
                break;
            }
            ProbeConversation other = base;
            for (ProbeMessage& message : other.messages) {
                if (message.role == "user") {
                    message.content = form.make(message.content);
                    message.asParts = form.asParts;
                }
            }
            const Probed after = probe.render(other);
            if (!after.text) {
                continue;
            }
            const TextDifference difference = differenceOf(expected(*before.text, base, other), *after.text);
            WordSet known;
            addWords(known, other.json());
            if (foreignWords(difference.added, known) < kSentenceWords) {
                continue;
            }
            const std::string shown = form.asParts ? other.messages.back().json() : other.messages.back().content;
            threats.push_back({.code = AuditCode::TextByForm,
                               .line = probe.lineOf(difference.added, &before, &after),
                               .args = {shortened(shown), shortened(difference.added)},
                               .witness = AuditWitness{.a = base.side(*before.text), .b = other.side(*after.text)}});
            return;
        }
    }
}

} // namespace gufo::text
