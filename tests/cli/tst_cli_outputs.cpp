// Every verb that writes a file which the user names: it replaces none without --force.
#include "cli_runner.h"
#include "document/open_model.h"
#include "support/gguf_builder.h"
#include "support/save_helpers.h"
#include "support/test_unit.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace gufo::test;
namespace fs = std::filesystem;

class TestCliOutputs : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        GgufBuilder file;
        file.key("general.architecture", "llama").key("general.name", "x");
        file.tensor("t", 0, {256, 4}, std::vector(256 * 4 * 4, std::byte{}));
        file.write(native("m.gguf"));
        QCOMPARE(runCli({"split", in("m.gguf"), in("part"), "--max-tensors", "1"}).code, 0);
        writeFork();
        QCOMPARE(runCli({"split", in("fork.gguf"), in("fork-part"), "--max-tensors", "2"}).code, 0);
    }

    // Only dump prints to standard output for "-"; for the other verbs it is the name of a file.
    void aDashIsAFileName() {
        QFile before(in("-"));
        QVERIFY(before.open(QIODevice::WriteOnly) && before.write("before") == 6);
        before.close();
        const QString script = QStringLiteral("cd '%1' && $CLI set m.gguf general.name=y -o -").arg(m_folder.path());
        const CliResult refused = runShell(script);
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("--force"), refused.err.constData());
        QCOMPARE(QFileInfo(in("-")).size(), 6);
    }

    // The arguments without --force, and the file that they would replace.
    void replacesOnlyWithForce_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("output");
        const auto row = [this](const char* name, const QStringList& arguments, const char* output) {
            QTest::newRow(name) << arguments << in(output);
        };
        row("dump", {"dump", in("m.gguf"), "t", "-o", in("dump.f32")}, "dump.f32");
        row("set", {"set", in("m.gguf"), "-o", in("set.gguf"), "general.name=y"}, "set.gguf");
        row("convert", {"convert", in("m.gguf"), in("converted.gguf"), "--version", "2"}, "converted.gguf");
        row("split", {"split", in("m.gguf"), in("new"), "--max-tensors", "1"}, "new-00001-of-00001.gguf");
        row("merge", {"merge", in("part-00001-of-00001.gguf"), in("merged.gguf")}, "merged.gguf");
        row("quantize", {"quantize", in("m.gguf"), in("quantised.gguf"), "Q8_0"}, "quantised.gguf");
        row("compare, HTML", {"compare", in("m.gguf"), in("part-00001-of-00001.gguf"), "--html", in("report.html")},
            "report.html");
        row("compare, CSV", {"compare", in("m.gguf"), in("part-00001-of-00001.gguf"), "--csv", in("report.csv")},
            "report.csv");
    }
    void replacesOnlyWithForce() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, output);
        QFile before(output);
        QVERIFY(before.open(QIODevice::WriteOnly) && before.write("before") == 6);
        before.close();

        const CliResult refused = runCli(arguments);
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("--force") && refused.err.contains(QFileInfo(output).fileName().toUtf8()),
                 refused.err.constData());
        QCOMPARE(QFileInfo(output).size(), 6);

        const CliResult forced = runCli(arguments + QStringList{"--force"});
        QVERIFY2(forced.code != 2, forced.err.constData()); // compare ends with 1 where models differ
        QVERIFY(QFileInfo(output).size() != 6);
    }

    // What is missing is the folder, and not a file that could have been moved or renamed.
    void tellsThatTheFolderIsMissing_data() { replacesOnlyWithForce_data(); }
    void tellsThatTheFolderIsMissing() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, output);
        QString given = output; // of split, it is the beginning of the name
        if (!arguments.contains(given)) {
            given = in("new");
        }
        arguments.replaceInStrings(given, in("absent/") + QFileInfo(given).fileName());
        const CliResult failed = runCli(arguments);
        QCOMPARE(failed.code, 2);
        QVERIFY2(failed.err.contains("the folder for it does not exist. Create the folder"), failed.err.constData());
        QVERIFY2(!failed.err.contains("moved"), failed.err.constData());
    }

    void devicesNeedNoForce() {
        QVERIFY(!runCli({"dump", in("m.gguf"), "t", "-o", "/dev/null"}).err.contains("--force"));
        QVERIFY(!runCli({"compare", in("m.gguf"), in("m.gguf"), "--csv", "/dev/null"}).err.contains("--force"));
    }

    // Every verb writes to what cannot be replaced.
    void writesToDevicesAndPipes() {
        const CliResult plain = runCli({"dump", in("m.gguf"), "t", "-o", in("plain.f32")});
        QCOMPARE(plain.code, 0);
        QFile file(in("plain.f32"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray expected = file.readAll();
        QCOMPARE(expected.size(), 256 * 4 * 4);
        const auto shell = [this](const char* script) {
            return runShell(QStringLiteral("cd '%1' && %2").arg(m_folder.path(), QLatin1String(script)));
        };
        QCOMPARE(runCli({"dump", in("m.gguf"), "t", "-o", "/dev/null"}).code, 0);
        const CliResult out = runCli({"dump", in("m.gguf"), "t", "-o", "/dev/stdout"}); // a pipe
        QVERIFY2(out.code == 0, out.err.constData());
        QCOMPARE(out.out, expected);
        const CliResult piped = shell("$CLI dump m.gguf t -o /dev/stdout | cat");
        QCOMPARE(piped.out, expected);
        const CliResult redirected = shell("{ printf first; $CLI dump m.gguf t -o /dev/stdout; } > all && cat all");
        QCOMPARE(redirected.out, "first" + expected);
        const CliResult fifo = shell("mkfifo pipe && { cat pipe & } && $CLI dump m.gguf t -o pipe && wait");
        QVERIFY2(fifo.code == 0, fifo.err.constData());
        QCOMPARE(fifo.out, expected);
        QVERIFY2(shell("test -p pipe").code == 0, "the pipe was replaced");
        QVERIFY(QDir(m_folder.path()).entryList({"*.part"}, QDir::Files | QDir::Hidden).isEmpty());
        QVERIFY(QFileInfo("/dev/null").exists() && !QFileInfo("/dev/null").isFile());
    }

    // A type number with which a fork means a type of its own (36 is its I2_S): the tensors keep their bytes
    // everywhere.
    void keepsTheTypesOfForks_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("output");
        const auto row = [this](const char* name, const QStringList& arguments, const char* output) {
            QTest::newRow(name) << arguments << in(output);
        };
        row("set", {"set", in("fork.gguf"), "-o", in("fork-set.gguf"), "general.name=a longer name"}, "fork-set.gguf");
        row("convert", {"convert", in("fork.gguf"), in("fork-v2.gguf"), "--version", "2"}, "fork-v2.gguf");
        row("split", {"split", in("fork.gguf"), in("fork"), "--max-tensors", "2"}, "fork-00001-of-00003.gguf");
        row("merge", {"merge", in("fork-part-00001-of-00003.gguf"), in("fork-merged.gguf")}, "fork-merged.gguf");
        row("quantize", {"quantize", in("fork.gguf"), in("fork-q8.gguf"), "Q8_0"}, "fork-q8.gguf");
    }
    void keepsTheTypesOfForks() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, output);
        const CliResult result = runCli(arguments);
        QVERIFY2(result.code == 0, result.err.constData());
        const auto before = gufo::openModel(native("fork.gguf"));
        const auto after = gufo::openModel(output.toStdString());
        QVERIFY(before && after);
        QCOMPARE((*after)->tensors.size(), (*before)->tensors.size());
        for (const gufo::TensorInfo& tensor : (*before)->tensors) {
            const auto& kept = (*after)->tensor((*after)->findTensor(tensor.name).value());
            if (tensor.typeId != 36) {
                continue;
            }
            QCOMPARE(kept.typeId, 36U);
            QCOMPARE(kept.typeName(), std::string("type 36"));
            QVERIFY(std::ranges::equal(*(*after)->bytesOf(kept), *(*before)->bytesOf(tensor)));
        }
        // It is named, but no damage is reported.
        const QJsonObject found = runCli({"validate", output, "--json"}).json();
        QStringList codes;
        for (const QJsonValue& finding : found["findings"].toArray()) {
            codes << finding.toObject()["code"].toString();
        }
        QVERIFY2(codes.contains("ambiguous_tensor_type"), qPrintable(codes.join(' ')));
        for (const char* damage : {"removed_tensor_type", "tensors_not_packed", "tensors_overlap", "tensor_past_end",
                                   "size_derived", "trailing_bytes", "tensor_data_missing"}) {
            QVERIFY2(!codes.contains(QLatin1String(damage)), damage);
        }
    }

    void aDryRunReplacesNothing() {
        const QStringList arguments{"quantize", in("m.gguf"), in("m.gguf"), "Q8_0", "--dry-run"};
        QCOMPARE(runCli(arguments).code, 0);
    }

private:
    void writeFork() const {
        GgufBuilder file;
        file.key("general.architecture", "bitnet").key("bitnet.block_count", std::uint32_t{1});
        file.tensor("token_embd.weight", kF16, {256, 8}, std::vector(256 * 8 * 2, std::byte{}));
        std::byte next{1};
        for (const char* name : {"blk.0.attn_q.weight", "blk.0.attn_k.weight", "blk.0.ffn_up.weight"}) {
            std::vector<std::byte> bytes(256 * 64 / 4 + 32);
            std::ranges::generate(bytes, [&] { return next = std::byte(static_cast<unsigned char>(next) * 5 + 1); });
            file.tensor(name, 36, {256, 64}, bytes);
        }
        file.tensor("output_norm.weight", kF32, {256}, std::vector(1024, std::byte{1}));
        file.write(native("fork.gguf"));
    }

    QString in(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    fs::path native(const char* name) const { return in(name).toStdString(); }
    QTemporaryDir m_folder;
};

GUFO_TEST(TestCliOutputs)
#include "tst_cli_outputs.moc"
