// PyTorch checkpoints: archives, streams of pickles, views of storages, and hostile files.
#include "container_manifest.h"
#include "document/open_model.h"
#include "formats/format.h"
#include "formats/pytorch/pickle.h"
#include "formats/pytorch/reader.h"
#include "model/array_index.h"
#include "support/peak_memory.h"
#include "support/problem_names.h"
#include "support/sanitized.h"
#include "support/tensor_values.h"
#include "support/test_unit.h"
#include "support/zip_builder.h"

#include <QTemporaryDir>
#include <QTest>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;
using std::string_literals::operator""s;

namespace {

QString findingsWithFirstArgument(const Model& model) {
    QStringList names;
    for (const Finding& finding : model.findings) {
        names << text(finding.name()) +
                     (finding.args.empty() ? QString() : u' ' + QString::fromStdString(finding.args[0].text()));
    }
    return names.join(u'|');
}

QStringList stringsOf(const Model& model, std::string_view key) {
    QStringList list;
    if (const ArrayView* array = model.metadata.array(key)) {
        for (const Value& element : arrayHead(*array, array->length)) {
            list << text(asString(element).value_or("(no text)"));
        }
    }
    return list;
}

std::string shortText(const std::string& value) { return "\x8c"s + static_cast<char>(value.size()) + value; }
std::string number(std::int32_t value) {
    GgufBytes out;
    out.text("J").number(value);
    return {reinterpret_cast<const char*>(out.bytes.data()), out.bytes.size()};
}
std::string tuple(const std::vector<std::int32_t>& values) {
    std::string pickle = "(";
    for (const std::int32_t value : values) {
        pickle += number(value);
    }
    return pickle + "t";
}
// The opcodes of a tensor of floats.
std::string tensor(const std::string& key, std::int32_t offset, const std::vector<std::int32_t>& size,
                   const std::vector<std::int32_t>& strides, const std::string& storage = "torch\nFloatStorage\n") {
    return "ctorch._utils\n_rebuild_tensor_v2\n((" + shortText("storage") + "c" + storage + shortText(key) +
           shortText("cpu") + number(4) + "tQ" + number(offset) + tuple(size) + tuple(strides) +
           "\x89"
           "ccollections\nOrderedDict\n)RtR";
}
// A pickle of {"t": value}.
std::string dictOf(const std::string& value) { return "\x80\x02}" + shortText("t") + value + "s."; }

// Six floats, 0 to 5.
std::string floats() {
    GgufBytes out;
    for (int i = 0; i < 6; ++i) {
        out.number(static_cast<float>(i));
    }
    return {reinterpret_cast<const char*>(out.bytes.data()), out.bytes.size()};
}

ZipBuilder archive(const std::string& pickle) {
    ZipBuilder zip;
    zip.entry("m/data.pkl", pickle).entry("m/byteorder", "little").entry("m/data/0", floats());
    return zip;
}

// A file of these bytes that is no archive.
std::shared_ptr<const ByteSource> bareFile(const std::string& bytes) {
    const auto view = std::as_bytes(std::span(bytes));
    return std::make_shared<MemorySource>(std::vector<std::byte>(view.begin(), view.end()), "test.pt");
}

Result<std::shared_ptr<const Model>> readPickle(const std::string& pickle) {
    return pytorch::readZip(archive(pickle).source());
}

} // namespace

class TestPytorch : public QObject {
    Q_OBJECT

private slots:
    void publishedFiles_data();
    void publishedFiles();
    void hostilePickle();
    void globals_data();
    void globals();
    void globalsBeforeDamage();
    void globalsOfOtherPickles();
    void barePickles_data();
    void barePickles();
    void views_data();
    void views();
    void keys();
    void brokenPickles_data();
    void brokenPickles();
    void tensorsThatAreNotThere_data();
    void tensorsThatAreNotThere();
    void bombs();
    void boundsOfThePickle_data();
    void boundsOfThePickle();
    void boundOfNames();
    void sharedValues();
    void listsThatGrow();
    void brokenArchives_data();
    void brokenArchives();
    void everyPrefix();
    void largeArchive();
    void shardList();
    void listsThatLeadElsewhere();
    void cancelled();
};

void TestPytorch::publishedFiles_data() {
    QTest::addColumn<QString>("name");
    const QJsonObject manifest = containerManifest();
    for (const QString& name : manifest.keys()) {
        if (!name.endsWith(QStringLiteral(".safetensors")) && manifest[name].isArray()) {
            QTest::newRow(qPrintable(name)) << name;
        }
    }
}

void TestPytorch::publishedFiles() {
    QFETCH(QString, name);
    const auto model = openModel(containerFile(name));
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    QCOMPARE(
        differenceFromManifest(**model, containerManifest()[name].toArray(), [](const QString& type) { return type; }),
        QString());
    QCOMPARE(findingsWithFirstArgument(**model), QString());
    QCOMPARE(text(containerFormat(**model)), "pytorch");
    QVERIFY(capabilitiesOf(**model).empty());
    QVERIFY(stringsOf(**model, "pickle.globals.allowed")
                .contains(name == QStringLiteral("tar.pt") ? "torch.Tensor" : "torch._utils._rebuild_tensor_v2"));
}

void TestPytorch::hostilePickle() {
    const auto model = openModel(containerFile("evil.pt"));
    QVERIFY(model);
    QCOMPARE(findingsWithFirstArgument(**model), "global_dangerous posix.system");
    QCOMPARE(stringsOf(**model, "pickle.globals.dangerous"), QStringList{"posix.system"});
    QCOMPARE((*model)->tensors.size(), 1U);
    QVERIFY(!fs::exists("/tmp/evil-was-here"));
}

void TestPytorch::globals_data() {
    QTest::addColumn<QByteArray>("opcodes");
    QTest::addColumn<QString>("finding");
    const auto row = [](const char* name, const std::string& opcodes, const char* finding) {
        QTest::newRow(name) << QByteArray::fromStdString(opcodes) << finding;
    };
    row("os.system", "cos\nsystem\n" + shortText("id") + "\x85R", "global_dangerous os.system");
    row("subprocess", "csubprocess\nPopen\n)R", "global_dangerous subprocess.Popen");
    row("eval", "cbuiltins\neval\n)R", "global_dangerous builtins.eval");
    row("exec of Python 2", "c__builtin__\nexec\n)R", "global_dangerous __builtin__.exec");
    row("by text", shortText("nt") + shortText("system") + "\x93)R", "global_dangerous nt.system");
    row("through a module", shortText("torch") + shortText("serialization.os.system") + "\x93)R",
        "global_dangerous torch.serialization.os.system");
    row("without a call", "cos\nsystem\n", "global_dangerous os.system");
    row("as instance", "(ios\nsystem\n", "global_dangerous os.system");
    row("as object", "(cos\nsystem\no", "global_dangerous os.system");
    row("with keywords", "cos\nsystem\n)}\x92", "global_dangerous os.system");
    row("unknown", "cmy.module\nThing\n)R", "global_unknown my.module.Thing");
    row("a name like an allowed one", "ctorch._utils\n_rebuild_tensor_v9\n)R",
        "global_unknown torch._utils._rebuild_tensor_v9");
    row("an allowed name of another module", "cevil\nFloatStorage\n", "global_unknown evil.FloatStorage");
    row("a type", "ctorch\nbfloat16\n", "");
    row("a storage", "ctorch.storage\nUntypedStorage\n", "");
    row("a loader of PyTorch", "ctorch\nload\n)R", "global_dangerous torch.load");
    row("of a module of PyTorch", "ctorch.hub\nload\n)R", "global_dangerous torch.hub.load");
    row("of a test module of NumPy", "cnumpy.testing._private.utils\nrunstring\n)R",
        "global_dangerous numpy.testing._private.utils.runstring");
    row("a name that begins like a dangerous one", "ctorch\nloader\n)R", "global_unknown torch.loader");
    row("a partial call", "cfunctools\npartial\n)R", "global_dangerous functools.partial");
    for (const char* module : {"os",
                               "_posixsubprocess",
                               "posix",
                               "nt",
                               "subprocess",
                               "sys",
                               "shutil",
                               "socket",
                               "runpy",
                               "importlib",
                               "ctypes",
                               "pty",
                               "pdb",
                               "code",
                               "commands",
                               "pickle",
                               "_pickle",
                               "cPickle",
                               "dill",
                               "cloudpickle",
                               "multiprocessing.util",
                               "asyncio.unix_events",
                               "webbrowser",
                               "urllib.request",
                               "http.client",
                               "requests.api",
                               "pip",
                               "venv",
                               "io",
                               "marshal",
                               "operator",
                               "pydoc",
                               "zipimport",
                               "pkgutil",
                               "atexit",
                               "aiohttp.client",
                               "doctest",
                               "idlelib.run",
                               "lib2to3.pgen2.pgen",
                               "cgitb",
                               "ssl",
                               "joblib.numpy_pickle"}) {
        const std::string global = std::string(module) + ".f";
        row(global.c_str(), "c" + std::string(module) + "\nf\n)R", ("global_dangerous " + global).c_str());
    }
    for (const char* name : {"eval", "exec", "compile", "open", "__import__", "getattr", "setattr", "delattr", "input",
                             "breakpoint", "globals", "vars"}) {
        const std::string global = "builtins." + std::string(name);
        row(("builtin " + std::string(name)).c_str(), "cbuiltins\n" + std::string(name) + "\n)R",
            ("global_dangerous " + global).c_str());
    }
    row("twice", "(cos\nsystem\ncos\nsystem\nt", "global_dangerous os.system");
}

void TestPytorch::globals() {
    QFETCH(QByteArray, opcodes);
    QFETCH(QString, finding);
    const auto model = readPickle(dictOf(opcodes.toStdString()));
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    QCOMPARE(findingsWithFirstArgument(**model), finding);
}

// Python has called the function before it sees the damage.
void TestPytorch::globalsBeforeDamage() {
    const std::string call = "cos\nsystem\n(" + shortText("id") + "tR";
    const auto model = readPickle("\x80\x02" + call + "\xff.");
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    QCOMPARE(findingsWithFirstArgument(**model).section('|', 1), "global_dangerous os.system");
    QVERIFY(findingsWithFirstArgument(**model).startsWith("tensor_record_broken "));
    QCOMPARE(stringsOf(**model, "pickle.globals.dangerous"), QStringList{"os.system"});
    QCOMPARE((*model)->tensors.size(), 0U);
    QVERIFY(readPickle("\x80\x02" + call)); // cut off
    QVERIFY(!readPickle("\x80\x02"
                        "cmy\nThing\n\xff.")); // nothing dangerous: the damage is what there is to say
    const std::string magic = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";
    const auto stream = readModel(bareFile(magic + "\x80\x02" + call + "\xff."));
    QVERIFY2(stream, qPrintable(stream ? QString() : errorOf(stream.error())));
    QCOMPARE(findingsWithFirstArgument(**stream), "tensor_record_broken 2|global_dangerous os.system");
}

void TestPytorch::globalsOfOtherPickles() {
    const std::string evil = "\x80\x02"
                             "cos\nsystem\n.";
    for (const char* name : {"m/constants.pkl", "n/data.pkl", "m/extra.pkl"}) {
        ZipBuilder zip = archive(dictOf(tensor("0", 0, {6}, {1})));
        zip.entry(name, evil);
        const auto model = pytorch::readZip(zip.source());
        QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
        QCOMPARE(findingsWithFirstArgument(**model), "global_dangerous os.system");
        QCOMPARE((*model)->tensors.size(), 1U);
    }
    ZipBuilder zip = archive(dictOf(tensor("0", 0, {6}, {1})));
    zip.entry("m/damaged.pkl", evil.substr(0, evil.size() - 1) + "\xff");
    const auto model = pytorch::readZip(zip.source());
    QVERIFY(model);
    QCOMPARE(findingsWithFirstArgument(**model), "global_dangerous os.system");
}

void TestPytorch::barePickles_data() {
    QTest::addColumn<QByteArray>("pickle");
    QTest::addColumn<QString>("findings");
    const auto row = [](const char* name, const std::string& pickle, const char* findings) {
        QTest::newRow(name) << QByteArray::fromStdString(pickle) << findings;
    };
    row("protocol 4", "\x80\x04" + shortText("os") + shortText("system") + "\x93" + shortText("id") + "\x85R.",
        "global_dangerous os.system");
    row("protocol 0", "cos\nsystem\n(S'id'\ntR.", "global_dangerous os.system");
    row("protocol 0, memoized", "cposix\nsystem\np0\n(Vid\np1\ntp2\nRp3\n.", "global_dangerous posix.system");
    row("a global in a tuple", "(cos\nsystem\nt.", "global_dangerous os.system");
    row("protocol 0, a dictionary", "(dp0\nVa\np1\ncos\nsystem\np2\ns.", "global_dangerous os.system");
    row("protocol 1, a dictionary", "}q\0X\1\0\0\0acos\nsystem\ns."s, "global_dangerous os.system");
    row("a tensor without its storage", dictOf(tensor("0", 0, {2}, {1})), "storage_missing 0");
    row("settings", dictOf(number(5)), "");
}

void TestPytorch::barePickles() {
    QFETCH(QByteArray, pickle);
    QFETCH(QString, findings);
    const auto model = readModel(bareFile(pickle.toStdString()));
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    QCOMPARE(text(containerFormat(**model)), "pytorch");
    QCOMPARE(findingsWithFirstArgument(**model), findings);
    QVERIFY(!readModel(bareFile("code\nexample\nof a text\n"))); // only looks like one at first
}

void TestPytorch::views_data() {
    QTest::addColumn<QByteArray>("opcodes");
    QTest::addColumn<bool>("inOrder");
    QTest::addColumn<QList<float>>("values");
    const auto row = [](const char* name, const std::string& opcodes, bool inOrder, const QList<float>& values) {
        QTest::newRow(name) << QByteArray::fromStdString(opcodes) << inOrder << values;
    };
    row("whole", tensor("0", 0, {2, 3}, {3, 1}), true, {0, 1, 2, 3, 4, 5});
    row("offset", tensor("0", 3, {3}, {1}), true, {3, 4, 5});
    row("transposed", tensor("0", 0, {3, 2}, {1, 3}), false, {0, 3, 1, 4, 2, 5});
    row("column", tensor("0", 1, {2}, {3}), false, {1, 4});
    row("repeated", tensor("0", 5, {2, 2}, {0, 0}), false, {5, 5, 5, 5});
    row("scalar", tensor("0", 4, {}, {}), true, {4});
    row("empty", tensor("0", 0, {0, 3}, {3, 1}), true, {});
    row("stride of a dimension of one", tensor("0", 0, {1, 3}, {77, 1}), true, {0, 1, 2});
}

void TestPytorch::views() {
    QFETCH(QByteArray, opcodes);
    QFETCH(bool, inOrder);
    QFETCH(QList<float>, values);
    const auto model = readPickle(dictOf(opcodes.toStdString()));
    QVERIFY(model);
    QCOMPARE(findingsWithFirstArgument(**model), QString());
    const TensorInfo& info = (*model)->tensors.at(0);
    QCOMPARE(info.name, "t");
    QCOMPARE(QString::fromStdString(info.typeName()), "float32");
    QCOMPARE(info.strides == nullptr, inOrder);
    QVERIFY(info.complete());
    QCOMPARE(valuesOf(**model, "t"), std::vector<float>(values.begin(), values.end()));
}

void TestPytorch::keys() {
    const auto model =
        readPickle("\x80\x04\x95\0\0\0\0\0\0\0\0}("s + shortText("epoch") + number(3) + shortText("loss") +
                   "G\x3f\xe0\0\0\0\0\0\0"s + shortText("on") + "\x88" + shortText("name") + shortText("owl") +
                   shortText("list") + "](" + number(7) + number(8) + "e" + shortText("none") + "Nu.");
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    const Metadata& metadata = (*model)->metadata;
    QCOMPARE(metadata.integer("epoch"), 3);
    QCOMPARE(metadata.number("loss"), 0.5);
    QCOMPARE(metadata.boolean("on"), true);
    QCOMPARE(text(metadata.string("name").value_or("")), "owl");
    QCOMPARE(metadata.integer("list.1"), 8);
    QCOMPARE(metadata.size(), 6U);
}

void TestPytorch::brokenPickles_data() {
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

void TestPytorch::brokenPickles() {
    QFETCH(QByteArray, pickle);
    QFETCH(QString, error);
    const auto model = readPickle(pickle.toStdString());
    QVERIFY(!model);
    QCOMPARE(errorOf(model.error()), error);
    QCOMPARE(model.error().file, fs::path("test.pt"));
    QVERIFY(model.error().place.offset.has_value());
}

void TestPytorch::tensorsThatAreNotThere_data() {
    QTest::addColumn<QByteArray>("opcodes");
    QTest::addColumn<QString>("finding");
    QTest::addColumn<int>("tensors");
    const auto row = [](const char* name, const std::string& opcodes, const char* finding, int tensors) {
        QTest::newRow(name) << QByteArray::fromStdString(opcodes) << finding << tensors;
    };
    row("no such storage", tensor("9", 0, {2}, {1}), "storage_missing 9", 1);
    row("a key that is a path", tensor("../data/0", 0, {2}, {1}), "storage_missing ../data/0", 1);
    row("a key of a folder", tensor("..", 0, {2}, {1}), "storage_missing ..", 1);
    row("past the storage", tensor("0", 0, {7}, {1}), "tensor_outside_storage 28", 1);
    row("an offset outside", tensor("0", 6, {1}, {1}), "tensor_outside_storage 28", 1);
    row("strides outside", tensor("0", 0, {2, 2}, {5, 1}), "tensor_outside_storage 28", 1);
    row("a large stride", tensor("0", 0, {2}, {2147483647}), "tensor_outside_storage 8589934592", 1);
    row("a negative offset", tensor("0", -1, {1}, {1}), "tensor_not_understood t", 0);
    row("a negative size", tensor("0", 0, {-1}, {1}), "tensor_not_understood t", 0);
    row("a negative stride", tensor("0", 5, {2}, {-1}), "tensor_not_understood t", 0);
    row("sizes that overflow", tensor("0", 0, {2147483647, 2147483647, 2147483647}, {0, 0, 0}),
        "tensor_not_understood t", 0);
    row("more strides than sizes", tensor("0", 0, {2}, {1, 1}), "tensor_not_understood t", 0);
    row("nine dimensions", tensor("0", 0, std::vector<std::int32_t>(9, 1), std::vector<std::int32_t>(9, 1)),
        "tensor_not_understood t", 0);
    row("a storage of no type", tensor("0", 0, {2}, {1}, "torch\nUntypedStorage\n"), "tensor_not_understood t", 0);
    row("no arguments", "ctorch._utils\n_rebuild_tensor_v2\n)R", "tensor_not_understood t", 0);
    row("arguments of another kind", "ctorch._utils\n_rebuild_tensor_v2\nNR", "tensor_not_understood t", 0);
}

void TestPytorch::tensorsThatAreNotThere() {
    QFETCH(QByteArray, opcodes);
    QFETCH(QString, finding);
    QFETCH(int, tensors);
    const auto model = readPickle(dictOf(opcodes.toStdString()));
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    QCOMPARE(findingsWithFirstArgument(**model), finding);
    QCOMPARE(static_cast<int>((*model)->tensors.size()), tensors);
    for (const TensorInfo& info : (*model)->tensors) {
        QCOMPARE(info.bytesPresent, 0U);
        QVERIFY(!(*model)->rowsOf(info));
    }
}

// Small pickles of values that would be large.
void TestPytorch::bombs() {
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

void TestPytorch::boundsOfThePickle_data() {
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

void TestPytorch::boundsOfThePickle() {
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
void TestPytorch::boundOfNames() {
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

// Equal numbers and globals share a node of the pickle; what can be changed must not.
void TestPytorch::sharedValues() {
    const std::string list = "](" + number(5) + number(5) + "e";
    const auto model = readPickle("\x80\x02}(" + shortText("a") + list + shortText("b") + list + shortText("c") + "](" +
                                  shortText("x") + "ea" + "u.");
    QVERIFY(!model); // a list is appended to a text
    const auto lists = readPickle("\x80\x02}(" + shortText("a") + list + number(6) + "a" + shortText("b") + list +
                                  shortText("c") + "ccollections\nOrderedDict\n)R" + shortText("x") + number(5) + "s" +
                                  shortText("d") + "ccollections\nOrderedDict\n)R" + "u.");
    QVERIFY2(lists, qPrintable(lists ? QString() : errorOf(lists.error())));
    const Metadata& metadata = (*lists)->metadata;
    QCOMPARE(metadata.integer("a.1"), 5);
    QCOMPARE(metadata.integer("a.2"), 6);
    QCOMPARE(metadata.integer("b.1"), 5);
    QVERIFY(metadata.find("b.2") == nullptr);
    QCOMPARE(metadata.integer("c.x"), 5);
    QVERIFY(metadata.find("d.x") == nullptr);
    QCOMPARE(stringsOf(**lists, "pickle.globals.allowed"), QStringList{"collections.OrderedDict"});
}

// Two lists and a dictionary that grow in turn, item by item and in batches.
void TestPytorch::listsThatGrow() {
    std::string pickle = "\x80\x02}(" + shortText("a") + "]q"s + '\1' + shortText("b") + "]q"s + '\2' + shortText("d") +
                         "}q"s + '\3' + "u";
    for (int i = 0; i < 100; ++i) {
        pickle += "h\1"s + number(i) + "a" + "h\2"s + "(" + number(i) + number(-i) + "e" + "h\3"s +
                  shortText("k" + std::to_string(i)) + number(i) + "s000";
    }
    const auto model = readPickle(pickle + ".");
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    const Metadata& metadata = (*model)->metadata;
    QCOMPARE(metadata.size(), 400U);
    for (int i = 0; i < 100; ++i) {
        QCOMPARE(metadata.integer("a." + std::to_string(i)), i);
        QCOMPARE(metadata.integer("b." + std::to_string(2 * i)), i);
        QCOMPARE(metadata.integer("b." + std::to_string(2 * i + 1)), -i);
        QCOMPARE(metadata.integer("d.k" + std::to_string(i)), i);
    }
}

void TestPytorch::brokenArchives_data() {
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

void TestPytorch::brokenArchives() {
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
void TestPytorch::everyPrefix() {
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

// The sizes and offsets of large archives are in an extension of the directory.
void TestPytorch::largeArchive() {
    const std::string pickle = dictOf("K\1");
    GgufBytes out;
    const auto entry = [&](const char* magic, std::size_t head) { out.text(magic).zeros(head); };
    entry("PK\3\4", 14);
    out.number(0xFFFFFFFFU).number(0xFFFFFFFFU).number(std::uint16_t{10}).number(std::uint16_t{20}).text("m/data.pkl");
    out.number(std::uint16_t{1}).number(std::uint16_t{16}).number(std::uint64_t{pickle.size()});
    out.number(std::uint64_t{pickle.size()}).text(pickle);
    const std::uint64_t directory = out.bytes.size();
    entry("PK\1\2", 16);
    out.number(0xFFFFFFFFU).number(0xFFFFFFFFU).number(std::uint16_t{10}).number(std::uint16_t{28}).zeros(10);
    out.number(0xFFFFFFFFU).text("m/data.pkl").number(std::uint16_t{1}).number(std::uint16_t{24});
    out.number(std::uint64_t{pickle.size()}).number(std::uint64_t{pickle.size()}).number(std::uint64_t{0});
    const std::uint64_t end = out.bytes.size();
    out.text("PK\6\6").zeros(20).number(std::uint64_t{1}).number(std::uint64_t{1}).number(end - directory);
    out.number(directory).text("PK\6\7").zeros(4).number(end).zeros(4);
    out.text("PK\5\6").zeros(4).number(0xFFFFFFFFU).number(0xFFFFFFFFU).number(0xFFFFFFFFU).zeros(2);
    const auto model = pytorch::readZip(std::make_shared<MemorySource>(out.bytes, "test.pt"));
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    QCOMPARE((*model)->metadata.integer("t"), 1);
}

void TestPytorch::shardList() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    ZipBuilder first;
    first.entry("m/data.pkl", "\x80\x02}" + shortText("a") + tensor("0", 0, {6}, {1}) + "s.")
        .entry("m/data/0", floats());
    first.write(root / "pytorch_model-00001-of-00002.bin");
    ZipBuilder second;
    second.entry("m/data.pkl", "\x80\x02}" + shortText("b") + tensor("0", 0, {2, 3}, {1, 2}) + "s.");
    second.entry("m/data/0", floats()).write(root / "pytorch_model-00002-of-00002.bin");
    std::ofstream(root / "pytorch_model.bin.index.json")
        << R"({"weight_map": {"a": "pytorch_model-00001-of-00002.bin", "b": "pytorch_model-00002-of-00002.bin"}})";
    std::ofstream(root / "config.json") << R"({"model_type": "llama"})";
    for (const fs::path& path : {root / "pytorch_model.bin.index.json", root}) {
        const auto model = openModel(path);
        QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
        QCOMPARE(findingsWithFirstArgument(**model), QString());
        QCOMPARE((*model)->tensors.size(), 2U);
        QCOMPARE(valuesOf(**model, "b"), (std::vector<float>{0, 2, 4, 1, 3, 5}));
    }
}

// Neither a name nor a link in a list of shards, nor the key of a storage, opens a file outside of the folder.
void TestPytorch::listsThatLeadElsewhere() {
    const QTemporaryDir folder;
    const fs::path outside = folder.path().toStdString();
    const fs::path root = outside / "model";
    fs::create_directories(root);
    const std::string pickle = "\x80\x02}" + shortText("secret") + tensor("0", 0, {6}, {1}) + "s.";
    archive(pickle).write(outside / "secret.bin");
    archive(dictOf(tensor("../../secret.bin", 0, {6}, {1}))).write(root / "here.bin");
    fs::create_symlink("../secret.bin", root / "link.bin");
    for (const std::string& name : {std::string("../secret.bin"), (outside / "secret.bin").native(),
                                    std::string("link.bin"), std::string("./here.bin")}) {
        std::ofstream(root / "pytorch_model.bin.index.json")
            << R"({"weight_map":{"t":"here.bin","secret":")" << name << "\"}}";
        const auto model = openModel(root / "pytorch_model.bin.index.json");
        QVERIFY2(model, name.c_str());
        QVERIFY(!(*model)->findTensor("secret"));
        const QStringList findings = findingsWithFirstArgument(**model).split(u'|');
        QCOMPARE(findings.size(), 2);
        QVERIFY(findings.contains("index_leads_outside " + QString::fromStdString(name)));
        QVERIFY(findings.contains("storage_missing ../../secret.bin"));
    }
}

void TestPytorch::cancelled() {
    std::stop_source stop;
    stop.request_stop();
    const std::string pickle = "\x80\x02" + std::string(70'000, 'N') + ".";
    QCOMPARE(pytorch::readZip(archive(pickle).source(), {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
}

GUFO_TEST(TestPytorch)
#include "tst_pytorch.moc"
