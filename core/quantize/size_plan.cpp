#include "quantize/size_plan.h"

#include "base/detail.h"
#include "model/tensor_role.h"
#include "quantize/recipe.h"
#include "quantize/what_if.h"
#include "tensor/encode.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

namespace gufo {
namespace {

// Weights on which errors are measured: at most so many of each tensor, and fewer of many tensors.
constexpr std::uint64_t kMostOfTensor = 1U << 17U;
constexpr std::uint64_t kLeastOfTensor = 1U << 15U;
constexpr std::uint64_t kMostOfModel = 1U << 22U;
constexpr int kBisections = 100;
constexpr double kMostOfTime = .9; // so that a dearer multiplier makes files smaller in any case

// The mean KL divergence when one tensor alone is reduced to a type of 1.5 bits, in nats.
struct RoleFactorRow {
    std::string_view role;
    double nats;
};
constexpr auto kPublished = std::to_array<RoleFactorRow>({
    {"output", .0863},
    {"token_embd", .0154},
    {"ffn_down", .0023},
    {"ffn_up", .0021},
    {"ffn_gate", .0019},
    {"attn_output", .0017},
    {"attn_qkv", .0015},
    {"ssm_out", .0015},
    {"ssm_in", .0015},
    {"attn_q", .0014},
    {"attn_gate", .0012},
    {"attn_v", .0012},
    {"attn_k", .0007},
    {"ssm_beta", .0004},
    {"ssm_alpha", .0003},
});
constexpr double kPublishedError = .25; // the relative squared error of that type
constexpr double kPublishedBlocks = 64; // of the model that was measured
constexpr double kPublishedLast = 3;    // the last block cost so many times as much as the others

double bitsOf(std::uint32_t typeId) { return findTensorType(typeId)->bitsPerWeight(); }

// Output and embedding fall apart below a certain number of bits, which their measured errors do not foretell.
double leastBits(const Model& model, const TensorInfo& tensor) {
    switch (recipePart(tensor.name)) {
    case RecipePart::Output:
        return 5.5;
    case RecipePart::TokenEmbedding:
        return model.findTensor("output.weight") ? 4.25 : 5.5; // a tied one is the output, too
    default:
        return 0;
    }
}

// Tensors that share a type.
struct Unit {
    std::vector<std::size_t> tensors; // by CostTable::tensors
    std::vector<TypeCost> types;      // their sums; Pareto front, ascending in price
    std::uint64_t weights = 0;
};

std::string unitName(const TensorInfo& tensor, const PlanRules& rules) {
    const TensorName name = parseTensorName(tensor.name);
    if (!rules.joined || !name.block) {
        return std::string(tensor.name);
    }
    const std::string block = std::to_string(*name.block) + ' ';
    switch (recipePart(tensor.name)) {
    case RecipePart::AttentionQuery:
    case RecipePart::AttentionKey:
    case RecipePart::AttentionValue:
        return block + "qkv";
    case RecipePart::FeedForwardGate:
    case RecipePart::FeedForwardUp: {
        // "ffn_gate_exps" and "ffn_up_exps" are a pair, and so are the matrices of shared experts.
        const std::size_t kind = name.role.find('_', std::string_view("ffn_").size());
        return block + "gate_up" + std::string(kind == std::string_view::npos ? "" : name.role.substr(kind));
    }
    default:
        return std::string(tensor.name);
    }
}

// Leaves only types for which no other is at most as dear, as large and as lossy. The first one is the cheapest.
void keepFront(std::vector<TypeCost>& types) {
    std::ranges::sort(types, [](const TypeCost& a, const TypeCost& b) {
        return std::tuple(a.price, a.nats, a.bytes) < std::tuple(b.price, b.nats, b.bytes);
    });
    std::vector<TypeCost> front;
    for (const TypeCost& type : types) {
        const bool better = std::ranges::any_of(
            front, [&](const TypeCost& other) { return other.nats <= type.nats && other.bytes <= type.bytes; });
        if (!better) {
            front.push_back(type);
        }
    }
    types = std::move(front);
}

enum class Floors : bool { Lifted, Kept }; // leastBits()

std::vector<Unit> unitsOf(const Model& model, const CostTable& costs, const PlanRules& rules,
                          Floors floors = Floors::Kept) {
    std::map<std::string, Unit> named;
    for (std::size_t i = 0; i < costs.tensors.size(); ++i) {
        const TensorInfo& tensor = model.tensor(costs.tensors[i].tensor);
        Unit& unit = named[unitName(tensor, rules)];
        unit.weights += tensor.weights();
        std::vector<TypeCost> types = costs.tensors[i].types;
        const double least = floors == Floors::Kept ? leastBits(model, tensor) : 0;
        std::erase_if(types, [&](const TypeCost& type) {
            return bitsOf(type.typeId) < least && type.typeId != costs.tensors[i].types.back().typeId;
        });
        if (unit.tensors.empty()) {
            unit.types = std::move(types);
        } else { // only types that fit all
            std::vector<TypeCost> sums;
            for (const TypeCost& sum : unit.types) {
                const auto same = std::ranges::find(types, sum.typeId, &TypeCost::typeId);
                if (same != types.end()) {
                    sums.push_back(
                        {.typeId = sum.typeId, .bytes = sum.bytes + same->bytes, .nats = sum.nats + same->nats});
                }
            }
            unit.types = std::move(sums);
        }
        unit.tensors.push_back(i);
    }
    std::vector<Unit> units;
    for (auto& [name, unit] : named) {
        if (unit.types.empty()) { // nothing fits all: each for itself
            for (const std::size_t i : unit.tensors) {
                units.push_back({{i}, costs.tensors[i].types, model.tensor(costs.tensors[i].tensor).weights()});
            }
        } else {
            units.push_back(std::move(unit));
        }
    }
    const auto slowest = std::ranges::max_element(rules.seconds, {}, [](const auto& row) { return row.second; });
    for (Unit& unit : units) {
        for (TypeCost& type : unit.types) {
            type.price = static_cast<double>(type.bytes);
            if (slowest != rules.seconds.end()) {
                // As if the slowest type had a byte for each weight.
                const auto own = rules.seconds.find(type.typeId);
                const double time = (own != rules.seconds.end() ? own->second : slowest->second) / slowest->second;
                type.price += kMostOfTime * rules.speed * (time * static_cast<double>(unit.weights) - type.price);
            }
        }
        keepFront(unit.types);
    }
    return units;
}

using Choice = std::vector<std::size_t>; // by unit: the type

struct Sums {
    std::uint64_t bytes = 0;
    double nats = 0;
};

Sums sumsOf(const std::vector<Unit>& units, const Choice& choice) {
    Sums sums;
    for (std::size_t i = 0; i < units.size(); ++i) {
        sums.bytes += units[i].types[choice[i]].bytes;
        sums.nats += units[i].types[choice[i]].nats;
    }
    return sums;
}

Choice choose(const std::vector<Unit>& units, double multiplier) {
    Choice choice;
    for (const Unit& unit : units) {
        const auto best = std::ranges::min_element(
            unit.types, {}, [&](const TypeCost& type) { return type.nats + multiplier * type.price; });
        choice.push_back(static_cast<std::size_t>(best - unit.types.begin()));
    }
    return choice;
}

Choice smallest(const std::vector<Unit>& units) {
    Choice choice;
    for (const Unit& unit : units) {
        choice.push_back(
            static_cast<std::size_t>(std::ranges::min_element(unit.types, {}, &TypeCost::bytes) - unit.types.begin()));
    }
    return choice;
}

Choice leastLossy(const std::vector<Unit>& units) {
    Choice choice;
    for (const Unit& unit : units) {
        choice.push_back(
            static_cast<std::size_t>(std::ranges::min_element(unit.types, {}, &TypeCost::nats) - unit.types.begin()));
    }
    return choice;
}

// The choice with the smallest multiplier that `fits`; nothing if not even the smallest types fit.
template<typename Fits>
Choice bisect(const std::vector<Unit>& units, const Fits& fits) {
    double low = 1e-30; // everything in its best type
    double high = 1e6;  // everything in its smallest type
    if (const Choice best = choose(units, low); fits(sumsOf(units, best))) {
        return best;
    }
    Choice result = choose(units, high);
    for (int i = 0; i < kBisections; ++i) {
        const double middle = std::sqrt(low * high);
        Choice choice = choose(units, middle);
        if (fits(sumsOf(units, choice))) {
            high = middle;
            result = std::move(choice);
        } else {
            low = middle;
        }
    }
    return result;
}

// Spends bytes that are left where they reduce the loss most.
void spend(const std::vector<Unit>& units, std::uint64_t bytes, Choice& choice) {
    std::uint64_t used = sumsOf(units, choice).bytes;
    while (true) {
        double best = 0;
        std::size_t unit = units.size();
        std::size_t type = 0;
        for (std::size_t i = 0; i < units.size(); ++i) {
            const TypeCost& now = units[i].types[choice[i]];
            for (std::size_t t = 0; t < units[i].types.size(); ++t) {
                const TypeCost& larger = units[i].types[t];
                if (larger.bytes <= now.bytes) {
                    continue;
                }
                const std::uint64_t more = larger.bytes - now.bytes;
                const double gain =
                    (now.nats - larger.nats) / std::max(static_cast<double>(more), larger.price - now.price);
                if (more <= bytes - used && gain > best) {
                    best = gain;
                    unit = i;
                    type = t;
                }
            }
        }
        if (unit == units.size()) {
            return;
        }
        used += units[unit].types[type].bytes - units[unit].types[choice[unit]].bytes;
        choice[unit] = type;
    }
}

// Takes the types away that would starve a unit: far fewer bits than the tensors have on average.
void forbidStarving(std::vector<Unit>& units, const Choice& choice) {
    constexpr double kStarving = .55;
    double bits = 0;
    double weights = 0;
    for (std::size_t i = 0; i < units.size(); ++i) {
        bits += 8 * static_cast<double>(units[i].types[choice[i]].bytes);
        weights += static_cast<double>(units[i].weights);
    }
    for (Unit& unit : units) {
        const auto enough = [&](const TypeCost& type) {
            return 8 * static_cast<double>(type.bytes) >=
                   kStarving * bits / weights * static_cast<double>(unit.weights);
        };
        if (std::ranges::any_of(unit.types, enough)) {
            std::erase_if(unit.types, [&](const TypeCost& type) { return !enough(type); });
        } else {
            unit.types = {*std::ranges::max_element(unit.types, {}, &TypeCost::bytes)};
        }
    }
}

SizePlan planOf(const CostTable& costs, const std::vector<Unit>& units, const Choice& choice) {
    const Sums sums = sumsOf(units, choice);
    SizePlan plan{.types = std::vector<std::uint32_t>(costs.tensors.size()),
                  .bytes = sums.bytes + costs.otherBytes,
                  .nats = sums.nats};
    for (std::size_t i = 0; i < units.size(); ++i) {
        for (const std::size_t tensor : units[i].tensors) {
            plan.types[tensor] = units[i].types[choice[i]].typeId;
        }
    }
    return plan;
}

} // namespace

std::uint64_t blocksOf(const Model& model) {
    std::uint64_t blocks = 0;
    for (const TensorInfo& tensor : model.tensors) {
        const auto block = parseTensorName(tensor.name).block;
        blocks = std::max(blocks, block ? *block + std::uint64_t{1} : 0);
    }
    return blocks;
}

Depth depthOf(const Model& model, const TensorInfo& tensor) {
    const auto block = parseTensorName(tensor.name).block;
    const std::uint64_t blocks = blocksOf(model);
    const std::uint64_t end = std::max<std::uint64_t>(1, blocks / 8);
    return !block || blocks < 4     ? Depth::Middle
           : *block < end           ? Depth::First
           : *block >= blocks - end ? Depth::Last
                                    : Depth::Middle;
}

double SensitivityFactors::of(const Model& model, const TensorInfo& tensor) const {
    if (const auto own = byTensor.find(tensor.name); own != byTensor.end()) {
        return common * own->second;
    }
    const auto known = byRole.find(parseTensorName(tensor.name).role);
    double factor = 0;
    if (known != byRole.end()) {
        factor = known->second;
    } else { // what was not measured must not pass for insensitive
        for (const auto& [role, other] : byRole) {
            factor = std::max(factor, role == "output" || role == "token_embd" ? 0 : other);
        }
    }
    const Depth depth = depthOf(model, tensor);
    return common * factor * (depth == Depth::First ? firstBlocks : depth == Depth::Last ? lastBlocks : 1);
}

SensitivityFactors publishedFactors(const Model& model) {
    SensitivityFactors factors;
    const double blocks = std::max(1.0, static_cast<double>(blocksOf(model)));
    for (const TensorInfo& tensor : model.tensors) {
        const std::string_view role = parseTensorName(tensor.name).role;
        // "ffn_down_exps" counts as "ffn_down".
        const auto* found = std::ranges::find_if(kPublished, [&](const RoleFactorRow& row) {
            return role == row.role || (role.starts_with(row.role) && row.role.starts_with("ffn_"));
        });
        if (found != kPublished.end()) {
            const bool perBlock = parseTensorName(tensor.name).block.has_value();
            factors.byRole.emplace(role, found->nats / kPublishedError * (perBlock ? kPublishedBlocks / blocks : 1));
        }
    }
    factors.lastBlocks = kPublishedLast;
    return factors;
}

Result<CostTable> tensorCosts(const Model& model, const std::shared_ptr<const Imatrix>& imatrix,
                              const std::vector<std::uint32_t>& types, const JobContext& job) {
    CostTable table;
    job.start(model.tensors.size());
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        const TensorInfo& tensor = model.tensors[i];
        const TensorTypeFact* const own = tensor.type();
        const bool floats = own != nullptr && own->kind == TensorTypeKind::Float;
        if (recipeKeeps(tensor) || !floats || !tensor.bytes || tensor.weights() == 0) {
            table.otherBytes += tensor.bytes.value_or(0);
            job.advance(1);
            continue;
        }
        WhatIfRequest request{.tensors = {TensorIndex(i)}, .types = {}, .imatrix = imatrix};
        request.maxWeights = std::clamp(kMostOfModel / model.tensors.size(), kLeastOfTensor, kMostOfTensor);
        request.both = false;
        for (const std::uint32_t type : types) {
            if (tensor.shape[0] % findTensorType(type)->blockSize == 0 && bitsOf(type) < own->bitsPerWeight()) {
                request.types.push_back(type);
            }
        }
        TensorCosts costs{.tensor = TensorIndex(i), .types = {}};
        if (!request.types.empty()) {
            const JobContext inner = job.silent();
            const auto study = GUFO_TRY(whatIf(model, request, {}, inner));
            for (const WhatIfType& type : study.types) {
                if (type.failure || type.tensorsThatFit == 0) {
                    continue;
                }
                const WhatIfLoss& loss = type.withImatrix ? *type.withImatrix : type.loss;
                const auto weighted = loss.weightedNmse();
                const double plain = loss.figures().nmse.value_or(0);
                table.hasImportance = table.hasImportance || weighted.has_value();
                if (weighted || !needsImportance(type.typeId)) {
                    costs.types.push_back({type.typeId, type.bytes, weighted.value_or(plain), plain});
                } else if (costs.ruinousBytes == 0 || type.bytes < costs.ruinousBytes) {
                    costs.ruinousBytes = type.bytes;
                }
            }
        }
        std::ranges::sort(costs.types, {}, &TypeCost::bytes);
        costs.types.push_back({tensor.typeId, *tensor.bytes});
        table.tensors.push_back(std::move(costs));
        job.advance(1);
    }
    return table;
}

void applyFactors(const Model& model, const SensitivityFactors& factors, CostTable& costs) {
    for (TensorCosts& tensor : costs.tensors) {
        const double factor = factors.of(model, model.tensor(tensor.tensor));
        for (TypeCost& type : tensor.types) {
            type.nats = factor * type.error;
        }
    }
}

std::uint64_t smallestBytes(const Model& model, const CostTable& costs, const PlanRules& rules) {
    const std::vector<Unit> units = unitsOf(model, costs, rules);
    return sumsOf(units, smallest(units)).bytes + costs.otherBytes;
}

std::vector<VetoedSize> vetoesInTheWay(const Model& model, const CostTable& costs, const PlanRules& rules) {
    const auto bytesOf = [&](const std::vector<Unit>& units) {
        return sumsOf(units, smallest(units)).bytes + costs.otherBytes;
    };
    std::vector<VetoedSize> sizes{
        {PlanVeto::OutputAndEmbedding, bytesOf(unitsOf(model, costs, rules, Floors::Lifted))},
        {PlanVeto::SharedTypes, bytesOf(unitsOf(model, costs, {.joined = false}))},
    };
    CostTable ruinous = costs;
    for (TensorCosts& tensor : ruinous.tensors) {
        if (tensor.ruinousBytes != 0 && leastBits(model, model.tensor(tensor.tensor)) == 0) {
            tensor.types = {{.typeId = tensor.types.front().typeId, .bytes = tensor.ruinousBytes}};
        }
    }
    sizes.push_back({PlanVeto::NoImportance, bytesOf(unitsOf(model, ruinous, rules))});
    const std::uint64_t smallest = smallestBytes(model, costs, rules);
    std::erase_if(sizes, [&](const VetoedSize& size) { return size.bytes >= smallest; });
    std::ranges::sort(sizes, {}, &VetoedSize::bytes);
    return sizes;
}

Result<SizePlan> planForSize(const Model& model, const CostTable& costs, std::uint64_t bytes, const PlanRules& rules) {
    std::vector<Unit> units = unitsOf(model, costs, rules);
    if (const std::uint64_t smallest = smallestBytes(model, costs, rules); smallest > bytes) {
        return fail(ErrorCode::InvalidArgument, {}, {Argument(Detail::TargetTooSmall, {bytes, smallest})});
    }
    const std::uint64_t budget = bytes - costs.otherBytes;
    const auto fits = [&](const Sums& sums) { return sums.bytes <= budget; };
    Choice choice = bisect(units, fits);
    if (!fits(sumsOf(units, choice))) { // only the smallest types do, and they are not the cheapest
        choice = smallest(units);
    }
    std::vector<Unit> fed = units;
    forbidStarving(fed, choice);
    if (Choice better = bisect(fed, fits); fits(sumsOf(fed, better))) {
        units = std::move(fed);
        choice = std::move(better);
    }
    spend(units, budget, choice);
    return planOf(costs, units, choice);
}

Result<SizePlan> planForLoss(const Model& model, const CostTable& costs, double nats, const PlanRules& rules) {
    std::vector<Unit> units = unitsOf(model, costs, rules);
    const Choice best = leastLossy(units);
    if (const double least = sumsOf(units, best).nats; least > nats || std::isnan(nats)) {
        return fail(ErrorCode::InvalidArgument, {},
                    {Argument(Detail::TargetTooClose, {std::to_string(nats), std::to_string(least)})});
    }
    // The largest multiplier whose loss is still small enough: bisection from the other side.
    const auto largest = [&](const std::vector<Unit>& of) {
        double low = 1e-30;
        double high = 1e6;
        Choice result = leastLossy(of);
        for (int i = 0; i < kBisections; ++i) {
            const double middle = std::sqrt(low * high);
            Choice choice = choose(of, middle);
            const bool fits = sumsOf(of, choice).nats <= nats;
            (fits ? low : high) = middle;
            if (fits) {
                result = std::move(choice);
            }
        }
        return result;
    };
    Choice choice = largest(units);
    forbidStarving(units, choice);
    return planOf(costs, units, largest(units));
}

} // namespace gufo
