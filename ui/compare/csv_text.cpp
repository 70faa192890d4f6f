#include "ui/compare/csv_text.h"

#include "ui/widgets/table_text.h"

#include <cmath>

namespace gufo::ui {
namespace {

QString line(const QStringList& cells) {
    QStringList quoted;
    for (QString cell : cells) {
        if (cell.contains(u',') || cell.contains(u'"') || cell.contains(u'\n') || cell.contains(u'\r')) {
            cell = u'"' + cell.replace(u'"', QStringLiteral("\"\"")) + u'"';
        }
        quoted << cell;
    }
    return quoted.join(u',') + QStringLiteral("\r\n");
}

} // namespace

QString csvText(const QStringList& header, const QList<QStringList>& rows) {
    QString text = line(header);
    for (const QStringList& row : rows) {
        text += line(row);
    }
    return text;
}

QString csvNumber(std::optional<double> value) {
    return value && std::isfinite(*value) ? exactText(*value) : QString();
}

} // namespace gufo::ui
