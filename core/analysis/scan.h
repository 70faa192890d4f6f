// A walk over the encoded bytes of tensors in slots of about a million weights, on all workers.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <functional>
#include <vector>

namespace gufo {

// A tensor as far as its bytes reach, in whole blocks.
struct ScanItem {
    const TensorTypeInfo* type = nullptr;
    const ByteSource* source = nullptr;
    ByteRange range;           // of `bytes` in the source
    Bytes bytes;               // encoded
    std::uint64_t weights = 0; // in `bytes`
    std::uint64_t firstSlot = 0;
};

struct ScanSlot {
    const ScanItem* item = nullptr;
    std::uint64_t index = 0;       // over all items of the scan
    std::uint64_t firstWeight = 0; // of the item
    Bytes bytes;
};

class Scan {
public:
    static constexpr std::uint64_t kSlotWeights = 1U << 20U; // a multiple of every block size

    explicit Scan(ByteOrder order)
        : m_order(order) {}

    // Errors: NotDecodable, NotSupported, FileNotFound, RangeOutsideFile.
    [[nodiscard]] Result<> add(const Model& model, const TensorInfo& tensor);

    [[nodiscard]] ByteOrder order() const { return m_order; }
    [[nodiscard]] const std::vector<ScanItem>& items() const { return m_items; }
    [[nodiscard]] std::uint64_t slotCount() const { return m_slots; }
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
    [[nodiscard]] unsigned workers(const JobContext& job) const;

    // Calls visit(slot, worker) for every slot of the items that `wanted` takes; moves the progress by a slot's bytes
    // when it is done and lets its pages go. Errors: Cancelled, FileChangedWhileReading.
    using Visit = std::function<void(const ScanSlot& slot, unsigned worker)>;
    using Wanted = std::function<bool(const ScanItem& item)>;
    [[nodiscard]] Result<> run(const JobContext& job, const Wanted& wanted, const Visit& visit) const;

private:
    ByteOrder m_order;
    std::vector<ScanItem> m_items;
    std::uint64_t m_slots = 0;
    std::uint64_t m_bytes = 0;
};

// Decodes a slot piece by piece into memory that stays in the first-level cache and calls use(const T* values, count),
// T = float, or double for types that need it. False if the job was stopped.
template<typename Use>
bool forEachPiece(const ScanSlot& slot, ByteOrder order, const JobContext& job, Use use);

} // namespace gufo

#include "analysis/scan_pieces.h"
