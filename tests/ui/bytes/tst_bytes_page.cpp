// The Bytes page: fields of bytes, the mouse, the keyboard, finding, going, copying, exporting, files of 40 GB and
// damaged files.
#include "document/open_model.h"
#include "support/model_maker.h"
#include "support/page_models.h"
#include "support/test_unit.h"
#include "support/window_fixture.h"
#include "test_paths.h"
#include "ui/mainwindow/tabs/page_table.h"
#include "ui/pages/bytes/bytes_page.h"
#include "ui/pages/bytes/field_model.h"
#include "ui/widgets/job_bar.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <functional>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::ui;

namespace {

constexpr std::uint64_t kLarge = 40'000'000'000;

// A page that shows the fields of a file.
using OffsetIn = std::function<std::uint64_t(const Model&)>;

struct ShownBytes {
    explicit ShownBytes(std::shared_ptr<const Model> model, QSize size = {1200, 600}) {
        page.resize(size);
        page.setModel(std::move(model));
        page.show();
        QSignalSpy mapped(&page, &BytesPage::mapped);
        page.activate();
        ready = page.window().map() != nullptr || mapped.wait();
    }
    // Whether the shown bytes have been read.
    [[nodiscard]] bool isRead() {
        const ByteRange shown = page.view().shown();
        return shown.length != 0 && page.window().byteAt(shown.offset).has_value() &&
               page.window().byteAt(shown.offset + shown.length - 1).has_value();
    }
    [[nodiscard]] std::optional<FieldRole> roleAt(std::uint64_t offset) {
        const ByteField* field = page.window().fieldAt(offset);
        return field != nullptr ? std::optional(field->role) : std::nullopt;
    }
    [[nodiscard]] bool says(const QString& text) {
        const auto labels = page.findChildren<QLabel*>();
        return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text().contains(text); });
    }
    [[nodiscard]] QTableView& table() { return *page.findChild<QTableView*>(); }
    void type(const char* field, const QString& text) {
        for (QLineEdit* edit : page.findChildren<QLineEdit*>()) {
            if (edit->accessibleName() == QString::fromUtf8(field)) {
                edit->setFocus();
                edit->clear();
                QTest::keyClicks(edit, text);
                QTest::keyClick(edit, Qt::Key_Return);
                return;
            }
        }
        QFAIL("no such field");
    }
    BytesPage page;
    bool ready = false;
};

GgufBuilder smallFile() {
    GgufBuilder file;
    addSmallLlama(file);
    return file;
}

int rowOfPage(const QString& id) {
    const auto row = std::ranges::find(pageTable(), id.toStdString(), &PageRow::id);
    return static_cast<int>(row - pageTable().begin());
}

std::shared_ptr<const Model> sampleModel() {
    auto model = openModel(std::filesystem::path(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q8_0.gguf"));
    return model ? *model : nullptr;
}

} // namespace

class TestBytesPage : public QObject {
    Q_OBJECT

private slots:
    void namesEveryField() {
        ShownBytes shown(readModel(smallFile()));
        QVERIFY(shown.ready);
        const QAbstractItemModelTester tester(shown.table().model(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        QTRY_VERIFY(shown.isRead());
        QCOMPARE(shown.roleAt(0), FieldRole::Magic);
        QCOMPARE(shown.roleAt(4), FieldRole::Version);
        const ByteRange range = shown.page.view().shown();
        for (std::uint64_t offset = range.offset; offset < range.offset + range.length; ++offset) {
            QVERIFY(shown.roleAt(offset).has_value());
        }
        QVERIFY(shown.says(QStringLiteral("magic number")));
        QVERIFY(shown.table().model()->rowCount() > 5);
    }

    void clicksSelectBytes() {
        ShownBytes shown(readModel(smallFile()));
        QTRY_VERIFY(shown.isRead());
        HexView& view = shown.page.view();
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.rectOf(5).center());
        QCOMPARE(view.cursor(), std::uint64_t{5});
        QVERIFY(shown.says(QStringLiteral("version")));
        // Dragging selects, and Shift extends.
        QTest::mousePress(view.viewport(), Qt::LeftButton, {}, view.rectOf(2).center());
        QTest::mouseMove(view.viewport(), view.rectOf(9).center());
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, view.rectOf(9).center());
        QTRY_COMPARE(view.selection(), (ByteRange{2, 8}));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.rectOf(4).center());
        QTest::mouseClick(view.viewport(), Qt::LeftButton, Qt::ShiftModifier, view.rectOf(7).center());
        QCOMPARE(view.selection(), (ByteRange{4, 4}));
        // A double click selects the field, and the text beside is the same bytes.
        QTest::mouseDClick(view.viewport(), Qt::LeftButton, {}, view.rectOf(10).center());
        QCOMPARE(view.selection(), (ByteRange{8, 8}));
        // Each place of the digits belongs to its byte.
        for (const std::uint64_t offset : {0U, 7U, 8U, 15U, 16U, 31U}) {
            QCOMPARE(view.offsetAt(view.rectOf(offset).center()), std::optional(offset));
        }
    }

    void tableSelectsTheField() {
        ShownBytes shown(readModel(smallFile()));
        QTRY_VERIFY(shown.isRead());
        auto* fields = qobject_cast<FieldModel*>(shown.table().model());
        const int row = 4;
        QTest::mouseClick(shown.table().viewport(), Qt::LeftButton, {},
                          shown.table().visualRect(fields->index(row, 1)).center());
        QCOMPARE(shown.page.view().selection(), fields->field(row).range);
    }

    void keysMove() {
        ShownBytes shown(readModel(smallFile()));
        QTRY_VERIFY(shown.isRead());
        HexView& view = shown.page.view();
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.cursor(), std::uint64_t{1});
        QTest::keyClick(&view, Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(view.cursor(), std::uint64_t{4}); // the next field
        QTest::keyClick(&view, Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(view.cursor(), std::uint64_t{0});
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(view.cursor(), std::uint64_t{0});
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.cursor(), static_cast<std::uint64_t>(view.bytesPerRow()));
        QTest::keyClick(&view, Qt::Key_End);
        QCOMPARE(view.cursor(), static_cast<std::uint64_t>(2 * view.bytesPerRow() - 1));
        QTest::keyClick(&view, Qt::Key_Home, Qt::ShiftModifier);
        QCOMPARE(view.selection().length, static_cast<std::uint64_t>(view.bytesPerRow()));
        QTest::keyClick(&view, Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(view.cursor(), shown.page.window().size() - 1);
        QTest::keyClick(&view, Qt::Key_Down);
        QTest::keyClick(&view, Qt::Key_PageDown);
        QCOMPARE(view.cursor(), shown.page.window().size() - 1);
        QTest::keyClick(&view, Qt::Key_PageUp);
        QVERIFY(view.cursor() < shown.page.window().size() - 1);
        QTest::keyClick(&view, Qt::Key_Home, Qt::ControlModifier);
        QCOMPARE(view.cursor(), std::uint64_t{0});
        QVERIFY(!view.accessibleDescription().isEmpty());
    }

    void goesToOffsetsKeysAndTensors() {
        ShownBytes shown(sampleModel());
        QVERIFY(shown.ready);
        HexView& view = shown.page.view();
        shown.type("Go to", QStringLiteral("0x1000"));
        QCOMPARE(view.cursor(), std::uint64_t{0x1000});
        shown.type("Go to", QStringLiteral("4,097"));
        QCOMPARE(view.cursor(), std::uint64_t{4097});
        shown.type("Go to", QStringLiteral("general.name"));
        QCOMPARE(view.selection(), *shown.page.window().map()->keyRange("general.name"));
        shown.type("Go to", QStringLiteral("token_embd.weight"));
        QCOMPARE(view.cursor(), shown.page.window().map()->tensorData("token_embd.weight")->offset);
        const std::uint64_t before = view.cursor();
        QSignalSpy said(&shown.page, &Page::statusChanged);
        for (const char* wrong : {"999999999999999", "no.such.name", "0xZZ"}) {
            said.clear();
            shown.type("Go to", QString::fromUtf8(wrong));
            QVERIFY(said.count() > 0);
            QCOMPARE(view.cursor(), before);
        }
    }

    // What the byte belongs to is one press of a button away, and a place in the file leads here.
    void linksToKeysAndTensors() {
        ShownBytes shown(sampleModel());
        QSignalSpy wanted(&shown.page, &Page::placeRequested);
        auto* link = shown.page.findChild<QPushButton*>(QStringLiteral("link"));
        QVERIFY(link != nullptr);
        shown.type("Go to", QStringLiteral("general.name"));
        QTRY_VERIFY(link->isVisible());
        QTest::mouseClick(link, Qt::LeftButton);
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted[0][0].value<Place>(), Place::key("general.name"));
        shown.type("Go to", QStringLiteral("token_embd.weight"));
        QTRY_VERIFY(shown.roleAt(shown.page.view().cursor()).has_value());
        QTRY_VERIFY(link->isVisible());
        QTest::mouseClick(link, Qt::LeftButton);
        QCOMPARE(wanted.count(), 2);
        QCOMPARE(wanted[1][0].value<Place>().kind, Place::Kind::Tensor);
        QCOMPARE(wanted[1][0].value<Place>().name, std::string("token_embd.weight"));
        QVERIFY(shown.page.goTo(Place::atOffset(24)));
        QCOMPARE(shown.page.view().cursor(), std::uint64_t{24});
        QVERIFY(!shown.page.goTo(Place::key("general.name")));
        QVERIFY(!shown.page.goTo(Place{}));
    }

    // A place is shown although the page was never shown before.
    void placeBeforeTheMap() {
        BytesPage page;
        page.setModel(readModel(smallFile()));
        QSignalSpy mapped(&page, &BytesPage::mapped);
        QVERIFY(page.goTo(Place::atOffset(8)));
        QVERIFY(mapped.wait());
        QCOMPARE(page.view().cursor(), std::uint64_t{8});
    }

    // Which bits of a block are which weight's code.
    void quantisedBlock() {
        GgufBuilder file;
        file.key("general.architecture", "llama");
        file.tensor("blk.0.ffn_up.weight", kQ4_0, {32, 4});
        ShownBytes shown(readModel(file));
        shown.type("Go to", QStringLiteral("blk.0.ffn_up.weight"));
        HexView& view = shown.page.view();
        QTRY_VERIFY(shown.roleAt(view.cursor() + 2).has_value());
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(shown.roleAt(view.cursor()), FieldRole::BlockBits);
        QVERIFY(shown.says(QStringLiteral("0x0F: code of weight 0")));
        QVERIFY(shown.says(QStringLiteral("0xF0: code of weight 16")));
    }

    void finds() {
        ShownBytes shown(sampleModel());
        HexView& view = shown.page.view();
        QSignalSpy said(&shown.page, &Page::statusChanged);
        shown.type("Find", QStringLiteral("general.name"));
        QTRY_VERIFY(view.selection().length == 12);
        const std::uint64_t first = view.cursor() < view.selection().offset ? view.cursor() : view.selection().offset;
        const auto key = *shown.page.window().map()->keyRange("general.name");
        QVERIFY(first >= key.offset && first < key.offset + key.length);
        // The next one of a text that is there once is the same after the file has been searched through.
        QTest::keyClick(shown.page.filterField(), Qt::Key_Return);
        QTRY_VERIFY(!shown.page.jobBar().isBusy());
        QCOMPARE(view.selection().offset, first);
        shown.page.findChildren<QComboBox*>()[1]->setCurrentIndex(1);
        view.goTo(0);
        shown.type("Find", QStringLiteral("47 47 55 46"));
        QTRY_COMPARE(view.selection(), (ByteRange{0, 4}));
        said.clear();
        shown.type("Find", QStringLiteral("4"));
        QCOMPARE(said.count(), 1);
        QCOMPARE(view.selection(), (ByteRange{0, 4}));
    }

    void copiesAndExports() {
        ShownBytes shown(readModel(smallFile()));
        QTRY_VERIFY(shown.isRead());
        HexView& view = shown.page.view();
        view.select({0, 4});
        QGuiApplication::clipboard()->clear();
        view.setFocus();
        QTest::keySequence(&view, QKeySequence(QKeySequence::Copy));
        QTRY_COMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("47 47 55 46"));
        QVERIFY(shown.page.copyText(CopyFormat::Text).contains(QStringLiteral("47 47 55 46")));
        QVERIFY(shown.page.copyText(CopyFormat::Text).contains(QStringLiteral("GGUF")));
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("part.bin"));
        shown.page.exportTo(path.toStdString());
        QTRY_VERIFY(QFile::exists(path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("GGUF"));
    }

    // A sparse file with a header: its end is as near as its start, and searches of it are cancelled at once.
    void largeFile() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("large.gguf"));
        smallFile().write(path.toStdString());
        QFile file(path);
        if (!file.resize(static_cast<qint64>(kLarge))) {
            QSKIP("the file system has no files of this size");
        }
        const auto model = openModel(path.toStdString());
        QVERIFY(model.has_value());
        ShownBytes shown(*model);
        QVERIFY(shown.ready);
        HexView& view = shown.page.view();
        QCOMPARE(shown.page.window().size(), kLarge);
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(view.cursor(), kLarge - 1);
        QTRY_VERIFY(shown.isRead());
        QVERIFY(shown.roleAt(kLarge - 1).has_value());
        QCOMPARE(view.verticalScrollBar()->value(), view.verticalScrollBar()->maximum());
        // A line is a line, however coarse the scroll bar is.
        const std::uint64_t top = view.shown().offset;
        QTest::keyClick(&view, Qt::Key_PageUp);
        QTest::keyClick(&view, Qt::Key_Up);
        QVERIFY(view.shown().offset < top);
        QVERIFY(top - view.shown().offset < 10'000);
        // The scroll bar reaches both ends.
        view.verticalScrollBar()->setValue(0);
        QCOMPARE(view.shown().offset, std::uint64_t{0});
        view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum());
        QCOMPARE(view.shown().offset, top);
        view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum() / 2);
        QVERIFY(view.shown().offset > kLarge / 2 - 1'000'000 && view.shown().offset < kLarge / 2 + 1'000'000);
        QTRY_VERIFY(shown.isRead());
        // Offsets of eleven digits are shown whole.
        const QAbstractItemView& table = shown.table();
        QVERIFY(table.sizeHintForColumn(FieldModel::Offset) <= shown.table().columnWidth(FieldModel::Offset));
        // The page holds only the shown bytes.
        QVERIFY(shown.page.window().range().length < 1U << 20U);
        shown.type("Find", QStringLiteral("there is no such text"));
        QVERIFY(shown.page.jobBar().isBusy());
        shown.page.jobBar().cancel();
        Job::waitForAll(); // the search has stopped long before its end
        QVERIFY(!shown.page.jobBar().isBusy());
    }

    void damagedFile() {
        const std::vector<std::byte> whole = smallFile().build();
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("damaged.gguf"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(reinterpret_cast<const char*>(whole.data()), 200); // within the keys
        file.close();
        QVERIFY(!openModel(path.toStdString()).has_value());
        BytesPage page;
        page.resize(1200, 600);
        page.show();
        QSignalSpy mapped(&page, &BytesPage::mapped);
        page.openFile(path.toStdString(), 190);
        QVERIFY(mapped.wait());
        QCOMPARE(page.view().cursor(), std::uint64_t{190});
        QTRY_VERIFY(page.window().fieldAt(199) != nullptr);
        QCOMPARE(page.window().fieldAt(0)->role, FieldRole::Magic);
        QCOMPARE(page.window().fieldAt(199)->role, FieldRole::Damage);
        // A button leads to the damage, and the reason stands beside the bytes.
        auto* damage = page.findChild<QPushButton*>(QStringLiteral("damage"));
        QVERIFY(damage != nullptr && damage->isVisible());
        QVERIFY(!damage->toolTip().isEmpty());
        page.view().goTo(0);
        QTest::mouseClick(damage, Qt::LeftButton);
        const std::uint64_t at = page.window().map()->damages().front().range.offset;
        QCOMPARE(page.view().cursor(), at);
        QVERIFY(at > 0 && page.window().fieldAt(at) != nullptr && page.window().fieldAt(at)->damage != nullptr);
        const auto labels = page.findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(
            labels, [](const QLabel* label) { return label->text().contains(QStringLiteral("Damage: ")); }));
        page.openFile(folder.filePath(QStringLiteral("missing")).toStdString(), 0);
        QTRY_VERIFY(!page.view().isVisible());
    }

    // The end of the file says that a tensor goes on behind it; a sound file has no such button.
    void tensorBeyondTheEnd() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("cut.gguf"));
        smallFile().write(path.toStdString());
        QFile file(path);
        QVERIFY(file.resize(file.size() - 40));
        const auto model = openModel(path.toStdString());
        QVERIFY(model.has_value());
        ShownBytes shown(*model);
        QVERIFY(shown.ready);
        auto* damage = shown.page.findChild<QPushButton*>(QStringLiteral("damage"));
        QVERIFY(damage != nullptr && damage->isVisible());
        QTest::mouseClick(damage, Qt::LeftButton);
        QCOMPARE(shown.page.view().cursor(), shown.page.window().size() - 1);
        QTRY_VERIFY(shown.says(QStringLiteral("Damage: ")));
        ShownBytes sound(readModel(smallFile()));
        QVERIFY(sound.ready);
        QVERIFY(!sound.page.findChild<QPushButton*>(QStringLiteral("damage"))->isVisible());
    }

    void nothingToShow() {
        ShownBytes shown(ModelMaker("llama").model());
        QVERIFY(shown.page.window().map() == nullptr);
        QVERIFY(!shown.page.view().isVisible());
        QVERIFY(!shown.page.filterField()->isEnabled());
    }

    void keepsTheCursor() {
        QJsonObject state;
        {
            ShownBytes shown(readModel(smallFile()));
            shown.page.view().goTo(77);
            state = shown.page.saveState();
        }
        BytesPage page;
        page.restoreState(state);
        page.setModel(readModel(smallFile()));
        QSignalSpy mapped(&page, &BytesPage::mapped);
        page.activate();
        QVERIFY(mapped.wait());
        QCOMPARE(page.view().cursor(), std::uint64_t{77});
    }

    // The menus of keys and tensors lead here, and so does the error of a file that cannot be opened.
    void menusLeadHere_data() {
        QTest::addColumn<QString>("page");
        QTest::addColumn<Place>("place");
        QTest::addColumn<OffsetIn>("offsetIn");
        QTest::newRow("key") << QStringLiteral("metadata") << Place::key("general.name")
                             << OffsetIn([](const Model& model) {
                                    return model.metadata[*model.metadata.indexOf("general.name")].offset;
                                });
        QTest::newRow("tensor") << QStringLiteral("tensors") << Place::tensor("blk.0.attn_q.weight")
                                << OffsetIn([](const Model& model) {
                                       return model.tensor(*model.findTensor("blk.0.attn_q.weight")).offset;
                                   });
    }
    void menusLeadHere() {
        QFETCH(const QString, page);
        QFETCH(const Place, place);
        QFETCH(const OffsetIn, offsetIn);
        const WindowFixture fixture;
        ModelTab* tab = fixture.open(writeFile(fixture.root / "a.gguf", tinyModel()));
        QVERIFY(tab != nullptr);
        QAbstractItemView* view = nullptr;
        tab->showPage(rowOfPage(page));
        QVERIFY(tab->goTo(place));
        for (auto* each : tab->currentPage()->findChildren<QAbstractItemView*>()) {
            view = each->isVisible() && qobject_cast<QHeaderView*>(each) == nullptr &&
                           each->contextMenuPolicy() == Qt::CustomContextMenu && each->currentIndex().isValid()
                       ? each
                       : view;
        }
        QVERIFY(view != nullptr);
        const std::uint64_t expected = offsetIn(*tab->model());
        QTimer chooses; // as the menu runs its own event loop
        connect(&chooses, &QTimer::timeout, &chooses, [] {
            if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) {
                for (QAction* action : menu->actions()) {
                    if (action->text() == QStringLiteral("Show &bytes")) {
                        action->trigger();
                    }
                }
                menu->close();
            }
        });
        chooses.start(10);
        emit view->customContextMenuRequested(view->visualRect(view->currentIndex()).center());
        chooses.stop();
        auto* bytes = qobject_cast<BytesPage*>(tab->currentPage());
        QVERIFY(bytes != nullptr);
        QTRY_VERIFY(bytes->window().map() != nullptr);
        QCOMPARE(bytes->view().cursor(), expected);
    }

    void fileThatCannotBeOpened() {
        const WindowFixture fixture;
        std::vector<std::byte> bytes = tinyModel();
        bytes.resize(100);
        ModelTab* tab = fixture.open(writeFile(fixture.root / "cut.gguf", bytes));
        QVERIFY(tab != nullptr && tab->hasFailed());
        for (QPushButton* button : tab->findChildren<QPushButton*>()) {
            if (button->text() == QStringLiteral("Show bytes")) {
                QVERIFY(button->isVisible());
                QTest::mouseClick(button, Qt::LeftButton);
            }
        }
        auto* page = tab->findChild<BytesPage*>();
        QVERIFY(page != nullptr && page->isVisible());
        QVERIFY(tab->hasFailed());
        QTRY_VERIFY(page->window().map() != nullptr);
        QCOMPARE(page->window().size(), std::uint64_t{100});
    }

    // Narrow windows show eight bytes in a row, and stay at the same place.
    void narrow() {
        ShownBytes shown(sampleModel());
        QCOMPARE(shown.page.view().bytesPerRow(), 16);
        shown.page.view().goTo(5'000);
        shown.page.resize(620, 400);
        QTRY_COMPARE(shown.page.view().bytesPerRow(), 8);
        const ByteRange range = shown.page.view().shown();
        QVERIFY(range.offset <= 5'000 && 5'000 < range.offset + range.length);
    }
};

GUFO_TEST_WIDGETS(TestBytesPage)
#include "tst_bytes_page.moc"
