#include "model/value_text.h"
#include "support/edited_page.h"
#include "support/test_unit.h"
#include "support/ui_watchdog.h"
#include "ui/pages/metadata/metadata_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/value_delegate.h"

#include <QTemporaryDir>

#include <limits>

using namespace gufo;
using namespace gufo::ui;
using test::GgufBuilder;

class TestArrayEdit : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::instance().apply(); }
    void cleanup() { Job::waitForAll(); }
    void editsElementsOfEveryType_data();
    void editsElementsOfEveryType();
    void choosesATypeByName();
    void insertsAndEdits();
    void removesRanges();
    void removesScatteredElementsInAJob();
    void marksAndReverts();
    void keepsSearchAndPlace();
    void editsNestedArrays();
    void fillsAnEmptyArray();
    void followsARename();
    void pastesImportsAndExports_data();
    void pastesImportsAndExports();
    void neverStalls();
};

namespace {

struct Shown : test::EditedPage<MetadataPage> {
    // The model tester checks every changed row, which takes longer than the measured edit.
    enum class Tested { No, Yes };
    Shown(const GgufBuilder& file, const char* key, Tested tested = Tested::Yes)
        : EditedPage(file)
        , pane(page.findChild<ArrayPane*>())
        , tester(tested == Tested::Yes
                     ? new QAbstractItemModelTester(pane->elements(),
                                                    QAbstractItemModelTester::FailureReportingMode::QtTest, &page)
                     : nullptr) {
        QSignalSpy listed(&page, &MetadataPage::listed);
        ready = page.keys()->keyCount() != 0 || listed.wait();
        page.activateWindow();
        ready = ready && QTest::qWaitForWindowActive(&page);
        QSignalSpy opened(pane, &ArrayPane::opened);
        page.view()->setCurrentIndex(page.keys()->showEntry(*now().indexOf(key)));
        ready = ready && (opened.count() > 0 || opened.wait());
        view = pane->table()->view();
    }
    QModelIndex cell(int row) { return pane->elements()->index(row, ArrayModel::Value); }
    [[nodiscard]] QStringList texts() {
        QStringList texts;
        for (int row = 0; row < pane->elements()->rowCount(); ++row) {
            texts << cell(row).data().toString();
        }
        return texts;
    }
    bool follow() { // waits until the change is shown
        QSignalSpy opened(pane, &ArrayPane::opened);
        return opened.wait(20'000);
    }
    bool type(int row, const QString& text) {
        view->setFocus();
        view->setCurrentIndex(cell(row));
        QTest::keyClick(view, Qt::Key_F2);
        return typeInto(text);
    }
    bool typeInto(const QString& text) {
        auto* editor = test::openEditor<ValueEditor>(view);
        if (editor == nullptr) {
            return false;
        }
        editor->selectAll();
        QTest::keyClicks(editor->field(), text);
        QSignalSpy opened(pane, &ArrayPane::opened);
        QTest::keyClick(editor->field(), Qt::Key_Return);
        return opened.wait();
    }
    void selectRows(const QList<int>& rows) {
        view->clearSelection();
        view->setCurrentIndex(cell(rows.first()));
        for (const int row : rows) {
            view->selectionModel()->select(cell(row), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        }
        view->setFocus();
    }

    ArrayPane* pane;
    QAbstractItemModelTester* tester;
    QTableView* view = nullptr;
    bool ready = false;
};

GgufBuilder numbers(std::int32_t count) {
    GgufBuilder file;
    std::vector<std::int32_t> values;
    for (std::int32_t i = 0; i < count; ++i) {
        values.push_back(i);
    }
    file.key("x.numbers", values);
    return file;
}

template<typename T>
void addArray(GgufBuilder& file, const char* key) {
    file.key(key, std::vector<T>{T(1), T(2), T(3)});
}

} // namespace

void TestArrayEdit::editsElementsOfEveryType_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("typed");
    QTest::newRow("u8") << "u8" << "255";
    QTest::newRow("i8") << "i8" << "-128";
    QTest::newRow("u16") << "u16" << "65535";
    QTest::newRow("i16") << "i16" << "-32768";
    QTest::newRow("u32") << "u32" << "4294967295";
    QTest::newRow("i32") << "i32" << "-2147483648";
    QTest::newRow("u64") << "u64" << "18446744073709551615";
    QTest::newRow("i64") << "i64" << "-9223372036854775808";
    QTest::newRow("f32") << "f32" << "1e-45";
    QTest::newRow("f64") << "f64" << "0.1";
    QTest::newRow("str") << "str" << "owl";
}

void TestArrayEdit::editsElementsOfEveryType() {
    QFETCH(QString, key);
    QFETCH(QString, typed);
    GgufBuilder file;
    addArray<std::uint8_t>(file, "u8");
    addArray<std::int8_t>(file, "i8");
    addArray<std::uint16_t>(file, "u16");
    addArray<std::int16_t>(file, "i16");
    addArray<std::uint32_t>(file, "u32");
    addArray<std::int32_t>(file, "i32");
    addArray<std::uint64_t>(file, "u64");
    addArray<std::int64_t>(file, "i64");
    addArray<float>(file, "f32");
    addArray<double>(file, "f64");
    file.key("str", std::vector<std::string>{"a", "b", "c"});
    const std::string name = key.toStdString();
    Shown shown(file, name.c_str());
    QVERIFY(shown.ready);
    const ValueType type = shown.now().array(name)->elementType;
    QVERIFY(shown.type(1, typed));
    const ArrayView* array = shown.now().array(name);
    QCOMPARE(array->elementType, type);
    QCOMPARE(array->length, 3U);
    const std::string text = typed.toStdString();
    QVERIFY(OwnedValue::sameValue(arrayHead(*array, 3)[1], *parseValue(type, text)));
    QVERIFY(shown.cell(1).data(kChangedRole).toBool());
    QVERIFY(!shown.cell(0).data(kChangedRole).toBool());
    shown.document.undo();
    QVERIFY(shown.follow());
    QVERIFY(!shown.cell(1).data(kChangedRole).toBool());
    QVERIFY(!shown.document.document().isModified());
}

void TestArrayEdit::choosesATypeByName() {
    GgufBuilder file;
    test::addSmallVocabulary(file);
    Shown shown(file, "tokenizer.ggml.token_type");
    QVERIFY(shown.ready);
    QCOMPARE(shown.cell(4).data().toString(), QStringLiteral("NORMAL (1)"));
    QVERIFY(shown.type(4, QStringLiteral("UNUSED")));
    QCOMPARE(shown.cell(4).data().toString(), QStringLiteral("UNUSED (5)"));
    QCOMPARE(shown.cell(4).data(kBeforeTextRole).toString(), QStringLiteral("NORMAL (1)"));
    QCOMPARE(shown.pane->elements()->index(4, ArrayModel::TokenText).data().toString(), QStringLiteral("ab"));
}

void TestArrayEdit::insertsAndEdits() {
    Shown shown(numbers(3), "x.numbers");
    QVERIFY(shown.ready);
    shown.selectRows({1});
    QSignalSpy opened(shown.pane, &ArrayPane::opened);
    QTest::keyClick(shown.view, Qt::Key_Insert);
    QVERIFY(opened.wait());
    QCOMPARE(shown.texts(), (QStringList{"0", "0", "1", "2"}));
    QVERIFY(shown.typeInto(QStringLiteral("77"))); // while it is being edited
    QCOMPARE(shown.texts(), (QStringList{"0", "77", "1", "2"}));
    shown.pane->insertElement(true);
    QVERIFY(shown.follow());
    QVERIFY(shown.typeInto(QStringLiteral("99")));
    QCOMPARE(shown.texts(), (QStringList{"0", "77", "1", "2", "99"}));
    while (shown.document.document().canUndo()) {
        shown.document.undo();
    }
    QTRY_COMPARE(shown.texts(), (QStringList{"0", "1", "2"}));
}

void TestArrayEdit::removesRanges() {
    Shown shown(numbers(10), "x.numbers");
    QVERIFY(shown.ready);
    shown.selectRows({1, 2, 3, 7, 9});
    QSignalSpy opened(shown.pane, &ArrayPane::opened);
    QTest::keyClick(shown.view, Qt::Key_Delete);
    QVERIFY(opened.wait());
    QCOMPARE(shown.texts(), (QStringList{"0", "4", "5", "6", "8"}));
    QCOMPARE(shown.pane->table()->currentItem(), std::optional<std::uint64_t>(1));
    shown.document.undo(); // one step
    QVERIFY(shown.follow());
    QCOMPARE(shown.pane->elements()->rowCount(), 10);
    shown.view->selectAll();
    shown.pane->removeSelected();
    QVERIFY(shown.follow());
    QCOMPARE(shown.pane->elements()->rowCount(), 0);
    QCOMPARE(shown.now().array("x.numbers")->elementType, ValueType::Int32);
}

void TestArrayEdit::removesScatteredElementsInAJob() {
    Shown shown(numbers(1000), "x.numbers");
    QVERIFY(shown.ready);
    QList<int> odd;
    for (int i = 1; i < 1000; i += 2) {
        odd << i;
    }
    shown.selectRows(odd);
    shown.pane->removeSelected();
    QVERIFY(shown.follow());
    QCOMPARE(shown.pane->elements()->rowCount(), 500);
    QCOMPARE(shown.cell(250).data().toString(), QStringLiteral("500"));
    shown.document.undo();
    QVERIFY(shown.follow());
    QCOMPARE(shown.pane->elements()->rowCount(), 1000);
}

void TestArrayEdit::marksAndReverts() {
    Shown shown(numbers(5), "x.numbers");
    QVERIFY(shown.ready);
    QVERIFY(shown.type(1, QStringLiteral("-1")));
    QVERIFY(shown.type(3, QStringLiteral("-3")));
    QCOMPARE(shown.page.keys()->showEntry(KvIndex(std::size_t{0})).siblingAtColumn(MetadataModel::Value).data(),
             QVariant(QStringLiteral("2 elements changed")));
    auto* changedOnly = shown.pane->findChild<QCheckBox*>();
    QVERIFY(changedOnly->isVisible());
    QSignalSpy searched(shown.pane, &ArrayPane::searched);
    changedOnly->click();
    QVERIFY(searched.wait());
    QCOMPARE(shown.texts(), (QStringList{"-1", "-3"}));
    changedOnly->click();
    shown.selectRows({1});
    shown.pane->revertSelected();
    QVERIFY(shown.follow());
    QCOMPARE(shown.texts(), (QStringList{"0", "1", "2", "-3", "4"}));
    shown.pane->revertArray();
    QVERIFY(shown.follow());
    QVERIFY(!shown.document.document().isModified());
}

void TestArrayEdit::keepsSearchAndPlace() {
    Shown shown(numbers(5000), "x.numbers");
    QVERIFY(shown.ready);
    QSignalSpy searched(shown.pane, &ArrayPane::searched);
    QTest::keyClicks(shown.pane->findChild<FilterField*>(), QStringLiteral("99"));
    QVERIFY(searched.wait());
    const int found = shown.pane->elements()->rowCount();
    QVERIFY(shown.type(3, QStringLiteral("5"))); // no longer matches, but stays visible
    QCOMPARE(shown.pane->elements()->rowCount(), found);
    QCOMPARE(shown.cell(3).data().toString(), QStringLiteral("5"));
    QCOMPARE(shown.view->currentIndex().row(), 3);
}

void TestArrayEdit::editsNestedArrays() {
    GgufBuilder file;
    auto payload = file.payload();
    payload.arrayHead(ValueType::Array, 2);
    payload.arrayHead(ValueType::Int32, 2).number(std::int32_t{1}).number(std::int32_t{2});
    payload.arrayHead(ValueType::Int32, 1).number(std::int32_t{3});
    file.rawKey("nested", ValueType::Array, payload);
    Shown shown(file, "nested");
    QVERIFY(shown.ready);
    QVERIFY(!shown.cell(0).flags().testFlag(Qt::ItemIsEditable));
    shown.pane->open("nested", {0});
    QVERIFY(shown.follow());
    QCOMPARE(shown.texts(), (QStringList{"1", "2"}));
    QVERIFY(shown.type(1, QStringLiteral("22")));
    QCOMPARE(shown.texts(), (QStringList{"1", "22"}));
    QVERIFY(shown.cell(1).data(kChangedRole).toBool());
    shown.pane->insertElement(true);
    QVERIFY(shown.follow());
    QCOMPARE(shown.texts(), (QStringList{"1", "22", "0"}));
    const auto outer = arrayHead(*shown.now().array("nested"), 2);
    QCOMPARE(asArray(outer[0])->length, 3U);
    QCOMPARE(asArray(outer[1])->length, 1U);
    shown.pane->open("nested");
    QVERIFY(shown.follow());
    shown.pane->insertElement(true); // an empty array
    QVERIFY(shown.follow());
    QCOMPARE(shown.now().array("nested")->length, 3U);
    QCOMPARE(asArray(arrayHead(*shown.now().array("nested"), 3)[2])->length, 0U);
}

void TestArrayEdit::fillsAnEmptyArray() {
    GgufBuilder file;
    file.key("empty", std::vector<std::string>{});
    Shown shown(file, "empty");
    QVERIFY(shown.ready);
    shown.pane->insertElement(false);
    QVERIFY(shown.follow());
    QVERIFY(shown.typeInto(QStringLiteral("first")));
    QCOMPARE(shown.texts(), QStringList{"first"});
}

void TestArrayEdit::followsARename() {
    Shown shown(numbers(3), "x.numbers");
    QVERIFY(shown.ready);
    QVERIFY(shown.type(0, QStringLiteral("9")));
    QVERIFY(shown.document.apply({RenameKey{.key = "x.numbers", .newKey = "x.others"}}, QStringLiteral("Rename")));
    QTRY_VERIFY(shown.page.keys()->model() == shown.document.current().get());
    shown.page.view()->setCurrentIndex({});
    shown.page.view()->setCurrentIndex(shown.page.keys()->showEntry(*shown.now().indexOf("x.others")));
    QTRY_COMPARE(shown.texts(), (QStringList{"9", "1", "2"}));
    QVERIFY(shown.cell(0).data(kChangedRole).toBool()); // relative to the array of the old name
    QVERIFY(!shown.cell(1).data(kChangedRole).toBool());
}

void TestArrayEdit::pastesImportsAndExports_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("JSON") << "numbers.json";
    QTest::newRow("CSV") << "numbers.csv";
}

void TestArrayEdit::pastesImportsAndExports() {
    QFETCH(QString, name);
    const QTemporaryDir folder;
    Shown shown(numbers(3), "x.numbers");
    QVERIFY(shown.ready);
    shown.selectRows({1});
    shown.pane->pasteElements(QStringLiteral("7\n-8\n"));
    QVERIFY(shown.follow());
    QCOMPARE(shown.texts(), (QStringList{"0", "7", "-8", "1", "2"}));
    QSignalSpy said(shown.pane, &ArrayPane::said);
    shown.pane->pasteElements(QStringLiteral("7\nseven"));
    QCOMPARE(said.count(), 1);
    QVERIFY(said[0][0].toString().startsWith(QStringLiteral("Line 2 of the clipboard")));
    QSignalSpy exported(shown.pane, &ArrayPane::exported);
    shown.pane->exportFile(folder.filePath(name));
    QVERIFY(exported.wait());
    QCOMPARE(exported[0][0].toString(), folder.filePath(name));
    shown.document.undo();
    QVERIFY(shown.follow());
    QCOMPARE(shown.texts(), (QStringList{"0", "1", "2"}));
    shown.pane->importFile(folder.filePath(name));
    QVERIFY(shown.follow());
    QCOMPARE(shown.texts(), (QStringList{"0", "7", "-8", "1", "2"}));
    QCOMPARE(shown.now().array("x.numbers")->elementType, ValueType::Int32);
    shown.document.undo(); // one step
    QVERIFY(shown.follow());
    QVERIFY(!shown.document.document().isModified());
}

void TestArrayEdit::neverStalls() {
    GgufBuilder file;
    test::addLargeVocabulary(file, 262'144);
    Shown shown(file, "tokenizer.ggml.tokens", Shown::Tested::No);
    QVERIFY(shown.ready);
    UiWatchdog watchdog;
    watchdog.step(QStringLiteral("edit a token of 262,144"));
    QVERIFY(shown.type(200'000, QStringLiteral("owl")));
    watchdog.step(QStringLiteral("insert one"));
    shown.pane->insertElement(false);
    QVERIFY(shown.follow());
    watchdog.step(QStringLiteral("remove 100,000"));
    shown.view->selectionModel()->select(QItemSelection(shown.cell(1000), shown.cell(100'999)),
                                         QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    shown.pane->removeSelected();
    QVERIFY(shown.follow());
    watchdog.step(QStringLiteral("undo"));
    shown.document.undo();
    QVERIFY(shown.follow());
    QCOMPARE(shown.now().array("tokenizer.ggml.tokens")->length, 262'145U);
    watchdog.finish();
    QVERIFY2(watchdog.isQuick(), watchdog.verdict());
}

GUFO_TEST_WIDGETS(TestArrayEdit)
#include "tst_array_edit.moc"
