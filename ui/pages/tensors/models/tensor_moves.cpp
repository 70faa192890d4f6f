#include "ui/pages/tensors/models/tensor_moves.h"

#include <map>

namespace gufo::ui {
namespace {

bool sameBytes(const Model& from, const TensorInfo& a, const Model& to, const TensorInfo& b, bool saved) {
    return a.typeId == b.typeId && a.shape == b.shape && a.bytes == b.bytes &&
           (saved || (from.sourceOf(a) == to.sourceOf(b) && a.offset == b.offset));
}

} // namespace

std::vector<TensorMove> tensorMoves(const Model& from, const Model& to, bool saved) {
    std::vector<TensorMove> moves(from.tensors.size());
    std::vector<bool> taken(to.tensors.size());
    std::ptrdiff_t shift = 0; // most tensors are at the same distance as the one before them
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const TensorInfo& tensor = from.tensors[i];
        const auto near = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(i) + shift);
        const bool isNear = near < to.tensors.size() && !taken[near] && to.tensors[near].name == tensor.name;
        if (const auto named = isNear ? std::optional(TensorIndex(near)) : to.findTensor(tensor.name)) {
            shift = static_cast<std::ptrdiff_t>(named->value) - static_cast<std::ptrdiff_t>(i);
            moves[i] = {named, sameBytes(from, tensor, to, to.tensor(*named), saved)};
            taken[named->value] = taken[named->value] || moves[i].sameBytes;
        }
    }
    std::map<std::pair<const ByteSource*, std::uint64_t>, TensorIndex> renamed;
    for (std::size_t i = 0; i < taken.size() && !saved; ++i) {
        if (!taken[i]) {
            renamed.emplace(std::pair(to.sourceOf(to.tensors[i]), to.tensors[i].offset), TensorIndex(i));
        }
    }
    for (std::size_t i = 0; i < moves.size() && !renamed.empty(); ++i) {
        const TensorInfo& tensor = from.tensors[i];
        const auto found = moves[i].sameBytes ? renamed.end() : renamed.find({from.sourceOf(tensor), tensor.offset});
        if (found != renamed.end() && sameBytes(from, tensor, to, to.tensor(found->second), saved)) {
            moves[i] = {found->second, true};
            renamed.erase(found);
        }
    }
    return moves;
}

} // namespace gufo::ui
