#include "inference/engine/compute/team.h"

#include "base/parallel.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <fstream>
#include <sched.h>
#include <set>
#include <string>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace gufo::inference {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// Longer than the pause between two steps of a forward pass, too short to drain a battery. A core that becomes idle is
// what makes the system move a thread there that waits for another core.
constexpr auto kSpin = 50us;
constexpr int kSpinsBetweenLooks = 16; // at the clock

constexpr unsigned kPartsPerWord = 64;

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
    , m_states(threads)
    , m_parts(threads)
    , m_open((threads + kPartsPerWord - 1) / kPartsPerWord) {}

void Team::Awaited::wake() {
    if (m_sleeping.load(std::memory_order_seq_cst) != 0) {
        const std::lock_guard lock(m_mutex);
        m_changed.notify_all();
    }
}

void Team::Awaited::sleepUntilNot(std::uint32_t old) {
    std::unique_lock lock(m_mutex);
    m_sleeping.fetch_add(1, std::memory_order_seq_cst);
    m_changed.wait(lock, [&] { return m_value.load(std::memory_order_seq_cst) != old; });
    m_sleeping.fetch_sub(1, std::memory_order_relaxed);
}

template<typename See>
void Team::seeAwaited(unsigned thread, const See& see) {
    if (thread != 0) {
        (void)see(m_states[0]);
        return;
    }
    for (unsigned other = 1; other < m_size; ++other) {
        if (m_states[other].working() && see(m_states[other])) {
            return;
        }
    }
}

void Team::await(unsigned thread, Awaited& value, std::uint32_t old, Stretches& next) {
    constexpr std::size_t kPiece = 128;
    for (; next.bytes >= kPiece; next.at += kPiece, next.bytes -= kPiece) {
        if (value.load() != old) {
            return;
        }
        for (std::size_t stretch = 0; stretch < next.count; ++stretch) {
            const std::byte* at = next.at + stretch * next.apart;
            __builtin_prefetch(at, 0, 2);
            __builtin_prefetch(at + 64, 0, 2);
        }
    }
    const auto changes = [&] {
        const auto end = Clock::now() + kSpin / 2;
        do {
            for (int i = 0; i < kSpinsBetweenLooks; ++i) {
                if (value.load() != old) {
                    return true;
                }
                relax();
            }
        } while (Clock::now() < end);
        return false;
    };
    if (changes()) {
        return;
    }
    const auto begun = Clock::now();
    TeamThread* watched = nullptr;
    std::int64_t used = 0;
    seeAwaited(thread, [&](TeamThread& other) {
        const auto time = other.processorTime();
        watched = time ? &other : nullptr;
        used = time.value_or(0);
        return watched != nullptr;
    });
    if (changes()) {
        return;
    }
    if (watched != nullptr) {
        const auto time = watched->processorTime();
        if (time && std::chrono::nanoseconds(*time - used) < (Clock::now() - begun) / 2) {
            watched->moveToThisCore(thread == 0 ? TeamThread::Then::Leave : TeamThread::Then::Stay, m_states);
        }
    }
    value.sleepUntilNot(old);
}

void Team::start() {
    m_threads.reserve(m_size - 1);
    while (m_threads.size() + 1 < m_size) {
        const auto thread = static_cast<unsigned>(m_threads.size()) + 1;
        m_threads.emplace_back([this, thread, seen = m_step.load()] { serve(thread, seen); });
    }
}

Team::~Team() {
    m_ending = true;
    m_step.add(1);
    m_step.wake();
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
    m_left.store(m_size);
    for (std::size_t word = 0; word < m_open.size(); ++word) {
        const auto parts = std::min<std::size_t>(kPartsPerWord, m_size - word * kPartsPerWord);
        m_open[word].store(~std::uint64_t{0} >> (kPartsPerWord - parts), std::memory_order_release);
    }
    m_step.add(1);
    m_step.wake();
    Stretches prefetch = this->work(0);
    for (std::uint32_t left = m_left.load(); left != 0; left = m_left.load()) {
        await(0, m_left, left, prefetch);
    }
}

void Team::serve(unsigned thread, std::uint32_t seen) {
    for (Stretches prefetch;;) {
        await(thread, m_step, seen, prefetch);
        seen = m_step.load();
        if (m_ending) {
            return;
        }
        prefetch = work(thread);
    }
}

bool Team::begin(unsigned member) {
    std::atomic<std::uint64_t>& word = m_open[member / kPartsPerWord];
    const std::uint64_t bit = std::uint64_t{1} << (member % kPartsPerWord);
    return (word.load(std::memory_order_relaxed) & bit) != 0 &&
           (word.fetch_and(~bit, std::memory_order_acquire) & bit) != 0;
}

// A thread that wakes up late may find the parts of a later step than the one for which it was woken, which makes no
// difference.
Team::Stretches Team::work(unsigned thread) {
    Stretches prefetch;
    const auto doPart = [&](unsigned member) {
        m_call(m_work, member);
        if (member == thread) {
            prefetch = std::exchange(m_parts[member].next, {});
        }
        if (m_left.add(-1U) == 0) {
            m_left.wake();
        }
    };
    TeamThread& state = m_states[thread];
    state.begin();
    if (begin(thread)) {
        doPart(thread);
    }
    for (unsigned word = 0; word < m_open.size(); ++word) {
        while (const std::uint64_t open = m_open[word].load(std::memory_order_relaxed)) {
            const unsigned member = word * kPartsPerWord + static_cast<unsigned>(std::countr_zero(open));
            if (begin(member)) {
                doPart(member);
            }
        }
    }
    state.end();
    return prefetch;
}

} // namespace gufo::inference
