#include "inference/grammar/json_schema_scalars.h"

#include "base/detail.h"
#include "inference/grammar/grammar.h"
#include "inference/grammar/json_grammar.h"
#include "inference/grammar/json_schema_keywords.h"

namespace gufo::inference {
namespace {

using Kind = JsonValue::Kind;

constexpr std::uint64_t kMaxCount = Grammar::kMaxRepeats;

// Reads a count from a keyword.
Result<std::optional<std::uint64_t>> countOf(const JsonValue& schema, std::string_view keyword) {
    const JsonValue* value = schema.find(keyword);
    if (value == nullptr) {
        return std::nullopt;
    }
    const auto count = value->whole();
    if (!count || *count < 0 || static_cast<std::uint64_t>(*count) > kMaxCount) {
        return notUsable(value->place, {Detail::SchemaBadCount, {kMaxCount}});
    }
    return static_cast<std::uint64_t>(*count);
}

} // namespace

Result<Counts> countsOf(const JsonValue& schema, std::string_view minimum, std::string_view maximum) {
    const auto lower = countOf(schema, minimum);
    const auto upper = countOf(schema, maximum);
    if (!lower || !upper) {
        return std::unexpected((lower ? upper : lower).error());
    }
    if (*upper && **upper < lower->value_or(0)) {
        return notUsable(schema.find(maximum)->place, {Detail::SchemaCountsReversed, {maximum, minimum}});
    }
    return Counts{lower->value_or(0), *upper};
}
std::string repetition(std::uint64_t minimum, std::optional<std::uint64_t> maximum) {
    return "{" + std::to_string(minimum) + "," + (maximum ? std::to_string(*maximum) : "") + "}";
}

Result<std::string> stringRule(const JsonValue& schema) {
    const auto counts = countsOf(schema, "minLength", "maxLength");
    if (!counts) {
        return std::unexpected(counts.error());
    }
    const JsonValue* pattern = schema.find("pattern");
    const JsonValue* format = schema.find("format");
    const bool counted = counts->minimum != 0 || counts->maximum;
    if (pattern != nullptr) {
        if (format != nullptr || counted) {
            return notUsable(pattern->place, Detail::SchemaPatternBeside);
        }
        const auto characters = patternCharacters(pattern->text);
        if (!pattern->is(Kind::String) || !characters) {
            return notUsable(pattern->place, characters ? Argument(Detail::SchemaNotAPattern) : characters.error());
        }
        return "\"\\\"\" " + *characters + " \"\\\"\"";
    }
    if (format != nullptr) {
        const std::string_view rule = formatRule(format->text);
        if (rule.empty() || counted) {
            return notUsable(format->place, rule.empty() ? Argument(Detail::SchemaFormat, {format->text})
                                                         : Argument(Detail::SchemaFormatBeside));
        }
        return std::string(rule);
    }
    return counted ? "\"\\\"\" char" + repetition(counts->minimum, counts->maximum) + " \"\\\"\""
                   : std::string("string");
}

} // namespace gufo::inference
