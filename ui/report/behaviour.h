// What swapping tensors between two files of a model has shown: how much each part of the tensors changes the answers
// over a text, and how far the states of the two files are apart after each block.
//
// Immutable once found, and therefore shared between threads.
#pragma once

#include "inference/measuring/blame.h"

#include <QStringList>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::ui {

// Tensors that were swapped together.
struct BehaviourPart {
    std::string name; // "blk.3", "attn_v", "blk.3.attn_v.weight", "blk.3[5]" (an expert)
    std::vector<std::string> tensors;
    std::optional<std::uint64_t> expert{}; // only this matrix of each tensor
    bool refined = false;                  // its block was measured before, and this is a part of it
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
    // The smallest part that contains a tensor, or the matrix of an expert in it ("blk.3.ffn_up_exps.weight[5]").
    std::map<std::string, std::size_t, std::less<>> partOf{};
    QStringList tokens{};                           // the text, as it was evaluated
    std::vector<inference::LayerDistance> layers{}; // by block, with figures for each token

    void add(BehaviourPart part) {
        for (const std::string& tensor : part.tensors) {
            partOf.insert_or_assign(part.expert ? keyOf(tensor, *part.expert) : tensor, parts.size());
        }
        parts.push_back(std::move(part));
    }
    // Nothing if the tensor is the same in both files or does not take part in the forward pass.
    [[nodiscard]] const BehaviourPart* find(std::string_view tensor, std::optional<std::uint64_t> expert = {}) const {
        auto found = expert ? partOf.find(keyOf(tensor, *expert)) : partOf.end();
        found = found != partOf.end() ? found : partOf.find(tensor);
        return found != partOf.end() ? &parts[found->second] : nullptr;
    }

private:
    [[nodiscard]] static std::string keyOf(std::string_view tensor, std::uint64_t expert) {
        return std::string(tensor) + "[" + std::to_string(expert) + "]";
    }
};

[[nodiscard]] bool hasRoutes(const Behaviour& behaviour); // some block has experts

// Means over all tokens, one for each block.
[[nodiscard]] std::vector<double> meanDistances(const Behaviour& behaviour);

// After which block the states grow apart most, how far they are apart at the end, and where the routers part first: a
// sentence each. Empty without figures.
[[nodiscard]] QStringList layerWords(const Behaviour& behaviour);

} // namespace gufo::ui
