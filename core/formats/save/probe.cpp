#include "formats/save/probe.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <vector>

namespace gufo::saving {
namespace {

using Mode = FileOperations::Mode;
using Path = std::filesystem::path;

constexpr std::uint64_t kSample = std::uint64_t{16} << 20U;
constexpr std::uint64_t kSector = 512;

struct Rates {
    std::mutex mutex;
    std::map<std::uint64_t, double> perDevice; // bytes per second
};
Rates& rates() {
    static Rates rates;
    return rates;
}

// Whether an operation failed because the file system does not have it, and not by chance, such as on a full disk.
bool isUnsupported(const SystemResult<>& result) {
    return !result && (result.error() == EOPNOTSUPP || result.error() == EINVAL || result.error() == ENOSYS ||
                       result.error() == ENOTTY || result.error() == EXDEV);
}

// A source and a nameless file in its folder.
struct Probe {
    OpenFile source;
    OpenFile unnamed;
};
SystemResult<Probe> openProbe(FileOperations& operations, const Path& file) {
    const auto source = GUFO_TRY(operations.open(file, Mode::Read));
    Probe probe{OpenFile(operations, source), {}};
    const auto unnamed = GUFO_TRY(operations.openUnnamed(file.parent_path()));
    probe.unnamed = OpenFile(operations, unnamed);
    return probe;
}

// Copies as a save does, and falls back to reading and writing.
SystemResult<> copySample(FileOperations& operations, const Probe& probe, std::uint64_t from) {
    std::uint64_t done = 0;
    while (done < kSample) {
        const auto copied =
            operations.copyRange(probe.source.get(), from + done, probe.unnamed.get(), done, kSample - done);
        if (!copied || *copied == 0) {
            break;
        }
        done += *copied;
    }
    if (done < kSample) {
        std::vector<std::byte> bytes(kSample - done);
        GUFO_TRY(readAll(operations, probe.source.get(), from + done, bytes));
        GUFO_TRY(writeAll(operations, probe.unnamed.get(), done, bytes));
    }
    return operations.sync(probe.unnamed.get());
}

} // namespace

std::mutex& leaseMutex() {
    static std::mutex mutex;
    return mutex;
}

bool canShareBlocks(FileOperations& operations, const Path& file, const FileStatus& status) {
    const bool known = operations.abilities(file).sharesBlocks;
    const std::scoped_lock lock(leaseMutex());
    const auto probe = openProbe(operations, file);
    if (!probe) {
        return known; // nothing can be tried, such as in a folder that cannot be written
    }
    const std::uint64_t length = std::min<std::uint64_t>(status.blockSize, status.size);
    const auto cloned = operations.cloneRange(probe->source.get(), 0, probe->unnamed.get(), 0, length);
    return cloned || (known && !isUnsupported(cloned));
}

bool canInsertBlocks(FileOperations& operations, const Path& file, const FileStatus& status) {
    if (!operations.abilities(file).insertsRanges) {
        return false; // there, even an operation that would succeed is not safe
    }
    const auto unnamed = operations.openUnnamed(file.parent_path());
    if (!unnamed) {
        return true; // nothing can be tried
    }
    const OpenFile opened(operations, *unnamed);
    const std::uint64_t block = status.blockSize;
    const auto resized = operations.resize(*unnamed, 2 * block);
    return !resized || !isUnsupported(operations.insertRange(*unnamed, block, block));
}

std::optional<SaveReason> whyNotExclusive(FileOperations& operations, const Path& file, const FileStatus& status) {
    const std::scoped_lock lock(leaseMutex());
    const auto handle = operations.open(file, Mode::ReadWrite);
    if (!handle) {
        return std::nullopt; // the save is refused for that reason anyway
    }
    const OpenFile opened(operations, *handle);
    const auto lease = operations.takeLease(*handle);
    if (lease) {
        operations.releaseLease(*handle);
        return std::nullopt;
    }
    switch (lease.error()) {
    case EAGAIN: // also if only this process has mapped it, which the save undoes for a moment
        return operations.isOpenElsewhere(file, status) ? std::optional(SaveReason::OpenElsewhere) : std::nullopt;
    case EACCES:
    case EPERM:
        return SaveReason::NotOwner;
    default:
        return SaveReason::NoLease;
    }
}

std::optional<double> copyRate(FileOperations& operations, const Path& file, const FileStatus& status) {
    const std::scoped_lock lock(leaseMutex());
    {
        const std::scoped_lock reading(rates().mutex);
        const auto known = rates().perDevice.find(status.device);
        if (known != rates().perDevice.end()) {
            return known->second;
        }
    }
    if (status.size < kLongCopy) {
        return std::nullopt;
    }
    const auto probe = openProbe(operations, file);
    if (!probe) {
        return std::nullopt;
    }
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    // Not at the start of a block, so that a file system that shares blocks has to copy them.
    if (!copySample(operations, *probe, status.size / 2 / kSector * kSector + 1)) {
        return std::nullopt;
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const double rate = static_cast<double>(kSample) / std::max(seconds, 1e-6);
    rememberCopyRate(status.device, rate);
    return rate;
}

void rememberCopyRate(std::uint64_t device, double bytesPerSecond) {
    const std::scoped_lock lock(rates().mutex);
    rates().perDevice[device] = bytesPerSecond;
}

} // namespace gufo::saving
