// A thread of a team and the core that it runs on. The system shares each core among the threads that it has queued
// there, but it is slow to notice that a core is idle because its thread waits for one that is queued elsewhere.
//
// Where the system cannot move single threads, the functions do nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>

namespace gufo::inference {

class alignas(64) TeamThread {
public:
    // Called by the thread itself. Between these calls others may wait for it.
    void begin();
    void end();
    [[nodiscard]] bool working() const { return m_working.load(std::memory_order_relaxed); }

    // Processor time that the thread has used, in nanoseconds; nothing if it has ended. Called by any thread.
    [[nodiscard]] std::optional<std::int64_t> processorTime() const;

    enum class Then : std::uint8_t {
        Leave, // goes to the other core after end()
        Stay,  // keeps the core, and the calling thread moves to the other one
    };
    // Lets the thread run on the core of the calling thread, which is about to sleep. The other core is the one that it
    // comes from or, if that is the same, one where no thread of the `team` works.
    void moveToThisCore(Then then, std::span<const TeamThread> team);

private:
    static constexpr int kNone = -1;
    [[nodiscard]] static int coreWithout(std::span<const TeamThread> team, int after);

    std::atomic<int> m_id = kNone;   // known to the system
    std::atomic<int> m_core = kNone; // where it was at its last begin()
    std::atomic<int> m_leaveFor = kNone;
    std::atomic<bool> m_working = false;
};

} // namespace gufo::inference
