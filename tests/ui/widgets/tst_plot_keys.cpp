// Plots obey the keys of plot_keys.h, and no others.
#include "support/test_unit.h"
#include "ui/plots/zoom_plot.h"
#include "ui/widgets/plot_keys.h"

#include <QSet>
#include <QTest>

using namespace gufo;
using namespace gufo::ui;

namespace {

// From 2 to 6 of 8 on both axes.
class PlotWithKeys : public ZoomPlot {
public:
    PlotWithKeys()
        : ZoomPlot(Qt::Horizontal | Qt::Vertical, nullptr) {
        resize(300, 200);
        yAxis->setRangeReversed(true); // rows grow downwards
        narrow();
    }
    void narrow() {
        xAxis->setRange(2, 6);
        yAxis->setRange(2, 6);
    }
    void showAll() override {
        xAxis->setRange(0, 8);
        yAxis->setRange(0, 8);
    }

private:
    void restyle() override { stylePlot(*this); }
};

// Returns which command the ranges of a plot that was narrow show.
PlotCommand seen(const PlotWithKeys& plot) {
    const QCPRange x = plot.xAxis->range();
    const QCPRange y = plot.yAxis->range();
    if (x == QCPRange(2, 6) && y == QCPRange(2, 6)) {
        return PlotCommand::None;
    }
    if (x == QCPRange(0, 8) && y == QCPRange(0, 8)) {
        return PlotCommand::ShowAll;
    }
    if (x.size() != 4) {
        return x.size() < 4 ? PlotCommand::ZoomIn : PlotCommand::ZoomOut;
    }
    if (x.lower != 2) {
        return x.lower < 2 ? PlotCommand::Left : PlotCommand::Right;
    }
    return y.lower < 2 ? PlotCommand::Up : PlotCommand::Down;
}

} // namespace

class TestPlotKeys : public QObject {
    Q_OBJECT

private slots:
    void plotsObeyTheTable();
    void keysHaveOneMeaning();
    void keysAreNamed();
};

void TestPlotKeys::plotsObeyTheTable() {
    QList<int> keys;
    for (int key = Qt::Key_Space; key <= Qt::Key_AsciiTilde; ++key) {
        keys << key;
    }
    for (int key = Qt::Key_Escape; key <= Qt::Key_PageDown; ++key) {
        keys << key;
    }
    PlotWithKeys plot;
    int obeyed = 0;
    for (const int key : keys) {
        plot.narrow();
        QKeyEvent press(QEvent::KeyPress, key, Qt::NoModifier);
        QCoreApplication::sendEvent(&plot, &press);
        const QByteArray name = "key " + QByteArray::number(key, 16);
        QVERIFY2(seen(plot) == plotCommand(KeyedView::Plot, key), name.constData());
        obeyed += seen(plot) != PlotCommand::None ? 1 : 0;
    }
    QCOMPARE(obeyed, 9); // + = − four arrows, Home, 0
}

void TestPlotKeys::keysHaveOneMeaning() {
    for (const KeyedView view : {KeyedView::Plot, KeyedView::Map, KeyedView::TensorMap}) {
        QSet<int> keys;
        for (const PlotKeyRow& row : plotKeyRows()) {
            for (const PlotKey& key : row.keys) {
                QVERIFY(row.view != view || !keys.contains(key.key));
                if (row.view == view) {
                    keys << key.key;
                    QCOMPARE(plotCommand(view, key.key), key.command);
                }
            }
        }
        QVERIFY(!keys.isEmpty());
    }
    // A map within a plot has the plot's keys too.
    for (const PlotKeyRow& row : plotKeyRows()) {
        for (const PlotKey& key : row.keys) {
            QVERIFY(row.view != KeyedView::TensorMap || plotCommand(KeyedView::Plot, key.key) == PlotCommand::None);
        }
    }
}

void TestPlotKeys::keysAreNamed() {
    QCOMPARE(plotKeyRows()[0].keysText(), QStringLiteral("+, -"));
    QCOMPARE(plotKeyRows()[1].keysText(), QStringLiteral("Left, Right, Up, Down"));
    QCOMPARE(plotKeyRows()[2].keysText(), QStringLiteral("Home, 0"));
}

GUFO_TEST_WIDGETS(TestPlotKeys)
#include "tst_plot_keys.moc"
