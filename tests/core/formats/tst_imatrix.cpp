// Reads importance matrices of both formats, intact and with every fault.
#include "formats/imatrix/imatrix.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <limits>

using namespace gufo;
using namespace gufo::test;

namespace {

TensorInfo tensorOf(std::string_view name, std::vector<std::uint64_t> dims) {
    TensorInfo info{.name = name};
    info.shape = Shape(dims);
    return info;
}

std::vector<std::byte> floats(const std::vector<float>& values, ByteOrder order = ByteOrder::Little) {
    std::vector<std::byte> bytes(4 * values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        store(bytes.data() + 4 * i, values[i], order);
    }
    return bytes;
}

// Two matrices, the second with three experts. The middle expert was never used.
GgufBuilder imatrixFile(ByteOrder order = ByteOrder::Little) {
    GgufBuilder file(3, order);
    file.key("general.type", "imatrix").key("imatrix.datasets", std::vector<std::string>{"wiki.txt", "code.txt"});
    file.key("imatrix.chunk_count", std::uint32_t{125}).key("imatrix.chunk_size", std::uint32_t{512});
    file.tensor("blk.0.attn_q.weight.in_sum2", kF32, {4}, floats({8, 4, 0, 2}, order));
    file.tensor("blk.0.attn_q.weight.counts", kF32, {1}, floats({4}, order));
    file.tensor("blk.0.ffn_up_exps.weight.in_sum2", kF32, {2, 3}, floats({2, 4, 9, 9, 30, 60}, order));
    file.tensor("blk.0.ffn_up_exps.weight.counts", kF32, {1, 3}, floats({2, 0, 10}, order));
    return file;
}

// Builds a .dat file.
struct Legacy {
    GgufBytes bytes;
    Legacy& number(std::int32_t value) {
        bytes.number(value);
        return *this;
    }
    Legacy& text(std::string_view text) {
        bytes.number(static_cast<std::int32_t>(text.size())).text(text);
        return *this;
    }
    Legacy& entry(std::string_view name, std::int32_t calls, const std::vector<float>& values) {
        text(name).number(calls).number(static_cast<std::int32_t>(values.size()));
        for (const float value : values) {
            bytes.number(value);
        }
        return *this;
    }
    [[nodiscard]] std::vector<std::byte> take() const { return bytes.bytes; }
};

Legacy legacy() {
    Legacy file;
    file.number(2)
        .entry("blk.0.attn_q.weight", 4, {8, 4, 0, 2})
        .entry("blk.0.ffn_up_exps.weight", 2, {2, 4, 6, 8, 10, 12});
    return file;
}

Result<Imatrix> read(std::vector<std::byte> bytes, const JobContext& job = {}) {
    return Imatrix::read(std::make_shared<MemorySource>(std::move(bytes), "model.imatrix"), job);
}

using Make = std::function<std::vector<std::byte>()>;

} // namespace

class TestImatrix : public QObject {
    Q_OBJECT

private slots:
    void readsGguf_data();
    void readsGguf();
    void readsDat();
    void readsDatOfAllAges();
    void refuses_data();
    void refuses();
    void refusesCutFiles();
    void refusesBadValues_data();
    void refusesBadValues();
    void refusesAnotherModel();
    void stops();
};

void TestImatrix::readsGguf_data() {
    QTest::addColumn<bool>("bigEndian");
    QTest::newRow("little-endian") << false;
    QTest::newRow("big-endian") << true;
}

void TestImatrix::readsGguf() {
    QFETCH(bool, bigEndian);
    const auto imatrix = read(imatrixFile(bigEndian ? ByteOrder::Big : ByteOrder::Little).build());
    QVERIFY(imatrix);
    QCOMPARE(imatrix->entries(), std::size_t{2});
    QCOMPARE(imatrix->datasets(), (std::vector<std::string>{"wiki.txt", "code.txt"}));
    QCOMPARE(imatrix->chunks(), std::optional<std::uint64_t>(125));
    QVERIFY(imatrix->contains("blk.0.attn_q.weight"));
    QVERIFY(!imatrix->contains("blk.0.attn_q.weight.in_sum2"));
    const TensorInfo query = tensorOf("blk.0.attn_q.weight", {4, 7});
    QCOMPARE(*imatrix->importance(query, 0), (std::vector<float>{2, 1, 0, 0.5F}));
    // One row for each expert; none for an expert that was never used.
    const TensorInfo experts = tensorOf("blk.0.ffn_up_exps.weight", {2, 5, 3});
    QCOMPARE(*imatrix->importance(experts, 0), (std::vector<float>{1, 2}));
    QCOMPARE(*imatrix->importance(experts, 1), std::vector<float>());
    QCOMPARE(*imatrix->importance(experts, 2), (std::vector<float>{3, 6}));
    QCOMPARE(*imatrix->importance(tensorOf("output.weight", {4, 7}), 0), std::vector<float>());
}

void TestImatrix::readsDat() {
    const auto imatrix = read(legacy().number(125).text("wiki.txt").take());
    QVERIFY(imatrix);
    QCOMPARE(imatrix->entries(), std::size_t{2});
    QCOMPARE(imatrix->chunks(), std::optional<std::uint64_t>(125));
    QCOMPARE(imatrix->datasets(), std::vector<std::string>{"wiki.txt"});
    QCOMPARE(*imatrix->importance(tensorOf("blk.0.attn_q.weight", {4, 7}), 0), (std::vector<float>{2, 1, 0, 0.5F}));
    const TensorInfo experts = tensorOf("blk.0.ffn_up_exps.weight", {2, 5, 3});
    QCOMPARE(*imatrix->importance(experts, 0), (std::vector<float>{1, 2}));
    QCOMPARE(*imatrix->importance(experts, 2), (std::vector<float>{5, 6}));
    // Six columns without experts fit the same entry: the row is shared by all matrices.
    QCOMPARE(imatrix->importance(tensorOf("blk.0.ffn_up_exps.weight", {6, 5, 3}), 2)->size(), std::size_t{6});
}

void TestImatrix::readsDatOfAllAges() {
    const auto oldest = read(legacy().take()); // no chunks, no data set
    QVERIFY(oldest);
    QVERIFY(!oldest->chunks() && oldest->datasets().empty());
    QCOMPARE(read(legacy().number(3).take())->chunks(), std::optional<std::uint64_t>(3));
    // Sums are not divided if the number of calls is unknown.
    const auto uncounted = read(Legacy().number(1).entry("a.weight", 0, {3, 5}).take());
    QCOMPARE(*uncounted->importance(tensorOf("a.weight", {2, 2}), 0), (std::vector<float>{3, 5}));
}

void TestImatrix::refuses_data() {
    QTest::addColumn<Make>("make");
    QTest::addColumn<QString>("code");
    const auto row = [](const char* name, const char* code, Make make) { QTest::newRow(name) << make << code; };
    row("empty file", "empty_file", [] { return std::vector<std::byte>(); });
    row("three bytes", "truncated", [] { return std::vector<std::byte>(3); });
    row("no entries", "not_imatrix", [] { return Legacy().number(0).take(); });
    row("minus one entries", "not_imatrix", [] { return Legacy().number(-1).take(); });
    row("a billion entries", "count_too_large", [] { return Legacy().number(1'000'000'000).take(); });
    row("a text file", "count_too_large", [] {
        GgufBytes bytes;
        return bytes.text("This is some text that is no importance matrix at all.").bytes;
    });
    row("name of minus one", "string_too_long",
        [] { return Legacy().number(1).number(-1).number(1).number(1).number(0).number(0).take(); });
    row("name of two gigabytes", "string_too_long",
        [] { return Legacy().number(1).number(0x7FFFFFFF).number(1).number(1).number(0).number(0).take(); });
    row("no values", "count_too_large",
        [] { return Legacy().number(1).entry("some.weight", 1, {}).number(7).number(7).take(); });
    row("minus one values", "count_too_large",
        [] { return Legacy().number(1).text("some.weight").number(1).number(-1).number(0).take(); });
    row("two billion values", "count_too_large",
        [] { return Legacy().number(1).text("some.weight").number(1).number(0x7FFFFFFF).number(0).take(); });
    row("twice the same entry", "invalid_argument",
        [] { return Legacy().number(2).entry("some.weight", 1, {1, 2}).entry("some.weight", 1, {1, 2}).take(); });
    row("a model", "not_imatrix",
        [] { return GgufBuilder().key("general.architecture", "llama").tensor("a.weight", kF32, {4}).build(); });
    row("GGUF without counts", "invalid_argument",
        [] { return GgufBuilder().tensor("a.weight.in_sum2", kF32, {4}).build(); });
    row("GGUF of another type", "invalid_argument",
        [] { return GgufBuilder().tensor("a.weight.in_sum2", 1, {4}).tensor("a.weight.counts", kF32, {1}).build(); });
    row("GGUF of a type without a size", "not_supported", [] {
        return GgufBuilder()
            .tensorRecord("a.weight.in_sum2", 9999, {4}, 64)
            .tensor("a.weight.counts", kF32, {1})
            .build();
    });
    row("GGUF with no sums", "invalid_argument", [] {
        return GgufBuilder().tensor("a.weight.in_sum2", kF32, {0}).tensor("a.weight.counts", kF32, {1}).build();
    });
    row("GGUF with no counts in it", "invalid_argument", [] {
        return GgufBuilder().tensor("a.weight.in_sum2", kF32, {4}).tensor("a.weight.counts", kF32, {0}).build();
    });
    row("GGUF with counts that do not divide", "invalid_argument", [] {
        return GgufBuilder().tensor("a.weight.in_sum2", kF32, {4}).tensor("a.weight.counts", kF32, {3}).build();
    });
    row("GGUF cut short", "truncated", [] {
        GgufBuilder file = imatrixFile();
        file.cutTo = file.build().size() - 32;
        return file.build();
    });
    row("GGUF with a damaged header", "count_too_large", [] {
        GgufBuilder file = imatrixFile();
        file.tensorCount = 1ULL << 40U;
        return file.build();
    });
}

void TestImatrix::refuses() {
    QFETCH(Make, make);
    QFETCH(QString, code);
    const auto imatrix = read(make());
    QVERIFY(!imatrix);
    QCOMPARE(QString::fromLatin1(errorName(imatrix.error().code).data()), code);
    QCOMPARE(imatrix.error().file, std::filesystem::path("model.imatrix"));
}

// Wherever a .dat file is cut, it is refused or equals one of the older formats.
void TestImatrix::refusesCutFiles() {
    const std::vector<std::byte> whole = legacy().number(125).text("wiki.txt").take();
    const std::size_t oldest = legacy().take().size();
    for (std::size_t size = 0; size < whole.size(); ++size) {
        QCOMPARE(read({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}).has_value(), size >= oldest);
    }
}

void TestImatrix::refusesBadValues_data() {
    QTest::addColumn<float>("value");
    QTest::newRow("NaN") << std::numeric_limits<float>::quiet_NaN();
    QTest::newRow("infinity") << std::numeric_limits<float>::infinity();
    QTest::newRow("negative") << -1.0F;
}

void TestImatrix::refusesBadValues() {
    QFETCH(float, value);
    const TensorInfo tensor = tensorOf("a.weight", {2, 2});
    const auto sums = read(Legacy().number(1).entry("a.weight", 3, {1, value}).take());
    QCOMPARE(sums->importance(tensor, 0).error().code, ErrorCode::InvalidArgument);
    QCOMPARE(sums->importance(tensor, 0).error().place.name, std::string("a.weight"));
    GgufBuilder file;
    file.tensor("a.weight.in_sum2", kF32, {2}, floats({1, 2})).tensor("a.weight.counts", kF32, {1}, floats({value}));
    QCOMPARE(read(file.build())->importance(tensor, 0).error().code, ErrorCode::InvalidArgument);
}

void TestImatrix::refusesAnotherModel() {
    const auto imatrix = read(legacy().take());
    for (const auto& dims : {std::vector<std::uint64_t>{5, 7}, {2, 7}, {0, 7}, {8}, {4, 0, 9}}) {
        const TensorInfo tensor = tensorOf("blk.0.attn_q.weight", dims);
        const bool fits = dims[0] == 4;
        QCOMPARE(imatrix->check(tensor).has_value(), fits);
        QCOMPARE(imatrix->importance(tensor, 0).has_value(), fits);
    }
    QVERIFY(imatrix->check(tensorOf("blk.0.ffn_up_exps.weight", {2, 9, 3})));
    QVERIFY(!imatrix->check(tensorOf("blk.0.ffn_up_exps.weight", {2, 9, 4})));
    QVERIFY(imatrix->check(tensorOf("unknown.weight", {99})));
}

void TestImatrix::stops() {
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(read(legacy().take(), {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
}

GUFO_TEST(TestImatrix)
#include "tst_imatrix.moc"
