#include "document/open_model.h"
#include "support/idle.h"
#include "support/test_unit.h"
#include "support/ui_test_settings.h"
#include "support/ui_watchdog.h"
#include "test_paths.h"
#include "ui/mainwindow/tabs/page_table.h"
#include "ui/pages/embed/embed_page.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMimeData>
#include <QScreen>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstring>

using namespace gufo;
using namespace gufo::ui;

class TestEmbedPage : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_settings.clear();
        Theme::instance().apply();
    }
    void cleanup() {
        m_page.reset();
        m_document.reset();
        Job::waitForAll();
    }
    void replacesRun();
    void typedLinesBecomeVectors();
    void mapIsUsedByMouseAndKeys();
    void projectionIsUsedByMouseAndKeys();
    void lineBoxShowsItsNumber();
    void focusStaysWhereItWas();
    void pointsHaveLabels();
    void neighboursFollowTheChosenLine();
    void exportsWhatItShows();
    void ranksTexts();
    void ranksByLabels();
    void namesTheLineThatIsTooLong();
    void saysWhatIsMissing();
    void saysThatADecoderIsLeftOut();
    void opensFiles();
    void takesLargePastes();
    void usesTheFirstLinesOfMany();
    void isCancelled();
    void keepsItsState();
    void followsTheTheme();

private:
    EmbedPage& open(const QString& name, QSize size = {1272, 800}) {
        auto model = openModel((QStringLiteral(GUFO_TEST_DATA "/") + name).toStdString());
        m_document = std::make_unique<ModelDocument>(*model);
        return show(size);
    }
    EmbedPage& show(QSize size = {1272, 800}) {
        m_page = std::make_unique<EmbedPage>();
        m_page->setDocument(m_document.get());
        m_page->setModel(m_document->current());
        m_page->resize(size);
        m_page->show();
        (void)QTest::qWaitForWindowExposed(m_page.get());
        m_page->activate();
        return *m_page;
    }
    // Runs by a click and waits for the end.
    bool run() {
        QSignalSpy finished(m_page.get(), &EmbedPage::finished);
        QTest::mouseClick(m_page->input()->runButton(), Qt::LeftButton);
        return (!finished.isEmpty() || finished.wait(60'000)) && m_page->input()->runButton()->isEnabled();
    }
    void type(const QString& text) { QTest::keyClicks(m_page->input()->field(), text); }
    void set(const QString& text) { m_page->input()->field()->setPlainText(text); }

    UiTestSettings m_settings;
    std::unique_ptr<ModelDocument> m_document;
    std::unique_ptr<EmbedPage> m_page;
};

namespace {

const QString kTexts = QStringLiteral("The boy was happy.\nlittle\n\nthe big girl\nfriend\nplaying, friends");

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

void TestEmbedPage::replacesRun() {
    for (const auto& [name, title] : {std::pair{"encoders/bert.gguf", "Embed"},
                                      {"encoders/qwen3-embed.gguf", "Embed"},
                                      {"architectures/llama.gguf", "Run"}}) {
        const auto model = openModel(std::string(GUFO_TEST_DATA "/") + name);
        QVERIFY(model.has_value());
        const auto row = std::ranges::find(pageTable(), std::string_view("run"), &PageRow::id);
        const std::unique_ptr<Page> page(row->make(nullptr, **model));
        QCOMPARE(page->title(), QString(title));
    }
}

void TestEmbedPage::typedLinesBecomeVectors() {
    EmbedPage& page = open("encoders/bert.gguf");
    QVERIFY(!page.findChild<SegmentedControl*>("modeControl")->isVisible());
    QVERIFY(!page.input()->findChild<QLineEdit*>("queryField")->isVisible());
    QVERIFY(!page.input()->runButton()->isEnabled());
    QVERIFY(!page.findChild<QPushButton*>("exportButton")->isEnabled());
    QCOMPARE(page.emptyText(), QString("How alike are your texts?"));
    QCOMPARE(page.findChild<QComboBox*>("poolingCombo")->currentText(),
             QString("mean of all tokens (as the file says)"));
    type("little\rfriend");
    QSignalSpy finished(&page, &EmbedPage::finished);
    QSignalSpy status(&page, &Page::statusChanged);
    QTest::keyClick(page.input()->field(), Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(finished.wait());
    QVERIFY(page.result() != nullptr);
    QCOMPARE(page.result()->size(), std::size_t{2});
    QCOMPARE(page.result()->vectors.width, std::size_t{40});
    QVERIFY(std::abs(page.result()->cosine(0, 0) - 1) < 1e-6F);
    QCOMPARE(page.result()->cosine(0, 1), page.result()->cosine(1, 0));
    QVERIFY(page.vectors()->isVisible());
    QVERIFY(page.findChild<QPushButton*>("exportButton")->isEnabled());
    QVERIFY(status.last()[0].toString().startsWith("2 texts, "));
    QVERIFY(page.copyText(CopyFormat::Tsv).contains("friend"));

    // Another pooling gives other vectors.
    const auto before = page.result()->vectors.values;
    page.findChild<QComboBox*>("poolingCombo")->setCurrentIndex(1);
    QVERIFY(run());
    QCOMPARE(page.result()->vectors.pooling, inference::Pooling::First);
    QVERIFY(page.result()->vectors.values != before);
}

void TestEmbedPage::mapIsUsedByMouseAndKeys() {
    EmbedPage& page = open("encoders/bert.gguf");
    set(kTexts);
    QVERIFY(run());
    VectorView& view = *page.vectors();
    SimilarityMap& map = *view.map();
    QVERIFY(map.isVisible());
    QTest::mouseMove(&map, map.centreOf(3, 1));
    QTRY_VERIFY(view.hoverText().contains("“friend”") && view.hoverText().contains("“little”"));
    QVERIFY(view.hoverText().contains("line 5")); // as numbered in the field, where the third line is empty
    QTest::mouseClick(&map, Qt::LeftButton, {}, map.centreOf(3, 1));
    QCOMPARE(view.chosen(), std::size_t{3});
    QCOMPARE(map.pair(), (std::pair<std::size_t, std::size_t>{3, 1}));
    QCOMPARE(view.neighbours()->rowAt(view.table()->currentIndex().row()).line, std::size_t{1});
    QTest::keyClick(&map, Qt::Key_Up, Qt::ShiftModifier);
    QTest::keyClick(&map, Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(map.pair(), (std::pair<std::size_t, std::size_t>{2, 2}));
    QCOMPARE(view.chosen(), std::size_t{2});
    const double whole = map.xAxis->range().size();
    QTest::keyClick(&map, Qt::Key_Plus);
    QVERIFY(map.xAxis->range().size() < whole);
    QTest::keyClick(&map, Qt::Key_Home);
    QCOMPARE(map.xAxis->range().size(), whole);
    // The pixels have the legend's colours: the pair of a line with itself is the brightest.
    map.replot();
    const QColor same = map.grab().toImage().pixelColor(map.centreOf(4, 4) * map.devicePixelRatioF());
    QCOMPARE(same.name(), colorMapAt(ColorMap::Viridis, 1).name());
}

void TestEmbedPage::projectionIsUsedByMouseAndKeys() {
    EmbedPage& page = open("encoders/bert.gguf");
    set(kTexts);
    QVERIFY(run());
    VectorView& view = *page.vectors();
    QTest::mouseClick(view.plotControl()->segment(1), Qt::LeftButton);
    ProjectionPlot& plot = *view.projection();
    QVERIFY(plot.isVisible());
    QVERIFY(QTest::qWaitFor([&] { return plot.pointOf(0) != plot.pointOf(1); }));
    plot.replot();
    QVERIFY(plot.xAxis->label().contains('%'));
    QVERIFY(std::abs(plot.xAxis->range().size() / plot.axisRect()->width() -
                     plot.yAxis->range().size() / plot.axisRect()->height()) < 1e-9); // distances are true
    for (const std::size_t line : {std::size_t{4}, std::size_t{1}}) {
        QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.pointOf(line));
        QCOMPARE(view.chosen(), line);
        QCOMPARE(plot.chosen(), std::optional(line));
    }
    QSignalSpy hovered(&plot, &ProjectionPlot::hovered);
    QTest::mouseMove(&plot, plot.pointOf(0));
    QTRY_VERIFY(!hovered.isEmpty() && hovered.last()[0].toString().startsWith("Line 1: The boy was happy."));
    QCOMPARE(hovered.last()[0].toString().count('\n'), 3); // and three neighbours
    QVERIFY(view.hoverText().startsWith("Line 1: The boy"));
    QTest::mouseMove(&plot, plot.axisRect()->rect().topLeft() + QPoint(1, 1));
    QTest::keyClick(&plot, Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(view.chosen(), std::size_t{2});
    QTest::keyClick(&plot, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(view.chosen(), std::size_t{1});
}

// The box for the chosen line has room for its number, also of a text with many lines.
void TestEmbedPage::lineBoxShowsItsNumber() {
    EmbedPage& page = open("encoders/bert.gguf");
    set(kTexts);
    QVERIFY(run());
    const QSpinBox& box = *page.vectors()->findChild<QSpinBox*>("lineBox");
    const auto* field = box.findChild<QLineEdit*>();
    QVERIFY(field->contentsRect().width() >= field->fontMetrics().horizontalAdvance(QStringLiteral("2000")) + 4);
    QVERIFY(field->height() >= field->fontMetrics().height());
}

void TestEmbedPage::focusStaysWhereItWas() {
    EmbedPage& page = open("encoders/bert.gguf");
    page.activateWindow();
    set(kTexts);
    page.input()->runButton()->setFocus();
    QTRY_VERIFY(page.input()->runButton()->hasFocus());
    QSignalSpy finished(&page, &EmbedPage::finished);
    QTest::keyClick(page.input()->runButton(), Qt::Key_Space);
    QVERIFY(page.isBusy());
    QVERIFY(page.input()->isAncestorOf(QApplication::focusWidget()));
    QVERIFY(finished.wait(60'000));
    QVERIFY(page.input()->runButton()->hasFocus());
}

void TestEmbedPage::pointsHaveLabels() {
    EmbedPage& page = open("encoders/bert.gguf");
    set(kTexts);
    QVERIFY(run());
    VectorView& view = *page.vectors();
    QVERIFY(view.findChild<QCheckBox*>("labelsBox")->isHidden());
    QTest::mouseClick(view.plotControl()->segment(1), Qt::LeftButton);
    QVERIFY(view.findChild<QCheckBox*>("labelsBox")->isVisible());
    ProjectionPlot& plot = *view.projection();
    QVERIFY(QTest::qWaitFor([&] { return plot.pointOf(0) != plot.pointOf(1); }));
    QVERIFY(plot.labels().isEmpty());
    QTest::mouseMove(&plot, plot.pointOf(0));
    QTRY_COMPARE(plot.labels(), QStringList{"The boy was happy."});
    QTest::mouseMove(&plot, plot.axisRect()->rect().topLeft() + QPoint(1, 1));
    QTRY_VERIFY(plot.labels().isEmpty());
    QTest::mouseClick(view.findChild<QCheckBox*>("labelsBox"), Qt::LeftButton, {},
                      QPoint(8, view.findChild<QCheckBox*>("labelsBox")->height() / 2));
    QTRY_VERIFY(plot.labels().contains("The boy was happy.")); // of the chosen line, which comes first
    QVERIFY(plot.labels().size() > 1);
    QTest::mouseClick(view.findChild<QCheckBox*>("labelsBox"), Qt::LeftButton, {},
                      QPoint(8, view.findChild<QCheckBox*>("labelsBox")->height() / 2));
    QTRY_VERIFY(plot.labels().isEmpty());
}

void TestEmbedPage::neighboursFollowTheChosenLine() {
    EmbedPage& page = open("encoders/bert.gguf");
    set(kTexts);
    QVERIFY(run());
    VectorView& view = *page.vectors();
    QCOMPARE(view.neighbours()->rowCount(), 4);
    view.findChild<QSpinBox*>("lineBox")->setFocus();
    QTest::keyClick(view.findChild<QSpinBox*>("lineBox"), Qt::Key_Up);
    QCOMPARE(view.chosen(), std::size_t{1});
    QCOMPARE(view.neighbours()->rowOfLine(1), -1); // not its own neighbour
    for (int row = 1; row < view.neighbours()->rowCount(); ++row) {
        QVERIFY(view.neighbours()->rowAt(row - 1).figures[0] >= view.neighbours()->rowAt(row).figures[0]);
    }
    const std::size_t nearest = view.neighbours()->rowAt(0).line;
    QCOMPARE(view.neighbours()->rowAt(0).figures[0], page.result()->cosine(1, nearest));
    view.table()->setFocus();
    view.table()->setCurrentIndex(view.neighbours()->index(0, 0));
    QTest::keyClick(view.table(), Qt::Key_Return); // the neighbour becomes the chosen line
    QCOMPARE(view.chosen(), nearest);
}

void TestEmbedPage::exportsWhatItShows() {
    EmbedPage& page = open("encoders/bert.gguf");
    set("a, \"quoted\" little\nfriend");
    QVERIFY(run());
    const QTemporaryDir folder;
    const auto write = [&](EmbedExport what, const QString& name) {
        QSignalSpy exported(&page, &EmbedPage::exported);
        page.exportTo(what, folder.filePath(name).toStdString());
        return exported.wait() ? bytesOf(folder.filePath(name)) : QByteArray();
    };
    const QByteArray npy = write(EmbedExport::Npy, "a.npy");
    QVERIFY(npy.contains("'shape': (2, 40)"));
    const auto& values = page.result()->vectors.values;
    QCOMPARE(std::memcmp(npy.constData() + npy.size() - 320, values.data(), 320), 0);
    const QByteArray csv = write(EmbedExport::Csv, "a.csv");
    const QByteArrayList rows = csv.split('\n');
    QVERIFY(rows[0].startsWith("line,text,v0,v1,"));
    QVERIFY(rows[1].startsWith("1,\"a, \"\"quoted\"\" little\","));
    QCOMPARE(rows[2].trimmed().split(',').size(), 42);
    QCOMPARE(rows[2].split(',')[2].toFloat(), values[40]); // every digit that matters
    const QByteArray cosines = write(EmbedExport::CosinesCsv, "c.csv");
    QCOMPARE(cosines.split('\n')[1].trimmed().split(',').last().toFloat(), page.result()->cosine(0, 1));
    // Both plots, also as pictures that can be understood alone.
    for (PictureMenu* menu : {&page.vectors()->mapPictures(), &page.vectors()->projectionPictures()}) {
        const bool isMap = menu == &page.vectors()->mapPictures();
        page.vectors()->showPlot(isMap ? 0 : 1);
        page.vectors()->findChild<QCheckBox*>("labelsBox")->setChecked(true);
        const QString path = folder.filePath(isMap ? "map.svg" : "projection.svg");
        QSignalSpy written(&page, &EmbedPage::exported);
        menu->write(path.toStdString(), PlotFormat::Svg);
        QVERIFY(written.wait());
        QVERIFY2(page.input()->message().startsWith("Written"), qPrintable(page.input()->message()));
        const QByteArray svg = bytesOf(path);
        for (const char* words :
             {isMap ? "Similarity of each pair of lines" : "first two principal components",
              "bert.gguf, 2 texts, vectors of 40 elements", "quoted", isMap ? "cosine" : "Component 2"}) {
            QVERIFY2(svg.contains(words), words);
        }
        QVERIFY(!menu->button()->isVisible());
        QVERIFY(page.findChild<QPushButton*>("exportButton")->menu()->actions().contains(menu->menu()->menuAction()));
        QVERIFY(menu->menu()->menuAction()->isVisible());
    }
    QSignalSpy exported(&page, &EmbedPage::exported);
    page.exportTo(EmbedExport::Csv, folder.filePath("none/a.csv").toStdString());
    QVERIFY(exported.wait());
    QVERIFY(page.input()->message().contains("cannot be written"));
}

void TestEmbedPage::ranksTexts() {
    EmbedPage& page = open("encoders/modern-bert-rank.gguf");
    QVERIFY(page.findChild<SegmentedControl*>("modeControl")->isVisible());
    QVERIFY(page.input()->findChild<QLineEdit*>("queryField")->isVisible());
    QVERIFY(!page.findChild<QComboBox*>("poolingCombo")->isVisible());
    QCOMPARE(page.emptyText(), QString("Which text answers best?"));
    set("The boy was happy.\nplaying, friends\ntwo spaces");
    QVERIFY(!page.input()->runButton()->isEnabled()); // no query
    QTest::keyClicks(page.input()->findChild<QLineEdit*>("queryField"), "the big girl");
    QSignalSpy finished(&page, &EmbedPage::finished);
    QTest::keyClick(page.input()->findChild<QLineEdit*>("queryField"), Qt::Key_Return);
    QVERIFY(finished.wait());
    QVERIFY(page.findChild<QTableView*>("rankingTable")->isVisible());
    QCOMPARE(page.ranking()->rowCount(), 3);
    QCOMPARE(page.ranking()->headerData(0, Qt::Horizontal).toString(), QString("Score"));
    for (int row = 1; row < 3; ++row) {
        QVERIFY(page.ranking()->rowAt(row - 1).figures[0] >= page.ranking()->rowAt(row).figures[0]);
    }
    const QTemporaryDir folder;
    QSignalSpy exported(&page, &EmbedPage::exported);
    page.exportTo(EmbedExport::RankingCsv, folder.filePath("r.csv").toStdString());
    QVERIFY(exported.wait());
    const QByteArrayList rows = bytesOf(folder.filePath("r.csv")).split('\n');
    QCOMPARE(rows[0].trimmed(), QByteArray("line,text,Score"));
    QCOMPARE(rows[1].trimmed().split(',').last().toFloat(), page.ranking()->rowAt(0).figures[0]);

    // A model that ranks makes vectors as well.
    QTest::mouseClick(page.findChild<SegmentedControl*>("modeControl")->segment(1), Qt::LeftButton);
    QVERIFY(page.findChild<QComboBox*>("poolingCombo")->isVisible());
    QVERIFY(!page.findChild<QPushButton*>("exportButton")->isEnabled());
    QVERIFY(run());
    QVERIFY(page.vectors()->isVisible());
    QCOMPARE(page.result()->vectors.pooling, inference::Pooling::Mean);
}

void TestEmbedPage::ranksByLabels() {
    EmbedPage& page = open("encoders/bert-rank.gguf");
    set(kTexts);
    page.input()->findChild<QLineEdit*>("queryField")->setText("girl");
    QVERIFY(run());
    const int labels = static_cast<int>(page.result()->vectors.facts.labels.size());
    QVERIFY(labels > 1);
    QCOMPARE(page.ranking()->figureCount(), labels);
    page.findChild<QTableView*>("rankingTable")->sortByColumn(1, Qt::DescendingOrder);
    for (int row = 1; row < page.ranking()->rowCount(); ++row) {
        QVERIFY(page.ranking()->rowAt(row - 1).figures[1] >= page.ranking()->rowAt(row).figures[1]);
    }
}

void TestEmbedPage::namesTheLineThatIsTooLong() {
    EmbedPage& page = open("encoders/bert.gguf");
    set("little\n\n" + QString("little ").repeated(500) + "\nfriend");
    QVERIFY(run());
    QVERIFY2(page.input()->message().startsWith("Line 3 has "), qPrintable(page.input()->message()));
    QVERIFY(page.result() == nullptr);
    QCOMPARE(page.input()->field()->textCursor().blockNumber(), 2); // and shows it
    QVERIFY(!page.findChild<QPushButton*>("exportButton")->isEnabled());
    set("little\nfriend");
    QVERIFY(run());
    QVERIFY(page.result() != nullptr);
    QCOMPARE(page.input()->message(), QString());
}

void TestEmbedPage::saysThatADecoderIsLeftOut() {
    const auto explains = [](const EmbedPage& page) {
        const auto states = page.findChildren<EmptyState*>();
        return std::ranges::any_of(states, [](const EmptyState* state) {
            return state->isVisible() && state->accessibleDescription().contains("but not its decoder");
        });
    };
    QVERIFY(explains(open("encoders/t5.gguf")));
    QVERIFY(!explains(open("encoders/bert.gguf")));
}

void TestEmbedPage::saysWhatIsMissing() {
    auto model = std::make_shared<Model>(**openModel(GUFO_TEST_DATA "/encoders/bert.gguf"));
    Metadata metadata;
    for (const KeyValue& entry : model->metadata) {
        if (!entry.key.starts_with("tokenizer.")) {
            metadata.add(entry);
        }
    }
    model->metadata = metadata;
    m_document = std::make_unique<ModelDocument>(model);
    EmbedPage& page = show();
    QVERIFY(!page.input()->isVisible());
    const auto states = page.findChildren<EmptyState*>();
    QVERIFY(std::ranges::any_of(states, [](const EmptyState* state) {
        return state->isVisible() && state->accessibleName() == "This model has no tokenizer";
    }));
    page.run(); // does nothing
    QVERIFY(!page.isBusy());

    open("encoders/bert.gguf");
    set(" \n\t\n");
    QVERIFY(run());
    QCOMPARE(m_page->input()->message(), QString("There is no line with text."));
}

void TestEmbedPage::opensFiles() {
    EmbedPage& page = open("encoders/bert.gguf");
    const QTemporaryDir folder;
    const auto openBytes = [&](const QByteArray& bytes) {
        QFile file(folder.filePath("texts.txt"));
        if (!file.open(QIODevice::WriteOnly)) {
            return false;
        }
        file.write(bytes);
        file.close();
        QSignalSpy opened(page.input(), &InputPanel::opened);
        page.input()->openFile(file.fileName().toStdString());
        return opened.wait();
    };
    QVERIFY(openBytes("little\r\nfriend\r\n"));
    QCOMPARE(page.input()->field()->toPlainText(), QString("little\nfriend\n"));
    QVERIFY(openBytes("little\n\xFF\xFE friend\n")); // not UTF-8: kept as it is, beside the field
    QVERIFY(!page.input()->field()->isVisible());
    QVERIFY(page.input()->removeButton()->isVisible());
    QVERIFY(run());
    QCOMPARE(page.result()->lines->texts[1], std::string("\xFF\xFE friend"));
    QTest::mouseClick(page.input()->removeButton(), Qt::LeftButton);
    QVERIFY(page.input()->field()->isVisible());
    QVERIFY(openBytes({}));
    QVERIFY(page.input()->message().contains("empty"));
    QSignalSpy opened(page.input(), &InputPanel::opened);
    page.input()->openFile(folder.filePath("none").toStdString());
    QVERIFY(opened.wait());
    QVERIFY(page.input()->message().startsWith("none cannot be read"));
}

void TestEmbedPage::takesLargePastes() {
    EmbedPage& page = open("encoders/bert.gguf");
    QGuiApplication::clipboard()->setText(QString("little ").repeated(4'000)); // one line of 28,000 characters
    QSignalSpy opened(page.input(), &InputPanel::opened);
    QTest::keySequence(page.input()->field(), QKeySequence::Paste);
    QVERIFY(opened.wait());
    QVERIFY(page.input()->field()->document()->isEmpty());
    QVERIFY(run());
    QVERIFY(page.input()->message().startsWith("Line 1 has "));
    QTest::mouseClick(page.input()->removeButton(), Qt::LeftButton);
    QGuiApplication::clipboard()->setText("little\nfriend");
    QTest::keySequence(page.input()->field(), QKeySequence::Paste);
    QCOMPARE(page.input()->field()->toPlainText(), QString("little\nfriend"));
}

void TestEmbedPage::usesTheFirstLinesOfMany() {
    EmbedPage& page = open("encoders/bert.gguf");
    QString text;
    for (std::size_t i = 0; i < kMaxLines + 500; ++i) {
        text += QString("little friend %1\n").arg(i);
    }
    UiWatchdog watchdog;
    watchdog.step("embed 2,000 lines");
    set(text);
    QVERIFY(run());
    QCOMPARE(page.result()->size(), kMaxLines);
    QCOMPARE(page.input()->message(), QString("The first 2,000 of 2,500 lines were used."));
    watchdog.step("choose lines");
    VectorView& view = *page.vectors();
    for (int i = 0; i < 5; ++i) {
        QTest::keyClick(view.findChild<QSpinBox*>("lineBox"), Qt::Key_Up);
        test::spinEventLoop();
    }
    watchdog.step("zoom the map");
    for (int i = 0; i < 10; ++i) {
        QTest::keyClick(view.map(), Qt::Key_Plus);
        test::spinEventLoop();
    }
    watchdog.step("hover over the projection");
    view.showPlot(1);
    QTest::mouseClick(view.plotControl()->segment(1), Qt::LeftButton);
    for (std::size_t i = 0; i < 20; ++i) {
        QTest::mouseMove(view.projection(), view.projection()->pointOf(i * 50));
        test::spinEventLoop();
    }
    watchdog.step("sort");
    view.table()->sortByColumn(2, Qt::AscendingOrder);
    test::spinEventLoop();
    watchdog.finish();
    QVERIFY2(watchdog.isQuick(), watchdog.verdict());
}

void TestEmbedPage::isCancelled() {
    EmbedPage& page = open("encoders/gemma-embedding.gguf");
    QString text;
    for (std::size_t i = 0; i < kMaxLines; ++i) {
        text += QString("a").repeated(90) + '\n';
    }
    set(text);
    QSignalSpy finished(&page, &EmbedPage::finished);
    QTest::mouseClick(page.input()->runButton(), Qt::LeftButton);
    QVERIFY(page.isBusy());
    QVERIFY(!page.input()->runButton()->isEnabled());
    QTRY_VERIFY(page.input()->jobBar()->isVisible());
    auto* cancel = page.input()->jobBar()->findChild<QToolButton*>("cancelJob");
    QTest::mouseClick(cancel, Qt::LeftButton);
    QVERIFY(!page.isBusy());
    QVERIFY(page.input()->runButton()->isEnabled());
    QCOMPARE(page.input()->message(), QString("Cancelled."));
    Job::waitForAll();
    QCoreApplication::processEvents();
    QVERIFY(finished.isEmpty());
    QVERIFY(page.result() == nullptr);
    set("a");
    QVERIFY(run()); // and the next run works
    QVERIFY(page.result() != nullptr);
}

void TestEmbedPage::keepsItsState() {
    EmbedPage& page = open("encoders/bert.gguf");
    set("little\nfriend");
    page.vectors()->showPlot(1);
    const QJsonObject state = page.saveState();
    EmbedPage other;
    other.restoreState(state);
    QCOMPARE(other.input()->field()->toPlainText(), QString("little\nfriend"));
    QCOMPARE(other.vectors()->plotControl()->current(), 1);
}

void TestEmbedPage::followsTheTheme() {
    EmbedPage& page = open("encoders/bert.gguf");
    set(kTexts);
    QVERIFY(run());
    Theme::instance().setChoice(Theme::Choice::Dark);
    QCoreApplication::processEvents();
    page.vectors()->map()->replot();
    const QImage dark = page.vectors()->map()->grab().toImage();
    QCOMPARE(dark.pixelColor(1, 1).name(), themeColor(Token::Base).name());
    Theme::instance().setChoice(Theme::Choice::Light);
    QCoreApplication::processEvents();
    page.vectors()->map()->replot();
    QCOMPARE(page.vectors()->map()->grab().toImage().pixelColor(1, 1).name(), themeColor(Token::Base).name());
    Theme::instance().setChoice(Theme::Choice::System);
}

GUFO_TEST_WIDGETS(TestEmbedPage)
#include "tst_embed_page.moc"
