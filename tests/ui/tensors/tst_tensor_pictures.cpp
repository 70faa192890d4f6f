// Small pictures of tensors: the curves of norms and biases in the list, singular values, and correlations.
#include "analysis/spectrum.h"
#include "support/test_unit.h"
#include "tensors_page_test.h"
#include "ui/models/tensor_delegates.h"
#include "ui/pages/tensors/correlation_line.h"
#include "ui/pages/tensors/spectrum_plot.h"
#include "ui/pages/tensors/spectrum_section.h"
#include "ui/plots/picture_menu.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>

#include <cmath>
#include <limits>

using namespace gufo;
using namespace gufo::ui;
using namespace gufo::test;

namespace {

std::shared_ptr<const Model> twoBlocks() {
    TensorModel model;
    for (const char* name : {"blk.0.attn_q.weight", "blk.0.attn_output.weight", "blk.1.attn_q.weight",
                             "blk.1.attn_output.weight", "blk.2.attn_q.weight"}) {
        model.numbers(name, TensorType::F32, {64, 64}, normalWeights(64 * 64, 1));
    }
    model.numbers("blk.1.attn_k.weight", TensorType::F32, {64, 32}, normalWeights(64 * 32, 2));
    return model.share();
}

QStringList namesOf(const Model& model, const std::vector<TensorIndex>& tensors) {
    QStringList names;
    for (const TensorIndex tensor : tensors) {
        names << QString::fromStdString(std::string(model.tensor(tensor).name));
    }
    return names;
}

std::shared_ptr<const Model> slowModel(std::shared_ptr<SlowSource>& source) {
    source = std::make_shared<SlowSource>(512 * 512 * sizeof(float));
    return TensorModel().zeros("blk.0.attn_q.weight", TensorType::F32, {512, 512}).share(source);
}

} // namespace

class TestTensorPictures : public TensorsPageTest {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::instance().apply(); }
    void init() { showPage(); }
    void cleanup() { closePage(); }
    void curveOfValues();
    void curvesInTheList();
    void curvesComeAfterTheDetail();
    void singularValuesOnDemand();
    void energyLeadsToTheWeights();
    void hiddenWithoutAMatrix();
    void measuringIsCancelled();
    void picturesOfSingularValues();
    void partners();
    void correlates();
};

void TestTensorPictures::curveOfValues() {
    TensorSummary summary;
    summary.bars = {1, 2, 3};
    std::vector<float> values(640, 1);
    values[0] = -1;
    values[639] = 3;
    values[20] = std::numeric_limits<float>::quiet_NaN();
    setCurve(summary, values);
    QVERIFY(summary.bars.empty());
    QCOMPARE(summary.curve.size(), 128U); // the lowest and the highest of 64 parts
    QCOMPARE(summary.low, -1.0F);
    QCOMPARE(summary.high, 3.0F);
    QCOMPARE(summary.curve[0], 0);
    QCOMPARE(summary.curve[1], 128);
    QCOMPARE(summary.curve[2], 128);
    QCOMPARE(summary.curve[4], 128); // without the NaN
    QCOMPARE(summary.curve[126], 128);
    QCOMPARE(summary.curve[127], 255);

    TensorSummary constant;
    setCurve(constant, std::vector<float>{2, 2, 2});
    QCOMPARE(constant.curve, (std::vector<std::uint8_t>{127, 127, 127, 127, 127, 127}));
    TensorSummary nothing;
    nothing.bars = {7};
    setCurve(nothing, std::vector<float>{std::numeric_limits<float>::quiet_NaN()});
    QVERIFY(nothing.curve.empty());
    QCOMPARE(nothing.bars.size(), 1U);
    TensorSummary gap; // a part without finite values repeats the one before
    std::vector<float> holes(64, 5);
    holes[0] = 0;
    holes[9] = std::numeric_limits<float>::infinity();
    setCurve(gap, holes);
    QCOMPARE(gap.curve[18], 255);
    QCOMPARE(gap.curve[19], 255);
}

void TestTensorPictures::curvesInTheList() {
    QTRY_VERIFY(m_page->list().summaries().find(TensorIndex(8)) != nullptr);
    const TensorTableModel& table = m_page->list().table();
    const int column = static_cast<int>(TensorColumn::Distribution);
    const QModelIndex norm = table.index(table.rowOf(TensorIndex(8)), column);
    QCOMPARE(norm.data(kCurveRole).toByteArray().size(), 80); // each of 40 values is a part
    QVERIFY(norm.data(kBarsRole).toByteArray().isEmpty());
    QVERIFY(norm.data(Qt::ToolTipRole).toString().contains("40 values in their order, from"));
    QVERIFY(norm.data(Qt::AccessibleTextRole).toString().startsWith("40 values"));
    const QModelIndex matrix = table.index(table.rowOf(TensorIndex(0)), column);
    QTRY_VERIFY(!matrix.data(kBarsRole).toByteArray().isEmpty());
    QVERIFY(matrix.data(kCurveRole).toByteArray().isEmpty());
    QVERIFY(!m_page->grab().isNull());
}

// The analysis of the shown tensor lacks its values, and must not keep the list from reading them.
void TestTensorPictures::curvesComeAfterTheDetail() {
    TensorSummaries summaries;
    const auto model = tensorsSample();
    summaries.setModel(model);
    const auto norm = analyseTensor(*model, TensorIndex(8));
    const auto matrix = analyseTensor(*model, TensorIndex(0));
    QVERIFY(norm && matrix);
    summaries.insert(TensorIndex(0), *matrix);
    QVERIFY(summaries.find(TensorIndex(0)) != nullptr);
    summaries.insert(TensorIndex(8), *norm);
    QTRY_VERIFY(summaries.find(TensorIndex(8)) != nullptr);
    QCOMPARE(summaries.find(TensorIndex(8))->curve.size(), 80U);
    QCOMPARE(summaries.find(TensorIndex(8))->std, norm->statistics.std);
}

void TestTensorPictures::singularValuesOnDemand() {
    waitForJobs();
    SpectrumSection& section = m_page->detail().spectrum();
    QVERIFY(!section.isHidden());
    QVERIFY(section.spectrum() == nullptr); // not without being asked
    QSignalSpy measured(&section, &SpectrumSection::measured);
    section.findChild<QPushButton*>("measureSpectrum")->click();
    QVERIFY(measured.wait());
    const auto expected = measureSpectrum(*tensorsSample(), TensorIndex(0));
    QVERIFY(expected.has_value());
    QCOMPARE(section.spectrum()->values, expected->values);
    QCOMPARE(section.plot().graph(0)->dataCount(), 32);
    QVERIFY(section.plot().textOf(0).startsWith("Value 1: "));
    const auto* lines = section.findChild<QTableWidget*>("energyLines");
    QCOMPARE(lines->rowCount(), 16);
    QCOMPARE(lines->item(0, 0)->text(), QString::number(expected->topRows[0].index));
    QCOMPARE(lines->item(0, 2)->text(), QString::number(expected->topColumns[0].index));
    section.plot().setLogarithmic(true);
    QCOMPARE(section.plot().graph(0)->dataCount(), 32);
    m_page->list().select(TensorIndex(1));
    QVERIFY(section.spectrum() == nullptr); // of another tensor
}

void TestTensorPictures::energyLeadsToTheWeights() {
    waitForJobs();
    SpectrumSection& section = m_page->detail().spectrum();
    QSignalSpy measured(&section, &SpectrumSection::measured);
    section.findChild<QPushButton*>("measureSpectrum")->click();
    QVERIFY(measured.wait());
    auto* lines = section.findChild<QTableWidget*>("energyLines");
    lines->setCurrentCell(1, 0);
    emit lines->cellActivated(1, 0);
    QCOMPARE(m_page->detail().values().grid().currentRow(), section.spectrum()->topRows[1].index);
    emit lines->cellActivated(2, 3);
    QCOMPARE(m_page->detail().values().grid().currentColumn(), section.spectrum()->topColumns[2].index);
}

void TestTensorPictures::hiddenWithoutAMatrix() {
    waitForJobs();
    for (const std::uint32_t index : {4U, 5U, 7U, 8U}) { // cut off, unknown, empty, a vector
        m_page->list().select(TensorIndex(index));
        QVERIFY(m_page->detail().spectrum().isHidden());
    }
    m_page->list().select(TensorIndex(2));
    QVERIFY(!m_page->detail().spectrum().isHidden());
}

void TestTensorPictures::measuringIsCancelled() {
    std::shared_ptr<SlowSource> source;
    SpectrumSection section;
    section.resize(700, 300);
    section.setTensor(slowModel(source), TensorIndex(0), {});
    section.show();
    auto* button = section.findChild<QPushButton*>("measureSpectrum");
    button->click();
    QTRY_VERIFY(source->views > 0);
    QVERIFY(section.isBusy());
    QVERIFY(!button->isEnabled());
    auto* cancel = section.findChild<QToolButton*>("cancelJob");
    QTRY_VERIFY(cancel->isVisible());
    cancel->click();
    QVERIFY(!section.isBusy());
    QVERIFY(button->isEnabled()); // so that it can be measured again
    source->open = true;
    Job::waitForAll();
    QCoreApplication::processEvents();
    QVERIFY(section.spectrum() == nullptr);
}

void TestTensorPictures::picturesOfSingularValues() {
    waitForJobs();
    SpectrumSection& section = m_page->detail().spectrum();
    QVERIFY(section.pictures().button()->isHidden());
    QSignalSpy measured(&section, &SpectrumSection::measured);
    section.findChild<QPushButton*>("measureSpectrum")->click();
    QVERIFY(measured.wait());
    QVERIFY(!section.pictures().button()->isHidden());
    QTemporaryDir folder;
    QSignalSpy said(&section, &SpectrumSection::said);
    section.pictures().write(pathIn(folder, "values.svg"), PlotFormat::Svg);
    QVERIFY(said.wait());
    QFile file(folder.filePath("values.svg"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray svg = file.readAll();
    QVERIFY(svg.contains("Singular values"));
    QVERIFY(svg.contains("Halko"));
}

void TestTensorPictures::partners() {
    const auto model = twoBlocks();
    // The neighbours of the block, then others of the block; not the tensor of another shape.
    QCOMPARE(namesOf(*model, correlationPartners(*model, TensorIndex(2), {})),
             (QStringList{"blk.2.attn_q.weight", "blk.0.attn_q.weight", "blk.1.attn_output.weight"}));
    QCOMPARE(
        namesOf(*model, correlationPartners(*model, TensorIndex(2), {TensorIndex(1), TensorIndex(2), TensorIndex(5)})),
        (QStringList{"blk.0.attn_output.weight", "blk.2.attn_q.weight", "blk.0.attn_q.weight",
                     "blk.1.attn_output.weight"}));
    QVERIFY(correlationPartners(*model, TensorIndex(5), {}).empty());
}

void TestTensorPictures::correlates() {
    CorrelationLine line;
    const auto model = twoBlocks();
    line.resize(700, 30);
    line.setTensor(model, TensorIndex(5));
    QVERIFY(line.isHidden()); // no other has its shape
    line.setTensor(model, TensorIndex(0));
    QVERIFY(!line.isHidden());
    line.setSelection([] { return std::vector{TensorIndex(3)}; });
    emit line.menu()->aboutToShow();
    QCOMPARE(line.menu()->actions().front()->text(), QString("blk.1.attn_output.weight"));
    line.menu()->actions().front()->trigger();
    QTRY_VERIFY(!line.isBusy());
    QVERIFY2(line.text().startsWith("blk.1.attn_output.weight: r = 1.000000"), qPrintable(line.text()));
    line.setTensor(model, TensorIndex(1));
    QVERIFY(line.text().isEmpty()); // not of this tensor
}

GUFO_TEST_WIDGETS(TestTensorPictures)
#include "tst_tensor_pictures.moc"
