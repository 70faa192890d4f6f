#include "base/cpu_features.h"
#include "cli/engine_options.h"
#include "cli/json_writer.h"
#include "cli/progress_line.h"
#include "inference/speed.h"
#include "messages/format.h"

namespace gufo::cli {
namespace {

struct Figures {
    double promptTps = 0;
    double generationTps = 0;
    double bestGenerationTps = 0; // of eight stretches
    double read = 0;              // bytes per second in the best stretch
    double bandwidth = 0;         // bytes per second in the best pass of plain reading
    double promptProducts = 0;    // per second
    double peakProducts = 0;      // 0: not known
    unsigned threads = 0;
};

void printJson(const Figures& figures, Output& out) {
    JsonWriter json(out);
    json.beginObject(JsonWriter::Layout::Block);
    json.member("prompt_tps", figures.promptTps);
    json.member("generation_tps", figures.generationTps);
    json.member("best_generation_tps", figures.bestGenerationTps);
    json.member("read_gbps", figures.read / 1e9);
    json.member("bandwidth_gbps", figures.bandwidth / 1e9);
    json.member("bandwidth_share", figures.read / figures.bandwidth);
    json.member("prompt_gmacs", figures.promptProducts / 1e9);
    json.member("peak_int8_gmacs", figures.peakProducts > 0 ? std::optional(figures.peakProducts / 1e9) : std::nullopt);
    json.member("peak_share",
                figures.peakProducts > 0 ? std::optional(figures.promptProducts / figures.peakProducts) : std::nullopt);
    json.member("threads", figures.threads);
    json.member("isa", isaName(activeIsa()));
    json.endObject();
    json.endDocument();
}

void printText(const Figures& figures, Console& console) {
    Output& out = console.out();
    out.writeLine(Cli::tr("Threads: %1, %2").arg(figures.threads).arg(ui::displayText(cpuDescription())));
    const QString peak =
        figures.peakProducts > 0
            ? Cli::tr(", %1 % of the 8-bit peak").arg(100 * figures.promptProducts / figures.peakProducts, 0, 'f', 0)
            : QString();
    out.writeLine(Cli::tr("Prompt: %1 tokens/s, %2·10⁹ products/s%3")
                      .arg(figures.promptTps, 0, 'f', 1)
                      .arg(figures.promptProducts / 1e9, 0, 'f', 0)
                      .arg(peak));
    out.writeLine(Cli::tr("Generation: %1 tokens/s; at best %2, %3 GB/s, %4 % of the read bandwidth (%5 GB/s)")
                      .arg(figures.generationTps, 0, 'f', 1)
                      .arg(figures.bestGenerationTps, 0, 'f', 1)
                      .arg(figures.read / 1e9, 0, 'f', 1)
                      .arg(100 * figures.read / figures.bandwidth, 0, 'f', 0)
                      .arg(figures.bandwidth / 1e9, 0, 'f', 1));
}

} // namespace

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
    const std::size_t promptTokens = prompt->value_or(128);
    const std::size_t generatedTokens = generate->value_or(32);
    const std::size_t before = depth->value_or(0);
    options->context = static_cast<std::uint32_t>(before + promptTokens + generatedTokens + 1);
    const auto engine = loadEngine(invocation.file(), *options, console);
    if (!engine) {
        return engine.error();
    }
    inference::Session& session = *engine->session;
    const Cancellation cancellation;
    const JobContext job{.stop = cancellation.token()};
    const auto tokens = [&](std::size_t count, std::uint32_t salt) { // any will do: speed does not depend on them
        std::vector<TokenId> ids;
        for (std::uint32_t i = 0; i < count; ++i) {
            ids.emplace_back(std::size_t{(i * 2'654'435'761U + salt) % session.vocabulary()});
        }
        return ids;
    };
    auto line = std::make_unique<ProgressLine>(console, Cli::tr("measuring"));
    const auto evaluate = [&](std::span<const TokenId> ids, inference::Logits which) {
        return session.evaluate(ids, which, job);
    };
    constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30U;
    Figures figures{.threads = session.threads()};
    const auto fail = [&](const Error& error) {
        line.reset();
        return failedOrCancelled(error, invocation.file(), cancellation, console);
    };
    auto meter = inference::ReadMeter::make(*engine->model, session.threads(), kMostBytes);
    if (!meter) {
        return fail(meter.error());
    }
    meter->pass(); // which warms the pages and the clock
    const std::vector<TokenId> begun = tokens(before, 1);
    const std::vector<TokenId> prompts = tokens(promptTokens, 7);
    // The first time memory is still being given to the engine.
    for (const bool again : {false, true}) {
        if (session.tokens().size() != before) {
            session.truncate(before);
        }
        if (session.tokens().size() != before) { // a model that cannot go back, and has begun anew
            if (auto ok = evaluate(begun, inference::Logits::None); !ok) {
                return fail(ok.error());
            }
        }
        const double seconds = session.figures().promptSeconds;
        if (auto ok = evaluate(prompts, inference::Logits::Last); !ok) {
            return fail(ok.error());
        }
        if (again && promptTokens > 1) {
            figures.promptTps = static_cast<double>(promptTokens) / (session.figures().promptSeconds - seconds);
        }
    }
    // Generation in stretches, with a pass of plain reading beside each: what disturbs one disturbs the other.
    const inference::SessionFigures& done = session.figures();
    const double generationBegun = done.generationSeconds;
    const std::size_t stretches = std::min<std::size_t>(8, generatedTokens);
    double best = 0;
    for (std::size_t stretch = 0; stretch < stretches; ++stretch) {
        const double seconds = done.generationSeconds;
        const std::size_t begin = generatedTokens * stretch / stretches;
        const std::size_t end = generatedTokens * (stretch + 1) / stretches;
        for (std::size_t i = begin; i < end; ++i) {
            if (auto ok = evaluate(tokens(1, static_cast<std::uint32_t>(31 * i)), inference::Logits::Last); !ok) {
                return fail(ok.error());
            }
        }
        best = std::max(best, static_cast<double>(end - begin) / (done.generationSeconds - seconds));
        meter->pass();
    }
    line.reset();

    figures.generationTps = static_cast<double>(generatedTokens) / (done.generationSeconds - generationBegun);
    figures.bestGenerationTps = best;
    // The middle of the generated tokens stands for all: what they look back on grows evenly.
    const double lookedBackOn = static_cast<double>(before + promptTokens) + static_cast<double>(generatedTokens) / 2;
    figures.read = best * (static_cast<double>(done.weightBytesPerToken) +
                           lookedBackOn * static_cast<double>(done.cacheBytesPerPosition));
    figures.bandwidth = meter->best();
    figures.promptProducts = figures.promptTps * static_cast<double>(done.productsPerToken);
    figures.peakProducts = inference::peakInt8Products(session.threads());
    if (invocation.json()) {
        printJson(figures, console.out());
    } else {
        printText(figures, console);
    }
    return checkDamage(*engine->model, console);
}

} // namespace gufo::cli
