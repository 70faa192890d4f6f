// Histograms as plots: figures, zooming by wheel and keys, exports and themes.
#include "plot_samples.h"
#include "support/test_unit.h"
#include "support/ui_test_settings.h"
#include "ui/plots/picture_options_dialog.h"

#include <QClipboard>
#include <QDir>
#include <QGuiApplication>
#include <QImage>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QXmlStreamReader>

using namespace gufo;
using namespace gufo::ui;
using namespace gufo::test;

class TestPlots : public QObject {
    Q_OBJECT

    UiTestSettings m_settings;

private slots:
    void initTestCase();
    void histogramShowsCoresFigures();
    void logAxisShowsASingleWeight();
    void wheelAsksForAnExactRecount();
    void keysZoomAndReset();
    void keysZoomAndMove_data();
    void keysZoomAndMove();
    void keysThatDoNothingGoOn();
    void zoomStaysInside();
    void codesAreNotRecounted();
    void emptyHistogramDraws();
    void fewDecadesAreLabelledPlainly();
    void decadesAreLabelledAlike_data();
    void decadesAreLabelledAlike();
    void exportsPng();
    void exportsSvg();
    void exportsPdf();
    void picturesSayWhatTheyShow_data();
    void picturesSayWhatTheyShow();
    void picturesHaveTheChosenSizeAndColours_data();
    void picturesHaveTheChosenSizeAndColours();
    void pictureOptionsAreKept();
    void exportFailsClearly();
    void copiesAPicture();
    void redrawsWithTheTheme();
};

namespace {

PictureFrame frame() {
    return {.title = QStringLiteral("Histogram of the weights"),
            .lines = {QStringLiteral("blk.0.t, F32, 100 × 100"), QStringLiteral("Reference: owl-F32.gguf")},
            .xLabel = QStringLiteral("weight"),
            .yLabel = QStringLiteral("weights per bin"),
            .keys = {seriesKey(QStringLiteral("owl-Q8_0"), 0), seriesKey(QStringLiteral("owl-Q4_0"), 1)}};
}

} // namespace

void TestPlots::initTestCase() { Theme::instance().apply(); }

void TestPlots::histogramShowsCoresFigures() {
    const auto model = normalModel();
    HistogramPlot plot;
    plot.resize(400, 200);
    plot.show();
    showContent(plot, *model);
    const auto counted = countHistogram(*model, TensorIndex(0), {.bins = 256});
    QVERIFY(counted);
    QCOMPARE(plot.histogram().counts, counted->counts);
    QCOMPARE(plot.xAxis->range().lower, counted->lo);
    QCOMPARE(plot.xAxis->range().upper, counted->hi);
    // Every bin is a step of the line at its left edge, as high as its count.
    const auto points = plot.graph(0)->data();
    QCOMPARE(points->size(), 256 + 3);
    for (int i = 0; i < 256; ++i) {
        QCOMPARE(points->at(i + 1)->key, counted->edge(static_cast<std::size_t>(i)));
        QCOMPARE(points->at(i + 1)->value,
                 std::max(0.4, static_cast<double>(counted->counts[static_cast<std::size_t>(i)])));
    }
}

void TestPlots::logAxisShowsASingleWeight() {
    HistogramPlot plot;
    plot.setContent({.histogram = {.lo = 0, .hi = 2, .counts = {1, 1000}}, .things = QStringLiteral("weights")});
    QCOMPARE(plot.yAxis->scaleType(), QCPAxis::stLogarithmic);
    QCOMPARE(plot.yAxis->range().lower, 0.5);
    QVERIFY(plot.yAxis->range().upper > 1000);
    plot.setLogarithmic(false);
    QCOMPARE(plot.yAxis->scaleType(), QCPAxis::stLinear);
    QCOMPARE(plot.yAxis->range().lower, 0.0);
}

void TestPlots::wheelAsksForAnExactRecount() {
    const auto model = normalModel();
    HistogramPlot plot;
    plot.resize(400, 200);
    plot.show();
    showContent(plot, *model);
    QVERIFY(!plot.isZoomed());
    QSignalSpy wanted(&plot, &HistogramPlot::recountWanted);
    turnWheel(plot, plot.axisRect()->center(), 3);
    turnWheel(plot, plot.axisRect()->center(), 1);
    QVERIFY(plot.isZoomed());
    QVERIFY(wanted.wait());
    QCOMPARE(wanted.count(), 1); // one for both wheel events
    const std::array range{wanted[0][0].toDouble(), wanted[0][1].toDouble()};
    const auto recount = countHistogram(*model, TensorIndex(0), {.bins = 256, .range = range});
    QVERIFY(recount);
    plot.setRecount(*recount);
    QCOMPARE(plot.histogram().counts, recount->counts);
    QCOMPARE(plot.xAxis->range().lower, range[0]); // the view stays
    QTest::mouseDClick(&plot, Qt::LeftButton, Qt::NoModifier, plot.axisRect()->center());
    QVERIFY(!plot.isZoomed());
    QCOMPARE(plot.histogram().counts.size(), 256U);
    QVERIFY(plot.histogram().counts != recount->counts);
}

void TestPlots::keysZoomAndReset() {
    const auto model = normalModel();
    HistogramPlot plot;
    plot.resize(400, 200);
    plot.show();
    showContent(plot, *model);
    const double whole = plot.xAxis->range().size();
    QTest::keyClick(&plot, Qt::Key_Plus);
    QCOMPARE(plot.xAxis->range().size(), whole / 1.25);
    const double lower = plot.xAxis->range().lower;
    QTest::keyClick(&plot, Qt::Key_Right);
    QVERIFY(plot.xAxis->range().lower > lower);
    QTest::keyClick(&plot, Qt::Key_Home);
    QCOMPARE(plot.xAxis->range().size(), whole);
    QVERIFY(!plot.isZoomed());
}

void TestPlots::keysZoomAndMove_data() {
    QTest::addColumn<int>("zoomed");
    QTest::addColumn<bool>("reversed");
    QTest::addColumn<Qt::Key>("key");
    QTest::addColumn<QCPRange>("x");
    QTest::addColumn<QCPRange>("y");
    constexpr int kBoth = Qt::Horizontal | Qt::Vertical;
    const QCPRange all(0, 8);
    const QCPRange close(4 - 4 * 0.8, 4 + 4 * 0.8);
    const QCPRange far(-1, 9);
    const QCPRange less(-1, 7);
    const QCPRange more(1, 9);
    QTest::newRow("closer") << kBoth << false << Qt::Key_Plus << close << close;
    QTest::newRow("closer, without Shift") << kBoth << false << Qt::Key_Equal << close << close;
    QTest::newRow("farther") << kBoth << false << Qt::Key_Minus << far << far;
    QTest::newRow("closer, one axis") << int(Qt::Horizontal) << false << Qt::Key_Plus << close << all;
    QTest::newRow("farther, one axis") << int(Qt::Horizontal) << false << Qt::Key_Minus << far << all;
    QTest::newRow("left") << kBoth << false << Qt::Key_Left << less << all;
    QTest::newRow("right") << int(Qt::Horizontal) << false << Qt::Key_Right << more << all;
    QTest::newRow("up") << kBoth << false << Qt::Key_Up << all << more;
    QTest::newRow("down") << kBoth << false << Qt::Key_Down << all << less;
    QTest::newRow("up, rows from the top") << kBoth << true << Qt::Key_Up << all << less;
    QTest::newRow("down, rows from the top") << kBoth << true << Qt::Key_Down << all << more;
}

void TestPlots::keysZoomAndMove() {
    QFETCH(int, zoomed);
    QFETCH(bool, reversed);
    QFETCH(Qt::Key, key);
    PlainPlot plot{Qt::Orientations(zoomed)};
    plot.yAxis->setRangeReversed(reversed);
    plot.show();
    QTest::keyClick(&plot, key);
    QTEST(plot.xAxis->range(), "x");
    QTEST(plot.yAxis->range(), "y");
    QTest::keyClick(&plot, key == Qt::Key_Plus ? Qt::Key_0 : Qt::Key_Home);
    QCOMPARE(plot.xAxis->range(), QCPRange(0, 8));
    QCOMPARE(plot.yAxis->range(), QCPRange(0, 8));
}

void TestPlots::keysThatDoNothingGoOn() {
    PlainPlot plot(Qt::Horizontal);
    plot.show();
    for (const Qt::Key key : {Qt::Key_Up, Qt::Key_Down, Qt::Key_A}) {
        QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier);
        QCoreApplication::sendEvent(&plot, &event);
        QVERIFY(!event.isAccepted()); // so that a page around it scrolls
    }
    QCOMPARE(plot.xAxis->range(), QCPRange(0, 8));
    QCOMPARE(plot.yAxis->range(), QCPRange(0, 8));
}

void TestPlots::zoomStaysInside() {
    const auto model = normalModel();
    HistogramPlot plot;
    plot.resize(400, 200);
    plot.show();
    showContent(plot, *model);
    const QCPRange whole = plot.xAxis->range();
    for (int i = 0; i < 40; ++i) {
        QTest::keyClick(&plot, Qt::Key_Minus);
    }
    QCOMPARE(plot.xAxis->range(), whole);
    for (int i = 0; i < 300; ++i) {
        QTest::keyClick(&plot, Qt::Key_Plus);
    }
    QVERIFY(plot.xAxis->range().size() > 0);
    for (int i = 0; i < 40; ++i) {
        QTest::keyClick(&plot, Qt::Key_Minus);
        QTest::keyClick(&plot, Qt::Key_Left);
    }
    QVERIFY(plot.xAxis->range().lower >= whole.lower);
    QVERIFY(plot.xAxis->range().upper <= whole.upper);
}

void TestPlots::codesAreNotRecounted() {
    HistogramPlot plot;
    plot.resize(400, 200);
    plot.show();
    plot.setContent({.histogram = {.lo = -0.5, .hi = 15.5, .counts = std::vector<std::uint64_t>(16, 7)},
                     .things = QStringLiteral("weights"),
                     .codes = true});
    QSignalSpy wanted(&plot, &HistogramPlot::recountWanted);
    QTest::keyClick(&plot, Qt::Key_Plus);
    QVERIFY(test::waitUntilIdle());
    QCOMPARE(wanted.count(), 0);
}

void TestPlots::emptyHistogramDraws() {
    HistogramPlot plot;
    plot.resize(400, 200);
    plot.show();
    plot.clear();
    QVERIFY(!plot.grab().isNull());
    plot.setContent({.histogram = {.lo = 0, .hi = 1, .counts = std::vector<std::uint64_t>(8)},
                     .things = QStringLiteral("weights")});
    QVERIFY(!plot.grab().isNull());
}

void TestPlots::fewDecadesAreLabelledPlainly() {
    HistogramPlot plot;
    plot.resize(400, 260);
    plot.show();
    plot.setContent({.histogram = {.lo = 0, .hi = 2, .counts = {1, 8}}, .things = QStringLiteral("weights")});
    plot.replot();
    QVERIFY(plot.yAxis->tickVectorLabels().contains(QStringLiteral("5")));
    QCOMPARE(plot.yAxis->tickVectorLabels().count(QStringLiteral("10")), 1);
    plot.setContent({.histogram = {.lo = 0, .hi = 2, .counts = {1, 13'000'000}}, .things = QStringLiteral("weights")});
    plot.replot();
    QVERIFY(plot.yAxis->tickVectorLabels().contains(QStringLiteral("10⁶")));
    QVERIFY(!plot.yAxis->tickVectorLabels().contains(QStringLiteral("10⁵")));
}

void TestPlots::decadesAreLabelledAlike_data() {
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<QStringList>("labels");
    QTest::newRow("near 1") << 0.005 << 20.0 << QStringList{"0.01", "0.1", "1", "10"};
    QTest::newRow("small") << 5e-6 << 0.02 << QStringList{"10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²"};
    QTest::newRow("up to 1") << 5e-5 << 2.0 << QStringList{"10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "10⁰"};
    QTest::newRow("large") << 500.0 << 20'000.0 << QStringList{"10³", "10⁴"};
}

// Labels as 0.0001 beside 10⁻⁵ cannot be compared at a glance.
void TestPlots::decadesAreLabelledAlike() {
    QFETCH(double, low);
    QFETCH(double, high);
    QCustomPlot plot;
    plot.resize(300, 900);
    plot.yAxis->setScaleType(QCPAxis::stLogarithmic);
    plot.yAxis->setTicker(QSharedPointer<DecadeTicker>::create());
    plot.yAxis->setRange(low, high);
    plot.replot();
    QStringList shown;
    const QVector<double> ticks = plot.yAxis->tickVector();
    for (qsizetype i = 0; i < ticks.size(); ++i) {
        if (ticks[i] >= low && ticks[i] <= high) {
            shown << plot.yAxis->tickVectorLabels().at(i);
        }
    }
    QTEST(shown, "labels");
}

void TestPlots::exportsPng() {
    const QTemporaryDir dir;
    HeatMap map;
    map.resize(300, 200);
    map.setMatrix(4, 4, 0, 0);
    map.setCells({.lastRow = 3, .lastColumn = 3}, checkerboard(4, 4));
    std::optional<Result<>> result;
    exportPlot(&map, map, frame(), {}, pathIn(dir, "map.png"), PlotFormat::Png, [&](Result<> r) { result = r; });
    QTRY_VERIFY(result.has_value());
    QVERIFY(*result);
    const QImage image(dir.filePath(QStringLiteral("map.png")));
    const FrameLayout layout(frame(), {}, map.size());
    QCOMPARE(layout.content().size(), map.size()); // as large as in the window
    QCOMPARE(image.size(), layout.size() * 2);
    QVERIFY(image.pixelColor(layout.content().center() * 2) != image.pixelColor(2, 2));
}

void TestPlots::exportsSvg() {
    const QTemporaryDir dir;
    HistogramPlot plot;
    plot.resize(400, 200);
    showContent(plot, *normalModel());
    std::optional<Result<>> result;
    exportPlot(&plot, plot, frame(), {}, pathIn(dir, "plot.svg"), PlotFormat::Svg, [&](Result<> r) { result = r; });
    QTRY_VERIFY(result.has_value());
    QVERIFY(*result);
    const QByteArray svg = fileContents(pathIn(dir, "plot.svg"));
    QXmlStreamReader reader(svg);
    int paths = 0;
    int texts = 0;
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement) {
            paths += reader.name() == QLatin1String("path") || reader.name() == QLatin1String("polyline") ? 1 : 0;
            texts += reader.name() == QLatin1String("text") ? 1 : 0;
        }
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QVERIFY(paths >= 2);
    QVERIFY(texts >= 4); // labels are text, not outlines
    QSvgRenderer renderer(svg);
    QVERIFY(renderer.isValid());
    QCOMPARE(renderer.viewBox(), QRect(QPoint(), FrameLayout(frame(), {}, plot.size()).size()));
}

void TestPlots::exportsPdf() {
    const QTemporaryDir dir;
    HistogramPlot plot;
    plot.resize(400, 200);
    showContent(plot, *normalModel());
    std::optional<Result<>> result;
    exportPlot(&plot, plot, frame(), {}, pathIn(dir, "plot.pdf"), PlotFormat::Pdf, [&](Result<> r) { result = r; });
    QTRY_VERIFY(result.has_value());
    QVERIFY(*result);
    const QByteArray pdf = fileContents(pathIn(dir, "plot.pdf"));
    QVERIFY(pdf.startsWith("%PDF-1."));
    QVERIFY(pdf.trimmed().endsWith("%%EOF"));
    const int points = qRound(0.75 * FrameLayout(frame(), {}, plot.size()).size().width());
    QVERIFY(pdf.contains("/MediaBox [0 0 " + QByteArray::number(points)));
}

void TestPlots::picturesSayWhatTheyShow_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("as shown") << QSize();
    QTest::newRow("large") << QSize(1200, 900);
    QTest::newRow("narrow") << QSize(260, 500);
}

// Exported plots had neither title nor names, reference, axis labels or legend.
void TestPlots::picturesSayWhatTheyShow() {
    QFETCH(QSize, size);
    const QTemporaryDir dir;
    HistogramPlot plot;
    plot.resize(400, 200);
    showContent(plot, *normalModel());
    const QMargins margins = plot.axisRect()->margins();
    std::optional<Result<>> result;
    exportPlot(&plot, plot, frame(), {.size = size}, pathIn(dir, "plot.svg"), PlotFormat::Svg,
               [&](Result<> r) { result = r; });
    QTRY_VERIFY(result.has_value());
    QVERIFY(*result);
    QXmlStreamReader reader(fileContents(pathIn(dir, "plot.svg")));
    QString texts;
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text")) {
            texts += reader.readElementText() + u' ';
        }
    }
    texts = texts.simplified();
    for (const char* part : {"Histogram of the weights", "blk.0.t, F32", "Reference: owl-F32.gguf", "weight",
                             "weights per bin", "owl-Q8_0", "owl-Q4_0"}) {
        QVERIFY2(texts.contains(QString::fromUtf8(part)),
                 qPrintable(QString::fromUtf8(part) + QStringLiteral(" in ") + texts));
    }
    // The plot in the window is as before.
    QVERIFY(plot.xAxis->label().isEmpty());
    QVERIFY(plot.yAxis->label().isEmpty());
    QCOMPARE(plot.axisRect()->margins().left(), margins.left());
}

void TestPlots::picturesHaveTheChosenSizeAndColours_data() {
    QTest::addColumn<PictureTheme>("theme");
    QTest::addColumn<int>("scale");
    QTest::addColumn<bool>("dark");
    QTest::newRow("as in the window") << PictureTheme::Window << 1 << false;
    QTest::newRow("light") << PictureTheme::Light << 3 << false;
    QTest::newRow("dark") << PictureTheme::Dark << 2 << true;
}

void TestPlots::picturesHaveTheChosenSizeAndColours() {
    QFETCH(PictureTheme, theme);
    QFETCH(int, scale);
    QFETCH(bool, dark);
    Theme::instance().setChoice(Theme::Choice::Light);
    const QTemporaryDir dir;
    HistogramPlot plot;
    plot.resize(400, 200);
    showContent(plot, *normalModel());
    QSignalSpy changed(&Theme::instance(), &Theme::changed);
    std::optional<Result<>> result;
    const PictureOptions options{.size = {900, 640}, .scale = scale, .theme = theme};
    exportPlot(&plot, plot, frame(), options, pathIn(dir, "plot.png"), PlotFormat::Png,
               [&](Result<> r) { result = r; });
    const QColor inWindow = themeColor(Token::Base);
    QCOMPARE(plot.toPixmap(400, 200).toImage().pixelColor(2, 2), inWindow);
    QTRY_VERIFY(result.has_value());
    QVERIFY(*result);
    const QImage image(dir.filePath(QStringLiteral("plot.png")));
    QCOMPARE(image.size(), options.size * scale);
    const QRect content = FrameLayout(frame(), options.size, {}).content();
    for (const QPoint at : {QPoint(3, 3), (content.topLeft() + QPoint(2, 2)) * scale}) { // the frame and the plot
        QCOMPARE(image.pixelColor(at).lightness() < 60, dark);
    }
    QCOMPARE(changed.count(), 0); // the window does not change
}

void TestPlots::pictureOptionsAreKept() {
    const PictureOptions before = pictureOptions();
    PictureOptionsDialog dialog;
    QCOMPARE(dialog.options(), before);
    dialog.findChild<QCheckBox*>("asShownBox")->setChecked(false);
    dialog.findChild<QSpinBox*>("widthField")->setValue(1600);
    dialog.findChild<QSpinBox*>("heightField")->setValue(900);
    dialog.findChild<QSpinBox*>("scaleField")->setValue(4);
    dialog.findChild<QComboBox*>("themeField")->setCurrentIndex(2);
    savePictureOptions(dialog.options());
    QCOMPARE(pictureOptions(), (PictureOptions{.size = {1600, 900}, .scale = 4, .theme = PictureTheme::Dark}));
    QCOMPARE(PictureOptionsDialog().options(), pictureOptions());
    QSettings().setValue(QStringLiteral("pictures/width"), 2'000'000'000); // not what the dialog allows
    QCOMPARE(pictureOptions().size, QSize());
    savePictureOptions(before);
}

void TestPlots::exportFailsClearly() {
    const QTemporaryDir dir;
    HistogramPlot plot;
    plot.resize(400, 200);
    std::optional<Result<>> result;
    exportPlot(&plot, plot, frame(), {}, pathIn(dir, "no/such.png"), PlotFormat::Png, [&](Result<> r) { result = r; });
    QTRY_VERIFY(result.has_value());
    QVERIFY(!*result);
    QCOMPARE(result->error().code, ErrorCode::WriteFailed);
    QVERIFY(QDir(dir.path()).isEmpty());
}

void TestPlots::copiesAPicture() {
    HistogramPlot plot;
    plot.resize(400, 200);
    showContent(plot, *normalModel());
    copyPlot(plot, frame(), {});
    QCOMPARE(QGuiApplication::clipboard()->image().size(), FrameLayout(frame(), {}, plot.size()).size() * 2);
}

void TestPlots::redrawsWithTheTheme() {
    HistogramPlot plot;
    plot.resize(400, 200);
    showContent(plot, *normalModel());
    const auto corner = [&plot] { return plot.toPixmap(400, 200).toImage().pixelColor(2, 2); };
    Theme::instance().setChoice(Theme::Choice::Light);
    const QColor light = corner();
    QCOMPARE(light, themeColor(Token::Base));
    Theme::instance().setChoice(Theme::Choice::Dark);
    QCOMPARE(corner(), themeColor(Token::Base));
    QVERIFY(corner() != light);
    Theme::instance().setChoice(Theme::Choice::Light);
}

GUFO_TEST_WIDGETS(TestPlots)
#include "tst_plots.moc"
