// A text field for messages of a few lines.
#pragma once

#include <QPlainTextEdit>

namespace gufo::ui {

// A text field that is as high as its text, up to some lines. Tab leaves it.
class GrowingEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit GrowingEdit(QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }
    // Outlines the field and says why as its tooltip; empty: nothing is wrong.
    void setProblem(const QString& problem);
    [[nodiscard]] QString problem() const { return m_problem; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_problem;
};

} // namespace gufo::ui
