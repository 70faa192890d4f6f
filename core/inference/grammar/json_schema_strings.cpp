// Grammar rules of automata, of strings and numbers, and of repetitions.
#include "base/detail.h"
#include "base/utf8.h"
#include "inference/grammar/grammar.h"
#include "inference/grammar/json_grammar.h"
#include "inference/grammar/json_schema_compiler.h"
#include "inference/grammar/json_schema_keywords.h"

#include <algorithm>
#include <utility>

namespace gufo::inference {
namespace {} // namespace

// A rule for each state. The calls at their ends are tail calls, so that the parse of a string does not become deeper.
Result<std::string> SchemaCompiler::rulesOf(const Automaton& automaton, bool quoted, const std::string& end) {
    const std::size_t first = m_count;
    m_count += automaton.states().size();
    const auto name = [&](std::size_t state) { return "s" + std::to_string(first + state); };
    for (std::size_t i = 0; i < automaton.states().size(); ++i) {
        const Automaton::State& state = automaton.states()[i];
        std::map<std::uint32_t, CodeSet> targets;
        for (const Automaton::Edge& edge : state.edges) {
            targets[edge.to].push_back(edge.codes);
        }
        std::string body = state.accepts ? (end.empty() ? "\"\"" : end) : "";
        for (const auto& [to, codes] : targets) {
            const auto characters = GUFO_TRY(charactersRule(quoted ? characterOf(codes, m_notation)
                                                                   : grammarClass(withoutSurrogates(united(codes)))));
            body += (body.empty() ? "" : " | ") + characters + " " + name(to);
        }
        GUFO_TRY(addRule(name(i), body.empty() ? "never" : body));
    }
    return name(0);
}

// Returns a rule for characters that are long to describe, which states share.
Result<std::string> SchemaCompiler::charactersRule(const std::string& characters) {
    constexpr std::size_t kShort = 16;
    if (characters.size() <= kShort) {
        return characters;
    }
    const auto [known, added] = m_characters.try_emplace(characters);
    if (added) {
        known->second = newName();
        return addRule(known->second, characters);
    }
    return known->second;
}

std::string SchemaCompiler::quote() const { return grammarLiteral(m_notation.quote); }

Result<std::string> SchemaCompiler::quotedString(const std::optional<Automaton>& strings, bool unique) {
    std::optional<Automaton> all = strings;
    if (!m_notation.escapes) {
        const auto writable = writableStrings(m_notation, unique);
        all = !writable ? std::nullopt : strings ? strings->intersection(*writable) : writable;
        if (!all) {
            return notUsable("#", Detail::PatternTooLarge);
        }
    }
    const auto rule = rulesOf(all ? *all : Automaton::everything(), true, quote());
    return rule ? quote() + " " + *rule : rule;
}

// The rules that all schemas share.
Result<std::string> SchemaCompiler::commonRules() {
    if (m_notation == ValueNotation()) {
        return std::string(commonJsonRules());
    }
    const auto string = GUFO_TRY(quotedString({}, false));
    const auto plain = GUFO_TRY(quotedString({}, true));
    std::string rules = notationRules(m_notation, string, plain, m_notation.bareNames ? "identifier" : "string");
    rules += "identifier ::= [A-Za-z_] [A-Za-z0-9_]{0,63}\n";
    return std::exchange(m_rules, {}) + rules;
}

Result<std::string> SchemaCompiler::stringRule(const JsonValue& flatSchema) {
    const auto counts = GUFO_TRY(countsOf(flatSchema, "minLength", "maxLength"));
    const bool isJson = m_notation == ValueNotation(); // whose characters are a rule
    const auto strings = GUFO_TRY(stringsOf(flatSchema, !isJson, m_patternWork));
    if (strings) {
        return quotedString(strings, m_unique != nullptr);
    }
    const bool counted = counts.minimum != 0 || counts.maximum;
    if (!counted) {
        return std::string(m_unique != nullptr ? "plain-string" : "string");
    }
    const auto characters = repeated(m_unique != nullptr ? "plain-char" : "char", counts.minimum, counts.maximum);
    return characters ? quote() + " " + *characters + " " + quote() : characters;
}

Result<std::string> SchemaCompiler::numberRule(const JsonValue& flatSchema, bool integers) {
    const auto numbers = GUFO_TRY(numbersOf(flatSchema, integers, false));
    if (!numbers) {
        return std::string(integers ? "integer" : m_unique != nullptr ? "plain-number" : "number");
    }
    if (m_unique != nullptr && !integers) {
        const auto unique = GUFO_TRY(numbersOf(flatSchema, integers, true));
        return rulesOf(*unique, false, {});
    }
    return rulesOf(*numbers, false, {});
}

constexpr std::uint64_t kDirectly = 2'000; // repetitions that the grammar lists one after the other
constexpr std::uint64_t kBlock = 256;

Result<std::string> SchemaCompiler::repeated(const std::string& item, std::uint64_t minimum,
                                             std::optional<std::uint64_t> maximum) {
    const std::uint64_t most = maximum.value_or(minimum);
    if (most <= kDirectly) {
        return item + "{" + std::to_string(minimum) + "," + (maximum ? std::to_string(*maximum) : "") + "}";
    }
    const auto first = exactly(item, minimum);
    const auto rest = maximum ? upTo(item, *maximum - minimum) : Result<std::string>(item + "*");
    return first && rest ? Result<std::string>(*first + " " + *rest) : (first ? rest : first);
}

// Large counts consist of blocks, which consist of smaller blocks, so that the grammar stays small.
Result<std::string> SchemaCompiler::exactly(const std::string& item, std::uint64_t count) { // NOLINT(misc-no-recursion)
    if (count <= kDirectly) {
        return count == 0 ? std::string("\"\"") : item + "{" + std::to_string(count) + "}";
    }
    const auto [known, added] = m_repeated.try_emplace(item);
    if (added) {
        known->second = newName();
        GUFO_TRY(addRule(known->second, item + "{" + std::to_string(kBlock) + "}"));
    }
    const std::string block = known->second;
    const auto blocks = exactly(block, count / kBlock);
    const auto rest = exactly(item, count % kBlock);
    return blocks && rest ? Result<std::string>(*blocks + " " + *rest) : (blocks ? rest : blocks);
}

Result<std::string> SchemaCompiler::upTo(const std::string& item, std::uint64_t count) { // NOLINT(misc-no-recursion)
    if (count <= kDirectly) {
        return count == 0 ? std::string("\"\"") : item + "{0," + std::to_string(count) + "}";
    }
    if (auto made = exactly(item, kDirectly + 1); !made) { // makes the block
        return made;
    }
    const std::string block = m_repeated[item];
    const auto fewer = upTo(block, count / kBlock - 1);
    const auto all = exactly(block, count / kBlock);
    if (!fewer || !all) {
        return fewer ? all : fewer;
    }
    return "(" + *fewer + " " + item + "{0," + std::to_string(kBlock - 1) + "} | " + *all + " " + item + "{0," +
           std::to_string(count % kBlock) + "})";
}

Result<std::optional<Automaton>> SchemaCompiler::namesOf(const JsonValue& schema, // NOLINT(misc-no-recursion)
                                                         std::size_t depth) {
    const auto flatSchema = flat(schema, depth + 1);
    if (!flatSchema) {
        return saysNothingFits(flatSchema.error()) ? Result<std::optional<Automaton>>(Automaton())
                                                   : std::unexpected(flatSchema.error());
    }
    for (const char* keyword : {"anyOf", "oneOf"}) {
        if (flatSchema->find(keyword) == nullptr) {
            continue;
        }
        const auto parts = alternativesOf(*flatSchema, keyword, depth + 1);
        if (!parts) {
            return saysNothingFits(parts.error()) ? Result<std::optional<Automaton>>(Automaton())
                                                  : std::unexpected(parts.error());
        }
        std::optional<Automaton> none = Automaton::everything(); // the strings that no alternative allows
        for (const JsonValue& part : *parts) {
            const auto names = GUFO_TRY(namesOf(part, depth + 1));
            none = none->intersection(names.value_or(Automaton::everything()).complement());
            if (!none) {
                return notUsable(schema.place, Detail::PatternTooLarge);
            }
        }
        return none->complement();
    }
    const auto types = namedTypes(*flatSchema);
    if (!types || (*types & kString) == 0) {
        return types ? Result<std::optional<Automaton>>(Automaton()) : std::unexpected(types.error());
    }
    if (flatSchema->find("enum") == nullptr) {
        auto strings = stringsOf(*flatSchema, true, m_patternWork);
        return !strings && saysNothingFits(strings.error()) ? Result<std::optional<Automaton>>(Automaton()) : strings;
    }
    std::vector<std::u32string> words;
    JsonValue rest = *flatSchema;
    std::erase_if(rest.members, [](const auto& member) { return member.first == "enum"; });
    for (const JsonValue* value : valuesOf(*flatSchema, "enum")) {
        const auto fits = GUFO_TRY(holdsFlat(*value, rest, depth + 1));
        if (fits && value->is(Kind::String)) {
            words.push_back(decodeUtf8(value->text));
        }
    }
    return Automaton::ofWords(words);
}

} // namespace gufo::inference
