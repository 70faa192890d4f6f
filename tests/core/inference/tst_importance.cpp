// Importance matrices that the engine collects, compared with the matrices of a plain forward pass in double precision.
#include "formats/imatrix/imatrix.h"
#include "inference/engine/gufo_engine.h"
#include "inference/measuring/importance.h"
#include "support/fixture_models.h"
#include "support/test_unit.h"
#include "tensor/decode.h"
#include "tensor/kernels/kernels.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>
#include <thread>

using namespace gufo;
using namespace gufo::inference;

namespace {

using Row = std::vector<double>;

// What a straightforward implementation of Llama, or of Qwen 3 with experts, multiplies its matrices by.
class PlainModel {
public:
    explicit PlainModel(const Model& model)
        : m_model(model)
        , m_arch(model.metadata.architecture()) {}

    // The sums of a chunk are added to the sums of earlier ones.
    void read(std::span<const TokenId> tokens) {
        const std::size_t width = key("embedding_length");
        std::vector<Row> stream;
        for (const TokenId token : tokens) {
            const Row& table = values("token_embd.weight");
            const auto begin = table.begin() + static_cast<std::ptrdiff_t>(token.value * width);
            stream.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(width));
        }
        for (std::size_t i = 0; i < key("block_count"); ++i) {
            m_block = "blk." + std::to_string(i) + ".";
            attend(stream);
            for (Row& x : stream) {
                const Row normed = norm(x, values(m_block + "ffn_norm.weight"));
                add(x, hasExperts() ? experts(normed) : feedForward(normed, "", 0));
            }
        }
    }

    struct Sums {
        std::vector<double> squares;
        std::vector<std::uint64_t> counts;
        std::vector<std::vector<Row>> inputs; // of each matrix, in the order of tokens
    };
    [[nodiscard]] const std::map<std::string, Sums>& sums() const { return m_sums; }

private:
    [[nodiscard]] std::size_t key(const std::string& suffix) const {
        return m_model.metadata.uint(m_arch + "." + suffix).value_or(0);
    }
    [[nodiscard]] bool hasExperts() const { return key("expert_count") != 0; }
    [[nodiscard]] double epsilon() const {
        return *asDouble(*m_model.metadata.find(m_arch + ".attention.layer_norm_rms_epsilon"));
    }

    const Row& values(const std::string& name) {
        Row& known = m_values[name];
        if (known.empty()) {
            const TensorInfo& tensor = m_model.tensor(*m_model.findTensor(name));
            std::vector<float> floats(tensor.weights());
            if (!decode(*m_model.rowsOf(tensor), 0, floats)) {
                qFatal("%s", name.c_str());
            }
            known.assign(floats.begin(), floats.end());
        }
        return known;
    }

    Row product(const std::string& role, const Row& x, std::size_t matrix = 0) {
        const std::string name = m_block + role + ".weight";
        const Row& all = values(name);
        const Shape& shape = m_model.tensor(*m_model.findTensor(name)).shape;
        Sums& sums = m_sums[name];
        sums.squares.resize(shape[0] * shape[2]);
        sums.counts.resize(shape[2]);
        sums.inputs.resize(shape[2]);
        sums.inputs[matrix].push_back(x);
        ++sums.counts[matrix];
        for (std::size_t c = 0; c < x.size(); ++c) {
            sums.squares[matrix * x.size() + c] += x[c] * x[c];
        }
        Row y(shape[1]);
        for (std::size_t r = 0; r < y.size(); ++r) {
            const auto row = all.begin() + static_cast<std::ptrdiff_t>((matrix * y.size() + r) * x.size());
            y[r] = std::inner_product(x.begin(), x.end(), row, 0.0);
        }
        return y;
    }

    static void add(Row& x, const Row& y) { std::ranges::transform(x, y, x.begin(), std::plus()); }

    [[nodiscard]] Row norm(const Row& x, const Row& weights) const {
        const double mean = std::inner_product(x.begin(), x.end(), x.begin(), 0.0) / static_cast<double>(x.size());
        Row y(x.size());
        std::ranges::transform(x, weights, y.begin(),
                               [&](double v, double w) { return v / std::sqrt(mean + epsilon()) * w; });
        return y;
    }

    // One head. Llama rotates pairs of neighbours, Qwen pairs of one element from each half.
    void rotate(Row& head, std::size_t position) const {
        const Value* stated = m_model.metadata.find(m_arch + ".rope.freq_base");
        const double base = stated != nullptr ? *asDouble(*stated) : 10'000;
        const std::size_t pairs = head.size() / 2;
        for (std::size_t i = 0; i < pairs; ++i) {
            const double angle = static_cast<double>(position) *
                                 std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(head.size()));
            double& a = m_arch == "llama" ? head[2 * i] : head[i];
            double& b = m_arch == "llama" ? head[2 * i + 1] : head[i + pairs];
            const double rotated = a * std::cos(angle) - b * std::sin(angle);
            b = a * std::sin(angle) + b * std::cos(angle);
            a = rotated;
        }
    }

    // The heads of a row, finished if they are queries or keys.
    std::vector<Row> heads(const Row& row, std::size_t count, const char* normName, std::size_t position) {
        const std::size_t length = row.size() / count;
        std::vector<Row> result;
        for (std::size_t h = 0; h < count; ++h) {
            Row head(row.begin() + static_cast<std::ptrdiff_t>(h * length),
                     row.begin() + static_cast<std::ptrdiff_t>((h + 1) * length));
            if (normName != nullptr) {
                if (const std::string name = m_block + normName; m_model.findTensor(name)) {
                    head = norm(head, values(name));
                }
                rotate(head, position);
            }
            result.push_back(std::move(head));
        }
        return result;
    }

    void attend(std::vector<Row>& stream) {
        const std::size_t count = key("attention.head_count");
        const std::size_t kvCount = key("attention.head_count_kv");
        std::vector<std::vector<Row>> keys;
        std::vector<std::vector<Row>> valueHeads;
        for (std::size_t t = 0; t < stream.size(); ++t) {
            const Row normed = norm(stream[t], values(m_block + "attn_norm.weight"));
            const auto queries = heads(product("attn_q", normed), count, "attn_q_norm.weight", t);
            keys.push_back(heads(product("attn_k", normed), kvCount, "attn_k_norm.weight", t));
            valueHeads.push_back(heads(product("attn_v", normed), kvCount, nullptr, t));
            Row attended;
            for (std::size_t h = 0; h < count; ++h) {
                const std::size_t kv = h * kvCount / count;
                Row weights;
                for (std::size_t s = 0; s <= t; ++s) {
                    weights.push_back(
                        std::inner_product(queries[h].begin(), queries[h].end(), keys[s][kv].begin(), 0.0) /
                        std::sqrt(static_cast<double>(queries[h].size())));
                }
                softmax(weights);
                Row sum(valueHeads[0][kv].size());
                for (std::size_t s = 0; s <= t; ++s) {
                    for (std::size_t i = 0; i < sum.size(); ++i) {
                        sum[i] += weights[s] * valueHeads[s][kv][i];
                    }
                }
                attended.insert(attended.end(), sum.begin(), sum.end());
            }
            add(stream[t], product("attn_output", attended));
        }
    }

    static void softmax(Row& x) {
        const double largest = *std::ranges::max_element(x);
        double sum = 0;
        for (double& v : x) {
            v = std::exp(v - largest);
            sum += v;
        }
        for (double& v : x) {
            v /= sum;
        }
    }

    Row feedForward(const Row& x, const std::string& suffix, std::size_t expert) {
        const Row gate = product("ffn_gate" + suffix, x, expert);
        Row up = product("ffn_up" + suffix, x, expert);
        std::ranges::transform(up, gate, up.begin(), [](double u, double g) { return u * g / (1 + std::exp(-g)); });
        return product("ffn_down" + suffix, up, expert);
    }

    Row experts(const Row& x) {
        Row shares = product("ffn_gate_inp", x);
        softmax(shares);
        std::vector<std::size_t> order(shares.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::sort(order, std::greater(), [&](std::size_t e) { return shares[e]; });
        order.resize(key("expert_used_count"));
        double total = 0;
        for (const std::size_t e : order) {
            total += shares[e];
        }
        Row result(x.size());
        for (const std::size_t e : order) {
            Row y = feedForward(x, "_exps", e);
            std::ranges::transform(y, y.begin(), [&](double v) { return v * shares[e] / total; });
            add(result, y);
        }
        return result;
    }

    const Model& m_model;
    std::string m_arch;
    std::string m_block;
    std::map<std::string, Row> m_values;
    std::map<std::string, Sums> m_sums;
};

constexpr std::uint32_t kChunk = 8;

// Hears what the engine multiplies besides a collector: sums it in another precision, and compares it with what a plain
// model multiplied.
class Witness final : public ProductListener {
public:
    Witness(const Model& model, const std::map<std::string, PlainModel::Sums>& exact)
        : m_model(model)
        , m_exact(exact)
        , m_collector(model) {}

    void inputs(std::span<const Factor> factors, const Input& input) override {
        m_collector.inputs(factors, input);
        for (const Factor& factor : factors) {
            const auto exact = m_exact.find(std::string(m_model.tensor(factor.tensor).name));
            if (exact == m_exact.end()) {
                continue; // of no block
            }
            std::vector<long double>& sums = m_sums[exact->first];
            sums.resize(exact->second.squares.size());
            std::size_t& seen = m_seen[{exact->first, factor.matrix}];
            for (std::size_t t = 0; t < input.tokens; ++t) {
                const std::span<const float> row(input.rows + t * input.stride, input.columns);
                compare(row, exact->second.inputs[factor.matrix].at(seen++));
                for (std::size_t c = 0; c < row.size(); ++c) {
                    const auto x = static_cast<long double>(row[c]);
                    sums[factor.matrix * input.columns + c] += x * x;
                }
            }
        }
    }

    // The largest relative difference between the collector's sums and the sums of the same activations.
    [[nodiscard]] double differenceOfSums() const {
        long double largest = 0;
        for (const ImatrixEntry& entry : m_collector.entries()) {
            const std::vector<long double>& sums = m_sums.at(entry.name);
            for (std::size_t i = 0; i < sums.size(); ++i) {
                const long double difference = std::abs(static_cast<long double>(entry.sums[i]) - sums[i]);
                largest = std::max(largest, sums[i] > 0 ? difference / sums[i] : difference);
            }
        }
        return static_cast<double>(largest);
    }
    // The largest difference of an activation from the plain model's, relative to the root mean square of its row.
    [[nodiscard]] double differenceOfActivations() const { return m_difference; }

private:
    void compare(std::span<const float> row, const Row& exact) {
        const double squares = std::inner_product(exact.begin(), exact.end(), exact.begin(), 0.0);
        const double size = std::sqrt(squares / static_cast<double>(exact.size()));
        for (std::size_t c = 0; c < row.size(); ++c) {
            m_difference = std::max(m_difference, std::abs(static_cast<double>(row[c]) - exact[c]) / size);
        }
    }

    const Model& m_model;
    const std::map<std::string, PlainModel::Sums>& m_exact;
    ImportanceCollector m_collector;
    std::map<std::string, std::vector<long double>> m_sums;
    std::map<std::pair<std::string, std::uint64_t>, std::size_t> m_seen; // tokens, by matrix
    double m_difference = 0;
};

struct Collection {
    std::shared_ptr<const Model> model;
    std::unique_ptr<Session> session;
    std::vector<TokenId> tokens;

    static Collection of(const QString& name, std::size_t tokens, std::uint32_t batch = 512) {
        const auto model = test::openFixture(name);
        const auto loaded = *loadForInference(model);
        auto session = *loaded->startSession(
            {.context = kChunk, .batch = batch, .keys = KvCacheType::F32, .values = KvCacheType::F32, .threads = 2});
        const std::uint32_t vocabulary = session->vocabulary();
        return {model, std::move(session), test::randomTokens(tokens, vocabulary)};
    }
    // The first chunks, as they are evaluated.
    [[nodiscard]] std::vector<std::vector<TokenId>> chunks(std::size_t count) const {
        std::vector<std::vector<TokenId>> all;
        for (std::size_t i = 0; i < count; ++i) {
            const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(i * kChunk);
            all.emplace_back(begin, begin + kChunk);
            all.back().front() = TokenId(1);
        }
        return all;
    }
    [[nodiscard]] Result<ImatrixContents> collect(const ImportanceSettings& settings,
                                                  const ImatrixContents* begun = nullptr,
                                                  const SaveImportance& save = {}, const JobContext& job = {}) const {
        return collectImportance(*session, *model, tokens, settings, begun, save, job);
    }
};

QByteArray bytesOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return QByteArray::fromStdString({std::istreambuf_iterator<char>(file), {}});
}

} // namespace

class TestImportance : public QObject {
    Q_OBJECT

private slots:
    void equalsDoublePrecision_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<unsigned>("batch");
        for (const char* name : {"llama", "qwen3moe"}) {
            QTest::addRow("%s, whole chunks", name) << name << 512U;
            QTest::addRow("%s, in threes", name) << name << 3U;
            QTest::addRow("%s, token by token", name) << name << 1U;
        }
    }
    void equalsDoublePrecision() {
        QFETCH(QString, name);
        QFETCH(unsigned, batch);
        for (const Isa isa : availableIsas()) {
            const ForcedKernels forced(kernelsFor(isa));
            // The remainder is shorter than a chunk and does not count.
            const Collection collection = Collection::of(name, 5 * kChunk + 3, batch);
            const auto contents = collection.collect({.chunk = kChunk, .bos = TokenId(1)});
            QVERIFY(contents);
            QCOMPARE(contents->chunks, std::uint64_t{5});
            PlainModel plain(*collection.model);
            for (const std::vector<TokenId>& chunk : collection.chunks(5)) {
                plain.read(chunk);
            }
            QCOMPARE(contents->entries.size(), plain.sums().size());
            double ofTensors = 0;
            double ofColumns = 0;
            for (const ImatrixEntry& entry : contents->entries) {
                const auto expected = plain.sums().find(entry.name);
                QVERIFY2(expected != plain.sums().end(), entry.name.c_str());
                QVERIFY2(entry.counts == expected->second.counts, entry.name.c_str());
                const std::vector<double>& exact = expected->second.squares;
                QCOMPARE(entry.sums.size(), exact.size());
                double errors = 0;
                double squares = 0;
                for (std::size_t i = 0; i < exact.size(); ++i) {
                    const double difference = entry.sums[i] - exact[i];
                    errors += difference * difference;
                    squares += exact[i] * exact[i];
                    // Relative to the column or, where it is smaller than the others, to their mean, because the
                    // activations of single columns may nearly cancel out.
                    const auto matrix = static_cast<std::ptrdiff_t>(i - i % entry.columns);
                    const auto begin = exact.begin() + matrix;
                    const double mean =
                        std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(entry.columns), 0.0) /
                        static_cast<double>(entry.columns);
                    const double size = std::max(mean, exact[i]);
                    ofColumns = std::max(ofColumns, size > 0 ? std::abs(difference) / size : std::abs(difference));
                }
                ofTensors = std::max(ofTensors, std::sqrt(errors / squares));
            }
            Witness witness(*collection.model, plain.sums());
            QVERIFY(collection.session->listen(&witness));
            for (const std::vector<TokenId>& chunk : collection.chunks(5)) {
                collection.session->truncate(0);
                QVERIFY(collection.session->evaluate(chunk, Logits::None, {}));
            }
            collection.session->listen(nullptr);
            qInfo("%s: relative difference of tensors %.1e, of a column at most %.1e; of activations at most %.1e, of "
                  "their sums %.1e",
                  std::string(isaName(isa)).c_str(), ofTensors, ofColumns, witness.differenceOfActivations(),
                  witness.differenceOfSums());
            QVERIFY(ofTensors <= 1e-6);
            // The collector adds nothing to the differences: it sums the activations that the engine
            // multiplies, to the last digits of doubles.
            QVERIFY(witness.differenceOfSums() <= 1e-12);
            // These activations are floats, and the sums that made them were rounded too: single ones differ by up to
            // 6e-6 of their row's size (2e-6 with scalar kernels). A column of an expert that is chosen for a few
            // tokens has few squares whose differences could cancel out. The difference of each is twice the difference
            // of its activation.
            QVERIFY(witness.differenceOfActivations() <= 1e-5);
            QVERIFY(ofColumns <= (isa == Isa::Scalar ? 1e-6 : 2e-6));
        }
    }

    // The sums themselves are as exact as doubles can be.
    void sumsInDoublePrecision() {
        const auto model = test::openFixture("qwen3moe");
        const TensorIndex tensor = *model->findTensor("blk.1.ffn_down_exps.weight");
        const TensorIndex other = *model->findTensor("output.weight");
        const std::size_t columns = model->tensor(tensor).shape[0];
        constexpr std::size_t kTokens = 5'000;
        const std::size_t stride = columns + 3;
        std::vector<float> rows(kTokens * stride, 1e9F);
        std::vector<long double> exact(columns);
        for (std::size_t t = 0; t < kTokens; ++t) {
            for (std::size_t c = 0; c < columns; ++c) {
                const float x = std::sin(static_cast<float>(t * columns + c)) * static_cast<float>(1 + t % 97);
                rows[t * stride + c] = x;
                exact[c] += static_cast<long double>(x) * static_cast<long double>(x);
            }
        }
        ImportanceCollector collector(*model);
        const std::vector<ProductListener::Factor> factors{{.tensor = tensor, .matrix = 3},
                                                           {.tensor = other, .matrix = 0}};
        collector.inputs(factors, {.rows = rows.data(), .stride = stride, .columns = columns, .tokens = 1'700});
        collector.inputs(
            factors,
            {.rows = rows.data() + 1'700 * stride, .stride = stride, .columns = columns, .tokens = kTokens - 1'700});
        const std::vector<ImatrixEntry> entries = collector.entries();
        QCOMPARE(entries.size(), std::size_t{1});
        QVERIFY(entries[0].counts == (std::vector<std::uint64_t>{0, 0, 0, kTokens, 0, 0, 0, 0}));
        for (std::size_t c = 0; c < entries[0].sums.size(); ++c) {
            const long double expected = c / columns == 3 ? exact[c % columns] : 0;
            QVERIFY(std::abs(static_cast<long double>(entries[0].sums[c]) - expected) <= 1e-13L * expected);
        }
    }

    // A collection that is cancelled and continued from its last saved file gives the same file as one that was not.
    // Whole chunks are saved when the collection is cancelled, without a part of the one that was cut short.
    void savesWhatItHas() {
        const Collection all = Collection::of("qwen3moe", 60 * kChunk);
        const ImportanceSettings settings{.chunk = kChunk, .saveEvery = 1000};
        std::optional<ImatrixContents> saved;
        for (bool isCancelled = false; !isCancelled;) { // again if it was faster than the other thread
            saved.reset();
            std::stop_source stop;
            Progress progress;
            const std::jthread watcher([&](const std::stop_token& done) {
                while (!done.stop_requested() && progress.done() < 3 * kChunk) {
                    std::this_thread::yield();
                }
                stop.request_stop();
            });
            const auto ended = all.collect(settings, nullptr,
                                           [&](const ImatrixContents& contents) {
                                               saved = contents;
                                               return Result<>();
                                           },
                                           {.stop = stop.get_token(), .progress = &progress});
            isCancelled = !ended && ended.error().code == ErrorCode::Cancelled;
        }
        QVERIFY(saved && saved->chunks >= 3 && saved->chunks < 60);
        const auto same = all.collect({.chunk = kChunk, .maximum = saved->chunks}, nullptr,
                                      [](const ImatrixContents&) { return Result<>(); });
        QVERIFY(same);
        QCOMPARE(saved->entries.size(), same->entries.size());
        for (std::size_t i = 0; i < same->entries.size(); ++i) {
            QVERIFY(saved->entries[i].sums == same->entries[i].sums);
            QVERIFY(saved->entries[i].counts == same->entries[i].counts);
        }
    }

    void resumes() {
        const Collection whole = Collection::of("qwen3moe", 7 * kChunk);
        const ImportanceSettings settings{.chunk = kChunk, .saveEvery = 2, .datasets = {"text.txt"}};
        const std::uint64_t origin = importanceOrigin(*whole.model, whole.tokens, settings);
        const std::filesystem::path straight = m_folder.filePath("straight.gguf").toStdString();
        const std::filesystem::path broken = m_folder.filePath("broken.gguf").toStdString();
        const auto nothing = [](const ImatrixContents&) { return Result<>(); };
        QVERIFY(writeImatrix(*whole.collect(settings, nullptr, nothing), std::nullopt, straight));

        std::stop_source stop;
        const Collection cancelled = Collection::of("qwen3moe", 7 * kChunk, 3);
        int saved = 0;
        const auto ended = cancelled.collect(settings, nullptr,
                                             [&](const ImatrixContents& contents) {
                                                 if (++saved == 2) {
                                                     stop.request_stop();
                                                 }
                                                 return writeImatrix(contents, origin, broken);
                                             },
                                             {.stop = stop.get_token()});
        QVERIFY(!ended);
        QCOMPARE(ended.error().code, ErrorCode::Cancelled);
        const auto stored = readStoredImatrix(broken);
        QVERIFY(stored);
        QCOMPARE(stored->origin, std::optional(origin));
        QCOMPARE(stored->contents.chunks, std::uint64_t{4});
        QVERIFY(bytesOf(broken) != bytesOf(straight));
        // What was saved is already an importance matrix.
        const auto partial = Imatrix::open(broken);
        QVERIFY(partial);
        QCOMPARE((*partial)->entries(), stored->contents.entries.size());

        const Collection continued = Collection::of("qwen3moe", 7 * kChunk);
        const auto rest = continued.collect(settings, &stored->contents, nothing);
        QVERIFY(rest);
        QCOMPARE(rest->chunks, std::uint64_t{7});
        QVERIFY(writeImatrix(*rest, std::nullopt, broken));
        // The batches differed too, which changes no sum here beyond what F32 holds.
        QVERIFY(readStoredImatrix(broken) && !readStoredImatrix(broken)->origin);
        const Collection again = Collection::of("qwen3moe", 7 * kChunk);
        const auto half = again.collect({.chunk = kChunk, .maximum = 4, .datasets = {"text.txt"}}, nullptr, nothing);
        QVERIFY(half && half->chunks == 4);
        QVERIFY(writeImatrix(*half, origin, broken));
        const auto read = readStoredImatrix(broken);
        QVERIFY(read);
        for (std::size_t i = 0; i < half->entries.size(); ++i) {
            QVERIFY(read->contents.entries[i].sums == half->entries[i].sums); // every bit of a double
        }
        QVERIFY(writeImatrix(*again.collect(settings, &read->contents, nothing), std::nullopt, broken));
        QVERIFY(bytesOf(broken) == bytesOf(straight));
    }

    // The file says how often each expert was used, and quantising reads it.
    void coversExperts() {
        const Collection collection = Collection::of("qwen3moe", kChunk);
        const auto contents = collection.collect({.chunk = kChunk, .datasets = {"a", "b"}});
        QVERIFY(contents);
        const std::filesystem::path path = m_folder.filePath("experts.gguf").toStdString();
        QVERIFY(writeImatrix(*contents, std::nullopt, path));
        const auto imatrix = Imatrix::open(path);
        QVERIFY(imatrix);
        QCOMPARE((*imatrix)->chunks(), std::optional<std::uint64_t>(1));
        QVERIFY((*imatrix)->datasets() == (std::vector<std::string>{"a", "b"}));
        std::size_t used = 0;
        std::size_t unused = 0;
        for (const ImatrixEntry& entry : contents->entries) {
            const TensorInfo& tensor = collection.model->tensor(*collection.model->findTensor(entry.name));
            QVERIFY((*imatrix)->check(tensor));
            QCOMPARE(entry.counts.size(), std::size_t{tensor.shape[2]});
            const std::uint64_t all = std::accumulate(entry.counts.begin(), entry.counts.end(), std::uint64_t{0});
            QCOMPARE(all, std::uint64_t{kChunk} * (entry.counts.size() > 1 ? 2 : 1)); // two experts for each token
            for (std::size_t e = 0; e < entry.counts.size(); ++e) {
                const auto importance = (*imatrix)->importance(tensor, e);
                QVERIFY(importance);
                QCOMPARE(importance->empty(), entry.counts[e] == 0);
                (importance->empty() ? unused : used) += entry.counts.size() > 1 ? 1 : 0;
                for (std::size_t c = 0; c < importance->size(); ++c) {
                    const double mean = entry.sums[e * entry.columns + c] / static_cast<double>(entry.counts[e]);
                    QVERIFY(std::abs((*importance)[c] - mean) <= 1e-6 * mean);
                }
            }
        }
        QVERIFY(used > 0 && unused > 0); // with so few tokens
        // Embedding and output are not covered.
        QVERIFY(!(*imatrix)->contains("output.weight"));
        QVERIFY(!(*imatrix)->contains("token_embd.weight"));
    }

    // No matrix of a block is left without importance, whatever the architecture does with it.
    void coversEveryMatrix_data() {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"llama", "qwen3moe", "gpt-oss", "qwen2moe", "deepseek2", "deepseek2-lite", "deepseek32"}) {
            QTest::newRow(name) << name;
        }
    }
    void coversEveryMatrix() {
        QFETCH(QString, name);
        const Collection collection = Collection::of(name, 2 * kChunk);
        const auto contents = collection.collect({.chunk = kChunk});
        QVERIFY(contents);
        std::map<std::string, const ImatrixEntry*> entries;
        for (const ImatrixEntry& entry : contents->entries) {
            entries[entry.name] = &entry;
        }
        for (const TensorInfo& tensor : collection.model->tensors) {
            if (!tensor.name.starts_with("blk.") || !tensor.name.ends_with(".weight") || tensor.shape.count() < 2) {
                continue;
            }
            const auto found = entries.find(std::string(tensor.name));
            QVERIFY2(found != entries.end(), std::string(tensor.name).c_str());
            const ImatrixEntry& entry = *found->second;
            QCOMPARE(entry.columns, tensor.shape[0]);
            const std::uint64_t rows = std::accumulate(entry.counts.begin(), entry.counts.end(), std::uint64_t{0});
            QVERIFY2(rows % (2 * kChunk) == 0 && rows > 0, entry.name.c_str());
            QVERIFY(std::ranges::any_of(entry.sums, [](double sum) { return sum > 0; }));
        }
    }

    void refuses() {
        const Collection collection = Collection::of("llama", 2 * kChunk);
        const auto shortText = collection.collect({.chunk = 3 * kChunk});
        QVERIFY(!shortText);
        QCOMPARE(shortText.error().code, ErrorCode::InvalidArgument);
        const auto other = Collection::of("qwen3moe", 2 * kChunk).collect({.chunk = kChunk});
        QVERIFY(other);
        const auto mixed = collection.collect({.chunk = kChunk}, &*other);
        QVERIFY(!mixed);
        QCOMPARE(mixed.error().code, ErrorCode::InvalidArgument);
        QVERIFY(mixed.error().place.name.starts_with("blk."));
        // A failed save ends the collection.
        const auto failed =
            collection.collect({.chunk = kChunk, .saveEvery = 1}, nullptr,
                               [](const ImatrixContents&) -> Result<> { return fail(ErrorCode::NoSpace); });
        QVERIFY(!failed);
        QCOMPARE(failed.error().code, ErrorCode::NoSpace);
        // What a collection reads has an identity of its own.
        const ImportanceSettings settings{.chunk = kChunk};
        const std::uint64_t origin = importanceOrigin(*collection.model, collection.tokens, settings);
        std::vector<TokenId> tokens = collection.tokens;
        QCOMPARE(importanceOrigin(*collection.model, tokens, settings), origin);
        QVERIFY(importanceOrigin(*collection.model, tokens, {.chunk = 2 * kChunk}) != origin);
        QVERIFY(importanceOrigin(*test::openFixture("qwen3moe"), tokens, settings) != origin);
        tokens.front() = TokenId(tokens.front().value + 1);
        QVERIFY(importanceOrigin(*collection.model, tokens, settings) != origin);
    }

    // The session is as before when the collection has ended.
    void changesNoAnswer() {
        const Collection collection = Collection::of("llama", 2 * kChunk);
        const auto logits = [&] {
            collection.session->truncate(0);
            return test::logitsOf(*collection.session, std::span(collection.tokens).first(kChunk), kChunk);
        };
        const std::vector<float> before = logits();
        QVERIFY(collection.collect({.chunk = kChunk}));
        QVERIFY(logits() == before);
    }

private:
    QTemporaryDir m_folder;
};

GUFO_TEST(TestImportance)
#include "tst_importance.moc"
