#include "analysis/value_table.h"

#include "tensor/decode.h"
#include "tensor/float_formats.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/scalar/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gufo {
namespace {

// A type whose blocks consist of runs of bytes with one scale each; a byte has two weights.
struct NibbleRuns {
    std::size_t blockBytes;
    std::size_t runs;     // per block; run i has the scale at byte i
    std::size_t runBytes; // the runs follow the scales
};
constexpr NibbleRuns kMxfp4{.blockBytes = 17, .runs = 1, .runBytes = 16};
constexpr NibbleRuns kNvfp4{.blockBytes = 36, .runs = 4, .runBytes = 8};

template<NibbleRuns runs>
void countRuns(Bytes blocks, std::uint32_t* counts) {
    for (std::size_t block = 0; block + runs.blockBytes <= blocks.size(); block += runs.blockBytes) {
        const std::byte* const at = blocks.data() + block;
        for (std::size_t run = 0; run < runs.runs; ++run) {
            std::uint32_t* const ofScale = counts + 256 * std::to_integer<std::size_t>(at[run]);
            // Eight bytes are loaded at once, because loads and stores are the bottleneck.
            for (std::size_t i = 0; i < runs.runBytes; i += 8) {
                auto eight = load<std::uint64_t>(at + runs.runs + run * runs.runBytes + i);
                for (std::size_t byte = 0; byte < 8; ++byte, eight >>= 8U) {
                    ++ofScale[eight & 0xFFU];
                }
            }
        }
    }
}

// A block of TQ1_0: 48 bytes of five ternary digits, 4 bytes of four, and the scale as a 16-bit float.
struct Ternary {
    static constexpr std::size_t kBlockBytes = 54;
    static constexpr std::size_t kLongBytes = 48;
    static constexpr std::size_t kScale = 52;
    static constexpr std::size_t kDigits = 3;
};

// For each byte, how often its first digits are 0, 1 and 2: in sixteen bits each, so that the counts of a block fit.
consteval std::array<std::uint64_t, 256> digitCounts(int digits) {
    std::array<std::uint64_t, 256> counts{};
    for (unsigned byte = 0; byte < counts.size(); ++byte) {
        unsigned power = 1;
        for (int digit = 0; digit < digits; ++digit, power *= 3) {
            counts[byte] += std::uint64_t{1} << ((byte * power & 0xFFU) * 3 >> 8U) * 16U;
        }
    }
    return counts;
}
constexpr std::array kOfFiveDigits = digitCounts(5);
constexpr std::array kOfFourDigits = digitCounts(4);

void countTernary(Bytes blocks, std::uint32_t* counts) {
    for (std::size_t block = 0; block + Ternary::kBlockBytes <= blocks.size(); block += Ternary::kBlockBytes) {
        const std::byte* const at = blocks.data() + block;
        std::array<std::uint64_t, 2> sums{}; // of every other byte, so that additions do not wait for each other
        for (std::size_t i = 0; i < Ternary::kLongBytes; i += 2) {
            sums[0] += kOfFiveDigits[std::to_integer<std::size_t>(at[i])];
            sums[1] += kOfFiveDigits[std::to_integer<std::size_t>(at[i + 1])];
        }
        for (std::size_t i = Ternary::kLongBytes; i < Ternary::kScale; ++i) {
            sums[0] += kOfFourDigits[std::to_integer<std::size_t>(at[i])];
        }
        const std::uint64_t sum = sums[0] + sums[1];
        const auto scale = load<std::uint16_t>(at + Ternary::kScale);
        for (std::size_t digit = 0; digit < Ternary::kDigits; ++digit) {
            counts[digit * TabledType::kKeys + scale] += static_cast<std::uint32_t>(sum >> 16U * digit & 0xFFFFU);
        }
    }
}

TabledType::Values ternaryValues(std::uint16_t scale) {
    const float d = floatFromHalf(scale);
    return {-1 * d, 0 * d, 1 * d};
}

void countNumbers(Bytes numbers, std::uint32_t* counts) {
    activeKernels().countShorts(numbers.data(), numbers.size() / 2, counts);
}

// The two weights of a byte with the scale above it.
template<TensorType type, NibbleRuns runs>
TabledType::Values nibbleValues(std::uint16_t key) {
    std::array<std::byte, runs.blockBytes> block{};
    block[0] = static_cast<std::byte>(key >> 8U);
    block[runs.runs] = static_cast<std::byte>(key);
    std::array<float, 2 * runs.runs * runs.runBytes> weights{};
    static_cast<void>(decode(static_cast<std::uint32_t>(type), block, weights));
    return {weights[0], weights[runs.runBytes]};
}

template<auto convert>
TabledType::Values numberValue(std::uint16_t bits) {
    return {static_cast<float>(convert(bits))};
}
constexpr std::int16_t asSigned(std::uint16_t bits) { return static_cast<std::int16_t>(bits); }
constexpr std::uint16_t asUnsigned(std::uint16_t bits) { return bits; }

// type, values, tables, mostCounts, isNumber, count, valuesOf
constexpr std::array kTabledTypes{
    TabledType{TensorType::F16, 1, 1, 1, true, countNumbers, numberValue<floatFromHalf>},
    TabledType{TensorType::BF16, 1, 1, 1, true, countNumbers, numberValue<floatFromBrain>},
    TabledType{TensorType::I16, 1, 1, 1, true, countNumbers, numberValue<asSigned>},
    TabledType{TensorType::U16, 1, 1, 1, true, countNumbers, numberValue<asUnsigned>},
    TabledType{TensorType::MXFP4, 2, 1, 1, false, countRuns<kMxfp4>, nibbleValues<TensorType::MXFP4, kMxfp4>},
    TabledType{TensorType::NVFP4, 2, 1, 1, false, countRuns<kNvfp4>, nibbleValues<TensorType::NVFP4, kNvfp4>},
    TabledType{TensorType::TQ1_0, 3, Ternary::kDigits, 5, true, countTernary, ternaryValues},
};

} // namespace

std::span<const TabledType> ValueTable::types() { return kTabledTypes; }

ValueTable::ValueTable(const TabledType& type)
    : m_type(type)
    , m_counts(type.tables * TabledType::kKeys)
    , m_totals(m_counts.size()) {}

void ValueTable::count(Bytes blocks) {
    const std::uint64_t most = blocks.size() * m_type.mostCounts;
    if (m_counted + most > std::numeric_limits<std::uint32_t>::max()) {
        empty();
    }
    m_type.count(blocks, m_counts.data());
    m_counted += most;
}

void ValueTable::empty() {
    std::ranges::transform(m_totals, m_counts, m_totals.begin(), std::plus{});
    std::ranges::fill(m_counts, 0U);
    m_counted = 0;
}

void ValueTable::add(ValueTable& other) {
    empty();
    other.empty();
    std::ranges::transform(m_totals, other.m_totals, m_totals.begin(), std::plus{});
}

template<typename Use>
void ValueTable::forEachValue(ByteOrder order, Use use) const {
    // Keys are visited in the order of their bits, so that sums do not depend on the byte order.
    for (std::size_t key = 0; key < TabledType::kKeys; ++key) {
        const auto bits = static_cast<std::uint16_t>(key);
        const bool swapped = m_type.isNumber && order == ByteOrder::Big;
        const std::uint64_t* const times = m_totals.data() + (swapped ? byteSwapped(bits) : bits);
        const std::size_t step = m_type.tables == 1 ? 0 : TabledType::kKeys;
        std::uint64_t any = 0;
        for (std::size_t table = 0; table < m_type.tables; ++table) {
            any |= times[table * step];
        }
        if (any == 0) {
            continue;
        }
        const TabledType::Values values = m_type.valuesOf(bits);
        for (std::size_t i = 0; i < m_type.values; ++i) {
            if (times[i * step] != 0) {
                use(static_cast<double>(values[i]), times[i * step]);
            }
        }
    }
}

Moments ValueTable::moments(ByteOrder order) {
    empty();
    const auto sum = [&](double shift) {
        PowerSums sums;
        sums.shift = shift;
        forEachValue(order, [&](double value, std::uint64_t times) {
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

void ValueTable::addTo(Histogram& histogram, const BinPlan& plan, ByteOrder order) {
    empty();
    forEachValue(order, [&](double value, std::uint64_t times) {
        if (value >= histogram.lo && value <= histogram.hi) {
            histogram.counts[scalar::binOf(value, plan)] += times;
        } else if (std::isfinite(value)) {
            (value < histogram.lo ? histogram.below : histogram.above) += times;
        }
    });
}

} // namespace gufo
