// The scales and codes of block types: a pass for codes and moments, a pass for the bins.
#include "analysis/binning.h"
#include "analysis/moments.h"
#include "analysis/scan.h"
#include "tensor/block_layout.h"
#include "tensor/kernels/kernels.h"

#include <array>
#include <deque>

namespace gufo {
namespace {

// The scales (and minima) of consecutive blocks that the kernels reduce together.
struct ScaleRun {
    std::array<float, 1024> scales;
    std::array<float, 1024> minima;
    std::size_t count = 0;
};

// Unpacks the blocks of a slot. Calls onBlock(unpacked) for each block and onRun(run) for each run of scales.
template<typename OnBlock, typename OnRun>
void forEachBlock(const ScanSlot& slot, const JobContext& job, OnBlock onBlock, OnRun onRun) {
    const StoredRows& rows = slot.item->rows;
    const TensorTypeFact& type = rows.type();
    const BlockLayout& layout = *findBlockLayout(type.id);
    const std::size_t perBlock = type.blockSize / layout.subBlock;
    UnpackedBlock unpacked;
    std::array<std::byte, kMaxRowHeader> swappedHeader;
    std::array<std::byte, kMaxBlockBytes> swapped;
    ScaleRun run;
    for (std::uint64_t at = 0; at < slot.weights; at += type.blockSize) {
        const StoredBlock stored = rows.block(slot.firstWeight + at);
        const std::byte* header = stored.header.data();
        const std::byte* block = stored.bytes.data();
        if (rows.order == ByteOrder::Big) {
            swapFields(layout.headerFields, header, swappedHeader.data());
            swapFields(layout.fields, block, swapped.data());
            header = swappedHeader.data();
            block = swapped.data();
        }
        layout.unpack(header, block, unpacked);
        onBlock(unpacked);
        std::copy_n(unpacked.scales.begin(), perBlock, run.scales.begin() + run.count);
        if (layout.hasMinima) {
            std::copy_n(unpacked.minima.begin(), perBlock, run.minima.begin() + run.count);
        }
        run.count += perBlock;
        if (run.count + perBlock > run.scales.size() || at + type.blockSize == slot.weights) {
            onRun(run);
            run.count = 0;
            if (job.stopRequested()) {
                return;
            }
        }
    }
}

bool everything(const ScanItem&) { return true; }

// Collects statistics and a histogram of scales, or of minima.
class ScaleGatherer {
public:
    explicit ScaleGatherer(std::uint64_t slots)
        : m_slots(slots) {}

    void sum(std::uint64_t slot, const float* values, std::size_t count) {
        Moments& total = m_slots[slot];
        total.merge(
            momentsOf(total.mean, [&](double shift) { return activeKernels().sumFloats(values, count, shift); }));
    }
    void prepareBins(const HistogramRequest& request, unsigned workers) {
        for (const Moments& slot : m_slots) {
            m_total.merge(slot);
        }
        const bool any = m_total.finite != 0;
        const std::array<double, 2> range =
            request.range.value_or(std::array{any ? m_total.min : 0.0, any ? m_total.max : 1.0});
        m_binning.emplace(request.bins, range[0], range[1]);
        for (unsigned worker = 0; worker < workers; ++worker) {
            m_counters.emplace_back(m_binning->plan());
        }
    }
    void bin(unsigned worker, const float* values, std::size_t count) { m_counters[worker].count(values, count); }
    void endSlot(unsigned worker) { m_counters[worker].empty(); }
    [[nodiscard]] TensorAnalysis result() const {
        TensorAnalysis analysis{.statistics = m_total.statistics(), .histogram = m_binning->histogram()};
        for (const BinCounter& counter : m_counters) {
            counter.addTo(analysis.histogram);
        }
        return analysis;
    }

private:
    std::vector<Moments> m_slots;
    Moments m_total;
    std::optional<Binning> m_binning;
    std::deque<BinCounter> m_counters;
};

} // namespace

Result<BlockAnalysis> analyseBlocks(const Model& model, TensorIndex tensor, const HistogramRequest& request,
                                    const JobContext& job) {
    GUFO_TRY(checkRequest(request));
    const TensorInfo& info = model.tensor(tensor);
    const BlockLayout* layout = findBlockLayout(info.typeId);
    if (isDecodable(info.typeId) && !info.bytesDerived && layout == nullptr) {
        return fail(ErrorCode::NotSupported, Place::tensor(std::string(info.name)), {info.typeName()});
    }
    Scan scan(model.byteOrder);
    GUFO_TRY(scan.add(model, info));
    job.start(2 * scan.bytes());
    const unsigned workers = scan.workers(job);
    ScaleGatherer scales(scan.slotCount());
    ScaleGatherer minima(layout->hasMinima ? scan.slotCount() : 0);
    std::vector<std::array<std::uint64_t, 256>> codes(workers);

    auto done = scan.run(job, everything, [&](const ScanSlot& slot, unsigned worker) {
        // Four tables, so that incrementing the same code twice in a row does not stall.
        std::array<std::array<std::uint32_t, 256>, 4> counts{};
        const std::size_t blockSize = slot.item->type().blockSize;
        forEachBlock(
            slot, job,
            [&](const UnpackedBlock& block) {
                for (std::size_t i = 0; i < blockSize; ++i) {
                    ++counts[i % 4][block.codes[i]];
                }
            },
            [&](const ScaleRun& run) {
                scales.sum(slot.index, run.scales.data(), run.count);
                if (layout->hasMinima) {
                    minima.sum(slot.index, run.minima.data(), run.count);
                }
            });
        for (std::size_t code = 0; code < codes[worker].size(); ++code) {
            codes[worker][code] += std::uint64_t{counts[0][code]} + counts[1][code] + counts[2][code] + counts[3][code];
        }
    });
    GUFO_TRY(done);
    scales.prepareBins(request, workers);
    minima.prepareBins(request, workers);
    done = scan.run(job, everything, [&](const ScanSlot& slot, unsigned worker) {
        forEachBlock(
            slot, job, [](const UnpackedBlock&) {},
            [&](const ScaleRun& run) {
                scales.bin(worker, run.scales.data(), run.count);
                if (layout->hasMinima) {
                    minima.bin(worker, run.minima.data(), run.count);
                }
            });
        scales.endSlot(worker);
        minima.endSlot(worker);
    });
    GUFO_TRY(done);
    BlockAnalysis analysis;
    analysis.scales = scales.result();
    if (layout->hasMinima) {
        analysis.minima = minima.result();
    }
    analysis.codeCounts.resize(layout->levels.size());
    for (const auto& counts : codes) {
        for (std::size_t code = 0; code < analysis.codeCounts.size(); ++code) {
            analysis.codeCounts[code] += counts[code];
        }
    }
    return analysis;
}

} // namespace gufo
