// Compares a model that was just written with its source, by running both in lock step over a text (quantize --verify).
#pragma once

#include "cli/engine_options.h"
#include "inference/measuring/perplexity.h"
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
    // Runs the written model beside the original. Errors are printed.
    [[nodiscard]] Expected<void> run(const std::filesystem::path& written, Console& console);

    // What run() found.
    void print(Console& console) const;
    void write(ui::JsonWriter& json) const;

private:
    LoadedEngine m_original;
    inference::SessionOptions m_options;
    inference::PerplexitySettings m_settings;
    std::vector<TokenId> m_tokens;
    std::optional<double> m_expected;
    std::uint64_t m_scored = 0;
    inference::Divergence m_divergence;
};

} // namespace gufo::cli
