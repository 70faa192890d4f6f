// Compares a model that was just written with its source, by running both in lock step over a text (quantize --verify).
// The named mixes of the nearest sizes, which are quantised in memory, run beside them in the same pass.
#pragma once

#include "cli/engine_options.h"
#include "inference/measuring/perplexity.h"
#include "quantize/quantize_model.h"
#include "ui/report/json_writer.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gufo::cli {

class Verification {
public:
    // Reads the text ("-" is standard input) and loads the original, so that nothing is written if that fails.
    // `expected` is the KL divergence that a plan predicted. Errors are printed.
    [[nodiscard]] static Expected<Verification> prepare(const std::filesystem::path& original, const std::string& text,
                                                        std::optional<double> expected, Console& console);
    // Runs the written model, which `request` and `plan` describe, beside the original. Errors are printed.
    [[nodiscard]] Expected<void> run(const std::filesystem::path& written, const QuantizeRequest& request,
                                     const QuantizePlan& plan, Console& console);

    // What run() found.
    void print(Console& console) const;
    void write(ui::JsonWriter& json) const;

private:
    struct Preset {
        std::string name;
        std::uint64_t fileBytes;
        inference::Divergence divergence{};
    };
    // Quantises the mixes of the nearest sizes, as far as they fit into memory, and adds a session for each.
    [[nodiscard]] Result<> addPresets(const QuantizeRequest& request, const QuantizePlan& plan,
                                      std::vector<std::unique_ptr<inference::Session>>& sessions,
                                      const JobContext& job);

    LoadedEngine m_original;
    inference::SessionOptions m_options;
    inference::PerplexitySettings m_settings;
    std::vector<TokenId> m_tokens;
    std::optional<double> m_expected;
    std::uint64_t m_scored = 0;
    std::uint64_t m_fileBytes = 0;
    inference::Divergence m_divergence;
    std::vector<Preset> m_presets;
    std::vector<std::string> m_tooLarge; // mixes that do not fit into memory
};

} // namespace gufo::cli
