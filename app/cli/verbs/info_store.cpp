#include "cli/verbs/info_store.h"

#include "cli/cancellation.h"
#include "cli/model_access.h"
#include "cli/text_table.h"
#include "formats/ollama/store.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_writer.h"

namespace gufo::cli {

std::optional<int> listStore(const Invocation& invocation, Console& console) {
    const auto store = ollama::storeOf(invocation.file());
    if (!store) {
        return std::nullopt;
    }
    const Cancellation cancellation;
    const auto models = ollama::modelsIn(*store, {.stop = cancellation.token()});
    if (!models) {
        return failedOrCancelled(models.error(), *store, cancellation, console);
    }
    if (models->size() == 1) {
        return std::nullopt;
    }
    if (!invocation.json()) {
        TextTable table({{Cli::tr("Name")}, {Cli::tr("Bytes"), Align::Right}, {Cli::tr("File")}});
        for (const ollama::StoredModel& model : *models) {
            table.addRow(
                {ui::displayText(model.name), ui::formatCount(model.bytes), ui::displayText(model.manifest.native())});
        }
        table.print(console, 0);
        return kDone;
    }
    ui::JsonWriter json(console.out());
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("store", std::string_view(store->native()));
    json.key("models");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const ollama::StoredModel& model : *models) {
        json.beginObject();
        json.member("name", std::string_view(model.name));
        json.member("bytes", model.bytes);
        json.member("path", std::string_view(model.manifest.native()));
        json.endObject();
    }
    json.endArray();
    json.endObject();
    json.endDocument();
    return kDone;
}

} // namespace gufo::cli
