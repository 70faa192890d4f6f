#include "cli/verbs/convert_to_gguf.h"

#include "base/ascii.h"
#include "base/detail.h"
#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/progress_line.h"
#include "cli/similar_name.h"
#include "cli/verbs/conversion_text.h"
#include "convert/conversion_source.h"
#include "convert/convert_folder.h"
#include "convert/legacy_plan.h"
#include "formats/container/container.h"
#include "formats/sets/model_folder.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"

#include <algorithm>
#include <array>

namespace gufo::cli {
namespace {

using Path = std::filesystem::path;

constexpr auto kMaxThreads = std::uint64_t{1'024};

std::expected<convert::ConvertRequest, QString> parseRequest(const Invocation& invocation) {
    for (const char* option : {"byte-order", "version", "verify"}) {
        if (invocation.isSet(option)) {
            return std::unexpected(
                Cli::tr("--%1 applies to GGUF files, not to what is converted to GGUF").arg(QLatin1String(option)));
        }
    }
    convert::ConvertRequest request;
    if (const auto type = invocation.value("type"); type && !equalIgnoringCase(*type, "auto")) {
        request.recipe.recipe = GUFO_TRY(recipeNamed(*type, {QStringLiteral("auto")}));
    }
    request.vocabularyOnly = invocation.isSet("vocab-only");
    request.name = invocation.value("name").value_or(std::string());
    return request;
}

// A plan and what it is made for.
struct Planned {
    convert::ConversionSource source;
    convert::ConversionPlan plan;
    std::vector<std::optional<double>> losses{}; // of files from before GGUF
    QString refusal{};                           // why an option does not apply to the source; there is no plan then
};

// Why an option does not apply to a folder; empty if all do.
QString optionRefusal(convert::SourceKind kind, const convert::ConvertRequest& request, const Invocation& invocation) {
    if (!convert::takesBase(kind)) {
        return invocation.isSet("base") ? Cli::tr("--base applies to adapters; this folder is a model") : QString();
    }
    const Recipe* recipe = request.recipe.recipe;
    if (recipe != nullptr && !convert::takesType(kind, recipe->type)) {
        return Cli::tr("adapters are written as F32, F16 or BF16");
    }
    return request.vocabularyOnly || request.imatrix != nullptr
               ? Cli::tr("--vocab-only and --imatrix do not apply to adapters")
               : QString();
}

Result<Planned> planOf(const Path& in, const convert::ConvertRequest& request, const Invocation& invocation,
                       const JobContext& job) {
    auto source = GUFO_TRY(convert::openConversionSource(in, job));
    if (QString refusal = optionRefusal(source.kind, request, invocation); !refusal.isEmpty()) {
        return Planned{std::move(source), {}, {}, std::move(refusal)};
    }
    auto plan = GUFO_TRY(convert::planFor(source, request, invocation.value("base").value_or(std::string()), job));
    auto losses =
        GUFO_TRY(source.kind == convert::SourceKind::Legacy ? convert::measureLoss(*source.folder.model(), plan, job)
                                                            : std::vector<std::optional<double>>());
    return Planned{std::move(source), std::move(plan), std::move(losses)};
}

// Says what keeps the result from being of use.
int refusedFor(const convert::ConversionPlan& plan, const Path& in, Console& console) {
    constexpr std::size_t kShown = 3;
    QStringList parts;
    for (const Finding& obstacle : std::span(plan.findings).first(std::min(plan.obstacles, kShown))) {
        const QString place =
            obstacle.place.kind == Place::Kind::FileName ? QString() : ui::placeText(obstacle.place); // says itself
        parts << (place.isEmpty() ? QString() : place + QStringLiteral(": ")) + ui::findingMessage(obstacle);
    }
    parts << ui::findingHint(plan.findings.front());
    if (plan.obstacles > kShown) {
        parts << Cli::tr("There are %n more problems, which --dry-run lists.", nullptr,
                         ui::numerus(plan.obstacles - kShown));
    }
    return console.fail(ui::displayText(in.native()) + QStringLiteral(": ") +
                        Cli::tr("nothing was written, because the result could not be run:") + u' ' + parts.join(u' '));
}

} // namespace

// Plans, shows the plan, and writes the result unless only the plan is wanted.
int runConvertToGguf(const Path& in, const Invocation& invocation, Console& console) {
    const std::vector<std::string>& arguments = invocation.positional();
    const bool dryRun = invocation.isSet("dry-run");
    auto request = parseRequest(invocation);
    const auto threads = invocation.number("threads", 1, kMaxThreads);
    if (!request || !threads) {
        return console.fail(QStringLiteral("convert: ") + (request ? threads.error() : request.error()));
    }
    const Cancellation cancellation;
    if (const auto path = invocation.value("imatrix")) {
        auto imatrix = Imatrix::open(*path, {.stop = cancellation.token()});
        if (!imatrix) {
            return failedOrCancelled(imatrix.error(), *path, cancellation, console);
        }
        request->imatrix = *std::move(imatrix);
    }
    const auto workers = static_cast<unsigned>(threads->value_or(0));
    auto planned = planOf(in, *request, invocation, {.stop = cancellation.token(), .threads = workers});
    if (planned && !planned->refusal.isEmpty()) {
        return console.fail(QStringLiteral("convert: ") + planned->refusal);
    }
    const auto bytes = planned ? convert::convertedBytes(planned->plan) : std::unexpected(planned.error());
    if (!bytes) {
        const int code = failedOrCancelled(bytes.error(), in, cancellation, console);
        const Arguments& why = bytes.error().args;
        if (!why.empty() && why.front().detail() == Detail::AdapterBaseUnknown) {
            console.note(Cli::tr("name the base model with --base"));
        }
        return code;
    }
    if (!dryRun && planned->plan.obstacles != 0) {
        return refusedFor(planned->plan, in, console);
    }
    const PlanShown shown{planned->plan, *bytes, std::move(planned->losses)};
    if (!invocation.json()) {
        printPlan(shown, dryRun, console);
        console.out().flush();
        const auto isFactor = [](const convert::PlannedRow& row) {
            return row.target.ends_with(".lora_a") || row.target.ends_with(".lora_b");
        };
        if (convert::takesBase(planned->source.kind) && !std::ranges::all_of(planned->plan.rows, isFactor)) {
            console.note(
                Cli::tr("The adapter also contains whole tensors, which take the place of the model's. Merge it "
                        "with gufo-cli apply: runtimes that load adapters beside a model refuse it."));
        }
    }
    if (!dryRun) {
        ProgressLine line(console, Cli::tr("converting"));
        const auto written =
            convert::writeConverted(planned->source.folder, planned->plan, *request, arguments[1],
                                    {.stop = cancellation.token(), .progress = line.progress(), .threads = workers});
        if (!written) {
            return failedOrCancelled(written.error(), in, cancellation, console);
        }
    }
    if (invocation.json()) {
        printPlanJson(shown, dryRun ? nullptr : &arguments[1], console);
    }
    return kDone;
}

bool isConvertedToGguf(const Path& in) {
    std::error_code error;
    const auto isGguf = [](const Path& file) {
        const Container* container = containerByName(file.filename());
        return container != nullptr ? container->capabilities.has(Capability::Run)
                                    : file.extension() != ".json"; // a list of shards
    };
    if (std::filesystem::is_directory(in, error)) {
        const auto file = modelFileIn(in);
        return !file || !isGguf(*file);
    }
    const Path folder = in.parent_path().empty() ? Path(".") : in.parent_path();
    constexpr auto kDescriptions = std::to_array<const char*>({"config.json", "params.json", "adapter_config.json"});
    const bool described = std::ranges::any_of(
        kDescriptions, [&](const char* name) { return std::filesystem::is_regular_file(folder / name, error); });
    return described && !isGguf(in) && std::filesystem::is_regular_file(in, error);
}

int runConvertLegacy(const Invocation& invocation, Console& console) {
    for (const char* option : {"type", "imatrix", "base"}) {
        if (invocation.isSet(option)) {
            return console.fail(QStringLiteral("convert: ") +
                                Cli::tr("--%1 does not apply to files from before GGUF").arg(QLatin1String(option)));
        }
    }
    return runConvertToGguf(invocation.file(), invocation, console);
}

} // namespace gufo::cli
