// Plans the keys general.* that describe a model to people and set the defaults of sampling: from the name of its
// folder, the front matter of README.md, config.json and generation_config.json.
#pragma once

#include "convert/source_folder.h"
#include "convert/vocabulary/key_list.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::convert {

// The weights of the tensors that will be written, from which the label of a model's size is made.
struct ParameterCounts {
    std::uint64_t total = 0;
    std::uint64_t shared = 0;    // of tensors without experts, and of biases
    std::uint64_t perExpert = 0; // of one expert of each tensor
    std::uint64_t expertSum = 0; // experts of all tensors that have experts
    std::uint64_t expertTensors = 0;

    // Counts a tensor by its name and shape as GGUF writes them, with the fastest dimension first.
    void add(std::string_view name, std::span<const std::uint64_t> shape);
    [[nodiscard]] std::uint64_t experts() const { return expertTensors == 0 ? 0 : expertSum / expertTensors; }
};
// "71K", "1.5B", "8x7B"
[[nodiscard]] std::string sizeLabel(const ParameterCounts& counts);

// The parts of a model's name, such as "Mistral-7B-Instruct-v0.2"; empty where it has none.
struct NameParts {
    std::string organization;
    std::string name; // without the organisation, as it is
    std::string basename;
    std::string finetune;
    std::string version;
    std::string sizeLabel;
};
// A size that is far from `parameters` (0: unknown) is taken for the length of a context.
[[nodiscard]] NameParts namePartsOf(std::string_view id, std::uint64_t parameters);
// "tiny-llama-v2" → "Tiny Llama v2"
[[nodiscard]] std::string titleOf(std::string_view id);

struct GeneralOptions {
    std::optional<std::string> name{}; // instead of the one that is found
    ParameterCounts parameters{};
    std::string_view kind = "model"; // general.type
    // The identifier of the base model, for sources whose model card names none, and the file and member that state it.
    std::string baseModel{};
    std::string baseModelFrom{};
};
// general.type to general.languages, in the order in which the official converter writes them. Those that belong to
// the architecture and the types of tensors (general.architecture, .file_type, .quantization_version, .alignment) are
// not among them. A README.md or generation_config.json that cannot be read is left out.
[[nodiscard]] std::vector<PlannedKey> planGeneralKeys(const SourceFolder& source, const GeneralOptions& options);

} // namespace gufo::convert
