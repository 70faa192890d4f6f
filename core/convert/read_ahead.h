// Lets the kernel read the tensors of a source before the conversion needs them, in the order of the plan, so that
// reading takes place while other tensors are computed. At most kWindow bytes are asked for in advance.
//
// Threads: one.
#pragma once

#include "convert/plan.h"

namespace gufo::convert {

class ReadAhead {
public:
    // The bytes that are asked for in advance. The page cache holds them until they are read, and may drop them sooner.
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
    std::size_t m_next = 0;             // the range of which some bytes have not been asked for
    std::uint64_t m_asked = 0;          // bytes of it that have
    std::uint64_t m_position = 0;       // bytes of all ranges that have been asked for
};

} // namespace gufo::convert
