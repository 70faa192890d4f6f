#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/verb.h"
#include "document/open_model.h"
#include "pairing/pairing.h"
#include "ui/messages/detail_text.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_writer.h"

#include <array>

namespace gufo::cli {
namespace {

struct PairWords {
    const char* reason;
    const char* remedy; // empty if nothing would make the files fit, or nothing needs to
};
constexpr auto kPairWords = std::to_array<PairWords>({
#define GUFO_PAIR(code, name, verdict, args, words, remedy) {words, remedy},
#include "pairing/pair_reasons.inc"
#undef GUFO_PAIR
});

QString reasonText(const PairReason& reason) {
    Arguments args = reason.args;
    if (reason.why) {
        args.emplace_back(ui::errorReason(*reason.why).toStdString());
    }
    return ui::sentence("Pairing", kPairWords.at(static_cast<std::size_t>(reason.code)).reason, args);
}

QString remedyText(const PairReason& reason) {
    const char* remedy = kPairWords.at(static_cast<std::size_t>(reason.code)).remedy;
    return *remedy == '\0' ? QString() : QCoreApplication::translate("Pairing", remedy);
}

QString kindText(PairKind kind) {
    switch (kind) {
    case PairKind::Adapter:
        return Cli::tr("an adapter for the model");
    case PairKind::Projector:
        return Cli::tr("a projector for the model");
    case PairKind::Imatrix:
        return Cli::tr("an importance matrix for the model");
    case PairKind::Draft:
        return Cli::tr("a model that drafts for the other");
    case PairKind::Mtp:
        return Cli::tr("prediction blocks for the model");
    case PairKind::Unrelated:
        break;
    }
    return Cli::tr("no pair");
}

QString verdictText(PairVerdict verdict) {
    switch (verdict) {
    case PairVerdict::Fits:
        return Cli::tr("They fit");
    case PairVerdict::Limited:
        return Cli::tr("They fit, with a limit");
    case PairVerdict::DoesNotFit:
        break;
    }
    return Cli::tr("They do not fit");
}

void printPairing(const Pairing& pairing, Console& console) {
    console.out().writeLine(verdictText(pairing.verdict()) + QStringLiteral(" (") + kindText(pairing.kind) +
                            QStringLiteral("):"));
    for (const PairReason& reason : pairing.reasons) {
        console.out().writeLine(QStringLiteral("  ") + reasonText(reason));
        if (const QString remedy = remedyText(reason); !remedy.isEmpty()) {
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
        const QString remedy = remedyText(reason);
        json.beginObject();
        json.member("code", pairReasonName(reason.code));
        json.member("fits", pairVerdictName(reason.verdict()));
        json.member("text", reasonText(reason));
        json.member("remedy", remedy.isEmpty() ? std::nullopt : std::optional(remedy));
        json.endObject();
    }
    json.endArray();
    json.endObject();
    json.endDocument();
}

// An importance matrix in the older format is no model.
struct PairFile {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const Imatrix> imatrix;
};

Result<PairFile> openPairFile(const std::filesystem::path& path, const JobContext& job) {
    auto model = openModel(path, job);
    if (model) {
        return PairFile{.model = *std::move(model), .imatrix = nullptr};
    }
    if (model.error().code == ErrorCode::NotAModel) {
        if (auto imatrix = Imatrix::open(path, job)) {
            return PairFile{.model = nullptr, .imatrix = *std::move(imatrix)};
        }
    }
    return std::unexpected(std::move(model.error()).in(path));
}

Result<Pairing> pairingOf(const PairFile& first, const PairFile& second, const JobContext& job) {
    if (first.model && second.model) {
        return checkPairing(first.model, second.model, job);
    }
    const Imatrix* imatrix = first.imatrix ? first.imatrix.get() : second.imatrix.get();
    const Model* model = first.model ? first.model.get() : second.model.get();
    return model != nullptr ? checkImatrixPairing(*imatrix, *model, job)
                            : unrelated(FileKind::Imatrix, FileKind::Imatrix);
}

int runFits(const Invocation& invocation, Console& console) {
    const Cancellation cancellation;
    const JobContext job{.stop = cancellation.token()};
    std::array<PairFile, 2> files;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::filesystem::path path = invocation.positional()[i];
        auto file = openPairFile(path, job);
        if (!file) {
            return failedOrCancelled(file.error(), path, cancellation, console);
        }
        files[i] = *std::move(file);
    }
    const auto pairing = pairingOf(files[0], files[1], job);
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
