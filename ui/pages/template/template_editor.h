// The editor of a chat template: Jinja's colours, folding, braces, line numbers, marks of errors and of special tokens.
// It keeps no undo of its own: steps are the document's, and undoRequested() asks for them.
//
// Positions and columns count UTF-16 units, lines and columns from 0.
#pragma once

#include "text/template/template_renderer.h"

#include <Qsci/qsciscintilla.h>

#include <span>

namespace gufo::ui {

// Characters [begin, end) of the text that are one special token.
struct SpecialRange {
    qsizetype begin;
    qsizetype end;
    bool isControl; // otherwise user-defined
};

class TemplateEditor : public QsciScintilla {
    Q_OBJECT

public:
    explicit TemplateEditor(QWidget* parent = nullptr);

    // Replaces what differs only, so that the view and the cursor stay where they are.
    void replaceText(const QString& text);
    // The lines of problems, underlined at their places; an empty list takes the marks away.
    void setProblems(const std::vector<text::TemplateProblem>& problems);
    // The line of the first mark; −1 if there is none.
    [[nodiscard]] int markedLine() const;
    void setSpecials(std::span<const SpecialRange> ranges);
    void setWhitespaceShown(bool shown);
    [[nodiscard]] bool isWhitespaceShown() const;
    // Selects the next occurrence, round the end; false if there is none. `fromHere`: the selection may grow, for
    // typing.
    bool find(const QString& text, bool forward = true, bool fromHere = false);
    // Puts the cursor there, unfolds and shows the place.
    void goTo(const text::TemplateProblem& problem);
    // Replaces the stretch of a problem.
    void replaceAt(const text::TemplateProblem& problem, const QString& by);

signals:
    void undoRequested();
    void redoRequested();
    void focusLeft();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void restyle();
    void showLineNumbers();
    [[nodiscard]] QString problemAt(int position) const; // bytes
    [[nodiscard]] int positionOf(int line, int column) const;

    struct Mark {
        int begin; // bytes
        int end;
        QString text;
    };
    std::vector<Mark> m_marks;
};

} // namespace gufo::ui
