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
    // `outside` may be null: then what is not a call is free. `parser` must have taken the text of a token before
    // accept() is called for it; `written` are the control tokens whose text it takes.
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
    };
    void enter(); // looks whether a call has begun or ended
    [[nodiscard]] bool continuesCall(TokenId token);
    [[nodiscard]] bool isFree() const; // no call is being written, or anything may follow it
    // Whether the call that is being written may be followed by anything else.
    [[nodiscard]] bool isComplete() const { return m_call->constraint->mayEnd(); }
    [[nodiscard]] std::string_view writtenText(TokenId token) const; // empty: it is not one of the control tokens

    std::unique_ptr<Constraint> m_outside;
    std::shared_ptr<const text::AnswerParser> m_parser;
    std::shared_ptr<const TokenTrie> m_trie;
    std::vector<std::pair<TokenId, std::string>> m_written; // sorted
    std::vector<Call> m_calls;
    Call* m_call = nullptr;   // the one whose grammar the call at hand follows
    bool m_isDecided = false; // of the call at hand: m_call is its grammar, or none is
    std::vector<std::uint64_t> m_mask;
};

} // namespace gufo::inference
