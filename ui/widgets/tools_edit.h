// Edits the tools offered to a model as JSON, and validates them.
#pragma once

#include "ui/widgets/growing_edit.h"

namespace gufo::ui {

class ToolsEdit : public GrowingEdit {
    Q_OBJECT

public:
    explicit ToolsEdit(QWidget* parent = nullptr);

    // Without surrounding white space; empty: no tools.
    [[nodiscard]] QString tools() const { return toPlainText().trimmed(); }
    [[nodiscard]] bool isValid() const { return problem().isEmpty(); }
    // Shows "Valid JSON" or that it is not valid, in the matching colour. Shows nothing if there are no tools.
    void showValidity(QLabel& label) const;
};

} // namespace gufo::ui
