#include "support/page_models.h"
#include "support/test_unit.h"
#include "support/yardstick.h"
#include "ui/pages/metadata/metadata_files.h"
#include "ui/pages/metadata/metadata_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/table_text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace gufo;
using namespace gufo::ui;

class TestMetadataPage : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::instance().apply(); }
    void cleanup() { Job::waitForAll(); }
    void filtersWhileTyping();
    void detailFollowsTheSelection();
    void arrayIsSearchedAndGoneThrough();
    void searchIsCancelled();
    void goesToPlaces();
    void saysWhereARecordStands();
    void copies();
    void copiesManyRowsAtOnce();
    void valueTakesTheRoom();
    void exportsJson();
    void keepsItsState();
    void nothingToShow();
};

namespace {

using test::GgufBuilder;

GgufBuilder sample() {
    GgufBuilder file;
    test::addSmallLlama(file);
    test::addSmallVocabulary(file);
    file.key("tokenizer.chat_template", "{% for m in messages %}\n{{ m }}\n{% endfor %}");
    return file;
}

struct ShownPage {
    explicit ShownPage(const GgufBuilder& file, QSize size = {1272, 770})
        : model(test::readModel(file)) {
        page.resize(size);
        QSignalSpy listed(&page, &MetadataPage::listed);
        page.setModel(model);
        page.show();
        page.activate();
        ready = listed.count() > 0 || listed.wait();
    }
    QModelIndex row(std::string_view key) { return page.keys()->showEntry(*model->metadata.indexOf(key)); }
    void choose(std::string_view key) { page.view()->setCurrentIndex(row(key)); }

    std::shared_ptr<const Model> model;
    MetadataPage page;
    bool ready = false;
};

} // namespace

void TestMetadataPage::filtersWhileTyping() {
    ShownPage shown(sample());
    QVERIFY(shown.ready);
    const auto all = shown.page.keys()->keyCount();
    QCOMPARE(all, static_cast<std::uint32_t>(shown.model->metadata.size()));
    QSignalSpy listed(&shown.page, &MetadataPage::listed);
    QTest::keyClicks(shown.page.filterField(), QStringLiteral("head_count"));
    QVERIFY(listed.wait());
    QCOMPARE(shown.page.keys()->keyCount(), 2U);
    const QModelIndex match = shown.row("llama.attention.head_count");
    QVERIFY(shown.page.view()->visualRect(match).isValid()); // expanded
    QTest::keyClick(shown.page.filterField(), Qt::Key_Escape);
    QVERIFY(listed.wait());
    QCOMPARE(shown.page.keys()->keyCount(), all);
    QTest::mouseClick(shown.page.findChild<SegmentedControl*>()->segment(1), Qt::LeftButton);
    QVERIFY(listed.wait());
    QCOMPARE(shown.page.keys()->rowCount(), static_cast<int>(all));
}

void TestMetadataPage::detailFollowsTheSelection() {
    ShownPage shown(sample());
    QVERIFY(shown.ready);
    QSignalSpy opened(shown.page.findChild<ArrayPane*>(), &ArrayPane::opened);
    shown.choose("tokenizer.ggml.token_type");
    QVERIFY(opened.wait());
    QVERIFY(shown.page.findChild<ArrayPane*>()->isVisible());
    QCOMPARE(shown.page.findChild<ArrayPane*>()->elements()->rowCount(), 6);
    QCOMPARE(shown.page.findChild<ArrayPane*>()->elements()->columnCount(), 3);
    shown.choose("tokenizer.chat_template");
    QVERIFY(shown.page.findChild<TextPane*>()->isVisible());
    QVERIFY(shown.page.findChild<TextPane*>()->view()->toPlainText().contains(QStringLiteral("{{ m }}")));
    QCOMPARE(shown.page.findChild<TextPane*>()->view()->blockCount(), 3);
    shown.choose("llama.block_count");
    QVERIFY(!shown.page.findChild<TextPane*>()->isVisible());
    shown.choose("tokenizer.chat_template");
    emit shown.page.findChild<TextPane*>()->closed();
    QVERIFY(!shown.page.findChild<TextPane*>()->isVisible());
    shown.choose("llama.block_count");
    shown.choose("tokenizer.chat_template"); // stays closed until it is requested
    QVERIFY(!shown.page.findChild<TextPane*>()->isVisible());
    QTest::keyClick(shown.page.view(), Qt::Key_Return);
    QVERIFY(shown.page.findChild<TextPane*>()->isVisible());
}

void TestMetadataPage::arrayIsSearchedAndGoneThrough() {
    ShownPage shown(sample());
    QVERIFY(shown.ready);
    ArrayPane* pane = shown.page.findChild<ArrayPane*>();
    QSignalSpy opened(pane, &ArrayPane::opened);
    shown.choose("tokenizer.ggml.token_type");
    QVERIFY(opened.wait());
    QSignalSpy searched(pane, &ArrayPane::searched);
    auto* value = pane->findChild<QComboBox*>();
    value->setCurrentIndex(value->findData(QVariant::fromValue<qint64>(3)));
    QVERIFY(searched.wait());
    QCOMPARE(pane->elements()->rowCount(), 1);
    QCOMPARE(pane->elements()->index(0, 0).data().toString(), QStringLiteral("3"));
    auto* index = pane->findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly);
    QTest::keyClicks(index, QStringLiteral("4"));
    QTest::keyClick(index, Qt::Key_Return); // hidden by the search, which is therefore cleared
    QCOMPARE(pane->elements()->rowCount(), 6);
    QCOMPARE(pane->table()->currentItem(), std::optional<std::uint64_t>(4));
    index->clear();
    QTest::keyClicks(index, QStringLiteral("99"));
    QTest::keyClick(index, Qt::Key_Return);
    QCOMPARE(pane->table()->currentItem(), std::optional<std::uint64_t>(4));
    QTest::keyClicks(pane->findChild<FilterField*>(), QStringLiteral("ab"));
    QVERIFY(searched.wait());
    QCOMPARE(pane->elements()->rowCount(), 2);
}

void TestMetadataPage::searchIsCancelled() {
    GgufBuilder file;
    file.key("numbers", std::vector<std::int32_t>(2'000'000, 5));
    ShownPage shown(file);
    QVERIFY(shown.ready);
    ArrayPane* pane = shown.page.findChild<ArrayPane*>();
    QSignalSpy opened(pane, &ArrayPane::opened);
    shown.choose("numbers");
    QVERIFY(opened.wait());
    QSignalSpy searched(pane, &ArrayPane::searched);
    auto* filter = pane->findChild<FilterField*>();
    QTest::keyClicks(filter, QStringLiteral("no such number"));
    QTest::keyClick(filter, Qt::Key_Return);
    QVERIFY(pane->table()->jobBar()->isBusy());
    pane->table()->jobBar()->findChild<QToolButton*>(QStringLiteral("cancelJob"))->click();
    QVERIFY(!pane->table()->jobBar()->isBusy());
    QCOMPARE(filter->text(), QString());
    Job::waitForAll();
    QCoreApplication::processEvents();
    QCOMPARE(searched.count(), 0);
    QCOMPARE(pane->elements()->rowCount(), static_cast<int>(RowWindow::kMaxRows));
}

void TestMetadataPage::goesToPlaces() {
    ShownPage shown(sample());
    QVERIFY(shown.ready);
    QVERIFY(!shown.page.goTo(Place::tensor("x")));
    QVERIFY(!shown.page.goTo(Place::key("no.such")));
    QVERIFY(shown.page.goTo(Place::key("llama.block_count")));
    QCOMPARE(shown.page.keys()->entry(shown.page.view()->currentIndex())->key, std::string_view("llama.block_count"));
    QSignalSpy listed(&shown.page, &MetadataPage::listed);
    QTest::keyClicks(shown.page.filterField(), QStringLiteral("nothing has this"));
    QVERIFY(listed.wait());
    QVERIFY(shown.page.goTo(Place::key("tokenizer.ggml.tokens", 4))); // the filter is cleared
    QTRY_COMPARE(shown.page.findChild<ArrayPane*>()->table()->currentItem(), std::optional<std::uint64_t>(4));
    QVERIFY(shown.page.findChild<ArrayPane*>()->isVisible());
}

void TestMetadataPage::saysWhereARecordStands() {
    ShownPage shown(sample());
    QVERIFY(shown.ready);
    QSignalSpy status(&shown.page, &Page::statusChanged);
    shown.choose("general.architecture");
    QVERIFY(status.takeLast().at(0).toString().startsWith(QStringLiteral("general.architecture at byte 24")));
}

void TestMetadataPage::copies() {
    GgufBuilder file = sample();
    file.key("bad", "a\xFF");
    ShownPage shown(file);
    QVERIFY(shown.ready);
    shown.choose("tokenizer.chat_template");
    QSignalSpy copied(&shown.page, &MetadataPage::copied);
    shown.page.view()->setFocus();
    emit shown.page.findChild<TextPane*>()->copyRequested();
    QVERIFY(copied.wait());
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("{% for m in messages %}\n{{ m }}\n{% endfor %}"));
    shown.choose("bad");
    for (QAction* action : shown.page.view()->actions()) {
        action->trigger();
    }
    QVERIFY(copied.wait());
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("a\\xFF"));
    shown.choose("llama.block_count");
    QCOMPARE(shown.page.copyText(CopyFormat::Tsv),
             QStringLiteral("Key\tType\tValue\tMeaning\nblock_count\tu32\t2\t%1\n")
                 .arg(shown.row("llama.block_count").siblingAtColumn(MetadataModel::Meaning).data().toString()));
    QVERIFY(shown.page.copyText(CopyFormat::Markdown).startsWith(QStringLiteral("| Key | Type | Value | Meaning |\n")));
    shown.page.view()->clearSelection();
    QVERIFY(shown.page.copyText(CopyFormat::Text).contains(QStringLiteral("eos_token_id")));
}

void TestMetadataPage::copiesManyRowsAtOnce() {
    GgufBuilder file;
    for (int i = 0; i < 2 * kMaxCopiedRows; ++i) {
        file.key("entry_" + std::to_string(i), std::string(500, 'v'));
    }
    ShownPage shown(file);
    QVERIFY(shown.ready);
    for (const auto format : {CopyFormat::Text, CopyFormat::Tsv, CopyFormat::Markdown}) {
        QString text;
        QVERIFY(isQuickWork([&] { text = shown.page.copyText(format); }));
        QVERIFY(text.contains(QStringLiteral("more rows")));
        QCOMPARE(text.count(u'\n'), kMaxCopiedRows + (format == CopyFormat::Markdown ? 3 : 2));
    }
}

void TestMetadataPage::valueTakesTheRoom() {
    ShownPage shown(sample(), {1200, 700});
    QVERIFY(shown.ready);
    const int before = shown.page.view()->columnWidth(MetadataModel::Value);
    shown.page.resize(1500, 700);
    QTRY_COMPARE(shown.page.view()->columnWidth(MetadataModel::Value), before + 300);
    shown.page.view()->setColumnWidth(MetadataModel::Value, 300); // as if by the user
    shown.page.resize(1300, 700);
    QCoreApplication::processEvents();
    QCOMPARE(shown.page.view()->columnWidth(MetadataModel::Value), 300);
}

void TestMetadataPage::exportsJson() {
    GgufBuilder file = sample();
    file.key("bad", "a\xFF")
        .key("nan", std::vector<float>{1.5F, std::numeric_limits<float>::quiet_NaN()})
        .key("quote", "\"\\\n");
    const auto model = test::readModel(file);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("metadata.json"));
    QVERIFY(exportMetadataJson(*model, path, {}));
    QFile written(path);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QJsonParseError error{};
    const QJsonArray rows = QJsonDocument::fromJson(written.readAll(), &error).object().value("metadata").toArray();
    QCOMPARE(error.error, QJsonParseError::NoError);
    QCOMPARE(rows.size(), static_cast<qsizetype>(model->metadata.size()));
    const auto row = [&](const char* key) {
        for (const QJsonValue entry : rows) {
            if (entry["key"].toString() == QLatin1String(key)) {
                return entry.toObject();
            }
        }
        return QJsonObject();
    };
    QCOMPARE(row("bad").value("value").toObject().value("hex").toString(), QStringLiteral("61ff"));
    QCOMPARE(row("nan").value("value").toArray().at(0).toDouble(), 1.5);
    QCOMPARE(row("nan").value("value").toArray().at(1).toString(), QStringLiteral("nan"));
    QCOMPARE(row("quote").value("value").toString(), QStringLiteral("\"\\\n"));
    QCOMPARE(row("tokenizer.ggml.tokens").value("length").toInt(), 6);
    QCOMPARE(row("tokenizer.ggml.tokens").value("value").toArray().at(3).toString(), QStringLiteral("<|end|>"));
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(exportMetadataJson(*model, path, {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
    const auto denied = exportMetadataJson(*model, QStringLiteral("/no/such/folder/x.json"), {});
    QCOMPARE(denied.error().code, ErrorCode::WriteFailed);
}

void TestMetadataPage::keepsItsState() {
    ShownPage first(sample());
    QVERIFY(first.ready);
    first.page.view()->setColumnWidth(MetadataModel::Key, 333);
    QSignalSpy listed(&first.page, &MetadataPage::listed);
    QTest::mouseClick(first.page.findChild<SegmentedControl*>()->segment(1), Qt::LeftButton);
    QVERIFY(listed.wait());
    MetadataPage second;
    second.resize(1272, 770);
    second.restoreState(first.page.saveState());
    QSignalSpy secondListed(&second, &MetadataPage::listed);
    second.setModel(first.model);
    second.show();
    QVERIFY(secondListed.wait());
    QCOMPARE(second.view()->columnWidth(MetadataModel::Key), 333);
    QCOMPARE(second.keys()->rowCount(), static_cast<int>(first.model->metadata.size()));
}

void TestMetadataPage::nothingToShow() {
    ShownPage shown{GgufBuilder()};
    QVERIFY(shown.ready);
    const auto states = shown.page.findChildren<EmptyState*>();
    const auto state = std::ranges::find_if(states, &EmptyState::isVisible);
    QVERIFY(state != states.end());
    QCOMPARE((*state)->accessibleName(), QStringLiteral("No metadata"));
}

GUFO_TEST_WIDGETS(TestMetadataPage)
#include "tst_metadata_page.moc"
