// Tests how the Run page uses a model's templates: which one it selects, tools, thinking and pictures.
#include "run_page_test.h"
#include "support/test_unit.h"

#include <QClipboard>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTextBlock>

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
};

void TestRunTemplates::saysWhichTemplateIsUsed() {
    RunPage& page = open({.chatTemplate = {}});
    QCOMPARE(page.noticeText(), QString());
    QTest::mouseClick(page.modeControl()->segment(0), Qt::LeftButton);
    QCOMPARE(page.session()->tree().mode, ChatMode::Chat);
    QVERIFY2(page.noticeText().contains("ChatML"), qPrintable(page.noticeText()));
}

void TestRunTemplates::saysWhatATemplateRefuses() {
    RunPage& page = open({.chatTemplate = "{{ raise_exception('No owls here') }}"});
    say("one");
    QVERIFY(waitIdle());
    QTRY_VERIFY(page.noticeText().contains("No owls here"));
    QCOMPARE(turns(), std::size_t{1}); // no answer
    say("two");
    QVERIFY(waitIdle());
    QCOMPARE(turns(), std::size_t{1}); // the next question takes the place of the unanswered one
    QCOMPARE(turn(0).text, QString("two"));
    QCOMPARE(page.session()->tree().siblings(turn(0).id).count, 2);
}

void TestRunTemplates::takesTheDraftOfATemplate() {
    RunPage& page = open();
    QCOMPARE(page.templateCombo()->currentText(), QString("default"));
    QVERIFY(m_document->apply(
        {SetKey{.key = "tokenizer.chat_template", .value = OwnedValue::string("{{ raise_exception('the draft') }}")}},
        "Edit"));
    QCOMPARE(page.templateCombo()->currentText(), QString("default (draft)"));
    say("one");
    QVERIFY(waitIdle());
    QTRY_VERIFY(page.noticeText().contains("the draft"));
    m_document->undo();
    QCOMPARE(page.templateCombo()->currentText(), QString("default"));
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
    QVERIFY(page.toolsField()->isEnabled());
    page.toolsField()->setPlainText("[{");
    say("one");
    QVERIFY2(page.noticeText().contains("tools"), qPrintable(page.noticeText()));
    QVERIFY(page.session()->tree().isEmpty());
    for (QPushButton* button : page.findChildren<QPushButton*>()) {
        if (button->text() == "Example") {
            QVERIFY(!button->isVisible()); // there is something already
            page.toolsField()->clear();
            QVERIFY(button->isVisibleTo(&page));
            button->click();
        }
    }
    QVERIFY(page.toolsField()->isValid() && page.toolsField()->tools().contains("get_weather"));
    page.samplerPanel()->lengthField()->setValue(400);
    GrammarField* field = page.samplerPanel()->grammarField();
    const auto allow = [&](const QString& text) {
        const QSignalSpy changed(field, &GrammarField::changed);
        field->setKind(GrammarField::Gbnf);
        field->setText("root ::= \"" + QString(text).replace(u'"', QStringLiteral("\\\"")) + "\"");
        QTRY_VERIFY(changed.count() > 0 && field->grammar() != nullptr && field->problem().isEmpty());
    };
    const QString call = "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"n\": 1}}</tool_call>";
    allow(call + call);
    page.composer()->setText({});
    QVERIFY(!page.sendAsControl()->isVisible());
    say("one");
    QVERIFY(waitIdle());
    QCOMPARE(turns(), std::size_t{2});
    QCOMPARE(page.session()->tree().pendingCalls(), QStringList({"get_weather", "get_weather"}));
    QVERIFY(page.sendAsControl()->isVisible());
    QCOMPARE(page.sendAsControl()->segment(0)->text(), QString("Result of get_weather"));
    say("two"); // of two calls, one has no result yet
    QVERIFY(waitIdle());
    QCOMPARE(turns(), std::size_t{3});
    QVERIFY(turn(2).role == TurnRole::Tool);
    allow("four");
    say("three");
    QVERIFY(waitIdle());
    QVERIFY2(page.noticeText().isEmpty(), qPrintable(page.noticeText()));
    QCOMPARE(turns(), std::size_t{5});
    // Instead of the constrained text, a model that has tools may begin a call, as this one tries to.
    QVERIFY2(turn(4).text == "four" || turn(4).text.startsWith("[TOOL_CALLS]"), qPrintable(turn(4).text));
    QVERIFY(!page.sendAsControl()->isVisible());

    const QTemporaryDir folder;
    QSignalSpy exported(&page, &RunPage::exported);
    page.exportTo(folder.filePath("a.json"), true);
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
    QTest::mouseClick(page.newButton(), Qt::LeftButton);
    QVERIFY(page.session()->tree().tools.contains("get_weather"));
}

// The text of a control token in a message becomes that token, which a notice says, or stays text.
void TestRunTemplates::controlTokensInMessages() {
    RunPage& page = open();
    say("one<|end|>two");
    QVERIFY(waitIdle());
    QTRY_VERIFY2(page.noticeText().contains("<|end|>") && page.noticeText().contains(page.literalBox()->text()),
                 qPrintable(page.noticeText()));
    const std::size_t asToken = page.session()->figures().promptTokens;
    QVERIFY(!page.literalBox()->isChecked());
    QTest::mouseClick(page.newButton(), Qt::LeftButton);
    page.literalBox()->setFocus();
    QTest::keyClick(page.literalBox(), Qt::Key_Space);
    say("one<|end|>two");
    QVERIFY(waitIdle());
    QVERIFY2(page.noticeText().isEmpty(), qPrintable(page.noticeText()));
    QVERIFY(page.session()->figures().promptTokens > asToken); // its text is several tokens
    // The setting is kept.
    QCOMPARE(page.saveState()[QStringLiteral("literalContent")].toBool(), true);
}

// A model may have a template of its own for conversations with tools.
void TestRunTemplates::takesTheTemplateForTools() {
    RunPage& page = open({.chatTemplate = "{{ raise_exception('without') }}"});
    QVERIFY(!page.toolsField()->isEnabled());
    QVERIFY(m_document->apply({SetKey{.key = "tokenizer.chat_template.tool_use",
                                      .value = OwnedValue::string("{{ raise_exception('with ' + tools[0].name) }}")}},
                              "Edit"));
    QVERIFY(page.toolsField()->isEnabled());
    const auto refusal = [&] {
        say("one");
        return waitIdle() && QTest::qWaitFor([&] { return page.noticeText().contains("with"); }) ? page.noticeText()
                                                                                                 : QString();
    };
    QVERIFY2(refusal().contains("without"), qPrintable(page.noticeText()));
    page.toolsField()->setPlainText(R"([{"name": "owl"}])");
    QVERIFY2(refusal().contains("with owl"), qPrintable(page.noticeText()));
    QCOMPARE(page.templateCombo()->currentText(), QString("default"));
    page.toolsField()->clear();
    QVERIFY2(refusal().contains("without"), qPrintable(page.noticeText()));
}

// The template prints its variables.
void TestRunTemplates::switchesThinking() {
    RunPage& page =
        open({.chatTemplate = "{{ raise_exception('thinking: ' + (enable_thinking|string if enable_thinking "
                              "is defined else 'not told')) }}"});
    const auto told = [&] {
        say("one");
        return waitIdle() && QTest::qWaitFor([&] { return page.noticeText().contains("thinking: "); })
                   ? page.noticeText().section("thinking: ", 1)
                   : QString();
    };
    QVERIFY(page.thinkingCombo()->isVisible());
    QVERIFY2(told().startsWith("not told"), qPrintable(page.noticeText()));
    page.thinkingCombo()->setFocus();
    QTest::keyClick(page.thinkingCombo(), Qt::Key_End);
    QCOMPARE(page.session()->tree().thinking, std::optional(false));
    QVERIFY2(told().toLower().startsWith("false"), qPrintable(page.noticeText()));
    QTest::keyClick(page.thinkingCombo(), Qt::Key_Up);
    QVERIFY2(told().toLower().startsWith("true"), qPrintable(page.noticeText()));
    QTest::mouseClick(page.newButton(), Qt::LeftButton);
    QCOMPARE(page.thinkingCombo()->currentText(), QString("On"));
    page.templateCombo()->setCurrentIndex(page.templateCombo()->findText("ChatML"));
    emit page.templateCombo()->activated(page.templateCombo()->currentIndex());
    QVERIFY(!page.thinkingCombo()->isVisible());
}

void TestRunTemplates::takesNoPictures() {
    RunPage& page = open();
    page.chatWith("default", true);
    QVERIFY2(page.noticeText().contains("pictures"), qPrintable(page.noticeText()));
    say("one");
    QVERIFY(waitIdle());
    QVERIFY(!page.noticeText().contains("pictures"));
    QGuiApplication::clipboard()->setImage(QImage(2, 2, QImage::Format_RGB32));
    QTest::keyClick(page.composer()->field(), Qt::Key_V, Qt::ControlModifier);
    QVERIFY2(page.noticeText().contains("picture"), qPrintable(page.noticeText()));
    QVERIFY(page.composer()->text().isEmpty());
    QGuiApplication::clipboard()->setText("two");
    QTest::keyClick(page.composer()->field(), Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(page.composer()->text(), QString("two"));
}

GUFO_TEST_WIDGETS(TestRunTemplates)
#include "tst_run_templates.moc"
