#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/progress_line.h"
#include "cli/similar_name.h"
#include "cli/text_input.h"
#include "cli/text_table.h"
#include "cli/verb.h"
#include "cli/verification.h"
#include "quantize/plan_file.h"
#include "quantize/quantize_model.h"
#include "quantize/recipe_file.h"
#include "tensor/encode.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/recipe_text.h"
#include "ui/report/json_writer.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <map>

namespace gufo::cli {
namespace {

constexpr std::uint64_t kMaxThreads = 1'024;

QString encodableNames() {
    QStringList names;
    for (const TensorType type : encodableTypes()) {
        names << QString::fromLatin1(tensorTypeFact(type).name.data());
    }
    return names.join(QStringLiteral(", "));
}

std::expected<std::uint32_t, QString> encodableType(std::string_view name) {
    const TensorTypeFact* type = findTensorType(name);
    if (type != nullptr && isEncodable(type->id)) {
        return type->id;
    }
    return std::unexpected(
        Cli::tr("\"%1\" is not a type that can be written; these are %2").arg(ui::displayText(name), encodableNames()));
}

// Parses "REGEX=TYPE".
std::expected<TypeOverride, QString> parseOverride(const std::string& text) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0) {
        return std::unexpected(Cli::tr("--tensor takes REGEX=TYPE, not \"%1\"").arg(ui::displayText(text)));
    }
    const auto type = GUFO_TRY(encodableType(std::string_view(text).substr(equals + 1)));
    const QRegularExpression pattern(fromNative(text.substr(0, equals)));
    if (!pattern.isValid()) {
        return std::unexpected(Cli::tr("--tensor: \"%1\" is not a regular expression: %2")
                                   .arg(ui::displayText(text.substr(0, equals)), pattern.errorString()));
    }
    return TypeOverride{
        .matches = [pattern](std::string_view name) { return pattern.match(fromNative(name)).hasMatch(); },
        .typeId = type,
        .pattern = text.substr(0, equals)};
}

std::expected<std::optional<std::uint32_t>, QString> typeOption(const Invocation& invocation, const char* name) {
    const auto text = invocation.value(name);
    if (!text) {
        return std::nullopt;
    }
    const auto type = GUFO_TRY(encodableType(*text));
    return std::expected<std::optional<std::uint32_t>, QString>(type);
}

// The KL divergence that the plan of a recipe predicted.
std::optional<double> expectedNats(const RecipeFile& recipe) {
    const auto entry = std::ranges::find(recipe.header, "expected-kl", &std::pair<std::string, std::string>::first);
    bool isNumber = false;
    const double nats = entry != recipe.header.end() ? QString::fromStdString(entry->second).toDouble(&isNumber) : 0.0;
    return isNumber && nats >= 0 ? std::optional(nats) : std::nullopt;
}

// Reads a recipe file into the request, and returns what its plan expected. Its lines follow the options --tensor,
// which therefore come first. Errors are printed.
Expected<std::optional<double>> addRecipeFile(const std::string& path, QuantizeRequest& request, Console& console) {
    auto text = GUFO_TRY(readTextFile(path, console));
    const auto recipe = parseRecipeFile(text);
    if (!recipe) {
        return std::unexpected(console.fail(recipe.error(), path));
    }
    if (const auto added = addRecipe(*recipe, request.recipe); !added) {
        const QString why =
            Cli::tr("line %1: \"%2\" is not a regular expression: %3")
                .arg(ui::formatCount(added.error().line), ui::displayText(added.error().pattern), added.error().reason);
        return std::unexpected(console.fail(ui::displayText(path) + QStringLiteral(": ") + why));
    }
    request.recipeText = std::move(text);
    return expectedNats(*recipe);
}

// `type` is empty with a recipe file.
std::expected<QuantizeRequest, QString> parseRequest(const Invocation& invocation, const std::string& type) {
    QuantizeRequest request;
    if (!type.empty()) {
        request.recipe.recipe = GUFO_TRY(recipeNamed(type));
    }
    for (const std::string& text : invocation.values("tensor")) {
        auto parsed = GUFO_TRY(parseOverride(text));
        request.recipe.overrides.push_back(std::move(parsed));
    }
    const auto output = typeOption(invocation, "output-tensor-type");
    const auto embedding = typeOption(invocation, "token-embedding-type");
    if (!output || !embedding) {
        return std::unexpected(output ? embedding.error() : output.error());
    }
    request.recipe.outputType = *output;
    request.recipe.embeddingType = *embedding;
    request.allowRequantize = invocation.isSet("allow-requantize");
    return request;
}

struct TypeTotals {
    std::uint64_t tensors = 0;
    std::uint64_t weights = 0;
    std::uint64_t bytes = 0;
};
using TotalsByType = std::vector<std::pair<std::string, TypeTotals>>;

// Sorted by bytes, largest first.
TotalsByType totalsByType(const Model& model, const QuantizePlan& plan) {
    std::map<std::string, TypeTotals> totals;
    for (const PlannedTensor& planned : plan.tensors()) {
        TensorInfo tensor = model.tensor(planned.tensor);
        tensor.typeId = planned.typeId;
        TypeTotals& total = totals[tensor.typeName()];
        ++total.tensors;
        total.weights += tensor.weights();
        total.bytes += planned.bytes;
    }
    TotalsByType sorted(totals.begin(), totals.end());
    std::ranges::stable_sort(sorted, std::greater(), [](const auto& row) { return row.second.bytes; });
    return sorted;
}

void printPlan(const Model& model, const QuantizePlan& plan, const QString& name, Console& console) {
    TextTable table({{Cli::tr("Type")},
                     {Cli::tr("Tensors"), Align::Right},
                     {Cli::tr("Weights"), Align::Right},
                     {Cli::tr("Size"), Align::Right}});
    for (const auto& [type, total] : totalsByType(model, plan)) {
        table.addRow({ui::displayText(type), ui::formatCount(total.tensors), ui::formatCount(total.weights),
                      ui::formatBytes(total.bytes)});
    }
    table.print(console);
    const auto fallbacks = std::ranges::count(plan.tensors(), TypeReason::Fallback, &PlannedTensor::reason);
    if (fallbacks > 0) {
        console.out().writeLine(
            Cli::tr("Tensors that get another type because their rows are not a whole number of its blocks: %1")
                .arg(fallbacks));
    }
    if (plan.importance) {
        for (const QString& remark : ui::importanceRemarks(*plan.importance)) {
            console.out().writeLine(remark);
        }
    }
    const Model::Totals before = model.totals();
    console.out().writeLine(Cli::tr("%1: %2, %3 bits per weight (before: %4, %5)")
                                .arg(name, ui::formatBytes(plan.fileBytes),
                                     ui::formatBitsPerWeight(plan.bitsPerWeight()), ui::formatBytes(before.fileBytes),
                                     ui::formatBitsPerWeight(before.bitsPerWeight.value_or(0))));
}

std::string_view reasonName(TypeReason reason) {
    switch (reason) {
    case TypeReason::Kept:
        return "kept";
    case TypeReason::Recipe:
        return "recipe";
    case TypeReason::Override:
        return "override";
    case TypeReason::Fallback:
        return "fallback";
    }
    return {};
}

void printJson(const Model& model, const QuantizePlan& plan, const QuantizeRequest& request,
               const Invocation& invocation, const std::string* output, const std::optional<Verification>& verification,
               Console& console) {
    ui::JsonWriter json(console.out());
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.key("mix");
    request.recipe.recipe != nullptr ? json.value(request.recipe.recipe->name) : json.null();
    json.key("recipe");
    const auto file = invocation.value("recipe");
    file ? json.value(std::string_view(*file)) : json.null();
    json.key("output");
    output != nullptr ? json.value(std::string_view(*output)) : json.null();
    const Model::Totals before = model.totals();
    json.member("file_bytes", plan.fileBytes);
    json.member("tensor_bytes", plan.tensorBytes);
    json.member("bits_per_weight", plan.bitsPerWeight());
    json.member("file_bytes_before", before.fileBytes);
    json.member("bits_per_weight_before", before.bitsPerWeight);
    const auto names = [&](const char* key, const auto& list, auto&& nameOf) {
        json.key(key);
        json.beginArray();
        for (const auto& each : list) {
            json.value(std::string_view(nameOf(each)));
        }
        json.endArray();
    };
    const auto itself = [](const std::string& name) -> std::string_view { return name; };
    json.member("without_importance",
                static_cast<std::uint64_t>(plan.importance ? plan.importance->without.size() : 0));
    json.key("importance");
    if (plan.importance) {
        json.beginObject();
        json.member("used", static_cast<std::uint64_t>(plan.importance->used));
        names("without", plan.importance->without, itself);
        names("partly", plan.importance->partly, itself);
        names("borrowed", plan.importance->borrowed, itself);
        json.endObject();
    } else {
        json.null();
    }
    names("idle_patterns", plan.types.idle,
          [&](std::size_t i) -> std::string_view { return request.recipe.overrides[i].pattern; });
    const auto nameOf = [&](TensorIndex tensor) { return model.tensor(tensor).name; };
    names("need_importance", plan.types.needImportance, nameOf);
    names("kept_by_recipes", plan.types.keptByRecipes, nameOf);
    json.key("verification");
    verification ? verification->write(json) : json.null();
    json.key("types");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const auto& [type, total] : totalsByType(model, plan)) {
        json.beginObject();
        json.member("type", std::string_view(type));
        json.member("tensors", total.tensors);
        json.member("weights", total.weights);
        json.member("bytes", total.bytes);
        json.endObject();
    }
    json.endArray();
    json.key("tensors");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const PlannedTensor& planned : plan.tensors()) {
        const TensorInfo& tensor = model.tensor(planned.tensor);
        TensorInfo changed = tensor;
        changed.typeId = planned.typeId;
        json.beginObject();
        json.member("name", tensor.name);
        json.member("from", std::string_view(tensor.typeName()));
        json.member("type", std::string_view(changed.typeName()));
        json.member("bytes", planned.bytes);
        json.member("reason", reasonName(planned.reason));
        json.endObject();
    }
    json.endArray();
    json.endObject();
    json.endDocument();
}

Result<QuantizePlan> quantizeWithProgress(const Model& model, const QuantizeRequest& request,
                                          const std::filesystem::path& out, unsigned threads, const Console& console,
                                          const Cancellation& cancellation) {
    ProgressLine line(console, Cli::tr("quantising"));
    return quantizeModel(model, request, out,
                         {.stop = cancellation.token(), .progress = line.progress(), .threads = threads});
}

// Names the console option --allow-requantize in the hint of the error that needs it.
int failed(const Error& error, const Invocation& invocation, const Cancellation& cancellation, Console& console) {
    const int code = failedOrCancelled(error, invocation.file(), cancellation, console);
    if (error.code == ErrorCode::LossySource) {
        console.note(Cli::tr("use --allow-requantize to quantise it again"));
    }
    return code;
}

constexpr auto kQuantizeOptions = std::to_array<OptionFact>({
    {"tensor", QT_TRANSLATE_NOOP("gufo::cli::Cli", "REGEX=TYPE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "type of tensors whose name matches, except those that are not quantised, such as norms, which "
                       "need their full name; may be repeated, the first match counts")},
    {"recipe", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "take the types from a file instead of TYPE: lines of REGEX = TYPE, of which the first that "
                       "matches counts; a last line * = TYPE is for the rest, which otherwise keeps its types")},
    {"imatrix", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "importance matrix of this model (GGUF or .dat), which reduces errors where they matter most")},
    {"output-tensor-type", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TYPE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "type of the output tensor")},
    {"token-embedding-type", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TYPE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "type of the token embedding")},
    {"allow-requantize", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "requantise tensors that are already quantised, which loses more than quantising the original")},
    {"threads", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "number of threads; default: all. The result does not depend on it")},
    {"verify", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TEXT"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "afterwards, run the result beside the original over a text that neither the importance matrix "
                       "nor the plan has seen: KL divergence and agreement, what a plan expected, and the same of the "
                       "mixes of the nearest sizes, which are not written")},
    {"dry-run", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "only show what would be written and its size")},
});

int runQuantize(const Invocation& invocation, Console& console) {
    const bool dryRun = invocation.isSet("dry-run");
    const std::vector<std::string>& arguments = invocation.positional();
    const auto recipeFile = invocation.value("recipe");
    if (recipeFile && arguments.size() > 2) {
        return console.fail(Cli::tr("quantize: --recipe stands for TYPE, so \"%1\" is an argument too many")
                                .arg(ui::displayText(arguments[2])));
    }
    // Without a recipe file, TYPE is the last argument; OUT may be omitted with --dry-run.
    const std::size_t needed = (dryRun ? 1U : 2U) + (recipeFile ? 0U : 1U);
    if (arguments.size() < needed) {
        return console.fail(QStringLiteral("quantize: ") +
                            Cli::tr("an argument is missing; usage: gufo-cli quantize IN OUT TYPE"));
    }
    auto request = parseRequest(invocation, recipeFile ? std::string() : arguments.back());
    const auto threads = invocation.number("threads", 1, kMaxThreads);
    if (!request || !threads) {
        return console.fail(QStringLiteral("quantize: ") + (request ? threads.error() : request.error()));
    }
    const auto verifyText = invocation.value("verify");
    if (verifyText && dryRun) {
        return console.fail(Cli::tr("quantize: --verify needs the written file, so it cannot go with --dry-run"));
    }
    std::optional<double> expected;
    if (recipeFile) {
        const auto read = addRecipeFile(*recipeFile, *request, console);
        if (!read) {
            return read.error();
        }
        expected = *read;
    }
    std::optional<Verification> verification;
    if (verifyText) {
        auto prepared = Verification::prepare(invocation.file(), *verifyText, expected, console);
        if (!prepared) {
            return prepared.error();
        }
        verification = std::move(*prepared);
    }
    // Loading a model is cancelled by itself, so that this one must not exist then.
    std::optional<Cancellation> cancellation(std::in_place);
    const auto model = openModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    if (const auto path = invocation.value("imatrix")) {
        auto imatrix = Imatrix::open(*path, {.stop = cancellation->token()});
        if (!imatrix) {
            return failedOrCancelled(imatrix.error(), *path, *cancellation, console);
        }
        request->imatrix = std::move(*imatrix);
    }
    const auto plan = planQuantization(**model, *request, {.stop = cancellation->token()});
    if (!plan) {
        return failed(plan.error(), invocation, *cancellation, console);
    }
    for (const QString& warning : ui::typeWarnings(**model, plan->types, request->recipe.overrides)) {
        console.note(warning);
    }
    if (!invocation.json()) {
        const Recipe* const recipe = request->recipe.recipe;
        printPlan(**model, *plan, ui::displayText(recipe != nullptr ? recipe->name : std::string_view(*recipeFile)),
                  console);
        console.out().flush();
    }
    if (!dryRun) {
        const auto done = quantizeWithProgress(**model, *request, arguments[1],
                                               static_cast<unsigned>(threads->value_or(0)), console, *cancellation);
        if (!done) {
            return failed(done.error(), invocation, *cancellation, console);
        }
    }
    cancellation.reset();
    if (verification) {
        if (const auto run = verification->run(arguments[1], *request, *plan, console); !run) {
            return run.error();
        }
    }
    if (invocation.json()) {
        printJson(**model, *plan, *request, invocation, dryRun ? nullptr : &arguments[1], verification, console);
    } else if (verification) {
        verification->print(console);
    }
    return kDone;
}

} // namespace

const Verb quantizeVerb{
    .name = "quantize",
    .arguments = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "IN OUT TYPE|--recipe FILE [--tensor REGEX=TYPE …] [--imatrix FILE] [--verify TEXT] [--dry-run]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Writes the model with other tensor types to a new file"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "TYPE is one of F32, BF16, F16, Q8_0, Q6_K, Q5_1, Q5_K_M, Q5_K_S, Q5_0, Q4_1, Q4_K_M, Q4_K_S, IQ4_NL, Q4_0, "
        "IQ4_XS,\nMXFP4_MOE, Q3_K_L, Q3_K_M, Q3_K_S, IQ3_M, IQ3_S, IQ3_XS, IQ3_XXS, Q2_K, Q2_K_S, IQ2_M, IQ2_S, "
        "IQ2_XS,\nIQ2_XXS, TQ2_0, IQ1_M, TQ1_0, IQ1_S. For ik_llama.cpp and Gufo only, it may also be IQ6_K, IQ5_K,\n"
        "IQ5_KS, IQ4_K, IQ4_KS, IQ4_KSS, IQ3_KL, IQ3_K, IQ3_KS, IQ2_KL, IQ2_K, IQ2_KS. IQ1, IQ2 and IQ3_XXS need an\n"
        "importance matrix. With --dry-run, OUT may be omitted. Shows the resulting size first. OUT is written\n"
        "completely or not at all; shards become one file."),
    .options = kQuantizeOptions,
    .minArguments = 1,
    .maxArguments = 3,
    .run = runQuantize,
    .output = Verb::Output::SecondOfThree,
};

} // namespace gufo::cli
