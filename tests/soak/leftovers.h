// What a process and its folders hold: memory, descriptors, threads and files (Linux: /proc/self).
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>

namespace gufo::test {

struct Holdings {
    std::uint64_t residentBytes = 0; // after freed memory was given back to the system
    std::size_t descriptors = 0;
    std::size_t threads = 0;
    std::size_t files = 0; // in the folder, at any depth

    [[nodiscard]] QString text() const;
};

// Of this process and `folder`.
[[nodiscard]] Holdings holdingsOf(const std::filesystem::path& folder);

// What `after` holds beyond `before`. Memory may grow by two percent, because allocators fragment; nothing else may
// grow.
[[nodiscard]] QStringList leftovers(const Holdings& before, const Holdings& after);

} // namespace gufo::test
