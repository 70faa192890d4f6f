// Compares the engine with float64 forward passes of tiny models of each architecture (tests/data/architectures).
#include "base/cpu_features.h"
#include "base/error.h"
#include "inference/engine/binding/graph_traits.h"
#include "inference/engine/gufo_engine.h"
#include "model/architectures.h"
#include "support/fixture_models.h"
#include "support/quantised_copies.h"
#include "support/test_unit.h"
#include "tensor/kernels/kernels.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

using namespace gufo;
using namespace gufo::inference;
using gufo::test::kFixtures;
using gufo::test::largestDifference;

namespace {

QJsonObject readJson(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

std::vector<float> readFloats(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QByteArray bytes = file.readAll();
    std::vector<float> values(static_cast<std::size_t>(bytes.size()) / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    return values;
}

struct Fixture {
    Result<std::shared_ptr<const LoadedModel>> loaded;
    std::string architecture;
    std::vector<TokenId> tokens;
    std::size_t firstRow = 0; // the first row of `exact`: the logits after this token
    std::vector<float> exact;
    std::uint32_t context = 0;
    std::size_t vocabulary = 0;
    double tolerance = 0; // of the logits
    double roundedKl = 0; // for quantised models that were cut down; see tests/data/README.md
};

// Engines round the activations that they multiply by MXFP4 and ternary weights to int8. The file states how far a
// widely used engine is from exact then.
double toleranceOf(const QJsonObject& json) {
    const bool rounds = std::ranges::any_of(
        json.keys(), [](const QString& key) { return key.startsWith("engine_vs_reference_with_"); });
    return rounds ? 1.5 * json["numpy_float64_max_abs_diff"].toDouble() : 1e-3;
}

Fixture load(const QString& name) {
    const QJsonObject json = readJson(kFixtures + name + ".json");
    const auto model = openModel((kFixtures + json["file"].toString()).toStdString());
    Fixture fixture{.loaded = model ? loadForInference(*model) : std::unexpected(model.error())};
    fixture.architecture = json["arch"].toString().toStdString();
    for (const QJsonValue& id : json["tokens"].toArray()) {
        fixture.tokens.emplace_back(static_cast<std::size_t>(id.toInt()));
    }
    fixture.firstRow = static_cast<std::size_t>(json["logits_from"].toInt());
    fixture.context = static_cast<std::uint32_t>(json["n_ctx"].toInt());
    fixture.vocabulary = static_cast<std::size_t>(json["n_vocab"].toInt());
    const QString published = kFixtures + name + ".published.bin";
    fixture.exact = readFloats(QFile::exists(published) ? published : kFixtures + name + ".exact.bin");
    fixture.tolerance = toleranceOf(json);
    fixture.roundedKl = json["rounded_kl"].toDouble();
    return fixture;
}

// Returns the rows that fixture.exact has; nothing if the engine fails.
std::vector<float> logitsOf(const Fixture& fixture, std::size_t batch) {
    const auto session =
        (*fixture.loaded)
            ->startSession(
                {.context = fixture.context, .keys = KvCacheType::F32, .values = KvCacheType::F32, .threads = 2});
    if (!session) {
        qWarning("%s", std::string(errorName(session.error().code)).c_str());
        return {};
    }
    const std::span tokens(fixture.tokens);
    for (std::size_t i = 0; i < fixture.firstRow; i += batch) {
        const std::size_t count = std::min(batch, fixture.firstRow - i);
        if (!(*session)->evaluate(tokens.subspan(i, count), Logits::None, {})) {
            return {};
        }
    }
    return test::logitsOf(**session, tokens.subspan(fixture.firstRow), batch);
}

// Architectures for pictures that equal others in a text.
struct TextHalf {
    const char* name;
    const char* fixture; // of the other architecture
    std::vector<std::int32_t> sections;
    std::vector<std::int32_t> partly; // sections that leave some pairs unrotated
};
const std::vector<TextHalf> kTextHalves{
    {"qwen2vl", "qwen2", {1, 1, 1, 0}, {1, 1, 1, 1}},
    {"qwen3vl", "qwen3", {3, 2, 2, 0}, {8, 0, 0, 0}},
    {"qwen3vlmoe", "qwen3moe", {3, 2, 2, 0}, {8, 0, 0, 0}},
};

// A copy of the model with another architecture's name.
std::shared_ptr<const Model> renamed(const Model& model, const TextHalf& to) {
    const std::string prefix = std::string(model.metadata.architecture()) + ".";
    test::ModelMaker maker = test::copyOf(
        model, [&](std::string_view key) { return key == "general.architecture" || key.starts_with(prefix); });
    maker.text("general.architecture", to.name);
    for (const KeyValue& entry : model.metadata) {
        if (entry.key.starts_with(prefix)) {
            maker.value(std::string(to.name) + "." + std::string(entry.key.substr(prefix.size())), entry.value);
        }
    }
    maker.i32s(std::string(to.name) + ".rope.dimension_sections", to.sections);
    return maker.model();
}

QStringList fixtureNames() {
    QStringList names;
    for (const QString& file : QDir(kFixtures).entryList({"*.json"})) {
        names << file.chopped(5);
    }
    return names;
}

} // namespace

class TestInference : public QObject {
    Q_OBJECT

private slots:
    void everyArchitectureHasAFixture() {
        std::set<std::string> seen;
        for (const QString& name : fixtureNames()) {
            seen.insert(readJson(kFixtures + name + ".json")["arch"].toString().toStdString());
        }
        for (const TextHalf& half : kTextHalves) {
            seen.insert(half.name);
        }
        for (const GraphTraits& row : graphTraits()) {
            // tst_encoders has the fixtures of encoders, which make no logits.
            QVERIFY2(row.encoder || seen.contains(std::string(row.name)), std::string(row.name).c_str());
        }
    }

    void everyArchitectureIsInTheCatalogue() {
        for (const GraphTraits& row : graphTraits()) {
            QVERIFY2(findArchitecture(row.name) != nullptr, std::string(row.name).c_str());
        }
    }

    // If the engine does not support the architecture, it must say so by name. The row need not change when it does.
    void logitsEqualExact_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<std::size_t>("batch");
        for (const QString& name : fixtureNames()) {
            QTest::addRow("%s, one batch", qPrintable(name)) << name << std::size_t{10'000};
            QTest::addRow("%s, token by token", qPrintable(name)) << name << std::size_t{1};
            QTest::addRow("%s, in sevens", qPrintable(name)) << name << std::size_t{7};
        }
    }
    void logitsEqualExact() {
        QFETCH(QString, name);
        QFETCH(std::size_t, batch);
        const Fixture fixture = load(name);
        if (findGraphTraits(fixture.architecture) == nullptr) {
            QVERIFY(!fixture.loaded);
            QCOMPARE(fixture.loaded.error().code, ErrorCode::NotRunnable);
            const std::string& reason = fixture.loaded.error().args.at(0).text();
            QVERIFY2(reason.starts_with("general.architecture = " + fixture.architecture), reason.c_str());
            return;
        }
        QVERIFY2(fixture.loaded,
                 fixture.loaded.error().args.empty() ? "" : fixture.loaded.error().args[0].text().c_str());
        for (const Isa isa : availableIsas()) {
            const ForcedKernels forced(kernelsFor(isa));
            const std::vector<float> logits = logitsOf(fixture, batch);
            QCOMPARE(logits.size(), fixture.exact.size());
            const std::string set(isaName(isa));
            const double difference = largestDifference(logits, fixture.exact);
            if (fixture.roundedKl != 0) {
                const double kl = test::divergence(fixture.exact, logits, fixture.vocabulary);
                qInfo("%s: KL to exact %.3e, of rounded activations %.3e", set.c_str(), kl, fixture.roundedKl);
                QVERIFY(kl <= 1.5 * fixture.roundedKl);
            } else {
                qInfo("%s: largest difference %.2e", set.c_str(), difference);
                QVERIFY2(difference <= fixture.tolerance, qPrintable(QString::number(difference)));
            }
        }
    }

    // Types whose products round activations: exact if the weights are decoded first, and close to that otherwise.
    void quantisedEqualsDecoded_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"gpt-oss-mxfp4", "bitnet-tq2"}) {
            QTest::newRow(name) << name;
        }
    }
    void quantisedEqualsDecoded() {
        QFETCH(QString, name);
        Fixture fixture = load(name);
        QVERIFY(fixture.loaded);
        for (const std::size_t batch : {10'000U, 7U, 1U}) {
            const std::vector<float> rounded = logitsOf(fixture, batch);
            Fixture floats = load(name);
            floats.loaded = loadForInference(test::decoded(*(*fixture.loaded)->model()));
            QVERIFY(floats.loaded);
            const std::vector<float> exact = logitsOf(floats, batch);
            const double difference = largestDifference(exact, fixture.exact);
            const double kl = test::divergence(exact, rounded, fixture.vocabulary);
            qInfo("largest difference of floats %.2e, KL of rounded activations %.2e", difference, kl);
            QVERIFY(difference <= 1e-3);
            QVERIFY(kl > 0 && kl <= 0.005);
        }
    }

    void textHalves_data() {
        QTest::addColumn<TextHalf>("half");
        for (const TextHalf& half : kTextHalves) {
            QTest::newRow(half.name) << half;
        }
    }
    void textHalves() {
        QFETCH(TextHalf, half);
        Fixture fixture = load(half.fixture);
        const auto model = (*fixture.loaded)->model();
        fixture.loaded = loadForInference(renamed(*model, half));
        QVERIFY2(fixture.loaded, fixture.loaded ? "" : fixture.loaded.error().args.at(0).text().c_str());
        const std::vector<float> logits = logitsOf(fixture, 7);
        QVERIFY(largestDifference(logits, fixture.exact) <= 1e-3);
        half.sections = half.partly;
        fixture.loaded = loadForInference(renamed(*model, half));
        QVERIFY(fixture.loaded);
        QVERIFY(largestDifference(logitsOf(fixture, 7), logits) > 1e-3);
        half.sections.back() = -1;
        fixture.loaded = loadForInference(renamed(*model, half));
        QVERIFY(!fixture.loaded);
        QVERIFY(fixture.loaded.error().args.at(0).text().contains(std::string(half.name) + ".rope.dimension_sections"));
    }
};

GUFO_TEST(TestInference)
#include "tst_inference.moc"
