// The bar below the pages of a model with unsaved changes: their number, what saving will write, and the buttons. It
// shows the progress while saving, and the result for a moment afterwards.
#pragma once

#include "base/remaining_time.h"

#include <QPushButton>
#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;

namespace gufo::ui {

class ElidedLabel;

class ChangeBar : public QWidget {
    Q_OBJECT

public:
    explicit ChangeBar(QWidget* parent = nullptr);

    // 0 hides the bar, unless it shows the result of a save.
    void setChanges(std::size_t count);
    // Describes what saving will do; empty if that is not known yet.
    void setPlan(const QString& text);
    void setSaving(const QString& what);
    // Shows how much is done and, as soon as it can be estimated, the remaining time.
    void setProgress(quint64 done, quint64 total);
    // Shows the changes again, or hides the bar.
    void endSaving();
    // Hides after a while, or, with `keep`, when it is dismissed or something is edited.
    void showSaved(const QString& text, bool keep);

    [[nodiscard]] QString countText() const;
    [[nodiscard]] QPushButton* saveButton() const { return m_save; }
    [[nodiscard]] QPushButton* reviewButton() const { return m_review; }
    [[nodiscard]] QPushButton* revertButton() const { return m_revert; }
    [[nodiscard]] QPushButton* cancelButton() const { return m_cancel; }

signals:
    void saveRequested();
    void reviewRequested();
    void revertRequested();
    void cancelRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    enum class State { Changes, Saving, Saved };
    void showState(State state);

    State m_state = State::Changes;
    std::size_t m_count = 0;
    QString m_plan;
    QString m_detail;
    QLabel* m_what;
    ElidedLabel* m_text;
    QProgressBar* m_progress;
    QPushButton* m_review;
    QPushButton* m_revert;
    QPushButton* m_save;
    QPushButton* m_cancel;
    QToolButton* m_dismiss;
    QTimer m_hideTimer;
    RemainingTime m_time;
};

} // namespace gufo::ui
