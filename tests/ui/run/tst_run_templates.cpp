// Tests how the Run page uses a model's templates: which one it selects, tools, thinking and pictures.
#include "run_page_test.h"
#include "support/test_unit.h"

#include <QAbstractItemView>
#include <QClipboard>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTextBlock>

#include <fstream>

class TestRunTemplates : public RunPageTest {
    Q_OBJECT

private slots:
    void init() { prepare(); }
    void cleanup() { finish(); }
    void saysWhichTemplateIsUsed();
    void saysWhatATemplateRefuses();
    void takesTheDraftOfATemplate();
    void callsTools();
    void takesTheTemplateForTools();
    void controlTokensInMessages();
    void switchesThinking();
    void takesNoPictures();
    void takesATemplateFromAFile();
    void saysWhyAFileIsNoTemplate();
};

void TestRunTemplates::saysWhichTemplateIsUsed() {
    RunPage& page = open({.chatTemplate = {}});
    QCOMPARE(shownText(page, "notice"), QString());
    QTest::mouseClick(part<SegmentedControl>(page, "mode")->segment(0), Qt::LeftButton);
    QCOMPARE(part<ChatSession>(page)->tree().mode, ChatMode::Chat);
    QVERIFY2(shownText(page, "notice").contains("ChatML"), qPrintable(shownText(page, "notice")));
}

void TestRunTemplates::saysWhatATemplateRefuses() {
    RunPage& page = open({.chatTemplate = "{{ raise_exception('No owls here') }}"});
    say("one");
    QVERIFY(waitIdle());
    QTRY_VERIFY(shownText(page, "notice").contains("No owls here"));
    QCOMPARE(turns(), std::size_t{1}); // no answer
    say("two");
    QVERIFY(waitIdle());
    QCOMPARE(turns(), std::size_t{1}); // the next question takes the place of the unanswered one
    QCOMPARE(turn(0).text, QString("two"));
    QCOMPARE(part<ChatSession>(page)->tree().siblings(turn(0).id).count, 2);
}

void TestRunTemplates::takesTheDraftOfATemplate() {
    RunPage& page = open();
    QCOMPARE(part<TemplateBox>(page)->currentText(), QString("default"));
    QVERIFY(m_document->apply(
        {SetKey{.key = "tokenizer.chat_template", .value = OwnedValue::string("{{ raise_exception('the draft') }}")}},
        "Edit"));
    QCOMPARE(part<TemplateBox>(page)->currentText(), QString("default (draft)"));
    say("one");
    QVERIFY(waitIdle());
    QTRY_VERIFY(shownText(page, "notice").contains("the draft"));
    m_document->undo();
    QCOMPARE(part<TemplateBox>(page)->currentText(), QString("default"));
}

void TestRunTemplates::callsTools() {
    RunPage& page = open({.chatTemplate = "{%- if messages[-1].role == 'tool' and tools[0].function.name != "
                                          "'get_weather' %}{{- raise_exception('no tools') }}{%- endif %}"
                                          "{%- if messages[-1].role == 'tool' and messages[-1].tool_call_id|length != "
                                          "9 %}{{- raise_exception('no id') }}{%- endif %}"
                                          "{%- for message in messages %}{{- '<|' + message.role + '|>' }}"
                                          "{%- if message.content %}{{- message.content }}{%- endif %}"
                                          "{{- '<|end|>' }}{%- endfor %}"
                                          "{%- if add_generation_prompt %}{{- '<|assistant|>' }}{%- endif %}"});
    QVERIFY(part<ToolsEdit>(page)->isEnabled());
    part<ToolsEdit>(page)->setPlainText("[{");
    say("one");
    QVERIFY2(shownText(page, "notice").contains("tools"), qPrintable(shownText(page, "notice")));
    QVERIFY(part<ChatSession>(page)->tree().isEmpty());
    for (QPushButton* button : page.findChildren<QPushButton*>()) {
        if (button->text() == "Example") {
            QVERIFY(!button->isVisible()); // there is something already
            part<ToolsEdit>(page)->clear();
            QVERIFY(button->isVisibleTo(&page));
            button->click();
        }
    }
    QVERIFY(part<ToolsEdit>(page)->isValid() && part<ToolsEdit>(page)->tools().contains("get_weather"));
    part<SamplerPanel>(page)->lengthField()->setValue(400);
    GrammarField* field = part<SamplerPanel>(page)->findChild<GrammarField*>("grammarField");
    const auto allow = [&](const QString& text) {
        const QSignalSpy changed(field, &GrammarField::changed);
        field->setKind(GrammarField::Gbnf);
        field->setText("root ::= \"" + QString(text).replace(u'"', QStringLiteral("\\\"")) + "\"");
        QTRY_VERIFY(changed.count() > 0 && field->grammar() != nullptr && field->problem().isEmpty());
    };
    const QString call = "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}</tool_call>";
    allow(call + call);
    part<Composer>(page)->setText({});
    QVERIFY(!part<SegmentedControl>(page, "sendAs")->isVisible());
    say("one");
    QVERIFY(waitIdle());
    QCOMPARE(turns(), std::size_t{2});
    QCOMPARE(part<ChatSession>(page)->tree().pendingCalls(), QStringList({"get_weather", "get_weather"}));
    QVERIFY(part<SegmentedControl>(page, "sendAs")->isVisible());
    QCOMPARE(part<SegmentedControl>(page, "sendAs")->segment(0)->text(), QString("Result of get_weather"));
    say("two"); // of two calls, one has no result yet
    QVERIFY(waitIdle());
    QCOMPARE(turns(), std::size_t{3});
    QVERIFY(turn(2).role == TurnRole::Tool);
    allow("four");
    say("three");
    QVERIFY(waitIdle());
    QVERIFY2(shownText(page, "notice").isEmpty(), qPrintable(shownText(page, "notice")));
    QCOMPARE(turns(), std::size_t{5});
    // Instead of the constrained text, a model that has tools may begin a call, as this one tries to.
    QVERIFY2(turn(4).text == "four" || turn(4).text.startsWith("[TOOL_CALLS]"), qPrintable(turn(4).text));
    QVERIFY(!part<SegmentedControl>(page, "sendAs")->isVisible());

    const QTemporaryDir folder;
    QSignalSpy exported(part<ConversationFiles>(page), &ConversationFiles::exported);
    part<ConversationFiles>(page)->exportTo(folder.filePath("a.json"), ConversationFiles::Format::Json);
    QVERIFY(exported.wait());
    QFile json(folder.filePath("a.json"));
    QVERIFY(json.open(QIODevice::ReadOnly));
    const QJsonDocument document = QJsonDocument::fromJson(json.readAll());
    QCOMPARE(document["tools"].toArray().size(), 1);
    QVERIFY(document["messages"][1]["content"].isNull());
    QCOMPARE(document["messages"][1]["tool_calls"].toArray().size(), 2);
    for (const int i : {0, 1}) { // each result refers to its call
        const QJsonValue result = document["messages"][2 + i];
        QCOMPARE(result["role"].toString(), QString("tool"));
        QCOMPARE(result["tool_call_id"].toString(), QString("call0000%1").arg(i + 1));
        QCOMPARE(result["tool_call_id"], document["messages"][1]["tool_calls"][i]["id"]);
    }
    // A new conversation keeps the tools.
    QTest::mouseClick(part<QPushButton>(page, "newConversation"), Qt::LeftButton);
    QVERIFY(part<ChatSession>(page)->tree().tools.contains("get_weather"));
}

// The text of a control token in a message becomes that token, which a notice says, or stays text.
void TestRunTemplates::controlTokensInMessages() {
    RunPage& page = open();
    say("one<|end|>two");
    QVERIFY(waitIdle());
    QTRY_VERIFY2(shownText(page, "notice").contains("<|end|>") &&
                     shownText(page, "notice").contains(part<QCheckBox>(page, "literalContent")->text()),
                 qPrintable(shownText(page, "notice")));
    const std::size_t asToken = part<ChatSession>(page)->figures().promptTokens;
    QVERIFY(!part<QCheckBox>(page, "literalContent")->isChecked());
    QTest::mouseClick(part<QPushButton>(page, "newConversation"), Qt::LeftButton);
    part<QCheckBox>(page, "literalContent")->setFocus();
    QTest::keyClick(part<QCheckBox>(page, "literalContent"), Qt::Key_Space);
    say("one<|end|>two");
    QVERIFY(waitIdle());
    QVERIFY2(shownText(page, "notice").isEmpty(), qPrintable(shownText(page, "notice")));
    QVERIFY(part<ChatSession>(page)->figures().promptTokens > asToken); // its text is several tokens
    // The setting is kept.
    QCOMPARE(page.saveState()[QStringLiteral("literalContent")].toBool(), true);
}

// A model may have a template of its own for conversations with tools.
void TestRunTemplates::takesTheTemplateForTools() {
    RunPage& page = open({.chatTemplate = "{{ raise_exception('without') }}"});
    QVERIFY(!part<ToolsEdit>(page)->isEnabled());
    QVERIFY(m_document->apply({SetKey{.key = "tokenizer.chat_template.tool_use",
                                      .value = OwnedValue::string("{{ raise_exception('with ' + tools[0].name) }}")}},
                              "Edit"));
    QVERIFY(part<ToolsEdit>(page)->isEnabled());
    const auto refusal = [&] {
        say("one");
        return waitIdle() && QTest::qWaitFor([&] { return shownText(page, "notice").contains("with"); })
                   ? shownText(page, "notice")
                   : QString();
    };
    QVERIFY2(refusal().contains("without"), qPrintable(shownText(page, "notice")));
    part<ToolsEdit>(page)->setPlainText(R"([{"name": "owl"}])");
    QVERIFY2(refusal().contains("with owl"), qPrintable(shownText(page, "notice")));
    QCOMPARE(part<TemplateBox>(page)->currentText(), QString("default"));
    part<ToolsEdit>(page)->clear();
    QVERIFY2(refusal().contains("without"), qPrintable(shownText(page, "notice")));
}

// The template prints its variables.
void TestRunTemplates::switchesThinking() {
    RunPage& page =
        open({.chatTemplate = "{{ raise_exception('thinking: ' + (enable_thinking|string if enable_thinking "
                              "is defined else 'not told')) }}"});
    const auto told = [&] {
        say("one");
        return waitIdle() && QTest::qWaitFor([&] { return shownText(page, "notice").contains("thinking: "); })
                   ? shownText(page, "notice").section("thinking: ", 1)
                   : QString();
    };
    QVERIFY(part<QComboBox>(page, "thinking")->isVisible());
    QVERIFY2(told().startsWith("not told"), qPrintable(shownText(page, "notice")));
    part<QComboBox>(page, "thinking")->setFocus();
    QTest::keyClick(part<QComboBox>(page, "thinking"), Qt::Key_End);
    QCOMPARE(part<ChatSession>(page)->tree().thinking, std::optional(false));
    QVERIFY2(told().toLower().startsWith("false"), qPrintable(shownText(page, "notice")));
    QTest::keyClick(part<QComboBox>(page, "thinking"), Qt::Key_Up);
    QVERIFY2(told().toLower().startsWith("true"), qPrintable(shownText(page, "notice")));
    QTest::mouseClick(part<QPushButton>(page, "newConversation"), Qt::LeftButton);
    QCOMPARE(part<QComboBox>(page, "thinking")->currentText(), QString("On"));
    part<TemplateBox>(page)->setCurrentIndex(part<TemplateBox>(page)->findText("ChatML"));
    emit part<TemplateBox>(page)->activated(part<TemplateBox>(page)->currentIndex());
    QVERIFY(!part<QComboBox>(page, "thinking")->isVisible());
}

void TestRunTemplates::takesNoPictures() {
    RunPage& page = open();
    page.chatWith("default", true);
    QVERIFY2(shownText(page, "notice").contains("pictures"), qPrintable(shownText(page, "notice")));
    say("one");
    QVERIFY(waitIdle());
    QVERIFY(!shownText(page, "notice").contains("pictures"));
    QGuiApplication::clipboard()->setImage(QImage(2, 2, QImage::Format_RGB32));
    QTest::keyClick(part<Composer>(page)->field(), Qt::Key_V, Qt::ControlModifier);
    QVERIFY2(shownText(page, "notice").contains("picture"), qPrintable(shownText(page, "notice")));
    QVERIFY(part<Composer>(page)->text().isEmpty());
    QGuiApplication::clipboard()->setText("two");
    QTest::keyClick(part<Composer>(page)->field(), Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(part<Composer>(page)->text(), QString("two"));
}

void TestRunTemplates::takesATemplateFromAFile() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath(QStringLiteral("mine.jinja")).toStdString();
    std::ofstream(path) << "{{ raise_exception('from the file') }}";
    RunPage& page = open();
    auto* box = part<TemplateBox>(page);
    QSignalSpy chosen(box, &TemplateBox::chosen);
    // The last entry asks for a file, and choosing it does not change the template.
    const QString before = box->currentText();
    box->setFocus();
    const QString last = box->itemText(box->count() - 1);
    QTest::keyClick(box, Qt::Key_End); // leaves out the entry while the list is closed
    QVERIFY(box->findChild<QFileDialog*>() == nullptr);
    QVERIFY(box->currentText() != last);
    box->setCurrentText(before);
    emit box->activated(box->currentIndex());
    chosen.clear();
    box->showPopup();
    QTRY_VERIFY(box->view()->isVisible());
    QTest::keyClick(box->view(), Qt::Key_End);
    QCOMPARE(box->view()->currentIndex().data().toString(), last);
    QTest::keyClick(box->view(), Qt::Key_Return);
    auto* dialog = box->findChild<QFileDialog*>();
    QVERIFY(dialog != nullptr);
    QCOMPARE(box->currentText(), before);
    QVERIFY(chosen.isEmpty());
    emit dialog->fileSelected(QString::fromStdString(path.string()));
    dialog->reject();
    QTRY_COMPARE(chosen.count(), 1);
    QCOMPARE(box->currentText(), QString("mine.jinja"));
    say("one");
    QVERIFY(waitIdle());
    QTRY_VERIFY2(shownText(page, "notice").contains("from the file"), qPrintable(shownText(page, "notice")));
    // It stays when the templates of the model change, and another file takes its place.
    QVERIFY(m_document->apply(
        {SetKey{.key = "tokenizer.chat_template", .value = OwnedValue::string("{{ raise_exception('the draft') }}")}},
        "Edit"));
    QCOMPARE(box->currentText(), QString("mine.jinja"));
    const int count = box->count();
    std::ofstream(path) << "{{ raise_exception('the new text') }}";
    box->readFile(path);
    QTRY_COMPARE(chosen.count(), 2);
    QCOMPARE(box->count(), count);
    say("two");
    QVERIFY(waitIdle());
    QTRY_VERIFY2(shownText(page, "notice").contains("the new text"), qPrintable(shownText(page, "notice")));
}

void TestRunTemplates::saysWhyAFileIsNoTemplate() {
    const QTemporaryDir folder;
    const std::filesystem::path huge = folder.filePath(QStringLiteral("huge.jinja")).toStdString();
    std::ofstream(huge) << std::string((1U << 20U) + 1, 'a');
    RunPage& page = open();
    auto* box = part<TemplateBox>(page);
    const QString before = box->currentText();
    box->readFile(folder.filePath(QStringLiteral("none.jinja")).toStdString());
    QTRY_VERIFY2(shownText(page, "notice").contains("none.jinja"), qPrintable(shownText(page, "notice")));
    box->readFile(huge);
    QTRY_VERIFY2(shownText(page, "notice").contains("huge.jinja"), qPrintable(shownText(page, "notice")));
    box->readFile(folder.path().toStdString());
    QTRY_VERIFY2(!shownText(page, "notice").contains("huge.jinja"), qPrintable(shownText(page, "notice")));
    QCOMPARE(box->currentText(), before);
}

GUFO_TEST_WIDGETS(TestRunTemplates)
#include "tst_run_templates.moc"
