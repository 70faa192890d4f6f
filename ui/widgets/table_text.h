// Rows of cells as text for the clipboard: aligned text, tab-separated values, or a Markdown table.
#pragma once

#include <QStringList>

class QAbstractItemView;

namespace gufo::ui {

enum class CopyFormat { Text, Tsv, Markdown };

// Tabs and line breaks within cells become spaces in TSV and text; in Markdown the bar is escaped.
[[nodiscard]] QString tableText(CopyFormat format, const QStringList& header, const QList<QStringList>& rows);

// The rows that are selected in a view, or all of them when none is; hidden columns are left out. The first
// kMaxCopiedRows only (copying happens on the UI thread and has 50 ms): a last line says how many were left out.
inline constexpr int kMaxCopiedRows = 2'000;
[[nodiscard]] QString viewText(const QAbstractItemView& view, CopyFormat format);

} // namespace gufo::ui
