#include "ui/pages/run/engine_loader.h"

#include "inference/prefixes/prefix_store.h"
#include "ui/messages/error_text.h"
#include "ui/pages/run/load_panel.h"

#include <utility>

namespace gufo::ui {
namespace {

constexpr int kProgressMilliseconds = 100;

} // namespace

EngineLoader::EngineLoader(RunEngine* engine, LoadPanel* panel, QObject* parent)
    : QObject(parent)
    , m_engine(engine)
    , m_panel(panel)
    , m_localServer(new LocalServer(this)) {
    connect(panel, &LoadPanel::loadRequested, this, &EngineLoader::load);
    connect(panel, &LoadPanel::cancelRequested, this, [this] {
        m_localServer->stop();
        m_engine->unload();
    });
    connect(panel, &LoadPanel::engineChanged, this, &EngineLoader::changed);
    connect(engine, &RunEngine::stateChanged, this, &EngineLoader::showState);
    connect(engine, &RunEngine::stateChanged, this, [this] {
        const bool ended = m_engine->state() == RunEngine::State::Unloaded;
        if (ended && m_localServer->state() == LocalServer::State::Ready) {
            m_localServer->stop(); // nobody uses it any more
        }
    });
    connect(engine, &RunEngine::loadFailed, panel, &LoadPanel::showError);
    connect(engine, &RunEngine::died, this, &EngineLoader::lost);
    connect(engine, &RunEngine::ended, this, [this](const Error& error) {
        const QString text = tr("The engine has ended: %1.").arg(errorReason(error));
        emit noticed(text, true);
        m_panel->showProblem(text);
    });
    connect(m_localServer, &LocalServer::logged, panel->serverPanel(), &ServerPanel::showLine);
    connect(m_localServer, &LocalServer::stateChanged, this, &EngineLoader::showState);
    connect(m_localServer, &LocalServer::ready, this, [this] { loadFrom(m_localServer->access()); });
    connect(m_localServer, &LocalServer::failed, this, &EngineLoader::serverFailed);
    m_progress.setInterval(kProgressMilliseconds);
    connect(&m_progress, &QTimer::timeout, this, [this] {
        if (const auto share = m_engine->loadedShare()) {
            m_panel->setLoaded(*share);
        }
    });
}

std::shared_ptr<const Model> EngineLoader::model() const {
    return m_document != nullptr ? m_document->current() : m_model;
}

std::shared_ptr<const Model> EngineLoader::savedModel() const {
    return m_document != nullptr ? m_document->document().base() : m_model;
}

void EngineLoader::load() {
    emit noticed({}, false);
    if (m_panel->engine().remote && m_panel->serverPanel()->startsOne()) {
        m_panel->serverPanel()->clearLog();
        m_localServer->start(m_panel->serverPanel()->localOptions());
        return;
    }
    loadFrom(m_panel->options().server);
}

void EngineLoader::loadFrom(const inference::ServerAccess& access) {
    inference::SessionOptions options = m_panel->options();
    options.server = access;
    options.prefixes = inference::PrefixStore::shared();
    const inference::Engine& engine = m_panel->engine();
    m_engine->load(model(), inference::obeyedBy(engine, options), engine);
}

bool EngineLoader::isLoading() const {
    return m_engine->state() == RunEngine::State::Loading || m_localServer->state() == LocalServer::State::Starting;
}

const inference::EngineCapabilities& EngineLoader::capabilities() const {
    return m_engine->isLoaded() ? m_engine->facts()->capabilities : m_panel->engine().capabilities;
}

void EngineLoader::showState() {
    m_panel->setLoading(isLoading());
    if (m_engine->state() == RunEngine::State::Loading) {
        m_progress.start();
    } else {
        m_progress.stop();
    }
    const RunFacts* loaded = m_engine->facts();
    if (!std::exchange(m_wasLoaded, loaded != nullptr) && loaded != nullptr && loaded->server &&
        m_localServer->state() == LocalServer::State::Stopped) {
        m_panel->serverPanel()->keepAddress();
    }
    emit changed();
}

void EngineLoader::serverFailed(const QString& what) {
    if (m_engine->isLoaded()) {
        emit lost();
    }
    m_engine->unload();
    const QString lines = m_localServer->lastLines();
    const QString text = lines.isEmpty() ? what + u'.' : tr("%1. Its last lines:").arg(what) + u'\n' + lines;
    m_panel->showProblem(text);
    emit noticed(text, true);
}

} // namespace gufo::ui

#include "moc_engine_loader.cpp"
