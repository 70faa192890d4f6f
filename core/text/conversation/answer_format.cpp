#include "text/conversation/answer_format.h"

#include "text/conversation/marker_text.h"

#include <algorithm>
#include <array>

namespace gufo::text {
namespace {

// Thoughts that templates do not write, because they drop them from old answers or leave them to the model. They are
// recognised only at the beginning of an answer.
struct ThoughtRow {
    std::string_view open;
    std::string_view close;
};
constexpr auto kKnownThoughts = std::to_array<ThoughtRow>({
    {"<think>", "</think>"}, // DeepSeek R1, Qwen 3, QwQ
    {"<thinking>", "</thinking>"},
    {"<thought>", "</thought>"}, // EXAONE Deep
    {"<reasoning>", "</reasoning>"},
    {"<seed:think>", "</seed:think>"},                                   // Seed-OSS
    {"<|START_THINKING|>", "<|END_THINKING|>"},                          // Command R7B, Command A Reasoning
    {"[THINK]", "[/THINK]"},                                             // Magistral
    {"\xE2\x97\x81think\xE2\x96\xB7", "\xE2\x97\x81/think\xE2\x96\xB7"}, // Kimi VL Thinking
    {"<|channel>thought", "<channel|>"},                                 // Gemma 4
    {"<|channel|>analysis<|message|>", "<|end|>"}, // gpt-oss: github.com/openai/harmony, docs/format.md
});
constexpr std::string_view kHarmonyChannel = "<|channel|>";
constexpr std::string_view kHarmonyMessage = "<|message|>";
constexpr std::string_view kHarmonyHeader = "<|start|>assistant";
constexpr auto kHarmonyTokens =
    std::to_array<std::string_view>({"<|channel|>", "<|message|>", "<|end|>", "<|start|>", "<|constrain|>"});

struct CallRow {
    std::string_view mention; // the text of the template must contain it; empty: recognised anywhere
    CallFormat format;
};

std::vector<CallHeadPart> headOf(std::string_view open, std::string_view afterName) {
    std::vector<CallHeadPart> head{{.marker = std::string(open)}, {.kind = CallHeadPart::Kind::Name}};
    if (!afterName.empty()) {
        head.push_back({.marker = std::string(afterName)});
    }
    return head;
}

CallFormat jsonCall(const char* open, const char* close, const char* arguments = "arguments") {
    return {.style = CallStyle::Json,
            .open = open,
            .close = close,
            .nameKey = "name",
            .argumentsKey = arguments,
            .idKey = "id",
            .isKnown = true};
}

// Sources: the model cards and chat templates of the models that are named.
const std::vector<CallRow>& knownCalls() {
    static const std::vector<CallRow> calls = [] {
        std::vector<CallRow> all;
        // Hermes 2 and 3, Qwen 2.5 and 3
        all.push_back({"", jsonCall("<tool_call>", "</tool_call>")});
        // Qwen3-Coder, which often leaves out the outer tag
        all.push_back({"",
                       {.style = CallStyle::Tagged,
                        .open = "<tool_call>\n<function=",
                        .close = "</function>\n</tool_call>",
                        .head = headOf("<tool_call>\n<function=", ">"),
                        .keyOpen = "<parameter=",
                        .valueOpen = {{.marker = ">\n"}},
                        .valueClose = "\n</parameter>",
                        .isKnown = true}});
        // Mistral up to Nemo, and its newer form with and without an id
        all.push_back({"", jsonCall("[TOOL_CALLS]", "")});
        for (const bool withId : {true, false}) {
            CallFormat named{.style = CallStyle::NamedJson, .open = "[TOOL_CALLS]", .isKnown = true};
            named.head = headOf("[TOOL_CALLS]", withId ? "[CALL_ID]" : "[ARGS]");
            if (withId) {
                named.head.push_back({.kind = CallHeadPart::Kind::Id});
                named.head.push_back({.marker = "[ARGS]"});
            }
            all.push_back({"", std::move(named)});
        }
        all.push_back({"", jsonCall("<|python_tag|>", "", "parameters")}); // Llama 3.1
        all.push_back({"", jsonCall("<|tool_call|>", "<|/tool_call|>")});  // Phi 4, Granite 3
        all.push_back({"", jsonCall("", "", "parameters")});               // Llama 3
        // GLM 4.5 and later
        all.push_back({"<arg_key>",
                       {.style = CallStyle::Tagged,
                        .open = "<tool_call>",
                        .close = "</tool_call>",
                        .head = headOf("<tool_call>", ""),
                        .keyOpen = "<arg_key>",
                        .valueOpen = {{.marker = "</arg_key>\n<arg_value>"}},
                        .valueClose = "</arg_value>",
                        .isKnown = true}});
        // Kimi K2
        all.push_back({"<|tool_calls_section_begin|>",
                       {.style = CallStyle::NamedJson,
                        .sectionOpen = "<|tool_calls_section_begin|>",
                        .sectionClose = "<|tool_calls_section_end|>",
                        .open = "<|tool_call_begin|>functions.",
                        .close = "<|tool_call_end|>",
                        .head = headOf("<|tool_call_begin|>functions.", "<|tool_call_argument_begin|>"),
                        .numbered = true,
                        .isKnown = true}});
        // Gemma 4
        all.push_back({"<|tool_call>",
                       {.style = CallStyle::Literals,
                        .open = "<|tool_call>call:",
                        .close = "<tool_call|>",
                        .head = headOf("<|tool_call>call:", ""),
                        .argumentsOpen = "{",
                        .argumentsClose = "}",
                        .assign = ":",
                        .quote = "<|\"|>",
                        .isKnown = true}});
        // LFM2, whose first template keeps calls in the content; and Llama 3.2's and Llama 4's calls without markers
        for (const char* const mention : {"<|tool_list_start|>", ""}) {
            const bool isMarked = *mention != '\0';
            all.push_back({mention,
                           {.style = CallStyle::Literals,
                            .sectionOpen = isMarked ? "<|tool_call_start|>" : "",
                            .sectionClose = isMarked ? "<|tool_call_end|>" : "",
                            .head = headOf("", ""),
                            .argumentsOpen = "(",
                            .argumentsClose = ")",
                            .assign = "=",
                            .quote = "\"",
                            .escapes = true,
                            .isKnown = true}});
        }
        return all;
    }();
    return calls;
}

bool usesInside(const AnswerFormat& format, std::string_view token) {
    const auto contains = [&](std::string_view marker) { return marker.find(token) != std::string_view::npos; };
    const std::span<const ThoughtFormat> own(format.thoughts.data(), format.ownThoughts);
    return contains(format.header) || contains(format.contentClose) ||
           (format.channels && std::ranges::find(kHarmonyTokens, token) != kHarmonyTokens.end()) ||
           std::ranges::any_of(
               own, [&](const ThoughtFormat& thought) { return contains(thought.open) || contains(thought.close); });
}

// A token of a text of the template that can end an answer, and the text before it.
struct FoundToken {
    TokenId id;
    bool isFirst; // nothing but white space precedes it
};
std::vector<FoundToken> specialTokensOf(std::string_view text, const Tokenizer& tokenizer) {
    const auto encoding =
        tokenizer.encode(text, {.addBos = false, .addEos = false, .parseSpecial = true, .ranges = true});
    std::vector<FoundToken> found;
    for (std::size_t i = 0; encoding && i < encoding->ids.size(); ++i) {
        const TokenId id = encoding->ids[i];
        const TextRange range = encoding->ranges[i];
        const TokenType type = tokenizer.vocabulary().type(id);
        if ((type == TokenType::Control || type == TokenType::UserDefined) && range.begin != range.end) {
            found.push_back({id, withoutSpace(text.substr(0, range.begin)).empty()});
        }
    }
    return found;
}

// Returns the first line that is not empty, with the line break before it. It suffices to recognise the next message.
std::string stopTextOf(std::string_view between) {
    const std::size_t begin = spaceAt(between, 0);
    if (begin == between.size()) {
        return {};
    }
    const bool onItsOwnLine = between.substr(0, begin).find('\n') != std::string_view::npos;
    std::string_view line = between.substr(begin);
    line = withoutSpace(line.substr(0, line.find('\n')));
    constexpr std::size_t kShortest = 3; // shorter texts occur everywhere
    return line.size() < kShortest ? std::string() : (onItsOwnLine ? "\n" : "") + std::string(line);
}

} // namespace

std::vector<std::string> CallFormat::triggers() const {
    std::vector<std::string> found;
    for (const std::string& marker : {sectionOpen, open}) {
        for (std::string& tag : tagsOf(marker)) {
            if (isTag(tag) && std::ranges::find(found, tag) == found.end()) {
                found.push_back(std::move(tag));
            }
        }
    }
    return found;
}

bool CallFormat::hasMarker() const {
    const auto isMarked = [](const std::string& marker) { return std::ranges::any_of(tagsOf(marker), isTag); };
    return isMarked(sectionOpen) || isMarked(open);
}

void addKnownFormats(AnswerFormat& format, std::string_view source) {
    const auto mentions = [&](std::string_view text) { return source.find(text) != std::string_view::npos; };
    if (mentions(kHarmonyChannel) && mentions(kHarmonyMessage)) {
        format.channels = true;
        format.header = kHarmonyHeader;
        format.contentOpen.clear(); // a header names the channel in several ways
        format.contentClose.clear();
        format.thoughts.clear();
        format.calls.clear();
        format.ownCalls = 0;
    }
    const auto addThought = [&](const ThoughtRow& known) {
        ThoughtFormat thought{.open = std::string(known.open), .close = std::string(known.close)};
        if (std::ranges::find(format.thoughts, thought.open, &ThoughtFormat::open) == format.thoughts.end()) {
            format.thoughts.push_back(std::move(thought));
        }
    };
    for (const ThoughtRow& known : kKnownThoughts) {
        const bool isHarmony = known.open.starts_with(kHarmonyChannel);
        if (isHarmony ? format.channels : mentions(known.close) && !format.channels) {
            addThought(known);
        }
    }
    format.ownThoughts = format.thoughts.size();
    for (const ThoughtRow& known : kKnownThoughts) {
        addThought(known);
    }
    // Markers that the template's text explains to the model come before markers that it does not mention.
    const auto isExplained = [&](const CallRow& known) {
        const std::vector<std::string> triggers = known.format.triggers();
        return !triggers.empty() && std::ranges::all_of(triggers, mentions) && !format.channels;
    };
    for (const bool explained : {true, false}) {
        for (const CallRow& known : knownCalls()) {
            if ((known.mention.empty() || mentions(known.mention)) && isExplained(known) == explained) {
                format.calls.push_back(known.format);
            }
        }
        format.ownCalls = explained ? format.calls.size() : format.ownCalls;
    }
}

std::shared_ptr<const AnswerFormat> usualAnswerFormat() {
    static const auto format = [] {
        AnswerFormat usual;
        addKnownFormats(usual, {});
        // A server does not show its template, and its model may be gpt-oss.
        usual.header = kHarmonyHeader;
        return std::make_shared<const AnswerFormat>(std::move(usual));
    }();
    return format;
}

std::shared_ptr<const AnswerFormat> formatFor(std::shared_ptr<const AnswerFormat> format, const Tokenizer& tokenizer) {
    const Vocabulary& vocabulary = tokenizer.vocabulary();
    const auto isControl = [&](std::string_view text) {
        const auto id = vocabulary.find(text);
        return id && vocabulary.type(*id) == TokenType::Control;
    };
    if (format->channels || !std::ranges::all_of(kHarmonyTokens, isControl)) {
        return format;
    }
    AnswerFormat channels = *format;
    addKnownFormats(channels, std::string(kHarmonyChannel) + std::string(kHarmonyMessage));
    return std::make_shared<const AnswerFormat>(std::move(channels));
}

AnswerEnd answerEndOf(const AnswerFormat& format, const Tokenizer& tokenizer) {
    AnswerEnd end;
    const auto add = [&](TokenId id) {
        auto& list = usesInside(format, tokenizer.vocabulary().text(id)) ? end.inner : end.tokens;
        if (std::ranges::find(list, id) == list.end()) {
            list.push_back(id);
        }
    };
    const auto last = specialTokensOf(format.afterAnswer, tokenizer);
    const auto followed = specialTokensOf(format.beforeQuestion, tokenizer);
    // What ends the last answer ends generation. Old answers may end with something else. A format that closes the
    // parts of an answer also closes the answer before the token that ends it.
    const auto addEndOf = [&](const std::vector<FoundToken>& found) {
        const auto token = std::ranges::find_if(found, [&](const FoundToken& each) {
            return format.contentClose.empty() || !usesInside(format, tokenizer.vocabulary().text(each.id));
        });
        if (token != found.end() && (token->isFirst || !format.contentClose.empty())) {
            add(token->id);
        }
    };
    addEndOf(last);
    addEndOf(followed);
    if (end.tokens.empty() && end.inner.empty()) {
        if (std::string stop = stopTextOf(format.beforeQuestion); !stop.empty()) {
            end.stops.push_back(std::move(stop));
        }
    }
    const auto afterCalls = specialTokensOf(format.afterCalls, tokenizer);
    const auto ends = [&](const FoundToken& token) {
        return std::ranges::find(end.tokens, token.id) != end.tokens.end() ||
               std::ranges::find(tokenizer.specials().endOfGeneration, token.id) !=
                   tokenizer.specials().endOfGeneration.end();
    };
    // Some templates begin the next answer whether they are asked for it or not.
    if (!afterCalls.empty() && std::none_of(afterCalls.begin(), afterCalls.end() - 1, ends)) {
        add(afterCalls.back().id);
    }
    // Where calls have no end of their own, the message with the result begins.
    const bool usesResult = afterCalls.empty() && !format.channels;
    for (const FoundToken& token :
         usesResult ? specialTokensOf(format.beforeResult, tokenizer) : std::vector<FoundToken>()) {
        const std::string_view text = tokenizer.vocabulary().text(token.id);
        const bool closesCalls = std::ranges::any_of(format.calls, [&](const CallFormat& call) {
            return call.sectionClose.find(text) != std::string::npos || call.close.find(text) != std::string::npos;
        });
        if (!closesCalls) {
            add(token.id);
            break;
        }
    }
    for (const TokenId id : tokenizer.specials().endOfGeneration) {
        if (usesInside(format, tokenizer.vocabulary().text(id))) {
            add(id);
        }
    }
    return end;
}

std::vector<TokenId> answerMarkers(const AnswerFormat& format, const Tokenizer& tokenizer) {
    std::string all = format.header + '\n' + format.contentOpen + '\n' + format.contentClose + '\n';
    for (std::size_t i = 0; i < format.thoughts.size(); ++i) {
        const ThoughtFormat& thought = format.thoughts[i];
        // Other models use some texts of gpt-oss for other purposes.
        if (i < format.ownThoughts || !thought.open.starts_with(kHarmonyChannel)) {
            all += thought.open + '\n' + thought.close + '\n';
        }
    }
    for (const CallFormat& call : format.calls) {
        all += call.texts();
    }
    const Vocabulary& vocabulary = tokenizer.vocabulary();
    std::vector<TokenId> markers;
    for (std::size_t i = 0; i < vocabulary.size(); ++i) {
        const TokenId id(i);
        const std::string_view text = vocabulary.text(id);
        const bool isMarker =
            isTag(text) || format.calls.end() != std::ranges::find(format.calls, text, &CallFormat::quote);
        const bool isUsed = all.find(text) != std::string::npos ||
                            (format.channels && std::ranges::find(kHarmonyTokens, text) != kHarmonyTokens.end());
        if (vocabulary.type(id) == TokenType::Control && isMarker && isUsed) {
            markers.push_back(id);
        }
    }
    return markers;
}

} // namespace gufo::text
