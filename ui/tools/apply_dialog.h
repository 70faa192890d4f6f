// The dialog that merges LoRA adapters into a model: the base model, the adapters with their strengths, which tensors
// will change, and after writing, by how much.
#pragma once

#include "adapter/merge_adapters.h"
#include "ui/jobs/latest_job.h"
#include "ui/tools/tool_dialog.h"

#include <QComboBox>

#include <memory>
#include <vector>

class QVBoxLayout;

namespace gufo::ui {

class FileField;
class RealBox;

class ApplyDialog : public ToolDialog {
    Q_OBJECT

public:
    // The model is the base model or, if it is an adapter, the first adapter.
    ApplyDialog(std::shared_ptr<const Model> model, QWidget* parent);

    void addAdapter(const std::filesystem::path& path);
    // Starts writing; called by the button after it has asked for a name.
    void write(const std::filesystem::path& path);

    [[nodiscard]] FileField* base() const { return m_base; }
    [[nodiscard]] QComboBox* type() const { return m_type; }
    [[nodiscard]] QPushButton* addButton() const { return m_add; }
    [[nodiscard]] std::size_t adapters() const { return m_adapters.size(); }
    [[nodiscard]] bool isPlanning() const { return m_planning.isRunning(); }

protected:
    void start() override;

private:
    struct AdapterRow {
        std::filesystem::path path;
        QWidget* widget;
        RealBox* strength;
    };
    // What is read for a plan. Models are kept, so that a change of a strength opens no file.
    struct Planned {
        std::shared_ptr<const Model> base;
        std::vector<std::shared_ptr<const Model>> files; // of the adapters
        MergeRequest request;
        MergePlan plan;
    };
    void addRow(const std::filesystem::path& path);
    void plan();
    void showTensors(const Planned& planned, const MergePlan& plan, bool written);
    [[nodiscard]] std::optional<TensorType> chosenType() const;

    std::shared_ptr<const Model> m_model;
    bool m_isBase;
    std::shared_ptr<const Planned> m_planned; // null while there is no plan
    LatestJob m_planning{this};
    FileField* m_base;
    QVBoxLayout* m_rows;
    std::vector<AdapterRow> m_adapters;
    QPushButton* m_add;
    QComboBox* m_type;
};

} // namespace gufo::ui
