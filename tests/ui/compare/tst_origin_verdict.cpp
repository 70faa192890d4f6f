// Tests the comparison of a GGUF file with the folder that it was converted from in a real window: the verdict above
// the pages, values of the origin in the drill-down, another reference, exports, and cancelling.
#include "analysis/weight_tile.h"
#include "convert/convert_folder.h"
#include "support/convert_fixtures.h"
#include "support/idle.h"
#include "support/test_unit.h"
#include "ui/compare/comparison_export.h"
#include "ui/compare/map/map_page.h"
#include "ui/compare/origin_verdict.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <fstream>

using namespace gufo;
using namespace gufo::ui;
namespace fs = std::filesystem;

class TestOriginVerdict : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("XDG_CACHE_HOME", m_folder.filePath("cache").toUtf8()); }
    void cleanupTestCase() { Job::waitForAll(); }
    void sameModel();
    void otherReference();
    void notPermuted();
    void oneTensorDiffers();
    void valuesOfTheOrigin();
    void exportsTheVerdict();
    void cancelsAndGoesOn();
    void folderThatCannotBeConverted();
    void severalFiles();
    void hiddenForTwoFiles();
    void exchangedTensors();

private:
    struct Shown {
        Comparison comparison;
        OriginVerdict verdict{comparison};
        bool start(const Places& files) {
            comparison.start(files);
            return waitDone();
        }
        [[nodiscard]] bool waitDone() const {
            return QTest::qWaitFor(
                [this] { return comparison.state() == Comparison::State::Done && comparison.metadata(); }, 30'000);
        }
    };
    static fs::path source(const char* name) { return test::convertFixture(QString::fromLatin1(name), false).source(); }
    // Converts the folder of Llama with a change of the plan.
    fs::path converted(const char* type, const char* name, void (*change)(convert::ConversionPlan&) = nullptr) const;
    fs::path in(const char* name) const { return m_folder.filePath(QLatin1String(name)).toStdString(); }

    QTemporaryDir m_folder;
};

fs::path TestOriginVerdict::converted(const char* type, const char* name,
                                      void (*change)(convert::ConversionPlan&)) const {
    const auto folder = convert::SourceFolder::open(source("llama"));
    const convert::ConvertRequest request{.recipe = {.recipe = findRecipe(type)}};
    auto plan = folder ? convert::planConversion(*folder, request) : std::unexpected(folder.error());
    if (plan && change != nullptr) {
        change(*plan);
    }
    const fs::path out = in(name);
    return plan && convert::writeConverted(*folder, *plan, request, out) ? out : fs::path();
}

void TestOriginVerdict::sameModel() {
    // In either order, the folder is the reference.
    const fs::path file = converted("F16", "llama-F16.gguf");
    QVERIFY(!file.empty());
    for (const Places& files : {Places{source("llama"), file}, Places{file, source("llama")}}) {
        Shown shown;
        QVERIFY(!shown.verdict.isVisible());
        QVERIFY(shown.start(files));
        QVERIFY(shown.verdict.isVisible());
        QVERIFY2(shown.verdict.text().startsWith("This is that model"), qPrintable(shown.verdict.text()));
        QVERIFY2(shown.verdict.details().contains("identical"), qPrintable(shown.verdict.details()));
        QCOMPARE(shown.verdict.accessibleName(), shown.verdict.text());
        QCOMPARE(shown.comparison.referencePlace(), source("llama"));
        QCOMPARE(shown.comparison.proof()->verdict, convert::OriginVerdict::Same);
    }
}

void TestOriginVerdict::otherReference() {
    const fs::path file = converted("F32", "llama-F32.gguf");
    Shown shown;
    QVERIFY(shown.start({source("llama"), file}));
    const auto origin = shown.comparison.origin();
    shown.comparison.setReference(file);
    QVERIFY(shown.comparison.proof() == nullptr); // the old one is of other matches
    QVERIFY(!shown.verdict.isVisible());
    QVERIFY(shown.waitDone());
    QCOMPARE(shown.comparison.origin(), origin); // the plan is the same
    QCOMPARE(shown.comparison.proof()->verdict, convert::OriginVerdict::Same);
    QVERIFY(shown.verdict.isVisible());
}

void TestOriginVerdict::notPermuted() {
    const fs::path file = converted("Q8_0", "wrong.gguf", [](convert::ConversionPlan& plan) {
        for (convert::PlannedRow& row : plan.rows) {
            std::erase_if(row.operations, [](const convert::Operation& operation) {
                return operation.kind == convert::OperationKind::PermuteRope;
            });
        }
    });
    Shown shown;
    QVERIFY(shown.start({source("llama"), file}));
    QVERIFY2(shown.verdict.text().startsWith("This is that model, but 4 tensors"), qPrintable(shown.verdict.text()));
    QVERIFY2(shown.verdict.details().contains("equal without the permutation"), qPrintable(shown.verdict.details()));
    QVERIFY(shown.verdict.details().contains("blk.0.attn_q.weight"));
}

// One wrong tensor of many: the verdict says which, and by how much.
void TestOriginVerdict::oneTensorDiffers() {
    const fs::path file = converted("F16", "wrong.gguf", [](convert::ConversionPlan& plan) {
        for (convert::PlannedRow& row : plan.rows) {
            if (row.target == "blk.1.ffn_down.weight") {
                row.operations.insert(row.operations.begin(), {convert::OperationKind::Add, {1}});
            }
        }
    });
    Shown shown;
    MapPage page(shown.comparison);
    page.resize(1200, 700);
    page.show();
    // What the page has chosen for other files before is not the user's choice.
    QVERIFY(shown.start({source("llama"), converted("F16", "right.gguf")}));
    QTRY_VERIFY(page.row());
    QVERIFY(shown.start({source("llama"), file}));
    const QString text = shown.verdict.text();
    QVERIFY2(text.startsWith("This is that model but for"), qPrintable(text));
    QVERIFY2(text.contains("20 of 21 are identical; blk.1.ffn_down.weight differs by "), qPrintable(text));
    const auto shownName = [&] { return page.row() ? shown.comparison.matches()->rows[*page.row()].name : ""; };
    QTRY_COMPARE(shownName(), "blk.1.ffn_down.weight"); // whose details are shown first
    page.chooseRow(0);
    const std::string chosen(shownName());
    emit shown.comparison.proved();
    QCOMPARE(shownName(), chosen); // the user's choice stays
}

// The drill-down shows the values of the origin after the operations of the plan.
void TestOriginVerdict::valuesOfTheOrigin() {
    const fs::path file = converted("F32", "llama-F32.gguf");
    Shown shown;
    QVERIFY(shown.start({source("llama"), file}));
    const auto& matches = *shown.comparison.matches();
    const auto row = std::ranges::find(matches.rows, "blk.0.attn_q.weight", &TensorMatch::name);
    QVERIFY(row != matches.rows.end());
    QCOMPARE(shown.comparison.cell(static_cast<std::size_t>(row - matches.rows.begin()), 1).likeness(),
             Likeness::Equal);
    for (const std::uint64_t weight : {0U, 49U, 1000U}) { // what the blocks of the drill-down are made of
        const auto origin = explainTensorWeight(*matches.models[0], row->cells[0].part.tensor, weight);
        const auto inFile = explainTensorWeight(*matches.models[1], row->cells[1].part.tensor, weight);
        QVERIFY(origin && inFile);
        QCOMPARE(origin->fields.value, inFile->fields.value);
        QVERIFY(origin->bytes.empty());
    }
}

void TestOriginVerdict::exportsTheVerdict() {
    const fs::path file = converted("F16", "llama-F16.gguf");
    Shown shown;
    QVERIFY(shown.start({source("llama"), file}));
    const Comparison& comparison = shown.comparison;
    const FinishedComparison finished{comparison.matches(), comparison.result(), comparison.metadata(),
                                      comparison.origin(), comparison.proof()};
    QVERIFY(writeComparison(finished, ComparisonFormat::Json, Metric::Sqnr, in("comparison.json")));
    QFile json(m_folder.filePath("comparison.json"));
    QVERIFY(json.open(QIODevice::ReadOnly));
    const QJsonObject object = QJsonDocument::fromJson(json.readAll()).object();
    QCOMPARE(object["origin"].toObject()["verdict"].toString(), "same");
}

void TestOriginVerdict::cancelsAndGoesOn() {
    const fs::path file = converted("Q4_K_M", "llama-Q4.gguf");
    Shown shown;
    Comparison& comparison = shown.comparison;
    comparison.start({source("llama"), file});
    // As soon as the tensors are being compared, before a result can be delivered.
    connect(&comparison, &Comparison::matched, &comparison, &Comparison::cancel,
            static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    QTRY_VERIFY(!comparison.isBusy());
    QCOMPARE(comparison.state(), Comparison::State::Cancelled);
    QVERIFY(test::waitUntilIdle());
    QVERIFY(comparison.proof() == nullptr); // nothing comes after a cancel
    QVERIFY(!shown.verdict.isVisible());
    comparison.resume();
    QVERIFY(shown.waitDone());
    QCOMPARE(comparison.proof()->verdict, convert::OriginVerdict::Same);
}

void TestOriginVerdict::folderThatCannotBeConverted() {
    const fs::path file = converted("F16", "llama-F16.gguf");
    fs::create_directories(in("unknown"));
    fs::copy_file(source("llama") / "model.safetensors", in("unknown") / "model.safetensors");
    std::ofstream(in("unknown") / "config.json") << R"({"architectures": ["UnknownForCausalLM"]})";
    Shown shown;
    QVERIFY(shown.start({in("unknown"), file}));
    QVERIFY(shown.verdict.isVisible());
    QVERIFY2(shown.verdict.details().contains("UnknownForCausalLM"), qPrintable(shown.verdict.details()));
    QVERIFY(shown.comparison.proof() == nullptr);
}

// The folder is converted for any number of files, and each of them has a verdict.
void TestOriginVerdict::severalFiles() {
    const fs::path right = converted("Q8_0", "several-right.gguf");
    const fs::path wrong = converted("F16", "several-wrong.gguf", [](convert::ConversionPlan& plan) {
        for (convert::PlannedRow& row : plan.rows) {
            if (row.target == "blk.1.ffn_down.weight") {
                row.operations.insert(row.operations.begin(), {convert::OperationKind::Add, {1}});
            }
        }
    });
    Shown shown;
    MapPage page(shown.comparison);
    page.resize(1200, 700);
    page.show();
    QVERIFY(shown.start({right, source("llama"), wrong}));
    const Comparison& comparison = shown.comparison;
    QCOMPARE(comparison.fileOrigins().size(), 2U);
    QCOMPARE(comparison.isOfOrigin(), std::optional(false));
    QVERIFY(shown.verdict.isVisible());
    const QStringList lines = shown.verdict.text().split(u'\n');
    QCOMPARE(lines.size(), 2);
    QVERIFY2(lines[0].contains("right: This is that model:"), qPrintable(lines[0]));
    QVERIFY2(lines[1].contains("wrong: This is that model but for"), qPrintable(lines[1]));
    const auto shownName = [&] { return page.row() ? comparison.matches()->rows[*page.row()].name : ""; };
    QTRY_COMPARE(shownName(), "blk.1.ffn_down.weight"); // whose details are shown first
    FinishedComparison finished{comparison.matches(), comparison.result(), comparison.metadata()};
    finished.fileOrigins = comparison.fileOrigins();
    QVERIFY(writeComparison(finished, ComparisonFormat::Json, Metric::Sqnr, in("several.json")));
    QFile json(m_folder.filePath("several.json"));
    QVERIFY(json.open(QIODevice::ReadOnly));
    const QJsonArray origins = QJsonDocument::fromJson(json.readAll()).object()["origins"].toArray();
    QCOMPARE(origins.size(), 2);
    QCOMPARE(origins[0]["verdict"].toString(), "same");
    QCOMPARE(origins[1]["verdict"].toString(), "partly");
}

// Without an origin, tensors that have each other's weights are named.
void TestOriginVerdict::exchangedTensors() {
    const fs::path wrong = converted("Q4_K_M", "exchanged.gguf", [](convert::ConversionPlan& plan) {
        for (convert::PlannedRow& row : plan.rows) {
            const bool first = row.target == "blk.0.attn_k.weight";
            if (first || row.target == "blk.1.attn_k.weight") {
                row.target = first ? "blk.1.attn_k.weight" : "blk.0.attn_k.weight";
            }
        }
    });
    Shown shown;
    QVERIFY(shown.start({converted("F16", "whole.gguf"), wrong}));
    QVERIFY(shown.comparison.origin() == nullptr);
    QCOMPARE(shown.comparison.exchanged().size(), 2U);
    QVERIFY(shown.verdict.isVisible());
    QVERIFY2(shown.verdict.details().contains("blk.0.attn_k.weight holds the weights of blk.1.attn_k.weight"),
             qPrintable(shown.verdict.details()));
    QVERIFY(shown.start({in("whole.gguf"), converted("Q8_0", "right.gguf")})); // it goes with the files
    QVERIFY(!shown.verdict.isVisible());
}

void TestOriginVerdict::hiddenForTwoFiles() {
    Shown shown;
    QVERIFY(shown.start({converted("F16", "a.gguf"), converted("Q8_0", "b.gguf")}));
    QVERIFY(shown.comparison.origin() == nullptr);
    QVERIFY(!shown.verdict.isVisible());
}

GUFO_TEST_WIDGETS(TestOriginVerdict)
#include "tst_origin_verdict.moc"
