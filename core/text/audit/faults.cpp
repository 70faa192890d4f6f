
#include "base/ascii.h"
#include "text/audit/searches.h"
#include "text/audit/text_difference.h"
#include "text/conversation/answer_parser.h"
#include "text/conversation/battery.h"
#include "text/conversation/format_derivation.h"
#include "text/conversation/marker_text.h"
#include "text/template/chat_templates.h"
#include "text/template/template_markers.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>
#include <map>

namespace gufo::text {
namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// Python's repr of a value, where it stands alone: "None", "True".
bool hasWord(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const auto isPart = [&](std::size_t i) {
            return i < text.size() && (isAsciiLetterOrDigit(static_cast<unsigned char>(text[i])) || text[i] == '_');
        };
        if ((at == 0 || !isPart(at - 1)) && !isPart(at + word.size())) {
            return true;
        }
    }
    return false;
}

class BatteryFaults {
public:
    BatteryFaults(AuditProbe& probe, std::vector<AuditFinding>& faults)
        : m_probe(probe)
        , m_faults(faults) {}

    void find() {
        for (const BatteryCase& each : battery()) {
            Probed probed = render(each, m_probe.source());
            if (!m_probe.goesOn()) {
                return;
            }
            m_probe.noteOrdinary(probed);
            m_rendered.emplace(each.name, std::move(probed));
        }
        const Probed& plain = m_rendered.at("plain");
        if (std::ranges::none_of(m_rendered, [](const auto& each) { return each.second.text.has_value(); })) {
            m_faults.push_back({.code = AuditCode::RefusesAll,
                                .line = plain.problem ? plain.problem->line : 0,
                                .problem = plain.problem});
            return;
        }
        if (!plain.text && m_rendered.at("tools").text) {
            m_probe.needTools();
        }
        findRefusals();
        findDropped();
        findPythonisms();
        findBeginnings();
        findGenerationPrompt();
        findForgery();
        findTrailingSpace();
    }

private:
    Probed render(const BatteryCase& each, std::string_view source) {
        RenderRequest request = batteryRequest(m_probe.metadata(), source, each);
        m_probe.addTokens(request);
        request.forced.emplace();
        const std::size_t input = each.said.size() + (each.tools ? batteryTools().size() : 0);
        return m_probe.render(std::move(request), input, [&] { return sideOf(each, {}); });
    }

    static AuditSide sideOf(const BatteryCase& each, std::string_view rendered) {
        return {.messages = std::string(each.said),
                .tools = std::string(each.tools ? batteryTools() : std::string_view()),
                .date = QDate(2026, 3, 4),
                .rendered = std::string(rendered)};
    }

    [[nodiscard]] std::string_view textOf(std::string_view name) const {
        const auto found = m_rendered.find(name);
        return found != m_rendered.end() && found->second.text ? std::string_view(*found->second.text)
                                                               : std::string_view();
    }

    static const BatteryCase& caseNamed(std::string_view name) {
        return *std::ranges::find(battery(), name, &BatteryCase::name);
    }

    void add(AuditCode code, Arguments args, std::string_view name, std::string_view shown = {}) {
        AuditFinding finding{.code = code, .args = std::move(args)};
        if (!shown.empty()) {
            finding.line = m_probe.lineOf(shown);
        }
        const AuditSide plain = sideOf(caseNamed("plain"), textOf("plain"));
        finding.witness = AuditWitness{.a = plain, .b = sideOf(caseNamed(name), textOf(name))};
        m_faults.push_back(std::move(finding));
    }

    // A template may refuse what its model does not know, with a reason; anything else is an error in it.
    void findRefusals() {
        const bool showsTools = namesTools(m_probe.source());
        for (const auto& [name, probed] : m_rendered) {
            if (!probed.problem) {
                continue;
            }
            const bool isRefused = probed.problem->code == QLatin1String("raised");
            const bool isBasic = name == "plain" || name == "answered" || name == "turns";
            const bool isUsual =
                (isRefused && !isBasic) || name == "parts" || name == "empty" || (caseNamed(name).tools && !showsTools);
            m_faults.push_back({.code = isUsual ? AuditCode::Refuses : AuditCode::Raises,
                                .line = probed.problem->line,
                                .args = {name},
                                .problem = probed.problem});
        }
    }

    void findDropped() {
        const auto has = [&](std::string_view name, std::string_view part) {
            const std::string_view text = textOf(name);
            return text.empty() || contains(text, part);
        };
        if (!has("plain", "What is an owl?") || !has("turns", "Only mice?") || !has("turns", "And what does it eat?")) {
            add(AuditCode::DropsRole, {std::string("user")}, "turns");
        }
        if (!has("turns", "A bird that hunts at night.") || !has("turns", "Mice.")) {
            add(AuditCode::DropsRole, {std::string("assistant")}, "turns");
        }
        if (!has("system", "You are a helpful assistant.")) {
            add(AuditCode::DropsSystem, {}, "system");
        }
        if (!textOf("tools").empty() && !contains(textOf("tools"), "find_owls")) {
            add(AuditCode::DropsTools, {}, "tools");
            return;
        }
        // Some templates need arguments as text, or content that is null; then the derived format tells.
        if (!textOf("parallel_calls").empty() && !contains(textOf("parallel_calls"), "Köln") &&
            !contains(textOf("parallel_calls"), "K\\u00f6ln") && !textOf("call").empty() &&
            !contains(textOf("call"), "eagle") && !callConversation(m_probe, false)) {
            add(AuditCode::DropsCalls, {}, "call");
        }
        if (!textOf("result").empty() && !contains(textOf("result"), "{\"owls\": 2}") &&
            !contains(textOf("result"), R"({\"owls\": 2})")) {
            add(AuditCode::DropsResults, {}, "result");
        }
    }

    void findPythonisms() {
        for (const auto& [name, probed] : m_rendered) {
            const std::string_view text = textOf(name);
            if (text.empty() || !m_pythonisms.empty()) {
                continue;
            }
            const bool isLiteral = contains(text, "awake=True"); // calls in Python's notation are meant
            for (const std::string_view sign :
                 {std::string_view("None"), std::string_view("True"), std::string_view("False")}) {
                if (hasWord(text, sign) && !isLiteral &&
                    !hasWord(m_probe.source(), sign == "None" ? "none means" : sign)) {
                    report(name, text, sign);
                }
            }
            for (const std::string_view sign : {"{'place'", "'radius':", "'type': 'text'", "'name': 'find_owls'"}) {
                if (contains(text, sign) && !isLiteral) {
                    report(name, text, sign);
                }
            }
        }
    }
    void report(std::string_view name, std::string_view text, std::string_view sign) {
        if (m_pythonisms.insert(sign).second) {
            add(AuditCode::Pythonism, {name, sign}, name, text.substr(text.find(sign), 40));
        }
    }

    void findBeginnings() {
        for (const auto& [name, token] : specialTokenTexts(m_probe.metadata())) {
            if (name == "bos_token" && textOf("plain").starts_with(token + token)) {
                add(AuditCode::TwoBeginnings, {token}, "plain");
            }
        }
        if (textOf("plain").starts_with("<bos><bos>")) {
            add(AuditCode::TwoBeginnings, {std::string("bos_token")}, "plain");
        }
    }

    // Without an effect of add_generation_prompt, nothing may be between the question and its answer in a conversation.
    void findGenerationPrompt() {
        ProbeConversation asked = m_probe.turns(1, false);
        ProbeConversation unasked = asked;
        unasked.prompt = false;
        ProbeConversation answered = m_probe.turns(2, false);
        const auto prompt = m_probe.renderOrdinary(asked).text;
        const auto without = m_probe.renderOrdinary(unasked).text;
        const auto later = m_probe.renderOrdinary(answered).text;
        if (!prompt || !without || !later || *prompt != *without) {
            return;
        }
        const std::size_t question = later->find(answered.messages[0].content);
        const std::size_t answer = later->find(answered.messages[1].content);
        const std::size_t end = prompt->find(asked.messages[0].content);
        if (question == std::string::npos || answer == std::string::npos || end == std::string::npos ||
            answer < question) {
            return;
        }
        const std::size_t size = answered.messages[0].content.size();
        const std::string_view between = std::string_view(*later).substr(question + size, answer - question - size);
        const std::string_view written = std::string_view(*prompt).substr(end + size);
        const std::string_view missing =
            between.starts_with(written) ? withoutSpace(between.substr(written.size())) : withoutSpace(between);
        if (!missing.empty() && !contains(written, missing)) {
            add(AuditCode::NoGenerationPrompt, {shortened(missing)}, "plain");
        }
    }

    // Published templates write messages as they are; whether markers in them become tokens is up to the runtime.
    void findForgery() {
        std::string marker;
        for (const SourceRange& range : printedMarkers(m_probe.source())) {
            marker = m_probe.source().substr(range.offset, range.length);
            if (!contains(textOf("plain"), marker)) {
                continue;
            }
            ProbeConversation forged = m_probe.turns(1, false);
            forged.messages[0].content = "owl " + marker + " owl";
            if (const auto text = m_probe.render(forged).text; text && contains(*text, forged.messages[0].content)) {
                AuditFinding finding{.code = AuditCode::ForgeableTurns, .args = {marker}};
                const ProbeConversation plain = m_probe.turns(1, false);
                finding.witness = AuditWitness{.a = plain.side(m_probe.render(plain).text.value_or(std::string())),
                                               .b = forged.side(*text)};
                m_faults.push_back(std::move(finding));
            }
            return;
        }
    }

    // Jinja2 drops one line break at the end of a template; whatever else is there is written.
    void findTrailingSpace() {
        std::string_view source = m_probe.source();
        const std::size_t last = source.find_last_not_of(" \t\r\n");
        if (last == std::string_view::npos || last + 1 == source.size()) {
            return;
        }
        const std::string_view trimmed = source.substr(0, last + 1);
        const Probed other = render(caseNamed("plain"), trimmed);
        if (other.text && *other.text != textOf("plain") &&
            withoutSpace(*other.text) == withoutSpace(textOf("plain"))) {
            AuditFinding finding{.code = AuditCode::TrailingSpace,
                                 .line = static_cast<int>(lineAt(source, last)),
                                 .source = std::string(trimmed)};
            finding.witness = AuditWitness{.a = sideOf(caseNamed("plain"), *other.text),
                                           .b = sideOf(caseNamed("plain"), textOf("plain"))};
            m_faults.push_back(std::move(finding));
        }
    }

    AuditProbe& m_probe;
    std::vector<AuditFinding>& m_faults;
    std::map<std::string_view, Probed> m_rendered;
    std::set<std::string_view> m_pythonisms;
};

constexpr std::string_view kCallArguments =
    R"({"place":"Owlton","radius":2.5,"awake":true,"kinds":["a","b \"c\""],"options":{"limit":3}})";

// The calls that are read from an answer in which the template wrote one; nothing if it cannot be told.
std::optional<std::string> readBack(AuditProbe& probe, const std::shared_ptr<const AnswerFormat>& format) {
    ProbeConversation asked = probe.turns(1, false);
    asked.tools = std::string(batteryTools());
    ProbeConversation called = asked;
    called.prompt = false;
    called.messages.push_back({.role = "assistant",
                               .content = {},
                               .calls = R"([{"type": "function", "id": "callowl01", "function": {"name": "find_owls", )"
                                        R"("arguments": )" +
                                        std::string(kCallArguments) + "}}]"});
    const auto prompt = probe.render(asked).text;
    const auto text = probe.render(called).text;
    if (!prompt || !text || !contains(*text, "Owlton")) {
        return std::nullopt;
    }
    // What the model would write: the text behind the question, without the beginning that the prompt has already.
    std::size_t shared = 0;
    while (shared < std::min(prompt->size(), text->size()) && (*prompt)[shared] == (*text)[shared]) {
        ++shared;
    }
    // Not from within a tag: the prompt may end with another one that begins alike.
    if (const std::size_t open = text->rfind('<', shared);
        open != std::string::npos && open < shared && text->find('>', open) >= shared) {
        shared = open;
    }
    const std::size_t question = text->find(asked.messages[0].content);
    if (question == std::string::npos || shared < question + asked.messages[0].content.size()) {
        return std::nullopt;
    }
    std::string answer = text->substr(shared);
    const std::string& end = format->afterCalls.empty() ? format->afterAnswer : format->afterCalls;
    if (const std::size_t at = end.empty() ? std::string::npos : answer.rfind(std::string(withoutSpace(end)));
        at != std::string::npos) {
        answer.resize(at);
    }
    AnswerParser parser(format, std::string_view(*text).substr(0, shared), batteryTools());
    (void)parser.push(answer);
    (void)parser.finish();
    return parser.message().toolCalls;
}

bool sameArguments(const std::string& calls) {
    const QJsonArray list = QJsonDocument::fromJson(QByteArray::fromStdString(calls)).array();
    if (list.size() != 1) {
        return false;
    }
    QJsonValue arguments = list[0][QStringLiteral("function")][QStringLiteral("arguments")];
    if (arguments.isString()) {
        arguments = QJsonDocument::fromJson(arguments.toString().toUtf8()).object();
    }
    return arguments.toObject() ==
           QJsonDocument::fromJson(QByteArray(kCallArguments.data(), static_cast<qsizetype>(kCallArguments.size())))
               .object();
}

void findEndFaults(const AuditProbe& probe, const AnswerFormat& format, const Tokenizer& tokenizer,
                   std::vector<AuditFinding>& faults) {
    const std::string& after = format.beforeQuestion.empty() ? format.afterAnswer : format.beforeQuestion;
    const std::vector<FoundSpecial> found = tokenizer.findSpecials(after);
    const auto& ends = tokenizer.specials().endOfGeneration;
    const bool ended =
        std::ranges::any_of(found, [&](const FoundSpecial& each) { return std::ranges::binary_search(ends, each.id); });
    const std::string_view text = withoutSpace(after);
    if (!found.empty() && !ended && found.front().range.begin <= after.find_first_not_of(" \t\r\n")) {
        const TokenId id = found.front().id;
        AuditFinding finding{.code = AuditCode::EndNotEnding, .args = {tokenizer.bytesOf(id), id.value}};
        finding.line = probe.lineOf(tokenizer.bytesOf(id));
        finding.change = SetKey{.key = "tokenizer.ggml.eot_token_id", .value = OwnedValue(std::uint32_t{id.value})};
        faults.push_back(std::move(finding));
    } else if (found.empty() && !text.empty()) {
        const std::string marker(text.substr(0, text.find_first_of("\r\n")));
        faults.push_back({.code = AuditCode::EndInAnswer, .args = {shortened(marker)}});
    }
}

void findMissingMarkers(const AuditProbe& probe, const Tokenizer& tokenizer, std::vector<AuditFinding>& faults) {
    for (const SourceRange& range : printedMarkers(probe.source())) {
        const std::string_view marker = probe.source().substr(range.offset, range.length);
        const auto found = tokenizer.findSpecials(marker);
        const auto ids = tokenizer.encode(marker, {.addBos = false, .addEos = false, .parseSpecial = true});
        if (found.empty() && ids && ids->ids.size() > 1) {
            faults.push_back({.code = AuditCode::MarkerMissing,
                              .line = static_cast<int>(lineAt(probe.source(), range.offset)),
                              .args = {marker}});
        }
    }
}

} // namespace

void findBatteryFaults(AuditProbe& probe, std::vector<AuditFinding>& faults) { BatteryFaults(probe, faults).find(); }

void findFormatFaults(AuditProbe& probe, const Tokenizer* tokenizer, std::vector<AuditFinding>& faults) {
    if (!probe.goesOn()) {
        return;
    }
    auto format = answerFormatOf(probe.metadata(), probe.source(), probe.renderer(), probe.job().stop);
    if (format == nullptr) {
        return;
    }
    if (tokenizer != nullptr) {
        format = formatFor(format, *tokenizer);
        findEndFaults(probe, *format, *tokenizer, faults);
        findMissingMarkers(probe, *tokenizer, faults);
    }
    if (!format->knowsTools) {
        return;
    }
    if (!format->hasCalls()) {
        faults.push_back({.code = AuditCode::CallsUnknown});
        return;
    }
    if (!format->channels && !format->calls.front().hasMarker()) {
        faults.push_back({.code = AuditCode::CallsUnmarked});
    }
    if (const auto calls = readBack(probe, format); calls && !sameArguments(*calls)) {
        faults.push_back({.code = AuditCode::CallsNotReadBack, .args = {shortened(calls->empty() ? "[]" : *calls)}});
    }
}

} // namespace gufo::text
