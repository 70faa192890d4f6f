// What gufo-cli says where somebody mistypes a name, asks for help, or names a file that is not as expected: short,
// true, and with what to do.
#include "base/error.h"
#include "cli_runner.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>

using namespace gufo;
using namespace gufo::test;

namespace {

const QString kSample = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q4_K.gguf");
constexpr int kMostLines = 50;  // of a page of help
constexpr int kMostBytes = 500; // of an error

} // namespace

class TestCliWords : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void didYouMean_data();
    void didYouMean();
    void newKeysThatLookMistyped();
    void helpHasTopics();
    void errorsAreShort_data();
    void errorsAreShort();
    void numbersHaveNames();
    void nestedArraysAreNested();
    void anEmptyFileIsAnEmptyText();
    void emptyFilesAreNamed();
    void findingsHaveReasons();
    void hintsNameCommands();
    void whatCannotBeWrittenIsNamed();
    void paddingIsNotCalledRemoval();

private:
    QString in(const QString& name) const { return m_folder->filePath(name); }
    bool write(const QString& name, const QByteArray& bytes) const {
        QFile file(in(name));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestCliWords::didYouMean_data() {
    QTest::addColumn<QStringList>("arguments"); // "MODEL" is the sample
    QTest::addColumn<QByteArray>("meant");      // empty: nothing
    const auto row = [](const char* name, const QStringList& arguments, const char* meant) {
        QTest::newRow(name) << arguments << QByteArray(meant);
    };
    row("a verb", {"inof", "MODEL"}, "info");
    row("a verb in help", {"help", "quantise"}, "quantize");
    row("help itself", {"hlep"}, "help");
    row("an option", {"quantize", "MODEL", "out.gguf", "Q8_0", "--dryrun"}, "--dry-run");
    row("a key", {"get", "MODEL", "general.nmae"}, "general.name");
    row("a key in another case", {"get", "MODEL", "General.Name"}, "general.name");
    row("the end of a key", {"get", "MODEL", "chat_template"}, "tokenizer.chat_template");
    row("a key to delete", {"set", "MODEL", "--delete", "general.licens", "--dry-run"}, "general.license");
    row("an array", {"set", "MODEL", "tokenizer.ggml.tokns[3]=x", "--dry-run"}, "tokenizer.ggml.tokens");
    row("a tensor", {"stats", "MODEL", "blk.0.attn_q.wieght"}, "blk.0.attn_q.weight");
    row("the beginning of a tensor", {"dump", "MODEL", "blk.2.ffn_up", "-o", "-"}, "blk.2.ffn_up.weight");
    row("a slip in the beginning of a tensor", {"stats", "MODEL", "blk.2.ffn_upp"}, "blk.2.ffn_up.weight");
    row("a tensor to rename", {"set", "MODEL", "--delete-tensor", "output_nrom.weight", "--dry-run"},
        "output_norm.weight");
    row("a type", {"quantize", "MODEL", "out.gguf", "q4_km"}, "Q4_K_M");
    row("a key like no other", {"get", "MODEL", "zebra"}, "");
    row("a verb like no other", {"zebra"}, "");
    row("a short word", {"x"}, "");
}

void TestCliWords::didYouMean() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, meant);
    const CliResult result = runCli(arguments.replaceInStrings("MODEL", kSample));
    QCOMPARE(result.code, 2);
    QCOMPARE(result.err.count('\n'), 1);
    if (meant.isEmpty()) {
        QVERIFY2(!result.err.contains("Did you mean"), result.err.constData());
    } else {
        QVERIFY2(result.err.contains("Did you mean " + meant + '?'), result.err.constData());
    }
}

void TestCliWords::newKeysThatLookMistyped() {
    const auto set = [](const QString& assignment) { return runCli({"set", kSample, assignment, "--dry-run"}); };
    const CliResult typo = set("general.nmae=x");
    QCOMPARE(typo.code, 0);
    QVERIFY2(typo.err.contains("general.nmae is a new key. Did you mean general.name?"), typo.err.constData());
    const CliResult absent = set("general.licence.name=x"); // known, though the model may lack it
    QVERIFY2(absent.err.contains("Did you mean general.license.name?"), absent.err.constData());
    QCOMPARE(set("general.url=x").err, QByteArray()); // a standard key
    QCOMPARE(set("owl.colour=x").err, QByteArray());
    QCOMPARE(set("general.name=x").err, QByteArray());
}

void TestCliWords::helpHasTopics() {
    const CliResult help = runCli({"help", "help"});
    QCOMPARE(help.code, 0);
    QVERIFY(help.out.startsWith("gufo-cli help [VERB [TOPIC]]"));
    QStringList verbs;
    for (const QByteArray& line : runCli({"help"}).lines()) {
        if (line.startsWith("  ") && !line.startsWith("   ")) {
            verbs << QString::fromUtf8(line.trimmed()).section(QLatin1Char(' '), 0, 0);
        }
    }
    QVERIFY(verbs.size() > 15);
    for (const QString& verb : verbs) {
        const CliResult page = runCli({"help", verb});
        QVERIFY2(page.lines().size() <= kMostLines + 1, qPrintable(verb));
        const CliResult all = runCli({"help", verb, "all"});
        QCOMPARE(all.code, 0);
        // Every option is at least named on the page.
        for (const QByteArray& line : all.lines()) {
            if (line.startsWith("  -")) {
                const QByteArray name = line.mid(line.indexOf("--") >= 0 ? line.indexOf("--") : 2).split(' ').front();
                QVERIFY2(page.out.contains(name), (verb.toUtf8() + ": " + name).constData());
            }
        }
    }
    const CliResult sampling = runCli({"help", "generate", "sampling"});
    QCOMPARE(sampling.code, 0);
    QVERIFY(sampling.out.contains("--top-k N") && !sampling.out.contains("--grammar"));
    const CliResult unknown = runCli({"help", "generate", "owls"});
    QCOMPARE(unknown.code, 2);
    QVERIFY2(unknown.err.contains("sampling, constraints, speed, session, weights, engine, all"),
             unknown.err.constData());
    QCOMPARE(runCli({"help", "info", "sampling"}).code, 2);
}

void TestCliWords::errorsAreShort_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("said"); // its end, or the most important part
    const QString longName(5'000, QLatin1Char('a'));
    const QString wide(3'000, QChar(0x732B));
    const auto row = [](const char* name, const QStringList& arguments, const char* said) {
        QTest::newRow(name) << arguments << QByteArray(said);
    };
    row("a verb", {longName}, "see gufo-cli help");
    row("an option", {"info", kSample, "--" + longName}, "see gufo-cli help info");
    row("a key", {"get", kSample, longName}, "it has no key");
    row("wide characters", {"get", kSample, wide}, "it has no key");
    row("a tensor", {"stats", kSample, longName}, "it has no tensor");
    row("a type", {"quantize", kSample, "out.gguf", longName}, "Q2_K_S");
    row("a number", {"memory", kSample, "--context", longName}, "--context takes");
    row("a filter", {"stats", kSample, "--filter", longName}, "matches no tensor");
    row("too many models", QStringList{"compare"} + QStringList(9, kSample), "9 arguments are too many: at most 8");
}

void TestCliWords::errorsAreShort() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, said);
    const CliResult result = runCli(arguments);
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.size() < kMostBytes, QByteArray::number(result.err.size()).constData());
    QVERIFY2(result.err.contains(said), result.err.constData());
    QCOMPARE(QString::fromUtf8(result.err).toUtf8(), result.err); // no character is cut
}

void TestCliWords::numbersHaveNames() {
    const CliResult set = runCli({"set", kSample, "general.file_type=Q8_0", "--dry-run"});
    QVERIFY2(set.out.startsWith("general.file_type: Q4_K_S (14) \xE2\x86\x92 Q8_0 (7)\n"), set.out.constData());
    const CliResult element = runCli({"set", kSample, "tokenizer.ggml.token_type[300]=CONTROL", "--dry-run"});
    QVERIFY2(element.out.contains("CONTROL (3)") && element.out.contains("NORMAL (1)"), element.out.constData());
    const CliResult compared =
        runCli({"compare", QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf"), kSample, "--tensors",
                "output_norm"});
    QVERIFY2(compared.out.contains("F16 (1)") && compared.out.contains("Q4_K_S (14)"), compared.out.constData());
}

void TestCliWords::nestedArraysAreNested() {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.key("x.nested", std::vector<std::vector<std::uint16_t>>{{1, 2}, {}, {3}});
    file.write(in("nested.gguf").toStdString());
    const CliResult info = runCli({"info", in("nested.gguf")});
    QVERIFY2(info.out.contains("[1, 2], [], [3]"), info.out.constData());
}

// An empty file is an empty text where a text is wanted, and no failed download.
void TestCliWords::anEmptyFileIsAnEmptyText() {
    QVERIFY(write("empty.txt", {}) && QFile::copy(kSample, in("m.gguf")));
    QVERIFY(QFile::setPermissions(in("m.gguf"), QFile::ReadOwner | QFile::WriteOwner));
    const CliResult set = runCli({"set", in("m.gguf"), "--file", "general.name=" + in("empty.txt")});
    QVERIFY2(set.code == 0, set.err.constData());
    QCOMPARE(runCli({"get", in("m.gguf"), "general.name"}).out, QByteArray());
    for (const QStringList& arguments :
         {QStringList{"--json-file", "general.tags=" + in("empty.txt")}, QStringList{"--import", in("empty.txt")}}) {
        const CliResult json = runCli(QStringList{"set", in("m.gguf")} + arguments);
        QCOMPARE(json.code, 2);
        QVERIFY2(!json.err.contains("download"), json.err.constData());
    }
}

// A file of a folder that is empty is there, and is not left out without a word.
void TestCliWords::emptyFilesAreNamed() {
    const QString source = QStringLiteral(GUFO_TEST_DATA "/convert/llama/source");
    for (const char* name : {"config.json", "tokenizer_config.json", "generation_config.json"}) {
        const QString folder = in(QLatin1String(name));
        QVERIFY(QDir().mkpath(folder));
        for (const QString& file : QDir(source).entryList(QDir::Files)) {
            QVERIFY(QFile::copy(source + '/' + file, folder + '/' + file));
        }
        QFile::remove(folder + '/' + QLatin1String(name));
        QVERIFY(write(QLatin1String(name) + '/' + QLatin1String(name), {}));
        const CliResult result = runCli({"convert", folder, in("out.gguf"), "--dry-run"});
        const QByteArray said = result.out + result.err;
        QVERIFY2(said.contains(name) && said.contains("it is empty"), said.constData());
        QVERIFY2(!said.contains("there is no such file"), said.constData());
    }
}

// Findings say why a file cannot be read, in words.
void TestCliWords::findingsHaveReasons() {
    const CliResult split = runCli({"split", kSample, in("part"), "--max-tensors", "16"});
    QVERIFY2(split.code == 0, split.err.constData());
    QVERIFY(write("part-00002-of-00002.gguf", {}));
    const CliResult empty = runCli({"validate", in("part-00001-of-00002.gguf")});
    QVERIFY2(empty.out.contains("part-00002-of-00002.gguf: it is empty"), empty.out.constData());
    QVERIFY2(!empty.out.contains("empty_file"), empty.out.constData());
    QVERIFY(write("part-00002-of-00002.gguf", "What is this?"));
    const CliResult other = runCli({"validate", in("part-00001-of-00002.gguf")});
    QVERIFY2(other.out.contains("part-00002-of-00002.gguf: it is not a model file"), other.out.constData());
}

// On the console, a hint that can be followed by a command names it.
void TestCliWords::hintsNameCommands() {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.key("tokenizer.chat_template", "{% for %}");
    file.key("tokenizer.ggml.bos_token_id", std::uint32_t{0xFFFFFFFF});
    file.key("tokenizer.ggml.model", "gpt2");
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b"});
    file.write(in("m.gguf").toStdString());
    const CliResult result = runCli({"validate", in("m.gguf")});
    QVERIFY2(result.out.contains("gufo-cli set FILE --repair token_id_unusable"), result.out.constData());
    QVERIFY2(result.out.contains("\xE2\x88\x92"
                                 "1") &&
                 !result.out.contains("ids go from 0"),
             result.out.constData());
    QVERIFY2(result.out.contains("gufo-cli set FILE --file tokenizer.chat_template="), result.out.constData());
    QVERIFY2(!result.out.contains("page"), result.out.constData()); // there is none here
    const CliResult minus = runCli({"set", in("m.gguf"), "tokenizer.ggml.eos_token_id=-1", "--dry-run"});
    QVERIFY2(minus.err.contains("--delete tokenizer.ggml.eos_token_id"), minus.err.constData());
}

// Writing is not called reading, and a missing file is not called a file that must not be written.
void TestCliWords::whatCannotBeWrittenIsNamed() {
    QVERIFY(write("there", "x"));
    const auto code = [&](const char* name) {
        return systemError(EACCES, in(QLatin1String(name)).toStdString(), ErrorCode::WriteFailed).code;
    };
    QCOMPARE(code("there"), ErrorCode::FileNotWritable);
    QCOMPARE(code("new"), ErrorCode::ReadOnlyFolder);
    QCOMPARE(systemError(EACCES, in("there").toStdString()).code, ErrorCode::PermissionDenied);
}

// A file whose last tensor is not padded gets padding when it is saved.
void TestCliWords::paddingIsNotCalledRemoval() {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.tensor("big", kF32, {256 * 1024});
    file.tensor("last", kF32, {1});
    file.write(in("whole.gguf").toStdString());
    QByteArray bytes = contentOf(in("whole.gguf"));
    if (bytes.size() % 32 == 0) {
        bytes.chop(28);
    }
    QVERIFY(write("cut.gguf", bytes));
    const CliResult result = runCli({"set", in("cut.gguf"), "general.description=" + QString(9'000, QLatin1Char('x')),
                                     "--no-reserve", "--dry-run"});
    QCOMPARE(result.code, 0);
    QVERIFY2(!result.out.contains("are removed"), result.out.right(400).constData());
}

GUFO_TEST(TestCliWords)
#include "tst_cli_words.moc"
