#include "inference/session/perplexity.h"

#include "cli/engine_options.h"
#include "cli/progress_line.h"
#include "cli/text_input.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/format.h"
#include "ui/messages/vocabulary_text.h"
#include "ui/report/json_writer.h"

namespace gufo::cli {
namespace {

void printJson(const inference::Perplexity& result, Output& out) {
    ui::JsonWriter json(out);
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("perplexity", result.value);
    json.member("standard_error", result.deviation);
    json.member("scored", result.scored);
    if (result.divergence) {
        json.member("other_perplexity", *result.other);
        json.member("kl_mean", result.divergence->mean);
        json.member("kl_max", result.divergence->largest);
        json.member("top1_agreement", result.divergence->topAgreement);
    }
    json.endObject();
    json.endDocument();
}

void printText(const inference::Perplexity& result, Console& console) {
    Output& out = console.out();
    out.writeLine(Cli::tr("Perplexity: %1 ± %2 over %n tokens", nullptr, ui::numerus(result.scored))
                      .arg(result.value, 0, 'f', 4)
                      .arg(result.deviation, 0, 'f', 4));
    if (result.divergence) {
        out.writeLine(Cli::tr("Other model: %1").arg(*result.other, 0, 'f', 4));
        out.writeLine(Cli::tr("KL divergence: mean %1, largest %2 nats")
                          .arg(result.divergence->mean, 0, 'g', 4)
                          .arg(result.divergence->largest, 0, 'g', 4));
        out.writeLine(Cli::tr("Same most likely token: %1 %").arg(100 * result.divergence->topAgreement, 0, 'f', 2));
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

} // namespace

int runPerplexity(const Invocation& invocation, Console& console) {
    const auto window = invocation.number("ctx", 4, 65'536); // read before the session's options, which also accept it
    auto options = window ? sessionOptionsOf(invocation) : std::unexpected(window.error());
    if (!options) {
        return console.fail(QStringLiteral("perplexity: ") + options.error());
    }
    inference::PerplexitySettings settings;
    settings.window = static_cast<std::uint32_t>(window->value_or(settings.window));
    options->context = settings.window;
    options->logitRows = settings.window;
    const auto engine = loadEngine(invocation.file(), *options, console);
    if (!engine) {
        return engine.error();
    }
    std::optional<LoadedEngine> other;
    if (const auto path = invocation.value("against")) {
        auto loaded = loadEngine(*path, *options, console);
        if (!loaded) {
            return loaded.error();
        }
        other = std::move(*loaded);
    }
    const Cancellation cancellation;
    const auto tokenizer = loadTokenizer(*engine->model, cancellation, invocation.file(), console);
    if (!tokenizer) {
        return tokenizer.error();
    }
    if (other) {
        if (const auto code =
                refuseOtherTokens(*engine, **tokenizer, *other, *invocation.value("against"), cancellation, console)) {
            return *code;
        }
    }
    const auto text = readTextFile(invocation.positional()[1], console);
    if (!text) {
        return text.error();
    }
    auto line = std::make_unique<ProgressLine>(console, Cli::tr("tokenizing"));
    const auto encoding = (*tokenizer)->encode(*text, {}, {.stop = cancellation.token(), .progress = line->progress()});
    if (!encoding) {
        line.reset();
        return failedOrCancelled(encoding.error(), invocation.file(), cancellation, console);
    }
    if (encoding->ids.size() < settings.window) {
        line.reset();
        return console.fail(
            Cli::tr("perplexity: the text has %n tokens, but a window needs %1; use a longer text or a smaller --ctx",
                    nullptr, ui::numerus(encoding->ids.size()))
                .arg(ui::formatCount(settings.window)));
    }
    if ((*tokenizer)->addsBos()) {
        settings.bos = (*tokenizer)->specials().bos;
    }
    line = std::make_unique<ProgressLine>(console, Cli::tr("scoring"), ProgressLine::Unit::Tokens);
    const auto result = inference::perplexity(*engine->session, other ? other->session.get() : nullptr, encoding->ids,
                                              settings, {.stop = cancellation.token(), .progress = line->progress()});
    line.reset();
    if (!result) {
        return failedOrCancelled(result.error(), invocation.file(), cancellation, console);
    }
    if (invocation.json()) {
        printJson(*result, console.out());
    } else {
        printText(*result, console);
    }
    return checkDamage(*engine->model, console);
}

} // namespace gufo::cli
