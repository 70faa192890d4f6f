// Front matter of model cards: what each form of YAML becomes, and the errors in text that is not read.
#include "base/utf8.h"
#include "formats/sets/front_matter.h"
#include "model_texts.h"
#include "support/test_unit.h"

#include <QTest>

using namespace gufo;
using namespace gufo::test;

namespace {

struct Read {
    std::shared_ptr<Model> model = std::make_shared<Model>();
    FrontMatter card;
};

Read read(const QByteArray& text) {
    Read read;
    read.model->files.push_back({});
    MetadataBuilder metadata(*read.model);
    read.card = addFrontMatter(metadata, {text.data(), static_cast<std::size_t>(text.size())}, "card");
    return read;
}

// Every key with its value: "license='mit' tags=[a|b] size=7 gated=true".
QString keysOf(const Model& model) {
    QStringList keys;
    for (const KeyValue& entry : model.metadata) {
        const QString name = text(entry.key).mid(5); // after "card."
        if (asArray(entry.value) != nullptr) {
            keys << name + QStringLiteral("=[") + textsOf(model, entry.key).join(u'|') + u']';
        } else if (const auto string = asString(entry.value)) {
            keys << name + QStringLiteral("='") + text(*string) + u'\'';
        } else if (const auto* flag = std::get_if<BoolValue>(&entry.value)) {
            keys << name + (flag->raw != 0 ? QStringLiteral("=true") : QStringLiteral("=false"));
        } else {
            keys << name + u'=' + QString::number(asDouble(entry.value).value_or(-1));
        }
    }
    return keys.join(u' ');
}

QString problemOf(const FrontMatter& card) {
    if (!card.problem) {
        return {};
    }
    QString problem = text(errorName(card.problem->code));
    for (const Argument& argument : card.problem->args) {
        problem += u' ' + QString::fromStdString(argument.text());
    }
    return problem;
}

} // namespace

class TestFrontMatter : public QObject {
    Q_OBJECT

private slots:
    void values_data();
    void values();
    void problems_data();
    void problems();
    void texts_data();
    void texts();
    void hostile_data();
    void hostile();
};

void TestFrontMatter::values_data() {
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QString>("keys");
    const auto row = [](const char* name, QByteArray yaml, const char* keys) {
        QTest::newRow(name) << yaml << QString::fromUtf8(keys);
    };
    row("scalars", "license: mit # why\nsize: 7\nfactor: 1.5\ngated: true\nopen: False\n",
        "license='mit' size=7 factor=1.5 gated=true open=false");
    row("names that YAML 1.1 reads as booleans", "language: no\nanswer: yes\nswitch: on\n",
        "language='no' answer='yes' switch='on'");
    row("such names in a list", "language:\n- no\n- en\n- \"on\"\n", "language=[no|en|on]");
    row("null", "license:\ntags: null\nname: ~\n", "license='' tags='' name=''");
    row("null in a list", "tags: [text, 3, 1.0, null]\n", "tags=[text|3|1.0]");
    row("texts that look like numbers", "version: 1.0.3\nid: 007\nquoted: \"7\"\nhash: 1e5\n",
        "version='1.0.3' id='007' quoted='7' hash='1e5'");
    row("flow list", "tags: [a, 'b, c', \"d\"]\n", "tags=[a|b, c|d]");
    row("flow list over several lines", "tags: [a,\n  b,   # and\n  c\n]\nlicense: mit\n",
        "tags=[a|b|c] license='mit'");
    row("flow map over several lines", "extra: {a: 1,\n  b: x}\n", "extra.a=1 extra.b='x'");
    row("escapes", "name: \"caf\\u00e9 \\x41\\t\\\"q\\\"\"\n", "name='café A\t\"q\"'");
    row("single quotes", "name: 'it''s \\u00e9'\n", "name='it's \\u00e9'");
    row("literal block", "text: |\n  one\n   two\n\n  three\nlicense: mit\n",
        "text='one\n two\n\nthree\n' license='mit'");
    row("literal block without its last line end", "text: |-\n  one\n  two\n", "text='one\ntwo'");
    row("folded block", "text: >-\n  one\n  two\n\n  three\n", "text='one two\nthree'");
    row("block in a list", "tags:\n- >-\n  fold\n  ed\n- b\n", "tags=[fold ed|b]");
    row("plain text over two lines", "description: one\n  two\n", "description='one two'");
    row("colon in a list", "tags:\n- \"llama: 3\"\n- a:b\n", "tags=[llama: 3|a:b]");
    row("nested names", "extra:\n  inner:\n    a: 1\n  b: 2\n", "extra.inner.a=1 extra.b=2");
    row("anchor", "tags: &t [a, b]\ndatasets: *t\nlicense: &l mit\nother: *l\n",
        "tags=[a|b] datasets=[a|b] license='mit' other='mit'");
    row("list of names", "model-index:\n  - name: x\n    results: 1\nlicense: mit\n",
        "model-index='  - name: x\n    results: 1' license='mit'");
    row("list of names after letters that are not ASCII", "name: éé\nx: [{a: 1}]\n", "name='éé' x='[{a: 1}]'");
    row("empty collections", "a: {}\nb: []\n", "a='{}' b=[]");
    row("line ends of Windows", "license: mit\r\ntags:\r\n- a\r\n", "license='mit' tags=[a]");
    row("quoted name", "\"a: b\": c\n", "a: b='c'");
    row("tag", "a: !!str 7\n", "a='7'");
    row("dashes in a block", "text: |\n  a\n  ---\n  b\nc: d\n", "text='a\n---\nb\n' c='d'");
}

void TestFrontMatter::values() {
    QFETCH(QByteArray, yaml);
    QFETCH(QString, keys);
    const Read card = read("---\n" + yaml + "---\n# Title: x\n");
    QVERIFY(card.card.found);
    QCOMPARE(problemOf(card.card), QString());
    QCOMPARE(keysOf(*card.model), keys);
}

// What the parser has passed before an error is kept, and the place is that in the file.
void TestFrontMatter::problems_data() {
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QString>("keys");
    QTest::addColumn<QString>("problem");
    const auto row = [](const char* name, QByteArray yaml, QByteArray keys, const char* problem) {
        QTest::newRow(name) << yaml << QString::fromUtf8(keys) << QString::fromUtf8(problem);
    };
    row("tab", "license: mit\n\t{: [}\n", "", "bad_syntax expected yaml 3 1");
    row("open list", "license: mit\ntags: [a\n", "license='mit' tags=[a]", "bad_syntax expected yaml 4 1");
    row("unknown anchor", "license: mit\ntags: *t\n", "license='mit'", "bad_syntax expected yaml_anchor 3 7");
    row("a list", "- a\n", "", "bad_syntax expected key_object 2 1");
    row("a text", "words\n", "", "bad_syntax expected key_object 2 1");
    row("Latin-1 in a list", "license: mit\ntags: [caf\xe9, b]\n", "license='mit' tags=[b]",
        "bad_syntax expected utf8_string 3 11");
    row("Latin-1 in a text and a name", "license: mit\nname: caf\xe9\ncaf\xe9: x\n", "license='mit'",
        "bad_syntax expected utf8_string 3 10");
    row("a surrogate in UTF-8", "license: mit\nname: \xed\xa0\x80\n", "license='mit'",
        "bad_syntax expected utf8_string 3 7");
    row("half a surrogate pair", "license: mit\nname: \"\\ud83e\"\n", "license='mit'", "bad_syntax expected yaml 3 10");
    row("too deep", "license: mit\na: " + QByteArray(70, '[') + QByteArray(70, ']') + "\n",
        "license='mit' a='" + QByteArray(64, '[') + "'", "nesting_too_deep 64");
}

void TestFrontMatter::problems() {
    QFETCH(QByteArray, yaml);
    QFETCH(QString, keys);
    QFETCH(QString, problem);
    const Read card = read("---\n" + yaml + "---\n");
    QVERIFY(card.card.found);
    QCOMPARE(problemOf(card.card), problem);
    QCOMPARE(keysOf(*card.model), keys);
}

void TestFrontMatter::texts_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("found");
    QTest::newRow("none") << QByteArray("# Title\n") << false;
    QTest::newRow("empty text") << QByteArray() << false;
    QTest::newRow("only the first line") << QByteArray("---") << false;
    QTest::newRow("no end") << QByteArray("---\nlicense: mit\n") << false;
    QTest::newRow("not at the beginning") << QByteArray("\n---\nlicense: mit\n---\n") << false;
    QTest::newRow("empty") << QByteArray("---\n---\n") << true;
    QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBF---\nlicense: mit\n---\n") << true;
    QTest::newRow("spaces after the dashes") << QByteArray("--- \nlicense: mit\n---\t\r\n") << true;
    QTest::newRow("end without a line end") << QByteArray("---\nlicense: mit\n---") << true;
}

void TestFrontMatter::texts() {
    QFETCH(QByteArray, text);
    QFETCH(bool, found);
    const Read card = read(text);
    QCOMPARE(card.card.found, found);
    QCOMPARE(problemOf(card.card), QString());
    const bool hasKey = found && text.contains("license");
    QCOMPARE(keysOf(*card.model), hasKey ? QStringLiteral("license='mit'") : QString());
}

// Inputs that are short but have many values or many paths to them. Each ends with a bounded number of keys.
void TestFrontMatter::hostile_data() {
    QTest::addColumn<QByteArray>("yaml");
    QByteArray lists = "a0: &a0 [x, x]\n";
    QByteArray maps = "a0: &a0 {x: 1, y: 2}\n";
    for (int i = 1; i < 40; ++i) {
        const QByteArray name = QByteArray::number(i);
        const QByteArray before = "*a" + QByteArray::number(i - 1);
        lists += "a" + name + ": &a" + name + " [" + before + ", " + before + "]\n";
        maps += "a" + name + ": &a" + name + " {p: " + before + ", q: " + before + "}\n";
    }
    QTest::newRow("lists of aliases") << lists;
    QTest::newRow("maps of aliases") << maps;
    QByteArray empty = "a0: &a0 {p: {}}\n";
    for (int i = 1; i < 8; ++i) {
        QByteArray members;
        for (int k = 0; k < 500; ++k) {
            members += "k" + QByteArray::number(k) + ": *a" + QByteArray::number(i - 1) + ", ";
        }
        empty += "a" + QByteArray::number(i) + ": &a" + QByteArray::number(i) + " {" + members + "}\n";
    }
    QTest::newRow("wide maps of aliases") << empty;
    QTest::newRow("a list in itself") << QByteArray("a: &a [*a, *a]\n");
    QTest::newRow("a map in itself") << QByteArray("a: &a {b: *a, c: *a}\n");
    QTest::newRow("many values") << "a: [" + QByteArray("1,").repeated(200'000) + "]\n";
    QTest::newRow("many brackets") << "a: " + QByteArray(500'000, '[') + "\n";
    QTest::newRow("many indentations") << [] {
        QByteArray text;
        for (int i = 0; i < 900; ++i) {
            text += QByteArray(i, ' ') + "a:\n";
        }
        return text;
    }();
    QTest::newRow("longer than a card") << "a: " + QByteArray(2U << 20U, 'x') + "\n";
}

void TestFrontMatter::hostile() {
    QFETCH(QByteArray, yaml);
    const Read card = read("---\n" + yaml + "---\n");
    QVERIFY(card.model->metadata.size() <= kMaxCardKeys);
    for (const KeyValue& entry : card.model->metadata) {
        QVERIFY(isValidUtf8(entry.key));
    }
}

GUFO_TEST_APPLESS(TestFrontMatter)
#include "tst_front_matter.moc"
