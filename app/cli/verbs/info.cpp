#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/terminal_text.h"
#include "cli/text_table.h"
#include "cli/verb.h"
#include "convert/description.h"
#include "convert/source_structure.h"
#include "formats/container/container.h"
#include "formats/ollama/store.h"
#include "inference/structure/model_structure.h"
#include "model/file_kind.h"
#include "model/hyper_parameters.h"
#include "model/key_catalogue.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/model_text.h"
#include "ui/messages/structure_text.h"
#include "ui/report/json_model.h"
#include "ui/report/json_writer.h"

#include <algorithm>
#include <array>
#include <optional>

namespace gufo::cli {
namespace {

using inference::StructurePart;

void writeParts(ui::JsonWriter& json, const Model& model, const std::vector<StructurePart>& parts) {
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const StructurePart& part : parts) {
        json.beginObject();
        json.member("part", inference::graphPartName(part.part));
        json.key("facts");
        json.beginArray();
        for (const inference::PartFact& fact : part.facts) {
            json.beginObject();
            json.member("fact", inference::structureFactName(fact.fact));
            json.key("values");
            json.beginArray();
            for (const Argument& argument : fact.args) {
                json.value(std::string_view(argument.text()));
            }
            json.endArray();
            json.endObject();
        }
        json.endArray();
        json.key("tensors");
        json.beginArray();
        for (const TensorIndex tensor : part.tensors) {
            json.value(model.tensor(tensor).name);
        }
        json.endArray();
        json.member("contradicted", part.contradicted);
        json.endObject();
    }
    json.endArray();
}

void writeStack(ui::JsonWriter& json, const Model& model, const inference::StructureStack& stack) {
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("prefix", stack.prefix);
    json.member("summary", std::string_view(ui::stackText(stack).toStdString()));
    json.key("begin");
    writeParts(json, model, stack.begin);
    json.key("runs");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const inference::StructureRun& run : stack.runs) {
        json.beginObject();
        json.member("first_block", stack.blocks[run.first].number);
        json.member("period", std::uint64_t{run.period});
        json.member("repeats", std::uint64_t{run.repeats});
        json.endObject();
    }
    json.endArray();
    json.key("blocks");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const inference::StructureBlock& block : stack.blocks) {
        json.beginObject();
        json.member("block", block.number);
        json.member("kind", std::uint64_t{block.kind});
        json.member("parallel", block.parallel);
        json.member("predicts", block.predicts);
        json.key("parts");
        writeParts(json, model, block.parts);
        json.endObject();
    }
    json.endArray();
    json.key("end");
    writeParts(json, model, stack.end);
    json.endObject();
}

// The structure of a model.
void writeDiagram(ui::JsonWriter& json, const Model& model, const inference::ModelStructure& structure) {
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("known", structure.isKnown);
    json.key("stacks");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const inference::StructureStack& stack : structure.stacks) {
        writeStack(json, model, stack);
    }
    json.endArray();
    json.key("contradictions");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const inference::Contradiction& each : structure.contradictions) {
        json.beginObject();
        json.member("code", inference::structureFactName(each.what.fact));
        json.member("tensor", each.tensor ? std::optional(model.tensor(*each.tensor).name) : std::nullopt);
        json.member("message", std::string_view(ui::structureFactText(each.what).toStdString()));
        json.endObject();
    }
    json.endArray();
    json.endObject();
}

// The verb info for a store of models (formats/ollama/store.h) when the user does not name one of them.

// Lists the models of the store that the first argument is, and returns the exit code; nothing if it is another file or
// folder, or a store with one model.
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

constexpr int kLongestValue = 100; // columns, if output is not a terminal

std::string_view byteOrderName(ByteOrder order) { return order == ByteOrder::Little ? "little" : "big"; }

// The number of the type in GGUF, if it has one.
std::optional<std::uint32_t> typeIdOf(std::uint32_t id) {
    const TensorTypeFact* type = findTensorType(id);
    return type == nullptr || type->inGguf() ? std::optional(id) : std::nullopt;
}

// Zero stands for a fact that the container lacks.
std::optional<std::uint32_t> unlessZero(std::uint32_t number) {
    return number != 0 ? std::optional(number) : std::nullopt;
}

QString text(std::string_view bytes) { return ui::displayText(bytes); }

// ---- JSON

void writeFiles(ui::JsonWriter& json, const Model& model) {
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const ModelFile& file : model.files) {
        json.beginObject();
        json.member("path", std::string_view(file.path.native()));
        json.member("present", file.source != nullptr);
        json.member("bytes", file.source != nullptr ? std::optional(file.source->size()) : std::nullopt);
        json.member("data_offset", file.source != nullptr ? std::optional(file.dataOffset) : std::nullopt);
        json.endObject();
    }
    json.endArray();
}

void writeTypes(ui::JsonWriter& json, const Model& model) {
    json.beginArray(ui::JsonWriter::Layout::Block);
    const auto present = ui::presentBytes(model);
    for (const Model::TypeShare& share : model.typeShares()) {
        json.beginObject();
        json.member("type", std::string_view(share.name));
        json.member("type_id", typeIdOf(share.typeId));
        json.member("tensors", share.tensors);
        json.member("weights", share.weights);
        json.member("bytes", share.bytes);
        json.member("bytes_present", present.at(share.name));
        json.endObject();
    }
    json.endArray();
}

void writeTensors(ui::JsonWriter& json, const Model& model) {
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const TensorInfo& tensor : model.tensors) {
        json.beginObject();
        json.member("name", tensor.name);
        json.member("type", std::string_view(tensor.typeName()));
        json.member("type_id", typeIdOf(tensor.typeId));
        json.key("shape");
        ui::writeShape(json, tensor.shape);
        json.member("offset", tensor.declaredOffset);
        json.member("bytes", tensor.bytes);
        json.member("file", tensor.file.value);
        json.member("file_offset", tensor.offset);
        json.endObject();
    }
    json.endArray();
}

void printJson(const Model& model, const Metadata& described, const inference::ModelStructure* diagram, Output& out) {
    const Model::Totals totals = model.totals();
    ui::JsonWriter json(out);
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("format", containerFormat(model));
    json.member("version", unlessZero(model.version));
    json.member("byte_order", byteOrderName(model.byteOrder));
    json.member("alignment", unlessZero(model.files[model.openedFile.value].alignment));
    const Metadata& ofFolder = model.openedAs.empty() ? model.metadata : described;
    json.member("architecture", ofFolder.string("general.architecture"));
    json.member("name", model.metadata.string("general.name"));
    json.member("parameters", totals.weights);
    json.member("tensor_bytes", totals.tensorBytes);
    json.member("file_bytes", totals.fileBytes);
    json.member("bits_per_weight", totals.bitsPerWeight);
    json.key("files");
    writeFiles(json, model);
    json.key("types");
    writeTypes(json, model);
    json.key("kv");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const KeyValue& entry : model.metadata) {
        json.beginObject();
        json.member("key", entry.key);
        ui::writeTypeAndValue(json, entry.value);
        json.endObject();
    }
    json.endArray();
    json.key("tensors");
    writeTensors(json, model);
    json.key("findings");
    ui::writeFindings(json, model.findings);
    if (diagram != nullptr) {
        json.key("diagram");
        writeDiagram(json, model, *diagram);
    }
    json.endObject();
    json.endDocument();
}

// ---- text

void printHeading(Console& console, const QString& title) {
    console.out().writeLine();
    console.out().writeLine(console.coloured(Colour::Bold, title));
}

QString typesLine(const Model& model) {
    QStringList types;
    const auto present = ui::presentBytes(model);
    for (const Model::TypeShare& share : model.typeShares()) {
        types << Cli::tr("%1 × %2 (%3)").arg(share.tensors).arg(text(share.name), ui::shareSizeText(share, present));
    }
    return types.join(QStringLiteral(", "));
}

QString shardsLine(const Model& model) {
    const auto present =
        std::ranges::count_if(model.files, [](const ModelFile& file) { return file.source != nullptr; });
    return present == std::ssize(model.files)
               ? Cli::tr("%n files", nullptr, ui::numerus(model.files.size()))
               : Cli::tr("%1 of %n files are here", nullptr, ui::numerus(model.files.size())).arg(present);
}

QString formatLine(const Model& model) {
    const QString name = text(containerName(model));
    QStringList parts{model.version != 0 ? Cli::tr("%1 version %2").arg(name).arg(model.version) : name,
                      Cli::tr("%1-endian").arg(text(byteOrderName(model.byteOrder)))};
    if (const std::uint32_t alignment = model.files[model.openedFile.value].alignment; alignment != 0) {
        parts << Cli::tr("alignment %1").arg(alignment);
    }
    return parts.join(QStringLiteral(", "));
}

void printSummary(const Model& model, const Metadata& described, Console& console) {
    const Model::Totals totals = model.totals();
    TextTable table({{}, {.title = {}, .align = Align::Left, .flexible = true}});
    const auto row = [&](const QString& name, const QString& content) {
        if (!content.isEmpty()) {
            table.addRow({name, content});
        }
    };
    row(Cli::tr("File"), text(model.path().native()));
    row(Cli::tr("Format"), formatLine(model));
    const bool isImatrix = fileKind(model) == FileKind::Imatrix; // its numbers are not weights of a model
    row(Cli::tr("Kind"), isImatrix ? Cli::tr("importance matrix") : QString());
    row(Cli::tr("Name"), text(model.metadata.string("general.name").value_or("")));
    row(Cli::tr("Architecture"), text(described.architecture()));
    const HyperParameters parameters(described);
    const auto count = [&](const QString& name, std::string_view suffix) {
        const auto number = parameters.uint(suffix);
        row(name, number ? ui::formatCount(*number) : QString());
    };
    count(Cli::tr("Blocks"), "block_count");
    count(Cli::tr("Context"), "context_length");
    const QString weights = ui::formatParameters(totals.weights);
    const QString allWeights = ui::formatCount(totals.weights);
    const QString parametersText = weights == allWeights ? weights : Cli::tr("%1 (%2)").arg(weights, allWeights);
    row(Cli::tr("Parameters"), isImatrix ? QString() : parametersText);
    const QString size = ui::formatBytes(totals.fileBytes);
    row(Cli::tr("Size"), totals.fileBytes < 1024 // the unit is bytes already
                             ? size
                             : Cli::tr("%1 (%2 bytes)", nullptr, ui::numerus(totals.fileBytes))
                                   .arg(size, ui::formatCount(totals.fileBytes)));
    if (totals.bitsPerWeight && !isImatrix) {
        row(Cli::tr("Bits per weight"), ui::formatBitsPerWeight(*totals.bitsPerWeight));
    }
    row(Cli::tr("Types"), typesLine(model));
    // Numbers that an ONNX file lists one by one are a further file of the model, in memory, with the same path.
    const bool hasShards =
        std::ranges::any_of(model.files, [&](const ModelFile& file) { return file.path != model.files[0].path; });
    row(Cli::tr("Shards"), hasShards ? shardsLine(model) : QString());
    table.print(console);
}

void printMetadata(const Model& model, Console& console) {
    printHeading(console, Cli::tr("Metadata (%1)").arg(model.metadata.size()));
    TextTable table({{Cli::tr("Key")}, {Cli::tr("Type")}, {.title = Cli::tr("Value"), .flexible = true}});
    const std::string_view architecture = model.metadata.architecture();
    for (const KeyValue& entry : model.metadata) {
        table.addRow({text(entry.key), ui::formatValueType(entry.value),
                      cutToWidth(ui::namedValue(entry.key, entry.value, architecture), kLongestValue)});
    }
    table.print(console, 2);
}

void printTensors(const Model& model, Console& console) {
    printHeading(console, Cli::tr("Tensors (%1)").arg(model.tensors.size()));
    TextTable table({{Cli::tr("Name")},
                     {Cli::tr("Type")},
                     {Cli::tr("Shape"), Align::Right},
                     {Cli::tr("Bytes"), Align::Right},
                     {Cli::tr("Offset"), Align::Right}});
    for (const TensorInfo& tensor : model.tensors) {
        table.addRow({text(tensor.name), text(tensor.typeName()), ui::formatShape(tensor.shape),
                      tensor.bytes ? ui::formatCount(*tensor.bytes) : Cli::tr("unknown"),
                      ui::formatCount(tensor.declaredOffset)});
    }
    table.print(console, 2);
}

constexpr auto kInfoOptions = std::to_array<OptionFact>({
    {"diagram", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "describe the architecture: its blocks, and what is in them")},
});

int runInfo(const Invocation& invocation, Console& console) {
    if (const auto listed = listStore(invocation, console)) {
        return *listed;
    }
    const auto opened = openModelOf(invocation, console);
    if (!opened) {
        return opened.error();
    }
    const Model& model = **opened;
    const std::shared_ptr<const Model> described = convert::describe(*opened);
    std::optional<convert::SourceStructure> drawn;
    if (invocation.isSet("diagram")) {
        drawn = *convert::describeStructure(*opened); // it fails only if it is cancelled
    }
    const inference::ModelStructure* diagram = drawn ? &drawn->structure : nullptr;
    if (invocation.json()) {
        printJson(model, described->metadata, diagram, console.out());
    } else if (diagram) {
        console.out().write(ui::structureText(*diagram));
    } else {
        printSummary(model, described->metadata, console);
        printMetadata(model, console);
        if (!model.tensors.empty()) {
            printTensors(model, console);
        }
        if (!model.findings.empty()) {
            printHeading(console, Cli::tr("Findings (%1)").arg(model.findings.size()));
            printFindings(console, model.findings, &model);
        }
    }
    return checkDamage(model, console);
}

} // namespace

const Verb infoVerb{
    .name = "info",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE [--diagram]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Shows the format, metadata and tensors of a model"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "Reads only the header, whatever the size of the model. Any shard of a set stands for the whole "
        "set, and any piece\nof a cut file for the file. For a store of Ollama, its models are listed. Long values "
        "are truncated; use get to see\nthem in full."),
    .options = kInfoOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runInfo,
    .takesAddress = true,
};

} // namespace gufo::cli
