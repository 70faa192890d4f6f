#include "cli/engine_options.h"

#include "base/try.h"
#include "cli/engine_choice.h"
#include "cli/progress_line.h"
#include "document/open_model.h"
#include "inference/engine/binding/graph_traits.h"
#include "inference/engine/gufo_engine.h"
#include "inference/interface/memory_needs.h"
#include "model/file_kind.h"
#include "model/set_fault.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"

#include <algorithm>
#include <charconv>

namespace gufo::cli {
namespace {

constexpr unsigned kLeastContext = 4; // of a model that makes sense

std::expected<inference::RopeOverride, QString> ropeOverrideOf(const Invocation& invocation) {
    using inference::RopeScaling;
    inference::RopeOverride rope;
    for (const auto& [name, to] : {std::pair("rope-base", &rope.base), std::pair("rope-scale", &rope.scale)}) {
        const auto value = GUFO_TRY(invocation.real(name));
        if (value && *value <= 0) {
            return std::unexpected(Cli::tr("--%1 takes a number greater than 0").arg(QLatin1String(name)));
        }
        *to = value;
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
    const auto original = GUFO_TRY(invocation.number("rope-original-context", 1, kMaxTokens));
    if (original) {
        rope.originalContext = static_cast<std::uint32_t>(*original);
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
        const auto value = GUFO_TRY(invocation.number(name, 1, maximum));
        if (value) {
            to = static_cast<std::remove_reference_t<decltype(to)>>(*value);
        }
        return {};
    };
    for (const auto& read : {number("context", kMaxTokens, options.context), number("batch", 65'536, options.batch),
                             number("threads", 1'024, options.threads)}) {
        GUFO_TRY(read);
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
    options.rope = GUFO_TRY(ropeOverrideOf(invocation));
    options.mtpDrafts = invocation.draftsWithMtp();
    return options;
}

namespace {

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
        options.rope.stretches() && architecture != nullptr && architecture->rope.kind == inference::RopeKind::None) {
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

bool checkOffered(const inference::Responder& responder, inference::Feature feature, const char* verb, const char* what,
                  Console& console) {
    return checkOffered(responder.facts().capabilities, feature, verb, what, console);
}

bool checkOffered(const inference::EngineCapabilities& engine, inference::Feature feature, const char* verb,
                  const char* what, Console& console) {
    if (inference::offers(engine, feature)) {
        return true;
    }
    console.fail(
        QStringLiteral("%1: %2: %3").arg(QLatin1String(verb), QLatin1String(what), ui::featureMissing(feature)));
    return false;
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
    case inference::StopReason::ContentFilter:
        return "content_filter";
    case inference::StopReason::Refusal:
        return "refusal";
    }
    return "";
}

double perSecond(std::uint64_t count, double seconds) { return seconds > 0 ? static_cast<double>(count) / seconds : 0; }

Expected<std::shared_ptr<const Model>> openRunnable(const hub::ModelPlace& place, Console& console) {
    auto model = openModel(place);
    if (!model) {
        return std::unexpected(console.fail(std::move(model.error()), place.keptText()));
    }
    if (const FileKind kind = fileKind(**model); kind != FileKind::Model) {
        return std::unexpected(
            console.fail(Cli::tr("%1: the file contains no model that can be run: %2")
                             .arg(ui::displayText(place.keptText()), ui::displayText(fileKindName(kind)))));
    }
    if (inference::onlyEmbeds(**model)) {
        const bool encoder = inference::findGraphTraits((*model)->metadata.architecture())->encoder;
        const QString architecture = ui::displayText((*model)->metadata.architecture());
        const QString what =
            inference::leavesOutDecoder(**model)
                ? Cli::tr("an encoder with a decoder (%1), of which Gufo runs only the encoder").arg(architecture)
            : encoder ? Cli::tr("an encoder (%1)").arg(architecture)
                      : Cli::tr("a model whose tokens attend to later ones");
        return std::unexpected(console.fail(
            Cli::tr("%1: the file is %2, which embeds texts and does not generate any; use gufo-cli embed, or "
                    "gufo-cli rerank if it ranks texts")
                .arg(ui::displayText(place.keptText()), what)));
    }
    return std::move(*model);
}

void noteLeftOut(std::span<const std::string> tensors, Console& console, bool drafts) {
    if (const QString text = ui::leftOutText(tensors, drafts); !text.isEmpty()) {
        console.note(text);
    }
}

std::size_t defaultWindow(const Model& model) {
    constexpr std::uint64_t kUsual = 512;
    const auto trained = model.metadata.uint(model.metadata.architectureKey("context_length"));
    return trained && *trained >= kLeastContext ? std::min(kUsual, *trained) : kUsual;
}

namespace {

// The longest context up to the trained one with which the model fits into the free memory; 0 where that is not known.
std::uint32_t longestContext(const inference::Engine& engine, const std::shared_ptr<const Model>& model,
                             const inference::SessionOptions& options) {
    const auto forecast = engine.forecast(model, options, inference::machineMemory());
    if (!forecast || forecast->verdict != inference::MemoryVerdict::Fits || forecast->needs.trainedContext == 0) {
        return 0;
    }
    const std::uint64_t trained = forecast->needs.trainedContext;
    return static_cast<std::uint32_t>(std::min(trained, forecast->longestContext.value_or(trained)));
}

void noteFindings(const text::Tokenizer& tokenizer, Console& console) {
    for (const Finding& finding : tokenizer.findings()) {
        console.note(ui::findingTitle(finding) + QStringLiteral(": ") + ui::findingMessage(finding));
    }
}

} // namespace

Expected<std::unique_ptr<inference::Responder>> openResponder(const inference::Engine& engine,
                                                              const std::filesystem::path& path,
                                                              const inference::SessionOptions& options,
                                                              Console& console, const WeightSwaps& swaps) {
    auto opened = GUFO_TRY(openRunnable(path, console));
    const auto model = GUFO_TRY(swaps.applyTo(std::move(opened), console));
    inference::SessionOptions resolved = options;
    if (options.context == 0 && engine.forecast != nullptr) {
        resolved.longestContext = longestContext(engine, model, options);
    }
    const Cancellation cancellation;
    auto line = std::make_unique<ProgressLine>(console, Cli::tr("loading"), ProgressLine::Unit::Bytes);
    auto responder = engine.open(model, resolved, {.stop = cancellation.token(), .progress = line->progress()});
    line.reset();
    if (!responder) {
        const auto kind = engine.remote ? ui::ServerKind::ConsoleEngine : ui::ServerKind::Files;
        return std::unexpected(failedOrCancelled(responder.error(), path, cancellation, console, kind));
    }
    const inference::ResponderFacts& facts = (*responder)->facts();
    noteServer(facts, console);
    noteLeftOut(facts.leftOut, console, options.mtpDrafts && facts.mtpDrafts);
    if (engine.forecast != nullptr) { // otherwise the memory may belong to a GPU or to another machine
        noteLimits(model, facts.options.context, facts.trainedContext, options, console);
    }
    if (!facts.canRespond()) {
        return std::unexpected(console.fail(*facts.tokenizerError, path));
    }
    if (facts.tokenizer != nullptr) {
        noteFindings(*facts.tokenizer, console);
    }
    return std::move(*responder);
}

Expected<LoadedEngine> loadEngine(const hub::ModelPlace& place, inference::SessionOptions options, Console& console,
                                  const inference::Engine* engine, ContextChoice choice, const WeightSwaps& swaps) {
    auto opened = GUFO_TRY(openRunnable(place, console));
    auto model = GUFO_TRY(swaps.applyTo(std::move(opened), console));
    if (engine == nullptr || !inference::offers(engine->capabilities, inference::Feature::AllLogits)) {
        return std::unexpected(console.fail(ui::featureMissing(inference::Feature::AllLogits)));
    }
    auto loaded = engine->load(model);
    if (!loaded) {
        return std::unexpected(console.fail(std::move(loaded.error()), place.keptText()));
    }
    const std::uint32_t trained = (*loaded)->trainedContext();
    if (choice == ContextChoice::Default && trained >= kLeastContext && !options.rope.stretches()) {
        options.context = std::min(options.context, trained);
    }
    const Cancellation cancellation;
    auto line = std::make_unique<ProgressLine>(console, Cli::tr("loading"), ProgressLine::Unit::Bytes);
    auto session = (*loaded)->startSession(options, {.stop = cancellation.token(), .progress = line->progress()});
    line.reset();
    if (!session) {
        return std::unexpected(failedOrCancelled(session.error(), place.keptText(), cancellation, console));
    }
    noteLeftOut((*loaded)->leftOut(), console);
    if (engine->forecast != nullptr) {
        noteLimits(model, (*session)->context(), trained, options, console);
    }
    return LoadedEngine{std::move(model), std::move(*loaded), std::move(*session)};
}

Expected<std::shared_ptr<const text::Tokenizer>> loadTokenizer(const Model& model, const Cancellation& cancellation,
                                                               const std::filesystem::path& path, Console& console) {
    auto tokenizer = text::makeTokenizer(model, {.stop = cancellation.token()});
    if (!tokenizer) {
        const auto complete = checkSet(model); // the vocabulary is in the first part
        return std::unexpected(
            failedOrCancelled(complete ? tokenizer.error() : complete.error(), path, cancellation, console));
    }
    noteFindings(**tokenizer, console);
    return std::move(*tokenizer);
}

} // namespace gufo::cli
