#include "inference/interface/engine_capabilities.h"

#include <array>
#include <cstddef>

namespace gufo::inference {
namespace {

struct NeedRow {
    Feature feature;
    Scores scores;
    Input input;
    bool EngineCapabilities::* flag;                  // null: none
    bool EngineCapabilities::* alternative = nullptr; // another flag that suffices
};

constexpr std::array<NeedRow, kFeatureCount> kNeeds{{
    {Feature::Probabilities, Scores::Candidates, Input::Conversation, nullptr},
    {Feature::Candidates, Scores::Candidates, Input::Conversation, nullptr},
    {Feature::Branching, Scores::Candidates, Input::Text, nullptr},
    {Feature::Continuing, Scores::None, Input::Text, nullptr},
    {Feature::Completion, Scores::None, Input::Text, nullptr},
    {Feature::ChatTemplate, Scores::None, Input::Text, nullptr},
    {Feature::Grammar, Scores::None, Input::Conversation, &EngineCapabilities::grammars},
    {Feature::JsonSchema, Scores::None, Input::Conversation, &EngineCapabilities::schemas,
     &EngineCapabilities::grammars},
    {Feature::TokenBias, Scores::None, Input::Tokens, nullptr},
    {Feature::ContextShift, Scores::None, Input::Conversation, &EngineCapabilities::shiftsContext},
    {Feature::MemoryForecast, Scores::None, Input::Conversation, &EngineCapabilities::knowsMemory},
    {Feature::AllLogits, Scores::Logits, Input::Tokens, nullptr},
    {Feature::Embeddings, Scores::None, Input::Conversation, &EngineCapabilities::embeddings},
    {Feature::SavedState, Scores::None, Input::Conversation, &EngineCapabilities::savesState},
    {Feature::EngineTemplate, Scores::None, Input::Text, &EngineCapabilities::engineTemplate},
    {Feature::AfterSamplers, Scores::Candidates, Input::Conversation, &EngineCapabilities::afterSamplers},
    {Feature::AllSamplers, Scores::None, Input::Conversation, &EngineCapabilities::allSamplers},
    {Feature::Scoring, Scores::Candidates, Input::Tokens, &EngineCapabilities::scoresTokens},
}};

constexpr bool areInOrder() {
    for (std::size_t i = 0; i < kNeeds.size(); ++i) {
        if (kNeeds[i].feature != static_cast<Feature>(i)) {
            return false;
        }
    }
    return true;
}
static_assert(areInOrder());

} // namespace

bool offers(const EngineCapabilities& engine, Feature feature) {
    if (feature == Feature::Completion && engine.completes) {
        return true;
    }
    const NeedRow& need = kNeeds[static_cast<std::size_t>(feature)];
    const bool hasFlag =
        need.flag == nullptr || engine.*need.flag || (need.alternative != nullptr && engine.*need.alternative);
    return engine.scores >= need.scores && engine.input >= need.input && hasFlag;
}

} // namespace gufo::inference
