// File names as the system represents them: arbitrary bytes. Qt's strings cannot hold names that are invalid in the
// locale's encoding, so paths remain std::filesystem::path from the command line, drops or settings to core.
#pragma once

#include <QByteArray>
#include <QString>

#include <filesystem>

namespace gufo::ui {

// The bytes of a path; in UTF-8 on Windows, where names are UTF-16.
[[nodiscard]] QByteArray pathBytes(const std::filesystem::path& path);
[[nodiscard]] std::filesystem::path pathFromBytes(const QByteArray& bytes);

// A printable and exact form for settings and sessions, with non-ASCII bytes percent-encoded.
[[nodiscard]] QString encodeBytes(const QByteArray& bytes);
[[nodiscard]] QByteArray decodeBytes(const QString& text);
[[nodiscard]] QString encodePath(const std::filesystem::path& path);
[[nodiscard]] std::filesystem::path decodePath(const QString& text);

// For Qt's own classes. The conversion is lossless if and only if isQtPath() returns true.
[[nodiscard]] QString qtPath(const std::filesystem::path& path);
[[nodiscard]] std::filesystem::path fromQtPath(const QString& path);
[[nodiscard]] bool isQtPath(const std::filesystem::path& path);

// Resolves a path against the current folder and removes "." and ".."; links are not followed.
[[nodiscard]] std::filesystem::path absolutePath(const std::filesystem::path& path);

// For display: the file's name, and the name without its model suffix (.gguf). The path may also be what Model::path()
// is for a model on a server: its address. For places of models, see places.h.
[[nodiscard]] QString fileNameText(const std::filesystem::path& path);
[[nodiscard]] QString modelNameText(const std::filesystem::path& path);

} // namespace gufo::ui
