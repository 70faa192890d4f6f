// The list of findings. It runs the checks on the first request, and the deep scan when the user asks for it, with
// progress and cancel.
#pragma once

#include "ui/document/model_document.h"
#include "ui/jobs/latest_job.h"
#include "ui/pages/overview/finding_groups.h"
#include "ui/pages/overview/findings_model.h"
#include "ui/shell/page.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/job_bar.h"

#include <QListView>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTimer>

#include <filesystem>
#include <functional>
#include <optional>

namespace gufo::ui {

class FindingsDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    // The link to the finding's place in view coordinates; empty if the row has none.
    [[nodiscard]] static QRect linkRect(const QStyleOptionViewItem& option, const QModelIndex& index);
};

class FindingsView : public QListView {
    Q_OBJECT

public:
    explicit FindingsView(QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void followed(const QModelIndex& index);                 // the place's link was clicked, or Return was pressed
    void foldingWanted(const QModelIndex& index, bool fold); // ← or → was pressed

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QModelIndex linkAt(QPoint point) const;
    [[nodiscard]] int heightOf(int rows) const; // the first rows
};

class FindingsPanel : public QWidget {
    Q_OBJECT

public:
    explicit FindingsPanel(QWidget* parent = nullptr);
    void setModel(std::shared_ptr<const Model> model);
    // Sets the document in which repairs are made. Without one there are no repair buttons.
    void setDocument(ModelDocument* document) { m_document = document; }
    // Also checks what pages on a hub need. To be called before the checks run.
    void setPublishing(bool publishing) { m_publishing = publishing; }
    // Call after the model was edited: checks that have been run are repeated after a moment. Findings of the weight
    // scan are kept unless tensors have changed.
    void follow(std::shared_ptr<const Model> model, bool tensorsChanged);
    void runChecks(); // does nothing if called again
    [[nodiscard]] FindingsModel* findings() const { return m_findings; }
    [[nodiscard]] FindingGroups* groups() const { return m_groups; } // the rows of the view
    [[nodiscard]] FindingsView* view() const { return m_view; }
    [[nodiscard]] QPushButton* runButton() const { return m_run; }
    [[nodiscard]] QPushButton* fixButton(int row) const; // null if there is no repair
    [[nodiscard]] QPushButton* baseButton() const { return m_base; }
    // Compares weights with a model from which this one is said to be quantised, in a job; called by the button after
    // it has asked for the file. What is found stays in the list until tensors change.
    void compareWithBaseModel(const std::filesystem::path& path);
    [[nodiscard]] QString copyText(CopyFormat format) const;

signals:
    void placeRequested(const Place& place);
    void checked();                     // the list has changed
    void reported(const QString& text); // for the status line

private:
    struct Checked {
        Validation validation;
        FindingsModel::Fixes fixes;
        bool deep = false;
    };
    void forgetBase(); // and ends a comparison with it
    void validateModel(bool deep);
    void showResult(Result<Checked> result);
    void addButtons(int firstRow, int lastRow); // rows of the view
    QPushButton* addButton(const QModelIndex& index, const QString& text, const QString& name, const QString& toolTip,
                           std::function<void()> run);
    void fix(int row);
    void fixAll();
    void askForBase();

    ElidedLabel* m_counts;
    FindingsView* m_view;
    FindingsModel* m_findings;
    FindingGroups* m_groups;
    JobBar* m_bar;
    QLabel* m_none;
    QPointer<QPushButton> m_run;
    QPushButton* m_fixAll;
    QPushButton* m_base;
    QPushButton* m_report;
    ModelDocument* m_document = nullptr;
    LatestJob m_job{this};
    QTimer m_again;
    int m_buttons = 0;
    bool m_publishing = false;
    bool m_scanning = false;                         // the job reads all weights
    bool m_stale = false;                            // edited during a scan of weights
    std::optional<std::vector<Finding>> m_ofWeights; // the findings of that scan
    std::vector<Finding> m_ofBase;                   // of the comparison with a base model
    LatestJob m_comparing{this};                     // with a base model
    std::shared_ptr<const Model> m_model;
    bool m_started = false;
};

} // namespace gufo::ui
