// Running a model on any engine that yields logits: a loaded model is shared, and each session is one conversation with
// it.
//
//     auto loaded = loadForInference(model);                 // with Gufo's own engine
//     auto session = (*loaded)->startSession({.context = 4096});
//     (*session)->evaluate(promptIds, Logits::Last, job);
//     std::span<const float> logits = (*session)->logits(0);
//
// Thread contract: a LoadedModel may be used by several threads at once. A Session belongs to one thread at a time; its
// evaluation uses as many threads as SessionOptions asks for.
#pragma once

#include "base/error.h"
#include "base/job_context.h"
#include "inference/interface/session_options.h"
#include "model/index.h"
#include "model/model.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

class Drafter;     // drafter.h
class RunObserver; // run_observer.h

// Sees the inputs of the products that an evaluation makes with the matrices of the model, as a basis of importance
// matrices.
class ProductListener {
public:
    virtual ~ProductListener() = default;

    struct Factor {
        TensorIndex tensor;
        std::uint64_t matrix; // of a tensor with several (experts), counted over all dimensions above the second
    };
    struct Input { // row t begins at rows + t × stride
        const float* rows;
        std::size_t stride;
        std::size_t columns;
        std::size_t tokens;
    };
    // All `factors` are multiplied by the same rows. Called on the thread that evaluates.
    virtual void inputs(std::span<const Factor> factors, const Input& input) = 0;
};

// The positions of an evaluation whose logits are kept.
enum class Logits : std::uint8_t { None, Last, All };

// Wall-clock time, for figures about speed.
[[nodiscard]] inline double secondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct SessionFigures {
    std::uint64_t promptTokens = 0; // evaluated several at a time
    double promptSeconds = 0;
    std::uint64_t generatedTokens = 0; // evaluated one at a time
    double generationSeconds = 0;
    std::uint64_t weightBytesPerToken = 0;   // bytes of weights read to evaluate one token
    std::uint64_t productsPerToken = 0;      // multiplications of a weight and an activation, without the output matrix
    std::uint64_t cacheBytesPerPosition = 0; // bytes of KV cache read for each earlier token that is attended to
    std::uint64_t stateBytesPerToken = 0;    // bytes of recurrent state read, and written again, for one token
    std::uint64_t draftBytes = 0;            // bytes of memory that Session::prepareDrafts() has taken

    // Bytes read to evaluate one token after `position` others.
    [[nodiscard]] std::uint64_t bytesAt(std::uint64_t position) const {
        return weightBytesPerToken + stateBytesPerToken + position * cacheBytesPerPosition;
    }
};

class Session {
public:
    virtual ~Session() = default;

    [[nodiscard]] virtual std::uint32_t context() const = 0;    // capacity in tokens
    [[nodiscard]] virtual std::uint32_t vocabulary() const = 0; // number of logits in a row
    [[nodiscard]] virtual unsigned threads() const = 0;
    // The tokens evaluated so far, which the KV cache or the recurrent state represents.
    [[nodiscard]] virtual std::span<const TokenId> tokens() const = 0;

    // Evaluates `tokens` after those already in the session. Ends within one token of a stop request; the session then
    // holds the tokens up to the last whole batch. Progress counts tokens. Errors: InvalidArgument (a token outside the
    // vocabulary; more tokens than fit: args), Cancelled, FileChangedWhileReading, NotEnoughMemory (for more rows of
    // logits than reserved; a recurrent session may then hold fewer tokens than before).
    [[nodiscard]] virtual Result<> evaluate(std::span<const TokenId> tokens, Logits which, const JobContext& job) = 0;
    // The logits of the last evaluation. Row 0 is the last token's; with Logits::All it is the first token's.
    [[nodiscard]] virtual std::span<const float> logits(std::size_t row) const = 0;

    // Drops the tokens from `count` on and returns how many are left. These are fewer where the state cannot go back
    // exactly there: a recurrent state goes back to an earlier copy of it (but see prepareDrafts), and a sliding window
    // by one batch only, because older positions have been overwritten. The caller evaluates the rest again.
    virtual std::size_t truncate(std::size_t count) = 0;
    // Prepares for evaluations with Logits::All of a token and up to `tokens` drafted ones, after which truncate() goes
    // back exactly to each of these tokens, and returns how many may be drafted. These may be fewer, or none, because a
    // recurrent state takes memory for it, which is allocated only now: in Gufo's own engine up to 128 MiB, and one
    // block's state.
    virtual std::size_t prepareDrafts(std::size_t tokens) { return tokens; }
    // Drops `discard` tokens after the first `keep`; the later tokens move to the positions of the dropped ones. A
    // recurrent state cannot forget tokens in the middle, so the later ones are evaluated again. Rows of logits are
    // lost. Errors: InvalidArgument; the errors of evaluate(), after which the session holds fewer tokens.
    [[nodiscard]] virtual Result<> shift(std::size_t keep, std::size_t discard, const JobContext& job) = 0;

    // Tokens and caches as bytes, valid only for the same model with the same options. restoreState fails with
    // InvalidArgument.
    [[nodiscard]] virtual std::vector<std::byte> saveState() const = 0;
    [[nodiscard]] virtual Result<> restoreState(std::span<const std::byte> state) = 0;
    // Whether truncate() can go back to every count: nothing is recurrent, and no window is shorter than the context.
    [[nodiscard]] virtual bool cutsAnywhere() const { return false; }

    [[nodiscard]] virtual const SessionFigures& figures() const = 0;

    // Where a process of its own evaluates: a descriptor that becomes readable when that process ends while nothing is
    // evaluated (or when it sends the rest of a cancelled evaluation). It may be waited for on any thread until the
    // session ends. −1: there is no such process.
    [[nodiscard]] virtual int processDescriptor() const { return -1; }
    // Why the process is gone, if it is. Reads what it has sent, and does not wait for more. Returns the error that the
    // next evaluation would return.
    [[nodiscard]] virtual std::optional<Error> findProcessEnd() { return std::nullopt; }

    // Starts to draft with the block of the model that predicts further tokens, whose memory it allocates. The drafter
    // observes this session, must end before it, and there may be only one. Errors: the errors of
    // LoadedModel::mtpDrafts(); NotEnoughMemory.
    [[nodiscard]] virtual Result<std::shared_ptr<Drafter>> startMtpDrafts() { return fail(ErrorCode::NotSupported); }

    // From now on, `listener` receives all products; null: none does. It must outlive the session or be replaced.
    // Returns whether the engine can do this.
    virtual bool listen(ProductListener* listener) { return listener == nullptr; }
    // The same for what happens inside evaluations (run_observer.h).
    virtual bool observe(RunObserver* observer) { return observer == nullptr; }
};

// Makes the session hold exactly `tokens` (not empty). Evaluates only what follows the prefix that it already holds,
// but always the last token, whose logits are row 0. Errors: the errors of Session::evaluate.
[[nodiscard]] inline Result<> evaluateTo(Session& session, std::span<const TokenId> tokens, Logits which,
                                         const JobContext& job) {
    const auto [end, knownEnd] = std::ranges::mismatch(tokens, session.tokens());
    auto common = static_cast<std::size_t>(end - tokens.begin());
    common = std::min(common, tokens.size() - 1); // the logits of the last token are needed
    common = session.truncate(common);
    return session.evaluate(tokens.subspan(common), which, job);
}

class LoadedModel {
public:
    virtual ~LoadedModel() = default;

    [[nodiscard]] virtual const std::shared_ptr<const Model>& model() const = 0;
    [[nodiscard]] virtual std::uint32_t trainedContext() const = 0; // 0: the file does not state it
    // Names of tensors that this engine does not need because they do not affect the model's answers: parts for images
    // or speculative decoding, and tables that the engine computes itself.
    [[nodiscard]] virtual std::span<const std::string> leftOut() const = 0;

    // Whether sessions can draft with a block of the model that predicts further tokens (multi-token prediction), and
    // why not: NotSupported (the engine never does), NoSuchKey (the file has no such block: args: its key), or an error
    // of loadForInference() about the block, which only drafts would need.
    [[nodiscard]] virtual Result<> mtpDrafts() const { return fail(ErrorCode::NotSupported); }

    // Allocates and touches all memory of the session except the memory for drafts, so that it cannot run out of memory
    // later; memory_needs.h predicts how much. A context beyond the trained one is allowed. Errors: NotEnoughMemory
    // (args: bytes needed, bytes free), LimitExceeded (a context beyond the learned position embeddings),
    // InvalidArgument (a rope override without meaning: args), NoSuchKey (YaRN is requested, but neither the file nor
    // the options state the original context). If the engine loads the weights only now, loading can be cancelled and
    // reports progress in bytes; it then also fails as process/process_session.h says.
    [[nodiscard]] Result<std::unique_ptr<Session>> startSession(const SessionOptions& options,
                                                                const JobContext& job = {}) const {
        return start(options, job);
    }

private:
    [[nodiscard]] virtual Result<std::unique_ptr<Session>> start(const SessionOptions& options,
                                                                 const JobContext& job) const = 0;
};

} // namespace gufo::inference
