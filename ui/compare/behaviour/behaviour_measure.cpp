#include "ui/compare/behaviour/behaviour_measure.h"

#include "inference/measuring/blame.h"
#include "model/tensor_role.h"
#include "ui/compare/trade_off/divergence_measure.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/tools/measured_text.h"

#include <algorithm>
#include <functional>
#include <set>

namespace gufo::ui {
namespace {

using inference::BlameBy;

constexpr std::size_t kWindow = 512;
constexpr std::uint64_t kLeastTrained = 4; // of a model that makes sense
constexpr std::size_t kRefinedBlocks = 3;

BlameBy coarseOf(BehaviourDetail detail) {
    switch (detail) {
    case BehaviourDetail::Blocks:
    case BehaviourDetail::WorstBlocks:
    case BehaviourDetail::ChosenBlock:
        break;
    case BehaviourDetail::Experts:
        return BlameBy::Expert;
    case BehaviourDetail::Roles:
        return BlameBy::Role;
    case BehaviourDetail::Tensors:
        return BlameBy::Tensor;
    }
    return BlameBy::Block;
}

// A save in place would unmap the files of a model that runs.
std::vector<std::shared_ptr<const void>> holdFiles(const Model& model) {
    std::vector<std::shared_ptr<const void>> held;
    for (const ModelFile& file : model.files) {
        if (file.source != nullptr) {
            held.push_back(file.source->hold());
        }
    }
    return held;
}

Result<> damageOf(const Model& model) {
    for (const ModelFile& file : model.files) {
        if (const auto damage = file.source != nullptr ? file.source->damage() : std::nullopt) {
            return std::unexpected(*damage);
        }
    }
    return {};
}

Result<inference::BlameText> textOf(const BehaviourRequest& request, const text::Tokenizer& tokenizer,
                                    const JobContext& job) {
    if (!request.text.tokens.empty()) {
        return inference::BlameText{.tokens = request.text.tokens, .firstScored = request.text.tokens.size() - 1};
    }
    const Metadata& keys = request.reference->metadata;
    const auto trained = keys.uint(keys.architectureKey("context_length"));
    const std::size_t window =
        trained && *trained >= kLeastTrained ? std::min<std::size_t>(kWindow, *trained) : kWindow;
    const TextTokens tokens = GUFO_TRY(tokensOfFile(request.text.file, tokenizer, job));
    auto text = inference::blameText(tokens.ids, window, tokens.bos, {});
    return text ? Result<inference::BlameText>(std::move(*text))
                : std::unexpected(std::move(text.error()).in(request.text.file));
}

// Adds the parts of one map. Those of a later map are refinements.
void add(Behaviour& behaviour, const Model& reference, const inference::BlameParts& parts,
         const inference::Blame& blame, bool refined) {
    for (std::size_t i = 0; i < parts.parts.size(); ++i) {
        BehaviourPart part{.name = parts.parts[i].name,
                           .tensors = {},
                           .expert = parts.parts[i].expert,
                           .refined = refined,
                           .fromOther = blame.shares[i].fromOther,
                           .restored = blame.shares[i].restored};
        for (const TensorIndex tensor : parts.parts[i].tensors) {
            part.tensors.emplace_back(reference.tensor(tensor).name);
        }
        behaviour.add(std::move(part));
    }
}

// Chooses the tensors of some blocks.
std::function<bool(std::string_view)> ofBlocks(std::set<std::uint32_t> blocks) {
    return [blocks = std::move(blocks)](std::string_view tensor) {
        const auto block = parseTensorName(tensor).block;
        return block && blocks.contains(*block);
    };
}

bool refines(const BehaviourRequest& request) {
    return request.detail == BehaviourDetail::ChosenBlock && request.known != nullptr;
}

bool isByTensor(const Behaviour& behaviour, std::uint32_t block) {
    return std::ranges::any_of(behaviour.parts, [block](const BehaviourPart& part) {
        return part.name == part.tensors.front() && parseTensorName(part.name).block == block;
    });
}

void ignoreShares(std::size_t /*part*/, const inference::Blame& /*soFar*/) {}

std::set<std::uint32_t> worstBlocks(const Behaviour& behaviour) {
    std::vector<const BehaviourPart*> parts;
    for (const BehaviourPart& part : behaviour.parts) {
        if (parseTensorName(part.tensors.front()).block) {
            parts.push_back(&part);
        }
    }
    std::ranges::sort(parts, std::greater(),
                      [](const BehaviourPart* part) { return part->fromOther + part->restored; });
    std::set<std::uint32_t> blocks;
    for (std::size_t i = 0; i < std::min(parts.size(), kRefinedBlocks); ++i) {
        blocks.insert(*parseTensorName(parts[i]->tensors.front()).block);
    }
    return blocks;
}

// The states of all blocks, and the parts that are swapped first.
Result<Behaviour> swapCoarse(const BehaviourRequest& request, const inference::BlameText& text,
                             const text::Tokenizer& tokenizer, const JobContext& job) {
    const JobContext silent = job.silent();
    const auto parts =
        GUFO_TRY(inference::blameParts(*request.reference, *request.other, coarseOf(request.detail), {}, silent));
    Behaviour result;
    for (const TokenId token : text.tokens) {
        result.tokens << displayText(tokenizer.bytesOf(token));
    }
    result.layers = GUFO_TRY(inference::layerDistances(request.reference, request.other, text, {}, job));
    const auto blame = GUFO_TRY(inference::blame(request.reference, request.other, text, parts, {}, ignoreShares, job));
    result.total = blame.total;
    result.positions = text.scored();
    result.interactionFromOther = blame.interactionFromOther();
    result.interactionRestored = blame.interactionRestored();
    add(result, *request.reference, parts, blame, false);
    return result;
}

Result<std::shared_ptr<const Behaviour>> swapAll(const BehaviourRequest& request, const inference::BlameText& text,
                                                 const text::Tokenizer& tokenizer, const JobContext& job) {
    const JobContext silent = job.silent();
    auto result = std::make_shared<Behaviour>(refines(request) ? *request.known
                                                               : GUFO_TRY(swapCoarse(request, text, tokenizer, job)));
    std::set<std::uint32_t> blocks;
    if (request.detail == BehaviourDetail::WorstBlocks) {
        blocks = worstBlocks(*result);
    } else if (request.detail == BehaviourDetail::ChosenBlock && !isByTensor(*result, request.block)) {
        blocks = {request.block};
    }
    if (blocks.empty()) {
        return result;
    }
    const auto finer = GUFO_TRY(inference::blameParts(*request.reference, *request.other, BlameBy::Tensor,
                                                      ofBlocks(std::move(blocks)), silent));
    const auto refined =
        GUFO_TRY(inference::blame(request.reference, request.other, text, finer, {}, ignoreShares, job));
    add(*result, *request.reference, finer, refined, true);
    return result;
}

} // namespace

Result<BehaviourCost> behaviourCost(const BehaviourRequest& request, const JobContext& job) {
    constexpr double kStates = 2; // runs by which the states of both files are compared
    BehaviourCost cost;
    std::size_t blocks = 0;
    if (!refines(request)) {
        const auto parts =
            GUFO_TRY(inference::blameParts(*request.reference, *request.other, coarseOf(request.detail), {}, job));
        blocks = parts.blocks;
        cost = {.parts = parts.parts.size(), .runs = parts.runs() + kStates};
    }
    const bool isChosen = request.detail == BehaviourDetail::ChosenBlock;
    if (isChosen || (request.detail == BehaviourDetail::WorstBlocks && blocks > 0)) {
        const auto tensors = GUFO_TRY(inference::blameParts(*request.reference, *request.other, BlameBy::Tensor,
                                                            isChosen ? ofBlocks({request.block}) : nullptr, job));
        const double share =
            isChosen ? 1 : static_cast<double>(std::min(kRefinedBlocks, blocks)) / static_cast<double>(blocks);
        cost.parts += static_cast<std::size_t>(share * static_cast<double>(tensors.parts.size()));
        cost.runs += share * tensors.runs();
    }
    return cost;
}

Result<MeasuredBehaviour> measureBehaviour(const BehaviourRequest& request, const JobContext& job) {
    if (const Measurable can = canMeasure(*request.other); !can) {
        return MeasuredBehaviour{.found = nullptr, .whyNot = can.error()};
    }
    const JobContext silent = job.silent();
    const auto held = holdFiles(*request.reference);
    const auto heldOther = holdFiles(*request.other);
    const auto tokenizer = GUFO_TRY(text::makeTokenizer(*request.reference, silent));
    if (const QString whyNot = GUFO_TRY(vocabularyProblem(*tokenizer, *request.other, silent)); !whyNot.isEmpty()) {
        return MeasuredBehaviour{.found = nullptr, .whyNot = whyNot};
    }
    const auto text = GUFO_TRY(textOf(request, *tokenizer, silent));
    auto found = swapAll(request, text, *tokenizer, job);
    GUFO_TRY(damageOf(*request.reference));
    if (const auto damage = damageOf(*request.other); !damage) {
        found = std::unexpected(damage.error());
    }
    if (!found && found.error().code == ErrorCode::Cancelled) {
        return std::unexpected(found.error());
    }
    if (!found) {
        return MeasuredBehaviour{.found = nullptr, .whyNot = errorLine(found.error())};
    }
    return MeasuredBehaviour{.found = std::move(*found)};
}

} // namespace gufo::ui
