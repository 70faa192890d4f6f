#include "cli/engine_options.h"
#include "cli/json_writer.h"
#include "cli/progress_line.h"

#include <cmath>

namespace gufo::cli {
namespace {

const char* nameOf(inference::StopReason reason) {
    switch (reason) {
    case inference::StopReason::EndToken:
        return "end_token";
    case inference::StopReason::StopText:
        return "stop_text";
    case inference::StopReason::MostTokens:
        return "most_tokens";
    case inference::StopReason::ContextFull:
        return "context_full";
    case inference::StopReason::NothingAllowed:
        return "nothing_allowed";
    }
    return "";
}

struct Generated {
    std::vector<inference::GeneratedToken> tokens;
    std::string text;
};

double perSecond(std::uint64_t count, double seconds) { return seconds > 0 ? static_cast<double>(count) / seconds : 0; }

void printJson(const Generated& generated, std::size_t promptTokens, const inference::Session& session,
               inference::StopReason reason, Output& out) {
    const inference::SessionFigures& figures = session.figures();
    JsonWriter json(out);
    json.beginObject(JsonWriter::Layout::Block);
    json.member("prompt_tokens", promptTokens);
    json.member("text", std::string_view(generated.text));
    json.member("stop", nameOf(reason));
    json.key("tokens");
    json.beginArray(JsonWriter::Layout::Block);
    for (const inference::GeneratedToken& token : generated.tokens) {
        json.beginObject();
        json.member("id", token.choice.token.value);
        json.member("logprob", token.choice.logProbability);
        if (!token.choice.candidates.empty()) {
            json.key("candidates");
            json.beginArray();
            for (const inference::Candidate& candidate : token.choice.candidates) {
                json.beginObject();
                json.member("id", candidate.token.value);
                json.member("probability", candidate.probability);
                json.endObject();
            }
            json.endArray();
        }
        json.endObject();
    }
    json.endArray();
    json.member("prompt_tps", perSecond(figures.promptTokens, figures.promptSeconds));
    json.member("generation_tps", perSecond(figures.generatedTokens, figures.generationSeconds));
    json.endObject();
    json.endDocument();
}

} // namespace

int runGenerate(const Invocation& invocation, Console& console) {
    const auto options = sessionOptionsOf(invocation);
    const auto sampler = samplerSettingsOf(invocation);
    const auto most = invocation.number("n", 1, 0x7FFF'FFFF);
    const auto candidates = invocation.number("candidates", 1, 1'000);
    for (const auto& error : {options ? QString() : options.error(), sampler ? QString() : sampler.error(),
                              most ? QString() : most.error(), candidates ? QString() : candidates.error()}) {
        if (!error.isEmpty()) {
            return console.fail(QStringLiteral("generate: ") + error);
        }
    }
    const auto prompt = invocation.value("prompt");
    if (!prompt) {
        return console.fail(Cli::tr("generate: --prompt TEXT is needed"));
    }
    const auto engine = loadEngine(invocation.file(), *options, console);
    if (!engine) {
        return engine.error();
    }
    const Cancellation cancellation;
    const auto tokenizer = loadTokenizer(*engine->model, cancellation, invocation.file(), console);
    if (!tokenizer) {
        return tokenizer.error();
    }
    auto encoding = (*tokenizer)->encode(*prompt, {.parseSpecial = true}, {.stop = cancellation.token()});
    if (!encoding) {
        return failedOrCancelled(encoding.error(), invocation.file(), cancellation, console);
    }
    if (encoding->ids.empty()) {
        return console.fail(Cli::tr("generate: the prompt has no tokens, and the model adds none that begins a text"));
    }

    inference::GenerationSettings settings{.sampler = *sampler,
                                           .most = static_cast<std::uint32_t>(most->value_or(0)),
                                           .candidates = candidates->value_or(0)};
    if (const auto stop = invocation.value("stop")) {
        settings.stops.push_back(*stop);
    }
    inference::Generation generation(*engine->session, *tokenizer, std::move(settings));
    auto line = std::make_unique<ProgressLine>(console, Cli::tr("reading the prompt"));
    auto started = generation.start(encoding->ids, {.stop = cancellation.token(), .progress = line->progress()});
    line.reset();
    if (!started) {
        return failedOrCancelled(started.error(), invocation.file(), cancellation, console);
    }
    const bool streams = !invocation.json();
    Generated generated;
    for (;;) {
        auto token = generation.next({.stop = cancellation.token()});
        if (!token) {
            console.out().flush();
            return failedOrCancelled(token.error(), invocation.file(), cancellation, console);
        }
        if (!*token) {
            break;
        }
        generated.text += (*token)->text;
        if (streams) {
            console.out().write((*token)->text);
            console.out().flush();
        }
        generated.tokens.push_back(std::move(**token));
        if (console.out().failed()) {
            break;
        }
    }
    const std::string rest = generation.rest();
    generated.text += rest;
    if (streams) {
        console.out().write(rest);
        console.out().writeLine();
        if (console.errorsAreTerminal()) {
            const inference::SessionFigures& figures = engine->session->figures();
            console.note(Cli::tr("prompt: %1 tokens, %2 tokens/s; generated: %3 tokens, %4 tokens/s")
                             .arg(encoding->ids.size())
                             .arg(perSecond(figures.promptTokens, figures.promptSeconds), 0, 'f', 1)
                             .arg(generated.tokens.size())
                             .arg(perSecond(figures.generatedTokens, figures.generationSeconds), 0, 'f', 1));
        }
    } else {
        printJson(generated, encoding->ids.size(), *engine->session, generation.reason(), console.out());
    }
    return checkDamage(*engine->model, console);
}

} // namespace gufo::cli
