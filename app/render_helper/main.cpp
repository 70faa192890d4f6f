// gufo-render-helper renders chat templates in a process of its own, because a template may loop forever or exhaust
// memory. It reads requests from the socket that is its descriptor 3, and writes replies to it. Both are frames: a
// 32-bit little-endian length and that many bytes of JSON (built and parsed in
// core/text/template/template_renderer.cpp). The first frame, {}, reports that the engine is loaded. The helper ends
// when its connection is closed.

#include "channel/child_process.h"
#include "limits.h"

#include <QCoreApplication>
#include <QFile>
#include <QJSEngine>
#include <QLoggingCategory>
#include <QtEndian>

#include <array>
#include <csignal>
#include <cstdio>
#include <optional>

namespace {

constexpr quint32 kLongestRequest = 64 << 20;

std::optional<QByteArray> readFrame(std::FILE* file) {
    std::array<char, 4> head{};
    if (std::fread(head.data(), 1, head.size(), file) != head.size()) {
        return std::nullopt;
    }
    const auto length = qFromLittleEndian<quint32>(head.data());
    if (length > kLongestRequest) {
        return std::nullopt;
    }
    QByteArray frame(length, Qt::Uninitialized);
    if (std::fread(frame.data(), 1, length, file) != length) {
        return std::nullopt;
    }
    return frame;
}

bool writeFrame(const QByteArray& frame, std::FILE* file) {
    std::array<char, 4> head{};
    qToLittleEndian(static_cast<quint32>(frame.size()), head.data());
    return std::fwrite(head.data(), 1, head.size(), file) == head.size() &&
           std::fwrite(frame.constData(), 1, static_cast<std::size_t>(frame.size()), file) ==
               static_cast<std::size_t>(frame.size()) &&
           std::fflush(file) == 0;
}

} // namespace

int main(int argc, char** argv) {
    // The JIT compiler of Qt 6.4's engine crashes occasionally. The variable is read when the engine is first used.
    qputenv("QV4_FORCE_INTERPRETER", "1");
    // Ctrl-C reaches every process of a terminal's foreground group. It is for the caller, which ends the helper
    // itself.
    std::signal(SIGINT, SIG_IGN);
    gufo::limitMemory();
    QLoggingCategory::setFilterRules(QStringLiteral("qt.qml.compiler=false")); // silences remarks on the bundle's style
    const QCoreApplication app(argc, argv);
    QFile bundle(QStringLiteral(":/jinja.js"));
    QJSEngine engine;
    if (!bundle.open(QIODevice::ReadOnly)) {
        return 2;
    }
    const QJSValue loaded = engine.evaluate(QString::fromUtf8(bundle.readAll()), QStringLiteral("jinja.js"));
    const QJSValue render = engine.globalObject().property(QStringLiteral("gufoTemplate"));
    if (loaded.isError() || !render.isCallable()) {
        std::fprintf(stderr, "gufo-render-helper: %s\n", qPrintable(loaded.toString()));
        return 2;
    }
    // A FILE for each direction, because one that is written and read would have to be positioned in between.
    std::FILE* requests = ::fdopen(gufo::channel::ChildProcess::kSocket, "rb");
    std::FILE* replies = ::fdopen(gufo::channel::ChildProcess::kSocket, "wb");
    if (requests == nullptr || replies == nullptr || !writeFrame("{}", replies)) {
        return 0;
    }
    while (const auto request = readFrame(requests)) {
        gufo::startClock();
        const QJSValue reply = render.call({QString::fromUtf8(*request)});
        gufo::stopClock();
        const QByteArray answer =
            reply.isString() ? reply.toString().toUtf8()
                             : QByteArrayLiteral(R"({"problems":[],"error":{"code":"internal","args":[],"line":0}})");
        if (!writeFrame(answer, replies)) {
            break;
        }
        engine.collectGarbage();
    }
    return 0;
}
