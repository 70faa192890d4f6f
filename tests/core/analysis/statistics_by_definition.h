// Statistics and histograms computed directly from their definitions, for comparison.
#pragma once

#include "analysis/statistics.h"
#include "core/model/memory_model.h"
#include "core/tensor/golden.h"
#include "tensor/block_fields.h"
#include "tensor/decode.h"

#include <QTest>

#include <cmath>
#include <random>

namespace gufo::test {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();

// Computed directly from the definitions, in long double and two passes.
inline Statistics straightforward(const std::vector<double>& values) {
    Statistics s;
    s.count = values.size();
    long double sum = 0;
    long double absolute = 0;
    std::uint64_t n = 0;
    double min = kInf;
    double max = -kInf;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double v = values[i];
        s.nans += std::isnan(v) ? 1U : 0U;
        s.infinities += std::isinf(v) ? 1U : 0U;
        s.zeros += v == 0 ? 1U : 0U;
        if (!std::isfinite(v)) {
            if (!s.firstNonFinite) {
                s.firstNonFinite = i;
            }
            continue;
        }
        ++n;
        sum += v;
        absolute += std::abs(v);
        min = std::min(min, v);
        max = std::max(max, v);
    }
    if (n == 0) {
        return s;
    }
    const long double mean = sum / n;
    long double m2 = 0;
    long double m3 = 0;
    long double m4 = 0;
    for (const double v : values) {
        if (std::isfinite(v)) {
            const long double d = v - mean;
            m2 += d * d;
            m3 += d * d * d;
            m4 += d * d * d * d;
        }
    }
    s.min = min;
    s.max = max;
    s.mean = static_cast<double>(mean);
    s.absMean = static_cast<double>(absolute / n);
    s.std = static_cast<double>(std::sqrt(m2 / n));
    if (min < max) {
        s.skew = static_cast<double>(m3 / n / std::pow(m2 / n, 1.5L));
        s.kurtosis = static_cast<double>(m4 / n / (m2 / n * (m2 / n)) - 3);
    }
    return s;
}

// `scale`: the magnitude that the difference is compared with.
inline bool near(std::optional<double> a, std::optional<double> b, double scale, double tolerance) {
    return a.has_value() == b.has_value() && (!a || std::abs(*a - *b) <= tolerance * std::max(std::abs(*b), scale));
}

inline QString difference(const Statistics& a, const Statistics& b, double tolerance = 1e-10) {
    QString report;
    const auto expect = [&](bool same, const char* what, auto x, auto y) {
        if (!same) {
            report += QStringLiteral("%1: %2, not %3; ").arg(QLatin1String(what)).arg(x).arg(y);
        }
    };
    const auto number = [](std::optional<double> v) {
        return v ? QString::number(*v, 'g', 17) : QStringLiteral("none");
    };
    expect(a.count == b.count, "count", a.count, b.count);
    expect(a.zeros == b.zeros, "zeros", a.zeros, b.zeros);
    expect(a.nans == b.nans, "nans", a.nans, b.nans);
    expect(a.infinities == b.infinities, "infinities", a.infinities, b.infinities);
    expect(a.firstNonFinite == b.firstNonFinite, "first", a.firstNonFinite.value_or(99), b.firstNonFinite.value_or(99));
    expect(a.min == b.min, "min", number(a.min), number(b.min));
    expect(a.max == b.max, "max", number(a.max), number(b.max));
    expect(near(a.mean, b.mean, b.std.value_or(0), tolerance), "mean", number(a.mean), number(b.mean));
    expect(near(a.std, b.std, 0, tolerance), "std", number(a.std), number(b.std));
    expect(near(a.absMean, b.absMean, 0, tolerance), "absMean", number(a.absMean), number(b.absMean));
    expect(near(a.skew, b.skew, 1, tolerance), "skew", number(a.skew), number(b.skew));
    expect(near(a.kurtosis, b.kurtosis, 1, tolerance), "kurtosis", number(a.kurtosis), number(b.kurtosis));
    return report;
}

inline std::vector<double> decoded(const Model& model, TensorIndex index) {
    const auto rows = model.rowsOf(model.tensor(index));
    std::vector<double> values(rows ? rows->weights() : 0);
    return rows && decode64(*rows, 0, values) ? values : std::vector<double>();
}

// By definition: compares each value with each edge.
inline std::vector<std::uint64_t> countedByEdges(const std::vector<double>& values, const Histogram& histogram) {
    std::vector<double> edges;
    for (std::size_t i = 0; i <= histogram.counts.size(); ++i) {
        edges.push_back(histogram.edge(i));
    }
    std::vector<std::uint64_t> counts(histogram.counts.size());
    for (const double v : values) {
        if (v >= edges.front() && v <= edges.back()) {
            const auto upper = std::ranges::upper_bound(edges, v);
            ++counts[std::min<std::size_t>(upper - edges.begin() - 1, counts.size() - 1)];
        }
    }
    return counts;
}

template<typename T = float>
std::vector<T> normal(std::size_t count, double mean, double deviation, unsigned seed = 1) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> distribution(mean, deviation);
    std::vector<T> values(count);
    for (T& value : values) {
        value = static_cast<T>(distribution(random));
    }
    return values;
}

// A row for each tensor type whose values can be computed.
inline void addDecodableTypes() {
    QTest::addColumn<quint32>("typeId");
    for (const TensorTypeFact& type : tensorTypes()) {
        if (isDecodable(type.id)) {
            QTest::newRow(type.name.data()) << type.id;
        }
    }
}

} // namespace gufo::test
