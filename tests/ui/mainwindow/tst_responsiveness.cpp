// Opens the largest supported file (5,007 tensors, 262,144 tokens with merges, a sparse 20 GB) and uses every page,
// while a watchdog measures the longest time without an iteration of the event loop.
#include "support/idle.h"
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
    // Work started by an action counts towards its step.
    void settle() { m_settled = test::waitUntilIdle() && m_settled; }
    bool isQuickInARound();
    void workThrough(const QString& pageName, QWidget* page);
    void workThrough(const QString& name, QAbstractItemView* view);

    UiTestSettings m_settings;
    std::unique_ptr<UiWatchdog> m_watchdog;
    bool m_settled = true;
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
    m_settled = true;
    WindowManager manager(WindowManager::SessionKeeping::On);
    MainWindow* window = manager.newWindow();
    window->resize(1440, 900);
    if (!QTest::qWaitForWindowExposed(window)) {
        return false;
    }
    settle();

    m_watchdog->step(QStringLiteral("open"));
    window->openPaths({m_file});
    ModelTab* tab = window->currentModelTab();
    if (!QTest::qWaitFor([tab] { return tab->isReady(); }, 30'000)) {
        return false;
    }
    settle();
    if (tab->pages().empty() || tab->pages().size() != pageTable().size()) {
        return false;
    }

    for (int i = 0; i < static_cast<int>(tab->pages().size()); ++i) {
        const QString title = tab->pages()[static_cast<std::size_t>(i)]->title();
        m_watchdog->step(title + QStringLiteral(": show"));
        tab->showPage(i);
        settle();
        workThrough(title, tab->pages()[static_cast<std::size_t>(i)]);
        m_watchdog->step(title + QStringLiteral(": resize"));
        window->resize(1024, 700);
        settle();
        window->resize(1440, 900);
        settle();
    }

    m_watchdog->step(QStringLiteral("go to, typed"));
    QTest::keyClick(window, Qt::Key_K, Qt::ControlModifier);
    for (const QChar c : QStringLiteral("blk.300.attn")) {
        QTest::keyClicks(window->findChild<GoToField*>(), QString(c));
        test::spinEventLoop();
    }
    settle();
    m_watchdog->step(QStringLiteral("go to, chosen"));
    QTest::keyClick(window->findChild<GoToField*>(), Qt::Key_Return);
    settle();
    m_watchdog->step(QStringLiteral("theme"));
    Theme::instance().setChoice(Theme::Choice::Dark);
    settle();
    m_watchdog->step(QStringLiteral("reload"));
    window->namedAction("reload")->trigger();
    if (!QTest::qWaitFor([tab] { return tab->isReady(); }, 30'000)) {
        return false;
    }
    settle();
    m_watchdog->step(QStringLiteral("close"));
    window->namedAction("closeTab")->trigger();
    settle();
    m_watchdog->finish();
    Job::waitForAll();
    Theme::instance().setChoice(Theme::Choice::System);
    return m_settled && m_watchdog->isQuick();
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
            test::spinEventLoop();
        }
        settle();
        field->clear();
        settle();
    }
}

void TestResponsiveness::workThrough(const QString& name, QAbstractItemView* view) {
    m_watchdog->step(name + QStringLiteral(": scroll"));
    QScrollBar* bar = view->verticalScrollBar();
    for (int step = 0; step <= 20; ++step) {
        bar->setValue(bar->minimum() + (bar->maximum() - bar->minimum()) * step / 20);
        test::spinEventLoop();
    }
    bar->setValue(bar->minimum());
    if (auto* table = qobject_cast<QTableView*>(view); table != nullptr && table->isSortingEnabled()) {
        for (int column = 0; column < table->model()->columnCount(); ++column) {
            m_watchdog->step(name + QStringLiteral(": sort by ") +
                             table->model()->headerData(column, Qt::Horizontal).toString());
            table->sortByColumn(column, Qt::AscendingOrder);
            settle();
            table->sortByColumn(column, Qt::DescendingOrder);
            settle();
        }
    }
    if (auto* tree = qobject_cast<QTreeView*>(view)) {
        m_watchdog->step(name + QStringLiteral(": expand"));
        for (int row = 0; row < std::min(8, tree->model()->rowCount()); ++row) {
            tree->expand(tree->model()->index(row, 0));
            test::spinEventLoop();
        }
    }
    m_watchdog->step(name + QStringLiteral(": select"));
    for (int row = 0; row < std::min(6, view->model()->rowCount(view->rootIndex())); ++row) {
        view->setCurrentIndex(view->model()->index(row, 0, view->rootIndex()));
        test::spinEventLoop();
    }
    settle();
    m_watchdog->step(name + QStringLiteral(": last row"));
    QTest::keyClick(view, Qt::Key_End, Qt::ControlModifier);
    settle();
}

GUFO_TEST_WIDGETS(TestResponsiveness)
#include "tst_responsiveness.moc"
