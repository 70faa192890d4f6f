// What is recorded inside a run, compared with float64 forward passes (tests/data/inside), and for every fixture with
// what must hold in any model.
#include "base/cpu_features.h"
#include "inference/engine/gufo_engine.h"
#include "inference/measuring/inside_difference.h"
#include "support/error_names.h"
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

#include <cmath>
#include <limits>
#include <numeric>
#include <stop_token>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

namespace {

QJsonObject readObject(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

// The tokens and the context that a fixture is described with.
struct Text {
    std::vector<TokenId> tokens;
    std::uint32_t context = 0;
};
Text textOf(const QString& name) {
    const QJsonObject json = readObject(kFixtures + name + ".json");
    Text text{.tokens = {}, .context = static_cast<std::uint32_t>(json["n_ctx"].toInt())};
    for (const QJsonValue& id : json["tokens"].toArray()) {
        text.tokens.emplace_back(static_cast<std::size_t>(id.toInt()));
    }
    return text;
}

// All numbers of nested arrays, in order.
void flatten(const QJsonValue& value, std::vector<float>& to) {
    if (!value.isArray()) {
        to.push_back(static_cast<float>(value.toDouble()));
        return;
    }
    for (const QJsonValue& element : value.toArray()) {
        flatten(element, to);
    }
}
std::vector<float> numbers(const QJsonValue& value) {
    std::vector<float> all;
    flatten(value, all);
    return all;
}

SessionOptions optionsOf(const Text& text, KvCacheType type = KvCacheType::F32, std::uint32_t batch = 512) {
    return {.ropeContext = text.context, .batch = batch, .keys = type, .values = type, .threads = 2};
}

// The error relative to the largest of the expected values.
double relativeDifference(std::span<const float> found, std::span<const float> expected) {
    const auto largest = std::ranges::max_element(expected, {}, [](float x) { return std::abs(x); });
    return largest == expected.end() ? INFINITY
                                     : largestDifference(found, expected) / static_cast<double>(std::abs(*largest));
}

double sumOf(std::span<const float> values) {
    return std::accumulate(values.begin(), values.end(), 0.0,
                           [](double sum, float x) { return sum + static_cast<double>(x); });
}

std::vector<std::shared_ptr<const Model>> kept; // models whose bytes a copy views

std::shared_ptr<const Model> withNaN(const QString& name, std::string_view tensorName) {
    kept.push_back(openFixture(name));
    return copyOf(
               *kept.back(), [](std::string_view) { return false; },
               [&](ModelMaker& to, const TensorInfo& tensor, Bytes bytes) {
                   if (tensor.name != tensorName) {
                       return false;
                   }
                   std::string data(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                   const float nan = std::numeric_limits<float>::quiet_NaN();
                   std::memcpy(data.data(), &nan, sizeof nan);
                   const auto dims = tensor.shape.dims();
                   to.tensor(tensor.name, {dims.begin(), dims.end()}, static_cast<TensorType>(tensor.typeId), data);
                   return true;
               })
        .model();
}

} // namespace

class TestInside : public QObject {
    Q_OBJECT

private slots:
    void equalsReference_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<KvCacheType>("type");
        QTest::addColumn<std::uint32_t>("batch");
        QTest::addColumn<double>("tolerance");
        for (const char* name : {"llama", "gemma2", "qwen2moe", "deepseek2", "mamba", "rwkv6", "gpt-oss", "qwen35"}) {
            const QString fixture = QString::fromLatin1(name);
            QTest::addRow("%s", name) << fixture << KvCacheType::F32 << 512U << 1e-4;
            QTest::addRow("%s, token by token", name) << fixture << KvCacheType::F32 << 1U << 1e-4;
            QTest::addRow("%s, F16", name) << fixture << KvCacheType::F16 << 512U << 3e-3;
            QTest::addRow("%s, F16, token by token", name) << fixture << KvCacheType::F16 << 1U << 3e-3;
            QTest::addRow("%s, Q8_0", name) << fixture << KvCacheType::Q8_0 << 512U << 5e-2;
            QTest::addRow("%s, Q8_0, token by token", name) << fixture << KvCacheType::Q8_0 << 1U << 5e-2;
        }
    }
    void equalsReference() {
        QFETCH(QString, name);
        QFETCH(KvCacheType, type);
        QFETCH(std::uint32_t, batch);
        QFETCH(double, tolerance);
        const QJsonObject exact = readObject(QStringLiteral(GUFO_TEST_DATA "/inside/") + name + ".json");
        const auto model = openFixture(name);
        const Text text = textOf(name);
        const std::size_t tokens = text.tokens.size();
        const auto queries = static_cast<std::size_t>(exact["queries"].toInt());
        QVERIFY(queries > 0);
        InsideRequest request{.from = tokens - queries, .candidates = 5, .sizes = true};
        request.experts = exact.contains("experts");
        for (const Isa isa : availableIsas()) {
            const ForcedKernels forced(kernelsFor(isa));
            const auto inside = lookInside(model, text.tokens, request, optionsOf(text, type, batch), {});
            QVERIFY(inside);
            const StreamSizes& sizes = *inside->sizes;
            QVERIFY(relativeDifference(sizes.stream, numbers(exact["stream"])) < tolerance);
            QVERIFY(relativeDifference(sizes.mixer, numbers(exact["mixer"])) < tolerance);
            if (exact.contains("feed_forward")) {
                QVERIFY(relativeDifference(sizes.feedForward, numbers(exact["feed_forward"])) < tolerance);
            } else {
                QCOMPARE(sumOf(sizes.feedForward), 0.0);
            }
            // Of two channels that are nearly as large, rounding may choose the other one, with another sign.
            const auto magnitudes = [](std::vector<float> values) {
                std::ranges::transform(values, values.begin(), [](float x) { return std::abs(x); });
                return values;
            };
            QVERIFY(relativeDifference(magnitudes(sizes.largest), magnitudes(numbers(exact["largest"]))) < tolerance);
            if (type == KvCacheType::F32) {
                QVERIFY(relativeDifference(sizes.largest, numbers(exact["largest"])) < tolerance);
            }
            if (type == KvCacheType::F32) {
                const std::vector<float> channels = numbers(exact["channel"]);
                QVERIFY(std::ranges::equal(sizes.channel, channels,
                                           [](std::uint32_t a, float b) { return static_cast<float>(a) == b; }));
            }
            QVERIFY(!sizes.notANumber);
            compareLens(*inside->lens, exact["lens"].toArray(), type == KvCacheType::F32, tolerance);
            if (request.experts && type == KvCacheType::F32) {
                compareExperts(*inside->experts, exact["experts"].toObject());
            }
            const QJsonObject lengths = exact["lengths"].toObject();
            QCOMPARE(inside->states.size(), static_cast<std::size_t>(lengths.size()));
            for (const RecurrentSizes& state : inside->states) {
                const std::vector<float> all = numbers(lengths[QString::number(state.block)]);
                const std::size_t seen = queries * state.heads;
                QVERIFY(relativeDifference(state.lengths, std::span(all).last(seen)) < tolerance);
                const auto decays = numbers(exact["decays"].toObject()[QString::number(state.block)]);
                QVERIFY(relativeDifference(state.decays, decays) < tolerance);
            }
            compareAttention(model, text, exact["attention"].toObject(), optionsOf(text, type, batch), tolerance);
        }
    }

private:
    static void compareLens(const LogitLens& lens, const QJsonArray& exact, bool sameIds, double tolerance) {
        QCOMPARE(lens.blocks, static_cast<std::size_t>(exact.size()));
        for (std::size_t block = 0; block < lens.blocks; ++block) {
            const QJsonArray rows = exact[static_cast<qsizetype>(block)].toArray();
            QCOMPARE(lens.tokens, static_cast<std::size_t>(rows.size()));
            for (std::size_t token = 0; token < lens.tokens; ++token) {
                const QJsonObject row = rows[static_cast<qsizetype>(token)].toObject();
                const std::vector<float> ids = numbers(row["ids"]);
                const std::vector<float> probabilities = numbers(row["probabilities"]);
                QCOMPARE(lens.at(block, token).size(), ids.size());
                for (std::size_t i = 0; i < ids.size(); ++i) {
                    const LogitLens::Candidate& candidate = lens.at(block, token)[i];
                    if (sameIds) {
                        QCOMPARE(static_cast<float>(candidate.token.value), ids[i]);
                    }
                    QVERIFY(std::abs(candidate.probability - probabilities[i]) < tolerance);
                }
            }
        }
    }

    static void compareExperts(const ChosenExperts& experts, const QJsonObject& exact) {
        QCOMPARE(experts.blocks.size(), static_cast<std::size_t>(exact.size()));
        for (std::size_t i = 0; i < experts.blocks.size(); ++i) {
            const QJsonArray rows = exact[QString::number(experts.blocks[i])].toArray();
            QCOMPARE(experts.tokens, static_cast<std::size_t>(rows.size()));
            std::vector<std::uint64_t> load(experts.count);
            for (std::size_t token = 0; token < experts.tokens; ++token) {
                const QJsonObject row = rows[static_cast<qsizetype>(token)].toObject();
                const std::vector<float> ids = numbers(row["ids"]);
                const std::size_t at = (i * experts.tokens + token) * experts.used;
                for (std::size_t use = 0; use < experts.used; ++use) {
                    QCOMPARE(static_cast<float>(experts.chosen[at + use]), ids.at(use));
                    ++load[experts.chosen[at + use]];
                }
                QVERIFY(largestDifference(std::span(experts.weights).subspan(at, experts.used),
                                          numbers(row["weights"])) < 1e-5);
            }
            QCOMPARE(experts.load(i), load);
        }
    }

    static void compareAttention(const std::shared_ptr<const Model>& model, const Text& text, const QJsonObject& exact,
                                 const SessionOptions& options, double tolerance) {
        const std::size_t tokens = text.tokens.size();
        for (const QString& key : exact.keys()) {
            const std::vector<float> expected = numbers(exact[key]);
            const InsideRequest request{.attention = InsideRequest::Heads{.block = key.toULongLong()},
                                        .lastRows = true};
            const auto inside = lookInside(model, text.tokens, request, options, {});
            QVERIFY(inside);
            const AttentionMap& map = *inside->attention;
            const std::size_t queries = expected.size() / map.heads / tokens;
            QCOMPARE(map.heads * queries * tokens, expected.size());
            for (std::size_t head = 0; head < map.heads; ++head) {
                for (std::size_t query = 0; query < queries; ++query) {
                    const auto row = std::span(expected).subspan((head * queries + query) * tokens, tokens);
                    QVERIFY(largestDifference(map.row(head, tokens - queries + query), row) < tolerance);
                }
            }
        }
    }

private slots:
    void holdsInEveryModel_data() {
        QTest::addColumn<QString>("name");
        for (const QString& file : QDir(kFixtures).entryList({"*.json"})) {
            QTest::newRow(qPrintable(file.chopped(5))) << file.chopped(5);
        }
    }
    void holdsInEveryModel() {
        QFETCH(QString, name);
        const QJsonObject described = readObject(kFixtures + name + ".json");
        const auto model = openModel((kFixtures + described["file"].toString()).toStdString()).value();
        const Text text = textOf(name);
        const std::size_t count = std::min<std::size_t>(text.tokens.size(), 40);
        const std::span<const TokenId> tokens = std::span(text.tokens).first(count);
        const auto attending = insideShape(*model).value().firstAttending();
        InsideRequest request{.from = count - 2, .lastRows = true, .candidates = 3, .sizes = true};
        if (attending) {
            request.attention = InsideRequest::Heads{.block = *attending};
        }
        Progress progress;
        const auto inside = lookInside(model, tokens, request, optionsOf(text), {.progress = &progress});
        QVERIFY2(inside, inside ? "" : qPrintable(errorOf(inside.error())));
        QCOMPARE(progress.done(), progress.total());
        QVERIFY(inside->bytes > 0 && inside->bytes < kInsideBytes);

        // The lens of the last block is what the model answers.
        const auto session =
            loadForInference(model).value()->startSession({.context = static_cast<std::uint32_t>(count),
                                                           .ropeContext = text.context,
                                                           .keys = KvCacheType::F32,
                                                           .values = KvCacheType::F32,
                                                           .threads = 2});
        QVERIFY(session && (*session)->evaluate(tokens, Logits::Last, {}));
        const std::span<const float> logits = (*session)->logits(0);
        const double largest = static_cast<double>(std::ranges::max(logits));
        double sum = 0;
        for (const float logit : logits) {
            sum += std::exp(static_cast<double>(logit) - largest);
        }
        const LogitLens& lens = *inside->lens;
        const bool rounds = described.contains("rounded_kl") || toleranceIsStated(described);
        for (const LogitLens::Candidate& candidate : lens.at(lens.blocks - 1, 1)) {
            const double expected = std::exp(static_cast<double>(logits[candidate.token.value]) - largest) / sum;
            QVERIFY(std::abs(static_cast<double>(candidate.probability) - expected) < (rounds ? 0.02 : 1e-4));
        }
        QCOMPARE(lens.finalAt(lens.blocks - 1, 1).rank, 0U);
        QCOMPARE(lens.finalAt(lens.blocks - 1, 1).probability, lens.at(lens.blocks - 1, 1).front().probability);
        for (std::size_t token = 0; token < lens.tokens; ++token) {
            for (std::size_t block = 0; block < lens.blocks; ++block) {
                QVERIFY(block < lens.becomes[token] || lens.finalAt(block, token).rank == 0);
            }
            QVERIFY(lens.becomes[token] == 0 || lens.finalAt(lens.becomes[token] - 1, token).rank != 0);
        }

        const auto sumsToOne = [](std::span<const float> weights, const HeadSummary& summary) {
            return std::abs(sumOf(weights) + static_cast<double>(summary.sink) - 1) < 1e-5;
        };
        std::size_t heads = 0;
        for (const std::uint32_t ofBlock : inside->heads) {
            heads += ofBlock;
        }
        QCOMPARE(inside->rows.size(), heads);
        for (const AttentionRow& row : inside->rows) {
            QVERIFY(sumsToOne(row.weights, row.summary));
            QVERIFY(row.first + row.weights.size() == count); // reaches no later token
        }
        if (!attending) {
            QVERIFY(inside->rows.empty());
            return;
        }
        const AttentionMap& map = *inside->attention;
        for (std::size_t head = 0; head < map.heads; ++head) {
            for (std::size_t query = 0; query < count; ++query) {
                const std::span<const float> row = map.row(head, query);
                QVERIFY(sumsToOne(row, map.summaries[head * count + query]));
                QCOMPARE(sumOf(row.subspan(query + 1)), 0.0);
            }
            const AttentionRow& last = inside->rows[head]; // of the same block, which is the first that attends
            QVERIFY(std::ranges::equal(map.row(head, count - 1).subspan(last.first), last.weights));
        }
    }

private:
    static bool toleranceIsStated(const QJsonObject& described) {
        return std::ranges::any_of(described.keys(),
                                   [](const QString& key) { return key.startsWith("engine_vs_reference_with_"); });
    }

private slots:
    void summarisesHeads() {
        const std::vector<float> even(4, 0.25F);
        const HeadSummary plain = summariseHead(even, 0, false);
        QCOMPARE(plain.entropy, static_cast<float>(std::log(4.0)));
        QCOMPARE(plain.first, 0.25F);
        QCOMPARE(plain.sink, 0.0F);
        const HeadSummary later = summariseHead(even, 3, false); // a window that does not reach the first token
        QCOMPARE(later.first, 0.0F);
        const HeadSummary sunk = summariseHead(std::vector<float>{0.25F, 0.25F}, 0, true);
        QCOMPARE(sunk.sink, 0.5F);
        QCOMPARE(sunk.entropy, static_cast<float>(1.5 * std::log(2.0)));
        const HeadSummary one = summariseHead(std::vector<float>{1, 0}, 0, false);
        QCOMPARE(one.entropy, 0.0F);
    }

    void showsWhereNaNAppears_data() {
        QTest::addColumn<QString>("tensor");
        QTest::addColumn<std::size_t>("block");
        QTest::addColumn<StreamSizes::Part>("part");
        QTest::newRow("feed-forward") << "blk.1.ffn_down.weight" << std::size_t{1} << StreamSizes::Part::FeedForward;
        QTest::newRow("attention") << "blk.1.attn_output.weight" << std::size_t{1} << StreamSizes::Part::Mixer;
        QTest::newRow("embedding") << "token_embd.weight" << std::size_t{0} << StreamSizes::Part::Mixer;
    }
    void showsWhereNaNAppears() {
        QFETCH(QString, tensor);
        QFETCH(std::size_t, block);
        QFETCH(StreamSizes::Part, part);
        const auto model = withNaN(QStringLiteral("llama"), tensor.toStdString());
        std::vector<TokenId> tokens{TokenId(std::size_t{3}), TokenId(std::size_t{0}), TokenId(std::size_t{4})};
        const auto inside =
            lookInside(model, tokens, {.lastRows = true, .candidates = 2, .sizes = true}, {.threads = 1}, {});
        QVERIFY(inside);
        const auto& found = inside->sizes->notANumber;
        QVERIFY(found);
        QCOMPARE(found->block, block);
        QCOMPARE(found->part, part);
        // Only the token with the id 0 reads the NaN of the embedding; in a batch, the token before it would have it
        // too.
        QCOMPARE(found->token, std::size_t{tensor == "token_embd.weight" ? 1U : 0U});
        QVERIFY(std::isnan(inside->sizes->stream[block * 3 + found->token]));
        QVERIFY(std::isnan(inside->sizes->largest[block * 3 + found->token]));
        QVERIFY(std::isnan(inside->lens->at(inside->blocks - 1, found->token).front().probability));
        // Nothing is first then, and the lens says from where on.
        QCOMPARE(inside->lens->becomes[found->token], inside->blocks);
        QCOMPARE(inside->lens->firstNotANumber(found->token), std::optional(block));
    }

    void refusesByName_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<std::size_t>("tokens");
        QTest::addColumn<InsideRequest>("request");
        QTest::addColumn<QString>("error");
        using Heads = InsideRequest::Heads;
        const auto row = [](const char* title, const char* name, std::size_t tokens, const InsideRequest& request,
                            const char* error) {
            QTest::newRow(title) << QString::fromLatin1(name) << tokens << request << QString::fromLatin1(error);
        };
        row("no tokens", "llama", 0, {.sizes = true}, "invalid_argument prompt_without_tokens");
        row("no experts", "llama", 4, {.experts = true}, "invalid_argument no_experts");
        row("block", "llama", 4, {.attention = Heads{.block = 99}}, "invalid_argument no_such_block 99 2");
        row("head", "llama", 4, {.attention = Heads{.block = 0, .head = 99}}, "invalid_argument no_such_head 99 0 2");
        row("recurrent block", "qwen35", 4, {.attention = Heads{.block = 0}},
            "invalid_argument block_does_not_attend 0 3");
        row("recurrent model", "mamba", 4, {.attention = Heads{.block = 0}}, "invalid_argument no_block_attends");
        row("all heads of a long text", "llama", 513, {.attention = Heads{.block = 0}},
            "invalid_argument all_heads_too_long 513 512");
        row("one head of a very long text", "llama", 9'000, {.attention = Heads{.block = 0, .head = 0}},
            "invalid_argument inside_too_large 3"); // more than 300 MB
        row("a lens with all candidates", "llama", 200'000, {.candidates = 96},
            "invalid_argument inside_too_large 3"); // more than 300 MB
    }
    void refusesByName() {
        QFETCH(QString, name);
        QFETCH(std::size_t, tokens);
        QFETCH(InsideRequest, request);
        QFETCH(QString, error);
        const auto model = openFixture(name);
        const auto inside = lookInside(model, randomTokens(tokens, 60), request, {}, {});
        QVERIFY(!inside);
        QVERIFY2(errorOf(inside.error()).startsWith(error), qPrintable(errorOf(inside.error())));
    }

    void refusesEncoders() {
        const auto model = openModel(GUFO_TEST_DATA "/encoders/bert-distil.gguf").value();
        const auto inside = lookInside(model, randomTokens(4, 60), {.sizes = true}, {}, {});
        QVERIFY(!inside);
        QCOMPARE(inside.error().code, ErrorCode::NotRunnable);
    }

    // The figure that is shown is what the results take.
    void countsMemory() {
        const auto model = openFixture(QStringLiteral("qwen2moe"));
        const auto tokens = randomTokens(20, 60);
        const auto inside = lookInside(model, tokens, {.attention = InsideRequest::Heads{.block = 1}}, {}, {});
        QVERIFY(inside);
        const AttentionMap& map = *inside->attention;
        QCOMPARE(inside->bytes,
                 map.weights.size() * sizeof(float) + map.summaries.size() * sizeof(map.summaries.front()));
        QVERIFY(inside->rows.empty() && !inside->lens && !inside->experts && !inside->sizes);
    }

    // What both record is what each records alone.
    void looksIntoBoth() {
        const InsideRequest request{
            .attention = InsideRequest::Heads{.block = 1}, .candidates = 2, .experts = true, .sizes = true};
        const InsideSubject first{.model = openFixture(QStringLiteral("olmoe")), .request = request};
        const InsideSubject second{.model = openFixture(QStringLiteral("minimax-m2")), .request = request};
        const auto tokens = randomTokens(20, 60);
        Progress progress;
        const auto both = lookInsideBoth(first, second, tokens, {}, {.progress = &progress});
        QVERIFY2(both, both ? "" : qPrintable(errorOf(both.error())));
        QCOMPARE(progress.done(), progress.total());
        QCOMPARE(progress.total(), std::uint64_t{80}); // tokens, and their lens
        const std::array subjects{first, second};
        for (std::size_t i = 0; i < subjects.size(); ++i) {
            const auto alone = lookInside(subjects[i].model, tokens, request, {}, {});
            QVERIFY(alone);
            QCOMPARE((*both)[i].attention->weights, alone->attention->weights);
            QCOMPARE((*both)[i].sizes->stream, alone->sizes->stream);
            QCOMPARE((*both)[i].bytes, alone->bytes);
        }
        const AttentionMap& a = *(*both)[0].attention;
        const AttentionMap& b = *(*both)[1].attention;
        QCOMPARE(largestDifference((a - a).weights, std::vector<float>(a.weights.size())), 0.0);
        QCOMPARE(a.heads, b.heads);
        const AttentionMap difference = b - a;
        QCOMPARE(difference.row(1, 19)[7], b.row(1, 19)[7] - a.row(1, 19)[7]);
        QCOMPARE(difference.summaries[7].entropy, b.summaries[7].entropy - a.summaries[7].entropy);
        const ExpertChoices choices = compareChoices(*(*both)[0].experts, *(*both)[1].experts, 1, 19);
        QCOMPARE(choices.onlyA.size() + choices.both.size(), std::size_t{3});
        QCOMPARE(choices.onlyB.size(), choices.onlyA.size());
    }

    // Each alone would fit.
    void refusesBothIfTheyTakeTooMuch() {
        const InsideSubject subject{.model = openFixture(QStringLiteral("llama")),
                                    .request = {.attention = InsideRequest::Heads{.block = 0, .head = 0}}};
        const auto both = lookInsideBoth(subject, subject, randomTokens(6'000, 60), {}, {});
        QVERIFY(!both);
        QVERIFY2(errorOf(both.error()).startsWith("invalid_argument inside_too_large 2"),
                 qPrintable(errorOf(both.error())));
    }

    void bothCanBeCancelled() {
        std::stop_source stop;
        stop.request_stop();
        const InsideSubject subject{.model = openFixture(QStringLiteral("llama")), .request = {.candidates = 2}};
        const auto both = lookInsideBoth(subject, subject, randomTokens(30, 60), {}, {.stop = stop.get_token()});
        QVERIFY(!both);
        QCOMPARE(both.error().code, ErrorCode::Cancelled);
    }

    void canBeCancelled() {
        std::stop_source stop;
        stop.request_stop();
        const auto model = openFixture(QStringLiteral("llama"));
        const auto inside = lookInside(model, randomTokens(30, 60), {.candidates = 2}, {}, {.stop = stop.get_token()});
        QVERIFY(!inside);
        QCOMPARE(inside.error().code, ErrorCode::Cancelled);
    }
};

GUFO_TEST(TestInside)

#include "tst_inside.moc"
