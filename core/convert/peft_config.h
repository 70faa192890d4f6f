// The configuration of an adapter that PEFT has trained, adapter_config.json: the members that determine what the
// adapter computes, and the members that become keys.
#pragma once

#include "convert/source_folder.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gufo::convert {

inline constexpr std::string_view kAdapterConfig = "adapter_config.json";

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

} // namespace gufo::convert
