#include "model/import_hash.h"

#include "base/quick_hash.h"

#include <algorithm>

namespace gufo {

Result<std::uint64_t> importHash(const Model& model, const TensorInfo& tensor, const JobContext& job) {
    const auto bytes = GUFO_TRY(model.bytesOf(tensor));
    PieceHash hash;
    for (std::uint64_t at = 0; at < bytes.size(); at += kHashPiece) {
        if (job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        const Bytes piece = bytes.subspan(at, std::min<std::uint64_t>(kHashPiece, bytes.size() - at));
        hash.add(piece);
        job.advance(piece.size());
    }
    if (const auto damage = model.sourceOf(tensor)->damage()) {
        return std::unexpected(*damage);
    }
    return hash.value();
}

} // namespace gufo
