// Every page without a mouse and for weak eyes. Walks the accessibility tree as a screen reader does (accessibility.py
// does so from outside): whatever can have the focus has a name and a role. The Tab key reaches all of it, in the order
// in which it is read, and shows where it is. Texts contrast with what is behind them.
#include "support/idle.h"
#include "support/test_unit.h"
#include "support/text_recorder.h"
#include "support/window_fixture.h"
#include "test_paths.h"
#include "ui/compare/compare_tab.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QAccessibleInterface>
#include <QAccessibleTableInterface>
#include <QApplication>
#include <QButtonGroup>
#include <QScrollArea>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace gufo;
using namespace gufo::ui;

namespace {

class Walk {
public:
    void visit(QAccessibleInterface* node) {
        if (node == nullptr || !node->isValid() || node->state().invisible) {
            return;
        }
        const QString name = node->text(QAccessible::Name);
        m_path << (name.isEmpty() ? QString::number(node->role(), 16) : name);
        if (node->state().focusable && !node->state().disabled) {
            ++m_focusable;
            if (name.isEmpty() && !isPartOfNamed(node) && !isScrollArea(node)) {
                complain(node, "has no name");
            }
            if (node->role() == QAccessible::NoRole || (node->role() == QAccessible::Client && !isScrollArea(node))) {
                complain(node, "has no role");
            }
            // On Linux, the name of a combo box is its choice.
            if (node->role() == QAccessible::ComboBox && node->relations(QAccessible::Label).isEmpty() &&
                node->text(QAccessible::Description).isEmpty()) {
                complain(node, "does not say what it is for");
            }
        }
        if (node->tableInterface() != nullptr) { // its cells are what it shows
            ++m_tables;
        } else {
            for (int i = 0; i < node->childCount(); ++i) {
                visit(node->child(i));
            }
        }
        m_path.removeLast();
    }

    [[nodiscard]] QStringList problems() const { return m_problems; }
    [[nodiscard]] int focusable() const { return m_focusable; }
    [[nodiscard]] int tables() const { return m_tables; }

private:
    // The line edit of a spin box or combo box is announced with the name of the box.
    static bool isPartOfNamed(const QAccessibleInterface* node) {
        const QAccessibleInterface* parent = node->parent();
        return parent != nullptr && !parent->text(QAccessible::Name).isEmpty() &&
               (parent->role() == QAccessible::SpinBox || parent->role() == QAccessible::ComboBox);
    }
    // It has the focus only so that keys scroll it; what it holds is announced.
    static bool isScrollArea(const QAccessibleInterface* node) {
        return node->object() != nullptr && node->object()->inherits("QScrollArea");
    }
    void complain(const QAccessibleInterface* node, const char* what) {
        const QObject* object = node->object();
        m_problems << QStringLiteral("%1 (%2) %3")
                          .arg(m_path.join(QStringLiteral(" › ")).right(160),
                               QLatin1String(object != nullptr ? object->metaObject()->className() : "-"),
                               QLatin1String(what));
    }

    QStringList m_path;
    QStringList m_problems;
    int m_focusable = 0;
    int m_tables = 0;
};

// What the Tab key can reach in a window.
QList<QWidget*> tabStops(const QWidget* window) {
    QList<QWidget*> found;
    for (QWidget* widget : window->findChildren<QWidget*>()) {
        const bool isPart = widget->focusProxy() != nullptr || qobject_cast<QScrollArea*>(widget) != nullptr;
        if ((widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isVisible() && widget->isEnabled() && !isPart) {
            found << widget;
        }
    }
    return found;
}

QString describe(const QWidget* widget) {
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    const QString text = button != nullptr ? button->text() : QString();
    return QStringLiteral("%1 “%2”").arg(QLatin1String(widget->metaObject()->className()),
                                         text.isEmpty() ? widget->accessibleName() : text);
}

// Whether `next` stands before `widget` for somebody who reads their common parent row by row.
bool isReadBefore(const QWidget* next, const QWidget* widget) {
    if (next->parentWidget() != widget->parentWidget()) {
        return false;
    }
    const QRect from = widget->geometry();
    const QRect to = next->geometry();
    const bool isSameRow = to.top() < from.bottom() && from.top() < to.bottom();
    return to.bottom() <= from.top() || (isSameRow && to.right() <= from.left());
}

double luminanceOf(const QColor& color) {
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrastOf(const QColor& a, const QColor& b) {
    const auto [low, high] = std::minmax({luminanceOf(a), luminanceOf(b)});
    return (high + 0.05) / (low + 0.05);
}

QColor mostFrequent(const QImage& image, const QRect& in) {
    QHash<QRgb, int> counts;
    for (int y = in.top(); y <= in.bottom(); ++y) {
        for (int x = in.left(); x <= in.right(); ++x) {
            ++counts[image.pixel(x, y)];
        }
    }
    const auto most = std::max_element(counts.begin(), counts.end());
    return most == counts.end() ? QColor() : QColor(most.key());
}

// Lists the texts whose contrast with their background is too low. Disabled controls are exempt.
QStringList faintTexts(QWidget* window) {
    QStringList found;
    for (QWidget* widget : window->findChildren<QWidget*>()) {
        if (!widget->isVisible() || !widget->isEnabled() || widget->size().isEmpty()) {
            continue;
        }
        test::TextRecorder recorder(widget->size());
        widget->render(&recorder, {}, {}, {});
        if (recorder.painted.isEmpty()) {
            continue;
        }
        const QImage image = widget->grab().toImage();
        for (const auto& [text, place, color] : recorder.painted) {
            const QRect visible = place.toAlignedRect().intersected(image.rect());
            if (visible.isEmpty() || text.trimmed().isEmpty()) {
                continue;
            }
            const QColor behind = mostFrequent(image, visible);
            const double alpha = color.alphaF();
            const QColor seen =
                QColor::fromRgbF(static_cast<float>(alpha * color.redF() + (1 - alpha) * behind.redF()),
                                 static_cast<float>(alpha * color.greenF() + (1 - alpha) * behind.greenF()),
                                 static_cast<float>(alpha * color.blueF() + (1 - alpha) * behind.blueF()));
            if (const double contrast = contrastOf(seen, behind); contrast < 4.5) {
                found << QStringLiteral("%1 paints “%2” %3 on %4: %5")
                             .arg(describe(widget), text.left(30), seen.name(), behind.name())
                             .arg(contrast, 0, 'f', 2);
            }
        }
    }
    found.removeDuplicates();
    return found;
}

} // namespace

class TestAccessibility : public QObject {
    Q_OBJECT

private slots:
    void init() {
        QAccessible::setActive(true);
        m_f = std::make_unique<WindowFixture>();
    }
    void cleanup() {
        m_f.reset();
        Theme::instance().setChoice(Theme::Choice::System);
    }
    void startPage();
    void pagesOfAModel();
    void pagesOfAComparison();
    void keyboardReachesEverything_data();
    void keyboardReachesEverything();
    void textsContrast_data();
    void textsContrast();

private:
    // Calls the function for the start page, and for each page of a model and of a comparison.
    void forEachPage(const std::function<void(const QString& title)>& look) {
        QVERIFY(test::waitUntilIdle()); // all of it follows the theme
        look(QStringLiteral("start page"));
        const auto visit = [&](WindowTab* tab) {
            for (int i = 0; i < static_cast<int>(tab->pages().size()); ++i) {
                tab->showPage(i);
                QVERIFY(test::waitUntilIdle());
                look(tab->pages()[static_cast<std::size_t>(i)]->title());
            }
        };
        m_f->window->openPlaces({sample("Q4_K")});
        ModelTab* model = m_f->window->currentModelTab();
        QTRY_VERIFY_WITH_TIMEOUT(model->isReady(), 30'000);
        visit(model);
        m_f->manager->compareFiles({sample("F16"), sample("Q8_0"), sample("Q4_K")});
        CompareTab* comparison = m_f->window->currentCompareTab();
        QTRY_VERIFY_WITH_TIMEOUT(comparison->isReady() && comparison->comparison().result(), 30'000);
        visit(comparison);
    }
    void check(const QString& page) {
        QVERIFY(test::waitUntilIdle());
        Walk walk;
        walk.visit(QAccessible::queryAccessibleInterface(m_f->window));
        QVERIFY2(walk.problems().isEmpty(), qPrintable(page + QStringLiteral(":\n") + walk.problems().join(u'\n')));
        QVERIFY2(walk.focusable() >= 5, qPrintable(page));
        m_tables += walk.tables();
    }
    void checkPages(WindowTab* tab) {
        for (int i = 0; i < static_cast<int>(tab->pages().size()); ++i) {
            tab->showPage(i);
            check(tab->pages()[static_cast<std::size_t>(i)]->title());
            if (QTest::currentTestFailed()) {
                return;
            }
        }
        QVERIFY(m_tables > 3);
    }
    static std::filesystem::path sample(const char* type) {
        return std::filesystem::path(GUFO_SAMPLE_DIR) / (std::string("gufo-sample-1.4M-chat-v1.0-") + type + ".gguf");
    }

    std::unique_ptr<WindowFixture> m_f;
    int m_tables = 0;
};

void TestAccessibility::startPage() { check(QStringLiteral("start page")); }

void TestAccessibility::pagesOfAModel() {
    m_f->window->openPlaces({sample("Q4_K")});
    ModelTab* tab = m_f->window->currentModelTab();
    QTRY_VERIFY_WITH_TIMEOUT(tab->isReady(), 30'000);
    checkPages(tab);
}

void TestAccessibility::pagesOfAComparison() {
    m_f->manager->compareFiles({sample("F16"), sample("Q8_0"), sample("Q4_K")});
    CompareTab* tab = m_f->window->currentCompareTab();
    QTRY_VERIFY_WITH_TIMEOUT(tab->isReady() && tab->comparison().result(), 30'000);
    checkPages(tab);
}

void TestAccessibility::keyboardReachesEverything_data() {
    QTest::addColumn<Theme::Choice>("theme");
    QTest::newRow("light") << Theme::Choice::Light;
    QTest::newRow("dark") << Theme::Choice::Dark;
}

void TestAccessibility::keyboardReachesEverything() {
    QFETCH(const Theme::Choice, theme);
    Theme::instance().setChoice(theme);
    QStringList problems;
    int reachedInAll = 0;
    forEachPage([&](const QString& title) {
        m_f->window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_f->window));
        m_f->window->setFocus();
        const QList<QWidget*> stops = tabStops(m_f->window);
        QList<QWidget*> reached;
        int atOnce = 0; // times that one control had the focus in a row
        for (qsizetype i = 0; i < 3 * stops.size() + 10; ++i) {
            QWidget* before = QApplication::focusWidget();
            if (before != nullptr && before->inherits("QsciScintilla")) { // in which Tab indents
                QWidget* next = before->nextInFocusChain();
                while (!stops.contains(next)) {
                    next = next->nextInFocusChain();
                }
                next->setFocus(Qt::TabFocusReason);
            } else {
                QTest::keyClick(before != nullptr ? before : m_f->window, Qt::Key_Tab);
            }
            QWidget* now = QApplication::focusWidget();
            if (now != nullptr && now == before && ++atOnce < 50) {
                continue; // from link to link in a text
            }
            atOnce = 0;
            if (now == nullptr || now == before) {
                problems
                    << QStringLiteral("%1: Tab does not leave %2").arg(title, before ? describe(before) : QString());
                break;
            }
            if (reached.contains(now)) {
                break; // it comes round
            }
            // The choice of conversations comes last in its bar.
            const bool isLast = now->inherits("gufo::ui::ConversationShelf");
            if (before != nullptr && before != m_f->window && isReadBefore(now, before) && !isLast) {
                problems
                    << QStringLiteral("%1: Tab goes from %2 back to %3").arg(title, describe(before), describe(now));
            }
            reached << now;
            // The focus can be seen.
            const QRect place = QRect(now->mapTo(m_f->window, QPoint()), now->size()).adjusted(-4, -4, 4, 4);
            const QImage with = m_f->window->grab(place).toImage();
            now->clearFocus();
            const QImage without = m_f->window->grab(place).toImage();
            now->setFocus(Qt::TabFocusReason);
            if (with == without) {
                problems << QStringLiteral("%1: the focus of %2 cannot be seen").arg(title, describe(now));
            }
        }
        for (QWidget* stop : tabStops(m_f->window)) {
            const auto* group = qobject_cast<const QAbstractButton*>(stop);
            const bool isInReachedGroup = group != nullptr && group->group() != nullptr &&
                                          std::ranges::any_of(group->group()->buttons(), [&](QAbstractButton* each) {
                                              return reached.contains(each);
                                          });
            if (!reached.contains(stop) && !isInReachedGroup && stops.contains(stop)) {
                problems << QStringLiteral("%1: Tab does not reach %2").arg(title, describe(stop));
            }
        }
        reachedInAll += static_cast<int>(reached.size());
    });
    for (const QString& problem : problems) {
        qWarning().noquote() << problem;
    }
    QVERIFY(problems.isEmpty());
    QVERIFY2(reachedInAll > 100, qPrintable(QString::number(reachedInAll)));
}

void TestAccessibility::textsContrast_data() { keyboardReachesEverything_data(); }

void TestAccessibility::textsContrast() {
    QFETCH(const Theme::Choice, theme);
    Theme::instance().setChoice(theme);
    QStringList problems;
    forEachPage([&](const QString& title) {
        for (const QString& problem : faintTexts(m_f->window)) {
            problems << title + QStringLiteral(": ") + problem;
        }
    });
    for (const QString& problem : problems) {
        qWarning().noquote() << problem;
    }
    QVERIFY(problems.isEmpty());
}

GUFO_TEST_WIDGETS(TestAccessibility)
#include "tst_accessibility.moc"
