#include "hub/repository_models.h"

#include "base/ascii.h"
#include "base/detail.h"
#include "model/file_naming.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace gufo::hub {
namespace {

constexpr std::string_view kSuffix = ".gguf";
constexpr std::string_view kUsualQuantisation = "Q4_K_M";
constexpr std::string_view kDynamicPrefix = "UD-"; // of Unsloth's mixes

FileRole roleOf(std::string_view fileName, const FileNaming& naming) {
    const std::string lower = asciiLowerText(fileName);
    if (naming.sidecar == "mmproj" || lower.contains("mmproj")) {
        return FileRole::Projector;
    }
    if (naming.sidecar == "mtp") {
        return FileRole::Draft;
    }
    if (naming.type == "LoRA" || lower.starts_with("adapter-")) {
        return FileRole::Adapter;
    }
    return lower.contains("imatrix") ? FileRole::Importance : FileRole::Model;
}

// The quantisation of a name, with the prefix that says that it is another mix than usual.
std::string quantisationOf(std::string_view fileName, const FileNaming& naming) {
    if (naming.encoding.empty()) {
        return {};
    }
    const std::string prefixed = std::string(kDynamicPrefix) + naming.encoding;
    return fileName.contains(prefixed) ? prefixed : naming.encoding;
}

void addFile(ModelFiles& model, const RepositoryFile& file) {
    model.files.push_back(file);
    const std::uint64_t sum = model.bytes + file.bytes;
    model.bytes = sum >= model.bytes ? sum : UINT64_MAX;
}

ModelFiles modelOf(const RepositoryFile& file) {
    const FileNaming naming = parseFileNaming(file.fileName());
    ModelFiles model{.name = file.path,
                     .role = roleOf(file.fileName(), naming),
                     .quantisation = quantisationOf(file.fileName(), naming)};
    addFile(model, file);
    return model;
}

} // namespace

std::vector<ModelFiles> modelsIn(const Repository& repository) {
    std::vector<ModelFiles> models;
    std::map<std::string, std::size_t> sets; // index of the model, by the folder and the common part of its shards
    for (const RepositoryFile& file : repository.files) {
        if (!asciiLowerText(file.path).ends_with(kSuffix)) {
            continue;
        }
        const auto shard = parseShardName(file.fileName(), kSuffix);
        const std::string folder = file.path.substr(0, file.path.size() - file.fileName().size());
        const auto [set, isNew] =
            shard ? sets.try_emplace(folder + shardSetName(*shard), models.size()) : std::pair(sets.end(), true);
        if (isNew) {
            models.push_back(modelOf(file));
            models.back().missing = shard && shard->count > 0 ? shard->count - 1 : 0;
        } else { // the files are sorted by path, so shards come in their order
            ModelFiles& model = models[set->second];
            addFile(model, file);
            model.missing -= std::min(model.missing, 1U);
        }
    }
    std::ranges::sort(models, [](const ModelFiles& a, const ModelFiles& b) {
        return std::tie(a.role, a.bytes, a.name) < std::tie(b.role, b.bytes, b.name);
    });
    return models;
}

std::optional<ShardName> firstMissing(const ModelFiles& model) {
    for (std::size_t i = 0; model.missing != 0 && i <= model.files.size(); ++i) {
        const RepositoryFile& file = model.files[std::min(i, model.files.size() - 1)];
        auto shard = parseShardName(file.fileName(), kSuffix);
        if (shard && (i == model.files.size() || shard->number != i + 1)) {
            shard->number = static_cast<std::uint32_t>(i + 1);
            return shard;
        }
    }
    return std::nullopt;
}

Result<ModelFiles> chooseModel(const Repository& repository, const ModelName& name) {
    const auto failed = [&](ErrorCode code, Argument argument) {
        return std::unexpected(Error{code, shownName(repository.name), {}, {std::move(argument)}, 0});
    };
    std::vector<ModelFiles> models = modelsIn(repository);
    const auto keep = [&](auto&& isKept) {
        std::erase_if(models, [&](const ModelFiles& model) { return !isKept(model); });
    };
    if (!name.path.empty()) {
        keep([&](const ModelFiles& model) {
            return std::ranges::any_of(model.files, [&](const RepositoryFile& file) {
                return file.path == name.path || file.path.starts_with(name.path + '/');
            });
        });
        const auto file = std::ranges::find(repository.files, name.path, &RepositoryFile::path);
        if (models.empty() && file != repository.files.end()) {
            return modelOf(*file); // not GGUF, such as model.safetensors
        }
    }
    if (models.size() != 1 || !name.quantisation.empty()) {
        keep([](const ModelFiles& model) { return model.role == FileRole::Model; });
    }
    const auto isOf = [](std::string_view quantisation) {
        return [quantisation](const ModelFiles& model) { return equalIgnoringCase(model.quantisation, quantisation); };
    };
    std::string wanted = name.quantisation;
    if (wanted.empty() && models.size() > 1 && std::ranges::count_if(models, isOf(kUsualQuantisation)) == 1) {
        wanted = kUsualQuantisation;
    }
    if (!wanted.empty()) {
        const std::string prefixed = std::string(kDynamicPrefix) + wanted;
        keep(isOf(std::ranges::any_of(models, isOf(wanted)) ? wanted : prefixed));
    }
    if (models.size() == 1) {
        return std::move(models.front());
    }
    if (models.empty()) {
        const std::string& asked = name.quantisation.empty() ? name.path : name.quantisation;
        return failed(ErrorCode::NoSuchRemoteFile, asked.empty() ? std::string_view("*.gguf") : asked);
    }
    std::string names;
    for (const ModelFiles& model : models) {
        names += (names.empty() ? "" : ", ") + (model.quantisation.empty() ? model.name : model.quantisation);
    }
    return failed(ErrorCode::NotSupported, {Detail::SeveralRemoteModels, {models.size(), std::move(names)}});
}

namespace {

Result<ResolvedModel> resolveName(net::Client& client, const ModelName& name, const JobContext& job) {
    auto repository = GUFO_TRY(listRepository(client, name, job));
    auto model = GUFO_TRY(chooseModel(repository, name));
    if (const auto missing = firstMissing(model)) {
        Argument why(Detail::RemoteShardsMissing, {model.missing, missing->number, missing->count});
        return std::unexpected(Error{ErrorCode::NotSupported, shownName(name), {}, {std::move(why)}, 0});
    }
    return ResolvedModel{.repository = std::move(repository), .model = std::move(model)};
}

} // namespace

Result<ResolvedModel> resolveModel(net::Client& client, const ModelPlace& place, const JobContext& job) {
    if (const HubName* name = place.hubName()) {
        return resolveName(client, name->name, job);
    }
    const std::string text = place.text();
    const auto refused = [&](Argument why) {
        return std::unexpected(Error{ErrorCode::AddressRefused, place.keptText(), {}, {std::move(why)}, 0});
    };
    if (place.url() != nullptr && !net::isAddress(text)) {
        return refused({Detail::SchemeRefused, {text.substr(0, text.find("://"))}});
    }
    const std::string fileName = place.fileName();
    if (place.isLocal() || fileName.contains('/') || !isSafePath(fileName)) {
        return refused(Detail::AddressMalformed);
    }
    const RepositoryFile file{.path = fileName, .url = text};
    return ResolvedModel{.model = {.name = file.path, .files = {file}}};
}

} // namespace gufo::hub
