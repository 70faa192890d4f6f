// What attention's kernels ask memory for before they need it. Everything has internal linkage.
#pragma once

#include "tensor/kernels/attention.h"

namespace {

constexpr std::size_t kLine = 64; // bytes that memory gives at once
constexpr std::size_t kAhead = 8192;

// Memory answers late, and processors look too little ahead: what is to be fetched while the byte `at` of `size` is
// worked on stands `distance` behind it, in `next` where that is behind the last one.
struct Ahead {
    const std::byte* data;
    std::size_t size;
    const std::byte* next; // may be null
    std::size_t distance = kAhead;

    // How many rows are worked on before `next` begins.
    [[nodiscard]] std::size_t rowsBefore(std::size_t rowBytes) const {
        return size > distance ? (size - distance + rowBytes - 1) / rowBytes : 0;
    }
    [[gnu::always_inline]] [[nodiscard]] const std::byte* of(std::size_t at) const {
        return at + distance < size ? data + at + distance : next != nullptr ? next + (at + distance - size) : data;
    }
};

// A line of what comes later, to the second cache: these loops leave memory idle for part of the time.
[[gnu::always_inline]] inline void fetch(gufo::Later& later) {
    __builtin_prefetch(later.at, 0, 2);
    later.at += later.at < later.end ? kLine : 0;
}

} // namespace
