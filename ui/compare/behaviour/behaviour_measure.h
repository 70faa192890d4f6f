// Measures which tensors of a file make it answer differently from the reference, by swapping them over a text.
//
// Threads: any but the UI thread.
#pragma once

#include "base/job_context.h"
#include "model/index.h"
#include "model/model.h"
#include "ui/report/behaviour.h"

#include <QString>

#include <filesystem>
#include <memory>

namespace gufo::ui {

// What is swapped together. ChosenBlock refines what was measured before by the tensors of one block.
enum class BehaviourDetail : std::uint8_t { Blocks, WorstBlocks, ChosenBlock, Roles, Tensors, Experts };

// A text, or the tokens that lead to a single prediction.
struct BehaviourText {
    std::filesystem::path file{};
    std::vector<TokenId> tokens{}; // if there are any, only the prediction after the last one counts
    QString title{};               // in figures and exports

    [[nodiscard]] bool isEmpty() const { return file.empty() && tokens.empty(); }
    bool operator==(const BehaviourText&) const = default;
};

struct BehaviourRequest {
    std::shared_ptr<const Model> reference;
    std::shared_ptr<const Model> other;
    BehaviourText text;
    BehaviourDetail detail = BehaviourDetail::Blocks;
    std::uint32_t block = 0;                          // of ChosenBlock
    std::shared_ptr<const Behaviour> known = nullptr; // over the same text, for ChosenBlock to refine
};

struct BehaviourCost {
    std::size_t parts = 0;
    double runs = 0; // of the text, each as long as a run of one file
};
// Reads the tensors of equal types to find out which differ. With WorstBlocks, it is an estimate. Errors: the errors of
// inference::blameParts().
[[nodiscard]] Result<BehaviourCost> behaviourCost(const BehaviourRequest& request, const JobContext& job);

struct MeasuredBehaviour {
    std::shared_ptr<const Behaviour> found; // null if `other` cannot be measured
    QString whyNot{};                       // a sentence; empty otherwise
};
// At most the first 512 tokens of a text are evaluated, and the second half of them is scored. Progress begins anew
// after the states of all blocks were compared, and where blocks are refined. Errors: the errors of tokensOfFile(),
// makeTokenizer(), inference::blameText() and inference::blame(); Cancelled. What prevents only `other` from running is
// no error.
[[nodiscard]] Result<MeasuredBehaviour> measureBehaviour(const BehaviourRequest& request, const JobContext& job);

} // namespace gufo::ui
