#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "model/array_index.h"
#include "ui/messages/format.h"
#include "ui/report/json_model.h"

namespace gufo::cli {
namespace {

// Formats an element of an array on one line, with reversible escapes for line breaks and backslashes.
QString elementLine(const Value& value) {
    const auto string = asString(value);
    if (!string) {
        return ui::formatValue(value);
    }
    std::string doubled;
    for (const char c : *string) {
        doubled.append(c == '\\' ? 2 : 1, c);
    }
    return ui::displayText(doubled);
}

void printArray(const ArrayView& array, Output& out) {
    Bytes rest = array.bytes;
    for (std::uint64_t i = 0; i < array.length && !out.failed(); ++i) {
        const auto element = valueAt(array.elementType, rest, array.layout);
        if (!element) { // the file changed while it was read; checkDamage reports it
            return;
        }
        if (const ArrayView* nested = asArray(element->value)) {
            ui::JsonWriter json(out);
            ui::writeValue(json, *nested);
            out.writeLine();
        } else {
            out.writeLine(elementLine(element->value));
        }
        rest = rest.subspan(element->bytes);
    }
}

void printText(const Value& value, Console& console) {
    Output& out = console.out();
    if (const ArrayView* array = asArray(value)) {
        printArray(*array, out);
    } else if (const auto string = asString(value)) {
        out.write(*string);
        if (console.outIsTerminal() && !string->ends_with('\n')) {
            out.writeLine();
        }
    } else {
        out.writeLine(ui::formatValue(value));
    }
}

void printJson(std::string_view key, const Value& value, Output& out) {
    ui::JsonWriter json(out);
    json.beginObject();
    json.member("key", key);
    if (const ArrayView* array = asArray(value)) {
        json.member("type", ui::typeName(value));
        json.member("element_type", valueTypeInfo(array->elementType).name);
        json.member("length", array->length);
        json.key("value");
        ui::writeValue(json, value);
    } else {
        ui::writeTypeAndValue(json, value);
    }
    json.endObject();
    json.endDocument();
}

} // namespace

int runGet(const Invocation& invocation, Console& console) {
    const auto model = openModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    const std::string& key = invocation.positional()[1];
    const Value* value = (*model)->metadata.find(key);
    if (value == nullptr) {
        return console.fail(fail(ErrorCode::NoSuchKey, {}, {key}).error(), invocation.file());
    }
    if (invocation.json()) {
        printJson(key, *value, console.out());
    } else {
        printText(*value, console);
    }
    return checkDamage(**model, console);
}

} // namespace gufo::cli
