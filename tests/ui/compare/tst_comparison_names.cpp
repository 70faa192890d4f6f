// The names of the files of a comparison: short and distinct ones, and labels that do not overlap.
#include "support/test_unit.h"
#include "ui/compare/file_chips.h"
#include "ui/compare/short_labels.h"
#include "ui/plots/label_layout.h"
#include "ui/shell/places.h"

#include <QTest>

using namespace gufo;
using namespace gufo::ui;
namespace fs = std::filesystem;

class TestComparisonNames : public QObject {
    Q_OBJECT

private slots:
    void shortLabels_data();
    void shortLabels();
    void labelsDoNotOverlap();
    void namesKeepWhatTellsThemApart_data();
    void namesKeepWhatTellsThemApart();
};

void TestComparisonNames::shortLabels_data() {
    QTest::addColumn<QStringList>("paths");
    QTest::addColumn<QStringList>("labels");
    QTest::addColumn<QString>("common");
    QTest::newRow("encodings") << QStringList{"/a/Qwen3-4B-Q4_K_M.gguf", "/b/Qwen3-4B-F16.gguf"}
                               << QStringList{"Q4_K_M", "F16"} << "Qwen3-4B";
    QTest::newRow("dots") << QStringList{"/stories260K.F16.gguf", "/stories260K.Q8_0.gguf"}
                          << QStringList{"F16", "Q8_0"} << "stories260K";
    QTest::newRow("nothing in common") << QStringList{"/alpha.gguf", "/beta.gguf"} << QStringList{"alpha", "beta"}
                                       << "";
    QTest::newRow("one is the beginning") << QStringList{"/m.gguf", "/m-new.gguf"} << QStringList{"m", "new"} << "m";
    QTest::newRow("same name, other folders")
        << QStringList{"/x/m.gguf", "/y/m.gguf"} << QStringList{"x/m", "y/m"} << "m";
    QTest::newRow("same name, like folders")
        << QStringList{"/1/x/m.gguf", "/2/x/m.gguf"} << QStringList{"m (1)", "m (2)"} << "m";
    QTest::newRow("within a word") << QStringList{"/model-alpha.gguf", "/model-alps.gguf"}
                                   << QStringList{"alpha", "alps"} << "model";
}

void TestComparisonNames::shortLabels() {
    QFETCH(QStringList, paths);
    QFETCH(QStringList, labels);
    QFETCH(QString, common);
    Places files;
    for (const QString& path : paths) {
        files.emplace_back(fs::path(path.toStdString()));
    }
    QCOMPARE(ui::shortLabels(files), labels);
    QCOMPARE(commonName(files), common);
}

void TestComparisonNames::labelsDoNotOverlap() {
    const QRectF area(0, 0, 500, 300);
    std::vector<LabelledPoint> points;
    for (int i = 0; i < 8; ++i) { // a cluster in the middle, and some points at the edges
        points.push_back({.at = {250.0 + 3 * i, 150.0 + 2 * i}, .size = {70, 16}});
    }
    points.push_back({.at = {498, 5}, .size = {70, 16}});
    points.push_back({.at = {2, 297}, .size = {70, 16}});
    const std::vector<QLineF> lines{{0, 150, 500, 150}};
    const auto rects = layOutLabels(points, lines, area);
    QCOMPARE(rects.size(), points.size());
    for (std::size_t i = 0; i < rects.size(); ++i) {
        QVERIFY(area.contains(rects[i]));
        for (std::size_t j = 0; j < rects.size(); ++j) {
            QVERIFY(i == j || !rects[i].intersects(rects[j]));
            QVERIFY(!rects[i].contains(points[j].at));
        }
    }
}

// Where there is no room for a name, what all names have in common is left out.
void TestComparisonNames::namesKeepWhatTellsThemApart_data() {
    QTest::addColumn<QStringList>("names");
    QTest::addColumn<QStringList>("parts");
    QTest::newRow("ends") << QStringList{"Owl-7B-Q4_K_M", "Owl-7B-Q8_0"} << QStringList{"…4_K_M", "…8_0"};
    QTest::newRow("middles") << QStringList{"Owl-base-v1.0", "Owl-chat-v1.0"} << QStringList{"…base…", "…chat…"};
    QTest::newRow("nothing in common") << QStringList{"Q4_0", "Q8_0"} << QStringList{"Q4_0", "Q8_0"};
    QTest::newRow("one within the other") << QStringList{"Owl-7B", "Owl-7B-7B"} << QStringList{"…B", "…B-7B"};
    QTest::newRow("equal") << QStringList{"model", "model"} << QStringList{"…l", "…l"};
    QTest::newRow("one") << QStringList{"model"} << QStringList{"model"};
    QTest::newRow("none") << QStringList() << QStringList();
}

void TestComparisonNames::namesKeepWhatTellsThemApart() {
    QFETCH(QStringList, names);
    QTEST(distinctParts(names), "parts");
}

GUFO_TEST_WIDGETS(TestComparisonNames)
#include "tst_comparison_names.moc"
