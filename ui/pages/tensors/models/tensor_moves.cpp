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
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const TensorInfo& tensor = from.tensors[i];
        if (const auto named = to.findTensor(tensor.name)) {
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
