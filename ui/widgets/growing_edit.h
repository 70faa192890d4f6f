// A text field for messages of a few lines.
#pragma once

#include <QPlainTextEdit>

namespace gufo::ui {

// A text field that grows with its text up to a few lines. Tab moves the focus on.
class GrowingEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit GrowingEdit(QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }
    // Outlines the field and shows the problem as its tooltip; an empty text removes both.
    void setProblem(const QString& problem);
    [[nodiscard]] QString problem() const { return m_problem; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_problem;
};

} // namespace gufo::ui
