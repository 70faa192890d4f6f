#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/verb.h"
#include "document/open_model.h"
#include "formats/container/model_saving.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_writer.h"

#include <array>

namespace gufo::cli {
namespace {

QString sentenceOf(Recovery recovery) {
    switch (recovery) {
    case Recovery::NotNeeded:
        return Cli::tr("There is no interrupted save of this file.");
    case Recovery::RolledBack:
        return Cli::tr("An interrupted save was undone: the file is as it was before.");
    case Recovery::Completed:
        return Cli::tr("An interrupted save was completed: the file contains the changes.");
    }
    return {};
}

constexpr auto kRecoverOptions = std::to_array<OptionFact>({
    {"moved", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "also accept a copy of the file that was made together with its journal, if its bytes match")},
});

int runRecover(const Invocation& invocation, Console& console) {
    const auto recovered =
        recoverModel(invocation.file(), invocation.isSet("moved") ? MovedFile::Accept : MovedFile::Refuse);
    if (!recovered) {
        return console.fail(recovered.error(), invocation.file());
    }
    // The model may be unreadable, for example after an interrupted save whose journal is missing.
    if (const auto model = openModel(invocation.file()); !model) {
        return console.fail(model.error(), invocation.file());
    }
    if (invocation.json()) {
        ui::JsonWriter json(console.out());
        json.beginObject();
        json.member("recovery", recoveryName(*recovered));
        json.endObject();
        json.endDocument();
    } else {
        console.out().writeLine(ui::displayText(invocation.file().native()) + QStringLiteral(": ") +
                                sentenceOf(*recovered));
    }
    return kDone;
}

} // namespace

const Verb recoverVerb{
    .name = "recover",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE [--moved]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Undoes or completes an interrupted save"),
    .details = QT_TRANSLATE_NOOP("gufo::cli::Cli",
                                 "Uses the journal beside the file, as opening the file also does. Afterwards "
                                 "the file is entirely the old or the new version."),
    .options = kRecoverOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runRecover,
};

} // namespace gufo::cli
