// The dialog that measures which weights matter most (an importance matrix) by evaluating a text. What was evaluated is
// saved from time to time and on cancelling, and the next run with the same file continues there.
#pragma once

#include "formats/imatrix/imatrix_writer.h"
#include "ui/tools/tool_dialog.h"

#include <memory>

namespace gufo::ui {

class CountBox;
class FileField;

class ImatrixDialog : public ToolDialog {
    Q_OBJECT

public:
    ImatrixDialog(std::shared_ptr<const Model> model, QWidget* parent);

    // Starts measuring; called by the button after it has asked for a name.
    void write(const std::filesystem::path& path);

    [[nodiscard]] FileField* text() const { return m_text; }
    [[nodiscard]] CountBox* chunk() const { return m_chunk; }
    [[nodiscard]] CountBox* maximum() const { return m_maximum; }

protected:
    void start() override;

private:
    struct Outcome {
        ImatrixContents contents{};
        std::uint64_t resumed = 0; // chunks that were in the file
        std::uint64_t leftOut = 0; // tokens at the end that fill no chunk
    };
    void showOutcome(const Outcome& outcome, const std::filesystem::path& path);

    std::shared_ptr<const Model> m_model;
    FileField* m_text;
    CountBox* m_chunk;
    CountBox* m_maximum;
};

} // namespace gufo::ui
