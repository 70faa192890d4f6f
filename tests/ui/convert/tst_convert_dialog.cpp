#include "document/open_model.h"
#include "model/file_kind.h"
#include "support/convert_fixtures.h"
#include "support/legacy_llama.h"
#include "support/safetensors_builder.h"
#include "support/test_unit.h"
#include "support/ui_test_settings.h"
#include "ui/convert/base_field.h"
#include "ui/convert/convert_dialog.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/quantize/imatrix_field.h"
#include "ui/theme/theme.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/segmented_control.h"

#include <QFileDialog>
#include <QFileOpenEvent>
#include <QPointer>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace gufo;
using namespace gufo::ui;

class TestConvertDialog : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_settings.clear();
        Theme::instance().apply();
        m_folder = std::make_unique<QTemporaryDir>();
    }
    void cleanup() {
        delete m_dialog;
        Job::waitForAll();
    }
    void showsThePlanFirst();
    void filtersBothTables();
    void choicesChangeThePlan();
    void writesWhatItAnnounced();
    void asksBeforeItReplacesAFile();
    void offersToOpenTheResult();
    void refusesAndSaysWhy_data();
    void refusesAndSaysWhy();
    void leavesNothingWhenCancelled();
    void cancelsInTheMiddle();
    void cancelsTooLate();
    void planningIsCancelled();
    void knowsWhatCanBeConverted();
    void convertsFilesFromBeforeGguf();
    void writesNothingIncomplete();
    void refusesOtherFamilies();
    void convertsAnAdapterBesideItsBase();

private:
    // Opens the dialog and waits for the plan or the refusal.
    ConvertDialog& open(const std::filesystem::path& path) {
        m_dialog = new ConvertDialog(path, nullptr);
        m_dialog->show();
        QSignalSpy done(m_dialog, &ConvertDialog::plannedOrRefused);
        if (!done.wait(20'000)) {
            qWarning("there is no plan");
        }
        return *m_dialog;
    }
    ConvertDialog& openFixture(const QString& name) { return open(test::convertFixture(name, false).source()); }
    // A copy of a fixture's source that may be changed.
    std::filesystem::path copyOf(const QString& name) {
        const std::filesystem::path copy = m_folder->filePath(name).toStdString();
        std::filesystem::copy(test::convertFixture(name, false).source(), copy,
                              std::filesystem::copy_options::recursive);
        return copy;
    }
    bool waitForPlan() {
        QSignalSpy done(m_dialog, &ConvertDialog::plannedOrRefused);
        return done.wait(20'000);
    }
    bool write(const QString& path) {
        QSignalSpy written(m_dialog, &ConvertDialog::written);
        m_dialog->write(path.toStdString());
        return written.wait(20'000);
    }
    static void replaceIn(const std::filesystem::path& file, const QByteArray& before, const QByteArray& after) {
        QFile text(QString::fromStdString(file.native()));
        QVERIFY(text.open(QIODevice::ReadOnly));
        QByteArray bytes = text.readAll();
        text.close();
        QVERIFY(bytes.contains(before));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write(bytes.replace(before, after));
    }
    QStringList files() const { return QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden); }

    UiTestSettings m_settings;
    std::unique_ptr<QTemporaryDir> m_folder;
    QPointer<ConvertDialog> m_dialog;
};

void TestConvertDialog::showsThePlanFirst() {
    ConvertDialog& dialog = openFixture("llama");
    QVERIFY2(dialog.planned() != nullptr, qPrintable(dialog.notice()));
    QVERIFY(dialog.findChild<QPushButton*>("convertButton")->isEnabled());
    QVERIFY(!dialog.openButton()->isVisible());
    QVERIFY(dialog.findChild<QTableView*>("tensorTable")->isVisible());
    QVERIFY(dialog.findChild<QTableView*>("tensorTable")->columnWidth(PlanTensorModel::Target) >=
            200); // names can be read
    QCOMPARE(dialog.findChild<QTableView*>("tensorTable")->textElideMode(),
             Qt::ElideLeft); // and told apart where they are long
    QCOMPARE(dialog.findChild<QTableView*>("tensorTable")->model()->rowCount(),
             static_cast<int>(dialog.planned()->plan.rows.size() + dialog.planned()->plan.unused.size()));
    QVERIFY2(dialog.summary().startsWith("llama, "), qPrintable(dialog.summary()));
    QVERIFY(dialog.summary().contains("bits per weight"));
    QTest::mouseClick(dialog.tables()->segment(1), Qt::LeftButton);
    QVERIFY(dialog.findChild<QTableView*>("keyTable")->isVisible());
    QCOMPARE(dialog.findChild<QTableView*>("keyTable")->model()->rowCount(),
             static_cast<int>(dialog.planned()->plan.keys.size()));
}

void TestConvertDialog::filtersBothTables() {
    ConvertDialog& dialog = openFixture("llama");
    const int all = dialog.findChild<QTableView*>("tensorTable")->model()->rowCount();
    QTest::keyClicks(dialog.filter(), "q_proj"); // in a column other than the first
    QTest::keyClick(dialog.filter(), Qt::Key_Return);
    const int filtered = dialog.findChild<QTableView*>("tensorTable")->model()->rowCount();
    QVERIFY(filtered > 0 && filtered < all);
    dialog.filter()->clear();
    QTest::keyClicks(dialog.filter(), "hidden_size");
    QTest::keyClick(dialog.filter(), Qt::Key_Return);
    QCOMPARE(dialog.findChild<QTableView*>("keyTable")->model()->rowCount(), 1);
    QTest::keyClick(dialog.filter(), Qt::Key_Escape);
    QCOMPARE(dialog.findChild<QTableView*>("tensorTable")->model()->rowCount(), all);
}

void TestConvertDialog::choicesChangeThePlan() {
    ConvertDialog& dialog = openFixture("llama");
    const std::uint64_t before = dialog.planned()->plan.tensorBytes;
    dialog.findChild<QComboBox*>("typeCombo")
        ->setCurrentIndex(dialog.findChild<QComboBox*>("typeCombo")->findText("F32"));
    QVERIFY(!dialog.findChild<QPushButton*>("convertButton")->isEnabled()); // until the new plan is there
    QVERIFY(waitForPlan());
    QVERIFY(dialog.planned()->plan.tensorBytes > before);
    QVERIFY(dialog.findChild<QPushButton*>("convertButton")->isEnabled());
    QTest::keyClicks(dialog.findChild<QLineEdit*>("nameField"), "My model");
    QVERIFY(waitForPlan());
    const auto name = std::ranges::find(dialog.planned()->plan.keys, "general.name", &convert::PlannedKey::key);
    QVERIFY(name != dialog.planned()->plan.keys.end());
    QCOMPARE(std::get<std::string_view>(name->value.value()), std::string_view("My model"));
    QTest::mouseClick(dialog.findChild<QCheckBox*>("vocabularyBox"), Qt::LeftButton, {},
                      {8, dialog.findChild<QCheckBox*>("vocabularyBox")->height() / 2});
    QVERIFY(waitForPlan());
    QVERIFY(dialog.planned()->plan.rows.empty());
    QVERIFY(dialog.summary().contains("without tensors"));
}

void TestConvertDialog::writesWhatItAnnounced() {
    ConvertDialog& dialog = openFixture("qwen2");
    const std::uint64_t announced = dialog.planned()->bytes;
    const std::size_t tensors = dialog.planned()->plan.rows.size();
    const QString path = m_folder->filePath("out.gguf");
    QVERIFY(write(path));
    QVERIFY2(dialog.notice().startsWith("Written: "), qPrintable(dialog.notice()));
    QCOMPARE(static_cast<std::uint64_t>(QFileInfo(path).size()), announced);
    const auto model = openModel(path.toStdString());
    QVERIFY(model.has_value());
    QCOMPARE((*model)->tensors.size(), tensors);
    QCOMPARE(files(), QStringList{"out.gguf"});
    QVERIFY(dialog.findChild<QPushButton*>("convertButton")->isEnabled()); // another type may follow
}

void TestConvertDialog::asksBeforeItReplacesAFile() {
    ConvertDialog& dialog = openFixture("qwen2");
    QTest::mouseClick(dialog.findChild<QPushButton*>("convertButton"), Qt::LeftButton);
    auto* ask = dialog.findChild<QFileDialog*>();
    QVERIFY(ask != nullptr);
    QCOMPARE(ask->acceptMode(), QFileDialog::AcceptSave);
    QVERIFY(!ask->testOption(QFileDialog::DontConfirmOverwrite));
    QVERIFY(ask->selectedFiles().value(0).endsWith(".gguf"));
    ask->reject();
    QVERIFY(!dialog.isWriting());
}

void TestConvertDialog::offersToOpenTheResult() {
    struct Opened : QObject {
        QString file;
        bool eventFilter(QObject*, QEvent* event) override {
            if (event->type() != QEvent::FileOpen) {
                return false;
            }
            file = static_cast<QFileOpenEvent*>(event)->file();
            return true;
        }
    } opened;
    openFixture("qwen2");
    const QString path = m_folder->filePath("out.gguf");
    QVERIFY(write(path));
    QVERIFY(m_dialog->openButton()->isVisible());
    qApp->installEventFilter(&opened);
    QTest::mouseClick(m_dialog->openButton(), Qt::LeftButton);
    qApp->removeEventFilter(&opened);
    QCOMPARE(opened.file, path);
    QTRY_VERIFY(m_dialog.isNull()); // it has done its work
}

void TestConvertDialog::refusesAndSaysWhy_data() {
    QTest::addColumn<QString>("fixture");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* name, const char* fixture, const char* file, const char* before, const char* after,
                        const char* reason) {
        QTest::newRow(name) << fixture << file << QByteArray(before) << QByteArray(after) << reason;
    };
    row("unknown class", "llama", "config.json", "LlamaForCausalLM", "OwlForCausalLM", "class OwlForCausalLM cannot");
    row("tensors without a place", "llama", "model.safetensors", "self_attn.q_proj.weight", "self_attn.o_what.weight",
        "without a place");
    row("encoding of a layer", "qwen3-awq", "config.json", "\"bits\": 4", "\"bits\": 5",
        "tensor model.layers.0.mlp.down_proj.weight: not possible: its quantisation cannot be read: awq 5");
}

void TestConvertDialog::refusesAndSaysWhy() {
    QFETCH(QString, fixture);
    QFETCH(QString, file);
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(QString, reason);
    const std::filesystem::path folder = copyOf(fixture);
    replaceIn(folder / file.toStdString(), before, after);
    ConvertDialog& dialog = open(folder);
    QVERIFY(dialog.planned() == nullptr);
    QVERIFY(!dialog.findChild<QPushButton*>("convertButton")->isEnabled());
    QCOMPARE(dialog.summary(), QString("This folder cannot be converted"));
    QVERIFY2(dialog.notice().contains(reason), qPrintable(dialog.notice()));
    if (file == "model.safetensors") { // all of them at once, in red
        const QAbstractItemModel& model = *dialog.findChild<QTableView*>("tensorTable")->model();
        QVERIFY(model.rowCount() >= 2);
        QVERIFY(model.index(0, PlanTensorModel::Sources).data().toString().contains("o_what"));
        QCOMPARE(model.index(0, 0).data(Qt::ForegroundRole).value<QColor>(), themeColor(Token::ErrorText));
    }
}

void TestConvertDialog::leavesNothingWhenCancelled() {
    ConvertDialog& dialog = openFixture("llama");
    QSignalSpy written(&dialog, &ConvertDialog::written);
    auto* cancel = dialog.jobBar()->findChild<QToolButton*>("cancelJob");
    QFile old(m_folder->filePath("old.gguf"));
    QVERIFY(old.open(QIODevice::WriteOnly));
    old.write("old");
    old.close();
    for (const QString& path : {m_folder->filePath("new.gguf"), old.fileName()}) {
        // All threads of the jobs wait, so that the file, which is small, cannot be complete before the click.
        QSemaphore released;
        for (int i = 0; i < 16; ++i) {
            startJob<bool>(
                &dialog,
                [&released](const JobContext&) -> Result<bool> {
                    released.acquire();
                    return true;
                },
                [](const Result<bool>&) {});
        }
        dialog.write(path.toStdString());
        QVERIFY(dialog.isWriting());
        QVERIFY(!dialog.findChild<QComboBox*>("typeCombo")->isEnabled());
        QTRY_VERIFY(cancel->isVisible());
        QTest::mouseClick(cancel, Qt::LeftButton);
        released.release(16);
        QVERIFY(written.wait(20'000));
        Job::waitForAll();
        QCOMPARE(dialog.notice(), QString("Cancelled. Nothing was written."));
        QCOMPARE(files(), QStringList{"old.gguf"});
        QVERIFY(dialog.findChild<QPushButton*>("convertButton")->isEnabled());
        QVERIFY(!dialog.openButton()->isVisible());
    }
    QVERIFY(old.open(QIODevice::ReadOnly));
    QCOMPARE(old.readAll(), QByteArray("old")); // what stood there remains
}

// The click comes while the weights are written.
void TestConvertDialog::cancelsInTheMiddle() {
    test::writeSparseLlama(m_folder->filePath("source").toStdString(), 400'000);
    ConvertDialog& dialog = open(m_folder->filePath("source").toStdString());
    QVERIFY2(dialog.planned() != nullptr, qPrintable(dialog.notice()));
    dialog.findChild<QComboBox*>("typeCombo")
        ->setCurrentIndex(dialog.findChild<QComboBox*>("typeCombo")->findText("Q4_K_M"));
    QVERIFY(waitForPlan());
    QFile old(m_folder->filePath("old.gguf"));
    QVERIFY(old.open(QIODevice::WriteOnly));
    old.write("old");
    old.close();
    QSignalSpy written(&dialog, &ConvertDialog::written);
    dialog.write(old.fileName().toStdString());
    auto* cancel = dialog.jobBar()->findChild<QToolButton*>("cancelJob");
    const auto largest = [&] {
        qint64 bytes = 0;
        for (const QString& file : files()) {
            bytes = std::max(bytes, QFileInfo(m_folder->filePath(file)).size());
        }
        return bytes;
    };
    QTRY_VERIFY_WITH_TIMEOUT(largest() > 1'000'000 && cancel->isVisible(), 60'000); // of the part file
    QVERIFY(dialog.isWriting());
    QTest::mouseClick(cancel, Qt::LeftButton);
    QVERIFY(written.wait(20'000));
    QCOMPARE(dialog.notice(), QString("Cancelled. Nothing was written."));
    QCOMPARE(files(), QStringList{"old.gguf"});
    QVERIFY(old.open(QIODevice::ReadOnly));
    QCOMPARE(old.readAll(), QByteArray("old"));
    QVERIFY(dialog.findChild<QPushButton*>("convertButton")->isEnabled());
}

// A click that comes when the file is complete does not claim that nothing was written.
void TestConvertDialog::cancelsTooLate() {
    ConvertDialog& dialog = openFixture("llama");
    QSignalSpy written(&dialog, &ConvertDialog::written);
    const QString path = m_folder->filePath("out.gguf");
    dialog.write(path.toStdString());
    Job::waitForAll(); // without the event loop, so that the result has not arrived
    dialog.jobBar()->findChild<QToolButton*>("cancelJob")->click();
    QVERIFY(written.wait(20'000));
    QVERIFY2(dialog.notice().startsWith("Written: "), qPrintable(dialog.notice()));
    QVERIFY(dialog.openButton()->isVisible());
    QVERIFY(QFile::exists(path));
}

void TestConvertDialog::planningIsCancelled() {
    m_dialog = new ConvertDialog(test::convertFixture("llama", false).source(), nullptr);
    QVERIFY(m_dialog->isPlanning());
    delete m_dialog; // while the folder is read
    Job::waitForAll();
    QCoreApplication::processEvents();
    QVERIFY(m_dialog.isNull());
}

void TestConvertDialog::knowsWhatCanBeConverted() {
    const auto folder = openModel(test::convertFixture("llama", false).source());
    QVERIFY(folder.has_value());
    QVERIFY(mayBeConverted(**folder));
    const auto gguf = openModel(GUFO_TEST_DATA "/architectures/llama.gguf");
    QVERIFY(gguf.has_value());
    QVERIFY(!mayBeConverted(**gguf));
}

void TestConvertDialog::convertsFilesFromBeforeGguf() {
    const std::filesystem::path file = m_folder->filePath("old.bin").toStdString();
    test::legacyLlama("tjgg", 1, test::kQ4_0Version1).write(file);
    const auto model = openModel(file);
    QVERIFY(model.has_value());
    QVERIFY(mayBeConverted(**model));
    ConvertDialog& dialog = open(file);
    QVERIFY2(dialog.planned() != nullptr, qPrintable(dialog.notice()));
    QVERIFY(dialog.findChild<QPushButton*>("convertButton")->isEnabled());
    QVERIFY(!dialog.findChild<QComboBox*>("typeCombo")->isEnabled()); // the blocks are repacked
    QVERIFY(!dialog.imatrix()->isEnabled());
    QVERIFY(dialog.findChild<QCheckBox*>("vocabularyBox")->isEnabled());
    QVERIFY(!dialog.base()->isVisible());
    QVERIFY2(dialog.notice().contains("rounded to f16"), qPrintable(dialog.notice()));
    const QAbstractItemModel& rows = *dialog.findChild<QTableView*>("tensorTable")->model();
    // The cell begins with ± and the error, so that it is visible in a narrow column.
    QVERIFY(rows.index(0, PlanTensorModel::Operations).data().toString().startsWith(QChar(0xB1)));
    QTest::keyClicks(dialog.findChild<QLineEdit*>("nameField"), "Llama of old");
    QVERIFY(waitForPlan());
    QVERIFY(write(m_folder->filePath("new.gguf")));
    QVERIFY2(dialog.notice().startsWith("Written: "), qPrintable(dialog.notice()));
    QVERIFY(!dialog.findChild<QComboBox*>("typeCombo")->isEnabled()); // as before
    const auto made = openModel(m_folder->filePath("new.gguf").toStdString());
    QVERIFY(made.has_value());
    QCOMPARE((*made)->metadata.string("general.name").value_or(""), std::string_view("Llama of old"));
}

// A shard is missing: the plan shows what there is, but it cannot be carried out.
void TestConvertDialog::writesNothingIncomplete() {
    const std::filesystem::path folder = copyOf("llama");
    std::filesystem::rename(folder / "model.safetensors", folder / "model-00001-of-00002.safetensors");
    ConvertDialog& dialog = open(folder);
    QVERIFY(dialog.planned() != nullptr);
    QVERIFY(!dialog.findChild<QPushButton*>("convertButton")->isEnabled());
    QVERIFY2(dialog.notice().contains("model-00002-of-00002.safetensors"), qPrintable(dialog.notice()));
    dialog.findChild<QCheckBox*>("vocabularyBox")->click(); // needs no shards
    QVERIFY(waitForPlan());
    QVERIFY(dialog.findChild<QPushButton*>("convertButton")->isEnabled());
}

void TestConvertDialog::refusesOtherFamilies() {
    test::GgmlBuilder neox("lmgg");
    neox.numbers({2, 16, 4, 2, 1, 2, 1, 0}); // n_vocab, n_ctx, n_embd, n_head, n_layer, n_rot, par_res, ftype
    neox.token("a").token("b").tensor("gpt_neox.embed_in.weight", 0, {4, 2}, 32);
    const std::filesystem::path file = m_folder->filePath("neox.bin").toStdString();
    neox.write(file);
    ConvertDialog& dialog = open(file);
    QVERIFY(dialog.planned() == nullptr);
    QCOMPARE(dialog.summary(), QString("This file cannot be converted"));
    QVERIFY2(dialog.notice().contains("gpt-neox"), qPrintable(dialog.notice()));
    QVERIFY(!dialog.findChild<QPushButton*>("convertButton")->isEnabled());
}

void TestConvertDialog::convertsAnAdapterBesideItsBase() {
    const std::filesystem::path adapter = m_folder->filePath("adapter").toStdString();
    const std::filesystem::path base = m_folder->filePath("base").toStdString();
    std::filesystem::create_directories(adapter);
    std::filesystem::create_directories(base);
    std::ofstream(adapter / "adapter_config.json")
        << R"({"peft_type":"LORA","task_type":"CAUSAL_LM","r":2,"lora_alpha":6,"base_model_name_or_path":"maker/Base"})";
    std::ofstream(base / "config.json")
        << R"({"architectures":["LlamaForCausalLM"],"hidden_size":8,"num_attention_heads":2,"num_hidden_layers":1})";
    const std::string module = "base_model.model.model.layers.0.self_attn.q_proj.";
    test::SafetensorsBuilder weights;
    weights.tensor(module + "lora_A.weight", "F32", {2, 8}).tensor(module + "lora_B.weight", "F32", {8, 2});
    weights.write(adapter / "adapter_model.safetensors");

    ConvertDialog& dialog = open(adapter);
    QVERIFY(dialog.planned() == nullptr);
    QCOMPARE(dialog.summary(), QString("Which model does this adapter belong to?"));
    QVERIFY(!dialog.findChild<QPushButton*>("convertButton")->isEnabled());
    QVERIFY(dialog.base()->isVisible());
    QVERIFY(dialog.base()->fileButton()->isEnabled());
    QCOMPARE(dialog.findChild<QComboBox*>("typeCombo")->count(), 4); // as in the source, and the types of floats
    QVERIFY(dialog.findChild<QComboBox*>("typeCombo")->findText("Q4_K_M") < 0);
    QVERIFY(!dialog.imatrix()->isEnabled());

    dialog.base()->setPath(base);
    emit dialog.base()->changed();
    QVERIFY(waitForPlan());
    QVERIFY2(dialog.planned() != nullptr, qPrintable(dialog.notice()));
    dialog.findChild<QComboBox*>("typeCombo")
        ->setCurrentIndex(dialog.findChild<QComboBox*>("typeCombo")->findText("F16"));
    QVERIFY(waitForPlan());
    QVERIFY(write(m_folder->filePath("adapter.gguf")));
    QVERIFY2(dialog.notice().startsWith("Written: "), qPrintable(dialog.notice()));
    const auto made = openModel(m_folder->filePath("adapter.gguf").toStdString());
    QVERIFY(made.has_value());
    QCOMPARE(fileKind(**made), FileKind::Adapter);
    QVERIFY((*made)->findTensor("blk.0.attn_q.weight.lora_a").has_value());
    QCOMPARE((*made)->metadata.number("adapter.lora.alpha"), std::optional<double>(6));
}

GUFO_TEST_WIDGETS(TestConvertDialog)
#include "tst_convert_dialog.moc"
