// A folder in Hugging Face's layout of any size, for benchmarks of the conversion.
#pragma once

#include "support/safetensors_builder.h"
#include "tensor/float_formats.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace gufo::bench {

// Blocks of a small Llama whose weights are normally distributed and stored as BF16.
inline void makeLlamaFolder(const std::filesystem::path& folder, std::uint64_t megabytes, std::uint64_t columns) {
    std::mt19937 random(1);
    std::normal_distribution<float> normal(0, 0.02F);
    std::vector<std::byte> matrix(2 * columns * columns);
    for (std::size_t i = 0; i < matrix.size(); i += 2) {
        store(matrix.data() + i, brainFromFloat(normal(random)));
    }
    test::SafetensorsBuilder file;
    const std::uint64_t blocks = std::max<std::uint64_t>((megabytes << 20U) / (4 * matrix.size()), 1);
    for (std::uint64_t block = 0; block < blocks; ++block) {
        for (const char* name : {"q_proj", "k_proj", "v_proj", "o_proj"}) {
            file.tensor("model.layers." + std::to_string(block) + ".self_attn." + name + ".weight", "BF16",
                        {columns, columns}, matrix);
        }
    }
    std::filesystem::create_directories(folder);
    file.write(folder / "model.safetensors");
    std::FILE* config = std::fopen((folder / "config.json").c_str(), "w");
    std::fprintf(config,
                 R"({"architectures":["LlamaForCausalLM"],"hidden_size":%llu,"num_attention_heads":16,)"
                 R"("num_hidden_layers":%llu})",
                 static_cast<unsigned long long>(columns), static_cast<unsigned long long>(blocks));
    std::fclose(config);
}

} // namespace gufo::bench
