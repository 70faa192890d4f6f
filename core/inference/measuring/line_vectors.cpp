#include "inference/measuring/line_vectors.h"

#include "base/detail.h"
#include "inference/engine/gufo_engine.h"
#include "inference/prompts/prompt_tokens.h"
#include "text/tokenizer/tokenizer.h"

#include <algorithm>
#include <numeric>

namespace gufo::inference {
namespace {

struct LineTokens {
    std::vector<std::vector<TokenId>> ids{};
    std::optional<LineProblem> problem{};
};

Result<LineTokens> tokensOfLines(const Model& model, const LineRequest& request, Pooling pooling,
                                 const JobContext& job) {
    const auto tokenizer = GUFO_TRY(text::makeTokenizer(model, {.stop = job.stop}));
    const std::optional<std::uint64_t> maximum = longestText(model);
    LineTokens result;
    for (std::size_t i = 0; i < request.texts.size(); ++i) {
        auto ids = pooling == Pooling::Rank
                       ? rankingTokens(*tokenizer, model, request.query, request.texts[i], {.stop = job.stop})
                       : embeddingTokens(*tokenizer, request.texts[i], {.stop = job.stop});
        if (!ids) {
            if (ids.error().code == ErrorCode::Cancelled) {
                return std::unexpected(std::move(ids.error()));
            }
            if (!result.problem) {
                result.problem = LineProblem{.line = i, .error = std::move(ids.error())};
            }
            return result;
        }
        if (maximum && ids->size() > *maximum) {
            if (result.problem) {
                ++result.problem->others;
            } else {
                result.problem = LineProblem{.line = i,
                                             .tokens = ids->size(),
                                             .limit = *maximum,
                                             .others = 0,
                                             .error = {.code = ErrorCode::LimitExceeded}};
            }
        }
        result.ids.push_back(std::move(*ids));
    }
    return result;
}

// The text that caused an error; nothing if no text did.
std::optional<LineProblem> problemOf(const Error& error, const std::vector<std::vector<TokenId>>& texts,
                                     std::size_t longest) {
    const auto causes = [&](const std::vector<TokenId>& ids) {
        return error.code == ErrorCode::LimitExceeded
                   ? ids.size() > longest
                   : error.code == ErrorCode::NoSuchToken &&
                         std::ranges::any_of(ids, [&](TokenId id) { return Place::token(id.value) == error.place; });
    };
    const auto found = std::ranges::find_if(texts, causes);
    if (found == texts.end()) {
        return std::nullopt;
    }
    return LineProblem{.line = static_cast<std::size_t>(found - texts.begin()), .error = error};
}

} // namespace

Pooling poolingOf(const Model& model) {
    const auto number = model.metadata.uint(model.metadata.architectureKey("pooling_type"));
    const Pooling stated = number ? poolingFromNumber(*number).value_or(Pooling::None) : Pooling::None;
    return stated == Pooling::None ? Pooling::Mean : stated;
}

bool isForVectors(const Model& model) {
    const auto number = model.metadata.uint(model.metadata.architectureKey("pooling_type"));
    return onlyEmbeds(model) || (number && poolingFromNumber(*number).value_or(Pooling::None) != Pooling::None);
}

bool hasRankingHead(const Model& model) { return model.findTensor("cls.output.weight").has_value(); }

std::optional<std::uint64_t> longestText(const Model& model) {
    const auto length = model.metadata.uint(model.metadata.architectureKey("context_length"));
    return length && *length > 0 ? length : std::nullopt;
}

std::uint32_t contextForTexts(const Model& model, std::span<const std::vector<TokenId>> texts) {
    constexpr std::uint64_t kBatch = 512; // tokens; larger batches are not faster
    std::uint64_t longest = 1;
    std::uint64_t all = 0;
    for (const std::vector<TokenId>& ids : texts) {
        longest = std::max<std::uint64_t>(longest, ids.size());
        all += ids.size();
    }
    std::uint64_t maximum = std::min(all, kBatch);
    if (const auto positions = model.findTensor("position_embd.weight")) { // a session cannot have more
        maximum = std::min(maximum, model.tensor(*positions).shape[1]);
    }
    return static_cast<std::uint32_t>(std::max(longest, maximum));
}

Result<LineVectors> vectorsOfLines(const Engine& engine, const std::shared_ptr<const Model>& model,
                                   const LineRequest& request, const JobContext& job) {
    LineVectors result;
    result.pooling = request.pooling.value_or(poolingOf(*model));
    auto lines = GUFO_TRY(tokensOfLines(*model, request, result.pooling, job));
    result.problem = std::move(lines.problem);
    if (result.problem) {
        return result;
    }
    for (const std::vector<TokenId>& ids : lines.ids) {
        result.tokens.push_back(static_cast<std::uint32_t>(ids.size()));
    }
    std::vector<std::shared_ptr<const void>> mappings; // keep a save from unmapping the weights
    for (const ModelFile& file : model->files) {
        if (file.source != nullptr) {
            mappings.push_back(file.source->hold());
        }
    }
    const auto embedder = GUFO_TRY(engine.openEmbedder(model,
                                                       {.context = contextForTexts(*model, lines.ids),
                                                        .ropeContext = SessionOptions::kTrainedContext,
                                                        .threads = request.threads},
                                                       {.stop = job.stop}));
    result.facts = embedder->facts();
    const std::vector<std::span<const TokenId>> texts(lines.ids.begin(), lines.ids.end());
    const auto vectors = embedder->embedAll(texts, result.pooling, job);
    if (!vectors) {
        result.problem = problemOf(vectors.error(), lines.ids, result.facts.context);
        return result.problem ? Result<LineVectors>(std::move(result)) : std::unexpected(vectors.error());
    }
    for (const std::vector<float>& values : *vectors) {
        result.width = values.size();
        result.values.insert(result.values.end(), values.begin(), values.end());
    }
    return result;
}

} // namespace gufo::inference
