// Reads the texts that verbs work on from arguments, files and standard input.
#pragma once

#include "cli/model_access.h"

#include <QString>

#include <filesystem>
#include <string>
#include <string_view>

namespace gufo::cli {

// Reads all of standard input. Errors: a failed read.
[[nodiscard]] Result<std::string> readStandardInput();
// Reads a file of up to 64 MiB, which may be a pipe or a device; "-" is standard input. Errors are printed.
[[nodiscard]] Expected<std::string> readTextFile(const std::filesystem::path& path, Console& console);

// Command-line text that keeps its bytes. Arguments need not be UTF-8 (file names are arbitrary bytes), but Qt's parser
// takes QString. Each byte that is not part of valid UTF-8 is represented by the lone surrogate U+DC00 + byte, which no
// valid text contains.
[[nodiscard]] QString fromNative(std::string_view bytes);
// Returns the bytes that were passed to fromNative().
[[nodiscard]] std::string toNative(const QString& text);

} // namespace gufo::cli
