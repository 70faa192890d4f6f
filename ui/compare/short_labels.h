// Short names that tell the models of a comparison apart: "Q5_K_M" and "Q3_K_M" for two files of one model.
#pragma once

#include <QString>
#include <QStringList>

#include <filesystem>
#include <span>

namespace gufo::ui {

// In the order of the paths, all different. The encoding in the names where that is enough; else what the names do not
// have in common; else the names with their folders, or numbered.
[[nodiscard]] QStringList shortLabels(std::span<const std::filesystem::path> paths);
// What the names have in common at their beginning, without separators at its end; empty if that is nothing.
[[nodiscard]] QString commonName(std::span<const std::filesystem::path> paths);

} // namespace gufo::ui
