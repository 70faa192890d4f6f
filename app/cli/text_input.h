// Texts that verbs read: arguments, files, standard input.
#pragma once

#include "cli/model_access.h"

#include <filesystem>
#include <string>

namespace gufo::cli {

// All of standard input. Errors: a failed read.
[[nodiscard]] Result<std::string> readStandardInput();
// A file of up to 64 MiB, also a pipe or a device; "-" is standard input. Errors are reported.
[[nodiscard]] Expected<std::string> readTextFile(const std::filesystem::path& path, Console& console);

} // namespace gufo::cli
