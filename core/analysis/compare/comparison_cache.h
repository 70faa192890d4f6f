// Caches the figures of pairs that were compared before, so that comparing them again is instant. Entries are keyed by
// the identity of both files (device, inode, size, modification time) and by the parts. A file that has changed since
// it was opened or compared has no entries, and its old ones are dropped. A file that changed within the last two
// seconds is not cached.
//
// Threads: all members are thread-safe.
#pragma once

#include "analysis/compare/compare_tensors.h"

#include <filesystem>
#include <memory>

namespace gufo {

class ComparisonCache {
public:
    // Entries are kept in memory, for the 32 pairs of files that were used last, and, if `folder` is given, on disk:
    // one file for each pair. If there are more than `maxFiles`, the oldest are deleted. Each is verified when it is
    // read; a damaged one counts as absent. Failing to write is not an error, because the cache is only an
    // optimisation.
    explicit ComparisonCache(std::filesystem::path folder = {}, std::size_t maxFiles = 64);
    ~ComparisonCache();
    ComparisonCache(const ComparisonCache&) = delete;
    ComparisonCache& operator=(const ComparisonCache&) = delete;

    // `$XDG_CACHE_HOME/gufo/compare` or `~/.cache/gufo/compare`; empty if neither is known.
    [[nodiscard]] static std::filesystem::path userFolder();

    [[nodiscard]] std::optional<TensorComparison> find(const PartOf& a, const PartOf& b);
    void store(const PartOf& a, const PartOf& b, const TensorComparison& comparison);
    // Writes new entries to the folder. The destructor does the same.
    void flush();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace gufo
