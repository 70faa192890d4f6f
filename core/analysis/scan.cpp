#include "analysis/scan.h"

#include "base/parallel.h"

namespace gufo {
namespace {

// Smaller scans do not release their pages: they do no harm, and the next pass will need them.
constexpr std::uint64_t kLargeScan = 256U << 20U;

// The number of bytes to be read for a run of weights.
std::uint64_t bytesOf(const ScanItem& item, std::uint64_t first, std::uint64_t weights) {
    const RowLayout& layout = item.rows.layout;
    return layout.strides() != nullptr ? weights * layout.type().blockBytes : layout.range(first, weights).length;
}

} // namespace

Result<> Scan::add(const Model& model, const TensorInfo& tensor) {
    auto rows = GUFO_TRY(model.rowsOf(tensor));
    const std::uint64_t weights = std::min(rows.weights(), tensor.weights());
    rows.bytes = rows.bytes.subspan(0, rows.layout.range(0, weights).length);
    const ScanItem item{.rows = rows,
                        .source = model.sourceOf(tensor),
                        .range = {tensor.offset, rows.bytes.size()},
                        .weights = weights,
                        .firstSlot = m_slots};
    m_slots += (weights + kSlotWeights - 1) / kSlotWeights;
    m_bytes += bytesOf(item, 0, weights);
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
        const std::uint64_t first = (begin - item.firstSlot) * kSlotWeights;
        const std::uint64_t weights = std::min(kSlotWeights, item.weights - first);
        const ByteRange range = item.rows.layout.range(first, weights);
        visit({.item = &item,
               .index = begin,
               .firstWeight = first,
               .weights = weights,
               .bytes = item.rows.bytes.subspan(range.offset, range.length)},
              worker);
        job.advance(bytesOf(item, first, weights));
        if (large && item.rows.layout.strides() == nullptr) {
            item.source->advise({item.range.offset + range.offset, range.length}, Access::Release);
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
