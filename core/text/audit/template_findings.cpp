#include "text/audit/template_findings.h"

#include "model/encode_value.h"
#include "model/finding_code.h"
#include "text/audit/template_audit.h"
#include "text/conversation/battery.h"
#include "text/conversation/format_derivation.h"
#include "text/string_list.h"
#include "text/template/chat_templates.h"
#include "text/template/template_markers.h"
#include "text/template/template_renderer.h"
#include "text/tokenizer/tokenizer.h"

#include <QCryptographicHash>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace gufo::text {
namespace {

// Suggests an edit that might remove a problem of a chat template: a misspelt name, "=" for "==", a missing or wrong
// end. Only a check of the edited text can tell whether the suggestion is right.
struct TemplateEdit {
    qsizetype offset = 0; // UTF-16 units
    qsizetype length = 0; // to be removed
    QString replacement{};
};

// Converts line and column to an offset; returns nothing if the text has no such place.
std::optional<qsizetype> offsetOf(const QString& source, int line, int column) {
    qsizetype start = 0;
    for (int i = 1; i < line; ++i) {
        start = source.indexOf(QLatin1Char('\n'), start) + 1;
        if (start == 0) {
            return std::nullopt;
        }
    }
    const qsizetype offset = start + column - 1;
    return line >= 1 && column >= 1 && offset <= source.size() ? std::optional(offset) : std::nullopt;
}

// Returns the position before the "-%}", "%}" or "}}" that ends the tag around `from`.
std::optional<qsizetype> endOfTag(const QString& source, qsizetype from) {
    static const QRegularExpression end(QStringLiteral("\\s*[-+]?[%}]\\}"));
    const auto match = end.match(source, from);
    return match.hasMatch() ? std::optional(match.capturedStart()) : std::nullopt;
}

std::optional<TemplateEdit> insertion(std::optional<qsizetype> at, const QString& text) {
    return at ? std::optional(TemplateEdit{.offset = *at, .length = 0, .replacement = text}) : std::nullopt;
}

std::optional<TemplateEdit> repairOf(const QString& source, const TemplateProblem& problem) {
    const auto place = offsetOf(source, problem.line, problem.column);
    if (!place) {
        return std::nullopt;
    }
    const auto is = [&](const char* code) { return problem.code == QLatin1String(code); };
    const auto replace = [&](const QString& by) {
        return by.isEmpty() || *place + problem.length > source.size()
                   ? std::nullopt
                   : std::optional(TemplateEdit{.offset = *place, .length = problem.length, .replacement = by});
    };
    const QString first = problem.args.value(0);
    const QString second = problem.args.value(1);
    if (is("unknown_filter") || is("unknown_test") || is("unknown_function") || is("unknown_tag") || is("wrong_end")) {
        return replace(second); // the intended name
    }
    if (is("single_equals")) {
        return replace(QStringLiteral("=="));
    }
    if (is("unclosed_block")) {
        return insertion(source.size(), QStringLiteral("{% end%1 %}").arg(first));
    }
    if (is("unclosed_comment")) {
        return insertion(source.size(), QStringLiteral("#}"));
    }
    if (is("unclosed_tag")) {
        const qsizetype line = source.indexOf(QLatin1Char('\n'), *place);
        return insertion(line >= 0 ? line : source.size(), QLatin1Char(' ') + second);
    }
    if (is("unclosed_bracket")) {
        static const QString closing = QStringLiteral(")]}");
        const qsizetype kind = QStringLiteral("([{").indexOf(first);
        return kind >= 0 ? insertion(endOfTag(source, *place), closing.at(kind)) : std::nullopt;
    }
    if (is("stray_end")) {
        const qsizetype open = source.lastIndexOf(QLatin1String("{%"), *place);
        const qsizetype close = source.indexOf(QLatin1String("%}"), *place);
        return open >= 0 && close >= 0
                   ? std::optional(TemplateEdit{.offset = open, .length = close + 2 - open, .replacement = {}})
                   : std::nullopt;
    }
    return std::nullopt;
}

constexpr std::size_t kMaxFindings = 20; // per template; further ones appear once these are repaired
constexpr std::size_t kKeptAnswers = 16; // number of texts

// Problems that are not faults of the template's text.
constexpr auto kNotOfTheText = std::to_array<const char*>({"cancelled", "helper_missing", "helper_died", "bad_json"});

bool isOfTheText(const TemplateProblem& problem) {
    return std::ranges::none_of(kNotOfTheText, [&](const char* code) { return problem.code == QLatin1String(code); });
}

QString edited(QString source, const TemplateEdit& edit) {
    return source.replace(edit.offset, edit.length, edit.replacement);
}

Rendering parse(const QString& source, const std::stop_token& stop) {
    RenderRequest request;
    request.source = source;
    request.checkOnly = true;
    return renderAndWait(std::move(request), stop);
}

std::vector<TemplateProblem> problemsOf(Rendering rendering) {
    std::vector<TemplateProblem> problems = std::move(rendering.problems);
    if (rendering.error) {
        problems.push_back(*std::move(rendering.error));
    }
    return problems;
}

bool isAboutName(const TemplateProblem& problem) { return problem.code.startsWith(QLatin1String("unknown_")); }

std::string utf8(const QString& text) { return text.toStdString(); }

Finding findingOf(std::string_view key, const QString& source, const TemplateProblem& problem,
                  const std::optional<TemplateEdit>& edit) {
    Finding finding{FindingCode::TemplateBroken, Place::key(std::string(key)), {}};
    finding.args = {problem.line, problem.column, utf8(problem.code)};
    if (edit) {
        const auto bytesTo = [&](qsizetype end) { return QStringView(source).first(end).toUtf8().size(); };
        const qsizetype begin = bytesTo(edit->offset);
        finding.args.push_back(std::to_string(begin));
        finding.args.push_back(std::to_string(bytesTo(edit->offset + edit->length) - begin));
        finding.args.push_back(utf8(edit->replacement));
    } else {
        finding.args.insert(finding.args.end(), 3, std::string());
    }
    for (const QString& argument : problem.args) {
        finding.args.push_back(utf8(argument));
    }
    return finding;
}

// Whether an edit removed the problem without causing another one. Problems that the parser could not reach before are
// ignored: they are later in the text, or are unclosed blocks around it.
bool helps(const TemplateProblem& problem, const std::vector<TemplateProblem>& left) {
    const auto placeOf = [](const TemplateProblem& each) { return std::pair(each.line, each.column); };
    return std::ranges::none_of(left, [&](const TemplateProblem& other) {
        const bool isSame = other.code == problem.code && placeOf(other) == placeOf(problem);
        const bool wasHidden =
            isAboutName(other) || other.code == QLatin1String("unclosed_block") || placeOf(other) > placeOf(problem);
        return isSame || !isOfTheText(other) || !wasHidden;
    });
}

// Whether the calls in the template's answers can be told from text. Returns false if it could not be rendered.
bool addCallFindings(const Metadata& metadata, std::string_view key, std::string_view source,
                     TemplateRenderer& renderer, const std::stop_token& stop, std::vector<Finding>& findings) {
    if (!namesTools(source)) {
        return true;
    }
    const auto format = answerFormatOf(metadata, source, renderer, stop);
    if (format == nullptr) {
        return false;
    }
    if (format->knowsTools && !format->hasCalls()) {
        findings.push_back({FindingCode::TemplateCallsUnknown, Place::key(std::string(key)), {}});
    } else if (format->knowsTools && !format->channels && !format->calls.front().hasMarker()) {
        findings.push_back({FindingCode::TemplateCallsUnmarked, Place::key(std::string(key)), {}});
    }
    return true;
}

bool concernsTools(const BatteryCase& each) {
    return each.tools || each.said.find("\"tool\"") != std::string_view::npos ||
           each.said.find("tool_calls") != std::string_view::npos;
}

// The markers that the template joins from parts: it renders them for a conversation of the battery, but its source
// does not contain them. A template that does not know tools is not asked about them.
std::vector<std::string> joinedMarkers(const Metadata& metadata, std::string_view source, TemplateRenderer& renderer,
                                       const std::stop_token& stop) {
    std::vector<std::string> markers;
    if (joinedMarkerStart(source).length == 0) {
        return markers;
    }
    const bool knowsTools = namesTools(source);
    for (const BatteryRendering& rendering : renderBattery(metadata, source, renderer, stop)) {
        if (!rendering.text || (!knowsTools && concernsTools(*rendering.conversation))) {
            continue;
        }
        for (const std::string_view marker : markersIn(*rendering.text)) {
            const bool isQuoted = source.find(marker) != std::string_view::npos ||
                                  rendering.conversation->said.find(marker) != std::string_view::npos;
            if (!isQuoted && std::ranges::find(markers, marker) == markers.end()) {
                markers.emplace_back(marker);
            }
        }
    }
    return markers;
}

struct CheckedTemplate {
    std::vector<Finding> findings;
    std::vector<std::string> joinedMarkers; // which the vocabulary may have or not
};

// Returns nothing if the template could not be checked.
std::optional<CheckedTemplate> checkTemplate(const Metadata& metadata, std::string_view key, std::string_view text,
                                             const std::stop_token& stop) {
    const QString source = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    const bool isUtf8 = source.toUtf8() == QByteArrayView(text.data(), static_cast<qsizetype>(text.size()));
    const auto problems = problemsOf(parse(source, stop));
    if (!std::ranges::all_of(problems, isOfTheText)) {
        return std::nullopt;
    }
    std::vector<Finding> findings;
    for (const TemplateProblem& problem : problems) {
        if (findings.size() == kMaxFindings) {
            break;
        }
        auto edit = isUtf8 ? repairOf(source, problem) : std::nullopt;
        if (edit && !helps(problem, problemsOf(parse(edited(source, *edit), stop)))) {
            edit.reset();
        }
        findings.push_back(findingOf(key, source, problem, edit));
    }
    CheckedTemplate checked;
    if (findings.empty()) {
        TemplateRenderer renderer;
        if (!addCallFindings(metadata, key, text, renderer, stop, findings)) {
            return std::nullopt;
        }
        checked.joinedMarkers = joinedMarkers(metadata, text, renderer, stop);
    }
    if (stop.stop_requested()) {
        return std::nullopt;
    }
    checked.findings = std::move(findings);
    return checked;
}

// A cache of results by key and text, the newest last.
class Answers {
public:
    std::optional<CheckedTemplate> find(std::string_view key, std::string_view text) {
        const std::scoped_lock lock(m_mutex);
        const auto kept = std::ranges::find_if(
            m_kept, [&](const Answer& answer) { return answer.key == key && answer.text == text; });
        return kept != m_kept.end() ? std::optional(kept->checked) : std::nullopt;
    }
    void keep(std::string_view key, std::string_view text, const CheckedTemplate& checked) {
        const std::scoped_lock lock(m_mutex);
        m_kept.push_back({std::string(key), std::string(text), checked});
        if (m_kept.size() > kKeptAnswers) {
            m_kept.pop_front();
        }
    }

private:
    struct Answer {
        std::string key;
        std::string text;
        CheckedTemplate checked;
    };
    std::mutex m_mutex;
    std::deque<Answer> m_kept;
};

// Adds the markers that are no tokens.
void addUnknownMarkers(const ChatTemplate& each, const std::vector<std::string>& markers, const StringList& tokens,
                       std::vector<Finding>& findings) {
    std::set<std::string_view> unknown(markers.begin(), markers.end());
    for (std::size_t i = 0; i < tokens.size() && !unknown.empty(); ++i) {
        unknown.erase(tokens[i]);
    }
    const std::uint64_t line = lineAt(each.source, joinedMarkerStart(each.source).offset);
    for (const std::string& marker : markers) {
        if (unknown.contains(marker)) {
            findings.push_back({FindingCode::TemplateTokenUnknown, Place::key(std::string(each.key)), {marker, line}});
        }
    }
}

} // namespace

std::optional<std::vector<Finding>> checkChatTemplates(const Metadata& metadata, std::stop_token stop) {
    static Answers answers;
    std::vector<Finding> all;
    std::optional<Result<StringList>> tokens;
    for (const ChatTemplate& each : chatTemplates(metadata)) {
        auto checked = answers.find(each.key, each.source);
        if (!checked) {
            checked = checkTemplate(metadata, each.key, each.source, stop);
            if (!checked) {
                return std::nullopt;
            }
            answers.keep(each.key, each.source, *checked);
        }
        std::ranges::move(checked->findings, std::back_inserter(all));
        if (checked->joinedMarkers.empty()) {
            continue;
        }
        if (!tokens) {
            tokens = StringList::read(metadata, "tokenizer.ggml.tokens", {.stop = stop});
        }
        if (*tokens) { // otherwise nothing is known about them
            addUnknownMarkers(each, checked->joinedMarkers, **tokens, all);
        } else if (tokens->error().code == ErrorCode::Cancelled) {
            return std::nullopt;
        }
    }
    return all;
}

// --- the audit

namespace {

constexpr std::size_t kKeptAudits = 4; // models
constexpr std::size_t kMostPerTemplate = 12;

// The digest of everything that an audit reads: the templates and the vocabulary.
QByteArray digestOf(const Metadata& metadata) {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    std::vector<std::byte> bytes;
    for (const KeyValue& entry : metadata) {
        if (entry.key.starts_with("tokenizer.") || entry.key == "general.architecture") {
            bytes.clear();
            appendString(bytes, entry.key, {});
            static_cast<void>(appendValue(bytes, entry.value, {})); // a damaged array counts as absent
            hash.addData(
                QByteArrayView(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())));
        }
    }
    return hash.result();
}

void addFindings(const TemplateAudit& audit, const Place& place, std::vector<Finding>& findings) {
    std::size_t added = 0;
    for (const auto* list : {&audit.threats, &audit.faults}) {
        for (const AuditFinding& each : *list) {
            const bool isThreat = each.kind() == AuditKind::Threat;
            if ((!isThreat && each.kind() != AuditKind::Error) || each.code == AuditCode::Broken ||
                added == kMostPerTemplate) {
                continue;
            }
            Finding finding{
                isThreat ? FindingCode::TemplateThreat : FindingCode::TemplateFault, place, {each.name(), each.line}};
            finding.args.insert(finding.args.end(), each.args.begin(), each.args.end());
            findings.push_back(std::move(finding));
            ++added;
        }
    }
    // A template that is broken renders nothing, which is no other fault.
    const bool isBroken =
        std::ranges::any_of(audit.faults, [](const AuditFinding& each) { return each.code == AuditCode::Broken; });
    if (!audit.isJudged() && !isBroken) {
        findings.push_back({FindingCode::TemplateUnjudged, place, {unjudgedName(audit.reason)}});
    }
}

// Whether a helper renders anything: then one that died did so because of its template.
bool isHelperThere(const std::stop_token& stop) {
    TemplateRenderer renderer;
    return !renderer.render({.source = QStringLiteral("x"), .checkOnly = true}, stop).error;
}

// The answers for the last few models, the newest last.
class KeptAnswers {
public:
    std::optional<std::vector<Finding>> find(const QByteArray& digest) {
        const std::scoped_lock lock(m_mutex);
        const auto kept = std::ranges::find(m_kept, digest, &Answer::first);
        return kept != m_kept.end() ? std::optional(kept->second) : std::nullopt;
    }
    void keep(const QByteArray& digest, const std::vector<Finding>& findings) {
        const std::scoped_lock lock(m_mutex);
        m_kept.emplace_back(digest, findings);
        if (m_kept.size() > kKeptAudits) {
            m_kept.pop_front();
        }
    }

private:
    using Answer = std::pair<QByteArray, std::vector<Finding>>;
    std::mutex m_mutex;
    std::deque<Answer> m_kept;
};

} // namespace

std::optional<std::vector<Finding>> auditFindings(const Model& model, const JobContext& job) {
    static KeptAnswers answers;
    const JobContext silent = job.silent();
    const QByteArray digest = digestOf(model.metadata);
    if (auto kept = answers.find(digest)) {
        return kept;
    }
    const auto tokenizer = makeTokenizer(model, silent); // without a vocabulary, its tokens are not judged
    std::vector<Finding> findings;
    bool isLasting = true; // a machine that was busy may answer otherwise the next time
    for (const ChatTemplate& each : chatTemplates(model.metadata)) {
        TemplateRenderer renderer;
        const auto audit = auditTemplate(model.metadata, each.source, renderer,
                                         {.tokenizer = tokenizer ? tokenizer->get() : nullptr}, silent);
        if (!audit || (audit->reason == UnjudgedReason::NoHelper && !isHelperThere(job.stop))) {
            return std::nullopt;
        }
        isLasting = isLasting && audit->isJudged();
        addFindings(*audit, Place::key(std::string(each.key)), findings);
    }
    if (isLasting) {
        answers.keep(digest, findings);
    }
    return findings;
}

} // namespace gufo::text
