#include "ui/run/run_engine.h"

#include "base/try.h"
#include "inference/process/process_model.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include <algorithm>
#include <vector>

namespace gufo::ui {

struct RunEngine::Held {
    std::unique_ptr<inference::Responder> responder;
    // Keeps a save from unmapping the model while its weights are read.
    std::vector<std::shared_ptr<const void>> mappings;
    Progress loading; // of the last load

    void clear() {
        responder.reset();
        mappings.clear();
    }
};

RunEngine::RunEngine(QObject* parent)
    : QObject(parent)
    , m_held(std::make_shared<Held>()) {
    m_thread.setLast([held = m_held] { held->clear(); });
}

RunEngine::~RunEngine() = default;

void RunEngine::setState(State state) {
    if (state != m_state) {
        m_state = state;
        if (m_watch != nullptr) {
            m_watch->setEnabled(state == State::Ready); // replies to work are read by the thread
        }
        emit stateChanged();
    }
}

void RunEngine::beginWork() {
    ++m_waiting;
    setState(State::Working);
}

void RunEngine::endWork() {
    --m_waiting;
    if (m_waiting == 0 && m_state == State::Working) {
        setState(State::Ready);
    }
}

void RunEngine::unloadIfGone(const Error& error) {
    if (isLoaded() && inference::isProcessGone(error)) {
        emit died();
        unload();
    }
}

void RunEngine::watch(int descriptor) {
    m_watch.reset();
    if (descriptor >= 0) {
        m_watch = std::make_unique<QSocketNotifier>(descriptor, QSocketNotifier::Read);
        m_watch->setEnabled(false);
        connect(m_watch.get(), &QSocketNotifier::activated, this, &RunEngine::findProcessEnd);
    }
}

void RunEngine::findProcessEnd() {
    m_watch->setEnabled(false); // until the thread has read what there is
    post([this, number = m_load](inference::Responder* responder, const JobContext&) -> Deliver {
        auto end =
            std::make_shared<std::optional<Error>>(responder != nullptr ? responder->findProcessEnd() : std::nullopt);
        return [this, number, end] {
            if (number != m_load) {
                return;
            }
            if (*end) {
                emit died();
                unload();
                emit ended(**end);
            } else if (m_state == State::Ready) {
                m_watch->setEnabled(true);
            }
        };
    });
}

void RunEngine::post(std::function<Deliver(inference::Responder*, const JobContext&)> work) {
    const QPointer<RunEngine> self = this;
    m_thread.post([self, held = m_held, work = std::move(work)](const JobContext& job) {
        Deliver deliver = work(held->responder.get(), job);
        QCoreApplication* application = QCoreApplication::instance();
        if (application == nullptr) {
            return; // the program is ending
        }
        // A QPointer may be tested on the UI thread only.
        QMetaObject::invokeMethod(
            application,
            [self, deliver = std::move(deliver)] {
                if (!self.isNull()) {
                    deliver();
                }
            },
            Qt::QueuedConnection);
    });
}

void RunEngine::load(std::shared_ptr<const Model> model, const inference::SessionOptions& options,
                     const inference::Engine& engine) {
    unload();
    const int number = ++m_load;
    m_held->loading.start(0);
    setState(State::Loading);
    post([this, number, held = m_held, model = std::move(model), options,
          open = engine.open](inference::Responder*, const JobContext& job) -> Deliver {
        QElapsedTimer clock;
        clock.start();
        const auto load = [&]() -> Result<RunFacts> {
            GUFO_TRY(job.check());
            auto responder =
                GUFO_TRY(open(model, options, {.stop = job.stop, .progress = &held->loading, .threads = job.threads}));
            for (const ModelFile& file : model->files) {
                if (file.source != nullptr) {
                    held->mappings.push_back(file.source->hold());
                }
            }
            held->responder = std::move(responder);
            RunFacts facts{held->responder->facts(), static_cast<double>(clock.nsecsElapsed()) / 1e9,
                           held->responder->processDescriptor()};
            return facts;
        };
        auto result = std::make_shared<Result<RunFacts>>(load());
        return [this, number, result] {
            if (number != m_load) {
                return;
            }
            if (!*result) {
                setState(State::Unloaded);
                if (result->error().code != ErrorCode::Cancelled) {
                    emit loadFailed(result->error());
                }
                return;
            }
            m_facts = std::move(**result);
            watch(m_facts->processDescriptor);
            setState(State::Ready);
        };
    });
}

void RunEngine::unload() {
    ++m_load;
    m_watch.reset();
    m_thread.stop();
    if (m_state == State::Unloaded) {
        return;
    }
    m_thread.post([held = m_held](const JobContext&) { held->clear(); });
    setState(State::Unloaded);
    m_facts.reset();
}

std::optional<double> RunEngine::loadedShare() const {
    const auto total = static_cast<double>(m_held->loading.total());
    const auto done = static_cast<double>(m_held->loading.done());
    return m_state == State::Loading && total > 0 ? std::optional(std::min(1.0, done / total)) : std::nullopt;
}

void RunEngine::stop() { m_thread.stop(); }

} // namespace gufo::ui

#include "moc_run_engine.cpp"
