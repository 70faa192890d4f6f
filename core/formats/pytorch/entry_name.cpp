#include "formats/pytorch/entry_name.h"

#include <algorithm>

namespace gufo {

bool isUnsafeEntryName(std::string_view name) {
    if (name.empty() || name.front() == '/' || name.find('\\') != name.npos || name.find('\0') != name.npos ||
        (name.size() > 1 && name[1] == ':')) {
        return true;
    }
    while (!name.empty()) {
        const std::size_t slash = std::min(name.find('/'), name.size());
        if (name.substr(0, slash) == "..") {
            return true;
        }
        name.remove_prefix(std::min(slash + 1, name.size()));
    }
    return false;
}

} // namespace gufo
