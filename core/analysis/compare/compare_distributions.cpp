// The distributions for the drill-down: binned errors, pairs and values, and the tile of errors.
#include "analysis/binning.h"
#include "analysis/compare/compare_tensors.h"
#include "analysis/compare/pair_pieces.h"
#include "analysis/slice_fold.h"
#include "analysis/value_range.h"
#include "base/detail.h"
#include "base/parallel.h"

#include <cmath>
#include <limits>
#include <memory>

namespace gufo {
namespace {

constexpr std::uint32_t kMaxDensityBins = 1024;

// Calls visit(first, count, worker) for slots of `weights` on all workers. visit() returns false if the job was
// stopped.
template<typename Visit>
bool forEachSlot(std::uint64_t weights, const JobContext& job, Visit visit) {
    std::atomic<bool> finished = true;
    const std::uint64_t slots = weights / kPairSlot + (weights % kPairSlot != 0 ? 1 : 0);
    const bool complete = parallelFor(slots, 1, job, [&](std::uint64_t slot, std::uint64_t, unsigned worker) {
        const std::uint64_t first = slot * kPairSlot;
        const std::uint64_t count = std::min(kPairSlot, weights - first);
        if (!visit(first, count, worker)) {
            finished = false;
        }
        job.advance(count);
    });
    return complete && finished;
}

unsigned slotWorkers(std::uint64_t weights, const JobContext& job) { return workerCount(weights, kPairSlot, job); }

// Calls use(const T* values, std::size_t count) for pieces of a run of one part.
template<typename T, typename Use>
bool forEachPieceOfPart(const PartReader& reader, std::uint64_t first, std::uint64_t count, const JobContext& job,
                        Use use) {
    alignas(64) std::array<T, kPairPiece<T>> values;
    for (std::uint64_t done = 0; done < count;) {
        if (job.stopRequested()) {
            return false;
        }
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(values.size(), count - done));
        reader.read(first + done, std::span(values).first(n));
        use(values.data(), n);
        done += n;
    }
    return true;
}

template<typename Use>
bool forEachPieceOfPart(const PartReader& reader, std::uint64_t first, std::uint64_t count, const JobContext& job,
                        Use use) {
    return reader.needsDouble() ? forEachPieceOfPart<double>(reader, first, count, job, use)
                                : forEachPieceOfPart<float>(reader, first, count, job, use);
}

// Finds the range of the finite values. Returns false if the job was stopped.
bool findRange(const PartReader& reader, std::uint64_t weights, const JobContext& job, ValueRange& range) {
    std::vector<ValueRange> ranges(slotWorkers(weights, job));
    const bool finished = forEachSlot(weights, job, [&](std::uint64_t first, std::uint64_t count, unsigned worker) {
        return forEachPieceOfPart(reader, first, count, job,
                                  [&](const auto* values, std::size_t n) { ranges[worker].add(values, n); });
    });
    for (const ValueRange& workerRange : ranges) {
        range.add(workerRange.lo, workerRange.hi);
    }
    return finished;
}

Histogram collect(const Binning& binning, std::vector<std::unique_ptr<BinCounter>>& counters) {
    Histogram histogram = binning.histogram();
    for (auto& counter : counters) {
        counter->empty();
        counter->addTo(histogram);
    }
    return histogram;
}

std::vector<std::unique_ptr<BinCounter>> makeCounters(const Binning& binning, unsigned workers) {
    std::vector<std::unique_ptr<BinCounter>> counters;
    for (unsigned i = 0; i < workers; ++i) {
        counters.push_back(std::make_unique<BinCounter>(binning.plan()));
    }
    return counters;
}

// Computes b − a as floats, clamped to the range of a float. Pairs that are not compared give NaN.
template<typename T>
void subtract(const T* a, const T* b, std::size_t count, float* out) {
    constexpr T kLargest = std::numeric_limits<float>::max();
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    for (std::size_t i = 0; i < count; ++i) {
        const T error = std::min(std::max(b[i] - a[i], -kLargest), kLargest);
        const bool counts = std::abs(a[i]) < kInfinity && std::abs(b[i]) < kInfinity;
        out[i] = counts ? static_cast<float>(error) : std::numeric_limits<float>::quiet_NaN();
    }
}

} // namespace

Result<Slice> errorTile(const PartOf& a, const PartOf& b, const ErrorTileRequest& request, std::uint64_t maxRows,
                        std::uint64_t maxColumns, SliceReduction reduction, const JobContext& job) {
    const auto pair = GUFO_TRY(openPair(a, b));
    const auto inside = [](std::uint64_t first, std::uint64_t count, std::uint64_t limit) {
        return first <= limit && count <= limit - first;
    };
    if (!inside(request.firstRow, request.rows, a.part.rows) ||
        !inside(request.firstColumn, request.columns, a.part.columns)) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::RangeOutsideTensor});
    }
    auto slice = GUFO_TRY(reduceRuns(
        request.rows, request.columns, maxRows, maxColumns, reduction,
        [&](std::uint64_t row, std::uint64_t column, std::span<float> out) {
            const std::uint64_t first = (request.firstRow + row) * a.part.columns + request.firstColumn + column;
            const std::uint64_t held = first < pair.present ? pair.present - first : 0;
            float* to = out.data();
            std::ranges::fill(out, std::numeric_limits<float>::quiet_NaN());
            static_cast<void>(forEachPairPiece(pair.a, pair.b, first, std::min<std::uint64_t>(held, out.size()), job,
                                               [&](const auto* x, const auto* y, std::size_t n, std::uint64_t) {
                                                   subtract(x, y, n, to);
                                                   to += n;
                                               }));
        },
        job));
    GUFO_TRY(pair.outcome(true));
    return slice;
}

Result<Histogram> errorHistogram(const PartOf& a, const PartOf& b, const HistogramRequest& request,
                                 const JobContext& job) {
    const auto pair = GUFO_TRY(openPair(a, b));
    GUFO_TRY(checkRequest(request));
    job.start(pair.present * (request.range ? 1 : 2));
    const unsigned workers = slotWorkers(pair.present, job);
    std::array<double, 2> range = request.range.value_or(std::array{0.0, 0.0});
    bool finished = true;
    if (!request.range) {
        std::vector<PairSums> sums(workers);
        finished = forEachSlot(pair.present, job, [&](std::uint64_t first, std::uint64_t count, unsigned worker) {
            return sumRun(pair.a, pair.b, first, count, job, sums[worker]);
        });
        for (const PairSums& workerSums : sums) {
            range[1] = std::max(range[1], workerSums.maximum);
        }
        // Errors are binned as floats, and the conversion may round up.
        const auto rounded = static_cast<float>(range[1]);
        range[1] = std::isfinite(rounded) ? std::max(range[1], static_cast<double>(rounded)) : range[1];
        range[0] = -range[1];
    }
    const Binning binning(request.bins, range[0], range[1]);
    auto counters = makeCounters(binning, workers);
    finished =
        finished && forEachSlot(pair.present, job, [&](std::uint64_t first, std::uint64_t count, unsigned worker) {
            std::array<float, kPairPiece<float>> errors;
            BinCounter& counter = *counters[worker];
            const bool all = forEachPairPiece(pair.a, pair.b, first, count, job,
                                              [&](const auto* x, const auto* y, std::size_t n, std::uint64_t) {
                                                  subtract(x, y, n, errors.data());
                                                  counter.count(errors.data(), n);
                                              });
            counter.empty();
            return all;
        });
    GUFO_TRY(pair.outcome(finished));
    return collect(binning, counters);
}

Result<PairDensity> pairDensity(const PartOf& a, const PartOf& b, const HistogramRequest& request,
                                const JobContext& job) {
    const auto pair = GUFO_TRY(openPair(a, b));
    if (auto checked = checkRequest(request); !checked || request.bins > kMaxDensityBins) {
        return checked ? fail(ErrorCode::InvalidArgument, {}, {Detail::BinCountInvalid})
                       : std::unexpected(checked.error());
    }
    job.start(pair.present * (request.range ? 1 : 3));
    ValueRange found;
    bool finished = true;
    if (!request.range) {
        finished = findRange(pair.a, pair.present, job, found) && findRange(pair.b, pair.present, job, found);
    }
    const std::array<double, 2> range =
        request.range.value_or(found.empty() ? std::array{0.0, 0.0} : std::array{found.lo, found.hi});
    const Binning binning(request.bins, range[0], range[1]);
    const BinPlan& plan = binning.plan();
    const double hi = plan.edges[plan.bins];
    const std::size_t bins = request.bins;
    struct WorkerCounts {
        std::vector<std::uint32_t> counts;
        std::vector<std::uint64_t> totals;
        std::uint64_t outside = 0;
    };
    std::vector<WorkerCounts> perWorker(slotWorkers(pair.present, job));
    const auto add = [&](WorkerCounts& counted, double x, double y) {
        if (x >= plan.lo && x <= hi && y >= plan.lo && y <= hi) {
            ++counted.counts[scalar::binOf(y, plan) * bins + scalar::binOf(x, plan)];
        } else if (std::isfinite(x) && std::isfinite(y)) {
            ++counted.outside;
        }
    };
    finished =
        finished && forEachSlot(pair.present, job, [&](std::uint64_t first, std::uint64_t count, unsigned worker) {
            WorkerCounts& counted = perWorker[worker];
            counted.counts.assign(bins * bins, 0);
            counted.totals.resize(bins * bins);
            const bool all = forEachPairPiece(
                pair.a, pair.b, first, count, job, [&](const auto* x, const auto* y, std::size_t n, std::uint64_t) {
                    for (std::size_t i = 0; i < n; ++i) {
                        add(counted, static_cast<double>(x[i]), static_cast<double>(y[i]));
                    }
                });
            std::ranges::transform(counted.totals, counted.counts, counted.totals.begin(), std::plus{});
            return all;
        });
    GUFO_TRY(pair.outcome(finished));
    PairDensity density{.lo = plan.lo, .hi = hi, .bins = bins};
    density.counts.resize(bins * bins);
    for (const WorkerCounts& counted : perWorker) {
        density.outside += counted.outside;
        if (!counted.totals.empty()) {
            std::ranges::transform(density.counts, counted.totals, density.counts.begin(), std::plus{});
        }
    }
    return density;
}

Result<std::vector<Histogram>> valueHistograms(std::span<const PartOf> parts, const HistogramRequest& request,
                                               const JobContext& job) {
    GUFO_TRY(checkRequest(request));
    std::vector<PartReader> readers;
    std::uint64_t total = 0;
    for (const PartOf& part : parts) {
        auto reader = GUFO_TRY(PartReader::open(*part.model, part.part));
        total += reader.present();
        readers.push_back(reader);
    }
    job.start(total * (request.range ? 1 : 2));
    ValueRange found;
    bool finished = true;
    for (const PartReader& reader : readers) {
        finished = finished && (request.range || findRange(reader, reader.present(), job, found));
    }
    const std::array<double, 2> range =
        request.range.value_or(found.empty() ? std::array{0.0, 0.0} : std::array{found.lo, found.hi});
    const Binning binning(request.bins, range[0], range[1]);
    std::vector<Histogram> histograms;
    for (const PartReader& reader : readers) {
        auto counters = makeCounters(binning, slotWorkers(reader.present(), job));
        finished = finished &&
                   forEachSlot(reader.present(), job, [&](std::uint64_t first, std::uint64_t count, unsigned worker) {
                       BinCounter& counter = *counters[worker];
                       const bool all =
                           forEachPieceOfPart(reader, first, count, job,
                                              [&](const auto* values, std::size_t n) { counter.count(values, n); });
                       counter.empty();
                       return all;
                   });
        histograms.push_back(collect(binning, counters));
        if (const auto damage = reader.source().damage()) {
            return std::unexpected(*damage);
        }
    }
    if (!finished) {
        return fail(ErrorCode::Cancelled);
    }
    return histograms;
}

} // namespace gufo
