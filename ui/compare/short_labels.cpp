#include "ui/compare/short_labels.h"

#include "model/file_naming.h"
#include "ui/shell/native_path.h"
#include "ui/shell/places.h"

#include <QSet>

#include <algorithm>

namespace gufo::ui {
namespace {

bool isSeparator(QChar c) { return c == u'-' || c == u'_' || c == u'.' || c == u' '; }

bool allDifferent(const QStringList& labels) {
    return !labels.contains(QString()) && QSet<QString>(labels.begin(), labels.end()).size() == labels.size();
}

// The length of the common prefix, shortened to the last separator (inclusive) if it ends inside a word.
qsizetype commonLength(const QStringList& names) {
    if (names.isEmpty()) {
        return 0;
    }
    qsizetype length = names.first().size();
    for (const QString& name : names) {
        qsizetype same = 0;
        while (same < std::min(length, name.size()) && name[same] == names.first()[same]) {
            ++same;
        }
        length = same;
    }
    const bool wordEnds = std::ranges::all_of(
        names, [length](const QString& name) { return length == name.size() || isSeparator(name[length]); });
    while (!wordEnds && length > 0 && !isSeparator(names.first()[length - 1])) {
        --length;
    }
    return length;
}

QStringList namesOf(std::span<const hub::ModelPlace> places) {
    QStringList names;
    for (const hub::ModelPlace& place : places) {
        names << modelNameText(place);
    }
    return names;
}

QString folderNameOf(const hub::ModelPlace& place) {
    const auto* path = place.localPath();
    return path != nullptr ? fileNameText(path->parent_path()) : folderText(place).section(u'/', -1);
}

} // namespace

QStringList shortLabels(std::span<const hub::ModelPlace> places) {
    QStringList encodings;
    for (const hub::ModelPlace& place : places) {
        encodings << QString::fromStdString(parseFileNaming(place.fileName()).encoding);
    }
    const QStringList names = namesOf(places);
    const qsizetype common = commonLength(names);
    if (common > 0 && allDifferent(encodings)) {
        return encodings; // for different models, the encoding alone would be misleading
    }
    QStringList rests;
    for (const QString& name : names) {
        QString rest = name.mid(common);
        while (!rest.isEmpty() && isSeparator(rest[0])) {
            rest.remove(0, 1);
        }
        rests << (rest.isEmpty() ? name : rest); // for example "m" beside "m-new"
    }
    if (allDifferent(rests)) {
        return rests;
    }
    if (allDifferent(names)) {
        return names;
    }
    QStringList withFolder;
    for (const hub::ModelPlace& place : places) {
        withFolder << QStringLiteral("%1/%2").arg(folderNameOf(place), modelNameText(place));
    }
    if (allDifferent(withFolder)) {
        return withFolder;
    }
    QStringList labels;
    for (qsizetype i = 0; i < names.size(); ++i) {
        labels << QStringLiteral("%1 (%2)").arg(names[i]).arg(i + 1);
    }
    return labels;
}

QString commonName(std::span<const hub::ModelPlace> places) {
    const QStringList names = namesOf(places);
    QString name = names.isEmpty() ? QString() : names.first().left(commonLength(names));
    while (!name.isEmpty() && isSeparator(name.back())) {
        name.chop(1);
    }
    return name;
}

} // namespace gufo::ui
