// Compares the metadata of several models with the metadata of a reference: keys, elements of arrays, and the tokenizer
// token by token. Values are views of the models' files. Threads: any but the UI thread, because arrays are walked.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gufo {

enum class KeyStatus : std::uint8_t {
    Same,    // same type and value, bit for bit
    Changed, // different value or type
    Added,   // missing in the reference
    Removed, // missing in this model
};

// The differences of two arrays, element by element.
struct ArrayDifference {
    struct Element {
        std::uint64_t index = 0;
        std::optional<Value> reference{}; // no value beyond the end of the shorter array
        std::optional<Value> other{};
    };
    std::uint64_t referenceLength = 0;
    std::uint64_t otherLength = 0;
    std::uint64_t differing = 0;  // number of differing indices, including indices beyond the end of the shorter array
    std::vector<Element> first{}; // the first differences
};

struct MetadataRow {
    struct Cell {
        KeyStatus status = KeyStatus::Removed;
        std::optional<KvIndex> index{};            // the model's entry, if it has the key
        bool typeOnly = false;                     // Changed: same number or elements, but of another type
        std::optional<ArrayDifference> elements{}; // Changed: set if both are arrays
    };
    std::string_view key;
    bool chatTemplate = false; // tokenizer.chat_template or a named template, which is shown as a line-by-line
                               // difference
    std::vector<Cell> cells;   // by model

    // Whether all models have the same value.
    [[nodiscard]] bool same() const;
};

// A token whose id, score or type differs. A member has no value if that model lacks the token or the property.
struct TokenDifference {
    std::string_view text;
    std::optional<std::uint32_t> referenceId{};
    std::optional<std::uint32_t> otherId{};
    std::optional<float> referenceScore{};
    std::optional<float> otherScore{};
    std::optional<std::int32_t> referenceType{};
    std::optional<std::int32_t> otherType{};
};

struct TokenizerDifference {
    std::uint64_t referenceTokens = 0;
    std::uint64_t otherTokens = 0;
    std::uint64_t onlyInReference = 0;
    std::uint64_t onlyInOther = 0;
    std::uint64_t otherIds = 0;    // in both, with different ids
    std::uint64_t otherScores = 0; // in both, with different scores
    std::uint64_t otherTypes = 0;
    std::vector<TokenDifference> first{}; // sorted by the reference's id, followed by tokens that only the other model
                                          // has
    [[nodiscard]] bool same() const { return onlyInReference + onlyInOther + otherIds + otherScores + otherTypes == 0; }
};

struct MetadataComparison {
    std::vector<std::shared_ptr<const Model>> models; // owned, because keys and values are views of their files
    std::size_t reference = 0;
    std::vector<MetadataRow> rows;                    // in the reference's order, followed by keys that only other
                                                      // models have
    std::vector<TokenizerDifference> tokenizers;      // by model; empty for the reference
    [[nodiscard]] bool same(std::size_t model) const; // metadata only
};

struct MetadataOptions {
    std::size_t maxElements = 100; // maximum number of differences kept per array
    std::size_t maxTokens = 1000;  // maximum number of differences kept per tokenizer
};
// If a key occurs twice in a model, its first value counts. The space that saving reserves in a header
// (gguf::kReservedKey) is no metadata and left out. Errors: InvalidArgument, Cancelled, Truncated (a file has
// changed).
[[nodiscard]] Result<MetadataComparison> compareMetadata(std::span<const std::shared_ptr<const Model>> models,
                                                         std::size_t reference, const MetadataOptions& options = {},
                                                         const JobContext& job = {});

// Equality of metadata values from different files, independent of byte order and version.

// Whether type and value are the same. Floats are compared bit by bit, arrays element by element.
[[nodiscard]] bool sameValue(const Value& a, const Value& b);
// Whether both are the same number; their types may differ.
[[nodiscard]] bool sameNumber(const Value& a, const Value& b);

// Compares arrays element by element. If the element types differ, numbers are compared by value. Errors: Cancelled,
// Truncated (the file has changed).
[[nodiscard]] Result<ArrayDifference> compareArrays(const ArrayView& a, const ArrayView& b, std::size_t maxElements,
                                                    const JobContext& job);

} // namespace gufo
