// The names of models as users paste them, and what their files are.
#include "hub/repository_models.h"
#include "support/test_unit.h"

using namespace gufo;
using namespace gufo::hub;

class TestModelName : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        for (const char* variable : {"HF_ENDPOINT", "MODELSCOPE_ENDPOINT", "GUFO_OLLAMA_ENDPOINT"}) {
            qunsetenv(variable);
        }
    }

    void namesAreRecognised_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected"); // hub number, repository, revision, path, quantisation
        const auto row = [](const char* name, const char* text, const char* expected) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(expected);
        };
        row("short host", "hf.co/owl/night-GGUF", "0|owl/night-GGUF|||");
        row("quantisation", "hf.co/owl/night-GGUF:Q4_K_M", "0|owl/night-GGUF|||Q4_K_M");
        row("file", "hf.co/owl/night/a/b.gguf", "0|owl/night||a/b.gguf|");
        row("long host", "HuggingFace.co/owl/night", "0|owl/night|||");
        row("page of a repository", "https://huggingface.co/owl/night", "0|owl/night|||");
        row("page of a folder", "https://huggingface.co/owl/night/tree/main/Q4", "0|owl/night|main|Q4|");
        row("page of a file", "https://huggingface.co/owl/night/blob/main/m.gguf?x=1#y", "0|owl/night|main|m.gguf|");
        row("file at a commit", "https://huggingface.co/owl/night/resolve/0a1b/m.gguf", "0|owl/night|0a1b|m.gguf|");
        row("encoded", "https://huggingface.co/owl/night/blob/refs%2Fpr%2F1/a%20b.gguf",
            "0|owl/night|refs/pr/1|a b.gguf|");
        row("ModelScope", "modelscope.cn/models/owl/night:q8_0", "1|owl/night|||q8_0");
        row("page of ModelScope", "https://www.modelscope.cn/models/owl/night/files", "1|owl/night|||");
        row("file of ModelScope", "https://modelscope.cn/models/owl/night/file/view/master/m.gguf?status=2",
            "1|owl/night|master|m.gguf|");
        row("Ollama", "ollama.com/library/night:8b", "2|library/night|8b||");
        row("Ollama without a tag", "https://ollama.com/library/night", "2|library/night|||");
        row("Ollama without a namespace", "ollama.com/night:8b", "2|library/night|8b||");
        row("tags of Ollama", "https://ollama.com/library/night/tags", "2|library/night|||");
        row("owner and repository", "owl/night-GGUF:Q8_0", "short 0|owl/night-GGUF|||Q8_0");
        row("a file elsewhere", "https://example.org/owl/m.gguf", "");
        row("unencrypted", "http://huggingface.co/owl/night", "");
        row("a data set", "https://huggingface.co/datasets/owl/night", "");
        row("a path with a folder", "owl/night/m.gguf", "");
        row("a host", "example.org/night", "");
        row("a file name", "m.gguf", "");
        row("out of the folder", "hf.co/owl/night/../../x", "");
        row("encoded out of the folder", "hf.co/owl/night/%2e%2e/x", "");
        row("no quantisation", "hf.co/owl/night:", "");
        row("no repository", "hf.co/owl", "");
        row("empty", "", "");
    }
    void namesAreRecognised() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        const auto shown = [](const std::optional<ModelName>& name) {
            return name ? QByteArray::number(static_cast<int>(name->hub)) + '|' +
                              QByteArray::fromStdString(name->repository + '|' + name->revision + '|' + name->path +
                                                        '|' + name->quantisation)
                        : QByteArray();
        };
        const bool isShort = expected.startsWith("short ");
        QCOMPARE(shown(parseModelName(text.toStdString())), isShort ? QByteArray() : expected);
        QCOMPARE(shown(parseShortName(text.toStdString())), isShort ? expected.mid(6) : expected);
    }

    void theEndpointIsAHost() {
        qputenv("HF_ENDPOINT", "http://127.0.0.1:8080/");
        const auto name = parseModelName("http://127.0.0.1:8080/owl/night/blob/main/m.gguf");
        qunsetenv("HF_ENDPOINT");
        QVERIFY(name);
        QCOMPARE(name->path, "m.gguf");
        QCOMPARE(shownName(*name), "hf.co/owl/night/m.gguf");
    }

    void shownNamesAreRead() {
        for (const char* path : {"", "m.gguf", "a b/Eule-\xc3\xbc.gguf", "100%.gguf", "%41.gguf", "which?#2.gguf"}) {
            const ModelName name{.repository = "owl/night", .path = path};
            const auto read = parseModelName(shownName(name));
            QVERIFY2(read && *read == name, shownName(name).c_str());
        }
    }

    void pathsOfServersStayInTheirFolder_data() {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<bool>("isSafe");
        QTest::newRow("plain") << QByteArray("a/b.gguf") << true;
        QTest::newRow("not ASCII") << QByteArray("Eule-\xc3\xbc.gguf") << true;
        QTest::newRow("absolute") << QByteArray("/etc/passwd") << false;
        QTest::newRow("upwards") << QByteArray("a/../../b") << false;
        QTest::newRow("current") << QByteArray("./b") << false;
        QTest::newRow("backslash") << QByteArray("a\\b") << false;
        QTest::newRow("control") << QByteArray("a\nb") << false;
        QTest::newRow("null") << QByteArray("a\0b", 3) << false;
        QTest::newRow("long") << QByteArray(256, 'x') << false;
        QTest::newRow("empty") << QByteArray() << false;
        QTest::newRow("folder") << QByteArray("a/") << false;
    }
    void pathsOfServersStayInTheirFolder() {
        QFETCH(QByteArray, path);
        QFETCH(bool, isSafe);
        QCOMPARE(isSafePath(path.toStdString()), isSafe);
    }

    void theModelIsChosen_data() {
        QTest::addColumn<QByteArray>("files");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("quantisation");
        QTest::addColumn<QByteArray>("expected"); // a name, or an error
        const auto row = [](const char* name, const char* files, const char* path, const char* quantisation,
                            const char* expected) {
            QTest::newRow(name) << QByteArray(files) << QByteArray(path) << QByteArray(quantisation)
                                << QByteArray(expected);
        };
        const char* many = "night-Q4_K_M.gguf night-Q8_0.gguf night-UD-Q6_K.gguf mmproj-night-F16.gguf README.md";
        row("quantisation", many, "", "Q8_0", "night-Q8_0.gguf");
        row("letter case", many, "", "q8_0", "night-Q8_0.gguf");
        row("prefix left out", many, "", "Q6_K", "night-UD-Q6_K.gguf");
        row("with the prefix", many, "", "UD-Q6_K", "night-UD-Q6_K.gguf");
        row("prefix matters", "n-Q6_K.gguf n-UD-Q6_K.gguf", "", "Q6_K", "n-Q6_K.gguf");
        row("the usual one", many, "", "", "night-Q4_K_M.gguf");
        row("the only one", "night-Q8_0.gguf mmproj-night-F16.gguf", "", "", "night-Q8_0.gguf");
        row("a companion by its path", many, "mmproj-night-F16.gguf", "", "mmproj-night-F16.gguf");
        row("another format", "model.safetensors n.gguf", "model.safetensors", "", "model.safetensors");
        row("a folder", "A/n-Q8_0.gguf B/n-Q8_0.gguf", "B", "", "B/n-Q8_0.gguf");
        row("shards", "A/n-Q8_0-00001-of-00002.gguf A/n-Q8_0-00002-of-00002.gguf", "", "Q8_0",
            "A/n-Q8_0-00001-of-00002.gguf +1");
        row("shards in two folders", "A/n-F16-00001-of-00002.gguf B/n-F16-00002-of-00002.gguf", "A", "",
            "A/n-F16-00001-of-00002.gguf missing 1");
        row("no such quantisation", many, "", "Q2_K", "no_such_remote_file Q2_K");
        row("a companion is no model", many, "", "F16", "no_such_remote_file F16");
        row("no such file", many, "x.gguf", "", "no_such_remote_file x.gguf");
        row("no GGUF", "README.md", "", "", "no_such_remote_file *.gguf");
        row("several", "n-Q8_0.gguf n-F16.gguf", "", "", "not_supported several_remote_models 2 F16, Q8_0");
    }
    void theModelIsChosen() {
        QFETCH(QByteArray, files);
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, quantisation);
        QFETCH(QByteArray, expected);
        Repository repository{.name = {.repository = "owl/night"}};
        for (const QByteArray& file : files.split(' ')) {
            repository.files.push_back({.path = file.toStdString(), .bytes = 10});
        }
        const auto chosen =
            chooseModel(repository, {.path = path.toStdString(), .quantisation = quantisation.toStdString()});
        QByteArray got;
        if (chosen) {
            got = QByteArray::fromStdString(chosen->name);
            got += chosen->files.size() > 1 ? " +" + QByteArray::number(chosen->files.size() - 1) : "";
            got += chosen->missing > 0 ? " missing " + QByteArray::number(chosen->missing) : "";
            QCOMPARE(chosen->bytes, 10 * chosen->files.size());
        } else {
            got = QByteArray::fromStdString(std::string(errorName(chosen.error().code)) + ' ' +
                                            chosen.error().args.at(0).text());
        }
        QCOMPARE(got, expected);
    }
};

GUFO_TEST(TestModelName)
#include "tst_model_name.moc"
