// Continues a text: evaluates the prompt, then repeatedly draws a token and evaluates it until a stop condition holds.
//
// Thread contract: as for the session that it uses.
#pragma once

#include "inference/drafting/draft_length.h"
#include "inference/interface/drafter.h"
#include "inference/interface/generation_settings.h"
#include "inference/interface/session.h"
#include "inference/sampling/sampler.h"
#include "text/conversation/answer_parser.h"
#include "text/tokenizer/tokenizer.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gufo::inference {

struct GeneratedToken {
    Choice choice;
    std::string bytes; // of this token: whole characters, empty while a character is incomplete
    std::string text;  // the text to show now; text that may begin a stop text is held back
};

// Of the tokens that were evaluated after the prompt.
struct GenerationFigures {
    std::uint64_t tokens = 0;      // of the text
    std::uint64_t evaluations = 0; // each evaluation reads the weights once
    double seconds = 0;            // of evaluating and drafting
    std::uint64_t drafted = 0;
    std::uint64_t accepted = 0; // drafted tokens that belong to the text
};

class Generation {
public:
    // `session` must outlive this object.
    Generation(Session& session, std::shared_ptr<const text::Tokenizer> tokenizer, GenerationSettings settings);

    // Constrains the answer, usually with a grammar (inference/grammar/grammar_constraint.h). Must be called before
    // start().
    void setConstraint(std::unique_ptr<Constraint> constraint) { m_constraint = std::move(constraint); }

    // The parser follows the answer and tells which part is being written: a thought, the text for the user or a call.
    // Must be called before start().
    void setParser(std::shared_ptr<text::AnswerParser> parser) { m_parser = std::move(parser); }

    // Evaluates tokens of the drafter together with drawn ones, as long as that saves time: as many as the session is
    // prepared for. If rejected tokens cannot be dropped alone, the accepted ones are evaluated again; a session that
    // loses what precedes the draft too ends the drafting. Null: none. Must be called before start().
    void setDrafter(std::shared_ptr<Drafter> drafter) { m_drafter = std::move(drafter); }

    // Called when the context is full, unless GenerationSettings::shift is off. Returns the tokens that the session
    // shall hold instead, fewer than fit. If it returns none, tokens after the first keepFirst() are dropped, and
    // `shifted` is called with their number.
    using Shorten = std::function<Result<std::vector<TokenId>>()>;
    void setShorten(Shorten shorten, std::function<void(std::size_t)> shifted) {
        m_shorten = std::move(shorten);
        m_shifted = std::move(shifted);
    }
    void keepFirst(std::size_t tokens) { m_settings.keep = tokens; }

    // Brings the session to the state after `prompt` (not empty), evaluating only the tokens it does not hold yet.
    // `answered` are the tokens of the answer so far, with which the prompt ends: the constraint applies to them, and a
    // character that they leave incomplete is completed by the tokens that follow. Errors: the errors of
    // Session::evaluate.
    [[nodiscard]] Result<> start(std::span<const TokenId> prompt, const JobContext& job,
                                 std::span<const TokenId> answered = {});
    // Returns the next token, or nothing once generation has ended. Errors: the errors of Session::evaluate and of the
    // constraint (Constraint::failure).
    [[nodiscard]] Result<std::optional<GeneratedToken>> next(const JobContext& job);
    // Valid once next() has returned nothing.
    [[nodiscard]] StopReason reason() const { return m_reason; }
    // Returns the text that was held back when generation ended.
    [[nodiscard]] std::string rest();

    [[nodiscard]] const GenerationFigures& figures() const { return m_figures; }
    // Tokens of the prompt and the text in the session. It may hold drafted tokens after them until generation ends.
    [[nodiscard]] std::size_t held() const { return m_session.tokens().size() - undecided(); }

private:
    // Provides the logits that follow the pending token. Returns false if the context is full.
    [[nodiscard]] Result<bool> advance(const JobContext& job);
    [[nodiscard]] Result<bool> makeRoom(const JobContext& job);
    [[nodiscard]] Result<std::vector<TokenId>> draft(TokenId pending, const JobContext& job);
    // Removes the drafted tokens that were not drawn from the session.
    [[nodiscard]] Result<> dropDraft(const JobContext& job);
    [[nodiscard]] std::size_t undecided() const { return m_draft.size() - m_row; }
    [[nodiscard]] Result<std::optional<GeneratedToken>> end(StopReason reason, const JobContext& job);
    // Returns the text that the token completes.
    [[nodiscard]] std::string decode(TokenId id);
    [[nodiscard]] bool endsGeneration(TokenId id) const;
    // The next token of the text that ends a thought that has become too long.
    [[nodiscard]] std::optional<TokenId> nextForced();
    // Moves the part of m_held that cannot belong to a stop text to `text`. Returns false when a stop text is complete.
    [[nodiscard]] bool release(std::string& text);

    Session& m_session;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    GenerationSettings m_settings;
    std::vector<TokenId> m_ends;      // sorted
    std::vector<TokenId> m_innerEnds; // sorted; none of them is in m_ends
    Sampler m_sampler;
    std::unique_ptr<Constraint> m_constraint;
    std::shared_ptr<text::AnswerParser> m_parser;
    Shorten m_shorten;
    std::function<void(std::size_t)> m_shifted;
    text::StreamDecoder m_decoder;
    std::string m_held;
    std::optional<TokenId> m_pending; // drawn, and not evaluated yet unless it was drafted
    std::shared_ptr<Drafter> m_drafter;
    DraftLength m_draftLength;
    std::optional<std::size_t> m_mostDrafted; // by one evaluation; empty: the session has not been prepared yet
    std::vector<TokenId> m_draft;             // the tokens that were evaluated after the last pending one
    std::size_t m_row = 0; // the row of logits to draw from, and how many tokens of the draft were drawn
    double m_evaluationSeconds = 0;
    GenerationFigures m_figures;
    std::uint32_t m_count = 0;
    std::uint32_t m_thoughtTokens = 0;
    std::deque<TokenId> m_forced; // the rest of the text that ends the thought
    bool m_ended = false;
    StopReason m_reason = StopReason::MaxTokens;
};

// Tokens at which DRY stops looking for repetitions: tokens with a line end, colon, quotation mark or asterisk.
[[nodiscard]] std::vector<TokenId> usualBreakers(const text::Tokenizer& tokenizer);

} // namespace gufo::inference
