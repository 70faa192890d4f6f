#include "analysis/compare/comparison_cache.h"

#include "analysis/compare/comparison_record.h"
#include "base/mapped_file.h"
#include "base/output_file.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <map>
#include <mutex>
#include <sys/stat.h>
#include <vector>

namespace gufo {
namespace {

using Identity = ByteSource::Identity;
using Clock = std::chrono::steady_clock;

// How long a result of stat() is trusted.
constexpr auto kStatLifetime = std::chrono::milliseconds(500);
// A file that changed this recently may change again without a new modification time, because the file system's clock
// is coarse.
constexpr std::int64_t kMinAge = 2'000'000'000; // ns
// In memory. A comparison of eight files has seven, and 28 if each is the reference once.
constexpr std::size_t kMaxPairs = 32;

auto orderOf(const Identity& id) { return std::tuple(id.device, id.inode, id.size, id.modified); }

struct FilePair {
    Identity a;
    Identity b;
    auto operator<=>(const FilePair& other) const {
        return std::tuple(orderOf(a), orderOf(b)) <=> std::tuple(orderOf(other.a), orderOf(other.b));
    }
    bool operator==(const FilePair&) const = default;
    // Whether both pairs are the same two files, possibly in different states.
    [[nodiscard]] bool sameFiles(const FilePair& other) const {
        return a.device == other.a.device && a.inode == other.a.inode && b.device == other.b.device &&
               b.inode == other.b.inode;
    }
};

std::array<std::uint64_t, 8> numbersOf(const FilePair& pair) {
    return {pair.a.device, pair.a.inode, pair.a.size, static_cast<std::uint64_t>(pair.a.modified),
            pair.b.device, pair.b.inode, pair.b.size, static_cast<std::uint64_t>(pair.b.modified)};
}

// The name of a pair's file in the folder. It identifies the files but not their state, so a new state replaces the old
// one.
std::string fileName(const FilePair& pair) {
    std::string name;
    for (const std::uint64_t number : {pair.a.device, pair.a.inode, pair.b.device, pair.b.inode}) {
        constexpr std::string_view kDigits = "0123456789abcdef";
        for (int shift = 60; shift >= 0; shift -= 4) {
            name += kDigits[number >> shift & 15U];
        }
    }
    return name + ".gufo-comparison";
}

} // namespace

struct ComparisonCache::State {
    struct Known {
        std::map<ComparisonKey, TensorComparison> entries;
        bool changed = false;   // since it was last read or written
        std::uint64_t used = 0; // grows with each use of any pair, so the smallest is the least recently used
    };

    std::filesystem::path folder;
    std::size_t maxFiles = 0;
    std::mutex mutex;
    std::map<FilePair, Known> pairs;
    std::uint64_t uses = 0;
    std::map<std::filesystem::path, std::pair<Clock::time_point, std::optional<Identity>>> present;

    // The current identity of the file, or nothing if it cannot be determined.
    std::optional<Identity> presentIdentity(const std::filesystem::path& path) {
        auto& [when, identity] = present[path];
        const auto now = Clock::now();
        if (when == Clock::time_point() || now - when > kStatLifetime) {
            struct stat status{};
            const bool found = ::stat(path.c_str(), &status) == 0;
            timespec clock{};
            ::clock_gettime(CLOCK_REALTIME, &clock);
            const std::int64_t age = clock.tv_sec * 1'000'000'000LL + clock.tv_nsec -
                                     (status.st_mtim.tv_sec * 1'000'000'000LL + status.st_mtim.tv_nsec);
            identity = !found || (age >= 0 && age < kMinAge)
                           ? std::nullopt
                           : std::optional(Identity{.device = status.st_dev,
                                                    .inode = status.st_ino,
                                                    .size = static_cast<std::uint64_t>(status.st_size),
                                                    .modified = status.st_mtim.tv_sec * 1'000'000'000LL +
                                                                status.st_mtim.tv_nsec});
            when = now;
        }
        return identity;
    }

    std::optional<Identity> identityOf(const PartOf& part) {
        const ByteSource* source = part.model->sourceOf(part.model->tensor(part.part.tensor));
        const auto identity = source != nullptr ? source->identity() : std::nullopt;
        return identity && presentIdentity(source->path()) == identity ? identity : std::nullopt;
    }

    // The entries of the pair, which the first call reads from the folder. Null if a file has changed or the bytes do
    // not come from a file.
    Known* known(const PartOf& a, const PartOf& b) {
        const auto first = identityOf(a);
        const auto second = identityOf(b);
        if (!first || !second) {
            return nullptr;
        }
        const FilePair pair{*first, *second};
        const auto found = pairs.find(pair);
        if (found != pairs.end()) {
            found->second.used = ++uses;
            return &found->second;
        }
        std::erase_if(pairs, [&](const auto& entry) { return entry.first.sameFiles(pair); });
        makeRoom();
        Known& fresh = pairs[pair];
        fresh.used = ++uses;
        if (!folder.empty()) {
            if (const auto file = MappedFile::open(folder / fileName(pair))) {
                if (const auto bytes = (*file)->view({0, (*file)->size()})) {
                    fresh.entries = readRecords(*bytes, numbersOf(pair));
                }
            }
        }
        return &fresh;
    }

    // Saving makes new files, so in a long run the pairs would become more and more.
    void makeRoom() {
        while (pairs.size() >= kMaxPairs) {
            const auto oldest =
                std::ranges::min_element(pairs, {}, [](const auto& entry) { return entry.second.used; });
            if (oldest->second.changed && !folder.empty()) {
                write(oldest->first, oldest->second);
            }
            pairs.erase(oldest);
        }
        if (present.size() > kMaxPairs * 4) {
            present.clear();
        }
    }

    void write(const FilePair& pair, Known& known) {
        std::error_code ignored; // the next line fails
        std::filesystem::create_directories(folder, ignored);
        auto file = OutputFile::create(folder / fileName(pair), OutputFile::OpenFiles::Replaced);
        if (file && file->write(writeRecords(known.entries, numbersOf(pair))) && file->commit()) {
            known.changed = false;
        }
    }

    // Removes the files with the oldest modification times.
    void prune() {
        using Entry = std::pair<std::filesystem::file_time_type, std::filesystem::path>;
        std::vector<Entry> files;
        std::error_code error;
        for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
            std::error_code timeError;
            const auto when = entry.last_write_time(timeError);
            if (!timeError && entry.path().extension() == ".gufo-comparison") {
                files.emplace_back(when, entry.path());
            }
        }
        std::ranges::sort(files);
        for (std::size_t i = 0; i + maxFiles < files.size(); ++i) {
            std::filesystem::remove(files[i].second, error);
        }
    }
};

ComparisonCache::ComparisonCache(std::filesystem::path folder, std::size_t maxFiles)
    : m_state(std::make_unique<State>()) {
    m_state->folder = std::move(folder);
    m_state->maxFiles = maxFiles;
}

ComparisonCache::~ComparisonCache() { flush(); }

std::filesystem::path ComparisonCache::userFolder() {
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
        return std::filesystem::path(cache) / "gufo" / "compare";
    }
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
        return std::filesystem::path(home) / ".cache" / "gufo" / "compare";
    }
    return {};
}

std::optional<TensorComparison> ComparisonCache::find(const PartOf& a, const PartOf& b) {
    const std::scoped_lock lock(m_state->mutex);
    const State::Known* known = m_state->known(a, b);
    if (known == nullptr) {
        return std::nullopt;
    }
    const auto found = known->entries.find(keyOf(a, b));
    return found != known->entries.end() ? std::optional(found->second) : std::nullopt;
}

void ComparisonCache::store(const PartOf& a, const PartOf& b, const TensorComparison& comparison) {
    const std::scoped_lock lock(m_state->mutex);
    if (State::Known* known = m_state->known(a, b)) {
        known->entries.insert_or_assign(keyOf(a, b), comparison);
        known->changed = true;
    }
}

void ComparisonCache::flush() {
    const std::scoped_lock lock(m_state->mutex);
    if (m_state->folder.empty()) {
        return;
    }
    bool written = false;
    for (auto& [pair, known] : m_state->pairs) {
        if (known.changed) {
            m_state->write(pair, known);
            written = true;
        }
    }
    if (written) {
        m_state->prune();
    }
}

} // namespace gufo
