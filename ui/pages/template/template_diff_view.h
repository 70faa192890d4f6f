// Two versions of a text, line by line: what is gone and what is new, with a few unchanged lines around.
#pragma once

#include "text/line_diff.h"

#include <QPlainTextEdit>

namespace gufo::ui {

// What a job makes for the view.
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
