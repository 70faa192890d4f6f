#include "support/test_unit.h"
#include "ui/pages/embed/scored_lines_model.h"
#include "ui/widgets/table_text.h"

#include <QAbstractItemModelTester>
#include <QTest>

#include <limits>

using namespace gufo::ui;

class TestScoredLinesModel : public QObject {
    Q_OBJECT

private:
    static std::vector<std::size_t> order(const ScoredLinesModel& model) {
        std::vector<std::size_t> lines;
        for (int row = 0; row < model.rowCount(); ++row) {
            lines.push_back(model.rowAt(row).line);
        }
        return lines;
    }

private slots:
    void showsAndSorts() {
        ScoredLinesModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRows(nullptr, {}, {});
        QCOMPARE(model.rowCount(), 0);
        const auto lines = std::make_shared<const TextLines>(linesOf("pear\n\napple\n<b>fig</b>\ndate\n"));
        constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
        model.setRows(lines, {"yes", "no"}, {{0, {-0.25F, 4}}, {1, {0.5F, kNan}}, {2, {kNan, 1}}, {3, {0.5F, 9}}});
        QCOMPARE(model.columnCount(), 4);
        QCOMPARE(order(model), (std::vector<std::size_t>{1, 3, 0, 2})); // equal ones in their order
        QCOMPARE(model.headerData(0, Qt::Horizontal).toString(), QString("yes"));
        QCOMPARE(model.headerData(2, Qt::Horizontal).toString(), QString("Line"));
        QCOMPARE(model.index(2, 0).data().toString(), QString("−0.2500"));
        QCOMPARE(model.index(2, 0).data(kExactRole).toString(), QString("-0.25"));
        QCOMPARE(model.index(3, 0).data().toString(), QString("–"));
        QCOMPARE(model.index(0, 2).data().toString(), QString("3")); // the number in the source
        QCOMPARE(model.index(0, 3).data().toString(), QString("apple"));
        QVERIFY(!model.index(3, 3).data(Qt::ToolTipRole).toString().contains("<b>fig"));

        const QPersistentModelIndex pear(model.index(2, 3));
        model.sort(1, Qt::AscendingOrder);
        QCOMPARE(order(model), (std::vector<std::size_t>{2, 0, 3, 1})); // no number comes last
        QCOMPARE(pear.data().toString(), QString("pear"));
        model.sort(1, Qt::DescendingOrder);
        QCOMPARE(order(model), (std::vector<std::size_t>{3, 0, 2, 1}));
        model.sort(3, Qt::AscendingOrder);
        QCOMPARE(order(model), (std::vector<std::size_t>{2, 1, 3, 0}));
        model.sort(2, Qt::DescendingOrder);
        QCOMPARE(order(model), (std::vector<std::size_t>{3, 2, 1, 0}));
        QCOMPARE(pear.data().toString(), QString("pear"));
        QCOMPARE(model.rowOfLine(2), 1);
        QCOMPARE(model.rowOfLine(7), -1);
    }
};

GUFO_TEST_WIDGETS(TestScoredLinesModel)
#include "tst_scored_lines_model.moc"
