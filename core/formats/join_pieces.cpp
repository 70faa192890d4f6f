#include "formats/join_pieces.h"

#include "base/checked.h"
#include "base/detail.h"
#include "base/mapped_file.h"
#include "base/sha256.h"
#include "formats/save/execute.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace gufo {
namespace {

using Clock = std::chrono::steady_clock;
using Sources = std::vector<std::shared_ptr<const ByteSource>>;

constexpr std::uint64_t kHashStep = 16 << 20;

Result<std::string> hashOf(const Sources& sources, const JobContext& job) {
    Sha256 hash;
    for (const auto& source : sources) {
        for (std::uint64_t at = 0; at < source->size(); at += kHashStep) {
            if (job.stopRequested()) {
                return fail(ErrorCode::Cancelled);
            }
            const auto bytes = GUFO_TRY(source->view({at, std::min(kHashStep, source->size() - at)}));
            hash.add(bytes);
        }
        if (const auto damage = source->damage()) {
            return std::unexpected(*damage);
        }
    }
    return hexText(hash.finish());
}

} // namespace

Result<SaveReport> joinPieces(const PieceSet& set, const std::filesystem::path& out, const SaveOptions& options,
                              const JobContext& job) {
    FileOperations& operations = options.operations != nullptr ? *options.operations : realFileOperations();
    saving::NewFile file;
    file.path = saving::resolveNew(operations, out);
    GUFO_TRY(saving::findTarget(file, operations));
    const auto target = operations.status(file.path);
    Sources sources;
    for (const std::filesystem::path& path : set.pieces) {
        auto source = GUFO_TRY(MappedFile::open(path));
        const auto identity = source->identity();
        if (target && identity && identity->device == target->device && identity->inode == target->inode) {
            return std::unexpected(Error{ErrorCode::InvalidArgument, out, {}, {Detail::ReplacesOwnPart}, 0});
        }
        const std::uint64_t bytes = source->size();
        const auto end = checkedAdd(file.size, bytes);
        if (!end || *end > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
            return std::unexpected(Error{ErrorCode::InvalidArgument, out, {}, {Detail::FileTooLarge}, 0});
        }
        file.pieces.push_back({.source = source, .range = {0, bytes}, .offset = file.size});
        file.size = *end;
        sources.push_back(std::move(source));
    }
    SaveReport report;
    if (options.verify) {
        report.hashBefore = GUFO_TRY(hashOf(sources, job));
    }
    const auto start = Clock::now();
    GUFO_TRY(saving::writeNewFiles({&file, 1}, operations, job));
    report.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    FilePlan plan;
    plan.path = file.path;
    plan.reason = SaveReason::NewFile;
    plan.bytesToWrite = file.written;
    plan.bytesAfter = file.size;
    report.files.push_back({plan, report.milliseconds});
    if (options.verify) {
        auto written = MappedFile::open(file.path);
        report.hashAfter =
            GUFO_TRY(written ? hashOf({*std::move(written)}, job) : std::unexpected(std::move(written).error()));
        if (report.hashAfter != report.hashBefore) {
            return std::unexpected(
                Error{ErrorCode::VerificationFailed, file.path, {}, {*report.hashBefore, *report.hashAfter}, 0});
        }
    }
    return report;
}

} // namespace gufo
