#include "hub/verify.h"

#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/progress_line.h"
#include "cli/verb.h"
#include "hub/repository_models.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_writer.h"

#include <algorithm>
#include <array>
#include <random>

namespace gufo::cli {
namespace {

std::string_view verdictName(hub::Verdict verdict) {
    switch (verdict) {
    case hub::Verdict::Same:
        return "same";
    case hub::Verdict::SameParts:
        return "same_parts";
    case hub::Verdict::OtherSize:
        return "other_size";
    case hub::Verdict::OtherBytes:
        break;
    }
    return "other_bytes";
}

QString sentenceOf(const hub::FileVerification& file) {
    switch (file.verdict) {
    case hub::Verdict::Same:
        return Cli::tr("is the file on the hub");
    case hub::Verdict::SameParts:
        return Cli::tr("equals the file on the hub in its header and random parts (%1)")
            .arg(ui::formatBytes(file.comparedBytes));
    case hub::Verdict::OtherSize:
        return Cli::tr("differs in size from the file on the hub");
    case hub::Verdict::OtherBytes:
        break;
    }
    return file.differingPart ? Cli::tr("differs from the file on the hub between byte %1 and byte %2")
                                    .arg(ui::formatCount(file.differingPart->offset),
                                         ui::formatCount(file.differingPart->offset + file.differingPart->length))
                              : Cli::tr("is not the file of the hub: its SHA-256 is another one");
}

void printJson(std::span<const hub::FileVerification> files, bool isSame, Console& console) {
    ui::JsonWriter json(console.out());
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("same", isSame);
    json.key("files");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const hub::FileVerification& file : files) {
        const auto unlessEmpty = [](const std::string& text) {
            return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
        };
        json.beginObject();
        json.member("path", std::string_view(file.path.native()));
        json.member("remote_path", std::string_view(file.remotePath));
        json.member("verdict", verdictName(file.verdict));
        json.member("bytes_compared", file.comparedBytes);
        json.member("sha256", unlessEmpty(file.sha256));
        json.member("stated_sha256", unlessEmpty(file.statedSha256));
        json.endObject();
    }
    json.endArray();
    json.endObject();
    json.endDocument();
}

constexpr auto kVerifyOptions = std::to_array<OptionFact>({
    {"quick", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "compare only the size, the header and 30 random parts of 64 KiB")},
});

int runVerify(const Invocation& invocation, Console& console) {
    const std::string& address = invocation.positional()[1];
    const auto place = hub::ModelPlace::parseTyped(address).value_or(hub::ModelPlace::parse(address));
    const Cancellation cancellation;
    const auto client = net::Client::shared();
    const auto resolved = hub::resolveModel(*client, place, {.stop = cancellation.token()});
    if (!resolved) {
        return failedOrCancelled(resolved.error(), address, cancellation, console);
    }
    const bool isQuick = invocation.isSet("quick");
    Result<std::vector<hub::FileVerification>> files;
    {
        ProgressLine line(console, ui::displayText(invocation.file().filename().native()));
        files = hub::verify(client, resolved->model, invocation.file(),
                            isQuick ? hub::Thoroughness::Parts : hub::Thoroughness::WholeFile, std::random_device()(),
                            {.stop = cancellation.token(), .progress = line.progress()});
    }
    if (!files) {
        return failedOrCancelled(files.error(), invocation.file(), cancellation, console);
    }
    const bool isSame = std::ranges::all_of(*files, [](const hub::FileVerification& file) {
        return file.verdict == hub::Verdict::Same || file.verdict == hub::Verdict::SameParts;
    });
    if (invocation.json()) {
        printJson(*files, isSame, console);
    } else {
        for (const hub::FileVerification& file : *files) {
            console.out().writeLine(ui::displayText(file.path.native()) + QStringLiteral(": ") + sentenceOf(file));
        }
    }
    return isSame ? kDone : kFound;
}

} // namespace

const Verb verifyVerb{
    .name = "verify",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE ADDRESS [--quick]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Checks whether a file is identical to the one on the hub"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "Compares the size and the SHA-256, which reads the whole file, or with --quick only parts of "
        "it, which takes seconds.\nADDRESS is as in download. FILE may be any shard. The exit "
        "code is 1 if anything differs."),
    .options = kVerifyOptions,
    .minArguments = 2,
    .maxArguments = 2,
    .run = runVerify,
    .takesAddress = true,
};

} // namespace gufo::cli
