#include "hub/verify.h"

#include "base/detail.h"
#include "base/mapped_file.h"
#include "base/sha256.h"
#include "formats/container/container.h"
#include "formats/detection/shard_names.h"
#include "net/remote_source.h"

#include <algorithm>
#include <random>

namespace gufo::hub {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kModelSuffix = ".gguf";

// The header of a model, whose end the file itself states; of other files, the first part.
std::uint64_t headerBytesOf(const std::shared_ptr<const MappedFile>& file, const JobContext& job) {
    const auto model = readModel(file, job);
    const bool isKnown = model && !(*model)->files.empty() && (*model)->files[0].headerBytes > 0;
    return std::min({isKnown ? (*model)->files[0].headerBytes : kPartBytes, kMaxHeaderBytes, file->size()});
}

// The header and random parts, which begin at multiples of their size, as RemoteSource fetches them.
std::vector<ByteRange> partsOf(std::uint64_t size, std::uint64_t headerBytes, std::uint64_t seed) {
    std::vector<ByteRange> parts;
    for (std::uint64_t at = 0; at < headerBytes; at += net::RemoteSource::kLongestFetch) {
        parts.push_back({at, std::min(net::RemoteSource::kLongestFetch, headerBytes - at)});
    }
    std::mt19937_64 random(seed);
    const std::uint64_t count = (size - 1) / kPartBytes + 1;
    for (unsigned i = 0; i < kParts; ++i) {
        const std::uint64_t offset = random() % count * kPartBytes;
        parts.push_back({offset, std::min(kPartBytes, size - offset)});
    }
    return parts;
}

Result<FileVerification> verifyDigest(FileVerification result, const RepositoryFile& remote, const JobContext& job) {
    if (remote.sha256.empty()) {
        return std::unexpected(Error{ErrorCode::NotSupported, result.path, {}, {Detail::RemoteDigestUnknown}, 0});
    }
    std::error_code error;
    const std::uint64_t size = fs::file_size(result.path, error);
    if (!error && remote.bytes != 0 && size != remote.bytes) {
        result.verdict = Verdict::OtherSize;
        return result;
    }
    const auto digest = GUFO_TRY(digestOfFile(realFileOperations(), result.path, job));
    result.sha256 = digest;
    result.comparedBytes = size;
    result.verdict = digest == remote.sha256 ? Verdict::Same : Verdict::OtherBytes;
    return result;
}

Result<FileVerification> verifyParts(FileVerification result, const std::shared_ptr<net::Client>& client,
                                     const RepositoryFile& remote, std::uint64_t seed, const JobContext& job) {
    const auto local = GUFO_TRY(MappedFile::open(result.path));
    const auto source = GUFO_TRY(net::RemoteSource::open(client, net::requestFor(remote.url), job));
    if (source->size() != local->size()) {
        result.verdict = Verdict::OtherSize;
        return result;
    }
    const std::vector<ByteRange> parts = partsOf(local->size(), headerBytesOf(local, job), seed);
    job.start(parts.size());
    for (const ByteRange& part : parts) {
        const auto localBytes = local->view(part);
        const auto remoteBytes = GUFO_TRY(localBytes ? source->fetch(part, job) : localBytes);
        if (!std::ranges::equal(*localBytes, remoteBytes)) {
            result.verdict = Verdict::OtherBytes;
            result.differingPart = part;
            return result;
        }
        result.comparedBytes += part.length;
        job.advance(1);
    }
    result.verdict = Verdict::SameParts;
    const auto damage = local->damage();
    return damage ? std::unexpected(*damage) : Result<FileVerification>(std::move(result));
}

} // namespace

Result<std::vector<fs::path>> localFiles(const ModelFiles& model, const fs::path& file) {
    auto shard = parseShardName(file.filename(), kModelSuffix);
    const std::size_t count = shard ? shard->count : 1;
    if (count != model.files.size()) {
        return std::unexpected(
            Error{ErrorCode::NotSupported, file, {}, {{Detail::RemoteShardsDiffer, {count, model.files.size()}}}, 0});
    }
    std::vector<fs::path> files;
    for (std::uint32_t number = 1; number <= count; ++number) {
        if (shard) {
            shard->number = number;
        }
        files.push_back(shard ? file.parent_path() / shardFileName(*shard, kModelSuffix) : file);
    }
    return files;
}

Result<std::vector<FileVerification>> verify(const std::shared_ptr<net::Client>& client, const ModelFiles& model,
                                             const fs::path& file, Thoroughness thoroughness, std::uint64_t seed,
                                             const JobContext& job) {
    const auto paths = GUFO_TRY(localFiles(model, file));
    if (thoroughness == Thoroughness::WholeFile) {
        job.start(model.bytes);
    }
    std::vector<FileVerification> results;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const RepositoryFile& remote = model.files[i];
        FileVerification begun{.path = paths[i], .remotePath = remote.path, .statedSha256 = remote.sha256};
        auto result = GUFO_TRY(thoroughness == Thoroughness::WholeFile
                                   ? verifyDigest(std::move(begun), remote, job)
                                   : verifyParts(std::move(begun), client, remote, seed + i, job));
        results.push_back(std::move(result));
    }
    return results;
}

Result<std::string> digestOfFile(FileOperations& operations, const std::filesystem::path& path, const JobContext& job) {
    constexpr std::size_t kReadAtOnce = 4 << 20;
    const auto failed = [&](int error) { return std::unexpected(systemError(error, path)); };
    const auto opened = operations.open(path, FileOperations::Mode::Read);
    if (!opened) {
        return failed(opened.error());
    }
    const OpenFile file(operations, *opened);
    std::vector<std::byte> buffer(kReadAtOnce);
    Sha256 sha;
    for (std::uint64_t at = 0;;) {
        if (job.stopRequested()) {
            return std::unexpected(Error{ErrorCode::Cancelled, path, {}, {}, 0});
        }
        const auto got = operations.read(file.get(), at, buffer);
        if (!got) {
            return failed(got.error());
        }
        if (*got == 0) {
            return hexText(sha.finish());
        }
        sha.add(Bytes(buffer).first(*got));
        at += *got;
        job.advance(*got);
    }
}

} // namespace gufo::hub
