#include "base/byte_order.h"
#include "document/open_model.h"
#include "golden.h"
#include "support/test_unit.h"
#include "tensor/decode.h"
#include "tensor/encode.h"
#include "tensor/float_formats.h"
#include "tensor/kernels/kernels.h"
#include "test_paths.h"

#include <QTest>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

using namespace gufo;
using namespace gufo::test;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::uint32_t id(TensorType type) { return static_cast<std::uint32_t>(type); }

Result<std::vector<std::byte>> encoded(const TensorTypeFact& type, std::span<const float> rows, std::size_t columns,
                                       std::span<const float> importance = {}) {
    std::vector<std::byte> out(encodedBytes(type.id, columns, rows.size()));
    const auto done = encode({.typeId = type.id, .columns = columns, .importance = importance}, rows, out);
    return done ? Result<std::vector<std::byte>>(std::move(out)) : std::unexpected(done.error());
}

std::vector<float> decoded(const TensorTypeFact& type, Bytes bytes, std::size_t columns) {
    const auto rows = StoredRows::of(type.id, columns, bytes);
    std::vector<float> values(rows ? rows->weights() : 0);
    if (!rows || !decode(*rows, 0, values)) {
        values.clear();
    }
    return values;
}

// Σ importance × (a − b)², where the importance repeats for each row and is 1 if it is not given.
double squaredError(std::span<const float> a, std::span<const float> b, std::span<const float> importance = {}) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double rest = static_cast<double>(a[i]) - static_cast<double>(b[i]);
        sum += rest * rest * (importance.empty() ? 1.0 : static_cast<double>(importance[i % importance.size()]));
    }
    return sum;
}

bool hasEvenSigns(const TensorTypeFact& type) {
    return type.name == "IQ2_XXS" || type.name == "IQ2_XS" || type.name == "IQ3_XXS";
}

double energy(std::span<const float> a) { return squaredError(a, std::vector<float>(a.size())); }

// NamedRows with the various distributions of weights.
struct NamedRows {
    const char* name;
    std::vector<float> weights;
};
std::vector<NamedRows> rowsOfAllKinds(std::size_t count) {
    std::mt19937 random(7);
    std::normal_distribution<float> normal(0, 0.02F);
    std::student_t_distribution<float> heavy(2);
    std::uniform_real_distribution<float> uniform(0, 1);
    const auto made = [&](auto next) {
        std::vector<float> row(count);
        std::ranges::generate(row, next);
        return row;
    };
    auto outlier = made([&] { return normal(random); });
    outlier[count / 3] = -9;
    auto alone = std::vector<float>(count);
    alone[count / 2] = 1.5F;
    return {
        {"normal", made([&] { return normal(random); })},
        {"heavy-tailed", made([&] { return 0.01F * heavy(random); })},
        {"positive", made([&] { return uniform(random); })},
        {"negative", made([&] { return -3 - uniform(random); })},
        {"constant", std::vector<float>(count, 0.37F)},
        {"negative constant", std::vector<float>(count, -0.11F)},
        {"zero", std::vector<float>(count)},
        {"negative zero", std::vector<float>(count, -0.0F)},
        {"outlier", outlier},
        {"single weight", alone},
        {"two values", made([&] { return random() % 2 == 0 ? -1.0F : 1.0F; })},
        {"tiny", made([&] { return 1e-7F * normal(random); })},
        {"denormal", made([&] { return 1e-41F * uniform(random); })},
        {"large", made([&] { return 1e6F * normal(random); })},
        {"mixed sizes", made([&] { return normal(random) * std::exp2(static_cast<float>(random() % 24) - 12); })},
    };
}

} // namespace

class TestEncode : public QObject {
    Q_OBJECT

private slots:
    void knowsWhatItWrites();
    void halvesRoundToTheNearest();
    void brainFloatsRoundToTheNearest();
    void noWorseThanTheReference_data();
    void noWorseThanTheReference();
    void noWorseOnRealWeights_data();
    void noWorseOnRealWeights();
    void allRowsAreBounded_data() { blockTypes(); }
    void allRowsAreBounded();
    void importanceNeverHurts_data() { blockTypes(); }
    void importanceNeverHurts();
    void importanceHelpsWhatMatters_data() { blockTypes(); }
    void importanceHelpsWhatMatters();
    void sameBytesOnEveryInstructionSet_data() { blockTypes(); }
    void sameBytesOnEveryInstructionSet();
    void sameFloatsOnEveryInstructionSet();
    void rowsDoNotDependOnTheirNeighbours_data() { blockTypes(); }
    void rowsDoNotDependOnTheirNeighbours();
    void weightsThatNoTypeHolds_data() { blockTypes(); }
    void weightsThatNoTypeHolds();
    void floatsKeepWhatIsNotFinite();
    void refusesWhatDoesNotFit();

private:
    static void blockTypes();
};

void TestEncode::blockTypes() {
    QTest::addColumn<quint32>("typeId");
    for (const TensorType type : encodableTypes()) {
        const TensorTypeFact& info = tensorTypeFact(type);
        if (info.kind == TensorTypeKind::Quantised) {
            QTest::newRow(info.name.data()) << info.id;
        }
    }
}

void TestEncode::knowsWhatItWrites() {
    double bits = 1e9;
    for (const TensorType type : encodableTypes()) {
        QVERIFY(isEncodable(id(type)));
        QVERIFY(isDecodable(id(type)));
        const double typeBits = tensorTypeFact(type).bitsPerWeight();
        QVERIFY2(typeBits <= bits, tensorTypeFact(type).name.data());
        bits = typeBits;
    }
    QCOMPARE(encodableTypes().size(), std::size_t{36});
    QVERIFY(!isEncodable(id(TensorType::NVFP4)));
    for (const TensorType type : {TensorType::IQ1_S, TensorType::IQ2_XXS, TensorType::IQ2_S, TensorType::IQ3_XXS,
                                  TensorType::IQ2_KS, TensorType::IQ2_KL}) {
        QVERIFY(needsImportance(id(type)));
    }
    for (const TensorType type :
         {TensorType::IQ3_S, TensorType::IQ3_KS, TensorType::Q2_K, TensorType::TQ1_0, TensorType::NVFP4}) {
        QVERIFY(!needsImportance(id(type)));
    }
    QVERIFY(!isEncodable(9999));
}

void TestEncode::halvesRoundToTheNearest() {
    for (std::uint32_t bits = 0; bits < 0x1'0000; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const float value = floatFromHalf(half);
        if (std::isnan(value)) {
            QVERIFY(std::isnan(floatFromHalf(halfFromFloat(value))));
            continue;
        }
        QCOMPARE(halfFromFloat(value), half);
        const bool largest = (half & 0x7FFFU) >= 0x7BFF;
        if (largest) {
            continue;
        }
        // Halfway to the next larger magnitude it rounds to even; slightly off, to the nearer one.
        const float next = floatFromHalf(static_cast<std::uint16_t>(half + 1));
        const float middle = (value + next) / 2;
        QCOMPARE(halfFromFloat(middle), static_cast<std::uint16_t>(half % 2 == 0 ? half : half + 1));
        QCOMPARE(halfFromFloat(std::nextafter(middle, value)), half);
        QCOMPARE(halfFromFloat(std::nextafter(middle, next)), static_cast<std::uint16_t>(half + 1));
    }
    QCOMPARE(halfFromFloat(65519.996F), std::uint16_t{0x7BFF});
    QCOMPARE(halfFromFloat(65520), std::uint16_t{0x7C00});
    QCOMPARE(halfFromFloat(-kInfinity), std::uint16_t{0xFC00});
    QCOMPARE(halfFromFloat(1e-30F), std::uint16_t{0});
    QVERIFY(std::isnan(floatFromHalf(halfFromFloat(std::bit_cast<float>(0x7F80'0001U)))));
}

void TestEncode::brainFloatsRoundToTheNearest() {
    for (std::uint32_t bits = 0; bits < 0x1'0000; ++bits) {
        const auto brain = static_cast<std::uint16_t>(bits);
        const float value = floatFromBrain(brain);
        if (std::isnan(value)) {
            QVERIFY(std::isnan(floatFromBrain(brainFromFloat(value))));
            continue;
        }
        QCOMPARE(brainFromFloat(value), brain);
        if ((bits & 0x7F80U) != 0x7F80U) {
            const auto up = static_cast<std::uint16_t>(brain + 1);
            QCOMPARE(brainFromFloat(std::bit_cast<float>(bits << 16U | 0x7FFFU)), brain);
            QCOMPARE(brainFromFloat(std::bit_cast<float>(bits << 16U | 0x8000U)), bits % 2 == 0 ? brain : up);
            QCOMPARE(brainFromFloat(std::bit_cast<float>(bits << 16U | 0x8001U)), up);
        }
    }
}

// Of the other types, the golden rows are random bytes, and tst_encode_search judges the error.
void TestEncode::noWorseThanTheReference_data() {
    QTest::addColumn<quint32>("typeId");
    for (const QJsonValue& row : goldenManifest()) {
        const auto typeId = static_cast<quint32>(row["id"].toInt());
        const QString name = row["name"].toString();
        if (isEncodable(typeId) && QFile::exists(QStringLiteral(GUFO_TEST_DATA "/golden/") + name + ".src.f32")) {
            QTest::addRow("%s", qPrintable(name)) << typeId;
        }
    }
}

void TestEncode::noWorseThanTheReference() {
    QFETCH(quint32, typeId);
    const Golden reference = golden(typeId);
    QString name;
    for (const QJsonValue& row : goldenManifest()) {
        name = row["id"].toInt() == static_cast<int>(typeId) ? row["name"].toString() : name;
    }
    const QByteArray bytes = readGolden(name + ".src.f32");
    std::vector<float> source(bytes.size() / sizeof(float));
    std::memcpy(source.data(), bytes.data(), bytes.size());
    QVERIFY(!source.empty() && source.size() <= reference.values.size());
    const auto encoding = encoded(*reference.type, source, source.size());
    QVERIFY(encoding);
    const double error = squaredError(source, decoded(*reference.type, *encoding, source.size()));
    const double referenceError = squaredError(source, std::span(reference.values).first(source.size()));
    QVERIFY2(error <= 1.01 * referenceError, qPrintable(QString::number(error / referenceError)));
}

void TestEncode::noWorseOnRealWeights_data() {
    QTest::addColumn<QString>("original");
    QTest::addColumn<QString>("quantised");
    const QString models = QStringLiteral(GUFO_SHARED_DIR "/thirdparty/models/");
    const QString arch = QStringLiteral(GUFO_TEST_DATA "/quantised/");
    for (const char* type : {"Q4_0", "Q8_0"}) {
        QTest::addRow("stories260K %s", type)
            << models + "stories260K.gguf" << models + "stories260K." + type + ".gguf";
    }
    for (const char* model : {"llama", "qwen2"}) {
        for (const char* type : {"Q4_0", "Q8_0", "Q4_K_M", "Q6_K", "IQ4_XS"}) {
            QTest::addRow("%s %s", model, type) << arch + model + ".gguf" << arch + model + "." + type + ".gguf";
        }
    }
}

void TestEncode::noWorseOnRealWeights() {
    QFETCH(QString, original);
    QFETCH(QString, quantised);
    if (!QFile::exists(original) || !QFile::exists(quantised)) {
        QSKIP("the trained model of another project (../shared/thirdparty/models) is not here");
    }
    const auto a = openModel(original.toStdString());
    const auto b = openModel(quantised.toStdString());
    QVERIFY(a && b);
    int compared = 0;
    for (const TensorInfo& reference : (*b)->tensors) {
        const auto index = (*a)->findTensor(reference.name);
        QVERIFY(index);
        const TensorInfo& source = (*a)->tensor(*index);
        if (reference.type()->kind != TensorTypeKind::Quantised || source.typeId == reference.typeId) {
            continue;
        }
        const std::uint64_t columns = source.shape[0];
        const std::vector<float> weights = decoded(*source.type(), *(*a)->bytesOf(source), columns);
        const auto encoding = encoded(*reference.type(), weights, columns);
        QVERIFY(encoding);
        const double error = squaredError(weights, decoded(*reference.type(), *encoding, columns));
        const double referenceError =
            squaredError(weights, decoded(*reference.type(), *(*b)->bytesOf(reference), columns));
        QVERIFY2(error <= 1.01 * referenceError,
                 qPrintable(QStringLiteral("%1: %2")
                                .arg(QString::fromStdString(std::string(reference.name)))
                                .arg(error / referenceError)));
        ++compared;
    }
    QVERIFY(compared > 4);
}

void TestEncode::allRowsAreBounded() {
    QFETCH(quint32, typeId);
    const TensorTypeFact& type = *findTensorType(typeId);
    for (const NamedRows& rows : rowsOfAllKinds(1024)) {
        const double largest =
            std::abs(*std::ranges::max_element(rows.weights, {}, [](float w) { return std::abs(w); }));
        const auto bytes = encoded(type, rows.weights, 512);
        if (!bytes) { // some types cannot represent "large"
            QCOMPARE(bytes.error().code, ErrorCode::WeightOutOfRange);
            QCOMPARE(std::string(rows.name), "large");
            continue;
        }
        const std::vector<float> values = decoded(type, *bytes, 512);
        QCOMPARE(values.size(), rows.weights.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            QVERIFY2(std::isfinite(values[i]), rows.name);
            // No error exceeds the largest weight, or twice that if a sign has to be wrong because the number of
            // negative weights must be even; scales below the smallest half are 0.
            const double bound = hasEvenSigns(type) ? 2 * largest : largest;
            QVERIFY2(std::abs(values[i] - rows.weights[i]) <= bound + 1e-7, rows.name);
        }
        // Zeros can always be encoded, so the error cannot exceed the error of zeros.
        QVERIFY2(squaredError(rows.weights, values) <= energy(rows.weights), rows.name);
        if (energy(rows.weights) == 0) {
            QVERIFY2(std::ranges::all_of(values, [](float v) { return v == 0; }), rows.name);
        }
        // One level suffices if all weights have the same magnitude, but a power-of-two scale may miss it.
        if (largest > 0.1 && std::string_view(rows.name).find("constant") != std::string_view::npos) {
            const double tolerance = type.name == "MXFP4" ? 0.2 : 2e-3;
            for (const float value : values) {
                QVERIFY2(std::abs(value - rows.weights[0]) <= tolerance * largest, qPrintable(QString::number(value)));
            }
        }
    }
}

void TestEncode::importanceNeverHurts() {
    QFETCH(quint32, typeId);
    const TensorTypeFact& type = *findTensorType(typeId);
    std::mt19937 random(3);
    std::lognormal_distribution<float> skewed(0, 3);
    std::vector<std::vector<float>> importances(4, std::vector<float>(512));
    std::ranges::generate(importances[0], [&] { return skewed(random); });
    std::ranges::generate(importances[1], [&] { return random() % 8 == 0 ? 1e30F : 1e-30F; });
    std::ranges::generate(importances[2], [&] { return static_cast<float>(random() % 2); });
    for (const NamedRows& rows : rowsOfAllKinds(2048)) {
        const auto plain = encoded(type, rows.weights, 512);
        for (const auto& importance : importances) { // the last one is all zeros
            const auto weighted = encoded(type, rows.weights, 512, importance);
            QCOMPARE(weighted.has_value(), plain.has_value());
            if (!plain) {
                continue;
            }
            const std::vector<float> before = decoded(type, *plain, 512);
            const std::vector<float> after = decoded(type, *weighted, 512);
            const std::size_t together = type.rowHeaderBytes == 0 ? type.blockSize : 512; // a block, or a row
            for (std::size_t at = 0; at < before.size(); at += together) {
                const auto block = [&](const std::vector<float>& all) { return std::span(all).subspan(at, together); };
                const auto counts = std::span(importance).subspan(at % 512, together);
                QVERIFY2(squaredError(block(rows.weights), block(after), counts) <=
                             squaredError(block(rows.weights), block(before), counts),
                         rows.name);
            }
        }
    }
}

void TestEncode::importanceHelpsWhatMatters() {
    QFETCH(quint32, typeId);
    const TensorTypeFact& type = *findTensorType(typeId);
    const std::vector<float> weights = rowsOfAllKinds(65536).front().weights;
    std::vector<float> importance(1024);
    for (std::size_t i = 0; i < importance.size(); ++i) {
        importance[i] = i % 8 == 0 ? 100.0F : 1.0F;
    }
    const auto error = [&](std::span<const float> counts) {
        return squaredError(weights, decoded(type, *encoded(type, weights, 1024, counts), 1024), importance);
    };
    // MXFP4 has at most three useful scales, and ternary types have one scale for 256 weights.
    const double gain = type.name == "MXFP4" ? 0.99 : type.name.starts_with("TQ") ? 0.95 : 0.9;
    QVERIFY2(error(importance) < gain * error({}), qPrintable(QString::number(error(importance) / error({}))));
}

void TestEncode::sameBytesOnEveryInstructionSet() {
    QFETCH(quint32, typeId);
    const TensorTypeFact& type = *findTensorType(typeId);
    std::mt19937 random(5);
    for (const NamedRows& rows : rowsOfAllKinds(std::size_t{19} * 256)) {
        std::vector<float> importance(256);
        std::ranges::generate(importance, [&] { return static_cast<float>(random() % 1000); });
        for (const std::size_t blocks : {1, 2, 7, 16, 17, 19}) {
            const auto row = std::span(rows.weights).first(blocks * type.blockSize);
            for (const float* counts : {static_cast<const float*>(nullptr), std::as_const(importance).data()}) {
                const std::size_t size = type.rowHeaderBytes + blocks * type.blockBytes;
                std::vector<std::byte> expected(size);
                scalar::kernels().encode[typeId](row.data(), blocks, counts, 256, expected.data());
                for (const Isa isa : availableIsas()) {
                    std::vector<std::byte> bytes(size + 1, std::byte{42});
                    kernelsFor(isa).encode[typeId](row.data(), blocks, counts, 256, bytes.data());
                    QVERIFY2(std::equal(expected.begin(), expected.end(), bytes.begin()), rows.name);
                    QCOMPARE(bytes.back(), std::byte{42});
                }
            }
        }
    }
}

// Every exponent with its roundings, infinities and NaN of both kinds, and rows of every length below two vectors.
void TestEncode::sameFloatsOnEveryInstructionSet() {
    std::vector<float> values;
    for (std::uint32_t high = 0; high < 0x1'0000U; ++high) {
        for (const std::uint32_t low : {0U, 1U, 0x7FFFU, 0x8000U, 0x8001U, 0xFFFFU}) {
            values.push_back(std::bit_cast<float>(high << 16U | low));
        }
        for (const std::uint32_t low : {0x0FFFU, 0x1000U, 0x1001U, 0x3000U}) { // the ties of halves
            values.push_back(std::bit_cast<float>(high << 16U | low));
        }
    }
    for (const auto& [type, toBits] :
         {std::pair(TensorType::F16, &halfFromFloat), std::pair(TensorType::BF16, &brainFromFloat)}) {
        for (const Isa isa : availableIsas()) {
            const Kernels::Encode encode = kernelsFor(isa).encode[type];
            std::vector<std::byte> bytes(2 * values.size());
            encode(values.data(), values.size(), nullptr, 0, bytes.data());
            for (std::size_t i = 0; i < values.size(); ++i) {
                if (load<std::uint16_t>(bytes.data() + 2 * i) != toBits(values[i])) {
                    QCOMPARE(load<std::uint16_t>(bytes.data() + 2 * i), toBits(values[i]));
                }
            }
            for (std::size_t count = 0; count < 40; ++count) {
                const float* from = values.data() + 10 * 0x3800; // finite ones
                std::vector<std::byte> row(2 * count + 1, std::byte{42});
                encode(from, count, nullptr, 0, row.data());
                for (std::size_t i = 0; i < count; ++i) {
                    QCOMPARE(load<std::uint16_t>(row.data() + 2 * i), toBits(from[i]));
                }
                QCOMPARE(row.back(), std::byte{42});
            }
        }
    }
}

void TestEncode::rowsDoNotDependOnTheirNeighbours() {
    QFETCH(quint32, typeId);
    const TensorTypeFact& type = *findTensorType(typeId);
    const std::vector<float> weights = rowsOfAllKinds(std::size_t{5} * 768)[1].weights;
    std::vector<float> importance(768);
    std::iota(importance.begin(), importance.end(), 1.0F);
    for (const std::span<const float> counts : {std::span<const float>(), std::span<const float>(importance)}) {
        const auto together = encoded(type, weights, 768, counts);
        QVERIFY(together);
        std::vector<std::byte> oneByOne;
        for (std::size_t row = 0; row < 5; ++row) {
            const auto bytes = encoded(type, std::span(weights).subspan(row * 768, 768), 768, counts);
            oneByOne.insert(oneByOne.end(), bytes->begin(), bytes->end());
        }
        QVERIFY(*together == oneByOne);
    }
}

void TestEncode::weightsThatNoTypeHolds() {
    QFETCH(quint32, typeId);
    const TensorTypeFact& type = *findTensorType(typeId);
    for (const float bad : {kNaN, -kNaN, kInfinity, -kInfinity}) {
        std::vector<float> row(1024, 0.5F);
        row[777] = bad;
        const auto bytes = encoded(type, row, 1024);
        QVERIFY(!bytes);
        QCOMPARE(bytes.error().code, ErrorCode::WeightOutOfRange);
        QCOMPARE(bytes.error().place.index, std::optional<std::uint64_t>(777));
        QCOMPARE(bytes.error().args.front().text(), std::string(type.name));
    }
    std::vector<float> row(1024, 0.5F);
    row[5] = std::numeric_limits<float>::max();
    QCOMPARE(encoded(type, row, 1024).has_value(), type.name == "MXFP4");
}

void TestEncode::floatsKeepWhatIsNotFinite() {
    const std::array<float, 6> row{kNaN, kInfinity, -kInfinity, -0.0F, 1e-45F, 3.0F};
    for (const TensorType type : {TensorType::F32, TensorType::F16, TensorType::BF16}) {
        const auto bytes = encoded(tensorTypeFact(type), row, 6);
        QVERIFY(bytes);
        const std::vector<float> values = decoded(tensorTypeFact(type), *bytes, 6);
        QVERIFY(std::isnan(values[0]));
        QCOMPARE(values[1], kInfinity);
        QCOMPARE(values[2], -kInfinity);
        QVERIFY(values[3] == 0 && std::signbit(values[3]));
        QCOMPARE(values[4], type == TensorType::F32 ? 1e-45F : 0.0F);
        QCOMPARE(values[5], 3.0F);
    }
    // Finite values stay finite or are refused.
    const std::array<float, 2> large{65519, 65520};
    QVERIFY(encoded(tensorTypeFact(TensorType::F16), std::span(large).first(1), 1));
    const auto overflow = encoded(tensorTypeFact(TensorType::F16), large, 2);
    QCOMPARE(overflow.error().code, ErrorCode::WeightOutOfRange);
    QCOMPARE(overflow.error().place.index, std::optional<std::uint64_t>(1));
    const std::array<float, 1> maximum{std::numeric_limits<float>::max()};
    QVERIFY(encoded(tensorTypeFact(TensorType::F32), maximum, 1));
    QCOMPARE(encoded(tensorTypeFact(TensorType::BF16), maximum, 1).error().code, ErrorCode::WeightOutOfRange);
}

void TestEncode::refusesWhatDoesNotFit() {
    const std::vector<float> row(512, 1.0F);
    const TensorTypeFact& q4k = tensorTypeFact(TensorType::Q4_K);
    std::vector<std::byte> out(encodedBytes(q4k.id, 512, 512));
    const auto code = [&](const EncodeRequest& request, std::size_t weights, std::size_t bytes) {
        const auto done = encode(request, std::span(row).first(weights), std::span(out).first(bytes));
        return done ? ErrorCode::Cancelled : done.error().code;
    };
    constexpr auto kOk = ErrorCode::Cancelled;
    QCOMPARE(code({.typeId = q4k.id, .columns = 512}, 512, 288), kOk);
    QCOMPARE(code({.typeId = q4k.id, .columns = 256}, 0, 0), kOk); // no rows
    QCOMPARE(code({.typeId = q4k.id, .columns = 0}, 512, 288), ErrorCode::InvalidArgument);
    QCOMPARE(code({.typeId = q4k.id, .columns = 128}, 512, 288), ErrorCode::InvalidArgument);
    QCOMPARE(code({.typeId = q4k.id, .columns = 512}, 256, 144), ErrorCode::InvalidArgument);
    QCOMPARE(code({.typeId = q4k.id, .columns = 256}, 512, 144), ErrorCode::InvalidArgument);
    QCOMPARE(code({.typeId = id(TensorType::NVFP4), .columns = 512}, 512, 288), ErrorCode::NotEncodable);
    QCOMPARE(code({.typeId = 9999, .columns = 512}, 512, 100), ErrorCode::NotEncodable);
    // Two rows with a header of four bytes, or one row.
    const std::uint32_t ks = id(TensorType::IQ4_KS);
    QCOMPARE(code({.typeId = ks, .columns = 512}, 512, 276), kOk);
    QCOMPARE(code({.typeId = ks, .columns = 256}, 512, 280), kOk);
    QCOMPARE(code({.typeId = ks, .columns = 256}, 0, 0), kOk);
    QCOMPARE(code({.typeId = ks, .columns = 256}, 512, 276), ErrorCode::InvalidArgument);
    QCOMPARE(code({.typeId = ks, .columns = 512}, 512, 272), ErrorCode::InvalidArgument);
    const std::vector<float> ones(512, 1.0F);
    QCOMPARE(code({.typeId = q4k.id, .columns = 256, .importance = ones}, 512, 288), ErrorCode::InvalidArgument);
    for (const float bad : {-1.0F, kNaN, kInfinity}) {
        std::vector<float> importance(512, 1.0F);
        importance[100] = bad;
        QCOMPARE(code({.typeId = q4k.id, .columns = 512, .importance = importance}, 512, 288),
                 ErrorCode::InvalidArgument);
    }
}

GUFO_TEST(TestEncode)
#include "tst_encode.moc"
