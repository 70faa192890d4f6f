#include "cli/embedding.h"

#include "base/detail.h"
#include "cli/engine_options.h"
#include "cli/progress_line.h"
#include "inference/engine/gufo_engine.h"
#include "inference/measuring/line_vectors.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/figure_text.h"

namespace gufo::cli {

Expected<EmbeddedTexts> embedTexts(const Invocation& invocation, const char* verb,
                                   const std::shared_ptr<const Model>& model,
                                   const std::vector<std::vector<TokenId>>& texts,
                                   std::optional<inference::Pooling> pooling, const Cancellation& cancellation,
                                   Console& console) {
    auto options = sessionOptionsOf(invocation);
    if (!options) {
        return std::unexpected(console.fail(QLatin1String(verb) + QStringLiteral(": ") + options.error()));
    }
    if (options->context == 0) { // memory for these texts only, but with the RoPE factors of the trained length
        options->context = inference::contextForTexts(*model, texts);
        options->ropeContext = inference::SessionOptions::kTrainedContext;
    }
    const inference::Engine* engine = inference::engineWith(inference::Feature::Embeddings);
    if (engine == nullptr) {
        return std::unexpected(console.fail(ui::featureMissing(inference::Feature::Embeddings)));
    }
    const auto embedder = engine->openEmbedder(model, *options, {.stop = cancellation.token()});
    if (!embedder) {
        return std::unexpected(failedOrCancelled(embedder.error(), invocation.file(), cancellation, console));
    }
    EmbeddedTexts result{.facts = (*embedder)->facts()};
    if (inference::leavesOutDecoder(*model)) {
        console.note(ui::decoderLeftOutText());
    } else {
        noteLeftOut(result.facts.leftOut, console);
    }
    result.pooling = pooling.value_or(result.facts.pooling.value_or(inference::Pooling::None));
    if (result.pooling == inference::Pooling::Rank && !result.facts.ranks) {
        return std::unexpected(
            console.fail(Cli::tr("%1: the model has no ranking head (cls.output.weight), so it scores no texts; "
                                 "gufo-cli embed makes vectors of them, whose cosine says how similar they are")
                             .arg(QLatin1String(verb))));
    }
    ProgressLine line(console, Cli::tr("evaluating"), ProgressLine::Unit::Tokens);
    const std::vector<std::span<const TokenId>> spans(texts.begin(), texts.end());
    auto vectors =
        (*embedder)->embedAll(spans, result.pooling, {.stop = cancellation.token(), .progress = line.progress()});
    if (!vectors) {
        return std::unexpected(failedOrCancelled(vectors.error(), invocation.file(), cancellation, console));
    }
    result.vectors = std::move(*vectors);
    return result;
}

void writeScores(const EmbeddedTexts& texts, ui::JsonWriter& json) {
    if (!texts.facts.labels.empty()) {
        json.key("labels");
        json.beginArray();
        for (const std::string& label : texts.facts.labels) {
            json.value(label);
        }
        json.endArray();
    }
    json.key("scores");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const std::vector<float>& scores : texts.vectors) {
        if (scores.size() == 1) {
            json.value(scores.front());
            continue;
        }
        json.beginArray();
        for (const float score : scores) {
            json.value(score);
        }
        json.endArray();
    }
    json.endArray();
}

int failedToTokenize(const Error& error, const char* verb, const Invocation& invocation,
                     const Cancellation& cancellation, Console& console) {
    if (error.code == ErrorCode::InvalidArgument && error.args == Arguments{Detail::PromptWithoutTokens}) {
        return console.fail(
            Cli::tr("%1: a text has no tokens, and the model adds none of its own").arg(QLatin1String(verb)));
    }
    return failedOrCancelled(error, invocation.file(), cancellation, console);
}

} // namespace gufo::cli
