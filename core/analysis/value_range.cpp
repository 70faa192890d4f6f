#include "analysis/value_range.h"

#include "analysis/scan_pieces.h"
#include "tensor/block_layout.h"
#include "tensor/decode.h"
#include "tensor/kernels/kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace gufo {

void ValueRange::add(const float* values, std::size_t count) {
    const Extremes found = activeKernels().extremes(values, count);
    add(static_cast<double>(found.smallest), static_cast<double>(found.largest));
}

void ValueRange::add(const double* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        if (std::isfinite(values[i])) {
            add(values[i], values[i]);
        }
    }
}

namespace {

bool holds(const ValueRange& range, const WeightBounds& bounds) {
    return bounds.check == 0 && static_cast<double>(bounds.low) >= range.lo &&
           static_cast<double>(bounds.high) <= range.hi;
}

// Whether bounds of the blocks, of the row that begins with `header`, show that they cannot extend the range. The wider
// bounds suffice for most blocks.
bool holdsBlocks(const ValueRange& range, const BlockLayout& layout, const std::byte* header, const std::byte* blocks,
                 std::size_t count) {
    return (layout.looseBounds != nullptr && holds(range, layout.looseBounds(header, blocks, count))) ||
           (layout.bounds != nullptr && holds(range, layout.bounds(blocks, count)));
}

// Decodes only the groups of blocks whose bounds allow weights outside the range. Among many blocks these are few.
void addBlocks(const ScanSlot& slot, const BlockLayout& layout, const JobContext& job, ValueRange& range) {
    constexpr std::size_t kGroup = 1024;      // weights; a multiple of every block size
    constexpr std::uint64_t kUntilStop = 16U; // groups between two looks at the stop token
    // Bytes. The distances of scales are no multiples of a cache line, so the hardware does not foresee them.
    constexpr std::size_t kAhead = 4096;
    const StoredRows& rows = slot.item->rows;
    const TensorTypeFact& type = slot.item->type();
    alignas(64) std::array<float, kGroup> values;
    std::uint64_t groups = 0;
    for (std::uint64_t at = 0; at < slot.weights;) {
        if (groups++ % kUntilStop == 0 && job.stopRequested()) {
            return;
        }
        const std::uint64_t first = slot.firstWeight + at;
        const std::uint64_t together = std::min<std::uint64_t>(rows.layout.weightsTogether(first), kGroup);
        const auto weights = static_cast<std::size_t>(std::min(slot.weights - at, together));
        const std::size_t offset = rows.layout.blockOffset(first);
        const std::size_t bytes = blocksBytes(type, weights);
        if (offset + bytes + kAhead <= rows.bytes.size()) {
            prefetch(rows.bytes.subspan(offset + kAhead, bytes));
        }
        const std::byte* const header = rows.bytes.data() + rows.layout.headerOffset(first);
        const std::byte* const blocks = rows.bytes.data() + offset;
        if (!holdsBlocks(range, layout, header, blocks, weights / type.blockSize)) {
            const auto out = std::span(values).first(weights);
            static_cast<void>(decode(rows, first, out));
            range.add(out.data(), out.size());
        }
        at += weights;
    }
}

} // namespace

void addToRange(const ScanSlot& slot, const JobContext& job, ValueRange& range) {
    const StoredRows& rows = slot.item->rows;
    const BlockLayout* const layout = findBlockLayout(slot.item->type().id);
    if (layout != nullptr && (layout->bounds != nullptr || layout->looseBounds != nullptr) &&
        rows.order == ByteOrder::Little && rows.layout.strides() == nullptr) {
        addBlocks(slot, *layout, job, range);
        return;
    }
    static_cast<void>(
        forEachPiece(slot, job, [&](const auto* values, std::size_t count) { range.add(values, count); }));
}

} // namespace gufo
