#include "text/template/template_renderer.h"

#include "text/helper_program.h"
#include "text/template/template_outline.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtEndian>

#include <chrono>
#include <utility>

namespace gufo::text {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Got = channel::Endpoint::Got;

constexpr auto kRenderTime = 6s; // wall-clock time on a busy machine; the helper limits itself to 1 s of processor time
constexpr auto kStartTime = 20s; // on a very busy machine
constexpr int kExitMilliseconds = 1000; // from the end of the connection to the end of the helper
constexpr std::size_t kLongestReply = 256U << 20U;
constexpr int kOutOfMemory = 3; // exit codes of the helper
constexpr int kOutOfTime = 4;

// A request as resources/jinja/src/main.js reads it, after its length: {"template", "variables": {name: JSON text},
// "now": [year … second], "checkOnly", "outline", "forced": [["line:column", holds]…]}.
QByteArray requestFrame(const RenderRequest& request) {
    QJsonObject variables;
    for (const auto& [name, json] : request.variables) {
        variables.insert(name, json);
    }
    const QDate date = request.now.date();
    const QTime time = request.now.time();
    QJsonObject object{{QStringLiteral("template"), request.source},
                       {QStringLiteral("variables"), variables},
                       {QStringLiteral("now"),
                        QJsonArray{date.year(), date.month(), date.day(), time.hour(), time.minute(), time.second()}},
                       {QStringLiteral("checkOnly"), request.checkOnly}};
    if (request.outline) {
        object.insert(QStringLiteral("outline"), true);
    }
    if (request.forced) {
        QJsonArray forced;
        for (const TemplateOutcome& outcome : *request.forced) {
            forced.append(QJsonArray{QStringLiteral("%1:%2").arg(outcome.line).arg(outcome.column), outcome.holds});
        }
        object.insert(QStringLiteral("forced"), forced);
    }
    const QByteArray json = QJsonDocument(object).toJson(QJsonDocument::Compact);
    QByteArray frame(4, Qt::Uninitialized);
    qToLittleEndian(static_cast<quint32>(json.size()), frame.data());
    return frame + json;
}

TemplateProblem problemOf(const QJsonObject& object) {
    TemplateProblem problem{.code = object[QStringLiteral("code")].toString(),
                            .args = {},
                            .line = object[QStringLiteral("line")].toInt(),
                            .column = object[QStringLiteral("column")].toInt(),
                            .length = object[QStringLiteral("length")].toInt()};
    for (const QJsonValue& arg : object[QStringLiteral("args")].toArray()) {
        problem.args.append(arg.toString());
    }
    return problem;
}

// "line:column:1", as resources/jinja/src/interpreter.js writes it.
std::optional<TemplateOutcome> outcomeOf(const QString& text) {
    const QStringList parts = text.split(QLatin1Char(':'));
    if (parts.size() != 3) {
        return std::nullopt;
    }
    return TemplateOutcome{
        .line = parts[0].toInt(), .column = parts[1].toInt(), .holds = parts[2] == QLatin1String("1")};
}

// Parses a reply: {"problems": [problem…]} with "error": problem, or "text" and "parts": [{"index", "begin"}…]; and
// where they were asked for, "outline" and "outcomes".
std::optional<Rendering> renderingOf(std::span<const std::byte> reply) {
    const QJsonDocument document = QJsonDocument::fromJson(
        QByteArray::fromRawData(reinterpret_cast<const char*>(reply.data()), static_cast<qsizetype>(reply.size())));
    if (!document.isObject()) {
        return std::nullopt;
    }
    const QJsonObject object = document.object();
    Rendering rendering;
    for (const QJsonValue& problem : object[QStringLiteral("problems")].toArray()) {
        rendering.problems.push_back(problemOf(problem.toObject()));
    }
    if (const QJsonValue error = object[QStringLiteral("error")]; error.isObject()) {
        rendering.error = problemOf(error.toObject());
    }
    if (const QJsonValue text = object[QStringLiteral("text")]; text.isString()) {
        rendering.text = text.toString();
    }
    for (const QJsonValue& part : object[QStringLiteral("parts")].toArray()) {
        rendering.starts.push_back(
            {.message = part[QStringLiteral("index")].toInt(), .offset = part[QStringLiteral("begin")].toInteger()});
    }
    for (const QJsonValue& text : object[QStringLiteral("outcomes")].toArray()) {
        if (const auto outcome = outcomeOf(text.toString())) {
            rendering.outcomes.push_back(*outcome);
        }
    }
    if (const QJsonValue outline = object[QStringLiteral("outline")]; outline.isObject()) {
        rendering.outline = std::make_shared<const TemplateOutline>(readTemplateOutline(outline.toObject()));
    }
    return rendering;
}

} // namespace

std::vector<std::pair<QString, QString>> standardVariables(const QString& messages, const QString& tools,
                                                           bool generationPrompt) {
    const QString none = QStringLiteral("null");
    return {
        {QStringLiteral("messages"), messages},
        {QStringLiteral("tools"), tools.trimmed().isEmpty() ? none : tools},
        {QStringLiteral("documents"), none},
        {QStringLiteral("add_generation_prompt"), generationPrompt ? QStringLiteral("true") : QStringLiteral("false")}};
}

TemplateRenderer::TemplateRenderer(QString program)
    : m_program(std::move(program)) {}

QString TemplateRenderer::helperProgram() {
    return QCoreApplication::instance() != nullptr ? text::helperProgram(QStringLiteral("gufo-render-helper"))
                                                   : QString();
}

void TemplateRenderer::warmUp() {
    if (const std::unique_lock lock(m_mutex, std::try_to_lock); lock) {
        (void)start(); // render() reports a helper that cannot be started
    }
}

bool TemplateRenderer::start() {
    if (m_helper) {
        return true;
    }
    auto started = channel::ChildProcess::start(m_program.toStdString(), kLongestReply);
    if (!started) {
        return false;
    }
    m_helper.emplace(*std::move(started));
    m_helperId = m_helper->id();
    m_ready = false;
    return true;
}

channel::ChildProcess::End TemplateRenderer::endHelper(int milliseconds) {
    const auto end = m_helper->finish(milliseconds);
    m_helper.reset();
    m_helperId = 0;
    return end;
}

Rendering TemplateRenderer::render(const RenderRequest& request, const std::stop_token& stop) {
    const QByteArray frame = requestFrame(request);
    const std::lock_guard lock(m_mutex);
    auto rendering = ask(std::as_bytes(std::span(frame)), stop);
    if (!rendering) {
        return {.error = TemplateProblem{.code = rendering.error(), .args = {}}};
    }
    return *std::move(rendering);
}

// Errors: the code of a problem.
std::expected<Rendering, QString> TemplateRenderer::ask(std::span<const std::byte> request,
                                                        const std::stop_token& stop) {
    const auto fail = [](const char* code) { return std::unexpected(QString::fromLatin1(code)); };
    const auto until = [&stop](Clock::time_point deadline) {
        return [&stop, deadline] { return !stop.stop_requested() && Clock::now() < deadline; };
    };
    if (stop.stop_requested()) {
        return fail("cancelled");
    }
    if (!start()) {
        return fail("helper_missing");
    }
    const bool wasReady = m_ready;
    if (!m_ready) {
        m_ready = m_helper->endpoint().receive(until(Clock::now() + kStartTime)) == Got::Message;
        if (!m_ready && stop.stop_requested()) {
            return fail("cancelled"); // the next rendering waits for the same helper
        }
        if (!m_ready) {
            (void)endHelper(0);
            return fail("helper_missing");
        }
    }
    const auto begin = Clock::now();
    const auto goesOn = until(begin + kRenderTime);
    const bool isSent = m_helper->endpoint().send(request, goesOn);
    if (!isSent && wasReady && goesOn()) { // it died while it was idle
        (void)endHelper(0);
        return ask(request, stop);
    }
    const Got got = isSent ? m_helper->endpoint().receive(goesOn) : Got::Closed;
    const std::chrono::duration<double, std::milli> spent = Clock::now() - begin;
    if (got == Got::Message) {
        auto rendering = renderingOf(m_helper->endpoint().body());
        if (!rendering) {
            return fail("helper_died");
        }
        rendering->milliseconds = spent.count();
        return *std::move(rendering);
    }
    const bool hasEnded = got == Got::Closed && goesOn();
    const bool isLate = !goesOn() && !stop.stop_requested();
    const auto end = endHelper(hasEnded ? kExitMilliseconds : 0);
    const int exitCode = hasEnded && !end.bySignal ? end.number : 0;
    return fail(stop.stop_requested()              ? "cancelled"
                : isLate || exitCode == kOutOfTime ? "timed_out"
                : exitCode == kOutOfMemory         ? "out_of_memory"
                                                   : "helper_died");
}

Rendering renderAndWait(const RenderRequest& request, const std::stop_token& stop) {
    return TemplateRenderer().render(request, stop);
}

} // namespace gufo::text
