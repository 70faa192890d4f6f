// The compiler behind json_schema.h. It makes a rule of the grammar for each subschema, once for each place.
//
// A schema is first made flat: references, allOf, not, if and the dependencies of properties are resolved, const
// becomes enum, and what several parts demand of properties, elements, patterns and numbers is collected in lists. Of
// the combining keywords only anyOf and oneOf are left. Where no value conforms to a schema, its rule is one that never
// ends; Grammar::parse removes what leads to it.
//
// Sources: json_schema_flat.cpp makes schemas flat, json_schema_negation.cpp negates them, json_schema.cpp compiles the
// root and types, json_schema_combining.cpp alternatives, json_schema_strings.cpp rules of automata,
// json_schema_arrays.cpp and json_schema_objects.cpp containers, json_schema_arguments.cpp the arguments of calls that
// are not JSON; json_schema_values.cpp checks values.
//
// Thread contract: one thread at a time.
#pragma once

#include "base/error.h"
#include "base/json_value.h"
#include "inference/grammar/automaton.h"
#include "inference/grammar/json_schema_scalars.h"
#include "inference/grammar/value_notation.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

class SchemaCompiler {
public:
    // `arguments`: the values are arguments of a call that writes them in this way. It must outlive the compiler.
    explicit SchemaCompiler(const JsonValue& schema, const ArgumentNotation* arguments = nullptr)
        : m_root(schema)
        , m_arguments(arguments)
        , m_notation(arguments != nullptr ? arguments->values : ValueNotation())
        , m_level(arguments != nullptr ? Level::Arguments : Level::Value) {}
    // Returns the text of the grammar.
    Result<std::string> compile();
    // Whether a value conforms to the schema. Formats that are checked count as restrictions.
    Result<bool> conforms(const JsonValue& value);
    // Why no value conforms to some subschema.
    [[nodiscard]] const std::optional<Error>& nothingFits() const { return m_nothingFits; }

private:
    using Kind = JsonValue::Kind;
    static constexpr std::size_t kMaxDepth = 200;
    static constexpr std::size_t kMaxText = 4U << 20U;
    static constexpr std::size_t kMaxWork = 50'000; // schemas and values that are looked at
    // What is copied for them: values, and for each 16 bytes of its place another one. Lists of alternatives that must
    // all hold are copied into each other.
    static constexpr std::size_t kMaxCopies = 4'000'000;
    static constexpr std::size_t kMaxAlternatives = 1'000;
    static constexpr std::size_t kMaxExclusions = 20; // of an alternative of oneOf
    using Schemas = std::vector<JsonValue>;

    // What is being compiled: the outermost object of arguments; one of them that is written without quotes; any value.
    enum class Level : std::uint8_t { Value, Argument, Arguments };
    // Restores the level at the end of a block.
    struct LevelScope {
        LevelScope(Level& level, Level within)
            : at(level)
            , before(level) {
            level = within;
        }
        ~LevelScope() { at = before; }
        LevelScope(const LevelScope&) = delete;
        LevelScope& operator=(const LevelScope&) = delete;
        Level& at;
        Level before;
    };

    Result<std::string> addRule(const std::string& name, const std::string& body);
    std::string newName() { return "s" + std::to_string(m_count++); }
    // Returns the rule of a schema, made once for each place.
    Result<std::string> ruleOf(const JsonValue& schema, std::size_t depth);
    // Returns the rule of schemas that must all hold.
    Result<std::string> ruleOfAll(const std::vector<const JsonValue*>& schemas, std::size_t depth);
    Result<std::string> bodyOf(const JsonValue& flat, std::size_t depth);
    Result<std::string> byType(const JsonValue& flat, std::size_t depth);
    Result<std::string> literals(const JsonValue& flat, std::size_t depth);
    Result<> spend(const std::string& place, std::size_t depth);
    Result<> spendCopies(const JsonValue& value, std::size_t times);

    // References and combinations.
    Result<const JsonValue*> referred(const JsonValue& ref) const;
    static std::string pointerStep(std::string_view escaped);
    // The schema that has this "$id" or "$anchor"; null if there is none.
    const JsonValue* named(std::string_view keyword, std::string_view name) const;
    // Follows "$ref"; null if that leads nowhere.
    const JsonValue* resolved(const JsonValue& schema) const;
    Result<JsonValue> flat(const JsonValue& schema, std::size_t depth);
    // Copies the keywords of one schema, and adds to `parts` what must hold besides.
    Result<> flatten(const JsonValue& schema, JsonValue& own, Schemas& parts, std::size_t depth);
    static Result<> flattenProperties(const JsonValue& schema, JsonValue& own);
    static Result<> flattenElements(const JsonValue& schema, JsonValue& own);
    static Result<> checkScalars(const JsonValue& schema);
    Result<> addConditions(const JsonValue& schema, Schemas& parts, std::size_t depth);
    static Result<> addDependencies(const JsonValue& schema, Schemas& parts);
    Result<> merge(JsonValue& into, JsonValue from);
    Result<JsonValue> mergedAll(const std::vector<const JsonValue*>& schemas, std::size_t depth);
    // Returns schemas that together describe the complement: a value conforms to at least one of them if and only if it
    // does not conform to `schema`.
    Result<Schemas> negated(const JsonValue& schema, std::size_t depth);
    Result<Schemas> negatedKeyword(const JsonValue& schema, const std::string& name, const JsonValue& value,
                                   std::size_t depth);
    // The alternatives of anyOf or oneOf, each together with the rest of the schema.
    Result<Schemas> alternativesOf(const JsonValue& flat, const std::string& keyword, std::size_t depth);
    Result<std::string> alternatives(const JsonValue& flat, const std::string& keyword, std::size_t depth);
    // Whether no value generated for one schema satisfies the other, because of the type, the value, or a property that
    // both require.
    bool areDisjoint(const JsonValue& first, const JsonValue& second, std::size_t depth) const;

    // Adds rules that match the texts of an automaton and then `end`, as contents of a JSON string if `quoted`.
    Result<std::string> rulesOf(const Automaton& automaton, bool quoted, const std::string& end);
    Result<std::string> charactersRule(const std::string& characters);
    Result<std::string> stringRule(const JsonValue& flat);
    // One of `strings`, in quotes; nothing: any string that the notation can write.
    Result<std::string> quotedString(const std::optional<Automaton>& strings, bool unique);
    [[nodiscard]] std::string quote() const;
    Result<std::string> commonRules();
    Result<std::string> numberRule(const JsonValue& flat, bool integers);
    // Grammar text for `minimum` to `maximum` times the item, a rule.
    Result<std::string> repeated(const std::string& item, std::uint64_t minimum, std::optional<std::uint64_t> maximum);
    Result<std::string> exactly(const std::string& item, std::uint64_t count);
    Result<std::string> upTo(const std::string& item, std::uint64_t count);
    // The strings that a schema for names of properties allows.
    Result<std::optional<Automaton>> namesOf(const JsonValue& schema, std::size_t depth);

    Result<std::string> array(const JsonValue& flat, std::size_t depth);
    static Result<std::vector<const JsonValue*>> elementSchemas(const JsonValue& flat, std::size_t index, bool& closed);
    Result<std::string> arrayBody(const JsonValue& flat, Counts counts, std::size_t depth);
    Result<std::string> containing(const JsonValue& flat, const std::string& item,
                                   const std::vector<const JsonValue*>& rest, Counts counts, std::size_t depth);
    // Returns grammar text that matches the elements of an array: `first` in order and then, if it is set, `rest`
    // repeatedly. `counts` limits the number of elements.
    Result<std::string> elements(const std::vector<std::string>& first, const std::optional<std::string>& rest,
                                 Counts counts);
    // At least so many different values conform to the schema, if any does; at most `most`.
    Result<std::uint64_t> differentValues(const JsonValue& schema, std::uint64_t most, std::size_t depth);

    struct Property {
        std::string pair; // grammar text
        bool required;
    };
    struct Members {
        bool outermost = false; // arguments of a call that are not written as JSON
        std::vector<Property> named{};
        std::vector<std::string_view> names{}; // also names that must be absent
        std::string others{};                  // rule for a member that no name describes; empty: there is none
        std::uint64_t otherNames = 0;          // how many such names there are, at most Counts::kMost
    };
    Result<std::string> object(const JsonValue& flat, std::size_t depth);
    Result<> addNamed(const JsonValue& flat, const std::optional<Automaton>& names, Members& members,
                      std::size_t depth);
    // `needed`: the schema demands more members than it names.
    Result<> addOthers(const JsonValue& flat, const std::optional<Automaton>& names, bool needed, Members& members,
                       std::size_t depth);
    // What key sets demand of a property; nothing if one of them forbids it.
    Result<std::optional<std::vector<const JsonValue*>>> demandsOf(const JsonValue& flat, std::string_view name);
    Result<std::optional<std::vector<const JsonValue*>>> demandsOf(const std::vector<const JsonValue*>& keySets,
                                                                   std::string_view name);
    Result<const Automaton*> patternOf(const std::string& pattern, const std::string& place);
    [[nodiscard]] std::string commaOf(const Members& members) const;
    // The name of a member and its value; an argument also with its markers. Nothing where the notation cannot write
    // it.
    Result<std::optional<std::string>> pairOf(std::string_view name, const std::vector<const JsonValue*>& schemas,
                                              const Members& members, std::size_t depth);
    // The same for names of an automaton; `name` is their rule.
    Result<std::string> pairOfOthers(const Automaton& names, const std::vector<const JsonValue*>& schemas,
                                     const Members& members, std::size_t depth);
    Result<std::string> argumentOf(const std::string& name, text::JsonTypes types,
                                   const std::vector<const JsonValue*>& schemas, std::size_t depth);
    Result<std::string> rawStrings(text::JsonTypes types, const std::vector<const JsonValue*>& schemas,
                                   std::size_t depth);
    [[nodiscard]] std::string wordOf(Kind kind) const;
    Result<std::string> anyOrderRule(const Members& members);
    Result<std::string> membersRule(const Members& members);
    Result<std::string> countedMembersRule(const Members& members, Counts counts);

    Result<bool> holds(const JsonValue& value, const JsonValue& schema, std::size_t depth);
    Result<bool> holdsFlat(const JsonValue& value, const JsonValue& flat, std::size_t depth);
    Result<bool> holdsForObject(const JsonValue& value, const JsonValue& flat, std::size_t depth);
    Result<bool> holdsForArray(const JsonValue& value, const JsonValue& flat, std::size_t depth);
    static Result<bool> holdsForNumber(const JsonValue& value, const JsonValue& flat);

    const JsonValue& m_root;
    const ArgumentNotation* m_arguments;
    ValueNotation m_notation;
    Level m_level;
    std::map<std::string, std::string> m_known;      // rules by place
    std::map<std::string, std::string> m_repeated;   // rules of blocks by what they repeat
    std::map<std::string, std::string> m_characters; // rules by their text
    std::map<std::string, Automaton> m_patterns;
    std::string m_rules;
    std::size_t m_count = 0;
    std::size_t m_work = 0;
    std::size_t m_copies = 0;
    std::size_t m_patternWork = 0;
    bool m_checksFormats = true;        // of values
    mutable std::size_t m_compared = 0; // by areDisjoint()
    std::optional<Error> m_nothingFits;
    const JsonValue* m_unique = nullptr; // the uniqueItems whose elements are being compiled
};

} // namespace gufo::inference
