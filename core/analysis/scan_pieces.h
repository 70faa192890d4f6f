// The implementation of forEachPiece() (scan.h).
#pragma once

#include "analysis/scan.h"
#include "base/byte_source.h"
#include "tensor/decode.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace gufo {

// Prefetching of the encoded bytes of the next piece, while the kernels compute with the last one.

// Loads the bytes into the L2 cache. The hardware does not look as far ahead as a piece. GCC drops calls of a function
// that only prefetches unless it is inlined early.
[[gnu::always_inline]] inline void prefetch(Bytes bytes) {
    constexpr std::size_t kLine = 64;
    for (std::size_t at = 0; at < bytes.size(); at += kLine) {
        __builtin_prefetch(bytes.data() + at, 0, 2);
    }
}

// The weights of a slot as they are stored, if no decoding is necessary; otherwise null.
inline const float* storedFloats(const ScanSlot& slot) {
    const StoredRows& rows = slot.item->rows;
    const bool same = slot.item->type().id == static_cast<std::uint32_t>(TensorType::F32) &&
                      (rows.order == ByteOrder::Little) == (std::endian::native == std::endian::little) &&
                      rows.layout.strides() == nullptr && slot.bytes.size() >= slot.weights * sizeof(float) &&
                      std::bit_cast<std::uintptr_t>(slot.bytes.data()) % alignof(float) == 0;
    return same ? reinterpret_cast<const float*>(slot.bytes.data()) : nullptr;
}

// The bytes of the weights [at, at + count) of a slot; none if they are not stored in order.
inline Bytes bytesOfPiece(const ScanSlot& slot, std::uint64_t at, std::uint64_t count) {
    if (at >= slot.weights || slot.item->rows.layout.strides() != nullptr) {
        return {};
    }
    const RowLayout& layout = slot.item->rows.layout;
    const ByteRange range = layout.range(slot.firstWeight + at, std::min(count, slot.weights - at));
    return slot.bytes.subspan(range.offset - layout.offset(slot.firstWeight), range.length);
}

template<typename T, typename Use>
bool forEachPieceOf(const ScanSlot& slot, const JobContext& job, Use use) {
    // Multiples of every block size. Stored floats are read from memory by the first kernel that uses them, at the
    // speed of the hardware's prefetching, which restarts with every piece, and by the second one from the L2 cache.
    constexpr std::size_t kPiece = 16'384 / sizeof(T);
    constexpr std::size_t kStoredPiece = 65'536 / sizeof(T);
    alignas(64) std::array<T, kPiece> values;
    const float* stored = nullptr;
    if constexpr (sizeof(T) == sizeof(float)) {
        stored = storedFloats(slot);
    }
    const std::size_t most = stored != nullptr ? kStoredPiece : kPiece;
    for (std::uint64_t at = 0; at < slot.weights; at += most) {
        if (job.stopRequested()) {
            return false;
        }
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(most, slot.weights - at));
        if constexpr (sizeof(T) == sizeof(float)) {
            if (stored != nullptr) {
                use(stored + at, count);
                continue;
            }
        }
        const auto out = std::span(values).first(count);
        if constexpr (sizeof(T) == sizeof(double)) {
            static_cast<void>(decode64(slot.item->rows, slot.firstWeight + at, out));
        } else {
            static_cast<void>(decode(slot.item->rows, slot.firstWeight + at, out));
        }
        prefetch(bytesOfPiece(slot, at + most, most));
        use(out.data(), out.size());
    }
    return true;
}

template<typename Use>
bool forEachPiece(const ScanSlot& slot, const JobContext& job, Use use) {
    return needsDouble(slot.item->type().id) ? forEachPieceOf<double>(slot, job, use)
                                             : forEachPieceOf<float>(slot, job, use);
}

} // namespace gufo
