#include "convert/read_ahead.h"

#include <algorithm>

namespace gufo::convert {

ReadAhead::ReadAhead(const Model& model, std::span<const PlannedRow> rows)
    : m_model(model) {
    std::uint64_t bytes = 0;
    const auto add = [&](TensorIndex index) {
        const TensorInfo& tensor = m_model.tensor(index);
        m_ranges.push_back({m_model.sourceOf(tensor), {tensor.offset, tensor.bytesPresent}});
        bytes += tensor.bytesPresent;
    };
    for (const PlannedRow& row : rows) {
        m_begin.push_back(bytes);
        for (const SourcePart& part : row.parts) {
            add(part.weight);
            for (const std::optional<TensorIndex>& companion : part.companions) {
                if (companion) {
                    add(*companion);
                }
            }
        }
    }
    m_begin.push_back(bytes);
}

void ReadAhead::reached(std::size_t row, std::uint64_t done, std::uint64_t total) {
    const double share = static_cast<double>(done) / static_cast<double>(std::max<std::uint64_t>(total, 1));
    const std::uint64_t size = m_begin[row + 1] - m_begin[row];
    const std::uint64_t to = m_begin[row] + static_cast<std::uint64_t>(share * static_cast<double>(size)) + kWindow;
    if (to < m_position + kWindow / 4 && to < m_begin.back()) {
        return; // too little for a call
    }
    while (m_position < to && m_next < m_ranges.size()) {
        const auto& [source, bytes] = m_ranges[m_next];
        const std::uint64_t count = std::min(bytes.length - m_asked, to - m_position);
        if (source != nullptr) {
            source->advise({bytes.offset + m_asked, count}, Access::WillNeed);
        }
        m_asked += count;
        m_position += count;
        if (m_asked == bytes.length) {
            ++m_next;
            m_asked = 0;
        }
    }
}

} // namespace gufo::convert
