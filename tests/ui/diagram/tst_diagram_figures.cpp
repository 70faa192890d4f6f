// Diagrams coloured by figures that are measured against another file.
#include "document/open_model.h"
#include "support/fixture_models.h"
#include "support/page_models.h"
#include "support/tensor_models.h"
#include "support/test_unit.h"
#include "ui/document/model_document.h"
#include "ui/jobs/job.h"
#include "ui/models/partner_menu.h"
#include "ui/pages/diagram/diagram_page.h"
#include "ui/pages/diagram/diagram_partner.h"

#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <cmath>
#include <cstring>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::ui;

namespace {

using Values = std::vector<float>;

// Two matrices and a norm; `error` is added to every weight of the first one.
std::shared_ptr<const Model> modelWith(float error) {
    Values first(64 * 4, 1 + error);
    return TensorModel()
        .numbers("blk.0.attn_q.weight", TensorType::F32, {64, 4}, first)
        .numbers("blk.0.attn_k.weight", TensorType::F32, {64, 4}, Values(64 * 4, 2))
        .numbers("blk.0.attn_norm.weight", TensorType::F32, {64}, Values(64, 1))
        .share();
}

std::vector<std::byte> bytesOf(const Values& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

// Writes an importance matrix with values for attn_q only.
std::filesystem::path writeImatrix(const QTemporaryDir& folder) {
    GgufBuilder file;
    file.key("general.type", "imatrix");
    file.tensor("blk.0.attn_q.weight.in_sum2", 0, {64, 1}, bytesOf(Values(64, 3)));
    file.tensor("blk.0.attn_q.weight.counts", 0, {1, 1}, bytesOf(Values{10}));
    const std::filesystem::path path = folder.filePath("imatrix.gguf").toStdString();
    file.write(path);
    return path;
}

constexpr std::array kQ{TensorIndex(0)};
constexpr std::array kK{TensorIndex(1)};
constexpr std::array kNorm{TensorIndex(2)};
constexpr std::array kBoth{TensorIndex(0), TensorIndex(1)};

} // namespace

class TestDiagramFigures : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::instance().apply(); }
    void cleanup() { Job::waitForAll(); }

    void errorsAddUp() {
        const auto figures = errorFigures(modelWith(0.1F), modelWith(0), {});
        QVERIFY(figures.has_value());
        const DiagramFigures& found = **figures;
        const double error = static_cast<double>(1.1F) - 1;
        // The first of two models of equally many bits is the reference.
        const double own = 1.1 * 1.1;
        QVERIFY(std::abs(*found.of(kQ) - 10 * std::log10(own / (error * error))) < 1e-4);
        QVERIFY(std::isinf(*found.of(kK)));
        QVERIFY(std::abs(*found.of(kBoth) - 10 * std::log10((own + 4) / (error * error))) < 1e-4);
        QVERIFY(found.text(kQ).startsWith("SQNR 20.8 dB against memory"));
        QVERIFY(found.text(kK).startsWith("No difference from"));
        QVERIFY(!found.of({}));
    }

    void tensorsThatThePartnerLacksHaveNoFigure() {
        const auto partner =
            TensorModel().numbers("blk.0.attn_k.weight", TensorType::F32, {64, 4}, Values(64 * 4, 2)).share();
        const auto figures = errorFigures(modelWith(0), partner, {});
        QVERIFY(figures.has_value());
        QVERIFY(!(*figures)->of(kQ));
        QVERIFY((*figures)->text(kQ).isEmpty());
        QVERIFY((*figures)->of(kK).has_value());
    }

    void errorsAreCancelled() {
        std::stop_source stop;
        stop.request_stop();
        const auto figures = errorFigures(modelWith(0.1F), modelWith(0), {.stop = stop.get_token()});
        QCOMPARE(figures.error().code, ErrorCode::Cancelled);
    }

    void coverageOfAMatrix() {
        const QTemporaryDir folder;
        const auto imatrix = Imatrix::open(writeImatrix(folder));
        QVERIFY(imatrix.has_value());
        const auto figures = coverageFigures(*modelWith(0), **imatrix, {});
        QVERIFY(figures.has_value());
        QCOMPARE((*figures)->of(kQ), std::optional(1.0));
        QCOMPARE((*figures)->of(kK), std::optional(0.0));
        QCOMPARE((*figures)->of(kBoth), std::optional(0.5));
        QVERIFY(!(*figures)->of(kNorm)); // is never quantised
        QCOMPARE((*figures)->text(kBoth), QString("50.0 % covered by imatrix.gguf"));
    }

    void coloursFollowTheMeasure() {
        const inference::ModelStructure structure = *inference::structureOf(*modelWith(0.1F));
        const auto model = modelWith(0.1F);
        DiagramColors colors(*model, structure);
        inference::StructurePart part;
        part.tensors = {TensorIndex(0)};
        colors.setMeasure(DiagramMeasure::Error);
        QVERIFY(colors.of(part).empty()); // nothing was measured
        QVERIFY(colors.legend().empty());
        colors.setFigures(*errorFigures(model, modelWith(0), {}));
        QCOMPARE(colors.of(part).size(), 1U);
        const QColor far = colors.of(part)[0].color;
        part.tensors = {TensorIndex(1)};
        QVERIFY(colors.of(part)[0].color != far);
        QCOMPARE(colors.legend().size(), 5U);
        colors.setMeasure(DiagramMeasure::Coverage);
        QVERIFY(colors.of(part).empty()); // the figures are of another kind
        colors.setMeasure(DiagramMeasure::Type);
        QCOMPARE(colors.of(part).size(), 1U);
    }

    void pageMeasuresAndDescribes() {
        DiagramPage page;
        page.resize(1100, 700);
        page.setModel(openFixture(QStringLiteral("qwen3")));
        page.show();
        QSignalSpy ready(&page, &DiagramPage::ready);
        page.activate();
        QVERIFY(page.isReady() || ready.wait());
        QVERIFY(page.partner().isHidden());
        page.setMeasure(DiagramMeasure::Error);
        QVERIFY(page.partner().isVisible());
        QVERIFY(page.view().colors()->figures() == nullptr);
        QSignalSpy measured(&page.partner(), &DiagramPartner::measured);
        page.partner().measureBeside((kFixtures + "qwen3.gguf").toStdString());
        QVERIFY(measured.wait(20'000));
        QVERIFY(page.view().colors()->figures() != nullptr);
        std::optional<std::size_t> part;
        const auto& items = page.view().layoutOfItems().items;
        for (std::size_t i = 0; i < items.size() && !part; ++i) {
            if (items[i].kind == DiagramItem::Kind::Part && !items[i].part->tensors.empty()) {
                part = i;
            }
        }
        QVERIFY(part.has_value());
        QVERIFY(page.view().describe(*part).contains("No difference from qwen3.gguf"));
        QVERIFY(!page.grab().isNull());
        page.setMeasure(DiagramMeasure::Type);
        QVERIFY(page.partner().isHidden());
        QVERIFY(!page.view().describe(*part).contains("No difference"));
        page.setMeasure(DiagramMeasure::Error);
        QVERIFY(page.view().describe(*part).contains("No difference")); // measured before
    }

    // The menu offers the open files of the wanted kind, but not the model itself.
    void partnerMenu() {
        const QTemporaryDir folder;
        const auto model = openFixture(QStringLiteral("qwen3"));
        const ModelDocument own(model);
        const ModelDocument other(openFixture(QStringLiteral("gemma3")));
        const ModelDocument imatrix(openModel(writeImatrix(folder)).value());
        PartnerMenu menu(nullptr);
        menu.setModel(model);
        const auto texts = [&menu] {
            emit menu.aboutToShow();
            QStringList names;
            for (const QAction* action : menu.actions()) {
                names << (action->isSeparator() ? QStringLiteral("-") : action->text());
            }
            return names;
        };
        QCOMPARE(texts(), (QStringList{"gemma3.gguf", "-", "&File…"}));
        QSignalSpy stopped(&menu, &PartnerMenu::stopChosen);
        std::shared_ptr<const Model> chosen;
        connect(&menu, &PartnerMenu::modelChosen, this,
                [&chosen](const std::shared_ptr<const Model>& partner) { chosen = partner; });
        menu.actions()[0]->trigger();
        QCOMPARE(chosen, other.current());
        menu.setStops(true);
        QCOMPARE(texts(), (QStringList{"&Stop comparing", "-", "gemma3.gguf", "-", "&File…"}));
        menu.actions()[0]->trigger();
        QCOMPARE(stopped.count(), 1);
        menu.setStops(false);
        menu.setWanted(FileKind::Imatrix);
        QCOMPARE(texts(), (QStringList{"imatrix.gguf", "-", "&File…"}));
        QVERIFY(!PartnerMenu::buttonText(QString(200, u'm'), menu.font()).contains(QString(60, u'm')));
        QCOMPARE(PartnerMenu::buttonText(QStringLiteral("a&b"), menu.font()), QStringLiteral("a&&b"));
    }

    void failuresAreSaid() {
        DiagramPage page;
        page.resize(1100, 700);
        page.setModel(openFixture(QStringLiteral("qwen3")));
        page.show();
        QSignalSpy ready(&page, &DiagramPage::ready);
        page.activate();
        QVERIFY(page.isReady() || ready.wait());
        page.setMeasure(DiagramMeasure::Coverage);
        QSignalSpy status(&page, &Page::statusChanged);
        page.partner().measureBeside((kFixtures + "qwen3.gguf").toStdString()); // a model, not an importance matrix
        QTRY_VERIFY(!page.partner().isBusy());
        QVERIFY(!status.isEmpty());
        QVERIFY(!status.last()[0].toString().isEmpty());
        QVERIFY(page.partner().findChild<QPushButton*>("diagramPartner")->isEnabled());
    }
};

GUFO_TEST_WIDGETS(TestDiagramFigures)
#include "tst_diagram_figures.moc"
