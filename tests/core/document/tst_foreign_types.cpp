// Files with tensor types of ik_llama.cpp: some keep a scale in the header of each row, of some only the size is known.
#include "analysis/compare/compare_tensors.h"
#include "analysis/export_tensor.h"
#include "analysis/slice.h"
#include "analysis/statistics.h"
#include "analysis/weight_tile.h"
#include "core/tensor/golden.h"
#include "document/open_model.h"
#include "model/finding_code.h"
#include "support/gguf_builder.h"
#include "support/tensor_values.h"
#include "support/test_unit.h"
#include "tensor/decode.h"
#include "validate/validate.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace gufo;
using namespace gufo::test;

namespace {

constexpr std::uint32_t kUnknown = 143;

std::vector<std::byte> copyOf(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

qsizetype count(std::span<const Finding> findings, FindingCode code) {
    return std::ranges::count(findings, code, &Finding::code);
}

} // namespace

class TestForeignTypes : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void sizesAreKnown();
    void valuesEverywhere_data();
    void valuesEverywhere();
    void comparedAcrossSlots();
    void rowsThatAreCutOff();
    void unknownStaysUnknown();
    void validates();

private:
    [[nodiscard]] std::filesystem::path in(const char* name) const {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }
    [[nodiscard]] const TensorInfo& tensor(std::string_view name) const {
        return m_model->tensor(m_model->findTensor(name).value());
    }
    [[nodiscard]] PartOf partOf(std::string_view name) const {
        return {m_model.get(), wholeTensor(*m_model, m_model->findTensor(name).value())};
    }

    QTemporaryDir m_folder;
    std::shared_ptr<const Model> m_model;
    std::size_t m_decodable = 0; // types of ik_llama.cpp
};

// Every type that can be decoded, its values as F32, a type with only a known size, and an unknown one.
void TestForeignTypes::initTestCase() {
    GgufBuilder file;
    file.key("general.architecture", "test");
    for (const TensorTypeFact& type : tensorTypes()) {
        const Golden expected = golden(type.id);
        if (type.origin != TensorTypeOrigin::IkLlama || expected.values.empty()) {
            continue;
        }
        const std::vector<std::uint64_t> dims{expected.columns, expected.values.size() / expected.columns};
        file.tensor(type.name, type.id, dims, copyOf(asBytes(expected.raw)));
        file.tensor(std::string(type.name) + ".f32", 0, dims, bytesOf(expected.values));
        ++m_decodable;
    }
    file.tensor("sized", 153, {512, 3}, std::vector<std::byte>(3 * (4 + 2 * 68), std::byte{1})); // IQ2_KT
    file.tensor("unknown", kUnknown, {256, 2}, std::vector<std::byte>(160, std::byte{2}));
    file.write(in("foreign.gguf"));
    const auto opened = openModel(in("foreign.gguf"));
    QVERIFY(opened);
    m_model = *opened;
    QVERIFY(m_decodable > 0);
    QCOMPARE(m_model->tensors.size(), 2 * m_decodable + 2);
}

void TestForeignTypes::sizesAreKnown() {
    QCOMPARE(tensor("IQ4_KS").bytes, std::optional<std::uint64_t>(6 * (4 + 2 * 136)));
    QCOMPARE(tensor("IQ2_KL").bytes, std::optional<std::uint64_t>(6 * (2 + 2 * 86)));
    QCOMPARE(tensor("sized").bytes, std::optional<std::uint64_t>(3 * (4 + 2 * 68)));
    QCOMPARE(tensor("sized").typeName(), std::string("IQ2_KT"));
    QVERIFY(tensor("sized").complete());
    QCOMPARE(m_model->rowsOf(tensor("sized")).error().code, ErrorCode::NotDecodable);
    // No gap and no overlap: the sizes are those between the offsets.
    QCOMPARE(count(m_model->findings, FindingCode::TensorsNotPacked), 0);
    QCOMPARE(count(m_model->findings, FindingCode::ForeignTensorType), static_cast<qsizetype>(m_decodable + 1));
}

void TestForeignTypes::valuesEverywhere_data() {
    QTest::addColumn<quint32>("typeId");
    for (const TensorTypeFact& type : tensorTypes()) {
        if (type.origin == TensorTypeOrigin::IkLlama && isDecodable(type.id)) {
            QTest::newRow(type.name.data()) << type.id;
        }
    }
}

void TestForeignTypes::valuesEverywhere() {
    QFETCH(quint32, typeId);
    const Golden expected = golden(typeId);
    const std::string name(expected.type->name);
    const TensorIndex index = m_model->findTensor(name).value();
    const TensorIndex plain = m_model->findTensor(name + ".f32").value();

    const auto statistics = analyseTensor(*m_model, index);
    const auto ofFloats = analyseTensor(*m_model, plain);
    QVERIFY(statistics && ofFloats);
    QCOMPARE(statistics->statistics.mean, ofFloats->statistics.mean);
    QCOMPARE(statistics->statistics.std, ofFloats->statistics.std);
    QVERIFY(statistics->histogram.counts == ofFloats->histogram.counts);

    // Rows 1 to 4, from within a block to within another.
    const SliceRequest part{.firstRow = 1, .rows = 4, .firstColumn = 7, .columns = 500};
    const auto slice = readSlice(*m_model, index, part);
    const auto tile = readWeightTile(*m_model, index, part);
    QVERIFY(slice && tile);
    for (std::uint64_t row = 0; row < part.rows; ++row) {
        for (std::uint64_t column = 0; column < part.columns; ++column) {
            const std::uint64_t at = (part.firstRow + row) * expected.columns + part.firstColumn + column;
            QCOMPARE(slice->values[row * part.columns + column], expected.values[at]);
            QCOMPARE(tile->values[row * part.columns + column], static_cast<double>(expected.values[at]));
            QVERIFY(tile->stored[row * part.columns + column] < codeCount(typeId));
        }
    }

    const auto comparison = compareTensors(partOf(name + ".f32"), partOf(name));
    QVERIFY(comparison);
    QCOMPARE(comparison->figures().maxError, std::optional<double>(0.0));
    const auto withItself = compareTensors(partOf(name), partOf(name));
    QVERIFY(withItself && withItself->identical);

    const auto blocks = analyseBlocks(*m_model, index, {});
    QVERIFY(blocks);
    QCOMPARE(std::accumulate(blocks->codeCounts.begin(), blocks->codeCounts.end(), std::uint64_t{0}),
             static_cast<std::uint64_t>(expected.values.size()));

    QVERIFY(exportTensor(*m_model, index, in("own.npy"), ExportFormat::Npy));
    QVERIFY(exportTensor(*m_model, plain, in("plain.npy"), ExportFormat::Npy));
    QFile unusual(QString::fromStdString(in("own.npy")));
    QFile floats(QString::fromStdString(in("plain.npy")));
    QVERIFY(unusual.open(QIODevice::ReadOnly) && floats.open(QIODevice::ReadOnly));
    QCOMPARE(unusual.readAll(), floats.readAll());
    QVERIFY(exportTensor(*m_model, index, in("raw"), ExportFormat::Raw));
    QFile raw(QString::fromStdString(in("raw")));
    QVERIFY(raw.open(QIODevice::ReadOnly));
    QCOMPARE(raw.readAll(), expected.raw);
}

// A row longer than the pieces that are compared: where only its header differs, all of its weights do, and a piece
// that begins within the row has the same blocks.
void TestForeignTypes::comparedAcrossSlots() {
    constexpr std::uint64_t kColumns = (1U << 20U) + 4096;
    const std::vector<std::byte> row = shuffledBlocks(144, kColumns / 256, 4);
    std::vector<std::byte> other = row;
    float d = 0;
    std::memcpy(&d, row.data(), sizeof d);
    d *= 2;
    std::memcpy(other.data(), &d, sizeof d);
    GgufBuilder file;
    file.key("general.architecture", "test");
    file.tensor("a", 144, {kColumns}, row).tensor("b", 144, {kColumns}, other).tensor("c", 144, {kColumns}, row);
    file.write(in("slots.gguf"));
    const auto model = openModel(in("slots.gguf")).value();
    const auto part = [&](const char* name) {
        return PartOf{model.get(), wholeTensor(*model, model->findTensor(name).value())};
    };
    const auto different = compareTensors(part("a"), part("b"));
    QVERIFY(different && !different->identical);
    QCOMPARE(different->figures().nmse, std::optional<double>(1.0)); // Σ(a − 2a)² / Σa²
    const auto same = compareTensors(part("a"), part("c"));
    QVERIFY(same && same->identical);
}

// A file that ends within a tensor, also within a header, shows the whole blocks before.
void TestForeignTypes::rowsThatAreCutOff() {
    const Golden expected = golden(144);
    const std::vector<std::byte> all = copyOf(asBytes(expected.raw));
    GgufBuilder file;
    file.key("general.architecture", "test");
    file.tensor("t", 144, {512, 6}, all);
    const std::vector<std::byte> whole = file.build();
    file.write(in("whole.gguf"));
    const std::size_t start = openModel(in("whole.gguf")).value()->tensors[0].offset;
    for (const std::size_t size : {0U, 3U, 4U, 139U, 140U, 276U, 279U, 280U, 416U, 1000U}) {
        QFile out(QString::fromStdString(in("cut.gguf")));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(reinterpret_cast<const char*>(whole.data()), static_cast<qint64>(start + size));
        out.close();
        const auto model = openModel(in("cut.gguf")).value();
        QCOMPARE(model->tensors[0].bytesPresent, size);
        const std::uint64_t rows = size / 276;
        const std::uint64_t rest = size % 276;
        const std::uint64_t weights = rows * 512 + (rest < 4 ? 0 : (rest - 4) / 136 * 256);
        const auto statistics = analyseTensor(*model, TensorIndex(0));
        if (size == 0) {
            QCOMPARE(statistics.error().code, ErrorCode::Truncated);
            continue;
        }
        QVERIFY(statistics);
        QCOMPARE(statistics->statistics.count, weights);
        const auto slice = readSlice(*model, TensorIndex(0), {.rows = 6, .columns = 512});
        QVERIFY(slice);
        for (std::uint64_t i = 0; i < slice->values.size(); ++i) {
            QVERIFY(i < weights ? slice->values[i] == expected.values[i] : std::isnan(slice->values[i]));
        }
    }
}

void TestForeignTypes::unknownStaysUnknown() {
    const TensorInfo& unknown = tensor("unknown");
    QVERIFY(unknown.type() == nullptr);
    QCOMPARE(unknown.typeName(), std::string("type 143"));
    QVERIFY(unknown.bytesDerived);
    QCOMPARE(count(m_model->findings, FindingCode::UnknownTensorType), 1);
    const TensorIndex index = m_model->findTensor("unknown").value();
    QCOMPARE(analyseTensor(*m_model, index).error().code, ErrorCode::NotDecodable);
    QCOMPARE(readSlice(*m_model, index, {.rows = 1, .columns = 1}).error().code, ErrorCode::NotDecodable);
    QCOMPARE(readWeightTile(*m_model, index, {.rows = 1, .columns = 1}).error().code, ErrorCode::NotDecodable);
    QCOMPARE(explainTensorWeight(*m_model, index, 0).error().code, ErrorCode::NotDecodable);
    QCOMPARE(compareTensors(partOf("unknown"), partOf("unknown")).error().code, ErrorCode::NotDecodable);
}

void TestForeignTypes::validates() {
    const auto validation = validate(*m_model, {.deep = true});
    QVERIFY(validation);
    QCOMPARE(count(validation->findings, FindingCode::WeightsNotFinite), 0);
    QCOMPARE(count(validation->findings, FindingCode::RowNotWholeBlocks), 0);
    QCOMPARE(count(validation->findings, FindingCode::ForeignTensorType), static_cast<qsizetype>(m_decodable + 1));
}

GUFO_TEST(TestForeignTypes)
#include "tst_foreign_types.moc"
