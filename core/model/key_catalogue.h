// The catalogue of standard keys. Each key is a row of key_facts.inc with its type, the models that require it, and its
// meaning in words. Sources: the GGUF specification (gguf.md of ggml) and the keys that
// llama.cpp's converters write.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "model/metadata.h"
#include "model/value.h"

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gufo {

enum class Requirement : std::uint8_t { Optional, Required, RequiredIfQuantised };

struct KeyFact {
    // For example, "general.name" or "{arch}.block_count". "{n}" stands for a number, "{name}" for any last word.
    std::string_view key;
    ValueType type;                 // type of the value, or Array
    ValueType elementType;          // type of an array's elements; for other values the same as `type`
    bool anyInteger;                // any integer type is accepted; no runtime reads the key, or none minds its type
    bool scalarOrArray;             // either one value or one for each block (head counts, feed-forward lengths)
    Requirement requirement;        // for hyper-parameters, what most architectures need; see requirementOf()
    std::string_view architectures; // architectures that have the key, comma-separated; empty: all
    std::string_view aliasOf;       // the standard name, if this key is another spelling of it; otherwise empty
    // The values that a model can have: the limits of a single number or of the length of a text in bytes. Elements of
    // arrays have no limits.
    double least;
    double most;
};
[[nodiscard]] std::span<const KeyFact> keyFacts();

// The row of a key in a model of the given architecture, or null if the key is unknown.
[[nodiscard]] const KeyFact* describeKey(std::string_view key, std::string_view architecture);

// The standard name of a key that is another spelling of it in models of that architecture; empty for other keys.
[[nodiscard]] std::string standardKey(std::string_view key, std::string_view architecture);

// Whether models of that architecture need the key. Unknown architectures are assumed to need what most need.
[[nodiscard]] Requirement requirementOf(const KeyFact& fact, std::string_view architecture);

// Whether the key may have a value of this type and element type. Runtimes read single values only in the exact type,
// and arrays of integers also if their elements have the other sign (llama.cpp stops at any other with "wrong type").
[[nodiscard]] bool acceptsType(const KeyFact& fact, const Value& value);

// Whether a model can have the value, whatever integer type it has. NaN is outside of all limits.
[[nodiscard]] bool isPossible(const KeyFact& fact, const Value& value);
// Whether the catalogue limits the numbers or texts of the key at all.
[[nodiscard]] bool hasLimits(const KeyFact& fact);
// Limits of numbers that must be more than 0.
inline constexpr double kAboveZero = std::numeric_limits<double>::denorm_min();

// The catalogue's name of an inner node of the key tree ("general", "tokenizer.ggml", "{arch}.attention"); empty if
// unknown.
[[nodiscard]] std::string_view keyGroup(std::string_view prefix, std::string_view architecture);
[[nodiscard]] std::span<const std::string_view> keyGroups();

// Names of numeric values: general.file_type, tokenizer.ggml.token_type, pooling type ….
struct EnumName {
    std::int64_t value;
    std::string_view name; // "Q4_K_M", "CONTROL"
};
[[nodiscard]] std::span<const EnumName> enumNames(std::string_view key, std::string_view architecture);
[[nodiscard]] std::optional<std::string_view> enumName(std::string_view key, std::string_view architecture,
                                                       std::int64_t value);
// The values that runtimes know for a key with string values (tokenizer.ggml.pre …), and the licences that hubs know
// for general.license; empty for other keys.
[[nodiscard]] std::span<const std::string_view> keyChoices(std::string_view key, std::string_view architecture);

// The value of `{arch}.suffix` or of another spelling of that key.
[[nodiscard]] const Value* findHyperParameter(const Metadata& metadata, std::string_view suffix);

} // namespace gufo
