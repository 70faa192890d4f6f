#include "base/detail.h"
#include "base/output_file.h"
#include "base/try.h"
#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/outputs.h"
#include "cli/verb.h"
#include "cli/verbs/compare_text.h"
#include "document/folder_models.h"
#include "document/open_model.h"
#include "formats/sets/model_folder.h"
#include "model/set_fault.h"
#include "pairing/neighbours.h"
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
        GUFO_TRY(job.check());
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
               const std::vector<ui::CardPicture>& pictures, const std::optional<ui::CardDivergence>& measured,
               Console& console) {
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
        json.member("kl", file.divergence);
        json.endObject();
    }
    json.endArray();
    json.member("kl_reference", measured ? std::optional<std::string_view>(measured->reference) : std::nullopt);
    json.member("kl_text", measured ? std::optional<std::string_view>(measured->text) : std::nullopt);
    json.endObject();
    json.endDocument();
}

// Runs the quantisations of the largest model on a text, and fills in their divergences from it.
Expected<std::optional<ui::CardDivergence>> measure(std::vector<ui::CardFile>& files, const std::string& text,
                                                    Console& console) {
    const auto reference = ui::divergenceReference(files);
    if (!reference) {
        return std::unexpected(
            console.fail(Cli::tr("card: no model of the folder runs, so that --kl measures nothing")));
    }
    std::vector<std::size_t> others;
    std::vector<std::string> paths{files[*reference].model->path().native()};
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (i != *reference && isSameModel(*files[i].model, *files[*reference].model)) {
            others.push_back(i);
            paths.push_back(files[i].model->path().native());
        }
    }
    if (others.empty()) {
        return std::unexpected(
            console.fail(Cli::tr("card: --kl compares the predictions of several quantisations, but %1 is the only one")
                             .arg(ui::displayText(files[*reference].name))));
    }
    const auto divergences = GUFO_TRY(measureDivergences(paths, text, console));
    for (std::size_t i = 0; i < others.size(); ++i) {
        files[others[i]].divergence = divergences[i + 1]; // the first is the reference
    }
    return ui::CardDivergence{.reference = files[*reference].name, .text = fs::path(text).filename().native()};
}

constexpr auto kCardOptions = std::to_array<OptionFact>({
    {"o,output", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "write the card to a file, README.md as a rule; default: standard output"),
     true, nullptr, true},
    {"kl", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TEXT"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "run the models of a folder on a text, and add how far their predictions diverge from the "
                       "predictions of the largest one")},
});

int runCard(const Invocation& invocation, Console& console) {
    std::vector<ui::CardFile> files;
    {
        const Cancellation cancellation; // measuring has its own
        const auto models = modelsOf(invocation.file(), {.stop = cancellation.token()}, console);
        if (!models) {
            return failedOrCancelled(models.error(), invocation.file(), cancellation, console);
        }
        std::ranges::transform(*models, std::back_inserter(files), ui::cardFile);
    }
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
    std::optional<ui::CardDivergence> measured;
    if (const auto text = invocation.value("kl")) {
        auto answer = measure(files, *text, console);
        if (!answer) {
            return answer.error();
        }
        measured = *std::move(answer);
    }
    ui::StringSink card;
    ui::writeModelCard(card, files, pictures, measured);
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
        printJson(out, card.text(), files, pictures, measured, console);
    } else if (!out) {
        console.out().write(card.text());
    }
    return kDone;
}

} // namespace

const Verb cardVerb{
    .name = "card",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE|FOLDER [-o README.md] [--kl TEXT]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Writes a model card for a model, or for all models of a folder"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "The front matter (licence, base models, languages, data sets, "
        "tags) is as the Hugging Face Hub reads it, and comes "
        "from the keys general.* of the smallest model. A table lists the "
        "files with their types, sizes, bits per weight "
        "and memory.\nPictures of the sizes, of the bits per weight of each block and of the architecture are written "
        "beside OUT as SVG (README-sizes.svg, README-blocks.svg, README-diagram.svg).\nThe card holds no paths of this "
        "computer."),
    .options = kCardOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runCard,
};

} // namespace gufo::cli
