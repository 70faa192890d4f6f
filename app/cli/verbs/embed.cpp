#include "analysis/export_tensor.h"
#include "base/output_file.h"
#include "cli/embedding.h"
#include "cli/engine_options.h"
#include "cli/shared_options.h"
#include "cli/verb.h"
#include "inference/prompts/prompt_tokens.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_writer.h"

#include <array>

namespace gufo::cli {
namespace {

using inference::Pooling;

// The texts of the arguments or, with --tokens, the ids that each stands for.
Expected<std::vector<std::vector<TokenId>>> tokensOf(const Invocation& invocation, const Model& model,
                                                     const Cancellation& cancellation, Console& console) {
    std::vector<std::vector<TokenId>> texts;
    const std::span<const std::string> arguments = std::span(invocation.positional()).subspan(1);
    const std::vector<std::string> lists = invocation.values("tokens");
    if (arguments.empty() == lists.empty()) {
        return std::unexpected(console.fail(Cli::tr("embed: give either texts or --tokens IDS")));
    }
    for (const std::string& list : lists) {
        auto ids = parseTokenIds(list);
        if (!ids) {
            return std::unexpected(console.fail(QStringLiteral("embed: ") + ids.error()));
        }
        texts.push_back(std::move(*ids));
    }
    if (arguments.empty()) {
        return texts;
    }
    const auto tokenizer = GUFO_TRY(loadTokenizer(model, cancellation, invocation.file(), console));
    for (const std::string& text : arguments) {
        auto ids = inference::embeddingTokens(*tokenizer, text, {.stop = cancellation.token()});
        if (!ids) {
            return std::unexpected(failedToTokenize(ids.error(), "embed", invocation, cancellation, console));
        }
        texts.push_back(std::move(*ids));
    }
    return texts;
}

void printVector(std::span<const float> vector, ui::JsonWriter& json) {
    json.beginArray();
    for (const float x : vector) {
        json.value(x);
    }
    json.endArray();
}

void printJson(const EmbeddedTexts& texts, const std::vector<std::size_t>& tokens, Console& console) {
    ui::JsonWriter json(console.out());
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("pooling", inference::poolingName(texts.pooling));
    json.key("tokens");
    json.beginArray();
    for (const std::size_t count : tokens) {
        json.value(count);
    }
    json.endArray();
    if (texts.pooling == Pooling::Rank) {
        writeScores(texts, json);
    } else {
        json.key("embeddings");
        json.beginArray(ui::JsonWriter::Layout::Block);
        for (const std::vector<float>& vector : texts.vectors) {
            for (std::size_t at = 0; at < vector.size(); at += texts.facts.width) {
                printVector(std::span(vector).subspan(at, texts.facts.width), json);
            }
        }
        json.endArray();
    }
    json.endObject();
    json.endDocument();
}

// One row for each vector.
Expected<void> writeNpy(const EmbeddedTexts& texts, const std::filesystem::path& path, Console& console) {
    std::uint64_t floats = 0;
    for (const std::vector<float>& vector : texts.vectors) {
        floats += vector.size();
    }
    const std::uint64_t width =
        texts.pooling == Pooling::Rank ? texts.vectors.front().size() : std::uint64_t{texts.facts.width};
    auto file = OutputFile::create(path);
    if (!file) {
        return std::unexpected(console.fail(std::move(file.error())));
    }
    const std::string header = npyHeader("<f4", std::array{floats / width, width});
    Result<> written = file->write(std::as_bytes(std::span(header)));
    for (std::size_t i = 0; written && i < texts.vectors.size(); ++i) {
        written = file->write(std::as_bytes(std::span(texts.vectors[i])));
    }
    if (written) {
        written = file->commit();
    }
    if (!written) {
        return std::unexpected(console.fail(std::move(written.error())));
    }
    return {};
}

// A line for each vector, its elements separated by spaces.
void printText(const EmbeddedTexts& texts, Output& out) {
    const std::size_t width = texts.pooling == Pooling::Rank ? texts.vectors.front().size() : texts.facts.width;
    for (const std::vector<float>& vector : texts.vectors) {
        for (std::size_t i = 0; i < vector.size(); ++i) {
            out.write(QString::number(static_cast<double>(vector[i]), 'g', 9));
            out.write((i + 1) % width == 0 ? "\n" : " ");
        }
    }
}

constexpr auto kEmbedOptions = with(
    kRerankOptions,
    std::to_array<OptionFact>({
        {"tokens", QT_TRANSLATE_NOOP("gufo::cli::Cli", "IDS"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "token ids instead of a text, separated by commas or spaces; may be repeated")},
        {"pooling", QT_TRANSLATE_NOOP("gufo::cli::Cli", "P"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "none (a vector for each token), mean, cls (the first token's), last, or rank (scores); "
                           "default: that of the file, otherwise none")},
        {"normalize", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "scale vectors to the length 1")},
        {"o,output", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "write the vectors to a NumPy file, one row for each"), true},
    }));

int runEmbed(const Invocation& invocation, Console& console) {
    std::optional<Pooling> pooling;
    if (const auto name = invocation.value("pooling")) {
        pooling = inference::poolingFromName(*name);
        if (!pooling) {
            return console.fail(Cli::tr("embed: --pooling takes none, mean, cls, last or rank, not \"%1\"")
                                    .arg(ui::displayText(*name)));
        }
    }
    const auto model = openModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    const Cancellation cancellation;
    const auto texts = tokensOf(invocation, **model, cancellation, console);
    if (!texts) {
        return texts.error();
    }
    std::vector<std::size_t> counts;
    for (const std::vector<TokenId>& text : *texts) {
        if (text.empty()) {
            return console.fail(Cli::tr("embed: --tokens needs at least one id"));
        }
        counts.push_back(text.size());
    }
    auto embedded = embedTexts(invocation, "embed", *model, *texts, pooling, cancellation, console);
    if (!embedded) {
        return embedded.error();
    }
    if (invocation.isSet("normalize")) {
        if (embedded->pooling == Pooling::Rank) {
            return console.fail(Cli::tr("embed: --normalize is for vectors, but this makes scores; --pooling mean, cls "
                                        "or last makes vectors"));
        }
        for (std::vector<float>& vector : embedded->vectors) {
            for (std::size_t at = 0; at < vector.size(); at += embedded->facts.width) {
                inference::scaleToUnitLength(std::span(vector).subspan(at, embedded->facts.width));
            }
        }
    }
    if (const auto out = invocation.value("output")) {
        if (const auto written = writeNpy(*embedded, *out, console); !written) {
            return written.error();
        }
    } else if (!invocation.json()) {
        printText(*embedded, console.out());
    }
    if (invocation.json()) {
        printJson(*embedded, counts, console);
    }
    return checkDamage(**model, console);
}

} // namespace

const Verb embedVerb{
    .name = "embed",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE TEXT… [--tokens IDS] [--pooling P] [--normalize] [-o OUT]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Embeds texts, or scores them if the model is a reranker"),
    .details = QT_TRANSLATE_NOOP("gufo::cli::Cli",
                                 "Prints a line of numbers for each text. If the model is not an encoder, its vectors "
                                 "are the states of tokens after\nthe last norm."),
    .options = kEmbedOptions,
    .minArguments = 1,
    .maxArguments = -1,
    .run = runEmbed,
};

} // namespace gufo::cli
