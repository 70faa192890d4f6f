#include "ui/messages/value_line.h"

#include "model/key_catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"

namespace gufo::ui {
namespace {

constexpr std::size_t kLineBytes = 4096;

} // namespace

QString namedValue(std::string_view key, const Value& value, std::string_view architecture, int head) {
    if (const auto text = asString(value)) { // texts of many megabytes occur, and a line shows little of them
        return headText(*text, kLineBytes);
    }
    const auto number = asInt(value);
    const auto name = number ? enumName(key, architecture, *number) : std::nullopt;
    return name ? QStringLiteral("%1 (%2)").arg(latin1(*name), formatValue(value)) : formatValue(value, head);
}

QString valueInLine(std::string_view key, const Value& value, std::string_view architecture, int characters) {
    const auto longest = static_cast<std::size_t>(characters);
    QString text;
    bool cut = false;
    if (const auto string = asString(value)) {
        text = displayText(string->substr(0, longest));
        cut = string->size() > longest;
    } else if (asArray(value) != nullptr) {
        text = formatValueType(value) + QLatin1Char(' ') + formatValue(value, 4);
    } else {
        text = namedValue(key, value, architecture);
    }
    if (text.size() > characters || cut) {
        text = text.left(characters - 1) + QChar(0x2026);
    }
    return text;
}

} // namespace gufo::ui
