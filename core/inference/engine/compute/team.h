// A thread pool for very short parallel steps: a token of a small model takes a millisecond and some hundred steps.
//
// Thread contract: one caller at a time, which works as member 0. Between steps the other threads spin for a moment and
// then sleep, so that an idle team uses no CPU.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace gufo::inference {

// Number of cores that this process may run on; hyper-threads of one core count once.
[[nodiscard]] unsigned physicalCores();

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

    // Calls work(member) once on every member and returns when all calls have returned (barrier).
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
    // Announces, from within work(member), what that member will read next. It prefetches these bytes while it waits
    // for the others or for the next step, so that memory stays busy. The bytes are never read, so they may be unmapped
    // by then.
    void prefetchWhileWaiting(unsigned member, const Stretches& next) { m_prefetches[member].stretches = next; }

private:
    struct alignas(64) Prefetch { // of one member, accessed by that member only
        Stretches stretches;
    };
    using Erased = void (*)(const void* work, unsigned member);
    void runErased(Erased call, const void* work);
    void serve(unsigned member, std::uint32_t seen);
    static void await(const std::atomic<std::uint32_t>& value, std::uint32_t old, Prefetch& prefetch);

    unsigned m_size;
    bool m_alone = false;
    std::vector<std::thread> m_threads;
    std::vector<Prefetch> m_prefetches;
    alignas(64) std::atomic<std::uint32_t> m_step = 0; // incremented by each run and by the destructor
    Erased m_call = nullptr;                           // next to m_step, because it is read whenever that changes
    const void* m_work = nullptr;
    alignas(64) std::atomic<std::uint32_t> m_left = 0; // members that have not finished the step
    std::atomic<bool> m_ending = false;
};

} // namespace gufo::inference
