// Opens the editor of every cell that can be edited, on all pages, and leaves it in each way a user can. Keys and
// clicks go through the window, so that lists of completions get them first, as they do on a screen.
#include "document/document.h"
#include "model/key_catalogue.h"
#include "support/page_models.h"
#include "support/test_unit.h"
#include "support/window_fixture.h"
#include "ui/pages/metadata/array_pane.h"
#include "ui/pages/metadata/key_dialog.h"
#include "ui/pages/metadata/metadata_page.h"
#include "ui/pages/tensors/tensor_list.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/pages/tokenizer/tokenizer_page.h"
#include "ui/widgets/value_editor.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeView>

#include <functional>
#include <set>

using namespace gufo;
using namespace gufo::ui;
using test::GgufBuilder;

namespace {

// A model with every key that is edited by a choice, a value of each type, arrays, a vocabulary and tensors.
GgufBuilder everyKind() {
    GgufBuilder file;
    test::addSmallLlama(file);
    test::addSmallVocabulary(file);
    file.key("tokenizer.ggml.scores", std::vector<float>{0, -1, -2, -3, -4, -5});
    file.key("tokenizer.ggml.add_bos_token", true);
    file.key("x.u8", std::uint8_t{1});
    file.key("x.i16", std::int16_t{-1});
    file.key("x.u64", std::uint64_t{1});
    file.key("x.f64", 0.5);
    file.key("x.text", "some text");
    file.key("x.words", std::vector<std::string>{"one", "two"});
    file.key("x.flags", std::vector<bool>{true, false});
    std::set<std::string> added{"general.file_type", "tokenizer.ggml.model"};
    for (const KeyFact& fact : keyFacts()) {
        std::string key(fact.key);
        if (key.starts_with("{arch}")) {
            key.replace(0, 6, "llama");
        }
        if (key.find('{') != std::string::npos || !added.insert(key).second || fact.type == ValueType::Array) {
            continue;
        }
        if (!keyChoices(key, "llama").empty()) {
            file.key(key, keyChoices(key, "llama").front());
        } else if (!enumNames(key, "llama").empty()) {
            file.key(key, static_cast<std::uint32_t>(enumNames(key, "llama").front().value));
        }
    }
    return file;
}

// The position of a cell, which stays valid when rows are read again.
struct Cell {
    std::vector<int> rows;
    int column = 0;
    [[nodiscard]] QModelIndex in(const QAbstractItemModel& model) const {
        QModelIndex index;
        for (const int& row : rows) {
            index = model.index(row, &row == &rows.back() ? column : 0, index);
        }
        return index;
    }
};

void addEditable(const QAbstractItemModel& model, std::vector<int> path, std::vector<Cell>& cells) {
    const QModelIndex parent = Cell{path, 0}.in(model);
    for (int row = 0; row < model.rowCount(parent); ++row) {
        path.push_back(row);
        for (int column = 0; column < model.columnCount(parent); ++column) {
            if (model.index(row, column, parent).flags().testFlag(Qt::ItemIsEditable)) {
                cells.push_back({path, column});
            }
        }
        addEditable(model, path, cells);
        path.pop_back();
    }
}

std::vector<Cell> editableCells(const QAbstractItemView& view) {
    std::vector<Cell> cells;
    addEditable(*view.model(), {}, cells);
    return cells;
}

} // namespace

class TestCellEditors : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_f.reset(); }
    void leavesEachEditor_data();
    void leavesEachEditor();
    void nothingTypedIsDropped();
    void addKeyByKeyboard();

private:
    // How an editor is left, and whether this keeps what was typed.
    struct Way {
        std::function<void(const TestCellEditors&)> leave;
        bool keeps = true;
    };
    [[nodiscard]] MainWindow* window() const { return m_f->window; }
    template<typename PageType>
    PageType* show() {
        for (std::size_t i = 0; i < m_tab->pages().size(); ++i) {
            if (auto* page = qobject_cast<PageType*>(m_tab->pages()[i])) {
                m_tab->showPage(static_cast<int>(i));
                return page;
            }
        }
        return nullptr;
    }
    void press(Qt::Key key) const { QTest::keyClick(window()->windowHandle(), key); }
    void clickElsewhere() const;
    static QWidget* openEditor(const QAbstractItemView& view);
    void type(QWidget* editor) const;
    void checkView(QAbstractItemView* view, const Way& way, bool typed);

    std::unique_ptr<WindowFixture> m_f;
    ModelTab* m_tab = nullptr;
};

void TestCellEditors::init() {
    m_f = std::make_unique<WindowFixture>();
    m_tab = m_f->open(writeFile(m_f->root / "a.gguf", everyKind().build()));
    QVERIFY(m_tab != nullptr);
    window()->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window()));
}

void TestCellEditors::clickElsewhere() const {
    QWidget* field = m_tab->currentPage()->filterField();
    QTest::mouseClick(window()->windowHandle(), Qt::LeftButton, {}, field->mapTo(window(), field->rect().center()));
}

QWidget* TestCellEditors::openEditor(const QAbstractItemView& view) {
    for (auto* child : view.viewport()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (child->isVisible()) { // closed editors are deleted a little later
            return child;
        }
    }
    return nullptr;
}

// Replaces the content by another valid one.
void TestCellEditors::type(QWidget* editor) const {
    QString text = QStringLiteral("1");
    if (auto* value = qobject_cast<ValueEditor*>(editor)) {
        value->selectAll();
        if (const auto* combo = value->findChild<QComboBox*>()) {
            const QString last = combo->itemText(combo->count() - 1);
            text = last.section(QStringLiteral(" ("), 0, 0);
        }
    } else if (auto* line = qobject_cast<QLineEdit*>(editor)) {
        line->selectAll();
    } else {
        return; // a combo box of types
    }
    for (const QChar c : text) {
        QTest::keyClick(window()->windowHandle(), c.toLatin1());
    }
}

void TestCellEditors::checkView(QAbstractItemView* view, const Way& way, bool typed) {
    const std::vector<Cell> cells = editableCells(*view);
    QVERIFY(!cells.empty());
    for (const Cell& cell : cells) {
        const QModelIndex index = cell.in(*view->model());
        const QString name = index.siblingAtColumn(0).data().toString();
        QVERIFY(index.isValid());
        view->scrollTo(index);
        view->setFocus();
        view->setCurrentIndex(index);
        view->edit(index);
        const QPointer<QWidget> editor = openEditor(*view);
        QVERIFY2(editor != nullptr, qPrintable(QStringLiteral("%1, column %2").arg(name).arg(cell.column)));
        QCoreApplication::processEvents(); // the types' list opens
        if (typed) {
            type(editor);
        }
        // The first key or click may only close a list.
        for (int i = 0; i < 3 && editor != nullptr && editor->isVisible(); ++i) {
            way.leave(*this);
            QCoreApplication::processEvents();
        }
        QVERIFY2(editor == nullptr || !editor->isVisible(), qPrintable(name));
        QVERIFY2(!typed || way.keeps || !m_tab->isModified(), qPrintable(name));
        for (int i = 0; i < 3 && openEditor(*view) != nullptr; ++i) { // Tab opens the next one
            press(Qt::Key_Escape);
        }
        QVERIFY2(openEditor(*view) == nullptr, qPrintable(name));
        while (m_tab->document()->document().canUndo()) {
            m_tab->document()->undo();
        }
        QTRY_VERIFY(m_tab->findChildren<Job*>().isEmpty());
    }
}

void TestCellEditors::leavesEachEditor_data() {
    QTest::addColumn<Way>("way");
    QTest::addColumn<bool>("typed");
    const auto row = [](const char* name, const Way& way) {
        QTest::addRow("%s", name) << way << false;
        QTest::addRow("typed, %s", name) << way << true;
    };
    const auto by = [](Qt::Key key) { return [key](const TestCellEditors& test) { test.press(key); }; };
    row("return", {by(Qt::Key_Return)});
    row("tab", {by(Qt::Key_Tab)});
    row("backtab", {by(Qt::Key_Backtab)});
    row("escape", {.leave = by(Qt::Key_Escape), .keeps = false});
    row("click elsewhere", {&TestCellEditors::clickElsewhere});
}

void TestCellEditors::leavesEachEditor() {
    QFETCH(const Way, way);
    QFETCH(bool, typed);
    auto* metadata = show<MetadataPage>();
    QTRY_VERIFY(metadata->keys()->keyCount() != 0);
    checkView(metadata->view(), way, typed);
    auto* pane = metadata->findChild<ArrayPane*>();
    for (const char* key :
         {"tokenizer.ggml.token_type", "tokenizer.ggml.tokens", "tokenizer.ggml.scores", "x.words", "x.flags"}) {
        QSignalSpy opened(pane, &ArrayPane::opened);
        metadata->view()->setCurrentIndex(metadata->keys()->showEntry(*m_tab->model()->metadata.indexOf(key)));
        QVERIFY(opened.count() > 0 || opened.wait());
        checkView(pane->table()->view(), way, typed);
    }
    auto* tokenizer = show<TokenizerPage>();
    QTRY_VERIFY(tokenizer->tokens()->rowCount() != 0);
    checkView(tokenizer->findChild<WindowedTable*>("tokenTable")->view(), way, typed);
    auto* tensors = show<TensorsPage>();
    QTRY_VERIFY(tensors->list().view()->model()->rowCount() != 0);
    tensors->list().showTable();
    checkView(tensors->list().views()[0], way, typed);
}

// Without its point, 1.5 would become 15.
void TestCellEditors::nothingTypedIsDropped() {
    auto* metadata = show<MetadataPage>();
    QTRY_VERIFY(metadata->keys()->keyCount() != 0);
    for (const char* key : {"x.u8", "x.i16", "x.u64"}) {
        const QModelIndex entry = metadata->keys()->showEntry(*m_tab->model()->metadata.indexOf(key));
        QWidget* editor = nullptr;
        for (int column = 1; column < metadata->keys()->columnCount({}) && editor == nullptr; ++column) {
            const QModelIndex index = entry.siblingAtColumn(column);
            if (index.flags().testFlag(Qt::ItemIsEditable)) {
                metadata->view()->setFocus();
                metadata->view()->setCurrentIndex(index);
                metadata->view()->edit(index);
                editor = openEditor(*metadata->view());
                if (qobject_cast<ValueEditor*>(editor) == nullptr) {
                    press(Qt::Key_Escape); // the type's list
                    press(Qt::Key_Escape);
                    editor = nullptr;
                }
            }
        }
        auto* value = qobject_cast<ValueEditor*>(editor);
        QVERIFY2(value != nullptr, key);
        value->selectAll();
        for (const char c : {'1', '.', '5'}) {
            QTest::keyClick(window()->windowHandle(), c);
        }
        QCOMPARE(value->findChild<QLineEdit*>()->text(), QStringLiteral("1.5"));
        press(Qt::Key_Return);
        QVERIFY2(!m_tab->isModified(), key);
        press(Qt::Key_Escape);
        press(Qt::Key_Escape);
    }
}

void TestCellEditors::addKeyByKeyboard() {
    KeyDialog dialog(m_tab->model(), QStringLiteral("x.new"), nullptr);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    auto* type = dialog.findChild<QComboBox*>();
    for (const char* name : {"str", "u32", "bool"}) {
        type->setCurrentText(QLatin1String(name));
        QCoreApplication::processEvents(); // shows the field
        dialog.findChild<QLineEdit*>()->setFocus();
        QTest::keyClick(&dialog, Qt::Key_Tab);
        QVERIFY2(dialog.focusWidget() == type, name);
        QTest::keyClick(&dialog, Qt::Key_Tab);
        QVERIFY2(qobject_cast<QPushButton*>(dialog.focusWidget()) == nullptr && dialog.focusWidget() != type, name);
        for (const char* button : {"Add", "Cancel"}) {
            QTest::keyClick(&dialog, Qt::Key_Tab);
            const auto* focused = qobject_cast<QPushButton*>(dialog.focusWidget());
            QVERIFY2(focused != nullptr, name);
            QCOMPARE(focused->text().remove(QLatin1Char('&')), QLatin1String(button));
        }
    }
}

GUFO_TEST_WIDGETS(TestCellEditors)
#include "tst_cell_editors.moc"
