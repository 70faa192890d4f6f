#include "formats/gguf/read/reader.h"
#include "formats/imatrix/imatrix_writer.h"
#include "quantize/imatrix_coverage.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <memory>
#include <stop_token>

using namespace gufo;
using namespace gufo::test;

namespace {

ImatrixContents contents() {
    ImatrixContents contents{.datasets = {"a.txt", "b.txt"}, .chunks = 7, .chunkSize = 512};
    contents.entries = {
        {.name = "blk.0.attn_q.weight", .columns = 4, .sums = {1, 5, 2, 2}, .counts = {10}},
        {.name = "blk.0.ffn_up_exps.weight", .columns = 2, .sums = {1, 2, 0, 0, 3, 4}, .counts = {3, 0, 7}},
        {.name = "blk.1.attn_q.weight", .columns = 4, .sums = {0, 0, 0, 0}, .counts = {10}},
    };
    return contents;
}

std::vector<std::byte> floatBytes(const std::vector<float>& values) {
    std::vector<std::byte> bytes(4 * values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        store(bytes.data() + 4 * i, values[i]);
    }
    return bytes;
}

// The source is on the heap, because GCC 12 warns without cause about one that is inlined.
std::stop_token stopped() {
    const auto source = std::make_unique<std::stop_source>();
    source->request_stop();
    return source->get_token();
}

} // namespace

class TestImatrixCoverage : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        m_path = m_folder.filePath("matrix.gguf").toStdString();
        QVERIFY(writeImatrix(contents(), std::nullopt, m_path));
    }

    void countsExpertsAndChannels() {
        const auto imatrix = Imatrix::open(m_path);
        QVERIFY(imatrix);
        QCOMPARE((*imatrix)->names().size(), std::size_t{3});
        const auto rows = imatrixCoverage(**imatrix, {});
        QVERIFY(rows);
        QCOMPARE(rows->size(), std::size_t{3});
        const ImatrixRow& query = (*rows)[0];
        QCOMPARE(query.tensor, std::string("blk.0.attn_q.weight"));
        QCOMPARE(query.columns, std::uint64_t{4});
        QCOMPARE(query.used(), std::uint64_t{1});
        QCOMPARE(query.top.size(), std::size_t{4});
        QCOMPARE(query.top[0].column, std::uint64_t{1});
        QCOMPARE(query.top[0].share, 0.5);
        QCOMPARE(query.top[1].column, std::uint64_t{2}); // equal shares are in the order of columns
        QCOMPARE(query.top[2].column, std::uint64_t{3});
        const ImatrixRow& experts = (*rows)[1];
        QVERIFY(experts.counts == (std::vector<double>{3, 0, 7}));
        QCOMPARE(experts.columns, std::uint64_t{2});
        QCOMPARE(experts.used(), std::uint64_t{2});
        QCOMPARE(experts.rows(), 10.0);
        QCOMPARE(experts.top[0].column, std::uint64_t{1}); // of all experts together
        QCOMPARE(experts.top[0].share, 0.6);
        QVERIFY((*rows)[2].top.empty()); // there is nothing to share
        QCOMPARE(imatrixCoverage(**imatrix, {.stop = stopped()}).error().code, ErrorCode::Cancelled);
    }

    void findsPartners() {
        const auto imatrix = Imatrix::open(m_path);
        QVERIFY(imatrix);
        test::GgufBuilder file;
        file.key("general.architecture", "llama");
        file.tensor("token_embd.weight", kF32, {4, 8})           // not of a block
            .tensor("blk.0.attn_q.weight", kF32, {4, 3})         // fits
            .tensor("blk.0.attn_norm.weight", kF32, {4})         // no matrix
            .tensor("blk.0.ffn_gate_inp.weight", kF32, {4, 3})   // stays a float
            .tensor("blk.0.ffn_up_exps.weight", kF32, {2, 2, 4}) // another number of experts
            .tensor("blk.0.attn_v.weight", kF32, {4, 3})
            .tensor("blk.0.attn_k.weight", kF32, {4, 3});
        const auto read = gguf::read(file.source());
        QVERIFY(read);
        const Model& model = **read;
        const auto partners = imatrixPartners(**imatrix, model, {});
        QVERIFY(partners);
        QVERIFY(partners->withoutEntry == (std::vector<std::string>{"blk.0.attn_k.weight", "blk.0.attn_v.weight"}));
        QVERIFY(partners->withoutTensor == std::vector<std::string>{"blk.1.attn_q.weight"});
        QVERIFY(partners->otherShape == std::vector<std::string>{"blk.0.ffn_up_exps.weight"});
        QVERIFY(partners->withoutValues.empty());
        QVERIFY(!partners->fit());
        QCOMPARE(imatrixPartners(**imatrix, model, {.stop = stopped()}).error().code, ErrorCode::Cancelled);
    }

    // What was collected for a fused matrix applies to its parts, and what was collected for a part to the fused one.
    void takesOtherConversions_data() {
        QTest::addColumn<std::string>("entry");
        QTest::addColumn<std::string>("tensor");
        QTest::addColumn<bool>("sound");
        QTest::newRow("fused for query") << std::string("blk.0.attn_qkv.weight") << std::string("blk.0.attn_q.weight")
                                         << true;
        QTest::newRow("fused for value") << std::string("blk.0.attn_qkv.weight") << std::string("blk.0.attn_v.weight")
                                         << true;
        QTest::newRow("query for fused") << std::string("blk.0.attn_q.weight") << std::string("blk.0.attn_qkv.weight")
                                         << true;
        QTest::newRow("gate and up for gate")
            << std::string("blk.0.ffn_gate_up_exps.weight") << std::string("blk.0.ffn_gate_exps.weight") << true;
        QTest::newRow("another block") << std::string("blk.1.attn_qkv.weight") << std::string("blk.0.attn_q.weight")
                                       << false;
        QTest::newRow("other inputs") << std::string("blk.0.attn_qkv.weight") << std::string("blk.0.attn_output.weight")
                                      << false;
    }
    void takesOtherConversions() {
        QFETCH(std::string, entry);
        QFETCH(std::string, tensor);
        QFETCH(bool, sound);
        test::GgufBuilder matrix;
        matrix.key("general.type", "imatrix").tensor(entry + ".in_sum2", kF32, {4}, floatBytes({1, 2, 3, 4}));
        matrix.tensor(entry + ".counts", kF32, {1}, floatBytes({1}));
        const auto path = m_folder.filePath("conversion.gguf").toStdString();
        matrix.write(path);
        const auto imatrix = Imatrix::open(path);
        test::GgufBuilder file;
        file.key("general.architecture", "llama").tensor(tensor, kF32, {4, 3});
        const auto model = gguf::read(file.source());
        QVERIFY(imatrix && model);
        const auto use = importanceUse(**imatrix, **model, {TensorIndex(0)});
        QCOMPARE(use.has_value(), sound); // otherwise it fits nothing
        if (sound) {
            QCOMPARE(use->used, std::size_t{1});
            QVERIFY(use->borrowed == std::vector<std::string>{tensor} && use->without.empty());
            QVERIFY((*imatrix)->importance((*model)->tensor(TensorIndex(0)), 0) == (std::vector<float>{1, 2, 3, 4}));
            QVERIFY(imatrixPartners(**imatrix, **model, {})->fit());
        }
    }

    // The page and the plan of a quantisation agree about every tensor.
    void agreesWithQuantisation_data() {
        QTest::addColumn<std::string>("tensor");
        QTest::addColumn<std::vector<float>>("sums"); // empty: no entry
        QTest::addColumn<std::vector<float>>("counts");
        QTest::addColumn<bool>("hasEntry"); // what the page says
        QTest::addColumn<bool>("hasValues");
        QTest::addColumn<QString>("use"); // what the plan says
        const std::string query = "blk.0.attn_q.weight";
        const std::string experts = "blk.0.ffn_up_exps.weight";
        QTest::newRow("given") << query << std::vector<float>{1, 2, 3, 4} << std::vector<float>{2} << true << true
                               << "used";
        QTest::newRow("no entry") << query << std::vector<float>{} << std::vector<float>{} << false << true
                                  << "without";
        QTest::newRow("zeros") << query << std::vector<float>{0, 0, 0, 0} << std::vector<float>{2} << true << false
                               << "without";
        QTest::newRow("no token") << query << std::vector<float>{1, 2, 3, 4} << std::vector<float>{0} << true << false
                                  << "without";
        QTest::newRow("half") << query << std::vector<float>{0, 0, 3, 4} << std::vector<float>{2} << true << true
                              << "used";
        QTest::newRow("all experts") << experts << std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}
                                     << std::vector<float>{1, 1} << true << true << "used";
        QTest::newRow("one expert") << experts << std::vector<float>{1, 2, 3, 4, 0, 0, 0, 0} << std::vector<float>{1, 0}
                                    << true << true << "used partly";
        QTest::newRow("no expert") << experts << std::vector<float>(8) << std::vector<float>{0, 0} << true << false
                                   << "without";
        QTest::newRow("embedding") << std::string("token_embd.weight") << std::vector<float>{} << std::vector<float>{}
                                   << true << true << "";
        QTest::newRow("output") << std::string("output.weight") << std::vector<float>{} << std::vector<float>{} << true
                                << true << "";
        QTest::newRow("output with an entry") << std::string("output.weight") << std::vector<float>{1, 2, 3, 4}
                                              << std::vector<float>{1} << true << true << "used";
        QTest::newRow("block of an encoder") << std::string("enc.blk.0.attn_q.weight") << std::vector<float>{}
                                             << std::vector<float>{} << false << true << "without";
    }
    void agreesWithQuantisation() {
        QFETCH(std::string, tensor);
        QFETCH(std::vector<float>, sums);
        QFETCH(std::vector<float>, counts);
        QFETCH(bool, hasEntry);
        QFETCH(bool, hasValues);
        QFETCH(QString, use);
        test::GgufBuilder matrix;
        matrix.key("general.type", "imatrix");
        const auto add = [&](const std::string& name, const std::vector<float>& values,
                             const std::vector<float>& each) {
            const std::uint64_t matrices = each.size();
            matrix.tensor(name + ".in_sum2", kF32, {values.size() / matrices, matrices}, floatBytes(values));
            matrix.tensor(name + ".counts", kF32, {1, matrices}, floatBytes(each));
        };
        add("blk.9.attn_k.weight", {1, 1, 1, 1}, {1});
        if (!sums.empty()) {
            add(tensor, sums, counts);
        }
        const auto imatrix = Imatrix::read(matrix.source());
        QVERIFY(imatrix);
        const std::vector<std::uint64_t> shape =
            counts.size() > 1 ? std::vector<std::uint64_t>{4, 2, 2} : std::vector<std::uint64_t>{4, 3};
        test::GgufBuilder file;
        file.key("general.architecture", "llama");
        file.tensor(tensor, kF32, shape).tensor("blk.9.attn_k.weight", kF32, {4, 3});
        const auto model = gguf::read(file.source());
        QVERIFY(model);
        const auto partners = imatrixPartners(*imatrix, **model, {});
        QVERIFY(partners);
        const std::vector<std::string> only{tensor};
        QCOMPARE(partners->withoutEntry == only, !hasEntry);
        QCOMPARE(partners->withoutValues == only, !hasValues);
        QCOMPARE(partners->fit(), hasEntry && hasValues);
        const auto given = importanceUse(*imatrix, **model, {TensorIndex(0)});
        QVERIFY(given);
        QCOMPARE(given->used, use.contains("used") ? std::size_t{1} : std::size_t{0});
        QCOMPARE(given->partly == only, use.contains("partly"));
        QCOMPARE(given->without == only, use == "without");
    }

    void namesWhatIsWrongWithTheMatrix_data() {
        QTest::addColumn<std::string>("tensor");
        QTest::addColumn<float>("value");
        QTest::addColumn<std::uint64_t>("columns");
        QTest::addColumn<QString>("reason");
        const std::string query = "blk.0.attn_q.weight";
        QTest::newRow("NaN") << query << NAN << std::uint64_t{4} << "imatrix_bad_value";
        QTest::newRow("infinite") << query << INFINITY << std::uint64_t{4} << "imatrix_bad_value";
        QTest::newRow("negative") << query << -1.0F << std::uint64_t{4} << "imatrix_bad_value";
        QTest::newRow("short") << query << 1.0F << std::uint64_t{3} << "imatrix_other_model 3 4";
        QTest::newRow("other names") << std::string("x.attn_q.weight") << 1.0F << std::uint64_t{4}
                                     << "imatrix_fits_nothing 1 x.attn_q.weight";
    }
    void namesWhatIsWrongWithTheMatrix() {
        QFETCH(std::string, tensor);
        QFETCH(float, value);
        QFETCH(std::uint64_t, columns);
        QFETCH(QString, reason);
        std::vector<float> sums(columns, 1.0F);
        sums.back() = value;
        test::GgufBuilder matrix;
        matrix.key("general.type", "imatrix").tensor(tensor + ".in_sum2", kF32, {columns}, floatBytes(sums));
        matrix.tensor(tensor + ".counts", kF32, {1}, floatBytes({1}));
        const auto path = m_folder.filePath("wrong.gguf").toStdString();
        matrix.write(path);
        const auto imatrix = Imatrix::open(path);
        QVERIFY(imatrix);
        test::GgufBuilder file;
        file.key("general.architecture", "llama").tensor("blk.0.attn_q.weight", kF32, {4, 3});
        const auto model = gguf::read(file.source());
        QVERIFY(model);
        const auto use = importanceUse(**imatrix, **model, {TensorIndex(0)});
        QVERIFY(!use);
        QCOMPARE(use.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(use.error().file, std::filesystem::path(path));
        QCOMPARE(QString::fromStdString(use.error().args.front().text()), reason);
        QCOMPARE(use.error().place.name, reason.startsWith("imatrix_fits") ? std::string() : tensor);
        if (!reason.startsWith("imatrix_fits")) {
            QCOMPARE(importanceUse(**imatrix, **model, {TensorIndex(0)}, {.stop = stopped()}).error().code,
                     ErrorCode::Cancelled);
        }
    }

    void refusesBadValues_data() {
        QTest::addColumn<float>("sum");
        QTest::addColumn<float>("count");
        QTest::addColumn<bool>("good");
        QTest::newRow("good") << 1.0F << 2.0F << true;
        QTest::newRow("negative sum") << -1.0F << 2.0F << false;
        QTest::newRow("sum is no number") << NAN << 2.0F << false;
        QTest::newRow("negative count") << 1.0F << -2.0F << false;
        QTest::newRow("infinite count") << 1.0F << INFINITY << false;
    }
    void refusesBadValues() {
        QFETCH(float, sum);
        QFETCH(float, count);
        QFETCH(bool, good);
        const auto bytes = [](float value) {
            std::vector<std::byte> four(4);
            store(four.data(), value);
            return four;
        };
        test::GgufBuilder file;
        file.key("general.type", "imatrix");
        file.tensor("x.in_sum2", kF32, {1, 1}, bytes(sum)).tensor("x.counts", kF32, {1, 1}, bytes(count));
        const auto imatrix = Imatrix::read(file.source());
        QVERIFY(imatrix);
        const auto rows = imatrixCoverage(*imatrix, {});
        QCOMPARE(rows.has_value(), good);
        if (!good) {
            QCOMPARE(rows.error().code, ErrorCode::InvalidArgument);
            QCOMPARE(rows.error().place.name, std::string("x"));
        }
    }

private:
    QTemporaryDir m_folder;
    std::filesystem::path m_path;
};

GUFO_TEST(TestImatrixCoverage)
#include "tst_imatrix_coverage.moc"
