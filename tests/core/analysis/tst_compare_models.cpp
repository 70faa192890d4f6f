#include "analysis/compare/compare_models.h"
#include "analysis/compare/comparison_cache.h"
#include "base/mapped_file.h"
#include "document/open_model.h"
#include "support/gguf_builder.h"
#include "support/model_maker.h"
#include "support/test_unit.h"
#include "tensor/decode.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <fstream>
#include <random>
#include <set>
#include <thread>

using namespace gufo;
using namespace gufo::test;

namespace {

using Models = std::vector<std::shared_ptr<const Model>>;
using State = ComparedCell::State;

TensorMatches matched(const Models& models, std::size_t reference = 0) {
    auto matches = matchTensors(models, reference);
    return matches ? std::move(*matches) : TensorMatches();
}

std::string floatBytes(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> distribution(0, 1);
    std::string bytes(count * sizeof(float), '\0');
    for (std::size_t i = 0; i < count; ++i) {
        const float value = distribution(random);
        std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
    }
    return bytes;
}

std::filesystem::path filePath(const QTemporaryDir& folder, const char* name) {
    return std::filesystem::path(folder.path().toStdString()) / name;
}

// Writes a file with one tensor and opens it.
std::shared_ptr<const Model> write(const std::filesystem::path& path, const std::string& data) {
    GgufBuilder builder;
    builder.key("general.architecture", "llama");
    const auto* from = reinterpret_cast<const std::byte*>(data.data());
    builder.tensor("a.weight", 0, {16, data.size() / 64}, std::vector<std::byte>(from, from + data.size()));
    const auto next = path.string() + ".new"; // a mapped file must be replaced, not written to
    builder.write(next);
    // Old enough for the cache, and with a different age each time.
    static int age = 1000;
    std::filesystem::last_write_time(next, std::filesystem::file_time_type::clock::now() - std::chrono::seconds(age--));
    std::filesystem::rename(next, path);
    auto model = openModel(path);
    return model ? *model : nullptr;
}

} // namespace

class TestCompareModels : public QObject {
    Q_OBJECT

private slots:
    void rowsAndTotals() {
        const std::string q = floatBytes(64 * 64, 1);
        const std::string other = floatBytes(64 * 64, 2);
        const std::string norm = floatBytes(64, 3);
        const auto a = ModelMaker("llama")
                           .withData()
                           .tensor("blk.0.attn_q.weight", {64, 64}, TensorType::F32, q)
                           .tensor("output_norm.weight", {64}, TensorType::F32, norm)
                           .tensor("gone.weight", {64})
                           .model();
        const auto b = ModelMaker("llama")
                           .withData()
                           .tensor("layers.0.attention.wq.weight", {64, 64}, TensorType::F32, other)
                           .tensor("output_norm.weight", {64}, TensorType::F32, norm)
                           .tensor("new.weight", {64})
                           .model();
        const TensorMatches matches = matched({a, b, a});
        std::multiset<std::size_t> finished;
        const auto result =
            compareModels(matches, {.finished = [&](const ComparedRow& row) { finished.insert(row.row); }});
        QVERIFY(result);
        QCOMPARE(result->rows.size(), 4U);
        QCOMPARE(finished, (std::multiset<std::size_t>{0, 1, 2, 3}));
        const auto direct =
            compareTensors({a.get(), wholeTensor(*a, TensorIndex(0))}, {b.get(), wholeTensor(*b, TensorIndex(0))});
        const ComparedCell& cell = result->rows[0].cells[1];
        QCOMPARE(cell.state, State::Compared);
        QCOMPARE(cell.comparison.sums.ee, direct->sums.ee);
        QCOMPARE(result->rows[0].cells[0].state, State::NotCompared);
        QVERIFY(result->rows[0].cells[2].comparison.identical);
        QVERIFY(result->rows[1].cells[1].comparison.identical);
        QCOMPARE(result->rows[2].cells[1].state, State::NotCompared);

        const ComparisonTotals totals = result->totals(matches, 1);
        QCOMPARE(totals.tensors, 2U);
        QCOMPARE(totals.identical, 1U);
        QCOMPARE(totals.missing, 1U);
        QCOMPARE(totals.extra, 1U);
        QCOMPARE(totals.renamed, 1U);
        QCOMPARE(totals.weights, 64U * 64 + 64);
        QCOMPARE(totals.bytes, 4U * (64 * 64 + 64));
        QCOMPARE(totals.bitsPerWeight(), std::optional(32.0));
        QCOMPARE(totals.sums.ee, direct->sums.ee);
        QCOMPARE(totals.maximumRow, std::optional<std::size_t>(0));
        QCOMPARE(totals.sums.maximumIndex, direct->sums.maximumIndex);
        QVERIFY(!totals.same());
        const ComparisonTotals same = result->totals(matches, 2);
        QVERIFY(same.same());
        QCOMPARE(same.tensors, 3U);
        QVERIFY(!same.maximumRow);
        const ComparisonTotals attention = result->totals(matches, 1, TensorGroup::Attention);
        QCOMPARE(attention.tensors, 1U);
        QCOMPARE(attention.weights, 64U * 64);
        const ComparisonTotals ofReference = result->totals(matches, 0);
        QCOMPARE(ofReference.weights, 64U * 64 + 64 + 64);
        QCOMPARE(ofReference.tensors, 0U);
    }

    void weightedByBytes() {
        // The error is 1 in a tensor with 4 bytes for each weight, and 3 in one with 2.
        const std::string ones("\0\0\x80\x3F\0\0\x80\x3F", 8); // F32 1, 1
        const std::string twos("\0\0\0\x40\0\0\0\x40", 8);
        const std::string halfOnes("\0\x3C\0\x3C", 4); // F16 1, 1
        const std::string halfFours("\0\x44\0\x44", 4);
        const auto a = ModelMaker()
                           .withData()
                           .tensor("x", {2}, TensorType::F32, ones)
                           .tensor("y", {2}, TensorType::F16, halfOnes)
                           .model();
        const auto b = ModelMaker()
                           .withData()
                           .tensor("x", {2}, TensorType::F32, twos)
                           .tensor("y", {2}, TensorType::F16, halfFours)
                           .model();
        const TensorMatches matches = matched({a, b});
        const auto result = compareModels(matches);
        QVERIFY(result);
        const ComparisonTotals totals = result->totals(matches, 1);
        QCOMPARE(totals.byParameters.nmse, std::optional(5.0)); // (1 + 9) / 2
        QVERIFY(std::abs(*totals.byBytes.nmse - (8 * 1 + 4 * 9) / 12.0) < 1e-12);
        QVERIFY(std::abs(*totals.byBytes.mae - (8 * 1 + 4 * 3) / 12.0) < 1e-12);
        QCOMPARE(totals.byBytes.maxError, std::optional(3.0));
    }

    void whatCannotBeCompared() {
        const auto model = [](std::uint32_t type, const char* data, bool cut) {
            ModelMaker maker;
            maker.withData().tensor("known", {2}, TensorType::F16, std::string("ab\0\0", 4));
            maker.tensor("strange", {4}, TensorType::I8, std::string(data, 4));
            const auto built = maker.model();
            auto changed = std::make_shared<Model>(*built);
            changed->tensors[1].typeId = type;
            changed->owned.push_back(built);
            if (cut) {
                changed->files[0].source = nullptr;
            }
            changed->indexTensors();
            return std::shared_ptr<const Model>(changed);
        };
        const TensorMatches matches =
            matched({model(4'000'000, "abcd", false), model(4'000'000, "abcd", false), model(4'000'000, "abce", false),
                     model(4'000'001, "abcd", false), model(4'000'000, "abcd", true)});
        const auto result = compareModels(matches);
        QVERIFY(result);
        const auto& cells = result->rows[1].cells;
        QCOMPARE(cells[1].state, State::Compared);
        QVERIFY(cells[1].comparison.identical);
        QCOMPARE(cells[2].state, State::Failed);
        QCOMPARE(cells[2].error->code, ErrorCode::NotDecodable);
        QCOMPARE(cells[3].state, State::Failed);
        QCOMPARE(cells[4].state, State::Failed);
        QCOMPARE(result->rows[0].cells[4].error->code, ErrorCode::FileNotFound);
        QCOMPARE(result->totals(matches, 4).failed, 2U);
        QVERIFY(!result->totals(matches, 2).same());
        QVERIFY(result->totals(matches, 1).same());
    }

    void weightedByImportance_data() {
        QTest::addColumn<QList<quint64>>("dims");
        QTest::addColumn<QList<float>>("importances"); // by matrix and column
        QTest::addColumn<QList<float>>("reference");
        QTest::addColumn<QList<float>>("other");
        QTest::addColumn<double>("expected"); // of the first row, worked out by hand; −1: none
        using Numbers = QList<float>;
        using Shape = QList<quint64>;
        const auto row = [](const char* name, const Shape& shape, const Numbers& importance, const Numbers& a,
                            const Numbers& b,
                            double nmse) { QTest::newRow(name) << shape << importance << a << b << nmse; };
        row("errors where they matter", {2, 2}, {9, 1}, {1, 1, 1, 1}, {2, 1, 1, 1}, 9.0 / 20);
        row("errors where they do not", {2, 2}, {9, 1}, {1, 1, 1, 1}, {1, 2, 1, 1}, 1.0 / 20);
        row("identical", {2, 2}, {9, 1}, {1, 2, 3, 4}, {1, 2, 3, 4}, 0.0);
        row("no entry", {2, 2}, {}, {1, 1, 1, 1}, {2, 1, 1, 1}, -1);
        row("all zero", {2, 2}, {0, 0}, {1, 1, 1, 1}, {2, 1, 1, 1}, -1);
        row("NaN is left out", {2, 2}, {9, 1}, {1, 1, 1, 1}, {NAN, 1, 2, 1}, 9.0 / 11);
        row("the first of two experts", {2, 1, 2}, {9, 1, 1, 4}, {1, 1, 1, 1}, {2, 1, 1, 2}, 9.0 / 10);
    }
    void weightedByImportance() {
        QFETCH(QList<quint64>, dims);
        QFETCH(QList<float>, importances);
        QFETCH(QList<float>, reference);
        QFETCH(QList<float>, other);
        QFETCH(double, expected);
        const std::vector<std::uint64_t> shape(dims.begin(), dims.end());
        const std::vector<float> importance(importances.begin(), importances.end());
        const std::vector<float> a(reference.begin(), reference.end());
        const std::vector<float> b(other.begin(), other.end());
        const auto nmse = expected < 0 ? std::nullopt : std::optional(expected);
        const auto bytes = [](const std::vector<float>& values) {
            const auto* from = reinterpret_cast<const char*>(values.data());
            return std::string(from, from + values.size() * sizeof(float));
        };
        const auto model = [&](const std::vector<float>& values) {
            return ModelMaker("llama")
                .withData()
                .tensor(shape.size() > 2 ? "blk.0.ffn_up_exps.weight" : "blk.0.ffn_up.weight", shape, TensorType::F32,
                        bytes(values))
                .model();
        };
        GgufBuilder file;
        file.key("general.type", "imatrix");
        const std::string name = importance.empty() ? "other" : std::string(model(a)->tensors[0].name);
        const std::vector<float> sums = importance.empty() ? std::vector<float>{1, 1} : importance;
        const std::uint64_t matrices = sums.size() / 2;
        const auto stored = [](const std::vector<float>& values) {
            const auto all = std::as_bytes(std::span(values));
            return std::vector<std::byte>(all.begin(), all.end());
        };
        file.tensor(name + ".in_sum2", 0, {2, matrices}, stored(sums));
        file.tensor(name + ".counts", 0, {1, matrices}, stored(std::vector<float>(matrices, 1.0F)));
        const auto imatrix = Imatrix::read(file.source());
        QVERIFY(imatrix);
        const TensorMatches matches = matched({model(a), model(b)});
        ComparisonCache cache;
        QVERIFY(compareModels(matches, {.cache = &cache}));
        const auto result = compareModels(matches, {.cache = &cache, .imatrix = &*imatrix});
        QVERIFY(result);
        const PairFigures figures = result->rows[0].cells[1].comparison.figures();
        QCOMPARE(figures.weightedNmse, nmse);
        QCOMPARE(figures.weightedSqnrDb.has_value(), nmse.value_or(0) > 0);
        QCOMPARE(result->hasImportance, nmse.has_value());
        const auto plain = compareModels(matches);
        QCOMPARE(plain->rows[0].cells[1].comparison.figures().nmse, figures.nmse); // which stays as it is
        QVERIFY(!plain->hasImportance && !plain->rows[0].cells[1].comparison.figures().weightedNmse);
        if (shape.size() == 2) {
            QCOMPARE(result->totals(matches, 1).byParameters.weightedNmse, nmse);
        }
    }

    void namesAMatrixThatCannotBeUsed() {
        const auto model = ModelMaker("llama").withData().tensor("t", {2}, TensorType::F32, floatBytes(2, 1)).model();
        GgufBuilder file;
        file.key("general.type", "imatrix");
        file.tensor("t.in_sum2", 0, {3}, std::vector<std::byte>(12))
            .tensor("t.counts", 0, {1}, std::vector<std::byte>(4));
        const auto imatrix = Imatrix::read(file.source());
        QVERIFY(imatrix);
        const auto result = compareModels(matched({model, model}), {.imatrix = &*imatrix});
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(result.error().place.name, std::string("t"));
        QCOMPARE(result.error().file, imatrix->path());
    }

    void onlyWantedRows() {
        ModelMaker maker("llama");
        maker.withData();
        for (int i = 0; i < 8; ++i) {
            maker.tensor("blk." + std::to_string(i) + ".attn_q.weight", {64, 2}, TensorType::F32);
        }
        const auto model = maker.model();
        const TensorMatches matches = matched({model, model});
        std::vector<std::size_t> finished;
        Progress progress;
        const auto result = compareModels(matches,
                                          {.finished = [&](const ComparedRow& row) { finished.push_back(row.row); },
                                           .wanted = [](const TensorMatch& row) { return *row.block % 2 == 0; }},
                                          {.progress = &progress, .threads = 1});
        QVERIFY(result);
        QCOMPARE(finished, (std::vector<std::size_t>{0, 4, 2, 6}));
        QCOMPARE(progress.total(), 4U * 128);
        QCOMPARE(progress.done(), progress.total());
        QCOMPARE(result->rows[1].cells[1].state, State::NotCompared);
    }

    void evenOrder() {
        ModelMaker maker("llama");
        for (int i = 0; i < 32; ++i) {
            for (const char* role : {"attn_q", "attn_k", "ffn_up", "ffn_down"}) {
                maker.tensor("blk." + std::to_string(i) + "." + role + ".weight", {1});
            }
        }
        const auto model = maker.model();
        const auto order = comparisonOrder(matched({model, model}));
        QCOMPARE(std::set<std::size_t>(order.begin(), order.end()).size(), 128U);
        // The first sixteen include every quarter of the blocks and every role.
        std::set<std::size_t> quarters;
        std::set<std::size_t> roles;
        for (std::size_t i = 0; i < 16; ++i) {
            quarters.insert(order[i] / 4 / 8);
            roles.insert(order[i] % 4);
        }
        QCOMPARE(quarters.size(), 4U);
        QCOMPARE(roles.size(), 4U);
    }

    void cache() {
        QTemporaryDir folder;
        const std::string data = floatBytes(1 << 20, 1);
        std::string changed = data;
        changed[1000] = static_cast<char>(changed[1000] + 1);
        const auto a = write(filePath(folder, "a.gguf"), data);
        auto b = write(filePath(folder, "b.gguf"), changed);
        QVERIFY(a && b);
        const auto store = filePath(folder, "cache");
        const auto part = [](const std::shared_ptr<const Model>& model) {
            return PartOf{model.get(), wholeTensor(*model, TensorIndex(0))};
        };
        const TensorMatches matches = matched({a, b});
        TensorComparison first;
        {
            ComparisonCache cache(store);
            QVERIFY(!cache.find(part(a), part(b)));
            const auto result = compareModels(matches, {.cache = &cache});
            QVERIFY(result);
            first = result->rows[0].cells[1].comparison;
            QVERIFY(cache.find(part(a), part(b)));
            QVERIFY(!cache.find(part(b), part(a)));
            // Nothing is read again, so there is no progress.
            Progress progress;
            QVERIFY(compareModels(matches, {.cache = &cache}, {.progress = &progress}));
            QCOMPARE(progress.total(), 0U);
        }
        ComparisonCache again(store);
        const auto known = again.find(part(a), part(b));
        QVERIFY(known);
        QCOMPARE(known->sums.ee, first.sums.ee);
        QCOMPARE(known->sums.maximumIndex, first.sums.maximumIndex);
        QCOMPARE(known->identical, false);
        QCOMPARE(known->profile.octaves.size(), first.profile.octaves.size());
        QVERIFY(first.profile.octaves.size() > 3);
        for (std::size_t i = 0; i < first.profile.octaves.size(); ++i) {
            QCOMPARE(known->profile.octaves[i].exponent, first.profile.octaves[i].exponent);
            QCOMPARE(known->profile.octaves[i].squares, first.profile.octaves[i].squares);
        }
        QCOMPARE(known->profile.errors.size(), first.profile.errors.size());
        // A different file under the same name is not found.
        changed[2000] = static_cast<char>(changed[2000] + 1);
        const auto newB = write(filePath(folder, "b.gguf"), changed);
        QVERIFY(!again.find(part(a), part(newB)));
        // … and a model that was opened before the change is no longer trusted.
        QTRY_VERIFY(!again.find(part(a), part(b)));
    }

    void youngFiles() {
        // A file that was written just now may be written again within the same tick of the clock.
        QTemporaryDir folder;
        const auto a = write(filePath(folder, "a.gguf"), floatBytes(1024, 1));
        const auto path = filePath(folder, "b.gguf");
        QVERIFY(write(path, floatBytes(1024, 2)));
        std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now());
        const auto b = openModel(path);
        QVERIFY(b);
        ComparisonCache cache;
        QVERIFY(compareModels(matched({a, *b}), {.cache = &cache}));
        QVERIFY(!cache.find({a.get(), wholeTensor(*a, TensorIndex(0))}, {b->get(), wholeTensor(**b, TensorIndex(0))}));
    }

    void damagedCache() {
        QTemporaryDir folder;
        const auto a = write(filePath(folder, "a.gguf"), floatBytes(1024, 1));
        const auto b = write(filePath(folder, "b.gguf"), floatBytes(1024, 2));
        const auto store = filePath(folder, "cache");
        const TensorMatches matches = matched({a, b});
        const PartOf partA{a.get(), wholeTensor(*a, TensorIndex(0))};
        const PartOf partB{b.get(), wholeTensor(*b, TensorIndex(0))};
        {
            ComparisonCache cache(store);
            QVERIFY(compareModels(matches, {.cache = &cache}));
        }
        const auto entry = *std::filesystem::directory_iterator(store);
        QFile file(QString::fromStdString(entry.path().string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll();
        file.close();
        const auto found = [&](const QByteArray& bytes) {
            std::ofstream(entry.path(), std::ios::binary | std::ios::trunc) << bytes.toStdString();
            ComparisonCache cache(store);
            return cache.find(partA, partB).has_value();
        };
        QVERIFY(found(whole));
        for (const int at : {0, 8, 20, 90, 150, static_cast<int>(whole.size()) - 1}) {
            QByteArray damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ 1);
            QVERIFY(!found(damaged));
        }
        for (const int length : {0, 7, 8, 100, static_cast<int>(whole.size()) - 1}) {
            QVERIFY(!found(whole.left(length)));
        }
        // If the folder cannot be made, nothing is cached and there is no error.
        ComparisonCache nowhere("/proc/nowhere");
        QVERIFY(compareModels(matches, {.cache = &nowhere}));
    }

    void fewCacheFiles() {
        QTemporaryDir folder;
        const auto store = filePath(folder, "cache");
        ComparisonCache cache(store, 2);
        const auto a = write(filePath(folder, "a.gguf"), floatBytes(1024, 1));
        for (int i = 0; i < 4; ++i) {
            const auto b = write(filePath(folder, ("b" + std::to_string(i)).c_str()), floatBytes(1024, 2));
            QVERIFY(compareModels(matched({a, b}), {.cache = &cache}));
            cache.flush();
        }
        QCOMPARE(std::distance(std::filesystem::directory_iterator(store), {}), 2);
    }

    // As when one of two compared files is saved again and again, in new files.
    void fewPairsInMemory() {
        QTemporaryDir folder;
        const auto a = write(filePath(folder, "a.gguf"), floatBytes(1024, 1));
        std::vector<std::shared_ptr<const Model>> others;
        const auto partOf = [](const std::shared_ptr<const Model>& model) {
            return PartOf{model.get(), wholeTensor(*model, TensorIndex(0))};
        };
        for (const bool isOnDisk : {false, true}) {
            ComparisonCache cache(isOnDisk ? filePath(folder, "cache") : std::filesystem::path());
            for (int i = 0; i < 40; ++i) {
                others.push_back(write(filePath(folder, ("b" + std::to_string(i)).c_str()), floatBytes(1024, 2)));
                QVERIFY(compareModels(matched({a, others.back()}), {.cache = &cache}));
                QVERIFY(cache.find(partOf(a), partOf(others.front())).has_value()); // it is used all the time
            }
            QCOMPARE(cache.find(partOf(a), partOf(others[2])).has_value(), isOnDisk); // the oldest of the others
            QVERIFY(cache.find(partOf(a), partOf(others.back())).has_value());
            others.clear();
        }
    }

    void cancelsWithin100Milliseconds_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<bool>("atWork");
        QTest::newRow("identical") << static_cast<int>(TensorType::F16) << true;
        QTest::newRow("quantised") << static_cast<int>(TensorType::Q8_0) << true;
        QTest::newRow("doubles") << static_cast<int>(TensorType::F64) << true;
        QTest::newRow("at once") << static_cast<int>(TensorType::Q4_K) << false;
    }
    void cancelsWithin100Milliseconds() {
        QFETCH(int, type);
        QFETCH(bool, atWork);
        // Sparse files of many gigabytes.
        QTemporaryDir folder;
        const auto sparse = [&](const char* name, TensorType tensorType) {
            const std::vector<std::uint64_t> dims{32'768, 32'768};
            const std::uint64_t bytes = *rowBytes(tensorTypeFact(tensorType), dims[0]) * dims[1];
            GgufBuilder builder;
            builder.key("general.architecture", "llama");
            for (std::uint64_t i = 0; i < 8; ++i) {
                builder.tensorRecord("blk." + std::to_string(i) + ".ffn_up.weight",
                                     static_cast<std::uint32_t>(tensorType), dims, i * bytes);
            }
            const auto path = filePath(folder, name);
            builder.write(path);
            std::filesystem::resize_file(path, (std::filesystem::file_size(path) + 31) / 32 * 32 + 8 * bytes);
            auto model = openModel(path);
            return model ? *model : nullptr;
        };
        const auto a = sparse("a.gguf", TensorType::F16);
        const auto b = sparse("b.gguf", static_cast<TensorType>(type));
        QVERIFY(a && b && b->tensors[7].complete());
        const TensorMatches matches = matched({a, b});
        std::stop_source stop;
        Progress progress;
        QElapsedTimer sinceStop;
        std::jthread stopper([&] {
            while (atWork && progress.done() == 0) {
                std::this_thread::yield();
            }
            sinceStop.start();
            stop.request_stop();
        });
        const auto result = compareModels(matches, {}, {.stop = stop.get_token(), .progress = &progress});
        const qint64 waited = sinceStop.elapsed();
        stopper.join();
        QVERIFY(!result && result.error().code == ErrorCode::Cancelled);
        QVERIFY2(waited < 100, qPrintable(QString::number(waited)));
    }
};

GUFO_TEST(TestCompareModels)
#include "tst_compare_models.moc"
