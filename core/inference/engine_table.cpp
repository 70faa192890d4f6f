#include "inference/engine_table.h"

#include "inference/engine/gufo_engine.h"
#include "inference/generation/session_responder.h"
#include "inference/process/process_model.h"
#include "inference/remote/server_responder.h"

#include <algorithm>
#include <array>

namespace gufo::inference {
namespace {

constexpr EngineCapabilities kBuiltInCapabilities{.scores = Scores::Logits,
                                                  .input = Input::Tokens,
                                                  .embeddings = true,
                                                  .grammars = true,
                                                  .savesState = true,
                                                  .knowsMemory = true,
                                                  .shiftsContext = true,
                                                  .swapsWeights = true};

constexpr ObeyedOptions kBuiltInObeys{.context = true,
                                      .ropeContext = true,
                                      .batch = true,
                                      .cacheTypes = true,
                                      .threads = true,
                                      .rope = true,
                                      .prefixes = true,
                                      .mtpDrafts = true};

Result<std::unique_ptr<Responder>> openBuiltIn(const std::shared_ptr<const Model>& model, const SessionOptions& options,
                                               const JobContext& job) {
    auto loaded = GUFO_TRY(loadForInference(model));
    return openSessionResponder(kBuiltInCapabilities, std::move(loaded), options, job);
}

Result<std::unique_ptr<Responder>> openLibllama(const std::shared_ptr<const Model>& model,
                                                const SessionOptions& options, const JobContext& job) {
    auto loaded = GUFO_TRY(loadWithLibllama(model));
    SessionOptions withoutPrefixes = options;
    withoutPrefixes.prefixes = nullptr; // the states of this engine are large, and only the same library can use them
    return openSessionResponder(kLibllamaCapabilities, std::move(loaded), withoutPrefixes, job);
}

constexpr auto kEngines = std::to_array<Engine>({
    {.id = "gufo",
     .capabilities = kBuiltInCapabilities,
     .obeys = kBuiltInObeys,
     .open = openBuiltIn,
     .load = loadForInference,
     .openEmbedder = openBuiltInEmbedder,
     .forecast = forecastMemory},
    {.id = "libllama",
     .capabilities = kLibllamaCapabilities,
     .obeys = kLibllamaObeys,
     .open = openLibllama,
     .load = loadWithLibllama,
     .version = versionOfLibllama},
    {.id = "server", .capabilities = kServerCapabilities, .remote = true, .open = openServer},
});

} // namespace

std::span<const Engine> engines() { return kEngines; }

SessionOptions obeyedBy(const Engine& engine, SessionOptions options) {
    const SessionOptions defaults;
    const auto reset = [&]<typename... Field>(bool obeyed, Field SessionOptions::*... fields) {
        if (!obeyed) {
            ((options.*fields = defaults.*fields), ...);
        }
    };
    const ObeyedOptions& obeys = engine.obeys;
    reset(obeys.context, &SessionOptions::context);
    reset(obeys.ropeContext, &SessionOptions::ropeContext);
    reset(obeys.batch, &SessionOptions::batch);
    reset(obeys.cacheTypes, &SessionOptions::keys, &SessionOptions::values);
    reset(obeys.threads, &SessionOptions::threads);
    reset(obeys.rope, &SessionOptions::rope);
    reset(obeys.offload, &SessionOptions::offload);
    reset(obeys.prefixes, &SessionOptions::prefixes);
    reset(obeys.mtpDrafts, &SessionOptions::mtpDrafts);
    reset(engine.remote, &SessionOptions::server);
    return options;
}

const Engine* remoteEngine(std::span<const Engine> table) {
    const auto found = std::ranges::find_if(table, &Engine::remote);
    return found != table.end() ? &*found : nullptr;
}

const Engine* engineWith(Feature feature, std::span<const Engine> table) {
    const auto found =
        std::ranges::find_if(table, [&](const Engine& engine) { return offers(engine.capabilities, feature); });
    return found != table.end() ? &*found : nullptr;
}

} // namespace gufo::inference
