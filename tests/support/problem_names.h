// Errors and findings by their stable names and arguments, for comparisons.
#pragma once

#include "base/error.h"
#include "model/model.h"

#include <QStringList>

namespace gufo::test {

// "truncated value 8 3".
inline QString errorOf(const Error& error) {
    QString found = QString::fromStdString(std::string(errorName(error.code)));
    for (const Argument& argument : error.args) {
        found += u' ' + QString::fromStdString(argument.text());
    }
    return found;
}

// Each with its first argument: "duplicate_tensor a|tensor_unsafe b".
inline QString findingsWithArgument(const Model& model) {
    QStringList names;
    for (const Finding& finding : model.findings) {
        names << QString::fromStdString(std::string(finding.name())) + u' ' +
                     QString::fromStdString(finding.args.empty() ? "" : finding.args[0].text());
    }
    return names.join(u'|');
}

} // namespace gufo::test
