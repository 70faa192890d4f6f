// Saving the metadata of safetensors files: what the header becomes, reserved space, what is refused. Interrupted saves
// are those of tst_save_kill, tst_save_disk and tst_save_power.
#include "base/byte_order.h"
#include "base/mapped_file.h"
#include "document/document.h"
#include "document/open_model.h"
#include "formats/format.h"
#include "formats/recover/journal.h"
#include "formats/safetensors/reader.h"
#include "formats/safetensors/save.h"
#include "model/finding_code.h"
#include "support/hooked_operations.h"
#include "support/save_scenarios.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;
using std::string_literals::operator""s;

namespace {

SafetensorsBuilder usual() {
    SafetensorsBuilder file;
    file.metadata("format", "pt").metadata("name", "before");
    file.tensor("a", "F32", {100}, scenarioPattern(400, 1)).tensor("b", "U8", {7}, scenarioPattern(7, 2));
    return file;
}

} // namespace

class TestSafetensorsSave : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>("/var/tmp/gufo-safetensors-XXXXXX");
        m_file = fs::path(m_folder->path().toStdString()) / "m.safetensors";
    }
    void headers_data();
    void headers();
    void unchangedMembersStayAsWritten();
    void spacesAreUsedAndKept();
    void undoneEditsGiveTheOldBytes();
    void growsWithSpaceForMore();
    void withoutReserve();
    void strategies_data();
    void strategies();
    void unreadableWhileItChanges();
    void withoutItsJournal();
    void refuses_data();
    void refuses();
    void headerOfTheLargestSize();
    void onlyTexts();
    void sets_data();
    void sets();
    void otherShardsStay();
    void recoversSets_data();
    void recoversSets();
    void refusesSets_data();
    void refusesSets();
    void keysOfOtherFilesStay();
    void savesAs();
    void savesSetsAs_data();
    void savesSetsAs();
    void setsReplaceNoOtherFiles();
    void completesSetsSavedAs_data();
    void completesSetsSavedAs();
    void verifies();

private:
    [[nodiscard]] std::shared_ptr<const Model> opened() const {
        auto model = openModel(m_file);
        return model ? *std::move(model) : nullptr;
    }
    [[nodiscard]] std::string header() const { return headerOf(m_file); }
    // The header of a file, without spaces at its end.
    [[nodiscard]] static std::string headerOf(const fs::path& path) {
        const FileBytes bytes = readFile(path);
        const auto length = load<std::uint64_t>(reinterpret_cast<const std::byte*>(bytes.data()));
        std::string text = bytes.substr(8, length);
        text.resize(text.find_last_not_of(' ') + 1);
        return text;
    }
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
    [[nodiscard]] FileBytes data() const {
        const auto model = opened();
        return model ? readFile(m_file).substr(model->files[0].dataOffset) : FileBytes();
    }
    void write(std::string_view header, const std::vector<std::byte>& data = {}) const {
        writeFile(m_file, asText(safetensorsBytes(header, data)));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_file;
};

void TestSafetensorsSave::headers_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QList<QStringList>>("set"); // key and value; a key alone is removed
    QTest::addColumn<QString>("after");
    const auto row = [](const char* name, const char* before, const QList<QStringList>& set, const char* after) {
        QTest::newRow(name) << QString::fromUtf8(before) << set << QString::fromUtf8(after);
    };
    const char* tensor = R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})";
    const auto with = [&](const std::string& metadata) {
        return "{" + metadata + (metadata.empty() ? "" : ",") + tensor + "}";
    };
    const auto rows = [&](const char* name, const std::string& before, const QList<QStringList>& set,
                          const std::string& after) { row(name, with(before).c_str(), set, with(after).c_str()); };
    rows("another value", R"("__metadata__":{"x":"1"})", {{"x", "22"}}, R"("__metadata__":{"x":"22"})");
    rows("another key", R"("__metadata__":{"x":"1"})", {{"y", "2"}}, R"("__metadata__":{"x":"1","y":"2"})");
    rows("no key left", R"("__metadata__":{"x":"1"})", {{"x"}}, R"("__metadata__":{})");
    rows("the first key", "", {{"x", "1"}}, R"("__metadata__":{"x":"1"})");
    rows("characters to escape", R"("__metadata__":{"x":"1"})", {{"x", "a\"b\\c\nd\x01 \u00e9"}},
         R"("__metadata__":{"x":"a\"b\\c\nd\u0001 é"})");
    rows("a key to escape", "", {{"\"k\"", ""}}, R"("__metadata__":{"\"k\"":""})");
    rows("nothing", R"( "__metadata__" : {"x":"\u0041"} )", {}, R"( "__metadata__" : {"x":"\u0041"} )");
    rows("spaces between members", R"( "__metadata__" : {"x":"\u0041", "y" : "" } )", {{"y", "2"}},
         R"( "__metadata__" : {"x":"A","y":"2"} )");
    row("metadata behind the tensors",
        R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"__metadata__":{"x":"1"}})", {{"x", "2"}},
        R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"__metadata__":{"x":"2"}})");
    row("a tensor that is named like a member",
        R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"__metadata__":{"x":1}}})", {{"x", "2"}},
        R"({"__metadata__":{"x":"2"},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"__metadata__":{"x":1}}})");
}

void TestSafetensorsSave::headers() {
    QFETCH(QString, before);
    QFETCH(QList<QStringList>, set);
    QFETCH(QString, after);
    write(before.toStdString(), {std::byte{7}});
    const auto base = opened();
    QVERIFY(base);
    ModelEdit edit(*base);
    for (const QStringList& change : set) {
        const std::string key = change[0].toStdString();
        const std::string value = change.size() > 1 ? change[1].toStdString() : "";
        change.size() > 1 ? edit.set(key, std::string_view(value)) : edit.remove(key);
    }
    const auto saved = saveEdited(*base, edit.model(), {});
    QVERIFY2(saved, describe(saved).c_str());
    QCOMPARE(saved->files.empty(), set.isEmpty());
    QCOMPARE(QString::fromStdString(header()), after);
    const auto again = opened();
    QVERIFY(again);
    for (const QStringList& change : set) {
        QCOMPARE(again->metadata.find(change[0].toStdString()) != nullptr, change.size() > 1);
        if (change.size() > 1) {
            QCOMPARE(again->metadata.string(change[0].toStdString()), change[1].toStdString());
        }
    }
    QCOMPARE(data(), "\7");
}

void TestSafetensorsSave::unchangedMembersStayAsWritten() {
    usual().write(m_file);
    const auto base = opened();
    const FileBytes before = data();
    QVERIFY(saveEdited(*base, ModelEdit(*base).set("name", "after").model(), {}));
    QVERIFY(header().ends_with(usual().header().substr(usual().header().find("\"a\":"))));
    QVERIFY(data() == before);
}

void TestSafetensorsSave::spacesAreUsedAndKept() {
    write(usual().header() + std::string(100, ' '), std::vector<std::byte>(407));
    const auto size = fs::file_size(m_file);
    auto base = opened();
    const Model edited = ModelEdit(*base).set("name", "before, and longer").model();
    const auto plan = planModelSave(*base, edited, {.version = 0});
    QVERIFY(plan);
    QCOMPARE(plan->files.at(0).strategy, SaveStrategy::Patch);
    QCOMPARE(plan->files.at(0).reason, SaveReason::FitsReserved);
    QCOMPARE(plan->files.at(0).reserved, 88U);
    QVERIFY(saveEdited(*base, edited, {}));
    QCOMPARE(fs::file_size(m_file), size);
}

void TestSafetensorsSave::undoneEditsGiveTheOldBytes() {
    write(usual().header() + std::string(100, ' '), std::vector<std::byte>(407));
    const FileBytes before = readFile(m_file);
    auto base = opened();
    QVERIFY(saveEdited(*base, ModelEdit(*base).set("name", "x").set("more", "y").model(), {}));
    QVERIFY(readFile(m_file) != before);
    base = opened();
    QVERIFY(saveEdited(*base, ModelEdit(*base).set("name", "before").remove("more").model(), {}));
    QVERIFY(readFile(m_file) == before);
}

// The next edits are patches.
void TestSafetensorsSave::growsWithSpaceForMore() {
    usual().write(m_file);
    auto base = opened();
    const FileBytes before = data();
    const std::string text(3'000, 't');
    const auto grown = saveEdited(*base, ModelEdit(*base).set("text", std::string_view(text)).model(), {});
    QVERIFY2(grown, describe(grown).c_str());
    QVERIFY(grown->files.at(0).plan.strategy != SaveStrategy::Patch);
    QVERIFY(grown->files.at(0).plan.reserved >= safetensors::kReservedBytes);
    QVERIFY(data() == before);
    base = opened();
    const auto patched = saveEdited(*base, ModelEdit(*base).set("text 2", std::string_view(text)).model(), {});
    QCOMPARE(patched->files.at(0).plan.strategy, SaveStrategy::Patch);
    QVERIFY(data() == before);
}

void TestSafetensorsSave::withoutReserve() {
    write(usual().header() + std::string(100, ' '), std::vector<std::byte>(407));
    const auto base = opened();
    const auto saved = saveEdited(*base, ModelEdit(*base).set("name", "before!").model(), {.reserve = Reserve::None});
    QVERIFY2(saved, describe(saved).c_str());
    QCOMPARE(saved->files.at(0).plan.strategy, SaveStrategy::Copy);
    QCOMPARE(saved->files.at(0).plan.reserved, 0U);
    QCOMPARE(opened()->files[0].dataOffset, (8 + header().size() + 7) / 8 * 8);
}

void TestSafetensorsSave::strategies_data() {
    QTest::addColumn<int>("strategy");
    QTest::addColumn<QString>("value");
    QTest::addColumn<bool>("possible");
    QTest::newRow("patch of the same length") << static_cast<int>(SaveStrategy::Patch) << "afteR!" << true;
    QTest::newRow("patch of a longer header") << static_cast<int>(SaveStrategy::Patch) << "much longer" << false;
    QTest::newRow("copy of the same length") << static_cast<int>(SaveStrategy::Copy) << "afteR!" << true;
    QTest::newRow("copy of a longer header") << static_cast<int>(SaveStrategy::Copy) << "much longer" << true;
}

void TestSafetensorsSave::strategies() {
    QFETCH(int, strategy);
    QFETCH(QString, value);
    QFETCH(bool, possible);
    usual().write(m_file);
    const FileBytes before = readFile(m_file);
    const FileBytes tensors = data();
    const std::string text = value.toStdString();
    const auto base = opened();
    const auto saved = saveEdited(*base, ModelEdit(*base).set("name", std::string_view(text)).model(),
                                  {.strategy = static_cast<SaveStrategy>(strategy)});
    QCOMPARE(saved.has_value(), possible);
    if (possible) {
        QCOMPARE(saved->files.at(0).plan.strategy, static_cast<SaveStrategy>(strategy));
        QCOMPARE(opened()->metadata.string("name"), text);
        QVERIFY(data() == tensors);
    } else {
        QCOMPARE(saved.error().code, ErrorCode::StrategyImpossible);
        QVERIFY(readFile(m_file) == before);
    }
}

// Kills a save after each operation, and reads what another program would: the old file, the new file, or a length that
// no reader accepts.
void TestSafetensorsSave::unreadableWhileItChanges() {
    for (const Scenario& scenario : safetensorsScenarios()) {
        const FileBytes before = scenario.files.at(scenario.first);
        const std::string journal = m_file.native() + ".gufo-journal";
        bool ends = false;
        int unreadable = 0;
        std::vector<FileBytes> others;
        for (int at = 0; !ends; ++at) {
            fs::remove(journal);
            writeFile(m_file, before);
            const pid_t child = fork();
            if (child == 0) {
                HookedOperations operations;
                operations.after = [&](const HookedOperations::Call& call) {
                    if (call.number == at) {
                        _exit(1);
                    }
                };
                SaveOptions options = scenario.options;
                options.operations = &operations;
                const auto base = opened();
                _exit(base && saveEdited(*base, scenario.edit(*base), options) ? 0 : 2);
            }
            int status = 0;
            waitpid(child, &status, 0);
            QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) < 2);
            ends = WEXITSTATUS(status) == 0;
            const FileBytes now = readFile(m_file);
            const auto length = load<std::uint64_t>(reinterpret_cast<const std::byte*>(now.data()));
            if (length == ~std::uint64_t{0} || length == 0) { // zeros: blocks were inserted at the very front
                ++unreadable;
                QVERIFY(!safetensors::read(MappedFile::open(m_file).value()));
                QVERIFY(fs::exists(journal));
            } else if (now != before && std::ranges::find(others, now) == others.end()) {
                others.push_back(now);
            }
        }
        QVERIFY2(others.size() == 1 && others[0] == readFile(m_file), scenario.name); // the new file
        QVERIFY2((unreadable > 2) == (scenario.expected != SaveStrategy::Copy), scenario.name);
    }
}

void TestSafetensorsSave::withoutItsJournal() {
    usual().write(m_file);
    FileBytes bytes = readFile(m_file);
    bytes.replace(0, 8, 8, '\xff');
    writeFile(m_file, bytes);
    const auto model = openModel(m_file);
    QVERIFY(!model);
    QCOMPARE(model.error().code, ErrorCode::SaveInterrupted);
    QCOMPARE(model.error().args, Arguments{"m.safetensors.gufo-journal"s});
    // A damaged journal is not removed as long as the file needs it.
    writeFile(m_file.native() + ".gufo-journal", "GUFOJRNL and nonsense");
    QCOMPARE(openModel(m_file).error().code, ErrorCode::JournalDamaged);
    usual().write(m_file);
    QVERIFY(openModel(m_file));
    QVERIFY(!fs::exists(m_file.native() + ".gufo-journal"));
}

void TestSafetensorsSave::refuses_data() {
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QString>("error");
    QTest::newRow("a value that is not UTF-8") << QByteArray("x") << QByteArray("caf\xe9") << "utf8_string";
    QTest::newRow("a key that is not UTF-8") << QByteArray("\xff") << QByteArray("x") << "utf8_string";
    QTest::newRow("a number") << QByteArray("x") << QByteArray() << "metadata_not_text";
}

void TestSafetensorsSave::refuses() {
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, value);
    QFETCH(QString, error);
    usual().write(m_file);
    const FileBytes before = readFile(m_file);
    const auto base = opened();
    const std::string text = value.toStdString();
    const Value wanted = value.isNull() ? Value(std::uint32_t{1}) : Value(std::string_view(text));
    const Model edited = ModelEdit(*base).set(key.toStdString(), wanted).model();
    for (const auto& refused : {saveEdited(*base, edited, {}),
                                saveModelAs(edited, {.version = 0}, m_file.parent_path() / "new.safetensors")}) {
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(QString::fromStdString(refused.error().args.at(0).text()), error);
        QCOMPARE(refused.error().place.name, key.toStdString());
    }
    QVERIFY(readFile(m_file) == before);
    QVERIFY(!fs::exists(m_file.parent_path() / "new.safetensors"));
}

void TestSafetensorsSave::headerOfTheLargestSize() {
    usual().write(m_file);
    const auto base = opened();
    const std::uint64_t others = header().size() - "before"s.size();
    std::string text(safetensors::kMaxHeader - others, 't');
    const auto largest = saveEdited(*base, ModelEdit(*base).set("name", std::string_view(text)).model(), {});
    QVERIFY2(largest, describe(largest).c_str());
    QCOMPARE(largest->files.at(0).plan.strategy, SaveStrategy::Copy);
    QCOMPARE(header().size(), safetensors::kMaxHeader);
    const auto again = opened();
    QVERIFY(again);
    text += 't';
    const auto refused = saveEdited(*again, ModelEdit(*again).set("name", std::string_view(text)).model(), {});
    QVERIFY(!refused);
    QCOMPARE(QString::fromStdString(refused.error().args.at(0).text()), "header_too_long 100000001 100000000");
}

void TestSafetensorsSave::onlyTexts() {
    usual().write(m_file);
    Document document(opened());
    QVERIFY(document.apply({SetKey{"name", OwnedValue(std::string_view("after"))}}, "edit"));
    const auto number = document.apply({SetKey{"step", OwnedValue(std::uint32_t{5})}}, "edit");
    QVERIFY(!number);
    QCOMPARE(number.error().code, ErrorCode::InvalidArgument);
    QCOMPARE(number.error().place.name, "step");
    for (const Change& change : {Change(SetTarget{.version = 3}), Change(DeleteTensor{"a"})}) {
        QCOMPARE(document.apply({change}, "edit").error().code, ErrorCode::FormatReadOnly);
    }
    QVERIFY(document.apply({RenameKey{"format", "form"}}, "edit"));
    QVERIFY(saveModel(*document.base(), *document.current(), document.target()));
    QCOMPARE(QString::fromStdString(header().substr(0, 47)), R"({"__metadata__":{"form":"pt","name":"after"},"a)");
}

// A set changes as a whole, however it was opened.
void TestSafetensorsSave::sets_data() {
    QTest::addColumn<QString>("opened");
    QTest::newRow("by a shard") << "s-00002-of-00003.safetensors";
    QTest::newRow("by its list") << "model.safetensors.index.json";
    QTest::newRow("through its folder") << "";
}

void TestSafetensorsSave::sets() {
    QFETCH(QString, opened);
    const fs::path folder = m_file.parent_path() / "set";
    writeSet(folder);
    const auto model = openModel(opened.isEmpty() ? folder : folder / opened.toStdString());
    QVERIFY(model);
    QVERIFY(capabilitiesOf(**model).has(Capability::EditMetadata));
    QVERIFY(capabilitiesOf(**model).has(Capability::SaveInPlace));
    QVERIFY(capabilitiesOf(**model).has(Capability::SaveAs));
    QVERIFY(hasFinding(**model, FindingCode::ShardKeysDiffer, "own"));
    QVERIFY(!hasFinding(**model, FindingCode::ShardKeysDiffer, "format")); // equal where it occurs
    QVERIFY(!hasFinding(**model, FindingCode::ShardKeysDiffer, "name"));   // one shard lacks it
    // Of two values, that of the first shard is shown.
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
void TestSafetensorsSave::otherShardsStay() {
    const fs::path folder = m_file.parent_path() / "set";
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
void TestSafetensorsSave::recoversSets_data() { sets_data(); }

void TestSafetensorsSave::recoversSets() {
    QFETCH(QString, opened);
    const fs::path folder = m_file.parent_path() / "set";
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

void TestSafetensorsSave::refusesSets_data() {
    QTest::addColumn<int>("which");
    QTest::newRow("a shard is missing") << 0;
    QTest::newRow("files without numbers") << 1;
    QTest::newRow("files of two sets") << 2;
}

void TestSafetensorsSave::refusesSets() {
    QFETCH(int, which);
    const fs::path folder = m_file.parent_path() / "set";
    writeSet(folder);
    if (which == 0) {
        fs::remove(folder / shard(2));
    } else {
        fs::rename(folder / shard(2), folder / (which == 1 ? "two.safetensors" : "x-00002-of-00003.safetensors"));
        FileBytes list = readFile(folder / "model.safetensors.index.json");
        const std::string name = shard(2);
        list.replace(list.find(name), name.size(), which == 1 ? "two.safetensors" : "x-00002-of-00003.safetensors");
        writeFile(folder / "model.safetensors.index.json", list);
    }
    const auto model = openModel(folder / "model.safetensors.index.json");
    QVERIFY(model);
    QVERIFY(capabilitiesOf(**model).empty());
    QCOMPARE(saveModel(**model, **model, {}).error().code, ErrorCode::FormatReadOnly);
}

// A folder and a list show keys of other files, which do not change.
void TestSafetensorsSave::keysOfOtherFilesStay() {
    const fs::path folder = m_file.parent_path();
    usual().write(folder / "model.safetensors");
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

void TestSafetensorsSave::savesAs() {
    write(usual().header() + std::string(1000, ' '), std::vector<std::byte>(407, std::byte{5}));
    const auto base = opened();
    const fs::path other = m_file.parent_path() / "other.safetensors";
    const auto report =
        saveModelAs(ModelEdit(*base).set("name", "after").model(), {.version = 0}, other, {.verify = true});
    QVERIFY2(report, describe(report).c_str());
    QVERIFY(report->hashBefore && report->hashBefore == report->hashAfter);
    const auto written = openModel(other);
    QVERIFY(written);
    QCOMPARE((*written)->metadata.string("name"), "after");
    QVERIFY((*written)->files[0].dataOffset < base->files[0].dataOffset); // without reserved space
    QVERIFY(readFile(other).ends_with(std::string(407, '\5')));
    QCOMPARE(opened()->metadata.string("name"), "before");
    QCOMPARE(saveModelAs(*base, {.version = 0}, other, {.strategy = SaveStrategy::Patch}).error().code,
             ErrorCode::StrategyImpossible);
    QCOMPARE(saveModelAs(*base, {.version = 0}, m_file.parent_path()).error().code, ErrorCode::IsDirectory);
}

// A set that was opened in any way, under a name of any form, is a set with a list again.
void TestSafetensorsSave::savesSetsAs_data() {
    QTest::addColumn<QString>("opened");
    QTest::addColumn<QString>("name");
    for (const char* name : {"new.safetensors.index.json", "new-00001-of-00003.safetensors", "new.safetensors"}) {
        for (const char* opened : {"s-00002-of-00003.safetensors", "model.safetensors.index.json", ""}) {
            QTest::addRow("%s from %s", name, *opened == 0 ? "the folder" : opened) << opened << name;
        }
    }
}

void TestSafetensorsSave::savesSetsAs() {
    QFETCH(QString, opened);
    QFETCH(QString, name);
    const fs::path folder = m_file.parent_path() / "set";
    const fs::path out = m_file.parent_path() / "out";
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
void TestSafetensorsSave::setsReplaceNoOtherFiles() {
    const fs::path folder = m_file.parent_path() / "set";
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
void TestSafetensorsSave::completesSetsSavedAs_data() {
    QTest::addColumn<QString>("opened");
    QTest::addColumn<int>("rename");
    for (const char* opened : {"new-00003-of-00003.safetensors", "new.safetensors.index.json", ""}) {
        for (int rename = 1; rename <= 4; ++rename) {
            QTest::addRow("rename %d, %s", rename, *opened == 0 ? "the folder" : opened) << opened << rename;
        }
    }
}

void TestSafetensorsSave::completesSetsSavedAs() {
    QFETCH(QString, opened);
    QFETCH(int, rename);
    const fs::path folder = m_file.parent_path() / "set";
    const fs::path out = m_file.parent_path() / "out";
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
        QVERIFY(!fs::exists(out / opened.toStdString())); // what is not there cannot be opened, so another shard is
        opened = rename > 1 ? "new-00001-of-00003.safetensors" : "";
    }
    const auto model = openModel(opened.isEmpty() ? out : out / opened.toStdString());
    QVERIFY2(model, model ? "" : errorName(model.error().code).data());
    QCOMPARE((*model)->tensors.size(), std::size_t{3});
    QVERIFY(!fs::exists(out / "new-00000-of-00003.safetensors.gufo-journal"));
    QVERIFY(fs::exists(out / "new.safetensors.index.json"));
}

void TestSafetensorsSave::verifies() {
    usual().write(m_file);
    const auto base = opened();
    const auto saved = saveEdited(*base, ModelEdit(*base).set("name", "afteR!").model(), {.verify = true});
    QVERIFY2(saved, describe(saved).c_str());
    QVERIFY(saved->hashBefore && saved->hashBefore == saved->hashAfter);
}

GUFO_TEST(TestSafetensorsSave)
#include "tst_safetensors_save.moc"
