// Converted folders run: the engine's logits against a float64 forward pass over the original layout, so that a wrong
// permutation, shift or split cannot go unnoticed. Only ../shared has the exact logits.
#include "convert/convert_folder.h"
#include "document/open_model.h"
#include "inference/session/session.h"
#include "support/convert_fixtures.h"
#include "support/fixture_models.h"
#include "support/test_unit.h"

#include <QTemporaryDir>

#include <cstring>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::convert;

namespace {

// Folders that only ../shared has, and whose results are logits.
const QStringList kShared = {"gemma",   "glm4",  "gpt-oss-bf16", "gpt2",        "llama-linear", "mamba",
                             "mistral", "olmo2", "phi2",         "qwen3-embed", "starcoder"};

// Runtimes round: the exact GELU of some models to an approximation, and the activations that 4-bit weights multiply to
// 8 bits. The file states how far a widely used engine is from exact then.
double toleranceOf(const QJsonObject& expected) {
    return std::max(1e-3, 1.5 * expected["engine_max_abs_diff"].toDouble());
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
    void logits_data() { addConvertRows(kShared); }
    void logits();
};

void TestConvertedLogits::logits() {
    QFETCH(QString, name);
    const ConvertFixture fixture = convertFixture(name);
    GUFO_SKIP_WITHOUT_FIXTURE(fixture);
    if (!QFile::exists(fixture.file("exact.bin"))) {
        QSKIP("only ../shared has the exact logits");
    }
    if (fixture.expected["kind"].toString() != "logits") {
        QSKIP("its results are not logits");
    }
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

    const auto loaded = inference::loadForInference(*model);
    QVERIFY2(loaded, loaded ? "" : std::string(errorName(loaded.error().code)).c_str());
    std::vector<TokenId> tokens;
    for (const QJsonValue& id : fixture.expected["tokens"].toArray()) {
        tokens.emplace_back(static_cast<std::size_t>(id.toInt()));
    }
    const auto session = (*loaded)->startSession({.context = static_cast<std::uint32_t>(tokens.size()),
                                                  .keys = KvCacheType::F32,
                                                  .values = KvCacheType::F32,
                                                  .threads = 1});
    QVERIFY(session);
    const std::vector<float> computed = logitsOf(**session, tokens, tokens.size());
    const std::vector<float> exact = readFloats(fixture.file("exact.bin"));
    const double difference = largestDifference(computed, exact);
    QVERIFY2(difference < toleranceOf(fixture.expected), qPrintable(QString::number(difference)));
}

GUFO_TEST(TestConvertedLogits)
#include "tst_converted_logits.moc"
