#include "gguf_builder.h"
#include "messages/format.h"
#include "ui/jobs/job.h"
#include "ui/mainwindow/go_to_field.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/model_tab.h"
#include "ui/mainwindow/native_path.h"
#include "ui/mainwindow/notice_bar.h"
#include "ui/mainwindow/page_table.h"
#include "ui/mainwindow/recent_table.h"
#include "ui/mainwindow/settings.h"
#include "ui/mainwindow/sidebar.h"
#include "ui/mainwindow/start_page.h"
#include "ui/mainwindow/status_strip.h"
#include "ui/mainwindow/tab_states.h"
#include "ui/mainwindow/tab_strip.h"
#include "ui/mainwindow/window_manager.h"
#include "ui_test_settings.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QJsonArray>
#include <QListWidget>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <fstream>
#include <map>
#include <sys/stat.h>

using namespace gufo;
using namespace gufo::ui;
namespace fs = std::filesystem;

namespace {

std::vector<std::byte> tinyModel(std::uint32_t blocks = 2) {
    test::GgufBuilder file;
    file.key("general.architecture", "llama");
    file.key("general.name", "Tiny");
    file.key("llama.block_count", blocks);
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"<unk>", "<s>", "hello"});
    file.tensor("token_embd.weight", 0, {32, 3});
    file.tensor("blk.0.attn_q.weight", 0, {32, 32});
    return file.build();
}

fs::path writeFile(const fs::path& path, std::span<const std::byte> bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path;
}

fs::path writeFile(const fs::path& path, std::string_view text) {
    return writeFile(path, std::as_bytes(std::span(text)));
}

} // namespace

class TestMainWindow : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void startsWithTheStartPage();
    void modelTakesThePlaceOfTheStartPage();
    void opensAFileOnce();
    void errorsSayWhatToDo_data();
    void errorsSayWhatToDo();
    void retryOpensWhatHasBeenMended();
    void namesOfAnyBytes();
    void dropsAnywhere();
    void dropsOfFolders();
    void emptyFolderIsSaid();
    void tabsByKeyboard();
    void tabsByMouse();
    void reopensClosedTabs();
    void closingWhileOpening();
    void recentFilesByKeyboard();
    void sessionComesBack();
    void emptyRunKeepsTheSession();
    void goToByKeyboard();
    void noticesChangesOnDisk();
    void sidebarShrinksWithTheWindow();
    void copiesErrorsAndPaths();
    void themeIsKept();
    void shortcutsAreUnique();
    void controlsHaveNames();
    void tabKeyReachesTheStartPage();
    void settingsOfANewerSchemaAreSetAside();
    void commandLine_data();
    void commandLine();
    void secondStartOpensATabInTheFirst();

private:
    MainWindow* newWindow() {
        m_manager = std::make_unique<WindowManager>(WindowManager::SessionKeeping::On);
        MainWindow* window = m_manager->newWindow();
        window->resize(1440, 900);
        return window;
    }
    // Waits until the tab has a model or an error.
    static bool waitOpened(const ModelTab* tab) {
        return QTest::qWaitFor([tab] { return tab->model() != nullptr || tab->hasFailed(); });
    }
    ModelTab* open(const fs::path& path) {
        m_window->openPaths({path});
        ModelTab* tab = m_window->currentModelTab();
        return tab != nullptr && waitOpened(tab) ? tab : nullptr;
    }
    void drop(QWidget* target, const QByteArray& uriList) {
        QMimeData data;
        data.setData(QStringLiteral("text/uri-list"), uriList);
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(target, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent dropped(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(target, &dropped);
        QVERIFY(dropped.isAccepted());
    }

    UiTestSettings m_settings;
    std::unique_ptr<QTemporaryDir> m_dir;
    fs::path m_root;
    std::unique_ptr<WindowManager> m_manager;
    MainWindow* m_window = nullptr;
};

void TestMainWindow::init() {
    m_settings.clear();
    prepareSettings();
    Theme::instance().apply();
    m_dir = std::make_unique<QTemporaryDir>();
    m_root = m_dir->path().toStdString();
    m_window = newWindow();
    QVERIFY(QTest::qWaitForWindowExposed(m_window));
}

void TestMainWindow::cleanup() {
    m_manager.reset();
    Job::waitForAll();
    fs::remove_all(m_root); // QTemporaryDir cannot remove names that are not UTF-8
}

void TestMainWindow::startsWithTheStartPage() {
    QCOMPARE(m_window->tabCount(), 1);
    QVERIFY(qobject_cast<StartPage*>(m_window->tabAt(0)) != nullptr);
    QCOMPARE(m_window->statusStrip()->leftText(), QStringLiteral("Ready"));
    QVERIFY(!m_window->namedAction("reload")->isEnabled());
    QVERIFY(!m_window->namedAction("reopen")->isEnabled());
}

void TestMainWindow::modelTakesThePlaceOfTheStartPage() {
    const ModelTab* tab = open(writeFile(m_root / "tiny.gguf", tinyModel()));
    QVERIFY(tab != nullptr && tab->model());
    QCOMPARE(m_window->tabCount(), 1);
    QCOMPARE(m_window->windowTitle(), QStringLiteral("tiny — Gufo"));
    QVERIFY(m_window->statusStrip()->rightTexts().contains(QStringLiteral("2 tensors, 4 keys")));
    QCOMPARE(tab->pages().size(), pageTable().size());
    QCOMPARE(m_manager->recent()->files().size(), 1U);
    QCOMPARE(m_manager->recent()->files().front().architecture, QStringLiteral("llama"));
    QVERIFY(m_window->namedAction("reload")->isEnabled());
}

void TestMainWindow::opensAFileOnce() {
    const fs::path a = writeFile(m_root / "a.gguf", tinyModel());
    const fs::path b = writeFile(m_root / "b.gguf", tinyModel());
    const ModelTab* first = open(a);
    open(b);
    QCOMPARE(m_window->tabCount(), 2);
    m_window->openPaths({a});
    QCOMPARE(m_window->tabCount(), 2);
    QCOMPARE(m_window->currentModelTab(), first);
}

void TestMainWindow::errorsSayWhatToDo_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("absent") << "absent" << QStringList{"no such file", "moved"};
    QTest::newRow("folder") << "folder" << QStringList{"folder"};
    QTest::newRow("FIFO") << "fifo" << QStringList{"pipe", "save the stream"};
    QTest::newRow("empty") << "empty" << QStringList{"empty", "download"};
    QTest::newRow("truncated") << "truncated" << QStringList{"byte"};
    QTest::newRow("ZIP") << "zip" << QStringList{"ZIP", "Only GGUF"};
    QTest::newRow("safetensors") << "safetensors" << QStringList{"safetensors"};
    QTest::newRow("old GGML") << "ggml" << QStringList{"GGML"};
    QTest::newRow("nothing known") << "random" << QStringList{"not a model file"};
}

void TestMainWindow::errorsSayWhatToDo() {
    QFETCH(QString, kind);
    QFETCH(QStringList, words);
    const fs::path path = m_root / "model.gguf";
    const std::vector<std::byte> whole = tinyModel();
    const std::map<QString, std::function<void()>> make{
        {"absent", [] {}},
        {"folder", [&] { fs::create_directory(path); }},
        {"fifo", [&] { QCOMPARE(mkfifo(path.c_str(), 0600), 0); }},
        {"empty", [&] { writeFile(path, ""); }},
        {"truncated", [&] { writeFile(path, std::span(whole).first(100)); }},
        {"zip",
         [&] { writeFile(path, std::string("PK\x03\x04\x14\x00\x00\x00\x08\x00", 10) + std::string(200, '\0')); }},
        {"safetensors", [&] { writeFile(path, std::string("\x02\0\0\0\0\0\0\0{}", 10)); }},
        {"ggml", [&] { writeFile(path, "lmgg" + std::string(200, '\0')); }},
        {"random", [&] { writeFile(path, std::string("\x13\x37\xC0\xDE\xFF\x01", 6) + std::string(200, '\x7')); }},
    };
    make.at(kind)();
    const ModelTab* tab = open(path);
    QVERIFY(tab != nullptr && tab->hasFailed());
    const auto* error = tab->findChild<ErrorView*>();
    QVERIFY(error->isVisible());
    QVERIFY2(error->text().contains(displayPath(path)), qPrintable(error->text()));
    for (const QString& word : words) {
        QVERIFY2(error->text().contains(word, Qt::CaseInsensitive), qPrintable(error->text()));
    }
    QVERIFY(m_manager->recent()->files().empty());
    // The program goes on.
    QVERIFY(open(writeFile(m_root / "good.gguf", whole))->model());
    QCOMPARE(m_window->tabCount(), 2);
}

void TestMainWindow::retryOpensWhatHasBeenMended() {
    const fs::path path = m_root / "model.gguf";
    ModelTab* tab = open(path);
    QVERIFY(tab->hasFailed());
    writeFile(path, tinyModel());
    QTest::mouseClick(tab->findChild<ErrorView*>()->retryButton(), Qt::LeftButton);
    QTRY_VERIFY(tab->model() != nullptr);
    QVERIFY(!tab->hasFailed());
}

void TestMainWindow::namesOfAnyBytes() {
    const fs::path path = writeFile(m_root / "m\xFF\xFE <b>&\n.gguf", tinyModel());
    const ModelTab* tab = open(path);
    QVERIFY(tab != nullptr && tab->model());
    QVERIFY(m_manager->recent()->files().front().path == path);
    RecentFiles again;
    QVERIFY(again.files().front().path == path);
    QVERIFY(ModelTab::pathOfState(tab->saveState()) == path);
    QVERIFY(tab->title().contains(QStringLiteral("\\xFF")));
}

void TestMainWindow::dropsAnywhere() {
    const fs::path a = writeFile(m_root / "a b.gguf", tinyModel());
    const fs::path b = writeFile(m_root / "\xFF.gguf", tinyModel());
    const QByteArray folder = pathBytes(m_root);
    drop(m_window->goToField(), "file://" + folder + "/a%20b.gguf\r\nfile://" + folder + "/%FF.gguf\r\n");
    QTRY_COMPARE(m_window->tabCount(), 2);
    QVERIFY(m_window->modelTabAt(0)->path() == a);
    QVERIFY(m_window->modelTabAt(1)->path() == b);
    QTRY_VERIFY(m_window->modelTabAt(0)->model() && m_window->modelTabAt(1)->model());
}

void TestMainWindow::dropsOfFolders() {
    fs::create_directories(m_root / "models/deep");
    writeFile(m_root / "models/a.gguf", tinyModel());
    writeFile(m_root / "models/deep/b.gguf", tinyModel());
    writeFile(m_root / "models/read me.txt", "x");
    drop(m_window, "file://" + pathBytes(m_root / "models"));
    QTRY_COMPARE(m_window->tabCount(), 2);
    QTRY_VERIFY(m_window->modelTabAt(0)->model() && m_window->modelTabAt(1)->model());
}

void TestMainWindow::emptyFolderIsSaid() {
    fs::create_directories(m_root / "nothing");
    drop(m_window, "file://" + pathBytes(m_root / "nothing"));
    QTRY_VERIFY(QApplication::activeModalWidget() != nullptr);
    QVERIFY(QApplication::activeModalWidget()->property("text").toString().contains(QStringLiteral("no GGUF file")));
    QTest::keyClick(QApplication::activeModalWidget(), Qt::Key_Escape);
    QTRY_VERIFY(QApplication::activeModalWidget() == nullptr);
    QCOMPARE(m_window->tabCount(), 1);
}

void TestMainWindow::tabsByKeyboard() {
    open(writeFile(m_root / "a.gguf", tinyModel()));
    QTest::keyClick(m_window, Qt::Key_T, Qt::ControlModifier);
    QCOMPARE(m_window->tabCount(), 2);
    QCOMPARE(m_window->tabStrip()->tabs()->currentIndex(), 1);
    QTest::keyClick(m_window, Qt::Key_Tab, Qt::ControlModifier);
    QCOMPARE(m_window->tabStrip()->tabs()->currentIndex(), 0);
    QTest::keyClick(m_window, Qt::Key_Backtab, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(m_window->tabStrip()->tabs()->currentIndex(), 1);
    QTest::keyClick(m_window, Qt::Key_W, Qt::ControlModifier);
    QCOMPARE(m_window->tabCount(), 1);
    QTest::keyClick(m_window, Qt::Key_W, Qt::ControlModifier);
    QCOMPARE(m_window->tabCount(), 1); // a window is never without a tab
    QVERIFY(m_window->currentModelTab() == nullptr);
}

void TestMainWindow::tabsByMouse() {
    open(writeFile(m_root / "a.gguf", tinyModel()));
    open(writeFile(m_root / "b.gguf", tinyModel()));
    QTest::mouseClick(m_window->tabStrip()->plusButton(), Qt::LeftButton);
    QCOMPARE(m_window->tabCount(), 3);
    TabBar* tabs = m_window->tabStrip()->tabs();
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center());
    QCOMPARE(tabs->currentIndex(), 0);
    QVERIFY(tabs->tabButton(0, QTabBar::RightSide)->isVisible());
    QVERIFY(!tabs->tabButton(1, QTabBar::RightSide)->isVisible());
    QTest::mouseClick(tabs, Qt::MiddleButton, {}, tabs->tabRect(1).center());
    QCOMPARE(m_window->tabCount(), 2);
    QTest::mouseClick(tabs->tabButton(0, QTabBar::RightSide), Qt::LeftButton);
    QCOMPARE(m_window->tabCount(), 1);
    // Moving a tab keeps tab and content together.
    ModelTab* c = open(writeFile(m_root / "c.gguf", tinyModel()));
    ModelTab* d = open(writeFile(m_root / "d.gguf", tinyModel()));
    tabs->moveTab(1, 0);
    QCOMPARE(m_window->modelTabAt(0), d);
    QCOMPARE(m_window->modelTabAt(1), c);
    QVERIFY(d->isVisible());
}

void TestMainWindow::reopensClosedTabs() {
    const fs::path path = writeFile(m_root / "a.gguf", tinyModel());
    open(path);
    QTest::keyClick(m_window, Qt::Key_W, Qt::ControlModifier);
    QVERIFY(m_window->namedAction("reopen")->isEnabled());
    QTest::keyClick(m_window, Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(m_window->currentModelTab() != nullptr);
    QVERIFY(m_window->currentModelTab()->path() == path);
    QVERIFY(!m_window->namedAction("reopen")->isEnabled());
}

void TestMainWindow::closingWhileOpening() {
    const fs::path path = writeFile(m_root / "a.gguf", tinyModel());
    for (int i = 0; i < 20; ++i) {
        m_window->openPaths({path});
        QTest::keyClick(m_window, Qt::Key_W, Qt::ControlModifier);
    }
    Job::waitForAll();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCoreApplication::processEvents();
    QCOMPARE(m_window->tabCount(), 1);
    QVERIFY(m_manager->recent()->files().empty()); // what was cancelled was not opened
}

void TestMainWindow::recentFilesByKeyboard() {
    const fs::path a = writeFile(m_root / "alpha.gguf", tinyModel());
    const fs::path b = writeFile(m_root / "beta.gguf", tinyModel());
    open(a);
    open(b);
    fs::remove(a);
    QTest::keyClick(m_window, Qt::Key_T, Qt::ControlModifier);
    auto* start = qobject_cast<StartPage*>(m_window->tabAt(2));
    RecentTable* table = start->table();
    QCOMPARE(table->model()->rowCount(), 2);
    QCOMPARE(table->model()->index(0, 0).data().toString(), QStringLiteral("beta.gguf"));
    QTRY_COMPARE(table->model()->index(1, RecentModel::OpenedColumn).data().toString(), QStringLiteral("not found"));
    QTest::keyClick(m_window, Qt::Key_F, Qt::ControlModifier);
    QVERIFY(start->filterField()->hasFocus());
    QTest::keyClicks(start->filterField(), QStringLiteral("ALPH"));
    QCOMPARE(table->model()->rowCount(), 1);
    table->setFocus();
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_Delete);
    QCOMPARE(m_manager->recent()->files().size(), 1U);
    start->findChild<QLineEdit*>()->clear();
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_Return);
    QVERIFY(m_window->currentModelTab() != nullptr);
    QVERIFY(m_window->currentModelTab()->path() == b);
}

void TestMainWindow::sessionComesBack() {
    const fs::path a = writeFile(m_root / "a.gguf", tinyModel());
    const fs::path b = writeFile(m_root / "\xFF.gguf", tinyModel());
    open(a);
    open(b);
    m_window->tabStrip()->tabs()->setCurrentIndex(0);
    const int lastPage = static_cast<int>(pageTable().size()) - 1;
    m_window->currentModelTab()->showPage(lastPage);
    m_window->close();
    m_window = newWindow();
    QCOMPARE(m_manager->restorableTabs(), 2);
    auto* start = qobject_cast<StartPage*>(m_window->tabAt(0));
    QVERIFY(start->restoreButton()->isVisible());
    QVERIFY(start->restoreButton()->text().contains(QStringLiteral("2 tabs")));
    QTest::mouseClick(start->restoreButton(), Qt::LeftButton);
    QCOMPARE(m_window->tabCount(), 2);
    QCOMPARE(m_window->tabStrip()->tabs()->currentIndex(), 0);
    ModelTab* tab = m_window->currentModelTab();
    QVERIFY(tab->path() == a);
    QVERIFY(m_window->modelTabAt(1)->path() == b);
    QVERIFY(waitOpened(tab));
    QVERIFY(tab->model());
    if (lastPage >= 0) {
        QCOMPARE(tab->currentPage(), tab->pages().back());
    }
    QCOMPARE(m_manager->restorableTabs(), 0);
}

void TestMainWindow::emptyRunKeepsTheSession() {
    open(writeFile(m_root / "a.gguf", tinyModel()));
    m_window->close();
    m_window = newWindow();
    m_window->close(); // a run in which nothing was opened
    m_window = newWindow();
    QCOMPARE(m_manager->restorableTabs(), 1);
}

void TestMainWindow::goToByKeyboard() {
    open(writeFile(m_root / "a.gguf", tinyModel()));
    QTest::keyClick(m_window, Qt::Key_K, Qt::ControlModifier);
    GoToField* field = m_window->goToField();
    QVERIFY(field->hasFocus());
    QTRY_VERIFY(field->results()->isVisible());
    QTest::keyClicks(field, QStringLiteral("attn_q"));
    QTRY_COMPARE(field->results()->count(), 1);
    QTRY_COMPARE(field->results()->item(0)->text(), QStringLiteral("blk.0.attn_q.weight"));
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_VERIFY(!field->results()->isVisible());
    QVERIFY(field->text().isEmpty());
    QTest::keyClick(m_window, Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(field, QStringLiteral("nowhere"));
    QTRY_VERIFY(field->results()->item(0)->text().contains(QStringLiteral("Nothing")));
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(!field->results()->isVisible());
    QVERIFY(!field->hasFocus());
}

void TestMainWindow::noticesChangesOnDisk() {
    const fs::path path = writeFile(m_root / "a.gguf", tinyModel());
    ModelTab* tab = open(path);
    auto* notice = tab->findChild<NoticeBar*>();
    QVERIFY(!notice->isVisible());
    // As a download or a converter does: a new file in its place.
    writeFile(m_root / "new", tinyModel(7));
    fs::rename(m_root / "new", path);
    QTRY_VERIFY(notice->isVisible());
    QVERIFY(notice->text().contains(QStringLiteral("has changed")));
    const auto before = tab->model();
    QTest::mouseClick(notice->actionButton(), Qt::LeftButton);
    QTRY_VERIFY(tab->model() && tab->model() != before);
    QCOMPARE(tab->model()->metadata.uint("llama.block_count"), std::optional<std::uint64_t>(7));
    QVERIFY(!notice->isVisible());
    fs::remove(path);
    QTRY_VERIFY(notice->isVisible());
    QVERIFY(notice->text().contains(QStringLiteral("no longer there")));
    // F5 does the same as the button.
    QTest::keyClick(m_window, Qt::Key_F5);
    QTRY_VERIFY(tab->hasFailed());
}

void TestMainWindow::sidebarShrinksWithTheWindow() {
    const ModelTab* tab = open(writeFile(m_root / "a.gguf", tinyModel()));
    auto* sidebar = tab->findChild<Sidebar*>();
    QCOMPARE(sidebar->width(), 168);
    m_window->resize(1100, 700);
    QTRY_COMPARE(sidebar->width(), 44);
    m_window->namedAction("sidebar")->trigger();
    QVERIFY(!sidebar->isVisible());
    m_window->namedAction("sidebar")->trigger();
    QVERIFY(sidebar->isVisible());
}

void TestMainWindow::copiesErrorsAndPaths() {
    open(m_root / "absent.gguf");
    QTest::keyClick(m_window, Qt::Key_C, Qt::ControlModifier);
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("no such file")));
    m_window->namedAction("copyPath")->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text(), qtPath(m_root / "absent.gguf"));
}

void TestMainWindow::themeIsKept() {
    QCOMPARE(themeChoice(), Theme::Choice::System);
    for (const auto choice : {Theme::Choice::Dark, Theme::Choice::Light, Theme::Choice::System}) {
        saveThemeChoice(choice);
        QCOMPARE(themeChoice(), choice);
    }
}

void TestMainWindow::shortcutsAreUnique() {
    open(writeFile(m_root / "a.gguf", tinyModel()));
    std::map<QString, QString> seen;
    for (const QAction* action : m_window->actions()) {
        for (const QKeySequence& keys : action->shortcuts()) {
            const QString text = keys.toString();
            QVERIFY2(!seen.contains(text), qPrintable(text + action->text() + seen[text]));
            seen[text] = action->text();
        }
    }
    QVERIFY(seen.size() >= 15);
}

void TestMainWindow::controlsHaveNames() {
    const auto check = [this] {
        for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
            const QWidget* parent = widget->parentWidget();
            if (!widget->isVisible() || widget->objectName().startsWith(QLatin1String("qt_")) ||
                parent->inherits("QLineEdit") || parent->inherits("QTabBar") || parent->inherits("QAbstractSpinBox") ||
                parent->inherits("QComboBox")) {
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
    open(writeFile(m_root / "a.gguf", tinyModel()));
    for (int page = 0; page < static_cast<int>(pageTable().size()); ++page) {
        m_window->currentModelTab()->showPage(page);
        QCoreApplication::processEvents();
        check();
    }
}

void TestMainWindow::tabKeyReachesTheStartPage() {
    open(writeFile(m_root / "a.gguf", tinyModel()));
    m_window->namedAction("newTab")->trigger();
    auto* start = qobject_cast<StartPage*>(m_window->tabAt(1));
    m_window->activateWindow();
    m_window->setFocus();
    std::vector<QWidget*> reached;
    for (int i = 0; i < 30; ++i) {
        QTest::keyClick(m_window, Qt::Key_Tab);
        if (QWidget* focus = QApplication::focusWidget()) {
            reached.push_back(focus);
        }
    }
    const auto has = [&](const QWidget* widget) { return std::ranges::find(reached, widget) != reached.end(); };
    QVERIFY(has(start->table()));
    QVERIFY(has(start->filterField()));
    QVERIFY(has(m_window->goToField()));
    QVERIFY(has(m_window->tabStrip()->tabs()));
    QVERIFY(has(m_window->tabStrip()->plusButton()));
    // The focus can be seen.
    QToolButton* plus = m_window->tabStrip()->plusButton();
    plus->setFocus(Qt::TabFocusReason);
    const QImage with = plus->grab().toImage();
    start->table()->setFocus(Qt::TabFocusReason);
    QVERIFY(plus->grab().toImage() != with);
}

void TestMainWindow::settingsOfANewerSchemaAreSetAside() {
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

void TestMainWindow::commandLine_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QString>("output");
    QTest::newRow("help") << QStringList{"--help"} << 0 << "Usage: gufo";
    QTest::newRow("version") << QStringList{"--version"} << 0 << "gufo ";
    QTest::newRow("unknown option") << QStringList{"--nonsense"} << 2 << "unknown option --nonsense";
}

void TestMainWindow::commandLine() {
    QFETCH(QStringList, arguments);
    QFETCH(int, exitCode);
    QFETCH(QString, output);
    QProcess program;
    program.setProcessChannelMode(QProcess::MergedChannels);
    program.start(QStringLiteral(GUFO_PROGRAM), arguments);
    QVERIFY(program.waitForFinished());
    QCOMPARE(program.exitCode(), exitCode);
    QVERIFY(QString::fromUtf8(program.readAll()).contains(output));
}

void TestMainWindow::secondStartOpensATabInTheFirst() {
    const fs::path a = writeFile(m_root / "a.gguf", tinyModel());
    writeFile(m_root / "b.gguf", tinyModel());
    fs::create_directories(m_root / "run");
    QVERIFY(chmod((m_root / "run").c_str(), 0700) == 0);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), m_dir->filePath(QStringLiteral("run")));
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_dir->path());
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    environment.remove(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"));
    const auto session = [&] { // what the running program has written of its tabs
        QStringList tabs;
        const QSettings settings(m_dir->filePath(QStringLiteral("gufo/gufo.conf")), QSettings::NativeFormat);
        const QJsonArray windows = readJson(settings, setting::kSession).value(QStringLiteral("windows")).toArray();
        for (const QJsonValue& window : windows) {
            for (const QJsonValue& tab : window.toObject().value(QStringLiteral("tabs")).toArray()) {
                tabs << QString::fromStdString(ModelTab::pathOfState(tab.toObject()).filename().native());
            }
        }
        return tabs;
    };
    QProcess first;
    first.setProcessEnvironment(environment);
    first.start(QStringLiteral(GUFO_PROGRAM), {qtPath(a)});
    QTRY_COMPARE_WITH_TIMEOUT(session(), QStringList{"a.gguf"}, 20'000);
    QProcess second;
    second.setProcessEnvironment(environment);
    second.setWorkingDirectory(m_dir->path());
    second.start(QStringLiteral(GUFO_PROGRAM), {QStringLiteral("b.gguf")}); // relative: from where it was started
    QVERIFY(second.waitForFinished(20'000));
    QCOMPARE(second.exitCode(), 0);
    QTRY_COMPARE_WITH_TIMEOUT(session(), (QStringList{"a.gguf", "b.gguf"}), 20'000);
    QCOMPARE(first.state(), QProcess::Running);
    // A window of its own is a program of its own.
    QProcess third;
    third.setProcessEnvironment(environment);
    third.start(QStringLiteral(GUFO_PROGRAM), {QStringLiteral("--new-window")});
    QVERIFY(!third.waitForFinished(1500));
    third.kill();
    third.waitForFinished();
    // After a crash the next start is the first again.
    first.kill();
    QVERIFY(first.waitForFinished());
    QProcess next;
    next.setProcessEnvironment(environment);
    next.start(QStringLiteral(GUFO_PROGRAM), {qtPath(m_root / "b.gguf")});
    QTRY_COMPARE_WITH_TIMEOUT(session(), QStringList{"b.gguf"}, 20'000);
    next.kill();
    next.waitForFinished();
}

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
