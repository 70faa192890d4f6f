// Answers whether a GGUF file is the model of a folder: every tensor of the file is compared with what the conversion
// makes of the folder, and every key with the one that it would write.
//
// The figures of a comparison say how far two files are from each other; this says whether the difference is one that
// the conversion explains. It needs no further knowledge of architectures: the plan is data (plan.h), and so is what is
// tried with a tensor that differs.
#pragma once

#include "analysis/compare/compare_metadata.h"
#include "analysis/compare/match_tensors.h"
#include "convert/origin/origin_model.h"
#include "convert/origin/row_proof.h"

#include <functional>

namespace gufo::convert {

// What would make a tensor equal that differs: a mistake of the program that wrote the file.
struct Misfit {
    enum class Kind : std::uint8_t {
        Without,     // equal if the operation is left out
        Reversed,    // equal if its inverse is done instead
        With,        // equal if the operation, which the plan does not have, is done at the end
        OtherTensor, // equal to another tensor of the plan
        RoundedTo,   // equal if the weights are first rounded to another type
    };
    Kind kind{};
    Operation operation{};    // of the first three
    std::size_t other = 0;    // row of the plan
    std::uint32_t typeId = 0; // of RoundedTo
    bool operator==(const Misfit&) const = default;
};

struct ProvedRow {
    ProvedTensor tensor;
    std::optional<Misfit> misfit{}; // of a tensor that is Different
};

// A key that the conversion writes and the file has not or has with another value. Keys that only the file has are no
// difference.
struct KeyDifference {
    std::size_t row = 0;      // of MetadataComparison::rows
    bool missing = false;     // in the file
    bool descriptive = false; // tells people about the model and changes nothing of what it computes: general.name
};

enum class OriginVerdict : std::uint8_t {
    Same,        // every tensor and every key that is not only descriptive
    SameWeights, // every tensor; keys differ
    Partly,      // most tensors
    Other,       // fewer than half of the tensors
};

struct OriginProof {
    std::size_t originModel = 0; // of TensorMatches::models
    std::size_t fileModel = 0;
    std::vector<ProvedRow> rows; // as TensorMatches::rows
    // A tensor may have several rows: its experts, or the parts of a fused one. For each row its tensor, and for each
    // tensor the worst proof of its rows, in the order of the enumeration.
    std::vector<std::size_t> tensorOf;
    std::vector<TensorProof> tensors;
    std::vector<KeyDifference> keys;
    std::optional<std::size_t> worst{}; // row: of those that differ, the one with the largest relative error
    OriginVerdict verdict = OriginVerdict::Other;

    // Of tensors.
    [[nodiscard]] std::uint64_t count(TensorProof proof) const;
    [[nodiscard]] std::uint64_t compared() const; // those that were requested
    [[nodiscard]] std::uint64_t same() const;
    // Keys that differ and are not only descriptive.
    [[nodiscard]] std::uint64_t keysThatMatter() const;
};

struct ProofOptions {
    std::function<bool(const TensorMatch&)> wanted{}; // empty: all rows
};

// `matches` are of two models, origin.model and a GGUF file, in either order, and so is `metadata`. Memory is bounded
// by a slot for each thread. Progress is in weights. Cancelling takes effect within 50 ms. Errors:
// FileChangedWhileReading, Cancelled; those of computing weights that belong to no tensor.
[[nodiscard]] Result<OriginProof> proveOrigin(const Origin& origin, const TensorMatches& matches,
                                              const MetadataComparison& metadata, const ProofOptions& options = {},
                                              const JobContext& job = {});

} // namespace gufo::convert
