// The page Inside, used by mouse and keys.
#include "document/open_model.h"
#include "support/idle.h"
#include "support/page_parts.h"
#include "support/peak_memory.h"
#include "support/run_models.h"
#include "support/sanitized.h"
#include "support/test_unit.h"
#include "support/ui_test_settings.h"
#include "support/ui_watchdog.h"
#include "test_paths.h"
#include "ui/pages/inside/inside_page.h"
#include "ui/pages/inside/inside_partner.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>

using namespace gufo;
using namespace gufo::ui;
using gufo::test::part;

namespace {

const QString kSample = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q4_K.gguf");
const QString kSampleF16 = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf");

QString fixture(const char* name) {
    return QStringLiteral(GUFO_TEST_DATA "/architectures/%1.gguf").arg(QLatin1String(name));
}

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// The largest magnitude; cells where nothing is do not count.
float largestOf(const std::vector<float>& values) {
    float largest = 0;
    for (const float value : values) {
        largest = std::isnan(value) ? largest : std::max(largest, std::abs(value));
    }
    return largest;
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
    void compareWith(const QString& path) {
        QSignalSpy changed(m_page->partner(), &InsidePartner::changed);
        m_page->partner()->compareWith(path.toStdString());
        QVERIFY2(changed.wait(), qPrintable(m_page->message()));
    }
    // Of the stream at the last token.
    static float sizeOf(const inference::Inside& inside, std::size_t block) {
        return inside.sizes->stream[(block + 1) * inside.tokens - 1];
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
