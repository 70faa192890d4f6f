// The fields of a map of bytes as texts, which tests compare.
#pragma once

#include "bytes/byte_map.h"

#include <QString>
#include <QStringList>

#include <variant>
#include <vector>

namespace gufo::test {

inline QString valueText(const ByteField& field) {
    struct Visitor {
        QString operator()(std::monostate) const { return QStringLiteral("-"); }
        QString operator()(std::uint64_t value) const { return QString::number(value); }
        QString operator()(std::int64_t value) const { return QString::number(value); }
        QString operator()(double value) const { return QString::number(value); }
        QString operator()(const std::string& value) const { return QString::fromStdString(value); }
        QString operator()(const LongNumber& value) const { return QString::fromStdString(value.digits); }
    };
    return std::visit(Visitor(), field.value);
}

// "offset+length role of[element] type value".
inline QString fieldText(const ByteField& field) {
    QString text = QStringLiteral("%1+%2 %3")
                       .arg(field.range.offset)
                       .arg(field.range.length)
                       .arg(QString::fromStdString(std::string(fieldRoleName(field.role))));
    if (!field.of.empty()) {
        text += QLatin1Char(' ') + QString::fromStdString(field.of);
    }
    if (field.element) {
        text += QStringLiteral("[%1]").arg(*field.element);
    }
    if (!field.type.empty()) {
        text += QLatin1Char(' ') + QString::fromStdString(field.type);
    }
    return text + QLatin1Char(' ') + valueText(field);
}

inline QStringList texts(const std::vector<ByteField>& fields) {
    QStringList lines;
    for (const ByteField& field : fields) {
        lines << fieldText(field);
    }
    return lines;
}

// An empty text if the fields of the range follow one another without gaps and cover it.
inline QString coverage(const std::vector<ByteField>& fields, ByteRange range) {
    std::uint64_t at = range.offset;
    for (const ByteField& field : fields) {
        if (field.range.length == 0) {
            return QStringLiteral("empty: ") + fieldText(field);
        }
        if (at == range.offset ? field.range.offset > at : field.range.offset != at) {
            return QStringLiteral("not at %1: ").arg(at) + fieldText(field);
        }
        at = field.range.offset + field.range.length;
    }
    return at >= range.offset + range.length ? QString() : QStringLiteral("ends at %1").arg(at);
}

inline std::vector<ByteField> allFields(const ByteMap& map) {
    return map.fields({0, map.size()}, map.size()).value_or(std::vector<ByteField>());
}

} // namespace gufo::test
