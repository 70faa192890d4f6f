// Tests What if and the dialog for quantising: figures arrive, cancelling works, and the file has the announced size.
#include "document/open_model.h"
#include "support/gguf_builder.h"
#include "support/tensor_models.h"
#include "support/test_unit.h"
#include "support/user_view.h"
#include "tensor/encode.h"
#include "ui/jobs/job.h"
#include "ui/quantize/imatrix_field.h"
#include "ui/quantize/quantize_dialog.h"
#include "ui/quantize/what_if_button.h"
#include "ui/quantize/what_if_dialog.h"
#include "ui/quantize/what_if_model.h"

#include <QAbstractItemModelTester>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <limits>
#include <random>

using namespace gufo;
using namespace gufo::ui;
using namespace gufo::test;

namespace {

std::vector<float> normal(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> weights(0, 0.02F);
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return weights(random); });
    return values;
}

std::shared_ptr<const Model> sample() {
    return TensorModel()
        .numbers("blk.0.attn_q.weight", TensorType::F32, {256, 64}, normal(256 * 64, 1))
        .numbers("blk.1.attn_q.weight", TensorType::F32, {256, 64}, normal(256 * 64, 2))
        .numbers("blk.0.ffn_down.weight", TensorType::F32, {160, 64}, normal(160 * 64, 3))
        .add("blk.0.strange.weight", 9999, {16}, {})
        .share();
}

std::shared_ptr<const Model> quantisable() {
    return TensorModel()
        .numbers("token_embd.weight", TensorType::F32, {256, 64}, normal(256 * 64, 1))
        .numbers("blk.0.attn_q.weight", TensorType::F32, {256, 64}, normal(256 * 64, 2))
        .share();
}

std::shared_ptr<const Model> large() {
    return TensorModel()
        .numbers("blk.0.attn_q.weight", TensorType::F32, {4096, 4096}, normal(std::size_t{4096} * 4096, 1))
        .share();
}

// A .dat file with one entry of 256 values; the last one is `value`.
void writeMatrix(const std::filesystem::path& path, const std::string& tensor, float value) {
    GgufBytes bytes;
    bytes.number(std::int32_t{1}).number(static_cast<std::int32_t>(tensor.size())).text(tensor);
    bytes.number(std::int32_t{1}).number(std::int32_t{256});
    for (int i = 0; i < 256; ++i) {
        bytes.number(i < 255 ? 1.0F + static_cast<float>(i % 16) : value);
    }
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.bytes.data()), static_cast<std::streamsize>(bytes.bytes.size()));
}

QString cell(const QAbstractItemModel& model, int row, WhatIfColumn column) {
    return model.index(row, static_cast<int>(column)).data().toString();
}

int rowOf(const WhatIfModel& model, const char* type) {
    for (int row = 0; row < model.rowCount(); ++row) {
        if (cell(model, row, WhatIfColumn::Type) == QLatin1String(type)) {
            return row;
        }
    }
    return -1;
}

} // namespace

class TestQuantizeDialog : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { Job::waitForAll(); }
    void modelOfFigures();
    void whatIfFillsItself();
    void whatIfOfTensorsThatDoNotFit();
    void whatIfWithAnImportanceMatrix();
    void whatIfIsCancelled();
    void whatIfAsksToQuantise();
    void whatIfHandsOnTheMatrix();
    void unusableMatricesAreNamed_data();
    void unusableMatricesAreNamed();
    void buttonOffersScopes();
    void quantiseShowsThePlan();
    void quantiseWrites();
    void quantiseTellsWhatIsWrong();
    void quantiseIsCancelled();
    void closingWhileWritingAsks();
    void offersToCompare();
    void enterInAFieldAsksForNoFile();
    void overridesWithoutEffectAreNamed();
};

void TestQuantizeDialog::modelOfFigures() {
    WhatIfModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    const auto source = sample();
    const auto result = whatIf(*source, {.tensors = {TensorIndex(0)}, .maxWeights = 0}, {});
    model.setResult(*result, 0U);
    QCOMPARE(model.rowCount(), static_cast<int>(encodableTypes().size()));
    const int f32 = rowOf(model, "F32");
    QCOMPARE(cell(model, f32, WhatIfColumn::Change), QStringLiteral("same"));
    QCOMPARE(cell(model, f32, WhatIfColumn::Sqnr), QStringLiteral("exact"));
    QVERIFY(model.index(f32, 0).data(Qt::FontRole).value<QFont>().bold()); // the current type
    const int q8 = rowOf(model, "Q8_0");
    QCOMPARE(cell(model, q8, WhatIfColumn::BitsPerWeight), QStringLiteral("8.50"));
    QCOMPARE(cell(model, q8, WhatIfColumn::Size), QStringLiteral("17.0 KiB"));
    QCOMPARE(cell(model, q8, WhatIfColumn::Change), QString(QChar(0x2212)) + QStringLiteral("47.0 KiB"));
    const double sqnr = cell(model, q8, WhatIfColumn::Sqnr).toDouble();
    QVERIFY(sqnr > 45 && sqnr < 48);
    QCOMPARE(model.typeAt(q8), std::optional<std::uint32_t>(8));
    QVERIFY(!model.typeAt(99));
    model.setResult(*result, {});
    model.clear();
    QCOMPARE(model.rowCount(), 0);
}

void TestQuantizeDialog::whatIfFillsItself() {
    auto* dialog = new WhatIfDialog(sample(), {TensorIndex(0), TensorIndex(1)}, QStringLiteral("attn_q"), nullptr);
    const QPointer<WhatIfDialog> guard(dialog);
    dialog->show();
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), 60'000);
    QCOMPARE(dialog->figures().rowCount(), static_cast<int>(encodableTypes().size()));
    QCOMPARE(dialog->figures().result().examined, std::uint64_t{2 * 256 * 64});
    QVERIFY(dialog->notice().isEmpty());
    QVERIFY(dialog->table().isColumnHidden(static_cast<int>(WhatIfColumn::WeightedWith)));
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(guard.isNull());
}

void TestQuantizeDialog::whatIfOfTensorsThatDoNotFit() {
    WhatIfDialog* dialog = new WhatIfDialog(sample(), {TensorIndex(2)}, QStringLiteral("ffn_down"), nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), 60'000);
    const WhatIfModel& figures = dialog->figures();
    QCOMPARE(cell(figures, rowOf(figures, "Q4_K"), WhatIfColumn::Sqnr), QString(QChar(0x2014)));
    QVERIFY(figures.index(rowOf(figures, "Q4_K"), 0).data(Qt::ToolTipRole).toString().contains("256"));
    QVERIFY(cell(figures, rowOf(figures, "Q4_0"), WhatIfColumn::Sqnr).toDouble() > 20);
    delete dialog;
}

void TestQuantizeDialog::whatIfWithAnImportanceMatrix() {
    GgufBytes bytes;
    const std::string name = "blk.0.attn_q.weight";
    bytes.number(std::int32_t{1}).number(static_cast<std::int32_t>(name.size())).text(name).number(std::int32_t{1});
    bytes.number(std::int32_t{256});
    for (int i = 0; i < 256; ++i) {
        bytes.number(i % 16 == 0 ? 50.0F : 1.0F);
    }
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath(QStringLiteral("m.dat")).toStdString();
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.bytes.data()), static_cast<std::streamsize>(bytes.bytes.size()));
    auto* dialog = new WhatIfDialog(sample(), {TensorIndex(0)}, QStringLiteral("attn_q"), nullptr);
    dialog->imatrix().load(path);
    QTRY_VERIFY(dialog->imatrix().imatrix() != nullptr && !dialog->isBusy());
    const WhatIfModel& figures = dialog->figures();
    const int row = rowOf(figures, "Q4_K");
    QVERIFY(!dialog->table().isColumnHidden(static_cast<int>(WhatIfColumn::WeightedWith)));
    QVERIFY(cell(figures, row, WhatIfColumn::WeightedWith).toDouble() >
            cell(figures, row, WhatIfColumn::WeightedWithout).toDouble());
    dialog->imatrix().load(folder.filePath(QStringLiteral("none.dat")).toStdString());
    QTRY_VERIFY(dialog->notice().contains(QStringLiteral("no such file")));
    delete dialog;
}

void TestQuantizeDialog::whatIfIsCancelled() {
    auto* dialog = new WhatIfDialog(large(), {TensorIndex(0)}, QStringLiteral("large"), nullptr);
    dialog->extent().setCurrentIndex(1); // the whole tensor
    emit dialog->extent().activated(1);
    QVERIFY(dialog->isBusy());
    // The first figures arrive long before the last.
    QTRY_VERIFY_WITH_TIMEOUT(dialog->figures().rowCount() > 0, 60'000);
    QVERIFY(dialog->isBusy());
    QVERIFY(dialog->figures().result().examined < dialog->figures().result().toExamine);
    QElapsedTimer timer;
    timer.start();
    delete dialog;
    Job::waitForAll();
    QVERIFY(timer.elapsed() < 5000);
}

void TestQuantizeDialog::whatIfAsksToQuantise() {
    auto* dialog = new WhatIfDialog(sample(), {TensorIndex(0)}, QStringLiteral("attn_q"), nullptr);
    dialog->show();
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), 60'000);
    QSignalSpy asked(dialog, &WhatIfDialog::quantiseRequested);
    auto* button = dialog->findChildren<QPushButton*>().constFirst();
    for (QPushButton* candidate : dialog->findChildren<QPushButton*>()) {
        button = candidate->text().contains(QStringLiteral("Quantise")) ? candidate : button;
    }
    QVERIFY(!button->isEnabled());
    dialog->table().selectRow(0);
    QVERIFY(button->isEnabled());
    button->click();
    QCOMPARE(asked.count(), 1);
    delete dialog;
}

// From the tensors of a role to the dialog that writes the file, as the user clicks.
void TestQuantizeDialog::whatIfHandsOnTheMatrix() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath(QStringLiteral("m.dat")).toStdString();
    writeMatrix(path, "blk.0.attn_q.weight", 1);
    const auto model = TensorModel()
                           .numbers("blk.0.attn_q.weight", TensorType::F32, {256, 64}, normal(256 * 64, 1))
                           .numbers("blk.1.attn_q.weight", TensorType::F32, {256, 64}, normal(256 * 64, 2))
                           .share();
    QWidget window;
    WhatIfButton button(&window);
    button.setTensor(model, TensorIndex(0));
    window.show();
    emit button.menu()->aboutToShow();
    button.menu()->actions().at(1)->trigger(); // all of the role
    auto* whatIf = window.findChild<WhatIfDialog*>();
    QVERIFY(whatIf != nullptr);
    whatIf->imatrix().load(path);
    QTRY_VERIFY_WITH_TIMEOUT(whatIf->imatrix().imatrix() != nullptr && !whatIf->isBusy(), 60'000);
    const int row = rowOf(whatIf->figures(), "Q4_K");
    const auto* sorted = qobject_cast<const QSortFilterProxyModel*>(whatIf->table().model());
    whatIf->table().selectRow(sorted->mapFromSource(whatIf->figures().index(row, 0)).row());
    for (QPushButton* candidate : whatIf->findChildren<QPushButton*>()) {
        if (candidate->text().contains(QStringLiteral("Quantise"))) {
            QTest::mouseClick(candidate, Qt::LeftButton);
        }
    }
    auto* dialog = window.findChild<QuantizeDialog*>();
    QVERIFY(dialog != nullptr);
    QVERIFY(dialog->imatrix().imatrix() == whatIf->imatrix().imatrix());
    QCOMPARE(dialog->overrides().rowCount(), 1);
    const auto* pattern = qobject_cast<QLineEdit*>(dialog->overrides().cellWidget(0, 0));
    QCOMPARE(pattern->text(), QStringLiteral("^blk\\.\\d+\\.attn_q\\.weight$"));
    QTRY_VERIFY(dialog->notice().contains(QStringLiteral("blk.1.attn_q.weight"))); // which has no entry
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), 60'000);
}

void TestQuantizeDialog::unusableMatricesAreNamed_data() {
    QTest::addColumn<QString>("tensor");
    QTest::addColumn<float>("value");
    QTest::addColumn<QString>("says");
    QTest::newRow("NaN") << "blk.0.attn_q.weight" << std::numeric_limits<float>::quiet_NaN()
                         << "m.dat: blk.0.attn_q.weight";
    QTest::newRow("of another model") << "other.weight" << 1.0F << "belongs to another model";
}

void TestQuantizeDialog::unusableMatricesAreNamed() {
    QFETCH(QString, tensor);
    QFETCH(float, value);
    QFETCH(QString, says);
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath(QStringLiteral("m.dat")).toStdString();
    writeMatrix(path, tensor.toStdString(), value);
    const auto dialog = std::make_unique<QuantizeDialog>(quantisable(), nullptr);
    dialog->imatrix().load(path);
    QTRY_VERIFY2(dialog->notice().contains(says), qPrintable(dialog->notice()));
    QVERIFY(dialog->notice().contains(QStringLiteral("m.dat")));
    QVERIFY(!dialog->findChild<QPushButton*>("write")->isEnabled());
    const auto whatIf =
        std::make_unique<WhatIfDialog>(quantisable(), std::vector{TensorIndex(1)}, QStringLiteral("attn_q"), nullptr);
    whatIf->imatrix().load(path);
    QTRY_VERIFY2(whatIf->notice().contains(says), qPrintable(whatIf->notice()));
}

void TestQuantizeDialog::buttonOffersScopes() {
    WhatIfButton button;
    const auto model = sample();
    button.setTensor(model, TensorIndex(3)); // no size, no values
    QVERIFY(!button.isEnabled());
    button.setTensor(model, TensorIndex(0));
    QVERIFY(button.isEnabled());
    button.setSelection([] { return std::vector<TensorIndex>{TensorIndex(0), TensorIndex(2), TensorIndex(3)}; });
    emit button.menu()->aboutToShow();
    QStringList texts;
    for (const QAction* action : button.menu()->actions()) {
        texts << action->text().remove(QLatin1Char('&'));
    }
    QCOMPARE(texts, (QStringList{QStringLiteral("This tensor"), QStringLiteral("All 2 tensors of the role attn_q"),
                                 QStringLiteral("The 2 selected tensors")}));
}

void TestQuantizeDialog::quantiseShowsThePlan() {
    auto model = TensorModel()
                     .numbers("token_embd.weight", TensorType::F32, {256, 64}, normal(256 * 64, 1))
                     .numbers("blk.0.attn_q.weight", TensorType::F32, {256, 64}, normal(256 * 64, 2))
                     .share();
    auto* dialog = new QuantizeDialog(model, nullptr);
    QTRY_VERIFY(dialog->findChild<QPushButton*>("write")->isEnabled());
    QCOMPARE(dialog->mix().currentText(), QStringLiteral("Q4_K_M"));
    const auto types = [&] {
        QStringList names;
        for (int row = 0; row < dialog->preview().rowCount(); ++row) {
            names << dialog->preview().item(row, 0)->text();
        }
        return names;
    };
    QCOMPARE(types(), (QStringList{QStringLiteral("Q6_K"), QStringLiteral("Q4_K")}));
    const QString before = dialog->summary();
    QVERIFY(before.contains(QStringLiteral("bits per weight")));
    dialog->addOverride({TensorIndex(1)}, static_cast<std::uint32_t>(TensorType::Q8_0));
    QTRY_COMPARE(types(), (QStringList{QStringLiteral("Q8_0"), QStringLiteral("Q6_K")}));
    QVERIFY(dialog->summary() != before);
    dialog->mix().setCurrentText(QStringLiteral("F16"));
    QTRY_COMPARE(types(), (QStringList{QStringLiteral("F16"), QStringLiteral("Q8_0")}));
    auto* pattern = qobject_cast<QLineEdit*>(dialog->overrides().cellWidget(0, 0));
    QCOMPARE(pattern->text(), QStringLiteral("^blk\\.0\\.attn_q\\.weight$"));
    pattern->setText(QStringLiteral("("));
    QTRY_VERIFY(dialog->notice().contains(QStringLiteral("not a regular expression")));
    QVERIFY(!dialog->findChild<QPushButton*>("write")->isEnabled());
    pattern->clear(); // then there is no override
    QTRY_COMPARE(types(), (QStringList{QStringLiteral("F16")}));
    delete dialog;
}

void TestQuantizeDialog::quantiseWrites() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath(QStringLiteral("out.gguf")).toStdString();
    auto model = TensorModel().numbers("blk.0.attn_q.weight", TensorType::F32, {256, 64}, normal(256 * 64, 2)).share();
    auto* dialog = new QuantizeDialog(model, nullptr);
    dialog->show();
    QTRY_VERIFY(dialog->findChild<QPushButton*>("write")->isEnabled());
    QSignalSpy written(dialog, &QuantizeDialog::written);
    dialog->write(path);
    QVERIFY(!dialog->mix().isEnabled());
    QTRY_COMPARE(written.count(), 1);
    QTRY_VERIFY(!dialog->isBusy() && dialog->mix().isEnabled());
    QVERIFY(dialog->notice().startsWith(QStringLiteral("Written: ")));
    const auto made = openModel(path);
    QVERIFY(made);
    QCOMPARE((*made)->tensors[0].typeId, static_cast<std::uint32_t>(TensorType::Q4_K));
    dialog->write(folder.filePath(QStringLiteral("no/folder/out.gguf")).toStdString());
    QTRY_VERIFY(dialog->notice().contains(QStringLiteral("folder for it does not exist")));
    delete dialog;
}

void TestQuantizeDialog::quantiseTellsWhatIsWrong() {
    auto model = TensorModel().zeros("blk.0.attn_q.weight", TensorType::Q8_0, {256, 64}).share();
    auto* dialog = new QuantizeDialog(model, nullptr);
    QTRY_VERIFY(!dialog->notice().isEmpty());
    QVERIFY(dialog->notice().contains(QStringLiteral("blk.0.attn_q.weight")));
    QVERIFY(dialog->notice().contains(QStringLiteral("already quantised")));
    QVERIFY(!dialog->findChild<QPushButton*>("write")->isEnabled());
    test::named<QCheckBox>(dialog, "Requantise tensors that are already quantised")->setChecked(true);
    QTRY_VERIFY(dialog->findChild<QPushButton*>("write")->isEnabled());
    delete dialog;
}

void TestQuantizeDialog::quantiseIsCancelled() {
    const QTemporaryDir folder;
    auto* dialog = new QuantizeDialog(large(), nullptr);
    QTRY_VERIFY(dialog->findChild<QPushButton*>("write")->isEnabled());
    dialog->mix().setCurrentText(QStringLiteral("Q2_K_S"));
    QTRY_VERIFY(dialog->findChild<QPushButton*>("write")->isEnabled());
    dialog->write(folder.filePath(QStringLiteral("out.gguf")).toStdString());
    const auto isEmpty = [&] {
        return QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    };
    QTRY_VERIFY(!isEmpty()); // it is being written
    delete dialog;           // as closing it does
    Job::waitForAll();
    QVERIFY(isEmpty());
}

void TestQuantizeDialog::closingWhileWritingAsks() {
    const QTemporaryDir folder;
    const QPointer<QuantizeDialog> dialog = new QuantizeDialog(large(), nullptr);
    dialog->show();
    QTRY_VERIFY(dialog->findChild<QPushButton*>("write")->isEnabled());
    dialog->mix().setCurrentText(QStringLiteral("Q2_K_S"));
    QTRY_VERIFY(dialog->findChild<QPushButton*>("write")->isEnabled());
    dialog->write(folder.filePath(QStringLiteral("out.gguf")).toStdString());
    const auto question = [&dialog] { return dialog->findChild<QMessageBox*>(); };
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(question() != nullptr);
    QVERIFY2(question()->text().contains(QStringLiteral("out.gguf")), qPrintable(question()->text()));
    QTest::mouseClick(test::named<QPushButton>(question(), "Stop"), Qt::LeftButton);
    QTRY_VERIFY(dialog.isNull());
    Job::waitForAll();
    QVERIFY(QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
}

void TestQuantizeDialog::offersToCompare() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath(QStringLiteral("out.gguf")).toStdString();
    const QPointer<QuantizeDialog> dialog = new QuantizeDialog(quantisable(), nullptr);
    dialog->show();
    QTRY_VERIFY(dialog->findChild<QPushButton*>("write")->isEnabled());
    QVERIFY(!dialog->compareButton().isVisible());
    std::filesystem::path compared;
    connect(dialog, &QuantizeDialog::compareRequested, this,
            [&](const std::filesystem::path&, const std::filesystem::path& written) { compared = written; });
    dialog->write(path);
    QTRY_VERIFY(dialog->compareButton().isVisible());
    QTest::mouseClick(&dialog->compareButton(), Qt::LeftButton);
    QCOMPARE(compared, path);
    QTRY_VERIFY(dialog.isNull()); // nothing is lost, so nothing is asked
}

void TestQuantizeDialog::enterInAFieldAsksForNoFile() {
    auto* dialog = new QuantizeDialog(quantisable(), nullptr);
    dialog->show();
    QTRY_VERIFY(dialog->findChild<QPushButton*>("write")->isEnabled());
    dialog->addOverride(QStringLiteral("attn"), static_cast<std::uint32_t>(TensorType::Q8_0));
    QTRY_VERIFY(dialog->findChild<QPushButton*>("write")->isEnabled());
    auto* pattern = qobject_cast<QLineEdit*>(dialog->overrides().cellWidget(0, 0));
    pattern->setFocus();
    QTest::keyClicks(pattern, QStringLiteral("_q"));
    QTest::keyClick(pattern, Qt::Key_Return);
    QCoreApplication::processEvents();
    QVERIFY(dialog->findChild<QFileDialog*>() == nullptr);
    QTRY_VERIFY(dialog->findChild<QPushButton*>("write")->isEnabled());
    const auto buttons = dialog->findChildren<QPushButton*>();
    const auto found = std::ranges::find_if(buttons, [](const QPushButton* button) { return button->isDefault(); });
    QVERIFY(found != buttons.end());
    QPushButton* write = *found;
    write->setFocus();
    QTest::keyClick(write, Qt::Key_Return);
    QTRY_VERIFY(dialog->findChild<QFileDialog*>() != nullptr);
    delete dialog;
}

void TestQuantizeDialog::overridesWithoutEffectAreNamed() {
    auto* dialog = new QuantizeDialog(quantisable(), nullptr);
    QTRY_VERIFY(dialog->findChild<QPushButton*>("write")->isEnabled());
    dialog->addOverride(QStringLiteral("attn"), static_cast<std::uint32_t>(TensorType::Q8_0));
    dialog->addOverride(QStringLiteral("blk.0.attn"), static_cast<std::uint32_t>(TensorType::F16)); // the first decides
    QTRY_VERIFY2(dialog->notice().contains(QStringLiteral("\"blk.0.attn\" has no effect")),
                 qPrintable(dialog->notice()));
    QVERIFY(!dialog->notice().contains(QStringLiteral("\"attn\"")));
    QTRY_VERIFY(dialog->findChild<QPushButton*>("write")->isEnabled());
    dialog->addOverride(QStringLiteral("atn_q"), static_cast<std::uint32_t>(TensorType::F16)); // mistyped
    QTRY_VERIFY2(dialog->notice().contains(QStringLiteral("\"atn_q\" matches no tensor")),
                 qPrintable(dialog->notice()));
    QVERIFY(!dialog->findChild<QPushButton*>("write")->isEnabled());
    delete dialog;
}

GUFO_TEST_WIDGETS(TestQuantizeDialog)
#include "tst_quantize_dialog.moc"
