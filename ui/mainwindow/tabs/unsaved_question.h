// Asks before tabs with unsaved changes are closed: save, discard, or cancel. There is one question for all tabs.
#pragma once

#include <QDialog>
#include <QPointer>

#include <functional>
#include <vector>

class QCheckBox;
class QPushButton;

namespace gufo::ui {

class ModelTab;

class UnsavedQuestion : public QDialog {
    Q_OBJECT

public:
    // Calls `proceed` when there are no unsaved changes left: immediately if there are none, otherwise after saving or
    // discarding. It is never called after Cancel, or if saving fails or is cancelled. What was typed is committed
    // first; if that is impossible, the user is asked about it before.
    static void ask(QWidget* parent, const std::vector<ModelTab*>& tabs, std::function<void()> proceed);

    [[nodiscard]] QPushButton* saveButton() const { return m_save; }
    [[nodiscard]] QPushButton* cancelButton() const { return m_cancel; }
    [[nodiscard]] const std::vector<QCheckBox*>& boxes() const { return m_boxes; }

private:
    UnsavedQuestion(QWidget* parent, const std::vector<ModelTab*>& tabs, std::function<void()> proceed);
    static void askAboutTyped(QWidget* parent, const std::vector<ModelTab*>& tabs, ModelTab* tab,
                              std::function<void()> proceed);
    void saveAll();
    void discardAll();

    std::vector<QPointer<ModelTab>> m_tabs;
    std::function<void()> m_proceed;
    std::vector<QCheckBox*> m_boxes; // one per tab if there are several
    QPushButton* m_save;
    QPushButton* m_discard;
    QPushButton* m_cancel;
};

} // namespace gufo::ui
