// The hyper-parameters that the forward pass needs, read from the metadata and checked once.
#pragma once

#include "base/error.h"
#include "inference/engine/binding/architecture.h"
#include "inference/engine/blocks/rope_scaling.h"
#include "model/model.h"

#include <cstdint>
#include <vector>

namespace gufo::inference {

struct RopeShape {
    double base = 10'000;
    double scale = 1; // frequencies are multiplied by it: 1 / factor
    RopeScaling scaling = RopeScaling::None;
    double attentionFactor = 1;        // sines and cosines are multiplied by it
    std::uint32_t originalContext = 0; // before scaling
    double yarnFast = 32;
    double yarnSlow = 1;
    double yarnLogMultiplier = 0; // deepseek2: scores grow with the scaling
    bool pairFactors = true;      // the file's factors for each pair count, if it has any
};

struct BlockShape {
    std::uint32_t heads = 0;
    std::uint32_t kvHeads = 0;
    std::uint32_t window = 0; // tokens that attention looks back on, itself included; 0: all
    std::uint32_t feedForward = 0;
};

struct ExpertShape {
    std::uint32_t count = 0;
    std::uint32_t used = 0;
    bool normalised = true;
    double scale = 1;
    bool sigmoid = false;     // gates by sigmoid, not softmax
    std::uint32_t groups = 1; // of experts; the best `usedGroups` are looked at
    std::uint32_t usedGroups = 1;
};

struct SsmShape {
    std::uint32_t convolution = 0;
    std::uint32_t inner = 0;
    std::uint32_t state = 0;
    std::uint32_t timeStepRank = 0;
    bool normed = false; // dt, B and C pass an RMS norm
};

struct RwkvShape {
    std::uint32_t headSize = 0;
    std::uint32_t timeMixExtra = 0;
    std::uint32_t timeDecayExtra = 0;
    std::uint32_t rescaleEvery = 0;
};

struct ModelShape {
    const Architecture* architecture = nullptr;
    std::uint32_t embedding = 0;
    std::uint32_t vocabulary = 0;
    std::uint32_t trainedContext = 0;
    std::uint32_t keyLength = 0;   // of a head
    std::uint32_t valueLength = 0; // of a head
    std::uint32_t rotated = 0;     // elements of a head that rotate
    std::uint32_t queryRank = 0;   // latent attention; 0: queries are projected at once
    std::uint32_t keyValueRank = 0;
    double epsilon = 1e-5;
    double queryFactor = 1; // scores are multiplied by it
    double alibi = 0;
    double clamp = 0;        // of queries, keys and values; 0: none
    double attentionCap = 0; // soft, of scores
    double logitCap = 0;     // soft
    double logitFactor = 1;
    bool parallel = false; // ByNorms is decided block by block
    RopeShape rope;
    RopeShape windowRope; // of blocks with a window
    ExpertShape experts;
    SsmShape ssm;
    RwkvShape rwkv;
    std::vector<BlockShape> blocks;   // those that are evaluated
    std::uint32_t declaredBlocks = 0; // by the file: more where the last ones only predict further tokens
};

// Errors: NotRunnable (args: the architecture and tensor types, the scaling or the kind of file that the engine has no
// code for), NoSuchKey (args: the hyper-parameters that are missing or have no sensible value).
[[nodiscard]] Result<ModelShape> readShape(const Model& model);

// The shape that a session runs with: what is asked for takes the place of the file's scaling, and what depends on it
// is worked out. Once for each shape that readShape() gave. Errors: see LoadedModel::startSession().
[[nodiscard]] Result<ModelShape> withRope(ModelShape shape, const RopeOverride& asked);

} // namespace gufo::inference
