// The left half of the Template page: the editor of a template, or its differences from the saved text. Above it are
// the name of the key and the number of lines; below it is the first problem or remark.
#pragma once

#include "text/line_diff.h"
#include "text/template/template_renderer.h"
#include "text/tokenizer/tokenizer.h"
#include "ui/jobs/latest_job.h"
#include "ui/pages/template/template_editor.h"
#include "ui/pages/template/template_remarks.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/marks.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QWidget>

#include <optional>

namespace gufo::ui {

// The removed and added lines between two versions of a text, with a few unchanged lines around them.
struct TemplateDiff {
    struct Line {
        text::DiffLine::Kind kind;
        QString text;
    };
    std::vector<Line> lines;
    text::DiffCounts counts;
};
[[nodiscard]] TemplateDiff diffTemplates(const QString& before, const QString& after);

// Shows a TemplateDiff, which a job has made.
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

class FilterField;

// The line below the editor that describes a problem and its position, or a remark if there is no problem, with a
// button that fixes it if possible. It takes up space even without either, so that typing never moves the text.
inline constexpr int kProblemStripHeight = 34;

class ProblemStrip : public QWidget {
    Q_OBJECT

public:
    explicit ProblemStrip(QWidget* parent = nullptr);
    // Shows the first problem, or else the first remark.
    void setProblems(const std::vector<text::TemplateProblem>& problems, const std::vector<TemplateRemark>& remarks);
    [[nodiscard]] QString text() const { return m_text->text(); }
    [[nodiscard]] QPushButton* fixButton() const { return m_fix; }

signals:
    void placeRequested(); // go to the problem or remark
    void fixRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    ElidedLabel* m_text;
    QPushButton* m_fix;
    std::optional<Mark> m_mark; // none: there is nothing to say
};

inline constexpr int kTemplateHeaderHeight = 33; // of the lines above both halves

class EditorPane : public QWidget {
    Q_OBJECT

public:
    explicit EditorPane(QWidget* parent);

    [[nodiscard]] TemplateEditor* editor() const { return m_editor; }
    // Finds in the text what the field says. F3 goes to the next match wherever the focus is on the page.
    void searchWith(FilterField* field, QWidget* page);
    void setKey(const std::string& key);
    void showDiff(bool shown);
    // Shows the number of all lines and of lines that differ from the saved text, and the differences if they are
    // visible.
    void compareWith(const QString& saved);
    void setProblems(std::vector<text::TemplateProblem> problems);
    void setRemarks(std::vector<TemplateRemark> remarks);
    [[nodiscard]] const std::vector<TemplateRemark>& remarks() const { return m_remarks; }
    [[nodiscard]] const std::vector<text::TemplateProblem>& problems() const { return m_problems; }
    // Marks the special tokens in the text; none without a tokenizer or in a long text.
    void markSpecials(const std::shared_ptr<const text::Tokenizer>& tokenizer);

signals:
    void repairRequested(const std::vector<Change>& changes, const QString& label); // of a remark

private:
    void showProblems();

    ElidedLabel* m_key;
    QLabel* m_counts;
    QLabel* m_errors;
    QStackedWidget* m_views;
    TemplateEditor* m_editor;
    TemplateDiffView* m_diff;
    ProblemStrip* m_strip;
    std::vector<text::TemplateProblem> m_problems;
    std::vector<TemplateRemark> m_remarks;
    LatestJob m_comparing{this};
    LatestJob m_marking{this};
};

} // namespace gufo::ui
