// Formats rows of cells for the clipboard: aligned text, tab-separated values, or a Markdown table.
#pragma once

#include <QStringList>

class QAbstractItemView;

namespace gufo::ui {

enum class CopyFormat { Text, Tsv, Markdown };

// In TSV and aligned text, tabs and line breaks in cells become spaces; in Markdown, bars are escaped.
[[nodiscard]] QString tableText(CopyFormat format, const QStringList& header, const QList<QStringList>& rows);

// The selected rows of a view, or all rows if none is selected, without hidden columns. Limited to the first
// kMaxCopiedRows, because copying happens on the UI thread within 50 ms; a last line says how many rows were left out.
inline constexpr int kMaxCopiedRows = 2'000;
[[nodiscard]] QString viewText(const QAbstractItemView& view, CopyFormat format);

} // namespace gufo::ui
