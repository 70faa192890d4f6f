#include "compared_models.h"
#include "support/page_models.h"
#include "support/test_unit.h"
#include "support/ui_test_settings.h"
#include "ui/compare/comparison.h"
#include "ui/compare/comparison_export.h"
#include "ui/compare/drill_down/block_values.h"
#include "ui/compare/drill_down/pair_statistics.h"
#include "ui/compare/drill_down/pair_table_model.h"
#include "ui/compare/trade_off/trade_off_model.h"
#include "ui/compare/trade_off/trade_off_page.h"
#include "ui/plots/metric_legend.h"
#include "ui/quantize/imatrix_field.h"
#include "ui/shell/file_dialogs.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>

using namespace gufo;
using namespace gufo::ui;
namespace fs = std::filesystem;

class TestComparisonModels : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { Job::waitForAll(); }
    void scales();
    void frontier();
    void bestWithinALimit();
    void measuredDivergence();
    void csv();
    void tensorsWorstFirst();
    void unmatchedTensorsAreListed();
    void worstOverAllFiles();
    void reportsHaveNoPaths();
    void namesOfExports_data();
    void namesOfExports();
    void filterAndOrder();
    void statistics();
    void tradeOffTable();
    void notFiniteWeights();
    void incompleteFiles();
    void importanceMatrix();
    void keepsWhatWasFoundWhenCancelled();
    void anotherReference();

private:
    bool compare(Comparison& comparison, const Places& files) const {
        comparison.start(files);
        return QTest::qWaitFor(
            [&] { return comparison.state() == Comparison::State::Done && comparison.metadata() != nullptr; }, 20'000);
    }
    std::size_t rowOf(const Comparison& comparison, std::string_view name) const {
        const auto& rows = comparison.matches()->rows;
        return static_cast<std::size_t>(std::ranges::find(rows, name, &TensorMatch::name) - rows.begin());
    }

    UiTestSettings m_settings;
    QTemporaryDir m_dir;
    fs::path m_f32;
    fs::path m_q8;
    fs::path m_q4;
    fs::path m_odd;
    fs::path m_nan;
};

void TestComparisonModels::initTestCase() {
    qputenv("XDG_CACHE_HOME", m_dir.path().toUtf8());
    const fs::path root = m_dir.path().toStdString();
    m_f32 = root / "small-F32.gguf";
    m_q8 = root / "small-Q8_0.gguf";
    m_q4 = root / "small-Q4_0.gguf";
    m_odd = root / "odd.gguf";
    m_nan = root / "small-NaN.gguf";
    test::writeCompareModel(m_nan, {.notFinite = "blk.0.attn_q.weight"});
    test::writeCompareModel(m_f32, {});
    test::writeCompareModel(m_q8, {.type = TensorType::Q8_0});
    test::writeCompareModel(m_q4, {.type = TensorType::Q4_0,
                                   .chatTemplate = "{% for message in messages %}\n{{ message.text }}\n{% endfor %}\n",
                                   .tokens = {"<unk>", "<s>", "</s>", "hello", "there"}});
    test::writeCompareModel(m_odd, {.type = TensorType::Q4_0,
                                    .without = "blk.1.attn_k.weight",
                                    .extra = "blk.1.attn_v.weight",
                                    .reshaped = "blk.2.attn_q.weight"});
}

void TestComparisonModels::scales() {
    for (const MetricFact& info : mapMetrics()) {
        QCOMPARE(&metricFact(info.metric), &info);
        const std::vector<double> figures{0.002, 0.03};
        const MetricScale scale = scaleFor(info, figures);
        QVERIFY2(scale.high > scale.low, info.id);
        QCOMPARE(scale.positionOf(scale.low), 0.0);
        QCOMPARE(scale.positionOf(scale.high), 1.0);
        QCOMPARE(scale.positionOf(scale.low / 100 - 1000), 0.0);
        QVERIFY(std::abs(scale.positionOf(scale.valueAt(0.37)) - 0.37) < 1e-9);
        QVERIFY2(scale.ticks().size() >= 2, info.id);
        QVERIFY(!metricTitle(info).isEmpty());
        QVERIFY(!metricHeading(info).isEmpty());
        QVERIFY(metricColor(scale, scale.low, ColorMap::Cividis) != metricColor(scale, scale.high, ColorMap::Cividis));
    }
    // The closest has the bright end of the scale, whichever direction the metric has.
    const MetricScale sqnr = scaleFor(metricFact(Metric::Sqnr), {});
    const MetricScale nmse = scaleFor(metricFact(Metric::Nmse), {});
    QCOMPARE(metricColor(sqnr, 40, ColorMap::Viridis), metricColor(nmse, 1e-4, ColorMap::Viridis));
    QCOMPARE(metricColor(sqnr, 10, ColorMap::Viridis), metricColor(nmse, 1e-1, ColorMap::Viridis));
}

void TestComparisonModels::frontier() {
    const auto point = [](std::size_t file, double size, std::optional<double> quality) {
        TradeOffPoint made;
        made.file = file;
        made.size = size;
        made.quality = quality;
        return made;
    };
    std::vector<TradeOffPoint> points{point(0, 4, 40), point(1, 3, 20), point(2, 2, 25), point(3, 1, 10),
                                      point(4, 2, 24)};
    findFrontier(points, true);
    const std::vector<bool> expected{true, false, true, true, false};
    for (std::size_t i = 0; i < points.size(); ++i) {
        QCOMPARE(points[i].frontier, static_cast<bool>(expected[i]));
    }
    QCOMPARE(points[1].better, std::optional<std::size_t>(2));
    QCOMPARE(points[4].better, std::optional<std::size_t>(2));
    findFrontier(points, false); // now lower is closer
    QVERIFY(points[3].frontier && !points[0].frontier);
    // What cannot be compared takes a file off the frontier, and it is not better than others.
    std::vector<TradeOffPoint> broken{point(0, 1, 40), point(1, 2, 20)};
    broken[0].lossless = true;
    broken[0].leftOut = QStringList{QStringLiteral("1 tensor has another shape")};
    findFrontier(broken, true);
    QVERIFY(!broken[0].frontier && broken[1].frontier && !broken[1].better);
    // Of equal points, both are on the frontier. The reference never is.
    std::vector<TradeOffPoint> twins{point(0, 2, 25), point(1, 2, 25), point(2, 1, std::nullopt)};
    twins[2].reference = true;
    findFrontier(twins, true);
    QVERIFY(twins[0].frontier && twins[1].frontier && !twins[2].frontier);
}

void TestComparisonModels::bestWithinALimit() {
    const auto point = [](std::uint64_t memory, std::optional<double> quality) {
        TradeOffPoint made;
        made.memory = memory;
        made.quality = quality;
        return made;
    };
    std::vector<TradeOffPoint> points{point(100, std::nullopt), point(60, 30), point(40, 20), point(50, 20),
                                      point(10, std::nullopt)};
    points[0].reference = true;
    QCOMPARE(fitPoints(points, 100, true), std::optional<std::size_t>(0)); // nothing is closer than the reference
    QCOMPARE(fitPoints(points, 99, true), std::optional<std::size_t>(1));
    QVERIFY(points[0].tooLarge && !points[1].tooLarge);
    QCOMPARE(fitPoints(points, 59, true), std::optional<std::size_t>(2)); // as close as the other, and smaller
    QCOMPARE(fitPoints(points, 99, false), std::optional<std::size_t>(2));
    QCOMPARE(fitPoints(points, 39, true), std::nullopt); // how close the last one is, is not known
    points[4].lossless = true;
    QCOMPARE(fitPoints(points, 99, true), std::optional<std::size_t>(4));
    points[4].memory.reset();
    QCOMPARE(fitPoints(points, 99, true), std::optional<std::size_t>(1));
    QVERIFY(!points[4].tooLarge);
}

// Once the files were run on a text, their divergence is a measure of quality.
void TestComparisonModels::measuredDivergence() {
    Comparison comparison;
    QVERIFY(compare(comparison, {m_f32, m_q4, m_q8}));
    const auto quality = [&](std::size_t file) {
        return tradeOff(comparison, Metric::Divergence, SizeMeasure::Bytes, {})[file].quality;
    };
    QVERIFY(!quality(1) && !quality(2));
    QSignalSpy measured(&comparison, &Comparison::divergencesMeasured);
    comparison.setDivergences(comparison.referencePlace(),
                              {{comparison.files()[1].place, 0.25}, {comparison.files()[2].place, 0.01}},
                              QStringLiteral("owls.txt"));
    QCOMPARE(comparison.divergenceText(), QStringLiteral("owls.txt"));
    QCOMPARE(measured.count(), 1);
    QCOMPARE(quality(1), std::optional(0.25));
    QCOMPARE(quality(2), std::optional(0.01));
    QVERIFY(!quality(0)); // the reference
    comparison.setDivergences(comparison.files()[1].place, {{comparison.files()[2].place, 0.5}},
                              QStringLiteral("mice.txt"));
    QVERIFY(comparison.divergenceText().isEmpty());
    QVERIFY(!quality(2)); // measured against another reference
}

void TestComparisonModels::csv() {
    QCOMPARE(csvText({"a", "b"}, {{"1,5", "say \"x\""}, {"x\ny", ""}}),
             QStringLiteral("a,b\r\n\"1,5\",\"say \"\"x\"\"\"\r\n\"x\ny\",\r\n"));
    QCOMPARE(csvNumber(-0.5), QStringLiteral("-0.5"));
    QCOMPARE(csvNumber({}), QString());
}

void TestComparisonModels::tensorsWorstFirst() {
    Comparison comparison;
    PairTableModel model(comparison);
    QAbstractItemModelTester tester(&model);
    QCOMPARE(model.rowCount(), 0);
    connect(&comparison, &Comparison::filesChanged, &model, &PairTableModel::refill);
    connect(&comparison, &Comparison::matched, &model, &PairTableModel::refill);
    connect(&comparison, &Comparison::rowsFound, &model, &PairTableModel::rowsFound);
    QVERIFY(compare(comparison, {m_q4, m_f32, m_q8}));
    model.resort();
    QCOMPARE(comparison.reference(), 1U); // most bits
    QCOMPARE(model.rowCount(), 14);
    QCOMPARE(model.columnCount(), 5); // name, type, two files, share
    model.setFile(0);
    model.sort(model.columnOf(0), Qt::AscendingOrder);
    double before = -100;
    int identical = 0;
    for (int row = 0; row < model.rowCount(); ++row) {
        const QString text = model.index(row, model.columnOf(0)).data().toString();
        if (text == QStringLiteral("identical")) {
            ++identical;
            continue;
        }
        QCOMPARE(identical, 0); // they come last
        const double value = text.toDouble();
        QVERIFY2(value >= before && value > 5 && value < 40, qPrintable(text));
        before = value;
    }
    QCOMPARE(identical, 4); // the norms
    // Q8_0 is closer everywhere.
    for (std::size_t row = 0; row < comparison.matches()->rows.size(); ++row) {
        const PairFigures q4 = figuresOf(comparison.cell(row, 0).sums);
        const PairFigures q8 = figuresOf(comparison.cell(row, 2).sums);
        QVERIFY(!q4.sqnrDb || *q4.sqnrDb < *q8.sqnrDb);
    }
    // The shares of the error add up to 1.
    double sum = 0;
    for (int row = 0; row < model.rowCount(); ++row) {
        sum += model.index(row, model.shareColumn()).data().toString().remove(u'%').trimmed().toDouble();
    }
    QVERIFY(std::abs(sum - 100) < 0.1);
    model.sort(model.shareColumn(), Qt::AscendingOrder);
    QCOMPARE(model.index(0, model.shareColumn()).data(PairTableModel::kShareRole).toDouble(), 1.0);
    for (const MetricFact& info : mapMetrics()) {
        model.setMetric(info.metric);
        QVERIFY(!model.index(0, model.columnOf(0)).data().toString().isEmpty());
    }
}

void TestComparisonModels::unmatchedTensorsAreListed() {
    Comparison comparison;
    QVERIFY(compare(comparison, {m_f32, m_odd}));
    PairTableModel model(comparison);
    QAbstractItemModelTester tester(&model);
    const auto text = [&](std::string_view name) {
        const int row = model.indexOfRow(rowOf(comparison, name));
        return model.index(row, model.columnOf(1)).data().toString();
    };
    QCOMPARE(text("blk.1.attn_k.weight"), QStringLiteral("missing"));
    QCOMPARE(text("blk.1.attn_v.weight"), QStringLiteral("extra"));
    QCOMPARE(text("blk.2.attn_q.weight"), QStringLiteral("other shape"));
    QCOMPARE(model.rowCount(), 15);
    QCOMPARE(model.counts().apart, 3U);
    // What cannot be compared is the worst: before all rows with a figure, whichever order shows the worst first.
    for (const int column : {-1, model.columnOf(1), model.shareColumn()}) {
        model.sort(column, Qt::AscendingOrder);
        QCOMPARE(model.indexOfRow(rowOf(comparison, "blk.1.attn_k.weight")), 0); // missing
        QCOMPARE(model.indexOfRow(rowOf(comparison, "blk.2.attn_q.weight")), 1); // another shape
        QCOMPARE(model.indexOfRow(rowOf(comparison, "blk.1.attn_v.weight")), 2); // extra
    }
    QCOMPARE(model.worstRow(), std::optional(rowOf(comparison, "blk.1.attn_k.weight")));
}

// The worst over all files, not over the one whose column was sorted last.
void TestComparisonModels::worstOverAllFiles() {
    const fs::path root = m_dir.path().toStdString();
    const fs::path q8 = root / "small-one-bad-Q8_0.gguf"; // worse than Q4_0 in one tensor only
    test::writeCompareModel(q8, {.type = TensorType::Q8_0, .reshaped = "blk.1.ffn_up.weight"});
    Comparison comparison;
    comparison.start({m_f32, q8, m_q4, m_nan}, m_f32);
    QVERIFY(QTest::qWaitFor([&] { return comparison.state() == Comparison::State::Done; }, 20'000));
    PairTableModel model(comparison);
    QAbstractItemModelTester tester(&model);
    model.sort(-1, Qt::AscendingOrder);
    QCOMPARE(model.indexOfRow(rowOf(comparison, "blk.1.ffn_up.weight")), 0); // cannot be compared in one file
    QCOMPARE(model.indexOfRow(rowOf(comparison, "blk.0.attn_q.weight")), 1); // only partly, because of a NaN in another
    QCOMPARE(model.worstRow(), std::optional(rowOf(comparison, "blk.1.ffn_up.weight")));
    // Then in the order of the worst figure of each row.
    double before = -1000;
    for (int at = 2; at < model.rowCount(); ++at) {
        const std::size_t row = model.rows()[static_cast<std::size_t>(at)];
        double worst = 1000; // identical in all files
        for (const std::size_t file : comparison.others()) {
            worst = std::min(worst, figuresOf(comparison.cell(row, file).sums).sqnrDb.value_or(1000));
        }
        QVERIFY2(worst >= before, qPrintable(model.label(row)));
        before = worst;
    }
    QCOMPARE(before, 1000.0);
    // Identical tensors have no worst.
    const fs::path same = root / "same.gguf";
    fs::copy_file(m_f32, same, fs::copy_options::overwrite_existing);
    Comparison equal;
    QVERIFY(compare(equal, {m_f32, same}));
    QVERIFY(!PairTableModel(equal).worstRow());
}

// Reports are given to others: neither they nor the names of files that are alike tell where files are.
void TestComparisonModels::reportsHaveNoPaths() {
    const fs::path root = m_dir.path().toStdString();
    fs::create_directories(root / "private" / "a");
    fs::create_directories(root / "private" / "b");
    const fs::path first = root / "private" / "a" / "owl.gguf";
    const fs::path second = root / "private" / "b" / "owl.gguf";
    fs::copy_file(m_f32, first, fs::copy_options::overwrite_existing);
    fs::copy_file(m_q4, second, fs::copy_options::overwrite_existing);
    Comparison comparison;
    QVERIFY(compare(comparison, {first, second}));
    const FinishedComparison finished{comparison.matches(), comparison.result(), comparison.metadata()};
    for (const ComparisonFormatFact& format : comparisonFormats()) {
        const fs::path path = root / (std::string("report") + format.suffix);
        QVERIFY(writeComparison(finished, format.format, Metric::Sqnr, path));
        QFile file(QString::fromStdString(path.native()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY2(!text.contains(m_dir.path().toUtf8()) && !text.contains("private"), format.suffix);
        QVERIFY2(text.contains("a/owl") || format.format == ComparisonFormat::Csv, format.suffix); // tells them apart
        QVERIFY2(text.contains("b/owl"), format.suffix);
    }
}

void TestComparisonModels::namesOfExports_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<int>("proposed");
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("kind");
    const auto row = [](const char* title, const char* typed, ComparisonFormat proposed, const char* name,
                        ComparisonFormat kind) {
        QTest::newRow(title) << QString::fromUtf8(typed) << static_cast<int>(proposed) << QString::fromUtf8(name)
                             << static_cast<int>(kind);
    };
    using enum ComparisonFormat;
    row("complete", "/x/report.html", Html, "/x/report.html", Html);
    row("without a suffix", "/x/report", Html, "/x/report.html", Html);
    row("a dot in the name", "/x/Qwen2.5-7B comparison", Json, "/x/Qwen2.5-7B comparison.json", Json);
    row("the suffix of another format", "/x/report.html", Json, "/x/report.html", Html);
    row("capitals", "/x/REPORT.HTML", Csv, "/x/REPORT.HTML", Html);
    row("an unknown suffix", "/x/report.txt", Csv, "/x/report.txt.csv", Csv);
}

void TestComparisonModels::namesOfExports() {
    QFETCH(QString, typed);
    QFETCH(int, proposed);
    QFETCH(QString, name);
    QFETCH(int, kind);
    std::vector<ExportKind> kinds;
    for (const ComparisonFormatFact& format : comparisonFormats()) {
        kinds.push_back({QString::fromUtf8(format.filter), QLatin1String(format.suffix)});
    }
    QCOMPARE(exportName(typed, kinds, static_cast<std::size_t>(proposed)),
             (ExportName{name, static_cast<std::size_t>(kind)}));
}

void TestComparisonModels::filterAndOrder() {
    Comparison comparison;
    QVERIFY(compare(comparison, {m_f32, m_q4}));
    PairTableModel model(comparison);
    QAbstractItemModelTester tester(&model);
    const QPersistentModelIndex kept = model.index(model.indexOfRow(rowOf(comparison, "blk.2.attn_k.weight")), 0);
    model.sort(model.columnOf(1), Qt::DescendingOrder);
    QCOMPARE(kept.data().toString(), QStringLiteral("blk.2.attn_k.weight"));
    model.setFilter(*text::TensorFilter::parse(QStringLiteral("attn_k"), text::TensorFilter::Syntax::Terms));
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.indexOfRow(rowOf(comparison, "blk.0.attn_q.weight")), -1);
    model.setFilter(
        *text::TensorFilter::parse(QStringLiteral("Q4_0"), text::TensorFilter::Syntax::Terms)); // in any of the files
    QCOMPARE(model.rowCount(), 14 - 4);                                                         // without norms
    model.sort(PairTableModel::kName, Qt::AscendingOrder);                                      // the order of the file
    QVERIFY(std::ranges::is_sorted(model.rows()));
}

void TestComparisonModels::statistics() {
    Comparison comparison;
    QVERIFY(compare(comparison, {m_f32, m_q4, m_q8}));
    PairStatisticsModel model(comparison);
    QAbstractItemModelTester tester(&model);
    QCOMPARE(model.rowCount(), 0);
    model.setRow(rowOf(comparison, "blk.0.attn_q.weight"));
    QCOMPARE(model.rowCount(), 2);
    const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
    QCOMPARE(text(0, PairStatisticsModel::kType), QStringLiteral("Q4_0"));
    QCOMPARE(text(0, PairStatisticsModel::kBits), QStringLiteral("4.50"));
    QVERIFY(text(0, PairStatisticsModel::kAt).startsWith(u'['));
    QVERIFY(text(0, PairStatisticsModel::kSqnr).toDouble() < text(1, PairStatisticsModel::kSqnr).toDouble());
    model.setRow(rowOf(comparison, "blk.0.attn_norm.weight"));
    QCOMPARE(text(0, PairStatisticsModel::kSqnr), QStringLiteral("identical"));
}

void TestComparisonModels::tradeOffTable() {
    Comparison comparison;
    QVERIFY(compare(comparison, {m_f32, m_q4, m_q8}));
    TradeOffModel model;
    QAbstractItemModelTester tester(&model);
    model.setPoints(tradeOff(comparison, Metric::Sqnr, SizeMeasure::Bytes, {}), Metric::Sqnr);
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.index(0, TradeOffModel::kVerdict).data().toString(), QStringLiteral("reference")); // the largest
    QCOMPARE(model.index(1, TradeOffModel::kFile).data().toString(), QStringLiteral("Q8_0"));
    QCOMPARE(model.index(1, TradeOffModel::kVerdict).data().toString(), QStringLiteral("frontier"));
    model.sort(TradeOffModel::kQuality, Qt::AscendingOrder);
    QCOMPARE(model.index(0, TradeOffModel::kFile).data().toString(), QStringLiteral("Q4_0"));
    const auto attention = tradeOff(comparison, Metric::Nmse, SizeMeasure::BitsPerWeight, TensorGroup::Attention);
    QCOMPARE(attention.size(), 3U);
    QVERIFY(std::abs(attention[1].size - 4.5) < 1e-9);
    QVERIFY(attention[1].bytes < comparison.files()[1].totals.fileBytes);
    QCOMPARE(attention[0].series, -1); // the reference; files look as they do everywhere
    QCOMPARE(attention[1].series, comparison.files()[1].series);
    // Norms are identical everywhere: they have a verdict, but no figure.
    const auto norms = tradeOff(comparison, Metric::Sqnr, SizeMeasure::Bytes, TensorGroup::Norm);
    QVERIFY(norms[1].lossless && !norms[1].quality);
}

// A file whose only difference is a NaN is neither identical nor equal to the reference.
void TestComparisonModels::notFiniteWeights() {
    Comparison comparison;
    comparison.start({m_f32, m_nan, m_q4}, m_f32);
    QVERIFY(QTest::qWaitFor([&] { return comparison.state() == Comparison::State::Done; }, 20'000));
    const std::size_t odd = rowOf(comparison, "blk.0.attn_q.weight");
    const std::size_t plain = rowOf(comparison, "blk.1.attn_q.weight");
    PairTableModel list(comparison);
    list.setFile(1);
    for (const MetricFact& info : mapMetrics()) {
        if (info.ofPair()) {
            list.setMetric(info.metric);
            const auto at = [&](std::size_t row) { return list.index(list.indexOfRow(row), list.columnOf(1)); };
            QCOMPARE(at(odd).data().toString(), QStringLiteral("1 not finite"));
            QVERIFY(at(odd).data(Qt::ToolTipRole).toString().contains(QStringLiteral("left out")));
            QCOMPARE(at(plain).data().toString(), QStringLiteral("identical"));
            QVERIFY(at(plain).data(Qt::ToolTipRole).toString().isEmpty());
        }
    }
    list.setMetric(Metric::Sqnr);
    list.sort(list.columnOf(1), Qt::AscendingOrder);
    QCOMPARE(list.indexOfRow(odd), 0); // the worst
    PairStatisticsModel statistics(comparison);
    statistics.setRow(odd);
    QCOMPARE(statistics.index(0, PairStatisticsModel::kSqnr).data().toString(), QStringLiteral("1 not finite"));
    QCOMPARE(statistics.index(0, PairStatisticsModel::kEqual).data(Qt::ForegroundRole).value<QColor>(),
             themeColor(Token::WarningText));
    const auto points = tradeOff(comparison, Metric::Sqnr, SizeMeasure::Bytes, {});
    QVERIFY(!points[1].lossless && !points[1].frontier && !points[1].quality);
    QCOMPARE(points[1].likeness, QStringLiteral("1 not finite"));
    QCOMPARE(points[1].leftOut.size(), 1);
    QVERIFY(points[2].quality && points[2].leftOut.isEmpty());
}

// A file with tensors that cannot be compared is not judged by the others.
void TestComparisonModels::incompleteFiles() {
    Comparison comparison;
    comparison.start({m_f32, m_odd, m_q4}, m_f32);
    QVERIFY(QTest::qWaitFor([&] { return comparison.state() == Comparison::State::Done; }, 20'000));
    const auto points = tradeOff(comparison, Metric::Sqnr, SizeMeasure::Bytes, {});
    QCOMPARE(points[1].likeness, QStringLiteral("1 of another shape"));
    QCOMPARE(points[1].leftOut.size(), 2); // the other one is missing
    QVERIFY(!points[1].frontier && !points[1].better);
    QVERIFY(points[2].frontier);
    auto limited = points;
    limited[0].memory = 100; // the reference, which is too large
    limited[1].memory = 10;
    limited[2].memory = 20;
    QCOMPARE(fitPoints(limited, 50, true), std::optional<std::size_t>(2));
}

// Errors are weighted by the matrix that is chosen; the page offers the metric then, and says why one cannot be used.
void TestComparisonModels::importanceMatrix() {
    const auto writeMatrix = [&](const char* name, const std::string& prefix) {
        test::GgufBuilder file;
        file.key("general.type", "imatrix");
        std::vector<std::byte> sums(256 * 4);
        for (std::size_t i = 0; i < 256; ++i) {
            store(sums.data() + 4 * i, i % 16 == 0 ? 50.0F : 1.0F);
        }
        std::vector<std::byte> count(4);
        store(count.data(), 1.0F);
        for (int block = 0; block < 3; ++block) {
            const std::string tensor = prefix + "blk." + std::to_string(block) + ".attn_q.weight";
            file.tensor(tensor + ".in_sum2", 0, {256}, sums).tensor(tensor + ".counts", 0, {1}, count);
        }
        const fs::path path = fs::path(m_dir.path().toStdString()) / name;
        file.write(path);
        return path;
    };
    const fs::path good = writeMatrix("good.imatrix.gguf", "");
    const fs::path other = writeMatrix("other.imatrix.gguf", "other.");
    Comparison comparison;
    TradeOffPage page(comparison);
    QVERIFY(compare(comparison, {m_f32, m_q4, m_q8}));
    const auto offered = [&] { return page.metricField()->findData(static_cast<int>(Metric::WeightedSqnr)) >= 0; };
    const auto done = [&] { return comparison.state() == Comparison::State::Done; };
    QVERIFY(comparison.imatrix() == nullptr && !offered() && page.importanceText().isEmpty());
    page.findChild<ImatrixField*>("imatrixField")->load(good);
    QTRY_VERIFY(comparison.imatrix() != nullptr && done() && offered());
    QVERIFY(page.importanceText().contains(QStringLiteral("good.imatrix.gguf")));
    page.metricField()->setCurrentIndex(page.metricField()->findData(static_cast<int>(Metric::WeightedSqnr)));
    const std::size_t row = rowOf(comparison, "blk.1.attn_q.weight");
    const PairFigures figures = figuresOf(comparison.cell(row, 1).sums);
    QVERIFY(figures.weightedSqnrDb && *figures.weightedSqnrDb != *figures.sqnrDb);
    QVERIFY(!figuresOf(comparison.cell(rowOf(comparison, "blk.1.attn_k.weight"), 1).sums).weightedSqnrDb);
    QTRY_VERIFY(page.model().points().size() == 3 && page.model().points()[1].quality);
    QCOMPARE(page.model().points()[1].quality, comparison.totals()[1].all.byParameters.weightedSqnrDb);
    page.findChild<ImatrixField*>("imatrixField")->load(other);
    QTRY_VERIFY(comparison.imatrixError() && done());
    QVERIFY(comparison.imatrix() == nullptr && !offered());
    QVERIFY2(page.importanceText().contains(QStringLiteral("another model")), qPrintable(page.importanceText()));
}

void TestComparisonModels::keepsWhatWasFoundWhenCancelled() {
    Comparison comparison;
    comparison.start({m_f32, m_q4, m_q8});
    comparison.cancel(); // before any file is opened
    QCOMPARE(comparison.state(), Comparison::State::Cancelled);
    comparison.resume();
    QVERIFY(QTest::qWaitFor([&] { return comparison.state() == Comparison::State::Done; }, 20'000));
    QCOMPARE(comparison.rowsDone(), comparison.matches()->rows.size());
}

void TestComparisonModels::anotherReference() {
    Comparison comparison;
    QVERIFY(compare(comparison, {m_f32, m_q4}));
    QCOMPARE(comparison.referencePlace(), m_f32);
    const double before = *comparison.totals()[1].all.byParameters.sqnrDb;
    comparison.setReference(m_q4);
    QVERIFY(QTest::qWaitFor([&] { return comparison.state() == Comparison::State::Done; }, 20'000));
    QCOMPARE(comparison.reference(), 1U);
    QVERIFY(std::abs(*comparison.totals()[0].all.byParameters.sqnrDb - before) < 1);
    // Unreadable files are reported, and the others are compared.
    comparison.addFiles({fs::path(m_dir.path().toStdString()) / "absent.gguf"});
    QVERIFY(QTest::qWaitFor([&] { return comparison.state() == Comparison::State::Done; }, 20'000));
    QCOMPARE(comparison.unreadable().size(), 1U);
    QCOMPARE(comparison.files().size(), 2U);
    comparison.removeFile(m_q4);
    QVERIFY(QTest::qWaitFor([&] { return comparison.state() == Comparison::State::Failed; }, 20'000));
}

GUFO_TEST_WIDGETS(TestComparisonModels)
#include "tst_comparison_models.moc"
