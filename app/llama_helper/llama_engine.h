// A model loaded with libllama, and the requests of one session with it. Each request returns its last reply and sends
// the ones before it.
//
// Thread contract: belongs to one thread. The stop flag may be set by others.
#pragma once

#include "channel/message.h"
#include "library.h"

#include <atomic>
#include <functional>
#include <span>

namespace gufo {

class LlamaEngine {
public:
    using Send = std::function<void(const channel::Reply&)>;

    LlamaEngine(const Functions& functions, const std::atomic<bool>& stop, Send send);

    // All others need a loaded model. The library is never shut down: the process ends instead, because drivers of GPUs
    // may crash during a shutdown.
    [[nodiscard]] channel::Reply load(const channel::Load& request);
    [[nodiscard]] channel::Reply evaluate(const channel::Evaluate& request);
    [[nodiscard]] channel::Reply truncate(const channel::Truncate& request);
    [[nodiscard]] channel::Reply shift(const channel::Shift& request);
    [[nodiscard]] channel::Reply save(const channel::SaveState& request);
    [[nodiscard]] channel::Reply restore(const channel::RestoreState& request, std::span<const std::byte> state);
    [[nodiscard]] bool isLoaded() const { return m_context != nullptr; }
    // What the library has reported since the previous call.
    [[nodiscard]] static std::string takeLog();

private:
    [[nodiscard]] bool addMachines(const std::vector<std::string>& machines, channel::Failure& why);
    [[nodiscard]] channel::Failed fail(channel::Failure why) const;
    // Drops the tokens from `count` on, or all tokens if that is not possible. Returns how many are left.
    std::uint32_t goBack(std::uint32_t count);

    const Functions& m_llama;
    const std::atomic<bool>& m_stop;
    Send m_send;
    llama_model* m_model = nullptr;
    llama_context* m_context = nullptr;
    llama_memory_t m_memory = nullptr;
    std::uint32_t m_vocabulary = 0;
    std::uint32_t m_capacity = 0; // tokens
    std::uint32_t m_batch = 0;
    std::uint32_t m_outputs = 0;
    std::uint32_t m_held = 0; // tokens
};

} // namespace gufo
