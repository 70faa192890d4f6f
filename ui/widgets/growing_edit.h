// Text fields for messages of a few lines, and for the tools that a model is offered.
#pragma once

#include <QPlainTextEdit>
#include <QTextDocument>

namespace gufo::ui {

// A text field that grows with its text, or with its placeholder where it has none, up to a few lines. Tab moves the
// focus on.
class GrowingEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit GrowingEdit(QWidget* parent = nullptr);
    // Qt's function neither lays out nor paints again.
    void setPlaceholderText(const QString& text);
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

// The exact text of a QPlainTextEdit: its toPlainText() would convert no-break spaces to spaces.
[[nodiscard]] inline QString rawText(const QPlainTextEdit& edit) {
    return edit.document()->toRawText().replace(QChar(QChar::ParagraphSeparator), QChar(u'\n'));
}

// Edits the tools offered to a model as JSON, and validates them.
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
