#include "soak/leftovers.h"

#include "support/peak_memory.h"

#include <malloc.h>

namespace gufo::test {
namespace {

namespace fs = std::filesystem;

std::size_t entriesOf(const fs::path& folder) {
    std::error_code ignored; // an entry may vanish while the folder is listed
    std::size_t count = 0;
    for (fs::recursive_directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored)) {
        count += entry->is_directory(ignored) ? 0 : 1;
    }
    return count;
}

} // namespace

QString Holdings::text() const {
    return QStringLiteral("%1 MiB, %2 descriptors, %3 threads, %4 files")
        .arg(static_cast<double>(residentBytes) / (1 << 20), 0, 'f', 1)
        .arg(descriptors)
        .arg(threads)
        .arg(files);
}

Holdings holdingsOf(const fs::path& folder) {
    malloc_trim(0);
    std::error_code ignored;
    const auto directEntries = [&](const char* of) {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(of, ignored), fs::directory_iterator()));
    };
    return {.residentBytes = statusBytes("VmRSS:"),
            .descriptors = directEntries("/proc/self/fd"),
            .threads = directEntries("/proc/self/task"),
            .files = entriesOf(folder)};
}

QStringList leftovers(const Holdings& before, const Holdings& after) {
    QStringList found;
    const auto more = [&](const char* what, std::uint64_t from, std::uint64_t to) {
        if (to > from) {
            found << QStringLiteral("%1: %2 became %3").arg(QLatin1String(what)).arg(from).arg(to);
        }
    };
    if (after.residentBytes > before.residentBytes + before.residentBytes / 50) {
        more("resident bytes", before.residentBytes, after.residentBytes);
    }
    more("descriptors", before.descriptors, after.descriptors);
    more("threads", before.threads, after.threads);
    more("files", before.files, after.files);
    return found;
}

} // namespace gufo::test
