#include "support/edited_page.h"
#include "support/test_unit.h"
#include "ui/pages/tensors/import_tensors_dialog.h"
#include "ui/pages/tensors/models/tensor_import.h"
#include "ui/pages/tensors/models/tensor_moves.h"
#include "ui/pages/tensors/models/tensor_renaming.h"
#include "ui/pages/tensors/rename_dialog.h"
#include "ui/pages/tensors/tensor_detail.h"
#include "ui/pages/tensors/tensor_edits.h"
#include "ui/pages/tensors/tensor_list.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/value_delegate.h"

#include <QLineEdit>
#include <QMimeData>
#include <QTemporaryDir>

#include <fstream>

using namespace gufo;
using namespace gufo::ui;
using test::GgufBuilder;

class TestTensorEdit : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::instance().apply(); }
    void cleanup() { Job::waitForAll(); }
    void renamesInItsRow();
    void refusesANameThatIsTaken();
    void renamesByPattern();
    void swapsNames();
    void showsConflictsWhileTyping();
    void deletesAndBringsBack();
    void movesRows_data();
    void movesRows();
    void movesByKeyAndByDropping();
    void marksAndReverts();
    void keepsWhatIsKnownOfTensors();
    void takesTensorsOfAnotherModel();
    void checksShapesAndBytes();
    void treeStaysOpen();
    void saysWhyItCannotBeEdited();
};

namespace {

GgufBuilder sample(std::uint32_t blocks = 2) {
    GgufBuilder file;
    return test::addSmallLlama(file, blocks);
}

struct Shown : test::EditedPage<TensorsPage> {
    explicit Shown(const GgufBuilder& file)
        : EditedPage(file)
        , table(&page.list().table(), QAbstractItemModelTester::FailureReportingMode::QtTest) {
        page.activateWindow();
        ready = QTest::qWaitForWindowActive(&page);
        page.list().view()->setFocus();
    }
    [[nodiscard]] QStringList names() const {
        QStringList names;
        for (const TensorInfo& tensor : document.current()->tensors) {
            names << QString::fromUtf8(tensor.name.data(), static_cast<qsizetype>(tensor.name.size()));
        }
        return names;
    }
    [[nodiscard]] QStringList shownNames() {
        QStringList names;
        const TensorTableModel& model = page.list().table();
        for (int row = 0; row < model.rowCount(); ++row) {
            names << model.index(row, 0).data(Qt::DisplayRole).toString();
        }
        return names;
    }
    QModelIndex row(const char* name) {
        return page.list().table().index(page.list().table().rowOf(*document.current()->findTensor(name)), 0);
    }
    void select(const std::vector<const char*>& names) {
        QItemSelectionModel* selection = page.list().view()->selectionModel();
        page.list().view()->setCurrentIndex(row(names.front()));
        for (const char* name : names) {
            selection->select(row(name), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        }
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(page.list().view(), key, modifiers); }

    QAbstractItemModelTester table;
    bool ready = false;
};

} // namespace

void TestTensorEdit::renamesInItsRow() {
    Shown shown(sample());
    QVERIFY(shown.ready);
    shown.select({"output_norm.weight"});
    shown.key(Qt::Key_F2);
    auto* field = test::openEditor<QLineEdit>(shown.page.list().view());
    QVERIFY(field != nullptr);
    QCOMPARE(field->text(), QStringLiteral("output_norm.weight"));
    // What is typed covers the name that the list paints below it.
    QVERIFY(field->autoFillBackground());
    QVERIFY(field->palette().color(field->backgroundRole()).alpha() == 255);
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("final_norm.weight"));
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_VERIFY(shown.document.current()->findTensor("final_norm.weight").has_value());
    QVERIFY(!shown.document.current()->findTensor("output_norm.weight"));
    QCOMPARE(shown.names(), shown.shownNames());
    QVERIFY(shown.row("final_norm.weight").data(kChangedRole).toBool());
    QVERIFY(shown.row("final_norm.weight")
                .data(Qt::ToolTipRole)
                .toString()
                .contains(QStringLiteral("Was called output_norm.weight")));
    shown.document.undo();
    QVERIFY(shown.document.current()->findTensor("output_norm.weight").has_value());
    QVERIFY(!shown.row("output_norm.weight").data(kChangedRole).toBool());
}

void TestTensorEdit::refusesANameThatIsTaken() {
    Shown shown(sample());
    QVERIFY(shown.ready);
    QSignalSpy said(shown.page.edits(), &TensorEdits::said);
    shown.page.list().table().setData(shown.row("output_norm.weight"), QStringLiteral("token_embd.weight"),
                                      Qt::EditRole);
    QCOMPARE(said.count(), 1);
    QVERIFY(said[0][0].toString().contains(QStringLiteral("another tensor has this name")));
    shown.page.list().table().setData(shown.row("output_norm.weight"), QString(64, u'x'), Qt::EditRole);
    QCOMPARE(said.count(), 2);
    QVERIFY(!shown.document.document().canUndo());
    QVERIFY(shown.refusals.isEmpty());
}

void TestTensorEdit::renamesByPattern() {
    Shown shown(sample(12));
    QVERIFY(shown.ready);
    test::answerDialog([](QDialog* dialog) {
        auto* rename = static_cast<RenameDialog*>(dialog);
        const QAbstractItemModelTester tester(rename->preview(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        QTest::keyClicks(rename->pattern(), QStringLiteral("^blk\\.(\\d+)\\.attn_q"));
        QTest::keyClicks(rename->replacement(), QStringLiteral("layers.\\1.q"));
        QCOMPARE(rename->preview()->rowCount(), 12);
        QCOMPARE(rename->preview()->index(11, RenamingModel::After).data().toString(),
                 QStringLiteral("layers.11.q.weight"));
        QCOMPARE(rename->preview()->conflicts(), std::size_t{0});
        rename->accept();
    });
    shown.key(Qt::Key_F2, Qt::ShiftModifier);
    QVERIFY(shown.document.current()->findTensor("layers.7.q.weight").has_value());
    QVERIFY(!shown.document.current()->findTensor("blk.7.attn_q.weight"));
    shown.document.undo(); // one step
    QVERIFY(!shown.document.document().isModified());
}

void TestTensorEdit::swapsNames() {
    const auto model = test::readModel(sample());
    ModelDocument document(model);
    const auto a = *model->findTensor("blk.0.attn_q.weight");
    const auto b = *model->findTensor("blk.1.attn_q.weight");
    const auto c = *model->findTensor("output_norm.weight");
    std::vector<TensorRenaming> renamings{{a, "blk.1.attn_q.weight"}, {b, "blk.0.attn_q.weight"}, {c, "x"}};
    checkRenamings(*model, renamings);
    for (const TensorRenaming& renaming : renamings) {
        QVERIFY(renaming.conflict == TensorRenaming::Conflict::None);
    }
    QVERIFY(document.apply(changesOfRenaming(*model, renamings), QStringLiteral("Swap")));
    QCOMPARE(document.current()->tensor(a).name, std::string_view("blk.1.attn_q.weight"));
    QCOMPARE(document.current()->tensor(b).name, std::string_view("blk.0.attn_q.weight"));
    QCOMPARE(document.current()->tensor(a).offset, model->tensor(a).offset);
    // A chain of renamings: each tensor takes the name of the next.
    const auto now = document.current();
    std::vector<TensorRenaming> chain{{a, "blk.0.attn_q.weight"}, {b, "y"}};
    checkRenamings(*now, chain);
    QVERIFY(document.apply(changesOfRenaming(*now, chain), QStringLiteral("Chain")));
    QCOMPARE(document.current()->tensor(a).name, std::string_view("blk.0.attn_q.weight"));
    QCOMPARE(document.current()->tensor(b).name, std::string_view("y"));
}

void TestTensorEdit::showsConflictsWhileTyping() {
    const auto model = test::readModel(sample());
    RenameDialog dialog(model, {}, nullptr);
    dialog.pattern()->setText(QStringLiteral("blk\\.\\d"));
    dialog.replacement()->setText(QStringLiteral("blk.0"));
    QCOMPARE(dialog.preview()->conflicts(), std::size_t{3}); // block 1's collide with the unchanged ones of block 0
    dialog.replacement()->setText(QStringLiteral("blk"));
    QCOMPARE(dialog.preview()->conflicts(), std::size_t{6});
    QCOMPARE(dialog.preview()->index(0, RenamingModel::Problem).data().toString(),
             QStringLiteral("several tensors would get this name"));
    dialog.pattern()->setText(QStringLiteral(".*"));
    dialog.replacement()->setText({});
    QCOMPARE(dialog.preview()->index(0, RenamingModel::Problem).data().toString(),
             QStringLiteral("the name would be empty"));
    dialog.pattern()->setText(QStringLiteral("("));
    QCOMPARE(dialog.preview()->rowCount(), 0);
}

void TestTensorEdit::deletesAndBringsBack() {
    Shown shown(sample());
    QVERIFY(shown.ready);
    const QStringList before = shown.names();
    shown.select({"blk.0.attn_q.weight", "blk.1.ffn_up.weight"});
    shown.key(Qt::Key_Delete);
    QCOMPARE(shown.names().size(), before.size() - 2);
    QCOMPARE(shown.shownNames(), shown.names());
    shown.document.undo();
    QCOMPARE(shown.names(), before);
    QCOMPARE(shown.shownNames(), before);
    QVERIFY(!shown.document.document().isModified());
}

void TestTensorEdit::movesRows_data() {
    QTest::addColumn<QList<int>>("moved");
    QTest::addColumn<int>("row");
    QTest::addColumn<QList<int>>("order"); // of 0 … 5
    QTest::newRow("up") << QList<int>{3} << 1 << QList<int>{0, 3, 1, 2, 4, 5};
    QTest::newRow("down") << QList<int>{1} << 4 << QList<int>{0, 2, 3, 1, 4, 5};
    QTest::newRow("to the end") << QList<int>{0, 2} << 6 << QList<int>{1, 3, 4, 5, 0, 2};
    QTest::newRow("to the start") << QList<int>{2, 5} << 0 << QList<int>{2, 5, 0, 1, 3, 4};
    QTest::newRow("onto itself") << QList<int>{2, 3} << 3 << QList<int>{0, 1, 2, 3, 4, 5};
    QTest::newRow("all") << QList<int>{0, 1, 2, 3, 4, 5} << 3 << QList<int>{0, 1, 2, 3, 4, 5};
    QTest::newRow("together") << QList<int>{0, 5} << 3 << QList<int>{1, 2, 0, 5, 3, 4};
}

void TestTensorEdit::movesRows() {
    QFETCH(QList<int>, moved);
    QFETCH(int, row);
    QFETCH(QList<int>, order);
    GgufBuilder file;
    for (int i = 0; i < 6; ++i) {
        file.tensor("t" + std::to_string(i), 0, {4});
    }
    const auto model = test::readModel(file);
    ModelDocument document(model);
    std::vector<TensorIndex> tensors;
    for (const int tensor : moved) {
        tensors.emplace_back(static_cast<std::size_t>(tensor));
    }
    std::vector<Change> changes = changesOfMoving(*model, tensors, static_cast<std::size_t>(row));
    QVERIFY(changes.empty() || document.apply(std::move(changes), QStringLiteral("Move")));
    QList<int> now;
    for (const TensorInfo& tensor : document.current()->tensors) {
        now << tensor.name.back() - '0';
    }
    QCOMPARE(now, order);
}

void TestTensorEdit::movesByKeyAndByDropping() {
    Shown shown(sample());
    QVERIFY(shown.ready);
    shown.select({"output_norm.weight"});
    shown.key(Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(shown.names().first(), QStringLiteral("output_norm.weight"));
    QCOMPARE(shown.page.list().view()->currentIndex().row(), 0); // the selection moves with the row
    shown.key(Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(shown.names().at(1), QStringLiteral("output_norm.weight"));
    QVERIFY(!shown.document.document().isModified());
    TensorTableModel& table = shown.page.list().table();
    const std::unique_ptr<QMimeData> rows(table.mimeData({shown.row("token_embd.weight")}));
    QVERIFY(!table.dropMimeData(rows.get(), Qt::MoveAction, 3, 0, {})); // because the document moves it
    QTRY_COMPARE(shown.names().at(2), QStringLiteral("token_embd.weight"));
    // In a sorted table, rows cannot be moved.
    table.sort(static_cast<int>(TensorColumn::Name), Qt::AscendingOrder);
    QVERIFY(!table.canDropMimeData(rows.get(), Qt::MoveAction, 0, 0, {}));
}

void TestTensorEdit::marksAndReverts() {
    Shown shown(sample());
    QVERIFY(shown.ready);
    QVERIFY(shown.document.apply({RenameTensor{"output_norm.weight", "a"}, RenameTensor{"token_embd.weight", "b"}},
                                 QStringLiteral("Two")));
    QVERIFY(shown.row("a").data(kChangedRole).toBool());
    shown.document.revert(Difference(*shown.document.document().differenceOfTensor("a")));
    QVERIFY(shown.document.current()->findTensor("output_norm.weight").has_value());
    QVERIFY(shown.document.current()->findTensor("b").has_value());
}

void TestTensorEdit::keepsWhatIsKnownOfTensors() {
    Shown shown(sample());
    QVERIFY(shown.ready);
    shown.page.list().select(*shown.document.current()->findTensor("blk.1.ffn_up.weight"));
    for (std::size_t i = 0; i < shown.document.current()->tensors.size(); ++i) {
        QTRY_VERIFY(shown.page.list().summaries().find(TensorIndex(i)) != nullptr);
    }
    QTRY_VERIFY(!shown.page.detail().isBusy());
    QVERIFY(shown.document.apply({DeleteTensor{"token_embd.weight"}, RenameTensor{"output_norm.weight", "norm"}},
                                 QStringLiteral("Two")));
    for (const char* name : {"norm", "blk.0.attn_q.weight", "blk.1.ffn_up.weight"}) {
        QVERIFY(shown.page.list().summaries().find(*shown.document.current()->findTensor(name)) != nullptr);
    }
    QCOMPARE(shown.page.detail().tensor(), shown.document.current()->findTensor("blk.1.ffn_up.weight"));
    QVERIFY(!shown.page.detail().isBusy());
    QVERIFY(shown.document.apply({DeleteTensor{"blk.1.ffn_up.weight"}}, QStringLiteral("Delete")));
    QVERIFY(!shown.page.detail().tensor().has_value());
}

void TestTensorEdit::takesTensorsOfAnotherModel() {
    QTemporaryDir folder;
    GgufBuilder other;
    other.tensor("token_embd.weight", 0, {64, 6}); // f32 instead of q8_0, with the same shape
    other.tensor("extra.weight", 0, {8});
    const auto bytes = other.build();
    const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "other.gguf";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    Shown shown(sample());
    QVERIFY(shown.ready);
    shown.select({"token_embd.weight"});
    test::answerDialog([path](QDialog* dialog) {
        auto* import = static_cast<ImportTensorsDialog*>(dialog);
        QSignalSpy shownSource(import, &ImportTensorsDialog::sourceShown);
        import->openFile(path);
        QVERIFY(shownSource.wait());
        const QAbstractItemModelTester tester(import->tensors(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(import->tensors()->rowCount(), 2);
        QCOMPARE(import->tensors()->taken(), std::size_t{1}); // the selected one
        QVERIFY(import->tensors()->setData(import->tensors()->index(1, 0), Qt::Checked, Qt::CheckStateRole));
        import->accept();
    });
    shown.key(Qt::Key_Insert);
    const auto now = shown.document.current();
    const auto replaced = now->findTensor("token_embd.weight");
    QCOMPARE(replaced, std::optional(TensorIndex(std::size_t{0})));
    QCOMPARE(now->tensor(*replaced).typeId, 0U);
    QVERIFY(now->isImported(now->tensor(*replaced)));
    QCOMPARE(now->files.back().importHashes.size(), std::size_t{2}); // the save notices other bytes
    QVERIFY(now->findTensor("extra.weight").has_value());
    QVERIFY(shown.row("extra.weight").data(kAddedRole).toBool());
    shown.document.undo();
    QVERIFY(!shown.document.document().isModified());
}

void TestTensorEdit::checksShapesAndBytes() {
    GgufBuilder other;
    other.tensor("output_norm.weight", 0, {64});
    other.tensor("token_embd.weight", 0, {64, 7});
    other.tensor("cut.weight", 0, {1024});
    auto bytes = other.build();
    bytes.resize(bytes.size() - 2048);
    const auto from = gguf::read(std::make_shared<MemorySource>(std::move(bytes)));
    QVERIFY(from.has_value());
    TensorImportModel model(test::readModel(sample()));
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setSource(*from);
    using Status = TensorImportModel::Status;
    QVERIFY(model.status(TensorIndex(std::size_t{0})) == Status::Replaces);
    QVERIFY(model.status(TensorIndex(std::size_t{1})) == Status::OtherShape);
    QVERIFY(model.status(TensorIndex(std::size_t{2})) == Status::Refused);
    QVERIFY(!model.setData(model.index(1, 0), Qt::Checked, Qt::CheckStateRole));
    QVERIFY(!model.setData(model.index(2, 0), Qt::Checked, Qt::CheckStateRole));
    model.setOtherShapes(true);
    QVERIFY(model.setData(model.index(1, 0), Qt::Checked, Qt::CheckStateRole));
    model.setOtherShapes(false);
    QCOMPARE(model.taken(), std::size_t{0});
}

void TestTensorEdit::treeStaysOpen() {
    Shown shown(sample(4));
    QVERIFY(shown.ready);
    shown.page.list().restoreState({{QStringLiteral("view"), 1}}); // blocks
    auto* tree = static_cast<QTreeView*>(shown.page.list().view());
    const QAbstractItemModelTester tester(tree->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto group = [&](const QString& label) {
        const QModelIndexList found = tree->model()->match(tree->model()->index(0, 0), Qt::DisplayRole, label);
        return found.isEmpty() ? QModelIndex() : found.first();
    };
    tree->expand(group(QStringLiteral("blk.2")));
    QVERIFY(tree->isExpanded(group(QStringLiteral("blk.2"))));
    QVERIFY(shown.document.apply({DeleteTensor{"blk.0.attn_q.weight"}, DeleteTensor{"blk.1.attn_norm.weight"},
                                  RenameTensor{"blk.2.attn_q.weight", "blk.2.attn_k.weight"}},
                                 QStringLiteral("Some")));
    QVERIFY(tree->isExpanded(group(QStringLiteral("blk.2"))));
    QVERIFY(!tree->isExpanded(group(QStringLiteral("blk.3"))));
    // A group stands for all tensors below it.
    tree->selectionModel()->select(group(QStringLiteral("blk.3")),
                                   QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    tree->setFocus();
    QTest::keyClick(tree, Qt::Key_Delete);
    QVERIFY(!group(QStringLiteral("blk.3")).isValid());
    QVERIFY(!shown.document.current()->findTensor("blk.3.ffn_up.weight"));
}

void TestTensorEdit::saysWhyItCannotBeEdited() {
    Shown shown(sample());
    QVERIFY(shown.ready);
    shown.document.setBlocked(QStringLiteral("A shard is missing."));
    shown.select({"output_norm.weight"});
    shown.key(Qt::Key_Delete);
    shown.key(Qt::Key_F2);
    QVERIFY(test::openEditor<QLineEdit>(shown.page.list().view()) == nullptr);
    QVERIFY(!shown.document.document().canUndo());
    const QList<QAction*> actions = shown.page.list().view()->actions();
    QVERIFY(!actions.isEmpty());
    for (const QAction* action : actions) {
        QVERIFY(!action->isEnabled());
        QCOMPARE(action->toolTip(), QStringLiteral("A shard is missing."));
    }
}

GUFO_TEST_WIDGETS(TestTensorEdit)
#include "tst_tensor_edit.moc"
