// Runs of weights of two parts, decoded in pieces that stay in the L1 cache.
#pragma once

#include "analysis/tensor_part.h"
#include "base/job_context.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/scalar/reduce.h"

#include <algorithm>
#include <array>

namespace gufo {

struct PartOf;

// Two open parts with the same number of weights.
struct OpenPair {
    PartReader a;
    PartReader b;
    std::uint64_t present; // number of weights that both files contain

    // The result after the work: Cancelled unless `finished`, or FileChangedWhileReading if one of the files has
    // changed.
    [[nodiscard]] Result<> outcome(bool finished) const;
};
// Errors: the errors of PartReader::open; InvalidArgument (different sizes).
[[nodiscard]] Result<OpenPair> openPair(const PartOf& a, const PartOf& b);

// The number of weights in a piece; a multiple of every block size.
template<typename T>
inline constexpr std::size_t kPairPiece = 8'192 / sizeof(T);

// The number of weights that a worker takes at a time; a multiple of every block size.
inline constexpr std::uint64_t kPairSlot = 1U << 20U;

inline PairSums sumPairs(const float* a, const float* b, std::size_t count, double known, PairBins* bins) {
    return activeKernels().sumPairs(a, b, count, known, bins);
}
inline PairSums sumPairs(const double* a, const double* b, std::size_t count, double known, PairBins* bins) {
    return scalar::sumPairsOfDoubles(a, b, count, known, bins);
}

// Calls use(const T* a, const T* b, std::size_t count, std::uint64_t first) for consecutive pieces [first, first +
// count) of both. T is float, or double if one of them needs it. Returns false if the job was stopped.
template<typename T, typename Use>
bool forEachPairPieceOf(const PartReader& a, const PartReader& b, std::uint64_t first, std::uint64_t count,
                        const JobContext& job, Use use) {
    alignas(64) std::array<T, kPairPiece<T>> x;
    alignas(64) std::array<T, kPairPiece<T>> y;
    for (std::uint64_t done = 0; done < count;) {
        if (job.stopRequested()) {
            return false;
        }
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(kPairPiece<T>, count - done));
        a.read(first + done, std::span(x).first(n));
        b.read(first + done, std::span(y).first(n));
        use(x.data(), y.data(), n, first + done);
        done += n;
    }
    return true;
}

template<typename Use>
bool forEachPairPiece(const PartReader& a, const PartReader& b, std::uint64_t first, std::uint64_t count,
                      const JobContext& job, Use use) {
    return a.needsDouble() || b.needsDouble() ? forEachPairPieceOf<double>(a, b, first, count, job, use)
                                              : forEachPairPieceOf<float>(a, b, first, count, job, use);
}

// Computes the sums of a run. Indices are relative to the start of the part. Returns false if the job was stopped.
inline bool sumRun(const PartReader& a, const PartReader& b, std::uint64_t first, std::uint64_t count,
                   const JobContext& job, PairSums& sums, PairBins* bins = nullptr) {
    return forEachPairPiece(a, b, first, count, job,
                            [&](const auto* x, const auto* y, std::size_t n, std::uint64_t at) {
                                PairSums piece = sumPairs(x, y, n, sums.maximum, bins);
                                if (piece.maximumIndex != PairSums::kNone) {
                                    piece.maximumIndex += at;
                                }
                                sums.merge(piece);
                            });
}

} // namespace gufo
