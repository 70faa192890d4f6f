#include "inference/generation/answer_constraint.h"

#include "inference/grammar/grammar.h"

#include <algorithm>

namespace gufo::inference {
namespace {

// Characters before or after a thought that are not part of the text for the user.
constexpr std::size_t kMostSpace = 4;

std::string_view afterSpace(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

} // namespace

AnswerConstraint::AnswerConstraint(std::unique_ptr<GrammarConstraint> grammar,
                                   std::shared_ptr<const text::AnswerParser> parser,
                                   std::shared_ptr<const text::AnswerFormat> format,
                                   std::shared_ptr<const TokenTrie> trie, const text::Tokenizer& tokenizer,
                                   std::span<const TokenId> written, std::vector<TokenId> ends, bool tools)
    : m_grammar(std::move(grammar))
    , m_parser(std::move(parser))
    , m_format(std::move(format))
    , m_trie(std::move(trie))
    , m_ends(std::move(ends)) {
    for (const TokenId token : written) {
        m_written.emplace_back(token, tokenizer.bytesOf(token));
    }
    std::ranges::sort(m_written);
    // A thought in a form that the template does not write is possible only where its marker is a token: otherwise any
    // model that may write "<" would be led into a thought, which nothing constrains.
    for (std::size_t i = 0; i < m_format->thoughts.size(); ++i) {
        const std::string& open = m_format->thoughts[i].open;
        if (i < m_format->ownThoughts || isToken(open)) {
            m_thoughts.push_back(open);
        }
    }
    for (const std::string& marker : {m_format->header, m_format->contentOpen}) {
        if (!marker.empty()) {
            m_markers.push_back(marker);
        }
    }
    if (tools) {
        for (const text::CallFormat& call : m_format->calls) {
            std::ranges::move(call.triggers(), std::back_inserter(m_markers));
        }
    }
    enter();
}

bool AnswerConstraint::isMarked() const { return m_format->channels || !m_format->contentOpen.empty(); }

std::string_view AnswerConstraint::textOf(TokenId token) const {
    const auto found = std::ranges::lower_bound(m_written, token, {}, &std::pair<TokenId, std::string>::first);
    if (found != m_written.end() && found->first == token) {
        return found->second;
    }
    return token.value < m_trie->vocabulary() ? m_trie->text(token.value) : std::string_view();
}

bool AnswerConstraint::isToken(std::string_view marker) const {
    for (std::size_t i = 0; i < m_trie->vocabulary(); ++i) {
        if (textOf(TokenId(i)) == marker) {
            return true;
        }
    }
    return std::ranges::find(m_written, marker, &std::pair<TokenId, std::string>::second) != m_written.end();
}

bool AnswerConstraint::endsText(TokenId token) const { return std::ranges::find(m_ends, token) != m_ends.end(); }

void AnswerConstraint::enter() {
    const Phase before = m_phase;
    if (m_parser->isThinking() || m_parser->isCall()) {
        m_phase = Phase::Free;
    } else if (m_parser->isContent()) {
        m_phase = Phase::Grammar;
    } else if (m_format->channels || m_parser->hasCalls()) {
        m_phase = Phase::Free;
    } else {
        m_phase = Phase::Open;
    }
    if (before == Phase::Free && m_phase != Phase::Free) {
        m_grammar->reset();
        m_grammarLives = true;
        m_begun = m_parser->undecided();
        // The token with the end of a marker may also have the beginning of the text.
        const std::string begun =
            m_phase == Phase::Grammar ? m_parser->message().content : std::string(afterSpace(m_begun));
        if (!begun.empty() && !(m_phase == Phase::Open && opensSomething({}))) {
            m_grammar->acceptText(begun);
        }
    }
    if (before == Phase::Open && m_phase == Phase::Grammar && isMarked()) {
        m_grammar->reset();
    }
}

bool AnswerConstraint::opensSomething(std::string_view text) const {
    const std::string whole = m_begun + std::string(text);
    const std::string_view rest = afterSpace(whole);
    if (rest.empty()) {
        const bool mayFollow = m_parser->hasThought() || m_format->ownThoughts != 0;
        return mayFollow && !text.empty() && whole.size() <= kMostSpace;
    }
    const auto fits = [&](const std::string& marker) { return marker.starts_with(rest) || rest.starts_with(marker); };
    return std::ranges::any_of(m_markers, fits) || (!m_parser->hasThought() && std::ranges::any_of(m_thoughts, fits));
}

bool AnswerConstraint::allows(TokenId token) {
    switch (m_phase) {
    case Phase::Free:
        return true;
    case Phase::Grammar:
        return m_grammar->allows(token) || (mayEnd() && endsText(token));
    case Phase::Open:
        break;
    }
    return (m_grammarLives && !isMarked() && m_grammar->allows(token)) ||
           (!textOf(token).empty() && opensSomething(textOf(token)));
}

TokenMask AnswerConstraint::mask() {
    const std::size_t words = (m_trie->vocabulary() + 63) / 64;
    const auto add = [&](TokenId token) {
        if (token.value / 64 < m_mask.size()) {
            m_mask[token.value / 64] |= std::uint64_t{1} << (token.value % 64);
        }
    };
    if (m_phase == Phase::Free) {
        m_mask.assign(words, ~std::uint64_t{0});
        return m_mask;
    }
    if (m_phase == Phase::Grammar && !(mayEnd() && !m_ends.empty())) {
        return m_grammar->mask();
    }
    m_mask.assign(words, 0);
    if (m_phase == Phase::Grammar || (m_grammarLives && !isMarked())) {
        const TokenMask grammar = m_grammar->mask();
        m_mask.assign(grammar.begin(), grammar.end());
    }
    if (m_phase == Phase::Grammar) {
        std::ranges::for_each(m_ends, add);
        return m_mask;
    }
    const bool mayOpen = afterSpace(m_begun).empty() || opensSomething({});
    for (std::size_t i = 0; mayOpen && i < m_trie->vocabulary(); ++i) {
        if (!textOf(TokenId(i)).empty() && opensSomething(textOf(TokenId(i)))) {
            add(TokenId(i));
        }
    }
    return m_mask;
}

bool AnswerConstraint::mayEnd() const {
    switch (m_phase) {
    case Phase::Free:
        return m_parser->hasWholeCalls();
    case Phase::Grammar:
        return m_grammar->mayEnd();
    case Phase::Open:
        break;
    }
    return m_grammarLives && !isMarked() && m_grammar->mayEnd();
}

void AnswerConstraint::accept(TokenId token) {
    if (m_phase == Phase::Grammar) {
        m_grammar->accept(token);
        return;
    }
    if (m_phase == Phase::Open) {
        // White space before the text is not part of it, unless the grammar begins with some.
        const bool isSpace = afterSpace(m_begun + std::string(textOf(token))).empty();
        if (m_grammarLives && (m_grammar->allows(token) || !isSpace)) {
            m_grammarLives = m_grammar->allows(token);
            m_grammar->accept(token);
        }
        m_begun += textOf(token);
    }
    enter();
}

} // namespace gufo::inference
