// The capabilities of an engine, and the features of the program that they make possible. Pages and verbs ask offers()
// and never compare the name of an engine. The texts about missing features are in ui/messages/engine_text.h.
//
// Thread contract: these are values and pure functions.
#pragma once

#include <cstdint>

namespace gufo::inference {

// The information that an engine reports about the tokens that could come next.
enum class Scores : std::uint8_t {
    None,
    Candidates, // the most probable tokens with their probabilities
    Logits,     // the logits of the whole vocabulary: the engine provides a Session
};

// The most exact form of prompt that an engine accepts. Each form includes the forms before it.
enum class Input : std::uint8_t {
    Conversation, // messages: the engine applies its own chat template
    Text,         // Gufo applies the chat template
    Tokens,       // Gufo applies the chat template and the tokenizer
};

struct EngineCapabilities {
    Scores scores = Scores::None;
    Input input = Input::Conversation;
    bool embeddings = false;     // the engine computes embedding vectors of texts
    bool grammars = false;       // answers can be constrained by a grammar (inference/grammar/grammar.h)
    bool schemas = false;        // answers can be constrained by a JSON schema; implied by grammars
    bool savesState = false;     // the KV cache can be saved and restored
    bool knowsMemory = false;    // the memory that a run needs is known before the model is loaded
    bool shiftsContext = false;  // a full context can drop its older half
    bool engineTemplate = false; // it can apply a chat template itself, instead of Gufo
    bool afterSamplers = false;  // it can report the probabilities that the samplers leave
    bool scoresTokens = false;   // it reports the probability of any token after any tokens (Responder::score)
    bool completes = false;      // it continues texts, although it applies its own chat template to conversations
    bool swapsWeights = false;   // it runs a model whose tensors come from several files (model/swapped_model.h)
    bool allSamplers = true;     // otherwise only temperature, top-p, frequency and presence penalties, and the seed
    bool operator==(const EngineCapabilities&) const = default;
};

// The fields of SessionOptions that an engine obeys, besides `server`. It ignores the others, which pages therefore
// switch off and verbs refuse.
struct ObeyedOptions {
    bool context = false;
    bool ropeContext = false;
    bool batch = false;
    bool cacheTypes = false; // `keys` and `values`
    bool threads = false;
    bool rope = false;
    bool offload = false;
    bool prefixes = false;
    bool mtpDrafts = false;
    bool operator==(const ObeyedOptions&) const = default;
};

// A feature that a page or a verb needs from an engine.
enum class Feature : std::uint8_t {
    Probabilities, // of the tokens of an answer
    Candidates,    // the alternatives at each position
    Branching,     // continuing after a different candidate
    Continuing,    // continuing a partial answer
    Completion,    // continuing a text, without a chat template
    ChatTemplate,  // Gufo chooses the chat template
    Grammar,
    JsonSchema, // constraining an answer by a JSON schema
    TokenBias,  // making single tokens more probable, or forbidding them
    ContextShift,
    MemoryForecast,
    AllLogits, // lock step, KL divergence, perplexity
    Embeddings,
    SavedState,
    EngineTemplate, // the engine applies a chat template itself
    AfterSamplers,  // the probabilities that the samplers leave
    AllSamplers,
    Scoring, // the probabilities of a given text's tokens
};
inline constexpr int kFeatureCount = 18;

[[nodiscard]] bool offers(const EngineCapabilities& engine, Feature feature);

} // namespace gufo::inference
