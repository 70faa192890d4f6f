// A model opened with an engine on a thread of its own: loads it, runs work on it, stops the work and unloads it. The
// UI thread never waits for it.
//
//    connect(engine, &RunEngine::stateChanged, …);
//    engine->load(model, {.context = 4096});
//    engine->perform<inference::Response>(
//        [](inference::Responder& responder, const JobContext& job) { return responder.respond(…, job); },
//        [this](Result<inference::Response> response) { … });
//
// Work runs on the engine's thread, sequentially, and must own (by shared_ptr or value) everything it uses. `done` runs
// on the UI thread once per work, also if it was stopped (Cancelled), unless the engine was destroyed. Several engines
// may run concurrently and share a model's weights. An engine whose process has died is unloaded before `done` runs, or
// at once if no work runs.
//
// Threads: UI thread only. The destructor stops the work without waiting (Job::waitForAll() does).
#pragma once

#include "base/error.h"
#include "inference/engine_table.h"
#include "ui/jobs/worker_thread.h"

#include <QObject>
#include <QPointer>
#include <QSocketNotifier>

#include <functional>
#include <memory>
#include <optional>

namespace gufo::ui {

// Facts about the loaded model.
struct RunFacts : inference::ResponderFacts {
    double loadSeconds = 0;
    int processDescriptor = -1; // Responder::processDescriptor()
};

class RunEngine : public QObject {
    Q_OBJECT

public:
    enum class State { Unloaded, Loading, Ready, Working };

    explicit RunEngine(QObject* parent = nullptr);
    ~RunEngine() override;

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] bool isLoaded() const { return m_state == State::Ready || m_state == State::Working; }
    // Of the loaded model; null if there is none.
    [[nodiscard]] const RunFacts* facts() const { return isLoaded() ? &*m_facts : nullptr; }

    // Unloads a loaded model first. Ends in Ready, or in Unloaded with loadFailed() unless stop() was called. `engine`
    // must be a row of a permanent table.
    void load(std::shared_ptr<const Model> model, const inference::SessionOptions& options,
              const inference::Engine& engine = inference::engines().front());
    // Stops the running work. The engine's thread releases the memory.
    void unload();
    // How much is loaded, from 0 to 1; empty where the engine does not say.
    [[nodiscard]] std::optional<double> loadedShare() const;
    // Stops loading or the running work within one token, and drops the waiting work.
    void stop();

    // Call only while a model is loaded.
    template<typename T, typename Work, typename Done>
    void perform(Work work, Done done);

signals:
    void stateChanged();
    void loadFailed(const gufo::Error& error); // see Engine::open
    void died();                               // the process of the engine; it is unloaded next
    void ended(const gufo::Error& error);      // the process died while no work ran; it has been unloaded

private:
    using Deliver = std::function<void()>;
    // `work` returns the function to call on the UI thread. Its responder is null if nothing is loaded.
    void post(std::function<Deliver(inference::Responder*, const JobContext&)> work);
    void setState(State state);
    void beginWork();
    void endWork();
    void unloadIfGone(const Error& error);
    void watch(int descriptor);
    void findProcessEnd();

    struct Held; // the responder, owned by the thread
    std::shared_ptr<Held> m_held;
    WorkerThread m_thread;
    State m_state = State::Unloaded;
    std::optional<RunFacts> m_facts;
    int m_waiting = 0; // number of unfinished works
    int m_load = 0;    // counts loads and unloads, so that results of an earlier one are ignored
    // Of the engine's process, enabled while no work runs. It is destroyed before the thread closes the descriptor.
    std::unique_ptr<QSocketNotifier> m_watch;
};

template<typename T, typename Work, typename Done>
void RunEngine::perform(Work work, Done done) {
    Q_ASSERT(isLoaded());
    beginWork();
    post([this, work = std::move(work), done = std::move(done)](inference::Responder* responder,
                                                                const JobContext& job) -> Deliver {
        // Unloading cancels the work that is waiting.
        const bool runs = responder != nullptr && !job.stopRequested();
        auto result = std::make_shared<Result<T>>(runs ? work(*responder, job) : Result<T>(fail(ErrorCode::Cancelled)));
        return [this, done, result] { // called only while the engine exists
            if (!*result) {
                unloadIfGone(result->error());
            }
            endWork();
            done(std::move(*result));
        };
    });
}

} // namespace gufo::ui
