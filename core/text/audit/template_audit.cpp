#include "text/audit/template_audit.h"

#include "base/try.h"
#include "text/audit/known_templates.h"
#include "text/audit/probe.h"
#include "text/audit/searches.h"
#include "text/audit/text_difference.h"
#include "text/line_diff.h"

#include <algorithm>
#include <array>

namespace gufo::text {
namespace {

constexpr std::size_t kLongestTemplate = 512U << 10U;
constexpr std::size_t kMostTexts = 4000; // string constants and texts outside of tags
constexpr std::size_t kMostChangedLines = 20;

constexpr auto kAuditFacts = std::to_array<AuditFact>({
#define GUFO_AUDIT(code, name, kind, args, title, message, repair) {AuditCode::code, name, AuditKind::kind},
#include "text/audit/audit_codes.inc"
#undef GUFO_AUDIT
});

// The printed literals of a line that are sentences, and that `base` does not contain.
std::optional<std::string> newSentence(const AuditProbe& probe, int line, std::string_view base) {
    const WordSet none;
    for (const OutlineText& literal : probe.outline().texts) {
        const bool isHere = literal.isOutside ? line >= literal.place.line &&
                                                    line <= literal.place.line + std::ranges::count(literal.text, '\n')
                                              : line == literal.place.line;
        const auto lines = splitLines(literal.text);
        for (const std::string_view text : lines) {
            if (isHere && literal.isPrinted && foreignWords(text, none) >= kSentenceWords &&
                base.find(text) == std::string_view::npos) {
                return std::string(text);
            }
        }
    }
    return std::nullopt;
}

// Where a copy differs from its original. A sentence that the change writes into conversations is a threat: with the
// text of the original at hand wherever it is written, otherwise where a system message is given, since a default
// system message is often exchanged.
void compareWithOriginal(AuditProbe& probe, const AuditOptions& options, TemplateAudit& audit) {
    KnownTemplate known = findKnownTemplate(probe.source());
    audit.family = known.name;
    if (options.base) {
        const std::string_view name = known.name;
        known = compareWithBase(probe.source(), *options.base);
        known.name = name;
    }
    audit.changedLines = known.changed;
    audit.missingPieces = known.missingPieces;
    if (known.changed.empty() || !probe.goesOn()) {
        return;
    }
    const auto lines = splitLines(probe.source());
    const ProbeConversation plain = probe.turns(2, false);
    const ProbeConversation conversation = options.base ? plain : probe.turns(2, true);
    const Probed probed = probe.renderOrdinary(conversation);
    for (const int line : known.changed) {
        const auto sentence = newSentence(probe, line, options.base.value_or(std::string_view()));
        if (!sentence || !probed.text) {
            continue;
        }
        const auto words = wordsOf(*probed.text);
        const auto own = wordsOf(*sentence);
        if (std::ranges::search(words, own).empty()) {
            continue;
        }
        AuditFinding finding{.code = AuditCode::SentenceNotInOriginal, .line = line, .args = {shortened(*sentence)}};
        AuditSide without = conversation.side(replacedAll(*probed.text, *sentence, {}));
        finding.witness = AuditWitness{.a = std::move(without), .b = conversation.side(*probed.text)};
        audit.threats.push_back(std::move(finding));
    }
    for (std::size_t i = 0; i < std::min(known.changed.size(), kMostChangedLines); ++i) {
        const auto line = static_cast<std::size_t>(known.changed[i]);
        audit.faults.push_back({.code = AuditCode::LineChanged,
                                .line = known.changed[i],
                                .args = {shortened(line <= lines.size() ? lines[line - 1] : std::string_view())}});
    }
}

// Several ways of looking find the same text: the one with the more exact cause stays.
void dropRepetitions(std::vector<AuditFinding>& threats) {
    std::vector<AuditFinding> kept;
    for (AuditFinding& each : threats) {
        const bool isKnown = std::ranges::any_of(kept, [&](const AuditFinding& other) {
            const bool isGeneral = each.code == AuditCode::TextByCondition || each.code == AuditCode::TextInTurn ||
                                   each.code == AuditCode::SentenceNotInOriginal;
            return other.line == each.line && each.line != 0 && (isGeneral || each.code == other.code) &&
                   (isGeneral || each.args == other.args);
        });
        if (!isKnown) {
            kept.push_back(std::move(each));
        }
    }
    threats = std::move(kept);
}

} // namespace

std::string_view auditKindName(AuditKind kind) {
    switch (kind) {
    case AuditKind::Threat:
        return "threat";
    case AuditKind::Error:
        return "error";
    case AuditKind::Warning:
        return "warning";
    case AuditKind::Note:
        break;
    }
    return "note";
}

const AuditFact& auditFact(AuditCode code) { return kAuditFacts.at(static_cast<std::size_t>(code)); }

std::string_view unjudgedName(UnjudgedReason reason) {
    switch (reason) {
    case UnjudgedReason::NoHelper:
        return "no_helper";
    case UnjudgedReason::TooLong:
        return "too_long";
    case UnjudgedReason::TimedOut:
        return "timed_out";
    case UnjudgedReason::OutOfMemory:
        return "out_of_memory";
    case UnjudgedReason::NothingRenders:
        return "nothing_renders";
    case UnjudgedReason::None:
        break;
    }
    return "";
}

const AuditFact* findAuditFact(std::string_view name) {
    const auto* fact = std::ranges::find(kAuditFacts, name, &AuditFact::name);
    return fact != kAuditFacts.end() ? fact : nullptr;
}

UnjudgedReason unjudgedReason(std::string_view name) {
    for (int i = 0; i <= static_cast<int>(UnjudgedReason::NothingRenders); ++i) {
        if (const auto reason = static_cast<UnjudgedReason>(i); unjudgedName(reason) == name) {
            return reason;
        }
    }
    return UnjudgedReason::None;
}

bool TemplateAudit::isClean() const {
    return isJudged() && threats.empty() &&
           std::ranges::none_of(faults, [](const AuditFinding& each) { return each.kind() == AuditKind::Error; });
}

Result<TemplateAudit> auditTemplate(const Metadata& metadata, std::string_view source, TemplateRenderer& renderer,
                                    const AuditOptions& options, const JobContext& job) {
    TemplateAudit audit;
    if (source.size() > kLongestTemplate) {
        audit.reason = UnjudgedReason::TooLong;
        return audit;
    }
    AuditProbe probe(metadata, source, renderer, job);
    const auto problems = probe.parse();
    for (const TemplateProblem& problem : problems) {
        audit.faults.push_back({.code = AuditCode::Broken, .line = problem.line, .problem = problem});
    }
    findStaticThreats(probe, audit.threats);
    if (probe.outline().texts.size() > kMostTexts) {
        probe.giveUp(UnjudgedReason::TooLong);
    }
    findBatteryFaults(probe, audit.faults);
    const bool renders = !probe.ordinaryText().empty();
    if (!renders && probe.goesOn()) {
        probe.giveUp(UnjudgedReason::NothingRenders);
    }
    findFormatFaults(probe, options.tokenizer, audit.faults);
    findTurnThreats(probe, audit.threats);
    findDateThreats(probe, audit.threats);
    findCountThreats(probe, audit.threats);
    findWordThreats(probe, audit.threats);
    findFormThreats(probe, audit.threats);
    findCallThreats(probe, audit.threats);
    findToolThreats(probe, audit.threats);
    findConditionThreats(probe, audit.threats);
    compareWithOriginal(probe, options, audit);
    if (probe.growth()) {
        audit.threats.push_back(*probe.growth());
    }
    GUFO_TRY(job.check());
    dropRepetitions(audit.threats);
    audit.reason = probe.reason();
    audit.renderings = probe.renderings();
    return audit;
}

} // namespace gufo::text
