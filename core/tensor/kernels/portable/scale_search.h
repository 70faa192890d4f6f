// The search for the scale (and minimum) of a sub-block, for sixteen sub-blocks at once.
//
// A guess of the scale determines codes. For given codes, the best scale is a weighted least-squares fit, which may in
// turn lead to better codes. The search tries many guesses around "the largest weight becomes the outermost level",
// refines the best one iteratively, and keeps the result with the smallest weighted squared error.
#pragma once

#include "tensor/kernels/portable/lanes.h"

namespace {

// --- the levels of codes: the level nearest to a number, and its code

// All integers from Low to High. `Zero` is the level of code 0.
template<int Low, int High, int Zero = Low>
struct UniformLevels {
    static constexpr float kLow = Low, kHigh = High;
    static Lanes level(Lanes v) { return nearest(clamped(v, Low, High)); }
    static LaneInts code(Lanes v) { return toInts(level(v)) - Zero; }
};

// Sixteen levels in ascending order. A binary search in four steps compares with the midpoints between them.
// 30, for example, is above −4.5 (code 8), below 45.5, above 19 (code 10) and below 31.5, so it gets level 25.
struct Iq4Levels {
    static constexpr float kLow = -127, kHigh = 113;
    static constexpr float kLevels[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
    static constexpr float kMiddles[16] = {-115.5F, -93.5F, -74,   -57,   -42, -28.5F, -16, -4.5F,
                                           7,       19,     31.5F, 45.5F, 61,  79,     101, 0};
    static LaneInts code(Lanes v) {
        LaneInts code = (v > allLanes(kMiddles[7])) & 8;
        code += (v > lookUp16(kMiddles, code + 3)) & 4;
        code += (v > lookUp16(kMiddles, code + 1)) & 2;
        return code - (v > lookUp16(kMiddles, code));
    }
    static Lanes level(Lanes v) { return lookUp16(kLevels, code(v)); }
};

// E2M1 times two. The fourth bit is the sign.
struct Fp4Levels {
    static constexpr float kLevels[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
    static constexpr float kMiddles[7] = {0.5F, 1.5F, 2.5F, 3.5F, 5, 7, 10};
    static LaneInts code(Lanes v) {
        const Lanes size = magnitude(v);
        LaneInts code{};
        for (const float middle : kMiddles) {
            code -= size > allLanes(middle);
        }
        const LaneInts sign = (v < Lanes{}) & (code != LaneInts{}) & 8;
        return code | sign;
    }
    static Lanes level(Lanes v) { return lookUp16(kLevels, code(v)); }
};

// --- the search

constexpr float kSmallest = 0x1p-60F; // smaller numbers count as zero, because no half-precision scale can represent
                                      // them

template<std::size_t Count>
inline Lanes energy(const Group& group) {
    Lanes sum{};
    for (std::size_t i = 0; i < Count; ++i) {
        sum += group.w[i] * group.x[i] * group.x[i];
    }
    return sum;
}

// The weight of largest magnitude, with its sign, or 0 if it is too small to count.
template<std::size_t Count>
inline Lanes peak(const Group& group) {
    Lanes found{};
    Lanes size = allLanes(kSmallest);
    for (std::size_t i = 0; i < Count; ++i) {
        const Lanes candidate = magnitude(group.x[i]);
        found = select(candidate > size, group.x[i], found);
        size = larger(size, candidate);
    }
    return found;
}

// --- value = scale × level

struct ScaleFit {
    Lanes scale;
    Lanes error;
};

// Computes the codes of x / scale, then the scale that fits them best.
template<typename Levels, std::size_t Count>
inline void tryScale(const Group& group, Lanes scale, ScaleFit& best) {
    const Lanes perScale = inverse(scale);
    Lanes error{};
    Lanes slope{};
    Lanes curve{};
    for (std::size_t i = 0; i < Count; ++i) {
        const Lanes level = Levels::level(group.x[i] * perScale);
        const Lanes rest = group.x[i] - scale * level;
        const Lanes weighted = group.w[i] * level;
        error += group.w[i] * rest * rest;
        slope += weighted * rest;
        curve += weighted * level;
    }
    const Lanes step = select(curve > Lanes{}, slope / curve, Lanes{});
    error -= step * slope;
    const LaneInts better = error < best.error;
    best.error = select(better, error, best.error);
    best.scale = select(better, scale + step, best.scale);
}

// The guesses are the levels to which the largest weight is mapped. If the levels of a type reach further on one side,
// the guesses include both sides.
template<typename Levels, std::size_t Count, std::size_t Guesses>
inline ScaleFit searchScale(const Group& group, const float (&guesses)[Guesses]) {
    const Lanes largest = peak<Count>(group);
    ScaleFit best{Lanes{}, energy<Count>(group)};
    for (const float guess : guesses) {
        tryScale<Levels, Count>(group, largest / guess, best);
    }
    for (int round = 0; round < 2; ++round) {
        tryScale<Levels, Count>(group, best.scale, best);
    }
    return best;
}

// The error for exactly this scale.
template<typename Levels, std::size_t Count>
inline Lanes errorOf(const Group& group, Lanes scale) {
    const Lanes perScale = inverse(scale);
    Lanes error{};
    for (std::size_t i = 0; i < Count; ++i) {
        const Lanes rest = group.x[i] - scale * Levels::level(group.x[i] * perScale);
        error += group.w[i] * rest * rest;
    }
    return error;
}

// --- value = scale × code − minimum, codes from 0 to MaxCode

struct AffineFit {
    Lanes scale; // ≥ 0
    Lanes minimum;
    Lanes error;
};

enum class Minimum { Any, NotNegative };

// As tryScale(), for a scale and a minimum.
template<int MaxCode, std::size_t Count, Minimum Kind>
inline void tryAffine(const Group& group, Lanes scale, Lanes minimum, AffineFit& best) {
    const Lanes perScale = inverse(scale);
    // The sums of w, wq and wqq and, with the residual r of the guess, of wr, wrq and wrr.
    Lanes w{}, wq{}, wqq{}, wr{}, wrq{}, wrr{};
    for (std::size_t i = 0; i < Count; ++i) {
        const Lanes q = UniformLevels<0, MaxCode>::level((group.x[i] + minimum) * perScale);
        const Lanes rest = (group.x[i] + minimum) - scale * q;
        const Lanes weightedRest = group.w[i] * rest;
        const Lanes weightedCode = group.w[i] * q;
        w += group.w[i];
        wq += weightedCode;
        wqq += weightedCode * q;
        wr += weightedRest;
        wrq += weightedRest * q;
        wrr += weightedRest * rest;
    }
    const Lanes determinant = w * wqq - wq * wq;
    const LaneInts solvable = determinant > w * wqq * 1e-6F;
    Lanes scaleStep = select(solvable, (w * wrq - wq * wr) / determinant, Lanes{});
    Lanes minimumStep = select(solvable, (wq * wrq - wqq * wr) / determinant, Lanes{});
    Lanes error = wrr - scaleStep * wrq + minimumStep * wr;
    if constexpr (Kind == Minimum::NotNegative) {
        // If the best minimum is negative, uses 0 and the scale that fits best then.
        const LaneInts negative = minimum + minimumStep < Lanes{};
        const Lanes restCode = wrq - minimum * wq;
        const Lanes alone = select(wqq > Lanes{}, restCode / wqq, Lanes{});
        const Lanes aloneError = wrr - minimum * wr * 2.0F + minimum * minimum * w - alone * restCode;
        scaleStep = select(negative, alone, scaleStep);
        minimumStep = select(negative, Lanes{} - minimum, minimumStep);
        error = select(negative, aloneError, error);
    }
    const LaneInts better = (error < best.error) & (scale + scaleStep >= Lanes{});
    best.error = select(better, error, best.error);
    best.scale = select(better, scale + scaleStep, best.scale);
    best.minimum = select(better, minimum + minimumStep, best.minimum);
}

// The guesses are the fractions of the range that are cut off at each end (negative: the range is extended).
template<int MaxCode, std::size_t Count, Minimum Kind, std::size_t Guesses>
inline AffineFit searchAffine(const Group& group, const float (&guesses)[Guesses][2]) {
    Lanes low = group.x[0];
    Lanes high = group.x[0];
    for (std::size_t i = 1; i < Count; ++i) {
        low = smaller(low, group.x[i]);
        high = larger(high, group.x[i]);
    }
    if constexpr (Kind == Minimum::NotNegative) {
        low = smaller(low, Lanes{});
    }
    AffineFit best{Lanes{}, Lanes{}, energy<Count>(group)};
    // A range of 0 makes all codes 0; the minimum is then the weighted mean.
    Lanes range = high - low;
    range = select(range > larger(magnitude(low), magnitude(high)) * 0x1p-20F + kSmallest, range, Lanes{});
    tryAffine<MaxCode, Count, Kind>(group, Lanes{}, Lanes{} - low, best);
    for (const auto& [below, above] : guesses) {
        const Lanes scale = range * ((1.0F - below - above) / static_cast<float>(MaxCode));
        tryAffine<MaxCode, Count, Kind>(group, scale, Lanes{} - (low + range * below), best);
    }
    for (int round = 0; round < 3; ++round) {
        tryAffine<MaxCode, Count, Kind>(group, best.scale, best.minimum, best);
    }
    return best;
}

template<int MaxCode, std::size_t Count>
inline Lanes errorOf(const Group& group, Lanes scale, Lanes minimum) {
    const Lanes perScale = inverse(scale);
    Lanes error{};
    for (std::size_t i = 0; i < Count; ++i) {
        const Lanes shifted = group.x[i] + minimum;
        const Lanes rest = shifted - scale * UniformLevels<0, MaxCode>::level(shifted * perScale);
        error += group.w[i] * rest * rest;
    }
    return error;
}

// --- two levels of scales
//
// The search for the two levels of scales of a super-block: small integers for the sub-blocks, and one or two halves
// for all of them.
//
// It first finds the best scale of each sub-block, then a half-precision number d such that the scales are nearly
// multiples of it, then for each sub-block the nearby integer with the smallest error, and finally fits d again to the
// resulting codes.

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
