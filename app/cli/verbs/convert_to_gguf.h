// The part of the verb convert that writes GGUF files from other sources: folders in Hugging Face's layout, adapters,
// and files in the formats before GGUF.
#pragma once

#include <filesystem>

namespace gufo::cli {

class Console;
class Invocation;

// Whether `in` is a folder with weights of another container than GGUF, or a file of such weights that has its
// configuration beside it.
[[nodiscard]] bool isConvertedToGguf(const std::filesystem::path& in);

// Converts what openConversionSource() opens.
int runConvertToGguf(const std::filesystem::path& in, const Invocation& invocation, Console& console);
// The same for a file from before GGUF, to which not all options apply.
int runConvertLegacy(const Invocation& invocation, Console& console);

} // namespace gufo::cli
