#include "model/file_naming.h"
#include "support/test_unit.h"

#include <QTest>

using namespace gufo;

class TestFileNaming : public QObject {
    Q_OBJECT

private slots:
    void takesNamesApart_data();
    void takesNamesApart();
    void sizeLabels_data();
    void sizeLabels();
};

void TestFileNaming::takesNamesApart_data() {
    QTest::addColumn<bool>("conforms");
    QTest::addColumn<QString>("parts"); // sidecar|base|size|fine-tune|version|encoding|type|shard/count
    const auto row = [](const char* name, bool conforms, const char* parts) {
        QTest::newRow(name) << conforms << QString(parts);
    };
    // the examples of the specification
    row("Mixtral-8x7B-v0.1-KQ2.gguf", true, "|Mixtral|8x7B||v0.1|KQ2||");
    row("Grok-100B-v1.0-Q4_0-00003-of-00009.gguf", true, "|Grok|100B||v1.0|Q4_0||3/9");
    row("Hermes-2-Pro-Llama-3-8B-v1.0-F16.gguf", true, "|Hermes-2-Pro-Llama-3|8B||v1.0|F16||");
    row("Phi-3-mini-3.8B-ContextLength4k-instruct-v1.0.gguf", true,
        "|Phi-3-mini|3.8B-ContextLength4k|instruct|v1.0|||");
    row("mtp-Qwen3-27B-v1.0-Q4_K_M.gguf", true, "mtp|Qwen3|27B||v1.0|Q4_K_M||");
    row("mmproj-Qwen2-VL-7B-v1.0-F16.gguf", true, "mmproj|Qwen2-VL|7B||v1.0|F16||");
    row("not-a-known-arrangement.gguf", false, "|not-a-known-arrangement||||||");
    // an example of the specification that its own expression rejects
    row("Hermes-2-Pro-Llama-3-8B-F16.gguf", false, "|Hermes-2-Pro-Llama-3|8B|||F16||");
    // further conforming names
    row("Llama-3-70B-Instruct-v1.0-Q4_K_M-LoRA.gguf", true, "|Llama-3|70B|Instruct|v1.0|Q4_K_M|LoRA|");
    row("Llama-3-70B-v1.0-LoRA.gguf", true, "|Llama-3|70B||v1.0||LoRA|");
    row("Llama-v2-70B-v1.0-vocab.gguf", true, "|Llama-v2|70B||v1.0||vocab|");
    row("Model-7B-Chat-v1-v2.0.1.gguf", true, "|Model|7B|Chat-v1|v2.0.1|||");
    row("Name--v1.0.gguf", true, "|Name|||v1.0|||");
    // names in actual use
    row("Qwen3-30B-A3B-Instruct-2507-Q8_0.gguf", false, "|Qwen3|30B-A3B|Instruct-2507||Q8_0||");
    row("mistral-7b-instruct-v0.2.Q4_K_M.gguf", false, "|mistral|7b|instruct|v0.2|Q4_K_M||");
    row("Phi-3-mini-4k-instruct-fp16.gguf", false, "|Phi-3-mini-4k-instruct||||fp16||");
    row("Qwen2.5-0.5B-Instruct-IQ2_XXS-00001-of-00002.gguf", false, "|Qwen2.5|0.5B|Instruct||IQ2_XXS||1/2");
    row("model.gguf", false, "|model||||||");
    row("Mixtral-8x7B-v0.1-KQ2.bin", false, "|Mixtral|8x7B|v0.1-KQ2.bin||||");
    row("Mixtral-8x7B-v0.1-KQ2-0003-of-00009.gguf", false, "|Mixtral|8x7B|v0.1-KQ2-0003-of-00009||||");
    row("", false, "|||||||");
    row("-.gguf", false, "|-||||||");
}

void TestFileNaming::takesNamesApart() {
    QFETCH(const bool, conforms);
    QFETCH(const QString, parts);
    const FileNaming naming = parseFileNaming(QTest::currentDataTag());
    QString found;
    for (const std::string& part : {naming.sidecar, naming.baseName, naming.sizeLabel, naming.fineTune, naming.version,
                                    naming.encoding, naming.type}) {
        found += QString::fromStdString(part) + '|';
    }
    if (naming.shard) {
        found += QString("%1/%2").arg(*naming.shard).arg(*naming.shardCount);
    }
    QCOMPARE(found, parts);
    QCOMPARE(naming.conforms, conforms);
}

void TestFileNaming::sizeLabels_data() {
    QTest::addColumn<double>("parameters"); // 0: no size label
    QTest::newRow("7B") << 7e9;
    QTest::newRow("7b") << 7e9;
    QTest::newRow("8x7B") << 56e9;
    QTest::newRow("0.5B") << 0.5e9;
    QTest::newRow("494M") << 494e6;
    QTest::newRow("260K") << 260e3;
    QTest::newRow("1.04T") << 1.04e12;
    QTest::newRow("2Q") << 2e15;
    QTest::newRow("30B-A3B") << 30e9;
    QTest::newRow("16x17B") << 272e9;
    QTest::newRow("4k") << 0.0;
    QTest::newRow("B") << 0.0;
    QTest::newRow("7") << 0.0;
    QTest::newRow("x7B") << 0.0;
    QTest::newRow("8x") << 0.0;
    QTest::newRow("7.B") << 0.0;
    QTest::newRow("7BB") << 0.0;
    QTest::newRow("-7B") << 0.0;
    QTest::newRow("7B-") << 0.0;
    QTest::newRow("large") << 0.0;
    QTest::newRow("") << 0.0;
    QTest::newRow((std::string(400, '9') + "B").c_str()) << 0.0;
}

void TestFileNaming::sizeLabels() {
    QFETCH(const double, parameters);
    const auto found = sizeLabelParameters(QTest::currentDataTag());
    QCOMPARE(found.has_value(), parameters != 0.0);
    QCOMPARE(found.value_or(0), parameters);
}

GUFO_TEST(TestFileNaming)
#include "tst_file_naming.moc"
