// Tests the page Inside with a second model: both side by side, and their difference.
#include "inside_page_test.h"
#include "support/idle.h"
#include "support/run_models.h"
#include "support/test_unit.h"
#include "support/ui_watchdog.h"

#include <QTemporaryDir>
#include <QToolButton>

#include <span>

class TestInsideComparison : public InsidePageTest {
    Q_OBJECT

private slots:
    void init() { prepare(); }
    void cleanup() { finish(); }

    void comparesAModelWithItself_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("dense") << kSample;
        QTest::newRow("experts") << fixture("qwen2moe");
        QTest::newRow("hybrid") << fixture("qwen35");
    }
    // Nothing differs.
    void comparesAModelWithItself() {
        QFETCH(QString, file);
        InsidePage& page = open(file);
        compareWith(file);
        page.showTokens(tokens(12), 11);
        QTRY_VERIFY(page.other() != nullptr && !page.isBusy());
        QCOMPARE(page.side(), InsidePage::Side::Difference);
        AttentionView& view = *page.attention();
        for (const int measure : {0, 1}) {
            view.measure()->setCurrentIndex(measure);
            QVERIFY(view.overview()->cells().diverging);
            QVERIFY(!std::ranges::all_of(view.overview()->cells().values, [](float x) { return std::isnan(x); }));
            QCOMPARE(largestOf(view.overview()->cells().values), 0.0F);
        }
        view.showPart(1);
        QCOMPARE(largestOf(view.headMap()->cells().values), 0.0F);
        QCOMPARE(view.headMap()->cells().values.size(), std::size_t{144});
        QCOMPARE(page.tokens()->weights(), std::vector<float>(12));
        BlockTable& lens = *page.lens()->model();
        for (int row = 0; row < lens.rowCount(); ++row) {
            for (int column = 1; column < lens.columnCount(); column += 2) { // A, and B beside it
                QCOMPARE(lens.index(row, column).data(), lens.index(row, column + 1).data());
            }
        }
        if (page.inside()->experts) {
            BlockTable& model = *page.experts()->model();
            for (int row = 0; row < model.rowCount(); ++row) {
                QVERIFY(model.index(row, 1).data().toString().isEmpty());
                QVERIFY(model.index(row, 2).data().toString().isEmpty());
                QCOMPARE(model.index(row, 3).data().toString().count(':'), 2);
            }
            QCOMPARE(largestOf(page.experts()->load()->cells().values), 0.0F);
        } else {
            QVERIFY(!page.experts()->hasExperts());
        }
        BlockTable& sizes = *page.sizes()->model();
        for (int row = 0; row < sizes.rowCount(); ++row) {
            for (int column = 3; column <= 12; column += 3) {
                QCOMPARE(sizes.index(row, column).data(kExactRole).toDouble(), 1.0);
            }
        }
        SizesPlot& ratios = *page.sizes()->ratios();
        for (const QCPGraphData& point : *ratios.line(0)->data()) {
            QCOMPARE(point.value, 1.0);
        }
        QVERIFY(ratios.yAxis->range().contains(1));
    }

    // What quantisation changes: the differences between the two pictures.
    void comparesTwoModels() {
        InsidePage& page = open(kSampleF16);
        read("Once upon a time there was a dog");
        QTRY_VERIFY(page.inside() != nullptr && !page.isBusy());
        QVERIFY(!page.sides()->isVisible());
        compareWith(kSample);
        QVERIFY(page.partner()->text().startsWith("B: "));
        QTRY_VERIFY(page.other() != nullptr && !page.isBusy());
        QVERIFY(page.sides()->isVisible());
        struct Shown {
            std::vector<float> heads;
            std::vector<float> map;
            std::vector<float> text;
        };
        const auto shownOn = [&](int side) {
            QTest::mouseClick(page.sides()->segment(side), Qt::LeftButton);
            return Shown{.heads = page.attention()->overview()->cells().values,
                         .map = page.attention()->headMap()->cells().values,
                         .text = page.tokens()->weights()};
        };
        const Shown a = shownOn(0);
        QVERIFY(page.attention()->summary().startsWith("Block 0, head 0: entropy"));
        QCOMPARE(page.sizes()->model()->index(1, 1).data(kExactRole).toFloat(), sizeOf(*page.inside(), 1));
        QVERIFY(page.sizes()->ratios()->isHidden());
        const Shown b = shownOn(1);
        QCOMPARE(page.sizes()->model()->index(1, 1).data(kExactRole).toFloat(), sizeOf(*page.other(), 1));
        const Shown difference = shownOn(2);
        QVERIFY(page.attention()->summary().contains("B − A"));
        QVERIFY(a.map.size() == page.inside()->tokens * page.inside()->tokens);
        for (const auto part : {&Shown::heads, &Shown::map, &Shown::text}) {
            QCOMPARE((difference.*part).size(), (a.*part).size());
            QVERIFY(largestOf(difference.*part) > 0);
            for (std::size_t i = 0; i < (a.*part).size(); ++i) {
                const float expected = (b.*part)[i] - (a.*part)[i];
                QVERIFY(std::isnan(expected) ? std::isnan((difference.*part)[i]) : (difference.*part)[i] == expected);
            }
        }
        QVERIFY(std::abs(sumOf(difference.text)) < 1e-5F); // each model's weights add up to 1
        BlockTable& sizes = *page.sizes()->model();
        const float ratio = sizeOf(*page.other(), 1) / sizeOf(*page.inside(), 1);
        QVERIFY(ratio != 1);
        QCOMPARE(sizes.index(1, 3).data(kExactRole).toFloat(), ratio);
        QCOMPARE(page.sizes()->ratios()->line(0)->data()->at(1)->value, static_cast<double>(ratio));
        QVERIFY(!page.sizes()->ratios()->isHidden());
        QVERIFY(page.sizes()->plot()->line(5)->dataCount() > 0);
        // Both answers, and where each became first.
        const auto becomes = [](const inference::Inside& inside) { return inside.lens->becomes.back(); };
        BlockTable& lens = *page.lens()->model();
        QVERIFY(lens.rowAt(static_cast<int>(becomes(*page.inside()))).marked);
        QVERIFY(lens.rowAt(static_cast<int>(becomes(*page.other()))).marked);
        QCOMPARE(lens.columnCount(), 5 + 2 * 6);
        QCOMPARE(lens.headerData(6, Qt::Horizontal).toString(), QString("B: 1."));

        // Another head has another map of both.
        page.attention()->findChild<QSpinBox*>("headBox")->setValue(1);
        QTRY_COMPARE(page.attention()->map()->firstHead, std::size_t{1});
        const std::span<const float> last = page.attention()->map()->row(0, page.inside()->tokens - 1);
        QVERIFY(std::ranges::equal(last, page.tokens()->weights(),
                                   [](float x, float y) { return std::abs(x - y) < 1e-3F; }));
        QVERIFY(gufo::test::waitUntilIdle());

        page.partner()->stopComparing();
        QVERIFY(page.other() == nullptr && !page.sides()->isVisible());
        QCOMPARE(page.side(), InsidePage::Side::A);
        QVERIFY(!page.attention()->overview()->cells().diverging);
        QCOMPARE(page.partner()->text(), QString("Compare with…"));
    }

    void comparesExperts() {
        InsidePage& page = open(fixture("olmoe"));
        compareWith(fixture("minimax-m2"));
        page.showTokens(tokens(12), 11);
        QTRY_VERIFY(page.other() != nullptr && !page.isBusy());
        page.showView(InsideView::Experts);
        QVERIFY(page.experts()->hasExperts());
        const InsideCells& load = page.experts()->load()->cells();
        QVERIFY(load.diverging && largestOf(load.values) > 0);
        QCOMPARE(sumOf(load.values), 0.0F); // each token uses as many
        BlockTable& model = *page.experts()->model();
        for (int row = 0; row < model.rowCount(); ++row) {
            const auto named = [&](int column) { return model.index(row, column).data().toString().count(':'); };
            QCOMPARE(named(1), named(2));
            QCOMPARE(named(1) + named(3), static_cast<int>(page.inside()->experts->used));
        }
    }

    // The difference is made by the job that evaluates both models.
    void changesSidesAtOnce() {
        InsidePage& page = open(kSampleF16);
        compareWith(kSample);
        page.showTokens(tokens(1'200), 1'199);
        QTRY_VERIFY_WITH_TIMEOUT(page.other() != nullptr && !page.isBusy(), 120'000);
        page.attention()->showPart(1);
        const inference::AttentionMap* difference = page.attention()->map();
        UiWatchdog watchdog;
        for (const auto side : {InsideSide::A, InsideSide::B, InsideSide::Difference}) {
            watchdog.step(QString::number(static_cast<int>(side)));
            page.showSide(side);
            gufo::test::spinEventLoop();
        }
        watchdog.finish();
        QCOMPARE(page.attention()->map(), difference); // it was not made again
        QVERIFY2(watchdog.isQuick(), watchdog.verdict());
    }

    void exportsDifferences() {
        InsidePage& page = open(kSampleF16);
        compareWith(kSample);
        read("Once upon a time");
        QTRY_VERIFY(page.other() != nullptr && !page.isBusy());
        const QTemporaryDir folder;
        const auto written = [&](bool csv) {
            const QString path = folder.filePath(csv ? "a.csv" : "a.npy");
            QSignalSpy exported(&page, &InsidePage::exported);
            page.exportTo(path.toStdString(), csv);
            return exported.wait() && page.message().startsWith("Exported") ? bytesOf(path) : QByteArray();
        };
        const std::vector<float>& weights = page.attention()->map()->weights;
        const QByteArray array = written(false);
        QCOMPARE(array.last(static_cast<qsizetype>(weights.size() * sizeof(float))),
                 QByteArray(reinterpret_cast<const char*>(weights.data()),
                            static_cast<qsizetype>(weights.size() * sizeof(float))));
        QVERIFY(written(true).startsWith("head,query,0,1,"));
        for (const auto& [view, header, csv] :
             {std::tuple(InsideView::Lens, "'probability_b'",
                         "block,token,candidate,id_a,probability_a,id_b,probability_b\n"),
              std::tuple(InsideView::Norms, "'channel_b'", "block,token,stream_a,mixer_a,feed_forward_a,largest_a,")}) {
            page.showView(view);
            QVERIFY(written(false).contains(header));
            QVERIFY(written(true).startsWith(csv));
        }
        page.showSide(InsidePage::Side::B); // is exported as one model
        QVERIFY(written(true).startsWith("block,token,stream,mixer,"));
    }

    void refusesWhatDoesNotFit_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("other");
        QTest::addColumn<QString>("reason");
        QTest::newRow("blocks") << fixture("olmoe") << fixture("bailingmoe2") << "has 2 blocks and the other one 3";
        QTest::newRow("tokens") << fixture("olmoe") << fixture("qwen2moe") << "its vocabulary has 64 tokens";
        QTest::newRow("vocabulary") << QString() << QString() << "▁light"; // in place of ▁night
        QTest::newRow("no model") << kSample << QStringLiteral(GUFO_TEST_DATA "/README.md") << "cannot be compared";
    }
    void refusesWhatDoesNotFit() {
        QFETCH(QString, file);
        QFETCH(QString, other);
        QFETCH(QString, reason);
        if (file.isEmpty()) { // the same, but for the text of a token
            m_document = std::make_unique<ModelDocument>(gufo::test::tinyRunnable({}));
            std::vector<std::byte> bytes = gufo::test::runnableFile().build();
            const auto word =
                std::ranges::search(bytes, std::as_bytes(std::span("▁night").first(sizeof("▁night") - 1)));
            QVERIFY(!word.empty());
            word[3] = std::byte{'l'}; // after the three bytes of the space
            show().partner()->compareWith(gufo::test::modelOf(std::move(bytes)));
        } else {
            open(file).partner()->compareWith(other.toStdString());
        }
        QTRY_VERIFY(!m_page->message().isEmpty());
        QVERIFY2(m_page->message().startsWith("The models cannot be compared") && m_page->message().contains(reason),
                 qPrintable(m_page->message()));
        QVERIFY(m_page->partner()->partner() == nullptr);
        QVERIFY(!m_page->sides()->isVisible() && m_page->partner()->isEnabled());
    }

    void aComparisonIsCancelled() {
        const auto model = gufo::test::tinyRunnable({.width = 512, .blocks = 12, .context = 8192});
        m_document = std::make_unique<ModelDocument>(model);
        InsidePage& page = show();
        std::vector<TokenId> many;
        for (std::size_t i = 0; i < 4'000; ++i) {
            many.emplace_back(10 + i % 200);
        }
        page.showTokens(many, 0);
        QTRY_VERIFY(page.inside() != nullptr && !page.isBusy());
        page.partner()->compareWith(model);
        QTRY_VERIFY(page.other() != nullptr && !page.isBusy());
        QTest::keyClick(page.tokens(), Qt::Key_End);
        QVERIFY(page.isBusy() && !page.partner()->isEnabled());
        QTRY_VERIFY(part<QToolButton>(*page.jobBar())->isVisible());
        QTest::mouseClick(part<QToolButton>(*page.jobBar()), Qt::LeftButton);
        QVERIFY(!page.isBusy());
        QCOMPARE(page.message(), QString("Cancelled."));
        QVERIFY(gufo::test::waitUntilIdle());
        QCOMPARE(page.inside()->tokens, std::size_t{1}); // what was there before
        QCOMPARE(page.other()->tokens, std::size_t{1});
        QVERIFY(page.partner()->isEnabled());
    }
};

GUFO_TEST_WIDGETS(TestInsideComparison)

#include "tst_inside_comparison.moc"
