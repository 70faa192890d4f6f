// Checkpoints of the first versions of PyTorch, which are tar archives: parts of storages, and hostile archives. The
// file of tests/data is read by tst_pytorch.
#include "formats/pytorch/reader.h"
#include "support/gguf_builder.h"
#include "support/problem_names.h"
#include "support/tar_builder.h"
#include "support/test_unit.h"

#include <QTest>

using namespace gufo;
using namespace gufo::test;
using std::string_literals::operator""s;

namespace {

std::string text(const GgufBytes& out) { return {reinterpret_cast<const char*>(out.bytes.data()), out.bytes.size()}; }
template<typename T>
std::string rawNumber(T value) {
    GgufBytes out;
    out.number(value);
    return text(out);
}
std::string pickled(std::int32_t value) { return "\x80\x02J" + rawNumber(value) + "."; }
std::string facts(bool littleEndian = true) {
    return "\x80\x02}X\x0d\0\0\0little_endian"s + (littleEndian ? "\x88" : "\x89") + "s.";
}

// A storage of floats under key 7.
std::string storage(const std::vector<float>& values) {
    std::string bytes = "\x80\x02K\7X\3\0\0\0cpuctorch\nFloatStorage\n\x87."s + rawNumber(std::uint64_t{values.size()});
    for (const float value : values) {
        bytes += rawNumber(value);
    }
    return bytes;
}
std::string tensor(std::int32_t key, std::int32_t storageKey, const std::vector<std::uint64_t>& size,
                   const std::vector<std::uint64_t>& strides, std::uint64_t first) {
    std::string bytes = "\x80\x02J" + rawNumber(key) + "J" + rawNumber(storageKey) + "ctorch\nFloatTensor\n\x87.";
    bytes += rawNumber(static_cast<std::uint32_t>(size.size())) + rawNumber(std::uint32_t{0});
    for (const auto* numbers : {&size, &strides}) {
        for (const std::uint64_t value : *numbers) {
            bytes += rawNumber(value);
        }
    }
    return bytes + rawNumber(first);
}
// {"t": the tensor of key 1}
std::string objects() { return "\x80\x02}X\1\0\0\0tK\1Qs."s; }

TarBuilder checkpoint(const std::string& tensors = tensor(1, 7, {2, 3}, {3, 1}, 0)) {
    TarBuilder tar;
    tar.entry("sys_info", facts()).entry("pickle", objects()).entry("tensors", pickled(1) + tensors);
    tar.entry("storages", pickled(1) + storage({0, 1, 2, 3, 4, 5}));
    return tar;
}

std::vector<float> valuesOf(const Model& model) {
    const auto rows = model.rowsOf(model.tensors[0]);
    std::vector<float> values(rows ? model.tensors[0].weights() : 0);
    return rows && decode(*rows, 0, values) ? values : std::vector<float>();
}

} // namespace

class TestPytorchTar : public QObject {
    Q_OBJECT

private slots:
    void values_data();
    void values();
    void extendedHeaders();
    void otherFilesAreIgnored();
    void everyPickleIsChecked_data();
    void everyPickleIsChecked();
    void broken_data();
    void broken();
    void everyPrefix();
};

void TestPytorchTar::values_data() {
    QTest::addColumn<QByteArray>("tensor");
    QTest::addColumn<QByteArray>("parts");
    QTest::addColumn<QList<float>>("values");
    QTest::addColumn<QString>("finding");
    const auto row = [](const char* name, const std::string& bytes, const std::string& parts,
                        const QList<float>& values, const char* finding) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << QByteArray::fromStdString(parts) << values
                            << QString::fromLatin1(finding);
    };
    const std::string none = "\x80\x02].";
    // (8, 7, 2, 3): three elements of storage 7 from its third on
    const std::string part = "\x80\x02](K\x08K\7K\2K\3ta.";
    row("whole", tensor(1, 7, {2, 3}, {3, 1}, 0), none, {0, 1, 2, 3, 4, 5}, "");
    row("without a list of parts", tensor(1, 7, {6}, {1}, 0), "", {0, 1, 2, 3, 4, 5}, "");
    row("transposed", tensor(1, 7, {3, 2}, {1, 3}, 0), none, {0, 3, 1, 4, 2, 5}, "");
    row("a part of a storage", tensor(1, 8, {2}, {1}, 1), part, {3, 4}, "");
    row("past the end of a part", tensor(1, 8, {3}, {1}, 1), part, {}, "tensor_outside_storage 16");
    row("a part outside of its storage", tensor(1, 8, {1}, {1}, 0), "\x80\x02](K\x08K\7K\5K\3ta.", {},
        "tensor_not_understood t");
    row("no such storage", tensor(1, 9, {1}, {1}, 0), none, {}, "tensor_not_understood t");
    row("past the storage", tensor(1, 7, {7}, {1}, 0), none, {}, "tensor_outside_storage 28");
    row("sizes that overflow", tensor(1, 7, {~std::uint64_t{0}, 8}, {1, 1}, 0), none, {}, "tensor_not_understood t");
    row("an offset of 2^63", tensor(1, 7, {1}, {1}, std::uint64_t{1} << 63U), none, {}, "tensor_not_understood t");
    row("no such tensor", tensor(2, 7, {1}, {1}, 0), none, {}, "tensor_not_understood t");
}

void TestPytorchTar::values() {
    QFETCH(QByteArray, tensor);
    QFETCH(QByteArray, parts);
    QFETCH(QList<float>, values);
    QFETCH(QString, finding);
    TarBuilder tar = checkpoint(tensor.toStdString());
    tar[3].bytes += parts.toStdString();
    const auto model = pytorch::readTar(tar.source());
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    QCOMPARE(findingsWithArgument(**model), finding);
    if (!values.isEmpty()) {
        QCOMPARE((*model)->tensors[0].name, "t");
        QCOMPARE(valuesOf(**model), std::vector<float>(values.begin(), values.end()));
    }
    for (const TensorInfo& info : (*model)->tensors) {
        QCOMPARE(info.complete(), !values.isEmpty());
    }
}

// Extended headers give names and sizes that the headers have no room for.
void TestPytorchTar::extendedHeaders() {
    TarBuilder tar = checkpoint();
    const std::string size = std::to_string(tar[3].bytes.size());
    tar[3].size = "00000000000";
    tar[3].name = "short";
    const std::string path = "17 path=storages\n";
    tar.entries.insert(tar.entries.begin() + 3,
                       {.name = "PaxHeaders/storages",
                        .bytes = path + std::to_string(size.size() + 9) + " size=" + size + "\n",
                        .type = 'x'});
    const auto model = pytorch::readTar(tar.source());
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    QCOMPARE(valuesOf(**model), (std::vector<float>{0, 1, 2, 3, 4, 5}));
}

void TestPytorchTar::otherFilesAreIgnored() {
    TarBuilder tar = checkpoint();
    tar.entries.push_back({.name = "passwd", .bytes = "", .type = '2', .link = "/etc/passwd"});
    tar.entries.push_back({.name = "device", .bytes = "", .type = '3'});
    tar.entries.push_back({.name = "folder/", .bytes = "", .type = '5'});
    const auto model = pytorch::readTar(tar.source());
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    QCOMPARE(findingsWithArgument(**model), QString());
}

void TestPytorchTar::everyPickleIsChecked_data() {
    QTest::addColumn<int>("entry");
    for (int i = 0; i < 4; ++i) {
        QTest::newRow(checkpoint()[static_cast<std::size_t>(i)].name.c_str()) << i;
    }
}

// Python would unpickle all files, so a command may hide in each.
void TestPytorchTar::everyPickleIsChecked() {
    QFETCH(int, entry);
    TarBuilder tar = checkpoint();
    std::string& bytes = tar[static_cast<std::size_t>(entry)].bytes;
    bytes.insert(2, "cposix\nsystem\n0"); // pushed and dropped
    const auto model = pytorch::readTar(tar.source());
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    QCOMPARE(findingsWithArgument(**model), "global_dangerous posix.system");
}

void TestPytorchTar::broken_data() {
    QTest::addColumn<TarBuilder>("tar");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, auto edit, const char* error) {
        TarBuilder tar = checkpoint();
        edit(tar);
        QTest::newRow(name) << tar << error;
    };
    row("a name that leads up", [](TarBuilder& tar) { tar.entry("../x", "."); }, "malformed entry_name_unsafe ../x");
    row("an absolute name", [](TarBuilder& tar) { tar.entry("/etc/x", "."); }, "malformed entry_name_unsafe /etc/x");
    row(
        "an extended name that leads up",
        [](TarBuilder& tar) {
            tar.entries.push_back({.name = "x", .bytes = "13 path=../x\n", .type = 'x'});
            tar.entry("x", ".");
        },
        "malformed entry_name_unsafe ../x");
    row("two entries of a name", [](TarBuilder& tar) { tar.entry("pickle", "."); }, "malformed entry_twice pickle");
    row("no storages", [](TarBuilder& tar) { tar.entries.pop_back(); }, "malformed entry_missing storages");
    row(
        "a symbolic link", [](TarBuilder& tar) { tar[3] = {.name = "storages", .type = '2', .link = "/etc/passwd"}; },
        "malformed entry_not_file storages");
    row(
        "a hard link", [](TarBuilder& tar) { tar[3] = {.name = "storages", .type = '1', .link = "pickle"}; },
        "malformed entry_not_file storages");
    row(
        "a size past the end", [](TarBuilder& tar) { tar[3].size = "00000777777"; },
        "malformed entry_too_long storages 262143 1536");
    row(
        "a size of 2^63", [](TarBuilder& tar) { tar[3].size = "\x80\0\0\0\x80\0\0\0\0\0\0\0"s; },
        "malformed entry_too_long storages 9223372036854775808 1536");
    row(
        "a size of 2^80", [](TarBuilder& tar) { tar[3].size = "\x80\0\1\0\0\0\0\0\0\0\0\0"s; },
        "malformed entry_header_damaged");
    row(
        "a size that is no number", [](TarBuilder& tar) { tar[3].size = "0000000008x"; },
        "malformed entry_header_damaged");
    row("a wrong checksum", [](TarBuilder& tar) { tar[3].wrongChecksum = true; }, "malformed entry_header_damaged");
    row(
        "an extended header that lies",
        [](TarBuilder& tar) {
            tar.entries.insert(tar.entries.begin(), {.name = "x", .bytes = "99 path=x\n", .type = 'x'});
        },
        "malformed entry_header_damaged");
    row(
        "an extended size past the end",
        [](TarBuilder& tar) {
            tar.entries.insert(tar.entries.begin() + 3, {.name = "x", .bytes = "16 size=9999999\n", .type = 'x'});
        },
        "malformed entry_too_long storages 9999999 1536");
    row(
        "more storages than there are", [](TarBuilder& tar) { tar[3].bytes.replace(3, 4, rawNumber(std::int32_t{9})); },
        "truncated value 1 0");
    row(
        "a negative count", [](TarBuilder& tar) { tar[3].bytes.replace(3, 4, rawNumber(std::int32_t{-1})); },
        "malformed pickle_number");
    row(
        "elements past the end",
        [](TarBuilder& tar) { tar[3].bytes.replace(tar[3].bytes.size() - 32, 8, rawNumber(std::uint64_t{7})); },
        "truncated tensor 28 24");
    row(
        "elements that overflow",
        [](TarBuilder& tar) { tar[3].bytes.replace(tar[3].bytes.size() - 32, 8, rawNumber(~std::uint64_t{0})); },
        "truncated tensor 18446744073709551615 24");
    row(
        "a storage of no class", [](TarBuilder& tar) { tar[3].bytes = pickled(1) + "\x80\x02K\7X\3\0\0\0cpuN\x87."s; },
        "malformed pickle_stack");
    row(
        "nine dimensions",
        [](TarBuilder& tar) {
            const std::vector<std::uint64_t> ones(9, 1);
            tar[2].bytes = pickled(1) + tensor(1, 7, ones, ones, 0);
        },
        "too_many_dimensions 9 8");
    row(
        "2^32 - 1 dimensions",
        [](TarBuilder& tar) {
            std::string& bytes = tar[2].bytes;
            bytes.replace(bytes.size() - 48, 4, rawNumber(~std::uint32_t{0}));
        },
        "too_many_dimensions 4294967295 8");
    row(
        "a tensor that is cut off", [](TarBuilder& tar) { tar[2].bytes.resize(tar[2].bytes.size() - 1); },
        "truncated value 8 7");
}

void TestPytorchTar::broken() {
    QFETCH(TarBuilder, tar);
    QFETCH(QString, error);
    const auto model = pytorch::readTar(tar.source());
    QVERIFY(!model);
    QCOMPARE(errorOf(model.error()), error);
    QCOMPARE(model.error().file, std::filesystem::path("test.pt"));
}

// A torn archive is refused as long as one of its files is incomplete, and never read beyond its end.
void TestPytorchTar::everyPrefix() {
    const std::string whole = checkpoint().build();
    const std::size_t complete = whole.size() - 1024 - 512 + checkpoint()[3].bytes.size();
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const bool opens = pytorch::readTar(TarBuilder::sourceOf(whole.substr(0, size))).has_value();
        QCOMPARE(opens, size >= complete);
    }
}

GUFO_TEST(TestPytorchTar)
#include "tst_pytorch_tar.moc"
