// Conversations made for an audit, and their renderings within limits of time and number.
//
// The messages consist of texts that no template writes by itself ("canaries"), so that each is recognised in a
// rendering, and whatever else is there comes from the template.
#pragma once

#include "text/audit/template_audit.h"
#include "text/template/template_outline.h"

#include <functional>
#include <set>

namespace gufo::text {

struct ProbeMessage {
    std::string role;
    std::string content{};
    std::string calls{};  // a JSON list; empty: none
    bool asParts = false; // the content is a list with one text
    [[nodiscard]] std::string json(bool nullContent = false) const;
};

struct ProbeConversation {
    std::vector<ProbeMessage> messages;
    std::string tools{}; // a JSON list; empty: none
    bool prompt = true;
    bool nullContent = false; // of messages with calls
    QDateTime now{QDate(2026, 3, 4), QTime(5, 6, 7)};

    [[nodiscard]] std::string json() const;
    [[nodiscard]] AuditSide side(std::string_view rendered) const;
};

// The canary of the i-th message: several words, with quotation marks, digits and brackets.
[[nodiscard]] std::string canary(std::size_t i);
struct Probed {
    std::optional<std::string> text{}; // nothing: refused
    std::optional<TemplateProblem> problem{};
    std::vector<TemplateOutcome> outcomes{};
};

class AuditProbe {
public:
    AuditProbe(const Metadata& metadata, std::string_view source, TemplateRenderer& renderer, const JobContext& job);

    // Whether the audit can go on: it was not stopped, and no limit was reached.
    [[nodiscard]] bool goesOn() const { return m_reason == UnjudgedReason::None && !m_job.stopRequested(); }
    [[nodiscard]] UnjudgedReason reason() const { return m_reason; }
    void giveUp(UnjudgedReason reason) { m_reason = m_reason == UnjudgedReason::None ? reason : m_reason; }
    [[nodiscard]] std::size_t renderings() const { return m_renderings; }
    // The conversation for which the template took all time or memory, or wrote far more than it was given.
    [[nodiscard]] const std::optional<AuditFinding>& growth() const { return m_growth; }

    // The template renders nothing without tools, so that every conversation has some.
    void needTools() { m_needsTools = true; }
    // A question, or several with their answers in between, which ends with a question.
    [[nodiscard]] ProbeConversation turns(std::size_t questions, bool system) const;

    // Parses the template. Problems: a syntax error, and names that do not exist.
    [[nodiscard]] std::vector<TemplateProblem> parse();
    [[nodiscard]] const TemplateOutline& outline() const { return *m_outline; }

    [[nodiscard]] Probed render(const ProbeConversation& conversation, std::vector<TemplateOutcome> forced = {});
    // The same for a conversation that means nothing unusual: what its conditions are and what it writes is ordinary.
    [[nodiscard]] Probed renderOrdinary(const ProbeConversation& conversation);
    // For a request without texts of special tokens, the texts of the file's tokens, or others.
    void addTokens(RenderRequest& request) const;
    [[nodiscard]] Probed render(RenderRequest request, std::size_t input, const std::function<AuditSide()>& side);

    void noteOrdinary(const Probed& probed);
    [[nodiscard]] bool isOrdinary(const TemplateOutcome& outcome) const { return m_outcomes.contains(outcome); }
    [[nodiscard]] const std::string& ordinaryText() const { return m_ordinary; }

    [[nodiscard]] std::string_view source() const { return m_source; }
    [[nodiscard]] const Metadata& metadata() const { return m_metadata; }
    [[nodiscard]] const JobContext& job() const { return m_job; }
    [[nodiscard]] TemplateRenderer& renderer() { return m_renderer; }

    // The line from which a text of a rendering comes: of the literal that shares most with it; or else of the first
    // condition with another outcome; 0 if neither is found.
    [[nodiscard]] int lineOf(std::string_view text, const Probed* before = nullptr,
                             const Probed* after = nullptr) const;

private:
    void noteUnfinished(const QString& code);

    const Metadata& m_metadata;
    std::string_view m_source;
    TemplateRenderer& m_renderer;
    JobContext m_job;
    std::vector<std::pair<QString, QString>> m_tokens; // texts of special tokens
    std::shared_ptr<const TemplateOutline> m_outline;
    bool m_needsTools = false;
    UnjudgedReason m_reason = UnjudgedReason::None;
    std::size_t m_renderings = 0;
    double m_milliseconds = 0;
    std::set<TemplateOutcome> m_outcomes;
    std::string m_ordinary; // what ordinary conversations render, joined
    std::optional<AuditFinding> m_growth;
};

} // namespace gufo::text
