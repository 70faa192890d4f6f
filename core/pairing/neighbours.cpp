#include "pairing/neighbours.h"

#include "base/try.h"
#include "document/folder_models.h"
#include "model/finding_code.h"

#include <algorithm>
#include <array>

namespace gufo {
namespace {

namespace fs = std::filesystem;

bool isNamedProjector(const fs::path& fileName) { return fileName.native().find("mmproj") != std::string::npos; }
bool isNamedModel(const fs::path& fileName) { return !isNamedProjector(fileName); }

// The folder of a model in a file on this computer.
std::optional<fs::path> folderOf(const Model& model) {
    if (model.files.empty()) {
        return std::nullopt;
    }
    const fs::path& path = model.files[model.openedFile.value].path;
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) ? std::optional(fs::absolute(path, ignored).parent_path()) : std::nullopt;
}

bool isSameFile(const Model& a, const Model& b) {
    std::error_code ignored;
    return fs::equivalent(a.files.front().path, b.files.front().path, ignored);
}

std::string nameOf(const Model& model) { return model.files.front().path.filename().native(); }

void insert(Validation& validation, Finding finding) {
    const auto at = std::ranges::find_if(validation.findings,
                                         [&](const Finding& other) { return other.severity() < finding.severity(); });
    validation.findings.insert(at, std::move(finding));
}

// The first of `others` that goes together with the file. Nothing is read that needs not be.
Result<const Model*> firstThatFits(const std::shared_ptr<const Model>& file,
                                   const std::vector<std::shared_ptr<const Model>>& others, const JobContext& job) {
    for (const auto& other : others) {
        if ((fileKind(*other) == FileKind::Projector) == (fileKind(*file) == FileKind::Projector)) {
            continue;
        }
        const Pairing pairing = GUFO_TRY(checkPairing(file, other, job));
        if (pairing.kind == PairKind::Projector && pairing.verdict() != PairVerdict::DoesNotFit) {
            return other.get();
        }
    }
    return nullptr;
}

} // namespace

bool isSameModel(const Model& a, const Model& b) {
    const auto number = [](const Model& model, const char* suffix) {
        return model.metadata.uint(model.metadata.architectureKey(suffix));
    };
    return fileKind(a) == FileKind::Model && fileKind(b) == FileKind::Model &&
           a.metadata.architecture() == b.metadata.architecture() && a.totals().weights == b.totals().weights &&
           number(a, "block_count") == number(b, "block_count") &&
           number(a, "embedding_length") == number(b, "embedding_length");
}

Result<std::vector<NeighbourModel>> neighboursOf(const std::shared_ptr<const Model>& model, const JobContext& job) {
    std::vector<NeighbourModel> same{{.model = model, .sameModel = true}};
    std::vector<NeighbourModel> used;
    const auto folder = folderOf(*model);
    const FolderModels found = folder ? modelsInFolder(*folder, job) : FolderModels();
    for (const auto& other : found.models) {
        GUFO_TRY(job.check());
        if (isSameFile(*model, *other)) {
            continue;
        }
        if (isSameModel(*model, *other)) {
            same.push_back({.model = other, .sameModel = true});
            continue;
        }
        Pairing pairing = GUFO_TRY(checkPairing(model, other, job));
        // Models that cannot draft for this one are merely in the same folder.
        const bool isApart = pairing.kind == PairKind::Unrelated ||
                             (pairing.kind == PairKind::Draft && pairing.verdict() == PairVerdict::DoesNotFit);
        if (!isApart) {
            used.push_back({.model = other, .sameModel = false, .pairing = std::move(pairing)});
        }
    }
    std::ranges::move(used, std::back_inserter(same));
    return same;
}

Result<> addNeighbourFindings(const std::shared_ptr<const Model>& model, Validation& validation,
                              const JobContext& job) {
    const auto folder = folderOf(*model);
    const FileKind kind = fileKind(*model);
    if (!folder || (kind != FileKind::Model && kind != FileKind::Projector)) {
        return {};
    }
    if (kind == FileKind::Projector) {
        const auto models = modelsInFolder(*folder, job, isNamedModel).models;
        const bool any =
            std::ranges::any_of(models, [](const auto& each) { return fileKind(*each) == FileKind::Model; });
        if (const Model* partner = GUFO_TRY(firstThatFits(model, models, job)); partner != nullptr) {
            insert(validation, {FindingCode::ProjectorFits, Place::fileName(nameOf(*model)), {nameOf(*partner)}});
        } else if (any) {
            insert(validation, {FindingCode::ProjectorFitsNone, Place::fileName(nameOf(*model)), {nameOf(*model)}});
        }
        return {};
    }
    const auto projectors = modelsInFolder(*folder, job, isNamedProjector).models;
    if (const Model* partner = GUFO_TRY(firstThatFits(model, projectors, job)); partner != nullptr) {
        insert(validation, {FindingCode::ProjectorBeside, Place::fileName(nameOf(*model)), {nameOf(*partner)}});
        return {};
    }
    // A projector that belongs to another model of the folder is none of this model's business.
    const auto others = projectors.empty() ? std::vector<std::shared_ptr<const Model>>()
                                           : modelsInFolder(*folder, job, isNamedModel).models;
    for (const auto& projector : projectors) {
        if (fileKind(*projector) == FileKind::Projector && GUFO_TRY(firstThatFits(projector, others, job)) == nullptr) {
            insert(validation, {FindingCode::ProjectorFitsNone, Place::fileName(nameOf(*model)), {nameOf(*projector)}});
        }
    }
    return {};
}

} // namespace gufo
