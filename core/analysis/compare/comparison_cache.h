// Figures of pairs that were compared before, by the identity of both files (device, inode, size, time of change) and
// the parts, so that the second look is instant. A file that has changed since it was opened, or since it was compared,
// has no entries: those it had are dropped. Nor has one that changed within the last two seconds.
//
// Threads: all members may be called from any thread.
#pragma once

#include "analysis/compare/compare_tensors.h"

#include <filesystem>
#include <memory>

namespace gufo {

class ComparisonCache {
public:
    // Kept in memory, and below `folder` where one is given: one file for each pair of files, at most `maxFiles` of
    // them (the oldest go), each checked when it is read; one that is damaged counts as absent. Failures to write are
    // no errors: the cache is an aid.
    explicit ComparisonCache(std::filesystem::path folder = {}, std::size_t maxFiles = 64);
    ~ComparisonCache();
    ComparisonCache(const ComparisonCache&) = delete;
    ComparisonCache& operator=(const ComparisonCache&) = delete;

    // `$XDG_CACHE_HOME/gufo/compare`, `~/.cache/gufo/compare`; empty where neither is known.
    [[nodiscard]] static std::filesystem::path userFolder();

    [[nodiscard]] std::optional<TensorComparison> find(const PartOf& a, const PartOf& b);
    void store(const PartOf& a, const PartOf& b, const TensorComparison& comparison);
    // Writes what is new to the folder; the destructor does so too.
    void flush();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace gufo
