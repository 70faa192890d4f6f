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
            m_calls.push_back({.constraint = *std::move(made)});
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
        m_call = nullptr;
        m_isDecided = false;
        return;
    }
    if (m_isDecided) {
        return;
    }
    m_isDecided = true;
    for (Call& each : m_calls) {
        each.constraint->reset();
        each.constraint->acceptText(m_parser->callText());
        if (!each.constraint->isDead() && !each.constraint->failure()) {
            m_call = &each;
            return;
        }
    }
}

bool CallConstraint::continuesCall(TokenId token) {
    const std::string_view text = writtenText(token);
    return text.empty() ? m_call->constraint->allows(token) : m_call->constraint->allowsText(text);
}

bool CallConstraint::isFree() const { return m_call == nullptr || isComplete() || m_call->constraint->failure(); }

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
    const TokenMask call = m_call->constraint->mask();
    std::ranges::copy(call.first(std::min(call.size(), m_mask.size())), m_mask.begin());
    for (const auto& [token, text] : m_written) {
        if (token.value / 64 < m_mask.size() && m_call->constraint->allowsText(text)) {
            m_mask[token.value / 64] |= std::uint64_t{1} << (token.value % 64);
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
    if (m_call != nullptr) {
        if (!continuesCall(token)) {
            m_call = nullptr; // what follows is not part of the call
        } else if (const std::string_view text = writtenText(token); !text.empty()) {
            m_call->constraint->acceptText(text);
        } else {
            m_call->constraint->accept(token);
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
