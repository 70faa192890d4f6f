#include "cli/verbs/convert_folder.h"

#include "base/detail.h"
#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/progress_line.h"
#include "cli/verbs/conversion_text.h"
#include "convert/adapter_base.h"
#include "convert/adapter_plan.h"
#include "convert/convert_folder.h"
#include "convert/legacy_plan.h"
#include "document/open_model.h"
#include "formats/format.h"
#include "formats/ggml/families.h"
#include "formats/model_folder.h"
#include "ui/messages/format.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>

namespace gufo::cli {
namespace {

using Path = std::filesystem::path;

constexpr auto kMostThreads = std::uint64_t{1'024};

std::expected<convert::ConvertRequest, QString> parseRequest(const Invocation& invocation) {
    for (const char* option : {"byte-order", "version", "verify"}) {
        if (invocation.isSet(option)) {
            return std::unexpected(
                Cli::tr("--%1 applies to GGUF files, not to what is converted to GGUF").arg(QLatin1String(option)));
        }
    }
    convert::ConvertRequest request;
    if (const auto type = invocation.value("type"); type && *type != "auto") {
        request.recipe.recipe = findRecipe(*type);
        if (request.recipe.recipe == nullptr) {
            QStringList names = {QStringLiteral("auto")};
            for (const Recipe& recipe : recipes()) {
                names << QString::fromLatin1(recipe.name.data());
            }
            return std::unexpected(Cli::tr("there is no type \"%1\"; the types are %2")
                                       .arg(ui::displayText(*type), names.join(QStringLiteral(", "))));
        }
    }
    request.vocabularyOnly = invocation.isSet("vocab-only");
    request.name = invocation.value("name").value_or(std::string());
    return request;
}

// A plan and what it is made for.
struct Planned {
    convert::SourceFolder source;
    convert::ConversionPlan plan;
    std::vector<std::optional<double>> losses{};
    QString refusal{}; // why an option does not apply to the source; there is no plan then
};
using MakePlan = std::function<Result<Planned>(const convert::ConvertRequest&, const JobContext&)>;

// An adapter is converted like its base model, which --base or the folder itself describes.
Result<convert::ConversionPlan> planAdapter(const convert::SourceFolder& source, const convert::ConvertRequest& request,
                                            const Invocation& invocation, const JobContext& job) {
    const auto path = invocation.value("base");
    const auto base = convert::openAdapterBase(path ? Path(*path) : source.folder(), job);
    if (!base) {
        return std::unexpected(base.error());
    }
    convert::AdapterRequest adapter{.name = request.name};
    if (request.recipe.recipe != nullptr) {
        adapter.type = request.recipe.recipe->type;
    }
    return convert::planAdapter(source, *base, adapter);
}

// Why an option does not apply to the source; empty if all do.
QString optionRefusal(const convert::SourceFolder& source, const convert::ConvertRequest& request,
                      const Invocation& invocation) {
    if (!convert::isAdapter(source)) {
        return invocation.isSet("base") ? Cli::tr("--base applies to adapters; this folder is a model") : QString();
    }
    const Recipe* recipe = request.recipe.recipe;
    if (recipe != nullptr && tensorTypeInfo(recipe->type).kind != TensorTypeKind::Float) {
        return Cli::tr("adapters are written as F32, F16 or BF16");
    }
    return request.vocabularyOnly || request.imatrix != nullptr
               ? Cli::tr("--vocab-only and --imatrix do not apply to adapters")
               : QString();
}

// Plans, shows the plan, and writes the result unless only the plan is wanted.
int convertWith(const Invocation& invocation, Console& console, const Path& in, const MakePlan& makePlan) {
    const std::vector<std::string>& arguments = invocation.positional();
    const bool dryRun = invocation.isSet("dry-run");
    auto request = parseRequest(invocation);
    const auto threads = invocation.number("threads", 1, kMostThreads);
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
    auto planned = makePlan(*request, {.stop = cancellation.token(), .threads = workers});
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
    const PlanShown shown{planned->plan, *bytes, std::move(planned->losses)};
    if (!invocation.json()) {
        printPlan(shown, console);
        console.out().flush();
    }
    if (!dryRun) {
        ProgressLine line(console, Cli::tr("converting"));
        const auto written =
            convert::writeConverted(planned->source, planned->plan, *request, arguments[1],
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

} // namespace

std::optional<Path> folderToConvert(const Path& in) {
    std::error_code error;
    const auto isGguf = [](const Path& file) {
        const Container* container = containerByName(file.filename());
        return container == nullptr || container->capabilities.has(Capability::Run);
    };
    if (std::filesystem::is_directory(in, error)) {
        const auto file = modelFileIn(in);
        return file && isGguf(*file) ? std::nullopt : std::optional(in);
    }
    const Path folder = in.parent_path().empty() ? Path(".") : in.parent_path();
    return !isGguf(in) && std::filesystem::is_regular_file(in, error) &&
                   std::filesystem::is_regular_file(folder / "config.json", error)
               ? std::optional(folder)
               : std::nullopt;
}

int runConvertFolder(const Path& folder, const Invocation& invocation, Console& console) {
    return convertWith(invocation, console, folder, [&](const convert::ConvertRequest& request, const JobContext& job) {
        auto source = convert::SourceFolder::open(folder, job);
        if (!source) {
            return Result<Planned>(std::unexpected(std::move(source).error()));
        }
        if (QString refusal = optionRefusal(*source, request, invocation); !refusal.isEmpty()) {
            return Result<Planned>(Planned{*std::move(source), {}, {}, std::move(refusal)});
        }
        auto plan = convert::isAdapter(*source) ? planAdapter(*source, request, invocation, job)
                                                : convert::planConversion(*source, request, job);
        return plan ? Result<Planned>(Planned{*std::move(source), *std::move(plan)})
                    : std::unexpected(std::move(plan).error());
    });
}

bool isLegacyFile(const Path& in) {
    std::array<char, 4> magic{};
    std::ifstream file(in, std::ios::binary);
    return file.read(magic.data(), magic.size()) &&
           std::ranges::any_of(ggml::formats(), [&](const ggml::Format& format) {
               return format.magic == std::string_view(magic.data(), magic.size());
           });
}

int runConvertLegacy(const Invocation& invocation, Console& console) {
    const Path file = invocation.file();
    for (const char* option : {"type", "imatrix", "vocab-only", "base"}) {
        if (invocation.isSet(option)) {
            return console.fail(QStringLiteral("convert: ") +
                                Cli::tr("--%1 does not apply to files from before GGUF").arg(QLatin1String(option)));
        }
    }
    return convertWith(invocation, console, file, [&](const convert::ConvertRequest& request, const JobContext& job) {
        auto model = openModel(file, job);
        auto plan = model ? convert::planLegacy(*model, request.name) : std::unexpected(std::move(model).error());
        auto losses = plan ? convert::measureLoss(**model, *plan, job) : std::unexpected(std::move(plan).error());
        if (!losses) {
            return Result<Planned>(std::unexpected(std::move(losses).error()));
        }
        return Result<Planned>(
            Planned{convert::SourceFolder::with(file.parent_path(), *model, {}), *std::move(plan), *std::move(losses)});
    });
}

} // namespace gufo::cli
