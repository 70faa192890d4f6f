#include "analysis/digest_manifest.h"
#include "base/output_file.h"
#include "base/try.h"
#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/outputs.h"
#include "cli/progress_line.h"
#include "cli/text_input.h"
#include "cli/verb.h"
#include "model/set_fault.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_model.h"

#include <array>

namespace gufo::cli {
namespace {

std::optional<std::string> hexOf(const std::optional<Sha256Digest>& digest) {
    return digest ? std::optional(hexText(*digest)) : std::nullopt;
}

// `file` is the file that the user named. A set has several files, and `files` lists all of them.
void writeFiles(ui::JsonWriter& json, const Model& model, const ModelDigests& digests) {
    for (const ModelDigests::File& file : digests.files) {
        if (file.file == model.openedFile) {
            json.member("file", std::string_view(hexText(file.whole)));
            json.member("header", hexOf(file.header));
        }
    }
    json.member("weights", hexOf(digests.weights));
    json.key("files");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const ModelDigests::File& file : digests.files) {
        json.beginObject();
        json.member("path", std::string_view(model.files[file.file.value].path.native()));
        json.member("sha256", std::string_view(hexText(file.whole)));
        json.member("header", hexOf(file.header));
        json.endObject();
    }
    json.endArray();
}

void writeTensors(ui::JsonWriter& json, const Model& model, const ModelDigests& digests) {
    json.key("tensors");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        const TensorInfo& tensor = model.tensors[i];
        json.beginObject();
        json.member("name", tensor.name);
        json.member("type", std::string_view(tensor.typeName()));
        json.key("shape");
        ui::writeShape(json, tensor.shape);
        json.member("sha256", hexOf(digests.tensors[i]));
        json.endObject();
    }
    json.endArray();
}

void writeDifferences(ui::JsonWriter& json, const std::vector<ManifestDifference>& differences) {
    const auto unlessEmpty = [](const std::string& text) {
        return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
    };
    json.member("same", differences.empty());
    json.key("differences");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const ManifestDifference& difference : differences) {
        json.beginObject();
        json.member("kind", manifestKindName(difference.kind));
        json.member("name", std::string_view(difference.name));
        json.member("expected", unlessEmpty(difference.expected));
        json.member("found", unlessEmpty(difference.found));
        json.endObject();
    }
    json.endArray();
}

QString kindText(ManifestLine::Kind kind) {
    switch (kind) {
    case ManifestLine::Kind::File:
        return Cli::tr("the file");
    case ManifestLine::Kind::Header:
        return Cli::tr("the header");
    case ManifestLine::Kind::Weights:
        return Cli::tr("the weights");
    case ManifestLine::Kind::Tensor:
        break;
    }
    return Cli::tr("the tensor");
}

QString sentenceOf(const ManifestDifference& difference) {
    const QString what = difference.name.empty()
                             ? kindText(difference.kind)
                             : kindText(difference.kind) + QLatin1Char(' ') + ui::displayText(difference.name);
    if (difference.found.empty()) {
        return Cli::tr("%1: is in the manifest only").arg(what);
    }
    return difference.expected.empty() ? Cli::tr("%1: is not in the manifest").arg(what)
                                       : Cli::tr("%1: differs").arg(what);
}

Expected<std::vector<ManifestLine>> manifestIn(const std::string& path, Console& console) {
    const std::string text = GUFO_TRY(readTextFile(path, console));
    auto lines = readManifest(text);
    if (!lines) {
        return std::unexpected(console.fail(Cli::tr("%1: line %2 is not a line of a manifest: a SHA-256 in hexadecimal "
                                                    "digits, two spaces, file, header, weights or tensor, two spaces, "
                                                    "and a name; gufo-cli hash FILE -o MANIFEST writes one")
                                                .arg(ui::displayText(path), ui::formatCount(lines.error()))));
    }
    if (lines->empty()) {
        return std::unexpected(
            console.fail(Cli::tr("%1: it holds no digests; gufo-cli hash FILE -o MANIFEST writes a manifest")
                             .arg(ui::displayText(path))));
    }
    return *std::move(lines);
}

constexpr auto kHashOptions = std::to_array<OptionFact>({
    {"o,output", QT_TRANSLATE_NOOP("gufo::cli::Cli", "MANIFEST"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "write the digests to a file instead"), true, nullptr, true},
    {"check", QT_TRANSLATE_NOOP("gufo::cli::Cli", "MANIFEST"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "compare the digests with a manifest, and print what differs")},
});

int runHash(const Invocation& invocation, Console& console) {
    const auto output = invocation.value("output");
    const auto check = invocation.value("check");
    if (output && check) {
        return console.fail(QStringLiteral("hash: ") + Cli::tr("-o and --check exclude each other"));
    }
    std::vector<ManifestLine> expected;
    if (check) {
        auto lines = manifestIn(*check, console);
        if (!lines) {
            return lines.error();
        }
        expected = *std::move(lines);
    }
    const Cancellation cancellation;
    const auto model = openModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    if (const auto complete = checkSet(**model); !complete && !check) { // a check names the missing files
        return console.fail(complete.error(), invocation.file());
    }
    Result<ModelDigests> digests;
    {
        ProgressLine line(console, ui::displayText(invocation.file().filename().native()));
        digests = digestModel(**model, {.stop = cancellation.token(), .progress = line.progress()});
    }
    if (!digests) {
        return failedOrCancelled(digests.error(), invocation.file(), cancellation, console);
    }
    const std::vector<ManifestLine> found = manifestOf(**model, *digests);
    const std::vector<ManifestDifference> differences =
        check ? compareManifests(std::move(expected), found) : std::vector<ManifestDifference>();
    if (output) {
        const std::filesystem::path out = outputPath(*output);
        if (const auto written = writeWholeFile(out, manifestText(found)); !written) {
            return console.fail(written.error(), out);
        }
    }
    if (invocation.json()) {
        ui::JsonWriter json(console.out());
        json.beginObject(ui::JsonWriter::Layout::Block);
        writeFiles(json, **model, *digests);
        writeTensors(json, **model, *digests);
        if (check) {
            writeDifferences(json, differences);
        }
        json.endObject();
        json.endDocument();
    } else if (check) {
        for (const ManifestDifference& difference : differences) {
            console.out().writeLine(sentenceOf(difference));
        }
        if (differences.empty()) {
            console.out().writeLine(Cli::tr("Nothing differs from the manifest."));
        }
    } else if (!output) {
        console.out().write(manifestText(found));
    }
    return differences.empty() ? kDone : kFound;
}

} // namespace

const Verb hashVerb{
    .name = "hash",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE [-o MANIFEST] [--check MANIFEST]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Prints the SHA-256 of the file, its weights and each tensor"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "Files with equal weights have the same digest of weights, whatever their metadata, their order of tensors, "
        "their byte order or their division into shards is. Of a set, all files are read.\n"
        "A line is a digest, its kind (file, header, weights or tensor) and a name. With --check, the exit code is 1 "
        "if "
        "anything differs; verify compares a file with the one on the hub."),
    .options = kHashOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runHash,
};

} // namespace gufo::cli
