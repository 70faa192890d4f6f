#include "support/gguf_builder.h"
#include "support/page_models.h"
#include "support/test_unit.h"
#include "ui/document/model_document.h"

#include <QSignalSpy>
#include <QTest>

using namespace gufo;
using namespace gufo::ui;

class TestModelDocument : public QObject {
    Q_OBJECT

private slots:
    void init();
    void saysWhatWasEdited();
    void marksTurnOnceEachWay();
    void refusesWhatCannotBe();
    void refusesEverythingWhileBlocked();
    void canDoWhatItsContainerAllows();
    void revertsOneDifferenceAlone();
    void keepsChangesOnAnotherBase();
    void manyTensorsAreEditedByAJob();
    void tellsWhyAJobRefused();

private:
    void makeManyTensors();
    std::string name() const { return std::string(m_document->current()->metadata.string("general.name").value()); }
    bool setName(const std::string& text) {
        return m_document->apply({SetKey{"general.name", OwnedValue::string(text)}},
                                 QStringLiteral("Set general.name"));
    }
    std::unique_ptr<ModelDocument> m_document;
};

void TestModelDocument::init() {
    test::GgufBuilder file;
    m_document = std::make_unique<ModelDocument>(test::readModel(test::addSmallLlama(file)));
}

void TestModelDocument::saysWhatWasEdited() {
    QStringList touched;
    connect(m_document.get(), &ModelDocument::edited, this, [&](const TouchedParts& parts) {
        for (const std::string& key : parts.keys) {
            touched << QString::fromStdString(key);
        }
    });
    QVERIFY(setName("Other"));
    QCOMPARE(touched, QStringList{QStringLiteral("general.name")});
    QCOMPARE(name(), std::string("Other"));
    QCOMPARE(m_document->document().undoLabel(), std::string("Set general.name"));
    touched.clear();
    m_document->undo();
    QCOMPARE(touched, QStringList{QStringLiteral("general.name")});
    QCOMPARE(name(), std::string("Small Llama"));
    m_document->undo(); // without steps it does nothing
    m_document->redo();
    QCOMPARE(name(), std::string("Other"));
}

void TestModelDocument::marksTurnOnceEachWay() {
    QSignalSpy marks(m_document.get(), &ModelDocument::modifiedChanged);
    setName("A");
    setName("B");
    QCOMPARE(marks.size(), 1);
    QCOMPARE(marks.takeFirst().first().toBool(), true);
    setName("Small Llama"); // by hand, as it was
    QCOMPARE(marks.size(), 1);
    QCOMPARE(marks.takeFirst().first().toBool(), false);
}

void TestModelDocument::refusesWhatCannotBe() {
    std::optional<Error> refused;
    connect(m_document.get(), &ModelDocument::refused, this, [&](const Error& error) { refused = error; });
    QSignalSpy edits(m_document.get(), &ModelDocument::edited);
    QVERIFY(!m_document->apply({DeleteKey{"no.such.key"}}, QStringLiteral("Delete")));
    QVERIFY(refused.has_value());
    QCOMPARE(refused->code, ErrorCode::NoSuchKey);
    QCOMPARE(edits.size(), 0);
    QVERIFY(!m_document->document().canUndo());
}

void TestModelDocument::canDoWhatItsContainerAllows() {
    QVERIFY(m_document->can(Capability::EditMetadata));
    QVERIFY(m_document->can(Capability::SaveInPlace));
    QCOMPARE(m_document->whyNot(Capability::EditMetadata), QString());
    m_document->setBlocked(QStringLiteral("It is being saved."));
    QVERIFY(!m_document->can(Capability::EditMetadata));
    QCOMPARE(m_document->whyNot(Capability::SaveAs), QStringLiteral("It is being saved."));

    auto readOnly = std::make_shared<Model>(*m_document->document().base());
    readOnly->container = "onnx"; // in the table, but without capabilities
    ModelDocument other(readOnly);
    QVERIFY(!other.isBlocked());
    QVERIFY(!other.can(Capability::EditMetadata));
    QVERIFY(other.whyNot(Capability::EditTensors).contains(QStringLiteral("ONNX")));
    std::optional<Error> refused;
    connect(&other, &ModelDocument::refused, this, [&](const Error& error) { refused = error; });
    QVERIFY(!other.apply({DeleteKey{"general.name"}}, QStringLiteral("Delete")));
    QVERIFY(refused.has_value());
    QCOMPARE(refused->code, ErrorCode::FormatReadOnly);
}

void TestModelDocument::refusesEverythingWhileBlocked() {
    setName("Kept");
    QSignalSpy editable(m_document.get(), &ModelDocument::editableChanged);
    m_document->setBlocked(QStringLiteral("It is being saved."));
    QCOMPARE(editable.size(), 1);
    QSignalSpy refused(m_document.get(), &ModelDocument::refusedForNow);
    QVERIFY(!setName("Lost"));
    QCOMPARE(refused.size(), 1);
    QCOMPARE(refused.front().front().toString(), QStringLiteral("It is being saved."));
    m_document->undo();
    QCOMPARE(name(), std::string("Kept"));
    m_document->setBlocked({});
    QCOMPARE(editable.size(), 2);
    m_document->undo();
    QCOMPARE(name(), std::string("Small Llama"));
}

void TestModelDocument::revertsOneDifferenceAlone() {
    setName("Other");
    QVERIFY(m_document->apply({SetKey{"llama.context_length", OwnedValue(Value(std::uint32_t{4096}))}},
                              QStringLiteral("Set context")));
    QCOMPARE(m_document->document().differences().size(), std::size_t{2});
    m_document->revert(Difference(*m_document->document().differenceOfKey("general.name")));
    QCOMPARE(name(), std::string("Small Llama"));
    QCOMPARE(m_document->current()->metadata.uint("llama.context_length").value(), std::uint64_t{4096});
    m_document->revertAll();
    QVERIFY(!m_document->document().isModified());
    m_document->undo();
    QCOMPARE(m_document->current()->metadata.uint("llama.context_length").value(), std::uint64_t{4096});
}

void TestModelDocument::keepsChangesOnAnotherBase() {
    setName("Other");
    test::GgufBuilder file;
    const auto changed = test::readModel(test::addSmallLlama(file, 3)); // as if another program had written it
    QSignalSpy rebased(m_document.get(), &ModelDocument::rebased);
    QSignalSpy edits(m_document.get(), &ModelDocument::edited);
    m_document->rebaseWithChanges(changed);
    QCOMPARE(rebased.size(), 1);
    QVERIFY(!edits.isEmpty());
    QCOMPARE(name(), std::string("Other"));
    QCOMPARE(m_document->current()->metadata.uint("llama.block_count").value(), std::uint64_t{3});
    QCOMPARE(m_document->current()->tensors.size(), changed->tensors.size());
    QCOMPARE(m_document->document().differences().size(), std::size_t{1});
}

void TestModelDocument::makeManyTensors() {
    test::GgufBuilder file;
    file.key("general.architecture", "llama");
    for (std::size_t i = 0; i < kTensorsForJob; ++i) {
        file.tensor("t." + std::to_string(i), 0, {1});
    }
    m_document = std::make_unique<ModelDocument>(test::readModel(file));
}

// The snapshot and the index of so many tensors would stop the window.
void TestModelDocument::manyTensorsAreEditedByAJob() {
    makeManyTensors();
    const auto before = m_document->current();
    QSignalSpy edits(m_document.get(), &ModelDocument::edited);
    QVERIFY(m_document->apply({SetKey{"general.name", OwnedValue::string("Keys are edited at once")}}, {}));
    QVERIFY(!m_document->isStepping());
    QCOMPARE(edits.size(), 1);
    QVERIFY(m_document->apply({RenameTensor{"t.7", "renamed"}}, QStringLiteral("Rename")));
    QVERIFY(m_document->isStepping() && m_document->isBlocked() && m_document->hasChanges());
    QVERIFY(!m_document->can(Capability::EditMetadata));
    QVERIFY(!m_document->whyNot(Capability::EditTensors).isEmpty());
    QCOMPARE(edits.size(), 1); // nothing is shown before the whole step is made
    QVERIFY(!m_document->current()->findTensor("renamed"));
    QVERIFY(!m_document->apply({SetKey{"general.name", OwnedValue::string("Other")}}, {})); // it would be lost
    bool told = false;
    m_document->whenSettled(this, [&] { told = true; });
    QVERIFY(!told);
    QTRY_VERIFY(told);
    QCOMPARE(edits.size(), 2);
    QVERIFY(!m_document->isBlocked());
    QCOMPARE(m_document->current()->findTensor("renamed"), std::optional(TensorIndex(7)));
    QVERIFY(before->findTensor("t.7") && !m_document->current()->findTensor("t.7"));
    QCOMPARE(m_document->document().differences().size(), std::size_t{2});
    // A later edit of a key keeps the tensors.
    QVERIFY(m_document->apply({SetKey{"general.name", OwnedValue::string("Again")}}, {}));
    QVERIFY(!m_document->isStepping());
    QVERIFY(m_document->current()->findTensor("renamed"));
    m_document->revertAll();
    QVERIFY(m_document->isStepping());
    QTRY_VERIFY(!m_document->isStepping());
    QVERIFY(!m_document->hasChanges());
    m_document->undo(); // of the reverting
    QTRY_VERIFY(!m_document->isStepping());
    QVERIFY(m_document->current()->findTensor("renamed"));
    // Steps of keys only are undone at once.
    m_document->undo();
    QVERIFY(!m_document->isStepping());
    m_document->undo();
    QVERIFY(m_document->isStepping());
    QTRY_VERIFY(!m_document->isStepping());
    QVERIFY(m_document->current()->findTensor("t.7"));
    m_document->redo();
    QTRY_VERIFY(m_document->current()->findTensor("renamed"));
    // What another program wrote takes the changes.
    bool rebased = false;
    m_document->rebaseWithChanges(before, [&] { rebased = true; });
    QTRY_VERIFY(rebased && !m_document->isStepping());
    QVERIFY(m_document->current()->findTensor("renamed"));
}

void TestModelDocument::tellsWhyAJobRefused() {
    makeManyTensors();
    std::optional<Error> refused;
    connect(m_document.get(), &ModelDocument::refused, this, [&](const Error& error) { refused = error; });
    QSignalSpy edits(m_document.get(), &ModelDocument::edited);
    QVERIFY(m_document->apply({RenameTensor{"t.1", "t.2"}}, {}));
    QTRY_VERIFY(!m_document->isStepping());
    QVERIFY(refused.has_value());
    QCOMPARE(edits.size(), 0);
    QVERIFY(!m_document->hasChanges() && !m_document->document().canUndo());
    std::optional<bool> any;
    m_document->applyWhatCanBe({RenameTensor{"t.1", "t.2"}, RenameTensor{"t.3", "renamed"}}, {},
                               [&](bool applied) { any = applied; });
    QTRY_VERIFY(any.has_value());
    QVERIFY(*any && m_document->current()->findTensor("renamed"));
    // A document that is closed meanwhile.
    QVERIFY(m_document->apply({RenameTensor{"t.4", "other"}}, {}));
    m_document.reset();
    Job::waitForAll();
}

GUFO_TEST(TestModelDocument)
#include "tst_model_document.moc"
