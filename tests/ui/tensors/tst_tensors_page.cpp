// The page of tensors: choosing and filtering, places, files that are damaged, exports, copies and the layout.
#include "support/mouse_drag.h"
#include "support/test_unit.h"
#include "tensors_page_test.h"
#include "test_paths.h"

#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QSignalSpy>
#include <QSplitter>

using namespace gufo;
using namespace gufo::ui;
using namespace gufo::test;

class TestTensorsPage : public TensorsPageTest {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::instance().apply(); }
    void init() { showPage(); }
    void cleanup() { closePage(); }
    void keysChooseTensors();
    void goToAWeight_data();
    void goToAWeight();
    void goToUnknownPlaces();
    void filterTreeAndTable();
    void filterSaysWhatIsWrong();
    void filterThatHidesTheTargetIsCleared();
    void wrongExpressionIsTold();
    void truncatedTensorShowsWhatIsThere();
    void unknownTypeHasNoBytes();
    void undecodableTypeShowsBytes();
    void emptyTensorSaysSo();
    void exportsValues();
    void exportIsCancelled();
    void copiesRowsOfTheList();
    void statusTellsOffsets();
    void stateComesBack();
    void listGetsItsWidthBack();
    void bytesOfABlockAreWhole();
    void columnsGiveWay();
    void fullScreenAndBack();
    void everythingHasAName();
};

void TestTensorsPage::keysChooseTensors() {
    QAbstractItemView* view = m_page->list().view();
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Down);
    QCOMPARE(m_page->detail().tensor(), std::optional(TensorIndex(1)));
    QTest::keyClick(view, Qt::Key_Down);
    QTest::keyClick(view, Qt::Key_Down);
    QTest::keyClick(view, Qt::Key_Up);
    QCOMPARE(m_page->detail().tensor(), std::optional(TensorIndex(2)));
    waitForJobs();
}

void TestTensorsPage::goToAWeight_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<quint64>("weight");
    QTest::addColumn<quint64>("row");
    QTest::addColumn<quint64>("column");
    QTest::newRow("matrix") << QByteArray("blk.0.ffn_down.weight") << quint64(128 * 9 + 77) << quint64(9)
                            << quint64(77);
    QTest::newRow("vector") << QByteArray("norm.weight") << quint64(39) << quint64(0) << quint64(39);
    QTest::newRow("three dimensions") << QByteArray("blk.1.experts.weight") << quint64(2 * 32 + 8 + 5) << quint64(1)
                                      << quint64(5);
}

void TestTensorsPage::goToAWeight() {
    QFETCH(QByteArray, name);
    QFETCH(quint64, weight);
    QFETCH(quint64, row);
    QFETCH(quint64, column);
    QVERIFY(m_page->goTo(Place::tensor(name.toStdString(), weight)));
    const ValueGrid& grid = m_page->detail().values().grid();
    QCOMPARE(grid.currentRow(), row);
    QCOMPARE(grid.currentColumn(), column);
    QVERIFY(m_page->detail().map().map().view().range.contains(row, column));
    const std::shared_ptr<const Model> model = tensorsSample();
    const TensorIndex tensor = *model->findTensor(name.toStdString());
    const auto all = explainTensorWeight(*model, tensor, weight);
    QVERIFY(all);
    QTRY_COMPARE(grid.gridModel().value(row, column), std::optional<double>(all->fields.value));
    waitForJobs();
}

void TestTensorsPage::goToUnknownPlaces() {
    QVERIFY(!m_page->goTo(Place::tensor("no such tensor")));
    QVERIFY(!m_page->goTo(Place::key("general.name")));
    QVERIFY(m_page->goTo(Place::tensor("norm.weight", 40))); // no such weight: selects the tensor
    QCOMPARE(m_page->detail().tensor(), std::optional(TensorIndex(8)));
}

void TestTensorsPage::filterTreeAndTable() {
    TensorList& list = m_page->list();
    QTest::keyClicks(list.filterField(), QStringLiteral("blk.2"));
    QTest::keyClick(list.filterField(), Qt::Key_Return);
    QTRY_COMPARE(list.table().rowCount(), 4);
    const QJsonObject blocks{{QStringLiteral("view"), 1}, {QStringLiteral("filter"), QStringLiteral("blk.2")}};
    list.restoreState(blocks);
    auto* tree = qobject_cast<QTreeView*>(list.view());
    QVERIFY(tree != nullptr);
    QCOMPARE(tree->model()->rowCount(), 1);
    const QModelIndex block = tree->model()->index(0, 0);
    tree->expand(block);
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, Qt::NoModifier,
                      tree->visualRect(tree->model()->index(0, 0, block)).center());
    QVERIFY(m_page->detail().tensor()->value >= 4);
    waitForJobs();
}

// What is wrong with a filter is said below the field, and the list stays as it was.
void TestTensorsPage::filterSaysWhatIsWrong() {
    TensorList& list = m_page->list();
    QVERIFY(list.filterField()->toolTip().contains(QStringLiteral("size:>10M")));
    QVERIFY(list.filterField()->toolTip().contains(QStringLiteral("shape:")));
    const auto type = [&](const QString& text) {
        list.filterField()->clear();
        QTest::keyClicks(list.filterField(), text);
        QTest::keyClick(list.filterField(), Qt::Key_Return);
    };
    const auto said = [this] {
        for (const QLabel* label : m_page->findChildren<QLabel*>()) {
            if (label->isVisible() && label->text().contains(QStringLiteral("is not a"))) {
                return label->text();
            }
        }
        return QString();
    };
    const int all = list.table().rowCount();
    type(QStringLiteral("blk.2"));
    QTRY_COMPARE(list.table().rowCount(), 4);
    type(QStringLiteral("-blk.2"));
    QTRY_COMPARE(list.table().rowCount(), all - 4);
    type(QStringLiteral("size:big"));
    QTRY_VERIFY2(said().contains(QStringLiteral("size:big is not a size")), qPrintable(said()));
    QCOMPARE(list.table().rowCount(), all); // as after clearing
    type(QStringLiteral("blk.2 size:>=0")); // the size of one of them is not known
    QTRY_COMPARE(list.table().rowCount(), 3);
    QVERIFY(said().isEmpty());
    waitForJobs();
}

void TestTensorsPage::filterThatHidesTheTargetIsCleared() {
    TensorList& list = m_page->list();
    QTest::keyClicks(list.filterField(), QStringLiteral("ffn"));
    QTRY_COMPARE(list.table().rowCount(), 1);
    QVERIFY(m_page->goTo(Place::tensor("norm.weight")));
    QCOMPARE(list.table().rowCount(), 9);
    QCOMPARE(list.view()->currentIndex().row(), 8);
}

void TestTensorsPage::wrongExpressionIsTold() {
    TensorList& list = m_page->list();
    list.restoreState({{QStringLiteral("regularExpression"), true}, {QStringLiteral("filter"), QStringLiteral("(")}});
    bool told = false;
    for (const QLabel* label : list.findChildren<QLabel*>()) {
        told = told || (label->isVisible() && label->text().contains(QStringLiteral("regular expression")));
    }
    QVERIFY(told);
    QCOMPARE(list.table().rowCount(), 9);
}

void TestTensorsPage::truncatedTensorShowsWhatIsThere() {
    QVERIFY(m_page->goTo(Place::tensor("blk.2.cut.weight")));
    QVERIFY(m_page->detail().notice().contains(QStringLiteral("100 bytes of 256 bytes")));
    waitForJobs();
    const ValueGridModel& grid = m_page->detail().values().grid().gridModel();
    QTRY_VERIFY(grid.value(3, 0));
    QCOMPARE(grid.text(3, 1), QStringLiteral("—")); // would be weight 25 of 25
}

void TestTensorsPage::unknownTypeHasNoBytes() {
    QVERIFY(m_page->goTo(Place::tensor("blk.2.unknown.weight")));
    QVERIFY(!m_page->detail().values().isVisible());
    QVERIFY(test::waitUntilIdle());
    QVERIFY(!m_page->detail().isBusy());
}

void TestTensorsPage::undecodableTypeShowsBytes() {
    QVERIFY(m_page->goTo(Place::tensor("blk.2.ik.weight")));
    TensorDetail& detail = m_page->detail();
    QVERIFY(detail.values().isVisible());
    QVERIFY(!detail.map().isVisible());
    QVERIFY(!detail.notice().isEmpty());
    const ValueGridModel& grid = detail.values().grid().gridModel();
    QTRY_COMPARE(grid.text(0, 15), QStringLiteral("07"));
    QCOMPARE(grid.matrix().columns, 16U);

    // Its bytes can be exported, so the progress must not be in one of the hidden sections.
    auto* progress = detail.findChild<JobBar*>({}, Qt::FindDirectChildrenOnly);
    QVERIFY(progress != nullptr);
    progress->show();
    QVERIFY(progress->isVisible() && detail.rect().contains(progress->geometry()));
    progress->hide();
}

void TestTensorsPage::emptyTensorSaysSo() {
    QVERIFY(m_page->goTo(Place::tensor("blk.2.empty.weight")));
    QVERIFY(!m_page->detail().values().isVisible());
    QVERIFY(test::waitUntilIdle());
    QVERIFY(!m_page->detail().isBusy());
}

void TestTensorsPage::exportsValues() {
    const QTemporaryDir dir;
    TensorExport& exporter = *m_page->detail().findChild<TensorExport*>();
    QSignalSpy written(&exporter, &TensorExport::written);
    exporter.writeValues(pathIn(dir, "q.npy"), ExportFormat::Npy);
    QVERIFY(written.wait());
    QFile file(dir.filePath(QStringLiteral("q.npy")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readLine().contains("'shape': (32, 64)"));
    exporter.writePlot(m_page->detail().map().map(), {}, pathIn(dir, "map.png"), PlotFormat::Png);
    QVERIFY(written.wait());
    QVERIFY(!QImage(dir.filePath(QStringLiteral("map.png"))).isNull());
    QSignalSpy failed(&exporter, &TensorExport::failed);
    exporter.writeValues(pathIn(dir, "no/folder.csv"), ExportFormat::Csv);
    QVERIFY(failed.wait());
    QVERIFY(!m_page->detail().notice().isEmpty());
}

void TestTensorsPage::exportIsCancelled() {
    const QTemporaryDir dir;
    TensorModel builder;
    builder.zeros("large", TensorType::F32, {1U << 20U, 24});
    m_page->setModel(builder.share());
    QVERIFY(m_page->goTo(Place::tensor("large")));
    TensorExport& exporter = *m_page->detail().findChild<TensorExport*>();
    QSignalSpy written(&exporter, &TensorExport::written);
    exporter.writeValues(pathIn(dir, "large.csv"), ExportFormat::Csv);
    QVERIFY(exporter.isBusy());
    exporter.cancel();
    QTRY_VERIFY(!exporter.isBusy());
    QCOMPARE(written.count(), 0);
    QVERIFY(QDir(dir.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
}

void TestTensorsPage::copiesRowsOfTheList() {
    m_page->list().view()->setFocus();
    QTest::keyClick(m_page->list().view(), Qt::Key_Down, Qt::ShiftModifier);
    const QStringList lines = m_page->copyText(CopyFormat::Tsv).trimmed().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[1].startsWith(QStringLiteral("blk.0.attn_q.weight\tF32\t64 × 32")));
}

void TestTensorsPage::statusTellsOffsets() {
    QSignalSpy status(m_page.get(), &Page::statusChanged);
    QVERIFY(m_page->goTo(Place::tensor("blk.1.blocks.weight")));
    QVERIFY(!status.isEmpty());
    const QStringList right = status.last()[1].toStringList();
    QCOMPARE(right[0], QStringLiteral("File offset 16,768"));
    QCOMPARE(right[1], QStringLiteral("Block 34 bytes, 32 weights"));
    QTRY_VERIFY(status.last()[0].toString().startsWith(QStringLiteral("Dequantised 256 weights in")));
}

void TestTensorsPage::stateComesBack() {
    TensorList& list = m_page->list();
    QTest::keyClicks(list.filterField(), QStringLiteral("blk"));
    QTest::keyClick(list.filterField(), Qt::Key_Return);
    m_page->detail().histogram().setLogarithmic(false);
    m_page->detail().map().setColorMap(ColorMap::Cividis);
    m_page->detail().values().setHex(true);
    const QJsonObject state = m_page->saveState();
    TensorsPage other;
    other.resize(1280, 800);
    other.setModel(tensorsSample());
    other.restoreState(state);
    other.show();
    QCOMPARE(other.list().table().rowCount(), 8);
    QVERIFY(!other.detail().histogram().isLogarithmic());
    QCOMPARE(other.detail().map().map().colorMap(), ColorMap::Cividis);
    QVERIFY(other.detail().values().grid().gridModel().isHex());
    QCOMPARE(other.saveState(), m_page->saveState());
    other.restoreState({}); // an empty state does no harm
    other.restoreState(
        {{QStringLiteral("listWidth"), -7}, {QStringLiteral("list"), QJsonObject{{QStringLiteral("sortColumn"), 99}}}});
}

// A page that has been narrow gives the list its width back, and a width that the user has chosen stays.
void TestTensorsPage::listGetsItsWidthBack() {
    auto* splitter = m_page->findChild<QSplitter*>();
    m_page->resize(1280, 800);
    const int first = m_page->list().width();
    QCOMPARE(first, 604);
    for (const int narrow : {900, 860, 640}) {
        m_page->resize(narrow, 600);
        QTRY_VERIFY(m_page->list().width() < first);
        m_page->resize(1280, 800);
        QTRY_COMPARE(m_page->list().width(), first);
    }
    const QJsonObject untouched = m_page->saveState();
    // Dragging the handle is a choice.
    test::drag(splitter->handle(1), QPoint(-150, 0));
    const int chosen = m_page->list().width();
    QVERIFY2(chosen < first - 100, qPrintable(QString::number(chosen)));
    m_page->resize(900, 600);
    m_page->resize(1280, 800);
    QTRY_COMPARE(m_page->list().width(), chosen);
    // A session that ended with a narrow window brings back the list as it was.
    m_page->restoreState(untouched);
    QTRY_COMPARE(m_page->list().width(), first);
}

// A label that is higher than its text takes the room of the bytes below it.
void TestTensorsPage::bytesOfABlockAreWhole() {
    QVERIFY(m_page->goTo(Place::tensor("blk.1.blocks.weight")));
    BlockLine& line = m_page->detail().values().explanation();
    QTRY_VERIFY(!line.text().isEmpty());
    const auto labels = line.findChildren<QLabel*>();
    QCOMPARE(labels.size(), 2);
    for (const QSize size : {QSize(1280, 800), QSize(852, 520), QSize(1280, 800)}) {
        m_page->resize(size);
        for (const QLabel* label : labels) {
            QTRY_COMPARE(label->height(), label->heightForWidth(label->width()));
        }
    }
    const QWidget& detail = m_page->detail();
    QTRY_VERIFY(line.mapTo(&detail, QPoint(0, line.height())).y() <= detail.height());
}

void TestTensorsPage::columnsGiveWay() {
    auto* table = qobject_cast<QTableView*>(m_page->list().view());
    QVERIFY(table != nullptr);
    const auto hidden = [table](TensorColumn column) { return table->isColumnHidden(static_cast<int>(column)); };
    TensorList& list = m_page->list();
    list.setParent(nullptr);
    list.show();
    list.resize(700, 600);
    QVERIFY(!hidden(TensorColumn::Distribution));
    list.resize(520, 600);
    QVERIFY(hidden(TensorColumn::Distribution));
    QVERIFY(!hidden(TensorColumn::Sigma));
    list.resize(400, 600);
    QVERIFY(hidden(TensorColumn::Sigma));
    QVERIFY(!hidden(TensorColumn::Type));
    list.resize(700, 600);
    QVERIFY(!hidden(TensorColumn::Sigma));
    delete &list;
    m_page.reset();
}

void TestTensorsPage::fullScreenAndBack() {
    waitForJobs();
    MapSection& section = m_page->detail().map();
    section.map().setFocus();
    QTest::keyClick(&section.map(), Qt::Key_F);
    QVERIFY(section.isWindow());
    QTest::keyClick(&section.map(), Qt::Key_Escape);
    QVERIFY(!section.isWindow());
    QVERIFY(m_page->isAncestorOf(&section));
    QVERIFY(section.isVisible());
}

void TestTensorsPage::everythingHasAName() {
    waitForJobs();
    for (const QWidget* widget : m_page->findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() || widget->inherits("QHeaderView") ||
            widget->inherits("QScrollArea") || widget->objectName().startsWith(QStringLiteral("qt_"))) {
            continue;
        }
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        const auto* label = qobject_cast<const QLabel*>(widget);
        const bool named = !widget->accessibleName().isEmpty() || (button != nullptr && !button->text().isEmpty()) ||
                           (label != nullptr && !label->text().isEmpty());
        QVERIFY2(named, widget->metaObject()->className());
    }
}

GUFO_TEST_WIDGETS(TestTensorsPage)
#include "tst_tensors_page.moc"
