// The Overview as a page: its map, panels and buttons, and how it fits into windows. What it says about a model is
// tested in tst_overview_summary.
#include "document/open_model.h"
#include "inference/engine/gufo_engine.h"
#include "overview_pages.h"
#include "support/model_files.h"
#include "support/mouse_drag.h"
#include "support/test_unit.h"
#include "test_paths.h"
#include "ui/pages/overview/block_map.h"
#include "ui/theme/theme.h"
#include "ui/widgets/empty_state.h"

#include <QFile>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTemporaryDir>
#include <QTest>

using namespace gufo;
using namespace gufo::ui;
using test::GgufBuilder;
using test::overviewOf;
using test::ShownPage;
using test::smallLlama;

class TestOverviewPage : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::instance().apply(); }
    void cleanup() { Job::waitForAll(); }
    void leadsToComparisonReportAndChat();
    void doesNotProposeToConvertCode();
    void copiesFiguresForOtherPrograms();
    void mapsManyBlocksAndParts();
    void mapIsUsedByKeyAndMouse();
    void findingLeadsToItsPlace();
    void deepScanRunsWhenAsked();
    void deepScanIsCancelled();
    void contextMovesTheEstimate();
    void arrangesByWidth();
    void findingsKeepSomeRows();
    void manyTypesFitTheWidth();
    void longNamesEndVisibly();
    void explainsWhatIsNotThere();
    void keepsItsState();
    void showsRealFiles_data();
    void showsRealFiles();
};

namespace {

QPushButton* buttonOf(const OverviewPage& page, const QString& text) {
    const auto all = page.findChildren<QPushButton*>();
    const auto found = std::ranges::find(all, text, [](const QPushButton* each) { return each->text(); });
    return found != all.end() ? *found : nullptr;
}

} // namespace

void TestOverviewPage::leadsToComparisonReportAndChat() {
    OverviewPage page;
    page.resize(1200, 800);
    page.setModel(test::readModel(smallLlama()));
    page.show();
    QSignalSpy summarised(&page, &OverviewPage::summarised);
    QVERIFY(summarised.wait());
    const auto button = [&](const QString& text) { return buttonOf(page, text); };
    QSignalSpy compares(&page, &OverviewPage::compareRequested);
    QSignalSpy chats(&page, &OverviewPage::chatRequested);
    QTest::mouseClick(button(QStringLiteral("Compare with…")), Qt::LeftButton);
    QTest::mouseClick(button(QStringLiteral("Chat")), Qt::LeftButton);
    QCOMPARE(compares.size(), 1);
    QCOMPARE(chats.size(), 1);
    QVERIFY(button(QStringLiteral("Report…"))->isVisible());
    const QTemporaryDir folder;
    QSignalSpy said(&page, &Page::statusChanged);
    page.writeReport((folder.path() + QStringLiteral("/report.md")).toStdString());
    QVERIFY(said.wait());
    QVERIFY(said.last().first().toString().contains(QStringLiteral("report.md")));
    QFile report(folder.filePath(QStringLiteral("report.md")));
    QVERIFY(report.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(report.readAll());
    QVERIFY(text.startsWith(QStringLiteral("# ")) && text.contains(QStringLiteral("| Architecture | llama |")));
    page.writeReport((folder.path() + QStringLiteral("/no/report.md")).toStdString());
    QVERIFY(said.wait());
    QVERIFY(!said.last().first().toString().startsWith(QStringLiteral("Written")));
    // An adapter cannot be run by itself.
    GgufBuilder adapter;
    adapter.key("general.type", "adapter").key("adapter.type", "lora");
    adapter.tensor("blk.0.attn_q.weight.lora_a", 0, {32, 4});
    page.setModel(test::readModel(adapter));
    QVERIFY(!button(QStringLiteral("Chat"))->isVisible());
}

// The findings of a checkpoint that would run code come before its conversion.
void TestOverviewPage::doesNotProposeToConvertCode() {
    const auto evil = openModel(GUFO_TEST_DATA "/containers/evil.pt");
    QVERIFY(evil);
    ShownPage shown(*evil);
    QVERIFY(shown.ready);
    const QPushButton* convert = buttonOf(shown.page, "Convert…");
    QVERIFY(convert != nullptr && convert->isVisible());
    QVERIFY(!convert->property("primary").toBool());
    QVERIFY2(convert->toolTip().contains("does not run"), qPrintable(convert->toolTip()));

    const auto sound = openModel(GUFO_TEST_DATA "/containers/zip.pt");
    QVERIFY(sound);
    shown.page.setModel(*sound);
    QVERIFY(convert->property("primary").toBool());
    QVERIFY(!convert->toolTip().contains("does not run"));
}

// Copies for other programs contain every figure in full and in ASCII; the report, which people read, as shown.
void TestOverviewPage::copiesFiguresForOtherPrograms() {
    GgufBuilder file = smallLlama();
    file.key("llama.rope.scaling.factor", -0.123456789F).key("llama.rope.freq_base", 1.0 / 3);
    ShownPage shown(test::readModel(file));
    QVERIFY(shown.ready);
    const auto overview = overviewOf(file);
    const QString size = QString::number(overview->totals.fileBytes);
    const QString weights = QString::number(overview->totals.weights);
    const QString bits = QString::number(*overview->totals.bitsPerWeight, 'g', 17);
    const auto row = [](const QString& text, const QString& label, const QString& separator) {
        for (const QString& line : text.split(u'\n')) {
            if (const qsizetype at = line.indexOf(label + separator); at >= 0) {
                return line.mid(at + label.size() + separator.size()).section(separator, 0, 0).trimmed();
            }
        }
        return QString();
    };
    for (const bool markdown : {false, true}) {
        const QString text = shown.page.copyText(markdown ? CopyFormat::Markdown : CopyFormat::Tsv);
        const QString bar = markdown ? QStringLiteral(" | ") : QStringLiteral("\t");
        QCOMPARE(row(text, QStringLiteral("File size"), bar), size);
        QCOMPARE(row(text, QStringLiteral("Parameters"), bar), weights);
        QCOMPARE(row(text, QStringLiteral("Bits per weight"), bar).toDouble(), bits.toDouble());
        QCOMPARE(row(text, QStringLiteral("Context"), bar), QStringLiteral("2048"));
        QVERIFY2(row(text, QStringLiteral("RoPE scaling factor"), bar).startsWith("-0.12345679"), qPrintable(text));
        QVERIFY2(row(text, QStringLiteral("RoPE base"), bar).startsWith("0.3333333333333333"), qPrintable(text));
        QVERIFY2(!text.contains(QChar(0x2212)) && !text.contains(QStringLiteral("2,048")), qPrintable(text));
    }
    const QString forPeople = shown.page.copyText(CopyFormat::Text);
    QVERIFY2(forPeople.contains(QStringLiteral("2,048")) && forPeople.contains(QChar(0x2212)), qPrintable(forPeople));
}

void TestOverviewPage::mapsManyBlocksAndParts() {
    GgufBuilder file;
    file.key("general.architecture", "t5");
    for (int i = 0; i < 120; ++i) {
        file.tensor("enc.blk." + std::to_string(i) + ".attn_q.weight", 8, {32, 1});
    }
    file.tensor("dec.blk.0.attn_q.weight", 8, {32, 1}).tensor("dec.blk.4000000000.attn_q.weight", 8, {32, 1});
    for (int expert = 0; expert < 3; ++expert) {
        file.tensor("dec.blk.0.ffn_gate." + std::to_string(expert) + ".weight", 8, {32, 1});
    }
    const auto overview = overviewOf(file);
    QCOMPARE(overview->panels.size(), 2U);
    BlockMap map;
    map.setOverview(overview);
    map.resize(700, map.heightForWidth(700));
    map.show();
    for (const BlockMap::Cell cell :
         {BlockMap::Cell{0, 1, 0, 0}, BlockMap::Cell{0, 1, 0, 119}, BlockMap::Cell{0, 0, 0, 1}}) {
        const QRect rect = map.cellRect(cell);
        QVERIFY(map.rect().contains(rect));
        QVERIFY(rect.width() >= 9);
        QCOMPARE(map.cellAt(rect.center()), std::optional(cell));
    }
    QVERIFY(map.cellRect({0, 1, 0, 119}).top() > map.cellRect({0, 1, 0, 0}).top()); // wrapped
    QVERIFY(map.describe({0, 0, 1, 0}).contains(QStringLiteral("dec.blk.0.ffn_gate.1.weight")));
    QVERIFY(map.describe({0, 0, 1, 1}).contains(QStringLiteral("has no")));
    QVERIFY(map.describe({0, 7, 7, 7}).isEmpty());
}

void TestOverviewPage::mapIsUsedByKeyAndMouse() {
    ShownPage shown(test::readModel(smallLlama()));
    QVERIFY(shown.ready);
    auto* map = shown.page.findChild<BlockMap*>();
    QSignalSpy places(&shown.page, &Page::placeRequested);
    QTest::mouseClick(map, Qt::LeftButton, {}, map->cellRect({0, 0, 1, 1}).center());
    QCOMPARE(places.takeFirst().at(0).value<Place>(), Place::tensor("blk.1.attn_q.weight"));
    QTest::keyClick(map, Qt::Key_Down);
    QTest::keyClick(map, Qt::Key_Left);
    QVERIFY(map->accessibleDescription().contains(QStringLiteral("blk.0.ffn_up.weight")));
    QTest::keyClick(map, Qt::Key_Return);
    QCOMPARE(places.takeFirst().at(0).value<Place>(), Place::tensor("blk.0.ffn_up.weight"));
    QTest::keyClick(map, Qt::Key_Down); // to the tensors outside of blocks
    QTest::keyClick(map, Qt::Key_End);
    QTest::keyClick(map, Qt::Key_Return);
    QCOMPARE(places.takeFirst().at(0).value<Place>(), Place::tensor("output_norm.weight"));
    QTest::keyClick(map, Qt::Key_Down); // there is nothing below
    QTest::keyClick(map, Qt::Key_Home);
    QTest::keyClick(map, Qt::Key_Return);
    QCOMPARE(places.takeFirst().at(0).value<Place>(), Place::tensor("token_embd.weight"));
}

void TestOverviewPage::findingLeadsToItsPlace() {
    GgufBuilder file = smallLlama();
    file.key("general.name", "Twice");
    ShownPage shown(test::readModel(file));
    QVERIFY(shown.ready);
    auto* panel = shown.page.findChild<FindingsPanel*>();
    QVERIFY(!shown.page.badge().isEmpty());
    int row = 0;
    while (row < panel->findings()->rowCount() &&
           panel->findings()->index(row).data(FindingsModel::CodeRole).toString() != QStringLiteral("duplicate_key")) {
        ++row;
    }
    QVERIFY(row < panel->findings()->rowCount());
    QSignalSpy places(&shown.page, &Page::placeRequested);
    panel->view()->setFocus();
    panel->view()->setCurrentIndex(panel->groups()->indexOf(row));
    QTest::keyClick(panel->view(), Qt::Key_Return);
    QCOMPARE(places.takeFirst().at(0).value<Place>().name, std::string("general.name"));
}

void TestOverviewPage::deepScanRunsWhenAsked() {
    ShownPage shown(test::readModel(smallLlama()));
    QVERIFY(shown.ready);
    auto* panel = shown.page.findChild<FindingsPanel*>();
    QVERIFY(panel->runButton() != nullptr);
    QSignalSpy checked(panel, &FindingsPanel::checked);
    QTest::mouseClick(panel->runButton(), Qt::LeftButton);
    QVERIFY(checked.wait());
    const auto& left = panel->findings()->validation()->checksNotRun;
    QVERIFY(std::ranges::find(left, std::string_view("weights_finite")) == left.end());
}

void TestOverviewPage::deepScanIsCancelled() {
    GgufBuilder file = smallLlama();
    file.tensor("big.weight", 0, {1024, 16384}); // 64 MiB: takes long enough to be cancelled
    ShownPage shown(test::readModel(file));
    QVERIFY(shown.ready);
    auto* panel = shown.page.findChild<FindingsPanel*>();
    auto* bar = panel->findChild<JobBar*>();
    QSignalSpy checked(panel, &FindingsPanel::checked);
    QTest::mouseClick(panel->runButton(), Qt::LeftButton);
    QVERIFY(bar->isBusy());
    QVERIFY(!panel->runButton()->isEnabled());
    bar->findChild<QToolButton*>(QStringLiteral("cancelJob"))->click();
    QVERIFY(!bar->isBusy());
    QVERIFY(panel->runButton()->isEnabled());
    Job::waitForAll();
    QCoreApplication::processEvents();
    QCOMPARE(checked.count(), 0);
    QVERIFY(panel->findings()->isNotRun(panel->findings()->index(panel->findings()->rowCount() - 1)));
}

void TestOverviewPage::contextMovesTheEstimate() {
    GgufBuilder file = smallLlama();
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b", "c", "d", "e", "f"});
    ShownPage shown(test::readModel(file));
    QVERIFY(shown.ready);
    auto* panel = shown.page.findChild<MemoryPanel*>();
    QSignalSpy estimated(panel, &MemoryPanel::estimated);
    panel->setMachine({.total = 1U << 30U, .available = 1U << 29U});
    QVERIFY(estimated.wait());
    auto* box = panel->findChild<QSpinBox*>();
    auto* slider = panel->findChild<QSlider*>();
    QCOMPARE(box->maximum(), 2048);
    QCOMPARE(panel->context(), 2048U);
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Home);
    QCOMPARE(panel->context(), 1U);
    QTest::keyClick(slider, Qt::Key_End);
    QCOMPARE(panel->context(), 2048U);
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, QStringLiteral("300"));
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(panel->context(), 300U);
    QVERIFY(slider->value() > 0 && slider->value() < slider->maximum());
    // The figures are the engine's.
    QTRY_COMPARE(panel->forecast()->needs.context, 300U);
    const auto model = test::readModel(file);
    const auto needs = inference::memoryNeeds(model, {.context = 300});
    QCOMPARE(panel->forecast()->refusal.has_value(), !needs.has_value());
    if (needs) {
        QCOMPARE(panel->forecast()->needs.total(), needs->total());
    }
    panel->setMachine({.total = 1U << 20U, .available = 1});
    QTRY_VERIFY(
        panel->findChild<MemoryBar*>()->accessibleDescription().contains(QStringLiteral("Even the shortest context")));
    QCOMPARE(panel->context(), 300U);
}

void TestOverviewPage::arrangesByWidth() {
    ShownPage shown(test::readModel(smallLlama()));
    QVERIFY(shown.ready);
    auto* strip = shown.page.findChild<FactStrip*>();
    auto* map = shown.page.findChild<BlockMap*>();
    auto* memory = shown.page.findChild<MemoryPanel*>();
    const auto memoryIsBeside = [&] {
        return memory->mapTo(&shown.page, QPoint()).x() >= map->mapTo(&shown.page, QPoint(map->width(), 0)).x();
    };
    QCOMPARE(strip->columns(), 8);
    QVERIFY(memoryIsBeside());
    shown.page.resize(1040, 700);
    QTRY_COMPARE(strip->columns(), 4);
    QVERIFY(memoryIsBeside());
    shown.page.resize(960, 640);
    QCoreApplication::processEvents();
    QTRY_VERIFY(!memoryIsBeside());
    shown.page.resize(1272, 770);
    QTRY_VERIFY(memoryIsBeside());
    QCOMPARE(strip->columns(), 8);
}

// Beside or below long parts of the page, a few findings stay visible.
void TestOverviewPage::findingsKeepSomeRows() {
    GgufBuilder file = smallLlama(60);
    for (const char* key : {"Odd Key", "Other Odd Key", "Third Odd Key", "A Fourth"}) {
        file.key(key, std::uint32_t{1});
    }
    ShownPage shown(test::readModel(file));
    QVERIFY(shown.ready);
    auto* view = shown.page.findChild<FindingsView*>();
    QTRY_VERIFY(view->model()->rowCount() >= 3);
    for (const QSize size : {QSize(1272, 770), QSize(840, 480), QSize(600, 400)}) {
        shown.page.resize(size);
        int rows = 0;
        for (int row = 0; row < 3; ++row) {
            rows += view->sizeHintForIndex(view->model()->index(row, 0)).height();
        }
        QTRY_VERIFY2(view->height() >= std::min(rows, 150), qPrintable(QString::number(view->height())));
    }
}

// The legend of the map leaves out names instead of making the column wider than its visible part.
void TestOverviewPage::manyTypesFitTheWidth() {
    const auto model = openModel(GUFO_TEST_DATA "/containers/all.safetensors");
    QVERIFY(model);
    ShownPage shown(*model, {1198, 680}); // what a window of 1366 × 768 pixels leaves
    QVERIFY(shown.ready);
    auto* legend = shown.page.findChild<MapLegend*>();
    const auto areas = shown.page.findChildren<QScrollArea*>();
    const auto found = std::ranges::find_if(areas, [&](const auto* area) { return area->isAncestorOf(legend); });
    QVERIFY(found != areas.end());
    const QScrollArea* scroll = *found;
    const auto right = [&] { return legend->mapTo(scroll->viewport(), QPoint(legend->width(), 0)).x(); };
    QVERIFY2(right() <= scroll->viewport()->width(), qPrintable(QString("%1").arg(right())));
    QVERIFY(legend->width() < legend->sizeHint().width());
    QVERIFY(legend->width() >= legend->minimumSizeHint().width());
    shown.page.resize(2400, 900);
    QTRY_COMPARE(legend->width(), legend->sizeHint().width());
}

void TestOverviewPage::longNamesEndVisibly() {
    GgufBuilder file;
    file.key("general.name", std::string(110, 'W'));
    ShownPage shown(test::readModel(file));
    QVERIFY(shown.ready);
    const auto labels = shown.page.findChildren<QLabel*>();
    const auto title = std::ranges::find_if(labels, [](const QLabel* l) { return l->text().startsWith(u"WWW"); });
    QVERIFY(title != labels.end());
    QVERIFY((*title)->text().contains(QChar(0x2026)));
    QVERIFY((*title)->sizeHint().width() <= (*title)->width());
    QCOMPARE((*title)->toolTip(), QString(110, u'W'));
    shown.page.resize(850, 500); // with a scroll bar
    QTRY_VERIFY((*title)->width() < 700);
    QCoreApplication::processEvents();
    QVERIFY2((*title)->sizeHint().width() <= (*title)->width(),
             qPrintable(QString("%1 of %2").arg((*title)->sizeHint().width()).arg((*title)->width())));
}

void TestOverviewPage::explainsWhatIsNotThere() {
    GgufBuilder file;
    test::addSmallVocabulary(file);
    ShownPage shown(test::readModel(file));
    QVERIFY(shown.ready);
    auto* empty = shown.page.findChild<EmptyState*>();
    QVERIFY(empty->isVisible());
    for (const int width : {1272, 960}) {
        shown.page.resize(width, 640);
        QCoreApplication::processEvents();
        for (const QLabel* label : empty->findChildren<QLabel*>()) {
            QTRY_VERIFY(label->height() >= label->heightForWidth(label->width()));
        }
    }
    const auto labels = shown.page.findChild<MemoryPanel*>()->findChildren<QLabel*>();
    QTRY_VERIFY(std::ranges::any_of(
        labels, [](const QLabel* l) { return l->isVisible() && l->text().contains(QStringLiteral("no weights")); }));
}

void TestOverviewPage::keepsItsState() {
    ShownPage first(test::readModel(smallLlama()));
    QVERIFY(first.ready);
    QTRY_COMPARE(first.page.findChild<QSpinBox*>()->maximum(), 2048);
    first.page.findChild<QSpinBox*>()->setValue(777);
    test::drag(first.page.findChild<QSplitter*>()->handle(1), QPoint(-60, 0));
    const QJsonObject state = first.page.saveState();
    OverviewPage second;
    second.resize(1272, 770);
    second.restoreState(state);
    second.setModel(test::readModel(smallLlama()));
    second.show();
    QTRY_COMPARE(second.findChild<MemoryPanel*>()->context(), 777U);
    QCOMPARE(second.findChild<QSplitter*>()->sizes(), first.page.findChild<QSplitter*>()->sizes());
}

// Every model is shown and painted.
void TestOverviewPage::showsRealFiles_data() { test::addModelRows({"models", "vocab"}); }

void TestOverviewPage::showsRealFiles() {
    QFETCH(QString, path);
    GUFO_SKIP_IF_ABSENT(path);
    const auto model = openModel(path.toStdString());
    QVERIFY(model);
    ShownPage shown(*model);
    QVERIFY(shown.ready);
    QCOMPARE(shown.page.overview()->panels.empty(), (*model)->tensors.empty());
    QVERIFY(!shown.page.grab().isNull());
}

GUFO_TEST_WIDGETS(TestOverviewPage)
#include "tst_overview_page.moc"
