// Shows removed and added lines between two versions of a text, with a few unchanged lines around them.
#pragma once

#include "text/line_diff.h"

#include <QPlainTextEdit>

namespace gufo::ui {

// The result of the job that prepares the view.
struct TemplateDiff {
    struct Line {
        text::DiffLine::Kind kind;
        QString text;
    };
    std::vector<Line> lines;
    text::DiffCounts counts;
};
[[nodiscard]] TemplateDiff diffTemplates(const QString& before, const QString& after);

class TemplateDiffView : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit TemplateDiffView(QWidget* parent = nullptr);
    void setDiff(const TemplateDiff& diff);

private:
    void restyle();
    void paintLines();

    std::vector<text::DiffLine::Kind> m_kinds; // of the shown lines
};

} // namespace gufo::ui
