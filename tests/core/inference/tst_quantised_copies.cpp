// Compares products that round activations with the products of the same file decoded to F32: in quantised copies of
// the tiny models of each architecture, and in models of every architecture that are wide enough for rows of
// super-blocks.
#include "inference/engine/binding/graph_traits.h"
#include "inference/engine/gufo_engine.h"
#include "lying_models.h"
#include "support/quantised_copies.h"
#include "support/test_unit.h"
#include "tensor/kernels/kernels.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <array>
#include <random>

using namespace gufo;
using namespace gufo::inference;

namespace {

constexpr std::size_t kTokens = 32;
constexpr std::uint32_t kCopyContext = 64;
constexpr double kMostKl = 0.005;       // mean of all tokens
constexpr double kMostMedianKl = 0.006; // of tokens
constexpr std::array kTypes{TensorType::Q8_0, TensorType::Q4_0, TensorType::Q4_K};

QString nameOf(TensorType type) { return QString::fromLatin1(tensorTypeFact(type).name); }

// The logits of some tokens; none if the engine refuses the model.
struct Answers {
    std::vector<float> logits;
    std::size_t vocabulary = 1;
};
Answers answersOf(const std::shared_ptr<const Model>& model, std::size_t batch, std::vector<TokenId> tokens = {}) {
    const auto loaded = loadForInference(model);
    if (!loaded) {
        qWarning("%s", loaded.error().args.empty() ? "" : loaded.error().args[0].text().c_str());
        return {};
    }
    const auto session = (*loaded)->startSession(
        {.context = kCopyContext, .keys = KvCacheType::F32, .values = KvCacheType::F32, .threads = 2});
    if (!session) {
        return {};
    }
    const std::uint32_t vocabulary = (*session)->vocabulary();
    tokens = tokens.empty() ? test::randomTokens(kTokens, vocabulary) : tokens;
    return {test::logitsOf(**session, tokens, batch), vocabulary};
}

// The tokens of a model of tests/data, as far as they fit into the session.
std::vector<TokenId> tokensOf(const QString& name) {
    QFile file(test::kFixtures + name + ".json");
    std::vector<TokenId> tokens;
    if (file.open(QIODevice::ReadOnly)) {
        for (const QJsonValue& id : QJsonDocument::fromJson(file.readAll())["tokens"].toArray()) {
            tokens.emplace_back(static_cast<std::size_t>(id.toInt()));
        }
    }
    tokens.resize(std::min(tokens.size(), std::size_t{kCopyContext}));
    return tokens;
}

// The models of tests/data whose weights are not quantised.
QStringList plainFixtures() {
    QStringList names;
    for (const QString& file : QDir(test::kFixtures).entryList({"*.gguf"})) {
        const auto model = test::openFixture(file.chopped(5));
        const auto isPlain = [](const TensorInfo& tensor) { return findTensorType(tensor.typeId)->blockSize == 1; };
        if (model && std::ranges::all_of(model->tensors, isPlain)) {
            names << file.chopped(5);
        }
    }
    return names;
}

bool hasRowsFor(const Model& model, TensorType type) {
    return std::ranges::any_of(
        model.tensors, [&](const TensorInfo& tensor) { return test::isQuantisedIn(tensor, tensorTypeFact(type)); });
}

double medianKl(const Answers& exact, std::span<const float> logits) {
    std::vector<double> tokens;
    for (std::size_t at = 0; at < logits.size(); at += exact.vocabulary) {
        tokens.push_back(test::divergence(std::span(exact.logits).subspan(at, exact.vocabulary),
                                          logits.subspan(at, exact.vocabulary), exact.vocabulary));
    }
    const auto middle = tokens.begin() + static_cast<std::ptrdiff_t>(tokens.size() / 2);
    std::ranges::nth_element(tokens, middle);
    return *middle;
}

// With finer activations, the order in which floats are added makes as much of so small a KL as rounding does.
constexpr double kOfOrder = 1e-7;
bool isNear(double value, double expected) { return std::abs(value - expected) <= std::max(0.1 * expected, kOfOrder); }

// Dimensions with which all rows are whole super-blocks, except the rows of heads and low ranks.
const std::vector<test::PlannedKey> kWideKeys{
    {"embedding_length", 512U},
    {"feed_forward_length", 768U},
    {"attention.head_count", 8U},
    {"attention.head_count_kv", 4U},
    {"attention.key_length", 64U},
    {"attention.value_length", 64U},
    {"attention.q_lora_rank", 256U},
    {"attention.kv_lora_rank", 256U},
    {"rope.dimension_count", 32U},
    {"expert_feed_forward_length", 256U},
    {"expert_shared_feed_forward_length", 256U},
    {"ssm.inner_size", 1024U},
    {"ssm.state_size", 64U},
    {"ssm.time_step_rank", 16U},
    {"wkv.head_size", 64U},
    {"kda.head_dim", 64U},
};

std::vector<float> valuesFor(const test::PlannedTensor& tensor, std::mt19937& random) {
    std::size_t count = 1;
    for (const std::uint64_t dim : tensor.dims) {
        count *= dim;
    }
    const std::string role = test::roleOf(tensor.name);
    const bool decays = role.starts_with("ssm_a");
    const bool scales = tensor.dims.size() == 1 && role.ends_with(".weight");
    const float mean = decays ? -1.0F : scales ? 1.0F : 0.0F;
    const float deviation =
        tensor.dims.size() > 1 && !decays ? 1 / std::sqrt(static_cast<float>(tensor.dims[0])) : 0.1F;
    std::normal_distribution<float> normal(mean, deviation);
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return normal(random); });
    return values;
}

// A list of numbers by block keeps its zeros, which say that a block has another part instead.
void setBlocks(test::ModelPlan& plan, const test::PlannedKey& key) {
    test::PlannedKey* const known = plan.key(key.name);
    auto* const blocks = known != nullptr ? std::get_if<std::vector<std::uint32_t>>(&known->value) : nullptr;
    if (blocks == nullptr) {
        std::visit([&](const auto& value) { plan.set(key.name, value); }, key.value);
        return;
    }
    std::ranges::replace_if(
        *blocks, [](std::uint32_t number) { return number != 0; }, std::get<std::uint32_t>(key.value));
}

std::shared_ptr<const Model> wideModel(const GraphTraits& traits, const std::vector<test::PlannedKey>& others = {}) {
    test::ModelPlan plan = test::planOf(traits);
    for (const std::vector<test::PlannedKey>& keys : {kWideKeys, others}) {
        for (const test::PlannedKey& each : keys) {
            setBlocks(plan, each);
        }
    }
    test::complete(plan, {});
    std::mt19937 random(5);
    for (test::PlannedTensor& tensor : plan.tensors) {
        if (tensor.name == "position_embd.weight") {
            tensor.dims[1] = kCopyContext; // a table may have any number of rows, which limit the context
        }
        tensor.values = valuesFor(tensor, random);
    }
    auto read = gguf::read(std::make_shared<MemorySource>(plan.file(~std::uint64_t{0}), "Wide.gguf"));
    return read ? *read : nullptr;
}

} // namespace

class TestQuantisedCopies : public QObject {
    Q_OBJECT

private slots:
    void ofFixtures_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("type");
        for (const QString& name : plainFixtures()) {
            const auto model = test::openFixture(name);
            for (const TensorType type : kTypes) {
                if (hasRowsFor(*model, type)) {
                    QTest::addRow("%s, %s", qPrintable(name), qPrintable(nameOf(type)))
                        << name << static_cast<int>(type);
                }
            }
        }
    }
    void ofFixtures() {
        QFETCH(QString, name);
        QFETCH(int, type);
        const auto model = test::openFixture(name);
        const auto copy = test::quantised(*model, static_cast<TensorType>(type));
        QVERIFY(copy);
        const auto floats = test::decoded(*copy);
        Kernels decoding = activeKernels();
        decoding.products.int8 = {};
        decoding.products.int16 = {};
        const std::vector<TokenId> tokens = tokensOf(name);
        QVERIFY(!tokens.empty());
        for (const std::size_t batch : {tokens.size(), std::size_t{7}, std::size_t{1}}) {
            const auto logitsWith = [&](const Kernels& kernels, const std::shared_ptr<const Model>& of) {
                const ForcedKernels forced(kernels);
                return answersOf(of, batch, tokens).logits;
            };
            const Answers exact = answersOf(floats, batch, tokens);
            const std::vector<float> rounded = logitsWith(activeKernels(), copy);
            const double kl = test::divergence(exact.logits, rounded, exact.vocabulary);
            const double median = medianKl(exact, rounded);
            const std::vector<float> scalar = logitsWith(kernelsFor(Isa::Scalar), copy);
            const double scalarKl = test::divergence(exact.logits, scalar, exact.vocabulary);
            const double scalarMedian = medianKl(exact, scalar);
            const double difference = test::largestDifference(exact.logits, logitsWith(decoding, copy));
            qInfo("KL of rounded activations %.2e, of the median token %.2e; largest difference without rounding %.2e",
                  kl, median, difference);
            QVERIFY(kl > 0 && kl <= kMostKl);
            QVERIFY(median <= kMostMedianKl);
            // The scalar kernels define the rounding. Sums of floats in another order round single
            // activations to another number, which changes the mean or the median, but not both.
            QVERIFY2(isNear(kl, scalarKl) || isNear(median, scalarMedian),
                     qPrintable(QString("%1, %2").arg(scalarKl).arg(scalarMedian)));
            QVERIFY(difference <= 1e-3);
        }
    }

    // Every architecture, with all matrices of a size for which a rounding error is one of many.
    void ofWideModels_data() {
        QTest::addColumn<QString>("name");
        for (const GraphTraits& row : graphTraits()) {
            if (!row.encoder) {
                QTest::newRow(std::string(row.name).c_str()) << QString::fromLatin1(row.name);
            }
        }
    }
    void ofWideModels() {
        QFETCH(QString, name);
        const auto model = wideModel(*findGraphTraits(name.toStdString()));
        QVERIFY(model);
        for (const TensorType type : kTypes) {
            QVERIFY(hasRowsFor(*model, type));
            const auto copy = test::quantised(*model, type);
            QVERIFY(copy);
            const auto floats = test::decoded(*copy);
            for (const std::size_t batch : {kTokens, std::size_t{1}}) {
                const Answers exact = answersOf(floats, batch);
                QVERIFY(!exact.logits.empty());
                const double kl = test::divergence(exact.logits, answersOf(copy, batch).logits, exact.vocabulary);
                qInfo("%s, batches of %d: KL of rounded activations %.2e", qPrintable(nameOf(type)),
                      static_cast<int>(batch), kl);
                QVERIFY(kl > 0 && kl <= kMostKl);
            }
        }
    }

    // The same with short heads; narrow matrices have finer activations (Binder::withFinerActivations()).
    void ofNarrowModels_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"jamba", "phimoe", "qwen35", "qwen35moe", "qwen3next"}) {
            QTest::newRow(name) << name;
        }
    }
    void ofNarrowModels() {
        QFETCH(QString, name);
        for (const std::uint32_t width : {512U, 256U, 32U}) {
            const auto model = wideModel(*findGraphTraits(name.toStdString()), {{"embedding_length", width},
                                                                                {"feed_forward_length", width},
                                                                                {"attention.key_length", 16U},
                                                                                {"attention.value_length", 16U},
                                                                                {"rope.dimension_count", 8U},
                                                                                {"ssm.state_size", 8U},
                                                                                {"ssm.inner_size", 128U}});
            const auto copy = test::quantised(*model, TensorType::Q4_0);
            QVERIFY(copy);
            const Answers exact = answersOf(test::decoded(*copy), kTokens);
            QVERIFY(!exact.logits.empty());
            const double kl = test::divergence(exact.logits, answersOf(copy, kTokens).logits, exact.vocabulary);
            qInfo("%u columns: KL of rounded activations %.2e", width, kl);
            QVERIFY(kl > 0 && kl <= (width > 256 ? 1e-3 : 1e-6));
        }
    }
};

GUFO_TEST(TestQuantisedCopies)
#include "tst_quantised_copies.moc"
