// A thread pool for very short parallel steps: a token of a small model takes a millisecond and some hundred steps.
//
// On a busy machine, a thread may lose its core for some milliseconds. No thread waits for one that has not begun its
// part of a step: the first thread that is done takes that part over. A thread that has to wait for one without a core
// yields its own core to it (team_thread.h).
//
// Thread contract: one caller at a time, which works as member 0. Between steps the other threads spin for a moment and
// then sleep, so that an idle team uses no CPU.
#pragma once

#include "inference/engine/compute/team_thread.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace gufo::inference {

// Number of cores that this process may run on; hyper-threads of one core count once.
[[nodiscard]] unsigned physicalCores();

// Batches of fewer multiplications than this run on one thread. Waking the others for some 40 steps takes 2 µs each on
// an idle machine and a scheduler time slice each on a busy one, which is longer than the work itself.
inline constexpr std::uint64_t kWorthSharing = 4'000'000;

class Team {
public:
    explicit Team(unsigned threads); // at least 1; threads are started by start() or the first run()
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    [[nodiscard]] unsigned size() const { return m_alone ? 1 : m_size; }
    // Makes the caller do all work itself, so that size() is 1. Useful where waking the others would take longer than
    // the step.
    void workAlone(bool alone) { m_alone = alone; }
    // Starts the missing threads; run() does so too. Throws std::system_error where the system has no threads left.
    void start();

    // Calls work(member) once for every member and returns when all calls have returned (barrier). A member is a part
    // of the work and of the memory; its thread usually does that part, but another may, after its own.
    template<typename Work>
    void run(const Work& work) {
        runErased([](const void* w, unsigned member) { (*static_cast<const Work*>(w))(member); }, &work);
    }

    // Calls work(begin, end, member) for equal shares of [0, count). All shares but the last are multiples of `grain`.
    // A single share runs on the caller without waking other threads.
    template<typename Work>
    void forShares(std::uint64_t count, std::uint64_t grain, const Work& work) {
        const std::uint64_t grains = (count + grain - 1) / grain;
        if (grains == 1) {
            work(0, count, 0);
            return;
        }
        run([&](unsigned member) {
            const std::uint64_t begin = grains * member / size() * grain;
            const std::uint64_t end = std::min(count, grains * (member + 1) / size() * grain);
            if (begin < end) {
                work(begin, end, member);
            }
        });
    }

    // Equally long stretches of memory whose beginnings are `apart` bytes apart.
    struct Stretches {
        const std::byte* at = nullptr;
        std::size_t bytes = 0; // of each
        std::size_t count = 0;
        std::size_t apart = 0;
    };
    // Announces, from within work(member), the memory that the member will read next. Its thread prefetches these bytes
    // while it waits for the others or for the next step, so that memory stays busy. The bytes are never read, so they
    // may be unmapped by then.
    void prefetchWhileWaiting(unsigned member, const Stretches& next) { m_parts[member].next = next; }

private:
    // The part of a member, accessed only by the thread that does it.
    struct alignas(64) Part {
        Stretches next;
    };
    using Erased = void (*)(const void* work, unsigned member);
    void runErased(Erased call, const void* work);
    void serve(unsigned thread, std::uint32_t seen);
    // Does the thread's part of the step, and then the parts that no thread has begun. Returns the memory to prefetch.
    Stretches work(unsigned thread);
    [[nodiscard]] bool begin(unsigned member); // whether no thread has begun the part of the member
    // A number that threads wait for, at first spinning and then asleep. std::atomic::wait() would yield before it
    // sleeps, which costs a thread its time slice where it shares a core.
    class Awaited {
    public:
        [[nodiscard]] std::uint32_t load() const { return m_value.load(std::memory_order_acquire); }
        void store(std::uint32_t value) { m_value.store(value, std::memory_order_relaxed); }
        std::uint32_t add(std::uint32_t difference) {
            return m_value.fetch_add(difference, std::memory_order_seq_cst) + difference;
        }
        void wake();
        // Waits asleep until the number differs from `old`.
        void sleepUntilNot(std::uint32_t old);

    private:
        std::atomic<std::uint32_t> m_value = 0;
        std::atomic<std::uint32_t> m_sleeping = 0; // threads
        std::mutex m_mutex;
        std::condition_variable m_changed;
    };
    // Waits until `value` differs from `old`: prefetches, spins, sees to it that the threads for which it waits have a
    // core, and sleeps.
    void await(unsigned thread, Awaited& value, std::uint32_t old, Stretches& next);
    // Calls see(thread) for each thread that `thread` may be waiting for, until it returns true.
    template<typename See>
    void seeAwaited(unsigned thread, const See& see);

    unsigned m_size;
    bool m_alone = false;
    std::vector<std::thread> m_threads;
    std::vector<TeamThread> m_states; // of the caller and of m_threads
    std::vector<Part> m_parts;
    std::vector<std::atomic<std::uint64_t>> m_open; // one bit for each part of the step that no thread has begun
    alignas(64) Awaited m_step;                     // incremented by each run and by the destructor
    Erased m_call = nullptr;                        // next to m_step, because it is read whenever that changes
    const void* m_work = nullptr;
    alignas(64) Awaited m_left; // parts that are not finished
    std::atomic<bool> m_ending = false;
};

} // namespace gufo::inference
