// Compares linear attention in chunks with one token after another in double precision.
#include "base/cpu_features.h"
#include "inference/engine/blocks/linear_chunks.h"
#include "support/test_unit.h"
#include "tensor/kernels/kernels.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace gufo;
using namespace gufo::inference;

namespace {

struct Case {
    std::size_t keyLength = 0;
    std::size_t valueLength = 0;
    bool deltaRule = false;
    bool elementsDecay = false;
    std::size_t heads = 0; // which share the keys
};

// The rows of a batch, as a block would leave them.
struct Batch {
    Case form;
    std::size_t tokens;
    std::vector<float> keys; // queries, then keys
    std::vector<float> values;
    std::vector<float> decays;
    std::vector<float> rates;
    std::vector<float> state;

    Batch(const Case& of, std::size_t count)
        : form(of)
        , tokens(count)
        , keys(count * 2 * of.keyLength)
        , values(count * of.heads * of.valueLength)
        , decays(count * of.heads * (of.elementsDecay ? of.keyLength : 1))
        , rates(count * of.heads)
        , state(of.heads * of.keyLength * of.valueLength) {
        std::mt19937 random(static_cast<unsigned>(count));
        std::normal_distribution<float> normal(0, 1 / std::sqrt(static_cast<float>(of.keyLength)));
        std::uniform_real_distribution<float> rate(0, 1);
        std::uniform_int_distribution<std::size_t> kind(0, 9);
        std::ranges::generate(keys, [&] { return normal(random); });
        std::ranges::generate(values, [&] { return 4 * normal(random); });
        std::ranges::generate(state, [&] { return normal(random); });
        std::ranges::generate(rates, [&] { return rate(random); });
        // Some forget everything, nothing, or so much that a quotient of their products would be 0 / 0.
        std::ranges::generate(decays, [&] {
            constexpr std::array kSpecial{0.0F, 1.0F, 1e-30F};
            const std::size_t k = kind(random);
            return k < kSpecial.size() ? kSpecial.at(k) : 0.5F + rate(random) / 2;
        });
    }
    [[nodiscard]] std::size_t square() const { return form.keyLength * form.valueLength; }
    [[nodiscard]] LinearChunk chunkOf(std::size_t head, std::size_t token, std::size_t count, Rows scores,
                                      std::vector<float>& out) {
        const auto rows = [&](std::vector<float>& all, std::size_t at) {
            const std::size_t stride = all.size() / tokens;
            return Rows{all.data() + token * stride + at, stride};
        };
        return {.tokens = count,
                .queries = rows(keys, 0),
                .keys = rows(keys, form.keyLength),
                .values = rows(values, head * form.valueLength),
                .decays = rows(decays, head * (form.elementsDecay ? form.keyLength : 1)),
                .rates = form.deltaRule ? rows(rates, head) : Rows{},
                .scores = scores,
                .out = rows(out, head * form.valueLength)};
    }
};

// Outputs, then the state.
std::vector<double> exactOf(const Batch& batch, std::size_t head) {
    const Case& form = batch.form;
    std::vector<double> result;
    const auto begin = batch.state.begin() + static_cast<std::ptrdiff_t>(head * batch.square());
    std::vector<double> state(begin, begin + static_cast<std::ptrdiff_t>(batch.square()));
    const std::size_t decaying = form.elementsDecay ? form.keyLength : 1;
    for (std::size_t t = 0; t < batch.tokens; ++t) {
        const float* query = batch.keys.data() + t * 2 * form.keyLength;
        const float* key = query + form.keyLength;
        const float* decay = batch.decays.data() + (t * form.heads + head) * decaying;
        const double rate = form.deltaRule ? static_cast<double>(batch.rates[t * form.heads + head]) : 1;
        for (std::size_t j = 0; j < form.valueLength; ++j) {
            double change = static_cast<double>(batch.values[(t * form.heads + head) * form.valueLength + j]);
            for (std::size_t i = 0; i < form.keyLength; ++i) {
                double& element = state[i * form.valueLength + j];
                element *= static_cast<double>(decay[form.elementsDecay ? i : 0]);
                change -= form.deltaRule ? static_cast<double>(key[i]) * element : 0;
            }
            double sum = 0;
            for (std::size_t i = 0; i < form.keyLength; ++i) {
                double& element = state[i * form.valueLength + j];
                element += rate * static_cast<double>(key[i]) * change;
                sum += static_cast<double>(query[i]) * element;
            }
            result.push_back(sum);
        }
    }
    result.insert(result.end(), state.begin(), state.end());
    return result;
}

// All chunks of a batch, for one member of a team.
struct Scan {
    Memory memory;
    LinearChunks chunks;

    static Memory memoryFor(const LinearChunks::Form& form, std::size_t batch) {
        Memory counted;
        const LinearChunks chunks(counted, batch, 1, form);
        return std::move(*Memory::reserve(counted));
    }
    static LinearChunks::Form formOf(const Case& of) {
        return {.keyHeads = 1,
                .keyLength = of.keyLength,
                .valueLength = of.valueLength,
                .deltaRule = of.deltaRule,
                .elementsDecay = of.elementsDecay};
    }
    explicit Scan(const Batch& batch)
        : memory(memoryFor(formOf(batch.form), batch.tokens))
        , chunks(memory, batch.tokens, 1, formOf(batch.form)) {}

    // Evaluates the first tokens of all heads, which share a copy, and returns their outputs; updates batch.state.
    std::vector<float> run(Batch& batch, const MixerState& copy, std::size_t tokens) {
        std::vector<float> out(batch.values.size(), 9);
        chunks.divide(tokens);
        const auto scoresAt = [&](std::size_t token) {
            return batch.form.elementsDecay ? Rows{} : chunks.scores(0, token);
        };
        for (std::size_t i = 0; !batch.form.elementsDecay && i < chunks.count(); ++i) {
            const std::size_t begin = chunks.begin(i);
            chunks.score(batch.chunkOf(0, begin, chunks.tokensOf(i), scoresAt(begin), out), 0);
        }
        for (std::size_t head = 0; head < batch.form.heads; ++head) {
            const MixerState state{
                .now = batch.state.data() + head * batch.square(), .copy = copy.copy, .after = copy.after};
            chunks.forEach(state, batch.square(), [&](std::size_t first, std::size_t count, float* updated) {
                chunks.run(batch.chunkOf(head, first, count, scoresAt(first), out), updated, 0);
            });
        }
        return out;
    }
    std::vector<float> run(Batch& batch, const MixerState& copy) { return run(batch, copy, batch.tokens); }
};

} // namespace

class TestLinearChunks : public QObject {
    Q_OBJECT

private slots:
    void equalSteps_data() {
        QTest::addColumn<Case>("form");
        QTest::newRow("delta rule") << Case{16, 16, true, false, 2};
        QTest::newRow("delta rule, odd lengths") << Case{13, 37, true, false, 1};
        QTest::newRow("delta rule, elements decay") << Case{32, 16, true, true, 1};
        QTest::newRow("delta rule, elements decay, odd lengths") << Case{7, 33, true, true, 2};
        QTest::newRow("states") << Case{16, 8, false, false, 3};
        QTest::newRow("states, odd lengths") << Case{5, 67, false, false, 1};
        QTest::newRow("states, elements decay") << Case{19, 9, false, true, 1};
        QTest::newRow("full size") << Case{128, 128, true, false, 2};
    }
    void equalSteps() {
        QFETCH(Case, form);
        for (const std::size_t tokens : {1U, 2U, 4U, 7U, 15U, 16U, 17U, 31U, 32U, 33U, 70U}) {
            const Batch batch(form, tokens);
            for (const Isa isa : availableIsas()) {
                const ForcedKernels forced(kernelsFor(isa));
                Batch found = batch;
                const std::vector<float> out = Scan(batch).run(found, {});
                double difference = 0;
                for (std::size_t head = 0; head < form.heads; ++head) {
                    const std::vector<double> exact = exactOf(batch, head);
                    const auto compare = [&](float value, double expected) {
                        // A comparison with NaN fails.
                        const double error = std::abs(static_cast<double>(value) - expected);
                        difference = error <= difference ? difference : error;
                    };
                    std::size_t at = 0;
                    for (std::size_t t = 0; t < tokens; ++t) {
                        for (std::size_t j = 0; j < form.valueLength; ++j) {
                            compare(out[(t * form.heads + head) * form.valueLength + j], exact[at++]);
                        }
                    }
                    for (std::size_t i = 0; i < batch.square(); ++i) {
                        compare(found.state[head * batch.square() + i], exact[at++]);
                    }
                }
                QVERIFY2(difference <= 2e-5, qPrintable(QString("%1 tokens, %2: %3")
                                                            .arg(tokens)
                                                            .arg(std::string(isaName(isa)).c_str())
                                                            .arg(difference)));
            }
        }
    }

    // The copy is what the tokens before it leave, and the rest does not depend on it.
    void copiesChangeNothing() {
        const Batch batch({16, 16, true, false, 1}, 70);
        Batch whole = batch;
        const std::vector<float> out = Scan(batch).run(whole, {});
        for (const std::size_t after : {0U, 1U, 31U, 32U, 40U, 69U}) {
            Batch found = batch;
            std::vector<float> copy(batch.square(), 9);
            const auto again = Scan(batch).run(found, {.now = nullptr, .copy = copy.data(), .after = after});
            QVERIFY(again == out && found.state == whole.state);
            Batch before = batch;
            Scan(batch).run(before, {}, after);
            QVERIFY(before.state == copy);
        }
    }
};

GUFO_TEST(TestLinearChunks)
#include "tst_linear_chunks.moc"
