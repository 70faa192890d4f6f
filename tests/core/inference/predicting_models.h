// Copies of the tiny models of architectures, with a block that predicts further tokens, and what such a block computes
// in double precision. The reference follows the formulas of engine/mtp_drafter.h and of the papers, and shares no
// code with the engine: it evaluates all pairs at once, without a cache.
#pragma once

#include "model/hyper_parameters.h"
#include "support/fixture_models.h"
#include "tensor/decode.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace gufo::test {

inline std::vector<double> weightsOf(const Model& model, const std::string& name) {
    const TensorInfo& tensor = model.tensor(*model.findTensor(name));
    std::vector<float> values(tensor.weights());
    const auto rows = model.rowsOf(tensor);
    const bool decoded = rows && decode(*rows, 0, values);
    return decoded ? std::vector<double>(values.begin(), values.end()) : std::vector<double>();
}

// Pseudo-random numbers in [−1, 1).
class Noise {
public:
    explicit Noise(std::uint32_t seed)
        : m_state(seed) {}
    float next() {
        m_state = m_state * 1'664'525U + 1'013'904'223U;
        return static_cast<float>(m_state >> 8U) / 8'388'608.0F - 1;
    }
    std::string bytes(std::size_t count, float scale, float add) {
        std::string bytes;
        for (std::size_t i = 0; i < count; ++i) {
            const float value = add + scale * next();
            bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
        }
        return bytes;
    }

private:
    std::uint32_t m_state;
};

struct PredictingCopy {
    const char* fixture;
    const char* lastNorm = "nextn.shared_head_norm"; // null: the model's
    bool indexer = false;                            // the block has one, which chooses more positions than there are
    bool ownTables = false;                          // an embedding and an output of its own
};

// The last block that attends becomes a further one, with other weights, which predicts.
inline std::shared_ptr<const Model> predictingModel(const PredictingCopy& copy) {
    const auto model = openFixture(copy.fixture);
    const HyperParameters parameters(model->metadata);
    const auto blocks = static_cast<std::uint32_t>(*parameters.uint("block_count"));
    const auto width = static_cast<std::uint64_t>(*parameters.uint("embedding_length"));
    std::string attending;
    for (std::uint32_t i = 0; i < blocks; ++i) {
        const std::string block = "blk." + std::to_string(i) + '.';
        attending = model->findTensor(block + "attn_output.weight") ? block : attending;
    }
    ModelMaker maker = copyOf(*model, [&](std::string_view key) {
        return key.ends_with(".block_count") || key.ends_with("nextn_predict_layers") || // the reference has no YaRN
               key.find("rope.scal") != key.npos || (copy.indexer && key.ends_with("indexer.top_k"));
    });
    const std::string prefix = std::string(model->metadata.architecture()) + '.';
    maker.u32(prefix + "block_count", blocks + 1).u32(prefix + "nextn_predict_layers", 1);
    if (copy.indexer) {
        maker.u32(prefix + "attention.indexer.top_k", 100);
    }
    const std::string added = "blk." + std::to_string(blocks) + '.';
    for (const TensorInfo& tensor : model->tensors) {
        const std::string_view name = tensor.name;
        if (!name.starts_with(attending) || name.find("nextn.") != name.npos ||
            (!copy.indexer && name.find("indexer.") != name.npos)) {
            continue;
        }
        const std::vector<double> values = weightsOf(*model, std::string(name));
        std::string bytes;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto value = static_cast<float>(0.9 * values[(i + 3) % values.size()]);
            bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
        }
        const auto dims = tensor.shape.dims();
        maker.tensor(added + std::string(name.substr(attending.size())), {dims.begin(), dims.end()}, TensorType::F32,
                     bytes);
    }
    Noise noise(7);
    const auto add = [&](const std::string& name, const std::vector<std::uint64_t>& dims, float scale, float middle) {
        const auto count = std::accumulate(dims.begin(), dims.end(), std::uint64_t{1}, std::multiplies());
        maker.tensor(added + name + ".weight", dims, TensorType::F32, noise.bytes(count, scale, middle));
    };
    add("nextn.enorm", {width}, 0.4F, 1);
    add("nextn.hnorm", {width}, 0.4F, 1.2F);
    add("nextn.eh_proj", {2 * width, width}, 0.3F, 0);
    if (copy.lastNorm != nullptr) {
        add(copy.lastNorm, {width}, 0.3F, 0.9F);
    }
    if (copy.ownTables) {
        const std::uint64_t vocabulary = model->tensor(*model->findTensor("token_embd.weight")).shape[1];
        add("nextn.embed_tokens", {width, vocabulary}, 1, 0);
        add("nextn.shared_head_head", {width, vocabulary}, 0.5F, 0);
    }
    struct Both { // the copy views strings of the original
        std::shared_ptr<const Model> original;
        std::shared_ptr<const Model> copied;
    };
    const auto both = std::make_shared<Both>(model, maker.model());
    return {both, both->copied.get()};
}

class PredictionReference {
public:
    using Row = std::vector<double>;

    explicit PredictionReference(const Model& model)
        : m_model(model)
        , m_parameters(model.metadata)
        , m_block("blk." + std::to_string(number("block_count", 0) - number("nextn_predict_layers", 1)) + '.')
        , m_epsilon(*m_parameters.number("attention.layer_norm_rms_epsilon"))
        , m_latent(number("attention.kv_lora_rank", 0) != 0) {}

    // The logits after each pair of a state and the token that follows.
    [[nodiscard]] std::vector<Row> logits(std::span<const TokenId> tokens, const std::vector<Row>& states) const {
        const std::string table = has("nextn.embed_tokens.weight") ? m_block + "nextn.embed_tokens" : "token_embd";
        const Row embeddings = weightsOf(m_model, table + ".weight");
        const std::size_t width = states.front().size();
        std::vector<Row> stream;
        for (std::size_t t = 0; t < tokens.size(); ++t) {
            const auto begin = embeddings.begin() + static_cast<std::ptrdiff_t>(tokens[t].value * width);
            Row both = normed({begin, begin + static_cast<std::ptrdiff_t>(width)}, m_block + "nextn.enorm");
            const Row state = normed(states[t], m_block + "nextn.hnorm");
            both.insert(both.end(), state.begin(), state.end());
            stream.push_back(product("nextn.eh_proj", both));
        }
        std::vector<Row> attended = m_latent ? latentAttention(stream) : attention(stream);
        const std::string second = has("ffn_norm.weight") ? "ffn_norm" : "post_attention_norm";
        std::vector<Row> result;
        for (std::size_t t = 0; t < stream.size(); ++t) {
            add(stream[t], product("attn_output", attended[t]), 1);
            add(stream[t], feedForward(normed(stream[t], m_block + second)), 1);
            const bool named = has("layer_output_norm.weight");
            const std::string norm = named                                  ? m_block + "layer_output_norm"
                                     : has("nextn.shared_head_norm.weight") ? m_block + "nextn.shared_head_norm"
                                                                            : "output_norm";
            const bool untied = m_model.findTensor("output.weight").has_value();
            const std::string output = has("nextn.shared_head_head.weight") ? m_block + "nextn.shared_head_head"
                                       : untied                             ? "output"
                                                                            : "token_embd";
            result.push_back(multiplied(output, normed(stream[t], norm)));
        }
        return result;
    }

private:
    [[nodiscard]] std::size_t number(std::string_view key, std::size_t fallback) const {
        return static_cast<std::size_t>(m_parameters.uint(key).value_or(fallback));
    }
    [[nodiscard]] bool has(const std::string& name) const { return m_model.findTensor(m_block + name).has_value(); }
    static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
    static void add(Row& to, const Row& from, double factor) {
        for (std::size_t i = 0; i < to.size(); ++i) {
            to[i] += factor * from[i];
        }
    }
    [[nodiscard]] Row normed(Row x, const std::string& name) const {
        double squares = 0;
        for (const double value : x) {
            squares += value * value;
        }
        const double factor = 1 / std::sqrt(squares / static_cast<double>(x.size()) + m_epsilon);
        const Row weights = name.empty() ? Row(x.size(), 1) : weightsOf(m_model, name + ".weight");
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] *= factor * weights[i];
        }
        return x;
    }
    [[nodiscard]] Row multiplied(const std::string& name, const Row& x, std::size_t matrix = 0) const {
        const Row weights = weightsOf(m_model, name + ".weight");
        const TensorInfo& tensor = m_model.tensor(*m_model.findTensor(name + ".weight"));
        const std::size_t rows = tensor.shape.dims().size() < 2 ? 1 : tensor.shape[1];
        Row y(rows);
        for (std::size_t row = 0; row < rows; ++row) {
            const auto begin = weights.begin() + static_cast<std::ptrdiff_t>((matrix * rows + row) * x.size());
            y[row] = std::inner_product(x.begin(), x.end(), begin, 0.0);
        }
        if (m_model.findTensor(name + ".bias")) {
            add(y, weightsOf(m_model, name + ".bias"), 1);
        }
        return y;
    }
    [[nodiscard]] Row product(const std::string& name, const Row& x, std::size_t matrix = 0) const {
        return multiplied(m_block + name, x, matrix);
    }
    static Row part(const Row& row, std::size_t begin, std::size_t count) {
        const auto from = row.begin() + static_cast<std::ptrdiff_t>(begin);
        return {from, from + static_cast<std::ptrdiff_t>(count)};
    }
    // Rotates the first `rotated` elements; as neighbours, or as one from each half.
    [[nodiscard]] Row rotated(Row head, std::size_t position, std::size_t rotated) const {
        const double base = m_parameters.number("rope.freq_base").value_or(10'000);
        for (std::size_t i = 0; i < rotated / 2; ++i) {
            const double exponent = -2 * static_cast<double>(i) / static_cast<double>(rotated);
            const double angle = static_cast<double>(position) * std::pow(base, exponent);
            double& a = head[m_latent ? 2 * i : i];
            double& b = head[m_latent ? 2 * i + 1 : i + rotated / 2];
            const double old = a;
            a = a * std::cos(angle) - b * std::sin(angle);
            b = old * std::sin(angle) + b * std::cos(angle);
        }
        return head;
    }
    // The mean of the values, weighted by the softmax of the scores.
    static Row weighted(Row scores, const std::vector<Row>& values) {
        const double highest = *std::ranges::max_element(scores);
        double sum = 0;
        for (double& score : scores) {
            score = std::exp(score - highest);
            sum += score;
        }
        Row result(values.front().size());
        for (std::size_t i = 0; i < scores.size(); ++i) {
            add(result, values[i], scores[i] / sum);
        }
        return result;
    }
    [[nodiscard]] std::vector<Row> attention(const std::vector<Row>& stream) const {
        const std::size_t heads = number("attention.head_count", 0);
        const std::size_t kvHeads = number("attention.head_count_kv", heads);
        const std::size_t length = number("attention.key_length", stream.front().size() / heads);
        const std::size_t turned = number("rope.dimension_count", length);
        std::vector<std::vector<Row>> queries(heads);
        std::vector<std::vector<Row>> gates(heads);
        std::vector<std::vector<Row>> keys(kvHeads);
        std::vector<std::vector<Row>> values(kvHeads);
        for (std::size_t t = 0; t < stream.size(); ++t) {
            const Row x = normed(stream[t], m_block + "attn_norm");
            Row q;
            Row k;
            Row v;
            if (has("attn_qkv.weight")) {
                const Row all = product("attn_qkv", x);
                q = part(all, 0, heads * length);
                k = part(all, heads * length, kvHeads * length);
                v = part(all, (heads + kvHeads) * length, kvHeads * length);
            } else {
                q = product("attn_q", x);
                k = product("attn_k", x);
                v = product("attn_v", x);
            }
            const std::size_t stride = q.size() / heads; // a query may be followed by its gate
            const auto finished = [&](Row head, const char* norm) {
                head = has(std::string(norm) + ".weight") ? normed(std::move(head), m_block + norm) : head;
                return rotated(std::move(head), t, turned);
            };
            for (std::size_t h = 0; h < heads; ++h) {
                queries[h].push_back(finished(part(q, h * stride, length), "attn_q_norm"));
                gates[h].push_back(stride > length ? part(q, h * stride + length, length) : Row());
            }
            for (std::size_t h = 0; h < kvHeads; ++h) {
                keys[h].push_back(finished(part(k, h * length, length), "attn_k_norm"));
                values[h].push_back(part(v, h * length, length));
            }
        }
        std::vector<Row> result(stream.size());
        for (std::size_t t = 0; t < stream.size(); ++t) {
            for (std::size_t h = 0; h < heads; ++h) {
                const std::size_t kv = h / (heads / kvHeads);
                Row scores;
                for (std::size_t s = 0; s <= t; ++s) {
                    const double dot =
                        std::inner_product(queries[h][t].begin(), queries[h][t].end(), keys[kv][s].begin(), 0.0);
                    scores.push_back(dot / std::sqrt(static_cast<double>(length)));
                }
                Row out = weighted(scores, values[kv]);
                for (std::size_t i = 0; i < gates[h][t].size(); ++i) {
                    out[i] *= sigmoid(gates[h][t][i]);
                }
                result[t].insert(result[t].end(), out.begin(), out.end());
            }
        }
        return result;
    }
    // DeepSeek-V2, arXiv 2405.04434, section 2.1: keys and values of all heads come from one row of low rank.
    [[nodiscard]] std::vector<Row> latentAttention(const std::vector<Row>& stream) const {
        const std::size_t heads = number("attention.head_count", 0);
        const std::size_t turned = number("rope.dimension_count", 0);
        const std::size_t length = number("attention.key_length_mla", number("attention.key_length", 0));
        const std::size_t rank = number("attention.kv_lora_rank", 0);
        const std::size_t plain = length - turned;
        const bool apart = has("attn_k_b.weight");
        std::vector<std::vector<Row>> queries(heads);
        std::vector<std::vector<Row>> keys(heads);
        std::vector<std::vector<Row>> values(heads);
        for (std::size_t t = 0; t < stream.size(); ++t) {
            const Row x = normed(stream[t], m_block + "attn_norm");
            const Row q = has("attn_q_a.weight")
                              ? product("attn_q_b", normed(product("attn_q_a", x), m_block + "attn_q_a_norm"))
                              : product("attn_q", x);
            const Row down = product("attn_kv_a_mqa", x);
            const Row latent = normed(part(down, 0, rank), m_block + "attn_kv_a_norm");
            const Row shared = rotated(part(down, rank, turned), t, turned);
            const Row both = apart ? Row() : product("attn_kv_b", latent);
            for (std::size_t h = 0; h < heads; ++h) {
                Row query = part(q, h * length, plain);
                const Row turning = rotated(part(q, h * length + plain, turned), t, turned);
                query.insert(query.end(), turning.begin(), turning.end());
                queries[h].push_back(query);
                Row key(plain);
                Row value;
                if (apart) {
                    const Row expand = weightsOf(m_model, m_block + "attn_k_b.weight");
                    for (std::size_t r = 0; r < rank; ++r) {
                        add(key, part(expand, (h * rank + r) * plain, plain), latent[r]);
                    }
                    value = product("attn_v_b", latent, h);
                } else {
                    const std::size_t each = both.size() / heads;
                    key = part(both, h * each, plain);
                    value = part(both, h * each + plain, each - plain);
                }
                key.insert(key.end(), shared.begin(), shared.end());
                keys[h].push_back(key);
                values[h].push_back(value);
            }
        }
        std::vector<Row> result(stream.size());
        for (std::size_t t = 0; t < stream.size(); ++t) {
            for (std::size_t h = 0; h < heads; ++h) {
                Row scores;
                for (std::size_t s = 0; s <= t; ++s) {
                    const double dot =
                        std::inner_product(queries[h][t].begin(), queries[h][t].end(), keys[h][s].begin(), 0.0);
                    scores.push_back(dot / std::sqrt(static_cast<double>(length)));
                }
                const Row out = weighted(scores, values[h]);
                result[t].insert(result[t].end(), out.begin(), out.end());
            }
        }
        return result;
    }
    [[nodiscard]] Row gated(const std::string& suffix, const Row& x, std::size_t expert = 0) const {
        const Row gate = product("ffn_gate" + suffix, x, expert);
        Row up = product("ffn_up" + suffix, x, expert);
        for (std::size_t i = 0; i < up.size(); ++i) {
            up[i] *= gate[i] * sigmoid(gate[i]);
        }
        return product("ffn_down" + suffix, up, expert);
    }
    [[nodiscard]] Row feedForward(const Row& x) const {
        if (!has("ffn_gate_inp.weight")) {
            return gated("", x);
        }
        const bool qwen = m_model.metadata.architecture().starts_with("qwen");
        Row scores = product("ffn_gate_inp", x);
        const std::size_t count = scores.size();
        const bool sigmoids = !qwen && (number("expert_gating_func", 0) == 2);
        double sum = 0;
        const double highest = *std::ranges::max_element(scores);
        for (double& score : scores) {
            score = sigmoids ? sigmoid(score) : std::exp(score - highest);
            sum += score;
        }
        for (double& score : scores) {
            score /= sigmoids ? 1 : sum;
        }
        Row biased = scores;
        if (has("exp_probs_b.bias")) {
            add(biased, weightsOf(m_model, m_block + "exp_probs_b.bias"), 1);
        }
        if (const std::size_t groups = number("expert_group_count", 1); groups > 1) {
            const std::size_t each = count / groups;
            std::vector<std::pair<double, std::size_t>> best;
            for (std::size_t g = 0; g < groups; ++g) {
                Row group = part(biased, g * each, each);
                std::ranges::sort(group, std::greater());
                best.emplace_back(group[0] + group[1], g);
            }
            std::ranges::sort(best, std::greater());
            for (std::size_t i = number("expert_group_used_count", 1); i < groups; ++i) {
                std::fill_n(biased.begin() + static_cast<std::ptrdiff_t>(best[i].second * each), each, -1e30);
            }
        }
        std::vector<std::size_t> order(count);
        std::iota(order.begin(), order.end(), 0);
        std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return biased[a] > biased[b]; });
        order.resize(number("expert_used_count", 1));
        double chosen = 0;
        for (const std::size_t expert : order) {
            chosen += scores[expert];
        }
        const bool normalised = qwen || m_parameters.boolean("expert_weights_norm").value_or(false);
        const double scale = qwen ? 1 : m_parameters.number("expert_weights_scale").value_or(1);
        Row result(x.size());
        for (const std::size_t expert : order) {
            add(result, gated("_exps", x, expert), scale * scores[expert] / (normalised ? chosen : 1));
        }
        if (has("ffn_up_shexp.weight")) {
            const double share = has("ffn_gate_inp_shexp.weight") ? sigmoid(product("ffn_gate_inp_shexp", x)[0]) : 1;
            add(result, gated("_shexp", x), share);
        }
        return result;
    }

    const Model& m_model;
    HyperParameters m_parameters;
    std::string m_block;
    double m_epsilon;
    bool m_latent;
};

} // namespace gufo::test
