// The naming convention of model files (GGUF specification, "GGUF Naming Convention"):
// BaseName-SizeLabel-FineTune-Version-Encoding-Type-Shard.gguf, all but the base name optional.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gufo {

struct FileNaming {
    std::string baseName;
    std::string sizeLabel; // "8x7B", "0.5B"; empty if absent
    std::string fineTune;
    std::string version;  // "v1.0"
    std::string encoding; // "Q4_K_M"
    std::string type;     // "LoRA", "vocab"
    std::optional<std::uint32_t> shard{};
    std::optional<std::uint32_t> shardCount{};
    bool conforms = false; // to the specification's expression, version included
};
[[nodiscard]] FileNaming parseFileNaming(std::string_view fileName);

// Parameters a size label stands for: "7B" 7e9, "8x7B" 56e9, "494M"; nothing if it is no size label.
[[nodiscard]] std::optional<double> sizeLabelParameters(std::string_view label);

} // namespace gufo
