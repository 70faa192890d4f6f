#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/verb.h"
#include "pairing/pairing.h"
#include "ui/messages/finding_text.h"
#include "ui/report/json_writer.h"

#include <array>

namespace gufo::cli {
namespace {

void printPairing(const Pairing& pairing, Console& console) {
    console.out().writeLine(ui::pairVerdictText(pairing.verdict()) + QStringLiteral(" (") +
                            ui::pairKindText(pairing.kind) + QStringLiteral("):"));
    for (const PairReason& reason : pairing.reasons) {
        console.out().writeLine(QStringLiteral("  ") + ui::pairReasonText(reason));
        if (const QString remedy = ui::pairRemedyText(reason); !remedy.isEmpty()) {
            console.out().writeLine(QStringLiteral("    ") + remedy);
        }
    }
}

void printJson(const Pairing& pairing, Console& console) {
    ui::JsonWriter json(console.out());
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("fits", pairVerdictName(pairing.verdict()));
    json.member("kind", pairKindName(pairing.kind));
    json.key("reasons");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const PairReason& reason : pairing.reasons) {
        const QString remedy = ui::pairRemedyText(reason);
        json.beginObject();
        json.member("code", pairReasonName(reason.code));
        json.member("fits", pairVerdictName(reason.verdict()));
        json.member("text", ui::pairReasonText(reason));
        json.member("remedy", remedy.isEmpty() ? std::nullopt : std::optional(remedy));
        json.endObject();
    }
    json.endArray();
    json.endObject();
    json.endDocument();
}

int runFits(const Invocation& invocation, Console& console) {
    const Cancellation cancellation;
    const JobContext job{.stop = cancellation.token()};
    std::array<PairFile, 2> files;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const auto place = hub::ModelPlace::parse(invocation.positional()[i]);
        auto file = openPairFile(place, job);
        if (!file) {
            return failedOrCancelled(file.error(), place.keptText(), cancellation, console);
        }
        files[i] = *std::move(file);
    }
    const auto pairing = checkPairing(files[0], files[1], job);
    if (!pairing) {
        return failedOrCancelled(pairing.error(), invocation.file(), cancellation, console);
    }
    if (invocation.json()) {
        printJson(*pairing, console);
    } else {
        printPairing(*pairing, console);
    }
    return pairing->verdict() == PairVerdict::DoesNotFit ? kFound : kDone;
}

} // namespace

const Verb fitsVerb{
    .name = "fits",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE FILE"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Says whether two files belong together, and why not"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "One file is a model, the other a projector (mmproj), a LoRA adapter, an importance matrix, a smaller model "
        "that "
        "drafts, or prediction blocks (MTP) in a file of their own, in either order. No weights are read.\n"
        "The exit code is 1 if the files do not fit."),
    .minArguments = 2,
    .maxArguments = 2,
    .run = runFits,
    .takesAddress = true,
};

} // namespace gufo::cli
