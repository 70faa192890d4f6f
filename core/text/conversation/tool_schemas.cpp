#include "text/conversation/tool_schemas.h"

#include "text/conversation/literal_reader.h"
#include "text/conversation/marker_text.h"
#include "text/template/json_rewrite.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <array>
#include <utility>

namespace gufo::text {
namespace {

constexpr int kDeepestSchema = 16;

constexpr std::array<std::pair<const char*, JsonTypes>, 7> kTypeNames{{{"string", JsonTypes::String},
                                                                       {"integer", JsonTypes::Number},
                                                                       {"number", JsonTypes::Number},
                                                                       {"boolean", JsonTypes::Boolean},
                                                                       {"null", JsonTypes::Null},
                                                                       {"array", JsonTypes::Array},
                                                                       {"object", JsonTypes::Object}}};

JsonTypes typeNamed(const QString& name) {
    for (const auto& [known, type] : kTypeNames) {
        if (name.compare(QLatin1String(known), Qt::CaseInsensitive) == 0) {
            return type;
        }
    }
    return JsonTypes::None;
}

JsonTypes typeOfValue(const QJsonValue& value) {
    switch (value.type()) {
    case QJsonValue::String:
        return JsonTypes::String;
    case QJsonValue::Double:
        return JsonTypes::Number;
    case QJsonValue::Bool:
        return JsonTypes::Boolean;
    case QJsonValue::Null:
        return JsonTypes::Null;
    case QJsonValue::Array:
        return JsonTypes::Array;
    case QJsonValue::Object:
        return JsonTypes::Object;
    case QJsonValue::Undefined:
        break;
    }
    return JsonTypes::None;
}

// Follows a pointer such as "#/$defs/place".
QJsonValue resolved(const QJsonObject& root, const QString& pointer) {
    QJsonValue at(root);
    for (QString step : pointer.split(QLatin1Char('/')).mid(1)) {
        at = at[step.replace(QLatin1String("~1"), QLatin1String("/")).replace(QLatin1String("~0"), QLatin1String("~"))];
    }
    return at;
}

JsonTypes typesOfSchema(const QJsonObject& root, const QJsonValue& value, int depth) {
    const QJsonObject schema = value.toObject();
    if (depth == kDeepestSchema) {
        return JsonTypes::None;
    }
    JsonTypes types = typeNamed(schema[QStringLiteral("type")].toString());
    for (const QJsonValue& name : schema[QStringLiteral("type")].toArray()) {
        types = types | typeNamed(name.toString());
    }
    if (types != JsonTypes::None) {
        return schema[QStringLiteral("nullable")].toBool() ? types | JsonTypes::Null : types;
    }
    if (schema.contains(QStringLiteral("const"))) {
        return typeOfValue(schema[QStringLiteral("const")]);
    }
    for (const QJsonValue& each : schema[QStringLiteral("enum")].toArray()) {
        types = types | typeOfValue(each);
    }
    for (const char* const name : {"anyOf", "oneOf", "allOf"}) {
        for (const QJsonValue& each : schema[QLatin1String(name)].toArray()) {
            types = types | typesOfSchema(root, each, depth + 1);
        }
    }
    if (const QString reference = schema[QStringLiteral("$ref")].toString(); reference.startsWith(QLatin1Char('#'))) {
        types = types | typesOfSchema(root, resolved(root, reference), depth + 1);
    }
    if (types == JsonTypes::None && schema.contains(QStringLiteral("properties"))) {
        types = JsonTypes::Object;
    }
    if (types == JsonTypes::None && schema.contains(QStringLiteral("items"))) {
        types = JsonTypes::Array;
    }
    return types;
}

} // namespace

ToolSchemas::ToolSchemas(std::string_view tools) {
    const auto document = QJsonDocument::fromJson(QByteArray(tools.data(), static_cast<qsizetype>(tools.size())));
    for (const QJsonValue& each : document.array()) {
        const QJsonObject function =
            each[QStringLiteral("function")].isObject() ? each[QStringLiteral("function")].toObject() : each.toObject();
        const QString name = function[QStringLiteral("name")].toString();
        if (name.isEmpty()) {
            continue;
        }
        auto& parameters = m_tools[name.toStdString()];
        const QJsonObject schema = function[QStringLiteral("parameters")].toObject();
        const QJsonObject properties = schema[QStringLiteral("properties")].toObject();
        for (auto property = properties.begin(); property != properties.end(); ++property) {
            parameters[property.key().toStdString()] = typesOfSchema(schema, property.value(), 0);
        }
    }
}

JsonTypes ToolSchemas::typesOf(std::string_view tool, std::string_view parameter) const {
    const auto found = m_tools.find(tool);
    if (found == m_tools.end()) {
        return JsonTypes::None;
    }
    const auto type = found->second.find(parameter);
    return type != found->second.end() ? type->second : JsonTypes::None;
}

std::string argumentJson(std::string_view text, JsonTypes types) {
    if (types == JsonTypes::String) {
        return jsonString(text);
    }
    const std::string_view value = withoutSpace(text);
    const LiteralReading literal = readLiteral(value, {}, true);
    const bool isWhole = literal.state == LiteralReading::State::Whole && literal.bytes == value.size();
    if (!isWhole || literal.json.starts_with('"')) {
        return jsonString(text);
    }
    const char first = literal.json.front();
    const JsonTypes found = first == '{'                   ? JsonTypes::Object
                            : first == '['                 ? JsonTypes::Array
                            : first == 't' || first == 'f' ? JsonTypes::Boolean
                            : first == 'n'                 ? JsonTypes::Null
                                                           : JsonTypes::Number;
    // A string may look like anything, so another type must be among the declared ones if a string is.
    return types == JsonTypes::None || has(types, found) || !has(types, JsonTypes::String) ? literal.json
                                                                                           : jsonString(text);
}

} // namespace gufo::text
