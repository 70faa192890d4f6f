// Answers whether a GGUF file is the model of a folder: every tensor and every key of the file is compared with the one
// that a conversion of the folder would write.
//
// The figures of a comparison state how large the differences between two files are; the proof states whether the
// conversion explains them. It contains no knowledge of architectures: the plan is data (plan.h), and so are the
// mistakes that are tried for a tensor that differs.
#pragma once

#include "analysis/compare/compare_metadata.h"
#include "analysis/compare/match_tensors.h"
#include "convert/origin/origin_model.h"
#include "convert/origin/row_proof.h"

#include <functional>

namespace gufo::convert {

// A mistake of the program that wrote the file, with which a tensor that differs, or that has other bits than Gufo's
// encoder makes, would be equal.
struct Misfit {
    enum class Kind : std::uint8_t {
        Without,     // equal if the operation is left out
        Reversed,    // equal if its inverse is applied instead
        Repeated,    // equal if the operation is applied twice
        With,        // equal if the operation, which the plan does not have, is applied at the end
        OtherTensor, // equal to another tensor of the plan
        OtherExpert, // equal to another expert of the same tensor
        RoundedTo,   // equal if the weights are first rounded to another type
    };
    Kind kind{};
    Operation operation{};    // of the first four
    std::size_t other = 0;    // row of the plan
    std::uint64_t expert = 0; // of OtherExpert
    std::uint32_t typeId = 0; // of RoundedTo
    bool operator==(const Misfit&) const = default;
};

struct ProvedRow {
    ProvedTensor tensor;
    std::optional<Misfit> misfit{}; // of a tensor that is Different, or Quantised after a detour through another type
};

// A key that the conversion writes, and that is missing in the file or has another value there. Keys that only the file
// has are not differences.
struct KeyDifference {
    std::size_t row = 0;      // of MetadataComparison::rows
    bool missing = false;     // in the file
    bool descriptive = false; // describes the model to people and does not affect what it computes: general.name
};

enum class OriginVerdict : std::uint8_t {
    Same,        // every tensor and every key that is not descriptive is the same
    SameWeights, // every tensor is the same; keys differ
    Partly,      // at least half of the tensors are the same, or mistakes explain all that differ
    Other,       // fewer than half of the tensors are the same
};

struct OriginProof {
    std::size_t originModel = 0; // of TensorMatches::models
    std::size_t fileModel = 0;
    std::vector<ProvedRow> rows; // as TensorMatches::rows
    // A tensor may have several rows: its experts, or the parts of a fused tensor. `tensorOf` has the index of the
    // tensor for each row, and `tensors` the worst proof of the rows of each tensor, in the order of the enumeration.
    std::vector<std::size_t> tensorOf;
    std::vector<TensorProof> tensors;
    std::vector<KeyDifference> keys;
    bool mistakesExplain = false;       // a mistake was found for each tensor that is not the same, as far as tried
    std::optional<std::size_t> worst{}; // the differing row with the largest relative error
    OriginVerdict verdict = OriginVerdict::Other;

    // Numbers of tensors.
    [[nodiscard]] std::uint64_t count(TensorProof proof) const;
    [[nodiscard]] std::uint64_t compared() const; // requested tensors
    [[nodiscard]] std::uint64_t same() const;
    // The number of keys that differ and are not descriptive.
    [[nodiscard]] std::uint64_t keysThatMatter() const;
};

struct ProofOptions {
    std::function<bool(const TensorMatch&)> wanted{}; // whether a row is compared; empty: all rows are
};

// `matches` are of two models, origin.model and a GGUF file, in either order, and so is `metadata`. Memory is bounded
// by a slot for each thread. JobContext::threads workers. Progress is in weights. A tensor that cannot be read is
// Failed; it is not an error of the proof. Errors: FileChangedWhileReading, Cancelled.
[[nodiscard]] Result<OriginProof> proveOrigin(const Origin& origin, const TensorMatches& matches,
                                              const MetadataComparison& metadata, const ProofOptions& options = {},
                                              const JobContext& job = {});

// The proof for one of several files that are compared with an origin.
struct FileProof {
    TensorMatches matches; // of the origin, which comes first and is the reference, and the file
    MetadataComparison metadata;
    OriginProof proof;
};
// Errors: the errors of matchTensors(), compareMetadata() and proveOrigin().
[[nodiscard]] Result<FileProof> proveFile(const Origin& origin, std::shared_ptr<const Model> file,
                                          const ProofOptions& options = {}, const JobContext& job = {});

} // namespace gufo::convert
