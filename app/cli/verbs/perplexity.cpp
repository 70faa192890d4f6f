#include "inference/perplexity.h"

#include "base/mapped_file.h"
#include "cli/engine_options.h"
#include "cli/json_writer.h"
#include "cli/progress_line.h"

namespace gufo::cli {
namespace {

void printJson(const inference::Perplexity& result, Output& out) {
    JsonWriter json(out);
    json.beginObject(JsonWriter::Layout::Block);
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
    out.writeLine(Cli::tr("Perplexity: %1 ± %2 over %3 tokens")
                      .arg(result.value, 0, 'f', 4)
                      .arg(result.deviation, 0, 'f', 4)
                      .arg(result.scored));
    if (result.divergence) {
        out.writeLine(Cli::tr("The other: %1").arg(*result.other, 0, 'f', 4));
        out.writeLine(Cli::tr("KL divergence: mean %1, largest %2 nats")
                          .arg(result.divergence->mean, 0, 'g', 4)
                          .arg(result.divergence->largest, 0, 'g', 4));
        out.writeLine(Cli::tr("Same likeliest token: %1 %").arg(100 * result.divergence->topAgreement, 0, 'f', 2));
    }
}

} // namespace

int runPerplexity(const Invocation& invocation, Console& console) {
    auto options = sessionOptionsOf(invocation);
    const auto window = invocation.number("ctx", 4, 65'536);
    if (!options || !window) {
        return console.fail(QStringLiteral("perplexity: ") + (options ? window.error() : options.error()));
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
    const auto file = MappedFile::open(invocation.positional()[1]);
    if (!file) {
        return console.fail(file.error(), invocation.positional()[1]);
    }
    const auto bytes = (*file)->view({0, (*file)->size()});
    if (!bytes) {
        return console.fail(bytes.error(), invocation.positional()[1]);
    }
    auto line = std::make_unique<ProgressLine>(console, Cli::tr("tokenizing"));
    const auto encoding = (*tokenizer)
                              ->encode({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, {},
                                       {.stop = cancellation.token(), .progress = line->progress()});
    if (!encoding) {
        line.reset();
        return failedOrCancelled(encoding.error(), invocation.file(), cancellation, console);
    }
    if (encoding->ids.size() < settings.window) {
        line.reset();
        return console.fail(Cli::tr("perplexity: the text has %1 tokens, a window takes %2; give a longer text or a "
                                    "smaller --ctx")
                                .arg(encoding->ids.size())
                                .arg(settings.window));
    }
    if ((*tokenizer)->addsBos()) {
        settings.bos = (*tokenizer)->specials().bos;
    }
    line = std::make_unique<ProgressLine>(console, Cli::tr("scoring"));
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
