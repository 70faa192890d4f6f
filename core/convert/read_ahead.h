// Prefetches the tensors of a source in the order of the plan, so that the kernel reads them while other tensors are
// computed. At most kWindow bytes are prefetched at a time.
//
// Threads: one.
#pragma once

#include "convert/plan.h"

namespace gufo::convert {

class ReadAhead {
public:
    // The number of bytes that are prefetched. The page cache holds them until they are read, and may drop them sooner.
    static constexpr std::uint64_t kWindow = 64U << 20U;

    // The model must outlive it.
    ReadAhead(const Model& model, std::span<const PlannedRow> rows);

    // Reports that `done` of the `total` pieces of a row have been computed; the rows follow each other in the plan's
    // order.
    void reached(std::size_t row, std::uint64_t done, std::uint64_t total);

private:
    struct Range {
        const ByteSource* source;
        ByteRange bytes;
    };
    const Model& m_model;
    std::vector<Range> m_ranges;        // of all rows, one after the other
    std::vector<std::uint64_t> m_begin; // where each row begins, in bytes of all ranges; and the end
    std::size_t m_next = 0;             // the first range that is not prefetched completely
    std::uint64_t m_asked = 0;          // bytes of it that are prefetched
    std::uint64_t m_position = 0;       // bytes of all ranges that are prefetched
};

} // namespace gufo::convert
