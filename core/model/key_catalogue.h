// The standard keys: one row each, with type, meaning, and for which models it is required (key_facts.inc).
// Sources: the GGUF specification (gguf.md of ggml) and the keys that converters of llama.cpp write.
#pragma once

#include "model/metadata.h"
#include "model/value.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gufo {

enum class Requirement : std::uint8_t { Optional, Required, RequiredIfQuantised };

struct KeyFact {
    // "general.name"; "{arch}.block_count" for hyper-parameters, "{n}" for numbered keys, "{name}" for a free last word
    std::string_view key;
    ValueType type;                 // of the value, or Array
    ValueType elementType;          // of an array's elements; otherwise = type
    bool anyInteger;                // counts may be of any integer type (u32 or u64)
    bool scalarOrArray;             // one value, or one for each block (head counts, feed-forward lengths)
    std::string_view meaning;       // short, for the Meaning column; English, translated by the programs
    Requirement requirement;        // of hyper-parameters: for most architectures; requirementOf() knows for each
    std::string_view architectures; // that have it, comma-separated; empty = all
    std::string_view aliasOf;       // the standard name of an older or other spelling; empty otherwise
};
[[nodiscard]] std::span<const KeyFact> keyFacts();

// The row that describes a key of a model of that architecture; null for unknown keys.
[[nodiscard]] const KeyFact* describeKey(std::string_view key, std::string_view architecture);

// The standard name of a key that is an older or other spelling, of a model of that architecture; empty for others.
[[nodiscard]] std::string standardKey(std::string_view key, std::string_view architecture);

// Whether models of that architecture need the key. Architectures outside the table need what most need.
[[nodiscard]] Requirement requirementOf(const KeyFact& fact, std::string_view architecture);

// Whether a value's type (and its elements') is one that the key may have.
[[nodiscard]] bool acceptsType(const KeyFact& fact, const Value& value);

// Meaning of an inner node of the key tree ("general", "tokenizer.ggml", "{arch}.attention"); empty if unknown.
[[nodiscard]] std::string_view describeKeyGroup(std::string_view prefix, std::string_view architecture);

// Values that stand for names: general.file_type, tokenizer.ggml.token_type, pooling type ….
struct EnumName {
    std::int64_t value;
    std::string_view name; // "Q4_K_M", "CONTROL"
};
[[nodiscard]] std::span<const EnumName> enumNames(std::string_view key, std::string_view architecture);
[[nodiscard]] std::optional<std::string_view> enumName(std::string_view key, std::string_view architecture,
                                                       std::int64_t value);
// Values that runtimes know of a key whose value is a string (tokenizer.ggml.pre …); empty for others.
[[nodiscard]] std::span<const std::string_view> keyChoices(std::string_view key, std::string_view architecture);

// The value of `{arch}.suffix`, or of a spelling that means the same.
[[nodiscard]] const Value* findHyperParameter(const Metadata& metadata, std::string_view suffix);

// The architectures that the catalogue knows (architectures.cpp); one row each, also used by validate and the memory
// estimate.
struct ArchitectureFact {
    std::string_view name;        // "llama"
    std::string_view description; // "LLaMA and relatives"
    bool recurrent;               // no block has a KV cache: mamba, rwkv
    bool cache; // runs token by token, so that past keys and values are kept; false: encoders, diffusion
    // Which blocks attend to a sliding window only, where the file gives a window but no pattern: all but the last of
    // every `windowPeriod` (or all but the first, with `globalFirst`); 0: all, 1: none.
    std::uint8_t windowPeriod;
    bool globalFirst;
    std::uint32_t window;      // used where the file gives none; 0: there is no window then
    std::string_view required; // suffixes of hyper-parameters without which runtimes refuse the model, comma-separated
    std::string_view expected; // those that the specification demands and runtimes can do without
};
[[nodiscard]] std::span<const ArchitectureFact> architectureFacts();
[[nodiscard]] const ArchitectureFact* findArchitecture(std::string_view name);

} // namespace gufo
