// Reads real files of every version and many architectures.
#include "document/open_model.h"
#include "model/array_index.h"
#include "support/model_files.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QTest>

#include <algorithm>

using namespace gufo;
using gufo::test::addModelRows;
namespace fs = std::filesystem;

class TestGgufFiles : public QObject {
    Q_OBJECT

private slots:
    void opensWithoutFindings_data();
    void opensWithoutFindings();
    void readsAVersion1Vocabulary();
    void readsATrainedModel();
};

void TestGgufFiles::opensWithoutFindings_data() { addModelRows({"models", "vocab", "legacy"}); }

void TestGgufFiles::opensWithoutFindings() {
    QFETCH(QString, path);
    GUFO_SKIP_IF_ABSENT(path);
    const auto model = openModel(path.toStdString());
    QVERIFY2(model, model ? "" : errorName(model.error().code).data());
    for (const Finding& finding : (*model)->findings) {
        QFAIL((std::string(finding.name()) + " " + finding.place.name).c_str());
    }
    QVERIFY(!(*model)->metadata.architecture().empty());
    for (const TensorInfo& tensor : (*model)->tensors) {
        QVERIFY(tensor.complete());
        QCOMPARE((*model)->bytesOf(tensor)->size(), *tensor.bytes);
    }
    for (const KeyValue& entry : (*model)->metadata) {
        if (const ArrayView* array = asArray(entry.value)) {
            const auto index = ArrayIndex::build(*array);
            QVERIFY(index);
            QCOMPARE(arrayHead(*array, array->length).size(), array->length);
            if (array->length != 0) {
                QCOMPARE(typeOf(index->at(array->length - 1)), array->elementType);
            }
        }
    }
}

void TestGgufFiles::readsAVersion1Vocabulary() {
    const fs::path path = fs::path(GUFO_SHARED_DIR) / "thirdparty/legacy/gguf-v1-vocab.gguf";
    if (!fs::exists(path)) {
        QSKIP("the old vocabulary of another project (../shared/thirdparty/legacy) is not here");
    }
    const auto model = openModel(path);
    QVERIFY(model);
    QCOMPARE((*model)->version, 1U);
    QVERIFY((*model)->tensors.empty());
    QCOMPARE((*model)->metadata.uint("llama.context_length"), 2048U);
    const ArrayView* tokens = (*model)->metadata.array("tokenizer.ggml.tokens");
    QVERIFY(tokens);
    QCOMPARE(tokens->length, 32000U);
    QCOMPARE(asString(arrayHead(*tokens, 2)[1]).value(), std::string_view("<s>"));
}

void TestGgufFiles::readsATrainedModel() {
    const auto model = openModel(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q8_0.gguf");
    QVERIFY(model);
    QCOMPARE((*model)->version, 3U);
    QCOMPARE((*model)->byteOrder, ByteOrder::Little);
    QCOMPARE((*model)->metadata.architecture(), std::string_view("llama"));
    const auto index = (*model)->findTensor("token_embd.weight");
    QVERIFY(index);
    const TensorInfo& embedding = (*model)->tensor(*index);
    QCOMPARE(embedding.shape[1], 1024U);
    QCOMPARE(embedding.offset, (*model)->files[0].dataOffset + embedding.declaredOffset);
}

GUFO_TEST(TestGgufFiles)
#include "tst_gguf_files.moc"
