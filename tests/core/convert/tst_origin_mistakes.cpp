// Each mistake that a converter, or a change of either side, could make gives exactly the verdict that names it.
#include "origin_test.h"
#include "support/safetensors_builder.h"
#include "support/test_unit.h"
#include "tensor/encode.h"

#include <random>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::convert;
namespace fs = std::filesystem;

class TestOriginMistakes : public OriginTest {
    Q_OBJECT

private slots:
    void mistakesAreNamed_data();
    void mistakesAreNamed();
    void exchangedExperts();
    void detours_data();
    void detours();
    void fineTune();
    void otherWeightsBehindQuantisation();
    void keysAndTokens();
    void truncatedFile();
    void missingBytesOfSource();
    void renamedAndReordered();
};

namespace {

void dropOperation(ConversionPlan& plan, OperationKind kind) {
    for (PlannedRow& row : plan.rows) {
        std::erase_if(row.operations, [&](const Operation& operation) { return operation.kind == kind; });
    }
}
PlannedRow& rowNamed(ConversionPlan& plan, std::string_view name) {
    return *std::ranges::find(plan.rows, name, &PlannedRow::target);
}

} // namespace

void TestOriginMistakes::mistakesAreNamed_data() {
    QTest::addColumn<QString>("fixture");
    QTest::addColumn<PlanChange>("change");
    QTest::addColumn<QString>("tensor"); // one that differs
    QTest::addColumn<int>("different");  // how many
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("operation");
    const auto row = [](const char* name, const char* fixture, PlanChange change, const char* tensor, int different,
                        Misfit::Kind kind, OperationKind operation) {
        QTest::newRow(name) << fixture << change << tensor << different << static_cast<int>(kind)
                            << static_cast<int>(operation);
    };
    using Kind = OperationKind;
    // Q and K of both blocks.
    row(
        "not permuted", "llama", [](ConversionPlan& plan) { dropOperation(plan, Kind::PermuteRope); },
        "blk.0.attn_q.weight", 4, Misfit::Kind::Without, Kind::PermuteRope);
    row(
        "permuted the wrong way", "llama",
        [](ConversionPlan& plan) {
            for (PlannedRow& planned : plan.rows) {
                for (Operation& operation : planned.operations) {
                    operation.kind = operation.kind == Kind::PermuteRope ? Kind::UnpermuteRope : operation.kind;
                }
            }
        },
        "blk.1.attn_k.weight", 4, Misfit::Kind::Reversed, Kind::PermuteRope);
    row(
        "permuted twice", "llama",
        [](ConversionPlan& plan) {
            for (const char* name : {"blk.0.attn_q.weight", "blk.1.attn_k.weight"}) {
                std::vector<Operation>& operations = rowNamed(plan, name).operations;
                operations.insert(operations.begin(), operations.front());
            }
        },
        "blk.0.attn_q.weight", 2, Misfit::Kind::Repeated, Kind::PermuteRope);
    row(
        "norms with + 1 twice", "gemma2",
        [](ConversionPlan& plan) {
            rowNamed(plan, "blk.0.attn_norm.weight")
                .operations.insert(rowNamed(plan, "blk.0.attn_norm.weight").operations.begin(), {Kind::Add, {1}});
        },
        "blk.0.attn_norm.weight", 1, Misfit::Kind::Repeated, Kind::Add);
    row(
        "permuted for no reason", "qwen3",
        [](ConversionPlan& plan) {
            rowNamed(plan, "blk.0.attn_q.weight").operations.push_back({Kind::PermuteRope, {1, 4}});
        },
        "blk.0.attn_q.weight", 1, Misfit::Kind::With, Kind::PermuteRope);
    row(
        "norms without + 1", "gemma2",
        [](ConversionPlan& plan) {
            std::erase_if(rowNamed(plan, "output_norm.weight").operations,
                          [](const Operation& operation) { return operation.kind == Kind::Add; });
        },
        "output_norm.weight", 1, Misfit::Kind::Without, Kind::Add);
    row(
        "norms with + 1", "qwen3",
        [](ConversionPlan& plan) { rowNamed(plan, "output_norm.weight").operations.push_back({Kind::Add, {1}}); },
        "output_norm.weight", 1, Misfit::Kind::With, Kind::Add);
    row(
        "rows not regrouped", "gptneox", [](ConversionPlan& plan) { dropOperation(plan, Kind::RegroupRows); },
        "blk.0.attn_qkv.weight", 4, Misfit::Kind::Without, Kind::RegroupRows);
    row(
        "gate and up exchanged", "llama",
        [](ConversionPlan& plan) {
            std::swap(rowNamed(plan, "blk.0.ffn_gate.weight").parts, rowNamed(plan, "blk.0.ffn_up.weight").parts);
        },
        "blk.0.ffn_gate.weight", 2, Misfit::Kind::OtherTensor, Kind::Rename);
}

void TestOriginMistakes::mistakesAreNamed() {
    QFETCH(QString, fixture);
    QFETCH(PlanChange, change);
    QFETCH(QString, tensor);
    QFETCH(int, different);
    QFETCH(int, kind);
    QFETCH(int, operation);
    for (const char* type : {"F32", "F16", "Q8_0"}) {
        const fs::path source = sourceOf(fixture.toUtf8().constData());
        const auto written = write(source, path("out.gguf"), type, change);
        REQUIRE(written);
        const auto proved = proveFolder(source, path("out.gguf"));
        REQUIRE(proved);
        QVERIFY2(proved->proof.count(TensorProof::Different) == static_cast<std::uint64_t>(different),
                 joinedNames(proved->notSame()).c_str());
        QCOMPARE(proved->proof.same() + static_cast<std::uint64_t>(different), proved->proof.compared());
        QCOMPARE(proved->proof.verdict, OriginVerdict::Partly);
        QVERIFY(proved->proof.keys.empty());
        for (const ProvedRow& row : proved->proof.rows) {
            QCOMPARE(row.misfit.has_value(), row.tensor.proof == TensorProof::Different);
        }
        const ProvedRow* row = proved->row(tensor.toStdString());
        QVERIFY(row != nullptr && row->misfit);
        QCOMPARE(static_cast<int>(row->misfit->kind), kind);
        QCOMPARE(static_cast<int>(row->misfit->operation.kind), operation);
        if (row->misfit->kind == Misfit::Kind::OtherTensor) {
            QCOMPARE(proved->origin->plan->rows[row->misfit->other].target, "blk.0.ffn_up.weight");
        }
    }
}

// Each expert that has the weights of another is named with it.
void TestOriginMistakes::exchangedExperts() {
    for (const char* type : {"F16", "Q8_0"}) {
        const fs::path source = sourceOf("qwen3moe");
        const auto written = write(source, path("out.gguf"), type, [](ConversionPlan& plan) {
            std::vector<SourcePart>& up = rowNamed(plan, "blk.0.ffn_up_exps.weight").parts;
            std::swap(up[0], up[2]);
            std::vector<SourcePart>& down = rowNamed(plan, "blk.1.ffn_down_exps.weight").parts;
            std::rotate(down.begin(), down.begin() + 1, down.end());
        });
        REQUIRE(written);
        const auto proved = proveFolder(source, path("out.gguf"));
        REQUIRE(proved);
        QVERIFY(proved->proof.mistakesExplain);
        std::size_t explained = 0;
        for (std::size_t i = 0; i < proved->matches.rows.size(); ++i) {
            const ProvedRow& row = proved->proof.rows[i];
            const TensorMatch& match = proved->matches.rows[i];
            QCOMPARE(row.misfit.has_value(), row.tensor.proof == TensorProof::Different);
            if (!row.misfit) {
                continue;
            }
            QCOMPARE(static_cast<int>(row.misfit->kind), static_cast<int>(Misfit::Kind::OtherExpert));
            const std::uint64_t expert = match.expert.value_or(99);
            const std::uint64_t experts =
                proved->origin->model->tensor(match.cells[proved->proof.originModel].part.tensor).shape[2];
            QCOMPARE(row.misfit->expert, match.block == 0U ? 2 - expert : (expert + 1) % experts);
            ++explained;
        }
        QVERIFY(explained >= 5);
    }
}

// Weights that were rounded to another type on their way. All of them differ, and yet it is that model.
void TestOriginMistakes::detours_data() {
    QTest::addColumn<QString>("between");
    QTest::addColumn<QString>("type");
    QTest::newRow("BF16 on the way to F32") << "BF16" << "F32";
    QTest::newRow("BF16 on the way to F16") << "BF16" << "F16";
    QTest::newRow("BF16 on the way to Q8_0") << "BF16" << "Q8_0";
    QTest::newRow("F16 on the way to F32") << "F16" << "F32";
}

void TestOriginMistakes::detours() {
    QFETCH(QString, between);
    QFETCH(QString, type);
    // Weights with all bits of a float.
    const fs::path copy = copyOf("llama");
    std::mt19937 random(5);
    std::uniform_real_distribution<float> weight(-1.0F, 1.0F);
    const TensorTypeFact& via = *findTensorType(between.toStdString());
    SafetensorsBuilder exact;
    SafetensorsBuilder rounded;
    {
        const auto source = openModel(copy);
        REQUIRE(source);
        for (const TensorInfo& tensor : (*source)->tensors) {
            std::vector<float> weights(tensor.weights());
            std::ranges::generate(weights, [&] { return weight(random); });
            std::vector<std::byte> bytes(weights.size() * via.blockBytes);
            std::vector<float> after(weights.size());
            REQUIRE(encode({.typeId = via.id, .columns = weights.size(), .importance = {}}, weights, bytes));
            REQUIRE(decode(via.id, bytes, after));
            std::vector<std::uint64_t> shape(tensor.shape.dims().begin(), tensor.shape.dims().end());
            std::ranges::reverse(shape);
            const auto asBytes = [](const std::vector<float>& values) {
                const auto view = std::as_bytes(std::span(values));
                return std::vector<std::byte>(view.begin(), view.end());
            };
            exact.tensor(std::string(tensor.name), "F32", shape, asBytes(weights));
            rounded.tensor(std::string(tensor.name), "F32", shape, asBytes(after));
        }
    }
    rounded.write(copy / "model.safetensors");
    const auto written = write(copy, path("out.gguf"), type.toLatin1().constData());
    REQUIRE(written);
    exact.write(copy / "model.safetensors");
    const auto proved = proveFolder(copy, path("out.gguf"));
    REQUIRE(proved);
    std::size_t matrices = 0;
    for (std::size_t i = 0; i < proved->proof.rows.size(); ++i) {
        const ProvedRow& row = proved->proof.rows[i];
        if (row.misfit) {
            QCOMPARE(static_cast<int>(row.misfit->kind), static_cast<int>(Misfit::Kind::RoundedTo));
            QCOMPARE(row.misfit->typeId, via.id);
            const TensorPart& part = proved->matches.rows[i].cells[proved->proof.originModel].part;
            matrices += part.rows > 1 ? 1U : 0U;
        }
        QVERIFY(row.misfit || row.tensor.proof != TensorProof::Different);
    }
    QVERIFY(matrices > 0);
    QVERIFY(proved->proof.mistakesExplain);
    QVERIFY(proved->proof.verdict != OriginVerdict::Other);
}

// Every matrix differs a little, as in another fine-tune of the same base.
void TestOriginMistakes::fineTune() {
    const fs::path copy = copyOf("qwen3");
    const auto written = write(copy, path("out.gguf"), "F16");
    REQUIRE(written);
    {
        const auto model = openModel(path("out.gguf"));
        REQUIRE(model);
        std::mt19937 random(7);
        for (const TensorInfo& tensor : (*model)->tensors) {
            const auto stored = (*model)->bytesOf(tensor);
            REQUIRE(stored);
            std::vector<std::byte> bytes(stored->begin(), stored->end());
            const std::uint32_t width = tensor.type()->blockBytes;
            for (std::size_t i = width - 2; i < bytes.size(); i += width) { // the middle bits of the mantissa
                bytes[i] ^= std::byte{static_cast<unsigned char>(random() & 0x08U)};
            }
            overwriteBytes(path("out.gguf"), tensor.offset, bytes);
        }
    }
    const auto proved = proveFolder(copy, path("out.gguf"));
    REQUIRE(proved);
    QCOMPARE(proved->proof.same(), 0U);
    QCOMPARE(proved->proof.count(TensorProof::Different), proved->proof.compared());
    QCOMPARE(proved->proof.verdict, OriginVerdict::Other);
    for (const ProvedRow& row : proved->proof.rows) {
        QVERIFY(!row.misfit);
    }
}

// A quantised file of other weights does not hide behind the error of its type.
void TestOriginMistakes::otherWeightsBehindQuantisation() {
    const fs::path copy = copyOf("qwen3");
    const auto written = write(copy, path("out.gguf"), "Q4_0");
    REQUIRE(written);
    {
        const auto source = openModel(copy);
        REQUIRE(source);
        std::mt19937 random(11);
        std::uniform_real_distribution<float> noise(0.5F, 1.5F);
        for (const TensorInfo& tensor : (*source)->tensors) {
            const auto rows = (*source)->rowsOf(tensor);
            REQUIRE(rows);
            std::vector<float> weights(tensor.weights());
            REQUIRE(decode(*rows, 0, weights));
            std::vector<std::byte> bytes;
            for (const float weight : weights) { // F32, BF16: the upper bytes of a float
                const auto bits = std::bit_cast<std::uint32_t>(weight * noise(random));
                const std::uint32_t width = tensor.type()->blockBytes;
                QVERIFY(tensor.type()->name == "F32" || tensor.type()->name == "BF16");
                for (std::uint32_t i = 4 - width; i < 4; ++i) {
                    bytes.push_back(static_cast<std::byte>(bits >> (8 * i)));
                }
            }
            overwriteBytes((*source)->files[tensor.file.value].path, tensor.offset, bytes);
        }
    }
    const auto proved = proveFolder(copy, path("out.gguf"));
    REQUIRE(proved);
    QCOMPARE(proved->proof.same(), 0U);
    QCOMPARE(proved->proof.verdict, OriginVerdict::Other);
}

void TestOriginMistakes::keysAndTokens() {
    const fs::path source = sourceOf("qwen3");
    struct Case {
        PlanChange change;
        std::vector<std::string> keys;
        bool missing;
        OriginVerdict verdict;
    };
    const auto set = [](ConversionPlan& plan, std::string_view key, OwnedValue value) {
        std::ranges::find(plan.keys, key, &PlannedKey::key)->value = std::move(value);
    };
    static const auto kSet = set;
    const std::vector<Case> cases = {
        {[](ConversionPlan& plan) { kSet(plan, "qwen3.block_count", OwnedValue(Value(std::uint32_t{7}))); },
         {"qwen3.block_count"},
         false,
         OriginVerdict::SameWeights},
        // The same number in another type.
        {[](ConversionPlan& plan) {
             auto& key = *std::ranges::find(plan.keys, "qwen3.block_count", &PlannedKey::key);
             key.value = OwnedValue(Value(*asUInt(key.value.value())));
         },
         {},
         false,
         OriginVerdict::Same},
        {[](ConversionPlan& plan) {
             std::erase_if(plan.keys, [](const PlannedKey& key) { return key.key == "qwen3.block_count"; });
         },
         {"qwen3.block_count"},
         true,
         OriginVerdict::SameWeights},
        // What only the file has is no difference.
        {[](ConversionPlan& plan) { plan.keys.push_back({"qwen3.note", OwnedValue::string("more"), {}}); },
         {},
         false,
         OriginVerdict::Same},
        {[](ConversionPlan& plan) { kSet(plan, "general.name", OwnedValue::string("Another")); },
         {"general.name"},
         false,
         OriginVerdict::Same},
        {[](ConversionPlan& plan) { kSet(plan, "tokenizer.chat_template", OwnedValue::string("{{ x }}")); },
         {"tokenizer.chat_template"},
         false,
         OriginVerdict::SameWeights},
        {[](ConversionPlan& plan) { kSet(plan, "tokenizer.ggml.pre", OwnedValue::string("llama-bpe")); },
         {"tokenizer.ggml.pre"},
         false,
         OriginVerdict::SameWeights},
        // Another name of the same rule.
        {[](ConversionPlan& plan) { kSet(plan, "tokenizer.ggml.pre", OwnedValue::string("stablelm2")); },
         {},
         false,
         OriginVerdict::Same},
        {[](ConversionPlan& plan) {
             auto& key = *std::ranges::find(plan.keys, "tokenizer.ggml.tokens", &PlannedKey::key);
             const ArrayView& array = *asArray(key.value.value());
             std::vector<std::string> tokens;
             static_cast<void>(forEachElement(array, [&](std::uint64_t, const Value& token) {
                 tokens.emplace_back(*asString(token));
                 return true;
             }));
             tokens[5] = "changed";
             key.value = OwnedValue::strings(tokens);
         },
         {"tokenizer.ggml.tokens"},
         false,
         OriginVerdict::SameWeights},
    };
    for (const Case& each : cases) {
        const auto written = write(source, path("out.gguf"), "F16", each.change);
        REQUIRE(written);
        for (const bool fileFirst : {false, true}) {
            const auto proved = proveFolder(source, path("out.gguf"), fileFirst);
            REQUIRE(proved);
            QVERIFY2(proved->keys() == each.keys, joinedNames(proved->keys()).c_str());
            QCOMPARE(proved->proof.verdict, each.verdict);
            QCOMPARE(proved->proof.same(), proved->proof.compared());
            for (const KeyDifference& key : proved->proof.keys) {
                QCOMPARE(key.missing, each.missing);
            }
        }
    }
}

void TestOriginMistakes::truncatedFile() {
    const fs::path source = sourceOf("llama");
    const auto written = write(source, path("out.gguf"), "F32");
    REQUIRE(written);
    fs::resize_file(path("out.gguf"), fs::file_size(path("out.gguf")) - 64);
    const auto proved = proveFolder(source, path("out.gguf"));
    REQUIRE(proved);
    QCOMPARE(proved->proof.count(TensorProof::Failed), 1U);
    for (const ProvedRow& row : proved->proof.rows) {
        QCOMPARE(row.tensor.error.has_value(), row.tensor.proof == TensorProof::Failed);
        QVERIFY(!row.tensor.error || row.tensor.error->code == ErrorCode::Truncated);
    }
    QCOMPARE(proved->proof.verdict, OriginVerdict::Partly);
}

// A shard of the origin is missing: its tensors cannot be read, and the others are the same.
void TestOriginMistakes::missingBytesOfSource() {
    const fs::path copy = copyOf("qwen3");
    const auto written = write(copy, path("out.gguf"), "F16");
    REQUIRE(written);
    {
        // Two shards. The second one, which has one tensor, is missing.
        const auto source = openModel(copy);
        REQUIRE(source);
        QJsonObject map;
        QJsonObject header;
        QByteArray data;
        for (const TensorInfo& tensor : (*source)->tensors) {
            const QString name = QString::fromStdString(std::string(tensor.name));
            const bool first = name != "lm_head.weight";
            map[name] = first ? "model-00001-of-00002.safetensors" : "model-00002-of-00002.safetensors";
            if (!first) {
                continue;
            }
            QJsonArray shape;
            for (const std::uint64_t dim : tensor.shape.dims()) {
                shape.prepend(static_cast<qint64>(dim));
            }
            const auto bytes = (*source)->bytesOf(tensor);
            REQUIRE(bytes);
            header[name] = QJsonObject{
                {"dtype", QString::fromStdString(tensor.typeName())},
                {"shape", shape},
                {"data_offsets", QJsonArray{data.size(), data.size() + static_cast<qsizetype>(bytes->size())}}};
            data.append(reinterpret_cast<const char*>(bytes->data()), static_cast<qsizetype>(bytes->size()));
        }
        const auto save = [&](const char* name, const QByteArray& bytes) {
            QFile file(QString::fromStdString((copy / name).string()));
            return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
        };
        const QByteArray json = QJsonDocument(header).toJson(QJsonDocument::Compact);
        QByteArray length(8, '\0');
        const auto size = static_cast<std::uint64_t>(json.size());
        std::memcpy(length.data(), &size, sizeof size);
        QVERIFY(save("model-00001-of-00002.safetensors", length + json + data));
        QVERIFY(save("model.safetensors.index.json", QJsonDocument(QJsonObject{{"weight_map", map}}).toJson()));
    }
    fs::remove(copy / "model.safetensors");
    const auto proved = proveFolder(copy, path("out.gguf"));
    REQUIRE(proved);
    QCOMPARE(proved->notSame(), std::vector<std::string>{"output.weight"});
    QCOMPARE(proved->proof.verdict, OriginVerdict::Partly);
}

void TestOriginMistakes::renamedAndReordered() {
    const fs::path source = sourceOf("llama");
    const auto written = write(source, path("out.gguf"), "Q8_0", [](ConversionPlan& plan) {
        std::ranges::reverse(plan.rows);
        rowNamed(plan, "output.weight").target = "lm_head";
    });
    REQUIRE(written);
    const auto proved = proveFolder(source, path("out.gguf"));
    REQUIRE(proved);
    QCOMPARE(proved->proof.verdict, OriginVerdict::Same);
    QCOMPARE(proved->proof.same(), proved->origin->plan->rows.size());

    const auto less = write(source, path("less.gguf"), "Q8_0", [](ConversionPlan& plan) {
        std::erase_if(plan.rows, [](const PlannedRow& row) { return row.target == "blk.1.ffn_norm.weight"; });
    });
    REQUIRE(less);
    const auto lacking = proveFolder(source, path("less.gguf"));
    REQUIRE(lacking);
    QCOMPARE(lacking->notSame(), std::vector<std::string>{"blk.1.ffn_norm.weight"});
    QCOMPARE(lacking->row("blk.1.ffn_norm.weight")->tensor.proof, TensorProof::Missing);
}

GUFO_TEST(TestOriginMistakes)
#include "tst_origin_mistakes.moc"
