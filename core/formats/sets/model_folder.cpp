#include "formats/sets/model_folder.h"

#include "base/detail.h"
#include "base/try.h"
#include "base/utf8.h"
#include "formats/container/container.h"
#include "formats/sets/folder_files.h"
#include "formats/sets/front_matter.h"
#include "formats/sets/json_metadata.h"
#include "model/finding_code.h"
#include "model/finding_list.h"

#include <algorithm>
#include <array>
#include <iterator>
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
struct CompanionRow {
    std::string_view name;
    Reading reading;
    std::string_view key;     // the prefix of its keys, or its key
    bool marksFolder = false; // a folder that has it is one model
};
constexpr auto kCompanions = std::to_array<CompanionRow>({
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

    void read(const fs::path& folder, const CompanionRow& row) {
        auto file = openInFolder(folder, row.name);
        if (!file) {
            const bool emptyCard = row.reading == Reading::FrontMatter && file.error().code == ErrorCode::EmptyFile;
            if (file.error().code != ErrorCode::FileNotFound && !emptyCard) {
                unreadable(row, file.error());
            }
            return;
        }
        if (auto added = add(row, **file); !added) {
            unreadable(row, added.error());
        }
        if (const auto damage = (*file)->damage()) {
            unreadable(row, *damage);
        }
        m_model.companions.push_back(*std::move(file));
    }

    [[nodiscard]] std::vector<Finding> findings() && { return std::move(m_findings).take(); }

private:
    Result<> add(const CompanionRow& row, const ByteSource& file) {
        const std::uint64_t limit = row.reading == Reading::Members ? kMaxMembersBytes : kMaxTextBytes;
        if (file.size() > limit) {
            return fail(ErrorCode::LimitExceeded, {}, {Detail::Bytes, file.size(), limit});
        }
        const auto bytes = GUFO_TRY(file.view({0, file.size()}));
        const std::string key(row.key);
        switch (row.reading) {
        case Reading::Members: {
            JsonMetadataOptions options;
            options.repeated = [&](const std::string& repeated) {
                m_findings.add(FindingCode::DuplicateKey, Place::key(repeated), {repeated});
            };
            return addJsonMetadata(m_metadata, textOf(bytes), key, options);
        }
        case Reading::Text:
            m_metadata.addView(key, textOf(bytes));
            return {};
        case Reading::Bytes:
            m_metadata.addView(
                key, ArrayView{.elementType = ValueType::UInt8, .length = bytes.size(), .bytes = bytes, .layout = {}});
            return {};
        case Reading::FrontMatter:
            if (auto card = addFrontMatter(m_metadata, textOf(bytes), key); card.problem) {
                return std::unexpected(*std::move(card).problem);
            }
            return {};
        }
        return {};
    }

    void unreadable(const CompanionRow& row, const Error& why) {
        m_findings.addUnreadable(FindingCode::CompanionUnreadable, row.name, why);
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
void reportSubfolders(const fs::path& folder, Model& model) {
    const std::vector<std::string> subfolders = subfoldersWithModels(folder);
    if (subfolders.empty()) {
        return;
    }
    const std::string file = model.files.front().path.filename().native();
    FindingList findings;
    findings.add(FindingCode::SubfoldersNotOpened, Place::fileName(file),
                 {file, subfolders.size(), subfolders.front()});
    std::ranges::move(std::move(findings).take(), std::back_inserter(model.findings));
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

// What training leaves beside a model: its options, and the states of the optimiser and of random numbers.
constexpr auto kTrainingState =
    std::to_array<std::string_view>({"training_args.", "optimizer.", "scheduler.", "scaler.", "rng_state"});

// The container of a file of weights by its name; null for other files.
const Container* weightsByName(std::string_view name) {
    const bool isState =
        std::ranges::any_of(kTrainingState, [&](std::string_view start) { return name.starts_with(start); });
    return isState ? nullptr : containerByName(name);
}

// The containers in the order in which their files in one folder are preferred.
std::vector<const Container*> preferredContainers() {
    std::vector<const Container*> order;
    for (const Container& container : containers()) {
        order.push_back(&container);
    }
    // Rows of one rank keep the order of the table. clang 19 rejects std::stable_sort of GCC 12's library.
    std::ranges::sort(order, {}, [](const Container* row) { return std::pair(row->folderRank, row); });
    return order;
}

// The only model among the files; the first file of a set stands for the set.
Result<std::string> onlyModel(const std::vector<std::string>& names) {
    for (const Container* preferred : preferredContainers()) {
        const Container& container = *preferred;
        std::set<std::string> models;
        std::string first;
        for (const std::string& name : names) {
            if (weightsByName(name) != &container) {
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

// Names for a sentence, which is kept short.
std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t kLargestText = 150;
    std::string text;
    for (const std::string& name : names) {
        if (text.size() + name.size() > kLargestText) {
            return text.empty() ? name.substr(0, cutBetweenCharacters(name, kLargestText)) + "…" : text + ", …";
        }
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

// Says which files of weights in the folder were used, if others were not.
void reportIgnored(const fs::path& folder, Model& model) {
    constexpr std::size_t kMaxOpened = 1000;
    std::set<std::string> used;
    for (const ModelFile& file : model.files) {
        used.insert(file.path.filename().native());
    }
    std::vector<std::string> ignored;
    std::size_t opened = 0;
    for (const std::string& name : filesIn(folder).value_or(std::vector<std::string>())) {
        if (used.contains(name) || weightsByName(name) == nullptr || ++opened > kMaxOpened) {
            continue;
        }
        const auto file = openInFolder(folder, name);
        const Container* container = file ? detectContainer(**file) : nullptr;
        if (container != nullptr && container->readable()) { // the name alone proves nothing
            ignored.push_back(name);
        }
    }
    if (!ignored.empty()) {
        FindingList findings;
        findings.add(FindingCode::FolderFilesIgnored, Place::fileName(ignored.front()),
                     {listed({used.begin(), used.end()}), listed(ignored)});
        std::ranges::move(std::move(findings).take(), std::back_inserter(model.findings));
    }
}

Result<std::shared_ptr<const Model>> readFolderWith(const fs::path& folder, std::string_view name,
                                                    const JobContext& job) {
    auto file = GUFO_TRY(openInFolder(folder, name));
    auto weights = GUFO_TRY(readModel(std::move(file), job));
    auto model = std::make_shared<Model>(*weights);
    if (capabilitiesOf(*model).has(Capability::Run)) { // it describes itself
        reportSubfolders(folder, *model);
        reportIgnored(folder, *model);
        return model;
    }
    Companions companions(*model);
    for (const CompanionRow& row : kCompanions) {
        GUFO_TRY(job.check());
        companions.read(folder, row);
    }
    std::ranges::move(std::move(companions).findings(), std::back_inserter(model->findings));
    reportIgnored(folder, *model);
    model->openedAs = folder;
    return model;
}

} // namespace

Result<fs::path> modelFileIn(const fs::path& folder) {
    const auto names = GUFO_TRY(filesIn(folder));
    for (const Container* container : preferredContainers()) {
        for (const std::string_view name : container->folderFiles) {
            if (std::ranges::binary_search(names, name)) {
                return folder / fs::path(name);
            }
        }
    }
    auto name = onlyModel(names);
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
        std::ranges::any_of(kCompanions, [&](const CompanionRow& row) { return row.marksFolder && has(row.name); });
    const bool listed = std::ranges::any_of(containers(), [&](const Container& container) {
        return std::ranges::any_of(container.folderFiles,
                                   [&](std::string_view name) { return name.ends_with(".json") && has(name); });
    });
    const auto file = described || listed ? modelFileIn(folder) : std::unexpected(Error{});
    const Container* container = file ? containerByName(file->filename()) : nullptr;
    return file && (container == nullptr || !container->capabilities.has(Capability::Run));
}

Result<std::shared_ptr<const Model>> readModelFolder(const fs::path& folder, const JobContext& job) {
    const auto path = GUFO_TRY(modelFileIn(folder));
    return readFolderWith(folder, path.filename().native(), job);
}

Result<std::shared_ptr<const Model>> readModelFolder(const fs::path& folder, std::string_view name,
                                                     const JobContext& job) {
    // The files of a set may only be known from its list, which the folder is opened by.
    auto whole = readModelFolder(folder, job);
    const bool contains = whole && std::ranges::any_of((*whole)->files, [&](const ModelFile& file) {
                              return file.path.filename().native() == name;
                          });
    const bool stop = contains || job.stopRequested();
    return stop ? std::move(whole) : readFolderWith(folder, name, job);
}

} // namespace gufo
