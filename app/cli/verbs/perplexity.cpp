#include "inference/measuring/perplexity.h"

#include "cli/engine_choice.h"
#include "cli/engine_options.h"
#include "cli/progress_line.h"
#include "cli/shared_options.h"
#include "cli/text_input.h"
#include "cli/text_table.h"
#include "cli/verb.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/model_text.h"
#include "ui/report/json_writer.h"

#include <algorithm>
#include <array>

namespace gufo::cli {
namespace {

QString percentText(double percent) { return QString::number(percent, 'g', 4); } // "99.9"

// The members NAME_mean, NAME_mean_error, NAME_min, NAME_max and NAME_percentiles.
void writeDistribution(ui::JsonWriter& json, const std::string& name, const inference::Distribution& figures) {
    json.member((name + "_mean").c_str(), figures.mean);
    json.member((name + "_mean_error").c_str(), figures.meanError);
    json.member((name + "_min").c_str(), figures.minimum);
    json.member((name + "_max").c_str(), figures.largest);
    json.key((name + "_percentiles").c_str());
    json.beginObject();
    for (const double percent : inference::kPercentiles) {
        json.member(percentText(percent).toLatin1().constData(), figures.percentile(percent));
    }
    json.endObject();
}

void printJson(const inference::Perplexity& result, std::size_t leftOut, Output& out) {
    ui::JsonWriter json(out);
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("perplexity", result.value);
    json.member("standard_error", result.deviation);
    json.member("scored", result.scored);
    json.member("left_out_tokens", leftOut);
    if (result.divergence) {
        json.member("other_perplexity", *result.other);
        json.member("other_standard_error", result.otherDeviation);
        const inference::Divergence& divergence = *result.divergence;
        json.member("perplexity_ratio", divergence.ratio);
        json.member("perplexity_ratio_error", divergence.ratioError);
        writeDistribution(json, "kl", divergence.nats);
        writeDistribution(json, "dp", divergence.change);
        json.member("dp_rms", divergence.change.rms);
        json.member("dp_rms_error", divergence.change.rmsError);
        json.member("top1_agreement", divergence.topAgreement);
        json.member("top1_agreement_error", divergence.topAgreementError);
    }
    json.endObject();
    json.endDocument();
}

// Both distributions side by side, from the largest to the least.
void printPercentiles(const inference::Divergence& divergence, Console& console) {
    TextTable table({{.title = Cli::tr("Percentile")},
                     {.title = Cli::tr("KL (nats)"), .align = Align::Right},
                     {.title = Cli::tr("Δp (%)"), .align = Align::Right}});
    const auto row = [&](const QString& name, double nats, double change) {
        table.addRow({name, QString::number(nats, 'f', 6), QString::number(100 * change, 'f', 3)});
    };
    row(Cli::tr("largest"), divergence.nats.largest, divergence.change.largest);
    for (const double percent : inference::kPercentiles) {
        row(percent == 50 ? Cli::tr("median") : Cli::tr("%1 %").arg(percentText(percent)),
            divergence.nats.percentile(percent), divergence.change.percentile(percent));
    }
    row(Cli::tr("least"), divergence.nats.minimum, divergence.change.minimum);
    table.print(console);
}

void printText(const inference::Perplexity& result, Console& console) {
    Output& out = console.out();
    out.writeLine(Cli::tr("Perplexity: %1 ± %2 over %n tokens", nullptr, ui::numerus(result.scored))
                      .arg(result.value, 0, 'f', 4)
                      .arg(result.deviation, 0, 'f', 4));
    if (result.divergence) {
        const inference::Divergence& divergence = *result.divergence;
        out.writeLine(
            Cli::tr("Other model: %1 ± %2").arg(*result.other, 0, 'f', 4).arg(result.otherDeviation, 0, 'f', 4));
        out.writeLine(Cli::tr("Ratio of the perplexities: %1 ± %2")
                          .arg(divergence.ratio, 0, 'f', 6)
                          .arg(divergence.ratioError, 0, 'f', 6));
        out.writeLine(Cli::tr("KL divergence: mean %1 ± %2, largest %3 nats")
                          .arg(divergence.nats.mean, 0, 'g', 4)
                          .arg(divergence.nats.meanError, 0, 'g', 2)
                          .arg(divergence.nats.largest, 0, 'g', 4));
        out.writeLine(Cli::tr("Change of the following token's probability (Δp): mean %1 ± %2 %, RMS %3 ± %4 %")
                          .arg(100 * divergence.change.mean, 0, 'f', 3)
                          .arg(100 * divergence.change.meanError, 0, 'f', 3)
                          .arg(100 * divergence.change.rms, 0, 'f', 3)
                          .arg(100 * divergence.change.rmsError, 0, 'f', 3));
        out.writeLine(Cli::tr("Same most likely token: %1 ± %2 %")
                          .arg(100 * divergence.topAgreement, 0, 'f', 2)
                          .arg(100 * divergence.topAgreementError, 0, 'f', 2));
        out.writeLine();
        printPercentiles(divergence, console);
    }
}

// If the same ids mean different texts, or the vocabulary sizes differ, no joint figure is meaningful. Prints an error
// and returns the exit code in that case.
std::optional<int> refuseOtherTokens(const LoadedEngine& engine, const text::Tokenizer& tokenizer,
                                     const LoadedEngine& other, const std::filesystem::path& path,
                                     const Cancellation& cancellation, Console& console) {
    const auto refuse = [&](const QString& why) {
        return console.fail(Cli::tr("%1: %2; the KL divergence needs models of the same vocabulary")
                                .arg(ui::displayText(path.string()), why));
    };
    const auto vocabulary = text::Vocabulary::read(other.model->metadata, {.stop = cancellation.token()});
    if (!vocabulary) {
        return failedOrCancelled(vocabulary.error(), path, cancellation, console);
    }
    if (const auto difference = text::findDifference(tokenizer.vocabulary(), *vocabulary)) {
        return refuse(ui::vocabularyDifferenceText(*difference));
    }
    if (const auto size = other.session->vocabulary(); size != engine.session->vocabulary()) {
        return refuse(Cli::tr("it predicts %n tokens, the reference %1", nullptr, ui::numerus(size))
                          .arg(ui::formatCount(engine.session->vocabulary())));
    }
    return std::nullopt;
}

// `leftOut` tokens at the end of the text fill no window.
int printResult(const Result<inference::Perplexity>& result, std::size_t leftOut, const Model& model,
                const Invocation& invocation, const Cancellation& cancellation, Console& console) {
    if (!result) {
        return failedOrCancelled(result.error(), invocation.file(), cancellation, console);
    }
    if (invocation.json()) {
        printJson(*result, leftOut, console.out());
    } else {
        printText(*result, console);
    }
    if (leftOut != 0) {
        console.note(Cli::tr("The last %n tokens of the text fill no window and were left out; see --ctx.", nullptr,
                             ui::numerus(leftOut)));
    }
    return checkDamage(model, console);
}

// Reads the text that the second argument names, and returns its tokens, which fill at least one window. Sets
// `settings.bos` if the tokenizer adds that token.
Expected<std::vector<TokenId>> tokensOf(const text::Tokenizer& tokenizer, inference::PerplexitySettings& settings,
                                        const Invocation& invocation, const Cancellation& cancellation,
                                        Console& console) {
    const auto text = GUFO_TRY(readTextFile(invocation.positional()[1], console));
    auto line = std::make_unique<ProgressLine>(console, Cli::tr("tokenizing"));
    auto encoding = tokenizer.encode(text, {}, {.stop = cancellation.token(), .progress = line->progress()});
    line.reset();
    if (!encoding) {
        return std::unexpected(failedOrCancelled(encoding.error(), invocation.file(), cancellation, console));
    }
    if (encoding->ids.size() < settings.window) {
        return std::unexpected(console.fail(
            Cli::tr("perplexity: the text has %n tokens, but a window needs %1; use a longer text or a smaller --ctx",
                    nullptr, ui::numerus(encoding->ids.size()))
                .arg(ui::formatCount(settings.window))));
    }
    if (tokenizer.addsBos()) {
        settings.bos = tokenizer.specials().bos;
    }
    return std::move(encoding->ids);
}

// A server scores one token for each request. The file's tokenizer makes the tokens, so the server must run this file.
int runByScores(const inference::Engine& engine, inference::PerplexitySettings settings, const Invocation& invocation,
                Console& console) {
    if (const auto swaps = WeightSwaps::of(invocation, engine, "perplexity", console); !swaps) {
        return swaps.error();
    }
    if (invocation.isSet("against")) {
        return console.fail(
            Cli::tr("perplexity: --against needs the probabilities of all tokens, which a server does not report"));
    }
    const auto options = openOptionsOf(engine, invocation, "perplexity", console, ContextOption::OfVerb);
    if (!options) {
        return options.error();
    }
    const auto responder = openResponder(engine, invocation.file(), *options, console);
    if (!responder) {
        return responder.error();
    }
    const inference::ResponderFacts& facts = (*responder)->facts();
    if (!checkOffered(**responder, inference::Feature::Scoring, "perplexity", "--engine", console)) {
        return kFailed;
    }
    if (facts.options.context != 0 && settings.window >= facts.options.context) {
        return console.fail(
            Cli::tr(
                "perplexity: a window of %1 tokens does not fit into the server's context of %2; use a smaller --ctx")
                .arg(ui::formatCount(settings.window), ui::formatCount(facts.options.context)));
    }
    const Cancellation cancellation;
    const auto tokens = tokensOf(*facts.tokenizer, settings, invocation, cancellation, console);
    if (!tokens) {
        return tokens.error();
    }
    auto line = std::make_unique<ProgressLine>(console, Cli::tr("scoring"), ProgressLine::Unit::Tokens);
    const auto result = inference::perplexity(**responder, *tokens, settings,
                                              {.stop = cancellation.token(), .progress = line->progress()});
    line.reset();
    if (!result && result.error().code == ErrorCode::NotSupported) {
        return console.fail(
            Cli::tr("perplexity: the server does not report the probability of a token that ends inside "
                    "a character; use a text without such characters"));
    }
    return printResult(result, tokens->size() % settings.window, *facts.model, invocation, cancellation, console);
}

constexpr auto kPerplexityOptions = with(
    with(with(with(kEngineOptions, kServerOptions), kOffloadOptions), kSwapOptions),
    std::to_array<OptionFact>({
        {"against", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OTHER"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "compare with a model of the same vocabulary: its perplexity, KL divergence and agreement")},
        {"ctx,context", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "tokens per window, of which the second half is scored; default: 512, or the "
                           "context of the model if that is shorter")},
    }));

int runPerplexity(const Invocation& invocation, Console& console) {
    const auto window = invocation.number("ctx", 4, 65'536); // read before the session's options, which also accept it
    if (!window) {
        return console.fail(QStringLiteral("perplexity: ") + window.error());
    }
    inference::PerplexitySettings settings;
    settings.window = static_cast<std::uint32_t>(window->value_or(settings.window));
    const auto chosen = engineOf(invocation, "perplexity", console);
    if (!chosen) {
        return chosen.error();
    }
    // A text that does not exist is reported before a model is loaded. One that exists is read last, because it may be
    // typed.
    std::error_code ignored;
    if (const std::string& path = invocation.positional()[1]; path != "-" && !std::filesystem::exists(path, ignored)) {
        if (const auto text = readTextFile(path, console); !text) {
            return text.error();
        }
    }
    if (!inference::offers((*chosen)->capabilities, inference::Feature::AllLogits)) {
        return runByScores(**chosen, settings, invocation, console);
    }
    auto options = openOptionsOf(**chosen, invocation, "perplexity", console, ContextOption::OfVerb);
    if (!options) {
        return options.error();
    }
    const auto swaps = WeightSwaps::of(invocation, **chosen, "perplexity", console);
    if (!swaps) {
        return swaps.error();
    }
    options->context = settings.window;
    options->logitRows = settings.window;
    const ContextChoice choice = window->has_value() ? ContextChoice::OfUser : ContextChoice::Default;
    const auto engine = loadEngine(invocation.file(), *options, console, *chosen, choice);
    if (!engine) {
        return engine.error();
    }
    std::optional<LoadedEngine> other;
    // Without --against, the model is compared with itself with swapped tensors.
    const auto against = invocation.value("against");
    if (const std::string path = against.value_or(invocation.file().string()); against || !swaps->empty()) {
        auto loaded = loadEngine(hub::ModelPlace::parse(path), *options, console, *chosen, choice, *swaps);
        if (!loaded) {
            return loaded.error();
        }
        other = std::move(*loaded);
    }
    settings.window = std::min(engine->session->context(), other ? other->session->context() : settings.window);
    const Cancellation cancellation;
    const auto tokenizer = loadTokenizer(*engine->model, cancellation, invocation.file(), console);
    if (!tokenizer) {
        return tokenizer.error();
    }
    if (other) {
        if (const auto code = refuseOtherTokens(*engine, **tokenizer, *other,
                                                against.value_or(invocation.file().string()), cancellation, console)) {
            return *code;
        }
    }
    const auto tokens = tokensOf(**tokenizer, settings, invocation, cancellation, console);
    if (!tokens) {
        return tokens.error();
    }
    auto line = std::make_unique<ProgressLine>(console, Cli::tr("scoring"), ProgressLine::Unit::Tokens);
    const auto result = inference::perplexity(*engine->session, other ? other->session.get() : nullptr, *tokens,
                                              settings, {.stop = cancellation.token(), .progress = line->progress()});
    line.reset();
    return printResult(result, tokens->size() % settings.window, *engine->model, invocation, cancellation, console);
}

} // namespace

const Verb perplexityVerb{
    .name = "perplexity",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE TEXT [--against OTHER] [--with REGEX=FILE …] [--ctx N]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Measures how well the model predicts a text"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "TEXT is a file, or - for standard input. With --against, both models run in "
        "lock step, so no file of logits is needed.\nWith --with, the second model has tensors of further files; "
        "without --against, it is FILE with these tensors.\nWith --engine, a server that runs the same "
        "model scores one token for each request."),
    .options = kPerplexityOptions,
    .minArguments = 2,
    .maxArguments = 2,
    .run = runPerplexity,
};

} // namespace gufo::cli
