#include "support/test_unit.h"
#include "support/user_view.h"
#include "support/window_fixture.h"
#include "ui/mainwindow/go_to/go_to_field.h"
#include "ui/mainwindow/start/recent_table.h"
#include "ui/mainwindow/start/start_page.h"
#include "ui/mainwindow/tabs/page_table.h"
#include "ui/mainwindow/tabs/tab_strip.h"
#include "ui/shell/native_path.h"
#include "ui/shell/sidebar.h"
#include "ui/widgets/plot_keys.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QListWidget>
#include <QTableWidget>
#include <QToolButton>

#include <map>

using namespace gufo;
using namespace gufo::ui;

class TestWindowAccess : public QObject {
    Q_OBJECT

private slots:
    void init() { m_f = std::make_unique<WindowFixture>(); }
    void cleanup() { m_f.reset(); }
    void shortcutsAreUnique();
    void helpListsTheKeysOfPlots();
    void controlsHaveNames();
    void tabKeyReachesTheStartPage();
    void goToByKeyboard();
    void goToCommands();
    void sidebarShrinksWithTheWindow();
    void copiesErrorsAndPaths();

private:
    std::unique_ptr<WindowFixture> m_f;
};

void TestWindowAccess::shortcutsAreUnique() {
    m_f->open(writeFile(m_f->root / "a.gguf", tinyModel()));
    std::map<QString, QString> seen;
    for (const QAction* action : m_f->window->actions()) {
        for (const QKeySequence& keys : action->shortcuts()) {
            const QString text = keys.toString();
            QVERIFY2(!seen.contains(text), qPrintable(text + action->text() + seen[text]));
            seen[text] = action->text();
        }
    }
    QVERIFY(seen.size() >= 15);
}

void TestWindowAccess::helpListsTheKeysOfPlots() {
    m_f->window->namedAction("shortcuts")->trigger();
    const auto* table = m_f->window->findChild<QTableWidget*>();
    QVERIFY(table != nullptr);
    for (const PlotKeyRow& row : plotKeyRows()) {
        const auto found = table->findItems(QString::fromUtf8(row.what), Qt::MatchExactly);
        QVERIFY2(found.size() == 1, row.what);
        QCOMPARE(table->item(found.front()->row(), 1)->text(), row.keysText());
    }
}

void TestWindowAccess::controlsHaveNames() {
    const auto check = [this] {
        for (const QWidget* widget : m_f->window->findChildren<QWidget*>()) {
            const QWidget* parent = widget->parentWidget();
            if (!widget->isVisible() || widget->objectName().startsWith(QLatin1String("qt_")) ||
                parent->inherits("QLineEdit") || parent->inherits("QTabBar") || parent->inherits("QAbstractSpinBox") ||
                parent->inherits("QComboBox") || widget->inherits("QTableCornerButton")) {
                continue; // parts of a control
            }
            bool named = true;
            if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
                named =
                    !button->text().isEmpty() || !button->accessibleName().isEmpty() || !button->toolTip().isEmpty();
            } else if (widget->inherits("QLineEdit") || widget->inherits("QTableView") ||
                       widget->inherits("QTreeView") || widget->inherits("QSlider") || widget->inherits("QComboBox") ||
                       widget->inherits("QAbstractSpinBox") || widget->inherits("QCustomPlot")) {
                named = !widget->accessibleName().isEmpty();
            }
            QVERIFY2(named, qPrintable(QStringLiteral("a %1 in a %2")
                                           .arg(QLatin1String(widget->metaObject()->className()),
                                                QLatin1String(parent->metaObject()->className()))));
        }
    };
    check();
    m_f->open(writeFile(m_f->root / "a.gguf", tinyModel()));
    for (int page = 0; page < static_cast<int>(pageTable().size()); ++page) {
        m_f->window->currentModelTab()->showPage(page);
        QCoreApplication::processEvents();
        check();
    }
}

void TestWindowAccess::tabKeyReachesTheStartPage() {
    m_f->open(writeFile(m_f->root / "a.gguf", tinyModel()));
    m_f->window->namedAction("newTab")->trigger();
    auto* start = qobject_cast<StartPage*>(m_f->window->tabAt(1));
    m_f->window->activateWindow();
    m_f->window->setFocus();
    std::vector<QWidget*> reached;
    for (int i = 0; i < 30; ++i) {
        QTest::keyClick(m_f->window, Qt::Key_Tab);
        if (QWidget* focus = QApplication::focusWidget()) {
            reached.push_back(focus);
        }
    }
    const auto has = [&](const QWidget* widget) { return std::ranges::find(reached, widget) != reached.end(); };
    QVERIFY(has(start->table()));
    QVERIFY(has(start->filterField()));
    QVERIFY(has(m_f->window->findChild<GoToField*>()));
    QVERIFY(has(m_f->window->findChild<TabStrip*>()->tabs()));
    QVERIFY(has(test::named<QToolButton>(m_f->window, "New tab")));
    // The focus is visible.
    QToolButton* plus = test::named<QToolButton>(m_f->window, "New tab");
    plus->setFocus(Qt::TabFocusReason);
    const QImage with = plus->grab().toImage();
    start->table()->setFocus(Qt::TabFocusReason);
    QVERIFY(plus->grab().toImage() != with);
}

void TestWindowAccess::goToByKeyboard() {
    m_f->open(writeFile(m_f->root / "a.gguf", tinyModel()));
    QTest::keyClick(m_f->window, Qt::Key_K, Qt::ControlModifier);
    GoToField* field = m_f->window->findChild<GoToField*>();
    QVERIFY(field->hasFocus());
    QTRY_VERIFY(field->results()->isVisible());
    QTest::keyClicks(field, QStringLiteral("attn_q"));
    QTRY_COMPARE(field->results()->count(), 1);
    QTRY_COMPARE(field->results()->item(0)->text(), QStringLiteral("blk.0.attn_q.weight"));
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_VERIFY(!field->results()->isVisible());
    QVERIFY(field->text().isEmpty());
    QTest::keyClick(m_f->window, Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(field, QStringLiteral("nowhere"));
    QTRY_VERIFY(field->results()->item(0)->text().contains(QStringLiteral("No name contains")));
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(!field->results()->isVisible());
    QVERIFY(!field->hasFocus());
    QVERIFY(!field->isUndoAvailable()); // what was typed is not kept
}

void TestWindowAccess::goToCommands() {
    m_f->open(writeFile(m_f->root / "a.gguf", tinyModel()));
    auto* field = m_f->window->findChild<GoToField*>();
    const auto type = [&](const char* text) {
        QTest::keyClick(m_f->window, Qt::Key_K, Qt::ControlModifier);
        QTest::keyClicks(field, QString::fromLatin1(text));
    };
    const auto first = [&] { return field->results()->item(0)->text(); };
    // Words in any order, of the menu and of the command; a command shows its keys.
    type("tab new");
    QTRY_COMPARE(first(), QStringLiteral("File › New Tab"));
    const int tabs = m_f->window->tabCount();
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(m_f->window->tabCount(), tabs + 1);
    // By the mouse, and without a model.
    type("sidebar");
    QTRY_VERIFY(first().contains(QStringLiteral("Sidebar")));
    QAction* sidebar = m_f->window->namedAction("sidebar");
    const bool checked = sidebar->isChecked();
    const QRect row = field->results()->visualItemRect(field->results()->item(0));
    QTest::mouseClick(field->results()->viewport(), Qt::LeftButton, {}, row.center());
    QTRY_COMPARE(sidebar->isChecked(), !checked);
    sidebar->trigger();
    // What cannot be done now is not offered: there is no edit to undo.
    type("undo");
    QTRY_VERIFY(first().contains(QStringLiteral("Open a model")));
    QTest::keyClick(field, Qt::Key_Escape);
}

void TestWindowAccess::sidebarShrinksWithTheWindow() {
    const ModelTab* tab = m_f->open(writeFile(m_f->root / "a.gguf", tinyModel()));
    auto* sidebar = tab->findChild<Sidebar*>();
    QCOMPARE(sidebar->width(), 168);
    m_f->window->resize(1100, 700);
    QTRY_COMPARE(sidebar->width(), 44);
    m_f->window->namedAction("sidebar")->trigger();
    QVERIFY(!sidebar->isVisible());
    m_f->window->namedAction("sidebar")->trigger();
    QVERIFY(sidebar->isVisible());
}

void TestWindowAccess::copiesErrorsAndPaths() {
    m_f->open(m_f->root / "absent.gguf");
    QTest::keyClick(m_f->window, Qt::Key_C, Qt::ControlModifier);
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("no such file")));
    m_f->window->namedAction("copyPath")->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text(), qtPath(m_f->root / "absent.gguf"));
}

GUFO_TEST_WIDGETS(TestWindowAccess)
#include "tst_window_access.moc"
