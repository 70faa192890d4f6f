// The page Inside, used by mouse and keys.
#include "inside_page_test.h"
#include "support/idle.h"
#include "support/peak_memory.h"
#include "support/run_models.h"
#include "support/sanitized.h"
#include "support/test_unit.h"
#include "support/ui_watchdog.h"

#include <QTemporaryDir>
#include <QToolButton>

#include <cstring>
#include <limits>

class TestInsidePage : public InsidePageTest {
    Q_OBJECT

private slots:
    void init() { prepare(); }
    void cleanup() { finish(); }

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
        QCOMPARE(view.findChild<QSpinBox*>("blockBox")->value(), 1);
        QVERIFY(page.tokens()->weights() != before);
        QVERIFY(view.summary().startsWith("Block 1, head 1: entropy"));
        QTRY_VERIFY(view.map() != nullptr && view.map()->block == 1 && view.map()->firstHead == 1);
        QTest::keyClick(&overview, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(view.head(), std::size_t{0});
        QTest::keyClick(view.findChild<QSpinBox*>("headBox"), Qt::Key_Up);
        QCOMPARE(view.head(), std::size_t{1});
        QTRY_VERIFY(!page.isBusy());

        // The measure decides the colours.
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
        page.attention()->findChild<QSpinBox*>("blockBox")->setValue(0);
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
        // Pictures of the shown views.
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

    // What was recorded may take all the memory that there is for it, so that a file is not made in memory first.
    void writesArraysInPieces() {
        if (gufo::test::kSanitized) {
            QSKIP("a sanitizer uses additional memory");
        }
        constexpr std::size_t kTokens = 4'000;
        constexpr std::size_t kEach = 1'000;
        inference::Inside inside{.tokens = kTokens, .blocks = 1};
        inside.lens = inference::LogitLens{.blocks = 1,
                                           .tokens = kTokens,
                                           .candidates = kEach,
                                           .cells = std::vector<inference::LogitLens::Candidate>(kTokens * kEach)};
        inside.lens->cells.back() = {TokenId(std::size_t{7}), 0.5F};
        const QTemporaryDir folder;
        const QString path = folder.filePath("lens.npy");
        const std::uint64_t memory = gufo::test::peakMemoryOf(
            [&] { QVERIFY(writeInsideNpy(inside, InsideView::Lens, path.toStdString()).has_value()); });
        const QByteArray written = bytesOf(path);
        QVERIFY(written.size() > static_cast<qsizetype>(kTokens * kEach * 8));
        QCOMPARE(written.last(8), QByteArray("\7\0\0\0\0\0\0\x3F", 8));
        QVERIFY2(memory < 8U << 20U, QByteArray::number(static_cast<qulonglong>(memory)).constData());
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

    // No kind of file is offered what it cannot do: gufo-cli inspect, in particular, only takes models.
    void saysWhatTheFileIs_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("architecture");
        QTest::addColumn<bool>("hasTensor");
        QTest::addColumn<QString>("title");
        QTest::newRow("adapter") << "adapter" << "llama" << true << "An adapter does not run";
        QTest::newRow("projector") << "mmproj" << "clip" << true << "A projector does not run";
        QTest::newRow("importance matrix") << "imatrix" << "" << true << "An importance matrix does not run";
        QTest::newRow("vocabulary") << "" << "llama" << false << "This file has no weights";
    }
    void saysWhatTheFileIs() {
        QFETCH(QString, type);
        QFETCH(QString, architecture);
        QFETCH(bool, hasTensor);
        QFETCH(QString, title);
        gufo::test::GgufBuilder file;
        for (const auto& [key, value] :
             {std::pair("general.type", type), std::pair("general.architecture", architecture)}) {
            if (!value.isEmpty()) {
                file.key(key, value.toUtf8().constData());
            }
        }
        if (hasTensor) {
            file.tensor("a", gufo::test::kF32, {4});
        }
        m_document = std::make_unique<ModelDocument>(gufo::test::modelOf(file.build()));
        InsidePage& page = show();
        QVERIFY2(page.emptyText().contains(title), qPrintable(page.emptyText()));
        QVERIFY2(!page.emptyText().contains("gufo-cli"), qPrintable(page.emptyText()));
        QVERIFY(!page.readButton()->isEnabled() && !page.conversationButton()->isEnabled());
        QVERIFY(gufo::test::waitUntilIdle());
        QVERIFY2(page.emptyText().contains(title), qPrintable(page.emptyText()));
    }

    void saysThatOtherContainersAreConverted() {
        InsidePage& page = open(QStringLiteral(GUFO_TEST_DATA "/containers/all.safetensors"));
        QVERIFY2(page.emptyText().contains("not in GGUF"), qPrintable(page.emptyText()));
    }

    // Of a model without attention, the axes of heads would be empty.
    void saysWhatStandsInForAttention() {
        InsidePage& page = open(fixture("mamba"));
        page.showTokens(tokens(6), 5);
        QTRY_VERIFY(page.inside() != nullptr && !page.isBusy());
        AttentionView& view = *page.attention();
        QVERIFY(!view.overview()->isVisible() && !view.which()->isVisible() &&
                !view.findChild<QSpinBox*>("blockBox")->isVisible());
        const auto states = view.findChildren<EmptyState*>();
        QVERIFY(std::ranges::any_of(states, [](const EmptyState* state) {
            return state->isVisible() && state->accessibleName().contains("No block has attention");
        }));
        page.showTokens(tokens(6), 5); // and nothing else after another text
        QTRY_VERIFY(!page.isBusy());
        QVERIFY(!view.overview()->isVisible());
    }

    // Where the logits are NaN, no token is first, and the page says where the NaN comes from.
    void saysThatNothingIsFirst() {
        std::vector<std::byte> bytes = gufo::test::runnableFile().build();
        const auto whole = gufo::test::modelOf(bytes);
        const auto norm = whole->findTensor("output_norm.weight");
        QVERIFY(norm.has_value());
        const float nan = std::numeric_limits<float>::quiet_NaN();
        std::memcpy(bytes.data() + whole->tensor(*norm).offset, &nan, sizeof nan);
        m_document = std::make_unique<ModelDocument>(gufo::test::modelOf(std::move(bytes)));
        InsidePage& page = show();
        page.showTokens(tokens(5), 4);
        QTRY_VERIFY(page.inside() != nullptr && !page.isBusy());
        QCOMPARE(page.inside()->lens->becomes.back(), page.inside()->lens->blocks);
        QVERIFY2(page.lens()->heading().contains("nothing is first: from block 0 on"),
                 qPrintable(page.lens()->heading()));
        BlockTable& model = *page.lens()->model();
        QVERIFY(!model.markedRow());
        for (int column = 0; column < model.columnCount(); ++column) { // candidates are left out
            QCOMPARE(model.index(0, column).data().toString().isEmpty(), column == 1 || column > 2);
        }
        QCOMPARE(model.index(0, 2).data().toString(), QString("NaN"));
    }

    // What another engine may run.
    void saysWhatItsEngineCannotRun() {
        gufo::test::GgufBuilder file;
        file.key("general.architecture", "unheard-of");
        gufo::test::runnableWords().addTo(file, {});
        file.tensor("token_embd.weight", gufo::test::kF32, {4});
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
        for (const bool compares : {false, true}) {
            if (compares) {
                compareWith(kSampleF16);
                QTRY_VERIFY(page.other() != nullptr);
            }
            for (int view = 0; view < 4; ++view) {
                page.showView(static_cast<InsideView>(view));
                gufo::test::spinEventLoop();
                const QSize least = page.minimumSizeHint();
                QVERIFY2(least.width() <= 590 && least.height() <= 380,
                         qPrintable(QString("%1: %2 × %3").arg(view).arg(least.width()).arg(least.height())));
            }
        }
    }
};

GUFO_TEST_WIDGETS(TestInsidePage)

#include "tst_inside_page.moc"
