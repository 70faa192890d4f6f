// The audit of a chat template: whether it does more than arrange a conversation (threats), and what it does wrong
// (faults).
//
// A threat is told by its effect. The template is rendered with pairs of conversations that differ in one thing: a word
// of a message, the number of messages, the date, a name or an argument of a tool call. Published templates test all of
// them, too; what they write then is scaffold: markers, separators, printed dates, thoughts that are left out.
// Sentences and changed messages are threats. Conditions that none of the conversations fulfils are forced. Both
// conversations and their renderings are kept as a witness.
//
// Thread contract: auditTemplate() blocks while the helper renders; a page calls it in a job.
#pragma once

#include "base/argument.h"
#include "base/job_context.h"
#include "model/change.h"
#include "model/metadata.h"
#include "text/template/template_renderer.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::text {

class Tokenizer;

enum class AuditKind : std::uint8_t { Threat, Error, Warning, Note };
[[nodiscard]] std::string_view auditKindName(AuditKind kind); // "threat", "error", "warning", "note"

enum class AuditCode : std::uint8_t {
#define GUFO_AUDIT(code, name, kind, args, title, message, repair) code,
#include "text/audit/audit_codes.inc"
#undef GUFO_AUDIT
};
struct AuditFact {
    AuditCode code;
    std::string_view name;
    AuditKind kind;
};
[[nodiscard]] const AuditFact& auditFact(AuditCode code);
[[nodiscard]] const AuditFact* findAuditFact(std::string_view name); // null if there is none

// One of the two conversations of a witness.
struct AuditSide {
    std::string messages{}; // a JSON list
    std::string tools{};    // a JSON list; empty: none
    QDate date{};
    std::string rendered{}; // its beginning, if it is very long
};
// `a` and `b` differ in one thing. If they are equal, `forced` is the condition that was made to hold or not to hold in
// `b`.
struct AuditWitness {
    AuditSide a;
    AuditSide b;
    std::optional<TemplateOutcome> forced{};
};

struct AuditFinding {
    AuditCode code;
    int line = 0;                             // counts from 1; 0: not about a line
    Arguments args{};                         // as listed in audit_codes.inc
    std::optional<TemplateProblem> problem{}; // worded as the last argument
    std::optional<AuditWitness> witness{};
    std::optional<std::string> source{}; // the repaired template
    std::optional<Change> change{};      // the repair, where it is not of the template
    std::string templateName{};          // set where several templates are audited

    [[nodiscard]] AuditKind kind() const { return auditFact(code).kind; }
    [[nodiscard]] std::string_view name() const { return auditFact(code).name; }
};

enum class UnjudgedReason : std::uint8_t {
    None,
    NoHelper,       // gufo-render-helper is missing or has died
    TooLong,        // the template, or the number of its texts
    TimedOut,       // a rendering, or the audit as a whole
    OutOfMemory,    // a rendering
    NothingRenders, // the last one
};
[[nodiscard]] std::string_view unjudgedName(UnjudgedReason reason); // "timed_out"
// The reason of that name; None for other texts.
[[nodiscard]] UnjudgedReason unjudgedReason(std::string_view name);

struct TemplateAudit {
    UnjudgedReason reason = UnjudgedReason::None; // none: it was judged
    std::string family{};                         // of the published template that it is, or was made from
    std::vector<int> changedLines{};              // where it differs from that; counts from 1
    std::size_t missingPieces = 0;                // parts of lines that the published one has
    std::vector<AuditFinding> threats{};
    std::vector<AuditFinding> faults{};
    std::size_t renderings = 0;

    [[nodiscard]] bool isJudged() const { return reason == UnjudgedReason::None; }
    // Whether there is no threat and no fault of the kind Error, and it was judged.
    [[nodiscard]] bool isClean() const;
};

struct AuditOptions {
    std::optional<std::string_view> base{}; // the template of the base model, to be compared with
    const Tokenizer* tokenizer = nullptr;   // of the model; without one, its tokens are not judged
};

// A template without the characters that are HiddenCharacters.
[[nodiscard]] std::string withoutHiddenCharacters(std::string_view source);

// Errors: Cancelled. A template that takes too much time or memory is not judged. Progress counts renderings.
[[nodiscard]] Result<TemplateAudit> auditTemplate(const Metadata& metadata, std::string_view source,
                                                  TemplateRenderer& renderer, const AuditOptions& options = {},
                                                  const JobContext& job = {});

} // namespace gufo::text
