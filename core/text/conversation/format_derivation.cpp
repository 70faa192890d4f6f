#include "text/conversation/format_derivation.h"

#include "base/ascii.h"
#include "text/conversation/literal_reader.h"
#include "text/conversation/marker_text.h"
#include "text/template/chat_templates.h"
#include "text/template/json_rewrite.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

namespace gufo::text {
namespace {

// Texts that no template writes by itself. None is part of another.
constexpr std::string_view kContent = "gufocontent";
constexpr std::string_view kThought = "gufothought";
constexpr std::string_view kResult = "guforesult";
constexpr std::string_view kNextQuestion = "gufoquestion";
constexpr std::array<std::string_view, 2> kNames{"gufotoola", "gufotoolb"};
constexpr std::array<std::string_view, 2> kIds{"gufocalla", "gufocallb"}; // nine letters, as Mistral's templates demand
constexpr std::array<std::string_view, 2> kKeys{"gufokeya", "gufokeyb"};
constexpr std::array<std::string_view, 2> kValues{"gufovala", "gufovalb"};
constexpr std::string_view kNumber = "4711";
constexpr std::array<std::string_view, 3> kThoughtMembers{"reasoning_content", "reasoning", "thinking"};

// A value of an argument, and how templates write it.
struct OtherValue {
    std::string_view json;
    std::array<std::string_view, 2> written;
    bool isWhole = true; // otherwise its beginning
};
constexpr std::string_view kPythonList = "['gufovala']";
constexpr auto kOtherValues = std::to_array<OtherValue>(
    {{.json = kNumber, .written = {kNumber, kNumber}},
     {.json = "true", .written = {"true", "True"}},
     {.json = "null", .written = {"null", "None"}},
     {.json = R"(["gufovala"])", .written = {R"(["gufovala"])", kPythonList}},
     {.json = R"({"gufokeyb": "gufovala"})", .written = {R"({"gufokeyb")", "{'gufokeyb'"}, .isWhole = false}});

constexpr std::string_view kTools =
    R"([{"type": "function", "function": {"name": "gufotoola", "description": "d", "parameters": {"type": "object", )"
    R"("properties": {"gufokeya": {"type": "string", "description": "d"}, "gufokeyb": {"type": "string", )"
    R"("description": "d"}}, "required": []}}}, {"type": "function", "function": {"name": "gufotoolb", "description": )"
    R"("d", "parameters": {"type": "object", "properties": {"gufokeya": {"type": "string", "description": "d"}}, )"
    R"("required": []}}}])";

// How a message with calls is given to a template. Templates differ in what they accept.
struct CallVariant {
    bool argumentsAsText = false;
    bool withText = false;    // the content is "" instead of null
    bool numberedIds = false; // "functions.NAME:0"; Kimi K2 writes nothing but the id
};
constexpr auto kCallVariants = std::to_array<CallVariant>({{.withText = true},
                                                           {},
                                                           {.argumentsAsText = true, .withText = true},
                                                           {.argumentsAsText = true},
                                                           {.withText = true, .numberedIds = true}});

QString qtString(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::size_t commonPrefix(std::string_view a, std::string_view b) {
    return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

std::size_t commonSuffix(std::string_view a, std::string_view b) {
    std::size_t length = 0;
    while (length < std::min(a.size(), b.size()) && a[a.size() - 1 - length] == b[b.size() - 1 - length]) {
        ++length;
    }
    return length;
}

// Moves a position that is within a tag back to the tag's beginning.
std::size_t outsideTag(std::string_view text, std::size_t at) {
    const std::size_t open = text.substr(0, at).find_last_of("<[");
    if (open == std::string_view::npos) {
        return at;
    }
    const char close = text[open] == '<' ? '>' : ']';
    return text.substr(open, at - open).find(close) == std::string_view::npos ? open : at;
}

// The suffix that two texts share, without the end of another tag or word at its beginning. "<|sep|>" is such an end in
// "<|open|>tools<|sep|>".
std::string_view sharedMarker(std::string_view a, std::string_view b) {
    std::string_view shared = a.substr(a.size() - commonSuffix(a, b));
    const auto followsWord = [&](std::string_view text) {
        return text.size() > shared.size() &&
               isAsciiLetterOrDigit(static_cast<unsigned char>(text[text.size() - shared.size() - 1]));
    };
    if (const std::size_t next = shared.starts_with('<') ? shared.find('<', 1) : std::string_view::npos;
        next != std::string_view::npos && followsWord(a) && followsWord(b)) {
        shared.remove_prefix(next);
        return shared;
    }
    const bool isWhole = shared.size() == a.size() || shared.size() == b.size();
    const std::size_t tag = std::min(shared.find_first_of("<["), shared.size());
    const std::string_view before = shared.substr(0, tag);
    if (isWhole ? before.find_first_of(">]\"") == std::string_view::npos : tag == 0) {
        return shared;
    }
    if (tag != shared.size()) {
        return shared.substr(tag);
    }
    const std::size_t space = isWhole ? std::string_view::npos : shared.find_first_of(" \t\r\n");
    return space != std::string_view::npos ? shared.substr(space) : shared;
}

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
        : m_metadata(metadata)
        , m_source(source)
        , m_renderer(render) {}

    AnswerFormat derive() {
        m_before = render({}, false, false).value_or(std::string());
        m_prompt = render({}, false, true).value_or(std::string());
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
    // Renders a question and the given messages.
    std::optional<std::string> render(std::string_view messages, bool tools, bool generationPrompt) {
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

    // The part of a rendering that the model writes, and how much of the prompt's end it repeats.
    struct Answer {
        std::string text;   // from where it differs from the prompt on
        std::string opened; // the end of the prompt that the answer does not have: "<think>"
    };
    [[nodiscard]] Answer answerOf(const std::string& rendering, const std::string& prompt) const {
        const std::size_t common =
            rendering.starts_with(prompt) ? prompt.size() : outsideTag(rendering, commonPrefix(rendering, prompt));
        return {.text = rendering.substr(common), .opened = prompt.substr(std::min(common, prompt.size()))};
    }

    static std::string message(std::string_view content, std::string_view more = {}) {
        return ", {\"role\": \"assistant\", \"content\": " + std::string(content) + std::string(more) + '}';
    }
    static std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }
    static std::string thoughtMembers() {
        std::string members;
        for (const std::string_view name : kThoughtMembers) {
            members += ", " + quoted(name) + ": " + quoted(kThought);
        }
        return members;
    }

    void deriveContent() {
        const auto last = render(message(quoted(kContent)), false, false);
        const auto followed = render(message(quoted(kContent)) + R"(, {"role": "user", "content": ")" +
                                         std::string(kNextQuestion) + "\"}",
                                     false, false);
        if (last) {
            const Answer answer = answerOf(*last, m_prompt);
            if (const std::size_t at = answer.text.find(kContent); at != std::string::npos) {
                m_beforeContent = answer.text.substr(0, at);
                m_followsPrompt = answer.opened.empty();
                m_format.afterAnswer = answer.text.substr(at + kContent.size());
                // The beginning of the model's turn, which a further message of the same answer repeats.
                if (m_prompt.starts_with(m_before)) {
                    m_turn = withoutSpace(std::string_view(m_prompt).substr(
                        m_before.size(), m_prompt.size() - m_before.size() - answer.opened.size()));
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
            const auto rendering = render(said, false, false);
            const bool isListed = rendering && (holds(*rendering, "'thinking'") || holds(*rendering, "\"thinking\""));
            if (!rendering || !holds(*rendering, kThought) || !holds(*rendering, kContent) || isListed) {
                continue; // a template that knows no thoughts may print the list of parts
            }
            const Answer answer = answerOf(*rendering, m_prompt);
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
                render(message(contentOf(variant), thoughtMembers() + callsJson(1, {}, variant)), true, false);
            const std::size_t thought = rendering ? rendering->find(kThought) : std::string::npos;
            const std::size_t name = thought != std::string::npos ? rendering->find(kNames[0], thought) : thought;
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
            if (const auto rendering = render(message(content, member), !more.empty(), false);
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
                        [&](const ThoughtFormat& each) { return withoutSpace(m_prompt).ends_with(each.open); });
    }

    void deriveTools() {
        const auto without = render({}, false, true);
        const auto with = render({}, true, true);
        m_format.knowsTools = with && with != without && holds(*with, kNames[0]);
        m_toolPrompt = with.value_or(m_prompt);
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
            const auto rendering = render(message(quoted(kContent), callsJson(1, {}, variant)), true, false);
            const std::size_t content = rendering ? rendering->find(kContent) : std::string::npos;
            const std::size_t name = content != std::string::npos ? rendering->find(kNames[0], content) : content;
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
        for (const std::string& part : emptyThoughts()) {
            if (const std::size_t at = part.empty() ? std::string::npos : open.find(part); at != std::string::npos) {
                open.erase(at, part.size());
            }
        }
        const std::vector<std::string> tags = tagsOf(m_format.afterAnswer);
        const bool isClosed = tags.size() >= 2 && isTag(tags[0]) && isTag(tags[1]) && !withoutSpace(open).empty();
        return isClosed ? tags[0] : std::string();
    }

    [[nodiscard]] static std::string callsJson(std::size_t count, std::string_view arguments,
                                               const CallVariant& variant) {
        std::string json = ", \"tool_calls\": [";
        for (std::size_t i = 0; i < count; ++i) {
            const std::string id = variant.numberedIds ? "functions." + std::string(kNames[i]) + ':' + std::to_string(i)
                                                       : std::string(kIds[i]);
            std::string object = arguments.empty()
                                     ? R"({")" + std::string(kKeys[0]) + R"(": ")" + std::string(kValues[i]) + "\"}"
                                     : std::string(arguments);
            json += (i == 0 ? "" : ", ") + (R"({"id": ")" + id) + R"(", "type": "function", "function": {"name": ")" +
                    std::string(kNames[i]) + R"(", "arguments": )" +
                    (variant.argumentsAsText ? jsonString(object) : object) + "}}";
        }
        return json + ']';
    }
    static std::string_view contentOf(const CallVariant& variant) { return variant.withText ? "\"\"" : "null"; }

    // What the model writes for calls; nothing if the template cannot write them.
    std::optional<std::string> calls(std::size_t count, std::string_view arguments, const CallVariant& variant,
                                     std::string_view following = {}) {
        const auto rendering = render(
            message(contentOf(variant), callsJson(count, arguments, variant)) + std::string(following), true, false);
        if (!rendering) {
            return std::nullopt;
        }
        std::string text = answerOf(*rendering, m_toolPrompt).text;
        for (std::size_t i = 0; i < count; ++i) {
            if (!holds(text, kNames[i]) || (arguments.empty() && !holds(text, kValues[i]))) {
                return std::nullopt;
            }
        }
        return text;
    }

    void deriveCalls() {
        for (const CallVariant& variant : kCallVariants) {
            const auto one = calls(1, {}, variant);
            if (!one) {
                continue;
            }
            deriveEmptyThought(*one, variant);
            const auto two = calls(2, {}, variant);
            if (auto format = callFormat(*one, two, variant)) {
                m_variant = variant;
                m_format.calls.push_back(*std::move(format));
                m_format.ownCalls = m_format.calls.size();
                deriveEndOfCalls(*one, variant);
                // Others fail on null, or write "None".
                CallVariant other = variant;
                other.withText = false;
                m_format.emptyText = variant.withText && calls(1, {}, other) != one;
                return;
            }
        }
    }

    // Templates that write a thought before calls even where it is empty, and keep it only there.
    void deriveEmptyThought(std::string_view one, const CallVariant& variant) {
        const auto rendering =
            m_format.hasThoughts()
                ? std::nullopt
                : render(message(contentOf(variant), thoughtMembers() + callsJson(1, {}, variant)), true, false);
        if (!rendering) {
            return;
        }
        const std::string answer = answerOf(*rendering, m_toolPrompt).text;
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
            std::size_t end = text.rfind(kValues[0]) + kValues[0].size();
            for (const std::string& tag : tagsOf(format.close)) { // parts of them may also close the last argument
                const std::size_t at = text.find(tag, end);
                end = at != std::string_view::npos ? at + tag.size() : end;
            }
            return text.substr(end);
        };
        m_format.afterCalls = tail(one);
        const std::string result = R"(, {"role": "tool", "tool_call_id": ")" + std::string(kIds[0]) +
                                   R"(", "name": ")" + std::string(kNames[0]) + R"(", "content": ")" +
                                   std::string(kResult) + "\"}";
        if (const auto text = calls(1, {}, variant, result)) {
            if (const std::size_t at = text->find(kResult); at != std::string::npos) {
                m_format.beforeResult = tail(std::string_view(*text).substr(0, at));
            }
        }
    }

    // The text between two positions of markers; empty if they are in the wrong order.
    static std::string_view between(std::string_view text, std::size_t begin, std::size_t end) {
        return begin <= end && end <= text.size() ? text.substr(begin, end - begin) : std::string_view();
    }

    std::optional<CallFormat> callFormat(const std::string& one, const std::optional<std::string>& two,
                                         const CallVariant& variant) {
        std::string_view text = two ? std::string_view(*two) : std::string_view(one);
        // What an old answer without a thought has before its calls is not part of them.
        for (const std::string& part : emptyParts()) {
            const std::size_t space = spaceAt(text, 0);
            if (!part.empty() && text.substr(space).starts_with(part)) {
                text.remove_prefix(space + part.size());
            }
        }
        if (auto json = jsonFormat(text, two.has_value())) {
            return json;
        }
        return headedFormat(text, two.has_value(), variant);
    }

    [[nodiscard]] std::vector<std::string> emptyParts() const {
        std::vector<std::string> parts = emptyThoughts();
        parts.emplace_back(m_format.contentOpen);
        parts.emplace_back(m_format.contentClose);
        return parts;
    }
    [[nodiscard]] std::vector<std::string> emptyThoughts() const {
        std::vector<std::string> parts;
        for (const ThoughtFormat& each : m_format.thoughts) {
            parts.insert(parts.end(), {each.open, each.close});
        }
        parts.emplace_back("<think>");
        parts.emplace_back("</think>");
        return parts;
    }

    // The parts of a text with one or two calls that are no calls themselves.
    struct Surroundings {
        std::string_view before;  // the first call
        std::string_view between; // the calls; only if there are two
        std::string_view after;   // the last call
    };
    // Fills in what encloses the calls of a list.
    void setMarkers(CallFormat& format, const Surroundings& around, bool two) const {
        std::string_view after = around.after;
        for (const std::string& end : {m_format.afterAnswer, m_format.beforeQuestion}) {
            const std::string_view text = withoutSpace(end);
            const std::size_t at = text.empty() ? std::string_view::npos : after.find(text.substr(0, text.find('\n')));
            after = after.substr(0, at);
        }
        if (!two) {
            format.open = withoutSpace(around.before);
            format.close = withoutSpace(after);
            return;
        }
        const std::string_view open = sharedMarker(around.before, around.between);
        format.open = withoutSpace(open);
        format.sectionOpen = withoutSpace(around.before.substr(0, around.before.size() - open.size()));
        const std::string_view closing = around.between.substr(0, around.between.size() - open.size());
        std::size_t close = commonPrefix(closing, after);
        close = close == after.size() || close == closing.size() ? close : outsideTag(closing, close);
        format.close = withoutSpace(closing.substr(0, close));
        format.sectionClose = withoutSpace(after.substr(close));
    }

    // The brackets of lists are not part of the markers: models omit and add them.
    static void dropBrackets(std::string& open, std::string& close) {
        while (!open.empty() && (open.back() == '[' || open.back() == ',')) {
            open = withoutSpace(open.substr(0, open.size() - 1));
        }
        const std::size_t begin = close.find_first_not_of("],");
        if (close.starts_with(']') || close.starts_with(',')) {
            close =
                withoutSpace(begin == std::string::npos ? std::string_view() : std::string_view(close).substr(begin));
        }
    }

    std::optional<CallFormat> jsonFormat(std::string_view text, bool two) const {
        const auto objectAround = [&](std::size_t index,
                                      std::size_t from) -> std::optional<std::pair<std::size_t, std::size_t>> {
            for (std::size_t at = text.find('{', from); at != std::string_view::npos; at = text.find('{', at + 1)) {
                const std::size_t length = balancedLength(text.substr(at));
                const std::string_view object = text.substr(at, length);
                if (length != 0 && holds(object, kNames[index]) && holds(object, kValues[index]) &&
                    !holds(object, kNames[1 - index]) &&
                    !QJsonDocument::fromJson(QByteArray(object.data(), static_cast<qsizetype>(length))).isNull()) {
                    return std::pair(at, at + length);
                }
            }
            return std::nullopt;
        };
        const auto first = objectAround(0, 0);
        const auto second = two && first ? objectAround(1, first->second) : std::nullopt;
        if (!first || (two && !second)) {
            return std::nullopt;
        }
        CallFormat format{.style = CallStyle::Json};
        const auto& last = second ? second : first;
        setMarkers(format,
                   {.before = text.substr(0, first->first),
                    .between = second ? between(text, first->second, second->first) : std::string_view(),
                    .after = text.substr(last->second)},
                   two);
        dropBrackets(format.sectionOpen, format.sectionClose);
        dropBrackets(format.open, format.close);
        const std::string_view object = text.substr(first->first, first->second - first->first);
        const QJsonObject members =
            QJsonDocument::fromJson(QByteArray(object.data(), static_cast<qsizetype>(object.size()))).object();
        return nameMembers(format, members, true) ? std::optional(std::move(format)) : std::nullopt;
    }

    // Finds which members are the name, the arguments and the id.
    static bool nameMembers(CallFormat& format, const QJsonObject& object, bool outer) {
        for (auto member = object.begin(); member != object.end(); ++member) {
            const std::string key = member.key().toStdString();
            const std::string text = member.value().toString().toStdString();
            if (text == kNames[0]) {
                format.nameKey = key;
            } else if (text == kIds[0]) {
                format.idKey = key;
            } else if (key == kNames[0]) {
                format.argumentsKey.clear(); // {NAME: {…}}
                return true;
            } else if (member.value().toObject().contains(qtString(kKeys[0])) || holds(text, kKeys[0])) {
                format.argumentsKey = key;
            } else if (outer && member.value().isObject()) {
                format.wrapperKey = key;
                if (nameMembers(format, member.value().toObject(), false)) {
                    return true;
                }
                format.wrapperKey.clear();
            }
        }
        return !format.nameKey.empty() && !format.argumentsKey.empty();
    }

    // Formats in which the name precedes the arguments.
    std::optional<CallFormat> headedFormat(std::string_view text, bool two, const CallVariant& variant) {
        struct Places {
            std::size_t id;
            std::size_t name;
            std::size_t nameEnd;
            std::size_t key;
            std::size_t value;
        };
        std::vector<Places> places;
        for (std::size_t i = 0; i < (two ? 2U : 1U); ++i) {
            const std::size_t from = places.empty() ? 0 : places.back().value;
            const std::size_t name = text.find(kNames[i], from);
            const std::size_t key = name == std::string_view::npos ? name : text.find(kKeys[0], name);
            const std::size_t value = key == std::string_view::npos ? key : text.find(kValues[i], key);
            if (value == std::string_view::npos) {
                return std::nullopt;
            }
            std::size_t id = text.find(kIds[i], from);
            id = id < key ? id : std::string_view::npos;
            places.push_back({.id = id, .name = name, .nameEnd = name + kNames[i].size(), .key = key, .value = value});
        }
        const Places& first = places.front();
        const Places& last = places.back();
        const std::size_t valueEnd = first.value + kValues[0].size();
        CallFormat format{.style = CallStyle::NamedJson};
        // Arguments as JSON?
        const std::size_t brace = text.rfind('{', first.key);
        const std::size_t object =
            brace != std::string_view::npos && brace >= first.nameEnd ? balancedLength(text.substr(brace)) : 0;
        const bool isJson =
            object != 0 && brace + object >= valueEnd &&
            !QJsonDocument::fromJson(QByteArray(text.data() + brace, static_cast<qsizetype>(object))).isNull();
        const auto headEnd = [&](const Places& call) { return isJson ? text.rfind('{', call.key) : call.key; };
        const auto callEnd = [&](const Places& call, std::size_t index) {
            const std::size_t begin = text.rfind('{', call.key);
            return isJson ? begin + balancedLength(text.substr(begin)) : call.value + kValues[index].size();
        };
        const auto callBegin = [&](const Places& call) { return std::min(call.id, call.name); };
        Surroundings around{.before = text.substr(0, callBegin(first)),
                            .between = two ? between(text, callEnd(first, 0), callBegin(last)) : std::string_view(),
                            .after = text.substr(callEnd(last, two ? 1 : 0))};
        // The markers of the arguments are not among the markers of the call.
        std::string_view afterName = between(text, first.nameEnd, headEnd(first));
        if (!isJson && !argumentMarkers(format, afterName, around, variant)) {
            return std::nullopt;
        }
        if (isJson) {
            std::string_view number = afterName;
            if (variant.numberedIds || (number.starts_with(":0"))) {
                format.numbered = number.starts_with(":0");
                afterName.remove_prefix(format.numbered ? 2 : 0);
            }
        }
        setMarkers(format, around, two);
        if (format.style == CallStyle::Literals) {
            dropBrackets(format.sectionOpen, format.sectionClose);
            dropBrackets(format.open, format.close);
        }
        const bool mayCount = two && first.id == std::string_view::npos && !format.numbered;
        const std::size_t count =
            mayCount ? countIn(afterName, between(text, last.nameEnd, headEnd(last))) : std::string_view::npos;
        if (count != std::string_view::npos) {
            makeCountedHead(format, afterName, count);
        } else {
            makeHead(format, text, first.id, first.name, first.nameEnd, afterName);
        }
        return format;
    }

    // The place of a digit in which the texts after two names differ: the template counts its calls.
    static std::size_t countIn(std::string_view first, std::string_view second) {
        const std::size_t at = commonPrefix(first, second);
        const auto isDigit = [](std::string_view text, std::size_t place) {
            return place < text.size() && isAsciiDigit(static_cast<unsigned char>(text[place]));
        };
        const bool isCount = isDigit(first, at) && isDigit(second, at) && !isDigit(first, at + 1) &&
                             !isDigit(second, at + 1) && (at == 0 || !isDigit(first, at - 1));
        return isCount ? at : std::string_view::npos;
    }

    // The number is the id of its call.
    static void makeCountedHead(CallFormat& format, std::string_view afterName, std::size_t count) {
        using Kind = CallHeadPart::Kind;
        format.head = {{.marker = format.open},
                       {.kind = Kind::Name},
                       {.marker = std::string(withoutSpace(afterName.substr(0, count)))},
                       {.kind = Kind::Id},
                       {.marker = std::string(withoutSpace(afterName.substr(count + 1)))}};
        std::erase_if(format.head,
                      [](const CallHeadPart& part) { return part.kind == Kind::Marker && part.marker.empty(); });
    }

    static void makeHead(CallFormat& format, std::string_view text, std::size_t id, std::size_t name,
                         std::size_t nameEnd, std::string_view afterName) {
        using Kind = CallHeadPart::Kind;
        format.head.push_back({.marker = format.open});
        const auto add = [&](std::string_view marker) {
            if (const std::string_view trimmed = withoutSpace(marker); !trimmed.empty()) {
                format.head.push_back({.marker = std::string(trimmed)});
            }
        };
        if (id == std::string_view::npos) {
            format.head.push_back({.kind = Kind::Name});
            add(afterName);
        } else if (id < name) {
            format.head.push_back({.kind = Kind::Id});
            add(between(text, id + kIds[0].size(), name));
            format.head.push_back({.kind = Kind::Name});
            add(afterName);
        } else {
            format.head.push_back({.kind = Kind::Name});
            add(between(text, nameEnd, id));
            format.head.push_back({.kind = Kind::Id});
            add(afterName.substr(std::min(afterName.size(), id + kIds[0].size() - nameEnd)));
        }
    }

    // Tells arguments between markers from a list of literals. Removes their markers from `afterName` and from the
    // surroundings of the calls.
    bool argumentMarkers(CallFormat& format, std::string_view& afterName, Surroundings& around,
                         const CallVariant& variant) {
        const std::string pairs = R"({")" + std::string(kKeys[0]) + R"(": ")" + std::string(kValues[0]) + R"(", ")" +
                                  std::string(kKeys[1]) + R"(": ")" + std::string(kValues[1]) + "\"}";
        const auto both = calls(1, pairs, variant);
        if (!both) {
            return false;
        }
        const std::size_t valueEnd = both->find(kValues[0]) + kValues[0].size();
        const std::size_t nextKey = both->find(kKeys[1], valueEnd);
        const std::size_t nextValue = both->find(kValues[1], nextKey);
        if (nextKey == std::string::npos || nextValue == std::string::npos) {
            return false;
        }
        const std::string_view separator = between(*both, valueEnd, nextKey);
        const std::size_t keyEnd = nextKey + kKeys[1].size();
        const std::string_view assign = between(*both, keyEnd, nextValue);
        const std::size_t comma = separator.find(',');
        const std::string_view quote = withoutSpace(separator.substr(0, std::min(comma, separator.size())));
        // In a list of literals, what follows a value before the comma also precedes the value.
        const bool isList = comma != std::string_view::npos && withoutSpace(assign).ends_with(quote) &&
                            !holds(separator, "</") && assign.size() > quote.size();
        return isList ? literalMarkers(format, afterName, around, quote, assign)
                      : taggedMarkers(format, afterName, around, separator, assign, variant);
    }

    bool literalMarkers(CallFormat& format, std::string_view& afterName, Surroundings& around, std::string_view quote,
                        std::string_view assign) {
        format.style = CallStyle::Literals;
        format.quote = quote;
        format.assign = withoutSpace(assign.substr(0, assign.rfind(quote)));
        format.argumentsOpen = withoutSpace(afterName);
        // A key in quotes has them before and after it.
        if (!quote.empty() && format.argumentsOpen.ends_with(quote)) {
            format.argumentsOpen =
                withoutSpace(format.argumentsOpen.substr(0, format.argumentsOpen.size() - quote.size()));
            format.assign =
                withoutSpace(format.assign.substr(std::min(format.assign.find(quote), format.assign.size())));
            format.assign =
                withoutSpace(format.assign.starts_with(quote) ? format.assign.substr(quote.size()) : format.assign);
        }
        if (format.assign.empty() || format.argumentsOpen.empty()) {
            return false;
        }
        afterName = {};
        const char open = format.argumentsOpen.back();
        format.argumentsClose = open == '(' ? ")" : open == '{' ? "}" : open == '[' ? "]" : "";
        if (format.argumentsClose.empty()) {
            return false;
        }
        for (std::string_view* const part : {&around.between, &around.after}) {
            const std::size_t close = part->find(format.argumentsClose);
            *part = close == std::string_view::npos ? *part : part->substr(close + format.argumentsClose.size());
        }
        format.escapes = escapesStrings();
        return true;
    }

    // Whether the template escapes a quotation mark and a line break in a string.
    bool escapesStrings() {
        const std::string pairs = R"({")" + std::string(kKeys[0]) + R"(": ")" + std::string(kValues[0]) + R"(\n\"\\"})";
        for (const CallVariant& variant : kCallVariants) {
            if (const auto text = calls(1, pairs, variant)) {
                const std::size_t at = text->find(kValues[0]);
                return at != std::string::npos && text->substr(at + kValues[0].size()).starts_with("\\n");
            }
        }
        return false;
    }

    bool taggedMarkers(CallFormat& format, std::string_view& afterName, Surroundings& around,
                       std::string_view separator, std::string_view assign, const CallVariant& variant) {
        format.style = CallStyle::Tagged;
        std::string_view keyOpen = sharedMarker(afterName, separator);
        // What also follows the last argument closes a value.
        const std::size_t closing = outsideTag(separator, commonPrefix(separator, around.after));
        if (separator.size() - keyOpen.size() < closing && afterName.ends_with(separator.substr(closing))) {
            keyOpen = separator.substr(closing);
        }
        const std::string_view valueClose = separator.substr(0, separator.size() - keyOpen.size());
        if (withoutSpace(keyOpen).empty() || withoutSpace(valueClose).empty() || withoutSpace(assign).empty()) {
            return false;
        }
        format.keyOpen = withoutSpace(keyOpen);
        // White space after the marker belongs to what follows.
        const std::size_t closeEnd = valueClose.find_last_not_of(" \t\r\n") + 1;
        format.valueClose = valueClose.substr(0, closeEnd);
        afterName.remove_suffix(keyOpen.size());
        format.valueOpen.push_back({.marker = std::string(leadingSpaceRemoved(assign))});
        for (const OtherValue& each : kOtherValues) {
            addOpening(format, each, assign, variant);
        }
        for (std::string_view* const part : {&around.between, &around.after}) {
            if (part->starts_with(format.valueClose)) {
                part->remove_prefix(format.valueClose.size());
            }
        }
        return true;
    }

    // Other values may have other markers, and lists may be written as in Python.
    void addOpening(CallFormat& format, const OtherValue& value, std::string_view assign, const CallVariant& variant) {
        const std::string arguments = R"({")" + std::string(kKeys[0]) + R"(": )" + std::string(value.json) + '}';
        const auto text = calls(1, arguments, variant);
        const std::size_t key = text ? text->find(kKeys[0]) : std::string::npos;
        if (key == std::string::npos) {
            return;
        }
        const std::size_t begin = key + kKeys[0].size();
        const std::string close = value.isWhole ? format.valueClose : std::string(); // its name may precede a value
        const std::size_t at = std::min(text->find(std::string(value.written[0]) + close, begin),
                                        text->find(std::string(value.written[1]) + close, begin));
        if (at == std::string::npos) {
            return;
        }
        format.python = format.python || std::string_view(*text).substr(at).starts_with(kPythonList);
        const std::string_view other = between(*text, begin, at);
        const std::string marker(leadingSpaceRemoved(other));
        if (other.empty() || other == assign ||
            std::ranges::find(format.valueOpen, marker, &ValueOpening::marker) != format.valueOpen.end()) {
            return;
        }
        if (value.json == kNumber) {
            format.valueOpen.front().isString = true;
        }
        format.valueOpen.push_back({.marker = marker, .isString = false});
    }

    static std::string_view leadingSpaceRemoved(std::string_view text) { return text.substr(spaceAt(text, 0)); }

    // Templates that keep thoughts only before calls.
    void deriveThoughtBeforeCalls() {
        if (m_format.hasThoughts() || m_format.calls.empty()) {
            return;
        }
        const auto rendering =
            render(message(contentOf(m_variant), thoughtMembers() + callsJson(1, {}, m_variant)), true, false);
        if (!rendering) {
            return;
        }
        const Answer answer = answerOf(*rendering, m_toolPrompt);
        const std::string_view text = answer.text;
        const std::size_t thought = text.find(kThought);
        if (thought == std::string_view::npos) {
            return;
        }
        const std::size_t end = thought + kThought.size();
        std::string_view after = text.substr(end);
        const CallFormat& format = m_format.calls.front();
        const std::vector<std::string> triggers = format.triggers();
        std::size_t stop = after.find(kNames[0]);
        for (const std::string& trigger : triggers) {
            stop = std::min(stop, after.find(trigger));
        }
        if (addThought(text.substr(0, thought), after.substr(0, std::min(stop, after.size())), {}, *rendering)) {
            m_format.thoughtMember = thoughtMember(callsJson(1, {}, m_variant));
        }
    }

    const Metadata& m_metadata;
    std::string_view m_source;
    const RenderText& m_renderer;
    AnswerFormat m_format;
    std::string m_before;        // the prompt without the beginning of the answer
    std::string m_prompt;        // with it
    std::string m_toolPrompt;    // with tools as well
    std::string m_turn;          // the beginning of the model's turn, without what only the prompt has
    std::string m_beforeContent; // what an answer without a thought has before its text
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
