// The compiler behind json_schema.h. It makes a rule of the grammar for each subschema, once for each place.
//
// Sources: json_schema.cpp compiles the root, references and types, json_schema_combining.cpp combinations such as
// allOf and anyOf, and json_schema_containers.cpp arrays and objects.
//
// Thread contract: one thread at a time.
#pragma once

#include "base/error.h"
#include "base/json_value.h"
#include "inference/grammar/json_schema_scalars.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

class SchemaCompiler {
public:
    explicit SchemaCompiler(JsonValue schema)
        : m_root(std::move(schema)) {}
    // Returns the text of the grammar.
    Result<std::string> compile();

private:
    using Kind = JsonValue::Kind;
    static constexpr std::size_t kMaxDepth = 200;
    static constexpr std::size_t kMaxText = 4U << 20U;

    Result<std::string> addRule(const std::string& name, const std::string& body);
    std::string newName() { return "s" + std::to_string(m_count++); }
    // Returns the rule of a schema, made once for each place.
    Result<std::string> ruleOf(const JsonValue& schema, std::size_t depth);
    Result<std::string> bodyOf(const JsonValue& schema, std::size_t depth);
    Result<std::string> byType(const JsonValue& schema, std::size_t depth);
    Result<std::string> literals(const JsonValue& schema);

    // The schema that a "$ref" names.
    Result<const JsonValue*> referred(const JsonValue& ref) const;
    static std::string pointerStep(std::string_view escaped);
    // Follows "$ref"; null if that leads nowhere.
    const JsonValue* resolved(const JsonValue& schema) const;

    Result<std::vector<const JsonValue*>> partsOf(const JsonValue& list) const;
    // Merges the schema with `parts`, all of which must hold, and returns the rule.
    Result<std::string> mergedRule(const JsonValue& schema, std::string_view keyword,
                                   const std::vector<const JsonValue*>& parts, std::size_t depth);
    Result<JsonValue> merge(JsonValue into, const std::vector<const JsonValue*>& parts, const std::string& place,
                            std::size_t depth);
    Result<std::string> alternatives(const JsonValue& schema, const JsonValue& list, const std::string& keyword,
                                     std::size_t depth);
    // Whether no value generated for one schema satisfies the other, because of the type, the value, or a property that
    // both require.
    bool areDisjoint(const JsonValue& first, const JsonValue& second, std::size_t depth) const;

    Result<std::string> array(const JsonValue& schema, std::size_t depth);
    // Returns grammar text that matches the elements of an array: `first` in order and then, if it is set, `rest`
    // repeatedly. `counts` limits the number of elements.
    static std::string elements(const std::vector<std::string>& first, const std::optional<std::string>& rest,
                                Counts counts);
    Result<std::string> object(const JsonValue& schema, std::size_t depth);
    // Accepts bounds on the number of properties only where the other keywords already guarantee them.
    Result<> checkCounts(const JsonValue& schema, std::size_t named, bool open) const;

    JsonValue m_root;
    std::map<std::string, std::string> m_known; // by place
    std::string m_rules;
    std::size_t m_count = 0;
};

} // namespace gufo::inference
