// Adding, deleting, renaming, moving, copying and importing keys in the list of metadata.
#include "edited_metadata.h"
#include "support/test_unit.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QTemporaryDir>

#include <limits>

using namespace gufo;
using namespace gufo::ui;
using namespace gufo::test;

class TestMetadataKeys : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::instance().apply(); }
    void cleanup() { Job::waitForAll(); }
    void deletesASelectionAndBringsItBack();
    void addsAKey();
    void refusesADuplicate();
    void renames();
    void movesInTheList();
    void copiesKeysToAnotherModel();
    void asksBeforeOverwriting();
    void importsWhatWasExported();
    void staysAsItIsWhileKeysComeAndGo();
    void duplicateKeysAreOnlyDeleted();
};

void TestMetadataKeys::deletesASelectionAndBringsItBack() {
    ShownMetadata shown(metadataSample());
    QVERIFY(shown.ready);
    const auto all = shown.page.keys()->keyCount();
    QItemSelectionModel* selection = shown.page.view()->selectionModel();
    constexpr auto kAdd = QItemSelectionModel::Select | QItemSelectionModel::Rows;
    shown.choose("general.name");
    selection->select(shown.cell("general.name", 0), kAdd);
    selection->select(shown.page.keys()->showPrefix("llama.attention", true), kAdd); // a group: all keys below it
    shown.page.view()->setFocus();
    QTest::keyClick(shown.page.view(), Qt::Key_Delete);
    QVERIFY(shown.settled());
    QCOMPARE(shown.page.keys()->keyCount(), all - 4);
    QVERIFY(!shown.now().indexOf("llama.attention.head_count"));
    // Deleted keys stay in their group, struck through, until they are saved.
    QVERIFY(shown.page.keys()->showPrefix("llama.attention", true).isValid());
    shown.document.undo();
    QVERIFY(shown.settled());
    QCOMPARE(shown.page.keys()->keyCount(), all);
    QVERIFY(shown.page.view()->visualRect(shown.cell("llama.attention.head_count")).isValid());
    QVERIFY(!shown.document.document().isModified());
}

void TestMetadataKeys::addsAKey() {
    ShownMetadata shown(metadataSample());
    QVERIFY(shown.ready);
    test::answerDialog([](QDialog* dialog) {
        auto* name = dialog->findChild<QLineEdit*>();
        name->clear();
        QTest::keyClicks(name, QStringLiteral("llama.rope.freq_base"));
        QCOMPARE(dialog->findChild<QComboBox*>()->currentText(), QStringLiteral("f32")); // from the catalogue
        ValueEditor* editor = dialog->findChild<ValueEditor*>();
        QVERIFY(editor != nullptr);
        editor->selectAll();
        QTest::keyClicks(editor->field(), QStringLiteral("500000"));
        static_cast<KeyDialog*>(dialog)->accept();
    });
    shown.page.view()->setFocus();
    QTest::keyClick(shown.page.view(), Qt::Key_Insert);
    QVERIFY(shown.settled());
    QCOMPARE(shown.now().number("llama.rope.freq_base"), std::optional(500000.0));
    QCOMPARE(typeOf(*shown.now().find("llama.rope.freq_base")), ValueType::Float32);
    const QModelIndex added = shown.cell("llama.rope.freq_base", 0);
    QCOMPARE(shown.page.view()->currentIndex().siblingAtColumn(0), added);
    QVERIFY(added.data(kAddedRole).toBool());
    // An array with one element per line.
    test::answerDialog([](QDialog* dialog) {
        dialog->findChild<QLineEdit*>()->setText(QStringLiteral("general.languages"));
        QCOMPARE(dialog->findChild<QComboBox*>()->currentText(), QStringLiteral("str[]"));
        dialog->findChild<QPlainTextEdit*>()->setPlainText(QStringLiteral("de\nit"));
        static_cast<KeyDialog*>(dialog)->accept();
    });
    shown.page.edits()->addAction()->trigger();
    QVERIFY(shown.settled());
    QCOMPARE(shown.now().array("general.languages")->length, 2U);
    QCOMPARE(shown.text("general.languages"), QStringLiteral("de, it"));
}

void TestMetadataKeys::refusesADuplicate() {
    ShownMetadata shown(metadataSample());
    QVERIFY(shown.ready);
    bool enabled = true;
    QString words;
    test::answerDialog([&](QDialog* dialog) {
        auto* name = dialog->findChild<QLineEdit*>();
        name->setText(QStringLiteral("general.name"));
        enabled = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->isEnabled();
        for (const QLabel* label : dialog->findChildren<QLabel*>()) {
            words += label->text();
        }
        dialog->reject();
    });
    shown.page.edits()->addAction()->trigger();
    QVERIFY(!enabled);
    QVERIFY(words.contains(QStringLiteral("general.name already exists: Small Llama.")));
    QVERIFY(!shown.document.document().canUndo());
}

void TestMetadataKeys::renames() {
    ShownMetadata shown(metadataSample());
    QVERIFY(shown.ready);
    shown.choose("general.name");
    test::answerDialog([](QDialog* dialog) {
        dialog->findChild<QLineEdit*>()->setText(QStringLiteral("general.basename"));
        dialog->accept();
    });
    shown.page.view()->setFocus();
    QTest::keyClick(shown.page.view(), Qt::Key_F2, Qt::ShiftModifier);
    QVERIFY(shown.settled());
    QVERIFY(!shown.now().indexOf("general.name"));
    QCOMPARE(shown.now().string("general.basename"), std::optional<std::string_view>("Small Llama"));
    QCOMPARE(shown.page.view()->currentIndex().siblingAtColumn(0), shown.cell("general.basename", 0));
    QVERIFY(shown.cell("general.basename")
                .data(Qt::ToolTipRole)
                .toString()
                .contains(QStringLiteral("Was called general.name")));
    shown.document.undo();
    QVERIFY(shown.settled());
    QCOMPARE(shown.text("general.name"), QStringLiteral("Small Llama"));
}

void TestMetadataKeys::movesInTheList() {
    ShownMetadata shown(metadataSample());
    QVERIFY(shown.ready);
    shown.choose("general.name");
    shown.page.view()->setFocus();
    QTest::keyClick(shown.page.view(), Qt::Key_Up, Qt::AltModifier); // a tree is not in file order
    QVERIFY(!shown.document.document().canUndo());
    QSignalSpy listed(&shown.page, &MetadataPage::listed);
    QTest::mouseClick(shown.page.findChild<SegmentedControl*>()->segment(1), Qt::LeftButton);
    QVERIFY(listed.wait());
    shown.choose("general.name");
    shown.page.view()->setFocus();
    QTest::keyClick(shown.page.view(), Qt::Key_Down, Qt::AltModifier);
    QVERIFY(shown.settled());
    QCOMPARE(shown.now().indexOf("general.name"), std::optional(KvIndex(std::size_t{2})));
    QCOMPARE(shown.page.view()->currentIndex().row(), 2);
    QTest::keyClick(shown.page.view(), Qt::Key_Up, Qt::AltModifier);
    QVERIFY(shown.settled());
    QCOMPARE(shown.now().indexOf("general.name"), std::optional(KvIndex(std::size_t{1})));
    QVERIFY(!shown.document.document().isModified());
}

void TestMetadataKeys::copiesKeysToAnotherModel() {
    ShownMetadata from(metadataSample());
    GgufBuilder other;
    other.key("general.architecture", "llama");
    ShownMetadata to(other);
    QVERIFY(from.ready && to.ready);
    from.choose("tokenizer.ggml.token_type");
    constexpr auto kAdd = QItemSelectionModel::Select | QItemSelectionModel::Rows;
    from.page.view()->selectionModel()->select(from.cell("llama.context_length", 0), kAdd);
    from.page.edits()->copyKeys();
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("llama.context_length = 2048")));
    to.page.edits()->pasteKeys();
    QTRY_VERIFY(to.now().indexOf("llama.context_length").has_value());
    QVERIFY(to.settled());
    QVERIFY(OwnedValue::sameValue(*to.now().find("tokenizer.ggml.token_type"),
                                  *from.now().find("tokenizer.ggml.token_type")));
    to.document.undo(); // one step
    QCOMPARE(to.now().size(), 1U);
    // The data that another process receives.
    const std::unique_ptr<QMimeData> data(from.page.keys()->transfer({KvIndex(std::size_t{1})}));
    QMimeData foreign;
    foreign.setData(QString::fromLatin1(kKeysMimeType), data->data(QString::fromLatin1(kKeysMimeType)));
    const auto keys = keysOf(&foreign);
    QVERIFY(keys.has_value());
    QCOMPARE(keys->model->metadata.string("general.name"), std::optional<std::string_view>("Small Llama"));
    emit to.page.view()->dropped(&foreign);
    QTRY_VERIFY(to.now().indexOf("general.name").has_value());
}

void TestMetadataKeys::asksBeforeOverwriting() {
    ShownMetadata from(metadataSample());
    GgufBuilder other;
    other.key("general.name", "Other").key("llama.block_count", std::uint32_t{2}).key("z", std::uint8_t{0});
    ShownMetadata to(other);
    QVERIFY(from.ready && to.ready);
    std::vector<KvIndex> keys;
    for (const char* key : {"general.name", "llama.block_count", "llama.context_length"}) {
        keys.push_back(*from.now().indexOf(key));
    }
    test::answerDialog([](QDialog* dialog) {
        auto* preview = static_cast<ImportDialog*>(dialog);
        const QAbstractItemModelTester tester(preview->keys(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(preview->keys()->rowCount(), 3);
        QCOMPARE(preview->keys()->index(0, ImportModel::Status).data().toString(), QStringLiteral("changed"));
        QCOMPARE(preview->keys()->index(1, ImportModel::Status).data().toString(), QStringLiteral("new"));
        QCOMPARE(preview->keys()->index(2, ImportModel::Status).data().toString(), QStringLiteral("the same"));
        QCOMPARE(preview->keys()->taken(), 2U);
        QVERIFY(preview->keys()->setData(preview->keys()->index(0, 0), Qt::Unchecked, Qt::CheckStateRole));
        preview->accept();
    });
    const std::unique_ptr<QMimeData> data = from.page.keys()->transfer(keys);
    to.page.edits()->take(data.get());
    QTRY_VERIFY(to.now().indexOf("llama.context_length").has_value());
    QCOMPARE(to.now().string("general.name"), std::optional<std::string_view>("Other")); // not ticked
}

void TestMetadataKeys::importsWhatWasExported() {
    GgufBuilder file = metadataSample();
    file.key("x.large", std::uint64_t{18'446'744'073'709'551'615U})
        .key("x.nan", std::numeric_limits<float>::quiet_NaN());
    file.key("x.bytes", "a\xFF\n").key("x.empty", std::vector<std::string>{});
    const auto model = test::readModel(file);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("all.json"));
    QVERIFY(exportMetadataJson(*model, path, {}));
    GgufBuilder other;
    other.key("general.architecture", "llama").key("general.name", "Other");
    ShownMetadata shown(other);
    QVERIFY(shown.ready);
    test::answerDialog([](QDialog* dialog) {
        const ImportModel* keys = static_cast<ImportDialog*>(dialog)->keys();
        QCOMPARE(keys->count(ImportRow::Status::Changed), std::size_t{1});
        QCOMPARE(keys->count(ImportRow::Status::Same), std::size_t{1});
        dialog->accept();
    });
    shown.page.importFile(path.toStdString());
    QTRY_COMPARE(shown.now().size(), model->metadata.size());
    for (const KeyValue& entry : model->metadata) {
        const Value* value = shown.now().find(entry.key);
        QVERIFY(value != nullptr);
        QVERIFY(OwnedValue::sameValue(*value, entry.value));
    }
    QVERIFY(shown.settled());
    QSignalSpy said(shown.page.edits(), &MetadataEdits::said);
    shown.page.importFile("/no/such/file.json");
    QVERIFY(said.wait());
}

void TestMetadataKeys::staysAsItIsWhileKeysComeAndGo() {
    GgufBuilder file = metadataSample();
    for (int i = 0; i < 200; ++i) {
        file.key("extra.group_" + std::to_string(i / 10) + ".k" + std::to_string(i), std::uint32_t{1});
    }
    ShownMetadata shown(file);
    QVERIFY(shown.ready);
    shown.page.view()->collapse(shown.page.keys()->showPrefix("llama", true));
    shown.choose("extra.group_12.k125");
    shown.page.view()->scrollTo(shown.cell("extra.group_12.k125"), QAbstractItemView::PositionAtCenter);
    const int place = shown.page.view()->visualRect(shown.cell("extra.group_12.k125")).top();
    QVERIFY(shown.document.apply(
        {SetKey{.key = "zz.last", .value = OwnedValue::string("x")}, DeleteKey{.key = "extra.group_19.k199"}},
        QStringLiteral("Two")));
    QVERIFY(shown.settled());
    QCOMPARE(shown.page.view()->currentIndex().siblingAtColumn(0), shown.cell("extra.group_12.k125", 0));
    QVERIFY(shown.page.view()->selectionModel()->isSelected(shown.cell("extra.group_12.k125", 0)));
    QCOMPARE(shown.page.view()->visualRect(shown.cell("extra.group_12.k125")).top(), place);
    QVERIFY(!shown.page.view()->isExpanded(shown.page.keys()->showPrefix("llama", true)));
    // A filter is kept, and a row edited under it stays visible.
    QSignalSpy listed(&shown.page, &MetadataPage::listed);
    QTest::keyClicks(shown.page.filterField(), QStringLiteral("small llama"));
    QVERIFY(listed.wait());
    QCOMPARE(shown.page.keys()->keyCount(), 1U);
    QVERIFY(shown.type("general.name", QStringLiteral("Renamed")));
    QCOMPARE(shown.page.keys()->keyCount(), 1U);
    QCOMPARE(shown.text("general.name"), QStringLiteral("Renamed"));
}

void TestMetadataKeys::duplicateKeysAreOnlyDeleted() {
    GgufBuilder file;
    file.key("a", std::uint8_t{1}).key("a", std::uint8_t{2}).key("b", std::uint8_t{3});
    ShownMetadata shown(file);
    QVERIFY(shown.ready);
    const QModelIndex second = shown.page.keys()->index(1, MetadataModel::Value);
    QCOMPARE(second.data().toString(), QStringLiteral("2"));
    QVERIFY(!second.flags().testFlag(Qt::ItemIsEditable));
    shown.page.view()->setCurrentIndex(second);
    shown.page.view()->setFocus();
    QTest::keyClick(shown.page.view(), Qt::Key_Delete);
    QVERIFY(shown.settled());
    QCOMPARE(shown.now().size(), 2U);
    QCOMPARE(shown.now().uint("a"), std::optional<std::uint64_t>(1));
}

GUFO_TEST_WIDGETS(TestMetadataKeys)
#include "tst_metadata_keys.moc"
