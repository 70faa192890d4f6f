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
    double read = 0;           // bytes per second in generation
    double bandwidth = 0;      // bytes per second that can be read
    double promptProducts = 0; // per second
    double peakProducts = 0;   // 0: not known
    unsigned threads = 0;
};

void printJson(const Figures& figures, Output& out) {
    JsonWriter json(out);
    json.beginObject(JsonWriter::Layout::Block);
    json.member("prompt_tps", figures.promptTps);
    json.member("generation_tps", figures.generationTps);
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
    out.writeLine(Cli::tr("Generation: %1 tokens/s, %2 GB/s, %3 % of the read bandwidth (%4 GB/s)")
                      .arg(figures.generationTps, 0, 'f', 1)
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
    // Warm the pages and the clock first; the read bandwidth is measured in the same run, before and after.
    constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30U;
    Figures figures{.threads = session.threads()};
    const auto fail = [&](const Error& error) {
        line.reset();
        return failedOrCancelled(error, invocation.file(), cancellation, console);
    };
    auto bandwidth = inference::readBandwidth(*engine->model, session.threads(), kMostBytes, job);
    if (!bandwidth) {
        return fail(bandwidth.error());
    }
    if (before != 0) {
        if (auto ok = evaluate(tokens(before, 1), inference::Logits::None); !ok) {
            return fail(ok.error());
        }
    }
    const inference::SessionFigures begun = session.figures();
    if (auto ok = evaluate(tokens(promptTokens, 7), inference::Logits::Last); !ok) {
        return fail(ok.error());
    }
    for (std::size_t i = 0; i < generatedTokens; ++i) {
        const auto one = tokens(1, static_cast<std::uint32_t>(31 * i));
        if (auto ok = evaluate(one, inference::Logits::Last); !ok) {
            return fail(ok.error());
        }
    }
    const auto again = inference::readBandwidth(*engine->model, session.threads(), kMostBytes, job);
    if (!again) {
        return fail(again.error());
    }
    line.reset();

    const inference::SessionFigures& done = session.figures();
    const bool promptIsOne = promptTokens == 1;
    const double promptSeconds = done.promptSeconds - begun.promptSeconds;
    figures.promptTps = promptIsOne ? 0 : static_cast<double>(promptTokens) / promptSeconds;
    figures.generationTps = static_cast<double>(done.generatedTokens - begun.generatedTokens) /
                            (done.generationSeconds - begun.generationSeconds);
    // The middle of the generated tokens stands for all: what they look back on grows evenly.
    const double lookedBackOn = static_cast<double>(before + promptTokens) + static_cast<double>(generatedTokens) / 2;
    figures.read = figures.generationTps * (static_cast<double>(done.weightBytesPerToken) +
                                            lookedBackOn * static_cast<double>(done.cacheBytesPerPosition));
    figures.bandwidth = std::max(*bandwidth, *again);
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
