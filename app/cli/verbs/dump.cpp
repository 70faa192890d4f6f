#include "analysis/export_tensor.h"
#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/outputs.h"
#include "cli/progress_line.h"
#include "cli/verb.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_model.h"

#include <algorithm>
#include <array>

namespace gufo::cli {
namespace {

struct FormatFact {
    std::string_view name;   // value of --format
    std::string_view suffix; // suffix of OUT that selects it; may be empty
    ExportFormat format;
};
constexpr auto kFormats = std::to_array<FormatFact>({
    {"f32", ".f32", ExportFormat::F32},
    {"npy", ".npy", ExportFormat::Npy},
    {"raw", ".raw", ExportFormat::Raw},
    {"csv", ".csv", ExportFormat::Csv},
});

std::expected<FormatFact, QString> formatOf(const Invocation& invocation, const std::filesystem::path& out) {
    const auto name = invocation.value("format");
    const auto* row = std::ranges::find_if(kFormats, [&](const FormatFact& fact) {
        return name ? fact.name == *name : fact.suffix == out.extension().native();
    });
    if (row != kFormats.end()) {
        return *row;
    }
    if (name) {
        return std::unexpected(Cli::tr("--format takes f32, npy, raw or csv, not \"%1\"").arg(ui::displayText(*name)));
    }
    return kFormats.front();
}

Result<> exportWithProgress(const Model& model, TensorIndex tensor, const std::filesystem::path& out,
                            ExportFormat format, const Console& console, const Cancellation& cancellation) {
    ProgressLine line(console, ui::displayText(model.tensor(tensor).name));
    return exportTensor(model, tensor, out, format, {.stop = cancellation.token(), .progress = line.progress()});
}

constexpr auto kDumpOptions = std::to_array<OptionFact>({
    {"o,output", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "output file; it is written completely or not at all"), true, nullptr, true},
    {"format", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FORMAT"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "npy (NumPy), f32 (raw little-endian floats), csv, or raw (the bytes as "
                                         "stored); default: by the extension of OUT, otherwise f32")},
});

int runDump(const Invocation& invocation, Console& console) {
    const auto output = invocation.value("output");
    if (!output || output->empty()) {
        return console.fail(QStringLiteral("dump: ") + Cli::tr("-o OUT, the file to write, is missing"));
    }
    const std::filesystem::path out = outputPath(*output);
    const auto format = formatOf(invocation, out);
    if (!format) {
        return console.fail(QStringLiteral("dump: ") + format.error());
    }
    const Cancellation cancellation;
    const auto model = openModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    const auto index = findTensorOf(**model, invocation.positional()[1], console);
    if (!index) {
        return index.error();
    }
    const auto done = exportWithProgress(**model, *index, out, format->format, console, cancellation);
    if (!done) {
        return failedOrCancelled(done.error(), invocation.file(), cancellation, console);
    }
    if (invocation.json()) {
        const TensorInfo& tensor = (*model)->tensor(*index);
        ui::JsonWriter json(console.out());
        json.beginObject();
        json.member("name", tensor.name);
        json.member("type", std::string_view(tensor.typeName()));
        json.key("shape");
        ui::writeShape(json, tensor.shape);
        json.member("format", format->name);
        json.member("output", std::string_view(out.native()));
        json.endObject();
        json.endDocument();
    }
    return kDone;
}

} // namespace

const Verb dumpVerb{
    .name = "dump",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE TENSOR -o OUT [--format FORMAT]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Writes a tensor's values to a file"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli", "Integers and F64 keep their type in npy and csv; all other types are written as floats.\n"
                          "If OUT is -, they are written to standard output."),
    .options = kDumpOptions,
    .minArguments = 2,
    .maxArguments = 2,
    .run = runDump,
    .takesAddress = true,
};

} // namespace gufo::cli
