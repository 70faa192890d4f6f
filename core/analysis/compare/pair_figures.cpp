#include "analysis/compare/pair_figures.h"

#include "analysis/compare/pair_totals.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gufo {
namespace {

std::optional<double> ifFinite(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

// The lower edge of error bin `i`; a bin is half an octave.
double errorEdge(std::size_t i) {
    if (i == 0) {
        return 0;
    }
    if (i >= PairBins::kErrorBins) {
        return std::numeric_limits<double>::infinity();
    }
    return std::ldexp(i % 2 == 0 ? 1.0 : 1.5, PairBins::kLowestExponent + static_cast<int>(i / 2));
}

} // namespace

PairFigures figuresOf(const WeightedSums& sums) {
    PairFigures figures;
    if (!(sums.pairs > 0)) {
        return figures;
    }
    figures.rmse = ifFinite(std::sqrt(sums.ee / sums.pairs));
    figures.mae = ifFinite(sums.absolute / sums.pairs);
    figures.bias = ifFinite(sums.bias / sums.pairs);
    figures.maxError = ifFinite(sums.maximum);
    figures.equalShare = sums.equal / (sums.pairs + sums.excluded);
    if (sums.ee == 0) {
        figures.nmse = 0;
    } else if (sums.aa > 0) {
        figures.nmse = ifFinite(sums.ee / sums.aa);
    }
    if (figures.nmse && *figures.nmse > 0) {
        figures.sqnrDb = ifFinite(-10 * std::log10(*figures.nmse));
    }
    if (sums.aa > 0 && sums.bb > 0) {
        const auto cosine = ifFinite(sums.ab / (std::sqrt(sums.aa) * std::sqrt(sums.bb)));
        figures.cosine = cosine ? std::optional(std::clamp(*cosine, -1.0, 1.0)) : std::nullopt; // sums are rounded
    }
    return figures;
}

void ComparedSums::merge(const ComparedSums& other) {
    PairSums::merge(other);
    important.error += other.important.error;
    important.energy += other.important.energy;
}

PairFigures figuresOf(const ComparedSums& sums) {
    PairFigures figures = figuresOf(static_cast<const PairSums&>(sums));
    if (sums.important.energy > 0) {
        figures.weightedNmse = ifFinite(sums.important.error / sums.important.energy);
    }
    if (figures.weightedNmse && *figures.weightedNmse > 0) {
        figures.weightedSqnrDb = ifFinite(-10 * std::log10(*figures.weightedNmse));
    }
    return figures;
}

PairFigures figuresOf(const PairSums& sums) {
    WeightedSums all;
    all.add(sums, 1);
    return figuresOf(all);
}

Likeness likenessOf(const PairSums& sums, bool identical, bool truncated) {
    if (identical) {
        return Likeness::Identical;
    }
    if (sums.equal != sums.pairs) {
        return Likeness::Different;
    }
    return sums.excluded == 0 && !truncated ? Likeness::Equal : Likeness::EqualWhereCompared;
}

void WeightedSums::add(const PairSums& sums, double weight) {
    pairs += weight * static_cast<double>(sums.pairs);
    excluded += weight * static_cast<double>(sums.excluded);
    equal += weight * static_cast<double>(sums.equal);
    aa += weight * sums.aa;
    bb += weight * sums.bb;
    ab += weight * sums.ab;
    ee += weight * sums.ee;
    absolute += weight * sums.absolute;
    bias += weight * sums.bias;
    maximum = std::max(maximum, sums.maximum);
}

std::optional<double> ErrorProfile::Octave::relativeError() const {
    return squares > 0 ? ifFinite(std::sqrt(errorSquares / squares)) : std::nullopt;
}

void ProfileTotals::take(PairBins& bins) {
    for (std::size_t octave = 0; octave < PairBins::kOctaves; ++octave) {
        auto& counts = bins.counts[octave];
        std::uint64_t pairs = 0;
        for (std::size_t bin = 0; bin < PairBins::kErrorBins; ++bin) {
            m_errors[bin] += counts[bin];
            pairs += counts[bin];
        }
        if (pairs == 0) {
            continue;
        }
        counts.fill(0);
        m_pairs[octave] += pairs;
        for (PairBins::Sums& lane : bins.sums[octave]) {
            m_sums[octave].aa += lane.aa;
            m_sums[octave].ee += lane.ee;
            lane = {};
        }
    }
}

void ProfileTotals::merge(const ProfileTotals& other) {
    for (std::size_t octave = 0; octave < PairBins::kOctaves; ++octave) {
        m_pairs[octave] += other.m_pairs[octave];
        m_sums[octave].aa += other.m_sums[octave].aa;
        m_sums[octave].ee += other.m_sums[octave].ee;
    }
    for (std::size_t bin = 0; bin < PairBins::kErrorBins; ++bin) {
        m_errors[bin] += other.m_errors[bin];
    }
}

ErrorProfile ProfileTotals::profile() const {
    ErrorProfile profile;
    for (std::size_t octave = 0; octave < PairBins::kOctaves; ++octave) {
        if (m_pairs[octave] != 0) {
            profile.octaves.push_back({.exponent = PairBins::kLowestExponent + static_cast<int>(octave),
                                       .pairs = m_pairs[octave],
                                       .squares = m_sums[octave].aa,
                                       .errorSquares = m_sums[octave].ee});
        }
    }
    for (std::size_t bin = 0; bin < PairBins::kErrorBins; ++bin) {
        if (m_errors[bin] != 0) {
            profile.errors.push_back({errorEdge(bin), errorEdge(bin + 1), m_errors[bin]});
        }
    }
    return profile;
}

} // namespace gufo
