// Text that is being typed reaches the model before any command, or keeps the focus and says why not. Keys and clicks
// go through the window.
#include "document/open_model.h"
#include "saving_window_test.h"
#include "support/idle.h"
#include "support/page_models.h"
#include "support/test_unit.h"
#include "support/user_view.h"
#include "support/window_fixture.h"
#include "ui/mainwindow/tabs/unsaved_question.h"
#include "ui/pages/metadata/array_pane.h"
#include "ui/pages/metadata/metadata_page.h"
#include "ui/pages/metadata/text_pane.h"
#include "ui/pages/template/template_page.h"
#include "ui/pages/tensors/tensor_list.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/saving/change_bar.h"
#include "ui/saving/tab_editing.h"
#include "ui/shell/sidebar.h"
#include "ui/widgets/value_editor.h"

#include <QApplication>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTabBar>
#include <QToolButton>
#include <QToolTip>
#include <QTreeView>

#include <map>

using namespace gufo;
using namespace gufo::ui;
using test::GgufBuilder;

namespace {

GgufBuilder sample() {
    GgufBuilder file;
    test::addSmallLlama(file);
    test::addSmallVocabulary(file);
    file.key("small", std::uint8_t{7});
    file.key("x.words", std::vector<std::string>{"one", "two"});
    file.key("tokenizer.chat_template", "{% for m in messages %}\n{{ m }}\n{% endfor %}");
    file.key("x.lines", std::string("one\r\ntwo\r\nthree")); // shown with escapes
    return file;
}

} // namespace

class TestTypedText : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_f.reset(); }
    void savesWhatIsBeingTyped();
    void closingSeesWhatIsBeingTyped_data();
    void closingSeesWhatIsBeingTyped();
    void changingThePageCommits_data();
    void changingThePageCommits();
    void clickElsewhereBringsBackWhatIsNoValue_data();
    void clickElsewhereBringsBackWhatIsNoValue();
    void commandsWaitForWhatIsNoValue_data();
    void commandsWaitForWhatIsNoValue();
    void closingAsksAboutWhatIsNoValue_data();
    void closingAsksAboutWhatIsNoValue();
    void badEscapeIsNotPassedOver_data();
    void badEscapeIsNotPassedOver();
    void takenTensorNameStaysInTheField();
    void savesATemplateBeingTyped();

private:
    using LeaveText = void (*)(TestTypedText* test);
    [[nodiscard]] MainWindow* window() const { return m_f->window; }
    [[nodiscard]] MetadataPage* metadata() const { return page<MetadataPage>(); }
    template<typename PageType>
    PageType* page() const {
        for (Page* page : m_tab->pages()) {
            if (auto* wanted = qobject_cast<PageType*>(page)) {
                return wanted;
            }
        }
        return nullptr;
    }
    template<typename PageType>
    PageType* show() const {
        auto* wanted = page<PageType>();
        m_tab->showPage(static_cast<int>(std::ranges::find(m_tab->pages(), wanted) - m_tab->pages().begin()));
        return wanted;
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) const {
        QTest::keyClick(window()->windowHandle(), key, modifiers);
    }
    void type(const QString& text) const {
        for (const QChar c : text) {
            QTest::keyClick(window()->windowHandle(), c.toLatin1());
        }
    }
    void click(QWidget* widget) const {
        QTest::mouseClick(window()->windowHandle(), Qt::LeftButton, {},
                          widget->mapTo(window(), widget->rect().center()));
    }
    // Opens the editor of a key's value and replaces its content.
    bool typeInto(const char* key, const QString& text) const;
    [[nodiscard]] ValueEditor* editor() const { return shown<ValueEditor>(metadata()->view()->viewport()); }
    [[nodiscard]] std::shared_ptr<const Model> saved() const { return openModel(m_tab->place()).value_or(nullptr); }
    bool answerBox(const char* button) const {
        if (!QTest::qWaitFor([this] { return shown<QMessageBox>(window()) != nullptr; })) {
            return false;
        }
        auto* found = test::named<QPushButton>(shown<QMessageBox>(window()), button);
        if (found != nullptr) {
            found->click();
        }
        return found != nullptr;
    }

    std::unique_ptr<WindowFixture> m_f;
    ModelTab* m_tab = nullptr;
};

void TestTypedText::init() {
    m_f = std::make_unique<WindowFixture>();
    m_tab = m_f->open(writeFile(m_f->root / "a.gguf", sample().build()));
    QVERIFY(m_tab != nullptr);
    window()->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window()));
    show<MetadataPage>();
    QTRY_VERIFY(metadata()->keys()->keyCount() != 0);
}

bool TestTypedText::typeInto(const char* key, const QString& text) const {
    const QModelIndex row = metadata()->keys()->showEntry(*m_tab->model()->metadata.indexOf(key));
    metadata()->view()->setFocus();
    metadata()->view()->setCurrentIndex(row);
    press(Qt::Key_F2);
    if (editor() == nullptr) {
        return false;
    }
    editor()->selectAll();
    type(text);
    return true;
}

void TestTypedText::savesWhatIsBeingTyped() {
    QVERIFY(typeInto("general.name", QStringLiteral("Owl")));
    QVERIFY(!m_tab->isModified());
    press(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(!m_tab->isSaving() && !m_tab->isModified());
    QCOMPARE(saved()->metadata.string("general.name"), std::optional<std::string_view>("Owl"));
}

void TestTypedText::closingSeesWhatIsBeingTyped_data() {
    QTest::addColumn<int>("key");
    QTest::newRow("Ctrl+W") << static_cast<int>(Qt::Key_W);
    QTest::newRow("Ctrl+Q") << static_cast<int>(Qt::Key_Q);
    QTest::newRow("the window's button") << 0;
}

void TestTypedText::closingSeesWhatIsBeingTyped() {
    QFETCH(int, key);
    QVERIFY(typeInto("general.name", QStringLiteral("Owl")));
    if (key != 0) {
        press(static_cast<Qt::Key>(key), Qt::ControlModifier);
    } else {
        window()->close();
    }
    QTRY_VERIFY(shown<UnsavedQuestion>(window()) != nullptr);
    QVERIFY(m_tab->isModified());
    shown<UnsavedQuestion>(window())->cancelButton()->click();
    QCOMPARE(m_tab->model()->metadata.string("general.name"), std::optional<std::string_view>("Owl"));
}

void TestTypedText::changingThePageCommits_data() {
    QTest::addColumn<bool>("byMouse");
    QTest::newRow("by mouse") << true;
    QTest::newRow("by key") << false;
}

void TestTypedText::changingThePageCommits() {
    QFETCH(bool, byMouse);
    QVERIFY(typeInto("general.name", QStringLiteral("Owl")));
    if (byMouse) {
        auto* sidebar = m_tab->findChild<Sidebar*>();
        const QRect first = sidebar->visualItemRect(sidebar->item(0));
        QTest::mouseClick(window()->windowHandle(), Qt::LeftButton, {},
                          sidebar->viewport()->mapTo(window(), first.center()));
    } else {
        press(Qt::Key_1, Qt::ControlModifier);
    }
    QTRY_VERIFY(m_tab->currentPage() != metadata());
    QCOMPARE(m_tab->model()->metadata.string("general.name"), std::optional<std::string_view>("Owl"));
}

void TestTypedText::clickElsewhereBringsBackWhatIsNoValue_data() {
    QTest::addColumn<QString>("where");
    for (const char* where : {"another row", "the filter", "the sidebar", "the undo button", "the tabs"}) {
        QTest::newRow(where) << QString::fromLatin1(where);
    }
}

void TestTypedText::clickElsewhereBringsBackWhatIsNoValue() {
    QFETCH(QString, where);
    // Something to undo.
    QVERIFY(m_tab->document()->apply({SetKey{"general.name", OwnedValue::string("Owl")}}, QStringLiteral("Name")));
    QVERIFY(typeInto("small", QStringLiteral("256")));
    const QPointer<ValueEditor> open = editor();
    const QModelIndex current = metadata()->view()->currentIndex();
    if (where == QStringLiteral("another row")) {
        const QRect row = metadata()->view()->visualRect(metadata()->view()->indexAbove(current));
        QTest::mouseClick(window()->windowHandle(), Qt::LeftButton, {},
                          metadata()->view()->viewport()->mapTo(window(), row.center()));
    } else {
        const std::map<QString, QWidget*> places{
            {QStringLiteral("the filter"), metadata()->filterField()},
            {QStringLiteral("the sidebar"), m_tab->findChild<Sidebar*>()->viewport()},
            {QStringLiteral("the undo button"), test::named<QToolButton>(metadata(), "Undo")},
            {QStringLiteral("the tabs"), window()->findChild<QTabBar*>()},
        };
        click(places.at(where));
    }
    QTRY_COMPARE(QToolTip::text(), QStringLiteral("u8 ranges from 0 to 255."));
    QVERIFY(!open.isNull() && open->isVisible());
    QVERIFY(open->isAncestorOf(QApplication::focusWidget()));
    QCOMPARE(metadata()->view()->currentIndex(), current);
    QCOMPARE(m_tab->currentPage(), metadata());
    QCOMPARE(m_tab->model()->metadata.string("general.name"), std::optional<std::string_view>("Owl"));
    // Once it is a value, the same click takes it.
    press(Qt::Key_Backspace);
    click(metadata()->filterField());
    QTRY_COMPARE(m_tab->model()->metadata.uint("small"), std::optional<std::uint64_t>(25));
    QTRY_VERIFY(open.isNull() || !open->isVisible());
}

void TestTypedText::commandsWaitForWhatIsNoValue_data() {
    QTest::addColumn<QString>("action");
    for (const char* action :
         {"save", "saveAs", "saveWithOptions", "revertAll", "review", "undo", "reload", "newTab", "goTo", "find"}) {
        QTest::newRow(action) << QString::fromLatin1(action);
    }
}

void TestTypedText::commandsWaitForWhatIsNoValue() {
    QFETCH(QString, action);
    QVERIFY(m_tab->document()->apply({SetKey{"general.name", OwnedValue::string("Owl")}}, QStringLiteral("Name")));
    QVERIFY(typeInto("small", QStringLiteral("256")));
    const QPointer<ValueEditor> open = editor();
    window()->namedAction(action.toLatin1().constData())->trigger();
    QVERIFY(!open.isNull() && open->isVisible());
    QVERIFY(open->isAncestorOf(QApplication::focusWidget()));
    QCOMPARE(QToolTip::text(), QStringLiteral("u8 ranges from 0 to 255."));
    QVERIFY(QApplication::activeModalWidget() == nullptr);
    QVERIFY(!m_tab->isSaving());
    QCOMPARE(window()->tabCount(), 1);
    QVERIFY(test::waitUntilIdle());
    QCOMPARE(saved()->metadata.string("general.name"), std::optional<std::string_view>("Small Llama"));
    QCOMPARE(m_tab->model()->metadata.string("general.name"), std::optional<std::string_view>("Owl"));
    press(Qt::Key_Escape);
    QTRY_VERIFY(open.isNull() || !open->isVisible());
    QCOMPARE(m_tab->model()->metadata.uint("small"), std::optional<std::uint64_t>(7));
}

void TestTypedText::closingAsksAboutWhatIsNoValue_data() {
    QTest::addColumn<int>("key");
    QTest::addColumn<bool>("discard");
    QTest::newRow("Ctrl+W, discard") << static_cast<int>(Qt::Key_W) << true;
    QTest::newRow("Ctrl+W, go back") << static_cast<int>(Qt::Key_W) << false;
    QTest::newRow("Ctrl+Q, go back") << static_cast<int>(Qt::Key_Q) << false;
    QTest::newRow("the window's button, go back") << 0 << false;
}

void TestTypedText::closingAsksAboutWhatIsNoValue() {
    QFETCH(int, key);
    QFETCH(bool, discard);
    QVERIFY(typeInto("small", QStringLiteral("256")));
    const QPointer<ModelTab> tab = m_tab;
    const QPointer<ValueEditor> open = editor();
    if (key != 0) {
        press(static_cast<Qt::Key>(key), Qt::ControlModifier);
    } else {
        window()->close();
    }
    QTRY_VERIFY(shown<QMessageBox>(window()) != nullptr);
    QCOMPARE(shown<QMessageBox>(window())->informativeText(), QStringLiteral("u8 ranges from 0 to 255."));
    QVERIFY(answerBox(discard ? "Discard it" : "Go back"));
    if (discard) {
        QTRY_VERIFY(window()->currentModelTab() == nullptr);
        return;
    }
    QVERIFY(test::waitUntilIdle());
    QCOMPARE(window()->currentModelTab(), tab.data());
    QVERIFY(!open.isNull() && open->isVisible());
    QTRY_VERIFY(open->isAncestorOf(QApplication::focusWidget()));
}

void TestTypedText::badEscapeIsNotPassedOver_data() {
    QTest::addColumn<LeaveText>("leave");
    QTest::newRow("save") << LeaveText([](TestTypedText* test) { test->press(Qt::Key_S, Qt::ControlModifier); });
    QTest::newRow("another row") << LeaveText([](TestTypedText* test) {
        const QTreeView* view = test->metadata()->view();
        const QRect other = view->visualRect(view->indexAbove(view->currentIndex()));
        QTest::mouseClick(test->window()->windowHandle(), Qt::LeftButton, {},
                          view->viewport()->mapTo(test->window(), other.center()));
    });
    QTest::newRow("tab key") << LeaveText([](TestTypedText* test) { test->press(Qt::Key_Tab); });
    QTest::newRow("close") << LeaveText([](TestTypedText* test) {
        test->press(Qt::Key_W, Qt::ControlModifier);
        QVERIFY(test->answerBox("Go back"));
    });
}

void TestTypedText::badEscapeIsNotPassedOver() {
    QFETCH(LeaveText, leave);
    const QModelIndex row = metadata()->keys()->showEntry(*m_tab->model()->metadata.indexOf("x.lines"));
    metadata()->view()->setFocus();
    metadata()->view()->setCurrentIndex(row);
    press(Qt::Key_F2);
    auto* pane = metadata()->findChild<TextPane*>();
    QTRY_VERIFY(pane->isVisible());
    pane->view()->setFocus();
    pane->view()->moveCursor(QTextCursor::End);
    type(QStringLiteral("\\q"));
    const QString typed = pane->view()->toPlainText();
    QVERIFY(typed.endsWith(QStringLiteral("\\q")));
    leave(this);
    QVERIFY(test::waitUntilIdle());
    QCOMPARE(QApplication::focusWidget(), pane->view());
    QCOMPARE(pane->view()->toPlainText(), typed);
    QVERIFY(std::ranges::any_of(pane->findChildren<QLabel*>(), [](const QLabel* label) {
        return label->isVisible() && label->text().contains(QStringLiteral("\\q"));
    }));
    QCOMPARE(asString(*saved()->metadata.find("x.lines")), std::optional<std::string_view>("one\r\ntwo\r\nthree"));
    // Corrected, it is saved.
    press(Qt::Key_Backspace);
    press(Qt::Key_Backspace);
    type(QStringLiteral("\\t"));
    press(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(!m_tab->isSaving() && !m_tab->isModified());
    QTRY_COMPARE(asString(*saved()->metadata.find("x.lines")),
                 std::optional<std::string_view>("one\r\ntwo\r\nthree\t"));
}

void TestTypedText::takenTensorNameStaysInTheField() {
    auto* tensors = show<TensorsPage>();
    tensors->list().showTable();
    QAbstractItemView* view = tensors->list().views()[0];
    QTRY_VERIFY(view->model()->rowCount() > 1);
    QVERIFY(test::waitUntilIdle());
    view->setFocus();
    QTRY_VERIFY(view->hasFocus());
    view->setCurrentIndex(view->model()->index(1, 0));
    view->edit(view->currentIndex());
    const QPointer<QLineEdit> line = shown<QLineEdit>(view->viewport());
    QVERIFY(line != nullptr);
    line->selectAll();
    type(QStringLiteral("token_embd.weight"));
    click(tensors->filterField());
    QTRY_VERIFY(QToolTip::text().contains(QStringLiteral("another tensor has this name")));
    QVERIFY(!line.isNull() && line->hasFocus());
    press(Qt::Key_S, Qt::ControlModifier);
    QVERIFY(!m_tab->isSaving());
    type(QStringLiteral("2"));
    press(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(!m_tab->isSaving() && !m_tab->isModified());
    QTRY_VERIFY(saved()->findTensor("token_embd.weight2").has_value());
}

void TestTypedText::savesATemplateBeingTyped() {
    auto* templates = show<TemplatePage>();
    templates->editor()->setFocus();
    QTRY_VERIFY(templates->editor()->text().startsWith(QStringLiteral("{% for")));
    type(QStringLiteral("Owl"));
    press(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(!m_tab->isSaving() && !m_tab->isModified());
    QVERIFY(asString(*saved()->metadata.find("tokenizer.chat_template"))->starts_with("Owl"));
}

GUFO_TEST_WIDGETS(TestTypedText)
#include "tst_typed_text.moc"
