#include "ui/convert/planned_conversion.h"

#include "formats/format.h"

#include <algorithm>

namespace gufo::ui {

double PlannedConversion::bitsPerWeight() const {
    return plan.weights > 0 ? static_cast<double>(plan.tensorBytes) * 8 / static_cast<double>(plan.weights) : 0;
}

bool mayBeConverted(const Model& model) {
    const Container* container = containerOf(model);
    return container != nullptr && !container->folderFiles.empty() && !container->capabilities.has(Capability::Run);
}

Result<std::shared_ptr<const PlannedConversion>> planConversionOf(const std::filesystem::path& path,
                                                                  std::shared_ptr<const convert::SourceFolder> source,
                                                                  const convert::ConvertRequest& request,
                                                                  const JobContext& job) {
    if (source == nullptr) {
        std::error_code ignored; // reading the folder reports the error
        const std::filesystem::path parent = path.parent_path().empty() ? "." : path.parent_path();
        auto opened = convert::SourceFolder::open(std::filesystem::is_directory(path, ignored) ? path : parent, job);
        if (!opened) {
            return std::unexpected(std::move(opened.error()));
        }
        source = std::make_shared<const convert::SourceFolder>(std::move(*opened));
    }
    auto result = std::make_shared<PlannedConversion>();
    result->source = std::move(source);
    result->request = request;
    auto plan = convert::planConversion(*result->source, request, job);
    if (!plan) {
        return std::unexpected(std::move(plan.error()));
    }
    result->plan = std::move(*plan);
    const auto bytes = convert::convertedBytes(result->plan);
    if (!bytes) {
        return std::unexpected(bytes.error());
    }
    result->bytes = *bytes;
    if (const Model* model = result->source->model().get()) {
        const Model::Totals totals = model->totals();
        result->sourceBytes = totals.fileBytes;
        result->sourceBits = totals.bitsPerWeight;
    }
    return result;
}

} // namespace gufo::ui
