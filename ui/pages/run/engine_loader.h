// Loads the engine that the load panel has chosen, after it has started a llama-server if the panel says so, and tells
// why an engine or a server has ended.
//
// Threads: UI thread only.
#pragma once

#include "ui/document/model_document.h"
#include "ui/run/local_server.h"
#include "ui/run/run_engine.h"

#include <QTimer>

namespace gufo::ui {

class LoadPanel;

class EngineLoader : public QObject {
    Q_OBJECT

public:
    // The engine and the panel must outlive this object.
    EngineLoader(RunEngine* engine, LoadPanel* panel, QObject* parent);

    // The model is loaded as edited.
    void setDocument(ModelDocument* document) { m_document = document; }
    void setModel(std::shared_ptr<const Model> model) { m_model = std::move(model); }
    // The model as edited; null if there is none yet.
    [[nodiscard]] std::shared_ptr<const Model> model() const;
    // The model as it was read.
    [[nodiscard]] std::shared_ptr<const Model> savedModel() const;

    void load();
    [[nodiscard]] bool isLoading() const; // an engine, or the server that is to become one
    [[nodiscard]] bool isOpening() const { return m_engine->state() == RunEngine::State::Loading; }
    [[nodiscard]] const RunFacts* facts() const { return m_engine->facts(); }
    // Of the loaded engine, or of the one that would be loaded.
    [[nodiscard]] const inference::EngineCapabilities& capabilities() const;
    [[nodiscard]] bool offers(inference::Feature feature) const { return inference::offers(capabilities(), feature); }

signals:
    void changed(); // the state of the engine or of the server, or the choice of the panel
    void lost();    // a loaded engine ends by itself; changed() follows
    void noticed(const QString& text, bool isError);

private:
    void loadFrom(const inference::ServerAccess& access);
    void showState();
    void serverFailed(const QString& what);

    RunEngine* m_engine;
    LoadPanel* m_panel;
    LocalServer* m_localServer;
    ModelDocument* m_document = nullptr;
    std::shared_ptr<const Model> m_model;
    QTimer m_progress; // shows how much is loaded
    bool m_wasLoaded = false;
};

} // namespace gufo::ui
