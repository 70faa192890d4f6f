#include "analysis/binning.h"

#include "base/detail.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/scalar/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gufo {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The smallest float that is not below `value`.
float floatAtOrAbove(double value) {
    const auto nearest = static_cast<float>(value);
    return static_cast<double>(nearest) < value ? std::nextafter(nearest, kInfinity) : nearest;
}

// The distance of the edges, or 0 if it is too small for a double.
double stepOf(double lo, double hi, double bins) {
    const double width = hi - lo;
    return std::isfinite(width) ? width / bins : hi / bins - lo / bins;
}

} // namespace

Result<> checkRequest(const HistogramRequest& request) {
    if (request.bins == 0 || request.bins > kMaxBins) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::BinCountInvalid});
    }
    if (request.range) {
        const auto [lo, hi] = *request.range;
        if (!std::isfinite(lo) || !std::isfinite(hi) || lo > hi) {
            return fail(ErrorCode::InvalidArgument, {}, {Detail::BinRangeInvalid});
        }
    }
    return {};
}

// As in numpy.linspace: start + i × step, but the last edge is exactly `hi`.
double binEdge(double lo, double hi, std::size_t bins, std::size_t i) {
    if (i == 0 || i >= bins) {
        return i == 0 ? lo : hi;
    }
    const auto n = static_cast<double>(bins);
    const double step = stepOf(lo, hi, n);
    const auto at = static_cast<double>(i);
    return step != 0 ? at * step + lo : at / n * (hi - lo) + lo;
}

Binning::Binning(std::uint32_t bins, double lo, double hi) {
    if (lo == hi) {
        lo -= 0.5;
        hi += 0.5;
    }
    for (std::size_t i = 0; i <= bins; ++i) {
        m_edges.push_back(binEdge(lo, hi, bins, i));
    }
    m_plan.bins = bins;
    m_plan.lo = lo;
    m_plan.perUnit = bins / (hi - lo);
    m_plan.edges = m_edges.data();
    m_plan.search = !std::isfinite(m_plan.perUnit) || m_plan.perUnit == 0 ||
                    std::ranges::adjacent_find(m_edges, std::ranges::greater_equal{}) != m_edges.end();
    m_plan.tables = bins > kPairedBins && bins <= 2048 ? 8 : 1;
    m_plan.step = stepOf(lo, hi, bins);
    m_plan.first = floatAtOrAbove(lo);
    const float last = floatAtOrAbove(hi);
    m_plan.end = static_cast<double>(last) > hi ? last : std::nextafter(last, kInfinity);
    m_plan.floatLo = static_cast<float>(lo);
    m_plan.floatPerUnit = static_cast<float>(m_plan.perUnit);
    // The rounding errors of lo, perUnit, the difference and the product, each relative to its magnitude.
    const double margin =
        std::abs(lo - static_cast<double>(m_plan.floatLo)) * m_plan.perUnit + bins * 0x1p-21 + 0x1p-20;
    m_plan.floatMargin = static_cast<float>(margin);
    m_plan.floatGuess = !m_plan.search && margin < 0.25 && std::isnormal(m_plan.floatPerUnit) &&
                        std::isfinite(static_cast<float>(hi) - m_plan.floatLo);
}

Histogram Binning::histogram() const {
    Histogram histogram;
    histogram.lo = m_edges.front();
    histogram.hi = m_edges.back();
    histogram.counts.resize(m_plan.bins);
    return histogram;
}

BinCounter::BinCounter(const BinPlan& plan)
    : m_plan(plan)
    , m_tables(std::size_t{plan.tables} * plan.bins)
    , m_pairs(plan.bins <= kPairedBins ? std::size_t{kPairedBins} * kPairedBins : 0)
    , m_totals(plan.bins)
    , m_counts{.counts = m_tables.data(), .pairs = m_pairs.empty() ? nullptr : m_pairs.data()} {}

void BinCounter::count(const float* values, std::size_t count) {
    for (std::size_t done = 0; done < count;) {
        const std::size_t n = m_pairs.empty() ? count : std::min(count - done, kMaxPairedValues);
        if (!m_pairs.empty() && m_paired + n > kMaxPairedValues) {
            emptyPairs();
        }
        activeKernels().binFloats(values + done, n, m_plan, m_counts);
        m_paired += n;
        done += n;
    }
}

void BinCounter::count(const double* values, std::size_t count) { scalar::binDoubles(values, count, m_plan, m_counts); }

void BinCounter::empty() {
    for (std::uint32_t table = 0; table < m_plan.tables; ++table) {
        for (std::uint32_t bin = 0; bin < m_plan.bins; ++bin) {
            m_totals[bin] += m_tables[std::size_t{table} * m_plan.bins + bin];
        }
    }
    std::ranges::fill(m_tables, 0U);
    if (!m_pairs.empty()) {
        emptyPairs();
    }
}

void BinCounter::emptyPairs() {
    // No sum exceeds the number of pairs, so that sixteen bits are enough.
    std::array<std::uint16_t, kPairedBins> columns{};
    // The second bin of a pair is not above the first. A constant number of columns is added in vectors.
    const auto takeRows = [&]<std::size_t width>(std::size_t first) {
        for (std::size_t a = first; a < width && a < m_plan.bins; ++a) {
            std::uint16_t* const row = m_pairs.data() + a * kPairedBins;
            std::uint16_t sum = 0;
            for (std::size_t b = 0; b < width; ++b) {
                columns[b] = static_cast<std::uint16_t>(columns[b] + row[b]);
                sum = static_cast<std::uint16_t>(sum + row[b]);
                row[b] = 0;
            }
            m_totals[a] += sum;
        }
    };
    static_assert(kPairedBins == 256);
    takeRows.operator()<64>(0);
    takeRows.operator()<128>(64);
    takeRows.operator()<192>(128);
    takeRows.operator()<256>(192);
    std::ranges::transform(m_totals, columns, m_totals.begin(), std::plus{});
    m_paired = 0;
}

void BinCounter::addTo(Histogram& histogram) const {
    std::ranges::transform(histogram.counts, m_totals, histogram.counts.begin(), std::plus{});
    histogram.below += m_counts.below;
    histogram.above += m_counts.above;
}

} // namespace gufo
