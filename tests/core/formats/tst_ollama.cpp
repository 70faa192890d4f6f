// Models in the store of Ollama: listed by name and tag, opened by their manifest or name, never saved in place.
#include "document/document.h"
#include "document/open_model.h"
#include "formats/container/container.h"
#include "formats/container/model_saving.h"
#include "formats/ollama/store.h"
#include "model/owned_value.h"
#include "support/gguf_builder.h"
#include "support/problem_names.h"
#include "support/save_helpers.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

namespace {

const std::string kDigits(63, 'a');

std::string layer(const std::string& type, const std::string& digest) {
    return R"({"mediaType":"application/vnd.ollama.image.)" + type + R"(","digest":")" + digest + R"(","size":4321})";
}
std::string manifest(const std::string& layers) {
    return R"({"schemaVersion":2,"mediaType":"application/vnd.docker.distribution.manifest.v2+json",)"
           R"("config":{"digest":"sha256:x","size":[1]},"layers":[)" +
           layers + "]}";
}

} // namespace

class TestOllama : public QObject {
    Q_OBJECT

private slots:
    void init();
    void lists();
    void opens();
    void wholeStore();
    void byName_data();
    void byName();
    void neverSavedInPlace();
    void refuses_data();
    void refuses();
    void otherFolders();

private:
    [[nodiscard]] fs::path store() const { return fs::path(m_folder->path().toStdString()) / "models"; }
    [[nodiscard]] fs::path blob(char last) const { return store() / "blobs" / ("sha256-" + kDigits + last); }
    fs::path add(const std::string& path, const std::string& text) const {
        const fs::path file = store() / "manifests" / path;
        fs::create_directories(file.parent_path());
        writeFile(file, text);
        return file;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_manifest;
};

void TestOllama::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    fs::create_directories(store() / "blobs");
    GgufBuilder().key("general.architecture", "llama").key("general.name", "one").write(blob('1'));
    GgufBuilder().key("general.architecture", "llama").key("general.name", "two").write(blob('2'));
    const std::string others = layer("template", "sha256:" + kDigits + "9") + ",";
    m_manifest =
        add("registry.ollama.ai/library/llama3/8b", manifest(others + layer("model", "sha256:" + kDigits + "1")));
    add("registry.ollama.ai/library/llama3/latest", manifest(layer("model", "sha256:" + kDigits + "2")));
    add("registry.ollama.ai/owl/llama3/8b", manifest(layer("model", "sha256:" + kDigits + "2")));
    add("example.org/owl/llama3/8b", manifest(layer("model", "sha256:" + kDigits + "2")));
}

void TestOllama::lists() {
    add("registry.ollama.ai/library/broken/1", "{");
    add("registry.ollama.ai/library/template/1", manifest(layer("template", "sha256:" + kDigits + "9")));
    for (const fs::path& folder : {store(), store() / "blobs", store() / "manifests", store() / ""}) {
        const auto found = ollama::storeOf(folder);
        QVERIFY2(found, folder.c_str());
        const auto models = ollama::modelsIn(*found, {});
        QVERIFY(models);
        QStringList names;
        for (const ollama::StoredModel& model : *models) {
            names << QString::fromStdString(model.name);
            QCOMPARE(model.bytes, 4321U);
            QVERIFY(openModel(model.manifest));
        }
        QCOMPARE(names, QStringList({"example.org/owl/llama3:8b", "llama3:8b", "llama3:latest", "owl/llama3:8b"}));
    }
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(ollama::modelsIn(store(), {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
}

void TestOllama::opens() {
    const auto model = openModel(m_manifest);
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    QCOMPARE((*model)->metadata.string("general.name"), "one");
    QCOMPARE((*model)->path(), m_manifest);
    QCOMPARE((*model)->files.at(0).path, blob('1'));
    QCOMPARE((*model)->container, "gguf");
}

void TestOllama::wholeStore() {
    QCOMPARE(errorOf(openModel(store()).error()), "not_supported several_models 4");
    fs::remove_all(store() / "manifests/example.org");
    fs::remove_all(store() / "manifests/registry.ollama.ai/owl");
    fs::remove(store() / "manifests/registry.ollama.ai/library/llama3/latest");
    QVERIFY(openModel(store()));
    fs::remove(m_manifest);
    QCOMPARE(errorOf(openModel(store()).error()), "not_supported no_model_in_folder");
}

void TestOllama::byName_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("model"); // general.name; empty: not found
    QTest::newRow("tag") << "llama3:8b" << "one";
    QTest::newRow("without a tag") << "llama3" << "two";
    QTest::newRow("namespace") << "owl/llama3:8b" << "two";
    QTest::newRow("host") << "example.org/owl/llama3:8b" << "two";
    QTest::newRow("no such tag") << "llama3:70b" << "";
    QTest::newRow("no tag behind the colon") << "llama3:" << "";
    QTest::newRow("no such name") << "qwen" << "";
}

void TestOllama::byName() {
    QFETCH(QString, name);
    QFETCH(QString, model);
    const auto opened = openModel(store() / name.toStdString());
    QCOMPARE(opened.has_value(), !model.isEmpty());
    if (opened) {
        QCOMPARE((*opened)->metadata.string("general.name"), model.toStdString());
    } else {
        QCOMPARE(opened.error().code, ErrorCode::FileNotFound);
    }
}

// Neither through the manifest nor as the blob, whose name is its hash.
void TestOllama::neverSavedInPlace() {
    const FileBytes before = readFile(blob('1'));
    Document document(*openModel(m_manifest));
    QVERIFY(!document.capabilities().has(Capability::SaveInPlace));
    QVERIFY(document.apply({SetKey{"general.name", OwnedValue(std::string_view("other"))}}, "edit"));
    QCOMPARE(saveModel(*document.base(), *document.current(), document.target()).error().code,
             ErrorCode::FormatReadOnly);
    const fs::path copy = store().parent_path() / "copy.gguf";
    QVERIFY(saveModelAs(*document.current(), document.target(), copy));
    QCOMPARE((*openModel(copy))->metadata.string("general.name"), "other");
    const auto direct = openModel(blob('1'));
    QVERIFY(direct);
    QCOMPARE(saveModel(**direct, ModelEdit(**direct).set("general.name", "x").model(), {}).error().code,
             ErrorCode::SharedFile);
    QVERIFY(readFile(blob('1')) == before);
}

void TestOllama::refuses_data() {
    QTest::addColumn<QString>("layers");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const std::string& layers, const char* error) {
        QTest::newRow(name) << QString::fromStdString(layers) << QString::fromLatin1(error);
    };
    row("no weights", layer("params", "sha256:" + kDigits + "1"), "malformed no_model_layer");
    row("no layers", layer("params", "x"), "malformed no_model_layer");
    row("a digest that is a path", layer("model", "sha256:../../../etc/passwd"), "malformed no_model_layer");
    row("a digest of another length", layer("model", "sha256:" + kDigits), "malformed no_model_layer");
    row("another hash", layer("model", "md5:" + kDigits + "1"), "malformed no_model_layer");
    row("a blob that is missing", layer("model", "sha256:" + kDigits + "5"), "file_not_found");
    row("a layer that is no object", layer("params", "x") + ",1", "bad_syntax expected");
}

void TestOllama::refuses() {
    QFETCH(QString, layers);
    QFETCH(QString, error);
    const auto opened = openModel(add("registry.ollama.ai/library/x/y", manifest(layers.toStdString())));
    QVERIFY(!opened);
    QCOMPARE(errorOf(opened.error()).section(u' ', 0, 1), error.section(u' ', 0, 1));
    QVERIFY(!opened.error().file.empty());
}

// A manifest outside of a store leads nowhere.
void TestOllama::otherFolders() {
    const fs::path outside = store().parent_path() / "manifest";
    writeFile(outside, manifest(layer("model", "sha256:" + kDigits + "1")));
    QCOMPARE(errorOf(openModel(outside).error()), "malformed no_model_layer");
    QVERIFY(!ollama::storeOf(store().parent_path()));
    QVERIFY(!ollama::storeOf(store() / "manifests/registry.ollama.ai"));
    QVERIFY(!ollama::manifestNamed(store().parent_path() / "llama3:8b"));
}

GUFO_TEST(TestOllama)
#include "tst_ollama.moc"
