// Which tensors change the answers: the quality map by behaviour, the scatter plot beside it, and the way from a token
// of Side by Side.
#include "compare_tab_test.h"
#include "support/idle.h"
#include "support/user_view.h"
#include "test_paths.h"
#include "ui/compare/behaviour/behaviour_field.h"
#include "ui/compare/behaviour/behaviour_scatter.h"
#include "ui/compare/behaviour/layer_view.h"
#include "ui/compare/drill_down/pair_list.h"
#include "ui/compare/lock_step/lock_step_page.h"
#include "ui/compare/map/map_page.h"
#include "ui/report/behaviour.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/segmented_control.h"

#include <QApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QSignalSpy>
#include <QToolButton>

using namespace gufo;
using namespace gufo::ui;

namespace {

fs::path sampleModel(const char* type) {
    return fs::path(GUFO_SAMPLE_DIR) / (std::string("gufo-sample-1.4M-chat-v1.0-") + type + ".gguf");
}

} // namespace

class TestBehaviour : public test::CompareTabTest {
    Q_OBJECT

private slots:
    void init() { openWindow(); }
    void cleanup() { m_f.reset(); }
    void coloursTheMap();
    void refines();
    void refinesAChosenBlock();
    void plotsAgainstWeightError();
    void showsLayers();
    void showsWhereRoutersPart();
    void findsExperts();
    void isInReports();
    void cancels();
    void saysWhyNot_data();
    void saysWhyNot();
    void ofOneToken();
    void comesBackWithTheTab();
    void fitsSmallWindows_data();
    void fitsSmallWindows();

private:
    fs::path text(const char* name, int sentences) const {
        std::string content;
        for (int i = 0; i < sentences; ++i) {
            content += "The little owl saw a hungry mouse, number " + std::to_string(i) + ". ";
        }
        return writeFile(m_f->root / name, content);
    }
    MapPage* openMap(const Places& files) const {
        CompareTab* tab = open(files);
        auto* map = tab != nullptr ? page<MapPage>(tab) : nullptr;
        if (map != nullptr && QTest::qWaitFor([map] { return map->map().grid() != nullptr; }, 10'000)) {
            map->metricField()->setFocus();
            QTest::keyClick(map->metricField(), Qt::Key_End); // the last choice is the behaviour
        }
        return map;
    }
    static void measure(MapPage& map, const fs::path& text, BehaviourDetail detail = BehaviourDetail::Blocks) {
        BehaviourField& field = *map.findChild<BehaviourField*>();
        QTRY_VERIFY(field.isVisible());
        field.setText({.file = text, .tokens = {}, .title = QStringLiteral("owls.txt")});
        field.setDetail(detail);
        QTRY_VERIFY(field.measureButton()->isEnabled());
        QTest::mouseClick(field.measureButton(), Qt::LeftButton);
        QVERIFY(field.isBusy());
        QVERIFY(!field.measureButton()->isEnabled());
    }
    static bool waitMeasured(const MapPage& map) {
        return QTest::qWaitFor([&map] { return !map.findChild<BehaviourField*>()->isBusy(); }, 240'000);
    }
};

void TestBehaviour::coloursTheMap() {
    MapPage* map = openMap({sampleModel("F16"), sampleModel("Q8_0"), sampleModel("Q4_K")});
    QVERIFY(map != nullptr);
    QCOMPARE(map->shownMetric(), Metric::Divergence);
    BehaviourField& field = *map->findChild<BehaviourField*>();
    QTRY_VERIFY(field.isVisible());
    QVERIFY2(field.notesText().contains("Choose a text"), qPrintable(field.notesText()));
    QVERIFY(!field.measureButton()->isEnabled());
    using Kind = MapCellValue::Kind;
    const MapGridPanel& panel = map->map().grid()->panels.front();
    const std::size_t cell = panel.rows.front().firstCell;
    QVERIFY(map->map().values().at(2, cell).kind == Kind::Pending);
    QVERIFY(map->map().describe({2, 0, 0, 0}).contains("Not measured yet"));
    // What it costs is said before anything runs.
    field.setText({.file = text("owls.txt", 60), .tokens = {}, .title = QStringLiteral("owls.txt")});
    QTRY_VERIFY2(field.notesText().contains("parts differ"), qPrintable(field.notesText()));
    measure(*map, m_f->root / "owls.txt");
    QVERIFY(waitMeasured(*map));
    const Comparison& comparison = map->comparison();
    const auto q8 = comparison.behaviour(1);
    const auto q4 = comparison.behaviour(2);
    QVERIFY2(q8 != nullptr && q4 != nullptr, qPrintable(field.notesText()));
    QVERIFY(comparison.behaviour(0) == nullptr); // the reference
    QVERIFY(q8->total > 0 && q4->total > q8->total);
    double sum = q4->interactionFromOther;
    for (const BehaviourPart& part : q4->parts) {
        sum += part.fromOther;
        QVERIFY(!part.refined);
    }
    QVERIFY(std::abs(sum - q4->total) < 1e-9); // the rest is not hidden
    QVERIFY2(field.notesText().contains("interaction"), qPrintable(field.notesText()));
    // All roles of a block have the figure of their block, in the map, in its words, in the list and in the export.
    for (std::size_t row = 0; row < panel.rows.size(); ++row) {
        const MapCellValue& value = map->map().values().at(2, panel.rows[row].firstCell + 1);
        QVERIFY(value.kind == Kind::Value);
        QCOMPARE(value.value, q4->find("blk.1.attn_q.weight")->fromOther);
    }
    QCOMPARE(map->map().values().commonScale().metric, Metric::Divergence);
    const QString tip = map->map().describe({2, 0, 0, 1});
    QVERIFY2(tip.contains("blk.1 as a whole") && tip.contains("restored") && tip.contains("NMSE"), qPrintable(tip));
    const auto& list = map->list().model();
    QCOMPARE(list.metric(), Metric::Divergence);
    const QString worst = list.index(0, list.columnOf(2)).data().toString();
    const auto largest = std::ranges::max_element(q4->parts, {}, &BehaviourPart::fromOther);
    QCOMPARE(worst, metricText(metricFact(Metric::Divergence), largest->fromOther));
    // Another metric hides the field and keeps the figures, another text drops them.
    map->setMetric(Metric::Sqnr);
    QVERIFY(!field.isVisible());
    map->setMetric(Metric::Divergence);
    QVERIFY(map->map().values().at(2, cell).kind == Kind::Value);
    field.setText({.file = text("mice.txt", 50), .tokens = {}, .title = QStringLiteral("mice.txt")});
    QVERIFY(comparison.behaviour(2) == nullptr);
    QVERIFY(map->map().values().at(2, cell).kind == Kind::Pending);
}

// The tensors of the worst blocks have figures of their own; the tensors of other blocks keep the figure of their
// block.
void TestBehaviour::refines() {
    MapPage* map = openMap({sampleModel("F16"), sampleModel("Q4_K")});
    QVERIFY(map != nullptr);
    measure(*map, text("owls.txt", 30), BehaviourDetail::WorstBlocks);
    QVERIFY(waitMeasured(*map));
    const auto found = map->comparison().behaviour(1);
    QVERIFY2(found != nullptr, qPrintable(map->findChild<BehaviourField*>()->notesText()));
    const auto refined = std::ranges::count_if(found->parts, &BehaviourPart::refined);
    QVERIFY(refined > 3);
    double coarse = 0;
    for (const BehaviourPart& part : found->parts) {
        coarse += part.refined ? 0 : part.fromOther;
        QVERIFY(!part.refined || (part.tensors.size() == 1 && found->find(part.tensors.front()) == &part));
    }
    QVERIFY(std::abs(coarse + found->interactionFromOther - found->total) < 1e-9);
}

// A right click on the map measures the tensors of that block alone, beside the figures of all blocks.
void TestBehaviour::refinesAChosenBlock() {
    MapPage* map = openMap({sampleModel("F16"), sampleModel("Q4_K")});
    QVERIFY(map != nullptr);
    BehaviourField& field = *map->findChild<BehaviourField*>();
    measure(*map, text("owls.txt", 30));
    QVERIFY(waitMeasured(*map));
    const auto coarse = map->comparison().behaviour(1);
    QVERIFY2(coarse != nullptr, qPrintable(field.notesText()));
    const QPoint cell = map->map().cellRect({1, 0, 0, 1}).center();
    QContextMenuEvent event(QContextMenuEvent::Mouse, cell, map->map().mapToGlobal(cell));
    QApplication::sendEvent(&map->map(), &event);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu != nullptr);
    QVERIFY2(menu->actions().front()->text().contains("Block 1"), qPrintable(menu->actions().front()->text()));
    QTest::keyClick(menu, Qt::Key_Down);
    QTest::keyClick(menu, Qt::Key_Return);
    QVERIFY(field.isBusy());
    QCOMPARE(field.detail(), BehaviourDetail::ChosenBlock);
    QVERIFY(waitMeasured(*map));
    const auto fine = map->comparison().behaviour(1);
    QVERIFY(fine != nullptr && fine != coarse);
    QCOMPARE(fine->total, coarse->total);
    QCOMPARE(fine->interactionFromOther, coarse->interactionFromOther);
    for (std::size_t i = 0; i < coarse->parts.size(); ++i) {
        QCOMPARE(fine->parts[i].name, coarse->parts[i].name);
    }
    QVERIFY(fine->parts.size() > coarse->parts.size() + 3);
    for (std::size_t i = coarse->parts.size(); i < fine->parts.size(); ++i) {
        QVERIFY(fine->parts[i].refined && fine->parts[i].name.starts_with("blk.1."));
    }
    QVERIFY(fine->find("blk.1.attn_q.weight")->refined && !fine->find("blk.0.attn_q.weight")->refined);
    // The same block again costs nothing and changes nothing.
    field.refine(1);
    QVERIFY(waitMeasured(*map));
    QCOMPARE(map->comparison().behaviour(1)->parts.size(), fine->parts.size());
    // Choosing another block says what it costs, before anything runs.
    map->chooseRow(map->comparison().matches()->rows.size() - 1);
    for (std::size_t row = 0; row < map->comparison().matches()->rows.size(); ++row) {
        if (map->comparison().matches()->rows[row].block == 2U) {
            map->chooseRow(row);
        }
    }
    QVERIFY2(field.detailField()->currentText().contains("2"), qPrintable(field.detailField()->currentText()));
    QTRY_VERIFY2(field.notesText().contains("parts differ"), qPrintable(field.notesText()));
}

void TestBehaviour::showsLayers() {
    MapPage* map = openMap({sampleModel("F16"), sampleModel("Q8_0"), sampleModel("Q4_K")});
    QVERIFY(map != nullptr);
    LayerView& view = map->layers();
    QTest::mouseClick(map->findChild<BehaviourField*>()->viewChoice()->segment(2), Qt::LeftButton);
    QTRY_VERIFY(view.isVisible());
    QVERIFY(!map->map().isVisible() && !map->scatter().isVisible());
    QCOMPARE(view.map().blocks(), std::size_t{0});
    QVERIFY(!view.findChild<QComboBox*>("layerFigure")->isEnabled());
    measure(*map, text("owls.txt", 30));
    QVERIFY(waitMeasured(*map));
    LayerMap& layers = view.map();
    QCOMPARE(layers.blocks(), std::size_t{3});
    QVERIFY(layers.tokens() > 100);
    QCOMPARE(view.findChild<QComboBox*>("layerFile")->count(), 2);
    QVERIFY2(view.summary().contains("part most in block"), qPrintable(view.summary()));
    // Q4_K is farther away than Q8_0.
    const LayerMap::Cell last{2, layers.tokens() - 1};
    const double near = *layers.figureAt(last);
    view.findChild<QComboBox*>("layerFile")->setFocus();
    QTest::keyClick(view.findChild<QComboBox*>("layerFile"), Qt::Key_Down);
    QCOMPARE(view.file(), std::optional<std::size_t>(2));
    QVERIFY(*layers.figureAt(last) > near);
    QVERIFY2(layers.describe(last).contains("cosine"), qPrintable(layers.describe(last)));
    const double distance = *layers.figureAt(last);
    view.findChild<QComboBox*>("layerFigure")->setFocus();
    QTest::keyClick(view.findChild<QComboBox*>("layerFigure"), Qt::Key_Down);
    QVERIFY(*layers.figureAt(last) >= 0 && *layers.figureAt(last) != distance);
    QCOMPARE(view.findChild<QComboBox*>("layerFigure")->count(), 2); // no experts
    // A click leads to the tensors of the block.
    QSignalSpy chosen(&layers, &LayerMap::blockChosen);
    QTest::mouseClick(&layers, Qt::LeftButton, {}, layers.cellRect({1, 40}).center().toPoint());
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(layers.selected()->block, std::size_t{1});
    QCOMPARE(map->comparison().matches()->rows[*map->row()].block, std::optional<std::uint32_t>(1));
    // The keys do, too.
    layers.setFocus();
    QTest::keyClick(&layers, Qt::Key_Down);
    QTest::keyClick(&layers, Qt::Key_End);
    QCOMPARE(*layers.selected(), last);
    QVERIFY(layers.accessibleDescription().contains("block 2"));
    QTest::keyClick(&layers, Qt::Key_Return);
    QCOMPARE(map->comparison().matches()->rows[*map->row()].block, std::optional<std::uint32_t>(2));
    QVERIFY(view.csv().count('\n') == static_cast<qsizetype>(3 * layers.tokens()) + 1);
    // Another text drops the map.
    map->findChild<BehaviourField*>()->setText(
        {.file = text("mice.txt", 20), .tokens = {}, .title = QStringLiteral("mice.txt")});
    QCOMPARE(layers.blocks(), std::size_t{0});
}

void TestBehaviour::showsWhereRoutersPart() {
    auto behaviour = std::make_shared<Behaviour>();
    behaviour->tokens = {QStringLiteral("The"), QStringLiteral(" owl")};
    behaviour->layers = {{.relative = {0.1, 0.4}, .cosine = {0.99, 0.9}},
                         {.relative = {0.2, 0.1},
                          .cosine = {0.98, 0.99},
                          .sameExperts = {1, 0.5},
                          .expertsOfA = {{1, 7}, {2, 3}},
                          .expertsOfB = {{7, 1}, {3, 5}}}};
    QVERIFY(hasRoutes(*behaviour));
    const QString words = layerWords(*behaviour).join(u' ');
    QVERIFY2(words.contains("The routers part first in block 1, at token 1."), qPrintable(words));
    QVERIFY2(words.contains("come together again"), qPrintable(words));
    LayerMap map;
    map.resize(400, 200);
    map.setBehaviour(behaviour, LayerFigure::Experts);
    QVERIFY(!map.figureAt({0, 1}));
    QCOMPARE(map.figureAt({1, 1}), std::optional(0.5));
    QCOMPARE(map.scale().high, 1.0);
    const QString tip = map.describe({1, 1});
    QVERIFY2(tip.contains("owl") && tip.contains("2, 3") && tip.contains("3, 5") && tip.contains("50 %"),
             qPrintable(tip));
    QVERIFY(!map.describe({0, 0}).contains("xpert"));
    QVERIFY(map.cellAt(map.cellRect({1, 1}).center()) == std::optional(LayerMap::Cell{1, 1}));
    QVERIFY(!map.grab().isNull());
    map.setBehaviour(nullptr, LayerFigure::Distance);
    QCOMPARE(map.blocks(), std::size_t{0});
}

// Each expert of a tensor has a figure of its own.
void TestBehaviour::findsExperts() {
    Behaviour behaviour;
    const std::string stack = "blk.0.ffn_up_exps.weight";
    behaviour.add({.name = "blk.0[0]", .tensors = {stack}, .expert = 0, .fromOther = 1});
    behaviour.add({.name = "blk.0[1]", .tensors = {stack}, .expert = 1, .fromOther = 2});
    behaviour.add({.name = "blk.0", .tensors = {"blk.0.attn_q.weight"}, .fromOther = 3});
    QCOMPARE(behaviour.find(stack, 1)->fromOther, 2.0);
    QCOMPARE(behaviour.find(stack, 0)->fromOther, 1.0);
    QVERIFY(behaviour.find(stack) == nullptr && behaviour.find(stack, 2) == nullptr);
    QCOMPARE(behaviour.find("blk.0.attn_q.weight", 1)->fromOther, 3.0);
}

void TestBehaviour::isInReports() {
    CompareTab* tab = open({sampleModel("F16"), sampleModel("Q4_K")});
    QVERIFY(tab != nullptr);
    auto* map = page<MapPage>(tab);
    map->setMetric(Metric::Divergence);
    const auto exported = [&](const char* name, ComparisonFormat format) {
        const fs::path path = m_f->root / name;
        tab->writeExport(path, format);
        QFile file(QString::fromStdString(path.native()));
        return QTest::qWaitFor([&] { return file.exists() && file.open(QIODevice::ReadOnly); }, 30'000) ? file.readAll()
                                                                                                        : QByteArray();
    };
    QVERIFY(!exported("before.html", ComparisonFormat::Html).contains("layer by layer"));
    measure(*map, text("owls.txt", 20));
    QVERIFY(waitMeasured(*map));
    const QByteArray html = exported("after.html", ComparisonFormat::Html);
    for (const char* part : {"What each part changes in the answers", "Distance of the states, layer by layer",
                             "interaction: what the parts", "blk.1", "owls.txt", "The states part most"}) {
        QVERIFY2(html.contains(part), part);
    }
    const auto json = QJsonDocument::fromJson(exported("after.json", ComparisonFormat::Json)).object();
    const QJsonObject behaviour = json["behaviour"].toObject();
    QCOMPARE(behaviour["text"].toString(), QStringLiteral("owls.txt"));
    QVERIFY(behaviour["models"].toArray()[0].isNull());
    const QJsonObject other = behaviour["models"].toArray()[1].toObject();
    double sum = other["interaction_from_b"].toDouble();
    for (const auto& part : other["parts"].toArray()) {
        sum += part.toObject()["kl_from_b"].toDouble();
    }
    QVERIFY(std::abs(sum - other["total_kl"].toDouble()) < 1e-9);
    QCOMPARE(other["layers"].toArray().size(), 3);
}

void TestBehaviour::plotsAgainstWeightError() {
    MapPage* map = openMap({sampleModel("F16"), sampleModel("Q4_K")});
    QVERIFY(map != nullptr);
    measure(*map, text("owls.txt", 30), BehaviourDetail::Tensors);
    QVERIFY(waitMeasured(*map));
    BehaviourField& field = *map->findChild<BehaviourField*>();
    QTest::mouseClick(field.viewChoice()->segment(1), Qt::LeftButton);
    BehaviourScatter& plot = map->scatter();
    QTRY_VERIFY(plot.isVisible());
    QVERIFY(!map->map().isVisible());
    QVERIFY2(plot.notes().startsWith("usual"), qPrintable(plot.notes()));
    QVERIFY2(plot.leftOut() == 0 || plot.notes().contains("not shown"), qPrintable(plot.notes()));
    const auto& points = plot.points();
    const auto found = map->comparison().behaviour(1);
    QVERIFY(found != nullptr && points.size() > 10);
    QCOMPARE(points.size() + plot.leftOut(), found->parts.size());
    QVERIFY(plot.usual() > 0);
    for (const std::size_t i : plot.named()) {
        QVERIFY(points[i].excess > 0);
        QVERIFY(points[i].nats > plot.usual() * points[i].error);
    }
    QVERIFY(!plot.named().empty());
    // A click leads to the tensor; the keys move along the points.
    const auto& point = points[plot.named().front()];
    QSignalSpy chosen(&plot, &BehaviourScatter::pointChosen);
    plot.replot();
    QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.pixelOf(point).toPoint());
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(map->row(), chosen[0][0].value<std::size_t>());
    QVERIFY(plot.accessibleDescription().contains("times what is usual"));
    const auto before = plot.chosen();
    plot.setFocus();
    QTest::keyClick(&plot, *before + 1 < points.size() ? Qt::Key_Right : Qt::Key_Left);
    QCOMPARE(chosen.count(), 2);
    QVERIFY(plot.chosen() != before);
    QCOMPARE(map->list().model().label(*map->row()), points[*plot.chosen()].name);
    map->setMetric(Metric::Sqnr);
    QVERIFY(!plot.isVisible() && map->map().isVisible());
}

void TestBehaviour::cancels() {
    MapPage* map = openMap({sampleModel("F16"), sampleModel("Q8_0"), sampleModel("Q4_K")});
    QVERIFY(map != nullptr);
    BehaviourField& field = *map->findChild<BehaviourField*>();
    measure(*map, text("owls.txt", 60), BehaviourDetail::Tensors);
    auto* cancel = field.progress().findChild<QToolButton*>();
    QTRY_VERIFY_WITH_TIMEOUT(cancel->isVisible(), 20'000);
    QTest::mouseClick(cancel, Qt::LeftButton);
    QVERIFY(!field.isBusy());
    QVERIFY(field.measureButton()->isEnabled());
    QVERIFY(test::waitUntilIdle());
    QVERIFY(map->comparison().behaviour(2) == nullptr);
    // A change of the files cancels, too.
    measure(*map, m_f->root / "owls.txt", BehaviourDetail::Tensors);
    const_cast<Comparison&>(map->comparison()).removeFile(sampleModel("Q4_K"));
    QVERIFY(!field.isBusy());
    QVERIFY(test::waitUntilIdle());
    QVERIFY(map->comparison().behaviour(1) == nullptr);
}

void TestBehaviour::saysWhyNot_data() {
    QTest::addColumn<QByteArray>("other");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("reason");
    QTest::newRow("short text") << QByteArray("Q8_0") << QByteArray("a") << QByteArray("few.txt");
    QTest::newRow("another model") << QByteArray() << QByteArray("The owl saw a mouse and a frog.")
                                   << QByteArray("vocabulary");
}

void TestBehaviour::saysWhyNot() {
    QFETCH(QByteArray, other);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, reason);
    CompareTab* tab = open({sampleModel("F16"), other.isEmpty() ? m_q4 : sampleModel(other.constData())});
    auto* map = page<MapPage>(tab);
    const_cast<Comparison&>(map->comparison()).setReference(sampleModel("F16"));
    QVERIFY(waitDone(tab));
    map->setMetric(Metric::Divergence);
    writeFile(m_f->root / "few.txt", text.toStdString());
    measure(*map, m_f->root / "few.txt");
    QVERIFY(waitMeasured(*map));
    const QString notes = map->findChild<BehaviourField*>()->notesText();
    QVERIFY2(notes.contains(QString::fromLatin1(reason)), qPrintable(notes));
    QVERIFY(notes.size() < 500);
}

void TestBehaviour::ofOneToken() {
    CompareTab* tab = open({sampleModel("F16"), sampleModel("Q4_K")});
    QVERIFY(tab != nullptr);
    auto* run = page<LockStepPage>(tab);
    run->lengthField()->setValue(12);
    QTest::mouseClick(run->runButton(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(run->run().state(), LockStepRun::State::Done, 60'000);
    constexpr int kRow = 9;
    const double divergence = run->run().places()[kRow].choices[1].divergence;
    const QRect cell = run->table()->visualRect(run->table()->model()->index(kRow, 1));
    run->table()->scrollTo(run->table()->model()->index(kRow, 1));
    QContextMenuEvent event(QContextMenuEvent::Mouse, cell.center(),
                            run->table()->viewport()->mapToGlobal(cell.center()));
    QApplication::sendEvent(run->table()->viewport(), &event);
    QTRY_VERIFY(QApplication::activePopupWidget() != nullptr);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu != nullptr);
    QCOMPARE(menu->actions().size(), 1);
    QVERIFY(menu->actions().front()->isEnabled());
    QTest::keyClick(menu, Qt::Key_Down);
    QTest::keyClick(menu, Qt::Key_Return);
    auto* map = qobject_cast<MapPage*>(tab->pages().front());
    QTRY_VERIFY(map->isVisible());
    QCOMPARE(map->shownMetric(), Metric::Divergence);
    QVERIFY(map->findChild<BehaviourField*>()->isBusy());
    QCOMPARE(map->findChild<BehaviourField*>()->text().tokens.size(), run->run().places()[kRow].position);
    QVERIFY(waitMeasured(*map));
    const auto found = map->comparison().behaviour(1);
    QVERIFY2(found != nullptr, qPrintable(map->findChild<BehaviourField*>()->notesText()));
    QCOMPARE(found->positions, 1U);
    QVERIFY2(std::abs(found->total - divergence) < 1e-2 * (divergence + 1e-4), // other batches round otherwise
             qPrintable(QStringLiteral("%1 %2").arg(found->total).arg(divergence)));
}

void TestBehaviour::comesBackWithTheTab() {
    MapPage* map = openMap({sampleModel("F16"), sampleModel("Q4_K")});
    QVERIFY(map != nullptr);
    map->findChild<BehaviourField*>()->setText(
        {.file = text("owls.txt", 20), .tokens = {}, .title = QStringLiteral("owls.txt")});
    map->findChild<BehaviourField*>()->setDetail(BehaviourDetail::Roles);
    const QJsonObject state = map->saveState();
    Comparison again;
    again.start({sampleModel("F16"), sampleModel("Q4_K")});
    MapPage restored(again);
    restored.restoreState(state);
    QCOMPARE(restored.shownMetric(), Metric::Divergence);
    QCOMPARE(restored.findChild<BehaviourField*>()->text().file, m_f->root / "owls.txt");
    QCOMPARE(restored.findChild<BehaviourField*>()->detail(), BehaviourDetail::Roles);
}

void TestBehaviour::fitsSmallWindows_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("900 × 600") << QSize(900, 600);
    QTest::newRow("640 × 480") << QSize(640, 480);
}

void TestBehaviour::fitsSmallWindows() {
    QFETCH(QSize, size);
    m_f->window->resize(size);
    MapPage* map = openMap({sampleModel("F16"), sampleModel("Q8_0"), sampleModel("Q4_K")});
    QVERIFY(map != nullptr);
    BehaviourField& field = *map->findChild<BehaviourField*>();
    QTRY_VERIFY(field.isVisible());
    QTRY_COMPARE(m_f->window->size(), size);
    for (const QWidget* control :
         std::initializer_list<const QWidget*>{field.measureButton(), field.detailField(), field.viewChoice()}) {
        QVERIFY(control->width() >= control->minimumSizeHint().width());
        QVERIFY(field.rect().contains(QRect(control->mapTo(&field, QPoint()), control->size())));
    }
    // The choice stays where it is, so that a second click finds it.
    const QPoint place = field.viewChoice()->mapTo(map, QPoint());
    QTest::mouseClick(field.viewChoice()->segment(1), Qt::LeftButton);
    QTRY_VERIFY(map->scatter().isVisible());
    QCoreApplication::processEvents();
    QCOMPARE(field.viewChoice()->mapTo(map, QPoint()), place);
    QVERIFY2(map->scatter().notes().contains("choose a text"), qPrintable(map->scatter().notes()));
    QVERIFY(map->scatter().height() >= map->scatter().minimumHeight());
}

GUFO_TEST_WIDGETS(TestBehaviour)
#include "tst_behaviour.moc"
