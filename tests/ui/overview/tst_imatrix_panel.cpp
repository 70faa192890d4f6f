#include "document/open_model.h"
#include "formats/imatrix/imatrix_writer.h"
#include "support/page_models.h"
#include "support/test_unit.h"
#include "ui/document/model_document.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/theme/theme.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace gufo;
using namespace gufo::ui;
using test::GgufBuilder;

namespace {

constexpr std::size_t kExperts = 8;

// Two blocks with experts; expert 3 of the second is never used.
ImatrixContents contents() {
    ImatrixContents contents{.datasets = {"calibration.txt", "code.txt"}, .chunks = 40, .chunkSize = 512};
    for (const char* block : {"blk.0.", "blk.10.", "blk.2."}) {
        const std::string name(block);
        contents.entries.push_back(
            {.name = name + "attn_q.weight", .columns = 32, .sums = std::vector<double>(32, 1.0), .counts = {20'480}});
        ImatrixEntry experts{.name = name + "ffn_up_exps.weight", .columns = 32};
        for (std::size_t e = 0; e < kExperts; ++e) {
            const bool used = name != "blk.2." || e != 3;
            experts.counts.push_back(used ? 100 * (e + 1) : 0);
            experts.sums.resize(32 * (e + 1), used ? 1.0 : 0.0);
            experts.sums[32 * e + 17] *= 9;
        }
        contents.entries.push_back(experts);
    }
    return contents;
}

} // namespace

class TestImatrixPanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        Theme::instance().apply();
        m_path = m_folder.filePath(QStringLiteral("matrix.gguf")).toStdString();
        QVERIFY(writeImatrix(contents(), std::nullopt, m_path));
        m_imatrix = *openModel(m_path);
        GgufBuilder file;
        file.key("general.architecture", "llama");
        for (const char* block : {"blk.0.", "blk.10."}) {
            const std::string name(block);
            file.tensor(name + "attn_q.weight", 0, {32, 32}).tensor(name + "attn_k.weight", 0, {32, 32});
            file.tensor(name + "ffn_up_exps.weight", 0, {32, 4, kExperts});
        }
        m_other = test::readModel(file);
    }
    void cleanup() { Job::waitForAll(); }

    void showsCoverage();
    void sortsAndKeepsSelections();
    void comparesWithOpenModels();
    void isCancelled();
    void saysWhatIsWrong();
    void replacesTheMapOfBlocks();

private:
    QTemporaryDir m_folder;
    std::filesystem::path m_path;
    std::shared_ptr<const Model> m_imatrix;
    std::shared_ptr<const Model> m_other;
};

void TestImatrixPanel::showsCoverage() {
    ImatrixPanel panel;
    const QAbstractItemModelTester tester(panel.table());
    QSignalSpy read(&panel, &ImatrixPanel::read);
    panel.setModel(m_imatrix);
    QVERIFY(read.wait());
    QVERIFY(panel.summary().contains(QStringLiteral("6")) && panel.summary().contains(QStringLiteral("40")));
    QVERIFY(panel.summary().contains(QStringLiteral("calibration.txt, code.txt")));
    QVERIFY(panel.summary().contains(QStringLiteral("24")) && panel.summary().contains(QStringLiteral("No token")));
    QCOMPARE(panel.table()->rowCount(), 6);
    const auto text = [&](int row, int column) { return panel.table()->index(row, column).data().toString(); };
    // Blocks are in the order of their numbers.
    QCOMPARE(text(0, ImatrixModel::Tensor), QStringLiteral("blk.0.attn_q.weight"));
    QCOMPARE(text(2, ImatrixModel::Tensor), QStringLiteral("blk.2.attn_q.weight"));
    QCOMPARE(text(5, ImatrixModel::Tensor), QStringLiteral("blk.10.ffn_up_exps.weight"));
    QCOMPARE(text(0, ImatrixModel::Used), QStringLiteral("1 of 1"));
    QCOMPARE(text(3, ImatrixModel::Used), QStringLiteral("7 of 8"));
    QVERIFY(panel.table()->index(3, ImatrixModel::Used).data(Qt::ForegroundRole).isValid());
    QVERIFY(!panel.table()->index(1, ImatrixModel::Used).data(Qt::ForegroundRole).isValid());
    QCOMPARE(text(1, ImatrixModel::Rows), formatReal(3'600, 12));
    QVERIFY(text(1, ImatrixModel::Channels).startsWith(QStringLiteral("17 (22.5 %)")));
    QVERIFY(text(0, ImatrixModel::Partner).isEmpty());
    QVERIFY(panel.copyText(CopyFormat::Tsv).contains(QStringLiteral("7 of 8")));
    // The map has a row for each tensor with experts, and names the cell under the pointer.
    auto* map = panel.findChild<ExpertMap*>();
    QVERIFY(map && !map->isEmpty());
    map->resize(80, 30);
    QVERIFY(map->describe({5, 5}).startsWith(QStringLiteral("blk.0.ffn_up_exps.weight, expert 0: 100")));
    QVERIFY(map->describe({35, 15}).contains(QStringLiteral("no token was routed")));
    QVERIFY(map->describe({85, 5}).isEmpty());
    const QImage image = map->grab().toImage();
    const auto color = [&](int expert, int row) {
        return image.pixelColor((2 * expert + 1) * image.width() / 16, (2 * row + 1) * image.height() / 6);
    };
    QCOMPARE(color(3, 1), themeColor(Token::WarningMark)); // blocks are in the order of their numbers here, too
    QVERIFY(color(7, 0) != color(0, 0));
}

void TestImatrixPanel::sortsAndKeepsSelections() {
    ImatrixPanel panel;
    QSignalSpy read(&panel, &ImatrixPanel::read);
    panel.setModel(m_imatrix);
    QVERIFY(read.wait());
    const QPersistentModelIndex kept = panel.table()->index(3, ImatrixModel::Tensor);
    const QString name = kept.data().toString();
    for (int column = 0; column < ImatrixModel::ColumnCount; ++column) {
        for (const Qt::SortOrder order : {Qt::DescendingOrder, Qt::AscendingOrder}) {
            panel.view()->sortByColumn(column, order);
            QCOMPARE(kept.data().toString(), name);
        }
    }
    panel.view()->sortByColumn(ImatrixModel::Used, Qt::AscendingOrder);
    QCOMPARE(panel.table()->index(0, ImatrixModel::Tensor).data().toString(),
             name); // the only one with an unused expert
}

void TestImatrixPanel::comparesWithOpenModels() {
    ImatrixPanel panel;
    const QAbstractItemModelTester tester(panel.table());
    QSignalSpy read(&panel, &ImatrixPanel::read);
    panel.setModel(m_imatrix);
    QVERIFY(read.wait());
    QCOMPARE(panel.choice()->count(), 1);
    QVERIFY(!panel.findChild<QLabel*>("partners")->text().isEmpty()); // how to get a model to compare with
    auto document = std::make_unique<ModelDocument>(m_other);
    panel.show(); // as when the user returns to its tab
    QCOMPARE(panel.choice()->count(), 2);
    QSignalSpy compared(&panel, &ImatrixPanel::compared);
    panel.choice()->setCurrentIndex(1);
    emit panel.choice()->activated(1);
    QVERIFY(compared.wait());
    QVERIFY(panel.findChild<QLabel*>("partners")->text().startsWith(QStringLiteral("2 "))); // keys have no entry
    QVERIFY(panel.findChild<QLabel*>("partners")->text().contains(QStringLiteral("2 ")));
    QCOMPARE(panel.table()->rowCount(), 8);
    int without = 0;
    for (int row = 0; row < 8; ++row) {
        const QString name = panel.table()->index(row, ImatrixModel::Tensor).data().toString();
        const ImatrixModel::Fit expected = name.contains(QStringLiteral("attn_k"))     ? ImatrixModel::Fit::NoEntry
                                           : name.startsWith(QStringLiteral("blk.2.")) ? ImatrixModel::Fit::NoTensor
                                                                                       : ImatrixModel::Fit::Fits;
        QCOMPARE(panel.table()->fitAt(row), expected);
        without += panel.table()->entryAt(row) == nullptr ? 1 : 0;
    }
    QCOMPARE(without, 2);
    // The choice outlives a new list, but not the model.
    panel.listModels();
    QCOMPARE(panel.choice()->currentIndex(), 1);
    document.reset();
    panel.listModels();
    QCOMPARE(panel.choice()->currentIndex(), 0);
    QCOMPARE(panel.table()->rowCount(), 6);
}

void TestImatrixPanel::isCancelled() {
    auto panel = std::make_unique<ImatrixPanel>();
    QSignalSpy read(panel.get(), &ImatrixPanel::read);
    panel->setModel(m_imatrix);
    QPointer<Job> job = panel->job();
    QVERIFY(job);
    job->cancel();
    Job::waitForAll();
    QTRY_VERIFY(!job);
    QVERIFY(read.isEmpty());
    QCOMPARE(panel->table()->rowCount(), 0);
    panel->setModel(m_imatrix);
    panel.reset(); // cancels without waiting
    Job::waitForAll();
}

void TestImatrixPanel::saysWhatIsWrong() {
    GgufBuilder file;
    file.key("general.type", "imatrix").tensor("x.in_sum2", 0, {32, 1}); // no counts
    const std::filesystem::path path = m_folder.filePath(QStringLiteral("broken.gguf")).toStdString();
    const std::vector<std::byte> bytes = file.build();
    QFile written(QString::fromStdString(path.native()));
    QVERIFY(written.open(QIODevice::WriteOnly));
    QVERIFY(written.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size())) > 0);
    written.close();
    ImatrixPanel panel;
    QSignalSpy read(&panel, &ImatrixPanel::read);
    panel.setModel(*openModel(path));
    QVERIFY(read.wait());
    QVERIFY2(panel.summary().contains(QStringLiteral("x.counts")), qPrintable(panel.summary()));
    QCOMPARE(panel.table()->rowCount(), 0);
}

void TestImatrixPanel::replacesTheMapOfBlocks() {
    OverviewPage page;
    page.resize(1200, 800);
    QSignalSpy summarised(&page, &OverviewPage::summarised);
    page.setModel(m_imatrix);
    page.show();
    QVERIFY(summarised.wait());
    auto* panel = page.findChild<ImatrixPanel*>();
    QVERIFY(panel && panel->isVisible());
    QVERIFY(!page.findChild<BlockMap*>()->isVisible());
    QVERIFY(!page.findChild<MemoryPanel*>()->isVisible());
    page.resize(700, 800);
    QTRY_VERIFY(panel->isVisible() && !page.findChild<MemoryPanel*>()->isVisible());
    OverviewPage other;
    other.setModel(m_other);
    QVERIFY(!other.findChild<ImatrixPanel*>());
}

GUFO_TEST_WIDGETS(TestImatrixPanel)
#include "tst_imatrix_panel.moc"
