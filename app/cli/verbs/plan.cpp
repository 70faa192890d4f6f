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
#include "quantize/calibration.h"
#include "quantize/plan_file.h"
#include "text/tensor_filter.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_writer.h"

#include <algorithm>
#include <array>
#include <map>

namespace gufo::cli {
namespace {

struct TypedTarget {
    std::optional<std::uint64_t> fileBytes;
    std::optional<double> bitsPerWeight;
    std::optional<double> nats;
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
    return given == 1 ? std::expected<TypedTarget, QString>(target)
                      : std::unexpected(Cli::tr("one of --target, --bpw and --kl is needed"));
}

// What the verb was asked for and has found.
struct PlanWork {
    std::shared_ptr<const Model> model;
    QuantizeRequest request;
    TypedTarget target;
    CostTable costs;
    SensitivityFactors factors;
    RecipeOutcome outcome{};

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
    if (const auto imatrix = invocation.value("imatrix")) {
        header.emplace_back("imatrix", std::filesystem::path(*imatrix).filename().string());
    }
    return header;
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
    auto outcome = planFile(*work.model, work.costs, target, {.joined = !invocation.isSet("separate")},
                            headerOf(work, invocation), work.request, {.stop = cancellation.token()});
    if (!outcome) {
        return std::unexpected(failedOrCancelled(outcome.error(), invocation.file(), cancellation, console));
    }
    work.outcome = std::move(*outcome);
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
    const auto text = calibrationWindows(encoding->ids, window->value_or(defaultWindow(*work.model)), bos);
    if (!text) {
        return std::unexpected(console.fail(text.error(), *path));
    }
    ProgressLine line(console, Cli::tr("calibrating"));
    auto factors = calibrate(work.model, work.request.imatrix, work.costs, *text, *options,
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
        {"imatrix", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "importance matrix of this model, by which errors are weighted")},
        {"calibrate", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TEXT"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "measure on this text how much the model loses by errors in each role of tensors; "
                           "default: published figures of another model")},
        {"ctx,context", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "with --calibrate: tokens of the text that are evaluated, of which the second half is "
                           "scored; default: 512, or the text or the context of the model if that is shorter")},
        {"separate", "",
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "let queries, keys and values of a block, and gate and up, have different types")},
        {"o,output", QT_TRANSLATE_NOOP("gufo::cli::Cli", "RECIPE"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "the recipe to write, for quantize --recipe"), true},
    }));

int runPlan(const Invocation& invocation, Console& console) {
    PlanWork work;
    auto target = targetOf(invocation);
    if (!target) {
        return console.fail(QStringLiteral("plan: ") + target.error());
    }
    work.target = std::move(*target);
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
    auto line = std::make_unique<ProgressLine>(console, Cli::tr("measuring errors"));
    auto costs = tensorCosts(*work.model, work.request.imatrix, plannedTypes(),
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
    auto file = OutputFile::create(*out);
    const std::string text = recipeFileText(work.outcome.recipe);
    auto written = file ? file->write(std::as_bytes(std::span(text))) : std::unexpected(file.error());
    written = written ? file->commit() : written;
    if (!written) {
        return console.fail(written.error(), *out);
    }
    invocation.json() ? printPlanJson(work, invocation, console.out()) : printPlanText(work, invocation, console);
    return checkDamage(*work.model, console);
}

} // namespace

const Verb planVerb{
    .name = "plan",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "MODEL --target SIZE|--bpw X|--kl X [--calibrate TEXT] -o RECIPE"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Chooses the type of each tensor for a given size or quality"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "MODEL is the original, with floating-point weights. Writes a recipe for gufo-cli quantize IN OUT --recipe "
        "RECIPE, and\nshows the exact size of that file. With --calibrate, tensors are quantised in memory and swapped "
        "in to measure the costs."),
    .options = kPlanOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runPlan,
};

} // namespace gufo::cli
