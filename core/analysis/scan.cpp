#include "analysis/scan.h"

#include "base/parallel.h"

namespace gufo {
namespace {

// Below this a scan leaves its pages alone: they do no harm, and the next pass wants them.
constexpr std::uint64_t kLargeScan = 256U << 20U;

} // namespace

Result<> Scan::add(const Model& model, const TensorInfo& tensor) {
    if (!isDecodable(tensor.typeId)) {
        return fail(ErrorCode::NotDecodable, Place::tensor(std::string(tensor.name)), {tensor.typeName()});
    }
    const auto bytes = model.bytesOf(tensor);
    if (!bytes) {
        return std::unexpected(bytes.error());
    }
    ScanItem item;
    item.type = tensor.type();
    item.source = model.sourceOf(tensor);
    const std::uint64_t blocks =
        std::min<std::uint64_t>(bytes->size() / item.type->blockBytes, tensor.weights() / item.type->blockSize);
    item.bytes = bytes->first(blocks * item.type->blockBytes);
    item.range = {tensor.offset, item.bytes.size()};
    item.weights = blocks * item.type->blockSize;
    item.firstSlot = m_slots;
    m_slots += (item.weights + kSlotWeights - 1) / kSlotWeights;
    m_bytes += item.bytes.size();
    m_items.push_back(item);
    return {};
}

unsigned Scan::workers(const JobContext& job) const { return workerCount(m_slots, 1, job); }

Result<> Scan::run(const JobContext& job, const Wanted& wanted, const Visit& visit) const {
    const bool large = m_bytes > kLargeScan;
    if (large) {
        for (const ScanItem& item : m_items) {
            item.source->advise(item.range, Access::Sequential);
        }
    }
    const bool finished = parallelFor(m_slots, 1, job, [&](std::uint64_t begin, std::uint64_t, unsigned worker) {
        const auto next = std::ranges::upper_bound(m_items, begin, {}, &ScanItem::firstSlot);
        const ScanItem& item = *std::prev(next);
        if (!wanted(item)) {
            return;
        }
        const std::size_t slotBytes = kSlotWeights / item.type->blockSize * item.type->blockBytes;
        const std::size_t offset = (begin - item.firstSlot) * slotBytes;
        const Bytes bytes = item.bytes.subspan(offset, std::min(slotBytes, item.bytes.size() - offset));
        visit({.item = &item, .index = begin, .firstWeight = (begin - item.firstSlot) * kSlotWeights, .bytes = bytes},
              worker);
        job.advance(bytes.size());
        if (large) {
            item.source->advise({item.range.offset + offset, bytes.size()}, Access::Release);
        }
    });
    if (!finished || job.stopRequested()) {
        return fail(ErrorCode::Cancelled);
    }
    for (const ScanItem& item : m_items) {
        if (const auto damage = item.source->damage()) {
            return std::unexpected(*damage);
        }
    }
    return {};
}

} // namespace gufo
