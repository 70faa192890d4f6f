// Edited models: every kind of change, and the refused changes.
#include "document_steps.h"
#include "support/test_unit.h"

#include <bit>

using namespace gufo;
using namespace gufo::test;

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
    void refuses_data();
    void refuses();
    void guardsShardKeys();
    void editsDuplicateKeys();
    void changesTheTarget();
};

void TestDocument::startsUnmodified() {
    Document document(openDocumentSample(documentSample()));
    QVERIFY(!document.isModified());
    QVERIFY(!document.canUndo());
    QVERIFY(!document.canRedo());
    QVERIFY(document.undoLabel().empty());
    QVERIFY(document.differences().empty());
    QCOMPARE(document.current(), document.base());
    QVERIFY(document.revertAll().empty());
}

void TestDocument::setsValuesOfEveryType_data() {
    QTest::addColumn<ValueType>("type");
    QTest::addColumn<OwnedValue>("owned");
    const auto row = [](const char* name, ValueType type, const Value& value) {
        QTest::newRow(name) << type << OwnedValue(value);
    };
    const std::array<std::int32_t, 3> ints{1, -2, 3};
    row("u8", ValueType::UInt8, std::uint8_t{255});
    row("i8", ValueType::Int8, std::int8_t{-128});
    row("u16", ValueType::UInt16, std::uint16_t{65535});
    row("i16", ValueType::Int16, std::int16_t{-32768});
    row("u32", ValueType::UInt32, std::uint32_t{0xFFFFFFFF});
    row("i32", ValueType::Int32, std::numeric_limits<std::int32_t>::min());
    row("f32 NaN with payload", ValueType::Float32, std::bit_cast<float>(0x7FA12345U));
    row("bool", ValueType::Bool, BoolValue{2});
    row("str", ValueType::String, std::string_view("zero\0inside", 11));
    row("i32 array", ValueType::Array, ArrayView{ValueType::Int32, 3, std::as_bytes(std::span(ints)), {}});
    row("u64", ValueType::UInt64, std::numeric_limits<std::uint64_t>::max());
    row("i64", ValueType::Int64, std::numeric_limits<std::int64_t>::min());
    row("f64 -0.0", ValueType::Float64, -0.0);
}

void TestDocument::setsValuesOfEveryType() {
    QFETCH(ValueType, type);
    QFETCH(OwnedValue, owned);
    const Value& value = owned.value();
    QCOMPARE(typeOf(value), type);
    Document document(openDocumentSample(documentSample()));
    for (const char* key : {"general.name", "x.words", "new.key"}) {
        applied(document, {SetKey{key, OwnedValue(value)}});
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
    Document document(openDocumentSample(documentSample()));
    const Words before = keysOf(*document.base());
    auto step = applied(document, {SetKey{"new", ownedNumber(std::uint32_t{7}), 1}});
    QVERIFY(step.touched.keyOrder);
    QCOMPARE(Words(step.touched.keys.begin(), step.touched.keys.end()), Words{"new"});
    QCOMPARE(keysOf(*document.current())[1], std::string("new"));
    applied(document, {DeleteKey{"x.u8"}});
    applied(document, {RenameKey{"x.f32", "y.f32"}});
    applied(document, {MoveKey{"x.words", 0}});
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
    Document document(openDocumentSample(documentSample()));
    applied(document, {SetElement{{"x.words"}, 2, OwnedValue::string("third")}});
    QCOMPARE(wordsOf(*document.current(), "x.words"), (Words{"a", "bb", "third", "dddd"}));
    applied(document, {InsertElements{{"x.words"}, 4, ownedWords({"e", "f"})}});
    applied(document, {RemoveElements{{"x.words"}, 0, 2}});
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
    GgufBuilder file = documentSample();
    GgufBytes inner;
    inner.arrayHead(ValueType::UInt16, 2).number(std::uint16_t{1}).number(std::uint16_t{2});
    inner.arrayHead(ValueType::String, 1).string("x");
    GgufBytes nest;
    nest.arrayHead(ValueType::Array, 2).append(inner.bytes);
    file.rawKey("nest", static_cast<std::uint32_t>(ValueType::Array), nest.bytes);
    Document document(openDocumentSample(file));
    applied(document, {SetElement{{"nest", {0}}, 1, ownedNumber(std::uint16_t{99})},
                       InsertElements{{"nest", {1}}, 0, ownedWords({"longer than it was"})}});
    const ArrayView* outer = document.current()->metadata.array("nest");
    const auto lists = arrayHead(*outer, 2);
    QCOMPARE(std::get<std::uint16_t>(arrayHead(*asArray(lists[0]), 2)[1]), std::uint16_t{99});
    QCOMPARE(std::get<std::string_view>(arrayHead(*asArray(lists[1]), 2)[0]), std::string_view("longer than it was"));
    QCOMPARE(std::get<std::string_view>(arrayHead(*asArray(lists[1]), 2)[1]), std::string_view("x"));
    // Removes a whole nested array.
    applied(document, {RemoveElements{{"nest"}, 0, 1}});
    QCOMPARE(document.current()->metadata.array("nest")->length, std::uint64_t{1});
    document.undo();
    document.undo();
    QVERIFY(!document.isModified());
    compareModels(*document.current(), *document.base());
}

void TestDocument::keepsTheTypeOfEmptyArrays() {
    Document document(openDocumentSample(documentSample()));
    applied(document, {RemoveElements{{"x.ints"}, 0, 5}, RemoveElements{{"x.words"}, 0, 4}});
    QCOMPARE(document.current()->metadata.array("x.ints")->length, std::uint64_t{0});
    QVERIFY(document.current()->metadata.array("x.ints")->elementType == ValueType::Int32);
    QVERIFY(document.current()->metadata.array("x.words")->elementType == ValueType::String);
    applied(document, {InsertElements{{"x.words"}, 0, ownedWords({"again"})}});
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
    Document document(openDocumentSample(file));
    std::vector<Change> changes;
    for (std::size_t i = 0; i < kCount; i += 3) {
        tokens[i] = std::string(i % 40, 'x');
        changes.emplace_back(SetElement{{"t"}, i, OwnedValue::string(tokens[i])});
    }
    for (std::size_t i = 0; i < 3000; ++i) {
        const std::size_t at = (i * 7919) % tokens.size();
        tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(at), "new");
        changes.emplace_back(InsertElements{{"t"}, at, ownedWords({"new"})});
    }
    for (std::size_t i = 0; i < 500; ++i) {
        const std::size_t at = (i * 104'729) % (tokens.size() - 30);
        tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(at),
                     tokens.begin() + static_cast<std::ptrdiff_t>(at + 30));
        changes.emplace_back(RemoveElements{{"t"}, at, 30});
    }
    applied(document, std::move(changes));
    QCOMPARE(wordsOf(*document.current(), "t"), tokens);
    document.undo();
    QVERIFY(!document.isModified());
    document.redo();
    QCOMPARE(wordsOf(*document.current(), "t"), tokens);
}

void TestDocument::editsTensors() {
    Document document(openDocumentSample(documentSample()));
    applied(document, {RenameTensor{"a", "alpha"}});
    applied(document, {MoveTensor{"c", 0}});
    auto step = applied(document, {DeleteTensor{"b"}});
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
    const auto other = openDocumentSample(donor);
    Document document(openDocumentSample(documentSample()));
    applied(document, {ImportTensor{.from = other, .name = "w", .newName = "d", .position = 1}});
    applied(document, {ImportTensor{.from = other, .name = "w", .newName = "c", .replace = true}});
    const auto now = document.current();
    QCOMPARE(tensorsOf(*now), (Words{"a", "d", "b", "c"}));
    QCOMPARE(now->importedFiles, std::size_t{1});
    QCOMPARE(now->shardCount(), std::size_t{1});
    QVERIFY(now->isImported(now->tensors[1]) && now->isImported(now->tensors[3]));
    QVERIFY(!now->isImported(now->tensors[0]));
    QCOMPARE(now->sourceOf(now->tensors[1]), other->files[0].source.get());
    QVERIFY(document.differenceOfTensor("d")->added);
    QVERIFY(document.differenceOfTensor("c")->changed);
    applied(document, document.revert(*document.differenceOfTensor("c")));
    QVERIFY(document.differenceOfTensor("c") == nullptr);
    applied(document, document.revertAll());
    QVERIFY(!document.isModified());
    QCOMPARE(document.current()->importedFiles, std::size_t{0});
    document.undo();
    QCOMPARE(tensorsOf(*document.current()), (Words{"a", "d", "b", "c"}));
}

void TestDocument::refuses_data() {
    QTest::addColumn<Change>("change");
    QTest::addColumn<ErrorCode>("code");
    const auto row = [](const char* name, const Change& change, ErrorCode code) {
        QTest::newRow(name) << change << code;
    };
    const std::vector<std::byte> short3(3);
    row("empty key", SetKey{"", ownedNumber(1.0)}, ErrorCode::InvalidArgument);
    row("key too long", SetKey{std::string(65'536, 'k'), ownedNumber(1.0)}, ErrorCode::InvalidArgument);
    row("no such key", DeleteKey{"nothing"}, ErrorCode::NoSuchKey);
    row("rename onto another", RenameKey{"x.u8", "x.bool"}, ErrorCode::InvalidArgument);
    row("element of another type", SetElement{{"x.ints"}, 0, ownedNumber(1.0F)}, ErrorCode::WrongValueType);
    row("element past the end", SetElement{{"x.ints"}, 5, ownedNumber(std::int32_t{1})}, ErrorCode::NoSuchElement);
    row("element of no array", SetElement{{"x.u8"}, 0, ownedNumber(std::uint8_t{1})}, ErrorCode::WrongValueType);
    row("alignment no u32", SetKey{"general.alignment", ownedNumber(std::uint64_t{64})}, ErrorCode::WrongValueType);
    row("alignment 24", SetKey{"general.alignment", ownedNumber(std::uint32_t{24})}, ErrorCode::InvalidArgument);
    row("alignment 4", SetKey{"general.alignment", ownedNumber(std::uint32_t{4})}, ErrorCode::InvalidArgument);
    row("damaged array", SetKey{"x", OwnedValue::array(ValueType::String, 1, short3)}, ErrorCode::InvalidArgument);
    row("no such tensor", DeleteTensor{"nothing"}, ErrorCode::NoSuchTensor);
    row("tensor name too long", RenameTensor{"a", std::string(64, 'n')}, ErrorCode::InvalidArgument);
    row("tensor name taken", RenameTensor{"a", "b"}, ErrorCode::InvalidArgument);
    row("tensor name not UTF-8", RenameTensor{"a", "\xFF"}, ErrorCode::InvalidArgument);
    row("becomes a part", SetKey{"split.count", ownedNumber(std::uint16_t{2})}, ErrorCode::InvalidArgument);
    row("version 4", SetTarget{.version = 4}, ErrorCode::UnsupportedVersion);
    row("big-endian version 2", SetTarget{.version = 2, .byteOrder = ByteOrder::Big}, ErrorCode::NotSupported);
    row("64 bits in version 1", SetTarget{.version = 1}, ErrorCode::InvalidArgument);
    row("remove past the end", RemoveElements{{"x.ints"}, 4, 2}, ErrorCode::NoSuchElement);
    row("second of one key", SetKey{.key = "x.u8", .value = ownedNumber(1.0), .occurrence = 1}, ErrorCode::NoSuchKey);
}

void TestDocument::refuses() {
    QFETCH(Change, change);
    QFETCH(ErrorCode, code);
    Document document(openDocumentSample(documentSample()));
    QCOMPARE(refusedStep(document, {change}), code);
}

void TestDocument::guardsShardKeys() {
    GgufBuilder file = documentSample();
    file.key("split.no", std::uint16_t{0});
    file.key("split.count", std::uint16_t{2});
    Document part(openDocumentSample(file));
    QCOMPARE(refusedStep(part, {DeleteKey{"split.no"}}), ErrorCode::InvalidArgument);
    QCOMPARE(refusedStep(part, {SetKey{"split.count", ownedNumber(std::uint16_t{3})}}), ErrorCode::InvalidArgument);
    QCOMPARE(refusedStep(part, {RenameKey{"split.count", "x"}}), ErrorCode::InvalidArgument);
    GgufBuilder merged = documentSample();
    merged.key("split.count", std::uint16_t{0});
    Document whole(openDocumentSample(merged));
    applied(whole, {DeleteKey{"split.count"}});
    // A file becomes a part only with a number among the others.
    Document first(openDocumentSample(documentSample()));
    const SetKey count{"split.count", ownedNumber(std::uint16_t{2})};
    QCOMPARE(refusedStep(first, {count}), ErrorCode::InvalidArgument);
    applied(first, {SetKey{"split.no", ownedNumber(std::uint16_t{0})},
                    SetKey{"split.tensors.count", ownedNumber(std::int32_t{3})}, count});
}

void TestDocument::editsDuplicateKeys() {
    GgufBuilder file = documentSample();
    file.key("x.u8", std::uint8_t{201});
    file.key("x.u8", std::uint8_t{202});
    Document document(openDocumentSample(file));
    const auto findings = document.base()->findings;
    QVERIFY(!findings.empty());
    applied(document, {DeleteKey{"x.u8", 1}});
    QCOMPARE(document.differences().size(), std::size_t{1});
    applied(document, {SetKey{.key = "x.u8", .value = ownedNumber(std::uint8_t{7}), .occurrence = 1}});
    applied(document, {RenameKey{"x.u8", "y", 1}});
    QVERIFY(document.current()->findings.empty());
    applied(document, {MoveKey{"x.u8", 0}});
    const auto now = document.current();
    applied(document, document.revertAll());
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
    Document document(openDocumentSample(documentSample()));
    const auto step = applied(document, {SetTarget{.version = 2}});
    QVERIFY(step.touched.target);
    QCOMPARE(document.target().version, std::uint32_t{2});
    QVERIFY(document.isModified());
    QCOMPARE(document.differences().size(), std::size_t{1});
    applied(document, document.revert(document.differences()[0]));
    QVERIFY(!document.isModified());
    applied(document, {SetTarget{.byteOrder = ByteOrder::Big}});
    QVERIFY(document.target().byteOrder == ByteOrder::Big);
    applied(document, {DropTrailingBytes{}});
    QVERIFY(document.target().dropTrailingBytes);
    document.undo();
    document.undo();
    QVERIFY(document.isModified() == false);
}

GUFO_TEST(TestDocument)
#include "tst_document.moc"
