// The Diagram page: the mouse, the keyboard, colours, export, its text, and what follows edits.
#include "support/edited_page.h"
#include "support/fixture_models.h"
#include "support/page_models.h"
#include "support/test_unit.h"
#include "ui/pages/diagram/diagram_legend.h"
#include "ui/pages/diagram/diagram_page.h"
#include "ui/pages/diagram/diagram_partner.h"
#include "ui/pages/diagram/layer_strip.h"
#include "ui/pages/diagram/part_tensors_model.h"
#include "ui/plots/picture_menu.h"

#include <QAbstractItemModelTester>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::ui;

namespace {

// A page whose diagram is there.
struct Shown {
    explicit Shown(std::shared_ptr<const Model> model, QSize size = {1100, 700}) {
        page.resize(size);
        page.setModel(std::move(model));
        page.show();
        QSignalSpy ready(&page, &DiagramPage::ready);
        page.activate();
        made = page.isReady() || ready.wait();
        QCoreApplication::processEvents();
    }
    [[nodiscard]] std::optional<std::size_t> find(DiagramItem::Kind kind, bool unfolded = false) const {
        const auto& items = page.findChild<DiagramView*>()->layoutOfItems().items;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (items[i].kind == kind && items[i].unfolded == unfolded) {
                return i;
            }
        }
        return std::nullopt;
    }
    // The center of an item, after the view has scrolled to it.
    QPoint centerOf(std::size_t item) {
        page.view().select(item);
        return page.view().rectOf(item).center();
    }
    DiagramPage page;
    bool made = false;
};

std::shared_ptr<const Model> hybrid() { return openFixture(QStringLiteral("qwen3next")); }

} // namespace

class TestDiagramPage : public QObject {
    Q_OBJECT

private slots:
    void clickSelectsThePart() {
        Shown shown(hybrid());
        QVERIFY(shown.made);
        const QAbstractItemModelTester tester(shown.page.table().model(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto item = shown.find(DiagramItem::Kind::Part);
        QVERIFY(item.has_value());
        const QPoint at = shown.centerOf(*item);
        shown.page.view().select(std::nullopt);
        QTest::mouseClick(shown.page.view().viewport(), Qt::LeftButton, {}, at);
        QCOMPARE(shown.page.view().selected(), item);
        const auto& part = *shown.page.view().layoutOfItems().items[*item].part;
        QCOMPARE(shown.page.table().model()->rowCount(), static_cast<int>(part.tensors.size()));
        // A click beside it selects nothing.
        QTest::mouseClick(shown.page.view().viewport(), Qt::LeftButton, {}, QPoint(1, 1));
        QVERIFY(!shown.page.view().selected());
        QCOMPARE(shown.page.table().model()->rowCount(), 0);
    }

    void doubleClickAndReturnOpenTheTensor() {
        Shown shown(hybrid());
        QSignalSpy wanted(&shown.page, &Page::placeRequested);
        const auto item = shown.find(DiagramItem::Kind::Part);
        const QPoint at = shown.centerOf(*item);
        QTest::mouseDClick(shown.page.view().viewport(), Qt::LeftButton, {}, at);
        QCOMPARE(wanted.count(), 1);
        QTest::keyClick(&shown.page.view(), Qt::Key_Return);
        QCOMPARE(wanted.count(), 2);
        QCOMPARE(wanted[1][0].value<Place>().kind, Place::Kind::Tensor);
        shown.page.table().setCurrentIndex(shown.page.table().model()->index(0, 0));
        QTest::keyClick(&shown.page.table(), Qt::Key_Return);
        QCOMPARE(wanted.count(), 3);
    }

    void rowsUnfold() {
        Shown shown(hybrid());
        const auto folded = shown.find(DiagramItem::Kind::Row);
        QVERIFY(folded.has_value());
        const auto block = shown.page.view().layoutOfItems().items[*folded].block;
        QVERIFY(shown.page.view().unfolded() != block);
        QTest::mouseClick(shown.page.view().viewport(), Qt::LeftButton, {}, shown.centerOf(*folded));
        QCOMPARE(shown.page.view().unfolded(), block);
        QCOMPARE(shown.page.strip().current(), block);
        // The keyboard folds it again: it is selected.
        QTest::keyClick(&shown.page.view(), Qt::Key_Space);
        QVERIFY(!shown.page.view().unfolded());
        QVERIFY(!shown.find(DiagramItem::Kind::Row, true));
    }

    // The tensors of an unfolded block are shown before another click folds it, and the strip shows them, too.
    void rowsSelectBeforeTheyFold() {
        Shown shown(hybrid());
        DiagramView& view = shown.page.view();
        const auto row = shown.find(DiagramItem::Kind::Row, true);
        QVERIFY(row.has_value());
        const auto block = view.unfolded();
        const QPoint at = shown.centerOf(*row);
        view.select(std::nullopt);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at);
        QCOMPARE(view.unfolded(), block);
        QCOMPARE(view.selected(), row);
        const int tensors = shown.page.table().model()->rowCount();
        QVERIFY(tensors > 1);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.rectOf(*row).center());
        QVERIFY(!view.unfolded());
        QCOMPARE(view.selected(), row);
        QVERIFY(shown.page.table().model()->rowCount() > 1);
        view.unfold(block);
        view.select(std::nullopt);
        QTest::mouseClick(&shown.page.strip(), Qt::LeftButton, {}, shown.page.strip().rectOf(*block).center());
        QCOMPARE(shown.page.table().model()->rowCount(), tensors);
    }

    // The list names tensors whole where there is room, and has no more than its share of the height.
    void listFits() {
        Shown shown(hybrid(), {1400, 800});
        const auto item = shown.find(DiagramItem::Kind::Part);
        shown.page.view().select(item);
        QCoreApplication::processEvents();
        QTableView& table = shown.page.table();
        const QAbstractItemView& items = table;
        QVERIFY(table.columnWidth(PartTensorsModel::Name) >= items.sizeHintForColumn(PartTensorsModel::Name));
        const auto* facts = shown.page.findChild<QScrollArea*>();
        QVERIFY(facts->height() <= facts->widget()->heightForWidth(facts->viewport()->width()) + 8);
    }

    void legends() {
        GgufBuilder file;
        file.key("general.architecture", "tomorrow");
        for (std::uint32_t type = 0; type < 12; ++type) { // more types than one line has room for
            const std::uint32_t id = type < 4 ? type : type + 2;
            file.tensor("blk." + std::to_string(type) + ".attn_q.weight", id, {256, 2});
        }
        Shown shown(readModel(file), {700, 500});
        const auto legends = shown.page.findChildren<DiagramLegend*>();
        QCOMPARE(legends.size(), 2);
        DiagramLegend* colours = legends[0];
        const auto keys = shown.page.view().colors()->legend();
        QCOMPARE(keys.size(), std::size_t{12});
        for (const DiagramKey& key : keys) {
            QVERIFY2(colours->accessibleName().contains(key.text), qPrintable(key.text));
        }
        QVERIFY(colours->heightForWidth(200) > colours->heightForWidth(2'000));
        QVERIFY(colours->height() >= colours->heightForWidth(colours->width()));
        shown.page.setMeasure(DiagramMeasure::BitsPerWeight);
        QVERIFY(colours->accessibleName().contains(QStringLiteral("8 bits per weight")));
        // Without figures, the page says what to do.
        for (const DiagramMeasure measure : {DiagramMeasure::Error, DiagramMeasure::Coverage}) {
            shown.page.setMeasure(measure);
            QVERIFY(colours->accessibleName().startsWith(QStringLiteral("Choose")));
        }
        QVERIFY(legends[1]->accessibleName().startsWith(QStringLiteral("kind: attention")));
    }

    // The lanes are explained: each kind has a colour, and the most frequent ones if there are many.
    void kindsOfManyBlocks() {
        GgufBuilder file;
        file.key("general.architecture", "tomorrow");
        for (std::uint32_t i = 0; i < 10; ++i) {
            const std::string prefix = "blk." + std::to_string(i) + ".";
            file.tensor(prefix + "attn_q.weight", kF32, {64, 64});
            file.tensor(prefix + "ffn_down.weight", kF32, {64 + (i == 1 ? 0 : i), 64});
        }
        Shown shown(readModel(file));
        const auto keys = shown.page.strip().keys();
        QCOMPARE(keys.size(), std::size_t{2});
        QCOMPARE(keys[0].keys.size(), std::size_t{6});
        QCOMPARE(keys[0].keys.back().text, QStringLiteral("4 other kinds"));
        QCOMPARE(keys[1].keys.size(), std::size_t{1});
        Shown windows(openFixture(QStringLiteral("gemma3")));
        QCOMPARE(windows.page.strip().keys()[1].keys.size(), std::size_t{2});
        QVERIFY(windows.page.strip().keys()[1].keys[0].struck);
    }

    // An edit of a key leaves the tensors as they are, and so what was measured of them.
    void editsKeepFigures() {
        EditedPage<DiagramPage> shown(hybrid());
        QTRY_VERIFY(shown.page.isReady());
        shown.page.setMeasure(DiagramMeasure::Error);
        QSignalSpy measured(&shown.page.partner(), &DiagramPartner::measured);
        shown.page.partner().measureBeside(shown.document.current()->path());
        QVERIFY(measured.wait(20'000));
        QSignalSpy ready(&shown.page, &DiagramPage::ready);
        QVERIFY(shown.document.apply({SetKey{"general.name", OwnedValue::string("Other")}}, {}));
        QVERIFY(ready.wait());
        QVERIFY(shown.page.view().colors()->figures() != nullptr);
        shown.page.setModel(openFixture(QStringLiteral("qwen3")));
        QVERIFY(ready.wait());
        QVERIFY(shown.page.view().colors()->figures() == nullptr);
    }

    void stripNavigates() {
        Shown shown(hybrid());
        LayerStrip& strip = shown.page.strip();
        const DiagramBlock second{0, 1};
        QTest::mouseClick(&strip, Qt::LeftButton, {}, strip.rectOf(second).center());
        QCOMPARE(shown.page.view().unfolded(), second);
        QTest::keyClick(&strip, Qt::Key_Right);
        QCOMPARE(shown.page.view().unfolded(), (DiagramBlock{0, 2}));
        QTest::keyClick(&strip, Qt::Key_Home);
        QCOMPARE(shown.page.view().unfolded(), (DiagramBlock{0, 0}));
        QTest::keyClick(&strip, Qt::Key_Left);
        QCOMPARE(shown.page.view().unfolded(), (DiagramBlock{0, 0}));
        QTest::keyClick(&strip, Qt::Key_End);
        const auto last = shown.page.view().unfolded();
        QVERIFY(last.has_value());
        QTest::keyClick(&strip, Qt::Key_Right);
        QCOMPARE(shown.page.view().unfolded(), last);
        QVERIFY(!strip.describe(*last).isEmpty());
    }

    void keysMoveAndZoom() {
        Shown shown(hybrid());
        DiagramView& view = shown.page.view();
        QTest::keyClick(&view, Qt::Key_Home);
        const auto first = view.selected();
        QVERIFY(first.has_value());
        QTest::keyClick(&view, Qt::Key_Down);
        QVERIFY(*view.selected() > *first);
        QTest::keyClick(&view, Qt::Key_Up);
        QCOMPARE(view.selected(), first);
        QTest::keyClick(&view, Qt::Key_End);
        QVERIFY(*view.selected() > *first);
        QVERIFY(!view.accessibleDescription().isEmpty());
        const double zoom = view.zoom();
        QTest::keyClick(&view, Qt::Key_Plus);
        QVERIFY(view.zoom() > zoom);
        QTest::keyClick(&view, Qt::Key_Minus);
        QTest::keyClick(&view, Qt::Key_Minus);
        QVERIFY(view.zoom() < zoom);
        QTest::keyClick(&view, Qt::Key_0);
        QCOMPARE(view.zoom(), zoom);
        for (int i = 0; i < 40; ++i) {
            QTest::keyClick(&view, Qt::Key_Plus);
        }
        QVERIFY(view.zoom() <= 4);
    }

    void draggingScrolls() {
        Shown shown(hybrid(), {700, 400});
        DiagramView& view = shown.page.view();
        QVERIFY(view.verticalScrollBar()->maximum() > 50);
        view.verticalScrollBar()->setValue(0);
        const auto selected = view.selected();
        QTest::mousePress(view.viewport(), Qt::LeftButton, {}, {100, 200});
        QTest::mouseMove(view.viewport(), {100, 190});
        QTest::mouseMove(view.viewport(), {100, 150});
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, {100, 150});
        QCOMPARE(view.verticalScrollBar()->value(), 50);
        QCOMPARE(view.selected(), selected); // it was no click
    }

    void colours() {
        Shown shown(hybrid());
        const QPixmap byType = shown.page.view().grab();
        auto* measure = shown.page.findChild<QComboBox*>();
        measure->setFocus();
        QTest::keyClick(measure, Qt::Key_Down);
        QTest::keyClick(measure, Qt::Key_Down);
        QCOMPARE(shown.page.view().colors()->measure(), DiagramMeasure::Size);
        QVERIFY(byType.toImage() != shown.page.view().grab().toImage());
        QVERIFY(!shown.page.view().colors()->legend().empty());
    }

    void exportsPictures_data() {
        QTest::addColumn<int>("format");
        QTest::addColumn<QByteArray>("start");
        QTest::newRow("SVG") << static_cast<int>(PlotFormat::Svg) << QByteArray("<?xml");
        QTest::newRow("PDF") << static_cast<int>(PlotFormat::Pdf) << QByteArray("%PDF");
        QTest::newRow("PNG") << static_cast<int>(PlotFormat::Png) << QByteArray("\x89PNG");
    }
    void exportsPictures() {
        QFETCH(const int, format);
        QFETCH(const QByteArray, start);
        Shown shown(hybrid());
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("diagram"));
        QSignalSpy written(&shown.page.exports(), &PictureMenu::message);
        shown.page.exports().write(path.toStdString(), static_cast<PlotFormat>(format));
        QVERIFY(written.wait());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        QVERIFY2(bytes.startsWith(start), bytes.left(20).constData());
        if (static_cast<PlotFormat>(format) == PlotFormat::Svg) {
            QVERIFY(bytes.contains("gated delta net")); // texts stay texts
        }
    }

    void textAlternative() {
        Shown shown(hybrid());
        const QString text = shown.page.copyText(CopyFormat::Text);
        QVERIFY(text.contains(QStringLiteral("gated delta net")));
        shown.page.view().select(std::nullopt);
        QCOMPARE(shown.page.view().accessibleDescription(), text);
        QVERIFY(shown.page.copyText(CopyFormat::Markdown).startsWith(QStringLiteral("```")));
    }

    void noTensors() {
        GgufBuilder file;
        file.key("general.architecture", "llama");
        Shown shown(readModel(file));
        QVERIFY(shown.made);
        QVERIFY(!shown.page.view().isVisible());
        QVERIFY(!shown.page.exports().button()->isEnabled());
    }

    // What is told of a model whose keys and tensors differ.
    void contradictions() {
        GgufBuilder file;
        addSmallLlama(file, 3);
        Shown shown(readModel(file));
        shown.page.view().select(std::nullopt);
        bool told = false;
        for (const QLabel* label : shown.page.findChildren<QLabel*>()) {
            told = told || label->text().contains(QStringLiteral("is missing"));
        }
        QVERIFY(told);
    }

    void keepsTheBlock() {
        QJsonObject state;
        {
            Shown shown(hybrid());
            shown.page.view().unfold(DiagramBlock{0, 2});
            state = shown.page.saveState();
        }
        DiagramPage page;
        page.restoreState(state);
        page.setModel(hybrid());
        QSignalSpy ready(&page, &DiagramPage::ready);
        page.activate();
        QVERIFY(ready.wait());
        QCOMPARE(page.view().unfolded(), (DiagramBlock{0, 2}));
    }

    // Leaving while the diagram is being made cancels it.
    void leavingCancels() {
        const auto model = hybrid();
        {
            DiagramPage page;
            page.setModel(model);
            page.activate();
        }
        Job::waitForAll();
        QTRY_COMPARE(model.use_count(), 1L);
    }
};

GUFO_TEST_WIDGETS(TestDiagramPage)
#include "tst_diagram_page.moc"
