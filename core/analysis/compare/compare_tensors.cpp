#include "analysis/compare/compare_tensors.h"

#include "analysis/compare/pair_pieces.h"
#include "analysis/compare/row_comparison.h"
#include "base/detail.h"
#include "base/parallel.h"

#include <cmath>

namespace gufo {
namespace {

constexpr std::uint64_t kMaxBlocks = 1U << 16U;
constexpr std::uint64_t kPlainBlock = 32; // used for a type that has no blocks

} // namespace

Result<OpenPair> openPair(const PartOf& a, const PartOf& b) {
    auto readerA = GUFO_TRY(PartReader::open(*a.model, a.part));
    auto readerB = GUFO_TRY(PartReader::open(*b.model, b.part));
    if (a.part.weights() != b.part.weights()) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::PartsDiffer});
    }
    return OpenPair{readerA, readerB, std::min(readerA.present(), readerB.present())};
}

Result<> OpenPair::outcome(bool finished) const {
    if (!finished) {
        return fail(ErrorCode::Cancelled);
    }
    for (const PartReader* reader : {&a, &b}) {
        if (const auto damage = reader->source().damage()) {
            return std::unexpected(*damage);
        }
    }
    return {};
}

Result<TensorComparison> compareTensors(const PartOf& a, const PartOf& b, const JobContext& job) {
    const auto pair = GUFO_TRY(openPair(a, b));
    RowComparison row(pair.a);
    GUFO_TRY(row.add(pair.b));
    job.start(pair.present);
    std::vector<PairWorkspace> workspaces(workerCount(row.slotCount(), 1, job));
    std::atomic<bool> finished = true;
    const bool complete = parallelFor(row.slotCount(), 1, job, [&](std::uint64_t slot, std::uint64_t, unsigned worker) {
        if (!row.compareSlot(slot, workspaces[worker], job)) {
            finished = false;
        }
        job.advance(row.weights(slot));
    });
    const bool all = complete && finished && row.finish(workspaces[0], job);
    GUFO_TRY(pair.outcome(all));
    return row.comparison(0);
}

Result<RowErrors> compareRows(const PartOf& a, const PartOf& b, std::size_t maxRows, const JobContext& job) {
    const auto pair = GUFO_TRY(openPair(a, b));
    RowErrors errors{.rows = a.part.rows};
    const std::uint64_t groups = std::min<std::uint64_t>(a.part.rows, maxRows);
    if (groups == 0) {
        return errors;
    }
    errors.groups.resize(groups);
    job.start(pair.present);
    const auto firstWeight = [&](std::uint64_t group) {
        const std::uint64_t row = a.part.rows / groups * group + a.part.rows % groups * group / groups;
        return std::min(row * a.part.columns, pair.present);
    };
    std::atomic<bool> finished = true;
    const std::uint64_t grain = std::max<std::uint64_t>(1, groups / 256);
    const bool complete = parallelFor(groups, grain, job, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t group = begin; group < end; ++group) {
            const std::uint64_t first = firstWeight(group);
            const std::uint64_t count = firstWeight(group + 1) - first;
            if (!sumRun(pair.a, pair.b, first, count, job, errors.groups[group])) {
                finished = false;
                return;
            }
            job.advance(count);
        }
    });
    GUFO_TRY(pair.outcome(complete && finished));
    return errors;
}

Result<BlockErrors> compareBlocks(const PartOf& a, const PartOf& b, std::uint64_t firstWeight, std::uint64_t weights,
                                  const JobContext& job) {
    const auto pair = GUFO_TRY(openPair(a, b));
    const std::uint64_t typeBlock = b.model->tensor(b.part.tensor).type()->blockSize;
    const std::uint64_t size = typeBlock > 1 ? typeBlock : kPlainBlock;
    const std::uint64_t total = a.part.weights();
    if (firstWeight > total || weights > total - firstWeight || firstWeight % size != 0 ||
        weights / size >= kMaxBlocks) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::RangeOutsideTensor});
    }
    BlockErrors errors{.blockSize = static_cast<std::uint32_t>(size), .firstBlock = firstWeight / size};
    errors.blocks.resize(weights / size + (weights % size != 0 ? 1 : 0));
    bool finished = true;
    for (std::size_t i = 0; i < errors.blocks.size() && finished; ++i) {
        const std::uint64_t first = std::min(firstWeight + i * size, pair.present);
        const std::uint64_t end = std::min({firstWeight + (i + 1) * size, firstWeight + weights, pair.present});
        finished = sumRun(pair.a, pair.b, first, end - first, job, errors.blocks[i]);
    }
    GUFO_TRY(pair.outcome(finished));
    return errors;
}

} // namespace gufo
