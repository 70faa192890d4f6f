// Saving the metadata of sets of safetensors files, which change as a whole however they were opened, and of folders.
// Single files are in tst_safetensors_save.
#include "document/document.h"
#include "document/open_model.h"
#include "formats/container/container.h"
#include "formats/container/model_saving.h"
#include "model/finding_code.h"
#include "safetensors_files.h"
#include "support/hooked_operations.h"
#include "support/save_scenarios.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <sys/wait.h>
#include <unistd.h>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;
using std::string_literals::operator""s;

class TestSafetensorsSaveSets : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>("/var/tmp/gufo-safetensors-XXXXXX");
        m_root = m_folder->path().toStdString();
    }
    void sets_data();
    void sets();
    void otherShardsStay();
    void recoversSets_data();
    void recoversSets();
    void refusesSets_data();
    void refusesSets();
    void keysOfOtherFilesStay();
    void savesSetsAs_data();
    void savesSetsAs();
    void setsReplaceNoOtherFiles();
    void completesSetsSavedAs_data();
    void completesSetsSavedAs();

private:
    [[nodiscard]] static std::string shard(int number) {
        return "s-0000" + std::to_string(number) + "-of-00003.safetensors";
    }
    // Three shards with their list. They differ in their keys, and in the value of one.
    static void writeSet(const fs::path& folder) {
        fs::create_directories(folder);
        std::string map;
        for (int i = 1; i <= 3; ++i) {
            SafetensorsBuilder file;
            file.metadata("format", "pt");
            if (i < 3) {
                file.metadata("name", "before").metadata("own", std::to_string(i));
            }
            if (i == 1) {
                file.metadata("first only", "x");
            }
            const std::string tensor = "t" + std::to_string(i);
            file.tensor(tensor, "F32", {30, 100}, scenarioPattern(12'000, static_cast<unsigned>(i)));
            file.write(folder / shard(i));
            map += (map.empty() ? "\"" : ",\"") + tensor + "\":\"" + shard(i) + '"';
        }
        writeFile(folder / "model.safetensors.index.json", R"({"weight_map":{)" + map + "}}");
    }
    static bool hasFinding(const Model& model, FindingCode code, std::string_view key) {
        return std::ranges::any_of(
            model.findings, [&](const Finding& finding) { return finding.code == code && finding.place.name == key; });
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_root;
};

// A set changes as a whole, however it was opened.
void TestSafetensorsSaveSets::sets_data() {
    QTest::addColumn<QString>("opened");
    QTest::newRow("by a shard") << "s-00002-of-00003.safetensors";
    QTest::newRow("by its list") << "model.safetensors.index.json";
    QTest::newRow("through its folder") << "";
}

void TestSafetensorsSaveSets::sets() {
    QFETCH(QString, opened);
    const fs::path folder = m_root / "set";
    writeSet(folder);
    const auto model = openModel(opened.isEmpty() ? folder : folder / opened.toStdString());
    QVERIFY(model);
    QVERIFY(capabilitiesOf(**model).has(Capability::EditMetadata));
    QVERIFY(capabilitiesOf(**model).has(Capability::SaveInPlace));
    QVERIFY(capabilitiesOf(**model).has(Capability::SaveAs));
    QVERIFY(hasFinding(**model, FindingCode::ShardKeysDiffer, "own"));
    QVERIFY(!hasFinding(**model, FindingCode::ShardKeysDiffer, "format")); // equal where it occurs
    QVERIFY(!hasFinding(**model, FindingCode::ShardKeysDiffer, "name"));   // one shard lacks it
    // Of two values, the first shard's is shown.
    QCOMPARE((*model)->metadata.string("own").value_or(""), std::string_view("1"));

    Document document(*model);
    QVERIFY(document.apply(
        {SetKey{"name", OwnedValue("after"s)}, SetKey{"added", OwnedValue("new"s)}, DeleteKey{"first only"}}, "edit"));
    const auto report = saveModel(*document.base(), *document.current(), document.target(), {.verify = true});
    QVERIFY2(report, report ? "" : errorName(report.error().code).data());
    QCOMPARE(report->files.size(), std::size_t{3});
    QVERIFY(report->hashBefore && report->hashBefore == report->hashAfter);
    QCOMPARE(QString::fromStdString(headerOf(folder / shard(1)).substr(0, 75)),
             QString(R"({"__metadata__":{"format":"pt","name":"after","own":"1","added":"new"},"t1")"));
    QVERIFY(headerOf(folder / shard(2))
                .starts_with(R"({"__metadata__":{"format":"pt","name":"after","own":"2","added":"new"},"t2")"));
    QVERIFY(headerOf(folder / shard(3)).starts_with(R"({"__metadata__":{"format":"pt","added":"new"},"t3")"));

    // A key whose values differ becomes equal by a change, only in the shards that have it.
    const auto again = openModel(opened.isEmpty() ? folder : folder / opened.toStdString());
    QVERIFY(again);
    Document second(*again);
    QVERIFY(second.apply({SetKey{"own", OwnedValue("one"s)}}, "edit"));
    QVERIFY(saveModel(*second.base(), *second.current(), second.target()));
    QVERIFY(headerOf(folder / shard(2)).find(R"("own":"one")") != std::string::npos);
    QVERIFY(headerOf(folder / shard(3)).find("own") == std::string::npos);
    const auto agreeing = openModel(folder);
    QVERIFY(agreeing && !hasFinding(**agreeing, FindingCode::ShardKeysDiffer, "own"));
}

// A change that only some shards need leaves the files of the others alone.
void TestSafetensorsSaveSets::otherShardsStay() {
    const fs::path folder = m_root / "set";
    writeSet(folder);
    const FileBytes before = readFile(folder / shard(3));
    const auto model = openModel(folder / shard(1));
    QVERIFY(model);
    Document document(*model);
    QVERIFY(document.apply({DeleteKey{"first only"}}, "edit"));
    const auto report = saveModel(*document.base(), *document.current(), document.target());
    QVERIFY(report);
    QCOMPARE(report->files.size(), std::size_t{1});
    QCOMPARE(report->files[0].plan.path.filename(), fs::path(shard(1)));
    QVERIFY(readFile(folder / shard(3)) == before);
}

// What was interrupted is undone or completed however the set is opened next.
void TestSafetensorsSaveSets::recoversSets_data() { sets_data(); }

void TestSafetensorsSaveSets::recoversSets() {
    QFETCH(QString, opened);
    const fs::path folder = m_root / "set";
    writeSet(folder);
    const std::string before = headerOf(folder / shard(2));
    const pid_t child = fork();
    if (child == 0) { // ends in the middle of the save, after the journal and the first changes
        HookedOperations operations;
        int writes = 0;
        operations.before = [&](const HookedOperations::Call& call) {
            const bool isChange =
                call.name == "write"s && fs::exists(folder / "s-00000-of-00003.safetensors.gufo-journal");
            if (isChange && ++writes == 4) {
                ::_exit(7);
            }
            return 0;
        };
        const auto model = openModel(folder / shard(1));
        Document document(*model);
        (void)document.apply({SetKey{"name", OwnedValue("afteR!"s)}}, "edit");
        (void)saveModel(*document.base(), *document.current(), document.target(), {.operations = &operations});
        ::_exit(0);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QCOMPARE(WEXITSTATUS(status), 7);
    QVERIFY(fs::exists(folder / "s-00000-of-00003.safetensors.gufo-journal"));
    const auto model = openModel(opened.isEmpty() ? folder : folder / opened.toStdString());
    QVERIFY2(model, model ? "" : errorName(model.error().code).data());
    QVERIFY(!fs::exists(folder / "s-00000-of-00003.safetensors.gufo-journal"));
    QCOMPARE((*model)->metadata.string("name").value_or(""), std::string_view("before"));
    QCOMPARE(headerOf(folder / shard(2)), before);
}

void TestSafetensorsSaveSets::refusesSets_data() {
    QTest::addColumn<QByteArray>("second"); // the name of the second shard; empty: the shard is missing
    QTest::addColumn<ErrorCode>("code");
    QTest::newRow("a shard is missing") << QByteArray() << ErrorCode::SetIncomplete;
    QTest::newRow("files without numbers") << QByteArray("two.safetensors") << ErrorCode::FormatReadOnly;
    QTest::newRow("files of two sets") << QByteArray("x-00002-of-00003.safetensors") << ErrorCode::FormatReadOnly;
}

void TestSafetensorsSaveSets::refusesSets() {
    QFETCH(QByteArray, second);
    QFETCH(ErrorCode, code);
    const fs::path folder = m_root / "set";
    writeSet(folder);
    if (second.isEmpty()) {
        fs::remove(folder / shard(2));
    } else {
        fs::rename(folder / shard(2), folder / second.toStdString());
        FileBytes list = readFile(folder / "model.safetensors.index.json");
        const std::string name = shard(2);
        list.replace(list.find(name), name.size(), second.toStdString());
        writeFile(folder / "model.safetensors.index.json", list);
    }
    const auto model = openModel(folder / "model.safetensors.index.json");
    QVERIFY(model);
    QVERIFY(capabilitiesOf(**model).empty());
    QCOMPARE(saveModel(**model, **model, {}).error().code, code);
}

// A folder and a list show keys of other files, which do not change.
void TestSafetensorsSaveSets::keysOfOtherFilesStay() {
    const fs::path& folder = m_root;
    usualFile().write(folder / "model.safetensors");
    writeFile(folder / "config.json", R"({"hidden_size":8,"model_type":"llama"})");
    const auto model = openModel(folder);
    QVERIFY(model);
    QVERIFY((*model)->metadata.find("config.model_type") != nullptr);
    Document document(*model);
    for (const Change& change :
         std::vector<Change>{SetKey{"config.model_type", OwnedValue("x"s)}, DeleteKey{"config.model_type"},
                             RenameKey{"config.model_type", "x"}}) {
        const auto refused = document.apply({change}, "edit");
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::FormatReadOnly);
    }
    QVERIFY(document.apply({SetKey{"name", OwnedValue("after"s)}}, "edit"));
    QVERIFY(saveModel(*document.base(), *document.current(), document.target()));
    QCOMPARE(QString::fromStdString(headerOf(folder / "model.safetensors").substr(0, 47)),
             QString(R"({"__metadata__":{"format":"pt","name":"after"},)"));
    QCOMPARE(readFile(folder / "config.json"), FileBytes(R"({"hidden_size":8,"model_type":"llama"})"));
}

// A set that was opened in any way, under a name of any form, is a set with a list again.
void TestSafetensorsSaveSets::savesSetsAs_data() {
    QTest::addColumn<QString>("opened");
    QTest::addColumn<QString>("name");
    for (const char* name : {"new.safetensors.index.json", "new-00001-of-00003.safetensors", "new.safetensors"}) {
        for (const char* opened : {"s-00002-of-00003.safetensors", "model.safetensors.index.json", ""}) {
            QTest::addRow("%s from %s", name, *opened == 0 ? "the folder" : opened) << opened << name;
        }
    }
}

void TestSafetensorsSaveSets::savesSetsAs() {
    QFETCH(QString, opened);
    QFETCH(QString, name);
    const fs::path folder = m_root / "set";
    const fs::path out = m_root / "out";
    writeSet(folder);
    writeFile(folder / "config.json", R"({"model_type":"llama"})");
    fs::create_directories(out);
    const FileBytes shardBefore = readFile(folder / shard(2));
    const auto model = openModel(opened.isEmpty() ? folder : folder / opened.toStdString());
    QVERIFY(model);
    Document document(*model);
    QVERIFY(document.apply(
        {SetKey{"name", OwnedValue("after"s)}, SetKey{"added", OwnedValue("new"s)}, DeleteKey{"first only"}}, "edit"));
    const auto report = saveModelAs(*document.current(), document.target(), out / name.toStdString(), {.verify = true});
    QVERIFY2(report, describe(report).c_str());
    QCOMPARE(report->files.size(), std::size_t{4});
    QVERIFY(report->hashBefore && report->hashBefore == report->hashAfter);
    QVERIFY(headerOf(out / "new-00001-of-00003.safetensors")
                .starts_with(R"({"__metadata__":{"format":"pt","name":"after","own":"1","added":"new"},"t1")"));
    QVERIFY(headerOf(out / "new-00003-of-00003.safetensors")
                .starts_with(R"({"__metadata__":{"format":"pt","added":"new"},"t3")"));
    QVERIFY(readFile(folder / shard(2)) == shardBefore);
    const auto list = openModel(out / "new.safetensors.index.json");
    QVERIFY(list);
    QCOMPARE((*list)->tensors.size(), std::size_t{3});
    QCOMPARE((*list)->metadata.string("name").value_or(""), std::string_view("after"));
    QVERIFY2(std::ranges::none_of((*list)->findings,
                                  [](const Finding& finding) { return finding.code != FindingCode::ShardKeysDiffer; }),
             "the list names every tensor where it is");
    for (std::size_t i = 0; i < 3; ++i) {
        const auto bytes = (*list)->bytesOf((*list)->tensors[i]);
        QVERIFY(bytes && std::ranges::equal(*bytes, scenarioPattern(12'000, static_cast<unsigned>(i + 1))));
    }
    QVERIFY(!fs::exists(out / "new-00000-of-00003.safetensors.gufo-journal"));
}

// Only the file that was named may be replaced.
void TestSafetensorsSaveSets::setsReplaceNoOtherFiles() {
    const fs::path folder = m_root / "set";
    writeSet(folder);
    const auto model = openModel(folder);
    QVERIFY(model);
    const auto refusal = [&](const char* name) {
        const auto saved = saveModelAs(**model, {.version = 0}, folder / name);
        return saved ? Error{} : saved.error();
    };
    writeFile(folder / "new-00002-of-00003.safetensors", "other");
    QCOMPARE(refusal("new.safetensors.index.json").code, ErrorCode::InvalidArgument);
    QCOMPARE(refusal("new.safetensors").file, folder / "new-00002-of-00003.safetensors");
    QVERIFY(!fs::exists(folder / "new-00001-of-00003.safetensors"));
    QCOMPARE(readFile(folder / "new-00002-of-00003.safetensors"), FileBytes("other"));
    writeFile(folder / "x.safetensors", "other"); // the set would not have a file of this name
    QCOMPARE(refusal("x.safetensors").file, folder / "x.safetensors");
    QCOMPARE(refusal("s-00001-of-00003.safetensors").code, ErrorCode::InvalidArgument); // the set itself
    writeFile(folder / "y.safetensors.index.json", "other");
    QVERIFY(saveModelAs(**model, {.version = 0}, folder / "y.safetensors.index.json"));
    QVERIFY(openModel(folder / "y.safetensors.index.json"));
}

// Interrupted at the n-th rename, the new set is completed however it is opened next; before the first, there is none.
void TestSafetensorsSaveSets::completesSetsSavedAs_data() {
    QTest::addColumn<QString>("opened");
    QTest::addColumn<int>("rename");
    for (const char* opened : {"new-00003-of-00003.safetensors", "new.safetensors.index.json", ""}) {
        for (int rename = 1; rename <= 4; ++rename) {
            QTest::addRow("rename %d, %s", rename, *opened == 0 ? "the folder" : opened) << opened << rename;
        }
    }
}

void TestSafetensorsSaveSets::completesSetsSavedAs() {
    QFETCH(QString, opened);
    QFETCH(int, rename);
    const fs::path folder = m_root / "set";
    const fs::path out = m_root / "out";
    writeSet(folder);
    fs::create_directories(out);
    const pid_t child = fork();
    if (child == 0) {
        HookedOperations operations;
        int renames = 0;
        operations.before = [&](const HookedOperations::Call& call) {
            if (call.name == "rename"s && fs::exists(out / "new-00000-of-00003.safetensors.gufo-journal") &&
                ++renames == rename) {
                ::_exit(7);
            }
            return 0;
        };
        const auto model = openModel(folder);
        (void)saveModelAs(**model, {.version = 0}, out / "new.safetensors.index.json", {.operations = &operations});
        ::_exit(0);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QCOMPARE(WEXITSTATUS(status), 7);
    QVERIFY(!fs::exists(out / "new.safetensors.index.json")); // it is renamed last
    if (opened.startsWith("new-00003") && rename < 4) {
        QVERIFY(!fs::exists(out / opened.toStdString())); // the missing shard cannot be opened, so another one is
        opened = rename > 1 ? "new-00001-of-00003.safetensors" : "";
    }
    const auto model = openModel(opened.isEmpty() ? out : out / opened.toStdString());
    QVERIFY2(model, model ? "" : errorName(model.error().code).data());
    QCOMPARE((*model)->tensors.size(), std::size_t{3});
    QVERIFY(!fs::exists(out / "new-00000-of-00003.safetensors.gufo-journal"));
    QVERIFY(fs::exists(out / "new.safetensors.index.json"));
}

GUFO_TEST(TestSafetensorsSaveSets)
#include "tst_safetensors_save_sets.moc"
