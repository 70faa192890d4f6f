#include "text/template/template_renderer.h"

#include "text/helper_program.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QThreadPool>
#include <QtEndian>

#include <chrono>
#include <memory>
#include <mutex>
#include <utility>

namespace gufo::text {
namespace {

using namespace std::chrono_literals;
constexpr auto kRenderTime = 6s; // wall-clock time on a busy machine; the helper limits itself to 1 s of processor time
constexpr auto kStartTime = 20s; // on a very busy machine
constexpr auto kStopInterval = 20ms;
constexpr quint32 kLongestReply = 256 << 20;
constexpr int kOutOfMemory = 3; // exit codes of the helper
constexpr int kOutOfTime = 4;

// A request as resources/jinja/src/main.js reads it: {"template", "variables": {name: JSON text}, "now": [year …
// second], "checkOnly"}.
QByteArray requestFrame(const RenderRequest& request) {
    QJsonObject variables;
    for (const auto& [name, json] : request.variables) {
        variables.insert(name, json);
    }
    const QDate date = request.now.date();
    const QTime time = request.now.time();
    const QJsonObject object{{QStringLiteral("template"), request.source},
                             {QStringLiteral("variables"), variables},
                             {QStringLiteral("now"), QJsonArray{date.year(), date.month(), date.day(), time.hour(),
                                                                time.minute(), time.second()}},
                             {QStringLiteral("checkOnly"), request.checkOnly}};
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

// Parses a reply: {"problems": [problem…]} with "error": problem, or "text" and "parts": [{"index", "begin"}…].
std::optional<Rendering> renderingOf(const QByteArray& frame) {
    const QJsonDocument document = QJsonDocument::fromJson(frame);
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

struct TemplateRenderer::Mailbox {
    std::mutex mutex;
    TemplateRenderer* renderer;
};

TemplateRenderer::TemplateRenderer(QObject* parent, QString program)
    : QObject(parent)
    , m_program(std::move(program))
    , m_mailbox(std::make_shared<Mailbox>()) {
    m_mailbox->renderer = this;
    m_deadline.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this, [this] {
        const bool rendering = m_working;
        const bool superseded = std::exchange(m_superseded, false);
        stopHelper();
        if (!superseded && !m_parsing) {
            fail(rendering ? QStringLiteral("timed_out") : QStringLiteral("helper_missing"));
        }
        if (rendering) {
            warmUp();
            send();
        }
    });
}

TemplateRenderer::~TemplateRenderer() {
    stopHelper();
    const std::lock_guard lock(m_mailbox->mutex);
    m_mailbox->renderer = nullptr;
}

QString TemplateRenderer::helperProgram() { return text::helperProgram(QStringLiteral("gufo-render-helper")); }

void TemplateRenderer::warmUp() {
    if (m_process != nullptr || m_program.isEmpty()) {
        return;
    }
    m_process = new QProcess(this);
    m_ready = false;
    m_working = false;
    m_received.clear();
    m_process->setStandardErrorFile(QProcess::nullDevice());
    connect(m_process, &QProcess::readyReadStandardOutput, this, &TemplateRenderer::receive);
    connect(m_process, &QProcess::finished, this, &TemplateRenderer::onDeath);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            onDeath();
        }
    });
    m_deadline.start(kStartTime);
    m_process->start(m_program, {});
}

void TemplateRenderer::render(RenderRequest request, Done done) {
    m_request = std::move(request);
    m_done = std::move(done);
    m_superseded = m_working;
    m_parsing = false;
    ++m_number;
    if (m_program.isEmpty()) {
        // Deferred, because `done` must not be called before render() returns.
        QTimer::singleShot(0, this, [this] { fail(QStringLiteral("helper_missing")); });
        return;
    }
    if (m_process != nullptr && m_ready && !m_working) {
        m_process->waitForFinished(0); // notices a helper that died while no event loop ran; onDeath() starts another
    }
    warmUp();
    send();
}

void TemplateRenderer::cancel() {
    m_done = nullptr;
    m_parsing = false;
    ++m_number;
    if (m_working) {
        stopHelper();
        m_superseded = false;
        warmUp();
    }
}

void TemplateRenderer::send() {
    if (m_done == nullptr || !m_ready || m_working || m_parsing) {
        return;
    }
    m_working = true;
    m_superseded = false;
    m_deadline.start(kRenderTime);
    m_clock.start();
    m_process->write(requestFrame(m_request));
}

void TemplateRenderer::receive() {
    m_received += m_process->readAllStandardOutput();
    while (m_received.size() >= 4) {
        const auto length = qFromLittleEndian<quint32>(m_received.constData());
        if (length > kLongestReply) {
            m_process->kill();
            return;
        }
        if (static_cast<quint64>(m_received.size()) < 4 + quint64{length}) {
            return;
        }
        const qsizetype whole = 4 + static_cast<qsizetype>(length);
        QByteArray rest = m_received.mid(whole); // usually empty; avoids a copy of the frame, which may be long
        QByteArray frame = std::exchange(m_received, std::move(rest));
        frame.truncate(whole);
        onReply(std::move(frame));
    }
}

// `frame` includes its length.
void TemplateRenderer::onReply(QByteArray frame) {
    m_deadline.stop();
    if (!m_ready) {
        m_ready = true; // the first frame announces this
    } else {
        m_working = false;
        if (!std::exchange(m_superseded, false)) {
            parse(std::move(frame));
        }
    }
    send();
}

void TemplateRenderer::parse(QByteArray frame) {
    m_parsing = true;
    const double milliseconds = static_cast<double>(m_clock.nsecsElapsed()) / 1e6;
    QThreadPool::globalInstance()->start(
        [mailbox = m_mailbox, number = m_number, milliseconds, frame = std::move(frame)] {
            auto rendering = std::make_shared<std::optional<Rendering>>(
                renderingOf(QByteArray::fromRawData(frame.constData() + 4, frame.size() - 4)));
            if (*rendering) {
                (*rendering)->milliseconds = milliseconds;
            }
            const std::lock_guard lock(mailbox->mutex);
            if (TemplateRenderer* renderer = mailbox->renderer) {
                QMetaObject::invokeMethod(
                    renderer, [renderer, number, rendering] { renderer->onParsed(number, std::move(*rendering)); },
                    Qt::QueuedConnection);
            }
        });
}

void TemplateRenderer::onParsed(quint64 number, std::optional<Rendering> rendering) {
    if (number != m_number) {
        return; // superseded by another request or cancelled
    }
    m_parsing = false;
    if (rendering) {
        deliver(*std::move(rendering));
    } else {
        fail(QStringLiteral("helper_died"));
    }
    send();
}

void TemplateRenderer::onDeath() {
    const bool neverStarted = m_process->error() == QProcess::FailedToStart || !m_ready;
    const int exitCode = m_process->exitStatus() == QProcess::NormalExit ? m_process->exitCode() : 0;
    const bool concerned = m_done != nullptr && !m_parsing && !m_superseded && (m_working || neverStarted);
    stopHelper();
    m_superseded = false;
    if (concerned) {
        fail(neverStarted               ? QStringLiteral("helper_missing")
             : exitCode == kOutOfMemory ? QStringLiteral("out_of_memory")
             : exitCode == kOutOfTime   ? QStringLiteral("timed_out")
                                        : QStringLiteral("helper_died"));
    }
    if (!neverStarted) {
        warmUp();
        send();
    }
}

// Disconnects the old process, so that none of its signals arrives later.
QProcess* TemplateRenderer::detachHelper() {
    m_deadline.stop();
    m_ready = false;
    m_working = false;
    if (m_process != nullptr) {
        m_process->disconnect(this);
        m_process->setParent(nullptr);
    }
    return std::exchange(m_process, nullptr);
}

void TemplateRenderer::stopHelper() {
    QProcess* process = detachHelper();
    if (process == nullptr) {
        return;
    }
    if (process->state() == QProcess::NotRunning) {
        process->deleteLater();
        return;
    }
    // The destructor of a running QProcess would block.
    QObject::connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->kill();
}

void TemplateRenderer::shutDown() {
    m_done = nullptr;
    m_parsing = false;
    ++m_number;
    const std::unique_ptr<QProcess> process(detachHelper());
    if (process != nullptr) {
        process->kill();
        process->waitForFinished();
    }
}

void TemplateRenderer::deliver(Rendering rendering) {
    if (const Done done = std::exchange(m_done, nullptr)) {
        done(std::move(rendering));
    }
}

void TemplateRenderer::fail(const QString& code) {
    Rendering rendering;
    rendering.error = TemplateProblem{.code = code, .args = {}};
    deliver(std::move(rendering));
}

WaitingRenderer::WaitingRenderer() = default;

WaitingRenderer::~WaitingRenderer() {
    if (m_renderer != nullptr) {
        m_renderer->shutDown();
    }
}

Rendering WaitingRenderer::render(RenderRequest request, const std::stop_token& stop) {
    Rendering result;
    if (QCoreApplication::instance() == nullptr) {
        result.error = TemplateProblem{.code = QStringLiteral("helper_missing"), .args = {}};
        return result;
    }
    result.error = TemplateProblem{.code = QStringLiteral("cancelled"), .args = {}};
    QEventLoop loop; // must outlive the renderer, whose timers need one on this thread
    if (m_renderer == nullptr) {
        m_renderer = std::make_unique<TemplateRenderer>();
    }
    QTimer stopped;
    QObject::connect(&stopped, &QTimer::timeout, &loop, [&] {
        if (stop.stop_requested()) {
            loop.quit();
        }
    });
    stopped.start(kStopInterval);
    bool isDone = false;
    m_renderer->render(std::move(request), [&](Rendering rendering) {
        result = std::move(rendering);
        isDone = true;
        loop.quit();
    });
    loop.exec();
    if (!isDone) { // a restarted helper would have to be awaited without an event loop
        m_renderer->shutDown();
        m_renderer.reset();
    }
    return result;
}

Rendering renderAndWait(RenderRequest request, const std::stop_token& stop) {
    return WaitingRenderer().render(std::move(request), stop);
}

} // namespace gufo::text
