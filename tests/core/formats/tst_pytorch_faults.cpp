// PyTorch checkpoints that are broken, end early or lie, and small ones of values that would be large: each is refused
// or cut off, and no memory is reserved on its word.
#include "container_manifest.h"
#include "formats/pytorch/reader.h"
#include "model_texts.h"
#include "pytorch_pickles.h"
#include "support/error_names.h"
#include "support/peak_memory.h"
#include "support/sanitized.h"
#include "support/test_unit.h"

#include <QFile>
#include <QTest>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::test::pickles;
namespace fs = std::filesystem;
using std::string_literals::operator""s;

class TestPytorchFaults : public QObject {
    Q_OBJECT

private slots:
    void brokenPickles_data();
    void brokenPickles();
    void bombs();
    void boundsOfThePickle_data();
    void boundsOfThePickle();
    void boundOfNames();
    void brokenArchives_data();
    void brokenArchives();
    void everyPrefix();
};

void TestPytorchFaults::brokenPickles_data() {
    QTest::addColumn<QByteArray>("pickle");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const std::string& pickle, const char* error) {
        QTest::newRow(name) << QByteArray::fromStdString(pickle) << error;
    };
    row("empty", "", "truncated value 1 0");
    row("no end", "\x80\x02}", "truncated value 1 0");
    row("nothing to return", "\x80\x02.", "malformed pickle_stack");
    row("protocol 6", "\x80\x06}.", "malformed pickle_number");
    row("an unknown opcode", "\x80\x02\xff.", "malformed pickle_opcode 255");
    row("a text past the end",
        "X\xff\xff\xff\x7f"
        "a.",
        "truncated value 2147483647 2");
    row("bytes of 2^64", "\x8e\xff\xff\xff\xff\xff\xff\xff\xff.", "truncated value 18446744073709551615 1");
    row("a frame that lies", "\x80\x04\x95\xff\0\0\0\0\0\0\0}."s, "malformed pickle_frame");
    row("a frame of 2^64", "\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\xff}.", "malformed pickle_frame");
    row("a mark that is missing", "t.", "malformed pickle_stack");
    row("below a mark", "N(\x85.", "malformed pickle_stack");
    row("a key without value", "}(Nu.", "malformed pickle_stack");
    row("an item of a number", "K\1(Ne.", "malformed pickle_stack");
    row("a memo that is missing", "h\7.", "malformed pickle_stack");
    row("a memo by text", "gx\n.", "malformed pickle_number");
    row("a number that is none", "I1x\n.", "malformed pickle_number");
    row("a line without end", "cos", "truncated value 3 2");
    row("an object of nothing", "(o.", "malformed pickle_stack");
    row("too many marks", std::string(20'000, '('), "nesting_too_deep 10000");
}

void TestPytorchFaults::brokenPickles() {
    QFETCH(QByteArray, pickle);
    QFETCH(QString, error);
    const auto model = readPickle(pickle.toStdString());
    QVERIFY(!model);
    QCOMPARE(errorOf(model.error()), error);
    QCOMPARE(model.error().file, fs::path("test.pt"));
    QVERIFY(model.error().place.offset.has_value());
}

// Small pickles of values that would be large.
void TestPytorchFaults::bombs() {
    std::string laughs = "\x80\x02](K\1K\1K\1K\1K\1K\1K\1K\1K\1K\1eq"s + '\0';
    for (char level = 1; level < 30; ++level) {
        laughs += "](";
        for (int i = 0; i < 10; ++i) {
            laughs += "h"s + static_cast<char>(level - 1);
        }
        laughs += "eq"s + level;
    }
    Result<std::shared_ptr<const Model>> cut = fail(ErrorCode::Cancelled);
    const std::uint64_t memory = peakMemoryOf([&] { cut = readPickle(laughs + "."); });
    QVERIFY(cut);
    QCOMPARE(findingsWithFirstArgument(**cut), "pickle_cut");
    QVERIFY2(kSanitized || memory < 64'000'000, qPrintable(QString::number(memory)));

    const auto cyclic = readPickle("\x80\x02]q"s + '\0' + "h"s + '\0' + "a.");
    QVERIFY(cyclic);
    QCOMPARE(findingsWithFirstArgument(**cyclic), "pickle_cut");

    std::string deep = "\x80\x02";
    for (int i = 0; i < 5'000; ++i) {
        deep += "]";
    }
    const auto nested = readPickle(deep + std::string(4'999, 'a') + ".");
    QVERIFY(nested);
    QCOMPARE(findingsWithFirstArgument(**nested), "pickle_cut");

    QCOMPARE(errorOf(readPickle("\x80\x02" + std::string(1'000'001, 'N') + ".").error()),
             "limit_exceeded values 1000001 1000000");
    std::string memo = "\x80\x02N";
    for (std::uint32_t i = 0; i < 100'000; ++i) {
        GgufBytes index;
        index.text("r").number(i * 40'000);
        memo.append(reinterpret_cast<const char*>(index.bytes.data()), index.bytes.size());
    }
    QVERIFY(readPickle(memo + "."));
}

void TestPytorchFaults::boundsOfThePickle_data() {
    QTest::addColumn<QByteArray>("pickle");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const std::string& pickle, const char* error) {
        QTest::newRow(name) << QByteArray::fromStdString("\x80\x02" + pickle + ".") << error;
    };
    const char* const values = "limit_exceeded values 1000001 1000000";
    row("a memo bomb", "N" + std::string(1'000'001, '\x94'), values);
    row(
        "a memo bomb by text",
        [] {
            std::string puts = "N";
            for (int i = 0; i < 1'000'001; ++i) {
                puts += "p" + std::to_string(i * 3 + 7) + "\n";
            }
            return puts;
        }(),
        values);
    row("a stack of copies", "N" + std::string(1'000'001, '2'), values);
    row(
        "a stack of a memo",
        [] {
            std::string gets = "Nq"s + '\0';
            for (int i = 0; i < 1'000'001; ++i) {
                gets += "h"s + '\0';
            }
            return gets;
        }(),
        values);
    row(
        "tuples of copies",
        [] {
            std::string tuples;
            for (int i = 0; i < 9; ++i) {
                tuples += "(N" + std::string(900'000, '2') + "t";
            }
            return tuples;
        }(),
        "limit_exceeded values 8000001 8000000");
    row(
        "a list of copies",
        [] {
            std::string appends = "]";
            for (int i = 0; i < 9; ++i) {
                appends += "(N" + std::string(900'000, '2') + "e";
            }
            return appends;
        }(),
        "limit_exceeded values 8000001 8000000");
}

void TestPytorchFaults::boundsOfThePickle() {
    QFETCH(QByteArray, pickle);
    QFETCH(QString, error);
    const std::string bytes = pickle.toStdString();
    Result<std::shared_ptr<const Model>> model = fail(ErrorCode::Cancelled);
    const std::uint64_t memory = peakMemoryOf([&] { model = readPickle(bytes); });
    QVERIFY(!model);
    QCOMPARE(errorOf(model.error()), error);
    QVERIFY2(kSanitized || memory < 160'000'000, qPrintable(QString::number(memory)));
}

// A tensor that a small pickle names ten thousand times, with long names.
void TestPytorchFaults::boundOfNames() {
    std::string pickle = "\x80\x02}X"s;
    GgufBytes length;
    length.number(std::uint32_t{4000});
    pickle.append(reinterpret_cast<const char*>(length.bytes.data()), length.bytes.size());
    pickle += std::string(4000, 'n') + "](" + tensor("0", 0, {2}, {1}) + "q"s + '\0';
    for (int i = 0; i < 30'000; ++i) {
        pickle += "h"s + '\0';
    }
    const auto model = readPickle(pickle + "es.");
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    QCOMPARE(findingsWithFirstArgument(**model), "pickle_cut");
    QVERIFY((*model)->tensors.size() > 10'000 && (*model)->tensors.size() < 17'000);
}

void TestPytorchFaults::brokenArchives_data() {
    QTest::addColumn<ZipBuilder>("zip");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, auto edit, const char* error) {
        ZipBuilder zip = archive(dictOf(tensor("0", 0, {6}, {1})));
        edit(zip);
        QTest::newRow(name) << zip << error;
    };
    row(
        "two entries of a name", [](ZipBuilder& zip) { zip.entry("m/data.pkl", "."); },
        "malformed entry_twice m/data.pkl");
    row(
        "a name that leads up", [](ZipBuilder& zip) { zip.entry("m/../x", "."); },
        "malformed entry_name_unsafe m/../x");
    row("an absolute name", [](ZipBuilder& zip) { zip.entry("/etc/x", "."); }, "malformed entry_name_unsafe /etc/x");
    row("a name with a drive", [](ZipBuilder& zip) { zip.entry("C:x", "."); }, "malformed entry_name_unsafe C:x");
    row("a name with backslashes", [](ZipBuilder& zip) { zip.entry("m\\x", "."); }, "malformed entry_name_unsafe m\\x");
    row("no name", [](ZipBuilder& zip) { zip.entry("", "."); }, "malformed entry_name_unsafe ");
    row(
        "a deflated pickle", [](ZipBuilder& zip) { zip.entries[0].method = 8; },
        "malformed entry_compressed m/data.pkl");
    row(
        "an encrypted pickle", [](ZipBuilder& zip) { zip.entries[0].flags = 1; },
        "malformed entry_compressed m/data.pkl");
    row(
        "another name in the entry", [](ZipBuilder& zip) { zip.entries[0].localName = "m/data.pkx"; },
        "malformed entry_headers_differ m/data.pkl");
    row(
        "another size in the entry", [](ZipBuilder& zip) { zip.entries[0].localExtraBytes = 1; },
        "malformed entry_headers_differ m/data.pkl");
    row(
        "past the end",
        [](ZipBuilder& zip) { zip.entries[0].localExtraBytes = zip.entries[0].directoryExtraBytes = 100'000; },
        "malformed entry_headers_differ m/data.pkl");
    row(
        "a deflated bomb",
        [](ZipBuilder& zip) {
            zip.entries[0].method = 8;
            zip.entries[0].directoryExtraBytes = 0x7FFFFFFF;
        },
        "malformed entry_compressed m/data.pkl");
    row(
        "another size in the directory", [](ZipBuilder& zip) { zip.entries[0].directoryExtraBytes = 1; },
        "malformed entry_headers_differ m/data.pkl");
    row(
        "a name of links", [](ZipBuilder& zip) { zip.entry("m/./../../x", "."); },
        "malformed entry_name_unsafe m/./../../x");
    row("no pickle", [](ZipBuilder& zip) { zip.entries[0].name = "m/data.pkx"; }, "malformed entry_missing data.pkl");
}

void TestPytorchFaults::brokenArchives() {
    QFETCH(ZipBuilder, zip);
    QFETCH(QString, error);
    const auto source = zip.source();
    Result<std::shared_ptr<const Model>> model = fail(ErrorCode::Cancelled);
    const std::uint64_t memory = peakMemoryOf([&] { model = pytorch::readZip(source); });
    QVERIFY(!model);
    QCOMPARE(errorOf(model.error()), error);
    QCOMPARE(model.error().file, fs::path("test.pt"));
    QVERIFY2(kSanitized || memory < 8'000'000, qPrintable(QString::number(memory))); // nothing is unpacked
}

// A torn archive is refused, and never read beyond its end.
void TestPytorchFaults::everyPrefix() {
    const auto whole = archive(dictOf(tensor("0", 0, {2, 3}, {3, 1}))).build();
    for (std::size_t size = 0; size < whole.size(); ++size) {
        QVERIFY(!pytorch::readZip(std::make_shared<MemorySource>(
            std::vector<std::byte>(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)), "test.pt")));
    }
    // A compressed storage does not hide the others.
    ZipBuilder zip = archive(dictOf(tensor("0", 0, {6}, {1})));
    zip.entries[2].method = 8;
    const auto model = pytorch::readZip(zip.source());
    QVERIFY(model);
    QCOMPARE(findingsWithFirstArgument(**model), "storage_missing 0");

    QFile file(QString::fromStdString(containerFile("pickle.pt").native()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray stream = file.readAll();
    for (qsizetype size = 0; size < stream.size(); size += 7) {
        const auto* bytes = reinterpret_cast<const std::byte*>(stream.constData());
        const auto cut =
            pytorch::readStream(std::make_shared<MemorySource>(std::vector<std::byte>(bytes, bytes + size), "test.pt"));
        QVERIFY(!cut || findingsWithFirstArgument(**cut).contains("storage_missing"));
    }
}

GUFO_TEST(TestPytorchFaults)
#include "tst_pytorch_faults.moc"
