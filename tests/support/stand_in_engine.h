// Engines that say "one two three four one …" and differ in their capabilities, to test code that asks for these. The
// full one is a Session; all others implement Responder directly, as a server would.
#pragma once

#include "base/detail.h"
#include "inference/engine/gufo_engine.h"
#include "inference/engine_table.h"
#include "inference/generation/session_responder.h"
#include "inference/prompts/prompt_renderer.h"
#include "text/template/chat_templates.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

namespace gufo::test {

enum StandIn : std::size_t { TextOnly, TopCandidates, Full, ConversationOnly };

inline constexpr std::array<const char*, 4> kStandInWords{" one", " two", " three", " four"};
inline constexpr std::array<double, 3> kStandInShares{0.6, 0.3, 0.05}; // probabilities of the reported candidates

// What the responders were asked, except for the full one.
struct StandInLog {
    std::mutex mutex;
    std::vector<std::string>
        prompts; // with the beginning of the answer; conversations as "role: content|" for each message

    void add(std::string prompt) {
        const std::scoped_lock lock(mutex);
        prompts.push_back(std::move(prompt));
    }
    [[nodiscard]] std::string last() {
        const std::scoped_lock lock(mutex);
        return prompts.empty() ? std::string() : prompts.back();
    }
    static StandInLog& instance() {
        static StandInLog log;
        return log;
    }
};

class StandInResponder final : public inference::Responder {
public:
    explicit StandInResponder(inference::ResponderFacts facts)
        : m_facts(std::move(facts)) {}

    [[nodiscard]] const inference::ResponderFacts& facts() const override { return m_facts; }

    [[nodiscard]] Result<inference::Response> respond(const inference::ResponseRequest& request,
                                                      const inference::ResponseListener& listener,
                                                      const JobContext& job) override {
        auto prompt = promptOf(request, job);
        if (!prompt) {
            return std::unexpected(std::move(prompt.error()));
        }
        inference::Response response;
        if (!*prompt) {
            return response;
        }
        StandInLog::instance().add(**prompt + request.begun.text);
        const bool takesText = m_facts.capabilities.input >= inference::Input::Text;
        if (listener.promptMade) {
            listener.promptMade({.text = takesText ? **prompt : std::string()}, response.figures);
        }
        if (listener.promptRead) {
            listener.promptRead(response.figures);
        }
        const auto said = static_cast<std::size_t>(std::ranges::count(request.begun.text, ' '));
        for (std::size_t i = 0; request.settings.maxTokens == 0 || i < request.settings.maxTokens; ++i) {
            if (job.stopRequested()) {
                return response;
            }
            ++response.figures.tokens;
            if (listener.piece && !listener.piece(pieceOf(said + i, request.settings), response.figures)) {
                return response;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        response.reason = inference::StopReason::MaxTokens;
        return response;
    }

private:
    // Returns nothing after a stop request.
    [[nodiscard]] Result<std::optional<std::string>> promptOf(const inference::ResponseRequest& request,
                                                              const JobContext& job) {
        const bool takesText = m_facts.capabilities.input >= inference::Input::Text;
        if (const auto* text = std::get_if<std::string>(&request.prompt)) {
            return takesText ? Result<std::optional<std::string>>(*text)
                             : fail(ErrorCode::NotSupported, {}, {Detail::Message});
        }
        const auto& chat = std::get<inference::ChatPrompt>(request.prompt);
        if (!takesText) {
            std::string all;
            for (const text::Message& message : chat.messages) {
                all += message.role + ": " + message.content + '|';
            }
            return all;
        }
        inference::ChatPrompt whole = chat;
        whole.model = whole.model != nullptr ? whole.model : m_facts.model;
        auto rendered = m_renderer.render(whole, job.stop);
        return rendered ? std::optional(std::move(rendered->text)) : std::nullopt;
    }

    [[nodiscard]] inference::ResponsePiece pieceOf(std::size_t place,
                                                   const inference::GenerationSettings& settings) const {
        inference::ResponsePiece piece{.bytes = kStandInWords[place % kStandInWords.size()]};
        piece.shown = piece.bytes;
        if (m_facts.offers(inference::Feature::Probabilities)) {
            piece.logProbability = std::log(kStandInShares[0]);
            for (std::size_t i = 0; i < std::min(settings.candidates, kStandInShares.size()); ++i) {
                piece.candidates.push_back(
                    {.text = kStandInWords[(place + i) % kStandInWords.size()], .probability = kStandInShares[i]});
            }
        }
        return piece;
    }

    inference::ResponderFacts m_facts;
    inference::PromptRenderer m_renderer;
};

// Predicts " two" after " one" and so on, and " one" after anything else.
class StandInSession final : public inference::Session {
public:
    StandInSession(std::vector<TokenId> words, std::uint32_t vocabulary, std::uint32_t context)
        : m_words(std::move(words))
        , m_vocabulary(vocabulary)
        , m_context(context) {}

    [[nodiscard]] std::uint32_t context() const override { return m_context; }
    [[nodiscard]] std::uint32_t vocabulary() const override { return m_vocabulary; }
    [[nodiscard]] unsigned threads() const override { return 1; }
    [[nodiscard]] std::span<const TokenId> tokens() const override { return m_tokens; }

    [[nodiscard]] Result<> evaluate(std::span<const TokenId> tokens, inference::Logits which,
                                    const JobContext& job) override {
        if (m_tokens.size() + tokens.size() > m_context) {
            return fail(
                ErrorCode::LimitExceeded, {},
                {Detail::ContextTokens, std::to_string(m_tokens.size() + tokens.size()), std::to_string(m_context)});
        }
        job.start(tokens.size());
        m_rows.clear();
        for (const TokenId token : tokens) {
            if (job.stopRequested()) {
                return fail(ErrorCode::Cancelled);
            }
            m_tokens.push_back(token);
            job.advance(1);
            if (which == inference::Logits::Last) {
                m_rows.clear();
            }
            if (which != inference::Logits::None) {
                m_rows.push_back(rowAfter(token));
            }
        }
        (tokens.size() > 1 ? m_figures.promptTokens : m_figures.generatedTokens) += tokens.size();
        (tokens.size() > 1 ? m_figures.promptSeconds : m_figures.generationSeconds) += 0.001;
        return {};
    }
    [[nodiscard]] std::span<const float> logits(std::size_t row) const override { return m_rows[row]; }
    std::size_t truncate(std::size_t count) override {
        m_tokens.resize(std::min(count, m_tokens.size()));
        return m_tokens.size();
    }
    [[nodiscard]] Result<> shift(std::size_t keep, std::size_t discard, const JobContext& /*job*/) override {
        const auto first = m_tokens.begin() + static_cast<std::ptrdiff_t>(keep);
        m_tokens.erase(first, first + static_cast<std::ptrdiff_t>(discard));
        return {};
    }
    [[nodiscard]] std::vector<std::byte> saveState() const override {
        const auto bytes = std::as_bytes(std::span(m_tokens));
        return {bytes.begin(), bytes.end()};
    }
    [[nodiscard]] Result<> restoreState(std::span<const std::byte> state) override {
        m_tokens.resize(state.size() / sizeof(TokenId));
        std::memcpy(m_tokens.data(), state.data(), m_tokens.size() * sizeof(TokenId));
        return {};
    }
    [[nodiscard]] const inference::SessionFigures& figures() const override { return m_figures; }

private:
    [[nodiscard]] std::vector<float> rowAfter(TokenId token) const {
        std::vector<float> row(m_vocabulary);
        const auto at = std::ranges::find(m_words, token);
        const auto next = at == m_words.end() ? 0 : static_cast<std::size_t>(at - m_words.begin()) + 1;
        for (std::size_t i = 0; i < m_words.size(); ++i) {
            row[m_words[(next + i) % m_words.size()].value] = 12.0F - static_cast<float>(i);
        }
        return row;
    }

    std::vector<TokenId> m_words;
    std::uint32_t m_vocabulary;
    std::uint32_t m_context;
    std::vector<TokenId> m_tokens;
    std::vector<std::vector<float>> m_rows;
    inference::SessionFigures m_figures;
};

class StandInModel final : public inference::LoadedModel {
public:
    explicit StandInModel(std::shared_ptr<const Model> model)
        : m_model(std::move(model)) {
        if (const auto tokenizer = text::makeTokenizer(*m_model)) {
            m_vocabulary = static_cast<std::uint32_t>((*tokenizer)->vocabulary().size());
            for (const char* word : kStandInWords) {
                for (std::size_t i = 0; i < m_vocabulary; ++i) {
                    if ((*tokenizer)->bytesOf(TokenId(i)) == word) {
                        m_words.emplace_back(i);
                    }
                }
            }
        }
    }
    [[nodiscard]] const std::shared_ptr<const Model>& model() const override { return m_model; }
    [[nodiscard]] std::uint32_t trainedContext() const override { return 0; }
    [[nodiscard]] std::span<const std::string> leftOut() const override { return {}; }

private:
    [[nodiscard]] Result<std::unique_ptr<inference::Session>> start(const inference::SessionOptions& options,
                                                                    const JobContext& /*job*/) const override {
        return std::make_unique<StandInSession>(m_words, m_vocabulary, options.context != 0 ? options.context : 512);
    }

    std::shared_ptr<const Model> m_model;
    std::uint32_t m_vocabulary = 0;
    std::vector<TokenId> m_words;
};

namespace stand_in {

using inference::EngineCapabilities;
using inference::Input;
using inference::Scores;

inline constexpr std::array<EngineCapabilities, 4> kCapabilities{{
    {.scores = Scores::None, .input = Input::Text},
    {.scores = Scores::Candidates, .input = Input::Text},
    {.scores = Scores::Logits,
     .input = Input::Tokens,
     .grammars = true,
     .savesState = true,
     .knowsMemory = true,
     .shiftsContext = true},
    {.scores = Scores::None, .input = Input::Conversation},
}};

template<StandIn kind>
Result<std::unique_ptr<inference::Responder>> open(const std::shared_ptr<const Model>& model,
                                                   const inference::SessionOptions&, const JobContext&) {
    inference::ResponderFacts facts{.capabilities = kCapabilities[kind], .model = model};
    facts.options.context = 0; // a server need not report it
    return std::make_unique<StandInResponder>(std::move(facts));
}

inline Result<std::shared_ptr<const inference::LoadedModel>> load(std::shared_ptr<const Model> model) {
    return std::make_shared<StandInModel>(std::move(model));
}

template<>
inline Result<std::unique_ptr<inference::Responder>>
open<Full>(const std::shared_ptr<const Model>& model, const inference::SessionOptions& options, const JobContext& job) {
    return inference::openSessionResponder(kCapabilities[Full], *load(model), options, job);
}

inline constexpr std::array<inference::Engine, 4> kEngines{{
    {.id = "text-only", .capabilities = kCapabilities[TextOnly], .open = open<TextOnly>},
    {.id = "top-candidates", .capabilities = kCapabilities[TopCandidates], .open = open<TopCandidates>},
    {.id = "full",
     .capabilities = kCapabilities[Full],
     .obeys = {.context = true, .prefixes = true},
     .open = open<Full>,
     .load = load,
     .forecast = inference::forecastMemory},
    {.id = "conversation-only", .capabilities = kCapabilities[ConversationOnly], .open = open<ConversationOnly>},
}};

} // namespace stand_in

inline std::span<const inference::Engine> standIns() { return stand_in::kEngines; }
inline const inference::Engine& standIn(StandIn kind) { return stand_in::kEngines[kind]; }

} // namespace gufo::test
