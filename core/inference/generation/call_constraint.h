// Constrains the tool calls of an answer, and leaves everything else to another constraint, or free. It begins when an
// AnswerParser has seen the marker of a call, and ends with the call: a model that writes a call in a way that none of
// the grammars knows is not constrained.
#pragma once

#include "inference/generation/call_grammar.h"
#include "inference/grammar/grammar_constraint.h"
#include "text/conversation/answer_parser.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gufo::inference {

class CallConstraint final : public Constraint {
public:
    // `outside` constrains the text around calls; if it is null, that text is free. `parser` must have taken the text
    // of a token before accept() is called for it; `written` are the control tokens whose text it takes.
    CallConstraint(std::unique_ptr<Constraint> outside, std::shared_ptr<const text::AnswerParser> parser,
                   std::vector<CallGrammar> grammars, std::shared_ptr<const TokenTrie> trie,
                   const text::Tokenizer& tokenizer, std::span<const TokenId> written);

    [[nodiscard]] bool allows(TokenId token) override;
    [[nodiscard]] TokenMask mask() override;
    [[nodiscard]] bool mayEnd() const override;
    void accept(TokenId token) override;
    [[nodiscard]] const std::optional<Error>& failure() const override;

private:
    struct Call {
        std::unique_ptr<GrammarConstraint> constraint;
        bool isVariant = false;
        bool isKnown = false;
    };
    void enter(); // looks whether a call has begun or ended
    [[nodiscard]] bool continuesCall(TokenId token);
    [[nodiscard]] bool continues(GrammarConstraint& call, TokenId token) const;
    [[nodiscard]] bool isFree() const; // no call is being written, or anything may follow it
    // Whether the call that is being written may be followed by anything else.
    [[nodiscard]] bool isComplete() const;
    [[nodiscard]] std::string_view writtenText(TokenId token) const; // empty: it is not one of the control tokens

    std::unique_ptr<Constraint> m_outside;
    std::shared_ptr<const text::AnswerParser> m_parser;
    std::shared_ptr<const TokenTrie> m_trie;
    std::vector<std::pair<TokenId, std::string>> m_written; // sorted
    std::vector<Call> m_calls;
    std::vector<GrammarConstraint*> m_followed; // the grammars that the call at hand has followed so far
    bool m_isDecided = false;                   // of the call at hand: it follows these, or none
    std::vector<std::uint64_t> m_mask;
};

} // namespace gufo::inference
