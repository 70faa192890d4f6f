// Shards of another quantisation or another model are found, and those of unusual models are not taken for them.
#include "base/detail.h"
#include "formats/gguf/read/shards.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"

#include <QTest>

#include <deque>

using namespace gufo;
using namespace gufo::test;

namespace {

constexpr std::uint32_t kQ4K = 12;
constexpr std::uint32_t kQ6K = 14;

// A joined model without files' contents.
class JoinedShards {
public:
    JoinedShards& shard() {
        const auto name = "m-" + std::to_string(m_model.files.size() + 1) + ".gguf";
        m_model.files.push_back({.source = nullptr, .path = name});
        return *this;
    }
    JoinedShards& tensor(std::string name, std::uint32_t type, const std::vector<std::uint64_t>& shape = {256, 256}) {
        TensorInfo tensor;
        tensor.name = m_names.emplace_back(std::move(name));
        tensor.typeId = type;
        tensor.shape = Shape(shape);
        tensor.file = FileIndex(m_model.files.size() - 1);
        m_model.tensors.push_back(tensor);
        return *this;
    }
    // A block like Llama's.
    JoinedShards& block(unsigned number, std::uint32_t type, std::uint32_t down, std::uint64_t width = 256,
                        const std::string& prefix = "blk.") {
        const std::string start = prefix + std::to_string(number) + '.';
        tensor(start + "attn_norm.weight", kF32, {width});
        for (const char* role : {"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up"}) {
            tensor(start + role + ".weight", type, {width, width});
        }
        return tensor(start + "ffn_down.weight", down, {2 * width, width});
    }
    [[nodiscard]] QString foreign() {
        m_model.indexTensors();
        FindingList findings;
        gguf::addForeignShards(m_model, findings);
        QStringList names;
        for (const Finding& finding : std::move(findings).take()) {
            names << QString::fromStdString(finding.args[0].text() + ": " + finding.args[1].text());
        }
        return names.join(u'\n');
    }

private:
    Model m_model;
    std::deque<std::string> m_names;
};

} // namespace

class TestForeignShards : public QObject {
    Q_OBJECT

private slots:
    void finds_data() {
        QTest::addColumn<JoinedShards*>("shards");
        QTest::addColumn<QString>("foreign");
        const auto row = [this](const char* name, const char* foreign) -> JoinedShards& {
            JoinedShards& shards = m_shards.emplace_back();
            QTest::newRow(name) << &shards << QString(foreign);
            return shards;
        };
        row("one quantisation", "").shard().block(0, kQ4K, kQ4K).shard().block(1, kQ4K, kQ4K);
        row("second of three", "m-2.gguf: tensors_of_another_type Q8_0 attn_q Q4_K")
            .shard()
            .block(0, kQ4K, kQ4K)
            .shard()
            .block(1, kQ8_0, kQ8_0)
            .shard()
            .block(2, kQ4K, kQ4K);
        row("first of three", "m-1.gguf: tensors_of_another_type F16 attn_q Q4_K")
            .shard()
            .block(0, kF16, kF16)
            .shard()
            .block(1, kQ4K, kQ4K)
            .shard()
            .block(2, kQ4K, kQ4K);
        row("one of two", "m-2.gguf: tensors_of_another_type Q8_0 attn_q Q4_K")
            .shard()
            .block(0, kQ4K, kQ4K)
            .shard()
            .block(1, kQ8_0, kQ8_0);
        row("unquantised", "m-2.gguf: tensors_of_another_type F32 attn_q Q4_K")
            .shard()
            .block(0, kQ4K, kQ4K)
            .shard()
            .block(1, kF32, kF32);
        row("three different ones", "m-2.gguf: tensors_of_another_type Q8_0 attn_q Q4_K\n"
                                    "m-3.gguf: tensors_of_another_type F16 attn_q Q4_K")
            .shard()
            .block(0, kQ4K, kQ4K)
            .shard()
            .block(1, kQ8_0, kQ8_0)
            .shard()
            .block(2, kF16, kF16);
        row("matrices that are F32 in every quantisation do not hide it",
            "m-2.gguf: tensors_of_another_type Q8_0 attn_q Q4_K")
            .shard()
            .tensor("blk.0.ffn_gate_inp.weight", kF32)
            .block(0, kQ4K, kQ4K)
            .shard()
            .tensor("blk.1.ffn_gate_inp.weight", kF32)
            .block(1, kQ8_0, kQ8_0);
        row("after a shard without tensors", "m-3.gguf: tensors_of_another_type Q8_0 attn_q Q4_K")
            .shard()
            .shard()
            .block(0, kQ4K, kQ4K)
            .shard()
            .block(1, kQ8_0, kQ8_0);
        row("more bits for some tensors", "").shard().block(0, kQ4K, kQ6K).shard().block(1, kQ4K, kQ4K);
        row("layers with types of their own", "")
            .shard()
            .block(0, kQ8_0, kQ8_0)
            .block(1, kQ4K, kQ4K)
            .shard()
            .block(2, kQ4K, kQ4K);
        row("embedding and output of another type", "")
            .shard()
            .tensor("token_embd.weight", kQ8_0)
            .shard()
            .block(0, kQ4K, kQ4K)
            .shard()
            .block(1, kQ4K, kQ4K)
            .tensor("output.weight", kQ6K);
        row("few tensors", "")
            .shard()
            .block(0, kQ4K, kQ4K)
            .shard()
            .tensor("blk.1.attn_q.weight", kQ6K)
            .tensor("blk.1.attn_k.weight", kQ6K)
            .tensor("blk.1.attn_v.weight", kQ6K);
        row("a single role", "")
            .shard()
            .block(0, kQ4K, kQ4K)
            .shard()
            .tensor("blk.1.ffn_down.weight", kQ6K)
            .tensor("blk.2.ffn_down.weight", kQ6K)
            .tensor("blk.3.ffn_down.weight", kQ6K)
            .tensor("blk.4.ffn_down.weight", kQ6K);
        row("encoder and decoder", "")
            .shard()
            .block(0, kQ4K, kQ4K, 256, "enc.blk.")
            .shard()
            .block(0, kQ8_0, kQ8_0, 512, "dec.blk.");
        row("another size", "m-2.gguf: tensors_of_another_shape 128 attn_norm 256")
            .shard()
            .block(0, kQ4K, kQ4K)
            .shard()
            .block(1, kQ4K, kQ4K, 128)
            .shard()
            .block(2, kQ4K, kQ4K);
        row("blocks of different widths", "")
            .shard()
            .block(0, kQ4K, kQ4K)
            .shard()
            .tensor("blk.1.attn_norm.weight", kF32, {256})
            .tensor("blk.1.attn_q.weight", kQ4K, {256, 512})
            .tensor("blk.1.attn_k.weight", kQ4K, {256, 64})
            .tensor("blk.1.ffn_up.weight", kQ4K, {256, 1024})
            .tensor("blk.1.ffn_down.weight", kQ4K, {1024, 256});
        row("other names", "m-2.gguf: tensors_of_another_name blk.1.w0.weight")
            .shard()
            .block(0, kQ4K, kQ4K)
            .shard()
            .tensor("blk.1.w0.weight", kQ4K)
            .tensor("blk.1.w1.weight", kQ4K)
            .tensor("blk.1.w2.weight", kQ4K)
            .tensor("blk.1.w3.weight", kQ4K);
        row("unknown names in every shard", "")
            .shard()
            .block(0, kQ4K, kQ4K)
            .tensor("blk.0.w0.weight", kQ4K)
            .shard()
            .tensor("blk.1.w0.weight", kQ4K)
            .tensor("blk.1.w1.weight", kQ4K)
            .tensor("blk.1.w2.weight", kQ4K)
            .tensor("blk.1.w3.weight", kQ4K);
    }
    void finds() {
        QFETCH(JoinedShards*, shards);
        QFETCH(QString, foreign);
        QCOMPARE(shards->foreign(), foreign);
    }

    void takesTimeInProportion() {
        JoinedShards shards;
        for (unsigned shard = 0; shard < 2'000; ++shard) {
            shards.shard();
            for (unsigned i = 0; i < 100; ++i) {
                shards.tensor("blk." + std::to_string(shard) + ".r" + std::to_string(i) + ".weight", kF32);
            }
        }
        QCOMPARE(shards.foreign(), ""); // with quadratic time, the test would not end
    }

private:
    std::deque<JoinedShards> m_shards;
};

GUFO_TEST(TestForeignShards)
#include "tst_foreign_shards.moc"
