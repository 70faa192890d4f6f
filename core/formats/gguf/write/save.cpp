#include "formats/gguf/write/save.h"

#include "base/checked.h"
#include "formats/gguf/read/reader.h"
#include "formats/gguf/read/shards.h"
#include "formats/gguf/write/contents.h"
#include "formats/gguf/write/new_model.h"
#include "formats/save/execute.h"

#include <algorithm>

namespace gufo::gguf {
namespace {

using saving::PlannedFile;
using saving::PlannedSave;

// The reason why the tensor data cannot stay as it is. No value means that it stays.
struct DataChange {
    SaveReason reason;
    Arguments args;
};
std::optional<DataChange> dataChange(const ShardContent& shard) {
    const FileContent& content = shard.content;
    const Model& base = *shard.base;
    const std::uint64_t dataOffset = base.files[0].dataOffset;
    if (shard.frozen) {
        return std::nullopt;
    }
    if (content.layout.order != base.byteOrder && !content.tensors.empty()) {
        return DataChange{SaveReason::ByteOrderChanges, {}};
    }
    bool sameTensors = content.tensors.size() == base.tensors.size();
    bool sameOffsets = true;
    bool wasPacked = true;
    std::uint64_t packed = 0;
    for (std::size_t i = 0; i < content.tensors.size() && sameTensors; ++i) {
        const ContentTensor& now = content.tensors[i];
        const TensorInfo& before = base.tensors[i];
        sameTensors = now.source == shard.file && now.sourceOffset == before.offset && now.bytes == before.bytes;
        sameOffsets = sameOffsets && before.offset >= dataOffset && now.offset == before.offset - dataOffset;
        wasPacked = wasPacked && before.declaredOffset == packed;
        packed = checkedAlign(packed + now.bytes, base.files[0].alignment).value_or(packed);
    }
    if (!sameTensors) {
        return DataChange{SaveReason::TensorsMove, {}};
    }
    if (sameOffsets) {
        return std::nullopt;
    }
    const std::uint32_t alignment = base.files[0].alignment;
    return content.alignment != alignment && wasPacked
               ? DataChange{SaveReason::AlignmentChanges,
                            {std::to_string(alignment), std::to_string(content.alignment)}}
               : DataChange{SaveReason::WasNotPacked, {}};
}

// Where the padded tensor data of a file ends.
std::uint64_t dataEndOf(const Model& base) {
    const std::uint64_t size = base.files[0].source->size();
    std::uint64_t end = base.files[0].dataOffset;
    for (const TensorInfo& tensor : base.tensors) {
        end = std::max(end, tensor.offset < size ? tensor.offset + tensor.bytesPresent : 0);
    }
    return base.tensors.empty() ? end : checkedAlign(end, base.files[0].alignment).value_or(end);
}

constexpr std::uint64_t kMaxReserved = 2 * kReservedBytes; // more reserved space is released if blocks can be removed

// Chooses the length of the reserved space, and with it the size of the header that a save writes.
class HeaderSize {
public:
    // `unit` is the number of bytes by which a shift can move the tensor data. If `canShift`, the file system does it.
    // With `keeps`, reserved space is kept even if the header would have its original size without it.
    HeaderSize(const ShardContent& shard, const SaveOptions& options, std::uint64_t unit, bool canShift, bool keeps);

    // Whether the reserved space is given up because the header then has its original size again.
    [[nodiscard]] bool hasOriginalSize() const {
        return m_has && m_content.dataOffset(m_bare) == m_unreserved && !m_keeps;
    }
    // The reserved space if the tensor data stays and the header may take its old place.
    [[nodiscard]] std::optional<std::uint64_t> inPlace() const;
    // The reserved space if the file is rewritten anyway: it keeps its length.
    [[nodiscard]] std::optional<std::uint64_t> anew(const ArrayView* before) const;

private:
    // The number of bytes that can be reserved in a header of `size` bytes, so that it ends where the data starts.
    [[nodiscard]] std::optional<std::uint64_t> roomIn(std::uint64_t size) const;

    const FileContent& m_content;
    std::uint64_t m_old;
    std::uint64_t m_bare;
    std::uint64_t m_overhead;
    std::uint64_t m_unit;
    bool m_canShift;
    bool m_has;
    bool m_may;
    std::uint64_t m_unreserved;
    bool m_keeps;
    std::optional<SaveStrategy> m_forced;
};

HeaderSize::HeaderSize(const ShardContent& shard, const SaveOptions& options, std::uint64_t unit, bool canShift,
                       bool keeps)
    : m_content(shard.content)
    , m_old(shard.base->files[0].dataOffset)
    , m_bare(m_content.bareHeaderBytes())
    , m_overhead(m_content.reservedOverhead())
    , m_unit(unit)
    , m_canShift(canShift && unit <= saving::kMaxUnit)
    , m_has(shard.keepsReserved && options.reserve == Reserve::Automatic)
    , m_may(!m_content.tensors.empty() && shard.hadReserved == shard.keepsReserved &&
            (m_has || options.mayReserveIn(shard.base->files[0].source->size())))
    , m_unreserved(shard.unreservedOffset)
    , m_keeps(keeps)
    , m_forced(options.strategy) {}

std::optional<std::uint64_t> HeaderSize::inPlace() const {
    const bool shiftAsked = m_forced == SaveStrategy::Shift;
    const std::uint64_t bare = m_content.dataOffset(m_bare);
    if ((hasOriginalSize() && m_forced != SaveStrategy::Patch) || (bare == m_old && !shiftAsked)) {
        return std::nullopt;
    }
    const std::optional<std::uint64_t> room = roomIn(m_old);
    if (room && (*room <= kMaxReserved || !m_canShift) && !shiftAsked) {
        return room;
    }
    const bool copyAsked = m_forced == SaveStrategy::Copy && !m_has;
    if (!m_may || copyAsked || m_unit > saving::kMaxUnit) {
        return std::nullopt;
    }
    if (m_forced == SaveStrategy::Patch) {
        return room; // all the space there is; it may not suffice
    }
    // The smallest size that differs from the old one by a multiple of the unit and leaves space for later edits.
    const std::uint64_t minimum = m_bare + m_overhead + kReservedBytes;
    const std::uint64_t rest = m_old % m_unit;
    std::uint64_t size = rest + (minimum > rest ? (minimum - rest + m_unit - 1) / m_unit * m_unit : 0);
    if (size == m_old) {
        size += m_unit;
    }
    return roomIn(size);
}

std::optional<std::uint64_t> HeaderSize::anew(const ArrayView* before) const {
    return m_has && m_may && before != nullptr ? std::optional(before->length) : std::nullopt;
}

std::optional<std::uint64_t> HeaderSize::roomIn(std::uint64_t size) const {
    const std::uint64_t minimum = m_bare + m_overhead + kReservedMarkBytes;
    return m_may && size >= minimum ? std::optional(size - m_bare - m_overhead) : std::nullopt;
}

Result<PlannedFile> planFile(const std::shared_ptr<const ShardContent>& shard, const Model& edited,
                             const SaveOptions& options, FileOperations& operations) {
    const FileContent& content = shard->content;
    PlannedFile file = saving::plannedFile(shard->file, shard->base->files[0], operations);
    const auto change = dataChange(*shard);
    file.sameData = !change;
    if (change) {
        file.plan.reason = change->reason;
        file.plan.args = change->args;
    }
    file.frozen = shard->frozen;
    file.hasTensors = !content.tensors.empty();
    file.oldDataEnd = dataEndOf(*shard->base);
    file.newDataBytes = content.dataBytes();
    file.alignment = content.alignment;
    file.pieces = [shard, &edited](std::uint64_t headerBytes) { return piecesOf(shard->content, edited, headerBytes); };
    const HeaderSize sizes(*shard, options, file.unit(), file.canShift, false);
    const std::optional<std::uint64_t> reserved =
        file.sameData ? sizes.inPlace() : sizes.anew(shard->base->metadata.array(kReservedKey));
    const std::uint64_t unreserved =
        shard->hadReserved ? shard->unreservedOffset : file.oldDataOffset; // the offset before anything was reserved
    auto header = GUFO_TRY(content.header(reserved, unreserved));
    file.header = std::move(header);
    file.plan.reserved = reserved.value_or(0);
    file.plan.addsReserved = reserved.has_value() && !shard->hadReserved;
    if (file.sameData && sizes.hasOriginalSize() && !reserved) {
        const auto kept = HeaderSize(*shard, options, file.unit(), file.canShift, true).inPlace();
        auto keeping = GUFO_TRY(content.header(kept, unreserved));
        file.keepsReserved = PlannedFile::KeptReserve{.header = std::move(keeping), .reserved = kept.value_or(0)};
    }
    return file;
}

// The result refers to `edited`.
Result<PlannedSave> planSave(const Model& base, const Model& edited, const SaveTarget& target,
                             const SaveOptions& options, FileOperations& operations, saving::Purpose purpose) {
    auto shards = GUFO_TRY(contentsOf(base, edited, target));
    std::vector<PlannedFile> files;
    for (ShardContent& shard : shards) {
        auto file =
            GUFO_TRY(planFile(std::make_shared<const ShardContent>(std::move(shard)), edited, options, operations));
        files.push_back(std::move(file));
    }
    return saving::decide(std::move(files), target, options, operations, purpose);
}

} // namespace

Result<SavePlan> planSave(const Model& base, const Model& edited, const SaveTarget& target,
                          const SaveOptions& options) {
    return saving::predict(planSave, base, edited, target, options);
}

Result<SaveReport> save(const Model& base, const Model& edited, const SaveTarget& target, const SaveOptions& options,
                        const JobContext& job) {
    return saving::execute({planSave, open}, base, edited, target, options, job);
}

Result<SaveReport> saveAs(const Model& edited, const SaveTarget& target, const std::filesystem::path& path,
                          const SaveOptions& options, const JobContext& job) {
    FileOperations& operations = options.operations != nullptr ? *options.operations : realFileOperations();
    auto contents = contentsForSaveAs(edited, target, path, operations);
    if (!contents) { // the fault is in a file that is read, such as a missing shard
        Error error = std::move(contents).error();
        return std::unexpected(error.file.empty() ? std::move(error).in(edited.path()) : std::move(error));
    }
    return writeContents(edited, target, *contents, options, job);
}

} // namespace gufo::gguf
