#include "support/model_maker.h"
#include "support/test_unit.h"
#include "ui/mainwindow/go_to/go_to_search.h"

#include <QTest>

using namespace gufo;
using namespace gufo::ui;

class TestGoToSearch : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void finds_data();
    void finds();
    void ranksWords_data();
    void ranksWords();
    void wordsThatBeginWords();
    void keepsTheBestFew();
    void stops();

private:
    std::shared_ptr<const Model> m_model;
};

void TestGoToSearch::initTestCase() {
    test::ModelMaker maker("llama");
    maker.u32("llama.block_count", 2).text("general.name", "n").u32("tokenizer.ggml.bos_token_id", 1);
    maker.texts("tokenizer.ggml.tokens", {"<unk>", "<s>", "Hello", "hell", "shell", "\xE4\xBD\xA0", "\xFF\xFE", "7"});
    maker.tensor("token_embd.weight", {4, 8}).tensor("blk.0.attn_q.weight", {4, 4}).tensor("blk.1.attn_q.weight", {4});
    m_model = maker.model();
}

void TestGoToSearch::finds_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArrayList>("names");
    QTest::newRow("nothing typed") << QByteArray() << QByteArrayList{};
    QTest::newRow("no match") << QByteArray("zzz") << QByteArrayList{};
    QTest::newRow("key by its last part") << QByteArray("block_c") << QByteArrayList{"llama.block_count"};
    QTest::newRow("tensors in file order")
        << QByteArray("attn_q") << QByteArrayList{"blk.0.attn_q.weight", "blk.1.attn_q.weight"};
    QTest::newRow("letter case, whole before beginning before inside")
        << QByteArray("HELL") << QByteArrayList{"hell", "Hello", "shell"};
    QTest::newRow("token by text beyond ASCII") << QByteArray("\xE4\xBD\xA0") << QByteArrayList{"\xE4\xBD\xA0"};
    QTest::newRow("token of invalid UTF-8") << QByteArray("\xFE") << QByteArrayList{"\xFF\xFE"};
    QTest::newRow("a number is a token id, too") << QByteArray("2") << QByteArrayList{"Hello"};
    QTest::newRow("a token whose text is its id, once") << QByteArray("7") << QByteArrayList{"7"};
    QTest::newRow("id beyond the vocabulary") << QByteArray("800") << QByteArrayList{};
    QTest::newRow("words in any order") << QByteArray("attn_q 1") << QByteArrayList{"blk.1.attn_q.weight"};
    QTest::newRow("words around spaces") << QByteArray("  1  ATTN ") << QByteArrayList{"blk.1.attn_q.weight"};
    QTest::newRow("one word is missing") << QByteArray("attn_q 7") << QByteArrayList{};
    QTest::newRow("only spaces") << QByteArray("  ") << QByteArrayList{};
    QTest::newRow("words of a key") << QByteArray("count llama") << QByteArrayList{"llama.block_count"};
    QTest::newRow("kinds in order") << QByteArray("tok")
                                    << QByteArrayList{"tokenizer.ggml.tokens", "tokenizer.ggml.bos_token_id",
                                                      "token_embd.weight"};
}

void TestGoToSearch::finds() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArrayList, names);
    const auto hits = searchModel(*m_model, text.toStdString(), {});
    QVERIFY(hits);
    QByteArrayList found;
    for (const GoToHit& hit : *hits) {
        found << QByteArray::fromStdString(hit.name);
    }
    QCOMPARE(found, names);
}

void TestGoToSearch::ranksWords_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArrayList>("names"); // best first; those after "" do not match
    QTest::newRow("whole numbers first") << QByteArray("ffn_down 3")
                                         << QByteArrayList{"blk.3.ffn_down.weight",  "blk.30.ffn_down.weight",
                                                           "blk.13.ffn_down.weight", "",
                                                           "blk.4.ffn_down.weight",  "blk.3.ffn_up.weight"};
    QTest::newRow("the text as it is first")
        << QByteArray("ffn_down.weight 3") << QByteArrayList{"ffn_down.weight 3", "blk.3.ffn_down.weight"};
    QTest::newRow("one word as before") << QByteArray("down")
                                        << QByteArrayList{"down", "downs", "ffn_down", "shutdown", "", "dow"};
    QTest::newRow("the same word twice") << QByteArray("q q") << QByteArrayList{"attn_q", "", "attn_k"};
}

void TestGoToSearch::ranksWords() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArrayList, names);
    const WordMatcher matcher(text.toStdString());
    int before = -1;
    bool matches = true;
    for (const QByteArray& name : names) {
        if (name.isEmpty()) {
            matches = false;
            continue;
        }
        const auto quality = matcher.match(name.toStdString());
        QVERIFY2(quality.has_value() == matches, name);
        if (quality) {
            QVERIFY2(*quality > before, name);
            before = *quality;
        }
    }
}

void TestGoToSearch::wordsThatBeginWords() {
    QVERIFY(WordMatcher("exp rep").beginsWords("Tools › Export Report…"));
    QVERIFY(!WordMatcher("port").beginsWords("Tools › Export Report…"));
    QVERIFY(!WordMatcher("export table").beginsWords("Tools › Export Report…"));
}

void TestGoToSearch::keepsTheBestFew() {
    test::ModelMaker maker("llama");
    std::vector<std::string> tokens;
    for (int i = 0; i < 5000; ++i) {
        tokens.push_back("x" + std::to_string(i));
    }
    maker.texts("tokenizer.ggml.tokens", tokens);
    const auto hits = searchModel(*maker.model(), "x4", {});
    QVERIFY(hits);
    QCOMPARE(hits->size(), kMaxHitsPerKind);
    QCOMPARE(hits->front().name, std::string("x4"));
    QCOMPARE(hits->at(1).name, std::string("x40"));
    QCOMPARE(hits->front().place, Place::token(4));
}

void TestGoToSearch::stops() {
    std::stop_source stop;
    stop.request_stop();
    const auto hits = searchModel(*m_model, "a", {.stop = stop.get_token()});
    QVERIFY(!hits);
    QCOMPARE(hits.error().code, ErrorCode::Cancelled);
}

GUFO_TEST(TestGoToSearch)
#include "tst_go_to_search.moc"
