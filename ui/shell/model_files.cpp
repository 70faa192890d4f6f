#include "ui/shell/model_files.h"

#include "base/ascii.h"
#include "document/open_model.h"
#include "formats/gguf/read/shards.h"

#include <algorithm>
#include <set>

namespace gufo::ui {
namespace {

namespace fs = std::filesystem;

bool hasModelSuffix(const fs::path& path) { return equalIgnoringCase(path.extension().string(), ".gguf"); }

} // namespace

Result<std::vector<fs::path>> collectModelFiles(const std::vector<fs::path>& chosen, const JobContext& job) {
    std::vector<fs::path> files;
    for (const fs::path& path : chosen) {
        std::error_code error;
        if (!fs::is_directory(path, error)) {
            files.push_back(path);
            continue;
        }
        std::vector<fs::path> found;
        for (fs::recursive_directory_iterator it(path, fs::directory_options::skip_permission_denied, error), end;
             !error && it != end && found.size() < kMostModelFiles; it.increment(error)) {
            if (job.stopRequested()) {
                return fail(ErrorCode::Cancelled);
            }
            std::error_code unreadable;
            if (hasModelSuffix(it->path()) && it->is_regular_file(unreadable)) {
                found.push_back(it->path());
            }
        }
        std::ranges::sort(found);
        std::set<std::pair<std::string, std::uint32_t>> sets; // prefix with folder, number of shards
        std::erase_if(found, [&](const fs::path& file) {
            const auto shard = gguf::parseShardName(file.filename());
            return shard && !sets.emplace((file.parent_path() / shard->prefix).native(), shard->count).second;
        });
        files.insert(files.end(), found.begin(), found.end());
    }
    return files;
}

std::optional<FileStamp> stampOf(const fs::path& path) {
    std::error_code error;
    FileStamp stamp;
    stamp.size = fs::file_size(path, error);
    if (error) {
        return {};
    }
    stamp.modified = fs::last_write_time(path, error);
    return error ? std::nullopt : std::optional(stamp);
}

Result<OpenedModel> openWithStamps(const fs::path& path, const JobContext& job) {
    // openModel does so too, and says why where it fails.
    const auto recovery = gguf::recover(path);
    const auto stamp = stampOf(path);
    auto model = openModel(path, job);
    if (!model) {
        return std::unexpected(std::move(model.error()));
    }
    OpenedModel opened{
        .model = std::move(*model), .files = {}, .recovery = recovery.value_or(gguf::Recovery::NotNeeded)};
    for (const ModelFile& file : opened.model->files) {
        opened.files.push_back({file.path, file.path == path ? stamp : stampOf(file.path)});
    }
    return opened;
}

} // namespace gufo::ui
