#include "inference/engine/engine.h"

#include "base/detail.h"
#include "inference/engine/engine_session.h"
#include "inference/engine/gufo_engine.h"
#include "inference/engine/weight_reader.h"
#include "inference/interface/memory_needs.h"
#include "model/set_fault.h"
#include "model/tensor_role.h"

#include <algorithm>
#include <stdexcept>

namespace gufo::inference {
namespace {

constexpr std::uint32_t kDefaultContext = 4096;

class EngineModel final : public LoadedModel {
public:
    explicit EngineModel(std::shared_ptr<const BoundModel> engine)
        : m_engine(std::move(engine)) {
        if (auto predictor = makePredictor(m_engine->model, SmallTensors::NotRead); !predictor) {
            m_mtpDrafts = std::unexpected(std::move(predictor.error()));
        }
    }

    [[nodiscard]] const std::shared_ptr<const Model>& model() const override { return m_engine->model; }
    [[nodiscard]] std::uint32_t trainedContext() const override { return m_engine->shape.trainedContext; }
    [[nodiscard]] std::span<const std::string> leftOut() const override { return m_engine->weights.leftOut; }
    [[nodiscard]] Result<> mtpDrafts() const override { return m_mtpDrafts; }

private:
    [[nodiscard]] Result<std::unique_ptr<Session>> start(const SessionOptions& asked,
                                                         const JobContext& /*job*/) const override {
        return startEngineSession(m_engine, asked, EngineSession::Yield::Logits);
    }

    std::shared_ptr<const BoundModel> m_engine;
    Result<> m_mtpDrafts;
};

} // namespace

Result<std::shared_ptr<const BoundModel>> makeEngine(std::shared_ptr<const Model> model, SmallTensors small) {
    const auto complete = checkSet(*model);
    auto shape = GUFO_TRY(complete ? readShape(*model) : std::unexpected(complete.error()));
    // Begins before small tensors are decoded; otherwise each of them would wait for the disk.
    std::unique_ptr<WeightReader> reader;
    if (small == SmallTensors::Decoded) {
        const bool hasOutputMatrix = std::ranges::any_of(model->tensors, [](const TensorInfo& tensor) {
            const TensorName name = parseTensorName(tensor.name);
            return name.role == "output" && name.suffix == "weight";
        });
        reader = std::make_unique<WeightReader>(
            model, machineMemory().available,
            hasOutputMatrix || shape.architecture->encoder ? Embeddings::LookedUp : Embeddings::Multiplied);
    }
    auto weights = GUFO_TRY(bindWeights(*model, shape, small));
    return std::make_shared<const BoundModel>(BoundModel{.model = std::move(model),
                                                         .shape = std::move(shape),
                                                         .weights = std::move(weights),
                                                         .reader = std::move(reader)});
}

Result<std::shared_ptr<const BoundModel>> makePredictor(std::shared_ptr<const Model> model, SmallTensors small) {
    auto shape = GUFO_TRY(readPredictorShape(*model));
    auto weights = GUFO_TRY(bindPredictor(*model, shape, small));
    return std::make_shared<const BoundModel>(
        BoundModel{.model = std::move(model), .shape = std::move(shape), .weights = std::move(weights)});
}

Result<SessionOptions> resolved(const BoundModel& engine, const SessionOptions& asked) {
    SessionOptions options = asked;
    const std::uint32_t trained = engine.shape.trainedContext;
    if (options.context == 0) {
        options.context = trained != 0 ? std::min(trained, kDefaultContext) : kDefaultContext;
    }
    // Learned position embeddings limit the context; computed ones do not.
    if (const Matrix& positions = engine.weights.positions; positions && options.context > positions.rows) {
        if (asked.context != 0) {
            return fail(ErrorCode::LimitExceeded, {}, {Detail::ContextTokens, options.context, positions.rows});
        }
        options.context = static_cast<std::uint32_t>(positions.rows);
    }
    if (options.ropeContext == SessionOptions::kTrainedContext) {
        options.ropeContext = trained;
    }
    options.ropeContext = options.ropeContext != 0 ? options.ropeContext : options.context;
    // Where tokens attend to later ones, a text is a single batch.
    options.batch = engine.shape.causal ? std::clamp(options.batch, 1U, options.context) : options.context;
    options.threads = options.threads != 0 ? options.threads : physicalCores();
    options.logitRows = std::clamp(options.logitRows, 1U, options.context);
    return options;
}

EngineSession::Yield yieldOf(const BoundModel& engine) {
    const bool generates = engine.shape.causal && !engine.shape.architecture->encoder;
    return generates ? EngineSession::Yield::Logits : EngineSession::Yield::States;
}

Result<std::unique_ptr<EngineSession>> startEngineSession(const std::shared_ptr<const BoundModel>& engine,
                                                          const SessionOptions& asked, EngineSession::Yield yield) {
    std::uint64_t needed = 0;
    try {
        const auto options = GUFO_TRY(resolved(*engine, asked));
        const auto shape = GUFO_TRY(withRope(engine->shape, options.rope));
        const EngineSession counted(engine, shape, options, yield, {});
        const MemoryNeeds needs = needsOf(counted, *engine);
        needed = needs.anonymous();
        if (const MachineMemory machine = machineMemory(); judge(needs, machine) == MemoryVerdict::DoesNotFit) {
            return fail(ErrorCode::NotEnoughMemory, {}, {needed, machine.available});
        }
        auto memory = GUFO_TRY(Memory::reserve(counted.memory()));
        auto session = std::make_unique<EngineSession>(engine, shape, options, yield, std::move(memory));
        session->begin();
        return session;
    } catch (const std::exception&) { // std::bad_alloc, or std::system_error for threads
        return fail(ErrorCode::NotEnoughMemory, {}, {needed, machineMemory().available});
    }
}

Result<std::shared_ptr<const BoundModel>> makeGenerator(std::shared_ptr<const Model> model) {
    auto engine = GUFO_TRY(makeEngine(std::move(model), SmallTensors::Decoded));
    if (yieldOf(*engine) == EngineSession::Yield::States) {
        const Metadata& metadata = engine->model->metadata;
        const bool encoder = engine->shape.architecture->encoder;
        const std::string key = encoder ? "general.architecture" : metadata.architectureKey("attention.causal");
        return fail(ErrorCode::NotRunnable, Place::key(key),
                    {key + " = " + (encoder ? std::string(metadata.architecture()) : "false")});
    }
    return engine;
}

Result<std::shared_ptr<const LoadedModel>> loadForInference(std::shared_ptr<const Model> model) {
    auto engine = GUFO_TRY(makeGenerator(std::move(model)));
    return std::make_shared<EngineModel>(std::move(engine));
}

} // namespace gufo::inference
