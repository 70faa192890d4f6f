// The page Inside, used by mouse and keys.
#include "document/open_model.h"
#include "support/idle.h"
#include "support/page_parts.h"
#include "support/run_models.h"
#include "support/test_unit.h"
#include "support/ui_test_settings.h"
#include "support/ui_watchdog.h"
#include "test_paths.h"
#include "ui/pages/inside/inside_page.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <cmath>
#include <numeric>

using namespace gufo;
using namespace gufo::ui;
using gufo::test::part;

namespace {

const QString kSample = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q4_K.gguf");

QString fixture(const char* name) {
    return QStringLiteral(GUFO_TEST_DATA "/architectures/%1.gguf").arg(QLatin1String(name));
}

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

float sumOf(const std::vector<float>& values) { return std::accumulate(values.begin(), values.end(), 0.0F); }

} // namespace

class TestInsidePage : public QObject {
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

    void showsWhereHeadsLook() {
        InsidePage& page = open(kSample);
        QCOMPARE(page.emptyText(), QString("Where does the model look?"));
        QVERIFY(!page.readButton()->isEnabled());
        QVERIFY(!page.exportButton()->isEnabled());
        QTest::keyClicks(page.field(), "Once upon a time there was a dog");
        QVERIFY(page.readButton()->isEnabled());
        QTest::keyClick(page.field(), Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(page.inside() != nullptr);
        const std::size_t tokens = page.tokens()->count();
        QVERIFY(tokens > 7);
        QCOMPARE(page.tokens()->current(), tokens - 1);
        QCOMPARE(page.inside()->tokens, tokens);
        QVERIFY(page.exportButton()->isEnabled());

        // The text is shaded by the weights of the head.
        QCOMPARE(page.tokens()->weights(), page.attention()->weights());
        QCOMPARE(page.tokens()->weights().size(), tokens);
        QVERIFY(std::abs(sumOf(page.tokens()->weights()) - 1) < 1e-4F);

        // Another head: by the overview and by the boxes.
        AttentionView& view = *page.attention();
        const std::vector<float> before = page.tokens()->weights();
        InsideMap& overview = *view.overview();
        QCOMPARE(overview.cells().rows, page.inside()->blocks);
        QTest::mouseClick(&overview, Qt::LeftButton, {}, overview.centreOf(1, 1));
        QCOMPARE(view.block(), std::size_t{1});
        QCOMPARE(view.head(), std::size_t{1});
        QCOMPARE(view.blockBox()->value(), 1);
        QVERIFY(page.tokens()->weights() != before);
        QVERIFY(view.summary().startsWith("Block 1, head 1: entropy"));
        QTRY_VERIFY(view.map() != nullptr && view.map()->block == 1 && view.map()->firstHead == 1);
        QTest::keyClick(&overview, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(view.head(), std::size_t{0});
        QTest::keyClick(view.headBox(), Qt::Key_Up);
        QCOMPARE(view.head(), std::size_t{1});
        QTRY_VERIFY(!page.isBusy());

        // The colours are those of the measure.
        const float entropy = overview.cells().at(1, 1);
        QTest::keyClick(view.measure(), Qt::Key_Down);
        QCOMPARE(view.measure()->currentText(), QString("First token"));
        QVERIFY(overview.cells().at(1, 1) != entropy);
        QCOMPARE(overview.cells().at(1, 1), page.tokens()->weights().front());

        // The map of the head has the row of the chosen token.
        QTest::mouseClick(view.which()->segment(1), Qt::LeftButton);
        InsideMap& map = *view.headMap();
        QVERIFY(map.isVisible());
        QCOMPARE(map.cells().rows, tokens);
        for (std::size_t key = 0; key < tokens; ++key) {
            QVERIFY(std::abs(map.cells().at(tokens - 1, key) - page.tokens()->weights()[key]) < 1e-3F);
        }
        QVERIFY(std::isnan(map.cells().at(0, 1))); // later tokens are not seen
        QVERIFY(map.textOf(3, 1).contains("looks at"));
        QVERIFY(map.textOf(1, 3).contains("cannot see"));
        const double whole = map.xAxis->range().size();
        QTest::keyClick(&map, Qt::Key_Plus);
        QVERIFY(map.xAxis->range().size() < whole);
    }

    void choosesTokensByMouseAndKeys() {
        InsidePage& page = open(kSample);
        read("Once upon a time there was a little girl. She had a dog.");
        QTRY_VERIFY(page.inside() != nullptr);
        TokenText& text = *page.tokens();
        QTest::mouseClick(text.viewport(), Qt::LeftButton, {}, text.placeOf(3).center());
        QCOMPARE(text.current(), std::size_t{3});
        QTRY_COMPARE(page.inside()->tokens, std::size_t{4}); // what follows is not read
        QTest::keyClick(&text, Qt::Key_Right);
        QCOMPARE(text.current(), std::size_t{4});
        QTRY_COMPARE(page.inside()->tokens, std::size_t{5});
        QTest::keyClick(&text, Qt::Key_Home);
        QTRY_COMPARE(page.inside()->tokens, std::size_t{1});
        QTest::keyClick(&text, Qt::Key_Down);
        QVERIFY(text.placeOf(*text.current()).top() > text.placeOf(0).top());
        QTest::keyClick(&text, Qt::Key_Up);
        QCOMPARE(text.placeOf(*text.current()).top(), text.placeOf(0).top());
        QTest::keyClick(&text, Qt::Key_End);
        QTRY_COMPARE(page.inside()->tokens, text.count());
        QVERIFY(text.accessibleDescription().contains(QString::number(text.count() - 1)));
        QVERIFY(gufo::test::waitUntilIdle());
    }

    void showsTheLens() {
        InsidePage& page = open(kSample);
        read("Once upon a");
        QTRY_VERIFY(page.inside() != nullptr);
        QTest::mouseClick(page.views()->segment(1), Qt::LeftButton);
        QVERIFY(page.lens()->isVisible());
        const inference::LogitLens& lens = *page.inside()->lens;
        BlockTable& model = *page.lens()->model();
        QCOMPARE(model.rowCount(), static_cast<int>(lens.blocks));
        QCOMPARE(model.markedRow(), static_cast<int>(lens.becomes.back()));
        const int last = model.rowCount() - 1;
        QCOMPARE(model.index(last, 1).data().toString(), QString("1")); // the rank of the answer
        QVERIFY(model.index(last, 3).data().toString().contains("time"));
        QVERIFY(page.lens()->heading().contains("time"));
        QVERIFY(page.tokens()->weights().empty()); // nothing is shaded here
        QVERIFY(page.copyText(CopyFormat::Tsv).count('\n') >= last);
    }

    void showsExperts() {
        InsidePage& page = open(fixture("qwen2moe"));
        page.showTokens(tokens(12), 11);
        QTRY_VERIFY(page.inside() != nullptr);
        QTest::mouseClick(page.views()->segment(2), Qt::LeftButton);
        QVERIFY(page.experts()->hasExperts() && page.experts()->isVisible());
        const inference::ChosenExperts& experts = *page.inside()->experts;
        BlockTable& model = *page.experts()->model();
        QCOMPARE(model.rowCount(), static_cast<int>(experts.blocks.size()));
        QCOMPARE(model.columnCount(), static_cast<int>(experts.used) + 1);
        const InsideCells& load = page.experts()->load()->cells();
        QCOMPARE(load.columns, experts.count);
        QCOMPARE(sumOf(load.values), static_cast<float>(experts.blocks.size() * experts.used * experts.tokens));
        QVERIFY(page.experts()->load()->textOf(0, 0).contains("expert 0"));
    }

    void saysThatThereAreNoExperts() {
        InsidePage& page = open(kSample);
        read("Once");
        QTRY_VERIFY(page.inside() != nullptr);
        QTest::mouseClick(page.views()->segment(2), Qt::LeftButton);
        QVERIFY(!page.experts()->hasExperts());
        const QTemporaryDir folder;
        QSignalSpy exported(&page, &InsidePage::exported);
        page.exportTo(folder.filePath("a.npy").toStdString(), false);
        QCOMPARE(exported.size(), 1);
        QVERIFY(page.message().contains("nothing to export"));
    }

    // A hybrid: three blocks have a state, the fourth attends.
    void showsSizesAndStates() {
        InsidePage& page = open(fixture("qwen35"));
        page.showTokens(tokens(9), 8);
        QTRY_VERIFY(page.inside() != nullptr);
        QVERIFY(std::isnan(page.attention()->overview()->cells().at(0, 0)));
        QCOMPARE(page.attention()->block(), std::size_t{3}); // the first that attends
        page.attention()->blockBox()->setValue(0);
        QVERIFY(page.attention()->summary().contains("state of constant size"));
        QVERIFY(page.tokens()->weights().empty());
        QTest::mouseClick(page.attention()->which()->segment(1), Qt::LeftButton);
        QVERIFY(page.attention()->map() == nullptr);
        QTest::mouseClick(page.views()->segment(3), Qt::LeftButton);
        BlockTable& model = *page.sizes()->model();
        QCOMPARE(model.rowCount(), 4);
        QCOMPARE(model.headerData(7, Qt::Horizontal).toString(), QString("State"));
        const double decay = model.index(0, 8).data(kExactRole).toDouble();
        QVERIFY(decay > 0 && decay < 1);
        QVERIFY(model.index(3, 8).data().toString().isEmpty());
        QCOMPARE(model.index(1, 1).data(kExactRole).toFloat(), page.inside()->sizes->stream[9 + 8]);
        QVERIFY(page.sizes()->notice().isEmpty());
        SizesPlot& plot = *page.sizes()->plot();
        QCOMPARE(plot.line(0)->dataCount(), 4);
        // Few decades have values at their lower end, too, which are linear steps of the upper end otherwise.
        QVector<double> ticks;
        QVector<QString> labels;
        plot.yAxis->ticker()->generate({12, 440}, QLocale::c(), u'g', 3, ticks, nullptr, &labels);
        QCOMPARE(labels, (QVector<QString>{"20", "50", "100", "200"}));
    }

    void exports() {
        InsidePage& page = open(kSample);
        read("Once upon a time");
        QTRY_VERIFY(page.inside() != nullptr && !page.isBusy());
        const QTemporaryDir folder;
        const auto written = [&](bool csv) {
            const QString path = folder.filePath(csv ? "a.csv" : "a.npy");
            QSignalSpy exported(&page, &InsidePage::exported);
            page.exportTo(path.toStdString(), csv);
            return exported.wait() && page.message().startsWith("Exported") ? bytesOf(path) : QByteArray();
        };
        const QByteArray size = QByteArray::number(page.inside()->tokens);
        QVERIFY(written(false).contains("'shape': (1, " + size + ", " + size + ")"));
        QVERIFY(written(true).startsWith("head,query,0,1,"));
        for (const auto& [view, header, csv] :
             {std::tuple(InsideView::Lens, "'probability'", "block,token,candidate,id,probability\n"),
              std::tuple(InsideView::Norms, "'feed_forward'", "block,token,stream,mixer,")}) {
            page.showView(view);
            QVERIFY(written(false).contains(header));
            QVERIFY(written(true).startsWith(csv));
        }
        page.exportTo("/proc/none/a.npy", false);
        QSignalSpy exported(&page, &InsidePage::exported);
        QVERIFY(exported.wait());
        QVERIFY(page.message().contains("cannot be written"));
        // Pictures of what is shown.
        page.showView(InsideView::Attention);
        const QString svg = folder.filePath("heads.svg");
        PictureMenu& pictures = *page.attention()->overview()->findChild<PictureMenu*>();
        QSignalSpy message(&pictures, &PictureMenu::message);
        pictures.write(svg.toStdString(), PlotFormat::Svg);
        QTRY_VERIFY(!message.isEmpty());
        QVERIFY(bytesOf(svg).contains("<svg"));
    }

    void isCancelled() {
        m_document =
            std::make_unique<ModelDocument>(gufo::test::tinyRunnable({.width = 512, .blocks = 12, .context = 8192}));
        InsidePage& page = show();
        UiWatchdog watchdog;
        watchdog.step("evaluate");
        std::vector<TokenId> many;
        for (std::size_t i = 0; i < 4'000; ++i) {
            many.emplace_back(10 + i % 200);
        }
        page.showTokens(many, many.size() - 1);
        QTRY_VERIFY(page.jobBar()->isVisible() && page.tokens()->count() == many.size());
        QTRY_VERIFY(page.isBusy() && !page.readButton()->isEnabled());
        QTRY_VERIFY(part<QToolButton>(*page.jobBar())->isVisible());
        QTest::mouseClick(part<QToolButton>(*page.jobBar()), Qt::LeftButton);
        QVERIFY(!page.isBusy());
        QCOMPARE(page.message(), QString("Cancelled."));
        QVERIFY(gufo::test::waitUntilIdle());
        QVERIFY(page.inside() == nullptr);
        // An earlier token is shown by evaluating its prefix.
        QTest::keyClick(page.tokens(), Qt::Key_Home);
        QTRY_VERIFY(page.inside() != nullptr);
        QCOMPARE(page.inside()->tokens, std::size_t{1});
        watchdog.finish();
        QVERIFY2(watchdog.isQuick(), watchdog.verdict());
    }

    void saysWhatIsMissing_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("title");
        QTest::newRow("encoder") << QStringLiteral(GUFO_TEST_DATA "/encoders/bert.gguf")
                                 << "This model generates no text";
    }
    void saysWhatIsMissing() {
        QFETCH(QString, file);
        QFETCH(QString, title);
        InsidePage& page = open(file);
        QVERIFY2(page.emptyText().contains(title), qPrintable(page.emptyText()));
        QVERIFY(!page.readButton()->isEnabled() && !page.conversationButton()->isEnabled());
    }

    // What another engine may run.
    void saysWhatItsEngineCannotRun() {
        gufo::test::GgufBuilder file;
        file.key("general.architecture", "unheard-of");
        gufo::test::runnableWords().addTo(file, {});
        m_document = std::make_unique<ModelDocument>(gufo::test::modelOf(file.build()));
        InsidePage& page = show();
        QTRY_VERIFY2(page.emptyText().contains("cannot run"), qPrintable(page.emptyText()));
        QVERIFY(!page.readButton()->isEnabled());
    }

    void saysThatThereIsNoConversation() {
        InsidePage& page = open(kSample);
        QSignalSpy requested(&page, &InsidePage::conversationRequested);
        QTest::mouseClick(page.conversationButton(), Qt::LeftButton);
        QCOMPARE(requested.size(), 1);
        page.showTokens({}, 0);
        QVERIFY(page.message().contains("no conversation"));
    }

    void teaches() {
        InsidePage& page = open(kSample);
        QStringList texts{page.emptyText()};
        for (int view = 1; view < 4; ++view) {
            QTest::mouseClick(page.views()->segment(view), Qt::LeftButton);
            QVERIFY(!texts.contains(page.emptyText()));
            texts << page.emptyText();
        }
    }

    void keepsItsState() {
        InsidePage& page = open(kSample);
        QTest::keyClicks(page.field(), "Once");
        QTest::mouseClick(page.views()->segment(3), Qt::LeftButton);
        const QJsonObject state = page.saveState();
        m_page = std::make_unique<InsidePage>();
        m_page->restoreState(state);
        QCOMPARE(m_page->view(), InsideView::Norms);
        QCOMPARE(m_page->field()->toPlainText(), QString("Once"));
        QCOMPARE(m_page->saveState(), state);
        m_page->restoreState({{"view", 99}, {"measure", -5}});
        QCOMPARE(m_page->view(), InsideView::Norms);
    }

    void fitsASmallWindow() {
        InsidePage& page = open(kSample);
        read("Once upon a time");
        QTRY_VERIFY(page.inside() != nullptr);
        for (int view = 0; view < 4; ++view) {
            page.showView(static_cast<InsideView>(view));
            gufo::test::spinEventLoop();
            const QSize least = page.minimumSizeHint();
            QVERIFY2(least.width() <= 590 && least.height() <= 380,
                     qPrintable(QString("%1: %2 × %3").arg(view).arg(least.width()).arg(least.height())));
        }
    }

private:
    InsidePage& open(const QString& path) {
        m_document = std::make_unique<ModelDocument>(openModel(path.toStdString()).value());
        return show();
    }
    InsidePage& show() {
        m_page = std::make_unique<InsidePage>();
        m_page->setDocument(m_document.get());
        m_page->setModel(m_document->current());
        m_page->resize(1100, 760);
        m_page->show();
        (void)QTest::qWaitForWindowExposed(m_page.get());
        m_page->activate();
        return *m_page;
    }
    void read(const QString& text) {
        m_page->field()->setPlainText(text);
        QTest::mouseClick(m_page->readButton(), Qt::LeftButton);
    }
    static std::vector<TokenId> tokens(std::size_t count) {
        std::vector<TokenId> ids;
        for (std::size_t i = 0; i < count; ++i) {
            ids.emplace_back(1 + i * 7 % 50);
        }
        return ids;
    }

    UiTestSettings m_settings;
    std::unique_ptr<ModelDocument> m_document;
    std::unique_ptr<InsidePage> m_page;
};

GUFO_TEST_WIDGETS(TestInsidePage)

#include "tst_inside_page.moc"
