// The small model that comes with the program (resources/sample), so that there is something to look at.
#pragma once

#include <filesystem>

namespace gufo::ui {

// In the data folder beside the program's, as built or as installed; empty if it is not there.
[[nodiscard]] std::filesystem::path sampleModelPath();

} // namespace gufo::ui
