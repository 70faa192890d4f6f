// Tests gufo-cli with files of other containers than GGUF.
#include "cli_runner.h"
#include "support/ggml_builder.h"
#include "support/gguf_builder.h"
#include "support/safetensors_builder.h"
#include "support/test_unit.h"
#include "support/zip_builder.h"
#include "test_paths.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace gufo::test;

class TestCliContainers : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void info();
    void infoOfGgml();
    void stats();
    void dump();
    void validate();
    void checkpoint();
    void comparesViews();
    void hostileCheckpoint();
    void namesEveryGlobal();
    void cannotBeChanged();
    void oldestCheckpoint();
    void safetensorsMetadata();
    void whatDownloadsLeave();
    void store();

private:
    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    QTemporaryDir m_folder;
};

// A LLaMA of version 1 with a tensor of Q4_0: scale 2, and the codes 8 and 9 in turn, which are 0 and 2.
void TestCliContainers::initTestCase() {
    GgmlBuilder file("tjgg", 1);
    file.padding = 32;
    file.numbers({2, 32, 256, 2, 1, 4, 2}).token("a", 0.5F).token("b", 1.5F);
    GgufBytes block;
    block.number(2.0F);
    for (int i = 0; i < 16; ++i) {
        block.number(std::uint8_t{0x98});
    }
    file.tensor("output.weight", 2, {32, 1}, block.bytes);
    file.write(path("old.bin").toStdString());

    GgmlBuilder gpt("lmgg");
    gpt.numbers({1, 16, 8, 2, 1, 1, 1}).token("a").tensor("w", 0, {1}, 4).write(path("gpt.bin").toStdString());

    file.out.bytes.pop_back();
    file.write(path("cut.bin").toStdString());
}

void TestCliContainers::info() {
    const CliResult info = runCli({"info", "--json", path("old.bin")});
    QCOMPARE(info.code, 0);
    const QJsonObject json = info.json();
    QCOMPARE(json["format"], "ggjt");
    QCOMPARE(json["version"], 1);
    QCOMPARE(json["byte_order"], "little");
    QCOMPARE(json["alignment"], 32);
    QVERIFY(json["architecture"].isNull());
    QCOMPARE(byName(json["kv"].toArray(), "key", "family")["value"], "llama");
    QCOMPARE(byName(json["kv"].toArray(), "key", "n_embd")["value"], 32);
    QCOMPARE(byName(json["kv"].toArray(), "key", "tokenizer.ggml.tokens")["value"].toObject()["head"],
             (QJsonArray{"a", "b"}));
    const QJsonObject tensor = json["tensors"].toArray()[0].toObject();
    QCOMPARE(tensor["type"], "Q4_0");
    QVERIFY(tensor["type_id"].isNull());
    QCOMPARE(tensor["shape"], (QJsonArray{32, 1}));
    QCOMPARE(tensor["bytes"], 20);
    QVERIFY(json["findings"].toArray().isEmpty());

    const CliResult text = runCli({"info", path("old.bin")});
    QCOMPARE(text.code, 0);
    QVERIFY2(text.out.contains("GGJT version 1"), text.out.constData());
}

void TestCliContainers::infoOfGgml() {
    const QJsonObject json = runCli({"info", "--json", path("gpt.bin")}).json();
    QCOMPARE(json["format"], "ggml");
    QVERIFY(json["version"].isNull());
    QVERIFY(json["alignment"].isNull());
    const QJsonObject finding = json["findings"].toArray()[0].toObject();
    QCOMPARE(finding["code"], "ggml_family");
    QVERIFY(finding["message"].toString().contains("gpt-2"));
}

void TestCliContainers::stats() {
    const QJsonObject json = runCli({"stats", "--json", path("old.bin")}).json();
    const QJsonObject tensor = json["tensors"].toArray()[0].toObject();
    QCOMPARE(tensor["min"].toDouble(), 0.0);
    QCOMPARE(tensor["max"].toDouble(), 2.0);
    QCOMPARE(tensor["mean"].toDouble(), 1.0);
}

void TestCliContainers::dump() {
    const CliResult dump = runCli({"dump", path("old.bin"), "output.weight", "-o", path("out.f32"), "--format", "f32"});
    QCOMPARE(dump.code, 0);
    QFile file(path("out.f32"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QCOMPARE(bytes.size(), 32 * 4);
    for (int i = 0; i < 32; ++i) {
        float value = -1;
        std::memcpy(&value, bytes.constData() + i * 4, sizeof value);
        QCOMPARE(value, i % 2 == 0 ? 0.0F : 2.0F);
    }
    for (int i = 0; i < 2; ++i) { // no file is written that the second call would have to replace
        const CliResult printed = runCli({"dump", path("old.bin"), "output.weight", "-o", "-", "--format", "csv"});
        QVERIFY2(printed.code == 0, printed.err.constData());
        QVERIFY2(printed.out.startsWith("0,2,0,2,"), printed.out.constData());
    }
}

void TestCliContainers::validate() {
    QCOMPARE(runCli({"validate", "--deep", path("old.bin")}).code, 0);
    const CliResult cut = runCli({"validate", "--json", path("cut.bin")});
    QCOMPARE(cut.code, 1);
    QCOMPARE(cut.json()["findings"].toArray()[0].toObject()["code"], "tensor_past_end");
}

void TestCliContainers::checkpoint() {
    const QString file = QStringLiteral(GUFO_TEST_DATA "/containers/zip.pt");
    const QJsonObject json = runCli({"info", "--json", file}).json();
    QCOMPARE(json["format"], "pytorch");
    QCOMPARE(json["tensors"].toArray().size(), 18);
    const QJsonObject half = byName(json["tensors"].toArray(), "name", "half");
    QCOMPARE(half["type"], "float16");
    QCOMPARE(half["shape"], (QJsonArray{6, 4}));
    QCOMPARE(runCli({"validate", "--deep", file}).code, 0);

    // The values of a view that is not stored in order equal the manifest's.
    QCOMPARE(runCli({"dump", file, "transposed", "-o", path("t.f32"), "--format", "f32"}).code, 0);
    QFile dumped(path("t.f32"));
    QVERIFY(dumped.open(QIODevice::ReadOnly));
    QCOMPARE(QCryptographicHash::hash(dumped.readAll(), QCryptographicHash::Sha256).toHex(),
             "49bb7fa9b94630fd243f6b664027b5a5841bc08d7e9335025ee5984ee626e7eb");
}

// Views of equal values are identical, although they are stored in different places.
void TestCliContainers::comparesViews() {
    const CliResult result = runCli({"compare", "--json", QStringLiteral(GUFO_TEST_DATA "/containers/zip.pt"),
                                     QStringLiteral(GUFO_TEST_DATA "/containers/zip-protocol4.pt")});
    QCOMPARE(result.code, 0);
    const QJsonArray tensors = result.json()["tensors"].toArray();
    QVERIFY(!byName(tensors, "name", "transposed").isEmpty());
    for (const QJsonValue& tensor : tensors) {
        QVERIFY2(tensor["status"] == "identical", QJsonDocument(tensor.toObject()).toJson().constData());
    }
}

// What Python would call is named, and nothing is called.
void TestCliContainers::hostileCheckpoint() {
    const QString file = QStringLiteral(GUFO_TEST_DATA "/containers/evil.pt");
    for (const char* verb : {"info", "validate"}) {
        const CliResult result = runCli({QString::fromLatin1(verb), file});
        QCOMPARE(result.code, QByteArray(verb) == "validate" ? 1 : 0);
        QVERIFY2(result.out.contains("posix.system"), result.out.constData());
    }
    const QJsonObject json = runCli({"info", "--json", file}).json();
    const QJsonObject finding = json["findings"].toArray()[0].toObject();
    QCOMPARE(finding["code"], "global_dangerous");
    QCOMPARE(finding["severity"], "error");
    QVERIFY(!QFile::exists("/tmp/evil-was-here"));
}

// Each of several names is said by both verbs, with its severity; a name that is only unknown is a warning.
void TestCliContainers::namesEveryGlobal() {
    const std::map<QByteArray, QByteArray> names = {{"posix.system", "global_dangerous"},
                                                    {"subprocess.Popen", "global_dangerous"},
                                                    {"builtins.eval", "global_dangerous"},
                                                    {"shutil.rmtree", "global_dangerous"},
                                                    {"my.module.Thing", "global_unknown"}};
    std::string pickle = "\x80\x02]";
    for (const auto& [name, code] : names) {
        const qsizetype dot = name.lastIndexOf('.');
        pickle += "c" + name.left(dot).toStdString() + "\n" + name.mid(dot + 1).toStdString() + "\n)Ra";
    }
    ZipBuilder().entry("m/data.pkl", pickle + ".").write(path("several.pt").toStdString());
    const CliResult validate = runCli({"validate", path("several.pt"), "--json"});
    QCOMPARE(validate.code, 1);
    const CliResult info = runCli({"info", path("several.pt"), "--json"});
    QCOMPARE(info.code, 0);
    const QByteArray text = runCli({"validate", path("several.pt")}).out;
    for (const auto& [name, code] : names) {
        QVERIFY2(text.contains(name), name.constData());
        for (const CliResult& result : {validate, info}) {
            int found = 0;
            for (const QJsonValue& finding : result.json()["findings"].toArray()) {
                found += finding["code"].toString().toUtf8() == code && finding["message"].toString().contains(name);
            }
            QVERIFY2(found == 1, result.out.constData());
        }
    }
}

void TestCliContainers::cannotBeChanged() {
    const CliResult set = runCli({"set", path("old.bin"), "n_embd=64"});
    QCOMPARE(set.code, 2);
    QVERIFY2(set.err.contains("GGJT"), set.err.constData());
}

void TestCliContainers::oldestCheckpoint() {
    const QJsonObject json = runCli({"info", "--json", QStringLiteral(GUFO_TEST_DATA "/containers/tar.pt")}).json();
    QCOMPARE(json["format"], "pytorch");
    QCOMPARE(json["tensors"].toArray().size(), 9);
}

void TestCliContainers::safetensorsMetadata() {
    SafetensorsBuilder file;
    file.metadata("format", "pt").tensor("a", "F32", {2}).write(path("m.safetensors").toStdString());
    const CliResult set = runCli({"set", path("m.safetensors"), "step=12", "note=true", "--json"});
    QVERIFY2(set.code == 0, set.err.constData());
    const QJsonArray keys = runCli({"info", path("m.safetensors"), "--json"}).json()["kv"].toArray();
    QCOMPARE(byName(keys, "key", "step")["value"], "12"); // values are texts
    QCOMPARE(byName(keys, "key", "note")["value"], "true");
    QCOMPARE(byName(keys, "key", "format")["value"], "pt");
    const CliResult typed = runCli({"set", path("m.safetensors"), "step=12", "--type", "u32"});
    QCOMPARE(typed.code, 2);
    QVERIFY2(typed.err.contains("step") && typed.err.contains("not a text"), typed.err.constData());
    QCOMPARE(runCli({"set", path("m.safetensors"), "--rename-tensor", "a=b"}).code, 2);
    QCOMPARE(runCli({"set", path("m.safetensors"), "--delete", "note", "-o", path("n.safetensors")}).code, 0);
    QCOMPARE(runCli({"info", path("n.safetensors"), "--json"}).json()["kv"].toArray().size(), 2);
    QCOMPARE(runCli({"recover", path("m.safetensors"), "--json"}).json()["recovery"], "not_needed");
    QCOMPARE(runCli({"split", path("m.safetensors"), path("part")}).code, 2);
}

void TestCliContainers::whatDownloadsLeave() {
    const auto says = [&](const char* name, const QByteArray& bytes, const QList<QByteArray>& words) {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        file.close();
        const CliResult info = runCli({"info", path(name)});
        QCOMPARE(info.code, 2);
        for (const QByteArray& word : words) {
            QVERIFY2(info.err.contains(word), info.err.constData());
        }
    };
    says("lfs.gguf", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 4109854528\n",
         {"Git LFS", "3.83 GiB", "sha256:4d7a21"});
    says("page.gguf", "<!doctype html><title>Sign in</title>", {"Sign in"});
    says("error.gguf", R"({"error":"Repository not found"})", {"Repository not found"});
    says("empty.json.gguf", R"({"error":null})", {"an error without a text"});
    says("m.gguf.crdownload", "GGUF\3", {"unfinished download", "m.gguf"});
    says("empty.gguf", "", {"empty"});
    says("m.gguf-split-b", "x", {"m.gguf-split-a", "missing"});
}

void TestCliContainers::store() {
    const QString tags = path("models/manifests/registry.ollama.ai/library/tiny");
    QVERIFY(QDir().mkpath(tags) && QDir().mkpath(path("models/blobs")));
    GgufBuilder().key("general.name", "tiny").write(path("models/blobs/sha256-").toStdString() + std::string(64, 'a'));
    for (const char* tag : {"1b", "latest"}) {
        QFile file(tags + u'/' + QString::fromLatin1(tag));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"layers":[{"mediaType":"application/vnd.ollama.image.model","size":7,"digest":"sha256:)" +
                   QByteArray(64, 'a') + R"("}]})");
    }
    const QJsonArray models = runCli({"info", path("models"), "--json"}).json()["models"].toArray();
    QCOMPARE(models.size(), 2);
    QCOMPARE(models[0]["name"], "tiny:1b");
    QCOMPARE(models[1]["bytes"], 7);
    const CliResult text = runCli({"info", path("models")});
    QCOMPARE(text.code, 0);
    QVERIFY2(text.out.contains("tiny:latest"), text.out.constData());
    for (const QString& file : {path("models/tiny:1b"), models[0]["path"].toString()}) {
        QCOMPARE(byName(runCli({"info", file, "--json"}).json()["kv"].toArray(), "key", "general.name")["value"],
                 "tiny");
    }
    // Such a name is no mistyped name of a repository.
    const CliResult relative = runShell("cd '" + path("") + "' && \"$CLI\" info models/tiny:1b --json");
    QVERIFY2(relative.code == 0, relative.err.constData());
    const CliResult set = runCli({"set", path("models/tiny:1b"), "general.name=other"}); // never in place
    QCOMPARE(set.code, 2);
    QVERIFY2(set.err.contains("other models may share it") && set.err.contains("-o OUT"), set.err.constData());
    QVERIFY(!set.err.contains("onvert"));
    QCOMPARE(runCli({"set", path("models/tiny:1b"), "general.name=other", "-o", path("other.gguf")}).code, 0);
    QCOMPARE(runCli({"get", path("other.gguf"), "general.name"}).out, "other");
}

GUFO_TEST(TestCliContainers)
#include "tst_cli_containers.moc"
