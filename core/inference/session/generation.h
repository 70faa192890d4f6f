// Continues a text: evaluates the prompt, draws a token, evaluates it, until something says stop.
//
// Threads: as the session that it uses.
#pragma once

#include "inference/sampling/sampler.h"
#include "inference/session/session.h"
#include "text/tokenizer/tokenizer.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gufo::inference {

struct GenerationSettings {
    SamplerSettings sampler{};
    std::uint32_t most = 0;           // tokens; 0: until another reason ends it
    std::vector<std::string> stops{}; // texts that end generation, and are left out
    std::vector<TokenId> ends{};      // tokens that end it, too: a chat template's (text::answerEndOf)
    std::vector<TokenId> written{};   // control tokens whose text is told all the same (text::answerMarkers)
    std::size_t candidates = 0;       // of each token, to be told
    bool shift = true;                // a full context forgets the half of it that is after `keep`; otherwise it ends
    std::size_t keep = 0;             // tokens
};

enum class StopReason : std::uint8_t {
    EndToken, // also where the constraint allows nothing more and the text may end
    StopText,
    MostTokens,
    ContextFull,
    NothingAllowed, // no token of the vocabulary satisfies the constraint
};

struct GeneratedToken {
    Choice choice;
    std::string text; // that can be shown now: whole characters, and nothing that may begin a stop text
};

class Generation {
public:
    // The session must outlive it.
    Generation(Session& session, std::shared_ptr<const text::Tokenizer> tokenizer, GenerationSettings settings);

    // Keeps what comes to it from the first token on: a grammar (inference/grammar_constraint.h).
    void setConstraint(std::unique_ptr<Constraint> constraint) { m_constraint = std::move(constraint); }

    // Makes the session stand for `prompt` (not empty), evaluating only what it does not know yet. Errors: those of
    // Session::evaluate. The last `answered` tokens of the prompt are the beginning of the answer: its constraint holds
    // for them, and a character that they leave incomplete is completed by what comes.
    [[nodiscard]] Result<> start(std::span<const TokenId> prompt, const JobContext& job, std::size_t answered = 0);
    // The next token; nothing once it has ended. Errors: those of Session::evaluate and of the
    // constraint (Constraint::failure).
    [[nodiscard]] Result<std::optional<GeneratedToken>> next(const JobContext& job);
    // After next() gave nothing.
    [[nodiscard]] StopReason reason() const { return m_reason; }
    // What was held back when it ended.
    [[nodiscard]] std::string rest();

private:
    [[nodiscard]] Result<bool> makeRoom();
    // What can be told of the text with that token.
    [[nodiscard]] std::string decode(TokenId id);
    // The part of m_held that is certain; false: a stop text is complete.
    [[nodiscard]] bool release(std::string& text);

    Session& m_session;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    GenerationSettings m_settings;
    std::vector<TokenId> m_ends; // sorted
    Sampler m_sampler;
    std::unique_ptr<Constraint> m_constraint;
    text::StreamDecoder m_decoder;
    std::string m_held;
    std::optional<TokenId> m_pending; // drawn, not evaluated yet
    std::uint32_t m_count = 0;
    bool m_ended = false;
    StopReason m_reason = StopReason::MostTokens;
};

// Tokens whose text DRY does not look beyond: those with a line end, colon, quotation mark or asterisk.
[[nodiscard]] std::vector<TokenId> usualBreakers(const text::Tokenizer& tokenizer);

} // namespace gufo::inference
