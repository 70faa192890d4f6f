// Compares the renderer with Jinja2 as configured by transformers, byte for byte; also the places of errors, templates
// that never end or take all memory, and helpers that die.

#include "support/process_time.h"
#include "support/sanitized.h"
#include "support/test_unit.h"
#include "template_data.h"
#include "test_paths.h"
#include "ui/messages/problem_text.h"

#include <QDir>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QtEndian>

#include <csignal>
#include <future>
#include <sys/wait.h>

using namespace gufo;
using gufo::test::renderNow;
using gufo::test::Variables;
using text::Rendering;
using text::TemplateProblem;
using text::TemplateRenderer;

namespace {

// Maps an error of the renderer to the reference's name for it.
QString referenceError(const TemplateProblem& problem) {
    if (problem.code == QStringLiteral("raised")) {
        return QStringLiteral("raised: ") + problem.args.value(0);
    }
    if (problem.code == QStringLiteral("runtime_error")) {
        return problem.args.join(QStringLiteral(": "));
    }
    if (problem.code == QStringLiteral("too_deep")) {
        return QStringLiteral("RecursionError: maximum recursion depth exceeded");
    }
    if (problem.code == QStringLiteral("unknown_filter")) {
        return QStringLiteral("TemplateRuntimeError: No filter named '%1' found.").arg(problem.args.value(0));
    }
    return QStringLiteral("syntax");
}

QString expectedError(const QJsonObject& expected) {
    const QString kind = expected[QStringLiteral("error")].toString();
    return kind == QStringLiteral("syntax")
               ? kind
               : kind + QStringLiteral(": ") + expected[QStringLiteral("message")].toString();
}

void compareWith(const QJsonObject& expected, const Rendering& rendering) {
    if (expected.contains(QStringLiteral("text"))) {
        QVERIFY2(rendering.text, rendering.error ? qPrintable(ui::templateProblemText(*rendering.error)) : "nothing");
        QCOMPARE(*rendering.text, expected[QStringLiteral("text")].toString());
        return;
    }
    QVERIFY(!rendering.text);
    QVERIFY(rendering.error);
    const QString wanted = expectedError(expected);
    // Jinja2 reports unknown filters and tests when it compiles, or, inside a branch, when it reaches them.
    // Python's compiler limits the nesting of loops.
    const bool isCompiled = (rendering.error->code.startsWith(QStringLiteral("unknown_")) ||
                             rendering.error->code == QStringLiteral("too_deep")) &&
                            wanted == QStringLiteral("syntax");
    QCOMPARE(isCompiled ? wanted : referenceError(*rendering.error), wanted);
}

const QString kEndless =
    QStringLiteral("{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}");
const QString kExploding = QStringLiteral("{% set ns = namespace(s='x') %}{% for i in range(60) %}{% set ns.s = ns.s + "
                                          "ns.s %}{% endfor %}{{ ns.s | length }}");

// Renders on another thread.
class Background {
public:
    Background(TemplateRenderer& renderer, const QString& source)
        : m_result(std::async(std::launch::async, [this, &renderer, source] {
            return renderer.render({.source = source}, m_stop.get_token());
        })) {}
    void stop() { m_stop.request_stop(); }
    [[nodiscard]] Rendering wait() { return m_result.get(); }

private:
    std::stop_source m_stop;
    std::future<Rendering> m_result; // the last member: its thread uses the others
};

constexpr std::size_t kLongReply = 400'000; // number of parts

// Makes a program that replaces the helper, answers as many requests with these bytes, and ends.
QString replier(const QTemporaryDir& folder, const QByteArray& bytes, int requests = 1) {
    QFile reply(folder.filePath(QStringLiteral("reply")));
    QFile program(folder.filePath(QStringLiteral("program")));
    if (reply.open(QIODevice::WriteOnly) && program.open(QIODevice::WriteOnly)) {
        reply.write(bytes);
        // The frame {} comes first. A request is read at once.
        const QByteArray answer =
            "dd bs=65536 count=1 status=none of=/dev/null <&3\ncat '" + QFile::encodeName(reply.fileName()) + "' >&3\n";
        program.write("#!/bin/sh\nprintf '\\2\\0\\0\\0{}' >&3\n" + answer.repeated(requests));
        program.setPermissions(QFileDevice::ReadOwner | QFileDevice::ExeOwner | QFileDevice::WriteOwner);
    }
    return program.fileName();
}

QByteArray longReply() {
    QByteArray json(R"({"problems":[],"text":"x","parts":[{"index":0,"begin":0})");
    for (std::size_t i = 1; i < kLongReply; ++i) {
        json += R"(,{"index":)" + QByteArray::number(i) + R"(,"begin":)" + QByteArray::number(i) + '}';
    }
    json += "]}";
    QByteArray length(4, Qt::Uninitialized);
    qToLittleEndian(static_cast<quint32>(json.size()), length.data());
    return length + json;
}

} // namespace

class TestTemplateRenderer : public QObject {
    Q_OBJECT

    std::unique_ptr<TemplateRenderer> m_renderer;

private slots:
    void initTestCase() {
        QVERIFY2(!TemplateRenderer::helperProgram().isEmpty(), "gufo-render-helper is not built");
        m_renderer = std::make_unique<TemplateRenderer>();
    }
    void cleanupTestCase() { m_renderer.reset(); }

    void featuresEqualTheReference_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QJsonObject>("expected");
        const auto cases =
            QJsonDocument::fromJson(test::templateData("features.json"))[QStringLiteral("cases")].toArray();
        QVERIFY(cases.size() > 1300);
        for (const QJsonValue& each : cases) {
            QTest::newRow(qPrintable(each[QStringLiteral("name")].toString()))
                << each[QStringLiteral("template")].toString() << each.toObject();
        }
    }
    void featuresEqualTheReference() {
        QFETCH(QString, source);
        QFETCH(QJsonObject, expected);
        static const Variables variables = [] {
            const auto file = test::members(test::templateData("features.json"));
            return test::variables(file.front().second);
        }();
        compareWith(expected, renderNow(*m_renderer, source, variables));
    }

    // Templates in which tokens were inserted, removed, exchanged: Jinja2 renders some, fails at others, and refuses
    // most.
    void mutationsEqualTheReference() {
        const auto rows = QJsonDocument::fromJson(test::templateData("mutations.json")).array();
        QVERIFY(rows.size() >= 1500);
        static const Variables variables =
            test::variables(test::members(test::templateData("features.json")).front().second);
        QStringList wrong;
        for (const QJsonValue& row : rows) {
            const QString source = row[0].toString();
            const Rendering rendering = renderNow(*m_renderer, source, variables);
            const QString code = rendering.error ? rendering.error->code : QString();
            const bool failed = code == QStringLiteral("runtime_error") || code == QStringLiteral("raised") ||
                                code == QStringLiteral("unsupported_tag");
            const bool isRight = row[1].isString() ? rendering.text == row[1].toString()
                                 : row[1].isNull() ? !rendering.text && !code.isEmpty() && !failed
                                                   : !rendering.text && !code.isEmpty();
            if (!isRight) {
                wrong.append(QStringLiteral("%1 → %2").arg(source, rendering.text.value_or(code)));
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    }

    void publishedTemplatesEqualTheReference_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("conversation");
        const auto published = QJsonDocument::fromJson(test::templateData("published.json")).object();
        QCOMPARE(published.size(), 6);
        for (auto file = published.begin(); file != published.end(); ++file) {
            const QJsonObject conversations = file->toObject();
            QVERIFY(conversations.size() >= 8);
            for (auto each = conversations.begin(); each != conversations.end(); ++each) {
                QTest::newRow(qPrintable(file.key() + QStringLiteral(", ") + each.key())) << file.key() << each.key();
            }
        }
    }
    void publishedTemplatesEqualTheReference() {
        QFETCH(QString, file);
        QFETCH(QString, conversation);
        QFile source(QStringLiteral(GUFO_SHARED_DIR "/thirdparty/templates/") + file);
        if (!source.open(QIODevice::ReadOnly)) {
            QSKIP("the folder " GUFO_SHARED_DIR
                  "/thirdparty/templates, which has published chat templates, is missing");
        }
        static const auto conversations = test::members(test::templateData("conversations.json"));
        const auto found = std::ranges::find(conversations, conversation, [](const auto& each) { return each.first; });
        QVERIFY(found != conversations.end());
        const auto published = QJsonDocument::fromJson(test::templateData("published.json"));
        compareWith(published[file][conversation].toObject(),
                    renderNow(*m_renderer, QString::fromUtf8(source.readAll()), test::variables(found->second)));
    }

    void tellsWhereItWentWrong_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        const auto row = [](const char* source, const char* code, int line, int column) {
            QTest::newRow(source) << QString::fromUtf8(source) << QString::fromUtf8(code) << line << column;
        };
        row("a\n{% if x %}\nb", "unclosed_block", 2, 4);
        row("{% for m in messages %}\n{% if m %}\n{% endfor %}", "wrong_end", 3, 4);
        row("a\n\n{{ 1", "unclosed_tag", 3, 1);
        row("a\n{% set x = 1\n\nb", "unclosed_tag", 2, 1);
        row("a\n{{ x \n{% if y %}{% endif %}", "unclosed_tag", 2, 1);
        row("a\n{# b", "unclosed_comment", 2, 1);
        row("{% raw %}\n{{", "unclosed_block", 1, 1);
        row("a\n{{ 'b }}\nc\n{{ 'd' }}", "unclosed_string", 2, 4);
        row("a\n{{ 'b }}\nc", "unclosed_string", 2, 4);
        row("a\n{{ (1 + 2 }}\nb", "unclosed_bracket", 2, 4);
        row("a\n{{ [1, 2) }}", "unexpected_token", 2, 9);
        row("a\n{{ 1 + }}", "unexpected_end_of_tag", 2, 8);
        row("a\n{{ 1 2 }}", "unexpected_token", 2, 6);
        row("a\n {% if x = 1 %}{% endif %}", "single_equals", 2, 10);
        row("a\n{{ x | }}", "unexpected_end_of_tag", 2, 8);
        row("a\n{{ x.1a }}", "unexpected_token", 2, 7);
        row("a\n{{ a $ b }}", "unexpected_char", 2, 6);
        row("a\n{% forr m in x %}", "unknown_tag", 2, 4);
        row("a\n{% else %}", "stray_tag", 2, 4);
        row("a\n{% endif %}", "stray_end", 2, 4);
        row("a\n{% for m messages %}{% endfor %}", "unexpected_token", 2, 10);
        row("a\n\n{{ raise_exception('no') }}", "raised", 3, 4);
        row("a\n{% if true %}\n  {{ missing.x }}\n{% endif %}", "runtime_error", 3, 14);
        row("{% macro m() %}\n{{ 1 + 'a' }}\n{% endmacro %}\n{{ m() }}", "runtime_error", 2, 6);
        row("a\n{% for x in 5 %}\n{% endfor %}", "runtime_error", 2, 13);
        row("a\n{{ nope() }}", "runtime_error", 2, 4);
        row("a\n{{ 1 | tojsn }}", "unknown_filter", 2, 8);
        row("a\n{{ 1 is stringg }}", "unknown_test", 2, 9);
        row("a\r\n\r\n{{ 1 | tojsn }}", "unknown_filter", 3, 8);
        row("{% set a, b = [1] %}", "runtime_error", 1, 8);
    }
    void tellsWhereItWentWrong() {
        QFETCH(QString, source);
        QFETCH(QString, code);
        QFETCH(int, line);
        QFETCH(int, column);
        const Rendering rendering = renderNow(*m_renderer, source);
        QVERIFY(rendering.error);
        QCOMPARE(rendering.error->code, code);
        QCOMPARE(rendering.error->line, line);
        QCOMPARE(rendering.error->column, column);
        QVERIFY(rendering.error->length >= 1);
    }

    void findsUnknownNamesInBranchesNotTaken() {
        const QString source =
            QStringLiteral("{% if false %}\n{{ x | tojsn }}\n{{ x is strin }}\n{{ nmespace() }}\n{% endif %}ok");
        const Rendering rendering = renderNow(*m_renderer, source);
        QCOMPARE(rendering.text, QStringLiteral("ok"));
        QCOMPARE(rendering.problems.size(), 3U);
        QCOMPARE(rendering.problems[0].line, 2);
        QCOMPARE(rendering.problems[0].column, 8);
        QCOMPARE(rendering.problems[0].length, 5);
        QCOMPARE(ui::templateProblemFix(rendering.problems[0]), QStringLiteral("tojson"));
        QCOMPARE(ui::templateProblemText(rendering.problems[0]),
                 QStringLiteral("There is no filter tojsn. Did you mean tojson?"));
        QCOMPARE(ui::templateProblemFix(rendering.problems[1]), QStringLiteral("string"));
        QCOMPARE(ui::templateProblemFix(rendering.problems[2]), QStringLiteral("namespace"));
        const Rendering checked = renderNow(*m_renderer, source, {}, true);
        QVERIFY(!checked.text && !checked.error);
        QCOMPARE(checked.problems.size(), 3U);
    }

    void saysWhereEachMessageBegins() {
        const Variables variables{
            {QStringLiteral("messages"), QStringLiteral(R"([{"c": "ab"}, {"c": "😀"}, {"c": "d"}])")}};
        const Rendering rendering =
            renderNow(*m_renderer, QStringLiteral("<{% for m in messages %}{{ m.c }},{% endfor %}>"), variables);
        QCOMPARE(rendering.text, QStringLiteral("<ab,😀,d,>"));
        QCOMPARE(rendering.starts.size(), 3U);
        QCOMPARE(rendering.starts[1].message, 1);
        QCOMPARE(rendering.starts[1].offset, 4);
        QCOMPARE(rendering.starts[2].offset, 7);
    }

    void refusesBadVariables() {
        const Rendering rendering =
            renderNow(*m_renderer, QStringLiteral("x"), {{QStringLiteral("tools"), QStringLiteral("[\n{a}]")}});
        QVERIFY(rendering.error);
        QCOMPARE(rendering.error->code, QStringLiteral("bad_json"));
        QCOMPARE(rendering.error->args,
                 QStringList({QStringLiteral("tools"), QStringLiteral("2"), QStringLiteral("2")}));
    }

    void everyCodeHasWords() {
        for (const QString& code : ui::templateProblemCodes()) {
            const TemplateProblem problem{.code = code, .args = {QStringLiteral("%2"), QStringLiteral("b")}};
            QVERIFY2(!ui::templateProblemText(problem).isEmpty(), qPrintable(code));
        }
        const TemplateProblem unknown{.code = QStringLiteral("not_a_code"), .args = {QStringLiteral("x")}};
        QCOMPARE(ui::templateProblemText(unknown), QStringLiteral("not_a_code x"));
    }

    void endsAnEndlessTemplateInItsSecond() {
        renderNow(*m_renderer, QStringLiteral("warm"));
        QElapsedTimer clock;
        clock.start();
        const Rendering rendering = renderNow(*m_renderer, kEndless);
        QVERIFY(rendering.error);
        QCOMPARE(rendering.error->code, QStringLiteral("timed_out"));
        QVERIFY(clock.elapsed() >= 900);
        QVERIFY2(clock.elapsed() < 7000, qPrintable(QString::number(clock.elapsed())));
        QCOMPARE(renderNow(*m_renderer, QStringLiteral("{{ 1 + 1 }}")).text, QStringLiteral("2"));
    }

    void endsAnExplodingTemplate() {
        if (test::kSanitized) {
            QSKIP("with a sanitizer the helper has no limit on memory");
        }
        const Rendering rendering = renderNow(*m_renderer, kExploding);
        QVERIFY(rendering.error);
        // On a busy machine the time limit may be reached first.
        QVERIFY2(rendering.error->code == QStringLiteral("out_of_memory") ||
                     rendering.error->code == QStringLiteral("timed_out"),
                 qPrintable(rendering.error->code));
        QCOMPARE(renderNow(*m_renderer, QStringLiteral("{{ 1 + 1 }}")).text, QStringLiteral("2"));
    }

    // The kernel reports the helper's memory limit while it works.
    void boundsTheMemoryOfTheHelper() {
        if (test::kSanitized) {
            QSKIP("with a sanitizer the helper has no limit on memory");
        }
#ifndef Q_OS_LINUX
        QSKIP("/proc is needed");
#endif
        renderNow(*m_renderer, QStringLiteral("warm"));
        QFile limits(QStringLiteral("/proc/%1/limits").arg(m_renderer->helperId()));
        QVERIFY(limits.open(QIODevice::ReadOnly));
        const QByteArray all = limits.readAll();
        const qsizetype at = all.indexOf("Max address space");
        QVERIFY(at >= 0);
        QVERIFY2(all.mid(at, 60).contains(" 400000000 "), all.mid(at, 60).constData());
    }

    void replacesAHelperThatDies() {
        renderNow(*m_renderer, QStringLiteral("warm"));
        const auto before = static_cast<pid_t>(m_renderer->helperId());
        ::kill(before, SIGKILL); // idle
        siginfo_t end{};
        QCOMPARE(::waitid(P_PID, static_cast<id_t>(before), &end, WEXITED | WNOWAIT), 0);
        QCOMPARE(renderNow(*m_renderer, QStringLiteral("{{ 1 + 1 }}")).text, QStringLiteral("2"));
        QVERIFY(m_renderer->helperId() != before);

        Background endless(*m_renderer, kEndless);
        QVERIFY(test::waitUntilAtWork(m_renderer->helperId()));
        ::kill(static_cast<pid_t>(m_renderer->helperId()), SIGKILL);
        QCOMPARE(endless.wait().error->code, QStringLiteral("helper_died"));
        QCOMPARE(m_renderer->helperId(), 0);
        m_renderer->warmUp();
        QVERIFY(m_renderer->helperId() != 0);
        QCOMPARE(renderNow(*m_renderer, QStringLiteral("{{ 1 + 1 }}")).text, QStringLiteral("2"));
    }

    void cancels() {
        renderNow(*m_renderer, QStringLiteral("warm"));
        const qint64 before = m_renderer->helperId();
        Background endless(*m_renderer, kEndless);
        QVERIFY(test::waitUntilAtWork(m_renderer->helperId()));
        m_renderer->warmUp(); // does not wait for the rendering
        endless.stop();
        QCOMPARE(endless.wait().error->code, QStringLiteral("cancelled"));
        QCOMPARE(renderNow(*m_renderer, QStringLiteral("{{ 1 + 1 }}")).text, QStringLiteral("2"));
        QVERIFY(m_renderer->helperId() != before);
    }

    // A request that is stopped while the helper starts leaves the helper to the next one.
    void cancelsWhileTheHelperStarts() {
        const QTemporaryDir folder;
        QFile program(folder.filePath(QStringLiteral("program")));
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("#!/bin/sh\nexec sleep 1000\n");
        program.setPermissions(QFileDevice::ReadOwner | QFileDevice::ExeOwner | QFileDevice::WriteOwner);
        program.close();
        TemplateRenderer renderer(program.fileName());
        Background waiting(renderer, QStringLiteral("x"));
        QTRY_VERIFY(renderer.helperId() != 0);
        const qint64 helper = renderer.helperId();
        waiting.stop();
        QCOMPARE(waiting.wait().error->code, QStringLiteral("cancelled"));
        QCOMPARE(renderer.helperId(), helper);
        QCOMPARE(::kill(static_cast<pid_t>(helper), 0), 0);
    }

    // Each gets its own answer, whichever comes first.
    void takesRequestsOfSeveralThreads() {
        std::vector<std::unique_ptr<Background>> renderings;
        for (int i = 0; i < 20; ++i) {
            renderings.push_back(std::make_unique<Background>(*m_renderer, QString::number(i)));
        }
        for (int i = 0; i < 20; ++i) {
            QCOMPARE(renderings[static_cast<std::size_t>(i)]->wait().text, QString::number(i));
        }
    }

    void saysWhenThereIsNoHelper_data() {
        QTest::addColumn<QString>("program");
        QTest::newRow("none") << QString();
        QTest::newRow("missing") << QStringLiteral("/nonexistent/gufo-render-helper");
        QTest::newRow("ends at once") << QStringLiteral("/bin/false");
    }
    void saysWhenThereIsNoHelper() {
        QFETCH(QString, program);
        TemplateRenderer renderer(program);
        const Rendering rendering = renderNow(renderer, QStringLiteral("x"));
        QVERIFY(rendering.error);
        QCOMPARE(rendering.error->code, QStringLiteral("helper_missing"));
    }

    void takesLongReplies() {
        const QTemporaryDir folder;
        TemplateRenderer renderer(replier(folder, longReply(), 2));
        for (int i = 0; i < 2; ++i) {
            const Rendering rendering = renderNow(renderer, QStringLiteral("x"));
            QCOMPARE(rendering.starts.size(), kLongReply);
            QCOMPARE(rendering.starts.back().offset, static_cast<qsizetype>(kLongReply - 1));
        }
    }

    void refusesRepliesThatAreNoAnswers_data() {
        QTest::addColumn<QByteArray>("reply");
        QTest::newRow("not JSON") << QByteArray("\3\0\0\0{a}", 7);
        QTest::newRow("not an object") << QByteArray("\2\0\0\0[]", 6);
        QTest::newRow("empty") << QByteArray(4, '\0');
        QTest::newRow("longer than allowed") << QByteArray("\1\0\0\x10", 4);
        QTest::newRow("cut") << QByteArray("\3\0\0\0{", 5);
    }
    void refusesRepliesThatAreNoAnswers() {
        QFETCH(QByteArray, reply);
        const QTemporaryDir folder;
        TemplateRenderer renderer(replier(folder, reply));
        const Rendering rendering = renderNow(renderer, QStringLiteral("x"));
        QVERIFY(rendering.error);
        QCOMPARE(rendering.error->code, QStringLiteral("helper_died"));
    }

    void waitsAndStops() {
        QCOMPARE(text::renderAndWait({.source = QStringLiteral("{{ 6 * 7 }}")}).text, QStringLiteral("42"));
        std::stop_source source;
        source.request_stop();
        const Rendering rendering = text::renderAndWait({.source = kEndless}, source.get_token());
        QCOMPARE(rendering.error->code, QStringLiteral("cancelled"));
    }
};

GUFO_TEST(TestTemplateRenderer)
#include "tst_template_renderer.moc"
