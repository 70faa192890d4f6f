// The naming convention of model files (GGUF specification, "GGUF Naming Convention"):
// Sidecar-BaseName-SizeLabel-FineTune-Version-Encoding-Type-Shard.gguf, where everything but the base name is optional.
// Other names are split as far as their words can be recognised ("mistral-7b-instruct-v0.2.Q4_K_M.gguf").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gufo {

class Model;

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

// The name that a file should have by the convention, from what it contains: "Qwen3-8B-Instruct-v1.0-Q4_K_M.gguf". The
// parts come from general.basename, size_label, finetune and version, and where those are missing from general.name,
// the weights and the present name; a model without a version is assumed to be v1.0, as the convention says. Nothing if
// nothing names the model, and for kinds of files that the convention does not cover. A file of a set keeps its number.
[[nodiscard]] std::optional<std::string> suggestedFileName(const Model& model);

// A count of weights as size labels write it: "1.4M", "7B", "8x7B" for a model with experts.
[[nodiscard]] std::string sizeLabelOf(const Model& model);

} // namespace gufo
