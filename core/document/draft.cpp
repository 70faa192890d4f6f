#include "document/draft.h"

#include "base/mapped_file.h"
#include "base/output_file.h"
#include "base/sha256.h"
#include "document/value_json.h"

#include <cerrno>
#include <fcntl.h>
#include <span>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace gufo {
namespace {

using Token = JsonReader::Token;

constexpr std::string_view kVersion = "1";

// The members before the changes; nothing where it is no draft.
struct Head {
    std::string file;
    std::string fingerprint;
};

// Leaves the reader before the list of changes.
Result<Head> readHead(JsonReader& json) {
    if (auto start = json.expect(Token::ObjectStart, "a draft"); !start) {
        return std::unexpected(std::move(start).error());
    }
    Head head;
    bool isDraft = false;
    while (true) {
        if (auto key = json.expect(Token::Key, "a list of changes"); !key) {
            return std::unexpected(std::move(key).error());
        }
        const std::string name = json.text();
        if (name == "changes") {
            return isDraft ? Result<Head>(head) : json.expected("a draft of version 1");
        }
        if (name == "gufo_draft") {
            const auto token = json.next();
            isDraft = token && *token == Token::Number && json.text() == kVersion;
            continue;
        }
        const auto value = readBareValue(json, ValueType::String);
        if (!value) {
            return std::unexpected(value.error());
        }
        const std::string text(*asString(value->value()));
        if (name == "file") {
            head.file = text;
        } else if (name == "header") {
            head.fingerprint = text;
        }
    }
}

std::string canonicalPath(const Model& model) {
    std::error_code error;
    auto path = std::filesystem::canonical(model.path(), error);
    return error ? std::filesystem::absolute(model.path(), error).native() : path.native();
}

// Whether the locked file is still the one of that name.
bool isSameFile(int file, const std::filesystem::path& path) {
    struct stat opened{};
    struct stat named{};
    return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

Result<int> lock(const std::filesystem::path& path) {
    constexpr int kAttempts = 100; // each lost to somebody who took the name away in between
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (file < 0) {
            return std::unexpected(systemError(errno, path, ErrorCode::WriteFailed));
        }
        if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
            const int reason = errno;
            ::close(file);
            return std::unexpected(reason == EWOULDBLOCK ? Error{ErrorCode::FileBusy, path, {}, {}, 0}
                                                         : systemError(reason, path, ErrorCode::WriteFailed));
        }
        if (isSameFile(file, path)) {
            return file;
        }
        ::close(file);
    }
    return std::unexpected(Error{ErrorCode::FileBusy, path, {}, {}, 0});
}

std::string_view textOf(const MappedFile& file) {
    const auto bytes = file.view({0, file.size()});
    return bytes ? std::string_view(reinterpret_cast<const char*>(bytes->data()), bytes->size()) : std::string_view();
}

} // namespace

Result<Draft> Draft::open(const std::filesystem::path& folder, const Model& base) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        return std::unexpected(systemError(error.value(), folder, ErrorCode::WriteFailed));
    }
    Draft draft;
    draft.m_modelPath = canonicalPath(base);
    draft.m_fingerprint = headerFingerprint(base);
    const Sha256Digest digest = sha256(std::as_bytes(std::span(draft.m_modelPath)));
    const std::string name = hexText(digest);
    draft.m_path = folder / (name + ".json");
    draft.m_lockPath = folder / (name + ".lock");
    auto locked = lock(draft.m_lockPath);
    if (!locked) {
        return std::unexpected(std::move(locked).error());
    }
    draft.m_lock = *locked;
    draft.look();
    return draft;
}

Draft::Draft(Draft&& other) noexcept
    : m_path(std::move(other.m_path))
    , m_lockPath(std::move(other.m_lockPath))
    , m_lock(std::exchange(other.m_lock, -1))
    , m_modelPath(std::move(other.m_modelPath))
    , m_fingerprint(std::move(other.m_fingerprint))
    , m_found(other.m_found)
    , m_decided(other.m_decided)
    , m_foundTime(other.m_foundTime) {}

Draft& Draft::operator=(Draft&& other) noexcept {
    if (this != &other) {
        release();
        m_path = std::move(other.m_path);
        m_lockPath = std::move(other.m_lockPath);
        m_lock = std::exchange(other.m_lock, -1);
        m_modelPath = std::move(other.m_modelPath);
        m_fingerprint = std::move(other.m_fingerprint);
        m_found = other.m_found;
        m_decided = other.m_decided;
        m_foundTime = other.m_foundTime;
    }
    return *this;
}

Draft::~Draft() { release(); }

void Draft::release() {
    if (m_lock >= 0) {
        // While it is locked; who opened it before sees that the name is gone and begins again.
        ::unlink(m_lockPath.c_str());
        ::close(std::exchange(m_lock, -1));
    }
}

void Draft::look() {
    m_found = Found::Nothing;
    struct stat status{};
    if (::lstat(m_path.c_str(), &status) != 0) {
        m_decided = true;
        return;
    }
    m_decided = false;
    m_foundTime = std::chrono::system_clock::from_time_t(status.st_mtime);
    m_found = Found::Damaged;
    if (const auto file = MappedFile::open(m_path)) {
        JsonReader json(textOf(**file));
        if (const auto head = readHead(json)) {
            m_found =
                head->fingerprint == m_fingerprint && head->file == m_modelPath ? Found::Fitting : Found::FileChanged;
        }
    }
}

Result<ReadChanges> Draft::restore(const ModelOpener& open, const JobContext& job) {
    const auto file = MappedFile::open(m_path);
    if (!file) {
        return std::unexpected(file.error());
    }
    JsonReader json(textOf(**file));
    const auto in = [&](Error error) { return std::unexpected(std::move(error).in(m_path)); };
    if (const auto head = readHead(json); !head) {
        return in(head.error());
    }
    auto changes = readChanges(json, open, job);
    if (!changes) {
        return in(std::move(changes).error());
    }
    auto end = json.expect(Token::ObjectEnd, "the end of the draft");
    end = end ? json.expect(Token::End, "nothing more") : end;
    if (!end) {
        return in(std::move(end).error());
    }
    m_decided = true;
    return changes;
}

Result<> Draft::discard() {
    if (::unlink(m_path.c_str()) != 0 && errno != ENOENT) {
        return std::unexpected(systemError(errno, m_path, ErrorCode::WriteFailed));
    }
    m_found = Found::Nothing;
    m_decided = true;
    return {};
}

Result<> Draft::keep(const std::vector<Change>& changes, const JobContext& job) {
    if (!m_decided) {
        return fail(ErrorCode::InvalidArgument, {}, {"there is a draft that is neither restored nor discarded"});
    }
    if (changes.empty()) {
        return discard();
    }
    auto file = OutputFile::create(m_path);
    if (!file) {
        return std::unexpected(std::move(file).error());
    }
    JsonText json([&](Bytes bytes) { return file->write(bytes); });
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
    return written ? file->commit() : written;
}

void Draft::rebase(const Model& base) { m_fingerprint = headerFingerprint(base); }

} // namespace gufo
