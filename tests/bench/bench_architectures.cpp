// Measures the blocks of each family of architectures in models of random weights. Generation: bytes of weights, keys,
// values and recurrent states read per second, relative to reading them as fast as this machine can.
// Prompts: products per second, relative to the peak of 8-bit products, and that share relative to llama's, which is
// measured directly before and after. For blocks with a recurrent state, how much faster chunks of a prompt are than
// steps, and how much faster an encoder is if texts share batches (both in processor time). All ratios are of figures
// of the same run. A goal is not measured where it means nothing: the bandwidth of a model that fits into the caches.
//
//   bench_architectures [--processor-time] [--blocks N] [family …]
//
// 16 blocks, the default, have about a billion weights. With fewer, part of the weights comes from the last cache. The
// first line says how fast products alone are, which limits generation where memory is fast. --processor-time is for
// machines that other programs use too: one thread, and all figures in its processor time. GUFO_ISA as in bench_engine.
#include "best_of.h"
#include "cached_products.h"
#include "family_models.h"
#include "goal_verdict.h"
#include "inference/engine/blocks/linear_chunks.h"
#include "inference/engine/gufo_engine.h"
#include "inference/interface/embedder.h"
#include "inference/measuring/speed.h"
#include "processor_speed.h"
#include "tensor/kernels/kernels.h"

#include <cstdio>
#include <cstdlib>

using namespace gufo;
using namespace gufo::inference;
using gufo::bench::kFamilies;
using gufo::bench::makeModel;
using gufo::bench::normals;
using Case = gufo::bench::ModelFamily;

namespace {

constexpr double kReadGoal = 85;     // % of the bandwidth of reading
constexpr double kProductsGoal = 60; // % of llama's share of the peak
constexpr std::uint32_t kBlocks = gufo::bench::kMostBlocks;
constexpr std::uint32_t kFewBlocks = 4; // of models that are measured beside another

struct Manner {
    unsigned threads = 1;
    bool processorTime = false;
};

struct Speed {
    MeasuredSpeed measured;
    double weights = 0;
    [[nodiscard]] double share() const {
        return measured.peakProducts > 0 ? 100 * measured.promptProducts / measured.peakProducts : 0;
    }
};

std::optional<Speed> speedOf(const Case& family, const std::shared_ptr<const Model>& model, const Manner& manner) {
    const auto failed = [&](const Error& error) {
        std::fprintf(stderr, "%s: %s %s\n", family.architecture, std::string(errorName(error.code)).c_str(),
                     error.args.empty() ? "" : error.args.front().text().c_str());
        return std::nullopt;
    };
    if (model == nullptr) {
        return failed({ErrorCode::NotSupported});
    }
    const auto loaded = loadForInference(model);
    if (!loaded) {
        return failed(loaded.error());
    }
    const SpeedTask task{.prompt = 256};
    auto session = (*loaded)->startSession(
        {.context = static_cast<std::uint32_t>(task.prompt + task.generated + 1), .threads = manner.threads});
    if (!session) {
        return failed(session.error());
    }
    const auto measured = manner.processorTime ? bench::measureInProcessorTime(**session, *model, task)
                                               : measureSpeed(**session, *model, task, {});
    if (!measured) {
        return failed(measured.error());
    }
    Speed speed{.measured = *measured};
    for (const TensorInfo& tensor : model->tensors) {
        speed.weights += static_cast<double>(tensor.weights());
    }
    return speed;
}

bool compare(const Case& family, std::uint32_t blocks, const Manner& manner) {
    const Case& llama = kFamilies.front();
    static const auto ofLlama = makeModel(llama, kFewBlocks);
    const auto model = makeModel(family, blocks);
    const auto before = speedOf(llama, ofLlama, manner);
    const auto speed = speedOf(family, model, manner);
    const auto after = speedOf(llama, ofLlama, manner);
    if (!before || !speed || !after) {
        return false;
    }
    const double read = 100 * speed->measured.read / speed->measured.bandwidth;
    const double usual = std::max(before->share(), after->share());
    const double ratio = usual > 0 ? 100 * speed->share() / usual : 0;
    std::printf("%-12s %4.2f B, %s\n"
                "    generation %3.0f %% of %5.1f GB/s read (goal %.0f %%: %s)\n"
                "    prompt %3.0f %% of 8-bit peak, %3.0f %% of llama's share (goal %.0f %%: %s)\n",
                family.architecture, speed->weights / 1e9, family.blocks, read, speed->measured.bandwidth / 1e9,
                kReadGoal, bench::goalVerdict(!speed->measured.inCache, read >= kReadGoal), speed->share(), ratio,
                kProductsGoal, bench::goalVerdict(usual > 0, ratio >= kProductsGoal));
    std::fflush(stdout);
    return true;
}

// Heads of a recurrent block that share their keys.
struct Heads {
    const char* name;
    std::size_t count;
    LinearChunks::Form form;
};

// Everything that chunks and steps of these heads read and write. Constructed twice, first with a Memory that only
// counts.
struct Passes {
    static constexpr std::size_t kTokens = 512;
    LinearChunks::Form form;
    LinearChunks chunks;
    Rows rows; // of each token: query, key, value, decays, remove, replace, β, out
    std::size_t heads;
    float* states;

    Passes(Memory& memory, const Heads& of)
        : form(of.form)
        , chunks(memory, kTokens, 1, form)
        , rows{memory.take<float>(kTokens, width()), width()}
        , heads(of.count)
        , states(memory.take<float>(heads, square())) {
        chunks.divide(kTokens);
    }
    [[nodiscard]] std::size_t square() const { return form.keyLength * form.valueLength; }
    [[nodiscard]] std::size_t width() const { return 5 * form.keyLength + 2 * form.valueLength + 1; }
    [[nodiscard]] Rows from(std::size_t token, std::size_t at) const { return {rows[token] + at, rows.stride}; }

    void fill() const {
        const std::vector<float> values = normals(kTokens * width(), 0.08F);
        std::ranges::copy(values, rows.data);
        for (std::size_t t = 0; t < kTokens; ++t) {
            std::fill_n(rows[t] + 2 * form.keyLength + form.valueLength, form.keyLength, 0.97F);
        }
    }
    [[nodiscard]] LinearChunk chunk(std::size_t i) const {
        const std::size_t t = chunks.begin(i);
        return {.tokens = chunks.tokensOf(i),
                .queries = from(t, 0),
                .keys = from(t, form.keyLength),
                .values = from(t, 2 * form.keyLength),
                .decays = from(t, 2 * form.keyLength + form.valueLength),
                .rates = from(t, width() - form.valueLength - 1),
                .scores = form.elementsDecay ? Rows{} : chunks.scores(0, t),
                .out = from(t, width() - form.valueLength)};
    }
    void inChunks() const {
        for (std::size_t i = 0; !form.elementsDecay && i < chunks.count(); ++i) {
            chunks.score(chunk(i), 0);
        }
        for (std::size_t head = 0; head < heads; ++head) {
            for (std::size_t i = 0; i < chunks.count(); ++i) {
                chunks.run(chunk(i), states + head * square(), 0);
            }
        }
    }
    void inSteps() const {
        const std::size_t decays = 2 * form.keyLength + form.valueLength;
        for (std::size_t i = 0; i < heads * kTokens; ++i) {
            float* row = rows[i % kTokens];
            activeKernels().recurrence.step({.rows = form.keyLength,
                                             .columns = form.valueLength,
                                             .decay = row + decays,
                                             .key = row + form.keyLength,
                                             .query = row,
                                             .value = row + 2 * form.keyLength,
                                             .remove = form.deltaRule ? row + decays + form.keyLength : nullptr,
                                             .replace = form.deltaRule ? row + decays + 2 * form.keyLength : nullptr},
                                            states + i / kTokens * square(), row + width() - form.valueLength);
        }
    }
};

void compareChunks(const Heads& heads) {
    Memory counted;
    const Passes plan(counted, heads);
    auto memory = Memory::reserve(counted);
    if (!memory) {
        std::fprintf(stderr, "there is not enough memory\n");
        std::exit(1);
    }
    const Passes passes(*memory, heads);
    passes.fill();
    const auto secondsOf = [&](const auto& work) {
        std::fill_n(passes.states, heads.count * passes.square(), 0.0F);
        return bench::bestOf(1, work).perThread; // the only one
    };
    double chunks = 1e9;
    double steps = 1e9;
    for (int pass = 0; pass < 20; ++pass) {
        chunks = std::min(chunks, secondsOf([&] { passes.inChunks(); }));
        steps = std::min(steps, secondsOf([&] { passes.inSteps(); }));
    }
    std::printf("%-22s %zu × %zu, %zu heads, %zu tokens: chunks are %.2f × as fast as steps\n", heads.name,
                heads.form.keyLength, heads.form.valueLength, heads.count, Passes::kTokens, steps / chunks);
}

// Short texts that share batches, against the same one by one.
bool compareTexts(unsigned threads) {
    constexpr std::size_t kTexts = 16;
    constexpr std::size_t kTokens = 12;
    const auto model = makeModel({.architecture = "bert", .blocks = ""}, kFewBlocks);
    const auto embedder =
        model ? openBuiltInEmbedder(model, {.context = 512, .threads = threads}, {}) : fail(ErrorCode::NotSupported);
    if (!embedder) {
        std::fprintf(stderr, "bert: %s\n", std::string(errorName(embedder.error().code)).c_str());
        return false;
    }
    const std::vector<TokenId> text(kTokens, TokenId(std::size_t{7}));
    const std::vector<std::span<const TokenId>> texts(kTexts, text);
    double together = 1e9;
    double alone = 1e9;
    for (int pass = 0; pass < 3; ++pass) {
        together = std::min(together,
                            bench::bestOf(1, [&] { (void)(*embedder)->embedAll(texts, Pooling::Mean, {}); }).perThread);
        alone = std::min(alone, bench::bestOf(1, [&] {
                                    for (const std::span<const TokenId> each : texts) {
                                        (void)(*embedder)->embed(each, Pooling::Mean, {});
                                    }
                                }).perThread);
    }
    std::printf("%zu texts of %zu tokens in shared batches are %.2f × as fast as one by one\n", kTexts, kTokens,
                alone / together);
    return true;
}

} // namespace

int main(int argc, char** argv) {
    std::vector<std::string_view> arguments(argv + 1, argv + argc);
    std::uint32_t blocks = kBlocks;
    Manner manner{.threads = physicalCores()};
    if (!arguments.empty() && arguments[0] == "--processor-time") {
        manner = {.threads = 1, .processorTime = true};
        arguments.erase(arguments.begin());
    }
    if (arguments.size() >= 2 && arguments[0] == "--blocks") {
        const std::string count(arguments[1]);
        blocks = std::clamp(static_cast<std::uint32_t>(std::strtoul(count.c_str(), nullptr, 10)), 1U, kBlocks);
        arguments.erase(arguments.begin(), arguments.begin() + 2);
    }
    std::printf("threads: %u, caches: %.0f MB; products of Q4_K in the L2 cache: %.1f GB/s a thread, of MXFP4: %.1f\n",
                manner.threads, static_cast<double>(lastLevelCacheBytes()) / 1e6,
                bench::cachedProductsSpeed(TensorType::Q4_K) / 1e9,
                bench::cachedProductsSpeed(TensorType::MXFP4) / 1e9);
    const LinearChunks::Form delta{.keyHeads = 1, .keyLength = 128, .valueLength = 128, .deltaRule = true};
    LinearChunks::Form kimi = delta;
    kimi.elementsDecay = true;
    // An upper bound of what RWKV 7 could gain by chunks (blocks/rwkv7.cpp).
    LinearChunks::Form rwkv7 = kimi;
    rwkv7.keyLength = rwkv7.valueLength = 64;
    for (const Heads& heads : {Heads{"gated delta net", 2, delta}, Heads{"Kimi's delta attention", 1, kimi},
                               Heads{"the same, RWKV 7's size", 32, rwkv7},
                               Heads{"Mamba 2", 64, {.keyHeads = 1, .keyLength = 128, .valueLength = 64}}}) {
        compareChunks(heads);
    }
    bool done = compareTexts(manner.threads);
    std::fflush(stdout);
    for (const Case& family : kFamilies) {
        if (arguments.empty() || std::ranges::find(arguments, family.architecture) != arguments.end()) {
            done = compare(family, blocks, manner) && done;
        }
    }
    return done ? 0 : 1;
}
