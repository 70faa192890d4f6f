#include "analysis/short_float_table.h"

#include "tensor/float_formats.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/scalar/reduce.h"
#include "tensor/tensor_type.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gufo {

bool ShortFloatTable::holds(std::uint32_t typeId) {
    return typeId == static_cast<std::uint32_t>(TensorType::F16) ||
           typeId == static_cast<std::uint32_t>(TensorType::BF16);
}

ShortFloatTable::ShortFloatTable()
    : m_counts(kValues)
    , m_totals(kValues) {}

void ShortFloatTable::count(Bytes values) {
    const std::uint64_t count = values.size() / 2;
    if (m_counted + count > std::numeric_limits<std::uint32_t>::max()) {
        empty();
    }
    activeKernels().countShorts(values.data(), count, m_counts.data());
    m_counted += count;
}

void ShortFloatTable::empty() {
    std::ranges::transform(m_totals, m_counts, m_totals.begin(), std::plus{});
    std::ranges::fill(m_counts, 0U);
    m_counted = 0;
}

void ShortFloatTable::add(ShortFloatTable& other) {
    empty();
    other.empty();
    std::ranges::transform(m_totals, other.m_totals, m_totals.begin(), std::plus{});
}

template<typename Use>
void ShortFloatTable::forEachValue(std::uint32_t typeId, ByteOrder order, Use use) const {
    const bool half = typeId == static_cast<std::uint32_t>(TensorType::F16);
    // Values are visited in the order of their bits, so that sums do not depend on the byte order.
    for (std::size_t i = 0; i < kValues; ++i) {
        const auto bits = static_cast<std::uint16_t>(i);
        const std::uint64_t times = m_totals[order == ByteOrder::Little ? bits : byteSwapped(bits)];
        if (times != 0) {
            use(static_cast<double>(half ? floatFromHalf(bits) : floatFromBrain(bits)), times);
        }
    }
}

Moments ShortFloatTable::moments(std::uint32_t typeId, ByteOrder order) {
    empty();
    const auto sum = [&](double shift) {
        PowerSums sums;
        sums.shift = shift;
        forEachValue(typeId, order, [&](double value, std::uint64_t times) {
            if (!std::isfinite(value)) {
                (std::isnan(value) ? sums.nans : sums.infinities) += times;
                return;
            }
            const auto n = static_cast<double>(times);
            const double d = value - shift;
            sums.finite += times;
            sums.zeros += value == 0 ? times : 0;
            sums.min = std::min(sums.min, value);
            sums.max = std::max(sums.max, value);
            sums.absolute += n * std::abs(value);
            sums.sum1 += n * d;
            sums.sum2 += n * d * d;
            sums.sum3 += n * d * d * d;
            sums.sum4 += n * d * d * d * d;
        });
        return sums;
    };
    return momentsOf(0, sum);
}

void ShortFloatTable::addTo(Histogram& histogram, const BinPlan& plan, std::uint32_t typeId, ByteOrder order) {
    empty();
    forEachValue(typeId, order, [&](double value, std::uint64_t times) {
        if (value >= histogram.lo && value <= histogram.hi) {
            histogram.counts[scalar::binOf(value, plan)] += times;
        } else if (std::isfinite(value)) {
            (value < histogram.lo ? histogram.below : histogram.above) += times;
        }
    });
}

} // namespace gufo
