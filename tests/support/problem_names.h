// Findings by their stable names and arguments, for comparisons.
#pragma once

#include "model/model.h"
#include "support/error_names.h"

#include <QStringList>

namespace gufo::test {

// Each with its first argument: "duplicate_tensor a|tensor_unsafe b".
inline QString findingsWithArgument(const Model& model) {
    QStringList names;
    for (const Finding& finding : model.findings) {
        names << text(finding.name()) + u' ' +
                     QString::fromStdString(finding.args.empty() ? "" : finding.args[0].text());
    }
    return names.join(u'|');
}

} // namespace gufo::test
