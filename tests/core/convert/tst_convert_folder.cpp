// Folders of every architecture are converted and compared with what the official converter makes of them: names,
// order, shapes and values of tensors, keys, and the types that each type of file gives them.
#include "base/sha256.h"
#include "convert/convert_folder.h"
#include "document/open_model.h"
#include "model/array_index.h"
#include "origin_test.h"
#include "support/convert_fixtures.h"
#include "support/test_unit.h"

#include <QTemporaryDir>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::convert;
namespace fs = std::filesystem;

namespace {

// Recipes keep these in F32 where the official converter does not: a single row, and a table of a few numbers.
bool isSpared(const QString& tensor) { return tensor == "cls.output.weight" || tensor.contains("attn_rel_b"); }

std::vector<float> weightsOf(const Model& model, const TensorInfo& tensor) {
    std::vector<float> weights(tensor.weights());
    const auto rows = model.rowsOf(tensor);
    return rows && decode(*rows, 0, weights) ? weights : std::vector<float>();
}

QString hashOf(std::span<const std::byte> bytes) { return QString::fromStdString(hexText(sha256(bytes))); }

// "ARRAY[INT32]" of the reference, in Gufo's names.
QString typeName(const Value& value) {
    const auto name = [](ValueType type) {
        constexpr std::array kNames = {"UINT8", "INT8",   "UINT16", "INT16",  "UINT32", "INT32",  "FLOAT32",
                                       "BOOL",  "STRING", "ARRAY",  "UINT64", "INT64",  "FLOAT64"};
        return QString::fromLatin1(kNames[static_cast<std::size_t>(type)]);
    };
    const ArrayView* array = asArray(value);
    return array != nullptr ? "ARRAY[" + name(array->elementType) + "]" : name(typeOf(value));
}

bool sameScalar(const Value& value, const QJsonValue& expected) {
    if (const auto text = asString(value)) {
        return expected.toString().toStdString() == *text;
    }
    if (const auto flag = asBool(value)) {
        return expected.isBool() && expected.toBool() == *flag;
    }
    const auto number = asDouble(value);
    return number && *number == expected.toDouble();
}

bool sameValue(const Value& value, const QJsonValue& expected) {
    const ArrayView* array = asArray(value);
    if (array == nullptr) {
        return sameScalar(value, expected);
    }
    const QJsonArray elements = expected.toArray();
    return static_cast<std::uint64_t>(elements.size()) == array->length &&
           forEachElement(*array, [&](std::uint64_t i, const Value& element) {
               return sameScalar(element, elements[static_cast<int>(i)]);
           });
}

std::shared_ptr<const Model> open(const fs::path& path) {
    auto model = openModel(path);
    return model ? *model : nullptr;
}

} // namespace

class TestConvertFolder final : public QObject {
    Q_OBJECT

private slots:
    void tensors_data() { addConvertRows(); }
    void tensors();
    void keys_data() { addConvertRows(); }
    void keys();
    void types_data() { addConvertRows(); }
    void types();

private:
    // Converts a fixture and opens the result.
    std::shared_ptr<const Model> converted(const ConvertFixture& fixture, const ConvertRequest& request,
                                           const fs::path& out) const;
    fs::path in(const char* name) const { return (m_folder.path() + '/' + name).toStdString(); }

    QTemporaryDir m_folder;
};

void TestConvertFolder::tensors() {
    QFETCH(QString, name);
    const ConvertFixture fixture = convertFixture(name);
    GUFO_SKIP_WITHOUT_FIXTURE(fixture);
    const auto source = SourceFolder::open(fixture.source());
    REQUIRE(source);
    const ConvertRequest request{.recipe = {.recipe = findRecipe("F32")}};
    const auto plan = planConversion(*source, request);
    REQUIRE(plan);
    const auto written = writeConverted(*source, *plan, request, in("out.gguf"));
    REQUIRE(written);
    const auto model = open(in("out.gguf"));
    QVERIFY(model != nullptr);

    const QJsonArray expected = fixture.expected["tensors"].toArray();
    QStringList names;
    QStringList expectedNames;
    for (const QJsonValue& tensor : expected) {
        expectedNames << tensor["name"].toString();
    }
    for (const TensorInfo& tensor : model->tensors) {
        names << QString::fromStdString(std::string(tensor.name));
    }
    if (name == "gpt2-bin-legacy") { // the reference was made of the same weights in another container
        names.sort();
        expectedNames.sort();
    }
    QCOMPARE(names, expectedNames);
    for (int i = 0; i < expected.size(); ++i) {
        const QString tensorName = expected[i]["name"].toString();
        const TensorInfo& tensor = model->tensor(*model->findTensor(tensorName.toStdString()));
        QCOMPARE(QString::fromStdString(tensor.typeName()), expected[i]["type"].toString());
        QJsonArray shape;
        for (const std::uint64_t dim : tensor.shape.dims()) {
            shape << static_cast<qint64>(dim);
        }
        QCOMPARE(shape, expected[i]["shape"].toArray());
        const std::vector<float> weights = weightsOf(*model, tensor);
        QVERIFY2(hashOf(std::as_bytes(std::span(weights))) == expected[i]["sha256_f32"].toString(),
                 qPrintable(tensorName + " has other values"));
    }
    QStringList unused;
    for (const UnusedTensor& tensor : plan->unused) {
        QVERIFY(!tensor.reason.empty());
        unused << QString::fromStdString(tensor.name);
    }
    for (const QJsonValue& dropped : fixture.expected["unused_source"].toArray()) {
        const QString text = dropped.toString();
        bool used = false;
        for (const PlannedRow& row : plan->rows) {
            used = used || std::ranges::find(row.sources, text.toStdString()) != row.sources.end();
        }
        QVERIFY2(used || unused.contains(text), qPrintable(text)); // the reference does not name parts of encodings
    }
}

void TestConvertFolder::keys() {
    QFETCH(QString, name);
    const ConvertFixture fixture = convertFixture(name);
    GUFO_SKIP_WITHOUT_FIXTURE(fixture);
    const auto source = SourceFolder::open(fixture.source());
    REQUIRE(source);
    const auto plan = planConversion(*source, {.recipe = {.recipe = findRecipe("F32")}});
    REQUIRE(plan);
    QCOMPARE(plan->obstacles, std::size_t{0});
    QStringList missing;
    QStringList known;
    for (const QJsonValue& entry : fixture.expected["keys"].toArray()) {
        const QString key = entry["key"].toString();
        known << key;
        const auto found = std::ranges::find(plan->keys, key.toStdString(), &PlannedKey::key);
        if (found == plan->keys.end()) {
            missing << key;
            continue;
        }
        const Value& value = found->value.value();
        QVERIFY2(typeName(value) == entry["type"].toString(), qPrintable(key + ": " + typeName(value)));
        // Rules have several names; tst_vocabulary_plan compares the rules.
        QVERIFY2(key == "tokenizer.ggml.pre" || sameValue(value, entry["value"]), qPrintable(key));
    }
    QCOMPARE(missing, QStringList());
    QStringList planned;
    for (const PlannedKey& key : plan->keys) {
        planned << QString::fromStdString(key.key);
    }
    QCOMPARE(planned, known); // also in the order of the official converter
}

void TestConvertFolder::types() {
    QFETCH(QString, name);
    const ConvertFixture fixture = convertFixture(name);
    GUFO_SKIP_WITHOUT_FIXTURE(fixture);
    const auto source = SourceFolder::open(fixture.source());
    REQUIRE(source);
    const QJsonObject byType = fixture.expected["types_by_outtype"].toObject();
    for (const char* type : {"f16", "bf16", "auto", "q8_0"}) {
        const ConvertRequest request{.recipe = {.recipe = findRecipe(type)}};
        const auto plan = planConversion(*source, request);
        REQUIRE(plan);
        const auto written = writeConverted(*source, *plan, request, in("typed.gguf"));
        REQUIRE(written);
        const auto model = open(in("typed.gguf"));
        QVERIFY(model != nullptr);
        const QJsonObject expected = byType[type].toObject();
        for (const TensorInfo& tensor : model->tensors) {
            const QString tensorName = QString::fromStdString(std::string(tensor.name));
            const QJsonArray entry = expected[tensorName].toArray();
            if (isSpared(tensorName) && tensor.typeId == static_cast<std::uint32_t>(TensorType::F32)) {
                continue;
            }
            QVERIFY2(entry[0].toString() == QString::fromStdString(tensor.typeName()),
                     qPrintable(QString("%1 %2: %3").arg(type, tensorName, tensor.typeName().c_str())));
            // Encoders of blocks differ; floats are rounded alike everywhere.
            if (tensor.type()->kind == TensorTypeKind::Float) {
                QVERIFY2(hashOf(*model->bytesOf(tensor)) == entry[1].toString(),
                         qPrintable(QString("%1 %2").arg(type, tensorName)));
            }
        }
        if (expected["general.file_type"].isDouble()) {
            QCOMPARE(model->metadata.uint("general.file_type").value_or(9999),
                     static_cast<std::uint64_t>(expected["general.file_type"].toInt()));
        }
    }
}

GUFO_TEST(TestConvertFolder)
#include "tst_convert_folder.moc"
