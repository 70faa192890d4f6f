// Tests the review of unsaved changes: line diffs, its rows and their details, and the dialog.
#include "support/gguf_builder.h"
#include "support/page_models.h"
#include "support/test_unit.h"
#include "support/ui_test_settings.h"
#include "ui/jobs/job.h"
#include "ui/messages/save_text.h"
#include "ui/saving/review_detail.h"
#include "ui/saving/review_dialog.h"
#include "ui/widgets/diff_view.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include <random>

using namespace gufo;
using namespace gufo::ui;

namespace {

// "=2" two equal lines, "-x" removed, "+x" added, "~5" five folded lines.
QString written(const FoldedDiff& diff) {
    QStringList parts;
    for (const FoldedLine& line : diff.lines) {
        const QString text = QString::fromStdString(line.text);
        parts << (line.kind == FoldedLine::Kind::Same      ? QLatin1Char('=') + text
                  : line.kind == FoldedLine::Kind::Removed ? QLatin1Char('-') + text
                  : line.kind == FoldedLine::Kind::Added   ? QLatin1Char('+') + text
                                                           : QStringLiteral("~%1").arg(line.skipped));
    }
    return parts.join(QLatin1Char(' '));
}

// Applies a diff without folds to the text.
std::string applied(const std::string& before, const FoldedDiff& diff) {
    if (diff.lines.empty()) {
        return before;
    }
    std::string after;
    bool first = true;
    for (const FoldedLine& line : diff.lines) {
        if (line.kind != FoldedLine::Kind::Removed) {
            after += (first ? "" : "\n") + line.text;
            first = false;
        }
    }
    return after;
}

} // namespace

class TestReview : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { m_settings = std::make_unique<UiTestSettings>(); }
    void init();
    void diffsLines_data();
    void diffsLines();
    void diffsRandomTexts();
    void diffsTextsWithNothingInCommon();
    void diffCanBeCancelled();
    void rows();
    void modelIsSound();
    void detail_data();
    void detail();
    void report();
    void dialogFollowsTheDocument();
    void dialogRevertsByKeyboard();

private:
    QString cell(const ReviewModel& model, int row, ReviewModel::Column column) {
        return model.index(row, column).data().toString();
    }
    void editAll();
    std::unique_ptr<UiTestSettings> m_settings;
    std::unique_ptr<ModelDocument> m_document;
};

void TestReview::init() {
    test::GgufBuilder file;
    test::addSmallLlama(file);
    test::addSmallVocabulary(file);
    file.key("tokenizer.chat_template", "{% for m in messages %}\n{{ m.content }}\n{% endfor %}\n");
    m_document = std::make_unique<ModelDocument>(test::readModel(file));
}

void TestReview::editAll() {
    const auto text = [](const char* value) { return OwnedValue::string(value); };
    QVERIFY(m_document->apply({SetKey{"general.name", text("Other | name")}}, {}));
    QVERIFY(m_document->apply({SetKey{"llama.context_length", OwnedValue(Value(std::int64_t{4096}))}}, {}));
    QVERIFY(m_document->apply({SetKey{"general.author", text("Somebody")}}, {}));
    QVERIFY(m_document->apply({DeleteKey{"llama.feed_forward_length"}}, {}));
    QVERIFY(m_document->apply({RenameKey{"general.file_type", "general.type"}}, {}));
    QVERIFY(m_document->apply({SetElement{{"tokenizer.ggml.token_type"}, 1, OwnedValue(Value(std::int32_t{4}))},
                               SetElement{{"tokenizer.ggml.token_type"}, 4, OwnedValue(Value(std::int32_t{5}))}},
                              {}));
    QVERIFY(m_document->apply({SetKey{"tokenizer.chat_template",
                                      text("{% for m in messages %}\n{{ m.role }}\n{{ m.content }}\n{% endfor %}\n")}},
                              {}));
    QVERIFY(m_document->apply({RenameTensor{"output_norm.weight", "norm.weight"}}, {}));
}

void TestReview::diffsLines_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("diff");
    QTest::newRow("same") << "a\nb" << "a\nb" << "";
    QTest::newRow("added in the middle") << "a\nb" << "a\nx\nb" << "=a +x =b";
    QTest::newRow("removed") << "a\nx\nb" << "a\nb" << "=a -x =b";
    QTest::newRow("replaced") << "a\nb\nc" << "a\nB\nc" << "=a -b +B =c";
    QTest::newRow("line break at the end") << "a" << "a\n" << "=a +";
    QTest::newRow("from nothing") << "" << "a" << "- +a";
    QTest::newRow("folds what is far") << "1\n2\n3\n4\n5\n6\n7\n8\n9" << "1\n2\n3\n4\n5\n6\n7\n8\nX"
                                       << "~5 =6 =7 =8 -9 +X";
    QTest::newRow("two places") << "a\nb\nc\nd\ne\nf\ng\nh\ni\nj" << "A\nb\nc\nd\ne\nf\ng\nh\ni\nJ"
                                << "-a +A =b =c =d ~2 =g =h =i -j +J";
}

void TestReview::diffsLines() {
    QFETCH(QString, before);
    QFETCH(QString, after);
    QFETCH(QString, diff);
    const auto result = foldedDiff(before.toStdString(), after.toStdString());
    QVERIFY(result.has_value());
    QCOMPARE(written(*result), diff);
}

void TestReview::diffsRandomTexts() {
    std::mt19937 random(7);
    for (int round = 0; round < 500; ++round) {
        const auto text = [&random] {
            std::string made;
            for (auto n = random() % 12; n > 0; --n) {
                made += static_cast<char>('a' + random() % 3);
                made += '\n';
            }
            return made;
        };
        const std::string before = text();
        const std::string after = text();
        const auto diff = foldedDiff(before, after, 1'000);
        QVERIFY(diff.has_value());
        QCOMPARE(applied(before, *diff), after);
        QCOMPARE(diff->lines.empty(), before == after);
    }
}

void TestReview::diffsTextsWithNothingInCommon() {
    std::string before;
    std::string after;
    for (int i = 0; i < 4'000; ++i) {
        before += "a" + std::to_string(i) + "\n";
        after += "b" + std::to_string(i) + "\n";
    }
    const auto diff = foldedDiff(before, after);
    QVERIFY(diff.has_value());
    QCOMPARE(diff->removed, std::uint64_t{4'000});
    QCOMPARE(diff->added, std::uint64_t{4'000});
    QCOMPARE(diff->lines.size(), FoldedDiff::kMaxLines);
    QVERIFY(diff->cut);
}

void TestReview::diffCanBeCancelled() {
    std::stop_source stop;
    stop.request_stop();
    const auto diff = foldedDiff("a\nb", "c\nd", 3, {.stop = stop.get_token()});
    QVERIFY(!diff.has_value());
    QCOMPARE(diff.error().code, ErrorCode::Cancelled);
}

void TestReview::rows() {
    editAll();
    ReviewModel model;
    model.setState(ReviewModel::stateOf(m_document->document()));
    QMap<QString, QStringList> rows;
    for (int row = 0; row < model.rowCount(); ++row) {
        rows.insert(cell(model, row, ReviewModel::NameColumn),
                    {cell(model, row, ReviewModel::KindColumn), cell(model, row, ReviewModel::BeforeColumn),
                     cell(model, row, ReviewModel::AfterColumn)});
    }
    const QMap<QString, QStringList> expected{
        {QStringLiteral("general.name"), {"Changed", "Small Llama", "Other | name"}},
        {QStringLiteral("llama.context_length"), {"Changed", "2048", "4096"}},
        {QStringLiteral("general.author"), {"Added", "", "Somebody"}},
        {QStringLiteral("llama.feed_forward_length"), {"Deleted", "128", ""}},
        {QStringLiteral("general.file_type → general.type"), {"Renamed", "Q8_0 (7)", "7"}},
        {QStringLiteral("tokenizer.ggml.token_type"),
         {"Changed", "i32[6] 1, 1, 1, 3, …", "2 of 6 elements differ, first at 1"}},
        {QStringLiteral("output_norm.weight → norm.weight"), {"Renamed", "F32 64", "F32 64"}},
    };
    for (auto it = expected.begin(); it != expected.end(); ++it) {
        QVERIFY2(rows.contains(it.key()), qPrintable(it.key()));
        QCOMPARE(rows.value(it.key()), it.value());
    }
    QCOMPARE(rows.size(), expected.size() + 1); // and the template
}

void TestReview::modelIsSound() {
    ReviewModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setState(ReviewModel::stateOf(m_document->document()));
    QCOMPARE(model.rowCount(), 0);
    editAll();
    model.setState(ReviewModel::stateOf(m_document->document()));
    QCOMPARE(model.rowCount(), 8);
    for (int role : {int(Qt::DisplayRole), int(Qt::ToolTipRole), int(Qt::AccessibleTextRole), int(Qt::FontRole),
                     int(Qt::ForegroundRole), int(Qt::DecorationRole)}) {
        for (int row = 0; row < model.rowCount(); ++row) {
            for (int column = 0; column < model.columnCount(); ++column) {
                (void)model.index(row, column).data(role);
            }
        }
    }
    QVERIFY(!model.index(0, ReviewModel::RevertColumn).data(Qt::AccessibleTextRole).toString().isEmpty());
}

void TestReview::detail_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("detail");
    QTest::newRow("scalar of another type") << "llama.context_length" << "-u32 2048 +i64 4096";
    QTest::newRow("added text") << "general.author" << "+Somebody";
    QTest::newRow("deleted number") << "llama.feed_forward_length" << "-u32 128";
    QTest::newRow("array") << "tokenizer.ggml.token_type"
                           << "-[1] NORMAL (1) +[1] USER_DEFINED (4) -[4] NORMAL (1) +[4] UNUSED (5)";
    QTest::newRow("renamed") << "general.type" << "-general.file_type +general.type";
    QTest::newRow("text") << "tokenizer.chat_template"
                          << "={% for m in messages %} +{{ m.role }} ={{ m.content }} ={% endfor %} =";
    QTest::newRow("tensor") << "norm.weight" << "-output_norm.weight +norm.weight";
}

void TestReview::detail() {
    QFETCH(QString, name);
    QFETCH(QString, detail);
    editAll();
    const auto state = ReviewModel::stateOf(m_document->document());
    const auto it = std::ranges::find(state.rows, name.toStdString(), &Difference::name);
    QVERIFY(it != state.rows.end());
    const auto diff = reviewDetail(state, *it, {});
    QVERIFY(diff.has_value());
    QCOMPARE(written(*diff), detail);
}

void TestReview::report() {
    editAll();
    const auto markdown = reviewReport(ReviewModel::stateOf(m_document->document()), true, {});
    QVERIFY(markdown.has_value());
    QVERIFY2(markdown->contains(QStringLiteral("Other \\| name")), qPrintable(*markdown));
    QVERIFY2(markdown->contains(QStringLiteral("```diff\n {% for m in messages %}\n+{{ m.role }}\n")),
             qPrintable(*markdown));
    const auto text = reviewReport(ReviewModel::stateOf(m_document->document()), false, {});
    QVERIFY(text.has_value());
    QVERIFY(!text->contains(QStringLiteral("```")));
    QVERIFY(text->contains(QStringLiteral("2 of 6 elements differ")));
}

void TestReview::dialogFollowsTheDocument() {
    editAll();
    auto* dialog = new ReviewDialog(m_document.get(), QStringLiteral("Tiny"));
    dialog->show();
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    QCOMPARE(dialog->model()->rowCount(), 8);
    QTRY_VERIFY(!dialog->diff()->toPlainText().isEmpty());
    m_document->undo();
    QCOMPARE(dialog->model()->rowCount(), 7);
    m_document->setBlocked(QStringLiteral("It is being saved."));
    QVERIFY(!dialog->saveButton()->isEnabled());
    QVERIFY(!dialog->revertButton()->isEnabled());
    m_document->setBlocked({});
    m_document->revertAll();
    QCOMPARE(dialog->model()->rowCount(), 0);
    QVERIFY(dialog->diff()->toPlainText().isEmpty());
    QVERIFY(!dialog->saveButton()->isEnabled());
    delete dialog;
}

void TestReview::dialogRevertsByKeyboard() {
    editAll();
    auto* dialog = new ReviewDialog(m_document.get(), QStringLiteral("Tiny"));
    dialog->show();
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    const int row = dialog->model()->rowOf(Difference{.name = "general.name", .oldName = "general.name"});
    QVERIFY(row >= 0);
    dialog->table()->setCurrentIndex(dialog->model()->index(row, 0));
    QTest::keyClick(dialog->table(), Qt::Key_Delete);
    QCOMPARE(dialog->model()->rowCount(), 7);
    QCOMPARE(m_document->current()->metadata.string("general.name").value(), std::string_view("Small Llama"));
    // Clicks the arrow at the end of a row.
    const QModelIndex arrow = dialog->model()->index(0, ReviewModel::RevertColumn);
    QTest::mouseClick(dialog->table()->viewport(), Qt::LeftButton, {}, dialog->table()->visualRect(arrow).center());
    QCOMPARE(dialog->model()->rowCount(), 6);
    delete dialog;
    Job::waitForAll();
}

GUFO_TEST_WIDGETS(TestReview)
#include "tst_review.moc"
