// Tests of the sizes of windows.
#include "support/test_unit.h"
#include "support/window_fixture.h"

#include <QScreen>
#include <QSettings>

using namespace gufo;
using namespace gufo::ui;

class TestWindowSizes : public QObject {
    Q_OBJECT

private slots:
    void init() { m_f = std::make_unique<WindowFixture>(); }
    void cleanup() { m_f.reset(); }
    void firstWindowFitsTheScreen_data();
    void firstWindowFitsTheScreen();

private:
    std::unique_ptr<WindowFixture> m_f;
};

void TestWindowSizes::firstWindowFitsTheScreen_data() {
    QTest::addColumn<QSize>("room"); // of the screen, without panels
    QTest::addColumn<QSize>("size");
    QTest::newRow("large") << QSize(2560, 1400) << QSize(1440, 900);
    QTest::newRow("laptop") << QSize(1366, 768) << QSize(1358, 728);
    QTest::newRow("laptop with a panel") << QSize(1366, 728) << QSize(1358, 700);
    QTest::newRow("low") << QSize(1920, 800) << QSize(1440, 760);
    QTest::newRow("smaller than the smallest window") << QSize(800, 600) << QSize(1024, 700);
}

void TestWindowSizes::firstWindowFitsTheScreen() {
    QFETCH(QSize, room);
    QTEST(MainWindow::firstSize(room), "size");
    QSettings().clear();
    const MainWindow first(m_f->manager.get()); // there is no geometry to restore
    QCOMPARE(first.size(), MainWindow::firstSize(first.screen()->availableSize()));
}

GUFO_TEST_WIDGETS(TestWindowSizes)
#include "tst_window_sizes.moc"
