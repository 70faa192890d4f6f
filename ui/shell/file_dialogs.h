// What the program's file dialogs share: the folder that they begin in, which is the last one that the user chose for
// an export or for an import, and the names of exports. A name gets the suffix of its format, so that a file never
// claims to be something else.
#pragma once

#include <QString>

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

class QWidget;

class QFileDialog;

namespace gufo::ui {

struct ExportKind {
    QString filter; // "HTML page (*.html)"
    QString suffix; // ".html"
};

// A name as the user typed it, and the kind to write: that whose suffix the name has, or otherwise `proposed`, whose
// suffix is added. "report" and "a-2.5-7B comparison" have no suffix of any kind.
struct ExportName {
    QString name;
    std::size_t kind;
    bool operator==(const ExportName&) const = default;
};
[[nodiscard]] ExportName exportName(const QString& typed, std::span<const ExportKind> kinds, std::size_t proposed);

// Opens a file dialog over the window of `widget`. It begins in the folder of the last export and proposes `fileName`,
// which ends with the suffix of its kind. If adding a suffix leads to a file that exists, the user is asked once more.
void askExportPath(QWidget& widget, const QString& title, const QString& fileName, std::vector<ExportKind> kinds,
                   std::size_t proposed, std::function<void(const std::filesystem::path& path, std::size_t kind)> then);

enum class FolderFor { Exports, Imports };

// Lets the dialog begin there, and remembers what the user chooses. Must precede selectFile().
void rememberFolder(QFileDialog& dialog, FolderFor purpose);
// The same for dialogs that run at once: where to begin, with a proposed file name, and what to remember.
[[nodiscard]] QString beginIn(FolderFor purpose, const QString& fileName = {});
void rememberChosen(FolderFor purpose, const QString& path);

} // namespace gufo::ui
