// The table of engines, one row each. A row states what the engine can do at best and how it opens a model; what an
// opened model can do is in its ResponderFacts.
//
//     const Engine& engine = engines().front();
//     auto responder = engine.open(model, {.context = 4096}, job);
//     auto response = (*responder)->respond({.prompt = "Once upon a time"}, listener, job);
//
// Thread contract: the table is constant; its functions may be called from any thread.
#pragma once

#include "inference/interface/embedder.h"
#include "inference/interface/memory_needs.h"
#include "inference/interface/responder.h"

#include <span>
#include <string_view>

namespace gufo::inference {

struct Engine {
    std::string_view id; // never changes, because settings store it
    EngineCapabilities capabilities{};
    ObeyedOptions obeys{};
    bool remote = false; // SessionOptions::server says where it runs
    // May take long, and returns soon after a stop request. Errors: the errors of `load` and of
    // LoadedModel::startSession, and Cancelled. A tokenizer that does not work is not an error here
    // (ResponderFacts::tokenizerError).
    Result<std::unique_ptr<Responder>> (*open)(const std::shared_ptr<const Model>& model, const SessionOptions& options,
                                               const JobContext& job) = nullptr;
    // Null where `scores` is not Scores::Logits. Errors: the errors of loadForInference().
    Result<std::shared_ptr<const LoadedModel>> (*load)(std::shared_ptr<const Model> model) = nullptr;
    // Null where `embeddings` is false. Errors: the errors of `load` and of LoadedModel::startSession, and Cancelled.
    Result<std::unique_ptr<Embedder>> (*openEmbedder)(const std::shared_ptr<const Model>& model,
                                                      const SessionOptions& options, const JobContext& job) = nullptr;
    // Null for an engine that is a part of Gufo or is elsewhere. Otherwise the version of what has to be installed for
    // it; asking takes some 100 ms. Errors: NotSupported (args: why it is not available), NotRunnable, Cancelled.
    Result<std::string> (*version)(const JobContext& job) = nullptr;
    // Null where the memory is not known in advance. Errors: the errors of forecastMemory().
    Result<MemoryForecast> (*forecast)(const std::shared_ptr<const Model>& model, const SessionOptions& options,
                                       const MachineMemory& machine) = nullptr;
};

// The first row is the default engine.
[[nodiscard]] std::span<const Engine> engines();
// Returns `options` with the default value for everything that `engine` would ignore.
[[nodiscard]] SessionOptions obeyedBy(const Engine& engine, SessionOptions options);
// Returns the first engine that runs at an address, or null.
[[nodiscard]] const Engine* remoteEngine(std::span<const Engine> table = engines());
// Returns the first engine that offers `feature`, or null.
[[nodiscard]] const Engine* engineWith(Feature feature, std::span<const Engine> table = engines());

} // namespace gufo::inference
