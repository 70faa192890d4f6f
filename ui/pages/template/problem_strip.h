// The line below the editor that describes a problem and its position, or a remark if there is no problem, with a
// button that fixes it if possible. It takes up space even without either, so that typing never moves the text.
#pragma once

#include "text/template/template_renderer.h"
#include "ui/pages/template/template_remarks.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/marks.h"

#include <QPushButton>
#include <QWidget>

#include <optional>

namespace gufo::ui {

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

} // namespace gufo::ui
