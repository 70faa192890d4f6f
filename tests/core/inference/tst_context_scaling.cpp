// Sessions with another scaling of rotary positions than the file asks for, and beyond the context of the training.
#include "base/error.h"
#include "inference/engine/gufo_engine.h"
#include "inference/interface/memory_needs.h"
#include "model/hyper_parameters.h"
#include "session_helpers.h"
#include "support/test_unit.h"

#include <QTest>

#include <limits>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

Q_DECLARE_METATYPE(RopeOverride)

class TestContextScaling : public QObject {
    Q_OBJECT

private slots:
    void scalingAsked() {
        const auto model = openFixture("llama-rope-linear");
        const auto leave = [](std::string_view key) { return key.find("rope.scal") != key.npos; };
        ModelMaker maker = copyOf(*model, leave);
        const double factor = *HyperParameters(model->metadata).number("rope.scaling.factor");
        const auto plain = loadForInference(maker.model());
        QVERIFY(plain);
        const auto asWritten = start(**loadForInference(model), exactly(64, 64));
        SessionOptions options = exactly(64, 64);
        const auto unscaled = start(**plain, options);
        options.rope.scale = factor;
        const auto scaled = start(**plain, options);
        const auto tokens = randomTokens(24, asWritten->vocabulary());
        const auto expected = logitsOf(*asWritten, tokens, 24);
        QCOMPARE(largestDifference(logitsOf(*scaled, tokens, 24), expected), 0.0);
        QVERIFY(largestDifference(logitsOf(*unscaled, tokens, 24), expected) > 1e-3);
        options.rope = {.base = 500.0};
        QVERIFY(largestDifference(logitsOf(*start(**plain, options), tokens, 24), expected) > 1e-3);
    }

    // A file without the keys and tensors named by `left`, run with one override, gives the same result as one without
    // those named by `out`, run with the other override.
    void scalingsReplaceEachOther_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("left");
        QTest::addColumn<RopeOverride>("asked");
        QTest::addColumn<QStringList>("out");
        QTest::addColumn<RopeOverride>("like");
        const RopeOverride none{.scaling = RopeScaling::None};
        const RopeOverride yarn{.scale = 4.0, .scaling = RopeScaling::Yarn};
        const QStringList nothing;
        const QStringList named{"rope.scaling.type", "rope.scaling.factor"};
        const QStringList all{"rope.scaling"};
        QTest::newRow("yarn as in the file") << "llama-yarn" << named << yarn << nothing << RopeOverride{};
        QTest::newRow("yarn from another context")
            << "llama-yarn" << all << RopeOverride{.scale = 4.0, .scaling = RopeScaling::Yarn, .originalContext = 4096}
            << nothing << RopeOverride{};
        QTest::newRow("yarn keeps its type")
            << "llama-yarn" << nothing << RopeOverride{.scale = 4.0} << nothing << yarn;
        QTest::newRow("no yarn") << "llama-yarn" << nothing << none << all << RopeOverride{};
        QTest::newRow("linear for yarn") << "llama-yarn" << nothing
                                         << RopeOverride{.scale = 4.0, .scaling = RopeScaling::Linear} << all
                                         << RopeOverride{.scale = 4.0};
        QTest::newRow("no linear") << "llama-rope-linear" << nothing << none << all << RopeOverride{};
        QTest::newRow("no factors") << "llama-rope-freqs" << nothing << none << QStringList{"rope_freqs.weight"}
                                    << RopeOverride{};
        QTest::newRow("no long rope") << "phi3-longrope" << nothing << none
                                      << QStringList{"rope_factors_long.weight", "rope_factors_short.weight",
                                                     "rope.scaling.attn_factor"}
                                      << RopeOverride{};
        QTest::newRow("latent, as in the file") << "deepseek2" << named << yarn << nothing << RopeOverride{};
        QTest::newRow("latent, none") << "deepseek2" << nothing << none << all << RopeOverride{};
        QTest::newRow("windows of their own") << "gemma3" << nothing << none << all << RopeOverride{};
    }
    void scalingsReplaceEachOther() {
        QFETCH(QString, name);
        QFETCH(QStringList, left);
        QFETCH(RopeOverride, asked);
        QFETCH(QStringList, out);
        QFETCH(RopeOverride, like);
        const auto model = openFixture(name);
        const auto logits = [&](const QStringList& without, const RopeOverride& rope) {
            const auto has = [&](std::string_view text) {
                return std::ranges::any_of(
                    without, [&](const QString& part) { return text.find(part.toStdString()) != text.npos; });
            };
            ModelMaker maker =
                copyOf(*model, has, [&](ModelMaker&, const TensorInfo& tensor, Bytes) { return has(tensor.name); });
            const auto loaded = loadForInference(maker.model());
            SessionOptions options = exactly(96, 96);
            options.rope = rope;
            const auto session = loaded ? start(**loaded, options) : nullptr;
            return session ? logitsOf(*session, randomTokens(80, session->vocabulary()), 80) : std::vector<float>();
        };
        const auto found = logits(left, asked);
        QVERIFY(!found.empty());
        QCOMPARE(largestDifference(found, logits(out, like)), 0.0);
        if (left.isEmpty() && asked.scaling) {
            QVERIFY(largestDifference(found, logits({}, {})) > 1e-4);
        }
    }

    void overridesThatAreNone() {
        const auto loaded = loadForInference(openFixture("llama"));
        const auto codeOf = [&](const RopeOverride& rope) {
            const auto session = (*loaded)->startSession({.context = 16, .rope = rope});
            const auto needs = memoryNeeds((*loaded)->model(), {.context = 16, .rope = rope});
            return !session && !needs && session.error().code == needs.error().code
                       ? std::optional(session.error().code)
                       : std::nullopt;
        };
        QCOMPARE(codeOf({.base = 0.0}), ErrorCode::InvalidArgument);
        QCOMPARE(codeOf({.scale = -1.0}), ErrorCode::InvalidArgument);
        QCOMPARE(codeOf({.scale = std::numeric_limits<double>::quiet_NaN()}), ErrorCode::InvalidArgument);
        QCOMPARE(codeOf({.scaling = RopeScaling::LongRope}), ErrorCode::InvalidArgument);
        const auto model = openFixture("llama");
        ModelMaker maker = copyOf(*model, [](std::string_view key) { return key.ends_with("context_length"); });
        const auto unstated = loadForInference(maker.model());
        SessionOptions options{.context = 16, .rope = {.scale = 2.0, .scaling = RopeScaling::Yarn}};
        QCOMPARE((*unstated)->startSession(options).error().code, ErrorCode::NoSuchKey);
        options.rope.originalContext = 64;
        QVERIFY((*unstated)->startSession(options));
    }

    void beyondTheTrainedContext() {
        const auto loaded = loadForInference(openFixture("llama"));
        const std::uint32_t trained = (*loaded)->trainedContext();
        QVERIFY(trained != 0);
        const auto session = start(**loaded, {.context = trained + 100, .threads = 2});
        QVERIFY(session);
        QCOMPARE(session->context(), trained + 100);
        const auto tokens = randomTokens(trained + 100, session->vocabulary());
        QVERIFY(session->evaluate(tokens, Logits::Last, {}));
        QCOMPARE(session->evaluate({tokens.data(), 1}, Logits::Last, {}).error().code, ErrorCode::LimitExceeded);
        // Learned positions have a limit.
        const auto learned = loadForInference(openFixture("gpt2"));
        const auto refused = (*learned)->startSession({.context = 1'000'000});
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::LimitExceeded);
    }
};

GUFO_TEST(TestContextScaling)
#include "tst_context_scaling.moc"
