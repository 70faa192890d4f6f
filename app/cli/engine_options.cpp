#include "cli/engine_options.h"

#include "cli/engine_choice.h"
#include "cli/progress_line.h"
#include "cli/text_input.h"
#include "document/open_model.h"
#include "inference/engine/binding/graph_traits.h"
#include "inference/grammar/json_schema.h"
#include "inference/session/needs.h"
#include "model/file_kind.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"
#include "ui/messages/left_out_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace gufo::cli {
namespace {

constexpr std::uint64_t kMaxTokens = 0x7FFF'FFFF;

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

// Parses a floating-point option. Empty if the option is absent.
std::expected<std::optional<double>, QString> realOf(const Invocation& invocation, const char* name,
                                                     double minimum = -kNoLimit, double maximum = kNoLimit) {
    const auto text = invocation.value(name);
    if (!text) {
        return std::nullopt;
    }
    double value = 0;
    const auto parsed = std::from_chars(text->data(), text->data() + text->size(), value);
    if (parsed.ec == std::errc() && parsed.ptr == text->data() + text->size() && std::isfinite(value) &&
        value >= minimum && value <= maximum) {
        return value;
    }
    const QString range = maximum != kNoLimit    ? Cli::tr("a number from %1 to %2").arg(minimum).arg(maximum)
                          : minimum != -kNoLimit ? Cli::tr("a number of at least %1").arg(minimum)
                                                 : Cli::tr("a number");
    return std::unexpected(
        Cli::tr("--%1 takes %2, not \"%3\"").arg(QLatin1String(name), range, ui::displayText(*text)));
}

std::expected<inference::RopeOverride, QString> ropeOverrideOf(const Invocation& invocation) {
    using inference::RopeScaling;
    inference::RopeOverride rope;
    for (const auto& [name, to] : {std::pair("rope-base", &rope.base), std::pair("rope-scale", &rope.scale)}) {
        const auto value = realOf(invocation, name);
        if (!value) {
            return std::unexpected(value.error());
        }
        if (*value && **value <= 0) {
            return std::unexpected(Cli::tr("--%1 takes a number greater than 0").arg(QLatin1String(name)));
        }
        *to = *value;
    }
    if (const auto name = invocation.value("rope-scaling")) {
        rope.scaling = inference::ropeScalingFromName(*name);
        if (!rope.scaling || *rope.scaling == RopeScaling::LongRope) {
            return std::unexpected(
                Cli::tr("--rope-scaling takes none, linear or yarn, not \"%1\"").arg(ui::displayText(*name)));
        }
        if ((*rope.scaling == RopeScaling::None) == rope.scale.has_value()) {
            return std::unexpected(*rope.scaling == RopeScaling::None
                                       ? Cli::tr("--rope-scaling none and --rope-scale cannot be combined")
                                       : Cli::tr("--rope-scaling %1 needs --rope-scale").arg(ui::displayText(*name)));
        }
    }
    const auto original = invocation.number("rope-original-context", 1, kMaxTokens);
    if (!original) {
        return std::unexpected(original.error());
    }
    if (*original) {
        rope.originalContext = static_cast<std::uint32_t>(**original);
    }
    return rope;
}

} // namespace

std::expected<std::vector<TokenId>, QString> parseTokenIds(std::string_view text) {
    constexpr std::string_view kSeparators = " ,\t\r\n";
    std::vector<TokenId> ids;
    while (true) {
        const std::size_t begin = text.find_first_not_of(kSeparators);
        if (begin == std::string_view::npos) {
            return ids;
        }
        text.remove_prefix(begin);
        const std::string_view word = text.substr(0, text.find_first_of(kSeparators));
        std::uint32_t id = 0;
        const auto parsed = std::from_chars(word.data(), word.data() + word.size(), id);
        if (parsed.ec != std::errc() || parsed.ptr != word.data() + word.size()) {
            return std::unexpected(
                Cli::tr("\"%1\" is not a token id: a whole number from 0 up").arg(ui::displayText(word)));
        }
        ids.push_back(TokenId(std::size_t{id}));
        text.remove_prefix(word.size());
    }
}

QString kvTypeNames() {
    QStringList names;
    for (const KvCacheType type : kvCacheTypes()) {
        names << ui::displayText(kvCacheTypeName(type));
    }
    return names.join(QStringLiteral(", "));
}

std::expected<inference::SessionOptions, QString> sessionOptionsOf(const Invocation& invocation) {
    inference::SessionOptions options;
    const auto number = [&](const char* name, std::uint64_t maximum, auto& to) -> std::expected<void, QString> {
        const auto value = invocation.number(name, 1, maximum);
        if (!value) {
            return std::unexpected(value.error());
        }
        if (*value) {
            to = static_cast<std::remove_reference_t<decltype(to)>>(**value);
        }
        return {};
    };
    for (const auto& read : {number("context", kMaxTokens, options.context), number("batch", 65'536, options.batch),
                             number("threads", 1'024, options.threads)}) {
        if (!read) {
            return std::unexpected(read.error());
        }
    }
    struct CacheType {
        const char* name;
        bool keys;
        bool values;
    };
    for (const CacheType& option :
         {CacheType{"kv", true, true}, CacheType{"kv-keys", true, false}, CacheType{"kv-values", false, true}}) {
        const auto name = invocation.value(option.name);
        const auto type = name ? kvCacheTypeFromName(*name) : std::nullopt;
        if (name && !type) {
            return std::unexpected(Cli::tr("--%1 takes %2, not \"%3\"")
                                       .arg(QLatin1String(option.name), kvTypeNames(), ui::displayText(*name)));
        }
        options.keys = type && option.keys ? *type : options.keys;
        options.values = type && option.values ? *type : options.values;
    }
    const auto rope = ropeOverrideOf(invocation);
    if (!rope) {
        return std::unexpected(rope.error());
    }
    options.rope = *rope;
    return options;
}

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
        const auto value = realOf(invocation, real.name, real.minimum, real.maximum);
        if (!value) {
            return std::unexpected(value.error());
        }
        real.to = value->value_or(real.to);
    }
    if (settings.repeatPenalty <= 0) {
        return std::unexpected(Cli::tr("--repeat-penalty takes a number greater than 0"));
    }
    const auto topK = invocation.number("top-k", 0, kMaxTokens);
    const auto seed = invocation.number("seed", 0, ~std::uint64_t{0});
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

namespace {

struct ConstraintOption {
    const char* name;
    bool isFile;
    bool isSchema;
};
constexpr ConstraintOption kConstraints[]{{"grammar", true, false},
                                          {"grammar-text", false, false},
                                          {"json-schema", true, true},
                                          {"json-schema-text", false, true}};

// Null if no grammar option is given.
Expected<std::shared_ptr<const inference::Grammar>> grammarOf(const Invocation& invocation, const char* verb,
                                                              Console& console) {
    const ConstraintOption* chosen = nullptr;
    for (const ConstraintOption& option : kConstraints) {
        if (invocation.isSet(option.name)) {
            if (chosen != nullptr) {
                return std::unexpected(console.fail(
                    Cli::tr("%1: --%2 and --%3 cannot be combined")
                        .arg(QLatin1String(verb), QLatin1String(chosen->name), QLatin1String(option.name))));
            }
            chosen = &option;
        }
    }
    if (chosen == nullptr) {
        return nullptr;
    }
    const std::string value = *invocation.value(chosen->name);
    const auto text = chosen->isFile ? readTextFile(value, console) : Expected<std::string>(value);
    if (!text) {
        return std::unexpected(text.error());
    }
    const std::filesystem::path said = chosen->isFile ? value : std::string("--") + chosen->name;
    auto parsed = chosen->isSchema ? inference::parseJsonSchema(*text) : inference::Grammar::parse(*text);
    if (!parsed) {
        return std::unexpected(console.fail(std::move(parsed.error()), said));
    }
    return std::move(*parsed);
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

// Prints notes about what makes a run slow, degrades its output or has no effect.
void noteLimits(const std::shared_ptr<const Model>& model, std::uint32_t context, std::uint32_t trained,
                const inference::SessionOptions& options, Console& console) {
    const auto needs = inference::memoryNeeds(model, options);
    const inference::MachineMemory machine = inference::machineMemory();
    // The available memory no longer includes the session's own.
    if (needs && machine.total != 0 && needs->weights > machine.available) {
        console.note(Cli::tr("The weights need %1, but only %2 of memory are free: parts of the file will be read "
                             "again for every token, which is slow.")
                         .arg(ui::formatBytes(needs->weights), ui::formatBytes(machine.available)));
    }
    if (const auto* architecture = inference::findGraphTraits(model->metadata.architecture());
        options.rope.stretches() && architecture != nullptr && architecture->rope == inference::RopeKind::None) {
        console.note(Cli::tr("The architecture %1 does not use RoPE: the --rope options have no effect.")
                         .arg(ui::displayText(architecture->name)));
    }
    if (trained != 0 && context > trained && !options.rope.stretches()) {
        console.note(Cli::tr("A context of %1 tokens is longer than the %2 that the model was trained with: its output "
                             "beyond them may make no sense. --rope-scale or --rope-base can extend it.")
                         .arg(ui::formatCount(context), ui::formatCount(trained)));
    }
}

} // namespace

Expected<GenerationOptions> generationOptionsOf(const Invocation& invocation, const char* verb, Console& console) {
    const auto sampler = samplerSettingsOf(invocation);
    const auto maximum = invocation.number("n", 1, kMaxTokens);
    const auto stops = invocation.values("stop");
    const bool emptyStop = std::ranges::find(stops, std::string()) != stops.end();
    for (const auto& error : {sampler ? QString() : sampler.error(), maximum ? QString() : maximum.error(),
                              emptyStop ? Cli::tr("the text of --stop must not be empty") : QString()}) {
        if (!error.isEmpty()) {
            return std::unexpected(console.fail(QLatin1String(verb) + QStringLiteral(": ") + error));
        }
    }
    auto grammar = grammarOf(invocation, verb, console);
    if (!grammar) {
        return std::unexpected(grammar.error());
    }
    return GenerationOptions{.settings = {.sampler = *sampler,
                                          .maxTokens = static_cast<std::uint32_t>(maximum->value_or(0)),
                                          .stops = stops},
                             .grammar = std::move(*grammar)};
}

bool checkOffered(const inference::Responder& responder, inference::Feature feature, const char* verb, const char* what,
                  Console& console) {
    if (responder.facts().offers(feature)) {
        return true;
    }
    console.fail(
        QStringLiteral("%1: %2: %3").arg(QLatin1String(verb), QLatin1String(what), ui::featureMissing(feature)));
    return false;
}

Expected<void> applyEngine(const Invocation& invocation, const char* verb, const inference::Responder& responder,
                           GenerationOptions& options, Console& console) {
    const auto biases = invocation.values("logit-bias");
    if (!biases.empty() && !checkOffered(responder, inference::Feature::TokenBias, verb, "--logit-bias", console)) {
        return std::unexpected(kFailed);
    }
    for (const ConstraintOption& option : kConstraints) {
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
    return {};
}

const char* stopName(inference::StopReason reason) {
    switch (reason) {
    case inference::StopReason::EndToken:
        return "end_token";
    case inference::StopReason::StopText:
        return "stop_text";
    case inference::StopReason::MaxTokens:
        return "most_tokens";
    case inference::StopReason::ContextFull:
        return "context_full";
    case inference::StopReason::NothingAllowed:
        return "nothing_allowed";
    }
    return "";
}

double perSecond(std::uint64_t count, double seconds) { return seconds > 0 ? static_cast<double>(count) / seconds : 0; }

namespace {

Expected<std::shared_ptr<const Model>> openRunnable(const std::filesystem::path& path, Console& console) {
    auto model = openModel(path);
    if (!model) {
        return std::unexpected(console.fail(std::move(model.error()), path));
    }
    if (const FileKind kind = fileKind(**model); kind != FileKind::Model) {
        return std::unexpected(
            console.fail(Cli::tr("%1: the file contains no model that can be run: %2")
                             .arg(ui::displayText(path.string()), ui::displayText(fileKindName(kind)))));
    }
    if (inference::onlyEmbeds(**model)) {
        const bool encoder = inference::findGraphTraits((*model)->metadata.architecture())->encoder;
        const QString what = encoder
                                 ? Cli::tr("an encoder (%1)").arg(ui::displayText((*model)->metadata.architecture()))
                                 : Cli::tr("a model whose tokens attend to later ones");
        return std::unexpected(console.fail(
            Cli::tr("%1: the file is %2, which makes vectors of texts and generates none; use gufo-cli embed, or "
                    "gufo-cli rerank if it ranks texts")
                .arg(ui::displayText(path.string()), what)));
    }
    return std::move(*model);
}

} // namespace

void noteLeftOut(std::span<const std::string> tensors, Console& console) {
    if (const QString text = ui::leftOutText(tensors); !text.isEmpty()) {
        console.note(text);
    }
}

namespace {

void noteFindings(const text::Tokenizer& tokenizer, Console& console) {
    for (const Finding& finding : tokenizer.findings()) {
        console.note(ui::findingTitle(finding) + QStringLiteral(": ") + ui::findingMessage(finding));
    }
}

} // namespace

Expected<std::unique_ptr<inference::Responder>> openResponder(const inference::Engine& engine,
                                                              const std::filesystem::path& path,
                                                              const inference::SessionOptions& options,
                                                              Console& console) {
    const auto model = openRunnable(path, console);
    if (!model) {
        return std::unexpected(model.error());
    }
    const Cancellation cancellation;
    auto line = std::make_unique<ProgressLine>(console, Cli::tr("loading"), ProgressLine::Unit::Bytes);
    auto responder = engine.open(*model, options, {.stop = cancellation.token(), .progress = line->progress()});
    line.reset();
    if (!responder) {
        return std::unexpected(failedOrCancelled(responder.error(), path, cancellation, console));
    }
    const inference::ResponderFacts& facts = (*responder)->facts();
    noteServer(facts, console);
    noteLeftOut(facts.leftOut, console);
    if (engine.forecast != nullptr) { // otherwise the memory may be that of a GPU or of another machine
        noteLimits(*model, facts.options.context, facts.trainedContext, options, console);
    }
    if (!facts.canRespond()) {
        return std::unexpected(console.fail(*facts.tokenizerError, path));
    }
    if (facts.tokenizer != nullptr) {
        noteFindings(*facts.tokenizer, console);
    }
    return std::move(*responder);
}

Expected<LoadedEngine> loadEngine(const std::filesystem::path& path, const inference::SessionOptions& options,
                                  Console& console, const inference::Engine* engine) {
    auto model = openRunnable(path, console);
    if (!model) {
        return std::unexpected(model.error());
    }
    if (engine == nullptr || !inference::offers(engine->capabilities, inference::Feature::AllLogits)) {
        return std::unexpected(console.fail(ui::featureMissing(inference::Feature::AllLogits)));
    }
    auto loaded = engine->load(*model);
    if (!loaded) {
        return std::unexpected(console.fail(std::move(loaded.error()), path));
    }
    const Cancellation cancellation;
    auto line = std::make_unique<ProgressLine>(console, Cli::tr("loading"), ProgressLine::Unit::Bytes);
    auto session = (*loaded)->startSession(options, {.stop = cancellation.token(), .progress = line->progress()});
    line.reset();
    if (!session) {
        return std::unexpected(failedOrCancelled(session.error(), path, cancellation, console));
    }
    noteLeftOut((*loaded)->leftOut(), console);
    if (engine->forecast != nullptr) {
        noteLimits(*model, (*session)->context(), (*loaded)->trainedContext(), options, console);
    }
    return LoadedEngine{std::move(*model), std::move(*loaded), std::move(*session)};
}

Expected<std::shared_ptr<const text::Tokenizer>> loadTokenizer(const Model& model, const Cancellation& cancellation,
                                                               const std::filesystem::path& path, Console& console) {
    auto tokenizer = text::makeTokenizer(model, {.stop = cancellation.token()});
    if (!tokenizer) {
        return std::unexpected(failedOrCancelled(tokenizer.error(), path, cancellation, console));
    }
    noteFindings(**tokenizer, console);
    return std::move(*tokenizer);
}

} // namespace gufo::cli
