// Tests of the sizes of windows.
#include "support/idle.h"
#include "support/test_unit.h"
#include "support/window_fixture.h"
#include "test_paths.h"
#include "ui/compare/compare_tab.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>

using namespace gufo;
using namespace gufo::ui;

namespace {

// The viewport in which a widget can be scrolled, or its window.
const QWidget* frameOf(const QWidget* widget) {
    for (const QWidget* parent = widget->parentWidget(); parent != nullptr; parent = parent->parentWidget()) {
        const auto* area = qobject_cast<const QAbstractScrollArea*>(parent->parentWidget());
        if (parent->isWindow() || (area != nullptr && area->viewport() == parent)) {
            return parent;
        }
    }
    return widget->window();
}

bool isControl(const QWidget* widget) {
    const bool isPartOfField = qobject_cast<const QLineEdit*>(widget->parentWidget()) != nullptr; // an icon in it
    return !isPartOfField && (qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                              qobject_cast<const QComboBox*>(widget) != nullptr ||
                              qobject_cast<const QAbstractSpinBox*>(widget) != nullptr);
}

QString describe(const QWidget* widget) {
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    return QStringLiteral("%1 “%2” %3")
        .arg(QLatin1String(widget->metaObject()->className()),
             button != nullptr && !button->text().isEmpty() ? button->text() : widget->accessibleName(),
             widget->toolTip().left(40));
}

// What is wrong with the place of a visible control; empty if nothing is.
QString problemOf(const QWidget* control) {
    const QWidget* frame = frameOf(control);
    const QRect place(control->mapTo(frame, QPoint()), control->size());
    const bool scrolls = !frame->isWindow();
    if (place.left() < 0 || place.right() >= frame->width() ||
        (!scrolls && (place.top() < 0 || place.bottom() >= frame->height()))) {
        return QStringLiteral("is outside: %1 to %2 of %3, %4 to %5 of %6")
            .arg(place.left())
            .arg(place.right())
            .arg(frame->width())
            .arg(place.top())
            .arg(place.bottom())
            .arg(frame->height());
    }
    const QSize minimum = control->minimumSizeHint().boundedTo(control->maximumSize());
    if (qobject_cast<const QAbstractButton*>(control) != nullptr &&
        (control->width() < minimum.width() || control->height() < minimum.height())) {
        return QStringLiteral("is cut: %1 × %2 of %3 × %4")
            .arg(control->width())
            .arg(control->height())
            .arg(minimum.width())
            .arg(minimum.height());
    }
    return {};
}

// What is wrong with the text of a visible label; empty if all of it can be read. ElidedLabel is another class.
QString problemOfText(const QLabel* label) {
    if (label->text().isEmpty()) {
        return {};
    }
    const QSize minimum = label->wordWrap() ? QSize(0, label->heightForWidth(label->width())) : label->sizeHint();
    return label->width() < minimum.width() || label->height() < minimum.height()
               ? QStringLiteral("is cut: %1 × %2 of %3 × %4")
                     .arg(label->width())
                     .arg(label->height())
                     .arg(minimum.width())
                     .arg(minimum.height())
               : QString();
}

} // namespace

class TestWindowSizes : public QObject {
    Q_OBJECT

private slots:
    void init() { m_f = std::make_unique<WindowFixture>(); }
    void cleanup() { m_f.reset(); }
    void firstWindowFitsTheScreen_data();
    void firstWindowFitsTheScreen();
    void everyPageFitsTheSmallestWindow_data();
    void everyPageFitsTheSmallestWindow();
    void smallestWindowScrolls();
    void textsOfTheStartPageAreWhole();

private:
    [[nodiscard]] static QStringList problemsOfTexts(const QWidget* widget);
    [[nodiscard]] QStringList problemsOf(WindowTab* tab) const;
    std::unique_ptr<WindowFixture> m_f;
};

void TestWindowSizes::firstWindowFitsTheScreen_data() {
    QTest::addColumn<QSize>("room"); // of the screen, without panels
    QTest::addColumn<QSize>("size");
    QTest::newRow("large") << QSize(2560, 1400) << QSize(1440, 900);
    QTest::newRow("laptop") << QSize(1366, 768) << QSize(1358, 728);
    QTest::newRow("laptop with a panel") << QSize(1366, 728) << QSize(1358, 688);
    QTest::newRow("low") << QSize(1920, 800) << QSize(1440, 760);
    QTest::newRow("1920 × 1080 at twice the scale") << QSize(960, 540) << QSize(952, 500);
    QTest::newRow("smaller than the smallest window") << QSize(600, 400) << QSize(640, 480);
}

void TestWindowSizes::firstWindowFitsTheScreen() {
    QFETCH(QSize, room);
    QTEST(MainWindow::firstSize(room), "size");
    QSettings().clear();
    const MainWindow first(m_f->manager.get()); // there is no geometry to restore
    QCOMPARE(first.size(), MainWindow::firstSize(first.screen()->availableSize()));
}

QStringList TestWindowSizes::problemsOfTexts(const QWidget* widget) {
    QStringList problems;
    for (const QLabel* label : widget->findChildren<QLabel*>()) {
        const QString problem = label->isVisible() ? problemOfText(label) : QString();
        if (!problem.isEmpty()) {
            problems << QStringLiteral("“%1” %2").arg(label->text().left(60), problem);
        }
    }
    return problems;
}

QStringList TestWindowSizes::problemsOf(WindowTab* tab) const {
    QStringList problems;
    for (int i = 0; i < static_cast<int>(tab->pages().size()); ++i) {
        tab->showPage(i);
        const Page* page = tab->pages()[static_cast<std::size_t>(i)];
        if (!test::waitUntilIdle()) {
            problems << page->title() + QStringLiteral(" is never idle");
        }
        const QSize minimum = page->minimumSizeHint();
        if (minimum.width() > page->width() || minimum.height() > page->height()) {
            problems << QStringLiteral("%1 needs %2 × %3 of %4 × %5")
                            .arg(page->title())
                            .arg(minimum.width())
                            .arg(minimum.height())
                            .arg(page->width())
                            .arg(page->height());
        }
        for (const QWidget* control : m_f->window->findChildren<QWidget*>()) {
            const QString problem = control->isVisible() && isControl(control) ? problemOf(control) : QString();
            if (!problem.isEmpty()) {
                problems << page->title() + QStringLiteral(": ") + describe(control) + u' ' + problem;
            }
        }
        problems << problemsOfTexts(page);
    }
    return problems;
}

void TestWindowSizes::everyPageFitsTheSmallestWindow_data() {
    QTest::addColumn<QSize>("first"); // the window's size when the pages are first shown
    QTest::newRow("from the start") << QSize(900, 600);
    QTest::newRow("after a large window") << QSize(2560, 1440);
}

void TestWindowSizes::everyPageFitsTheSmallestWindow() {
    QFETCH(const QSize, first);
    const auto sample = [](const char* type) {
        return std::filesystem::path(GUFO_SAMPLE_DIR) / (std::string("gufo-sample-") + type + ".gguf");
    };
    const auto problemsAfter = [&](WindowTab* tab) {
        m_f->window->resize(first);
        for (int i = 0; i < static_cast<int>(tab->pages().size()) && first != QSize(900, 600); ++i) {
            tab->showPage(i);
            if (!test::waitUntilIdle()) {
                return QStringList{QStringLiteral("a page is never idle")};
            }
        }
        m_f->window->resize(900, 600);
        return problemsOf(tab);
    };
    m_f->window->resize(first);
    m_f->window->openPaths({sample("Q4_K")});
    ModelTab* model = m_f->window->currentModelTab();
    QTRY_VERIFY_WITH_TIMEOUT(model->isReady(), 30'000);
    // With the bar of unsaved changes and a notice, which take room from the page.
    QVERIFY(model->document()->apply({SetKey{.key = "general.name", .value = OwnedValue::string("Edited")}},
                                     QStringLiteral("Set general.name")));
    QStringList problems = problemsAfter(model);
    m_f->manager->compareFiles({sample("F16"), sample("Q8_0"), sample("Q4_K")});
    CompareTab* comparison = m_f->window->currentCompareTab();
    QTRY_VERIFY_WITH_TIMEOUT(comparison->isReady() && comparison->comparison().result(), 30'000);
    problems += problemsAfter(comparison);
    QCOMPARE(m_f->window->size(), QSize(900, 600));
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join(u'\n')));
}

// In a window of 640 × 480 a page has the room that it needs, and its hidden part is reached by scrolling. Menus, tabs
// and the status line fit.
void TestWindowSizes::smallestWindowScrolls() {
    const QSize smallest(640, 480);
    QCOMPARE(m_f->window->minimumSize(), smallest);
    m_f->window->resize(smallest);
    m_f->window->openPaths({std::filesystem::path(GUFO_SAMPLE_DIR) / "gufo-sample-Q4_K.gguf"});
    ModelTab* tab = m_f->window->currentModelTab();
    QTRY_VERIFY_WITH_TIMEOUT(tab->isReady(), 30'000);
    QCOMPARE(m_f->window->size(), smallest);
    QVERIFY(tab->width() <= smallest.width());
    for (int i = 0; i < static_cast<int>(tab->pages().size()); ++i) {
        tab->showPage(i);
        QVERIFY(test::waitUntilIdle());
        const Page* page = tab->pages()[static_cast<std::size_t>(i)];
        // As large as in a window of 900 × 600, where everything fits.
        QVERIFY2(page->width() >= 840 && page->height() >= 440, qPrintable(page->title()));
        const auto* area = page->window()->findChild<QScrollArea*>(QStringLiteral("pages"));
        QVERIFY(area != nullptr && area->isAncestorOf(page));
        const QPoint end = page->mapTo(area->widget(), QPoint(page->width(), page->height()));
        QVERIFY2(end.x() <= area->horizontalScrollBar()->maximum() + area->viewport()->width() &&
                     end.y() <= area->verticalScrollBar()->maximum() + area->viewport()->height(),
                 qPrintable(page->title()));
    }
    QCOMPARE(m_f->window->size(), smallest);
}

void TestWindowSizes::textsOfTheStartPageAreWhole() {
    for (const QSize size : {QSize(900, 600), QSize(1366, 768), QSize(2560, 1440)}) {
        m_f->window->resize(size);
        QVERIFY(test::waitUntilIdle());
        const QStringList problems = problemsOfTexts(m_f->window);
        QVERIFY2(problems.isEmpty(), qPrintable(problems.join(u'\n')));
    }
}

GUFO_TEST_WIDGETS(TestWindowSizes)
#include "tst_window_sizes.moc"
