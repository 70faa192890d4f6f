#include "convert/conversion_source.h"

#include "base/detail.h"
#include "base/mapped_file.h"
#include "convert/adapter_plan.h"
#include "convert/architecture.h"
#include "convert/legacy_plan.h"
#include "document/open_model.h"
#include "formats/container/container.h"
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
           (kind == SourceKind::Adapter && tensorTypeFact(type).kind == TensorTypeKind::Float);
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

namespace {

// A setting of config.json on which operations depend, and the key of GGUF, without the name of the architecture, that
// has its value.
struct SettingRow {
    std::string_view setting;
    std::string_view key;
};
constexpr auto kSettings = std::to_array<SettingRow>({
    {"num_hidden_layers", "block_count"},
    {"num_attention_heads", "attention.head_count"},
    {"num_key_value_heads", "attention.head_count_kv"},
    {"hidden_size", "embedding_length"},
    {"head_dim", "attention.key_length"},
    {"num_local_experts", "expert_count"},
    {"intermediate_size", "feed_forward_length"},
    {"linear_num_key_heads", "ssm.group_count"},
    {"linear_num_value_heads", "ssm.time_step_rank"},
    {"linear_key_head_dim", "ssm.state_size"},
});

} // namespace

Result<SourceFolder> adapterBaseOf(std::shared_ptr<const Model> gguf) {
    const std::string_view name = gguf->metadata.architecture();
    const auto row = std::ranges::find(architectures(), name, &Architecture::name);
    if (row == architectures().end()) {
        return fail(ErrorCode::NotSupported, {}, {Detail::AdapterBaseUnknown});
    }
    std::string config = "{\"architectures\":[" + quotedJson(row->classes.front()) + "]";
    for (const auto& [setting, keyName] : kSettings) {
        const std::string key = gguf->metadata.architectureKey(keyName);
        if (const auto value = gguf->metadata.uint(key)) {
            config += "," + quotedJson(setting) + ":" + std::to_string(*value);
        } else if (gguf->metadata.array(key) != nullptr && keyName.starts_with("attention.")) {
            return fail(ErrorCode::NotSupported, Place::key(key), {Argument(Detail::SettingMissing, {setting})});
        }
    }
    auto tree = GUFO_TRY(readJson(config + "}"));
    std::filesystem::path folder = gguf->path().parent_path();
    return SourceFolder::with(std::move(folder), std::move(gguf), std::move(tree));
}

Result<SourceFolder> openAdapterBase(const std::filesystem::path& path, const JobContext& job) {
    if (std::error_code error; std::filesystem::is_directory(path, error)) {
        auto source = SourceFolder::of(path, nullptr);
        return !source || !ModelFacts(*source).modelClass().empty()
                   ? std::move(source)
                   : std::unexpected(Error{ErrorCode::NotSupported, path, {}, {Detail::AdapterBaseUnknown}, 0});
    }
    auto file = MappedFile::open(path);
    auto model = file ? readModel(*std::move(file), job) : std::unexpected(std::move(file).error());
    if (!model) {
        return std::unexpected(std::move(model).error().in(path));
    }
    auto base = adapterBaseOf(*std::move(model));
    return base ? std::move(base) : std::unexpected(std::move(base).error().in(path));
}

} // namespace gufo::convert
