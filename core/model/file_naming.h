// The naming convention of model files (GGUF specification, "GGUF Naming Convention"):
// Sidecar-BaseName-SizeLabel-FineTune-Version-Encoding-Type-Shard.gguf, where everything but the base name is optional.
// Other names are split as far as their words can be recognised ("mistral-7b-instruct-v0.2.Q4_K_M.gguf").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gufo {

struct FileNaming {
    std::string baseName;  // "Mixtral"; for other names, everything before the recognised parts
    std::string sizeLabel; // "8x7B", "0.5B", "30B-A3B"; empty if absent
    std::string fineTune;
    std::string version;  // "v1.0"
    std::string encoding; // "Q4_K_M"
    std::string type;     // "LoRA", "vocab"
    std::string sidecar;  // "mmproj", "mtp": the file accompanies a model
    std::optional<std::uint32_t> shard{};
    std::optional<std::uint32_t> shardCount{};
    bool conforms = false; // whether it matches the specification's regular expression, which requires a version
};
[[nodiscard]] FileNaming parseFileNaming(std::string_view fileName);

// The number of parameters that a size label denotes: "7B" is 7e9, "8x7B" 56e9, "30B-A3B" 30e9. Returns nothing for
// other text. Letter case does not matter, except that only "K" means thousands: "4k" in a name is a context length.
[[nodiscard]] std::optional<double> sizeLabelParameters(std::string_view label);

} // namespace gufo
