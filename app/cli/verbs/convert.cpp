#include "base/mapped_file.h"
#include "cli/cancellation.h"
#include "cli/edit_report.h"
#include "cli/model_access.h"
#include "cli/outputs.h"
#include "cli/progress_line.h"
#include "cli/verb.h"
#include "cli/verbs/convert_to_gguf.h"
#include "convert/conversion_source.h"
#include "document/open_model.h"
#include "formats/container/container.h"
#include "formats/container/model_saving.h"
#include "formats/gguf/read/reader.h"
#include "formats/gguf/write/split.h"
#include "formats/sets/file_pieces.h"
#include "ui/messages/figure_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>

namespace gufo::cli {
namespace {

using Path = std::filesystem::path;
using Write = std::function<Result<SaveReport>(const Model&, const JobContext&)>;

// Returns the files that will be written, if only the model determines their names.
using Outputs = std::function<Result<std::vector<Path>>(const Model&)>;

// Opens the model, writes a new one from it if the container allows that, and prints a report.
int writeFrom(const Invocation& invocation, Console& console, const Path& out, Capability needed, const Write& write,
              const Outputs& outputs = {}) {
    const Cancellation cancellation;
    const auto model = openModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    if (const auto allowed = requireCapability(**model, needed); !allowed) {
        return console.fail(allowed.error(), invocation.file());
    }
    if (outputs) {
        const auto paths = outputs(**model);
        if (!paths) {
            return console.fail(paths.error(), out);
        }
        if (const auto refusal = refusalToReplace(invocation, *paths)) {
            return console.fail(*refusal);
        }
    }
    Result<SaveReport> report;
    {
        ProgressLine line(console, ui::displayText(out.filename().native()));
        report = write(**model, {.stop = cancellation.token(), .progress = line.progress()});
    }
    if (!report) {
        return failedOrCancelled(report.error(), out, cancellation, console);
    }
    return printSaveReport(invocation, console, *report);
}

std::expected<std::optional<ByteOrder>, QString> byteOrderOf(const Invocation& invocation) {
    const auto name = invocation.value("byte-order");
    if (!name) {
        return std::nullopt;
    }
    if (*name == "little") {
        return ByteOrder::Little;
    }
    if (*name == "big") {
        return ByteOrder::Big;
    }
    return std::unexpected(Cli::tr("--byte-order takes little or big, not \"%1\"").arg(ui::displayText(*name)));
}

// Parses "500M", "2G" or a number of bytes.
std::expected<std::uint64_t, QString> sizeOf(const std::string& text) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
    const std::uint64_t factor = unit.empty() ? 1 : unit == "M" ? 1'000'000 : unit == "G" ? 1'000'000'000 : 0;
    std::uint64_t bytes = 0;
    if (error != std::errc() || factor == 0 || number == 0 || __builtin_mul_overflow(number, factor, &bytes)) {
        return std::unexpected(
            Cli::tr("--max-size takes bytes, or a number with M or G, not \"%1\"").arg(ui::displayText(text)));
    }
    return bytes;
}

// Why a file that is not GGUF cannot be converted by itself; nothing if it is GGUF, or if opening it fails with an
// error of its own.
std::optional<QString> refusalOfFile(const Path& path) {
    const auto file = MappedFile::open(path);
    const Container* container = file ? detectContainer(**file) : nullptr;
    if (container == nullptr || !container->readable() || container->capabilities.has(Capability::Run)) {
        return std::nullopt;
    }
    const QString name = ui::displayText(path.native());
    return container->folderFiles.empty()
               ? Cli::tr("%1 is %2, which cannot be converted: convert takes folders in Hugging Face's or Mistral's "
                         "format, PEFT adapters and LLaMA files from before GGUF")
                     .arg(name, ui::displayText(container->name))
               : Cli::tr("%1 contains weights, but nothing beside it says of which model: convert the folder that has "
                         "its config.json or params.json")
                     .arg(name);
}

constexpr auto kConvertOptions = std::to_array<OptionFact>({
    {"base", QT_TRANSLATE_NOOP("gufo::cli::Cli", "PATH"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "for adapters: the base model, a folder with its config.json or a GGUF file")},
    {"type", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TYPE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "for folders: type of the result, as in quantize; default: auto, that of the source")},
    {"imatrix", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "importance matrix of this model (GGUF or .dat), which reduces errors where they matter most")},
    {"name", QT_TRANSLATE_NOOP("gufo::cli::Cli", "NAME"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "for folders: general.name; default: that of the folder")},
    {"vocab-only", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "for folders: write no tensors")},
    {"dry-run", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "for folders: only show what would be written, with --json every detail")},
    {"threads", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "number of threads; default: all. The result does not depend on it")},
    {"byte-order", QT_TRANSLATE_NOOP("gufo::cli::Cli", "ORDER"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "little or big; default: that of IN")},
    {"version", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "GGUF version: 1, 2 or 3 (default)")},
    {"verify", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "read the result again and compare the SHA-256 of the tensor bytes")},
});

int runConvert(const Invocation& invocation, Console& console) {
    if (!invocation.isDryRun() && invocation.positional().size() < 2) {
        return console.fail(QStringLiteral("convert: ") +
                            Cli::tr("an argument is missing; usage: gufo-cli convert IN OUT"));
    }
    if (convert::isLegacyFile(invocation.file())) {
        return runConvertLegacy(invocation, console);
    }
    if (isConvertedToGguf(invocation.file())) {
        return runConvertToGguf(invocation.file(), invocation, console);
    }
    if (const auto refusal = refusalOfFile(invocation.file())) {
        return console.fail(QStringLiteral("convert: ") + *refusal);
    }
    constexpr std::array kFolderOptions{"base", "type", "imatrix", "dry-run", "vocab-only", "name", "threads"};
    const bool forFolder =
        std::ranges::any_of(kFolderOptions, [&](const char* name) { return invocation.isSet(name); });
    if (std::error_code ignored; forFolder && !std::filesystem::exists(invocation.file(), ignored)) {
        return console.fail(fail(ErrorCode::FileNotFound).error(), invocation.file());
    }
    if (invocation.isSet("type")) {
        return console.fail(QStringLiteral("convert: ") +
                            Cli::tr("--type applies to folders; the types of a GGUF file are changed with: "
                                    "gufo-cli quantize IN OUT TYPE"));
    }
    for (const char* option : kFolderOptions) {
        if (invocation.isSet(option)) {
            return console.fail(QStringLiteral("convert: ") +
                                Cli::tr("--%1 applies to folders, not to GGUF files").arg(QLatin1String(option)));
        }
    }
    const auto order = byteOrderOf(invocation);
    const auto version = invocation.number("version", 1, gguf::kMaxVersion);
    if (!order || !version) {
        return console.fail(QStringLiteral("convert: ") + (order ? version.error() : order.error()));
    }
    const Path out = invocation.positional()[1];
    return writeFrom(invocation, console, out, Capability::Convert, [&](const Model& model, const JobContext& job) {
        const SaveTarget target{.version = static_cast<std::uint32_t>(version->value_or(gguf::kMaxVersion)),
                                .byteOrder = order->value_or(model.byteOrder)};
        return saveModelAs(model, target, out, {.verify = invocation.isSet("verify")}, job);
    });
}

} // namespace

const Verb convertVerb{
    .name = "convert",
    .arguments = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "IN OUT [--type TYPE] [--imatrix FILE] [--base PATH] [--name NAME] [--vocab-only] [--dry-run] | "
        "[--byte-order ORDER] [--version N] [--verify]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli",
                                 "Converts other formats to GGUF, or writes GGUF in another byte order or version"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "IN is a folder of Hugging Face (safetensors or PyTorch, with its configuration and tokenizer), the folder of "
        "a PEFT adapter,\na LLaMA file from before GGUF (GGML, GGMF, GGJT), or a GGUF file.\nA folder is converted in "
        "one pass to any type that quantize has; with --dry-run, OUT may be omitted, "
        "and the plan is\nshown: each tensor with its sources and operations, each key with the source of its value, "
        "and what is left out.\nFor GGUF files, impossible conversions are refused: big-endian before version "
        "3, 64-bit values in version 1, and another\nbyte order for tensors whose layout is unknown. OUT is written "
        "completely or not at all."),
    .options = kConvertOptions,
    .minArguments = 1,
    .maxArguments = 2,
    .run = runConvert,
    .output = Verb::Output::Second,
};

namespace {

constexpr auto kSplitOptions = std::to_array<OptionFact>({
    {"max-tensors", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "maximum number of tensors per file; default: 128, or unlimited with --max-size")},
    {"max-size", QT_TRANSLATE_NOOP("gufo::cli::Cli", "SIZE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "maximum size of the tensor data per file in bytes, or with M or G (1000 M = 1 G)")},
    {"metadata-first", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "put only the metadata into the first file")},
    {"verify", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "read the result again and compare the SHA-256 of the tensor bytes")},
});

int runSplit(const Invocation& invocation, Console& console) {
    gguf::SplitOptions options{.metadataFirst = invocation.isSet("metadata-first")};
    const auto tensors = invocation.number("max-tensors", 1, 1'000'000);
    if (!tensors) {
        return console.fail(QStringLiteral("split: ") + tensors.error());
    }
    if (const auto text = invocation.value("max-size")) {
        const auto bytes = sizeOf(*text);
        if (!bytes) {
            return console.fail(QStringLiteral("split: ") + bytes.error());
        }
        options.maxBytes = *bytes;
        options.maxTensors = 0;
    }
    options.maxTensors = tensors->value_or(options.maxTensors);
    const Path prefix = invocation.positional()[1];
    return writeFrom(
        invocation, console, prefix, Capability::Split,
        [&](const Model& model, const JobContext& job) {
            return gguf::split(model, prefix, options, {.verify = invocation.isSet("verify")}, job);
        },
        [&](const Model& model) { return gguf::splitPaths(model, prefix, options); });
}

} // namespace

const Verb splitVerb{
    .name = "split",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli",
                                   "IN PREFIX [--max-tensors N] [--max-size SIZE] [--metadata-first] [--verify]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Splits a model into several files: PREFIX-00001-of-00003.gguf"),
    .details =
        QT_TRANSLATE_NOOP("gufo::cli::Cli", "The metadata goes into the first file. All files are written, or none."),
    .options = kSplitOptions,
    .minArguments = 2,
    .maxArguments = 2,
    .run = runSplit,
    .output = Verb::Output::BeginsWithSecond,
};

namespace {

constexpr auto kMergeOptions = std::to_array<OptionFact>({
    {"verify", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "read the result again and compare the SHA-256 of the tensor bytes")},
});

// Whether the pieces that are there are the beginning of a model whose end is missing: only some names state how many
// pieces there are. Pieces of something else are joined without a check.
bool lacksEnd(const Path& piece) {
    const auto model = openModel(piece);
    return model ? std::ranges::any_of((*model)->tensors, [](const TensorInfo& tensor) { return !tensor.complete(); })
                 : model.error().code == ErrorCode::Truncated;
}

// Joins the pieces that the first argument belongs to into the second, and returns the exit code; nothing if it is no
// piece. A piece is not a model by itself (formats/sets/file_pieces.h).
std::optional<int> mergePieces(const Invocation& invocation, Console& console) {
    const auto set = piecesOfFile(invocation.file());
    if (!set) {
        return console.fail(set.error(), invocation.file());
    }
    if (!*set) {
        return std::nullopt;
    }
    if (lacksEnd(invocation.file())) {
        return console.fail(
            Error{.code = ErrorCode::PieceMissing,
                  .file = invocation.file(),
                  .place = {},
                  .args = {(*set)->next.empty() ? (*set)->pieces.back().filename().native() : (*set)->next,
                           (*set)->whole.filename().native()}});
    }
    const Path out = invocation.positional()[1];
    const Cancellation cancellation;
    Result<SaveReport> report;
    {
        ProgressLine line(console, ui::displayText(out.filename().native()));
        report = joinPieces(**set, out, {.verify = invocation.isSet("verify")},
                            {.stop = cancellation.token(), .progress = line.progress()});
    }
    return report ? printSaveReport(invocation, console, *report)
                  : failedOrCancelled(report.error(), out, cancellation, console);
}

int runMerge(const Invocation& invocation, Console& console) {
    if (const auto joined = mergePieces(invocation, console)) {
        return *joined;
    }
    const Path out = invocation.positional()[1];
    return writeFrom(invocation, console, out, Capability::Split, [&](const Model& model, const JobContext& job) {
        const SaveTarget target{.version = model.version, .byteOrder = model.byteOrder};
        return saveModelAs(model, target, out, {.verify = invocation.isSet("verify")}, job);
    });
}

} // namespace

const Verb mergeVerb{
    .name = "merge",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "IN OUT [--verify]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Merges the files of a split model into one"),
    .details = QT_TRANSLATE_NOOP("gufo::cli::Cli", "IN is any of the files: a shard, or a piece of a file that was cut "
                                                   "(m.gguf-split-a,\nm.gguf.part1of2, m.gguf.001)."),
    .options = kMergeOptions,
    .minArguments = 2,
    .maxArguments = 2,
    .run = runMerge,
    .output = Verb::Output::Second,
};

} // namespace gufo::cli
