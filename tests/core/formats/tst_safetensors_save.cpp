// Saving the metadata of a safetensors file: the new header, reserved space, refusals. Sets of shards are in
// tst_safetensors_save_sets; interrupted saves are in tst_save_kill, tst_save_disk and tst_save_power.
#include "base/mapped_file.h"
#include "document/document.h"
#include "document/open_model.h"
#include "formats/container/model_saving.h"
#include "formats/safetensors/reader.h"
#include "formats/safetensors/save.h"
#include "safetensors_files.h"
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
    void savesAs();
    void verifies();

private:
    [[nodiscard]] std::shared_ptr<const Model> opened() const {
        auto model = openModel(m_file);
        return model ? *std::move(model) : nullptr;
    }
    [[nodiscard]] std::string header() const { return headerOf(m_file); }
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
    const auto saved = saveEdited(*base, edit.model(), kReserving);
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
    usualFile().write(m_file);
    const auto base = opened();
    const FileBytes before = data();
    QVERIFY(saveEdited(*base, ModelEdit(*base).set("name", "after").model(), kReserving));
    QVERIFY(header().ends_with(usualFile().header().substr(usualFile().header().find("\"a\":"))));
    QVERIFY(data() == before);
}

void TestSafetensorsSave::spacesAreUsedAndKept() {
    write(usualFile().header() + std::string(100, ' '), std::vector<std::byte>(407));
    const auto size = fs::file_size(m_file);
    auto base = opened();
    const Model edited = ModelEdit(*base).set("name", "before, and longer").model();
    const auto plan = planModelSave(*base, edited, {.version = 0});
    QVERIFY(plan);
    QCOMPARE(plan->files.at(0).strategy, SaveStrategy::Patch);
    QCOMPARE(plan->files.at(0).reason, SaveReason::FitsReserved);
    QCOMPARE(plan->files.at(0).reserved, 88U);
    QVERIFY(saveEdited(*base, edited, kReserving));
    QCOMPARE(fs::file_size(m_file), size);
}

void TestSafetensorsSave::undoneEditsGiveTheOldBytes() {
    write(usualFile().header() + std::string(100, ' '), std::vector<std::byte>(407));
    const FileBytes before = readFile(m_file);
    auto base = opened();
    QVERIFY(saveEdited(*base, ModelEdit(*base).set("name", "x").set("more", "y").model(), kReserving));
    QVERIFY(readFile(m_file) != before);
    base = opened();
    QVERIFY(saveEdited(*base, ModelEdit(*base).set("name", "before").remove("more").model(), kReserving));
    QVERIFY(readFile(m_file) == before);
}

// The next edits are patches.
void TestSafetensorsSave::growsWithSpaceForMore() {
    usualFile().write(m_file);
    auto base = opened();
    const FileBytes before = data();
    const std::string text(3'000, 't');
    const auto grown = saveEdited(*base, ModelEdit(*base).set("text", std::string_view(text)).model(), kReserving);
    QVERIFY2(grown, describe(grown).c_str());
    QVERIFY(grown->files.at(0).plan.strategy != SaveStrategy::Patch);
    QVERIFY(grown->files.at(0).plan.reserved >= safetensors::kReservedBytes);
    QVERIFY(data() == before);
    base = opened();
    const auto patched = saveEdited(*base, ModelEdit(*base).set("text 2", std::string_view(text)).model(), kReserving);
    QCOMPARE(patched->files.at(0).plan.strategy, SaveStrategy::Patch);
    QVERIFY(data() == before);
}

void TestSafetensorsSave::withoutReserve() {
    write(usualFile().header() + std::string(100, ' '), std::vector<std::byte>(407));
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
    usualFile().write(m_file);
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
    usualFile().write(m_file);
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
    usualFile().write(m_file);
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
    usualFile().write(m_file);
    const FileBytes before = readFile(m_file);
    const auto base = opened();
    const std::string text = value.toStdString();
    const Value wanted = value.isNull() ? Value(std::uint32_t{1}) : Value(std::string_view(text));
    const Model edited = ModelEdit(*base).set(key.toStdString(), wanted).model();
    for (const auto& refused : {saveEdited(*base, edited, kReserving),
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
    usualFile().write(m_file);
    const auto base = opened();
    const std::uint64_t others = header().size() - "before"s.size();
    std::string text(safetensors::kMaxHeader - others, 't');
    const auto largest = saveEdited(*base, ModelEdit(*base).set("name", std::string_view(text)).model(), kReserving);
    QVERIFY2(largest, describe(largest).c_str());
    QCOMPARE(largest->files.at(0).plan.strategy, SaveStrategy::Copy);
    QCOMPARE(header().size(), safetensors::kMaxHeader);
    const auto again = opened();
    QVERIFY(again);
    text += 't';
    const auto refused = saveEdited(*again, ModelEdit(*again).set("name", std::string_view(text)).model(), kReserving);
    QVERIFY(!refused);
    QCOMPARE(QString::fromStdString(refused.error().args.at(0).text()), "header_too_long 100000001 100000000");
}

void TestSafetensorsSave::onlyTexts() {
    usualFile().write(m_file);
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

void TestSafetensorsSave::savesAs() {
    write(usualFile().header() + std::string(1000, ' '), std::vector<std::byte>(407, std::byte{5}));
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

void TestSafetensorsSave::verifies() {
    usualFile().write(m_file);
    const auto base = opened();
    const auto saved = saveEdited(*base, ModelEdit(*base).set("name", "afteR!").model(), {.verify = true});
    QVERIFY2(saved, describe(saved).c_str());
    QVERIFY(saved->hashBefore && saved->hashBefore == saved->hashAfter);
}

GUFO_TEST(TestSafetensorsSave)
#include "tst_safetensors_save.moc"
