// Measures what a context of 4,096 tokens (or of N) costs in the generation of a token by a model of 1.1 billion
// parameters: attention of all blocks, between which as many bytes are read as the weights have. Prints the additional
// time compared with no context, divided by the time to read the KV cache at the bandwidth of reading the weights: 1 is
// the speed of memory. The figures are medians of passes that each measure everything. Also prints the speed of
// attention for a prompt at that depth, in products per second.
//
//     bench_attention [--positions N] [type …]
#include "inference/engine/blocks/attention.h"
#include "inference/measuring/speed.h"
#include "tensor/tensor_type.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

using namespace gufo;
using namespace gufo::inference;

namespace {

constexpr std::uint32_t kBlocks = 22;
constexpr std::uint32_t kHeads = 32;
constexpr std::uint32_t kKvHeads = 4;
constexpr std::uint32_t kLength = 64; // of a head
constexpr std::uint32_t kPrompt = 512;
constexpr std::size_t kWeights = 29U << 20U; // bytes of a block in Q4_K_M
constexpr std::size_t kOutput = 2'359'296;   // bytes of the part that follows attention
constexpr int kPasses = 40;

std::uint32_t depth = 4096; // the positions of the context
std::uint32_t slotCount() { return depth + kPrompt; }

ModelShape modelShape() {
    ModelShape shape;
    shape.keyLength = kLength;
    shape.valueLength = kLength;
    shape.queryFactor = 0.125;
    shape.blocks.assign(kBlocks, {.heads = kHeads, .kvHeads = kKvHeads});
    return shape;
}

// Everything that the passes work on. Constructed twice, first with a Memory that only counts.
struct Passes {
    Attention attention;
    std::vector<BlockCache> caches;
    Rows queries;
    Rows out;

    Passes(Memory& memory, Team& team, const ModelShape& shape, KvCacheType type)
        : attention(memory, team, shape, {.keyLength = kLength, .valueLength = kLength}, slotCount()) {
        for (std::uint32_t b = 0; b < kBlocks; ++b) {
            const KvRows keys(memory, type, kKvHeads, kLength, slotCount(), KvLayout::Tiles);
            const KvRows values(memory, type, kKvHeads, kLength, slotCount(), KvLayout::Rows);
            caches.emplace_back(keys, values, slotCount());
        }
        constexpr std::size_t kWidth = std::size_t{kHeads} * kLength;
        queries = {memory.take<float>(kPrompt, kWidth), kWidth};
        out = {memory.take<float>(kPrompt, kWidth), kWidth};
    }

    void fill() {
        std::mt19937 random(1);
        std::normal_distribution<float> normal;
        std::vector<float> numbers(1U << 16U);
        std::ranges::generate(numbers, [&] { return normal(random); });
        std::size_t at = 0;
        const auto next = [&](std::size_t count) {
            at = (at + 977) % (numbers.size() - count);
            return numbers.data() + at;
        };
        for (BlockCache& cache : caches) {
            for (std::uint32_t head = 0; head < kKvHeads; ++head) {
                for (std::uint32_t slot = 0; slot < slotCount(); ++slot) {
                    cache.keys.write(head, slot, next(kLength));
                    cache.values.write(head, slot, next(kLength));
                }
            }
        }
        for (std::uint32_t t = 0; t < kPrompt; ++t) {
            std::copy_n(next(queries.stride), queries.stride, queries[t]);
        }
    }

    // Returns the seconds for `tokens` tokens, from `position` on. After each block its weights are read, as matrix
    // products would do.
    double secondsOf(const ModelShape& shape, Team& team, Bytes weights, std::uint32_t position, std::size_t tokens) {
        const auto begin = std::chrono::steady_clock::now();
        for (std::uint32_t b = 0; b < kBlocks; ++b) {
            const Bytes blockWeights = weights.subspan(b * kWeights, kWeights);
            const Matrix output{.typeId = 0, .data = blockWeights.data(), .columns = 1, .rows = kOutput, .rowBytes = 1};
            attention.attend(shape.blocks[b], caches[b], position, queries, out, tokens, {.after = &output});
            (void)secondsToRead(team, std::array{blockWeights.first(kOutput), blockWeights.subspan(kOutput)});
        }
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
};

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

void run(const char* name, KvCacheType type, Team& team, Bytes weights) {
    const ModelShape shape = modelShape();
    Memory counted;
    const Passes plan(counted, team, shape, type);
    auto memory = Memory::reserve(counted);
    if (!memory) {
        std::fprintf(stderr, "there is not enough memory\n");
        std::exit(1);
    }
    Passes passes(*memory, team, shape, type);
    passes.fill();
    const KvRows& rows = passes.caches.front().keys;
    const double bytes = 2.0 * kBlocks * kKvHeads * depth * static_cast<double>(rows.rowBytes());
    // The bandwidth of a shared machine varies, so only figures that were measured together are compared.
    std::vector<double> readings; // seconds to read all weights
    std::vector<double> costs;    // additional seconds due to the context
    std::vector<double> ratios;
    double shallow = 1e9;
    for (int pass = 0; pass < kPasses; ++pass) {
        const double before = secondsToRead(team, std::array{weights});
        const double none = passes.secondsOf(shape, team, weights, 0, 1);
        const double deep = passes.secondsOf(shape, team, weights, depth - 1, 1);
        const double again = passes.secondsOf(shape, team, weights, 0, 1);
        readings.push_back((before + secondsToRead(team, std::array{weights})) / 2);
        costs.push_back(deep - (none + again) / 2);
        ratios.push_back(costs.back() * static_cast<double>(weights.size()) / readings.back() / bytes);
        shallow = std::min({shallow, none, again});
    }
    double prompt = 1e9;
    for (int pass = 0; pass < 2; ++pass) {
        const double seconds = passes.secondsOf(shape, team, weights, depth - kPrompt, kPrompt);
        prompt = std::min(prompt, seconds - shallow);
    }
    const double bandwidth = static_cast<double>(weights.size()) / median(readings);
    const double products = 2.0 * kBlocks * kHeads * kLength * kPrompt * (depth - kPrompt / 2.0);
    std::printf("%-5s %5.1f MB of cache, %.2f ms at %.1f GB/s; a token: %.2f ms more than without context, %.2f times "
                "that; prompt: %.0f·10⁹ products/s\n",
                name, bytes / 1e6, 1e3 * bytes / bandwidth, bandwidth / 1e9, 1e3 * median(costs), median(ratios),
                products / prompt / 1e9);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    if (argc > 2 && std::string(argv[1]) == "--positions") {
        depth = static_cast<std::uint32_t>(std::clamp(std::atoi(argv[2]), 1024, 1 << 17));
        argv += 2;
        argc -= 2;
    }
    Team team(physicalCores());
    std::printf("threads: %u; %u tokens of context\n", team.size(), depth);
    const std::vector<std::byte> weights(kBlocks * kWeights, std::byte{1});
    constexpr struct {
        const char* name;
        KvCacheType type;
    } kTypes[] = {
        {"f16", KvCacheType::F16}, {"q8_0", KvCacheType::Q8_0}, {"bf16", KvCacheType::BF16}, {"f32", KvCacheType::F32}};
    for (const auto& [name, type] : kTypes) {
        if (argc == 1 ||
            std::any_of(argv + 1, argv + argc, [&, n = name](const char* arg) { return std::string(arg) == n; })) {
            run(name, type, team, weights);
        }
    }
}
