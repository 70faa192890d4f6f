#include "convert/source_folder.h"

#include "base/detail.h"
#include "convert/dense_modules.h"
#include "formats/container/container.h"
#include "formats/sets/folder_files.h"
#include "formats/sets/model_folder.h"

#include <algorithm>
#include <array>

namespace gufo::convert {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kConfig = "config.json";
constexpr std::string_view kMistralConfig = "params.json";

// Under which the configuration of the text model is kept in models of several modalities.
constexpr auto kTextConfigs = std::to_array<std::string_view>(
    {"text_config", "llm_config", "lm_config", "language_config", "thinker_config.text_config", "lfm"});

// The member that a dotted name leads to, unless it is null.
const JsonValue* follow(const JsonValue& from, std::string_view name) {
    const JsonValue* at = &from;
    while (true) {
        const std::size_t dot = name.find('.');
        at = at->find(name.substr(0, dot));
        if (at == nullptr || at->is(JsonValue::Kind::Null)) {
            return nullptr;
        }
        if (dot == name.npos) {
            return at;
        }
        name.remove_prefix(dot + 1);
    }
}

Result<std::shared_ptr<const ByteSource>> openSideFile(const fs::path& folder, std::string_view name) {
    const std::size_t slash = name.find('/');
    return slash == name.npos ? openInFolder(folder, name)
                              : openInSubfolder(folder, name.substr(0, slash), name.substr(slash + 1));
}

} // namespace

std::optional<std::uint64_t> Setting::natural() const {
    const auto whole = value->whole();
    return whole && *whole >= 0 ? std::optional(static_cast<std::uint64_t>(*whole)) : std::nullopt;
}

std::optional<bool> Setting::boolean() const {
    return value->isBool() ? std::optional(value->is(JsonValue::Kind::True)) : std::nullopt;
}

std::optional<std::string_view> Setting::string() const {
    return value->is(JsonValue::Kind::String) ? std::optional<std::string_view>(value->text) : std::nullopt;
}

Result<SourceFolder> SourceFolder::open(const fs::path& folder, const JobContext& job) {
    auto model = GUFO_TRY(readModelFolder(folder, job));
    return whole(folder, std::move(model), job);
}

Result<SourceFolder> SourceFolder::openWith(const fs::path& weights, const JobContext& job) {
    const fs::path folder = weights.parent_path().empty() ? "." : weights.parent_path();
    auto model = GUFO_TRY(readModelFolder(folder, weights.filename().native(), job));
    return whole(folder, std::move(model), job);
}

Result<SourceFolder> SourceFolder::whole(const fs::path& folder, std::shared_ptr<const Model> weights,
                                         const JobContext& job) {
    auto source = GUFO_TRY(of(folder, std::move(weights)));
    source.m_model = GUFO_TRY(withDenseModules(source, job));
    return source;
}

SourceFolder SourceFolder::with(fs::path folder, std::shared_ptr<const Model> model, JsonValue config) {
    SourceFolder source;
    source.m_folder = std::move(folder);
    source.m_model = std::move(model);
    source.m_config = std::move(config);
    source.m_configName = kConfig;
    source.m_config.kind = JsonValue::Kind::Object;
    return source;
}

Result<SourceFolder> SourceFolder::of(fs::path folder, std::shared_ptr<const Model> model) {
    SourceFolder source = with(std::move(folder), std::move(model), {});
    // Without a configuration, the folder is no model. An empty one is not missing, but was not downloaded whole.
    if (const auto file = openSideFile(source.m_folder, kConfig); !file && file.error().code == ErrorCode::EmptyFile) {
        return std::unexpected(file.error());
    }
    auto config = GUFO_TRY(source.json(kConfig));
    // A folder with both configurations has the weights in both formats, so the names in the opened weights decide.
    const bool mistralNames = source.m_model != nullptr && source.m_model->findTensor("tok_embeddings.weight");
    if (!config || mistralNames) {
        auto params = GUFO_TRY(source.json(kMistralConfig));
        if (params) {
            config = std::move(params);
            source.m_configName = kMistralConfig;
        }
    }
    source.m_hasConfig = config.has_value();
    if (config) {
        source.m_config = *std::move(config);
    }
    return source;
}

std::string SourceFolder::name() const {
    constexpr std::string_view kModels = "models--";
    constexpr std::string_view kSeparator = "--";
    std::error_code error; // a relative name remains as it is
    fs::path folder = fs::absolute(m_folder, error).lexically_normal();
    folder = folder.has_filename() ? folder : folder.parent_path();
    const std::string cached = folder.parent_path().parent_path().filename().native();
    if (folder.parent_path().filename() != "snapshots" || !cached.starts_with(kModels)) {
        return folder.filename().native();
    }
    std::string name = cached.substr(kModels.size());
    for (std::size_t at = name.find(kSeparator); at != name.npos; at = name.find(kSeparator, at)) {
        name.replace(at, kSeparator.size(), "/");
    }
    return name;
}

bool SourceFolder::isMistralFormat() const { return m_configName == kMistralConfig; }

std::optional<Setting> SourceFolder::find(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
        for (const std::string_view inner : kTextConfigs) {
            const JsonValue* text = follow(m_config, inner);
            if (const JsonValue* value = text == nullptr ? nullptr : follow(*text, name)) {
                return Setting{value, std::string(m_configName) + ":" + std::string(inner) + "." + std::string(name)};
            }
        }
        if (const JsonValue* value = follow(m_config, name)) {
            return Setting{value, std::string(m_configName) + ":" + std::string(name)};
        }
    }
    return std::nullopt;
}

Result<std::optional<SideFile>> SourceFolder::file(std::string_view name, std::uint64_t maxBytes) const {
    auto source = openSideFile(m_folder, name);
    if (!source) {
        if (source.error().code == ErrorCode::FileNotFound || source.error().code == ErrorCode::EmptyFile) {
            return std::nullopt;
        }
        return std::unexpected(std::move(source).error());
    }
    const std::uint64_t size = (*source)->size();
    if (size > maxBytes) {
        return std::unexpected(
            Error{ErrorCode::LimitExceeded, (*source)->path(), {}, {Detail::Bytes, size, maxBytes}, 0});
    }
    const auto bytes = GUFO_TRY((*source)->view({0, size}));
    // What stands for the file, or came instead of it, must not be read as its content.
    constexpr auto kStandIns = std::to_array<std::string_view>({"git_lfs", "html"});
    const Container* container = detectContainer(**source);
    if (container != nullptr && !name.ends_with(".md") &&
        std::ranges::find(kStandIns, container->id) != kStandIns.end()) {
        return std::unexpected(refusalOf(**source));
    }
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return SideFile{*std::move(source), text};
}

Result<std::optional<JsonValue>> SourceFolder::json(std::string_view name) const {
    auto text = GUFO_TRY(file(name, kMaxJsonBytes));
    if (!text) {
        return std::nullopt;
    }
    auto value = readJson(text->text, JsonDialect::Python);
    if (!value) {
        return std::unexpected(std::move(value).error().in(text->source->path()));
    }
    return *std::move(value);
}

} // namespace gufo::convert
