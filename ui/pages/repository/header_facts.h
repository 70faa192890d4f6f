// What the list of a repository shows of a model, from its header alone.
#pragma once

#include "model/model.h"

#include <QString>

#include <optional>
#include <string>

namespace gufo::ui {

struct HeaderFacts {
    QString architecture;
    std::uint64_t weights = 0;
    std::optional<double> bitsPerWeight{};
    QString types;                         // "Q4_K 71 %, Q6_K 29 %", the most bytes first
    std::optional<std::uint64_t> memory{}; // to run, see memoryToRun(); nothing for other files than models
    std::string chatTemplate;              // empty if there is none
};

// Visits each tensor, so it must not be called on the UI thread.
[[nodiscard]] HeaderFacts headerFacts(const std::shared_ptr<const Model>& model);

} // namespace gufo::ui
