// Converted folders run: the engine's logits against a float64 forward pass over the original layout, so that a wrong
// permutation, shift or split cannot go unnoticed.
#include "convert/convert_folder.h"
#include "document/open_model.h"
#include "inference/engine/gufo_engine.h"
#include "inference/interface/session.h"
#include "support/convert_fixtures.h"
#include "support/quantised_copies.h"
#include "support/test_unit.h"

#include <QTemporaryDir>

#include <cstring>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::convert;

namespace {

constexpr double kTolerance = 1e-3;
// Models with the exact GELU, which engines approximate.
const QStringList kExactGelu = {"falcon", "gptneox", "mpt"};

// How far a widely used engine is from exact, and half of that in addition.
double engineTolerance(const QJsonObject& expected) {
    return std::max(kTolerance, 1.5 * expected["engine_max_abs_diff"].toDouble());
}

bool isQuantised(const Model& model) {
    return std::ranges::any_of(model.tensors, [](const TensorInfo& tensor) { return tensor.type()->blockSize > 1; });
}

std::vector<float> readFloats(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QByteArray bytes = file.readAll();
    std::vector<float> floats(static_cast<std::size_t>(bytes.size()) / sizeof(float));
    std::memcpy(floats.data(), bytes.data(), floats.size() * sizeof(float));
    return floats;
}

} // namespace

class TestConvertedLogits final : public QObject {
    Q_OBJECT

private slots:
    void logits_data() { addConvertRows(ConvertRows::Logits); }
    void logits();

private:
    static double differenceFromExact(std::shared_ptr<const Model> model, const ConvertFixture& fixture);
};

// Infinite if the model cannot be run.
double TestConvertedLogits::differenceFromExact(std::shared_ptr<const Model> model, const ConvertFixture& fixture) {
    const auto loaded = inference::loadForInference(std::move(model));
    std::vector<TokenId> tokens;
    for (const QJsonValue& id : fixture.expected["tokens"].toArray()) {
        tokens.emplace_back(static_cast<std::size_t>(id.toInt()));
    }
    const auto session = loaded ? (*loaded)->startSession({.context = static_cast<std::uint32_t>(tokens.size()),
                                                           .keys = KvCacheType::F32,
                                                           .values = KvCacheType::F32,
                                                           .threads = 1})
                                : std::unexpected(loaded.error());
    return session
               ? largestDifference(logitsOf(**session, tokens, tokens.size()), readFloats(fixture.file("exact.bin")))
               : INFINITY;
}

void TestConvertedLogits::logits() {
    QFETCH(QString, name);
    const ConvertFixture fixture = convertFixture(name);
    GUFO_SKIP_WITHOUT_FIXTURE(fixture);
    const QTemporaryDir folder;
    const std::filesystem::path out = (folder.path() + "/out.gguf").toStdString();
    const auto source = SourceFolder::open(fixture.source());
    QVERIFY(source);
    const ConvertRequest request{.recipe = {.recipe = findRecipe("F32")}};
    const auto plan = planConversion(*source, request);
    QVERIFY(plan);
    QVERIFY(writeConverted(*source, *plan, request, out));
    const auto model = openModel(out);
    QVERIFY(model);

    if (isQuantised(**model)) { // engines round the activations that 4-bit weights multiply to 8 bits
        const double rounded = differenceFromExact(*model, fixture);
        QVERIFY2(rounded < engineTolerance(fixture.expected), qPrintable(QString::number(rounded)));
    }
    const double difference = differenceFromExact(isQuantised(**model) ? decoded(**model) : *model, fixture);
    const double tolerance = kExactGelu.contains(name) ? engineTolerance(fixture.expected) : kTolerance;
    QVERIFY2(difference < tolerance, qPrintable(QString::number(difference)));
}

GUFO_TEST(TestConvertedLogits)
#include "tst_converted_logits.moc"
