// The source of a conversion: a folder in Hugging Face's layout with its weights, its configuration, and the files that
// describe its tokenizer. Files are opened only within the folder (formats/sets/folder_files.h).
//
// Threads: immutable.
#pragma once

#include "base/job_context.h"
#include "base/json_value.h"
#include "model/model.h"

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gufo::convert {

// A file beside the weights. Copies share it.
struct SideFile {
    std::shared_ptr<const ByteSource> source;
    std::string_view text; // all of its bytes, which live as long as `source`
};

// A member of the configuration that was found.
struct Setting {
    const JsonValue* value = nullptr; // never null
    std::string from;                 // "config.json:text_config.hidden_size"

    // The value in a type; nothing if it is of another kind or out of range. A floating-point number without a fraction
    // is also an integer, and an integer is also a real number.
    [[nodiscard]] std::optional<std::uint64_t> natural() const;
    [[nodiscard]] std::optional<std::int64_t> integer() const { return value->whole(); }
    [[nodiscard]] std::optional<double> real() const { return value->real(); }
    [[nodiscard]] std::optional<bool> boolean() const;
    [[nodiscard]] std::optional<std::string_view> string() const;
};

class SourceFolder {
public:
    // Reads the weights' headers and the configuration. Errors: the errors of readModelFolder() and of whole().
    [[nodiscard]] static Result<SourceFolder> open(const std::filesystem::path& folder, const JobContext& job = {});
    // The same with the weights in a file of the folder, or in the set that it belongs to.
    [[nodiscard]] static Result<SourceFolder> openWith(const std::filesystem::path& weights,
                                                       const JobContext& job = {});
    // For a model that is open already; `model` may be null if only the side files are of interest. Errors: the errors
    // of the configuration's JSON.
    [[nodiscard]] static Result<SourceFolder> of(std::filesystem::path folder, std::shared_ptr<const Model> model);
    // The same with the weights of all of the model's parts, including parts in folders of their own (dense_modules.h),
    // as a conversion needs it. Errors: also the errors of withDenseModules().
    [[nodiscard]] static Result<SourceFolder> whole(const std::filesystem::path& folder,
                                                    std::shared_ptr<const Model> weights, const JobContext& job = {});

    // The same with another configuration than the folder's config.json.
    [[nodiscard]] static SourceFolder with(std::filesystem::path folder, std::shared_ptr<const Model> model,
                                           JsonValue config);

    // Null if the folder was given without its weights.
    [[nodiscard]] const std::shared_ptr<const Model>& model() const { return m_model; }
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }
    // The name of the model by its folder: "tiny-llama", or "owner/tiny-llama" if the folder is a snapshot in the cache
    // of Hugging Face, models--owner--tiny-llama/snapshots/COMMIT.
    [[nodiscard]] std::string name() const;

    // config.json as it is, or params.json of Mistral's own format; an empty object if there is none.
    [[nodiscard]] const JsonValue& config() const { return m_config; }
    [[nodiscard]] std::string_view configName() const { return m_configName; }
    // Whether there is such a file. Models without a folder need none.
    [[nodiscard]] bool hasConfig() const { return m_hasConfig; }
    // Whether tensors and settings have the names of Mistral's own format.
    [[nodiscard]] bool isMistralFormat() const;
    // The first of the given members that has a value other than null. Each name is looked for first in the
    // configuration of the text model (`text_config` and its like) and then in the outer object. A dot leads into an
    // object: "rope_parameters.rope_theta".
    [[nodiscard]] std::optional<Setting> find(std::initializer_list<std::string_view> names) const;
    [[nodiscard]] std::optional<Setting> find(std::string_view name) const { return find({name}); }

    // A file of the folder, "vocab.json", or of a folder in it, "1_Pooling/config.json"; nothing if there is none or it
    // is empty. Errors: LimitExceeded if it is larger than `maxBytes`; InvalidArgument if the name or a link leads out
    // of the folder; the errors of opening it.
    static constexpr std::uint64_t kMaxSideFileBytes = std::uint64_t{1} << 30U;
    [[nodiscard]] Result<std::optional<SideFile>> file(std::string_view name,
                                                       std::uint64_t maxBytes = kMaxSideFileBytes) const;
    // As file(), parsed as a tree; for configurations, not for vocabularies, which are too large. Errors: also the
    // errors of readJson().
    static constexpr std::uint64_t kMaxJsonBytes = 16U << 20U;
    [[nodiscard]] Result<std::optional<JsonValue>> json(std::string_view name) const;

private:
    SourceFolder() = default;

    std::filesystem::path m_folder;
    std::shared_ptr<const Model> m_model;
    JsonValue m_config;
    std::string_view m_configName;
    bool m_hasConfig = true;
};

} // namespace gufo::convert
