// Short names that distinguish the models of a comparison: "Q5_K_M" and "Q3_K_M" for two files of one model.
#pragma once

#include <QString>
#include <QStringList>

#include <filesystem>
#include <span>

namespace gufo::ui {

// Returns distinct labels in the order of the paths: the encodings in the names if these suffice; otherwise the
// differing parts of the names; otherwise the names with folders or numbers.
[[nodiscard]] QStringList shortLabels(std::span<const std::filesystem::path> paths);
// The common prefix of the names without trailing separators; may be empty.
[[nodiscard]] QString commonName(std::span<const std::filesystem::path> paths);

} // namespace gufo::ui
