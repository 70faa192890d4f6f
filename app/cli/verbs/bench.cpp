#include "base/cpu_features.h"
#include "cli/engine_options.h"
#include "cli/progress_line.h"
#include "cli/shared_options.h"
#include "cli/verb.h"
#include "inference/measuring/speed.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_writer.h"

namespace gufo::cli {
namespace {

using inference::MeasuredSpeed;

void printJson(const MeasuredSpeed& figures, unsigned threads, Output& out) {
    ui::JsonWriter json(out);
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("prompt_tps", figures.promptTps);
    json.member("generation_tps", figures.generationTps);
    json.member("best_generation_tps", figures.bestGenerationTps);
    json.member("read_gbps", figures.read / 1e9);
    json.member("bandwidth_gbps", figures.bandwidth / 1e9);
    json.member("bandwidth_share", figures.read / figures.bandwidth);
    json.member("in_cache", figures.inCache);
    json.member("prompt_gmacs", figures.promptProducts / 1e9);
    json.member("peak_int8_gmacs", figures.peakProducts > 0 ? std::optional(figures.peakProducts / 1e9) : std::nullopt);
    json.member("peak_share",
                figures.peakProducts > 0 ? std::optional(figures.promptProducts / figures.peakProducts) : std::nullopt);
    json.member("threads", threads);
    json.member("isa", isaName(activeIsa()));
    json.endObject();
    json.endDocument();
}

void printText(const MeasuredSpeed& figures, unsigned threads, Console& console) {
    Output& out = console.out();
    out.writeLine(Cli::tr("Threads: %1, %2").arg(threads).arg(ui::displayText(cpuDescription())));
    const QString peak =
        figures.peakProducts > 0
            ? Cli::tr(", %1 % of the 8-bit peak").arg(100 * figures.promptProducts / figures.peakProducts, 0, 'f', 0)
            : QString();
    out.writeLine(Cli::tr("Prompt: %1 tokens/s, %2·10⁹ products/s%3")
                      .arg(ui::speedText(figures.promptTps))
                      .arg(ui::speedText(figures.promptProducts / 1e9))
                      .arg(peak));
    const QString limit = figures.inCache
                              ? Cli::tr("from the processor's cache, so the bandwidth of the memory is no limit")
                              : Cli::tr("%1 % of the read bandwidth (%2 GB/s)")
                                    .arg(100 * figures.read / figures.bandwidth, 0, 'f', 0)
                                    .arg(ui::speedText(figures.bandwidth / 1e9));
    out.writeLine(Cli::tr("Generation: %1 tokens/s; at best %2, %3 GB/s, %4")
                      .arg(ui::speedText(figures.generationTps), ui::speedText(figures.bestGenerationTps),
                           ui::speedText(figures.read / 1e9), limit));
}

constexpr auto kBenchOptions =
    with(kEngineOptions,
         std::to_array<OptionFact>({
             {"context", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
              QT_TRANSLATE_NOOP("gufo::cli::Cli", "context length in tokens; default: the tokens that are measured")},
             {"p,prompt", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
              QT_TRANSLATE_NOOP("gufo::cli::Cli", "prompt tokens; default: 128")},
             {"n", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
              QT_TRANSLATE_NOOP("gufo::cli::Cli", "tokens to generate; default: 32")},
             {"d,depth", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
              QT_TRANSLATE_NOOP("gufo::cli::Cli", "tokens already in the context; default: 0")},
         }));

int runBench(const Invocation& invocation, Console& console) {
    auto options = sessionOptionsOf(invocation);
    const auto prompt = invocation.number("prompt", 1, 65'536);
    const auto generate = invocation.number("n", 1, 65'536);
    const auto depth = invocation.number("depth", 0, 1'000'000);
    for (const auto& error : {options ? QString() : options.error(), prompt ? QString() : prompt.error(),
                              generate ? QString() : generate.error(), depth ? QString() : depth.error()}) {
        if (!error.isEmpty()) {
            return console.fail(QStringLiteral("bench: ") + error);
        }
    }
    const inference::SpeedTask task{
        .before = depth->value_or(0), .prompt = prompt->value_or(128), .generated = generate->value_or(32)};
    const auto needed = static_cast<std::uint32_t>(task.before + task.prompt + task.generated + 1);
    if (options->context != 0 && options->context < needed) {
        return console.fail(Cli::tr("bench: --context must be at least %1, because that many tokens are measured")
                                .arg(ui::formatCount(needed)));
    }
    options->context = std::max(options->context, needed);
    const auto engine = loadEngine(invocation.file(), *options, console);
    if (!engine) {
        return engine.error();
    }
    inference::Session& session = *engine->session;
    const Cancellation cancellation;
    auto line = std::make_unique<ProgressLine>(console, Cli::tr("measuring"));
    const auto figures = inference::measureSpeed(session, *engine->model, task, {.stop = cancellation.token()});
    line.reset();
    if (!figures) {
        return failedOrCancelled(figures.error(), invocation.file(), cancellation, console);
    }
    if (invocation.json()) {
        printJson(*figures, session.threads(), console.out());
    } else {
        printText(*figures, session.threads(), console);
    }
    return checkDamage(*engine->model, console);
}

} // namespace

const Verb benchVerb{
    .name = "bench",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE [-p N] [-n N] [-d N] [-t N]"),
    .summary =
        QT_TRANSLATE_NOOP("gufo::cli::Cli", "Measures the speed, and compares it with the limits of this machine"),
    .details = QT_TRANSLATE_NOOP("gufo::cli::Cli",
                                 "Evaluates arbitrary tokens. Measures the read bandwidth and the peak rate of "
                                 "8-bit products in the same run."),
    .options = kBenchOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runBench,
};

} // namespace gufo::cli
