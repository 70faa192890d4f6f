// Running a model, whatever engine does it: a loaded model is shared, a session is one conversation with it.
//
//     auto loaded = loadForInference(model, {});             // the engine in this folder
//     auto session = (*loaded)->startSession({.context = 4096});
//     (*session)->evaluate(promptIds, Logits::Last, job);
//     std::span<const float> logits = (*session)->logits(0);
//
// Threads: a LoadedModel may be used from any thread at once. A Session belongs to one thread at a time; its evaluation
// uses the threads of SessionOptions.
#pragma once

#include "base/error.h"
#include "base/job_context.h"
#include "inference/engine/blocks/rope_scaling.h"
#include "model/index.h"
#include "model/memory_estimate.h"
#include "model/model.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gufo::inference {

struct SessionOptions {
    std::uint32_t context = 0; // tokens; 0: what the model was trained with, at most 4096
    std::uint32_t batch = 512; // tokens worked off together
    KvCacheType keys = KvCacheType::F16;
    KvCacheType values = KvCacheType::F16;
    unsigned threads = 0; // 0: physical cores
    RopeOverride rope{};
    std::uint32_t logitRows = 1; // that memory is taken for beforehand; evaluations with Logits::All may ask for more
};

// Which positions of an evaluation keep their logits.
enum class Logits : std::uint8_t { None, Last, All };

struct SessionFigures {
    std::uint64_t promptTokens = 0; // evaluated several at a time
    double promptSeconds = 0;
    std::uint64_t generatedTokens = 0; // evaluated one at a time
    double generationSeconds = 0;
    std::uint64_t weightBytesPerToken = 0;   // read to evaluate one token, the KV cache aside
    std::uint64_t productsPerToken = 0;      // of a weight and an activation, the output aside
    std::uint64_t cacheBytesPerPosition = 0; // of KV cache, read for each token that is looked back on
};

class Session {
public:
    virtual ~Session() = default;

    [[nodiscard]] virtual std::uint32_t context() const = 0;    // tokens that fit
    [[nodiscard]] virtual std::uint32_t vocabulary() const = 0; // logits of a row
    [[nodiscard]] virtual unsigned threads() const = 0;
    // The tokens evaluated so far; what the KV cache or the recurrent state stands for.
    [[nodiscard]] virtual std::span<const TokenId> tokens() const = 0;

    // Continues with `tokens`. Ends within one token when stopped: then none of the tokens after the last whole batch
    // count. Progress in tokens. Errors: InvalidArgument (a token outside the vocabulary; more than the context holds:
    // args), Cancelled, FileChangedWhileReading, NotEnoughMemory (for more rows of logits than were provided for).
    [[nodiscard]] virtual Result<> evaluate(std::span<const TokenId> tokens, Logits which, const JobContext& job) = 0;
    // Of the last evaluation: row 0 is the last token's, or with Logits::All that of its first token.
    [[nodiscard]] virtual std::span<const float> logits(std::size_t row) const = 0;

    // Forgets the tokens from `count` on. False where the state cannot go back so far: that of recurrent models never
    // can, a sliding window no longer knows what was in it then (it goes back a batch). Then the session is as after
    // startSession: without tokens.
    virtual bool truncate(std::size_t count) = 0;
    // Forgets `discard` tokens after the first `keep`; the later ones move up. Errors: NotRunnable for recurrent
    // models; InvalidArgument.
    [[nodiscard]] virtual Result<> shift(std::size_t keep, std::size_t discard) = 0;

    // Tokens and caches as bytes, for this model and the same options only. Errors of restore: InvalidArgument.
    [[nodiscard]] virtual std::vector<std::byte> saveState() const = 0;
    [[nodiscard]] virtual Result<> restoreState(std::span<const std::byte> state) = 0;

    [[nodiscard]] virtual const SessionFigures& figures() const = 0;
};

class LoadedModel {
public:
    virtual ~LoadedModel() = default;

    [[nodiscard]] virtual const std::shared_ptr<const Model>& model() const = 0;
    [[nodiscard]] virtual std::uint32_t trainedContext() const = 0; // 0: the file does not say
    // Names of tensors that a run does without, as they change nothing in what the model says: parts for pictures or
    // for drafting further tokens, tables that are computed anew.
    [[nodiscard]] virtual std::span<const std::string> leftOut() const = 0;

    // All memory of the session is taken and touched here (inference/needs.h tells how much), so that it cannot run out
    // later. A context beyond the trained one is allowed. Errors: NotEnoughMemory (args: bytes needed, bytes free),
    // LimitExceeded (a context beyond the positions that the model learned), InvalidArgument (a rope override that is
    // none: args), NoSuchKey (YaRN is asked for, and nobody says what the original context is).
    [[nodiscard]] virtual Result<std::unique_ptr<Session>> startSession(const SessionOptions& options) const = 0;
};

// Prepares a model for Gufo's own engine: nothing but small tensors is read, the weights stay in the mapping. Errors,
// all before anything is loaded: NotRunnable (args: all of the architecture, tensor types or features that the engine
// lacks), NoSuchKey and NoSuchTensor (args: all that are missing), TensorsNotUsed (args: all that it has no use for,
// but for those of LoadedModel::leftOut()), WrongShape (place: the tensor; args: shape found, shape needed),
// FileNotFound (a missing shard), Truncated.
[[nodiscard]] Result<std::shared_ptr<const LoadedModel>> loadForInference(std::shared_ptr<const Model> model);

} // namespace gufo::inference
