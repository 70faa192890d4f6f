// Copies of models whose matrices are quantised, or decoded again, and how far apart the answers of two models are.
#pragma once

#include "fixture_models.h"
#include "tensor/decode.h"
#include "tensor/encode.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace gufo::test {

inline std::vector<double> probabilities(std::span<const float> logits) {
    const double largest = *std::ranges::max_element(logits);
    std::vector<double> result;
    double sum = 0;
    for (const float logit : logits) {
        result.push_back(std::exp(logit - largest));
        sum += result.back();
    }
    for (double& p : result) {
        p /= sum;
    }
    return result;
}

// Mean over all positions of KL(reference ‖ other), in nats.
inline double divergence(std::span<const float> reference, std::span<const float> other, std::size_t vocabulary) {
    double sum = 0;
    const std::size_t rows = reference.size() / vocabulary;
    for (std::size_t row = 0; row < rows; ++row) {
        const auto p = probabilities(reference.subspan(row * vocabulary, vocabulary));
        const auto q = probabilities(other.subspan(row * vocabulary, vocabulary));
        for (std::size_t i = 0; i < vocabulary; ++i) {
            sum += p[i] > 0 ? p[i] * std::log(p[i] / q[i]) : 0;
        }
    }
    return sum / static_cast<double>(rows);
}

// A copy of the model whose quantised matrices are decoded to F32: all of them, or those whose names end with one of
// `ends`.
inline std::shared_ptr<const Model> decoded(const Model& model, const std::vector<std::string>& ends = {""}) {
    ModelMaker maker = copyOf(
        model, [](std::string_view) { return false; },
        [&](auto& to, const TensorInfo& tensor, Bytes) {
            std::vector<float> values(tensor.weights());
            const auto rows = model.rowsOf(tensor);
            const auto endsName = [&](const std::string& end) { return tensor.name.ends_with(end); };
            if (std::ranges::none_of(ends, endsName) || !rows || !decode(*rows, 0, values)) {
                return false;
            }
            const auto dims = tensor.shape.dims();
            to.tensor(tensor.name, {dims.begin(), dims.end()}, TensorType::F32,
                      std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)));
            return true;
        });
    return maker.model();
}

inline constexpr std::string_view kRouterName = "ffn_gate_inp.weight";

// Whether published files quantise the matrix: routers and the small matrices of RWKV's mixes and decays stay floats.
inline bool isUsuallyQuantised(std::string_view name) {
    constexpr std::array kLargeMixes{"_key.weight", "_value.weight", "_receptance.weight", "_gate.weight",
                                     "_output.weight"};
    const auto endsName = [&](const char* end) { return name.ends_with(end); };
    return !name.ends_with(kRouterName) &&
           (name.find(".time_mix_") == std::string_view::npos || std::ranges::any_of(kLargeMixes, endsName));
}

inline bool isQuantisedIn(const TensorInfo& tensor, const TensorTypeFact& info) {
    return tensor.shape.count() >= 2 && tensor.shape[0] % info.blockSize == 0 && isUsuallyQuantised(tensor.name);
}

// A copy of the model whose matrices are quantised, where their rows are whole blocks. Each block always chooses the
// same experts, and an indexer all positions: of nearly equal ones, rounding would choose another.
inline std::shared_ptr<const Model> quantised(const Model& model, TensorType type) {
    const auto typeId = static_cast<std::uint32_t>(type);
    const TensorTypeFact& info = *findTensorType(typeId);
    const auto text = [](const std::vector<float>& values) {
        return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    };
    constexpr std::string_view kBest = ".attention.indexer.top_k";
    ModelMaker maker = copyOf(
        model, [&](std::string_view key) { return key.ends_with(kBest); },
        [&](auto& to, const TensorInfo& tensor, Bytes) {
            const auto dims = tensor.shape.dims();
            if (tensor.name.ends_with("exp_probs_b.bias")) {
                return true;
            }
            if (tensor.name.ends_with(kRouterName)) {
                const std::string prefix(tensor.name.substr(0, tensor.name.size() - kRouterName.size()));
                std::vector<float> bias(dims[1]);
                for (std::size_t i = 0; i < bias.size(); ++i) {
                    bias[i] = 10 * static_cast<float>((i * 5 + prefix.size()) % 11);
                }
                to.tensor(prefix + "exp_probs_b.bias", {bias.size()}, TensorType::F32, text(bias));
            }
            const auto rows = model.rowsOf(tensor);
            if (!isQuantisedIn(tensor, info) || !rows) {
                return false;
            }
            std::vector<float> values(tensor.weights());
            std::string encoded(encodedBytes(typeId, dims[0], values.size()), '\0');
            if (!decode(*rows, 0, values) || !encode({.typeId = typeId, .columns = dims[0], .importance = {}}, values,
                                                     std::as_writable_bytes(std::span(encoded)))) {
                return false;
            }
            to.tensor(tensor.name, {dims.begin(), dims.end()}, type, encoded);
            return true;
        });
    maker.u32(std::string(model.metadata.architecture()) + std::string(kBest), 1'000);
    return maker.model();
}

} // namespace gufo::test
