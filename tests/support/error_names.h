// Errors by their stable names and arguments, for comparisons.
#pragma once

#include "base/detail.h"
#include "base/error.h"

#include <QString>

#include <string>
#include <string_view>

namespace gufo::test {

inline QString text(std::string_view bytes) {
    return QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
}

// The name of the error and the names of the details among its arguments.
inline std::string errorWithDetails(const Error& error) {
    std::string names(errorName(error.code));
    for (const Argument& argument : error.args) {
        if (argument.detail()) {
            names += ' ' + std::string(detailName(*argument.detail()));
        }
    }
    return names;
}

// "truncated value 8 3".
inline QString errorOf(const Error& error) {
    QString found = text(errorName(error.code));
    for (const Argument& argument : error.args) {
        found += u' ' + QString::fromStdString(argument.text());
    }
    return found;
}

} // namespace gufo::test
