// Comma-separated values as RFC 4180 has them: quoted where a cell has a comma, a quote or a line break; CR LF.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace gufo::ui {

[[nodiscard]] QString csvText(const QStringList& header, const QList<QStringList>& rows);
// A number for a machine: 9 digits, a point; empty for nothing.
[[nodiscard]] QString csvNumber(std::optional<double> value);

} // namespace gufo::ui
