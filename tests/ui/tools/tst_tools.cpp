// The commands of the Tools menu that write or measure something for long, by real clicks in a window: what they write,
// what they say, and that cancelling and closing really stop them.
#include "document/open_model.h"
#include "formats/detection/shard_names.h"
#include "formats/imatrix/imatrix_writer.h"
#include "support/idle.h"
#include "support/run_models.h"
#include "support/test_unit.h"
#include "support/user_view.h"
#include "support/window_fixture.h"
#include "ui/messages/catalogue.h"
#include "ui/tools/apply_dialog.h"
#include "ui/tools/file_field.h"
#include "ui/tools/imatrix_dialog.h"
#include "ui/tools/merge_set_dialog.h"
#include "ui/tools/perplexity_dialog.h"
#include "ui/tools/split_dialog.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/number_box.h"

#include <QAction>
#include <QFileDialog>
#include <QMessageBox>
#include <QToolButton>

using namespace gufo;
using namespace gufo::ui;

namespace {

std::string contentOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string longText(int lines) {
    std::string text;
    for (int i = 0; i < lines; ++i) {
        text += "Once an owl and the night, one two three four.\n";
    }
    return text;
}

// An adapter of one matrix of runnableFile(), of rank 2.
std::vector<std::byte> adapter() {
    test::GgufBuilder file;
    file.key("general.architecture", "llama").key("general.type", "adapter").key("adapter.type", "lora");
    file.key("adapter.lora.alpha", 4.0F);
    const auto values = [](std::size_t count) {
        test::GgufBytes data;
        for (std::size_t i = 0; i < count; ++i) {
            data.number(0.01F * static_cast<float>(i % 7));
        }
        return data.bytes;
    };
    file.tensor("blk.0.attn_q.weight.lora_a", test::kF32, {64, 2}, values(128));
    file.tensor("blk.0.attn_q.weight.lora_b", test::kF32, {2, 64}, values(128));
    return file.build();
}

} // namespace

class TestTools : public QObject {
    Q_OBJECT

private slots:
    void init() {
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        m_f = std::make_unique<WindowFixture>();
    }
    void cleanup() { m_f.reset(); }
    void offeredWhereTheyApply();
    void splitsAndMerges();
    void splitReplacesNothing();
    void incompleteSetsAreNotMerged();
    void mergesAdapters();
    void refusesForeignAdapters();
    void measuresImportance();
    void cancelledImportanceContinues();
    void measuresPerplexity();
    void textsThatAreTooShort();
    void encodersCannotBeMeasured();
    void cancelsPerplexity();
    void closingAsks();
    void closingTheWindowAsks();

private:
    template<typename Dialog>
    Dialog* openDialog(const char* action) const {
        m_f->window->namedAction(action)->trigger();
        Dialog* found = nullptr;
        for (Dialog* dialog : m_f->window->findChildren<Dialog*>()) {
            found = dialog->isVisible() ? dialog : found;
        }
        return found;
    }
    // Presses the button that begins, and answers the file dialog.
    static bool startWriting(ToolDialog* dialog, const fs::path& path) {
        QTest::mouseClick(dialog->findChild<QPushButton*>("startButton"), Qt::LeftButton);
        if (!QTest::qWaitFor([dialog] { return dialog->findChild<QFileDialog*>() != nullptr; })) {
            return false;
        }
        auto* files = dialog->findChild<QFileDialog*>();
        files->setOption(QFileDialog::DontConfirmOverwrite); // Qt's own question would block
        files->selectFile(QString::fromStdString(path.native()));
        static_cast<QDialog*>(files)->accept();
        return true;
    }
    ModelTab* openRunnable(const test::RunnableShape& shape = {}) const {
        return m_f->open(writeFile(m_f->root / "runner.gguf", test::runnableFile(shape).build()));
    }
    // A model and a text that take long enough to be stopped.
    PerplexityDialog* startLongPerplexity() const {
        if (openRunnable({.width = 256, .blocks = 8}) == nullptr) {
            return nullptr;
        }
        auto* dialog = openDialog<PerplexityDialog>("perplexity");
        dialog->text()->setPath(writeFile(m_f->root / "text.txt", longText(20'000)));
        QTest::mouseClick(dialog->findChild<QPushButton*>("startButton"), Qt::LeftButton);
        return dialog->isWorking() ? dialog : nullptr;
    }
    static QMessageBox* questionOf(const JobDialog* dialog) {
        return QTest::qWaitFor([dialog] { return dialog->findChild<QMessageBox*>() != nullptr; })
                   ? dialog->findChild<QMessageBox*>()
                   : nullptr;
    }
    std::unique_ptr<WindowFixture> m_f;
};

void TestTools::offeredWhereTheyApply() {
    const auto enabled = [this](const char* name) { return m_f->window->namedAction(name)->isEnabled(); };
    for (const char* name : {"split", "mergeSet", "mergeAdapters", "imatrix", "perplexity"}) {
        QVERIFY2(!enabled(name), name); // a start page
    }
    openRunnable();
    for (const char* name : {"split", "mergeAdapters", "imatrix", "perplexity"}) {
        QVERIFY2(enabled(name), name);
    }
    QVERIFY(!enabled("mergeSet")); // one file
}

void TestTools::splitsAndMerges() {
    ModelTab* tab = openRunnable();
    QVERIFY(tab != nullptr && tab->isReady());
    auto* split = openDialog<SplitDialog>("split");
    QVERIFY(split != nullptr);
    QTRY_VERIFY(split->findChild<QPushButton*>("startButton")->isEnabled());
    QVERIFY2(split->summary().startsWith(QStringLiteral("Everything fits")), qPrintable(split->summary()));
    split->limit()->setCurrentIndex(1);
    split->tensors()->setValue(5);
    QTRY_VERIFY2(split->summary().startsWith(QStringLiteral("5 files")), qPrintable(split->summary()));
    QTRY_VERIFY(split->findChild<QPushButton*>("startButton")->isEnabled());
    QVERIFY(startWriting(split, m_f->root / "parts.gguf"));
    QTRY_VERIFY2(split->notice().startsWith(QStringLiteral("Written: ")), qPrintable(split->notice()));
    QCOMPARE(split->table()->rowCount(), 5);
    const fs::path first = m_f->root / "parts-00001-of-00005.gguf";
    QVERIFY(fs::exists(first) && fs::exists(m_f->root / "parts-00005-of-00005.gguf"));

    // Opens what was written, and merges it again.
    QTest::mouseClick(split->openButton(), Qt::LeftButton);
    if (m_f->manager->findTab(first).tab == nullptr) { // without the program, nobody handles the event
        m_f->open(first);
    }
    ModelTab* set = m_f->manager->findTab(first).tab;
    QVERIFY(set != nullptr && WindowFixture::waitOpened(set));
    QVERIFY(m_f->window->namedAction("mergeSet")->isEnabled());
    auto* merge = openDialog<MergeSetDialog>("mergeSet");
    QCOMPARE(merge->table()->rowCount(), 5);
    const fs::path whole = m_f->root / "whole.gguf";
    QVERIFY(startWriting(merge, whole));
    QTRY_VERIFY2(merge->notice().startsWith(QStringLiteral("Written: ")), qPrintable(merge->notice()));
    const auto merged = openModel(whole);
    QVERIFY(merged);
    QCOMPARE((*merged)->tensors.size(), tab->model()->tensors.size());
    for (const TensorInfo& tensor : (*merged)->tensors) {
        const auto before = tab->model()->bytesOf(tab->model()->tensor(*tab->model()->findTensor(tensor.name)));
        QVERIFY(std::ranges::equal(*(*merged)->bytesOf(tensor), *before));
    }
    // A part of the set is not replaced.
    QTRY_VERIFY(merge->findChild<QPushButton*>("startButton")->isEnabled());
    const std::string part = contentOf(first);
    QVERIFY(startWriting(merge, first));
    QTRY_VERIFY2(!merge->notice().isEmpty() && !merge->notice().startsWith(QStringLiteral("Written")),
                 qPrintable(merge->notice()));
    QCOMPARE(contentOf(first), part);
}

void TestTools::splitReplacesNothing() {
    openRunnable();
    const fs::path taken = writeFile(m_f->root / "parts-00002-of-00005.gguf", "mine");
    auto* split = openDialog<SplitDialog>("split");
    split->limit()->setCurrentIndex(1);
    split->tensors()->setValue(5);
    QTRY_VERIFY(split->findChild<QPushButton*>("startButton")->isEnabled());
    QVERIFY(startWriting(split, m_f->root / "parts"));
    QTRY_VERIFY2(split->notice().contains(QStringLiteral("exists already")), qPrintable(split->notice()));
    QCOMPARE(contentOf(taken), std::string("mine"));
    QVERIFY(!fs::exists(m_f->root / "parts-00001-of-00005.gguf"));
}

void TestTools::incompleteSetsAreNotMerged() {
    ModelTab* tab = openRunnable();
    QVERIFY(gguf::split(*tab->model(), m_f->root / "parts", {.maxTensors = 5}));
    fs::remove(m_f->root / "parts-00002-of-00005.gguf");
    QVERIFY(m_f->open(m_f->root / "parts-00001-of-00005.gguf") != nullptr);
    auto* merge = openDialog<MergeSetDialog>("mergeSet");
    QVERIFY(merge != nullptr);
    QVERIFY(!merge->findChild<QPushButton*>("startButton")->isEnabled());
    QVERIFY2(merge->notice().contains(QStringLiteral("2")), qPrintable(merge->notice()));
}

void TestTools::mergesAdapters() {
    ModelTab* tab = openRunnable();
    auto* dialog = openDialog<ApplyDialog>("mergeAdapters");
    QVERIFY(dialog != nullptr);
    QCOMPARE(dialog->base()->path(), tab->place());
    QVERIFY(!dialog->findChild<QPushButton*>("startButton")->isEnabled());
    // By the button and its file dialog.
    const fs::path lora = writeFile(m_f->root / "lora.gguf", adapter());
    QTest::mouseClick(dialog->addButton(), Qt::LeftButton);
    QTRY_VERIFY(dialog->findChild<QFileDialog*>() != nullptr);
    dialog->findChild<QFileDialog*>()->selectFile(QString::fromStdString(lora.native()));
    static_cast<QDialog*>(dialog->findChild<QFileDialog*>())->accept();
    QTRY_VERIFY2(dialog->findChild<QPushButton*>("startButton")->isEnabled(), qPrintable(dialog->notice()));
    QCOMPARE(dialog->table()->rowCount(), 1);
    QCOMPARE(dialog->table()->item(0, 0)->text(), QStringLiteral("blk.0.attn_q.weight"));
    QCOMPARE(dialog->table()->item(0, 2)->text(), QStringLiteral("2"));
    dialog->findChild<RealBox*>()->setValue(0.5);
    QTRY_VERIFY(!dialog->isPlanning() && dialog->findChild<QPushButton*>("startButton")->isEnabled());
    QTRY_VERIFY(dialog->findChild<QFileDialog*>() == nullptr);
    const fs::path out = m_f->root / "merged.gguf";
    QVERIFY(startWriting(dialog, out));
    QTRY_VERIFY2(dialog->notice().startsWith(QStringLiteral("Written: ")), qPrintable(dialog->notice()));
    QVERIFY(dialog->table()->item(0, 2)->text().toDouble() > 0); // the change
    // As the console's verb would write it.
    const auto file = openModel(lora);
    const auto matched = matchAdapter(*tab->model(), *file);
    QVERIFY(matched);
    const fs::path expected = m_f->root / "expected.gguf";
    QVERIFY(mergeAdapters(*tab->model(), {.adapters = {{*matched, 0.5}}}, expected));
    QCOMPARE(contentOf(out), contentOf(expected));
    QVERIFY(contentOf(out) != contentOf(*tab->place().localPath()));
    // Without adapters there is nothing to do.
    QTest::mouseClick(test::named<QPushButton>(dialog, "Remove lora.gguf"), Qt::LeftButton);
    QCOMPARE(dialog->adapters(), std::size_t{0});
    QTRY_VERIFY(!dialog->findChild<QPushButton*>("startButton")->isEnabled());
}

void TestTools::refusesForeignAdapters() {
    openRunnable({.width = 128});
    auto* dialog = openDialog<ApplyDialog>("mergeAdapters");
    dialog->addAdapter(writeFile(m_f->root / "lora.gguf", adapter()));
    QTRY_VERIFY2(dialog->notice().contains(QStringLiteral("blk.0.attn_q.weight")), qPrintable(dialog->notice()));
    QVERIFY(!dialog->findChild<QPushButton*>("startButton")->isEnabled());
}

void TestTools::measuresImportance() {
    openRunnable();
    auto* dialog = openDialog<ImatrixDialog>("imatrix");
    QVERIFY(dialog != nullptr && !dialog->findChild<QPushButton*>("startButton")->isEnabled());
    dialog->text()->setPath(writeFile(m_f->root / "text.txt", longText(60)));
    QVERIFY(dialog->findChild<QPushButton*>("startButton")->isEnabled());
    dialog->chunk()->setValue(64);
    dialog->maximum()->setValue(3);
    const fs::path out = m_f->root / "imatrix.gguf";
    QVERIFY(startWriting(dialog, out));
    QTRY_VERIFY2(dialog->notice().startsWith(QStringLiteral("Written: ")), qPrintable(dialog->notice()));
    QVERIFY2(dialog->summary().contains(QStringLiteral("3 chunks of 64")), qPrintable(dialog->summary()));
    const auto stored = readStoredImatrix(out);
    QVERIFY(stored && !stored->origin);
    QCOMPARE(stored->contents.chunks, std::uint64_t{3});
    // A complete matrix is not replaced.
    const std::string before = contentOf(out);
    QTRY_VERIFY(dialog->findChild<QPushButton*>("startButton")->isEnabled());
    QTRY_VERIFY(dialog->findChild<QFileDialog*>() == nullptr);
    QVERIFY(startWriting(dialog, out));
    QTRY_VERIFY2(dialog->notice().contains(QStringLiteral("exists already")), qPrintable(dialog->notice()));
    QCOMPARE(contentOf(out), before);
}

// The result of a measurement that was cancelled and continued equals, byte for byte, the result of one that was not.
void TestTools::cancelledImportanceContinues() {
    openRunnable({.width = 128, .blocks = 4});
    auto* dialog = openDialog<ImatrixDialog>("imatrix");
    dialog->text()->setPath(writeFile(m_f->root / "text.txt", longText(20'000))); // more than is ever evaluated
    dialog->chunk()->setValue(32);
    const fs::path out = m_f->root / "imatrix.gguf";
    QVERIFY(startWriting(dialog, out));
    QTRY_VERIFY(fs::exists(out)); // some chunks have been saved
    auto* cancel = dialog->jobBar()->findChild<QToolButton*>();
    QVERIFY(cancel != nullptr);
    QTRY_VERIFY(cancel->isVisible());
    QTest::mouseClick(cancel, Qt::LeftButton);
    QTRY_VERIFY2(dialog->notice().startsWith(QStringLiteral("Cancelled")), qPrintable(dialog->notice()));
    QVERIFY(dialog->notice().contains(QStringLiteral("continues there")));
    const auto unfinished = readStoredImatrix(out);
    QVERIFY(unfinished && unfinished->origin);
    QVERIFY(unfinished->contents.chunks > 0);
    dialog->maximum()->setValue(static_cast<int>(unfinished->contents.chunks) + 3);
    QTRY_VERIFY(dialog->findChild<QPushButton*>("startButton")->isEnabled());
    QTRY_VERIFY(dialog->findChild<QFileDialog*>() == nullptr);
    QVERIFY(startWriting(dialog, out));
    QTRY_VERIFY_WITH_TIMEOUT(dialog->notice().startsWith(QStringLiteral("Written: ")), 60'000);
    QVERIFY2(dialog->notice().contains(QStringLiteral("had been evaluated before")), qPrintable(dialog->notice()));
    QTRY_VERIFY(dialog->findChild<QPushButton*>("startButton")->isEnabled());
    QTRY_VERIFY(dialog->findChild<QFileDialog*>() == nullptr);
    const fs::path whole = m_f->root / "whole.gguf";
    QVERIFY(startWriting(dialog, whole));
    QTRY_VERIFY_WITH_TIMEOUT(dialog->notice().contains(QStringLiteral("whole.gguf")), 60'000);
    QCOMPARE(contentOf(out), contentOf(whole));
}

void TestTools::measuresPerplexity() {
    ModelTab* tab = openRunnable();
    auto* dialog = openDialog<PerplexityDialog>("perplexity");
    dialog->text()->setPath(writeFile(m_f->root / "text.txt", longText(60)));
    dialog->findChild<CountBox*>("windowSize")->setValue(64);
    dialog->other()->setPath(*tab->place().localPath()); // the same model
    QTest::mouseClick(dialog->findChild<QPushButton*>("startButton"), Qt::LeftButton);
    QTRY_VERIFY2(dialog->table()->isVisible() && dialog->table()->rowCount() > 5, qPrintable(dialog->notice()));
    const auto value = [dialog](const QString& figure) {
        for (int row = 0; row < dialog->table()->rowCount(); ++row) {
            if (dialog->table()->item(row, 0)->text().startsWith(figure)) {
                return dialog->table()->item(row, 1)->text();
            }
        }
        return QString();
    };
    QVERIFY(figureLocale().toDouble(value(QStringLiteral("Perplexity")).section(u' ', 0, 0)) > 1);
    QCOMPARE(value(QStringLiteral("Perplexity of runner.gguf")), value(QStringLiteral("Perplexity")));
    QCOMPARE(value(QStringLiteral("Ratio")), QStringLiteral("1.000000 ± 0.000000"));
    QCOMPARE(value(QStringLiteral("KL divergence, largest")), QStringLiteral("0.000000"));
    QVERIFY(value(QStringLiteral("Same most likely token")).startsWith(QStringLiteral("100.000")));
    // Another vocabulary: the tokens are named.
    test::GgufBuilder foreign;
    foreign.key("general.architecture", "llama").key("tokenizer.ggml.model", "llama");
    foreign.key("tokenizer.ggml.tokens", std::vector<std::string>{"<unk>", "<s>", "x"});
    foreign.key("tokenizer.ggml.scores", std::vector<float>{0, 0, 0});
    foreign.key("tokenizer.ggml.token_type", std::vector<std::int32_t>{2, 3, 1});
    foreign.tensor("token_embd.weight", 0, {32, 3});
    dialog->other()->setPath(writeFile(m_f->root / "foreign.gguf", foreign.build()));
    QTRY_VERIFY(dialog->findChild<QPushButton*>("startButton")->isEnabled());
    QTest::mouseClick(dialog->findChild<QPushButton*>("startButton"), Qt::LeftButton);
    QTRY_VERIFY2(dialog->notice().contains(QStringLiteral("same vocabulary")), qPrintable(dialog->notice()));
}

void TestTools::textsThatAreTooShort() {
    openRunnable();
    auto* dialog = openDialog<PerplexityDialog>("perplexity");
    dialog->text()->setPath(writeFile(m_f->root / "text.txt", "owl"));
    QTest::mouseClick(dialog->findChild<QPushButton*>("startButton"), Qt::LeftButton);
    QTRY_VERIFY2(dialog->notice().contains(QStringLiteral("512")), qPrintable(dialog->notice()));
    dialog->text()->setPath(m_f->root / "absent.txt");
    QTRY_VERIFY(dialog->findChild<QPushButton*>("startButton")->isEnabled());
    QTest::mouseClick(dialog->findChild<QPushButton*>("startButton"), Qt::LeftButton);
    QTRY_VERIFY2(dialog->notice().contains(QStringLiteral("absent.txt")), qPrintable(dialog->notice()));
}

void TestTools::encodersCannotBeMeasured() {
    m_f->open(writeFile(m_f->root / "lora.gguf", adapter()));
    auto* dialog = openDialog<PerplexityDialog>("perplexity");
    QVERIFY(dialog != nullptr);
    dialog->text()->setPath(writeFile(m_f->root / "text.txt", "owl"));
    QVERIFY(!dialog->findChild<QPushButton*>("startButton")->isEnabled());
    QVERIFY2(dialog->notice().contains(QStringLiteral("no model")), qPrintable(dialog->notice()));
}

void TestTools::cancelsPerplexity() {
    PerplexityDialog* dialog = startLongPerplexity();
    QVERIFY(dialog != nullptr);
    auto* cancel = dialog->jobBar()->findChild<QToolButton*>();
    QTRY_VERIFY(cancel->isVisible());
    QTest::mouseClick(cancel, Qt::LeftButton);
    QTRY_VERIFY(!dialog->isWorking());
    QTRY_COMPARE(dialog->notice(), QStringLiteral("Cancelled."));
    QTRY_VERIFY(dialog->findChild<QPushButton*>("startButton")->isEnabled());
    QVERIFY(!dialog->table()->isVisible());
}

void TestTools::closingAsks() {
    const QPointer<PerplexityDialog> dialog = startLongPerplexity();
    QVERIFY(dialog != nullptr);
    QTest::keyClick(dialog, Qt::Key_Escape);
    QMessageBox* box = questionOf(dialog);
    QVERIFY(box != nullptr);
    QVERIFY2(box->text().startsWith(QStringLiteral("Stop measuring")), qPrintable(box->text()));
    QTest::keyClick(box, Qt::Key_Escape); // continues
    QTRY_VERIFY(dialog->findChild<QMessageBox*>() == nullptr);
    QVERIFY(dialog->isVisible() && dialog->isWorking());
    QTest::mouseClick(test::named<QPushButton>(dialog, "Close"), Qt::LeftButton);
    box = questionOf(dialog);
    QVERIFY(box != nullptr);
    QTest::mouseClick(test::named<QPushButton>(box, "Stop"), Qt::LeftButton);
    QTRY_VERIFY(dialog.isNull());
    Job::waitForAll(); // really ends
}

void TestTools::closingTheWindowAsks() {
    const QPointer<PerplexityDialog> dialog = startLongPerplexity();
    QVERIFY(dialog != nullptr);
    const QPointer<MainWindow> window = m_f->window;
    window->close();
    QVERIFY(window->isVisible());
    QMessageBox* box = questionOf(dialog);
    QVERIFY(box != nullptr);
    QTest::mouseClick(test::named<QPushButton>(box, "Stop"), Qt::LeftButton);
    QTRY_VERIFY(window.isNull() || !window->isVisible());
}

GUFO_TEST_WIDGETS(TestTools)
#include "tst_tools.moc"
