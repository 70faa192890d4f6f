// Attention of one token over the KV cache, compared with plain sums, for various numbers of threads.
#include "inference/engine/blocks/attention.h"
#include "support/sanitized.h"
#include "support/test_unit.h"

#include <QTest>

#include <atomic>
#include <cmath>
#include <cstring>
#include <random>

using namespace gufo;
using namespace gufo::inference;

namespace {

struct Task {
    std::uint32_t heads = 8;
    std::uint32_t kvHeads = 2;
    std::uint32_t keyLength = 32;
    std::uint32_t valueLength = 32;
    std::uint32_t position = 0; // of the token
    std::uint32_t window = 0;
    bool chunked = false;
    std::vector<float> sinks{};  // by head
    std::uint32_t forgotten = 0; // dropped tokens, so that slots differ from positions
    double alibi = 0;
    double cap = 0;
    KvCacheType type = KvCacheType::F32;
    std::vector<std::uint32_t> chosen{}; // positions, ascending; empty: all

    [[nodiscard]] bool latent() const { return keyLength != valueLength; } // in these tests
    [[nodiscard]] ModelShape shape() const {
        ModelShape shape;
        shape.keyLength = keyLength;
        shape.valueLength = valueLength;
        shape.queryFactor = 0.2;
        shape.alibi = alibi;
        shape.attentionCap = cap;
        shape.blocks.push_back({.heads = heads, .kvHeads = kvHeads, .window = window, .chunked = chunked});
        return shape;
    }
};

std::vector<float> drawn(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return normal(random); });
    return values;
}

// A cache and the attention over it. Constructed twice, first with a Memory that only counts.
struct Attending {
    Attention attention;
    BlockCache cache;

    static BlockCache cacheOf(Memory& memory, const Task& task, std::uint32_t size) {
        const KvLayout layout = task.latent() ? KvLayout::Rows : KvLayout::Tiles;
        const KvRows keys(memory, task.type, task.kvHeads, task.keyLength, size, layout);
        return {keys,
                task.latent() ? KvRows()
                              : KvRows(memory, task.type, task.kvHeads, task.valueLength, size, KvLayout::Rows),
                size};
    }
    Attending(Memory& memory, Team& team, const Task& task, const ModelShape& shape)
        : attention(memory, team, shape, {.keyLength = task.keyLength, .valueLength = task.valueLength},
                    task.position + task.forgotten + 1)
        , cache(cacheOf(memory, task,
                        task.window != 0 ? task.window + task.forgotten + 9 : task.position + task.forgotten + 1)) {}
};

struct Results {
    std::vector<float> out;
    std::vector<double> expected;
    std::vector<int> finished; // by KV head: how often it was finished
};

std::vector<double> plainSums(const Task& task, const ModelShape& shape, const BlockCache& cache,
                              const std::vector<float>& queries) {
    std::vector<double> out(std::size_t{task.heads} * task.valueLength);
    std::vector<float> row(std::max(task.keyLength, task.valueLength));
    std::uint32_t begin = 0;
    if (task.chunked) {
        begin = task.position / task.window * task.window;
    } else if (task.window != 0 && task.position + 1 > task.window) {
        begin = task.position + 1 - task.window;
    }
    for (std::uint32_t head = 0; head < task.heads; ++head) {
        const std::uint32_t kvHead = head / (task.heads / task.kvHeads);
        double sum = task.sinks.empty() ? 0 : std::exp(double{task.sinks[head]});
        for (std::uint32_t at = begin; at <= task.position; ++at) {
            if (!task.chosen.empty() && !std::ranges::binary_search(task.chosen, at)) {
                continue;
            }
            cache.keys.read(kvHead, cache.slotOf(at), std::span(row).first(task.keyLength));
            double score = 0;
            for (std::uint32_t j = 0; j < task.keyLength; ++j) {
                score += double{row[j]} * double{queries[std::size_t{head} * task.keyLength + j]};
            }
            score *= shape.queryFactor;
            score = task.cap > 0 ? task.cap * std::tanh(score / task.cap) : score;
            score -= task.alibi > 0 ? double{alibiSlope(head, task.heads, task.alibi)} * (task.position - at) : 0;
            const double weight = std::exp(score);
            sum += weight;
            if (!task.latent()) {
                cache.values.read(kvHead, cache.slotOf(at), std::span(row).first(task.valueLength));
            }
            for (std::uint32_t j = 0; j < task.valueLength; ++j) {
                out[std::size_t{head} * task.valueLength + j] += weight * double{row[j]};
            }
        }
        for (std::uint32_t j = 0; j < task.valueLength; ++j) {
            out[std::size_t{head} * task.valueLength + j] /= sum;
        }
    }
    return out;
}

Results attendTo(const Task& task, unsigned threads) {
    Team team(threads);
    const ModelShape shape = task.shape();
    Memory counted;
    const Attending plan(counted, team, task, shape);
    auto memory = Memory::reserve(counted);
    if (!memory) {
        qFatal("no memory");
    }
    Attending attending(*memory, team, task, shape);
    BlockCache& cache = attending.cache;
    if (task.forgotten != 0) {
        cache.forget(0, task.forgotten);
    }
    cache.extend(task.position + 1);
    const std::vector<float> numbers = drawn(10'000, 1);
    const auto writeTo = [&](std::uint32_t head, std::uint32_t at) {
        cache.keys.write(head, cache.slotOf(at), numbers.data() + (std::size_t{at} * 977 + head * 101) % 9'000);
        if (!task.latent()) {
            cache.values.write(head, cache.slotOf(at), numbers.data() + (std::size_t{at} * 733 + head * 307) % 9'000);
        }
    };
    for (std::uint32_t head = 0; head < task.kvHeads; ++head) {
        for (std::uint32_t at = cache.first(); at < task.position; ++at) {
            writeTo(head, at);
        }
    }
    const std::vector<float> wanted = drawn(std::size_t{task.heads} * task.keyLength, 2);
    std::vector<float> queries(wanted.size(), std::nanf(""));
    Results results;
    results.out.assign(std::size_t{task.heads} * task.valueLength, std::nanf(""));
    std::vector<std::atomic<int>> finished(task.kvHeads);
    const auto finish = [&](std::uint32_t head) {
        ++finished[head];
        const std::size_t size = wanted.size() / task.kvHeads;
        std::memcpy(queries.data() + head * size, wanted.data() + head * size, size * sizeof(float));
        writeTo(head, task.position);
    };
    std::vector<ChosenPositions::Word> bits(ChosenPositions::wordsFor(task.position + 1));
    const ChosenPositions chosen = task.chosen.empty() ? ChosenPositions() : ChosenPositions(bits.data(), bits.size());
    for (const std::uint32_t at : task.chosen) {
        chosen.add(0, at);
    }
    attending.attention.attend(shape.blocks[0], cache, task.position, {queries.data(), queries.size()},
                               {results.out.data(), results.out.size()}, 1,
                               {.after = nullptr, .finish = finish, .sinks = task.sinks, .chosen = chosen});
    results.finished.assign(finished.begin(), finished.end());
    results.expected = plainSums(task, shape, cache, wanted);
    return results;
}

} // namespace

Q_DECLARE_METATYPE(Task)

class TestAttention : public QObject {
    Q_OBJECT
private slots:
    void equalsPlainSumsWhateverTheTeam_data() {
        QTest::addColumn<Task>("task");
        for (const std::uint32_t position : {0U, 1U, 300U, 1023U, 1024U, 2100U}) {
            const auto name = [&](const char* what) {
                return QByteArray(what) + " at " + QByteArray::number(position);
            };
            QTest::newRow(name("groups")) << Task{.position = position};
            QTest::newRow(name("one KV head")) << Task{.heads = 7, .kvHeads = 1, .position = position};
            QTest::newRow(name("a large group")) << Task{.heads = 71, .kvHeads = 1, .position = position};
            QTest::newRow(name("a KV head each")) << Task{.kvHeads = 8, .position = position};
            QTest::newRow(name("latent"))
                << Task{.kvHeads = 1, .keyLength = 80, .valueLength = 64, .position = position};
            for (const KvCacheType type : kvCacheTypes()) {
                // Searching for the best scales of thousands of rows takes minutes with a sanitizer.
                const bool isEncodedQuickly =
                    type == KvCacheType::F32 || type == KvCacheType::F16 || type == KvCacheType::BF16;
                if (test::kSanitized && !isEncodedQuickly && position > 300) {
                    continue;
                }
                QTest::newRow(name(kvCacheTypeName(type).data())) << Task{.position = position, .type = type};
                if (position == 300 || position == 2100) { // one range, and several
                    QTest::newRow(name(("shifted " + std::string(kvCacheTypeName(type))).c_str())) << Task{
                        .keyLength = 40, .valueLength = 40, .position = position, .forgotten = 37, .type = type};
                    QTest::newRow(name(("one KV head, " + std::string(kvCacheTypeName(type))).c_str()))
                        << Task{.kvHeads = 1, .position = position, .type = type};
                }
            }
        }
        QTest::newRow("longer ranges") << Task{.heads = 32, .kvHeads = 32, .position = 2500};
        QTest::newRow("window") << Task{.position = 1700, .window = 1400};
        QTest::newRow("window of few") << Task{.position = 1700, .window = 5};
        QTest::newRow("chunk") << Task{.position = 1700, .window = 512, .chunked = true};
        QTest::newRow("first of a chunk") << Task{.position = 1536, .window = 512, .chunked = true};
        QTest::newRow("last of a chunk") << Task{.position = 1535, .window = 512, .chunked = true};
        const std::vector<float> sinks{-3, 0, 2, 5, 40, 1, -80, 0.5F};
        QTest::newRow("sinks") << Task{.position = 300, .sinks = sinks};
        QTest::newRow("sinks and ranges") << Task{.position = 1700, .sinks = sinks};
        QTest::newRow("shifted slots") << Task{.position = 1555, .forgotten = 37};
        QTest::newRow("shifted ring buffer") << Task{.position = 1700, .window = 1300, .forgotten = 37};
        // Some of the ranges have no chosen position.
        const std::vector<std::uint32_t> chosen{0, 3, 4, 5, 63, 64, 127, 128, 129, 191, 1500, 2099, 2100};
        for (const KvCacheType type : kvCacheTypes()) {
            QTest::addRow("chosen, %s", kvCacheTypeName(type).data()) << Task{
                .kvHeads = 1, .keyLength = 80, .valueLength = 64, .position = 2100, .type = type, .chosen = chosen};
        }
        QTest::newRow("chosen in few words") << Task{.position = 300, .chosen = {5, 299}};
        QTest::newRow("a single one") << Task{.position = 2100, .chosen = {1999}};
        QTest::newRow("chosen in shifted slots")
            << Task{.position = 1555, .forgotten = 37, .chosen = {2, 500, 1517, 1518}};
        QTest::newRow("ALiBi") << Task{.position = 1555, .alibi = 8};
        QTest::newRow("cap") << Task{.position = 1555, .cap = 2};
    }

    void equalsPlainSumsWhateverTheTeam() {
        QFETCH(const Task, task);
        std::vector<float> alone;
        for (const unsigned threads : {1U, 2U, 3U, 6U}) {
            const Results results = attendTo(task, threads);
            QVERIFY(std::ranges::all_of(results.finished, [](int times) { return times == 1; }));
            double largest = 0;
            for (std::size_t i = 0; i < results.out.size(); ++i) {
                const double difference = std::abs(double{results.out[i]} - results.expected[i]);
                largest = difference <= largest ? largest : difference; // NaN counts as the largest difference
            }
            // Weights and queries may be rounded to 16 bits.
            QVERIFY2(largest < (task.type == KvCacheType::F32 ? 2e-6 : 2e-3), qPrintable(QString::number(largest)));
            alone = alone.empty() ? results.out : alone;
            QVERIFY2(results.out == alone, qPrintable(QString::number(threads)));
        }
    }

    void predictsTheMostRanges() {
        for (const std::uint32_t kvHeads : {1U, 2U, 8U, 32U}) {
            for (const std::uint32_t window : {1U, 300U, 5000U, 100'000U}) {
                for (std::uint32_t position = 0; position < 70'000; position += 97) {
                    const std::uint32_t begin = position + 1 > window ? position + 1 - window : 0;
                    const AttentionDivision division(
                        {.heads = 32, .kvHeads = kvHeads, .tokens = 1, .begin = begin, .end = position + 1}, 6);
                    QVERIFY(division.ranges() <= std::max(1U, AttentionDivision::maxRanges(32, kvHeads, position + 1)));
                    std::uint32_t at = begin;
                    for (std::uint32_t i = 0; i < division.ranges(); ++i) {
                        QCOMPARE(division.range(i).begin, at);
                        QVERIFY(division.range(i).end > at);
                        at = division.range(i).end;
                    }
                    QCOMPARE(at, position + 1);
                }
            }
        }
    }
};

GUFO_TEST_APPLESS(TestAttention)
#include "tst_attention.moc"
