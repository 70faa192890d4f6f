#include "analysis/slice_fold.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace gufo {
namespace {

// Orders floats by magnitude, NaN below all.
std::int32_t magnitudeKey(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value) & 0x7FFF'FFFFU;
    return bits > 0x7F80'0000U ? -1 : static_cast<std::int32_t>(bits);
}

float largerMagnitude(float a, float b) { return magnitudeKey(b) > magnitudeKey(a) ? b : a; }

} // namespace

SliceFold::SliceFold(SliceReduction reduction, std::size_t columns)
    : m_reduction(reduction) {
    if (reduction == SliceReduction::LargestMagnitude) {
        m_largest.assign(columns, std::numeric_limits<float>::quiet_NaN());
    } else {
        m_sums.resize(columns);
        m_count.resize(columns);
    }
}

void SliceFold::addRow(const float* values) {
    for (std::size_t i = 0; i < m_largest.size(); ++i) {
        m_largest[i] = largerMagnitude(m_largest[i], values[i]);
    }
    const bool squares = m_reduction == SliceReduction::RootMeanSquare;
    for (std::size_t i = 0; i < m_sums.size(); ++i) {
        const bool counts = !std::isnan(values[i]);
        const double value = counts ? values[i] : 0;
        m_sums[i] += squares ? value * value : value;
        m_count[i] += counts ? 1U : 0U;
    }
}

float SliceFold::cell(std::size_t begin, std::size_t end) const {
    if (m_reduction == SliceReduction::LargestMagnitude) {
        float largest = std::numeric_limits<float>::quiet_NaN();
        for (std::size_t i = begin; i < end; ++i) {
            largest = largerMagnitude(largest, m_largest[i]);
        }
        return largest;
    }
    double sum = 0;
    std::uint64_t count = 0;
    for (std::size_t i = begin; i < end; ++i) {
        sum += m_sums[i];
        count += m_count[i];
    }
    const double mean = sum / static_cast<double>(count); // NaN where there is none
    return static_cast<float>(m_reduction == SliceReduction::RootMeanSquare ? std::sqrt(mean) : mean);
}

} // namespace gufo
