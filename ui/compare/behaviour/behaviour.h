// What swapping tensors between two files of a model has shown: how much each part of the tensors changes the answers
// over a text.
//
// Immutable once found, and therefore shared between threads.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::ui {

// Tensors that were swapped together.
struct BehaviourPart {
    std::string name; // "blk.3", "attn_v", "blk.3.attn_v.weight"
    std::vector<std::string> tensors;
    bool refined = false; // its block was measured before, and this is a part of it
    double fromOther = 0; // KL divergence of the reference from itself with the part of the other file, in nats
    double restored = 0;  // how much of the other file's divergence goes away with the part of the reference
};

struct Behaviour {
    double total = 0;          // KL divergence of the other file from the reference, in nats
    std::size_t positions = 0; // over which it is the mean
    std::vector<BehaviourPart> parts;
    // What the parts, except the refined ones, leave unexplained of the total, or exceed it by (negative).
    double interactionFromOther = 0;
    double interactionRestored = 0;
    std::map<std::string, std::size_t, std::less<>> partOf{}; // by tensor: the smallest part that contains it

    // Nothing if the tensor is the same in both files or does not take part in the forward pass.
    [[nodiscard]] const BehaviourPart* find(std::string_view tensor) const {
        const auto found = partOf.find(tensor);
        return found != partOf.end() ? &parts[found->second] : nullptr;
    }
};

} // namespace gufo::ui
