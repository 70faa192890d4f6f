#include "text/conversation/format_derivation.h"

#include "base/ascii.h"
#include "text/conversation/marker_text.h"
#include "text/conversation/template_probe.h"
#include "text/template/chat_templates.h"
#include "text/template/json_rewrite.h"

#include <algorithm>
#include <array>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

namespace gufo::text {
namespace {

using namespace probing;

std::string without(std::string_view text, std::string_view suffix) {
    text = withoutSpace(text);
    suffix = withoutSpace(suffix);
    if (!suffix.empty() && text.ends_with(suffix)) {
        text.remove_suffix(suffix.size());
    }
    return std::string(withoutSpace(text));
}

class FormatDerivation {
public:
    FormatDerivation(const Metadata& metadata, std::string_view source, const RenderText& render)
        : m_source(source)
        , m_probe(metadata, source, render) {}

    AnswerFormat derive() {
        deriveContent();
        deriveThought();
        deriveTools();
        deriveContentClose();
        deriveCalls();
        deriveThoughtBeforeCalls();
        addKnownFormats(m_format, m_source);
        finishThoughts();
        return std::move(m_format);
    }

private:
    void deriveContent() {
        const auto last = m_probe.render(message(quoted(kContent)), false, false);
        const auto followed = m_probe.render(message(quoted(kContent)) + R"(, {"role": "user", "content": ")" +
                                                 std::string(kNextQuestion) + "\"}",
                                             false, false);
        if (last) {
            const ProbedAnswer answer = answerOf(*last, m_probe.prompt());
            if (const std::size_t at = answer.text.find(kContent); at != std::string::npos) {
                m_beforeContent = answer.text.substr(0, at);
                m_followsPrompt = answer.opened.empty();
                m_format.afterAnswer = answer.text.substr(at + kContent.size());
                // The beginning of the model's turn, which a further message of the same answer repeats.
                if (m_probe.prompt().starts_with(m_probe.before())) {
                    m_turn = withoutSpace(
                        std::string_view(m_probe.prompt())
                            .substr(m_probe.before().size(),
                                    m_probe.prompt().size() - m_probe.before().size() - answer.opened.size()));
                }
            }
        }
        if (followed) {
            const std::size_t answer = followed->find(kContent);
            const std::size_t question = followed->find(kNextQuestion);
            if (answer != std::string::npos && question != std::string::npos && question > answer) {
                const std::size_t begin = answer + kContent.size();
                m_format.beforeQuestion = followed->substr(begin, question - begin);
            }
        }
    }

    void deriveThought() {
        const std::string parts = R"([{"type": "thinking", "thinking": ")" + std::string(kThought) +
                                  R"("}, {"type": "text", "text": ")" + std::string(kContent) + "\"}]";
        for (const bool isPart : {false, true}) {
            const std::string said = isPart ? message(parts) : message(quoted(kContent), thoughtMembers());
            const auto rendering = m_probe.render(said, false, false);
            const bool isListed = rendering && (holds(*rendering, "'thinking'") || holds(*rendering, "\"thinking\""));
            if (!rendering || !holds(*rendering, kThought) || !holds(*rendering, kContent) || isListed) {
                continue; // a template that knows no thoughts may print the list of parts
            }
            const ProbedAnswer answer = answerOf(*rendering, m_probe.prompt());
            const std::size_t thought = answer.text.find(kThought);
            const std::size_t content = answer.text.find(kContent, std::min(thought, answer.text.size()));
            if (thought == std::string::npos || content == std::string::npos) {
                continue;
            }
            const std::string_view text = answer.text;
            const std::size_t end = thought + kThought.size();
            const std::string_view after = text.substr(end, content - end);
            const std::size_t closing = closingOfThought(after);
            m_format.contentOpen = withoutSpace(after.substr(closing));
            if (addThought(text.substr(0, thought), after.substr(0, closing), m_beforeContent, *rendering)) {
                m_format.thoughtMember = isPart ? "content" : thoughtMember({});
                return;
            }
            m_format.contentOpen.clear();
        }
    }

    // How much of what the template writes between a thought and the text for the user closes the thought: what it also
    // writes before calls. The rest opens the text.
    std::size_t closingOfThought(std::string_view after) {
        for (const CallVariant& variant : kCallVariants) {
            const auto rendering =
                m_probe.render(message(contentOf(variant), thoughtMembers() + callsJson(1, {}, variant)), true, false);
            const std::size_t thought = rendering ? rendering->find(kThought) : std::string::npos;
            const std::size_t name = thought != std::string::npos ? rendering->find(kProbeNames[0], thought) : thought;
            if (name == std::string::npos) {
                continue;
            }
            const std::string_view beforeCalls = between(*rendering, thought + kThought.size(), name);
            const std::size_t common = outsideTag(after, commonPrefix(after, beforeCalls));
            const std::vector<std::string> rest = tagsOf(after.substr(common));
            const bool opensText =
                !withoutSpace(after.substr(0, common)).empty() && !rest.empty() && isTag(rest.front());
            return opensText ? common : after.size();
        }
        return after.size();
    }

    // The member of a message from which the template takes thoughts.
    std::string thoughtMember(std::string_view more) {
        for (const std::string_view name : kThoughtMembers) {
            const std::string member = ", " + quoted(name) + ": " + quoted(kThought) + std::string(more);
            const std::string content = more.empty() ? quoted(kContent) : std::string(contentOf(m_variant));
            if (const auto rendering = m_probe.render(message(content, member), !more.empty(), false);
                rendering && holds(*rendering, kThought)) {
                return std::string(name);
            }
        }
        return std::string(kThoughtMembers.front());
    }

    // Where a word of `close` precedes the tag at `tag`, the position of the tag before that word, as in
    // "<|open|>think<|sep|>".
    static std::size_t beginOfCompound(std::string_view text, std::size_t tag, std::string_view close) {
        std::size_t word = tag;
        while (word > 0 && isAsciiLetterOrDigit(static_cast<unsigned char>(text[word - 1]))) {
            --word;
        }
        const bool isCompound = word < tag && word > 0 && text[word - 1] == '>' &&
                                holds(close, text.substr(word, tag - word)) && text.substr(tag).starts_with('<');
        const std::size_t begin = isCompound ? text.rfind('<', word - 1) : tag;
        return begin != std::string_view::npos ? begin : tag;
    }

    // `before` and `after` are what the template writes around a thought, and `next` what it writes before the next
    // part where there is no thought.
    bool addThought(std::string_view before, std::string_view after, std::string_view next,
                    std::string_view rendering) {
        ThoughtFormat thought{.open = std::string(withoutSpace(before)), .close = std::string(withoutSpace(after))};
        if (thought.open.empty()) { // the prompt has opened it
            std::string_view prompt = withoutSpace(rendering.substr(0, rendering.find(kThought)));
            const std::size_t tag = prompt.ends_with('>')   ? prompt.rfind('<')
                                    : prompt.ends_with(']') ? prompt.rfind('[')
                                                            : prompt.rfind('\n') + 1;
            const std::size_t begin = std::min(tag, prompt.size());
            thought.open = prompt.substr(beginOfCompound(prompt, begin, thought.close));
        }
        // A tag, a word and a tag: another tag closes it with the same word and the same last tag.
        if (const auto tags = tagsOf(thought.open);
            tags.size() == 3 && isTag(tags[0]) && !isTag(tags[1]) && isTag(tags[2])) {
            const std::size_t at = thought.close.find(tags[1] + tags[2]);
            const std::size_t end = at != std::string::npos ? at + tags[1].size() + tags[2].size() : at;
            if (end < thought.close.size()) {
                m_format.contentOpen = withoutSpace(std::string_view(thought.close).substr(end));
                thought.close.resize(end);
            }
        }
        if (const std::string rest = without(thought.close, next); !rest.empty() && rest != thought.close) {
            thought.close = rest;
            m_format.contentOpen = withoutSpace(next);
        }
        if (const std::string rest = without(thought.close, m_turn); !rest.empty() && rest != thought.close) {
            thought.close = rest;
            m_format.header = m_turn;
        }
        if (thought.close.empty() || thought.open.empty()) {
            return false;
        }
        if (withoutSpace(after) == thought.close) {
            thought.closing = after;
        }
        m_format.thoughts.push_back(std::move(thought));
        m_format.ownThoughts = m_format.thoughts.size();
        return true;
    }

    // What precedes the text for the user may be an empty thought.
    void finishThoughts() {
        std::string open(withoutSpace(m_format.contentOpen.empty() ? m_beforeContent : m_format.contentOpen));
        for (const ThoughtFormat& each : m_format.thoughts) {
            for (const std::string& marker : {each.open, each.close}) {
                if (const std::size_t at = marker.empty() ? std::string::npos : open.find(marker);
                    at != std::string::npos) {
                    open.erase(at, marker.size());
                }
            }
        }
        m_format.contentOpen = m_format.channels ? std::string() : std::string(withoutSpace(open));
        m_format.answersInThought =
            m_followsPrompt && withoutSpace(m_beforeContent).empty() &&
            std::any_of(m_format.thoughts.begin(),
                        m_format.thoughts.begin() + static_cast<std::ptrdiff_t>(m_format.ownThoughts),
                        [&](const ThoughtFormat& each) { return withoutSpace(m_probe.prompt()).ends_with(each.open); });
    }

    void deriveTools() {
        m_format.knowsTools = m_probe.toolPrompt() != m_probe.prompt() && holds(m_probe.toolPrompt(), kProbeNames[0]);
    }

    // The text for the user may be closed before calls or the end of the answer follow.
    void deriveContentClose() {
        std::string close = closedBeforeCalls();
        close = close.empty() ? closedBeforeEnd() : close;
        if (close.empty()) {
            return;
        }
        m_format.contentClose = close;
        for (std::string* const text : {&m_format.afterAnswer, &m_format.beforeQuestion}) {
            const std::size_t space = spaceAt(*text, 0);
            if (std::string_view(*text).substr(space).starts_with(close)) {
                text->erase(0, space + close.size());
            }
        }
    }

    // What the template writes after a text both before calls and before something else that ends the answer.
    std::string closedBeforeCalls() {
        for (const CallVariant& variant : kCallVariants) {
            const auto rendering = m_probe.render(message(quoted(kContent), callsJson(1, {}, variant)), true, false);
            const std::size_t content = rendering ? rendering->find(kContent) : std::string::npos;
            const std::size_t name = content != std::string::npos ? rendering->find(kProbeNames[0], content) : content;
            if (name == std::string::npos) {
                continue;
            }
            const std::string_view before = between(*rendering, content + kContent.size(), name);
            const std::string_view end = m_format.afterAnswer;
            const std::size_t common = outsideTag(end, commonPrefix(before, end));
            const std::vector<std::string> tags = tagsOf(end.substr(0, common));
            const bool isMarked = !tags.empty() && isTag(tags.front());
            const bool goesOn = !withoutSpace(end.substr(common)).empty();
            const bool isMessage = !m_turn.empty() && holds(before.substr(common), m_turn); // calls are another one
            return isMarked && goesOn && !isMessage ? std::string(withoutSpace(end.substr(0, common))) : std::string();
        }
        return {};
    }

    // Of a text that a marker opens, the marker before the end of the answer.
    [[nodiscard]] std::string closedBeforeEnd() const {
        std::string open = m_format.contentOpen.empty() ? m_beforeContent : m_format.contentOpen;
        for (const std::string& part : emptyThoughts(m_format)) {
            if (const std::size_t at = part.empty() ? std::string::npos : open.find(part); at != std::string::npos) {
                open.erase(at, part.size());
            }
        }
        const std::vector<std::string> tags = tagsOf(m_format.afterAnswer);
        const bool isClosed = tags.size() >= 2 && isTag(tags[0]) && isTag(tags[1]) && !withoutSpace(open).empty();
        return isClosed ? tags[0] : std::string();
    }

    void deriveCalls() {
        for (const CallVariant& variant : kCallVariants) {
            const auto one = m_probe.calls(1, {}, variant);
            if (!one) {
                continue;
            }
            deriveEmptyThought(*one, variant);
            const auto two = m_probe.calls(2, {}, variant);
            if (auto format = deriveCallFormat(m_probe, m_format, *one, two, variant)) {
                m_variant = variant;
                m_format.calls.push_back(*std::move(format));
                m_format.ownCalls = m_format.calls.size();
                deriveEndOfCalls(*one, variant);
                // Others fail on null, or write "None".
                CallVariant other = variant;
                other.withText = false;
                m_format.emptyText = variant.withText && m_probe.calls(1, {}, other) != one;
                return;
            }
        }
    }

    // Templates that write a thought before calls even where it is empty, and keep it only there.
    void deriveEmptyThought(std::string_view one, const CallVariant& variant) {
        const auto rendering =
            m_format.hasThoughts()
                ? std::nullopt
                : m_probe.render(message(contentOf(variant), thoughtMembers() + callsJson(1, {}, variant)), true,
                                 false);
        if (!rendering) {
            return;
        }
        const std::string answer = answerOf(*rendering, m_probe.toolPrompt()).text;
        const std::size_t thought = answer.find(kThought);
        if (thought == std::string::npos) {
            return;
        }
        const std::string_view open = withoutSpace(std::string_view(answer).substr(0, thought));
        one = withoutSpace(one);
        if (open.empty() || !one.starts_with(open)) {
            return;
        }
        const std::vector<std::string> rest = tagsOf(one.substr(open.size()));
        const std::string_view after = std::string_view(answer).substr(thought + kThought.size());
        if (rest.empty() || !isTag(rest.front()) || !withoutSpace(after).starts_with(rest.front())) {
            return;
        }
        m_variant = variant;
        if (addThought(open, after.substr(0, after.find(rest.front()) + rest.front().size()), {}, *rendering)) {
            m_format.thoughtMember = thoughtMember(callsJson(1, {}, variant));
        }
    }

    void deriveEndOfCalls(const std::string& one, const CallVariant& variant) {
        const CallFormat& format = m_format.calls.front();
        const auto tail = [&](std::string_view text) {
            std::size_t end = text.rfind(kProbeValues[0]);
            if (end == std::string_view::npos) { // the template writes the result before its call
                return std::string_view();
            }
            end += kProbeValues[0].size();
            for (const std::string& tag : tagsOf(format.close)) { // parts of them may also close the last argument
                const std::size_t at = text.find(tag, end);
                end = at != std::string_view::npos ? at + tag.size() : end;
            }
            return text.substr(end);
        };
        m_format.afterCalls = tail(one);
        const std::string result = R"(, {"role": "tool", "tool_call_id": ")" + std::string(kProbeIds[0]) +
                                   R"(", "name": ")" + std::string(kProbeNames[0]) + R"(", "content": ")" +
                                   std::string(kResult) + "\"}";
        if (const auto text = m_probe.calls(1, {}, variant, result)) {
            if (const std::size_t at = text->find(kResult); at != std::string::npos) {
                m_format.beforeResult = tail(std::string_view(*text).substr(0, at));
            }
        }
    }

    // Templates that keep thoughts only before calls.
    void deriveThoughtBeforeCalls() {
        if (m_format.hasThoughts() || m_format.calls.empty()) {
            return;
        }
        const auto rendering =
            m_probe.render(message(contentOf(m_variant), thoughtMembers() + callsJson(1, {}, m_variant)), true, false);
        if (!rendering) {
            return;
        }
        const ProbedAnswer answer = answerOf(*rendering, m_probe.toolPrompt());
        const std::string_view text = answer.text;
        const std::size_t thought = text.find(kThought);
        if (thought == std::string_view::npos) {
            return;
        }
        const std::size_t end = thought + kThought.size();
        std::string_view after = text.substr(end);
        const CallFormat& format = m_format.calls.front();
        const std::vector<std::string> triggers = format.triggers();
        std::size_t stop = after.find(kProbeNames[0]);
        for (const std::string& trigger : triggers) {
            stop = std::min(stop, after.find(trigger));
        }
        if (addThought(text.substr(0, thought), after.substr(0, std::min(stop, after.size())), {}, *rendering)) {
            m_format.thoughtMember = thoughtMember(callsJson(1, {}, m_variant));
        }
    }

    std::string_view m_source;
    TemplateProbe m_probe;
    AnswerFormat m_format;
    std::string m_turn;           // the beginning of the model's turn, without what only the prompt has
    std::string m_beforeContent;  // what an answer without a thought has before its text
    bool m_followsPrompt = false; // an answer begins where the prompt ends
    CallVariant m_variant;
};

} // namespace

AnswerFormat deriveAnswerFormat(const Metadata& metadata, std::string_view source, const RenderText& render) {
    return FormatDerivation(metadata, source, render).derive();
}

std::shared_ptr<const AnswerFormat> answerFormatOf(const Metadata& metadata, std::string_view source,
                                                   TemplateRenderer& renderer, const std::stop_token& stop) {
    struct Kept {
        std::string key;
        std::shared_ptr<const AnswerFormat> format;
    };
    constexpr std::size_t kMostKept = 16;
    static std::mutex mutex;
    static std::deque<Kept> kept;
    std::string key(source);
    for (const auto& [name, token] : specialTokenTexts(metadata)) {
        key += '\0' + name + '=' + token;
    }
    {
        const std::scoped_lock lock(mutex);
        if (const auto found = std::ranges::find(kept, key, &Kept::key); found != kept.end()) {
            return found->format;
        }
    }
    bool failed = false;
    const auto render = [&](RenderRequest request) -> std::optional<std::string> {
        if (failed || stop.stop_requested()) {
            failed = true;
            return std::nullopt;
        }
        const Rendering rendering = renderer.render(std::move(request), stop);
        const bool isLost = rendering.error && (rendering.error->code == QLatin1String("cancelled") ||
                                                rendering.error->code == QLatin1String("helper_missing"));
        failed = isLost;
        return rendering.text ? std::optional(rendering.text->toStdString()) : std::nullopt;
    };
    auto format = std::make_shared<const AnswerFormat>(deriveAnswerFormat(metadata, source, render));
    if (failed) {
        return nullptr;
    }
    const std::scoped_lock lock(mutex);
    kept.push_back({.key = std::move(key), .format = format});
    if (kept.size() > kMostKept) {
        kept.pop_front();
    }
    return format;
}

} // namespace gufo::text
