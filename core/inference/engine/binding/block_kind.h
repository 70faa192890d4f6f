// The kinds of blocks: one row each. A row is defined in the file of blocks/ that has everything about its kind: the
// hyper-parameters, the tensors, the forward pass and the size of the state. An architecture names its kinds in its row
// of graph_traits.cpp, and nothing else lists them.
//
// Thread contract: rows are constant; what their functions read and bind is constant afterwards.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace gufo::inference {

class BlockStack;      // blocks/forward.h
class Mixer;           // blocks/mixer.h
class ShapeReader;     // shape_reader.h
class WeightBinder;    // weight_binder.h
struct ForwardContext; // blocks/forward.h
struct StackOptions;   // blocks/forward.h

// The hyper-parameters of a kind, and the tensors of a block of it. Only the file of the kind knows their members.
struct KindShape {
    virtual ~KindShape() = default;
};
struct KindWeights {
    virtual ~KindWeights() = default;
};

// Blocks that mix their tokens by a state of constant size, instead of attention or beside it (blocks/mixer.h).
struct RecurrentKind {
    std::string_view name; // as its authors call it
    std::shared_ptr<const KindShape> (*readShape)(ShapeReader& reader);
    std::shared_ptr<const KindWeights> (*bind)(WeightBinder& binder);
    std::size_t weightBytes; // of the object that `bind` returns
    std::unique_ptr<Mixer> (*make)(const ForwardContext& context, std::size_t batch);
};
extern const RecurrentKind kMamba;            // blocks/mamba.cpp
extern const RecurrentKind kMamba2;           // blocks/mamba2.cpp
extern const RecurrentKind kShortConvolution; // blocks/convolution.cpp
extern const RecurrentKind kGatedDelta;       // blocks/delta_net.cpp
extern const RecurrentKind kKimiDelta;

// A part that blocks with attention may have besides, for which attention or the stream change.
struct PartKind {
    void (*readShape)(ShapeReader& reader);
    void (*bindModel)(WeightBinder& binder); // the tensors that all blocks share; null: there are none
    void (*bind)(WeightBinder& binder, std::size_t block);
};
extern const PartKind kLatentAttention; // blocks/latent.cpp
extern const PartKind kIndexer;         // blocks/indexer.cpp
extern const PartKind kAltUp;           // blocks/alt_up.cpp

// All blocks of a model, with everything around the mixing of tokens.
struct StackKind {
    std::string_view name; // of the mixing of tokens, as its authors call it; empty: each block has its own
    bool attends;
    void (*readShape)(ShapeReader& reader);
    void (*bind)(WeightBinder& binder, std::size_t block);
    std::unique_ptr<BlockStack> (*make)(const ForwardContext& context, const StackOptions& options);
};
extern const StackKind kTransformer; // blocks/transformer.cpp
extern const StackKind kRwkv6;       // blocks/rwkv.cpp
extern const StackKind kRwkv7;       // blocks/rwkv7.cpp

} // namespace gufo::inference
