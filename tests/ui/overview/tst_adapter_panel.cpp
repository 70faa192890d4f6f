// A LoRA adapter on the overview: the facts about it alone, its figures beside a base model, and pairs that do not fit.
#include "document/open_model.h"
#include "support/page_models.h"
#include "support/test_unit.h"
#include "support/ui_test_settings.h"
#include "ui/document/model_document.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/segmented_control.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace gufo;
using namespace gufo::ui;
using test::GgufBuilder;

namespace {

constexpr std::uint64_t kWidth = 32;

std::vector<std::byte> constant(std::size_t count, float value) {
    std::vector<std::byte> bytes(4 * count);
    for (std::size_t i = 0; i < count; ++i) {
        store<float>(bytes.data() + 4 * i, value);
    }
    return bytes;
}

// Weights of 2, and norms of 64: in two blocks and outside of them.
GgufBuilder baseFile() {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    for (const char* name : {"blk.0.attn_q.weight", "blk.1.attn_q.weight", "blk.1.attn_k.weight", "output.weight"}) {
        file.tensor(name, 0, {kWidth, kWidth}, constant(kWidth * kWidth, 2));
    }
    return file;
}

void addPair(GgufBuilder& file, const std::string& name, std::uint64_t rank, float a, std::uint64_t columns = kWidth) {
    file.tensor(name + ".lora_a", 0, {columns, rank}, constant(columns * rank, a));
    file.tensor(name + ".lora_b", 0, {rank, kWidth}, constant(rank * kWidth, 1));
}

// The product for rank r has weights r·a, and alpha / r takes r away: the change of each weight is 8·a.
GgufBuilder adapterFile(bool unfit = false) {
    GgufBuilder file;
    file.key("general.architecture", "llama").key("general.type", "adapter").key("adapter.type", "lora");
    file.key("adapter.lora.alpha", 8.0F).key("general.base_model.0.name", "Maker's Base");
    addPair(file, "blk.1.attn_q.weight", 4, 0.1F);
    addPair(file, "blk.1.attn_k.weight", 2, 0.2F);
    addPair(file, "blk.0.attn_q.weight", 4, 0.05F);
    addPair(file, "output.weight", 4, 0);
    if (unfit) {
        addPair(file, "blk.7.attn_q.weight", 4, 1);
        addPair(file, "blk.1.attn_v.weight", 4, 1, 2 * kWidth);
    }
    return file;
}

} // namespace

class TestAdapterPanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::instance().apply(); }
    void init() { m_settings.clear(); }
    void cleanup() { Job::waitForAll(); }
    void showsWhatTheFileStates();
    void measuresBesideAnOpenModel();
    void measuresBesideAFile();
    void addsLayersUp();
    void namesWhatDoesNotFit();
    void refusesAnotherArchitecture();
    void isCancelled();
    void standsOnTheOverview();

private:
    std::filesystem::path written(const GgufBuilder& file, const char* name) const {
        const std::filesystem::path path = m_folder.filePath(QLatin1String(name)).toStdString();
        file.write(path);
        return path;
    }
    // The text of a row whose name begins so.
    static QString cell(const AdapterPanel& panel, const QString& name, int column) {
        for (int row = 0; row < panel.table()->rowCount(); ++row) {
            if (panel.table()->index(row, AdapterModel::Name).data().toString().startsWith(name)) {
                return panel.table()->index(row, column).data().toString();
            }
        }
        return QStringLiteral("no such row");
    }
    bool measure(AdapterPanel& panel, const std::filesystem::path& base) const {
        QSignalSpy measured(&panel, &AdapterPanel::measured);
        panel.measureBeside(base);
        return measured.wait(20'000);
    }
    UiTestSettings m_settings;
    QTemporaryDir m_folder;
};

void TestAdapterPanel::showsWhatTheFileStates() {
    AdapterPanel panel;
    const QAbstractItemModelTester tester(panel.table(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    panel.setModel(test::readModel(adapterFile()));
    QVERIFY2(panel.summary().contains("4 matrices of rank 2, 4."), qPrintable(panel.summary()));
    QVERIFY(panel.summary().contains("Alpha 8"));
    QVERIFY(panel.summary().contains("Maker's Base"));
    QCOMPARE(panel.table()->rowCount(), 4);
    QCOMPARE(cell(panel, "blk.1.attn_k.weight", AdapterModel::Rank), QString("2"));
    QCOMPARE(cell(panel, "blk.1.attn_k.weight", AdapterModel::Change), QString());
    QVERIFY(panel.findChild<QLabel*>("fit")->text().contains("Choose the base model"));
    QCOMPARE(panel.table()->index(3, 0).data().toString(), QString("output.weight")); // after the blocks
}

void TestAdapterPanel::measuresBesideAnOpenModel() {
    ModelDocument document(test::readModel(baseFile()));
    AdapterPanel panel;
    QSignalSpy measured(&panel, &AdapterPanel::measured);
    panel.setModel(test::readModel(adapterFile())); // takes the only model of its architecture
    QVERIFY(panel.job() != nullptr);
    QTRY_VERIFY(panel.job() == nullptr);
    QCOMPARE(panel.choice()->currentIndex(), 1);
    QVERIFY2(panel.findChild<QLabel*>("fit")->text().startsWith("All 4 matrices fit."),
             qPrintable(panel.findChild<QLabel*>("fit")->text()));
    QCOMPARE(cell(panel, "blk.1.attn_q.weight", AdapterModel::Change), formatReal(0.8 * kWidth));
    QCOMPARE(cell(panel, "blk.1.attn_k.weight", AdapterModel::Change), formatReal(1.6 * kWidth));
    QCOMPARE(cell(panel, "blk.1.attn_k.weight", AdapterModel::Weights), formatReal(2.0 * kWidth));
    QCOMPARE(cell(panel, "blk.1.attn_k.weight", AdapterModel::Relative), QString("80 %"));
    QCOMPARE(cell(panel, "blk.1.attn_k.weight", AdapterModel::State), QString("fits"));
    panel.view()->sortByColumn(AdapterModel::Relative, Qt::DescendingOrder);
    QCOMPARE(panel.table()->index(0, 0).data().toString(), QString("blk.1.attn_k.weight"));
    QVERIFY(panel.copyText(CopyFormat::Tsv).contains("80 %"));
    // What the user chooses stays, even if it is none.
    panel.choice()->setCurrentIndex(0);
    emit panel.choice()->activated(0);
    panel.listModels();
    QCOMPARE(panel.choice()->currentIndex(), 0);
    QCOMPARE(cell(panel, "blk.1.attn_k.weight", AdapterModel::Change), QString());
}

void TestAdapterPanel::measuresBesideAFile() {
    AdapterPanel panel;
    panel.setModel(test::readModel(adapterFile()));
    QVERIFY(measure(panel, written(baseFile(), "base.gguf")));
    QVERIFY2(panel.findChild<QLabel*>("fit")->text().startsWith("All 4 matrices fit."),
             qPrintable(panel.findChild<QLabel*>("fit")->text()));
    QCOMPARE(panel.choice()->currentText(), QString("base.gguf"));
    QVERIFY(measure(panel, m_folder.filePath("none.gguf").toStdString()));
    QVERIFY2(panel.findChild<QLabel*>("fit")->text().contains("no such file"),
             qPrintable(panel.findChild<QLabel*>("fit")->text()));
    QCOMPARE(cell(panel, "output.weight", AdapterModel::State), QString());
}

void TestAdapterPanel::addsLayersUp() {
    AdapterPanel panel;
    const QAbstractItemModelTester tester(panel.table(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    panel.setModel(test::readModel(adapterFile()));
    QVERIFY(measure(panel, written(baseFile(), "base.gguf")));
    panel.show();
    QTest::mouseClick(panel.rows()->segment(1), Qt::LeftButton);
    QVERIFY(panel.table()->showsLayers());
    QCOMPARE(panel.table()->rowCount(), 3);
    QCOMPARE(cell(panel, "block 1, 2 matrices", AdapterModel::Change),
             formatReal(kWidth * std::sqrt(0.8 * 0.8 + 1.6 * 1.6)));
    QCOMPARE(cell(panel, "block 1, 2 matrices", AdapterModel::Weights), formatReal(kWidth * std::sqrt(8.0)));
    QCOMPARE(cell(panel, "block 0, 1", AdapterModel::Rank), QString("4"));
    QCOMPARE(cell(panel, "outside of blocks", AdapterModel::Relative), QString("0 %"));
}

void TestAdapterPanel::namesWhatDoesNotFit() {
    AdapterPanel panel;
    panel.setModel(test::readModel(adapterFile(true)));
    GgufBuilder base = baseFile();
    base.tensor("blk.1.attn_v.weight", 0, {kWidth, kWidth}, constant(kWidth * kWidth, 2));
    QVERIFY(measure(panel, written(base, "base.gguf")));
    QVERIFY2(panel.findChild<QLabel*>("fit")->text().startsWith("2 of 6 matrices do not fit"),
             qPrintable(panel.findChild<QLabel*>("fit")->text()));
    QVERIFY(cell(panel, "blk.7.attn_q.weight", AdapterModel::State).contains("blk.7.attn_q.weight"));
    QVERIFY(cell(panel, "blk.1.attn_v.weight", AdapterModel::State).contains("[64, 4]"));
    QCOMPARE(cell(panel, "blk.0.attn_q.weight", AdapterModel::State), QString("fits")); // the others are measured
    QCOMPARE(cell(panel, "blk.0.attn_q.weight", AdapterModel::Relative), QString("20 %"));
    panel.table()->showLayers(true);
    QVERIFY(cell(panel, "block 7", AdapterModel::State).startsWith("1 ") &&
            cell(panel, "block 7", AdapterModel::State).endsWith("not fit"));
}

void TestAdapterPanel::refusesAnotherArchitecture() {
    GgufBuilder base;
    base.key("general.architecture", "gemma").tensor("output.weight", 0, {kWidth, kWidth});
    AdapterPanel panel;
    panel.setModel(test::readModel(adapterFile()));
    QVERIFY(measure(panel, written(base, "gemma.gguf")));
    QVERIFY2(panel.findChild<QLabel*>("fit")->text().contains("gemma"),
             qPrintable(panel.findChild<QLabel*>("fit")->text()));
}

// The base is 4 GiB of holes, so that the job is at work when the button is pressed.
void TestAdapterPanel::isCancelled() {
    constexpr std::uint64_t kRows = std::uint64_t{1} << 25U;
    GgufBuilder base;
    base.key("general.architecture", "llama").tensor("output.weight", 0, {kWidth, kRows}, std::vector<std::byte>());
    const std::filesystem::path path = written(base, "large.gguf");
    std::filesystem::resize_file(path, std::filesystem::file_size(path) + kWidth * kRows * 4);
    GgufBuilder adapter;
    adapter.key("general.architecture", "llama").key("general.type", "adapter").key("adapter.type", "lora");
    adapter.key("adapter.lora.alpha", 8.0F);
    adapter.tensor("output.weight.lora_a", 0, {kWidth, 1}, constant(kWidth, 1));
    adapter.tensor("output.weight.lora_b", 0, {1, kRows}, std::vector<std::byte>(4 * kRows));
    AdapterPanel panel;
    panel.resize(900, 600);
    panel.show();
    panel.setModel(test::readModel(adapter));
    panel.measureBeside(path);
    auto* cancel = panel.jobBar()->findChild<QToolButton*>("cancelJob");
    QTRY_VERIFY_WITH_TIMEOUT(cancel->isVisible(), 20'000);
    QVERIFY(panel.job() != nullptr);
    QTest::mouseClick(cancel, Qt::LeftButton);
    QCOMPARE(panel.findChild<QLabel*>("fit")->text(), QString("Cancelled."));
    QTRY_VERIFY(panel.job() == nullptr);
    Job::waitForAll();
    QCOMPARE(cell(panel, "output.weight", AdapterModel::Change), QString());
}

void TestAdapterPanel::standsOnTheOverview() {
    OverviewPage page;
    page.resize(1200, 800);
    page.show();
    page.setModel(test::readModel(adapterFile()));
    auto* panel = page.findChild<AdapterPanel*>();
    QVERIFY(panel != nullptr);
    QTRY_VERIFY(panel->isVisible());
    QVERIFY(!page.findChild<MemoryPanel*>()->isVisible()); // an adapter is not run by itself
    QVERIFY(panel->copyText(CopyFormat::Tsv).contains("blk.1.attn_k.weight"));
    OverviewPage other;
    other.setModel(test::readModel(baseFile()));
    QVERIFY(other.findChild<AdapterPanel*>() == nullptr);
}

GUFO_TEST_WIDGETS(TestAdapterPanel)
#include "tst_adapter_panel.moc"
