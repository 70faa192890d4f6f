#include "document/open_model.h"
#include "support/convert_fixtures.h"
#include "support/model_files.h"
#include "support/page_models.h"
#include "support/test_unit.h"
#include "support/yardstick.h"
#include "ui/pages/tokenizer/tokenizer_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/table_text.h"

#include <QHeaderView>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace gufo;
using namespace gufo::ui;

class TestTokenizerPage : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::instance().apply(); }
    void cleanup() { Job::waitForAll(); }
    void searchesByTextBytesAndType();
    void goesToIdsAndSpecialTokens();
    void mergesLeadToTokens();
    void copiesScoresForOtherPrograms();
    void sortsByColumn();
    void fitsNarrowWindows();
    void saysThatNothingWasFound();
    void copiesManyRowsAtOnce();
    void searchOfALargeVocabularyIsCancelled();
    void withoutAVocabulary_data();
    void withoutAVocabulary();
    void readsFilesBeside();
    void showsRealVocabularies_data();
    void showsRealVocabularies();
};

namespace {

using test::GgufBuilder;

struct ShownPage {
    explicit ShownPage(std::shared_ptr<const Model> model) {
        page.resize(1272, 770);
        QSignalSpy linked(&page, &TokenizerPage::linked);
        page.setModel(std::move(model));
        page.show();
        page.activate();
        ready = linked.count() > 0 || linked.wait(20'000);
        tokens = static_cast<TokenModel*>(page.findChild<WindowedTable*>("tokenTable")->view()->model());
        type = page.findChildren<QComboBox*>().value(1);
    }
    TokenizerPage page;
    TokenModel* tokens = nullptr;
    QComboBox* type = nullptr;
    bool ready = false;
};

std::shared_ptr<const Model> small() {
    GgufBuilder file;
    return test::readModel(test::addSmallVocabulary(file));
}

} // namespace

void TestTokenizerPage::searchesByTextBytesAndType() {
    ShownPage shown(small());
    QVERIFY(shown.ready);
    QCOMPARE(shown.tokens->rowCount(), 6);
    QSignalSpy searched(&shown.page, &TokenizerPage::searched);
    QTest::keyClicks(shown.page.filterField(), QStringLiteral("AB"));
    QVERIFY(searched.wait());
    QCOMPARE(shown.tokens->rowCount(), 2);
    QTest::keyClick(shown.page.filterField(), Qt::Key_Down); // into the results
    QVERIFY(shown.page.findChild<WindowedTable*>("tokenTable")->view()->hasFocus());
    auto* in = shown.page.findChildren<QComboBox*>().value(0);
    in->setCurrentIndex(1); // "AB" is a byte too
    QVERIFY(searched.wait());
    QCOMPARE(shown.tokens->rowCount(), 0);
    static_cast<QLineEdit*>(shown.page.filterField())->setText(QStringLiteral("61 62"));
    QVERIFY(searched.wait());
    QCOMPARE(shown.tokens->rowCount(), 2);
    QTest::keyClick(shown.page.filterField(), Qt::Key_Escape);
    QCOMPARE(shown.tokens->rowCount(), 6);
    shown.type->setCurrentIndex(shown.type->findData(QVariant::fromValue<qint64>(3)));
    QVERIFY(searched.wait());
    QCOMPARE(shown.tokens->rowCount(), 1);
    QCOMPARE(shown.tokens->index(0, 0).data().toString(), QStringLiteral("3"));
}

void TestTokenizerPage::goesToIdsAndSpecialTokens() {
    ShownPage shown(small());
    QVERIFY(shown.ready);
    QSignalSpy searched(&shown.page, &TokenizerPage::searched);
    QTest::keyClicks(shown.page.filterField(), QStringLiteral("ab"));
    QVERIFY(searched.wait());
    QLineEdit* id = nullptr;
    for (QLineEdit* edit : shown.page.findChildren<QLineEdit*>()) {
        id = edit->accessibleName() == QStringLiteral("Go to id") ? edit : id;
    }
    QVERIFY(id);
    QTest::keyClicks(id, QStringLiteral("3"));
    QTest::keyClick(id, Qt::Key_Return);
    QCOMPARE(shown.page.findChild<WindowedTable*>("tokenTable")->currentItem(), std::optional<std::uint64_t>(3));
    QCOMPARE(shown.tokens->rowCount(), 6); // the search that hid it was cleared
    QVERIFY(shown.page.details()->figures().contains(QStringLiteral("CONTROL (3)")));
    QVERIFY(shown.page.goTo(Place::token(5)));
    QCOMPARE(shown.page.findChild<WindowedTable*>("tokenTable")->currentItem(), std::optional<std::uint64_t>(5));
    QVERIFY(!shown.page.goTo(Place::key("x")));
    // The menu of folded buttons is empty in a wide page.
    const auto menus = shown.page.findChildren<QMenu*>();
    const auto special = std::ranges::find_if(menus, [](const QMenu* each) { return !each->isEmpty(); });
    QVERIFY(special != menus.end());
    QMenu* const menu = *special;
    QCOMPARE(menu->actions().size(), 1);
    QVERIFY(menu->actions().front()->text().startsWith(QStringLiteral("EOS")));
    menu->actions().front()->trigger();
    QCOMPARE(shown.page.findChild<WindowedTable*>("tokenTable")->currentItem(), std::optional<std::uint64_t>(3));
}

void TestTokenizerPage::mergesLeadToTokens() {
    ShownPage shown(small());
    QVERIFY(shown.ready);
    QTest::mouseClick(shown.page.findChild<SegmentedControl*>()->segment(1), Qt::LeftButton);
    QVERIFY(shown.page.findChild<WindowedTable*>("mergeTable")->isVisible());
    QVERIFY(shown.page.findChild<WindowedTable*>("mergeTable")->showItem(1));
    QVERIFY(shown.page.details()->figures().contains(QStringLiteral("Id 5")));
    QTest::keyClick(shown.page.findChild<WindowedTable*>("mergeTable")->view(), Qt::Key_Return);
    QVERIFY(shown.page.findChild<WindowedTable*>("tokenTable")->isVisible());
    QCOMPARE(shown.page.findChild<WindowedTable*>("tokenTable")->currentItem(), std::optional<std::uint64_t>(5));
    emit shown.page.details()->tokenRequested(4);
    QCOMPARE(shown.page.findChild<WindowedTable*>("tokenTable")->currentItem(), std::optional<std::uint64_t>(4));
}

void TestTokenizerPage::fitsNarrowWindows() {
    ShownPage shown(small());
    QVERIFY(shown.ready);
    for (const int width : {980, 1272}) {
        shown.page.resize(width, 620);
        QCoreApplication::processEvents();
        const QTableView* view = shown.page.findChild<WindowedTable*>("tokenTable")->view();
        QTRY_COMPARE(view->horizontalHeader()->length(), view->viewport()->width());
        QVERIFY(view->columnWidth(static_cast<int>(TokenColumn::Token)) >= 100);
    }
}

void TestTokenizerPage::saysThatNothingWasFound() {
    ShownPage shown(small());
    QVERIFY(shown.ready);
    auto* nothing = shown.page.findChild<WindowedTable*>("tokenTable")->findChild<EmptyState*>();
    QVERIFY(!nothing->isVisible());
    QSignalSpy searched(&shown.page, &TokenizerPage::searched);
    QTest::keyClicks(shown.page.filterField(), QStringLiteral("zzz"));
    QVERIFY(searched.wait());
    QTRY_VERIFY(nothing->isVisible());
    QTest::keyClick(shown.page.filterField(), Qt::Key_Escape);
    QTRY_VERIFY(!nothing->isVisible());
}

void TestTokenizerPage::copiesManyRowsAtOnce() {
    GgufBuilder file;
    ShownPage shown(test::readModel(test::addLargeVocabulary(file, 2 * kMaxCopiedRows)));
    QVERIFY(shown.ready);
    for (const auto format : {CopyFormat::Text, CopyFormat::Tsv, CopyFormat::Markdown}) {
        QString text;
        QVERIFY(isQuickWork([&] { text = shown.page.copyText(format); }));
        QVERIFY(text.contains(QStringLiteral("more rows")));
        QCOMPARE(text.count(u'\n'), kMaxCopiedRows + (format == CopyFormat::Markdown ? 3 : 2));
    }
}

// Copies for other programs contain scores in full and in ASCII.
void TestTokenizerPage::copiesScoresForOtherPrograms() {
    GgufBuilder file;
    file.key("tokenizer.ggml.model", "llama").key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b"});
    file.key("tokenizer.ggml.scores", std::vector<float>{-0.123456789F, -1234.5678F});
    ShownPage shown(test::readModel(file));
    QVERIFY(shown.ready);
    for (const auto format : {CopyFormat::Tsv, CopyFormat::Markdown}) {
        const QString text = shown.page.copyText(format);
        QVERIFY2(text.contains(QStringLiteral("-0.12345679")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("-1234.5677")), qPrintable(text));
        QVERIFY(!text.contains(QChar(0x2212)));
    }
    QVERIFY(shown.page.copyText(CopyFormat::Text).contains(QChar(0x2212)));
}

void TestTokenizerPage::sortsByColumn() {
    ShownPage shown(small());
    QVERIFY(shown.ready);
    QSignalSpy searched(&shown.page, &TokenizerPage::searched);
    QHeaderView* header = shown.page.findChild<WindowedTable*>("tokenTable")->view()->horizontalHeader();
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, QPoint(header->sectionViewportPosition(1) + 20, 10));
    QVERIFY(searched.wait());
    QCOMPARE(shown.tokens->index(0, 1).data().toString(), QStringLiteral("<|end|>"));
    header->setSortIndicator(0, Qt::DescendingOrder);
    QVERIFY(searched.wait());
    QCOMPARE(shown.tokens->index(0, 0).data().toString(), QStringLiteral("5"));
}

void TestTokenizerPage::searchOfALargeVocabularyIsCancelled() {
    GgufBuilder file;
    ShownPage shown(test::readModel(test::addLargeVocabulary(file, 262'144)));
    QVERIFY(shown.ready);
    QCOMPARE(shown.tokens->rowCount(), 262'144);
    QCOMPARE(shown.tokens->index(262'143, 5).data().toString(), QStringLiteral("131,071  t + 262143"));
    QSignalSpy searched(&shown.page, &TokenizerPage::searched);
    QTest::keyClicks(shown.page.filterField(), QStringLiteral("no token has this"));
    QTest::keyClick(shown.page.filterField(), Qt::Key_Return);
    QVERIFY(shown.page.jobBar()->isBusy());
    shown.page.jobBar()->findChild<QToolButton*>(QStringLiteral("cancelJob"))->click();
    QVERIFY(!shown.page.jobBar()->isBusy());
    Job::waitForAll();
    QCoreApplication::processEvents();
    QCOMPARE(searched.count(), 0);
    QCOMPARE(shown.tokens->rowCount(), 262'144);
    QCOMPARE(static_cast<QLineEdit*>(shown.page.filterField())->text(), QString());
}

void TestTokenizerPage::withoutAVocabulary_data() {
    QTest::addColumn<bool>("wrongType");
    QTest::addColumn<QString>("title");
    QTest::newRow("absent") << false << "No vocabulary in this file";
    QTest::newRow("of numbers") << true << "The vocabulary cannot be read";
}

void TestTokenizerPage::withoutAVocabulary() {
    QFETCH(bool, wrongType);
    GgufBuilder file;
    if (wrongType) {
        file.key("tokenizer.ggml.tokens", std::vector<std::int32_t>{1});
    }
    TokenizerPage page;
    page.resize(1000, 600);
    page.setModel(test::readModel(file));
    page.show();
    page.activate();
    QVERIFY(page.findChild<EmptyState*>()->isVisible());
    QTEST(page.findChild<EmptyState*>()->accessibleName(), "title");
    QVERIFY(!page.filterField()->isVisible());
    QVERIFY(!page.goTo(Place::token(0)));
}

// A folder in Hugging Face's format: its tokenizer.json is read when the page is shown.
void TestTokenizerPage::readsFilesBeside() {
    const auto model = openModel(test::convertFixture("qwen3", false).source());
    QVERIFY(model);
    ShownPage shown(*model);
    QVERIFY(shown.ready);
    QCOMPARE(shown.tokens->rowCount(), 304); // including tokens that only the embedding has
    QVERIFY(!shown.tokens->isEditable());
}

void TestTokenizerPage::showsRealVocabularies_data() { test::addModelRows({"vocab"}); }
void TestTokenizerPage::showsRealVocabularies() {
    QFETCH(QString, path);
    GUFO_SKIP_IF_ABSENT(path);
    const auto model = openModel(path.toStdString());
    QVERIFY(model);
    ShownPage shown(*model);
    QVERIFY(shown.ready);
    const std::uint64_t count = (*model)->metadata.array("tokenizer.ggml.tokens")->length;
    QCOMPARE(static_cast<std::uint64_t>(shown.tokens->rowCount()), count);
    QVERIFY(shown.page.findChild<WindowedTable*>("tokenTable")->showItem(count / 2));
    QVERIFY(!shown.page.details()->figures().isEmpty());
    QVERIFY(!shown.page.grab().isNull());
}

GUFO_TEST_WIDGETS(TestTokenizerPage)
#include "tst_tokenizer_page.moc"
