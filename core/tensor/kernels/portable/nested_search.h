// The search for the two storeys of scales of a super-block: small integers for its sub-blocks, one or two halves for
// all.
//
// First each sub-block's own best scale; then a half that they are nearly multiples of; then for each sub-block the
// integer, among those near, with the least error; then the half again, fitted to the codes there are.
#pragma once

#include "tensor/kernels/portable/scale_search.h"

namespace {

// --- value = d × scale × level

struct NestedFit {
    Lanes d;     // halves; the same in all lanes of a super-block
    Lanes scale; // integers
    Lanes error; // summed over the super-block
};

// Low … High: what the sub-blocks' integers can be.
template<typename Levels, std::size_t Count, std::size_t Segment, int Low, int High>
struct NestedSearch {
    const Group& group;
    Lanes ideal; // each sub-block's own best scale
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

    // The d that fits the present codes best.
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

// `guesses` for the sub-blocks' own scales as in searchScale; `largest`: what integers the largest scale may become.
template<typename Levels, std::size_t Count, std::size_t Segment, int Low, int High, std::size_t N, std::size_t M>
inline NestedFit searchNested(const Group& group, const float (&guesses)[N], const float (&largest)[M]) {
    const ScaleFit own = searchScale<Levels, Count>(group, guesses);
    NestedSearch<Levels, Count, Segment, Low, High> search{group, own.scale};
    search.best.error = segmentSums<Segment>(energy<Count>(group));
    const Lanes peakScale = segmentPeaks<Segment>(own.scale);
    for (const float integer : largest) {
        search.tryD(peakScale / integer);
    }
    for (int turn = 0; turn < 2; ++turn) {
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

// Most: of the codes; Limit: of the sub-blocks' integers.
template<int Most, std::size_t Count, std::size_t Segment, int Limit>
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
        Lanes error = errorOf<Most, Count>(group, d * scale, dmin * minimum);
        for (const auto& [scaleStep, minimumStep] : kSteps) {
            if (Limit > 15 && scaleStep != 0 && minimumStep != 0) {
                continue; // fine steps gain nothing together
            }
            const Lanes candidateScale = clamped(middleScale + scaleStep, 0, Limit);
            const Lanes candidateMinimum = clamped(middleMinimum + minimumStep, 0, Limit);
            const Lanes candidate = errorOf<Most, Count>(group, d * candidateScale, dmin * candidateMinimum);
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

    // Tries the pair that fits the present codes best.
    void refine() {
        const Lanes scale = best.d * best.scale;
        const Lanes minimum = best.dmin * best.minimum;
        const Lanes perScale = inverse(scale);
        // With a = scale × code and b = minimum: the sums of w a a, w a b, w b b, w a rest, w b rest.
        Lanes aa{}, ab{}, bb{}, ar{}, br{};
        for (std::size_t i = 0; i < Count; ++i) {
            const Lanes code = UniformLevels<0, Most>::level((group.x[i] + minimum) * perScale);
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

// `guesses` as in searchAffine; `largest`: what integers the largest scale and the largest minimum may become.
template<int Most, std::size_t Count, std::size_t Segment, int Limit, std::size_t N, std::size_t M>
inline NestedAffineFit searchNestedAffine(const Group& group, const float (&guesses)[N][2],
                                          const float (&largest)[M][2]) {
    const AffineFit own = searchAffine<Most, Count, Minimum::NotNegative>(group, guesses);
    NestedAffineSearch<Most, Count, Segment, Limit> search{group, own};
    search.best.error = segmentSums<Segment>(energy<Count>(group));
    const Lanes peakScale = segmentPeaks<Segment>(own.scale);
    const Lanes peakMinimum = segmentPeaks<Segment>(own.minimum);
    for (const auto& [forScale, forMinimum] : largest) {
        search.tryD(peakScale / forScale, peakMinimum / forMinimum);
    }
    for (int turn = 0; turn < 2; ++turn) {
        search.refine();
    }
    return search.best;
}

} // namespace
