// Edited models: every kind of change, its inverse, and the resulting differences.
#include "document/document.h"
#include "formats/gguf/read/reader.h"
#include "model/array_index.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"

#include <QTest>

#include <bit>
#include <limits>

using namespace gufo;
using namespace gufo::test;

namespace {

GgufBuilder sample() {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.key("general.name", "Owl");
    file.key("x.u8", std::uint8_t{200});
    file.key("x.i64", std::numeric_limits<std::int64_t>::min());
    file.key("x.f32", 1.5F);
    file.key("x.f64", 2.5);
    file.key("x.bool", true);
    file.key("x.ints", std::vector<std::int32_t>{1, 2, 3, 4, 5});
    file.key("x.words", std::vector<std::string>{"a", "bb", "", "dddd"});
    file.tensor("a", 0, {4});
    file.tensor("b", 0, {8});
    file.tensor("c", 0, {12});
    return file;
}

std::shared_ptr<const Model> open(const GgufBuilder& file) {
    auto model = gguf::read(file.source());
    if (!model) {
        qFatal("the sample does not open");
    }
    return *model;
}

std::vector<std::string> keysOf(const Model& model) {
    std::vector<std::string> keys;
    for (const KeyValue& entry : model.metadata) {
        keys.emplace_back(entry.key);
    }
    return keys;
}

std::vector<std::string> tensorsOf(const Model& model) {
    std::vector<std::string> names;
    for (const TensorInfo& tensor : model.tensors) {
        names.emplace_back(tensor.name);
    }
    return names;
}

std::vector<std::string> wordsOf(const Model& model, std::string_view key) {
    std::vector<std::string> words;
    const ArrayView* array = model.metadata.array(key);
    for (const Value& word : arrayHead(*array, array->length)) {
        words.emplace_back(std::get<std::string_view>(word));
    }
    return words;
}

using Words = std::vector<std::string>;

template<typename T>
OwnedValue number(T value) {
    return OwnedValue(Value(value));
}

OwnedValue words(const Words& texts) { return OwnedValue::strings(texts); }

// Applies a step that must succeed.
AppliedStep done(Document& document, std::vector<Change> changes, std::string label = "step") {
    auto step = document.apply(std::move(changes), std::move(label));
    if (!step) {
        qFatal("refused: %s %s", std::string(errorName(step.error().code)).c_str(),
               step.error().args.empty() ? "" : step.error().args[0].text().c_str());
    }
    return *std::move(step);
}

ErrorCode refusal(Document& document, std::vector<Change> changes) {
    const auto before = document.current();
    const auto step = document.apply(std::move(changes), "step");
    if (step) {
        qFatal("a change that should be refused was made");
    }
    if (document.current() != before || document.isModified()) {
        qFatal("a refused step changed something");
    }
    return step.error().code;
}

void compareModels(const Model& a, const Model& b) {
    QCOMPARE(keysOf(a), keysOf(b));
    QCOMPARE(tensorsOf(a), tensorsOf(b));
    for (std::size_t i = 0; i < a.metadata.size(); ++i) {
        QVERIFY(OwnedValue::sameValue(a.metadata[KvIndex(i)].value, b.metadata[KvIndex(i)].value));
    }
}

} // namespace

class TestDocument : public QObject {
    Q_OBJECT

private slots:
    void startsUnmodified();
    void setsValuesOfEveryType_data();
    void setsValuesOfEveryType();
    void addsDeletesRenamesAndMovesKeys();
    void editsElements();
    void editsNestedArrays();
    void keepsTheTypeOfEmptyArrays();
    void editsManyElementsInOneStep();
    void editsTensors();
    void importsATensor();
    void takesAStepBackWholly();
    void mergesSteps();
    void undoesAcrossASave();
    void isUnmodifiedWhenSetBackByHand();
    void revertsOneDifference();
    void revertsEverything();
    void keepsOldSnapshots();
    void refuses_data();
    void refuses();
    void guardsShardKeys();
    void editsDuplicateKeys();
    void changesTheTarget();
};

void TestDocument::startsUnmodified() {
    Document document(open(sample()));
    QVERIFY(!document.isModified());
    QVERIFY(!document.canUndo());
    QVERIFY(!document.canRedo());
    QVERIFY(document.undoLabel().empty());
    QVERIFY(document.differences().empty());
    QCOMPARE(document.current(), document.base());
    QVERIFY(document.revertAll().empty());
}

void TestDocument::setsValuesOfEveryType_data() {
    QTest::addColumn<int>("which");
    const char* names[] = {"u8",   "i8",  "u16",       "i16", "u32", "i32",     "f32 NaN with payload",
                           "bool", "str", "i32 array", "u64", "i64", "f64 -0.0"};
    for (int i = 0; i < 13; ++i) {
        QTest::newRow(names[i]) << i;
    }
}

void TestDocument::setsValuesOfEveryType() {
    QFETCH(int, which);
    const std::array<std::int32_t, 3> ints{1, -2, 3};
    const Value values[] = {std::uint8_t{255},
                            std::int8_t{-128},
                            std::uint16_t{65535},
                            std::int16_t{-32768},
                            std::uint32_t{0xFFFFFFFF},
                            std::numeric_limits<std::int32_t>::min(),
                            std::bit_cast<float>(0x7FA12345U),
                            BoolValue{2},
                            std::string_view("zero\0inside", 11),
                            ArrayView{ValueType::Int32, 3, std::as_bytes(std::span(ints)), {}},
                            std::numeric_limits<std::uint64_t>::max(),
                            std::numeric_limits<std::int64_t>::min(),
                            -0.0};
    const Value& value = values[which];
    QCOMPARE(static_cast<int>(typeOf(value)), which);
    Document document(open(sample()));
    for (const char* key : {"general.name", "x.words", "new.key"}) {
        done(document, {SetKey{key, OwnedValue(value)}});
        const Value* now = document.current()->metadata.find(key);
        QVERIFY(now != nullptr && OwnedValue::sameValue(*now, value));
        const Difference* row = document.differenceOfKey(key);
        QVERIFY(row != nullptr);
        QVERIFY(OwnedValue::sameValue(*row->after, value));
        QCOMPARE(row->added, std::string_view(key) == "new.key");
        document.undo();
        QVERIFY(!document.isModified());
        compareModels(*document.current(), *document.base());
        document.redo();
        QVERIFY(OwnedValue::sameValue(*document.current()->metadata.find(key), value));
        document.undo();
    }
}

void TestDocument::addsDeletesRenamesAndMovesKeys() {
    Document document(open(sample()));
    const Words before = keysOf(*document.base());
    auto step = done(document, {SetKey{"new", number(std::uint32_t{7}), 1}});
    QVERIFY(step.touched.keyOrder);
    QCOMPARE(Words(step.touched.keys.begin(), step.touched.keys.end()), Words{"new"});
    QCOMPARE(keysOf(*document.current())[1], std::string("new"));
    done(document, {DeleteKey{"x.u8"}});
    done(document, {RenameKey{"x.f32", "y.f32"}});
    done(document, {MoveKey{"x.words", 0}});
    QCOMPARE(keysOf(*document.current()), (Words{"x.words", "general.architecture", "new", "general.name", "x.i64",
                                                 "y.f32", "x.f64", "x.bool", "x.ints"}));
    QCOMPARE(document.differences().size(), std::size_t{4});
    QVERIFY(document.differenceOfKey("x.words")->moved);
    QVERIFY(document.differenceOfKey("x.u8")->deleted);
    QVERIFY(document.differenceOfKey("y.f32")->renamed);
    QCOMPARE(document.differenceOfKey("y.f32")->oldName, std::string("x.f32"));
    QVERIFY(!document.differenceOfKey("y.f32")->changed);
    QVERIFY(document.differenceOfKey("general.name") == nullptr);
    QVERIFY(document.current()->metadata.find("x.u8") == nullptr);
    for (int i = 0; i < 4; ++i) {
        document.undo();
    }
    QCOMPARE(keysOf(*document.current()), before);
    QVERIFY(!document.canUndo());
    for (int i = 0; i < 4; ++i) {
        document.redo();
    }
    QCOMPARE(document.differences().size(), std::size_t{4});
}

void TestDocument::editsElements() {
    Document document(open(sample()));
    done(document, {SetElement{{"x.words"}, 2, OwnedValue::string("third")}});
    QCOMPARE(wordsOf(*document.current(), "x.words"), (Words{"a", "bb", "third", "dddd"}));
    done(document, {InsertElements{{"x.words"}, 4, words({"e", "f"})}});
    done(document, {RemoveElements{{"x.words"}, 0, 2}});
    QCOMPARE(wordsOf(*document.current(), "x.words"), (Words{"third", "dddd", "e", "f"}));
    const Difference* row = document.differenceOfKey("x.words");
    QVERIFY(row->array.has_value());
    QCOMPARE(row->array->firstIndex, std::uint64_t{0});
    QCOMPARE(row->array->changed, std::uint64_t{4});
    QCOMPARE(row->array->inserted, std::uint64_t{0});
    document.undo();
    QCOMPARE(wordsOf(*document.current(), "x.words"), (Words{"a", "bb", "third", "dddd", "e", "f"}));
    QCOMPARE(document.differenceOfKey("x.words")->array->inserted, std::uint64_t{2});
    document.undo();
    document.undo();
    QVERIFY(!document.isModified());
}

void TestDocument::editsNestedArrays() {
    GgufBuilder file = sample();
    GgufBytes inner;
    inner.arrayHead(ValueType::UInt16, 2).number(std::uint16_t{1}).number(std::uint16_t{2});
    inner.arrayHead(ValueType::String, 1).string("x");
    GgufBytes nest;
    nest.arrayHead(ValueType::Array, 2).append(inner.bytes);
    file.rawKey("nest", static_cast<std::uint32_t>(ValueType::Array), nest.bytes);
    Document document(open(file));
    done(document, {SetElement{{"nest", {0}}, 1, number(std::uint16_t{99})},
                    InsertElements{{"nest", {1}}, 0, words({"longer than it was"})}});
    const ArrayView* outer = document.current()->metadata.array("nest");
    const auto lists = arrayHead(*outer, 2);
    QCOMPARE(std::get<std::uint16_t>(arrayHead(*asArray(lists[0]), 2)[1]), std::uint16_t{99});
    QCOMPARE(std::get<std::string_view>(arrayHead(*asArray(lists[1]), 2)[0]), std::string_view("longer than it was"));
    QCOMPARE(std::get<std::string_view>(arrayHead(*asArray(lists[1]), 2)[1]), std::string_view("x"));
    // Removes a whole nested array.
    done(document, {RemoveElements{{"nest"}, 0, 1}});
    QCOMPARE(document.current()->metadata.array("nest")->length, std::uint64_t{1});
    document.undo();
    document.undo();
    QVERIFY(!document.isModified());
    compareModels(*document.current(), *document.base());
}

void TestDocument::keepsTheTypeOfEmptyArrays() {
    Document document(open(sample()));
    done(document, {RemoveElements{{"x.ints"}, 0, 5}, RemoveElements{{"x.words"}, 0, 4}});
    QCOMPARE(document.current()->metadata.array("x.ints")->length, std::uint64_t{0});
    QVERIFY(document.current()->metadata.array("x.ints")->elementType == ValueType::Int32);
    QVERIFY(document.current()->metadata.array("x.words")->elementType == ValueType::String);
    done(document, {InsertElements{{"x.words"}, 0, words({"again"})}});
    QCOMPARE(wordsOf(*document.current(), "x.words"), Words{"again"});
    document.undo();
    document.undo();
    QVERIFY(!document.isModified());
}

void TestDocument::editsManyElementsInOneStep() {
    constexpr std::size_t kCount = 20'000;
    Words tokens;
    for (std::size_t i = 0; i < kCount; ++i) {
        tokens.push_back("token " + std::to_string(i));
    }
    GgufBuilder file;
    file.key("t", tokens);
    Document document(open(file));
    std::vector<Change> changes;
    for (std::size_t i = 0; i < kCount; i += 3) {
        tokens[i] = std::string(i % 40, 'x');
        changes.emplace_back(SetElement{{"t"}, i, OwnedValue::string(tokens[i])});
    }
    for (std::size_t i = 0; i < 3000; ++i) {
        const std::size_t at = (i * 7919) % tokens.size();
        tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(at), "new");
        changes.emplace_back(InsertElements{{"t"}, at, words({"new"})});
    }
    for (std::size_t i = 0; i < 500; ++i) {
        const std::size_t at = (i * 104'729) % (tokens.size() - 30);
        tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(at),
                     tokens.begin() + static_cast<std::ptrdiff_t>(at + 30));
        changes.emplace_back(RemoveElements{{"t"}, at, 30});
    }
    done(document, std::move(changes));
    QCOMPARE(wordsOf(*document.current(), "t"), tokens);
    document.undo();
    QVERIFY(!document.isModified());
    document.redo();
    QCOMPARE(wordsOf(*document.current(), "t"), tokens);
}

void TestDocument::editsTensors() {
    Document document(open(sample()));
    done(document, {RenameTensor{"a", "alpha"}});
    done(document, {MoveTensor{"c", 0}});
    auto step = done(document, {DeleteTensor{"b"}});
    QVERIFY(step.touched.tensors);
    QVERIFY(!step.touched.keyOrder);
    QCOMPARE(tensorsOf(*document.current()), (Words{"c", "alpha"}));
    QVERIFY(document.current()->findTensor("alpha").has_value());
    QVERIFY(!document.current()->findTensor("a").has_value());
    QCOMPARE(document.current()->tensor(*document.current()->findTensor("c")).offset,
             document.base()->tensors[2].offset);
    QVERIFY(document.differenceOfTensor("alpha")->renamed);
    QVERIFY(document.differenceOfTensor("b")->deleted);
    QCOMPARE(document.differences().size(), std::size_t{3});
    document.undo();
    document.undo();
    document.undo();
    QVERIFY(!document.isModified());
    QCOMPARE(tensorsOf(*document.current()), (Words{"a", "b", "c"}));
}

void TestDocument::importsATensor() {
    GgufBuilder donor;
    donor.tensor("w", 0, {16});
    const auto other = open(donor);
    Document document(open(sample()));
    done(document, {ImportTensor{.from = other, .name = "w", .newName = "d", .position = 1}});
    done(document, {ImportTensor{.from = other, .name = "w", .newName = "c", .replace = true}});
    const auto now = document.current();
    QCOMPARE(tensorsOf(*now), (Words{"a", "d", "b", "c"}));
    QCOMPARE(now->importedFiles, std::size_t{1});
    QCOMPARE(now->shardCount(), std::size_t{1});
    QVERIFY(now->isImported(now->tensors[1]) && now->isImported(now->tensors[3]));
    QVERIFY(!now->isImported(now->tensors[0]));
    QCOMPARE(now->sourceOf(now->tensors[1]), other->files[0].source.get());
    QVERIFY(document.differenceOfTensor("d")->added);
    QVERIFY(document.differenceOfTensor("c")->changed);
    done(document, document.revert(*document.differenceOfTensor("c")));
    QVERIFY(document.differenceOfTensor("c") == nullptr);
    done(document, document.revertAll());
    QVERIFY(!document.isModified());
    QCOMPARE(document.current()->importedFiles, std::size_t{0});
    document.undo();
    QCOMPARE(tensorsOf(*document.current()), (Words{"a", "d", "b", "c"}));
}

void TestDocument::takesAStepBackWholly() {
    Document document(open(sample()));
    const auto step = document.apply({SetKey{"general.name", OwnedValue::string("x")}, DeleteKey{"x.u8"},
                                      SetElement{{"x.words"}, 0, OwnedValue::string("changed")}, RenameTensor{"a", "z"},
                                      DeleteKey{"not there"}},
                                     "step");
    QVERIFY(!step);
    QCOMPARE(step.error().code, ErrorCode::NoSuchKey);
    QCOMPARE(step.error().place.name, std::string("not there"));
    compareModels(*document.current(), *document.base());
    QVERIFY(!document.canUndo());
    // The state is as before, too.
    done(document, {SetKey{"last", number(1.0)}});
    QCOMPARE(document.differences().size(), std::size_t{1});
}

void TestDocument::mergesSteps() {
    Document document(open(sample()));
    for (const char* text : {"O", "Ow", "Owl ", "Owl 2"}) {
        QVERIFY(document.apply({SetKey{"general.name", OwnedValue::string(text)}}, "Type", "name"));
    }
    QVERIFY(document.apply({SetKey{"x.f64", number(3.5)}}, "Number", "number"));
    QCOMPARE(document.undoLabel(), std::string("Number"));
    document.undo();
    QCOMPARE(document.undoLabel(), std::string("Type"));
    document.undo();
    QVERIFY(!document.isModified());
    QVERIFY(!document.canUndo());
    document.redo();
    QCOMPARE(*document.current()->metadata.string("general.name"), std::string_view("Owl 2"));
    // After undo or redo, typing begins a new step.
    QVERIFY(document.apply({SetKey{"general.name", OwnedValue::string("Owl 23")}}, "Type", "name"));
    document.undo();
    QCOMPARE(*document.current()->metadata.string("general.name"), std::string_view("Owl 2"));
}

void TestDocument::undoesAcrossASave() {
    Document document(open(sample()));
    done(document, {SetKey{"general.name", OwnedValue::string("Barn owl")}}, "Name");
    done(document, {SetElement{{"x.ints"}, 1, number(std::int32_t{-7})}, DeleteKey{"x.u8"}}, "Elements");
    done(document, {RenameTensor{"a", "alpha"}}, "Rename");
    const auto first = document.base();
    GgufBuilder saved;
    saved.key("general.architecture", "llama");
    saved.key("general.name", "Barn owl");
    saved.key("x.i64", std::numeric_limits<std::int64_t>::min());
    saved.key("x.f32", 1.5F);
    saved.key("x.f64", 2.5);
    saved.key("x.bool", true);
    saved.key("x.ints", std::vector<std::int32_t>{1, -7, 3, 4, 5});
    saved.key("x.words", Words{"a", "bb", "", "dddd"});
    saved.tensor("alpha", 0, {4});
    saved.tensor("b", 0, {8});
    saved.tensor("c", 0, {12});
    document.rebase(open(saved));
    QVERIFY(!document.isModified());
    QCOMPARE(document.undoLabel(), std::string("Rename"));
    document.undo();
    QVERIFY(document.isModified());
    document.undo();
    document.undo();
    compareModels(*document.current(), *first);
    document.redo();
    document.redo();
    document.redo();
    QVERIFY(!document.isModified());
}

void TestDocument::isUnmodifiedWhenSetBackByHand() {
    Document document(open(sample()));
    done(document, {SetKey{"x.f64", number(9.0)}});
    done(document, {SetKey{"x.f64", number(2.5)}});
    QVERIFY(!document.isModified());
    done(document, {DeleteKey{"x.bool"}});
    done(document, {SetKey{"x.bool", OwnedValue(BoolValue{1}), 6}});
    QVERIFY(!document.isModified());
    done(document, {RenameKey{"x.i64", "t"}, RenameKey{"t", "x.i64"}});
    QVERIFY(!document.isModified());
    done(document, {RemoveElements{{"x.words"}, 1, 2}});
    QVERIFY(document.isModified());
    done(document, {InsertElements{{"x.words"}, 1, words({"bb", ""})}});
    QVERIFY(!document.isModified());
    // Changes without effect do not make a step.
    QVERIFY(document.canUndo());
    Document other(document.base());
    done(other, {SetKey{"x.f64", number(2.5)}});
    QVERIFY(!other.canUndo());
}

void TestDocument::revertsOneDifference() {
    Document document(open(sample()));
    done(document, {SetKey{"general.name", OwnedValue::string("New")}, DeleteKey{"x.u8"}, RenameKey{"x.f32", "y.f32"},
                    SetKey{"y.f32", number(9.0F)}, MoveKey{"x.words", 0}, SetKey{"new", number(1.0)}, DeleteTensor{"b"},
                    RenameTensor{"c", "d"}, MoveTensor{"d", 0}});
    std::size_t rows = document.differences().size();
    QCOMPARE(rows, std::size_t{7});
    while (rows > 0) {
        const Difference row = document.differences()[rows / 2];
        done(document, document.revert(row));
        QCOMPARE(document.differences().size(), rows - 1);
        --rows;
    }
    compareModels(*document.current(), *document.base());
    QVERIFY(!document.isModified());
}

void TestDocument::revertsEverything() {
    Document document(open(sample()));
    done(document,
         {RenameKey{"general.name", "t"}, RenameKey{"x.u8", "general.name"}, RenameKey{"t", "x.u8"}, DeleteKey{"x.i64"},
          MoveKey{"x.words", 0}, MoveKey{"x.bool", 3}, SetKey{"new", number(1.0), 2}, MoveTensor{"c", 0},
          MoveTensor{"b", 0}, DeleteTensor{"a"}, SetTarget{.byteOrder = ByteOrder::Big}, DropTrailingBytes{}});
    QVERIFY(document.isModified());
    done(document, document.revertAll());
    QVERIFY(!document.isModified());
    compareModels(*document.current(), *document.base());
    document.undo();
    QVERIFY(document.isModified());
}

void TestDocument::keepsOldSnapshots() {
    std::shared_ptr<const Model> old;
    {
        Document document(open(sample()));
        done(document, {SetKey{"general.name", OwnedValue::string(std::string(100, 'n'))}});
        old = document.current();
        done(document, {SetKey{"general.name", OwnedValue::string("other")}});
    }
    QCOMPARE(*old->metadata.string("general.name"), std::string_view(std::string(100, 'n')));
    QCOMPARE(*old->metadata.string("general.architecture"), std::string_view("llama"));
}

void TestDocument::refuses_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("code");
    const char* rows[][2] = {{"empty key", "invalid_argument"},
                             {"key too long", "invalid_argument"},
                             {"no such key", "no_such_key"},
                             {"rename onto another", "invalid_argument"},
                             {"element of another type", "wrong_value_type"},
                             {"element past the end", "no_such_element"},
                             {"element of no array", "wrong_value_type"},
                             {"alignment no u32", "wrong_value_type"},
                             {"alignment 24", "invalid_argument"},
                             {"alignment 4", "invalid_argument"},
                             {"damaged array", "invalid_argument"},
                             {"no such tensor", "no_such_tensor"},
                             {"tensor name too long", "invalid_argument"},
                             {"tensor name taken", "invalid_argument"},
                             {"tensor name not UTF-8", "invalid_argument"},
                             {"becomes a part", "invalid_argument"},
                             {"version 4", "unsupported_version"},
                             {"big-endian version 2", "not_supported"},
                             {"64 bits in version 1", "invalid_argument"},
                             {"remove past the end", "no_such_element"},
                             {"second of one key", "no_such_key"}};
    for (int i = 0; i < static_cast<int>(std::size(rows)); ++i) {
        QTest::newRow(rows[i][0]) << i << QString(rows[i][1]);
    }
}

void TestDocument::refuses() {
    QFETCH(int, which);
    QFETCH(QString, code);
    Document document(open(sample()));
    const std::vector<std::byte> short3(3);
    const std::vector<Change> changes[] = {
        {SetKey{"", number(1.0)}},
        {SetKey{std::string(65'536, 'k'), number(1.0)}},
        {DeleteKey{"nothing"}},
        {RenameKey{"x.u8", "x.bool"}},
        {SetElement{{"x.ints"}, 0, number(1.0F)}},
        {SetElement{{"x.ints"}, 5, number(std::int32_t{1})}},
        {SetElement{{"x.u8"}, 0, number(std::uint8_t{1})}},
        {SetKey{"general.alignment", number(std::uint64_t{64})}},
        {SetKey{"general.alignment", number(std::uint32_t{24})}},
        {SetKey{"general.alignment", number(std::uint32_t{4})}},
        {SetKey{"x", OwnedValue::array(ValueType::String, 1, short3)}},
        {DeleteTensor{"nothing"}},
        {RenameTensor{"a", std::string(64, 'n')}},
        {RenameTensor{"a", "b"}},
        {RenameTensor{"a", "\xFF"}},
        {SetKey{"split.count", number(std::uint16_t{2})}},
        {SetTarget{.version = 4}},
        {SetTarget{.version = 2, .byteOrder = ByteOrder::Big}},
        {SetTarget{.version = 1}},
        {RemoveElements{{"x.ints"}, 4, 2}},
        {SetKey{.key = "x.u8", .value = number(1.0), .occurrence = 1}},
    };
    const auto got = refusal(document, changes[which]);
    QCOMPARE(QString::fromStdString(std::string(errorName(got))), code);
}

void TestDocument::guardsShardKeys() {
    GgufBuilder file = sample();
    file.key("split.no", std::uint16_t{0});
    file.key("split.count", std::uint16_t{2});
    Document part(open(file));
    QCOMPARE(refusal(part, {DeleteKey{"split.no"}}), ErrorCode::InvalidArgument);
    QCOMPARE(refusal(part, {SetKey{"split.count", number(std::uint16_t{3})}}), ErrorCode::InvalidArgument);
    QCOMPARE(refusal(part, {RenameKey{"split.count", "x"}}), ErrorCode::InvalidArgument);
    GgufBuilder merged = sample();
    merged.key("split.count", std::uint16_t{0});
    Document whole(open(merged));
    done(whole, {DeleteKey{"split.count"}});
}

void TestDocument::editsDuplicateKeys() {
    GgufBuilder file = sample();
    file.key("x.u8", std::uint8_t{201});
    file.key("x.u8", std::uint8_t{202});
    Document document(open(file));
    const auto findings = document.base()->findings;
    QVERIFY(!findings.empty());
    done(document, {DeleteKey{"x.u8", 1}});
    QCOMPARE(document.differences().size(), std::size_t{1});
    done(document, {SetKey{.key = "x.u8", .value = number(std::uint8_t{7}), .occurrence = 1}});
    done(document, {RenameKey{"x.u8", "y", 1}});
    QVERIFY(document.current()->findings.empty());
    done(document, {MoveKey{"x.u8", 0}});
    const auto now = document.current();
    done(document, document.revertAll());
    compareModels(*document.current(), *document.base());
    QVERIFY(!document.isModified());
    document.undo();
    compareModels(*document.current(), *now);
    while (document.canUndo()) {
        document.undo();
    }
    compareModels(*document.current(), *document.base());
    QCOMPARE(document.current()->findings, findings);
}

void TestDocument::changesTheTarget() {
    Document document(open(sample()));
    const auto step = done(document, {SetTarget{.version = 2}});
    QVERIFY(step.touched.target);
    QCOMPARE(document.target().version, std::uint32_t{2});
    QVERIFY(document.isModified());
    QCOMPARE(document.differences().size(), std::size_t{1});
    done(document, document.revert(document.differences()[0]));
    QVERIFY(!document.isModified());
    done(document, {SetTarget{.byteOrder = ByteOrder::Big}});
    QVERIFY(document.target().byteOrder == ByteOrder::Big);
    done(document, {DropTrailingBytes{}});
    QVERIFY(document.target().dropTrailingBytes);
    document.undo();
    document.undo();
    QVERIFY(document.isModified() == false);
}

GUFO_TEST(TestDocument)
#include "tst_document.moc"
