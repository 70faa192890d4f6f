// Measures describing the architecture of a model with 2,000 tensors, which a diagram then lays out: the time of
// processor that it takes (goal: at most 100 ms together with the layout), and its ratio to parsing the names of the
// tensors, without which no description is possible. Models that fold into few runs, and models in which every block
// differs.
#include "goal_verdict.h"
#include "inference/structure/model_structure.h"
#include "model/tensor_role.h"
#include "support/model_maker.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>

using namespace gufo;

namespace {

constexpr int kRounds = 15;
constexpr std::uint32_t kBlocks = 166; // of twelve tensors
constexpr double kGoal = 0.1;          // seconds

std::shared_ptr<const Model> model(bool folds) {
    test::ModelMaker maker("qwen3");
    maker.u32("qwen3.block_count", kBlocks);
    maker.u32("qwen3.context_length", 4096);
    maker.u32("qwen3.embedding_length", 64);
    maker.u32("qwen3.feed_forward_length", 128);
    maker.u32("qwen3.attention.head_count", 4);
    maker.tensor("token_embd.weight", {64, 100});
    maker.tensor("output_norm.weight", {64});
    for (std::uint32_t i = 0; i < kBlocks; ++i) {
        const std::string block = "blk." + std::to_string(i) + ".";
        const std::uint64_t width = folds ? 128 : 128 + i;
        for (const char* norm : {"attn_norm", "ffn_norm"}) {
            maker.tensor(block + norm + ".weight", {64});
        }
        for (const char* norm : {"attn_q_norm", "attn_k_norm"}) {
            maker.tensor(block + norm + ".weight", {16});
        }
        for (const char* matrix : {"attn_q", "attn_k", "attn_v", "attn_output"}) {
            maker.tensor(block + matrix + ".weight", {64, 64});
        }
        maker.tensor(block + "ffn_gate.weight", {64, width});
        maker.tensor(block + "ffn_up.weight", {64, width});
        maker.tensor(block + "ffn_down.weight", {width, 64});
        maker.tensor(block + "attn_output.bias", {64});
    }
    return maker.model();
}

template<typename Work>
double best(Work work) {
    double seconds = 1e9;
    for (int i = 0; i < kRounds; ++i) {
        const std::clock_t begin = std::clock();
        work();
        seconds = std::min(seconds, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return seconds;
}

} // namespace

int main() {
    bool reached = true;
    for (const bool folds : {true, false}) {
        const auto file = model(folds);
        std::size_t runs = 0;
        const double structure = best([&] { runs = inference::structureOf(*file)->stacks.back().runs.size(); });
        std::size_t known = 0;
        const double names = best([&] {
            known = 0;
            for (const TensorInfo& tensor : file->tensors) {
                known += parseTensorName(tensor.name).fact != nullptr ? 1 : 0;
            }
        });
        std::printf(
            "%s blocks: %zu tensors (%zu of known roles) in %zu runs: %.2f ms, %.1f times the parsing of names\n",
            folds ? "equal" : "different", file->tensors.size(), known, runs, structure * 1e3,
            structure / std::max(names, 1e-9));
        reached = reached && structure <= kGoal;
    }
    std::printf("goal of %.0f ms: %s\n", kGoal * 1e3, bench::goalVerdict(true, reached));
    return reached ? 0 : 1;
}
