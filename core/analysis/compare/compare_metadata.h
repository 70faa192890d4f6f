// The metadata of several models against that of a reference: keys, elements of arrays, and the tokenizer by token.
// Values are views of the models' files. Threads: any; it walks arrays, so not the UI thread.
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
    Changed, // another value or type
    Added,   // the reference does not have it
    Removed, // only the reference (or another model) has it
};

// Two arrays element by element.
struct ArrayDifference {
    struct Element {
        std::uint64_t index = 0;
        std::optional<Value> reference{}; // nothing past the end of the shorter one
        std::optional<Value> other{};
    };
    std::uint64_t referenceLength = 0;
    std::uint64_t otherLength = 0;
    std::uint64_t differing = 0;  // indexes, those past the end of the shorter one included
    std::vector<Element> first{}; // the first of them
};

struct MetadataRow {
    struct Cell {
        KeyStatus status = KeyStatus::Removed;
        std::optional<KvIndex> index{};            // where the model has the key
        bool typeOnly = false;                     // Changed: the same number or the same elements, of another type
        std::optional<ArrayDifference> elements{}; // Changed, both arrays of values
    };
    std::string_view key;
    bool chatTemplate = false; // tokenizer.chat_template and its named sisters: to be shown as a difference of lines
    std::vector<Cell> cells;   // by model

    // Same in all models.
    [[nodiscard]] bool same() const;
};

// A token whose id, score or type differs; nothing where one of them does not have it (or the property).
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
    std::uint64_t otherIds = 0;    // in both under other ids
    std::uint64_t otherScores = 0; // in both with other scores
    std::uint64_t otherTypes = 0;
    std::vector<TokenDifference> first{}; // by the reference's id, then those only in the other
    [[nodiscard]] bool same() const { return onlyInReference + onlyInOther + otherIds + otherScores + otherTypes == 0; }
};

struct MetadataComparison {
    std::vector<std::shared_ptr<const Model>> models; // kept alive: keys and values are views of their files
    std::size_t reference = 0;
    std::vector<MetadataRow> rows;                    // in the reference's order, then keys of the others
    std::vector<TokenizerDifference> tokenizers;      // by model; empty differences for the reference
    [[nodiscard]] bool same(std::size_t model) const; // metadata only
};

struct MetadataOptions {
    std::size_t maxElements = 100; // differences of each array that are kept
    std::size_t maxTokens = 1000;  // differences of each tokenizer that are kept
};
// Keys that occur twice in a model count by their first. Errors: InvalidArgument, Cancelled, Truncated (a file
// changed).
[[nodiscard]] Result<MetadataComparison> compareMetadata(std::span<const std::shared_ptr<const Model>> models,
                                                         std::size_t reference, const MetadataOptions& options = {},
                                                         const JobContext& job = {});

} // namespace gufo
