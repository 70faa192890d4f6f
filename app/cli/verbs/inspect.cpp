#include "base/detail.h"
#include "cli/engine_options.h"
#include "cli/progress_line.h"
#include "cli/shared_options.h"
#include "cli/text_table.h"
#include "cli/verb.h"
#include "inference/measuring/inside.h"
#include "inference/prompts/prompt_tokens.h"
#include "text/tokenizer/tokenizer.h"
#include "ui/messages/escaped_text.h"
#include "ui/messages/figure_text.h"
#include "ui/report/inside_report.h"
#include "ui/report/json_writer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>

namespace gufo::cli {
namespace {

using inference::Inside;
using inference::InsideRequest;
using ui::InsideView;

struct InspectRequest {
    InsideView view = InsideView::Attention;
    InsideRequest inside;
    bool choosesBlock = false;
    inference::SessionOptions options;
};

std::expected<InspectRequest, QString> inspectRequestOf(const Invocation& invocation) {
    InspectRequest request;
    const auto what = invocation.value("what");
    const auto view = what ? ui::insideViewFromName(*what) : std::nullopt;
    if (!view) {
        return std::unexpected(
            what ? Cli::tr("--what takes attention, lens, experts or norms, not \"%1\"").arg(ui::displayText(*what))
                 : Cli::tr("--what attention, lens, experts or norms is needed"));
    }
    request.view = *view;
    const bool attention = *view == InsideView::Attention;
    for (const char* option : {"block", "head"}) {
        if (invocation.isSet(option) && !attention) {
            return std::unexpected(Cli::tr("--%1 is for --what attention").arg(QLatin1String(option)));
        }
    }
    if (invocation.isSet("candidates") && *view != InsideView::Lens) {
        return std::unexpected(Cli::tr("--candidates is for --what lens"));
    }
    const auto block = GUFO_TRY(invocation.number("block", 0, kMaxTokens));
    const auto head = GUFO_TRY(invocation.number("head", 0, kMaxTokens));
    const auto candidates = GUFO_TRY(invocation.number("candidates", 1, 1'000));
    request.choosesBlock = block.has_value();
    if (attention) {
        request.inside.attention = InsideRequest::Heads{.block = block.value_or(0), .head = head};
    }
    request.inside.candidates = *view == InsideView::Lens ? candidates.value_or(5) : 0;
    request.inside.experts = *view == InsideView::Experts;
    request.inside.sizes = *view == InsideView::Norms;
    request.options = GUFO_TRY(sessionOptionsOf(invocation));
    // The session holds the tokens only, with the RoPE factors of this context.
    request.options.ropeContext =
        request.options.context != 0 ? request.options.context : inference::SessionOptions::kTrainedContext;
    return request;
}

Expected<std::vector<TokenId>> inspectedTokens(const Invocation& invocation, const Model& model,
                                               const Cancellation& cancellation, Console& console) {
    const auto list = invocation.value("tokens");
    const auto prompt = invocation.value("prompt");
    if (list.has_value() == prompt.has_value()) {
        return std::unexpected(console.fail(Cli::tr("inspect: give either --tokens IDS or --prompt TEXT")));
    }
    if (list) {
        auto ids = parseTokenIds(*list);
        if (!ids) {
            return std::unexpected(console.fail(QStringLiteral("inspect: ") + ids.error()));
        }
        return std::move(*ids);
    }
    const auto tokenizer = GUFO_TRY(loadTokenizer(model, cancellation, invocation.file(), console));
    auto ids = inference::promptTokens(*tokenizer, *prompt, {}, {.stop = cancellation.token()});
    if (!ids) {
        return std::unexpected(failedOrCancelled(ids.error(), invocation.file(), cancellation, console));
    }
    return std::move(*ids);
}

QString numberText(float value) { return QString::number(static_cast<double>(value), 'g', 4); }

// The largest weights, or changes of them: "3: 0.41, 0: 0.22".
QString largestText(std::span<const float> weights) {
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return std::abs(weights[a]) > std::abs(weights[b]); });
    QStringList parts;
    for (const std::size_t i : order | std::views::take(4)) {
        if (weights[i] != 0) {
            parts << QStringLiteral("%1: %2").arg(i).arg(numberText(weights[i]));
        }
    }
    return parts.join(QStringLiteral(", "));
}

void printAttention(const inference::AttentionMap& map, Console& console) {
    console.out().writeLine(Cli::tr("Block %1; the last token, and means over all tokens").arg(map.block));
    TextTable table({{Cli::tr("Head"), Align::Right},
                     {Cli::tr("Entropy"), Align::Right},
                     {Cli::tr("First token"), Align::Right},
                     {Cli::tr("Sink"), Align::Right},
                     {Cli::tr("The last token looks at"), Align::Left, true}});
    for (std::size_t head = 0; head < map.heads; ++head) {
        inference::HeadSummary mean;
        const auto count = static_cast<float>(map.tokens);
        for (const inference::HeadSummary& summary : std::span(map.summaries).subspan(head * map.tokens, map.tokens)) {
            mean.entropy += summary.entropy / count;
            mean.first += summary.first / count;
            mean.sink += summary.sink / count;
        }
        table.addRow({QString::number(map.firstHead + head), numberText(mean.entropy), numberText(mean.first),
                      numberText(mean.sink), largestText(map.row(head, map.tokens - 1))});
    }
    table.print(console);
}

void printLens(const inference::LogitLens& lens, const text::Tokenizer* tokenizer, Console& console) {
    const auto textOf = [&](TokenId id) {
        return tokenizer != nullptr ? ui::escapeText(tokenizer->bytesOf(id), ui::Lines::Escaped)
                                    : QString::number(id.value);
    };
    const std::size_t last = lens.tokens - 1;
    if (const auto block = lens.firstNotANumber(last)) {
        console.out().writeLine(Cli::tr("After the last token, nothing is first: from block %1 on, the logits are NaN. "
                                        "--what norms says where the first NaN is.")
                                    .arg(*block));
    } else {
        const QString final = textOf(lens.at(lens.blocks - 1, last).front().token);
        console.out().writeLine(
            Cli::tr("After the last token, \"%1\" is first from block %2 on").arg(final).arg(lens.becomes[last]));
    }
    TextTable table({{Cli::tr("Block"), Align::Right},
                     {Cli::tr("Rank"), Align::Right},
                     {Cli::tr("Probability"), Align::Right},
                     {Cli::tr("Most likely"), Align::Left, true}});
    for (std::size_t block = 0; block < lens.blocks; ++block) {
        if (lens.isNotANumber(block, last)) {
            table.addRow({QString::number(block), QString(), QStringLiteral("nan"), QString()});
            continue;
        }
        QStringList best;
        for (const inference::LogitLens::Candidate& candidate : lens.at(block, last)) {
            best << QStringLiteral("%1 %2").arg(textOf(candidate.token), numberText(candidate.probability));
        }
        const inference::LogitLens::Final& place = lens.finalAt(block, last);
        table.addRow({QString::number(block), QString::number(place.rank + 1), numberText(place.probability),
                      best.join(QStringLiteral("  "))});
    }
    table.print(console);
}

void printExperts(const inference::ChosenExperts& experts, Console& console) {
    TextTable table({{Cli::tr("Block"), Align::Right},
                     {Cli::tr("Busiest experts"), Align::Left, true},
                     {Cli::tr("Of the last token"), Align::Left, true}});
    for (std::size_t i = 0; i < experts.blocks.size(); ++i) {
        const std::vector<std::uint64_t> load = experts.load(i);
        std::vector<std::size_t> order(load.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return load[a] > load[b]; });
        QStringList busiest;
        for (const std::size_t expert : order | std::views::take(4)) {
            busiest << QStringLiteral("%1: %2").arg(expert).arg(load[expert]);
        }
        QStringList chosen;
        for (std::size_t use = 0; use < experts.used; ++use) {
            const std::size_t at = ((i + 1) * experts.tokens - 1) * experts.used + use;
            chosen << QStringLiteral("%1: %2").arg(experts.chosen[at]).arg(numberText(experts.weights[at]));
        }
        const QString comma = QStringLiteral(", ");
        table.addRow({QString::number(experts.blocks[i]), busiest.join(comma), chosen.join(comma)});
    }
    table.print(console);
}

void printSizes(const Inside& inside, Console& console) {
    const inference::StreamSizes& sizes = *inside.sizes;
    console.out().writeLine(Cli::tr("At the last token"));
    TextTable table({{Cli::tr("Block"), Align::Right},
                     {Cli::tr("Stream"), Align::Right},
                     {Cli::tr("Attention or state"), Align::Right},
                     {Cli::tr("Feed-forward"), Align::Right},
                     {Cli::tr("Largest"), Align::Right},
                     {Cli::tr("Channel"), Align::Right}});
    for (std::size_t block = 0; block < sizes.blocks; ++block) {
        const std::size_t at = (block + 1) * sizes.tokens - 1;
        table.addRow({QString::number(block), numberText(sizes.stream[at]), numberText(sizes.mixer[at]),
                      numberText(sizes.feedForward[at]), numberText(sizes.largest[at]),
                      QString::number(sizes.channel[at])});
    }
    table.print(console);
    if (!inside.states.empty()) {
        console.out().writeLine();
        TextTable states({{Cli::tr("Block"), Align::Right},
                          {Cli::tr("Norms of the state, by head"), Align::Left, true},
                          {Cli::tr("Mean decay"), Align::Right}});
        for (const inference::RecurrentSizes& state : inside.states) {
            QStringList norms;
            for (const float length : std::span(state.lengths).last(state.heads)) {
                norms << numberText(length);
            }
            const auto decays = std::span(state.decays).last(state.heads);
            const float mean = std::accumulate(decays.begin(), decays.end(), 0.0F) / static_cast<float>(state.heads);
            states.addRow({QString::number(state.block), norms.join(u' '), numberText(mean)});
        }
        states.print(console);
    }
    if (const auto& nan = sizes.notANumber) {
        console.out().writeLine(Cli::tr("The first NaN is at token %1 in block %2 (%3).")
                                    .arg(nan->token)
                                    .arg(nan->block)
                                    .arg(QLatin1String(ui::streamPartName(nan->part))));
    }
}

template<typename Recorded>
void printJson(InsideView view, std::span<const TokenId> tokens, const Recorded& recorded, std::uint64_t bytes,
               Console& console) {
    ui::JsonWriter json(console.out());
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("what", ui::insideViewName(view));
    json.key("tokens");
    json.beginArray();
    for (const TokenId token : tokens) {
        json.value(token.value);
    }
    json.endArray();
    json.member("bytes", bytes);
    ui::writeInsideJson(recorded, view, json);
    json.endObject();
    json.endDocument();
}

void printText(const InspectRequest& request, const Inside& inside, const text::Tokenizer* tokenizer,
               Console& console) {
    switch (request.view) {
    case InsideView::Attention:
        return printAttention(*inside.attention, console);
    case InsideView::Lens:
        return printLens(*inside.lens, tokenizer, console);
    case InsideView::Experts:
        return printExperts(*inside.experts, console);
    case InsideView::Norms:
        return printSizes(inside, console);
    }
}

// The experts of the last token.
void printChoices(const ui::InsidePair& pair, Console& console) {
    const inference::ChosenExperts& a = *pair.a.experts;
    TextTable table({{Cli::tr("Block"), Align::Right},
                     {Cli::tr("Only A"), Align::Left, true},
                     {Cli::tr("Only B"), Align::Left, true},
                     {Cli::tr("Both"), Align::Left, true}});
    const auto listOf = [](const std::vector<inference::ExpertChoices::Choice>& choices) {
        QStringList experts;
        for (const inference::ExpertChoices::Choice& choice : choices) {
            experts << QString::number(choice.expert);
        }
        return experts.join(QStringLiteral(", "));
    };
    for (std::size_t i = 0; i < a.blocks.size(); ++i) {
        const inference::ExpertChoices choices = inference::compareChoices(a, *pair.b.experts, i, a.tokens - 1);
        table.addRow(
            {QString::number(a.blocks[i]), listOf(choices.onlyA), listOf(choices.onlyB), listOf(choices.both)});
    }
    table.print(console);
}

void printRatios(const ui::InsidePair& pair, Console& console) {
    const inference::StreamSizes& a = *pair.a.sizes;
    const inference::StreamSizes& b = *pair.b.sizes;
    TextTable table({{Cli::tr("Block"), Align::Right},
                     {Cli::tr("Stream"), Align::Right},
                     {Cli::tr("Attention or state"), Align::Right},
                     {Cli::tr("Feed-forward"), Align::Right},
                     {Cli::tr("Largest"), Align::Right}});
    for (std::size_t block = 0; block < a.blocks; ++block) {
        const std::size_t at = (block + 1) * a.tokens - 1;
        std::vector<QString> row{QString::number(block)};
        for (const auto values : {&inference::StreamSizes::stream, &inference::StreamSizes::mixer,
                                  &inference::StreamSizes::feedForward, &inference::StreamSizes::largest}) {
            const float ofA = (a.*values)[at]; // 0: the block does not have this half
            row.push_back(ofA != 0 ? numberText(std::abs((b.*values)[at] / ofA)) : QString());
        }
        table.addRow(std::move(row));
    }
    table.print(console);
}

void printText(const InspectRequest& request, const ui::InsidePair& pair, const text::Tokenizer* tokenizer,
               Console& console) {
    console.out().writeLine(QStringLiteral("A"));
    printText(request, pair.a, tokenizer, console);
    console.out().writeLine();
    console.out().writeLine(QStringLiteral("B"));
    printText(request, pair.b, tokenizer, console);
    if (request.view == InsideView::Lens) {
        return;
    }
    console.out().writeLine();
    console.out().writeLine(request.view == InsideView::Norms ? QStringLiteral("B / A") : QStringLiteral("B − A"));
    if (request.view == InsideView::Attention) {
        printAttention(*pair.b.attention - *pair.a.attention, console);
    } else if (request.view == InsideView::Experts) {
        printChoices(pair, console);
    } else {
        printRatios(pair, console);
    }
}

constexpr auto kInspectOptions = with(
    kEngineOptions,
    std::to_array<OptionFact>({
        {"context", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "context length whose RoPE factors are used; default: the trained length")},
        {"what", QT_TRANSLATE_NOOP("gufo::cli::Cli", "WHAT"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "attention, lens (the most likely tokens after each block), experts, or "
                                             "norms (sizes of what blocks add, and of states)")},
        {"tokens", QT_TRANSLATE_NOOP("gufo::cli::Cli", "IDS"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "token ids, separated by commas or spaces")},
        {"p,prompt", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TEXT"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "a text instead of token ids")},
        {"block", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "attention: the block; default: the first one that attends")},
        {"head", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "attention: a single head; default: all of the block, up to 512 tokens")},
        {"candidates", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "lens: tokens for each block; default: 5")},
        {"against", QT_TRANSLATE_NOOP("gufo::cli::Cli", "B"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "compare with a model of the same vocabulary and as many blocks, which reads the same "
                           "tokens")},
        {"o,output", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "write the array to a NumPy file"), true},
    }));

int runInspect(const Invocation& invocation, Console& console) {
    auto request = inspectRequestOf(invocation);
    if (!request) {
        return console.fail(QStringLiteral("inspect: ") + request.error());
    }
    const auto model = openRunnable(invocation.file(), console);
    if (!model) {
        return model.error();
    }
    const Cancellation cancellation;
    const auto failed = [&](const Error& error) {
        return failedOrCancelled(error, invocation.file(), cancellation, console);
    };
    const auto tokens = inspectedTokens(invocation, **model, cancellation, console);
    if (!tokens) {
        return tokens.error();
    }
    if (request->inside.attention && !request->choosesBlock) {
        const auto shape = inference::insideShape(**model);
        if (!shape) {
            return failed(shape.error());
        }
        request->inside.attention->block = shape->firstAttending().value_or(0);
    }
    std::unique_ptr<ProgressLine> line;
    const auto jobOf = [&]() -> JobContext {
        line = std::make_unique<ProgressLine>(console, Cli::tr("evaluating"), ProgressLine::Unit::Tokens);
        return {.stop = cancellation.token(), .progress = line->progress()};
    };
    std::shared_ptr<const text::Tokenizer> tokenizer;
    if (request->view == InsideView::Lens && !invocation.json()) { // without a vocabulary, ids are shown
        tokenizer = text::makeTokenizer(**model, {.stop = cancellation.token()}).value_or(nullptr);
    }
    const auto show = [&](const auto& recorded, std::uint64_t bytes) {
        if (const auto out = invocation.value("output")) {
            if (auto written = ui::writeInsideNpy(recorded, request->view, *out); !written) {
                return console.fail(std::move(written.error()));
            }
        }
        if (invocation.json()) {
            printJson(request->view, *tokens, recorded, bytes, console);
        } else if (!invocation.isSet("output")) {
            printText(*request, recorded, tokenizer.get(), console);
        }
        return checkDamage(**model, console);
    };
    const auto against = invocation.value("against");
    if (!against) {
        const auto inside = inference::lookInside(*model, *tokens, request->inside, request->options, jobOf());
        line.reset();
        return inside ? show(*inside, inside->bytes) : failed(inside.error());
    }
    const auto other = openRunnable(hub::ModelPlace::parse(*against), console);
    if (!other) {
        return other.error();
    }
    if (const auto fits = ui::checkInsidePair(**model, **other, {.stop = cancellation.token()}); !fits) {
        return failed(fits.error());
    }
    const auto both =
        inference::lookInsideBoth({.model = *model, .request = request->inside},
                                  {.model = *other, .request = request->inside}, *tokens, request->options, jobOf());
    line.reset();
    if (!both) {
        return failed(both.error());
    }
    const ui::InsidePair pair{.a = (*both)[0], .b = (*both)[1]};
    if (!ui::hasView(pair, request->view)) {
        return console.fail(Cli::tr("inspect: the models do not have the same number of heads or experts"));
    }
    return show(pair, pair.a.bytes + pair.b.bytes);
}

} // namespace

const Verb inspectVerb{
    .name = "inspect",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE --what WHAT [-p TEXT|--tokens IDS] [--against B] [-o OUT]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Shows what happens inside a model while it reads a text"),
    .details = QT_TRANSLATE_NOOP("gufo::cli::Cli",
                                 "OUT is an array whose last dimension varies fastest: attention [head][query][key] of "
                                 "one block, lens\n[block][token][candidate], experts [block][token][used], norms "
                                 "[block][token]. Needs at most 256 MiB beside the model.\nWith --against, FILE is A: "
                                 "attention is the difference B − A, and the other arrays have the fields of both."),
    .options = kInspectOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runInspect,
};

} // namespace gufo::cli
