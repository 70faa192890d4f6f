// What a run will need of memory, told before anything is loaded, and whether this machine has it. Whatever engine
// runs the model: the figures are those of the one that loadForInference() gives.
//
//     const auto needs = memoryNeeds(*model, options);      // or why it cannot run, as loadForInference() would say
//     const MachineMemory machine = machineMemory();
//     switch (judge(*needs, machine)) { … }                 // startSession() refuses what DoesNotFit
//
// Threads: pure functions; they read /proc and /sys, and nothing of the weights but their small tensors.
#pragma once

#include "inference/session/session.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gufo::inference {

// In bytes. All but the weights is memory of the process, taken and touched when the session starts.
struct MemoryNeeds {
    std::uint32_t context = 0;        // tokens that the session will hold
    std::uint32_t trainedContext = 0; // 0: the file does not say
    std::uint64_t weights = 0;        // in the mapping of the file: read again from the disk where memory is short
    std::uint64_t smallTensors = 0;   // norms and biases, decoded once for all sessions
    std::uint64_t kvCache = 0;
    std::uint64_t kvPerToken = 0;     // of the cache, for one more token of context (past any sliding window)
    std::uint64_t recurrentState = 0; // of models without a KV cache
    std::uint64_t scratch = 0;        // activations of a batch, threads' own buffers
    std::uint64_t logits = 0;

    [[nodiscard]] std::uint64_t anonymous() const { return smallTensors + kvCache + recurrentState + scratch + logits; }
    [[nodiscard]] std::uint64_t total() const { return weights + anonymous(); }
};

// `options` as for startSession(). Errors: those of loadForInference() and startSession(), but for memory.
[[nodiscard]] Result<MemoryNeeds> memoryNeeds(const std::shared_ptr<const Model>& model, const SessionOptions& options);

struct MachineMemory {
    std::uint64_t total = 0;     // that this process may use at most: the machine's, or its control group's limit
    std::uint64_t available = 0; // of it, now, without swapping; what the system can take from its file cache counts
};

// From /proc/meminfo and the memory limits of the control groups that this process is in (versions 1 and 2), those
// above them included; on macOS from the kernel. Zeros where the system does not say. The folders are for tests.
[[nodiscard]] MachineMemory machineMemory(const std::filesystem::path& proc = "/proc",
                                          const std::filesystem::path& groups = "/sys/fs/cgroup");

enum class MemoryVerdict : std::uint8_t {
    Fits,
    WeightsExceed, // a warning: parts of the file will be read from the disk again and again, for every token
    DoesNotFit,    // refused: what is not in the file is more than there is
};

// Where the machine's memory is not known, everything fits.
[[nodiscard]] MemoryVerdict judge(const MemoryNeeds& needs, const MachineMemory& machine);

// What is shown of a model before it runs, whether it can or not.
struct MemoryForecast {
    MemoryNeeds needs{};
    MemoryVerdict verdict = MemoryVerdict::Fits;
    // Why the engine does not run it, as memoryNeeds() says; then `needs` is an estimate from the header alone
    // (model/memory_estimate.h).
    std::optional<Error> refusal{};
    // The longest context (at most the trained one, where the file states it, or the one asked for) whose verdict is as
    // good as that of the shortest; nothing where the machine's memory is not known or none is enough.
    std::optional<std::uint64_t> longestContext{};
    std::vector<std::string> leftOut{}; // as LoadedModel::leftOut(); empty where it does not run
};

// Errors: where there is not even an estimate, that of memoryNeeds(); but for what estimateMemory() says of a file that
// is no model, or of one whose metadata lack a figure.
[[nodiscard]] Result<MemoryForecast> forecastMemory(const std::shared_ptr<const Model>& model,
                                                    const SessionOptions& options, const MachineMemory& machine);

} // namespace gufo::inference
