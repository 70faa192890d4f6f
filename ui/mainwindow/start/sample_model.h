// The small model that is shipped with the program (resources/sample).
#pragma once

#include <filesystem>

namespace gufo::ui {

// The path in the program's data folder, both when built and when installed. Empty if the file does not exist.
[[nodiscard]] std::filesystem::path sampleModelPath();

} // namespace gufo::ui
