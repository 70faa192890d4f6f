#include "ui/messages/json_problem.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace gufo::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::JsonProblem)
};

} // namespace

std::optional<QString> jsonProblem(const QString& json, JsonKind kind) {
    const QByteArray bytes = json.toUtf8();
    QJsonParseError error{};
    // Qt's parser accepts no bare value as a document, but accepts it in a list.
    const QJsonDocument document = QJsonDocument::fromJson(kind == JsonKind::List ? bytes : "[" + bytes + "]", &error);
    if (error.error != QJsonParseError::NoError) {
        const qsizetype at = std::clamp<qsizetype>(error.offset - (kind == JsonKind::List ? 0 : 1), 0, bytes.size());
        const QByteArray before = bytes.left(at);
        const auto column = QString::fromUtf8(before.mid(before.lastIndexOf('\n') + 1)).size() + 1;
        return Words::tr("Line %1, column %2: %3").arg(before.count('\n') + 1).arg(column).arg(error.errorString());
    }
    if (kind == JsonKind::List ? !document.isArray() : document.array().size() != 1) {
        return kind == JsonKind::List ? Words::tr("This must be a list: [ … ]")
                                      : Words::tr("This must be a single value");
    }
    return std::nullopt;
}

} // namespace gufo::ui
