#include "convert/adapter_base.h"

#include "base/detail.h"
#include "base/mapped_file.h"
#include "convert/architecture.h"
#include "formats/container/container.h"

#include <algorithm>
#include <array>

namespace gufo::convert {
namespace {

// A setting of config.json on which operations depend, and the key of GGUF, without the name of the architecture, that
// has its value.
struct KeyOfSetting {
    std::string_view setting;
    std::string_view key;
};
constexpr auto kSettings = std::to_array<KeyOfSetting>({
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
    auto tree = readJson(config + "}");
    if (!tree) {
        return std::unexpected(std::move(tree).error());
    }
    std::filesystem::path folder = gguf->path().parent_path();
    return SourceFolder::with(std::move(folder), std::move(gguf), *std::move(tree));
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
