// Threads that work on one thing together, again and again, thousands of times a second: a token of a small model takes
// a millisecond and some hundred parallel steps.
//
// Threads: one caller at a time; it works as member 0. Between steps the others spin for a moment, then sleep: a team
// that has nothing to do uses no CPU.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace gufo::inference {

// Cores that this process may run on, hyper-threads counted once.
[[nodiscard]] unsigned physicalCores();

class Team {
public:
    explicit Team(unsigned threads); // at least 1; none is started yet
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    [[nodiscard]] unsigned size() const { return m_alone ? 1 : m_size; }
    // Whether the caller does everything by itself from now on, so that size() is 1: where steps take less time than
    // telling others of them does.
    void workAlone(bool alone) { m_alone = alone; }
    // Starts the threads that are missing; run() does it too. Throws std::system_error where the system gives none.
    void start();

    // Calls work(member) once on every member and returns when all have done.
    template<typename Work>
    void run(const Work& work) {
        runErased([](const void* w, unsigned member) { (*static_cast<const Work*>(w))(member); }, &work);
    }

    // Calls work(begin, end, member) for equal shares of [0, count); shares are multiples of `grain`, the last aside.
    // One share is the caller's, who then disturbs nobody.
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

    // Stretches of memory of one size, the begins of which are `apart` bytes apart.
    struct Stretches {
        const std::byte* at = nullptr;
        std::size_t bytes = 0; // of each
        std::size_t count = 0;
        std::size_t apart = 0;
    };
    // From within work(member): what that member will read next. It asks for these bytes while it waits for the others
    // or for the next step, so that memory is not idle meanwhile. Never read, so they may have gone by then.
    void fetchWhileWaiting(unsigned member, const Stretches& next) { m_ahead[member].stretches = next; }

private:
    struct alignas(64) Ahead { // of a member, and only its own business
        Stretches stretches;
    };
    using Erased = void (*)(const void* work, unsigned member);
    void runErased(Erased call, const void* work);
    void serve(unsigned member, std::uint32_t seen);
    static void await(const std::atomic<std::uint32_t>& value, std::uint32_t old, Ahead& ahead);

    unsigned m_size;
    bool m_alone = false;
    std::vector<std::thread> m_threads;
    std::vector<Ahead> m_ahead;
    alignas(64) std::atomic<std::uint32_t> m_step = 0; // counts runs, and the end as one
    Erased m_call = nullptr;                           // beside it, since it is read whenever m_step has changed
    const void* m_work = nullptr;
    alignas(64) std::atomic<std::uint32_t> m_left = 0; // members that have not done the step
    std::atomic<bool> m_ending = false;
};

} // namespace gufo::inference
