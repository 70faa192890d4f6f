// The dialog that writes a model of several files, or of the pieces of one, as one file.
#pragma once

#include "model/model.h"
#include "ui/tools/tool_dialog.h"

#include <QCheckBox>

#include <memory>

namespace gufo::ui {

class MergeSetDialog : public ToolDialog {
    Q_OBJECT

public:
    MergeSetDialog(std::shared_ptr<const Model> model, QWidget* parent);

    // Starts writing; called by the button after it has asked for a name.
    void write(const std::filesystem::path& path);

protected:
    void start() override;

private:
    std::shared_ptr<const Model> m_model;
    QCheckBox* m_verify;
};

// Whether a model consists of several files.
[[nodiscard]] bool isInParts(const Model& model);

} // namespace gufo::ui
