// The saved state of a session: the number of tokens and the tokens; then for each block the oldest cached position and
// the rows from there on; then the recurrent state.
#include "base/detail.h"
#include "inference/engine/engine_session.h"

#include <algorithm>
#include <cstring>

namespace gufo::inference {
namespace {

// Calls take(rows, head, slot) for each row of the cache at the positions [first, end).
template<typename Cache, typename Take>
void forEachRow(Cache& cache, std::uint32_t first, std::uint32_t end, const Take& take) {
    for (auto* rows : cache.parts()) {
        for (std::uint32_t h = 0; h < rows->heads(); ++h) {
            for (std::uint32_t position = first; position < end; ++position) {
                take(*rows, h, cache.slotOf(position));
            }
        }
    }
}

} // namespace

std::vector<std::byte> EngineSession::saveState() const {
    replayDeferred();
    std::vector<std::byte> bytes;
    const auto append = [&](std::span<const std::byte> part) { bytes.insert(bytes.end(), part.begin(), part.end()); };
    const auto count = static_cast<std::uint32_t>(m_tokens.size());
    std::size_t size = (1 + m_tokens.size()) * sizeof(std::uint32_t) + m_blocks->state().size_bytes();
    for (const BlockCache& cache : m_blocks->caches()) {
        size += sizeof(std::uint32_t) + (count - std::min(cache.first(), count)) * cache.positionBytes();
    }
    bytes.reserve(size);
    append(std::as_bytes(std::span(&count, 1)));
    append(std::as_bytes(std::span(m_tokens)));
    for (const BlockCache& cache : m_blocks->caches()) {
        const std::uint32_t first = std::min(cache.first(), count);
        append(std::as_bytes(std::span(&first, 1)));
        forEachRow(cache, first, count, [&](const KvRows& rows, std::uint32_t head, std::uint32_t slot) {
            bytes.resize(bytes.size() + rows.rowBytes());
            rows.save(head, slot, bytes.data() + bytes.size() - rows.rowBytes());
        });
    }
    append(std::as_bytes(m_blocks->state()));
    return bytes;
}

Result<> EngineSession::restoreState(std::span<const std::byte> state) {
    const auto refuse = [] { return fail(ErrorCode::InvalidArgument, {}, {Detail::StateUnusable}); };
    const auto number = [&]() -> std::optional<std::uint32_t> {
        std::uint32_t value = 0;
        if (state.size() < sizeof value) {
            return std::nullopt;
        }
        std::memcpy(&value, state.data(), sizeof value);
        state = state.subspan(sizeof value);
        return value;
    };
    const auto count = number();
    if (!count || *count > m_options.context || state.size() < *count * sizeof(TokenId)) {
        return refuse();
    }
    std::vector<TokenId> tokens(*count);
    std::memcpy(tokens.data(), state.data(), *count * sizeof(TokenId));
    state = state.subspan(*count * sizeof(TokenId));
    if (!std::ranges::all_of(tokens, [&](TokenId token) { return token.value < m_shape.vocabulary; })) {
        return refuse();
    }
    // Everything is checked before anything changes.
    const std::span<const std::byte> begin = state;
    for (const BlockCache& cache : m_blocks->caches()) {
        const auto first = number();
        if (!first || !cache.canHold(*first, *count)) {
            return refuse();
        }
        const std::uint64_t bytes = std::uint64_t{*count - *first} * cache.positionBytes();
        if (state.size() < bytes) {
            return refuse();
        }
        state = state.subspan(bytes);
    }
    const std::span<float> recurrent = m_blocks->state();
    if (state.size() != recurrent.size_bytes()) {
        return refuse();
    }
    state = begin;
    for (BlockCache& cache : m_blocks->caches()) {
        const std::uint32_t first = *number();
        cache.restore(first);
        forEachRow(cache, first, *count, [&](KvRows& rows, std::uint32_t head, std::uint32_t slot) {
            rows.restore(head, slot, state.data());
            state = state.subspan(rows.rowBytes());
        });
    }
    std::ranges::copy(state, std::as_writable_bytes(recurrent).begin());
    m_deferredTokens = 0;
    m_snapshots.clear();
    m_tokens = std::move(tokens);
    return {};
}

} // namespace gufo::inference
