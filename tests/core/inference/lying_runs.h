// Running models that may be inconsistent, and the reason why one is refused.
#pragma once

#include "inference/engine/gufo_engine.h"
#include "inference/interface/embedder.h"
#include "inference/interface/session.h"
#include "lying_models.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace gufo::test {

using namespace gufo::inference;

inline std::vector<TokenId> spreadTokens(std::uint32_t vocabulary, std::size_t count) {
    std::vector<TokenId> tokens;
    for (std::size_t i = 0; i < count; ++i) {
        tokens.emplace_back((i * 7 + 3) % vocabulary);
    }
    return tokens;
}

// Returns the vectors of up to `count` tokens; empty if the encoder does not run.
inline std::vector<float> runEncoderModel(const std::shared_ptr<const Model>& model, std::size_t count) {
    const auto embedder = openBuiltInEmbedder(model, {.threads = 2}, {});
    const auto table = model->findTensor("token_embd.weight");
    if (!embedder || !table) {
        return {};
    }
    count = std::min<std::size_t>(count, (*embedder)->facts().context);
    const auto tokens = spreadTokens(static_cast<std::uint32_t>(model->tensor(*table).shape[1]), count);
    auto vectors = (*embedder)->embed(tokens, Pooling::None, {});
    if (!vectors || ((*embedder)->facts().ranks && !(*embedder)->embed(tokens, Pooling::Rank, {})) ||
        !(*embedder)->embed(tokens, Pooling::Mean, {})) {
        return {};
    }
    return std::move(*vectors);
}

// Returns the logits of up to `count` tokens, evaluated `batch` at a time, or the vectors that an encoder makes of
// them; empty if the model does not run.
inline std::vector<float> runModel(const std::shared_ptr<const Model>& model, std::size_t count = 9,
                                   std::uint32_t batch = 9) {
    if (onlyEmbeds(*model)) {
        return runEncoderModel(model, count);
    }
    const auto loaded = loadForInference(model);
    if (!loaded) {
        qWarning("%s: %s", std::string(errorName(loaded.error().code)).c_str(),
                 loaded.error().args.empty() ? "" : loaded.error().args.front().text().c_str());
        return {};
    }
    const auto session = (*loaded)->startSession({.batch = batch, .threads = 2});
    if (!session) {
        return {};
    }
    count = std::min<std::size_t>(count, (*session)->context());
    const auto tokens = spreadTokens((*session)->vocabulary(), count);
    if (!(*session)->evaluate(tokens, Logits::All, {})) {
        return {};
    }
    std::vector<float> all;
    for (std::size_t t = 0; t < count; ++t) {
        const auto logits = (*session)->logits(t);
        all.insert(all.end(), logits.begin(), logits.end());
    }
    return all;
}

// Nothing if the model runs, or makes vectors if that is all it can do.
inline std::optional<Error> whyNot(const std::shared_ptr<const Model>& model) {
    if (onlyEmbeds(*model)) {
        const auto embedder = openBuiltInEmbedder(model, {}, {});
        return embedder ? std::nullopt : std::optional(embedder.error());
    }
    const auto loaded = loadForInference(model);
    return loaded ? std::nullopt : std::optional(loaded.error());
}

inline Error refusalOf(const std::shared_ptr<const Model>& model) {
    return whyNot(model).value_or(Error{ErrorCode::Cancelled, {}, {}, {std::string("it runs")}, 0});
}

inline QString errorText(const Error& error) {
    QStringList parts{QString::fromStdString(std::string(errorName(error.code)))};
    for (const Argument& arg : error.args) {
        parts << QString::fromStdString(arg.text());
    }
    return parts.join(" | ");
}

// Whether the error names the key, or a tensor that contradicts it.
inline bool namesKey(const Error& error, const QString& key) {
    const bool tensor = error.code == ErrorCode::WrongShape || error.code == ErrorCode::NoSuchTensor ||
                        error.code == ErrorCode::TensorsNotUsed;
    return errorText(error).contains(key) || (tensor && error.place.name.find("blk.") != std::string::npos);
}

} // namespace gufo::test
