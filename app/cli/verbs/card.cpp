#include "base/detail.h"
#include "base/output_file.h"
#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/outputs.h"
#include "cli/verb.h"
#include "document/open_model.h"
#include "formats/container/container.h"
#include "formats/sets/model_folder.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_writer.h"
#include "ui/report/model_card.h"

#include <algorithm>
#include <array>
#include <set>

namespace gufo::cli {
namespace {

namespace fs = std::filesystem;

// The models of a folder: every file by itself, and every set once. Files that cannot be read are named and left out.
std::vector<std::shared_ptr<const Model>> modelsIn(const fs::path& folder, const JobContext& job, Console& console) {
    constexpr std::size_t kMaxFiles = 1000;
    std::vector<fs::path> paths;
    std::error_code ignored; // an empty list is reported
    for (fs::directory_iterator each(folder, ignored), end; each != end && paths.size() < kMaxFiles;
         each.increment(ignored)) {
        const Container* container = containerByName(each->path());
        if (container != nullptr && container->readable() && each->is_regular_file(ignored)) {
            paths.push_back(each->path());
        }
    }
    std::ranges::sort(paths);
    std::set<fs::path> taken;
    std::vector<std::shared_ptr<const Model>> models;
    for (const fs::path& path : paths) {
        if (taken.contains(path.filename()) || job.stopRequested()) {
            continue;
        }
        auto model = openModel(path, job);
        if (!model) {
            console.note(ui::errorLine(std::move(model.error()).in(path)));
            continue;
        }
        for (const ModelFile& file : (*model)->files) {
            taken.insert(file.path.filename());
        }
        models.push_back(*std::move(model));
    }
    return models;
}

Result<std::vector<std::shared_ptr<const Model>>> modelsOf(const fs::path& path, const JobContext& job,
                                                           Console& console) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored) && !isModelFolder(path)) {
        auto models = modelsIn(path, job, console);
        if (job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        if (models.empty()) {
            return fail(ErrorCode::NotSupported, {}, {Detail::NoModelInFolder});
        }
        return models;
    }
    return std::vector{GUFO_TRY(openModel(path, job))};
}

void printJson(const std::optional<fs::path>& out, const std::string& card, const std::vector<ui::CardFile>& files,
               Console& console) {
    ui::JsonWriter json(console.out());
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("output", out ? std::optional<std::string>(out->native()) : std::nullopt);
    json.member("card", std::string_view(card));
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
    ui::StringSink card;
    ui::writeModelCard(card, files);
    std::optional<fs::path> out;
    if (const auto output = invocation.value("output")) {
        out = outputPath(*output);
        if (const auto written = writeWholeFile(*out, card.text()); !written) {
            return console.fail(written.error(), *out);
        }
    }
    if (invocation.json()) {
        printJson(out, card.text(), files, console);
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
    .details = QT_TRANSLATE_NOOP("gufo::cli::Cli", "The front matter (licence, base models, languages, data sets, "
                                                   "tags) is as the Hugging Face Hub reads it, and comes "
                                                   "from the keys general.* of the smallest model. A table lists the "
                                                   "files with their types, sizes, bits per weight "
                                                   "and memory.\nThe card holds no paths of this computer."),
    .options = kCardOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runCard,
};

} // namespace gufo::cli
