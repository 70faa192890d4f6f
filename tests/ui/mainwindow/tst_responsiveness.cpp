// Opens the largest file that the programs are to stay quick with (5,007 tensors, 262,144 tokens with merges, 20 GB of
// holes) and does on every page what a person does, while a watchdog looks for the longest time without a turn of the
// event loop.
#include "support/test_unit.h"
#include "support/ui_test_settings.h"
#include "support/ui_watchdog.h"
#include "test_paths.h"
#include "ui/jobs/job.h"
#include "ui/mainwindow/go_to/go_to_field.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/tabs/model_tab.h"
#include "ui/mainwindow/tabs/page_table.h"
#include "ui/mainwindow/tabs/tab_strip.h"
#include "ui/mainwindow/window_manager.h"
#include "ui/shell/settings.h"

#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QListWidget>
#include <QProcess>
#include <QScrollBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <memory>

using namespace gufo;
using namespace gufo::ui;

namespace {

QHeaderView* headerOf(QAbstractItemView* view) {
    if (auto* table = qobject_cast<QTableView*>(view)) {
        return table->horizontalHeader();
    }
    auto* tree = qobject_cast<QTreeView*>(view);
    return tree != nullptr ? tree->header() : nullptr;
}

} // namespace

class TestResponsiveness : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void everyPageOfALargeFile();

private:
    bool isQuickInARound();
    void workThrough(const QString& pageName, QWidget* page);
    void workThrough(const QString& name, QAbstractItemView* view);

    UiTestSettings m_settings;
    std::unique_ptr<UiWatchdog> m_watchdog;
    QTemporaryDir m_dir;
    std::filesystem::path m_file;
};

void TestResponsiveness::initTestCase() {
    prepareSettings();
    Theme::instance().apply();
    const QString file = m_dir.filePath(QStringLiteral("large-F16.gguf"));
    QProcess maker;
    maker.setProcessChannelMode(QProcess::ForwardedChannels);
    maker.start(QStringLiteral(GUFO_MAKE_MODEL),
                {file, QStringLiteral("--shape"), QStringLiteral("header-5k"), QStringLiteral("--type"),
                 QStringLiteral("F16"), QStringLiteral("--sparse")});
    QVERIFY(maker.waitForFinished(120'000));
    QCOMPARE(maker.exitCode(), 0);
    m_file = file.toStdString();
}

void TestResponsiveness::everyPageOfALargeFile() {
    QVERIFY(isQuickOnce([this] {
        m_settings.clear();
        return isQuickInARound();
    }));
}

bool TestResponsiveness::isQuickInARound() {
    m_watchdog = std::make_unique<UiWatchdog>();
    WindowManager manager(WindowManager::SessionKeeping::On);
    MainWindow* window = manager.newWindow();
    window->resize(1440, 900);
    if (!QTest::qWaitForWindowExposed(window)) {
        return false;
    }
    QTest::qWait(100);

    m_watchdog->step(QStringLiteral("open"));
    window->openPaths({m_file});
    ModelTab* tab = window->currentModelTab();
    if (!QTest::qWaitFor([tab] { return tab->isReady(); }, 30'000)) {
        return false;
    }
    QTest::qWait(300);
    if (tab->pages().empty() || tab->pages().size() != pageTable().size()) {
        return false;
    }

    for (int i = 0; i < static_cast<int>(tab->pages().size()); ++i) {
        const QString title = tab->pages()[static_cast<std::size_t>(i)]->title();
        m_watchdog->step(title + QStringLiteral(": show"));
        tab->showPage(i);
        QTest::qWait(300);
        workThrough(title, tab->pages()[static_cast<std::size_t>(i)]);
        m_watchdog->step(title + QStringLiteral(": resize"));
        window->resize(1024, 700);
        QTest::qWait(100);
        window->resize(1440, 900);
        QTest::qWait(100);
    }

    m_watchdog->step(QStringLiteral("go to, typed"));
    QTest::keyClick(window, Qt::Key_K, Qt::ControlModifier);
    for (const QChar c : QStringLiteral("blk.300.attn")) {
        QTest::keyClicks(window->goToField(), QString(c));
        QTest::qWait(20);
    }
    QTest::qWait(300);
    m_watchdog->step(QStringLiteral("go to, chosen"));
    QTest::keyClick(window->goToField(), Qt::Key_Return);
    QTest::qWait(300);
    m_watchdog->step(QStringLiteral("theme"));
    Theme::instance().setChoice(Theme::Choice::Dark);
    QTest::qWait(200);
    m_watchdog->step(QStringLiteral("reload"));
    window->namedAction("reload")->trigger();
    if (!QTest::qWaitFor([tab] { return tab->isReady(); }, 30'000)) {
        return false;
    }
    QTest::qWait(300);
    m_watchdog->step(QStringLiteral("close"));
    window->namedAction("closeTab")->trigger();
    QTest::qWait(200);
    m_watchdog->finish();
    Job::waitForAll();
    Theme::instance().setChoice(Theme::Choice::System);
    return m_watchdog->isQuick();
}

void TestResponsiveness::workThrough(const QString& pageName, QWidget* page) {
    for (QAbstractItemView* view : page->findChildren<QAbstractItemView*>()) {
        if (view->isVisible() && headerOf(view) != nullptr) {
            workThrough(pageName + QStringLiteral(": ") + view->accessibleName().left(24), view);
        }
    }
    for (QLineEdit* field : page->findChildren<QLineEdit*>()) {
        if (!field->isVisible() || field->isReadOnly() || field->parentWidget()->inherits("QAbstractSpinBox")) {
            continue;
        }
        m_watchdog->step(pageName + QStringLiteral(": type in ") + field->accessibleName().left(24));
        field->setFocus();
        for (const QChar c : QStringLiteral("blk.3")) {
            QTest::keyClicks(field, QString(c));
            QTest::qWait(30);
        }
        QTest::qWait(300);
        field->clear();
        QTest::qWait(300);
    }
}

void TestResponsiveness::workThrough(const QString& name, QAbstractItemView* view) {
    m_watchdog->step(name + QStringLiteral(": scroll"));
    QScrollBar* bar = view->verticalScrollBar();
    for (int step = 0; step <= 20; ++step) {
        bar->setValue(bar->minimum() + (bar->maximum() - bar->minimum()) * step / 20);
        QTest::qWait(15);
    }
    bar->setValue(bar->minimum());
    if (auto* table = qobject_cast<QTableView*>(view); table != nullptr && table->isSortingEnabled()) {
        for (int column = 0; column < table->model()->columnCount(); ++column) {
            m_watchdog->step(name + QStringLiteral(": sort by ") +
                             table->model()->headerData(column, Qt::Horizontal).toString());
            table->sortByColumn(column, Qt::AscendingOrder);
            QTest::qWait(100);
            table->sortByColumn(column, Qt::DescendingOrder);
            QTest::qWait(100);
        }
    }
    if (auto* tree = qobject_cast<QTreeView*>(view)) {
        m_watchdog->step(name + QStringLiteral(": expand"));
        for (int row = 0; row < std::min(8, tree->model()->rowCount()); ++row) {
            tree->expand(tree->model()->index(row, 0));
            QTest::qWait(20);
        }
    }
    m_watchdog->step(name + QStringLiteral(": select"));
    for (int row = 0; row < std::min(6, view->model()->rowCount(view->rootIndex())); ++row) {
        view->setCurrentIndex(view->model()->index(row, 0, view->rootIndex()));
        QTest::qWait(60);
    }
    QTest::qWait(500);
    m_watchdog->step(name + QStringLiteral(": last row"));
    QTest::keyClick(view, Qt::Key_End, Qt::ControlModifier);
    QTest::qWait(300);
}

GUFO_TEST_WIDGETS(TestResponsiveness)
#include "tst_responsiveness.moc"
