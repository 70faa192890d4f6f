// Tests templates in files: those beside the weights of a folder, and those that are loaded and saved.
#include "convert/description.h"
#include "document/open_model.h"
#include "template_page_test.h"
#include "test_paths.h"
#include "ui/pages/template/template_files.h"

#include <QFile>
#include <QMessageBox>
#include <QTemporaryDir>

#include <algorithm>

class TestTemplateFiles : public TemplatePageTest {
    Q_OBJECT

private slots:
    void initTestCase() { prepareUnit(); }
    void cleanup() { finishTest(); }

    // The template of a folder in Hugging Face's format is in a file beside the weights. It is shown and rendered, but
    // not edited.
    void readsTemplatesBesideTheWeights() {
        const auto folder = openModel(GUFO_TEST_DATA "/convert/llama3/source");
        QVERIFY(folder.has_value());
        ModelDocument document(*folder);
        TemplatePage page;
        page.resize(1272, 770);
        page.setDocument(&document);
        page.setModel(document.current());
        page.show();
        QVERIFY(page.editor()->text().isEmpty());
        page.activate();
        auto* output = page.findChild<RenderingView*>();
        QTRY_VERIFY_WITH_TIMEOUT(!output->toPlainText().isEmpty(), 20'000);
        const auto stored = convert::describeVocabulary(*folder);
        QVERIFY(stored.has_value());
        QCOMPARE(page.editor()->text().toStdString(),
                 std::string(*(*stored)->metadata.string("tokenizer.chat_template")));
        QVERIFY(page.editor()->isReadOnly());
        const auto buttons = page.findChildren<QPushButton*>();
        const auto chat =
            std::ranges::find_if(buttons, [](const QPushButton* button) { return button->text().startsWith("Chat"); });
        QVERIFY(chat != buttons.end() && !(*chat)->isEnabled()); // a folder cannot be run
        page.setModel(document.current());                       // as after the folder has been read again
        QCOMPARE(page.document(), &document);
        page.activate();
        QTRY_VERIFY(page.document() != &document);
        QTRY_VERIFY_WITH_TIMEOUT(!output->toPlainText().isEmpty(), 20'000);
    }

    void loadsAndSavesFiles() {
        QTemporaryDir folder;
        ShownPage shown;
        QVERIFY(shown.ready);
        QSignalSpy finished(shown.page.edits(), &TemplateEdits::fileFinished);
        const QString path = folder.filePath(QStringLiteral("t.jinja"));
        shown.page.edits()->save(path);
        QVERIFY(finished.wait());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray(kTemplate));
        file.close();
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{{ 'löaded' }}");
        file.close();
        shown.page.edits()->load(path);
        QVERIFY(finished.wait());
        QCOMPARE(shown.stored(), QStringLiteral("{{ 'löaded' }}"));
        QTRY_COMPARE(shown.page.findChild<RenderingView*>()->toPlainText(), QStringLiteral("löaded"));
        // A long one opens at its beginning, also if it begins like the one before.
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{{ 'löaded' }}" + QByteArray("\nline").repeated(300));
        file.close();
        shown.page.edits()->load(path);
        QVERIFY(finished.wait());
        QTRY_COMPARE(shown.page.editor()->lines(), 301);
        QTRY_COMPARE(shown.page.editor()->firstVisibleLine(), 0);
        QCOMPARE(shown.page.editor()->SendScintilla(QsciScintilla::SCI_GETCURRENTPOS), 0L);
        shown.document.undo();
        QTRY_COMPARE(shown.stored(), QStringLiteral("{{ 'löaded' }}"));

        QFile config(folder.filePath(QStringLiteral("tokenizer_config.json")));
        QVERIFY(config.open(QIODevice::WriteOnly));
        config.write(
            R"({"chat_template": [{"name": "default", "template": "D"}, {"name": "tool_use", "template": "U"}]})");
        config.close();
        shown.page.edits()->load(config.fileName());
        QVERIFY(finished.wait());
        QCOMPARE(shown.stored(), QStringLiteral("D"));
        QCOMPARE(shown.stored("tokenizer.chat_template.tool_use"), QStringLiteral("U"));
        shown.document.undo(); // one step
        QCOMPARE(shown.stored(), QStringLiteral("{{ 'löaded' }}"));
        QCOMPARE(shown.stored("tokenizer.chat_template.tool_use"), QStringLiteral("(none)"));
    }

    void readsOnlyTemplates_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<int>("count"); // number of templates; −1: an error
        QTest::newRow("jinja") << "a.jinja" << QByteArray("{{ x }}") << 1;
        QTest::newRow("string") << "c.json" << QByteArray(R"({"chat_template": "x"})") << 1;
        QTest::newRow("list") << "c.json" << QByteArray(R"({"chat_template": [{"name": "a", "template": "x"}]})") << 1;
        QTest::newRow("none") << "c.json" << QByteArray("{}") << -1;
        QTest::newRow("no JSON") << "c.json" << QByteArray("{") << -1;
        QTest::newRow("no UTF-8") << "a.jinja" << QByteArray("\xff\xfe") << -1;
        QTest::newRow("too large") << "a.jinja" << QByteArray((16 << 20) + 1, 'x') << -1;
    }
    void readsOnlyTemplates() {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QFETCH(int, count);
        QTemporaryDir folder;
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        const auto templates = readTemplates(file.fileName());
        QCOMPARE(templates ? static_cast<int>(templates->size()) : -1, count);
        QVERIFY(!readTemplates(folder.filePath(QStringLiteral("nope.jinja"))));
    }

    void saysThatAFileIsNoTemplate() {
        ShownPage shown;
        QVERIFY(shown.ready);
        QSignalSpy finished(shown.page.edits(), &TemplateEdits::fileFinished);
        shown.page.edits()->load(QStringLiteral("/nonexistent/x.jinja"));
        QVERIFY(finished.wait());
        auto* box = shown.page.findChild<QMessageBox*>();
        QVERIFY(box != nullptr);
        QVERIFY(box->text().contains(QStringLiteral("/nonexistent/x.jinja")));
        box->close();
        QCOMPARE(shown.stored(), QString::fromUtf8(kTemplate));
    }
};

GUFO_TEST_WIDGETS(TestTemplateFiles)
#include "tst_template_files.moc"
