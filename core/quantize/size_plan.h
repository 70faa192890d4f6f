// Chooses the type of each tensor so that a file has a given size, or a given divergence from the original, with the
// least expected loss.
//
// The loss of a tensor in a type is its relative squared error, weighted by importance if there is any, times a factor
// for its role and its place in the model, in nats of KL divergence. The factors are measured on the model itself
// (calibration.h), or published ones stand in for them. Losses add up, so one multiplier decides for all tensors: each
// takes the type with the smallest loss + multiplier × bytes. Bisection finds the multiplier, and the bytes that remain
// are spent where they help most.
//
// Threads: any; JobContext::threads workers compute errors.
#pragma once

#include "base/job_context.h"
#include "formats/imatrix/imatrix.h"
#include "model/model.h"
#include "quantize/runtime_profile.h"
#include "quantize/type_speed.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gufo {

// How much a relative squared error of 1 in a tensor costs, in nats.
struct SensitivityFactors {
    std::map<std::string, double, std::less<>> byRole;     // for a role that is missing: the largest of all
    std::map<std::string, double, std::less<>> byTensor{}; // of tensors that were measured, which need no other factor
    double firstBlocks = 1;                                // of the first eighth of the blocks
    double lastBlocks = 1;
    double common = 1; // because losses do not quite add up
    bool measured = false;

    [[nodiscard]] double of(const Model& model, const TensorInfo& tensor) const;
};
// Factors from published measurements of single roles (Thireus' GGUF-Tool-Suite, Qwen3.6-27B).
[[nodiscard]] SensitivityFactors publishedFactors(const Model& model);

// The number of blocks, by the names of the tensors, and the length of each end of the model that has its own factor.
[[nodiscard]] std::uint64_t blocksOf(const Model& model);
enum class Depth : std::uint8_t { First, Middle, Last };
[[nodiscard]] Depth depthOf(const Model& model, const TensorInfo& tensor);

struct TypeCost {
    std::uint32_t typeId = 0;
    std::uint64_t bytes = 0;
    double error = 0; // Σ e² / Σ w², weighted by importance if there is any
    double nmse = 0;  // the same of the same encoding, without weights
    double nats = 0;  // filled in by applyFactors()
    double price = 0; // what a search weighs against nats: the bytes, unless speed is preferred
};
struct TensorCosts {
    TensorIndex tensor{0};
    std::uint64_t ruinousBytes = 0; // in the smallest type left out because importance is missing; 0: no such type
    std::vector<TypeCost> types;    // ascending in bytes; only types that fit its rows; its own type is the last
};
struct CostTable {
    std::vector<TensorCosts> tensors; // the tensors that recipes quantise
    std::uint64_t otherBytes = 0;     // of all others, which keep their types
    bool hasImportance = false;
};

// Measures the errors of each tensor in each type on a sample of its weights. Types that ruin a model without
// importance are left out for tensors that have none. Progress is in tensors. Errors: the errors of whatIf().
[[nodiscard]] Result<CostTable> tensorCosts(const Model& model, const std::shared_ptr<const Imatrix>& imatrix,
                                            const std::vector<std::uint32_t>& types, const JobContext& job);
void applyFactors(const Model& model, const SensitivityFactors& factors, CostTable& costs);

struct PlanRules {
    bool joined = true; // queries, keys and values of a block share a type, and so do gate and up
    // How much the time of products counts beside bytes, from 0 to 1, and the times that were measured. Types that are
    // not in the table count as the slowest.
    double speed = 0;
    TypeSeconds seconds{};
};

// What keeps plans from being smaller, and the bytes of all tensors of the model in the smallest plan without it.
enum class PlanVeto : std::uint8_t {
    OutputAndEmbedding, // fall apart below a certain number of bits, which their measured errors do not foretell
    SharedTypes,        // PlanRules::joined
    NoImportance,       // types that ruin a model without importance
};
struct VetoedSize {
    PlanVeto veto;
    std::uint64_t bytes = 0;
};

struct SizePlan {
    std::vector<std::uint32_t> types; // by CostTable::tensors
    std::uint64_t bytes = 0;          // of all tensors of the model
    double nats = 0;                  // expected
};
// The bytes of all tensors of the model in the smallest plan.
[[nodiscard]] std::uint64_t smallestBytes(const Model& model, const CostTable& costs, const PlanRules& rules = {});
// The vetoes without which the smallest plan would be smaller, the one that saves most first.
[[nodiscard]] std::vector<VetoedSize> vetoesInTheWay(const Model& model, const CostTable& costs,
                                                     const PlanRules& rules = {});
// The plan with the least loss whose tensors have at most `bytes` bytes. Errors: InvalidArgument
// (Detail::TargetTooSmall).
[[nodiscard]] Result<SizePlan> planForSize(const Model& model, const CostTable& costs, std::uint64_t bytes,
                                           const PlanRules& rules = {});
// The smallest plan whose expected loss is at most `nats`. Errors: InvalidArgument (Detail::TargetTooClose).
[[nodiscard]] Result<SizePlan> planForLoss(const Model& model, const CostTable& costs, double nats,
                                           const PlanRules& rules = {});

} // namespace gufo
