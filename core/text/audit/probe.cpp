#include "text/audit/probe.h"

#include "text/audit/text_difference.h"
#include "text/conversation/battery.h"
#include "text/template/chat_templates.h"
#include "text/template/json_rewrite.h"
#include "text/template/template_markers.h"

#include <algorithm>

namespace gufo::text {
namespace {

constexpr double kMostMilliseconds = 120000; // of the helper, for all renderings
constexpr std::size_t kMostRenderings = 6000;
constexpr std::size_t kMostOrdinaryText = 4U << 20U;
constexpr std::size_t kLongestShown = 64U << 10U; // of a rendering in a witness
constexpr std::size_t kSlack = 8192;              // characters that a template may write in addition to its own texts

QString probeText(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

bool isWordByte(char c) { return static_cast<unsigned char>(c) > ' '; }

// The length of the longest part that both texts share.
std::size_t sharedLength(std::string_view a, std::string_view b) {
    a = a.substr(0, 4096);
    b = b.substr(0, 512);
    std::vector<std::size_t> row(b.size() + 1);
    std::size_t best = 0;
    for (const char c : a) {
        for (std::size_t j = b.size(); j-- > 0;) {
            row[j + 1] = b[j] == c ? row[j] + 1 : 0;
            best = std::max(best, row[j + 1]);
        }
    }
    return best;
}

} // namespace

std::string ProbeMessage::json(bool nullContent) const {
    const std::string quoted = jsonString(content);
    std::string text = R"({"role": )" + jsonString(role) + R"(, "content": )";
    if (nullContent && !calls.empty()) {
        text += "null";
    } else {
        text += asParts ? R"([{"type": "text", "text": )" + quoted + "}]" : quoted;
    }
    if (!calls.empty()) {
        text += R"(, "tool_calls": )" + calls;
    }
    if (role == "tool") {
        text += R"(, "tool_call_id": "callowl01", "name": "owltool")";
    }
    return text + '}';
}

std::string ProbeConversation::json() const {
    std::string list = "[";
    for (const ProbeMessage& message : messages) {
        list += (list.size() > 1 ? ", " : "") + message.json(nullContent);
    }
    return list + ']';
}

AuditSide ProbeConversation::side(std::string_view rendered) const {
    return {.messages = json(),
            .tools = tools,
            .date = now.date(),
            .rendered = std::string(rendered.substr(0, kLongestShown))};
}

std::string canary(std::size_t i) {
    std::string name;
    for (std::size_t rest = i;; rest /= 26) {
        name += static_cast<char>('a' + rest % 26);
        if (rest < 26) {
            break;
        }
    }
    return "Zarlo" + name + "q bemti, \"kovra\" 'dulon' (3 + 4). Pexi" + name + "q wumbo";
}

ProbeConversation AuditProbe::turns(std::size_t questions, bool system) const {
    ProbeConversation conversation;
    conversation.tools = m_needsTools ? std::string(batteryTools()) : std::string();
    const auto add = [&](const char* role) {
        conversation.messages.push_back({.role = role, .content = canary(conversation.messages.size())});
    };
    if (system) {
        add("system");
    }
    for (std::size_t i = 0; i < questions; ++i) {
        add("user");
        if (i + 1 < questions) {
            add("assistant");
        }
    }
    return conversation;
}

AuditProbe::AuditProbe(const Metadata& metadata, std::string_view source, TemplateRenderer& renderer,
                       const JobContext& job)
    : m_metadata(metadata)
    , m_source(source)
    , m_renderer(renderer)
    , m_job(job)
    , m_outline(std::make_shared<const TemplateOutline>()) {
    for (const auto& [name, token] : specialTokenTexts(metadata)) {
        m_tokens.emplace_back(probeText(name), probeText(jsonString(token)));
    }
    // Without a vocabulary, the tokens are still different texts.
    for (const auto& [name, text] :
         {std::pair<const char*, const char*>{"bos_token", "\"<bos>\""}, {"eos_token", "\"<eos>\""}}) {
        if (std::ranges::find(m_tokens, QLatin1String(name), &std::pair<QString, QString>::first) == m_tokens.end()) {
            m_tokens.emplace_back(QLatin1String(name), QLatin1String(text));
        }
    }
}

void AuditProbe::noteUnfinished(const QString& code) {
    if (code == QLatin1String("timed_out")) {
        giveUp(UnjudgedReason::TimedOut);
    } else if (code == QLatin1String("out_of_memory")) {
        giveUp(UnjudgedReason::OutOfMemory);
    } else if (code == QLatin1String("helper_missing") || code == QLatin1String("helper_died")) {
        giveUp(UnjudgedReason::NoHelper);
    }
}

std::vector<TemplateProblem> AuditProbe::parse() {
    RenderRequest request{.source = probeText(m_source), .checkOnly = true, .outline = true};
    Rendering rendering = m_renderer.render(request, m_job.stop);
    if (rendering.outline) {
        m_outline = rendering.outline;
    }
    if (rendering.error) {
        noteUnfinished(rendering.error->code);
        if (goesOn()) {
            rendering.problems.push_back(*std::move(rendering.error));
        }
    }
    return std::move(rendering.problems);
}

void AuditProbe::addTokens(RenderRequest& request) const {
    request.variables.insert(request.variables.end(), m_tokens.begin(), m_tokens.end());
}

Probed AuditProbe::render(const ProbeConversation& conversation, std::vector<TemplateOutcome> forced) {
    const std::string messages = conversation.json();
    RenderRequest request{.source = probeText(m_source), .now = conversation.now, .forced = std::move(forced)};
    request.variables = standardVariables(probeText(messages), probeText(conversation.tools), conversation.prompt);
    addTokens(request);
    return render(std::move(request), messages.size() + conversation.tools.size(),
                  [&] { return conversation.side({}); });
}

Probed AuditProbe::render(RenderRequest request, std::size_t input, const std::function<AuditSide()>& side) {
    Probed probed;
    if (!goesOn()) {
        return probed;
    }
    if (++m_renderings > kMostRenderings || m_milliseconds > kMostMilliseconds) {
        giveUp(UnjudgedReason::TimedOut);
        return probed;
    }
    Rendering rendering = m_renderer.render(request, m_job.stop);
    m_job.advance(1);
    m_milliseconds += rendering.milliseconds;
    probed.outcomes = std::move(rendering.outcomes);
    const auto grows = [&](std::size_t characters, std::string_view shown) {
        if (!m_growth) {
            AuditFinding& growth = m_growth.emplace();
            growth.code = AuditCode::Grows;
            growth.args = {characters, input};
            AuditWitness& witness = growth.witness.emplace();
            witness.a = side();
            witness.b = witness.a;
            witness.b.rendered = shown.substr(0, kLongestShown);
        }
    };
    if (rendering.error) {
        const QString& code = rendering.error->code;
        const bool isForced = request.forced && !request.forced->empty();
        const bool isEndless = code == QLatin1String("timed_out") || code == QLatin1String("out_of_memory");
        if (isEndless || code == QLatin1String("output_too_long")) {
            grows(std::size_t{1} << 24U, {});
        }
        if (!isEndless || !isForced) { // a loop may need the condition by which it ends
            noteUnfinished(code);
        }
        probed.problem = std::move(rendering.error);
    } else if (rendering.text) {
        // A template writes its own texts once for each message at most, and the conversation.
        const auto length = static_cast<std::size_t>(rendering.text->size());
        if (length > m_source.size() + 8 * input + kSlack) {
            const std::string shown = rendering.text->left(static_cast<qsizetype>(kLongestShown)).toStdString();
            grows(length, shown);
            probed.text = shown;
        } else {
            probed.text = rendering.text->toStdString();
        }
    }
    return probed;
}

void AuditProbe::noteOrdinary(const Probed& probed) {
    m_outcomes.insert(probed.outcomes.begin(), probed.outcomes.end());
    if (probed.text && m_ordinary.size() < kMostOrdinaryText) {
        m_ordinary.append(*probed.text).append(1, '\n');
    }
}

Probed AuditProbe::renderOrdinary(const ProbeConversation& conversation) {
    Probed probed = render(conversation);
    noteOrdinary(probed);
    return probed;
}

int AuditProbe::lineOf(std::string_view text, const Probed* before, const Probed* after) const {
    constexpr std::size_t kLeastShared = 4;
    constexpr std::size_t kMostWork = 64U << 20U;
    int line = 0;
    std::size_t most = kLeastShared - 1;
    std::size_t work = 0; // in comparisons
    for (const OutlineText& literal : m_outline->texts) {
        if (!literal.isPrinted && wordsOf(literal.text).size() < 2) {
            continue;
        }
        work += literal.text.size() * std::min(text.size(), std::size_t{512});
        if (work > kMostWork) {
            break;
        }
        const std::size_t shared = sharedLength(literal.text, text);
        if (shared <= most) {
            continue;
        }
        most = shared;
        line = literal.place.line;
        if (literal.isOutside) { // of several lines
            const std::string_view part = text.substr(0, std::min(text.size(), std::size_t{12}));
            const std::size_t at = literal.text.find(part);
            const std::size_t first =
                static_cast<std::size_t>(std::ranges::find_if(literal.text, isWordByte) - literal.text.begin());
            line += static_cast<int>(lineAt(literal.text, at != std::string::npos ? at : first)) - 1;
        }
    }
    if (line == 0 && before != nullptr && after != nullptr) {
        for (const TemplateOutcome& outcome : after->outcomes) {
            if (std::ranges::find(before->outcomes, outcome) == before->outcomes.end()) {
                return outcome.line;
            }
        }
    }
    return line;
}

} // namespace gufo::text
