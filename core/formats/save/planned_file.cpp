#include "formats/save/planned_file.h"

#include "base/detail.h"
#include "base/output_file.h"
#include "formats/save/probe.h"
#include "formats/save/recover.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace gufo::saving {
namespace {

constexpr std::uint64_t kPage = 4096;        // mappings are restored in pages (mapped_file.h)
constexpr std::uint64_t kMaxTail = 16 << 20; // limit on the bytes after the last tensor that a journal keeps
constexpr std::size_t kLongestName = 255;

bool isNew(const PlannedFile& file) {
    return file.plan.strategy == SaveStrategy::Copy || file.plan.strategy == SaveStrategy::Clone;
}

// Whether only a shift is impossible, while a patch may do.
bool isAgainstShift(SaveReason reason) {
    return reason == SaveReason::CannotShift || reason == SaveReason::TooManyExtents ||
           reason == SaveReason::TooSmall || reason == SaveReason::NotWholeBlocks;
}

std::uint64_t difference(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; }

class Planner {
public:
    Planner(std::vector<PlannedFile> files, const SaveTarget& target, const SaveOptions& options,
            FileOperations& operations, Purpose purpose)
        : m_target(target)
        , m_options(options)
        , m_operations(operations)
        , m_purpose(purpose) {
        m_result.files = std::move(files);
    }

    PlannedSave run();

private:
    void placeHeader(PlannedFile& file);
    void checkExclusive(PlannedFile& file);
    void predictTime(PlannedFile& file);
    void chooseStrategy(PlannedFile& file);
    void checkShift(PlannedFile& file);
    void force(PlannedFile& file);
    void checkPlace(PlannedFile& file);
    void agree();
    void refuse(Error error) {
        if (!m_result.plan.refusal) {
            m_result.plan.refusal = std::move(error);
        }
    }

    const SaveTarget& m_target;
    const SaveOptions& m_options;
    FileOperations& m_operations;
    Purpose m_purpose;
    PlannedSave m_result;
};

PlannedSave Planner::run() {
    for (PlannedFile& file : m_result.files) {
        placeHeader(file);
        chooseStrategy(file);
        if (file.keepsReserved && isNew(file) && isAgainstShift(file.plan.reason) && !m_options.strategy) {
            // To give the reserved space back would cost a new file, but to keep it costs only a patch.
            file.header = std::move(file.keepsReserved->header);
            file.plan.reserved = file.keepsReserved->reserved;
            file.plan.bytesToWrite = 0;
            placeHeader(file);
            chooseStrategy(file);
        }
    }
    agree();
    for (PlannedFile& file : m_result.files) {
        if (file.plan.strategy != SaveStrategy::Unchanged) {
            checkPlace(file);
            file.plan.linksLeft = file.linksLeft();
            predictTime(file);
            m_result.plan.files.push_back(file.plan);
        }
    }
    return std::move(m_result);
}

// Determines how far the tensor data moves.
void Planner::placeHeader(PlannedFile& file) {
    const std::uint64_t block = std::max<std::uint64_t>(file.status.blockSize, 1);
    file.shift = static_cast<std::int64_t>(file.header.size() - file.oldDataOffset);
    file.wholeBlocks = file.sameData && difference(file.header.size(), file.oldDataOffset) % block == 0;
    file.canClone = file.wholeBlocks && canShareBlocks(m_operations, file.plan.path, file.status);
}

// Determines what follows the tensor data.
void placeTail(PlannedFile& file, bool drop) {
    const std::uint64_t size = file.source->size();
    const std::uint64_t end = file.oldDataEnd;
    file.tail = !drop && end < size ? ByteRange{end, size - end} : ByteRange{std::min(end, size), 0};
    // A save in place changes only the header and the tail, so data that a frozen file lacks stays missing.
    std::uint64_t data = file.sameData ? end - file.oldDataOffset : file.newDataBytes;
    if (file.frozen) {
        data = std::min(end, size) - std::min(file.oldDataOffset, size);
    }
    file.plan.bytesAfter = file.header.size() + data + file.tail.length;
}

void Planner::chooseStrategy(PlannedFile& file) {
    placeTail(file, m_target.dropTrailingBytes);
    FilePlan& plan = file.plan;
    const std::uint64_t inPlaceSize = plan.bytesBefore + static_cast<std::uint64_t>(file.shift);
    const bool sameTail = plan.bytesAfter == inPlaceSize;
    if (!file.sameData) {
        plan.strategy = SaveStrategy::Copy;
        plan.bytesToWrite = plan.bytesAfter;
        file.canClone = false;
        if (m_options.strategy && *m_options.strategy != SaveStrategy::Copy) {
            force(file);
        }
        return;
    }
    if (plan.bytesBefore < file.oldDataOffset || (file.shift != 0 && !file.hasTensors)) {
        file.canClone = false;
        fallBack(file, SaveReason::TooSmall);
    } else if (file.shift == 0) {
        const auto ranges = changedRanges(file.oldHeader(), file.header, startBytes(file.mark));
        if (ranges.empty() && sameTail) {
            plan.strategy = SaveStrategy::Unchanged;
            plan.reason = SaveReason::NothingChanged;
            return;
        }
        plan.strategy = SaveStrategy::Patch;
        plan.reason = SaveReason::SameSize;
        if (plan.reserved != 0) {
            plan.reason = SaveReason::FitsReserved;
            plan.args = {plan.reserved};
        }
        for (const ByteRange& range : ranges) {
            plan.bytesToWrite += 2 * range.length;
            plan.journalBytes += range.length;
        }
        if (!sameTail && plan.bytesBefore > plan.bytesAfter && plan.bytesBefore - plan.bytesAfter > kMaxTail) {
            fallBack(file, SaveReason::TailTooLong, {plan.bytesBefore - plan.bytesAfter});
        }
    } else {
        plan.strategy = SaveStrategy::Shift;
        plan.reason = file.shift > 0 ? SaveReason::Grew : SaveReason::Shrank;
        plan.args = {file.shift > 0 ? file.shift : -file.shift};
        plan.bytesToWrite = file.header.size() + file.oldDataOffset;
        plan.journalBytes = file.oldDataOffset;
        if (!sameTail) {
            fallBack(file, SaveReason::TailTooLong, {difference(plan.bytesAfter, inPlaceSize)});
        } else {
            checkShift(file);
        }
    }
    if (file.source->isHeld() && plan.strategy != SaveStrategy::Copy) {
        fallBack(file, SaveReason::OpenInThisProcess);
    }
    if (journalPath(plan.path).filename().native().size() > kLongestName) {
        fallBack(file, SaveReason::NoJournal);
    }
    if (const std::uint64_t longest = std::max<std::uint64_t>(file.oldDataOffset, file.header.size());
        longest > kLargestHeaderInPlace) {
        fallBack(file, SaveReason::HeaderTooLong, {longest, kLargestHeaderInPlace});
    }
    checkExclusive(file);
    if (m_options.strategy) {
        force(file);
    }
}

// Predicts whether the save will be granted exclusive access, without which it writes a new file.
void Planner::checkExclusive(PlannedFile& file) {
    if (m_purpose != Purpose::Prediction || isNew(file)) {
        return;
    }
    if (const auto reason = whyNotExclusive(m_operations, file.plan.path, file.status)) {
        fallBack(file, *reason);
    }
}

void Planner::predictTime(PlannedFile& file) {
    FilePlan& plan = file.plan;
    if (m_purpose != Purpose::Prediction || plan.strategy != SaveStrategy::Copy || plan.bytesToWrite < kLongCopy) {
        return;
    }
    if (const auto rate = copyRate(m_operations, plan.path, file.status)) {
        plan.seconds = static_cast<double>(plan.bytesToWrite) / *rate;
    }
}

void Planner::checkShift(PlannedFile& file) {
    const std::uint64_t block = file.status.blockSize;
    const auto by = static_cast<std::uint64_t>(file.shift > 0 ? file.shift : -file.shift);
    if (by % file.unit() != 0) {
        fallBack(file, m_options.reserve == Reserve::None ? SaveReason::ReservedOff : SaveReason::NotWholeBlocks);
        return;
    }
    if (!file.canShift) {
        fallBack(file, SaveReason::CannotShift);
        return;
    }
    const std::uint64_t at = std::min<std::uint64_t>(file.oldDataOffset, file.header.size()) / block * block;
    if (at + (file.shift < 0 ? by : 0) >= file.plan.bytesBefore) {
        fallBack(file, SaveReason::TooSmall);
        return;
    }
    const std::scoped_lock lock(leaseMutex());
    const auto handle = m_operations.open(file.plan.path, FileOperations::Mode::Read);
    if (!handle) {
        return; // checkPlace() reports it
    }
    const OpenFile opened(m_operations, *handle);
    const auto extents = m_operations.extents(*handle, kMaxShiftedExtents, false);
    if (!extents) {
        fallBack(file, SaveReason::CannotShift);
    } else if (extents->count > kMaxShiftedExtents) {
        fallBack(file, SaveReason::TooManyExtents, {extents->count, kMaxShiftedExtents});
    }
}

// Selects the requested strategy, or records why it is impossible.
void Planner::force(PlannedFile& file) {
    FilePlan& plan = file.plan;
    const SaveStrategy asked = *m_options.strategy;
    const SaveStrategy chosen = plan.strategy;
    if (chosen == asked) {
        return;
    }
    if (asked == SaveStrategy::Copy || (asked == SaveStrategy::Clone && file.canClone)) {
        plan.strategy = asked;
        plan.reason = SaveReason::Asked;
        plan.args.clear();
        plan.journalBytes = 0;
        plan.bytesToWrite = asked == SaveStrategy::Copy ? plan.bytesAfter : file.header.size();
        return;
    }
    const bool unshared = asked == SaveStrategy::Clone && file.wholeBlocks;
    const SaveReason reason = unshared ? SaveReason::CannotClone : plan.reason;
    Arguments args{std::string(strategyName(asked)), std::string(reasonName(reason))};
    if (!unshared) {
        args.insert(args.end(), plan.args.begin(), plan.args.end());
    }
    refuse(Error{ErrorCode::StrategyImpossible, plan.path, {}, std::move(args), 0});
}

// All files of a set change together: either in place under a journal, or as new files that are renamed one after
// another.
void Planner::agree() {
    if (std::ranges::find_if(m_result.files, isNew) == m_result.files.end()) {
        return;
    }
    for (PlannedFile& file : m_result.files) {
        if (file.plan.strategy == SaveStrategy::Patch || file.plan.strategy == SaveStrategy::Shift) {
            fallBack(file, SaveReason::SeveralFiles);
        }
    }
}

// Checks whether the file can be changed in place.
void Planner::checkPlace(PlannedFile& file) {
    const FilePlan& plan = file.plan;
    const auto refused = [&](ErrorCode code, Arguments args = {}) {
        refuse(Error{code, plan.path, {}, std::move(args), 0});
    };
    const auto status = m_operations.status(plan.path);
    if (!status) {
        refuse(systemError(status.error(), plan.path));
        return;
    }
    const auto identity = file.source->identity();
    const bool unchanged = identity ? status->identity() == *identity : status->size == file.source->size();
    if (!unchanged) { // before the damage that this caused, because the user can do something about it
        refused(ErrorCode::FileChangedOnDisk);
    }
    if (const auto damage = file.source->damage()) {
        refuse(*damage);
    }
    for (const PlannedFile& other : m_result.files) {
        if (&other != &file && other.status.inode == status->inode && other.status.device == status->device) {
            refused(ErrorCode::NotSupported, {Detail::SameFileTwice});
        }
        if (&other != &file && other.plan.strategy != SaveStrategy::Unchanged &&
            other.plan.path.parent_path() != plan.path.parent_path()) {
            refused(ErrorCode::NotSupported, {Detail::DifferentFolders});
        }
    }
    if (isContentHash(plan.path.filename().native())) {
        m_result.plan.advice = SaveAsAdvice::ContentAddressed;
    } else if (status->links > 1 && m_result.plan.advice == SaveAsAdvice::None) {
        m_result.plan.advice = SaveAsAdvice::HardLinks;
        m_result.plan.links = status->links;
    }
    if (const auto writable = m_operations.checkWritableFile(plan.path); !writable) {
        refuse(systemError(writable.error(), plan.path));
        m_result.plan.refusal->code = ErrorCode::FileNotWritable;
    }
    if (const auto writable = m_operations.checkWritableFolder(plan.path.parent_path()); !writable) {
        refused(ErrorCode::ReadOnlyFolder);
    }
}

} // namespace

PlannedFile plannedFile(FileIndex index, const ModelFile& before, FileOperations& operations) {
    PlannedFile file;
    file.source = before.source;
    file.plan.file = index;
    file.plan.path = operations.resolve(before.path).value_or(before.path);
    file.oldDataOffset = before.dataOffset;
    file.plan.bytesBefore = before.source->size();
    if (const auto status = operations.status(file.plan.path)) {
        file.status = *status;
    }
    file.canShift = canInsertBlocks(operations, file.plan.path, file.status);
    return file;
}

std::uint64_t PlannedFile::unit() const {
    return std::lcm(std::lcm(std::max<std::uint64_t>(status.blockSize, 1), kPage), alignment);
}

Bytes PlannedFile::oldHeader() const {
    return source->view({0, std::min(oldDataOffset, source->size())}).value_or(Bytes());
}

std::vector<ByteRange> changedRanges(Bytes before, Bytes after, std::uint64_t start) {
    std::vector<ByteRange> ranges;
    for (std::uint64_t at = start; at < after.size();) {
        const std::uint64_t end = std::min<std::uint64_t>((at / kPage + 1) * kPage, after.size());
        if (std::memcmp(before.data() + at, after.data() + at, end - at) != 0) {
            if (!ranges.empty() && ranges.back().offset + ranges.back().length == at) {
                ranges.back().length += end - at;
            } else {
                ranges.push_back({at, end - at});
            }
        }
        at = end;
    }
    return ranges;
}

void fallBack(PlannedFile& file, SaveReason reason, Arguments args) {
    FilePlan& plan = file.plan;
    plan.strategy = file.canClone ? SaveStrategy::Clone : SaveStrategy::Copy;
    plan.reason = reason;
    plan.args = std::move(args);
    plan.journalBytes = 0;
    plan.bytesToWrite = plan.strategy == SaveStrategy::Clone ? file.header.size() : plan.bytesAfter;
}

PlannedSave decide(std::vector<PlannedFile> files, const SaveTarget& target, const SaveOptions& options,
                   FileOperations& operations, Purpose purpose) {
    return Planner(std::move(files), target, options, operations, purpose).run();
}

} // namespace gufo::saving
