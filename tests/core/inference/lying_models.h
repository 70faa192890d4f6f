// Tiny models of every architecture that the engine runs, and ways to make them lie. Nothing here knows what tensors an
// architecture has: the engine is asked what it misses until it misses nothing (inference/weights.h, AbsentTensor), so
// that a new architecture, or a new tensor of one, is there by itself. Only a hyper-parameter that has to have a
// certain value is a row of kPlannedKeys.
#pragma once

#include "base/checked.h"
#include "formats/gguf/read/reader.h"
#include "inference/engine/binding/binder.h"
#include "inference/engine/binding/weights.h"
#include "inference/session/session.h"
#include "support/gguf_builder.h"
#include "tensor/decode.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace gufo::test {

struct PlannedKey {
    std::string name; // after the architecture's, or whole if it has no place there
    std::variant<std::uint32_t, std::uint64_t, std::int32_t, float, bool, std::string, std::vector<std::uint32_t>,
                 std::vector<std::int32_t>, std::vector<bool>>
        value;
};

struct PlannedTensor {
    std::string name;
    std::uint32_t type = 0;
    std::vector<std::uint64_t> dims;
    bool claimed = false; // has no bytes of its own: it says that they are those at the begin of the data
    bool zeros = false;
    std::vector<float> values{}; // of F32; empty: as the model is filled
};

// What the weights are.
enum class Filling : std::uint8_t { Small, Zeros, NotNumbers, Random };

struct ModelPlan {
    std::string architecture;
    std::vector<PlannedKey> keys;
    std::vector<PlannedTensor> tensors;
    Filling filling = Filling::Small;
    std::uint32_t seed = 1;
    std::uint32_t alignment = 32;
    ByteOrder order = ByteOrder::Little;
    std::uint64_t mostRoom = 1U << 26U; // zeros of header(): a tensor that needs more is incomplete there

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
        const TensorTypeInfo* type = findTensorType(tensor.type);
        auto size = std::optional<std::uint64_t>(1);
        for (const std::uint64_t dim : tensor.dims) {
            size = size ? checkedMultiply(*size, dim) : std::nullopt;
        }
        size = size && type != nullptr ? checkedMultiply(*size / type->blockSize, type->blockBytes) : std::nullopt;
        return size.value_or(~std::uint64_t{0});
    }

    // The file. Tensors of more than `most` bytes are only claimed. After the tensors there are `room` zeros.
    [[nodiscard]] std::vector<std::byte> file(std::uint64_t most = 1U << 20U, std::uint64_t room = 0) const {
        GgufBuilder builder(3, order);
        builder.alignment = std::max(1U, alignment);
        builder.key("general.architecture", architecture);
        if (alignment != 32) {
            builder.key("general.alignment", alignment);
        }
        for (const PlannedKey& key : keys) {
            const bool whole = key.name.starts_with("general.") || key.name.starts_with("tokenizer.");
            const std::string name = whole ? key.name : architecture + "." + key.name;
            std::visit([&](const auto& value) { builder.key(name, value); }, key.value);
        }
        for (const PlannedTensor& tensor : tensors) {
            const std::uint64_t bytes = bytesOf(tensor);
            if (tensor.claimed || bytes > most) {
                builder.tensorRecord(tensor.name, tensor.type, tensor.dims, 0);
            } else {
                builder.tensor(tensor.name, tensor.type, tensor.dims, data(tensor, bytes));
            }
        }
        builder.trailing.resize(room);
        return builder.build();
    }
    [[nodiscard]] std::shared_ptr<const Model> model() const { return opened(file()); }
    // The same without weights of their own: all tensors are the same zeros.
    [[nodiscard]] std::shared_ptr<const Model> header() const {
        std::uint64_t room = 0;
        for (const PlannedTensor& tensor : tensors) {
            room = std::max(room, bytesOf(tensor));
        }
        return opened(file(0, std::min(room, mostRoom) + alignment));
    }

private:
    static std::shared_ptr<const Model> opened(std::vector<std::byte> bytes) {
        auto read = gguf::read(std::make_shared<MemorySource>(std::move(bytes), "Plan-1K-v1.0-F32.gguf"));
        return read ? *read : nullptr;
    }
    enum class Pattern : std::uint8_t { Floats, Halves, Bytes };

    // Of small floats with a sign, in 32 or 16 bits, or of any bytes; made once, as making them takes longer than
    // running a model of them.
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
                } else if (kind == Pattern::Halves) { // F16's or BF16's
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
        if (filling == Filling::Zeros || tensor.zeros) {
            return data;
        }
        if (filling == Filling::NotNumbers) {
            std::ranges::fill(data, std::byte{0xFF});
            return data;
        }
        const auto type = static_cast<TensorType>(tensor.type);
        const bool small = filling == Filling::Small;
        const bool halves = type == TensorType::F16 || type == TensorType::BF16;
        const Bytes from = pattern(small && type == TensorType::F32 ? Pattern::Floats
                                   : small && halves                ? Pattern::Halves
                                                                    : Pattern::Bytes,
                                   order);
        // Where it begins is the name's: what one tensor is does not hang on others.
        std::size_t at = (std::hash<std::string>()(tensor.name) + seed) * 4 % from.size();
        for (std::size_t done = 0; done < data.size(); at = 0) {
            const std::size_t count = std::min(data.size() - done, from.size() - at);
            std::memcpy(data.data() + done, from.data() + at, count);
            done += count;
        }
        return data;
    }
};

// Values by which small models are models. They differ from each other, so that dimensions cannot be taken for one
// another.
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
    {"attention.max_alibi_bias", 0.0F},
    {"attention.sliding_window", 0U},
    {"rope.dimension_count", 16U},
    {"expert_count", 4U},
    {"expert_used_count", 2U},
    {"expert_feed_forward_length", 32U},
    {"expert_group_count", 2U},
    {"expert_group_used_count", 1U},
    {"expert_gating_func", 1U},
    {"ssm.conv_kernel", 4U},
    {"ssm.inner_size", 128U},
    {"ssm.state_size", 8U},
    {"ssm.time_step_rank", 32U},
    {"ssm.group_count", 1U},
    {"wkv.head_size", 16U},
    {"time_mix_extra_dim", 32U},
    {"time_decay_extra_dim", 32U},
    {"rescale_every_n_layers", 1U},
};

// What may be left open: whether an optional tensor is there, and a tensor's type.
struct PlanChoices {
    std::function<bool(std::string_view role)> optional = [](std::string_view) { return false; };
    std::function<std::uint32_t(const PlannedTensor&)> type = [](const PlannedTensor&) { return 0U; };
};

// "blk.1.attn_q.weight" → "attn_q.weight".
inline std::string roleOf(std::string_view name) {
    const std::size_t dot = name.starts_with("blk.") ? name.find('.', 4) : std::string_view::npos;
    return std::string(dot != std::string_view::npos ? name.substr(dot + 1) : name);
}

// Of optional tensors that exclude each other, those that came second. False: there are none.
inline bool dropUnused(ModelPlan& plan, const Result<inference::Weights>& bound) {
    if (bound || bound.error().code != ErrorCode::TensorsNotUsed || bound.error().args.empty()) {
        return false;
    }
    std::string_view list = bound.error().args.front();
    const std::size_t before = plan.tensors.size();
    while (!list.empty()) {
        const std::string_view name = list.substr(0, list.find(", "));
        std::erase_if(plan.tensors, [&](const PlannedTensor& tensor) { return tensor.name == name; });
        list.remove_prefix(std::min(list.size(), name.size() + 2));
    }
    return plan.tensors.size() != before;
}

// Gives the plan all tensors that a model with its keys has to have, and the optional ones that are chosen. Keys that
// are missing are added. What then still stands against the model is how it came to be refused.
inline void complete(ModelPlan& plan, const PlanChoices& choices) {
    constexpr std::uint64_t kRowsAsTheyLike = 40;
    constexpr int kMostRounds = 96;
    if (plan.tensors.empty()) { // else it is a file of a vocabulary only
        const PlannedKey* width = plan.key("embedding_length");
        const auto* columns = width != nullptr ? std::get_if<std::uint32_t>(&width->value) : nullptr;
        PlannedTensor embedding{.name = "token_embd.weight",
                                .dims = {columns != nullptr ? *columns : 64U, kRowsAsTheyLike}};
        embedding.type = choices.type(embedding);
        plan.tensors.push_back(std::move(embedding));
    }
    std::set<std::string> decided;
    for (int round = 0; round < kMostRounds; ++round) {
        const auto model = plan.header();
        auto shape = model ? inference::readShape(*model) : fail(ErrorCode::NotSupported);
        if (!shape) {
            const std::string missing = !shape.error().args.empty() ? shape.error().args.front() : std::string();
            const std::string prefix = plan.architecture + ".";
            const std::string name = missing.starts_with(prefix) ? missing.substr(prefix.size()) : std::string();
            if (shape.error().code != ErrorCode::NoSuchKey || name.empty() ||
                plan.key(name.substr(0, name.find(','))) != nullptr) {
                return;
            }
            plan.set(name.substr(0, name.find(',')), 8U);
            continue;
        }
        constexpr std::size_t kMostBlocks = 16;
        if (shape->blocks.size() > kMostBlocks) {
            return;
        }
        std::vector<inference::AbsentTensor> absent;
        const auto bound = inference::bindWeights(*model, *shape, inference::SmallTensors::NotRead, &absent);
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
        // What is optional may make other tensors needless, so it goes first.
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

inline ModelPlan planOf(const inference::Architecture& architecture) {
    return {.architecture = std::string(architecture.name), .keys = kPlannedKeys};
}

// A model that runs, with nothing but what it has to have.
inline ModelPlan plainPlan(std::string_view architecture) {
    ModelPlan plan = planOf(*inference::findEngineArchitecture(architecture));
    complete(plan, {});
    return plan;
}

} // namespace gufo::test
