// Measuring the KL divergence of the files of a comparison on a chosen text, on the trade-off page.
#include "compare_tab_test.h"
#include "support/idle.h"
#include "support/user_view.h"
#include "test_paths.h"
#include "ui/compare/drill_down/pair_list.h"
#include "ui/compare/map/map_page.h"
#include "ui/compare/trade_off/divergence_field.h"
#include "ui/compare/trade_off/trade_off_page.h"
#include "ui/compare/trade_off/trade_off_plot.h"
#include "ui/widgets/job_bar.h"

#include <QApplication>
#include <QTableView>
#include <QToolButton>

using namespace gufo;
using namespace gufo::ui;

namespace {

constexpr int kMetric = static_cast<int>(Metric::Divergence);

fs::path sample(const char* type) {
    return fs::path(GUFO_SAMPLE_DIR) / (std::string("gufo-sample-1.4M-chat-v1.0-") + type + ".gguf");
}

} // namespace

class TestDivergence : public test::CompareTabTest {
    Q_OBJECT

private slots:
    void init() { openWindow(); }
    void cleanup() { m_f.reset(); }
    void measuresAllFiles();
    void showsNothingOnTheAxis();
    void keepsTheFocus();
    void cancels();
    void saysWhyNot_data();
    void saysWhyNot();
    void comesBackWithTheTab();

private:
    // About ten tokens for each sentence.
    fs::path text(const char* name, int sentences) const {
        std::string content;
        for (int i = 0; i < sentences; ++i) {
            content += "The little owl saw a hungry mouse, number " + std::to_string(i) + ". ";
        }
        return writeFile(m_f->root / name, content);
    }
    static void measure(TradeOffPage& page, const fs::path& text) {
        page.findChild<DivergenceField*>("divergenceField")->setText(text);
        QTRY_VERIFY(!page.findChild<DivergenceField*>("divergenceField")->isBusy());
        QTRY_VERIFY(
            page.findChild<DivergenceField*>("divergenceField")->findChild<QPushButton*>("measureButton")->isEnabled());
        QTest::mouseClick(page.findChild<DivergenceField*>("divergenceField")->findChild<QPushButton*>("measureButton"),
                          Qt::LeftButton);
        QVERIFY(page.findChild<DivergenceField*>("divergenceField")->isBusy());
        QVERIFY(!page.findChild<DivergenceField*>("divergenceField")
                     ->findChild<QPushButton*>("measureButton")
                     ->isEnabled());
    }
};

void TestDivergence::measuresAllFiles() {
    CompareTab* tab = open({sample("F16"), sample("Q8_0"), sample("Q4_K")});
    QVERIFY(tab != nullptr);
    auto* shown = page<TradeOffPage>(tab);
    QTRY_COMPARE(shown->model().rowCount(), 3);
    DivergenceField& field = *shown->findChild<DivergenceField*>("divergenceField");
    QVERIFY(!field.findChild<QPushButton*>("measureButton")->isEnabled());
    QCOMPARE(shown->metricField()->findData(kMetric), -1);
    measure(*shown, text("owls.txt", 60));
    QTRY_VERIFY_WITH_TIMEOUT(!field.isBusy(), 120'000);
    const Comparison& comparison = shown->comparison();
    const auto q8 = comparison.divergence(1);
    const auto q4 = comparison.divergence(2);
    QVERIFY2(q8 && q4, qPrintable(field.findChild<QLabel*>("notes")->text()));
    QVERIFY(*q8 > 0 && *q4 > *q8);
    QVERIFY(!comparison.divergence(0)); // the reference
    // The page now shows that metric, and a smaller file that is farther from the reference is on the frontier too.
    QCOMPARE(shown->metricField()->currentData().toInt(), kMetric);
    QVERIFY2(field.findChild<QLabel*>("notes")->text().contains("Measured on owls.txt"),
             qPrintable(field.findChild<QLabel*>("notes")->text()));
    for (const TradeOffPoint& point : shown->model().points()) {
        QCOMPARE(point.quality, comparison.divergence(point.file));
        QVERIFY(point.reference || point.frontier);
    }
    // The list of tensors tells it as a figure of the whole file.
    auto* map = page<MapPage>(tab);
    bool told = false;
    for (int column = 0; column < map->list().model().columnCount(); ++column) {
        const QString tip = map->list().model().headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
        told = told || tip.contains(metricTextWithUnit(metricFact(Metric::Divergence), *q4));
    }
    QVERIFY(told);
    // It is kept: the same files and the same text are not run again, in another tab.
    tab = open({sample("Q4_K"), sample("F16")});
    shown = page<TradeOffPage>(tab);
    shown->findChild<DivergenceField*>("divergenceField")->setText(m_f->root / "owls.txt");
    QTRY_COMPARE(shown->comparison().divergence(0), q4);
    QVERIFY(shown->metricField()->findData(kMetric) >= 0);
    // Another text has none yet.
    shown->findChild<DivergenceField*>("divergenceField")->setText(text("mice.txt", 70));
    QVERIFY(!shown->comparison().divergence(0));
    QTRY_VERIFY(!shown->findChild<DivergenceField*>("divergenceField")->isBusy());
    QVERIFY(!shown->comparison().divergence(0));
    QCOMPARE(shown->metricField()->findData(kMetric), -1);
    QCOMPARE(shown->findChild<DivergenceField*>("divergenceField")->findChild<QLabel*>("notes")->text(), QString());
}

// A file that predicts the same has a divergence of 0, which no logarithmic axis contains.
void TestDivergence::showsNothingOnTheAxis() {
    TradeOffPlot plot;
    plot.resize(700, 500);
    const auto point = [](std::size_t file, double size, double quality) {
        TradeOffPoint made;
        made.file = file;
        made.label = QStringLiteral("file %1").arg(file);
        made.size = size;
        made.quality = quality;
        made.frontier = true;
        return made;
    };
    for (const std::vector<TradeOffPoint>& points :
         {std::vector{point(1, 3e6, 0), point(2, 2e6, 0.0008), point(3, 1e6, 0.14)}, std::vector{point(1, 3e6, 0)},
          std::vector{point(2, 2e6, 0.0008), point(3, 1e6, 0.14)}}) {
        plot.setPoints(points, Metric::Divergence, SizeMeasure::Bytes, QStringLiteral("reference"));
        plot.grab(); // gives the plot its size
        plot.replot();
        double above = -1;
        for (const TradeOffPoint& each : plot.points()) { // from the closest to the farthest, which is the lowest
            const QPointF at = plot.pixelOf(each);
            QVERIFY2(QRectF(plot.axisRect()->rect()).contains(at),
                     qPrintable(QStringLiteral("%1, %2").arg(at.x()).arg(at.y())));
            QVERIFY(at.y() > above + 10);
            above = at.y();
        }
        const QVector<QString> labels = plot.yAxis->tickVectorLabels();
        QCOMPARE(labels.contains(QStringLiteral("0")), points.front().quality == 0.0);
    }
}

// While the button is disabled, keys must not go to the files at the top of the window.
void TestDivergence::keepsTheFocus() {
    CompareTab* tab = open({sample("F16"), sample("Q8_0")});
    auto* shown = page<TradeOffPage>(tab);
    QTRY_COMPARE(shown->model().rowCount(), 2);
    auto* field = shown->findChild<DivergenceField*>("divergenceField");
    auto* button = field->findChild<QPushButton*>("measureButton");
    field->setText(text("owls.txt", 60));
    QTRY_VERIFY(button->isEnabled());
    button->setFocus();
    QTRY_VERIFY(button->hasFocus());
    QTest::keyClick(button, Qt::Key_Space);
    QVERIFY(!button->isEnabled());
    QVERIFY(field->hasFocus() || field->isAncestorOf(QApplication::focusWidget()));
    QTRY_VERIFY_WITH_TIMEOUT(!field->isBusy(), 120'000);
    QVERIFY(button->hasFocus());
}

void TestDivergence::cancels() {
    CompareTab* tab = open({sample("F16"), sample("Q8_0"), sample("Q4_K")});
    auto* shown = page<TradeOffPage>(tab);
    QTRY_COMPARE(shown->model().rowCount(), 3);
    DivergenceField& field = *shown->findChild<DivergenceField*>("divergenceField");
    measure(*shown, text("long.txt", 40'000)); // a minute or more
    auto* cancel = field.progress().findChild<QToolButton*>();
    QTRY_VERIFY_WITH_TIMEOUT(cancel->isVisible(), 20'000);
    QTest::mouseClick(cancel, Qt::LeftButton);
    QVERIFY(!field.isBusy());
    QVERIFY(field.findChild<QPushButton*>("measureButton")->isEnabled());
    QVERIFY(test::waitUntilIdle());
    QVERIFY(!shown->comparison().divergence(1) && !shown->comparison().divergence(2));
    QCOMPARE(shown->metricField()->findData(kMetric), -1);
    // A change of the files cancels, too.
    measure(*shown, m_f->root / "long.txt");
    const_cast<Comparison&>(shown->comparison()).removeFile(sample("Q4_K"));
    QVERIFY(!field.isBusy());
    QVERIFY(test::waitUntilIdle([&] { return tab->comparison().result() != nullptr; }));
    QVERIFY(!field.isBusy());
    QVERIFY(!shown->comparison().divergence(1));
}

void TestDivergence::saysWhyNot_data() {
    QTest::addColumn<QByteArray>("other");
    QTest::addColumn<int>("sentences");
    QTest::addColumn<QByteArray>("reason");
    QTest::newRow("short text") << QByteArray("Q8_0") << 3 << QByteArray("few.txt");
    QTest::newRow("another vocabulary") << QByteArray() << 60 << QByteArray("vocabulary");
}

void TestDivergence::saysWhyNot() {
    QFETCH(QByteArray, other);
    QFETCH(int, sentences);
    QFETCH(QByteArray, reason);
    CompareTab* tab = open({sample("F16"), other.isEmpty() ? m_q4 : sample(other.constData())});
    auto* shown = page<TradeOffPage>(tab);
    DivergenceField& field = *shown->findChild<DivergenceField*>("divergenceField");
    const_cast<Comparison&>(shown->comparison()).setReference(sample("F16"));
    QVERIFY(waitDone(tab));
    measure(*shown, text("few.txt", sentences));
    QTRY_VERIFY_WITH_TIMEOUT(!field.isBusy(), 60'000);
    QVERIFY2(field.findChild<QLabel*>("notes")->text().contains(QString::fromLatin1(reason)),
             qPrintable(field.findChild<QLabel*>("notes")->text()));
    QVERIFY(field.findChild<QLabel*>("notes")->text().size() < 500);
    QCOMPARE(shown->metricField()->findData(kMetric), -1);
}

void TestDivergence::comesBackWithTheTab() {
    CompareTab* tab = open({sample("F16"), sample("Q4_K")});
    auto* shown = page<TradeOffPage>(tab);
    measure(*shown, text("owls.txt", 60));
    QTRY_VERIFY_WITH_TIMEOUT(!shown->findChild<DivergenceField*>("divergenceField")->isBusy(), 120'000);
    const auto measured = shown->comparison().divergence(1);
    QVERIFY(measured);
    const QJsonObject state = shown->saveState();
    Comparison again;
    again.start({sample("F16"), sample("Q4_K")});
    TradeOffPage restored(again);
    restored.restoreState(state);
    QCOMPARE(restored.findChild<DivergenceField*>("divergenceField")->text(), m_f->root / "owls.txt");
    QTRY_COMPARE_WITH_TIMEOUT(again.files().size(), std::size_t{2}, 30'000);
    QTRY_COMPARE_WITH_TIMEOUT(again.divergence(1), measured, 30'000);
    QCOMPARE(restored.metricField()->currentData().toInt(), kMetric);
}

GUFO_TEST_WIDGETS(TestDivergence)
#include "tst_divergence.moc"
