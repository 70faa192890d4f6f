#include "base/output_file.h"
#include "cli/engine_choice.h"
#include "cli/engine_options.h"
#include "cli/progress_line.h"
#include "cli/shared_options.h"
#include "cli/verb.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_writer.h"

#include <array>

namespace gufo::cli {

namespace {

constexpr auto kEvalOptions = with(
    with(with(with(kEngineOptions, kServerOptions), kOffloadOptions), kSwapOptions),
    std::to_array<OptionFact>({
        {"context", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "context length in tokens; default: memory for the given tokens, with "
                                             "the RoPE factors of the trained length")},
        {"tokens", QT_TRANSLATE_NOOP("gufo::cli::Cli", "IDS"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "token ids, separated by commas or spaces")},
        {"logits", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "output file: floats, one row over the vocabulary per token"), true},
    }));

int runEval(const Invocation& invocation, Console& console) {
    const auto chosen = engineOf(invocation, "eval", console);
    if (!chosen) {
        return chosen.error();
    }
    if (!checkOffered((*chosen)->capabilities, inference::Feature::AllLogits, "eval", "--engine", console)) {
        return kFailed;
    }
    const auto options = openOptionsOf(**chosen, invocation, "eval", console);
    if (!options) {
        return options.error();
    }
    const auto ids = parseTokenIds(invocation.value("tokens").value_or(""));
    const auto out = invocation.value("logits");
    if (!ids) {
        return console.fail(QStringLiteral("eval: ") + ids.error());
    }
    if (ids->empty() || !out) {
        return console.fail(Cli::tr("eval: both --tokens IDS and --logits OUT are needed"));
    }
    const auto swaps = WeightSwaps::of(invocation, **chosen, "eval", console);
    if (!swaps) {
        return swaps.error();
    }
    inference::SessionOptions session = *options;
    if (session.context == 0) { // memory for these tokens, but the logits of a session of the trained length
        session.context = static_cast<std::uint32_t>(ids->size());
        session.ropeContext = inference::SessionOptions::kTrainedContext;
    }
    session.logitRows = static_cast<std::uint32_t>(ids->size());
    const auto engine = loadEngine(invocation.file(), session, console, *chosen, ContextChoice::OfUser, *swaps);
    if (!engine) {
        return engine.error();
    }
    if (session.ropeContext != 0 && !(*chosen)->obeys.ropeContext &&
        engine->model->findTensor("rope_factors_long.weight")) {
        console.note(
            Cli::tr("eval: the engine \"%1\" uses the RoPE factors of a context of %n tokens, not those of the "
                    "trained length; see --context",
                    nullptr, ui::numerus(session.context))
                .arg(ui::displayText((*chosen)->id)));
    }
    const Cancellation cancellation;
    auto line = std::make_unique<ProgressLine>(console, Cli::tr("evaluating"), ProgressLine::Unit::Tokens);
    const auto evaluated = engine->session->evaluate(*ids, inference::Logits::All,
                                                     {.stop = cancellation.token(), .progress = line->progress()});
    line.reset();
    if (!evaluated) {
        return failedOrCancelled(evaluated.error(), invocation.file(), cancellation, console);
    }
    auto file = OutputFile::create(*out);
    if (!file) {
        return console.fail(std::move(file.error()));
    }
    for (std::size_t row = 0; row < ids->size(); ++row) {
        if (auto written = file->write(std::as_bytes(engine->session->logits(row))); !written) {
            return console.fail(std::move(written.error()));
        }
    }
    if (auto done = file->commit(); !done) {
        return console.fail(std::move(done.error()));
    }
    if (invocation.json()) {
        ui::JsonWriter json(console.out());
        json.beginObject();
        json.member("tokens", ids->size());
        json.member("vocabulary", engine->session->vocabulary());
        json.endObject();
        json.endDocument();
    }
    return checkDamage(*engine->model, console);
}

} // namespace

const Verb evalVerb{
    .name = "eval",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE --tokens IDS --logits OUT"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Writes the logits of all positions as floats"),
    .details =
        QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT has one row per token, with one value per token of the vocabulary."),
    .options = kEvalOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runEval,
};

} // namespace gufo::cli
