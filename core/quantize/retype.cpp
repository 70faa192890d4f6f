#include "quantize/retype.h"

#include "base/detail.h"
#include "model/file_type.h"
#include "model/retyped_tensor.h"
#include "model/value_text.h"
#include "quantize/encode_pieces.h"
#include "quantize/quantize_model.h"
#include "quantize/recipe.h"
#include "tensor/encode.h"

#include <algorithm>
#include <string>
#include <utility>

namespace gufo {
namespace {

constexpr double kNominalShare = 0.1; // as the check of general.file_type expects

// The fraction of the weights of all matrices that will have the type.
double shareOf(const Model& model, const std::vector<PlannedTensor>& tensors, std::uint32_t typeId) {
    double all = 0;
    double nominal = 0;
    for (const PlannedTensor& planned : tensors) {
        const TensorInfo& tensor = model.tensor(planned.tensor);
        if (tensor.shape.count() >= 2) {
            const auto weights = static_cast<double>(tensor.weights());
            all += weights;
            nominal += planned.typeId == typeId ? weights : 0;
        }
    }
    return all > 0 ? nominal / all : 1;
}

// The whole plan, including the tensors that keep their types.
Result<RecipePlan> planOf(const Model& model, const std::vector<TypeOverride>& overrides) {
    auto plan = GUFO_TRY(planRecipe(model, {.overrides = overrides}));
    for (const PlannedTensor& planned : plan.tensors) {
        const TensorInfo& tensor = model.tensor(planned.tensor);
        if (planned.reason == TypeReason::Kept) {
            continue;
        }
        const Place place = Place::tensor(std::string(tensor.name));
        const auto asked =
            std::ranges::find_if(overrides, [&](const TypeOverride& each) { return each.matches(tensor.name); });
        const TensorTypeFact& type = *findTensorType(asked->typeId); // planRecipe() has checked it
        if (type.id != tensor.typeId && needsImportance(type.id)) {
            return fail(ErrorCode::InvalidArgument, place, {{Detail::TypeNeedsImportance, {type.name}}});
        }
        // Another type than the one that was asked for would be a surprise.
        if (planned.reason == TypeReason::Fallback) {
            return fail(ErrorCode::InvalidArgument, place,
                        {{Detail::RowNotWholeBlocks, {tensor.shape[0], type.name, type.blockSize}}});
        }
    }
    return plan;
}

} // namespace

Result<std::vector<PlannedTensor>> planRetyping(const Model& model, const std::vector<TypeOverride>& overrides) {
    auto plan = GUFO_TRY(planOf(model, overrides));
    std::erase_if(plan.tensors,
                  [&](const PlannedTensor& planned) { return planned.typeId == model.tensor(planned.tensor).typeId; });
    return std::move(plan.tensors);
}

Result<std::vector<Change>> retypeTensors(const std::shared_ptr<const Model>& model,
                                          const std::vector<TypeOverride>& overrides, const JobContext& job) {
    const auto plan = GUFO_TRY(planOf(*model, overrides));
    std::uint64_t weights = 0;
    for (const PlannedTensor& planned : plan.tensors) {
        const TensorInfo& tensor = model->tensor(planned.tensor);
        weights += planned.typeId != tensor.typeId ? tensor.weights() : 0;
    }
    job.start(weights);
    std::vector<Change> changes;
    bool quantised = false;
    for (const PlannedTensor& planned : plan.tensors) {
        const TensorInfo& tensor = model->tensor(planned.tensor);
        if (planned.typeId == tensor.typeId) {
            continue;
        }
        auto encoded = GUFO_TRY(RetypedTensor::encode(model, tensor, planned.typeId, job));
        const std::string name(tensor.name);
        changes.emplace_back(ImportTensor{.from = std::move(encoded), .name = name, .newName = name, .replace = true});
        quantised = quantised || findTensorType(planned.typeId)->kind == TensorTypeKind::Quantised;
    }
    if (changes.empty()) {
        return changes;
    }
    if (quantised && model->metadata.find("general.quantization_version") == nullptr) {
        changes.emplace_back(SetKey{"general.quantization_version", OwnedValue(Value(kQuantizationVersion))});
    }
    // The file type stays as long as a good part of the weights has its nominal type.
    const auto value = model->metadata.uint("general.file_type");
    const FileTypeFact* stated = value ? findFileType(*value) : nullptr;
    const FileTypeFact* now = mostFrequentType(plan.tensors);
    if (stated != nullptr && now != nullptr && now != stated &&
        shareOf(*model, plan.tensors, stated->tensorType) < kNominalShare) {
        std::string text;
        const auto number = convertValue(Value(now->value), typeOf(*model->metadata.find("general.file_type")), text);
        changes.emplace_back(SetKey{"general.file_type", OwnedValue(number ? *number : Value(now->value))});
    }
    return changes;
}

} // namespace gufo
