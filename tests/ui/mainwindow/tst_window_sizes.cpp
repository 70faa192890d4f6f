// Tests of the sizes of windows.
#include "support/idle.h"
#include "support/test_unit.h"
#include "support/text_recorder.h"
#include "support/window_fixture.h"
#include "test_paths.h"
#include "ui/compare/compare_tab.h"
#include "ui/messages/catalogue.h"
#include "ui/saving/change_bar.h"
#include "ui/shell/sidebar.h"
#include "ui/widgets/elided_label.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QStyleOptionComboBox>
#include <QVBoxLayout>

using namespace gufo;
using namespace gufo::ui;

namespace {

fs::path sample(const char* type) {
    return fs::path(GUFO_SAMPLE_DIR) / (std::string("gufo-sample-1.4M-chat-v1.0-") + type + ".gguf");
}

// The viewport in which a widget can be scrolled, or its window. Pages scroll as wholes in windows below 900 × 600.
const QWidget* frameOf(const QWidget* widget) {
    for (const QWidget* parent = widget->parentWidget(); parent != nullptr; parent = parent->parentWidget()) {
        const auto* area = qobject_cast<const QAbstractScrollArea*>(parent->parentWidget());
        if (area != nullptr && area->viewport() == parent && area->objectName() == QLatin1String("pages")) {
            return static_cast<const QScrollArea*>(area)->widget();
        }
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
    const auto* label = qobject_cast<const QLabel*>(widget);
    const QString text = button != nullptr ? button->text() : label != nullptr ? label->text() : QString();
    return QStringLiteral("%1 “%2” %3")
        .arg(QLatin1String(widget->metaObject()->className()),
             (text.isEmpty() ? widget->accessibleName() : text).left(60), widget->toolTip().left(40));
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
    const bool isName = label->text() == label->toolTip(); // names of files and tensors are cut
    if (label->text().isEmpty() || isName) {
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

QString problemOfText(const QComboBox* box) {
    QStyleOptionComboBox option;
    option.initFrom(box);
    option.editable = box->isEditable();
    const int room =
        box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box).width();
    const int needed = box->fontMetrics().horizontalAdvance(box->currentText());
    return needed > room ? QStringLiteral("is cut: “%1” %2 of %3").arg(box->currentText()).arg(room).arg(needed)
                         : QString();
}

QString problemOfText(const QLineEdit* field) {
    const int room = field->width() - 2 * 2 - field->textMargins().left() - field->textMargins().right();
    const int needed = field->fontMetrics().horizontalAdvance(field->placeholderText());
    return field->text().isEmpty() && needed > room
               ? QStringLiteral("is cut: “%1” %2 of %3").arg(field->placeholderText()).arg(room).arg(needed)
               : QString();
}

} // namespace

class TestWindowSizes : public QObject {
    Q_OBJECT

private slots:
    void init() { makeWindow(); }
    void cleanup() {
        m_f.reset();
        setLanguage({});
    }
    void firstWindowFitsTheScreen_data();
    void firstWindowFitsTheScreen();
    void everyPageFitsTheSmallestWindow_data();
    void everyPageFitsTheSmallestWindow();
    void findsWhatIsCut();
    void nothingIsCut_data();
    void nothingIsCut();
    void smallestWindowScrolls();
    void textsOfTheStartPageAreWhole();

private:
    void makeWindow();
    [[nodiscard]] static QStringList problemsOfTexts(const QWidget* root);
    [[nodiscard]] static QStringList problemsOfControls(const QWidget* root);
    [[nodiscard]] QStringList problemsOfDialogs() const;
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
    QTest::newRow("1440 × 900 at twice the scale") << QSize(720, 450) << QSize(712, 410);
    QTest::newRow("smaller than the smallest window") << QSize(400, 300) << QSize(480, 320);
}

void TestWindowSizes::firstWindowFitsTheScreen() {
    QFETCH(QSize, room);
    QTEST(MainWindow::firstSize(room), "size");
    const QSize smallest = MainWindow::smallestSize(room);
    QCOMPARE(smallest, smallest.boundedTo(MainWindow::firstSize(room)));
    QSettings().clear();
    const MainWindow first(m_f->manager.get()); // there is no geometry to restore
    QCOMPARE(first.size(), MainWindow::firstSize(first.screen()->availableSize()));
}

void TestWindowSizes::makeWindow() {
    m_f = std::make_unique<WindowFixture>();
    m_f->manager = std::make_unique<WindowManager>(WindowManager::SessionKeeping::Off); // which takes time at each page
    m_f->window = m_f->manager->newWindow();
}

QStringList TestWindowSizes::problemsOfTexts(const QWidget* root) {
    QStringList problems;
    const auto add = [&](const QWidget* widget, const QString& problem) {
        if (!problem.isEmpty()) {
            problems << describe(widget) + u' ' + problem;
        }
    };
    for (QWidget* widget : root->findChildren<QWidget*>()) {
        if (!widget->isVisible()) {
            continue;
        }
        if (const auto* label = qobject_cast<const QLabel*>(widget)) {
            add(label, problemOfText(label));
        } else if (const auto* box = qobject_cast<const QComboBox*>(widget)) {
            add(box, problemOfText(box));
            continue;
        } else if (const auto* field = qobject_cast<const QLineEdit*>(widget)) {
            add(field, problemOfText(field));
            continue;
        } else if (const auto* header = qobject_cast<const QHeaderView*>(widget);
                   header != nullptr && header->orientation() == Qt::Horizontal) {
            for (int i = 0; i < header->count(); ++i) {
                const int needed =
                    header->fontMetrics().horizontalAdvance(header->model()->headerData(i, Qt::Horizontal).toString());
                if (!header->isSectionHidden(i) && needed + 8 > header->sectionSize(i)) {
                    add(header, QStringLiteral("is cut: “%1” %2 of %3")
                                    .arg(header->model()->headerData(i, Qt::Horizontal).toString())
                                    .arg(header->sectionSize(i))
                                    .arg(needed + 8));
                }
            }
            continue;
        }
        // Data, and texts that scroll.
        const auto* area = qobject_cast<const QAbstractScrollArea*>(widget->parentWidget());
        const bool scrolls =
            area != nullptr && area->viewport() == widget &&
            (qobject_cast<const QAbstractItemView*>(area) != nullptr || area->horizontalScrollBar()->maximum() > 0);
        // What saving will do takes several sentences; the review shows them whole.
        const bool isPlan = qobject_cast<const ChangeBar*>(widget->parentWidget()) != nullptr &&
                            qobject_cast<const ElidedLabel*>(widget) != nullptr;
        const auto* label = qobject_cast<const QLabel*>(widget);
        const bool isName = label != nullptr && label->text() == label->toolTip();
        if ((scrolls && qobject_cast<const Sidebar*>(area) == nullptr) || isPlan || isName) {
            continue;
        }
        test::TextRecorder recorder(widget->size());
        widget->render(&recorder, {}, {}, {});
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        for (const QString& text : recorder.texts) {
            // Names are elided in the middle.
            if (text.size() > 1 && text.endsWith(QChar(0x2026)) &&
                (button == nullptr || !button->text().contains(QChar(0x2026)))) {
                add(widget, QStringLiteral("paints “%1”").arg(text));
            }
        }
        for (const QString& text : recorder.outside) {
            add(widget, QStringLiteral("paints outside “%1”").arg(text));
        }
    }
    return problems;
}

QStringList TestWindowSizes::problemsOfControls(const QWidget* root) {
    QStringList problems;
    for (const QWidget* control : root->findChildren<QWidget*>()) {
        const QString problem = control->isVisible() && isControl(control) ? problemOf(control) : QString();
        if (!problem.isEmpty()) {
            problems << describe(control) + u' ' + problem;
        }
    }
    return problems;
}

QStringList TestWindowSizes::problemsOf(WindowTab* tab) const {
    QStringList problems;
    for (int i = 0; i < static_cast<int>(tab->pages().size()); ++i) {
        tab->showPage(i);
        const Page* page = tab->pages()[static_cast<std::size_t>(i)];
        QStringList found;
        if (!test::waitUntilIdle()) {
            found << QStringLiteral("is never idle");
        }
        const QSize minimum = page->minimumSizeHint();
        if (minimum.width() > page->width() || minimum.height() > page->height()) {
            found << QStringLiteral("needs %1 × %2 of %3 × %4")
                         .arg(minimum.width())
                         .arg(minimum.height())
                         .arg(page->width())
                         .arg(page->height());
        }
        found << problemsOfControls(m_f->window) << problemsOfTexts(m_f->window);
        for (const QString& problem : found) {
            problems << page->title() + QStringLiteral(": ") + problem;
        }
    }
    return problems;
}

void TestWindowSizes::everyPageFitsTheSmallestWindow_data() {
    QTest::addColumn<QSize>("first"); // the window's size when the pages are first shown
    QTest::newRow("after a large window") << QSize(2560, 1440);
}

void TestWindowSizes::everyPageFitsTheSmallestWindow() {
    QFETCH(const QSize, first);
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
    m_f->window->openPlaces({sample("Q4_K")});
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

// What the following test relies on.
void TestWindowSizes::findsWhatIsCut() {
    const QString text = QStringLiteral("Rindfleischetikettierungsüberwachung");
    QWidget room;
    auto* button = new QPushButton(text, &room);
    auto* label = new QLabel(text, &room);
    auto* elided = new ElidedLabel(TextStyle::Body, Token::Text, Qt::ElideRight, &room);
    elided->setText(text);
    auto* box = new QComboBox(&room);
    box->addItem(text);
    auto* field = new QLineEdit(&room);
    field->setPlaceholderText(text);
    auto* column = new QVBoxLayout(&room);
    for (QWidget* widget : std::initializer_list<QWidget*>{button, label, elided, box, field}) {
        widget->setMinimumWidth(1);
        column->addWidget(widget);
    }
    room.resize(600, 400);
    room.show();
    QVERIFY(QTest::qWaitForWindowExposed(&room));
    QCOMPARE(problemsOfTexts(&room) + problemsOfControls(&room), QStringList());
    for (QWidget* widget : std::initializer_list<QWidget*>{button, label, elided, box, field}) {
        widget->setMaximumWidth(100);
        QVERIFY(test::waitUntilIdle());
        QVERIFY2(!(problemsOfTexts(&room) + problemsOfControls(&room)).isEmpty(), widget->metaObject()->className());
        widget->setMaximumWidth(QWIDGETSIZE_MAX);
        QVERIFY(test::waitUntilIdle());
    }
}

void TestWindowSizes::nothingIsCut_data() {
    QTest::addColumn<QString>("language");
    for (const char* language : {"en", "de", "ru", "zh_CN"}) {
        QTest::newRow(language) << QString::fromLatin1(language);
    }
}

void TestWindowSizes::nothingIsCut() {
    QFETCH(const QString, language);
    m_f.reset(); // texts of a window that exists do not change
    setLanguage(language);
    makeWindow();
    QStringList problems;
    const auto lookAt = [&](WindowTab* tab) {
        for (const QSize size : {QSize(900, 600), QSize(640, 480)}) {
            m_f->window->resize(size);
            for (const QString& problem : problemsOf(tab)) {
                problems << QStringLiteral("%1: %2").arg(size.width()).arg(problem);
            }
        }
    };
    m_f->window->resize(900, 600);
    m_f->window->openPlaces({sample("Q4_K")});
    ModelTab* model = m_f->window->currentModelTab();
    QTRY_VERIFY_WITH_TIMEOUT(model->isReady(), 30'000);
    QVERIFY(model->document()->apply({SetKey{.key = "general.name", .value = OwnedValue::string("Edited")}},
                                     QStringLiteral("Set general.name")));
    lookAt(model);
    m_f->manager->compareFiles({sample("F16"), sample("Q8_0"), sample("Q4_K")});
    CompareTab* comparison = m_f->window->currentCompareTab();
    QTRY_VERIFY_WITH_TIMEOUT(comparison->isReady() && comparison->comparison().result(), 30'000);
    lookAt(comparison);
    m_f->window->openPlaces({sample("F16")});
    QTRY_VERIFY_WITH_TIMEOUT(m_f->window->currentModelTab()->isReady(), 30'000);
    problems << problemsOfDialogs();
    for (const QString& problem : problems) {
        qWarning().noquote() << problem; // a message of QVERIFY2 has room for some of them only
    }
    QVERIFY(problems.isEmpty());
}

// In a window of 640 × 480 a page has the room that it needs, and its hidden part is reached by scrolling. Menus, tabs
// and the status line fit.
void TestWindowSizes::smallestWindowScrolls() {
    const QSize smallest(640, 480);
    QCOMPARE(m_f->window->minimumSize(), smallest);
    m_f->window->resize(smallest);
    m_f->window->openPlaces({std::filesystem::path(GUFO_SAMPLE_DIR) / "gufo-sample-1.4M-chat-v1.0-Q4_K.gguf"});
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

// On a screen of 640 × 480, the buttons of larger dialogs would be out of reach.
QStringList TestWindowSizes::problemsOfDialogs() const {
    QStringList problems;
    for (const char* action :
         {"quantise", "quantiseForSize", "split", "mergeAdapters", "imatrix", "perplexity", "shortcuts"}) {
        const auto shown = [this] {
            const auto dialogs = m_f->window->findChildren<QDialog*>();
            const auto found = std::ranges::find_if(dialogs, &QWidget::isVisible);
            return found != dialogs.end() ? *found : nullptr;
        };
        m_f->window->namedAction(action)->trigger();
        QStringList found;
        if (!QTest::qWaitFor([&] { return shown() != nullptr; }) || !test::waitUntilIdle()) {
            return {QStringLiteral("%1 does not open").arg(QLatin1String(action))};
        }
        QDialog* dialog = shown();
        if (dialog->width() > 640 || dialog->height() > 480) {
            found << QStringLiteral("is too large: %1 × %2").arg(dialog->width()).arg(dialog->height());
        }
        found << problemsOfControls(dialog) << problemsOfTexts(dialog);
        for (const QString& problem : found) {
            problems << QStringLiteral("%1: %2").arg(QLatin1String(action), problem);
        }
        dialog->close();
        if (!QTest::qWaitFor([&] { return shown() == nullptr; })) {
            return {QStringLiteral("%1 does not close").arg(QLatin1String(action))};
        }
    }
    return problems;
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
