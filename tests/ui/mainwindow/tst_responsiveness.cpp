// Opens large files (5,007 tensors with 262,144 tokens and merges; 20,000 keys; 250,000 tensors), uses every page and
// edits them, while a watchdog measures the longest time without an iteration of the event loop.
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
#include "ui/pages/tensors/models/tensor_order.h"
#include "ui/pages/tensors/tensor_list.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/plots/heat_map.h"
#include "ui/shell/settings.h"

#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QListWidget>
#include <QProcess>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <algorithm>
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

// Returns how many of the first rows have a standard deviation; more are only analysed for a sort.
int knownFigures(const QAbstractItemModel& rows) {
    int known = 0;
    for (int row = 0; row < std::min(2'000, rows.rowCount()); ++row) {
        known += rows.index(row, static_cast<int>(TensorColumn::Sigma)).data().toString().isEmpty() ? 0 : 1;
    }
    return known;
}

} // namespace

class TestResponsiveness : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanup();
    void everyPageOfALargeFile_data();
    void everyPageOfALargeFile();
    void mapOfALargeTensorArrives();

private:
    [[nodiscard]] bool makeModel(const QString& shape);
    // Work started by an action counts towards its step.
    void settle() { m_settled = test::waitUntilIdle() && m_settled; }
    bool isQuickInARound(const QString& used);
    void edit(ModelDocument& document);
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
}

void TestResponsiveness::everyPageOfALargeFile_data() {
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QString>("used"); // the page whose views are used; empty: all of them
    for (const char* shape : {"header-5k", "keys-20k"}) {
        QTest::newRow(shape) << QString::fromLatin1(shape) << QString();
    }
    QTest::newRow("tensors-250k") << QStringLiteral("tensors-250k") << QStringLiteral("Tensors");
}

// A test that fails returns while its jobs are under way.
void TestResponsiveness::cleanup() { Job::waitForAll(); }

// Writes a sparse model to m_file.
bool TestResponsiveness::makeModel(const QString& shape) {
    const QString file = m_dir.filePath(shape + QStringLiteral("-F16.gguf"));
    QProcess maker;
    maker.setProcessChannelMode(QProcess::ForwardedChannels);
    maker.start(QStringLiteral(GUFO_MAKE_MODEL), {file, QStringLiteral("--shape"), shape, QStringLiteral("--type"),
                                                  QStringLiteral("F16"), QStringLiteral("--sparse")});
    m_file = file.toStdString();
    return maker.waitForFinished(120'000) && maker.exitCode() == 0;
}

void TestResponsiveness::everyPageOfALargeFile() {
    QFETCH(const QString, shape);
    QVERIFY(makeModel(shape));
    QFETCH(const QString, used);
    QVERIFY(isQuickOnce([this, used] {
        m_settings.clear();
        return isQuickInARound(used);
    }));
}

// Decoding the map takes long enough for its progress to be shown. In a small window that must not change the size of
// the map, which would begin the decoding again.
void TestResponsiveness::mapOfALargeTensorArrives() {
    QVERIFY(makeModel(QStringLiteral("header-5k")));
    m_settings.clear();
    WindowManager manager(WindowManager::SessionKeeping::On);
    MainWindow* window = manager.newWindow();
    window->resize(900, 600);
    QVERIFY(QTest::qWaitForWindowExposed(window));
    window->openPlaces({m_file});
    ModelTab* tab = window->currentModelTab();
    QTRY_VERIFY(tab->isReady());
    auto* page = tab->findChild<TensorsPage*>();
    QVERIFY(page != nullptr);
    tab->showPage(static_cast<int>(std::ranges::find(tab->pages(), page) - tab->pages().begin()));
    QVERIFY(test::waitUntilIdle());
    auto* map = page->findChild<HeatMap*>();
    QVERIFY(map != nullptr);
    QSignalSpy views(map, &HeatMap::viewChanged);
    QTest::keyClick(page->list().views()[0], Qt::Key_End, Qt::ControlModifier);
    QVERIFY(test::waitUntilIdle());
    QVERIFY(!map->cellsText().isEmpty());
    QVERIFY2(views.count() < 5, QByteArray::number(views.count()).constData());
}

bool TestResponsiveness::isQuickInARound(const QString& used) {
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
    window->openPlaces({m_file});
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
        if (used.isEmpty() || used == title) {
            workThrough(title, tab->pages()[static_cast<std::size_t>(i)]);
        }
        m_watchdog->step(title + QStringLiteral(": resize"));
        window->resize(900, 600);
        settle();
        window->resize(1440, 900);
        settle();
    }

    edit(*tab->document());

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

// Edits a key and a tensor while the Tensors page is shown, and undoes both.
void TestResponsiveness::edit(ModelDocument& document) {
    auto* tab = qobject_cast<ModelTab*>(document.parent());
    for (std::size_t i = 0; i < tab->pages().size(); ++i) {
        if (qobject_cast<TensorsPage*>(tab->pages()[i]) != nullptr) {
            tab->showPage(static_cast<int>(i));
        }
    }
    settle();
    const auto make = [&](const QString& name, const auto& change) {
        m_watchdog->step(name);
        change();
        m_settled = QTest::qWaitFor([&] { return !document.isStepping(); }, 30'000) && m_settled;
        settle();
    };
    const std::string tensor(document.current()->tensors.front().name);
    const auto rename = [&] {
        document.apply({RenameTensor{.name = tensor, .newName = "renamed"}}, QStringLiteral("Rename"));
    };
    const auto setName = [&](const char* name) {
        document.apply({SetKey{.key = "general.name", .value = OwnedValue::string(name)}}, QStringLiteral("Set"));
    };
    make(QStringLiteral("edit a key"), [&] { setName("Edited"); });
    make(QStringLiteral("rename a tensor"), rename);
    m_settled = document.current()->findTensor("renamed").has_value() && m_settled;
    make(QStringLiteral("edit a key again"), [&] { setName("Again"); });
    for (int i = 0; i < 3; ++i) {
        make(QStringLiteral("undo %1").arg(i + 1), [&] { document.undo(); });
    }
    m_settled = !document.hasChanges() && m_settled;
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
            // All rows are analysed for a sort by their weights, which takes a minute or more for this many. Another
            // sort while it is under way cancels it.
            const bool isLong = showsWeights(column) && table->model()->rowCount() > 4'000;
            for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
                table->sortByColumn(column, order);
                if (isLong) {
                    m_settled =
                        QTest::qWaitFor([&] { return knownFigures(*table->model()) > 1'000; }, 30'000) && m_settled;
                } else {
                    settle();
                }
            }
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
