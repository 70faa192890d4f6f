// A LoRA adapter in GGUF and the tensors of a base model that it changes.
//
// For a matrix NAME of the base the adapter has two factors, "NAME.lora_a" (A) and "NAME.lora_b" (B). The weights
// become W + strength × alpha / rank × B·A, as runtimes compute it. With the fastest dimension first, A has the shape
// [columns, rank] and B [rank, rows]; stacked experts have a pair each, along the third dimension. For the table of
// token embeddings the factors change their roles: A is [rank, rows] and B [rank, columns].
//
// A tensor of the adapter that is no factor takes the place of the base model's tensor of that name: modules that were
// trained whole (modules_to_save in PEFT), and the norms of extracted adapters.
//
// Threads: immutable.
#pragma once

#include "model/model.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace gufo {

struct AdaptedTensor {
    TensorIndex tensor{0}; // of the base model
    TensorIndex a{0};      // of the adapter
    TensorIndex b{0};
    std::uint64_t rank = 0;
    bool isTable = false; // the factors have the roles of the table of token embeddings
};

struct ReplacedTensor {
    TensorIndex tensor{0}; // of the base model
    TensorIndex by{0};     // of the adapter
};

struct Adapter {
    std::shared_ptr<const Model> model;
    double alpha = 0;                     // 0: the products are not divided by the rank
    std::vector<AdaptedTensor> tensors;   // in the base model's order, as is:
    std::vector<ReplacedTensor> replaced; // a tensor may be in both lists: the product is added to what replaces it

    // The factor by which the product B·A is multiplied.
    [[nodiscard]] double scaleOf(const AdaptedTensor& tensor, double strength) const {
        return alpha == 0 ? strength : strength * alpha / static_cast<double>(tensor.rank);
    }
    // Null if the adapter does not change the tensor in this way.
    [[nodiscard]] const AdaptedTensor* productOf(TensorIndex tensor) const;
    [[nodiscard]] const ReplacedTensor* replacementOf(TensorIndex tensor) const;
};

// Finds the tensors that the adapter changes. Errors, with the adapter's file and tensor: NotSupported
// (Detail::NotAnAdapter, AdapterArchitecture; PartMissing where a factor lacks its counterpart); NoSuchTensor (the base
// model lacks the tensor); WrongShape.
[[nodiscard]] Result<Adapter> matchAdapter(const Model& base, std::shared_ptr<const Model> adapter);

// A change of the adapter that the base model cannot take.
struct UnfitTensor {
    std::string name; // of the base model's tensor, "blk.0.attn_q.weight"
    Error why;
};
// The same for tensors that need not all fit.
struct AdapterFit {
    Adapter adapter;                // with the tensors that fit; there may be none
    std::vector<UnfitTensor> unfit; // in the adapter's order
};
// Errors: NotSupported (Detail::NotAnAdapter, AdapterArchitecture), with the adapter's file.
[[nodiscard]] Result<AdapterFit> fitAdapter(const Model& base, std::shared_ptr<const Model> adapter);

} // namespace gufo
