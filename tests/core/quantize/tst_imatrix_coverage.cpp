#include "formats/gguf/read/reader.h"
#include "formats/imatrix/imatrix_writer.h"
#include "quantize/imatrix_coverage.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

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
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(imatrixCoverage(**imatrix, {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
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
        QVERIFY(!partners->fit());
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(imatrixPartners(**imatrix, model, {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
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
