#include "base/ascii.h"
#include "text/audit/searches.h"
#include "text/audit/text_difference.h"
#include "text/template/json_rewrite.h"

#include <algorithm>
#include <array>

namespace gufo::text {
namespace {

// As a message is written: as it is, or as a JSON string.
struct Written {
    std::size_t at = std::string_view::npos;
    std::size_t length = 0;
    std::size_t count = 0;
};

Written findWritten(std::string_view text, std::string_view content) {
    const std::string quoted = jsonString(content);
    for (const std::string_view form : {content, std::string_view(quoted).substr(1, quoted.size() - 2)}) {
        if (const std::size_t count = occurrences(text, form); count > 0) {
            return {.at = text.find(form), .length = form.size(), .count = count};
        }
    }
    return {};
}

struct RoleWords {
    std::string_view role;
    std::array<std::string_view, 4> words; // empty ones are none
};
constexpr auto kRoleNames = std::to_array<RoleWords>({
    {"user", {"user", "human", "usr", "prompter"}},
    {"assistant", {"assistant", "model", "bot", "chatbot"}},
    {"system", {"system", "developer", "sys"}},
});

// Whether the sentence is about tools: templates say that there are none.
bool isAboutTools(std::string_view text) {
    const std::string lower = asciiLowerText(text);
    return lower.find("function") != std::string::npos || lower.find("tool") != std::string::npos;
}

// The role that a word of a header names; empty if it is none. Words of tags may consist of several: "USER_TOKEN".
std::string_view roleOf(std::string_view word) {
    for (const RoleWords& row : kRoleNames) {
        for (std::size_t begin = 0; begin < word.size();) {
            const std::size_t end = std::min(word.find('_', begin), word.size());
            if (end > begin && std::ranges::find(row.words, word.substr(begin, end - begin)) != row.words.end()) {
                return row.role;
            }
            begin = end + 1;
        }
    }
    return {};
}

struct Turn {
    const ProbeMessage* message;
    std::size_t begin;
    std::size_t end;
};

class TurnThreats {
public:
    TurnThreats(AuditProbe& probe, std::vector<AuditFinding>& threats)
        : m_probe(probe)
        , m_threats(threats) {}

    // The conversation `shorter` is the same without its last message, for the witness.
    void look(const ProbeConversation& conversation, const ProbeConversation& shorter) {
        const Probed probed = m_probe.renderOrdinary(conversation);
        if (!probed.text) {
            return;
        }
        m_conversation = &conversation;
        m_shorter = &shorter;
        m_text = *probed.text;
        std::vector<Turn> found;
        for (const ProbeMessage& message : conversation.messages) {
            const Written written = findWritten(m_text, message.content);
            if (written.count > 1) {
                add(AuditCode::MessageRepeated, {message.role}, message.content);
            } else if (written.count == 0) {
                lookAtChange(message);
            }
            if (written.count > 0) {
                found.push_back({.message = &message, .begin = written.at, .end = written.at + written.length});
            }
        }
        std::ranges::sort(found, {}, &Turn::begin);
        lookBetween(found);
        lookAtRoles(found);
    }

private:
    void add(AuditCode code, Arguments args, std::string_view text) {
        if (std::ranges::any_of(m_threats,
                                [&](const AuditFinding& each) { return each.code == code && each.args == args; })) {
            return;
        }
        const Probed before = m_probe.render(*m_shorter);
        m_threats.push_back({.code = code,
                             .line = m_probe.lineOf(text),
                             .args = std::move(args),
                             .witness = AuditWitness{.a = m_shorter->side(before.text.value_or(std::string())),
                                                     .b = m_conversation->side(m_text)}});
    }

    // The message is not there as it is. Parts of it, or the whole in other letters, are a change.
    void lookAtChange(const ProbeMessage& message) {
        const auto parts = wordsOf(message.content);
        const auto present = wordsOf(m_text);
        const auto kept = std::ranges::count_if(parts, [&](const std::string& word) {
            return word.size() > 4 && std::ranges::find(present, word) != present.end();
        });
        if (kept > 0) {
            const auto own = std::ranges::find_if(
                parts, [&](const std::string& word) { return word.starts_with("zarlo") || word.starts_with("pexi"); });
            std::size_t at = own != parts.end() ? asciiLowerText(m_text).find(*own) : std::string::npos;
            at = at == std::string::npos ? 0 : at;
            add(AuditCode::MessageChanged, {message.role, shortened(std::string_view(m_text).substr(at, 80))},
                std::string_view(m_text).substr(at, 200));
        }
    }

    // Sentences between and behind messages. Before the first one is a default system message, or the preamble of one.
    void lookBetween(const std::vector<Turn>& found) {
        const WordSet none;
        for (std::size_t i = 0; i < found.size(); ++i) {
            const std::size_t end = i + 1 < found.size() ? found[i + 1].begin : m_text.size();
            if (end <= found[i].end) {
                continue;
            }
            const std::string_view between = std::string_view(m_text).substr(found[i].end, end - found[i].end);
            const bool isAfterSystem = found[i].message->role == "system";
            if (foreignWords(between, none) >= kSentenceWords && !(isAfterSystem && isAboutTools(between))) {
                add(AuditCode::TextInTurn, {shortened(differenceOf({}, withoutTags(between)).added)}, between);
            }
        }
    }

    [[nodiscard]] std::string_view headerOf(const std::vector<Turn>& found, std::size_t i) const {
        const std::size_t begin = i > 0 ? std::min(found[i - 1].end, found[i].begin) : 0;
        return std::string_view(m_text).substr(begin, found[i].begin - begin);
    }

    void lookAtRoles(const std::vector<Turn>& found) {
        for (std::size_t i = 0; i < found.size(); ++i) {
            const std::string_view role = found[i].message->role;
            const std::string_view named = roleNamedBy(headerOf(found, i));
            if (named.empty() || named == role || (role == "system" && named == "user")) {
                continue; // templates without system messages give them to the user
            }
            add(AuditCode::RoleChanged, {std::string(role), std::string(named)}, headerOf(found, i));
        }
        lookAtUnequalHeaders(found);
    }

    // Headers without known names: a header that equals the header of another role. A template without headers mixes up
    // nothing.
    void lookAtUnequalHeaders(const std::vector<Turn>& found) {
        const auto tail = [&](std::size_t i) {
            const std::string_view header = headerOf(found, i);
            return header.substr(header.size() - std::min<std::size_t>(header.size(), 24));
        };
        for (std::size_t i = 1; i < found.size(); ++i) {
            for (std::size_t j = 1; j < found.size(); ++j) {
                const std::string_view role = found[i].message->role;
                const std::string_view other = found[j].message->role;
                const bool isNamed =
                    std::ranges::any_of(tail(i), [](char c) { return isAsciiLetter(static_cast<unsigned char>(c)); });
                if (role == "user" && other == "assistant" && isNamed && tail(i) == tail(j)) {
                    add(AuditCode::RoleChanged, {std::string(role), std::string(other)}, tail(i));
                    return;
                }
            }
        }
    }

    AuditProbe& m_probe;
    std::vector<AuditFinding>& m_threats;
    const ProbeConversation* m_conversation = nullptr;
    const ProbeConversation* m_shorter = nullptr;
    std::string m_text;
};

} // namespace

// The last name of a role that is in a tag, or the first word behind tags or on a line, unless a closing tag follows.
std::string_view roleNamedBy(std::string_view header) {
    std::string_view named;
    std::string word;
    bool inTag = false;
    bool isClosing = false;
    std::size_t words = 0; // on this line, behind the last tag
    const auto end = [&] {
        if (word.empty()) {
            return;
        }
        const std::string_view role = roleOf(word);
        if (!role.empty() && (isClosing || (inTag && word.starts_with("end_")))) {
            named = {}; // "[/SYSTEM_PROMPT]"
        } else if (!role.empty() && (inTag || words == 0)) {
            named = role;
        }
        words += inTag ? 0 : 1;
        word.clear();
    };
    for (const char c : header) {
        if (isAsciiLetter(static_cast<unsigned char>(c)) || c == '_') {
            word += asciiLower(c);
            continue;
        }
        end();
        if (c == '<' || c == '[') {
            inTag = true;
            isClosing = false;
        } else if (c == '>' || c == ']') {
            inTag = false;
            isClosing = false;
            words = 0;
        } else if (c == '/') {
            isClosing = inTag;
        } else if (c == '\n') {
            words = 0;
        }
    }
    end();
    return named;
}

void findTurnThreats(AuditProbe& probe, std::vector<AuditFinding>& threats) {
    for (const bool system : {false, true}) {
        for (const std::size_t questions : {std::size_t{1}, std::size_t{3}}) {
            const ProbeConversation conversation = probe.turns(questions, system);
            ProbeConversation shorter = conversation;
            if (shorter.messages.size() > 1) {
                shorter.messages.pop_back();
            } else {
                shorter.messages.front().content.assign(1, 'x');
            }
            TurnThreats(probe, threats).look(conversation, shorter);
        }
    }
}

} // namespace gufo::text
