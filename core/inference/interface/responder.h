// The interface that answers a conversation or continues a text. It yields pieces of text, with token ids,
// probabilities and candidates as far as the engine provides them. A model in this process answers through
// session_responder.h, and a server through remote/server_responder.h.
//
//     ResponseListener listener;
//     listener.piece = [](ResponsePiece piece, const ResponseFigures&) { …piece.shown…; return true; };
//     auto response = responder->respond({.prompt = ChatPrompt{.messages = messages}}, listener, job);
//
// Thread contract: one call at a time, and all calls on the thread of the first one; the listener is called on it too.
// A responder may start a helper process for chat templates, which needs a QCoreApplication.
#pragma once

#include "inference/interface/drafter.h"
#include "inference/interface/engine_capabilities.h"
#include "inference/interface/generation_settings.h"
#include "inference/interface/server_facts.h"
#include "inference/interface/session.h"
#include "text/conversation/answer_format.h"
#include "text/conversation/conversation.h"
#include "text/tokenizer/tokenizer.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace gufo::inference {

struct Grammar; // inference/grammar/grammar.h

// A text, and the tokens that it was made of.
struct KnownText {
    std::string text;
    std::vector<TokenId> ids;
};

struct ChatPrompt {
    std::vector<text::Message> messages{};
    text::ConversationOptions options{}; // tools and further variables of the template
    // A chat template that replaces the model's own, and the model whose special tokens it may name (null: the loaded
    // one). An engine that accepts conversations only applies its own template and ignores both.
    std::string chatTemplate{};
    std::shared_ptr<const Model> model{};
    // The engine applies its template although Gufo could apply one; only with Feature::EngineTemplate.
    bool byEngine = false;
};

// The part of the answer that already exists; the responder continues after it.
struct AnswerBeginning {
    std::string text{};
    std::vector<TokenId> tokens{}; // the tokens of the whole text; empty: not known
};

struct ResponseRequest {
    std::variant<std::string, ChatPrompt> prompt{}; // a text to continue (UTF-8), or a conversation
    KnownText known{};                              // a beginning of the prompt's text whose tokens are known
    AnswerBeginning begun{};
    // The responder adds to `ends`, `written` and `stops` what the chat template requires. An engine that does not take
    // tokens ignores settings that name token ids; one that reports no candidates ignores their number.
    GenerationSettings settings{};
    std::shared_ptr<const Grammar> grammar{}; // null: any text. It constrains begun.tokens too, but not begun.text
    // Null: every token is evaluated by itself. Only engines that yield logits use it.
    std::shared_ptr<Drafter> drafter{};
    // A block of the model itself drafts instead (LoadedModel::mtpDrafts). It takes memory as long as requests say so.
    bool mtpDrafts = false;
    // Report the probabilities and candidates that the samplers leave, instead of the distribution at temperature 1
    // before the samplers; only with Feature::AfterSamplers.
    bool afterSamplers = false;
    // Control tokens whose text occurs in a text, or in a message that is not the assistant's, stay text. An engine
    // that takes no tokens ignores this.
    bool literalContent = false;
    // Identifies the conversation for SessionOptions::prefixes, which keep states of it; empty: none.
    std::string conversation{};
};

struct ResponseCandidate {
    std::optional<TokenId> token{}; // empty: the engine reports only the text
    std::string text{};             // its bytes, where there is no id
    double probability = 0;         // see ResponsePiece::afterSamplers
    Cut cut = Cut::None;
};

// One step of the answer: a single token where the engine reports tokens.
struct ResponsePiece {
    std::string bytes{}; // whole characters; empty while a character is incomplete
    std::string shown{}; // the text to show now; text that may begin a stop text is held back
    std::optional<TokenId> token{};
    std::optional<double> logProbability{};      // natural logarithm; see afterSamplers
    std::vector<ResponseCandidate> candidates{}; // most probable first; the drawn token itself may be missing
    double entropy = 0;                          // in bits; 0: not known
    std::size_t kept = 0;                        // tokens that could have been drawn; 0: not known
    // Which distribution the probabilities belong to: the one that the samplers left, or the one at temperature 1
    // before them.
    bool afterSamplers = false;
};

// Zero where the engine does not report a figure. Seconds are wall-clock time unless stated otherwise.
struct ResponseFigures {
    std::size_t promptTokens = 0;    // the whole prompt, without the beginning of the answer
    std::size_t readTokens = 0;      // tokens of the prompt and of the answer's beginning that were not cached
    std::size_t reusedTokens = 0;    // tokens of the prompt and the answer's beginning that were kept
    double readSeconds = 0;          // 0 until all of them are read
    std::uint64_t batchedTokens = 0; // the part of `readTokens` that was evaluated several at a time
    double batchedSeconds = 0;       // measured by the engine
    std::size_t tokens = 0;
    double seconds = 0;                // since the prompt was read
    std::uint64_t evaluatedTokens = 0; // the last token drawn is evaluated only if another one is wanted
    double evaluationSeconds = 0;      // of `evaluatedTokens`, measured by the engine
    std::uint64_t bytesRead = 0;       // weights and KV cache, for these tokens
    std::uint64_t draftedTokens = 0;   // proposed by ResponseRequest::drafter and evaluated
    std::uint64_t acceptedTokens = 0;  // the part of `draftedTokens` that is in the answer
    std::size_t contextUsed = 0;

    [[nodiscard]] double promptPerSecond() const; // 0: not known
    [[nodiscard]] double tokensPerSecond() const; // 0: not known
    [[nodiscard]] double bytesPerSecond() const;  // 0: not known
};

// The prompt as the engine receives it.
struct PromptFacts {
    std::string text{}; // without the beginning of the answer; empty where the engine applies the template
    // The tokens, with the beginning of the answer and with those tokens of a text that are left out; empty where the
    // engine does not take tokens.
    std::vector<TokenId> ids{};
    // How the answer is written; null where the engine applies its own template, or there is none.
    std::shared_ptr<const text::AnswerFormat> format{};
    // The texts of control tokens that a person has written since the last answer and that became control tokens.
    std::vector<std::string> typedSpecials{};
};

// Each callback may be empty.
struct ResponseListener {
    std::function<void(PromptFacts, const ResponseFigures&)> promptMade{}; // called before the prompt is read
    std::function<void(const ResponseFigures&)> promptRead{};
    // Called when the context cannot hold everything, before the prompt is made or while the answer is generated: how
    // many messages, or tokens of the text, the engine has left out (see context_window.h).
    std::function<void(std::size_t messages, std::size_t tokens)> shortened{};
    // Returning false ends the answer, as a stop request does.
    std::function<bool(ResponsePiece, const ResponseFigures&)> piece{};
};

struct Response {
    std::optional<StopReason> reason{};             // empty: the answer was stopped, or the template failed
    std::optional<text::TemplateProblem> problem{}; // of the chat template; there is no answer then
    std::string rest{};                             // text that was held back when generation ended
    ResponseFigures figures{};
    std::size_t skippedEvents = 0;      // of a server's stream: text of the answer may be missing
    std::vector<Error> refusedStates{}; // saved states on the disk that could not be used (prefixes/prefix_folder.h)
};

// The facts about an engine that has loaded a model.
struct ResponderFacts {
    EngineCapabilities capabilities{};
    std::shared_ptr<const Model> model{};
    std::shared_ptr<const text::Tokenizer> tokenizer{}; // null: the file has no usable tokenizer
    std::optional<Error> tokenizerError{};              // why `tokenizer` is null
    SessionOptions options{};                           // as they apply; context and threads are 0 where not known
    std::uint32_t trainedContext = 0;                   // 0: the file does not state it
    std::vector<std::string> leftOut{};                 // as LoadedModel::leftOut()
    Result<> mtpDrafts = fail(ErrorCode::NotSupported); // as LoadedModel::mtpDrafts()
    // The facts that a server has reported about itself, and how its model agrees with `model`; empty if the engine is
    // not a server.
    std::optional<ServerFacts> server{};
    ServerMatch match{};

    [[nodiscard]] bool offers(Feature feature) const { return inference::offers(capabilities, feature); }
    // An engine that takes tokens cannot respond without a tokenizer.
    [[nodiscard]] bool canRespond() const { return tokenizer != nullptr || capabilities.input != Input::Tokens; }
};

// How probable a given token is after given tokens, at temperature 1.
struct TokenScore {
    double logProbability = 0;                   // natural logarithm
    std::vector<ResponseCandidate> candidates{}; // the most probable tokens there, most probable first
};

class Responder {
public:
    virtual ~Responder() = default;

    // As the functions of Session, for an engine in a process of its own that may end while nobody asks for an answer.
    [[nodiscard]] virtual int processDescriptor() const { return -1; }
    [[nodiscard]] virtual std::optional<Error> findProcessEnd() { return std::nullopt; }

    [[nodiscard]] virtual const ResponderFacts& facts() const = 0;
    // A stop request ends the answer within one token and is not an error. Progress counts tokens of the prompt and
    // does not change after promptRead() was called. Errors: why there is no tokenizer; NoSuchKey (a conversation
    // without a chat template); InvalidArgument (Detail::PromptWithoutTokens); LimitExceeded (Detail::ContextTokens,
    // tokens, limit); the errors of the grammar and of the engine.
    [[nodiscard]] virtual Result<Response> respond(const ResponseRequest& request, const ResponseListener& listener,
                                                   const JobContext& job) = 0;
    // Returns the probability of `next` after `tokens`, which must not be empty, and the `candidates` most probable
    // tokens there. Errors: NotSupported without Feature::Scoring, or if the engine does not report this token; the
    // errors of the engine; Cancelled.
    [[nodiscard]] virtual Result<TokenScore> score(std::span<const TokenId> tokens, TokenId next,
                                                   std::size_t candidates, const JobContext& job);
};

} // namespace gufo::inference
