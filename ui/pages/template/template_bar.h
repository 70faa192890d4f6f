// The line above the Template page: the templates of the model, and what can be done with them.
#pragma once

#include "ui/widgets/filter_field.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/tool_strip.h"

#include <QAction>
#include <QComboBox>
#include <QPushButton>
#include <QToolButton>

#include <string>
#include <vector>

namespace gufo::text {
struct ChatTemplate;
}

namespace gufo::ui {

class TemplateBar : public ToolStrip {
    Q_OBJECT

public:
    // What is enabled.
    struct State {
        bool undo = false;
        bool redo = false;
        bool add = false;
        bool remove = false;
        bool reset = false;
        bool isSaved = false; // the template is in the file
    };

    explicit TemplateBar(QWidget* parent);

    // Fills the list of names, and keeps the template of this key if it still exists. Emits nothing.
    void setTemplates(const std::vector<text::ChatTemplate>& templates, const std::string& key);
    [[nodiscard]] std::string key() const; // of the chosen template; empty if there is none
    // Chooses a template. Returns false if there is none of that key.
    bool choose(const std::string& key);
    void setState(const State& state);
    void setChatEnabled(bool enabled) { m_chat->setEnabled(enabled); }
    [[nodiscard]] QToolButton* auditButton() const { return m_audit; }
    [[nodiscard]] FilterField* search() const { return m_search; }

signals:
    void templateChosen();
    void undoRequested();
    void redoRequested();
    void diffShown(bool shown);
    void resetRequested();
    void chatRequested();
    void auditRequested();
    void addRequested();
    void deleteRequested();
    void loadRequested();
    void saveRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fillMenu(QMenu* menu);

    QComboBox* m_names;
    QToolButton* m_add;
    QToolButton* m_undo;
    QToolButton* m_redo;
    FilterField* m_search;
    SegmentedControl* m_view;
    QPushButton* m_reset;
    QToolButton* m_audit;
    QPushButton* m_chat;
    QToolButton* m_more;
    QAction* m_delete = nullptr;
};

} // namespace gufo::ui
