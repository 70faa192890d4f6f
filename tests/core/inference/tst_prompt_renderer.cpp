// The prompts that chat templates make of conversations, in the helper process.
#include "inference/prompts/prompt_renderer.h"
#include "support/model_maker.h"
#include "support/test_unit.h"

#include <QTest>

using namespace gufo;
using namespace gufo::inference;

class TestPromptRenderer : public QObject {
    Q_OBJECT

private slots:
    // Some templates fail on a message without content, others recognise calls by it.
    void messagesThatOnlyCallTools_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("text");
        QTest::newRow("needs a text") << "{% for m in messages %}{{ m.content + ';' }}{% endfor %}" << "hi;;";
        QTest::newRow("needs null") << "{% for m in messages %}{{ 'call' if m.content is none else m.content }};"
                                       "{% endfor %}"
                                    << "hi;call;";
    }
    void messagesThatOnlyCallTools() {
        QFETCH(QString, source);
        QFETCH(QString, text);
        const ChatPrompt chat{.messages = {{.role = "user", .content = "hi"},
                                           {.role = "assistant", .toolCalls = R"([{"function": {"name": "f"}}])"}},
                              .chatTemplate = source.toStdString(),
                              .model = test::ModelMaker("llama").model()};
        PromptRenderer renderer;
        for (int turn = 0; turn < 2; ++turn) { // the second time it is known
            const auto rendered = renderer.render(chat, {});
            QVERIFY2(rendered, rendered ? "" : qPrintable(rendered.error().code));
            QCOMPARE(QString::fromStdString(rendered->text), text);
        }
    }

    void reportsOtherFaults() {
        const ChatPrompt chat{.messages = {{.role = "assistant", .toolCalls = R"([{"function": {"name": "f"}}])"}},
                              .chatTemplate = "{{ raise_exception('never') }}",
                              .model = test::ModelMaker("llama").model()};
        PromptRenderer renderer;
        const auto rendered = renderer.render(chat, {});
        QVERIFY(!rendered);
        QCOMPARE(rendered.error().code, QStringLiteral("raised"));
    }
};

GUFO_TEST(TestPromptRenderer)
#include "tst_prompt_renderer.moc"
