#include "analysis/compare/comparison_cache.h"

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
#include <type_traits>
#include <vector>

namespace gufo {
namespace {

// ---- the file of a pair ---------------------------------------------------------------------------------------------
//
// A file contains: magic number, version, the numbers that identify both models' files, the number of records, the
// records, and a checksum of everything before it. All numbers are little-endian. Any other file counts as empty.

// Identifies a pair of parts within a pair of files.
struct ComparisonKey {
    std::uint64_t offsetA = 0; // offset of the tensor in its file
    std::uint64_t firstA = 0;  // first weight of the part
    std::uint64_t offsetB = 0;
    std::uint64_t firstB = 0;
    std::uint64_t weights = 0;
    std::uint32_t typeA = 0;
    std::uint32_t typeB = 0;
    auto operator<=>(const ComparisonKey&) const = default;
};

using ComparisonRecords = std::map<ComparisonKey, TensorComparison>;
using FileNumbers = std::array<std::uint64_t, 8>;

constexpr std::uint64_t kMagic = 0x31504D434F465547; // "GUFOCMP1"
// 2: views whose weights have the same bytes are identical.
constexpr std::uint64_t kVersion = 2;
constexpr std::size_t kMinRecord = 100; // lower bound in bytes, which limits the counts that a file can claim

// FNV-1a over bytes. It detects damage, not forgery.
std::uint64_t checkSum(Bytes bytes) {
    std::uint64_t sum = 0xCBF2'9CE4'8422'2325;
    for (const std::byte byte : bytes) {
        sum = (sum ^ static_cast<std::uint64_t>(byte)) * 0x100'0000'01B3;
    }
    return sum;
}

// Lists the fields of a record once, for both reading and writing.
template<typename Stream>
void fields(Stream& stream, ComparisonKey& key) {
    stream(key.offsetA, key.firstA, key.offsetB, key.firstB, key.weights, key.typeA, key.typeB);
}
template<typename Stream>
void fields(Stream& stream, PairSums& sums) {
    stream(sums.pairs, sums.excluded, sums.equal, sums.aa, sums.bb, sums.ab, sums.ee, sums.absolute, sums.bias,
           sums.maximum, sums.maximumIndex);
}
template<typename Stream>
void fields(Stream& stream, ErrorProfile::Octave& octave) {
    stream(octave.exponent, octave.pairs, octave.squares, octave.errorSquares);
}
template<typename Stream>
void fields(Stream& stream, ErrorProfile::ErrorBin& bin) {
    stream(bin.lower, bin.upper, bin.pairs);
}
template<typename Stream>
void fields(Stream& stream, TensorComparison& comparison) {
    stream(comparison.identical, comparison.truncated);
    fields(stream, comparison.sums);
    stream.list(comparison.profile.octaves);
    stream.list(comparison.profile.errors);
}

class Writer {
public:
    template<typename... T>
    void operator()(T... values) {
        (put(values), ...);
    }
    template<typename T>
    void list(std::vector<T>& items) {
        put(std::uint64_t{items.size()});
        for (T& item : items) {
            fields(*this, item);
        }
    }
    std::vector<std::byte> bytes;

private:
    template<typename T>
    void put(T value) {
        bytes.resize(bytes.size() + sizeof value);
        store(bytes.data() + bytes.size() - sizeof value, value);
    }
};

class Reader {
public:
    explicit Reader(Bytes bytes)
        : m_bytes(bytes) {}

    template<typename... T>
    void operator()(T&... values) {
        (take(values), ...);
    }
    template<typename T>
    void list(std::vector<T>& items) {
        std::uint64_t count = 0;
        take(count);
        if (count > m_bytes.size()) { // each item takes more than one byte
            m_good = false;
            return;
        }
        items.resize(m_good ? count : 0);
        for (T& item : items) {
            fields(*this, item);
        }
    }
    [[nodiscard]] bool good() const { return m_good; }
    [[nodiscard]] std::size_t left() const { return m_bytes.size(); }

private:
    template<typename T>
    void take(T& value) {
        if (m_bytes.size() < sizeof value) {
            m_good = false;
            return;
        }
        if constexpr (std::is_same_v<T, bool>) {
            value = m_bytes[0] != std::byte{0};
        } else {
            value = load<T>(m_bytes.data());
        }
        m_bytes = m_bytes.subspan(sizeof value);
    }

    Bytes m_bytes;
    bool m_good = true;
};

ComparisonKey keyOf(const PartOf& a, const PartOf& b) {
    const TensorInfo& from = a.model->tensor(a.part.tensor);
    const TensorInfo& to = b.model->tensor(b.part.tensor);
    return {.offsetA = from.offset,
            .firstA = a.part.firstWeight,
            .offsetB = to.offset,
            .firstB = b.part.firstWeight,
            .weights = a.part.weights(),
            .typeA = from.typeId,
            .typeB = to.typeId};
}

std::vector<std::byte> writeRecords(const ComparisonRecords& records, const FileNumbers& files) {
    Writer writer;
    writer(kMagic, kVersion);
    for (const std::uint64_t number : files) {
        writer(number);
    }
    writer(std::uint64_t{records.size()});
    for (const auto& [key, comparison] : records) {
        ComparisonKey storedKey = key;
        TensorComparison copy = comparison;
        fields(writer, storedKey);
        fields(writer, copy);
    }
    writer(checkSum(writer.bytes));
    return std::move(writer.bytes);
}

// The result is empty unless the bytes are complete and belong to these files.
ComparisonRecords readRecords(Bytes bytes, const FileNumbers& files) {
    constexpr std::size_t kSum = sizeof(std::uint64_t);
    if (bytes.size() < kSum ||
        load<std::uint64_t>(bytes.data() + bytes.size() - kSum) != checkSum(bytes.first(bytes.size() - kSum))) {
        return {};
    }
    Reader reader(bytes.first(bytes.size() - kSum));
    std::uint64_t magic = 0;
    std::uint64_t version = 0;
    FileNumbers found{};
    reader(magic, version);
    for (std::uint64_t& number : found) {
        reader(number);
    }
    std::uint64_t count = 0;
    reader(count);
    if (!reader.good() || magic != kMagic || version != kVersion || found != files ||
        count > reader.left() / kMinRecord) {
        return {};
    }
    ComparisonRecords records;
    for (std::uint64_t i = 0; i < count && reader.good(); ++i) {
        ComparisonKey key;
        TensorComparison comparison;
        fields(reader, key);
        fields(reader, comparison);
        records.emplace_hint(records.end(), key, std::move(comparison));
    }
    return reader.good() && reader.left() == 0 ? records : ComparisonRecords();
}

// ---- records in memory ----------------------------------------------------------------------------------------------

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

FileNumbers numbersOf(const FilePair& pair) {
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
        ComparisonRecords entries;
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
