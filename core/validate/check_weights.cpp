#include "analysis/scan.h"
#include "model/finding_code.h"
#include "tensor/decode.h"
#include "tensor/kernels/kernels.h"
#include "validate/checks.h"

#include <atomic>
#include <cmath>
#include <deque>

namespace gufo {
namespace {

// Properties of the weights of one tensor, counted by several workers at once.
struct WeightCounts {
    std::atomic<std::uint64_t> nans = 0;
    std::atomic<std::uint64_t> infinities = 0;
    std::atomic<std::uint64_t> first = ~std::uint64_t{0}; // index of the first value that is not finite
    std::atomic<bool> allZero = true;
};

void foundAt(WeightCounts& counts, std::uint64_t index) {
    for (std::uint64_t seen = counts.first; index < seen && !counts.first.compare_exchange_weak(seen, index);) {
    }
}

template<typename T>
void countPiece(WeightCounts& counts, const T* values, std::size_t size, std::uint64_t firstIndex) {
    if constexpr (std::is_same_v<T, float>) {
        const PowerSums sums = activeKernels().sumFloats(values, size, 0);
        if (sums.zeros != size) {
            counts.allZero = false;
        }
        if (sums.nans + sums.infinities == 0) {
            return;
        }
    }
    std::uint64_t nans = 0;
    std::uint64_t infinities = 0;
    for (std::size_t i = 0; i < size; ++i) {
        if (values[i] != T{0}) {
            counts.allZero = false;
        }
        if (!std::isfinite(values[i])) {
            if (nans + infinities == 0) {
                foundAt(counts, firstIndex + i);
            }
            ++(std::isnan(values[i]) ? nans : infinities);
        }
    }
    counts.nans += nans;
    counts.infinities += infinities;
}

} // namespace

Result<CheckOutcome> checkWeightsFinite(const CheckContext& context, FindingList& findings) {
    Scan scan(context.model.byteOrder);
    std::vector<std::size_t> tensors; // by item of the scan
    std::uint64_t unread = 0;
    for (std::size_t i = 0; i < context.model.tensors.size(); ++i) {
        const TensorInfo& tensor = context.model.tensors[i];
        const bool integer = tensor.type() != nullptr && tensor.type()->kind == TensorTypeKind::Integer;
        if (integer) {
            continue; // every value of the type is finite
        }
        if (scan.add(context.model, tensor)) {
            tensors.push_back(i);
        } else {
            ++unread;
        }
    }
    std::deque<WeightCounts> counts(tensors.size());
    context.job.start(scan.bytes());
    const auto done = scan.run(
        context.job, [](const ScanItem&) { return true; },
        [&](const ScanSlot& slot, unsigned) {
            WeightCounts& count = counts[static_cast<std::size_t>(slot.item - scan.items().data())];
            std::uint64_t index = slot.firstWeight;
            static_cast<void>(forEachPiece(slot, context.job, [&](const auto* values, std::size_t size) {
                countPiece(count, values, size, index);
                index += size;
            }));
        });
    GUFO_TRY(done);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const TensorInfo& tensor = context.model.tensors[tensors[i]];
        const WeightCounts& count = counts[i];
        if (count.nans + count.infinities != 0) {
            findings.add(FindingCode::WeightsNotFinite, Place::tensor(std::string(tensor.name), count.first),
                         {std::to_string(count.nans), std::to_string(count.infinities), std::to_string(count.first)});
        }
        // A matrix of zeros has no effect; in a file that was downloaded in parts it indicates a missing part.
        if (context.kind == FileKind::Model && context.isMatrix(tensors[i]) && count.allZero &&
            scan.items()[i].weights != 0) {
            findings.add(FindingCode::WeightsAllZero, Place::tensor(std::string(tensor.name)));
        }
    }
    if (unread != 0) {
        findings.add(FindingCode::WeightsNotRead, {}, {std::to_string(unread)});
    }
    return CheckOutcome::Ran;
}

} // namespace gufo
