// What the engine reports before it loads anything: what it cannot run, and how much memory a run needs.
#include "base/error.h"
#include "inference/engine/gufo_engine.h"
#include "inference/interface/memory_needs.h"
#include "inference/measuring/speed.h"
#include "lying_models.h"
#include "model/computed_weights.h"
#include "support/error_names.h"
#include "support/model_maker.h"
#include "support/test_unit.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <utility>
#include <vector>

using namespace gufo;
using namespace gufo::inference;
using test::ModelMaker;

namespace {

// Weights that must not be asked for.
class NeverViewed final : public ComputedWeights {
public:
    [[nodiscard]] std::uint64_t size() const override { return std::uint64_t{1} << 40U; }
    [[nodiscard]] Result<Bytes> view(ByteRange) const override {
        qFatal("the weights were viewed");
        return fail(ErrorCode::ReadFailed);
    }
    [[nodiscard]] const std::filesystem::path& path() const override { return m_path; }
    [[nodiscard]] Result<> check(std::uint64_t) const override { return {}; }
    [[nodiscard]] Result<> weights(std::uint64_t, std::uint64_t, std::span<float>) const override {
        return fail(ErrorCode::ReadFailed);
    }

private:
    std::filesystem::path m_path;
};

constexpr std::uint32_t kWidth = 32;
constexpr std::uint32_t kVocabulary = 40;

// A llama model with 2 blocks, 4 heads of 8 and 2 KV heads. `omit`: names of keys and tensors to leave out.
struct Llama {
    std::vector<std::string> omit;
    std::string architecture = "llama";
    std::vector<std::uint64_t> queryShape{kWidth, kWidth};
    std::uint32_t context = 64;

    [[nodiscard]] ModelMaker maker() const {
        ModelMaker maker(architecture);
        const auto wanted = [&](const std::string& name) { return std::ranges::find(omit, name) == omit.end(); };
        const auto key = [&](const std::string& name, std::uint32_t value) {
            if (wanted(name)) {
                maker.u32(architecture + "." + name, value);
            }
        };
        key("block_count", 2);
        key("embedding_length", kWidth);
        key("attention.head_count", 4);
        key("attention.head_count_kv", 2);
        key("feed_forward_length", 48);
        key("context_length", context);
        maker.withData();
        const auto tensor = [&](const std::string& name, const std::vector<std::uint64_t>& dims) {
            if (wanted(name)) {
                maker.tensor(name + ".weight", dims);
            }
        };
        tensor("token_embd", {kWidth, kVocabulary});
        tensor("output_norm", {kWidth});
        for (const std::string block : {"blk.0.", "blk.1."}) {
            tensor(block + "attn_norm", {kWidth});
            tensor(block + "attn_q", queryShape);
            tensor(block + "attn_k", {kWidth, kWidth / 2});
            tensor(block + "attn_v", {kWidth, kWidth / 2});
            tensor(block + "attn_output", {kWidth, kWidth});
            tensor(block + "ffn_norm", {kWidth});
            tensor(block + "ffn_gate", {kWidth, 48});
            tensor(block + "ffn_up", {kWidth, 48});
            tensor(block + "ffn_down", {48, kWidth});
        }
        return maker;
    }
};

// Loading the model and predicting its memory must fail with the same error.
Error refusalOf(const std::shared_ptr<const Model>& model) {
    const auto loaded = loadForInference(model);
    const auto needs = memoryNeeds(model, {});
    if (loaded || needs || loaded.error().code != needs.error().code || loaded.error().args != needs.error().args ||
        loaded.error().place != needs.error().place) {
        return Error{ErrorCode::Cancelled, {}, {}, {std::string("loading and asking differ")}, 0};
    }
    return loaded.error();
}

void setType(const std::shared_ptr<const Model>& model, std::string_view tensor, std::uint32_t type) {
    const_cast<TensorInfo&>(model->tensor(*model->findTensor(tensor))).typeId = type;
}

QString listOf(const Error& error) {
    QStringList list;
    for (const Argument& arg : error.args) {
        list << QString::fromStdString(arg.text());
    }
    return list.join(" | ");
}

void write(const QString& path, const QByteArray& text) {
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

} // namespace

class TestEngineNeeds : public QObject {
    Q_OBJECT

private slots:
    void whatIsWholeRuns() {
        const auto model = Llama{}.maker().model();
        QVERIFY(loadForInference(model));
        const auto needs = memoryNeeds(model, {.context = 32, .batch = 8});
        QVERIFY(needs);
        QCOMPARE(needs->context, 32U);
        QCOMPARE(needs->trainedContext, 64U);
        QCOMPARE(needs->kvPerToken, 2U * 2 * (8 + 8) * 2); // blocks × heads × rows × bytes
        QCOMPARE(needs->kvCache, 32 * needs->kvPerToken);
        QCOMPARE(needs->logits, 192U); // 40 × 4, rounded up to a multiple of 64
        QCOMPARE(needs->total(), needs->weights + needs->anonymous());
    }

    void whateverContextTheFileNames() {
        Llama llama;
        llama.context = 2'000'000'000;
        const auto needs = memoryNeeds(llama.maker().model(), {.context = 32});
        QVERIFY(needs);
        QCOMPARE(needs->trainedContext, 2'000'000'000U);
    }

    void keysAndValuesOfDifferentTypes() {
        const auto model = Llama{}.maker().model();
        const auto needs = memoryNeeds(model, {.context = 32, .keys = KvCacheType::F32, .values = KvCacheType::BF16});
        QVERIFY(needs);
        QCOMPARE(needs->kvPerToken, 2U * 2 * (8 * 4 + 8 * 2)); // blocks × heads × rows
        QCOMPARE(needs->kvCache, 32 * needs->kvPerToken);
    }

    void forecasts() {
        const auto model = Llama{}.maker().model();
        const auto needs = [&](std::uint32_t context) { return *memoryNeeds(model, {.context = context}); };
        const auto unknown = forecastMemory(model, {.context = 32}, {});
        QVERIFY(unknown && !unknown->refusal && !unknown->longestContext);
        QCOMPARE(unknown->needs.total(), needs(32).total());
        QCOMPARE(unknown->verdict, MemoryVerdict::Fits);
        const auto fits = forecastMemory(model, {.context = 32}, {.total = 1U << 30U, .available = 1U << 29U});
        QCOMPARE(fits->longestContext, std::optional<std::uint64_t>(64)); // the trained context
        const std::uint64_t available = needs(20).total();
        const auto less = forecastMemory(model, {.context = 32}, {.total = 1U << 30U, .available = available});
        QVERIFY(less->verdict != MemoryVerdict::Fits);
        QVERIFY(less->longestContext && *less->longestContext >= 20);
        const auto longest = static_cast<std::uint32_t>(*less->longestContext);
        QVERIFY(needs(longest).total() <= available && needs(longest + 1).total() > available);
        const auto none = forecastMemory(model, {.context = 32}, {.total = 1U << 30U, .available = 1});
        QCOMPARE(none->verdict, MemoryVerdict::DoesNotFit);
        QVERIFY(!none->longestContext);
    }

    // Nothing of a model on a server is fetched to know its memory, and the figure equals the figure of the same file
    // on a disk.
    void countsWithoutViewing_data() {
        QTest::addColumn<QString>("architecture");
        for (const char* name : {"llama", "gpt2", "qwen2", "olmoe", "deepseek2", "lfm2", "mamba", "bert"}) {
            QTest::newRow(name) << name;
        }
    }
    void countsWithoutViewing() {
        QFETCH(QString, architecture);
        const auto onDisk = test::plainPlan(architecture.toStdString()).model();
        const auto elsewhere = test::plainPlan(architecture.toStdString()).model();
        std::vector<std::shared_ptr<const ByteSource>> viewed; // by the model's keys and names
        for (ModelFile& file : const_cast<Model&>(*elsewhere).files) {
            viewed.push_back(std::exchange(file.source, std::make_shared<NeverViewed>()));
        }
        for (const std::uint32_t context : {0U, 16U}) {
            const auto expected = forecastMemory(onDisk, {.context = context}, {});
            const auto found = forecastMemory(elsewhere, {.context = context}, {});
            QVERIFY2(expected, expected ? "" : qPrintable(test::errorOf(expected.error())));
            QVERIFY2(found, found ? "" : qPrintable(test::errorOf(found.error())));
            QCOMPARE(found->refusal.has_value(), expected->refusal.has_value());
            QCOMPARE(found->needs.total(), expected->needs.total());
            QCOMPARE(found->needs.smallTensors, expected->needs.smallTensors);
            QCOMPARE(found->needs.kvCache, expected->needs.kvCache);
            QCOMPARE(found->needs.scratch, expected->needs.scratch);
        }
    }

    // A header may claim anything: bytes that are not viewed are not proved, and take no memory.
    void countsHostileHeaders() {
        for (const char* key : {"llama.attention.key_length", "llama.rope.dimension_count"}) {
            Llama llama;
            ModelMaker maker = llama.maker();
            maker.u32(key, 0x4000'0000).u32("llama.attention.value_length", 0x4000'0000);
            const auto model = maker.model();
            std::vector<std::shared_ptr<const ByteSource>> viewed;
            for (ModelFile& file : const_cast<Model&>(*model).files) {
                viewed.push_back(std::exchange(file.source, std::make_shared<NeverViewed>()));
            }
            const auto forecast = forecastMemory(model, {.context = 16}, {});
            QVERIFY(!forecast || forecast->refusal);
        }
    }

    void forecastsWhatCannotRun() {
        const auto model = Llama{.omit = {}, .architecture = "newest"}.maker().model();
        const auto forecast = forecastMemory(model, {.context = 32}, {});
        QVERIFY(forecast && forecast->refusal);
        QCOMPARE(forecast->refusal->code, ErrorCode::NotRunnable);
        QCOMPARE(forecast->needs.kvPerToken, 2U * 2 * (8 + 8) * 2);
        const auto nothing = Llama{.omit = {"block_count"}, .architecture = "newest"}.maker().model();
        QVERIFY(!forecastMemory(nothing, {}, {}));
    }

    void forecastsPartOfAModel() {
        const MachineMemory machine{.total = 1U << 30U, .available = 1U << 29U};
        const auto whole = Llama{}.maker().model();
        QVERIFY(!forecastMemory(whole, {.context = 32}, machine)->partial);
        QVERIFY(!forecastMemory(whole, {.context = 32}, machine)->needs.slidingWindows);
        const auto part = Llama{.omit = {}, .architecture = "newest"}.maker().model();
        const_cast<Model&>(*part).files.push_back({.path = "model-00002-of-00002.gguf"});
        const auto forecast = forecastMemory(part, {.context = 32}, machine);
        QVERIFY(forecast && forecast->partial);
        QVERIFY(!forecast->longestContext);
    }

    // Processors list the caches that they share with others.
    void cachesOfTheMachine() {
        const QTemporaryDir folder;
        const auto add = [&](int processor, int index, const char* level, const char* type, const char* size,
                             const char* shared) {
            const QString cache = folder.filePath(QStringLiteral("cpu%1/cache/index%2").arg(processor).arg(index));
            QVERIFY(QDir().mkpath(cache));
            write(cache + "/level", level);
            write(cache + "/type", type);
            write(cache + "/size", size);
            write(cache + "/shared_cpu_list", shared);
        };
        QCOMPARE(lastLevelCacheBytes(folder.path().toStdString()), 0U);
        for (int processor = 0; processor < 4; ++processor) {
            add(processor, 0, "1\n", "Data\n", "48K\n", "0\n");
            add(processor, 1, "1\n", "Instruction\n", "32K\n", "0\n");
            add(processor, 2, "2\n", "Unified\n", "2048K\n", processor < 2 ? "0-1\n" : "2-3\n");
        }
        QCOMPARE(lastLevelCacheBytes(folder.path().toStdString()), std::uint64_t{4} << 20U); // two of 2 MiB
        for (int processor = 0; processor < 4; ++processor) {
            add(processor, 3, "3\n", "Unified\n", "32M\n", "0-3\n");
        }
        QCOMPARE(lastLevelCacheBytes(folder.path().toStdString()), std::uint64_t{32} << 20U);
    }

    void architecture() {
        const auto model = Llama{.omit = {}, .architecture = "newest"}.maker().model();
        setType(model, "blk.1.ffn_up.weight", 200);
        const Error error = refusalOf(model);
        QCOMPARE(error.code, ErrorCode::NotRunnable);
        QCOMPARE(error.place, Place::key("general.architecture"));
        QCOMPARE(listOf(error), "general.architecture = newest, type 200");
    }

    void tensorTypes() {
        const auto model = Llama{}.maker().model();
        setType(model, "blk.0.attn_k.weight", 200);
        setType(model, "blk.0.attn_v.weight", 77);
        setType(model, "blk.1.ffn_up.weight", 200);
        const Error error = refusalOf(model);
        QCOMPARE(error.code, ErrorCode::NotRunnable);
        QCOMPARE(error.place, Place::tensor("blk.0.attn_k.weight"));
        QCOMPARE(listOf(error), "type 200, type 77");
    }

    void features_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::newRow("rope scaling") << "rope.scaling.type" << "newest";
        QTest::newRow("expert gating") << "expert_gating_func" << "4";
    }
    void features() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        ModelMaker maker = Llama{}.maker();
        const std::string full = "llama." + key.toStdString();
        if (key == "expert_gating_func") {
            maker.u32("llama.expert_count", 4).u32("llama.expert_used_count", 2).u32(full, value.toUInt());
        } else {
            maker.text(full, value.toStdString());
        }
        const Error error = refusalOf(maker.model());
        QCOMPARE(error.code, ErrorCode::NotRunnable);
        QCOMPARE(error.place, Place::key(full));
        QCOMPARE(listOf(error), "llama." + key + " = " + value);
    }

    void kindOfFile() {
        ModelMaker maker = Llama{}.maker();
        maker.text("general.type", "adapter");
        const Error error = refusalOf(maker.model());
        QCOMPARE(error.code, ErrorCode::NotRunnable);
        QCOMPARE(listOf(error), "adapter");
    }

    void missingKeys() {
        const Error error =
            refusalOf(Llama{.omit = {"embedding_length", "block_count"}, .architecture = "llama"}.maker().model());
        QCOMPARE(error.code, ErrorCode::NoSuchKey);
        QCOMPARE(error.place, Place::key("llama.embedding_length"));
        QCOMPARE(listOf(error), "llama.embedding_length, llama.block_count");
    }

    // The file states these keys, so the error does not call them missing.
    void impossibleValues_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<quint32>("value");
        QTest::newRow("blocks") << "block_count" << 27'777U;
        QTest::newRow("width") << "embedding_length" << 0U;
        QTest::newRow("heads") << "attention.head_count" << 0U;
        QTest::newRow("rotary dimensions") << "rope.dimension_count" << 3U;
    }
    void impossibleValues() {
        QFETCH(QString, key);
        QFETCH(quint32, value);
        const std::string name = "llama." + key.toStdString();
        const Error error = refusalOf(Llama{.omit = {key.toStdString()}}.maker().u32(name, value).model());
        QCOMPARE(error.code, ErrorCode::InvalidArgument);
        QCOMPARE(error.place, Place::key(name));
        QCOMPARE(listOf(error), QStringLiteral("hyper_parameter_unusable llama.%1 %2").arg(key).arg(value));
    }

    void missingTensors() {
        const Error error = refusalOf(Llama{.omit = {"output_norm", "blk.0.attn_q", "blk.1.ffn_down"}}.maker().model());
        QCOMPARE(error.code, ErrorCode::NoSuchTensor);
        QCOMPARE(error.place, Place::tensor("output_norm.weight"));
        QCOMPARE(listOf(error), "output_norm.weight, blk.0.attn_q.weight, blk.1.ffn_down.weight");
    }

    void manyMissingTensors() {
        Llama llama;
        for (const std::string block : {"blk.0.", "blk.1."}) {
            for (const char* name : {"attn_norm", "attn_q", "attn_k", "attn_v", "attn_output", "ffn_up", "ffn_norm"}) {
                llama.omit.push_back(block + name);
            }
        }
        const Error error = refusalOf(llama.maker().model());
        QCOMPARE(error.code, ErrorCode::NoSuchTensor);
        QVERIFY(listOf(error).startsWith("blk.0.attn_norm.weight, blk.0.ffn_norm.weight, blk.0.attn_q.weight, "));
        QVERIFY2(listOf(error).contains(", … (+"), qPrintable(listOf(error)));
    }

    void wrongShape() {
        const Error error =
            refusalOf(Llama{.omit = {}, .architecture = "llama", .queryShape = {kWidth, kWidth + 8}}.maker().model());
        QCOMPARE(error.code, ErrorCode::WrongShape);
        QCOMPARE(error.place, Place::tensor("blk.0.attn_q.weight"));
        QCOMPARE(listOf(error), "32 × 40 | 32 × 32");
    }

    void moreThanThereIs() {
        ModelMaker maker = Llama{.omit = {"context_length"}}.maker();
        const auto model = maker.model();
        const auto loaded = loadForInference(model);
        QVERIFY(loaded);
        const SessionOptions options{.context = 0x7FFF'FFFF};
        const auto needs = memoryNeeds(model, options);
        QVERIFY(needs);
        const MachineMemory machine = machineMemory();
        if (judge(*needs, machine) != MemoryVerdict::DoesNotFit) {
            QSKIP("this machine has hundreds of gigabytes");
        }
        const auto session = (*loaded)->startSession(options);
        QVERIFY(!session);
        QCOMPARE(session.error().code, ErrorCode::NotEnoughMemory);
        QCOMPARE(session.error().args.size(), std::size_t{2});
        QCOMPARE(std::stoull(session.error().args[0].text()), needs->anonymous());
        QVERIFY(std::stoull(session.error().args[1].text()) <= machine.total);
        QVERIFY((*loaded)->startSession({.context = 64})); // and nothing was left over
    }

    void verdicts() {
        const MemoryNeeds needs{.weights = 1000, .kvCache = 100, .scratch = 20};
        QCOMPARE(judge(needs, {.total = 5000, .available = 1120}), MemoryVerdict::Fits);
        QCOMPARE(judge(needs, {.total = 5000, .available = 1119}), MemoryVerdict::WeightsExceed);
        QCOMPARE(judge(needs, {.total = 5000, .available = 120}), MemoryVerdict::WeightsExceed);
        QCOMPARE(judge(needs, {.total = 5000, .available = 119}), MemoryVerdict::DoesNotFit);
        QCOMPARE(judge(needs, {}), MemoryVerdict::Fits); // unknown memory
    }

    void machine_data() {
        QTest::addColumn<QByteArray>("groups"); // contents of /proc/self/cgroup
        QTest::addColumn<QStringList>("files"); // PATH=TEXT under /sys/fs/cgroup
        QTest::addColumn<qulonglong>("total");  // KiB
        QTest::addColumn<qulonglong>("available");
        QTest::newRow("no groups") << QByteArray() << QStringList() << 16'000ULL << 9'000ULL;
        QTest::newRow("version 2, no limit")
            << QByteArray("0::/user\n") << QStringList{"user/memory.max=max\n", "user/memory.current=4096\n"}
            << 16'000ULL << 9'000ULL;
        QTest::newRow("version 2, limit above")
            << QByteArray("0::/user/mine\n")
            << QStringList{"user/memory.max=4096000\n", "user/memory.current=2048000\n", "user/mine/memory.max=max\n",
                           "user/memory.stat=anon 5\ninactive_file 512000\nactive_file 512000\n"}
            << 4'000ULL << 3'000ULL;
        QTest::newRow("version 2, the smallest counts")
            << QByteArray("0::/user/mine\n")
            << QStringList{"user/memory.max=4096000\n", "user/memory.current=3993600\n",
                           "user/mine/memory.max=2048000\n", "user/mine/memory.current=0\n"}
            << 2'000ULL << 100ULL;
        QTest::newRow("version 2, full") << QByteArray("0::/user\n")
                                         << QStringList{"user/memory.max=4096000\n", "user/memory.current=5000000\n"}
                                         << 4'000ULL << 0ULL;
        QTest::newRow("version 2, a container")
            << QByteArray("0::/host/path\n") << QStringList{"memory.max=4096000\n", "memory.current=1024000\n"}
            << 4'000ULL << 3'000ULL;
        QTest::newRow("version 2, another's path")
            << QByteArray("0::/../other\n") << QStringList{"other/memory.max=4096000\n", "other/memory.current=0\n"}
            << 16'000ULL << 9'000ULL;
        QTest::newRow("version 1")
            << QByteArray("4:cpu,memory:/a\n3:cpuset:/b\n0::/\n")
            << QStringList{"memory/a/memory.limit_in_bytes=4096000\n", "memory/a/memory.usage_in_bytes=2048000\n",
                           "memory/a/memory.stat=total_inactive_file 1024000\ntotal_active_file 0\n",
                           "memory/b/memory.limit_in_bytes=1024\n", "memory/b/memory.usage_in_bytes=0\n"}
            << 4'000ULL << 3'000ULL;
        QTest::newRow("version 1, no limit") << QByteArray("4:memory:/a\n")
                                             << QStringList{"memory/a/memory.limit_in_bytes=9223372036854771712\n",
                                                            "memory/a/memory.usage_in_bytes=1024000\n"}
                                             << 16'000ULL << 9'000ULL;
    }
    void machine() {
        QFETCH(QByteArray, groups);
        QFETCH(QStringList, files);
        QFETCH(qulonglong, total);
        QFETCH(qulonglong, available);
        const QTemporaryDir folder;
        write(folder.filePath("proc/meminfo"), "MemTotal:  16000 kB\nMemFree:  10 kB\nMemAvailable:   9000 kB\n");
        write(folder.filePath("proc/self/cgroup"), groups);
        for (const QString& file : files) {
            write(folder.filePath("sys/" + file.section('=', 0, 0)), file.section('=', 1).toUtf8());
        }
        const MachineMemory memory =
            machineMemory(folder.filePath("proc").toStdString(), folder.filePath("sys").toStdString());
        QCOMPARE(memory.total, std::uint64_t{total * 1024});
        QCOMPARE(memory.available, std::uint64_t{available * 1024});
    }

    void machineWithoutFigures() {
        const QTemporaryDir folder;
        const MachineMemory memory = machineMemory(folder.filePath("proc").toStdString(), folder.path().toStdString());
        QCOMPARE(memory.total, std::uint64_t{0});
        QCOMPARE(memory.available, std::uint64_t{0});
    }

    void thisMachine() {
        const MachineMemory memory = machineMemory();
        QVERIFY(memory.total > 0);
        QVERIFY(memory.available > 0 && memory.available <= memory.total);
    }
};

GUFO_TEST(TestEngineNeeds)
#include "tst_engine_needs.moc"
