// Walks the accessibility tree of every page as a screen reader does: whatever can have the focus has a name and a
// role.
#include "support/idle.h"
#include "support/test_unit.h"
#include "support/window_fixture.h"
#include "test_paths.h"
#include "ui/compare/compare_tab.h"

#include <QAccessible>
#include <QAccessibleInterface>
#include <QAccessibleTableInterface>
#include <QApplication>

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
            if (node->role() == QAccessible::NoRole) {
                complain(node, "has no role");
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

} // namespace

class TestAccessibility : public QObject {
    Q_OBJECT

private slots:
    void init() {
        QAccessible::setActive(true);
        m_f = std::make_unique<WindowFixture>();
    }
    void cleanup() { m_f.reset(); }
    void startPage();
    void pagesOfAModel();
    void pagesOfAComparison();

private:
    void check(const QString& page) {
        QVERIFY(test::waitUntilIdle());
        Walk walk;
        walk.visit(QAccessible::queryAccessibleInterface(m_f->window));
        QVERIFY2(walk.problems().isEmpty(), qPrintable(page + QStringLiteral(":\n") + walk.problems().join(u'\n')));
        QVERIFY2(walk.focusable() > 5, qPrintable(page));
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

GUFO_TEST_WIDGETS(TestAccessibility)
#include "tst_accessibility.moc"
