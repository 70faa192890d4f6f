// A session of Gufo's own engine. Threads: as Session.
#pragma once

#include "inference/engine/blocks/forward.h"
#include "inference/engine/compute/memory.h"
#include "inference/engine/engine.h"
#include "inference/interface/memory_needs.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace gufo::inference {

// Copies of a session's recurrent state at earlier positions. A recurrent state cannot forget its last tokens, so a
// session goes back by continuing from the nearest copy before the requested position.
//
// There are places for a few copies. When they are all taken, the copy is replaced whose loss costs least: one with
// near neighbours, compared with how far back it is, because recent positions are more likely to be returned to.
class Snapshots {
public:
    // Where a copy was taken. The end of a prompt is where another answer begins, so it is kept longer.
    enum class Kind : std::uint8_t { Passing, EndOfPrompt };

    // Copies of states of `floats` floats; none if that is 0.
    Snapshots(Memory& memory, std::size_t floats);

    // The place for a copy at `position`, which is after the positions of all others. The two latest copies are never
    // replaced.
    [[nodiscard]] std::span<float> place(std::uint32_t position, Kind kind);
    [[nodiscard]] bool has(std::uint32_t position) const;
    // The position of the latest copy; 0 if there is none.
    [[nodiscard]] std::uint32_t latest() const { return m_taken.empty() ? 0 : m_taken.back().position; }

    struct Found {
        std::uint32_t position;
        std::span<const float> state;
    };
    // The latest copy at `position` or before.
    [[nodiscard]] std::optional<Found> before(std::uint32_t position) const;
    // Drops the copies after `position`.
    void forgetAfter(std::uint32_t position);
    void clear() { forgetAfter(0); }

private:
    struct Taken {
        std::uint32_t position;
        Kind kind;
        std::uint32_t place;
    };
    [[nodiscard]] std::span<float> at(std::uint32_t place) const { return {m_floats + place * m_size, m_size}; }
    [[nodiscard]] std::size_t leastMissed(std::uint32_t end) const;

    std::size_t m_size;
    std::uint32_t m_places;
    float* m_floats;
    std::vector<Taken> m_taken; // by position
};

class EngineSession final : public Session {
public:
    // The result of evaluations.
    enum class Yield : std::uint8_t { Logits, States };

    // Everything that a session keeps is in `memory`. With a Memory that only counts, the session must not be used.
    EngineSession(std::shared_ptr<const BoundModel> engine, ModelShape shape, const SessionOptions& options,
                  Yield yield, Memory memory);

    [[nodiscard]] const Memory& memory() const { return m_memory; }
    [[nodiscard]] std::uint64_t growth() const { return m_growth; } // bytes of KV cache for one more token of context
    [[nodiscard]] bool hasWindows() const { return m_windows; }
    // Throws where the system has no threads or memory left.
    void begin();

    [[nodiscard]] std::uint32_t context() const override { return m_options.context; }
    [[nodiscard]] std::uint32_t vocabulary() const override { return m_shape.vocabulary; }
    [[nodiscard]] unsigned threads() const override { return m_options.threads; }
    [[nodiscard]] std::span<const TokenId> tokens() const override { return m_tokens; }

    [[nodiscard]] Result<> evaluate(std::span<const TokenId> tokens, Logits which, const JobContext& job) override;
    [[nodiscard]] std::span<const float> logits(std::size_t row) const override {
        return m_logits.subspan(row * m_shape.vocabulary, m_shape.vocabulary);
    }

    std::size_t truncate(std::size_t count) override;
    std::size_t prepareDrafts(std::size_t tokens) override;
    [[nodiscard]] Result<> shift(std::size_t keep, std::size_t discard, const JobContext& job) override;
    [[nodiscard]] std::vector<std::byte> saveState() const override;
    [[nodiscard]] Result<> restoreState(std::span<const std::byte> state) override;
    [[nodiscard]] bool cutsAnywhere() const override { return m_blocks->state().empty() && !m_windows; }
    [[nodiscard]] const SessionFigures& figures() const override { return m_figures; }
    bool listen(ProductListener* listener) override;
    bool observe(RunObserver* observer) override {
        m_forward.observer = observer;
        return true;
    }
    [[nodiscard]] Result<std::shared_ptr<Drafter>> startMtpDrafts() override; // in mtp_drafter.cpp

    [[nodiscard]] const SessionOptions& options() const { return m_options; } // as they apply
    // Receives the states of the last `tokens` tokens, after the last norm, whenever a batch has been evaluated. May
    // use the session's threads.
    using StateSink = std::function<void(std::size_t tokens, Rows states, const std::stop_token& stop)>;
    void passStates(StateSink sink) { m_stateSink = std::move(sink); } // empty: to nobody

    // Whether several texts may share a batch: nothing is kept of a text after its batch that a later one could see.
    [[nodiscard]] bool sharesBatches() const;
    // Receives the normed states of consecutive tokens of a text, beginning with its token `first`.
    using TextSink = std::function<void(std::size_t text, std::size_t first, Rows states, std::size_t tokens)>;
    // Evaluates each text by itself, but as many in a batch as fit where texts may share one, and passes their states
    // on in the order of the texts. tokens() then returns the tokens of the last batch. Progress counts the tokens of
    // all texts. Errors: the errors of evaluate(), for a text that is too long before any text is evaluated.
    [[nodiscard]] Result<> evaluateTexts(std::span<const std::span<const TokenId>> texts, const TextSink& sink,
                                         const JobContext& job);
    // Evaluates blocks of a whole text, which has to fit into a batch and replaces what the session holds. `after`, if
    // not null, receives the rows that leave the range. If the range ends with the last block, makes the logits of the
    // tokens from `scored` on: row 0 belongs to token `scored`. A block that reads the keys and values of an earlier
    // block finds the last ones that the earlier block has made. Errors: as evaluate(); LimitExceeded (the text is
    // longer than a batch).
    [[nodiscard]] Result<> evaluateBlocks(std::span<const TokenId> tokens, const BlockRange& range,
                                          std::vector<float>* after, std::size_t scored, const JobContext& job);
    // Writes the logits that the last norm and the output matrix make of rows of a stream (RunObserver::readout()), at
    // most a batch of them.
    void readOut(Rows states, std::size_t tokens, Rows logits);
    [[nodiscard]] const ModelShape& shape() const { return m_shape; }
    [[nodiscard]] std::size_t blocks() const { return m_shape.blocks.size(); }
    [[nodiscard]] std::size_t width() const { return m_shape.embedding; } // of a row of a stream
    // Rows of states for pooling: m_shape.embedding elements each, or more if the last steps need them.
    static constexpr std::size_t kPooledRows = 3;
    [[nodiscard]] Activations& pooled() { return m_pooled; }
    [[nodiscard]] const ForwardContext& forward() const { return m_forward; }

private:
    [[nodiscard]] bool addsRows() const { return m_engine->weights.positions || m_engine->weights.tokenTypes; }
    [[nodiscard]] std::size_t widestPooled() const;
    // Evaluates batch by batch and calls take(first, tokens) after each.
    template<typename Take>
    [[nodiscard]] Result<> evaluateBatches(std::span<const TokenId> tokens, Logits which, const Take& take,
                                           const JobContext& job);
    // The same as a part of an evaluation: without its figures, and with the progress of its batches only.
    template<typename Take>
    [[nodiscard]] Result<> evaluateEachBatch(std::span<const TokenId> tokens, Logits which, const Take& take,
                                             const JobContext& job);
    // The lengths of the texts that the next batch holds; of one text, if it needs several batches.
    [[nodiscard]] std::vector<std::size_t> lengthsOfBatch(std::span<const std::span<const TokenId>> texts) const;
    // Adds an evaluation to the figures. Errors: FileChangedWhileReading.
    [[nodiscard]] Result<> finishEvaluation(std::size_t tokens, std::chrono::steady_clock::time_point begun);
    [[nodiscard]] Result<> checkTokens(std::span<const TokenId> tokens) const;
    [[nodiscard]] std::unique_ptr<BlockStack> makeBlocks();
    [[nodiscard]] Result<> provideLogits(std::size_t rows);
    [[nodiscard]] Result<> evaluateBatch(std::span<const TokenId> tokens, Logits which, bool last,
                                         const JobContext& job);
    // Takes copies of the recurrent state before the next batch, and determines where the batch is to take one.
    [[nodiscard]] StateUpdate takeSnapshots(std::uint32_t position, std::size_t tokens, bool last);
    // Advances the recurrent state by the tokens that it lags behind.
    void replayDeferred() const;
    // Brings the caches and the recurrent state back to the latest possible position that is not after `count`.
    void goBack(std::size_t count);
    // Writes the embeddings of tokens, which begin at `position`, to the stream from row `first` on.
    void embed(std::span<const TokenId> tokens, std::uint32_t position, std::size_t first);
    // Writes the logits of `tokens` rows of the stream, from row `from` on, to row `first` and the following ones.
    void writeLogits(std::size_t first, std::size_t tokens, std::size_t from = 0);

    std::shared_ptr<const BoundModel> m_engine;
    ModelShape m_shape;
    SessionOptions m_options;
    Memory m_memory;
    Team m_team;
    Multiplier m_multiplier;
    ForwardContext m_forward;
    Activations m_stream;
    Activations m_normed;
    Activations m_added; // by member: the embedding of a token's position or type
    std::unique_ptr<BlockStack> m_blocks;
    Snapshots m_snapshots;
    Activations m_pooled;
    float* m_reserved;               // options.logitRows rows
    std::unique_ptr<float[]> m_more; // allocated where more rows are requested
    std::size_t m_moreRows = 0;
    std::span<float> m_logits;
    std::vector<TokenId> m_tokens;
    Memory m_draftMemory;                     // of deferred updates
    std::size_t m_deferrable = 0;             // tokens of a batch whose update of the recurrent state can be deferred
    mutable std::size_t m_deferredTokens = 0; // how many of the last tokens the recurrent state does not include yet
    SessionFigures m_figures;
    StateSink m_stateSink;
    std::stop_token m_stop; // of the last evaluation
    std::uint64_t m_growth = 0;
    bool m_windows = false;
};

// The result of evaluations of this model: logits if it generates, and states if it is an encoder.
[[nodiscard]] EngineSession::Yield yieldOf(const BoundModel& engine);
// Errors: the errors of LoadedModel::startSession().
[[nodiscard]] Result<std::unique_ptr<EngineSession>> startEngineSession(const std::shared_ptr<const BoundModel>& engine,
                                                                        const SessionOptions& asked,
                                                                        EngineSession::Yield yield);

// Returns the needs of a session whose memory was only counted (compute/memory.h).
[[nodiscard]] MemoryNeeds needsOf(const EngineSession& counted, const BoundModel& engine);

} // namespace gufo::inference
