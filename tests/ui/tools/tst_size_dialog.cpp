// Quantise for a Size: the target, the slider, the map of types, recipes, and the file that is written.
#include "document/open_model.h"
#include "support/idle.h"
#include "support/test_unit.h"
#include "support/user_view.h"
#include "support/window_fixture.h"
#include "test_paths.h"
#include "ui/tools/file_field.h"
#include "ui/tools/plan_check_view.h"
#include "ui/tools/size_dialog.h"
#include "ui/tools/type_map.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/segmented_control.h"

#include <QAction>
#include <QFileDialog>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace gufo;
using namespace gufo::ui;

namespace {

fs::path sample(const char* type) {
    return fs::path(GUFO_SAMPLE_DIR) / (std::string("gufo-sample-1.4M-chat-v1.0-") + type + ".gguf");
}

using IsMet = bool (*)(const RecipeOutcome& outcome);

} // namespace

class TestSizeDialog : public QObject {
    Q_OBJECT

private slots:
    void init() {
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        m_f = std::make_unique<WindowFixture>();
        qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(m_f->root.native())); // calibrations are kept there
    }
    void cleanup() { m_f.reset(); }
    void meetsTargets_data();
    void meetsTargets();
    void slides();
    void separatesTypes();
    void prefersSpeed();
    void obeysTheRuntime();
    void namesVetoes();
    void editsTheRecipe();
    void exportsRecipes();
    void comparesRecipes();
    void checksThePlan();
    void cancelsTheCheck();
    void tellsWhatIsWrong_data();
    void tellsWhatIsWrong();
    void keepsRecipes();
    void takesTheTypesOfAnotherFile();
    void writes();
    void measuresCostsAndIsCancelled();
    void quantisedModelsAreRefused();
    void fitsSmallWindows_data();
    void fitsSmallWindows();

private:
    SizeDialog* openDialog(const char* type = "F16") const {
        if (m_f->open(sample(type)) == nullptr) {
            return nullptr;
        }
        m_f->window->namedAction("quantiseForSize")->trigger();
        auto* dialog = m_f->window->findChild<SizeDialog*>();
        return dialog != nullptr && QTest::qWaitFor([dialog] { return !dialog->isBusy(); }, 60'000) ? dialog : nullptr;
    }
    static void type(SizeDialog& dialog, SizeDialog::Target kind, const QString& value) {
        dialog.findChild<QComboBox*>("targetField")
            ->setCurrentIndex(dialog.findChild<QComboBox*>("targetField")->findData(static_cast<int>(kind)));
        dialog.findChild<QLineEdit*>("valueField")->setFocus();
        dialog.findChild<QLineEdit*>("valueField")->selectAll();
        QTest::keyClicks(dialog.findChild<QLineEdit*>("valueField"), value);
        QTest::keyClick(dialog.findChild<QLineEdit*>("valueField"), Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&dialog] { return !dialog.isBusy(); }, 60'000));
    }

    static void show(const SizeDialog& dialog, SizeDialog::View view) {
        QTest::mouseClick(dialog.viewChoice()->segment(static_cast<int>(view)), Qt::LeftButton);
    }
    static void typeLines(QPlainTextEdit* editor, const QStringList& lines) {
        editor->setFocus();
        for (qsizetype i = 0; i < lines.size(); ++i) {
            if (i > 0) {
                QTest::keyClick(editor, Qt::Key_Return);
            }
            QTest::keyClicks(editor, lines[i]);
        }
    }
    static bool waitIdle(const SizeDialog& dialog) {
        return QTest::qWaitFor([&dialog] { return !dialog.isBusy(); }, 60'000);
    }
    fs::path owls(const char* name, int sentences) const {
        std::string text;
        for (int i = 0; i < sentences; ++i) {
            text += "The little owl saw a hungry mouse, number " + std::to_string(i) + ". ";
        }
        return writeFile(m_f->root / name, text);
    }
    static QByteArray contentsOf(const fs::path& path) {
        QFile file(QString::fromStdString(path.native()));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    std::unique_ptr<WindowFixture> m_f;
};

void TestSizeDialog::meetsTargets_data() {
    QTest::addColumn<SizeDialog::Target>("kind");
    QTest::addColumn<QString>("value");
    QTest::addColumn<IsMet>("isMet");
    using Target = SizeDialog::Target;
    const auto row = [](const char* name, Target kind, const char* value, IsMet isMet) {
        QTest::newRow(name) << kind << QString::fromLatin1(value) << isMet;
    };
    row("file size", Target::FileSize, "1.1 MB", [](const RecipeOutcome& outcome) {
        return outcome.file.fileBytes <= static_cast<std::uint64_t>(1.1 * 1024 * 1024) &&
               outcome.file.fileBytes > std::uint64_t{1024} * 1024;
    });
    row("bits per weight", Target::BitsPerWeight, "5.5", [](const RecipeOutcome& outcome) {
        return outcome.file.bitsPerWeight() <= 5.5001 && outcome.file.bitsPerWeight() > 5.2;
    });
    row("divergence", Target::Divergence, "0.05",
        [](const RecipeOutcome& outcome) { return outcome.nats <= 0.05 && outcome.nats > 0; });
    row("memory", Target::Memory, "8 MB",
        [](const RecipeOutcome& outcome) { return outcome.file.tensorBytes < std::uint64_t{8} * 1024 * 1024; });
}

void TestSizeDialog::meetsTargets() {
    QFETCH(SizeDialog::Target, kind);
    QFETCH(QString, value);
    QFETCH(IsMet, isMet);
    SizeDialog* dialog = openDialog();
    QVERIFY(dialog != nullptr);
    QVERIFY2(dialog->outcome() != nullptr, qPrintable(dialog->notice()));
    QVERIFY2(dialog->notice().contains("published"), qPrintable(dialog->notice()));
    dialog->contextField()->setValue(256);
    type(*dialog, kind, value);
    const RecipeOutcome* outcome = dialog->outcome();
    QVERIFY2(outcome != nullptr, qPrintable(dialog->notice()));
    QVERIFY(dialog->findChild<QPushButton*>("startButton")->isEnabled());
    QVERIFY2(dialog->summary().contains("expected KL divergence"), qPrintable(dialog->summary()));
    QVERIFY2(dialog->summary().contains("memory"), qPrintable(dialog->summary()));
    QVERIFY2(isMet(*outcome), qPrintable(dialog->summary()));
    QVERIFY(outcome->nats >= 0);
    QCOMPARE(outcome->unknown, std::size_t{0});
    // The map shows the types of the file.
    const TypeMap& map = dialog->map();
    QVERIFY(map.rows() > 5 && map.columns() > 1);
    for (std::size_t row = 0; row < map.rows(); ++row) {
        QVERIFY2(!map.typeAt({.row = row}).isEmpty(), qPrintable(map.roleOf(row)));
    }
}

void TestSizeDialog::slides() {
    SizeDialog* dialog = openDialog();
    QVERIFY(dialog != nullptr && dialog->outcome() != nullptr);
    QVERIFY(dialog->slider()->isEnabled());
    const double bits = dialog->outcome()->file.bitsPerWeight();
    const double nats = dialog->outcome()->nats;
    const QString summary = dialog->summary();
    dialog->slider()->setFocus();
    for (int i = 0; i < 5; ++i) {
        QTest::keyClick(dialog->slider(), Qt::Key_PageUp);
    }
    QVERIFY(QTest::qWaitFor([dialog] { return !dialog->isBusy(); }, 60'000));
    QVERIFY2(dialog->outcome() != nullptr, qPrintable(dialog->notice()));
    QVERIFY(dialog->outcome()->file.bitsPerWeight() > bits);
    QVERIFY(dialog->outcome()->nats < nats);
    QVERIFY(dialog->summary() != summary);
    // The ends are the smallest plan and the original.
    QTest::keyClick(dialog->slider(), Qt::Key_End);
    QVERIFY(QTest::qWaitFor([dialog] { return !dialog->isBusy(); }, 60'000));
    QVERIFY2(dialog->outcome() != nullptr, qPrintable(dialog->notice()));
    QCOMPARE(dialog->outcome()->nats, 0.0);
    QTest::keyClick(dialog->slider(), Qt::Key_Home);
    QVERIFY(QTest::qWaitFor([dialog] { return !dialog->isBusy(); }, 60'000));
    QVERIFY2(dialog->outcome() != nullptr, qPrintable(dialog->notice()));
    QVERIFY(dialog->outcome()->nats > nats);
    // The legend takes another line where it does not fit.
    TypeMap& map = dialog->map();
    const auto oneLine = map.legendPlaces(2'000);
    QVERIFY(oneLine.size() > 1);
    QCOMPARE(oneLine.back().y(), 0);
    QVERIFY(map.legendPlaces(oneLine.back().x()).back().y() > 0);
    // The keys of the map.
    map.setFocus(Qt::TabFocusReason);
    QTest::keyClick(&map, Qt::Key_Down);
    QTest::keyClick(&map, Qt::Key_Right);
    QVERIFY(map.selected() == (TypeMap::Cell{.row = 1, .column = 1}));
    QVERIFY2(map.accessibleDescription().contains("blk.1."), qPrintable(map.accessibleDescription()));
    QVERIFY2(map.accessibleDescription().contains("expected KL"), qPrintable(map.accessibleDescription()));
}

// Without the rule that joined tensors share a type, a plan of the same size can only be better.
void TestSizeDialog::separatesTypes() {
    SizeDialog* dialog = openDialog();
    QVERIFY(dialog != nullptr && dialog->outcome() != nullptr);
    type(*dialog, SizeDialog::Target::BitsPerWeight, QStringLiteral("5"));
    const double joined = dialog->outcome()->nats;
    QTest::mouseClick(dialog->findChild<QCheckBox*>("joinedField"), Qt::LeftButton, {},
                      QPoint(8, dialog->findChild<QCheckBox*>("joinedField")->height() / 2));
    QVERIFY(!dialog->findChild<QCheckBox*>("joinedField")->isChecked());
    QVERIFY(waitIdle(*dialog));
    QVERIFY2(dialog->outcome() != nullptr, qPrintable(dialog->notice()));
    QVERIFY(dialog->outcome()->nats <= joined * 1.02);
    QVERIFY(dialog->outcome()->file.bitsPerWeight() <= 5.0001);
}

void TestSizeDialog::prefersSpeed() {
    SizeDialog* dialog = openDialog();
    QVERIFY(dialog != nullptr && dialog->outcome() != nullptr);
    const double nats = dialog->outcome()->nats;
    dialog->findChild<QComboBox*>("speedField")->setFocus();
    QTest::keyClick(dialog->findChild<QComboBox*>("speedField"), Qt::Key_End);
    QVERIFY(dialog->isBusy());
    dialog->jobBar()->findChild<QToolButton*>()->click(); // at once: it appears only if the work takes a while
    QCOMPARE(dialog->findChild<QComboBox*>("speedField")->currentIndex(), 0);
    QVERIFY(test::waitUntilIdle());
    QVERIFY(dialog->outcome() != nullptr && dialog->findChild<QPushButton*>("startButton")->isEnabled());
    QTest::keyClick(dialog->findChild<QComboBox*>("speedField"), Qt::Key_End);
    QVERIFY(waitIdle(*dialog));
    QVERIFY2(dialog->outcome() != nullptr, qPrintable(dialog->notice()));
    QVERIFY(dialog->outcome()->nats >= nats * 0.98); // speed is paid for
}

void TestSizeDialog::obeysTheRuntime() {
    SizeDialog* dialog = openDialog();
    QVERIFY(dialog != nullptr && dialog->outcome() != nullptr);
    QVERIFY(dialog->findChild<QComboBox*>("runtimeField")->count() >= 2);
    dialog->findChild<QComboBox*>("runtimeField")->setFocus();
    for (int i = 1; i < dialog->findChild<QComboBox*>("runtimeField")->count(); ++i) {
        QTest::keyClick(dialog->findChild<QComboBox*>("runtimeField"), Qt::Key_Down);
        QVERIFY(waitIdle(*dialog));
        QVERIFY2(dialog->outcome() != nullptr, qPrintable(dialog->notice()));
        const auto types =
            plannedTypes(static_cast<Runtime>(dialog->findChild<QComboBox*>("runtimeField")->currentData().toInt()));
        for (const PlannedTensor& planned : dialog->outcome()->file.tensors()) {
            QVERIFY(planned.reason == TypeReason::Kept || std::ranges::find(types, planned.typeId) != types.end() ||
                    findTensorType(planned.typeId)->kind == TensorTypeKind::Float);
        }
    }
}

void TestSizeDialog::namesVetoes() {
    SizeDialog* dialog = openDialog();
    QVERIFY(dialog != nullptr && dialog->outcome() != nullptr);
    type(*dialog, SizeDialog::Target::FileSize, QStringLiteral("10 kB"));
    QVERIFY2(dialog->notice().contains("would be possible"), qPrintable(dialog->notice()));
}

void TestSizeDialog::editsTheRecipe() {
    SizeDialog* dialog = openDialog();
    QVERIFY(dialog != nullptr && dialog->outcome() != nullptr);
    show(*dialog, SizeDialog::View::Recipe);
    QPlainTextEdit* editor = dialog->editor();
    QTRY_VERIFY(editor->isVisible() && !dialog->map().isVisible());
    QVERIFY2(editor->toPlainText().contains("= "), qPrintable(editor->toPlainText()));
    const std::uint64_t planned = dialog->outcome()->file.fileBytes;
    editor->setFocus();
    editor->selectAll();
    QTest::keyClicks(editor, QStringLiteral("* = Q8_0"));
    QVERIFY(waitIdle(*dialog));
    QVERIFY2(dialog->summary().startsWith("Edited recipe"), qPrintable(dialog->summary()));
    QVERIFY(dialog->outcome()->file.fileBytes > planned);
    QCOMPARE(editor->toPlainText(), QStringLiteral("* = Q8_0")); // as it was typed
    const std::uint64_t eights = dialog->outcome()->file.fileBytes;
    QTest::keyClick(editor, Qt::Key_Home);
    typeLines(editor, {QStringLiteral("attn_(q = Q4_K"), QString()});
    QVERIFY(waitIdle(*dialog));
    QVERIFY2(dialog->notice().contains("Line 1"), qPrintable(dialog->notice()));
    QVERIFY(!dialog->findChild<QPushButton*>("startButton")->isEnabled());
    editor->selectAll();
    typeLines(editor, {QStringLiteral("ffn_down = Q4_K"), QStringLiteral("* = Q8_0")});
    QVERIFY(waitIdle(*dialog));
    QVERIFY(dialog->findChild<QPushButton*>("startButton")->isEnabled());
    QVERIFY(dialog->outcome()->file.fileBytes < eights);
    // A target plans anew, and the editor shows that plan.
    type(*dialog, SizeDialog::Target::BitsPerWeight, QStringLiteral("5"));
    QVERIFY(!editor->toPlainText().contains("ffn_down = Q4_K\n* = Q8_0"));
    QVERIFY(editor->toPlainText().contains("5"));
}

void TestSizeDialog::exportsRecipes() {
    SizeDialog* dialog = openDialog();
    QVERIFY(dialog != nullptr && dialog->outcome() != nullptr);
    show(*dialog, SizeDialog::View::Recipe);
    dialog->editor()->selectAll();
    typeLines(dialog->editor(), {QStringLiteral("attn_v = Q6_K"), QStringLiteral("* = Q4_K")});
    QVERIFY(waitIdle(*dialog));
    dialog->exportTypeFile(m_f->root / "types.txt");
    QTRY_COMPARE(contentsOf(m_f->root / "types.txt"), QByteArray("attn_v=q6_k\n.*=q4_k\n"));
    dialog->exportCustomQ(m_f->root / "custom.txt");
    QTRY_COMPARE(contentsOf(m_f->root / "custom.txt"), QByteArray("attn_v=q6_k,.*=q4_k\n"));
    dialog->editor()->selectAll();
    typeLines(dialog->editor(), {QStringLiteral("attn_v{1,1} = Q6_K"), QStringLiteral("* = Q4_K")});
    QVERIFY(waitIdle(*dialog));
    dialog->exportCustomQ(m_f->root / "comma.txt");
    QVERIFY2(dialog->notice().contains("commas"), qPrintable(dialog->notice()));
    QVERIFY(!fs::exists(m_f->root / "comma.txt"));
}

void TestSizeDialog::comparesRecipes() {
    SizeDialog* dialog = openDialog();
    QVERIFY(dialog != nullptr && dialog->outcome() != nullptr);
    show(*dialog, SizeDialog::View::Differences);
    QTRY_VERIFY(dialog->differences()->isVisible());
    QCOMPARE(dialog->differences()->rowCount(), 0);
    dialog->compareWith(sample("Q4_K"));
    QTRY_VERIFY(dialog->differences()->rowCount() > 0);
    // Like that file, nothing differs.
    dialog->takeFrom(sample("Q4_K"));
    QTRY_VERIFY2(dialog->summary().startsWith("Like "), qPrintable(dialog->summary()));
    QCOMPARE(dialog->differences()->rowCount(), 0);
    // Another recipe.
    dialog->compareWith(writeFile(m_f->root / "eight.recipe", std::string("* = Q8_0\n")));
    QTRY_VERIFY(dialog->differences()->rowCount() > 0);
    QCOMPARE(dialog->differences()->item(0, 3)->text(), QStringLiteral("Q8_0"));
    dialog->compareWith(writeFile(m_f->root / "bad.recipe", std::string("attn_q\n")));
    QTRY_VERIFY2(dialog->notice().contains("bad.recipe"), qPrintable(dialog->notice()));
}

void TestSizeDialog::checksThePlan() {
    QVERIFY(m_f->open(sample("Q8_0")) != nullptr); // another open file of the model
    SizeDialog* dialog = openDialog();
    QVERIFY(dialog != nullptr && dialog->outcome() != nullptr);
    show(*dialog, SizeDialog::View::Sizes);
    PlanCheckView& view = *dialog->findChild<PlanCheckView*>();
    QTRY_VERIFY(view.isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(!view.isOutlining(), 60'000);
    const SizePlot& plot = view.plot();
    QVERIFY(plot.front().size() > 10);
    for (std::size_t i = 1; i < plot.front().size(); ++i) {
        QVERIFY(plot.front()[i].bytes >= plot.front()[i - 1].bytes);
        QVERIFY(plot.front()[i].nats <= 1.05 * plot.front()[i - 1].nats);
    }
    const auto mixes = [&plot] { return std::ranges::count(plot.files(), SizedFile::Kind::Mix, &SizedFile::kind); };
    QVERIFY(mixes() > 4);
    QVERIFY(!view.checkButton()->isEnabled());
    view.textField()->setPath(owls("held.txt", 80));
    QVERIFY(view.checkButton()->isEnabled());
    QTest::mouseClick(view.checkButton(), Qt::LeftButton);
    QVERIFY(view.isBusy());
    QTRY_VERIFY_WITH_TIMEOUT(!view.isBusy(), 240'000);
    QVERIFY2(view.verdict().contains("times"), qPrintable(view.verdict()));
    QCOMPARE(view.table()->rowCount(), 4); // the plan, a smaller and a larger mix, and the open file
    const SizedFile& plan = plot.files().front();
    QVERIFY(plan.kind == SizedFile::Kind::Plan && plan.nats().value_or(0) > 0);
    QCOMPARE(plan.expected, std::optional(dialog->outcome()->nats));
    const auto open = std::ranges::find(plot.files(), SizedFile::Kind::File, &SizedFile::kind);
    QVERIFY(open != plot.files().end());
    QVERIFY(open->name.contains("Q8_0") && *open->nats() < *plan.nats());
    QVERIFY(open->tokensPerSecond > 0);
    QVERIFY(mixes() > 4); // those that were not measured stay as they are expected
    view.plot().setFocus();
    QTest::keyClick(&view.plot(), Qt::Key_Right);
    QVERIFY(plot.chosen());
    QVERIFY(!view.plot().accessibleDescription().isEmpty());
    // Another plan was not measured.
    type(*dialog, SizeDialog::Target::BitsPerWeight, QStringLiteral("6"));
    QVERIFY(!view.table()->isVisible());
    QVERIFY(!plot.files().front().measured);
}

void TestSizeDialog::cancelsTheCheck() {
    SizeDialog* dialog = openDialog();
    QVERIFY(dialog != nullptr && dialog->outcome() != nullptr);
    show(*dialog, SizeDialog::View::Sizes);
    PlanCheckView& view = *dialog->findChild<PlanCheckView*>();
    view.textField()->setPath(owls("held.txt", 4'000));
    QTest::mouseClick(view.checkButton(), Qt::LeftButton);
    QVERIFY(view.isBusy());
    view.progress().findChild<QToolButton*>()->click(); // at once: it appears only if the work takes a while
    QVERIFY(!view.isBusy());
    QVERIFY2(view.verdict().startsWith("Cancelled"), qPrintable(view.verdict()));
    QVERIFY(test::waitUntilIdle());
    QVERIFY(!view.table()->isVisible());
    QVERIFY(view.checkButton()->isEnabled());
    view.textField()->setPath(owls("short.txt", 1));
    QTest::mouseClick(view.checkButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!view.isBusy(), 60'000);
    QVERIFY2(view.verdict().contains("short.txt"), qPrintable(view.verdict()));
}

void TestSizeDialog::tellsWhatIsWrong_data() {
    QTest::addColumn<SizeDialog::Target>("kind");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("reason");
    QTest::newRow("no number") << SizeDialog::Target::BitsPerWeight << QStringLiteral("many")
                               << QStringLiteral("4.2 GB");
    QTest::newRow("no size") << SizeDialog::Target::FileSize << QStringLiteral("4 owls") << QStringLiteral("4.2 GB");
    QTest::newRow("no divergence") << SizeDialog::Target::Divergence << QStringLiteral("-1") << QStringLiteral("0.02");
    QTest::newRow("too small") << SizeDialog::Target::FileSize << QStringLiteral("10 kB") << QStringLiteral("10");
}

void TestSizeDialog::tellsWhatIsWrong() {
    QFETCH(SizeDialog::Target, kind);
    QFETCH(QString, value);
    QFETCH(QString, reason);
    SizeDialog* dialog = openDialog();
    QVERIFY(dialog != nullptr);
    type(*dialog, kind, value);
    QVERIFY2(dialog->notice().contains(reason), qPrintable(dialog->notice()));
    QVERIFY(!dialog->findChild<QPushButton*>("startButton")->isEnabled());
    type(*dialog, SizeDialog::Target::BitsPerWeight, QStringLiteral("6"));
    QVERIFY(dialog->findChild<QPushButton*>("startButton")->isEnabled());
}

void TestSizeDialog::keepsRecipes() {
    SizeDialog* dialog = openDialog();
    QVERIFY(dialog != nullptr);
    type(*dialog, SizeDialog::Target::BitsPerWeight, QStringLiteral("5"));
    const std::vector<PlannedTensor> planned = dialog->outcome()->file.tensors();
    const fs::path path = m_f->root / "five.recipe";
    dialog->saveRecipe(path);
    QTRY_VERIFY2(dialog->notice().startsWith("Written: "), qPrintable(dialog->notice()));
    type(*dialog, SizeDialog::Target::BitsPerWeight, QStringLiteral("8"));
    QVERIFY(dialog->outcome()->file.bitsPerWeight() > 6);
    dialog->openRecipe(path);
    QTRY_VERIFY2(dialog->summary().startsWith("five.recipe"), qPrintable(dialog->summary()));
    for (std::size_t i = 0; i < planned.size(); ++i) {
        QCOMPARE(dialog->outcome()->file.tensors()[i].typeId, planned[i].typeId);
    }
    // Faults name their line, and leave the plan as it is.
    dialog->openRecipe(writeFile(m_f->root / "bad.recipe", std::string("# model: x\nattn_(q = Q4_K\n")));
    QTRY_VERIFY2(dialog->notice().contains("Line 2"), qPrintable(dialog->notice()));
    dialog->openRecipe(writeFile(m_f->root / "worse.recipe", std::string("attn_q\n")));
    QTRY_VERIFY2(dialog->notice().contains("worse.recipe"), qPrintable(dialog->notice()));
    // A target ends the use of the recipe.
    type(*dialog, SizeDialog::Target::BitsPerWeight, QStringLiteral("8"));
    QVERIFY(!dialog->summary().startsWith("five.recipe"));
    QVERIFY(dialog->outcome()->file.bitsPerWeight() > 6);
}

void TestSizeDialog::takesTheTypesOfAnotherFile() {
    SizeDialog* dialog = openDialog();
    QVERIFY(dialog != nullptr);
    dialog->takeFrom(sample("Q4_K"));
    QTRY_VERIFY2(dialog->summary().startsWith("Like "), qPrintable(dialog->summary() + dialog->notice()));
    const auto theirs = openModel(sample("Q4_K"), {});
    QVERIFY(theirs);
    const auto own = openModel(sample("F16"), {});
    QVERIFY(own);
    std::size_t compared = 0;
    for (const PlannedTensor& planned : dialog->outcome()->file.tensors()) {
        const TensorInfo& tensor = (*own)->tensor(planned.tensor);
        if (const auto other = (*theirs)->findTensor(tensor.name); other && !recipeKeeps(tensor)) {
            QCOMPARE(planned.typeId, (*theirs)->tensor(*other).typeId);
            ++compared;
        }
    }
    QVERIFY(compared > 10);
}

void TestSizeDialog::writes() {
    SizeDialog* dialog = openDialog();
    QVERIFY(dialog != nullptr);
    type(*dialog, SizeDialog::Target::BitsPerWeight, QStringLiteral("5"));
    const std::uint64_t bytes = dialog->outcome()->file.fileBytes;
    const std::vector<PlannedTensor> planned = dialog->outcome()->file.tensors();
    QTest::mouseClick(dialog->findChild<QPushButton*>("startButton"), Qt::LeftButton);
    QTRY_VERIFY(dialog->findChild<QFileDialog*>() != nullptr);
    auto* files = dialog->findChild<QFileDialog*>();
    const fs::path path = m_f->root / "five.gguf";
    files->selectFile(QString::fromStdString(path.native()));
    static_cast<QDialog*>(files)->accept();
    QTRY_VERIFY2_WITH_TIMEOUT(dialog->notice().startsWith("Written: "), qPrintable(dialog->notice()), 60'000);
    QCOMPARE(fs::file_size(path), bytes);
    const auto written = openModel(path, {});
    QVERIFY(written);
    QVERIFY((*written)->metadata.string("quantize.recipe"));
    for (std::size_t i = 0; i < planned.size(); ++i) {
        QCOMPARE((*written)->tensors[i].typeId, planned[i].typeId);
    }
    QVERIFY(dialog->openButton()->isVisible());
    QVERIFY(dialog->findChild<PlanCheckView*>()->isVisible()); // where the file can be checked
}

void TestSizeDialog::measuresCostsAndIsCancelled() {
    SizeDialog* dialog = openDialog();
    QVERIFY(dialog != nullptr && !dialog->isMeasured());
    std::string text;
    for (int i = 0; i < 60; ++i) {
        text += "The little owl saw a hungry mouse, number " + std::to_string(i) + ". ";
    }
    const fs::path path = writeFile(m_f->root / "owls.txt", text);
    dialog->textField()->setPath(path);
    QVERIFY(dialog->isBusy() && !dialog->findChild<QPushButton*>("startButton")->isEnabled());
    dialog->jobBar()->findChild<QToolButton*>()->click(); // at once: it appears only if the work takes a while
    QVERIFY(!dialog->isBusy());
    QVERIFY2(dialog->notice().startsWith("Cancelled"), qPrintable(dialog->notice()));
    QVERIFY(test::waitUntilIdle());
    QVERIFY(dialog->outcome() == nullptr && !dialog->findChild<QPushButton*>("startButton")->isEnabled());
    // Enter in the target measures them after all.
    dialog->findChild<QLineEdit*>("valueField")->setFocus();
    QTest::keyClick(dialog->findChild<QLineEdit*>("valueField"), Qt::Key_Return);
    QVERIFY(dialog->isBusy());
    QVERIFY(QTest::qWaitFor([dialog] { return !dialog->isBusy(); }, 240'000));
    QVERIFY2(dialog->isMeasured(), qPrintable(dialog->notice()));
    QVERIFY2(!dialog->notice().contains("published") && dialog->notice().contains("owls.txt"),
             qPrintable(dialog->notice()));
    QVERIFY(dialog->outcome() != nullptr && dialog->outcome()->nats > 0);
}

void TestSizeDialog::quantisedModelsAreRefused() {
    SizeDialog* dialog = openDialog("Q4_K");
    QVERIFY(dialog != nullptr);
    QVERIFY2(dialog->notice().contains("Plan with the original"), qPrintable(dialog->notice()));
    QVERIFY(!dialog->findChild<QPushButton*>("startButton")->isEnabled() && !dialog->slider()->isEnabled());
}

void TestSizeDialog::fitsSmallWindows_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("900 × 600") << QSize(900, 600);
    QTest::newRow("640 × 480") << QSize(640, 480);
}

void TestSizeDialog::fitsSmallWindows() {
    QFETCH(QSize, size);
    m_f->window->resize(size);
    QTRY_COMPARE(m_f->window->size(), size);
    SizeDialog* dialog = openDialog();
    QVERIFY(dialog != nullptr);
    QVERIFY2(dialog->width() <= size.width() && dialog->height() <= size.height(),
             qPrintable(QStringLiteral("%1 × %2").arg(dialog->width()).arg(dialog->height())));
    for (const QWidget* control : std::initializer_list<const QWidget*>{dialog->findChild<QPushButton*>("startButton"),
                                                                        dialog->slider(), dialog->contextField()}) {
        QVERIFY(dialog->rect().contains(QRect(control->mapTo(dialog, QPoint()), control->size())));
    }
}

GUFO_TEST_WIDGETS(TestSizeDialog)
#include "tst_size_dialog.moc"
