#include "support/page_models.h"
#include "support/test_unit.h"
#include "ui/pages/metadata/models/metadata_model.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace gufo;
using namespace gufo::ui;

class TestMetadataModel : public QObject {
    Q_OBJECT

private slots:
    void showsKeysAsATree();
    void filters_data();
    void filters();
    void sortsTheList_data();
    void sortsTheList();
    void writesValues_data();
    void writesValues();
    void handsOutRowsInPieces();
    void namesTheTokenOfAnId();
    void keepsWhatTheKeyTreeWouldLose();
    void stopsWhenAsked();
};

namespace {

using test::GgufBuilder;

GgufBuilder sampleFile() {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.key("general.name", "Owl");
    file.key("general.file_type", std::uint32_t{15});
    file.key("llama.attention.head_count", std::uint32_t{32});
    file.key("llama.block_count", std::uint32_t{2});
    test::addSmallVocabulary(file);
    file.key("odd", -3);
    return file;
}

std::shared_ptr<const KeyTree> treeOf(const std::shared_ptr<const Model>& model, const KeyQuery& query = {}) {
    auto tree = buildKeyTree(model, query, {});
    return tree ? *tree : nullptr;
}

// Two spaces for each level, then key, type and value.
QString textOf(const QAbstractItemModel& model, const QModelIndex& parent = {}, int depth = 0) {
    QString text;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        QStringList cells;
        for (int column = 0; column < MetadataModel::Meaning; ++column) {
            cells << index.siblingAtColumn(column).data().toString();
        }
        text += QString(2 * depth, u' ') + cells.join(QStringLiteral(" | ")) + u'\n' + textOf(model, index, depth + 1);
    }
    return text;
}

} // namespace

void TestMetadataModel::showsKeysAsATree() {
    const auto model = test::readModel(sampleFile());
    QVERIFY(model);
    MetadataModel keys;
    const QAbstractItemModelTester tester(&keys, QAbstractItemModelTester::FailureReportingMode::QtTest);
    keys.setTree(treeOf(model));
    QCOMPARE(textOf(keys), QStringLiteral("odd | i32 | -3\n"
                                          "general | 3 keys | \n"
                                          "  architecture | str | llama\n"
                                          "  name | str | Owl\n"
                                          "  file_type | u32 | Q4_K_M (15)\n"
                                          "llama | 2 keys | \n"
                                          "  block_count | u32 | 2\n"
                                          "  attention | 1 key | \n"
                                          "    head_count | u32 | 32\n"
                                          "tokenizer | 5 keys | \n"
                                          "  ggml | 5 keys | \n"
                                          "    model | str | gpt2\n"
                                          "    tokens | str[6] | a, b, Ġ, <|end|>, ab, Ġab\n"
                                          "    token_type | i32[6] | NORMAL (1), NORMAL (1), NORMAL (1), CONTROL (3), "
                                          "NORMAL (1), USER_DEFINED (4)\n"
                                          "    merges | str[3] | a b, Ġ ab, b b\n"
                                          "    eos_token_id | u32 | 3\n"));
}

void TestMetadataModel::filters_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("type");
    QTest::addColumn<QStringList>("keys");
    QTest::newRow("part of a key") << "HEAD_c" << -1 << QStringList{"llama.attention.head_count"};
    QTest::newRow("value of a string") << "owl" << -1 << QStringList{"general.name"};
    QTest::newRow("value of a number") << "-3" << -1 << QStringList{"odd"};
    QTest::newRow("name of a number") << "q4_k_m" << -1 << QStringList{"general.file_type"};
    QTest::newRow("element of an array") << "Ġab" << -1 << QStringList{"tokenizer.ggml.tokens"};
    QTest::newRow("type") << "" << static_cast<int>(ValueType::Int32) << QStringList{"odd"};
    QTest::newRow("type and text") << "gene" << static_cast<int>(ValueType::UInt32) << QStringList{"general.file_type"};
    QTest::newRow("nothing") << "no such thing" << -1 << QStringList{};
}

void TestMetadataModel::filters() {
    QFETCH(QString, text);
    QFETCH(int, type);
    QFETCH(QStringList, keys);
    KeyQuery query{.layout = KeyQuery::Layout::List, .text = text};
    if (type >= 0) {
        query.type = static_cast<ValueType>(type);
    }
    MetadataModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setTree(treeOf(test::readModel(sampleFile()), query));
    QStringList shown;
    for (int row = 0; row < model.rowCount(); ++row) {
        shown << model.index(row, MetadataModel::Key).data().toString();
    }
    QCOMPARE(shown, keys);
    QCOMPARE(model.keyCount(), static_cast<std::uint32_t>(keys.size()));
}

void TestMetadataModel::sortsTheList_data() {
    QTest::addColumn<int>("by");
    QTest::addColumn<int>("order");
    QTest::addColumn<QString>("first");
    QTest::newRow("file order") << static_cast<int>(KeyQuery::SortBy::FileOrder) << 0 << "general.architecture";
    QTest::newRow("key") << static_cast<int>(KeyQuery::SortBy::Key) << 1 << "tokenizer.ggml.tokens";
    QTest::newRow("type") << static_cast<int>(KeyQuery::SortBy::Type) << 0 << "general.file_type";
    QTest::newRow("value") << static_cast<int>(KeyQuery::SortBy::Value) << 0 << "odd";
    QTest::newRow("value down") << static_cast<int>(KeyQuery::SortBy::Value) << 1 << "tokenizer.ggml.tokens";
}

void TestMetadataModel::sortsTheList() {
    QFETCH(int, by);
    QFETCH(int, order);
    const auto tree = treeOf(test::readModel(sampleFile()), {.layout = KeyQuery::Layout::List,
                                                             .sortBy = static_cast<KeyQuery::SortBy>(by),
                                                             .order = static_cast<Qt::SortOrder>(order)});
    MetadataModel model;
    model.setTree(tree);
    QTEST(model.index(0, 0).data().toString(), "first");
}

void TestMetadataModel::writesValues_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("text");
    QTest::newRow("invalid UTF-8") << "bad" << "a\\xFFb";
    QTest::newRow("line breaks") << "lines" << "a\\nb";
    QTest::newRow("long string") << "long" << QString(400, u'x') + QChar(0x2026);
    QTest::newRow("long array") << "many" << "0, 1, 2, 3, 4, 5, 6, 7 … 100 elements";
    QTest::newRow("float") << "real" << "1e-06";
    QTest::newRow("boolean") << "flag" << "true";
}

void TestMetadataModel::writesValues() {
    QFETCH(QString, key);
    GgufBuilder file;
    std::vector<std::uint16_t> many(100);
    for (std::uint16_t i = 0; i < 100; ++i) {
        many[i] = i;
    }
    file.key("bad", std::string("a\xFF") + "b").key("lines", "a\nb").key("long", std::string(1000, 'x'));
    file.key("many", many).key("real", 1e-6F).key("flag", true);
    const auto model = test::readModel(file);
    MetadataModel keys;
    keys.setTree(treeOf(model));
    const QModelIndex index = keys.showEntry(*model->metadata.indexOf(key.toStdString()));
    QVERIFY(index.isValid());
    QTEST(index.siblingAtColumn(MetadataModel::Value).data().toString(), "text");
}

void TestMetadataModel::handsOutRowsInPieces() {
    GgufBuilder file;
    constexpr int kKeys = 3 * MetadataModel::kFetchedAtOnce + 7;
    for (int i = 0; i < kKeys; ++i) {
        file.key("k" + std::to_string(i), std::uint8_t{1});
    }
    const auto model = test::readModel(file);
    QVERIFY(model);
    MetadataModel keys;
    const QAbstractItemModelTester tester(&keys, QAbstractItemModelTester::FailureReportingMode::QtTest);
    keys.setTree(treeOf(model));
    QCOMPARE(keys.keyCount(), static_cast<std::uint32_t>(kKeys));
    QVERIFY(keys.rowCount() < kKeys);
    QVERIFY(keys.canFetchMore({}));
    const QModelIndex last = keys.showEntry(KvIndex(std::size_t{kKeys - 1}));
    QCOMPARE(last.row(), kKeys - 1);
    QCOMPARE(keys.rowCount(), kKeys);
    QVERIFY(!keys.canFetchMore({}));
}

void TestMetadataModel::namesTheTokenOfAnId() {
    const auto model = test::readModel(sampleFile());
    MetadataModel keys;
    keys.setTree(treeOf(model));
    const QModelIndex id =
        keys.showEntry(*model->metadata.indexOf("tokenizer.ggml.eos_token_id")).siblingAtColumn(MetadataModel::Value);
    QCOMPARE(id.data(MetadataModel::ChipTextRole).toString(), QString());
    keys.setVocabulary(*TokenArrays::load(model, {}));
    QCOMPARE(id.data(MetadataModel::ChipTextRole).toString(), QStringLiteral("<|end|>"));
    QCOMPARE(id.data(Qt::AccessibleTextRole).toString(), QStringLiteral("3 <|end|>"));
}

// Duplicates, a key that is also a group, empty segments, extreme depth: all stay visible.
void TestMetadataModel::keepsWhatTheKeyTreeWouldLose() {
    GgufBuilder file;
    file.key("a", std::uint8_t{1}).key("a.b", std::uint8_t{2}).key("a", std::uint8_t{3}).key("x..y", std::uint8_t{4});
    file.key(std::string(2000, '.'), std::uint8_t{5});
    const auto model = test::readModel(file);
    QVERIFY(model);
    const auto tree = treeOf(model);
    QCOMPARE(tree->nodes[0].keys, 5U);
    QVERIFY(tree->nodes.size() < 5 + 5 + KeyTree::kMaxDepth + 1);
    MetadataModel keys;
    const QAbstractItemModelTester tester(&keys, QAbstractItemModelTester::FailureReportingMode::QtTest);
    keys.setTree(tree);
    QVERIFY(textOf(keys).startsWith(QStringLiteral("a | u8 | 1\na | u8 | 3\na | 1 key | \n  b | u8 | 2\n")));
}

void TestMetadataModel::stopsWhenAsked() {
    std::stop_source stop;
    stop.request_stop();
    const auto tree = buildKeyTree(test::readModel(sampleFile()), {}, {.stop = stop.get_token()});
    QVERIFY(!tree);
    QCOMPARE(tree.error().code, ErrorCode::Cancelled);
}

GUFO_TEST_WIDGETS(TestMetadataModel)
#include "tst_metadata_model.moc"
