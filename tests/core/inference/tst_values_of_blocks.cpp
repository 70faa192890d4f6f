// Hyper-parameters as arrays with an element for each block, and as single numbers: some converters write one, some the
// other. For every architecture and every key that changes its answers, an array of equal numbers must mean the same as
// the number; an array of different ones must be applied block by block, or be refused with the name of the key.
#include "inference/engine/gufo_engine.h"
#include "inference/interface/embedder.h"
#include "inference/interface/session.h"
#include "lying_models.h"
#include "model/architectures.h"
#include "model/block_memory.h"
#include "support/fixture_models.h"
#include "support/test_unit.h"

#include <QTest>

using namespace gufo;
using namespace gufo::inference;
using test::ModelPlan;
using test::PlannedKey;

namespace {

using Number = decltype(PlannedKey::value);

// Besides kPlannedKeys: what the engine reads if a file states it, with values that change nothing.
const std::vector<PlannedKey> kOptionalKeys{
    {"attention.causal", true},
    {"attention.clamp_kqv", 0.0F},
    {"attention.scale", 0.0F},
    {"attention.shared_kv_layers", 0U},
    {"attention.temperature_length", 8192U},
    {"attention.temperature_scale", 0.0F},
    {"attn_logit_softcapping", 0.0F},
    {"embedding_length_per_layer_input", 16U},
    {"embedding_scale", 0.0F},
    {"expert_weights_norm", true},
    {"expert_weights_scale", 0.0F},
    {"final_logit_softcapping", 0.0F},
    {"interleave_moe_layer_step", 1U},
    {"logit_scale", 1.0F},
    {"moe_latent_size", 0U},
    {"nextn_predict_layers", 0U},
    {"residual_scale", 0.0F},
    {"rope.freq_base", 10'000.0F},
    {"rope.freq_base_swa", 10'000.0F},
    {"rope.scaling.alpha", 0.0F},
    {"rope.scaling.attn_factor", 1.0F},
    {"rope.scaling.factor", 1.0F},
    {"rope.scaling.finetuned", true},
    {"rope.scaling.original_context_length", 512U},
    {"rope.scaling.yarn_beta_fast", 32.0F},
    {"rope.scaling.yarn_beta_slow", 1.0F},
    {"rope.scaling.yarn_log_multiplier", 0.0F},
    {"ssm.dt_b_c_rms", false},
    {"use_parallel_residual", true},
};

// Keys whose blocks may have different numbers, where the architecture has the blocks. All others describe the model.
const std::set<std::string> kOfBlocks{"attention.head_count",
                                      "attention.head_count_kv",
                                      "attention.sliding_window",
                                      "attention.sliding_window_pattern",
                                      "feed_forward_length",
                                      "xielu.alpha_n",
                                      "xielu.alpha_p",
                                      "xielu.beta",
                                      "xielu.eps"};

// An array whose elements belong to the components of a position instead of blocks.
constexpr std::string_view kSections = "rope.dimension_sections";

std::size_t blocksOf(ModelPlan& plan) { return std::get<std::uint32_t>(plan.key("block_count")->value); }

// Something else that the key could be, if it is a number.
std::optional<Number> otherNumber(const Number& value) {
    if (const auto* number = std::get_if<std::uint32_t>(&value)) {
        return *number == 0 ? 4U : *number * 2;
    }
    if (const auto* number = std::get_if<float>(&value)) {
        return *number == 0 ? 0.5F : *number * 2;
    }
    if (const auto* flag = std::get_if<bool>(&value)) {
        return !*flag;
    }
    return std::nullopt;
}

// An array with `first` for the first block and `others` for all others.
template<typename T>
Number arrayOf(std::size_t blocks, const T& first, const T& others) {
    std::vector<T> values(blocks, others);
    values.front() = first;
    return values;
}
Number arrayOf(std::size_t blocks, const Number& first, const Number& others) {
    return std::visit(
        [&](const auto& value) -> Number {
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<T, std::uint32_t> || std::is_same_v<T, float> || std::is_same_v<T, bool>) {
                return arrayOf(blocks, value, std::get<T>(others));
            } else {
                return value;
            }
        },
        first);
}

struct EvaluationOutcome {
    std::vector<float> values{}; // logits, or the states of an encoder
    std::optional<Error> refusal{};

    [[nodiscard]] bool runs() const { return !refusal && !values.empty(); }
    // Whether it runs with the same result. Matrices of other shapes have other weights.
    [[nodiscard]] bool sameAs(const EvaluationOutcome& other) const { return runs() && values == other.values; }
    [[nodiscard]] std::string text() const {
        return runs() ? "it runs" : std::string(errorName(refusal->code)) + " " + refusal->place.name;
    }
};

EvaluationOutcome outcomeOf(const ModelPlan& plan) {
    const auto model = plan.model();
    if (!model) {
        return {.refusal = Error{.code = ErrorCode::Malformed}};
    }
    const SessionOptions options{.context = 16, .keys = KvCacheType::F32, .values = KvCacheType::F32, .threads = 1};
    const std::vector<TokenId> tokens = test::randomTokens(7, 40);
    if (onlyEmbeds(*model)) {
        const auto embedder = openBuiltInEmbedder(model, options, {});
        auto states = embedder ? (*embedder)->embed(tokens, Pooling::None, {}) : std::unexpected(embedder.error());
        return states ? EvaluationOutcome{.values = std::move(*states)} : EvaluationOutcome{.refusal = states.error()};
    }
    const auto loaded = loadForInference(model);
    const auto session = loaded ? (*loaded)->startSession(options) : std::unexpected(loaded.error());
    return session ? EvaluationOutcome{.values = test::logitsOf(**session, tokens, tokens.size())}
                   : EvaluationOutcome{.refusal = session.error()};
}

EvaluationOutcome outcomeWith(ModelPlan plan, const std::string& key, const Number& value) {
    plan.set(key, value);
    return outcomeOf(plan);
}

// The same with the tensors that the changed model needs.
EvaluationOutcome remade(ModelPlan plan, const std::string& key, const Number& value) {
    plan.set(key, value);
    plan.tensors.clear();
    test::complete(plan, {});
    return outcomeOf(plan);
}

bool namesKey(const EvaluationOutcome& outcome, const std::string& key) {
    return outcome.refusal && outcome.refusal->place.name.ends_with(key);
}

ModelPlan planWithOptionalKeys(std::string_view architecture) {
    ModelPlan plan = test::planOf(*findGraphTraits(architecture));
    for (const PlannedKey& each : kOptionalKeys) {
        if (plan.key(each.name) == nullptr) {
            plan.keys.push_back(each);
        }
    }
    test::complete(plan, {});
    return plan;
}

} // namespace

class TestValuesOfBlocks : public QObject {
    Q_OBJECT

private slots:
    void arraysInsteadOfNumbers_data() {
        QTest::addColumn<QString>("architecture");
        for (const GraphTraits& row : graphTraits()) {
            QTest::newRow(std::string(row.name).c_str()) << QString::fromLatin1(row.name);
        }
    }
    void arraysInsteadOfNumbers() {
        QFETCH(QString, architecture);
        ModelPlan plan = planWithOptionalKeys(architecture.toStdString());
        const EvaluationOutcome usual = outcomeOf(plan);
        QVERIFY2(usual.runs(), usual.text().c_str());
        const std::size_t blocks = blocksOf(plan);
        int read = 0;
        int varied = 0;
        for (const PlannedKey& each : std::vector(plan.keys)) {
            const auto other = otherNumber(each.value);
            if (!other || each.name == kSections) {
                continue;
            }
            const auto check = [&](bool holds, const char* what, const EvaluationOutcome& outcome) {
                const std::string why = each.name + ", " + what + ": " + outcome.text();
                return QTest::qVerify(holds, what, why.c_str(), __FILE__, __LINE__);
            };
            const EvaluationOutcome equal = outcomeWith(plan, each.name, arrayOf(blocks, each.value, each.value));
            if (!check(equal.sameAs(usual), "an array of equal numbers means the number", equal)) {
                return;
            }
            if (outcomeWith(plan, each.name, *other).sameAs(usual)) {
                continue; // the architecture does not read the key
            }
            ++read;
            const EvaluationOutcome words = outcomeWith(plan, each.name, std::string("many"));
            if (!check(namesKey(words, each.name), "a text is refused", words)) {
                return;
            }
            // A number may matter in some blocks only, such as those with a window.
            bool differs = false;
            for (const Number& different : {arrayOf(blocks, each.value, *other), arrayOf(blocks, *other, each.value)}) {
                const bool ofBlocks = kOfBlocks.contains(each.name);
                const EvaluationOutcome mixed =
                    ofBlocks ? remade(plan, each.name, different) : outcomeWith(plan, each.name, different);
                if (!check(mixed.runs() ? ofBlocks : namesKey(mixed, each.name),
                           "different numbers are refused where blocks cannot differ", mixed)) {
                    return;
                }
                differs = differs || !mixed.sameAs(usual);
            }
            if (!check(differs, "different numbers apply to their blocks", usual)) {
                return;
            }
            varied += kOfBlocks.contains(each.name) ? 1 : 0;
        }
        qInfo("%d keys change answers; %d may differ between blocks", read, varied);
        QVERIFY(read >= 5);
    }

    // Where files usually have an array, one number means it for all blocks.
    void numbersInsteadOfArrays_data() {
        QTest::addColumn<QString>("architecture");
        QTest::addColumn<QString>("key");
        for (const GraphTraits& row : graphTraits()) {
            for (const PlannedKey& each : test::planOf(row).keys) {
                if (std::holds_alternative<std::vector<std::uint32_t>>(each.value)) {
                    QTest::addRow("%s, %s", std::string(row.name).c_str(), each.name.c_str())
                        << QString::fromLatin1(row.name) << QString::fromStdString(each.name);
                }
            }
        }
    }
    void numbersInsteadOfArrays() {
        QFETCH(QString, architecture);
        QFETCH(QString, key);
        const ModelPlan plan = test::planOf(*findGraphTraits(architecture.toStdString()));
        const std::string name = key.toStdString();
        ModelPlan copy = plan;
        const auto usual = std::get<std::vector<std::uint32_t>>(copy.key(name)->value);
        int same = 0;
        for (const std::uint32_t number : std::set<std::uint32_t>(usual.begin(), usual.end())) {
            const EvaluationOutcome single = remade(plan, name, number);
            const EvaluationOutcome array = remade(plan, name, std::vector<std::uint32_t>(usual.size(), number));
            QVERIFY2(single.runs() ? single.sameAs(array) : single.text() == array.text(), single.text().c_str());
            same += single.runs() ? 1 : 0;
        }
        QVERIFY(same > 0);
    }

    // A number is a period of windows; an array says for each block whether it has one.
    void patternsOfWindows_data() {
        QTest::addColumn<QString>("architecture");
        for (const GraphTraits& row : graphTraits()) {
            if (const ArchitectureFact* fact = findArchitecture(row.name); fact != nullptr && fact->windowPeriod > 1) {
                QTest::newRow(std::string(row.name).c_str()) << QString::fromLatin1(row.name);
            }
        }
    }
    void patternsOfWindows() {
        QFETCH(QString, architecture);
        ModelPlan plan = test::planOf(*findGraphTraits(architecture.toStdString()));
        plan.set("block_count", 4U);
        plan.set("attention.sliding_window", 3U);
        const std::string key = "attention.sliding_window_pattern";
        for (const std::uint32_t period : {2U, 3U}) {
            plan.set(key, period);
            plan.tensors.clear(); // heads may have another size in blocks with a window
            test::complete(plan, {});
            const auto model = plan.model();
            const HyperParameters parameters(model->metadata);
            const Blocks blocks(*model, parameters, 4);
            std::vector<std::uint32_t> numbers;
            for (std::size_t i = 0; i < 4; ++i) {
                numbers.push_back(blocks.inPattern(i) ? 1 : 0);
            }
            QVERIFY(std::ranges::count(numbers, 0U) >= 1 && std::ranges::count(numbers, 1U) >= 2);
            const EvaluationOutcome byPeriod = outcomeOf(plan);
            QVERIFY2(byPeriod.runs(), byPeriod.text().c_str());
            QVERIFY(outcomeWith(plan, key, numbers).sameAs(byPeriod));
            QVERIFY(outcomeWith(plan, key, std::vector<bool>(numbers.begin(), numbers.end())).sameAs(byPeriod));
            const EvaluationOutcome tooShort = outcomeWith(plan, key, std::vector<std::uint32_t>{1, 0});
            QVERIFY2(namesKey(tooShort, key), tooShort.text().c_str());
        }
    }

    // Lengths of windows may differ too; 0 means none.
    void lengthsOfWindows() {
        ModelPlan plan = test::planOf(*findGraphTraits("gpt-oss"));
        plan.set("block_count", 4U);
        plan.set("attention.sliding_window", 3U);
        test::complete(plan, {});
        const std::string key = "attention.sliding_window";
        const auto with = [&](const std::vector<std::uint32_t>& lengths) { return outcomeWith(plan, key, lengths); };
        const EvaluationOutcome usual = outcomeOf(plan);
        // Every second block has a window, so the other elements do not count.
        QVERIFY(with({3, 3, 3, 3}).sameAs(usual));
        QVERIFY(with({3, 9, 3, 0}).sameAs(usual));
        QVERIFY(!with({3, 3, 2, 3}).sameAs(usual));
        QVERIFY(with({0, 3, 0, 3}).sameAs(outcomeWith(plan, key, 0U)));
        QVERIFY(namesKey(with({3, 3, 3}), key));
    }
};

GUFO_TEST(TestValuesOfBlocks)
#include "tst_values_of_blocks.moc"
