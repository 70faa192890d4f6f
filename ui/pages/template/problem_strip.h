// The line below the editor that describes a problem and its position, with a button that fixes it if possible. It
// takes up space even without a problem, so that typing never moves the text.
#pragma once

#include "text/template/template_renderer.h"
#include "ui/widgets/elided_label.h"

#include <QPushButton>
#include <QWidget>

namespace gufo::ui {

class ProblemStrip : public QWidget {
    Q_OBJECT

public:
    explicit ProblemStrip(QWidget* parent = nullptr);
    // Shows the first problem.
    void setProblems(const std::vector<text::TemplateProblem>& problems);
    [[nodiscard]] QString text() const { return m_text->text(); }
    [[nodiscard]] QPushButton* fixButton() const { return m_fix; }

signals:
    void placeRequested(); // go to the problem
    void fixRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    ElidedLabel* m_text;
    QPushButton* m_fix;
    bool m_hasProblem = false;
};

} // namespace gufo::ui
