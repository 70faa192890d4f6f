#include "analysis/correlation.h"

#include "base/detail.h"
#include "base/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace gufo {
namespace {

constexpr std::uint64_t kPieceOfPairs = 1U << 14U;
constexpr std::uint64_t kPiecesHeld = 1U << 12U; // before they are merged: a file may be larger than memory

// Sums over pairs around their means.
struct PairMoments {
    std::uint64_t pairs = 0;
    double meanA = 0;
    double meanB = 0;
    double aa = 0; // Σ(a − mean)²
    double bb = 0;
    double ab = 0;

    void merge(const PairMoments& other) {
        if (other.pairs == 0) {
            return;
        }
        const auto count = static_cast<double>(pairs);
        const auto added = static_cast<double>(other.pairs);
        const double a = other.meanA - meanA;
        const double b = other.meanB - meanB;
        const double weight = count * added / (count + added);
        aa += other.aa + a * a * weight;
        bb += other.bb + b * b * weight;
        ab += other.ab + a * b * weight;
        meanA += a * added / (count + added);
        meanB += b * added / (count + added);
        pairs += other.pairs;
    }
};

PairMoments momentsOfPairs(std::span<const float> a, std::span<const float> b) {
    PairMoments sums;
    const auto forEachPair = [&](auto use) {
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (std::isfinite(a[i]) && std::isfinite(b[i])) {
                use(static_cast<double>(a[i]), static_cast<double>(b[i]));
            }
        }
    };
    forEachPair([&](double one, double other) {
        ++sums.pairs;
        sums.meanA += one;
        sums.meanB += other;
    });
    if (sums.pairs == 0) {
        return sums;
    }
    sums.meanA /= static_cast<double>(sums.pairs);
    sums.meanB /= static_cast<double>(sums.pairs);
    forEachPair([&](double one, double other) {
        sums.aa += (one - sums.meanA) * (one - sums.meanA);
        sums.bb += (other - sums.meanB) * (other - sums.meanB);
        sums.ab += (one - sums.meanA) * (other - sums.meanB);
    });
    return sums;
}

} // namespace

Result<Correlation> correlateTensors(const Model& model, TensorIndex tensor, const Model& otherModel, TensorIndex other,
                                     const JobContext& job) {
    const TensorInfo& info = model.tensor(tensor);
    const TensorInfo& otherInfo = otherModel.tensor(other);
    if (info.shape != otherInfo.shape) {
        return fail(ErrorCode::InvalidArgument, Place::tensor(std::string(otherInfo.name)), {Detail::PartsDiffer});
    }
    const StoredRows rows = GUFO_TRY(model.rowsOf(info));
    const StoredRows otherRows = GUFO_TRY(otherModel.rowsOf(otherInfo));
    const std::uint64_t present = std::min({rows.weights(), otherRows.weights(), info.weights()});
    const std::uint64_t pieces = present / kPieceOfPairs + (present % kPieceOfPairs != 0 ? 1 : 0);
    std::vector<PairMoments> sums(std::min(pieces, kPiecesHeld));
    PairMoments total;
    job.start(present);
    for (std::uint64_t held = 0; held < pieces; held += kPiecesHeld) {
        const std::uint64_t count = std::min(kPiecesHeld, pieces - held);
        const bool whole = parallelFor(count, 1, job, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
            std::array<float, kPieceOfPairs> a;
            std::array<float, kPieceOfPairs> b;
            for (std::uint64_t piece = begin; piece < end; ++piece) {
                const std::uint64_t first = (held + piece) * kPieceOfPairs;
                const std::uint64_t pairs = std::min(kPieceOfPairs, present - first);
                static_cast<void>(decode(rows, first, std::span(a).first(pairs)));
                static_cast<void>(decode(otherRows, first, std::span(b).first(pairs)));
                sums[piece] = momentsOfPairs(std::span(a).first(pairs), std::span(b).first(pairs));
                job.advance(pairs);
            }
        });
        if (!whole) {
            return fail(ErrorCode::Cancelled);
        }
        for (const PairMoments& piece : std::span(sums).first(count)) {
            total.merge(piece);
        }
    }
    for (const ByteSource* source : {model.sourceOf(info), otherModel.sourceOf(otherInfo)}) {
        if (const auto damage = source->damage()) {
            return std::unexpected(*damage);
        }
    }
    Correlation result{.pairs = total.pairs, .leftOut = info.weights() - total.pairs};
    if (total.pairs != 0) {
        result.expected = 1 / std::sqrt(static_cast<double>(total.pairs));
    }
    if (total.aa > 0 && total.bb > 0) {
        result.pearson = std::clamp(total.ab / (std::sqrt(total.aa) * std::sqrt(total.bb)), -1.0, 1.0);
    }
    return result;
}

} // namespace gufo
