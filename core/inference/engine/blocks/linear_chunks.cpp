#include "inference/engine/blocks/linear_chunks.h"

#include <algorithm>

namespace gufo::inference {
namespace {

// Triangular matrices are multiplied in bands of rows, which skips most of the zeros.
constexpr std::size_t kBand = 8;

} // namespace

LinearChunks::LinearChunks(Memory& memory, std::size_t batch, unsigned members, const Form& form)
    : m_form(form)
    , m_parts(form.deltaRule ? 2 : 1)
    , m_tokens(form.elementsDecay ? kMaxTokens / 2 : kMaxTokens) // decayedProducts() takes time for each pair
    , m_scores(memory, batch, form.elementsDecay ? 0 : form.keyHeads * m_parts * kMaxTokens) {
    const auto take = [&](std::size_t width) { return memory.take<float>(kMaxTokens, width); };
    const std::size_t byElement = form.elementsDecay ? form.keyLength : 0;
    for (unsigned member = 0; member < members; ++member) {
        m_scratch.push_back({.transposed = take(form.keyLength - byElement),
                             .ofQueries = take(kMaxTokens),
                             .ofKeys = take(kMaxTokens),
                             .keys = take(form.deltaRule ? form.keyLength : 0),
                             .decay = memory.take<float>(form.keyLength),
                             .changes = take(form.valueLength),
                             .factors = take(1),
                             .decays = take(1),
                             .queries = take(byElement),
                             .decayed = take(byElement)});
    }
    m_begins.reserve(batch / m_tokens + 2);
}

void LinearChunks::divide(std::size_t tokens) {
    m_begins.assign(1, 0);
    while (m_begins.back() < tokens) {
        m_begins.push_back(std::min(m_begins.back() + m_tokens, tokens));
    }
}

void LinearChunks::score(const LinearChunk& chunk, unsigned member) const {
    float* transposed = m_scratch[member].transposed;
    for (std::size_t j = 0; j < chunk.tokens; ++j) {
        for (std::size_t i = 0; i < m_form.keyLength; ++i) {
            transposed[i * kMaxTokens + j] = chunk.keys[j][i];
        }
    }
    for (std::size_t part = firstPart(chunk); part < m_parts; ++part) {
        const Rows& rows = part == 0 ? chunk.queries : chunk.keys;
        activeKernels().recurrence.multiply({.rows = chunk.tokens,
                                             .columns = chunk.tokens,
                                             .depth = m_form.keyLength,
                                             .a = rows.data,
                                             .aRow = rows.stride,
                                             .b = transposed,
                                             .bRow = kMaxTokens,
                                             .outRow = chunk.scores.stride},
                                            chunk.scores.data + part * kMaxTokens);
    }
}

void LinearChunks::weigh(const LinearChunk& chunk, const Scratch& scratch) const {
    const auto scale = activeKernels().recurrence.scale;
    const std::size_t length = m_form.keyLength;
    // Γ_t/Γ_j, and 0 for j > t. Rows are as long as the chunk, because whole vectors are faster.
    float* quotients = scratch.factors;
    std::fill_n(quotients, chunk.tokens, 0.0F);
    float decay = 1; // Γ_t
    for (std::size_t t = 0; t < chunk.tokens; ++t) {
        const float factor = chunk.decays[t][0];
        decay *= factor;
        scale(quotients, factor, nullptr, quotients, chunk.tokens);
        quotients[t] = 1;
        for (std::size_t part = firstPart(chunk); part < m_parts; ++part) {
            float* factors = (part == 0 ? scratch.ofQueries : scratch.ofKeys) + t * kMaxTokens;
            scale(chunk.scores[t] + part * kMaxTokens, 1, quotients, factors, chunk.tokens);
        }
        scratch.decays[t] = decay;
        if (m_form.deltaRule) {
            scale(chunk.keys[t], -decay, nullptr, scratch.keys + t * length, length);
        }
    }
    std::fill_n(scratch.decay, length, decay);
}

void LinearChunks::weighElements(const LinearChunk& chunk, const Scratch& scratch) const {
    const auto scale = activeKernels().recurrence.scale;
    const std::size_t length = m_form.keyLength;
    activeKernels().recurrence.decayedProducts({.tokens = chunk.tokens,
                                                .length = length,
                                                .queries = chunk.queries.data,
                                                .keys = chunk.keys.data,
                                                .stride = chunk.keys.stride,
                                                .decays = chunk.decays.data,
                                                .decayStride = chunk.decays.stride,
                                                .decayed = scratch.decayed,
                                                .ofQueries = scratch.ofQueries,
                                                .ofKeys = scratch.ofKeys,
                                                .resultStride = kMaxTokens});
    std::fill_n(scratch.factors, chunk.tokens, 1.0F);
    std::fill_n(scratch.decay, length, 1.0F);
    for (std::size_t t = 0; t < chunk.tokens; ++t) {
        scale(chunk.decays[t], 1, scratch.decay, scratch.decay, length);
        scale(chunk.queries[t], 1, scratch.decay, scratch.queries + t * length, length);
        if (m_form.deltaRule) {
            scale(chunk.keys[t], -1, scratch.decay, scratch.keys + t * length, length);
        }
        float* factors = scratch.ofQueries + t * kMaxTokens;
        std::fill(factors + t + 1, factors + chunk.tokens, 0.0F);
    }
}

// Multiplies the factors of u_j by β_j and by the sign of the sums. Of ofKeys[t] only the first t are used.
void LinearChunks::applyRates(const LinearChunk& chunk, const Scratch& scratch) const {
    const auto scale = activeKernels().recurrence.scale;
    float rates[kMaxTokens];
    for (std::size_t t = 0; t < chunk.tokens; ++t) {
        rates[t] = chunk.rates[t][0];
    }
    for (std::size_t t = 0; t < chunk.tokens; ++t) {
        float* ofQueries = scratch.ofQueries + t * kMaxTokens;
        float* ofKeys = scratch.ofKeys + t * kMaxTokens;
        if (chunk.out.data != nullptr) { // otherwise nothing was written there
            scale(ofQueries, 1, rates, ofQueries, chunk.tokens);
        }
        scale(ofKeys, -1, rates, ofKeys, chunk.tokens);
    }
    scale(scratch.factors, 1, rates, scratch.factors, chunk.tokens);
}

// Finds u_t by forward substitution.
void LinearChunks::solve(const LinearChunk& chunk, const float* state, const Scratch& scratch) const {
    const std::size_t length = m_form.valueLength;
    for (std::size_t t = 0; t < chunk.tokens; ++t) {
        std::copy_n(chunk.values[t], length, scratch.changes + t * length);
    }
    // Adds a × b to the changes from token `row` on. `a` is [rows][depth].
    const auto addProduct = [&](std::size_t row, std::size_t rows, std::size_t depth, Rows a, const float* b) {
        activeKernels().recurrence.multiply({.rows = rows,
                                             .columns = length,
                                             .depth = depth,
                                             .a = a.data,
                                             .aRow = a.stride,
                                             .b = b,
                                             .bRow = length,
                                             .outRow = length,
                                             .adds = true},
                                            scratch.changes + row * length);
    };
    addProduct(0, chunk.tokens, m_form.keyLength, Rows{scratch.keys, m_form.keyLength}, state);
    // Adds what the tokens [first, end) contribute; the factors are negative.
    const auto addEarlier = [&](std::size_t row, std::size_t rows, std::size_t first, std::size_t end) {
        addProduct(row, rows, end - first, Rows{scratch.ofKeys + row * kMaxTokens + first, kMaxTokens},
                   scratch.changes + first * length);
    };
    for (std::size_t band = 0; band < chunk.tokens; band += kBand) {
        const std::size_t end = std::min(band + kBand, chunk.tokens);
        addEarlier(band, end - band, 0, band);
        for (std::size_t t = band + 1; t < end; ++t) {
            addEarlier(t, 1, band, t);
        }
    }
}

// Writes the outputs: what the queries find in the state before the chunk and in its changes.
void LinearChunks::attend(const LinearChunk& chunk, Rows changes, const float* state, const Scratch& scratch) const {
    const RecurrenceKernels& kernels = activeKernels().recurrence;
    const std::size_t length = m_form.valueLength;
    const bool byElement = m_form.elementsDecay;
    const Rows queries = byElement ? Rows{scratch.queries, m_form.keyLength} : chunk.queries;
    kernels.multiply({.rows = chunk.tokens,
                      .columns = length,
                      .depth = m_form.keyLength,
                      .a = queries.data,
                      .aRow = queries.stride,
                      .b = state,
                      .bRow = length,
                      .outRow = chunk.out.stride},
                     chunk.out.data);
    for (std::size_t band = 0; band < chunk.tokens; band += kBand) {
        const std::size_t end = std::min(band + kBand, chunk.tokens);
        kernels.multiply({.rows = end - band,
                          .columns = length,
                          .depth = end,
                          .a = scratch.ofQueries + band * kMaxTokens,
                          .aRow = kMaxTokens,
                          .b = changes.data,
                          .bRow = changes.stride,
                          .outRow = chunk.out.stride,
                          .adds = true,
                          .kept = byElement ? nullptr : scratch.decays + band},
                         chunk.out[band]);
    }
}

void LinearChunks::run(const LinearChunk& chunk, float* state, unsigned member) const {
    const RecurrenceKernels& kernels = activeKernels().recurrence;
    const Scratch& scratch = m_scratch[member];
    const std::size_t length = m_form.valueLength;
    const bool byElement = m_form.elementsDecay;
    if (byElement) {
        weighElements(chunk, scratch);
    } else {
        weigh(chunk, scratch);
    }
    if (m_form.deltaRule) {
        applyRates(chunk, scratch);
        solve(chunk, state, scratch);
    }
    const Rows changes = m_form.deltaRule ? Rows{scratch.changes, length} : chunk.values;
    if (chunk.out.data != nullptr) {
        attend(chunk, changes, state, scratch);
    }
    for (std::size_t t = 0; t < chunk.tokens; ++t) {
        kernels.scale(changes[t], scratch.factors[t], nullptr, scratch.changes + t * length, length);
    }
    const Rows keys = byElement ? Rows{scratch.decayed, m_form.keyLength} : chunk.keys;
    kernels.multiply({.rows = m_form.keyLength,
                      .columns = length,
                      .depth = chunk.tokens,
                      .a = keys.data,
                      .aRow = 1,
                      .aColumn = keys.stride,
                      .b = scratch.changes,
                      .bRow = length,
                      .outRow = length,
                      .adds = true,
                      .kept = scratch.decay},
                     state);
}

} // namespace gufo::inference
