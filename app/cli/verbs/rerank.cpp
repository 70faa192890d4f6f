#include "cli/embedding.h"
#include "cli/engine_options.h"
#include "cli/shared_options.h"
#include "cli/verb.h"
#include "inference/prompts/prompt_tokens.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_writer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace gufo::cli {
namespace {

struct Ranking {
    std::span<const std::string> texts;
    EmbeddedTexts scored;           // by text: a score for each label; the first score decides
    std::vector<std::size_t> order; // the best text first
    [[nodiscard]] float score(std::size_t text) const { return scored.vectors[text].front(); }
};

void printJson(const Ranking& ranking, Console& console) {
    ui::JsonWriter json(console.out());
    json.beginObject(ui::JsonWriter::Layout::Block);
    writeScores(ranking.scored, json);
    json.key("results");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const std::size_t i : ranking.order) {
        json.beginObject();
        json.member("index", i);
        json.member("score", ranking.score(i));
        json.member("text", std::string_view(ranking.texts[i]));
        json.endObject();
    }
    json.endArray();
    json.endObject();
    json.endDocument();
}

int runRerank(const Invocation& invocation, Console& console) {
    const auto model = openModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    const Cancellation cancellation;
    const auto tokenizer = loadTokenizer(**model, cancellation, invocation.file(), console);
    if (!tokenizer) {
        return tokenizer.error();
    }
    const std::string& query = invocation.positional()[1];
    Ranking ranking{.texts = std::span(invocation.positional()).subspan(2), .scored = {}, .order = {}};
    std::vector<std::vector<TokenId>> pairs;
    for (const std::string& text : ranking.texts) {
        auto ids = inference::rankingTokens(**tokenizer, **model, query, text, {.stop = cancellation.token()});
        if (!ids) {
            return failedToTokenize(ids.error(), "rerank", invocation, cancellation, console);
        }
        pairs.push_back(std::move(*ids));
    }
    auto ranked = embedTexts(invocation, "rerank", *model, pairs, inference::Pooling::Rank, cancellation, console);
    if (!ranked) {
        return ranked.error();
    }
    ranking.scored = std::move(*ranked);
    ranking.order.resize(ranking.texts.size());
    std::iota(ranking.order.begin(), ranking.order.end(), std::size_t{0});
    const auto rank = [&](std::size_t i) { // useless weights make scores that are no numbers, which come last
        const float score = ranking.score(i);
        return std::isnan(score) ? std::numeric_limits<float>::infinity() : -score;
    };
    std::ranges::sort(ranking.order, {}, [&](std::size_t i) { return std::pair(rank(i), i); });
    if (invocation.json()) {
        printJson(ranking, console);
    } else {
        for (const std::size_t i : ranking.order) {
            console.out().writeLine(QStringLiteral("%1  %2")
                                        .arg(static_cast<double>(ranking.score(i)), 10, 'f', 5)
                                        .arg(ui::displayText(ranking.texts[i])));
        }
        if (const std::vector<std::string>& labels = ranking.scored.facts.labels; labels.size() > 1) {
            console.note(Cli::tr("the scores are those of the first of %n labels, %1; --json prints those of all",
                                 nullptr, ui::numerus(labels.size()))
                             .arg(ui::displayText(labels.front())));
        }
    }
    return checkDamage(**model, console);
}

} // namespace

const Verb rerankVerb{
    .name = "rerank",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE QUERY TEXT…"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Sorts texts by how well they answer a query, with a ranking model"),
    .details = QT_TRANSLATE_NOOP("gufo::cli::Cli",
                                 "Prints the best text first, each with its score. Query and text are joined by "
                                 "the template \"rerank\" of the file or,\nwithout one, by its separator."),
    .options = kRerankOptions,
    .minArguments = 3,
    .maxArguments = -1,
    .run = runRerank,
};

} // namespace gufo::cli
