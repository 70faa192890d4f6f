// Writes comma-separated values according to RFC 4180: cells with a comma, a quote or a line break are quoted, and
// lines end with CR LF.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace gufo::ui {

[[nodiscard]] QString csvText(const QStringList& header, const QList<QStringList>& rows);
// A machine-readable number: 9 digits and a decimal point. Empty if there is no value.
[[nodiscard]] QString csvNumber(std::optional<double> value);

} // namespace gufo::ui
