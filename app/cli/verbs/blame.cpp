#include "inference/measuring/blame.h"

#include "cli/engine_choice.h"
#include "cli/engine_options.h"
#include "cli/progress_line.h"
#include "cli/shared_options.h"
#include "cli/swapped_weights.h"
#include "cli/text_input.h"
#include "cli/text_table.h"
#include "cli/verb.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_writer.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace gufo::cli {
namespace {

using inference::BlameBy;

struct BlameByRow {
    const char* name;
    BlameBy by;
};
constexpr auto kBy = std::to_array<BlameByRow>(
    {{"block", BlameBy::Block}, {"role", BlameBy::Role}, {"tensor", BlameBy::Tensor}, {"expert", BlameBy::Expert}});

struct Request {
    const BlameByRow* by = kBy.data();
    std::optional<std::size_t> window;
    std::optional<std::size_t> position;
    std::function<bool(std::string_view)> wanted;
    inference::SessionOptions options;
};

std::expected<Request, QString> requestOf(const Invocation& invocation) {
    Request request;
    if (const auto name = invocation.value("by")) {
        request.by = std::ranges::find(kBy, *name, [](const BlameByRow& row) { return std::string_view(row.name); });
        if (request.by == kBy.end()) {
            return std::unexpected(
                Cli::tr("--by takes block, role, tensor or expert, not \"%1\"").arg(ui::displayText(*name)));
        }
    }
    const auto window = GUFO_TRY(invocation.number("ctx", 4, 65'536));
    if (window) {
        request.window = *window;
    }
    const auto position = GUFO_TRY(invocation.number("token", 0, 65'536));
    if (position) {
        request.position = *position;
    }
    if (const auto typed = invocation.value("only")) {
        const QRegularExpression pattern(fromNative(*typed));
        if (!pattern.isValid()) {
            return std::unexpected(Cli::tr("--only: \"%1\" is not a regular expression: %2")
                                       .arg(ui::displayText(*typed), pattern.errorString()));
        }
        request.wanted = [pattern](std::string_view name) { return pattern.match(fromNative(name)).hasMatch(); };
    }
    if (invocation.isSet("batch")) {
        return std::unexpected(Cli::tr("--batch has no effect: the text is evaluated as one batch; see --ctx"));
    }
    request.options = GUFO_TRY(sessionOptionsOf(invocation));
    return request;
}

struct Answer {
    const Model& model; // A
    const inference::BlameText& text;
    const inference::BlameParts& parts;
    const inference::Blame& blame;
    std::span<const inference::LayerDistance> layers;
};

double meanOf(std::span<const double> values) {
    return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void writeNumbers(ui::JsonWriter& json, const char* name, std::span<const double> values) {
    json.key(name);
    json.beginArray();
    for (const double value : values) {
        json.value(value);
    }
    json.endArray();
}

// The experts of each token, as lists of their numbers.
void writeExperts(ui::JsonWriter& json, const char* name, std::span<const std::vector<std::uint32_t>> tokens) {
    json.key(name);
    json.beginArray();
    for (const std::vector<std::uint32_t>& experts : tokens) {
        json.beginArray();
        for (const std::uint32_t expert : experts) {
            json.value(std::uint64_t{expert});
        }
        json.endArray();
    }
    json.endArray();
}

void printJson(const Answer& answer, const Invocation& invocation, const Request& request, Output& out) {
    ui::JsonWriter json(out);
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("text", std::string_view(invocation.positional()[2]));
    json.member("tokens", answer.text.tokens.size());
    json.member("scored", answer.text.scored());
    json.member("by", std::string_view(request.by->name));
    json.member("total_kl", answer.blame.total);
    json.member("interaction_from_b", answer.blame.interactionFromOther());
    json.member("interaction_restored", answer.blame.interactionRestored());
    json.member("equal_tensors", answer.parts.equal);
    json.member("unused_tensors", answer.parts.unused);
    json.member("runs", answer.parts.runs());
    json.key("parts");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (std::size_t i = 0; i < answer.parts.parts.size(); ++i) {
        const inference::BlamePart& part = answer.parts.parts[i];
        json.beginObject();
        json.member("name", std::string_view(part.name));
        json.key("tensors");
        json.beginArray();
        for (const TensorIndex tensor : part.tensors) {
            json.value(answer.model.tensor(tensor).name);
        }
        json.endArray();
        if (part.expert) {
            json.member("expert", *part.expert);
        }
        json.member("kl_from_b", answer.blame.shares[i].fromOther);
        json.member("kl_restored", answer.blame.shares[i].restored);
        json.endObject();
    }
    json.endArray();
    if (!answer.layers.empty()) {
        json.key("layers");
        json.beginArray(ui::JsonWriter::Layout::Block);
        for (std::size_t block = 0; block < answer.layers.size(); ++block) {
            const inference::LayerDistance& layer = answer.layers[block];
            json.beginObject();
            json.member("block", block);
            writeNumbers(json, "relative_l2", layer.relative);
            writeNumbers(json, "cosine", layer.cosine);
            if (!layer.sameExperts.empty()) {
                writeNumbers(json, "same_experts", layer.sameExperts);
                writeExperts(json, "experts_a", layer.expertsOfA);
                writeExperts(json, "experts_b", layer.expertsOfB);
            }
            json.endObject();
        }
        json.endArray();
    }
    json.endObject();
    json.endDocument();
}

QString natsText(double nats) { return QString::number(nats, 'g', 4); }

QString shareText(double nats, double total) {
    return total > 0 ? QString::number(100 * nats / total, 'f', 1) : QString();
}

void printText(const Answer& answer, Console& console) {
    const inference::Blame& blame = answer.blame;
    console.out().writeLine(Cli::tr("KL divergence of B from A: %1 nats, mean over %n positions", nullptr,
                                    ui::numerus(answer.text.scored()))
                                .arg(natsText(blame.total)));
    TextTable table({{Cli::tr("Part")},
                     {Cli::tr("Tensors"), Align::Right},
                     {Cli::tr("KL from B"), Align::Right},
                     {Cli::tr("%"), Align::Right},
                     {Cli::tr("KL restored"), Align::Right},
                     {Cli::tr("%"), Align::Right}});
    std::vector<std::size_t> order(answer.parts.parts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t x, std::size_t y) {
        const double a = blame.shares[x].fromOther + blame.shares[x].restored;
        const double b = blame.shares[y].fromOther + blame.shares[y].restored;
        return a != b ? a > b : x < y;
    });
    const auto row = [&](const QString& name, const QString& tensors, double from, double restored) {
        table.addRow({name, tensors, natsText(from), shareText(from, blame.total), natsText(restored),
                      shareText(restored, blame.total)});
    };
    for (const std::size_t i : order) {
        const inference::BlamePart& part = answer.parts.parts[i];
        row(ui::displayText(part.name), ui::formatCount(part.tensors.size()), blame.shares[i].fromOther,
            blame.shares[i].restored);
    }
    row(Cli::tr("interaction"), {}, blame.interactionFromOther(), blame.interactionRestored());
    table.print(console);
    if (answer.parts.equal != 0) {
        console.out().writeLine(
            Cli::tr("%n tensors are the same in both files.", nullptr, ui::numerus(answer.parts.equal)));
    }
    if (answer.parts.unused != 0) {
        console.out().writeLine(
            Cli::tr("%n tensors differ, but do not affect the answers.", nullptr, ui::numerus(answer.parts.unused)));
    }
    if (answer.layers.empty()) {
        return;
    }
    console.out().writeLine();
    const bool experts = std::ranges::any_of(answer.layers, [](const auto& l) { return !l.sameExperts.empty(); });
    std::vector<Column> columns{{Cli::tr("After block"), Align::Right},
                                {Cli::tr("Distance (mean)"), Align::Right},
                                {Cli::tr("Distance (largest)"), Align::Right},
                                {Cli::tr("Cosine (mean)"), Align::Right}};
    if (experts) {
        columns.push_back({Cli::tr("Same experts (%)"), Align::Right});
    }
    TextTable layers(std::move(columns));
    for (std::size_t block = 0; block < answer.layers.size(); ++block) {
        const inference::LayerDistance& layer = answer.layers[block];
        std::vector<QString> cells{ui::formatCount(block), QString::number(meanOf(layer.relative), 'f', 5),
                                   QString::number(std::ranges::max(layer.relative), 'f', 5),
                                   QString::number(meanOf(layer.cosine), 'f', 6)};
        if (experts) {
            cells.push_back(layer.sameExperts.empty() ? QString()
                                                      : QString::number(100 * meanOf(layer.sameExperts), 'f', 1));
        }
        layers.addRow(cells);
    }
    layers.print(console);
    for (std::size_t block = 0; block < answer.layers.size(); ++block) {
        const auto& same = answer.layers[block].sameExperts;
        const auto parted = std::ranges::find_if(same, [](double share) { return share < 1; });
        if (parted != same.end()) {
            console.out().writeLine(Cli::tr("The routers part first in block %1, at token %2.")
                                        .arg(ui::formatCount(block), ui::formatCount(parted - same.begin())));
            return;
        }
    }
}

Expected<inference::BlameText> textOf(const Model& model, const Request& request, const Invocation& invocation,
                                      const Cancellation& cancellation, Console& console) {
    const auto tokenizer = GUFO_TRY(loadTokenizer(model, cancellation, invocation.file(), console));
    const auto typed = GUFO_TRY(readTextFile(invocation.positional()[2], console));
    const auto encoding = tokenizer->encode(typed, {}, {.stop = cancellation.token()});
    if (!encoding) {
        return std::unexpected(failedOrCancelled(encoding.error(), invocation.file(), cancellation, console));
    }
    const auto bos = tokenizer->addsBos() ? tokenizer->specials().bos : std::nullopt;
    auto text =
        inference::blameText(encoding->ids, request.window.value_or(defaultWindow(model)), bos, request.position);
    if (!text) {
        return std::unexpected(console.fail(std::move(text.error()), invocation.positional()[2]));
    }
    return std::move(*text);
}

constexpr auto kBlameOptions = with(
    kEngineOptions,
    std::to_array<OptionFact>({
        {"by", QT_TRANSLATE_NOOP("gufo::cli::Cli", "WHAT"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "what is swapped together: block (default), role, tensor or expert")},
        {"only", QT_TRANSLATE_NOOP("gufo::cli::Cli", "REGEX"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "swap only tensors whose name matches")},
        {"token", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "score a single position, counted from 0 over the scored ones")},
        {"layers", "",
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "also show how far the states of B are from those of A after each block")},
        {"ctx,context", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "tokens of the text that are evaluated, of which the second half is scored; "
                           "default: 512, or the text or the context of the model if that is shorter")},
    }));

int runBlame(const Invocation& invocation, Console& console) {
    const auto request = requestOf(invocation);
    if (!request) {
        return console.fail(QStringLiteral("blame: ") + request.error());
    }
    const std::filesystem::path other = invocation.positional()[1];
    const auto a = openRunnable(invocation.file(), console);
    if (!a) {
        return a.error();
    }
    const auto b = openRunnable(other, console);
    if (!b) {
        return b.error();
    }
    const Cancellation cancellation;
    const auto failed = [&](const Error& error) {
        return failedOrCancelled(error, error.file.empty() ? invocation.file() : error.file, cancellation, console);
    };
    const auto parts =
        inference::blameParts(**a, **b, request->by->by, request->wanted, {.stop = cancellation.token()});
    if (!parts) {
        return failed(parts.error());
    }
    if (const auto same = checkSameVocabulary(**a, **b, other, cancellation, console); !same) {
        return same.error();
    }
    const auto text = textOf(**a, *request, invocation, cancellation, console);
    if (!text) {
        return text.error();
    }
    if (!invocation.json()) {
        console.note(Cli::tr("%n parts differ; the map costs as much as %1 runs of the text.", nullptr,
                             ui::numerus(parts->parts.size()))
                         .arg(parts->runs(), 0, 'f', 1));
    }
    auto line = std::make_unique<ProgressLine>(console, Cli::tr("swapping tensors"));
    const auto result =
        inference::blame(*a, *b, *text, *parts, request->options, [](std::size_t, const inference::Blame&) {},
                         {.stop = cancellation.token(), .progress = line->progress()});
    line.reset();
    if (!result) {
        return failed(result.error());
    }
    std::vector<inference::LayerDistance> layers;
    if (invocation.isSet("layers")) {
        line = std::make_unique<ProgressLine>(console, Cli::tr("comparing layers"));
        auto distances = inference::layerDistances(*a, *b, *text, request->options,
                                                   {.stop = cancellation.token(), .progress = line->progress()});
        line.reset();
        if (!distances) {
            return failed(distances.error());
        }
        layers = std::move(*distances);
    }
    const Answer answer{.model = **a, .text = *text, .parts = *parts, .blame = *result, .layers = layers};
    invocation.json() ? printJson(answer, invocation, *request, console.out()) : printText(answer, console);
    return checkDamage(**b, console);
}

} // namespace

const Verb blameVerb{
    .name = "blame",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "A B TEXT [--by block|role|tensor|expert] [--token N] [--layers]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Finds which tensors make B answer differently from A"),
    .details = QT_TRANSLATE_NOOP("gufo::cli::Cli",
                                 "A and B are files of one model, TEXT is a file, or - for standard input. For each "
                                 "part of the tensors, shows how "
                                 "far A\ndiverges from itself with this part from B, and how much of the divergence of "
                                 "B goes away with this part "
                                 "from A. The shares\ndo not add up to the whole; the rest is shown as interaction."),
    .options = kBlameOptions,
    .minArguments = 3,
    .maxArguments = 3,
    .run = runBlame,
};

} // namespace gufo::cli
