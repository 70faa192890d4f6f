// Whether a file on this computer is the one that a hub has: for certain, by the SHA-256 that the hub states, or
// quickly, by its size, its beginning and random parts. Parts cannot prove that files are equal, but tell two
// quantisations, two versions or a damaged copy apart in seconds.
//
// Threads: all functions block, so they must not be called on the UI thread.
#pragma once

#include "base/file_operations.h"
#include "base/job_context.h"
#include "hub/repository_models.h"

#include <string>

namespace gufo::hub {

enum class Verdict : std::uint8_t {
    Same,
    SameParts, // everything that was compared is equal
    OtherSize,
    OtherBytes,
};

struct FileVerification {
    std::filesystem::path path;
    std::string remotePath;
    Verdict verdict = Verdict::Same;
    std::uint64_t comparedBytes = 0;
    std::string sha256;       // of the file; empty if it was not computed
    std::string statedSha256; // by the hub; may be empty
    // The first part that differs; only with OtherBytes, and not if the digest was compared.
    std::optional<ByteRange> differingPart;
};

enum class Thoroughness : std::uint8_t { WholeFile, Parts };

// Returns the files of a model on this computer: `file` itself, or all shards of its set. Errors: NotSupported
// (Detail::RemoteShardsDiffer: the model on the hub consists of another number of files).
[[nodiscard]] Result<std::vector<std::filesystem::path>> localFiles(const ModelFiles& model,
                                                                    const std::filesystem::path& file);

// The parts that a quick comparison reads.
inline constexpr std::uint64_t kPartBytes = 64 << 10;
inline constexpr unsigned kParts = 30;
inline constexpr std::uint64_t kMaxHeaderBytes = 64 << 20;

// Compares each file of the model with the one of localFiles(). `seed` chooses the parts. Progress is in bytes. Errors:
// the errors of localFiles; NotSupported (Detail::RemoteDigestUnknown, for WholeFile); the errors of files, of
// RemoteSource::open and RemoteSource::view; Cancelled.
[[nodiscard]] Result<std::vector<FileVerification>> verify(const std::shared_ptr<net::Client>& client,
                                                           const ModelFiles& model, const std::filesystem::path& file,
                                                           Thoroughness thoroughness, std::uint64_t seed,
                                                           const JobContext& job = {});

// The SHA-256 of a file on this computer.

// Returns the digest as 64 lower-case hexadecimal digits. Advances the progress by the bytes read. Errors:
// FileNotFound, PermissionDenied, ReadFailed, Cancelled.
[[nodiscard]] Result<std::string> digestOfFile(FileOperations& operations, const std::filesystem::path& path,
                                               const JobContext& job);

} // namespace gufo::hub
