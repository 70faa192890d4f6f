#include "base/folder_names.h"

#include <dirent.h>
#include <memory>

namespace gufo {

void forEachName(const std::filesystem::path& folder, const std::function<void(std::string_view name)>& use) {
    struct Close {
        void operator()(DIR* open) const { ::closedir(open); }
    };
    const std::unique_ptr<DIR, Close> open(::opendir(folder.empty() ? "." : folder.c_str()));
    while (const dirent* entry = open != nullptr ? ::readdir(open.get()) : nullptr) {
        if (const std::string_view name = entry->d_name; name != "." && name != "..") {
            use(name);
        }
    }
}

} // namespace gufo
