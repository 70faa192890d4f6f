// One model in memory and one session with it, on a thread of their own: load it, give it work, stop it, unload it. The
// UI thread never waits for it.
//
//     connect(engine, &RunEngine::stateChanged, …);
//     engine->load(model, {.context = 4096});
//     engine->perform<std::vector<float>>(
//         [](RunSession& run, const JobContext& job) -> Result<std::vector<float>> { …run.session->evaluate(…)… },
//         [this](Result<std::vector<float>> result) { … });
//
// Work runs on the engine's thread, one after the other, and must own (by shared_ptr or value) all it uses. `done` runs
// on the UI thread, once for every work, also for one that was stopped (Cancelled); only where the engine is gone it
// does not. Several engines run beside each other, and share the weights of a model.
//
// Threads: of the UI thread. Destroying it stops and does not wait (Job::waitForAll() does).
#pragma once

#include "base/error.h"
#include "inference/grammar/token_trie.h"
#include "inference/session/session.h"
#include "text/tokenizer/tokenizer.h"
#include "ui/jobs/worker_thread.h"

#include <QObject>
#include <QPointer>

#include <functional>
#include <memory>
#include <optional>

namespace gufo::ui {

// What the engine's thread has while a model is loaded.
struct RunSession {
    std::shared_ptr<const inference::LoadedModel> loaded;
    std::unique_ptr<inference::Session> session;
    std::shared_ptr<const text::Tokenizer> tokenizer; // null: the file has none that works
    std::shared_ptr<const inference::TokenTrie> trie; // of its tokens; null until a grammar needs it
};

// What there is to say of it.
struct RunFacts {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const text::Tokenizer> tokenizer;
    std::optional<Error> tokenizerError; // why there is none
    inference::SessionOptions options;   // as they are: context and threads are no longer 0
    std::uint32_t trainedContext = 0;    // 0: the file does not say
    double loadSeconds = 0;
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

    // Unloads what is loaded first. Ends in Ready, or in Unloaded with loadFailed() where that is no stop().
    void load(std::shared_ptr<const Model> model, const inference::SessionOptions& options);
    // Stops what runs; memory goes back on the engine's thread.
    void unload();
    // Stops loading or the work at hand, within one token, and the work that waits.
    void stop();

    // Only while a model is loaded.
    template<typename T, typename Work, typename Done>
    void perform(Work work, Done done);

signals:
    void stateChanged();
    void loadFailed(const gufo::Error& error); // those of loadForInference() and startSession()

private:
    using Deliver = std::function<void()>;
    // `work` gives what is to be called on the UI thread.
    void post(std::function<Deliver(RunSession&, const JobContext&)> work);
    void setState(State state);
    void beginWork();
    void endWork();

    struct Held; // by the thread: the session
    std::shared_ptr<Held> m_held;
    WorkerThread m_thread;
    State m_state = State::Unloaded;
    std::optional<RunFacts> m_facts;
    int m_waiting = 0; // works that are not done
    int m_load = 0;    // counts loads and unloads: what belongs to an earlier one is not heard
};

template<typename T, typename Work, typename Done>
void RunEngine::perform(Work work, Done done) {
    Q_ASSERT(isLoaded());
    beginWork();
    post([this, work = std::move(work), done = std::move(done)](RunSession& run, const JobContext& job) -> Deliver {
        auto result =
            std::make_shared<Result<T>>(job.stopRequested() ? Result<T>(fail(ErrorCode::Cancelled)) : work(run, job));
        return [this, done, result] { // only called while the engine lives
            endWork();
            done(std::move(*result));
        };
    });
}

} // namespace gufo::ui
