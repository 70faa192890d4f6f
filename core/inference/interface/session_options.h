// The options with which a session of a model is started, for all engines.
#pragma once

#include "model/memory_estimate.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

class PrefixStore; // inference/prefixes/prefix_store.h

// The scaling of rotary positions to a longer context than the model was trained with.
enum class RopeScaling : std::uint8_t { None, Linear, Yarn, LongRope };

// The values of rope.scaling.type: "none", "linear", "yarn", "longrope".
[[nodiscard]] std::string_view ropeScalingName(RopeScaling scaling);
[[nodiscard]] std::optional<RopeScaling> ropeScalingFromName(std::string_view name);

// What the user overrides of it. Unset members keep the file's values.
struct RopeOverride {
    std::optional<double> base{};  // of the frequencies
    std::optional<double> scale{}; // context factor; linear where neither the file nor `scaling` names a method
    // Replaces the file's own scaling and its factors for each pair (Llama 3, LongRoPE). LongRope itself cannot be
    // requested, because its factors come from the file.
    std::optional<RopeScaling> scaling{};
    std::optional<std::uint32_t> originalContext{}; // before scaling; needed for YaRN's ramp

    [[nodiscard]] bool stretches() const { return base || scale || scaling; }
    bool operator==(const RopeOverride&) const = default;
};

// Where an engine runs that is not in this process.
struct ServerAccess {
    std::string address{}; // "http://127.0.0.1:8080"; empty: the engine runs in this process
    std::string key{};     // empty: none. It stays in memory, is sent to this address only and is never logged
    bool operator==(const ServerAccess&) const = default;
};

// The devices that compute in addition to the processor.
struct Offload {
    static constexpr std::int32_t kAllLayers = -1;
    std::int32_t layers = kAllLayers;    // with the weights in the memory of GPUs and of other machines
    std::vector<std::string> machines{}; // "host:port" of machines that run llama.cpp's rpc-server; not encrypted
    bool operator==(const Offload&) const = default;
};
// The entries of a list that is separated by commas or spaces.
[[nodiscard]] std::vector<std::string> machinesOf(std::string_view list);

struct SessionOptions {
    static constexpr std::uint32_t kTrainedContext = ~0U;

    std::uint32_t context = 0; // in tokens; 0: the context that the model was trained with, at most 4096
    // A responder that needs more for a prompt and its answer makes its session longer, up to this many tokens; 0: it
    // keeps `context`.
    std::uint32_t longestContext = 0;
    // The context whose length chooses between the short and long factors of LongRoPE, which change all logits. 0: the
    // session's context. kTrainedContext: the model's context, for a session that reserves memory for few tokens only.
    std::uint32_t ropeContext = 0;
    std::uint32_t batch = 512; // tokens evaluated together
    KvCacheType keys = KvCacheType::F16;
    KvCacheType values = KvCacheType::F16;
    unsigned threads = 0; // 0: one for each physical core
    RopeOverride rope{};
    std::uint32_t logitRows = 1; // rows of logits to reserve; evaluations with Logits::All may need more
    bool mtpDrafts = false;      // Session::startMtpDrafts() will be called: its memory is needed too
    ServerAccess server{};       // for engines with Engine::remote
    Offload offload{};           // for engines with ObeyedOptions::offload
    // Where a responder that owns its session stores states of it, so that later ones need not evaluate the same
    // prefixes of prompts. Null: only the session itself keeps what it holds.
    std::shared_ptr<PrefixStore> prefixes{};
};

} // namespace gufo::inference
