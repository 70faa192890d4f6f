// Pickles whose unpickling would run code: which of the names they call are dangerous, unknown or allowed, wherever the
// pickle is and however it refers to them.
#include "container_manifest.h"
#include "document/open_model.h"
#include "formats/container/container.h"
#include "formats/pytorch/reader.h"
#include "model_texts.h"
#include "pytorch_pickles.h"
#include "support/error_names.h"
#include "support/test_unit.h"

#include <QRegularExpression>
#include <QTest>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::test::pickles;
namespace fs = std::filesystem;
using std::string_literals::operator""s;

class TestPytorchCode : public QObject {
    Q_OBJECT

private slots:
    void hostilePickle();
    void globals_data();
    void globals();
    void globalsBeforeDamage();
    void globalsOfOtherPickles();
    void barePickles_data();
    void barePickles();
};

void TestPytorchCode::hostilePickle() {
    const auto model = openModel(containerFile("evil.pt"));
    QVERIFY(model);
    QCOMPARE(findingsWithFirstArgument(**model), "global_dangerous posix.system");
    QCOMPARE(textsOf(**model, "pickle.globals.dangerous"), QStringList{"posix.system"});
    QCOMPARE((*model)->tensors.size(), 1U);
    QVERIFY(!fs::exists("/tmp/evil-was-here"));
}

void TestPytorchCode::globals_data() {
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

void TestPytorchCode::globals() {
    QFETCH(QByteArray, opcodes);
    QFETCH(QString, finding);
    const auto model = readPickle(dictOf(opcodes.toStdString()));
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    // None of these pickles has a tensor, which is a finding of its own where nothing else explains it.
    QString found = findingsWithFirstArgument(**model);
    found.remove(QRegularExpression(QStringLiteral("\\|?pickle_without_tensors pickled_values 1$")));
    QCOMPARE(found, finding);
}

// Python has called the function before it sees the damage.
void TestPytorchCode::globalsBeforeDamage() {
    const std::string call = "cos\nsystem\n(" + shortText("id") + "tR";
    const auto model = readPickle("\x80\x02" + call + "\xff.");
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    QCOMPARE(findingsWithFirstArgument(**model).section('|', 1), "global_dangerous os.system");
    QVERIFY(findingsWithFirstArgument(**model).startsWith("tensor_record_broken "));
    QCOMPARE(textsOf(**model, "pickle.globals.dangerous"), QStringList{"os.system"});
    QCOMPARE((*model)->tensors.size(), 0U);
    QVERIFY(readPickle("\x80\x02" + call)); // cut off
    QVERIFY(!readPickle("\x80\x02"
                        "cmy\nThing\n\xff.")); // nothing dangerous: the damage is what there is to say
    const std::string magic = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";
    const auto stream = readModel(bareFile(magic + "\x80\x02" + call + "\xff."));
    QVERIFY2(stream, qPrintable(stream ? QString() : errorOf(stream.error())));
    QCOMPARE(findingsWithFirstArgument(**stream), "tensor_record_broken 2|global_dangerous os.system");
}

void TestPytorchCode::globalsOfOtherPickles() {
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

void TestPytorchCode::barePickles_data() {
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
    row("settings", dictOf(number(5)), "pickle_without_tensors pickled_values 1");
}

void TestPytorchCode::barePickles() {
    QFETCH(QByteArray, pickle);
    QFETCH(QString, findings);
    const auto model = readModel(bareFile(pickle.toStdString()));
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    QCOMPARE(text(containerFormat(**model)), "pytorch");
    QCOMPARE(findingsWithFirstArgument(**model), findings);
    QVERIFY(!readModel(bareFile("code\nexample\nof a text\n"))); // only looks like one at first
}

GUFO_TEST(TestPytorchCode)
#include "tst_pytorch_code.moc"
