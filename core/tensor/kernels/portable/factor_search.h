// The search for weights that are levels × d × factor, where each sub-block has an integer factor and the levels of its
// weights, and d is common to a super-block or to a row. It is the counterpart of NestedSearch for types with two
// code books, or whose levels cannot be chosen weight by weight.
//
// A format provides:
//   Coder               chooses the levels of sub-blocks for given scales (see below)
//   kFirst, kStep, kCount   the factors are kFirst, kFirst + kStep, …
//   kPeaks              the levels to which the largest weight of a sub-block may be mapped
//   kLargest            the factors to which the largest scale of a sub-block may be mapped
//   kNear               by which parts of itself d is changed in the end, as the error has many minima
//   kReach              how many factors on each side of the nearest one are tried in the end
//   kHalfScale          whether d is a half; otherwise, it is a float
// A coder provides:
//   kCount              weights of a sub-block
//   fit(group, scale)   how well the best levels fit
//   error(group, scale) their error alone
//   codes(group, scale, codes, books)   their codes
#pragma once

#include "tensor/kernels/portable/scale_search.h"

namespace {

// For levels v at a scale: Σ w (x − scale v)², Σ w v (x − scale v) and Σ w v².
struct LevelSums {
    Lanes error{};
    Lanes slope{};
    Lanes curve{};

    void add(Lanes x, Lanes w, Lanes scale, Lanes level) {
        const Lanes rest = x - scale * level;
        const Lanes weighted = w * level;
        error += w * rest * rest;
        slope += weighted * rest;
        curve += weighted * level;
    }
};
inline LevelSums select(LaneInts mask, const LevelSums& yes, const LevelSums& no) {
    return {select(mask, yes.error, no.error), select(mask, yes.slope, no.slope), select(mask, yes.curve, no.curve)};
}

struct SearchedGroup {
    Group group;
    Lanes ideal;   // the best scale of each sub-block
    Lanes trial;   // numbers of factors
    Lanes factors; // of the best trial
};

inline double sumOf(Lanes v) {
    double sum = 0;
    for (std::size_t s = 0; s < kLanes; ++s) {
        sum += static_cast<double>(v[s]);
    }
    return sum;
}

// The best scale of each sub-block alone, from guesses that are fitted to their levels.
template<typename Format>
inline Lanes idealScales(const Group& group) {
    using Coder = typename Format::Coder;
    ScaleFit best{Lanes{}, energy<Coder::kCount>(group)};
    const auto attempt = [&](Lanes scale) {
        const LevelSums fit = Coder::fit(group, scale);
        const Lanes step = select(fit.curve > Lanes{}, fit.slope / fit.curve, Lanes{});
        const Lanes error = fit.error - step * fit.slope;
        const LaneInts better = error < best.error;
        best.error = select(better, error, best.error);
        best.scale = select(better, scale + step, best.scale);
    };
    const Lanes largest = peak<Coder::kCount>(group);
    for (const float level : Format::kPeaks) {
        attempt(largest / level);
    }
    for (int round = 0; round < 2; ++round) {
        attempt(best.scale);
    }
    return best.scale;
}

// Chooses d and the factors for all groups together.
template<typename Format>
struct FactorSearch {
    using Coder = typename Format::Coder;
    SearchedGroup* groups;
    std::size_t count;
    float d = 0;
    double error = 0;

    static Lanes factorsAt(Lanes numbers) {
        return numbers * static_cast<float>(Format::kStep) + static_cast<float>(Format::kFirst);
    }
    static Lanes numberOf(Lanes factor) {
        const Lanes number = (factor - static_cast<float>(Format::kFirst)) / static_cast<float>(Format::kStep);
        return nearest(clamped(number, 0, Format::kCount - 1));
    }
    static float stored(float wanted) { return Format::kHalfScale ? nearestHalf(allLanes(wanted))[0] : wanted; }

    // Tries a value of d with the factors next to the ideal scales. `reach` is how many there are on each side: the
    // nearest one need not be the best, because the error of fine levels has many minima.
    void tryD(float wanted, int reach, int mirrored) {
        const float tried = stored(wanted);
        if (tried == 0) {
            return;
        }
        double total = 0;
        for (std::size_t g = 0; g < count; ++g) {
            SearchedGroup& at = groups[g];
            const Lanes ideal = at.ideal / tried;
            at.trial = numberOf(ideal);
            Lanes least = Coder::error(at.group, factorsAt(at.trial) * tried);
            const auto attempt = [&](Lanes number) {
                const Lanes candidate = clamped(number, 0, Format::kCount - 1);
                const Lanes candidateError = Coder::error(at.group, factorsAt(candidate) * tried);
                at.trial = select(candidateError < least, candidate, at.trial);
                least = smaller(candidateError, least);
            };
            const Lanes middle = at.trial;
            for (int step = 1; step <= reach; ++step) {
                attempt(middle - static_cast<float>(step));
                attempt(middle + static_cast<float>(step));
            }
            if (mirrored > 0) {
                const Lanes opposite = numberOf(Lanes{} - ideal);
                for (int step = -mirrored; step <= mirrored; ++step) {
                    attempt(opposite + static_cast<float>(step));
                }
            }
            total += sumOf(least);
            if (!(total < error)) {
                return;
            }
        }
        d = tried;
        error = total;
        for (std::size_t g = 0; g < count; ++g) {
            groups[g].factors = groups[g].trial;
        }
    }

    // The scales of the sub-blocks.
    [[nodiscard]] Lanes scales(std::size_t g) const { return factorsAt(groups[g].factors) * d; }

    // The d that fits the levels for the current one best, and whether its stored value is better than the current one
    // with the same levels.
    struct Refined {
        float d;
        bool better;
    };
    [[nodiscard]] Refined refined() const {
        double slope = 0;
        double curve = 0;
        for (std::size_t g = 0; g < count; ++g) {
            const Lanes factors = factorsAt(groups[g].factors);
            const LevelSums fit = Coder::fit(groups[g].group, factors * d);
            slope += sumOf(factors * fit.slope);
            curve += sumOf(factors * factors * fit.curve);
        }
        const float wanted = curve > 0 ? static_cast<float>(static_cast<double>(d) + slope / curve) : d;
        const double change = static_cast<double>(stored(wanted)) - static_cast<double>(d);
        return {wanted, change * (change * curve - 2 * slope) < 0};
    }

    // Returns the d to be stored. The levels are those for this->d.
    float run() {
        Lanes largest{};
        for (std::size_t g = 0; g < count; ++g) {
            SearchedGroup& at = groups[g];
            at.ideal = idealScales<Format>(at.group);
            at.factors = Lanes{};
            error += sumOf(energy<Coder::kCount>(at.group));
            largest = select(magnitude(at.ideal) > magnitude(largest), at.ideal, largest);
        }
        const float peakScale = segmentPeaks<kLanes>(largest)[0];
        if (peakScale == 0) {
            return 0;
        }
        for (const float factor : Format::kLargest) {
            tryD(peakScale / factor, 1, 0);
        }
        if (d == 0) {
            return 0;
        }
        tryD(refined().d, 2, 2);
        const float middle = d;
        for (const float part : Format::kNear) {
            tryD(middle * (1 + part), 2, 2);
            tryD(middle * (1 - part), 2, 2);
        }
        tryD(refined().d, Format::kReach, Format::kMirrored);
        const Refined last = refined();
        return last.better ? stored(last.d) : d;
    }
};

} // namespace
