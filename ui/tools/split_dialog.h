// The dialog that writes a model as several files: the limit of each, what the files will be, and the progress.
#pragma once

#include "formats/gguf/write/split.h"
#include "ui/jobs/latest_job.h"
#include "ui/tools/tool_dialog.h"

#include <QCheckBox>
#include <QComboBox>

#include <memory>

namespace gufo::ui {

class CountBox;
class RealBox;

class SplitDialog : public ToolDialog {
    Q_OBJECT

public:
    SplitDialog(std::shared_ptr<const Model> model, QWidget* parent);

    // Starts writing PREFIX-00001-of-…; called by the button after it has asked for a name.
    void write(const std::filesystem::path& prefix);

    [[nodiscard]] QComboBox* limit() const { return m_limit; }
    [[nodiscard]] RealBox* size() const { return m_size; }
    [[nodiscard]] CountBox* tensors() const { return m_tensors; }
    [[nodiscard]] QCheckBox* metadataFirst() const { return m_metadataFirst; }

protected:
    void start() override;

private:
    [[nodiscard]] gguf::SplitOptions options() const;
    void plan();

    std::shared_ptr<const Model> m_model;
    LatestJob m_planning{this};
    QComboBox* m_limit;
    RealBox* m_size;
    CountBox* m_tensors;
    QCheckBox* m_metadataFirst;
    QCheckBox* m_verify;
};

} // namespace gufo::ui
