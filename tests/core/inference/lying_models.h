// Tiny models of every supported architecture, and ways to make them inconsistent. Nothing here lists the tensors of an
// architecture: the engine is asked for missing tensors until there are none (AbsentTensor in binding/weights.h), so
// that new architectures and tensors are covered automatically. Only a hyper-parameter that needs a certain value is a
// row of kPlannedKeys.
#pragma once

#include "base/checked.h"
#include "formats/gguf/read/reader.h"
#include "inference/engine/binding/binder.h"
#include "inference/engine/binding/weights.h"
#include "inference/interface/session.h"
#include "support/gguf_builder.h"
#include "tensor/decode.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace gufo::test {

struct PlannedKey {
    std::string name; // without the architecture's prefix, or the whole name if it has none
    std::variant<std::uint32_t, std::uint64_t, std::int32_t, float, bool, std::string, std::vector<std::uint32_t>,
                 std::vector<std::int32_t>, std::vector<float>, std::vector<bool>>
        value;
};

struct PlannedTensor {
    std::string name;
    std::uint32_t type = 0;
    std::vector<std::uint64_t> dims;
    bool claimed = false; // has no bytes of its own, but claims those at the beginning of the data
    bool zeros = false;
    std::vector<float> values{}; // for F32; empty: filled like the rest of the model
    Bytes blocks{};              // encoded, and repeated; empty: as above
};

// The values of the weights.
enum class Filling : std::uint8_t { Small, Zeros, NotNumbers, Random };

struct ModelPlan {
    std::string architecture;
    std::vector<PlannedKey> keys;
    std::vector<PlannedTensor> tensors;
    Filling filling = Filling::Small;
    std::uint32_t seed = 1;
    std::uint32_t alignment = 32;
    ByteOrder order = ByteOrder::Little;
    std::uint64_t mostRoom = 1U << 26U; // zeros of header(); a tensor that needs more is incomplete there

    PlannedKey* key(std::string_view name) {
        const auto found = std::ranges::find(keys, name, &PlannedKey::name);
        return found != keys.end() ? &*found : nullptr;
    }
    template<typename T>
    void set(std::string_view name, T value) {
        if (PlannedKey* known = key(name)) {
            known->value = value;
        } else {
            keys.push_back({std::string(name), value});
        }
    }
    PlannedTensor* tensor(std::string_view name) {
        const auto found = std::ranges::find(tensors, name, &PlannedTensor::name);
        return found != tensors.end() ? &*found : nullptr;
    }

    [[nodiscard]] std::uint64_t bytesOf(const PlannedTensor& tensor) const {
        const TensorTypeFact* type = findTensorType(tensor.type);
        auto size = std::optional<std::uint64_t>(1);
        for (const std::uint64_t dim : tensor.dims) {
            size = size ? checkedMultiply(*size, dim) : std::nullopt;
        }
        if (!size || type == nullptr) {
            return ~std::uint64_t{0};
        }
        const std::uint64_t columns = tensor.dims.empty() ? 1 : std::max<std::uint64_t>(tensor.dims[0], 1);
        const auto bytes = tensorBytes(*type, columns, *size / columns);
        return bytes ? *bytes : blocksBytes(*type, *size); // no reader takes rows that are not whole blocks
    }

    // Returns the file. Tensors of more than `maximum` bytes only claim their data. `room` zeros follow the tensors.
    [[nodiscard]] std::vector<std::byte> file(std::uint64_t maximum = 1U << 20U, std::uint64_t room = 0) const {
        GgufBuilder builder = keysOnly();
        for (const PlannedTensor& tensor : tensors) {
            const std::uint64_t bytes = bytesOf(tensor);
            if (tensor.claimed || bytes > maximum) {
                builder.tensorRecord(tensor.name, tensor.type, tensor.dims, 0);
            } else {
                builder.tensor(tensor.name, tensor.type, tensor.dims, data(tensor, bytes));
            }
        }
        builder.trailing.resize(room);
        return builder.build();
    }
    [[nodiscard]] std::shared_ptr<const Model> model() const { return opened(file()); }
    // The same without weights: all tensors share the same zeros.
    [[nodiscard]] std::shared_ptr<const Model> header() const {
        std::uint64_t room = 0;
        for (const PlannedTensor& tensor : tensors) {
            room = std::max(room, bytesOf(tensor));
        }
        return opened(file(0, std::min(room, mostRoom) + alignment));
    }
    // A model whose tensors of one kind of numbers share their weights, which is quickly made. They all end where these
    // weights end, so that AddressSanitizer sees who reads beyond the last kind of them, which is the end of the file.
    // Tensors of more than `maximum` bytes only claim their data; values and blocks of tensors are not used.
    [[nodiscard]] std::shared_ptr<const Model> packed(std::uint64_t maximum) const {
        const std::uint64_t unit = std::max(1U, alignment);
        const auto padded = [&](const PlannedTensor& tensor) { // 0: only claims its data
            const std::uint64_t bytes = bytesOf(tensor);
            return tensor.claimed || bytes > maximum ? 0 : (bytes + unit - 1) / unit * unit;
        };
        std::array<std::uint64_t, 3> ends{};
        for (const PlannedTensor& tensor : tensors) {
            std::uint64_t& size = ends[static_cast<std::size_t>(patternOf(tensor))];
            size = std::max(size, padded(tensor));
        }
        std::partial_sum(ends.begin(), ends.end(), ends.begin());
        std::vector<std::byte> weights(ends.back());
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
            fill(std::span(weights).subspan(begin, ends[i] - begin), static_cast<Pattern>(i), seed);
        }
        GgufBuilder builder = keysOnly();
        for (const PlannedTensor& tensor : tensors) {
            const std::uint64_t bytes = padded(tensor);
            const std::uint64_t end = ends[static_cast<std::size_t>(patternOf(tensor))];
            builder.tensorRecord(tensor.name, tensor.type, tensor.dims, bytes == 0 ? 0 : end - bytes);
        }
        builder.trailing = std::move(weights);
        return opened(builder.build());
    }

private:
    static std::shared_ptr<const Model> opened(std::vector<std::byte> bytes) {
        auto read = gguf::read(std::make_shared<MemorySource>(std::move(bytes), "Plan-1K-v1.0-F32.gguf"));
        return read ? *read : nullptr;
    }
    [[nodiscard]] GgufBuilder keysOnly() const {
        GgufBuilder builder(3, order);
        builder.alignment = std::max(1U, alignment);
        builder.key("general.architecture", architecture);
        if (alignment != 32) {
            builder.key("general.alignment", alignment);
        }
        for (const PlannedKey& key : keys) {
            const bool whole = std::ranges::any_of(std::array{"general.", "tokenizer.", "xielu."},
                                                   [&](const char* group) { return key.name.starts_with(group); });
            const std::string name = whole ? key.name : architecture + "." + key.name;
            std::visit([&](const auto& value) { builder.key(name, value); }, key.value);
        }
        return builder;
    }

    enum class Pattern : std::uint8_t { Floats, Halves, Bytes };

    // The numbers that a tensor without values of its own consists of.
    [[nodiscard]] Pattern patternOf(const PlannedTensor& tensor) const {
        const auto type = static_cast<TensorType>(tensor.type);
        return filling != Filling::Small                             ? Pattern::Bytes
               : type == TensorType::F32                             ? Pattern::Floats
               : type == TensorType::F16 || type == TensorType::BF16 ? Pattern::Halves
                                                                     : Pattern::Bytes;
    }

    // Small signed floats in 32 or 16 bits, or arbitrary bytes. Cached, because making them takes longer than running a
    // model with them.
    static Bytes pattern(Pattern kind, ByteOrder byteOrder) {
        static std::map<std::pair<Pattern, ByteOrder>, std::vector<std::byte>> known;
        std::vector<std::byte>& bytes = known[{kind, byteOrder}];
        if (bytes.empty()) {
            constexpr std::size_t kBytes = 1U << 16U;
            std::uint32_t state = 1;
            const auto next = [&] { return (state = state * 1'664'525U + 1'013'904'223U) >> 8U; };
            bytes.resize(kBytes);
            for (std::size_t i = 0; i < kBytes; i += kind == Pattern::Floats ? 4 : kind == Pattern::Halves ? 2 : 1) {
                if (kind == Pattern::Floats) {
                    store(bytes.data() + i, static_cast<float>(next() % 2048) / 4096.0F - 0.25F, byteOrder);
                } else if (kind == Pattern::Halves) { // F16 or BF16
                    store(bytes.data() + i, static_cast<std::uint16_t>((next() & 0x83FFU) | 0x3000U), byteOrder);
                } else {
                    bytes[i] = static_cast<std::byte>(next());
                }
            }
        }
        return bytes;
    }

    [[nodiscard]] std::vector<std::byte> data(const PlannedTensor& tensor, std::uint64_t bytes) const {
        std::vector<std::byte> data(bytes);
        if (!tensor.values.empty()) {
            for (std::size_t i = 0; i < std::min<std::size_t>(tensor.values.size(), bytes / 4); ++i) {
                store(data.data() + 4 * i, tensor.values[i], order);
            }
            return data;
        }
        if (!tensor.blocks.empty()) {
            for (std::size_t at = 0; at < data.size(); at += tensor.blocks.size()) {
                std::memcpy(data.data() + at, tensor.blocks.data(), std::min(tensor.blocks.size(), data.size() - at));
            }
            return data;
        }
        if (!tensor.zeros) {
            // The beginning depends on the name, so that a tensor's data does not depend on other tensors.
            fill(data, patternOf(tensor), std::hash<std::string>()(tensor.name) + seed);
        }
        return data;
    }

    void fill(std::span<std::byte> data, Pattern kind, std::size_t begin) const {
        if (filling == Filling::Zeros) {
            return;
        }
        if (filling == Filling::NotNumbers) {
            std::ranges::fill(data, std::byte{0xFF});
            return;
        }
        const Bytes from = pattern(kind, order);
        std::size_t at = begin * 4 % from.size();
        for (std::size_t done = 0; done < data.size(); at = 0) {
            const std::size_t count = std::min(data.size() - done, from.size() - at);
            std::memcpy(data.data() + done, from.data() + at, count);
            done += count;
        }
    }
};

// Values that make small models valid. They are all different, so that no dimension can be mistaken for another.
inline const std::vector<PlannedKey> kPlannedKeys{
    {"block_count", 2U},
    {"context_length", 512U},
    {"embedding_length", 64U},
    {"feed_forward_length", 96U},
    {"attention.head_count", 4U},
    {"attention.head_count_kv", 2U},
    {"attention.key_length", 32U},
    {"attention.value_length", 32U},
    {"attention.layer_norm_rms_epsilon", 1e-5F},
    {"attention.layer_norm_epsilon", 1e-5F},
    {"attention.q_lora_rank", 32U},
    {"attention.kv_lora_rank", 32U},
    {"attention.indexer.head_count", 3U},
    {"attention.indexer.key_length", 48U},
    {"attention.indexer.top_k", 5U},
    {"attention.max_alibi_bias", 0.0F},
    {"attention.relative_buckets_count", 16U},
    {"attention.sliding_window", 0U},
    {"rope.dimension_count", 16U},
    {"expert_count", 4U},
    {"expert_used_count", 2U},
    {"expert_feed_forward_length", 32U},
    {"expert_group_count", 2U},
    {"expert_group_used_count", 1U},
    {"expert_gating_func", 1U},
    {"expert_shared_count", 5U},
    {"expert_shared_feed_forward_length", 48U},
    {"leading_dense_block_count", 1U},
    {"moe_every_n_layers", 2U},
    {"interleave_moe_layer_step", 1U},
    {"ssm.conv_kernel", 4U},
    {"ssm.inner_size", 128U},
    {"ssm.state_size", 8U},
    {"ssm.time_step_rank", 32U},
    {"ssm.group_count", 1U},
    {"wkv.head_size", 16U},
    {"time_mix_extra_dim", 32U},
    {"time_decay_extra_dim", 32U},
    {"rescale_every_n_layers", 1U},
    {"attention.decay_lora_rank", 32U},
    {"attention.iclr_lora_rank", 32U},
    {"attention.value_residual_mix_lora_rank", 32U},
    {"attention.gate_lora_rank", 32U},
    {"shortconv.l_cache", 3U},
    {"kda.head_dim", 16U},
    {"full_attention_interval", 2U},
    {"xielu.alpha_p", 0.5F},
    {"xielu.alpha_n", 0.25F},
    {"xielu.beta", 0.5F},
    {"xielu.eps", -1e-6F},
};

// Optional choices: whether an optional tensor is present, and the type of a tensor.
struct PlanChoices {
    std::function<bool(std::string_view role)> optional = [](std::string_view) { return false; };
    std::function<std::uint32_t(const PlannedTensor&)> type = [](const PlannedTensor&) { return 0U; };
};

// "blk.1.attn_q.weight" and "enc.blk.1.attn_q.weight" → "attn_q.weight".
inline std::string roleOf(std::string_view name) {
    const std::size_t block = name.find("blk.");
    const bool ofBlock = block == 0 || name.starts_with("enc.blk.");
    const std::size_t dot = ofBlock ? name.find('.', block + 4) : std::string_view::npos;
    return std::string(dot != std::string_view::npos ? name.substr(dot + 1) : name);
}

// Among optional tensors that exclude each other, drops the ones that came second. Returns false if there are none.
inline bool dropUnused(ModelPlan& plan, const Result<inference::Weights>& bound) {
    if (bound || bound.error().code != ErrorCode::TensorsNotUsed || bound.error().args.empty()) {
        return false;
    }
    std::string_view list = bound.error().args.front().text();
    const std::size_t before = plan.tensors.size();
    while (!list.empty()) {
        const std::string_view name = list.substr(0, list.find(", "));
        std::erase_if(plan.tensors, [&](const PlannedTensor& tensor) { return tensor.name == name; });
        list.remove_prefix(std::min(list.size(), name.size() + 2));
    }
    return plan.tensors.size() != before;
}

// Adds all tensors that a model with the plan's keys requires, the optional ones that were chosen, and missing keys. If
// the engine still refuses the model, what the caller changed in the plan is the reason.
inline void complete(ModelPlan& plan, const PlanChoices& choices) {
    constexpr std::uint64_t kRowsAsTheyLike = 40;
    constexpr int kMaxRounds = 96;
    if (plan.tensors.empty()) { // otherwise it is a file with only a vocabulary
        const PlannedKey* width = plan.key("embedding_length");
        const auto* columns = width != nullptr ? std::get_if<std::uint32_t>(&width->value) : nullptr;
        PlannedTensor embedding{.name = "token_embd.weight",
                                .dims = {columns != nullptr ? *columns : 64U, kRowsAsTheyLike}};
        embedding.type = choices.type(embedding);
        plan.tensors.push_back(std::move(embedding));
    }
    std::set<std::string> decided;
    for (int round = 0; round < kMaxRounds; ++round) {
        const auto model = plan.header();
        auto shape = model ? inference::readShape(*model) : fail(ErrorCode::NotSupported);
        if (!shape) {
            const std::string missing = !shape.error().args.empty() ? shape.error().args.front().text() : std::string();
            const std::string prefix = plan.architecture + ".";
            const std::string name = missing.starts_with(prefix) ? missing.substr(prefix.size()) : std::string();
            if (shape.error().code != ErrorCode::NoSuchKey || name.empty() ||
                plan.key(name.substr(0, name.find(','))) != nullptr) {
                return;
            }
            plan.set(name.substr(0, name.find(',')), 8U);
            continue;
        }
        constexpr std::size_t kMaxBlocks = 16;
        if (shape->blocks.size() > kMaxBlocks) {
            return;
        }
        inference::BindingReport report;
        const auto bound = inference::bindWeights(*model, *shape, inference::SmallTensors::NotRead, &report);
        const std::vector<inference::AbsentTensor>& absent = report.absent;
        const auto add = [&](const inference::AbsentTensor& each) {
            PlannedTensor tensor{.name = each.name, .dims = each.dims};
            if (plan.tensor(each.name) != nullptr || std::ranges::find(each.dims, 0U) != each.dims.end()) {
                return false;
            }
            std::ranges::replace(tensor.dims, inference::Binder::kAsInFile, kRowsAsTheyLike);
            if (tensor.dims.size() == 3 && tensor.dims[2] == 1) {
                tensor.dims.pop_back();
            }
            tensor.type = choices.type(tensor);
            plan.tensors.push_back(std::move(tensor));
            return true;
        };
        // Optional tensors come first, because they may make others unnecessary.
        std::set<std::string> seen;
        bool added = false;
        for (const inference::AbsentTensor& each : absent) {
            const std::string role = roleOf(each.name);
            if (!each.required && !decided.contains(role) && choices.optional(role)) {
                added = add(each) || added;
            }
            seen.insert(role);
        }
        if (!added) {
            for (const inference::AbsentTensor& each : absent) {
                added = (each.required && add(each)) || added;
            }
        } else {
            decided.merge(seen);
        }
        if (!added && !dropUnused(plan, bound)) {
            return;
        }
    }
}

// Models with recurrent blocks get blocks of every kind.
inline ModelPlan planOf(const inference::GraphTraits& architecture) {
    using namespace inference;
    ModelPlan plan{.architecture = std::string(architecture.name), .keys = kPlannedKeys};
    if (architecture.recurrence.kind == &kGatedDelta) {
        plan.set("ssm.inner_size", 32U * 8U);
        plan.set("ssm.group_count", 16U);
    }
    if (architecture.attention.indexer) {
        plan.set("attention.key_length_mla", 40U);
        plan.set("attention.value_length_mla", 24U);
    }
    if (architecture.recurrence.parts == BlockParts::MixOrFeed) {
        plan.set("block_count", 3U);
        plan.set("feed_forward_length", std::vector<std::uint32_t>{0, 0, 96});
        plan.set("attention.head_count_kv", std::vector<std::uint32_t>{0, 2, 0});
    } else if (architecture.recurrence.kind != nullptr &&
               architecture.recurrence.blocks == RecurrentBlocks::WithoutKvHeads) {
        plan.set("attention.head_count_kv", std::vector<std::uint32_t>{0, 2});
    }
    return plan;
}

// A valid model with only the required keys and tensors.
inline ModelPlan plainPlan(std::string_view architecture) {
    ModelPlan plan = planOf(*inference::findGraphTraits(architecture));
    complete(plan, {});
    return plan;
}

} // namespace gufo::test
