// Deferred updates of recurrent states, for batches whose later tokens may turn out not to count, such as a draft whose
// last tokens are rejected. Such a batch works on a copy of each block's state and keeps the inputs of the recurrence
// for each token. The state itself stays as it is before the batch; once it is known how many tokens count, it is
// advanced by these tokens (BlockStack::replay).
//
// The alternative is a copy of the state after each token: for a hybrid of 4 billion weights 50 MB, while what its
// recurrences read of a token takes 1.4 MB. Replaying costs less than writing the copies would: with the hybrid of
// bench_drafting, a deferred batch of 2 or 17 tokens and its replay take 3 % more processor time than the same batch of
// a prompt. The replayed state equals, bit for bit, the state after a batch with the same inputs.
//
// Thread contract: as for Session.
#pragma once

#include "inference/engine/blocks/mixer.h"

#include <cstddef>
#include <span>

namespace gufo::inference {

// The same rows without their first columns; null stays null.
[[nodiscard]] inline Rows columnsFrom(Rows rows, std::size_t column) {
    return {rows.data != nullptr ? rows.data + column : nullptr, rows.stride};
}

class DeferredUpdates {
public:
    struct Form {
        std::size_t blockState = 0; // floats
        std::size_t blocks = 0;     // recurrent ones
        std::size_t inputs = 0;     // floats that the recurrence of a block reads for a token
        [[nodiscard]] std::size_t floatsPerToken() const { return blocks * inputs; }
    };
    DeferredUpdates() = default; // all updates are immediate
    // For deferred batches of up to `tokens` tokens.
    DeferredUpdates(Memory& memory, const Form& form, std::size_t tokens)
        : m_form(form)
        , m_tokens(tokens)
        , m_inputs(memory.take<float>(form.blocks * tokens, form.inputs, Memory::Part::Snapshots))
        , m_work(memory.take<float>(form.blockState, 1, Memory::Part::Snapshots)) {}

    // The state with which a block evaluates a batch. It begins `at` floats into the state of all blocks.
    [[nodiscard]] MixerState stateOf(std::span<float> all, const StateUpdate& update, std::size_t at, Team& team) const;
    // The same for replaying the last deferred batch.
    [[nodiscard]] MixerState replayed(std::span<float> all, std::size_t at) const;

private:
    [[nodiscard]] Rows inputsAt(std::size_t at) const {
        return {m_inputs + at / m_form.blockState * m_tokens * m_form.inputs, m_form.inputs};
    }

    Form m_form;
    std::size_t m_tokens = 0;
    float* m_inputs = nullptr; // [block][token][inputs]
    float* m_work = nullptr;   // a block's state for the batch to update
};

} // namespace gufo::inference
