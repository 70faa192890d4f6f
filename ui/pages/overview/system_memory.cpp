#include "ui/pages/overview/system_memory.h"

#include <charconv>
#include <fstream>
#include <iterator>
#include <string>

#if defined(_WIN32)
#include <windows.h>
#elif defined(__APPLE__)
#include <mach/mach.h>
#include <sys/sysctl.h>
#endif

namespace gufo::ui {
namespace {

// The number of KiB in a line such as "MemTotal:  32658136 kB".
std::optional<std::uint64_t> field(std::string_view text, std::string_view name) {
    std::size_t at = text.find(name);
    while (at != std::string_view::npos && at != 0 && text[at - 1] != '\n') {
        at = text.find(name, at + 1);
    }
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    text.remove_prefix(at + name.size());
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ')));
    std::uint64_t kib = 0;
    return std::from_chars(text.data(), text.data() + text.size(), kib).ec == std::errc() ? std::optional(kib * 1024)
                                                                                          : std::nullopt;
}

} // namespace

std::optional<SystemMemory> parseMemInfo(std::string_view text) {
    const auto total = field(text, "MemTotal:");
    const auto available = field(text, "MemAvailable:");
    return total && available ? std::optional(SystemMemory{*total, *available}) : std::nullopt;
}

std::optional<SystemMemory> systemMemory() {
#if defined(_WIN32)
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    return GlobalMemoryStatusEx(&status) != 0 ? std::optional(SystemMemory{status.ullTotalPhys, status.ullAvailPhys})
                                              : std::nullopt;
#elif defined(__APPLE__)
    SystemMemory memory;
    std::size_t size = sizeof memory.total;
    vm_statistics64_data_t pages{};
    mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
    if (sysctlbyname("hw.memsize", &memory.total, &size, nullptr, 0) != 0 ||
        host_statistics64(mach_host_self(), HOST_VM_INFO64, reinterpret_cast<host_info64_t>(&pages), &count) !=
            KERN_SUCCESS) {
        return std::nullopt;
    }
    memory.available = (std::uint64_t{pages.free_count} + pages.inactive_count) * vm_kernel_page_size;
    return memory;
#else
    std::ifstream file("/proc/meminfo");
    return parseMemInfo(std::string(std::istreambuf_iterator<char>(file), {}));
#endif
}

} // namespace gufo::ui
