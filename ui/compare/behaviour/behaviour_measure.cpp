#include "ui/compare/behaviour/behaviour_measure.h"

#include "inference/measuring/blame.h"
#include "model/tensor_role.h"
#include "ui/compare/trade_off/divergence_measure.h"
#include "ui/messages/error_text.h"
#include "ui/tools/measured_text.h"

#include <algorithm>
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
        break;
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
                           .refined = refined,
                           .fromOther = blame.shares[i].fromOther,
                           .restored = blame.shares[i].restored};
        for (const TensorIndex tensor : parts.parts[i].tensors) {
            part.tensors.emplace_back(reference.tensor(tensor).name);
            behaviour.partOf.insert_or_assign(part.tensors.back(), behaviour.parts.size());
        }
        behaviour.parts.push_back(std::move(part));
    }
}

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

Result<std::shared_ptr<const Behaviour>> swapAll(const BehaviourRequest& request, const inference::BlameText& text,
                                                 const JobContext& job) {
    const JobContext silent{.stop = job.stop, .progress = nullptr, .threads = job.threads};
    const Model& reference = *request.reference;
    const auto ignored = [](std::size_t, const inference::Blame&) {};
    auto result = std::make_shared<Behaviour>();
    const auto parts = GUFO_TRY(inference::blameParts(reference, *request.other, coarseOf(request.detail), {}, silent));
    const auto blame = GUFO_TRY(inference::blame(request.reference, request.other, text, parts, {}, ignored, job));
    result->total = blame.total;
    result->positions = text.scored();
    result->interactionFromOther = blame.interactionFromOther();
    result->interactionRestored = blame.interactionRestored();
    add(*result, reference, parts, blame, false);
    if (request.detail != BehaviourDetail::WorstBlocks) {
        return result;
    }
    const std::set<std::uint32_t> worst = worstBlocks(*result);
    const auto finer = GUFO_TRY(inference::blameParts(
        reference, *request.other, BlameBy::Tensor,
        [&worst](std::string_view tensor) {
            const auto block = parseTensorName(tensor).block;
            return block && worst.contains(*block);
        },
        silent));
    const auto refined = GUFO_TRY(inference::blame(request.reference, request.other, text, finer, {}, ignored, job));
    add(*result, reference, finer, refined, true);
    return result;
}

} // namespace

Result<BehaviourCost> behaviourCost(const Model& reference, const Model& other, BehaviourDetail detail,
                                    const JobContext& job) {
    const auto parts = GUFO_TRY(inference::blameParts(reference, other, coarseOf(detail), {}, job));
    BehaviourCost cost{.parts = parts.parts.size(), .runs = parts.runs()};
    if (detail == BehaviourDetail::WorstBlocks && parts.blocks > 0) {
        const auto tensors = GUFO_TRY(inference::blameParts(reference, other, BlameBy::Tensor, {}, job));
        const double share =
            static_cast<double>(std::min(kRefinedBlocks, parts.blocks)) / static_cast<double>(parts.blocks);
        cost.parts += static_cast<std::size_t>(share * static_cast<double>(tensors.parts.size()));
        cost.runs += share * tensors.runs();
    }
    return cost;
}

Result<MeasuredBehaviour> measureBehaviour(const BehaviourRequest& request, const JobContext& job) {
    if (const Measurable can = canMeasure(*request.other); !can) {
        return MeasuredBehaviour{.found = nullptr, .whyNot = can.error()};
    }
    const JobContext silent{.stop = job.stop, .progress = nullptr, .threads = job.threads};
    const auto held = holdFiles(*request.reference);
    const auto heldOther = holdFiles(*request.other);
    const auto tokenizer = GUFO_TRY(text::makeTokenizer(*request.reference, silent));
    if (const QString whyNot = GUFO_TRY(vocabularyProblem(*tokenizer, *request.other, silent)); !whyNot.isEmpty()) {
        return MeasuredBehaviour{.found = nullptr, .whyNot = whyNot};
    }
    const auto text = GUFO_TRY(textOf(request, *tokenizer, silent));
    auto found = swapAll(request, text, job);
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
