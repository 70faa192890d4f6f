#include "analysis/slice_fold.h"

#include "tensor/kernels/kernels.h"

#include <cmath>
#include <limits>

namespace gufo {

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
    const Kernels& kernels = activeKernels();
    switch (m_reduction) {
    case SliceReduction::LargestMagnitude:
        kernels.foldLargest(m_largest.data(), values, m_largest.size());
        break;
    case SliceReduction::Mean:
        kernels.foldSums(m_sums.data(), m_count.data(), values, m_sums.size());
        break;
    case SliceReduction::RootMeanSquare:
        kernels.foldSquares(m_sums.data(), m_count.data(), values, m_sums.size());
        break;
    }
}

float SliceFold::cell(std::size_t begin, std::size_t end) const {
    if (m_reduction == SliceReduction::LargestMagnitude) {
        float largest = std::numeric_limits<float>::quiet_NaN();
        for (std::size_t i = begin; i < end; ++i) {
            activeKernels().foldLargest(&largest, &m_largest[i], 1);
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
