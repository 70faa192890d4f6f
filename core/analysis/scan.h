// A pass over the encoded bytes of tensors by all workers, in slots of about a million weights.
#pragma once

#include "base/job_context.h"
#include "model/model.h"
#include "tensor/decode.h"

#include <functional>
#include <vector>

namespace gufo {

// The present part of a tensor, in whole blocks.
struct ScanItem {
    StoredRows rows;
    const ByteSource* source = nullptr;
    ByteRange range;           // position of the rows in the source
    std::uint64_t weights = 0; // in the rows
    std::uint64_t firstSlot = 0;

    [[nodiscard]] const TensorTypeFact& type() const { return rows.type(); }
};

struct ScanSlot {
    const ScanItem* item = nullptr;
    std::uint64_t index = 0;       // counted over all items of the scan
    std::uint64_t firstWeight = 0; // of the item
    std::uint64_t weights = 0;
    Bytes bytes; // of the weights, including the headers of rows that begin among them; with strides, of all weights
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

    // Calls visit(slot, worker) for every slot of the items that `wanted` accepts. After each slot, progress advances
    // by its bytes and its pages are released. Errors: Cancelled, FileChangedWhileReading.
    using Visit = std::function<void(const ScanSlot& slot, unsigned worker)>;
    using Wanted = std::function<bool(const ScanItem& item)>;
    [[nodiscard]] Result<> run(const JobContext& job, const Wanted& wanted, const Visit& visit) const;

private:
    ByteOrder m_order;
    std::vector<ScanItem> m_items;
    std::uint64_t m_slots = 0;
    std::uint64_t m_bytes = 0;
};

// Decodes a slot in pieces that stay in the L1 cache, or passes floats as they are stored in pieces that stay in the L2
// cache, and calls use(const T* values, count). T is float, or double for types that need it. Returns false if the job
// was stopped.
template<typename Use>
bool forEachPiece(const ScanSlot& slot, const JobContext& job, Use use);

} // namespace gufo

#include "analysis/scan_pieces.h"
