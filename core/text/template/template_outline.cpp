#include "text/template/template_outline.h"

#include <QJsonArray>
#include <QJsonObject>

#include <utility>

namespace gufo::text {
namespace {

OutlinePlace outlinePlaceOf(const QJsonObject& entry) {
    return {.line = entry[QStringLiteral("line")].toInt(), .column = entry[QStringLiteral("column")].toInt()};
}

std::uint8_t sourcesOf(const QJsonObject& entry) {
    unsigned sources = 0;
    for (const QJsonValue& name : entry[QStringLiteral("sources")].toArray()) {
        for (const auto& [source, bit] :
             {std::pair{"content", FromContent}, {"count", FromCount}, {"date", FromDate}}) {
            if (name == QLatin1String(source)) {
                sources |= bit;
            }
        }
    }
    return static_cast<std::uint8_t>(sources);
}

OutlineText outlineTextOf(const QJsonObject& entry, bool isOutside) {
    return {.place = outlinePlaceOf(entry),
            .text = entry[QStringLiteral("text")].toString().toStdString(),
            .isPrinted = isOutside || entry[QStringLiteral("printed")].toBool(),
            .isOutside = isOutside,
            .sources = sourcesOf(entry)};
}

std::vector<OutlineName> outlineNamesOf(const QJsonArray& list) {
    std::vector<OutlineName> names;
    for (const QJsonValue& entry : list) {
        const QJsonObject object = entry.toObject();
        names.push_back(
            {.place = outlinePlaceOf(object), .name = object[QStringLiteral("text")].toString().toStdString()});
    }
    return names;
}

} // namespace

TemplateOutline readTemplateOutline(const QJsonObject& outline) {
    TemplateOutline result;
    for (const QJsonValue& entry : outline[QStringLiteral("strings")].toArray()) {
        result.texts.push_back(outlineTextOf(entry.toObject(), false));
    }
    for (const QJsonValue& entry : outline[QStringLiteral("texts")].toArray()) {
        result.texts.push_back(outlineTextOf(entry.toObject(), true));
    }
    for (const QJsonValue& entry : outline[QStringLiteral("guards")].toArray()) {
        const QJsonObject object = entry.toObject();
        result.guards.push_back({.place = outlinePlaceOf(object), .sources = sourcesOf(object)});
    }
    result.walks = outlineNamesOf(outline[QStringLiteral("walks")].toArray());
    result.outside = outlineNamesOf(outline[QStringLiteral("outside")].toArray());
    for (const QJsonValue& number : outline[QStringLiteral("integers")].toArray()) {
        result.integers.push_back(number.toInteger());
    }
    return result;
}

} // namespace gufo::text
