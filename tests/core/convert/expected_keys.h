// Planned keys in the form of the fixtures' expected.json, which lists the keys that the official converter writes.
#pragma once

#include "convert/vocabulary/key_list.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QVariant>

#include <map>

namespace gufo::test {

// The type as expected.json writes it: "UINT32", "ARRAY[STRING]".
inline QString expectedTypeName(ValueType type) {
    static const std::map<ValueType, const char*> names{
        {ValueType::UInt8, "UINT8"},   {ValueType::Int8, "INT8"},       {ValueType::UInt16, "UINT16"},
        {ValueType::Int16, "INT16"},   {ValueType::UInt32, "UINT32"},   {ValueType::Int32, "INT32"},
        {ValueType::Bool, "BOOL"},     {ValueType::Float32, "FLOAT32"}, {ValueType::String, "STRING"},
        {ValueType::UInt64, "UINT64"}, {ValueType::Int64, "INT64"},     {ValueType::Float64, "FLOAT64"}};
    return QString::fromLatin1(names.at(type));
}

inline QJsonValue jsonOf(const Value& value) {
    if (const auto text = asString(value)) {
        return QString::fromUtf8(text->data(), static_cast<qsizetype>(text->size()));
    }
    if (const auto flag = asBool(value)) {
        return *flag;
    }
    return asDouble(value).value_or(0);
}

inline QJsonArray jsonOfArray(const ArrayView& array) {
    QJsonArray out;
    const std::byte* at = array.bytes.data();
    for (std::uint64_t i = 0; i < array.length; ++i) {
        if (array.elementType == ValueType::String) {
            const auto length = static_cast<qsizetype>(array.layout.loadLength(at));
            at += array.layout.lengthBytes();
            out.append(QString::fromUtf8(reinterpret_cast<const char*>(at), length));
            at += length;
        } else if (array.elementType == ValueType::Float32) {
            out.append(static_cast<double>(load<float>(at, array.layout.order)));
            at += sizeof(float);
        } else if (array.elementType == ValueType::Int32) {
            out.append(load<std::int32_t>(at, array.layout.order));
            at += sizeof(std::int32_t);
        } else if (array.elementType == ValueType::UInt8) {
            out.append(static_cast<int>(*at++));
        }
    }
    return out;
}

// A planned key in the form of expected.json.
inline QJsonObject jsonOfKey(const convert::PlannedKey& key) {
    const ArrayView* array = asArray(key.value.value());
    return {{"key", QString::fromStdString(key.key)},
            {"type", array == nullptr ? expectedTypeName(key.value.type())
                                      : QStringLiteral("ARRAY[%1]").arg(expectedTypeName(array->elementType))},
            {"value", array == nullptr ? jsonOf(key.value.value()) : QJsonValue(jsonOfArray(*array))}};
}

// Describes the first difference between keys and those expected; empty if they are equal, also in their order.
inline QString firstDifference(const QJsonArray& found, const QJsonArray& expected) {
    for (qsizetype i = 0; i < std::max(found.size(), expected.size()); ++i) {
        const QJsonObject a = found.at(i).toObject();
        const QJsonObject b = expected.at(i).toObject();
        if (a == b) {
            continue;
        }
        if (a["value"].isArray() && b["value"].isArray() && a["key"] == b["key"]) {
            const QJsonArray x = a["value"].toArray();
            const QJsonArray y = b["value"].toArray();
            for (qsizetype j = 0; j < std::max(x.size(), y.size()); ++j) {
                if (x.at(j) != y.at(j)) {
                    return QStringLiteral("%1[%2]: %3 instead of %4 (%5 elements instead of %6, %7)")
                        .arg(a["key"].toString())
                        .arg(j)
                        .arg(x.at(j).toVariant().toString(), y.at(j).toVariant().toString())
                        .arg(x.size())
                        .arg(y.size())
                        .arg(a["type"].toString());
                }
            }
        }
        return QStringLiteral("%1 %2 %3 instead of %4 %5 %6")
            .arg(a["key"].toString(), a["type"].toString(), a["value"].toVariant().toString(), b["key"].toString(),
                 b["type"].toString(), b["value"].toVariant().toString());
    }
    return {};
}

} // namespace gufo::test
