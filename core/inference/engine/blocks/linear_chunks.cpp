#include "inference/engine/blocks/linear_chunks.h"

#include <algorithm>

namespace gufo::inference {
namespace {

// Triangular matrices are multiplied in bands of rows, which skips most of the zeros.
constexpr std::size_t kBand = 8;

void scaled(const float* from, float factor, float* to, std::size_t count) {
    std::transform(from, from + count, to, [&](float each) { return factor * each; });
}

} // namespace

LinearChunks::LinearChunks(Memory& memory, std::size_t batch, unsigned members, const Form& form)
    : m_form(form)
    , m_parts(form.deltaRule ? 2 : 1)
    , m_tokens(form.elementsDecay ? kMostTokens / 2 : kMostTokens) // their products take time per pair of tokens
    , m_scores(memory, batch, form.elementsDecay ? 0 : form.keyHeads * m_parts * kMostTokens) {
    const auto take = [&](std::size_t width) { return memory.take<float>(kMostTokens, width); };
    for (unsigned member = 0; member < members; ++member) {
        m_scratch.push_back({.transposed = take(form.elementsDecay ? 0 : form.keyLength),
                             .ofQueries = take(kMostTokens),
                             .ofKeys = take(kMostTokens),
                             .queries = take(form.keyLength),
                             .keys = take(form.keyLength),
                             .updates = take(form.keyLength),
                             .decay = memory.take<float>(form.keyLength),
                             .removed = take(form.valueLength)});
    }
    m_begins.reserve(batch / m_tokens + 3);
}

void LinearChunks::divide(std::size_t tokens, const MixerState& state) {
    m_begins.assign(1, 0);
    while (m_begins.back() < tokens) {
        const std::size_t begin = m_begins.back();
        std::size_t end = std::min(begin + m_tokens, tokens);
        if (state.copy != nullptr && begin < state.after && state.after < end) {
            end = state.after;
        }
        m_begins.push_back(end);
    }
}

void LinearChunks::score(const LinearChunk& chunk, unsigned member) const {
    float* transposed = m_scratch[member].transposed;
    for (std::size_t j = 0; j < chunk.tokens; ++j) {
        for (std::size_t i = 0; i < m_form.keyLength; ++i) {
            transposed[i * kMostTokens + j] = chunk.keys[j][i];
        }
    }
    for (std::size_t part = 0; part < m_parts; ++part) {
        const Rows& rows = part == 0 ? chunk.queries : chunk.keys;
        activeKernels().recurrence.multiply({.rows = chunk.tokens,
                                             .columns = chunk.tokens,
                                             .depth = m_form.keyLength,
                                             .a = rows.data,
                                             .aRow = rows.stride,
                                             .aColumn = 1,
                                             .b = transposed,
                                             .bRow = kMostTokens,
                                             .outRow = chunk.scores.stride},
                                            chunk.scores.data + part * kMostTokens);
    }
}

void LinearChunks::weigh(const LinearChunk& chunk, const Scratch& scratch) const {
    float decay = 1;                   // Γ_t
    float quotients[kMostTokens] = {}; // Γ_t/Γ_j
    for (std::size_t t = 0; t < chunk.tokens; ++t) {
        const float factor = chunk.decays[t][0];
        decay *= factor;
        for (std::size_t j = 0; j < t; ++j) {
            quotients[j] *= factor;
        }
        quotients[t] = 1;
        for (std::size_t part = 0; part < m_parts; ++part) {
            const float* scores = chunk.scores[t] + part * kMostTokens;
            float* factors = (part == 0 ? scratch.ofQueries : scratch.ofKeys) + t * kMostTokens;
            std::transform(scores, scores + t + 1, quotients, factors, std::multiplies());
        }
        scaled(chunk.queries[t], decay, scratch.queries + t * m_form.keyLength, m_form.keyLength);
        if (m_form.deltaRule) {
            scaled(chunk.keys[t], -decay, scratch.keys + t * m_form.keyLength, m_form.keyLength);
        }
    }
    std::fill_n(scratch.decay, m_form.keyLength, decay);
    for (std::size_t j = 0; j < chunk.tokens; ++j) {
        scaled(chunk.keys[j], quotients[j], scratch.updates + j * m_form.keyLength, m_form.keyLength);
    }
}

void LinearChunks::weighElements(const LinearChunk& chunk, const Scratch& scratch) const {
    const std::size_t length = m_form.keyLength;
    activeKernels().recurrence.decayedProducts({.tokens = chunk.tokens,
                                                .length = length,
                                                .queries = chunk.queries.data,
                                                .keys = chunk.keys.data,
                                                .stride = chunk.keys.stride,
                                                .decays = chunk.decays.data,
                                                .decayStride = chunk.decays.stride,
                                                .decayed = scratch.updates,
                                                .ofQueries = scratch.ofQueries,
                                                .ofKeys = scratch.ofKeys,
                                                .resultStride = kMostTokens});
    std::fill_n(scratch.decay, length, 1.0F);
    for (std::size_t t = 0; t < chunk.tokens; ++t) {
        std::transform(chunk.decays[t], chunk.decays[t] + length, scratch.decay, scratch.decay, std::multiplies());
        std::transform(scratch.decay, scratch.decay + length, chunk.queries[t], scratch.queries + t * length,
                       std::multiplies());
        if (m_form.deltaRule) {
            std::transform(scratch.decay, scratch.decay + length, chunk.keys[t], scratch.keys + t * length,
                           [](float decay, float key) { return -decay * key; });
        }
    }
}

// Finds u_t by forward substitution.
void LinearChunks::solve(const LinearChunk& chunk, const float* state, const Scratch& scratch) const {
    const auto multiply = activeKernels().recurrence.multiply;
    const std::size_t length = m_form.valueLength;
    for (std::size_t t = 0; t < chunk.tokens; ++t) {
        std::copy_n(chunk.values[t], length, scratch.removed + t * length);
    }
    multiply({.rows = chunk.tokens,
              .columns = length,
              .depth = m_form.keyLength,
              .a = scratch.keys,
              .aRow = m_form.keyLength,
              .aColumn = 1,
              .b = state,
              .bRow = length,
              .outRow = length,
              .adds = true},
             scratch.removed);
    const auto addEarlier = [&](std::size_t row, std::size_t rows, std::size_t first, std::size_t end) {
        multiply({.rows = rows,
                  .columns = length,
                  .depth = end - first,
                  .a = scratch.ofKeys + row * kMostTokens + first,
                  .aRow = kMostTokens,
                  .aColumn = 1,
                  .b = scratch.removed + first * length,
                  .bRow = length,
                  .outRow = length,
                  .adds = true},
                 scratch.removed + row * length);
    };
    for (std::size_t band = 0; band < chunk.tokens; band += kBand) {
        const std::size_t end = std::min(band + kBand, chunk.tokens);
        addEarlier(band, end - band, 0, band);
        for (std::size_t t = band + 1; t < end; ++t) {
            addEarlier(t, 1, band, t);
        }
    }
}

void LinearChunks::run(const LinearChunk& chunk, float* state, unsigned member) const {
    const auto multiply = activeKernels().recurrence.multiply;
    const Scratch& scratch = m_scratch[member];
    if (m_form.elementsDecay) {
        weighElements(chunk, scratch);
    } else {
        weigh(chunk, scratch);
    }
    for (std::size_t t = 0; t < chunk.tokens; ++t) {
        float* ofQueries = scratch.ofQueries + t * kMostTokens;
        float* ofKeys = scratch.ofKeys + t * kMostTokens;
        for (std::size_t j = 0; j <= t; ++j) {
            const float rate = chunk.rates.data != nullptr ? chunk.rates[j][0] : 1;
            ofQueries[j] *= rate;
            ofKeys[j] *= j < t ? -rate : 0;
        }
        std::fill(ofQueries + t + 1, ofQueries + kMostTokens, 0.0F);
        if (chunk.rates.data != nullptr) {
            float* update = scratch.updates + t * m_form.keyLength;
            scaled(update, chunk.rates[t][0], update, m_form.keyLength);
        }
    }
    if (m_form.deltaRule) {
        solve(chunk, state, scratch);
    }
    const Rows changes = m_form.deltaRule ? Rows{scratch.removed, m_form.valueLength} : chunk.values;
    multiply({.rows = chunk.tokens,
              .columns = m_form.valueLength,
              .depth = m_form.keyLength,
              .a = scratch.queries,
              .aRow = m_form.keyLength,
              .aColumn = 1,
              .b = state,
              .bRow = m_form.valueLength,
              .outRow = chunk.out.stride},
             chunk.out.data);
    for (std::size_t band = 0; band < chunk.tokens; band += kBand) {
        const std::size_t end = std::min(band + kBand, chunk.tokens);
        multiply({.rows = end - band,
                  .columns = m_form.valueLength,
                  .depth = end,
                  .a = scratch.ofQueries + band * kMostTokens,
                  .aRow = kMostTokens,
                  .aColumn = 1,
                  .b = changes.data,
                  .bRow = changes.stride,
                  .outRow = chunk.out.stride,
                  .adds = true},
                 chunk.out[band]);
    }
    multiply({.rows = m_form.keyLength,
              .columns = m_form.valueLength,
              .depth = chunk.tokens,
              .a = scratch.updates,
              .aRow = 1,
              .aColumn = m_form.keyLength,
              .b = changes.data,
              .bRow = changes.stride,
              .outRow = m_form.valueLength,
              .adds = true,
              .kept = scratch.decay},
             state);
}

} // namespace gufo::inference
