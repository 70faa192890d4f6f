#include "cli/console.h"
#include "cli/invocation.h"
#include "document/open_model.h"
#include "formats/saving.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_writer.h"

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

} // namespace

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

} // namespace gufo::cli
