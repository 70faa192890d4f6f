#include "inference/prefixes/prefix_folder.h"

#include "base/byte_order.h"
#include "base/checked.h"
#include "base/detail.h"
#include "base/file_operations.h"
#include "base/sha256.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gufo::inference {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "GUFOPFX2";
constexpr std::string_view kSuffix = ".state";
constexpr std::size_t kConversationDigits = 16;
constexpr std::size_t kTokenDigits = 32;
constexpr std::size_t kDigestBytes = 32;
constexpr std::uint64_t kLongestName = 4096; // of a key or a conversation

std::string digits(Bytes bytes, std::size_t count) { return hexText(sha256(bytes)).substr(0, count); }
std::string digits(std::string_view text, std::size_t count) { return digits(std::as_bytes(std::span(text)), count); }

fs::path folderOf(const fs::path& root, std::string_view key) { return root / digits(key, 2 * kDigestBytes); }
std::string beginOf(std::string_view conversation) { return digits(conversation, kConversationDigits) + '-'; }
fs::path pathOf(const fs::path& root, const SavedPrefix& prefix) {
    const std::string tokens = digits(std::as_bytes(std::span(prefix.tokens)), kTokenDigits);
    return folderOf(root, prefix.key) / (beginOf(prefix.conversation) + tokens + std::string(kSuffix));
}

// Makes a folder that only the user can read. Another user's folder, or a link, is not used. Errors: PermissionDenied,
// WriteFailed.
Result<> makePrivate(const fs::path& folder) {
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
        return std::unexpected(systemError(errno, folder, ErrorCode::WriteFailed));
    }
    struct stat status{};
    const bool belongsToUser =
        ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid();
    if (!belongsToUser || ((status.st_mode & 07777) != 0700 && ::chmod(folder.c_str(), 0700) != 0)) {
        return std::unexpected(Error{ErrorCode::PermissionDenied, folder, {}, {}, EACCES});
    }
    return {};
}

bool isPrivate(const fs::path& folder) {
    struct stat status{};
    return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() &&
           (status.st_mode & 0077) == 0;
}

// Everything before the state, which is the larger part.
std::vector<std::byte> headOf(const SavedPrefix& prefix) {
    std::vector<std::byte> head;
    const auto append = [&](Bytes bytes) { head.insert(head.end(), bytes.begin(), bytes.end()); };
    const auto number = [&](std::uint64_t value) {
        std::array<std::byte, 8> bytes{};
        store(bytes.data(), value, ByteOrder::Little);
        append(bytes);
    };
    append(std::as_bytes(std::span(kMagic)));
    for (const std::string& text : {prefix.key, prefix.conversation}) {
        number(text.size());
        append(std::as_bytes(std::span(text)));
    }
    number(prefix.cutsAnywhere ? 1 : 0);
    number(prefix.tokens.size());
    for (const TokenId token : prefix.tokens) {
        std::array<std::byte, 4> bytes{};
        store(bytes.data(), static_cast<std::uint32_t>(token.value), ByteOrder::Little);
        append(bytes);
    }
    number(prefix.state.size());
    return head;
}

// A file that is read from its beginning, never past its end.
class Reading {
public:
    explicit Reading(const fs::path& path) {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        struct stat status{};
        m_file = OpenFile(realFileOperations(), file);
        if (file >= 0 && ::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
            m_left = static_cast<std::uint64_t>(status.st_size);
        }
    }
    [[nodiscard]] std::uint64_t left() const { return m_left; }
    [[nodiscard]] bool read(std::span<std::byte> out) {
        if (out.size() > m_left || !readAll(realFileOperations(), m_file.get(), m_at, out)) {
            return false;
        }
        m_sha.add(out);
        m_at += out.size();
        m_left -= out.size();
        return true;
    }
    [[nodiscard]] std::optional<std::uint64_t> number() {
        std::array<std::byte, 8> bytes{};
        return read(bytes) ? std::optional(load<std::uint64_t>(bytes.data(), ByteOrder::Little)) : std::nullopt;
    }
    [[nodiscard]] std::optional<std::string> text(std::uint64_t maximum) {
        const auto length = number();
        if (!length || *length > std::min(maximum, m_left)) {
            return std::nullopt;
        }
        std::string text(*length, '\0');
        return read(std::as_writable_bytes(std::span(text))) ? std::optional(std::move(text)) : std::nullopt;
    }
    [[nodiscard]] Sha256Digest digest() { return m_sha.finish(); }

private:
    OpenFile m_file;
    std::uint64_t m_at = 0;
    std::uint64_t m_left = 0;
    Sha256 m_sha;
};

// Reads everything before the state and returns the state's length; nothing if that is impossible.
std::optional<std::uint64_t> readHead(Reading& file, SavedPrefix& prefix) {
    std::array<std::byte, kMagic.size()> magic{};
    if (!file.read(magic) || !std::ranges::equal(magic, std::as_bytes(std::span(kMagic)))) {
        return std::nullopt;
    }
    auto key = file.text(kLongestName);
    auto conversation = key ? file.text(kLongestName) : std::nullopt;
    const auto cuts = conversation ? file.number() : std::nullopt;
    const auto count = cuts && *cuts <= 1 ? file.number() : std::nullopt;
    if (!count || *count > file.left() / 4) {
        return std::nullopt;
    }
    std::vector<std::byte> bytes(*count * 4);
    if (!file.read(bytes)) {
        return std::nullopt;
    }
    prefix.key = std::move(*key);
    prefix.conversation = std::move(*conversation);
    prefix.cutsAnywhere = *cuts == 1;
    prefix.tokens.reserve(*count);
    for (std::uint64_t i = 0; i < *count; ++i) {
        prefix.tokens.emplace_back(load<std::uint32_t>(bytes.data() + 4 * i, ByteOrder::Little));
    }
    const auto length = file.number();
    return length && file.left() >= kDigestBytes && *length == file.left() - kDigestBytes ? length : std::nullopt;
}

bool readState(Reading& file, std::uint64_t length, SavedPrefix& prefix) {
    prefix.state.resize(length);
    if (!file.read(prefix.state)) {
        return false;
    }
    const Sha256Digest expected = file.digest();
    Sha256Digest stated{};
    return file.read(stated) && stated == expected;
}

// Calls visit(path) for each state in a folder.
template<typename Visit>
void forEachState(const fs::path& folder, const Visit& visit) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (at->path().extension() == kSuffix) {
            visit(at->path());
        }
    }
}

template<typename Visit>
void forEachFolder(const fs::path& root, const Visit& visit) {
    std::error_code error;
    for (fs::directory_iterator at(root, error), end; !error && at != end; at.increment(error)) {
        std::error_code failed;
        if (at->is_directory(failed) && !at->is_symlink(failed)) {
            visit(at->path());
        }
    }
}

// Deletes the states whose names begin so.
void removeThose(const fs::path& root, std::string_view begin) {
    std::vector<fs::path> paths;
    forEachFolder(root, [&](const fs::path& folder) {
        forEachState(folder, [&](const fs::path& path) {
            if (path.filename().native().starts_with(begin)) {
                paths.push_back(path);
            }
        });
    });
    for (const fs::path& path : paths) {
        std::error_code error;
        fs::remove(path, error);
        fs::remove(path.parent_path(), error); // if it is empty now
    }
}

// Deletes the least recently used states, except `kept`.
void prune(const fs::path& root, const fs::path& kept, std::uint64_t limit) {
    struct State {
        fs::file_time_type used;
        fs::path path;
        std::uint64_t bytes = 0;
    };
    std::vector<State> states;
    std::uint64_t total = 0;
    forEachFolder(root, [&](const fs::path& folder) {
        forEachState(folder, [&](const fs::path& path) {
            std::error_code error;
            const std::uint64_t bytes = fs::file_size(path, error);
            const auto used = fs::last_write_time(path, error);
            if (!error) {
                total += bytes;
                states.push_back({used, path, bytes});
            }
        });
    });
    std::ranges::sort(states, {}, &State::used);
    for (const State& state : states) {
        std::error_code error;
        if (total > limit && state.path != kept && fs::remove(state.path, error)) {
            total -= state.bytes;
        }
    }
}

} // namespace

fs::path userPrefixFolder() {
    // NOLINTBEGIN(concurrency-mt-unsafe): no thread changes the environment
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
        return fs::path(cache) / "gufo" / "prompts";
    }
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
        return fs::path(home) / ".cache" / "gufo" / "prompts";
    }
    // NOLINTEND(concurrency-mt-unsafe)
    return {};
}

Result<> writePrefix(const fs::path& root, const SavedPrefix& prefix, std::uint64_t limit) {
    const std::vector<std::byte> head = headOf(prefix);
    if (head.size() + prefix.state.size() + kDigestBytes > limit || prefix.key.size() > kLongestName ||
        prefix.conversation.size() > kLongestName) {
        return {}; // it is not kept
    }
    std::error_code error;
    fs::create_directories(root.parent_path(), error);
    const fs::path folder = folderOf(root, prefix.key);
    for (const fs::path& each : {root, folder}) {
        GUFO_TRY(makePrivate(each));
    }
    const fs::path path = pathOf(root, prefix);
    std::string unfinished = path.native() + ".XXXXXX";
    const int made = ::mkostemp(unfinished.data(), O_CLOEXEC); // mode 0600
    if (made < 0) {
        return std::unexpected(systemError(errno, path, ErrorCode::WriteFailed));
    }
    FileOperations& operations = realFileOperations();
    const OpenFile file(operations, made);
    Sha256 sha;
    std::uint64_t at = 0;
    const auto write = [&](Bytes bytes) -> SystemResult<> {
        sha.add(bytes);
        auto written = writeAll(operations, made, at, bytes);
        at += bytes.size();
        return written;
    };
    const auto writeWhole = [&]() -> SystemResult<> {
        GUFO_TRY(write(head));
        GUFO_TRY(write(prefix.state));
        GUFO_TRY(writeAll(operations, made, at, sha.finish()));
        return ::rename(unfinished.c_str(), path.c_str()) == 0 ? SystemResult<>() : std::unexpected(errno);
    };
    if (const auto written = writeWhole(); !written) {
        ::unlink(unfinished.c_str());
        return std::unexpected(systemError(written.error(), path, ErrorCode::WriteFailed));
    }
    prune(root, path, limit);
    return {};
}

std::optional<SavedPrefix> findPrefix(const fs::path& root, std::string_view key, std::span<const TokenId> prompt,
                                      std::size_t minimum, std::uint64_t limit, std::vector<Error>& refused) {
    const fs::path folder = folderOf(root, key);
    if (!isPrivate(root) || !isPrivate(folder)) {
        return std::nullopt;
    }
    const auto refuse = [&](const fs::path& path, bool isDamaged) {
        refused.push_back({ErrorCode::InvalidArgument, path, {}, {Detail::StateUnusable}, 0});
        std::error_code error;
        if (isDamaged) {
            fs::remove(path, error);
        }
    };
    struct StoredState {
        fs::path path;
        std::size_t usable = 0;
    };
    std::vector<StoredState> candidates;
    forEachState(folder, [&](const fs::path& path) {
        Reading file(path);
        SavedPrefix prefix;
        const auto length = readHead(file, prefix);
        const bool isWhole = length.has_value();
        if (length && *length > limit) {
            return;
        }
        if (!isWhole || prefix.key != key || pathOf(root, prefix) != path) {
            refuse(path, !isWhole);
        } else if (const std::size_t usable = prefix.usableFor(prompt); usable >= std::max<std::size_t>(minimum, 1)) {
            candidates.push_back({path, usable});
        }
    });
    std::ranges::sort(candidates, std::ranges::greater(), &StoredState::usable);
    for (const StoredState& candidate : candidates) {
        Reading file(candidate.path);
        SavedPrefix prefix;
        const auto length = readHead(file, prefix);
        if (length && *length <= limit && readState(file, *length, prefix)) {
            ::utimensat(AT_FDCWD, candidate.path.c_str(), nullptr, 0); // used now
            return prefix;
        }
        refuse(candidate.path, true);
    }
    return std::nullopt;
}

void removePrefix(const fs::path& root, const SavedPrefix& prefix) {
    std::error_code error;
    fs::remove(pathOf(root, prefix), error);
}

void removePrefixes(const fs::path& root, std::string_view conversation) { removeThose(root, beginOf(conversation)); }

void removeAllPrefixes(const fs::path& root) { removeThose(root, {}); }

} // namespace gufo::inference
