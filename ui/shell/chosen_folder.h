// The folder that file dialogs begin in: the last one that the user chose for an export, or for an import.
#pragma once

#include <QString>

class QFileDialog;

namespace gufo::ui {

enum class FolderFor { Exports, Imports };

// Lets the dialog begin there, and remembers what the user chooses. Must precede selectFile().
void rememberFolder(QFileDialog& dialog, FolderFor purpose);
// The same for dialogs that run at once: where to begin, with a proposed file name, and what to remember.
[[nodiscard]] QString beginIn(FolderFor purpose, const QString& fileName = {});
void rememberChosen(FolderFor purpose, const QString& path);

} // namespace gufo::ui
