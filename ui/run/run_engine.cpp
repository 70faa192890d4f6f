#include "ui/run/run_engine.h"

#include "base/mapped_file.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include <vector>

namespace gufo::ui {

struct RunEngine::Held {
    std::optional<RunSession> run;
    // While the weights are read, a save must not take the mapping away for a moment.
    std::vector<std::shared_ptr<const void>> mappings;

    void clear() {
        run.reset();
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

void RunEngine::post(std::function<Deliver(RunSession&, const JobContext&)> work) {
    const QPointer<RunEngine> self = this;
    m_thread.post([self, held = m_held, work = std::move(work)](const JobContext& job) {
        RunSession none;
        Deliver deliver = work(held->run ? *held->run : none, job);
        QCoreApplication* application = QCoreApplication::instance();
        if (application == nullptr) {
            return; // the program is ending
        }
        // Only on the UI thread a QPointer may be tested.
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

void RunEngine::load(std::shared_ptr<const Model> model, const inference::SessionOptions& options) {
    unload();
    const int number = ++m_load;
    setState(State::Loading);
    post([this, number, held = m_held, model = std::move(model), options](RunSession&,
                                                                          const JobContext& job) -> Deliver {
        QElapsedTimer clock;
        clock.start();
        const auto load = [&]() -> Result<RunFacts> {
            if (job.stopRequested()) {
                return fail(ErrorCode::Cancelled);
            }
            auto loaded = inference::loadForInference(model);
            if (!loaded) {
                return std::unexpected(std::move(loaded.error()));
            }
            auto session = (*loaded)->startSession(options);
            if (!session) {
                return std::unexpected(std::move(session.error()));
            }
            auto tokenizer = text::makeTokenizer(*model, job);
            if (!tokenizer && tokenizer.error().code == ErrorCode::Cancelled) {
                return std::unexpected(std::move(tokenizer.error()));
            }
            RunFacts facts{.model = model,
                           .tokenizer = tokenizer ? *tokenizer : nullptr,
                           .tokenizerError = tokenizer ? std::nullopt : std::optional(tokenizer.error()),
                           .options = options,
                           .trainedContext = (*loaded)->trainedContext()};
            facts.options.context = (*session)->context();
            facts.options.threads = (*session)->threads();
            for (const ModelFile& file : model->files) {
                if (const auto* mapped = dynamic_cast<const MappedFile*>(file.source.get())) {
                    held->mappings.push_back(mapped->hold());
                }
            }
            held->run =
                RunSession{.loaded = std::move(*loaded), .session = std::move(*session), .tokenizer = facts.tokenizer};
            facts.loadSeconds = static_cast<double>(clock.nsecsElapsed()) / 1e9;
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
            setState(State::Ready);
        };
    });
}

void RunEngine::unload() {
    ++m_load;
    m_thread.stop();
    if (m_state == State::Unloaded) {
        return;
    }
    m_thread.post([held = m_held](const JobContext&) { held->clear(); });
    setState(State::Unloaded);
    m_facts.reset();
}

void RunEngine::stop() { m_thread.stop(); }

} // namespace gufo::ui
