// Checks a planned file on a text that it was not planned with: how far its predictions diverge from the original's,
// beside the named mixes of the nearest sizes and other files of the model, in one pass over the text.
//
// Threads: any but the UI thread.
#pragma once

#include "inference/measuring/perplexity.h"
#include "quantize/plan_file.h"
#include "quantize/preset_models.h"

#include <QString>

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace gufo::ui {

// A file in the picture of size against divergence.
struct SizedFile {
    enum class Kind : std::uint8_t { Plan, Mix, File };
    Kind kind = Kind::Mix;
    QString name;
    std::uint64_t bytes = 0;
    std::optional<double> expected{}; // KL divergence from the original, in nats
    std::optional<inference::Divergence> measured{};
    double tokensPerSecond = 0; // when it generates; 0: not measured
    QString whyNot{};           // a sentence: why it was not measured

    [[nodiscard]] std::optional<double> nats() const {
        return measured ? std::optional(measured->nats.mean) : std::nullopt;
    }
};

// The expected loss of a file, by the costs of its tensors; nothing if the cost of one is not known.
[[nodiscard]] std::optional<double> expectedLoss(const CostTable& costs, const QuantizePlan& file);
// All named mixes, with their expected figures. Errors: the errors of presetFiles().
[[nodiscard]] Result<std::vector<SizedFile>> sizedMixes(const Model& model, const CostTable& costs,
                                                        const QuantizeRequest& request, const JobContext& job);

struct PlanCheckRequest {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const CostTable> costs;
    std::shared_ptr<const RecipeOutcome> plan;
    std::filesystem::path written{};             // the file of the plan; empty: its weights are made in memory
    std::vector<std::filesystem::path> others{}; // other open models; models with other tensors are left out
    std::filesystem::path text;                  // held out
};
// The first one is the plan. Files that would not fit into the memory that is free, or that cannot run, say why they
// were not measured. Progress counts tokens of the text. Errors: the errors of reading the text and of running the
// original; Cancelled.
[[nodiscard]] Result<std::vector<SizedFile>> checkPlan(const PlanCheckRequest& request, const JobContext& job);

} // namespace gufo::ui
