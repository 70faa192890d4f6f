// The base of the dialogs of the Tools menu that write or measure something for long: choices, a table of what will be
// or was done, a notice, the progress, and the buttons.
#pragma once

#include "base/error.h"
#include "ui/theme/theme.h"
#include "ui/widgets/job_dialog.h"

#include <QLabel>
#include <QPushButton>
#include <QTableWidget>

#include <filesystem>

class QFormLayout;

namespace gufo::ui {

class JobBar;

class ToolDialog : public JobDialog {
    Q_OBJECT

public:
    [[nodiscard]] QPushButton* openButton() const { return m_open; }
    [[nodiscard]] QTableWidget* table() const { return m_table; }
    [[nodiscard]] JobBar* jobBar() const { return m_bar; }
    [[nodiscard]] QString summary() const { return m_summary->text(); }
    [[nodiscard]] QString notice() const { return m_notice->text(); }

protected:
    // `start` is the text of the button that begins the work, for which start() is called.
    ToolDialog(const QString& title, const QString& start, QWidget* parent);
    virtual void start() = 0;

    [[nodiscard]] QFormLayout* form() const { return m_form; }
    void addChoice(const QString& label, QWidget* choice);
    // The table is shown from then on. All columns except the first contain figures.
    void setColumns(const QStringList& titles);
    void addRow(const QStringList& cells);
    void setSummary(const QString& text) { m_summary->setText(text); }
    void setReady(bool ready); // whether the work can begin
    void showNotice(const QString& text, Token color = Token::Muted);
    void showError(const Error& error);
    // Follows a job that the button has started: nothing can be chosen meanwhile, and closing asks the question first.
    void follow(Job* job, const QString& what, const QString& question, const QString& consequence);
    // Offers to open what was written.
    void offer(const std::filesystem::path& written);
    void keyPressEvent(QKeyEvent* event) override;

private:
    void setChoosing(bool choosing);

    QWidget* m_choices;
    QFormLayout* m_form;
    QTableWidget* m_table;
    QLabel* m_summary;
    QLabel* m_notice;
    JobBar* m_bar;
    QPushButton* m_start;
    QPushButton* m_open;
    bool m_ready = false;
    std::filesystem::path m_written;
};

} // namespace gufo::ui
