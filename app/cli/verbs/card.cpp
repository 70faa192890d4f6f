#include "base/detail.h"
#include "base/output_file.h"
#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/outputs.h"
#include "cli/verb.h"
#include "document/folder_models.h"
#include "document/open_model.h"
#include "formats/sets/model_folder.h"
#include "model/set_fault.h"
#include "ui/messages/figure_text.h"
#include "ui/report/card_pictures.h"
#include "ui/report/json_writer.h"
#include "ui/report/model_card.h"

#include <algorithm>
#include <array>

namespace gufo::cli {
namespace {

namespace fs = std::filesystem;

Result<std::vector<std::shared_ptr<const Model>>> modelsOf(const fs::path& path, const JobContext& job,
                                                           Console& console) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored) && !isModelFolder(path)) {
        FolderModels found = modelsInFolder(path, job);
        for (const Error& error : found.left) {
            console.note(ui::errorLine(error));
        }
        std::vector<std::shared_ptr<const Model>>& models = found.models;
        if (job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        if (models.empty()) {
            return fail(ErrorCode::NotSupported, {}, {Detail::NoModelInFolder});
        }
        return std::move(models);
    }
    auto model = GUFO_TRY(openModel(path, job));
    GUFO_TRY(checkSet(*model));
    return std::vector{std::move(model)};
}

void printJson(const std::optional<fs::path>& out, const std::string& card, const std::vector<ui::CardFile>& files,
               const std::vector<ui::CardPicture>& pictures, Console& console) {
    ui::JsonWriter json(console.out());
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("output", out ? std::optional<std::string>(out->native()) : std::nullopt);
    json.member("card", std::string_view(card));
    json.key("pictures");
    json.beginArray();
    for (const ui::CardPicture& picture : pictures) {
        json.value(std::string_view(picture.name));
    }
    json.endArray();
    json.key("files");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const ui::CardFile& file : files) {
        json.beginObject();
        json.member("name", std::string_view(file.name));
        json.member("type", std::string_view(file.type));
        json.member("bytes", file.bytes);
        json.member("bits_per_weight", file.bitsPerWeight);
        json.member("memory", file.memory);
        json.member("context", file.memory ? std::optional(file.context) : std::nullopt);
        json.endObject();
    }
    json.endArray();
    json.endObject();
    json.endDocument();
}

constexpr auto kCardOptions = std::to_array<OptionFact>({
    {"o,output", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "write the card to a file, README.md as a rule; default: standard output"),
     true, nullptr, true},
});

int runCard(const Invocation& invocation, Console& console) {
    const Cancellation cancellation;
    const auto models = modelsOf(invocation.file(), {.stop = cancellation.token()}, console);
    if (!models) {
        return failedOrCancelled(models.error(), invocation.file(), cancellation, console);
    }
    std::vector<ui::CardFile> files;
    std::ranges::transform(*models, std::back_inserter(files), ui::cardFile);
    std::optional<fs::path> out;
    std::vector<ui::CardPicture> pictures; // beside the card, so that there are none on standard output
    if (const auto output = invocation.value("output")) {
        out = outputPath(*output);
        std::error_code ignored;
        const bool isFile = *output != "-" && (!fs::exists(*out, ignored) || fs::is_regular_file(*out, ignored));
        pictures = isFile ? ui::cardPictures(files, out->stem().native()) : pictures;
        std::vector<fs::path> paths;
        for (const ui::CardPicture& picture : pictures) {
            paths.push_back(out->parent_path() / picture.name);
        }
        if (const auto refusal = refusalToReplace(invocation, paths)) {
            return console.fail(*refusal);
        }
    }
    ui::StringSink card;
    ui::writeModelCard(card, files, pictures);
    if (out) {
        // The card comes first, so that a refusal to write it leaves no pictures behind.
        if (const auto written = writeWholeFile(*out, card.text()); !written) {
            return console.fail(written.error(), *out);
        }
        for (const ui::CardPicture& picture : pictures) {
            const fs::path path = out->parent_path() / picture.name;
            if (const auto written = writeWholeFile(path, picture.svg.toStdString()); !written) {
                return console.fail(written.error(), path);
            }
        }
    }
    if (invocation.json()) {
        printJson(out, card.text(), files, pictures, console);
    } else if (!out) {
        console.out().write(card.text());
    }
    return kDone;
}

} // namespace

const Verb cardVerb{
    .name = "card",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE|FOLDER [-o README.md]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Writes a model card for a model, or for all models of a folder"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "The front matter (licence, base models, languages, data sets, "
        "tags) is as the Hugging Face Hub reads it, and comes "
        "from the keys general.* of the smallest model. A table lists the "
        "files with their types, sizes, bits per weight "
        "and memory.\nPictures of the sizes and of the bits per weight of each block are written beside OUT as SVG "
        "(README-sizes.svg, README-blocks.svg).\nThe card holds no paths of this computer."),
    .options = kCardOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runCard,
};

} // namespace gufo::cli
