#include "formats/model_folder.h"

#include "base/detail.h"
#include "formats/folder_files.h"
#include "formats/format.h"
#include "formats/front_matter.h"
#include "formats/json_metadata.h"
#include "model/finding_code.h"
#include "model/finding_list.h"

#include <algorithm>
#include <array>
#include <set>

namespace gufo {
namespace {

namespace fs = std::filesystem;

enum class Reading : std::uint8_t {
    Members,     // of a JSON object
    Text,        // as one string
    Bytes,       // as an array of bytes
    FrontMatter, // of a model card
};

// A file that describes a model.
struct CompanionFact {
    std::string_view name;
    Reading reading;
    std::string_view key;     // the prefix of its keys, or its key
    bool marksFolder = false; // a folder that has it is one model
};
constexpr auto kCompanions = std::to_array<CompanionFact>({
    {"config.json", Reading::Members, "config", true},
    {"params.json", Reading::Members, "params", true}, // Mistral AI's own format
    {"adapter_config.json", Reading::Members, "adapter_config", true},
    {"generation_config.json", Reading::Members, "generation_config"},
    {"quantize_config.json", Reading::Members, "quantize_config"},
    {"hf_quant_config.json", Reading::Members, "hf_quant_config"},
    {"preprocessor_config.json", Reading::Members, "preprocessor_config"},
    {"processor_config.json", Reading::Members, "processor_config"},
    {"tokenizer_config.json", Reading::Members, "tokenizer_config"},
    {"special_tokens_map.json", Reading::Members, "special_tokens_map"},
    {"added_tokens.json", Reading::Text, "added_tokens.json"},
    {"chat_template.json", Reading::Members, "chat_template"},
    {"chat_template.jinja", Reading::Text, "chat_template.jinja"},
    {"tokenizer.json", Reading::Text, "tokenizer.json"},
    {"tekken.json", Reading::Text, "tekken.json"},
    {"vocab.json", Reading::Text, "vocab.json"},
    {"vocab.txt", Reading::Text, "vocab.txt"},
    {"merges.txt", Reading::Text, "merges.txt"},
    {"tokenizer.model", Reading::Bytes, "tokenizer.model"},
    {"spiece.model", Reading::Bytes, "spiece.model"},
    {"sentencepiece.bpe.model", Reading::Bytes, "sentencepiece.bpe.model"},
    {"README.md", Reading::FrontMatter, "card"},
});

// Configuration files are small; a larger one is refused rather than parsed.
constexpr std::uint64_t kMaxMembersBytes = 16U << 20U;
// A text that is not a configuration is viewed where it is, so its size does not matter much.
constexpr std::uint64_t kMaxTextBytes = std::uint64_t{1} << 30U;
constexpr std::size_t kMaxEntries = 100'000;

std::string_view textOf(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

class Companions {
public:
    explicit Companions(Model& model)
        : m_model(model)
        , m_metadata(model) {}

    void read(const fs::path& folder, const CompanionFact& fact) {
        auto file = openInFolder(folder, fact.name);
        if (!file) {
            if (file.error().code != ErrorCode::FileNotFound && file.error().code != ErrorCode::EmptyFile) {
                unreadable(fact, file.error());
            }
            return;
        }
        if (auto added = add(fact, **file); !added) {
            unreadable(fact, added.error());
        }
        if (const auto damage = (*file)->damage()) {
            unreadable(fact, *damage);
        }
        m_model.companions.push_back(*std::move(file));
    }

    [[nodiscard]] std::vector<Finding> findings() && { return std::move(m_findings).take(); }

private:
    Result<> add(const CompanionFact& fact, const ByteSource& file) {
        const std::uint64_t limit = fact.reading == Reading::Members ? kMaxMembersBytes : kMaxTextBytes;
        if (file.size() > limit) {
            return fail(ErrorCode::LimitExceeded, {}, {Detail::Bytes, file.size(), limit});
        }
        const auto bytes = file.view({0, file.size()});
        if (!bytes) {
            return std::unexpected(bytes.error());
        }
        const std::string key(fact.key);
        switch (fact.reading) {
        case Reading::Members: {
            JsonMetadataOptions options;
            options.repeated = [&](const std::string& repeated) {
                m_findings.add(FindingCode::DuplicateKey, Place::key(repeated), {repeated});
            };
            return addJsonMetadata(m_metadata, textOf(*bytes), key, options);
        }
        case Reading::Text:
            m_metadata.addView(key, textOf(*bytes));
            return {};
        case Reading::Bytes:
            m_metadata.addView(
                key,
                ArrayView{.elementType = ValueType::UInt8, .length = bytes->size(), .bytes = *bytes, .layout = {}});
            return {};
        case Reading::FrontMatter:
            addFrontMatter(m_metadata, textOf(*bytes), key);
            return {};
        }
        return {};
    }

    void unreadable(const CompanionFact& fact, const Error& why) {
        m_findings.add(FindingCode::CompanionUnreadable, Place::fileName(std::string(fact.name)),
                       {fact.name, errorName(why.code)});
    }

    Model& m_model;
    MetadataBuilder m_metadata;
    FindingList m_findings;
};

// The names of the subfolders that contain models, whether or not one of them could be opened.
std::vector<std::string> subfoldersWithModels(const fs::path& folder) {
    std::error_code error;
    std::vector<std::string> names;
    std::size_t entries = 0;
    for (fs::directory_iterator it(folder, error), end; !error && it != end && ++entries < kMaxEntries;
         it.increment(error)) {
        std::error_code unreadable;
        const std::string name = it->path().filename().native();
        if (name.starts_with('.') || !it->is_directory(unreadable)) { // hidden ones are caches
            continue;
        }
        const auto file = modelFileIn(it->path());
        const bool several =
            !file && !file.error().args.empty() && file.error().args.front().detail() == Detail::SeveralModels;
        if (file || several) {
            names.push_back(name);
        }
    }
    std::ranges::sort(names);
    return names;
}

// Says that a folder was opened as its only model file, although its subfolders contain others.
std::shared_ptr<const Model> withSubfoldersNamed(std::shared_ptr<const Model> model, const fs::path& folder) {
    const std::vector<std::string> subfolders = subfoldersWithModels(folder);
    if (subfolders.empty()) {
        return model;
    }
    const std::string file = model->files.front().path.filename().native();
    FindingList findings;
    findings.add(FindingCode::SubfoldersNotOpened, Place::fileName(file),
                 {file, subfolders.size(), subfolders.front()});
    auto named = std::make_shared<Model>(*model);
    for (Finding& finding : std::move(findings).take()) {
        named->findings.push_back(std::move(finding));
    }
    return named;
}

// The names of the regular files in a folder.
Result<std::vector<std::string>> filesIn(const fs::path& folder) {
    std::error_code error;
    std::vector<std::string> names;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        std::error_code unreadable;
        if (names.size() < kMaxEntries && it->is_regular_file(unreadable)) {
            names.push_back(it->path().filename().native());
        }
    }
    if (error) {
        return std::unexpected(systemError(error.value(), folder));
    }
    std::ranges::sort(names);
    return names;
}

// The only model among the files; the first file of a set stands for the set.
Result<std::string> onlyModel(const std::vector<std::string>& names) {
    for (const Container& container : containers()) {
        std::set<std::string> models;
        std::string first;
        for (const std::string& name : names) {
            const Container* byName = containerByName(name);
            if (byName != &container) {
                continue;
            }
            const auto set = container.setOf != nullptr ? container.setOf(name) : std::nullopt;
            if (models.insert(set.value_or(name)).second && first.empty()) {
                first = name;
            }
        }
        if (models.size() > 1) {
            return fail(ErrorCode::NotSupported, {}, {Argument(Detail::SeveralModels, {models.size()})});
        }
        if (!models.empty()) {
            return first;
        }
    }
    return fail(ErrorCode::NotSupported, {}, {Detail::NoModelInFolder});
}

} // namespace

Result<fs::path> modelFileIn(const fs::path& folder) {
    const auto names = filesIn(folder);
    if (!names) {
        return std::unexpected(names.error());
    }
    for (const Container& container : containers()) {
        for (const std::string_view name : container.folderFiles) {
            if (std::ranges::binary_search(*names, name)) {
                return folder / fs::path(name);
            }
        }
    }
    auto name = onlyModel(*names);
    if (!name) {
        return std::unexpected(std::move(name).error().in(folder));
    }
    return folder / *name;
}

bool isModelFolder(const fs::path& folder) {
    const auto names = filesIn(folder);
    if (!names) {
        return false;
    }
    const auto has = [&](std::string_view name) { return std::ranges::binary_search(*names, name); };
    const bool described =
        std::ranges::any_of(kCompanions, [&](const CompanionFact& fact) { return fact.marksFolder && has(fact.name); });
    const bool listed = std::ranges::any_of(containers(), [&](const Container& container) {
        return std::ranges::any_of(container.folderFiles,
                                   [&](std::string_view name) { return name.ends_with(".json") && has(name); });
    });
    const auto file = described || listed ? modelFileIn(folder) : std::unexpected(Error{});
    const Container* container = file ? containerByName(file->filename()) : nullptr;
    return file && (container == nullptr || !container->capabilities.has(Capability::Run));
}

Result<std::shared_ptr<const Model>> readModelFolder(const fs::path& folder, const JobContext& job) {
    const auto path = modelFileIn(folder);
    if (!path) {
        return std::unexpected(path.error());
    }
    auto file = openInFolder(folder, path->filename().native());
    if (!file) {
        return std::unexpected(std::move(file).error());
    }
    auto weights = readModel(*std::move(file), job);
    if (!weights) {
        return weights;
    }
    if (capabilitiesOf(**weights).has(Capability::Run)) { // it describes itself
        return withSubfoldersNamed(*std::move(weights), folder);
    }
    auto model = std::make_shared<Model>(**weights);
    Companions companions(*model);
    for (const CompanionFact& fact : kCompanions) {
        if (job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        companions.read(folder, fact);
    }
    std::vector<Finding> findings = std::move(companions).findings();
    model->findings.insert(model->findings.end(), findings.begin(), findings.end());
    model->openedAs = folder;
    return model;
}

} // namespace gufo
