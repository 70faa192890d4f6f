#include "convert/conversion_source.h"

#include "convert/adapter_base.h"
#include "convert/adapter_plan.h"
#include "convert/legacy_plan.h"
#include "document/open_model.h"
#include "formats/ggml/families.h"

#include <algorithm>
#include <array>
#include <fstream>

namespace gufo::convert {

std::filesystem::path ConversionSource::name() const {
    if (kind == SourceKind::Legacy) {
        return folder.model()->path().stem();
    }
    return std::filesystem::path(folder.name()).filename(); // without the owner
}

bool isLegacyFile(const std::filesystem::path& path) {
    std::array<char, 4> magic{};
    std::ifstream file(path, std::ios::binary);
    return file.read(magic.data(), magic.size()) &&
           std::ranges::any_of(ggml::formats(), [&](const ggml::Format& format) {
               return format.magic == std::string_view(magic.data(), magic.size());
           });
}

Result<ConversionSource> openConversionSource(const std::filesystem::path& path, const JobContext& job) {
    std::error_code error; // opening reports it
    const std::filesystem::path parent = path.parent_path().empty() ? "." : path.parent_path();
    const bool isFolder = std::filesystem::is_directory(path, error);
    if (!isFolder && isLegacyFile(path)) {
        auto model = GUFO_TRY(openModel(path, job));
        return Result<ConversionSource>({SourceKind::Legacy, SourceFolder::with(parent, std::move(model), {})});
    }
    auto folder = GUFO_TRY(isFolder ? SourceFolder::open(path, job) : SourceFolder::openWith(path, job));
    const SourceKind kind = isAdapter(folder) ? SourceKind::Adapter : SourceKind::Model;
    return ConversionSource{kind, std::move(folder)};
}

bool takesType(SourceKind kind, TensorType type) {
    return kind == SourceKind::Model ||
           (kind == SourceKind::Adapter && tensorTypeInfo(type).kind == TensorTypeKind::Float);
}

Result<ConversionPlan> planFor(const ConversionSource& source, const ConvertRequest& request,
                               const std::filesystem::path& base, const JobContext& job) {
    switch (source.kind) {
    case SourceKind::Legacy:
        return planLegacy(source.folder.model(), request.name, request.vocabularyOnly);
    case SourceKind::Adapter: {
        const auto opened = GUFO_TRY(openAdapterBase(base.empty() ? source.folder.folder() : base, job));
        AdapterRequest adapter{.name = request.name};
        if (const Recipe* recipe = request.recipe.recipe; recipe != nullptr) {
            adapter.type = recipe->type;
        }
        return planAdapter(source.folder, opened, adapter);
    }
    case SourceKind::Model:
        break;
    }
    return planConversion(source.folder, request, job);
}

} // namespace gufo::convert
