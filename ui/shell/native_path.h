// File names as the system has them: any bytes. Qt's strings cannot hold names that are not valid in the locale's
// encoding, so paths stay std::filesystem::path from the command line, a drop or the settings to core.
#pragma once

#include <QByteArray>
#include <QString>

#include <filesystem>
#include <vector>

class QMimeData;

namespace gufo::ui {

// The bytes of a path; on Windows, where names are UTF-16, as UTF-8.
[[nodiscard]] QByteArray pathBytes(const std::filesystem::path& path);
[[nodiscard]] std::filesystem::path pathFromBytes(const QByteArray& bytes);

// Printable and exact, for settings and sessions: percent-encoded where a byte is not plain ASCII.
[[nodiscard]] QString encodePath(const std::filesystem::path& path);
[[nodiscard]] std::filesystem::path decodePath(const QString& text);

// For Qt's own classes. Nothing is lost exactly if isQtPath().
[[nodiscard]] QString qtPath(const std::filesystem::path& path);
[[nodiscard]] std::filesystem::path fromQtPath(const QString& path);
[[nodiscard]] bool isQtPath(const std::filesystem::path& path);

// Against the current folder and without "." and ".."; links are not followed. Touches no file.
[[nodiscard]] std::filesystem::path absolutePath(const std::filesystem::path& path);

// Local files of a drop or the clipboard (text/uri-list, read byte by byte).
[[nodiscard]] std::vector<std::filesystem::path> pathsOf(const QMimeData& data);

// For people: the file's name, the folder with ~ for home, the name without .gguf.
[[nodiscard]] QString fileNameText(const std::filesystem::path& path);
[[nodiscard]] QString folderText(const std::filesystem::path& path);
[[nodiscard]] QString modelNameText(const std::filesystem::path& path);

} // namespace gufo::ui
