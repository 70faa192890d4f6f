// The search for the scale (and minimum) of a sub-block, sixteen sub-blocks at once.
//
// A guess gives codes; for given codes the best scale is a weighted least-squares fit, which may say where better codes
// are. Many guesses around "the largest weight becomes the outermost level" are tried, the best is refined by turns,
// and what is kept has the least weighted squared error met.
#pragma once

#include "tensor/kernels/portable/levels_of_lanes.h"

namespace {

constexpr float kSmallest = 0x1p-60F; // what is less counts as zero: no scale that is a half reaches it

template<std::size_t Count>
inline Lanes energy(const Group& group) {
    Lanes sum{};
    for (std::size_t i = 0; i < Count; ++i) {
        sum += group.w[i] * group.x[i] * group.x[i];
    }
    return sum;
}

// The weight of largest magnitude, with its sign; 0 where it is too small to count.
template<std::size_t Count>
inline Lanes peak(const Group& group) {
    Lanes found{};
    Lanes size = allLanes(kSmallest);
    for (std::size_t i = 0; i < Count; ++i) {
        const Lanes here = magnitude(group.x[i]);
        found = select(here > size, group.x[i], found);
        size = larger(size, here);
    }
    return found;
}

// --- value = scale × level

struct ScaleFit {
    Lanes scale;
    Lanes error;
};

// Codes of x / scale, then the scale that fits them best.
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

// Guesses: the largest weight is put at each of these levels. A type whose levels reach further on one side has them on
// both.
template<typename Levels, std::size_t Count, std::size_t Guesses>
inline ScaleFit searchScale(const Group& group, const float (&guesses)[Guesses]) {
    const Lanes largest = peak<Count>(group);
    ScaleFit best{Lanes{}, energy<Count>(group)};
    for (const float guess : guesses) {
        tryScale<Levels, Count>(group, largest / guess, best);
    }
    for (int turn = 0; turn < 2; ++turn) {
        tryScale<Levels, Count>(group, best.scale, best);
    }
    return best;
}

// The error with exactly this scale.
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

// --- value = scale × code − minimum, codes from 0 to Most

struct AffineFit {
    Lanes scale; // ≥ 0
    Lanes minimum;
    Lanes error;
};

enum class Minimum { Any, NotNegative };

// As tryScale, with both.
template<int Most, std::size_t Count, Minimum Kind>
inline void tryAffine(const Group& group, Lanes scale, Lanes minimum, AffineFit& best) {
    const Lanes perScale = inverse(scale);
    // Sums of w, wq, wqq and, with the rest r that the guess leaves, wr, wrq, wrr.
    Lanes w{}, wq{}, wqq{}, wr{}, wrq{}, wrr{};
    for (std::size_t i = 0; i < Count; ++i) {
        const Lanes q = UniformLevels<0, Most>::level((group.x[i] + minimum) * perScale);
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
        // Where the best minimum is negative: none, and the scale that fits best then.
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

// Guesses: how much of the range each end gives up (negative: reaches beyond it).
template<int Most, std::size_t Count, Minimum Kind, std::size_t Guesses>
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
    // All codes 0: the weighted mean, or none.
    Lanes range = high - low;
    range = select(range > larger(magnitude(low), magnitude(high)) * 0x1p-20F + kSmallest, range, Lanes{});
    tryAffine<Most, Count, Kind>(group, Lanes{}, Lanes{} - low, best);
    for (const auto& [below, above] : guesses) {
        const Lanes scale = range * ((1.0F - below - above) / static_cast<float>(Most));
        tryAffine<Most, Count, Kind>(group, scale, Lanes{} - (low + range * below), best);
    }
    for (int turn = 0; turn < 3; ++turn) {
        tryAffine<Most, Count, Kind>(group, best.scale, best.minimum, best);
    }
    return best;
}

template<int Most, std::size_t Count>
inline Lanes errorOf(const Group& group, Lanes scale, Lanes minimum) {
    const Lanes perScale = inverse(scale);
    Lanes error{};
    for (std::size_t i = 0; i < Count; ++i) {
        const Lanes shifted = group.x[i] + minimum;
        const Lanes rest = shifted - scale * UniformLevels<0, Most>::level(shifted * perScale);
        error += group.w[i] * rest * rest;
    }
    return error;
}

} // namespace
