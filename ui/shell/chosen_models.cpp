#include "ui/shell/chosen_models.h"

#include "base/file_operations.h"
#include "base/try.h"
#include "document/open_model.h"
#include "formats/container/container.h"
#include "formats/container/model_saving.h"
#include "formats/ollama/store.h"
#include "formats/sets/model_folder.h"
#include "model/kept_description.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <set>

namespace gufo::ui {
namespace {

namespace fs = std::filesystem;

QString latin1(std::string_view text) { return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size())); }

// The patterns of a kind of files: "*.gguf *.GGUF".
struct Patterns {
    QString name;
    QStringList patterns;
};

// One entry for each name in the table, because a kind of files may have several rows.
std::vector<Patterns> readContainers() {
    std::vector<Patterns> read;
    for (const Container& container : containers()) {
        if (!container.readable() || container.suffixes.empty()) {
            continue;
        }
        const QString name = latin1(container.name);
        auto known = std::ranges::find(read, name, &Patterns::name);
        if (known == read.end()) {
            known = read.insert(read.end(), {name, {}});
        }
        for (const std::string_view suffix : container.suffixes) {
            const QString pattern = u'*' + latin1(suffix);
            if (!known->patterns.contains(pattern)) {
                known->patterns << pattern << pattern.toUpper();
            }
        }
    }
    return read;
}

QString filterOf(const Patterns& files) {
    return QCoreApplication::translate("gufo::ModelFiles", "%1 models (%2)").arg(files.name, files.patterns.join(u' '));
}

QString withAllFiles(const QStringList& filters) {
    return (filters + QStringList{QCoreApplication::translate("gufo::ModelFiles", "All files (*)")})
        .join(QStringLiteral(";;"));
}

} // namespace

QString modelPatterns() {
    QStringList patterns;
    for (const Patterns& files : readContainers()) {
        patterns << files.patterns;
    }
    patterns.removeDuplicates();
    return patterns.join(u' ');
}

QString openModelFilter() {
    const auto read = readContainers();
    QStringList filters;
    if (read.size() > 1) {
        filters << QCoreApplication::translate("gufo::ModelFiles", "Models (%1)").arg(modelPatterns());
    }
    for (const Patterns& files : read) {
        filters << filterOf(files);
    }
    return withAllFiles(filters);
}

QString saveModelFilter(const Model& model) {
    const Container* container = containerOf(model);
    const auto read = readContainers();
    const auto patterns =
        std::ranges::find(read, container != nullptr ? latin1(container->name) : QString(), &Patterns::name);
    return withAllFiles(patterns != read.end() ? QStringList{filterOf(*patterns)} : QStringList());
}

QString saveModelSuffix(const Model& model) {
    const Container* container = containerOf(model);
    const bool hasSuffix = container != nullptr && !container->suffixes.empty();
    return hasSuffix ? latin1(container->suffixes.front()).mid(1) : QString();
}

Result<Places> collectModelFiles(const Places& chosen, const JobContext& job) {
    Places files;
    for (const hub::ModelPlace& place : chosen) {
        std::error_code error;
        const fs::path* path = place.localPath();
        if (path == nullptr || !fs::is_directory(*path, error) || isModelFolder(*path)) {
            files.push_back(place);
            continue;
        }
        if (const auto store = ollama::storeOf(*path)) {
            const auto models = GUFO_TRY(ollama::modelsIn(*store, job));
            for (const ollama::StoredModel& model : models) {
                files.emplace_back(model.manifest);
            }
            continue;
        }
        std::vector<fs::path> found;
        for (fs::recursive_directory_iterator it(*path, fs::directory_options::skip_permission_denied, error), end;
             !error && it != end && found.size() < kMaxModelFiles; it.increment(error)) {
            GUFO_TRY(job.check());
            std::error_code unreadable;
            if (it->is_directory(unreadable) && !it->is_symlink(unreadable) && isModelFolder(it->path())) {
                it.disable_recursion_pending();
                found.push_back(it->path());
                continue;
            }
            if (containerByName(it->path().filename()) != nullptr && it->is_regular_file(unreadable)) {
                found.push_back(it->path());
            }
        }
        std::ranges::sort(found);
        std::set<fs::path> sets; // the parts that the names of a set have in common, with the folder
        std::erase_if(found, [&](const fs::path& file) {
            const Container* container = containerByName(file.filename());
            const auto set =
                container != nullptr && container->setOf != nullptr ? container->setOf(file.filename()) : std::nullopt;
            return set && !sets.insert(file.parent_path() / *set).second;
        });
        files.insert(files.end(), found.begin(), found.end());
    }
    return files;
}

std::optional<FileStamp> stampOf(const fs::path& path) {
    const auto status = realFileOperations().status(path);
    return status ? std::optional(status->identity()) : std::nullopt;
}

Result<OpenedModel> openWithStamps(const hub::ModelPlace& place, const JobContext& job, MovedFile moved,
                                   const hub::OpeningWatch& watch) {
    if (!place.isLocal()) { // nothing on this computer to recover or to watch
        auto model = GUFO_TRY(openModel(place, job, watch));
        return OpenedModel{.model = std::move(model)};
    }
    const fs::path& path = *place.localPath();
    // openModel() recovers too, and reports why if that fails.
    const auto recovery = recoverModel(path, moved);
    if (!recovery && moved == MovedFile::Accept) {
        return std::unexpected(recovery.error());
    }
    const auto stamp = stampOf(path);
    auto model = GUFO_TRY(openModel(path, job));
    const bool keepsDescription = GUFO_TRY(keepDescription(*model));
    OpenedModel opened{.model = std::move(model),
                       .files = {},
                       .recovery = recovery.value_or(Recovery::NotNeeded),
                       .keepsDescription = keepsDescription};
    for (const ModelFile& file : opened.model->files) {
        opened.files.push_back({file.path, file.path == path ? stamp : stampOf(file.path)});
    }
    for (const auto& companion : opened.model->companions) {
        opened.files.push_back({companion->path(), companion->path() == path ? stamp : stampOf(companion->path())});
    }
    return opened;
}

} // namespace gufo::ui
