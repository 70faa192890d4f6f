// The tools that a model is offered, as JSON; says what is wrong with it.
#pragma once

#include "ui/widgets/growing_edit.h"

namespace gufo::ui {

class ToolsEdit : public GrowingEdit {
    Q_OBJECT

public:
    explicit ToolsEdit(QWidget* parent = nullptr);

    // Without white space around; empty: no tools.
    [[nodiscard]] QString tools() const { return toPlainText().trimmed(); }
    [[nodiscard]] bool isValid() const { return problem().isEmpty(); }
    // "Valid JSON", or that it is not; empty where there are no tools. In that colour.
    void showValidity(QLabel& label) const;
};

} // namespace gufo::ui
