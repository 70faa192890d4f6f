// Tests the conversation that a template renders: its messages, tools and variables, and the examples.
#include "support/user_view.h"
#include "template_page_test.h"
#include "ui/messages/problem_text.h"

#include <QMenu>

#include <algorithm>

class TestTemplateConversation : public TemplatePageTest {
    Q_OBJECT

private slots:
    void initTestCase() { prepareUnit(); }
    void cleanup() { finishTest(); }

    void theConversationCanBeChanged() {
        ShownPage shown(Templates{
            {"tokenizer.chat_template",
             "{% for m in messages %}{{ m.role }}={{ m.content }}{{ m.tool_calls | tojson if m.tool_calls }};"
             "{% endfor %}{{ tools | tojson if tools }}{{ extra }}{% if add_generation_prompt %}!{% endif %}"}});
        QVERIFY(shown.ready);
        ConversationPanel* panel = shown.page.findChild<ConversationPanel*>();
        panel->setConversation({.messages = {{.role = QStringLiteral("user"), .content = QStringLiteral("a")}}});
        QTest::keyClicks(panel->rows().front()->contentEdit(), QStringLiteral("b\""));
        panel->rows().front()->contentEdit()->insertPlainText(QStringLiteral("é"));
        const auto output = [&] { return shown.page.findChild<RenderingView*>()->toPlainText(); };
        QTRY_COMPARE(output(), QStringLiteral("user=b\"éa;!"));
        panel->setConversation({.messages = {{.role = QStringLiteral("assistant"),
                                              .content = {},
                                              .toolCalls = QStringLiteral(R"([{"x": 1.0}])")}},
                                .tools = QStringLiteral("[12345678901234567890]"),
                                .variables = {{QStringLiteral("extra"), QStringLiteral("[true, null]")}},
                                .generationPrompt = false});
        emit panel->changed();
        QTRY_COMPARE(output(), QStringLiteral("assistant=None[{\"x\": 1.0}];[12345678901234567890][True, None]"));
        // The content of a message that only calls tools can be an empty text instead of null.
        MessageRow* row = panel->rows().front();
        QMenu* menu = row->findChild<QMenu*>();
        emit menu->aboutToShow();
        const auto isNull = [menu] {
            for (QAction* action : menu->actions()) {
                if (action->text() == QStringLiteral("No Text Is null")) {
                    return action;
                }
            }
            return static_cast<QAction*>(nullptr);
        };
        QVERIFY(isNull() != nullptr && isNull()->isEnabled() && isNull()->isChecked());
        isNull()->trigger();
        QTRY_COMPARE(output(), QStringLiteral("assistant=[{\"x\": 1.0}];[12345678901234567890][True, None]"));
        QVERIFY(Conversation::restore(panel->conversation().save()).messages.front().emptyText);
        isNull()->trigger();
        QTRY_COMPARE(output(), QStringLiteral("assistant=None[{\"x\": 1.0}];[12345678901234567890][True, None]"));
        // A field with invalid JSON says so, and the last successful rendering stays.
        QTest::keyClicks(panel->findChild<ToolsEdit*>(), QStringLiteral("{"));
        QVERIFY(!panel->isValid());
        QTRY_VERIFY(!shown.label("stale")->isHidden());
        QCOMPARE(output(), QStringLiteral("assistant=None[{\"x\": 1.0}];[12345678901234567890][True, None]"));
        QTest::keyClick(panel->findChild<ToolsEdit*>(), Qt::Key_Backspace);
        QTRY_VERIFY(shown.label("stale")->isHidden());
    }

    void presetsAreValidAndComeBack() {
        for (const ConversationPreset& preset : conversationPresets()) {
            QVERIFY2(!jsonProblem(preset.conversation.messagesJson(), JsonKind::List), qPrintable(preset.name));
            QVERIFY(preset.conversation.tools.isEmpty() || !jsonProblem(preset.conversation.tools, JsonKind::List));
            QVERIFY(Conversation::restore(preset.conversation.save()) == preset.conversation);
        }
        QVERIFY(jsonProblem(QStringLiteral("{}"), JsonKind::List));
        QVERIFY(!jsonProblem(QStringLiteral("true"), JsonKind::Any));
        QVERIFY(jsonProblem(QStringLiteral("hello"), JsonKind::Any));
        QVERIFY(jsonProblem(QStringLiteral("1, 2"), JsonKind::Any));
    }

    // Mistral's templates refuse results without a matching call.
    void linksResultsToCalls() {
        ShownPage shown(Templates{{"tokenizer.chat_template",
                                   "{% for m in messages %}{% for c in m.tool_calls or [] %}{{ c.id }}{% endfor %}"
                                   "{% if m.role == 'tool' %}|{{ m.tool_call_id }}|{{ m.name }}{% endif %}"
                                   "{% endfor %}"}});
        QVERIFY(shown.ready);
        for (auto* box : shown.page.findChild<ConversationPanel*>()->findChildren<QComboBox*>()) {
            if (box->accessibleName() == QStringLiteral("Example conversation")) {
                emit box->activated(box->findText(QStringLiteral("Tool call")));
            }
        }
        QTRY_COMPARE(shown.page.findChild<RenderingView*>()->toPlainText(),
                     QStringLiteral("call00001|call00001|get_weather"));
    }

    void chatsWithADraftAndSaysOfPictures() {
        ShownPage shown;
        QVERIFY(shown.ready);
        QSignalSpy asked(&shown.page, &TemplatePage::chatRequested);
        QTest::mouseClick(test::named<QPushButton>(&shown.page, "Chat with draft"), Qt::LeftButton);
        const QList<ConversationPreset> presets = conversationPresets();
        const auto pictures = std::ranges::find_if(presets, [](const ConversationPreset& preset) {
            return std::ranges::any_of(preset.conversation.messages,
                                       [](const ChatMessage& message) { return message.images > 0; });
        });
        shown.page.findChild<ConversationPanel*>()->setConversation(pictures->conversation);
        QTest::mouseClick(test::named<QPushButton>(&shown.page, "Chat with draft"), Qt::LeftButton);
        QCOMPARE(asked.count(), 2);
        QCOMPARE(asked[0], QVariantList({QStringLiteral("default"), false}));
        QCOMPARE(asked[1], QVariantList({QStringLiteral("default"), true}));
    }
};

GUFO_TEST_WIDGETS(TestTemplateConversation)
#include "tst_template_conversation.moc"
