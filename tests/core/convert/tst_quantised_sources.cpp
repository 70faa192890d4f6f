// Quantised checkpoints in all numbers of bits. The test packs integers bit by bit and computes the values that they
// mean with the formulas of each format.
#include "base/detail.h"
#include "small_source.h"
#include "support/test_unit.h"

using namespace gufo;
using namespace gufo::test;
using namespace gufo::convert;

namespace {

constexpr const char* kBase = "model.layers.0.self_attn.v_proj";
constexpr const char* kTarget = "blk.0.attn_v.weight";

// Small integers that differ.
std::vector<std::uint32_t> integers(std::size_t count, std::uint32_t below, std::uint32_t seed) {
    std::vector<std::uint32_t> values(count);
    for (std::uint32_t& value : values) {
        seed = seed * 1'664'525U + 1'013'904'223U;
        value = (seed >> 8U) % below;
    }
    return values;
}

std::vector<float> scalesOf(std::size_t count) {
    std::vector<float> scales;
    for (std::size_t i = 0; i < count; ++i) {
        scales.push_back(0.25F + 0.125F * static_cast<float>(i % 37));
    }
    return scales;
}

// Integers one behind the other, the lowest bit first, or as many as fit into each word.
std::vector<std::uint32_t> packed(const std::vector<std::uint32_t>& values, std::size_t bits, bool wholeInWords) {
    std::vector<std::uint32_t> words;
    std::size_t at = 0;
    for (const std::uint32_t value : values) {
        if (wholeInWords && at % 32 + bits > 32) {
            at += 32 - at % 32;
        }
        for (std::size_t bit = 0; bit < bits; ++bit, ++at) {
            words.resize(std::max(words.size(), at / 32 + 1));
            words[at / 32] |= (value >> bit & 1U) << (at % 32);
        }
    }
    return words;
}

// Lines of integers, each packed on its own: `lines` × words.
std::vector<std::uint32_t> packedLines(const std::vector<std::uint32_t>& values, std::size_t lines, std::size_t bits,
                                       bool wholeInWords = false) {
    std::vector<std::uint32_t> words;
    const std::size_t each = values.size() / lines;
    for (std::size_t line = 0; line < lines; ++line) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(line * each);
        const auto more = packed({first, first + static_cast<std::ptrdiff_t>(each)}, bits, wholeInWords);
        words.insert(words.end(), more.begin(), more.end());
    }
    return words;
}

template<typename T>
std::vector<T> transposed(const std::vector<T>& values, std::size_t rows) {
    std::vector<T> result(values.size());
    const std::size_t columns = values.size() / rows;
    for (std::size_t i = 0; i < values.size(); ++i) {
        result[i % columns * rows + i / columns] = values[i];
    }
    return result;
}

// Appended one by one: GCC 12 warns wrongly about sums of these texts.
std::string joined(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts) {
        text += part;
    }
    return text;
}

std::string gptqConfig(std::size_t bits, std::string_view format) {
    return joined({kSmallLlama, R"(,"quantization_config":{"quant_method":"gptq","checkpoint_format":")", format,
                   R"(","bits":)", std::to_string(bits), "}"});
}
std::string packedConfig(std::size_t bits) {
    return joined({kSmallLlama, R"(,"quantization_config":{"quant_method":"compressed-tensors","config_groups":)",
                   R"({"group_0":{"weights":{"num_bits":)", std::to_string(bits), "}}}}"});
}

// A source of a method with a number of bits that the method does not have.
struct RefusedSource {
    std::string config;
    SafetensorsBuilder weights;
    std::string named; // in the error
};

RefusedSource refusedGptq(int bits) {
    RefusedSource source{
        gptqConfig(static_cast<std::size_t>(bits), "gptq"), {}, joined({"gptq ", std::to_string(bits), "-bit"})};
    source.weights.tensor(std::string(kBase) + ".qweight", "I32", {32, 32});
    source.weights.tensor(std::string(kBase) + ".qzeros", "I32", {1, 32});
    source.weights.tensor(std::string(kBase) + ".scales", "F32", {1, 32});
    return source;
}
RefusedSource refusedAwq(int bits) {
    RefusedSource source = refusedGptq(bits);
    source.config.replace(source.config.find("\"gptq\""), 6, "\"awq\"");
    source.named.replace(0, 4, "awq");
    return source;
}
RefusedSource refusedPacked(int bits) {
    RefusedSource source{packedConfig(static_cast<std::size_t>(bits)),
                         {},
                         joined({"compressed-tensors ", std::to_string(bits), "-bit"})};
    source.weights.tensor(std::string(kBase) + ".weight_packed", "I32", {32, 4});
    source.weights.tensor(std::string(kBase) + ".weight_scale", "F32", {32, 1});
    return source;
}

} // namespace

class TestQuantisedSources final : public QObject {
    Q_OBJECT

private slots:
    void init() { m_small = std::make_unique<SmallSource>(); }
    void gptq_data();
    void gptq();
    void compressedTensors_data();
    void compressedTensors();
    void mlx_data();
    void mlx();
    void awqWithoutSettings();
    void nvfp4OfPermutedHeads();
    void bitnet_data();
    void bitnet();
    void refuses_data();
    void refuses();
    void refusesShapesThatDoNotFit();

private:
    std::unique_ptr<SmallSource> m_small;
};

void TestQuantisedSources::gptq_data() {
    QTest::addColumn<int>("bits");
    QTest::addColumn<QString>("format");
    QTest::addColumn<bool>("shuffled");
    for (const int bits : {2, 3, 4, 8}) {
        for (const char* format : {"gptq", "gptq_v2"}) {
            for (const bool shuffled : {false, true}) {
                QTest::addRow("%d bits, %s%s", bits, format, shuffled ? ", shuffled" : "")
                    << bits << QString(format) << shuffled;
            }
        }
    }
}

// The words of a row's integers stand below each other, and zeros are packed along the rows.
void TestQuantisedSources::gptq() {
    QFETCH(int, bits);
    QFETCH(QString, format);
    QFETCH(bool, shuffled);
    constexpr std::size_t kColumns = 64;
    constexpr std::size_t kRows = 32;
    constexpr std::size_t kGroup = 16;
    constexpr std::size_t kGroups = kColumns / kGroup;
    const auto width = static_cast<std::size_t>(bits);
    const auto codes = integers(kRows * kColumns, 1U << width, 1);
    const auto zeros = integers(kGroups * kRows, (1U << width) - 1, 2);
    const auto scales = scalesOf(kGroups * kRows);
    std::vector<std::int32_t> groupOf;
    for (std::size_t column = 0; column < kColumns; ++column) {
        groupOf.push_back(static_cast<std::int32_t>(shuffled ? column * 7 % kGroups : column / kGroup));
    }
    SafetensorsBuilder weights;
    weights.tensor(std::string(kBase) + ".qweight", "I32", {kColumns * width / 32, kRows},
                   asBytes(transposed(packedLines(codes, kRows, width), kRows)));
    weights.tensor(std::string(kBase) + ".qzeros", "I32", {kGroups, kRows * width / 32},
                   asBytes(packedLines(zeros, kGroups, width)));
    weights.tensor(std::string(kBase) + ".scales", "F32", {kGroups, kRows}, asBytes(scales));
    weights.tensor(std::string(kBase) + ".g_idx", "I32", {kColumns}, asBytes(groupOf));
    // Layers may differ from the number of bits that the configuration states.
    const auto model = m_small->convert(gptqConfig(4, format.toStdString()), weights);
    QVERIFY(model);
    const auto values = valuesOf(*model, kTarget);
    QCOMPARE(values.size(), kRows * kColumns);
    const float added = format == "gptq" ? 1 : 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t at = static_cast<std::size_t>(groupOf[i % kColumns]) * kRows + i / kColumns;
        QCOMPARE(values[i], scales[at] * (static_cast<float>(codes[i]) - (static_cast<float>(zeros[at]) + added)));
    }
}

void TestQuantisedSources::compressedTensors_data() {
    QTest::addColumn<int>("bits");
    QTest::addColumn<bool>("wholeInWords");
    QTest::addColumn<bool>("hasZeros");
    for (int bits = 1; bits <= 8; ++bits) {
        for (const bool wholeInWords : {false, true}) {
            for (const bool hasZeros : {false, true}) {
                QTest::addRow("%d bits%s%s", bits, wholeInWords ? ", whole in words" : "", hasZeros ? ", zeros" : "")
                    << bits << wholeInWords << hasZeros;
            }
        }
    }
}

// The zeros of a group stand below each other.
void TestQuantisedSources::compressedTensors() {
    QFETCH(int, bits);
    QFETCH(bool, wholeInWords);
    QFETCH(bool, hasZeros);
    constexpr std::size_t kColumns = 300; // enough for the number of words to tell the layouts apart
    constexpr std::size_t kRows = 22;
    constexpr std::size_t kGroup = 100;
    constexpr std::size_t kGroups = kColumns / kGroup;
    const auto width = static_cast<std::size_t>(bits);
    const auto codes = integers(kRows * kColumns, 1U << width, 3);
    const auto zeros = integers(kGroups * kRows, 1U << width, 4);
    const auto scales = scalesOf(kRows * kGroups);
    const auto words = packedLines(codes, kRows, width, wholeInWords);
    const auto zeroWords = packedLines(zeros, kGroups, width, wholeInWords);
    SafetensorsBuilder weights;
    weights.tensor(std::string(kBase) + ".weight_packed", "I32", {kRows, words.size() / kRows}, asBytes(words));
    weights.tensor(std::string(kBase) + ".weight_scale", "F32", {kRows, kGroups}, asBytes(scales));
    weights.tensor(std::string(kBase) + ".weight_shape", "I64", {2},
                   asBytes(std::vector<std::int64_t>{kRows, kColumns}));
    if (hasZeros) {
        weights.tensor(std::string(kBase) + ".weight_zero_point", "I32", {zeroWords.size() / kGroups, kGroups},
                       asBytes(transposed(zeroWords, kGroups)));
    }
    const auto model = m_small->convert(packedConfig(width), weights);
    QVERIFY(model);
    const auto values = valuesOf(*model, kTarget);
    QCOMPARE(values.size(), kRows * kColumns);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t row = i / kColumns;
        const std::size_t group = i % kColumns / kGroup;
        const auto zero = static_cast<float>(hasZeros ? zeros[group * kRows + row] : 1U << (width - 1));
        QCOMPARE(values[i], scales[row * kGroups + group] * (static_cast<float>(codes[i]) - zero));
    }
}

void TestQuantisedSources::mlx_data() {
    QTest::addColumn<int>("bits");
    for (const int bits : {2, 3, 4, 5, 6, 8}) {
        QTest::addRow("%d bits", bits) << bits;
    }
}

void TestQuantisedSources::mlx() {
    QFETCH(int, bits);
    constexpr std::size_t kColumns = 96;
    constexpr std::size_t kRows = 5;
    constexpr std::size_t kGroup = 32;
    constexpr std::size_t kGroups = kColumns / kGroup;
    const auto width = static_cast<std::size_t>(bits);
    const auto codes = integers(kRows * kColumns, 1U << width, 5);
    const auto scales = scalesOf(kRows * kGroups);
    std::vector<float> biases = scalesOf(2 * kRows * kGroups);
    biases.erase(biases.begin(), biases.begin() + static_cast<std::ptrdiff_t>(kRows * kGroups));
    SafetensorsBuilder weights;
    weights.tensor(std::string(kBase) + ".weight", "U32", {kRows, kColumns * width / 32},
                   asBytes(packedLines(codes, kRows, width)));
    weights.tensor(std::string(kBase) + ".scales", "F32", {kRows, kGroups}, asBytes(scales));
    weights.tensor(std::string(kBase) + ".biases", "F32", {kRows, kGroups}, asBytes(biases));
    const auto model =
        m_small->convert(std::string(kSmallLlama) + R"(,"quantization":{"group_size":32,"bits":4})", weights);
    QVERIFY(model);
    const auto values = valuesOf(*model, kTarget);
    QCOMPARE(values.size(), kRows * kColumns);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t at = i / kColumns * kGroups + i % kColumns / kGroup;
        QCOMPARE(values[i], static_cast<float>(codes[i]) * scales[at] + biases[at]);
    }
}

// The first folders of AWQ say nothing in config.json. Their tensors have the names of GPTQ and must not be taken for
// it.
void TestQuantisedSources::awqWithoutSettings() {
    constexpr std::size_t kColumns = 4;
    constexpr std::size_t kRows = 16;
    const auto codes =
        integers(kColumns * kRows, 16, 7); // by column, in the order 0, 2, 4, 6, 1, 3, 5, 7 of each eight
    constexpr auto kPlaces = std::to_array<std::size_t>({0, 2, 4, 6, 1, 3, 5, 7});
    SafetensorsBuilder weights;
    weights.tensor(std::string(kBase) + ".qweight", "I32", {kColumns, kRows / 8},
                   asBytes(packedLines(codes, kColumns, 4)));
    weights.tensor(std::string(kBase) + ".qzeros", "I32", {1, kRows / 8});
    weights.tensor(std::string(kBase) + ".scales", "F32", {1, kRows}, asBytes(std::vector<float>(kRows, 0.5F)));
    QCOMPARE(detailOf(m_small->refusal(kSmallLlama, weights)).detail(), std::optional(Detail::OperationUnfit));
    std::ofstream(m_small->in("source") / "quant_config.json") << R"({"w_bit":4,"version":"GEMM"})";
    const auto model = m_small->convert(kSmallLlama, weights);
    QVERIFY(model);
    const auto values = valuesOf(*model, kTarget);
    QCOMPARE(values.size(), kColumns * kRows);
    for (std::size_t i = 0; i < codes.size(); ++i) {
        const std::size_t row = i % kRows / 8 * 8 + kPlaces[i % 8];
        QCOMPARE(values[row * kColumns + i / kRows], 0.5F * static_cast<float>(codes[i]));
    }
}

// Rows of packed weights are permuted as blocks; the scale of the whole tensor stays as it is.
void TestQuantisedSources::nvfp4OfPermutedHeads() {
    constexpr std::size_t kColumns = 64;
    constexpr std::size_t kRows = 8; // two heads
    std::vector<std::uint8_t> bytes;
    for (std::size_t row = 0; row < kRows; ++row) {
        bytes.insert(bytes.end(), kColumns / 2, static_cast<std::uint8_t>(row | row << 4U));
    }
    const std::string base = "model.layers.0.self_attn.q_proj";
    SafetensorsBuilder weights;
    weights.tensor(base + ".weight", "U8", {kRows, kColumns / 2}, asBytes(bytes));
    weights.tensor(base + ".weight_scale", "F8_E4M3", {kRows, kColumns / 16},
                   asBytes(std::vector<std::uint8_t>(kRows * kColumns / 16, 0x38))); // 1
    weights.tensor(base + ".weight_scale_2", "F32", {}, asBytes(std::vector<float>{0.25F}));
    weights.tensor(base + ".input_scale", "F32", {}, asBytes(std::vector<float>{3}));
    const auto model = m_small->convert(kSmallLlama, weights);
    QVERIFY(model);
    const auto values = valuesOf(*model, "blk.0.attn_q.weight");
    QCOMPARE(values.size(), kRows * kColumns);
    constexpr auto kLevels = std::to_array<float>({0, 0.5F, 1, 1.5F, 2, 3, 4, 6});
    constexpr auto kFrom = std::to_array<std::size_t>({0, 2, 1, 3, 4, 6, 5, 7});
    for (std::size_t i = 0; i < values.size(); ++i) {
        QCOMPARE(values[i], kLevels[kFrom[i / kColumns]]);
    }
    QCOMPARE(valuesOf(*model, "blk.0.attn_q.scale"), std::vector<float>{0.25F});
    QCOMPARE(valuesOf(*model, "blk.0.attn_q.input_scale"), std::vector<float>{3});
}

void TestQuantisedSources::bitnet_data() {
    QTest::addColumn<QString>("layer");
    QTest::addColumn<bool>("divides");
    QTest::newRow("the scale divides") << "bitlinear" << true;
    QTest::newRow("the scale multiplies") << "autobitlinear" << false;
}

// Row r of the bytes has rows r, r + n, r + 2n and r + 3n of the weights.
void TestQuantisedSources::bitnet() {
    QFETCH(QString, layer);
    QFETCH(bool, divides);
    constexpr std::size_t kColumns = 6;
    constexpr std::size_t kByteRows = 3;
    const auto codes = integers(4 * kByteRows * kColumns, 3, 6);
    std::vector<std::uint8_t> bytes(kByteRows * kColumns);
    for (std::size_t i = 0; i < codes.size(); ++i) {
        const std::size_t quarter = i / bytes.size();
        bytes[i % bytes.size()] = static_cast<std::uint8_t>(bytes[i % bytes.size()] | codes[i] << (2 * quarter));
    }
    constexpr float kScale = 1.75F;
    SafetensorsBuilder weights;
    weights.tensor(std::string(kBase) + ".weight", "U8", {kByteRows, kColumns}, asBytes(bytes));
    weights.tensor(std::string(kBase) + ".weight_scale", "F32", {1}, asBytes(std::vector{kScale}));
    const auto model = m_small->convert(std::string(kSmallLlama) +
                                            R"(,"quantization_config":{"quant_method":"bitnet","linear_class":")" +
                                            layer.toStdString() + "\"}",
                                        weights);
    QVERIFY(model);
    const auto values = valuesOf(*model, kTarget);
    QCOMPARE(values.size(), codes.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float ternary = static_cast<float>(codes[i]) - 1;
        QCOMPARE(values[i], divides ? ternary / kScale : ternary * kScale);
    }
}

void TestQuantisedSources::refuses_data() {
    QTest::addColumn<RefusedSource>("source");
    for (const int bits : {1, 5, 6, 7, 9}) {
        QTest::addRow("gptq of %d bits", bits) << refusedGptq(bits);
    }
    for (const int bits : {2, 3, 5, 8}) {
        QTest::addRow("awq of %d bits", bits) << refusedAwq(bits);
    }
    QTest::newRow("compressed-tensors of 9 bits") << refusedPacked(9);
    QTest::newRow("compressed-tensors of no bits") << refusedPacked(0);
}

// The layer and the number of bits are named.
void TestQuantisedSources::refuses() {
    QFETCH(RefusedSource, source);
    const Error refused = m_small->refusal(source.config, source.weights);
    QCOMPARE(refused.code, ErrorCode::NotSupported);
    QCOMPARE(refused.place.name, std::string(kBase) + ".weight");
    QCOMPARE(detailOf(refused).detail(), std::optional(Detail::QuantisationUnknown));
    QCOMPARE(detailOf(refused).args()[0].text(), source.named);
}

void TestQuantisedSources::refusesShapesThatDoNotFit() {
    const std::string packs = std::string(kBase) + ".weight_packed";
    SafetensorsBuilder unstated;
    unstated.tensor(packs, "I32", {4, 6}).tensor(std::string(kBase) + ".weight_scale", "F32", {4, 1});
    QCOMPARE(detailOf(m_small->refusal(packedConfig(3), unstated)).detail(), std::optional(Detail::PartMissing));
    SafetensorsBuilder wrong;
    wrong.tensor(packs, "I32", {4, 6}).tensor(std::string(kBase) + ".weight_scale", "F32", {4, 1});
    wrong.tensor(std::string(kBase) + ".weight_shape", "I64", {2}, asBytes(std::vector<std::int64_t>{4, 50}));
    QCOMPARE(detailOf(m_small->refusal(packedConfig(3), wrong)).detail(), std::optional(Detail::OperationUnfit));
    SafetensorsBuilder rows; // 10 words of 3 bits are no whole number of integers
    rows.tensor(std::string(kBase) + ".qweight", "I32", {10, 32}).tensor(std::string(kBase) + ".qzeros", "I32", {1, 3});
    rows.tensor(std::string(kBase) + ".scales", "F32", {1, 32});
    QCOMPARE(detailOf(m_small->refusal(gptqConfig(3, "gptq"), rows)).detail(), std::optional(Detail::OperationUnfit));
}

GUFO_TEST(TestQuantisedSources)
#include "tst_quantised_sources.moc"
