// The pages of the comparison tab in a real window, exports, and responsiveness with thousands of tensors.
#include "compare_tab_test.h"
#include "support/idle.h"
#include "support/ui_watchdog.h"
#include "support/user_view.h"
#include "test_paths.h"
#include "ui/compare/choose_files.h"
#include "ui/compare/differences/metadata_diff_page.h"
#include "ui/compare/differences/template_diff_page.h"
#include "ui/compare/drill_down/block_values.h"
#include "ui/compare/drill_down/density_plot.h"
#include "ui/compare/drill_down/drill_down.h"
#include "ui/compare/drill_down/error_map.h"
#include "ui/compare/drill_down/pair_list.h"
#include "ui/compare/drill_down/series_histogram.h"
#include "ui/compare/file_chips.h"
#include "ui/compare/map/map_page.h"
#include "ui/compare/trade_off/trade_off_page.h"
#include "ui/compare/trade_off/trade_off_plot.h"
#include "ui/mainwindow/drop_choice.h"
#include "ui/mainwindow/tabs/tab_strip.h"
#include "ui/plots/picture_menu.h"
#include "ui/shell/notice_bar.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/table_text.h"

#include <QDir>
#include <QFileDialog>
#include <QTableView>
#include <QXmlStreamReader>

using namespace gufo;
using namespace gufo::ui;

class TestCompareTab : public test::CompareTabTest {
    Q_OBJECT

private slots:
    void init() { openWindow(); }
    void cleanup() { m_f.reset(); }
    void clickAndDrillDown();
    void metricByKeyboard();
    void tradeOffMetadataAndTemplate();
    void bestWithinMemory();
    void copiesAKey();
    void fiveFilesFit();
    void figuresFitBesideWords();
    void blocksShowWhatIsStored();
    void theWorstIsSelected();
    void picturesNameTheirFiles();
    void copiesFiguresForOtherPrograms();
    void exportsRememberTheirFolder();
    void exports();
    void everyPlotSaysWhatItIs();
    void staysQuick_data();
    void staysQuick();
};

void TestCompareTab::clickAndDrillDown() {
    CompareTab* tab = open({m_f32, m_q8, m_q4});
    auto* map = page<MapPage>(tab);
    QTRY_VERIFY(map->map().grid() != nullptr && map->row().has_value());
    const QualityMap::Cell cell{2, 0, 1, 2};
    QTest::mouseClick(&map->map(), Qt::LeftButton, {}, map->map().cellRect(cell).center());
    const std::size_t row = *map->row();
    QCOMPARE(map->list().current(), std::optional(row));
    DrillDown& detail = map->detail();
    QTRY_COMPARE(detail.values().content().size(), 3U);
    QTRY_COMPARE(detail.errors().content().size(), 2U);
    std::uint64_t weights = 0;
    for (const std::uint64_t count : detail.values().content()[0].histogram.counts) {
        weights += count;
    }
    QCOMPARE(weights, 256ULL * 16);
    QCOMPARE(detail.statistics()->model()->rowCount(), 2);
    detail.setFile(2);
    QTest::mouseClick(test::named<SegmentedControl>(&detail, "View of the tensor")->segment(DrillDown::kScatter),
                      Qt::LeftButton);
    QTRY_VERIFY(detail.density().content().bins > 0);
    std::uint64_t pairs = 0;
    for (const std::uint64_t count : detail.density().content().counts) {
        pairs += count;
    }
    QCOMPARE(pairs, 256ULL * 16);
    QTest::mouseClick(test::named<SegmentedControl>(&detail, "View of the tensor")->segment(DrillDown::kMap),
                      Qt::LeftButton);
    QCOMPARE(detail.findChild<ErrorMap*>()->map().blockColumns(), 32ULL);
    QTRY_VERIFY(!detail.findChild<ErrorMap*>()->isBusy());
    QTest::mouseClick(test::named<SegmentedControl>(&detail, "View of the tensor")->segment(DrillDown::kBlocks),
                      Qt::LeftButton);
    QTRY_COMPARE(detail.blocks().model().rowCount(), 32);
    // Code, level and scale belong to the clicked file.
    const BlockContent& block = detail.blocks().model().content();
    QCOMPARE(block.file, 2U);
    QVERIFY(!block.bytes.isEmpty());
    // A tensor that is equal in all files.
    map->list().filterField()->setText(QStringLiteral("attn_norm"));
    QTRY_COMPARE(map->list().model().rowCount(), 3);
}

void TestCompareTab::metricByKeyboard() {
    CompareTab* tab = open({m_f32, m_q4});
    auto* map = page<MapPage>(tab);
    map->metricField()->setFocus();
    QTest::keyClick(map->metricField(), Qt::Key_Down);
    QCOMPARE(map->shownMetric(), Metric::Nmse);
    QCOMPARE(map->list().model().metric(), Metric::Nmse);
    QTest::keyClick(map->metricField(), Qt::Key_End);
    QCOMPARE(map->shownMetric(), Metric::Divergence);
    QTest::keyClick(map->metricField(), Qt::Key_Home);
    QCOMPARE(map->shownMetric(), Metric::Sqnr);
}

void TestCompareTab::tradeOffMetadataAndTemplate() {
    CompareTab* tab = open({m_f32, m_q8, m_q4});
    auto* tradeOff = page<TradeOffPage>(tab);
    QTRY_COMPARE(tradeOff->model().rowCount(), 3);
    const auto rects = tradeOff->plot().labelRects();
    for (std::size_t i = 0; i < rects.size(); ++i) {
        for (std::size_t j = i + 1; j < rects.size(); ++j) {
            QVERIFY(!rects[i].intersects(rects[j]));
        }
    }
    tradeOff->plot().setFocus();
    QTest::keyClick(&tradeOff->plot(), Qt::Key_Right);
    QVERIFY(tradeOff->plot().chosen().has_value());
    for (int group = 0; group < test::named<QComboBox>(tradeOff, "Tensors")->count(); ++group) {
        test::named<QComboBox>(tradeOff, "Tensors")->setCurrentIndex(group);
        tradeOff->metricField()->setCurrentIndex(group % tradeOff->metricField()->count());
    }
    // How much memory these files need is not known.
    tradeOff->findChild<QDoubleSpinBox*>("limitField")->setValue(0.1);
    QVERIFY2(tradeOff->captionText().contains("No file runs within 0.1 GiB"), qPrintable(tradeOff->captionText()));
    tradeOff->findChild<QDoubleSpinBox*>("limitField")->setValue(0);
    QVERIFY(!tradeOff->captionText().contains("within"));
    QCOMPARE(tradeOff->metricField()->findData(static_cast<int>(Metric::Divergence)), -1);
    const Comparison& compared = tradeOff->comparison();
    const_cast<Comparison&>(compared).setDivergences(compared.referencePlace(), {{compared.files()[1].place, 0.25}},
                                                     QStringLiteral("owls.txt"));
    QVERIFY(tradeOff->metricField()->findData(static_cast<int>(Metric::Divergence)) >= 0);
    auto* metadata = page<MetadataDiffPage>(tab);
    QCOMPARE(metadata->badge(), QStringLiteral("2")); // file type and template
    QVERIFY(metadata->model().rowOfKey("general.file_type") >= 0);
    QVERIFY(metadata->goTo(Place::key("tokenizer.chat_template")));
    QVERIFY(metadata->details().rowCount() > 0);
    auto* texts = page<TemplateDiffPage>(tab);
    QTRY_VERIFY(texts->model().rowCount() > 0);
    QCOMPARE(texts->badge(), QStringLiteral("1"));
    // What both make of the same conversations: one writes all messages, the other only the first.
    auto* against = test::named<QComboBox>(texts, "File compared with the reference");
    against->setCurrentIndex(against->count() - 1); // Q4_0
    QTest::mouseClick(texts->shown()->segment(1), Qt::LeftButton);
    const auto count = [&](const QString& text, QString SideBySideLine::* side) {
        return std::ranges::count_if(texts->model().lines(),
                                     [&](const SideBySideLine& line) { return (line.*side).contains(text); });
    };
    QTRY_VERIFY_WITH_TIMEOUT(count("── Several turns ──", &SideBySideLine::beforeText) == 1, 20'000);
    QVERIFY(count("Only mice?", &SideBySideLine::beforeText) > 0);
    QCOMPARE(count("Only mice?", &SideBySideLine::afterText), 0);
    QVERIFY(count("helpful", &SideBySideLine::afterText) > 0);
    QVERIFY2(texts->counts().contains("conversations rendered differently"), qPrintable(texts->counts()));
    QTest::mouseClick(texts->shown()->segment(0), Qt::LeftButton);
    QTRY_VERIFY(count("messages", &SideBySideLine::beforeText) > 0);
}

// A limit of memory chooses the best file that can be run. The sample takes a few MiB, so the reference fits.
void TestCompareTab::bestWithinMemory() {
    const auto sample = [](const char* type) {
        return fs::path(GUFO_SAMPLE_DIR) / (std::string("gufo-sample-1.4M-chat-v1.0-") + type + ".gguf");
    };
    CompareTab* tab = open({sample("F16"), sample("Q8_0"), sample("Q4_K")});
    auto* tradeOff = page<TradeOffPage>(tab);
    QTRY_COMPARE(tradeOff->model().rowCount(), 3);
    QVERIFY(!tradeOff->captionText().contains("fits"));
    tradeOff->findChild<QDoubleSpinBox*>("limitField")->setValue(0.1);
    QVERIFY2(tradeOff->captionText().contains("The best that fits into 0.1 GiB"), qPrintable(tradeOff->captionText()));
    QCOMPARE(tradeOff->findChild<ElidedLabel*>("chosenName")->text(), QStringLiteral("F16"));
    const QJsonObject state = tradeOff->saveState();
    tradeOff->findChild<QDoubleSpinBox*>("limitField")->setValue(0);
    tradeOff->restoreState(state);
    QCOMPARE(tradeOff->findChild<QDoubleSpinBox*>("limitField")->value(), 0.1);
}

void TestCompareTab::copiesAKey() {
    CompareTab* tab = open({m_f32, m_q4});
    auto* metadata = page<MetadataDiffPage>(tab);
    QVERIFY(metadata->goTo(Place::key("tokenizer.chat_template")));
    QVERIFY(metadata->copyButton()->isEnabled());
    metadata->copyKey(0, 1);
    ModelTab* other = m_f->window->currentModelTab();
    QVERIFY(other != nullptr && other->place() == m_q4);
    QVERIFY(WindowFixture::waitOpened(other));
    QTRY_VERIFY(other->isModified());
    QVERIFY(other->model()->metadata.string("tokenizer.chat_template")->starts_with("{% for"));
    other->document()->undo();
    QVERIFY(!other->isModified());
}

// No figure, title or file of five is cut off or left out in a window of the usual size.
void TestCompareTab::fiveFilesFit() {
    const fs::path q5 = write("m-Q5_0.gguf", {.type = TensorType::Q5_0});
    const fs::path f16 = write("m-F16.gguf", {.type = TensorType::F16});
    CompareTab* tab = open({m_f32, f16, m_q8, q5, m_q4});
    QVERIFY(tab != nullptr);
    auto* map = page<MapPage>(tab);
    QTRY_VERIFY(map->map().grid() != nullptr && map->row().has_value());
    QVERIFY(test::waitUntilIdle());
    const auto whole = [](const QTableView* view, const QString& title) {
        const QFontMetrics metrics(view->horizontalHeader()->font());
        for (int column = 0; column < view->model()->columnCount(); ++column) {
            if (view->model()->headerData(column, Qt::Horizontal).toString() == title) {
                return !view->isColumnHidden(column) &&
                       view->columnWidth(column) >= metrics.horizontalAdvance(title) + 24; // with the sort arrow
            }
        }
        return false;
    };
    const auto* list = test::named<QTableView>(map, "Tensors, the worst first");
    for (const char* title : {"F16", "Q8_0", "Q5_0", "Q4_0", "Share of error"}) {
        QVERIFY2(whole(list, QString::fromLatin1(title)), title);
    }
    const auto* figures = test::named<QTableView>(map, "Figures of the tensor");
    for (int column = 0; column < figures->model()->columnCount(); ++column) {
        const QString title = figures->model()->headerData(column, Qt::Horizontal).toString();
        QVERIFY2(title == QStringLiteral("at") || !figures->isColumnHidden(column), qPrintable(title));
    }
    map->detail().setView(3); // blocks
    const auto* weights = test::named<QTableView>(map, "Weights of the block");
    QTRY_VERIFY(weights->model()->rowCount() > 0);
    const QFontMetrics mono(themeFont(TextStyle::Mono));
    for (int column = 0; column < weights->model()->columnCount(); ++column) {
        if (weights->isColumnHidden(column)) { // neither type has such figures
            continue;
        }
        const QString text = weights->model()->index(0, column).data().toString();
        QVERIFY2(weights->columnWidth(column) >= mono.horizontalAdvance(text) + 8, qPrintable(text));
    }
    // The error is seen without scrolling; it was cut off at the right.
    constexpr int kError = BlockValuesModel::kError;
    QVERIFY(weights->columnViewportPosition(kError) + weights->columnWidth(kError) <= weights->viewport()->width());
    // The four maps stand side by side.
    const QualityMap& maps = map->map();
    QCOMPARE(maps.cellRect({4, 0, 0, 0}).top(), maps.cellRect({1, 0, 0, 0}).top());
}

// Words such as "1 not finite" are wider than figures, and the last column was cut off by the scroll bar.
void TestCompareTab::figuresFitBesideWords() {
    const fs::path q5 = write("m-Q5_0.gguf", {.type = TensorType::Q5_0});
    const fs::path f16 = write("m-F16.gguf", {.type = TensorType::F16});
    const fs::path nan = write("m-NaN.gguf", {.notFinite = "blk.0.attn_q.weight"});
    const fs::path copy = write("m-copy.gguf", {.type = TensorType::Q8_0}); // more rows than fit, so there is a bar
    CompareTab* tab = open({m_f32, nan, f16, m_q8, copy, q5, m_q4});
    QVERIFY(tab != nullptr);
    auto* map = page<MapPage>(tab);
    QTRY_VERIFY(map->map().grid() != nullptr && map->row().has_value());
    QVERIFY(test::waitUntilIdle());
    const auto* figures = test::named<QTableView>(map, "Figures of the tensor");
    bool hasWords = false;
    const QFontMetrics metrics(figures->font());
    for (int column = 0; column < figures->model()->columnCount(); ++column) {
        for (int row = 0; row < figures->model()->rowCount() && !figures->isColumnHidden(column); ++row) {
            const QString text = figures->model()->index(row, column).data().toString();
            QVERIFY2(figures->columnWidth(column) >= metrics.horizontalAdvance(text) + 6, qPrintable(text));
            hasWords = hasWords || text.contains(QStringLiteral("not finite"));
        }
    }
    QVERIFY(hasWords);
    const int last = figures->model()->columnCount() - 1;
    QVERIFY(figures->columnViewportPosition(last) + figures->columnWidth(last) <= figures->viewport()->width());
}

// A stored 0x15 of Q8_0 was called code 149.
void TestCompareTab::blocksShowWhatIsStored() {
    CompareTab* tab = open({m_f32, m_q8});
    auto* map = page<MapPage>(tab);
    QTRY_VERIFY(map->row().has_value());
    map->detail().setView(DrillDown::kBlocks);
    const BlockValuesModel& model = map->detail().blocks().model();
    QTRY_COMPARE(model.rowCount(), 32);
    const QString bytes = QString(model.content().bytes).remove(u' ');
    const auto* view = test::named<QTableView>(map, "Weights of the block");
    for (int row = 0; row < 32; ++row) {
        const auto code = model.index(row, BlockValuesModel::kCode).data(kExactRole).toInt();
        constexpr qsizetype kScaleDigits = 4; // of the scale, which precedes the codes
        const auto byte = bytes.mid(kScaleDigits + 2 * row, 2).toInt(nullptr, 16);
        QCOMPARE(code & 0xFF, byte);
        QCOMPARE(model.index(row, BlockValuesModel::kLevel).data(kExactRole).toInt(), code);
        // The tip of a cell, at its middle, names its own row and the figure that is shown there.
        const QModelIndex cell = model.index(row, BlockValuesModel::kError);
        const QModelIndex under = view->indexAt(view->visualRect(cell).center());
        if (under.isValid()) {
            QCOMPARE(under, cell);
        }
        const QString tip = cell.data(Qt::ToolTipRole).toString();
        const QString place = model.index(row, BlockValuesModel::kPlace).data().toString(); // "3, 128"
        QVERIFY2(
            tip.startsWith(QStringLiteral("Row %1, column %2\n")
                               .arg(place.section(QStringLiteral(", "), 0, 0), place.section(QStringLiteral(", "), 1))),
            qPrintable(tip));
        QVERIFY2(tip.endsWith(cell.data().toString()), qPrintable(tip));
    }
}

// After a comparison, the worst tensor is selected and in sight, until the user chooses another one; the order that
// shows the worst first returns to it.
void TestCompareTab::theWorstIsSelected() {
    const fs::path odd = write("m-odd.gguf", {.type = TensorType::Q8_0, .without = "blk.2.ffn_up.weight"});
    CompareTab* tab = open({m_f32, m_q8, odd, m_q4});
    auto* map = page<MapPage>(tab);
    const QTableView* view = map->list().view();
    const auto shown = [&] { return view->currentIndex().data().toString(); };
    QTRY_COMPARE(shown(), QStringLiteral("blk.2.ffn_up.weight"));
    QCOMPARE(view->currentIndex().row(), 0);
    QVERIFY(view->viewport()->rect().contains(view->visualRect(view->currentIndex()).center()));
    const_cast<QTableView*>(view)->setFocus();
    QTest::keyClick(const_cast<QTableView*>(view), Qt::Key_End, Qt::ControlModifier);
    QVERIFY(view->currentIndex().row() > 5);
    auto* order = test::named<SegmentedControl>(map, "Order");
    QTest::mouseClick(order->segment(0), Qt::LeftButton);
    QCOMPARE(view->currentIndex().row(), 0);
    QCOMPARE(shown(), QStringLiteral("blk.2.ffn_up.weight"));
    // The user's choice stays when the comparison is repeated.
    QTest::keyClick(const_cast<QTableView*>(view), Qt::Key_Down);
    const QString chosen = shown();
    tab->comparison().reload();
    QVERIFY(waitDone(tab));
    QTRY_COMPARE(shown(), chosen);
    QVERIFY(test::waitUntilIdle());
    QCOMPARE(shown(), chosen);
}

// Each exported picture of a comparison names its files, their reference and the tensor.
void TestCompareTab::picturesNameTheirFiles() {
    CompareTab* tab = open({m_f32, m_q8, m_q4});
    auto* map = page<MapPage>(tab);
    QTRY_VERIFY(map->map().grid() != nullptr && map->row().has_value());
    QVERIFY(test::waitUntilIdle());
    const auto textsOf = [&](PictureMenu& menu) {
        const fs::path path = m_f->root / "picture.svg";
        fs::remove(path);
        menu.write(path, PlotFormat::Svg);
        if (!QTest::qWaitFor([&] { return fs::exists(path); })) {
            return QString();
        }
        QFile file(QString::fromStdString(path.native()));
        static_cast<void>(file.open(QIODevice::ReadOnly));
        QXmlStreamReader reader(file.readAll());
        QString texts;
        while (!reader.atEnd()) {
            if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text")) {
                texts += reader.readElementText() + u'|';
            }
        }
        return texts;
    };
    const QString tensor = map->list().model().label(*map->row());
    int plots = 0;
    for (const int view : {DrillDown::kHistograms, DrillDown::kScatter, DrillDown::kMap}) {
        map->detail().setView(view);
        QVERIFY(test::waitUntilIdle());
        for (QCustomPlot* plot : map->detail().findChildren<QCustomPlot*>()) {
            if (!plot->isVisible()) {
                continue;
            }
            ++plots;
            const QString texts = textsOf(*plot->findChild<PictureMenu*>());
            for (const QString& part : {plot->accessibleName().left(12), tensor, QStringLiteral("m-Q8_0.gguf"),
                                        QStringLiteral("Reference: F32")}) {
                QVERIFY2(texts.contains(part), qPrintable(plot->accessibleName() + QStringLiteral(": ") + part +
                                                          QStringLiteral(" in ") + texts));
            }
            QVERIFY2(texts.contains(view == DrillDown::kMap ? QStringLiteral("column") : QStringLiteral("weight")),
                     qPrintable(texts));
        }
    }
    QCOMPARE(plots, 4);
    // The maps and the trade-off, which show whole models.
    const auto menuOf = [](QWidget& owner) {
        return owner.findChild<PictureMenu*>(QString(), Qt::FindDirectChildrenOnly);
    };
    for (const QString& part : {QStringLiteral("Signal to quantisation"), QStringLiteral("m-Q8_0.gguf"),
                                QStringLiteral("m-Q4_0.gguf"), QStringLiteral("Reference: F32")}) {
        QVERIFY2(textsOf(*menuOf(*map)).contains(part), qPrintable(part));
    }
    auto* tradeOff = page<TradeOffPage>(tab);
    QTRY_COMPARE(tradeOff->model().rowCount(), 3);
    const QString texts = textsOf(*menuOf(*tradeOff));
    for (const char* part : {"Size against quality", "Whole model", "Reference: F32", "SQNR against F32, dB",
                             "efficient frontier", "Size, "}) {
        QVERIFY2(texts.contains(QString::fromUtf8(part)),
                 qPrintable(QString::fromUtf8(part) + QStringLiteral(" in ") + texts));
    }
}

void TestCompareTab::copiesFiguresForOtherPrograms() {
    CompareTab* tab = open({m_f32, m_q8});
    auto* map = page<MapPage>(tab);
    QTRY_VERIFY(map->row().has_value());
    for (const CopyFormat format : {CopyFormat::Tsv, CopyFormat::Markdown}) {
        const QString text = map->list().copyText(format);
        QVERIFY(!text.contains(QChar(0x2212)));
        const double exact =
            *metricOf(metricFact(map->shownMetric()), figuresOf(tab->comparison().cell(*map->row(), 1).sums));
        QVERIFY2(text.contains(exactText(exact)), qPrintable(text));
    }
}

void TestCompareTab::exportsRememberTheirFolder() {
    CompareTab* tab = open({m_f32, m_q8});
    QDir(QString::fromStdString(m_f->root.native())).mkdir(QStringLiteral("out"));
    const QString out = QString::fromStdString((m_f->root / "out").native());
    tab->exportAs(ComparisonFormat::Html);
    auto* dialog = tab->window()->findChild<QFileDialog*>();
    QVERIFY(dialog != nullptr);
    emit dialog->fileSelected(out + QStringLiteral("/a"));
    dialog->close();
    QVERIFY(test::waitUntilIdle());
    QVERIFY(fs::exists(m_f->root / "out" / "a.html")); // a typed name gets its suffix
    QVERIFY(!fs::exists(m_f->root / "out" / "a"));
    tab->exportAs(ComparisonFormat::Html);
    dialog = tab->window()->findChild<QFileDialog*>();
    QVERIFY(dialog != nullptr);
    QCOMPARE(dialog->directory().absolutePath(), out);
    dialog->close();
}

void TestCompareTab::exports() {
    CompareTab* tab = open({m_f32, m_q4});
    for (const ComparisonFormatFact& format : comparisonFormats()) {
        const fs::path path = m_f->root / (std::string("out") + format.suffix);
        tab->writeExport(path, format.format);
        QTRY_VERIFY(fs::exists(path));
        QTRY_VERIFY(tab->statusLeft().startsWith(QStringLiteral("Written")));
        QVERIFY(fs::file_size(path) > 400);
    }
    tab->writeExport(m_f->root / "no such folder" / "x.csv", ComparisonFormat::Csv);
    QTRY_VERIFY(tab->statusLeft().contains(QStringLiteral("no such")));
    page<MapPage>(tab);
    m_f->window->namedAction("copyMarkdown")->trigger();
    QVERIFY(m_f->window->findChild<ElidedLabel*>("statusText")->text().startsWith(QStringLiteral("Copied")));
}

void TestCompareTab::everyPlotSaysWhatItIs() {
    CompareTab* tab = open({m_f32, m_q4});
    for (int i = 0; i < static_cast<int>(tab->pages().size()); ++i) {
        tab->showPage(i);
        for (const QCustomPlot* plot : tab->pages()[static_cast<std::size_t>(i)]->findChildren<QCustomPlot*>()) {
            QVERIFY(!plot->accessibleName().isEmpty());
        }
        for (const QAbstractItemView* view : tab->pages()[static_cast<std::size_t>(i)]->findChildren<QTableView*>()) {
            QVERIFY(!view->accessibleName().isEmpty());
        }
        QVERIFY(!tab->currentPage()->title().isEmpty());
    }
    auto* map = page<MapPage>(tab);
    QTRY_COMPARE(map->detail().values().content().size(), 2U);
    QCOMPARE(map->detail().values().rows().size(),
             static_cast<qsizetype>(map->detail().values().content()[0].histogram.counts.size()));
}

void TestCompareTab::staysQuick_data() {
    QTest::addColumn<int>("blocks");
    QTest::newRow("about 300 tensors") << 75;
    QTest::newRow("about 5,000 tensors") << 1250;
}

void TestCompareTab::staysQuick() {
    QFETCH(int, blocks);
    const test::CompareModel plain{.blocks = static_cast<std::uint32_t>(blocks), .width = 64};
    test::CompareModel coded = plain;
    coded.type = TensorType::Q8_0;
    const fs::path a = write("many-F32.gguf", plain);
    const fs::path b = write("many-Q8_0.gguf", coded);
    QVERIFY(isQuickOnce([&] {
        bool settled = true;
        const auto settle = [&] { settled = test::waitUntilIdle() && settled; };
        UiWatchdog watchdog;
        watchdog.step(QStringLiteral("open and compare"));
        m_f->manager->compareFiles({a, b});
        CompareTab* tab = m_f->window->currentCompareTab();
        if (!waitDone(tab)) {
            return false;
        }
        settle();
        auto* map = page<MapPage>(tab);
        for (const MetricFact& info : mapMetrics()) {
            watchdog.step(QStringLiteral("metric ") + QLatin1String(info.id));
            map->setMetric(info.metric);
            test::spinEventLoop();
        }
        watchdog.step(QStringLiteral("rows"));
        for (int row = 0; row < 6; ++row) {
            map->list().view()->selectRow(row);
            settle();
        }
        for (const int view : {DrillDown::kScatter, DrillDown::kMap, DrillDown::kBlocks, DrillDown::kHistograms}) {
            watchdog.step(QStringLiteral("view %1").arg(view));
            map->detail().setView(view);
            settle();
        }
        watchdog.step(QStringLiteral("filter"));
        map->list().filterField()->setText(QStringLiteral("attn_k"));
        settle();
        for (int i = 1; i < 4; ++i) {
            watchdog.step(QStringLiteral("page %1").arg(i));
            tab->showPage(i);
            settle();
        }
        watchdog.step(QStringLiteral("close"));
        m_f->window->namedAction("closeTab")->trigger();
        settle();
        watchdog.finish();
        return settled && watchdog.isQuick();
    }));
}

GUFO_TEST_WIDGETS(TestCompareTab)
#include "tst_compare_tab.moc"
