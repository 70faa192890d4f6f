// The habits of controls, which the style gives to all of them: the mouse wheel changes only the control that has the
// keyboard focus, on whatever page, and Enter presses the focused button.
#include "support/idle.h"
#include "support/test_unit.h"
#include "support/window_fixture.h"
#include "test_paths.h"
#include "ui/compare/compare_tab.h"
#include "ui/convert/convert_dialog.h"
#include "ui/pages/run/run_keys.h"
#include "ui/pages/run/run_page.h"
#include "ui/quantize/quantize_dialog.h"
#include "ui/tools/imatrix_dialog.h"
#include "ui/tools/perplexity_dialog.h"
#include "ui/tools/split_dialog.h"

#include <QApplication>
#include <QComboBox>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <QtTest/qtestspontaneevent.h>

#include <functional>

using namespace gufo;
using namespace gufo::ui;

namespace {

fs::path sample(const char* type) {
    return fs::path(GUFO_SAMPLE_DIR) / (std::string("gufo-sample-1.4M-chat-v1.0-") + type + ".gguf");
}

// Turns the wheel by a notch towards the user. Only an event of the system goes on to what contains the widget.
void turnWheel(QWidget& widget) {
    const QPointF middle = QRectF(widget.rect()).center();
    QWheelEvent event(middle, widget.mapToGlobal(middle), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&event);
    qApp->notify(&widget, &event);
}

// What a control shows; empty if it is none that a wheel might change.
QString stateOf(const QWidget& widget) {
    if (const auto* combo = qobject_cast<const QComboBox*>(&widget)) {
        return QStringLiteral("entry %1").arg(combo->currentIndex());
    }
    if (const auto* box = qobject_cast<const QAbstractSpinBox*>(&widget)) {
        return QStringLiteral("text ") + box->text();
    }
    const auto* slider = qobject_cast<const QAbstractSlider*>(&widget);
    return slider != nullptr && qobject_cast<const QScrollBar*>(slider) == nullptr
               ? QStringLiteral("value %1").arg(slider->value())
               : QString();
}

struct Scrolled {
    int controls = 0;
    QStringList changed;
    QStringList focusedByWheel;
};

// Hidden controls, such as those of folded groups, are tried as well.
void scrollPast(const QWidget& root, Scrolled& scrolled) {
    if (QWidget* focused = QApplication::focusWidget()) {
        focused->clearFocus();
    }
    for (QWidget* widget : root.findChildren<QWidget*>()) {
        const QString before = stateOf(*widget);
        if (before.isEmpty()) {
            continue;
        }
        scrolled.controls += 1;
        const QString name = QLatin1String(root.metaObject()->className()) + u' ' + widget->accessibleName();
        for (int i = 0; i < 3; ++i) {
            turnWheel(*widget);
        }
        if (stateOf(*widget) != before) {
            scrolled.changed << name;
        }
        if ((widget->focusPolicy() & Qt::WheelFocus) == Qt::WheelFocus) {
            scrolled.focusedByWheel << name;
        }
    }
}

void scrollPastPages(WindowTab& tab, Scrolled& scrolled) {
    for (int i = 0; i < static_cast<int>(tab.pages().size()); ++i) {
        tab.showPage(i);
        (void)test::waitUntilIdle([] { return true; });
        scrollPast(*tab.pages()[static_cast<std::size_t>(i)], scrolled);
    }
}

using ScrollRecipe = std::function<void(WindowFixture&, Scrolled&)>;

void scrollPastModel(WindowFixture& f, const fs::path& path, Scrolled& scrolled) {
    f.window->openPlaces({path});
    ModelTab* tab = f.window->currentModelTab();
    QTRY_VERIFY_WITH_TIMEOUT(tab->isReady(), 30'000);
    scrollPastPages(*tab, scrolled);
}

void scrollPastComparison(WindowFixture& f, Scrolled& scrolled) {
    f.manager->compareFiles({sample("F16"), sample("Q8_0")});
    CompareTab* tab = f.window->currentCompareTab();
    QTRY_VERIFY_WITH_TIMEOUT(tab->isReady() && tab->comparison().result(), 30'000);
    scrollPastPages(*tab, scrolled);
}

void scrollPastDialogs(WindowFixture& f, Scrolled& scrolled) {
    f.window->openPlaces({sample("F16")});
    ModelTab* tab = f.window->currentModelTab();
    QTRY_VERIFY_WITH_TIMEOUT(tab->isReady(), 30'000);
    QuantizeDialog quantize(tab->document()->current(), nullptr);
    ConvertDialog convert(GUFO_TEST_DATA "/convert/llama/source", nullptr);
    SplitDialog split(tab->document()->current(), nullptr);
    ImatrixDialog imatrix(tab->document()->current(), nullptr);
    PerplexityDialog perplexity(tab->document()->current(), nullptr);
    for (QDialog* dialog : std::initializer_list<QDialog*>{&quantize, &convert, &split, &imatrix, &perplexity}) {
        dialog->show();
        (void)test::waitUntilIdle([] { return true; });
        scrollPast(*dialog, scrolled);
    }
}

} // namespace

class TestControlHabits : public QObject {
    Q_OBJECT

private slots:
    void wheelPassesUnfocusedControls_data();
    void wheelPassesUnfocusedControls();
    void wheelChangesFocusedControl();
    void wheelScrollsWhatContainsTheControl();
    void enterPressesFocusedButton_data();
    void enterPressesFocusedButton();
    void findShowsTheBarOfConversations();
    void helpListsKeysOfTheRunPage();
};

void TestControlHabits::wheelPassesUnfocusedControls_data() {
    QTest::addColumn<ScrollRecipe>("scroll");
    QTest::addColumn<int>("leastControls");
    QTest::newRow("pages of a model") << ScrollRecipe([](WindowFixture& f, Scrolled& scrolled) {
        scrollPastModel(f, sample("F16"), scrolled);
    }) << 20;
    QTest::newRow("pages of an encoder") << ScrollRecipe([](WindowFixture& f, Scrolled& scrolled) {
        scrollPastModel(f, GUFO_TEST_DATA "/encoders/bert.gguf", scrolled);
    }) << 5;
    QTest::newRow("pages of a comparison") << ScrollRecipe(scrollPastComparison) << 3;
    QTest::newRow("dialogs") << ScrollRecipe(scrollPastDialogs) << 3;
}

void TestControlHabits::wheelPassesUnfocusedControls() {
    QFETCH(const ScrollRecipe, scroll);
    WindowFixture f;
    Scrolled scrolled;
    scroll(f, scrolled);
    QVERIFY2(scrolled.changed.isEmpty(), qPrintable(scrolled.changed.join(u'\n')));
    QVERIFY2(scrolled.focusedByWheel.isEmpty(), qPrintable(scrolled.focusedByWheel.join(u'\n')));
    QFETCH(int, leastControls);
    QVERIFY2(scrolled.controls >= leastControls, qPrintable(QString::number(scrolled.controls)));
}

void TestControlHabits::wheelChangesFocusedControl() {
    WindowFixture f;
    QWidget window;
    auto* layout = new QVBoxLayout(&window);
    auto* box = new QSpinBox(&window);
    auto* combo = new QComboBox(&window);
    auto* slider = new QSlider(Qt::Horizontal, &window);
    combo->addItems({"a", "b", "c"});
    for (QWidget* widget : std::initializer_list<QWidget*>{box, combo, slider}) {
        layout->addWidget(widget);
    }
    box->setValue(5);
    slider->setValue(5);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    for (QWidget* widget : std::initializer_list<QWidget*>{box, combo, slider}) {
        widget->setFocus();
        QTRY_VERIFY(widget->hasFocus());
        const QString before = stateOf(*widget);
        turnWheel(*widget);
        QVERIFY2(stateOf(*widget) != before, widget->metaObject()->className());
    }
}

void TestControlHabits::wheelScrollsWhatContainsTheControl() {
    WindowFixture f;
    QScrollArea area;
    auto* content = new QWidget;
    content->setFixedSize(200, 2000);
    auto* box = new QSpinBox(content);
    box->setValue(5);
    area.setWidget(content);
    area.resize(240, 300);
    area.show();
    QVERIFY(QTest::qWaitForWindowExposed(&area));
    box->clearFocus();
    turnWheel(*box);
    QCOMPARE(box->value(), 5);
    QVERIFY(area.verticalScrollBar()->value() > 0);
}

void TestControlHabits::enterPressesFocusedButton_data() {
    QTest::addColumn<bool>("isTool");
    QTest::addColumn<int>("key");
    QTest::newRow("push button, Return") << false << static_cast<int>(Qt::Key_Return);
    QTest::newRow("push button, Enter of the keypad") << false << static_cast<int>(Qt::Key_Enter);
    QTest::newRow("tool button") << true << static_cast<int>(Qt::Key_Return);
}

void TestControlHabits::enterPressesFocusedButton() {
    QFETCH(bool, isTool);
    QFETCH(int, key);
    WindowFixture f;
    QWidget window;
    auto* layout = new QVBoxLayout(&window);
    QAbstractButton* button = nullptr;
    if (isTool) {
        button = new QToolButton(&window);
    } else {
        button = new QPushButton(&window);
    }
    layout->addWidget(button);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QSignalSpy clicked(button, &QAbstractButton::clicked);
    QTest::keyClick(button, static_cast<Qt::Key>(key));
    QCOMPARE(clicked.count(), 1);
    QTest::keyClick(button, static_cast<Qt::Key>(key), Qt::ControlModifier);
    QCOMPARE(clicked.count(), 1);
    button->setEnabled(false);
    QTest::keyClick(button, static_cast<Qt::Key>(key));
    QCOMPARE(clicked.count(), 1);
}

// Ctrl+F unfolds the bar of the Run page, and takes the typed text.
void TestControlHabits::findShowsTheBarOfConversations() {
    WindowFixture f;
    f.window->openPlaces({sample("F16")});
    ModelTab* tab = f.window->currentModelTab();
    QTRY_VERIFY_WITH_TIMEOUT(tab->isReady(), 30'000);
    for (int i = 0; i < static_cast<int>(tab->pages().size()); ++i) {
        if (qobject_cast<RunPage*>(tab->pages()[static_cast<std::size_t>(i)]) != nullptr) {
            tab->showPage(i);
        }
    }
    auto* finder = f.window->findChild<ConversationFinder*>();
    QVERIFY(finder != nullptr && !finder->isVisible());
    f.window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(f.window));
    QTest::keyClick(f.window, Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(finder->isVisible());
    QTRY_VERIFY(finder->field()->hasFocus());
    QTest::keyClick(finder->field(), Qt::Key_Escape);
    QVERIFY(!finder->isVisible());
}

void TestControlHabits::helpListsKeysOfTheRunPage() {
    WindowFixture f;
    f.window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(f.window));
    QTest::keyClick(f.window, Qt::Key_F1, Qt::ControlModifier);
    QDialog* help = nullptr;
    QTRY_VERIFY((help = f.window->findChild<QDialog*>()) != nullptr);
    QStringList texts;
    const auto* table = help->findChild<QTableWidget*>();
    QVERIFY(table != nullptr);
    for (int row = 0; row < table->rowCount(); ++row) {
        texts << table->item(row, 0)->text() + u' ' + table->item(row, 1)->text();
    }
    for (const RunKey& key : runKeys()) {
        QVERIFY2(texts.contains(QCoreApplication::translate("gufo::ui::HelpDialogs", key.what) + u' ' + key.keysText()),
                 key.what);
    }
}

GUFO_TEST_WIDGETS(TestControlHabits)
#include "tst_control_habits.moc"
