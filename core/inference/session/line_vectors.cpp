#include "inference/session/line_vectors.h"

#include "base/detail.h"
#include "inference/session/embedding_tokens.h"
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
    const auto tokenizer = text::makeTokenizer(model, {.stop = job.stop});
    if (!tokenizer) {
        return std::unexpected(tokenizer.error());
    }
    const std::optional<std::uint64_t> most = longestText(model);
    LineTokens result;
    for (std::size_t i = 0; i < request.texts.size(); ++i) {
        auto ids = pooling == Pooling::Rank
                       ? rankingTokens(**tokenizer, model, request.query, request.texts[i], {.stop = job.stop})
                       : embeddingTokens(**tokenizer, request.texts[i], {.stop = job.stop});
        if (!ids) {
            if (ids.error().code == ErrorCode::Cancelled) {
                return std::unexpected(std::move(ids.error()));
            }
            if (!result.problem) {
                result.problem = LineProblem{.line = i, .error = std::move(ids.error())};
            }
            return result;
        }
        if (most && ids->size() > *most) {
            if (result.problem) {
                ++result.problem->others;
            } else {
                result.problem = LineProblem{.line = i,
                                             .tokens = ids->size(),
                                             .limit = *most,
                                             .others = 0,
                                             .error = {.code = ErrorCode::LimitExceeded}};
            }
        }
        result.ids.push_back(std::move(*ids));
    }
    return result;
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

Result<LineVectors> vectorsOfLines(const Engine& engine, const std::shared_ptr<const Model>& model,
                                   const LineRequest& request, const JobContext& job) {
    LineVectors result;
    result.pooling = request.pooling.value_or(poolingOf(*model));
    auto lines = tokensOfLines(*model, request, result.pooling, job);
    if (!lines) {
        return std::unexpected(std::move(lines.error()));
    }
    result.problem = std::move(lines->problem);
    if (result.problem) {
        return result;
    }
    std::size_t longest = 1;
    std::uint64_t sum = 0;
    for (const std::vector<TokenId>& ids : lines->ids) {
        longest = std::max(longest, ids.size());
        sum += ids.size();
        result.tokens.push_back(static_cast<std::uint32_t>(ids.size()));
    }
    std::vector<std::shared_ptr<const void>> mappings; // keep a save from unmapping the weights
    for (const ModelFile& file : model->files) {
        if (file.source != nullptr) {
            mappings.push_back(file.source->hold());
        }
    }
    // Reserves memory for the longest text only, but makes the vectors of a session of the trained length.
    const auto embedder = engine.openEmbedder(model,
                                              {.context = static_cast<std::uint32_t>(longest),
                                               .ropeContext = SessionOptions::kTrainedContext,
                                               .threads = request.threads},
                                              {.stop = job.stop});
    if (!embedder) {
        return std::unexpected(embedder.error());
    }
    result.facts = (*embedder)->facts();
    job.start(sum);
    for (std::size_t i = 0; i < lines->ids.size(); ++i) {
        if (job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        const auto values = (*embedder)->embed(lines->ids[i], result.pooling, {.stop = job.stop});
        if (!values) {
            if (values.error().code != ErrorCode::LimitExceeded && values.error().code != ErrorCode::NoSuchToken) {
                return std::unexpected(values.error());
            }
            result.problem = LineProblem{.line = i, .error = values.error()};
            result.values.clear();
            return result;
        }
        result.width = values->size();
        result.values.insert(result.values.end(), values->begin(), values->end());
        job.advance(lines->ids[i].size());
    }
    return result;
}

} // namespace gufo::inference
