#include "cli/engine_options.h"
#include "cli/progress_line.h"
#include "ui/messages/format.h"
#include "ui/messages/speed_text.h"
#include "ui/report/json_writer.h"

namespace gufo::cli {
namespace {

struct Generated {
    std::vector<inference::GeneratedToken> tokens;
    std::string text;
};

void printJson(const Generated& generated, std::size_t promptTokens, const inference::Session& session,
               inference::StopReason reason, Output& out) {
    const inference::SessionFigures& figures = session.figures();
    ui::JsonWriter json(out);
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("prompt_tokens", promptTokens);
    json.member("text", std::string_view(generated.text));
    json.member("stop", stopName(reason));
    json.key("tokens");
    json.beginArray(ui::JsonWriter::Layout::Block);
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
    const auto candidates = invocation.number("candidates", 1, 1'000);
    for (const auto& error : {options ? QString() : options.error(), candidates ? QString() : candidates.error()}) {
        if (!error.isEmpty()) {
            return console.fail(QStringLiteral("generate: ") + error);
        }
    }
    const auto prompt = invocation.value("prompt");
    if (!prompt) {
        return console.fail(Cli::tr("generate: --prompt TEXT is needed"));
    }
    auto generating = generationOptionsOf(invocation, "generate", console);
    if (!generating) {
        return generating.error();
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
    auto encoding =
        (*tokenizer)->encode(*prompt, {.addEos = false, .parseSpecial = true}, {.stop = cancellation.token()});
    if (!encoding) {
        return failedOrCancelled(encoding.error(), invocation.file(), cancellation, console);
    }
    if (encoding->ids.empty()) {
        return console.fail(Cli::tr("generate: the prompt has no tokens, and the model adds none that begins a text"));
    }

    if (auto applied = applyVocabulary(invocation, "generate", **tokenizer, *generating, console); !applied) {
        return applied.error();
    }
    auto constraint = generating->constraint(**tokenizer, console);
    if (!constraint) {
        return constraint.error();
    }
    generating->settings.candidates = candidates->value_or(0);
    inference::Generation generation(*engine->session, *tokenizer, generating->settings);
    generation.setConstraint(std::move(*constraint));
    auto line = std::make_unique<ProgressLine>(console, Cli::tr("reading the prompt"), ProgressLine::Unit::Tokens);
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
                             .arg(ui::formatCount(encoding->ids.size()),
                                  ui::speedText(perSecond(figures.promptTokens, figures.promptSeconds)),
                                  ui::formatCount(generated.tokens.size()),
                                  ui::speedText(perSecond(figures.generatedTokens, figures.generationSeconds))));
        }
    } else {
        printJson(generated, encoding->ids.size(), *engine->session, generation.reason(), console.out());
    }
    return checkDamage(*engine->model, console);
}

} // namespace gufo::cli
