#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/verb.h"
#include "model/array_index.h"
#include "model/owned_value.h"
#include "model/value_text.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
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

// The elements [first, last) of an array.
struct Range {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    bool single = false; // KEY[2] and not KEY[2:3]
};

// If the file changes while it is read, fewer elements are printed, and checkDamage() reports it.
void printArray(const ArrayView& array, const Range& range, Output& out) {
    forEachElement(array, [&](std::uint64_t i, const Value& element) {
        if (i >= range.last || out.failed()) {
            return false;
        }
        if (i < range.first) {
            return true;
        }
        if (const ArrayView* nested = asArray(element)) {
            ui::JsonWriter json(out);
            ui::writeValue(json, *nested);
            out.writeLine();
        } else {
            out.writeLine(elementLine(element));
        }
        return true;
    });
}

void printText(const Value& value, Console& console) {
    Output& out = console.out();
    if (const ArrayView* array = asArray(value)) {
        printArray(*array, {0, array->length}, out);
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
        json.member("element_type", valueTypeFact(array->elementType).name);
        json.member("length", array->length);
        json.key("value");
        ui::writeValue(json, value);
    } else {
        ui::writeTypeAndValue(json, value);
    }
    json.endObject();
    json.endDocument();
}

QString beyondEnd(std::uint64_t at, std::uint64_t length) {
    return Cli::tr("the array has %n elements, numbered from 0; %1 is beyond its end", nullptr, ui::numerus(length))
        .arg(ui::formatCount(at));
}

// Reads a position, or takes `otherwise` for an empty text. The error is a sentence for the user.
std::expected<std::uint64_t, QString> position(std::string_view text, std::uint64_t otherwise) {
    if (text.empty()) {
        return otherwise;
    }
    const auto number = parseValue(ValueType::UInt64, text);
    if (!number) {
        return std::unexpected(
            Cli::tr("\"%1\" is not a position; elements are numbered from 0").arg(ui::displayText(text)));
    }
    return std::get<std::uint64_t>(*number);
}

// What is in the brackets: "2" or "2:5", where either number of a range may be missing.
std::expected<Range, QString> parseRange(std::string_view text, std::uint64_t length) {
    if (text.empty()) {
        return std::unexpected(Cli::tr("the position in the brackets is missing"));
    }
    const std::size_t colon = text.find(':');
    const bool single = colon == std::string_view::npos;
    const auto first = position(text.substr(0, colon), 0);
    const auto last = single ? first : position(text.substr(colon + 1), length);
    if (!first || !last) {
        return std::unexpected(first ? last.error() : first.error());
    }
    const std::uint64_t end = single ? *first + 1 : std::max(*first, *last);
    if (*first >= length + (single ? 0 : 1) || end > length) {
        return std::unexpected(beyondEnd(single ? *first : end, length));
    }
    return Range{*first, end, single};
}

void printElementsJson(const std::string& key, const ArrayView& array, const Range& range, Output& out) {
    ui::JsonWriter json(out);
    json.beginObject();
    json.member("key", std::string_view(key));
    json.member("type", valueTypeFact(array.elementType).name);
    json.member("first", range.first);
    json.key("value");
    if (!range.single) {
        json.beginArray();
    }
    forEachElement(array, [&](std::uint64_t i, const Value& element) {
        if (i >= range.first && i < range.last) {
            ui::writeValue(json, element);
        }
        return i + 1 < range.last;
    });
    if (!range.single) {
        json.endArray();
    }
    json.endObject();
    json.endDocument();
}

std::optional<Value> elementAt(const ArrayView& array, std::uint64_t index) {
    std::optional<Value> found;
    forEachElement(array, [&](std::uint64_t i, const Value& element) {
        if (i == index) {
            found = element;
        }
        return i < index;
    });
    return found;
}

// KEY[2] and KEY[2:5]. Nothing if the text is not of this form, or its key has no array.
std::optional<int> printElements(const Model& model, const std::string& text, const Invocation& invocation,
                                 Console& console) {
    const std::size_t bracket = text.rfind('[');
    if (bracket == std::string::npos || !text.ends_with(']')) {
        return std::nullopt;
    }
    const std::string key = text.substr(0, bracket);
    const Value* value = model.metadata.find(key);
    if (value == nullptr) {
        return std::nullopt;
    }
    const auto refuse = [&](const QString& why) {
        return console.fail(
            QStringLiteral("%1: %2: %3").arg(ui::displayText(invocation.file().native()), ui::displayText(text), why));
    };
    const ArrayView* array = asArray(*value);
    if (array == nullptr) {
        return refuse(Cli::tr("the value of %1 is not an array").arg(ui::displayText(key)));
    }
    const auto range = parseRange(std::string_view(text).substr(bracket + 1, text.size() - bracket - 2), array->length);
    if (!range) {
        return refuse(range.error());
    }
    if (invocation.json()) {
        printElementsJson(key, *array, *range, console.out());
    } else if (const auto one = range->single ? elementAt(*array, range->first) : std::nullopt) {
        printText(*one, console); // like the value of a key of its type
    } else {
        printArray(*array, *range, console.out());
    }
    return checkDamage(model, console);
}

int runGet(const Invocation& invocation, Console& console) {
    const auto model = openModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    const std::string& key = invocation.positional()[1];
    const Value* value = (*model)->metadata.find(key);
    if (value == nullptr) {
        if (const auto code = printElements(**model, key, invocation, console)) {
            return *code;
        }
        return failNaming(fail(ErrorCode::NoSuchKey, {}, {key}).error(), **model, invocation.file(), console);
    }
    if (invocation.json()) {
        printJson(key, *value, console.out());
    } else {
        printText(*value, console);
    }
    return checkDamage(**model, console);
}

} // namespace

const Verb getVerb{
    .name = "get",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE KEY|KEY[N]|KEY[N:M]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Prints the full value of a metadata key"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "A string is written byte for byte (with a line break after it only on a terminal). An array is "
        "written one element per\nline; in its strings, a backslash is written \\\\, a line break \\n, "
        "a tab \\t, and bytes that are not UTF-8 \\xNN. KEY[2] is one element of an array, "
        "written like a value of its type, and KEY[2:5] the\nelements 2, 3 and 4; elements are numbered "
        "from 0, and either number of a range may be omitted."),
    .minArguments = 2,
    .maxArguments = 2,
    .run = runGet,
    .takesAddress = true,
};

} // namespace gufo::cli
