#include "formats/gguf/save/planned_save.h"

#include "base/checked.h"
#include "formats/gguf/save/header_size.h"
#include "formats/gguf/write/data_pieces.h"

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

} // namespace

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

} // namespace gufo::gguf
