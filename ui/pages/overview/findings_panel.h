// The findings list: runs the checks when first asked to, the deep scan when the person asks, with progress and cancel.
#pragma once

#include "ui/document/model_document.h"
#include "ui/pages/overview/findings_model.h"
#include "ui/shell/page.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/job_bar.h"

#include <QListView>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTimer>

#include <functional>
#include <optional>

namespace gufo::ui {

class FindingsDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    // Where the place stands as a link, in the view's coordinates; empty if the row has none.
    [[nodiscard]] static QRect linkRect(const QStyleOptionViewItem& option, const QModelIndex& index);
};

class FindingsView : public QListView {
    Q_OBJECT

public:
    explicit FindingsView(QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void followed(const QModelIndex& index); // its place's link was clicked, or Return

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QModelIndex linkAt(QPoint point) const;
};

class FindingsPanel : public QWidget {
    Q_OBJECT

public:
    explicit FindingsPanel(QWidget* parent = nullptr);
    void setModel(std::shared_ptr<const Model> model);
    // The document that repairs are made in; without one there are no buttons.
    void setDocument(ModelDocument* document) { m_document = document; }
    // The model was edited: checks that have been run are run again in a moment. Those that read all weights keep what
    // they found, unless tensors have changed.
    void follow(std::shared_ptr<const Model> model, bool tensorsChanged);
    void runChecks(); // does nothing the second time
    [[nodiscard]] FindingsModel* findings() const { return m_findings; }
    [[nodiscard]] FindingsView* view() const { return m_view; }
    [[nodiscard]] QPushButton* runButton() const { return m_run; }
    [[nodiscard]] QPushButton* fixAllButton() const { return m_fixAll; }
    [[nodiscard]] QPushButton* fixButton(int row) const; // null where there is no repair
    [[nodiscard]] QString copyText(CopyFormat format) const;

signals:
    void placeRequested(const Place& place);
    void checked(); // the list has changed

private:
    struct Checked {
        Validation validation;
        FindingsModel::Fixes fixes;
        bool deep = false;
    };
    void validateModel(bool deep);
    void showResult(Result<Checked> result);
    QPushButton* addButton(int row, const QString& text, const QString& name, const QString& toolTip,
                           std::function<void()> run);
    void fix(int row);
    void fixAll();

    ElidedLabel* m_counts;
    FindingsView* m_view;
    FindingsModel* m_findings;
    JobBar* m_bar;
    QLabel* m_none;
    QPointer<QPushButton> m_run;
    QPushButton* m_fixAll;
    ModelDocument* m_document = nullptr;
    QPointer<Job> m_job;
    QTimer m_again;
    bool m_scanning = false;                         // the job reads all weights
    bool m_stale = false;                            // edited while a scan of weights runs
    std::optional<std::vector<Finding>> m_ofWeights; // what that scan has found
    std::shared_ptr<const Model> m_model;
    bool m_started = false;
};

} // namespace gufo::ui
