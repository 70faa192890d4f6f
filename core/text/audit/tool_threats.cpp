// Threats that depend on the tools: sentences that a word in their descriptions or names makes the template write, and
// descriptions that it replaces.
#include "text/audit/searches.h"
#include "text/audit/text_difference.h"
#include "text/template/json_rewrite.h"

#include <algorithm>
#include <array>

namespace gufo::text {
namespace {

constexpr std::size_t kMostWords = 60;
constexpr std::string_view kName = "owltool";
constexpr std::string_view kDescription = "owldescription";
constexpr std::string_view kMeaning = "owlmeaning";

std::string toolWith(std::string_view name, std::string_view description, std::string_view meaning) {
    return R"([{"type": "function", "function": {"name": )" + jsonString(name) + R"(, "description": )" +
           jsonString(description) +
           R"(, "parameters": {"type": "object", "properties": {"owlkey": {"type": "string", "description": )" +
           jsonString(meaning) + R"(}}, "required": []}}}])";
}

class ToolThreats {
public:
    ToolThreats(AuditProbe& probe, std::vector<AuditFinding>& threats)
        : m_probe(probe)
        , m_threats(threats)
        , m_base(probe.turns(1, true)) {
        m_base.tools = toolWith(kName, kDescription, kMeaning);
    }

    void find() {
        m_before = m_probe.renderOrdinary(m_base);
        if (!m_before.text) { // no system message, perhaps
            m_base.messages.erase(m_base.messages.begin());
            m_before = m_probe.renderOrdinary(m_base);
        }
        if (!m_before.text) {
            return;
        }
        // What comes with tools at all is their preamble; with ordinary tools, it names them.
        std::set<std::string> words{"password", "transfer", "send_email"};
        for (const std::string& word : comparedWords(m_probe)) {
            if (words.size() < kMostWords && word.find_first_of("<>[]{}|#") == std::string::npos) {
                words.insert(word);
            }
        }
        for (const std::string& word : words) {
            ProbeConversation described = m_base;
            const std::string around = ' ' + word + ' ';
            described.tools = toolWith(kName, std::string(kDescription) + around, std::string(kMeaning) + around);
            ProbeConversation named = m_base;
            named.tools = toolWith(word, kDescription, kMeaning);
            if (!m_probe.goesOn() || compare(described, word) || compare(named, word)) {
                return;
            }
        }
    }

private:
    // Whether a threat was found.
    bool compare(const ProbeConversation& other, const std::string& word) {
        const Probed after = m_probe.render(other);
        if (!after.text) {
            return false;
        }
        const TextDifference difference = differenceOf(*m_before.text, *after.text);
        WordSet known;
        addWords(known, other.tools);
        const bool isReplaced = std::ranges::any_of(std::array{kDescription, kMeaning}, [&](std::string_view text) {
            return occurrences(*m_before.text, text) > 0 && occurrences(*after.text, text) == 0;
        });
        if (foreignWords(difference.added, known) < kSentenceWords && !isReplaced) {
            return false;
        }
        m_threats.push_back({.code = AuditCode::TextByTools,
                             .line = m_probe.lineOf(difference.added, &m_before, &after),
                             .args = {shortened(word), shortened(difference.added)},
                             .witness = AuditWitness{.a = m_base.side(*m_before.text), .b = other.side(*after.text)}});
        return true;
    }

    AuditProbe& m_probe;
    std::vector<AuditFinding>& m_threats;
    ProbeConversation m_base;
    Probed m_before{};
};

} // namespace

void findToolThreats(AuditProbe& probe, std::vector<AuditFinding>& threats) { ToolThreats(probe, threats).find(); }

} // namespace gufo::text
