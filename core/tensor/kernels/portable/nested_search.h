// The search for the two levels of scales of a super-block: small integers for the sub-blocks, and one or two halves
// for all of them.
//
// It first finds the best scale of each sub-block, then a half-precision number d such that the scales are nearly
// multiples of it, then for each sub-block the nearby integer with the smallest error, and finally fits d again to the
// resulting codes.
#pragma once

#include "tensor/kernels/portable/scale_search.h"

namespace {

// --- value = d × scale × level

struct NestedFit {
    Lanes d;     // halves; equal in all lanes of a super-block
    Lanes scale; // integers
    Lanes error; // summed over the super-block
};

// Low … High is the range of the sub-blocks' integers.
template<typename Levels, std::size_t Count, std::size_t Segment, int Low, int High>
struct NestedSearch {
    const Group& group;
    Lanes ideal; // the best scale of each sub-block
    NestedFit best{};

    void tryD(Lanes d) {
        d = nearestHalf(d);
        const Lanes middle = nearest(clamped(ideal * inverse(d), Low, High));
        Lanes scale = middle;
        Lanes error = errorOf<Levels, Count>(group, d * middle);
        for (const float step : {-1.0F, 1.0F}) {
            const Lanes candidate = clamped(middle + step, Low, High);
            const Lanes candidateError = errorOf<Levels, Count>(group, d * candidate);
            scale = select(candidateError < error, candidate, scale);
            error = smaller(candidateError, error);
        }
        error = segmentSums<Segment>(error);
        const LaneInts better = error < best.error;
        best.d = select(better, d, best.d);
        best.scale = select(better, scale, best.scale);
        best.error = select(better, error, best.error);
    }

    // The best d for the current codes.
    [[nodiscard]] Lanes fittedD() const {
        const Lanes perScale = inverse(best.d * best.scale);
        Lanes slope{};
        Lanes curve{};
        for (std::size_t i = 0; i < Count; ++i) {
            const Lanes factor = best.scale * Levels::level(group.x[i] * perScale);
            const Lanes rest = group.x[i] - best.d * factor;
            slope += group.w[i] * factor * rest;
            curve += group.w[i] * factor * factor;
        }
        slope = segmentSums<Segment>(slope);
        curve = segmentSums<Segment>(curve);
        return best.d + select(curve > Lanes{}, slope / curve, Lanes{});
    }
};

// `guesses` are passed to searchScale() for each sub-block. `largest` lists the integers to which the largest scale may
// be mapped.
template<typename Levels, std::size_t Count, std::size_t Segment, int Low, int High, std::size_t N, std::size_t M>
inline NestedFit searchNested(const Group& group, const float (&guesses)[N], const float (&largest)[M]) {
    const ScaleFit ideal = searchScale<Levels, Count>(group, guesses);
    NestedSearch<Levels, Count, Segment, Low, High> search{group, ideal.scale};
    search.best.error = segmentSums<Segment>(energy<Count>(group));
    const Lanes peakScale = segmentPeaks<Segment>(ideal.scale);
    for (const float integer : largest) {
        search.tryD(peakScale / integer);
    }
    for (int round = 0; round < 2; ++round) {
        search.tryD(search.fittedD());
    }
    return search.best;
}

// --- value = d × scale × code − dmin × minimum

struct NestedAffineFit {
    Lanes d, dmin;        // halves, ≥ 0
    Lanes scale, minimum; // integers
    Lanes error;
};

// MaxCode is the largest code, Limit the largest integer of a sub-block.
template<int MaxCode, std::size_t Count, std::size_t Segment, int Limit>
struct NestedAffineSearch {
    static constexpr float kSteps[8][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
    const Group& group;
    AffineFit ideal;
    NestedAffineFit best{};

    void tryD(Lanes d, Lanes dmin) {
        d = nearestHalf(larger(d, Lanes{}));
        dmin = nearestHalf(larger(dmin, Lanes{}));
        const Lanes middleScale = nearest(clamped(ideal.scale * inverse(d), 0, Limit));
        const Lanes middleMinimum = nearest(clamped(ideal.minimum * inverse(dmin), 0, Limit));
        Lanes scale = middleScale;
        Lanes minimum = middleMinimum;
        Lanes error = errorOf<MaxCode, Count>(group, d * scale, dmin * minimum);
        for (const auto& [scaleStep, minimumStep] : kSteps) {
            if (Limit > 15 && scaleStep != 0 && minimumStep != 0) {
                continue; // diagonal steps gain nothing if the integers are fine
            }
            const Lanes candidateScale = clamped(middleScale + scaleStep, 0, Limit);
            const Lanes candidateMinimum = clamped(middleMinimum + minimumStep, 0, Limit);
            const Lanes candidate = errorOf<MaxCode, Count>(group, d * candidateScale, dmin * candidateMinimum);
            const LaneInts closer = candidate < error;
            scale = select(closer, candidateScale, scale);
            minimum = select(closer, candidateMinimum, minimum);
            error = select(closer, candidate, error);
        }
        error = segmentSums<Segment>(error);
        const LaneInts better = error < best.error;
        best.d = select(better, d, best.d);
        best.dmin = select(better, dmin, best.dmin);
        best.scale = select(better, scale, best.scale);
        best.minimum = select(better, minimum, best.minimum);
        best.error = select(better, error, best.error);
    }

    // Tries the best pair for the current codes.
    void refine() {
        const Lanes scale = best.d * best.scale;
        const Lanes minimum = best.dmin * best.minimum;
        const Lanes perScale = inverse(scale);
        // With a = scale × code and b = minimum: the sums of w a a, w a b, w b b, w a residual and w b residual.
        Lanes aa{}, ab{}, bb{}, ar{}, br{};
        for (std::size_t i = 0; i < Count; ++i) {
            const Lanes code = UniformLevels<0, MaxCode>::level((group.x[i] + minimum) * perScale);
            const Lanes rest = (group.x[i] + minimum) - scale * code;
            const Lanes a = best.scale * code;
            const Lanes wa = group.w[i] * a;
            const Lanes wb = group.w[i] * best.minimum;
            aa += wa * a;
            ab += wa * best.minimum;
            bb += wb * best.minimum;
            ar += wa * rest;
            br += wb * rest;
        }
        aa = segmentSums<Segment>(aa);
        ab = segmentSums<Segment>(ab);
        bb = segmentSums<Segment>(bb);
        ar = segmentSums<Segment>(ar);
        br = segmentSums<Segment>(br);
        const Lanes determinant = aa * bb - ab * ab;
        const LaneInts both = determinant > aa * bb * 1e-6F;
        const Lanes alone = select(aa > Lanes{}, ar / aa, Lanes{});
        const Lanes dStep = select(both, (bb * ar - ab * br) / determinant, alone);
        const Lanes dminStep = select(both, (ab * ar - aa * br) / determinant, Lanes{});
        tryD(best.d + dStep, best.dmin + dminStep);
    }
};

// `guesses` are passed to searchAffine(). `largest` lists the integers to which the largest scale and the largest
// minimum may be mapped.
template<int MaxCode, std::size_t Count, std::size_t Segment, int Limit, std::size_t N, std::size_t M>
inline NestedAffineFit searchNestedAffine(const Group& group, const float (&guesses)[N][2],
                                          const float (&largest)[M][2]) {
    const AffineFit ideal = searchAffine<MaxCode, Count, Minimum::NotNegative>(group, guesses);
    NestedAffineSearch<MaxCode, Count, Segment, Limit> search{group, ideal};
    search.best.error = segmentSums<Segment>(energy<Count>(group));
    const Lanes peakScale = segmentPeaks<Segment>(ideal.scale);
    const Lanes peakMinimum = segmentPeaks<Segment>(ideal.minimum);
    for (const auto& [forScale, forMinimum] : largest) {
        search.tryD(peakScale / forScale, peakMinimum / forMinimum);
    }
    for (int round = 0; round < 2; ++round) {
        search.refine();
    }
    return search.best;
}

} // namespace
