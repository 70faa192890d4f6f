// Asks what to do with unsaved changes before tabs are closed: save, discard, or stay. One question for all of them.
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
    // Calls `proceed` when nothing is unsaved any more: at once where that is so already, after saving or discarding
    // otherwise; never after Cancel, or when saving fails or is cancelled.
    static void ask(QWidget* parent, const std::vector<ModelTab*>& tabs, std::function<void()> proceed);

    [[nodiscard]] QPushButton* saveButton() const { return m_save; }
    [[nodiscard]] QPushButton* discardButton() const { return m_discard; }
    [[nodiscard]] QPushButton* cancelButton() const { return m_cancel; }
    [[nodiscard]] const std::vector<QCheckBox*>& boxes() const { return m_boxes; }

private:
    UnsavedQuestion(QWidget* parent, const std::vector<ModelTab*>& tabs, std::function<void()> proceed);
    void saveAll();
    void discardAll();

    std::vector<QPointer<ModelTab>> m_tabs;
    std::function<void()> m_proceed;
    std::vector<QCheckBox*> m_boxes; // of each tab, where there are several
    QPushButton* m_save;
    QPushButton* m_discard;
    QPushButton* m_cancel;
};

} // namespace gufo::ui
