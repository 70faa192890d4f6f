// The conversations with which templates are tried: each finds templates that differ only in what it is about, and two
// templates that behave alike render all of them alike.
#include "support/test_unit.h"
#include "text/conversation/battery.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <set>

using namespace gufo;
using namespace gufo::text;

namespace {

// Writes everything that a conversation may contain. The variants below change one thing each.
const QByteArray kWhole = R"({%- if tools %}TOOLS{{ tools | tojson }}
{%- endif %}
{%- for m in messages %}
{{- '<' + m.role + '>' }}
{%- if m.reasoning_content %}{{- '(' + m.reasoning_content + ')' }}{%- endif %}
{%- if m.content is string %}{{- m.content }}{%- else %}{%- for p in m.content %}{{- p.text }}{%- endfor %}{%- endif %}
{%- for c in m.tool_calls or [] %}{{- '{' + c.function.name + c.function.arguments | tojson + '}' }}{%- endfor %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<assistant>' }}{%- if enable_thinking is defined and not enable_thinking %}-{%- endif %}
{%- endif %})";

QByteArray changed(const char* what, const char* by) {
    QByteArray source = kWhole;
    const qsizetype before = source.size();
    source.replace(what, by);
    return source.size() != before || source != kWhole ? source : QByteArray();
}

} // namespace

class TestBattery : public QObject {
    Q_OBJECT

    std::unique_ptr<TemplateRenderer> m_renderer = std::make_unique<TemplateRenderer>();
    Metadata m_metadata;

    std::vector<BatteryRendering> render(const QByteArray& source) {
        return renderBattery(m_metadata, source.toStdString(), *m_renderer);
    }

private slots:
    void conversationsAreSound() {
        std::set<std::string_view> names;
        for (const BatteryCase& each : battery()) {
            QVERIFY2(names.insert(each.name).second, each.title);
            const auto said = QJsonDocument::fromJson(QByteArray(each.said.data(), qsizetype(each.said.size())));
            QVERIFY2(said.isArray() && !said.array().isEmpty(), each.title);
        }
        const std::string_view tools = batteryTools();
        QVERIFY(QJsonDocument::fromJson(QByteArray(tools.data(), qsizetype(tools.size()))).isArray());
    }

    void findsWhatDiffers_data() {
        QTest::addColumn<QByteArray>("other");
        QTest::addColumn<QStringList>("different");
        QTest::newRow("nothing") << kWhole + "{# a remark #}" << QStringList();
        QTest::newRow("thoughts") << changed("'(' + m.reasoning_content", "'[' + m.reasoning_content")
                                  << QStringList{"thought", "old_thought", "thought_and_call"};
        QTest::newRow("tools") << changed("TOOLS", "TOOL")
                               << QStringList{"tools",  "system_tools",   "call",
                                              "result", "parallel_calls", "thought_and_call"};
        QTest::newRow("tools in the system message")
            << changed("{%- if tools %}", "{%- if tools and messages[0].role != 'system' %}")
            << QStringList{"system_tools"};
        QTest::newRow("calls") << changed("'{' + c.function.name", "'{f:' + c.function.name")
                               << QStringList{"call", "result", "parallel_calls", "thought_and_call"};
        QTest::newRow("the second of two calls")
            << changed("in m.tool_calls or []", "in (m.tool_calls or [])[:1]") << QStringList{"parallel_calls"};
        QTest::newRow("nested arguments")
            << changed("c.function.arguments | tojson", "c.function.arguments | tojson | replace('limit', '')")
            << QStringList{"call", "result", "parallel_calls", "thought_and_call"};
        QTest::newRow("parts") << changed("p.text", "'\\n' + p.text") << QStringList{"parts"};
        QTest::newRow("no content") << changed("{%- if m.content is string %}",
                                               "{%- if m.content is string and not m.content %}nothing"
                                               "{%- elif m.content is string %}")
                                    << QStringList{"call", "result", "parallel_calls", "empty"};
        QTest::newRow("spaces") << changed("{{- m.content }}", "{{- m.content | trim }}") << QStringList{"spaces"};
        QTest::newRow("switch of thinking")
            << changed("not enable_thinking", "enable_thinking") << QStringList{"no_thinking"};
        QTest::newRow("a refusal") << changed("{%- for m in messages %}",
                                              "{%- if messages[0].role == 'system' %}{{ raise_exception('no') }}"
                                              "{%- endif %}{%- for m in messages %}")
                                   << QStringList{"system", "system_turns", "system_tools", "empty"};
        QTest::newRow("third turn") << changed("{%- for m in messages %}", "{%- for m in messages[-4:] %}")
                                    << QStringList{"turns", "parallel_calls"};
    }
    void findsWhatDiffers() {
        QFETCH(QByteArray, other);
        QFETCH(QStringList, different);
        QVERIFY(!other.isEmpty());
        const auto before = render(kWhole);
        const auto after = render(other);
        QCOMPARE(before.size(), battery().size());
        QCOMPARE(after.size(), battery().size());
        QStringList found;
        for (std::size_t i = 0; i < before.size(); ++i) {
            QVERIFY2(before[i].text.has_value(), before[i].conversation->title);
            if (!before[i].sameAs(after[i])) {
                found.append(QString::fromUtf8(before[i].conversation->name.data(),
                                               qsizetype(before[i].conversation->name.size())));
            }
        }
        QCOMPARE(found, different);
    }

    // A refusal is the same as another one with the same reason, and a helper that ended says nothing.
    void comparesRefusals() {
        const auto no = render("{{ raise_exception('no') }}");
        const auto other = render("{# #}{{ raise_exception('no') }}");
        const auto never = render("{{ raise_exception('never') }}");
        QVERIFY(no.front().sameAs(other.front()));
        QVERIFY(!no.front().sameAs(never.front()));
        const auto endless = render("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}");
        QCOMPARE(endless.size(), 1U); // the others would take as long
        QCOMPARE(endless.front().problem->code, QStringLiteral("timed_out"));
        QVERIFY(!endless.front().sameAs(endless.front()));
    }

    void stops() {
        std::stop_source stop;
        stop.request_stop();
        const auto renderings = renderBattery(m_metadata, kWhole.toStdString(), *m_renderer, stop.get_token());
        QCOMPARE(renderings.size(), 1U);
        QCOMPARE(renderings.front().problem->code, QStringLiteral("cancelled"));
    }
};

GUFO_TEST(TestBattery)
#include "tst_battery.moc"
