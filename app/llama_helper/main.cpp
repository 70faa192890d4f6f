// gufo-llama-helper runs a model with libllama in a process of its own, because a driver of a GPU may crash or hang. It
// speaks with Gufo over the socket that is its descriptor 3 (core/channel/message.h), and ends when that is closed.
//
// The main thread receives requests, so that cancels, pings and the end of the connection are noticed whatever the
// library does. Another thread carries them out.

#include "channel/child_process.h"
#include "channel/endpoint.h"
#include "library.h"
#include "llama_engine.h"

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace gufo;

constexpr int kProtocolBroken = 2; // exit code

bool always() { return true; }

// The library is not shut down, because drivers of GPUs may crash or hang when it is.
[[noreturn]] void leave(int code) { ::_exit(code); }

class Service {
public:
    explicit Service(channel::Endpoint endpoint)
        : m_endpoint(std::move(endpoint)) {}

    int run() {
        auto library = loadLibrary();
        if (!library) {
            send(library.error());
            return 0;
        }
        send(channel::Hello{.version = library->version});
        LlamaEngine engine(library->functions, m_stop, [this](const channel::Reply& reply) { send(reply); });
        std::thread worker([&] { work(engine); });
        for (;;) {
            if (m_endpoint.receive(always) != channel::Endpoint::Got::Message) {
                leave(0);
            }
            auto request = channel::readRequest(m_endpoint.body());
            if (!request || !take(std::move(*request))) {
                leave(kProtocolBroken);
            }
        }
    }

private:
    void send(const channel::Reply& reply) {
        const std::scoped_lock lock(m_sending);
        if (!m_endpoint.send(channel::bytesOf(reply), always)) {
            leave(0);
        }
    }

    // Returns whether the request keeps to the protocol.
    bool take(channel::Request request) {
        if (std::holds_alternative<channel::Ping>(request)) {
            send(channel::Pong());
            return true;
        }
        const std::scoped_lock lock(m_mutex);
        if (std::holds_alternative<channel::Cancel>(request)) {
            m_stop = m_busy;
            return true;
        }
        if (m_busy) {
            return false;
        }
        if (auto* part = std::get_if<channel::StatePart>(&request)) {
            const auto* restore = m_request ? std::get_if<channel::RestoreState>(&*m_request) : nullptr;
            if (restore == nullptr || part->bytes.empty() || part->bytes.size() > restore->bytes - m_state.size()) {
                return false;
            }
            m_state.insert(m_state.end(), part->bytes.begin(), part->bytes.end());
        } else if (m_request) {
            return false; // in the middle of a state
        } else {
            m_request = std::move(request);
            m_state.clear();
        }
        const auto* restore = std::get_if<channel::RestoreState>(&*m_request);
        if (restore == nullptr || m_state.size() == restore->bytes) {
            m_stop = false;
            m_busy = true;
            m_changed.notify_one();
        }
        return true;
    }

    [[noreturn]] void work(LlamaEngine& engine) {
        for (;;) {
            channel::Request request;
            std::vector<std::byte> state;
            {
                std::unique_lock lock(m_mutex);
                m_changed.wait(lock, [&] { return m_busy; });
                request = std::move(*m_request);
                state = std::move(m_state);
                m_state = {};
            }
            channel::Reply reply = carryOut(engine, request, state);
            {
                const std::scoped_lock lock(m_mutex);
                m_request.reset();
                m_busy = false;
            }
            send(reply);
        }
    }

    static channel::Reply carryOut(LlamaEngine& engine, const channel::Request& request,
                                   std::span<const std::byte> state) {
        const auto failed = [](channel::Failure why, const char* what) {
            return channel::Failed{.why = why, .held = 0, .words = LlamaEngine::takeLog() + what};
        };
        try {
            if (const auto* load = std::get_if<channel::Load>(&request)) {
                return engine.load(*load);
            }
            if (!engine.isLoaded()) {
                return failed(channel::Failure::BadRequest, "");
            }
            if (const auto* evaluate = std::get_if<channel::Evaluate>(&request)) {
                return engine.evaluate(*evaluate);
            }
            if (const auto* truncate = std::get_if<channel::Truncate>(&request)) {
                return engine.truncate(*truncate);
            }
            if (const auto* shift = std::get_if<channel::Shift>(&request)) {
                return engine.shift(*shift);
            }
            if (const auto* save = std::get_if<channel::SaveState>(&request)) {
                return engine.save(*save);
            }
            return engine.restore(std::get<channel::RestoreState>(request), state);
        } catch (const std::bad_alloc&) {
            return failed(channel::Failure::NoMemory, "");
        } catch (const std::exception& problem) {
            return failed(channel::Failure::NotEvaluated, problem.what());
        }
    }

    channel::Endpoint m_endpoint;
    std::mutex m_sending;
    std::atomic<bool> m_stop = false;

    std::mutex m_mutex; // of what follows
    std::condition_variable m_changed;
    std::optional<channel::Request> m_request;
    std::vector<std::byte> m_state;
    bool m_busy = false; // the request is being carried out
};

} // namespace

int main() {
    // Ctrl-C reaches every process of the foreground group of a terminal. Only the caller handles it, and ends this
    // process.
    std::signal(SIGINT, SIG_IGN);
    const rlimit none{0, 0}; // a core dump would contain the model
    ::setrlimit(RLIMIT_CORE, &none);
    ::setenv("GGML_NO_BACKTRACE", "1", 1); // or else a debugger is started, which may hang
    return Service(channel::Endpoint(channel::ChildProcess::kSocket)).run();
}
