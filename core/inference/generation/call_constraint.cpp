#include "inference/generation/call_constraint.h"

#include <algorithm>

namespace gufo::inference {

CallConstraint::CallConstraint(std::unique_ptr<Constraint> outside, std::shared_ptr<const text::AnswerParser> parser,
                               std::vector<CallGrammar> grammars, std::shared_ptr<const TokenTrie> trie,
                               const text::Tokenizer& tokenizer, std::span<const TokenId> written)
    : m_outside(std::move(outside))
    , m_parser(std::move(parser))
    , m_trie(std::move(trie)) {
    for (const TokenId token : written) {
        m_written.emplace_back(token, tokenizer.bytesOf(token));
    }
    std::ranges::sort(m_written);
    for (CallGrammar& each : grammars) {
        if (auto made = GrammarConstraint::make(std::move(each.grammar), m_trie, tokenizer)) {
            m_calls.push_back({.constraint = *std::move(made), .isVariant = each.isVariant, .isKnown = each.isKnown});
        }
    }
    enter();
}

std::string_view CallConstraint::writtenText(TokenId token) const {
    const auto found = std::ranges::lower_bound(m_written, token, {}, &std::pair<TokenId, std::string>::first);
    return found != m_written.end() && found->first == token ? std::string_view(found->second) : std::string_view();
}

void CallConstraint::enter() {
    if (!m_parser->isCall()) {
        m_followed.clear();
        m_isDecided = false;
        return;
    }
    if (m_isDecided) {
        return;
    }
    m_isDecided = true;
    const auto text = m_parser->firstCallText();
    if (!text) {
        return; // a whole call came at once: what follows it is no beginning of a call
    }
    bool followsKnown = false;
    for (Call& each : m_calls) {
        if (!m_followed.empty() && !each.isVariant && !(followsKnown && each.isKnown)) {
            return;
        }
        each.constraint->reset();
        each.constraint->acceptText(*text);
        if (!each.constraint->isDead() && !each.constraint->failure()) {
            followsKnown = m_followed.empty() ? each.isKnown : followsKnown;
            m_followed.push_back(each.constraint.get());
        }
    }
}

bool CallConstraint::continues(GrammarConstraint& call, TokenId token) const {
    const std::string_view text = writtenText(token);
    return text.empty() ? call.allows(token) : call.allowsText(text);
}

bool CallConstraint::continuesCall(TokenId token) {
    return std::ranges::any_of(m_followed, [&](GrammarConstraint* call) { return continues(*call, token); });
}

bool CallConstraint::isComplete() const {
    return std::ranges::any_of(m_followed, [](const GrammarConstraint* call) { return call->mayEnd(); });
}

bool CallConstraint::isFree() const {
    return m_followed.empty() || isComplete() ||
           std::ranges::any_of(m_followed, [](const GrammarConstraint* call) { return call->failure().has_value(); });
}

bool CallConstraint::allows(TokenId token) {
    return (m_outside == nullptr || m_outside->allows(token)) && (isFree() || continuesCall(token));
}

TokenMask CallConstraint::mask() {
    if (isFree() && m_outside != nullptr) {
        return m_outside->mask();
    }
    m_mask.assign((m_trie->vocabulary() + 63) / 64, isFree() ? ~std::uint64_t{0} : 0);
    if (isFree()) {
        return m_mask;
    }
    for (GrammarConstraint* const each : m_followed) {
        const TokenMask call = each->mask();
        for (std::size_t i = 0; i < std::min(call.size(), m_mask.size()); ++i) {
            m_mask[i] |= call[i];
        }
        for (const auto& [token, text] : m_written) {
            if (token.value / 64 < m_mask.size() && each->allowsText(text)) {
                m_mask[token.value / 64] |= std::uint64_t{1} << (token.value % 64);
            }
        }
    }
    if (m_outside != nullptr) { // what the user asked for holds in a call too
        const TokenMask outside = m_outside->mask();
        for (std::size_t i = 0; i < m_mask.size(); ++i) {
            m_mask[i] &= i < outside.size() ? outside[i] : 0;
        }
    }
    return m_mask;
}

bool CallConstraint::mayEnd() const { return isFree() && (m_outside == nullptr || m_outside->mayEnd()); }

void CallConstraint::accept(TokenId token) {
    // What none continues is not part of the call.
    std::erase_if(m_followed, [&](GrammarConstraint* call) { return !continues(*call, token); });
    for (GrammarConstraint* const call : m_followed) {
        if (const std::string_view text = writtenText(token); !text.empty()) {
            call->acceptText(text);
        } else {
            call->accept(token);
        }
    }
    if (m_outside != nullptr) {
        m_outside->accept(token);
    }
    enter();
}

const std::optional<Error>& CallConstraint::failure() const {
    static const std::optional<Error> kNone;
    return m_outside != nullptr ? m_outside->failure() : kNone;
}

} // namespace gufo::inference
