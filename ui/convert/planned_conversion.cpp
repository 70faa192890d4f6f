#include "ui/convert/planned_conversion.h"

#include "convert/legacy_plan.h"
#include "formats/container/container.h"

#include <algorithm>

namespace gufo::ui {
namespace {

using Planned = std::shared_ptr<const PlannedConversion>;

Result<Planned> planOf(const std::shared_ptr<const convert::ConversionSource>& source,
                       const PlannedConversion* previous, const ConversionChoices& choices, const JobContext& job) {
    auto result = std::make_shared<PlannedConversion>();
    result->source = source;
    result->request = choices.request;
    auto plan = GUFO_TRY(convert::planFor(*source, choices.request, choices.base, job));
    result->plan = std::move(plan);
    result->bytes = GUFO_TRY(convert::convertedBytes(result->plan));
    const Model* model = source->folder.model().get();
    if (model == nullptr) {
        return result;
    }
    if (source->kind == convert::SourceKind::Legacy) {
        const bool known = previous != nullptr && previous->source == source;
        result->losses = GUFO_TRY(known ? previous->losses : convert::measureLoss(*model, result->plan, job));
    }
    const Model::Totals totals = model->totals();
    result->sourceBytes = totals.fileBytes;
    result->sourceBits = totals.bitsPerWeight;
    return result;
}

} // namespace

double PlannedConversion::bitsPerWeight() const {
    return plan.weights > 0 ? static_cast<double>(plan.tensorBytes) * 8 / static_cast<double>(plan.weights) : 0;
}

bool mayBeConverted(const Model& model) {
    const Container* container = containerOf(model);
    return container != nullptr && !container->capabilities.has(Capability::Run) &&
           (!container->folderFiles.empty() || convert::isLegacy(model));
}

PlanningResult planConversionOf(const std::filesystem::path& path,
                                std::shared_ptr<const convert::ConversionSource> source,
                                const PlannedConversion* previous, const ConversionChoices& choices,
                                const JobContext& job) {
    if (source == nullptr) {
        auto opened = convert::openConversionSource(path, job);
        if (!opened) {
            return {nullptr, std::unexpected(std::move(opened.error()))};
        }
        source = std::make_shared<const convert::ConversionSource>(std::move(*opened));
    }
    auto planned = planOf(source, previous, choices, job);
    return {std::move(source), std::move(planned)};
}

} // namespace gufo::ui
