// The engine in the settings of the Run page: what it is and takes, and how it answers (context shift, literal content,
// drafting).
#pragma once

#include "ui/pages/run/draft_field.h"
#include "ui/pages/run/engine_loader.h"
#include "ui/run/chat_session.h"

#include <QCheckBox>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace gufo::ui {

class EnginePanel : public QWidget {
    Q_OBJECT

public:
    // The loader, and the panel whose figures are shown, must outlive this object.
    EnginePanel(EngineLoader* loader, const LoadPanel* loadPanel, QWidget* parent = nullptr);

    void showState();
    void takeEngine(); // call when one was loaded or unloaded
    void addTo(ChatSettings& settings) const;

    // The options that answers obey, where the engine has them.
    [[nodiscard]] bool shifts() const { return m_shift->isEnabled() && m_shift->isChecked(); }
    [[nodiscard]] bool couldShift() const { return m_shift->isEnabled() && !m_shift->isChecked(); }
    [[nodiscard]] QString shiftName() const { return m_shift->text(); }
    [[nodiscard]] QString literalName() const { return m_literal->text(); }

    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

signals:
    void changed();         // of the options
    void unloadRequested(); // also to load it with other settings

private:
    QLabel* addFact(const char* name, const QString& caption);
    void showServer(const RunFacts* facts);
    void showFacts(const RunFacts* facts);

    EngineLoader* m_loader;
    const LoadPanel* m_loadPanel;
    QVBoxLayout* m_layout;
    QLabel* m_state;
    QLabel* m_server; // address, kind and match
    QLabel* m_context;
    QLabel* m_kv;
    QLabel* m_memory;
    QLabel* m_threads;
    QCheckBox* m_shift;
    QCheckBox* m_literal;
    QCheckBox* m_afterSamplers;
    DraftField* m_drafts;
    QPushButton* m_change;
    QPushButton* m_unload;
};

} // namespace gufo::ui
