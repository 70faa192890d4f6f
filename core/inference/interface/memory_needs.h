// Predicts the memory that a run needs before anything is loaded, and judges whether this machine has it. The figures
// hold for the engine that loadForInference() returns.
//
//     const auto needs = memoryNeeds(*model, options);      // or the reason why it cannot run
//     const MachineMemory machine = machineMemory();
//     switch (judge(*needs, machine)) { … }                 // startSession() refuses what DoesNotFit
//
// Thread contract: pure functions. They read /proc and /sys, and of the weights only the small tensors.
#pragma once

#include "inference/interface/session.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gufo::inference {

// In bytes. Everything but the weights is anonymous memory, allocated and touched when the session starts.
struct MemoryNeeds {
    std::uint32_t context = 0;        // tokens that the session can hold
    std::uint32_t trainedContext = 0; // 0: the file does not state it
    std::uint64_t weights = 0;        // mapped from the file, and read from the disk again when memory is short
    std::uint64_t smallTensors = 0;   // norms and biases, decoded once for all sessions
    std::uint64_t kvCache = 0;
    std::uint64_t kvPerToken = 0;     // additional KV cache for one more token of context (past any sliding window)
    bool slidingWindows = false;      // blocks keep a window only, so that the KV cache is not a multiple of kvPerToken
    std::uint64_t recurrentState = 0; // of blocks without a KV cache, or beside it
    std::uint64_t snapshots = 0;      // copies of the recurrent state, so that a session can go back
    std::uint64_t scratch = 0;        // activations of a batch and buffers of the threads
    std::uint64_t logits = 0;

    [[nodiscard]] std::uint64_t anonymous() const {
        return smallTensors + kvCache + recurrentState + snapshots + scratch + logits;
    }
    [[nodiscard]] std::uint64_t total() const { return weights + anonymous(); }
};

struct MachineMemory {
    std::uint64_t total = 0; // the most this process may use: the machine's memory or the limit of its control group
    std::uint64_t available = 0; // the part that is free now without swapping; reclaimable file cache counts as free
};

// Read from /proc/meminfo and from the memory limits of the control groups (versions 1 and 2) that contain this
// process; on macOS from the kernel. Both figures are 0 where the system does not report them. Tests pass other
// folders.
[[nodiscard]] MachineMemory machineMemory(const std::filesystem::path& proc = "/proc",
                                          const std::filesystem::path& groups = "/sys/fs/cgroup");

enum class MemoryVerdict : std::uint8_t {
    Fits,
    WeightsExceed, // a warning: parts of the file will be read from the disk again for every token
    DoesNotFit,    // refused: the anonymous memory alone exceeds what the machine has
};

// Everything fits where the machine's memory is not known.
[[nodiscard]] MemoryVerdict judge(const MemoryNeeds& needs, const MachineMemory& machine);

// The memory needs that the program shows before a model runs, whether it can run or not.
struct MemoryForecast {
    MemoryNeeds needs{};
    MemoryVerdict verdict = MemoryVerdict::Fits;
    // Why the engine cannot run the model, as memoryNeeds() reports it. `needs` is then an estimate from the header
    // alone (model/memory_estimate.h). It makes no difference whether the model is on a server.
    std::optional<Error> refusal{};
    // Shards are missing, or the sizes of tensors are unknown: the model needs more than `needs` states.
    bool partial = false;
    // The longest context with a verdict as good as the verdict of the shortest one. Its upper bound is the trained
    // context, or the requested one where the file states none. Empty where the machine's memory or the whole need is
    // not known, or no context fits.
    std::optional<std::uint64_t> longestContext{};
    std::vector<std::string> leftOut{}; // as LoadedModel::leftOut(); empty where the model cannot run
    Result<> mtpDrafts{};               // as LoadedModel::mtpDrafts(), if the options ask for them and the model runs
};

} // namespace gufo::inference
