#include "inference/interface/memory_needs.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <string>

#if defined(__APPLE__)
#include <mach/mach.h>
#include <sys/sysctl.h>
#endif

namespace gufo::inference {
namespace {

namespace fs = std::filesystem;

std::optional<std::uint64_t> parseNumber(std::string_view text) {
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    return parsed.ec == std::errc() ? std::optional(value) : std::nullopt;
}

// Reads a file that holds one number. Returns nothing for other text ("max").
std::optional<std::uint64_t> numberIn(const fs::path& path) {
    std::ifstream file(path);
    std::string line;
    return std::getline(file, line) ? parseNumber(line) : std::nullopt;
}

// Reads the number after `name` at the beginning of a line.
std::optional<std::uint64_t> numberAfter(const fs::path& path, std::string_view name) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::string_view rest(line);
        if (rest.starts_with(name) && rest.size() > name.size() && (rest[name.size()] == ' ' || name.ends_with(':'))) {
            rest.remove_prefix(name.size());
            rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
            return parseNumber(rest);
        }
    }
    return std::nullopt;
}

// The file names of one version of control groups. Reclaimable file cache counts as free.
struct GroupFiles {
    const char* limit;
    const char* used;
    const char* inactive;
    const char* active;
};
constexpr GroupFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file",
                               "total_active_file"};
constexpr GroupFiles kVersion2{"memory.max", "memory.current", "inactive_file", "active_file"};

void limitByGroup(const fs::path& folder, const GroupFiles& files, MachineMemory& memory) {
    const auto limit = numberIn(folder / files.limit);
    const auto used = numberIn(folder / files.used);
    if (!limit || !used || *limit >= memory.total) {
        return; // no limit, or (version 1) a number that stands for no limit
    }
    const std::uint64_t cache = numberAfter(folder / "memory.stat", files.inactive).value_or(0) +
                                numberAfter(folder / "memory.stat", files.active).value_or(0);
    const std::uint64_t held = *used - std::min(*used, cache);
    memory.total = *limit;
    memory.available = std::min(memory.available, *limit - std::min(*limit, held));
}

// Applies the limits of the group and of the groups above it. In a container the path may be the path on the host and
// not exist; the mounted root is then the container's own group.
void limitByGroups(const fs::path& root, const fs::path& group, const GroupFiles& files, MachineMemory& memory) {
    limitByGroup(root, files, memory);
    fs::path folder = root;
    for (const fs::path& part : group.relative_path()) {
        if (part.empty() || part == "..") {
            return;
        }
        folder /= part;
        limitByGroup(folder, files, memory);
    }
}

#if defined(__APPLE__)
MachineMemory ofMac() {
    std::uint64_t total = 0;
    std::size_t size = sizeof total;
    vm_statistics64_data_t pages{};
    mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
    if (sysctlbyname("hw.memsize", &total, &size, nullptr, 0) != 0 ||
        host_statistics64(mach_host_self(), HOST_VM_INFO64, reinterpret_cast<host_info64_t>(&pages), &count) !=
            KERN_SUCCESS) {
        return {};
    }
    return {.total = total,
            .available = (std::uint64_t{pages.free_count} + pages.inactive_count) * vm_kernel_page_size};
}
#endif

} // namespace

MachineMemory machineMemory(const fs::path& proc, const fs::path& groups) {
#if defined(__APPLE__)
    if (proc == "/proc") {
        return ofMac();
    }
#endif
    constexpr std::uint64_t kKilo = 1024;
    const auto total = numberAfter(proc / "meminfo", "MemTotal:");
    const auto available = numberAfter(proc / "meminfo", "MemAvailable:");
    if (!total || !available) {
        return {};
    }
    MachineMemory memory{.total = *total * kKilo, .available = *available * kKilo};
    std::ifstream file(proc / "self" / "cgroup"); // lines of ID:CONTROLLERS:PATH
    for (std::string line; std::getline(file, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = first != std::string::npos ? line.find(':', first + 1) : first;
        if (second == std::string::npos) {
            continue;
        }
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const fs::path path = line.substr(second + 1);
        if (controllers.empty()) {
            limitByGroups(groups, path, kVersion2, memory);
        } else if (("," + controllers + ",").find(",memory,") != std::string::npos) {
            limitByGroups(groups / "memory", path, kVersion1, memory);
        }
    }
    return memory;
}

MemoryVerdict judge(const MemoryNeeds& needs, const MachineMemory& machine) {
    if (machine.total == 0 || needs.total() <= machine.available) {
        return MemoryVerdict::Fits;
    }
    return needs.anonymous() <= machine.available ? MemoryVerdict::WeightsExceed : MemoryVerdict::DoesNotFit;
}

} // namespace gufo::inference
