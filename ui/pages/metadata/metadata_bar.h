// The line above the Metadata page: what of the keys is shown, and what can be done with them.
#pragma once

#include "ui/pages/metadata/models/key_tree.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/tool_strip.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace gufo::ui {

class ModelDocument;

class MetadataBar : public ToolStrip {
    Q_OBJECT

public:
    explicit MetadataBar(QWidget* parent);

    // What is to be shown. The page adds the order of rows.
    [[nodiscard]] KeyQuery query() const;
    [[nodiscard]] bool showsTree() const { return m_layout->current() == 0; }
    [[nodiscard]] bool filters() const { return filtersText() || m_type->currentData().isValid(); }
    [[nodiscard]] bool filtersText() const { return !m_filter->text().isEmpty(); }
    void clearFilter(); // does not emit filterChanged()
    [[nodiscard]] int layoutIndex() const { return m_layout->current(); }
    void setLayoutIndex(int index) { m_layout->setCurrent(index); }

    // Updates which edits are possible, and why others are not. Null: the model cannot be edited.
    void followEditable(const ModelDocument* document);
    void say(const QString& message); // the result of an export, or why something was not done

    [[nodiscard]] FilterField* filter() const { return m_filter; }
    [[nodiscard]] JobBar* jobBar() const { return m_bar; }

signals:
    void filterChanged(); // or the layout
    void filterLeft();    // downwards
    void undoRequested();
    void redoRequested();
    void addRequested();
    void importRequested();
    void exportRequested();

private:
    FilterField* m_filter;
    QComboBox* m_type;
    SegmentedControl* m_layout;
    QToolButton* m_undo;
    QToolButton* m_redo;
    QWidget* m_undoLine;
    QPushButton* m_addKey;
    QPushButton* m_import;
    QPushButton* m_export;
    JobBar* m_bar;
    QLabel* m_message;
};

} // namespace gufo::ui
