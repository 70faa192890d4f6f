// The part of the verb convert that makes GGUF of a folder in Hugging Face's layout.
#pragma once

#include <filesystem>
#include <optional>

namespace gufo::cli {

class Console;
class Invocation;

// The folder that `in` means: itself, or the folder of a file of weights that has its configuration beside it. Nothing
// if `in` is neither, such as a GGUF file.
[[nodiscard]] std::optional<std::filesystem::path> folderToConvert(const std::filesystem::path& in);

int runConvertFolder(const std::filesystem::path& folder, const Invocation& invocation, Console& console);

} // namespace gufo::cli
