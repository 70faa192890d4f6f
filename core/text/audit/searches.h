// What an audit of a template looks for: threats, and faults. Each function adds its findings, at most one for each
// cause.
//
// Thread contract: block while the helper renders.
#pragma once

#include "text/audit/probe.h"

#include <vector>

namespace gufo::text {

// ---- threats -------------------------------------------------------------------------------------------------------

// By the text of the template: attribute walks, names outside of the sandbox, hidden characters, encoded text,
// addresses.
void findStaticThreats(const AuditProbe& probe, std::vector<AuditFinding>& threats);

// Without a condition: changed and repeated messages, exchanged roles, sentences between messages.
void findTurnThreats(AuditProbe& probe, std::vector<AuditFinding>& threats);
// Depending on the words of messages, on their form, on how many there are, and on the date.
void findWordThreats(AuditProbe& probe, std::vector<AuditFinding>& threats);
void findFormThreats(AuditProbe& probe, std::vector<AuditFinding>& threats);
void findCountThreats(AuditProbe& probe, std::vector<AuditFinding>& threats);
void findDateThreats(AuditProbe& probe, std::vector<AuditFinding>& threats);
// Behind conditions that no conversation fulfilled so far.
void findConditionThreats(AuditProbe& probe, std::vector<AuditFinding>& threats);

// The arguments of tool calls, also for names and values that the template compares with.
void findCallThreats(AuditProbe& probe, std::vector<AuditFinding>& threats);
// Depending on the words of tools.
void findToolThreats(AuditProbe& probe, std::vector<AuditFinding>& threats);

// A question, a call of a tool and its result, as this template accepts and shows it. Nothing if it shows no calls.
[[nodiscard]] std::optional<ProbeConversation> callConversation(AuditProbe& probe, bool ordinary);

// What the template may compare words with: its texts that it does not print.
[[nodiscard]] std::vector<std::string> comparedWords(AuditProbe& probe);
// The beginning of a text, for an argument of a finding.
[[nodiscard]] std::string shortened(std::string_view text);
// The word of a header that names a role ("user", "assistant", "system"), the last one; empty if there is none.
[[nodiscard]] std::string_view roleNamedBy(std::string_view header);

// ---- faults: what the template does wrong with ordinary conversations, or what the vocabulary lacks -----------------

// Renders the conversations of the battery (conversation/battery.h) and notes them as ordinary.
void findBatteryFaults(AuditProbe& probe, std::vector<AuditFinding>& faults);
// The end of answers, the markers, and whether calls are read back. `tokenizer` may be null.
void findFormatFaults(AuditProbe& probe, const Tokenizer* tokenizer, std::vector<AuditFinding>& faults);

} // namespace gufo::text
