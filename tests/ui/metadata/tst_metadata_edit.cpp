#include "model/value_text.h"
#include "support/edited_page.h"
#include "support/test_unit.h"
#include "ui/models/key_transfer.h"
#include "ui/pages/metadata/import_dialog.h"
#include "ui/pages/metadata/key_dialog.h"
#include "ui/pages/metadata/metadata_export.h"
#include "ui/pages/metadata/metadata_page.h"
#include "ui/pages/metadata/token_picker.h"
#include "ui/theme/theme.h"
#include "ui/widgets/value_delegate.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QToolTip>

#include <cmath>
#include <limits>

using namespace gufo;
using namespace gufo::ui;
using test::GgufBuilder;

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
    void deletesASelectionAndBringsItBack();
    void addsAKey();
    void refusesADuplicate();
    void renames();
    void movesInTheList();
    void picksAToken();
    void editsLinesWithoutLosingOne_data();
    void editsLinesWithoutLosingOne();
    void copiesKeysToAnotherModel();
    void asksBeforeOverwriting();
    void importsWhatWasExported();
    void staysAsItIsWhileKeysComeAndGo();
    void saysWhyItCannotBeEdited();
    void duplicateKeysAreOnlyDeleted();
};

namespace {

GgufBuilder sample() {
    GgufBuilder file;
    test::addSmallLlama(file);
    test::addSmallVocabulary(file);
    file.key("tokenizer.ggml.add_bos_token", true);
    file.key("tokenizer.chat_template", "{% for m in messages %}\n{{ m }}\n{% endfor %}");
    return file;
}

struct Shown : test::EditedPage<MetadataPage> {
    explicit Shown(const GgufBuilder& file)
        : EditedPage(file)
        , tester(page.keys(), QAbstractItemModelTester::FailureReportingMode::QtTest) {
        QSignalSpy listed(&page, &MetadataPage::listed);
        ready = page.keys()->keyCount() != 0 || listed.wait();
        page.activateWindow();
        ready = ready && QTest::qWaitForWindowActive(&page);
        ready = ready && QTest::qWaitFor([this] {
                    page.edits()->update();
                    return true;
                });
        Job::waitForAll();
        QCoreApplication::processEvents();
    }
    QModelIndex cell(std::string_view key, int column = MetadataModel::Value) {
        const auto kv = now().indexOf(key);
        return kv ? page.keys()->showEntry(*kv).siblingAtColumn(column) : QModelIndex();
    }
    void choose(std::string_view key) { page.view()->setCurrentIndex(cell(key, 0)); }
    QString text(std::string_view key) { return cell(key).data().toString(); }
    // Presses F2 and replaces the text.
    ValueEditor* startEditing(std::string_view key) {
        choose(key);
        page.view()->setFocus();
        QTest::keyClick(page.view(), Qt::Key_F2);
        return test::openEditor<ValueEditor>(page.view());
    }
    bool type(std::string_view key, const QString& text) {
        ValueEditor* editor = startEditing(key);
        if (editor == nullptr) {
            return false;
        }
        editor->selectAll();
        if (text.isEmpty()) {
            QTest::keyClick(editor->field(), Qt::Key_Delete);
        }
        test::typeText(editor->field(), text);
        QTest::keyClick(editor->field(), Qt::Key_Return);
        return true;
    }
    // Waits until the tree matches the document.
    bool settled() {
        return QTest::qWaitFor([this] { return page.keys()->model() == document.current().get(); });
    }

    QAbstractItemModelTester tester;
    bool ready = false;
};

OwnedValue read(ValueType type, const std::string& text) { return OwnedValue(*parseValue(type, text)); }

} // namespace

void TestMetadataEdit::editsEveryTypeAtItsLimits_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<QString>("typed");
    const auto row = [](ValueType type, const char* typed) {
        QTest::addRow("%s %s", valueTypeInfo(type).name.data(), typed)
            << static_cast<int>(type) << QString::fromLatin1(typed);
    };
    for (const ValueTypeInfo& info : valueTypes()) {
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
    Shown shown(file);
    QVERIFY(shown.ready);
    const QString before = shown.text("k.v");
    QVERIFY(shown.type("k.v", typed));
    QVERIFY(OwnedValue::sameValue(*shown.now().find("k.v"), read(asked, typed.toStdString()).value()));
    QVERIFY(test::openEditor<ValueEditor>(shown.page.view()) == nullptr ||
            QTest::qWaitFor([&] { return test::openEditor<ValueEditor>(shown.page.view()) == nullptr; }));
    QVERIFY(shown.cell("k.v").data(kChangedRole).toBool());
    shown.document.undo();
    QCOMPARE(shown.text("k.v"), before);
    QVERIFY(!shown.cell("k.v").data(kChangedRole).toBool());
    shown.document.redo();
    QVERIFY(OwnedValue::sameValue(*shown.now().find("k.v"), read(asked, typed.toStdString()).value()));
    QCOMPARE(shown.refusals, QStringList());
}

void TestMetadataEdit::keepsWhatIsNoValueInTheField() {
    GgufBuilder file;
    file.key("small", std::uint8_t{7});
    Shown shown(file);
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
    Shown shown(sample());
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
    Shown shown(sample());
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
    Shown shown(sample());
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
    Shown shown(sample());
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
    Shown shown(sample());
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
    Shown shown(sample());
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
    Shown shown(sample());
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

void TestMetadataEdit::deletesASelectionAndBringsItBack() {
    Shown shown(sample());
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
    QVERIFY(!shown.page.keys()->showPrefix("llama.attention", true).isValid());
    shown.document.undo();
    QVERIFY(shown.settled());
    QCOMPARE(shown.page.keys()->keyCount(), all);
    QVERIFY(shown.page.view()->visualRect(shown.cell("llama.attention.head_count")).isValid());
    QVERIFY(!shown.document.document().isModified());
}

void TestMetadataEdit::addsAKey() {
    Shown shown(sample());
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

void TestMetadataEdit::refusesADuplicate() {
    Shown shown(sample());
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

void TestMetadataEdit::renames() {
    Shown shown(sample());
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

void TestMetadataEdit::movesInTheList() {
    Shown shown(sample());
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

void TestMetadataEdit::picksAToken() {
    Shown shown(sample());
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
    Shown shown(file);
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

void TestMetadataEdit::copiesKeysToAnotherModel() {
    Shown from(sample());
    GgufBuilder other;
    other.key("general.architecture", "llama");
    Shown to(other);
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

void TestMetadataEdit::asksBeforeOverwriting() {
    Shown from(sample());
    GgufBuilder other;
    other.key("general.name", "Other").key("llama.block_count", std::uint32_t{2}).key("z", std::uint8_t{0});
    Shown to(other);
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

void TestMetadataEdit::importsWhatWasExported() {
    GgufBuilder file = sample();
    file.key("x.large", std::uint64_t{18'446'744'073'709'551'615U})
        .key("x.nan", std::numeric_limits<float>::quiet_NaN());
    file.key("x.bytes", "a\xFF\n").key("x.empty", std::vector<std::string>{});
    const auto model = test::readModel(file);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("all.json"));
    QVERIFY(exportMetadataJson(*model, path, {}));
    GgufBuilder other;
    other.key("general.architecture", "llama").key("general.name", "Other");
    Shown shown(other);
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

void TestMetadataEdit::staysAsItIsWhileKeysComeAndGo() {
    GgufBuilder file = sample();
    for (int i = 0; i < 200; ++i) {
        file.key("extra.group_" + std::to_string(i / 10) + ".k" + std::to_string(i), std::uint32_t{1});
    }
    Shown shown(file);
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
    // A filter is kept, and what is edited under it stays visible.
    QSignalSpy listed(&shown.page, &MetadataPage::listed);
    QTest::keyClicks(shown.page.filterField(), QStringLiteral("small llama"));
    QVERIFY(listed.wait());
    QCOMPARE(shown.page.keys()->keyCount(), 1U);
    QVERIFY(shown.type("general.name", QStringLiteral("Renamed")));
    QCOMPARE(shown.page.keys()->keyCount(), 1U);
    QCOMPARE(shown.text("general.name"), QStringLiteral("Renamed"));
}

void TestMetadataEdit::saysWhyItCannotBeEdited() {
    Shown shown(sample());
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

void TestMetadataEdit::duplicateKeysAreOnlyDeleted() {
    GgufBuilder file;
    file.key("a", std::uint8_t{1}).key("a", std::uint8_t{2}).key("b", std::uint8_t{3});
    Shown shown(file);
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

GUFO_TEST_WIDGETS(TestMetadataEdit)
#include "tst_metadata_edit.moc"
