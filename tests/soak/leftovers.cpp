#include "soak/leftovers.h"

#include "support/peak_memory.h"

#include <algorithm>
#include <cmath>
#include <malloc.h>
#include <vector>

namespace gufo::test {
namespace {

namespace fs = std::filesystem;

constexpr double kAllowedGrowth = 0.02;
constexpr double kAllowedBytesPerRound = 512;
// In standard deviations. Rounds are not independent, because caches outlive them, so that three would be too few.
constexpr double kCertainty = 5;
constexpr std::size_t kRoundsForResident = 100;
constexpr std::size_t kFewest = 20; // rounds of which a median or a minimum says something

std::size_t entriesOf(const fs::path& folder) {
    std::error_code ignored; // an entry may vanish while the folder is listed
    std::size_t count = 0;
    for (fs::recursive_directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored)) {
        count += entry->is_directory(ignored) ? 0 : 1;
    }
    return count;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

template<typename Number>
std::vector<double> valuesOf(std::span<const Holdings> rounds, Number Holdings::* member) {
    std::vector<double> values;
    for (const Holdings& round : rounds) {
        values.push_back(static_cast<double>(round.*member));
    }
    return values;
}

struct Trend {
    double perRound = 0;
    double certainty = 0; // that it rises, in standard deviations
};
Trend trendOf(const std::vector<double>& values) {
    std::vector<double> slopes;
    double rises = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (std::size_t k = i + 1; k < values.size(); ++k) {
            const double difference = values[k] - values[i];
            slopes.push_back(difference / static_cast<double>(k - i));
            rises += difference > 0 ? 1 : difference < 0 ? -1 : 0;
        }
    }
    if (slopes.empty()) {
        return {};
    }
    const auto n = static_cast<double>(values.size());
    return {.perRound = median(std::move(slopes)),
            .certainty = (rises - 1) / std::sqrt(n * (n - 1) * (2 * n + 5) / 18)};
}

} // namespace

QString Holdings::text() const {
    return QStringLiteral("%1 KiB of heap, %2 MiB, %3 descriptors, %4 threads, %5 files")
        .arg(heapBytes / 1024)
        .arg(static_cast<double>(residentBytes) / (1 << 20), 0, 'f', 1)
        .arg(descriptors)
        .arg(threads)
        .arg(files);
}

Holdings holdingsOf(const fs::path& folder) {
    malloc_trim(0);
    const struct mallinfo2 heap = mallinfo2();
    std::error_code ignored;
    const auto directEntries = [&](const char* of) {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(of, ignored), fs::directory_iterator()));
    };
    return {.heapBytes = heap.uordblks + heap.hblkhd,
            .residentBytes = statusBytes("VmRSS:"),
            .descriptors = directEntries("/proc/self/fd"),
            .threads = directEntries("/proc/self/task"),
            .files = entriesOf(folder)};
}

QStringList leftovers(std::span<const Holdings> rounds, std::size_t warmUp) {
    const std::size_t first = std::max(rounds.size() / 10, warmUp);
    if (rounds.size() < first + 2 * kFewest) {
        return {QStringLiteral("%1 rounds are too few to judge").arg(rounds.size())};
    }
    const std::size_t length = std::max(rounds.size() / 10, kFewest);
    const auto early = rounds.subspan(first, length);
    const auto late = rounds.last(length);
    QStringList found;
    const auto compareBytes = [&](const char* what, std::uint64_t Holdings::* member, std::span<const Holdings> from,
                                  std::span<const Holdings> to) {
        const double before = median(valuesOf(from, member));
        const double after = median(valuesOf(to, member));
        if (after > before * (1 + kAllowedGrowth)) {
            found << QStringLiteral("%1: %2 KiB became %3 KiB")
                         .arg(QLatin1String(what))
                         .arg(before / 1024, 0, 'f', 0)
                         .arg(after / 1024, 0, 'f', 0);
        }
    };
    compareBytes("the heap", &Holdings::heapBytes, early, late);
    if (rounds.size() >= kRoundsForResident) {
        const std::size_t quarter = rounds.size() / 4;
        compareBytes("resident memory", &Holdings::residentBytes, rounds.last(2 * quarter).first(quarter),
                     rounds.last(quarter));
    }
    const Trend heap = trendOf(valuesOf(rounds.last(rounds.size() / 2), &Holdings::heapBytes));
    if (heap.perRound >= kAllowedBytesPerRound && heap.certainty > kCertainty) {
        found << QStringLiteral("the heap grows by %1 bytes per round").arg(heap.perRound, 0, 'f', 0);
    }
    const auto compareNumbers = [&](const char* what, std::size_t Holdings::* member, std::size_t allowed) {
        const std::size_t before = std::ranges::min(early, {}, member).*member;
        const std::size_t after = std::ranges::min(late, {}, member).*member;
        if (after > before + allowed) {
            found << QStringLiteral("%1: %2 became %3").arg(QLatin1String(what)).arg(before).arg(after);
        }
    };
    compareNumbers("descriptors", &Holdings::descriptors, 1);
    compareNumbers("threads", &Holdings::threads, 1);
    compareNumbers("files", &Holdings::files, 0);
    return found;
}

} // namespace gufo::test
