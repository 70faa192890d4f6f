// Prefetching for the attention kernels. Everything has internal linkage.
#pragma once

#include "tensor/kernels/attention.h"

namespace {

constexpr std::size_t kLine = 64; // bytes of a cache line
constexpr std::size_t kPrefetchDistance = 16'384;

// Prefetches a cache line into the L2 cache. Prefetches into the L1 cache would occupy its few buffers for outstanding
// loads until memory answers, and then wait for each other: attention took as long as computing and reading together.
[[gnu::always_inline]] inline void prefetchFar(const std::byte* at) { __builtin_prefetch(at, 0, 2); }

// Chooses what to prefetch, because memory latency is high and the hardware prefetchers do not look far enough ahead.
// While byte `at` of `size` is processed, the kernel prefetches the byte `distance` beyond it; beyond the end of the
// data, prefetching continues in `next`.
struct PrefetchWindow {
    const std::byte* data;
    std::size_t size;
    const std::byte* next; // may be null
    std::size_t distance = kPrefetchDistance;

    // The number of rows that are processed before prefetching reaches `next`.
    [[nodiscard]] std::size_t rowsBefore(std::size_t rowBytes) const {
        return size > distance ? (size - distance + rowBytes - 1) / rowBytes : 0;
    }
    [[gnu::always_inline]] [[nodiscard]] const std::byte* addressFor(std::size_t at) const {
        return at + distance < size ? data + at + distance : next != nullptr ? next + (at + distance - size) : data;
    }
};

// Prefetches one cache line of the range into the L2 cache. The attention loops leave memory idle part of the time.
[[gnu::always_inline]] inline void prefetchLine(gufo::PrefetchRange& upcoming) {
    prefetchFar(upcoming.at);
    upcoming.at += upcoming.at < upcoming.end ? kLine : 0;
}

// Prefetches the block of rows after the one that is being processed, and then the upcoming range. The passes over a
// block call step() at regular intervals.
struct BlockPrefetch {
    PrefetchWindow window;
    std::size_t at;
    std::size_t end;
    std::size_t lines; // in each step
    gufo::PrefetchRange& upcoming;

    [[gnu::always_inline]] void step() {
        for (std::size_t i = 0; i < lines; ++i, at += kLine) {
            if (at < end) {
                prefetchFar(window.addressFor(at));
            } else {
                prefetchLine(upcoming);
            }
        }
    }
};

} // namespace
