// Formats rows of cells for the clipboard: aligned text, tab-separated values, or a Markdown table.
#pragma once

#include <QString>
#include <QStringList>
#include <Qt>

class QAbstractItemView;

namespace gufo::ui {

enum class CopyFormat { Text, Tsv, Markdown };

// In TSV and aligned text, tabs and line breaks in cells become spaces; in Markdown, bars are escaped.
[[nodiscard]] QString tableText(CopyFormat format, const QStringList& header, const QList<QStringList>& rows);

// The selected rows of a view, or all rows if none is selected, without hidden columns. Limited to the first
// kMaxCopiedRows, because copying happens on the UI thread within 50 ms; a last line says how many rows were left out.
inline constexpr int kMaxCopiedRows = 2'000;
[[nodiscard]] QString viewText(const QAbstractItemView& view, CopyFormat format);

// Tables show figures rounded, with a typographic minus and separators; copies as TSV or Markdown contain them in full
// and in ASCII, so that they can be pasted. This is the role of the value that a cell shows rounded: a number, or a
// text. Without it, copies contain the displayed text, in right-aligned cells with the signs replaced.
inline constexpr int kExactRole = Qt::UserRole + 110;

// As many digits as distinguish the value.
[[nodiscard]] QString exactText(double value);
[[nodiscard]] QString exactText(float value);
// A displayed figure: "−1,234.5 dB" becomes "-1234.5 dB".
[[nodiscard]] QString plainFigure(QString text);

} // namespace gufo::ui
