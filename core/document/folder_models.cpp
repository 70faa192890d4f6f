#include "document/folder_models.h"

#include "document/open_model.h"
#include "formats/container/container.h"
#include "model/set_fault.h"

#include <algorithm>
#include <set>

namespace gufo {

FolderModels modelsInFolder(const std::filesystem::path& folder, const JobContext& job, IsWanted isWanted) {
    namespace fs = std::filesystem;
    constexpr std::size_t kMaxFiles = 1000;
    std::vector<fs::path> paths;
    std::error_code ignored;
    for (fs::directory_iterator each(folder, ignored), end; each != end && paths.size() < kMaxFiles;
         each.increment(ignored)) {
        const Container* container = containerByName(each->path());
        if (container != nullptr && container->readable() && each->is_regular_file(ignored) &&
            (isWanted == nullptr || isWanted(each->path().filename()))) {
            paths.push_back(each->path());
        }
    }
    std::ranges::sort(paths);
    std::set<fs::path> taken;
    FolderModels found;
    for (const fs::path& path : paths) {
        if (taken.contains(path.filename()) || job.stopRequested()) {
            continue;
        }
        auto model = openModel(path, job);
        if (!model) {
            found.left.push_back(std::move(model.error()).in(path));
            continue;
        }
        for (const ModelFile& file : (*model)->files) {
            taken.insert(file.path.filename());
        }
        if (auto complete = checkSet(**model); !complete) {
            found.left.push_back(std::move(complete.error()).in(path));
            continue;
        }
        found.models.push_back(*std::move(model));
    }
    return found;
}

} // namespace gufo
