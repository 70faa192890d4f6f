#include "support/edited_page.h"
#include "support/idle.h"
#include "support/test_unit.h"
#include "support/ui_watchdog.h"
#include "ui/pages/tokenizer/tokenizer_page.h"
#include "ui/pages/tokenizer/vocabulary_edits.h"
#include "ui/theme/theme.h"
#include "ui/widgets/value_delegate.h"

#include <QPlainTextEdit>

using namespace gufo;
using namespace gufo::ui;
using test::GgufBuilder;

class TestTokenEdit : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::instance().apply(); }
    void cleanup() { Job::waitForAll(); }
    void editsTextTypeAndScoreInARow();
    void marksWhatChanged();
    void writesBytesWithEscapes_data();
    void writesBytesWithEscapes();
    void givesManyTokensAType();
    void addsTokensInOneStep();
    void saysWhatTheEmbeddingLacks();
    void refusesToAddBesideUnequalArrays();
    void followsAVocabularyThatComesAndGoes();
    void neverStalls();
    void typesOfManyAreCancelled();
};

namespace {

GgufBuilder sample() {
    GgufBuilder file;
    test::addSmallLlama(file);
    test::addSmallVocabulary(file);
    file.key("tokenizer.ggml.scores", std::vector<float>{0, -1, -2, -3, -4, -5});
    return file;
}

struct EditedTokenizer : test::EditedPage<TokenizerPage> {
    // The model tester checks every changed row, which takes longer than the measured edit.
    enum class Tested { No, Yes };
    explicit EditedTokenizer(const GgufBuilder& file, Tested tested = Tested::Yes)
        : EditedPage(file)
        , tester(tested == Tested::Yes
                     ? new QAbstractItemModelTester(page.tokens(),
                                                    QAbstractItemModelTester::FailureReportingMode::QtTest, &page)
                     : nullptr) {
        QSignalSpy linked(&page, &TokenizerPage::linked);
        ready = linked.wait(20'000);
        page.activateWindow();
        ready = ready && QTest::qWaitForWindowActive(&page);
    }
    QModelIndex cell(int id, TokenColumn column) { return page.tokens()->index(id, static_cast<int>(column)); }
    bool type(int id, TokenColumn column, const QString& text) {
        page.activateWindow(); // a completer's window may have been in front
        if (!QTest::qWaitForWindowActive(&page)) {
            return false;
        }
        QTableView* view = page.findChild<WindowedTable*>("tokenTable")->view();
        view->setCurrentIndex(cell(id, column));
        view->setFocus();
        QTest::keyClick(view, Qt::Key_F2);
        auto* editor = test::openEditor<ValueEditor>(view);
        if (editor == nullptr) {
            return false;
        }
        editor->selectAll();
        test::typeText(editor->field(), text);
        QSignalSpy linked(&page, &TokenizerPage::linked);
        QTest::keyClick(editor->field(), Qt::Key_Return);
        return linked.wait();
    }
    [[nodiscard]] Value element(std::string_view key, std::uint64_t i) const {
        return ArrayIndex::build(*now().array(key))->at(i);
    }

    QAbstractItemModelTester* tester;
    bool ready = false;
};

constexpr std::string_view kTokens = "tokenizer.ggml.tokens";
constexpr std::string_view kTypes = "tokenizer.ggml.token_type";
constexpr std::string_view kScores = "tokenizer.ggml.scores";

} // namespace

void TestTokenEdit::editsTextTypeAndScoreInARow() {
    EditedTokenizer shown(sample());
    QVERIFY(shown.ready);
    QVERIFY(shown.type(1, TokenColumn::Token, QStringLiteral("owl")));
    QCOMPARE(asString(shown.element(kTokens, 1)), std::optional<std::string_view>("owl"));
    QCOMPARE(shown.cell(1, TokenColumn::Token).data().toString(), QStringLiteral("owl"));
    QVERIFY(shown.type(1, TokenColumn::Type, QStringLiteral("CONTROL")));
    QCOMPARE(asInt(shown.element(kTypes, 1)), std::optional<std::int64_t>(3));
    QCOMPARE(shown.cell(1, TokenColumn::Type).data().toString(), QStringLiteral("CONTROL"));
    QVERIFY(shown.type(1, TokenColumn::Score, QStringLiteral("-0.1")));
    QCOMPARE(std::get<float>(shown.element(kScores, 1)), -0.1F);
    QCOMPARE(shown.page.findChild<WindowedTable*>("tokenTable")->currentItem(),
             std::optional<std::uint64_t>(1)); // stays
    for (int i = 0; i < 3; ++i) {
        QSignalSpy linked(&shown.page, &TokenizerPage::linked);
        shown.document.undo();
        QVERIFY(linked.wait());
    }
    QCOMPARE(shown.cell(1, TokenColumn::Token).data().toString(), QStringLiteral("b"));
    QCOMPARE(shown.cell(1, TokenColumn::Type).data().toString(), QStringLiteral("NORMAL"));
    QVERIFY(!shown.document.document().isModified());
}

void TestTokenEdit::marksWhatChanged() {
    EditedTokenizer shown(sample());
    QVERIFY(shown.ready);
    QVERIFY(!shown.cell(5, TokenColumn::Id).data(kChangedRole).toBool());
    QVERIFY(shown.type(5, TokenColumn::Type, QStringLiteral("1")));
    QVERIFY(shown.cell(5, TokenColumn::Id).data(kChangedRole).toBool());
    QCOMPARE(shown.cell(5, TokenColumn::Type).data(kBeforeTextRole).toString(), QStringLiteral("USER_DEFINED"));
    QVERIFY(shown.cell(5, TokenColumn::Type).data(Qt::ToolTipRole).toString().contains(QStringLiteral("Was: USER_D")));
    QVERIFY(!shown.cell(4, TokenColumn::Id).data(kChangedRole).toBool());
    QVERIFY(shown.type(5, TokenColumn::Type, QStringLiteral("4")));
    QVERIFY(!shown.cell(5, TokenColumn::Id).data(kChangedRole).toBool());
}

void TestTokenEdit::writesBytesWithEscapes_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("byte") << "\\xFF\\xfe" << QByteArray("\xFF\xFE");
    QTest::newRow("newline") << "a\\nb" << QByteArray("a\nb");
    QTest::newRow("backslash") << "\\\\n" << QByteArray("\\n");
    QTest::newRow("character") << QStringLiteral("\u2581\u00A0x") << QByteArray("\u2581\u00A0x");
    QTest::newRow("zero") << "\\x00" << QByteArray("\0", 1);
    QTest::newRow("separator") << "\\u{2028}" << QByteArray("\u2028");
}

void TestTokenEdit::writesBytesWithEscapes() {
    QFETCH(QString, typed);
    QFETCH(QByteArray, bytes);
    EditedTokenizer shown(sample());
    QVERIFY(shown.ready);
    QVERIFY(shown.type(0, TokenColumn::Token, typed));
    const Value token = shown.element(kTokens, 0);
    QCOMPARE(QByteArray::fromStdString(std::string(*asString(token))), bytes);
    // The field shows the typed text in its canonical escapes.
    shown.page.findChild<WindowedTable*>("tokenTable")->view()->setCurrentIndex(shown.cell(0, TokenColumn::Token));
    QTest::keyClick(shown.page.findChild<WindowedTable*>("tokenTable")->view(), Qt::Key_F2);
    auto* editor = test::openEditor<ValueEditor>(shown.page.findChild<WindowedTable*>("tokenTable")->view());
    QVERIFY(editor != nullptr);
    const auto again = editor->value();
    QVERIFY(again.has_value());
    QVERIFY(OwnedValue::sameValue(again->value(), token));
}

void TestTokenEdit::givesManyTokensAType() {
    GgufBuilder file;
    test::addLargeVocabulary(file, 5000);
    EditedTokenizer shown(file);
    QVERIFY(shown.ready);
    QTableView* view = shown.page.findChild<WindowedTable*>("tokenTable")->view();
    QItemSelection chosen(shown.cell(0, TokenColumn::Id), shown.cell(0, TokenColumn::Id));
    chosen.select(shown.cell(1000, TokenColumn::Id), shown.cell(4999, TokenColumn::Merge));
    view->selectionModel()->select(chosen, QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QSignalSpy edited(&shown.document, &ModelDocument::edited);
    shown.page.setTypeOfSelected(5);
    QVERIFY(edited.wait());
    for (const auto& [token, type] : {std::pair{0, 5}, {1, 1}, {999, 1}, {1000, 5}, {4999, 5}}) {
        QCOMPARE(asInt(shown.element(kTypes, static_cast<std::uint64_t>(token))), std::optional<std::int64_t>(type));
    }
    QCOMPARE(shown.now().array(kTypes)->elementType, ValueType::Int32);
    shown.document.undo(); // one step
    QVERIFY(!shown.document.document().isModified());
}

void TestTokenEdit::addsTokensInOneStep() {
    EditedTokenizer shown(sample());
    QVERIFY(shown.ready);
    test::answerDialog([](QDialog* dialog) {
        dialog->findChild<QPlainTextEdit*>()->setPlainText(QStringLiteral("<think>\n</think>\n\\xF0"));
        dialog->findChild<QLineEdit*>()->setText(QStringLiteral("-7.5"));
        dialog->accept();
    });
    QSignalSpy linked(&shown.page, &TokenizerPage::linked);
    shown.page.addTokens();
    QVERIFY(linked.wait());
    for (const std::string_view key : {kTokens, kTypes, kScores}) {
        QCOMPARE(shown.now().array(key)->length, 9U);
    }
    QCOMPARE(asString(shown.element(kTokens, 7)), std::optional<std::string_view>("</think>"));
    QCOMPARE(asString(shown.element(kTokens, 8)), std::optional<std::string_view>("\xF0"));
    QCOMPARE(asInt(shown.element(kTypes, 8)), std::optional<std::int64_t>(4));
    QCOMPARE(std::get<float>(shown.element(kScores, 6)), -7.5F);
    QCOMPARE(shown.page.tokens()->rowCount(), 9);
    QCOMPARE(shown.page.findChild<WindowedTable*>("tokenTable")->currentItem(),
             std::optional<std::uint64_t>(6)); // the first of the new ones
    QVERIFY(shown.cell(8, TokenColumn::Id).data(kAddedRole).toBool());
    shown.document.undo();
    QTRY_COMPARE(shown.page.tokens()->rowCount(), 6);
    QVERIFY(!shown.document.document().isModified());
}

void TestTokenEdit::saysWhatTheEmbeddingLacks() {
    EditedTokenizer shown(sample()); // 6 tokens, an embedding of 6 rows
    QVERIFY(shown.ready);
    AddTokensDialog dialog(shown.document.current(), &shown.page);
    QVERIFY(dialog.warning().contains(QStringLiteral("has 6 rows and the vocabulary would have 7 tokens")));
    GgufBuilder roomy;
    test::addSmallVocabulary(roomy);
    roomy.tensor("token_embd.weight", 0, {64, 8});
    AddTokensDialog other(test::readModel(roomy), nullptr);
    QCOMPARE(other.warning(), QString());
    other.findChild<QPlainTextEdit*>()->setPlainText(QStringLiteral("a\nb\nc"));
    QVERIFY(other.warning().contains(QStringLiteral("has 8 rows and the vocabulary would have 9 tokens")));
}

void TestTokenEdit::refusesToAddBesideUnequalArrays() {
    GgufBuilder file = sample();
    file.key("x", std::uint8_t{1});
    GgufBuilder unequal;
    unequal.key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b"});
    unequal.key("tokenizer.ggml.token_type", std::vector<std::int32_t>{1});
    const auto changes = changesOfAdding(*test::readModel(unequal), {"c"}, 1, "0");
    QVERIFY(!changes.has_value());
    QVERIFY(changes.error().contains(QStringLiteral("tokenizer.ggml.token_type has 1 element for 2 tokens")));
}

void TestTokenEdit::followsAVocabularyThatComesAndGoes() {
    EditedTokenizer shown(sample());
    QVERIFY(shown.ready);
    QVERIFY(shown.document.apply({DeleteKey{.key = std::string(kTokens)}}, QStringLiteral("Delete")));
    QTRY_VERIFY(!shown.page.findChild<WindowedTable*>("tokenTable")->isVisible());
    QSignalSpy linked(&shown.page, &TokenizerPage::linked);
    shown.document.undo();
    shown.page.activate();
    QVERIFY(linked.count() > 0 || linked.wait());
    QVERIFY(shown.page.findChild<WindowedTable*>("tokenTable")->isVisible());
    QCOMPARE(shown.page.tokens()->rowCount(), 6);
}

void TestTokenEdit::neverStalls() {
    GgufBuilder file;
    test::addLargeVocabulary(file, 262'144);
    EditedTokenizer shown(file, EditedTokenizer::Tested::No);
    QVERIFY(shown.ready);
    UiWatchdog watchdog;
    watchdog.step(QStringLiteral("edit the text of a token"));
    QVERIFY(shown.type(200'000, TokenColumn::Token, QStringLiteral("owl")));
    watchdog.step(QStringLiteral("edit the type of a token"));
    QVERIFY(shown.type(200'001, TokenColumn::Type, QStringLiteral("CONTROL")));
    watchdog.step(QStringLiteral("undo"));
    {
        QSignalSpy linked(&shown.page, &TokenizerPage::linked);
        shown.document.undo();
        QVERIFY(linked.wait());
    }
    watchdog.step(QStringLiteral("select 262,143 tokens"));
    QTableView* view = shown.page.findChild<WindowedTable*>("tokenTable")->view();
    const QItemSelection maximum(shown.cell(0, TokenColumn::Id), shown.cell(262'142, TokenColumn::Merge));
    view->selectionModel()->select(maximum, QItemSelectionModel::ClearAndSelect);
    QVERIFY(test::waitUntilIdle());
    watchdog.step(QStringLiteral("give them a type"));
    {
        QSignalSpy linked(&shown.page, &TokenizerPage::linked);
        shown.page.setTypeOfSelected(5);
        QVERIFY(linked.wait(20'000));
    }
    QCOMPARE(asInt(shown.element(kTypes, 100'000)), std::optional<std::int64_t>(5));
    watchdog.finish();
    QVERIFY2(watchdog.isQuick(), watchdog.verdict());
}

void TestTokenEdit::typesOfManyAreCancelled() {
    GgufBuilder file;
    test::addLargeVocabulary(file, 5000);
    const auto model = test::readModel(file);
    std::vector<std::uint64_t> tokens;
    for (std::uint64_t i = 0; i < 5000; ++i) {
        tokens.push_back(i);
    }
    std::stop_source stop;
    stop.request_stop();
    const auto changes = changesOfTypes(*model, tokens, 3, {.stop = stop.get_token()});
    QVERIFY(!changes.has_value());
    QCOMPARE(changes.error().code, ErrorCode::Cancelled);
    const auto tooLarge = changesOfTypes(*model, {1}, std::int64_t{1} << 40U, {});
    QCOMPARE(tooLarge.error().code, ErrorCode::WrongValueType);
}

GUFO_TEST_WIDGETS(TestTokenEdit)
#include "tst_token_edit.moc"
