// The tiny models of each architecture (tests/data/architectures), and modified copies of them.
#pragma once

#include "document/open_model.h"
#include "inference/interface/session.h"
#include "model_maker.h"
#include "test_paths.h"

#include <QString>

#include <cmath>
#include <functional>
#include <span>

namespace gufo::test {

inline const QString kFixtures = QStringLiteral(GUFO_TEST_DATA "/architectures/");

inline std::shared_ptr<const Model> openFixture(const QString& name) {
    auto model = openModel((kFixtures + name + ".gguf").toStdString());
    return model ? *model : nullptr;
}

// Copies the metadata except for keys for which `leave` returns true, and the tensors that `replace` does not handle
// itself. `model` must outlive the copy.
inline ModelMaker copyOf(const Model& model, const std::function<bool(std::string_view key)>& leave,
                         const std::function<bool(ModelMaker&, const TensorInfo&, Bytes)>& replace = {}) {
    ModelMaker maker;
    maker.withData();
    for (const KeyValue& entry : model.metadata) {
        if (!leave(entry.key)) {
            maker.value(entry.key, entry.value);
        }
    }
    for (const TensorInfo& tensor : model.tensors) {
        const Bytes bytes = *model.bytesOf(tensor);
        if (!replace || !replace(maker, tensor, bytes)) {
            const auto dims = tensor.shape.dims();
            maker.tensor(tensor.name, {dims.begin(), dims.end()}, static_cast<TensorType>(tensor.typeId),
                         std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
        }
    }
    return maker;
}

inline std::vector<TokenId> randomTokens(std::size_t count, std::uint32_t vocabulary, std::uint32_t salt = 1) {
    std::vector<TokenId> tokens;
    for (std::uint32_t i = 0; i < count; ++i) {
        tokens.emplace_back(std::size_t{((i + 1) * 2'654'435'761U + salt * 97) % vocabulary});
    }
    return tokens;
}

// Evaluates in batches of `batch` tokens and returns the logits of all tokens.
inline std::vector<float> logitsOf(inference::Session& session, std::span<const TokenId> tokens, std::size_t batch) {
    std::vector<float> result;
    for (std::size_t i = 0; i < tokens.size(); i += batch) {
        const std::size_t count = std::min(batch, tokens.size() - i);
        if (!session.evaluate(tokens.subspan(i, count), inference::Logits::All, {})) {
            return {};
        }
        for (std::size_t row = 0; row < count; ++row) {
            const auto logits = session.logits(row);
            result.insert(result.end(), logits.begin(), logits.end());
        }
    }
    return result;
}

// Infinite if the lengths differ or a value is NaN.
inline double largestDifference(std::span<const float> a, std::span<const float> b) {
    double largest = a.size() == b.size() && !a.empty() ? 0 : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        largest = std::isnan(difference) ? INFINITY : std::max(largest, difference);
    }
    return largest;
}

} // namespace gufo::test
