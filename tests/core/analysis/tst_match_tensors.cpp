#include "analysis/compare/match_tensors.h"
#include "support/model_maker.h"
#include "support/test_unit.h"
#include "tensor/encode.h"

#include <QTest>

#include <random>

using namespace gufo;
using namespace gufo::test;

namespace {

using Models = std::vector<std::shared_ptr<const Model>>;
using Dims = std::vector<std::uint64_t>;

TensorMatches match(const Models& models, std::size_t reference = 0) {
    auto matches = matchTensors(models, reference);
    return matches ? std::move(*matches) : TensorMatches();
}

// "label status status …; …", where the statuses are P, R, S, M and E.
QString summary(const TensorMatches& matches) {
    QStringList rows;
    for (const TensorMatch& row : matches.rows) {
        QString text = QString::fromStdString(row.label()) + ' ';
        for (const TensorMatch::Cell& cell : row.cells) {
            text += QLatin1Char("PRSME"[static_cast<int>(cell.status)]);
        }
        rows << text;
    }
    return rows.join("; ");
}

ModelMaker llama() {
    ModelMaker maker("llama");
    maker.u32("llama.embedding_length", 64)
        .u32("llama.attention.head_count", 4)
        .u32("llama.attention.head_count_kv", 2)
        .u32("llama.feed_forward_length", 96);
    return maker;
}

// 4096 normal numbers that depend on the seed, encoded.
std::string drawn(unsigned seed, TensorType type = TensorType::F32) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(64 * 64);
    std::ranges::generate(values, [&] { return normal(random); });
    std::string bytes(blocksBytes(tensorTypeFact(type), values.size()), '\0');
    const EncodeRequest target{.typeId = static_cast<std::uint32_t>(type), .columns = 64, .importance = {}};
    if (!encode(target, values, std::as_writable_bytes(std::span(bytes)))) {
        qFatal("not encoded");
    }
    return bytes;
}

} // namespace

class TestMatchTensors : public QObject {
    Q_OBJECT

private slots:
    void namesAndStatuses() {
        const auto a = llama()
                           .tensor("token_embd.weight", {64, 10})
                           .tensor("blk.0.attn_q.weight", {64, 64})
                           .tensor("blk.1.attn_q.weight", {64, 64})
                           .tensor("output_norm.weight", {64})
                           .model();
        const auto b = llama()
                           .tensor("output_norm.weight", {64, 1})
                           .tensor("token_embd.weight", {64, 11})
                           .tensor("blk.1.attn_q.weight", {64, 64}, TensorType::Q8_0)
                           .tensor("blk.0.extra.weight", {64})
                           .tensor("late.weight", {64})
                           .model();
        const auto matches = match({a, b, b});
        QCOMPARE(summary(matches), QString("token_embd.weight PSS; blk.0.attn_q.weight PMM; blk.0.extra.weight MEE; "
                                           "blk.1.attn_q.weight PPP; output_norm.weight PPP; late.weight MEE"));
        QVERIFY(!matches.rows[0].comparable(1));
        QVERIFY(matches.rows[3].comparable(1));
        const TensorPart& part = matches.rows[4].cells[1].part;
        QCOMPARE(part.columns, 64U);
        QCOMPARE(part.rows, 1U);
    }

    void renamed() {
        const auto a = llama().tensor("blk.3.attn_q.weight", {64, 64}).tensor("blk.3.attn_k.weight", {64, 32}).model();
        const auto b = llama()
                           .tensor("layers.3.attention.wq.weight", {64, 64})
                           .tensor("layers.3.attention.wk.weight", {64, 64}) // has the same meaning but another shape
                           .model();
        QCOMPARE(summary(match({a, b})), QString("blk.3.attn_q.weight PR; blk.3.attn_k.weight PM; "
                                                 "layers.3.attention.wk.weight ME"));
    }

    void experts() {
        const auto a = llama()
                           .tensor("blk.0.ffn_gate_exps.weight", {64, 32, 3})
                           .tensor("blk.0.ffn_gate_exps.bias", {32, 3})
                           .model();
        const auto b = llama()
                           .tensor("blk.0.ffn_gate.2.weight", {64, 32})
                           .tensor("blk.0.ffn_gate.0.weight", {64, 32})
                           .tensor("blk.0.ffn_gate_exps.bias", {32, 3})
                           .model();
        const auto matches = match({a, b});
        QCOMPARE(summary(matches), QString("blk.0.ffn_gate_exps.weight [0] PR; blk.0.ffn_gate_exps.weight [1] PM; "
                                           "blk.0.ffn_gate_exps.weight [2] PR; blk.0.ffn_gate_exps.bias [0] PP; "
                                           "blk.0.ffn_gate_exps.bias [1] PP; blk.0.ffn_gate_exps.bias [2] PP"));
        const TensorMatch& last = matches.rows[2];
        QCOMPARE(last.expert, std::optional(2U));
        QCOMPARE(last.cells[0].part, (TensorPart{TensorIndex(0), 2 * 64 * 32, 64, 32}));
        QCOMPARE(last.cells[1].part, (TensorPart{TensorIndex(0), 0, 64, 32}));
        QCOMPARE(matches.rows[4].cells[1].part, (TensorPart{TensorIndex(2), 32, 32, 1}));
        // With a different number of experts no slice corresponds.
        const auto c = llama().tensor("blk.0.ffn_gate_exps.weight", {64, 32, 2}).model();
        QCOMPARE(summary(match({c, a})), QString("blk.0.ffn_gate_exps.weight PS; blk.0.ffn_gate_exps.bias [0] ME; "
                                                 "blk.0.ffn_gate_exps.bias [1] ME; blk.0.ffn_gate_exps.bias [2] ME"));
    }

    void fusedAttention() {
        const auto a =
            llama().tensor("blk.0.attn_qkv.weight", {64, 64 + 32 + 32}).tensor("blk.0.attn_qkv.bias", {128}).model();
        const auto b = llama()
                           .tensor("blk.0.attn_q.weight", {64, 64})
                           .tensor("blk.0.attn_k.weight", {64, 32})
                           .tensor("blk.0.attn_v.weight", {64, 32})
                           .tensor("blk.0.attn_qkv.bias", {128})
                           .model();
        const auto matches = match({a, b});
        QCOMPARE(summary(matches), QString("blk.0.attn_qkv.weight attn_q PR; blk.0.attn_qkv.weight attn_k PR; "
                                           "blk.0.attn_qkv.weight attn_v PR; blk.0.attn_qkv.bias attn_q PP; "
                                           "blk.0.attn_qkv.bias attn_k PP; blk.0.attn_qkv.bias attn_v PP"));
        QCOMPARE(matches.rows[1].cells[0].part, (TensorPart{TensorIndex(0), 64 * 64, 64, 32}));
        QCOMPARE(matches.rows[1].role, "attn_k");
        QVERIFY(matches.rows[1].fact != nullptr && matches.rows[1].fact->name == "attn_k");
        QCOMPARE(matches.rows[5].cells[0].part, (TensorPart{TensorIndex(1), 96, 32, 1}));
        // In the opposite direction the fused tensor is the renamed one.
        QCOMPARE(summary(match({b, a})), QString("blk.0.attn_q.weight PR; blk.0.attn_k.weight PR; "
                                                 "blk.0.attn_v.weight PR; blk.0.attn_qkv.bias attn_q PP; "
                                                 "blk.0.attn_qkv.bias attn_k PP; blk.0.attn_qkv.bias attn_v PP"));
    }

    void fusedParts_data() {
        QTest::addColumn<QString>("architecture");
        QTest::addColumn<QString>("name");
        QTest::addColumn<qulonglong>("rows");
        QTest::addColumn<QString>("parts");
        QTest::newRow("qkv") << "llama" << "blk.0.attn_qkv.weight" << 128ULL
                             << "attn_q 0+64, attn_k 64+32, attn_v 96+32";
        QTest::newRow("qkv of another size") << "llama" << "blk.0.attn_qkv.weight" << 129ULL << "";
        QTest::newRow("qkv too small") << "llama" << "blk.0.attn_qkv.weight" << 70ULL << "";
        QTest::newRow("linear attention")
            << "qwen3next" << "blk.0.attn_qkv.weight" << 40ULL << "attn_q 0+8, attn_k 8+8, attn_v 16+24";
        QTest::newRow("image encoder") << "clip" << "v.blk.0.attn_qkv.weight" << 192ULL
                                       << "attn_q 0+64, attn_k 64+64, attn_v 128+64";
        QTest::newRow("gate and up") << "phi3" << "blk.0.ffn_up.weight" << 192ULL << "ffn_gate 0+96, ffn_up 96+96";
        QTest::newRow("up alone") << "phi3" << "blk.0.ffn_up.weight" << 96ULL << "";
        QTest::newRow("up of an architecture without") << "llama" << "blk.0.ffn_up.weight" << 192ULL << "";
        QTest::newRow("gate and up of experts")
            << "llama" << "blk.0.ffn_gate_up_exps.weight" << 64ULL << "ffn_gate_exps 0+32, ffn_up_exps 32+32";
        QTest::newRow("odd") << "llama" << "blk.0.ffn_gate_up_exps.weight" << 63ULL << "";
        QTest::newRow("nothing") << "llama" << "blk.0.ffn_gate_up_exps.weight" << 0ULL << "";
        QTest::newRow("not fused") << "llama" << "blk.0.attn_q.weight" << 64ULL << "";
        QTest::newRow("factors of LoRA") << "llama" << "blk.0.attn_qkv.weight.lora_a" << 128ULL << "";
    }
    void fusedParts() {
        QFETCH(QString, architecture);
        QFETCH(QString, name);
        QFETCH(qulonglong, rows);
        const std::string arch = architecture.toStdString();
        const auto model = ModelMaker(arch)
                               .u32(arch + ".embedding_length", 64)
                               .u32(arch + ".attention.head_count", 4)
                               .u32(arch + ".attention.head_count_kv", 2)
                               .u32(arch + ".feed_forward_length", 96)
                               .u32(arch + ".ssm.group_count", 2)
                               .u32(arch + ".ssm.state_size", 4)
                               .u32(arch + ".ssm.inner_size", 24)
                               .model();
        const std::string text = name.toStdString();
        QStringList found;
        for (const FusedPart& part : gufo::fusedParts(*model, parseTensorName(text), rows)) {
            found << QString("%1 %2+%3")
                         .arg(QString::fromStdString(std::string(part.role)))
                         .arg(part.firstRow)
                         .arg(part.rows);
        }
        QTEST(found.join(", "), "parts");
    }

    // Names that mean nothing: the weights tell which tensors belong together.
    void matchesByContent() {
        const auto a = llama()
                           .withData()
                           .tensor("blk.0.attn_q.weight", {64, 64}, TensorType::F32, drawn(1))
                           .tensor("blk.0.attn_k.weight", {64, 64}, TensorType::F32, drawn(2))
                           .tensor("blk.0.attn_v.weight", {64, 64}, TensorType::F32, drawn(3))
                           .tensor("blk.0.ffn_up.weight", {32, 128}, TensorType::F32, drawn(4))
                           .tensor("output_norm.weight", {64})
                           .model();
        const auto b = llama()
                           .withData()
                           .tensor("third", {64, 64}, TensorType::Q4_0, drawn(3, TensorType::Q4_0))
                           .tensor("first", {64, 64, 1}, TensorType::F32, drawn(1))
                           .tensor("none", {64, 64}, TensorType::F32, drawn(5))
                           .tensor("fourth, but of another shape", {128, 32}, TensorType::F32, drawn(4))
                           .tensor("zeros", {64})
                           .model();
        const auto matches = match({a, b});
        QCOMPARE(summary(matches), QString("blk.0.attn_q.weight PR; blk.0.attn_k.weight PM; blk.0.attn_v.weight PR; "
                                           "blk.0.ffn_up.weight PM; output_norm.weight PM; none ME; "
                                           "fourth, but of another shape ME; zeros ME"));
        QCOMPARE(b->tensor(matches.rows[0].cells[1].part.tensor).name, std::string_view("first"));
        QCOMPARE(b->tensor(matches.rows[2].cells[1].part.tensor).name, std::string_view("third"));
    }

    void copiesAreNotGuessedAt() {
        const auto a = llama()
                           .withData()
                           .tensor("one", {64, 64}, TensorType::F32, drawn(1))
                           .tensor("two", {64, 64}, TensorType::F32, drawn(2))
                           .model();
        const auto b = llama()
                           .withData()
                           .tensor("copy", {64, 64}, TensorType::F32, drawn(1))
                           .tensor("other copy", {64, 64}, TensorType::F32, drawn(1))
                           .tensor("nearly a copy", {64, 64}, TensorType::Q8_0, drawn(2, TensorType::Q8_0))
                           .tensor("nearly another", {64, 64}, TensorType::Q4_0, drawn(2, TensorType::Q4_0))
                           .model();
        QCOMPARE(summary(match({a, b})),
                 QString("one PM; two PM; copy ME; other copy ME; nearly a copy ME; nearly another ME"));
    }

    void proposesMostBits() {
        const auto small = llama().tensor("a", {64, 2}, TensorType::Q4_0).model();
        const auto large = llama().tensor("a", {64, 2}, TensorType::F16).model();
        QCOMPARE(proposedReference(Models{small, large, large}), 1U);
        const auto matches = match({small, large}, 1);
        QCOMPARE(matches.reference, 1U);
        QCOMPARE(summary(matches), QString("a PP"));
    }

    void proposesWhatIsInCommon_data() {
        QTest::addColumn<QStringList>("models"); // the names of tensors and their type
        QTest::addColumn<int>("reference");
        QTest::newRow("most bits") << QStringList{"abc Q4_0", "abc F16", "abc Q8_0"} << 1;
        QTest::newRow("a foreign file with more bits")
            << QStringList{"abc Q4_0", "xyz F32", "abc F16", "abc Q8_0", "abc Q4_0"} << 2;
        QTest::newRow("foreign shapes") << QStringList{"abc Q4_0", "ABC F32", "abc F16"} << 2;
        QTest::newRow("nothing in common") << QStringList{"a Q4_0", "x F32"} << 1;
        QTest::newRow("two and one") << QStringList{"x F32", "abc Q8_0", "abc Q4_0"} << 1;
        QTest::newRow("one tensor more in the quantised files")
            << QStringList{"abcdefghijkl Q4_0", "abcdefghijk F16", "abcdefghijkl Q8_0"} << 1;
        QTest::newRow("a part of the model") << QStringList{"abcdefghijkl Q4_0", "a F32", "abcdefghijkl Q8_0"} << 2;
        QTest::newRow("without tensors") << QStringList{" F32", "abc Q4_0", "abc Q8_0"} << 2;
    }
    void proposesWhatIsInCommon() {
        QFETCH(QStringList, models);
        Models made;
        for (const QString& each : models) {
            ModelMaker maker("llama");
            const QStringList parts = each.split(' ');
            const auto type = static_cast<TensorType>(findTensorType(parts[1].toStdString())->id);
            for (const QChar name : parts[0]) { // capitals stand for another shape of the same name
                maker.tensor(std::string(1, name.toLower().toLatin1()), {64, name.isUpper() ? 3U : 2U}, type);
            }
            made.push_back(maker.model());
        }
        QTEST(static_cast<int>(proposedReference(made)), "reference");
    }

    void bounded() {
        // With more slices than may be expanded, rows stay whole and nothing is dropped.
        ModelMaker maker("llama");
        for (int i = 0; i < 6; ++i) {
            maker.tensor("blk." + std::to_string(i) + ".ffn_up_exps.weight", {1, 1, 100'000}, TensorType::I8);
        }
        const auto model = maker.model();
        const auto matches = match({model, model});
        QCOMPARE(matches.rows.size(), 2U * 100'000 + 4);
        QVERIFY(!matches.rows.back().slice);
    }

    void refusals() {
        const auto model = llama().model();
        QCOMPARE(matchTensors(Models{}, 0).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(matchTensors(Models(9, model), 0).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(matchTensors(Models{model}, 1).error().code, ErrorCode::InvalidArgument);
        QVERIFY(match({model, model}).rows.empty());
        std::stop_source stop;
        stop.request_stop();
        const auto single = llama().tensor("a", {1}).model();
        QCOMPARE(matchTensors(Models{single}, 0, {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
    }
};

GUFO_TEST_APPLESS(TestMatchTensors)
#include "tst_match_tensors.moc"
