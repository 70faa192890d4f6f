#include "inference/prompts/context_window.h"

#include <algorithm>

namespace gufo::inference {

std::vector<std::size_t> turnStarts(std::span<const text::Message> messages) {
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        if (messages[i].role == "user") {
            starts.push_back(i);
        }
    }
    return starts;
}

std::vector<text::Message> fromTurn(std::span<const text::Message> messages, std::size_t start) {
    const auto first = std::ranges::find(messages, "user", &text::Message::role);
    std::vector<text::Message> kept(messages.begin(), first);
    kept.insert(kept.end(), messages.begin() + static_cast<std::ptrdiff_t>(start), messages.end());
    return kept;
}

std::vector<TokenId> TextCut::applied(std::span<const TokenId> ids) const {
    std::vector<TokenId> kept(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(keep));
    kept.insert(kept.end(), ids.begin() + static_cast<std::ptrdiff_t>(keep + dropped), ids.end());
    return kept;
}

TextCut cutText(std::span<const TokenId> ids, std::size_t keep, std::size_t context, std::span<const TokenId> held) {
    if (held.size() > keep && std::ranges::equal(held.first(keep), ids.first(keep))) {
        const auto part = held.subspan(keep);
        const auto found = std::ranges::search(ids.subspan(keep), part);
        const auto dropped = static_cast<std::size_t>(found.begin() - ids.subspan(keep).begin());
        if (!found.empty() && ids.size() - dropped < context) {
            return {.keep = keep, .dropped = dropped};
        }
    }
    return {.keep = keep, .dropped = ids.size() - std::max(context / 2, keep + (context - keep) / 2)};
}

} // namespace gufo::inference
