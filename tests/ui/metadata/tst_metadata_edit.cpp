// Editing values in the list of metadata: every type at its limits, names, tokens and lines.
#include "edited_metadata.h"
#include "support/test_unit.h"

#include <QToolTip>

using namespace gufo;
using namespace gufo::ui;
using namespace gufo::test;

class TestMetadataEdit : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::instance().apply(); }
    void cleanup() { Job::waitForAll(); }
    void editsEveryTypeAtItsLimits_data();
    void editsEveryTypeAtItsLimits();
    void keepsWhatIsNoValueInTheField();
    void escapeGivesUp();
    void tabGoesToTheNextValue();
    void togglesABoolean();
    void choosesFromNames();
    void changesTypes();
    void changesTheTypeOfAnArray();
    void marksWhatChanged();
    void picksAToken();
    void editsLinesWithoutLosingOne_data();
    void editsLinesWithoutLosingOne();
    void deletedKeysAreStruckThrough();
    void saysWhyItCannotBeEdited();
};

void TestMetadataEdit::editsEveryTypeAtItsLimits_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<QString>("typed");
    const auto row = [](ValueType type, const char* typed) {
        QTest::addRow("%s %s", valueTypeFact(type).name.data(), typed)
            << static_cast<int>(type) << QString::fromLatin1(typed);
    };
    for (const ValueTypeFact& info : valueTypes()) {
        if (info.integer) {
            const IntegerRange range = integerRange(info.type);
            row(info.type, std::to_string(range.lowest).c_str());
            row(info.type, std::to_string(range.highest).c_str());
        }
    }
    row(ValueType::UInt64, "0xFFFFFFFFFFFFFFFE");
    row(ValueType::Int64, "-9007199254740993"); // cannot be represented by a double
    row(ValueType::Float32, "0.1");
    row(ValueType::Float32, "3.4028235e+38");
    row(ValueType::Float32, "1e-45");
    row(ValueType::Float32, "nan");
    row(ValueType::Float64, "0.1");
    row(ValueType::Float64, "5e-324");
    row(ValueType::Float64, "-inf");
    row(ValueType::String, "");
    row(ValueType::String, "one \\n line");
}

void TestMetadataEdit::editsEveryTypeAtItsLimits() {
    QFETCH(int, type);
    QFETCH(QString, typed);
    const auto asked = static_cast<ValueType>(type);
    GgufBuilder file;
    switch (asked) {
    case ValueType::UInt8:
        file.key("k.v", std::uint8_t{7});
        break;
    case ValueType::Int8:
        file.key("k.v", std::int8_t{7});
        break;
    case ValueType::UInt16:
        file.key("k.v", std::uint16_t{7});
        break;
    case ValueType::Int16:
        file.key("k.v", std::int16_t{7});
        break;
    case ValueType::UInt32:
        file.key("k.v", std::uint32_t{7});
        break;
    case ValueType::Int32:
        file.key("k.v", std::int32_t{7});
        break;
    case ValueType::UInt64:
        file.key("k.v", std::uint64_t{7});
        break;
    case ValueType::Int64:
        file.key("k.v", std::int64_t{7});
        break;
    case ValueType::Float32:
        file.key("k.v", 7.5F);
        break;
    case ValueType::Float64:
        file.key("k.v", 7.5);
        break;
    default:
        file.key("k.v", "seven");
    }
    ShownMetadata shown(file);
    QVERIFY(shown.ready);
    const QString before = shown.text("k.v");
    QVERIFY(shown.type("k.v", typed));
    QVERIFY(OwnedValue::sameValue(*shown.now().find("k.v"), valueOf(asked, typed.toStdString()).value()));
    QVERIFY(test::openEditor<ValueEditor>(shown.page.view()) == nullptr ||
            QTest::qWaitFor([&] { return test::openEditor<ValueEditor>(shown.page.view()) == nullptr; }));
    QVERIFY(shown.cell("k.v").data(kChangedRole).toBool());
    shown.document.undo();
    QCOMPARE(shown.text("k.v"), before);
    QVERIFY(!shown.cell("k.v").data(kChangedRole).toBool());
    shown.document.redo();
    QVERIFY(OwnedValue::sameValue(*shown.now().find("k.v"), valueOf(asked, typed.toStdString()).value()));
    QCOMPARE(shown.refusals, QStringList());
}

void TestMetadataEdit::keepsWhatIsNoValueInTheField() {
    GgufBuilder file;
    file.key("small", std::uint8_t{7});
    ShownMetadata shown(file);
    QVERIFY(shown.ready);
    ValueEditor* editor = shown.startEditing("small");
    QVERIFY(editor != nullptr);
    editor->selectAll();
    QTest::keyClicks(editor->field(), QStringLiteral("256"));
    QTest::keyClick(editor->field(), Qt::Key_Return);
    QCOMPARE(test::openEditor<ValueEditor>(shown.page.view()), editor);
    QCOMPARE(QToolTip::text(), QStringLiteral("u8 ranges from 0 to 255."));
    QCOMPARE(shown.now().uint("small"), std::optional<std::uint64_t>(7));
    QTest::keyClick(editor->field(), Qt::Key_Backspace); // 25
    QTest::keyClick(editor->field(), Qt::Key_Up);
    QTest::keyClick(editor->field(), Qt::Key_Return);
    QCOMPARE(shown.now().uint("small"), std::optional<std::uint64_t>(26));
}

void TestMetadataEdit::escapeGivesUp() {
    ShownMetadata shown(metadataSample());
    QVERIFY(shown.ready);
    ValueEditor* editor = shown.startEditing("general.name");
    QVERIFY(editor != nullptr);
    QTest::keyClicks(editor->field(), QStringLiteral("Something else"));
    QTest::keyClick(editor->field(), Qt::Key_Escape);
    QTRY_VERIFY(test::openEditor<ValueEditor>(shown.page.view()) == nullptr);
    QCOMPARE(shown.text("general.name"), QStringLiteral("Small Llama"));
    QVERIFY(!shown.document.document().canUndo());
}

void TestMetadataEdit::tabGoesToTheNextValue() {
    ShownMetadata shown(metadataSample());
    QVERIFY(shown.ready);
    ValueEditor* editor = shown.startEditing("llama.context_length");
    QVERIFY(editor != nullptr);
    editor->selectAll();
    QTest::keyClicks(editor->field(), QStringLiteral("4096"));
    QTest::keyClick(editor->field(), Qt::Key_Tab);
    QCOMPARE(shown.now().uint("llama.context_length"), std::optional<std::uint64_t>(4096));
    QCOMPARE(shown.page.view()->currentIndex(), shown.cell("llama.embedding_length"));
    QVERIFY(shown.page.view()->isEditing());
}

void TestMetadataEdit::togglesABoolean() {
    ShownMetadata shown(metadataSample());
    QVERIFY(shown.ready);
    const QModelIndex flag = shown.cell("tokenizer.ggml.add_bos_token");
    QCOMPARE(flag.data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Checked));
    shown.page.view()->scrollTo(flag);
    const QRect cell = shown.page.view()->visualRect(flag);
    QTest::mouseClick(shown.page.view()->viewport(), Qt::LeftButton, {}, {cell.left() + 12, cell.center().y()});
    QCOMPARE(shown.now().boolean("tokenizer.ggml.add_bos_token"), std::optional(false));
    QCOMPARE(shown.text("tokenizer.ggml.add_bos_token"), QStringLiteral("false"));
    shown.choose("tokenizer.ggml.add_bos_token");
    shown.page.view()->setFocus();
    QTest::keyClick(shown.page.view(), Qt::Key_F2);
    QCOMPARE(shown.now().boolean("tokenizer.ggml.add_bos_token"), std::optional(true));
    QVERIFY(!shown.document.document().isModified());
}

void TestMetadataEdit::choosesFromNames() {
    ShownMetadata shown(metadataSample());
    QVERIFY(shown.ready);
    QCOMPARE(shown.text("general.file_type"), QStringLiteral("Q8_0 (7)"));
    ValueEditor* editor = shown.startEditing("general.file_type");
    QVERIFY(editor != nullptr);
    auto* combo = editor->findChild<QComboBox*>();
    QVERIFY(combo != nullptr);
    QCOMPARE(combo->currentText(), QStringLiteral("Q8_0 (7)"));
    combo->setCurrentIndex(combo->findText(QStringLiteral("Q4_K_M (15)")));
    QTest::keyClick(combo, Qt::Key_Return);
    QCOMPARE(shown.now().uint("general.file_type"), std::optional<std::uint64_t>(15));
    QVERIFY(shown.type("general.file_type", QStringLiteral("f16")));
    QCOMPARE(shown.now().uint("general.file_type"), std::optional<std::uint64_t>(1));
    QVERIFY(shown.type("general.file_type", QStringLiteral("iq4_x"))); // an unambiguous prefix
    QCOMPARE(shown.text("general.file_type"), QStringLiteral("IQ4_XS (30)"));
    QVERIFY(shown.type("general.file_type", QStringLiteral("999"))); // a number without a name
    QCOMPARE(shown.now().uint("general.file_type"), std::optional<std::uint64_t>(999));
}

void TestMetadataEdit::changesTypes() {
    ShownMetadata shown(metadataSample());
    QVERIFY(shown.ready);
    QSignalSpy said(shown.page.edits(), &MetadataEdits::said);
    const auto typeOfKey = [&] { return typeOf(*shown.now().find("llama.context_length")); };
    shown.page.keys()->setData(shown.cell("llama.context_length", MetadataModel::Type),
                               static_cast<uint>(ValueType::UInt64), Qt::EditRole);
    QCOMPARE(typeOfKey(), ValueType::UInt64);
    QCOMPARE(shown.now().uint("llama.context_length"), std::optional<std::uint64_t>(2048));
    shown.page.keys()->setData(shown.cell("llama.context_length", MetadataModel::Type),
                               static_cast<uint>(ValueType::UInt8), Qt::EditRole);
    QCOMPARE(typeOfKey(), ValueType::UInt64);
    QCOMPARE(said.count(), 1);
    QVERIFY(said[0][0].toString().contains(QStringLiteral("u8 ranges from 0 to 255")));
    shown.document.undo();
    QCOMPARE(typeOfKey(), ValueType::UInt32);
}

void TestMetadataEdit::changesTheTypeOfAnArray() {
    ShownMetadata shown(metadataSample());
    QVERIFY(shown.ready);
    QSignalSpy edited(&shown.document, &ModelDocument::edited);
    shown.page.edits()->changeType(shown.cell("tokenizer.ggml.token_type"), ValueType::UInt8);
    QVERIFY(edited.wait());
    const ArrayView* array = shown.now().array("tokenizer.ggml.token_type");
    QCOMPARE(array->elementType, ValueType::UInt8);
    QCOMPARE(array->length, 6U);
    QCOMPARE(asUInt(arrayHead(*array, 6)[5]), std::optional<std::uint64_t>(4));
    QSignalSpy said(shown.page.edits(), &MetadataEdits::said);
    shown.page.edits()->changeType(shown.cell("tokenizer.ggml.tokens"), ValueType::Int32);
    QVERIFY(said.wait());
    QVERIFY(said[0][0].toString().contains(QStringLiteral("element 0")));
    QCOMPARE(shown.now().array("tokenizer.ggml.tokens")->elementType, ValueType::String);
}

void TestMetadataEdit::marksWhatChanged() {
    ShownMetadata shown(metadataSample());
    QVERIFY(shown.ready);
    QVERIFY(shown.type("llama.context_length", QStringLiteral("4096")));
    const QModelIndex cell = shown.cell("llama.context_length");
    QVERIFY(cell.data(kChangedRole).toBool());
    QVERIFY(!cell.data(kAddedRole).toBool());
    QCOMPARE(cell.data(kBeforeTextRole).toString(), QStringLiteral("2048"));
    QVERIFY(cell.data(Qt::ToolTipRole).toString().contains(QStringLiteral("Was: 2048 (u32)")));
    QVERIFY(shown.type("llama.block_count", QStringLiteral("3")));
    // The button at the end of the row reverts that change only.
    const QRect button = shown.page.view()->revertButton(shown.cell("llama.context_length", 0));
    QVERIFY(!button.isEmpty());
    QTest::mouseClick(shown.page.view()->viewport(), Qt::LeftButton, {}, button.center());
    QCOMPARE(shown.text("llama.context_length"), QStringLiteral("2048"));
    QVERIFY(shown.page.view()->revertButton(shown.cell("llama.context_length", 0)).isEmpty());
    QCOMPARE(shown.text("llama.block_count"), QStringLiteral("3"));
    // A value that is set back by hand is not a change.
    QVERIFY(shown.type("llama.block_count", QStringLiteral("2")));
    QVERIFY(!shown.cell("llama.block_count").data(kChangedRole).toBool());
}

void TestMetadataEdit::picksAToken() {
    ShownMetadata shown(metadataSample());
    QVERIFY(shown.ready);
    QTRY_COMPARE(shown.cell("tokenizer.ggml.eos_token_id").data(MetadataModel::ChipTextRole).toString(),
                 QStringLiteral("<|end|>"));
    shown.choose("tokenizer.ggml.eos_token_id");
    test::answerDialog([](QDialog* dialog) {
        auto* picker = static_cast<TokenPicker*>(dialog);
        QCOMPARE(picker->token(), std::optional<std::uint64_t>(3));
        QSignalSpy searched(picker, &TokenPicker::searched);
        test::typeText(picker->filterField(), QStringLiteral("ġab"));
        QVERIFY(searched.wait());
        QCOMPARE(picker->table()->view()->model()->rowCount(), 1);
        QCOMPARE(picker->token(), std::optional<std::uint64_t>(5));
        picker->accept();
    });
    shown.page.view()->setFocus();
    QTest::keyClick(shown.page.view(), Qt::Key_F4);
    QCOMPARE(shown.now().uint("tokenizer.ggml.eos_token_id"), std::optional<std::uint64_t>(5));
    QCOMPARE(typeOf(*shown.now().find("tokenizer.ggml.eos_token_id")), ValueType::UInt32);
    QTRY_COMPARE(shown.cell("tokenizer.ggml.eos_token_id").data(MetadataModel::ChipTextRole).toString(),
                 QStringLiteral("Ġab"));
}

void TestMetadataEdit::editsLinesWithoutLosingOne_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("result"); // after "X" was typed at the start
    QTest::newRow("lines") << QByteArray("a\n\nb\n") << QByteArray("Xa\n\nb\n");
    QTest::newRow("Windows lines") << QByteArray("a\r\nb\n") << QByteArray("Xa\r\nb\n");
    QTest::newRow("no-break space, tab") << QByteArray("a\u00A0\tb\n") << QByteArray("Xa\u00A0\tb\n");
    QTest::newRow("line separator") << QByteArray("a\u2028b\nc") << QByteArray("Xa\u2028b\nc");
    QTest::newRow("bytes") << QByteArray("a\xFF\\\n\0c", 6) << QByteArray("Xa\xFF\\\n\0c", 7);
    QTest::newRow("beyond the BMP") << QByteArray("\U0001F989\n") << QByteArray("X\U0001F989\n");
}

void TestMetadataEdit::editsLinesWithoutLosingOne() {
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, result);
    GgufBuilder file;
    file.key("general.license", bytes.toStdString());
    ShownMetadata shown(file);
    QVERIFY(shown.ready);
    shown.choose("general.license");
    QVERIFY(shown.page.findChild<TextPane*>()->isVisible());
    TextView* view = shown.page.findChild<TextPane*>()->view();
    view->setFocus();
    view->moveCursor(QTextCursor::Start);
    QTest::keyClick(view, 'X');
    QTest::keyClicks(view, QStringLiteral("YZ"));
    for (int i = 0; i < 2; ++i) {
        QTest::keyClick(view, Qt::Key_Backspace);
    }
    shown.page.findChild<TextPane*>()->commit();
    const std::string now(*shown.now().string("general.license"));
    QCOMPARE(QByteArray::fromStdString(now), result);
    QCOMPARE(view->textCursor().position(), 1); // following its own edit keeps the cursor
    shown.document.undo();
    QCOMPARE(QByteArray::fromStdString(std::string(*shown.now().string("general.license"))), bytes);
    QVERIFY(!view->toPlainText().startsWith(u'X'));
}

// A deleted key stays in its place, struck through, until the file is saved.
void TestMetadataEdit::deletedKeysAreStruckThrough() {
    ShownMetadata shown(metadataSample());
    QVERIFY(shown.ready);
    const std::size_t keys = shown.now().size();
    const auto goneRow = [&shown] { return shown.page.keys()->showPrefix("general.name", false); };
    QVERIFY(!shown.page.keys()->isGone(goneRow()));
    shown.choose("general.name");
    shown.page.view()->setFocus();
    QTest::keyClick(shown.page.view(), Qt::Key_Delete);
    QTRY_VERIFY(shown.now().find("general.name") == nullptr);
    QTRY_VERIFY(shown.page.keys()->isGone(goneRow()));
    QVERIFY(shown.page.keys()->entry(goneRow()) == nullptr);
    QVERIFY(goneRow().data(Qt::FontRole).value<QFont>().strikeOut());
    QVERIFY(goneRow().data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("deleted")));
    QVERIFY(!goneRow().flags().testFlag(Qt::ItemIsEditable));
    QVERIFY(!goneRow().siblingAtColumn(MetadataModel::Value).data().toString().isEmpty()); // its old value
    QVERIFY(!shown.cell("general.architecture", 0).data(Qt::FontRole).value<QFont>().strikeOut());
    // Reverting the row brings it back.
    shown.page.edits()->revert(goneRow());
    QTRY_VERIFY(shown.now().find("general.name") != nullptr);
    QTRY_VERIFY(goneRow().isValid() && !shown.page.keys()->isGone(goneRow()));
    QCOMPARE(shown.now().size(), keys);
    // So does undo.
    shown.choose("general.name");
    QTest::keyClick(shown.page.view(), Qt::Key_Delete);
    QTRY_VERIFY(shown.page.keys()->isGone(goneRow()));
    shown.document.undo();
    QTRY_VERIFY(goneRow().isValid() && !shown.page.keys()->isGone(goneRow()));
    // After saving, the row is gone for good.
    shown.choose("general.name");
    QTest::keyClick(shown.page.view(), Qt::Key_Delete);
    QTRY_VERIFY(shown.page.keys()->isGone(goneRow()));
    shown.document.rebase(shown.document.current());
    QTRY_VERIFY(!goneRow().isValid());
}

void TestMetadataEdit::saysWhyItCannotBeEdited() {
    ShownMetadata shown(metadataSample());
    QVERIFY(shown.ready);
    shown.document.setBlocked(QStringLiteral("A shard is missing."));
    QVERIFY(!shown.cell("general.name").flags().testFlag(Qt::ItemIsEditable));
    QVERIFY(
        shown.cell("general.name").data(Qt::ToolTipRole).toString().contains(QStringLiteral("A shard is missing.")));
    QVERIFY(shown.startEditing("general.name") == nullptr);
    QVERIFY(!shown.page.edits()->addAction()->isEnabled());
    QCOMPARE(shown.page.edits()->addAction()->toolTip(), QStringLiteral("A shard is missing."));
    QTest::keyClick(shown.page.view(), Qt::Key_Delete);
    shown.choose("tokenizer.chat_template");
    QVERIFY(shown.page.findChild<TextPane*>()->view()->isReadOnly());
    shown.document.setBlocked({});
    QVERIFY(!shown.page.findChild<TextPane*>()->view()->isReadOnly());
    QVERIFY(shown.startEditing("general.name") != nullptr);
    QVERIFY(!shown.document.document().canUndo());
}

GUFO_TEST_WIDGETS(TestMetadataEdit)
#include "tst_metadata_edit.moc"
