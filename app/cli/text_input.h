// Reads the texts that verbs work on from arguments, files and standard input.
#pragma once

#include "cli/model_access.h"

#include <filesystem>
#include <string>

namespace gufo::cli {

// Reads all of standard input. Errors: a failed read.
[[nodiscard]] Result<std::string> readStandardInput();
// Reads a file of up to 64 MiB, which may be a pipe or a device; "-" is standard input. Errors are printed.
[[nodiscard]] Expected<std::string> readTextFile(const std::filesystem::path& path, Console& console);

} // namespace gufo::cli
