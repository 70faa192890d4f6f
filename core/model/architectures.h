// The known model architectures (general.architecture). Each is a row of architectures.cpp; the key catalogue, validate
// and the memory estimate use them. inference/engine/binding/graph_traits.h says how the engine builds the graphs of
// the architectures that it runs.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gufo {

struct ArchitectureFact {
    std::string_view name; // "llama"
    bool recurrent;        // no block has a KV cache (mamba, rwkv)
    bool cache;            // keeps past keys and values because it generates token by token; false for encoders and
                           // diffusion models
    // Which blocks use sliding-window attention if the file gives a window but no pattern: in every group of
    // `windowPeriod` blocks all but the last (with `globalFirst`, all but the first). 0 means all blocks, 1 none.
    std::uint8_t windowPeriod;
    bool globalFirst;
    std::uint32_t window;      // the default if the file gives no window; 0: no window
    std::string_view required; // suffixes of hyper-parameters without which runtimes refuse the model, comma-separated
    std::string_view expected; // hyper-parameters that the specification requires but runtimes do not need
    // The number of blocks of the models with windows; others of this architecture have none. 0: any number.
    std::uint16_t windowedBlocks = 0;
    // Attention is divided into chunks of `window` positions: a token attends to its own chunk. A window in the file
    // only states whether there are chunks.
    bool chunked = false;
};
[[nodiscard]] std::span<const ArchitectureFact> architectureFacts();
[[nodiscard]] const ArchitectureFact* findArchitecture(std::string_view name);

} // namespace gufo
