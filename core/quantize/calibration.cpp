#include "quantize/calibration.h"

#include "base/checked.h"
#include "base/detail.h"
#include "inference/engine/layered_run.h"
#include "inference/measuring/perplexity.h"
#include "model/swapped_model.h"
#include "model/tensor_role.h"
#include "quantize/encode_pieces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

namespace gufo {
namespace {

constexpr std::uint64_t kPieceWeights = 1U << 16U;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U; // of the tensors that are quantised for a run
constexpr std::size_t kMostAlone = 64;                        // tensors, each of which is measured by itself
constexpr std::uint64_t kMostWindows = 8;
constexpr std::uint64_t kWindowsOfLargeModel = 4;
constexpr std::uint64_t kLargeModel = 300'000'000;             // weights
constexpr std::uint64_t kMostLogits = std::uint64_t{1} << 27U; // that are kept for comparison: half a gigabyte
constexpr double kProbeBits = 4; // types of about so many bits: errors that are clearly measured, and not yet ruinous

// The type of a tensor's costs that is nearest to the bits of probes; null if it has none but its own.
const TypeCost* probeOf(const TensorCosts& costs, const TensorInfo& tensor) {
    const TypeCost* nearest = nullptr;
    double distance = 0;
    for (const TypeCost& type : costs.types) {
        const double bits = findTensorType(type.typeId)->bitsPerWeight();
        const double away = std::abs(bits - kProbeBits);
        if (type.typeId != tensor.typeId && type.error > 0 && (nearest == nullptr || away < distance)) {
            nearest = &type;
            distance = away;
        }
    }
    return nearest;
}

// Tensors that are measured together.
struct Cell {
    std::size_t block = 0;            // the first one that they change
    std::vector<std::size_t> tensors; // by CostTable::tensors
};

// Groups the tensors that are swapped together: each tensor alone if there are few; otherwise all tensors of a role and
// a depth (depthOf()). The groups are in the order of their blocks.
std::vector<Cell> cellsOf(const Model& model, const CostTable& costs) {
    std::map<std::pair<std::string, Depth>, Cell> cells;
    const std::uint64_t blocks = blocksOf(model);
    for (std::size_t i = 0; i < costs.tensors.size(); ++i) {
        const TensorInfo& tensor = model.tensor(costs.tensors[i].tensor);
        const TensorName name = parseTensorName(tensor.name);
        const bool alone = costs.tensors.size() <= kMostAlone;
        const std::size_t block = name.block ? *name.block : name.role.starts_with("output") ? blocks : 0;
        Cell& cell = cells
                         .try_emplace({std::string(alone ? tensor.name : name.role), depthOf(model, tensor)},
                                      Cell{.block = block, .tensors = {}})
                         .first->second;
        cell.block = std::min(cell.block, block);
        cell.tensors.push_back(i);
    }
    std::vector<Cell> ordered;
    for (auto& [name, cell] : cells) {
        ordered.push_back(std::move(cell));
    }
    std::ranges::sort(ordered, {}, [](const Cell& cell) { return std::pair(cell.block, cell.tensors.front()); });
    return ordered;
}

class Calibration {
public:
    Calibration(const std::shared_ptr<const Model>& model, const Imatrix* imatrix, const CostTable& costs,
                std::span<const inference::BlameText> windows, const JobContext& job)
        : m_model(model)
        , m_imatrix(imatrix)
        , m_costs(costs)
        , m_windows(windows)
        , m_entering(windows.size())
        , m_job(job)
        , m_inner(job.silent()) {}

    Result<> open(const inference::SessionOptions& options) {
        inference::SessionOptions fitting = options;
        fitting.context = fitting.logitRows = 0;
        for (const inference::BlameText& window : m_windows) {
            fitting.context = std::max(fitting.context, static_cast<std::uint32_t>(window.tokens.size()));
            fitting.logitRows = std::max(fitting.logitRows, static_cast<std::uint32_t>(window.scored()));
        }
        // The model as it is with all probes, without their bytes: the buffers of the session have to suit its types.
        auto probed = std::make_shared<Model>(*m_model);
        probed->owned.push_back(m_model);
        for (const TensorCosts& costs : m_costs.tensors) {
            TensorInfo& tensor = probed->tensors[costs.tensor.value];
            if (const TypeCost* probe = probeOf(costs, tensor)) {
                tensor.typeId = probe->typeId;
                tensor.bytes = tensor.bytesPresent = probe->bytes;
                tensor.strides = nullptr;
            }
        }
        const std::array<std::shared_ptr<const Model>, 2> models{m_model, std::move(probed)};
        m_run = GUFO_TRY(inference::LayeredRun::open(models, fitting));
        for (const inference::BlameText& window : m_windows) {
            GUFO_TRY(evaluate(window));
            const auto first = m_run->session().logits(0);
            m_references.emplace_back(first.data(), first.data() + first.size() * window.scored());
        }
        return {};
    }

    // The divergence with these tensors, the first of which is in block `block`. Blocks before it are not evaluated
    // again, so `block` never decreases, except to 0.
    Result<double> measure(const std::vector<ProbedTensor>& tensors, std::size_t block) {
        GUFO_TRY(advanceTo(block));
        const auto quantised = GUFO_TRY(quantisedInMemory(m_model, tensors, m_imatrix, m_inner));
        std::vector<TensorSwap> swaps;
        for (const ProbedTensor& probed : tensors) {
            swaps.push_back({.tensor = probed.tensor, .from = quantised});
        }
        const auto swapped = GUFO_TRY(swapTensors(m_model, swaps));
        GUFO_TRY(m_run->use(swapped));
        double sum = 0; // of all windows
        std::size_t scored = 0;
        const std::size_t vocabulary = m_run->session().vocabulary();
        for (std::size_t w = 0; w < m_windows.size(); ++w) {
            const inference::BlockRange range{.first = m_at, .entering = m_entering[w]};
            GUFO_TRY(m_run->session().evaluateBlocks(m_windows[w].tokens, range, nullptr, m_windows[w].firstScored,
                                                     m_inner));
            for (std::size_t row = 0; row < m_windows[w].scored(); ++row) {
                sum += inference::divergenceOf(std::span(m_references[w]).subspan(row * vocabulary, vocabulary),
                                               m_run->session().logits(row));
            }
            scored += m_windows[w].scored();
        }
        GUFO_TRY(m_run->use(m_model));
        m_job.advance(1);
        return sum / static_cast<double>(scored);
    }

    // The probes of some tensors, evenly thinned out if they are too large, and what they are expected to cause.
    struct Probe {
        std::vector<ProbedTensor> tensors{};
        double expected = 0;
    };
    [[nodiscard]] Probe probe(std::span<const std::size_t> members,
                              const std::function<double(std::size_t)>& factorOf) {
        std::uint64_t bytes = 0;
        for (const std::size_t i : members) {
            const TypeCost* const type = probeOf(m_costs.tensors[i], tensorOf(i));
            bytes += type != nullptr ? type->bytes : 0;
        }
        const std::uint64_t step = bytes / kMostBytes + 1;
        Probe probe;
        std::size_t number = 0;
        for (const std::size_t i : members) {
            const TypeCost* const type = probeOf(m_costs.tensors[i], tensorOf(i));
            if (type != nullptr && number++ % step == 0) {
                probe.tensors.push_back({m_costs.tensors[i].tensor, type->typeId});
                probe.expected += factorOf(i) * type->error;
            }
        }
        return probe;
    }

    // Measured divergence ÷ expected; nothing if there is nothing to be measured.
    Result<std::optional<double>> ratio(std::span<const std::size_t> members, std::size_t block,
                                        const std::function<double(std::size_t)>& factorOf) {
        const Probe probed = probe(members, factorOf);
        if (probed.tensors.empty() || !(probed.expected > 0)) {
            m_job.advance(1);
            return std::nullopt;
        }
        const double measured = GUFO_TRY(measure(probed.tensors, block));
        return std::optional(measured / probed.expected);
    }

    [[nodiscard]] const TensorInfo& tensorOf(std::size_t i) const { return m_model->tensor(m_costs.tensors[i].tensor); }

private:
    Result<> evaluate(const inference::BlameText& window) {
        return m_run->session().evaluateBlocks(window.tokens, {}, nullptr, window.firstScored, m_inner);
    }

    // Computes the rows that enter a block, with the weights of the model.
    Result<> advanceTo(std::size_t block) {
        if (block < m_at || !m_run->keepsOwnKeys()) {
            m_at = 0;
            m_entering.assign(m_windows.size(), {});
        }
        if (block == m_at || !m_run->keepsOwnKeys()) {
            return {};
        }
        for (std::size_t w = 0; w < m_windows.size(); ++w) {
            std::vector<float> after;
            const inference::BlockRange range{.first = m_at, .end = block, .entering = m_entering[w]};
            const std::vector<TokenId>& tokens = m_windows[w].tokens;
            GUFO_TRY(m_run->session().evaluateBlocks(tokens, range, &after, tokens.size(), m_inner));
            m_entering[w] = std::move(after);
        }
        m_at = block;
        return {};
    }

    const std::shared_ptr<const Model>& m_model;
    const Imatrix* m_imatrix;
    const CostTable& m_costs;
    std::span<const inference::BlameText> m_windows;
    std::size_t m_at = 0;                       // the block that the rows enter
    std::vector<std::vector<float>> m_entering; // rows, by window; empty before block 0
    JobContext m_job;
    JobContext m_inner;
    std::unique_ptr<inference::LayeredRun> m_run;
    std::vector<std::vector<float>> m_references; // logits of the scored positions, by window
};

} // namespace

void addRoles(SensitivityFactors& factors) {
    std::map<std::string, std::vector<double>, std::less<>> roles;
    for (const auto& [tensor, factor] : factors.byTensor) {
        roles[std::string(parseTensorName(tensor).role)].push_back(factor);
    }
    for (const auto& [role, measured] : roles) {
        factors.byRole.emplace(role, std::accumulate(measured.begin(), measured.end(), 0.0) /
                                         static_cast<double>(measured.size()));
    }
}

Result<std::shared_ptr<const Model>> quantisedInMemory(const std::shared_ptr<const Model>& model,
                                                       const std::vector<ProbedTensor>& tensors, const Imatrix* imatrix,
                                                       const JobContext& job) {
    CheckedSize total(0);
    auto result = std::make_shared<Model>();
    result->container = "gguf";
    result->byteOrder = model->byteOrder;
    result->owned.push_back(model); // names
    for (const ProbedTensor& probed : tensors) {
        TensorInfo info = model->tensor(probed.tensor);
        info.typeId = probed.typeId;
        info.ownType = {};
        info.file = FileIndex();
        info.strides = nullptr;
        info.bytes = tensorBytes(*findTensorType(probed.typeId), info.shape);
        const auto offset = total.value();
        if (!info.bytes || !offset) {
            return fail(ErrorCode::LimitExceeded, Place::tensor(std::string(info.name)), {Detail::Bytes, 0, 0});
        }
        info.offset = *offset;
        info.bytesPresent = *info.bytes;
        total = total + *info.bytes;
        result->tensors.push_back(info);
    }
    std::vector<std::byte> bytes;
    bytes.reserve(total.value().value_or(0)); // of a fraction of what the model itself has in its file
    PieceWriter pieces(kPieceWeights, job);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const TensorInfo& source = model->tensor(tensors[i].tensor);
        const auto rows = GUFO_TRY(model->rowsOf(source));
        const auto make = [&](const WeightPiece& piece, PieceBuffers& buffers) -> Result<> {
            buffers.weights.resize(piece.weights);
            GUFO_TRY(decode(rows, piece.first, buffers.weights));
            GUFO_TRY(encodePiece(result->tensors[i], piece, imatrix, buffers));
            return changeByteOrder(result->tensors[i], model->byteOrder, buffers);
        };
        const auto keep = [&](Bytes encoded) -> Result<> {
            bytes.insert(bytes.end(), encoded.begin(), encoded.end());
            return {};
        };
        GUFO_TRY(pieces.write(result->tensors[i], make, keep));
    }
    result->files.push_back({.source = std::make_shared<MemorySource>(std::move(bytes)), .path = model->path()});
    result->indexTensors();
    return result;
}

Result<std::vector<inference::BlameText>> calibrationWindows(const Model& model, std::span<const TokenId> tokens,
                                                             std::size_t window, std::optional<TokenId> bos) {
    std::vector<inference::BlameText> windows;
    const auto embedding = model.findTensor("token_embd.weight");
    const std::uint64_t vocabulary = embedding ? std::max<std::uint64_t>(1, model.tensor(*embedding).shape[1]) : 1;
    const std::uint64_t logits = std::max<std::uint64_t>(1, window / 2 * vocabulary);
    const std::uint64_t most = std::clamp<std::uint64_t>(
        kMostLogits / logits, 1, model.totals().weights > kLargeModel ? kWindowsOfLargeModel : kMostWindows);
    const std::size_t count = std::clamp<std::size_t>(window > 0 ? tokens.size() / window : 0, 1, most);
    for (std::size_t i = 0; i < count; ++i) {
        windows.push_back(
            GUFO_TRY(inference::blameText(tokens.subspan(std::min(i * window, tokens.size())), window, bos, {})));
    }
    return windows;
}

Result<SensitivityFactors> calibrate(const std::shared_ptr<const Model>& model,
                                     const std::shared_ptr<const Imatrix>& imatrix, const CostTable& costs,
                                     std::span<const inference::BlameText> windows,
                                     const inference::SessionOptions& options, const JobContext& job) {
    const std::vector<Cell> cells = cellsOf(*model, costs);
    job.start(cells.size() + 1);
    Calibration calibration(model, imatrix.get(), costs, windows, job);
    GUFO_TRY(calibration.open(options));
    SensitivityFactors factors{.byRole = {}, .measured = true};
    for (const Cell& cell : cells) {
        const auto measured = GUFO_TRY(calibration.ratio(cell.tensors, cell.block, [](std::size_t) { return 1.0; }));
        for (const std::size_t i : cell.tensors) {
            if (measured) {
                factors.byTensor.emplace(calibration.tensorOf(i).name, *measured);
            }
        }
    }
    addRoles(factors);
    std::vector<std::size_t> all(costs.tensors.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const auto common =
        GUFO_TRY(calibration.ratio(all, 0, [&](std::size_t i) { return factors.of(*model, calibration.tensorOf(i)); }));
    factors.common = common.value_or(1);
    return factors;
}

} // namespace gufo
