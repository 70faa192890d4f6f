// The naming convention of model files (GGUF specification, "GGUF Naming Convention"):
// Sidecar-BaseName-SizeLabel-FineTune-Version-Encoding-Type-Shard.gguf, all but the base name optional. Names outside
// the convention are taken apart as far as their words can be recognised ("mistral-7b-instruct-v0.2.Q4_K_M.gguf").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gufo {

struct FileNaming {
    std::string baseName;  // "Mixtral"; of other names whatever stands before the recognised parts
    std::string sizeLabel; // "8x7B", "0.5B", "30B-A3B"; empty if absent
    std::string fineTune;
    std::string version;  // "v1.0"
    std::string encoding; // "Q4_K_M"
    std::string type;     // "LoRA", "vocab"
    std::string sidecar;  // "mmproj", "mtp": a file that goes with a model
    std::optional<std::uint32_t> shard{};
    std::optional<std::uint32_t> shardCount{};
    bool conforms = false; // to the specification's expression, version included
};
[[nodiscard]] FileNaming parseFileNaming(std::string_view fileName);

// Parameters a size label stands for: "7B" 7e9, "8x7B" 56e9, "30B-A3B" 30e9; nothing if it is no size label. Letters of
// either case, except that thousands are "K" only: "4k" in a name is a context length.
[[nodiscard]] std::optional<double> sizeLabelParameters(std::string_view label);

} // namespace gufo
