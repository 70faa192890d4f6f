// Constrains the text for the user in an answer, and nothing else: a thought, headers of messages and tool calls are
// free. What opened a thought, the prompt or the model, makes no difference.
//
// As long as it is not clear what the model begins, it may begin the constrained text, a thought or, with tools, a
// call. Formats that mark the text for the user (AnswerFormat::contentOpen, channels) must open it first.
#pragma once

#include "inference/grammar/grammar_constraint.h"
#include "text/conversation/answer_parser.h"

#include <memory>
#include <string>
#include <vector>

namespace gufo::inference {

class AnswerConstraint final : public Constraint {
public:
    // `parser` follows the answer: it must have taken the text of a token before accept() is called for it. `written`
    // are the control tokens whose text it takes, and `ends` the tokens that may end the text besides the usual ones.
    AnswerConstraint(std::unique_ptr<GrammarConstraint> grammar, std::shared_ptr<const text::AnswerParser> parser,
                     std::shared_ptr<const text::AnswerFormat> format, std::shared_ptr<const TokenTrie> trie,
                     const text::Tokenizer& tokenizer, std::span<const TokenId> written, std::vector<TokenId> ends,
                     bool tools);

    [[nodiscard]] bool allows(TokenId token) override;
    [[nodiscard]] TokenMask mask() override;
    [[nodiscard]] bool mayEnd() const override;
    void accept(TokenId token) override;
    [[nodiscard]] const std::optional<Error>& failure() const override { return m_grammar->failure(); }

private:
    enum class Phase : std::uint8_t {
        Open,    // it is not clear what begins
        Free,    // a thought, a header or a call
        Grammar, // the text for the user
    };
    void enter(); // decides on the phase from what the parser has found
    [[nodiscard]] std::string_view textOf(TokenId token) const;
    // Whether a token continues, or begins, a marker that may come now.
    [[nodiscard]] bool opensSomething(std::string_view text) const;
    [[nodiscard]] bool isToken(std::string_view marker) const; // whether a single token has this text
    [[nodiscard]] bool isMarked() const;                       // the text for the user must be opened
    [[nodiscard]] bool endsText(TokenId token) const;

    std::unique_ptr<GrammarConstraint> m_grammar;
    std::shared_ptr<const text::AnswerParser> m_parser;
    std::shared_ptr<const text::AnswerFormat> m_format;
    std::shared_ptr<const TokenTrie> m_trie;
    std::vector<std::pair<TokenId, std::string>> m_written; // sorted
    std::vector<TokenId> m_ends;
    std::vector<std::string> m_markers; // that may begin an answer or follow a thought
    std::vector<std::string> m_thoughts;
    Phase m_phase = Phase::Open;
    bool m_grammarLives = true; // the text since m_phase became Open is also one of the grammar
    std::string m_begun;        // that text
    std::vector<std::uint64_t> m_mask;
};

} // namespace gufo::inference
