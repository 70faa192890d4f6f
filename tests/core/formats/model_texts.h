// What the tests of containers compare of a model, as text.
#pragma once

#include "model/array_index.h"
#include "model/model.h"
#include "support/error_names.h"

#include <QStringList>

namespace gufo::test {

// Each finding with the name of its place: "duplicate_tensor_name a|shard_keys_differ format".
inline QString placedFindings(const Model& model) {
    QStringList names;
    for (const Finding& finding : model.findings) {
        names << text(finding.name()) + u' ' + QString::fromStdString(finding.place.name);
    }
    return names.join(u'|');
}

// Each finding with its first argument, if it has one: "pickle_cut|storage_missing 0".
inline QString findingsWithFirstArgument(const Model& model) {
    QStringList names;
    for (const Finding& finding : model.findings) {
        names << text(finding.name()) +
                     (finding.args.empty() ? QString() : u' ' + QString::fromStdString(finding.args[0].text()));
    }
    return names.join(u'|');
}

// The value of a key that is a text.
inline QString textOf(const Model& model, std::string_view key) {
    return text(model.metadata.string(key).value_or("(absent)"));
}

// The elements of a key that is an array of texts; none if it is absent.
inline QStringList textsOf(const Model& model, std::string_view key) {
    QStringList list;
    if (const ArrayView* array = model.metadata.array(key)) {
        for (const Value& element : arrayHead(*array, array->length)) {
            list << text(asString(element).value_or("(no text)"));
        }
    }
    return list;
}

} // namespace gufo::test
