// The dialog that measures how well a model predicts a text (perplexity) and, beside another model of the same
// vocabulary, how far their predictions diverge.
#pragma once

#include "inference/measuring/perplexity.h"
#include "ui/tools/tool_dialog.h"

#include <memory>

namespace gufo::ui {

class CountBox;
class FileField;

class PerplexityDialog : public ToolDialog {
    Q_OBJECT

public:
    PerplexityDialog(std::shared_ptr<const Model> model, QWidget* parent);

    [[nodiscard]] FileField* text() const { return m_text; }
    [[nodiscard]] FileField* other() const { return m_other; }

protected:
    void start() override;

private:
    struct Outcome {
        inference::Perplexity figures{};
        std::uint64_t leftOut = 0; // tokens at the end that fill no window
        QString refusal{};         // why the models cannot be compared; then there are no figures
    };
    void showOutcome(const Outcome& outcome);

    std::shared_ptr<const Model> m_model;
    FileField* m_text;
    FileField* m_other;
    CountBox* m_window;
};

} // namespace gufo::ui
