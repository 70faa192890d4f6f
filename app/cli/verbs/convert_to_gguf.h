// The part of the verb convert that writes GGUF files from other sources: folders in Hugging Face's layout, adapters,
// and files in the formats before GGUF.
#pragma once

#include <filesystem>
#include <optional>

namespace gufo::cli {

class Console;
class Invocation;

// The folder that `in` means: itself, or the folder of a file of weights that has its configuration beside it. Nothing
// if `in` is neither, such as a GGUF file.
[[nodiscard]] std::optional<std::filesystem::path> folderToConvert(const std::filesystem::path& in);

// Converts what openConversionSource() opens.
int runConvertToGguf(const std::filesystem::path& in, const Invocation& invocation, Console& console);
// The same for a file from before GGUF, to which not all options apply.
int runConvertLegacy(const Invocation& invocation, Console& console);

} // namespace gufo::cli
