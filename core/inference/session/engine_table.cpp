#include "inference/session/engine_table.h"

#include "inference/process/libllama.h"
#include "inference/remote/server_responder.h"
#include "inference/session/session_responder.h"

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
                                                  .shiftsContext = true};

Result<std::unique_ptr<Responder>> openBuiltIn(const std::shared_ptr<const Model>& model, const SessionOptions& options,
                                               const JobContext& job) {
    auto loaded = loadForInference(model);
    if (!loaded) {
        return std::unexpected(std::move(loaded.error()));
    }
    return openSessionResponder(kBuiltInCapabilities, std::move(*loaded), options, job);
}

constexpr auto kEngines = std::to_array<Engine>({
    {.id = "gufo",
     .capabilities = kBuiltInCapabilities,
     .open = openBuiltIn,
     .load = loadForInference,
     .openEmbedder = openBuiltInEmbedder,
     .forecast = forecastMemory},
    {.id = "libllama",
     .capabilities = kLibllamaCapabilities,
     .offloads = true,
     .open = openLibllama,
     .load = loadWithLibllama,
     .version = versionOfLibllama},
    {.id = "server", .capabilities = kServerCapabilities, .remote = true, .open = openServer},
});

} // namespace

std::span<const Engine> engines() { return kEngines; }

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
