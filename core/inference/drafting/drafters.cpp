#include "inference/drafting/drafters.h"

#include <algorithm>

namespace gufo::inference {
namespace {

// The number of tokens before `end`, up to kLongest, that equal those at the end of the text.
std::size_t matchBefore(std::span<const TokenId> text, std::size_t end) {
    const std::size_t longest = std::min(end, PromptLookup::kLongest);
    std::size_t length = 0;
    while (length < longest && text[end - 1 - length] == text[text.size() - 1 - length]) {
        ++length;
    }
    return length;
}

// An earlier place: what precedes `end` equals the end of the text.
struct EarlierPlace {
    std::size_t length = PromptLookup::kShortest - 1;
    std::size_t end = 0; // where its continuation begins; 0: there is no place
};

// Returns token i of what follows a place. Beyond the end of the text, what follows the place repeats itself.
TokenId following(std::span<const TokenId> text, const EarlierPlace& place, std::size_t i) {
    return text[place.end + i % (text.size() - place.end)];
}

} // namespace

Result<std::vector<TokenId>> PromptLookup::propose(std::span<const TokenId> text, std::size_t limit,
                                                   const JobContext&) {
    EarlierPlace best;
    EarlierPlace second;
    for (std::size_t end = text.size(); end-- > kShortest;) {
        const EarlierPlace place{matchBefore(text, end), end};
        if (place.length > best.length) {
            second = best;
            best = place;
        } else if (place.length > second.length) {
            second = place;
        }
        if (second.length == kLongest) {
            break;
        }
    }
    std::vector<TokenId> proposal;
    if (best.end == 0) {
        return proposal;
    }
    const bool compare = second.end != 0 && 2 * second.length >= best.length;
    for (std::size_t i = 0; i < limit; ++i) {
        const TokenId token = following(text, best, i);
        if (compare && following(text, second, i) != token) {
            break;
        }
        proposal.push_back(token);
    }
    return proposal;
}

Result<std::vector<TokenId>> DraftModel::propose(std::span<const TokenId> text, std::size_t limit,
                                                 const JobContext& job) {
    std::vector<TokenId> proposal;
    if (text.empty() || text.size() + limit > m_session->context()) {
        return proposal;
    }
    auto evaluated = evaluateTo(*m_session, text, Logits::Last, job);
    while (evaluated) {
        const auto token = certainToken(m_session->logits(0));
        if (!token) {
            return proposal;
        }
        proposal.push_back(*token);
        if (proposal.size() == limit) {
            return proposal;
        }
        evaluated = m_session->evaluate({&proposal.back(), 1}, Logits::Last, job);
    }
    if (evaluated.error().code == ErrorCode::NoSuchToken) { // of the longer vocabulary of the other model
        return std::vector<TokenId>();
    }
    return std::unexpected(std::move(evaluated.error()));
}

} // namespace gufo::inference
