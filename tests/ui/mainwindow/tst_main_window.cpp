#include "support/idle.h"
#include "support/test_unit.h"
#include "support/user_view.h"
#include "support/window_fixture.h"
#include "test_paths.h"
#include "ui/mainwindow/go_to/go_to_field.h"
#include "ui/mainwindow/start/start_page.h"
#include "ui/mainwindow/status_strip.h"
#include "ui/mainwindow/tabs/page_table.h"
#include "ui/mainwindow/tabs/tab_states.h"
#include "ui/mainwindow/tabs/tab_strip.h"
#include "ui/messages/figure_text.h"
#include "ui/models/key_transfer.h"
#include "ui/pages/metadata/metadata_view.h"
#include "ui/plots/zoom_plot.h"
#include "ui/shell/native_path.h"
#include "ui/shell/notice_bar.h"
#include "ui/widgets/elided_label.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDropEvent>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

#include <map>
#include <sys/stat.h>

using namespace gufo;
using namespace gufo::ui;

class TestMainWindow : public QObject {
    Q_OBJECT

private slots:
    void init() { m_f = std::make_unique<WindowFixture>(); }
    void cleanup() { m_f.reset(); }
    void startsWithTheStartPage();
    void startPageOpensTheSampleModel();
    void modelTakesThePlaceOfTheStartPage();
    void opensAFileOnce();
    void errorsSayWhatToDo_data();
    void errorsSayWhatToDo();
    void retryOpensWhatHasBeenMended();
    void dropsAnywhere();
    void dropsOfFolders();
    void emptyFolderIsSaid();
    void keysDraggedOverAPageBringUpMetadata();
    void zoomsPlotsFromTheMenu();
    void tabsByKeyboard();
    void tabsByMouse();
    void reopensClosedTabs();
    void closingWhileOpening();
    void noticesChangesOnDisk();

private:
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
    std::unique_ptr<WindowFixture> m_f;
};

void TestMainWindow::startsWithTheStartPage() {
    QCOMPARE(m_f->window->tabCount(), 1);
    QVERIFY(qobject_cast<StartPage*>(m_f->window->tabAt(0)) != nullptr);
    QCOMPARE(m_f->window->findChild<ElidedLabel*>("statusText")->text(), QStringLiteral("Ready"));
    QVERIFY(!m_f->window->namedAction("reload")->isEnabled());
    QVERIFY(!m_f->window->namedAction("reopen")->isEnabled());
}

void TestMainWindow::startPageOpensTheSampleModel() {
    const auto* start = qobject_cast<StartPage*>(m_f->window->tabAt(0));
    QVERIFY(test::named<QPushButton>(start, "Sample model") != nullptr &&
            test::named<QPushButton>(start, "Sample model")->isVisible());
    test::named<QPushButton>(start, "Sample model")->click();
    QCOMPARE(m_f->window->tabCount(), 1);
    const auto* tab = qobject_cast<ModelTab*>(m_f->window->tabAt(0));
    QVERIFY(tab != nullptr);
    QTRY_VERIFY(tab->model());
    QCOMPARE(tab->model()->metadata.string("general.name").value_or(""), "Gufo Sample");
}

void TestMainWindow::modelTakesThePlaceOfTheStartPage() {
    const ModelTab* tab = m_f->open(writeFile(m_f->root / "tiny.gguf", tinyModel()));
    QVERIFY(tab != nullptr && tab->model());
    QCOMPARE(m_f->window->tabCount(), 1);
    QCOMPARE(m_f->window->windowTitle(), QStringLiteral("tiny[*] — Gufo"));
    QVERIFY(m_f->window->findChild<StatusStrip*>()->rightTexts().contains(QStringLiteral("Alignment 32")));
    QCOMPARE(tab->pages().size(), pageTable().size());
    QCOMPARE(m_f->manager->recent()->files().size(), 1U);
    QCOMPARE(m_f->manager->recent()->files().front().architecture, QStringLiteral("llama"));
    QVERIFY(m_f->window->namedAction("reload")->isEnabled());
}

void TestMainWindow::opensAFileOnce() {
    const fs::path a = writeFile(m_f->root / "a.gguf", tinyModel());
    const fs::path b = writeFile(m_f->root / "b.gguf", tinyModel());
    const ModelTab* first = m_f->open(a);
    m_f->open(b);
    QCOMPARE(m_f->window->tabCount(), 2);
    m_f->window->openPlaces({a});
    QCOMPARE(m_f->window->tabCount(), 2);
    QCOMPARE(m_f->window->currentModelTab(), first);
}

void TestMainWindow::errorsSayWhatToDo_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("absent") << "absent" << QStringList{"no such file", "moved"};
    QTest::newRow("folder") << "folder" << QStringList{"folder"};
    QTest::newRow("FIFO") << "fifo" << QStringList{"pipe", "save the stream"};
    QTest::newRow("empty") << "empty" << QStringList{"empty", "download"};
    QTest::newRow("truncated") << "truncated" << QStringList{"byte"};
    QTest::newRow("ZIP") << "zip" << QStringList{"ZIP", "Unpack it"};
    QTest::newRow("safetensors") << "safetensors" << QStringList{"1 byte follows the last tensor"};
    QTest::newRow("old GGML") << "ggml" << QStringList{"LLaMA", "damaged near its beginning"};
    QTest::newRow("nothing known") << "random" << QStringList{"not a model file"};
}

void TestMainWindow::errorsSayWhatToDo() {
    QFETCH(QString, kind);
    QFETCH(QStringList, words);
    const fs::path path = m_f->root / "model.gguf";
    const std::vector<std::byte> whole = tinyModel();
    const std::map<QString, std::function<void()>> make{
        {"absent", [] {}},
        {"folder", [&] { fs::create_directory(path); }},
        {"fifo", [&] { QCOMPARE(mkfifo(path.c_str(), 0600), 0); }},
        {"empty", [&] { writeFile(path, ""); }},
        {"truncated", [&] { writeFile(path, std::span(whole).first(100)); }},
        {"zip",
         [&] { writeFile(path, std::string("PK\x03\x04\x14\x00\x00\x00\x08\x00", 10) + std::string(200, '\0')); }},
        {"safetensors", [&] { writeFile(path, std::string("\x02\0\0\0\0\0\0\0{}x", 11)); }},
        {"ggml", [&] { writeFile(path, "lmgg" + std::string(200, '\0')); }},
        {"random", [&] { writeFile(path, std::string("\x13\x37\xC0\xDE\xFF\x01", 6) + std::string(200, '\x7')); }},
    };
    make.at(kind)();
    const ModelTab* tab = m_f->open(path);
    QVERIFY(tab != nullptr && tab->hasFailed());
    const auto* error = tab->findChild<ErrorView*>();
    QVERIFY(error->isVisible());
    QVERIFY2(error->text().contains(displayPath(path)), qPrintable(error->text()));
    for (const QString& word : words) {
        QVERIFY2(error->text().contains(word, Qt::CaseInsensitive), qPrintable(error->text()));
    }
    for (const QLabel* label : error->findChildren<QLabel*>()) { // no line is cut off
        QVERIFY2(!label->isVisible() || label->height() >= label->heightForWidth(label->width()),
                 qPrintable(label->text()));
    }
    QVERIFY(m_f->manager->recent()->files().empty());
    // Other files can still be opened.
    QVERIFY(m_f->open(writeFile(m_f->root / "good.gguf", whole))->model());
    QCOMPARE(m_f->window->tabCount(), 2);
}

void TestMainWindow::retryOpensWhatHasBeenMended() {
    const fs::path path = m_f->root / "model.gguf";
    ModelTab* tab = m_f->open(path);
    QVERIFY(tab->hasFailed());
    writeFile(path, tinyModel());
    QTest::mouseClick(test::named<QPushButton>(tab->findChild<ErrorView*>(), "Retry"), Qt::LeftButton);
    QTRY_VERIFY(tab->model() != nullptr);
    QVERIFY(!tab->hasFailed());
}

void TestMainWindow::dropsAnywhere() {
    const fs::path a = writeFile(m_f->root / "a b.gguf", tinyModel());
    const fs::path b = writeFile(m_f->root / "\xFF.gguf", tinyModel());
    const QByteArray folder = pathBytes(m_f->root);
    drop(m_f->window->findChild<GoToField*>(),
         "file://" + folder + "/a%20b.gguf\r\nfile://" + folder + "/%FF.gguf\r\n");
    QTRY_COMPARE(m_f->window->tabCount(), 2);
    QVERIFY(m_f->window->modelTabAt(0)->place() == a);
    QVERIFY(m_f->window->modelTabAt(1)->place() == b);
    QTRY_VERIFY(m_f->window->modelTabAt(0)->model() && m_f->window->modelTabAt(1)->model());
}

void TestMainWindow::dropsOfFolders() {
    fs::create_directories(m_f->root / "models/deep");
    writeFile(m_f->root / "models/a.gguf", tinyModel());
    writeFile(m_f->root / "models/deep/b.gguf", tinyModel());
    writeFile(m_f->root / "models/read me.txt", "x");
    drop(m_f->window, "file://" + pathBytes(m_f->root / "models"));
    QTRY_COMPARE(m_f->window->tabCount(), 2);
    QTRY_VERIFY(m_f->window->modelTabAt(0)->model() && m_f->window->modelTabAt(1)->model());
}

void TestMainWindow::emptyFolderIsSaid() {
    fs::create_directories(m_f->root / "nothing");
    drop(m_f->window, "file://" + pathBytes(m_f->root / "nothing"));
    QTRY_VERIFY(QApplication::activeModalWidget() != nullptr);
    QVERIFY(QApplication::activeModalWidget()->property("text").toString().contains(QStringLiteral("no model file")));
    QTest::keyClick(QApplication::activeModalWidget(), Qt::Key_Escape);
    QTRY_VERIFY(QApplication::activeModalWidget() == nullptr);
    QCOMPARE(m_f->window->tabCount(), 1);
}

void TestMainWindow::keysDraggedOverAPageBringUpMetadata() {
    ModelTab* from = m_f->open(writeFile(m_f->root / "a.gguf", tinyModel()));
    const KeyMimeData data(from->model(), {KvIndex(1)});
    ModelTab* to = m_f->open(writeFile(m_f->root / "b.gguf", tinyModel()));
    QTRY_VERIFY(to->isReady());
    const std::size_t metadata = 1; // row of pageTable()
    to->showPage(2);
    const auto enter = [&](const QMimeData& dragged, QWidget* target) {
        QDragEnterEvent event(QPoint(40, 40), Qt::CopyAction, &dragged, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(target, &event);
    };
    QMimeData text;
    text.setText(QStringLiteral("general.name"));
    enter(text, to);
    QCOMPARE(to->currentPage(), to->pages()[2]);
    enter(data, to);
    QCOMPARE(to->currentPage(), to->pages()[metadata]);
    auto* view = to->currentPage()->findChild<MetadataView*>();
    QVERIFY(view != nullptr);
    enter(data, view->viewport());
    QSignalSpy dropped(view, &MetadataView::dropped);
    QDropEvent drop(QPointF(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(view->viewport(), &drop);
    QCOMPARE(dropped.count(), 1);
}

// The View menu zooms the first plot of the page, or the one with the focus, and is grey where there is none.
void TestMainWindow::zoomsPlotsFromTheMenu() {
    m_f->open(std::filesystem::path(GUFO_SAMPLE_DIR) / "gufo-sample-1.4M-chat-v1.0-Q4_K.gguf");
    ModelTab* tab = m_f->window->currentModelTab();
    QTRY_VERIFY_WITH_TIMEOUT(tab->isReady(), 30'000);
    QVERIFY(m_f->window->zoomedPlot() == nullptr); // Overview has none
    QAction* const in = m_f->window->namedAction("zoomIn");
    const auto menuOf = [](QAction* action) {
        for (QObject* each : action->associatedObjects()) {
            if (auto* menu = qobject_cast<QMenu*>(each)) {
                return menu;
            }
        }
        return static_cast<QMenu*>(nullptr);
    };
    QVERIFY(menuOf(in) != nullptr);
    emit menuOf(in)->aboutToShow();
    QVERIFY(!in->isEnabled());
    emit menuOf(in)->aboutToHide();
    QTRY_VERIFY(in->isEnabled());
    for (int i = 0; i < static_cast<int>(tab->pages().size()); ++i) {
        if (tab->pages()[static_cast<std::size_t>(i)]->iconName() == QStringLiteral("tensors")) {
            tab->showPage(i);
        }
    }
    QTRY_VERIFY(m_f->window->zoomedPlot() != nullptr);
    emit menuOf(in)->aboutToShow();
    QVERIFY(in->isEnabled());
    emit menuOf(in)->aboutToHide();
    QTRY_VERIFY(m_f->window->zoomedPlot()->xAxis->range().size() > 0);
    QVERIFY(test::waitUntilIdle());
    ZoomPlot* const plot = m_f->window->zoomedPlot();
    const double whole = plot->xAxis->range().size();
    QTest::keyClick(m_f->window, Qt::Key_Plus, Qt::ControlModifier);
    QTRY_VERIFY(plot->xAxis->range().size() < 0.9 * whole);
    const double near = plot->xAxis->range().size();
    m_f->window->namedAction("zoomOut")->trigger();
    QVERIFY(plot->xAxis->range().size() > 1.1 * near);
    in->trigger();
    m_f->window->namedAction("showWholePlot")->trigger();
    QCOMPARE(plot->xAxis->range().size(), whole);
}

void TestMainWindow::tabsByKeyboard() {
    m_f->open(writeFile(m_f->root / "a.gguf", tinyModel()));
    QTest::keyClick(m_f->window, Qt::Key_T, Qt::ControlModifier);
    QCOMPARE(m_f->window->tabCount(), 2);
    QCOMPARE(m_f->window->findChild<TabStrip*>()->tabs()->currentIndex(), 1);
    QTest::keyClick(m_f->window, Qt::Key_Tab, Qt::ControlModifier);
    QCOMPARE(m_f->window->findChild<TabStrip*>()->tabs()->currentIndex(), 0);
    QTest::keyClick(m_f->window, Qt::Key_Backtab, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(m_f->window->findChild<TabStrip*>()->tabs()->currentIndex(), 1);
    QTest::keyClick(m_f->window, Qt::Key_W, Qt::ControlModifier);
    QCOMPARE(m_f->window->tabCount(), 1);
    QTest::keyClick(m_f->window, Qt::Key_W, Qt::ControlModifier);
    QCOMPARE(m_f->window->tabCount(), 1); // a window is never without a tab
    QVERIFY(m_f->window->currentModelTab() == nullptr);
}

void TestMainWindow::tabsByMouse() {
    m_f->open(writeFile(m_f->root / "a.gguf", tinyModel()));
    m_f->open(writeFile(m_f->root / "b.gguf", tinyModel()));
    QTest::mouseClick(test::named<QToolButton>(m_f->window, "New tab"), Qt::LeftButton);
    QCOMPARE(m_f->window->tabCount(), 3);
    TabBar* tabs = m_f->window->findChild<TabStrip*>()->tabs();
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center());
    QCOMPARE(tabs->currentIndex(), 0);
    QVERIFY(tabs->tabButton(0, QTabBar::RightSide)->isVisible());
    QVERIFY(!tabs->tabButton(1, QTabBar::RightSide)->isVisible());
    QTest::mouseClick(tabs, Qt::MiddleButton, {}, tabs->tabRect(1).center());
    QCOMPARE(m_f->window->tabCount(), 2);
    QTest::mouseClick(tabs->tabButton(0, QTabBar::RightSide), Qt::LeftButton);
    QCOMPARE(m_f->window->tabCount(), 1);
    // Moving a tab moves its content too.
    ModelTab* c = m_f->open(writeFile(m_f->root / "c.gguf", tinyModel()));
    ModelTab* d = m_f->open(writeFile(m_f->root / "d.gguf", tinyModel()));
    tabs->moveTab(1, 0);
    QCOMPARE(m_f->window->modelTabAt(0), d);
    QCOMPARE(m_f->window->modelTabAt(1), c);
    QVERIFY(d->isVisible());
}

void TestMainWindow::reopensClosedTabs() {
    const fs::path path = writeFile(m_f->root / "a.gguf", tinyModel());
    m_f->open(path);
    QTest::keyClick(m_f->window, Qt::Key_W, Qt::ControlModifier);
    QVERIFY(m_f->window->namedAction("reopen")->isEnabled());
    QTest::keyClick(m_f->window, Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(m_f->window->currentModelTab() != nullptr);
    QVERIFY(m_f->window->currentModelTab()->place() == path);
    QVERIFY(!m_f->window->namedAction("reopen")->isEnabled());
}

void TestMainWindow::closingWhileOpening() {
    const fs::path path = writeFile(m_f->root / "a.gguf", tinyModel());
    for (int i = 0; i < 20; ++i) {
        m_f->window->openPlaces({path});
        QTest::keyClick(m_f->window, Qt::Key_W, Qt::ControlModifier);
    }
    Job::waitForAll();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCoreApplication::processEvents();
    QCOMPARE(m_f->window->tabCount(), 1);
    QVERIFY(m_f->manager->recent()->files().empty()); // cancelled files are not recent files
}

void TestMainWindow::noticesChangesOnDisk() {
    const fs::path path = writeFile(m_f->root / "a.gguf", tinyModel());
    ModelTab* tab = m_f->open(path);
    auto* notice = tab->findChild<NoticeBar*>();
    QVERIFY(!notice->isVisible());
    // As downloads and converters do: replaces the file by a new one.
    writeFile(m_f->root / "new", tinyModel(7));
    fs::rename(m_f->root / "new", path);
    QTRY_VERIFY(notice->isVisible());
    QVERIFY(notice->text().contains(QStringLiteral("has changed")));
    const auto before = tab->model();
    QTest::mouseClick(notice->actionButton(), Qt::LeftButton);
    QTRY_VERIFY(tab->model() && tab->model() != before);
    QCOMPARE(tab->model()->metadata.uint("llama.block_count"), std::optional<std::uint64_t>(7));
    QVERIFY(!notice->isVisible());
    fs::remove(path);
    QTRY_VERIFY(notice->isVisible());
    QVERIFY(notice->text().contains(QStringLiteral("no longer exists")));
    // F5 does the same as the button.
    QTest::keyClick(m_f->window, Qt::Key_F5);
    QTRY_VERIFY(tab->hasFailed());
}

GUFO_TEST_WIDGETS(TestMainWindow)
#include "tst_main_window.moc"
