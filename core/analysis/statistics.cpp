#include "analysis/statistics.h"

#include "analysis/binning.h"
#include "analysis/moments.h"
#include "analysis/scan.h"
#include "analysis/value_range.h"
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
// Null if the values of the item are not tabled.
const TabledType* tabledType(const ScanItem& item) {
    const auto types = ValueTable::types();
    const auto found = std::ranges::find(types, static_cast<TensorType>(item.type().id), &TabledType::type);
    return found != types.end() && item.rows.layout.strides() == nullptr ? &*found : nullptr;
}
bool isTabled(const ScanItem& item) { return tabledType(item) != nullptr; }
bool isNotTabled(const ScanItem& item) { return !isTabled(item); }
bool anyItem(const ScanItem&) { return true; }

// The tables of one population: one per type and worker, created on first use.
class ValueTables {
public:
    explicit ValueTables(unsigned workers)
        : m_tables(ValueTable::types().size()) {
        for (auto& tables : m_tables) {
            tables.resize(workers);
        }
    }

    // The item of the slot is tabled.
    void count(const ScanSlot& slot, unsigned worker) {
        const TabledType& type = *tabledType(*slot.item);
        auto& table = m_tables[static_cast<std::size_t>(&type - ValueTable::types().data())][worker];
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
    std::vector<std::vector<std::unique_ptr<ValueTable>>> m_tables; // by type and worker
};

template<typename T>
std::uint64_t firstNonFinite(const T* values, std::size_t count) {
    const T* found = std::find_if(values, values + count, [](T value) { return !std::isfinite(value); });
    return found != values + count ? static_cast<std::uint64_t>(found - values) : Moments::kNone;
}

// The shift for more values like the summed ones: none unless the mean is more than a deviation away from 0, because
// sums without a shift are faster.
double shiftFor(const Moments& summed) {
    const auto n = static_cast<double>(summed.finite);
    return n * summed.mean * summed.mean <= summed.m2 ? 0 : summed.mean;
}

// Counts a slot in bins and computes its moments, if they are wanted.
Moments reduceSlot(const ScanSlot& slot, const JobContext& job, bool wantsMoments, BinCounter& counter) {
    Moments total;
    std::uint64_t index = slot.firstWeight;
    static_cast<void>(forEachPiece(slot, job, [&](const auto* values, std::size_t count) {
        if (wantsMoments) {
            Moments piece = momentsOf(shiftFor(total), [&](double shift) { return sum(values, count, shift); });
            if (piece.nans + piece.infinities != 0) {
                piece.firstNonFinite = index + firstNonFinite(values, count);
            }
            total.merge(piece);
            index += count;
        }
        counter.count(values, count);
    }));
    counter.empty();
    return total;
}

// The passes over the items of a scan. Slots are merged in order, so that the results do not depend on the number of
// workers.
class Passes {
public:
    Passes(const Scan& scan, const JobContext& job)
        : m_scan(scan)
        , m_job(job)
        , m_tables(scan.workers(job)) {}

    // Finds the range of all weights, and counts the weights that can be tabled.
    [[nodiscard]] Result<ValueRange> findRange() {
        std::vector<ValueRange> ranges(m_scan.workers(m_job));
        const auto done = m_scan.run(m_job, anyItem, [&](const ScanSlot& slot, unsigned worker) {
            if (isTabled(*slot.item)) {
                m_tables.count(slot, worker);
            } else {
                addToRange(slot, m_job, ranges[worker]);
            }
        });
        GUFO_TRY(done);
        sumTables();
        ValueRange range;
        range.add(m_tabled->min, m_tabled->max);
        for (const ValueRange& ofWorker : ranges) {
            range.add(ofWorker.lo, ofWorker.hi);
        }
        return range;
    }

    // Counts the weights in bins and computes their moments, if they are wanted.
    [[nodiscard]] Result<Histogram> reduce(const Binning& binning, Moments* moments) {
        std::deque<BinCounter> counters;
        for (unsigned worker = 0; worker < m_scan.workers(m_job); ++worker) {
            counters.emplace_back(binning.plan());
        }
        std::vector<Moments> slots(moments != nullptr ? m_scan.slotCount() : 0);
        const auto wanted = [&](const ScanItem& item) { return !m_tabled || isNotTabled(item); };
        const auto done = m_scan.run(m_job, wanted, [&](const ScanSlot& slot, unsigned worker) {
            if (isTabled(*slot.item)) {
                m_tables.count(slot, worker);
                return;
            }
            const Moments found = reduceSlot(slot, m_job, moments != nullptr, counters[worker]);
            if (moments != nullptr) {
                slots[slot.index] = found;
            }
        });
        GUFO_TRY(done);
        if (moments != nullptr) {
            if (!m_tabled) {
                sumTables();
            }
            for (const Moments& slot : slots) {
                moments->merge(slot);
            }
            moments->merge(*m_tabled);
        }
        Histogram histogram = binning.histogram();
        for (const BinCounter& counter : counters) {
            counter.addTo(histogram);
        }
        m_tables.forEach([&](ValueTable& table) { table.addTo(histogram, binning.plan(), m_scan.order()); });
        return histogram;
    }

private:
    void sumTables() {
        m_tabled.emplace();
        m_tables.forEach([&](ValueTable& table) { m_tabled->merge(table.moments(m_scan.order())); });
    }

    const Scan& m_scan;
    const JobContext& m_job;
    ValueTables m_tables;
    std::optional<Moments> m_tabled; // the moments of the tables, once they are complete
};

// The index of the first weight that is not finite in a tensor whose values were tabled, which must have one.
Result<std::uint64_t> findNonFinite(const Scan& scan, const JobContext& job) {
    std::atomic<std::uint64_t> first = Moments::kNone;
    GUFO_TRY(scan.run(job.silent(), isTabled, [&](const ScanSlot& slot, unsigned) {
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
    }));
    return first.load();
}

std::uint64_t tabledBytes(const Scan& scan) {
    std::uint64_t bytes = 0;
    for (const ScanItem& item : scan.items()) {
        bytes += isTabled(item) ? item.range.length : 0;
    }
    return bytes;
}

Result<TensorAnalysis> analyse(const Scan& scan, const HistogramRequest& request, const JobContext& job) {
    job.start(request.range ? scan.bytes() : 2 * scan.bytes() - tabledBytes(scan));
    Passes passes(scan, job);
    std::array<double, 2> edges{0, 1}; // numpy's range for no values
    if (request.range) {
        edges = *request.range;
    } else {
        const auto range = GUFO_TRY(passes.findRange());
        if (!range.empty()) {
            edges = {range.lo + 0.0, range.hi + 0.0}; // −0 becomes 0, whichever of both was found first
        }
    }
    const Binning binning(request.bins, edges[0], edges[1]);
    Moments moments;
    auto histogram = GUFO_TRY(passes.reduce(binning, &moments));
    return TensorAnalysis{.statistics = moments.statistics(), .histogram = std::move(histogram)};
}

Result<Scan> scanOf(const Model& model, TensorIndex tensor, const HistogramRequest& request) {
    GUFO_TRY(checkRequest(request));
    Scan scan(model.byteOrder);
    GUFO_TRY(scan.add(model, model.tensor(tensor)));
    return scan;
}

} // namespace

Result<TensorAnalysis> analyseTensor(const Model& model, TensorIndex tensor, const HistogramRequest& request,
                                     const JobContext& job) {
    const auto scan = GUFO_TRY(scanOf(model, tensor, request));
    auto analysis = analyse(scan, request, job);
    if (analysis && analysis->statistics.nans + analysis->statistics.infinities != 0 &&
        !analysis->statistics.firstNonFinite) {
        analysis->statistics.firstNonFinite = GUFO_TRY(findNonFinite(scan, job));
    }
    return analysis;
}

Result<Histogram> countHistogram(const Model& model, TensorIndex tensor, const HistogramRequest& request,
                                 const JobContext& job) {
    if (!request.range) {
        auto analysis = GUFO_TRY(analyseTensor(model, tensor, request, job));
        return std::move(analysis.histogram);
    }
    const auto scan = GUFO_TRY(scanOf(model, tensor, request));
    job.start(scan.bytes());
    const Binning binning(request.bins, (*request.range)[0], (*request.range)[1]);
    return Passes(scan, job).reduce(binning, nullptr);
}

Result<TensorAnalysis> analyseModel(const Model& model, const HistogramRequest& request, const JobContext& job) {
    GUFO_TRY(checkRequest(request));
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
