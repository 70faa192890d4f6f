// The body of forEachPiece (scan.h).
#pragma once

#include "analysis/scan.h"
#include "tensor/decode.h"

#include <algorithm>
#include <array>

namespace gufo {

template<typename T, typename Use>
bool forEachPieceOf(const ScanSlot& slot, ByteOrder order, const JobContext& job, Use use) {
    constexpr std::size_t kPiece = 16'384 / sizeof(T); // a multiple of every block size
    alignas(64) std::array<T, kPiece> values;
    const TensorTypeInfo& type = *slot.item->type;
    const std::size_t pieceBytes = kPiece / type.blockSize * type.blockBytes;
    for (std::size_t at = 0; at < slot.bytes.size(); at += pieceBytes) {
        if (job.stopRequested()) {
            return false;
        }
        const Bytes piece = slot.bytes.subspan(at, std::min(pieceBytes, slot.bytes.size() - at));
        const auto out = std::span(values).first(piece.size() / type.blockBytes * type.blockSize);
        if constexpr (sizeof(T) == sizeof(double)) {
            static_cast<void>(decode64(type.id, piece, out, order));
        } else {
            static_cast<void>(decode(type.id, piece, out, order));
        }
        use(out.data(), out.size());
    }
    return true;
}

template<typename Use>
bool forEachPiece(const ScanSlot& slot, ByteOrder order, const JobContext& job, Use use) {
    return needsDouble(slot.item->type->id) ? forEachPieceOf<double>(slot, order, job, use)
                                            : forEachPieceOf<float>(slot, order, job, use);
}

} // namespace gufo
