// What a process and its folders hold, and what a long run of it leaves over: memory, descriptors, threads and files
// (Linux: /proc/self, glibc).
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <span>

namespace gufo::test {

struct Holdings {
    std::uint64_t heapBytes = 0;     // allocated and not freed
    std::uint64_t residentBytes = 0; // after freed memory was given back to the system
    std::size_t descriptors = 0;
    std::size_t threads = 0;
    std::size_t files = 0; // in the folder, at any depth

    [[nodiscard]] QString text() const;
};

// Of this process and `folder`.
[[nodiscard]] Holdings holdingsOf(const std::filesystem::path& folder);

// What grows from round to round, in words; empty if nothing does. Each element is what is held after a round, when
// everything is closed. The first tenth of the rounds, and at least `warmUp` of them, fill caches and do not count.
//
// Memory after a round depends on what the round did, by more than a small leak adds. So no two rounds are compared:
//   - A tenth has at least 20 rounds; in fewer than twice as many after the warm-up, nothing is judged.
//   - The median of the heap in the last tenth of the rounds may exceed that in the first tenth that counts by two
//     percent.
//   - In the second half of the rounds, when caches are full, the heap may not rise steadily by half a kilobyte or more
//     per round (Theil-Sen slope, accepted as a rise by Mann and Kendall's test). A leak of a kilobyte per round is
//     found in 250 rounds, which take less than two hours.
//   - The median of resident memory in the last quarter may exceed that in the quarter before by two percent. Until
//     then it grows because the heap gets divided into smaller pieces. In fewer than a hundred rounds it is not judged.
// Threads of pools come and go, so of descriptors, threads and files the smallest number of a tenth counts, and one
// thread more with its descriptor is no leak.
[[nodiscard]] QStringList leftovers(std::span<const Holdings> rounds, std::size_t warmUp);

} // namespace gufo::test
