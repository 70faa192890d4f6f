// An adapter as PEFT writes it: what its configuration says that the adapter computes, and what each of its tensors is.
#pragma once

#include "convert/source_folder.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gufo::convert {

inline constexpr std::string_view kAdapterConfig = "adapter_config.json";

// The members of the configuration that determine what the adapter computes, and the members that become keys.
class PeftConfig {
public:
    // Errors: the errors of reading the file; NotSupported (Detail::NotAnAdapter: the file is missing; AdapterFeature:
    // the adapter is more than a product of two factors that is added to each matrix).
    [[nodiscard]] static Result<PeftConfig> read(const SourceFolder& adapter);

    // The alpha of a module: its product is multiplied by alpha / rank.
    [[nodiscard]] double alphaOf(std::string_view module, std::uint64_t rank) const;

    // The base model's identifier on the hub; empty if it is unknown.
    [[nodiscard]] const std::string& baseModel() const { return m_baseModel; }
    [[nodiscard]] const std::string& task() const { return m_task; }
    [[nodiscard]] const std::vector<std::uint32_t>& invocationTokens() const { return m_invocationTokens; }

private:
    PeftConfig() = default;

    double m_alpha = 0;
    bool m_rootOfRank = false;                            // the product is divided by the root of the rank (rsLoRA)
    std::vector<std::pair<std::string, double>> m_alphas; // of modules, by patterns
    std::string m_baseModel;
    std::string m_task;
    std::vector<std::uint32_t> m_invocationTokens;
};

// A module of the base model that the adapter changes, and its factors.
struct AdapterModule {
    std::string name;     // "model.layers.0.self_attn.q_proj"
    TensorIndex a{0};     // [inputs, rank]
    TensorIndex b{0};     // [rank, outputs]
    bool isTable = false; // a table of embeddings, whose inputs are tokens
};

// A tensor of a module that was trained whole (modules_to_save), and takes the place of the base model's.
struct SavedTensor {
    std::string name; // in the base model: "lm_head.weight"
    TensorIndex tensor{0};
};

struct AdapterTensors {
    std::vector<AdapterModule> modules;
    std::vector<SavedTensor> saved;
};

// Tells what the tensors are by the names that PEFT gives them, in the order of the file. Errors: NotSupported
// (Detail::NotAnAdapter: there is neither a factor nor a saved tensor; AdapterReplaces: there are tensors of other
// methods; PartMissing: a factor lacks its counterpart).
[[nodiscard]] Result<AdapterTensors> adapterTensors(const Model& adapter);

} // namespace gufo::convert
