#include "quantize/plan_file.h"

#include "base/detail.h"
#include "inference/engine/gufo_engine.h"
#include "tensor/encode.h"

#include <QRegularExpression>

#include <algorithm>
#include <map>

namespace gufo {
namespace {

QString textOf(std::string_view bytes) { return QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size())); }

// The loss that the types of a file are expected to cause. A tensor that keeps its type loses nothing.
void addUpLoss(const Model& model, const CostTable& costs, RecipeOutcome& outcome) {
    for (const TensorCosts& tensor : costs.tensors) {
        const std::uint32_t type = outcome.file.tensors()[tensor.tensor.value].typeId;
        const auto known = std::ranges::find(tensor.types, type, &TypeCost::typeId);
        if (known != tensor.types.end()) {
            outcome.nats += known->nats;
        } else if (type != model.tensor(tensor.tensor).typeId) {
            ++outcome.unknown;
        }
    }
}

bool canBeWritten(std::uint32_t typeId) {
    return std::ranges::any_of(encodableTypes(),
                               [typeId](TensorType type) { return static_cast<std::uint32_t>(type) == typeId; });
}

} // namespace

std::expected<void, BadPattern> addRecipe(const RecipeFile& recipe, RecipeRequest& request) {
    for (const RecipeFile::Rule& rule : recipe.rules) {
        const QRegularExpression pattern(textOf(rule.pattern));
        if (!pattern.isValid()) {
            return std::unexpected(
                BadPattern{.line = rule.line, .pattern = rule.pattern, .reason = pattern.errorString()});
        }
        request.overrides.push_back(
            {.matches = [pattern](std::string_view name) { return pattern.match(textOf(name)).hasMatch(); },
             .typeId = rule.typeId,
             .pattern = rule.pattern});
    }
    request.rest = recipe.rest;
    return {};
}

RecipeFile recipeOfTypes(const Model& model, const CostTable& costs, std::span<const std::uint32_t> types,
                         RecipeHeader header) {
    std::map<std::uint32_t, std::vector<TensorIndex>> byType;
    for (std::size_t i = 0; i < types.size(); ++i) {
        byType[types[i]].push_back(costs.tensors[i].tensor);
    }
    RecipeFile recipe;
    recipe.header = std::move(header);
    const auto covered = static_cast<std::size_t>(
        std::ranges::count_if(model.tensors, [](const TensorInfo& tensor) { return !recipeKeeps(tensor); }));
    const auto most = std::ranges::max_element(byType, {}, [](const auto& entry) { return entry.second.size(); });
    for (const auto& [type, tensors] : byType) {
        if (most != byType.end() && type == most->first && covered == costs.tensors.size()) {
            recipe.rest = type;
            continue;
        }
        for (std::string& pattern : patternsOf(model, tensors)) {
            recipe.rules.push_back({.pattern = std::move(pattern), .typeId = type});
        }
    }
    return recipe;
}

RecipeFile recipeLike(const Model& model, const CostTable& costs, const Model& other, std::size_t& unlike) {
    std::vector<std::uint32_t> types;
    unlike = 0;
    for (const TensorCosts& tensor : costs.tensors) {
        const TensorInfo& own = model.tensor(tensor.tensor);
        const auto theirs = other.findTensor(own.name);
        const std::uint32_t type = theirs ? other.tensor(*theirs).typeId : own.typeId;
        const bool fits = theirs && canBeWritten(type);
        unlike += fits ? 0 : 1;
        types.push_back(fits ? type : own.typeId);
    }
    return recipeOfTypes(model, costs, types,
                         {{"model", std::string(model.metadata.string("general.name").value_or(""))},
                          {"like", other.path().filename().string()}});
}

Result<RecipeOutcome> outcomeOf(const Model& model, const CostTable& costs, RecipeFile recipe, QuantizeRequest request,
                                const JobContext& job) {
    RecipeOutcome outcome{.recipe = std::move(recipe), .request = std::move(request), .file = {}};
    outcome.request.recipe.overrides.clear();
    outcome.request.recipeText = recipeFileText(outcome.recipe);
    if (const auto added = addRecipe(outcome.recipe, outcome.request.recipe); !added) {
        return fail(ErrorCode::InvalidArgument, {}, {added.error().pattern});
    }
    outcome.file = GUFO_TRY(planQuantization(model, outcome.request, job));
    addUpLoss(model, costs, outcome);
    return outcome;
}

std::optional<std::uint64_t> memoryBesideWeights(const std::shared_ptr<const Model>& model, std::uint64_t context) {
    inference::SessionOptions options;
    options.context = static_cast<std::uint32_t>(context);
    const auto forecast = inference::forecastMemory(model, options, {});
    return forecast ? std::optional(forecast->needs.anonymous()) : std::nullopt;
}

Result<RecipeOutcome> planFile(const Model& model, const CostTable& costs, const PlanTarget& target,
                               const PlanRules& rules, const RecipeHeader& header, const QuantizeRequest& request,
                               const JobContext& job) {
    const auto describe = [&](const SizePlan& plan) {
        RecipeHeader lines = header;
        lines.emplace_back("expected-kl", std::to_string(plan.nats));
        return outcomeOf(model, costs, recipeOfTypes(model, costs, plan.types, std::move(lines)), request, job);
    };
    if (target.nats) {
        return describe(GUFO_TRY(planForLoss(model, costs, *target.nats, rules)));
    }
    // The header contains the recipe, so that its size is known only of a plan. The first attempt has no limit; if the
    // header of a later plan turns out longer than the header of the plan before, the plan is made again.
    constexpr int kAttempts = 8;
    const std::uint64_t limit = target.fileBytes.value_or(0);
    std::uint64_t bytes = target.tensorBytes.value_or(model.totals().tensorBytes);
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        const SizePlan plan = GUFO_TRY(planForSize(model, costs, bytes, rules));
        RecipeOutcome outcome = GUFO_TRY(describe(plan));
        if (!target.fileBytes || outcome.file.fileBytes <= limit) {
            return outcome;
        }
        const std::uint64_t rest = outcome.file.fileBytes - plan.bytes;
        if (const std::uint64_t smallest = smallestBytes(model, costs, rules) + rest; smallest > limit) {
            return fail(ErrorCode::InvalidArgument, {}, {Argument(Detail::TargetTooSmall, {limit, smallest})});
        }
        bytes = limit - rest;
    }
    // Headers that grow while plans shrink: a plan with a margin for them.
    const SizePlan plan = GUFO_TRY(planForSize(model, costs, bytes - bytes / 100, rules));
    RecipeOutcome outcome = GUFO_TRY(describe(plan));
    return outcome.file.fileBytes <= limit ? Result<RecipeOutcome>(std::move(outcome))
                                           : fail(ErrorCode::InvalidArgument, {},
                                                  {Argument(Detail::TargetTooSmall, {limit, outcome.file.fileBytes})});
}

} // namespace gufo
