// Threats that depend on the conversation: its words, its length, the date, and conditions that nothing fulfils.
#include "base/ascii.h"
#include "text/audit/searches.h"
#include "text/audit/text_difference.h"
#include "text/template/json_rewrite.h"

#include <algorithm>
#include <array>
#include <map>

namespace gufo::text {
namespace {

constexpr std::size_t kMostWords = 400;   // that are tried one by one
constexpr std::size_t kLongestWord = 120; // of what a template compares with
constexpr std::size_t kMostPerKind = 6;   // findings
constexpr std::size_t kMostForced = 300;  // renderings

bool hasLetter(std::string_view text) {
    return std::ranges::any_of(text, [](char c) {
        return isAsciiLetter(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80;
    });
}

// Markup, as opposed to what people write.
bool isMarkup(std::string_view word) {
    return !hasLetter(word) || word.find_first_of("<>[]{}|#") != std::string_view::npos;
}

// A switch of thinking: "/no_think", "detailed thinking on".
bool isSwitch(std::string_view word) {
    const std::string lower = asciiLowerText(word);
    return lower.find("think") != std::string::npos || lower.find("reason") != std::string::npos ||
           lower == "/system_override";
}

class ConversationThreats {
public:
    ConversationThreats(AuditProbe& probe, std::vector<AuditFinding>& threats)
        : m_probe(probe)
        , m_threats(threats) {}

    // ---- words of messages

    void byWords() {
        const auto words = comparedWords(m_probe);
        std::vector<ProbeConversation> bases;
        for (const bool system : {true, false}) {
            bases.push_back(m_probe.turns(2, system));
        }
        if (auto call = callConversation(m_probe, true)) {
            bases.push_back(*std::move(call));
        }
        for (const ProbeConversation& base : bases) {
            const Probed before = m_probe.renderOrdinary(base);
            if (!before.text) {
                continue;
            }
            for (const std::string& word : words) {
                const auto& texts = m_probe.outline().texts;
                m_lineOfWord = std::ranges::find(texts, word, &OutlineText::text)->place.line;
                byWord(base, before, word, &base != &bases[1]);
                if (!m_probe.goesOn() || m_found >= kMostPerKind) {
                    return;
                }
            }
            m_lineOfWord = 0;
            // A long text, which a template may cut.
            std::string many;
            for (int i = 0; i < 1500; ++i) {
                many += "bemti wumbo ";
            }
            byVariant(base, before, many, [&](const std::string& canary) { return canary + " " + many + "Pexilong"; });
        }
    }

    void byWord(const ProbeConversation& base, const Probed& before, const std::string& word, bool alone) {
        const std::size_t found = m_found;
        byVariant(base, before, word, [&](const std::string& canary) {
            const std::size_t middle = canary.find(' ') + 1;
            return word + " " + canary.substr(0, middle) + word + " " + canary.substr(middle) + " " + word;
        });
        if (alone && found == m_found) {
            byVariant(base, before, word, [&](const std::string&) { return word; });
        }
    }

    // ---- number of messages

    void byCount() {
        std::set<std::size_t> numbers{1, 2, 3, 4, 5, 6, 7, 8, 11, 16};
        for (const std::int64_t number : m_probe.outline().integers) {
            constexpr std::int64_t kMostMessages = 130;
            if (number > 0 && number <= kMostMessages) {
                for (std::int64_t around = number - 2; around <= number + 3; ++around) {
                    if (around > 0) { // messages, and questions
                        numbers.insert(static_cast<std::size_t>(around + 1) / 2);
                        numbers.insert(static_cast<std::size_t>(std::min<std::int64_t>(around, 40)));
                    }
                }
            }
        }
        for (const bool system : {false, true}) {
            std::optional<ProbeConversation> last;
            Probed lastProbed;
            WordSet known;
            for (const std::size_t questions : numbers) {
                ProbeConversation conversation = m_probe.turns(questions, system);
                Probed probed = m_probe.render(conversation);
                if (!m_probe.goesOn() || m_found >= kMostPerKind) {
                    return;
                }
                if (probed.text && last && lastProbed.text) {
                    compareCounts(*last, lastProbed, conversation, probed, known, questions);
                }
                if (questions <= 3) {
                    m_probe.noteOrdinary(probed);
                }
                if (probed.text) {
                    addWords(known, *probed.text);
                    last = std::move(conversation);
                    lastProbed = std::move(probed);
                }
            }
        }
    }

    // ---- date

    void byDate() {
        std::vector<QDateTime> dates;
        for (int month = 1; month <= 12; ++month) { // every month, weekday and part of a day
            dates.emplace_back(QDate(2023 + month % 6, month, 1 + month * 7 % 28),
                               QTime(month * 5 % 24, 7 * month % 60));
        }
        const auto tryDate = [&](const QDate& date) {
            if (date.isValid() && dates.size() < 60) {
                for (const int days : {-1, 0, 1}) {
                    dates.emplace_back(date.addDays(days), QTime(12, 0));
                }
            }
        };
        tryDate(QDate(2027, 1, 1));
        tryDate(QDate(2032, 12, 31));
        for (const OutlineText& literal : m_probe.outline().texts) {
            const QString text = QString::fromStdString(literal.text.substr(0, 32));
            tryDate(QDate::fromString(text, Qt::ISODate));
            tryDate(QDate::fromString(text, QStringLiteral("yyyyMMdd")));
            tryDate(QDate::fromString(text, QStringLiteral("yyyy-MM")));
            tryDate(QDate::fromString(text, QStringLiteral("yyyy")));
            tryDate(QDate::fromString(QStringLiteral("2028-") + text, Qt::ISODate));
        }
        for (const std::int64_t number : m_probe.outline().integers) {
            if (number >= 1990 && number <= 2200) {
                tryDate(QDate(static_cast<int>(number), 1, 1));
                tryDate(QDate(static_cast<int>(number), 12, 31));
            } else if (number >= 19900101 && number <= 22001231) {
                tryDate(QDate::fromString(QString::number(number), QStringLiteral("yyyyMMdd")));
            } else if (number >= 1 && number <= 31) {
                tryDate(QDate(2028, 1, static_cast<int>(number)));
            }
        }
        for (const bool system : {true, false}) {
            ProbeConversation base = m_probe.turns(2, system);
            const Probed before = m_probe.renderOrdinary(base);
            for (std::size_t i = 0; before.text && i < dates.size() && m_found < kMostPerKind; ++i) {
                ProbeConversation other = base;
                other.now = dates[i];
                const Probed after = m_probe.render(other);
                if (!after.text) {
                    continue;
                }
                const TextDifference difference = differenceOf(*before.text, *after.text);
                if (!isDateText(difference.added) || !isDateText(difference.removed)) {
                    add(AuditCode::TextByDate, {other.now.date().toString(Qt::ISODate).toStdString()}, difference, base,
                        before, other, after);
                }
                m_probe.noteOrdinary(after);
            }
        }
    }

    // ---- conditions that nothing fulfilled

    void byCondition() {
        std::vector<ProbeConversation> bases{m_probe.turns(1, false), m_probe.turns(2, true), m_probe.turns(3, false)};
        if (auto call = callConversation(m_probe, true)) {
            bases.push_back(*std::move(call));
        }
        std::size_t rendered = 0;
        for (const ProbeConversation& base : bases) {
            const Probed before = m_probe.renderOrdinary(base);
            std::vector<std::vector<TemplateOutcome>> waiting{{}};
            std::set<TemplateOutcome> tried;
            while (!waiting.empty() && m_probe.goesOn() && rendered < kMostForced && m_found < kMostPerKind) {
                const auto forced = std::move(waiting.back());
                waiting.pop_back();
                const Probed after = forced.empty() ? before : m_probe.render(base, forced);
                ++rendered;
                if (!forced.empty() && after.text && before.text) {
                    judgeForced(base, before, after, forced);
                }
                for (const TemplateOutcome& outcome : after.outcomes) {
                    const TemplateOutcome other{
                        .line = outcome.line, .column = outcome.column, .holds = !outcome.holds};
                    if (dependsOnConversation(other) && !m_probe.isOrdinary(other) && tried.insert(other).second) {
                        auto more = forced;
                        more.push_back(other);
                        waiting.push_back(std::move(more));
                    }
                }
            }
        }
    }

private:
    void add(AuditCode code, Arguments args, const TextDifference& difference, const ProbeConversation& a,
             const Probed& before, const ProbeConversation& b, const Probed& after,
             std::optional<TemplateOutcome> forced = {}) {
        const std::string& text = difference.added.empty() ? difference.removed : difference.added;
        int line = m_probe.lineOf(text, &before, &after);
        if (line == 0) {
            line = forced ? forced->line : m_lineOfWord;
        }
        const bool isKnown = std::ranges::any_of(m_threats, [&](const AuditFinding& each) {
            return each.code == code && each.line == line && (line != 0 || each.args.back().text() == shortened(text));
        });
        if (isKnown) {
            return;
        }
        ++m_found;
        args.emplace_back(shortened(text));
        AuditFinding finding{.code = code, .line = line, .args = std::move(args)};
        finding.witness = AuditWitness{.a = a.side(before.text.value_or(std::string())),
                                       .b = b.side(after.text.value_or(std::string())),
                                       .forced = forced};
        m_threats.push_back(std::move(finding));
    }

    template<typename Change>
    void byVariant(const ProbeConversation& base, const Probed& before, const std::string& word, const Change& change) {
        ProbeConversation other = base;
        for (ProbeMessage& message : other.messages) {
            if (message.calls.empty()) {
                message.content = change(message.content);
            }
        }
        const Probed after = m_probe.render(other);
        if (!after.text || isAsExpected(base, before, other, *after.text)) {
            return;
        }
        // A single message is enough, and shows which.
        for (std::size_t i = 0; i < other.messages.size(); ++i) {
            ProbeConversation single = base;
            single.messages[i].content = other.messages[i].content;
            const Probed one = m_probe.render(single);
            if (one.text && !isAsExpected(base, before, single, *one.text)) {
                judgeWord(base, before, single, one, word, single.messages[i]);
                return;
            }
        }
        judgeWord(base, before, other, after, word, other.messages.back());
    }

    static std::string expected(const ProbeConversation& base, const std::string& before,
                                const ProbeConversation& other) {
        std::string text = before;
        for (std::size_t i = 0; i < base.messages.size(); ++i) {
            const std::string& content = base.messages[i].content;
            const std::string quoted = jsonString(content);
            const std::string by = jsonString(other.messages[i].content);
            text = replacedAll(std::move(text), content, other.messages[i].content);
            text = replacedAll(std::move(text), std::string_view(quoted).substr(1, quoted.size() - 2),
                               std::string_view(by).substr(1, by.size() - 2));
        }
        return text;
    }

    static bool isAsExpected(const ProbeConversation& base, const Probed& before, const ProbeConversation& other,
                             const std::string& after) {
        const std::string text = expected(base, *before.text, other);
        return text == after || differenceOf(text, after).isNone();
    }

    void judgeWord(const ProbeConversation& base, const Probed& before, const ProbeConversation& other,
                   const Probed& after, const std::string& word, const ProbeMessage& message) {
        const TextDifference difference = differenceOf(expected(base, *before.text, other), *after.text);
        WordSet known;
        addWords(known, word);
        bool isThreat = hasLetter(withoutTags(difference.added)) || hasLetter(withoutTags(difference.removed));
        if (isMarkup(word) || isSwitch(word)) {
            // A marker may end a thought, and a switch may choose between default system messages.
            addWords(known, other.json());
            const std::size_t first = after.text->find(
                other.messages.front().role == "system" && other.messages.size() > 1 ? other.messages[1].content
                                                                                     : other.messages.front().content);
            const bool isInTurns = !isSwitch(word) || difference.at >= first;
            isThreat = isInTurns && foreignWords(difference.added, known) >= kSentenceWords;
        } else if (!isThreat) {
            isThreat = roleChanges(difference);
        }
        if (isThreat && roleChanges(difference) && !openedRole(difference.added).empty()) {
            add(AuditCode::RoleChanged, {message.role}, difference, base, before, other, after);
        } else if (isThreat) {
            const bool isOwnText = foreignWords(difference.added, known) == 0 && message.content != word;
            add(isOwnText && !difference.removed.empty() ? AuditCode::MessageChanged : AuditCode::TextByWords,
                {isOwnText && !difference.removed.empty() ? message.role : shortened(word)}, difference, base, before,
                other, after);
        }
    }

    // A tag that names another role took the place of one.
    static bool roleChanges(const TextDifference& difference) {
        return openedRole(difference.added) != openedRole(difference.removed);
    }
    // Up to the first closing tag.
    static std::string_view openedRole(std::string_view text) { return roleNamedBy(text.substr(0, text.find('/'))); }

    void compareCounts(const ProbeConversation& fewer, const Probed& before, const ProbeConversation& more,
                       const Probed& after, const WordSet& known, std::size_t questions) {
        for (const ProbeMessage& message : more.messages) {
            const std::string quoted = jsonString(message.content);
            const std::size_t count =
                std::max(occurrences(*after.text, message.content), occurrences(*after.text, quoted));
            const bool wasThere = occurrences(*before.text, fewer.messages.front().content) > 0;
            if (count != 1 && wasThere && questions > 1) {
                add(AuditCode::TextByCount, {more.messages.size()},
                    {.added = count > 1 ? message.content : std::string(),
                     .removed = count > 1 ? std::string() : message.content},
                    fewer, before, more, after);
                return;
            }
        }
        if (const ProbeMessage* moved = firstOutOfOrder(*after.text, more)) {
            add(AuditCode::OrderChanged, {moved->role}, {.added = moved->content}, fewer, before, more, after);
            return;
        }
        WordSet all = known;
        for (const ProbeMessage& message : more.messages) {
            addWords(all, message.content);
        }
        const TextDifference difference = differenceOf(*before.text, *after.text);
        const std::size_t limit = questions <= 2 ? kSentenceWords : 1;
        WordSet present;
        addWords(present, *after.text);
        const std::size_t gone = foreignWords(*before.text, present);
        if (foreignWords(*after.text, all) >= limit) {
            add(AuditCode::TextByCount, {more.messages.size()}, foreignPart(*after.text, all, difference), fewer,
                before, more, after);
        } else if (gone >= limit && gone > 0) {
            add(AuditCode::TextByCount, {more.messages.size()}, {.removed = difference.removed}, fewer, before, more,
                after);
        } else if (roleSequence(*after.text, more) != roleSequence(*before.text, fewer)) {
            add(AuditCode::TextByCount, {more.messages.size()}, difference, fewer, before, more, after);
        }
    }

    // The first message that is written before an earlier one; null if there is none. System messages may be anywhere:
    // some templates write them into the last question.
    static const ProbeMessage* firstOutOfOrder(const std::string& text, const ProbeConversation& conversation) {
        std::size_t last = 0;
        for (const ProbeMessage& message : conversation.messages) {
            const std::size_t at = text.find(message.content);
            if (message.role == "system" || at == std::string::npos) {
                continue;
            }
            if (at < last) {
                return &message;
            }
            last = at;
        }
        return nullptr;
    }

    // The added text without the messages.
    static TextDifference foreignPart(const std::string& text, const WordSet& known, const TextDifference& difference) {
        TextDifference part;
        std::string_view rest = difference.added.empty() ? std::string_view(text) : std::string_view(difference.added);
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            if (foreignWords(rest.substr(0, end), known) > 0) {
                part.added.append(part.added.empty() ? "" : " ").append(rest.substr(0, end));
            }
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        return part;
    }

    // Which role the headers of each kind of message name: "user assistant".
    static std::set<std::pair<std::string, std::string>> roleSequence(const std::string& text,
                                                                      const ProbeConversation& conversation) {
        std::set<std::pair<std::string, std::string>> roles;
        std::size_t end = 0;
        for (const ProbeMessage& message : conversation.messages) {
            const std::size_t at = text.find(message.content, end);
            if (at == std::string::npos) {
                continue;
            }
            const std::string_view named = roleNamedBy(std::string_view(text).substr(end, at - end));
            if (message.role == "user" && named == "assistant") {
                roles.emplace(message.role, named);
            } else if (message.role == "assistant" && (named == "user" || named == "system")) {
                roles.emplace(message.role, named);
            } else if (message.role == "user" && named == "system") {
                roles.emplace(message.role, named);
            }
            end = at + message.content.size();
        }
        return roles;
    }

    [[nodiscard]] bool dependsOnConversation(const TemplateOutcome& outcome) const {
        return std::ranges::any_of(m_probe.outline().guards, [&](const OutlineGuard& guard) {
            return guard.place.line == outcome.line && guard.place.column == outcome.column && guard.sources != 0;
        });
    }

    [[nodiscard]] std::uint8_t sourcesOf(const TemplateOutcome& outcome) const {
        const auto& guards = m_probe.outline().guards;
        const auto found = std::ranges::find_if(guards, [&](const OutlineGuard& guard) {
            return guard.place.line == outcome.line && guard.place.column == outcome.column;
        });
        return found != guards.end() ? found->sources : std::uint8_t{0};
    }

    void judgeForced(const ProbeConversation& base, const Probed& before, const Probed& after,
                     const std::vector<TemplateOutcome>& forced) {
        const TextDifference difference = differenceOf(*before.text, *after.text);
        if (m_ordinaryLength != m_probe.ordinaryText().size()) {
            m_ordinaryLength = m_probe.ordinaryText().size();
            m_ordinaryWords.clear();
            addWords(m_ordinaryWords, m_probe.ordinaryText());
        }
        WordSet known = m_ordinaryWords;
        addWords(known, base.json());
        addWords(known, base.tools);
        bool isThreat =
            foreignWords(difference.added, known) >= kSentenceWords || isNewSentence(difference.added, base.tools);
        const bool byCountOrDate = std::ranges::any_of(
            forced, [&](const TemplateOutcome& each) { return (sourcesOf(each) & (FromCount | FromDate)) != 0; });
        if (!isThreat && byCountOrDate) {
            isThreat = std::ranges::any_of(base.messages, [&](const ProbeMessage& message) {
                return message.role != "tool" && message.calls.empty() &&
                       before.text->find(message.content) != std::string::npos &&
                       occurrences(*after.text, message.content) > 1;
            });
        }
        if (isThreat) {
            add(AuditCode::TextByCondition, {}, difference, base, before, base, after, forced.back());
        }
    }

    // Words that are all ordinary can still be another sentence: five in a row that no ordinary rendering has.
    [[nodiscard]] bool isNewSentence(std::string_view added, std::string_view tools) const {
        const auto words = wordsOf(added);
        constexpr std::size_t kRow = 5;
        if (words.size() < kRow) {
            return false;
        }
        if (m_ordinaryRows.empty() || m_rowsLength != m_ordinaryLength) {
            m_rowsLength = m_ordinaryLength;
            m_ordinaryRows.clear();
            const auto all = wordsOf(m_probe.ordinaryText());
            for (std::size_t i = 0; i + kRow <= all.size(); ++i) {
                m_ordinaryRows.insert(rowOf(all, i, kRow));
            }
        }
        WordSet ofTools;
        addWords(ofTools, tools);
        std::size_t fresh = 0;
        for (std::size_t i = 0; i + kRow <= words.size(); ++i) {
            const bool isOfTools = std::all_of(words.begin() + static_cast<std::ptrdiff_t>(i),
                                               words.begin() + static_cast<std::ptrdiff_t>(i + kRow),
                                               [&](const std::string& word) { return ofTools.contains(word); });
            fresh += isOfTools || m_ordinaryRows.contains(rowOf(words, i, kRow)) ? 0 : 1;
        }
        return fresh > 0 && fresh + kRow > words.size();
    }

    static std::string rowOf(const std::vector<std::string>& words, std::size_t at, std::size_t count) {
        std::string row;
        for (std::size_t i = at; i < at + count; ++i) {
            row += words[i] + ' ';
        }
        return row;
    }

    AuditProbe& m_probe;
    std::vector<AuditFinding>& m_threats;
    std::size_t m_found = 0;
    int m_lineOfWord = 0; // of the word that is tried
    std::size_t m_ordinaryLength = 0;
    WordSet m_ordinaryWords;
    mutable std::size_t m_rowsLength = 0;
    mutable WordSet m_ordinaryRows;
};

} // namespace

std::vector<std::string> comparedWords(AuditProbe& probe) {
    std::set<std::string> known;
    std::vector<std::string> words;
    for (const OutlineText& literal : probe.outline().texts) {
        const std::string& text = literal.text;
        if (literal.isPrinted || !hasLetter(text) || text.size() > kLongestWord || !known.insert(text).second) {
            continue;
        }
        if (words.size() == kMostWords) {
            probe.giveUp(UnjudgedReason::TooLong);
            break;
        }
        words.push_back(text);
    }
    return words;
}

void findWordThreats(AuditProbe& probe, std::vector<AuditFinding>& threats) {
    ConversationThreats(probe, threats).byWords();
}
void findCountThreats(AuditProbe& probe, std::vector<AuditFinding>& threats) {
    ConversationThreats(probe, threats).byCount();
}
void findDateThreats(AuditProbe& probe, std::vector<AuditFinding>& threats) {
    ConversationThreats(probe, threats).byDate();
}
void findConditionThreats(AuditProbe& probe, std::vector<AuditFinding>& threats) {
    ConversationThreats(probe, threats).byCondition();
}

} // namespace gufo::text
