#include "support/idle.h"
#include "support/test_unit.h"
#include "support/window_fixture.h"
#include "ui/mainwindow/start/recent_table.h"
#include "ui/mainwindow/start/start_page.h"
#include "ui/mainwindow/tabs/page_table.h"
#include "ui/mainwindow/tabs/tab_strip.h"
#include "ui/pages/tensors/tensor_list.h"
#include "ui/pages/tensors/tensors_page.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>

#include <algorithm>

using namespace gufo;
using namespace gufo::ui;

class TestSession : public QObject {
    Q_OBJECT

private slots:
    void init() { m_f = std::make_unique<WindowFixture>(); }
    void cleanup() { m_f.reset(); }
    void recentFilesByKeyboard();
    void sessionComesBack();
    void layoutIsKeptFromOtherTabs();
    void emptyRunKeepsTheSession();
    void themeIsKept();
    void settingsOfANewerSchemaAreSetAside();
    void namesOfAnyBytes();

private:
    std::unique_ptr<WindowFixture> m_f;
};

void TestSession::recentFilesByKeyboard() {
    const fs::path a = writeFile(m_f->root / "alpha.gguf", tinyModel());
    const fs::path b = writeFile(m_f->root / "beta.gguf", tinyModel());
    m_f->open(a);
    m_f->open(b);
    fs::remove(a);
    QTest::keyClick(m_f->window, Qt::Key_T, Qt::ControlModifier);
    auto* start = qobject_cast<StartPage*>(m_f->window->tabAt(2));
    RecentTable* table = start->table();
    QCOMPARE(table->model()->rowCount(), 2);
    QCOMPARE(table->model()->index(0, 0).data().toString(), QStringLiteral("beta.gguf"));
    QTRY_COMPARE(table->model()->index(1, RecentModel::OpenedColumn).data().toString(), QStringLiteral("not found"));
    QTest::keyClick(m_f->window, Qt::Key_F, Qt::ControlModifier);
    QVERIFY(start->filterField()->hasFocus());
    QTest::keyClicks(start->filterField(), QStringLiteral("ALPH"));
    QCOMPARE(table->model()->rowCount(), 1);
    table->setFocus();
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_Delete);
    QCOMPARE(m_f->manager->recent()->files().size(), 1U);
    start->findChild<QLineEdit*>()->clear();
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_Return);
    QVERIFY(m_f->window->currentModelTab() != nullptr);
    QVERIFY(m_f->window->currentModelTab()->place() == b);
}

void TestSession::sessionComesBack() {
    const fs::path a = writeFile(m_f->root / "a.gguf", tinyModel());
    const fs::path b = writeFile(m_f->root / "\xFF.gguf", tinyModel());
    m_f->open(a);
    m_f->open(b);
    m_f->window->findChild<TabStrip*>()->tabs()->setCurrentIndex(0);
    const int lastPage = static_cast<int>(pageTable().size()) - 1;
    m_f->window->currentModelTab()->showPage(lastPage);
    m_f->window->close();
    m_f->window = m_f->newWindow();
    QCOMPARE(m_f->manager->restorableTabs(), 2);
    auto* start = qobject_cast<StartPage*>(m_f->window->tabAt(0));
    QVERIFY(start->findChild<QPushButton*>("restoreButton")->isVisible());
    QVERIFY(start->findChild<QPushButton*>("restoreButton")->text().contains(QStringLiteral("2 tabs")));
    QTest::mouseClick(start->findChild<QPushButton*>("restoreButton"), Qt::LeftButton);
    QCOMPARE(m_f->window->tabCount(), 2);
    QCOMPARE(m_f->window->findChild<TabStrip*>()->tabs()->currentIndex(), 0);
    ModelTab* tab = m_f->window->currentModelTab();
    QVERIFY(tab->place() == a);
    QVERIFY(m_f->window->modelTabAt(1)->place() == b);
    QVERIFY(WindowFixture::waitOpened(tab));
    QVERIFY(tab->model());
    if (lastPage >= 0) {
        QCOMPARE(tab->currentPage(), tab->pages().back());
    }
    QCOMPARE(m_f->manager->restorableTabs(), 0);
}

// What the user set up on a page is there in the next tab, and is not overwritten by tabs that did not use the page.
void TestSession::layoutIsKeptFromOtherTabs() {
    const auto tensorsOf = [](ModelTab* tab) -> TensorsPage* {
        for (std::size_t i = 0; i < tab->pages().size(); ++i) {
            if (auto* page = qobject_cast<TensorsPage*>(tab->pages()[i])) {
                return page;
            }
        }
        return nullptr;
    };
    const auto table = [&](ModelTab* tab) { return qobject_cast<QTableView*>(tensorsOf(tab)->list().views()[0]); };
    const auto make = [&](const char* name) { return writeFile(m_f->root / name, tinyModel()); };
    ModelTab* looked = m_f->open(make("looked.gguf")); // stays on the first page
    QVERIFY(looked != nullptr && table(looked) != nullptr);
    ModelTab* used = m_f->open(make("used.gguf"));
    used->showPage(static_cast<int>(std::ranges::find(used->pages(), tensorsOf(used)) - used->pages().begin()));
    const int type = static_cast<int>(TensorColumn::Type);
    const int other = table(used)->columnWidth(type) + 31;
    table(used)->horizontalHeader()->resizeSection(type, other);
    ModelTab* next = m_f->open(make("next.gguf"));
    QCOMPARE(table(next)->columnWidth(type), other);
    for (int i = 0; i < 3; ++i) { // the one that was only looked at is closed last
        m_f->window->findChild<TabStrip*>()->tabs()->setCurrentIndex(m_f->window->tabCount() - 1);
        m_f->window->namedAction("closeTab")->trigger();
        QVERIFY(test::waitUntilIdle());
    }
    ModelTab* again = m_f->open(m_f->root / "used.gguf");
    QCOMPARE(table(again)->columnWidth(type), other);
}

void TestSession::emptyRunKeepsTheSession() {
    m_f->open(writeFile(m_f->root / "a.gguf", tinyModel()));
    m_f->window->close();
    m_f->window = m_f->newWindow();
    m_f->window->close(); // a run in which nothing was opened
    m_f->window = m_f->newWindow();
    QCOMPARE(m_f->manager->restorableTabs(), 1);
}

void TestSession::themeIsKept() {
    QCOMPARE(themeChoice(), Theme::Choice::System);
    for (const auto choice : {Theme::Choice::Dark, Theme::Choice::Light, Theme::Choice::System}) {
        saveThemeChoice(choice);
        QCOMPARE(themeChoice(), choice);
    }
}

void TestSession::settingsOfANewerSchemaAreSetAside() {
    {
        QSettings settings;
        settings.setValue(setting::kSchema, kSettingsSchema + 1);
        settings.setValue(setting::kTheme, QStringLiteral("dark"));
    }
    prepareSettings();
    const QSettings settings;
    QCOMPARE(settings.value(setting::kSchema).toInt(), kSettingsSchema);
    QVERIFY(!settings.contains(setting::kTheme));
    QVERIFY(QFile::exists(settings.fileName() + QStringLiteral(".schema%1").arg(kSettingsSchema + 1)));
}

void TestSession::namesOfAnyBytes() {
    const fs::path path = writeFile(m_f->root / "m\xFF\xFE <b>&\n.gguf", tinyModel());
    const ModelTab* tab = m_f->open(path);
    QVERIFY(tab != nullptr && tab->model());
    QVERIFY(m_f->manager->recent()->files().front().place == path);
    RecentFiles again;
    QVERIFY(again.files().front().place == path);
    QVERIFY(ModelTab::placeOfState(tab->saveState()) == path);
    QVERIFY(tab->title().contains(QStringLiteral("\\xFF")));
}

GUFO_TEST_WIDGETS(TestSession)
#include "tst_session.moc"
