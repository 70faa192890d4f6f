// Sorting the list of tensors by figures that have to be computed first.
#include "support/idle.h"
#include "support/tensor_models.h"
#include "support/test_unit.h"
#include "ui/jobs/job.h"
#include "ui/pages/tensors/tensor_list.h"
#include "ui/pages/tensors/tensors_page.h"

#include <QHeaderView>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace gufo;
using namespace gufo::ui;
using namespace gufo::test;

namespace {

constexpr std::size_t kCount = kTensorsAtOnce + 100;

// Returns the expected standard deviation of a tensor; neighbours differ.
float deviationOf(std::size_t tensor) { return static_cast<float>(1 + tensor * 7'919 % kCount); }

// More tensors than are arranged at once, and one of an unknown type, which has no figures.
std::shared_ptr<const Model> manyTensors() {
    TensorModel model;
    model.add("unknown.weight", 9999, {16}, {});
    for (std::size_t i = 0; i < kCount; ++i) {
        model.numbers("blk." + std::to_string(i) + ".attn_q.weight", TensorType::F32, {2},
                      std::vector<float>{-deviationOf(i), deviationOf(i)});
    }
    return model.share();
}

} // namespace

class TestTensorSort : public QObject {
    Q_OBJECT

private slots:
    void sortsManyByDeviation();
    void anotherSortEndsTheAnalysis();
};

void TestTensorSort::sortsManyByDeviation() {
    TensorsPage page;
    page.resize(1280, 800);
    page.setModel(manyTensors());
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    page.activate();
    auto* table = qobject_cast<QTableView*>(page.list().view());
    QVERIFY(table != nullptr);
    const int column = static_cast<int>(TensorColumn::Sigma);
    const auto nameIn = [table](int row) { return table->model()->index(row, 0).data().toString(); };
    const auto nameOf = [](float deviation) {
        std::size_t tensor = 0;
        while (deviationOf(tensor) != deviation) {
            ++tensor;
        }
        return QStringLiteral("blk.%1.attn_q.weight").arg(tensor);
    };
    const TensorSummaries& summaries = page.list().summaries();
    QSignalSpy idle(&summaries, &TensorSummaries::idle);
    table->sortByColumn(column, Qt::DescendingOrder);
    const auto* counts = page.list().findChild<QLabel*>(QStringLiteral("counts"));
    QTRY_VERIFY(counts->text().contains(QStringLiteral("analysed")));
    while (summaries.knownCount() < kCount + 1) {
        QVERIFY(idle.wait(60'000));
    }
    QTRY_COMPARE(nameIn(0), nameOf(kCount));
    QVERIFY(!counts->text().contains(QStringLiteral("analysed")));
    for (std::size_t row = 0; row < kCount; row += 500) {
        QCOMPARE(nameIn(static_cast<int>(row)), nameOf(static_cast<float>(kCount - row)));
    }
    QCOMPARE(nameIn(static_cast<int>(kCount)), QStringLiteral("unknown.weight"));
    QVERIFY(waitUntilIdle()); // nothing sorts again and again
    table->sortByColumn(column, Qt::AscendingOrder);
    QTRY_COMPARE(nameIn(0), nameOf(1));
    QCOMPARE(nameIn(static_cast<int>(kCount)), QStringLiteral("unknown.weight")); // last in either direction
    QVERIFY(waitUntilIdle());
    Job::waitForAll();
}

void TestTensorSort::anotherSortEndsTheAnalysis() {
    TensorsPage page;
    page.resize(1280, 800);
    page.setModel(manyTensors());
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    page.activate();
    auto* table = qobject_cast<QTableView*>(page.list().view());
    table->sortByColumn(static_cast<int>(TensorColumn::Distribution), Qt::AscendingOrder);
    QTRY_VERIFY(page.list().summaries().knownCount() > 200);
    table->sortByColumn(static_cast<int>(TensorColumn::Name), Qt::AscendingOrder);
    QVERIFY(waitUntilIdle());
    QVERIFY(page.list().summaries().knownCount() < kCount);
    Job::waitForAll();
}

GUFO_TEST_WIDGETS(TestTensorSort)
#include "tst_tensor_sort.moc"
