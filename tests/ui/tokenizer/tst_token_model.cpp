#include "support/page_models.h"
#include "support/test_unit.h"
#include "ui/pages/metadata/models/array_model.h"
#include "ui/pages/tokenizer/merge_model.h"
#include "ui/vocabulary/token_arrays.h"
#include "ui/vocabulary/token_model.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace gufo;
using namespace gufo::ui;

class TestTokenModel : public QObject {
    Q_OBJECT

private slots:
    void showsTokensAndMerges();
    void searches_data();
    void searches();
    void searchesMerges();
    void readsHexadecimal_data();
    void readsHexadecimal();
    void decodesStoredTokens_data();
    void decodesStoredTokens();
    void searchesStopWhenAsked();
    void wrongArraysAreAsIfAbsent();
    void opensArrays();
    void opensNestedArrays();
    void windowsLongLists();
};

namespace {

using test::GgufBuilder;

std::shared_ptr<const Model> smallModel() {
    GgufBuilder file;
    return test::readModel(test::addSmallVocabulary(file));
}

std::shared_ptr<const TokenArrays> vocabularyOf(const std::shared_ptr<const Model>& model) {
    auto vocabulary = TokenArrays::load(model, {});
    return vocabulary ? *vocabulary : nullptr;
}

QString textOf(const QAbstractItemModel& model) {
    QString text;
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column) {
            cells << model.index(row, column).data().toString();
        }
        text += cells.join(QStringLiteral(" | ")) + u'\n';
    }
    return text;
}

QList<quint64> listOf(const Matches& matches) { return {matches.items.begin(), matches.items.end()}; }

} // namespace

void TestTokenModel::showsTokensAndMerges() {
    const auto vocabulary = vocabularyOf(smallModel());
    const auto links = *TokenLinks::build(vocabulary, {});
    TokenModel tokens;
    MergeModel merges;
    const QAbstractItemModelTester tokenTester(&tokens, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QAbstractItemModelTester mergeTester(&merges, QAbstractItemModelTester::FailureReportingMode::QtTest);
    tokens.setVocabulary(vocabulary);
    merges.setVocabulary(vocabulary);
    QCOMPARE(tokens.index(4, static_cast<int>(TokenColumn::Merge)).data().toString(), QString());
    tokens.setLinks(links);
    merges.setLinks(links);
    QCOMPARE(textOf(tokens), QStringLiteral("0 | a | 61 | NORMAL |  | \n"
                                            "1 | b | 62 | NORMAL |  | \n"
                                            "2 | Ġ | 20 | NORMAL |  | \n"
                                            "3 | <|end|> | 3C 7C 65 6E 64 7C 3E | CONTROL |  | \n"
                                            "4 | ab | 61 62 | NORMAL |  | 0  a + b\n"
                                            "5 | Ġab | C4 A0 61 62 | USER_DEFINED |  | 1  Ġ + ab\n"));
    QCOMPARE(textOf(merges), QStringLiteral("0 | a | b | ab | 4\n1 | Ġ | ab | Ġab | 5\n2 | b | b | bb | \n"));
    QCOMPARE(links->typeCounts()[1], 4U);
    QCOMPARE(links->typeCounts()[3], 1U);
    QCOMPARE(links->find("Ġab"), std::optional<std::uint64_t>(5));
    QVERIFY(!links->find("bb"));
}

void TestTokenModel::searches_data() {
    using Ids = QList<quint64>;
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("inBytes");
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("sortBy");
    QTest::addColumn<int>("order");
    QTest::addColumn<Ids>("ids");
    constexpr int kId = static_cast<int>(TokenColumn::Id);
    QTest::newRow("stored text") << "AB" << false << 0 << kId << 0 << Ids{4, 5};
    QTest::newRow("decoded text") << " " << false << 0 << kId << 0 << Ids{2};
    QTest::newRow("bytes") << "61 62" << true << 0 << kId << 0 << Ids{4, 5};
    QTest::newRow("type") << "" << false << 3 << kId << 0 << Ids{3};
    QTest::newRow("type and text") << "a" << false << 4 << kId << 0 << Ids{5};
    QTest::newRow("down") << "a" << false << 1 << kId << 1 << Ids{4, 0};
    QTest::newRow("by text") << "" << false << 0 << static_cast<int>(TokenColumn::Token) << 0 << Ids{3, 0, 4, 1, 2, 5};
    QTest::newRow("by bytes") << "" << false << 0 << static_cast<int>(TokenColumn::Bytes) << 0 << Ids{2, 3, 0, 4, 1, 5};
    QTest::newRow("by type, down") << "" << false << 0 << static_cast<int>(TokenColumn::Type) << 1
                                   << Ids{5, 3, 0, 1, 2, 4};
    QTest::newRow("by merge") << "" << false << 0 << static_cast<int>(TokenColumn::Merge) << 0 << Ids{4, 5, 0, 1, 2, 3};
    QTest::newRow("nothing") << "zzz" << false << 0 << kId << 0 << Ids{};
}

void TestTokenModel::searches() {
    QFETCH(QString, text);
    QFETCH(bool, inBytes);
    QFETCH(int, type);
    QFETCH(int, sortBy);
    QFETCH(int, order);
    const auto vocabulary = vocabularyOf(smallModel());
    const auto links = *TokenLinks::build(vocabulary, {});
    TokenQuery query{.in = inBytes ? TokenQuery::In::Bytes : TokenQuery::In::Text,
                     .text = text,
                     .type = {},
                     .sortBy = static_cast<TokenColumn>(sortBy),
                     .order = static_cast<Qt::SortOrder>(order)};
    if (type != 0) {
        query.type = type;
    }
    const auto matches = searchTokens(*vocabulary, links.get(), query, {});
    QVERIFY(matches);
    QTEST(listOf(*matches), "ids");
    TokenModel tokens;
    const QAbstractItemModelTester tester(&tokens, QAbstractItemModelTester::FailureReportingMode::QtTest);
    tokens.setVocabulary(vocabulary);
    tokens.setMatches(std::make_shared<Matches>(*matches));
    QCOMPARE(tokens.rowCount(), static_cast<int>(matches->items.size()));
    tokens.setMatches(nullptr);
    QCOMPARE(tokens.rowCount(), 6);
}

void TestTokenModel::searchesMerges() {
    const auto vocabulary = vocabularyOf(smallModel());
    QCOMPARE(listOf(*ui::searchMerges(*vocabulary, QStringLiteral("AB"), {})), (QList<quint64>{0, 1}));
    QCOMPARE(listOf(*ui::searchMerges(*vocabulary, QStringLiteral("x"), {})), QList<quint64>());
}

void TestTokenModel::readsHexadecimal_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("pairs") << "e2 96 81" << QByteArray("\xE2\x96\x81");
    QTest::newRow("joined") << "E29681" << QByteArray("\xE2\x96\x81");
    QTest::newRow("prefix") << "0x0a" << QByteArray("\n");
    QTest::newRow("odd") << "e" << QByteArray();
    QTest::newRow("letters") << "zz" << QByteArray();
    QTest::newRow("not Latin") << "éé" << QByteArray();
}

void TestTokenModel::readsHexadecimal() {
    QFETCH(QString, text);
    QTEST(parseHex(text).value_or(QByteArray()), "bytes");
    if (!parseHex(text)) {
        const auto found =
            searchTokens(*vocabularyOf(smallModel()), nullptr, {.in = TokenQuery::In::Bytes, .text = text}, {});
        QCOMPARE(found.error().code, ErrorCode::InvalidArgument);
    }
}

void TestTokenModel::decodesStoredTokens_data() {
    QTest::addColumn<QByteArray>("stored");
    QTest::addColumn<QString>("family");
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("byte-level") << QByteArray("Ġthe") << "gpt2" << QByteArray(" the");
    QTest::newRow("byte-level, two bytes") << QByteArray("Ã©") << "gpt2" << QByteArray("\xC3\xA9");
    QTest::newRow("SentencePiece") << QByteArray("▁the") << "llama" << QByteArray(" the");
    QTest::newRow("byte token") << QByteArray("<0x0A>") << "llama" << QByteArray("\n");
    QTest::newRow("no byte token") << QByteArray("<0xZZ>") << "llama" << QByteArray("<0xZZ>");
    QTest::newRow("byte token spelled in byte-level") << QByteArray("<0x0A>") << "gpt2" << QByteArray("<0x0A>");
    QTest::newRow("escapes") << QByteArray("\\n\\x41\\\\") << "rwkv" << QByteArray("\nA\\");
    QTest::newRow("escape cut off") << QByteArray("\\x4") << "rwkv" << QByteArray("x4");
    QTest::newRow("unknown family") << QByteArray("▁x") << "other" << QByteArray("▁x");
}

void TestTokenModel::decodesStoredTokens() {
    QFETCH(QByteArray, stored);
    QFETCH(QString, family);
    GgufBuilder file;
    file.key("tokenizer.ggml.model", family.toStdString());
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{stored.toStdString()});
    QTEST(vocabularyOf(test::readModel(file))->bytes(0), "bytes");
}

void TestTokenModel::searchesStopWhenAsked() {
    std::stop_source stop;
    stop.request_stop();
    const JobContext job{.stop = stop.get_token()};
    const auto model = smallModel();
    const auto vocabulary = vocabularyOf(model);
    QCOMPARE(searchTokens(*vocabulary, nullptr, {.text = QStringLiteral("a")}, job).error().code, ErrorCode::Cancelled);
    QCOMPARE(ui::searchMerges(*vocabulary, QStringLiteral("a"), job).error().code, ErrorCode::Cancelled);
    QCOMPARE(TokenLinks::build(vocabulary, job).error().code, ErrorCode::Cancelled);
    const auto array = openArray(model, "tokenizer.ggml.tokens", {}, {});
    QVERIFY(array);
    QCOMPARE(searchArray(**array, {.text = QStringLiteral("a"), .value = {}}, job).error().code, ErrorCode::Cancelled);
    QCOMPARE(openArray(model, "tokenizer.ggml.token_type", {}, job).error().code, ErrorCode::Cancelled);
}

void TestTokenModel::wrongArraysAreAsIfAbsent() {
    GgufBuilder file;
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b"});
    file.key("tokenizer.ggml.scores", std::vector<std::uint8_t>{1, 2}); // a known exploit: read as f32 elsewhere
    file.key("tokenizer.ggml.token_type", std::vector<std::string>{"x"});
    file.key("tokenizer.ggml.merges", std::vector<std::int32_t>{1});
    file.key("tokenizer.ggml.bos_token_id", std::uint32_t{7});
    const auto vocabulary = vocabularyOf(test::readModel(file));
    QVERIFY(!vocabulary->hasScores());
    QVERIFY(!vocabulary->hasTypes());
    QCOMPARE(vocabulary->mergeCount(), 0U);
    QVERIFY(!vocabulary->score(0));
    QCOMPARE(vocabulary->specials().front().id, 7U);
    GgufBuilder none;
    none.key("tokenizer.ggml.tokens", std::vector<std::int32_t>{1});
    QCOMPARE(vocabularyOf(test::readModel(none))->size(), 0U);
}

void TestTokenModel::opensArrays() {
    const auto types = openArray(smallModel(), "tokenizer.ggml.token_type", {}, {});
    QVERIFY(types);
    ArrayModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setArray(*types);
    QCOMPARE(textOf(model).section(u'\n', 3, 3), QStringLiteral("3 | CONTROL (3) | <|end|>"));
    QCOMPARE((*types)->counts.size(), 3U);
    QCOMPARE((*types)->counts.front().count, 4U);
    QCOMPARE(listOf(*searchArray(**types, {.text = {}, .value = 4}, {})), (QList<quint64>{5}));
    QCOMPARE(listOf(*searchArray(**types, {.text = QStringLiteral("control"), .value = {}}, {})), (QList<quint64>{3}));
    QCOMPARE(listOf(*searchArray(**types, {.text = QStringLiteral("ab"), .value = {}}, {})), (QList<quint64>{4, 5}));
    const auto merges = openArray(smallModel(), "tokenizer.ggml.merges", {}, {});
    model.setArray(*merges); // not as long as any vocabulary, so there are no tokens
    QCOMPARE(model.columnCount(), 2);
    QCOMPARE(openArray(smallModel(), "no.such", {}, {}).error().code, ErrorCode::NoSuchKey);
}

void TestTokenModel::opensNestedArrays() {
    GgufBuilder file;
    test::GgufBytes nested = file.payload();
    nested.arrayHead(ValueType::Array, 2);
    nested.arrayHead(ValueType::Int32, 2).number(std::int32_t{1}).number(std::int32_t{2});
    nested.arrayHead(ValueType::Int32, 1).number(std::int32_t{3});
    file.rawKey("nest", ValueType::Array, nested);
    const auto model = test::readModel(file);
    QVERIFY(model);
    const auto outer = openArray(model, "nest", {}, {});
    ArrayModel elements;
    elements.setArray(*outer);
    QCOMPARE(textOf(elements), QStringLiteral("0 | [1, 2]\n1 | [3]\n"));
    const auto inner = openArray(model, "nest", {1}, {});
    QVERIFY(inner);
    elements.setArray(*inner);
    QCOMPARE(textOf(elements), QStringLiteral("0 | 3\n"));
    QCOMPARE((*inner)->title(), QStringLiteral("nest[1]"));
    QCOMPARE(openArray(model, "nest", {5}, {}).error().code, ErrorCode::InvalidArgument);
}

void TestTokenModel::windowsLongLists() {
    GgufBuilder file;
    const std::uint64_t items = RowWindow::kMaxRows + 10;
    file.key("bytes", std::vector<std::uint8_t>(items, 7));
    const auto array = openArray(test::readModel(file), "bytes", {}, {});
    QVERIFY(array);
    ArrayModel model;
    model.setArray(*array);
    QCOMPARE(model.rowCount(), static_cast<int>(RowWindow::kMaxRows));
    const QModelIndex last = model.showItem(items - 1);
    QCOMPARE(last.row(), 9);
    QCOMPARE(model.rowCount(), 10);
    QCOMPARE(model.index(9, 0).data().toString(), QString::number(items - 1));
    const auto all = searchArray(**array, {.text = {}, .value = 7}, {});
    QCOMPARE(all->found, items);
    QCOMPARE(all->items.size(), RowWindow::kMaxRows);
}

GUFO_TEST_WIDGETS(TestTokenModel)
#include "tst_token_model.moc"
