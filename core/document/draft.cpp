#include "document/draft.h"

#include "base/detail.h"
#include "base/mapped_file.h"
#include "base/output_file.h"
#include "base/sha256.h"
#include "document/value_json.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <functional>
#include <iterator>
#include <span>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace gufo {
namespace {

using Token = JsonReader::Token;

constexpr std::string_view kVersion = "1";

// The members before the list of changes.
struct Head {
    std::string file;
    std::string fingerprint;
};

// Leaves the reader before the list of changes. Fails if this is not a draft.
Result<Head> readHead(JsonReader& json) {
    GUFO_TRY(json.expect(Token::ObjectStart, Detail::Draft));
    Head head;
    bool isDraft = false;
    while (true) {
        GUFO_TRY(json.expect(Token::Key, Detail::ChangeList));
        const std::string name = json.text();
        if (name == "changes") {
            return isDraft ? Result<Head>(head) : json.expected(Detail::DraftVersion);
        }
        if (name == "gufo_draft") {
            const auto token = json.next();
            isDraft = token && *token == Token::Number && json.text() == kVersion;
            continue;
        }
        const auto value = GUFO_TRY(readBareValue(json, ValueType::String));
        const std::string text(*asString(value.value()));
        if (name == "file") {
            head.file = text;
        } else if (name == "header") {
            head.fingerprint = text;
        }
    }
}

std::string canonicalPath(const std::filesystem::path& model) {
    std::error_code error;
    auto path = std::filesystem::canonical(model, error);
    return error ? std::filesystem::absolute(model, error).native() : path.native();
}

std::string nameFor(const std::string& modelPath) { return hexText(sha256(std::as_bytes(std::span(modelPath)))); }

// Whether `path` still names the locked file.
bool isSameFile(int file, const std::filesystem::path& path) {
    struct stat opened{};
    struct stat named{};
    return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

std::string_view textOf(const MappedFile& file) {
    const auto bytes = file.view({0, file.size()});
    return bytes ? std::string_view(reinterpret_cast<const char*>(bytes->data()), bytes->size()) : std::string_view();
}

} // namespace

Result<Draft::Lock> Draft::Lock::take(std::filesystem::path path) {
    constexpr int kAttempts = 100; // each fails only if another process removed the lock file in between
    Lock lock;
    lock.m_path = std::move(path);
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        const int file = ::open(lock.m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (file < 0) {
            return std::unexpected(systemError(errno, lock.m_path, ErrorCode::WriteFailed));
        }
        if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
            const int reason = errno;
            ::close(file);
            return std::unexpected(reason == EWOULDBLOCK ? Error{ErrorCode::FileBusy, lock.m_path, {}, {}, 0}
                                                         : systemError(reason, lock.m_path, ErrorCode::WriteFailed));
        }
        if (isSameFile(file, lock.m_path)) {
            lock.m_file = file;
            return lock;
        }
        ::close(file);
    }
    return std::unexpected(Error{ErrorCode::FileBusy, lock.m_path, {}, {}, 0});
}

Draft::Lock& Draft::Lock::operator=(Lock&& other) noexcept {
    if (this != &other) {
        release();
        m_path = std::move(other.m_path);
        m_file = std::exchange(other.m_file, -1);
    }
    return *this;
}

void Draft::Lock::release() {
    if (m_file >= 0) {
        // Removed while locked: another process that has opened it sees that the name is gone and starts again.
        ::unlink(m_path.c_str());
        ::close(std::exchange(m_file, -1));
    }
}

Result<Draft> Draft::open(const std::filesystem::path& folder, const Model& base) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        return std::unexpected(systemError(error.value(), folder, ErrorCode::WriteFailed));
    }
    Draft draft;
    draft.m_modelPath = canonicalPath(base.path());
    draft.m_fingerprint = headerFingerprint(base);
    const std::string name = nameFor(draft.m_modelPath);
    draft.m_path = folder / (name + ".json");
    draft.m_lock = GUFO_TRY(Lock::take(folder / (name + ".lock")));
    draft.look(draft.m_path);
    if (draft.m_found == Found::Nothing) {
        draft.lookForNext();
    }
    return draft;
}

bool Draft::existsFor(const std::filesystem::path& folder, const std::filesystem::path& model) {
    const std::filesystem::path path = folder / (nameFor(canonicalPath(model)) + ".json");
    std::error_code error;
    return std::filesystem::exists(path, error) || !setAsideDrafts(path).empty();
}

std::vector<std::filesystem::path> Draft::setAsideDrafts(const std::filesystem::path& path) {
    const std::string start = path.stem().native() + '.';
    std::vector<std::pair<unsigned, std::filesystem::path>> found;
    std::error_code error;
    for (std::filesystem::directory_iterator at(path.parent_path(), error), end; !error && at != end;
         at.increment(error)) {
        const std::filesystem::path stem = at->path().stem(); // the digest and the number
        unsigned number = 0;
        if (at->path().extension() == path.extension() && stem.native().starts_with(start)) {
            const char* last = stem.c_str() + stem.native().size();
            const auto [stop, problem] = std::from_chars(stem.c_str() + start.size(), last, number);
            if (problem == std::errc() && stop == last) {
                found.emplace_back(number, at->path());
            }
        }
    }
    std::ranges::sort(found, std::greater());
    std::vector<std::filesystem::path> paths;
    std::ranges::transform(found, std::back_inserter(paths), [](const auto& each) { return each.second; });
    return paths;
}

void Draft::look(const std::filesystem::path& path) {
    m_found = Found::Nothing;
    m_foundPath.clear();
    struct stat status{};
    if (::lstat(path.c_str(), &status) != 0) {
        return;
    }
    m_foundPath = path;
    m_foundTime = std::chrono::system_clock::from_time_t(status.st_mtime);
    m_found = Found::Damaged;
    if (const auto file = MappedFile::open(path)) {
        JsonReader json(textOf(**file));
        if (const auto head = readHead(json)) {
            m_found =
                head->fingerprint == m_fingerprint && head->file == m_modelPath ? Found::Fitting : Found::FileChanged;
        }
    }
}

void Draft::lookForNext() {
    m_found = Found::Nothing;
    m_foundPath.clear();
    for (const std::filesystem::path& path : setAsideDrafts(m_path)) {
        if (std::ranges::find(m_restored, path) == m_restored.end()) {
            look(path);
            return;
        }
    }
}

Result<ReadChanges> Draft::restore(const ModelOpener& open, const JobContext& job) const {
    const std::filesystem::path& path = m_foundPath.empty() ? m_path : m_foundPath;
    const auto file = GUFO_TRY(MappedFile::open(path));
    JsonReader json(textOf(*file));
    const auto readWhole = [&]() -> Result<ReadChanges> {
        GUFO_TRY(readHead(json));
        auto changes = GUFO_TRY(readChanges(json, open, job));
        GUFO_TRY(json.expect(Token::ObjectEnd, Detail::DraftEnd));
        GUFO_TRY(json.expect(Token::End, Detail::EndOfText));
        return changes;
    };
    auto changes = readWhole();
    return changes ? std::move(changes) : std::unexpected(std::move(changes).error().in(path));
}

void Draft::setRestored() {
    m_restored.push_back(m_foundPath);
    lookForNext();
}

Result<> Draft::discard() {
    if (::unlink(m_foundPath.c_str()) != 0 && errno != ENOENT) {
        return std::unexpected(systemError(errno, m_foundPath, ErrorCode::WriteFailed));
    }
    lookForNext();
    return {};
}

Result<> Draft::setAside() {
    const std::vector<std::filesystem::path> others = setAsideDrafts(m_path);
    const std::string start = m_path.stem().native() + '.';
    unsigned number = 1;
    if (!others.empty()) {
        const std::string newest = others.front().stem().native();
        std::from_chars(newest.data() + start.size(), newest.data() + newest.size(), number);
        ++number;
    }
    const std::filesystem::path path =
        m_path.parent_path() / (start + std::to_string(number) + m_path.extension().native());
    if (::rename(m_path.c_str(), path.c_str()) != 0) {
        return std::unexpected(systemError(errno, path, ErrorCode::WriteFailed));
    }
    m_foundPath = path;
    return {};
}

Result<> Draft::removeRestored() {
    for (const std::filesystem::path& path : std::exchange(m_restored, {})) {
        if (path != m_path && ::unlink(path.c_str()) != 0 && errno != ENOENT) {
            return std::unexpected(systemError(errno, path, ErrorCode::WriteFailed));
        }
    }
    return {};
}

Result<> Draft::keep(const std::vector<Change>& changes, const JobContext& job) {
    if (changes.empty()) {
        if (isOfThisRun() && ::unlink(m_path.c_str()) != 0 && errno != ENOENT) {
            return std::unexpected(systemError(errno, m_path, ErrorCode::WriteFailed));
        }
        return removeRestored();
    }
    if (!isOfThisRun()) {
        GUFO_TRY(setAside());
    }
    auto file = GUFO_TRY(OutputFile::create(m_path, OutputFile::OpenFiles::Replaced));
    JsonText json([&](Bytes bytes) { return file.write(bytes); });
    json.raw("{\"gufo_draft\": " + std::string(kVersion) + ", \"file\": ");
    json.text(m_modelPath);
    json.raw(", \"header\": ");
    json.text(m_fingerprint);
    json.raw(",\n \"changes\": ");
    auto written = writeChanges(json, changes, job);
    json.raw("}\n");
    if (auto finished = json.finish(); written) {
        written = std::move(finished);
    }
    GUFO_TRY(std::move(written));
    GUFO_TRY(file.commit());
    return removeRestored();
}

void Draft::rebase(const Model& base) { m_fingerprint = headerFingerprint(base); }

} // namespace gufo
