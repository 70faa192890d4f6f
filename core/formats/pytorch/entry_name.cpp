#include "formats/pytorch/entry_name.h"

namespace gufo {

// Names are so short that looking at each character once is faster than searching for several ones.
bool isUnsafeEntryName(std::string_view name) {
    if (name.empty() || name.front() == '/' || (name.size() > 1 && name[1] == ':')) {
        return true;
    }
    std::size_t begin = 0; // of the part between slashes
    for (std::size_t i = 0; i <= name.size(); ++i) {
        const char c = i < name.size() ? name[i] : '/';
        if (c == '\\' || c == '\0') {
            return true;
        }
        if (c == '/') {
            if (i - begin == 2 && name[begin] == '.' && name[begin + 1] == '.') {
                return true;
            }
            begin = i + 1;
        }
    }
    return false;
}

} // namespace gufo
