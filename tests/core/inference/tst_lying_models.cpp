// Models whose metadata and tensors are inconsistent: each must run correctly or be refused.
#include "inference/engine/binding/binder.h"
#include "inference/engine/gufo_engine.h"
#include "inference/interface/memory_needs.h"
#include "lying_runs.h"
#include "support/test_unit.h"
#include "support/yardstick.h"

#include <QTest>

#include <cmath>
#include <sys/mman.h>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

namespace {

// The beginning of a file, followed by zeros that take no memory.
class SparseSource final : public ByteSource {
public:
    SparseSource(const std::vector<std::byte>& head, std::uint64_t size)
        : m_size(size)
        , m_base(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
        if (reserved()) {
            std::ranges::copy(head, static_cast<std::byte*>(m_base));
        }
    }
    ~SparseSource() override {
        if (reserved()) {
            munmap(m_base, m_size);
        }
    }
    SparseSource(const SparseSource&) = delete;
    SparseSource& operator=(const SparseSource&) = delete;

    [[nodiscard]] bool reserved() const { return m_base != MAP_FAILED; }
    [[nodiscard]] std::uint64_t size() const override { return m_size; }
    [[nodiscard]] Result<Bytes> view(ByteRange range) const override {
        if (!fits(range, m_size)) {
            return fail(ErrorCode::RangeOutsideFile);
        }
        return Bytes(static_cast<const std::byte*>(m_base) + range.offset, range.length);
    }
    [[nodiscard]] const std::filesystem::path& path() const override { return m_path; }

private:
    std::uint64_t m_size;
    void* m_base;
    std::filesystem::path m_path = "Sparse-1K-v1.0-F32.gguf";
};

} // namespace

class TestLyingModels : public QObject {
    Q_OBJECT

private slots:
    void everyArchitectureHasAPlan_data() {
        QTest::addColumn<bool>("all");
        for (const GraphTraits& row : graphTraits()) {
            QTest::addRow("%s, plain", std::string(row.name).c_str()) << false;
            QTest::addRow("%s, with all that it may have", std::string(row.name).c_str()) << true;
        }
    }
    void everyArchitectureHasAPlan() {
        QFETCH(bool, all);
        const std::string name = QString(QTest::currentDataTag()).section(',', 0, 0).toStdString();
        ModelPlan plan = test::planOf(*findGraphTraits(name));
        test::complete(plan, {.optional = [&](std::string_view) { return all; }});
        const std::vector<float> logits = runModel(plan.model());
        QVERIFY(!logits.empty());
        QVERIFY(std::ranges::all_of(logits, [](float logit) { return std::isfinite(logit); }));
    }

    // The buffer for rounded activations must be as wide as the widest matrix, whichever that is.
    void widestMatrix_data() {
        QTest::addColumn<QString>("architecture");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("tensor");
        QTest::newRow("the decay of rwkv") << "rwkv6" << "time_decay_extra_dim" << "blk.1.time_mix_decay_w2.weight";
        QTest::newRow("the mix of rwkv") << "rwkv6" << "time_mix_extra_dim" << "blk.1.time_mix_w2.weight";
        QTest::newRow("the time step of mamba") << "mamba" << "ssm.time_step_rank" << "blk.1.ssm_dt.weight";
        QTest::newRow("queries of low rank") << "deepseek2" << "attention.q_lora_rank" << "blk.1.attn_q_b.weight";
        QTest::newRow("the latent") << "deepseek2" << "attention.kv_lora_rank" << "blk.1.attn_kv_b.weight";
        QTest::newRow("feed-forward") << "llama" << "feed_forward_length" << "blk.1.ffn_down.weight";
        QTest::newRow("values") << "llama" << "attention.value_length" << "blk.1.attn_output.weight";
    }
    void widestMatrix() {
        QFETCH(QString, architecture);
        QFETCH(QString, key);
        QFETCH(QString, tensor);
        constexpr std::uint32_t kWide = 65'536;
        ModelPlan plan = test::planOf(*findGraphTraits(architecture.toStdString()));
        plan.set("block_count", 2U);
        plan.set("embedding_length", 32U);
        plan.set(key.toStdString(), kWide);
        plan.set("attention.head_count_kv", 1U);
        plan.set("attention.head_count", 1U);
        test::complete(plan, {.type = [&](const test::PlannedTensor& each) {
                           return each.dims.size() > 1 && each.dims[0] % 32 == 0 ? kQ8_0 : 0;
                       }});
        QVERIFY(plan.tensor(tensor.toStdString()) != nullptr);
        QCOMPARE(plan.tensor(tensor.toStdString())->dims[0], kWide);
        plan.filling = test::Filling::Zeros;
        auto read = gguf::read(std::make_shared<MemorySource>(plan.file(1U << 26U), "Wide-1K-v1.0-Q8_0.gguf"));
        QVERIFY(read);
        auto shape = readShape(**read);
        QVERIFY(shape);
        const auto weights = bindWeights(**read, *shape);
        QVERIFY2(weights, qPrintable(weights ? QString() : errorText(weights.error())));
        QVERIFY(weights->widestRow >= kWide);
        QVERIFY(!runModel(*read, 40, 32).empty());
    }

    // The gate must have the width that the buffers were made for.
    void gateOfAnotherWidth() {
        ModelPlan plan = plainPlan("llama");
        test::complete(plan, {.optional = [](std::string_view role) { return role == "ffn_gate.weight"; }});
        plan.keys.erase(std::ranges::find(plan.keys, "feed_forward_length", &test::PlannedKey::name));
        plan.tensor("blk.0.ffn_gate.weight")->dims[1] = 4'096;
        QCOMPARE(errorText(refusalOf(plan.model())), "wrong_shape | 64 × 4096 | 64 × 0");
    }

    void shapes_data() {
        QTest::addColumn<QString>("architecture");
        QTest::addColumn<QString>("tensor");
        QTest::addColumn<bool>("all");
        for (const GraphTraits& row : graphTraits()) {
            std::set<std::string> roles;
            for (const bool all : {true, false}) { // with and without optional tensors
                ModelPlan plan = test::planOf(row);
                test::complete(plan, {.optional = [&](std::string_view) { return all; }});
                for (const test::PlannedTensor& tensor : plan.tensors) {
                    if (roles.insert(test::roleOf(tensor.name)).second) {
                        QTest::addRow("%s, %s", plan.architecture.c_str(), tensor.name.c_str())
                            << QString::fromStdString(plan.architecture) << QString::fromStdString(tensor.name) << all;
                    }
                }
            }
        }
    }
    // If any dimension of any tensor changes, the model is refused or runs.
    void shapes() {
        QFETCH(QString, architecture);
        QFETCH(QString, tensor);
        QFETCH(bool, all);
        ModelPlan plan = test::planOf(*findGraphTraits(architecture.toStdString()));
        test::complete(plan, {.optional = [&](std::string_view) { return all; }});
        const std::vector<std::uint64_t> dims = plan.tensor(tensor.toStdString())->dims;
        for (std::size_t i = 0; i < dims.size(); ++i) {
            for (const std::uint64_t other : {dims[i] * 2, dims[i] * 64, dims[i] / 2, dims[i] + 1, std::uint64_t{1}}) {
                plan.tensor(tensor.toStdString())->dims[i] = other;
                const auto model = plan.model();
                // Rows of tables and widths of experts come from the file, and norms may cover one head or all.
                QVERIFY(!model || whyNot(model) || !runModel(model).empty());
            }
            plan.tensor(tensor.toStdString())->dims[i] = dims[i];
        }
    }

    // ALiBi slopes depend on the heads of the same block: a first block without effect makes no difference, however
    // many heads it has.
    void biasesOfBlocksWithDifferentHeads_data() {
        QTest::addColumn<unsigned>("first");
        QTest::newRow("one head") << 1U;
        QTest::newRow("fewer heads") << 4U;
        QTest::newRow("more heads") << 32U;
    }
    void biasesOfBlocksWithDifferentHeads() {
        QFETCH(unsigned, first);
        const auto logitsWith = [](std::uint32_t headsOfFirst) {
            ModelPlan plan = test::planOf(*findGraphTraits("bloom"));
            plan.set("attention.max_alibi_bias", 8.0F);
            plan.set("attention.head_count", std::vector<std::uint32_t>{headsOfFirst, 8});
            plan.set("attention.head_count_kv", std::vector<std::uint32_t>{headsOfFirst, 8});
            test::complete(plan, {});
            plan.tensor("blk.0.attn_output.weight")->zeros = true;
            plan.tensor("blk.0.ffn_down.weight")->zeros = true;
            return runModel(plan.model());
        };
        const std::vector<float> same = logitsWith(8);
        QVERIFY(!same.empty());
        QCOMPARE(logitsWith(first), same);
    }

    void leavesOut_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("harmless");
        for (const char* name : {"rope_freqs.weight", "blk.0.attn_rot_embd.weight", "blk.1.nextn.eh_proj.weight",
                                 "mtp.fc.weight", "v.blk.0.attn_q.weight", "mm.0.weight", "a.conv1d.1.weight",
                                 "blk.0.attn_q.input_scale", "cls.output.weight"}) {
            QTest::addRow("%s", name) << name << true;
        }
        for (const char* name :
             {"blk.0.attn_sinks.weight", "blk.1.attn_output_norm.weight", "blk.0.attn_x.scale", "blk.0.ffn_act.scales",
              "blk.1.attn_gate.weight", "blk.0.exp_probs_b.bias", "blk.2.attn_q.weight", "token_embd.bias",
              "per_layer_model_proj.weight", "blk.0.ssm_in.weight", "blk.00.nextn", "blk.x.attn_rot_embd.weight",
              "output_extra.weight", "blk.0.attn_rot_embd", "enc.blk.0.attn_q.weight"}) {
            QTest::addRow("%s", name) << name << false;
        }
    }
    void leavesOut() {
        QFETCH(QString, name);
        QFETCH(bool, harmless);
        ModelPlan plan = plainPlan("gpt2"); // has no rotation, so rotation factors are harmless
        const std::vector<float> without = runModel(plan.model());
        plan.tensors.push_back({.name = name.toStdString(), .dims = {32}});
        const auto model = plan.model();
        if (!harmless) {
            const Error error = refusalOf(model);
            QCOMPARE(errorText(error), "tensors_not_used | " + name);
            QCOMPARE(error.place, Place::tensor(name.toStdString()));
            const auto needs = memoryNeeds(model, {});
            QVERIFY(!needs);
            QCOMPARE(needs.error().code, ErrorCode::TensorsNotUsed);
            return;
        }
        const auto loaded = loadForInference(model);
        QVERIFY2(loaded, qPrintable(loaded ? QString() : errorText(loaded.error())));
        QCOMPARE((*loaded)->leftOut().size(), std::size_t{1});
        QCOMPARE(QString::fromStdString((*loaded)->leftOut().front()), name);
        const auto forecast = forecastMemory(model, {.context = 32}, {});
        QVERIFY(forecast && forecast->leftOut.size() == 1);
        QCOMPARE(runModel(model), without);
    }

    // A scale beside a matrix multiplies its products, before the bias is added.
    void scales_data() {
        QTest::addColumn<QString>("architecture");
        QTest::addColumn<QString>("matrix"); // in block 0, or of the model
        for (const char* name : {"blk.0.attn_q", "blk.0.attn_output", "blk.0.ffn_down", "output"}) {
            QTest::addRow("%s", name) << "qwen2" << name;
        }
        for (const char* name : {"blk.0.ffn_up_exps", "blk.0.ffn_gate_inp"}) {
            QTest::addRow("%s", name) << "olmoe" << name;
        }
        for (const char* name : {"blk.0.attn_kv_b", "blk.0.attn_q_b"}) {
            QTest::addRow("%s", name) << "deepseek2" << name;
        }
    }
    void scales() {
        QFETCH(QString, architecture);
        QFETCH(QString, matrix);
        constexpr float kScale = 0.5F; // a power of two, so that products are scaled exactly
        ModelPlan plan = test::planOf(*findGraphTraits(architecture.toStdString()));
        test::complete(plan, {.optional = [&](std::string_view role) {
                           return role == "output.weight" || role == "attn_q.bias" ||
                                  (role == "ffn_gate_inp.weight" && architecture == "olmoe");
                       }});
        test::PlannedTensor* scaled = plan.tensor((matrix + ".weight").toStdString());
        QVERIFY(scaled != nullptr);
        std::size_t count = 1;
        for (const std::uint64_t dim : scaled->dims) {
            count *= dim;
        }
        for (std::size_t i = 0; i < count; ++i) {
            scaled->values.push_back(std::sin(static_cast<float>(i)));
        }
        ModelPlan multiplied = plan;
        for (float& value : multiplied.tensor((matrix + ".weight").toStdString())->values) {
            value *= kScale;
        }
        const std::vector<float> without = runModel(plan.model());
        const std::uint64_t experts = scaled->dims.size() > 2 ? scaled->dims[2] : 1;
        plan.tensors.push_back({.name = (matrix + ".scale").toStdString(), .dims = {experts}});
        plan.tensors.back().values.assign(experts, kScale);
        const std::vector<float> with = runModel(plan.model());
        QVERIFY(!with.empty());
        QVERIFY(with != without);
        QVERIFY(with == runModel(multiplied.model()));
        // Two quantised forms of the same: another scale, and one for all experts.
        plan.tensors.push_back({.name = (matrix + ".input_scale").toStdString(), .dims = {experts}});
        plan.tensors[plan.tensors.size() - 2].dims = {1};
        QVERIFY(runModel(plan.model()) == with);
        plan.tensors[plan.tensors.size() - 2].dims = {experts + 2};
        QCOMPARE(errorText(refusalOf(plan.model())), QString("wrong_shape | %1 | %2").arg(experts + 2).arg(experts));
    }

    void theSameNameTwice() {
        ModelPlan plan = plainPlan("llama");
        plan.tensors.push_back(*plan.tensor("blk.0.attn_q.weight"));
        QCOMPARE(errorText(refusalOf(plan.model())), "tensors_not_used | blk.0.attn_q.weight");
    }

    // Blocks that only predict further tokens are not evaluated.
    void blocksThatPredict() {
        ModelPlan plan = plainPlan("llama");
        const std::vector<float> two = runModel(plan.model());
        plan.set("block_count", 3U);
        plan.set("nextn_predict_layers", 1U);
        plan.tensors.push_back({.name = "blk.2.nextn.eh_proj.weight", .dims = {64, 32}});
        plan.tensors.push_back({.name = "blk.2.attn_norm.weight", .dims = {64}});
        const auto loaded = loadForInference(plan.model());
        QVERIFY2(loaded, qPrintable(loaded ? QString() : errorText(loaded.error())));
        QCOMPARE((*loaded)->leftOut().size(), std::size_t{2});
        QCOMPARE(runModel(plan.model()), two);
        plan.set("nextn_predict_layers", 3U);
        QCOMPARE(errorText(refusalOf(plan.model())),
                 "invalid_argument | hyper_parameter_unusable llama.nextn_predict_layers 3");
        plan.set("nextn_predict_layers", 0U);
        plan.set("block_count", 2U);
        QCOMPARE(errorText(refusalOf(plan.model())),
                 "tensors_not_used | blk.2.nextn.eh_proj.weight, blk.2.attn_norm.weight");
    }

    // DeepSeek's files may have both separate matrices of heads and joint ones.
    void theSameTwice() {
        ModelPlan plan = test::planOf(*findGraphTraits("deepseek2"));
        test::complete(plan, {.optional = [](std::string_view role) {
                           return role == "attn_k_b.weight" || role == "attn_v_b.weight";
                       }});
        QVERIFY(plan.tensor("blk.0.attn_k_b.weight") != nullptr);
        const std::vector<float> apart = runModel(plan.model());
        QVERIFY(!apart.empty());
        plan.tensors.push_back({.name = "blk.0.attn_kv_b.weight", .dims = {32, 4 * (16 + 32)}});
        const auto loaded = loadForInference(plan.model());
        QVERIFY2(loaded, qPrintable(loaded ? QString() : errorText(loaded.error())));
        QCOMPARE(QString::fromStdString((*loaded)->leftOut().front()), "blk.0.attn_kv_b.weight");
        QCOMPARE(runModel(plan.model()), apart);
    }

    // More tokens than 32 bits can count.
    void vocabularyBeyond32Bits() {
        ModelPlan plan = plainPlan("llama");
        plan.tensor("token_embd.weight")->dims[1] = (std::uint64_t{1} << 32U) + 40;
        plan.tensor("token_embd.weight")->claimed = true;
        const std::vector<std::byte> head = plan.file();
        const auto source =
            std::make_shared<SparseSource>(head, plan.bytesOf(*plan.tensor("token_embd.weight")) + 4'096);
        if (!source->reserved()) {
            QSKIP("this machine has too few addresses");
        }
        const auto model = gguf::read(source);
        QVERIFY(model);
        QVERIFY((*model)->tensors.front().complete());
        QCOMPARE(errorText(refusalOf(*model)), "wrong_shape | 64 × 4294967336 | 64 × 2147483647");
    }

    // The maximum number of blocks without any tensor: all are missing, and only a few are named.
    void blocksWithoutTensors() {
        ModelPlan plan = plainPlan("llama");
        std::erase_if(plan.tensors, [](const auto& tensor) { return tensor.name.starts_with("blk."); });
        const auto modelOf = [&](std::uint32_t blocks) {
            plan.set("block_count", blocks);
            return plan.model();
        };
        const auto quickest = [&](const std::shared_ptr<const Model>& model) {
            double ms = INFINITY;
            for (int i = 0; i < 3; ++i) {
                const double begun = threadMs();
                [&] { QVERIFY(!loadForInference(model)); }();
                ms = std::min(ms, threadMs() - begun);
            }
            return ms;
        };
        const auto model = modelOf(4'096);
        const double few = quickest(modelOf(512));
        const double many = quickest(model);
        QVERIFY2(many < 24 * few, qPrintable(QStringLiteral("%1 ms, of an eighth %2 ms").arg(many).arg(few)));
        const std::string list = refusalOf(model).args.front().text();
        QVERIFY2(list.starts_with("blk.0.attn_norm.weight, "), list.c_str());
        QVERIFY2(list.ends_with(")") && list.size() < 600, list.c_str());
    }

    // Another number of streams than the engine has, or another active one.
    void streams_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<quint32>("usual");
        QTest::newRow("number") << "altup.num_inputs" << 4U;
        QTest::newRow("active") << "altup.active_idx" << 0U;
    }
    void streams() {
        QFETCH(QString, key);
        QFETCH(quint32, usual);
        ModelPlan plan = plainPlan("gemma3n");
        plan.set(key.toStdString(), usual);
        QVERIFY(loadForInference(plan.model()));
        plan.set(key.toStdString(), usual + 1);
        QCOMPARE(errorText(refusalOf(plan.model())), QString("not_runnable | gemma3n.%1 = %2").arg(key).arg(usual + 1));
    }

    // Numbers of heads whose product overflows 32 bits.
    void heads() {
        ModelPlan plan = test::planOf(*findGraphTraits("llama"));
        plan.set("embedding_length", 1U);
        plan.set("block_count", 1U);
        plan.set("attention.key_length", 1U);
        plan.set("attention.value_length", 1U);
        plan.set("rope.dimension_count", 0U);
        plan.set("attention.head_count", 1U << 22U);
        plan.set("attention.head_count_kv", 1U);
        test::complete(plan, {.type = [](const test::PlannedTensor&) { return kF16; }});
        plan.filling = test::Filling::Zeros;
        auto read = gguf::read(std::make_shared<MemorySource>(plan.file(1U << 26U), "Heads-1K-v1.0-F16.gguf"));
        QVERIFY(read);
        QVERIFY(!runModel(*read, 2, 1).empty());
    }
};

GUFO_TEST(TestLyingModels)
#include "tst_lying_models.moc"
