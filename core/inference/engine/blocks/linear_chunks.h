// Linear attention with a decaying state, for several tokens at once. Steps (RecurrenceStep) read and write the state
// once for each token; a chunk of tokens reads and writes it once, in products of small matrices (Yang et al. 2024,
// arXiv 2406.06484; Dao and Gu 2024, arXiv 2405.21060). With S the state before the chunk of n tokens, Γ_t the product
// of its decays up to token t, and Γ_t/Γ_j the product of the decays after token j up to token t:
//
//     u_t = v_t − (Γ_t k_t) S − Σ_{j<t} (k_t · Γ_t/Γ_j k_j) β_j u_j      with the delta rule; without it, u_t = v_t
//     o_t = (Γ_t q_t) S + Σ_{j≤t} (q_t · Γ_t/Γ_j k_j) β_j u_j
//     S ← Γ_n S + Σ_j (Γ_n/Γ_j β_j k_j)' u_j
//
// No Γ is divided by another: quotients are computed as products of decays, which cannot overflow.
//
// Thread contract: divide() must not run concurrently with any other call. score() and run() may be called concurrently
// by members of a team, each of which passes its number; run() of a chunk follows its score().
#pragma once

#include "inference/engine/blocks/mixer.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gufo::inference {

// The tokens of a chunk in one head: the first row belongs to the first token.
struct LinearChunk {
    std::size_t tokens = 0;
    Rows queries{}; // with the stride of the keys
    Rows keys{};
    Rows values{};
    Rows decays{}; // a number for each token, or for each element of the keys
    Rows rates{};  // β; 1 without the delta rule
    Rows scores{}; // written by score(); not used if each element decays at its own rate
    Rows out{};    // null: only the state is updated
};

class LinearChunks {
public:
    struct Form {
        std::size_t keyHeads = 0; // which heads may share
        std::size_t keyLength = 0;
        std::size_t valueLength = 0;
        bool deltaRule = false;
        bool elementsDecay = false; // each at its own rate
    };
    static constexpr std::size_t kFewest = 4; // the fewest tokens for which a chunk is faster than steps

    LinearChunks(Memory& memory, std::size_t batch, unsigned members, const Form& form);

    // Divides a batch into chunks.
    void divide(std::size_t tokens);
    [[nodiscard]] std::size_t count() const { return m_begins.size() - 1; }
    [[nodiscard]] std::size_t begin(std::size_t chunk) const { return m_begins[chunk]; }
    [[nodiscard]] std::size_t tokensOf(std::size_t chunk) const { return m_begins[chunk + 1] - m_begins[chunk]; }
    // The place for the scores of a chunk that begins with `token`.
    [[nodiscard]] Rows scores(std::size_t keyHead, std::size_t token) const {
        return {m_scores[token].data() + keyHead * m_parts * kMaxTokens, m_scores.width()};
    }

    // Calls evaluate(first token, tokens, state) for each chunk. If the copy of the state is to be taken within a
    // chunk, the chunk's tokens before it are evaluated twice, so that results do not depend on copies. `size`: of the
    // state.
    template<typename Evaluate>
    void forEach(const MixerState& state, std::size_t size, const Evaluate& evaluate) const {
        for (std::size_t i = 0; i < count(); ++i) {
            const std::size_t first = begin(i);
            if (state.copy != nullptr && first <= state.after && state.after < first + tokensOf(i)) {
                std::copy_n(state.now, size, state.copy);
                if (state.after > first) {
                    evaluate(first, state.after - first, state.copy);
                }
            }
            evaluate(first, tokensOf(i), state.now);
        }
    }

    // Writes chunk.scores: the products of the queries, and with the delta rule of the keys, with the keys of the
    // chunk. Of `chunk` it uses only tokens, queries, keys and scores. Not for elements that decay at their own rates.
    void score(const LinearChunk& chunk, unsigned member) const;
    // Updates the state [key][value] of a head and writes chunk.out, unless it is null.
    void run(const LinearChunk& chunk, float* state, unsigned member) const;

private:
    static constexpr std::size_t kMaxTokens = 32;
    struct Scratch {       // of one member
        float* transposed; // keys, [keyLength][kMaxTokens]
        float* ofQueries;  // factors of u_j in o_t, [token][kMaxTokens]
        float* ofKeys;     // the same in u_t
        float* keys;       // −Γ_t k_t
        float* decay;      // Γ_n, by element
        float* changes;    // u_t, then those times `factors`
        float* factors;    // of u_t in the state: β_t, times Γ_n/Γ_t unless elementsDecay
        float* decays;     // Γ_t, unless elementsDecay
        float* queries;    // Γ_t q_t, if elementsDecay
        float* decayed;    // Γ_n/Γ_t k_t, if elementsDecay
    };
    void weigh(const LinearChunk& chunk, const Scratch& scratch) const;
    void weighElements(const LinearChunk& chunk, const Scratch& scratch) const;
    void applyRates(const LinearChunk& chunk, const Scratch& scratch) const;
    void solve(const LinearChunk& chunk, const float* state, const Scratch& scratch) const;
    void attend(const LinearChunk& chunk, Rows changes, const float* state, const Scratch& scratch) const;
    // Among the scores, the scores of queries come first; only outputs need them.
    [[nodiscard]] static std::size_t firstPart(const LinearChunk& chunk) { return chunk.out.data != nullptr ? 0 : 1; }

    Form m_form;
    std::size_t m_parts;  // of scores: of queries, of keys
    std::size_t m_tokens; // of the longest chunk
    Activations m_scores;
    std::vector<std::size_t> m_begins; // of the chunks, and the end of the last one
    std::vector<Scratch> m_scratch;
};

} // namespace gufo::inference
