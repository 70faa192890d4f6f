// Finds processes that have a file open, through /proc.
#include "base/file_operations.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace gufo {
namespace {

namespace fs = std::filesystem;

bool isNumber(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Whether a descriptor of the process refers to the file.
bool hasDescriptor(const fs::path& process, const FileStatus& file) {
    std::error_code error;
    for (fs::directory_iterator at(process / "fd", error), end; !error && at != end; at.increment(error)) {
        struct stat status{};
        if (::stat(at->path().c_str(), &status) == 0 && status.st_ino == file.inode && status.st_dev == file.device) {
            return true;
        }
    }
    return false;
}

// Whether the process has mapped the file. A line of its list of mappings reads
//    7f0a4c000000-7f0a4c021000 r--s 00000000 08:02 1835021    /home/ann/model.gguf
// Some file systems give another device there than for the file itself, so that the path counts too.
bool hasMapping(const fs::path& process, const fs::path& path, const FileStatus& file) {
    std::ifstream lines(process / "maps");
    const std::string inode = std::to_string(file.inode);
    for (std::string line; std::getline(lines, line);) {
        std::string_view rest = line;
        std::string_view field;
        std::string_view device;
        for (int i = 0; i < 5; ++i) {
            rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
            device = field;
            field = rest.substr(0, rest.find(' '));
            rest.remove_prefix(field.size());
        }
        if (field != inode) {
            continue;
        }
        unsigned major = 0;
        unsigned minor = 0;
        const auto [end, error] = std::from_chars(device.data(), device.data() + device.size(), major, 16);
        if (error == std::errc() && end < device.data() + device.size()) {
            std::from_chars(end + 1, device.data() + device.size(), minor, 16);
        }
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        if (makedev(major, minor) == file.device || rest == path.native()) {
            return true;
        }
    }
    return false;
}

} // namespace

bool otherProcessHasOpen(const fs::path& path, const FileStatus& file) {
    const std::string thisProcess = std::to_string(::getpid());
    std::error_code error;
    for (fs::directory_iterator at("/proc", error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().native();
        if (isNumber(name) && name != thisProcess &&
            (hasDescriptor(at->path(), file) || hasMapping(at->path(), path, file))) {
            return true;
        }
    }
    return false;
}

} // namespace gufo
