// A read-only diff view: removed and added lines are coloured and have a sign, and unchanged ranges are folded to one
// line.
#pragma once

#include "ui/widgets/folded_diff.h"

#include <QPlainTextEdit>

namespace gufo::ui {

class DiffView : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit DiffView(QWidget* parent = nullptr);
    void setDiff(const FoldedDiff& diff);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void restyle();
};

} // namespace gufo::ui
