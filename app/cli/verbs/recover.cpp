#include "formats/gguf/recover/recover.h"

#include "cli/console.h"
#include "cli/invocation.h"
#include "document/open_model.h"
#include "ui/messages/format.h"
#include "ui/report/json_writer.h"

namespace gufo::cli {
namespace {

QString sentenceOf(gguf::Recovery recovery) {
    switch (recovery) {
    case gguf::Recovery::NotNeeded:
        return Cli::tr("No save of it was interrupted.");
    case gguf::Recovery::RolledBack:
        return Cli::tr("An interrupted save was undone: it is what it was before.");
    case gguf::Recovery::Completed:
        return Cli::tr("An interrupted save was completed: it is what was to be saved.");
    }
    return {};
}

} // namespace

int runRecover(const Invocation& invocation, Console& console) {
    const auto recovered = gguf::recover(invocation.file());
    if (!recovered) {
        return console.fail(recovered.error(), invocation.file());
    }
    // Whether there is a model now: an interrupted save whose journal is gone, say.
    if (const auto model = openModel(invocation.file()); !model) {
        return console.fail(model.error(), invocation.file());
    }
    if (invocation.json()) {
        ui::JsonWriter json(console.out());
        json.beginObject();
        json.member("recovery", gguf::recoveryName(*recovered));
        json.endObject();
        json.endDocument();
    } else {
        console.out().writeLine(ui::displayText(invocation.file().native()) + QStringLiteral(": ") +
                                sentenceOf(*recovered));
    }
    return kDone;
}

} // namespace gufo::cli
