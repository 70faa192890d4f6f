// Tests links from metadata and answers: nothing is opened without asking, the question shows the address, and only web
// addresses can be opened.
#include "support/page_models.h"
#include "support/test_unit.h"
#include "ui/pages/overview/fact_strip.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/run/run_page_test.h"
#include "ui/widgets/link_question.h"

#include <QDesktopServices>
#include <QPlainTextEdit>
#include <QPushButton>

// Stands in for the browser.
class Browser : public QObject {
    Q_OBJECT

public:
    Browser() {
        for (const char* scheme : kSchemes) {
            QDesktopServices::setUrlHandler(QLatin1String(scheme), this, "open");
        }
    }
    ~Browser() override {
        for (const char* scheme : kSchemes) {
            QDesktopServices::unsetUrlHandler(QLatin1String(scheme));
        }
    }
    QList<QUrl> opened;

public slots:
    void open(const QUrl& url) { opened << url; } // NOLINT: called by name

private:
    static constexpr std::array kSchemes{"http", "https", "file", "javascript", "mailto", "smb", "ssh"};
};

class TestLinks : public RunPageTest {
    Q_OBJECT

private slots:
    void init() {
        prepare();
        m_browser = std::make_unique<Browser>();
    }
    void cleanup() {
        finish();
        m_browser.reset();
    }
    void opensOnlyTheWeb_data();
    void opensOnlyTheWeb();
    void metadataAsks_data();
    void metadataAsks();
    void answersAsk();

private:
    // The question shown, or null.
    static LinkQuestion* question() {
        LinkQuestion* found = nullptr;
        for (QWidget* widget : QApplication::topLevelWidgets()) {
            auto* shown = qobject_cast<LinkQuestion*>(widget);
            found = shown != nullptr && shown->isVisible() ? shown : found;
        }
        return found;
    }
    static QString addressShown() { return question()->findChild<QPlainTextEdit*>()->toPlainText(); }

    std::unique_ptr<Browser> m_browser;
};

void TestLinks::opensOnlyTheWeb_data() {
    QTest::addColumn<QString>("address");
    QTest::addColumn<QString>("shown");
    QTest::addColumn<bool>("opens");
    const auto row = [](const char* name, const QString& address, const QString& shown, bool opens) {
        QTest::newRow(name) << address << shown << opens;
    };
    row("https", "https://example.org/a?b=c#d", "https://example.org/a?b=c#d", true);
    row("http", "http://example.org/", "http://example.org/", true);
    row("turned around", QStringLiteral("https://example.org/\u202Efdp.exe"), "https://example.org/%E2%80%AEfdp.exe",
        true);
    row("isolated", QStringLiteral("https://example.org/\u2066a\u2069\u200F"),
        "https://example.org/%E2%81%A6a%E2%81%A9%E2%80%8F", true);
    row("a host of another alphabet", QStringLiteral("https://\u0435xample.org/"), "https://xn--xample-2of.org/", true);
    row("somebody before the host", "https://example.org@evil.test/", "https://example.org@evil.test/", true);
    row("file", "file:///etc/passwd", "file:///etc/passwd", false);
    row("script", "javascript:alert(1)", "javascript:alert(1)", false);
    row("mail", "mailto:a@example.org", "mailto:a@example.org", false);
    row("share", "smb://example.org/a", "smb://example.org/a", false);
    row("a path", "/etc/passwd", "/etc/passwd", false);
    row("no host", "https:///a", "https:///a", false);
    row("control characters", QStringLiteral("file:///a\nb\u202E\u2067\u061C"),
        QStringLiteral("file:///a\\nb\\u{202E}\\u{2067}\\u{61C}"), false);
    row("very long", "https://example.org/" + QString(5000, u'a'), "https://example.org/" + QString(4076, u'a'), false);
}

void TestLinks::opensOnlyTheWeb() {
    QFETCH(QString, address);
    QFETCH(QString, shown);
    QFETCH(bool, opens);
    QWidget window;
    window.show();
    LinkQuestion::ask(&window, address, QStringLiteral("a test"));
    QTRY_VERIFY(question());
    QCOMPARE(addressShown(), shown);
    QCOMPARE(question()->openButton() != nullptr, opens);
    QTest::keyClick(question(), Qt::Key_Return); // Return alone never opens the address
    QTRY_VERIFY(!question());
    QVERIFY(m_browser->opened.isEmpty());
    if (opens) {
        LinkQuestion::ask(&window, address, QStringLiteral("a test"));
        QTRY_VERIFY(question());
        QTest::mouseClick(question()->openButton(), Qt::LeftButton);
        QTRY_COMPARE(m_browser->opened.size(), 1);
        QCOMPARE(addressText(m_browser->opened[0]), shown);
    }
}

void TestLinks::metadataAsks_data() {
    QTest::addColumn<QString>("link");
    QTest::addColumn<QString>("shown"); // empty: not a link
    QTest::newRow("licence") << "https://example.org/licence" << "https://example.org/licence";
    QTest::newRow("turned around") << QStringLiteral("https://example.org/\u202Efdp.exe")
                                   << "https://example.org/%E2%80%AEfdp.exe";
    QTest::newRow("long") << "https://example.org/" + QString(300, u'a') << "https://example.org/" + QString(300, u'a');
    QTest::newRow("file") << "file:///etc/passwd" << QString();
    QTest::newRow("script") << "javascript:alert(1)" << QString();
}

void TestLinks::metadataAsks() {
    QFETCH(QString, link);
    QFETCH(QString, shown);
    test::GgufBuilder file;
    test::addSmallLlama(file);
    file.key("general.license", "mit").key("general.license.link", link.toStdString());
    OverviewPage page;
    page.resize(1272, 770);
    page.setModel(test::readModel(file));
    page.show();
    QSignalSpy summarised(&page, &OverviewPage::summarised);
    page.activate();
    QVERIFY(page.overview() != nullptr || summarised.wait());
    FactCell* cell = nullptr;
    for (FactCell* each : page.findChildren<FactCell*>()) {
        cell = each->accessibleName().startsWith(QStringLiteral("Licence:")) ? each : cell;
    }
    QVERIFY(cell);
    QTRY_VERIFY(cell->isVisible());
    QCOMPARE(cell->toolTip().contains(shown), true);
    QTest::mouseClick(cell, Qt::LeftButton);
    QCOMPARE(question() != nullptr, !shown.isEmpty());
    QVERIFY(m_browser->opened.isEmpty());
    if (shown.isEmpty()) {
        return;
    }
    QCOMPARE(addressShown(), shown);
    QTest::keyClick(question(), Qt::Key_Escape);
    QTRY_VERIFY(!question());
    QVERIFY(m_browser->opened.isEmpty());
    cell->setFocus();
    QTest::keyClick(cell, Qt::Key_Return);
    QTRY_VERIFY(question());
    QTest::mouseClick(question()->openButton(), Qt::LeftButton);
    QTRY_COMPARE(m_browser->opened.size(), 1);
    QCOMPARE(addressText(m_browser->opened[0]), shown);
}

void TestLinks::answersAsk() {
    RunPage& page = open();
    ChatTree tree;
    const int said = tree.add(-1, TurnRole::User, "one");
    tree.add(said, TurnRole::Assistant, QStringLiteral("[https://good.test](https://evil.test/\u202Efdp.exe)"));
    part<ChatSession>(page)->setTree(tree);
    AnswerView* answer = view(1)->answerView();
    QTRY_COMPARE(answer->toPlainText(), QStringLiteral("https://good.test"));
    QTRY_VERIFY(answer->isVisible() && !answer->visibleRegion().isEmpty());
    QTextCursor cursor = answer->textCursor();
    cursor.setPosition(4);
    const QPoint place = answer->cursorRect(cursor).center();
    QCOMPARE(cursor.charFormat().toolTip(), QStringLiteral("https://evil.test/%E2%80%AEfdp.exe"));
    QTest::mouseClick(answer->viewport(), Qt::LeftButton, {}, place);
    QTRY_VERIFY(question());
    QVERIFY(m_browser->opened.isEmpty());
    QCOMPARE(addressShown(), QStringLiteral("https://evil.test/%E2%80%AEfdp.exe"));
    QTest::mouseClick(question()->openButton(), Qt::LeftButton);
    QTRY_COMPARE(m_browser->opened.size(), 1);
    // Selecting a part of it with the mouse is not a click.
    QTest::mousePress(answer->viewport(), Qt::LeftButton, {}, place);
    QTest::mouseMove(answer->viewport(), place + QPoint(60, 0));
    QTest::mouseRelease(answer->viewport(), Qt::LeftButton, {}, place + QPoint(60, 0));
    QTest::keyClick(answer, Qt::Key_Escape);
    QVERIFY(!question());
}

GUFO_TEST_WIDGETS(TestLinks)
#include "tst_links.moc"
