#include "analysis/statistics.h"

#include "analysis/binning.h"
#include "analysis/moments.h"
#include "analysis/scan.h"
#include "analysis/value_table.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/scalar/reduce.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <deque>
#include <memory>

namespace gufo {
namespace {

PowerSums sum(const float* values, std::size_t count, double shift) {
    return activeKernels().sumFloats(values, count, shift);
}
PowerSums sum(const double* values, std::size_t count, double shift) {
    return scalar::sumDoubles(values, count, shift);
}
void countBins(const float* values, std::size_t count, const BinPlan& plan, BinCounts& counts) {
    activeKernels().binFloats(values, count, plan, counts);
}
void countBins(const double* values, std::size_t count, const BinPlan& plan, BinCounts& counts) {
    scalar::binDoubles(values, count, plan, counts);
}

bool isTabled(const ScanItem& item) {
    return std::ranges::find(ValueTable::kTypes, static_cast<TensorType>(item.type().id)) != ValueTable::kTypes.end() &&
           item.rows.layout.strides() == nullptr;
}
bool isNotTabled(const ScanItem& item) { return !isTabled(item); }

// The tables of one population: one per type and worker, created on first use.
class ValueTables {
public:
    explicit ValueTables(unsigned workers) {
        for (auto& tables : m_tables) {
            tables.resize(workers);
        }
    }

    void count(const ScanSlot& slot, unsigned worker) {
        const auto type = static_cast<TensorType>(slot.item->type().id);
        const auto place = std::ranges::find(ValueTable::kTypes, type) - ValueTable::kTypes.begin();
        auto& table = m_tables[static_cast<std::size_t>(place)][worker];
        if (table == nullptr) {
            table = std::make_unique<ValueTable>(type);
        }
        table->count(slot.bytes);
    }

    // Calls use(table) for each type that occurred, with the counts of all workers merged.
    template<typename Use>
    void forEach(Use use) {
        for (auto& tables : m_tables) {
            ValueTable* first = nullptr;
            for (auto& table : tables) {
                if (first != nullptr && table != nullptr) {
                    first->add(*table);
                    table.reset();
                } else if (table != nullptr) {
                    first = table.get();
                }
            }
            if (first != nullptr) {
                use(*first);
            }
        }
    }

private:
    std::array<std::vector<std::unique_ptr<ValueTable>>, ValueTable::kTypes.size()> m_tables; // by type and worker
};

template<typename T>
std::uint64_t firstNonFinite(const T* values, std::size_t count) {
    const T* found = std::find_if(values, values + count, [](T value) { return !std::isfinite(value); });
    return found != values + count ? static_cast<std::uint64_t>(found - values) : Moments::kNone;
}

Moments slotMoments(const ScanSlot& slot, const JobContext& job) {
    Moments total;
    std::uint64_t index = slot.firstWeight;
    static_cast<void>(forEachPiece(slot, job, [&](const auto* values, std::size_t count) {
        Moments piece = momentsOf(total.mean, [&](double shift) { return sum(values, count, shift); });
        if (piece.nans + piece.infinities != 0) {
            piece.firstNonFinite = index + firstNonFinite(values, count);
        }
        total.merge(piece);
        index += count;
    }));
    return total;
}

// Computes the moments of all items. Slots are merged in order, so that the result does not depend on the number of
// workers.
Result<Moments> allMoments(const Scan& scan, ValueTables& tables, const JobContext& job) {
    std::vector<Moments> slots(scan.slotCount());
    const auto done = scan.run(
        job, [](const ScanItem&) { return true; },
        [&](const ScanSlot& slot, unsigned worker) {
            if (isTabled(*slot.item)) {
                tables.count(slot, worker);
            } else {
                slots[slot.index] = slotMoments(slot, job);
            }
        });
    if (!done) {
        return std::unexpected(done.error());
    }
    Moments total;
    for (const Moments& slot : slots) {
        total.merge(slot);
    }
    tables.forEach([&](ValueTable& table) { total.merge(table.moments(scan.order())); });
    return total;
}

// Bins all items. `tabled` says that the tables of values are filled already.
Result<Histogram> allBins(const Scan& scan, ValueTables& tables, bool tabled, const Binning& binning,
                          const JobContext& job) {
    std::deque<BinCounter> counters;
    for (unsigned worker = 0; worker < scan.workers(job); ++worker) {
        counters.emplace_back(binning.plan());
    }
    const auto wanted = [&](const ScanItem& item) { return !tabled || isNotTabled(item); };
    const auto done = scan.run(job, wanted, [&](const ScanSlot& slot, unsigned worker) {
        if (isTabled(*slot.item)) {
            tables.count(slot, worker);
            return;
        }
        BinCounter& counter = counters[worker];
        static_cast<void>(forEachPiece(slot, job, [&](const auto* values, std::size_t count) {
            countBins(values, count, binning.plan(), counter.counts());
        }));
        counter.empty();
    });
    if (!done) {
        return std::unexpected(done.error());
    }
    Histogram histogram = binning.histogram();
    for (const BinCounter& counter : counters) {
        counter.addTo(histogram);
    }
    tables.forEach([&](ValueTable& table) { table.addTo(histogram, binning.plan(), scan.order()); });
    return histogram;
}

// The index of the first weight that is not finite in a tensor whose values were tabled, which must have one.
Result<std::uint64_t> findNonFinite(const Scan& scan, const JobContext& job) {
    std::atomic<std::uint64_t> first = Moments::kNone;
    JobContext quiet = job;
    quiet.progress = nullptr;
    const auto done = scan.run(quiet, isTabled, [&](const ScanSlot& slot, unsigned) {
        std::uint64_t index = slot.firstWeight;
        if (index >= first) {
            return;
        }
        static_cast<void>(forEachPiece(slot, job, [&](const auto* values, std::size_t count) {
            const std::uint64_t found = firstNonFinite(values, count);
            for (std::uint64_t seen = first; found != Moments::kNone && index + found < seen &&
                                             !first.compare_exchange_weak(seen, index + found);) {
            }
            index += count;
        }));
    });
    return done ? Result<std::uint64_t>(first.load()) : std::unexpected(done.error());
}

std::uint64_t tabledBytes(const Scan& scan) {
    std::uint64_t bytes = 0;
    for (const ScanItem& item : scan.items()) {
        bytes += isTabled(item) ? item.range.length : 0;
    }
    return bytes;
}

Result<TensorAnalysis> analyse(const Scan& scan, const HistogramRequest& request, const JobContext& job) {
    job.start(2 * scan.bytes() - tabledBytes(scan));
    ValueTables tables(scan.workers(job));
    const auto moments = allMoments(scan, tables, job);
    if (!moments) {
        return std::unexpected(moments.error());
    }
    double lo = moments->finite != 0 ? moments->min : 0;
    double hi = moments->finite != 0 ? moments->max : 1; // numpy's range for no values
    if (request.range) {
        lo = (*request.range)[0];
        hi = (*request.range)[1];
    }
    const Binning binning(request.bins, lo, hi);
    auto histogram = allBins(scan, tables, true, binning, job);
    if (!histogram) {
        return std::unexpected(histogram.error());
    }
    return TensorAnalysis{.statistics = moments->statistics(), .histogram = std::move(*histogram)};
}

Result<Scan> scanOf(const Model& model, TensorIndex tensor, const HistogramRequest& request) {
    if (auto valid = checkRequest(request); !valid) {
        return std::unexpected(valid.error());
    }
    Scan scan(model.byteOrder);
    if (auto added = scan.add(model, model.tensor(tensor)); !added) {
        return std::unexpected(added.error());
    }
    return scan;
}

} // namespace

Result<TensorAnalysis> analyseTensor(const Model& model, TensorIndex tensor, const HistogramRequest& request,
                                     const JobContext& job) {
    const auto scan = scanOf(model, tensor, request);
    if (!scan) {
        return std::unexpected(scan.error());
    }
    auto analysis = analyse(*scan, request, job);
    if (analysis && analysis->statistics.nans + analysis->statistics.infinities != 0 &&
        !analysis->statistics.firstNonFinite) {
        const auto first = findNonFinite(*scan, job);
        if (!first) {
            return std::unexpected(first.error());
        }
        analysis->statistics.firstNonFinite = *first;
    }
    return analysis;
}

Result<Histogram> countHistogram(const Model& model, TensorIndex tensor, const HistogramRequest& request,
                                 const JobContext& job) {
    if (!request.range) {
        auto analysis = analyseTensor(model, tensor, request, job);
        return analysis ? Result<Histogram>(std::move(analysis->histogram)) : std::unexpected(analysis.error());
    }
    const auto scan = scanOf(model, tensor, request);
    if (!scan) {
        return std::unexpected(scan.error());
    }
    job.start(scan->bytes());
    ValueTables tables(scan->workers(job));
    const Binning binning(request.bins, (*request.range)[0], (*request.range)[1]);
    return allBins(*scan, tables, false, binning, job);
}

Result<TensorAnalysis> analyseModel(const Model& model, const HistogramRequest& request, const JobContext& job) {
    if (auto valid = checkRequest(request); !valid) {
        return std::unexpected(valid.error());
    }
    Scan scan(model.byteOrder);
    for (const TensorInfo& tensor : model.tensors) {
        // Tensors that cannot be decoded are left out.
        static_cast<void>(scan.add(model, tensor));
    }
    auto analysis = analyse(scan, request, job);
    if (analysis) {
        analysis->statistics.firstNonFinite.reset();
    }
    return analysis;
}

} // namespace gufo
