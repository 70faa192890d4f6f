// The engine against float64 forward passes of tiny models of each architecture (shared/fixtures/arch).
#include "document/open_model.h"
#include "inference/engine/binding/architecture.h"
#include "inference/session/session.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace gufo;
using namespace gufo::inference;

namespace {

// A fixture is named by its path in here, "arch/llama".
const QString kFixtures = QStringLiteral(GUFO_SHARED_DIR "/fixtures/");

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
    std::shared_ptr<const LoadedModel> loaded;
    std::vector<TokenId> tokens;
    std::vector<float> exact;
    std::vector<float> engine; // a widely used one's
    std::uint32_t context = 0;
    std::size_t vocabulary = 0;
};

Fixture load(const QString& name) {
    Fixture fixture;
    const QJsonObject json = readJson(kFixtures + name + ".json");
    auto model = openModel((kFixtures + name.section('/', 0, 0) + '/' + json["file"].toString()).toStdString());
    if (!model) {
        return fixture;
    }
    auto loaded = loadForInference(*model);
    if (!loaded) {
        qWarning("%s: %s %s", qPrintable(name), std::string(errorName(loaded.error().code)).c_str(),
                 loaded.error().args.empty() ? "" : loaded.error().args.front().c_str());
        return fixture;
    }
    fixture.loaded = *loaded;
    for (const QJsonValue& id : json["tokens"].toArray()) {
        fixture.tokens.emplace_back(static_cast<std::size_t>(id.toInt()));
    }
    fixture.context = static_cast<std::uint32_t>(json["n_ctx"].toInt());
    fixture.vocabulary = static_cast<std::size_t>(json["n_vocab"].toInt());
    fixture.exact = readFloats(kFixtures + name + ".exact.bin");
    fixture.engine = readFloats(kFixtures + name + ".logits.bin");
    return fixture;
}

std::unique_ptr<Session> start(const Fixture& fixture, KvCacheType kv = KvCacheType::F32, unsigned threads = 2) {
    auto session =
        fixture.loaded->startSession({.context = fixture.context, .keys = kv, .values = kv, .threads = threads});
    return session ? std::move(*session) : nullptr;
}

double largestDifference(std::span<const float> a, std::span<const float> b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        largest = std::isnan(difference) ? INFINITY : std::max(largest, difference);
    }
    return largest;
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

std::vector<float> allLogits(Session& session, const Fixture& fixture, std::size_t batch) {
    std::vector<float> result;
    for (std::size_t i = 0; i < fixture.tokens.size(); i += batch) {
        const std::size_t count = std::min(batch, fixture.tokens.size() - i);
        if (!session.evaluate(std::span(fixture.tokens).subspan(i, count), Logits::All, {})) {
            return {};
        }
        for (std::size_t row = 0; row < count; ++row) {
            const auto logits = session.logits(row);
            result.insert(result.end(), logits.begin(), logits.end());
        }
    }
    return result;
}

// Those of architectures that the engine runs.
QStringList fixtureNames() {
    QStringList names;
    for (const QString folder : {"arch/", "arch2/"}) {
        for (const QString& file : QDir(kFixtures + folder).entryList({"*.json"})) {
            const QString name = folder + file.chopped(5);
            if (findEngineArchitecture(readJson(kFixtures + name + ".json")["arch"].toString().toStdString()) !=
                nullptr) {
                names << name;
            }
        }
    }
    return names;
}

bool isQuantised(const QString& name) { return name.contains(".Q") || name.contains(".IQ"); }

} // namespace

class TestInference : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (!QDir(kFixtures + "arch").exists()) {
            QSKIP("shared/fixtures/arch is not here");
        }
    }

    void everyArchitectureHasAFixture() {
        std::set<std::string> seen;
        for (const QString& name : fixtureNames()) {
            seen.insert(readJson(kFixtures + name + ".json")["arch"].toString().toStdString());
        }
        for (const Architecture& row : architectures()) {
            QVERIFY2(seen.contains(std::string(row.name)), std::string(row.name).c_str());
        }
    }

    void logitsEqualExact_data() {
        QTest::addColumn<std::size_t>("batch");
        for (const QString& name : fixtureNames()) {
            if (!isQuantised(name)) {
                QTest::addRow("%s, one batch", qPrintable(name)) << std::size_t{1'000};
                QTest::addRow("%s, token by token", qPrintable(name)) << std::size_t{1};
                QTest::addRow("%s, in sevens", qPrintable(name)) << std::size_t{7};
            }
        }
    }
    void logitsEqualExact() {
        QFETCH(std::size_t, batch);
        const Fixture fixture = load(QString::fromLatin1(QTest::currentDataTag()).section(',', 0, 0));
        QVERIFY(fixture.loaded);
        const auto session = start(fixture);
        QVERIFY(session);
        const std::vector<float> logits = allLogits(*session, fixture, batch);
        QCOMPARE(logits.size(), fixture.exact.size());
        const double difference = largestDifference(logits, fixture.exact);
        qInfo("largest difference %.2e", difference);
        QVERIFY2(difference <= 1e-3, qPrintable(QString::number(difference)));
    }

    void quantisedIsAsCloseAsOthers_data() {
        QTest::addColumn<QString>("name");
        for (const QString& name : fixtureNames()) {
            if (isQuantised(name)) {
                QTest::addRow("%s", qPrintable(name)) << name;
            }
        }
    }
    void quantisedIsAsCloseAsOthers() {
        QFETCH(QString, name);
        const Fixture fixture = load(name);
        QVERIFY(fixture.loaded);
        const auto session = start(fixture);
        const std::vector<float> logits = allLogits(*session, fixture, 1'000);
        QCOMPARE(logits.size(), fixture.exact.size());
        const double ours = divergence(fixture.exact, logits, fixture.vocabulary);
        const double theirs = divergence(fixture.exact, fixture.engine, fixture.vocabulary);
        qInfo("KL to exact %.3e, of the other engine %.3e", ours, theirs);
        QVERIFY(ours <= 1.5 * theirs);
    }
};

GUFO_TEST(TestInference)
#include "tst_inference.moc"
