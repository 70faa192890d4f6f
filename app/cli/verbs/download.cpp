#include "hub/download.h"

#include "base/detail.h"
#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/progress_line.h"
#include "cli/verb.h"
#include "hub/repository_models.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_writer.h"

#include <array>
#include <chrono>

namespace gufo::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMaxConnections = 16;

struct Outcome {
    hub::ResolvedModel resolved;
    std::vector<hub::DownloadedFile> files;
    double seconds = 0;
};

void printJson(const Outcome& outcome, Console& console) {
    ui::JsonWriter json(console.out());
    json.beginObject(ui::JsonWriter::Layout::Block);
    const hub::Repository& repository = outcome.resolved.repository;
    const auto unlessEmpty = [](const std::string& text) {
        return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
    };
    json.member("repository", unlessEmpty(repository.name.repository));
    json.member("commit", unlessEmpty(repository.commit));
    json.key("files");
    json.beginArray(ui::JsonWriter::Layout::Block);
    std::uint64_t fetched = 0;
    for (const hub::DownloadedFile& file : outcome.files) {
        fetched += file.wasThere ? 0 : file.bytes - file.resumedBytes;
        json.beginObject();
        json.member("path", std::string_view(file.path.native()));
        json.member("bytes", file.bytes);
        json.member("sha256", std::string_view(file.sha256));
        json.member("verified", file.isVerified);
        json.member("was_there", file.wasThere);
        json.member("resumed_bytes", file.resumedBytes);
        json.endObject();
    }
    json.endArray();
    json.member("bytes_fetched", fetched);
    json.member("seconds", outcome.seconds);
    json.endObject();
    json.endDocument();
}

void printText(const Outcome& outcome, Console& console) {
    std::uint64_t fetched = 0;
    for (const hub::DownloadedFile& file : outcome.files) {
        fetched += file.wasThere ? 0 : file.bytes - file.resumedBytes;
        const QString what = file.wasThere     ? Cli::tr("was there already, with the SHA-256 that the hub states")
                             : file.isVerified ? Cli::tr("has the SHA-256 that the hub states")
                                               : Cli::tr("SHA-256 %1").arg(ui::displayText(file.sha256));
        console.out().writeLine(
            QStringLiteral("%1  %2  %3").arg(ui::displayText(file.path.native()), ui::formatBytes(file.bytes), what));
    }
    if (fetched > 0 && outcome.seconds > 0) {
        const auto rate = static_cast<std::uint64_t>(static_cast<double>(fetched) / outcome.seconds);
        console.out().writeLine(Cli::tr("%1 fetched, %2/s").arg(ui::formatBytes(fetched), ui::formatBytes(rate)));
    }
}

constexpr auto kDownloadOptions = std::to_array<OptionFact>({
    {"o,output", QT_TRANSLATE_NOOP("gufo::cli::Cli", "DIR"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "folder for the files; default: the current one"), true},
    {"connections", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "parts that are fetched at the same time, 1 to 16; default: 4")},
});

int runDownload(const Invocation& invocation, Console& console) {
    const auto connections = invocation.number("connections", 1, kMaxConnections);
    if (!connections) {
        return console.fail(QStringLiteral("download: ") + connections.error());
    }
    const std::string& address = invocation.positional().front();
    const auto place = hub::ModelPlace::parseTyped(address).value_or(hub::ModelPlace::parse(address));
    const Cancellation cancellation;
    const auto client = net::Client::shared();
    auto resolved = hub::resolveModel(*client, place, {.stop = cancellation.token()});
    if (!resolved) {
        return failedOrCancelled(resolved.error(), address, cancellation, console);
    }
    hub::DownloadOptions options{.folder = invocation.value("output").value_or("."),
                                 .replaces = invocation.isSet("force")};
    if (*connections) {
        options.transfer.connections = static_cast<unsigned>(**connections);
    }
    const auto begin = Clock::now();
    Result<std::vector<hub::DownloadedFile>> files;
    {
        ProgressLine line(console, ui::displayText(resolved->model.name), ProgressLine::Unit::BytesWithRate);
        files = hub::download(*client, resolved->model, options,
                              {.stop = cancellation.token(), .progress = line.progress()});
    }
    if (!files) {
        const Error& error = files.error();
        if (error.code == ErrorCode::InvalidArgument && !error.args.empty() &&
            error.args[0].detail() == Detail::FileExists) {
            return console.fail(QStringLiteral("download: ") +
                                Cli::tr("%1 exists; --force replaces it").arg(ui::displayText(error.file.native())));
        }
        return failedOrCancelled(error, address, cancellation, console);
    }
    const Outcome outcome{.resolved = *std::move(resolved),
                          .files = *std::move(files),
                          .seconds = std::chrono::duration<double>(Clock::now() - begin).count()};
    invocation.json() ? printJson(outcome, console) : printText(outcome, console);
    return kDone;
}

} // namespace

const Verb downloadVerb{
    .name = "download",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "ADDRESS [-o DIR] [--connections N]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Downloads a model, and checks that it is complete"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "ADDRESS is https://…, hf.co/OWNER/REPO[:Q4_K_M], OWNER/REPO, modelscope.cn/models/OWNER/REPO or "
        "ollama.com/NAME:TAG; of several\nmodels in a repository, Q4_K_M is chosen unless another is named. "
        "All shards of a model are fetched. The SHA-256 is\ncompared with the one that the hub states. Ctrl-C keeps "
        "NAME.part, which the next call completes. Private and gated models need\na token of Hugging Face in "
        "HF_TOKEN; HF_ENDPOINT names a mirror. Without encryption (http://), only this computer is contacted, and "
        "the\nhosts that GUFO_PLAIN_HOSTS lists, separated by commas."),
    .options = kDownloadOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runDownload,
    .takesAddress = true,
};

} // namespace gufo::cli
