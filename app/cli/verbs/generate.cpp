#include "base/detail.h"
#include "cli/drafter_option.h"
#include "cli/engine_choice.h"
#include "cli/generation_options.h"
#include "cli/progress_line.h"
#include "cli/shared_options.h"
#include "cli/text_input.h"
#include "cli/verb.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_writer.h"

#include <array>

namespace gufo::cli {
namespace {

struct Generated {
    std::vector<inference::ResponsePiece> pieces;
    std::string text;
    std::size_t leftOut = 0; // tokens that did not fit into the context
    std::uint64_t seed = 0;
    std::vector<std::string> specials; // of the prompt
};

Expected<std::string> promptOf(const Invocation& invocation, Console& console) {
    const auto text = invocation.value("prompt");
    const auto file = invocation.value("prompt-file");
    if (text.has_value() == file.has_value()) {
        return std::unexpected(console.fail(text ? Cli::tr("generate: --prompt and --prompt-file cannot be combined")
                                                 : Cli::tr("generate: --prompt TEXT or --prompt-file FILE is needed")));
    }
    return text ? Expected<std::string>(*text) : readTextFile(*file, console);
}

int failTooLong(const Error& error, const inference::ResponderFacts& facts, bool isDefault, Console& console) {
    const QString start = Cli::tr("generate: the prompt has %n tokens, but the context holds only %1", nullptr,
                                  ui::numerus(std::stoull(error.args[1].text())))
                              .arg(ui::formatCount(std::stoull(error.args[2].text())));
    if (!facts.offers(inference::Feature::ContextShift)) {
        return console.fail(start);
    }
    const bool isTrained = isDefault && facts.trainedContext != 0 && facts.options.context >= facts.trainedContext;
    const bool isMemory = isDefault && !isTrained && facts.options.longestContext != 0;
    return console.fail(
        start + (isTrained  ? Cli::tr(", as the model was trained; --context can extend it, and --shift leaves out the "
                                       "oldest tokens")
                 : isMemory ? Cli::tr(", because more does not fit into the free memory; --shift leaves out the oldest "
                                      "tokens")
                            : Cli::tr(": use a larger --context, or --shift to leave out the oldest tokens")));
}

// Members that the engine does not provide are omitted.
void printPiece(const inference::ResponsePiece& piece, ui::JsonWriter& json) {
    const auto id = [&](const std::optional<TokenId>& token) {
        if (token) {
            json.member("id", token->value);
        }
    };
    json.beginObject();
    id(piece.token);
    if (piece.logProbability) {
        json.member("logprob", *piece.logProbability);
    }
    if (piece.afterSamplers) {
        json.member("after_samplers", true);
    }
    if (!piece.candidates.empty()) {
        json.key("candidates");
        json.beginArray();
        for (const inference::ResponseCandidate& candidate : piece.candidates) {
            json.beginObject();
            id(candidate.token);
            if (!candidate.token) {
                json.member("text", std::string_view(candidate.text));
            }
            json.member("probability", candidate.probability);
            json.endObject();
        }
        json.endArray();
    }
    json.endObject();
}

void printJson(const Generated& generated, const inference::Response& response, const GenerationOptions& options,
               Output& out) {
    const inference::ResponseFigures& figures = response.figures;
    ui::JsonWriter json(out);
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("prompt_tokens", figures.promptTokens);
    json.member("reused_tokens", figures.reusedTokens);
    json.member("text", std::string_view(generated.text));
    json.member("stop", response.reason ? stopName(*response.reason) : "");
    json.member("left_out_tokens", generated.leftOut);
    json.member("seed", generated.seed);
    json.key("tokens");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const inference::ResponsePiece& piece : generated.pieces) {
        if (piece.token || piece.logProbability) {
            printPiece(piece, json);
        }
    }
    json.endArray();
    json.member("prompt_tps", perSecond(figures.batchedTokens, figures.batchedSeconds));
    json.member("generation_tps", perSecond(figures.evaluatedTokens, figures.evaluationSeconds));
    json.member("drafted", figures.draftedTokens);
    json.member("accepted", figures.acceptedTokens);
    writeRelaxed(options, json);
    json.endObject();
    json.endDocument();
}

} // namespace

int runGenerateWith(const inference::Engine& engine, const Invocation& invocation, Console& console) {
    const auto options = openOptionsOf(engine, invocation, "generate", console);
    if (!options) {
        return options.error();
    }
    const auto candidates = invocation.number("candidates", 1, 1'000);
    if (!candidates) {
        return console.fail(QStringLiteral("generate: ") + candidates.error());
    }
    auto generating = generationOptionsOf(invocation, "generate", console);
    if (!generating) {
        return generating.error();
    }
    const auto prompt = promptOf(invocation, console);
    if (!prompt) {
        return prompt.error();
    }
    const auto swaps = WeightSwaps::of(invocation, engine, "generate", console);
    if (!swaps) {
        return swaps.error();
    }
    const auto responder = openResponder(engine, invocation.file(), *options, console, *swaps);
    if (!responder) {
        return responder.error();
    }
    if (!checkOffered(**responder, inference::Feature::Completion, "generate", "--prompt", console) ||
        (*candidates &&
         !checkOffered(**responder, inference::Feature::Candidates, "generate", "--candidates", console)) ||
        (invocation.isSet("after-samplers") &&
         !checkOffered(**responder, inference::Feature::AfterSamplers, "generate", "--after-samplers", console)) ||
        (invocation.isSet("shift") &&
         !checkOffered(**responder, inference::Feature::ContextShift, "generate", "--shift", console))) {
        return kFailed;
    }
    if (auto applied = applyEngine(invocation, "generate", **responder, *generating, console); !applied) {
        return applied.error();
    }
    const auto drafting = drafterOf(invocation, "generate", **responder, console);
    if (!drafting) {
        return drafting.error();
    }
    // An engine that does not report all logits reports probabilities only together with candidates.
    const bool hasLogits = inference::offers(engine.capabilities, inference::Feature::AllLogits);
    const std::size_t minimum = invocation.json() && !hasLogits ? 1 : 0;
    generating->settings.candidates = candidates->value_or(minimum);
    generating->settings.shift = invocation.isSet("shift");

    const Cancellation cancellation;
    auto line = std::make_unique<ProgressLine>(console, Cli::tr("reading the prompt"), ProgressLine::Unit::Tokens);
    const bool streams = !invocation.json();
    Generated generated{.seed = generating->settings.sampler.seed};
    inference::ResponseListener listener;
    listener.promptMade = [&](const inference::PromptFacts& made, const inference::ResponseFigures&) {
        generated.specials = made.typedSpecials;
    };
    listener.promptRead = [&](const inference::ResponseFigures&) { line.reset(); };
    listener.shortened = [&](std::size_t, std::size_t tokens) { generated.leftOut = tokens; };
    listener.piece = [&](inference::ResponsePiece piece, const inference::ResponseFigures&) {
        generated.text += piece.shown;
        if (streams) {
            console.out().write(piece.shown);
            console.out().flush();
        }
        generated.pieces.push_back(std::move(piece));
        return !console.out().failed();
    };
    const auto response = (*responder)
                              ->respond({.prompt = *prompt,
                                         .settings = generating->settings,
                                         .grammar = generating->grammar,
                                         .drafter = drafting->drafter,
                                         .mtpDrafts = drafting->mtp,
                                         .afterSamplers = invocation.isSet("after-samplers"),
                                         .literalContent = generating->literalContent},
                                        listener, {.stop = cancellation.token(), .progress = line->progress()});
    line.reset();
    if (!response && response.error().code == ErrorCode::InvalidArgument &&
        response.error().args == Arguments{Detail::PromptWithoutTokens}) {
        return console.fail(
            Cli::tr("generate: the prompt has no tokens, and the model adds no token at the beginning of a text"));
    }
    const inference::ResponderFacts& facts = (*responder)->facts();
    if (!response && ui::exceedsContext(response.error())) {
        return failTooLong(response.error(), facts, options->context == 0, console);
    }
    if (!response || cancellation.token().stop_requested()) {
        console.out().flush();
        const Error error = response ? fail(ErrorCode::Cancelled).error() : response.error();
        return failedOrCancelled(error, invocation.file(), cancellation, console, serverKindOf(facts));
    }
    noteAnswer(*response, console);
    noteTypedSpecials(generated.specials, console);
    generated.text += response->rest;
    if (streams) {
        const inference::ResponseFigures& figures = response->figures;
        console.out().write(response->rest);
        console.out().writeLine();
        if (console.errorsAreTerminal() || invocation.isSet("stats")) {
            const double speed = perSecond(figures.batchedTokens, figures.batchedSeconds);
            console.note(
                Cli::tr("prompt: %n tokens", nullptr, ui::numerus(figures.promptTokens)) +
                (figures.reusedTokens > 0 ? Cli::tr(", %1 of them reused").arg(ui::formatCount(figures.reusedTokens))
                                          : QString()) +
                (speed > 0 ? Cli::tr(", %1 tokens/s").arg(ui::speedText(speed)) : QString()) + QStringLiteral("; ") +
                Cli::tr("generated: %n tokens, %1 tokens/s", nullptr, ui::numerus(figures.tokens))
                    .arg(ui::speedText(perSecond(figures.evaluatedTokens, figures.evaluationSeconds))) +
                draftText(figures));
        }
        if (invocation.value("seed") == "-1") {
            console.note(Cli::tr("seed: %1").arg(generated.seed));
        }
    } else {
        printJson(generated, *response, *generating, console.out());
    }
    if (generated.leftOut != 0) {
        console.note(Cli::tr("%n older tokens did not fit into the context and were left out; see --context", nullptr,
                             ui::numerus(generated.leftOut)));
    }
    if (response->reason == inference::StopReason::ContextFull) {
        console.note(facts.offers(inference::Feature::ContextShift)
                         ? Cli::tr("The context of %n tokens is full, so the text ends here; a larger --context or "
                                   "--shift continues it.",
                                   nullptr, ui::numerus(facts.options.context))
                         : Cli::tr("The context is full, so the text ends here."));
    }
    if (response->reason == inference::StopReason::ContentFilter) {
        console.note(Cli::tr("The server's content filter has ended the text."));
    }
    return checkDamage(*facts.model, console);
}

namespace {

constexpr auto kGenerateOptions = with(
    with(kSamplingOptions, kSwapOptions),
    std::to_array<OptionFact>({
        {"p,prompt", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TEXT"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "text to continue; control tokens are written as <s> and so on")},
        {"prompt-file", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "file with the text to continue, used byte for byte; -: standard input")},
        {"shift", "",
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "leave out the older half of a text that fills the context, and continue; default: refuse "
                           "a longer prompt, and end a text that fills the context")},
        {"candidates", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "with --json: add the N most likely tokens of each position")},
        {"after-samplers", "",
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "report the probabilities that the samplers have left; servers only")},
    }));

int runGenerate(const Invocation& invocation, Console& console) {
    const auto engine = engineOf(invocation, "generate", console);
    return engine ? runGenerateWith(**engine, invocation, console) : engine.error();
}

} // namespace

const Verb generateVerb{
    .name = "generate",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE -p TEXT [-n N] [--temp X] [--seed N] …"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Continues a text with the model"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli", "Runs on the CPU, directly from the file. Ctrl-C stops. With --json, also "
                          "prints log-probabilities and speeds.\nWith --engine, another engine or a server runs it; "
                          "FILE is then the file whose model the server should run."),
    .options = kGenerateOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runGenerate,
};

} // namespace gufo::cli
