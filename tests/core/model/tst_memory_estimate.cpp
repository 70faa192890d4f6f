#include "model/memory_estimate.h"
#include "support/model_maker.h"
#include "support/test_unit.h"

#include <QTest>

using namespace gufo;
using test::ModelMaker;

namespace {

// The keys of a dense model with these blocks, width, heads and KV heads.
ModelMaker dense(const std::string& arch, std::uint32_t blocks, std::uint32_t embedding, std::uint32_t heads,
                 std::uint32_t kvHeads, std::uint32_t context = 8192) {
    ModelMaker maker(arch);
    maker.u32(arch + ".block_count", blocks)
        .u32(arch + ".embedding_length", embedding)
        .u32(arch + ".attention.head_count", heads)
        .u32(arch + ".attention.head_count_kv", kvHeads)
        .u32(arch + ".context_length", context);
    return maker;
}

// Query, key and value of a block, by which an attention block is recognised.
void addAttention(ModelMaker& maker, int block) {
    const std::string prefix = "blk." + std::to_string(block) + ".";
    for (const char* role : {"attn_q", "attn_k", "attn_v"}) {
        maker.tensor(prefix + role + ".weight", {32, 1});
    }
}

MemoryEstimate estimate(ModelMaker& maker, const MemoryRequest& request) {
    const auto result = estimateMemory(*maker.model(), request);
    return result ? *result : MemoryEstimate{};
}

} // namespace

class TestMemoryEstimate : public QObject {
    Q_OBJECT

private slots:
    void groupedQueries();
    void everyPart();
    void cacheTypes_data();
    void cacheTypes();
    void headsOfEachBlock();
    void headLengthsOfTheirOwn();
    void slidingWindows_data();
    void slidingWindows();
    void windowPatternInTheFile();
    void latentAttention();
    void sharedKeysAndValues();
    void recurrentStates_data();
    void recurrentStates();
    void hybrid();
    void linearAttention();
    void expertsInBuffers();
    void encodersKeepNothing();
    void encoderDecoder();
    void defaultContext();
    void whatCannotRun_data();
    void whatCannotRun();
    void hostileFigures_data();
    void hostileFigures();
    void largest();
    void tinyStories();
};

void TestMemoryEstimate::groupedQueries() {
    // Llama 3 8B: 32 blocks × 8 KV heads × (128 + 128) × 2 bytes = 131,072 bytes for each token.
    auto maker = dense("llama", 32, 4096, 32, 8);
    maker.tensor("token_embd.weight", {4096, 128'256}, TensorType::F16);
    const auto e = estimate(maker, {.context = 8192});
    QCOMPARE(e.kvPerToken, 131'072U);
    QCOMPARE(e.kvCache, 8192U * 131'072U);
    QCOMPARE(e.weights, 4096ULL * 128'256 * 2);
    QCOMPARE(e.recurrentState, 0U);
    QCOMPARE(e.logits, 128'256U * 4);
    QCOMPARE(e.trainedContext, 8192U);
}

void TestMemoryEstimate::everyPart() {
    // One block, width 64, 4 heads of 16, 2 KV heads, feed-forward 256, vocabulary 100, batch 8, context 32.
    auto maker = dense("llama", 1, 64, 4, 2);
    maker.u32("llama.feed_forward_length", 256).tensor("output.weight", {64, 100});
    const auto e = estimate(maker, {.context = 32, .batch = 8});
    QCOMPARE(e.weights, 64U * 100 * 4);
    QCOMPARE(e.kvCache, 32U * 2 * (16 + 16) * 2);
    // for each token 4 × (3 × 64 + 2 × 256) = 2816 bytes, × 8; scores: 4 bytes × 4 heads × 32
    QCOMPARE(e.buffers, 8U * 2816 + 512);
    QCOMPARE(e.logits, 400U);
    QCOMPARE(e.total(), e.weights + e.kvCache + e.buffers + e.logits);
    QCOMPARE(e.anonymous(), e.total() - e.weights);
}

void TestMemoryEstimate::cacheTypes_data() {
    QTest::addColumn<int>("keys");
    QTest::addColumn<int>("values");
    QTest::addColumn<int>("bytes"); // for each token: 2 blocks × 3 KV heads × rows of 40
    const auto row = [](KvCacheType keys, KvCacheType values, int bytes) {
        QTest::newRow((std::string(kvCacheTypeName(keys)) + " " + std::string(kvCacheTypeName(values))).c_str())
            << static_cast<int>(keys) << static_cast<int>(values) << bytes;
    };
    row(KvCacheType::F32, KvCacheType::F32, 6 * (160 + 160));
    row(KvCacheType::F16, KvCacheType::F16, 6 * (80 + 80));
    row(KvCacheType::BF16, KvCacheType::F32, 6 * (80 + 160));
    row(KvCacheType::Q8_0, KvCacheType::F16, 6 * (68 + 80)); // 40 elements need two groups of 32
    row(KvCacheType::Q5_1, KvCacheType::Q5_0, 6 * (48 + 44));
    row(KvCacheType::Q4_1, KvCacheType::Q4_0, 6 * (40 + 36));
}

void TestMemoryEstimate::cacheTypes() {
    QFETCH(const int, keys);
    QFETCH(const int, values);
    QFETCH(const int, bytes);
    auto maker = dense("llama", 2, 240, 6, 3);
    maker.tensor("token_embd.weight", {240, 10});
    const auto e = estimate(
        maker, {.context = 10, .keys = static_cast<KvCacheType>(keys), .values = static_cast<KvCacheType>(values)});
    QCOMPARE(e.kvPerToken, static_cast<std::uint64_t>(bytes));
    QCOMPARE(e.kvCache, static_cast<std::uint64_t>(bytes) * 10);
    for (const KvCacheType type : kvCacheTypes()) {
        QCOMPARE(kvCacheTypeFromName(kvCacheTypeName(type)), type);
    }
    QVERIFY(!kvCacheTypeFromName("q3_0"));
}

void TestMemoryEstimate::headsOfEachBlock() {
    // Deci: blocks 0 and 3 have 8 and 4 KV heads, block 1 has no attention, block 2 has 1 KV head.
    ModelMaker maker("deci");
    maker.u32("deci.block_count", 4)
        .u32("deci.embedding_length", 256)
        .u32s("deci.attention.head_count", {8, 0, 8, 8})
        .u32s("deci.attention.head_count_kv", {8, 0, 1, 4})
        .u32("deci.context_length", 100)
        .tensor("token_embd.weight", {256, 10});
    QCOMPARE(estimate(maker, {}).kvCache, 100U * (8 + 0 + 1 + 4) * (32 + 32) * 2);
}

void TestMemoryEstimate::headLengthsOfTheirOwn() {
    // Gemma 2B (width 2048, 8 heads of 256), here with explicit keys of 192 and values of 128.
    auto maker = dense("gemma", 18, 2048, 8, 1);
    maker.u32("gemma.attention.key_length", 192).u32("gemma.attention.value_length", 128);
    maker.tensor("token_embd.weight", {2048, 10});
    QCOMPARE(estimate(maker, {.context = 1000}).kvCache, 1000U * 18 * (192 + 128) * 2);
}

void TestMemoryEstimate::slidingWindows_data() {
    QTest::addColumn<QString>("arch");
    QTest::addColumn<int>("global"); // of 24 blocks, with a window of 1024
    QTest::newRow("gemma2: every other") << "gemma2" << 12;
    QTest::newRow("gemma3: one of six") << "gemma3" << 4;
    QTest::newRow("gemma3n: one of five") << "gemma3n" << 4;
    QTest::newRow("cohere2: one of four") << "cohere2" << 6;
    QTest::newRow("gpt-oss: every other") << "gpt-oss" << 12;
    QTest::newRow("smallthinker: the first of four") << "smallthinker" << 6;
    QTest::newRow("phi3: none") << "phi3" << 0;
    QTest::newRow("mistral: none") << "llama" << 0;
    QTest::newRow("unknown architecture: none") << "newest" << 0;
}

void TestMemoryEstimate::slidingWindows() {
    QFETCH(const QString, arch);
    QFETCH(const int, global);
    const std::string name = arch.toStdString();
    auto maker = dense(name, 24, 512, 8, 2);
    maker.u32(name + ".attention.sliding_window", 1024).tensor("token_embd.weight", {512, 10});
    const auto model = maker.model();
    constexpr std::uint64_t kRow = 2 * (64 + 64) * 2;
    const auto blocks = static_cast<std::uint64_t>(global);
    const auto e = estimateMemory(*model, {.context = 8000, .batch = 256});
    QVERIFY(e);
    QCOMPARE(e->kvCache, (blocks * 8000 + (24 - blocks) * (1024 + 256)) * kRow);
    QCOMPARE(e->kvPerToken, blocks * kRow);
    const auto small = estimateMemory(*model, {.context = 600, .batch = 256});
    QVERIFY(small);
    QCOMPARE(small->kvCache, 24U * 600 * kRow);
}

void TestMemoryEstimate::windowPatternInTheFile() {
    constexpr std::uint64_t kRow = 2 * (64 + 64) * 2;
    auto flags = dense("gemma3", 4, 512, 8, 2);
    flags.u32("gemma3.attention.sliding_window", 100)
        .flags("gemma3.attention.sliding_window_pattern", {1, 0, 0, 1})
        .tensor("token_embd.weight", {512, 10});
    QCOMPARE(estimate(flags, {.context = 1000, .batch = 10}).kvCache, (2U * 1000 + 2 * 110) * kRow);

    auto period = dense("gemma3", 4, 512, 8, 2);
    period.u32("gemma3.attention.sliding_window", 100)
        .u32("gemma3.attention.sliding_window_pattern", 4)
        .tensor("token_embd.weight", {512, 10});
    QCOMPARE(estimate(period, {.context = 1000, .batch = 10}).kvCache, (1U * 1000 + 3 * 110) * kRow);
}

void TestMemoryEstimate::latentAttention() {
    const auto deepSeek = [] {
        auto maker = dense("deepseek2", 2, 1024, 16, 16);
        maker.u32("deepseek2.attention.kv_lora_rank", 512)
            .u32("deepseek2.rope.dimension_count", 64)
            .u32("deepseek2.attention.key_length", 192)
            .u32("deepseek2.attention.value_length", 128)
            .tensor("token_embd.weight", {1024, 10});
        return maker;
    };
    auto absorbed = deepSeek();
    auto expanded = deepSeek();
    for (const std::string prefix : {"blk.0.", "blk.1."}) {
        absorbed.tensor(prefix + "attn_kv_a_mqa.weight", {32, 1}).tensor(prefix + "attn_k_b.weight", {32, 1});
        expanded.tensor(prefix + "attn_kv_a_mqa.weight", {32, 1}).tensor(prefix + "attn_kv_b.weight", {32, 1});
    }
    QCOMPARE(estimate(absorbed, {.context = 100}).kvCache, 100U * 2 * (512 + 64) * 2);
    QCOMPARE(estimate(expanded, {.context = 100}).kvCache, 100U * 2 * (512 + 64) * 2);
}

void TestMemoryEstimate::sharedKeysAndValues() {
    auto maker = dense("gemma3n", 10, 512, 8, 2);
    maker.u32("gemma3n.attention.shared_kv_layers", 4).tensor("token_embd.weight", {512, 10});
    QCOMPARE(estimate(maker, {.context = 100}).kvCache, 100U * 6 * 2 * (64 + 64) * 2);

    auto next = dense("glm4moe", 10, 512, 8, 2);
    next.u32("glm4moe.nextn_predict_layers", 1).tensor("token_embd.weight", {512, 10});
    QCOMPARE(estimate(next, {.context = 100}).kvCache, 100U * 9 * 2 * (64 + 64) * 2);
}

void TestMemoryEstimate::recurrentStates_data() {
    QTest::addColumn<QString>("arch");
    QTest::addColumn<QString>("keys");
    QTest::addColumn<int>("elements"); // of one block
    // (4 − 1) × 1536 + 16 × 1536
    QTest::newRow("mamba") << "mamba" << "ssm.conv_kernel=4 ssm.inner_size=1536 ssm.state_size=16" << 29184;
    // (4 − 1) × (1536 + 2 × 2 × 128) + 128 × 1536
    QTest::newRow("mamba2") << "mamba2" << "ssm.conv_kernel=4 ssm.inner_size=1536 ssm.state_size=128 ssm.group_count=2"
                            << 202752;
    // 2 × 768 + 64 × 768
    QTest::newRow("rwkv6") << "rwkv6" << "wkv.head_size=64" << 50688;
    // 1 × 768 + 64 × 768
    QTest::newRow("rwkv6qwen2") << "rwkv6qwen2" << "wkv.head_size=64 token_shift_count=1" << 49920;
}

void TestMemoryEstimate::recurrentStates() {
    QFETCH(const QString, arch);
    QFETCH(const QString, keys);
    QFETCH(const int, elements);
    const std::string name = arch.toStdString();
    ModelMaker maker(name);
    maker.u32(name + ".block_count", 24).u32(name + ".embedding_length", 768);
    for (const QString& key : keys.split(' ')) {
        maker.u32(name + "." + key.section('=', 0, 0).toStdString(), key.section('=', 1).toUInt());
    }
    maker.tensor("token_embd.weight", {768, 10});
    const auto e = estimate(maker, {.context = 100'000});
    QCOMPARE(e.recurrentState, 24U * 4 * static_cast<std::uint64_t>(elements));
    QCOMPARE(e.kvCache, 0U);
    QCOMPARE(e.kvPerToken, 0U);
}

void TestMemoryEstimate::hybrid() {
    // Four blocks, the third with attention. The fourth has lost its tensors, but its KV heads show that it has
    // attention.
    ModelMaker maker("jamba");
    maker.u32("jamba.block_count", 4)
        .u32("jamba.embedding_length", 512)
        .u32("jamba.attention.head_count", 8)
        .u32s("jamba.attention.head_count_kv", {0, 0, 2, 0})
        .u32("jamba.ssm.conv_kernel", 4)
        .u32("jamba.ssm.inner_size", 1024)
        .u32("jamba.ssm.state_size", 16)
        .tensor("blk.0.ssm_in.weight", {32, 1})
        .tensor("blk.1.ssm_in.weight", {32, 1});
    addAttention(maker, 2);
    const auto e = estimate(maker, {.context = 100});
    QCOMPARE(e.kvCache, 100U * 2 * (64 + 64) * 2);
    QCOMPARE(e.recurrentState, 3U * 4 * (3 * 1024 + 16 * 1024));
}

void TestMemoryEstimate::linearAttention() {
    // Qwen 3 Next: linear blocks also have a joint projection, but store no K and V.
    auto maker = dense("qwen3next", 4, 512, 8, 2);
    maker.u32("qwen3next.ssm.conv_kernel", 4)
        .u32("qwen3next.ssm.inner_size", 1024)
        .u32("qwen3next.ssm.state_size", 128)
        .u32("qwen3next.ssm.group_count", 4)
        .u32("qwen3next.full_attention_interval", 4);
    for (const std::string prefix : {"blk.0.", "blk.1."}) {
        maker.tensor(prefix + "attn_qkv.weight", {32, 1}).tensor(prefix + "ssm_ba.weight", {32, 1});
    }
    addAttention(maker, 3);
    const auto e = estimate(maker, {.context = 100}); // the tensors of block 2 are missing
    QCOMPARE(e.kvCache, 100U * 2 * (64 + 64) * 2);
    QCOMPARE(e.recurrentState, 3U * 4 * (3 * (1024 + 2 * 4 * 128) + 128 * 1024));
}

void TestMemoryEstimate::expertsInBuffers() {
    // 8 of 64 experts of 768 and a shared one of 1024 are wider than the dense 4096 of the first blocks.
    auto maker = dense("qwen2moe", 2, 64, 1, 1);
    maker.u32("qwen2moe.feed_forward_length", 4096)
        .u32("qwen2moe.expert_count", 64)
        .u32("qwen2moe.expert_used_count", 8)
        .u32("qwen2moe.expert_feed_forward_length", 768)
        .u32("qwen2moe.expert_shared_feed_forward_length", 1024)
        .tensor("token_embd.weight", {64, 10});
    const auto e = estimate(maker, {.context = 1, .batch = 512});
    QCOMPARE(e.buffers, 4U * (3 * 64 + 2 * (8 * 768 + 1024)) + 4 * 1 * 1);
}

void TestMemoryEstimate::encodersKeepNothing() {
    auto bert = dense("bert", 12, 384, 12, 12, 512);
    bert.tensor("token_embd.weight", {384, 10});
    QCOMPARE(estimate(bert, {}).kvCache, 0U);
    auto causal = dense("qwen2", 12, 384, 12, 12, 512);
    causal.flag("qwen2.attention.causal", false).tensor("token_embd.weight", {384, 10});
    const auto e = estimate(causal, {});
    QCOMPARE(e.kvCache, 0U);
    QCOMPARE(e.context, 512U);
}

void TestMemoryEstimate::encoderDecoder() {
    auto maker = dense("t5", 12, 512, 8, 8);
    maker.u32("t5.decoder_block_count", 6).tensor("token_embd.weight", {512, 10});
    for (int i = 0; i < 6; ++i) {
        maker.tensor("dec.blk." + std::to_string(i) + ".attn_k.weight", {32, 1});
    }
    QCOMPARE(estimate(maker, {.context = 100}).kvCache, 100U * 6 * 8 * (64 + 64) * 2);
}

void TestMemoryEstimate::defaultContext() {
    const auto contextFor = [](std::uint32_t trained) {
        auto maker = dense("llama", 1, 64, 1, 1, trained);
        maker.tensor("token_embd.weight", {64, 10});
        return estimate(maker, {}).context;
    };
    QCOMPARE(contextFor(2048), 2048U);
    QCOMPARE(contextFor(131'072), 4096U);
    QCOMPARE(contextFor(0), 4096U);
}

void TestMemoryEstimate::whatCannotRun_data() {
    QTest::addColumn<ModelMaker>("maker");
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<QString>("what");
    const auto row = [](const char* name, const ModelMaker& maker, ErrorCode code, const char* what) {
        QTest::newRow(name) << maker << code << QString::fromLatin1(what);
    };
    const auto withoutKeys = [](const char* architecture) {
        return ModelMaker(architecture).tensor("token_embd.weight", {64, 10});
    };
    const auto describe = [](ModelMaker maker) {
        maker.u32("llama.block_count", 1).u32("llama.embedding_length", 64);
        return maker.u32("llama.attention.head_count", 1);
    };
    using enum ErrorCode;
    row("vocabulary", describe(ModelMaker("llama")), NotSupported, "vocabulary");
    row("adapter", describe(withoutKeys("llama").text("general.type", "adapter")), NotSupported, "adapter");
    row("imatrix", describe(withoutKeys("llama").text("general.type", "imatrix")), NotSupported, "imatrix");
    row("projector", describe(withoutKeys("clip")), NotSupported, "projector");
    row("no block count", withoutKeys("llama").u32("llama.embedding_length", 64).u32("llama.attention.head_count", 1),
        NoSuchKey, "llama.block_count");
    row("no width", withoutKeys("llama").u32("llama.block_count", 1).u32("llama.attention.head_count", 1), NoSuchKey,
        "llama.embedding_length");
    row("no heads", withoutKeys("llama").u32("llama.block_count", 1).u32("llama.embedding_length", 64), NoSuchKey,
        "llama.attention.head_count");
    // A key that the file has is never called missing.
    const auto withBlocks = [&](auto setBlocks) {
        ModelMaker maker = withoutKeys("llama");
        setBlocks(maker);
        return maker.u32("llama.embedding_length", 64).u32("llama.attention.head_count", 1);
    };
    row("block count of a wrong type", withBlocks([](ModelMaker& maker) { maker.text("llama.block_count", "many"); }),
        InvalidArgument, "hyper_parameter_unusable llama.block_count many");
    row("absurd block count", withBlocks([](ModelMaker& maker) { maker.u32("llama.block_count", 27'777); }),
        InvalidArgument, "hyper_parameter_unusable llama.block_count 27777");
}

void TestMemoryEstimate::whatCannotRun() {
    QFETCH(ModelMaker, maker);
    QFETCH(const ErrorCode, code);
    QFETCH(const QString, what);
    const auto result = estimateMemory(*maker.model(), {});
    QVERIFY(!result);
    QCOMPARE(result.error().code, code);
    QCOMPARE(QString::fromStdString(result.error().args.at(0).text()), what);
}

void TestMemoryEstimate::hostileFigures_data() {
    QTest::addColumn<QString>("key");
    for (const char* key : {"embedding_length",
                            "attention.head_count",
                            "attention.head_count_kv",
                            "attention.key_length",
                            "attention.value_length",
                            "attention.sliding_window",
                            "attention.kv_lora_rank",
                            "rope.dimension_count",
                            "feed_forward_length",
                            "expert_used_count",
                            "expert_shared_count",
                            "expert_feed_forward_length",
                            "ssm.conv_kernel",
                            "ssm.inner_size",
                            "ssm.state_size",
                            "ssm.group_count",
                            "wkv.head_size",
                            "token_shift_count",
                            "shortconv.l_cache",
                            "kda.head_dim",
                            "attention.shared_kv_layers",
                            "nextn_predict_layers",
                            "attention.sliding_window_pattern",
                            "context_length",
                            "full_attention_interval"}) {
        QTest::newRow(key) << QString(key);
    }
}

void TestMemoryEstimate::hostileFigures() {
    QFETCH(const QString, key);
    for (const std::uint64_t figure : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 62U}) {
        ModelMaker maker("llama");
        maker.value("llama." + key.toStdString(), figure);
        for (const char* other :
             {"embedding_length", "attention.head_count", "feed_forward_length", "attention.sliding_window",
              "ssm.conv_kernel", "ssm.inner_size", "ssm.state_size", "expert_used_count"}) {
            maker.u32("llama." + std::string(other), 64);
        }
        maker.u32("llama.block_count", 4).tensor("blk.0.ssm_in.weight", {32, 1});
        addAttention(maker, 0);
        maker.tensor("blk.1.attn_k_b.weight", {32, 1});
        const auto result = estimateMemory(*maker.model(), {.context = 100});
        if (result) { // if the sum fits, no part of it may have overflowed
            QVERIFY(result->total() >= result->kvCache);
            QVERIFY(result->total() >= result->buffers);
        } else {
            QVERIFY(result.error().code == ErrorCode::InvalidArgument || result.error().code == ErrorCode::NoSuchKey);
        }
    }
}

void TestMemoryEstimate::largest() {
    auto maker = dense("llama", 32, 4096, 32, 8, 8192);
    maker.tensor("token_embd.weight", {4096, 1000}, TensorType::F16);
    const auto model = maker.model();
    const auto at = [&](std::uint64_t context) { return estimateMemory(*model, {.context = context})->total(); };
    QCOMPARE(largestContext(*model, {}, at(8192)).value(), std::optional<std::uint64_t>(8192));
    QCOMPARE(largestContext(*model, {}, at(8192) * 2).value(), std::optional<std::uint64_t>(8192));
    QCOMPARE(largestContext(*model, {}, at(5000)).value(), std::optional<std::uint64_t>(5000));
    QCOMPARE(largestContext(*model, {}, at(5000) - 1).value(), std::optional<std::uint64_t>(4999));
    QCOMPARE(largestContext(*model, {}, at(1)).value(), std::optional<std::uint64_t>(1));
    QCOMPARE(largestContext(*model, {}, at(1) - 1).value(), std::nullopt);
    QCOMPARE(largestContext(*ModelMaker("llama").model(), {}, 1).error().code, ErrorCode::NotSupported);

    auto unlimited = dense("llama", 1, 64, 1, 1, 0);
    unlimited.tensor("token_embd.weight", {64, 10});
    QCOMPARE(largestContext(*unlimited.model(), {}, ~std::uint64_t{0}).value(),
             std::optional<std::uint64_t>(kMaxContext));
}

void TestMemoryEstimate::tinyStories() {
    // stories260K: 5 blocks × 4 KV heads × (8 + 8) × 2 bytes for each token; context 512; hidden width 172; 8 heads.
    auto maker = dense("llama", 5, 64, 8, 4, 512);
    maker.u32("llama.feed_forward_length", 172).tensor("token_embd.weight", {64, 512});
    const auto e = estimate(maker, {.batch = 512});
    QCOMPARE(e.kvCache, 512U * 640);
    QCOMPARE(e.buffers, 512U * 4 * (3 * 64 + 2 * 172) + 512 * 4 * 8);
    QCOMPARE(e.logits, 512U * 4);
}

GUFO_TEST(TestMemoryEstimate)
#include "tst_memory_estimate.moc"
