// The map of token embeddings on the Tokenizer page, and the nearest tokens of the current one.
#include "support/page_models.h"
#include "support/test_unit.h"
#include "ui/jobs/job.h"
#include "ui/pages/tokenizer/nearest_tokens.h"
#include "ui/pages/tokenizer/tokenizer_page.h"
#include "ui/plots/picture_menu.h"
#include "ui/theme/theme.h"

#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstring>
#include <numbers>

using namespace gufo;
using namespace gufo::ui;
using namespace gufo::test;

namespace {

constexpr std::uint32_t kF32Type = 0;
constexpr std::size_t kWidth = 8;

std::vector<std::byte> bytesOf(const std::vector<float>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

// Token i points in the direction of the angle i × 2π / count in a plane, so that its nearest are i ± 1.
std::vector<float> circle(std::size_t count) {
    std::vector<float> values(count * kWidth);
    for (std::size_t i = 0; i < count; ++i) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(count);
        values[i * kWidth + 2] = static_cast<float>(std::cos(angle) * (1 + static_cast<double>(i % 3)));
        values[i * kWidth + 5] = static_cast<float>(std::sin(angle) * (1 + static_cast<double>(i % 3)));
    }
    return values;
}

std::shared_ptr<const Model> vocabularyOf(std::uint32_t tokens, bool embeddings = true) {
    GgufBuilder file;
    addLargeVocabulary(file, tokens);
    if (embeddings) {
        file.tensor("token_embd.weight", kF32Type, {kWidth, tokens}, bytesOf(circle(tokens)));
    }
    return readModel(file);
}

struct ShownMap {
    explicit ShownMap(std::shared_ptr<const Model> model) {
        page.resize(1272, 770);
        QSignalSpy linked(&page, &TokenizerPage::linked);
        page.setModel(std::move(model));
        page.show();
        page.activate();
        ready = linked.count() > 0 || linked.wait(20'000);
        table = page.findChild<WindowedTable*>("tokenTable");
        tables = page.findChild<SegmentedControl*>();
    }
    // Opens the map and waits until it is drawn.
    [[nodiscard]] bool open() {
        QSignalSpy drawn(page.map(), &EmbeddingMap::drawn);
        QTest::mouseClick(tables->segment(2), Qt::LeftButton);
        return drawn.wait(20'000);
    }
    TokenizerPage page;
    WindowedTable* table = nullptr;
    SegmentedControl* tables = nullptr;
    bool ready = false;
};

} // namespace

class TestEmbeddingMap : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::instance().apply(); }
    void cleanup() { Job::waitForAll(); }
    void findsTheTable();
    void onlyWithEmbeddings();
    void showsTheFirstTokens();
    void followsTheSearch();
    void followsTheSelection();
    void clicksChooseTokens();
    void nearestTokens();
    void nearestOfAZeroVector();
    void isCancelled();
    void picturesNameTheFile();
};

void TestEmbeddingMap::findsTheTable() {
    QCOMPARE(embeddingTable(*vocabularyOf(9)), std::optional(TensorIndex(0)));
    QVERIFY(!embeddingTable(*vocabularyOf(9, false)));
    GgufBuilder file;
    file.tensor("token_embd.bias", kF32Type, {kWidth}).tensor("model.embed_tokens.weight", kF32Type, {kWidth, 4});
    QCOMPARE(embeddingTable(*readModel(file)), std::optional(TensorIndex(1)));
    GgufBuilder cut;
    cut.tensor("token_embd.weight", kF32Type, {kWidth, 400});
    cut.cutTo = 1'000;
    QVERIFY(!embeddingTable(*readModel(cut)));
}

void TestEmbeddingMap::onlyWithEmbeddings() {
    ShownMap without(vocabularyOf(9, false));
    QVERIFY(without.ready);
    QVERIFY(without.tables->segment(2)->isHidden());
    QVERIFY(without.page.details()->nearest()->isHidden());
    GgufBuilder file; // no merge rules
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b", "c"});
    file.tensor("token_embd.weight", kF32Type, {kWidth, 3}, bytesOf(circle(3)));
    ShownMap with(readModel(file));
    QVERIFY(with.ready);
    QVERIFY(with.tables->isVisible());
    QVERIFY(with.tables->segment(1)->isHidden());
    QVERIFY(with.open());
}

void TestEmbeddingMap::showsTheFirstTokens() {
    ShownMap shown(vocabularyOf(700));
    QVERIFY(shown.ready);
    QVERIFY(shown.open());
    EmbeddingMap& map = *shown.page.map();
    QVERIFY(map.isVisible());
    QCOMPARE(map.shown().size(), EmbeddingMap::kMostTokens);
    QCOMPARE(map.shown()[7], 7U);
    QCOMPARE(map.plot().count(), EmbeddingMap::kMostTokens);
    QVERIFY(map.findChild<QLabel*>()->text().startsWith("The first 500 of 700 tokens."));
    // Going back and forth draws nothing anew.
    QSignalSpy drawn(&map, &EmbeddingMap::drawn);
    QTest::mouseClick(shown.tables->segment(0), Qt::LeftButton);
    QTest::mouseClick(shown.tables->segment(2), Qt::LeftButton);
    QVERIFY(!map.isBusy());
    QCOMPARE(drawn.count(), 0);
    // A token that is not among the points is not marked, and no other one stays marked in its place.
    QVERIFY(shown.page.goTo(Place::token(5)));
    QCOMPARE(map.plot().chosen(), std::optional<std::size_t>(5));
    QVERIFY(shown.page.goTo(Place::token(600)));
    QVERIFY(!map.plot().chosen());
}

void TestEmbeddingMap::followsTheSearch() {
    ShownMap shown(vocabularyOf(200));
    QVERIFY(shown.ready);
    QVERIFY(shown.open());
    QSignalSpy drawn(shown.page.map(), &EmbeddingMap::drawn);
    QTest::keyClicks(shown.page.filterField(), QStringLiteral("t12"));
    QTRY_COMPARE(shown.page.map()->shown().size(), 11U); // t12, t120 … t129
    QVERIFY(shown.page.map()->findChild<QLabel*>()->text().contains("11 of 11 tokens that the search found"));
    QTest::keyClick(shown.page.filterField(), Qt::Key_Escape);
    QTRY_COMPARE(shown.page.map()->shown().size(), 200U);
}

void TestEmbeddingMap::followsTheSelection() {
    ShownMap shown(vocabularyOf(200));
    QVERIFY(shown.ready);
    QItemSelectionModel& selection = *shown.table->view()->selectionModel();
    for (const int row : {3, 5, 8, 100}) {
        selection.select(shown.page.tokens()->index(row, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    QVERIFY(shown.open());
    QCOMPARE(shown.page.map()->shown(), (std::vector<std::uint64_t>{3, 5, 8, 100}));
}

void TestEmbeddingMap::clicksChooseTokens() {
    ShownMap shown(vocabularyOf(40));
    QVERIFY(shown.ready);
    QVERIFY(shown.open());
    EmbeddingMap& map = *shown.page.map();
    map.plot().replot();
    QTest::mouseClick(&map.plot(), Qt::LeftButton, {}, map.plot().pointOf(17));
    QCOMPARE(shown.table->currentItem(), std::optional<std::uint64_t>(17));
    QVERIFY(shown.page.details()->figures().contains("Id 17"));
    QCOMPARE(map.plot().chosen(), std::optional<std::size_t>(17));
    QVERIFY(map.isVisible()); // the map stays
    QVERIFY(shown.page.goTo(Place::token(5)));
    QVERIFY(map.isVisible());
    QCOMPARE(map.plot().chosen(), std::optional<std::size_t>(5));
}

void TestEmbeddingMap::nearestTokens() {
    ShownMap shown(vocabularyOf(360));
    QVERIFY(shown.ready);
    NearestTokens& nearest = *shown.page.details()->nearest();
    QVERIFY(nearest.isHidden()); // no token is chosen
    QVERIFY(shown.table->showItem(100));
    QVERIFY(!nearest.isHidden());
    QVERIFY(nearest.found().empty());
    QSignalSpy finished(&nearest, &NearestTokens::finished);
    nearest.findChild<QPushButton*>("findNearest")->click();
    QVERIFY(finished.wait());
    QCOMPARE(nearest.found().size(), 12U);
    // A degree apart: 99 and 101, then 98 and 102.
    QCOMPARE(std::min(nearest.found()[0].index, nearest.found()[1].index), 99U);
    QCOMPARE(std::max(nearest.found()[0].index, nearest.found()[1].index), 101U);
    QVERIFY(std::abs(static_cast<double>(nearest.found()[0].cosine) - std::cos(std::numbers::pi / 180)) < 1e-6);
    auto* list = nearest.findChild<QTableWidget*>("nearestTokens");
    QCOMPARE(list->item(0, 0)->text(), "t" + QString::number(nearest.found()[0].index));
    QCOMPARE(list->item(0, 2)->text(), QString("0.9998"));
    const std::uint64_t next = nearest.found()[0].index;
    emit list->cellActivated(0, 0);
    QCOMPARE(shown.table->currentItem(), std::optional(next));
    QVERIFY(nearest.found().empty()); // of another token
}

void TestEmbeddingMap::nearestOfAZeroVector() {
    GgufBuilder file;
    addSmallVocabulary(file);
    file.tensor("token_embd.weight", kF32Type, {kWidth, 6});
    ShownMap shown(readModel(file));
    QVERIFY(shown.ready);
    QVERIFY(shown.table->showItem(1));
    NearestTokens& nearest = *shown.page.details()->nearest();
    QSignalSpy finished(&nearest, &NearestTokens::finished);
    nearest.findChild<QPushButton*>("findNearest")->click();
    QVERIFY(finished.wait());
    QVERIFY(nearest.found().empty());
    QVERIFY(nearest.findChild<QTableWidget*>()->isHidden());
}

void TestEmbeddingMap::isCancelled() {
    ShownMap shown(vocabularyOf(200'000));
    QVERIFY(shown.ready);
    QVERIFY(shown.table->showItem(100));
    NearestTokens& nearest = *shown.page.details()->nearest();
    QSignalSpy finished(&nearest, &NearestTokens::finished);
    auto* find = nearest.findChild<QPushButton*>("findNearest");
    find->click();
    QVERIFY(nearest.isBusy());
    QVERIFY(!find->isEnabled());
    nearest.findChild<QToolButton*>("cancelJob")->click();
    QVERIFY(!nearest.isBusy());
    QVERIFY(find->isEnabled());
    Job::waitForAll();
    QCoreApplication::processEvents();
    QCOMPARE(finished.count(), 0);
    QVERIFY(nearest.found().empty());
}

void TestEmbeddingMap::picturesNameTheFile() {
    ShownMap shown(vocabularyOf(40));
    QVERIFY(shown.ready);
    QVERIFY(shown.open());
    QVERIFY(shown.table->showItem(3));
    QTemporaryDir folder;
    QSignalSpy message(&shown.page.map()->pictures(), &PictureMenu::message);
    shown.page.map()->pictures().write(folder.filePath("map.svg").toStdString(), PlotFormat::Svg);
    QVERIFY(message.wait());
    QFile file(folder.filePath("map.svg"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray svg = file.readAll();
    QVERIFY(svg.contains("Embeddings of tokens"));
    QVERIFY(svg.contains("of the variance"));
}

GUFO_TEST_WIDGETS(TestEmbeddingMap)
#include "tst_embedding_map.moc"
