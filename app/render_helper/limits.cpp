#include "limits.h"

#include <QtGlobal>

#ifdef Q_OS_UNIX
#include <array>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

namespace gufo {
namespace {

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

} // namespace

void limitMemory() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
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

void startClock() {
    std::signal(SIGPROF, [](int) { ::_exit(kOutOfTime); });
    const itimerval second{.it_interval = {}, .it_value = {.tv_sec = 1, .tv_usec = 0}};
    ::setitimer(ITIMER_PROF, &second, nullptr);
}
void stopClock() {
    const itimerval none{};
    ::setitimer(ITIMER_PROF, &none, nullptr);
}

} // namespace gufo

#else

namespace gufo {

void limitMemory() {}
void startClock() {}
void stopClock() {}

} // namespace gufo

#endif
