#include "ui/vocabulary/token_links.h"

#include "model/token.h"

#include <bit>
#include <functional>
#include <limits>
#include <string>

namespace gufo::ui {
namespace {

constexpr std::uint64_t kStep = 4096; // items between two checks of the stop token

} // namespace

Result<std::shared_ptr<const TokenLinks>> TokenLinks::build(std::shared_ptr<const TokenArrays> vocabulary,
                                                            const JobContext& job) {
    const std::uint64_t tokens = vocabulary->size();
    const std::uint64_t merges = vocabulary->mergeCount();
    if (std::max(tokens, merges) > std::numeric_limits<std::int32_t>::max()) {
        return fail(ErrorCode::NotSupported, Place::key(std::string(kTokensKey)), {std::to_string(tokens)});
    }
    job.start(tokens + merges);
    auto links = std::make_shared<TokenLinks>();
    links->m_vocabulary = std::move(vocabulary);
    const TokenArrays& all = *links->m_vocabulary;
    links->m_slots.assign(std::bit_ceil(2 * tokens + 2), 0);
    links->m_ranks.assign(tokens, 0);
    const auto pausesAt = [&](std::uint64_t i) {
        if (i % kStep == 0) {
            job.advance(i == 0 ? 0 : kStep);
            return job.stopRequested();
        }
        return false;
    };
    for (std::uint64_t id = 0; id < tokens; ++id) {
        if (pausesAt(id)) {
            return fail(ErrorCode::Cancelled);
        }
        std::uint32_t& slot = links->m_slots[links->slotOf(all.text(id))];
        if (slot == 0) {
            slot = static_cast<std::uint32_t>(id + 1);
        }
        const std::int64_t type = all.type(id).value_or(0);
        ++links->m_typeCounts[static_cast<std::size_t>(type >= 1 && type <= kTokenTypes ? type : 0)];
    }
    std::string result;
    for (std::uint64_t rank = 0; rank < merges; ++rank) {
        if (pausesAt(rank)) {
            return fail(ErrorCode::Cancelled);
        }
        const TokenArrays::Merge merge = all.merge(rank);
        result.assign(merge.left).append(merge.right);
        if (const auto id = links->find(result); id && links->m_ranks[*id] == 0) {
            links->m_ranks[*id] = static_cast<std::uint32_t>(rank + 1);
        }
    }
    return links;
}

// The slot of the text, or the free slot for it.
std::size_t TokenLinks::slotOf(std::string_view text) const {
    const std::size_t mask = m_slots.size() - 1;
    std::size_t at = std::hash<std::string_view>()(text) & mask;
    while (m_slots[at] != 0 && m_vocabulary->text(m_slots[at] - 1) != text) {
        at = (at + 1) & mask;
    }
    return at;
}

std::optional<std::uint64_t> TokenLinks::find(std::string_view text) const {
    const std::uint32_t entry = m_slots[slotOf(text)];
    return entry != 0 ? std::optional<std::uint64_t>(entry - 1) : std::nullopt;
}

std::optional<std::uint64_t> TokenLinks::rankOf(std::uint64_t id) const {
    return id < m_ranks.size() && m_ranks[id] != 0 ? std::optional<std::uint64_t>(m_ranks[id] - 1) : std::nullopt;
}

} // namespace gufo::ui
