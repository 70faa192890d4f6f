#include "base/detail.h"
#include "base/output_file.h"
#include "cli/engine_options.h"
#include "cli/progress_line.h"
#include "cli/shared_options.h"
#include "cli/similar_name.h"
#include "cli/text_input.h"
#include "cli/text_table.h"
#include "cli/verb.h"
#include "model/tensor_role.h"
#include "quantize/calibration_store.h"
#include "quantize/plan_file.h"
#include "quantize/recipe_file.h"
#include "text/tensor_filter.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_writer.h"

#include <algorithm>
#include <array>
#include <map>

namespace gufo::cli {
namespace {

constexpr std::uint64_t kUsualContext = 4'096;

struct TypedTarget {
    std::optional<std::uint64_t> fileBytes;
    std::optional<double> bitsPerWeight;
    std::optional<double> nats;
    std::optional<std::uint64_t> memory; // of the machine, for the model with a context of `context` tokens
    std::uint32_t context = 0;
    QString text; // as it was typed
};

std::expected<TypedTarget, QString> targetOf(const Invocation& invocation) {
    TypedTarget target;
    int given = 0;
    if (const auto size = invocation.value("target")) {
        target.fileBytes = text::parseByteSize(QString::fromStdString(*size));
        if (!target.fileBytes) {
            return std::unexpected(
                Cli::tr("--target takes a size such as 4.2GB, not \"%1\"").arg(ui::displayText(*size)));
        }
        target.text = ui::displayText(*size);
        ++given;
    }
    target.bitsPerWeight = GUFO_TRY(invocation.real("bpw", 0.5, 32));
    target.nats = GUFO_TRY(invocation.real("kl", 0));
    if (target.bitsPerWeight) {
        target.text = Cli::tr("%1 bits per weight").arg(*target.bitsPerWeight);
        ++given;
    }
    if (target.nats) {
        target.text = Cli::tr("KL divergence of %1 nats").arg(*target.nats);
        ++given;
    }
    if (const auto memory = invocation.value("memory")) {
        target.memory = text::parseByteSize(QString::fromStdString(*memory));
        if (!target.memory) {
            return std::unexpected(
                Cli::tr("--memory takes a size such as 8GB, not \"%1\"").arg(ui::displayText(*memory)));
        }
        const auto context = GUFO_TRY(invocation.number("for-context", 1, kMaxTokens));
        target.context = static_cast<std::uint32_t>(context.value_or(kUsualContext));
        target.text = Cli::tr("%1 of memory with a context of %2 tokens")
                          .arg(ui::displayText(*memory), ui::formatCount(target.context));
        ++given;
    }
    return given == 1 ? std::expected<TypedTarget, QString>(target)
                      : std::unexpected(Cli::tr("one of --target, --bpw, --memory and --kl is needed"));
}

// What the verb was asked for and has found.
struct PlanWork {
    std::shared_ptr<const Model> model;
    QuantizeRequest request;
    TypedTarget target;
    CostTable costs;
    SensitivityFactors factors;
    RecipeOutcome outcome{};
    Runtime runtime = Runtime::LlamaCpp;
    PlanRules rules{};
    std::optional<std::uint64_t> memory{}; // what running takes with the context of --memory

    [[nodiscard]] std::uint32_t typeOf(const TensorCosts& tensor) const {
        return outcome.file.tensors()[tensor.tensor.value].typeId;
    }
};

RecipeHeader headerOf(const PlanWork& work, const Invocation& invocation) {
    RecipeHeader header;
    header.emplace_back("model", std::string(work.model->metadata.string("general.name").value_or("")));
    header.emplace_back("target", work.target.text.toStdString());
    const auto calibration = invocation.value("calibrate");
    header.emplace_back("costs", calibration
                                     ? "measured with " + std::filesystem::path(*calibration).filename().string()
                                     : "published");
    header.emplace_back("runtime", runtimeProfiles()[static_cast<std::size_t>(work.runtime)].name);
    if (const auto imatrix = invocation.value("imatrix")) {
        header.emplace_back("imatrix", std::filesystem::path(*imatrix).filename().string());
    }
    return header;
}

// Says which vetoes stand between the smallest plan and a smaller one.
void noteVetoes(const PlanWork& work, Console& console) {
    for (const VetoedSize& size : vetoesInTheWay(*work.model, work.costs, work.rules)) {
        const QString bytes = ui::formatCount(size.bytes);
        switch (size.veto) {
        case PlanVeto::OutputAndEmbedding:
            console.note(
                Cli::tr("Output and embedding are kept from being crushed; without that rule, the tensors could "
                        "have %1 bytes, but models answer nonsense then.")
                    .arg(bytes));
            break;
        case PlanVeto::SharedTypes:
            console.note(Cli::tr("Queries, keys and values share a type, and so do gate and up; with --separate, the "
                                 "tensors can have %1 bytes.")
                             .arg(bytes));
            break;
        case PlanVeto::NoImportance:
            console.note(Cli::tr("The smallest types ruin a model without an importance matrix; with --imatrix, the "
                                 "tensors can have %1 bytes.")
                             .arg(bytes));
            break;
        }
    }
}

// Chooses types so that the whole file, with its header and the recipe in it, is no larger than the target. Errors are
// printed.
Expected<void> findPlan(PlanWork& work, const Invocation& invocation, const Cancellation& cancellation,
                        Console& console) {
    PlanTarget target{.fileBytes = work.target.fileBytes, .tensorBytes = {}, .nats = work.target.nats};
    if (work.target.bitsPerWeight) {
        target.tensorBytes = static_cast<std::uint64_t>(*work.target.bitsPerWeight *
                                                        static_cast<double>(work.model->totals().weights) / 8);
    }
    std::optional<std::uint64_t> beside;
    if (work.target.memory) {
        beside = memoryBesideWeights(work.model, work.target.context);
        if (!beside) {
            return std::unexpected(
                console.fail(Cli::tr("plan: the memory that running this model takes cannot be estimated")));
        }
        target.tensorBytes = *work.target.memory - std::min(*work.target.memory, *beside);
    }
    auto outcome = planFile(*work.model, work.costs, target, work.rules, headerOf(work, invocation), work.request,
                            {.stop = cancellation.token()});
    if (!outcome) {
        const int code = failedOrCancelled(outcome.error(), invocation.file(), cancellation, console);
        if (outcome.error().code == ErrorCode::InvalidArgument && !target.nats) {
            noteVetoes(work, console);
        }
        return std::unexpected(code);
    }
    work.outcome = std::move(*outcome);
    if (beside) {
        work.memory = work.outcome.file.tensorBytes + *beside;
    }
    return {};
}

Expected<SensitivityFactors> factorsOf(const PlanWork& work, const Invocation& invocation,
                                       const Cancellation& cancellation, Console& console) {
    const auto path = invocation.value("calibrate");
    if (!path) {
        return publishedFactors(*work.model);
    }
    const auto window = invocation.number("ctx", 4, 65'536);
    const auto options = window ? sessionOptionsOf(invocation) : std::unexpected(window.error());
    if (!options) {
        return std::unexpected(console.fail(QStringLiteral("plan: ") + options.error()));
    }
    const auto typed = GUFO_TRY(readTextFile(*path, console));
    const auto tokenizer = GUFO_TRY(loadTokenizer(*work.model, cancellation, invocation.file(), console));
    const auto encoding = tokenizer->encode(typed, {}, {.stop = cancellation.token()});
    if (!encoding) {
        return std::unexpected(failedOrCancelled(encoding.error(), invocation.file(), cancellation, console));
    }
    const auto bos = tokenizer->addsBos() ? tokenizer->specials().bos : std::nullopt;
    const auto text = calibrationWindows(*work.model, encoding->ids, window->value_or(defaultWindow(*work.model)), bos);
    if (!text) {
        return std::unexpected(console.fail(text.error(), *path));
    }
    ProgressLine line(console, Cli::tr("calibrating"));
    auto factors = calibrateOnce(work.model, work.request.imatrix, work.costs, *text, *options, calibrationFolder(),
                                 {.stop = cancellation.token(), .progress = line.progress()});
    if (!factors) {
        return std::unexpected(failedOrCancelled(factors.error(), invocation.file(), cancellation, console));
    }
    return std::move(*factors);
}

void printPlanJson(const PlanWork& work, const Invocation& invocation, Output& out) {
    ui::JsonWriter json(out);
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("output", std::string_view(invocation.value("output").value_or("")));
    json.member("file_bytes", work.outcome.file.fileBytes);
    json.member("tensor_bytes", work.outcome.file.tensorBytes);
    json.member("bits_per_weight", work.outcome.file.bitsPerWeight());
    json.member("expected_kl", work.outcome.nats);
    json.member("memory_bytes", work.memory);
    json.member("runtime", runtimeProfiles()[static_cast<std::size_t>(work.runtime)].name);
    json.member("calibrated", work.factors.measured);
    json.member("importance", work.costs.hasImportance);
    json.key("factors");
    json.beginObject();
    for (const auto& [role, factor] : work.factors.byRole) {
        json.member(role.c_str(), factor);
    }
    json.endObject();
    json.member("factor_first_blocks", work.factors.firstBlocks);
    json.member("factor_last_blocks", work.factors.lastBlocks);
    json.member("factor_common", work.factors.common);
    json.key("tensors");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const TensorCosts& costs : work.costs.tensors) {
        const auto type = std::ranges::find(costs.types, work.typeOf(costs), &TypeCost::typeId);
        json.beginObject();
        json.member("name", work.model->tensor(costs.tensor).name);
        json.member("type", findTensorType(type->typeId)->name);
        json.member("bytes", type->bytes);
        json.member("nmse", type->nmse);
        json.member("error", type->error);
        json.member("kl", type->nats);
        json.endObject();
    }
    json.endArray();
    json.endObject();
    json.endDocument();
}

void printPlanText(const PlanWork& work, const Invocation& invocation, Console& console) {
    // By role: how many tensors have which type.
    std::map<std::string, std::map<std::uint32_t, std::size_t>> roles;
    for (const TensorCosts& costs : work.costs.tensors) {
        const std::string_view name = work.model->tensor(costs.tensor).name;
        ++roles[std::string(parseTensorName(name).role)][work.typeOf(costs)];
    }
    TextTable table({{Cli::tr("Role")}, {Cli::tr("Types")}});
    for (const auto& [role, types] : roles) {
        QStringList texts;
        for (const auto& [type, count] : types) {
            texts << ui::displayText(findTensorType(type)->name) +
                         (types.size() > 1 ? QStringLiteral(" × %1").arg(ui::formatCount(count)) : QString());
        }
        table.addRow({ui::displayText(role), texts.join(QStringLiteral(", "))});
    }
    table.print(console);
    console.out().writeLine(Cli::tr("%1: %2 (%3 bytes), %4 bits per weight, expected KL divergence: %5 nats")
                                .arg(ui::displayText(*invocation.value("output")),
                                     ui::formatBytes(work.outcome.file.fileBytes),
                                     ui::formatCount(work.outcome.file.fileBytes),
                                     ui::formatBitsPerWeight(work.outcome.file.bitsPerWeight()))
                                .arg(work.outcome.nats, 0, 'g', 3));
    if (work.memory) {
        console.out().writeLine(Cli::tr("Memory with a context of %1 tokens: %2")
                                    .arg(ui::formatCount(work.target.context), ui::formatBytes(*work.memory)));
    }
    if (!work.factors.measured) {
        console.note(
            Cli::tr("The costs are published ones of another model; --calibrate TEXT measures them on this one."));
    }
}

constexpr auto kPlanOptions = with(
    kEngineOptions,
    std::to_array<OptionFact>({
        {"target", QT_TRANSLATE_NOOP("gufo::cli::Cli", "SIZE"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "size of the file, such as 4.2GB or a number of bytes")},
        {"bpw", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "bits per weight over all tensors")},
        {"kl", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "the smallest file with at most this expected KL divergence in nats")},
        {"memory", QT_TRANSLATE_NOOP("gufo::cli::Cli", "SIZE"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "memory that running the model may take, such as 8GB")},
        {"for-context", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "with --memory: the context in tokens; default: 4096")},
        {"runtime", QT_TRANSLATE_NOOP("gufo::cli::Cli", "NAME"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "the program that is to run the file, whose types are used: llama.cpp (default), "
                           "ik_llama.cpp or Ollama")},
        {"prefer-speed", QT_TRANSLATE_NOOP("gufo::cli::Cli", "PERCENT"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "how much the speed of types, which is measured on this computer, counts beside their "
                           "size, from 0 (default) to 100")},
        {"imatrix", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "importance matrix of this model, by which errors are weighted")},
        {"calibrate", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TEXT"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "measure on this text how much the model loses by errors in each role of tensors; "
                           "default: published figures of another model")},
        {"ctx,context", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "with --calibrate: tokens of each of up to eight windows of the text that are evaluated, "
                           "of which the second half is scored; default: 512, or the text or the context of the model "
                           "if that is shorter")},
        {"separate", "",
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "let queries, keys and values of a block, and gate and up, have different types")},
        {"tensor-type-file", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "also write the recipe for this option of llama-quantize"), true},
        {"custom-q", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "also write the recipe as the argument of this option of ik_llama.cpp's llama-quantize"),
         true},
        {"o,output", QT_TRANSLATE_NOOP("gufo::cli::Cli", "RECIPE"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "the recipe to write, for quantize --recipe"), true},
    }));

// The recipe for other quantisers, where it is asked for. Errors are printed.
Expected<void> writeExports(const RecipeFile& recipe, const Invocation& invocation, Console& console) {
    for (const auto& [option, text] :
         {std::pair("tensor-type-file", asTensorTypeFile(recipe)), std::pair("custom-q", asCustomQ(recipe))}) {
        const auto path = invocation.value(option);
        if (!path) {
            continue;
        }
        if (!text) {
            return std::unexpected(
                console.fail(Cli::tr("plan: the recipe cannot be written for --%1").arg(QLatin1String(option))));
        }
        if (const auto written = writeWholeFile(*path, *text); !written) {
            return std::unexpected(console.fail(written.error(), *path));
        }
    }
    return {};
}

int runPlan(const Invocation& invocation, Console& console) {
    PlanWork work;
    auto target = targetOf(invocation);
    if (!target) {
        return console.fail(QStringLiteral("plan: ") + target.error());
    }
    work.target = std::move(*target);
    work.rules.joined = !invocation.isSet("separate");
    if (const auto name = invocation.value("runtime")) {
        const auto runtime = runtimeNamed(*name);
        if (!runtime) {
            return console.fail(Cli::tr("plan: --runtime is llama.cpp, ik_llama.cpp or Ollama, not \"%1\"")
                                    .arg(ui::displayText(*name)));
        }
        work.runtime = *runtime;
    }
    const auto speed = invocation.real("prefer-speed", 0, 100);
    if (!speed) {
        return console.fail(QStringLiteral("plan: ") + speed.error());
    }
    work.rules.speed = speed->value_or(0) / 100;
    const auto out = invocation.value("output");
    if (!out) {
        return console.fail(Cli::tr("plan: -o RECIPE is needed"));
    }
    const Cancellation cancellation;
    auto model = openModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    work.model = std::move(*model);
    if (const auto path = invocation.value("imatrix")) {
        auto imatrix = Imatrix::open(*path, {.stop = cancellation.token()});
        if (!imatrix) {
            return failedOrCancelled(imatrix.error(), *path, cancellation, console);
        }
        work.request.imatrix = std::move(*imatrix);
    }
    if (work.rules.speed > 0) {
        auto seconds = measureTypes(plannedTypes(work.runtime), {.stop = cancellation.token()});
        if (!seconds) {
            return failedOrCancelled(seconds.error(), invocation.file(), cancellation, console);
        }
        work.rules.seconds = std::move(*seconds);
    }
    auto line = std::make_unique<ProgressLine>(console, Cli::tr("measuring errors"));
    auto costs = tensorCosts(*work.model, work.request.imatrix, plannedTypes(work.runtime),
                             {.stop = cancellation.token(), .progress = line->progress()});
    line.reset();
    if (!costs) {
        return failedOrCancelled(costs.error(), invocation.file(), cancellation, console);
    }
    work.costs = std::move(*costs);
    if (work.costs.tensors.empty()) {
        return console.fail(
            Cli::tr("%1: the model has no matrices of floating-point numbers to be quantised; plan with "
                    "the original file")
                .arg(ui::displayText(invocation.file().string())));
    }
    auto factors = factorsOf(work, invocation, cancellation, console);
    if (!factors) {
        return factors.error();
    }
    work.factors = std::move(*factors);
    applyFactors(*work.model, work.factors, work.costs);
    if (const auto found = findPlan(work, invocation, cancellation, console); !found) {
        return found.error();
    }
    if (const auto written = writeWholeFile(*out, recipeFileText(work.outcome.recipe)); !written) {
        return console.fail(written.error(), *out);
    }
    if (const auto exported = writeExports(work.outcome.recipe, invocation, console); !exported) {
        return exported.error();
    }
    invocation.json() ? printPlanJson(work, invocation, console.out()) : printPlanText(work, invocation, console);
    return checkDamage(*work.model, console);
}

} // namespace

const Verb planVerb{
    .name = "plan",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli",
                                   "MODEL --target SIZE|--bpw X|--memory SIZE|--kl X [--calibrate TEXT] -o RECIPE"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Chooses the type of each tensor for a given size or quality"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "MODEL is the original, with floating-point weights. Writes a recipe for gufo-cli quantize IN OUT --recipe "
        "RECIPE, and\nshows the exact size of that file. With --calibrate, tensors are quantised in memory and swapped "
        "in to measure the costs,\nonce for each model and text."),
    .options = kPlanOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runPlan,
};

} // namespace gufo::cli
