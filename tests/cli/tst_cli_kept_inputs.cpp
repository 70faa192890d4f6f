// No verb replaces what it reads, under whatever name, nor a file that is named by its hash, even with --force.
#include "cli_runner.h"
#include "support/save_helpers.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace gufo::test;
namespace fs = std::filesystem;

namespace {

constexpr auto kSampleFile = GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q8_0.gguf";
const std::string kHash(64, 'a');
const std::string kGitHash(40, 'b'); // Git's, of a small file

} // namespace

class TestCliKeptInputs : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        fs::copy_file(kSampleFile, native("model.gguf"));
        fs::copy_file(kSampleFile, native("other.gguf"));
        writeFile(native("text.txt"),
                  "The owl sees in the dark, and it flies without a sound. The owl sees in the dark.");
        QCOMPARE(runCli({"split", in("model.gguf"), in("set"), "--max-tensors", "10"}).code, 0);
        fs::copy(GUFO_TEST_DATA "/convert/llama/source", native("folder"), fs::copy_options::recursive);
        for (const char* name : {"model.gguf", "set-00002-of-00003.gguf", "text.txt"}) {
            fs::create_hard_link(native(name), native("hard-") += name);
            fs::create_symlink(name, native("soft-") += name);
        }
        fs::create_directories(native("blobs"));
        fs::create_symlink("blobs/" + kHash, native("cached.gguf"));
        fs::create_symlink("blobs/sha256-" + kHash, native("cached-00001-of-00001.gguf"));
        fs::create_symlink("blobs/" + kGitHash, native("cached.md"));
        writeFile(native("blobs") / kHash, "of the cache");
        writeFile(native("blobs") / kGitHash, "a card of the cache");
        writeFile(native("blobs") / ("sha256-" + kHash), "of the store");
        for (const auto& entry : fs::recursive_directory_iterator(m_folder->path().toStdString())) {
            if (entry.is_regular_file()) {
                m_before[entry.path()] = readFile(entry.path());
            }
        }
    }
    void cleanup() { m_before.clear(); }

    void replacesNoInput_data() {
        QTest::addColumn<QStringList>("arguments");
        const auto row = [](const QString& name, const char* arguments) {
            QTest::newRow(qPrintable(name)) << QString(arguments).replace("NAME", name.section(' ', -1)).split(' ');
        };
        for (const char* name : {"model.gguf", "hard-model.gguf", "soft-model.gguf"}) {
            const auto each = [&](const char* verb, const char* arguments) {
                row(QStringLiteral("%1 onto %2").arg(verb, name), arguments);
            };
            each("convert", "convert @model.gguf @NAME --version 2");
            each("quantize", "quantize @model.gguf @NAME Q4_0 --allow-requantize");
            each("merge", "merge @model.gguf @NAME");
            each("set", "set @model.gguf general.name=y -o @NAME");
            each("dump", "dump @model.gguf token_embd.weight -o @NAME --format raw");
            each("compare --html", "compare @model.gguf @other.gguf --html @NAME");
            each("compare --csv", "compare @other.gguf @model.gguf --csv @NAME");
            each("imatrix", "imatrix @model.gguf @text.txt -o @NAME --context 8");
            each("eval", "eval @model.gguf --tokens 1,2 --logits @NAME");
            each("embed", "embed @model.gguf owl -o @NAME");
            each("apply, base", "apply @model.gguf @other.gguf @NAME");
            each("apply, adapter", "apply @other.gguf @model.gguf @NAME");
        }
        for (const char* name :
             {"set-00002-of-00003.gguf", "hard-set-00002-of-00003.gguf", "soft-set-00002-of-00003.gguf"}) {
            const auto each = [&](const char* verb, const char* arguments) {
                row(QStringLiteral("%1 onto a shard: %2").arg(verb, name), arguments);
            };
            each("convert", "convert @set-00001-of-00003.gguf @NAME --version 2");
            each("quantize", "quantize @set-00001-of-00003.gguf @NAME Q4_0 --allow-requantize");
            each("merge", "merge @set-00001-of-00003.gguf @NAME");
            each("set", "set @set-00001-of-00003.gguf general.name=y -o @NAME");
            each("dump", "dump @set-00001-of-00003.gguf token_embd.weight -o @NAME --format raw");
            each("compare", "compare @set-00001-of-00003.gguf @model.gguf --csv @NAME");
            each("imatrix", "imatrix @set-00001-of-00003.gguf @text.txt -o @NAME --context 8");
            each("eval", "eval @set-00001-of-00003.gguf --tokens 1,2 --logits @NAME");
        }
        row("split onto its shards", "split @set-00001-of-00003.gguf @set --max-tensors 10");
        for (const char* name : {"text.txt", "hard-text.txt", "soft-text.txt"}) {
            row(QStringLiteral("imatrix onto its text: %1").arg(name),
                "imatrix @model.gguf @text.txt -o @NAME --context 8");
            row(QStringLiteral("set onto a value: %1").arg(name),
                "set @model.gguf --file general.description=@text.txt -o @NAME");
        }
        row("quantize onto its matrix",
            "quantize @model.gguf @other.gguf Q4_0 --allow-requantize --imatrix @other.gguf");
        row("convert onto the weights", "convert @folder @folder/model.safetensors");
        row("convert onto the configuration", "convert @folder @folder/config.json");
    }
    void replacesNoInput() {
        QFETCH(QStringList, arguments);
        const CliResult result = call(arguments);
        QCOMPARE(result.code, 2);
        const bool saysWhy = result.err.contains("replaced") || result.err.contains("cannot be the target");
        QVERIFY2(saysWhy, result.err.constData());
        nothingHasChanged();
    }

    // As saving in place refuses it; only the name of the link would lead to the right content afterwards.
    void replacesNoHashedFile_data() {
        QTest::addColumn<QStringList>("arguments");
        const auto row = [](const char* name, const char* arguments) {
            QTest::newRow(name) << QString(arguments).split(' ');
        };
        row("convert", "convert @model.gguf @cached.gguf --version 2");
        row("convert to the file itself", "convert @model.gguf @blobs/HASH --version 2");
        row("convert, folder", "convert @folder @cached.gguf");
        row("quantize", "quantize @model.gguf @cached.gguf Q4_0 --allow-requantize");
        row("merge", "merge @set-00001-of-00003.gguf @cached.gguf");
        row("split", "split @model.gguf @cached --max-tensors 1000");
        row("set", "set @model.gguf general.name=y -o @cached.gguf");
        row("dump", "dump @model.gguf token_embd.weight -o @cached.gguf --format raw");
        row("compare --html", "compare @model.gguf @other.gguf --html @cached.gguf");
        row("compare --csv", "compare @model.gguf @other.gguf --csv @cached.gguf");
        row("imatrix", "imatrix @model.gguf @text.txt -o @cached.gguf --context 8");
        row("eval", "eval @model.gguf --tokens 1,2 --logits @cached.gguf");
        row("embed", "embed @model.gguf owl -o @cached.gguf");
        row("card", "card @model.gguf -o @cached.md");
    }
    void replacesNoHashedFile() {
        QFETCH(QStringList, arguments);
        arguments.replaceInStrings("HASH", QString::fromStdString(kHash));
        const CliResult result = call(arguments);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains("the hash of its content"), result.err.constData());
        nothingHasChanged();
        QVERIFY(fs::is_symlink(native("cached.gguf")) && fs::is_symlink(native("cached.md")));
    }

    // A link to a file with any other name is followed, and a new file may have any name.
    void replacesOtherFiles() {
        writeFile(native("old.gguf"), "old");
        fs::create_symlink("old.gguf", native("link.gguf"));
        QCOMPARE(call({"convert", "@model.gguf", "@link.gguf", "--version", "2"}).code, 0);
        QVERIFY(fs::is_symlink(native("link.gguf")));
        QVERIFY(fs::file_size(native("old.gguf")) > 1000);
        const std::string fresh(64, 'b');
        QCOMPARE(runCli({"convert", in("model.gguf"), in(("blobs/" + fresh).c_str()), "--version", "2"}).code, 0);
    }

private:
    [[nodiscard]] CliResult call(QStringList arguments) const {
        arguments.replaceInStrings("@", m_folder->path() + '/');
        return runCli(arguments + QStringList{"--force"});
    }
    void nothingHasChanged() const {
        std::size_t files = 0;
        for (const auto& entry : fs::recursive_directory_iterator(m_folder->path().toStdString())) {
            if (entry.is_regular_file()) {
                ++files;
                const auto before = m_before.find(entry.path());
                QVERIFY2(before != m_before.end(), entry.path().c_str()); // a file was left behind
                QVERIFY2(readFile(entry.path()) == before->second, entry.path().c_str());
            }
        }
        QCOMPARE(files, m_before.size());
    }
    [[nodiscard]] QString in(const char* name) const { return m_folder->filePath(QLatin1String(name)); }
    [[nodiscard]] fs::path native(const char* name) const { return in(name).toStdString(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::map<fs::path, FileBytes> m_before;
};

GUFO_TEST(TestCliKeptInputs)
#include "tst_cli_kept_inputs.moc"
