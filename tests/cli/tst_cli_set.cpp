// Tests the verb set of gufo-cli: values by type, several edits in one save, reports, and files that stay unchanged.
#include "cli_runner.h"
#include "document/open_model.h"
#include "model/array_index.h"
#include "model/owned_value.h"
#include "support/gguf_builder.h"
#include "support/process_time.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <unistd.h>

using namespace gufo;
using namespace gufo::test;

namespace {

GgufBuilder sample() {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.key("general.name", "Owl");
    file.key("general.file_type", std::uint32_t{0});
    file.key("llama.block_count", std::uint32_t{2});
    file.key("llama.rope.freq_base", 10'000.0F);
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b", "c"});
    file.key("tokenizer.ggml.token_type", std::vector<std::int32_t>{1, 1, 1});
    file.key("tokenizer.chat_template", "old");
    file.key("x.u64", std::uint64_t{5});
    file.tensor("blk.0.attn_q.weight", 0, {32, 4}, std::vector<std::byte>(512, std::byte{1}));
    file.tensor("blk.1.attn_q.weight", 0, {32, 4}, std::vector<std::byte>(512, std::byte{2}));
    file.tensor("extra", 0, {8}, std::vector<std::byte>(32, std::byte{3}));
    return file;
}

} // namespace

class TestCliSet : public QObject {
    Q_OBJECT

private slots:
    void init();
    void parsesByType_data();
    void parsesByType();
    void refuses_data();
    void refuses();
    void makesAllEditsInOneSave();
    void tellsOldAndNewValues();
    void dryRunWritesNothing_data();
    void dryRunWritesNothing();
    void dryRunFindsRefusals();
    void readsFiles();
    void importsMetadata();
    void editsTensors();
    void writesAnotherFile();
    void tellsWhenALinkIsSplit();
    void reportsAsJson();
    void saysWhenThereIsNothingToDo();
    void takesAStrategy();
    void remarksWhatIsOdd();
    void provesThatTensorsAreTheSame();
    void interruptLeavesTheFile();
    void undoesByHand();
    void repairs_data();
    void repairs();
    void repairsAreListedFirst();
    void repairsAfterEdits();
    void editsTheVocabulary_data();
    void editsTheVocabulary();
    void repairsTheLayout();
    void repairsNothing();
    void refusesRepairs_data();
    void refusesRepairs();

private:
    [[nodiscard]] QString path(const char* name) const { return m_folder->filePath(QLatin1String(name)); }
    [[nodiscard]] QString file() const { return path("model.gguf"); }
    [[nodiscard]] QByteArray bytes(const char* name = "model.gguf") const {
        QFile in(path(name));
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }
    void write(const char* name, const QByteArray& content) const {
        QFile out(path(name));
        QVERIFY(out.open(QIODevice::WriteOnly) && out.write(content) == content.size());
    }
    [[nodiscard]] std::shared_ptr<const Model> opened(const char* name = "model.gguf") const {
        auto model = openModel(path(name).toStdString());
        return model ? *model : nullptr;
    }
    [[nodiscard]] CliResult set(QStringList arguments) const {
        arguments.prepend(file());
        arguments.prepend(QStringLiteral("set"));
        return runCli(arguments);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestCliSet::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    sample().write(file().toStdString());
}

void TestCliSet::parsesByType_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("expected"); // type and value from get --json
    const auto row = [](const char* name, QStringList arguments, const char* key, const char* expected) {
        QTest::newRow(name) << arguments << QString(key) << QString(expected);
    };
    row("text of a known key", {"general.name=A = B"}, "general.name", R"("type": "str", "value": "A = B")");
    row("empty text", {"general.name="}, "general.name", R"("type": "str", "value": "")");
    row("number as text", {"general.name=5"}, "general.name", R"("type": "str", "value": "5")");
    row("type of the key", {"x.u64=18446744073709551615"}, "x.u64", R"("type": "u64", "value": 18446744073709551615)");
    row("hexadecimal", {"x.u64=0x10"}, "x.u64", R"("type": "u64", "value": 16)");
    row("type of the catalogue", {"llama.context_length=4096"}, "llama.context_length",
        R"("type": "u32", "value": 4096)");
    row("float of the catalogue", {"llama.attention.layer_norm_rms_epsilon=1e-5"},
        "llama.attention.layer_norm_rms_epsilon", R"("type": "f32", "value": 1e-05)");
    row("name of a file type", {"general.file_type=q4_k_m"}, "general.file_type", R"("type": "u32", "value": 15)");
    row("small number", {"new=12"}, "new", R"("type": "i32", "value": 12)");
    row("negative number", {"new=-12"}, "new", R"("type": "i32", "value": -12)");
    row("large number", {"new=3000000000"}, "new", R"("type": "u32", "value": 3000000000)");
    row("larger number", {"new=-3000000000"}, "new", R"("type": "i64", "value": -3000000000)");
    row("largest number", {"new=18446744073709551615"}, "new", R"("type": "u64", "value": 18446744073709551615)");
    row("fraction", {"new=0.5"}, "new", R"("type": "f32", "value": 0.5)");
    row("boolean", {"new=true"}, "new", R"("type": "bool", "value": true)");
    row("text", {"new=1.2.3"}, "new", R"("type": "str", "value": "1.2.3")");
    row("list of texts", {R"(new=["a", "b"])"}, "new",
        R"("type": "arr", "element_type": "str", "length": 2, "value": ["a", "b"])");
    row("list of numbers", {"new=[1, 3000000000]"}, "new",
        R"("type": "arr", "element_type": "u32", "length": 2, "value": [1, 3000000000])");
    row("list of fractions", {"new=[1, 0.5]"}, "new",
        R"("type": "arr", "element_type": "f32", "length": 2, "value": [1.0, 0.5])");
    row("list that is none", {"new=[1, x"}, "new", R"("type": "str", "value": "[1, x")");
    row("type given", {"--type", "u8", "new=200"}, "new", R"("type": "u8", "value": 200)");
    row("type of a list given", {"--type", "arr[u8]", "new=[]"}, "new",
        R"("type": "arr", "element_type": "u8", "length": 0, "value": [])");
    row("another type than the key's", {"--type", "f64", "x.u64=0.1"}, "x.u64", R"("type": "f64", "value": 0.1)");
    row("text given", {"--type", "str", "new=true"}, "new", R"("type": "str", "value": "true")");
    row("element", {"tokenizer.ggml.tokens[1]=bee"}, "tokenizer.ggml.tokens",
        R"("type": "arr", "element_type": "str", "length": 3, "value": ["a", "bee", "c"])");
    row("element with a name", {"tokenizer.ggml.token_type[2]=control"}, "tokenizer.ggml.token_type",
        R"("type": "arr", "element_type": "i32", "length": 3, "value": [1, 1, 3])");
    row("list of the key's type", {"tokenizer.ggml.token_type=[1, 2, 3]"}, "tokenizer.ggml.token_type",
        R"("type": "arr", "element_type": "i32", "length": 3, "value": [1, 2, 3])");
}

void TestCliSet::parsesByType() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, key);
    QFETCH(QString, expected);
    const CliResult result = set(arguments);
    QVERIFY2(result.code == 0, result.err);
    const CliResult got = runCli({"get", file(), key, "--json"});
    QVERIFY2(got.out.contains(expected.toUtf8()), got.out);
}

void TestCliSet::refuses_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, QStringList arguments, const char* words) {
        QTest::newRow(name) << arguments << QString(words);
    };
    row("nothing", {}, "nothing to do");
    row("no value", {"general.name"}, "should be NAME=VALUE");
    row("no name", {"=5"}, "should be NAME=VALUE");
    row("out of range", {"llama.block_count=-1"}, "llama.block_count");
    row("no number", {"llama.block_count=many"}, "llama.block_count");
    row("no list", {"tokenizer.ggml.tokens=a"}, "tokenizer.ggml.tokens");
    row("wrong element", {"tokenizer.ggml.token_type=[1, \"x\"]"}, "a value of type i32 is expected");
    row("element outside", {"tokenizer.ggml.tokens[3]=x"}, "no element 3");
    // A name in brackets is an element and never becomes a key.
    row("element before the first", {"tokenizer.ggml.tokens[-1]=x"}, "\"-1\" is not a position");
    row("element without a number", {"tokenizer.ggml.tokens[]=x"}, "is not a position");
    row("element of a text", {"general.name[0]=x"}, "no array general.name");
    row("element of nothing", {"new.list[0]=x"}, "no array new.list");
    row("element from a file", {"--file", "general.name[0]=/etc/passwd"}, "no array general.name");
    row("unknown type", {"--type", "u7", "a=1"}, "is not a type");
    row("no such key", {"--delete", "nothing"}, "no key nothing");
    row("one of two", {"general.name=New", "--delete", "nothing"}, "no key nothing");
    row("key is there", {"--rename", "general.name=x.u64"}, "a key of this name already exists");
    row("alignment", {"general.alignment=24"}, "power of two");
    row("no such file", {"--file", "general.name=/no/such/file"}, "/no/such/file");
    row("no such tensor", {"--delete-tensor", "nothing"}, "no tensor nothing");
    row("bad expression", {"--rename-tensor", "(=x"}, "regular expression");
    row("names collide", {"--rename-tensor", "^blk\\..*=same"}, "a tensor of this name already exists");
    row("no vocabulary edit", {"--vocab", "grow"}, "extend:TOKEN, trim or trim:IDS");
    row("a token that exists", {"--vocab", "extend:b"}, "already has b, with the id 1");
    row("a token without a text", {"--vocab", "extend:"}, "a token needs a text");
    row("a copy of nothing", {"--vocab", "extend:n=normal,3"}, "3 tokens");
    row("a copy without an id", {"--vocab", "extend:n=normal,x"}, "x is not the id of a token");
    row("no such id", {"--vocab", "trim:1-3"}, "ids go from 0 to 2");
    row("no range", {"--vocab", "trim:2-1"}, "neither the id of a token nor a range");
    row("nothing is unused", {"--vocab", "trim"}, "no token is unused");
    row("unknown strategy", {"--strategy", "magic", "general.name=x"}, "--strategy takes");
    row("patch of another file", {"--strategy", "patch", "general.name=x", "-o", "/tmp/never-written.gguf"},
        "it cannot be saved by patch: it is saved as another file");
}

void TestCliSet::refuses() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, words);
    const QByteArray before = bytes();
    const CliResult result = set(arguments);
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains(words.toUtf8()), result.err);
    QCOMPARE(result.err.count('\n'), 1);
    QCOMPARE(bytes(), before);
}

void TestCliSet::makesAllEditsInOneSave() {
    const CliResult result = set({"general.name=New", "general.author=Me", "--delete", "x.u64", "--rename",
                                  "llama.rope.freq_base=llama.rope.freq_base_swa", "tokenizer.ggml.tokens[0]=A"});
    QVERIFY2(result.code == 0, result.err);
    QCOMPARE(result.out.count('\n'), 6); // five changes and the save
    const auto model = opened();
    QVERIFY(model);
    QCOMPARE(model->metadata.string("general.name"), std::optional<std::string_view>("New"));
    QCOMPARE(model->metadata.string("general.author"), std::optional<std::string_view>("Me"));
    QVERIFY(model->metadata.find("x.u64") == nullptr);
    QVERIFY(model->metadata.find("llama.rope.freq_base") == nullptr);
    QCOMPARE(model->metadata.number("llama.rope.freq_base_swa"), std::optional(10'000.0));
    QVERIFY(model->findings.empty());
}

void TestCliSet::tellsOldAndNewValues() {
    const CliResult result =
        set({"general.name=Barn owl", "new.key=12", "--delete", "x.u64", "--rename", "llama.block_count=llama.count",
             "tokenizer.ggml.tokens[1]=bee", "tokenizer.ggml.token_type=[3, 1, 2]", "--delete-tensor", "extra"});
    QVERIFY2(result.code == 0, result.err);
    for (const char* line : {"general.name: Owl → Barn owl\n", "new.key: added, 12\n", "x.u64: deleted, 5\n",
                             "llama.block_count → llama.count: renamed\n", "tokenizer.ggml.tokens: [1] b → bee\n",
                             "tokenizer.ggml.token_type: 2 of 3 elements differ, first at 0\n", "extra: deleted\n"}) {
        QVERIFY2(result.out.contains(line), (QByteArray(line) + " is missing in\n" + result.out).constData());
    }
    const QJsonObject json = set({"general.name=Snowy owl", "--json"}).json();
    QCOMPARE(json["dry_run"], QJsonValue(false));
    const QJsonArray changes = json["changes"].toArray();
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes[0]["name"].toString(), "general.name");
    QCOMPARE(changes[0]["before"]["value"].toString(), "Barn owl");
    QCOMPARE(changes[0]["after"]["value"].toString(), "Snowy owl");
    QVERIFY(changes[0]["changed"].toBool() && !changes[0]["added"].toBool());
}

void TestCliSet::dryRunWritesNothing_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("strategy");
    QTest::newRow("patch") << QStringList{"general.name=Kiwi"} << "patch";
    QTest::newRow("copy") << QStringList{"general.name=Kiwi", "--strategy", "copy"} << "copy";
    QTest::newRow("unchanged") << QStringList{"general.name=Owl"} << "unchanged";
    QTest::newRow("new file") << QStringList{"general.name=Kiwi", "-o", "NEW"} << "copy";
}

void TestCliSet::dryRunWritesNothing() {
    QFETCH(QStringList, arguments);
    QFETCH(const QString, strategy);
    std::ranges::replace(arguments, QStringLiteral("NEW"), path("new.gguf"));
    const QByteArray before = bytes();
    const CliResult result = set(arguments + QStringList{"--dry-run"});
    QVERIFY2(result.code == 0, result.err);
    QVERIFY2(result.out.contains("Nothing was written"), result.out);
    QCOMPARE(result.out.contains("Owl → Kiwi"), strategy != "unchanged");
    const QJsonObject json = set(arguments + QStringList{"--dry-run", "--json"}).json();
    QCOMPARE(json["dry_run"], QJsonValue(true));
    QCOMPARE(json["strategy"].toString(), strategy);
    QCOMPARE(bytes(), before);
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden), QStringList{"model.gguf"});
}

// What the save would refuse is refused.
void TestCliSet::dryRunFindsRefusals() {
    const CliResult result = set({"general.name=" + QString(300, 'n'), "--strategy", "patch", "--dry-run"});
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains("patch"), result.err);
    QCOMPARE(set({"nothing", "--dry-run"}).code, 2);
}

void TestCliSet::readsFiles() {
    const QByteArray text("{% for m in messages %}\n  {{ m }}\r\n\0{% endfor %}", 48);
    write("template.jinja", text);
    write("tokens.json", R"(["x", {"hex": "ff"}, "z"])");
    write("number.txt", "7");
    const CliResult result =
        set({"--file", "tokenizer.chat_template=" + path("template.jinja"), "--json-file",
             "tokenizer.ggml.tokens=" + path("tokens.json"), "--file", "llama.block_count=" + path("number.txt")});
    QVERIFY2(result.code == 0, result.err);
    QCOMPARE(runCli({"get", file(), "tokenizer.chat_template"}).out, text);
    const auto model = opened();
    QCOMPARE(model->metadata.uint("llama.block_count"), std::optional<std::uint64_t>(7));
    QCOMPARE(std::get<std::string_view>(arrayHead(*model->metadata.array("tokenizer.ggml.tokens"), 3)[1]),
             std::string_view("\xFF"));
}

void TestCliSet::importsMetadata() {
    write("keys.json", R"({"metadata": [{"key": "general.name", "type": "str", "value": "From JSON"},
                                        {"key": "n", "type": "i8", "value": -3}]})");
    const CliResult result = set({"--import", path("keys.json"), "general.author=Me"});
    QVERIFY2(result.code == 0, result.err);
    QCOMPARE(opened()->metadata.string("general.name"), std::optional<std::string_view>("From JSON"));
    QCOMPARE(std::get<std::int8_t>(*opened()->metadata.find("n")), std::int8_t{-3});
    write("bad.json", "{\n \"a\": 5}");
    const CliResult bad = set({"--import", path("bad.json")});
    QCOMPARE(bad.code, 2);
    QVERIFY2(bad.err.contains("bad.json") && bad.err.contains("line 2, column 7"), bad.err);
}

void TestCliSet::editsTensors() {
    const CliResult result =
        set({"--rename-tensor", R"(^blk\.(\d+)\.=layer.\1.)", "--delete-tensor", "ext.*", "--verify"});
    QVERIFY2(result.code == 0, result.err);
    const auto model = opened();
    QCOMPARE(model->tensors.size(), std::size_t{2});
    QCOMPARE(model->tensors[0].name, std::string_view("layer.0.attn_q.weight"));
    const auto data = model->bytesOf(model->tensors[1]);
    QVERIFY(data && data->size() == 512 && data->front() == std::byte{2});
    QVERIFY(model->findings.empty());
}

void TestCliSet::writesAnotherFile() {
    const QByteArray before = bytes();
    const CliResult result = set({"general.name=Copy", "-o", path("copy.gguf")});
    QVERIFY2(result.code == 0, result.err);
    QCOMPARE(bytes(), before);
    QCOMPARE(opened("copy.gguf")->metadata.string("general.name"), std::optional<std::string_view>("Copy"));
    QCOMPARE(opened("copy.gguf")->tensors.size(), std::size_t{3});
}

// A copy takes only one of a file's names with it, which is said.
void TestCliSet::tellsWhenALinkIsSplit() {
    const QString other = path("other.gguf");
    QVERIFY(::link(file().toUtf8().constData(), other.toUtf8().constData()) == 0);
    QCOMPARE(set({"general.name=Own", "--json"}).code, 2); // not without --in-place
    const CliResult patched = set({"general.name=Own", "--in-place"});
    QVERIFY2(patched.code == 0 && patched.err.isEmpty(), patched.err);
    QCOMPARE(bytes("other.gguf"), bytes());
    const CliResult copied = set({"general.name=Bubo", "--in-place", "--strategy", "copy"});
    QCOMPARE(copied.code, 0);
    QVERIFY2(copied.err.contains("keeps the old content"), copied.err);
    QVERIFY(bytes("other.gguf") != bytes());
    QVERIFY(QFile::remove(other));
    QVERIFY(::link(file().toUtf8().constData(), other.toUtf8().constData()) == 0);
    const QJsonObject report = set({"general.name=Strix", "--in-place", "--strategy", "copy", "--json"}).json();
    QCOMPARE(report["files"][0]["links_left"].toInt(), 1);
}

void TestCliSet::reportsAsJson() {
    const QJsonObject report = set({"general.name=Own", "--json"}).json();
    QCOMPARE(report["strategy"].toString(), QStringLiteral("patch"));
    QVERIFY(report["bytes_written"].toInt() > 0);
    QVERIFY(report["milliseconds"].isDouble());
    QVERIFY(report["hash_before"].isNull());
    const QJsonObject written = report["files"].toArray()[0].toObject();
    QCOMPARE(written["path"].toString(), QFileInfo(file()).canonicalFilePath());
    QCOMPARE(written["reason"].toString(), QStringLiteral("same_size"));
    QCOMPARE(written["bytes_before"].toInt(), written["bytes_after"].toInt());
    QVERIFY(report["remarks"].toArray().isEmpty());
}

void TestCliSet::saysWhenThereIsNothingToDo() {
    const QByteArray before = bytes();
    const CliResult result = set({"general.name=Owl"});
    QCOMPARE(result.code, 0);
    QVERIFY2(result.out.contains("Nothing to save"), result.out);
    QCOMPARE(set({"general.name=Owl", "--json"}).json()["strategy"].toString(), QStringLiteral("unchanged"));
    QCOMPARE(bytes(), before);
}

void TestCliSet::takesAStrategy() {
    const QJsonObject report = set({"general.name=Own", "--strategy", "copy", "--json"}).json();
    QCOMPARE(report["strategy"].toString(), QStringLiteral("copy"));
    const QByteArray before = bytes();
    // The value grows, which a patch cannot do.
    const CliResult refused = set({"general.name=" + QString(1000, 'x'), "--strategy", "patch", "--no-reserve"});
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.err.contains("patch"), refused.err);
    QCOMPARE(bytes(), before);
}

void TestCliSet::remarksWhatIsOdd() {
    const CliResult result = set({"--delete", "llama.block_count"});
    QCOMPARE(result.code, 0);
    QVERIFY2(result.err.contains("llama.block_count"), result.err);
    const QJsonObject report = set({R"(tokenizer.ggml.tokens=["a"])", "--json"}).json();
    QCOMPARE(report["remarks"].toArray()[0].toObject()["code"].toString(), QStringLiteral("token_array_length"));
}

void TestCliSet::provesThatTensorsAreTheSame() {
    const QJsonObject report = set({"general.name=" + QString(5000, 'x'), "--verify", "--json"}).json();
    QCOMPARE(report["hash_before"].toString().size(), 64);
    QCOMPARE(report["hash_before"], report["hash_after"]);
}

// Interrupts while the tensors of a model-sized file are being hashed.
void TestCliSet::interruptLeavesTheFile() {
    constexpr qint64 kLarge = qint64{24} << 30;
    GgufBuilder big = sample();
    big.tensor("big", 0, {static_cast<std::uint64_t>(kLarge) / 4}, std::vector<std::byte>());
    big.write(file().toStdString());
    const qint64 small = QFileInfo(file()).size();
    QVERIFY(QFile::resize(file(), small + kLarge));
    const auto start = [&] {
        QFile in(file());
        return in.open(QIODevice::ReadOnly) ? in.read(small) : QByteArray();
    };
    const QByteArray before = start();
    QProcess process;
    process.start(QStringLiteral(GUFO_CLI), {"set", file(), "general.name=Bubo", "--verify"});
    QVERIFY(process.waitForStarted());
    QVERIFY(waitUntilAtWorkOn(file(), process.processId()));
    QCOMPARE(process.state(), QProcess::Running);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    const CliResult result = finish(process);
    QCOMPARE(result.code, 128 + SIGINT);
    QCOMPARE(result.err.count('\n'), 1);
    QCOMPARE(start(), before);
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden), QStringList{"model.gguf"});
}

void TestCliSet::undoesByHand() {
    const QByteArray before = bytes();
    QCOMPARE(set({"general.name=Another name, much longer than the first", "extra.key=5"}).code, 0);
    QVERIFY(bytes() != before);
    QCOMPARE(set({"general.name=Owl", "--delete", "extra.key", "--no-reserve"}).code, 0);
    QCOMPARE(bytes(), before);
}

namespace {

// Three findings that can be repaired, one of them with a loss, and one that cannot.
QByteArray damaged(const QString& path) {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.key("llama.block_count", std::uint64_t{0});
    file.key("llama.context_length", std::int32_t{128});
    file.key("llama.embedding_length", std::uint16_t{32});
    file.key("llama.attention.clip_kqv", 8.0F);
    file.tensor("token_embd.weight", 0, {32, 4}, std::vector<std::byte>(512, std::byte{1}));
    file.write(path.toStdString());
    QFile out(path);
    if (!out.open(QIODevice::Append) || out.write(QByteArray(40, 'x')) != 40) {
        return {};
    }
    out.close();
    QFile in(path);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

} // namespace

void TestCliSet::repairs_data() {
    QTest::addColumn<QStringList>("codes");
    QTest::addColumn<QStringList>("repaired");
    QTest::newRow("all") << QStringList{}
                         << QStringList{"wrong_value_type", "wrong_value_type", "wrong_value_type", "trailing_bytes",
                                        "key_alias"};
    QTest::newRow("one code") << QStringList{"trailing_bytes"} << QStringList{"trailing_bytes"};
    QTest::newRow("every finding of a code")
        << QStringList{"wrong_value_type"} << QStringList{"wrong_value_type", "wrong_value_type", "wrong_value_type"};
    QTest::newRow("two codes") << QStringList{"key_alias", "trailing_bytes"}
                               << QStringList{"trailing_bytes", "key_alias"};
    QTest::newRow("a code without a finding") << QStringList{"empty_key"} << QStringList{};
}

void TestCliSet::repairs() {
    QFETCH(const QStringList, codes);
    QFETCH(const QStringList, repaired);
    const QByteArray before = damaged(file());
    QVERIFY(!before.isEmpty());
    const CliResult dry = set(QStringList{"--repair", "--json", "--dry-run"} + codes);
    QVERIFY2(dry.code == 0, dry.err.constData());
    QCOMPARE(bytes(), before);
    const CliResult done = set(QStringList{"--repair", "--json"} + codes);
    QVERIFY2(done.code == 0, done.err.constData());
    for (const QJsonObject& json : {dry.json(), done.json()}) {
        QStringList found;
        for (const QJsonValue& finding : json["repaired"].toArray()) {
            found << finding.toObject()["code"].toString();
        }
        QCOMPARE(found, repaired);
    }
    const QJsonObject left = runCli({"validate", file(), "--json"}).json();
    for (const QJsonValue& finding : left["findings"].toArray()) {
        QVERIFY2(!repaired.contains(finding.toObject()["code"].toString()), done.out.constData());
    }
    // A second time, there is nothing to do.
    const QByteArray after = bytes();
    const CliResult again = set(QStringList{"--repair", "--json"} + codes);
    QCOMPARE(again.code, 0);
    QCOMPARE(again.json()["repaired"].toArray(), QJsonArray());
    QCOMPARE(bytes(), after);
}

void TestCliSet::repairsAreListedFirst() {
    const QByteArray before = damaged(file());
    const CliResult dry = set({"--repair", "--dry-run"});
    QCOMPARE(dry.code, 0);
    QCOMPARE(bytes(), before);
    QCOMPARE(dry.out.count("Repair: "), 5);
    QVERIFY2(dry.err.contains("The bytes are lost"), dry.err.constData());
    QVERIFY(dry.out.contains("Nothing was written"));
    // The console's hints name the command.
    const CliResult found = runCli({"validate", file()});
    QVERIFY2(found.out.contains("gufo-cli set FILE --repair trailing_bytes"), found.out.constData());
    QVERIFY2(found.out.contains("gufo-cli set FILE --repair wrong_value_type"), found.out.constData());
    QVERIFY(!found.out.contains("--repair value_impossible"));
}

void TestCliSet::repairsAfterEdits() {
    QVERIFY(!damaged(file()).isEmpty());
    const CliResult done = set({"--repair", "trailing_bytes", "--json", "general.name=Repaired"});
    QVERIFY2(done.code == 0, done.err.constData());
    const auto model = opened();
    QVERIFY(model != nullptr);
    QVERIFY(model->metadata.string("general.name") == "Repaired");
    QCOMPARE(done.json()["repaired"].toArray().size(), 1);
}

void TestCliSet::editsTheVocabulary_data() {
    QTest::addColumn<QStringList>("edits");
    QTest::addColumn<QStringList>("tokens"); // each with its type
    const QStringList before{"a 1", "b 1", "c 1"};
    QTest::newRow("a marker") << QStringList{"extend:<|xy|>"} << before + QStringList{"<|xy|> 3"};
    QTest::newRow("two") << QStringList{"extend:x", "extend:y"} << before + QStringList{"x 4", "y 4"};
    QTest::newRow("a type") << QStringList{"extend:x=unused"} << before + QStringList{"x 5"};
    QTest::newRow("a copy") << QStringList{"extend:x=NORMAL,2"} << before + QStringList{"x 1"};
    QTest::newRow("no type behind =") << QStringList{"extend:x=y"} << before + QStringList{"x=y 4"};
    QTest::newRow("= in a token with a type") << QStringList{"extend:x=y=control"} << before + QStringList{"x=y 3"};
    QTest::newRow("removed") << QStringList{"trim:0-1"} << QStringList{"c 1"};
    QTest::newRow("both") << QStringList{"trim:1", "extend:x"} << QStringList{"a 1", "c 1", "x 4"};
    QTest::newRow("unused ones") << QStringList{"extend:[PAD7]=unused"} << before + QStringList{"[PAD7] 5"};
}

void TestCliSet::editsTheVocabulary() {
    QFETCH(QStringList, edits);
    QFETCH(QStringList, tokens);
    GgufBuilder source = sample();
    source.tensor("token_embd.weight", 0, {8, 3}, std::vector<std::byte>(96, std::byte{4}));
    source.write(file().toStdString());
    QStringList arguments;
    for (const QString& edit : edits) {
        arguments << "--vocab" << edit;
    }
    const CliResult done = set(arguments);
    QVERIFY2(done.code == 0, done.err);
    const auto model = opened();
    QStringList found;
    for (std::uint64_t id = 0; id < model->metadata.array("tokenizer.ggml.tokens")->length; ++id) {
        const Value text = ArrayIndex::build(*model->metadata.array("tokenizer.ggml.tokens"))->at(id);
        const Value type = ArrayIndex::build(*model->metadata.array("tokenizer.ggml.token_type"))->at(id);
        const auto token = *asString(text);
        found << QStringLiteral("%1 %2").arg(QString::fromUtf8(token.data(), static_cast<qsizetype>(token.size())),
                                             QString::number(*asInt(type)));
    }
    QCOMPARE(found, tokens);
    QCOMPARE(model->tensor(*model->findTensor("token_embd.weight")).shape[1],
             static_cast<std::uint64_t>(tokens.size()));
    // Extending and removing again gives the file that it was.
    if (tokens.size() > 3 && edits.size() == 1) {
        QVERIFY(set({"--vocab", "trim:3", "--no-reserve"}).code == 0);
        QCOMPARE(opened()->metadata.array("tokenizer.ggml.tokens")->length, std::uint64_t{3});
    }
}

// What is only wrong with the layout of a file is repaired by writing it anew.
void TestCliSet::repairsTheLayout() {
    GgufBuilder source;
    source.key("general.architecture", "llama");
    source.tensorRecord("a", kF32, {8}, 0).tensorRecord("b", kF32, {8}, 64);
    source.trailing.resize(96, std::byte{7});
    source.write(file().toStdString());
    const CliResult done = set({"--repair", "tensors_not_packed"});
    QVERIFY2(done.code == 0, done.err);
    QVERIFY2(done.out.contains("Repair: tensor b") && done.out.contains("the file is written anew"), done.out);
    QCOMPARE(opened()->tensors[1].declaredOffset, std::uint64_t{32});
}

void TestCliSet::repairsNothing() {
    const QByteArray before = bytes();
    const CliResult done = set({"--repair", "trailing_bytes"});
    QCOMPARE(done.code, 0);
    QVERIFY2(done.out.contains("nothing to repair"), done.out.constData());
    QCOMPARE(bytes(), before);
    // Not even the padding that saving would add at the end.
    GgufBuilder unpadded;
    unpadded.key("general.architecture", "llama").tensor("a", kF32, {9});
    unpadded.write(file().toStdString());
    {
        const auto model = opened();
        QFile shortened(file());
        QVERIFY(shortened.resize(static_cast<qint64>(model->tensors[0].offset + 36)));
    }
    const QByteArray ofUnpadded = bytes();
    for (const QStringList& options : {QStringList{"--dry-run"}, QStringList(), QStringList{"--json"}}) {
        const CliResult again = set(QStringList{"--repair", "trailing_bytes"} + options);
        QCOMPARE(again.code, 0);
        QVERIFY2(!again.out.contains("patch"), again.out.constData());
        QCOMPARE(bytes(), ofUnpadded);
    }
}

void TestCliSet::refusesRepairs_data() {
    QTest::addColumn<QStringList>("codes");
    QTest::addColumn<QString>("reason");
    QTest::newRow("an unknown code") << QStringList{"no_such_finding"} << "no finding is called no_such_finding";
    QTest::newRow("a finding without a repair") << QStringList{"value_impossible"} << "value_impossible";
    QTest::newRow("one of two") << QStringList{"trailing_bytes", "value_impossible"} << "value_impossible";
}

void TestCliSet::refusesRepairs() {
    QFETCH(const QStringList, codes);
    QFETCH(const QString, reason);
    const QByteArray before = damaged(file());
    const CliResult done = set(QStringList{"--repair"} + codes);
    QCOMPARE(done.code, 2);
    QVERIFY2(done.err.contains(reason.toUtf8()), done.err.constData());
    QVERIFY(done.err.size() < 500);
    QCOMPARE(bytes(), before);
}

GUFO_TEST(TestCliSet)
#include "tst_cli_set.moc"
