#include "inference/remote/server_requests.h"

#include "inference/remote/json_members.h"
#include "text/conversation/conversation.h"

#include <algorithm>
#include <array>

namespace gufo::inference {
namespace {

std::string idList(std::span<const TokenId> ids) {
    std::string list = "[";
    for (const TokenId id : ids) {
        list += (list.size() > 1 ? "," : "") + std::to_string(id.value);
    }
    return list + "]";
}

// A bias of −∞, which JSON cannot express, is written as false.
std::string biasList(std::span<const std::pair<TokenId, double>> biases) {
    std::string list;
    for (const auto& [token, bias] : biases) {
        const bool forbids = std::isinf(bias) && bias < 0;
        list += (list.empty() ? "[" : ",[") + std::to_string(token.value) + "," +
                (forbids ? "false" : JsonMembers::numberText(bias)) + "]";
    }
    return "[" + list + "]";
}

// The order in which Gufo's sampler applies them (sampling/sampler.h).
constexpr std::string_view kSamplerOrder =
    R"(["penalties","dry","top_n_sigma","top_k","typ_p","top_p","min_p","xtc","temperature"])";

void addSamplers(JsonMembers& body, const SamplerSettings& sampler, std::uint32_t context) {
    struct Real {
        std::string_view name;
        double SamplerSettings::* value;
    };
    static constexpr std::array kReals{
        Real{"dynatemp_range", &SamplerSettings::temperatureRange},
        Real{"dynatemp_exponent", &SamplerSettings::temperatureExponent},
        Real{"typical_p", &SamplerSettings::typicalP},
        Real{"top_p", &SamplerSettings::topP},
        Real{"min_p", &SamplerSettings::minP},
        Real{"xtc_probability", &SamplerSettings::xtcProbability},
        Real{"xtc_threshold", &SamplerSettings::xtcThreshold},
        Real{"repeat_penalty", &SamplerSettings::repeatPenalty},
        Real{"frequency_penalty", &SamplerSettings::frequencyPenalty},
        Real{"presence_penalty", &SamplerSettings::presencePenalty},
        Real{"dry_multiplier", &SamplerSettings::dryMultiplier},
        Real{"dry_base", &SamplerSettings::dryBase},
        Real{"mirostat_tau", &SamplerSettings::mirostatTau},
        Real{"mirostat_eta", &SamplerSettings::mirostatEta},
    };
    for (const Real& each : kReals) {
        body.number(each.name, sampler.*each.value);
    }
    body.number("temperature", std::max(0.0, sampler.temperature));
    // llama-server switches it off at −1: 0 would keep only the most probable token.
    body.number("top_n_sigma", sampler.topNSigma > 0 ? sampler.topNSigma : -1.0);
    body.number("top_k", sampler.topK);
    body.number("repeat_last_n", sampler.penaltyLast);
    body.number("dry_allowed_length", sampler.dryAllowed);
    // Newer servers refuse −1 for the whole context, so its length is sent.
    if (const std::uint32_t last = sampler.dryLast != 0 ? sampler.dryLast : context; last != 0) {
        body.number("dry_penalty_last_n", last);
    }
    body.number("mirostat", sampler.mirostat);
    body.number("seed", sampler.seed & 0xFFFF'FFFFU); // llama-server's seed has 32 bits
    body.flag("ignore_eos", sampler.ignoreEnd);
    body.raw("logit_bias", biasList(sampler.bias));
    body.raw("samplers", kSamplerOrder);
}

std::string messagesWithoutReasoning(const ChatPrompt& chat) {
    std::vector<text::Message> messages = chat.messages;
    for (text::Message& message : messages) {
        message.reasoning.clear();
    }
    return text::linkToolCalls(text::messagesJson(messages));
}

} // namespace

std::string completionBody(const CompletionRequest& request) {
    const GenerationSettings& settings = *request.settings;
    JsonMembers body;
    body.raw("prompt", idList(request.prompt));
    body.flag("stream", true);
    body.flag("cache_prompt", true);
    body.flag("return_tokens", true);
    body.flag("return_progress", true);
    body.flag("timings_per_token", true);
    // The members of the last event, which otherwise repeats the text of the prompt, and that need not be UTF-8.
    body.raw("response_fields",
             R"(["content","stop","stop_type","truncated","tokens_predicted","tokens_evaluated","timings"])");
    if (settings.maxTokens != 0) {
        body.number("n_predict", settings.maxTokens);
    } else {
        body.number("n_predict", -1);
    }
    body.number("n_probs", settings.candidates);
    body.flag("post_sampling_probs", request.afterSamplers);
    body.texts("stop", settings.stops);
    if (!request.written.empty()) {
        body.texts("preserved_tokens", request.written);
    }
    if (!request.grammar.empty()) {
        body.text("grammar", request.grammar);
    }
    addSamplers(body, settings.sampler, request.context);
    return body.object();
}

std::string scoreBody(std::span<const TokenId> prompt, TokenId next, std::size_t candidates) {
    constexpr double kCertain = 1e6; // more than any difference of logits
    const std::pair<TokenId, double> bias(next, kCertain);
    JsonMembers body;
    body.raw("prompt", idList(prompt));
    body.flag("stream", false);
    body.flag("cache_prompt", true);
    body.number("n_predict", 1);
    body.number("n_probs", std::max<std::size_t>(candidates, 1)); // 0: no probabilities at all
    body.raw("response_fields", R"(["content","stop","stop_type","completion_probabilities"])");
    body.number("temperature", 0);
    body.raw("logit_bias", biasList(std::span(&bias, 1)));
    return body.object();
}

std::string tokenizeBody(std::string_view text, bool addSpecial) {
    return JsonMembers().text("content", text).flag("add_special", addSpecial).flag("parse_special", true).object();
}

std::string applyTemplateBody(const ChatPrompt& chat) {
    JsonMembers body;
    body.raw("messages", text::linkToolCalls(text::messagesJson(chat.messages)));
    if (!chat.options.tools.empty()) {
        body.raw("tools", chat.options.tools);
    }
    body.flag("add_generation_prompt", chat.options.generationPrompt);
    if (!chat.options.variables.empty()) {
        JsonMembers variables;
        for (const auto& [name, value] : chat.options.variables) {
            variables.raw(name, value);
        }
        body.raw("chat_template_kwargs", variables.object());
    }
    return body.object();
}

namespace {

// What OpenAI's protocol knows of the settings.
void addCommonSettings(JsonMembers& body, const GenerationSettings& settings) {
    const SamplerSettings& sampler = settings.sampler;
    body.number("temperature", std::max(0.0, sampler.temperature));
    body.number("top_p", sampler.topP);
    body.number("frequency_penalty", sampler.frequencyPenalty);
    body.number("presence_penalty", sampler.presencePenalty);
    body.number("seed", sampler.seed & 0x7FFF'FFFF'FFFF'FFFFU);
    if (settings.maxTokens != 0) {
        body.number("max_tokens", settings.maxTokens);
    }
    if (!settings.stops.empty()) {
        body.texts("stop", settings.stops);
    }
}

} // namespace

std::string textBody(std::string_view prompt, const GenerationSettings& settings, std::string_view model) {
    constexpr std::size_t kMaxCandidates = 5;
    JsonMembers body;
    body.text("model", model);
    body.text("prompt", prompt);
    body.flag("stream", true);
    body.raw("stream_options", R"({"include_usage":true})");
    if (settings.candidates != 0) {
        body.number("logprobs", std::min(settings.candidates, kMaxCandidates));
    }
    addCommonSettings(body, settings);
    return body.object();
}

std::string chatBody(const ChatPrompt& chat, const GenerationSettings& settings, std::string_view model,
                     std::string_view jsonSchema) {
    constexpr std::size_t kMaxCandidates = 20;
    JsonMembers body;
    body.text("model", model);
    body.raw("messages", messagesWithoutReasoning(chat));
    body.flag("stream", true);
    body.raw("stream_options", R"({"include_usage":true})");
    if (!chat.options.tools.empty()) {
        body.raw("tools", chat.options.tools);
    } else if (settings.candidates != 0) {
        body.flag("logprobs", true);
        body.number("top_logprobs", std::min(settings.candidates, kMaxCandidates));
    }
    addCommonSettings(body, settings);
    if (!jsonSchema.empty()) {
        // "strict" makes a server refuse a schema that it cannot enforce, instead of treating it as a hint.
        const std::string schema =
            JsonMembers().text("name", "answer").raw("schema", jsonSchema).flag("strict", true).object();
        body.raw("response_format", JsonMembers().text("type", "json_schema").raw("json_schema", schema).object());
    }
    return body.object();
}

} // namespace gufo::inference
