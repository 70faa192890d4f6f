// Tests the user guide: its window, and that what its chapters name exists: other chapters, entries of menus, verbs and
// options of gufo-cli.
#include "cli/help.h"
#include "cli/verb.h"
#include "support/test_unit.h"
#include "support/window_fixture.h"
#include "ui/guide/guide_chapters.h"
#include "ui/guide/guide_window.h"
#include "ui/mainwindow/tabs/page_table.h"
#include "ui/messages/catalogue.h"

#include <QListWidget>
#include <QMenuBar>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextBrowser>

using namespace gufo;
using namespace gufo::ui;

class TestGuide : public QObject {
    Q_OBJECT

private slots:
    void init() { m_f = std::make_unique<WindowFixture>(); }
    void cleanup() {
        m_f.reset();
        setLanguage({});
    }
    void everyChapterHasAText_data() { addLanguages(); }
    void everyChapterHasAText();
    void linksLeadToChapters_data() { addLanguages(); }
    void linksLeadToChapters();
    void picturesExist_data() { addLanguages(); }
    void picturesExist();
    void showsPicturesOfTheTheme();
    void tellsKeys_data() { addLanguages(); }
    void tellsKeys();
    void commandsExist_data() { addLanguages(); }
    void commandsExist();
    void menuEntriesExist_data() { addLanguages(); }
    void menuEntriesExist();
    void opensTheChapterOfThePage_data();
    void opensTheChapterOfThePage();
    void isOneWindow();
    void isFoundByTheGoToField();
    void searches();
    void followsLinks();

private:
    static void addLanguages() {
        QTest::addColumn<QString>("language");
        for (const QString& language : languages()) {
            QTest::newRow(qPrintable(language)) << language;
        }
    }
    void useLanguage() { // of the row, in a new window
        QFETCH(const QString, language);
        m_f.reset();
        setLanguage(language);
        m_f = std::make_unique<WindowFixture>();
    }
    [[nodiscard]] GuideWindow* guide() const { return m_f->window->findChild<GuideWindow*>(); }
    [[nodiscard]] QString shownTitle() const {
        return guide()->findChild<QTextBrowser*>()->document()->firstBlock().text();
    }
    [[nodiscard]] QStringList listed() const {
        QStringList titles;
        const auto* list = guide()->findChild<QListWidget*>();
        for (int row = 0; row < list->count(); ++row) {
            if (!list->item(row)->isHidden()) {
                titles << list->item(row)->text();
            }
        }
        return titles;
    }

    std::unique_ptr<WindowFixture> m_f;
};

void TestGuide::everyChapterHasAText() {
    QFETCH(const QString, language);
    useLanguage();
    QVERIFY(guideChapters().size() >= 10);
    for (const GuideChapter& chapter : guideChapters()) {
        QVERIFY2(guideText(chapter).startsWith(QStringLiteral("# ")), chapter.id);
        QVERIFY2(guideTitle(chapter).size() > 4 && guideTitle(chapter).size() < 60, chapter.id);
        QVERIFY2(guideText(chapter).size() > 500, chapter.id); // Chinese needs fewer characters
        const QString file = QStringLiteral(":/guide/%1/%2.md").arg(language, QLatin1String(chapter.id));
        QVERIFY2(QFile::exists(file), qPrintable(file));
        QCOMPARE(findGuideChapter(QLatin1String(chapter.id)), &chapter);
    }
    QCOMPARE(findGuideChapter(QStringLiteral("nothing")), nullptr);
}

void TestGuide::linksLeadToChapters() {
    useLanguage();
    static const QRegularExpression link(QStringLiteral(R"((?<!!)\[[^\]]*\]\(([^)]*)\))"));
    int links = 0;
    for (const GuideChapter& chapter : guideChapters()) {
        for (const auto& match : link.globalMatch(guideText(chapter))) {
            QVERIFY2(findGuideChapter(match.captured(1)) != nullptr, qPrintable(match.captured(1)));
            ++links;
        }
    }
    QVERIFY(links > 0);
}

void TestGuide::picturesExist() {
    QFETCH(const QString, language);
    useLanguage();
    static const QRegularExpression picture(QStringLiteral(R"(!\[([^\]]*)\]\(([^)]*)\))"));
    int pictures = 0;
    for (const GuideChapter& chapter : guideChapters()) {
        for (const auto& match : picture.globalMatch(guideText(chapter))) {
            const QString name = match.captured(2);
            QVERIFY2(match.captured(1).size() > 10, qPrintable(name)); // what a screen reader says
            QVERIFY2(!guidePicture(name, false).isNull() && !guidePicture(name, true).isNull(), qPrintable(name));
            QVERIFY2(guidePicture(name, false) != guidePicture(name, true), qPrintable(name));
            for (const char* theme : {"light", "dark"}) {
                const QString own =
                    QStringLiteral(":/guide/%1/pictures/%2/%3.png").arg(language, QLatin1String(theme), name);
                QVERIFY2(QFile::exists(own), qPrintable(own));
            }
            ++pictures;
        }
    }
    QVERIFY(pictures >= 8);
    QVERIFY(guidePicture(QStringLiteral("nothing"), false).isNull());
}

void TestGuide::showsPicturesOfTheTheme() {
    m_f->window->namedAction("guide")->trigger();
    const auto* text = guide()->findChild<QTextBrowser*>();
    const auto pictureOf = [&] {
        for (QTextBlock block = text->document()->begin(); block.isValid(); block = block.next()) {
            for (auto part = block.begin(); !part.atEnd(); ++part) {
                const QTextImageFormat image = part.fragment().charFormat().toImageFormat();
                if (image.isValid()) {
                    return text->document()->resource(QTextDocument::ImageResource, image.name()).value<QImage>();
                }
            }
        }
        return QImage();
    };
    Theme::instance().setChoice(Theme::Choice::Light);
    const QImage light = pictureOf();
    QVERIFY(!light.isNull());
    QVERIFY(light.width() <= text->viewport()->width());
    Theme::instance().setChoice(Theme::Choice::Dark);
    QVERIFY(!pictureOf().isNull());
    QVERIFY(pictureOf() != light);
    Theme::instance().setChoice(Theme::Choice::System);
}

// F1 on the page Run shows by which keys conversations are used.
void TestGuide::tellsKeys() {
    useLanguage();
    const QString text = guideText(*findGuideChapter(QStringLiteral("chat-with-a-model")));
    for (const char* const key : {"R", "E", "F", "F1"}) {
        const QRegularExpression keys(QStringLiteral("(Ctrl|Strg)\\+%1\\b").arg(QLatin1String(key)));
        QVERIFY2(text.contains(keys), key);
    }
    static const QRegularExpression answers(QStringLiteral("Alt\\+(Up|Hoch)\\b"));
    QVERIFY(text.contains(answers));
}

void TestGuide::commandsExist() {
    useLanguage();
    static const QRegularExpression command(QStringLiteral("gufo-cli ([a-z]+)([^\n`]*)"));
    static const QRegularExpression option(QStringLiteral(" --?([a-z][a-z-]*)"));
    int commands = 0;
    for (const GuideChapter& chapter : guideChapters()) {
        for (const auto& match : command.globalMatch(guideText(chapter))) {
            const cli::Verb* verb = cli::findVerb(match.captured(1).toStdString());
            QVERIFY2(verb != nullptr, qPrintable(match.captured(0)));
            ++commands;
            QStringList known;
            for (const cli::OptionFact& each : cli::allOptions(*verb)) {
                known << QString::fromLatin1(each.names).split(QLatin1Char(','));
            }
            for (const auto& used : option.globalMatch(match.captured(2))) {
                QVERIFY2(known.contains(used.captured(1)), qPrintable(match.captured(0)));
            }
        }
    }
    QVERIFY(commands > 10);
}

void TestGuide::menuEntriesExist() {
    useLanguage();
    static const QRegularExpression mnemonic(QStringLiteral(R"(\(&.\)|&|…)")); // "文件(&F)"
    const auto plain = [](QString text) { return text.remove(mnemonic); };
    QStringList known;
    for (const QAction* menu : m_f->window->findChild<QMenuBar*>()->actions()) {
        for (const QAction* entry : menu->menu()->actions()) {
            known << plain(menu->text()) + QStringLiteral(" › ") + plain(entry->text());
        }
    }
    static const QRegularExpression entry(QStringLiteral(R"(\*(\p{L}[^*\n]* › [^*]*)\*)"));
    int entries = 0;
    for (const GuideChapter& chapter : guideChapters()) {
        for (const auto& match : entry.globalMatch(guideText(chapter))) {
            const QString name = match.captured(1).simplified();
            QVERIFY2(known.contains(name),
                     qPrintable(name + QStringLiteral(" is none of ") + known.join(QStringLiteral(", "))));
            ++entries;
        }
    }
    QVERIFY(entries > 5);
}

void TestGuide::opensTheChapterOfThePage_data() {
    QTest::addColumn<QString>("page"); // its id; empty: no model is open
    QTest::addColumn<QString>("chapter");
    QTest::newRow("start page") << ""
                                << "look-into-a-model";
    QTest::newRow("overview") << "overview"
                              << "look-into-a-model";
    QTest::newRow("metadata") << "metadata"
                              << "edit-and-save";
    QTest::newRow("tensors") << "tensors"
                             << "look-into-a-model";
    QTest::newRow("template") << "template"
                              << "fix-a-chat-template";
    QTest::newRow("run") << "run"
                         << "chat-with-a-model";
    QTest::newRow("inside") << "inside"
                            << "chat-with-a-model";
}

void TestGuide::opensTheChapterOfThePage() {
    QFETCH(QString, page);
    QFETCH(QString, chapter);
    if (!page.isEmpty()) {
        QVERIFY(m_f->open(writeFile(m_f->root / "a.gguf", tinyModel())) != nullptr);
        const auto row =
            std::ranges::find(pageTable(), page, [](const PageRow& each) { return QString::fromLatin1(each.id); });
        const auto number = static_cast<int>(row - pageTable().begin()) + 1;
        QTest::keyClick(m_f->window, static_cast<Qt::Key>(Qt::Key_0 + number), Qt::ControlModifier);
    }
    QTest::keyClick(m_f->window, Qt::Key_F1);
    QVERIFY(guide() != nullptr && guide()->isVisible());
    QCOMPARE(shownTitle(), guideTitle(*findGuideChapter(chapter)));
    QTest::keyClick(guide(), Qt::Key_Escape);
    QTRY_VERIFY(guide() == nullptr);
}

void TestGuide::isOneWindow() {
    QTest::keyClick(m_f->window, Qt::Key_F1);
    QTest::keyClick(m_f->window, Qt::Key_F1);
    QCOMPARE(m_f->window->findChildren<GuideWindow*>().size(), 1);
}

// The field offers the entries of the menus, and the chapters are among these.
void TestGuide::isFoundByTheGoToField() {
    for (QAction* action : m_f->window->findChildren<QAction*>()) {
        if (action->text() == guideTitle(*findGuideChapter(QStringLiteral("before-gguf")))) {
            action->trigger();
        }
    }
    QVERIFY(guide() != nullptr);
    QCOMPARE(shownTitle(), QStringLiteral("What came before GGUF"));
}

void TestGuide::searches() {
    QTest::keyClick(m_f->window, Qt::Key_F1);
    QVERIFY(guide() != nullptr);
    auto* field = guide()->findChild<QLineEdit*>();
    const auto all = listed().size();
    QTest::keyClick(guide(), Qt::Key_F, Qt::ControlModifier);
    QTest::keyClicks(field, QStringLiteral("opcodes pickle"));
    QTRY_COMPARE(listed(), QStringList{QStringLiteral("What came before GGUF")});
    QCOMPARE(shownTitle(), QStringLiteral("What came before GGUF"));
    const auto* text = guide()->findChild<QTextBrowser*>();
    QVERIFY(text->extraSelections().size() >= 2);
    QTest::keyClicks(field, QStringLiteral(" nothingofthekind"));
    QTRY_VERIFY(listed().isEmpty());
    QTest::keyClick(field, Qt::Key_Escape);
    QTRY_COMPARE(listed().size(), all);
    QVERIFY(guide()->isVisible()); // Escape only cleared the search
    QTRY_VERIFY(text->extraSelections().isEmpty());
}

void TestGuide::followsLinks() {
    QTest::keyClick(m_f->window, Qt::Key_F1);
    auto* text = guide()->findChild<QTextBrowser*>();
    emit text->anchorClicked(QUrl(QStringLiteral("fix-a-chat-template")));
    QCOMPARE(shownTitle(), guideTitle(*findGuideChapter(QStringLiteral("fix-a-chat-template"))));
    emit text->anchorClicked(QUrl(QStringLiteral("https://example.org/")));
    QCOMPARE(shownTitle(), guideTitle(*findGuideChapter(QStringLiteral("fix-a-chat-template"))));
}

GUFO_TEST_WIDGETS(TestGuide)
#include "tst_guide.moc"
