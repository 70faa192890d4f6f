#include "cli/generation_options.h"

#include "base/try.h"
#include "cli/text_input.h"
#include "inference/grammar/json_schema.h"
#include "inference/sampling/model_defaults.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"

#include <QRandomGenerator>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace gufo::cli {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

struct ConstraintRow {
    const char* name;
    bool isFile;
    bool isSchema;
};
constexpr ConstraintRow kConstraints[]{{"grammar", true, false},
                                       {"grammar-text", false, false},
                                       {"json-schema", true, true},
                                       {"json-schema-text", false, true}};

// Its grammar is null if no grammar option is given.
Expected<inference::SchemaGrammar> grammarOf(const Invocation& invocation, const char* verb, Console& console) {
    const ConstraintRow* chosen = nullptr;
    for (const ConstraintRow& option : kConstraints) {
        if (invocation.isSet(option.name)) {
            if (chosen != nullptr) {
                return std::unexpected(console.fail(
                    Cli::tr("%1: --%2 and --%3 cannot be combined")
                        .arg(QLatin1String(verb), QLatin1String(chosen->name), QLatin1String(option.name))));
            }
            chosen = &option;
        }
    }
    const bool relaxed = invocation.isSet("schema-relaxed");
    if (relaxed && (chosen == nullptr || !chosen->isSchema)) {
        return std::unexpected(console.fail(
            Cli::tr("%1: --schema-relaxed needs --json-schema or --json-schema-text").arg(QLatin1String(verb))));
    }
    if (chosen == nullptr) {
        return inference::SchemaGrammar();
    }
    const std::string value = *invocation.value(chosen->name);
    const auto text = GUFO_TRY(chosen->isFile ? readTextFile(value, console) : Expected<std::string>(value));
    const std::filesystem::path said = chosen->isFile ? value : std::string("--") + chosen->name;
    if (chosen->isSchema) {
        auto parsed = inference::parseJsonSchema(text, {.relaxed = relaxed});
        if (!parsed) {
            return std::unexpected(console.fail(std::move(parsed.error()), said));
        }
        for (const std::string& place : parsed->relaxed) {
            console.note(
                Cli::tr("--schema-relaxed: %1 is ignored; the answer may violate it").arg(ui::displayText(place)));
        }
        return std::move(*parsed);
    }
    auto parsed = inference::Grammar::parse(text);
    if (!parsed) {
        return std::unexpected(console.fail(std::move(parsed.error()), said));
    }
    return inference::SchemaGrammar{.grammar = std::move(*parsed)};
}

// Finds a token by its id, by its exact text (" the" and "the" differ), or by a text that encodes to one token.
std::expected<TokenId, QString> tokenOf(const std::string& name, const text::Tokenizer& tokenizer) {
    const bool isId = !name.empty() && name.size() < 10 && name.find_first_not_of("0123456789") == std::string::npos;
    if (isId) {
        const TokenId id(std::stoul(name));
        return id.value < tokenizer.vocabulary().size()
                   ? std::expected<TokenId, QString>(id)
                   : std::unexpected(Cli::tr("the vocabulary has %n tokens, and none with the id %1", nullptr,
                                             ui::numerus(tokenizer.vocabulary().size()))
                                         .arg(id.value));
    }
    for (std::size_t i = 0; i < tokenizer.vocabulary().size(); ++i) {
        if (!name.empty() && tokenizer.bytesOf(TokenId(i)) == name) {
            return TokenId(i);
        }
    }
    const auto encoding = tokenizer.encode(name, {.addBos = false, .addEos = false, .parseSpecial = true});
    if (!encoding || encoding->ids.size() != 1) {
        return std::unexpected(Cli::tr("\"%1\" is not a single token but %2; give ids, which gufo-cli tokenize prints")
                                   .arg(ui::displayText(name))
                                   .arg(encoding ? encoding->ids.size() : 0));
    }
    return encoding->ids.front();
}

std::expected<double, QString> biasOf(const std::string& text) {
    if (text == "-inf" || text == "false") {
        return -std::numeric_limits<double>::infinity();
    }
    double value = 0;
    const auto parsed =
        std::from_chars(text.data() + (text.starts_with('+') ? 1 : 0), text.data() + text.size(), value);
    if (text.empty() || parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || !std::isfinite(value)) {
        return std::unexpected(
            Cli::tr("--logit-bias takes TOKEN=NUMBER, or TOKEN=-inf, not \"%1\"").arg(ui::displayText(text)));
    }
    return value;
}

// Reads --temp, --seed, --top-k and so on. The error is a sentence for the user.
std::expected<inference::SamplerSettings, QString> samplerSettingsOf(const Invocation& invocation) {
    inference::SamplerSettings settings;
    struct Real {
        const char* name;
        double& to;
        double minimum = -kNoLimit;
        double maximum = kNoLimit;
    };
    const Real reals[]{{"temp", settings.temperature, 0},
                       {"top-p", settings.topP, 0, 1},
                       {"min-p", settings.minP, 0, 1},
                       {"typical", settings.typicalP, 0, 1},
                       {"top-n-sigma", settings.topNSigma},
                       {"xtc-probability", settings.xtcProbability, 0, 1},
                       {"xtc-threshold", settings.xtcThreshold, 0, 1},
                       {"repeat-penalty", settings.repeatPenalty},
                       {"frequency-penalty", settings.frequencyPenalty},
                       {"presence-penalty", settings.presencePenalty},
                       {"dry-multiplier", settings.dryMultiplier, 0},
                       {"dry-base", settings.dryBase, 0},
                       {"dynatemp-range", settings.temperatureRange, 0},
                       {"dynatemp-exp", settings.temperatureExponent, 0},
                       {"mirostat-tau", settings.mirostatTau, 0},
                       {"mirostat-eta", settings.mirostatEta, 0}};
    for (const Real& real : reals) {
        const auto value = GUFO_TRY(invocation.real(real.name, real.minimum, real.maximum));
        real.to = value.value_or(real.to);
    }
    if (settings.repeatPenalty <= 0) {
        return std::unexpected(Cli::tr("--repeat-penalty takes a number greater than 0"));
    }
    const auto topK = invocation.number("top-k", 0, kMaxTokens);
    // A random seed has 32 bits, because servers have no longer ones.
    const bool isRandom = invocation.value("seed") == "-1";
    const auto seed = isRandom ? std::optional<std::uint64_t>(QRandomGenerator::system()->generate())
                               : invocation.number("seed", 0, ~std::uint64_t{0});
    const auto mirostat = invocation.number("mirostat", 0, 2);
    const auto repeatLast = invocation.number("repeat-last-n", 0, kMaxTokens);
    const auto dryAllowed = invocation.number("dry-allowed-length", 0, kMaxTokens);
    const auto dryLast = invocation.number("dry-penalty-last-n", 0, kMaxTokens);
    for (const auto* value : {&topK, &seed, &mirostat, &repeatLast, &dryAllowed, &dryLast}) {
        if (!*value) {
            return std::unexpected(value->error());
        }
    }
    settings.penaltyLast = static_cast<std::uint32_t>(repeatLast->value_or(settings.penaltyLast));
    settings.dryAllowed = static_cast<std::uint32_t>(dryAllowed->value_or(settings.dryAllowed));
    settings.dryLast = static_cast<std::uint32_t>(dryLast->value_or(settings.dryLast));
    settings.topK = static_cast<std::uint32_t>(topK->value_or(settings.topK));
    settings.seed = seed->value_or(settings.seed);
    settings.mirostat = static_cast<std::uint32_t>(mirostat->value_or(0));
    settings.ignoreEnd = invocation.isSet("ignore-eos");
    return settings;
}

} // namespace

Expected<GenerationOptions> generationOptionsOf(const Invocation& invocation, const char* verb, Console& console) {
    const auto sampler = samplerSettingsOf(invocation);
    const auto maximum = invocation.number("n", 1, kMaxTokens);
    const auto stops = invocation.values("stop");
    const bool emptyStop = std::ranges::find(stops, std::string()) != stops.end();
    // A grammar ends the text, too.
    const bool isEndless =
        invocation.isSet("ignore-eos") && !invocation.isSet("n") &&
        std::ranges::none_of(kConstraints, [&](const ConstraintRow& option) { return invocation.isSet(option.name); });
    for (const auto& error :
         {sampler ? QString() : sampler.error(), maximum ? QString() : maximum.error(),
          emptyStop ? Cli::tr("the text of --stop must not be empty") : QString(),
          isEndless ? Cli::tr("--ignore-eos needs -n N, because the text would never end") : QString()}) {
        if (!error.isEmpty()) {
            return std::unexpected(console.fail(QLatin1String(verb) + QStringLiteral(": ") + error));
        }
    }
    auto grammar = GUFO_TRY(grammarOf(invocation, verb, console));
    return GenerationOptions{.settings = {.sampler = *sampler,
                                          .maxTokens = static_cast<std::uint32_t>(maximum->value_or(0)),
                                          .stops = stops},
                             .grammar = std::move(grammar.grammar),
                             .relaxed = invocation.isSet("schema-relaxed") ? std::optional(std::move(grammar.relaxed))
                                                                           : std::nullopt,
                             .literalContent = invocation.isSet("literal-content")};
}

void writeRelaxed(const GenerationOptions& options, ui::JsonWriter& json) {
    if (!options.relaxed) {
        return;
    }
    json.key("relaxed");
    json.beginArray();
    for (const std::string& place : *options.relaxed) {
        json.value(std::string_view(place));
    }
    json.endArray();
}

namespace {

struct SamplingKeyRow {
    std::string_view key; // after "general.sampling."
    const char* option;
};
constexpr auto kKeyOptions = std::to_array<SamplingKeyRow>({{"temp", "temp"},
                                                            {"top_k", "top-k"},
                                                            {"top_p", "top-p"},
                                                            {"min_p", "min-p"},
                                                            {"xtc_probability", "xtc-probability"},
                                                            {"xtc_threshold", "xtc-threshold"},
                                                            {"penalty_last_n", "repeat-last-n"},
                                                            {"penalty_repeat", "repeat-penalty"},
                                                            {"mirostat", "mirostat"},
                                                            {"mirostat_tau", "mirostat-tau"},
                                                            {"mirostat_eta", "mirostat-eta"}});

// Takes what the model recommends and no option states, and says so.
void applyModelDefaults(const Invocation& invocation, const inference::Responder& responder,
                        inference::SamplerSettings& settings, Console& console) {
    QStringList taken;
    for (const inference::ModelDefault& each : inference::modelDefaults(responder.facts().model->metadata)) {
        const auto found = std::ranges::find(kKeyOptions, each.key, &SamplingKeyRow::key);
        const inference::SamplerSettings usual;
        const double other = each.real != nullptr ? usual.*each.real : usual.*each.whole;
        const bool differs = static_cast<float>(other) != static_cast<float>(each.value); // files have floats
        if (found != kKeyOptions.end() && differs && !invocation.isSet(found->option)) {
            each.apply(settings);
            taken << QStringLiteral("--%1 %2").arg(QLatin1String(found->option)).arg(each.value);
        }
    }
    if (!taken.isEmpty()) {
        console.note(Cli::tr("The model recommends %1 (general.sampling), which is used; options override it.")
                         .arg(taken.join(QLatin1Char(' '))));
    }
}

} // namespace

Expected<void> applyEngine(const Invocation& invocation, const char* verb, const inference::Responder& responder,
                           GenerationOptions& options, Console& console) {
    const auto biases = invocation.values("logit-bias");
    if (!biases.empty() && !checkOffered(responder, inference::Feature::TokenBias, verb, "--logit-bias", console)) {
        return std::unexpected(kFailed);
    }
    for (const ConstraintRow& option : kConstraints) {
        const std::string name = std::string("--") + option.name;
        const auto feature = option.isSchema ? inference::Feature::JsonSchema : inference::Feature::Grammar;
        if (invocation.isSet(option.name) && !checkOffered(responder, feature, verb, name.c_str(), console)) {
            return std::unexpected(kFailed);
        }
    }
    static constexpr std::array<const char*, 17> kOtherSamplers{"top-k",
                                                                "min-p",
                                                                "typical",
                                                                "top-n-sigma",
                                                                "xtc-probability",
                                                                "xtc-threshold",
                                                                "dynatemp-range",
                                                                "dynatemp-exp",
                                                                "repeat-penalty",
                                                                "repeat-last-n",
                                                                "dry-multiplier",
                                                                "dry-base",
                                                                "dry-allowed-length",
                                                                "mirostat",
                                                                "mirostat-tau",
                                                                "mirostat-eta",
                                                                "ignore-eos"};
    for (const char* name : kOtherSamplers) {
        if (invocation.isSet(name) && !checkOffered(responder, inference::Feature::AllSamplers, verb,
                                                    (std::string("--") + name).c_str(), console)) {
            return std::unexpected(kFailed);
        }
    }
    if (options.literalContent && responder.facts().tokenizer == nullptr) {
        return std::unexpected(console.fail(
            Cli::tr("%1: --literal-content is not possible: the server makes the tokens").arg(QLatin1String(verb))));
    }
    for (const std::string& assignment : biases) {
        const std::size_t equals = assignment.rfind('=');
        const auto value = biasOf(equals == std::string::npos ? assignment : assignment.substr(equals + 1));
        const auto token = value && equals != std::string::npos
                               ? tokenOf(assignment.substr(0, equals), *responder.facts().tokenizer)
                               : std::unexpected(value ? Cli::tr("--logit-bias takes TOKEN=NUMBER") : value.error());
        if (!token) {
            return std::unexpected(console.fail(QLatin1String(verb) + QStringLiteral(": ") + token.error()));
        }
        options.settings.sampler.bias.emplace_back(*token, *value);
    }
    applyModelDefaults(invocation, responder, options.settings.sampler, console);
    return {};
}

} // namespace gufo::cli
