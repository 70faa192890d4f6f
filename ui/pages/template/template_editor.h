// The editor of a chat template: Jinja syntax colouring, folding, brace matching, line numbers, and marks for errors
// and special tokens. It has no undo history: the document keeps the steps, and undoRequested() asks for them.
//
// Positions and columns count UTF-16 units. Lines and columns start at 0.
#pragma once

#include "text/template/template_renderer.h"
#include "ui/pages/template/template_remarks.h"

#include <Qsci/qsciscintilla.h>

#include <span>

namespace gufo::ui {

// The range [begin, end) of characters that form one special token.
struct SpecialRange {
    qsizetype begin;
    qsizetype end;
    bool isControl; // false for user-defined tokens
};

class TemplateEditor : public QsciScintilla {
    Q_OBJECT

public:
    explicit TemplateEditor(QWidget* parent = nullptr);

    // Replaces only what differs, so that the scroll position and the cursor are kept.
    void replaceText(const QString& text);
    // Underlines the problems at their positions, and the remarks in another colour. Empty lists remove the marks.
    void setProblems(const std::vector<text::TemplateProblem>& problems, const std::vector<TemplateRemark>& remarks);
    // The line of the first mark; −1 if there is none.
    [[nodiscard]] int markedLine() const;
    void setSpecials(std::span<const SpecialRange> ranges);
    void setWhitespaceShown(bool shown);
    // Selects the next occurrence, wrapping around. Returns false if there is none. With `includeCurrent`, the current
    // match may be extended, for search as you type.
    bool find(const QString& text, bool forward = true, bool includeCurrent = false);
    // Moves the cursor to the problem or remark, unfolds its line and scrolls to it.
    void goTo(const text::TemplateProblem& problem);
    void goTo(const TemplateRemark& remark);
    void scrollToTop();
    // Replaces the text marked by a problem.
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
    void addMark(int indicator, int begin, int end, const QString& text); // bytes
    void showPosition(int position);                                      // bytes
    [[nodiscard]] QString problemAt(int position) const;                  // bytes
    [[nodiscard]] int positionOf(int line, int column) const;

    struct Mark {
        int begin; // bytes
        int end;
        QString text;
    };
    std::vector<Mark> m_marks;
};

} // namespace gufo::ui
