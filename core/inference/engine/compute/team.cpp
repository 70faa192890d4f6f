#include "inference/engine/compute/team.h"

#include "base/parallel.h"

#include <algorithm>
#include <fstream>
#include <sched.h>
#include <set>
#include <string>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace gufo::inference {
namespace {

// About 20 µs: longer than the pause between two steps of a forward pass, too short to drain a battery.
constexpr int kSpins = 4'000;

inline void relax() {
#if defined(__x86_64__)
    _mm_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

} // namespace

unsigned physicalCores() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        return hardwareThreads();
    }
    std::set<std::string> cores; // each core is identified by the list of its threads
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &allowed)) {
            std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list");
            std::string siblings;
            if (!std::getline(file, siblings)) {
                return hardwareThreads();
            }
            cores.insert(std::move(siblings));
        }
    }
    return static_cast<unsigned>(std::max<std::size_t>(1, cores.size()));
}

Team::Team(unsigned threads)
    : m_size(threads)
    , m_prefetches(threads) {}

// Waits until `value` differs from `old`, prefetching meanwhile.
void Team::await(const std::atomic<std::uint32_t>& value, std::uint32_t old, Prefetch& prefetch) {
    constexpr std::size_t kPiece = 128;
    Stretches& next = prefetch.stretches;
    for (int i = 0; i < kSpins;) {
        if (value.load(std::memory_order_acquire) != old) {
            return;
        }
        if (next.bytes >= kPiece) {
            for (std::size_t stretch = 0; stretch < next.count; ++stretch) {
                const std::byte* at = next.at + stretch * next.apart;
                __builtin_prefetch(at, 0, 2);
                __builtin_prefetch(at + 64, 0, 2);
            }
            next.at += kPiece;
            next.bytes -= kPiece;
        } else {
            relax();
            ++i;
        }
    }
    while (value.load(std::memory_order_acquire) == old) {
        value.wait(old, std::memory_order_acquire);
    }
}

void Team::start() {
    m_threads.reserve(m_size - 1);
    while (m_threads.size() + 1 < m_size) {
        const auto member = static_cast<unsigned>(m_threads.size()) + 1;
        // A thread never runs a step from before its start.
        m_threads.emplace_back([this, member, seen = m_step.load(std::memory_order_relaxed)] { serve(member, seen); });
    }
}

Team::~Team() {
    m_ending = true;
    m_step.fetch_add(1, std::memory_order_release);
    m_step.notify_all();
    for (std::thread& thread : m_threads) {
        thread.join();
    }
}

void Team::runErased(Erased call, const void* work) {
    if (size() == 1) {
        call(work, 0);
        return;
    }
    start();
    m_call = call;
    m_work = work;
    m_left.store(static_cast<std::uint32_t>(m_threads.size()), std::memory_order_relaxed);
    m_step.fetch_add(1, std::memory_order_release);
    m_step.notify_all();
    call(work, 0);
    for (std::uint32_t left = m_left.load(std::memory_order_acquire); left != 0;
         left = m_left.load(std::memory_order_acquire)) {
        await(m_left, left, m_prefetches[0]);
    }
}

void Team::serve(unsigned member, std::uint32_t seen) {
    for (;;) {
        await(m_step, seen, m_prefetches[member]);
        ++seen;
        if (m_ending) {
            return;
        }
        m_call(m_work, member);
        if (m_left.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            m_left.notify_one();
        }
    }
}

} // namespace gufo::inference
