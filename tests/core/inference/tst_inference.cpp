// The engine against float64 forward passes of tiny models of each architecture (tests/data/architectures).
#include "base/error.h"
#include "inference/engine/binding/architecture.h"
#include "support/fixture_models.h"
#include "support/test_unit.h"

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
    std::size_t firstRow = 0; // of `exact`: the logits after this token
    std::vector<float> exact;
    std::uint32_t context = 0;
    std::size_t vocabulary = 0;
    double tolerance = 0; // of logits
    double roundedKl = 0; // of quantised models that were cut down; tests/data/README.md
};

// Engines round what they multiply MXFP4 and ternary weights with to int8. How far a widely used one is from exact then
// is in the file.
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

std::vector<double> probabilities(std::span<const float> logits) {
    const double largest = *std::ranges::max_element(logits);
    std::vector<double> result;
    double sum = 0;
    for (const float logit : logits) {
        result.push_back(std::exp(logit - largest));
        sum += result.back();
    }
    for (double& p : result) {
        p /= sum;
    }
    return result;
}

// Mean over positions of KL(reference ‖ other), in nats.
double divergence(std::span<const float> reference, std::span<const float> other, std::size_t vocabulary) {
    double sum = 0;
    const std::size_t rows = reference.size() / vocabulary;
    for (std::size_t row = 0; row < rows; ++row) {
        const auto p = probabilities(reference.subspan(row * vocabulary, vocabulary));
        const auto q = probabilities(other.subspan(row * vocabulary, vocabulary));
        for (std::size_t i = 0; i < vocabulary; ++i) {
            sum += p[i] > 0 ? p[i] * std::log(p[i] / q[i]) : 0;
        }
    }
    return sum / static_cast<double>(rows);
}

// The rows that fixture.exact has; nothing where the engine fails.
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
        for (const Architecture& row : architectures()) {
            QVERIFY2(seen.contains(std::string(row.name)), std::string(row.name).c_str());
        }
    }

    // Where the engine does not know the architecture, it says so by its name. The row needs no change when it does.
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
        if (findEngineArchitecture(fixture.architecture) == nullptr) {
            QVERIFY(!fixture.loaded);
            QCOMPARE(fixture.loaded.error().code, ErrorCode::NotRunnable);
            const std::string& reason = fixture.loaded.error().args.at(0);
            QVERIFY2(reason.starts_with("general.architecture = " + fixture.architecture), reason.c_str());
            return;
        }
        QVERIFY2(fixture.loaded, fixture.loaded.error().args.empty() ? "" : fixture.loaded.error().args[0].c_str());
        const std::vector<float> logits = logitsOf(fixture, batch);
        QCOMPARE(logits.size(), fixture.exact.size());
        const double difference = largestDifference(logits, fixture.exact);
        if (fixture.roundedKl != 0) {
            const double kl = divergence(fixture.exact, logits, fixture.vocabulary);
            qInfo("KL to exact %.3e, of rounded activations %.3e", kl, fixture.roundedKl);
            QVERIFY(kl <= 1.5 * fixture.roundedKl);
        } else {
            qInfo("largest difference %.2e", difference);
            QVERIFY2(difference <= fixture.tolerance, qPrintable(QString::number(difference)));
        }
    }
};

GUFO_TEST(TestInference)
#include "tst_inference.moc"
