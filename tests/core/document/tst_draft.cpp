// Drafts: unsaved changes can be restored, but only to the model that they belong to.
#include "document/document.h"
#include "document/draft.h"
#include "document/open_model.h"
#include "model/array_index.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace gufo;
using namespace gufo::test;

namespace {

GgufBuilder sample() {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.key("general.name", "Owl");
    file.key("x.u8", std::uint8_t{200});
    file.key("x.words", std::vector<std::string>{"a", "bb", "", "dddd", "e", "f", "g", "h"});
    file.key("x.last", 2.5);
    file.tensor("a", 0, {4}).tensor("b", 0, {8}).tensor("c", 0, {12});
    return file;
}

std::shared_ptr<const Model> openAt(const std::filesystem::path& path) {
    auto model = openModel(path);
    if (!model) {
        qFatal("the sample does not open");
    }
    return *model;
}

const ModelOpener kOpen = [](const std::filesystem::path& path) { return openModel(path); };

void sameContent(const Model& a, const Model& b) {
    QCOMPARE(a.metadata.size(), b.metadata.size());
    for (std::size_t i = 0; i < a.metadata.size(); ++i) {
        QCOMPARE(a.metadata[KvIndex(i)].key, b.metadata[KvIndex(i)].key);
        QVERIFY(OwnedValue::sameValue(a.metadata[KvIndex(i)].value, b.metadata[KvIndex(i)].value));
    }
    QCOMPARE(a.tensors.size(), b.tensors.size());
    for (std::size_t i = 0; i < a.tensors.size(); ++i) {
        QCOMPARE(a.tensors[i].name, b.tensors[i].name);
        QCOMPARE(a.tensors[i].offset, b.tensors[i].offset);
        QCOMPARE(a.importedFiles, b.importedFiles);
    }
    QCOMPARE(a.files.size(), b.files.size());
    for (std::size_t i = 0; i < a.files.size(); ++i) {
        QVERIFY(a.files[i].importHashes == b.files[i].importHashes);
    }
}

// One change of each kind.
std::vector<Change> edits(const std::shared_ptr<const Model>& other) {
    return {SetKey{"general.name", OwnedValue::string("Barn \xFF owl")},
            DeleteKey{"x.u8"},
            RenameKey{"x.last", "y.last"},
            MoveKey{"y.last", 0},
            SetKey{"new", OwnedValue(Value(-0.0F)), 1},
            SetElement{{"x.words"}, 2, OwnedValue::string("third")},
            InsertElements{{"x.words"}, 3, OwnedValue::strings(std::vector<std::string>{"in"})},
            RenameTensor{"a", "alpha"},
            DeleteTensor{"b"},
            MoveTensor{"c", 0},
            ImportTensor{.from = other, .name = "b", .newName = "imported", .position = 1},
            ImportTensor{.from = other, .name = "c", .newName = "c", .replace = true, .hash = ~std::uint64_t{0} - 1},
            SetTarget{.byteOrder = ByteOrder::Big},
            DropTrailingBytes{}};
}

} // namespace

class TestDraft : public QObject {
    Q_OBJECT

private slots:
    void init();
    void restoresEveryChange();
    void keepsSmallChangesOfLargeArraysSmall();
    void isGoneWhenNothingIsChanged();
    void undecidedDraftsAreSetAside();
    void restoredDraftGoesWithTheNext();
    void noticesAChangedFile();
    void isHeldByOne();
    void checksImportsAgain();
    void survivesDamage_data();
    void survivesDamage();
    void belongsToOneFile();
    void followsASave();
    void netChangesAreNoDetour();

private:
    [[nodiscard]] std::filesystem::path file(const char* name) const {
        return std::filesystem::path(m_folder->path().toStdString()) / name;
    }
    [[nodiscard]] std::filesystem::path drafts() const { return file("state/drafts"); }
    [[nodiscard]] Draft open(const Model& model) const {
        auto draft = Draft::open(drafts(), model);
        if (!draft) {
            qFatal("no draft: %s", std::string(errorName(draft.error().code)).c_str());
        }
        return *std::move(draft);
    }
    [[nodiscard]] std::filesystem::path draftFile() const {
        for (const auto& entry : std::filesystem::directory_iterator(drafts())) {
            if (entry.path().extension() == ".json") {
                return entry.path();
            }
        }
        return {};
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const Model> m_other;
};

void TestDraft::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    sample().write(file("model.gguf"));
    sample().key("of", "another").write(file("other.gguf"));
    m_model = openAt(file("model.gguf"));
    m_other = openAt(file("other.gguf"));
}

void TestDraft::restoresEveryChange() {
    Document document(m_model);
    QVERIFY(document.apply(edits(m_other), "all"));
    {
        Draft draft = open(*m_model);
        QVERIFY(draft.found() == Draft::Found::Nothing);
        QVERIFY(draft.keep(document.changes()));
    }
    const auto again = openAt(file("model.gguf"));
    Draft draft = open(*again);
    QVERIFY(draft.found() == Draft::Found::Fitting);
    const auto age = std::chrono::system_clock::now() - draft.foundTime();
    QVERIFY(age > std::chrono::seconds(-5) && age < std::chrono::minutes(5));
    const auto read = draft.restore(kOpen);
    QVERIFY2(read, read ? "" : read.error().args[0].text().c_str());
    QVERIFY(read->missing.empty());
    Document restored(again);
    const auto step = restored.apply(read->changes, "restored");
    QVERIFY2(step, step ? "" : step.error().args[0].text().c_str());
    sameContent(*restored.current(), *document.current());
    QVERIFY(restored.target() == document.target());
    restored.undo();
    QVERIFY(!restored.isModified());
}

void TestDraft::keepsSmallChangesOfLargeArraysSmall() {
    std::vector<std::string> words(100'000, "a word of the vocabulary");
    GgufBuilder().key("x.words", words).write(file("large.gguf"));
    const auto model = openAt(file("large.gguf"));
    Document document(model);
    QVERIFY(document.apply({SetElement{{"x.words"}, 50'000, OwnedValue::string("one")}}, "step"));
    Draft draft = open(*model);
    QVERIFY(draft.keep(document.changes()));
    QVERIFY(std::filesystem::file_size(draftFile()) < 1000);
    Document restored(model);
    QVERIFY(restored.apply(draft.restore(kOpen)->changes, "restored"));
    sameContent(*restored.current(), *document.current());
}

void TestDraft::isGoneWhenNothingIsChanged() {
    Document document(m_model);
    Draft draft = open(*m_model);
    QVERIFY(document.apply({DeleteKey{"x.u8"}}, "step"));
    QVERIFY(draft.keep(document.changes()));
    QVERIFY(!draftFile().empty());
    document.undo();
    QVERIFY(draft.keep(document.changes()));
    QVERIFY(draftFile().empty());
}

void TestDraft::undecidedDraftsAreSetAside() {
    const auto keyOf = [](const Draft& draft) { return std::get<DeleteKey>(draft.restore(kOpen)->changes[0]).key; };
    // Each run stores its changes without deciding about those of the run before.
    for (const char* key : {"x.u8", "x.words", "x.last"}) {
        Draft draft = open(*m_model);
        QVERIFY(draft.keep({DeleteKey{"general.name"}}));
        QVERIFY(draft.keep({DeleteKey{key}}));
    }
    Draft draft = open(*m_model);
    QVERIFY(draft.keep({DeleteKey{"general.name"}}));
    QVERIFY(draft.keep({})); // the changes of this run only
    for (const char* key : {"x.last", "x.words", "x.u8"}) {
        QVERIFY(draft.found() == Draft::Found::Fitting);
        QCOMPARE(keyOf(draft), std::string(key));
        QVERIFY(draft.discard());
    }
    QVERIFY(draft.found() == Draft::Found::Nothing);
    QVERIFY(draftFile().empty());
}

void TestDraft::restoredDraftGoesWithTheNext() {
    for (const bool edited : {false, true}) { // before restoring
        QVERIFY(open(*m_model).keep({DeleteKey{"x.u8"}}));
        {
            Draft draft = open(*m_model);
            if (edited) {
                QVERIFY(draft.keep({DeleteKey{"x.last"}}));
            }
            draft.setRestored();
            QVERIFY(draft.found() == Draft::Found::Nothing);
        }
        { // a kill before the next keep() loses nothing
            Draft draft = open(*m_model);
            QVERIFY(draft.found() == Draft::Found::Fitting);
            if (edited) {
                QCOMPARE(std::get<DeleteKey>(draft.restore(kOpen)->changes[0]).key, std::string("x.last"));
                draft.setRestored();
            }
            QCOMPARE(std::get<DeleteKey>(draft.restore(kOpen)->changes[0]).key, std::string("x.u8"));
            draft.setRestored();
            QVERIFY(draft.found() == Draft::Found::Nothing);
            QVERIFY(draft.keep({DeleteKey{"x.u8"}, DeleteKey{"x.last"}}));
        }
        Draft draft = open(*m_model);
        QCOMPARE(draft.restore(kOpen)->changes.size(), std::size_t{2});
        QVERIFY(draft.discard());
        QVERIFY(draftFile().empty());
    }
}

void TestDraft::noticesAChangedFile() {
    QVERIFY(open(*m_model).keep({DeleteKey{"x.u8"}}));
    sample().key("more", 1.0F).write(file("model.gguf"));
    const auto changed = openAt(file("model.gguf"));
    Draft draft = open(*changed);
    QVERIFY(draft.found() == Draft::Found::FileChanged);
    // The user may want to restore it anyway.
    Document document(changed);
    QVERIFY(document.apply(draft.restore(kOpen)->changes, "restored"));
    QVERIFY(document.isModified());
}

void TestDraft::isHeldByOne() {
    std::optional<Draft> first = open(*m_model);
    const auto second = Draft::open(drafts(), *m_model);
    QVERIFY(!second);
    QCOMPARE(second.error().code, ErrorCode::FileBusy);
    Draft moved = *std::move(first);
    first.reset();
    QVERIFY(!Draft::open(drafts(), *m_model));
    // Another model has its own draft.
    QVERIFY(Draft::open(drafts(), *m_other));
    moved = open(*m_other);
    QVERIFY(Draft::open(drafts(), *m_model));
}

void TestDraft::checksImportsAgain() {
    Document document(m_model);
    QVERIFY(document.apply({ImportTensor{.from = m_other, .name = "a", .newName = "new"}, DeleteKey{"x.u8"}}, "step"));
    QVERIFY(open(*m_model).keep(document.changes()));
    {
        Draft draft = open(*m_model);
        QCOMPARE(draft.restore(kOpen)->changes.size(), std::size_t{2});
    }
    sample().key("of", "a third").write(file("other.gguf"));
    {
        Draft draft = open(*m_model);
        const auto read = draft.restore(kOpen);
        QCOMPARE(read->changes.size(), std::size_t{1});
        QCOMPARE(read->missing.size(), std::size_t{1});
        QCOMPARE(read->missing[0].code, ErrorCode::FileChangedOnDisk);
        QCOMPARE(read->missing[0].place.name, std::string("new"));
    }
    std::filesystem::remove(file("other.gguf"));
    Draft draft = open(*m_model);
    QCOMPARE(draft.restore(kOpen)->missing[0].code, ErrorCode::FileNotFound);
}

void TestDraft::survivesDamage_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<bool>("fits"); // the head of the file is intact
    const QByteArray head = R"({"gufo_draft": 1, "file": "FILE", "header": "HEADER", )";
    QTest::newRow("empty") << QByteArray() << false;
    QTest::newRow("no JSON") << QByteArray("\0\1\2", 3) << false;
    QTest::newRow("another version") << QByteArray(R"({"gufo_draft": 2, "changes": []})") << false;
    QTest::newRow("no version") << QByteArray(R"({"changes": []})") << false;
    QTest::newRow("cut") << head + R"("changes": [{"op": "delete", "key": "x)" << true;
    QTest::newRow("unknown change") << head + R"("changes": [{"op": "explode"}]})" << true;
    QTest::newRow("no value") << head + R"("changes": [{"op": "set", "key": "x"}]})" << true;
    QTest::newRow("no numbers") << head + R"("changes": [{"op": "remove_elements", "key": "x"}]})" << true;
    QTest::newRow("negative") << head + R"("changes": [{"op": "move", "key": "x", "position": -1}]})" << true;
    QTest::newRow("more behind") << head + R"("changes": []} x)" << true;
    QTest::newRow("deep") << head + R"("changes": )" + QByteArray(100'000, '[') << true;
    QTest::newRow("nested types")
        << head + R"("changes": [{"op": "set", "key": "x", "type": "arr", "element_type": "arr", "value": )" +
               QByteArray(R"([{"element_type": "arr", "value": )").repeated(30)
        << true;
}

void TestDraft::survivesDamage() {
    QFETCH(QByteArray, content);
    QFETCH(bool, fits);
    QVERIFY(open(*m_model).keep({DeleteKey{"x.u8"}}));
    content.replace("FILE", QByteArray::fromStdString(std::filesystem::canonical(file("model.gguf")).native()));
    content.replace("HEADER", QByteArray::fromStdString(headerFingerprint(*m_model)));
    std::ofstream(draftFile(), std::ios::binary) << content.toStdString();
    Draft draft = open(*m_model);
    QVERIFY(draft.found() == (fits ? Draft::Found::Fitting : Draft::Found::Damaged));
    QVERIFY(!draft.restore(kOpen));
    QVERIFY(draft.keep({DeleteKey{"x.u8"}})); // beside it
    QVERIFY(draft.found() == (fits ? Draft::Found::Fitting : Draft::Found::Damaged));
    QVERIFY(draft.discard());
    QVERIFY(draft.found() == Draft::Found::Nothing);
    QCOMPARE(std::get<DeleteKey>(draft.restore(kOpen)->changes[0]).key, std::string("x.u8"));
}

void TestDraft::belongsToOneFile() {
    std::filesystem::create_symlink(file("model.gguf"), file("link.gguf"));
    QVERIFY(open(*openAt(file("link.gguf"))).keep({DeleteKey{"x.u8"}}));
    QVERIFY(open(*m_other).found() == Draft::Found::Nothing);
    QVERIFY(open(*m_model).found() == Draft::Found::Fitting);
}

void TestDraft::followsASave() {
    Draft draft = open(*m_model);
    sample().key("saved", 1.0F).write(file("model.gguf"));
    const auto saved = openAt(file("model.gguf"));
    draft.rebase(*saved);
    QVERIFY(draft.keep({DeleteKey{"x.u8"}}));
    draft = open(*m_other);
    QVERIFY(open(*saved).found() == Draft::Found::Fitting);
}

void TestDraft::netChangesAreNoDetour() {
    Document document(m_model);
    QVERIFY(document.changes().empty());
    for (int i = 0; i < 10; ++i) {
        QVERIFY(document.apply({SetKey{"general.name", OwnedValue::string(std::to_string(i))}}, "step"));
        QVERIFY(document.apply({MoveKey{"x.last", static_cast<std::size_t>(i % 4)}}, "step"));
    }
    QVERIFY(document.apply({MoveTensor{"c", 0}}, "step"));
    QCOMPARE(document.changes().size(), std::size_t{3});
}

GUFO_TEST(TestDraft)
#include "tst_draft.moc"
