// gufo-render-helper renders chat templates in a process of its own, because a template may loop forever or exhaust
// memory. It reads requests from the socket that is its descriptor 3, and writes replies to it. Both are frames: a
// 32-bit little-endian length and that many bytes of JSON (built and parsed in
// core/text/template/template_renderer.cpp). The first frame, {}, reports that the engine is loaded. The helper ends
// when its connection is closed.

#include "channel/child_process.h"

#include <QCoreApplication>
#include <QJSEngine>
#include <QLoggingCategory>
#include <QtEndian>

#include <array>
#include <csignal>
#include <cstdio>
#include <optional>

#ifdef Q_OS_UNIX
#include <cstdlib>
#include <exception>
#include <new>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>
#endif

namespace {

constexpr quint32 kLongestRequest = 64 << 20;

// Limits on address space and on processor time keep a template from harming the machine even if no process is left to
// kill the helper. Processor time does not pass while a busy machine runs other processes.
#ifdef Q_OS_UNIX

constexpr int kOutOfMemory = 3; // exit codes
constexpr int kOutOfTime = 4;
constexpr rlim_t kAddressSpace = 400'000'000;
constexpr std::size_t kProbe = 100 << 20; // if less than this is free, a crash was caused by lack of memory
std::array<char, 1 << 16> g_signalStack;

// The engine crashes in various ways when an allocation fails. What is still free tells whether that was the cause.
void onCrash(int signal) {
    void* probe = ::mmap(nullptr, kProbe, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (probe == MAP_FAILED) {
        ::_exit(kOutOfMemory);
    }
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

// Limits the address space to 400 MB. When it is exhausted, the process ends with kOutOfMemory.
void limitMemory() {
#ifdef GUFO_SANITIZED
    return; // sanitizers reserve terabytes of address space, and report crashes themselves
#endif
    const rlimit space{kAddressSpace, kAddressSpace};
    ::setrlimit(RLIMIT_AS, &space);
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    std::set_new_handler([] { ::_exit(kOutOfMemory); });
    std::set_terminate([] { ::_exit(kOutOfMemory); }); // Qt throws std::bad_alloc and nothing else
    const stack_t stack{.ss_sp = g_signalStack.data(), .ss_flags = 0, .ss_size = g_signalStack.size()};
    ::sigaltstack(&stack, nullptr);
    struct sigaction action{};
    action.sa_handler = onCrash;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE}) {
        ::sigaction(signal, &action, nullptr);
    }
}

// The process ends with kOutOfTime unless the clock is stopped before it has used 1 s of processor time.
void startClock() {
    std::signal(SIGPROF, [](int) { ::_exit(kOutOfTime); });
    const itimerval second{.it_interval = {}, .it_value = {.tv_sec = 1, .tv_usec = 0}};
    ::setitimer(ITIMER_PROF, &second, nullptr);
}

void stopClock() {
    const itimerval none{};
    ::setitimer(ITIMER_PROF, &none, nullptr);
}

#else

void limitMemory() {}
void startClock() {}
void stopClock() {}

#endif

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
    limitMemory();
    QLoggingCategory::setFilterRules(QStringLiteral("qt.qml.compiler=false")); // silences remarks on the modules' style
    const QCoreApplication app(argc, argv);
    QJSEngine engine;
    const QJSValue module = engine.importModule(QStringLiteral(":/jinja/main.js"));
    const QJSValue render = module.property(QStringLiteral("render"));
    if (module.isError() || !render.isCallable()) {
        std::fprintf(stderr, "gufo-render-helper: %s\n",
                     module.isError() ? qPrintable(module.toString()) : "main.js exports no render()");
        return 2;
    }
    // A FILE for each direction, because one that is written and read would have to be positioned in between.
    std::FILE* requests = ::fdopen(gufo::channel::ChildProcess::kSocket, "rb");
    std::FILE* replies = ::fdopen(gufo::channel::ChildProcess::kSocket, "wb");
    if (requests == nullptr || replies == nullptr || !writeFrame("{}", replies)) {
        return 0;
    }
    while (const auto request = readFrame(requests)) {
        startClock();
        const QJSValue reply = render.call({QString::fromUtf8(*request)});
        stopClock();
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
