#include "quantize/calibration.h"

#include "base/checked_size.h"
#include "base/detail.h"
#include "inference/engine/layered_run.h"
#include "inference/measuring/perplexity.h"
#include "model/swapped_model.h"
#include "model/tensor_role.h"
#include "quantize/encode_pieces.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gufo {
namespace {

constexpr std::uint64_t kPieceWeights = 1U << 16U;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U; // of the tensors that are quantised for a run
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

// Which tensors a run quantises, and the errors that this makes, weighted by the factors known so far.
struct Probe {
    std::vector<ProbedTensor> tensors{};
    double errors = 0;
};

class Calibration {
public:
    Calibration(const std::shared_ptr<const Model>& model, const Imatrix* imatrix, const CostTable& costs,
                std::span<const inference::BlameText> windows, const JobContext& job)
        : m_model(model)
        , m_imatrix(imatrix)
        , m_costs(costs)
        , m_windows(windows)
        , m_job(job)
        , m_inner{.stop = job.stop, .progress = nullptr, .threads = job.threads} {}

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

    // The divergence with these tensors.
    Result<double> measure(const std::vector<ProbedTensor>& tensors) {
        const auto quantised = GUFO_TRY(quantisedInMemory(m_model, tensors, m_imatrix, m_inner));
        std::vector<TensorSwap> swaps;
        for (const ProbedTensor& probed : tensors) {
            swaps.push_back({.tensor = probed.tensor, .from = quantised});
        }
        const auto swapped = GUFO_TRY(swapTensors(m_model, swaps));
        GUFO_TRY(m_run->use(swapped));
        double sum = 0;
        std::size_t scored = 0;
        const std::size_t vocabulary = m_run->session().vocabulary();
        for (std::size_t w = 0; w < m_windows.size(); ++w) {
            GUFO_TRY(evaluate(m_windows[w]));
            for (std::size_t row = 0; row < m_windows[w].scored(); ++row) {
                sum += inference::divergenceOf(std::span(m_references[w]).subspan(row * vocabulary, vocabulary),
                                               m_run->session().logits(row));
            }
            scored += m_windows[w].scored();
        }
        m_job.advance(1);
        return sum / static_cast<double>(scored);
    }

    // The tensors for which `wanted` returns a weight above 0, evenly thinned out if they are too large.
    template<typename Wanted>
    [[nodiscard]] Probe probe(const Wanted& wanted) const {
        struct Candidate {
            ProbedTensor tensor;
            std::uint64_t bytes;
            double error;
        };
        std::vector<Candidate> candidates;
        std::uint64_t bytes = 0;
        for (const TensorCosts& costs : m_costs.tensors) {
            const TensorInfo& tensor = m_model->tensor(costs.tensor);
            const TypeCost* const type = probeOf(costs, tensor);
            const double weight = type != nullptr ? wanted(tensor) : 0;
            if (weight > 0) {
                candidates.push_back({{costs.tensor, type->typeId}, type->bytes, weight * type->error});
                bytes += type->bytes;
            }
        }
        const std::uint64_t step = bytes / kMostBytes + 1;
        Probe probe;
        for (std::size_t i = 0; i < candidates.size(); i += step) {
            probe.tensors.push_back(candidates[i].tensor);
            probe.errors += candidates[i].error;
        }
        return probe;
    }

    // Measured divergence ÷ expected; 1 if there is nothing to be measured.
    template<typename Wanted>
    Result<double> ratio(const Wanted& wanted) {
        const Probe probed = probe(wanted);
        if (probed.tensors.empty() || !(probed.errors > 0)) {
            m_job.advance(1);
            return 1;
        }
        const double measured = GUFO_TRY(measure(probed.tensors));
        return measured / probed.errors;
    }

private:
    Result<> evaluate(const inference::BlameText& window) {
        return m_run->session().evaluateBlocks(window.tokens, {}, nullptr, window.firstScored, m_inner);
    }

    const std::shared_ptr<const Model>& m_model;
    const Imatrix* m_imatrix;
    const CostTable& m_costs;
    std::span<const inference::BlameText> m_windows;
    JobContext m_job;
    JobContext m_inner;
    std::unique_ptr<inference::LayeredRun> m_run;
    std::vector<std::vector<float>> m_references; // logits of the scored positions, by window
};

} // namespace

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
            auto done = decode(rows, piece.first, buffers.weights);
            done = done ? encodePiece(result->tensors[i], piece, imatrix, buffers) : done;
            return done ? changeByteOrder(tensors[i].typeId, model->byteOrder, buffers) : done;
        };
        const auto keep = [&](Bytes encoded) -> Result<> {
            bytes.insert(bytes.end(), encoded.begin(), encoded.end());
            return {};
        };
        GUFO_TRY(pieces.write(source.shape, make, keep));
    }
    result->files.push_back({.source = std::make_shared<MemorySource>(std::move(bytes)), .path = model->path()});
    result->indexTensors();
    return result;
}

Result<std::vector<inference::BlameText>> calibrationWindows(std::span<const TokenId> tokens, std::size_t window,
                                                             std::optional<TokenId> bos) {
    std::vector<inference::BlameText> windows;
    const std::size_t count = std::clamp<std::size_t>(window > 0 ? tokens.size() / window : 0, 1, kMostWindows);
    for (std::size_t i = 0; i < count; ++i) {
        windows.push_back(
            GUFO_TRY(inference::blameText(tokens.subspan(std::min(i * window, tokens.size())), window, bos, {})));
    }
    return windows;
}

Result<SensitivityFactors> calibrate(const std::shared_ptr<const Model>& model,
                                     const std::shared_ptr<const Imatrix>& imatrix, const CostTable& costs,
                                     std::span<const inference::BlameText> windows,
                                     const inference::SessionOptions& options,
                                     const JobContext& job) {
    std::vector<std::string_view> roles;
    for (const TensorCosts& tensor : costs.tensors) {
        const std::string_view role = parseTensorName(model->tensor(tensor.tensor).name).role;
        if (std::ranges::find(roles, role) == roles.end()) {
            roles.push_back(role);
        }
    }
    job.start(roles.size() + 3);
    Calibration calibration(model, imatrix.get(), costs, windows, job);
    GUFO_TRY(calibration.open(options));
    SensitivityFactors factors{.byRole = {}, .measured = true};
    for (const std::string_view role : roles) {
        const double factor = GUFO_TRY(calibration.ratio(
            [&](const TensorInfo& tensor) { return parseTensorName(tensor.name).role == role ? 1.0 : 0.0; }));
        factors.byRole.emplace(role, factor);
    }
    const auto expected = [&](const TensorInfo& tensor) { return factors.of(*model, tensor); };
    // The ends and all together are compared with what the roles alone foretell.
    const SensitivityFactors byRole = factors;
    const auto end = [&](Depth depth) {
        return calibration.ratio(
            [&](const TensorInfo& tensor) { return depthOf(*model, tensor) == depth ? byRole.of(*model, tensor) : 0; });
    };
    factors.firstBlocks = GUFO_TRY(end(Depth::First));
    factors.lastBlocks = GUFO_TRY(end(Depth::Last));
    factors.common = GUFO_TRY(calibration.ratio(expected));
    return factors;
}

} // namespace gufo
