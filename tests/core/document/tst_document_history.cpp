// Edited models: steps are undone, merged and reverted, and the resulting differences.
#include "document_steps.h"
#include "support/test_unit.h"

using namespace gufo;
using namespace gufo::test;

class TestDocumentHistory : public QObject {
    Q_OBJECT

private slots:
    void takesAStepBackWholly();
    void mergesSteps();
    void undoesAcrossASave();
    void isUnmodifiedWhenSetBackByHand();
    void revertsOneDifference();
    void revertsEverything();
    void keepsOldSnapshots();
};

void TestDocumentHistory::takesAStepBackWholly() {
    Document document(openDocumentSample(documentSample()));
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
    applied(document, {SetKey{"last", ownedNumber(1.0)}});
    QCOMPARE(document.differences().size(), std::size_t{1});
}

void TestDocumentHistory::mergesSteps() {
    Document document(openDocumentSample(documentSample()));
    for (const char* text : {"O", "Ow", "Owl ", "Owl 2"}) {
        QVERIFY(document.apply({SetKey{"general.name", OwnedValue::string(text)}}, "Type", "name"));
    }
    QVERIFY(document.apply({SetKey{"x.f64", ownedNumber(3.5)}}, "Number", "number"));
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

void TestDocumentHistory::undoesAcrossASave() {
    Document document(openDocumentSample(documentSample()));
    applied(document, {SetKey{"general.name", OwnedValue::string("Barn owl")}}, "Name");
    applied(document, {SetElement{{"x.ints"}, 1, ownedNumber(std::int32_t{-7})}, DeleteKey{"x.u8"}}, "Elements");
    applied(document, {RenameTensor{"a", "alpha"}}, "Rename");
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
    document.rebase(openDocumentSample(saved));
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

void TestDocumentHistory::isUnmodifiedWhenSetBackByHand() {
    Document document(openDocumentSample(documentSample()));
    applied(document, {SetKey{"x.f64", ownedNumber(9.0)}});
    applied(document, {SetKey{"x.f64", ownedNumber(2.5)}});
    QVERIFY(!document.isModified());
    applied(document, {DeleteKey{"x.bool"}});
    applied(document, {SetKey{"x.bool", OwnedValue(BoolValue{1}), 6}});
    QVERIFY(!document.isModified());
    applied(document, {RenameKey{"x.i64", "t"}, RenameKey{"t", "x.i64"}});
    QVERIFY(!document.isModified());
    applied(document, {RemoveElements{{"x.words"}, 1, 2}});
    QVERIFY(document.isModified());
    applied(document, {InsertElements{{"x.words"}, 1, ownedWords({"bb", ""})}});
    QVERIFY(!document.isModified());
    // Changes without effect do not make a step.
    QVERIFY(document.canUndo());
    Document other(document.base());
    applied(other, {SetKey{"x.f64", ownedNumber(2.5)}});
    QVERIFY(!other.canUndo());
}

void TestDocumentHistory::revertsOneDifference() {
    Document document(openDocumentSample(documentSample()));
    applied(document, {SetKey{"general.name", OwnedValue::string("New")}, DeleteKey{"x.u8"},
                       RenameKey{"x.f32", "y.f32"}, SetKey{"y.f32", ownedNumber(9.0F)}, MoveKey{"x.words", 0},
                       SetKey{"new", ownedNumber(1.0)}, DeleteTensor{"b"}, RenameTensor{"c", "d"}, MoveTensor{"d", 0}});
    std::size_t rows = document.differences().size();
    QCOMPARE(rows, std::size_t{7});
    while (rows > 0) {
        const Difference row = document.differences()[rows / 2];
        applied(document, document.revert(row));
        QCOMPARE(document.differences().size(), rows - 1);
        --rows;
    }
    compareModels(*document.current(), *document.base());
    QVERIFY(!document.isModified());
}

void TestDocumentHistory::revertsEverything() {
    Document document(openDocumentSample(documentSample()));
    applied(document, {RenameKey{"general.name", "t"}, RenameKey{"x.u8", "general.name"}, RenameKey{"t", "x.u8"},
                       DeleteKey{"x.i64"}, MoveKey{"x.words", 0}, MoveKey{"x.bool", 3},
                       SetKey{"new", ownedNumber(1.0), 2}, MoveTensor{"c", 0}, MoveTensor{"b", 0}, DeleteTensor{"a"},
                       SetTarget{.byteOrder = ByteOrder::Big}, DropTrailingBytes{}});
    QVERIFY(document.isModified());
    applied(document, document.revertAll());
    QVERIFY(!document.isModified());
    compareModels(*document.current(), *document.base());
    document.undo();
    QVERIFY(document.isModified());
}

void TestDocumentHistory::keepsOldSnapshots() {
    std::shared_ptr<const Model> old;
    {
        Document document(openDocumentSample(documentSample()));
        applied(document, {SetKey{"general.name", OwnedValue::string(std::string(100, 'n'))}});
        old = document.current();
        applied(document, {SetKey{"general.name", OwnedValue::string("other")}});
    }
    QCOMPARE(*old->metadata.string("general.name"), std::string_view(std::string(100, 'n')));
    QCOMPARE(*old->metadata.string("general.architecture"), std::string_view("llama"));
}

GUFO_TEST(TestDocumentHistory)
#include "tst_document_history.moc"
