#include "inference/engine/engine_session.h"
#include "inference/engine/gufo_engine.h"
#include "inference/engine/mtp_drafter.h"
#include "model/computed_weights.h"
#include "model/set_fault.h"
#include "net/remote_source.h"

#include <algorithm>

namespace gufo::inference {

MemoryNeeds needsOf(const EngineSession& counted, const BoundModel& engine) {
    std::uint64_t weights = 0;
    for (const TensorInfo& tensor : engine.model->tensors) {
        weights += tensor.bytesPresent;
    }
    const Memory& memory = counted.memory();
    MemoryNeeds needs{.context = counted.context(),
                      .trainedContext = engine.shape.trainedContext,
                      .weights = weights,
                      .smallTensors = engine.weights.smallBytes,
                      .kvCache = memory.taken(Memory::Part::Cache),
                      .kvPerToken = counted.growth(),
                      .slidingWindows = counted.hasWindows(),
                      .recurrentState = memory.taken(Memory::Part::State),
                      .snapshots = memory.taken(Memory::Part::Snapshots),
                      .scratch = memory.taken(Memory::Part::Scratch),
                      .logits = memory.taken(Memory::Part::Logits)};
    if (const auto drafts = counted.options().mtpDrafts ? draftNeeds(counted, engine) : fail(ErrorCode::NotSupported)) {
        needs.smallTensors += drafts->smallTensors;
        needs.kvCache += drafts->kvCache;
        needs.kvPerToken += drafts->kvPerToken;
        needs.scratch += drafts->scratch;
        needs.logits += drafts->logits;
    }
    return needs;
}

namespace {

Result<MemoryNeeds> needsOf(const std::shared_ptr<const BoundModel>& engine, const SessionOptions& asked) {
    const auto options = GUFO_TRY(resolved(*engine, asked));
    const auto shape = GUFO_TRY(withRope(engine->shape, options.rope));
    return needsOf(EngineSession(engine, shape, options, yieldOf(*engine), {}), *engine);
}

Result<MemoryNeeds> estimated(const Model& model, const SessionOptions& options) {
    const auto found = estimateMemory(
        model, {.context = options.context, .batch = options.batch, .keys = options.keys, .values = options.values});
    if (!found) {
        GUFO_TRY(checkSet(model)); // the keys are in the first part
        return std::unexpected(found.error());
    }
    const MemoryEstimate& estimate = *found;
    return MemoryNeeds{.context = static_cast<std::uint32_t>(estimate.context),
                       .trainedContext =
                           static_cast<std::uint32_t>(std::min<std::uint64_t>(estimate.trainedContext, kMaxContext)),
                       .weights = estimate.weights,
                       .kvCache = estimate.kvCache,
                       .kvPerToken = estimate.kvPerToken,
                       .slidingWindows = estimate.slidingWindows,
                       .recurrentState = estimate.recurrentState,
                       .scratch = estimate.buffers,
                       .logits = estimate.logits};
}

// Buffers are sized by the numbers of a header. Where the tensors are not viewed, nothing proves that these are true,
// and a session that is only counted has some vectors of its own.
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 20U; // of a head, or experts

bool isPlausible(const BoundModel& engine) {
    return engine.weights.mostExperts <= kMostElements && engine.shape.rotated <= kMostElements &&
           std::ranges::all_of(engine.shape.blocks, [](const BlockShape& block) {
               return block.keyLength <= kMostElements && block.valueLength <= kMostElements;
           });
}

// The model as a session would have it, without reading it. Its tensors are viewed, so that a file that is cut off is
// noticed, unless that would fetch them from a server or compute them.
Result<std::shared_ptr<const BoundModel>> boundForCounting(const std::shared_ptr<const Model>& model) {
    const bool viewed = std::ranges::none_of(model->files, [](const ModelFile& file) {
        return dynamic_cast<const net::RemoteSource*>(file.source.get()) != nullptr ||
               dynamic_cast<const ComputedWeights*>(file.source.get()) != nullptr;
    });
    auto engine = GUFO_TRY(makeEngine(model, viewed ? SmallTensors::NotRead : SmallTensors::NotViewed));
    if (!viewed && !isPlausible(*engine)) {
        const std::string key = model->metadata.architectureKey("attention.key_length");
        return fail(ErrorCode::NotRunnable, Place::key(key), {key});
    }
    return engine;
}

} // namespace

Result<MemoryNeeds> memoryNeeds(const std::shared_ptr<const Model>& model, const SessionOptions& asked) {
    const auto engine = GUFO_TRY(boundForCounting(model));
    return needsOf(engine, asked);
}

Result<MemoryForecast> forecastMemory(const std::shared_ptr<const Model>& model, const SessionOptions& asked,
                                      const MachineMemory& machine) {
    const auto engine = boundForCounting(model);
    bool runs = engine.has_value();
    const auto needsWith = [&](std::uint64_t context) {
        SessionOptions options = asked;
        options.context = static_cast<std::uint32_t>(context);
        return runs ? needsOf(*engine, options) : estimated(*model, options);
    };
    MemoryForecast forecast;
    auto needs = needsWith(asked.context);
    if (!needs || !runs) {
        forecast.refusal = runs ? needs.error() : engine.error();
        runs = false;
        needs = needsWith(asked.context);
    }
    forecast.needs = GUFO_TRY(std::move(needs));
    if (runs) {
        forecast.leftOut = (*engine)->weights.leftOut;
        if (auto predictor = makePredictor(model, SmallTensors::NotViewed); asked.mtpDrafts && !predictor) {
            forecast.mtpDrafts = std::unexpected(std::move(predictor.error()));
        }
    }
    forecast.partial =
        std::ranges::any_of(model->files, [](const ModelFile& file) { return file.source == nullptr; }) ||
        std::ranges::any_of(model->tensors, [](const TensorInfo& tensor) { return !tensor.bytes; });
    forecast.verdict = judge(forecast.needs, machine);
    if (machine.total == 0 || forecast.partial) {
        return forecast;
    }
    const auto verdictOf = [&](std::uint64_t context) {
        const auto with = needsWith(context);
        return with ? judge(*with, machine) : MemoryVerdict::DoesNotFit;
    };
    const MemoryVerdict best = verdictOf(1);
    if (best == MemoryVerdict::DoesNotFit) {
        return forecast;
    }
    std::uint64_t enough = 1;
    std::uint64_t tooMuch =
        std::max<std::uint64_t>(asked.context,
                                forecast.needs.trainedContext != 0 ? forecast.needs.trainedContext : kMaxContext) +
        1;
    while (tooMuch - enough > 1) {
        const std::uint64_t middle = enough + (tooMuch - enough) / 2;
        (verdictOf(middle) == best ? enough : tooMuch) = middle;
    }
    forecast.longestContext = enough;
    return forecast;
}

} // namespace gufo::inference
